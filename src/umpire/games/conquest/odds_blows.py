"""Exact odds of a batch of attacks up to its pool of wounds, read by the very functions that play uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from umpire.engine.battle import Battle
from umpire.odds import Dist, Outcomes, faces

from . import attacks, dice, hooks, morale
from .attacks import Group
from .hooks import Reroll
from .state import Character, Regiment, State

ConquestBattle = Battle[State]

Failures = Outcomes[tuple[int, ...]]
"""Of some defence dice: those that failed and cost two wounds, those that cost one, those that strike back."""

Struck = Outcomes[tuple[int, int]]
"""The wounds in the pool of a batch, and the hits that its defence dice strike back with."""


def rerolled(found: Sequence[Reroll], partial: str, good: Callable[[int], bool]) -> Callable[[int], bool] | None:
    """Which natural faces are re-rolled, opposed re-rolls having cancelled; what may be re-rolled is."""
    left, _ = dice.standing(found, partial)
    if not left:
        return None
    return lambda face: any(dice.chosen(face, good(face), reroll.which) for reroll in left)


class Blows(NamedTuple):
    """A batch of attacks: who strikes whom, from which side, and in what kind of fight; hits that come from nobody have
    no attacker. `turned`: are the defence dice counted that strike back?"""

    battle: ConquestBattle
    attacker: Regiment | None
    target: Regiment
    context: str
    side: str
    against: Character | None = None
    turned: bool = False

    @property
    def partial(self) -> str:
        return self.battle.state.options.partial_rerolls


def failures_of_hit(at: Blows, group: Group | None, zero: str = "") -> Failures:
    """What the defence die against one hit shows."""
    found = attacks.defending(at.battle, at.target, at.attacker, group, at.context, at.side, zero, at.against)

    def saved(face: int) -> bool:
        return dice.saves(face, found.defense, found.evasion)

    def failures(face: int) -> tuple[int, ...]:
        turned = attacks.turned([face]) if at.turned else 0
        if saved(face):
            return 0, 0, turned
        dear = hooks.extra(found.query, "wounds", [face])[0]
        return (1, 0, turned) if dear else (0, 1, turned)

    return faces(6, failures, reroll=rerolled(found.rerolls, at.partial, saved))


def failures_of_group(at: Blows, group: Group) -> Failures:
    """Hit and defence rolls of one group."""
    assert at.attacker is not None
    hit = attacks.hitting(at.battle, at.attacker, at.target, group, at.context, at.side, at.against)
    plain, bypass = failures_of_hit(at, group), failures_of_hit(at, group, "bypass")

    def hits(face: int) -> tuple[int, int]:
        return attacks.read_hits(hit, [face])[:2]

    def struck(face: int) -> bool:
        return dice.succeeds(face, hit.value)

    landed = faces(6, hits, reroll=rerolled(hit.rerolls, at.partial, struck))
    return landed.then(lambda count: joined(plain.total(count[0]), bypass.total(count[1]))).total(group.dice)


def joined(some: Failures, others: Failures) -> Failures:
    """The failures of two lots of dice together."""
    return some.then(lambda a: others.map(lambda b: tuple(x + y for x, y in zip(a, b, strict=True))))


def pool_of(at: Blows, failures: Failures) -> Struck:
    """The wounds of failed defence dice; those that are spared are the dear ones first (conquest.wounds.pool)."""
    base = (at.against or at.target).profile.defense
    query = hooks.Query(at.battle.state, at.target, "defense", base, at.context, at.attacker, at.against)

    def pool(count: tuple[int, ...]) -> tuple[int, int]:
        dear, plain, turned = count
        spared = hooks.extra(query, "spared", [6] * (dear + plain))[0] if dear + plain else 0
        return sum(([2] * dear + [1] * plain)[spared:]), turned

    return failures.map(pool)


def struck(at: Blows, groups: Sequence[Group]) -> Struck:
    """What a batch of attacks puts into the pool, and what it is struck back with."""
    total: Failures = Outcomes({(0, 0, 0): 1.0})
    for group in groups:
        if group.dice > 0:
            total = joined(total, failures_of_group(at, group))
    return pool_of(at, total)


def struck_by_hits(at: Blows, hits: int, group: Group | None = None) -> Struck:
    """The same of hits that need no hit roll."""
    return pool_of(at, failures_of_hit(at, group).total(hits))


def wounds_of(found: Struck) -> Dist:
    return found.dist(lambda both: both[0])


def further(at: Blows, count: int) -> Dist:
    """The further wounds that a Morale Test of so many dice costs the target as it stands now."""
    needed = morale.resolve(at.battle, at.target, "morale", at.attacker, at.context).value
    query = hooks.Query(at.battle.state, at.target, "resolve", needed, at.context, at.attacker, side=at.side)

    def passed(face: int) -> bool:
        return dice.succeeds(face, needed)

    again = rerolled(morale.test_rerolls(query)[0], at.partial, passed)
    failed = faces(6, passed, reroll=again).mix({True: 0, False: 1}).times(count)
    return failed.map(lambda dice: morale.failed_test(query, [6] * dice)[1] if dice else 0)
