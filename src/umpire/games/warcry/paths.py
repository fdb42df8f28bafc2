"""The cheapest way to a point or a fighter: walks round corners, climbs, stairs, doors, jumps and flights together.

Nodes are places to stand: the start, the goal, corners of what is in the way, and the ends of climbs and doorways. The
search is A*; every leg that is taken is checked by the same judge that checks players' moves.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from umpire.engine.decisions import Region, number_ok
from umpire.engine.decisions.movers import encode
from umpire.games.warcry.bounding import may_do, may_walk, passable, surroundings
from umpire.games.warcry.legs import KEPT, Tracer, stopped_by, why_not_fly
from umpire.games.warcry.placing import body, can_stand
from umpire.games.warcry.profiles import MOUNT
from umpire.games.warcry.searching import LegData, Search, Spot
from umpire.games.warcry.state import Fighter
from umpire.games.warcry.terrain import OPENINGS, STEPS, PlacedPart
from umpire.games.warcry.tightening import SLACK, plain, tightened
from umpire.space.moving import Go
from umpire.space.paths import path
from umpire.space.shapes import TOLERANCE, snap

HAIR = 0.004
"""How far from what it goes round a found path keeps."""
RAYS = 40
FINE = 0.3
"""How close together the places along a wall are where a way is to be drawn tight."""


def leg(how: str, x: float, y: float, z: float | None = None, **more: Any) -> LegData:
    """A leg of an answer."""
    data: LegData = {"how": how, "x": snap(x), "y": snap(y)}
    if z is not None:
        data["z"] = snap(z)
    return {**data, **more}


def onto(ax: float, ay: float, bx: float, by: float, x: float, y: float, margin: float = 0.15) -> tuple[float, float]:
    """The point of an edge nearest to a place, a little away from its ends."""
    dx, dy = bx - ax, by - ay
    length = math.hypot(dx, dy)
    keep = min(margin / length, 0.5)
    t = max(keep, min(1 - keep, ((x - ax) * dx + (y - ay) * dy) / (length * length)))
    return ax + t * dx, ay + t * dy


class Finder(Search):
    """The search for one fighter from where it stands."""

    def __init__(
        self,
        tracer: Tracer,
        budget: float,
        towards: tuple[float, float] | None = None,
        spread: float = 0.0,
        fine: bool = False,
        over: Sequence[str] | None = None,
    ) -> None:
        self.fine = fine
        self.over = over
        """The parts that a way may lead over or through; None: any."""
        self.tracer = tracer
        self.fighter: Fighter = tracer.fighter
        self.ground = tracer.ground
        self.radius = self.fighter.profile.base / 50.8
        self.towards = towards or (self.fighter.x, self.fighter.y)
        super().__init__((self.fighter.x, self.fighter.y, self.fighter.z), budget, towards, spread)

    # -- the graph -----------------------------------------------------------------------------------------------

    def build(self) -> None:
        self.node(*self.start)
        for part in self.ground.parts:
            xs, ys = [p[0] for p in part.points], [p[1] for p in part.points]
            near_x = max(min(xs), min(max(xs), self.start[0]))
            near_y = max(min(ys), min(max(ys), self.start[1]))
            if part.kind == "low" or not self.in_reach(near_x, near_y, 4 * self.radius + 2 * self.spread):
                continue
            self._corners(part)
            if self.tracer.disengage:
                continue
            if self.over is not None and part.id not in self.over:
                pass
            elif part.kind in OPENINGS:
                self._door(part)
            elif part.kind == "stairs":
                self._stairs(part)
            elif part.kind != "unclimbable" and (part.kind in STEPS or MOUNT not in self.fighter.profile.runemarks):
                self._climbs(part)
            if part.platform:
                self._plate(part)
        for other in self.tracer.others:
            if self.in_reach(other.x, other.y, 4.0):
                reach = (self.radius + other.profile.base / 50.8 + HAIR) / math.cos(math.pi / 8)
                for k in range(8):
                    angle = (k + 0.5) * math.pi / 4
                    self._stand(other.x + reach * math.cos(angle), other.y + reach * math.sin(angle), other.z)

    def _stand(self, x: float, y: float, z: float) -> None:
        """A corner to go round, if one could stand there."""
        if self.in_reach(x, y) and self.ground.surface(x, y, z) is not None:
            self.node(x, y, z)

    def _levels(self, part: PlacedPart) -> list[float]:
        """The heights of surfaces from which a part stands in the way."""
        return [z for z in self.ground.levels if part.floor - self.fighter.profile.height < z < part.top - TOLERANCE]

    def _corners(self, part: PlacedPart) -> None:
        edges = self.ground.sides(part)
        for (_, _, bx, by, nx, ny), (_, _, _, _, mx, my) in zip(edges, edges[1:] + edges[:1], strict=True):
            first = math.atan2(ny, nx)
            turn = (math.atan2(my, mx) - first) % (2 * math.pi)
            reach = (self.radius + HAIR) / math.cos(turn / 4)
            for share in (0.25, 0.75):
                angle = first + turn * share
                for z in self._levels(part):
                    self._stand(bx + reach * math.cos(angle), by + reach * math.sin(angle), z)

    def _along(self, ax: float, ay: float, bx: float, by: float) -> list[tuple[float, float]]:
        """The points of an edge worth going over: nearest to start and goal, on the straight way, and its middle; a row
        of them where the others did not do."""
        (sx, sy), (gx, gy) = self.start[:2], self.towards
        ux, uy = gx - sx, gy - sy
        across = (bx - ax) * uy - (by - ay) * ux
        points = [(sx, sy), (gx, gy), ((ax + bx) / 2, (ay + by) / 2)]
        if abs(across) > 1e-9:
            t = ((sx - ax) * uy - (sy - ay) * ux) / across
            points.append((ax + t * (bx - ax), ay + t * (by - ay)))
        if self.fine:
            count = int(math.hypot(bx - ax, by - ay) / FINE) + 1
            points += [(ax + (bx - ax) * k / count, ay + (by - ay) * k / count) for k in range(count + 1)]
        return list(dict.fromkeys(onto(ax, ay, bx, by, x, y) for x, y in points))

    def _plate(self, part: PlacedPart) -> None:
        """Places on a platform: its middle and the middles of its edges, and where one lands beside it."""
        cx = math.fsum(p[0] for p in part.points) / len(part.points)
        cy = math.fsum(p[1] for p in part.points) / len(part.points)
        self._stand(cx, cy, part.top)
        for ax, ay, bx, by, nx, ny in self.ground.sides(part):
            for ex, ey in self._along(ax, ay, bx, by):
                self._stand(ex - nx * 0.05, ey - ny * 0.05, part.top)
                px, py = ex + nx * (self.radius + 0.02), ey + ny * (self.radius + 0.02)
                for z in self.ground.surfaces(px, py):
                    if z < part.top:
                        self._stand(px, py, z)

    def _climbs(self, part: PlacedPart) -> None:
        """Up and down the faces of an obstacle, from what one stands on beside it to platforms at its top; where a way
        is to be drawn tight, aslant and round its corners too: what leads on while it leads up is shorter."""
        climbs: list[tuple[Spot, Spot]] = []
        for ex, ey, nx, ny in self._faces(part):
            cx, cy = ex + nx * (self.radius + HAIR), ey + ny * (self.radius + HAIR)
            if not self.in_reach(cx, cy):
                continue
            for low in self.ground.surfaces(cx, cy):
                if not part.floor - TOLERANCE <= low < part.top:
                    continue
                for high in self.ground.levels:
                    if low + TOLERANCE < high <= part.top + 0.5 and high - low <= self.budget:
                        spots = ((ex - nx * far, ey - ny * far) for far in (0.05, 0.3, 0.6, 1.0))
                        over = next((spot for spot in spots if self.ground.surface(*spot, high) is not None), None)
                        if over is not None:
                            climbs.append(((cx, cy, low), (*over, high)))
        for foot, top in climbs:
            self._climb(part, foot, foot, top)
        if self.fine:
            for (foot, above), (beside, top) in itertools.permutations(climbs, 2):
                if above[2] == top[2]:
                    self._climb(part, foot, beside, top)

    def _faces(self, part: PlacedPart) -> Iterator[tuple[float, float, float, float]]:
        """Where to go over the edges of an obstacle, and the direction out of it there."""
        edges = self.ground.sides(part)
        for (ax, ay, bx, by, nx, ny), (_, _, _, _, mx, my) in zip(edges, edges[1:] + edges[:1], strict=True):
            for ex, ey in self._along(ax, ay, bx, by):
                yield ex, ey, nx, ny
            if self.fine:
                for kx, ky in ((nx, ny), (nx + mx, ny + my), (mx, my)):
                    yield bx, by, kx / math.hypot(kx, ky), ky / math.hypot(kx, ky)

    def _climb(self, part: PlacedPart, foot: Spot, beside: Spot, top: Spot) -> None:
        """Up from a foot to beside a place at the top, and onto it; and down again."""
        x, y, high = beside[0], beside[1], top[2]
        cost = math.hypot(math.dist(foot[:2], beside[:2]), high - foot[2]) + math.dist(beside[:2], top[:2])
        away, on = math.dist(self.start[:2], foot[:2]), math.dist(self.start[:2], top[:2])
        most = self.budget + TOLERANCE
        above = (x, y, high)
        if away + cost + self.left(*top[:2]) <= most and self._aslant(foot, above):
            self._portal(foot, (leg("climb", *above, on=part.id), leg("climb", *top, on=part.id)))
        if on + cost + self.left(*foot[:2]) <= most and self._aslant(above, foot):
            self._portal(top, (leg("climb", *above, on=part.id), leg("climb", *foot, on=part.id)))

    def _aslant(self, start: Spot, end: Spot) -> bool:
        """May a climb lead on while it leads up or down? Mostly the wall itself is in the way."""
        if start[:2] == end[:2]:
            return True
        go = Go(end[0] - start[0], end[1] - start[1], end[2] - start[2])
        return not self.ground.in_the_way(body(self.fighter, *start), go)

    def _stairs(self, part: PlacedPart) -> None:
        foot, head = part.flight(self.radius + HAIR)
        self._portal(foot, (leg("climb", *head, on=part.id),))
        self._portal(head, (leg("climb", *foot, on=part.id),))

    def _door(self, part: PlacedPart) -> None:
        one, two = part.thresholds(self.radius + HAIR)
        self._portal(one, (leg("walk", two[0], two[1], through=part.id),))
        self._portal(two, (leg("walk", one[0], one[1], through=part.id),))

    def _portal(self, start: Spot, legs: tuple[LegData, ...]) -> None:
        """Keep a portal if its ends are places to stand and the judge allows its legs."""
        start = (snap(start[0]), snap(start[1]), snap(start[2]))
        if self.ground.surface(*start) is None:
            return
        key = (start, encode(legs))
        if key not in self.tracer.free:
            trace = self.tracer.run(legs, start, brief=True)
            good = not trace.reasons and not trace.climbing
            self._remember(key, (trace.legs[-1], trace.cost) if good else None)
        led = self.tracer.free[key]
        if led is not None and led[1] <= self.budget:
            last, cost = led
            at = self.node(*start)
            to = self.node(last.x, last.y, last.z)
            self.portals.setdefault(at, []).append((to, legs, cost))

    # -- the search ----------------------------------------------------------------------------------------------

    def between(self, a: int, b: int) -> LegData | None:
        """One walk or jump between two nodes, if it is legal."""
        start, end = self.nodes[a], self.nodes[b]
        free: dict[tuple[Spot, Spot], LegData | None] = self.tracer.free
        if (start, end) not in free:
            self._remember((start, end), self._straight(start, end))
        return free[start, end]

    def _remember(self, key: Any, found: Any) -> None:
        """What was judged holds as long as the question is open."""
        if len(self.tracer.free) >= KEPT:
            self.tracer.free.clear()
        self.tracer.free[key] = found

    def _straight(self, start: Spot, end: Spot) -> LegData | None:
        """The same as the judge says of one leg after the other, but without reasons: both lead across at one height,
        and a jump then leads down."""
        tracer, ground, (ax, ay, az), (bx, by, bz) = self.tracer, self.ground, start, end
        here, go = body(self.fighter, *start), Go(bx - ax, by - ay)
        over = here.at(bx, by)
        if math.hypot(go.dx, go.dy) > tracer.limit + TOLERANCE or ground.off_table(over) or bz > az + TOLERANCE:
            return None
        met = tracer.met(ax, ay, bx, by)
        if ground.in_the_way(here, go) or stopped_by(met, here, go) is not None:
            return None
        if abs(az - bz) <= TOLERANCE and ground.stays_on(ax, ay, bx, by, az):
            return leg("walk", bx, by)
        if az <= TOLERANCE or tracer.disengage:
            return None
        down = Go(0.0, 0.0, bz - az)
        if ground.in_the_way(over, down) or stopped_by(tracer.met(bx, by, bx, by), over, down) is not None:
            return None
        return leg("jump", bx, by, bz)


# -- what players ask for ----------------------------------------------------------------------------------------


def goal_spots(tracer: Tracer, goal: Any) -> list[Spot]:
    """The places that a wish means: a point (on its highest surface, if no height is given), or beside a fighter."""
    if not isinstance(goal, dict):
        return []
    ground, fighter = tracer.ground, tracer.fighter
    if isinstance(goal.get("beside"), str):
        target = next((f for f in tracer.others if f.id == goal["beside"]), None)
        if target is None:
            return []
        reach = (fighter.profile.base + target.profile.base) / 50.8 + 0.1
        spots = []
        for k in range(24):
            x = snap(target.x + reach * math.cos(k * math.pi / 12))
            y = snap(target.y + reach * math.sin(k * math.pi / 12))
            spots += [(x, y, z) for z in ground.surfaces(x, y) if abs(z - target.z) < 0.9]
        return spots
    if not (number_ok(goal.get("x")) and number_ok(goal.get("y"))):
        return []
    x, y = snap(float(goal["x"])), snap(float(goal["y"]))
    if number_ok(goal.get("z")):
        near = min(ground.surfaces(x, y), key=lambda z: abs(z - float(goal["z"])))
        return [(x, y, near)]
    heights = ground.surfaces(x, y)
    return [(x, y, z) for z in reversed(heights) if can_stand(tracer.state, body(fighter, x, y, z), (fighter.id,))][:1]


def find(tracer: Tracer, goal: Any, budget: float) -> tuple[list[LegData], float] | None:
    """The cheapest legal path to a wish within a budget: its legs and their cost."""
    fighter = tracer.fighter
    spots = [s for s in goal_spots(tracer, goal) if can_stand(tracer.state, body(fighter, *s), (fighter.id,))]
    if not spots:
        return None
    if not tracer.disengage and not why_not_fly(tracer.state, fighter):
        x, y, z = min(spots, key=lambda s: math.hypot(s[0] - fighter.x, s[1] - fighter.y))
        far = math.hypot(x - fighter.x, y - fighter.y)
        return ([leg("fly", x, y, z)], far) if far <= budget + TOLERANCE else None
    if fighter.climbing:
        return _off_the_wall(tracer, spots, budget)
    cx, cy = math.fsum(s[0] for s in spots) / len(spots), math.fsum(s[1] for s in spots) / len(spots)
    spread = max(math.hypot(s[0] - cx, s[1] - cy) for s in spots)
    finder = Finder(tracer, budget, (cx, cy), spread)
    finder.node(*finder.start)
    goals = {finder.node(*spot) for spot in spots}
    if not finder.in_reach(cx, cy, spread):
        return None
    for goal_node in sorted(goals):
        straight = finder.between(0, goal_node)
        if len(goals) == 1 and straight is not None and straight["how"] == "walk":
            far = math.hypot(straight["x"] - fighter.x, straight["y"] - fighter.y)
            return ([straight], far) if far <= budget + TOLERANCE else None
    if len(spots) == 1 and not may_walk(tracer, spots[0], budget) and not may_do(tracer, spots[0], budget):
        return None
    finder.build()
    found = finder.search(goals, budget)
    if found is None or (found[1] > budget - TOLERANCE and tracer.run(found[0]).cost > budget + TOLERANCE):
        return _drawn_tight(tracer, spots, budget)  # nodes lie on the grid; where the fighter stands need not
    return found


def _drawn_tight(tracer: Tracer, spots: list[Spot], budget: float) -> tuple[list[LegData], float] | None:
    """A way that is a little too long by the places of the search and short enough by places between them: of the ways
    over the same walls the shortest, a few such ways in turn."""
    for goal in spots:
        walk = _walk(tracer, goal, budget)
        if walk is not None:
            return walk
        over = [part.id for part in passable(tracer, goal, budget)]
        if not over and tracer.fighter.z <= TOLERANCE:
            continue
        finder = Finder(tracer, budget + SLACK, goal[:2], fine=True, over=over)
        finder.node(*finder.start)
        at = finder.node(*goal)
        if math.dist(finder.start, (*goal[:2], max(goal[2], finder.start[2]))) > budget + TOLERANCE:
            continue
        finder.build()
        finder.search(set(), budget + SLACK)
        walks = may_walk(tracer, goal, budget)
        for legs in itertools.islice(finder.unlike(at, budget + SLACK), WAYS):
            if not walks and all(map(plain, legs)):
                continue
            legs, cost = tightened(finder.start, legs, tracer.cost_of, budget)
            if cost <= budget + TOLERANCE and not tracer.run(legs, brief=True).reasons:
                return legs, cost
    return None


def _walk(tracer: Tracer, goal: Spot, budget: float) -> tuple[list[LegData], float] | None:
    """The shortest walk on one floor, worked out, and rounded with hardly any clearance."""
    if abs(goal[2] - tracer.fighter.z) > TOLERANCE:
        return None
    base, things, table, fence = surroundings(tracer)
    route = path(base, *goal[:2], things, CLOSE, table, budget, fence)
    legs = [leg("walk", x, y) for x, y in route.points[1:]] if route is not None else []
    trace = tracer.run(legs, brief=True)
    return (legs, trace.cost) if legs and not trace.reasons else None


CLOSE = 0.0002
"""How far from what it goes round the shortest walk keeps."""
WAYS = 4
"""So many ways over different walls are drawn tight."""


def _off_the_wall(tracer: Tracer, spots: list[Spot], budget: float) -> tuple[list[LegData], float] | None:
    """A climbing fighter's ways on: straight there by climbing, or a jump."""
    found: tuple[list[LegData], float] | None = None
    for x, y, z in spots:
        for legs in (
            [leg("climb", x, y, z)],
            [leg("climb", tracer.fighter.x, tracer.fighter.y, z), leg("climb", x, y, z)],
            [leg("jump", x, y, z)],
        ):
            trace = tracer.run(legs, brief=True)
            if not trace.reasons and (found is None or trace.cost < found[1]):
                found = (legs, trace.cost)
    return found if found is not None and found[1] <= budget else None


def expand(tracer: Tracer, goal: Any) -> list[LegData] | None:
    """{"to": …} as a path, or None if there is no legal one within the fighter's move."""
    found = find(tracer, goal, tracer.limit)
    return found[0] if found else None


def tree(tracer: Tracer) -> Finder:
    """The cheapest ways within the move to all corners from which it may go on: looked for once, as long as the
    question is open."""
    if tracer.tree is None:
        tracer.tree = Finder(tracer, tracer.limit)
        tracer.tree.build()
        tracer.tree.search(set(), tracer.limit)
    finder: Finder = tracer.tree
    return finder


def towards(tracer: Tracer, x: float, y: float, z: float | None, most: float) -> Iterator[tuple[float, list[LegData]]]:
    """Ways by the corners within reach and then straight to a point, as far as they lead, and how near to it each comes
    (or may come at best, where it is a jump down); the nearest first, and none that comes no nearer than so much."""
    finder, fighter = tree(tracer), tracer.fighter
    found: list[tuple[float, int, LegData]] = []
    for at, cost in finder.best.items():
        nx, ny, nz = finder.nodes[at]
        dx, dy, left = x - nx, y - ny, tracer.limit - cost
        whole = math.hypot(dx, dy)
        low = 0.0 if z is None else z - nz
        if whole < TOLERANCE or math.hypot(max(0.0, whole - left), max(0.0, low)) >= most:
            continue
        go = min(left - 0.002, whole * tracer.ray(body(fighter, nx, ny, nz), dx, dy) - 0.002, whole)
        if go > 0.0:
            near = math.hypot(whole - go, low)
            found.append((near, at, leg("walk", nx + dx / whole * go, ny + dy / whole * go)))
        if nz > (z or 0.0) + TOLERANCE:
            part = min(1.0, (left - 0.002) / whole)
            px, py = nx + dx * part, ny + dy * part
            down = [height for height in tracer.ground.surfaces(px, py) if height < nz - TOLERANCE]
            if down:
                near = math.hypot(whole * (1.0 - part), 0.0 if z is None else z - down[-1])
                found.append((near, at, leg("jump", px, py, down[-1])))
    for near, at, last in sorted(found, key=lambda one: one[:2]):
        if near >= most:
            return
        yield near, [*finder.ways(at), last]


def reach(tracer: Tracer) -> list[Region]:
    """The ground that can be reached, floor by floor; jumps more than 2 inches down are marked as a risk."""
    fighter = tracer.fighter
    if not tracer.disengage and not why_not_fly(tracer.state, fighter):
        circle = _circle(fighter.x, fighter.y, tracer.limit)
        return [Region("reach", (circle,), z) for z in tracer.ground.levels]
    if fighter.climbing:
        return []
    finder = tree(tracer)
    stars: dict[tuple[str, float], list[tuple[tuple[float, float], ...]]] = {}
    for at in sorted(finder.best):
        left = tracer.limit - finder.best[at]
        if left > 0.2:
            x, y, z = finder.nodes[at]
            risky = _deep(finder, at)
            star = tracer.ground.star(body(fighter, x, y, z), left, tracer.discs, RAYS)
            stars.setdefault(("risk" if risky else "reach", z), []).append(star)
    return [Region(kind, tuple(shapes), z) for (kind, z), shapes in sorted(stars.items())]


def _deep(finder: Finder, at: int) -> bool:
    """Does the way to a node hold a jump of more than 2 inches down?"""
    while at:
        before, legs = finder.came[at]
        if any(data["how"] == "jump" and finder.nodes[before][2] - data["z"] > 2.0 + TOLERANCE for data in legs):
            return True
        at = before
    return False


def _circle(x: float, y: float, r: float) -> tuple[tuple[float, float], ...]:
    return tuple(
        (round(x + r * math.cos(k * math.pi / 24), 3), round(y + r * math.sin(k * math.pi / 24), 3)) for k in range(48)
    )
