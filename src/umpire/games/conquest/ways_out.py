"""Where a body can get to straight on, sideways, backwards or after one wheel, so that it ends clear of things.

How far along a line it is clear is computed; over the angle of a wheel a stretch is given up only when no angle in it
can be free. The chapter that asks judges every way (`Fits`); none found means that there is none of this kind. Ways of
any number of wheels are `any_way`'s; `no_room` proves that there is none for a body that may turn as it likes.
"""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from umpire.space import spans
from umpire.space.angles import rotate
from umpire.space.moving import Turn
from umpire.space.places import Keep, kept
from umpire.space.plain import anticlockwise
from umpire.space.ranks import standing_room, wheelings
from umpire.space.ranks.fronts import TOUCH, Body, Pose, world
from umpire.space.shapes import Point, Prism, Thing, circle_about, convex_parts, extent
from umpire.space.spans import Bar, Span

from .drill import Fits, Manoeuvre, carried, cost, forward, legs_of
from .drill import wheel as wheel_by

HOWS = (("forward", 0.0), ("back", 180.0), ("left", 270.0), ("right", 90.0))
FINE = 0.0005
ROUGH = 100 * FINE
AMONG = 2 * FINE - TOUCH
"""The clearance from friends where a move ends: so little overlap is none."""


class Off(NamedTuple):
    """What is to be kept off: its outline, convex, and how far."""

    ring: Sequence[Point]
    clearance: float = 0.0
    circle: tuple[float, float, float] | None = None
    """A circle about it, where it will be asked about often."""


def rings(thing: Thing) -> tuple[Sequence[Point], ...]:
    """The convex parts of a thing."""
    return convex_parts(thing.points if isinstance(thing, Prism) else thing.corners())


def keep_off(things: Sequence[Thing], gaps: Sequence[float]) -> list[Off]:
    return [Off(ring, gap) for thing, gap in zip(things, gaps, strict=True) for ring in rings(thing)]


@functools.cache
def edges(w: float, d: float) -> tuple[Off, ...]:
    """The ground beyond the edges of a table of this size."""
    far = 40.0
    corners = ((-far, -far, w + far, 0.0), (-far, d, w + far, d + far), (-far, 0.0, 0.0, d), (w, 0.0, w + far, d))
    return tuple([Off(((x0, y0), (x1, y0), (x1, y1), (x0, y1))) for x0, y0, x1, y1 in corners])


def clear(
    body: Body, where: Pose, direction: float, most: float, ends: Sequence[Off], stops: Sequence[Off]
) -> list[Span]:
    """How far in a direction a body may go to end clear of `ends` without coming to `stops` on the way."""
    return spans.free(0.0, most, bars_of(body, where, direction, ends, stops, 0.0))


def bars_of(
    body: Body, where: Pose, direction: float, ends: Sequence[Off], stops: Sequence[Off], smaller: float
) -> list[Bar]:
    ux, uy = rotate(0.0, 1.0, direction)
    bars: list[Bar] = []
    for block in body.blocks(where):
        own = block.corners()
        x, y, radius = block.x, block.y, extent(block)
        for things, stop in ((ends, False), (stops, True)):
            for thing in things:
                if thing.circle is not None:
                    dx, dy, room = thing.circle[0] - x, thing.circle[1] - y, thing.circle[2] + radius + thing.clearance
                    if not -room <= dx * uy - dy * ux <= room or dx * ux + dy * uy < -room:
                        continue  # it stands beside the whole way, or behind
                ring = thing.ring
                # What is nearer than that already may be left.
                keep = min(thing.clearance, spans.gap(own, ring) if stop else math.inf) - smaller - FINE
                if keep < 0.0:
                    ring, keep = spans.less(ring, -keep), 0.0
                bar = spans.along(own, ux, uy, ring, keep) if ring else None
                if bar is not None and bar[1] > 0.0:
                    bars.append(Bar(bar[0], math.inf if stop else bar[1]))
    return bars


def reachable(body: Body, where: Pose, limit: float, things: Sequence[Off]) -> list[Off]:
    """Those that a move of this length can come to at all: in a wheel the rear moves further than the outer front
    corner, by as much as it is further from the inner one."""
    wide = body.width
    limit *= math.hypot(wide, body.depth) / wide
    blocks = [block.corners() for block in body.blocks(where)]
    x, y, radius = body.disc(where)
    near = []
    for thing in things:
        far = limit + thing.clearance
        tx, ty, reach = circle_about(tuple(thing.ring))
        if (tx - x) ** 2 + (ty - y) ** 2 > (far + radius + reach) ** 2:
            continue
        if any(spans.gap(block, thing.ring) <= far for block in blocks):
            near.append(Off(thing.ring, thing.clearance, (tx, ty, reach)))
    return near


def ways(
    body: Body, where: Pose, limit: float, ends: Sequence[Off], stops: Sequence[Off], fits: Fits,
    hows: Sequence[tuple[str, float]] = HOWS,
) -> list[Manoeuvre] | None:  # fmt: skip
    """A way that ends clear and fits: the straight ones first, each stretch by its far end, then after a wheel; among
    things by less than touching, where there is no other of its kind."""
    ends, stops = reachable(body, where, limit, ends), reachable(body, where, limit, stops)
    among = [end if end.clearance else Off(end.ring, AMONG, end.circle) for end in ends]
    straights, sides = _leading(body, where, limit, among, stops, hows)
    keeps = (ends, among) if among != ends else (ends,)
    if hows := list(straights):
        held = functools.cache(lambda turn: bars_of(body, where, where[2] + turn, (), stops, 0.0))
        for keep in keeps:
            straight = next((way for way in _straight(body, where, limit, keep, held, hows) if fits(way)), None)
            if straight is not None:
                return straight
    signs = list(sides)
    wheels = (_after_a_wheel(body, where, limit, keep, stops, sign, fits) for keep in keeps for sign in signs)
    return next((way for way in wheels if way is not None), None)


def _leading(
    body: Body, where: Pose, limit: float, ends: Sequence[Off], stops: Sequence[Off], hows: Sequence[tuple[str, float]]
) -> tuple[Iterable[tuple[str, float]], Iterable[float]]:
    """The directions straight on, and the sides to wheel to, by which anything may lead clear: where quadrilaterals are
    all that is kept off, the kernel rules most out at once."""
    if any(len(off.ring) != 4 for off in (*ends, *stops)):
        return hows, (1.0, -1.0)
    kept = _quads(ends, stops)
    bodies = [block.corners() for block in body.blocks(where)]

    def straight(how: tuple[str, float]) -> bool:
        return kept.leave(bodies, *rotate(0.0, 1.0, where[2] + how[1]), 0.0, FINE, (), most_of(limit, how[0]))

    def wheeling(sign: float) -> bool:
        widest = _widest(body, where, limit, held_off(stops), sign)
        return next(_wheels(body, where, limit, kept, sign, widest), None) is not None

    if not _may_lead(body, where, limit, kept):
        return filter(straight, [how for how in hows if how[0] != "forward"]), ()
    return filter(straight, hows), filter(wheeling, (1.0, -1.0))


def nowhere_to_end(rings: Sequence[Sequence[Point]]) -> spans.Kept:
    """Quadrilaterals in which nobody may end, all of them by a little less, for `shut_in`."""
    return spans.Kept([(ring, -2 * TOUCH) for ring in rings], ())


def shut_in(body: Body, where: Pose, limit: float, ends: spans.Kept) -> bool:
    """Does certainly nothing that `ways` looks for lead clear of these? A rough look, for who tries many places."""
    if next(ends.firsts([(*where, limit)], _parts(body), body.width, body.depth, AMONG, ROUGH), None) is not None:
        return False
    bodies = [block.corners() for block in body.blocks(where)]
    asides = ((rotate(0.0, 1.0, where[2] + turn), most_of(limit, how)) for how, turn in HOWS if how != "forward")
    return not any(ends.leave(bodies, *towards, 0.0, FINE, (), most) for towards, most in asides)


def _may_lead(body: Body, where: Pose, limit: float, kept: spans.Kept) -> bool:
    """May straight on, or a wheel, lead clear? A rough look, which takes a hundredth of the time of a fine one, with
    everything that is kept off less by more than it may be mistaken."""
    rough = copy.copy(kept)
    rough.clearances = kept.clearances - 2 * FINE
    places = rough.firsts([(*where, limit)], _parts(body), body.width, body.depth, AMONG, ROUGH)
    return next(places, None) is not None


def _quads(ends: Sequence[Off], stops: Sequence[Off]) -> spans.Kept:
    """The quadrilaterals among them, for the kernel."""
    rings = ([(off.ring, off.clearance) for off in offs if len(off.ring) == 4] for offs in (ends, stops))
    return spans.Kept(*rings)


def held_off(stops: Sequence[Off]) -> list[tuple[Sequence[Point], float]]:
    return [(thing.ring, thing.clearance) for thing in stops]


def most_of(limit: float, how: str) -> float:
    """How far it goes in a direction."""
    return limit if how == "forward" else limit / 2


def _wheels(body: Body, where: Pose, limit: float, kept: spans.Kept, sign: float, widest: float) -> Iterator[float]:
    """The wheels to one side that the kernel finds to leave something of the way straight on."""
    corner = world(where, sign * body.width / 2, 0.0)
    reach = math.hypot(body.width, body.depth) + limit
    return kept.wheels(_parts(body), where, corner, sign * widest, body.width, limit, reach, FINE)


class Found(NamedTuple):
    """A way, if one was found; if not, is it proved that there is none?"""

    way: list[Manoeuvre] | None
    none: bool = False


OVERLAPS = (0.0, 0.0033, TOUCH)
"""How deep in what may be overlapped by less than touching a place is looked for. Two right corners may lie a third
deeper in each other than the sides of both."""
IN_VAIN = 20
"""After so many ways to clear places that something stops nothing is sure."""


STAGES = (8, 16)
"""Into so many a march is parted, until it is proved that there is no way or all is in vain."""


def any_way(
    body: Body, where: Pose, limit: float, ends: Sequence[Off], stops: Sequence[Off], fits: Fits, passes: Fits
) -> Found:
    """A way that ends clear and fits: straight on, sideways, backwards, or forward with any number of wheels. What
    begins with a path that does not `pass` never fits.

    That there is none is proved of where it may end (`wheelings`). Where it might end clear but is stopped before, ways
    of two wheels are tried by steps for the first; then it is proved of what is not stopped, stage by stage.
    """
    found = ways(body, where, limit, ends, stops, fits)
    if found is not None:
        return Found(found)
    ends, stops = reachable(body, where, limit, ends), reachable(body, where, limit, stops)
    march = wheelings.March(body, where, limit + FINE)
    came = _by_wheels(march, ends, stops, fits, passes)
    if came.way is None and (not came.none or march.most >= math.pi):
        way = _by_steps(body, where, limit, ends, stops, fits, passes)
        if way is not None or march.most >= math.pi:
            return Found(way)
        held = kept(_kept(stops, FINE))
        for many in STAGES:
            short = (_by_wheels(one, ends, stops, fits, passes) for one in wheelings.stages(march, held, many))
            came = next((one for one in short if not one.none), Found(None, none=True))
            if came.none or came.way is not None:
                break
    return came


def _by_wheels(march: wheelings.March, ends: Sequence[Off], stops: Sequence[Off], fits: Fits, passes: Fits) -> Found:
    # Who turns about a corner may stay exactly as near to something as he may be.
    held, hard = _kept(stops, FINE), _kept(stops, FINE / 2)
    sure = [kept([*_kept(ends, deep), *hard]) for deep in OVERLAPS]
    vain = 0
    for found in wheelings.places(march, kept([*_kept(ends, TOUCH + FINE), *held]), sure):
        way = None if found is None else spelled(found)
        if way is not None and fits(way):
            return Found(way)
        vain += way is not None and not passes(way)
        if way is None or vain >= IN_VAIN:
            return Found(None)
    return Found(None, none=True)


def spelled(way: wheelings.Way) -> list[Manoeuvre]:
    """The manoeuvres of a way, those that come to nothing left out."""
    legs = ((wheel_by(way.first), way.first), (forward(way.on), way.on), (wheel_by(way.last), way.last))
    return [leg for leg, amount in legs if abs(amount) > wheelings.HAIR]


def _kept(things: Sequence[Off], deep: float) -> list[Keep]:
    """Things to be kept off, each taken less all round."""
    keeps = []
    for off in things:
        keep = off.clearance - deep
        ring = off.ring if keep >= 0.0 else spans.inset(anticlockwise(off.ring), -keep)
        if ring:
            keeps.append(Keep(ring, max(0.0, keep)))
    return keeps


FIRST_WHEELS = tuple(sign * degrees for degrees in range(3, 39, 3) for sign in (1.0, -1.0))
SHARES = (0.25, 0.5, 0.75, 0.9, 1.0)


def _by_steps(
    body: Body, where: Pose, limit: float, ends: Sequence[Off], stops: Sequence[Off], fits: Fits, passes: Fits
) -> list[Manoeuvre] | None:
    """A way that ends clear and fits, after some way straight on or a wheel by steps."""
    firsts = [[forward(limit * share)] for share in SHARES]
    for degrees in FIRST_WHEELS:
        turn = [wheel_by(degrees)]
        # So far straight on at most that there is enough left to wheel back.
        most = limit - 2 * cost(body.width, turn)
        firsts += [turn, *([*turn, forward(most * share)] for share in SHARES if most > 0.0)]
    begun = [(first, legs_of(where, body.width, first)[1], limit - cost(body.width, first)) for first in firsts]
    for first, there, left in _promising(body, [one for one in begun if one[2] > 0.0], ends, stops):
        if not passes(first):
            continue

        def goes(path: list[Manoeuvre], first: list[Manoeuvre] = first) -> bool:
            return fits([*first, *path])

        then = ways(body, there, left, ends, stops, goes, HOWS[:1])
        if then is not None:
            return [*first, *then]
    return None


Begun = tuple[list[Manoeuvre], Pose, float]
"""A path, where it leads, and how many inches are left after it."""


def _promising(body: Body, begun: list[Begun], ends: Sequence[Off], stops: Sequence[Off]) -> Iterator[Begun]:
    """Those that a way straight on, or after a wheel, may lead clear from: where quadrilaterals are all that is kept
    off, the kernel rules out most of them at once."""
    if any(len(off.ring) != 4 for off in (*ends, *stops)):
        yield from begun
        return
    kept = spans.Kept([(end.ring, end.clearance) for end in ends], [(stop.ring, stop.clearance) for stop in stops])
    places = [(*there, left) for _, there, left in begun]
    for k in kept.firsts(places, _parts(body), body.width, body.depth, AMONG, FINE):
        yield begun[k]


def _parts(body: Body) -> npt.NDArray[np.float64]:
    """The rectangles of a body, for the kernel."""
    return np.array([(right, ahead, r.width, r.depth) for right, ahead, r in body.parts])


def _straight(
    body: Body, where: Pose, limit: float, ends: Sequence[Off], held: Callable[[float], list[Bar]],
    hows: Sequence[tuple[str, float]],
) -> Iterator[list[Manoeuvre]]:  # fmt: skip
    """Straight ways that end clear; `held` is what stops them, by how far each turns from the front."""
    for how, turn in hows:
        most = most_of(limit, how)
        bars = [*bars_of(body, where, where[2] + turn, ends, (), 0.0), *held(turn)]
        for span in reversed(spans.free(0.0, most, bars)):
            far, near = math.floor(span.high * 1000 + 1e-6) / 1000, math.ceil(span.low * 1000 - 1e-6) / 1000
            for inches in dict.fromkeys((far, _between(span), near)):
                yield [{"how": how, "inches": inches}]


def _between(span: Span) -> float:
    """A number of inches as paths are written, as near to the middle of a span as is in it."""
    middle = math.floor((span.low + span.high) * 500) / 1000
    return middle if middle >= span.low else math.ceil(span.low * 1000 - 1e-6) / 1000


def _after_a_wheel(
    body: Body,
    where: Pose,
    limit: float,
    ends: Sequence[Off],
    stops: Sequence[Off],
    sign: float,
    fits: Fits,
) -> list[Manoeuvre] | None:
    kept = _quads(ends, stops)
    rest = [end for end in ends if len(end.ring) != 4], [stop for stop in stops if len(stop.ring) != 4]

    def leave(turned: Pose, shift: float, more: Bar) -> bool:
        bodies = [block.corners() for block in body.blocks(turned)]
        bars = [*bars_of(body, turned, turned[2], *rest, shift), more] if rest[0] or rest[1] else [more]
        return kept.leave(bodies, *rotate(0.0, 1.0, turned[2]), shift, FINE, bars, limit)

    def on(wheel: Wheel) -> list[Manoeuvre] | None:
        for span in reversed(clear(body, wheel.turned, wheel.turned[2], wheel.left, ends, stops)):
            way = [wheel.manoeuvre, forward(_between(span))]
            if fits(way):
                return way
        return None

    return wheel_of(body, where, limit, held_off(stops), sign, leave, on, None if rest[0] or rest[1] else kept)


class Wheel(NamedTuple):
    """A wheel, where it leads, and how many inches are left after it."""

    manoeuvre: Manoeuvre
    turned: Pose
    left: float


def _widest(
    body: Body, where: Pose, limit: float, stops: Sequence[tuple[Sequence[Point], float]], sign: float
) -> float:
    """How far a body may wheel to one side before it comes to a stop, in degrees."""
    wide = body.width
    px, py = world(where, sign * wide / 2, 0.0)
    widest = min(90.0, limit / wide * 180.0 / math.pi)
    keep = [(ring, max(0.0, clearance - FINE)) for ring, clearance in stops]
    for block in body.blocks(where):
        widest, _ = spans.first_angle(block.corners(), px, py, keep, widest, sign)
    return widest


def wheel_of(
    body: Body,
    where: Pose,
    limit: float,
    stops: Sequence[tuple[Sequence[Point], float]],
    sign: float,
    leave: Callable[[Pose, float, Bar], bool],
    on: Callable[[Wheel], list[Manoeuvre] | None],
    kept: spans.Kept | None = None,
) -> list[Manoeuvre] | None:
    """A wheel to one side that comes to no stop, and the way straight on that `on` finds after it. `leave` says of a
    pose whether there may be one, as far as that holds though nothing is further from where it is there than a shift,
    and of a bar more; where quadrilaterals are all that is `kept` off, the kernel says the same sooner."""
    wide, deep = body.width, body.depth
    px, py = world(where, sign * wide / 2, 0.0)
    widest = _widest(body, where, limit, stops, sign)
    reach = math.hypot(wide, deep) + limit

    def turned(degrees: float) -> Pose:
        return carried(where, Turn(px, py, sign * degrees))

    def left(degrees: float) -> float:
        return max(0.0, limit - cost(wide, [wheel_by(sign * degrees)]))

    def after(degrees: float) -> list[Manoeuvre] | None:
        degrees = math.floor(degrees * 1000) / 1000  # as paths are written
        return on(Wheel(wheel_by(sign * degrees), turned(degrees), left(degrees)))

    def may(degrees: float, half: float) -> bool:
        shift = half * math.pi / 180.0 * reach
        return leave(turned(degrees), shift, Bar(left(max(0.0, degrees - half)) + FINE + shift, math.inf))

    # Angles so near to each other that nothing is further apart at them than lengths differ are alike.
    fine = 2.0 * FINE / reach * 180.0 / math.pi
    if kept is not None:
        wheels = _wheels(body, where, limit, kept, sign, widest)
    else:
        wheels = spans.free_values(0.0, widest, fine, may)
    return next((way for degrees in wheels if (way := after(degrees)) is not None), None)


def no_room(
    body: Body, where: Pose, limit: float, ends: Sequence[Off], board: tuple[float, float], full: float
) -> bool:
    """Is there certainly no way at all, however it wheels: nowhere within reach any room for it, at any facing? `full`
    is the depth of its full ranks, which alone are looked at."""
    x, y, radius = body.disc(where)
    far = 3 * radius + limit
    x0, x1 = max(0.0, x - far), min(board[0], x + far)
    y0, y1 = max(0.0, y - far), min(board[1], y + far)
    # Facings are told apart so finely that a body less by this rim rules out all between two of them.
    rim = radius * math.radians(standing_room.FINEST)
    keeps = [Keep(off.ring, off.clearance) for off in reachable(body, where, limit, ends)]
    area = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    # In a wheel its centre moves further than the outer front corner only if it is further from the inner one.
    most = limit * max(1.0, math.hypot(body.width, full) / 2 / body.width)
    within = standing_room.Within(*world(where, 0.0, -full / 2), most + rim)
    less = (body.width - 2 * rim, full - 2 * rim)
    return full > 0 and standing_room.place(*less, area, keeps, (x, y), where[2], within) is None
