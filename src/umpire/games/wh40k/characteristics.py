"""Characteristics now: profile, damage table, modifiers, rounding and floors (unit.modifier-*, unit.damage-table)."""

from __future__ import annotations

from umpire.engine.effects import Number
from umpire.games.wh40k.abilities import Asking, ceil, changed
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
    profile: Profile | None = None,
) -> Number:  # fmt: skip
    """A characteristic with every step of how it came about; a dash stays a dash (wh40k.unit.modifier-dash)."""
    start = base if base is not None else amount(printed(state, unit, model, what)).plus
    if start == 0 and state.applies("wh40k.unit.modifier-dash"):
        return Number(0, 0)
    found = changed(Asking(state, what, start, unit, model, foe, profile))
    if not found.changes:
        return found
    total = ceil(found.total) if state.applies("wh40k.unit.modifier-rounding") else int(found.total)
    if what in AT_LEAST_ONE and state.applies("wh40k.unit.minimum-one"):
        total = max(1, total)
    elif state.applies("wh40k.unit.modifier-floor"):
        total = max(0, total)
    return Number(found.base, total, found.changes)


def value(
    state: State, unit: Unit, model: Model, what: str, base: int | None = None, foe: Unit | None = None,
    profile: Profile | None = None,
) -> int:  # fmt: skip
    return int(number(state, unit, model, what, base, foe, profile).total)


def toughness(state: State, unit: Unit) -> int:
    """That of most of its models; equally many: the owner's choice, which is the higher (attack.wound-roll's note)."""
    counts: dict[int, int] = {}
    rows: dict[str, int] = {}
    for model in unit.models:
        if model.row not in rows:
            rows[model.row] = value(state, unit, model, "t")
        counts[rows[model.row]] = counts.get(rows[model.row], 0) + 1
    return max(counts, key=lambda t: (counts[t], t))


def strength_for_tests(state: State, unit: Unit, model: Model) -> int:
    """What has no Strength is tested on its Toughness."""
    own = value(state, unit, model, "s")
    if not own and state.applies("wh40k.unit.no-strength-use-toughness"):
        return value(state, unit, model, "t")
    return own
