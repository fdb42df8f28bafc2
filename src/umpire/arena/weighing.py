"""What a rule is worth: the same seeds with it and without it, and how sure the difference is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

import msgspec

from umpire.arena.fixtures import Result, Series
from umpire.arena.statistics import Z95, share
from umpire.engine.game import find_game
from umpire.rulebook.ledger import rule
from umpire.text import Text, say

PAPER, INK, BRASS, PRUSSIAN = "#f4efe4", "#22262b", "#a9803a", "#1f4e79"


class Mean(msgspec.Struct, frozen=True):
    """A mean over battles and its 95 % interval."""

    mean: float
    low: float
    high: float


class Weighed(msgspec.Struct, frozen=True):
    """One figure of a battle with the rules and without them; `difference` is of the same seed's two battles, so that
    the luck of lists and tables is not in it."""

    what: str
    with_rules: Mean
    without: Mean
    difference: Mean

    @property
    def differs(self) -> bool:
        return not self.difference.low <= 0 <= self.difference.high


class Weighing(msgspec.Struct, frozen=True):
    """What the battles of a series are like with some rules and without them."""

    game: str
    rules: tuple[str, ...]
    players: tuple[str, ...]
    battles: int
    errors: int
    same: int
    """Battles that went exactly alike: the rules decided nothing in them."""
    figures: list[Weighed]


def mean(values: Sequence[float]) -> Mean:
    """By the normal distribution: the battles of a series are many.

    >>> mean([1.0, 2.0, 3.0])
    Mean(mean=2.0, low=0.8683932..., high=3.131606...)
    """
    n = len(values)
    if n == 0:
        return Mean(0.0, 0.0, 0.0)
    middle = math.fsum(values) / n
    spread = math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (n - 1)) if n > 1 else 0.0
    reach = Z95 * spread / math.sqrt(n)
    return Mean(middle, middle - reach, middle + reach)


def figures_of(result: Result) -> dict[str, float]:
    """What is weighed: who won, how long it took, how much of the armies fell. Of contestants that swap sides, the
    first one's share is counted."""
    first = result.who.index(min(result.who)) if result.who[0] != result.who[1] else 0
    found = {"win": result.points[first], "decisions": float(result.decisions)}
    if result.tally is not None:
        found["rounds"] = float(result.tally.rounds)
        found["lost-first"] = 100 * result.tally.lost[first]
        found["lost-second"] = 100 * result.tally.lost[1 - first]
    return {**found, "win": 100 * found["win"]}


def weigh(series: Series, with_rules: Sequence[Result], without: Sequence[Result]) -> Weighing:
    """Compare the results of a series with those of the same series without some rules."""
    pairs = [(a, b) for a, b in zip(with_rules, without, strict=True) if not a.error and not b.error]
    rows = [(figures_of(a), figures_of(b)) for a, b in pairs]
    names = list(rows[0][0]) if rows else []
    return Weighing(
        game=series.game,
        rules=series.without,
        players=tuple(contestant.label for contestant in series.contestants),
        battles=len(with_rules),
        errors=len(with_rules) - len(pairs),
        same=sum(a == b for a, b in rows),
        figures=[
            Weighed(
                name,
                _figure(name, [a[name] for a, _ in rows]),
                _figure(name, [b[name] for _, b in rows]),
                mean([b[name] - a[name] for a, b in rows]),
            )
            for name in names
        ],
    )


def _figure(name: str, values: Sequence[float]) -> Mean:
    if name != "win":
        return mean(values)
    won = share(math.fsum(values) / 100, len(values))
    return Mean(100 * won.share, 100 * won.low, 100 * won.high)


def _written(value: Mean) -> str:
    return f"{value.mean:.1f} [{value.low:.1f}, {value.high:.1f}]"


def title(found: Weighing, lang: str) -> str:
    names = ", ".join(rule(key).name(lang) for key in found.rules)
    game = find_game(found.game).names[lang]
    return say(Text("arena.weighing.title", {"game": game, "rules": names, "battles": found.battles}), lang)


def show(found: Weighing, lang: str) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(title(found, lang), highlight=False)
    heads = ("what", "with", "without", "difference")
    table = Table(*(say(f"arena.weighing.{head}", lang) for head in heads), "")
    for row in found.figures:
        mark = say("arena.weighing.differs", lang) if row.differs else ""
        name = say(f"arena.weighing.figure.{row.what}", lang)
        table.add_row(name, _written(row.with_rules), _written(row.without), _written(row.difference), mark)
    console.print(table)
    console.print(say(Text("arena.weighing.same", {"same": found.same, "errors": found.errors}), lang), highlight=False)


def plot(found: Weighing, lang: str) -> str:
    """A line for each figure: where it lies with the rules and without them, with its interval."""
    wide, row, left, top = 720, 58, 210, 76
    tall = top + row * len(found.figures) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" '
        'role="img" font-family="Georgia, \'Noto Serif SC\', \'Songti SC\', serif" font-size="13">',
        f"<title>{escape(title(found, lang))}</title>",
        f'<rect width="{wide}" height="{tall}" fill="{PAPER}"/>',
        f'<text x="20" y="30" font-size="17" fill="{INK}">{escape(title(found, lang))}</text>',
        f'<text x="{left}" y="56" fill="{PRUSSIAN}">● {escape(say("arena.weighing.with", lang))}</text>',
        f'<text x="{left + 160}" y="56" fill="{BRASS}">● {escape(say("arena.weighing.without", lang))}</text>',
    ]
    for number, figure in enumerate(found.figures):
        y = top + row * number
        both = (figure.with_rules, figure.without)
        low, high = min(m.low for m in both), max(m.high for m in both)
        pad = max((high - low) * 0.25, abs(high) * 0.02, 0.5)
        low, high = low - pad, high + pad
        scale = (wide - left - 40) / (high - low)
        name = say(f"arena.weighing.figure.{figure.what}", lang)
        sure = " *" if figure.differs else ""
        parts.append(f'<text x="20" y="{y + 26}" fill="{INK}">{escape(name)}{sure}</text>')
        parts.append(f'<path d="M{left} {y + 44}H{wide - 40}" stroke="{INK}" stroke-opacity=".2"/>')
        for m, colour, drop in ((both[0], PRUSSIAN, 14), (both[1], BRASS, 32)):
            a, b, c = (left + (v - low) * scale for v in (m.low, m.mean, m.high))
            parts.append(f'<path d="M{a:.1f} {y + drop}H{c:.1f}" stroke="{colour}" stroke-width="3"/>')
            parts.append(
                f'<circle cx="{b:.1f}" cy="{y + drop}" r="5" fill="{colour}"><title>{_written(m)}</title></circle>'
            )
            parts.append(f'<text x="{c + 8:.1f}" y="{y + drop + 4}" fill="{colour}" font-size="11">{m.mean:.1f}</text>')
    return "".join(parts) + "</svg>"
