"""Chinese and English. Every sentence a user sees is a key with arguments; the catalogue holds both languages.

A catalogue file `<game>.yaml` maps a key to `{zh: …, en: …}` with `{argument}` places. An argument that is itself a
`Text`, a pair of names or a known id is rendered in the same language. `{argument:+}` gives a number its sign,
`{argument:1}` at most one decimal. English sentences count in the plural; of one thing they speak as of one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

import msgspec

LANGUAGES = ("zh", "en")

Names = Callable[[str], Mapping[str, str] | None]


class Text(msgspec.Struct, frozen=True):
    """A sentence to be said in either language: a key of the catalogue and its arguments."""

    key: str
    args: dict[str, Any] = {}


@functools.cache
def catalogue(game: str) -> dict[str, dict[str, str]]:
    """The sentences of one game on top of the common ones."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    result: dict[str, dict[str, str]] = {}
    for name in ("common", game):
        file = resources.files(__package__).joinpath(f"{name}.yaml")
        if file.is_file():
            result.update(yaml.load(file.read_text(encoding="utf-8"), Loader=loader) or {})
    return result


@functools.cache
def find(key: str) -> str:
    """The game in whose file a key stands; empty if it is common to all, or nowhere."""
    if key in catalogue(""):
        return ""
    games = sorted(file.name[:-5] for file in resources.files(__package__).iterdir() if file.name.endswith(".yaml"))
    return next((game for game in games if game != "common" and key in catalogue(game)), "")


_PLACE = re.compile(r"\{([\w-]+)(?::(\+|\d))?\}")
_SINGULARS = {
    "inches": "inch",
    "dice": "die",
    "successes": "success",
    **{
        f"{word}s": word
        for word in ("wound", "point", "hit", "attack", "stand", "model", "objective", "regiment", "piece")
    },
}
_COUNTED = re.compile(rf"(?<=\{{)([\w-]+)(\}}(?: [a-z]+)?) ({'|'.join(_SINGULARS)})\b( are\b)?")


def say(text: Text | str | Mapping[str, Any], lang: str, game: str = "", names: Names | None = None) -> str:
    """Render a text in one language. A key the catalogue lacks is shown as it is, so that nothing is hidden."""
    if isinstance(text, str):
        named = names(text) if names else None
        if named:
            return named[lang]
        entry = catalogue(game).get(text)
        return entry[lang] if entry else text
    if isinstance(text, Mapping):
        if lang in text:
            return str(text[lang])
        if "key" not in text:
            return ("，" if lang == "zh" else ", ").join(f"{k} {render(v, lang, game, names)}" for k, v in text.items())
        text = Text(text["key"], dict(text.get("args", {})))
    entry = catalogue(game).get(text.key)
    args = text.args
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

    sentence = entry[lang]
    if lang == "en" and 1 in args.values():
        sentence = _COUNTED.sub(lambda match: _of_one(match, args), sentence)
    return _PLACE.sub(fill, sentence)


def _of_one(match: re.Match[str], args: Mapping[str, Any]) -> str:
    name, between, things, are = match.groups()
    if args.get(name) != 1:
        return match.group(0)
    return f"{name}{between} {_SINGULARS[things]}{' is' if are else ''}"


def render(value: Any, lang: str, game: str = "", names: Names | None = None) -> str:
    """Render one argument: numbers plainly, lists with the language's comma, ids by their names."""
    if isinstance(value, (Text, Mapping, str)):
        return say(value, lang, game, names)
    if isinstance(value, bool):
        return say("yes" if value else "no", lang, game)
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if isinstance(value, (list, tuple)):
        return ("、" if lang == "zh" else ", ").join(render(v, lang, game, names) for v in value)
    return str(value)


def both(text: Text | str | Mapping[str, Any], game: str = "", names: Names | None = None) -> dict[str, str]:
    """The sentence in every language, for clients that switch on the fly."""
    return {lang: say(text, lang, game, names) for lang in LANGUAGES}
