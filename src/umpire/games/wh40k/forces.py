"""Units that become other units: divided before the battle, joined or called up in it (unit.split-merge-strength,
detachment.added-units)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from umpire.engine import effects
from umpire.engine.decisions import Confirm
from umpire.engine.rng import Rng
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import content, reserves
from umpire.games.wh40k.abilities import bears_aura, held
from umpire.games.wh40k.measuring import friends, settle, units_near
from umpire.games.wh40k.mustering import UnitEntry, equip
from umpire.games.wh40k.placing import Placer, away_from_enemies
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.transports import ask_place, step_out
from umpire.games.wh40k.units import refresh
from umpire.text import Text

RULE = "wh40k.unit.split-merge-strength"
HALVES = 10
"""A unit of so many models may be divided."""
BESIDE = 2.0
NINE = 9.0


def next_id(state: State, side: int) -> str:
    letter = "ab"[side]
    return f"{letter}{1 + max(int(key[1:]) for key in state.units if key[0] == letter and key[1:].isdigit())}"


def renamed(models: Sequence[Model], key: str, first: int = 1) -> tuple[Model, ...]:
    return tuple(msgspec.structs.replace(m, id=f"{key}.{first + n}") for n, m in enumerate(models))


# -- divided ---------------------------------------------------------------------------------------------------------


@step
def divide(battle: WhBattle) -> Steps[None]:
    """Before anybody is set up: each unit that may be divided, if its owner wishes it."""
    state = battle.state
    for unit in list(state.units.values()):
        if unit.where != "muster" or len(unit.models) < HALVES or not held(state, unit, "split"):
            continue
        if (yield Confirm(unit.side, Text("ask.divide", {"unit": unit.id}), RULE, unit.id)):
            halved(battle, unit)


def halved(battle: WhBattle, unit: Unit) -> Unit:
    """wh40k.unit.split-merge-strength: each part's Starting Strength is what it is given."""
    state = battle.state
    count = -(-len(unit.models) // 2)
    key = next_id(state, unit.side)
    rest = unit.models[count:]
    other = msgspec.structs.replace(
        unit,
        id=key,
        models=renamed(rest, key),
        points=unit.points * len(rest) // len(unit.models),
        power=unit.power // 2,
        warlord="",
    )
    unit.models = unit.models[:count]
    unit.points -= other.points
    unit.power -= other.power
    if state.applies(RULE):
        unit.starting, other.starting = count, len(rest)
    for part in (unit, other):
        refresh(part)
    state.units[key] = other
    state.sides[unit.side].units += 1
    if bears_aura(other):
        state.bearers = (*state.bearers, key)
    battle.emit("divided", RULE, unit=unit.id, other=key, models=len(rest))
    return other


# -- joined ----------------------------------------------------------------------------------------------------------


def mates(state: State, unit: Unit) -> list[Unit]:
    """The units of the same datasheet that stand close enough to join it."""
    return [mate for mate in friends(state, unit) if mate.sheet.id == unit.sheet.id and units_near(unit, mate, BESIDE)]


def merge(battle: WhBattle, unit: Unit) -> None:
    """wh40k.unit.split-merge-strength: the Starting Strength of two units that join is what is left of both."""
    state = battle.state
    found = mates(state, unit)
    if not found:
        battle.emit("alone", "wh40k.stratagem.use", unit=unit.id)
        return
    other = found[0]
    first = 1 + max(int(m.id.rpartition(".")[2]) for m in (*unit.models, *unit.dead))
    unit.models += renamed(other.models, unit.id, first)
    unit.died += tuple(f"{unit.id}.{first + len(other.models) + n}" for n in range(len(other.died)))
    unit.points += other.points
    unit.power += other.power
    unit.starting = len(unit.models) if state.applies(RULE) else unit.starting + other.starting
    unit.warlord = unit.warlord or (unit.models[-1].id if other.warlord else "")
    if state.sides[unit.side].warlord == other.id:
        state.sides[unit.side].warlord = unit.id
    effects.drop(state, other.id)
    other.where, other.by, other.models = "gone", "", ()
    refresh(unit)
    settle(state)
    battle.emit("joined", RULE, unit=unit.id, other=other.id, models=unit.starting)


# -- called up -------------------------------------------------------------------------------------------------------


def summon(battle: WhBattle, side: int, sheet_id: str) -> Steps[None]:
    """wh40k.detachment.added-units: who stands on no roster belongs to no detachment and has no ability of one."""
    state = battle.state
    with content.LIBRARY.opened(battle.setup):
        sheet = content.datasheets()[sheet_id]
        book = content.factions().get(sheet.faction)
    key = next_id(state, side)
    models = equip(sheet, UnitEntry(sheet.id), key)
    rule = "wh40k.detachment.added-units"
    drill = book.detachment if book is not None and not state.applies(rule) else None
    gifts = (drill,) if drill is not None else ()
    unit = Unit(id=key, side=side, sheet=sheet, models=models, starting=len(models), gifts=gifts, left="")
    refresh(unit)
    placer = Placer(state, unit, unit.models, away_from_enemies(state, unit, NINE, rule), rule)
    turned = reserves.facing(state, side)
    placer.off_enemies(NINE)
    placer.default = placer.search(Rng(len(battle.answers)), reserves.anywhere(state), turned, 220) or placer.filled()
    state.units[key] = unit
    ends = yield from ask_place(unit, placer, rule, "ask.arrive")
    if not ends:
        del state.units[key]
        return
    step_out(state, unit, ends)
    unit.mark("arrived")
    if bears_aura(unit):
        state.bearers = (*state.bearers, key)
    battle.emit("summoned", rule, unit=key, models=len(models))
