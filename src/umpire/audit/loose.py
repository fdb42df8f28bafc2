"""What two games of loose units share: who is near enough to whom."""

from __future__ import annotations

from typing import Any

from umpire.audit.frames import Frame, Watch, gap, rise, shift, weapon_range
from umpire.audit.sight import any_sees


def within(watch: Watch, unit: str, inches: float, check: str) -> None:
    """No model of the unit has come further than this."""
    for piece in watch.unit(unit):
        old = watch.before.get(piece["id"])
        if old is not None and shift(piece, old) > inches + 0.01:
            watch.find(check, f"{piece['id']} went {shift(piece, old):.3f} of {inches}")


def coherent(pieces: list[dict[str, Any]], flat: float, up: float, neighbours: int) -> bool:
    """Is every model within so much of so many others, and the whole one group?"""
    if len(pieces) < 2:
        return True
    near = {
        a["id"]: [
            b["id"] for b in pieces if b is not a and max(0.0, gap(a, b)) <= flat + 0.006 and rise(a, b) <= up + 0.006
        ]
        for a in pieces
    }
    if any(len(found) < min(neighbours, len(pieces) - 1) for found in near.values()):
        return False
    reached, todo = {pieces[0]["id"]}, [pieces[0]["id"]]
    while todo:
        for other in near[todo.pop()]:
            if other not in reached:
                reached.add(other)
                todo.append(other)
    return len(reached) == len(pieces)


def nearest(piece: dict[str, Any], others: list[dict[str, Any]]) -> float:
    return min((max(0.0, gap(piece, other)) for other in others), default=float("inf"))


def shot(watch: Watch, facts: dict[str, Any], game: str) -> None:
    """An attack reaches its target, and somebody sees it. Who was hit first may be gone by the time it is told, and who
    attacks may have come near by the same answer, so either table will do, and who came to who stood there."""
    far = weapon_range(watch, facts["unit"], facts["weapon"])
    if far is None:
        return
    moments = ((True, True), (False, False), (False, True))
    tables = [(watch.unit(facts["unit"], mine), watch.unit(facts["target"], theirs)) for mine, theirs in moments]
    tables = [(own, foes) for own, foes in tables if own and foes]
    if not tables:
        return
    least = min(min(nearest(piece, foes) for piece in own) for own, foes in tables)
    if least > far + 0.01:
        watch.find(f"{game}.range", f"{facts['unit']} to {facts['target']}: {least:.3f} with {far}")
    if not any(any_sees(own, foes, watch.solid) for own, foes in tables):
        watch.find(f"{game}.sight", f"{facts['unit']} sees nothing of {facts['target']}")


def added(watch: Watch, frame: Frame, score: list[float], game: str) -> None:
    """What has been scored is what the table shows."""
    shown = [float(value) for value in frame.picture["score"]]
    if any(abs(a - b) > 1e-9 for a, b in zip(shown, score, strict=True)):
        watch.find(f"{game}.score", f"{shown} on the table, {score} scored")
        score[:] = shown
