"""The clocks of a table: time for each answer, for each side with something added back at every turn, or for the whole
battle. A clock is data of its table; it runs only while the server does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Seconds = Annotated[int, Meta(ge=1, le=366 * 24 * 3600)]


class ClockRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`kind`: "move" gives `seconds` for every answer, "chess" gives each side `seconds` for the battle and
    `increment` more whenever its turn has passed, "battle" gives both together `seconds`. `falls` says what happens at
    zero: "remind" (they are told), "computer" (it answers for them), "lose" (where the time was both sides': the score
    decides)."""

    kind: Literal["move", "chess", "battle"]
    seconds: Seconds
    increment: Annotated[int, Meta(ge=0, le=7 * 24 * 3600)] = 0
    falls: Literal["remind", "computer", "lose"] = "remind"


class Clock(msgspec.Struct, kw_only=True):
    """`left` are the seconds of each side (of a whole battle: the same for both). `asked` are the sides whose time
    runs, `fell` those who were told that it is over, `lost` who has lost by it."""

    rules: ClockRules
    left: list[float]
    asked: list[int] = []
    fell: list[int] = []
    lost: int | None = None

    @classmethod
    def new(cls, rules: ClockRules) -> Clock:
        return cls(rules=rules, left=[float(rules.seconds)] * 2)

    def run(self, elapsed: float) -> None:
        """So much time has passed."""
        if self.rules.kind == "battle":
            if self.asked:
                self.left = [max(0.0, self.left[0] - elapsed)] * 2
            return
        for side in self.asked:
            self.left[side] = max(0.0, self.left[side] - elapsed)

    def turn(self, asked: Sequence[int], answered: int | None) -> None:
        """Others are asked now; `answered` is who has just answered."""
        if answered is not None:
            self.fell = [side for side in self.fell if side != answered and self.rules.kind != "battle"]
            if self.rules.kind == "move":
                self.left[answered] = float(self.rules.seconds)
            elif self.rules.kind == "chess" and answered not in asked:
                self.left[answered] += self.rules.increment
        self.asked = list(asked)

    def over(self) -> list[int]:
        """The sides that are asked and have no time left."""
        return [side for side in self.asked if self.left[side] <= 0.0]

    def next(self) -> float | None:
        """In how many seconds one falls that has not fallen; None: nobody's."""
        due = [self.left[side] for side in self.asked if side not in self.fell]
        return min(due) if due else None

    def wire(self) -> dict[str, Any]:
        return {
            **msgspec.structs.asdict(self.rules),
            "left": [round(seconds, 1) for seconds in self.left],
            "running": self.asked,
            "fell": self.fell,
        }
