"""The ledgers: every rule of a game, read from YAML the first time that game is asked about."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

import msgspec

from umpire import files
from umpire.errors import fault
from umpire.text import LANGUAGES, WRITTEN

Kind = Literal[
    "ability",
    "advice",
    "definition",
    "effect",
    "geometry",
    "list-building",
    "modifier",
    "procedure",
    "restriction",
    "scenario",
    "table",
    "terrain",
]


class Translation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule in a further language: `<lang>/<file>.yaml` beside the ledger's file maps ids to these."""

    name: str
    text: str


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule: `en` and `zh` are its names, `text` and `text_zh` its words, `checks` what a test must show."""

    id: str
    en: str
    zh: str
    lines: str
    kind: Kind
    text: str
    text_zh: str
    game: str
    order: int
    checks: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    note: str = ""
    source: str = ""
    further: dict[str, Translation] = {}

    @property
    def advice(self) -> bool:
        """Advice needs no code: nothing in it can be enforced."""
        return self.kind == "advice"

    @property
    def names(self) -> dict[str, str]:
        """Its name in every language."""
        return {lang: self.name(lang) for lang in LANGUAGES}

    def name(self, lang: str) -> str:
        translated = self.further.get(lang)
        return translated.name if translated else self.zh if lang == "zh" else self.en

    def words(self, lang: str) -> str:
        translated = self.further.get(lang)
        return translated.text if translated else self.text_zh if lang == "zh" else self.text

    @property
    def texts(self) -> dict[str, str]:
        """Its words in every language: English as `text`, others with their language behind it."""
        return {"text" if lang == "en" else f"text_{lang}": self.words(lang) for lang in LANGUAGES}


class Ledger(msgspec.Struct, frozen=True):
    """A game's rules in the order of its book, and a short hash that changes when a rule does."""

    game: str
    rules: tuple[Rule, ...]
    by_id: dict[str, Rule]
    version: str


_HERE = Path(__file__).parent
_folders: dict[str, Path] = {game: _HERE / game for game in ("warcry", "aos", "conquest", "wh40k", "t9a")}
_ledgers: dict[str, Ledger] = {}


def add_ledger(game: str, folder: Path) -> None:
    """Make a game known whose ledger lives outside this package."""
    _folders[game] = folder
    _ledgers.pop(game, None)


def games() -> tuple[str, ...]:
    return tuple(_folders)


def ledger(game: str) -> Ledger:
    """The ledger of a game; read once and kept."""
    known = _ledgers.get(game)
    if known is None:
        if game not in _folders:
            raise fault("error.game.unknown", game=game, known=list(_folders))
        known = _ledgers[game] = _read(game, _folders[game])
    return known


def rules(game: str) -> tuple[Rule, ...]:
    return ledger(game).rules


def find(rule_id: str) -> Rule | None:
    game = rule_id.partition(".")[0]
    return ledger(game).by_id.get(rule_id) if game in _folders else None


def rule(rule_id: str) -> Rule:
    found = find(rule_id)
    if found is None:
        raise fault("error.rule.unknown", rule=rule_id)
    return found


def exists(rule_id: str) -> bool:
    return find(rule_id) is not None


def version(game: str) -> str:
    """What a record names as the rules it was played under; wording of notes and translations does not change it."""
    return ledger(game).version


def _translations(file: Path) -> dict[str, Translation]:
    return files.read(file).convert(dict[str, Translation]) if file.is_file() else {}


def _read(game: str, folder: Path) -> Ledger:
    entries: list[Rule] = []
    by_id: dict[str, Rule] = {}
    for file in sorted(folder.glob("*.yaml")):
        chinese = files.read(folder / "zh" / file.name).data
        further = {lang: _translations(folder / lang / file.name) for lang in LANGUAGES if lang not in WRITTEN}
        source = files.read(file)
        for number, entry in enumerate(source.data):
            entry |= {
                "lines": str(entry.get("lines", "")),  # a single line is a YAML number
                "text_zh": chinese.get(entry["id"], ""),
                "game": game,
                "order": len(entries),
                "further": {lang: told[entry["id"]] for lang, told in further.items() if entry["id"] in told},
            }
            try:
                one = msgspec.convert(entry, Rule)
            except msgspec.ValidationError as error:
                raise source.refused(error, f"[{number}]") from None
            if one.id in by_id:
                raise source.fault("error.file.twice", f"[{number}].id", name=one.id)
            entries.append(one)
            by_id[one.id] = one
    meaning = msgspec.json.encode([(one.id, one.kind, one.text, one.checks) for one in entries])
    return Ledger(game, tuple(entries), by_id, hashlib.blake2b(meaning, digest_size=5).hexdigest())
