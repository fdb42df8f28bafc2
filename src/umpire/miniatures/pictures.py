"""What pictures of all games have in common: values and how they came about, tags, marks, cards beside their board, and
the whole board of games that are played with loose units about objectives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from umpire.engine.effects import Number
from umpire.engine.picture import (
    Block,
    Card,
    Marker,
    Picture,
    Piece,
    Purse,
    Shape,
    TerrainPiece,
    Value,
    Zone,
    homes,
    phases,
)
from umpire.space.shapes import Point
from umpire.text import Text

S = TypeVar("S")
U = TypeVar("U")
Label = Any


def with_cards(
    board: Callable[[S], Picture], units: Callable[[S], Mapping[str, U]], card: Callable[[S, U], Card]
) -> tuple[Callable[[S], Picture], Callable[[S, str], Card | None]]:
    """The whole picture, and the card of one unit, of a game that draws its board and the card of a unit."""

    def picture(state: S) -> Picture:
        return replace(board(state), cards=tuple([card(state, unit) for unit in units(state).values()]))

    def card_of(state: S, key: str) -> Card | None:
        known = units(state)
        return card(state, known[key]) if key in known else None

    return picture, card_of


def value(label: Label, base: Any, number: Number, source: Callable[[str], Any] | None = None) -> Value:
    """A characteristic with every step from what is printed to what it is now; `source` names the rule of a step."""
    steps = [msgspec.to_builtins(change) for change in number.changes]
    if source is not None:
        steps = [{**step, "source": source(step["rule"])} for step in steps]
    total = number.total
    return Value(label, base, int(total) if total == int(total) else total, tuple(steps))


def tagged(*flags: tuple[object, str]) -> list[Label]:
    """The tags whose flags are up."""
    return [Text(key) for flag, key in flags if flag]


def figure(figures: Mapping[str, str], has: Callable[[str], bool]) -> str:
    """The wooden piece that stands for a model, by its first word that says so."""
    return next((kind for word, kind in figures.items() if has(word)), "foot")


def plus(number: int) -> str:
    """What a die needs: "4+"."""
    return f"{number}+" if number else "-"


def marks(key: str, side: int, at: Point, **on: object) -> list[Marker]:
    """Marks that lie with a unit, by their names."""
    x, y = round(at[0], 3), round(at[1], 3)
    return [
        Marker(f"{key}:{kind}", kind, x, y, side=side, label=Text(f"mark.{kind}")) for kind, flag in on.items() if flag
    ]


def one_block(piece: Any, name: Text, kind: str, top: float, tags: Iterable[Label]) -> TerrainPiece:
    """A piece of terrain that is one block; it is called so where it has no name of its own."""
    return TerrainPiece(piece.id, piece.names or name, (Block(kind, piece.points, 0.0, top),), tuple(tags))


def track(now: int, most: int, *more: Label) -> tuple[Label, ...]:
    """Where in the battle we are: the round, which there is none of while it is set up, and what else there is."""
    told = [Text("track.round", {"round": now, "rounds": most})] if now else []
    return (*told, *more)


def named_by(key: str, *shelves: Iterable[Any]) -> Mapping[str, str] | None:
    """The name of the first thing with this id that has one."""
    found = (
        getattr(one, "names", None) or getattr(one, "name", None) for shelf in shelves for one in shelf if one.id == key
    )
    return next((names for names in found if names), None)


# -- loose units ----------------------------------------------------------------------------------------------------


class Ground(NamedTuple):
    """What a game of loose units says of its board: the words for the sides' parts of the table, whose each is, the
    radius of an objective and the reach of its control, what the table is covered with, the phases of a turn."""

    zone: str
    zones: Sequence[Sequence[Point]]
    owners: Sequence[int]
    marker: float
    control: float
    ground: str
    phases: Sequence[str]


def loose_board(
    state: Any,
    plan: Any,
    ground: Ground,
    pieces: Iterable[Piece],
    blocks: Callable[[Any], Iterable[Block]],
    tags: Callable[[Any], Iterable[Label]],
    points: Iterable[int],
    to_act: Iterable[str],
) -> Picture:
    """The board of a battle of loose units about objectives: `plan` is its battleplan or mission, `blocks` and `tags`
    draw a piece of terrain, `points` are the command points of each side."""
    playing = state.phase in ground.phases
    whose = [Text("track.turn", {"side": Text(f"side.{state.active}")})] if playing else []
    own = {zone: side for side, zone in enumerate(ground.owners)}
    return Picture(
        state.width,
        state.depth,
        tuple(pieces),
        tuple([TerrainPiece(f.id, f.name, tuple(blocks(f)), tuple(tags(f))) for f in state.terrain]),
        tuple([objective(n, one, ground) for n, one in enumerate(state.objectives)]),
        tuple(
            [
                Zone(f"{ground.zone}-{n}", "deployment", tuple(outline), own.get(n), Text(ground.zone))
                for n, outline in enumerate(ground.zones)
            ]
        ),
        track=track(state.round, plan.rounds, *whose, Text(f"phase.{state.phase}")),
        score=tuple([float(side.vp) for side in state.sides]),
        pools=tuple([Purse(n, Text("pool.command"), command) for n, command in enumerate(points)]),
        scenario=plan.name,
        goal=(*([plan.text] if plan.text else ()), Text("goal.rounds", {"rounds": plan.rounds})),
        ground=ground.ground,
        homes=homes(ground.zones, ground.owners, state.width, state.depth),
        phases=phases(ground.phases, state.phase, to_act),
        turn=state.active if playing else None,
    )


def objective(number: int, one: Any, ground: Ground) -> Marker:
    holder = None if one.holder < 0 else one.holder
    label = Text("objective", {"n": number + 1})
    return Marker(one.id, "objective", one.x, one.y, 0.0, ground.marker, ground.control, holder, label)


def footprint(r: float, q: float) -> Shape:
    """A base, by half its length and half its breadth."""
    return Shape("round" if r == q else "oval", 2 * q, 2 * r)


def loose_models(
    unit: Any, printed: Any, figure: str, drawn: Callable[[int, Any], tuple[Shape, float, int, int]]
) -> list[Piece]:
    """The models of a unit with the icon of what is `printed` of it: `drawn` tells of each, by its number, its shape
    and height, the wounds it has left and those of a whole one."""
    pieces = []
    for n, m in enumerate(unit.models):
        shape, height, left, whole = drawn(n, m)
        at = (m.x, m.y, m.z, m.facing)
        pieces.append(Piece(m.id, unit.id, unit.side, shape, *at, height, printed.icon, 1, left, whole, figure))
    return pieces


def loose_pieces(state: Any, key: str, drawn: Callable[[Any], Iterable[Piece]], lost: str) -> list[Piece]:
    """The models of a unit, wherever it is, or one model, lost or not: `drawn` draws a unit, `lost` is its field that
    holds the models it has lost."""
    if key in state.units:
        return list(drawn(state.units[key]))
    units = (replace(u, models=(*u.models, *getattr(u, lost))) for u in state.units.values())
    return [piece for unit in units for piece in drawn(unit) if piece.id == key]


def loose_card(
    unit: Any, printed: Any, name: Mapping[str, str] | None, wounds: tuple[float, float], **shown: Any
) -> Card:
    """The card of a unit of models: what is `printed` of it has its icon, and its name where it has none of its own;
    `wounds` are those left and those of the whole unit."""
    pieces = tuple([m.id for m in unit.models])
    left, full = map(float, wounds)
    return Card(
        unit.id, unit.side, dict(name or printed.name), printed.icon, pieces, wounds=left, wounds_max=full,
        dead=unit.where == "gone", **shown,
    )  # fmt: skip


# -- ranks -----------------------------------------------------------------------------------------------------------


class Stood(NamedTuple):
    """A stand or model of a block: its id, the size of its base, where its middle is, what stands for it, its wounds
    left and those of a whole one."""

    id: str
    size: tuple[float, float]
    at: Point
    height: float
    icon: str
    figure: str
    left: float
    whole: float
    models: int = 1


def ranked_pieces(unit: Any, facing: float, stood: Iterable[Stood]) -> list[Piece]:
    """What stands in a block, all facing one way."""
    return [
        Piece(
            one.id, unit.id, unit.side, Shape("rect", *one.size), *one.at, facing=facing, height=one.height,
            icon=one.icon, models=one.models, wounds=one.left, wounds_max=one.whole, figure=one.figure,
        )
        for one in stood
    ]  # fmt: skip
