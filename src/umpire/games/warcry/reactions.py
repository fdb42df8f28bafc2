"""Reactions: what a fighter may do in an enemy's activation, at which moment, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.engine.windows import window
from umpire.games.warcry import abilities, works
from umpire.games.warcry.content import library
from umpire.games.warcry.primitives import DamageRolls, Riposte, Soften, Who
from umpire.games.warcry.profiles import MOUNT, Reaction
from umpire.games.warcry.sight import sees
from umpire.games.warcry.state import ENGAGED, Fighter, State, distance, engagers
from umpire.rulebook.deciding import decides
from umpire.space.shapes import TOLERANCE
from umpire.text import Text, words

UNIVERSAL = (
    Reaction(
        "counter",
        words("ability.warcry.counter"),
        "melee",
        (Riposte(1, 2),),
        rule="warcry.reaction.counter",
        text=words("ability.warcry.each-miss-deals-1-damage"),
    ),
    Reaction(
        "take-cover",
        words("ability.warcry.take-cover"),
        "missile",
        (Soften(4),),
        barred=(MOUNT,),
        needs=("in-cover",),
        rule="warcry.reaction.take-cover",
        text=words("ability.warcry.each-critical-hit-becomes-a"),
    ),
    Reaction(
        "strike-them-down",
        words("ability.warcry.strike-them-down"),
        "disengage",
        (DamageRolls(1, 4, "D6", Who("foe")),),
        rule="warcry.reaction.strike-them-down",
        text=words("ability.warcry.on-a-4-the-disengaging"),
    ),
)


def known(state: State, key: str) -> Reaction | None:
    """A reaction by its id: the book's own, one of the battle, or any other of the library."""
    own = (r for fighter in state.fighters for r in fighter.answers if r.id == key)
    core = next((r for r in UNIVERSAL if r.id == key), None)
    return core or next(own, None) or library().reactions.get(key)


def find(state: State, key: str) -> Reaction:
    found = known(state, key)
    assert found is not None, key
    return found


def _objections(state: State, fighter: Fighter) -> Iterator[Reason]:
    if fighter.where != "field":
        yield Reason("warcry.reaction.eligibility", facts={"fighter": fighter.id})
    if fighter.monster:
        yield Reason("warcry.monster.no-reaction", facts={"fighter": fighter.id})
    if fighter.reactions >= 2:
        yield Reason("warcry.reaction.twice", facts={"fighter": fighter.id})
    elif fighter.activations and not fighter.waiting:
        yield Reason("warcry.reaction.eligibility", facts={"fighter": fighter.id})
    for effect in effects.forbids(state, fighter.id, "react"):
        yield Reason(effect.rule, "reason.warcry.forbidden")


def why_no_reaction(state: State, fighter: Fighter) -> list[Reason]:
    """Every reason why a fighter cannot make any reaction now."""
    return list(standing(state, _objections(state, fighter)))


def of_fighter(state: State, fighter: Fighter) -> list[Reaction]:
    """The universal reactions, and those of its own faction whose runemarks it has."""
    return [
        r
        for r in (*UNIVERSAL, *fighter.answers)
        if state.applies(r.rule) and not any(fighter.profile.has(mark) for mark in r.barred)
    ]


def to_attack(state: State, fighter: Fighter, kind: str, covered: bool) -> list[Reaction]:
    """The reactions that the target of an attack action may make."""
    if why_no_reaction(state, fighter):
        return []
    return [
        r
        for r in of_fighter(state, fighter)
        if r.when in (kind, "attack")
        and works.possible(state, fighter, r.effect[0])
        and all(covered if need == "in-cover" else abilities.has_need(state, fighter, need) for need in r.needs)
    ]


def pay(battle: Battle[State], fighter: Fighter, reaction: Reaction) -> None:
    """A reaction costs an action of this round; a waiting fighter gives up its second activation."""
    rules = [reaction.rule or "warcry.reaction.basic"]
    if battle.state.applies("warcry.reaction.cost"):
        rules.append("warcry.reaction.waiting" if fighter.waiting else "warcry.reaction.cost")
        fighter.reactions = 2 if fighter.waiting else fighter.reactions + 1
        fighter.waiting = False
    battle.emit("reacted", *rules, fighter=fighter.id, reaction=reaction.id)


@step
@decides("warcry.combat.reactions")
def targeted(battle: Battle[State]) -> Steps[None]:
    """The target of an attack action may react, before the hit rolls."""
    state = battle.state
    attack = state.attack
    assert attack is not None
    target, attacker = state.fighter(attack.target), state.fighter(attack.attacker)
    kind = attacker.profile.weapons[attack.weapon].kind
    yield from window(
        battle,
        "ask.react",
        (target.side,),
        lambda side: [
            Option(r.id, r.name, rules=(r.rule,)) for r in to_attack(state, target, kind, bool(attack.cover))
        ],
        lambda side, choice: _react(battle, target, choice, attacker.id),
        rules="warcry.reaction.basic",
        about=target.id,
        refuse=lambda side, wish: refusal(state, target, wish),
        most=1 if state.applies("warcry.reaction.one-per-action") else None,
    )


def _react(battle: Battle[State], fighter: Fighter, name: str, foe: str) -> Steps[None]:
    """A reaction is paid for, and its effects come first of all."""
    reaction = find(battle.state, name)
    pay(battle, fighter, reaction)
    for n in range(len(reaction.effect) - 1, -1, -1):
        battle.push(abilities.effect, fighter.id, reaction.id, n, 0, foe)
    return
    yield


def refusal(state: State, fighter: Fighter, wish: str) -> list[Reason]:
    """Why a reaction is not on offer."""
    reaction = known(state, wish)
    if reaction is None:
        return []
    return why_no_reaction(state, fighter) or [Reason(reaction.rule, facts={"reaction": reaction.id})]


def answerers(state: State, enemy: Fighter, moment: str) -> list[tuple[Fighter, Reaction]]:
    """Those within 1 inch of an enemy that see it and may react to what it does now."""
    return [
        (fighter, reaction)
        for fighter in engagers(state, enemy)
        if not why_no_reaction(state, fighter) and sees(state, fighter, enemy)
        for reaction in of_fighter(state, fighter)
        if reaction.when == moment and all(abilities.has_need(state, fighter, need) for need in reaction.needs)
    ]


def answer_reasons(state: State, enemy: Fighter, moment: str, wish: str) -> list[Reason]:
    """Why somebody does not react so to an enemy that leaves or comes near."""
    name, _, who = wish.partition(":")
    fighter = next((f for f in state.fighters if f.id == who), None)
    reaction = known(state, name)
    if fighter is None or reaction is None:
        return []
    if fighter.side == enemy.side:
        return [Reason("warcry.core.friendly-enemy", "reason.warcry.not-yours", {"fighter": who})]
    reasons = why_no_reaction(state, fighter)
    if reaction not in of_fighter(state, fighter):
        facts = {"reaction": name, "runemarks": list(reaction.runemarks)}
        reasons.append(Reason("warcry.ability.runemark-limit", "reason.warcry.not-its-reaction", facts))
    if reaction.when != moment:
        when = Text(f"reaction-when.{reaction.when}")
        reasons.append(Reason("warcry.reaction.basic", "reason.warcry.not-now", {"reaction": name, "when": when}))
    elif fighter.where == "field":
        gap = distance(fighter, enemy)
        if gap > ENGAGED + TOLERANCE:
            far = {"distance": round(gap, 3), "allowed": ENGAGED}
            reasons.append(Reason(reaction.rule, "reason.warcry.too-far", far))
        if not sees(state, fighter, enemy):
            reasons.append(Reason("warcry.core.visibility", facts={"fighter": enemy.id}))
        for need in reaction.needs:
            if not abilities.has_need(state, fighter, need):
                reasons.append(Reason(reaction.rule, f"reason.warcry.need.{need}", {"ability": name}))
    return reasons


def _answer(battle: Battle[State], key: str, moment: str, prompt: str, rule: str) -> Steps[None]:
    """One of them may react."""
    state = battle.state
    enemy = state.fighter(key)

    def options(side: int) -> list[Option]:
        known = answerers(state, enemy, moment)
        return [Option(f"{r.id}:{fighter.id}", r.name, refs=(fighter.id,), rules=(r.rule,)) for fighter, r in known]

    def carry_out(side: int, choice: str) -> Steps[None]:
        name, _, who = choice.partition(":")
        yield from _react(battle, state.fighter(who), name, key)

    yield from window(
        battle,
        prompt,
        (1 - enemy.side,),
        options,
        carry_out,
        rules=rule,
        about=key,
        refuse=lambda side, wish: answer_reasons(state, enemy, moment, wish),
        most=1 if state.applies("warcry.reaction.one-per-action") else None,
    )


@step
def disengaging(battle: Battle[State], key: str) -> Steps[None]:
    """One of the enemies may react before the fighter moves."""
    yield from _answer(battle, key, "disengage", "ask.react-disengage", "warcry.reaction.strike-them-down")


@step
def approached(battle: Battle[State], key: str) -> Steps[None]:
    """A fighter has moved to within 1 inch of enemies: one of them may react."""
    yield from _answer(battle, key, "approached", "ask.react-approach", "warcry.reaction.basic")
