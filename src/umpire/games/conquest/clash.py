"""Chapter 4: the Clash (conquest.clash.*)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Option, Order, Split, pick
from umpire.engine.effects import Number
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.space.ranks import fronts

from . import attacks, formation, hooks, pressing, ranked
from .attacks import Group
from .state import Regiment, Stand, State


def sideways(a: Regiment, b: Regiment) -> bool:
    """Does either of the two fight the other in flank or rear?"""
    return formation.side_hit(a, b) != "front" or formation.side_hit(b, a) != "front"


@decides(
    "conquest.clash.engaged-unengaged",
    "conquest.clash.attacks.incomplete-ranks",
    "conquest.terrain.garrison.clash.attack",
)
def engaged_with(state: State, regiment: Regiment, stand: Stand, enemies: list[Regiment]) -> list[Regiment]:
    """The enemy regiments a stand may attack as an engaged one; empty for an unengaged stand.

    In flank and rear fights the enemy is its full rectangle (conquest.clash.attacks.incomplete-ranks). All stands of a
    garrison, and every front stand against one, are engaged.
    """
    if regiment.where == "garrison":
        return list(enemies)
    base = (formation.stand_base(regiment, stand),)
    found = []
    for enemy in enemies:
        if enemy.where == "garrison":
            continue
        if fronts.gap(base, ranked.blocks(enemy)) <= formation.TOUCH or (
            sideways(regiment, enemy) and fronts.gap(base, (ranked.rectangle(enemy),)) <= formation.TOUCH
        ):
            found.append(enemy)
    walls = [enemy for enemy in enemies if enemy.where == "garrison"]
    if stand.rank == 0 and not state.applies("conquest.terrain.garrison.clash.other-enemy"):
        return found + walls
    return walls if not found and stand.rank == 0 else found


@hooks.action("clash", "in", ("conquest.clash.eligibility", "conquest.action.list.in-combat"))
@step
def clash(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """A Clash action: who attacks whom, then each group from hit roll to morale."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    aims = yield from aimed_attacks(battle, regiment)
    order = list(aims)
    if len(order) > 1:
        options = [Option(key, refs=(key,)) for key in order]
        order = yield Order(
            regiment.side, "ask.clash-order", options, "conquest.clash.targets.resolve-separately", regiment.id
        )
    before = pressing.fights(state, regiment.side)
    battle.emit(
        "clash",
        "conquest.clash.eligibility",
        *(("conquest.clash.targets.resolve-separately",) if len(order) > 1 else ()),
        regiment=regiment.id,
        targets=order,
    )
    yield from hooks.moment(battle, "before-hits", regiment, context="clash")
    for key in order:
        target = state.regiment(key)
        if not target.on_table or not regiment.on_table:
            continue
        side = formation.facing_of(formation.side_hit(target, regiment))
        groups, rules, counted = attack_groups(battle, regiment, target, aims[key])
        battle.emit("attacks", *rules, regiment=regiment.id, target=target.id, **counted)
        yield from attacks.attack(battle, regiment, target, groups, "clash", side)
    yield from hooks.moment(battle, "after-hits", regiment, context="clash")
    yield from pressing.press_the_attack(battle, regiment.side, before)


Aims = dict[str, list[tuple[Stand, bool]]]
"""For each enemy regiment the stands that attack it, and whether each is engaged."""


def _no_target(state: State, who: str, rule: str) -> Callable[[str], list[Reason]]:
    """Why a regiment that is not offered cannot be attacked: it does not touch the stand, or the regiment."""
    return lambda wish: [Reason(rule, facts={"who": who, "target": wish})] if wish in state.regiments else []


@decides("conquest.terrain.garrison.clash.choose-targets", "conquest.terrain.garrison.clash.from-inside")
def aimed_attacks(battle: Battle[State], regiment: Regiment) -> Steps[Aims]:
    """Which stand attacks which enemy (conquest.clash.targets.*)."""
    state = battle.state
    enemies = formation.enemies_in_contact(state, regiment)
    aims: Aims = {enemy.id: [] for enemy in enemies}
    idle: list[Stand] = []
    for stand in regiment.stands:
        options = engaged_with(state, regiment, stand, enemies)
        if not options:
            idle.append(stand)
            continue
        rule, keys = "conquest.clash.targets.engaged", [e.id for e in options]
        refuse = _no_target(state, stand.id, rule)
        choice = yield from pick(regiment.side, "ask.clash-target", keys, rule, stand.id, refuse)
        if len(options) > 1:
            battle.emit("clash-target", rule, stand=stand.id, target=choice)
        aims[choice].append((stand, True))
    if len(enemies) == 1:
        aims[enemies[0].id] += [(stand, False) for stand in idle]
        return {key: stands for key, stands in aims.items() if stands}
    for stand in [s for s in idle if s.character and not regiment.own]:
        rule = "conquest.clash.targets.support"
        refuse = _no_target(state, stand.character, rule)
        choice = yield from pick(regiment.side, "ask.clash-target", list(aims), rule, stand.character, refuse)
        aims[choice].append((stand, False))
        idle.remove(stand)
    if idle:
        parts = {enemy.id: (0, len(idle)) for enemy in enemies}
        shares = yield Split(
            regiment.side, "ask.support", len(idle), parts, "conquest.clash.targets.support", regiment.id
        )
        battle.emit("support-shared", "conquest.clash.targets.support", regiment=regiment.id, shares=shares)
        left = list(idle)
        for key, share in shares.items():
            aims[key] += [(stand, False) for stand in left[:share]]
            left = left[share:]
    return {key: stands for key, stands in aims.items() if stands}


@decides("conquest.character.clash-with-regiment")
def attack_groups(
    battle: Battle[State], regiment: Regiment, target: Regiment, stands: list[tuple[Stand, bool]]
) -> tuple[list[Group], tuple[str, ...], dict[str, Any]]:
    """The dice of these stands: full attacks of the engaged, support of the others, a Character's kept apart.

    Also the rules that counted them, and the figures.
    """
    state = battle.state
    query = hooks.Query(state, regiment, "attacks", regiment.profile.attacks, "clash", target)
    query = query._replace(side=formation.facing_of(formation.side_hit(regiment, target)))
    plain = hooks.number(query)
    support = hooks.number(query._replace(what="support", base=1.0))
    total = 0
    count = {"engaged": 0, "support": 0}
    rules: dict[str, None] = {}
    groups: list[Group] = []
    for stand, engaged in stands:
        if stand.character and not regiment.own:
            character = state.characters[stand.character]
            if engaged:
                his = query._replace(base=character.profile.attacks, character=character, stand=stand)
            else:
                his = query._replace(what="support", base=1.0, character=character, stand=stand)
            groups.append(Group(int(hooks.number(his)), character))
            rules["conquest.character.separate-dice"] = None
            continue
        if engaged:
            number = hooks.number(query._replace(stand=stand)) if stand.models else plain
            if not state.applies("conquest.clash.attacks.bonus"):
                number = Number(number.base, min(number.base, number.total))
            rules["conquest.clash.attacks.engaged"] = None
            count["engaged"] += 1
        else:
            number = support
            rules["conquest.clash.attacks.support"] = None
            count["support"] += 1
        rules.update(dict.fromkeys(number.rules))
        total += int(number)
    return [Group(total), *groups], tuple(rules), {"attacks": total, **count}
