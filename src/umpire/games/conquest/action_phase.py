"""Phase IV: cards are drawn in turn, a regiment is activated and takes its actions (conquest.round.action.*)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step

from . import activation, arriving, formation, hooks, march, overlapping, ranked, reinforcement
from .state import Activation, Regiment, State

PASS = "pass"


@step
def action_phase(battle: Battle[State]) -> None:
    """The First Player draws first."""
    state = battle.state
    state.phase = "action"
    battle.emit("phase", "conquest.round.structure", phase="action", round=state.round)
    battle.push(turn, state.first)


@step
def turn(battle: Battle[State], side: int) -> Steps[None]:
    """Draw the top card and activate what it names; with an empty stack play passes on."""
    from .rounds import victory_phase

    state = battle.state
    stack = state.stacks[side]
    if not stack:
        if not state.stacks[1 - side]:
            battle.push(victory_phase)
            return
        battle.emit("empty-stack", "conquest.round.action.empty-stack", side=side)
        battle.push(turn, 1 - side)
        return
    card = stack.pop(0)
    battle.reveal()
    if card in state.dead_cards[side]:
        state.dead_cards[side].remove(card)
        battle.emit("card-spent", "conquest.draw-event.turn-the-tide.card", side=side, card=card)
        battle.push(turn, 1 - side)
        return
    named = eligible(state, side, card)
    battle.emit(
        "card",
        "conquest.round.action.draw-card.match-name",
        "conquest.round.action.alternate",
        "conquest.profile.command-card",
        side=side,
        card=card,
    )
    if not named:
        rules = ["conquest.round.action.draw-card.discard-and-replace"]
        if any(r.entry == card and r.activated and r.alive for r in state.of(side)):
            rules.append("conquest.round.action.no-double-activation")
        battle.emit("card-discarded", *rules, side=side, card=card)
        battle.push(turn, side)
        return
    chosen = named[0]
    if len(named) > 1:
        options = [Option(key, refs=(key,), unit=key, drag=True) for key in named]
        rules_asked = ("conquest.round.action.draw-card.match-name", "conquest.round.action.draw-card.one-regiment")
        chosen = yield Choose(side, "ask.activate", options, rules_asked)
    state.redraw = False
    if chosen in state.characters:
        battle.plan((activate_character, chosen), (turn_over, side))
    else:
        battle.plan((activate, chosen, True), (turn_over, side))


@step
def turn_over(battle: Battle[State], side: int) -> None:
    """The opponent's turn, unless the regiment was lost before it could act and another card is drawn."""
    battle.push(turn, side if battle.state.redraw else 1 - side)


def eligible(state: State, side: int, card: str) -> list[str]:
    """Regiments and Characters of that name that may be activated."""
    found = [
        r.id
        for r in state.regiments.values()
        if r.side == side and r.entry == card and (r.on_table or r.where == "arriving")
        if not r.activated or not state.applies("conquest.round.action.no-double-activation")
    ]
    found += [
        c.id
        for c in state.characters.values()
        if c.side == side and c.entry == card and c.alive and not c.activated and not c.own
        if c.regiment and state.regiment(c.regiment).where in ("table", "garrison", "arriving")
    ]
    return found


@step
def activate(battle: Battle[State], regiment_id: str, by_card: bool) -> Steps[None]:
    """Steps 1 and 2 of an activation: the regiment is named, then its draw event; its actions follow."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    activation.begin(state, Activation(regiment.side, regiment_id, by_card=by_card))
    regiment.activated = True
    rules = ("conquest.round.action.sequence", "conquest.round.action.draw-card.one-regiment")
    battle.emit("activated", *rules, regiment=regiment_id, by_card=by_card)
    yield from hooks.moment(battle, "named", regiment, by_card=by_card)
    if not regiment.alive:
        state.redraw = by_card
        activation.end(state)
        return
    on = regiment.on_table or not state.applies("conquest.round.action.draw-event.off-table")
    if on and by_card:
        battle.plan((draw_events, regiment_id), (first_action, regiment_id))
    else:
        if by_card and regiment.profile.events:
            battle.emit("no-draw-event", "conquest.round.action.draw-event.off-table", regiment=regiment_id)
        battle.push(first_action, regiment_id)


@step
def draw_events(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """Step 2: draw events."""
    yield from hooks.moment(battle, "draw", battle.state.regiment(regiment_id), character="")


@step
def first_action(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """Before the first action; then a regiment due this round marches on, any other chooses."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    if not regiment.alive:
        activation.end(state)
        return
    if regiment.where == "arriving":
        battle.plan((arriving.enter, regiment_id), (choose_action, regiment_id))
    else:
        battle.push(choose_action, regiment_id)
    yield from hooks.moment(battle, "ready", regiment)


NEEDS = {"march": "march", "charge": "march", "occupy": "march", "leave-garrison": "march", "clash": "clash"}
"""The characteristic that an action is tied to (conquest.profile.zero); a Volley's may be a Character's."""


def action_objections(battle: Battle[State], regiment: Regiment, name: str, fighting: bool) -> Iterator[Reason]:
    """Every reason why a regiment may not take this action now; the action's own last."""
    state = battle.state
    deed = hooks.ACTIONS.get(name)
    now = state.activation
    if deed is None or now is None:
        yield Reason("conquest.action.first", facts={"action": name[:40]})
        return
    if deed.kind == "out" and fighting:
        yield Reason("conquest.action.list.out-of-combat", facts={"action": name})
    if deed.kind == "in" and not fighting:
        yield Reason("conquest.action.list.in-combat", facts={"action": name})
    if name in now.actions and name != "march" and not hooks.granted(state, regiment, "twice", action=name):
        yield Reason("conquest.action.second-different", facts={"action": name})
    tied = NEEDS.get(name)
    if tied and hooks.nothing(state, regiment, tied):
        yield Reason("conquest.profile.zero", facts={"characteristic": tied})
    if now.start is not None and name not in ("march", "charge"):
        yield Reason("conquest.march.through-friends.two-actions", facts={"action": name})
    if now.start is not None and name == "march":
        limit = march.coming_march(battle, regiment)
        if not march.may_escape(battle, regiment, ranked.pose(regiment), limit):
            yield Reason("conquest.march.through-friends.two-actions", facts={"action": name})
    if "entering" in regiment.flags and name != "march":
        yield Reason("conquest.reinforce.entry.second-march", facts={"action": name})
    yield from hooks.forbidden(battle, regiment, name)


def action_reasons(battle: Battle[State], regiment: Regiment, name: str, fighting: bool) -> list[Reason]:
    """Every reason against an action; those of the action itself only where nothing else stands against it."""
    reasons = list(standing(battle.state, action_objections(battle, regiment, name, fighting)))
    deed = hooks.ACTIONS.get(name)
    return reasons if reasons or deed is None or deed.may is None else list(deed.may(battle, regiment))


def may_act(battle: Battle[State], regiment: Regiment, name: str, fighting: bool) -> bool:
    """May it take this action? Sooner told than why not."""
    state = battle.state
    deed = hooks.ACTIONS.get(name)
    if deed is None or next(standing(state, action_objections(battle, regiment, name, fighting)), None) is not None:
        return False
    if deed.open is not None:
        return deed.open(battle, regiment)
    return deed.may is None or next(standing(state, deed.may(battle, regiment)), None) is None


SOON_TOLD = ("march", "clash", "take-aim", "combat-reform")
"""Actions that are usually open and quickly judged."""
LIKELY = {
    "charge": 12, "clash": 10, "duel": 6, "volley": 6, "march": 6, "occupy": 6, "leave-garrison": 2, "spellcasting": 6,
    "rally": 4, "combat-rally": 4, "inspire": 3, "take-aim": 2, "combat-reform": 1, "reform": 1, "withdraw": 1,
}  # fmt: skip
"""How often players who choose at random take each action: often enough what brings armies together."""


def likely(rng: Rng, fighting: bool) -> str:
    """An action that somebody might take in or out of combat, or none."""
    lots = _lots(fighting, len(hooks.ACTIONS))
    return lots[rng.below(len(lots))]


@cache
def _lots(fighting: bool, actions: int) -> list[str]:
    """The names of the actions, each as often as it is likely, and none once."""
    names = [name for name, deed in hooks.ACTIONS.items() if deed.kind != ("out" if fighting else "in")]
    return [*(name for name in names for _ in range(LIKELY.get(name, 1))), PASS]


def _deed(regiment_id: str, name: str) -> Option:
    moves = name == "march"
    return Option(name, rules=hooks.ACTIONS[name].rules, unit=regiment_id if moves else "", drag=moves)


@step
def choose_action(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """Steps 3 and 4: an action, each different from the one before (conquest.action.second-different)."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    now = state.activation
    if now is None or now.ended or len(now.actions) >= now.allowed or not regiment.on_table:
        battle.push(finish_activation, regiment_id)
        return
    fighting = battle.know(lambda: formation.in_contact(state, regiment))
    first = not now.actions
    must = now.start is not None or "entering" in regiment.flags

    passing = [] if must else [PASS]

    def names(order: Iterable[str] = hooks.ACTIONS) -> Iterator[str]:
        return (name for name in order if may_act(battle, regiment, name, fighting))

    rule = "conquest.action.first" if first else "conquest.action.second-different"
    rest = (name for name in hooks.ACTIONS if name not in SOON_TOLD)
    some = battle.know(lambda: [*passing, *islice(names((*SOON_TOLD, *rest)), 2 - len(passing))])
    if not some:
        go_back(battle, regiment)
        battle.push(finish_activation, regiment_id)
        return
    if len(some) == 1:
        name = some[0]
    else:
        name = yield Choose(
            regiment.side,
            "ask.action",
            lambda: [
                *(_deed(regiment_id, name) for name in names()),
                *(Option(name, rules=("conquest.action.pass",)) for name in passing),
            ],
            rule,
            regiment_id,
            lambda answer: action_reasons(battle, regiment, answer, fighting),
            propose=lambda rng: likely(rng, fighting),
            offered=lambda name: name in some or may_act(battle, regiment, name, fighting),
        )
    if name == PASS:
        battle.emit("passed", "conquest.action.pass", regiment=regiment_id)
        battle.push(finish_activation, regiment_id)
        return
    forced = yield from hooks.decide(battle, "forced-action", regiment, action=name)
    if forced is not None:
        name = forced["action"]
        activation.change(state, actions=(*now.actions, name))
        if name == "charge":
            from .charge import charge

            battle.plan((charge, regiment_id, forced["target"]), (after_action, regiment_id, name))
        else:
            battle.plan((march.forced_march, regiment_id, forced.get("toward", "")), (after_action, regiment_id, name))
        return
    activation.change(state, actions=(*now.actions, name))
    deed = hooks.ACTIONS[name]
    if name in now.actions and (again := hooks.granted(state, regiment, "twice", action=name)):
        rule = again
    elif len(now.actions) >= 2:
        rule = "conquest.action.extra-actions"
    battle.emit("action", rule, *deed.rules, regiment=regiment_id, action=name)
    battle.plan((deed.do, regiment_id), (after_action, regiment_id, name))


def go_back(battle: Battle[State], regiment: Regiment) -> None:
    """Nothing leads out of the friend it stands in any more: it goes back to its last legal position."""
    state = battle.state
    if state.activation is not None and state.activation.start is not None:
        ranked.put(regiment, state.activation.start)
    activation.change(state, start=None, ended=True)
    battle.emit("went-back", "conquest.march.through-friends.two-actions", regiment=regiment.id)


@step
def after_action(battle: Battle[State], regiment_id: str, name: str) -> Steps[None]:
    """An action is done."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    if state.activation is not None and state.activation.start is not None and name != "march":
        activation.change(state, start=None)
    battle.push(choose_action, regiment_id)
    if regiment.on_table:
        clear_overlap(state, regiment)
        reinforcement.push_lines(battle)
        yield from hooks.moment(battle, "after-action", regiment, action=name)


def clear_overlap(state: State, regiment: Regiment) -> None:
    """Once out of its friends a regiment has no last legal position to go back to."""
    now = state.activation
    if now is not None and now.start is not None and not overlapping.overlapped(state, regiment, ranked.pose(regiment)):
        activation.change(state, start=None)


@step
def finish_activation(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """All actions are taken; special rules may still add one. Then step 5."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    if regiment.on_table and state.activation is not None and "spent" not in state.activation.done:
        activation.change(state, done=(*state.activation.done, "spent"))
        battle.push(finish_activation, regiment_id)
        yield from hooks.moment(battle, "spent", regiment)
        return
    if regiment.on_table:
        yield from hooks.moment(battle, "deactivate", regiment)
    rules = ["conquest.round.action.deactivate", "conquest.battle.card-marker"]
    if regiment.inspired:
        rules.append("conquest.charge.inspired")
    regiment.inspired = 0
    regiment.aimed = False
    activation.end(state)
    battle.emit("deactivated", *rules, regiment=regiment_id)


@step
def activate_character(battle: Battle[State], character_id: str) -> Steps[None]:
    """A Character's own card: draw event, then one action of his own."""
    state = battle.state
    character = state.characters[character_id]
    character.activated = True
    regiment = state.regiment(character.regiment)
    activation.begin(state, Activation(character.side, regiment.id, character_id, allowed=1))
    battle.emit("activated", "conquest.round.action.draw-card.one-regiment", regiment=character_id, by_card=True)
    battle.push(end_character, character_id)
    if not regiment.on_table:
        rules = ("conquest.action.pass", "conquest.round.action.draw-event.off-table")
        battle.emit("passed", *rules, regiment=character_id)
        return
    battle.push(character_action, character_id)
    yield from hooks.moment(battle, "draw", regiment, character=character_id)


@step
def character_action(battle: Battle[State], character_id: str) -> Steps[None]:
    character = battle.state.characters[character_id]
    if character.alive and battle.state.regiment(character.regiment).on_table:
        regiment = battle.state.regiment(character.regiment)
        yield from hooks.moment(battle, "character", regiment, character=character_id)


@step
def end_character(battle: Battle[State], character_id: str) -> None:
    activation.end(battle.state)
    battle.emit("deactivated", "conquest.round.action.deactivate", regiment=character_id)
