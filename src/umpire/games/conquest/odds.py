"""Exact odds of charges, volleys, fights, spells and Resolve rolls, read by the very functions that play uses."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from umpire.engine.decisions import Choose, Decision, Json, Order, Split
from umpire.odds import D6, Dist, Outcomes, faces
from umpire.odds.ahead import every_fact, go_on, to_dice, wanted
from umpire.odds.telling import Odds, chance, number, told

from . import charge, formation, hooks, magic, ranked, volley
from .attacks import Group
from .fortunes import Course, Harm, Suffered, TooMany, fate, suffered
from .odds_blows import Blows, ConquestBattle, Struck, struck, struck_by_hits, wounds_of
from .odds_fights import clash_odds, duel_odds, harm_lines
from .profiles import Rule, Spell
from .state import Character, Regiment

MOST_THROWN = 4
"""So many dice of one roll are thrown in every way; more would take longer than anybody waits."""

FARTHEST = 6
"""The die that brings any charge to its target."""


# -- what a batch of attacks comes to ----------------------------------------------------------------------------


def suffered_by(at: Blows, pools: Struck, tested: bool, answered: bool = True) -> Suffered:
    """What a pool of wounds comes to for its target."""
    assert at.attacker is not None
    course = Course(at.battle)
    harm = Harm(at.attacker.id, at.target.id, at.context, at.side, tested, answered)
    fortunes = course.suffer(course.start, harm, pools)
    return suffered(Outcomes.merge((fate(at.battle.state, after, at.target.id), p) for after, p in fortunes.items()))


# -- actions -----------------------------------------------------------------------------------------------------


def charge_odds(battle: ConquestBattle, decision: Decision, target: Regiment) -> Odds:
    """The chance that a charge reaches its target, and its Impact where it does."""
    state = battle.state
    regiment = state.regiment(decision.about)
    limit, _ = charge.charge_march(battle, regiment)
    far = formation.distance(state, regiment, target)

    def reaches(die: int) -> bool:
        return charge.reaches(die, limit, far)

    if hooks.granted(state, regiment, "plain-charge"):
        rolled = Dist.certain(charge.PLAIN)
    elif hooks.granted(state, regiment, "reroll-charge"):
        rolled = D6.reroll(lambda die: not reaches(die))
    else:
        rolled = D6
    lines = [
        number("odds.conquest.distance", far),
        number("odds.conquest.die-needed", charge.die_needed(limit, far)),
        chance("odds.conquest.chance-of-success", faces(rolled, reaches)[True]),
    ]
    struck = impact(battle, decision, target)
    if struck is None:
        return told("odds.conquest.charge", *lines, charge=rolled + int(limit))
    pool, after = struck
    lines += [number("odds.conquest.wounds-from-impact", pool.mean), *harm_lines(after, target.broken)]
    return told("odds.conquest.charge", *lines, charge=rolled + int(limit), wounds=after.wounds)


def impact(battle: ConquestBattle, decision: Decision, target: Regiment) -> tuple[Dist, Suffered] | None:
    """Impact Attacks, once the charger stands where a charge that arrives brings it; None if it makes none."""
    ahead = to_dice(battle, target.id, decision.side, reply)
    if ahead is not None and wanted(ahead)[0] == "charge":
        ahead.answer([FARTHEST])
        ahead = go_on(ahead, reply)
    if ahead is None or wanted(ahead)[0] != "hit" or ahead.events[-1].kind != "impact":
        return None
    charger, charged = ahead.state.regiment(decision.about), ahead.state.regiment(target.id)
    side = formation.facing_of(formation.side_hit(charged, charger))
    at = Blows(ahead, charger, charged, "impact", side)
    pools = struck(at, charge.impact_groups(ahead, charger, charged))
    return wounds_of(pools), suffered_by(at, pools, True)


def volley_odds(ahead: ConquestBattle, regiment: Regiment, target: Regiment, rule: Rule | None, his: int) -> Odds:
    """A Volley with one Barrage of the regiment and one of its Character's."""
    state = ahead.state
    groups = volley.shots(ahead, regiment, target, rule, {}, his)
    side = "front"
    if target.where == "table":
        side = formation.facing_of(formation.arc_of(target, *ranked.centre(regiment)))
    tested = bool(hooks.granted(state, regiment, "volley-morale", target=target))
    at = Blows(ahead, regiment, target, "volley", side)
    pools = struck(at, groups)
    after = suffered_by(at, pools, tested)
    lines = [
        number("odds.conquest.dice", sum(group.dice for group in groups)),
        number("odds.conquest.wounds-from-failed-defence", wounds_of(pools).mean),
        *harm_lines(after, target.broken),
    ]
    return told("odds.conquest.volley", *lines, wounds=after.wounds, stands=after.stands)


def resolve_odds(ahead: ConquestBattle, regiment: Regiment) -> Odds:
    """A Resolve roll: Combat Reform, Withdraw, and whether the regiment obeys at all (Bloodlust, Fearsome)."""
    context, _ = wanted(ahead)
    roll = every_fact(ahead, "resolve-roll", "passed").map(bool)
    state = ahead.state
    if context in ("bloodlust", "fearsome"):
        return told("odds.conquest.resolve-roll", chance("odds.conquest.it-obeys", roll[True]))
    lines = [chance("odds.conquest.chance-to-do-it-cleanly", roll[True])]
    touching = len(formation.stands_in_contact(state, regiment))
    foes = formation.enemies_in_contact(state, regiment)
    at = Blows(ahead, foes[0], regiment, context, "front")

    def hurt_by(pool: Dist, tested: bool) -> Suffered:
        unsaved = Outcomes({(wounds, 0): p for wounds, p in pool.items()})
        return suffered_by(at, unsaved, tested, answered=False)

    fighting = hurt_by(D6 * touching if context == "withdraw" else Dist.certain(touching), True)
    if context == "withdraw":
        clean = hurt_by(D6, state.options.clean_withdrawal_morale == "test")
    else:
        clean = hurt_by(Dist.certain(0), False)
    both = ((roll[True], clean), (roll[False], fighting))
    hurt = Dist.mixture((p, after.wounds) for p, after in both if p)
    lines.append(number("odds.conquest.expected-wounds", hurt.mean))
    lines.append(chance("odds.conquest.chance-to-be-destroyed", sum(p * after.gone for p, after in both)))
    return told("odds.conquest.resolve-roll", *lines, wounds=hurt)


def spell_odds(
    ahead: ConquestBattle, regiment: Regiment, character: Character | None, found: Spell, target: Regiment
) -> Odds:
    """A casting roll, and what the hits of the spell do."""
    state = ahead.state
    at = magic.casting(state, regiment, character, found, target)
    one = faces(6, lambda face: magic.successes_of(state, at._replace(kind=""), target, [face])[0])
    best, worst = 1, 6

    def successes(landed: int) -> int:
        return magic.successes_of(state, at, target, [best] * landed + [worst] * (at.dice - landed))[0]

    landed = one.dist(lambda count: count).times(at.dice)
    cast = landed.map(successes).at_least(at.needed)
    lines = [chance("odds.conquest.cast", cast), number("odds.conquest.successes-needed", at.needed)]
    if not found.hits:
        return told("odds.conquest.spell", *lines)
    hits, side, _ = magic.spell_hits(state, regiment, character, found, target)
    group = Group(hits, barrage=Rule("barrage", shots=found.shots)) if found.shots else None
    blows = Blows(ahead, regiment, target, "spell", side)
    pools = struck_by_hits(blows, hits, group)
    done = Outcomes({True: cast, False: 1 - cast}).then(lambda cast: pools if cast else Outcomes({(0, 0): 1.0}))
    after = suffered_by(blows, done, True)
    return told("odds.conquest.spell", *lines, *harm_lines(after, target.broken), wounds=after.wounds)


def reinforcement_odds(ahead: ConquestBattle) -> Odds | None:
    """The reinforcement roll of the first class whose regiments wait."""
    if wanted(ahead)[1] > MOST_THROWN:
        return None
    count = every_fact(ahead, "reinforcement", "successes").dist(int)
    mean = number("odds.conquest.mean-regiments-to-arrive", count.mean)
    return told("odds.conquest.reinforcements", mean, arrivals=count)


# -- what is told ------------------------------------------------------------------------------------------------


def reply(ask: Decision) -> Json:
    """On the way to the dice the first of several targets or weapons is taken, nothing rare is spent, and a Duel is
    accepted."""
    if ask.kind == "confirm":
        return False
    if ask.prompt.key not in ON_THE_WAY:
        return None
    if isinstance(ask, Order):
        return list(ask.options)
    return next(iter(ask.options)) if isinstance(ask, Choose) else ask.suggest()


ON_THE_WAY = (
    "ask.barrage", "ask.volley", "ask.spell-target", "ask.contact", "ask.clash-target", "ask.support",
    "ask.clash-order", "ask.duel", "ask.duel-answer",
)  # fmt: skip


def odds(battle: ConquestBattle, decision: Decision, answer: Any) -> Odds | None:
    """What an answer would probably bring; None where nothing is left to chance."""
    state = battle.state
    if not isinstance(decision, Choose | Split | Order) or not decision.check(answer):
        return None
    if decision.prompt.key == "ask.charge":
        return charge_odds(battle, decision, state.regiment(answer))
    ahead = to_dice(battle, answer, decision.side, reply)
    if ahead is None:
        return None
    with suppress(TooMany):
        match wanted(ahead)[0]:
            case "hit":
                return hit_odds(ahead, decision.side)
            case "withdraw" | "combat-reform" | "bloodlust" | "fearsome" if decision.about in state.regiments:
                return resolve_odds(ahead, ahead.state.regiment(decision.about))
            case "cast" if decision.prompt.key in ("ask.spell", "ask.spell-target"):
                return cast_odds(ahead, decision, answer)
            case "reinforcement":
                return reinforcement_odds(ahead)
    return None


def hit_odds(ahead: ConquestBattle, asked: int) -> Odds | None:
    """The hit roll of the Clash, Duel or Volley that has just been told."""
    state = ahead.state
    event = next((e for e in reversed(ahead.events) if e.kind in ("clash", "volley", "charged", "duel-declared")), None)
    if event is None or event.kind == "charged":
        return None
    if event.kind == "duel-declared":
        return duel_odds(ahead, event.facts["character"], event.facts["target"], asked)
    regiment = state.regiment(event.facts["regiment"])
    if event.kind == "clash":
        return clash_odds(ahead, regiment, event.facts["targets"])
    given = [str(entry.answer) for entry in ahead.answers[-3:]]
    picked = [int(key) for key in given[given.index(event.facts["target"]) + 1 :] if key.isdecimal()]
    rules = volley.barrages(state, regiment)
    own = picked.pop(0) if len(rules) > 1 and picked else 0
    his = picked.pop(0) if picked else 0
    return volley_odds(ahead, regiment, state.regiment(event.facts["target"]), rules[own] if rules else None, his)


def cast_odds(ahead: ConquestBattle, decision: Decision, answer: Any) -> Odds:
    """A spell on the target that was chosen, or on the only one."""
    state = ahead.state
    given = [entry.answer for entry in ahead.answers[-2:]]
    character = state.characters.get(decision.about)
    regiment = state.regiment(character.regiment) if character is not None else state.regiment(decision.about)
    known = {spell.id: spell for spell in magic.spells_of(regiment, character)}
    key = answer if decision.prompt.key == "ask.spell" else next(g for g in reversed(given) if g in known)
    if given[-1] in state.regiments:
        target = state.regiment(given[-1])
    else:
        target = magic.targets(ahead, regiment, character, known[key])[0]
    return spell_odds(ahead, regiment, character, known[key], target)
