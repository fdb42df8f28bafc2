"""Health pools whose models differ in what protects them: what the majority has counts for all rolls against the pool
(t9a.attack.allocate.majority).

The kinds of a pool share bases, Heights, health points, global characteristics and parts; they differ in Defensive
Skill, Resilience, Armour, shields and model rules. The first kind stands in front.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps, step
from umpire.text import Text

from .formation import layout
from .profiles import Profile, Rule
from .state import Kind, Pool, State

RULE = "t9a.attack.allocate.majority"
PROTECTS = ("df", "res", "arm", "shield")


def shared(kinds: tuple[Kind, ...], tie: int) -> tuple[Profile, bool]:
    """What the majority of the models has, each characteristic and each rule for itself; where as many have it as have
    not, what the kind `tie` has. And whether there was any such tie."""
    total = sum(kind.count for kind in kinds)
    tied = False
    values: dict[str, object] = {}
    for name in PROTECTS:
        counts: dict[object, int] = {}
        for kind in kinds:
            value = getattr(kind.profile, name)
            counts[value] = counts.get(value, 0) + kind.count
        most = max(counts.values())
        best = [value for value, count in counts.items() if count == most]
        tied = tied or len(best) > 1
        wished = getattr(kinds[tie].profile, name)
        values[name] = wished if wished in best else best[0]
    rules: list[Rule] = []
    held = [rule for kind in kinds for rule in kind.profile.rules]
    for rule in [rule for n, rule in enumerate(held) if rule not in held[:n]]:
        count = sum(kind.count for kind in kinds if rule in kind.profile.rules)
        even = 2 * count == total
        tied = tied or even
        if 2 * count > total or (even and rule in kinds[tie].profile.rules):
            rules.append(rule)
    return msgspec.structs.replace(kinds[0].profile, rules=tuple(rules), **values), tied


def attacked(state: State, pool: Pool, tie: int = 0) -> Pool:
    """The pool as rolls against it see it."""
    if not pool.kinds:
        return pool
    profile = pool.kinds[0].profile
    if state.applies(RULE):
        profile, _ = shared(_alive(pool), min(tie, len(_alive(pool)) - 1))
    return msgspec.structs.replace(pool, profile=profile, kinds=())


def _alive(pool: Pool) -> tuple[Kind, ...]:
    return tuple(kind for kind in pool.kinds if kind.count) or pool.kinds[:1]


def choose(battle: Battle[State], side: int, pool: Pool) -> Steps[int]:
    """Whose values count where as many have one thing as another: the attacker says so, once for all attacks that are
    made at the same time."""
    state = battle.state
    if not pool.kinds or not state.applies(RULE):
        return 0
    kinds = _alive(pool)
    tie = 0
    if len(kinds) > 1 and shared(kinds, 0)[1]:
        options = [Option(str(n), kind_text(kind)) for n, kind in enumerate(kinds)]
        answer = yield Choose(side, "ask.majority", options, RULE, pool.id)
        tie = int(answer)
    if len(kinds) > 1:
        battle.emit("majority", RULE, pool=pool.id, models=max(kind.count for kind in kinds))
    return tie


def kind_text(kind: Kind) -> Text:
    profile = kind.profile
    return Text(
        "option.kind",
        {
            "models": kind.count, "def": profile.df, "res": profile.res, "arm": profile.arm + int(profile.shield),
        },
    )  # fmt: skip


# -- who of them falls -------------------------------------------------------------------------------------------------


def fallen(battle: Battle[State], pool: Pool, count: int, behind: Sequence[int]) -> None:
    """So many of a mixed pool have fallen. From as far back as possible: those of the last kind stand there; where the
    last rank holds several kinds and not all of it falls, the owner says who (t9a.attack.casualties.rear-first)."""
    rear = behind[-1] if behind else pool.count
    in_rear = _rear(pool, rear)
    open_ones = [n for n, models in enumerate(in_rear) if models]
    if len(open_ones) > 1 and count < rear:
        battle.push(who_falls, pool.id, count, tuple(in_rear))
    remove(pool, count)


def _rear(pool: Pool, size: int) -> list[int]:
    """How many of each kind stand in the last rank."""
    left, found = size, [0] * len(pool.kinds)
    for n in reversed(range(len(pool.kinds))):
        found[n] = min(left, pool.kinds[n].count)
        left -= found[n]
    return found


def remove(pool: Pool, count: int) -> None:
    """Models go, the last kind's first."""
    kinds = list(pool.kinds)
    for n in reversed(range(len(kinds))):
        gone = min(count, kinds[n].count)
        kinds[n] = Kind(kinds[n].profile, kinds[n].count - gone)
        count -= gone
    pool.kinds = tuple(kinds)


def settle(pool: Pool) -> None:
    """Models that came back are of the last kind."""
    if pool.kinds:
        short = pool.count - sum(kind.count for kind in pool.kinds)
        last = pool.kinds[-1]
        if short > 0:
            pool.kinds = (*pool.kinds[:-1], Kind(last.profile, last.count + short))
        elif short < 0:
            remove(pool, -short)


@step
def who_falls(battle: Battle[State], key: str, count: int, rear: Sequence[int]) -> Steps[None]:
    """The owner chooses among those of the last rank, who have been taken from the last kind until now."""
    state = battle.state
    pool = state.pools[key]
    if pool.count <= 0:
        return
    options = [Option(str(n), kind_text(kind)) for n, kind in enumerate(pool.kinds) if rear[n]]
    last = max(n for n, models in enumerate(rear) if models)
    answer = yield Choose(
        pool.side, "ask.who-falls", options, "t9a.attack.casualties.rear-first", key, default=str(last)
    )
    first = int(answer)
    swapped = min(count, rear[first], pool.kinds[first].count) if first != last else 0
    kinds = list(pool.kinds)
    kinds[first] = Kind(kinds[first].profile, kinds[first].count - swapped)
    kinds[last] = Kind(kinds[last].profile, kinds[last].count + swapped)
    pool.kinds = tuple(kinds)
    battle.emit("fell", "t9a.attack.casualties.rear-first", pool=key, models=count)


def ranks_behind(state: State, pool: Pool) -> list[int]:
    """How many models of the pool stand in each rank."""
    unit = state.units[pool.unit]
    rows: dict[int, int] = {}
    for cell in layout(state, unit).cells:
        if cell.pool == pool.id:
            rows[cell.rank] = rows.get(cell.rank, 0) + 1
    return [rows[rank] for rank in sorted(rows)]
