"""Setting models up round something that stands: who gets out, comes back or is summoned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from umpire.engine.rulings import Reason
from umpire.miniatures.loose.bodies import Body, overlap
from umpire.miniatures.loose.coherency import linked
from umpire.miniatures.loose.placing import Placer
from umpire.space import havens
from umpire.space.angles import sin_cos
from umpire.space.shapes import TOLERANCE, snap

M = TypeVar("M", bound=Body)
AROUND = tuple(sin_cos(15.0 * k) for k in range(24))


def all_of(*tests: Callable[[M], Reason | None]) -> Callable[[M], Reason | None]:
    """The first objection of several."""

    def allowed(end: M) -> Reason | None:
        return next((why for test in tests if (why := test(end)) is not None), None)

    return allowed


class Around(Placer[M]):
    """Judges where models of one unit may be set up, round another model among others."""

    def around(self, anchor: M, reach: float) -> Any:
        """All models round another, in coherency, within so much; None if they do not fit that way."""
        kept = self.most_around(anchor, reach)
        if len(kept) < len(self.models):
            return None
        answer = {"models": kept}
        return answer if self.fits(answer) else None

    def most_around(self, anchor: M, reach: float) -> dict[str, dict[str, float]]:
        """As many models as find room round another, each in coherency with those before it."""
        best: dict[str, dict[str, float]] = {}
        for first in range(0, 24, 6):
            kept = self._packed(anchor, reach, first)
            if len(kept) > len(best):
                best = kept
            if len(best) == len(self.models):
                break
        return best

    def _packed(self, anchor: M, reach: float, first: int) -> dict[str, dict[str, float]]:
        ends: list[M] = []
        for m in self.models:
            end = self._free(m, anchor, reach, first, ends)
            if end is not None:
                ends.append(end)
        return {p.id: {"x": p.x, "y": p.y, "facing": p.facing} for p in ends}

    def _free(self, m: M, anchor: M, reach: float, first: int, ends: Sequence[M]) -> M | None:
        most = anchor.r + reach - m.q
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

    def some_place(self, m: M, anchor: M, reach: float) -> bool:
        """Is there any place for one model alone wholly within so much of another, clear of everybody? False proves
        that there is none: bases that are not round count by the circles inside them, and floors are left out."""
        inside = [(anchor.x, anchor.y, anchor.r + reach - m.q + TOLERANCE)]
        return havens.place(m.q, inside, self.barred(m, anchor, reach), (self.width, self.depth)) is not None

    def barred(self, m: M, anchor: M, reach: float) -> list[havens.Disc]:
        """Where the middle of a model cannot be, whatever floor it stands on."""
        raise NotImplementedError
