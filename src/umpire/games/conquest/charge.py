"""Chapter 3: the Charge, from declaration to Impact Attacks (conquest.charge.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Option, pieces
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.space.moving import Go
from umpire.space.ranks.fronts import discs_apart, local
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

from . import (
    activation,
    attacks,
    contact,
    dice,
    formation,
    hooks,
    interfering,
    march,
    morale,
    overlapping,
    pressing,
    ranked,
    sight,
)
from .mover import stand_ends
from .state import Regiment, State

PLAIN = 3
"""What counts as the die of a regiment that charges without one."""


def charge_march(battle: Battle[State], regiment: Regiment) -> tuple[float, tuple[str, ...]]:
    """The lowest March, and what rules add to the charge distance."""
    limit, why = march.march_value(battle, regiment, "charge")
    more = hooks.number(hooks.Query(battle.state, regiment, "charge", 0.0, "charge"))
    return limit + more.total, (*why, *more.rules)


def reaches(die: int, limit: float, far: float) -> bool:
    """conquest.charge.roll"""
    return die + limit + TOLERANCE >= far


def die_needed(limit: float, far: float) -> int:
    return max(1, math.ceil(far - limit - TOLERANCE))


def greatest_distance(battle: Battle[State], regiment: Regiment) -> float:
    """conquest.charge.max-range"""
    limit, _ = charge_march(battle, regiment)
    return limit + (PLAIN if hooks.granted(battle.state, regiment, "plain-charge") else 6.0)


def target_reasons(
    battle: Battle[State], regiment: Regiment, target: Regiment, reach: float, whole: bool = False
) -> list[Reason]:
    """Why this enemy is no legal target of a Charge; `whole`: every reason with its measures, not just that there is
    one."""
    state = battle.state
    reasons: list[Reason] = []
    if target.side == regiment.side or not target.on_table:
        return [Reason("conquest.charge.declare", facts={"target": target.id})]
    if whole or not formation.far_apart(regiment, target, reach + TOLERANCE):
        far = formation.distance(state, regiment, target)
        if far > reach + TOLERANCE:
            reasons.append(Reason("conquest.charge.max-range", facts={"distance": round(far, 3), "reach": reach}))
    else:
        reasons.append(Reason("conquest.charge.max-range", facts={"reach": reach}))
    if whole or not reasons:
        reasons += sight.reasons_unseen(state, regiment, target, charging=True)
    return reasons


def targets(battle: Battle[State], regiment: Regiment) -> Iterator[Regiment]:
    """Enemies it may charge, looked for one by one."""
    reach = greatest_distance(battle, regiment)
    state = battle.state
    ranged = state.applies("conquest.charge.max-range")
    around = formation.circle(state, regiment)
    for other, at in formation.foes_of(state, regiment.side):
        if ranged and discs_apart(around, at, reach + TOLERANCE):
            continue
        if next(standing(state, target_reasons(battle, regiment, other, reach)), None) is None:
            yield other


def barred_reasons(state: State, regiment: Regiment) -> list[Reason]:
    """Why it may charge nobody, whoever is there."""
    reasons: list[Reason] = []
    if regiment.broken:
        reasons.append(Reason("conquest.morale.broken.no-charge", facts={"regiment": regiment.id}))
    if regiment.arrived == state.round:
        facts = {"regiment": regiment.id, "round": state.round}
        reasons.append(Reason("conquest.charge.not-after-reinforcement", facts=facts))
    return list(standing(state, reasons))


def may_charge(battle: Battle[State], regiment: Regiment) -> bool:
    """May it charge? Sooner told than why not."""
    state = battle.state
    if barred_reasons(state, regiment):
        return False
    return next(targets(battle, regiment), None) is not None or not state.applies("conquest.charge.declare")


def why_not_charge(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    state = battle.state
    reasons = barred_reasons(state, regiment)
    if not reasons and next(targets(battle, regiment), None) is None:
        told = {"reach": greatest_distance(battle, regiment), **formation.nearest_foe(state, regiment)}
        reasons.append(Reason("conquest.charge.declare", facts=told))
    return reasons


CITED = ("conquest.charge.only-way-into-contact", "conquest.charge.declare")


@hooks.action("charge", "out", CITED, why_not_charge, may_charge)
@step
def charge(battle: Battle[State], regiment_id: str, forced: str = "") -> Steps[None]:
    """Declare a target and roll; the move follows."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    found = battle.know(lambda: [r.id for r in targets(battle, regiment)])
    if forced:
        chosen = forced
    else:
        reach = greatest_distance(battle, regiment)

        def refuse(answer: str) -> list[Reason]:
            other = state.regiments.get(answer)
            return target_reasons(battle, regiment, other, reach, whole=True) if other else []

        options = pieces(found)
        away = {key: round(formation.distance(state, regiment, state.regiment(key)), 3) for key in found}
        rules = ("conquest.charge.declare", "conquest.core.measuring.premeasure")
        data = {"reach": reach, "distances": away}
        chosen = yield Choose(regiment.side, "ask.charge", options, rules, regiment.id, refuse, data)
    target = state.regiment(chosen)
    side, tied = contact.majority_side(target, regiment) if target.where == "table" else ("front", False)
    if tied:
        right, _ = local(ranked.pose(target), regiment.x, regiment.y)
        won = dice.roll_off(battle, "conquest.charge.facing") == regiment.side
        side = ("left" if right < 0 else "right") if won else side
    battle.emit(
        "charge-declared",
        "conquest.charge.declare",
        regiment=regiment.id,
        target=target.id,
    )
    limit, why = charge_march(battle, regiment)
    plain = hooks.granted(state, regiment, "plain-charge")
    far = formation.distance(state, regiment, target)
    if plain:
        die = PLAIN
        why = (*why, plain)
    else:
        need = die_needed(limit, far)
        roll = battle.roll(1, "charge", "conquest.charge.roll", side=regiment.side, who=regiment.id, need=need)
        again = hooks.granted(state, regiment, "reroll-charge")
        if roll.faces[0] < need and again and (yield Confirm(regiment.side, "ask.reroll", again, regiment.id)):
            roll = battle.reroll(roll, None, again)
        die = roll.faces[0]
    reached = reaches(die, limit, far)
    battle.emit(
        "charge-roll",
        "conquest.charge.roll",
        *why,
        regiment=regiment.id,
        target=target.id,
        die=die,
        distance=round(far, 3),
        charge=die + limit,
        success=reached,
    )
    if reached:
        battle.push(charge_move, regiment.id, target.id, die, side)
    else:
        battle.push(charge_failed, regiment.id, target.id, die)


@step
@decides("conquest.charge.one-inch-waived")
def charge_move(battle: Battle[State], regiment_id: str, target_id: str, die: int, side: str) -> Steps[None]:
    """The charge move: one free wheel, straight on, aligned with the side that is charged."""
    state = battle.state
    regiment, target = state.regiment(regiment_id), state.regiment(target_id)
    found = contact.contacts(state, regiment, target, side)
    ties = contact.best(found, side)
    ties = [c for c in ties if all(interfering.ways_aside(state, regiment, c, state.regiment(key)) for key in c.pushed)]
    if not ties:
        through = [c for c in found if c.overlapped]
        if through:
            yield from charge_through_failed(battle, regiment, through[0].overlapped)
            return
        battle.emit("charge-blocked", "conquest.charge.blocked", regiment=regiment.id, target=target.id)
        battle.push(charge_failed, regiment_id, target_id, die)
        return
    pick = ties[0]
    if len(ties) > 1:
        options = [
            Option(
                str(k),
                Text("option.way", {"n": k + 1}),
                data={"x": c.end[0], "y": c.end[1], "facing": c.end[2], "side": c.side, "stands": c.stands},
                stands=stand_ends(regiment, c.end, regiment.files, regiment.stands),
            )
            for k, c in enumerate(ties)
        ]
        rule = "conquest.charge.move.free-wheel"

        def refuse(wish: str) -> list[Reason]:
            return [Reason(rule, facts={"ways": len(ties)})] if wish.isdecimal() else []

        answer = yield Choose(regiment.side, "ask.contact", options, rule, regiment.id, refuse)
        pick = ties[int(answer)]
    start = ranked.pose(regiment)
    passed = march.through_friends(state, regiment, start, pick.legs)
    ranked.put(regiment, pick.end)
    rules = ["conquest.charge.move.free-wheel" if pick.wheel else "conquest.charge.move"]
    if pick.target_end is not None:
        ranked.put(target, pick.target_end)
        rules.append("conquest.charge.align.target-turns")
    elif target.where == "garrison":
        rules.append("conquest.terrain.garrison.charge.align")
    else:
        rules += ["conquest.charge.align", "conquest.charge.facing"]
    if passed:
        rules.append("conquest.charge.move.through-friends")
    for name in pick.pushed:
        yield from push_aside(battle, regiment, pick, state.regiment(name))
    battle.emit(
        "charged",
        *rules,
        regiment=regiment.id,
        target=target.id,
        side=pick.side,
        stands=pick.stands,
        wheel=pick.wheel,
        x=regiment.x,
        y=regiment.y,
        facing=regiment.facing,
    )
    end_overlap(state)
    yield from hooks.moment(battle, "charge-moved", regiment, target=target.id, start=start, legs=pick.legs)
    if regiment.where == "table":
        battle.plan((impact, regiment_id, target_id), (charge_done, regiment_id, target_id))


def push_aside(battle: Battle[State], charger: Regiment, pick: contact.Contact, other: Regiment) -> Steps[None]:
    """An interfering enemy is moved the shortest way; of ways as short the charging player chooses."""
    rule = "conquest.charge.align.push-interferer"
    ends = interfering.ways_aside(battle.state, charger, pick, other)
    end = ends[0] if ends else ranked.pose(other)
    if len(ends) > 1:
        options = [
            Option(str(k), Text("option.way", {"n": k + 1}), (other.id,), data={"x": x, "y": y})
            for k, (x, y, _) in enumerate(ends)
        ]
        answer = yield Choose(charger.side, "ask.push-aside", options, rule, other.id)
        end = ends[int(answer)]
    ranked.put(other, end)
    battle.emit("pushed-aside", rule, regiment=other.id, by=charger.id)


def end_overlap(state: State) -> None:
    if state.activation is not None and state.activation.start is not None:
        activation.change(state, start=None)


def impact_groups(battle: Battle[State], regiment: Regiment, target: Regiment) -> list[attacks.Group]:
    """Impact attacks of every stand that has Impact, in contact or not (conquest.charge.impact.attacks)."""
    state = battle.state
    groups: list[attacks.Group] = []
    rule = hooks.find(state, regiment, "impact")
    if rule is not None and not hooks.granted(state, regiment, "no-impact", target=target):
        each = hooks.number(hooks.Query(state, regiment, "impact", rule.value, "impact", target))
        groups.append(attacks.Group(int(each) * len(regiment.ordinary())))
    if regiment.character:
        character = state.characters[regiment.character]
        his = hooks.find(state, character, "impact")
        if his is not None and not hooks.granted(state, regiment, "no-impact", target=target, character=character):
            each = hooks.number(hooks.Query(state, regiment, "impact", his.value, "impact", target, character))
            groups.append(attacks.Group(int(each), character))
    return groups


@step
@decides("conquest.charge.impact.timing", "conquest.charge.impact.resolution", "conquest.charge.impact.not-clash")
def impact(battle: Battle[State], regiment_id: str, target_id: str) -> Steps[None]:
    """Impact Attacks, at the end of a successful charge."""
    state = battle.state
    regiment, target = state.regiment(regiment_id), state.regiment(target_id)
    if regiment.where != "table" or not target.on_table:
        return
    groups = impact_groups(battle, regiment, target)
    if not any(group.dice for group in groups):
        stopped = hooks.granted(state, regiment, "no-impact", target=target)
        if stopped and hooks.has_rule(state, regiment, "impact"):
            battle.emit("no-impact", stopped, regiment=regiment.id, target=target.id)
        return
    battle.emit(
        "impact",
        "conquest.charge.impact.attacks",
        "conquest.rule.impact",
        regiment=regiment.id,
        target=target.id,
        attacks=sum(group.dice for group in groups),
    )
    before = pressing.fights(state, regiment.side)
    side = formation.facing_of(formation.side_hit(target, regiment))
    yield from attacks.attack(battle, regiment, target, groups, "impact", side)
    yield from pressing.press_the_attack(battle, regiment.side, before)


@step
def charge_done(battle: Battle[State], regiment_id: str, target_id: str) -> Steps[None]:
    """A completed Charge Inspires (conquest.charge.inspired)."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    if regiment.where != "table":
        return
    regiment.charged = state.round
    if state.applies("conquest.charge.inspired"):
        regiment.inspired = max(1, regiment.inspired)
        battle.emit("inspired", "conquest.charge.inspired", regiment=regiment.id)
    yield from hooks.moment(battle, "charged", regiment, target=target_id)


@step
def charge_failed(battle: Battle[State], regiment_id: str, target_id: str, die: int) -> Steps[None]:
    """The failed charger advances the die towards the target, and its activation ends (conquest.charge.failed.*)."""
    state = battle.state
    regiment, target = state.regiment(regiment_id), state.regiment(target_id)
    end = march.slide(state, regiment, target, die)
    friends = overlapping.overlapped(state, regiment, end)
    if friends:
        yield from charge_through_failed(battle, regiment, friends)
        return
    start = ranked.pose(regiment)
    ranked.put(regiment, end)
    activation.change(state, ended=state.applies("conquest.charge.failed.ends-activation"), start=None)
    battle.emit(
        "charge-failed",
        "conquest.charge.failed.move",
        "conquest.charge.failed.ends-activation",
        regiment=regiment.id,
        target=target.id,
        die=die,
        x=regiment.x,
        y=regiment.y,
    )
    legs = (Go(regiment.x - start[0], regiment.y - start[1]),)
    yield from hooks.moment(battle, "charge-failed", regiment, target=target_id, start=start, legs=legs)


def start_of(state: State) -> tuple[float, float, float] | None:
    return state.activation.start if state.activation is not None else None


def charge_through_failed(battle: Battle[State], regiment: Regiment, friends: tuple[str, ...]) -> Steps[None]:
    """No room beyond a friend: back to the last legal position, and both are Broken (conquest.charge.through.fail)."""
    state = battle.state
    back = start_of(state)
    if back is not None:
        ranked.put(regiment, back)
    activation.change(state, ended=True, start=None)
    battle.emit(
        "charge-through-failed",
        "conquest.charge.through.fail",
        "conquest.charge.failed.ends-activation",
        regiment=regiment.id,
        friends=list(friends),
    )
    breaks = state.applies("conquest.charge.through.fail")
    if breaks:
        yield from morale.break_regiment(battle, regiment, "conquest.charge.through.fail")
    if breaks and state.options.charge_through == "break-both":
        for name in friends:
            yield from morale.break_regiment(battle, state.regiment(name), "conquest.charge.through.fail")
    yield from hooks.moment(battle, "charge-failed", regiment, target="")
