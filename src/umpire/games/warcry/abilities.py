"""Abilities: who may use which, what they cost in ability dice, and how their primitives are carried out."""

from __future__ import annotations

from functools import lru_cache

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.warcry import works
from umpire.games.warcry.content import Library, library
from umpire.games.warcry.primitives import (
    ActivateNext,
    Bind,
    BonusAction,
    Change,
    Heal,
    IgnoreHeight,
    SetUp,
    Taunt,
    Vitals,
    Who,
    Wreck,
)
from umpire.games.warcry.primitives import DamageRolls as Rolls
from umpire.games.warcry.profiles import BEAST, COST_DICE, HERO, MONSTER, Ability, Profile, Reaction
from umpire.games.warcry.state import Fighter, Player, State, distance, engaged, within
from umpire.games.warcry.terrain import FLOOR
from umpire.text import Text, words

UNIVERSAL = (
    Ability(
        "rush",
        words("ability.warcry.rush"),
        "double",
        (Change("move", 1),),
        rule="warcry.ability.rush",
        text=words("ability.warcry.add-1-to-move-in"),
    ),
    Ability(
        "onslaught",
        words("ability.warcry.onslaught"),
        "double",
        (Change("attacks", 1, attack="melee"),),
        rule="warcry.ability.onslaught",
        text=words("ability.warcry.add-1-to-the-attacks"),
    ),
    Ability(
        "respite",
        words("ability.warcry.respite"),
        "triple",
        (Heal("value"),),
        needs=("not-engaged",),
        rule="warcry.ability.respite",
        text=words("ability.warcry.remove-damage-points-equal-to"),
    ),
    Ability(
        "inspiring-presence",
        words("ability.warcry.inspiring-presence"),
        "triple",
        (ActivateNext(Who("friend", 6, fresh=True)),),
        runemarks=(HERO,),
        rule="warcry.ability.inspiring-presence",
        text=words("ability.warcry.a-visible-friend-within-6"),
    ),
    Ability(
        "rampage",
        words("ability.warcry.rampage"),
        "quad",
        (BonusAction("move"), BonusAction("attack")),
        rule="warcry.ability.rampage",
        text=words("ability.warcry.a-bonus-move-action-then"),
    ),
)

HUNTER = (
    Ability(
        "binding",
        words("ability.warcry.binding"),
        "double",
        (Bind(Who("enemy", 1, visible=False, runemarks=(MONSTER,))),),
        rule="warcry.monster.hunter-bind",
        text=words("ability.warcry.an-enemy-monster-within-1"),
    ),
    Ability(
        "vitals",
        words("ability.warcry.strike-at-the-vitals"),
        "triple",
        (Vitals(),),
        rule="warcry.monster.hunter-vitals",
        text=words("ability.warcry.a-critical-hit-on-an"),
    ),
    Ability(
        "taunt",
        words("ability.warcry.taunt"),
        "quad",
        (Taunt(Who("enemy", 6, runemarks=(MONSTER,))),),
        rule="warcry.monster.hunter-taunt",
        text=words("ability.warcry.a-visible-enemy-monster-within"),
    ),
)

MONSTROUS = (
    Ability(
        "huge-reach",
        words("ability.warcry.huge-reach"),
        "double",
        (IgnoreHeight(),),
        runemarks=(MONSTER,),
        rule="warcry.monster.huge-reach",
        text=words("ability.warcry.height-is-left-out-of"),
    ),
    Ability(
        "drag",
        words("ability.warcry.drag-and-maul"),
        "triple",
        (SetUp(Who("enemy", 6), 1), Rolls("value", 4, 3, Who("foe"))),
        runemarks=(MONSTER,),
        rule="warcry.monster.drag",
        text=words("ability.warcry.set-up-a-visible-enemy"),
    ),
    Ability(
        "destructive-rampage",
        words("ability.warcry.destructive-rampage"),
        "quad",
        (Wreck(1),),
        runemarks=(MONSTER,),
        rule="warcry.monster.destructive-rampage",
        text=words("ability.warcry.tear-down-a-terrain-feature"),
    ),
)

CORE = {ability.id: ability for ability in (*UNIVERSAL, *HUNTER, *MONSTROUS)}


def of_faction(profile: Profile, lib: Library) -> tuple[tuple[Ability, ...], tuple[Reaction, ...]]:
    """What a fighter has of its own faction, by runemark; a monster only what is for monsters."""
    faction = lib.factions.get(profile.faction)
    if faction is None:
        return (), ()
    return (
        tuple(
            a
            for a in faction.abilities
            if profile.has_all(a.runemarks) and (MONSTER in a.runemarks or not profile.has(MONSTER))
        ),
        tuple(r for r in faction.reactions if profile.has_all(r.runemarks)),
    )


def known(state: State, key: str) -> Ability | None:
    """An ability by its id: the book's own, one of the battle, or any other of the library."""
    own = (a for fighter in state.fighters for a in fighter.abilities if a.id == key)
    return CORE.get(key) or next(own, None) or library().abilities.get(key)


def find(state: State, key: str) -> Ability | Reaction:
    """An ability or reaction by its id."""
    from umpire.games.warcry import reactions

    return known(state, key) or reactions.find(state, key)


@lru_cache(maxsize=1024)
def _universal(runemarks: tuple[str, ...]) -> tuple[Ability, ...]:
    core = MONSTROUS if MONSTER in runemarks else UNIVERSAL
    return tuple(a for a in core if all(mark in runemarks for mark in a.runemarks))


def _hunting(runemarks: tuple[str, ...]) -> tuple[Ability, ...]:
    return HUNTER if MONSTER not in runemarks and BEAST not in runemarks else ()


def of_fighter(state: State, fighter: Fighter) -> tuple[Ability, ...]:
    """The abilities a fighter has: universal, of its own faction by runemark, and those about monsters.

    Monsters have no universal abilities (warcry.monster.ability-access); against them everyone but beasts hunts.
    """
    marks = fighter.profile.runemarks
    if MONSTER in marks:
        found = (*fighter.abilities, *_universal(marks))
    else:
        found = (*_universal(marks), *fighter.abilities, *(_hunting(marks) if state.monsters else ()))
    return found if not state.without else tuple(ability for ability in found if state.applies(ability.rule))


def has_need(state: State, fighter: Fighter, need: str) -> bool:
    active = state.active
    mine = active is not None and active.fighter == fighter.id
    match need:
        case "not-engaged":
            return not engaged(state, fighter)
        case "engaged":
            return engaged(state, fighter)
        case "hurt":
            return fighter.damage > 0
        case "on-platform":
            return state.ground.surface(fighter.x, fighter.y, fighter.z) not in (None, FLOOR)
        case "on-floor":
            return state.ground.surface(fighter.x, fighter.y, fighter.z) == FLOOR
        case "felled":
            return mine and active is not None and active.felled
        case "attacked":
            return mine and active is not None and active.attacked
        case "moved":
            return mine and active is not None and active.moved
        case "carrying":
            return bool(fighter.carrying)
        case "alone":
            return not any(within(distance(fighter, other), 6) for other in state.friends(fighter))
        case "outnumbered":
            return sum(within(distance(fighter, other), 1) for other in state.enemies(fighter)) >= 2
    return state.attack is not None and bool(state.attack.cover)


def payments(player: Player, ability: Ability) -> list[tuple[int, int]]:
    """The sets of dice that can pay: as large as the cost or larger (warcry.ability.substitute)."""
    cost = COST_DICE[ability.cost]
    return [entry for entry in player.sets if entry[1] >= cost]


def payment_reasons(player: Player, ability: Ability, wish: str) -> list[Reason]:
    """Why these dice do not pay: dice that the player has not, or too few of one score (warcry.ability.substitute)."""
    score, _, count = wish.partition("x")
    facts = {"ability": ability.id, "cost": ability.cost}
    held = next((n for s, n in player.sets if str(s) == score), 0)
    rule = "warcry.ability.substitute"
    if count.isdigit() and int(count) == held:
        return [Reason(rule, "reason.warcry.too-few-dice", {**facts, "dice": held, "least": COST_DICE[ability.cost]})]
    if count.isdigit() and int(count) < held:
        return [Reason(rule, "reason.warcry.whole-set", {"dice": held, "score": int(score)})]
    sets = [Text("option.dice-set", {"score": s, "dice": n}) for s, n in player.sets]
    return [Reason("warcry.ability.use", "reason.warcry.no-such-dice", {**facts, "wish": wish[:20], "sets": sets})]


def usable_by(state: State, fighter: Fighter) -> list[Ability]:
    """Which of its abilities a fighter may use now."""
    most = max((dice for _, dice in state.players[fighter.side].sets), default=0)
    return [
        ability
        for ability in of_fighter(state, fighter)
        if COST_DICE[ability.cost] <= most and _of_use(state, fighter, ability)
    ]


def _of_use(state: State, fighter: Fighter, ability: Ability) -> bool:
    """Are its conditions met, and is there somebody to do it to?"""
    for need in ability.needs:
        if not has_need(state, fighter, need):
            return False
    return not ability.effect or works.possible(state, fighter, ability.effect[0])


def use_reasons(state: State, fighter: Fighter, key: str) -> list[Reason]:
    """Why an ability cannot be used now."""
    ability = known(state, key)
    if ability is None:
        return []
    if ability not in of_fighter(state, fighter):
        if fighter.monster:
            return [Reason("warcry.monster.ability-access", facts={"ability": key})]
        if ability in HUNTER:
            return [Reason("warcry.monster.hunter-access", facts={"ability": key})]
        if not all(fighter.profile.has(mark) for mark in ability.runemarks):
            return [
                Reason("warcry.ability.runemark-limit", facts={"ability": key, "runemarks": list(ability.runemarks)})
            ]
        rule = {"ally": "warcry.ally.abilities", "thrall": "warcry.thrall.abilities"}.get(fighter.role)
        return [Reason(rule or "warcry.ability.sources", facts={"ability": key})]
    reasons = []
    active = state.active
    if active is not None and active.ability:
        reasons.append(Reason("warcry.combat.ability-use", facts={"ability": key}))
    if not payments(state.players[fighter.side], ability):
        reasons.append(Reason("warcry.ability.use", facts={"ability": key, "cost": ability.cost}))
    for need in ability.needs:
        if not has_need(state, fighter, need):
            reasons.append(Reason(ability.rule, f"reason.warcry.need.{need}", {"ability": key}))
    if not reasons and not _of_use(state, fighter, ability):
        reasons.append(Reason(ability.rule, "reason.warcry.nobody", {"ability": key}))
    return reasons


def target_reasons(state: State, fighter: Fighter, key: str, wish: str) -> list[Reason]:
    """Why an ability is not done to whom a player wishes; distances that dice tell are measured by the best that there
    are to pay with."""
    ability = known(state, key)
    assert ability is not None
    value = max((score for score, _ in payments(state.players[fighter.side], ability)), default=6)
    for primitive in ability.effect:
        who = getattr(primitive, "who", None)
        if who is not None and who.pick not in ("self", "foe"):
            return works.pick_reasons(state, fighter, ability, who, value, wish)
    return [Reason(ability.rule, "reason.warcry.no-target", {"ability": key, "fighter": wish})]


@step
def use(battle: Battle[State], key: str, name: str) -> Steps[None]:
    """The dice are chosen and discarded, then the ability does what it says."""
    state = battle.state
    fighter = state.fighter(key)
    player = state.players[fighter.side]
    ability = find(state, name)
    assert isinstance(ability, Ability)
    sets = payments(player, ability)
    chosen = sets[0]
    assert state.active is not None
    state.active.ability = True
    if len(sets) > 1:
        options = [Option(f"{score}x{n}", Text("option.dice-set", {"score": score, "dice": n})) for score, n in sets]
        prompt = Text("ask.pay", {"ability": name})
        answer = yield Choose(
            fighter.side,
            prompt,
            options,
            "warcry.ability.discard-dice",
            key,
            lambda wish: payment_reasons(player, ability, wish),
        )
        chosen = next(entry for entry in sets if f"{entry[0]}x{entry[1]}" == answer)
    player.sets = tuple(entry for entry in player.sets if entry != chosen)
    more = "warcry.ability.substitute" if chosen[1] > COST_DICE[ability.cost] else "warcry.ability.discard-dice"
    battle.emit(
        "ability", ability.rule, "warcry.ability.use", more, fighter=key, ability=name, value=chosen[0], dice=chosen[1]
    )
    battle.plan(*((effect, key, name, n, chosen[0], "") for n in range(len(ability.effect))))


@step
def effect(battle: Battle[State], key: str, name: str, number: int, value: int, foe: str) -> Steps[None]:
    """One primitive of an ability or reaction is carried out."""
    fighter = battle.state.fighter(key)
    if fighter.where != "field":
        return
    spec = find(battle.state, name)
    yield from works.carry_out(battle, fighter, spec, spec.effect[number], value, foe)
