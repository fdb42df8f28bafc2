"""Sentences: arguments in their places, numbers as players say them."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import umpire
from umpire import files, text
from umpire.games import GAMES
from umpire.text import Text, say
from umpire.text.plurals import choose

SENTENCES = {
    "hurt": {"zh": "{who}受到{wounds}点伤害", "en": "{who} takes {wounds} {wounds#wound|wounds}"},
    "thrown": {"zh": "{n}枚", "en": "{n} wild {n#die|dice} {n#is|are} thrown"},
    "moved": {"zh": "{far:1}英寸", "en": "{far:1} {far#inch|inches}"},
    "changed": {"zh": "{by:+}", "en": "{by:+}"},
}


@pytest.fixture(autouse=True)
def sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "catalogue", lambda game: SENTENCES)


@pytest.mark.parametrize(
    ("key", "args", "zh", "en"),
    [
        ("hurt", {"who": "A", "wounds": 2}, "A受到2点伤害", "A takes 2 wounds"),
        ("hurt", {"who": "A", "wounds": 1}, "A受到1点伤害", "A takes 1 wound"),
        ("hurt", {"who": 1, "wounds": 3}, "1受到3点伤害", "1 takes 3 wounds"),
        ("thrown", {"n": 0}, "0枚", "0 wild dice are thrown"),
        ("thrown", {"n": 1}, "1枚", "1 wild die is thrown"),
        ("moved", {"far": 1.26}, "1.3英寸", "1.3 inches"),
        ("changed", {"by": 1}, "+1", "+1"),
    ],
)
def test_a_sentence_in_both_languages(key: str, args: dict[str, object], zh: str, en: str) -> None:
    assert (say(Text(key, args), "zh"), say(Text(key, args), "en")) == (zh, en)


@pytest.mark.parametrize(
    ("lang", "forms", "expected"),
    [
        ("zh", ["枚"], {0: "枚", 1: "枚", 2: "枚"}),
        ("en", ["die", "dice"], {0: "dice", 1: "die", 2: "dice", 1.5: "dice"}),
        ("fr", ["dé", "dés"], {0: "dé", 1: "dé", 1.5: "dé", 2: "dés"}),
        ("ru", ["кубик", "кубика", "кубиков"], {1: "кубик", 3: "кубика", 5: "кубиков", 11: "кубиков", 21: "кубик"}),
        ("pl", ["kość", "kości", "kości"], {1: "kość", 2: "kości", 22: "kości", 12: "kości"}),
        ("cs", ["kostka", "kostky", "kostky", "kostek"], {1: "kostka", 4: "kostky", 5: "kostek", 0.5: "kostky"}),
    ],
)  # fmt: skip
def test_words_follow_the_plural_rules_of_their_language(
    lang: str, forms: list[str], expected: dict[float, str]
) -> None:
    assert {n: choose(list(forms), n, lang) for n in expected} == expected


def test_a_third_language_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    (tmp_path / "fr").mkdir()
    (tmp_path / "common.yaml").write_text(
        'hi: {zh: "{n}枚", en: "{n} {n#die|dice}"}\nyes: {zh: 是, en: "yes"}\n', "utf-8"
    )
    (tmp_path / "fr" / "common.yaml").write_text('hi: "{n} {n#dé|dés}"\n', "utf-8")
    monkeypatch.setattr(text, "_FOLDER", tmp_path)
    assert text._languages() == ("zh", "en", "fr")
    monkeypatch.setattr(text, "LANGUAGES", text._languages())
    monkeypatch.setattr(text, "catalogue", text.catalogue.__wrapped__)
    assert text.both(Text("hi", {"n": 0})) == {"zh": "0枚", "en": "0 dice", "fr": "0 dé"}
    assert say(Text("yes"), "fr") == "yes"  # what it lacks is said in English


COUNTED = (
    "inches|dice|successes|wounds|points|hits|attacks|stands|models|objectives|regiments|pieces|fighters|units|cards"
)


@pytest.mark.parametrize("file", sorted(Path(text.__file__).parent.glob("*.yaml")), ids=lambda file: file.stem)
def test_catalogues_hold_each_key_once_in_both_languages_and_count_by_form(file: Path) -> None:
    source = files.read(file)  # a key that is there twice is refused
    for key, entry in source.data.items():
        assert set(entry) == {"zh", "en"}, key
        assert not re.search(rf"\{{[\w-]+\}}(?: [a-z]+)? (?:{COUNTED})\b", entry["en"]), f"{key}: write {{n#one|many}}"


def test_in_a_third_language_every_game_speaks_and_what_it_lacks_is_english(tmp_path: Path) -> None:
    """No file but those of the language: its sentences, and names and words of rules beside the ledger."""
    shutil.copytree(Path(text.__file__).parent, tmp_path / "text", ignore=shutil.ignore_patterns("*.py*"))
    (tmp_path / "text/fr").mkdir()
    (tmp_path / "text/fr/common.yaml").write_text('list.comma: " ; "', "utf-8")
    shutil.copytree(Path(__file__).parents[1] / "tiny_ledger", tmp_path / "tiny")
    (tmp_path / "tiny/fr").mkdir()
    (tmp_path / "tiny/fr/tiny.yaml").write_text("tiny.move: {name: Bouger, text: Au plus quatre}", "utf-8")
    done = subprocess.run([sys.executable, "-c", FRENCH, tmp_path], capture_output=True, encoding="utf-8", check=False)
    assert done.stdout.split() == ["Bouger", "quatre", *GAMES], done.stderr


FRENCH = """
import sys
from pathlib import Path
import msgspec
from umpire import text
folder = Path(sys.argv[1])
text._FOLDER = folder / "text"
text.LANGUAGES = text._languages()
text.Language = text.Literal[text.LANGUAGES]
import umpire
from umpire import rulebook
from umpire.engine.view import view
from umpire.games import GAMES
from umpire.server.armies import library_of
from umpire.server.routes import _rule, _rules
rulebook.add_ledger("tiny", folder / "tiny")
print(rulebook.rule("tiny.move").names["fr"], rulebook.rule("tiny.move").words("fr").split()[-1])
assert rulebook.rule("tiny.edge").name("fr") == rulebook.rule("tiny.edge").en
assert all(row["fr"] for row in _rules("", "")["rules"])
assert _rule("tiny.move")["text_fr"] == rulebook.rule("tiny.move").words("fr")
for game in GAMES:
    assert library_of(game)["armies"]
    battle = umpire.battle(game, seed=3)
    for side in (0, 1):
        assert b'"fr"' in msgspec.json.encode(view(battle, side))
    print(game)
"""


BOTH = {"zh", "en"}


def spoken_of(tree: ast.AST) -> Iterator[int]:
    """The lines that name one of the two languages: a text, a field. What a function takes if unsaid is no pair."""
    unsaid = {
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.arguments)
        for part in (*node.defaults, *node.kw_defaults)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in BOTH:
            yield node.lineno
        if isinstance(node, ast.Constant) and node.value in BOTH and node not in unsaid:
            yield node.lineno


SPEAK_OF_LANGUAGES = {
    "text/__init__.py": "the two that every text is written in, and English for what a further one lacks",
    "text/plurals.py": "plural forms of every language",
    "errors.py": "what other libraries say is English",
    "files.py": "what people name is named in English at least",
    "rulebook/ledger.py": "a ledger's own fields",
    "rulebook/search.py": "English is searched by words, Chinese by characters",
    "rulebook/terminal.py": "a rule's head line is its names in both",
    "cli/words.py": "what Typer says is English",
    "server/table.py": "what is logged for engineers",
    "server/sockets.py": "what is logged for engineers",
    "server/guard.py": "what is logged for engineers",
    "audit/frames.py": "the auditor reads the English of cards",
    "audit/t9a.py": "the auditor reads the English of cards",
    "games/wh40k/psychic.py": "powers of one name are known by the English one",
    "games/wh40k/stratagems.py": "stratagems of one name are known by the English one",
    "games/wh40k/scene_checks.py": "stratagems of one name are known by the English one",
}


def test_no_pair_of_languages_stands_in_code() -> None:
    package = Path(umpire.__file__).parent
    speak = {}
    for file in sorted(package.rglob("*.py")):
        if lines := sorted(set(spoken_of(ast.parse(file.read_text(encoding="utf-8"))))):
            speak[file.relative_to(package).as_posix()] = lines
    assert {file: lines for file, lines in speak.items() if file not in SPEAK_OF_LANGUAGES} == {}
    assert set(SPEAK_OF_LANGUAGES) <= set(speak), "which do no more"


def test_no_sentence_stands_in_code() -> None:
    """A further language is a file. Only the page that says that there are no pages is written where it is served."""
    package = Path(umpire.__file__).parent
    found = []
    for file in sorted(package.rglob("*.py")):
        if file.name != "static.py" and (written := re.search(r"[\u4e00-\u9fff]", file.read_text(encoding="utf-8"))):
            found.append(f"{file.relative_to(package)}: {written.group()}")
    assert found == []
