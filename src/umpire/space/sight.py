"""What can be seen: volumes past blockers, lines between nearest points, and how much of a unit is in view.

A gap wider than 1/1000 inch is open; a narrower one may count as shut. Blockers are volumes; things of no
height block nothing.
"""

from collections.abc import Sequence

from .packs import Pack, kernel, packed
from .shapes import Thing

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
