"""Maps, drawn on a table of 44 by 30 inches: where terrain stands, zones and objectives, on tables of any size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import msgspec

from umpire.space.shapes import Point

WIDTH, DEPTH = 44.0, 30.0


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where terrain stands: which piece, x, y, facing."""

    id: str
    name: dict[str, str]
    pieces: tuple[tuple[str, float, float, float], ...]


class Plan(Protocol):
    """What a battle is about, with the places of its objectives."""

    @property
    def objectives(self) -> tuple[Point, ...]: ...


P = TypeVar("P", bound=Plan)
F = TypeVar("F")


def stretched(plan: P, zones: str, width: float, depth: float) -> P:
    """A plan on a table of this size; `zones` is the field that has the two sides' parts of the table."""
    fx, fy = width / WIDTH, depth / DEPTH
    if fx == fy == 1.0:
        return plan
    spread = [tuple((x * fx, y * fy) for x, y in points) for points in (plan.objectives, *getattr(plan, zones))]
    changed: Any = msgspec.structs.replace(plan, objectives=spread[0], **{zones: tuple(spread[1:])})  # type: ignore[type-var]
    return changed  # type: ignore[no-any-return]


def laid(
    layout: Layout,
    width: float,
    depth: float,
    make: Callable[[str, str, float, float, float], F],
    fits: Callable[[F], bool],
) -> list[F]:
    """The pieces of a layout on a table of this size, each made of its kind and its own key; what does not fit is left
    out."""
    found: list[F] = []
    for kind, x, y, facing in layout.pieces:
        piece = make(kind, f"t{len(found) + 1}", x * width / WIDTH, y * depth / DEPTH, facing)
        if fits(piece):
            found.append(piece)
    return found
