"""The mover of one fighter: reads answers as traces, finds ways to goals, proposes moves, and tells their risk."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from umpire.engine.decisions import Ends, Form, Manner, Mover, Region, Route, Stretch, spot
from umpire.engine.decisions.forms import Way
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.games.warcry import paths, stopping, wander
from umpire.games.warcry.legs import HOWS, Trace, Tracer, why_not_fly
from umpire.games.warcry.risks import risk_of_move
from umpire.games.warcry.state import Fighter
from umpire.odds.telling import Odds
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

MANNERS = tuple(Manner(how, Text(how)) for how in HOWS)
"""The types of movement that a leg may be made by (warcry.move.types)."""
GROUNDED = tuple(manner for manner in MANNERS if manner.id != "fly")
WALK = tuple(manner for manner in MANNERS if manner.id == "walk")
WAYS: tuple[Way, ...] = ("to", "path", "stay")


class FighterMover(Mover[Trace]):
    """Judges the moves of one fighter by one action."""

    def __init__(self, tracer: Tracer) -> None:
        super().__init__()
        self.tracer = tracer

    @property
    def answered_by(self) -> tuple[Way, ...]:
        return WAYS

    @cached_property
    def form(self) -> Form:  # type: ignore[override]
        fighter = self.tracer.fighter
        return Form(
            ways=WAYS,
            pieces=(fighter.id,),
            limit=round(self.tracer.limit, 3),
            manners=self._manners(),
            start=spot(fighter.x, fighter.y, fighter.z),
        )

    def _manners(self) -> tuple[Manner, ...]:
        if self.tracer.disengage:
            return WALK
        return GROUNDED if why_not_fly(self.tracer.state, self.tracer.fighter) else MANNERS

    def read(self, answer: Any) -> Trace:
        if "stay" in answer:
            return self.tracer.run([])
        if "path" in answer:
            return self._along(answer["path"])
        legs = paths.expand(self.tracer, answer["to"])
        return self.tracer.run(legs) if legs is not None else Trace(reasons=self._why_not_there(answer["to"]))

    def fits(self, answer: Any) -> bool:
        if "path" not in answer:
            return super().fits(answer)
        way = self._along(answer["path"], brief=True)
        if way.reasons:
            return False
        self.remember(answer, way)
        return True

    def _along(self, path: list[dict[str, Any]], brief: bool = False) -> Trace:
        way = self.tracer.run(path, brief=brief)
        if way.reasons and len(straight := upright(self.tracer.fighter, path)) > len(path):
            other = self.tracer.run(straight, brief=brief)
            return way if other.reasons else other
        return way

    def _why_not_there(self, goal: Any) -> list[Reason]:
        """What stands against going straight to a goal on the same level; of others only that there is no way."""
        fighter = self.tracer.fighter
        if not fighter.climbing and goal.get("z", fighter.z) == fighter.z:
            straight = stopping.straight(self.tracer, goal)
            reasons = self.tracer.run(straight).reasons if straight else []
            if reasons:
                return reasons
        facts: dict[str, Any] = {"allowed": round(self.tracer.limit, 3)}
        for x, y, _ in paths.goal_spots(self.tracer, goal)[:1]:
            facts["distance"] = round(math.hypot(x - fighter.x, y - fighter.y), 3)
        # The search goes by places along walls and round corners: only what is too far is certain.
        sure = facts.get("distance", 0.0) > facts["allowed"]
        return [
            Reason("warcry.move.illegal", "reason.warcry.no-path" if sure else "reason.warcry.no-path-found", facts)
        ]

    def propose(self, rng: Rng) -> Any:
        return (wander.propose_out if self.tracer.disengage else wander.propose)(self.tracer, rng)

    def nearest(self, answer: Any) -> Any:
        return stopping.nearest(self.tracer, answer)

    def regions(self) -> list[Region]:
        return paths.reach(self.tracer)

    def route(self, answer: Any) -> Route:
        return self.plan(answer).route(self.tracer.fighter)

    def spelt(self, answer: Any) -> Any:
        if "to" not in answer:
            return answer
        return {"path": paths.expand(self.tracer, answer["to"])}

    def ends(self, answer: Any) -> Ends:
        end = self.plan(answer).ending(self.tracer.fighter)
        return {end.id: Stretch(x=end.x, y=end.y, z=end.z)}

    def risk(self, answer: Any) -> Odds | None:
        way, tracer = self.plan(answer), self.tracer
        return risk_of_move(tracer.state, tracer.fighter, way, tracer.limit, "to" in answer)


def upright(fighter: Fighter, path: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same path with every slanting climb, which only stairs allow, made of two legs: straight up before it goes
    across, or across before it goes straight down."""
    x, y, z = fighter.x, fighter.y, fighter.z
    legs: list[dict[str, Any]] = []
    for leg in path:
        to = (leg.get("x", x), leg.get("y", y), leg.get("z", z))
        slants = (to[0], to[1]) != (x, y) and abs(to[2] - z) > TOLERANCE
        if leg.get("how") == "climb" and slants and "on" not in leg:
            legs.append({**leg, "x": x, "y": y} if to[2] > z else {**leg, "z": z})
        legs.append(leg)
        x, y, z = to
    return legs
