"""What two games of loose units share: who is near enough to whom."""

from __future__ import annotations

from typing import Any

from umpire.audit.frames import Watch, gap, rise, shift


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
