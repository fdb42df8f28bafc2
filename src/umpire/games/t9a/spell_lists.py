"""Which spells a caster knows: paths and levels, Conclaves, Protean Magic, and what may be swapped before the
battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason

from . import content
from .content import Book, UnitEntry
from .profiles import Spell


class Level(NamedTuple):
    """How many spells, from which numbers, and the Channel that goes with it."""

    spells: int
    highest: int
    channel: int
    rule: str


LEVELS = {
    "apprentice": Level(1, 1, 0, "t9a.rule.wizard.apprentice"),
    "adept": Level(3, 4, 1, "t9a.rule.wizard.adept"),
    "master": Level(5, 6, 2, "t9a.rule.wizard.master"),
}
"""t9a.prep.spells.levels."""


def level_of(text: str) -> tuple[str, int]:
    """ "conclave 2" as ("conclave", 2)."""
    name, _, number = text.partition(" ")
    return name, int(number or 0)


def open_spells(entry: UnitEntry, book: Book, wizard: str, path: str) -> list[Spell]:
    """The spells that this caster may choose from."""
    name, _ = level_of(wizard)
    if name in LEVELS:
        numbers = content.paths().get(path, {})
        return [numbers[n] for n in sorted(numbers) if n <= LEVELS[name].highest]
    if name == "protean":
        return [content.paths()[p][1] for p in entry.paths]
    return [content.find_spell(key, book, entry.id) for key in entry.spells]


def how_many(wizard: str) -> int:
    name, number = level_of(wizard)
    return LEVELS[name].spells if name in LEVELS else number


def objections(entry: UnitEntry, book: Book, wizard: str, path: str, spells: Sequence[str]) -> Iterator[Reason]:
    """What is wrong with a caster's spells in an army list."""
    unit = {"unit": dict(entry.name)}
    name, number = level_of(wizard)
    if not wizard:
        if spells or path:
            yield Reason("t9a.prep.spells.non-wizard", facts=unit)
        return
    chosen = [content.find_spell(key, book, entry.id) for key in spells]
    if name in LEVELS:
        if path not in entry.paths:
            yield Reason("t9a.prep.spells.path", facts={**unit, "path": path})
        if any(spell.path != path for spell in chosen):
            yield Reason("t9a.prep.spells.path", "reason.t9a.spells.two-paths", {**unit, "path": path})
        level = LEVELS[name]
        if len(chosen) != level.spells:
            yield Reason(level.rule, "reason.t9a.spells.count", {**unit, "count": len(chosen), "most": level.spells})
        if any(spell.number > level.highest for spell in chosen):
            yield Reason("t9a.prep.spells.levels", facts={**unit, "most": level.highest})
    elif name == "conclave":
        if path:
            yield Reason("t9a.rule.wizard.conclave", "reason.t9a.spells.no-path", unit)
        if len(chosen) != number or any(key not in entry.spells for key in spells):
            yield Reason("t9a.prep.spells.conclave", facts={**unit, "count": number})
    elif name == "protean":
        if path:
            yield Reason("t9a.rule.protean-magic", "reason.t9a.spells.no-path", unit)
        if len(chosen) != number or any(s.number != 1 or s.path not in entry.paths for s in chosen):
            yield Reason("t9a.prep.spells.protean", facts={**unit, "count": number})
    if len(set(spells)) < len(spells):
        yield Reason("t9a.prep.spells.levels", "reason.t9a.spells.twice", unit)


def random_choice(rng: Rng, entry: UnitEntry, book: Book, wizard: str) -> tuple[str, tuple[str, ...]]:
    """A path and spells that this wizard may have."""
    name, _ = level_of(wizard)
    path = rng.choice(entry.paths) if name in LEVELS else ""
    choices = [spell.id for spell in open_spells(entry, book, wizard, path)]
    return path, tuple(rng.sample(choices, how_many(wizard)))


def channel_of(wizard: str) -> int:
    """Channel by level; a Conclave of two spells or more has Channel (1) (t9a.magic.channel)."""
    name, number = level_of(wizard)
    if name in LEVELS:
        return LEVELS[name].channel
    return 1 if name == "conclave" and number >= 2 else 0
