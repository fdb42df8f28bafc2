"""Rules that come due at one moment, in the order that a player chooses (turn.sequencing-*, command.sequence)."""

from __future__ import annotations

from typing import NamedTuple

from umpire.engine.decisions import Option, Order
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.dice import roll_off
from umpire.games.wh40k.measuring import enemies, units_near
from umpire.games.wh40k.missions import score_command
from umpire.games.wh40k.primitives import DEEDS, NEAR, deed
from umpire.games.wh40k.profiles import Ability, Does
from umpire.games.wh40k.state import PHASES, State, Unit, WhBattle
from umpire.text import Text

MISSION = "mission"
OUTSIDE = ("round-start", "round-end")
"""Moments that belong to nobody's turn."""
DUE = tuple(
    f"{whose}{when}" for when in ("command", *OUTSIDE, *(f"end-{phase}" for phase in PHASES)) for whose in ("", "any-")
)
"""The moments at which deeds of abilities come due."""


class Due(NamedTuple):
    """A rule that comes due: whose, by which ability."""

    key: str
    unit: Unit
    ability: Ability
    does: Does


def due(state: State, when: str) -> list[Due]:
    """Every ability that has something to do at this moment, of both sides: `does.when` names it."""
    found: list[Due] = []
    for unit in state.units.values():
        if unit.where != "table":
            continue
        own = unit.side == state.active or when in OUTSIDE
        for ability in (*unit.sheet.abilities, *unit.gifts):
            for n, does in enumerate(ability.does):
                if does.name in DEEDS and ((does.when == when and own) or does.when == f"any-{when}"):
                    found.append(Due(f"{unit.id}/{ability.id}/{n}", unit, ability, does))
    return found


@step
def moment(battle: WhBattle, when: str) -> Steps[None]:
    """wh40k.turn.sequencing-active-player: whose turn it is orders all of them; outside a turn a roll-off decides."""
    state = battle.state
    entries = due(state, when)
    keys = [entry.key for entry in entries]
    if when == "command":
        keys.append(MISSION)
    if len(entries) > 1:
        outside = when in OUTSIDE
        side = roll_off(battle) if outside else state.active
        rule = "wh40k.turn.sequencing-roll-off" if outside else "wh40k.turn.sequencing-active-player"
        options = [
            Option(e.key, Text("option.due", {"unit": e.unit.id, "ability": e.ability.name}), (e.unit.id,))
            for e in entries
        ]
        if when == "command":
            options.append(Option(MISSION, Text("option.mission")))
        keys = yield Order(side, Text("ask.order"), options, rule)
        more = ("wh40k.command.sequence",) if when == "command" else ()
        battle.emit("ordered", rule, *more, side=Text(f"side.{side}"), count=len(keys))
    battle.plan(*((come_due, when, key) for key in keys))


@step
def come_due(battle: WhBattle, when: str, key: str) -> Steps[None]:
    state = battle.state
    if key == MISSION:
        score_command(battle)
        return
    entry = next((found for found in due(state, when) if found.key == key), None)
    if entry is None:
        return
    targets: list[Unit] = [entry.unit]
    if entry.does.what == NEAR:
        targets = [foe for foe in enemies(state, entry.unit) if units_near(entry.unit, foe, entry.ability.range or 6.0)]
    rule = "wh40k.command.resolve-all" if when == "command" else "wh40k.turn.end-of-phase"
    battle.emit("due", rule, unit=entry.unit.id, ability=entry.ability.name)
    for target in targets:
        yield from deed(battle, entry.unit.side, entry.unit, target, entry.does, rule)
