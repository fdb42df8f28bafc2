"""Attacks from the hit roll to the Morale Test: Clash, Impact and Volley share these steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.effects import Number
from umpire.engine.steps import Steps
from umpire.rulebook.deciding import decides

from . import dice, hooks, morale, wounds
from .hooks import Query, Reroll
from .profiles import Rule
from .state import Character, Regiment, State


class Group(NamedTuple):
    """Dice rolled together: a regiment's stands', or its Character's (conquest.character.separate-dice)."""

    dice: int
    character: Character | None = None
    barrage: Rule | None = None
    distance: float = 0.0


class Hits(NamedTuple):
    """Hits of one group: how many, and how many of them meet Defense 0 (rolled with 1, by some special rule)."""

    group: Group
    plain: int
    bypass: int
    bypass_rule: str = ""


def inspired(state: State, regiment: Regiment, character: Character | None = None) -> tuple[int, tuple[str, ...]]:
    """How often Inspired applies, and the rules that say so (conquest.action.inspired.*, conquest.morale.broken.*)."""
    always = hooks.granted(state, regiment, "inspired", character=character)
    never = hooks.granted(state, regiment, "not-inspired", character=character)
    despite = hooks.granted(state, regiment, "inspired-despite", character=character) if never else ""
    if always and (despite or not never):
        return max(1, regiment.inspired), (always, despite) if despite else (always,)
    if not regiment.inspired:
        return 0, ()
    if regiment.broken and state.applies("conquest.morale.broken.no-inspired"):
        return 0, ("conquest.morale.broken.no-inspired",)
    if never:
        return 0, (never,)
    return regiment.inspired, ()


@decides("conquest.action.inspired.order")
def clash_value(
    battle: Battle[State], query: Query, plain: bool = False
) -> tuple[float, list[Reroll], tuple[str, ...]]:
    """Clash with every modifier, Inspired last: +1, or re-rolls of 6 where that would make 5 or more."""
    base = hooks.number(query)
    value, rules = base.total, base.rules
    if plain:
        return value, [], rules
    state = query.state
    times, why = inspired(state, query.regiment, query.character)
    rules = (*rules, *why)
    found: list[Reroll] = []
    for _ in range(times if state.applies("conquest.rule.inspired") else 0):
        if value + 1 >= 5 and state.applies("conquest.action.inspired.cap"):
            if state.applies("conquest.rule.inspired.reroll"):
                found = [Reroll("sixes", "conquest.rule.inspired.reroll", True)]
            rules = (*rules, "conquest.action.inspired.cap")
        elif state.applies("conquest.action.inspired.bonus"):
            value += 1
            rules = (*rules, "conquest.action.inspired.bonus")
    return value, found, rules


class Hitting(NamedTuple):
    """What a hit roll is read with: the value, the re-rolls, and the rules that made them."""

    query: Query
    value: float
    rerolls: list[Reroll]
    rules: tuple[str, ...]


def hitting(
    battle: Battle[State],
    attacker: Regiment,
    target: Regiment,
    group: Group,
    context: str,
    side: str,
    against: Character | None = None,
) -> Hitting:
    """On what a group hits now; `against` a Character in a Duel."""
    state = battle.state
    what = "volley" if context == "volley" else "clash"
    profile = group.character.profile if group.character else attacker.profile
    query = Query(
        state,
        attacker,
        what,
        profile.value(what),
        context,
        target,
        group.character,
        against,
        side=side,
        barrage=group.barrage,
        distance=group.distance,
    )
    if what == "volley":
        number = hooks.number(query)
        value, found, rules = number.total, list[Reroll](), number.rules
        aim = aimed(state, attacker, group)
        if aim:
            value += 1
            rules = (*rules, aim)
    else:
        value, found, rules = clash_value(battle, query, context == "impact")
    return Hitting(query, value, found + hooks.rerolls(query, "hit"), rules)


def read_hits(hit: Hitting, faces: Sequence[int]) -> tuple[int, int, str, tuple[str, ...]]:
    """Hits that meet the plain Defense, hits that meet 0, the rule by which they do, and rules that added hits."""
    query = hit.query
    hit_faces = [face for face in faces if dice.succeeds(face, hit.value)]
    more, more_rules = hooks.extra(query, "hits", hit_faces)
    ones = hit_faces.count(1)
    if hit.value >= 6 and ones and query.context != "impact":
        gained = six_or_more(query)
        more_rules = (*more_rules, *gained)
        more += ones if gained else 0
    shots = query.barrage.shots if query.barrage is not None else ()
    facts = {"character": query.character, "query": query, "shots": shots}
    rule = hooks.granted(query.state, query.regiment, "bypass", **facts) if ones else ""
    bypass = ones if rule else 0
    return len(hit_faces) - bypass + more, bypass, rule, more_rules


def roll_hits(
    battle: Battle[State],
    attacker: Regiment,
    target: Regiment,
    group: Group,
    context: str,
    side: str,
    against: Character | None = None,
) -> Steps[Hits]:
    """The hit roll of one group (conquest.clash.hit, conquest.volley.hit)."""
    hit = hitting(battle, attacker, target, group, context, side, against)
    cite = "conquest.volley.hit" if context == "volley" else "conquest.clash.hit"
    who = group.character.id if group.character else attacker.id
    need = -int(min(5, max(1, hit.value)))
    roll = battle.roll(group.dice, "hit", cite, side=attacker.side, who=who, need=need, value=hit.value)
    if hit.rerolls:
        good = [dice.succeeds(face, hit.value) for face in roll.faces]
        roll = yield from dice.rerolled(battle, roll, good, hit.rerolls, attacker.side)
    plain, bypass, bypass_rule, more_rules = read_hits(hit, roll.faces)
    battle.emit(
        "hits",
        cite,
        *hit.rules,
        *more_rules,
        *((bypass_rule,) if bypass else ()),
        attacker=who,
        target=target.id,
        dice=group.dice,
        value=hit.value,
        hits=plain + bypass,
    )
    return Hits(group, plain, bypass, bypass_rule)


def six_or_more(query: Query) -> tuple[str, ...]:
    """At a value of 6 or more each 1 is one hit more, unless the rule of that name has counted it already."""
    volley = query.context == "volley"
    if volley and query.character is not None:
        return ()
    name = "rapid-volley" if volley else "relentless-blows"
    shots = query.barrage.shots if query.barrage is not None else ()
    if hooks.has_rule(query.state, query.character or query.regiment, name) or any(r.name == name for r in shots):
        return ()
    rule = "conquest.volley.rapid-volley" if volley else "conquest.clash.relentless"
    return (rule,) if query.state.applies(rule) else ()


def aimed(state: State, regiment: Regiment, group: Group) -> str:
    """The rule that gives +1 Volley: Take Aim, or one with its effect."""
    if hooks.granted(state, regiment, "no-aim-bonus"):
        return ""
    if regiment.aimed and state.applies("conquest.action.take-aim"):
        return "conquest.action.take-aim"
    shots = group.barrage.shots if group.barrage is not None else ()
    return hooks.granted(state, regiment, "aimed", character=group.character, shots=shots)


class Failed(NamedTuple):
    """Defence dice of one group that failed, and the question they answered."""

    query: Query
    faces: list[int]
    rolled: list[int]


class Defending(NamedTuple):
    """What defence dice are read with."""

    query: Query
    defense: float
    evasion: float
    rerolls: list[Reroll]
    rules: tuple[str, ...]


def defending(
    battle: Battle[State],
    target: Regiment,
    attacker: Regiment | None,
    group: Group | None,
    context: str,
    side: str,
    zero: str = "",
    against: Character | None = None,
) -> Defending:
    """Defense and Evasion against a group's hits; `zero` is a rule by which Defense counts as 0."""
    state = battle.state
    who = group.character if group else None
    profile = against.profile if against else target.profile
    query = Query(
        state,
        target,
        "defense",
        profile.defense,
        context,
        attacker,
        against,
        who,
        side=side,
        barrage=group.barrage if group else None,
    )
    defense: Number = hooks.number(query)
    if not zero and attacker is not None:
        zero = hooks.granted(state, attacker, "no-defense", character=who, query=query)
    value = 0.0 if zero else defense.total
    evasion = hooks.number(query._replace(what="evasion", base=profile.evasion))
    rules = (*defense.rules, *evasion.rules, *((zero,) if zero else ()))
    if max(value, evasion.total) <= 0:
        none = "conquest.volley.defense.zero" if context == "volley" else "conquest.clash.defense.zero"
        if state.applies(none):
            rules += (none,)
        else:
            value = 0.5  # a 1 saves, as always
    return Defending(query, value, evasion.total, hooks.rerolls(query, "defense"), rules)


def defence(
    battle: Battle[State],
    target: Regiment,
    hits: int,
    attacker: Regiment | None,
    group: Group | None,
    context: str,
    side: str,
    zero: str = "",
    against: Character | None = None,
) -> Steps[list[Failed]]:
    """Defence rolls against some hits, those of a Character alone in a Duel; answers the dice that failed."""
    if hits <= 0:
        return []
    at = defending(battle, target, attacker, group, context, side, zero, against)
    cite = "conquest.volley.defense" if context == "volley" else "conquest.clash.defense"
    best = max(at.defense, at.evasion)
    roll = battle.roll(
        hits, "defence", cite, side=target.side, who=target.id, need=-int(min(5, max(1, best))), value=best
    )
    if at.rerolls:
        good = [dice.saves(face, at.defense, at.evasion) for face in roll.faces]
        roll = yield from dice.rerolled(battle, roll, good, at.rerolls, target.side)
    failed = [face for face in roll.faces if not dice.saves(face, at.defense, at.evasion)]
    battle.emit(
        "defended",
        cite,
        *at.rules,
        target=against.id if against else target.id,
        hits=hits,
        defense=at.defense,
        evasion=at.evasion,
        failed=len(failed),
    )
    yield from hooks.moment(
        battle, "defended", target, foe=attacker.id if attacker else "", context=context, faces=roll.faces
    )
    return [Failed(at.query, failed, roll.faces)]


def turned(faces: Sequence[int]) -> int:
    """Defence dice that Counter-Attack turns into hits: every unmodified 1."""
    return sum(face == 1 for face in faces)


def pool_of(battle: Battle[State], target: Regiment, batch: list[Failed]) -> int:
    """The wounds of a whole batch of defence dice: some count as saved, some as two (conquest.wounds.pool).

    Dice are spared once for the batch, those first that would cost most.
    """
    priced: list[tuple[int, int, Query, tuple[str, ...]]] = []
    for query, faces, _ in batch:
        for face in faces:
            more, rules = hooks.extra(query, "wounds", [face])
            priced.append((1 + more, face, query, rules))
    if not priced:
        return 0
    priced.sort(key=lambda entry: -entry[0])
    spared, cited = hooks.extra(priced[0][2], "spared", [face for _, face, _, _ in priced])
    left = priced[spared:]
    cited = tuple(dict.fromkeys([*cited, *(rule for *_, rules in left for rule in rules)]))
    total = sum(price for price, *_ in left)
    if cited:
        battle.emit("wounds-changed", *cited, target=target.id, failed=len(priced), wounds=total)
    return total


def attack(
    battle: Battle[State],
    attacker: Regiment,
    target: Regiment,
    groups: list[Group],
    context: str,
    side: str,
    test_morale: bool = True,
    *rules: str,
) -> Steps[int]:
    """A batch of attacks on one regiment, from hit roll to morale; answers the wounds allocated."""
    landed: list[Hits] = []
    for group in groups:
        if group.dice > 0:
            hits = yield from roll_hits(battle, attacker, target, group, context, side)
            landed.append(hits)
    if any(hits.plain or hits.bypass for hits in landed):
        yield from hooks.moment(battle, "before-defence", target, context=context)
    batch: list[Failed] = []
    for hits in landed:
        batch += yield from defence(battle, target, hits.plain, attacker, hits.group, context, side)
        batch += yield from defence(battle, target, hits.bypass, attacker, hits.group, context, side, hits.bypass_rule)
    pool = pool_of(battle, target, batch)
    taken = yield from take(battle, target, pool, attacker, context, side, test_morale, *rules)
    yield from hooks.moment(battle, "attacked", target, foe=attacker.id, context=context)
    return taken


def inflict(
    battle: Battle[State],
    target: Regiment,
    hits: int,
    attacker: Regiment | None,
    context: str,
    *rules: str,
    side: str = "front",
    test_morale: bool = True,
    shots: tuple[Rule, ...] = (),
) -> Steps[int]:
    """Hits that need no hit roll: defence rolls, casualties, morale; answers the wounds allocated."""
    group = Group(hits, barrage=Rule("barrage", shots=shots)) if shots else None
    if hits > 0:
        yield from hooks.moment(battle, "before-defence", target, context=context)
    batch = yield from defence(battle, target, hits, attacker, group, context, side)
    pool = pool_of(battle, target, batch)
    taken = yield from take(battle, target, pool, attacker, context, side, test_morale, *rules)
    yield from hooks.moment(battle, "attacked", target, foe=attacker.id if attacker else "", context=context)
    return taken


@decides("conquest.wounds.then-morale", "conquest.clash.casualties-and-morale")
def take(
    battle: Battle[State],
    target: Regiment,
    pool: int,
    attacker: Regiment | None,
    context: str,
    side: str,
    test_morale: bool,
    *rules: str,
) -> Steps[int]:
    """Allocate a pool of wounds from failed defence dice, then test morale."""
    foe = attacker.id if attacker else ""
    allocated = yield from wounds.suffer(battle, target, pool, foe, *rules)
    if allocated:
        yield from hooks.moment(battle, "suffered", target, foe=foe, context=context, wounds=allocated)
    if test_morale:
        yield from morale.check(battle, target, allocated, attacker, context, side)
    return allocated
