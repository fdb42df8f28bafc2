"""What no charge can do, proved and not tried: targets too far away, beyond what nobody passes, or to be had only by
ways that are slowed or climb (charge.success-test)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import msgspec

from umpire.games.wh40k.ground import LOW, SLOW, flies, highest, light, over_feature
from umpire.games.wh40k.measuring import ENGAGEMENT, UP, base, gap
from umpire.games.wh40k.moving import Mover
from umpire.games.wh40k.state import Model, Unit
from umpire.miniatures.loose.bodies import rise
from umpire.space.havens import Disc
from umpire.space.paths import reach as reach_of
from umpire.space.plain import Point
from umpire.space.shapes import TOLERANCE, Base, Prism, Round

FINE = (0.12, 0.03)
"""How close together the places are that stand for all: what holds of them by so much more holds of every place."""
SKY = 1000.0
Bar = tuple[Base | Prism, float]
"""Something that a way must keep clear of, and by how much."""


def unreachable(mover: Mover, targets: Sequence[tuple[Unit, float]]) -> Unit | None:
    """A target that no model of the unit can come near enough to, whatever way it goes; with each target how near it
    must come."""
    for foe, near in targets:
        if not any(may_reach(mover, m, o, near) for m in mover.unit.models for o in foe.models):
            return foe
    if len(mover.unit.models) == 1 and len(targets) > 1 and not _may_reach_all(mover, targets):
        return targets[-1][0]
    return None


def _may_reach_all(mover: Mover, targets: Sequence[tuple[Unit, float]]) -> bool:
    """Is there a place for a single model by all targets at once?"""
    m = mover.unit.models[0]
    discs: list[list[Disc]] = []
    for foe, reach in targets:
        near = [o for o in foe.models if gap(m, o) <= mover.allowed(m) + reach + TOLERANCE]
        discs.append([(o.x, o.y, o.r + m.r + reach + TOLERANCE) for o in near])
    return any(mover.has_haven(m, chosen) for chosen in itertools.product(*discs))


def may_reach(mover: Mover, m: Model, o: Model, reach: float) -> bool:
    """Might this model end so near to that one? A no is certain."""
    budget = mover.allowed(m) - (0.0 if mover.glides else least_climb(mover, m, o, reach))
    if gap(m, o) > budget + reach + TOLERANCE:
        return False
    goal = (o.x, o.y, o.r + m.r + reach + TOLERANCE)
    if not mover.has_haven(m, [goal], budget):
        return False
    return mover.glides or _some_way(mover, m, goal, gap(m, o) - reach, budget)


def least_climb(mover: Mover, m: Model, o: Model, reach: float) -> float:
    """How far a model must go up or down at the least to come to a floor from which it could be so near to another."""
    if mover.state.without:
        return 0.0
    surfaces = [0.0, *(part.top for feature in mover.terrain for part in feature.parts if part.kind != "wall")]
    up = UP if reach <= ENGAGEMENT else max(UP, reach)
    ends = [z for z in surfaces if rise(msgspec.structs.replace(m, z=z), o) <= up + TOLERANCE]
    return min((abs(_climbed(z) - _climbed(m.z)) for z in ends), default=math.inf)


def _climbed(z: float) -> float:
    return 0.0 if z <= LOW + TOLERANCE else z


def _some_way(mover: Mover, m: Model, goal: Disc, least: float, budget: float) -> bool:
    """Might there be a way of this length into a circle? It is at least so long."""
    slowed = not (flies(mover.state, mover.unit) and mover.state.applies("wh40k.terrain.trait.difficult-ground.fly"))
    if slowed and any(over_feature(m, feature) for feature in mover.slowing):
        budget -= SLOW
    spare = budget - least
    if spare < -TOLERANCE:
        return False
    costs = list(_costs(mover, m, spare, slowed))
    if costs and not mover.has_haven(m, [goal], budget, costs):
        return False
    passes = list(_passes(mover))
    if all(isinstance(body.shape, Round) for body, _ in passes):
        return True  # what stands about was taken as it is, not only the circles inside it
    bars: list[Bar] = [*passes, *((Prism(points, -SKY, SKY), 0.0) for points in costs)]
    for step in FINE:
        length = _shortest(m, goal, bars, budget, step)
        if length > budget + step + TOLERANCE:
            return False
        if length < budget - 2 * step:
            break  # a finer net would hardly change that
    return True


def _passes(mover: Mover) -> Iterator[tuple[Base, float]]:
    """What nobody passes: other models, and the Engagement Range of enemies that are no targets."""
    if mover.hops:
        return
    for body, soft in mover.near_by.bodies:
        if not soft:
            yield base(body).at(body.x, body.y, 0.0), 0.0
    if not mover.limits.cross:
        for foe, unit in mover.near_by.foes:
            if not mover.passable(unit):
                yield base(foe).at(foe.x, foe.y, 0.0), ENGAGEMENT


def _costs(mover: Mover, m: Model, spare: float, slowed: bool) -> Iterator[tuple[Point, ...]]:
    """What could be passed only at a price that is more than there is to spare: Difficult Ground, and what must be
    climbed."""
    state = mover.state
    for feature in mover.slowing if slowed and spare < SLOW - TOLERANCE else ():
        if state.applies("wh40k.terrain.trait.difficult-ground"):
            yield feature.points
    if state.without or state.options.low_terrain != "below-one":
        return
    top = highest([f for f in mover.terrain if not f.has("unstable-position")])  # nobody ends any higher
    for feature in mover.terrain:
        if feature.has("breachable") and light(mover.unit, m):
            continue
        for part in feature.parts:
            low = part.floor <= m.z + TOLERANCE and part.top >= m.z + LOW
            up_and_down = part.top - m.z + max(0.0, part.top - top)
            if low and part.kind != "floor" and up_and_down > spare + TOLERANCE:
                yield part.points


def _shortest(m: Model, goal: Disc, bars: Sequence[Bar], budget: float, step: float) -> float:
    """The shortest way to some places about a circle, if everything were kept clear of by a little less. Every place in
    the circle has one of these within `step` that it sees, so none there is nearer by more than `step`."""
    x, y, radius = goal
    wide = radius + step
    spacing = step * 1.4
    count = int(wide / spacing) + 1
    spots: list[Point] = []
    for i in range(-count, count + 1):
        for j in range(-count, count + 1):
            px, py = i * spacing, j * spacing
            if px * px + py * py <= wide * wide and (x + px - m.x) ** 2 + (y + py - m.y) ** 2 <= (budget + step) ** 2:
                spots.append((x + px, y + py))
    if not spots:
        return math.inf
    small = msgspec.structs.replace(m, r=m.q, bare=False, z=0.0)
    found = reach_of(
        base(small).at(m.x, m.y, 0.0),
        budget + step + TOLERANCE,
        [thing for thing, _ in bars],
        [clear - step - TOLERANCE for _, clear in bars],
    )
    return float(found.costs(spots).min())
