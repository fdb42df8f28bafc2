"""Exact odds of charges, volleys, clashes, spells and Resolve rolls, read by the very functions that play uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.copying import copy
from umpire.engine.decisions import Choose, Decision, Json, TypeDice
from umpire.engine.dice import DiceState
from umpire.odds import D6, Dist, faces
from umpire.odds.ahead import every_throw, go_on, to_dice, wanted
from umpire.odds.telling import Odds, chance, number, told

from . import attacks, charge, clash, dice, formation, hooks, magic, morale, volley, wounds
from .attacks import Group
from .hooks import Reroll
from .profiles import Rule
from .state import Character, Regiment, State

ConquestBattle = Battle[State]

MOST_THROWN = 4
"""So many dice of one roll are thrown in every way; more would take longer than anybody waits."""

FARTHEST = 6
"""The die that brings any charge to its target."""

WIDE = 1000
"""More than any batch of dice: dear and plain failures are counted in one number, the dear ones as so many."""


def rerolled(found: Sequence[Reroll], partial: str, good: Callable[[int], bool]) -> Callable[[int], bool] | None:
    """Which natural faces are re-rolled, opposed re-rolls having cancelled; what may be re-rolled is."""
    left, _ = dice.standing(found, partial)
    if not left:
        return None
    return lambda face: any(dice.chosen(face, good(face), reroll.which) for reroll in left)


# -- from hits to the pool of wounds -----------------------------------------------------------------------------


class Blows(NamedTuple):
    """A batch of attacks: who strikes whom, from which side, and in what kind of fight."""

    battle: ConquestBattle
    attacker: Regiment
    target: Regiment
    context: str
    side: str
    against: Character | None = None

    @property
    def partial(self) -> str:
        return self.battle.state.options.partial_rerolls


def failures_of_hit(at: Blows, group: Group | None, zero: str = "") -> Dist:
    """What one hit leaves: a failed defence die, counted as WIDE where it costs two wounds."""
    found = attacks.defending(at.battle, at.target, at.attacker, group, at.context, at.side, zero, at.against)

    def saved(face: int) -> bool:
        return dice.saves(face, found.defense, found.evasion)

    def failures(face: int) -> int:
        if saved(face):
            return 0
        return WIDE if hooks.extra(found.query, "wounds", [face])[0] else 1

    return faces(6, failures, reroll=rerolled(found.rerolls, at.partial, saved)).dist(lambda count: count)


def failures_of_group(at: Blows, group: Group) -> Dist:
    """Hit and defence rolls of one group: its failed defence dice."""
    hit = attacks.hitting(at.battle, at.attacker, at.target, group, at.context, at.side, at.against)
    plain, bypass = failures_of_hit(at, group), failures_of_hit(at, group, "bypass")

    def hits(face: int) -> tuple[int, int]:
        return attacks.read_hits(hit, [face])[:2]

    def struck(face: int) -> bool:
        return dice.succeeds(face, hit.value)

    landed = faces(6, hits, reroll=rerolled(hit.rerolls, at.partial, struck))
    return landed.mix(lambda count: plain.times(count[0]) + bypass.times(count[1])).times(group.dice)


def pool_of(at: Blows, failures: Dist) -> Dist:
    """The wounds of failed defence dice; those that are spared are the dear ones first (conquest.wounds.pool)."""
    query = hooks.Query(
        at.battle.state, at.target, "defense", at.target.profile.defense, at.context, at.attacker, at.against
    )

    def pool(count: int) -> int:
        dear, plain = divmod(count, WIDE)
        spared = hooks.extra(query, "spared", [6] * (dear + plain))[0] if count else 0
        left = ([2] * dear + [1] * plain)[spared:]
        return sum(left)

    return failures.map(pool)


def pool_dist(at: Blows, groups: list[Group]) -> Dist:
    """The wounds in the pool of a batch of attacks."""
    total = Dist.certain(0)
    for group in groups:
        if group.dice > 0:
            total = total + failures_of_group(at, group)
    return pool_of(at, total)


# -- what wounds do to a regiment --------------------------------------------------------------------------------


class Toll(NamedTuple):
    """A regiment after so many wounds: the stands lost, how it stands, what its Morale Test costs further."""

    stands: int
    broken: bool
    gone: bool
    further: Dist


def tolls(at: Blows, most: int, tested: bool) -> list[Toll]:
    """The regiment after 0, 1, 2 … wounds, given one by one as play gives them, up to `most` or to its end."""
    trial = at.battle.fork()
    trial.state = copy(at.battle.state)
    trial.state.dice = DiceState()  # a Character whose regiment dies strikes once more: not at it
    target = trial.state.regiment(at.target.id)
    foe = trial.state.regiment(at.attacker.id)
    full = len(target.ordinary())
    found = []
    for taken in range(most + 1):
        if taken:
            drive(wounds.suffer(trial, target, 1, foe.id))
        gone = target.where == "gone"
        further = morale_test(at, trial, target, foe, taken) if tested and not gone else Dist.certain(0)
        found.append(Toll(full - len(target.ordinary()), target.broken or gone, gone, further))
        if gone:
            break
    return found


def drive(steps: Any) -> None:
    """Carry a rule out; where it asks, the first option is taken."""
    ask = next(steps, None)
    while ask is not None:
        try:
            ask = steps.send(ask.suggest())
        except StopIteration:
            return


def morale_test(at: Blows, trial: ConquestBattle, target: Regiment, foe: Regiment, count: int) -> Dist:
    """The further wounds that a Morale Test of so many dice costs the regiment as it stands now."""
    needed = morale.resolve(trial, target, "morale", foe, at.context).value
    query = hooks.Query(trial.state, target, "resolve", needed, at.context, foe, side=at.side)

    def passed(face: int) -> bool:
        return dice.succeeds(face, needed)

    again = rerolled(morale.test_rerolls(query)[0], at.partial, passed)
    failed = faces(6, passed, reroll=again).mix({True: 0, False: 1}).times(count)
    return failed.map(lambda dice: morale.failed_test(query, [6] * dice)[1] if dice else 0)


class Suffered(NamedTuple):
    """What a pool of wounds comes to, morale included."""

    wounds: Dist
    stands: Dist
    broken: float
    gone: float


def suffered(at: Blows, pool: Dist, tested: bool) -> Suffered:
    """The pool is allocated, then each wound allocated is a morale die; those that fail are wounds without a test."""
    left = sum(wounds.full_wounds(at.battle.state, at.target) - stand.wounds for stand in at.target.ordinary())
    table = tolls(at, min(left, 2 * pool.high if tested else pool.high), tested)
    last = len(table) - 1
    found: dict[int, float] = {}
    for wound, p in pool.min(last).items():
        for more, q in table[wound].further.items():
            total = min(last, wound + more)
            found[total] = found.get(total, 0.0) + p * q
    lost = Dist.of(found)
    return Suffered(
        lost,
        lost.map(lambda n: table[n].stands),
        sum(p for n, p in lost.items() if table[n].broken),
        sum(p for n, p in lost.items() if table[n].gone),
    )


def harm(after: Suffered, broken: bool) -> list[Odds]:
    lines = [
        number("连同士气的伤害", "wounds with morale", after.wounds.mean),
        number("失去的单位", "stands lost", after.stands.mean),
    ]
    if not broken:
        lines.append(chance("溃散或消灭", "broken or destroyed", after.broken))
    return [*lines, chance("消灭机会", "chance to destroy", after.gone)]


def blows_odds(title: tuple[str, str], at: Blows, groups: list[Group], tested: bool) -> Odds:
    """What a batch of attacks would bring."""
    pool = pool_dist(at, groups)
    after = suffered(at, pool, tested)
    lines = [
        number("骰数", "dice", sum(group.dice for group in groups)),
        number("防御失败造成的伤害", "wounds from failed defence", pool.mean),
        *harm(after, at.target.broken),
    ]
    return told(*title, *lines, wounds=after.wounds, stands=after.stands)


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
        number("距离", "distance", far),
        number("需要的骰点", "die needed", charge.die_needed(limit, far)),
        chance("成功机会", "chance of success", faces(rolled, reaches)[True]),
    ]
    struck = impact(battle, decision, target)
    if struck is None:
        return told("冲锋", "Charge", *lines, charge=rolled + int(limit))
    pool, after = struck
    lines += [number("冲击造成的伤害", "wounds from Impact", pool.mean), *harm(after, target.broken)]
    return told("冲锋", "Charge", *lines, charge=rolled + int(limit), wounds=after.wounds)


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
    pool = pool_dist(at, charge.impact_groups(ahead, charger, charged))
    return pool, suffered(at, pool, True)


def volley_odds(ahead: ConquestBattle, regiment: Regiment, target: Regiment, rule: Rule | None, his: int) -> Odds:
    """A Volley with one Barrage of the regiment and one of its Character's."""
    state = ahead.state
    groups = volley.shots(ahead, regiment, target, rule, {}, his)
    side = "front"
    if target.where == "table":
        side = formation.facing_of(formation.arc_of(target, *formation.centre(regiment)))
    tested = bool(hooks.granted(state, regiment, "volley-morale", target=target))
    return blows_odds(("齐射", "Volley"), Blows(ahead, regiment, target, "volley", side), groups, tested)


def clash_odds(ahead: ConquestBattle, regiment: Regiment) -> Odds | None:
    """A Clash with one enemy; with several the targets are not chosen yet."""
    state = ahead.state
    enemies = formation.enemies_in_contact(state, regiment)
    if len(enemies) != 1:
        return None
    target = enemies[0]
    stands = [(s, bool(clash.engaged_with(state, regiment, s, enemies))) for s in regiment.stands]
    groups, _, _ = clash.attack_groups(ahead, regiment, target, stands)
    side = formation.facing_of(formation.side_hit(target, regiment))
    return blows_odds(("交战", "Clash"), Blows(ahead, regiment, target, "clash", side), groups, True)


def resolve_odds(ahead: ConquestBattle, regiment: Regiment) -> Odds:
    """A Resolve roll: Combat Reform, Withdraw, and whether the regiment obeys at all (Bloodlust, Fearsome)."""
    before = len(ahead.events)
    context, _ = wanted(ahead)

    def passed(thrown: ConquestBattle) -> bool:
        return next(bool(e.facts["passed"]) for e in thrown.events[before:] if e.kind == "resolve-roll")

    roll = every_throw(ahead, passed)
    state = ahead.state
    if context in ("bloodlust", "fearsome"):
        return told("决心判定", "Resolve roll", chance("服从命令", "it obeys", roll[True]))
    lines = [chance("利落的机会", "chance to do it cleanly", roll[True])]
    touching = len(formation.stands_in_contact(state, regiment))
    foes = formation.enemies_in_contact(state, regiment)
    at = Blows(ahead, foes[0], regiment, context, "front")
    fighting = suffered(at, D6 * touching if context == "withdraw" else Dist.certain(touching), True)
    if context == "withdraw":
        clean = suffered(at, D6, state.options.clean_withdrawal_morale == "test")
    else:
        clean = suffered(at, Dist.certain(0), False)
    both = ((roll[True], clean), (roll[False], fighting))
    hurt = Dist.mixture((p, after.wounds) for p, after in both if p)
    lines.append(number("预期伤害", "expected wounds", hurt.mean))
    lines.append(chance("毁灭自身", "chance to be destroyed", sum(p * after.gone for p, after in both)))
    return told("决心判定", "Resolve roll", *lines, wounds=hurt)


def spell_odds(ahead: ConquestBattle, who: str, spell: str, target: Regiment) -> Odds:
    """A casting roll, and what the hits of the spell do."""
    state = ahead.state
    character = state.characters.get(who)
    regiment = state.regiment(character.regiment) if character is not None else state.regiment(who)
    found = next(s for s in magic.spells_of(regiment, character) if s.id == spell)
    at = magic.casting(state, regiment, character, found, target)
    one = faces(6, lambda face: magic.successes_of(state, at._replace(kind=""), target, [face])[0])
    best, worst = 1, 6

    def successes(landed: int) -> int:
        return magic.successes_of(state, at, target, [best] * landed + [worst] * (at.dice - landed))[0]

    landed = one.dist(lambda count: count).times(at.dice)
    cast = landed.map(successes).at_least(at.needed)
    lines = [chance("施法成功", "cast", cast), number("所需成功", "successes needed", at.needed)]
    if not found.hits:
        return told("施法", "Spell", *lines)
    hits, side, _ = magic.spell_hits(state, regiment, found, target)
    group = Group(hits, barrage=Rule("barrage", shots=found.shots)) if found.shots else None
    blows = Blows(ahead, regiment, target, "spell", side)
    pool = pool_of(blows, failures_of_hit(blows, group).times(hits))
    after = suffered(blows, Dist.mixture(((cast, pool), (1 - cast, 0))), True)
    return told("施法", "Spell", *lines, *harm(after, target.broken), wounds=after.wounds)


def reinforcement_odds(ahead: ConquestBattle) -> Odds | None:
    """The reinforcement roll of the first class whose regiments wait."""
    if wanted(ahead)[1] > MOST_THROWN:
        return None
    before = len(ahead.events)

    def arrivals(thrown: ConquestBattle) -> int:
        return next(int(e.facts["successes"]) for e in thrown.events[before:] if e.kind == "reinforcement")

    count = every_throw(ahead, arrivals).dist(lambda n: n)
    return told(
        "增援", "Reinforcements", number("平均到达团数", "mean regiments to arrive", count.mean), arrivals=count
    )


# -- what is told ------------------------------------------------------------------------------------------------


def reply(ask: Decision) -> Json:
    """On the way to the dice the first of several targets or weapons is taken, and nothing rare is spent."""
    if ask.kind == "confirm":
        return False
    return next(iter(ask.options)) if isinstance(ask, Choose) and ask.prompt.key in ON_THE_WAY else None


ON_THE_WAY = ("ask.barrage", "ask.volley", "ask.spell-target", "ask.contact")


def odds(battle: ConquestBattle, decision: Decision, answer: Any) -> Odds | None:
    """What an answer would probably bring; None where nothing is left to chance."""
    state = battle.state
    if not isinstance(decision, Choose) or not decision.check(answer):
        return None
    if decision.prompt.key == "ask.charge":
        return charge_odds(battle, decision, state.regiment(answer))
    ahead = to_dice(battle, answer, decision.side, reply)
    if ahead is None:
        return None
    assert isinstance(ahead.decision, TypeDice)
    match wanted(ahead)[0]:
        case "hit":
            return hit_odds(ahead)
        case "withdraw" | "combat-reform" | "bloodlust" | "fearsome" if decision.about in state.regiments:
            return resolve_odds(ahead, ahead.state.regiment(decision.about))
        case "cast" if decision.prompt.key in ("ask.spell", "ask.spell-target"):
            return cast_odds(ahead, decision, answer)
        case "reinforcement":
            return reinforcement_odds(ahead)
    return None


def hit_odds(ahead: ConquestBattle) -> Odds | None:
    """The hit roll of the Clash or Volley that has just been told."""
    state = ahead.state
    event = next((e for e in reversed(ahead.events) if e.kind in ("clash", "volley", "charged", "duel-blows")), None)
    if event is None or event.kind not in ("clash", "volley"):
        return None
    regiment = state.regiment(event.facts["regiment"])
    if event.kind == "clash":
        return clash_odds(ahead, regiment)
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
    return spell_odds(ahead, decision.about, key, target)
