"""What can be seen: volumes past blockers, lines between nearest points, and how much of a unit is in view.

A gap wider than 1/1000 inch is open; a narrower one may count as shut. Blockers are volumes; things of no
height block nothing.
"""

from collections.abc import Sequence
from typing import Literal

from .measure import closest_points, floor_of, separation
from .packs import Pack, kernel, pack, packed
from .shapes import TOLERANCE, Thing, line, mm

ACROSS = 15


def visible(
    a: Thing, b: Thing, blockers: Sequence[Thing] | Pack, ignore: tuple[int, int] = (-1, -1), across: int = ACROSS
) -> bool:
    """Whether any part of one volume can be seen from any part of another past the blockers.

    `ignore` names up to two blockers by index that do not block this line, such as the viewer and the target
    themselves. The answer is the same from either side. `across` is the number of viewpoints across each volume.
    """
    p, q = packed((a,)), packed((b,))
    r = blockers if type(blockers) is Pack else packed(tuple(blockers))
    return bool(
        kernel("slits").visible(
            p.rows, p.verts, q.rows, q.verts, r.rows, r.verts, ignore[0], ignore[1], r.owners, across
        )
    )


def in_view(viewer: Thing, targets: Sequence[Thing], blockers: Sequence[Thing] | Pack) -> list[int]:
    """Which targets a viewer sees. Targets do not hide each other unless they are among the blockers as well.

    A blocker that is the viewer or the target itself is left out.
    """
    r = pack(blockers)
    own = _index(r, viewer)
    return [k for k, target in enumerate(targets) if visible(viewer, target, r, (own, _index(r, target)))]


def _index(blockers: Pack, thing: Thing) -> int:
    return next((k for k, other in enumerate(blockers.things) if other is thing or other == thing), -1)


def how_much(viewer: Thing, unit: Sequence[Thing], blockers: Sequence[Thing] | Pack) -> Literal["all", "any", "none"]:
    """Whether a viewer sees all models of a unit, any of them, or none."""
    seen = len(in_view(viewer, unit, blockers))
    return "none" if seen == 0 else "all" if seen == len(unit) else "any"


def clear_line(a: Thing, b: Thing, blockers: Sequence[Thing] | Pack, width: float = mm(1)) -> int | None:
    """A straight line of a width between the nearest points of two footprints: the first blocker on it, or None.

    The line runs level over everything that both volumes rise above: a blocker counts where it shares heights with the
    line between the volumes' floors and tops.
    """
    start, end = closest_points(a, b)
    low, high = min(floor_of(a), floor_of(b)), max(a.top, b.top)
    stretch = line(start, end)
    for k, blocker in enumerate(pack(blockers).things):
        if blocker is a or blocker is b or blocker.top <= low + TOLERANCE or floor_of(blocker) >= high - TOLERANCE:
            continue
        if separation(stretch, blocker) < width / 2 - TOLERANCE:
            return k
    return None
