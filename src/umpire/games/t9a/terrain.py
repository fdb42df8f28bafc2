"""Terrain: what each feature does to those who touch it, and dangerous terrain tests."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.rulings import Reason
from umpire.rulebook.deciding import decides
from umpire.space.plain import overhang
from umpire.space.ranks.contact import Way
from umpire.space.ranks.manoeuvres import Leg, carried, straight, swept_straight, wheel
from umpire.space.shapes import convex_hull

from . import casualties, saves
from .formation import EPS, Box, Cell, Point, box, layout
from .model_rules import found, has
from .spacing import touch
from .state import Pool, State, Unit


class Danger(NamedTuple):
    """Something dangerous that a move has touched: what, from which face on, for whom, by which rule."""

    id: str
    need: int
    whom: str
    rule: str
    kind: str = ""
    pools: tuple[str, ...] | None = None
    """Those that touched it; None: all."""

    def tests(self, key: str) -> bool:
        return self.pools is None or key in self.pools


DANGERS: dict[str, tuple[int, str, str]] = {
    "forest": (6, "mounted", "t9a.terrain.forest.dangerous"),
    "ruins": (6, "", "t9a.terrain.ruins.dangerous"),
    "wall": (6, "construct", "t9a.terrain.wall.dangerous"),
    "water": (6, "metal-armour", "t9a.terrain.water.dangerous"),
}
DISRUPTING = {"forest": "t9a.terrain.forest.disrupting", "water": "t9a.terrain.water.disrupting"}


@decides("t9a.terrain.feature")
def touching(state: State, unit: Unit, kind: str) -> bool:
    """Is a unit in contact with terrain of a kind?"""
    if not state.field.terrain:
        return False
    ring: Sequence[Point] | None = None
    for piece in state.field.terrain:
        if piece.kind == kind:
            ring = ring or box(state, unit).corners()
            if touch(ring, piece.points):
                return True
    return False


def cell_ring(state: State, unit: Unit, x0: float, x1: float, y0: float, y1: float) -> list[Point]:
    at = box(state, unit)
    return [at.world(x0, y0), at.world(x1, y0), at.world(x1, y1), at.world(x0, y1)]


def models_touching(state: State, unit: Unit, kind: str) -> frozenset[int]:
    """Which models (cells) of a unit touch terrain of a kind."""
    pieces = [piece for piece in state.field.terrain if piece.kind == kind]
    if not pieces or not touching(state, unit, kind):
        return frozenset()
    found_cells = []
    for k, cell in enumerate(layout(state, unit).cells):
        ring = cell_ring(state, unit, cell.x0, cell.x1, cell.y0, cell.y1)
        if any(touch(ring, piece.points) for piece in pieces):
            found_cells.append(k)
    return frozenset(found_cells)


def strides(state: State, pool: Pool, kind: str) -> bool:
    """Strider (X) ignores terrain of that kind, Strider every kind (t9a.rule.strider)."""
    return any(not rule.words or kind in rule.words for rule in found(state, pool, "t9a.rule.strider"))


def unused_to(state: State, unit: Unit, pool: Pool, kind: str) -> frozenset[int]:
    """The models of a pool that touch terrain of a kind and mind it: Strider ignores its rules (t9a.rule.strider)."""
    if strides(state, pool, kind) and state.applies("t9a.rule.strider"):
        return frozenset()
    return models_touching(state, unit, kind)


def disrupted(state: State, unit: Unit) -> str:
    """The rule by which terrain takes its rank bonus, or "" (t9a.terrain.disrupting)."""
    if not state.applies("t9a.terrain.disrupting"):
        return ""
    rnf = state.rnf(unit)
    for kind, rule in DISRUPTING.items():
        if rule in state.without or not touching(state, unit, kind):
            continue
        if rnf is not None and strides(state, rnf, kind) and state.applies("t9a.rule.strider.dangerous"):
            continue
        return rule
    return ""


def hull(a: Sequence[Point], b: Sequence[Point]) -> list[Point]:
    """The convex hull of two polygons."""
    return list(convex_hull([*a, *b]))


def swept(state: State, start: Box, end: Box) -> list[list[Point]]:
    """The ground of a straight move: where it stood, the front's way, where it stands
    (t9a.move.during.line-collapse)."""
    front0, front1 = start.corners()[:2], end.corners()[:2]
    return [list(start.corners()), hull(front0, front1), list(end.corners())]


@decides("t9a.terrain.general")
def touched_by(state: State, unit: Unit, rings: Sequence[Sequence[Point]], track: Track | None = None) -> list[Danger]:
    """Dangerous terrain under a move (t9a.terrain.dangerous); `track` tells the ground of each model, so that pools
    that kept clear of it do not test (t9a.terrain.dangerous.pools)."""
    found_dangers: list[Danger] = []
    if not state.applies("t9a.terrain.dangerous"):
        return []
    for piece in state.field.terrain:
        if piece.kind not in DANGERS:
            continue
        need, whom, rule = DANGERS[piece.kind]
        if rule in state.without:
            continue
        if any(touch(ring, piece.points) for ring in rings if len(ring) > 2):
            who = pools_on(state, unit, piece.points, track)
            if who == ():
                # Under a corner of the boundary where nobody stands.
                continue
            found_dangers.append(Danger(piece.id, need, whom, rule, piece.kind, who))
    return found_dangers


Track = Callable[[Cell], Sequence[Sequence[Point]]]
"""The ground that a model covers in a move."""


def pools_on(state: State, unit: Unit, ground: Sequence[Point], track: Track | None) -> tuple[str, ...] | None:
    """The pools of a combined unit of which a model comes upon this ground; None: all."""
    if track is None or len(unit.members) < 2:
        return None
    met: dict[str, None] = {}
    for cell in layout(state, unit).cells:
        if cell.pool not in met and any(touch(ring, ground) for ring in track(cell)):
            met[cell.pool] = None
    return tuple(key for key in unit.members if key in met)


def base_at(at: Box, cell: Cell) -> list[Point]:
    """A model's base in its unit at a place."""
    corners = ((cell.x0, cell.y0), (cell.x1, cell.y0), (cell.x1, cell.y1), (cell.x0, cell.y1))
    return [at.world(x, y) for x, y in corners]


def advancing(start: Box, legs: Sequence[Leg], end: Box, before: Box | None = None, flying: bool = False) -> Track:
    """Each model is shifted onto the front, goes with it, and is put back behind it (t9a.move.during.line-collapse);
    flyers touch only where they stood and stand (t9a.rule.fly.end). `before` it turned on the spot it stood there."""

    def track(cell: Cell) -> list[list[Point]]:
        ways = [] if flying else front_ground(start, legs, (cell.x0, cell.x1))
        stood = [base_at(before, cell)] if before is not None else []
        return [*stood, base_at(start, cell), *ways, base_at(end, cell)]

    return track


def running(before: Box, turned: Box, end: Box) -> Track:
    """Each model where it stood, and straight on from where its unit has turned to."""
    return lambda cell: [base_at(before, cell), hull(base_at(turned, cell), base_at(end, cell))]


def touched_by_charge(
    state: State, unit: Unit, start: Box, end: Box, way: Way | Sequence[Leg] | None = None, failed: bool = False
) -> list[Danger]:
    """Where it stood, the ground that its front swept on its way, where it stands (t9a.move.during.line-collapse);
    whoever fails a charge does not fly (t9a.rule.fly)."""
    from .model_rules import every

    rings = swept(state, start, end)
    legs: Sequence[Leg] = ()
    if isinstance(way, Way):
        legs = [straight(way.first), wheel(way.wheel), straight(way.second)]
    elif way is not None:
        legs = way
    if way is not None:
        rings[1:2] = front_ground(start, legs)
    flying = every(state, unit, "t9a.rule.fly") and not failed
    if flying:
        rings = [rings[0], rings[-1]]
    track = advancing(start, legs, end, flying=flying) if way is not None or flying else running(start, start, end)
    return touched_by(state, unit, rings, track)


def front_ground(start: Box, legs: Sequence[Leg], part: tuple[float, float] | None = None) -> list[list[Point]]:
    """The ground that a front, or a part of it, sweeps; a wheel's as a fan about its corner."""
    rings: list[list[Point]] = []
    at = start
    for leg in legs:
        if part is not None:
            steps = 1 if leg.how == "straight" else max(1, int(abs(leg.amount) / 10) + 1)
            edges = [carried(at, [Leg(leg.how, leg.amount * k / steps)]) for k in range(steps + 1)]
            for one, two in itertools.pairwise(edges):
                left, right = one.world(part[0], 0.0), one.world(part[1], 0.0)
                rings.append([left, right, two.world(part[1], 0.0), two.world(part[0], 0.0)])
        elif leg.how == "straight" and leg.amount > 0:
            rings.append(list(swept_straight(at, leg.amount)))
        elif leg.how == "wheel" and leg.amount:
            left, right = at.front()
            pivot = right if leg.amount > 0 else left
            parts = max(1, int(abs(leg.amount) / 10) + 1)
            ends = [
                carried(at, [wheel(leg.amount * k / parts)]).front()[0 if leg.amount > 0 else 1]
                for k in range(parts + 1)
            ]
            rings.append([pivot, *ends])
        at = carried(at, [leg])
    return rings


def dangerous(battle: Battle[State], unit: Unit, dangers: Sequence[Danger]) -> int:
    """A test for each dangerous thing, one after the other; each pool that touched it for itself
    (t9a.terrain.dangerous.several, t9a.terrain.dangerous.pools). Answers the health points lost."""
    state = battle.state
    lost = 0
    if len(dangers) > 1:
        battle.emit("several-dangers", "t9a.terrain.dangerous.several", unit=unit.id, count=len(dangers))
        if not state.applies("t9a.terrain.dangerous.several"):
            dangers = dangers[:1]
    for danger in dangers:
        members = unit.members
        if len(members) > 1 and not state.applies("t9a.terrain.dangerous.pools"):
            members = members[:1]
        if len(members) > 1 and state.applies("t9a.terrain.dangerous.pools"):
            battle.emit("tested-apart", "t9a.terrain.dangerous.pools", "t9a.terrain.dangerous", unit=unit.id)
        for key in members:
            pool = state.pools[key]
            if pool.count <= 0 or not danger.tests(key):
                continue
            lost += one_test(battle, unit, pool, danger)
            if unit.where != "table":
                return lost
    return lost


def dice_of(state: State, pool: Pool, whom: str, models: int) -> int:
    """Half the models, rounded up, times their Height; those that Y does not name count as Height 0
    (t9a.terrain.dangerous.dice, t9a.terrain.dangerous.condition)."""
    if whom and whom not in pool.profile.traits and state.applies("t9a.terrain.dangerous.condition"):
        return 0
    return (models + 1) // 2 * pool.profile.height


def spared(state: State, pool: Pool, danger: Danger) -> tuple[str, ...]:
    """Why a pool is not tested for some terrain; enemies are fled through at everybody's risk
    (t9a.rule.strider.dangerous, t9a.rule.ghost-step.dangerous)."""
    if not danger.kind:
        return ()
    if strides(state, pool, danger.kind) and state.applies("t9a.rule.strider.dangerous"):
        return "t9a.rule.strider.dangerous", "t9a.rule.strider"
    ghost = has(state, pool, "t9a.rule.ghost-step") and state.applies("t9a.rule.ghost-step.dangerous")
    return ("t9a.rule.ghost-step.dangerous",) if ghost else ()


def one_test(battle: Battle[State], unit: Unit, pool: Pool, danger: Danger) -> int:
    state = battle.state
    if rules := spared(state, pool, danger):
        battle.emit("strides", *rules, pool=pool.id, terrain=danger.id)
        return 0
    dice = dice_of(state, pool, danger.whom, pool.count)
    if not dice:
        if danger.whom and pool.profile.height:
            battle.emit(
                "no-danger", "t9a.terrain.dangerous.condition",
                "t9a.def.traits.mounted-foot" if danger.whom == "mounted" else "t9a.def.traits", pool=pool.id,
                terrain=danger.id,
            )  # fmt: skip
        return 0
    roll = battle.roll(
        dice, "dangerous", "t9a.terrain.dangerous.dice", side=1 - unit.side, who=unit.id, need=danger.need
    )
    hits = sum(face >= danger.need for face in roll.faces)
    battle.emit(
        "dangerous", danger.rule, "t9a.terrain.dangerous.effect",
        *(("t9a.def.height",) if pool.profile.height > 1 else ()), pool=pool.id, unit=unit.id, hits=hits, dice=dice,
        terrain=danger.id,
    )  # fmt: skip
    if not hits:
        return 0
    wounds = saves.special_saves(battle, pool, hits, saves.Plain(10))
    return casualties.lose(battle, pool, wounds, melee=False, rule="t9a.terrain.dangerous.effect")


def against_terrain(state: State) -> Iterator[Reason]:
    """Players agree on what terrain there is and where it lies (t9a.prep.board.terrain): on the board."""
    width, depth = state.field.width, state.field.depth
    for n, piece in enumerate(state.field.terrain):
        beyond = overhang(piece.points, width, depth)
        if beyond > EPS:
            facts = {"feature": piece.id, "beyond": round(beyond, 3)}
            yield Reason("t9a.prep.board.size", "reason.terrain.beyond", facts, f"field.terrain[{n}]")
