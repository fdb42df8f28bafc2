"""Setting models up: units in formation, models returned to their unit (aos.core.set-up, aos.core.return-models)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from umpire.engine.rulings import Reason
from umpire.games.aos.movement import Ends
from umpire.games.aos.state import Model, State, Unit
from umpire.games.aos.terrain import ground, stand_on
from umpire.games.aos.units import COMBAT_RANGE, book, counts_as_unit, enemies, sees
from umpire.miniatures.loose import placing
from umpire.miniatures.loose.bodies import near, within
from umpire.miniatures.loose.room import Bounds, floors, off_bodies
from umpire.miniatures.loose.walking import Rules
from umpire.space.havens import Disc
from umpire.space.shapes import TOLERANCE

Allowed = Callable[[Model], Reason | None]


class Placer(placing.Placer[Model]):
    """Judges where models of one unit may be set up."""

    rules = Rules(
        edge="aos.core.set-up",
        on="aos.core.set-up",
        through="aos.core.set-up",
        coherency="aos.core.coherency",
        move="aos.core.set-up",
    )

    def __init__(
        self,
        state: State,
        unit: Unit,
        models: Sequence[Model],
        allowed: Allowed,
        final: Callable[[Ends], list[Reason]] | None = None,
    ) -> None:
        self.state = state
        self.unit = unit
        standing = [m for m in unit.models if all(m is not mine for mine in models)]
        bodies = placing.others(state, unit)
        super().__init__(unit.id, models, standing, bodies, (state.width, state.depth), book(unit), allowed, final)
        self._land = ground(state.terrain)
        self.outlines = [part.points for *_, part in self._land]
        self.anywhere = allowed
        """What is asked of a place where it is to be proved that there is none."""

    @property
    def proved_full(self) -> bool:
        """Is it proved that there is no place, not even by what is asked at the least?"""
        allowed, self.allowed = self.allowed, self.anywhere
        try:
            return self.hopeless
        finally:
            self.allowed = allowed

    @property
    def rises(self) -> list[float]:
        """How much higher or lower than others a model may stand."""
        levels = floors(self.state.terrain)
        return sorted({abs(a - b) for a in levels for b in levels})

    def stand(self, end: Model, level: float | None = None) -> tuple[float, Reason | None]:
        return stand_on(self._land, end)

    def beside_unit(self) -> Any:
        """Models of the unit, one at a time next to those that were not returned this turn."""
        return self.beside([m for m in self.standing if not m.back])


def away_from_enemies(state: State, unit: Unit, far: float, rule: str) -> Allowed:
    """Set up more than so far from all enemy units."""

    def why(end: Model, foe: Model, key: str) -> Reason:
        return Reason(rule, "reason.aos.near-enemy", {"model": end.id, "enemy": foe.id, "far": far})

    foes = [(m, u.id) for u in enemies(state, unit) if u.profile.kind != "terrain" for m in u.models]
    return placing.away_from(foes, far, lambda end, foe: within(end, foe, far), why)


def beyond(placer: Placer, far: float, m: Model) -> Bounds:
    """What bounds the places that are more than so far from all enemy units."""
    return off_bodies(m, _foes(placer), far, placer.rises)


def _foes(placer: Placer) -> list[Model]:
    return [o for u in enemies(placer.state, placer.unit) if u.profile.kind != "terrain" for o in u.models]


def too_near(placer: Placer, far: float, m: Model) -> list[Disc]:
    """Where nobody is more than so far from all enemy units, however much higher or lower than they he stands."""
    levels = floors(placer.state.terrain)
    found = []
    for foe in _foes(placer):
        rise = max(abs(foe.z - level) for level in levels)
        if rise < far:
            found.append((foe.x, foe.y, math.sqrt(far * far - rise * rise) + foe.q + m.q))
    return found


def joins_combat(state: State, unit: Unit, end: Model) -> Unit | None:
    """The enemy unit that a model set up here would bring its unit into combat with anew."""
    for foe in state.units.values():
        if foe.side == unit.side or foe.where != "table" or foe.id in unit.fights or not counts_as_unit(state, foe):
            continue
        dx, dy = foe.cx - end.x, foe.cy - end.y
        far = foe.cr + end.r + COMBAT_RANGE + TOLERANCE
        if dx * dx + dy * dy <= far * far:
            for m in foe.models:
                if near(end, m, COMBAT_RANGE) and sees(state, unit, end, foe, m):
                    return foe
    return None
