"""Moving a unit: how far, what it meets, where it ends (aos.core.movement, aos.move.fly)."""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from umpire.engine.rulings import Reason
from umpire.games.aos.state import Feature, Model, Part, State, Unit
from umpire.games.aos.terrain import (
    LOW,
    Ground,
    carried_over,
    climb,
    features_within,
    ground,
    obstacles,
    stand,
    stand_on,
)
from umpire.games.aos.units import COMBAT_RANGE, book, counts_as_unit, sees
from umpire.miniatures.loose import mover
from umpire.miniatures.loose.bodies import Body
from umpire.miniatures.loose.groups import enclose
from umpire.miniatures.loose.walking import STAY, Around, Limits, Rules, Spots, Ways
from umpire.space.plain import Point

__all__ = ["STAY", "Around", "Ends", "Limits", "Mover", "Spots", "Ways", "put"]

Ends = dict[str, Model]
RULES = Rules(
    edge="aos.core.movement",
    on="aos.core.movement",
    through="aos.core.movement",
    coherency="aos.core.coherency-move",
    move="aos.core.movement",
)


class Mover(mover.Mover[Model]):
    """Reads the answers to a question for a move, judges them and proposes some."""

    flat = COMBAT_RANGE
    rules = RULES
    blocked = frozenset({"aos.terrain.impassable"})
    towards_whom = ""
    """The unit to which it must come nearer, where there is such."""
    unit: Unit

    def __init__(self, state: State, unit: Unit, limits: Limits) -> None:
        self.state = state
        self.reach = unit.cr + limits.allowance + 0.5
        flies = unit.profile.fly and state.applies("aos.move.fly")
        super().__init__(unit, limits, (state.width, state.depth), book(unit), flies)
        # What was judged is kept while nobody moves: who takes an answer back, or looks ahead, asks the same again.
        told = (limits.allowance, limits.rule, limits.cross, limits.end, limits.spared, limits.unseen)
        self._plans = state.look(("plans", type(self), unit.id, self.towards_whom, state.phase, *told), unit.mark, dict)

    @functools.cached_property
    def about(self) -> list[Feature]:
        """The terrain within reach."""
        return features_within(self.state, self.unit.cx, self.unit.cy, self.reach)

    @functools.cached_property
    def ground(self) -> Ground:
        return ground(self.about)

    @functools.cached_property
    def parts(self) -> list[tuple[Feature, Part]]:
        """What of it is to be climbed, or gone round."""
        return obstacles(self.about)

    def surroundings(self, reach: float) -> Around:
        found = Around([], [])
        unit, limits, state = self.unit, self.limits, self.state
        for other in state.units.values():
            if other.where != "table" or other.id == unit.id:
                continue
            dx, dy = other.cx - unit.cx, other.cy - unit.cy
            square = dx * dx + dy * dy
            if square >= (reach + other.cr + COMBAT_RANGE) ** 2:
                continue
            counts = counts_as_unit(state, other)
            if square < (reach + other.cr) ** 2 and (counts or other.profile.kind != "terrain"):
                soft = other.profile.kind == "manifestation"
                found.bodies.extend((m, soft) for m in other.models)
            hinders = other.side != unit.side and other.id not in limits.spared and not limits.end
            if hinders and counts:
                found.foes.extend((m, other) for m in other.models)
        return found

    def stand(self, end: Model, level: float | None = None) -> tuple[float, Reason | None]:
        dx, dy, reach = end.x - self.unit.cx, end.y - self.unit.cy, self.reach - end.r
        if reach > 0.0 and dx * dx + dy * dy <= reach * reach:
            return stand_on(self.ground, end) if self.ground else (0.0, None)
        return stand(self.state, end)

    def over(self, m: Model, x: float, y: float) -> float:
        return carried_over(self.parts, msgspec.structs.replace(m, x=x, y=y)) if self.parts else 0.0

    def climb(
        self, m: Model, end: Model, start: tuple[float, float, float], stop: tuple[float, float, float], last: bool
    ) -> tuple[float, Reason | None]:
        if not self.parts and start[2] <= LOW and stop[2] <= LOW:
            return 0.0, None
        rise, jumped, barred = climb(self.parts, end, *start, *stop, last)
        if rise:
            self.used.append("aos.core.move-terrain")
        if jumped:
            self.used.append("aos.core.jump-down")
        return rise, barred

    def seen(self, spot: Model, foe: Body, unit: Any) -> bool:
        assert isinstance(foe, Model)
        return sees(self.state, self.unit, spot, unit, foe)

    def walls(self) -> list[tuple[Point, ...]]:
        return [part.points for _, part in self.parts]

    def low(self, m: Model, end: Model) -> bool:
        return m.z <= LOW and stand(self.state, end)[0] <= LOW


def put(unit: Unit, ends: Ends) -> None:
    """Carry a judged move or set-up out."""
    unit.models = tuple([ends.get(m.id, m) for m in unit.models])
    enclose(unit)
