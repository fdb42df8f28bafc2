"""Exact odds of what is about to be chosen: attacks, reactions, and the risks of a move."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.games.warcry.attack import Result, read_hits, toughness
from umpire.games.warcry.falling import DEEP, impact_points
from umpire.games.warcry.legs import Tracer, allowance
from umpire.games.warcry.sight import cover
from umpire.games.warcry.state import Fighter, State, value
from umpire.odds import D6, Dist, faces
from umpire.space.shapes import TOLERANCE


def damage_of(state: State, fighter: Fighter, weapon: int, target: Fighter, covered: str) -> Dist:
    """The damage of an attack action, by the very functions that read its dice in play."""
    strength = int(value(state, fighter, "strength", weapon))
    tough = int(toughness(state, target, covered))
    hit: dict[Result, int] = {
        "miss": 0,
        "hit": int(value(state, fighter, "damage", weapon)),
        "critical": int(value(state, fighter, "critical", weapon)),
    }
    one = faces(6, lambda face: read_hits([face], strength, tough)[0]).mix(hit)
    return one.times(int(value(state, fighter, "attacks", weapon)))


def odds(battle: Battle[State], decision: Decision, answer: Any) -> dict[str, Any] | None:
    """What an answer would probably bring."""
    state = battle.state
    if isinstance(answer, str) and answer.startswith("attack-") and decision.about:
        _, weapon, target = answer.split("-", 2)
        return attack_odds(state, state.fighter(decision.about), int(weapon), state.fighter(target))
    if decision.kind == "move" and decision.about and isinstance(answer, dict):
        return move_odds(state, state.fighter(decision.about), answer)
    return None


def attack_odds(state: State, fighter: Fighter, weapon: int, target: Fighter) -> dict[str, Any]:
    covered = cover(state, fighter, target)
    damage = damage_of(state, fighter, weapon, target, covered)
    left = target.profile.wounds - target.damage
    lines = [
        {"label": {"zh": "平均伤害", "en": "mean damage"}, "value": round(damage.mean, 3)},
        {"label": {"zh": "击倒", "en": "taken down"}, "value": round(damage.at_least(left), 4)},
        {"label": {"zh": "毫无效果", "en": "no damage"}, "value": round(1.0 - damage.at_least(1), 4)},
        {"label": {"zh": "韧性", "en": "Toughness"}, "value": str(int(toughness(state, target, covered)))},
    ]
    if covered:
        lines.append({"label": {"zh": "目标在掩护中", "en": "target in cover"}, "value": "+1"})
    return {
        "title": {"zh": "攻击", "en": "Attack"},
        "lines": lines,
        "dists": {"damage": [round(damage[n], 6) for n in range(damage.high + 1)]},
    }


def move_odds(state: State, fighter: Fighter, answer: dict[str, Any]) -> dict[str, Any] | None:
    """The impact damage that deep jumps of a path risk; nothing where there is no risk."""
    legs = answer.get("path")
    if not isinstance(legs, list):
        return None
    trace = Tracer(state, fighter, allowance(state, fighter)[0]).run(legs)
    if trace.reasons:
        return None
    rolls = sum(leg.how == "jump" and leg.drop > DEEP + TOLERANCE for leg in trace.legs)
    deadly = sum(leg.deadly for leg in trace.legs)
    if not rolls and not deadly:
        return None
    hurt = D6.map(impact_points).times(rolls)
    if deadly:
        hurt = hurt + D6.times(deadly)
    left = fighter.profile.wounds - fighter.damage
    return {
        "title": {"zh": "移动的风险", "en": "Risk of the move"},
        "lines": [
            {"label": {"zh": "平均伤害", "en": "mean damage"}, "value": round(hurt.mean, 3)},
            {"label": {"zh": "倒下", "en": "taken down"}, "value": round(hurt.at_least(left), 4)},
        ],
        "dists": {"damage": [round(hurt[n], 6) for n in range(hurt.high + 1)]},
    }
