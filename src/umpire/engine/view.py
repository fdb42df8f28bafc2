"""Views: what a side may know, made once, here; whatever leaves the engine for a player goes through this."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from umpire.engine.copying import copy
from umpire.engine.decisions import Decision, Held, Json, Judged, Spot, Stretch
from umpire.engine.dice import DiceState
from umpire.engine.events import Event
from umpire.engine.explain import explain, ruling_wire
from umpire.engine.picture import Card, Piece
from umpire.engine.rulings import Ruling
from umpire.engine.state import State
from umpire.text import LANGUAGES, Names, Text, both, catalogue

if TYPE_CHECKING:
    from umpire.engine.battle import Battle


def redacted(battle: Battle[Any], side: int | None) -> State:
    """A copy of the state without what this side (None: somebody who only watches) may not know."""
    state: State = copy(battle.state)
    state.dice = DiceState(source=state.dice.source, rolled=state.dice.rolled, shown=state.dice.shown)
    state.agenda = []
    battle.game.hide(state, -1 if side is None else side)
    return state


def visible(event: Event, side: int | None) -> bool:
    return event.seen is None or (side is not None and side in event.seen)


def numbered(events: Sequence[Event], side: int | None, since: int = 0) -> list[tuple[int, Event]]:
    """The events from the index `since` on that this side may know of, numbered as this side counts them: what it may
    not know of leaves no gap."""
    hidden = sum(1 for event in events[:since] if event.seen is not None and not visible(event, side))
    return list(enumerate((event for event in events[since:] if visible(event, side)), since - hidden))


def localise(value: Any, game: str, names: Names) -> Any:
    """Plain data in which every text is spelt out in both languages."""
    kind = type(value)
    if kind in _SILENT:
        return value
    if kind is Text:
        return {"key": value.key, **both(value, game, names)} if value.args else _said(value.key, game)
    if kind is tuple or kind is list:
        if value and type(value[0]) in _SILENT and all(type(v) in _SILENT for v in value):
            return value
        return [localise(v, game, names) for v in value]
    if kind is dict and all(type(v) in _SILENT for v in value.values()) and "key" not in value:
        return value
    if isinstance(value, msgspec.Struct):
        return {
            name: said if silent else localise(said, game, names)
            for name, silent in _fields(type(value))
            if (said := getattr(value, name)) is not msgspec.UNSET
        }
    if isinstance(value, Mapping):
        if "key" in value and value.keys() <= {"key", "args"}:
            return {"key": value["key"], **both(value, game, names)}
        return {k: localise(v, game, names) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [localise(v, game, names) for v in value]
    return value


_SILENT = frozenset({str, int, float, bool, type(None)})


@functools.lru_cache(maxsize=4096)
def _said(key: str, game: str) -> dict[str, str]:
    """A text without arguments is the same for everybody."""
    return {"key": key, **both(Text(key), game)}


@functools.cache
def _fields(kind: type[msgspec.Struct]) -> list[tuple[str, bool]]:
    """The fields of a struct, and whether a field's type leaves no room for a text (coordinates, ids, numbers)."""
    return [(field.name, _is_silent(field.type)) for field in msgspec.structs.fields(kind)]


def _is_silent(kind: Any) -> bool:
    parts = [part for part in get_args(kind) if part is not Ellipsis]
    if get_origin(kind) is Literal:
        return True
    if get_origin(kind) is Annotated:
        return _is_silent(parts[0])
    if get_origin(kind) in (tuple, list, Union, UnionType):
        return all(_is_silent(part) for part in parts)
    return kind in _SILENT


def decision_wire(decision: Decision, game: str, names: Names) -> dict[str, Any]:
    wire: dict[str, Any] = localise(decision.wire(), game, names)
    rows = wire.get("rows", ())
    offered = [option for row in rows for options in row["choices"].values() for option in options]
    for option in (*wire.get("options", ()), *rows, *offered):
        if not option.get("label"):
            option["label"] = both(option["id"], game, names)
    return wire


def in_hand(battle: Battle[Any], decision: Judged, state: State, shown: Iterable[str]) -> dict[str, Any]:
    """The form of a question with the pieces that it moves and the shapes of those that are not `shown` on the table;
    and what a hand holds when the question is put: where the pieces stand or would usually stand, and what leads."""
    form, about, draw = decision.form, decision.about, battle.game.pieces
    there = set(shown)
    known: dict[str, Piece] = {}
    models: dict[str, tuple[str, ...]] = {}
    if draw is not None:
        for key in (about, *form.pieces):
            if key and key not in known and (key == about or key not in there):
                pieces = draw(state, key)
                known |= {piece.id: piece for piece in pieces}
                models[key] = tuple([piece.id for piece in pieces])
    # A unit that moves as a block is drawn as its models, and a hand carries those.
    moved = [one for key in form.pieces for one in (not (key in there or key in known) and models.get(key)) or (key,)]
    wanted = tuple(moved) or tuple(known) or ((about,) if about else ())
    shapes = {
        key: Held(p.shape, p.height, p.icon, p.figure) for key, p in known.items() if key in wanted and key not in there
    }
    usual = decision.default
    if usual is None and decision.kind == "place":
        usual = decision.suggest()
    stands = decision.mover.begins()
    lead: Stretch | Spot | None = form.start
    if not stands and usual is not None and (decision.kind == "place" or not there.issuperset(wanted)):
        stands, lead = decision.ends(usual), decision.lead(usual)
    return {
        "form": msgspec.structs.replace(form, pieces=wanted, shapes={**form.shapes, **shapes}),
        "hand": {"stands": msgspec.to_builtins(stands), "lead": msgspec.to_builtins(lead)},
        **({} if usual is None else {"default": usual}),
    }


def weighed(battle: Battle[Any], side: int, wish: Json, ruling: Ruling, state: State) -> dict[str, Any]:
    """Everything about a wish at once: the ruling with its reasons; and of what would be done, the wish itself or the
    `nearest` that is legal, the way and its cost, where the pieces would stand, the odds, and who would see them.

    `state` is what that side may know.
    """
    game, names = battle.game, _names(battle, state)
    told = ruling_wire(ruling, game.id, names)
    told |= {"path": {}, "cost": 0.0, "stands": {}, "lead": None, "spelt": None, "odds": None, "seen_by": []}
    taken = wish if ruling.legal else ruling.nearest
    if taken is None:
        return told
    ask = battle.decision_for(side)
    assert ask is not None
    told["odds"] = localise(battle.odds(taken, side), game.id, names)
    if not isinstance(ask, Judged) or ask.kind == "face":
        return told
    path, stands = ask.route(taken), ask.ends(taken)
    told |= {
        "path": path,
        "cost": round(max([math.fsum(leg.cost for leg in legs) for legs in path.values()], default=0.0), 3),
        "stands": stands,
        "lead": ask.lead(taken),
        "spelt": ask.spelt(taken),
    }
    if path and game.seen_by is not None:
        told["seen_by"] = game.seen_by(state, ask.about, {key: legs[-1] for key, legs in path.items()})
    return told


def event_wire(event: Event, number: int, game: str, names: Names) -> dict[str, Any]:
    wire: dict[str, Any] = msgspec.to_builtins(event)
    wire["n"] = number
    wire["text"] = {lang: explain(event, game, names, lang) for lang in LANGUAGES}
    return wire


def view(battle: Battle[Any], side: int | None, since: int = 0, data: bool = True) -> dict[str, Any]:
    """Everything a client needs: the state, the picture, the questions, the events from number `since` on.

    Clients that only draw want no `data`, which is the state itself and by far the largest part.
    """
    return views(battle, (side,), since, data)[0]


def open_view(battle: Battle[Any]) -> dict[str, Any]:
    """The whole table, as a judge sees it who sets a position up: nothing is hidden, every open question is there."""
    first = battle.decision.side if battle.decision is not None else 0
    state = copy(battle.state)
    picture = _drawn(battle, first, state)
    seen = _view(battle, first, state, picture, 0, data=False)
    for ask in battle.decisions[1:]:
        seen["decisions"] += _view(battle, ask.side, state, picture, len(battle.events), data=False)["decisions"]
    names = _names(battle, state)
    seen["events"] = [event_wire(event, n, battle.game.id, names) for n, event in enumerate(battle.events)]
    return seen


class Told:
    """The cards that each side was shown, as they were spelt out: cards are most of a view, and few of them change from
    one to the next. They are kept as JSON, once where both sides were shown the same."""

    def __init__(self) -> None:
        self._cards: dict[str, dict[int | None, tuple[bytes, msgspec.Raw]]] = {}

    def spell(self, side: int | None, card: Card, game: str, names: Names) -> msgspec.Raw:
        shown = self._cards.setdefault(card.id, {})
        stamp = blake2b(msgspec.msgpack.encode(card), digest_size=16).digest()
        known = shown.get(side)
        if known is None or known[0] != stamp:
            spelt = msgspec.Raw(msgspec.json.encode(localise(card, game, names)))
            same = next((one for _, one in shown.values() if one == spelt), spelt)
            known = shown[side] = stamp, same
        return known[1]


def views(
    battle: Battle[Any], sides: Iterable[int | None], since: int = 0, data: bool = True, told: Told | None = None
) -> list[dict[str, Any]]:
    """The view of each of these sides. Sides that may know exactly the same are given the same picture.

    Whoever asks again and again hands in `told`, and is given cards that are JSON already.
    """
    drawn: list[tuple[State, dict[str, Any]]] = []
    made = []
    for side in sides:
        state = redacted(battle, side)
        picture = next((picture for known, picture in drawn if known == state), None)
        if picture is None:
            picture = _drawn(battle, side, state, told)
            drawn.append((state, picture))
        made.append(_view(battle, side, state, picture, since, data))
    return made


def _drawn(battle: Battle[Any], side: int | None, state: State, told: Told | None = None) -> dict[str, Any]:
    game, names = battle.game.id, _names(battle, state)
    picture = battle.game.picture(state)
    drawn: dict[str, Any] = localise(
        picture if told is None else msgspec.structs.replace(picture, cards=()), game, names
    )
    if told is not None:
        drawn["cards"] = [told.spell(side, card, game, names) for card in picture.cards]
    return drawn


def _names(battle: Battle[Any], state: State) -> Names:
    return lambda key: battle.game.name(state, key)


def _view(
    battle: Battle[Any], side: int | None, state: State, picture: dict[str, Any], since: int, data: bool
) -> dict[str, Any]:
    game, names = battle.game, _names(battle, state)
    mine = []
    for decision in battle.decisions:
        if decision.side == side:
            wire = decision_wire(decision, game.id, names)
            guide = f"guide.{decision.prompt.key}"
            if guide in catalogue(game.id):
                wire["guide"] = _said(guide, game.id)
            if decision.prompt.key in game.preparing:
                wire["preparing"] = True
            if decision.prompt.key in game.details:
                wire["detail"] = True
            if isinstance(decision, Judged) and decision.kind != "face":
                held = in_hand(battle, decision, state, (piece["id"] for piece in picture["pieces"]))
                wire |= localise(held, game.id, names)
            mine.append(wire)
    return {
        "game": game.id,
        "side": side,
        **({"state": msgspec.to_builtins(state)} if data else {}),
        "picture": picture,
        "decisions": mine,
        "waiting": [decision.side for decision in battle.decisions],
        "may_undo": side is not None and battle.may_undo(side),
        "answers": len(battle.answers),
        "events": [event_wire(event, n, game.id, names) for n, event in numbered(battle.events, side, since)],
        "outcome": msgspec.to_builtins(state.outcome) if state.outcome else None,
    }
