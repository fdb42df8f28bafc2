"""`umpire simulate`: from the words of the command line to a series, a progress bar and a table."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from umpire.arena import armies
from umpire.arena.fighting import start
from umpire.arena.fixtures import Contestant, Result, Series, matchup, mirror, round_robin
from umpire.arena.running import Summary
from umpire.engine.game import find_game
from umpire.errors import UmpireError, fault
from umpire.players import player
from umpire.text import Text, say


def contestants(game: str, players: str, lists: Sequence[Path]) -> list[Contestant]:
    """`planner,random` and `a.yaml,b.yaml`: one word stands for all; without lists every battle musters its own."""
    names = [name.strip() for name in players.split(",") if name.strip()]
    for name in names:
        player(name).close()  # an unknown one is told before any battle
    loaded = [armies.legal(game, path) for path in lists]
    if not loaded:
        return [Contestant(name) for name in names]
    if len(names) == 1:
        names *= len(loaded)
    if len(loaded) == 1:
        loaded *= len(names)
    if len(names) != len(loaded):
        raise fault("error.players-and-armies-name-as", names=len(names), loaded=len(loaded))
    several = len(set(names)) > 1
    return [
        Contestant(name, army.data, f"{army.name} ({name})" if several else army.name)
        for name, army in zip(names, loaded, strict=True)
    ]


def series(
    game: str,
    battles: int,
    seed: int,
    who: Sequence[Contestant],
    kind: str,
    scenario: str | None,
    without: Sequence[str] = (),
) -> Series:
    """What the options of the command line ask for: "round-robin", "mirror" or "matchup"."""
    find_game(game)
    if battles < 1:
        raise fault("error.at-least-one-battle-must", "--battles")
    if not who:
        raise fault("error.nobody-plays", "--players")
    more: dict[str, Any] = {"without": tuple(without)}
    if scenario:
        more["scenario"] = scenario
    if kind == "round-robin":
        found = round_robin(game, battles, seed, who, **more)
    elif kind == "mirror":
        distinct = [one for n, one in enumerate(who) if one not in who[:n]]
        found = mirror(game, battles, seed, distinct, **more)
    elif len(who) > 2:
        raise fault("error.more-than-two-contestants-need")
    else:
        found = matchup(game, battles, seed, who[0], who[-1], **more)
    check_wishes(found)
    return found


def check_wishes(series: Series) -> None:
    """A scenario that does not exist is told once, before any battle; whatever else goes wrong costs its battle."""
    try:
        start(series, next(series.fixtures()))
    except UmpireError:
        raise
    except Exception:
        return


PAUSE = 0.1
"""Seconds between two pictures of the bar: drawing it takes time from the battles."""


@contextmanager
def progress(total: int, lang: str) -> Iterator[Callable[[Result], None]]:
    """A bar on the error stream with the rate and the time left; nothing where nobody looks at it."""
    if not sys.stderr.isatty():
        yield lambda result: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    # No refreshing thread: workers are forked while the bar is shown.
    bar = Progress(
        TextColumn(_says("battles", lang)),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[errors]}"),
        console=Console(stderr=True),
        auto_refresh=False,
    )
    errors, drawn = 0, 0.0
    with bar:
        task = bar.add_task("", total=total, rate="", errors="")

        def told(result: Result) -> None:
            nonlocal errors, drawn
            if result.error:
                errors += 1
                bar.console.print(failure_line(result.number, result.seed, result.error, lang), style="red")
            now = time.monotonic()
            due = now - drawn >= PAUSE or bar.tasks[0].completed + 1 >= total
            drawn = now if due else drawn
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(
                task,
                advance=1,
                rate=f"{speed:.1f}/s" if speed else "",
                errors=_says("errors", lang, errors=errors) if errors else "",
                refresh=due,
            )

        yield told


def _says(key: str, lang: str, **facts: object) -> str:
    return say(Text(f"arena.told.{key}", facts), lang)


def failure_line(number: int, seed: int, error: str, lang: str) -> str:
    return _says("failed", lang, number=number, seed=seed, error=error)


def show(found: Summary, lang: str) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    rate = found.battles / found.seconds if found.seconds else 0.0
    counts = {"battles": found.battles, "decisions": found.decisions, "jobs": found.jobs}
    console.print(
        _says("played", lang, **counts, seconds=f"{found.seconds:.1f}", rate=f"{rate:.2f}"),
        highlight=False,
    )
    wins = found.wins
    console.print(_says("won", lang, one=wins["0"], two=wins["1"], drawn=wins["draw"]), highlight=False)
    if found.first_turn:
        console.print(_says("first-turn", lang, share=str(found.first_turn)), highlight=False)
    if found.ratings:
        table = Table(_says("contestant", lang), "Elo", "95 %", _says("battles", lang))
        for row in found.ratings:
            table.add_row(row.name, f"{row.elo:.0f}", f"{row.low:.0f} … {row.high:.0f}", str(row.battles))
    else:
        table = Table(*(_says(title, lang) for title in ("contestant", "points", "battles")))
        for name, won in found.points.items():
            table.add_row(name, str(won), str(won.of))
    console.print(table)
    for meeting in found.meetings:
        line = f"{meeting.a} – {meeting.b}: {meeting.points_a}"
        if meeting.first_turn:
            line += f" ({_says('first-turn', lang, share=str(meeting.first_turn))})"
        console.print(line, highlight=False)
    console.print(_says("fired", lang, rules=len(found.rules_fired)), highlight=False)
    for failure in found.failures[:20]:
        console.print(failure_line(failure.number, failure.seed, failure.error, lang), style="red", highlight=False)
