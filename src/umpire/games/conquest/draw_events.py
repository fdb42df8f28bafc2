"""Draw events (chapter 11): what happens when a command card is drawn, before the first action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, pick
from umpire.engine.effects import Effect
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.space.shapes import TOLERANCE

from . import formation, march, wounds
from .hooks import KNOWN_EVENTS, distinct, grants, moment_of
from .profiles import Rule
from .state import Character, Regiment, State

NONE = "none"
TOLD = 12.0

Event = Callable[[Battle[State], Regiment, Rule, Character | None], Any]
EVENTS: dict[str, Event] = {}


def event(name: str) -> Callable[[Event], Event]:
    def register(function: Event) -> Event:
        EVENTS[name] = function
        KNOWN_EVENTS[name] = f"conquest.draw-event.{name}"
        return function

    return register


@decides("conquest.profile.draw-events-and-special-rules")
def events_of(state: State, regiment: Regiment, character: Character | None) -> tuple[Rule, ...]:
    """Every draw event of a regiment with its command models, or of a Character; the Warlord has Turn the Tide."""
    lord = character or state.characters.get(regiment.own)
    warlord = lord is not None and lord.warlord and state.applies("conquest.character.warlord")
    tide = (Rule("turn-the-tide"),) if warlord else ()
    if character is not None:
        return character.profile.events + tide
    present = [m for stand in regiment.stands for m in stand.models]
    given = tuple(e for model in regiment.models if model.id in present for e in model.events)
    return regiment.profile.events + given + tide


@moment_of("draw")
def draw(battle: Battle[State], regiment: Regiment, character: str = "", **facts: Any) -> Steps[None]:
    """One draw event is resolved; those of this chapter cannot be declined (conquest.draw-event.compulsory)."""
    state = battle.state
    who = state.characters[character] if character else None
    printed = tuple(rule for rule in events_of(state, regiment, who) if state.applies(KNOWN_EVENTS[rule.name]))
    if not printed:
        return
    known = {rule.name: rule for rule in distinct(printed)}
    compulsory = state.options.draw_events == "compulsory" and state.applies("conquest.draw-event.compulsory")
    choices = [*known, *(() if compulsory else (NONE,))]
    name = choices[0]
    rules = ["conquest.round.action.draw-event.resolve"]
    if len(choices) > 1:
        asks = ("conquest.round.action.draw-event.multiple", *rules)
        options = [Option(key, rules=(KNOWN_EVENTS[key],) if key != NONE else ()) for key in choices]
        about = character or regiment.id

        def refuse(wish: str) -> list[Reason]:
            if wish == NONE:
                return [Reason("conquest.draw-event.compulsory", facts={"who": about})]
            return [Reason(rules[0], facts={"who": about, "event": wish})] if wish in KNOWN_EVENTS else []

        name = yield Choose(regiment.side, "ask.draw-event", options, asks, about, refuse)
        rules.append("conquest.round.action.draw-event.multiple")
    if name == NONE:
        battle.emit("draw-event-declined", rules[0], who=character or regiment.id)
        return
    if sum(rule.name == name for rule in printed) > 1:
        rules.append("conquest.draw-event.stacking")
    battle.emit("draw-event", KNOWN_EVENTS[name], *rules, who=character or regiment.id, name=name)
    result = EVENTS[name](battle, regiment, known[name], who)
    if result is not None:
        yield from result


def _until_round_end(state: State, regiment: Regiment, what: str, value: float, rule: str) -> None:
    """conquest.round.action.draw-event.until-end-of-round"""
    effects.add(state, Effect(regiment.id, what, "add", value, rule, source=rule, until="round"))


def _mark(regiment: Regiment, name: str) -> None:
    regiment.flags = (*regiment.flags, name)


@event("bastion")
def bastion(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> None:
    """+X Defense for all stands; as a rule given to the regiment, so that Linebreaker can ignore it."""
    _until_round_end(battle.state, regiment, "rule:bastion", rule.value, "conquest.draw-event.bastion")
    battle.emit(
        "until-round-end",
        "conquest.draw-event.bastion",
        "conquest.round.action.draw-event.until-end-of-round",
        regiment=regiment.id,
        value=rule.value,
    )


@event("biotic-renewal")
def biotic_renewal(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> Steps[None]:
    """A D6 of healing for Infantry, a D3 for others."""
    cite = "conquest.draw-event.biotic-renewal"
    if regiment.profile.type == "infantry":
        points = battle.roll(1, "heal", cite, side=regiment.side, who=regiment.id).faces[0]
    else:
        points = battle.d3("heal", cite, side=regiment.side, who=regiment.id)
    yield from wounds.heal(battle, regiment, points, cite)


@event("burnout")
def burnout(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> None:
    """+1 Clash, +2 March and Decay (3)."""
    cite = "conquest.draw-event.burnout"
    _until_round_end(battle.state, regiment, "clash", 1, cite)
    _until_round_end(battle.state, regiment, "march", 2, cite)
    _until_round_end(battle.state, regiment, "rule:decay", 3, cite)
    if regiment.character:
        battle.emit("reaches-character", "conquest.character.affected-by-regiment", cite, character=regiment.character)


@event("double-time")
def double_time(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> None:
    _mark(regiment, "double-time")


@event("fire-and-advance")
def fire_and_advance(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> None:
    _mark(regiment, "fire-and-advance")


@event("flux-powered")
def flux_powered(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> Steps[None]:
    """+2 Clash or +2 Attacks, chosen now."""
    cite = "conquest.draw-event.flux-powered"
    what = yield Choose(regiment.side, "ask.flux", ["clash", "attacks"], cite, regiment.id)
    _until_round_end(battle.state, regiment, what, 2, cite)
    battle.emit("flux", cite, regiment=regiment.id, what=what)


@event("murderous-volley")
def murderous_volley(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> None:
    _mark(regiment, "murderous-volley")


@grants("volley-morale")
def volley_morale(state: State, regiment: Regiment, target: Regiment, **facts: Any) -> str:
    """After Take Aim, wounds of a Volley on an enemy within 12 inches cause a Morale Test."""
    if "murderous-volley" not in regiment.flags or not regiment.aimed:
        return ""
    near = formation.distance(state, regiment, target) <= TOLD + TOLERANCE
    return "conquest.draw-event.murderous-volley" if near else ""


@event("regeneration")
def regeneration(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> Steps[None]:
    """X wounds of the regiment without its Character; or, if he has the event, of the Character alone."""
    if character is None or character.own:
        yield from wounds.heal(battle, regiment, rule.value, "conquest.draw-event.regeneration", skip_character=True)
        return
    cite = "conquest.draw-event.regeneration.character"
    if not battle.state.applies(cite):
        return
    stopped = wounds.heal_reasons(battle, regiment)
    if stopped:
        battle.emit("not-healed", cite, *(r.rule for r in stopped), regiment=regiment.id)
        return
    healed = min(rule.value, character.wounds)
    character.wounds -= healed
    battle.emit("healed", cite, regiment=character.id, points=rule.value, spent=healed)


@event("turn-the-tide")
def turn_the_tide(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> Steps[None]:
    """A friend within 12 inches that has not been activated is activated at once, without its draw event."""
    from .action_phase import activate

    state = battle.state
    character = character or state.characters[regiment.own]
    stand = next(s for s in regiment.stands if s.character == character.id)
    cite = "conquest.draw-event.turn-the-tide"
    open_to: list[str] = []
    refused: dict[str, list[Reason]] = {}
    for friend in state.on_table(regiment.side):
        far = formation.stand_distance(state, regiment, stand, friend) if friend is not regiment else 0.0
        if friend.activated or far > TOLD + TOLERANCE:
            refused[friend.id] = [Reason(cite, facts={"distance": round(far, 3), "activated": friend.activated})]
        else:
            open_to.append(friend.id)
    if not open_to:
        battle.emit("no-tide", cite, character=character.id)
        return
    key = yield from pick(regiment.side, "ask.turn-the-tide", open_to, cite, character.id, refused)
    chosen = state.regiment(key)
    if chosen.entry in state.stacks[regiment.side]:
        state.dead_cards[regiment.side].append(chosen.entry)
    battle.emit("turn-the-tide", cite, "conquest.character.measure", character=character.id, regiment=key)
    battle.push(activate, key, False)


@event("seize-the-moment")
def seize_the_moment(battle: Battle[State], regiment: Regiment, rule: Rule, character: Character | None) -> None:
    """The next card is drawn and played at once; then the Character acts."""
    battle.push(seize, regiment.side)


@step
def seize(battle: Battle[State], side: int) -> Steps[None]:
    """Draw cards until one activates something; none left, nothing happens."""
    from .action_phase import activate, activate_character, eligible

    state = battle.state
    cite = "conquest.draw-event.seize-the-moment"
    while state.stacks[side]:
        card = state.stacks[side].pop(0)
        battle.reveal()
        if card in state.dead_cards[side]:
            state.dead_cards[side].remove(card)
            battle.emit("card-spent", "conquest.draw-event.turn-the-tide.card", side=side, card=card)
            return
        named = eligible(state, side, card)
        battle.emit("card", "conquest.round.action.draw-card.match-name", cite, side=side, card=card)
        if not named:
            battle.emit("card-discarded", "conquest.round.action.draw-card.discard-and-replace", side=side, card=card)
            continue
        key = yield from pick(side, "ask.activate", named, "conquest.round.action.draw-card.match-name")
        state.redraw = False
        if key in state.characters:
            battle.plan((activate_character, key), (seized, side))
        else:
            battle.plan((activate, key, True), (seized, side))
        return
    battle.emit("nothing-to-seize", cite, side=side)


@step
def seized(battle: Battle[State], side: int) -> None:
    """A regiment lost before it could act is replaced by the next card, as in any draw."""
    if battle.state.redraw:
        battle.state.redraw = False
        battle.push(seize, side)


@moment_of("spent")
def third_march(battle: Battle[State], regiment: Regiment, **facts: Any) -> Steps[None]:
    """Double Time: two March actions taken, one free March may follow."""
    activation = battle.state.activation
    if "double-time" not in regiment.flags or activation is None or activation.ended:
        return
    if activation.actions.count("march") == 2 and regiment.where == "table":
        yield from free_march(battle, regiment, "conquest.draw-event.double-time")


@moment_of("after-action")
def march_after_volley(battle: Battle[State], regiment: Regiment, action: str = "", **facts: Any) -> Steps[None]:
    """Fire and Advance: the second action was a Volley."""
    activation = battle.state.activation
    if "fire-and-advance" not in regiment.flags or action != "volley" or activation is None:
        return
    if len(activation.actions) == 2 and regiment.where == "table":
        yield from free_march(battle, regiment, "conquest.draw-event.fire-and-advance")


def free_march(battle: Battle[State], regiment: Regiment, rule: str) -> Steps[None]:
    """A March that is no action: staying where it is declines it."""
    if formation.in_contact(battle.state, regiment):
        return
    limit, why = battle.know(lambda: march.march_value(battle, regiment, "free-march"))
    path, _ = yield from march.ask_march(battle, regiment, limit, "ask.free-march", True, rule)
    yield from march.carry_out(battle, regiment, path, "marched", rule, "conquest.action.extra-actions", *why)
