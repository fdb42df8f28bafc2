"""Chinese and English, and any other language that has files. Every sentence a user sees is a key with arguments.

A catalogue file `<game>.yaml` maps a key to `{zh: …, en: …}` with `{argument}` places. An argument that is itself a
`Text`, a pair of names or a known id is rendered in the same language. `{argument:+}` gives a number its sign,
`{argument:1}` at most one decimal. `{argument#die|dice}` is the word that goes with a number, one for each plural form
of the language (`text.plurals`).

A further language is a folder with files of the same names that map a key to its sentence (`fr/common.yaml`); what it
lacks is said in English.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from umpire import documents
from umpire.text.plurals import choose

_FOLDER = resources.files(__package__)


def _languages() -> tuple[str, ...]:
    more = sorted(entry.name for entry in _FOLDER.iterdir() if entry.is_dir() and entry.name.isalpha())
    return (*WRITTEN, *(name for name in more if _FOLDER.joinpath(name, "common.yaml").is_file()))


WRITTEN = ("zh", "en")
"""What every text is written in."""
LANGUAGES = _languages()

if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]  # who reads a file or a line with a language in it takes no other

Names = Callable[[str], Mapping[str, str] | None]


class Text(msgspec.Struct, frozen=True):
    """A sentence to be said in either language: a key of the catalogue and its arguments."""

    key: str
    args: dict[str, Any] = {}


@functools.cache
def catalogue(game: str) -> dict[str, dict[str, str]]:
    """The sentences of one game on top of the common ones."""
    result: dict[str, dict[str, str]] = {}
    for name in ("common", game):
        result.update(_entries(f"{name}.yaml"))
        for lang in LANGUAGES:
            for key, sentence in _entries(lang, f"{name}.yaml").items():
                if key in result:
                    result[key] = {**result[key], lang: sentence}
    return result


def _entries(*path: str) -> dict[str, Any]:
    file = _FOLDER.joinpath(*path)
    return documents.read(file.read_text(encoding="utf-8"))[0].data or {} if file.is_file() else {}


@functools.cache
def find(key: str) -> str:
    """The game in whose file a key stands; empty if it is common to all, or nowhere."""
    if key in catalogue(""):
        return ""
    files = sorted(file.name[:-5] for file in _FOLDER.iterdir() if file.name.endswith(".yaml"))
    first = key.partition(".")[0]
    files.sort(key=lambda name: name != first)  # a file whose name begins the key is the likeliest
    return next((name for name in files if name != "common" and key in catalogue(name)), "")


_PLACE = re.compile(r"\{([\w-]+)(?::(\+|\d))?\}")
_FORMS = re.compile(r"\{([\w-]+)#([^{}]*)\}")


def mark(name: str, lang: str) -> str:
    """What stands between the items of a list (`items`), the parts of a sentence (`comma`), names that stand for
    themselves (`dot`) or sentences (`clause`)."""
    return in_language(catalogue("")[f"list.{name}"], lang)


def in_language(names: Mapping[str, str], lang: str) -> str:
    """A name in this language, or in English where it has none."""
    return names.get(lang) or names["en"]


def say(text: Text | str | Mapping[str, Any], lang: str, game: str = "", names: Names | None = None) -> str:
    """Render a text in one language. A key the catalogue lacks is shown as it is, so that nothing is hidden."""
    if isinstance(text, str):
        named = names(text) if names else None
        if named:
            return in_language(named, lang)
        entry = catalogue(game).get(text)
        return in_language(entry, lang) if entry else text
    if isinstance(text, Mapping):
        if lang in text or "en" in text:
            return str(in_language(text, lang))
        if "key" not in text:
            return mark("comma", lang).join(f"{k} {render(v, lang, game, names)}" for k, v in text.items())
        text = Text(text["key"], dict(text.get("args", {})))
    entry = catalogue(game).get(text.key)
    args = text.args
    if entry is None and not game and (home := find(text.key)):
        return say(text, lang, home, names)  # a game's sentence inside one that is common to all
    if entry is None:
        details = ", ".join(f"{k}={render(v, lang, game, names)}" for k, v in args.items())
        return f"{text.key} ({details})" if details else text.key

    def fill(match: re.Match[str]) -> str:
        name, form = match.groups()
        if name not in args:
            return match.group(0)
        value = args[name]
        if form and isinstance(value, (int, float)):
            value = f"{value:+g}" if form == "+" else round(float(value), int(form))
        return render(value, lang, game, names)

    def count(match: re.Match[str]) -> str:
        name, forms = match.groups()
        value = args.get(name, 2)
        return choose(
            forms.split("|"), value if isinstance(value, (int, float)) else 2, lang if lang in entry else "en"
        )

    return _PLACE.sub(fill, _FORMS.sub(count, in_language(entry, lang)))


def render(value: Any, lang: str, game: str = "", names: Names | None = None) -> str:
    """Render one argument: numbers plainly, lists with the language's comma, ids by their names."""
    if isinstance(value, (Text, Mapping, str)):
        return say(value, lang, game, names)
    if isinstance(value, bool):
        return say("yes" if value else "no", lang, game)
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if isinstance(value, (list, tuple)):
        return mark("items", lang).join(render(v, lang, game, names) for v in value)
    return str(value)


def both(text: Text | str | Mapping[str, Any], game: str = "", names: Names | None = None) -> dict[str, str]:
    """The sentence in every language, for clients that switch on the fly."""
    return {lang: say(text, lang, game, names) for lang in LANGUAGES}


def joined(parts: Iterable[Mapping[str, str]], between: str = "comma") -> dict[str, str]:
    """Names or phrases one after the other, with the comma of each language or another mark."""
    parts = list(parts)
    return {lang: mark(between, lang).join(in_language(part, lang) for part in parts) for lang in LANGUAGES}


def words(key: str, **args: Any) -> dict[str, str]:
    """The sentence of a key in every language, wherever it stands: for names, labels and menus that are plain data."""
    return both(Text(key, args), find(key))
