"""Multiple Wounds: each unsaved wound costs more than one health point; of several instances the owner uses one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps
from umpire.odds import Dist
from umpire.text import Text

from . import majority
from .profiles import Rule, dice_of, most_of
from .state import Pool, State
from .values import random_value

if TYPE_CHECKING:
    from .attacks import Strike

RULE = "t9a.rule.multiple-wounds"


def fitting(names: dict[str, list[Rule]]) -> list[Rule]:
    """The instances that an attack has against its target."""
    return [rule for rule in names.get(RULE, ()) if rule.x]


def most_of_each(state: State, target: Pool) -> int:
    """No wound takes more than the HP value (t9a.rule.multiple-wounds.cap)."""
    return target.profile.hp if state.applies("t9a.rule.multiple-wounds.cap") else 99


def worth_choosing(state: State, target: Pool, rules: Sequence[Rule]) -> list[Rule]:
    """The instances of which none is at least as good as another whatever is rolled, the one that may take most first:
    2 is surer than D3, D3 may take more; where the target has two HP, 2 is better."""
    most = most_of_each(state, target)
    kept: list[tuple[Rule, Dist]] = []
    for rule in rules:
        mine = _points(rule.x).min(most)
        if any(_as_good(other, mine, most) for _, other in kept):
            continue
        kept = [(held, other) for held, other in kept if not _as_good(mine, other, most)] + [(rule, mine)]
    return sorted((rule for rule, _ in kept), key=lambda rule: -most_of(rule.x))


def usual(state: State, target: Pool, names: dict[str, list[Rule]]) -> Rule | None:
    """The instance that is used unless its owner wants another (t9a.rule.duplicates)."""
    able = fitting(names)
    if len(able) > 1 and state.applies("t9a.rule.duplicates"):
        able = worth_choosing(state, target, able)
    return able[0] if able else None


def _points(text: str) -> Dist:
    count, sides, plus = dice_of(text)
    return Dist.uniform(1, sides).times(count) + plus if count else Dist.certain(plus)


def _as_good(one: Dist, other: Dist, most: int) -> bool:
    return all(one.at_least(n) >= other.at_least(n) - 1e-12 for n in range(1, min(most, 60) + 1))


def choose(battle: Battle[State], strikes: Sequence[Strike]) -> Steps[None]:
    """Which instance an attack uses where more than one could be and none is better (t9a.rule.duplicates)."""
    from .attacks import names_of

    state = battle.state
    if not state.applies("t9a.rule.duplicates"):
        return
    for strike in strikes:
        if not strike.source or not _several(state, strike):
            continue
        target = majority.attacked(state, state.pools[strike.target], strike.tie)
        open_ones = worth_choosing(state, target, fitting(names_of(state, strike)))
        if len(open_ones) < 2:
            continue
        options = [Option(rule.x, Text("option.multiple-wounds", {"x": rule.x})) for rule in open_ones]
        side = state.pools[strike.source].side
        strike.multiple = yield Choose(
            side, "ask.multiple-wounds", options, "t9a.rule.duplicates", strike.source, default=open_ones[0].x
        )


def _several(state: State, strike: Strike) -> bool:
    """A quick look: most attacks have the rule once at most."""
    pool = state.pools[strike.source]
    own = pool.profile.parts[strike.part].rules if pool.profile.parts else ()
    return sum(rule.id == RULE for rule in (*strike.bound, *own)) + len(state.effects) > 1


def multiplied(battle: Battle[State], strike: Strike, names: dict[str, list[Rule]]) -> int:
    """Multiple Wounds (X), each wound for itself, at most the target's HP value (t9a.rule.multiple-wounds)."""
    state = battle.state
    wounds = strike.unsaved + strike.lethal_unsaved
    if not wounds:
        return 0
    target = majority.attacked(state, state.pools[strike.target], strike.tie)
    able = fitting(names)
    rule = next((r for r in able if r.x == strike.multiple), None) or usual(state, target, names)
    if rule is None:
        return wounds
    most = most_of_each(state, target)
    if most == 1 and target.profile.hp == 1:
        # No die is thrown for what comes to one in any case.
        battle.emit("multiplied", "t9a.rule.multiple-wounds.cap", target=target.id, lost=wounds)
        return wounds
    total = 0
    told = ["t9a.rule.multiple-wounds"]
    for _ in range(wounds):
        value = random_value(
            battle, rule.x, "multiple-wounds", "t9a.rule.multiple-wounds", side=1 - target.side, who=strike.source
        )
        if value > most and len(told) < 2:
            told.append("t9a.rule.multiple-wounds.cap")
        total += min(value, most)
    if rule.against:
        told.append("t9a.rule.keyword.against")
    if len(able) > 1:
        told.append("t9a.rule.duplicates")
    battle.emit("multiplied", *told[:3], target=target.id, lost=total)
    return total
