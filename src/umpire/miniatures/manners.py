"""How a front edge may be moved, for whoever asks for it: straight on, sideways, back, by wheels."""

from __future__ import annotations

import math
from collections.abc import Sequence

from umpire.engine.decisions import Manner
from umpire.text import Text

TOWARDS = {"forward": 0.0, "right": 90.0, "back": 180.0, "left": 270.0}


def manners(wide: float, hows: Sequence[str]) -> tuple[Manner, ...]:
    """For a front of this width; a wheel costs what the outer front corner travels."""
    price = {"wheel": round(wide * math.pi / 180.0, 6)}
    return tuple(
        Manner(how, Text(f"manner.{how}"), "inches", towards=TOWARDS[how])
        if how in TOWARDS
        else Manner(how, Text(f"manner.{how}"), "degrees", price.get(how, 0.0))
        for how in hows
    )
