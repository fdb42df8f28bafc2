"""Where a charge ends: the free wheel, first contact, alignment, and what is pushed aside (conquest.charge.*)."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from umpire.rulebook.deciding import decides
from umpire.space.angles import heading, normal, turn_between
from umpire.space.formations import SIDES, side_of
from umpire.space.moving import Go, Leg, Turn, sweep
from umpire.space.packs import Floats, kernel, packed
from umpire.space.ranks import fronts
from umpire.space.ranks.blocks import Box, box_at
from umpire.space.ranks.contact import way_to_edge
from umpire.space.ranks.fronts import Pose, edge_first, flush, looking_at, on_edge
from umpire.space.shapes import Base, Point, Thing
from umpire.space.spans import first_angle

from . import drill, formation, hooks, march, ranked, table, wounds
from .state import Regiment, State
from .ways_out import rings

CORNER = 0.02
NO_CHOICE = 0.5
"""Ends of a charge no further apart than this are the same."""
ABOUT = 1e-6
"""By how much a quick look may be mistaken."""
WHEEL = 90.0
"""conquest.charge.move.free-wheel"""


class Contact(NamedTuple):
    """A way to complete a charge.

    `wheel` degrees, then `inches` forward to first contact, then a turn to `end`; `target_end` is where the target is
    turned to, if it is the target that turns. `pushed` are enemies to be moved aside, `overlapped` friends it would
    overlap at the end.
    """

    wheel: float
    inches: float
    end: Pose
    side: str
    stands: int
    legs: tuple[Leg, ...]
    target_end: Pose | None = None
    pushed: tuple[str, ...] = ()
    overlapped: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """The charger alone moves, touches nobody but the target, and overlaps nobody."""
        return not self.overlapped and not self.pushed and self.target_end is None


def majority_side(target: Regiment, charger: Regiment) -> tuple[str, bool]:
    """The side whose arc holds most of the charger's stands, and whether that is a tie (conquest.charge.facing)."""
    count: dict[str, int] = dict.fromkeys(SIDES, 0)
    for stand in charger.stands:
        base = formation.stand_base(charger, stand)
        count[formation.arc_of(target, base.x, base.y)] += 1
    best = max(count.values())
    sides = [side for side in SIDES if count[side] == best]
    if len(sides) == 1:
        return sides[0], False
    return formation.arc_of(target, charger.x, charger.y), ranked.on_arc_line(target, charger.x, charger.y)


@decides("conquest.terrain.garrison.charge")
def side_edges(state: State, target: Regiment, hit: Thing) -> list[tuple[str, Point, Point]]:
    """The edges of what was hit, as seen from inside looking out: name, left end, right end."""
    if target.where == "garrison":
        points = list(formation.piece_thing(state, target.garrison).points)
        if math.fsum(points[k - 1][0] * y - x * points[k - 1][1] for k, (x, y) in enumerate(points)) < 0:
            points.reverse()
        return [("front", points[k], points[k - 1]) for k in range(len(points))]
    assert isinstance(hit, Base)
    return _sides(hit)


@functools.lru_cache(maxsize=256)
def _sides(hit: Base) -> list[tuple[str, Point, Point]]:
    return [(side, *side_of(hit, side)) for side in SIDES]


def likely_wheels(state: State, charger: Regiment, target: Regiment) -> list[float]:
    """Free wheels to try first: none, towards the target, flush with its sides, and a few between."""
    x, y = ranked.centre(target) if target.where == "table" else state.piece(target.garrison).circle[:2]
    here = ranked.pose(charger)
    aim = turn_between(here[2], heading(x - here[0], y - here[1]))
    found = [0.0, aim]
    if target.where == "table":
        found += [turn_between(here[2], target.facing + quarter) for quarter in (180.0, 90.0, 270.0, 0.0)]
    found += [aim / 2, aim - 12.0, aim + 12.0, aim - 30.0, aim + 30.0, -20.0, 20.0, -45.0, 45.0, -75.0, 75.0]
    return [degrees for d in found if abs(degrees := round(d, 3)) <= WHEEL]


def wheels_by(step: int) -> list[float]:
    """Free wheels by so many degrees."""
    return [float(degrees) for degrees in range(-int(WHEEL), int(WHEEL) + 1, step)]


def most_stands(state: State, charger: Regiment, target: Regiment, side: str) -> int:
    """More of the charger's stands than this cannot touch a side of the target, unless corner meets corner."""
    if target.where == "garrison":
        long = max(math.dist(a, b) for _, a, b in side_edges(state, target, formation.body(state, target)[0]))
    else:
        long = ranked.width(target) if side in ("front", "rear") else ranked.depth(target)
    return min(charger.files, int(long / charger.profile.width + 1e-6) + 1)


def contacts(state: State, charger: Regiment, target: Regiment, side: str) -> list[Contact]:
    """Ways to complete a charge: likely wheels; if none of them brings as many stands as can be against the `side` that
    the majority rule gives, wheels by 5 degrees; and if some do at all, every degree. Once one is clean and on that
    side, those that `best` would put behind it are left out; of those that end in a friend the first is kept."""
    ground = approach(state, charger, target, side)
    key = _position(ground)
    found = _FOUND.get(key)
    if found is None:
        if len(_FOUND) >= KEPT:
            _FOUND.clear()
        found = _FOUND[key] = _contacts(ground)
    return found


KEPT = 256
_FOUND: dict[tuple[object, ...], list[Contact]] = {}
"""The ways that were found last, by everything that they depend on: who thinks ahead declares the same charge again and
again, from positions that are equal but not the same."""


def _position(ground: Approach) -> tuple[object, ...]:
    state, charger, target = ground.state, ground.charger, ground.target
    regiments = tuple([(r.id, r.side, ranked.blocks(r)) for r, _ in formation.on_the_table(state)])
    inside = tuple([(r.id, r.garrison) for r in state.regiments.values() if r.where == "garrison"])
    terrain = tuple([(piece.kind, piece.points, piece.solid) for piece in state.terrain])
    shapes = (charger.profile.stand, charger.files, target.profile.stand, target.files)
    board = (state.scenario.width, state.scenario.depth)
    return (charger.id, target.id, ground.side, ground.reach, ground.others, regiments, inside, terrain, shapes, board)


def _contacts(ground: Approach) -> list[Contact]:
    state, charger, target, side = ground.state, ground.charger, ground.target, ground.side
    most = most_stands(state, charger, target, side)
    found: list[Contact] = []
    ties: list[Contact] = []
    tried: dict[float, None] = {}
    quick = Quick(ground)
    through = False  # one way that ends in a friend is enough to know that there is one
    for step in (0, 5, 1):
        if step == 1 and not found:
            break
        wheels = wheels_by(step) if step else likely_wheels(state, charger, target)
        wheels = [degrees for degrees in dict.fromkeys(wheels) if degrees not in tried]
        tried |= dict.fromkeys(wheels)
        for wheel in quick.free(wheels):
            if (ties and not wheel.may_add_to(ties)) or (through and wheel.overlaps):
                continue
            contact = wheeled(ground, wheel.degrees, ties)
            if contact is not None:
                found.append(contact)
                through = through or bool(contact.overlapped)
                if contact.clean and contact.side == side:
                    ties = [*ties, contact] if ties and contact.stands == ties[0].stands else [contact]
        if ties and ties[0].stands >= most:
            break
    if not found:
        for degrees in narrow_wheels(ground):
            contact = wheeled(ground, degrees)
            if contact is not None:
                found.append(contact)
    return found


def narrow_wheels(ground: Approach) -> list[float]:
    """Wheels that lead to an edge of the target though none of the usual ones does: one for each edge that can be met
    at all. None means that the charge is blocked."""
    charger = ground.charger
    x, y, facing = ranked.pose(charger)
    front = box_at(x, y, facing, ranked.width(charger), ranked.depth(charger))
    others = [ring for thing in ground.others for ring in rings(thing)]
    found: list[float] = []
    for k, hit in enumerate(ground.goal):
        beside = [ring for j, thing in enumerate(ground.goal) if j != k for ring in rings(thing)]
        for _, left, right in side_edges(ground.state, ground.target, hit):
            # From inside looking out left is the mover's right.
            goal = edge_first(rings(hit), right, left, ABOUT)
            wanted = [(0.0, math.dist(left, right))]
            if goal is None or way_to_edge(front, goal, wanted, others + beside, False, False) is None:
                continue
            # The front alone would get there; its rear ranks swing out.
            free = free_turn(ground, front, 1.0, others), free_turn(ground, front, -1.0, others)
            way = way_to_edge(front, goal, wanted, others + beside, False, False, free)
            if way is not None:
                found.append(way.wheel)
    return list(dict.fromkeys(found))


def free_turn(ground: Approach, front: Box, sign: float, others: Sequence[Sequence[Point]]) -> float:
    """How far the regiment wheels to one side before it overlaps something, the target included."""
    px, py = front.front()[1 if sign > 0 else 0]
    goal = [ring for thing in ground.goal for ring in rings(thing)]
    free = WHEEL
    for block in ranked.blocks(ground.charger):
        free, _ = first_angle(block.corners(), px, py, [(ring, 0.0) for ring in (*others, *goal)], free, sign)
    return free


class Approach(NamedTuple):
    """What a charge move is tried out on: who charges whom, what is to be hit, what is in the way, how far to look."""

    state: State
    charger: Regiment
    target: Regiment
    side: str
    goal: tuple[Thing, ...]
    others: tuple[Thing, ...]
    reach: float


@decides("conquest.charge.through")
def approach(state: State, charger: Regiment, target: Regiment, side: str) -> Approach:
    start = ranked.pose(charger)
    reach = formation.distance(state, charger, target) + ranked.reach_of(target) * 2 + ranked.width(charger) + 2.0
    bare = target.garrison or target.id
    wings = state.options.flying_charges == "yes" and bool(hooks.granted(state, charger, "fly"))
    around = table.obstacles(state, charger, start, reach, through_friends=True, flying=wings, bare=bare)
    others = tuple([thing for thing, name in zip(around.things, around.names, strict=True) if name != bare])
    return Approach(state, charger, target, side, formation.body(state, target), others, reach)


class Wheel(NamedTuple):
    """A free wheel that leads to the target: which side it meets ("" where it may be one of two), about where the
    charger ends, and no fewer stands than touch there. What it certainly overlaps or pushes is told at once."""

    degrees: float
    side: str
    x: float
    y: float
    stands: int
    alone: bool
    """It overlaps no friend at its end, as far as can be told."""
    begun_alone: bool
    """Nor at first contact, where it stays if the target turns."""
    clear: bool
    """And comes to no enemy, terrain or other stands of the target there."""

    def may_add_to(self, ties: Sequence[Contact]) -> bool:
        """May it be better than these, or one more of them?"""
        if not self.side:
            return True
        if self.side != ties[0].side or not self.alone or not self.clear or self.stands < ties[0].stands:
            return False
        near = (math.hypot(self.x - c.end[0], self.y - c.end[1]) <= NO_CHOICE - ABOUT for c in ties)
        return self.stands > ties[0].stands or not any(near)

    @property
    def overlaps(self) -> bool:
        """Does it certainly end in a friend, whoever turns?"""
        return bool(self.side) and not self.alone and not self.begun_alone


class Quick:
    """A quick look at many wheels at once, in the kernel; what does not depend on the wheels is made ready once."""

    def __init__(self, ground: Approach) -> None:
        self.ground, charger = ground, ground.charger
        self.own, self.goal, self.others = (
            packed(things) for things in (ranked.blocks(charger), ground.goal, ground.others)
        )
        self.sides = [
            (row, side, a, b)
            for row, k in enumerate(self.goal.owners.tolist())
            for side, a, b in side_edges(ground.state, ground.target, ground.goal[k])
        ]

    @functools.cached_property
    def _ends(self) -> tuple[Any, ...]:
        charger, (wide, deep) = self.ground.charger, self.ground.charger.profile.stand
        friends, strangers = standers(self.ground)
        return (
            np.array([(row, *a, *b, looking_at(a, b)) for row, _, a, b in self.sides]),
            np.array([float(side == self.ground.side) for _, side, _, _ in self.sides]),
            np.array([(stand.file - (charger.files - 1) / 2) * wide for stand in charger.stands if stand.rank == 0]),
            wide,
            deep,
            np.array([(right, ahead, r.width, r.depth) for right, ahead, r in ranked.shape(charger).parts]),
            self.goal.rows,
            self.goal.verts,
            *_apart_from(friends),
            *_apart_from(strangers),
            CORNER + ABOUT,
            formation.TOUCH + ABOUT,
        )

    def free(self, wheels: Sequence[float]) -> list[Wheel]:
        """Those wheels after which the way straight on leads to the target, with nothing else in the way of either."""
        charger, own, goal, others = self.ground.charger, self.own, self.goal, self.others
        x, y, facing = ranked.pose(charger)
        degrees = np.array(wheels)
        met = kernel("sweeping").wheels(
            own.rows, own.verts, x, y, facing, ranked.width(charger) / 2, degrees, self.ground.reach,
            goal.rows, goal.verts, others.rows, others.verts,
        )  # fmt: skip
        if met[:, 0].max() < 0.0:
            return []
        ends = zip(wheels, kernel("sweeping").flush(met, degrees + facing, *self._ends).tolist(), strict=True)
        return [
            Wheel(
                d, self.sides[int(edge)][1] if edge >= 0.0 else "", x, y, int(stands),
                alone > 0.0, begun > 0.0, clear > 0.0,
            )
            for d, (edge, x, y, stands, alone, begun, clear) in ends
            if edge != -1.0
        ]  # fmt: skip


def standers(ground: Approach) -> tuple[list[tuple[Thing, float]], list[tuple[Thing, float]]]:
    """Friends whom a charger may end in, and what else it may come to at its end: each with how near it may be."""
    state, charger, target, touch = ground.state, ground.charger, ground.target, formation.TOUCH
    friends: list[tuple[Thing, float]] = []
    others: list[tuple[Thing, float]] = [(thing, -touch) for thing in ground.goal]
    for other, _ in formation.on_the_table(state):
        if other.side == charger.side and other is not charger:
            friends += [(block, -touch) for block in ranked.blocks(other)]
        elif other.side != charger.side and other is not target:
            others += [(block, touch) for block in ranked.blocks(other)]
    for piece in state.terrain:
        if piece.solid and piece.id != target.garrison:
            others.append((piece.thing, touch if piece.kind == "garrison" else -touch))
    return friends, others


def _apart_from(things: Sequence[tuple[Thing, float]]) -> tuple[Floats, Floats, Floats]:
    """Things for the kernel, and how near to each is certainly too near."""
    found = packed(tuple([thing for thing, _ in things]))
    return found.rows, found.verts, np.array([least - ABOUT for _, least in things])[found.owners]


def wheeled(ground: Approach, degrees: float, ties: Sequence[Contact] = ()) -> Contact | None:
    """The contact after a wheel and a straight move that nothing is in the way of; where there are `ties` for the best
    so far, only one that is better than they are or one more of them."""
    state, charger = ground.state, ground.charger
    wide = ranked.width(charger)
    legs, turned = drill.legs_of(ranked.pose(charger), wide, [drill.wheel(degrees)] if degrees else [])
    ahead = drill.leg_of(turned, wide, drill.forward(ground.reach))
    swept = sweep(ranked.blocks(charger, turned), (ahead,), ground.goal, 0.0)
    if swept.hit is None:
        return None
    run = swept.legs[0]
    assert isinstance(run, Go)
    at = (turned[0] + run.dx, turned[1] + run.dy, turned[2])
    point = swept.where
    assert point is not None
    met = side_met(state, ground.target, ground.goal[swept.hit], at, point, ground.side)
    if met is None or (ties and met[0] != ground.side):
        return None
    stands = engaged_at(state, charger, ground.target, met[1])
    if ties and (
        stands < ties[0].stands or (stands == ties[0].stands and any(close(met[1], other.end) for other in ties))
    ):
        return None
    bad = standing(state, charger, ground.target, met[1])
    if (ties and bad != ((), ())) or (legs and march.off_table(state, charger, turned, legs[-1])):
        return None
    option = aligned(state, charger, ground.target, at, point, met, stands, bad)
    if option is None:
        return None
    return option._replace(wheel=degrees, inches=math.hypot(run.dx, run.dy), legs=(*legs, run))


def side_met(state: State, target: Regiment, hit: Thing, at: Pose, point: Point, side: str) -> tuple[str, Pose] | None:
    """The side met at a point of first contact, `side` where it is one of two, and where a charger flush with it is."""
    edges = [e for e in side_edges(state, target, hit) if on_edge(point, e[1], e[2], CORNER)]
    options = [(name, flush(at, point, a, b)) for name, a, b in edges]
    options = [(name, end) for name, end in options if abs(turn_between(at[2], end[2])) <= 90.0 + 1e-6]
    if not options:
        return None
    return next(((n, e) for n, e in options if n == side), options[0])


def aligned(
    state: State,
    charger: Regiment,
    target: Regiment,
    at: Pose,
    point: Point,
    met: tuple[str, Pose],
    stands: int,
    bad: Standing | None,
) -> Contact | None:
    """First contact turned flush with the side that is met, so many stands against it (conquest.charge.align); `bad` is
    who stands in the way of that."""
    name, end = met
    if bad is None or bad[1]:
        turned = target_turned(state, charger, target, at, point, name)
        if bad is None or (turned is not None and not turned.overlapped):
            return turned
    return Contact(0.0, 0.0, end, name, stands, (), None, bad[0], bad[1])


Standing = tuple[tuple[str, ...], tuple[str, ...]]
"""Enemies in the way at the end of a charge, and friends overlapped there."""


def standing(state: State, charger: Regiment, target: Regiment, end: Pose) -> Standing | None:
    """Enemies in the way at the end and friends overlapped there; None if terrain, the edge or other stands of the
    target forbid it: in the hole of an incomplete rank there is no room for a wider front."""
    if march.off_table(state, charger, end, None):
        return None
    own, around = ranked.blocks(charger, end), ranked.disc(charger, end)
    if fronts.gap(own, formation.body(state, target)) < -formation.TOUCH:
        return None
    pushed, friends = [], []
    for other, at in formation.on_the_table(state):
        if other is charger or other is target or fronts.discs_apart(around, at, formation.TOUCH):
            continue
        between = fronts.gap(own, ranked.blocks(other))
        if other.side == charger.side:
            if between < -formation.TOUCH:
                friends.append(other.id)
        elif between <= formation.TOUCH:
            pushed.append(other.id)
    for piece in state.terrain:
        if not piece.solid or fronts.discs_apart(around, piece.circle, formation.TOUCH):
            continue
        if piece.id != target.garrison:
            between = fronts.gap(own, (piece.thing,))
            if between < -formation.TOUCH or (piece.kind == "garrison" and between <= formation.TOUCH):
                return None
    return tuple(pushed), tuple(friends)


def engaged_at(state: State, charger: Regiment, target: Regiment, end: Pose) -> int:
    """How many of the charger's stands would touch the target."""
    body = formation.body(state, target)
    return sum(
        fronts.gap((formation.stand_base(charger, stand, end),), body) <= formation.TOUCH
        for stand in charger.stands
        if stand.rank == 0
    )


def target_turned(
    state: State, charger: Regiment, target: Regiment, at: Pose, point: Point, side: str
) -> Contact | None:
    """The target turns to meet a charger that cannot turn (conquest.charge.align.target-turns)."""
    if target.where == "garrison":
        return None
    quarter = {"front": 180.0, "right": 90.0, "rear": 0.0, "left": 270.0}[side]
    facing = normal(at[2] + quarter)
    degrees = turn_between(target.facing, facing)
    turned = drill.carried(ranked.pose(target), Turn(point[0], point[1], degrees))
    there = msgspec.structs.replace(target, x=turned[0], y=turned[1], facing=turned[2])
    stands = engaged_at(state, charger, there, at)
    bad = standing(state, charger, target, at) if stands else None
    if bad is None:
        return None
    mover = msgspec.structs.replace(charger, x=at[0], y=at[1], facing=at[2])
    if not wounds.fits(state, there, mover):
        return None
    return Contact(0.0, 0.0, at, side, stands, (), turned, bad[0], bad[1])


def best(found: list[Contact], side: str) -> list[Contact]:
    """The contacts among which the charger may choose.

    It touches nobody but the target if it can (conquest.charge.one-inch-waived), turns itself rather than the target
    (conquest.charge.align), takes the side that the majority rule gives (conquest.charge.facing), and of what is left
    brings as many stands as possible into contact (conquest.charge.move.free-wheel).
    """
    left = [c for c in found if not c.overlapped]
    left = [c for c in left if not c.pushed] or left
    left = [c for c in left if c.target_end is None] or left
    left = [c for c in left if c.side == side] or left
    most = max((c.stands for c in left), default=0)
    ties: list[Contact] = []
    for contact in left:
        if contact.stands == most and all(apart(contact, other) for other in ties):
            ties.append(contact)
    return ties


def apart(a: Contact, b: Contact) -> bool:
    return a.side != b.side or not close(a.end, b.end)


def close(a: Pose, b: Pose) -> bool:
    """Places so near to each other that they are no choice."""
    return math.hypot(a[0] - b[0], a[1] - b[1]) <= NO_CHOICE
