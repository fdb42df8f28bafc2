"""Where a front can get to by any number of wheels and moves straight on: all of it, and a way there.

A front of width w pays what its outer corner travels: wt for a turn by t, its middle going wt/2 along the way it faces.
Of a march that ends turned by t, having turned as far as `a` to the left and t + b to the right, its turns alone cost
at least w(t + 2a + 2b), and carry it over every heading between once, beyond 0 and t twice; what is left, f inches,
goes by any mixture of those headings, so somewhere into the sector between the outermost of them. To turn beyond both
pays for nothing: what it reaches, one of them alone reaches cheaper. Then the whole of what can be reached at t is a
sector between headings 0 and t, and on either side of it what the tangents of a circle of radius w sweep, which the
middle follows while the front turns further and back again. Every place in it is reached by a wheel, a move straight
on and another wheel, and `way_there` tells which: they are the cheapest. (All this while a march cannot turn by half a
circle.)

So "no way leads clear" is a question about places and facings (x, y, t). It is put to slices of them (`Slice`), each
the hull of its corners but for a rim that is known; the body less that rim, and less by what it turns within the slice,
has a place there or not (`space.places`), and if not, no place in the slice is clear. Other slices are halved, until a
way is found or what is left is narrower than `LEAST`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from umpire.space.angles import turned as unit
from umpire.space.places import Kept, nearest_of
from umpire.space.plain import anticlockwise, cut
from umpire.space.shapes import Point, convex_hull

from .blocks import Box
from .fronts import Body, Pose, local, world

LEAST = 0.0005
"""Inches: room by less than this is none."""
NARROW = 0.05
"""In slices with a rim below this whoever is generous has been tried often enough."""
MOST_LOOKS = 12_000
MOST_LOOKS_ON_THE_WAY = 60
"""Of a thousand tight positions none took a third of that; on the way not to know is to go on."""
HAIR = 1e-6
HAIRS = ((2e-4, 0.0), (0.0, 2e-4), (-2e-4, 0.0), (0.0, -2e-4))
"""Wider by so much no slice is so thin that it is lost."""


class Slice(NamedTuple):
    """Some of what can be reached: turned by between so much to the side of its sign (radians), and how far between
    the headings it ends and begins with (`within`), or beyond the one or the other."""

    sign: float
    beyond: float
    """0 within, 1 beyond the heading at the end, -1 beyond that at the beginning."""
    low: float
    high: float
    start: float
    end: float


class March(NamedTuple):
    """A body, where it starts, and how far it may go."""

    body: Body
    where: Pose
    limit: float
    whole: bool = False
    """It goes as far as that: then its middle has gone half of it at least."""
    turned: tuple[float, float] = (-math.inf, math.inf)
    """It ends turned to the right by no less and no more than that."""

    @property
    def most(self) -> float:
        return self.limit / self.body.width

    def ray(self, beyond: float, turn: float, part: float) -> tuple[Point, Point]:
        """The line straight on from where the first wheel (and the second, moved before it) has led, to where nothing
        is left; to the right of the front and ahead of it, for a turn to the right."""
        wide, spare = self.body.width, (self.most - turn) / 2
        x, y = _arc(wide / 2, 0.0, turn)
        left = self.limit - wide * turn
        if beyond > 0.0:
            heading = turn + part * spare
            dx, dy = _arc(wide, turn, heading)
        elif beyond < 0.0:
            heading = -part * spare
            dx, dy = _arc(wide, heading, 0.0)
        else:
            heading, dx, dy = part * turn, 0.0, 0.0
        left *= 1.0 if beyond == 0.0 else 1.0 - part
        at = (x + dx, y + dy)
        return at, (at[0] + left * math.sin(heading), at[1] + left * math.cos(heading))

    def region(self, one: Slice, wider: Sequence[Point] = ((0.0, 0.0),)) -> tuple[Sequence[Point], float]:
        """The hull of a slice's corners, moved so each, and how far outside of it the slice reaches at most."""
        x, y, facing = self.where
        s, c = unit(facing)
        sign = one.sign
        points = []
        for turn in (one.low,) if one.low == one.high else (one.low, one.high):
            for part in (one.start, one.end):
                for right, ahead in self.ray(one.beyond, turn, part):  # `fronts.world`, written out
                    points.append((x + sign * right * c + ahead * s, y + ahead * c - sign * right * s))
        ring = anticlockwise(convex_hull([(px + dx, py + dy) for px, py in points for dx, dy in wider]))
        rim = (3.5 * self.body.width + self.limit) * (one.high - one.low) ** 2 / 8 + self.bent(one)
        if self.whole and self.most < math.pi / 2:
            least = self.limit / 2 * math.cos(self.most) - rim - HAIR
            return cut(ring, s, c, least + x * s + y * c), rim
        return ring, rim

    def bent(self, one: Slice) -> float:
        """How far a slice bulges between the lines that it starts and ends with. (A surface is off the one through its
        corners by an eighth of its second derivatives at most.)"""
        spare = (self.most - one.low) / 2 if one.beyond else one.high
        return ((5.0 * self.body.width if one.beyond else 0.0) + self.limit) * (spare * (one.end - one.start)) ** 2 / 8


class Way(NamedTuple):
    """A wheel by so many degrees (to the right positive), so many inches straight on, another wheel."""

    first: float
    on: float
    last: float


def _arc(radius: float, start: float, end: float) -> Point:
    """What a point goes that travels along a circle from one heading to another: to the right, and ahead."""
    return radius * (math.cos(start) - math.cos(end)), radius * (math.sin(end) - math.sin(start))


def way_there(march: March, x: float, y: float, turn: float, sign: float) -> Way | None:
    """The cheapest way to a place, turned by so many radians to the side of a sign; None where there is none so
    short."""
    wide = march.body.width
    right, ahead = local(march.where, x, y)
    bx, by = _arc(wide / 2, 0.0, turn)
    px, py = sign * right - bx, ahead - by
    heading, on, beyond = math.atan2(px, py), math.hypot(px, py), 0.0
    if on <= HAIR:
        heading, on = 0.0, 0.0
    elif not 0.0 <= heading <= turn:
        # Tangents of the circle that the middle follows beyond a heading: seen from it, that heading is straight on.
        side, straight = (1.0, turn) if heading > turn else (-1.0, 0.0)
        s, c = math.sin(straight), math.cos(straight)
        across, along = side * (px * c - py * s), px * s + py * c
        square = (across - wide) ** 2 + along * along - wide * wide
        if square < 0.0:
            if square < -HAIR:
                return None
            square = 0.0
        on = math.sqrt(square)
        # From the middle of the circle the place is seen at an angle of which the tangent takes its part.
        beyond = math.atan2(along, wide - across) - math.atan2(on, wide)
        if beyond < -HAIR:
            return None
        beyond = max(0.0, beyond)
        heading = straight + side * beyond
    if wide * (turn + 2 * beyond) + on > march.limit + HAIR:
        return None
    return Way(math.degrees(sign * heading), on, math.degrees(sign * (turn - heading)))


def slices(march: March) -> list[Slice]:
    low, high = march.turned
    sides = [(1.0, max(0.0, low), min(march.most, high)), (-1.0, max(0.0, -high), min(march.most, -low))]
    return [
        Slice(sign, beyond, least, most, 0.0, 1.0)
        for sign, least, most in sides
        if least <= most
        for beyond in (0.0, 1.0, -1.0)
    ]


def places(march: March, keeps: Kept, sure: Sequence[Kept]) -> Iterator[Way | None]:
    """Ways to places where the body is clear of things: nothing means that there is none, by `LEAST` at least, and
    None that nobody knows: it is too long in the telling, or, of a `whole` march, too narrow. `keeps` is what it keeps
    off in any case; `sure` the same for who seeks a place, the more generous last."""
    body, (x, y, facing) = march.body, march.where
    reach = math.hypot(body.width / 2, body.depth)
    far = march.limit + 2 * reach
    area = [(x - far, y - far), (x + far, y - far), (x + far, y + far), (x - far, y + far)]
    queue = deque(slices(march))
    looks = 0
    while queue:
        looks += 1
        if looks > (MOST_LOOKS if not march.whole else MOST_LOOKS_ON_THE_WAY):
            yield None
            return
        one = queue.popleft()
        ring, rim = march.region(one, HAIRS)
        if not ring:
            continue
        over = one.high - one.low
        less = reach * over / 2 + rim
        middle = (one.low + one.high) / 2
        turned = facing + one.sign * math.degrees(middle)
        parts = _parts(body, turned, less)
        if parts:
            if nearest_of(parts, area, keeps, (x, y), ring) is None:
                continue
            for kept in sure if less < NARROW else sure[:1]:
                way = _way_in(march, kept, area, one, middle, turned)
                if way is not None:
                    yield way
        if less > LEAST:
            queue += _halves(one, march, less)
        elif march.whole:
            yield None


def stages(march: March, keeps: Kept, many: int) -> Iterator[March]:
    """Marches of growing lengths, of which one is any march that things do not stop on its way. At each length (so
    many equal ones, and shorter first ones) they leave some turns at which it may be clear of them; it goes on from
    there, or, if there are none, no further."""
    parts = [*(2.0**-k for k in range(7, 3, -1) if 2.0**-k < 1 / many), *(k / many for k in range(1, many + 1))]
    low = high = done = 0.0
    for part in parts:
        length = march.limit * part
        more = (length - done) / march.body.width
        low, high, done = low - more, high + more, length
        short = march._replace(limit=length, turned=(low, high))
        yield short
        left = _first_clear(short, low, high, keeps)
        if left is None:
            return
        right = _first_clear(short, high, low, keeps)
        low, high = left, high if right is None else right


FINELY = 64
"""One of so many parts of the turns that a march may have made is told from the next."""


def _first_clear(march: March, start: float, end: float, keeps: Kept) -> float | None:
    """The turn, from one to another, before which it is clear at none; None: it is clear at none at all."""
    fine, stack = abs(end - start) / FINELY, [(start, end)]
    while stack:
        a, b = stack.pop()
        if _clear(march, min(a, b), max(a, b), keeps):
            if abs(b - a) <= fine * 1.01:
                return a
            stack += [((a + b) / 2, b), (a, (a + b) / 2)]
    return None


def _clear(march: March, low: float, high: float, keeps: Kept) -> bool:
    """May it be clear at its full length, turned by so much?"""
    return any(True for _ in places(march._replace(whole=True, turned=(low, high)), keeps, [keeps]))


def _halves(one: Slice, march: March, less: float) -> list[Slice]:
    if march.bent(one) > less / 2:
        middle = (one.start + one.end) / 2
        return [one._replace(start=middle), one._replace(end=middle)]
    middle = (one.low + one.high) / 2
    return [one._replace(low=middle), one._replace(high=middle)]


def _parts(body: Body, facing: float, less: float) -> list[tuple[Point, ...]]:
    """A body at a facing, less so much all round, about the middle of its front."""
    trim, at = 2 * less, (0.0, 0.0, facing)
    return [
        Box(*world(at, right, ahead + r.depth / 2 - less), *unit(facing), r.width - trim, r.depth - trim).corners()
        for right, ahead, r in body.parts
        if min(r.width, r.depth) > trim
    ]  # fmt: skip


def _way_in(march: March, keeps: Kept, area: Sequence[Point], one: Slice, turn: float, facing: float) -> Way | None:
    """A way to a place in the middle of a slice, near its centre."""
    ring, _ = march.region(one._replace(low=turn, high=turn))
    if not ring:
        return None
    wish = (math.fsum(x for x, _ in ring) / len(ring), math.fsum(y for _, y in ring) / len(ring))
    spot = nearest_of(_parts(march.body, facing, 0.0), area, keeps, wish, ring)
    return None if spot is None else way_there(march, *spot, turn, one.sign)
