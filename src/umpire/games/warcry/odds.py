"""Exact odds of what is about to be chosen: attacks, reactions, abilities that roll for damage, the risks of a move."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.games.warcry import abilities
from umpire.games.warcry.attack import Result, read_hits, toughness
from umpire.games.warcry.content import library
from umpire.games.warcry.dice import d3, passes
from umpire.games.warcry.falling import DEEP, impact_points
from umpire.games.warcry.legs import Tracer, allowance
from umpire.games.warcry.paths import expand
from umpire.games.warcry.primitives import Amount, DamageRolls, Riposte, Soften
from umpire.games.warcry.profiles import COST_DICE, Ability
from umpire.games.warcry.reactions import UNIVERSAL
from umpire.games.warcry.sight import cover
from umpire.games.warcry.state import Attack, Fighter, State, value
from umpire.odds import D6, Dist, faces
from umpire.space.shapes import TOLERANCE

MEAN = {"zh": "平均伤害", "en": "mean damage"}
DOWN = {"zh": "击倒", "en": "taken down"}


def damage_of(state: State, fighter: Fighter, weapon: int, target: Fighter, covered: str, soften: int = 7) -> Dist:
    """The damage of an attack action, by the very functions that read its dice in play."""
    strength = int(value(state, fighter, "strength", weapon))
    tough = int(toughness(state, target, covered))
    hit, critical = int(value(state, fighter, "damage", weapon)), int(value(state, fighter, "critical", weapon))
    saved = faces(6, lambda face: passes(face, soften)).mix({True: hit, False: critical})
    follow: dict[Result, Dist | int] = {"miss": 0, "hit": hit, "critical": saved}
    one = faces(6, lambda face: read_hits([face], strength, tough)[0]).mix(follow)
    return one.times(int(value(state, fighter, "attacks", weapon)))


def riposte_of(state: State, attack: Attack, riposte: Riposte) -> Dist:
    """The damage that an attacker takes from a counter."""
    fighter, target = state.fighter(attack.attacker), state.fighter(attack.target)
    strength = int(value(state, fighter, "strength", attack.weapon))
    tough = int(toughness(state, target, attack.cover))

    def back(face: int) -> int:
        if read_hits([face], strength, tough)[0] != "miss":
            return 0
        return riposte.one if face == 1 else riposte.miss

    return D6.map(back).times(int(value(state, fighter, "attacks", attack.weapon)))


def told(title: dict[str, str], damage: Dist, left: int, *more: dict[str, Any]) -> dict[str, Any]:
    """Odds of damage as a client shows them."""
    return {
        "title": title,
        "lines": [
            {"label": MEAN, "value": round(damage.mean, 3)},
            {"label": DOWN, "value": round(damage.at_least(left), 4)},
            {"label": {"zh": "毫无效果", "en": "no damage"}, "value": round(1.0 - damage.at_least(1), 4)},
            *more,
        ],
        "dists": {"damage": [round(damage[n], 6) for n in range(damage.high + 1)]},
    }


def left_of(fighter: Fighter) -> int:
    return fighter.profile.wounds - fighter.damage


def odds(battle: Battle[State], decision: Decision, answer: Any) -> dict[str, Any] | None:
    """What an answer would probably bring; None where nothing is left to chance, or nothing that can be told."""
    state = battle.state
    if decision.kind == "move" and decision.about and isinstance(answer, dict):
        return move_odds(state, state.fighter(decision.about), answer)
    if not isinstance(answer, str) or not decision.about:
        return None
    if answer.startswith("attack-"):
        _, weapon, target = answer.split("-", 2)
        return attack_odds(state, state.fighter(decision.about), int(weapon), state.fighter(target))
    if answer.startswith("ability-"):
        return ability_odds(state, state.fighter(decision.about), answer.removeprefix("ability-"))
    if decision.prompt.key == "ask.react" and state.attack is not None:
        return reaction_odds(state, state.attack, answer)
    return None


def attack_odds(state: State, fighter: Fighter, weapon: int, target: Fighter) -> dict[str, Any]:
    covered = cover(state, fighter, target)
    tough = str(int(toughness(state, target, covered)))
    more: list[dict[str, Any]] = [{"label": {"zh": "韧性", "en": "Toughness"}, "value": tough}]
    if covered:
        more.append({"label": {"zh": "目标在掩护中", "en": "target in cover"}, "value": "+1"})
    damage = damage_of(state, fighter, weapon, target, covered)
    return told({"zh": "攻击", "en": "Attack"}, damage, left_of(target), *more)


def reaction_odds(state: State, attack: Attack, answer: str) -> dict[str, Any] | None:
    """What a reaction does to the attacker, or leaves of the attack."""
    reaction = next((r for r in UNIVERSAL if r.id == answer), None) or library().reactions.get(answer)
    if reaction is None:
        return None
    fighter, target = state.fighter(attack.attacker), state.fighter(attack.target)
    for primitive in reaction.effect:
        if isinstance(primitive, Riposte):
            back = riposte_of(state, attack, primitive)
            return told({"zh": "对攻击者", "en": "To the attacker"}, back, left_of(fighter))
        if isinstance(primitive, Soften):
            damage = damage_of(state, fighter, attack.weapon, target, attack.cover, primitive.need)
            return told({"zh": "受到的攻击", "en": "The attack after it"}, damage, left_of(target))
    return None


def number_of(amount: Amount, score: int) -> Dist:
    """An amount of content as a distribution."""
    if isinstance(amount, int):
        return Dist.certain(amount)
    if amount in ("value", "half"):
        return Dist.certain(score if amount == "value" else (score + 1) // 2)
    count, _, sides = amount.partition("D")
    die = D6.map(d3) if sides == "3" else D6
    return die.times(int(count or 1))


def ability_odds(state: State, fighter: Fighter, key: str) -> dict[str, Any] | None:
    """The damage of an ability that rolls dice against each one it is done to, with the best dice that can pay."""
    ability = abilities.CORE.get(key) or library().abilities.get(key)
    if not isinstance(ability, Ability):
        return None
    paying = [score for score, n in state.players[fighter.side].sets if n >= COST_DICE[ability.cost]]
    rolls = [primitive for primitive in ability.effect if isinstance(primitive, DamageRolls)]
    if not rolls or not paying:
        return None
    score = max(paying)
    total = Dist.certain(0)
    for primitive in rolls:
        need = primitive.need
        each = faces(6, lambda face, need=need: passes(face, need)).mix(  # type: ignore[misc]
            {True: number_of(primitive.each, score), False: 0}
        )
        total = total + each.times(number_of(primitive.dice, score))
    more = {"label": {"zh": "技能值", "en": "value"}, "value": str(score)}
    return told(dict(ability.name), total, 10**6, more)


HOW = {
    "walk": {"zh": "步行", "en": "walk"},
    "jump": {"zh": "跳跃", "en": "jump"},
    "climb": {"zh": "攀爬", "en": "climb"},
    "fly": {"zh": "飞行", "en": "fly"},
}


def move_odds(state: State, fighter: Fighter, answer: dict[str, Any]) -> dict[str, Any] | None:
    """The way to a wish with its legs and cost; and the damage that a path risks by deep jumps and deadly walls."""
    tracer = Tracer(state, fighter, allowance(state, fighter)[0])
    legs = answer.get("path")
    found = legs is None and "to" in answer
    if found:
        legs = expand(tracer, answer["to"])
    if not isinstance(legs, list):
        return None
    trace = tracer.run(legs)
    if trace.reasons:
        return None
    rolls = sum(leg.how == "jump" and leg.drop > DEEP + TOLERANCE for leg in trace.legs)
    deadly = sum(leg.deadly for leg in trace.legs)
    if not rolls and not deadly and not found:
        return None
    title = {"zh": "移动的风险", "en": "Risk of the move"}
    hurt = D6.map(impact_points).times(rolls) + D6.times(deadly)
    odds: dict[str, Any] = {"title": title, "lines": [], "dists": {}}
    if rolls or deadly:
        odds = told(title, hurt, left_of(fighter))
    if found:
        lines = [{"label": HOW[leg.how], "value": f"{leg.cost:.2f}"} for leg in trace.legs]
        total = {"label": {"zh": "合计", "en": "total"}, "value": f"{trace.cost:.2f} / {tracer.limit:g}"}
        odds["title"] = {"zh": "路径", "en": "Way"}
        odds["lines"] = [*lines, total, *odds["lines"]]
        odds["path"] = legs
    return odds
