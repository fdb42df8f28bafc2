"""Start of turn and hero phase: Activate Place of Power, Rally; end of turn: Power Through."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from umpire.engine import effects
from umpire.engine.decisions import Choose, Option, pick
from umpire.engine.effects import Effect
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.aos.damage import heal, health, mortal, return_models
from umpire.games.aos.known_abilities import Ability, AosBattle, effect_of
from umpire.games.aos.movement import Limits
from umpire.games.aos.moves import move_unit, movement, not_in_combat
from umpire.games.aos.state import State, Unit, Use
from umpire.games.aos.terrain import place_of_power
from umpire.games.aos.units import COMBAT_RANGE
from umpire.miniatures.loose.groups import unit_gap
from umpire.text import Text

RALLY_ROLLS = 6


def near_power(state: State, unit: Unit) -> Iterator[Reason]:
    if not unit.profile.hero or place_of_power(state, unit) is None:
        yield Reason("aos.terrain.place-of-power", "", {"unit": unit.id})


@effect_of(
    Ability(
        "activate-place-of-power",
        "aos.terrain.activate-place-of-power",
        "start",
        "any",
        ("core",),
        eligible=near_power,
        could=lambda unit: unit.profile.hero,
    )
)
def activate_place_of_power(battle: AosBattle, use: Use) -> None:
    """1: D3 mortal damage and nothing else. 2+: better casting and chanting, or unbinding as a Wizard (1)."""
    state = battle.state
    unit = state.unit(use.unit)
    rule = "aos.terrain.activate-place-of-power"
    face = battle.roll(1, "place-of-power", rule, side=unit.side, who=unit.id, need=2).faces[0]
    if face == 1:
        mortal(battle, unit, "D3", rule)
        return
    if unit.profile.wizard or unit.profile.priest:
        for what in ("cast", "chant"):
            effects.add(state, Effect(unit.id, what, "add", 1.0, rule, f"{unit.side}:place-of-power", "turn"))
    if not unit.profile.wizard:
        unit.empowered = True
    battle.emit("empowered", rule, "aos.terrain.place-of-power", "aos.core.persisting", unit=unit.id)


def rally_rolls(state: State, unit: Unit) -> tuple[int, tuple[str, ...]]:
    """How many dice a unit rallies with, and the rules that say so."""
    if state.applies("aos.unit.musician") and any(m.role == "musician" for m in unit.models):
        return RALLY_ROLLS + 1, ("aos.command.rally", "aos.unit.musician")
    return RALLY_ROLLS, ("aos.command.rally",)


def rallies(face: int) -> bool:
    return face >= 4


def whole(_state: State, unit: Unit) -> bool:
    """Has it lost nothing that rally points could bring back?"""
    return not unit.slain and not unit.damage


@effect_of(Ability("rally", "aos.command.rally", "hero", "any", cost=1, eligible=not_in_combat, vain=whole))
def rally(battle: AosBattle, use: Use) -> Steps[None]:
    """Rally points heal 1 each, or as many as the Health return a slain model; what is not spent is lost."""
    state = battle.state
    unit = state.unit(use.unit)
    rolls, rules = rally_rolls(state, unit)
    faces = battle.roll(rolls, "rally", "aos.command.rally", side=unit.side, who=unit.id, need=4).faces
    points = sum(map(rallies, faces))
    each = health(state, unit)
    most = min(points // each, len(unit.slain))
    battle.emit("rally", *rules, unit=unit.id, points=points)
    ways = [(n, h) for n in range(most, -1, -1) for h in range(min(unit.damage, points - n * each), -1, -1)]
    if len(ways) == 1:
        return
    options = [Option(f"{n}+{h}", Text("option.rally", {"models": n, "heal": h})) for n, h in ways]
    prompt = Text("ask.rally", {"unit": unit.id, "points": points})
    choice = yield Choose(
        unit.side, prompt, options, "aos.command.rally", unit.id, lambda wish: rally_refusal(unit, wish, points, each)
    )
    models, healed = (int(part) for part in choice.split("+"))
    heal(battle, unit, healed, "aos.command.rally")
    if models:
        yield from return_models(battle, unit, models, "aos.command.rally")


def rally_refusal(unit: Unit, wish: str, points: int, each: int) -> list[Reason]:
    """Why so many models cannot be returned and so much not healed: what it would cost, and what there is."""
    named = [int(part) for part in wish.split("+") if part.isdecimal() and len(part) < 4]
    if len(named) != 2:
        return []
    models, healed = named
    reasons = []
    if models * each + healed > points:
        facts = {"cost": models * each + healed, "points": points, "health": each}
        reasons.append(Reason("aos.command.rally", "reason.aos.rally-cost", facts))
    if models > len(unit.slain):
        facts = {"models": models, "slain": len(unit.slain)}
        reasons.append(Reason("aos.command.rally", "reason.aos.rally-slain", facts))
    if healed > unit.damage:
        facts = {"heal": healed, "damage": unit.damage}
        reasons.append(Reason("aos.command.rally", "reason.aos.rally-damage", facts))
    return reasons


def overpowered(state: State, unit: Unit) -> list[Unit]:
    """Enemy units in combat with it whose Health is lower than its own."""
    own = health(state, unit)
    return [foe for key in unit.fights if health(state, foe := state.unit(key)) < own]


def not_overpowered(state: State, unit: Unit, wish: str) -> list[Reason]:
    """Why Power Through is not at this unit: it is not in combat with it, or has as much Health."""
    other = state.units.get(wish)
    if other is None:
        return []
    if other.side == unit.side:
        return [Reason("aos.core.friendly-enemy", "", {"unit": wish})]
    rule = "aos.command.power-through"
    if wish not in unit.fights:
        facts = {"target": wish, "gap": round(unit_gap(unit, other), 3) if other.models else 0.0, "range": COMBAT_RANGE}
        return [Reason(rule, "reason.aos.out-of-combat-range", facts)]
    facts = {"target": wish, "theirs": health(state, other), "health": health(state, unit)}
    return [Reason(rule, "reason.aos.as-healthy", facts)]


def why_not_power_through(state: State, unit: Unit) -> Iterator[Reason]:
    if not unit.charged:
        yield Reason("aos.command.power-through", "reason.aos.not-charged", {"unit": unit.id})
    if not overpowered(state, unit):
        yield Reason("aos.command.power-through", "reason.aos.health", {"unit": unit.id, "health": health(state, unit)})


def pick_overpowered(battle: AosBattle, use: Use) -> Steps[bool]:
    state = battle.state
    unit = state.unit(use.unit)
    foes = [foe.id for foe in overpowered(state, unit)]
    why_not = functools.partial(not_overpowered, state, unit)
    prompt = Text("ask.target", {"unit": unit.id})
    use.targets = ((yield from pick(unit.side, prompt, foes, "aos.command.power-through", unit.id, why_not)),)
    return True


@effect_of(
    Ability(
        "power-through",
        "aos.command.power-through",
        "end",
        "any",
        ("move",),
        cost=1,
        eligible=why_not_power_through,
        could=lambda unit: unit.charged,
        declare=pick_overpowered,
    )
)
def power_through(battle: AosBattle, use: Use) -> Steps[None]:
    """The damage is allocated after the move; enemies it was fighting do not hinder it, all others do."""
    state = battle.state
    unit = state.unit(use.unit)
    rule = "aos.command.power-through"
    mortal(battle, state.unit(use.targets[0]), "D3", rule)
    yield from move_unit(battle, unit, Limits(movement(state, unit), rule, spared=unit.fights, unseen=True))
