"""Attacks from the hit roll to the Morale Test: Clash, Impact and Volley share these steps."""

from __future__ import annotations

from typing import NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.effects import Number
from umpire.engine.steps import Steps

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
    if always:
        despite = hooks.granted(state, regiment, "not-inspired", character=character) and hooks.granted(
            state, regiment, "inspired-despite", character=character
        )
        return max(1, regiment.inspired), (always, despite) if despite else (always,)
    if not regiment.inspired:
        return 0, ()
    if regiment.broken:
        return 0, ("conquest.morale.broken.no-inspired",)
    never = hooks.granted(state, regiment, "not-inspired", character=character)
    if never:
        return 0, (never,)
    return regiment.inspired, ()


def clash_value(
    battle: Battle[State], query: Query, plain: bool = False
) -> tuple[float, list[Reroll], tuple[str, ...]]:
    """Clash with every modifier, Inspired last: +1, or re-rolls of 6 where that would make 5 or more."""
    base = hooks.number(query)
    value, rules = base.total, base.rules
    if plain:
        return value, [], rules
    times, why = inspired(query.state, query.regiment, query.character)
    rules = (*rules, *why)
    found: list[Reroll] = []
    for _ in range(times):
        rules = (*rules, "conquest.action.inspired.order", "conquest.rule.inspired")
        if value + 1 >= 5:
            found = [Reroll("sixes", "conquest.action.inspired.cap")]
            rules = (*rules, "conquest.action.inspired.cap", "conquest.rule.inspired.reroll")
        else:
            value += 1
            rules = (*rules, "conquest.action.inspired.bonus")
    return value, found, rules


def roll_hits(
    battle: Battle[State],
    attacker: Regiment,
    target: Regiment,
    group: Group,
    context: str,
    side: str,
    against: Character | None = None,
) -> Steps[Hits]:
    """The hit roll of one group (conquest.clash.hit, conquest.volley.hit); `against` a Character in a Duel."""
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
    yield from hooks.moment(battle, "before-hits", attacker, context=context, character=group.character)
    if what == "volley":
        number = hooks.number(query)
        value, found, rules = number.total, list[Reroll](), number.rules
        aim = aimed(state, attacker, group.character)
        if aim:
            value += 1
            rules = (*rules, aim)
        cite = "conquest.volley.hit"
    else:
        value, found, rules = clash_value(battle, query, context == "impact")
        cite = "conquest.clash.hit"
    who = group.character.id if group.character else attacker.id
    roll = battle.roll(
        group.dice, "hit", cite, side=attacker.side, who=who, need=-int(min(5, max(1, value))), value=value
    )
    found += hooks.rerolls(query, "hit")
    if found:
        good = [dice.succeeds(face, value) for face in roll.faces]
        roll = yield from dice.rerolled(battle, roll, good, found, attacker.side)
    yield from hooks.moment(battle, "after-hits", attacker, context=context, character=group.character)
    hit_faces = [face for face in roll.faces if dice.succeeds(face, value)]
    more, more_rules = hooks.extra(query, "hits", hit_faces)
    ones = hit_faces.count(1)
    if value >= 6 and ones and context != "impact":
        more_rules = (*more_rules, *six_or_more(query, ones))
        more += ones if six_or_more(query, ones) else 0
    bypass_rule = hooks.granted(state, attacker, "bypass", character=group.character, query=query) if ones else ""
    bypass = ones if bypass_rule else 0
    if group.character and any(effect.on == attacker.id and effect.what == what for effect in state.effects):
        rules = (*rules, "conquest.regiment.effects-reach-all-stands")
    battle.emit(
        "hits",
        cite,
        *rules,
        *more_rules,
        *((bypass_rule,) if bypass else ()),
        *dice.rules_shown(roll.faces, value),
        attacker=who,
        target=target.id,
        dice=group.dice,
        value=value,
        hits=len(hit_faces) + more,
    )
    return Hits(group, len(hit_faces) - bypass + more, bypass, bypass_rule)


def six_or_more(query: Query, ones: int) -> tuple[str, ...]:
    """At a value of 6 or more each 1 is one hit more, unless the rule of that name has counted it already."""
    volley = query.context == "volley"
    if volley and query.character is not None:
        return ()
    name = "rapid-volley" if volley else "relentless-blows"
    if hooks.find(query.state, query.character or query.regiment, name) is not None:
        return ()
    return ("conquest.volley.rapid-volley",) if volley else ("conquest.clash.relentless",)


def aimed(state: State, regiment: Regiment, character: Character | None) -> str:
    """The rule that gives +1 Volley: Take Aim, or one with its effect."""
    if hooks.granted(state, regiment, "no-aim-bonus"):
        return ""
    if regiment.aimed:
        return "conquest.action.take-aim"
    return hooks.granted(state, regiment, "aimed", character=character)


class Failed(NamedTuple):
    """Defence dice of one group that failed, and the question they answered."""

    query: Query
    faces: list[int]
    rolled: list[int]


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
    cite = "conquest.volley.defense" if context == "volley" else "conquest.clash.defense"
    best = max(value, evasion.total)
    roll = battle.roll(
        hits, "defence", cite, side=target.side, who=target.id, need=-int(min(5, max(1, best))), value=best
    )
    found = hooks.rerolls(query, "defense")
    if found:
        good = [dice.saves(face, value, evasion.total) for face in roll.faces]
        roll = yield from dice.rerolled(battle, roll, good, found, target.side)
    failed = [face for face in roll.faces if not dice.saves(face, value, evasion.total)]
    rules = [*defense.rules, *evasion.rules, *dice.rules_shown(roll.faces, best)]
    if zero:
        rules.append(zero)
    if best <= 0:
        rules.append("conquest.volley.defense.zero" if context == "volley" else "conquest.clash.defense.zero")
    if defense.total == 0 and defense.base + sum(c.value for c in defense.changes if c.op == "add") < 0:
        rules.append("conquest.profile.range-and-floor")
    battle.emit(
        "defended",
        cite,
        *rules,
        target=against.id if against else target.id,
        hits=hits,
        defense=value,
        evasion=evasion.total,
        failed=len(failed),
    )
    yield from hooks.moment(
        battle, "defended", target, foe=attacker.id if attacker else "", context=context, faces=roll.faces
    )
    return [Failed(query, failed, roll.faces)]


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
    left = priced[min(spared, len(priced)) :]
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
        cite = ("conquest.clash.casualties-and-morale",) if context in ("clash", "impact") else ()
        yield from morale.check(battle, target, allocated, attacker, context, side, *cite)
    return allocated
