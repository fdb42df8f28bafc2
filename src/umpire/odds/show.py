"""Distributions for people: a table of rows, plain text, an SVG picture; Chinese or English."""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape

from umpire.odds.dist import Dist
from umpire.text import Language, say

PAPER, INK, BRASS, PRUSSIAN = "#f4efe4", "#22262b", "#a9803a", "#1f4e79"

WORDS = ("result", "exactly", "at_least", "at_most", "mean")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 360, 52, 20, 62, 46


class Row(NamedTuple):
    """One value and its chances."""

    value: int
    exactly: float
    at_least: float
    at_most: float


def table(dist: Dist, tail: float = 0.0) -> list[Row]:
    """A row for every value, without the ends that together are no likelier than `tail` each.

    >>> from umpire.odds import dice
    >>> table(dice(2))[0]
    Row(value=2, exactly=0.027777777777777776, at_least=1.0, at_most=0.027777777777777776)
    """
    rows = [Row(v, dist[v], dist.at_least(v), dist.at_most(v)) for v in range(dist.low, dist.high + 1)]
    return [row for row in rows if row.at_least > tail and row.at_most > tail]


def render(dist: Dist, title: str = "", lang: Language = "zh", tail: float = 5e-5) -> str:
    """The table as plain text.

    >>> from umpire.odds import D3
    >>> print(render(D3, "D3", "en"))
    D3 (mean 2.00)
      1   33.33 %  at least 100.00 %  ████████████████████████
      2   33.33 %  at least  66.67 %  ████████████████████████
      3   33.33 %  at least  33.33 %  ████████████████████████
    """
    words = {name: say(f"odds.{name}", lang) for name in WORDS}
    rows = [row for row in table(dist, tail) if row.exactly]
    most = max(row.exactly for row in rows)
    width = max(len(str(row.value)) for row in rows)
    lines = [f"{title} ({words['mean']} {dist.mean:.2f})".strip()]
    lines += [
        f"  {row.value:>{width}}  {100 * row.exactly:6.2f} %  {words['at_least']} {100 * row.at_least:6.2f} %  "
        f"{'█' * round(24 * row.exactly / most)}".rstrip()
        for row in rows
    ]
    return "\n".join(lines)


def plot(dist: Dist, title: str, lang: Language = "zh", tail: float = 5e-4) -> str:
    """The distribution as an SVG picture: bars for each value, a line for the chance of at least that much.

    >>> from umpire.odds import dice
    >>> plot(dice(2), "Charge 2D6").startswith("<svg")
    True
    """
    words = {name: say(f"odds.{name}", lang) for name in WORDS}
    rows = table(dist, tail)
    wide, tall = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    floor, slot = _TOP + tall, wide / len(rows)
    grid, top = _grid(max(row.exactly for row in rows))

    def text(x: float, y: float, words: str, fill: str = INK, anchor: str = "middle", size: int = 12) -> str:
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" text-anchor="{anchor}" font-size="{size}">'
            f"{escape(words)}</text>"
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f"role=\"img\" font-family=\"Georgia, 'Noto Serif SC', 'Songti SC', serif\">",
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{PAPER}"/>',
        text(_LEFT, 26, title, anchor="start", size=17),
        text(_LEFT, 46, f"{words['mean']} {dist.mean:.2f}", anchor="start"),
        text(_WIDTH - _RIGHT - 140, 46, f"■ {words['exactly']}", PRUSSIAN, "end"),
        text(_WIDTH - _RIGHT, 46, f"● {words['at_least']} (0–100 %)", BRASS, "end"),
    ]
    for level in grid:
        y = floor - tall * level / top
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="{INK}" stroke-opacity=".15"/>')
        parts.append(text(_LEFT - 6, y + 4, f"{100 * level:g} %", anchor="end", size=11))
    label_every = -(-len(rows) // 24)
    line = []
    for i, row in enumerate(rows):
        x, high = _LEFT + slot * i, tall * row.exactly / top
        parts.append(
            f'<rect x="{x + slot * 0.12:.1f}" y="{floor - high:.1f}" width="{slot * 0.76:.1f}" height="{high:.1f}" '
            f'fill="{PRUSSIAN}"><title>{row.value}: {words["exactly"]} {100 * row.exactly:.2f} %, '
            f"{words['at_least']} {100 * row.at_least:.2f} %</title></rect>"
        )
        if not i % label_every:
            parts.append(text(x + slot / 2, floor + 17, str(row.value)))
        line.append((x + slot / 2, floor - tall * row.at_least))
    parts.append(
        f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in line)}" fill="none" stroke="{BRASS}" '
        'stroke-width="2"/>'
    )
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{BRASS}"/>' for x, y in line]
    parts.append(f'<path d="M{_LEFT} {floor}H{_WIDTH - _RIGHT}" stroke="{INK}"/>')
    parts.append(text(_LEFT + wide / 2, _HEIGHT - 10, words["result"]))
    return "".join(parts) + "</svg>"


def _grid(most: float) -> tuple[list[float], float]:
    """Round levels for the chances up to `most`, and the top of the axis."""
    step = next(s for s in (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0) if most <= 5 * s)
    levels = [step * i for i in range(1, 6) if step * (i - 1) < most]
    return [round(level, 6) for level in levels if level <= 1.0], max(levels[-1] if levels[-1] <= 1.0 else 1.0, most)
