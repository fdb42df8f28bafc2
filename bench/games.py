"""How fast the games are: complete random battles with events and citations on, forks, answers given and taken back,
how cost grows with the armies, what a battle weighs; each against the figures in baseline.json.

The baseline says of each game which version it is `of`, and at what `pace` the machine ran plain Python while it was
measured: a ratio to it is one of versions, as far as the pace of this machine now can be reckoned out. Where no pace
was noted it is one of versions and machines. `python bench/games.py --store REVISION [GAME…]` measures the version
that is imported and stores it under that name.
"""

from __future__ import annotations

import json
import math
import statistics
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

import umpire
from umpire.engine.battle import Battle
from umpire.engine.decisions import Move
from umpire.engine.game import find_game, games
from umpire.engine.rng import Rng
from umpire.errors import UmpireError

BATTLES, FORKS, PAIRS = 20, 400, 3000
BASELINE = Path(__file__).with_name("baseline.json")

BARS: dict[str, dict[str, float]] = {
    "warcry": {"battles": 20, "fork": 60, "pairs": 8000},
    "aos": {"battles": 5, "fork": 60, "pairs": 5000},
    "conquest": {"battles": 5, "fork": 60, "pairs": 4000},
    "wh40k": {"battles": 3, "fork": 150},
    "t9a": {"battles": 3, "fork": 150},
}


def pace() -> float:
    """Rounds a second, in thousands, of a loop of plain Python that has nothing to do with the games."""

    def rounds() -> None:
        held: dict[int, tuple[int, float]] = {}
        at = 1
        for k in range(20_000):
            at = (at * 1103515245 + 12345) & 0x7FFFFFFF
            seen = held.get(at & 511)
            held[at & 511] = (k, at * 0.5) if seen is None or seen[0] < k else seen

    return 20 / statistics.median(spent(rounds, 1) for _ in range(9))


def play(game: str, seed: int, stop: int | None = None) -> Battle[Any]:
    """A random battle, to its end or up to a number of answers."""
    battle = umpire.battle(game, seed=seed)
    rng = Rng(seed)
    while battle.decision is not None and (stop is None or len(battle.answers) < stop):
        battle.answer(battle.decision.suggest(rng))
    return battle


def spent(work: Callable[[], Any], times: int) -> float:
    start = process_time()
    for _ in range(times):
        work()
    return process_time() - start


def whole_battles(game: str) -> tuple[float, float]:
    """Seconds and decisions of one battle."""
    for seed in range(2):
        play(game, seed)
    start, answers = process_time(), 0
    for seed in range(2, 2 + BATTLES):
        answers += len(play(game, seed).answers)
    return (process_time() - start) / BATTLES, answers / BATTLES


def forked_question(battle: Battle[Any]) -> None:
    """A fork runs the open step again only when it is looked at."""
    assert battle.fork().decision is not None


def pair_seconds(battles: list[Battle[Any]]) -> float:
    """Seconds that an answer and its undoing take together, at many questions of several battles."""
    rng, done, taken = Rng(9), 0, 0.0
    for battle in battles:
        for _ in range(PAIRS // len(battles) // 25):
            if battle.decision is None:
                break
            answer = battle.decision.suggest(rng)

            def there_and_back(battle: Battle[Any] = battle, answer: Any = answer) -> None:
                battle.answer(answer)
                battle.undo()

            taken += spent(there_and_back, 25)
            done += 25
            battle.answer(answer)
    return taken / done


# -- regiments -----------------------------------------------------------------------------------------------------


CHARGES = {2000: range(260, 310), 4500: range(270, 320)}
"""Points of an army, and the battles whose charges are looked at: the hardest known are among them."""


def charges() -> list[float]:
    """Seconds for the contact of every charge that may be declared, with nothing known that was found before. What
    takes long is done once more: the machine may have been busy."""
    from umpire.games.t9a import aligning, charge_ground, misaligned
    from umpire.games.t9a.formation import still

    found: list[float] = []
    for points, seeds in CHARGES.items():
        for seed in seeds:
            fought, rng = umpire.battle("t9a", seed=seed, options={"points": points}), Rng(seed)
            while (ask := fought.decision) is not None:
                unit = fought.state.units.get(ask.about) if ask.prompt.key == "ask.charge-target" else None
                for foe in ask.options if unit is not None and unit.where == "table" else ():
                    if foe not in fought.state.units:
                        continue
                    find = partial(
                        aligning.contact, fought.state, unit, fought.state.units[foe], declared=True, choices=True
                    )
                    least = math.inf
                    for _ in range(2):
                        if least > 0.01:
                            charge_ground.way_to.cache_clear()
                            misaligned.next_met.cache_clear()
                            least = min(least, spent(partial(still, fought.state, find), 1))
                    found.append(least)
                fought.answer(ask.suggest(rng))
    return found


def regiments() -> list[dict[str, Any]]:
    """The Ninth Age at the book's own size, what a drag's ruling takes, and the contact of a charge."""

    def large(seed: int) -> None:
        fought, rng = umpire.battle("t9a", seed=seed, options={"points": 4500}), Rng(seed)
        while fought.decision is not None:
            fought.answer(fought.decision.suggest(rng))

    large(0)
    taken = spent(lambda: [large(seed) for seed in range(1, 5)], 1)
    rulings: list[float] = []
    for seed in range(40, 42):
        fought, rng = umpire.battle("t9a", seed=seed), Rng(seed)
        while (ask := fought.decision) is not None:
            if isinstance(ask, Move):
                wishes = [ask.propose(rng) for _ in range(4)]
                rulings += [spent(partial(ask.check, wish), 1) for wish in wishes if wish is not None]
            fought.answer(ask.suggest(rng))
    contacts = charges()
    ruling, contact = statistics.median(rulings), statistics.median(contacts)
    slow = sorted(rulings)[len(rulings) * 95 // 100]
    rate = 4 / taken
    return [
        {
            "name": "t9a: random battles at 4,500 points", "value": rate, "unit": "/s", "bar": ">= 1.5",
            "ok": rate >= 1.5,
        },
        {
            "name": "t9a: a drag's ruling, median", "value": ruling * 1e3, "unit": "ms", "bar": "<= 5",
            "ok": ruling <= 0.005,
        },
        {"name": "t9a: a drag's ruling, 95 of 100", "value": slow * 1e3, "unit": "ms"},
        {"name": f"t9a: contact of a charge, median of {len(contacts)}", "value": contact * 1e3, "unit": "ms"},
        {
            "name": "t9a: contact of a charge, worst", "value": max(contacts) * 1e3, "unit": "ms", "bar": "<= 20",
            "ok": max(contacts) <= 0.02,
        },
    ]  # fmt: skip


# -- drags ---------------------------------------------------------------------------------------------------------

DRAGGED = 6
"""So many battles are looked at."""


def fighters_dragged() -> list[dict[str, Any]]:
    """What the ruling on a dragged fighter of Warcry takes, with the nearest place where it is refused, and how many
    ways are judged for it. What can be reached is drawn when the question is put, as on the table."""
    from umpire.games.warcry.legs import Tracer

    taken: list[float] = []
    judged: list[int] = []
    ways = [0]
    run = Tracer.run

    def counted(*args: Any, **more: Any) -> Any:
        ways[0] += 1
        return run(*args, **more)

    Tracer.run = counted  # type: ignore[method-assign]
    for seed in range(500, 500 + DRAGGED):
        fought, rng, hand = umpire.battle("warcry", seed=seed), Rng(seed), Rng(seed + 7)
        while (ask := fought.decision) is not None:
            if ask.prompt.key == "ask.move" and len(fought.answers) % 4 == seed % 4:
                ask.reach()
                for wish in track(ask, hand):
                    ways[0] = 0
                    taken.append(spent(partial(ask.check, wish), 1))
                    judged.append(ways[0])
            fought.answer(ask.suggest(rng))
    Tracer.run = run  # type: ignore[method-assign]
    slow, name = sorted(taken)[len(taken) * 95 // 100], "warcry: a drag's ruling with the nearest place"
    return [
        {"name": f"{name}, median", "value": statistics.median(taken) * 1e3, "unit": "ms"},
        {"name": f"{name}, 95 of 100", "value": slow * 1e3, "unit": "ms", "bar": "<= 2", "ok": slow <= 0.002},
        {"name": f"{name}, worst", "value": max(taken) * 1e3, "unit": "ms"},
        {"name": f"{name}: ways judged, 95 of 100", "value": sorted(judged)[len(judged) * 95 // 100], "unit": ""},
        {"name": f"{name}: ways judged, most", "value": max(judged), "unit": ""},
    ]


def track(ask: Any, hand: Rng) -> list[dict[str, Any]]:
    """Twelve places along the way of a hand, from beside the fighter to beyond its move."""
    tracer = ask.mover.tracer
    fighter, lay = tracer.fighter, tracer.ground.layout
    angle = hand.uniform(0.0, 2 * math.pi)
    wishes = []
    for k in range(1, 13):
        angle += hand.uniform(-0.3, 0.3)
        x = min(max(fighter.x + tracer.limit * k / 9 * math.cos(angle), 0.2), lay.width - 0.2)
        y = min(max(fighter.y + tracer.limit * k / 9 * math.sin(angle), 0.2), lay.depth - 0.2)
        wishes.append({"to": {"x": round(x, 3), "y": round(y, 3)}})
    return wishes


# -- how cost grows, and what a battle weighs --------------------------------------------------------------------

SIZES: dict[str, tuple[tuple[str, Any], tuple[str, Any]]] = {
    "warcry": (("points", 500), ("points", 1000)),
    "aos": (("points", 1000), ("points", 2000)),
    "conquest": (("points", 1000), ("points", 2000)),
    "wh40k": (("size", "combat-patrol"), ("size", "incursion")),
    "t9a": (("points", 1000), ("points", 2000)),
}
"""Two sizes of army, the second twice the first in points."""
GROWTH = 6


def of_size(game: str, size: tuple[str, Any], seed: int) -> Battle[Any]:
    """A random battle between random armies of a size."""
    muster = find_game(game).muster
    assert muster is not None
    wanted = dict([size])
    armies = [msgspec.to_builtins(muster(Rng(seed * 2 + side), **wanted)) for side in (0, 1)]
    options = {} if game == "warcry" else wanted
    battle = umpire.battle(game, sides=armies, seed=seed, options=options)
    rng = Rng(seed)
    while battle.decision is not None:
        battle.answer(battle.decision.suggest(rng))
    return battle


def several(game: str, size: tuple[str, Any]) -> None:
    for seed in range(1, 1 + GROWTH):
        of_size(game, size, seed)


def exponent(game: str) -> float:
    """Twice the army costs 2 to the power of this."""
    small, large = SIZES[game]
    of_size(game, small, 0)
    taken = [spent(partial(several, game, size), 1) for size in (small, large)]
    return math.log2(taken[1] / taken[0])


def weight(game: str) -> float:
    """Kibibytes that a battle holds at its end, beside what all battles share."""
    play(game, 7)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    battle = play(game, 8)
    held = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert battle.outcome is not None
    return held / 1024


def stored() -> dict[str, dict[str, Any]]:
    """The figures that later ones are compared with, by game."""
    return json.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.is_file() else {}


def store(revision: str, names: list[str]) -> None:
    told = stored()
    for game in names or games():
        told[game] = {"of": revision, **{key: round(value, 2) for key, value in figures(game).items()}}
    BASELINE.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def against(before: dict[str, Any], found: dict[str, float], key: str) -> tuple[str, float]:
    """What a figure is compared with, and the ratio: of two versions on one machine, where its pace was noted. Forks
    are told by their time, everything else by how many there are in a second."""
    ratio = before[key] / found[key] if key in TIMES else found[key] / before[key]
    if "pace" in before:
        return f"against {before['of']}", ratio * before["pace"] / found["pace"]
    return f"against {before['of']} on another machine", ratio


def figures(game: str) -> dict[str, float]:
    paces = [pace()]
    seconds, decisions = whole_battles(game)
    middle = [play(game, seed, 150) for seed in range(50, 58)]
    each = FORKS // len(middle)
    forks = [spent(battle.fork, each) / each for battle in middle]
    asked = [spent(partial(forked_question, battle), each) / each for battle in middle]
    pairs = 1 / pair_seconds(middle)
    paces.append(pace())
    return {
        "pace": statistics.mean(paces),
        "battles": 1 / seconds,
        "decisions": decisions,
        "answered": decisions / seconds,
        "fork": statistics.median(forks) * 1e6,
        "asked": statistics.median(asked) * 1e6,
        "pairs": pairs,
    }


NAMES = {
    "battles": ("random battles", "/s"),
    "decisions": ("decisions a battle", ""),
    "answered": ("decisions", "/s"),
    "fork": ("fork, median", "µs"),
    "asked": ("fork and its question, median", "µs"),
    "pairs": ("answer and undo", "/s"),
}
TIMES = ("fork", "asked")


def run() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    before = stored()
    for game in games():
        try:
            found = figures(game)
        except UmpireError as error:  # one game that fails must not hide the figures of the others
            print(f"{game}: {error}", file=sys.stderr)
            continue
        bars = BARS.get(game, {})
        for key, (name, unit) in NAMES.items():
            row: dict[str, Any] = {"name": f"{game}: {name}", "value": found[key], "unit": unit}
            if key in bars:
                low = key == "fork"
                row |= {
                    "bar": f"{'<=' if low else '>='} {bars[key]:g}",
                    "ok": found[key] <= bars[key] if low else found[key] >= bars[key],
                }
            rows.append(row)
            if key != "decisions" and key in before.get(game, {}):
                whom, ratio = against(before[game], found, key)
                rows.append({"name": f"{game}: {name} {whom}", "value": ratio, "unit": "x"})
        rows.append({"name": f"{game}: growth with army size, exponent", "value": exponent(game), "unit": ""})
        if game == "t9a":
            rows += regiments()
        if game == "warcry":
            rows += fighters_dragged()
        rows.append({"name": f"{game}: memory of a battle at its end", "value": weight(game), "unit": "KiB"})
    return rows


if __name__ == "__main__":
    if "--store" in sys.argv:
        _, _, revision, *chosen = sys.argv
        store(revision, chosen)
    else:
        for row in run():
            print(row)
