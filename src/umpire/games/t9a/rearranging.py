"""Places inside a unit: characters change them with others as they move (move.*.rearrange)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.decisions.asking import Propose
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps
from umpire.text import Text

from .formation import Point, box, layout
from .joining import file_of, places, rear_places
from .spacing import within
from .state import Pool, State, Unit

REARRANGE = {"normal": "t9a.move.normal.rearrange", "march": "t9a.move.march.rearrange"}
SWAPPING = ("reform", "normal", "march", "pivot", "combat-reform")


def spots(state: State, unit: Unit) -> dict[str, Point]:
    """Where each attached model of a unit stands: the middle of its base."""
    if len(unit.members) < 2:
        return {}
    at = box(state, unit)
    return {
        cell.pool: at.world((cell.x0 + cell.x1) / 2, (cell.y0 + cell.y1) / 2)
        for cell in layout(state, unit).cells
        if state.pools[cell.pool].attachable
    }


def swap_objections(
    state: State, unit: Unit, pool: Pool, file: int, rank: int, move: str, start: Point, most: float
) -> Iterator[Reason]:
    """Why an attached model may not change to a place in its unit now: only move actions and pivots let it
    (t9a.char.combined.no-swap), and it may not get further than any model (t9a.char.combined.swap)."""
    if move not in SWAPPING:
        yield Reason("t9a.char.combined.no-swap", facts={"who": pool.id})
    was = pool.file, pool.rank
    pool.file, pool.rank = file, rank
    end = spots(state, unit).get(pool.id, start)
    pool.file, pool.rank = was
    if not within(math.dist(start, end), most):
        facts = {"who": pool.id, "inches": round(math.dist(start, end), 2), "most": most}
        yield Reason("t9a.char.combined.swap", facts=facts)


def rearrange(
    battle: Battle[State],
    unit: Unit,
    move: str,
    starts: Mapping[str, Point],
    most: float,
    keep: Callable[[], Iterable[Reason]] = tuple,
) -> Steps[None]:
    """Attached models may change places in the course of a move, one after the other, as far as they may go from where
    they stood (t9a.move.normal.rearrange, t9a.move.march.rearrange, t9a.char.combined.swap); `keep` tells what else
    would stand against it if they stood there."""
    state = battle.state
    if len(unit.members) < 2 or state.rnf(unit) is None or not state.applies("t9a.char.combined.swap"):
        return
    rule = REARRANGE.get(move, "t9a.char.combined.swap")
    done: list[str] = []

    def refuse(answer: str, against: Mapping[str, list[Reason]]) -> list[Reason]:
        """A model without a rule for it stands as far forward as it can (t9a.char.position.front)."""
        if answer in against:
            return against[answer]
        who = answer.partition(":")[0]
        return [Reason("t9a.char.position.front", facts={"who": who})] if who in unit.members else []

    while True:
        options, against = _changes(state, unit, done, move, starts, most, keep)
        if not options:
            return
        options.append(Option("keep", Text("option.keep-places")))
        answer = yield Choose(
            unit.side, "ask.rearrange", options, rule, unit.id, refuse=partial(refuse, against=against),
            propose=_now_and_then([option.id for option in options]),
        )  # fmt: skip
        if answer == "keep":
            return
        who, _, place = answer.partition(":")
        file, _, rank = place.partition(":")
        pool = state.pools[who]
        pool.file, pool.rank = int(file), int(rank or 0)
        done.append(who)
        battle.emit("rearranged", "t9a.rule.stand-behind" if pool.rank else rule, who=who, unit=unit.id)


def _now_and_then(keys: Sequence[str]) -> Propose:
    """The last, but for one time in six."""
    return lambda rng: keys[-1] if rng.below(6) else keys[rng.below(len(keys))]


def _changes(
    state: State,
    unit: Unit,
    done: Sequence[str],
    move: str,
    starts: Mapping[str, Point],
    most: float,
    keep: Callable[[], Iterable[Reason]],
) -> tuple[list[Option], dict[str, list[Reason]]]:
    """To which places its attached models may change, but those who have, and what stands against others."""
    options: list[Option] = []
    against: dict[str, list[Reason]] = {}

    def weigh(key: str, label: Text, pool: Pool, file: int, rank: int) -> None:
        start = starts.get(pool.id)
        found = [] if start is None else list(swap_objections(state, unit, pool, file, rank, move, start, most))
        was = pool.file, pool.rank
        pool.file, pool.rank = file, rank
        found += keep()
        pool.file, pool.rank = was
        if list(standing(state, found)):
            against[key] = found
        else:
            options.append(Option(key, label, (unit.id,)))

    for pool in state.attached(unit):
        if pool.id in done:
            continue
        for file in places(state, pool, unit):
            if file != file_of(state, pool, unit):
                text = Text("option.to-file", {"who": pool.id, "file": file + 1})
                weigh(f"{pool.id}:{file}", text, pool, file, 0)
        for file, rank in rear_places(state, pool, unit):
            text = Text("option.to-rank", {"who": pool.id, "file": file + 1, "rank": rank + 1})
            weigh(f"{pool.id}:{file}:{rank}", text, pool, file, rank)
    return options, against
