"""The movers of a regiment: marches read as manoeuvres, formations read as stands in ranks (conquest.march.*)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from umpire.engine.decisions import Ends, Form, Mover, Propose, Region, Route, Stretch, spot
from umpire.engine.decisions.forms import Way
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.miniatures.manners import manners
from umpire.space.angles import heading, turn_between
from umpire.space.ranks.fronts import Pose, pose_about

from . import drill, formation, ranked
from .drill import Fits, Free, Manoeuvre, legs_of, reach_outline, route
from .manoeuvres import furthest, path_of
from .state import Regiment, Stand, State

MARCHED: tuple[Way, ...] = ("to", "path", "stay")


def stand_ends(regiment: Regiment, where: Pose, files: int, stands: Sequence[Stand]) -> Ends:
    """Where the stands of a regiment stand in a formation whose front is there."""
    facing = round(where[2] % 360.0, 3)
    ends: Ends = {}
    for stand in stands:
        x, y = ranked.place(regiment, where, files, stand.rank, stand.file)
        ends[stand.id] = Stretch(x=round(x, 3), y=round(y, 3), facing=facing)
    return ends


def formed_form(regiment: Regiment) -> Form:
    """How a formation is answered: where its centre is, which way it faces, in how many files."""
    allowed = formation.files_allowed(regiment)
    pieces = tuple([stand.id for stand in regiment.stands])
    return Form(ways=("spot",), pieces=pieces, facing=True, files=(allowed[0], allowed[-1]))


def formed_ends(regiment: Regiment, answer: Any, centred: bool = True) -> Ends:
    """Where the stands would be in a formation that was answered: about its centre, or behind its front."""
    files = max(1, min(answer.get("files", regiment.files), len(regiment.stands)))
    where = (answer["x"], answer["y"], answer.get("facing", 0.0))
    if centred:
        deep = -(-len(regiment.stands) // files) * regiment.profile.stand[1]
        where = pose_about(deep, *where)
    return stand_ends(regiment, where, files, formation.arranged(regiment.stands, files))


class Marched(NamedTuple):
    """The manoeuvres that an answer means, and every reason against them."""

    reasons: list[Reason]
    path: list[Manoeuvre]


class Marcher(Mover[Marched]):
    """Judges marches of a regiment in its formation from a place; `against` says what stands against a path, `inside`
    whether it ends in others, which nobody may who moves for the `last` time, `stuck` whether it does and nothing
    simple leads out again."""

    answered_by = MARCHED

    def __init__(
        self,
        regiment: Regiment,
        where: Pose,
        limit: float,
        against: Callable[[list[Manoeuvre]], list[Reason]],
        propose: Propose,
        free: Free | None = None,
        inside: Fits = lambda path: False,
        last: bool = False,
        stuck: Fits = lambda path: False,
    ) -> None:
        super().__init__()
        self.regiment, self.where, self.limit = regiment, where, limit
        self.against, self._propose, self.free = against, propose, free
        self.inside, self.last, self.stuck = inside, last, stuck
        self.wide = ranked.width(regiment)

    @functools.cached_property
    def form(self) -> Form:  # type: ignore[override]  # read by who shows the question, not by who answers it
        return Form(
            ways=MARCHED,
            pieces=tuple([stand.id for stand in self.regiment.stands]),
            limit=round(self.limit, 3),
            manners=manners(self.wide, drill.HOWS),
            start=spot(self.where[0], self.where[1], facing=self.where[2]),
            facing=True,
        )

    def fits_path(self, path: list[Manoeuvre]) -> bool:
        return not (self.last and self.inside(path)) and self.fits({"path": path})

    def read(self, answer: Any) -> Marched:
        path: Any = path_of(self.wide, self.where, answer, self.fits_path)
        if path and isinstance(path[0], Reason):
            return Marched(list(path), [])
        return Marched(self.against(path), path)

    def propose(self, rng: Rng) -> Any:
        return self._propose(rng)

    def nearest(self, answer: Any) -> Any:
        return furthest(self.wide, self.where, answer, self.limit, self.fits_path, self.free)

    def clear(self, answer: Any) -> Any:
        """The same among marches after which nothing is stuck in friends: sooner told, for whoever only looks for good
        ones."""
        return furthest(self.wide, self.where, answer, self.limit, self.clears, self.free)

    def clears(self, path: list[Manoeuvre]) -> bool:
        return not self.stuck(path) and self.fits({"path": path})

    def regions(self) -> list[Region]:
        return [Region("reach", (reach_outline(self.wide, self.where, self.limit),))]

    def route(self, answer: Any) -> Route:
        return {self.regiment.id: route(self.where, self.wide, self.plan(answer).path)}

    def ends(self, answer: Any) -> Ends:
        _, end = legs_of(self.where, self.wide, self.plan(answer).path)
        return stand_ends(self.regiment, end, self.regiment.files, self.regiment.stands)

    def spelt(self, answer: Any) -> Any:
        return {"path": self.plan(answer).path}

    def begins(self) -> Ends:
        return stand_ends(self.regiment, self.where, self.regiment.files, self.regiment.stands)


def propose_path(state: State, regiment: Regiment, where: Pose, limit: float, rng: Rng) -> list[Manoeuvre]:
    """A march somebody might make: on towards the enemy, or anywhere."""
    kind = rng.random()
    wide = ranked.width(regiment)
    if kind < 0.08:
        return [{"how": drill.SIDEWAYS[rng.below(3)], "inches": round(rng.random() * limit / 2, 2)}]
    if kind < 0.12:
        return []
    if kind < 0.17:
        bend = round(rng.uniform(5.0, min(30.0, limit * 60.0 / wide)), 1)
        left = math.floor((limit - drill.cost(wide, [drill.wheel(bend), drill.wheel(bend)])) * 100) / 100
        return [drill.wheel(bend), drill.forward(max(0.0, left)), drill.wheel(-bend)]
    foe = formation.nearest_enemy(state, regiment, where)
    if foe is not None and kind < 0.75:
        x, y = ranked.centre(foe) if foe.where == "table" else (foe.x, foe.y)
        turn = turn_between(where[2], heading(x - where[0], y - where[1]))
    else:
        turn = rng.uniform(-60.0, 60.0) if rng.random() < 0.5 else 0.0
    most = limit * 180.0 / (wide * math.pi)
    turn = max(-most, min(most, turn))
    turn = math.trunc(turn * 10) / 10
    left = limit - wide * abs(turn) * math.pi / 180.0
    path = [drill.wheel(turn)] if abs(turn) > 1.0 else []
    inches = math.floor(max(0.0, left if rng.random() < 0.6 else left * rng.random()) * 100) / 100
    if inches > 0.05:
        path.append(drill.forward(inches))
    return path
