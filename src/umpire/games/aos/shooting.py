"""Shooting phase abilities: Shoot and Covering Fire (aos.shoot.shoot, aos.command.covering-fire)."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from umpire.engine.decisions import pick
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.aos.abilities import note
from umpire.games.aos.attacks import (
    pick_targets,
    possible_targets,
    reaches_of,
    resolve_attacks,
    shooting_objection,
    targetable,
    weapons_of,
)
from umpire.games.aos.known_abilities import Ability, AosBattle, effect_of
from umpire.games.aos.moves import not_in_combat
from umpire.games.aos.state import State, Unit, Use
from umpire.games.aos.units import unit_visible
from umpire.miniatures.loose.groups import unit_gap, units_near
from umpire.space.shapes import TOLERANCE
from umpire.text import Text


def why_not_shoot(state: State, unit: Unit) -> Iterator[Reason]:
    if "run" in unit.keywords_turn or "retreat" in unit.keywords_turn:
        yield Reason("aos.shoot.shoot", "reason.aos.ran", {"unit": unit.id})
    weapons = weapons_of(state, unit, True)
    if not weapons:
        rule = "aos.core.shooting-attacks" if unit.profile.missiles else "aos.core.warscroll"
        yield Reason(rule, "reason.aos.no-missiles", {"unit": unit.id})
        return
    longest = max(w.range for w in weapons)
    pool = [state.unit(key) for key in unit.fights] if unit.fights else targetable(state, unit)
    near_by = [foe for foe in pool if units_near(unit, foe, longest)]
    if not near_by:
        yield Reason("aos.core.shooting-attacks", "reason.aos.none-in-range", {"unit": unit.id, "range": longest})
    spared: dict[str, Reason] = {}
    unseen = []
    for foe in near_by:
        why = shooting_objection(state, unit, foe)
        if why is not None and why.rule not in state.without:
            spared.setdefault(why.rule, why)
        elif any(keys for reach in reaches_of(state, unit, weapons, [foe]).values() for keys in reach.values()):
            return
        else:
            unseen.append(foe.id)
    yield from spared.values()
    if unseen:
        yield Reason("aos.core.visibility", "reason.aos.unseen", {"target": unseen})


def aim(battle: AosBattle, use: Use) -> Steps[bool]:
    unit = battle.state.unit(use.unit)
    aimed = yield from pick_targets(battle, use, possible_targets(battle, unit, True), True)
    return bool(aimed)


def why_not_cover(state: State, unit: Unit) -> Iterator[Reason]:
    yield from not_in_combat(state, unit)
    if not unit.profile.missiles:
        yield Reason("aos.core.warscroll", "reason.aos.no-missiles", {"unit": unit.id})


def nearest_visible(state: State, unit: Unit) -> list[Unit]:
    """The nearest visible enemy unit, or several that are equally near."""
    best: list[Unit] = []
    least = 1e9
    for foe in targetable(state, unit):
        if foe.profile.kind != "unit":
            continue
        dx, dy = foe.cx - unit.cx, foe.cy - unit.cy
        reach = least + foe.cr + unit.cr + 0.01
        if dx * dx + dy * dy > reach * reach:
            continue
        far = unit_gap(unit, foe)
        if far > least + TOLERANCE or not unit_visible(state, unit, foe):
            continue
        best = [foe] if far < least - TOLERANCE else [*best, foe]
        least = min(far, least)
    return best


def not_nearest(state: State, unit: Unit, nearest: Sequence[Unit], wish: str) -> list[Reason]:
    """Why Covering Fire is not at this unit: it is none of the nearest that can be seen."""
    other = state.units.get(wish)
    if other is None:
        return []
    if other.side == unit.side:
        return [Reason("aos.core.friendly-enemy", "", {"unit": wish})]
    if other.where != "table" or not unit_visible(state, unit, other):
        return [Reason("aos.core.visibility", "reason.aos.unseen", {"target": wish})]
    facts = {"target": wish, "gap": round(unit_gap(unit, other), 3)}
    least = round(unit_gap(unit, nearest[0]), 3)
    return [Reason("aos.command.covering-fire", "reason.aos.not-nearest", {**facts, "least": least})]


def aim_at_nearest(battle: AosBattle, use: Use) -> Steps[bool]:
    """Only the nearest visible enemy; on a tie the player picks. Out of range, the command is spent for nothing."""
    state = battle.state
    unit = state.unit(use.unit)
    target = nearest_visible(state, unit)
    if target:
        why_not = functools.partial(not_nearest, state, unit, target)
        prompt, keys = Text("ask.target", {"unit": unit.id}), [foe.id for foe in target]
        key = yield from pick(unit.side, prompt, keys, "aos.command.covering-fire", unit.id, why_not)
        target = [foe for foe in target if foe.id == key and shooting_objection(state, unit, foe) is None]
    note(use, "covering-fire")
    aimed = yield from pick_targets(battle, use, target, True)
    return bool(aimed)


@effect_of(
    Ability(
        "covering-fire",
        "aos.command.covering-fire",
        "shooting",
        "enemy",
        ("shoot", "attack"),
        cost=1,
        eligible=why_not_cover,
        could=lambda unit: bool(unit.profile.missiles),
        declare=aim_at_nearest,
    )
)
@effect_of(
    Ability(
        "shoot",
        "aos.shoot.shoot",
        "shooting",
        "your",
        ("core", "attack", "shoot"),
        eligible=why_not_shoot,
        could=lambda unit: bool(unit.profile.missiles),
        declare=aim,
    )
)
def shoot(battle: AosBattle, use: Use) -> None:
    resolve_attacks(battle, use, True)
