"""Umpire referees, explains and plays tabletop wargames exactly by their rulebooks.

>>> import umpire                                            # doctest: +SKIP
>>> battle = umpire.battle("warcry", seed=7)                 # doctest: +SKIP
>>> while (ask := battle.decision) is not None:              # doctest: +SKIP
...     battle.answer(ask.suggest())
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from umpire.engine.battle import Battle
    from umpire.engine.beginning import battle
    from umpire.engine.record import replay
    from umpire.engine.rulings import Refused, Ruling
    from umpire.engine.scene import scene

__version__ = "0.1.0"
__all__ = ["Battle", "Refused", "Ruling", "battle", "replay", "scene"]

_HOMES = {
    "Battle": "umpire.engine.battle",
    "battle": "umpire.engine.beginning",
    "replay": "umpire.engine.record",
    "scene": "umpire.engine.scene",
    "Refused": "umpire.engine.rulings",
    "Ruling": "umpire.engine.rulings",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'umpire' has no attribute {name!r}")
