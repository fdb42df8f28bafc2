"""Getting out of a Transport: round it, wholly within so much of it, in coherency (move.transport-disembark)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.engine.rulings import Reason
from umpire.games.wh40k.ground import near_by
from umpire.games.wh40k.measuring import ENGAGEMENT, base, wholly_near
from umpire.games.wh40k.moving import STAY
from umpire.games.wh40k.placing import Allowed, Placer, away_from_engagement, foes_of
from umpire.games.wh40k.state import Model, State, Unit
from umpire.games.wh40k.units import coherent
from umpire.miniatures.loose.bodies import Body, overlap
from umpire.miniatures.loose.coherency import linked
from umpire.miniatures.loose.room import Bounds
from umpire.miniatures.loose.ways import Plan
from umpire.space import havens
from umpire.space.angles import sin_cos
from umpire.space.measure import furthest
from umpire.space.shapes import TOLERANCE, snap

DISEMBARK = "wh40k.move.transport-disembark"
ORDER = "wh40k.move.transport-destroyed-order"
UNPLACEABLE = "wh40k.move.transport-destroyed-unplaceable"
AROUND = tuple(sin_cos(15.0 * k) for k in range(24))


def exit_allowed(state: State, unit: Unit, transport: Unit, reach: float) -> Allowed:
    """wh40k.move.transport-disembark: wholly within 3 inches of the Transport, outside Engagement Range."""
    vessel = transport.models[0]
    clear = away_from_engagement(state, unit)

    def allowed(end: Model) -> Reason | None:
        if not wholly_near(end, vessel, reach):
            far = round(furthest(base(end), base(vessel)), 3)
            facts = {"model": end.id, "transport": transport.id, "inches": reach, "gap": far}
            return Reason(DISEMBARK, "reason.wh40k.not-wholly-near", facts)
        return clear(end)

    return allowed


class Exits(Placer):
    """Judges where models of one unit get out of a Transport."""

    def __init__(self, state: State, unit: Unit, transport: Unit, reach: float, rule: str = DISEMBARK) -> None:
        self.vessel, self.reach = transport.models[0], reach
        super().__init__(state, unit, unit.models, exit_allowed(state, unit, transport, reach), rule)

    def around(self) -> Any:
        """All models round the Transport, in coherency; None if they do not fit that way."""
        kept = self.most_around()
        if len(kept) < len(self.models):
            return None
        answer = {"models": kept}
        return answer if self.fits(answer) else None

    def most_around(self) -> dict[str, dict[str, float]]:
        """As many models as find room round it, each in coherency with those before it."""
        best: dict[str, dict[str, float]] = {}
        for first in range(0, 24, 6):
            kept = self._packed(first)
            if len(kept) > len(best):
                best = kept
            if len(best) == len(self.models):
                break
        return best

    def _packed(self, first: int) -> dict[str, dict[str, float]]:
        ends: list[Model] = []
        for m in self.models:
            end = self._free(m, first, ends)
            if end is not None:
                ends.append(end)
        return {p.id: {"x": p.x, "y": p.y, "facing": p.facing} for p in ends}

    def _free(self, m: Model, first: int, ends: Sequence[Model]) -> Model | None:
        anchor = self.vessel
        most = anchor.r + self.reach - m.q
        least = anchor.q + m.q + 0.02
        far = least
        while far <= most + TOLERANCE:
            for k in range(24):
                s, c = AROUND[(k // 2 * (1 if k % 2 else -1) + first) % 24]
                end = msgspec.structs.replace(
                    m, x=snap(anchor.x + s * far), y=snap(anchor.y + c * far), z=0.0, facing=anchor.facing
                )
                if any(overlap(end, o) for o in ends):
                    continue
                need = min(len(ends), 2 if len(self.models) >= self.coherency.many else 1)
                if sum(linked(end, o, self.coherency) for o in ends) < need:
                    continue
                if self.spot(end, ends) is None:
                    return end
            far += max(0.3, m.r)
        return None

    def some_place(self, m: Model) -> bool:
        """Is there any place for one model alone, clear of everybody? False proves that there is none: bases that are
        not round count by the circles inside them, and floors are left out."""
        return havens.place(m.q, [self._near(m)], self.barred(m), (self.width, self.depth)) is not None

    def _near(self, m: Model) -> havens.Disc:
        """Where the middle of a model is that stands wholly near enough."""
        return self.vessel.x, self.vessel.y, self.vessel.r + self.reach - m.q + TOLERANCE

    def barred(self, m: Model) -> list[havens.Disc]:
        """Where the middle of a model cannot be, whatever floor it stands on."""
        anchor = self.vessel
        far = anchor.r + self.reach
        if any(f.height for f in near_by(self.state, anchor.x, anchor.y, far)):
            return []

        def near(body: Body) -> bool:
            return math.hypot(body.x - anchor.x, body.y - anchor.y) <= far + body.r + m.r + ENGAGEMENT

        found = [(b.x, b.y, b.q + m.q - TOLERANCE) for b in self.bodies if near(b)]
        foes = [foe for foe, _ in foes_of(self.state, self.unit) if near(foe)]
        return found + [(o.x, o.y, o.q + m.q + ENGAGEMENT + TOLERANCE) for o in foes]


def exits_of(state: State, unit: Unit, transport: Unit, reach: float) -> Exits:
    """The judge for a whole unit, with what bounds its places."""
    placer = Exits(state, unit, transport, reach)
    vessel = placer.vessel
    placer.off_enemies(ENGAGEMENT, lambda m: Bounds(((vessel.x, vessel.y, vessel.r + reach - m.r - havens.HAIR),)))
    placer.confined = lambda m: ((vessel.x, vessel.y, vessel.r + reach),)
    return placer


class Bailing(Exits):
    """Judges where passengers of a wreck are set up, as many as there is room for: so many fit at the least, which the
    places that were found prove, and nobody may be left out for whom there is a place beside the others."""

    def __init__(self, state: State, unit: Unit, transport: Unit, reach: float) -> None:
        super().__init__(state, unit, transport, reach, ORDER)
        self.found = self.completed(self.most_around())
        self.optional()
        self.default = {"models": self.found} if self.found else dict(STAY)

    @property
    def hopeless(self) -> bool:
        """Is it proved that no model finds a place at all?"""
        return not any(self.some_place(m) for m in self.models)

    def completed(self, kept: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        """The same places and those of others who fit beside them."""
        kept = dict(kept)
        for m in self.models:
            if m.id not in kept and (spot := self.room_beside(m, kept)) is not None:
                kept[m.id] = spot
        return kept

    def room_beside(self, m: Model, kept: dict[str, dict[str, float]]) -> dict[str, float] | None:
        """A place for one more, in coherency with those who have theirs."""
        stand = [msgspec.structs.replace(o, x=kept[o.id]["x"], y=kept[o.id]["y"]) for o in self.models if o.id in kept]
        taken = [(o.x, o.y, o.q + m.q) for o in stand] + self.barred(m)
        for mate in stand:
            inside = [self._near(m), (mate.x, mate.y, self.coherency.reach + mate.q + m.q)]
            spot = havens.place(m.q, inside, taken, (self.width, self.depth))
            if spot is None:
                continue
            end = msgspec.structs.replace(m, x=snap(spot[0]), y=snap(spot[1]), z=0.0)
            if self.spot(end, stand) is None and coherent(self.state, [*stand, end]):
                return {"x": end.x, "y": end.y, "facing": 0.0}
        return None

    def read(self, answer: Any) -> Plan[Model]:
        kept = answer.get("models", {}) if "stay" not in answer else {}
        facts = {"unit": self.unit.id, "room": len(self.found)}
        if len(kept) < len(self.found):
            return Plan([Reason(UNPLACEABLE, "reason.wh40k.more-room", facts)], {})
        mine = [m for m in self.models if m.id in kept]
        if len(mine) < len(kept):
            return Plan([Reason(ORDER, "reason.loose.all-models", {"unit": self.unit.id})], {})
        left = next((m for m in self.models if m.id not in kept and self.room_beside(m, kept) is not None), None)
        if left is not None:
            return Plan([Reason(UNPLACEABLE, "reason.wh40k.room-for", {"model": left.id})], {})
        ends = [
            msgspec.structs.replace(
                m, x=snap(kept[m.id]["x"]), y=snap(kept[m.id]["y"]), z=0.0, facing=kept[m.id].get("facing", 0.0)
            )
            for m in mine
        ]
        return Plan(*self.weigh(ends, {key: wish.get("z") for key, wish in kept.items()}))
