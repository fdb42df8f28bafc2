"""Chapter 4: Withdraw (conquest.withdraw.*)."""

from __future__ import annotations

import math
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Move, pick
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.space.angles import normal
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Pose, pose_about
from umpire.space.shapes import TOLERANCE

from . import drill, formation, hooks, manoeuvres, march, morale, ranked, table, ways_out, wounds
from .mover import Marcher
from .state import Regiment, State

AWAY = {"front": 180.0, "left": 90.0, "right": 270.0, "rear": 0.0}
"""How far a regiment turns to have its back to an enemy on that side."""


def why_not_withdraw(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    """Only Light and Medium regiments, by their own Class."""
    reasons: list[Reason] = []
    if regiment.profile.klass == "heavy":
        reasons.append(Reason("conquest.withdraw.eligibility", facts={"class": regiment.profile.klass}))
    if regiment.where == "garrison":
        reasons.append(Reason("conquest.terrain.garrison.withdraw", facts={"terrain": regiment.garrison}))
    return reasons


@hooks.action("withdraw", "in", ("conquest.withdraw.eligibility", "conquest.action.list.in-combat"), why_not_withdraw)
@step
def withdraw(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """A die against Resolve, wounds, then it turns its back and marches."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    foes = formation.enemies_in_contact(state, regiment)
    clean = morale.resolve_roll(battle, regiment, "withdraw", "conquest.withdraw.test")
    rule = "conquest.withdraw.clean" if clean else "conquest.withdraw.fighting"
    die = battle.roll(1, "withdraw-wounds", rule, side=regiment.side, who=regiment.id).faces[0]
    count = die if clean else die * len(formation.stands_in_contact(state, regiment))
    battle.emit(
        "withdraws", "conquest.withdraw.eligibility", "conquest.withdraw.counts-once", rule,
        regiment=regiment.id, clean=clean, wounds=count,
    )  # fmt: skip
    taken = yield from wounds.suffer(battle, regiment, count, foes[0].id, rule)
    if not clean or state.options.clean_withdrawal_morale == "test":
        yield from morale.check(battle, regiment, taken, foes[0], "withdraw")
    if regiment.where == "table":
        battle.push(withdraw_march, regiment_id, [foe.id for foe in foes])


@step
def withdraw_march(battle: Battle[State], regiment_id: str, foes: list[str]) -> Steps[None]:
    """It turns away from one enemy as a rigid block about its centre, and marches out of contact."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    touching = [r for r in formation.enemies_in_contact(state, regiment) if r.id in foes] or [
        state.regiment(key) for key in foes if state.regiment(key).on_table
    ]
    if not touching:
        return
    keys = [r.id for r in touching]
    choice = yield from pick(regiment.side, "ask.away-from", keys, "conquest.withdraw.clean", regiment.id)
    enemy = state.regiment(choice)
    facing = normal(regiment.facing + AWAY[formation.side_hit(regiment, enemy)])
    turned = pose_about(ranked.depth(regiment), *ranked.centre(regiment), facing)
    limit, _ = march.march_value(battle, regiment)
    default = battle.know(lambda: first_way_out(state, regiment, turned, limit))
    rules = ("conquest.withdraw.move", "conquest.withdraw.keep-formation")
    if default is None and battle.know(lambda: no_room(state, regiment, turned, limit)):
        battle.emit("withdrawal-failed", "conquest.withdraw.fails", regiment=regiment.id)
        return

    # By one wheel at most there may be no way: then whoever knows of another goes it, and whoever stays has failed.
    own = default is None

    def against(path: list[drill.Manoeuvre]) -> list[Reason]:
        return [] if own and not path else way_reasons(state, regiment, turned, path, limit)

    def propose(rng: Rng) -> Any:
        inches = math.floor(rng.uniform(1.0, max(1.0, limit)) * 100) / 100
        return {"path": [drill.forward(inches)]}

    mover = Marcher(regiment, turned, limit, against, propose)
    prompt = "ask.withdraw-if" if own else "ask.withdraw"
    answer = yield Move(regiment.side, prompt, mover, None, rules, regiment.id, {"path": default or []})
    path = mover.plan(answer).path
    if own and not path:
        battle.emit("withdrawal-failed", "conquest.withdraw.fails", regiment=regiment.id)
        return
    _, end = drill.legs_of(turned, ranked.width(regiment), path)
    ranked.put(regiment, end)
    battle.emit(
        "withdrawn", *rules, manoeuvres.rule_of_path(path),
        regiment=regiment.id, away=enemy.id, path=list(path), x=regiment.x, y=regiment.y, facing=regiment.facing,
    )  # fmt: skip
    legs, _ = drill.legs_of(turned, ranked.width(regiment), path)
    yield from hooks.moment(battle, "marched", regiment, start=turned, legs=tuple(legs))


def way_reasons(
    state: State, regiment: Regiment, turned: Pose, path: list[drill.Manoeuvre], limit: float
) -> list[Reason]:
    """Why a withdrawing march is illegal: it may cross no enemy and must end 1" from all of them."""
    reasons = manoeuvres.distance_reasons(path, ranked.width(regiment), limit)
    run = march.trace(state, regiment, turned, path, inch=False)
    reasons += run.reasons
    if run.overlaps:
        reasons.append(Reason("conquest.regiment.legal-position.overlap", facts={"regiments": list(run.overlaps)}))
    return reasons + end_reasons(state, regiment, run.end)


def end_reasons(state: State, regiment: Regiment, end: Pose) -> list[Reason]:
    """Of what a withdrawing march would end within 1"."""
    own, around = ranked.blocks(regiment, end), ranked.disc(regiment, end)
    reasons: list[Reason] = []
    for other in state.on_table(1 - regiment.side):
        if fronts.discs_apart(around, formation.circle(state, other), 1.0):
            continue
        far = fronts.gap(own, formation.body(state, other))
        if far < 1.0 - TOLERANCE:
            facts: dict[str, object] = {"enemy": other.id, "distance": round(max(0.0, far), 3)}
            reasons.append(Reason("conquest.withdraw.move", facts=facts))
    for piece in state.terrain:
        if piece.solid and not fronts.discs_apart(around, piece.circle, 1.0):
            far = fronts.gap(own, (piece.thing,))
            if far < 1.0 - TOLERANCE:
                facts = {"terrain": piece.id, "distance": round(max(0.0, far), 3)}
                reasons.append(Reason("conquest.withdraw.move", facts=facts))
    return reasons


def kept_off(state: State, regiment: Regiment) -> list[ways_out.Off]:
    """Where a withdrawing march may not end: within 1" of enemies and what cannot be passed, and in friends."""
    enemies = [thing for other in state.on_table(1 - regiment.side) for thing in formation.body(state, other)]
    solid = [piece.thing for piece in state.terrain if piece.solid]
    friends = [
        block
        for other in state.on_table(regiment.side)
        if other is not regiment and other.where == "table"
        for block in ranked.blocks(other)
    ]
    keep = [1.0] * (len(enemies) + len(solid)) + [0.0] * len(friends)
    return ways_out.keep_off([*enemies, *solid, *friends], keep)


def no_room(state: State, regiment: Regiment, turned: Pose, limit: float) -> bool:
    """Is there certainly no way at all, however it wheels?"""
    board = (state.scenario.width, state.scenario.depth)
    full = len(regiment.stands) // regiment.files * regiment.profile.depth
    return ways_out.no_room(ranked.shape(regiment), turned, limit, kept_off(state, regiment), board, full)


def first_way_out(state: State, regiment: Regiment, turned: Pose, limit: float) -> list[drill.Manoeuvre] | None:
    """A legal withdrawing march, if there is one: straight on, then sideways or backwards, then with a wheel."""
    found = table.obstacles(state, regiment, turned, limit, through_friends=True)
    ends = kept_off(state, regiment)
    stops = [*ways_out.keep_off(found.things, found.gaps), *table.edges(state)]

    def fits(way: list[drill.Manoeuvre]) -> bool:
        return not way_reasons(state, regiment, turned, way, limit)

    return ways_out.ways(ranked.shape(regiment), turned, limit, ends, stops, fits)
