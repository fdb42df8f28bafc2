"""The compiled kernel for heights along one line in plan: over, under and between what stands on it.

A line from height za at the start to zb at the end passes what stands over [u0, u1] between low and high if it is above
or below it at both ends. For one za the heights zb that something forbids are an interval; and what all leave free of
the pairs (za, zb) has a corner, where the line passes a hair from two of their edges or begins or ends as high or low
as it may: those are all the za that can matter.
"""

from typing import Any

from .compiling import inner

HAIR = 0.0005
U0, U1, LOW, HIGH, UNDER, OVER = range(6)


@inner("fffff")
def _forbidden(u0: float, u1: float, low: float, high: float, za: float) -> Any:
    """The heights of the far end at which a line from za runs into a blocker over [u0, u1] between low and high."""
    under = 1e300
    over = -1e300
    for end in range(2):
        u = u0 if end == 0 else u1
        if u < 1e-9:
            if za > low:
                under = -1e300
            if za < high:
                over = 1e300
        else:
            under = min(under, (low - za * (1.0 - u)) / u)
            over = max(over, (high - za * (1.0 - u)) / u)
    return under, over


@inner("Aifffff")
def _from(spans: Any, n: int, start: float, end: float, za: float, b0: float, b1: float) -> bool:
    """Whether a line from this height passes everything up to the end."""
    for k in range(n):
        u0, u1 = max(spans[k, U0], start), min(spans[k, U1], end)
        if u1 <= u0:
            spans[k, UNDER], spans[k, OVER] = 1e300, -1e300
            continue
        u0, u1 = (u0 - start) / (end - start), (u1 - start) / (end - start)
        spans[k, UNDER], spans[k, OVER] = _forbidden(u0, u1, spans[k, LOW], spans[k, HIGH], za)
    # The lowest height of the far column that no blocker forbids.
    zb = b0
    moved = True
    while moved and zb <= b1:
        moved = False
        for k in range(n):
            if spans[k, UNDER] < zb < spans[k, OVER]:
                zb = spans[k, OVER]
                moved = True
    return zb <= b1


@inner("Aiiff")
def _corner(spans: Any, k: int, which: int, start: float, end: float) -> Any:
    """One of the four corners of what stands on the line, a hair outside it: where along the stretch, and how high."""
    u = max(spans[k, U0], start) if which % 2 == 0 else min(spans[k, U1], end)
    z = spans[k, LOW] - HAIR / 2.0 if which < 2 else spans[k, HIGH] + HAIR / 2.0
    return (u - start) / (end - start), z


@inner("Aiffffffb")
def over_and_under(
    spans: Any, n: int, start: float, end: float, a0: float, a1: float, b0: float, b1: float, fine: bool
) -> bool:
    """Whether some line from a column a0 to a1 high at `start` to one b0 to b1 high at `end` passes all spans; `fine`:
    every height that can matter is tried, not a few."""
    # The highest and the lowest eye first: over or under everything is the usual way.
    for step in range(5):
        za = a1 if step == 0 else (a0 if step == 1 else a0 + (a1 - a0) * 0.25 * (step - 1))
        if _from(spans, n, start, end, za, b0, b1):
            return True
    if not fine:
        return False
    for k in range(4 * n):
        one = k // 4
        if spans[one, U1] <= start or spans[one, U0] >= end:
            continue
        u, z = _corner(spans, one, k % 4, start, end)
        for m in range(-2, k):
            if m < 0:
                v, w = 1.0, (b0 if m == -2 else b1)
            else:
                other = m // 4
                if spans[other, U1] <= start or spans[other, U0] >= end:
                    continue
                v, w = _corner(spans, other, m % 4, start, end)
            if abs(v - u) < 1e-9:
                continue
            za = z - u * (w - z) / (v - u)
            if a0 <= za <= a1 and _from(spans, n, start, end, za, b0, b1):
                return True
    return False
