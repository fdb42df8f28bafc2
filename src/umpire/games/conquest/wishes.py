"""Why not? Every action of Conquest, by any regiment or Character at any moment, with its target and its way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Json
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import step_name
from umpire.engine.wishes import Asked, Deed, Follow, Objections, Part, Wish, doer, means, named, targets, way, wished
from umpire.errors import unknown
from umpire.text import Text

from . import (
    action_phase,
    activation,
    characters,
    charge,
    duels,
    formation,
    hooks,
    magic,
    march,
    ranked,
    supremacy,
    volley,
)
from .drill import Manoeuvre
from .mover import Marcher
from .state import Activation, Character, Regiment, State

ConquestBattle = Battle[State]
T = TypeVar("T")


NO_TARGET = ("conquest.charge.declare", "conquest.volley.target")


def regiment_of(state: State, key: str, part: str) -> Regiment:
    """A regiment by its id; a Character stands for the one that he is with."""
    if key in state.characters:
        key = state.characters[key].regiment
    return wished("regiment", key, state.regiments, part)


class Moment:
    """A moment of a battle: the phase of a round, and whose activation is under way. Where a scene describes none, it
    begins in that moment."""

    def __init__(self, phase: tuple[int, str], active: str) -> None:
        self.phase, self.active = phase, active

    @classmethod
    def of(cls, state: State) -> Moment:
        now = state.activation
        return cls((state.round, state.phase), "" if now is None else now.character or now.regiment)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Moment) and self.phase == other.phase and (not self.active or self.active == other.active)
        )

    __hash__ = None  # type: ignore[assignment]


def moment(battle: ConquestBattle, side: int, who: Regiment | Character) -> Iterator[Reason]:
    """Why it cannot act now: whose it is, the phase, and whose activation is under way."""
    state = battle.state
    if who.side != side:
        yield Reason("conquest.round.action.alternate", "reason.wish.not-yours", {"who": who.id})
    if state.phase != "action":
        facts = {"phase": Text(f"phase.{state.phase}")}
        yield Reason("conquest.round.structure", "reason.wish.phase", facts)
    now = state.activation
    if now is None and due(state) == who.id:
        return
    if now is None or (who.id not in (now.regiment, now.character)):
        active = (now.character or now.regiment) if now is not None else Text("nobody")
        yield Reason("conquest.round.action.sequence", "reason.wish.not-active", {"who": who.id, "active": active})
        if who.activated:
            yield Reason("conquest.round.action.no-double-activation", facts={"who": who.id})
    elif len(now.actions) >= now.allowed or now.ended:
        yield Reason("conquest.round.action.deactivate", "reason.wish.actions-spent", {"actions": list(now.actions)})
    elif isinstance(who, Character) and who.acted:
        ask = battle.decision_for(who.side)
        if ask is None or ask.prompt.key != "ask.character-action" or ask.about != who.id:
            yield Reason("conquest.character.actions.one", "reason.wish.acted", {"who": who.id})


def due(state: State) -> str:
    """Whose activation begins now, if anybody's."""
    steps = (step_name(action_phase.activate), step_name(action_phase.activate_character))
    task = state.agenda[-1] if state.agenda else None
    return str(task.args[0]) if task is not None and task.step in steps else ""


def supposing(battle: ConquestBattle, regiment: Regiment, find: Callable[[], T]) -> T:
    """What would be found if this regiment were activated now."""
    state = battle.state
    now = state.activation
    if now is not None and now.regiment == regiment.id:
        return find()
    state.activation = Activation(regiment.side, regiment.id)
    try:
        return find()
    finally:
        state.activation = now


def action(name: str, of: Callable[[ConquestBattle, Regiment, Wish], Iterator[Reason]] | None = None) -> Objections:
    """An action of a regiment: the moment, the list of actions, the action's own conditions, and its target or way."""

    def objections(battle: ConquestBattle, side: int, wish: Wish) -> Iterator[Reason]:
        regiment = regiment_of(battle.state, wish.who, "who")
        yield from moment(battle, side, regiment)
        if not regiment.on_table:
            yield Reason("conquest.action.first", "reason.wish.off-table", {"who": regiment.id})
            return
        fighting = formation.in_contact(battle.state, regiment)
        own = supposing(battle, regiment, lambda: list(of(battle, regiment, wish))) if of is not None else []
        for reason in supposing(battle, regiment, lambda: against(battle, regiment, name, fighting)):
            # That there is no target at all says less than what is against this one.
            if not (own and reason.rule in NO_TARGET):
                yield reason
        yield from own

    return objections


def against(battle: ConquestBattle, regiment: Regiment, name: str, fighting: bool) -> list[Reason]:
    """Everything against an action, its own conditions included though others stand against it too."""
    found = list(standing(battle.state, action_phase.action_objections(battle, regiment, name, fighting)))
    deed = hooks.ACTIONS.get(name)
    return [*found, *(deed.may(battle, regiment) if deed is not None and deed.may is not None else ())]


def any_action(battle: ConquestBattle, side: int, wish: Wish) -> Iterator[Reason]:
    if wish.using not in hooks.ACTIONS:
        raise unknown("action", wish.using, "wish.using", hooks.ACTIONS)
    yield from OF_CHARACTERS.get(wish.using, action(wish.using))(battle, side, wish)


def every_action(battle: ConquestBattle, who: str) -> dict[str, Any]:
    return {name: Text(name) for name in hooks.ACTIONS}


def charging(battle: ConquestBattle, regiment: Regiment, wish: Wish) -> Iterator[Reason]:
    reach = charge.greatest_distance(battle, regiment)
    for key in wish.whom:
        target = regiment_of(battle.state, key, "whom")
        yield from charge.target_reasons(battle, regiment, target, reach, whole=True)


def shooting(battle: ConquestBattle, regiment: Regiment, wish: Wish) -> Iterator[Reason]:
    """A regiment is shot at; a Character only where he is a regiment by himself."""
    for key in wish.whom:
        yield from volley.attached_reasons(battle.state, key)
        target = regiment_of(battle.state, key, "whom")
        yield from volley.target_reasons(battle, regiment, target, volley.reach(battle.state, regiment), whole=True)


def casting(battle: ConquestBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """A spell by a regiment that casts, or by a Character with his own card."""
    state = battle.state
    caster = state.characters.get(wish.who)
    regiment = regiment_of(state, wish.who, "who")
    if caster is not None and not caster.alive:
        yield Reason("conquest.magic.action.who", "reason.wish.fallen", {"who": caster.id})
        return
    known = {spell.id: spell for spell in magic.spells_of(regiment, caster)}
    whom = [regiment_of(state, key, "whom") for key in wish.whom] if wish.using in known else []
    own = [why for target in whom for why in magic.target_reasons(battle, regiment, caster, known[wish.using], target)]
    ask = battle.decision_for(side)
    if ask is None or ask.prompt.key != "ask.spell" or ask.about != wish.who:  # else it is casting now
        yield from moment(battle, side, caster or regiment)
        for reason in magic.reasons(battle, regiment, caster):
            # That nobody at all is in range says less than what is against this one.
            if not (own and reason.rule == "conquest.magic.profile.range"):
                yield reason
    if wish.using not in known:
        yield Reason("conquest.magic.spells.list", facts={"spell": wish.using[:40]})
    yield from own


def spells(battle: ConquestBattle, who: str) -> dict[str, Any]:
    regiment, caster = regiment_of(battle.state, who, "who"), battle.state.characters.get(who)
    return {spell.id: spell.names for spell in magic.spells_of(regiment, caster)}


def shouting(battle: ConquestBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """A Supremacy Ability, in its phase."""
    state = battle.state
    if state.phase != "supremacy":
        yield Reason("conquest.round.structure", "reason.wish.phase", {"phase": Text(f"phase.{state.phase}")})
    yield from supremacy.ability_reasons(state, side, wish.using)


def shouts(battle: ConquestBattle) -> list[str]:
    """The Supremacy Abilities of both sides, the Warlords' and others'."""
    return list(called_shouts(battle, ""))


def called_shouts(battle: ConquestBattle, who: str) -> dict[str, Any]:
    heroes = battle.state.characters.values()
    return {one.id: one.names for hero in heroes for one in (hero.supremacy, *hero.abilities) if one is not None}


def character_of(state: State, key: str) -> Character:
    if key not in state.characters:
        raise unknown("character", key, "wish.who", state.characters)
    return state.characters[key]


def own_action(of: Callable[[ConquestBattle, Regiment, Character, Wish], Iterator[Reason]]) -> Objections:
    """An action of a Character with his own card."""

    def objections(battle: ConquestBattle, side: int, wish: Wish) -> Iterator[Reason]:
        if wish.who in battle.state.regiments:
            yield Reason("conquest.character.actions.one", "reason.wish.no-character", {"who": wish.who})
            return
        character = character_of(battle.state, wish.who)
        yield from moment(battle, side, character)
        if not character.alive:
            yield Reason("conquest.character.actions.one", "reason.wish.fallen", {"who": character.id})
            return
        yield from of(battle, regiment_of(battle.state, character.id, "who"), character, wish)

    return objections


def seeking(battle: ConquestBattle, regiment: Regiment, character: Character, wish: Wish) -> Iterator[Reason]:
    """Another regiment to be with: that there is none at all says less than what is against this one."""
    nowhere = "conquest.character.seek-escort.conditions"
    for reason in characters.escort_reasons(battle, regiment, character):
        if not (wish.whom and reason.rule == nowhere):
            yield reason
    for key in wish.whom:
        other = regiment_of(battle.state, key, "whom")
        if other is regiment or other.side != character.side:
            yield Reason(nowhere, "reason.wish.no-escort", {"regiment": other.id})
        else:
            yield from characters.new_escort_reasons(battle, regiment, character, other)


def challenging(battle: ConquestBattle, regiment: Regiment, character: Character, wish: Wish) -> Iterator[Reason]:
    """A Duel: that there is nobody at all to challenge says less than what is against this one."""
    for reason in duels.reasons(battle, regiment, character):
        if not (wish.whom and reason.rule == "conquest.character.duel.declare"):
            yield reason
    for key in wish.whom:
        wished("character", key, battle.state.characters, "whom")
        yield from duels.target_reasons(battle.state, regiment, character, key)


def duelling(battle: ConquestBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """By a Character with his own card, or as an action of one that is a regiment by himself."""

    def alone(battle: ConquestBattle, regiment: Regiment, wish: Wish) -> Iterator[Reason]:
        yield from challenging(battle, regiment, battle.state.characters[regiment.own], wish)

    own = regiment_of(battle.state, wish.who, "who").own
    yield from (action("duel", alone) if own else own_action(challenging))(battle, side, wish)


def spellcasting(battle: ConquestBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """The action, whichever spell it is: of a regiment, or of a Character with his own card."""

    def his(battle: ConquestBattle, regiment: Regiment, character: Character, wish: Wish) -> Iterator[Reason]:
        yield from magic.reasons(battle, regiment, character)

    regiment = regiment_of(battle.state, wish.who, "who")
    attached = wish.who in battle.state.characters and not regiment.own
    yield from (own_action(his) if attached else action("spellcasting"))(battle, side, wish)


OF_CHARACTERS: dict[str, Objections] = {"duel": duelling, "spellcasting": spellcasting}
"""Actions of regiments that Characters have too, with their own cards."""


def rallying(battle: ConquestBattle, regiment: Regiment, character: Character, wish: Wish) -> Iterator[Reason]:
    yield from characters.rally_reasons(battle.state, regiment)


def marching(battle: ConquestBattle, regiment: Regiment, wish: Wish) -> Iterator[Reason]:
    """The way, if one is wished for, as if the March had been chosen: what may follow it counts."""
    state, now = battle.state, battle.state.activation
    assert now is not None
    activation.change(state, actions=(*now.actions, "march"))
    try:
        limit, _ = march.march_value(battle, regiment)
        here, last = ranked.pose(regiment), not activation.can_still_act(state)

        def against(path: list[Manoeuvre]) -> list[Reason]:
            run = march.trace(state, regiment, here, path, flying=bool(hooks.granted(state, regiment, "fly")))
            return march.march_reasons(battle, regiment, path, limit, last, run)

        mover = Marcher(regiment, here, limit, against, lambda rng: None)
        yield from way(mover, wish, "conquest.march.distance")
    finally:
        state.activation = now


def activate(battle: ConquestBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Could it be named for activation now? Its card has to be the one drawn."""
    state = battle.state
    who = state.characters.get(wish.who) or regiment_of(state, wish.who, "who")
    if who.side != side:
        yield Reason("conquest.round.action.alternate", "reason.wish.not-yours", {"who": who.id})
    if state.phase != "action":
        yield Reason("conquest.round.structure", "reason.wish.phase", {"phase": Text(f"phase.{state.phase}")})
    ask = battle.decision_for(side)
    asked = ask is not None and ask.prompt.key == "ask.activate"
    if state.activation is not None and not asked:  # a draw event may seize the moment in the midst of one
        facts = {"who": who.id, "active": state.activation.character or state.activation.regiment}
        yield Reason("conquest.round.action.sequence", "reason.wish.not-active", facts)
    if who.activated:
        yield Reason("conquest.round.action.no-double-activation", facts={"who": who.id})
    if not asked:
        yield Reason("conquest.round.action.draw-card.match-name", "reason.wish.no-card", {"who": who.id})
    elif who.id not in getattr(ask, "options", {}):
        yield Reason("conquest.round.action.draw-card.match-name", facts={"who": who.id})


def passing(battle: ConquestBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """A regiment may skip its actions, unless it stands where it may not stay."""
    regiment = regiment_of(battle.state, wish.who, "who")
    yield from moment(battle, side, regiment)
    now = battle.state.activation
    if now is not None and now.start is not None:
        yield Reason("conquest.march.through-friends.two-actions", facts={"action": "pass"})
    if "entering" in regiment.flags:
        yield Reason("conquest.reinforce.entry.second-march", facts={"action": "pass"})


def acting(state: State, ask: Decision, wish: Wish) -> Json:
    """The action that a regiment or Character takes; a spell is one too."""
    if ask.about != wish.who:
        return None
    return named(ask, "spellcasting" if wish.deed == "cast" else wish.using if wish.deed == "action" else wish.deed)


FOLLOW: dict[str, Follow] = {
    "ask.activate": doer,
    "ask.action": acting,
    "ask.character-action": acting,
    "ask.charge": targets,
    "ask.volley": targets,
    "ask.duel": targets,
    "ask.spell": means,
    "ask.spell-target": targets,
}
"""How an action is done that was wished for."""


def deeds() -> dict[str, Deed]:
    """One for each action of the book, and those that are none."""
    special: dict[str, tuple[tuple[Part, ...], Callable[[ConquestBattle, Regiment, Wish], Iterator[Reason]] | None]] = {
        "charge": (("whom",), charging),
        "volley": (("whom",), shooting),
        "march": (("answer",), marching),
        "duel": (("whom",), None),
    }
    found = {
        "activate": Deed(needs=("who",), objections=activate),
        "pass": Deed(needs=("who",), objections=passing),
        "action": Deed(needs=("who", "using"), objections=any_action, uses=every_action, follow=FOLLOW),
        "cast": Deed(needs=("who", "using"), may=("whom",), objections=casting, uses=spells, follow=FOLLOW),
        "seek-escort": Deed(needs=("who",), may=("whom",), objections=own_action(seeking)),
        "supremacy": Deed(needs=("using",), may=("who",), objections=shouting, known=shouts, uses=called_shouts),
        "character-rally": Deed(needs=("who",), objections=own_action(rallying)),
    }
    for name in hooks.ACTIONS:
        may, of = special.get(name, ((), None))
        doing = f"ask.{name}" if "whom" in may else ""
        objections = OF_CHARACTERS.get(name, action(name, of))
        found[name] = Deed(needs=("who",), may=may, objections=objections, follow=FOLLOW, doing=doing)
    return found


ASKED = {"ask.activate": Asked("activate")}
"""The deeds that questions ask for."""
