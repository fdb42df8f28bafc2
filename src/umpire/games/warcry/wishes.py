"""Why not? Every deed of Warcry, put to the umpire at any moment: the moment, the fighter, the target, the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Json
from umpire.engine.rulings import Reason, standing
from umpire.engine.wishes import Asked, Deed, Follow, Wish, doer, means, named, way, wished
from umpire.errors import unknown
from umpire.games.warcry import abilities, attack, combat, move, reactions, rounds, treasure
from umpire.games.warcry.legs import Tracer, allowance
from umpire.games.warcry.mover import FighterMover
from umpire.games.warcry.state import Fighter, State, to_spot
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

WarcryBattle = Battle[State]
Of = Callable[[State, Fighter, Wish], Iterator[Reason]]


def moment_of(state: State) -> object:
    """Whose turn of the combat phase it is and who acts, or that wild dice are used; None for all that lies between. A
    turn in which only one fighter can be activated asks nobody, and is a turn all the same."""
    if state.phase not in ("initiative", "combat"):
        return None
    return state.round, state.phase, state.turn, state.active.fighter if state.active is not None else ""


def moment(state: State, side: int, fighter: Fighter) -> Iterator[Reason]:
    """Why this is not the moment for an action of this fighter."""
    if fighter.side != side:
        yield Reason("warcry.core.friendly-enemy", "reason.warcry.not-yours", {"fighter": fighter.id})
    if state.phase != "combat":
        yield Reason("warcry.combat.round", "reason.warcry.phase", {"phase": Text(f"phase.{state.phase}")})
    active = state.active
    if active is None or active.fighter != fighter.id:
        facts = {"fighter": fighter.id, "active": active.fighter if active else Text("nobody")}
        yield Reason("warcry.combat.activation", "reason.warcry.not-active", facts)
        yield from combat.activation_reasons(fighter)


def action(of: Of) -> Callable[[WarcryBattle, int, Wish], Iterator[Reason]]:
    """An action of the active fighter: the moment, an action that is left, and the action's own conditions."""

    def objections(battle: WarcryBattle, side: int, wish: Wish) -> Iterator[Reason]:
        state = battle.state
        fighter = fighter_of(state, wish.who, "who")
        yield from moment(state, side, fighter)
        active = state.active
        if active is not None and active.fighter == fighter.id and active.left == 0:
            yield combat.no_action_left(fighter, active)
        if fighter.where == "field":
            yield from of(state, fighter, wish)

    return objections


def fighter_of(state: State, key: str, part: str) -> Fighter:
    return wished("fighter", key, {fighter.id: fighter for fighter in state.fighters}, part)


def moving(state: State, fighter: Fighter, wish: Wish) -> Iterator[Reason]:
    yield from move.move_objections(state, fighter)
    limit, _ = allowance(state, fighter)
    yield from way(FighterMover(Tracer(state, fighter, limit)), wish, "warcry.move.action")


def disengaging(state: State, fighter: Fighter, wish: Wish) -> Iterator[Reason]:
    found = move.disengage_refusal(state, fighter)
    yield from found
    mover = FighterMover(Tracer(state, fighter, move.DISENGAGE, True))
    yield from way(mover, wish, "warcry.disengage.action")
    if wish.answer is None and not found and move.way_out(state, fighter) is None:
        yield move.shut_in(fighter)


def attacking(state: State, fighter: Fighter, wish: Wish) -> Iterator[Reason]:
    """With the weapon that is named; without one, what stands against each if none will do."""
    target = fighter_of(state, wish.whom[0], "whom")
    arms = range(len(fighter.profile.weapons))
    if wish.using:
        named = [n for n in arms if wish.using in (str(n), fighter.profile.weapons[n].runemark)]
        if not named:
            known = [weapon.runemark for weapon in fighter.profile.weapons]
            raise unknown("weapon", wish.using, "wish.using", known)
        arms = range(named[0], named[0] + 1)
    if target.side == fighter.side:
        yield Reason("warcry.core.friendly-enemy", "reason.warcry.not-enemy", {"fighter": target.id})
    if target.where != "field":
        yield Reason("warcry.attack.target", "reason.warcry.off-field", {"fighter": target.id})
    elif target.side != fighter.side:
        found = [list(standing(state, attack.target_reasons(state, fighter, n, target))) for n in arms]
        if all(found):
            told = [reason for reasons in found for reason in reasons]
            yield from (reason for n, reason in enumerate(told) if reason not in told[:n])


def arms(battle: WarcryBattle, who: str) -> dict[str, Any]:
    """A fighter's weapons by their place on its card."""
    profile = fighter_of(battle.state, who, "who").profile
    return {str(n): Text(f"weapon.{weapon.runemark}") for n, weapon in enumerate(profile.weapons)}


def skills(battle: WarcryBattle, who: str) -> dict[str, Any]:
    state = battle.state
    return {one.id: one.name for one in abilities.of_fighter(state, fighter_of(state, who, "who"))}


def answers(battle: WarcryBattle, who: str) -> dict[str, Any]:
    state = battle.state
    return {one.id: one.name for one in reactions.of_fighter(state, fighter_of(state, who, "who"))}


def tokens(battle: WarcryBattle, who: str) -> dict[str, Any]:
    return {token.id: battle.game.name(battle.state, token.id) for token in battle.state.treasures}


def wild_ways(battle: WarcryBattle, who: str) -> dict[str, Any]:
    joined = {f"join-{score}": Text("wish.wild.join", {"score": score}) for score in range(1, 7)}
    return {"single": Text("wish.wild.single"), "save": Text("wish.wild.save"), **joined}


def waiting(state: State, fighter: Fighter, wish: Wish) -> Iterator[Reason]:
    return iter(())


def dropping(state: State, fighter: Fighter, wish: Wish) -> Iterator[Reason]:
    if not fighter.carrying:
        yield Reason("warcry.treasure.drop-action", "reason.warcry.not-carrying", {"fighter": fighter.id})


def use(battle: WarcryBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """An ability: it takes no action, but it is used in the fighter's own activation."""
    state = battle.state
    fighter = fighter_of(state, wish.who, "who")
    if abilities.known(state, wish.using) is None:
        raise unknown("ability", wish.using, "wish.using", [one.id for one in abilities.of_fighter(state, fighter)])
    yield from moment(state, side, fighter)
    if fighter.where == "field":
        yield from abilities.use_reasons(state, fighter, wish.using)
        for key in wish.whom:
            fighter_of(state, key, "whom")
            yield from abilities.target_reasons(state, fighter, wish.using, key)


def react(battle: WarcryBattle, side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    fighter = fighter_of(state, wish.who, "who")
    known = [reaction.id for reaction in reactions.of_fighter(state, fighter)]
    if reactions.known(state, wish.using) is None:
        raise unknown("reaction", wish.using, "wish.using", known)
    if fighter.side != side:
        yield Reason("warcry.core.friendly-enemy", "reason.warcry.not-yours", {"fighter": fighter.id})
    yield from reactions.why_no_reaction(state, fighter)
    reaction = reactions.find(state, wish.using)
    if wish.using not in known:
        facts = {"reaction": reaction.id, "runemarks": list(reaction.runemarks)}
        yield Reason("warcry.ability.runemark-limit", "reason.warcry.not-its-reaction", facts)
    struck = state.attack is not None and state.attack.target == fighter.id
    moment_is_now = struck if reaction.when in ("melee", "missile", "attack") else _open_to(battle, fighter)
    if not moment_is_now:
        when = Text(f"reaction-when.{reaction.when}")
        yield Reason("warcry.reaction.basic", "reason.warcry.not-now", {"reaction": reaction.id, "when": when})
    elif struck and state.attack is not None:
        weapon = state.fighter(state.attack.attacker).profile.weapons[state.attack.weapon]
        possible = reactions.to_attack(state, fighter, weapon.kind, bool(state.attack.cover))
        if reaction.id not in [one.id for one in possible]:
            yield Reason(reaction.rule, "reason.warcry.reaction-condition", {"reaction": reaction.id})


def _open_to(battle: WarcryBattle, fighter: Fighter) -> bool:
    """Is the question open in which this fighter could answer an enemy that leaves or comes near?"""
    ask = battle.decision
    return (
        ask is not None and ask.side == fighter.side and ask.prompt.key in ("ask.react-disengage", "ask.react-approach")
    )


def activate(battle: WarcryBattle, side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    fighter = fighter_of(state, wish.who, "who")
    yield from turn(state, side)
    if fighter.side != side:
        yield Reason("warcry.core.friendly-enemy", "reason.warcry.not-yours", {"fighter": fighter.id})
    yield from combat.activation_reasons(fighter)


def turn(state: State, side: int) -> Iterator[Reason]:
    """Why it is not this side's turn to activate somebody."""
    if state.phase != "combat":
        yield Reason("warcry.combat.round", "reason.warcry.phase", {"phase": Text(f"phase.{state.phase}")})
    elif state.active is not None:
        yield Reason("warcry.combat.activation", "reason.warcry.activation-open", {"fighter": state.active.fighter})
    elif state.turn != side:
        yield Reason("warcry.combat.activation", "reason.warcry.not-your-turn", {"player": f"side.{state.turn}"})


def passing(battle: WarcryBattle, side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    yield from turn(state, side)
    ready = [f.id for f in state.fighters if f.side == side and combat.may_activate(f)]
    if ready:
        yield Reason("warcry.combat.must-activate", "reason.warcry.must-activate", {"fighters": ready})


def picking_up(battle: WarcryBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Treasure is picked up on the way of a move action, not as an action of its own."""
    state = battle.state
    fighter = fighter_of(state, wish.who, "who")
    tokens = [token.id for token in state.treasures]
    if wish.using and wish.using not in tokens:
        raise unknown("treasure", wish.using, "wish.using", tokens)
    if fighter.side != side:
        yield Reason("warcry.core.friendly-enemy", "reason.warcry.not-yours", {"fighter": fighter.id})
    yield from treasure.why_not_carry(state, fighter)
    ask = battle.decision
    if ask is None or ask.prompt.key != "ask.pick-up" or ask.about != fighter.id:
        yield Reason("warcry.treasure.pick-up", "reason.warcry.not-moving", {"fighter": fighter.id})
        near = [token for token in state.treasures if wish.using in ("", token.id) and not token.carrier]
        if fighter.where == "field" and near:
            token = min(near, key=lambda token: to_spot(fighter, token.x, token.y, token.z))
            if to_spot(fighter, token.x, token.y, token.z) > treasure.REACH + TOLERANCE:
                yield from treasure.token_reasons(state, fighter, token.id, treasure.REACH, "warcry.treasure.pick-up")
    elif wish.using:
        yield from ask.check(wish.using).reasons


def wild(battle: WarcryBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """A wild die: `single`, `save`, or `join-<score>`."""
    state = battle.state
    ways = ["single", "save", *(f"join-{score}" for score in range(1, 7))]
    if wish.using not in ways:
        raise unknown("option", wish.using, "wish.using", ways)
    player = state.players[side]
    ask = battle.decision_for(side)
    if state.phase != "initiative":
        facts = {"phase": Text(f"phase.{state.phase}")}
        yield Reason("warcry.initiative.wild-gain", "reason.warcry.wild-phase", facts)
    elif ask is None or ask.prompt.key != "ask.wild":
        holder = {"player": f"side.{state.initiative}"}
        yield Reason("warcry.initiative.wild-order", "reason.warcry.wild-order", holder)
    if not player.wild:
        yield Reason("warcry.initiative.wild-gain", "reason.warcry.no-wild", {"dice": 0})
    score = wish.using.removeprefix("join-")
    if score.isdigit() and int(score) not in rounds.upgrades(player):
        yield from rounds.wild_reasons(player, wish.using)


def acting(state: State, ask: Decision, wish: Wish) -> Json:
    """An attack with the weapon that is named, else with the first that reaches; an ability."""
    if ask.about != wish.who:
        return None
    if wish.deed != "attack":
        return named(ask, f"ability-{wish.using}")
    weapons = fighter_of(state, wish.who, "who").profile.weapons
    arms = [n for n, weapon in enumerate(weapons) if wish.using in ("", str(n), weapon.runemark)]
    return named(ask, *(f"attack-{n}-{key}" for n in arms for key in wish.whom))


FOLLOW: dict[str, Follow] = {"ask.activate": doer, "ask.act": acting}
"""How an attack or ability comes about that was wished for."""

DEEDS = {
    "activate": Deed(needs=("who",), objections=activate),
    "pass": Deed(objections=passing),
    "move": Deed(needs=("who",), may=("answer",), objections=action(moving)),
    "disengage": Deed(needs=("who",), may=("answer",), objections=action(disengaging)),
    "attack": Deed(needs=("who", "whom"), may=("using",), objections=action(attacking), uses=arms, follow=FOLLOW),
    "wait": Deed(needs=("who",), objections=action(waiting)),
    "drop": Deed(needs=("who",), objections=action(dropping)),
    "pick-up": Deed(needs=("who",), may=("using",), objections=picking_up, uses=tokens),
    "wild": Deed(needs=("using",), objections=wild, uses=wild_ways),
    "ability": Deed(needs=("who", "using"), may=("whom",), objections=use, uses=skills, follow=FOLLOW),
    "react": Deed(needs=("who", "using"), objections=react, uses=answers, follow={"ask.react": means}),
}

ASKED = {"ask.activate": Asked("activate")}
"""The deeds that questions ask for."""
