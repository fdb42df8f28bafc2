"""Exact odds of what is about to be chosen: attacks, reactions, abilities that roll dice, the risks of a move."""

from __future__ import annotations

from typing import Any, NamedTuple

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Decision, Json
from umpire.games.warcry import abilities, reactions, works
from umpire.games.warcry.attack import Result, read_hits, riposte_points, to_reroll, toughness
from umpire.games.warcry.dice import d3, passes
from umpire.games.warcry.falling import falls
from umpire.games.warcry.primitives import Amount, Bind, Damage, DamageRolls, Taunt
from umpire.games.warcry.risks import harm, left_of, warded
from umpire.games.warcry.rounds import read_dice
from umpire.games.warcry.state import Attack, State, value
from umpire.odds import D6, Dist, faces, opposed, throws
from umpire.odds.ahead import to_dice, wanted
from umpire.odds.telling import Odds, chance, fact, number, told

# -- attacks -----------------------------------------------------------------------------------------------------


class Blow(NamedTuple):
    """The damage of an attack action to its target, and what a counter does to the attacker; before wards."""

    damage: Dist
    back: Dist


def blow(state: State, attack: Attack) -> Blow:
    """An attack action by the very functions that read its dice in play; hit rolls that may be re-rolled are."""
    fighter, target = state.fighter(attack.attacker), state.fighter(attack.target)
    strength = int(value(state, fighter, "strength", attack.weapon))
    tough = int(toughness(state, target, attack.cover))
    hit = int(value(state, fighter, "damage", attack.weapon))
    critical = Dist.certain(int(value(state, fighter, "critical", attack.weapon)))
    if attack.soften:
        critical = faces(6, lambda face: passes(face, attack.soften)).mix({True: hit, False: critical})
    follow: dict[Result, Dist | int] = {"miss": 0, "hit": hit, "critical": critical}

    def read(face: int) -> Result:
        return read_hits([face], strength, tough)[0]

    def back(face: int) -> int:
        return riposte_points(face, read(face), attack.riposte)

    one = Blow(faces(6, read).mix(follow), D6.map(back))
    count = int(value(state, fighter, "attacks", attack.weapon))
    again = effects.on(state, fighter.id, "reroll")
    if not again:
        return Blow(one.damage.times(count), one.back.times(count))
    damage, hurt = [], []
    for thrown, p in throws(count).items():
        new = to_reroll(thrown, read_hits(thrown, strength, tough), again[0])
        kept = [face for n, face in enumerate(thrown) if n not in new]
        done = one.damage.times(len(new))
        for face in kept:
            done = done + follow[read(face)]
        damage.append((p, done))
        hurt.append((p, one.back.times(len(new)) + sum(map(back, kept))))
    return Blow(Dist.mixture(damage), Dist.mixture(hurt))


def attack_odds(state: State, attack: Attack) -> Odds:
    fighter, target = state.fighter(attack.attacker), state.fighter(attack.target)
    struck = blow(state, attack)
    damage = warded(state, target, struck.damage)
    strength, tough = int(value(state, fighter, "strength", attack.weapon)), int(toughness(state, target, attack.cover))
    each = faces(6, lambda face: read_hits([face], strength, tough)[0])
    lines = [
        *harm(target, damage),
        chance("odds.warcry.each-die-hits", each["hit"] + each["critical"]),
        chance("odds.warcry.each-die-is-a-critical", each["critical"]),
        fact("odds.warcry.toughness", str(tough)),
    ]
    if attack.cover:
        lines.append(fact("odds.warcry.target-in-cover", "+1"))
    if attack.edge or attack.steps:
        stands = damage.at_most(left_of(target) - 1)
        lines.append(chance("odds.warcry.falls", stands * faces(6, falls)[True]))
    if attack.riposte == (0, 0):
        return told("odds.warcry.attack", *lines, damage=damage)
    back = warded(state, fighter, struck.back)
    lines.append(number("odds.warcry.mean-damage-to-the-attacker", back.mean))
    lines.append(chance("odds.warcry.attacker-taken-down", back.at_least(left_of(fighter))))
    return told("odds.warcry.attack", *lines, damage=damage, back=back)


# -- abilities ---------------------------------------------------------------------------------------------------


def number_of(amount: Amount, score: int) -> Dist:
    """An amount of content as a distribution."""
    if isinstance(amount, int):
        return Dist.certain(amount)
    if amount in ("value", "half"):
        return Dist.certain(score if amount == "value" else (score + 1) // 2)
    count, _, sides = amount.partition("D")
    die = D6.map(d3) if sides == "3" else D6
    return die.times(int(count or 1))


def ability_odds(ahead: Battle[State]) -> Odds | None:
    """The dice of the ability or reaction that was used last: for each one that it is done to."""
    used = next((event for event in reversed(ahead.events) if event.kind in ("ability", "reacted")), None)
    if used is None:
        return None
    name = used.facts["ability" if used.kind == "ability" else "reaction"]
    state = ahead.state
    spec = abilities.find(state, name) if used.kind == "ability" else reactions.find(state, name)
    score = used.facts.get("value", 0)
    more = [fact("odds.warcry.value", str(score))] if score else []
    for primitive in spec.effect:
        if not isinstance(primitive, (Damage, DamageRolls, Bind, Taunt)):
            continue
        title = spec.name
        if isinstance(primitive, Damage):
            damage = number_of(primitive.by, score)
        else:
            passed = faces(6, lambda face, need=primitive.need: passes(face, need))  # type: ignore[misc]
            if isinstance(primitive, Taunt):
                held = passed.count(score)
                return told(title, chance("odds.warcry.taunted", held.at_least(1)), *more)
            if isinstance(primitive, Bind):
                lost = passed.count(score)
                return told(title, number("odds.warcry.mean-move-lost", lost.mean), *more, lost=lost)
            damage = passed.mix({True: number_of(primitive.each, score), False: 0}).times(
                number_of(primitive.dice, score)
            )
        fighter = state.fighter(used.facts["fighter"])
        foe = state.active.fighter if state.active else ""
        hurt = works.candidates(state, fighter, primitive.who, score, foe)
        picked = [other for other in hurt if any(given.answer == other.id for given in ahead.answers[-2:])]
        one = (picked or hurt)[0] if len(picked or hurt) == 1 else None
        if one is None:
            return told(title, number("odds.warcry.mean-damage-to-each", damage.mean), *more, damage=damage)
        left = warded(state, one, damage)
        return told(title, *harm(one, left), *more, damage=left)
    return None


def initiative_odds(ahead: Battle[State]) -> Odds:
    """The initiative roll that follows: more singles win, equal ones are rolled off."""
    _, count = wanted(ahead)
    singles = throws(count).dist(lambda thrown: len(read_dice(thrown)[0]))
    lead = opposed(singles, singles, lambda mine, theirs: (mine > theirs) - (mine < theirs))
    return told(
        "odds.warcry.initiative",
        chance("odds.warcry.you-have-the-initiative", lead[1] + lead[0] / 2),
        singles=singles,
    )


# -- what is told ------------------------------------------------------------------------------------------------


def reply(ask: Decision) -> Json:
    """On the way to the dice nobody reacts, the best dice pay, the first of several targets or places is taken."""
    if ask.prompt.key == "ask.set-up":
        return ask.suggest()
    if not isinstance(ask, Choose):
        return None
    match ask.prompt.key:
        case "ask.react" | "ask.react-disengage" | "ask.react-approach":
            return "pass"
        case "ask.pay":
            return max(ask.options)
        case "ask.pick":
            return next(iter(ask.options))
    return None


def odds(battle: Battle[State], decision: Decision, answer: Any) -> Odds | None:
    """What an answer would probably bring; None where nothing is left to chance, or nothing that can be told."""
    if not isinstance(decision, Choose) or not decision.check(answer):
        return None
    ahead = to_dice(battle, answer, decision.side, reply)
    if ahead is None:
        return None
    match wanted(ahead)[0]:
        case "hit":
            assert ahead.state.attack is not None
            return attack_odds(ahead.state, ahead.state.attack)
        case "ability" | "amount" | "damage" | "taunt" | "bind":
            return ability_odds(ahead)
        case "initiative":
            return initiative_odds(ahead)
    return None
