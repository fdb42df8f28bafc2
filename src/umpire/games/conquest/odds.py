"""Exact odds of charges, volleys, clashes and Resolve rolls, read by the very functions that play uses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.odds import D6, Dist, faces
from umpire.space.shapes import TOLERANCE

from . import attacks, charge, clash, dice, formation, hooks, morale, volley
from .attacks import Group
from .hooks import Reroll
from .state import Regiment, State

Odds = dict[str, Any]


def line(zh: str, en: str, value: float | str) -> dict[str, Any]:
    return {"label": {"zh": zh, "en": en}, "value": round(value, 4) if isinstance(value, float) else value}


def chances(dist: Dist) -> list[float]:
    """The chances of 0, 1, 2 and so on."""
    return [float(p) for p in dist.over(0, dist.high)]


def rerolled(found: Sequence[Reroll], partial: str, good: Callable[[int], bool]) -> Callable[[int], bool] | None:
    """Which natural faces are re-rolled, opposed re-rolls having cancelled; what may be re-rolled is."""
    left, _ = dice.standing(found, partial)
    if not left:
        return None
    return lambda face: any(dice.chosen(face, good(face), reroll.which) for reroll in left)


def pool_dist(
    battle: Battle[State], attacker: Regiment, target: Regiment, groups: list[Group], context: str, side: str
) -> Dist:
    """The wounds in the pool of a batch of attacks."""
    partial = battle.state.options.partial_rerolls
    total = Dist.certain(0)
    spare = 0
    for group in groups:
        if group.dice <= 0:
            continue
        hit = attacks.hitting(battle, attacker, target, group, context, side)
        wounds = []
        for zero in ("", "bypass"):
            at = attacks.defending(battle, target, attacker, group, context, side, zero)

            def saved(face: int, at: attacks.Defending = at) -> bool:
                return dice.saves(face, at.defense, at.evasion)

            def price(face: int, at: attacks.Defending = at) -> int:
                if dice.saves(face, at.defense, at.evasion):
                    return 0
                return 1 + hooks.extra(at.query, "wounds", [face])[0]

            again = rerolled(at.rerolls, partial, saved)
            wounds.append(_number(faces(6, price, reroll=again) if again else faces(6, price)))
            spare = max(spare, hooks.extra(at.query, "spared", [6])[0])

        def hits(face: int, hit: attacks.Hitting = hit) -> tuple[int, int]:
            plain, bypass, _, _ = attacks.read_hits(hit, [face])
            return plain, bypass

        def struck(face: int, hit: attacks.Hitting = hit) -> bool:
            return dice.succeeds(face, hit.value)

        again = rerolled(hit.rerolls, partial, struck)
        landed = faces(6, hits, reroll=again) if again else faces(6, hits)
        one = landed.mix(
            {key: wounds[0].times(key[0]) + wounds[1].times(key[1]) for key in {hits(face) for face in range(1, 7)}}
        )
        total = total + one.times(group.dice)
    return total.map(lambda n: max(0, n - spare)) if spare else total


def _number(outcomes: Any) -> Dist:
    """Outcomes that are numbers, as a distribution."""
    return outcomes.dist(lambda value: value)  # type: ignore[no-any-return]


def suffered(battle: Battle[State], target: Regiment, pool: Dist, foe: Regiment, side: str, tested: bool) -> Dist:
    """Wounds with those of failed morale dice, as far as the regiment has any left to take."""
    left = sum(target.profile.wounds - stand.wounds for stand in target.ordinary())
    pool = pool.min(left)
    if not tested:
        return pool
    needed = morale.resolve(battle, target, "morale", foe).value
    found = [Reroll("successes", "conquest.clash.flank-rear")]
    if side == "front" or hooks.granted(battle.state, target, "no-flank-morale"):
        found = []

    def passed(face: int) -> bool:
        return dice.succeeds(face, needed)

    again = rerolled(found, battle.state.options.partial_rerolls, passed)
    test = faces(6, passed, reroll=again) if again else faces(6, passed)
    return (test.mix({True: 0, False: 1}) + 1).times(pool).min(left)


def blows(
    battle: Battle[State],
    attacker: Regiment,
    target: Regiment,
    groups: list[Group],
    context: str,
    side: str,
    tested: bool,
) -> Odds:
    """What a batch of attacks would bring."""
    pool = pool_dist(battle, attacker, target, groups, context, side)
    lost = suffered(battle, target, pool, attacker, side, tested)
    full = target.profile.wounds
    hurt = sum(stand.wounds for stand in target.ordinary())
    stands = lost.map(lambda n: (n + hurt) // full)
    count = len(target.ordinary())
    return {
        "title": {"zh": "预期", "en": "Odds"},
        "lines": [
            line("骰数", "dice", float(sum(group.dice for group in groups))),
            line("防御失败造成的伤害", "wounds from failed defence", pool.mean),
            line("连同士气的伤害", "wounds with morale", lost.mean),
            line("失去的单位", "stands lost", stands.mean),
            line("消灭机会", "chance to destroy", float(stands.at_least(count))),
        ],
        "dists": {"wounds": chances(lost), "stands": chances(stands)},
    }


def charge_odds(battle: Battle[State], regiment: Regiment, target: Regiment) -> Odds:
    """The chance that a charge reaches its target, and its Impact."""
    state = battle.state
    limit, _ = charge.charge_march(battle, regiment)
    far = formation.distance(state, regiment, target)

    def reaches(die: int) -> bool:
        return die + limit + TOLERANCE >= far

    if hooks.granted(state, regiment, "plain-charge"):
        chance = float(reaches(3))
    elif hooks.granted(state, regiment, "reroll-charge"):
        chance = faces(6, reaches, reroll=lambda die: not reaches(die))[True]
    else:
        chance = faces(6, reaches)[True]
    lines = [
        line("距离", "distance", far),
        line("需要的骰点", "die needed", float(max(1, math.ceil(far - limit - TOLERANCE)))),
        line("成功机会", "chance of success", float(chance)),
    ]
    dists: dict[str, list[float]] = {"charge": chances(D6 + int(limit))}
    groups = charge.impact_groups(battle, regiment, target)
    if any(group.dice for group in groups):
        side = (
            formation.facing_of(formation.arc_of(target, regiment.x, regiment.y))
            if target.where == "table"
            else "front"
        )
        hit = blows(battle, regiment, target, groups, "impact", side, True)
        lines += hit["lines"][1:]
        dists["wounds"] = hit["dists"]["wounds"]
    return {"title": {"zh": "冲锋", "en": "Charge"}, "lines": lines, "dists": dists}


def volley_odds(battle: Battle[State], regiment: Regiment, target: Regiment) -> Odds:
    state = battle.state
    found = volley.barrages(state, regiment)
    groups = volley.shots(battle, regiment, target, found[0] if found else None, {})
    side = (
        formation.facing_of(formation.arc_of(target, *formation.centre(regiment)))
        if target.where == "table"
        else "front"
    )
    tested = bool(hooks.granted(state, regiment, "volley-morale", target=target))
    return {**blows(battle, regiment, target, groups, "volley", side, tested), "title": {"zh": "齐射", "en": "Volley"}}


def clash_odds(battle: Battle[State], regiment: Regiment) -> Odds | None:
    """A Clash with one enemy; with several the targets are not chosen yet."""
    state = battle.state
    enemies = formation.enemies_in_contact(state, regiment)
    if len(enemies) != 1:
        return None
    target = enemies[0]
    stands = [(s, bool(clash.engaged_with(state, regiment, s, enemies))) for s in regiment.stands]
    groups, _, _ = clash.attack_groups(battle, regiment, target, stands)
    side = formation.facing_of(formation.side_hit(target, regiment))
    return {**blows(battle, regiment, target, groups, "clash", side, True), "title": {"zh": "交战", "en": "Clash"}}


def resolve_odds(battle: Battle[State], regiment: Regiment, context: str) -> Odds:
    """A Resolve roll: Combat Reform, Withdraw."""
    needed = morale.resolve(battle, regiment, context).value
    chance = faces(6, lambda face: dice.succeeds(face, needed))[True]
    touching = len(formation.stands_in_contact(battle.state, regiment))
    lines = [line("决心", "Resolve", float(needed)), line("利落的机会", "chance to do it cleanly", float(chance))]
    dists: dict[str, list[float]] = {}
    if context == "withdraw":
        wounds = faces(6, lambda face: dice.succeeds(face, needed)).mix({True: D6, False: D6 * touching})
        lines.append(line("预期伤害", "expected wounds", wounds.mean))
        dists["wounds"] = chances(wounds)
    else:
        lines.append(line("混战时的伤害", "wounds if fighting", float(touching)))
    return {"title": {"zh": "决心判定", "en": "Resolve roll"}, "lines": lines, "dists": dists}


def odds(battle: Battle[State], decision: Decision, answer: Any) -> Odds | None:
    """What an answer would probably bring."""
    state = battle.state
    regiment = state.regiments.get(decision.about)
    if regiment is None or not isinstance(answer, str) or not decision.check(answer):
        return None
    match decision.prompt.key:
        case "ask.charge":
            return charge_odds(battle, regiment, state.regiment(answer))
        case "ask.volley":
            return volley_odds(battle, regiment, state.regiment(answer))
        case "ask.action" if answer == "clash":
            return clash_odds(battle, regiment)
        case "ask.action" if answer in ("combat-reform", "withdraw"):
            return resolve_odds(battle, regiment, answer)
    return None
