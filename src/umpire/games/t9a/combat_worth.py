"""What the planner thinks that a combat brings in points, round by round until somebody breaks or the battle ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from . import combat_odds
from .attacks import Strike
from .characteristics import offensive
from .formation import full_ranks
from .model_rules import every
from .questions import again, passes
from .state import Pool, State, Unit
from .strike_odds import dice_dist, each_attack
from .victory import scoring
from .weapons import in_use

LAST_TURN = 6


def per_point(pool: Pool) -> float:
    """What a health point of a pool is worth."""
    return pool.points / max(1, pool.start_hp)


def harm(state: State, unit: Unit, foe: Unit, charging: bool) -> float:
    """Health points that a round of a unit's attacks may take from a foe, by its front."""
    targets = [p for p in state.members(foe) if not p.attachable] or state.members(foe)
    target = targets[0]
    total = 0.0
    wide = max(1, min(unit.files, foe.files + 2))
    before = unit.charging
    unit.charging = charging
    for pool in state.members(unit):
        fighters = 1 if pool.attachable else min(pool.count, wide)
        supporters = 0 if pool.attachable else max(0, min(pool.count - fighters, wide))
        for index, part in enumerate(pool.profile.parts):
            for rule in part.rules:
                if rule.id in ("t9a.rule.stomp", "t9a.rule.grind-attacks") or (
                    charging and rule.id == "t9a.rule.impact-hits"
                ):
                    total += 0.5 * fighters * dice_dist(rule.x).mean
            if part.att is None:
                continue
            weapon = in_use(state, pool, index)
            att = part.att if isinstance(part.att, int) else 3
            number = offensive(state, pool, part, "att", weapon, base=att).total
            count = fighters * number + supporters * min(number, pool.profile.height)
            total += count * each_blow(state, pool, index, target)
    unit.charging = before
    return min(total, float(target.hp))


def price(state: State, unit: Unit) -> float:
    """What it costs to lose the whole of a unit: its points, what it holds of the Bounty, and the marker that the enemy
    may get for it."""
    return points_of(state, unit) + markers(state, 1 - unit.side, unit.spoils + 0.5 * scoring(state, unit))


def markers(state: State, side: int, more: float) -> float:
    """What so many markers of the Bounty more than it has are worth to a side: only who holds more counts, and towards
    the end one is enough."""
    if not more or state.field.primary != "bounty":
        return 0.0
    ahead = sum(u.spoils if u.side == side else -u.spoils for u in state.table())
    sure = 0.5 if state.turn < LAST_TURN - 1 else 1.0

    def counts(by: float) -> float:
        return max(-1.0, min(1.0, sure * by)) + MORE * by

    return PRIMARY * state.size * (counts(ahead + more) - counts(ahead))


PRIMARY = 0.22
"""What the primary objective is worth, as a part of the army: three battle points."""
MORE = 0.1
"""What a marker more is worth to who is ahead already, as a part of that: it may be lost again."""


def points_of(state: State, unit: Unit) -> float:
    return math.fsum(kept(state, pool, pool.hp) for pool in state.members(unit))


def kept(state: State, pool: Pool, left: float) -> float:
    """What so many health points of a pool are worth. As long as there is much to come each counts; in the end only
    whether any is left, and whether so many that it is not Decimated."""
    share = left / max(1, pool.start_hp)
    end = ENDS.get(state.turn, 0.0)
    counts = 0.5 * min(1.0, share / 0.1) + 0.5 * min(1.0, max(0.0, (share - 0.1) / 0.3))
    return float(pool.points * ((1.0 - end) * share + end * counts))


ENDS = {4: 0.25, 5: 0.6, 6: 0.9}
"""How near the end is by turns, from nothing to one."""


def breaks(state: State, unit: Unit, beaten_by: float, ranks: int, theirs: int) -> float:
    """The chance that a unit breaks that loses a round by so much."""
    from .command import discipline, rallied

    if beaten_by <= 0:
        return 0.0
    less = beaten_by
    if ranks > theirs:
        less = 0 if ranks >= 4 else min(2.0, beaten_by)
    p = passes(max(0, int(discipline(state, unit).total - less)))
    return 1.0 - (again(p) if rallied(state, unit) else p)


class Fight(NamedTuple):
    """Two units of a combat, a friend and a foe: whether either has charged in, and by a flank or the rear."""

    unit: Unit
    foe: Unit
    charging: bool = False
    charged: bool = False
    flank: bool = False
    flanked: bool = False


def clash(state: State, unit: Unit, foe: Unit, flank: bool) -> float:
    """What the round after a charge may bring in points: losses of both, and what the result does to the loser."""
    return combat(state, [Fight(unit, foe, True, False, flank)], rounds=1)


def rounds_left(state: State) -> int:
    """How many rounds of combat there are yet to come, as far ahead as it is worth to look."""
    if state.turn < 1:
        return AHEAD
    return max(1, min(AHEAD, 2 * (LAST_TURN - state.turn) + 1 + int(state.active == state.first)))


AHEAD = 4
LATER = 0.8
"""Each round further off counts for less: others will join, or go."""
CAUGHT = 0.75
"""Who breaks is lost so often, sooner or later."""
SPREAD = ((-1.22, 0.3), (0.0, 0.4), (1.22, 0.3))
"""How far a result is off what is expected, in deviations of what both lose, and how often."""


Known = dict[tuple[str, str, bool], float]
"""What the blows of a unit take from another, charging or not, while nobody falls."""


class Side:
    """What becomes of the units of one side of a combat, round by round."""

    def __init__(self, state: State, units: dict[str, Unit]) -> None:
        self.units = units
        self.soldiers = {key: combat_odds.target_of(state, unit) for key, unit in units.items()}
        self.left = {key: float(pool.hp) for key, pool in self.soldiers.items()}
        """Health points left to who still fights."""
        self.stays = dict.fromkeys(units, 1.0)
        """The chance that it still fights."""
        self.others = {
            key: points_of(state, unit) - kept(state, self.soldiers[key], self.soldiers[key].hp)
            for key, unit in units.items()
        }
        """What those with the soldiers are worth."""
        self.front = {key: self._front(state, unit) for key, unit in units.items()}
        self.ranks = {key: full_ranks(state, unit) for key, unit in units.items()}
        self.flags = {key: sum(p.standard + p.bearer for p in state.members(unit)) for key, unit in units.items()}

    def falls(self, state: State, key: str, lost: float) -> float:
        """So many health points of a unit fall: what they were worth."""
        before = kept(state, self.soldiers[key], self.left[key])
        self.left[key] -= lost
        return before - kept(state, self.soldiers[key], self.left[key])

    def _front(self, state: State, unit: Unit) -> float:
        """Health points of those who strike: fewer strike less."""
        pool = self.soldiers[unit.id]
        return float(min(pool.hp, 2 * unit.files * pool.profile.hp if pool.count > 1 else 1))

    def strength(self, key: str) -> float:
        return self.stays[key] * min(1.0, self.left[key] / self.front[key])

    def full(self, key: str, held: int) -> int:
        whole = self.soldiers[key].hp
        return max(0, math.ceil(self.ranks[key] * self.left[key] / max(1, whole) - 0.5) - held)


def combat(
    state: State,
    fights: Sequence[Fight],
    known: Known | None = None,
    rounds: int = 0,
) -> float:
    """The same of a combat of several units: who faces two foes strikes at one or the other, all share the score, and
    each loser tests for itself; whoever stays fights on. `known` keeps what blows take while nobody falls."""
    known = {} if known is None else known

    def blows(unit: Unit, foe: Unit, charging: bool) -> float:
        key = unit.id, foe.id, charging
        if key not in known:
            known[key] = harm(state, unit, foe, charging)
        return known[key]

    mine = Side(state, {fight.unit.id: fight.unit for fight in fights})
    theirs = Side(state, {fight.foe.id: fight.foe for fight in fights})
    sides = (mine, theirs)
    value = 0.0
    for n in range(rounds or rounds_left(state)):
        taken = _round(state, fights, sides, blows, fresh=n == 0)
        value += LATER**n * (taken[1] - taken[0])
        if min(max(side.stays.values()) for side in sides) < 0.1:
            break
    return value


def _round(
    state: State, fights: Sequence[Fight], sides: tuple[Side, Side], blows: Callable[..., float], fresh: bool
) -> tuple[float, float]:
    """The points that both sides lose in one round."""
    mine, theirs = sides
    lost: dict[str, float] = {}
    held: dict[str, int] = {}
    score = [0.0, 0.0]
    for fight in fights:
        one, other = fight.unit.id, fight.foe.id
        facing = math.fsum(theirs.stays[f.foe.id] for f in fights if f.unit.id == one)
        faced = math.fsum(mine.stays[f.unit.id] for f in fights if f.foe.id == other)
        dealt = blows(fight.unit, fight.foe, fight.charging and fresh) * mine.strength(one) / max(1.0, facing)
        taken = blows(fight.foe, fight.unit, fight.charged and fresh) * theirs.strength(other) / max(1.0, faced)
        if fight.flank:
            taken *= 0.4
            held[other] = max(held.get(other, 0), mine.full(one, 0))
        if fight.flanked:
            dealt *= 0.4
            held[one] = max(held.get(one, 0), theirs.full(other, 0))
        lost[other] = lost.get(other, 0.0) + dealt
        lost[one] = lost.get(one, 0.0) + taken
    ranks: list[dict[str, int]] = [{}, {}]
    told = [0.0, 0.0]
    for n, side in enumerate(sides):
        for key, unit in side.units.items():
            fallen = min(lost[key], side.left[key])
            lost[key] = fallen
            score[1 - n] += fallen * side.stays[key]
            told[n] += side.stays[key] * side.falls(state, key, fallen)
            ranks[n][key] = side.full(key, held.get(key, 0)) if side.stays[key] > 0.3 else 0
            score[n] += side.flags[key] * side.stays[key]
            if side.left[key] <= (1.0 - ALL) * side.soldiers[key].hp:
                told[n] += side.stays[key] * bounty(state, unit, sides[1 - n].units.values())
                side.stays[key] = 0.0
        score[n] += min(4, max(ranks[n].values()))
    score[0] += (fresh and any(f.charging for f in fights)) + 2 * any(f.flank for f in fights)
    score[1] += (fresh and any(f.charged for f in fights)) + 2 * any(f.flanked for f in fights)
    off = math.sqrt(math.fsum(lost.values()))
    most = [max(ranks[n].values()) for n in (0, 1)]
    for n, side in enumerate(sides):
        for key, unit in side.units.items():
            if not side.stays[key]:
                continue
            beaten = score[1 - n] - score[n]
            chances = [(max(0.0, beaten + by * off), p) for by, p in SPREAD]
            if every(state, unit, "t9a.rule.unstable"):
                crumbles = min(side.left[key], math.fsum(p * by for by, p in chances))
                told[n] += side.stays[key] * side.falls(state, key, crumbles)
                continue
            gone = math.fsum(p * breaks(state, unit, by, ranks[n][key], most[1 - n]) for by, p in chances)
            lost_all = kept(state, side.soldiers[key], side.left[key]) + side.others[key]
            lost_all += bounty(state, unit, sides[1 - n].units.values())
            told[n] += side.stays[key] * gone * CAUGHT * lost_all
            side.stays[key] *= 1.0 - gone
    return told[0], told[1]


ALL = 0.9
"""Who is expected to lose so great a part of a unit may well lose the whole of it."""


def each_blow(state: State, pool: Pool, index: int, target: Pool) -> float:
    from .fighting import defence, to_hit_need

    part = pool.profile.parts[index]
    weapon = in_use(state, pool, index)
    off = int(offensive(state, pool, part, "off", weapon, target).total)
    df, _ = defence(state, target, off, weapon, "front")
    base = part.strength if isinstance(part.strength, int) else 4
    strike = Strike(
        source=pool.id,
        target=target.id,
        how="melee",
        strength=int(offensive(state, pool, part, "str", weapon, target, base=base).total),
        ap=int(offensive(state, pool, part, "ap", weapon, target).total),
        dice=1,
        need=to_hit_need(off, df),
        part=index,
        bound=weapon.rules,
    )
    return each_attack(state, strike).mean


def bounty(state: State, fallen: Unit, by: Iterable[Unit]) -> float:
    """What it means for the Bounty that a unit is destroyed in melee by others."""
    won = scoring(state, fallen) and any(scoring(state, unit) for unit in by)
    return markers(state, 1 - fallen.side, fallen.spoils + won)
