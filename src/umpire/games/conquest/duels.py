"""Duels between Characters (chapter 8)."""

from __future__ import annotations

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.effects import Number
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides

from . import attacks, dice, formation, hooks, morale, pressing, wounds
from .hooks import Query, action, has_rule
from .objectives import tally
from .state import Character, Regiment, State


def opponents(state: State, regiment: Regiment) -> list[tuple[Regiment, Character]]:
    """Enemy Characters in regiments in contact; the stands of the two need not touch."""
    return [
        (enemy, state.characters[key])
        for enemy in formation.enemies_in_contact(state, regiment)
        if (key := enemy.own or enemy.character)
    ]


def reasons(battle: Battle[State], regiment: Regiment, character: Character) -> list[Reason]:
    """Why he cannot Duel: it is a combat action against an enemy Character in a regiment in contact."""
    if not regiment.on_table or not formation.in_contact(battle.state, regiment):
        return [Reason("conquest.action.list.in-combat", facts={"action": "duel"})]
    if not opponents(battle.state, regiment):
        return [Reason("conquest.character.duel.declare", facts={"regiment": regiment.id})]
    return []


def target_reasons(state: State, regiment: Regiment, character: Character, key: str) -> list[Reason]:
    """Why he cannot challenge this one: no enemy Character, or his regiment is not in contact."""
    rule = "conquest.character.duel.declare"
    foe = state.characters.get(key)
    if foe is None or foe.side == character.side or not foe.alive:
        return [Reason(rule, "reason.conquest.duel-whom", {"who": key[:40]})]
    other = state.regiment(foe.regiment)
    if not other.on_table or not regiment.on_table:
        return [Reason(rule, "reason.wish.off-table", {"who": foe.id})]
    if other in formation.enemies_in_contact(state, regiment):
        return []
    away = round(formation.distance(state, regiment, other), 3)
    return [Reason(rule, "reason.conquest.duel-apart", {"regiment": other.id, "who": foe.id, "distance": away})]


def why_not_duel(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    if not regiment.own:
        return [Reason("conquest.character.own-regiment", facts={"regiment": regiment.id})]
    return reasons(battle, regiment, battle.state.characters[regiment.own])


@action("duel", "in", ("conquest.character.duel.declare", "conquest.character.own-regiment"), why_not_duel)
@step
def duel_action(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """A Character that is a regiment by himself may Duel as one of his two actions."""
    regiment = battle.state.regiment(regiment_id)
    yield from duel(battle, regiment, battle.state.characters[regiment.own])


def duel(battle: Battle[State], regiment: Regiment, character: Character) -> Steps[None]:
    """Declare, accept or refuse, fight."""
    state = battle.state
    found = opponents(state, regiment)
    options = [Option(c.id, refs=(c.id, r.id)) for r, c in found]

    def refuse(answer: str) -> list[Reason]:
        return target_reasons(state, regiment, character, answer)

    rule = "conquest.character.duel.declare"
    choice = yield Choose(character.side, "ask.duel", options, rule, character.id, refuse)
    enemy, foe = next((r, c) for r, c in found if c.id == choice)
    battle.emit("duel-declared", rule, character=character.id, target=foe.id)
    if enemy.broken and state.applies("conquest.morale.broken.no-duel-refusal"):
        battle.emit("duel-forced", "conquest.morale.broken.no-duel-refusal", character=foe.id)
    else:
        answer = yield Choose(
            foe.side, "ask.duel-answer", ["accept", "refuse"], "conquest.character.duel.answer", foe.id
        )
        if answer == "refuse":
            yield from refused(battle, enemy, foe)
            return
    battle.emit("duel-accepted", "conquest.character.duel.answer", character=foe.id)
    yield from fight(battle, regiment, character, enemy, foe)


def refused(battle: Battle[State], regiment: Regiment, character: Character) -> Steps[None]:
    """A refusal breaks the regiment, unless it has Bodyguard or he has You and What Army?."""
    state = battle.state
    rule = "conquest.character.duel.answer"
    spared = ""
    if has_rule(state, regiment, "bodyguard"):
        spared = "conquest.rule.bodyguard"
    elif has_rule(state, character, "you-and-what-army"):
        spared = "conquest.rule.you-and-what-army"
    battle.emit("duel-refused", rule, *((spared,) if spared else ()), character=character.id)
    tally(state, 1 - character.side, "duel")
    if not spared:
        yield from morale.break_regiment(battle, regiment, rule)


def fight(
    battle: Battle[State], regiment: Regiment, character: Character, enemy: Regiment, foe: Character
) -> Steps[None]:
    """Both attack at the same time; Quicksilver Strike on one side alone strikes first."""
    state = battle.state
    before = pressing.fights(state, regiment.side)
    pairs = [(regiment, character, enemy, foe), (enemy, foe, regiment, character)]
    quick = quickest(state, character, foe)
    if quick:
        battle.emit("quicksilver", "conquest.rule.quicksilver-strike", both=len(quick) == 2)
    if len(quick) == 1:
        order = pairs if quick[0] is character else pairs[::-1]
        for own_regiment, own, other_regiment, other in order:
            if may_strike(own):
                pool, counter = yield from blows(battle, own_regiment, own, other_regiment, other)
                yield from suffer(battle, other_regiment, other, pool, own_regiment)
                yield from countered(battle, other_regiment, own_regiment, own, counter)
    else:
        results = []
        for own_regiment, own, other_regiment, other in pairs:
            results.append((yield from blows(battle, own_regiment, own, other_regiment, other)))
        for (own_regiment, own, other_regiment, other), (pool, counter) in zip(pairs, results, strict=True):
            yield from suffer(battle, other_regiment, other, pool, own_regiment)
            yield from countered(battle, other_regiment, own_regiment, own, counter)
    yield from fallen(battle, [(regiment, character), (enemy, foe)])
    yield from pressing.press_the_attack(battle, regiment.side, before)


def quickest(state: State, *fighters: Character) -> list[Character]:
    """Those with Quicksilver Strike: one alone strikes first."""
    return [fighter for fighter in fighters if has_rule(state, fighter, "quicksilver-strike")]


def may_strike(character: Character) -> bool:
    """He who strikes second must have lived through the first blows."""
    return character.alive and not dying(character)


def swings(battle: Battle[State], regiment: Regiment, character: Character, enemy: Regiment, foe: Character) -> Number:
    """The attacks of one Character on the other."""
    facts = {"character": character, "foe": enemy, "foe_character": foe}
    return hooks.characteristic(battle, regiment, "attacks", None, "duel", **facts)


def turns_blows(state: State, character: Character) -> bool:
    """Has he Counter-Attack?"""
    return state.applies("conquest.rule.counter-attack.duel") and has_rule(state, character, "counter-attack")


def blows(
    battle: Battle[State], regiment: Regiment, character: Character, enemy: Regiment, foe: Character
) -> Steps[tuple[int, int]]:
    """All attacks of one Character on the other: wounds for the pool, and hits by Counter-Attack."""
    state = battle.state
    number = swings(battle, regiment, character, enemy, foe)
    group = attacks.Group(int(number), character)
    battle.emit("duel-blows", "conquest.character.duel.fight", *number.rules, character=character.id, target=foe.id)
    if group.dice <= 0:
        return 0, 0
    hits = yield from attacks.roll_hits(battle, regiment, enemy, group, "duel", "front", foe)
    if hits.plain or hits.bypass:
        yield from hooks.moment(battle, "before-defence", enemy, context="duel", character=foe)
    batch = yield from attacks.defence(battle, enemy, hits.plain, regiment, group, "duel", "front", "", foe)
    batch += yield from attacks.defence(
        battle, enemy, hits.bypass, regiment, group, "duel", "front", hits.bypass_rule, foe
    )
    counter = 0
    if turns_blows(state, foe):
        counter = sum(attacks.turned(failed.rolled) for failed in batch)
    pool = attacks.pool_of(battle, enemy, batch)
    yield from hooks.moment(battle, "attacked", enemy, foe=regiment.id, context="duel")
    return pool, counter


def countered(battle: Battle[State], regiment: Regiment, enemy: Regiment, foe: Character, hits: int) -> Steps[None]:
    """Counter-Attack of a Character: plain hits on the enemy Character only."""
    if hits <= 0 or dying(foe):
        return
    battle.emit("counter-attack", "conquest.rule.counter-attack.duel", target=foe.id, hits=hits)
    yield from hooks.moment(battle, "before-defence", enemy, context="hits", character=foe)
    batch = yield from attacks.defence(battle, enemy, hits, None, None, "hits", "front", "", foe)
    pool = attacks.pool_of(battle, enemy, batch)
    yield from hooks.moment(battle, "attacked", enemy, foe=regiment.id, context="hits")
    yield from suffer(battle, enemy, foe, pool, regiment)


def dying(character: Character) -> bool:
    return character.wounds >= character.profile.wounds


@decides("conquest.character.wounds.untargetable")
def suffer(battle: Battle[State], regiment: Regiment, character: Character, pool: int, foe: Regiment) -> Steps[None]:
    """Wounds of a Duel go on the Character alone, those of failed Morale dice too; surplus wounds are lost."""
    if pool <= 0 or not character.alive:
        return
    if character.own or not battle.state.applies("conquest.character.duel.wounds"):
        allocated = yield from wounds.suffer(battle, regiment, pool, foe.id, "conquest.character.duel.wounds")
        yield from morale.check(battle, regiment, allocated, foe, "duel", "front")
        return
    room = character.profile.wounds - character.wounds
    taken = min(pool, room)
    character.wounds += taken
    battle.emit(
        "duel-wounds",
        "conquest.character.duel.wounds",
        "conquest.character.wounds.separate",
        character=character.id,
        wounds=taken,
        lost=pool - taken,
    )
    if dying(character):
        return
    failed = test_morale(battle, regiment, character, taken, foe)
    character.wounds = min(character.profile.wounds, character.wounds + failed)


def test_morale(battle: Battle[State], regiment: Regiment, character: Character, count: int, foe: Regiment) -> int:
    """A Morale Test on the regiment's Resolve whose wounds fall on the Character."""
    needed = morale.resolve(battle, regiment, "morale", foe, "duel")
    rule = "conquest.morale.test.roll"
    roll = battle.roll(count, "morale", rule, side=character.side, who=character.id, need=-int(needed.value))
    failed = [face for face in roll.faces if not dice.succeeds(face, needed.value)]
    query = Query(battle.state, regiment, "resolve", needed.value, "duel", foe)
    _, extra, why = morale.failed_test(query, failed)
    battle.emit(
        "duel-morale",
        "conquest.character.duel.fight",
        *needed.rules,
        *why,
        character=character.id,
        wounds=extra,
    )
    return extra


def fallen(battle: Battle[State], fighters: list[tuple[Regiment, Character]]) -> Steps[None]:
    """The dead are removed, and their regiments close up by a free Combat Reform, the active player's first."""
    from .characters import slay

    dead = [(r, c) for r, c in fighters if c.alive and not c.own and dying(c)]
    for _, lone in fighters:
        if lone.own and not lone.alive:
            tally(battle.state, 1 - lone.side, "duel")
    for regiment, character in dead:
        tally(battle.state, 1 - character.side, "duel")
        rules = ["conquest.character.duel.reform"]
        if len(dead) == 2:
            rules.append("conquest.character.duel.both-die")
        yield from slay(battle, regiment, character, *rules)
