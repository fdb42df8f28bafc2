"""Setting units up, from the first deployment to the last passenger: where models may stand, and proofs that there is
no place for one (unit.coherency-when, core.wholly-within)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from umpire.engine.rulings import Reason
from umpire.games.wh40k.abilities import twins
from umpire.games.wh40k.ground import near_by, stand
from umpire.games.wh40k.measuring import ENGAGEMENT, enemies, engages, gap, true_gap
from umpire.games.wh40k.moving import Ends
from umpire.games.wh40k.state import Model, State, Unit
from umpire.games.wh40k.units import coherency_of
from umpire.miniatures.loose import placing
from umpire.miniatures.loose.bodies import Body, within
from umpire.miniatures.loose.placing import away_from, others
from umpire.miniatures.loose.room import Bounds, floors, off_bodies
from umpire.miniatures.loose.walking import Rules

Allowed = Callable[[Model], Reason | None]


def set_up_reasons(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit that was set up in this turn moves no more in it, in whatever way."""
    facts = {"unit": unit.id}
    if "arrived" in unit.marks:
        yield from twins(state, facts, "wh40k.move.reinforcements-no-move", "wh40k.reserves.reinforcement-restrictions")
    if "redeployed" in unit.marks:
        yield Reason("wh40k.move.redeploy-no-move", "", facts)


class Placer(placing.Placer[Model]):
    """Judges where models of one unit may be set up."""

    one_floor = False

    def __init__(
        self,
        state: State,
        unit: Unit,
        models: Sequence[Model],
        allowed: Allowed,
        rule: str,
        final: Callable[[Ends], list[Reason]] | None = None,
        standing: Sequence[Model] = (),
    ) -> None:
        self.state = state
        self.unit = unit
        self.rules = Rules(
            edge="wh40k.core.battlefield-edge",
            on="wh40k.move.no-ending-on-models",
            through="wh40k.move.no-ending-on-models",
            coherency="wh40k.unit.coherency-when",
            move=rule,
        )
        table, bodies = (state.width, state.depth), [*others(state, unit), *standing]
        super().__init__(unit.id, models, standing, bodies, table, coherency_of(state, unit), allowed, final)
        self.outlines = [outline for f in state.terrain for outline in (f.points, *(part.points for part in f.parts))]
        self.ways: Sequence[Callable[[Model], bool]] = ()
        """Where all models of the unit might be, where there are several such grounds."""

    def stand(self, end: Model, level: float | None = None) -> tuple[float, Reason | None]:
        features = near_by(self.state, end.x, end.y, end.r)
        return stand(self.state, self.unit, features, end, level, 0.0)

    def meets(self, end: Model, body: Body) -> bool:
        assert isinstance(body, Model)
        return body.z < end.z + end.height and body.z + body.height > end.z

    def below(self, m: Model, body: Body) -> bool:
        return body.z == 0.0 and not near_by(self.state, body.x, body.y, body.r + 2 * m.r)

    def off_enemies(self, far: float, more: Callable[[Model], Bounds] = lambda m: Bounds()) -> None:
        """Places are bounded by how far off enemy models they must be, and by more."""
        foes = [foe for foe, _ in foes_of(self.state, self.unit)]
        rises = sorted({abs(foe.z - level) for foe in foes for level in floors(self.state.terrain)})
        self.bounded(lambda m: off_bodies(m, foes, far, rises) + more(m))

    def some_room(self) -> Any:
        """All models at corners of the room there is, on one of the grounds where they might all be."""
        if not self.ways:
            return self.filled()
        return next((found for fit in self.ways if (found := self.filled(fit)) is not None), None)


def away_from_engagement(state: State, unit: Unit) -> Allowed:
    """Not within Engagement Range of any enemy model (wh40k.core.engagement-entry)."""
    rule = "wh40k.core.engagement-entry"

    def why(end: Model, foe: Model, key: str) -> Reason:
        facts = {"model": end.id, "enemy": key, "gap": round(max(0.0, gap(end, foe)), 3)}
        return Reason(rule, "reason.wh40k.set-up-engaged", facts)

    return away_from(foes_of(state, unit) if state.applies(rule) else [], ENGAGEMENT, engages, why)


def away_from_enemies(state: State, unit: Unit, far: float, rule: str) -> Allowed:
    """More than so far from every enemy model, heights counted."""

    def why(end: Model, foe: Model, key: str) -> Reason:
        facts = {"model": end.id, "enemy": key, "gap": round(max(0.0, true_gap(end, foe)), 3), "far": far}
        return Reason(rule, "reason.wh40k.near-enemy", facts)

    return away_from(foes_of(state, unit), far, lambda end, foe: within(end, foe, far), why)


def foes_of(state: State, unit: Unit) -> list[tuple[Model, str]]:
    return [(m, u.id) for u in enemies(state, unit) for m in u.models]
