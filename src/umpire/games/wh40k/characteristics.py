"""Characteristics now: profile, damage table, modifiers, rounding and floors (unit.modifier-*, unit.damage-table)."""

from __future__ import annotations

from collections.abc import Sequence

from umpire.engine.effects import Effect, Number
from umpire.games.wh40k.abilities import Asking, ceil, changed, noted
from umpire.games.wh40k.profiles import Profile, amount
from umpire.games.wh40k.state import Model, State, Unit

AT_LEAST_ONE = ("s", "t", "a", "ld")


def printed(state: State, unit: Unit, model: Model, what: str) -> int | str:
    """wh40k.unit.profile-value, by the row of the damage table that holds at this moment (wh40k.unit.damage-table)."""
    row = unit.sheet.row(model.row)
    value: int | str = getattr(row, what)
    if row.table and state.applies("wh40k.unit.damage-table"):
        for band in row.table:
            if model.wounds >= band.left:
                found: int | str | None = getattr(band, what, None)
                return value if found is None else found
    return value


def number(
    state: State, unit: Unit, model: Model, what: str, base: int | None = None, foe: Unit | None = None,
    profile: Profile | None = None, more: Sequence[Effect] = (),
) -> Number:  # fmt: skip
    """A characteristic with every step of how it came about; a dash stays a dash (wh40k.unit.modifier-dash)."""
    start = base if base is not None else amount(printed(state, unit, model, what)).plus
    if start == 0 and state.applies("wh40k.unit.modifier-dash"):
        return Number(0, 0)
    found = changed(Asking(state, what, start, unit, model, foe, profile), more)
    if not found.changes:
        return found
    notes = []
    total = ceil(found.total) if state.applies("wh40k.unit.modifier-rounding") else int(found.total)
    if total != found.total and state.applies("wh40k.unit.modifier-rounding"):
        notes.append("wh40k.unit.modifier-rounding")
    floor, rule = (1, "wh40k.unit.minimum-one") if what in AT_LEAST_ONE else (0, "wh40k.unit.modifier-floor")
    if total < floor and not state.applies(rule):
        floor, rule = 0, "wh40k.unit.modifier-floor"
    if total < floor and state.applies(rule):
        total = floor
        notes.append(rule)
    return noted(Number(found.base, total, found.changes), *notes)


def value(
    state: State, unit: Unit, model: Model, what: str, base: int | None = None, foe: Unit | None = None,
    profile: Profile | None = None,
) -> int:  # fmt: skip
    return int(number(state, unit, model, what, base, foe, profile).total)


def toughness(state: State, unit: Unit) -> tuple[int, tuple[str, ...]]:
    """That of most of its models; equally many: the owner's choice, which is the higher (attack.wound-roll's note); and
    the rules that changed it."""
    counts: dict[int, int] = {}
    rows: dict[str, Number] = {}
    for model in unit.models:
        if model.row not in rows:
            rows[model.row] = number(state, unit, model, "t")
        found = int(rows[model.row].total)
        counts[found] = counts.get(found, 0) + 1
    most = max(counts, key=lambda t: (counts[t], t))
    return most, next(found.rules for found in rows.values() if int(found.total) == most)


def strength_for_tests(state: State, unit: Unit, model: Model) -> int:
    """What has no Strength is tested on its Toughness."""
    own = value(state, unit, model, "s")
    if not own and state.applies("wh40k.unit.no-strength-use-toughness"):
        return value(state, unit, model, "t")
    return own
