"""What the planner thinks of a fight: what a round of combat takes and gives in points, whether a charge is worth its
risk, and what may be charged from a place or may charge there."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

from umpire.miniatures.blocks import box_at

from . import charge_moves, combat_odds
from .attacks import Strike
from .characteristics import charge_speed, offensive
from .formation import arc_of, box, full_ranks
from .questions import again, charge_range, passes, summed
from .spacing import between
from .state import Pool, State, Unit
from .strike_odds import dice_dist, each_attack
from .victory import scoring
from .weapons import in_use


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
    return float(sum(pool.points * pool.hp / max(1, pool.start_hp) for pool in state.members(unit)))


def steadfast(state: State, unit: Unit, beaten_by: float, ranks: int, theirs: int) -> float:
    """Points that a unit may lose by losing a round by so much: it crumbles, or breaks and is caught."""
    from .command import discipline, rallied
    from .model_rules import every

    rnf = state.rnf(unit) or state.members(unit)[0]
    if every(state, unit, "t9a.rule.unstable"):
        return max(0.0, beaten_by - (1 if rallied(state, unit) else 0)) * per_point(rnf)
    less = beaten_by
    if ranks > theirs:
        less = 0 if ranks >= 4 else min(2.0, beaten_by)
    p = passes(max(0, int(discipline(state, unit).total - less)))
    if rallied(state, unit):
        p = again(p)
    return (1 - p) * 0.75 * price(state, unit)


class Fight(NamedTuple):
    """Two units of a combat, a friend and a foe: whether either has charged in, and by a flank or the rear."""

    unit: Unit
    foe: Unit
    charging: bool = False
    charged: bool = False
    flank: bool = False
    flanked: bool = False


def clash(state: State, unit: Unit, foe: Unit, charging: bool, flank: bool) -> float:
    """What a round of combat may bring in points: losses of both, and what the result does to the loser."""
    return combat(state, [Fight(unit, foe, charging, False, flank)])


def combat(state: State, fights: Sequence[Fight], known: dict[tuple[str, str, bool], float] | None = None) -> float:
    """The same of a combat of several units: who faces two foes strikes at one or the other, all share the score, and
    each loser tests for itself. `known` keeps what blows take while nobody falls."""
    known = {} if known is None else known

    def blows(unit: Unit, foe: Unit, charging: bool) -> float:
        key = unit.id, foe.id, charging
        if key not in known:
            known[key] = harm(state, unit, foe, charging)
        return known[key]

    sides: tuple[dict[str, Unit], dict[str, Unit]] = ({}, {})
    for fight in fights:
        sides[0][fight.unit.id] = fight.unit
        sides[1][fight.foe.id] = fight.foe
    lost: dict[str, float] = {}
    score = [0.0, 0.0]
    held: dict[str, int] = {}
    for fight in fights:
        dealt = blows(fight.unit, fight.foe, fight.charging) / sum(f.unit.id == fight.unit.id for f in fights)
        taken = blows(fight.foe, fight.unit, fight.charged) / sum(f.foe.id == fight.foe.id for f in fights)
        if fight.flank:
            taken *= 0.4
            held[fight.foe.id] = max(held.get(fight.foe.id, 0), full_ranks(state, fight.unit))
        if fight.flanked:
            dealt *= 0.4
            held[fight.unit.id] = max(held.get(fight.unit.id, 0), full_ranks(state, fight.foe))
        lost[fight.foe.id] = lost.get(fight.foe.id, 0.0) + dealt
        lost[fight.unit.id] = lost.get(fight.unit.id, 0.0) + taken
    value = 0.0
    ranks: list[dict[str, int]] = [{}, {}]
    for n, units in enumerate(sides):
        for unit in units.values():
            soldiers = combat_odds.target_of(state, unit)
            fallen = min(lost[unit.id], float(soldiers.hp))
            score[1 - n] += fallen
            taken = fallen * per_point(soldiers)
            if fallen >= ALL * soldiers.hp:
                taken += price(state, unit) - points_of(state, unit)
            value += taken if n else -taken
            ranks[n][unit.id] = max(0, full_ranks(state, unit) - held.get(unit.id, 0))
            score[n] += sum(p.standard + p.bearer for p in state.members(unit))
        score[n] += min(4, max(ranks[n].values()))
    score[0] += any(f.charging for f in fights) + 2 * any(f.flank for f in fights)
    score[1] += any(f.charged for f in fights) + 2 * any(f.flanked for f in fights)
    loser = 0 if score[0] < score[1] else 1
    beaten = score[1 - loser] - score[loser]
    if beaten > 0:
        most = max(ranks[1 - loser].values())
        for unit in sides[loser].values():
            left = max(0.0, 1.0 - lost[unit.id] / max(1, combat_odds.target_of(state, unit).hp))
            taken = left * steadfast(state, unit, beaten, ranks[loser][unit.id], most)
            value += taken if loser else -taken
    return value


ALL = 0.9
"""Who is expected to lose so great a part of a unit may well lose the whole of it."""


def fights_about(state: State, foe: Unit) -> list[Fight]:
    """The combat that a foe is in, as it will be when the charges declared by now have arrived."""
    found: list[Fight] = []
    known = {foe.id}
    queue = [foe]
    while queue:
        enemy = queue.pop(0)
        for pair in state.pairs_of(enemy.id):
            friend = state.units[pair.other(enemy.id)]
            found.append(
                Fight(friend, enemy, flank=pair.face(enemy.id) != "front", flanked=pair.face(friend.id) != "front")
            )
            for key in state.foes(friend.id):
                if key not in known:
                    known.add(key)
                    queue.append(state.units[key])
        for unit in state.table(1 - enemy.side):
            if unit.target == enemy.id and not state.engaged(unit.id):
                flank = charge_moves.target_facing(state, unit, enemy) != "front"
                found.append(Fight(unit, enemy, True, flank=flank))
    return found


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


def arrival(state: State, unit: Unit, gap: float) -> float:
    """The chance of a charge over such a distance to arrive."""
    return carries(charge_speed(state, unit), maximised(state, unit), charge_moves.inches_needed(gap))


def maximised(state: State, unit: Unit) -> int:
    return sum(step for step, _ in charge_moves.maximised(state, unit))


@functools.cache
def carries(speed: int, net: int, inches: int) -> float:
    """The chance of a charge range of so many inches."""
    return charge_range(speed, net).at_least(inches)


def brings(state: State, unit: Unit, foe: Unit) -> float | None:
    """What the round after a charge brings in points, by its exact odds; None where others fight there too."""
    outlook = combat_odds.of_charge(state, unit, foe)
    if outlook is None:
        return None
    values = []
    both = (unit, foe)
    for n, whose in enumerate(both):
        pool = combat_odds.target_of(state, whose)
        lost = outlook.lost[n].mean * per_point(pool)
        left = max(0.0, points_of(state, whose) - lost)
        away = outlook.breaks[n] - outlook.caught[n]
        gone = outlook.caught[n] + outlook.destroyed[n]
        values.append(lost + outlook.caught[n] * left + away * 0.5 * left + gone * trophy(state, whose, both[1 - n]))
    return values[1] - values[0]


def trophy(state: State, fallen: Unit, by: Unit) -> float:
    """What it means for the Bounty that a unit is destroyed in melee by another."""
    won = scoring(state, fallen) and scoring(state, by)
    return markers(state, by.side, fallen.spoils + won)


def adds(state: State, unit: Unit, foe: Unit, flank: bool) -> float:
    """What the charge of a unit brings in points: of a foe on whom others fall too what it adds to that."""
    others = fights_about(state, foe)
    if not others:
        return clash(state, unit, foe, True, flank)
    return combat(state, [*others, Fight(unit, foe, True, flank=flank)]) - combat(state, others)


def prospect(state: State, unit: Unit, foe: Unit, exact: bool = False) -> float:
    """What a charge may bring, by the chance to arrive."""
    arrives = arrival(state, unit, between(box(state, unit), box(state, foe)))
    if foe.shaken:
        return arrives * price(state, foe)
    flank = charge_moves.target_facing(state, unit, foe) != "front"
    told = brings(state, unit, foe) if exact and not fights_about(state, foe) else None
    value = adds(state, unit, foe, flank) if told is None else told
    value -= better_to_do(state, unit)
    if value < 0:
        return value
    return arrives * value - (1 - arrives) * 15.0


def better_to_do(state: State, unit: Unit) -> float:
    """Who shoots far, or is a wizard by itself, has something better to do than to fight; and nobody is to be held up
    by whom it cannot hurt while there are others to charge."""
    rnf = state.rnf(unit)
    casts = rnf is None and any(pool.spells for pool in state.members(unit))
    if casts or shoots(state, unit) > 12:
        return 0.25 * points_of(state, unit)
    return HELD_UP * points_of(state, unit) if state.turn < LAST_TURN else 0.0


HELD_UP = 0.05


def together(state: State, unit: Unit, other: Unit, foe: Unit) -> float:
    """What two charges on one foe bring, by the chances that both arrive or only one does."""
    fights = []
    chances = []
    for one in (unit, other):
        chances.append(arrival(state, one, between(box(state, one), box(state, foe))))
        fights.append(Fight(one, foe, True, flank=charge_moves.target_facing(state, one, foe) != "front"))
    p, q = chances
    value = p * q * combat(state, fights)
    value += p * (1 - q) * combat(state, fights[:1]) + (1 - p) * q * combat(state, fights[1:])
    return value - better_to_do(state, unit) - better_to_do(state, other)


def nearest_foe(state: State, unit: Unit) -> tuple[float, Unit] | None:
    here = box(state, unit)
    foes = [(between(here, box(state, foe)), foe.id) for foe in state.table(1 - unit.side)]
    if not foes:
        return None
    gap, key = min(foes)
    return gap, state.units[key]


def shoots(state: State, unit: Unit) -> int:
    """The longest range of its shooting weapons."""
    from .weapons import weapon_of

    return max(
        (
            weapon_of(part, key).range
            for pool in state.members(unit)
            for part in pool.profile.parts
            for key in part.weapons
            if weapon_of(part, key).shooting
        ),
        default=0,
    )


def charges_left(state: State, side: int) -> int:
    """How many charge phases a side has yet to come."""
    return LAST_TURN - state.turn + int(state.active != side and state.first != side)


LAST_TURN = 6


def flight(state: State, unit: Unit, charger: Unit) -> float:
    """What it costs in points to flee from a charge: it may be caught or leave the table, and is shaken if not."""
    from .command import discipline
    from .model_rules import every
    from .psychology import decimated

    cx, cy = box(state, charger).centre
    here = box(state, unit)
    x, y = here.centre
    far = math.hypot(x - cx, y - cy) or 1.0
    edge = math.inf
    for at, way, most in ((x, (x - cx) / far, state.field.width), (y, (y - cy) / far, state.field.depth)):
        if abs(way) > 1e-9:
            edge = min(edge, ((most if way > 0 else 0.0) - at) / way)
    edge -= here.d / 2
    gap = between(box(state, charger), here)
    ran = summed(2, int(every(state, unit, "t9a.rule.swiftstride")))
    lost = math.fsum(
        p * (1.0 if inches >= edge else arrival(state, charger, gap + inches)) for inches, p in ran.items()
    )
    if every(state, unit, "t9a.rule.emplaced") or all(decimated(state, pool) for pool in state.members(unit)):
        lost = 1.0
    if "t9a.rule.feigned-flight" in state.members(unit)[0].profile.names:
        after = 0.05
    else:
        after = 0.15 + 0.5 * (1.0 - passes(int(discipline(state, unit).total)))
    shaken = after * points_of(state, unit) + markers(state, 1 - unit.side, unit.spoils)
    return lost * price(state, unit) + (1.0 - lost) * shaken


FEAR = 0.8
"""How often a charge that may be made is made."""
FAR = 18.0
"""Hardly anybody charges further."""


class Fears:
    """What may be charged from a place, and by whom one may be charged there, in points."""

    def __init__(self, state: State, unit: Unit) -> None:
        self.state, self.unit = state, unit
        self.here = box(state, unit)
        self.told: dict[tuple[tuple[str, bool, bool], ...], float] = {}
        self.known: dict[tuple[str, str, bool], float] = {}
        self.charges = charges_left(state, unit.side) > 0
        self.charged = charges_left(state, 1 - unit.side) > 0
        self.reach = charge_speed(state, unit), maximised(state, unit)
        self.foes = [
            (foe, box(state, foe), charge_speed(state, foe), maximised(state, foe))
            for foe in state.table(1 - unit.side)
            if not state.engaged(foe.id)
        ]

    def fought(self, *foes: tuple[str, bool, bool]) -> float:
        """What a round against these brings: each with whether it is charged, and whether in the flank."""
        if foes not in self.told:
            units = self.state.units
            self.told[foes] = combat(
                self.state,
                [
                    Fight(self.unit, units[key], True, flank=flank)
                    if mine
                    else Fight(self.unit, units[key], charged=True, flanked=flank)
                    for key, mine, flank in foes
                ],
                self.known,
            )
        return self.told[foes]

    def of(self, x: float, y: float, facing: float) -> float:
        at = box_at(x, y, facing, self.here.w, self.here.d)
        chance = 0.0
        threats: list[tuple[float, tuple[str, bool, bool]]] = []
        for foe, there, speed, net in self.foes:
            if math.hypot(there.x - x, there.y - y) > FAR + (at.w + there.w) / 2 + at.d + there.d:
                continue
            gap = between(at, there)
            if gap > FAR:
                continue
            inches = charge_moves.inches_needed(gap)
            if self.charges and at.local(foe.x, foe.y)[1] > 0:
                flank = arc_of(there, x, y) != "front"
                chance = max(chance, carries(*self.reach, inches) * self.fought((foe.id, True, flank)))
            if self.charged and not foe.shaken and there.local(x, y)[1] > 0:
                arrives = carries(speed, net, inches)
                if arrives:
                    threats.append((arrives, (foe.id, False, arc_of(at, foe.x, foe.y) != "front")))
        return chance - FEAR * self.danger(threats)

    def danger(self, threats: list[tuple[float, tuple[str, bool, bool]]]) -> float:
        """The worst that one of them may do, or the two most likely to arrive may do together."""
        worst = 0.0
        for arrives, foe in threats:
            worst = max(worst, -arrives * self.fought(foe))
        if len(threats) > 1:
            (p, one), (q, other) = sorted(threats, reverse=True)[:2]
            both = -self.fought(one, other)
            worst = max(worst, p * q * both - p * (1 - q) * self.fought(one) - (1 - p) * q * self.fought(other))
        return worst
