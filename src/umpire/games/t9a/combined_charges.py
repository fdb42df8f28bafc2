"""Combined charges: several units on one target; who arrives in which order, and where those stand that share a facing.

Chargers need not bring the most models of their own: over all of them the most must touch at the end. Which models
touch changes only where a border of a base passes one of the others'; between two such places a charger stands on a
stretch of offsets that are all alike. So the best arrangement along a facing is looked for among sequences of chargers
from left to right and of such stretches, and whether there is room for them side by side is seen from the left on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, pairwise, permutations, product
from typing import Any, NamedTuple

from umpire.space.ranks import contact as shared
from umpire.space.ranks.contact import edge_of

from . import aligning, charge_ground
from .charge_moves import failed_path, gap_to, target_facing
from .formation import EPS, Box, box, middle
from .spacing import skyline, within
from .state import Facing, State, Unit

Keys = tuple[str, ...]
ORDERED = 4
"""Up to so many chargers every order of moving is thought through."""
KEPT = 12
"""So many of the best arrangements along a facing are tried on the ground."""


class Plan(NamedTuple):
    """A combined charge thought through: in which order they move, who arrives, where."""

    order: tuple[str, ...]
    arrived: tuple[str, ...]
    places: tuple[Box, ...]
    theirs: int
    mine: int

    @property
    def score(self) -> tuple[int, int, int]:
        return len(self.arrived), self.theirs, self.mine


class Together:
    """Several units that charge one target, thought through in whatever order is asked for. `faces` are facings fixed
    before, `through` whom they pass through. Who moves later still stands where it stood, and is in the way unless it
    is of the `leaving`; who has moved stands in the way where it ended, but for pursuers (`passing`). `told` keeps how
    many arrive."""

    def __init__(
        self,
        state: State,
        units: Sequence[Unit],
        target: Unit,
        faces: Mapping[str, Facing] | None = None,
        through: Sequence[str] = (),
        leaving: Sequence[str] = (),
        told: dict[Keys, int] | None = None,
        passing: bool = False,
    ) -> None:
        self.state, self.target, self.through, self.leaving = state, target, through, leaving
        self.passing = passing
        self.units = {u.id: u for u in units}
        there = target.where == "table"
        self.able = {u.id: u for u in units if there and within(gap_to(state, u, target), u.range)}
        self.faces = faces if faces is not None else {u.id: target_facing(state, u, target) for u in self.able.values()}
        self.told: dict[Keys, int] = {} if told is None else told
        self._spots: dict[Any, charge_ground.Contact | None] = {}
        self._ends: dict[Any, Box] = {}

    def orders(self, first: str = "") -> Iterator[Keys]:
        """The orders in which they may move; those that begin with one."""
        if len(self.units) > ORDERED:
            yield tuple(self.units)
            return
        rest = [key for key in self.units if key != first]
        for order in permutations(rest):
            yield (first, *order) if first else order

    @cached_property
    def arranged(self) -> list[list[Arrangement]]:
        """For each facing that several share the best ways to stand there."""
        groups: dict[Facing, list[Unit]] = {}
        for unit in self.able.values():
            groups.setdefault(self.faces[unit.id], []).append(unit)
        return [
            arrangements(self.state, group, self.target, face, list(self.units), self.through)
            for face, group in groups.items()
            if len(group) > 1
        ]

    def arriving(self, order: Keys) -> int:
        """How many arrive in this order."""
        if order not in self.told:
            self.told[order] = len(self.plan(order, counting=True).arrived)
        return self.told[order]

    @cached_property
    def most(self) -> int:
        """How many arrive at most, in whatever order (t9a.charge.combined.order)."""
        best = 0
        for order in self.orders():
            best = max(best, self.arriving(order))
            if best == len(self.able):
                break
        return best

    def usual(self) -> Keys:
        """The first order in which as many arrive as can."""
        return next(order for order in self.orders() if self.arriving(order) == self.most)

    def plan(self, order: Keys, counting: bool = False) -> Plan:
        """The best that can come of an order of moving: the most that arrive, then the most models in contact on both
        sides together (t9a.charge.combined.max-contact); when `counting` the first by which all arrive."""
        ready = [key for key in order if key in self.able]
        best = self._planned(order, ready, {})
        if counting and len(best.arrived) == len(ready):
            return best
        faces = [self.faces[key] for key in self.able]
        sharing = [key for key in self.able if faces.count(self.faces[key]) > 1]
        for choice in product(*self.arranged) if self.arranged else ():
            wishes = {key: at for one in choice for key, at in one.at.items()}
            out = [key for key in sharing if key not in wishes]
            plan = self._planned(order, [key for key in ready if key not in out], wishes)
            best = max(best, plan, key=lambda p: p.score)
            if counting and len(best.arrived) == len(ready):
                break
            stands = plan.theirs >= max(one.theirs for one in choice) and plan.mine >= sum(one.mine for one in choice)
            if stands and all(key in plan.arrived for key in wishes):
                # None that comes later is better.
                break
        return best

    def _planned(self, order: Keys, able: Sequence[str], wishes: Mapping[str, float]) -> Plan:
        moved: dict[str, Box] = {}
        arrived: list[str] = []
        touched: dict[int, None] = {}
        mine = 0
        for key in order:
            spot = self._spot(key, moved, wishes.get(key)) if key in able else None
            if spot is None:
                self._fail(key, moved)
                continue
            moved[key] = spot.at
            arrived.append(key)
            pairs = aligning.touching_at(self.state, self.units[key], self.target, spot)
            touched |= dict.fromkeys(k for _, k in pairs)
            mine += len({j for j, _ in pairs})
        return Plan(order, tuple(arrived), tuple(moved[key] for key in arrived), len(touched), mine)

    def _spot(self, key: str, moved: Mapping[str, Box], prefer: float | None) -> charge_ground.Contact | None:
        """Where one ends after those that have moved: orders that begin alike have it in common."""
        known = (key, tuple(moved.items()), prefer)
        if known not in self._spots:
            self._spots[known] = aligning.contact(
                self.state, self.units[key], self.target, face=self.faces[key], taken=tuple(moved.values()),
                leaving=[*moved, *self.leaving], through=self.through, misaligned=False, prefer=prefer,
                solid=not self.passing,
            )  # fmt: skip
        return self._spots[known]

    def _fail(self, key: str, moved: dict[str, Box]) -> None:
        """Who does not arrive goes its four inches, and stands there in the way of whoever moves after it
        (t9a.charge.combined.unfinished). Pursuers go on, after all that charge."""
        unit = self.units[key]
        if self.passing or unit.came or self.target.where != "table":
            return
        known = (key, tuple(moved.items()))
        if known not in self._ends:
            goal = middle(box(self.state, self.target), target_facing(self.state, unit, self.target))
            self._ends[known] = failed_path(self.state, unit, goal, moved=moved)[0]
        moved[key] = self._ends[known]


def arranged(state: State, unit: Unit, target: Unit, after: Sequence[str]) -> charge_ground.Contact | None:
    """Where a unit stands in the best arrangement of all that still charge this target, in the order chosen."""
    waiting = [u for u in (state.unit(key) for key in after) if u.where == "table" and u.target == target.id]
    plan = Together(state, [unit, *waiting], target).plan((unit.id, *(u.id for u in waiting)))
    if unit.id not in plan.arrived:
        return None
    at = plan.places[plan.arrived.index(unit.id)]
    face = target_facing(state, unit, target)
    edge = edge_of(box(state, target), face)
    return aligning.contact(state, unit, target, face=face, misaligned=False, prefer=edge.along(*at.front()[0]))


def first_place(group: Together, key: str) -> Box | None:
    """Where the one that moves first ends by the first order in which it arrives."""
    for order in group.orders(key):
        plan = group.plan(order)
        if key in plan.arrived:
            return plan.places[plan.arrived.index(key)]
    return None


# -- along a facing ------------------------------------------------------------------------------------------------


class Stretch(NamedTuple):
    """Offsets of a charger at which it touches the same models: theirs as bits, and how many of its own."""

    low: float
    high: float
    theirs: int
    mine: int


class Arrangement(NamedTuple):
    """Where each of the chargers that share a facing stands, and how many models touch then."""

    theirs: int
    mine: int
    at: dict[str, float]


def arrangements(
    state: State, units: Sequence[Unit], target: Unit, face: Facing, leaving: Sequence[str], through: Sequence[str]
) -> list[Arrangement]:
    """The best ways to stand side by side along a facing, whoever moves first: of all, or of as many as find room."""
    rows = {u.id: list(stretches(state, u, target, face, leaving, through)) for u in units}
    wide = {u.id: box(state, u).w + 2 * EPS for u in units}
    edge = edge_of(box(state, target), face)
    wish = {u.id: edge.along(*box(state, u).front()[0]) for u in units}
    found = side_by_side(rows, wide)
    return [Arrangement(theirs, mine, _stand(order, chosen, wish, wide)) for theirs, mine, order, chosen in found]


def side_by_side(rows: Mapping[str, Sequence[Stretch]], wide: Mapping[str, float]) -> list[Side]:
    """The best sequences of chargers and of stretches, of all chargers or of as many as find room."""
    ahead = Ahead(rows, wide)
    for many in range(len(rows), 0, -1):
        best = Best()
        for some in combinations(rows, many):
            for order in permutations(some):
                _look(order, ahead, best)
        if best.found:
            return best.found
    return []


class Side(NamedTuple):
    """A sequence of stretches: how many of theirs and of mine touch, who stands on which, from left to right."""

    theirs: int
    mine: int
    order: tuple[str, ...]
    chosen: tuple[Stretch, ...]


class Best:
    """The best sequences of stretches that were found."""

    def __init__(self) -> None:
        self.found: list[Side] = []

    def add(self, theirs: int, mine: int, order: tuple[str, ...], chosen: tuple[Stretch, ...]) -> None:
        self.found.append(Side(theirs, mine, order, chosen))
        self.found.sort(key=lambda one: (-one.theirs, -one.mine))
        del self.found[KEPT:]

    @property
    def least(self) -> tuple[int, int]:
        return self.found[-1][:2] if len(self.found) >= KEPT else (-1, -1)


class Ahead:
    """The most that can come of the chargers still to be placed, to the right of those that stand already.

    Those of theirs that one touches anew are counted as if only its neighbour to the left touched any: never too few,
    and hardly ever too many, because who stands further left touches none that the neighbour does not. So what is left
    depends on where the last one ends and on whom it touches, and is worked out once for each.
    """

    def __init__(self, rows: Mapping[str, Sequence[Stretch]], wide: Mapping[str, float]) -> None:
        self.rows, self.wide = rows, wide
        self.looked = 0
        """How many stretches were looked at."""
        self._found: dict[tuple[tuple[str, ...], float, int], tuple[int, int] | None] = {}
        self._gains = {
            key: (max((one.theirs.bit_count() for one in row), default=0), max((one.mine for one in row), default=0))
            for key, row in rows.items()
        }

    def most(self, rest: tuple[str, ...], end: float, last: int) -> tuple[int, int] | None:
        """How many more of theirs and of mine touch at most, from `end` on; None if there is no room for the rest."""
        if not rest:
            return 0, 0
        known = (rest, end, last)
        if known not in self._found:
            self._found[known] = self._most(rest[0], rest[1:], end, last)
        return self._found[known]

    def _most(self, key: str, rest: tuple[str, ...], end: float, last: int) -> tuple[int, int] | None:
        theirs, mine = sum(self._gains[k][0] for k in rest), sum(self._gains[k][1] for k in rest)
        best: tuple[int, int] | None = None
        for one in self.rows[key]:
            if best is not None and (one.theirs.bit_count() + theirs, one.mine + mine) <= best:
                # Nor is any that comes later better.
                break
            self.looked += 1
            at = max(one.low, end)
            more = self.most(rest, at + self.wide[key], one.theirs) if at <= one.high + EPS else None
            if more is not None:
                value = (one.theirs & ~last).bit_count() + more[0], one.mine + more[1]
                best = value if best is None else max(best, value)
        return best


def _look(
    order: tuple[str, ...],
    ahead: Ahead,
    best: Best,
    chosen: tuple[Stretch, ...] = (),
    end: float = -math.inf,
    theirs: int = 0,
    mine: int = 0,
) -> None:
    """Choose a stretch for each from left to right, as long as something better than what is known may come of it."""
    if len(chosen) == len(order):
        best.add(theirs.bit_count(), mine, order, chosen)
        return
    key, rest = order[len(chosen)], order[len(chosen) + 1 :]
    for one in ahead.rows[key]:
        at = max(one.low, end)
        if at > one.high + EPS:
            continue
        more = ahead.most(rest, at + ahead.wide[key], one.theirs)
        union, count = theirs | one.theirs, mine + one.mine
        if more is not None and (union.bit_count() + more[0], count + more[1]) > best.least:
            _look(order, ahead, best, (*chosen, one), at + ahead.wide[key], union, count)


def _stand(
    order: Sequence[str], chosen: Sequence[Stretch], wish: Mapping[str, float], wide: Mapping[str, float]
) -> dict[str, float]:
    """Each as near to where it would go by itself as its stretch and those beside it leave room."""
    latest: list[float] = []
    end = math.inf
    for key, one in zip(reversed(order), reversed(chosen), strict=True):
        latest.insert(0, min(one.high, end - wide[key]))
        end = latest[0]
    found: dict[str, float] = {}
    start = -math.inf
    for key, one, most in zip(order, chosen, latest, strict=True):
        found[key] = min(max(wish[key], one.low, start), max(most, one.low, start))
        start = found[key] + wide[key]
    return found


def stretches(
    state: State, unit: Unit, target: Unit, face: Facing, leaving: Sequence[str], through: Sequence[str]
) -> Iterator[Stretch]:
    """All offsets at which a charger finds room on a facing, by which models touch; those with the most first."""
    on = charge_ground.ground(state, unit, target, face, (), leaving, through)
    own, other = skyline(state, unit, "front", own=True), skyline(state, target, face)
    marks = sorted({v for a in own for b in other for v in (b.low - a.high, b.high - a.low)})
    bits = {cell: 1 << n for n, cell in enumerate(sorted({b.cell for b in other}))}
    found: list[Stretch] = []
    for span in aligning.room_along(state, on):
        points = [span.low, *(v for v in marks if span.low + EPS < v < span.high - EPS), span.high]
        pieces = [(v, v) for v in points] + list(pairwise(points))
        for low, high in sorted(pieces):
            pairs = shared.touching(own, other, (low + high) / 2)
            theirs, mine = sum(bits[k] for k in {k for _, k in pairs}), len({j for j, _ in pairs})
            before = found[-1] if found else None
            if before is not None and (before.theirs, before.mine) == (theirs, mine) and before.high >= low - EPS:
                found[-1] = Stretch(before.low, max(high, before.high), theirs, mine)
            elif pairs:
                found.append(Stretch(low, high, theirs, mine))
    yield from sorted(found, key=lambda one: (-one.theirs.bit_count(), -one.mine, one.low))
