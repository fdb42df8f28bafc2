"""Units: coherency, strength, what becomes of models that are lost (unit.*)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from umpire.games.wh40k.measuring import enclose
from umpire.games.wh40k.profiles import Row
from umpire.games.wh40k.state import Model, State, Unit, Where
from umpire.miniatures.loose import coherency as loose
from umpire.miniatures.loose.coherency import Coherency

SMALL, LARGE = "wh40k.unit.coherency-small", "wh40k.unit.coherency-large"
COHERENCY = Coherency(2.0, 5.0, 7)
"""wh40k.unit.coherency-small and coherency-large: 2 inches on the ground and 5 up or down; two comrades from 7 on."""


SIX = Coherency(2.0, 5.0, 6)
"""Some tables ask for two comrades from six models on."""


def usual(state: State) -> Coherency:
    return SIX if state.options.coherency == "six" else COHERENCY


def coherency_of(state: State, unit: Unit) -> Coherency:
    """wh40k.unit.coherency-small and coherency-large, as far as they are in force."""
    if not state.without:
        return usual(state)
    small, large = state.applies("wh40k.unit.coherency-small"), state.applies("wh40k.unit.coherency-large")
    if not state.applies("wh40k.unit.coherency-when") or not (small or large):
        return Coherency(math.inf, many=10**9)
    if not small and len(unit.models) < COHERENCY.many:
        return Coherency(math.inf, many=10**9)
    return usual(state) if large else Coherency(2.0, 5.0, 10**9)


def coherency_rules(count: int) -> tuple[str, ...]:
    """The rules by which so many models stand together."""
    if count <= 1:
        return ("wh40k.unit.coherency-when",)
    return "wh40k.unit.coherency-when", LARGE if count >= COHERENCY.many else SMALL


def neighbours(models: Sequence[Model]) -> list[int]:
    return loose.neighbours(models, COHERENCY)


def is_coherent(masks: Sequence[int], alive: int) -> bool:
    return loose.is_coherent(masks, alive, COHERENCY)


def coherent(state: State, models: Sequence[Model]) -> bool:
    return len(models) <= 1 or loose.coherent(models, usual(state))


def below_half(state: State, unit: Unit) -> bool:
    """wh40k.unit.below-half-strength: strictly fewer than half; by another reading half of them count too."""
    return fewer_than_half(state, len(unit.models), unit.starting)


def fewer_than_half(state: State, count: int, of: int) -> bool:
    if state.options.half_strength == "half-or-fewer":
        return 2 * count <= of
    return 2 * count < of


def refresh(unit: Unit) -> None:
    """Its models have changed: keep keywords and the circle round it true (wh40k.unit.keyword-mixed)."""
    rows = dict.fromkeys(model.row for model in unit.models)
    extra = [keyword for row in rows for keyword in unit.sheet.row(row).keywords]
    unit.keywords = tuple(dict.fromkeys((*unit.sheet.keywords, *unit.sheet.factions, *unit.chosen, *extra)))
    enclose(unit)


def keyword(unit: Unit, model: Model, word: str) -> bool:
    """wh40k.unit.keyword-mixed: has this very model the keyword?"""
    if word not in unit.keywords:
        return False
    sheet = unit.sheet
    if len(sheet.rows) == 1:
        return True
    row = sheet.row(model.row)
    return word in row.keywords or word in sheet.keywords or word in unit.chosen or word in sheet.factions


def take_away(unit: Unit, keys: Iterable[str], counted: bool = True) -> None:
    """Models leave the battle; those that a coherency check takes do not count for Morale."""
    gone = tuple(keys)
    unit.dead += tuple(m for m in unit.models if m.id in gone)
    unit.models = tuple(m for m in unit.models if m.id not in gone)
    if counted:
        unit.died += gone
    if unit.models:
        refresh(unit)


def replace_model(unit: Unit, model: Model) -> None:
    unit.models = tuple([model if m.id == model.id else m for m in unit.models])


def put(unit: Unit, ends: dict[str, Model]) -> None:
    """Carry a judged move or set-up out."""
    unit.models = tuple([ends.get(m.id, m) for m in unit.models])
    enclose(unit)


def by_turns(state: State, waiting: Sequence[Unit]) -> Sequence[Unit]:
    """Of units that wait for their turn those of the side that picks one now; the other's where it has none."""
    return [unit for unit in waiting if unit.side == state.picker] or waiting


def embarked(state: State, transport: Unit) -> list[Unit]:
    return [u for u in state.units.values() if u.where == "aboard" and u.aboard == transport.id]


def take_off(state: State, unit: Unit, where: Where) -> None:
    """A unit leaves the battlefield during the battle, to come back later; who is aboard it stays aboard."""
    unit.where, unit.left = where, state.turn
    unit.engaged = ()


def moved_to(model: Model, x: float, y: float, z: float | None = None, facing: float | None = None) -> Model:
    return msgspec.structs.replace(
        model,
        x=x,
        y=y,
        z=model.z if z is None else z,
        facing=model.facing if facing is None else facing,
    )


def new_model(key: str, row: Row, arms: Iterable[str]) -> Model:
    """A model of a row of its datasheet, with these weapons, unhurt."""
    r, q = row.reach
    return Model(id=key, r=r, q=q, row=row.id, wounds=row.w, weapons=tuple(arms), height=row.height, bare=row.hull)
