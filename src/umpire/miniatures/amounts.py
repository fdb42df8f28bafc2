"""Numbers that may be dice, as profiles write them: 2, D6, 2D3, D6+2."""

from __future__ import annotations

import msgspec


class Amount(msgspec.Struct, frozen=True, gc=False):
    """So many dice of so many sides, and a number more."""

    dice: int
    sides: int
    plus: int

    @property
    def random(self) -> bool:
        return self.dice > 0

    @property
    def most(self) -> int:
        return self.dice * self.sides + self.plus

    @property
    def least(self) -> int:
        return self.dice + self.plus
