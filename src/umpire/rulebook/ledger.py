"""The ledgers: every rule of a game, read from YAML the first time that game is asked about."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Literal

import msgspec

from umpire.errors import UmpireError

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

    @property
    def advice(self) -> bool:
        """Advice needs no code: nothing in it can be enforced."""
        return self.kind == "advice"

    def name(self, lang: str) -> str:
        return self.zh if lang == "zh" else self.en

    def words(self, lang: str) -> str:
        return self.text_zh if lang == "zh" else self.text


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
            raise UmpireError(
                f"no such game: {game} (there are {', '.join(_folders)})",
                zh=f"没有这个游戏：{game}（可选：{'、'.join(_folders)}）",
            )
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
        raise UmpireError(f"no such rule: {rule_id}", zh=f"没有这条规则：{rule_id}")
    return found


def exists(rule_id: str) -> bool:
    return find(rule_id) is not None


def version(game: str) -> str:
    """What a record names as the rules it was played under; wording of notes and translations does not change it."""
    return ledger(game).version


def _read(game: str, folder: Path) -> Ledger:
    import yaml  # only the first question about a game pays for it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    def parse(file: Path) -> Any:
        try:
            return yaml.load(file.read_text(encoding="utf-8"), loader)
        except (OSError, yaml.YAMLError) as error:
            raise UmpireError(" ".join(str(error).split()), where=str(file)) from error

    entries: list[Rule] = []
    by_id: dict[str, Rule] = {}
    for file in sorted(folder.glob("*.yaml")):
        chinese = parse(folder / "zh" / file.name)
        for entry in parse(file):
            entry |= {
                "lines": str(entry.get("lines", "")),  # a single line is a YAML number
                "text_zh": chinese.get(entry["id"], ""),
                "game": game,
                "order": len(entries),
            }
            try:
                one = msgspec.convert(entry, Rule)
            except msgspec.ValidationError as error:
                raise UmpireError(f"{entry['id']}: {error}", where=str(file)) from error
            if one.id in by_id:
                raise UmpireError(f"{one.id} is written twice", where=str(file), zh=f"{one.id} 写了两遍")
            entries.append(one)
            by_id[one.id] = one
    meaning = msgspec.json.encode([(one.id, one.kind, one.text, one.checks) for one in entries])
    return Ledger(game, tuple(entries), by_id, hashlib.blake2b(meaning, digest_size=5).hexdigest())
