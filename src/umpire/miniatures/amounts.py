"""Numbers as profiles write them: those that may be dice (2, D6, 2D3, D6+2), and how large each kind of them may be."""

from __future__ import annotations

import functools
import re
from typing import Annotated

import msgspec
from msgspec import Meta

from umpire.errors import fault

MOST = 99
"""No number of a profile is greater, no effect changes one by more, and nothing adds more to dice."""
FARTHEST = 240
"""Inches: the greatest table from end to end."""
LARGEST = 24.0
"""How far a piece of terrain reaches from its middle, and how high, in inches."""

Side = Annotated[int, Meta(ge=0, le=1, extra={"choices": (0, 1)})]
Holder = Annotated[int, Meta(ge=-1, le=1)]
"""A side, or nobody."""
Number = Annotated[int, Meta(ge=0, le=MOST)]
Positive = Annotated[int, Meta(ge=1, le=MOST)]
Modifier = Annotated[float, Meta(ge=-MOST, le=MOST)]
"""By how much an effect changes a number, or what it makes of it."""
Whole = Annotated[int, Meta(ge=-MOST, le=MOST)]
"""The same in whole numbers."""
Save = Annotated[int, Meta(ge=0, le=7)]
"""What a die must show; 7 is out of its reach, and 0 says that there is none."""
Roll = Annotated[int, Meta(ge=0, le=6)]
Face = Annotated[int, Meta(ge=1, le=6)]
Tally = Annotated[int, Meta(ge=0, le=9999)]
"""Points, and what a battle counts."""
Reach = Annotated[float, Meta(ge=0, le=FARTHEST)]
Tall = Annotated[float, Meta(ge=0.1, le=40)]
"""The height of a model in inches."""
High = Annotated[float, Meta(ge=0, le=LARGEST)]
"""The height of a piece of terrain, or of what it stands on."""
Offset = Annotated[float, Meta(ge=-LARGEST, le=LARGEST)]
"""Where a corner of a piece of terrain lies from its middle."""
Turned = Annotated[float, Meta(ge=-360, le=360)]
"""Degrees."""
Span = Annotated[float, Meta(ge=12, le=FARTHEST)]
"""How wide and how deep a table may be."""

_BASE = {"fault": "error.scene.base"}
Millimetres = Annotated[float, Meta(ge=5, le=500, extra=_BASE)]
Base = Annotated[tuple[Millimetres, ...], Meta(min_length=1, max_length=2, extra=_BASE)]
"""One diameter or two."""
Dice = Annotated[str, Meta(pattern=r"^(([1-9]\d?)?[dD][36](\+?\d{1,2})?|\+?\d{1,2})$", extra={"fault": "error.amount"})]
"""A number, or dice with what is added to them."""

_DICE = re.compile(r"(?:(\d*)[dD]([36]))?([+]?\d+)?")


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


@functools.cache
def amount(text: str | int) -> Amount:
    """Read "2", "D6", "2D3" or "D6+2"."""
    if isinstance(text, int):
        return Amount(0, 0, text)
    match = _DICE.fullmatch(text.strip())
    if not text or match is None:
        raise fault("error.amount", text=text)
    count, sides, plus = match.groups()
    dice = int(count or 1) if sides else 0
    return Amount(dice, int(sides or 0), int(plus or 0))
