"""Exact odds of a whole round of combat between two units: agility step by agility step, then the score, the Break Test
and the pursuit, by the functions that play.

What both have lost is carried on from step to step as a table of chances: who falls in one step strikes in it and not
in the next. Attacks go to the soldiers of the enemy, as they do unless a player wishes otherwise; weapons are those in
hand; Crush Attacks are declined and Special Attacks made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from umpire.engine.copying import copy
from umpire.odds import Dist

from . import (
    aligning,
    breaking,
    charge_moves,
    command,
    fighting,
    fleeing,
    joining,
    melee_round,
    pursuit,
    random_movement,
    special_attacks,
    weapons,
    who_fights,
)
from .attacks import Strike, ranged_pools
from .characteristics import offensive
from .formation import layout, size_of
from .model_rules import every, some
from .profiles import Rule
from .questions import again, caught, passes, summed
from .ranged_attacks import rolls_strength, special_values
from .state import Pair, Pool, Round, State, Unit
from .strike_odds import dice_dist, each_attack
from .values import net_of

Table = npt.NDArray[np.float64]


class Outlook(NamedTuple):
    """What a round may bring to two units, the first one's figure first."""

    lost: tuple[Dist, Dist]
    """Health points, those of crumbling included."""
    wins: tuple[float, float]
    breaks: tuple[float, float]
    caught: tuple[float, float]
    """Breaks, and is ridden down."""
    destroyed: tuple[float, float]
    """Loses its last soldier."""


def engaged(state: State, unit: Unit, foe: Unit) -> State | None:
    """A copy in which a charge has arrived; None if there is no contact to be made."""
    made = copy(state)
    mine, theirs = made.units[unit.id], made.units[foe.id]
    contact = aligning.contact(made, mine, theirs)
    if contact is None:
        return None
    charge_moves.put(mine, contact.at)
    if contact.turned is not None:
        charge_moves.put(theirs, contact.turned)
    theirs.first = theirs.first or not made.engaged(theirs.id)
    made.pairs = [p for p in made.pairs if unit.id not in (p.a, p.b)]
    made.pairs.append(Pair(mine.id, theirs.id, "front", contact.face, contact.flush))
    mine.charging = mine.first = True
    return made


def target_of(state: State, unit: Unit) -> Pool:
    """Who takes the blows: the soldiers, or the only model there is."""
    return state.rnf(unit) or state.members(unit)[0]


@contextmanager
def fallen(state: State, unit: Unit, lost: int) -> Iterator[bool]:
    """The unit after it has lost so many health points; False: nobody is left to strike."""
    pool = target_of(state, unit)
    before = (pool.count, pool.lost, unit.holes)
    down, rest = divmod(lost + pool.lost, pool.profile.hp)
    down = min(down, pool.count)
    if down and not pool.attachable and unit.locked[0] and layout(state, unit).ranks == 1:
        files = sorted(c.file for c in layout(state, unit).cells if c.pool == pool.id)
        for n in range(min(down, len(files))):
            unit.holes = (*unit.holes, (files.pop(0 if n % 2 == 0 else -1), 0))
    pool.count, pool.lost = pool.count - down, rest if down < pool.count else 0
    try:
        yield pool.count > 0
    finally:
        pool.count, pool.lost, unit.holes = before


def over_walls(state: State, unit: Unit, group: who_fights.Group) -> int:
    """How many of some models strike over a wall that is held against them."""
    return group.walled if unit.charging and state.applies("t9a.terrain.wall.fortified") else 0


def each_struck(
    state: State, unit: Unit, pool: Pool, group: who_fights.Group, target: Pool
) -> Iterator[tuple[float, Dist, Dist]]:
    """One standard attack, by each Strength that may be rolled for it: how likely that is, what the attack takes over a
    wall, and what it takes where there is none."""
    part = pool.profile.parts[group.part]
    weapon = weapons.in_use(state, pool, group.part)
    face = group.faces[group.targets.index(target.id)]
    off = int(offensive(state, pool, part, "off", weapon, target).total)
    df, _ = fighting.defence(state, target, off, weapon, face)
    sure = fighting.sure_hits(state, pool, part, weapon)
    for strength, p in dice_dist(str(part.strength)).items():
        strikes = [
            Strike(
                source=pool.id,
                target=target.id,
                how="melee",
                strength=int(offensive(state, pool, part, "str", weapon, target, base=strength).total),
                ap=int(offensive(state, pool, part, "ap", weapon, target).total),
                dice=1,
                need=int(fighting.to_hit(state, target, off, df, fortified, (pool, group.part, weapon)).total),
                part=group.part,
                bound=weapon.rules,
                massed=who_fights.massed(state, unit, pool),
            )
            for fortified in (True, False)
        ]
        yield p, each_attack(state, strikes[0], sure), each_attack(state, strikes[1], sure)


class Combat:
    """Two units that fight each other, on data of their own."""

    def __init__(self, state: State, a: str, b: str) -> None:
        self.state = state
        self.units = (state.units[a], state.units[b])
        state.pairs = [p for p in state.pairs if {p.a, p.b} == {a, b}]
        state.round = Round(units=(a, b))
        for unit in self.units:
            joining.keep_base(state, unit)
            unit.locked = size_of(state, unit)
            rnf = state.rnf(unit)
            unit.locked_count = rnf.count if rnf is not None else len(unit.members)
        self.targets = tuple(target_of(state, unit) for unit in self.units)
        self.ranks = [[self._ranks(n, lost) for lost in range(self.targets[n].hp + 1)] for n in (0, 1)]
        start = self.settled(0, 0)
        for unit in self.units:
            unit.solid = melee_round.solid_at(state, unit, start[unit.id])
        self.static = [
            sum(amount for amount, _ in melee_round.static_score(state, state.round, unit.side, start))
            for unit in self.units
        ]
        self.order = self._order()

    def _ranks(self, n: int, lost: int) -> int:
        with fallen(self.state, self.units[n], lost) as left:
            return melee_round.resolute(self.state, self.units[n]) if left else 0

    def settled(self, mine: int, theirs: int) -> dict[str, int]:
        """Full Ranks of both after such losses, those of a unit struck in flank or rear less the other's."""
        pair = self.state.pairs[0]
        base = [self.ranks[0][mine], self.ranks[1][theirs]]
        found = {}
        for n, unit in enumerate(self.units):
            held = pair.face(unit.id) != "front" and self.state.applies("t9a.melee.formation.surrounded")
            found[unit.id] = max(0, base[n] - base[1 - n]) if held else base[n]
        return found

    def _order(self) -> list[tuple[int, int, str, int]]:
        """Agility, side of this combat, pool, part, as they are when the round begins."""
        found = []
        for n, unit in enumerate(self.units):
            for member in unit.members:
                pool = self.state.pools[member]
                for index, part in enumerate(pool.profile.parts):
                    weapon = weapons.in_use(self.state, pool, index)
                    found.append((int(offensive(self.state, pool, part, "agi", weapon).total), n, member, index))
        return found

    def steps(self) -> list[int]:
        found = {agi for agi, _, _, _ in self.order}
        for unit in self.units:
            for member in unit.members:
                pool = self.state.pools[member]
                for part in pool.profile.parts:
                    found.update(special_attacks.steps_of(self.state, unit, pool, part))
        return sorted(found, reverse=True)

    def blows(self, n: int, step: int, lost: int) -> Dist:
        """What one unit takes from the other in a step after it has lost so much."""
        state, unit = self.state, self.units[n]
        total = Dist.certain(0)
        with fallen(state, unit, lost) as left:
            if not left:
                return total
            for member in unit.members:
                pool = state.pools[member]
                for index, part in enumerate(pool.profile.parts):
                    if (step, n, member, index) in self.order and part.att is not None:
                        for group in who_fights.fighters(state, unit, pool, index):
                            total = total + self.struck(n, pool, index, group)
                for name in special_attacks.SPECIAL:
                    able = special_attacks.with_rule(state, unit, pool, name, step)
                    for index, rule in able[:1] if name in special_attacks.ONE_PART else able:
                        total = total + self.special(n, pool, index, rule)
        return total

    def struck(self, n: int, pool: Pool, index: int, group: who_fights.Group) -> Dist:
        """The standard attacks of models that may strike alike; each rolls what is random for itself."""
        state, unit = self.state, self.units[n]
        target = self.targets[1 - n]
        if target.id not in group.targets:
            return Dist.certain(0)
        part = pool.profile.parts[index]
        weapon = weapons.in_use(state, pool, index)
        cap = who_fights.restricted_cap(state, pool, index, weapon) if group.restricted else 99
        walled = over_walls(state, unit, group)
        cases: tuple[list[tuple[float, Dist]], list[tuple[float, Dist]]] = ([], [])
        for p, fortified, plain in each_struck(state, unit, pool, group, target):
            for base, q in dice_dist(str(part.att)).items():
                att = min(cap, int(offensive(state, pool, part, "att", weapon, base=base).total))
                cases[0].append((p * q, plain.times(att)))
                if walled:
                    cases[1].append((p * q, fortified.times(att)))
        made = Dist.mixture(cases[0]).times(group.models - walled)
        return made + Dist.mixture(cases[1]).times(walled) if walled else made

    def special(self, n: int, pool: Pool, index: int, rule: Rule) -> Dist:
        """Impact Hits, Grind Attacks and Stomps of the models that touch the other unit."""
        state, unit, foe = self.state, self.units[n], self.units[1 - n]
        models = special_attacks.treading(state, unit, pool, rule).get(foe.id, [])
        target = self.targets[1 - n]
        if not models or target not in ranged_pools(state, foe.id):
            return Dist.certain(0)
        part = pool.profile.parts[index]
        cases = []
        for base, p in dice_dist(str(part.strength) if rolls_strength(part, rule) else "0").items():
            rolled = base if rolls_strength(part, rule) else None
            strength, ap, bound, own = special_values(state, pool, index, rule, rolled)
            strike = Strike(
                source=pool.id, target=target.id, how="special", strength=strength, ap=ap, auto=1, part=index,
                bound=bound, own=own, charging=unit.charging, massed=special_attacks.helped(state, unit, pool, rule),
            )  # fmt: skip
            cases.append((p, each_attack(state, strike, automatic=True).times(dice_dist(rule.x))))
        return Dist.mixture(cases).times(len(models))

    def losses(self) -> Table:
        """The chance that the first has lost so much and the second so much when all have struck."""
        most = [pool.hp for pool in self.targets]
        table: Table = np.zeros((most[0] + 1, most[1] + 1))
        table[0, 0] = 1.0
        for step in self.steps():
            mine = [self._over(0, step, lost, most[1]) for lost in range(most[0] + 1) if table[lost].any()]
            rows = [lost for lost in range(most[0] + 1) if table[lost].any()]
            columns = [lost for lost in range(most[1] + 1) if table[:, lost].any()]
            theirs = {lost: self._over(1, step, lost, most[0]) for lost in columns}
            made = np.zeros_like(table)
            for lost, dealt in zip(rows, mine, strict=True):
                for other in columns:
                    if table[lost, other]:
                        spread = np.outer(_onto(theirs[other], most[0] - lost), _onto(dealt, most[1] - other))
                        made[lost:, other:] += table[lost, other] * spread
            table = made
        return table

    def _over(self, n: int, step: int, lost: int, most: int) -> Table:
        return np.asarray(self.blows(n, step, lost).min(most).over(0, most))

    def outlook(self) -> Outlook:
        table = self.losses()
        state = self.state
        now = state.round
        assert now is not None
        most = [pool.hp for pool in self.targets]
        lost = [np.zeros(most[0] + 1), np.zeros(most[1] + 1)]
        wins, broke, ridden, gone = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
        flights = [self._caught(n) for n in (0, 1)]
        for a, b in zip(*np.nonzero(table), strict=True):
            p = float(table[a, b])
            down = [int(a), int(b)]
            ends = [down[0] >= most[0] and self._alone(0), down[1] >= most[1] and self._alone(1)]
            score = [self.static[n] + down[1 - n] + ends[1 - n] for n in (0, 1)]
            extra = [Dist.certain(0), Dist.certain(0)]
            if score[0] != score[1]:
                n = 0 if score[0] < score[1] else 1
                wins[1 - n] += p
                if not any(ends):
                    now.winner, now.difference = self.units[1 - n].side, abs(score[0] - score[1])
                    fails, extra[n] = self._tested(n, dict(self.settled(down[0], down[1])))
                    broke[n] += p * fails
                    ridden[n] += p * fails * flights[n]
            for n in (0, 1):
                for more, q in extra[n].items():
                    after = min(most[n], down[n] + more)
                    lost[n][after] += p * q
                    gone[n] += p * q if after >= most[n] else 0.0
        return Outlook(
            (Dist(lost[0]), Dist(lost[1])),
            (wins[0], wins[1]),
            (broke[0], broke[1]),
            (ridden[0], ridden[1]),
            (gone[0], gone[1]),
        )

    def _alone(self, n: int) -> bool:
        """Is nobody left of a unit when its soldiers are gone?"""
        return len(self.units[n].members) == 1

    def _tested(self, n: int, ranks: dict[str, int]) -> tuple[float, Dist]:
        """The chance to break, and what crumbles instead."""
        state, unit = self.state, self.units[n]
        now = state.round
        assert now is not None
        if every(state, unit, "t9a.rule.unstable"):
            return 0.0, Dist.certain(breaking.unstable_losses(state, unit, now, ranks)[0])
        passed = stands(state, unit, now, ranks)
        if every(state, unit, "t9a.rule.supernal"):
            return 0.0, Dist.mixture(((passed, 0), (1 - passed, now.difference)))
        return 1 - passed, Dist.certain(0)

    def _caught(self, n: int) -> float:
        """The chance that a broken unit does not get away (t9a.melee.break.caught)."""
        state, unit, foe = self.state, self.units[n], self.units[1 - n]
        if every(state, unit, "t9a.rule.emplaced"):
            return 1.0
        if not pursuit.may_pursue(state, foe):
            return 0.0
        return caught(chase(state, foe), flight(state, unit, some(state, foe, "t9a.rule.horror")))


def stands(state: State, unit: Unit, now: Round, ranks: dict[str, int]) -> float:
    """The chance to pass a Break Test."""
    less, _ = melee_round.penalty(state, unit, now, ranks)
    passed = passes(max(0, int(command.discipline(state, unit).total) - less))
    return again(passed) if command.rallied(state, unit) else passed


def flight(state: State, unit: Unit, horrified: bool) -> Dist:
    """How far a unit flees."""
    count, plus, _ = random_movement.run(state, unit, "")
    return summed(count, net_of(state, fleeing.changed(state, unit, horrified))[0]) + plus


def chase(state: State, unit: Unit) -> Dist:
    """How far it pursues."""
    count, plus, _ = random_movement.run(state, unit, "")
    return summed(count, net_of(state, pursuit.changed(state, unit))[0]) + plus


def _onto(dealt: Table, most: int) -> Table:
    """A distribution of losses where no more than so much can be lost."""
    if len(dealt) <= most + 1:
        return np.concatenate([dealt, np.zeros(most + 1 - len(dealt))])
    found = dealt[: most + 1].copy()
    found[most] += dealt[most + 1 :].sum()
    return found


def of_charge(state: State, unit: Unit, foe: Unit) -> Outlook | None:
    """The first round after a charge that arrives."""
    if state.engaged(foe.id) or unit.where != "table":
        return None
    made = engaged(state, unit, foe)
    return Combat(made, unit.id, foe.id).outlook() if made is not None else None


def of_pair(state: State, a: str, b: str) -> Outlook:
    """The next round of two units that fight each other alone."""
    return Combat(copy(state), a, b).outlook()


def turned(outlook: Outlook) -> Outlook:
    """The same, seen from the other side."""
    lost, wins, breaks, ridden, gone = outlook
    return Outlook(lost[::-1], wins[::-1], breaks[::-1], ridden[::-1], gone[::-1])
