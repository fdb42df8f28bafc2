"""A second pair of eyes: a plain, slow reading of a battle that shares no code with the engine.

The auditor sees what a spectator sees, pictures and events as plain data, and works out again what can be worked out
from them: distances, overlaps, coherency, dice against results and wounds, tables, the order of play, points. It
imports nothing from the engine, the geometry or the games. A finding is a disagreement: one of the two is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable

from umpire.audit import aos, conquest, t9a, warcry, wh40k
from umpire.audit.frames import Finding, Frame, Watch
from umpire.audit.general import GENERAL

__all__ = ["CHECKS", "Finding", "Frame", "audit"]

CHECKS = {
    "warcry": (*GENERAL, *warcry.CHECKS),
    "aos": (*GENERAL, *aos.CHECKS),
    "conquest": (*GENERAL, *conquest.CHECKS),
    "wh40k": (*GENERAL, *wh40k.CHECKS),
    "t9a": (*GENERAL, *t9a.CHECKS),
}


def audit(game: str, frames: Iterable[Frame]) -> list[Finding]:
    """Everything in a battle that the auditor works out otherwise. A game without a chapter here is read generally."""
    watch = Watch(game)
    checks = [make(watch) for make in CHECKS.get(game, GENERAL)]
    for frame in frames:
        watch.show(frame)
        for check in checks:
            check(frame)
    return watch.findings
