"""What the planner thinks of charges: whether one is worth its risk, and what may be charged from a place or may charge
there."""

from __future__ import annotations

import functools
import itertools
import math

from umpire.space.ranks.blocks import box_at

from . import aligning, charge_moves, combat_odds
from .characteristics import charge_speed
from .combat_worth import LAST_TURN, Fight, Known, bounty, combat, kept, markers, points_of, price
from .formation import Box, arc_of, box, facing_of
from .model_rules import every
from .questions import charge_range, passes, summed
from .spacing import between, clear_of, impassable
from .state import State, Unit
from .worth import terms


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


def arrival(state: State, unit: Unit, gap: float) -> float:
    """The chance of a charge over such a distance to arrive."""
    return carries(charge_speed(state, unit), maximised(state, unit), charge_moves.inches_needed(gap))


def flush(state: State, unit: Unit, foe: Unit) -> bool:
    """May a charge as it stands end flush with a foe?"""
    if not arrival(state, unit, charge_moves.gap_to(state, unit, foe)) or not charge_moves.sees(state, unit, foe, None):
        return False
    faces = charge_moves.target_facings(state, unit, foe)
    return any(aligning.possible(state, unit, foe, face, False) for face in faces)


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
        lost = kept(state, pool, pool.hp) - kept(state, pool, max(0.0, pool.hp - outlook.lost[n].mean))
        left = max(0.0, points_of(state, whose) - lost)
        away = outlook.breaks[n] - outlook.caught[n]
        gone = outlook.caught[n] + outlook.destroyed[n]
        values.append(
            lost + outlook.caught[n] * left + away * 0.5 * left + gone * bounty(state, whose, both[1 - n :][:1])
        )
    return values[1] - values[0]


def goes_on(state: State, unit: Unit, foe: Unit, flank: bool, known: Known | None) -> float:
    """What the rounds after the first bring, as far as is expected."""
    known = {} if known is None else known
    fight = [Fight(unit, foe, True, flank=flank)]
    return combat(state, fight, known) - combat(state, fight, known, rounds=1)


def adds(state: State, unit: Unit, foe: Unit, flank: bool, known: Known | None = None) -> float:
    """What the charge of a unit brings in points: of a foe on whom others fall too what it adds to that."""
    known = {} if known is None else known
    others = [fight for fight in fights_about(state, foe) if fight.unit.id != unit.id]
    both = combat(state, [*others, Fight(unit, foe, True, flank=flank)], known)
    return both - combat(state, others, known) if others else both


def prospect(state: State, unit: Unit, foe: Unit, exact: bool = False, known: Known | None = None) -> float:
    """What a charge may bring, by the chance to arrive."""
    arrives = arrival(state, unit, between(box(state, unit), box(state, foe)))
    if foe.shaken:
        return arrives * price(state, foe)
    flank = charge_moves.target_facing(state, unit, foe) != "front"
    told = brings(state, unit, foe) if exact and not fights_about(state, foe) else None
    value = adds(state, unit, foe, flank, known) if told is None else told + goes_on(state, unit, foe, flank, known)
    value += spared(state, unit, foe, known) - better_to_do(state, unit)
    if value < 0:
        return value
    return arrives * value - (1 - arrives) * 15.0


def spared(state: State, unit: Unit, foe: Unit, known: Known | None) -> float:
    """What the foe might else have done by its own charge, in points."""
    if state.engaged(foe.id) or charges_left(state, foe.side) < 1:
        return 0.0
    arrives = arrival(state, foe, between(box(state, unit), box(state, foe)))
    return FEAR * arrives * max(0.0, -combat(state, [Fight(unit, foe, charged=True)], known)) if arrives else 0.0


def better_to_do(state: State, unit: Unit) -> float:
    """Who shoots far, or is a wizard by itself, has something better to do than to fight; and nobody is to be held up
    by whom it cannot hurt while there are others to charge."""
    rnf = state.rnf(unit)
    casts = rnf is None and any(pool.spells for pool in state.members(unit))
    if casts or shoots(state, unit) > 12:
        return 0.25 * points_of(state, unit)
    return HELD_UP * points_of(state, unit) if state.turn < LAST_TURN else 0.0


HELD_UP = 0.03


def together(state: State, unit: Unit, other: Unit, foe: Unit, known: Known | None = None) -> float:
    """What two charges on one foe bring, by the chances that both arrive or only one does."""
    fights = []
    chances = []
    for one in (unit, other):
        chances.append(arrival(state, one, between(box(state, one), box(state, foe))))
        fights.append(Fight(one, foe, True, flank=charge_moves.target_facing(state, one, foe) != "front"))
    p, q = chances
    known = {} if known is None else known
    value = p * q * combat(state, fights, known)
    value += p * (1 - q) * combat(state, fights[:1], known) + (1 - p) * q * combat(state, fights[1:], known)
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


def flight(state: State, unit: Unit, charger: Unit) -> float:
    """What it costs in points to flee from a charge: it may be caught or leave the table, and is shaken if not."""
    from .command import discipline
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


FEAR, CAREFUL = 0.4, 0.8
"""How often a charge that may arrive is made; who is far ahead reckons with more, for he need not take risks."""
AHEAD = 0.25
"""So great a part of the army is far ahead."""


def fear(state: State, side: int) -> float:
    lead = math.fsum(terms(state, side).values())
    return FEAR + (CAREFUL - FEAR) * max(0.0, min(1.0, lead / (AHEAD * state.size)))


FAR = 18.0
"""Hardly anybody charges further."""


STANDS = 0.7
"""How often who fights now still does when it may be charged."""


def ahead_of(at: Box, other: Box) -> bool:
    """Is some corner of another, or the middle of it, in the front arc of a unit?"""
    return any(arc_of(at, x, y) == "front" for x, y in (other.centre, *other.corners()))


STILL, TURNED = 1.0, 0.97
"""Who moves by no more than so many inches, and turns by no more than that cosine, stands as it stood."""


Foe = tuple[str, bool, bool]
"""An enemy to fight, whether it is charged (or charges), and whether in a flank."""


class Fears:
    """What may be charged from a place, and by whom one may be charged there, in points."""

    def __init__(self, state: State, unit: Unit) -> None:
        self.state, self.unit = state, unit
        self.here = box(state, unit)
        self.told: dict[tuple[Foe, ...], float] = {}
        self.known: Known = {}
        self.fear = fear(state, unit.side)
        self.charges = charges_left(state, unit.side) > 0
        self.charged = charges_left(state, 1 - unit.side) > 0
        self.reach = charge_speed(state, unit), maximised(state, unit)
        self.foes = [
            (foe, box(state, foe), charge_speed(state, foe), maximised(state, foe))
            for foe in state.table(1 - unit.side)
        ]
        self.busy = {foe.id: {pair.face(foe.id) for pair in state.pairs_of(foe.id)} for foe, *_ in self.foes}
        """On which facings each of them is engaged: there is hardly room for one more there."""
        self.helps: dict[tuple[str, bool], float] = {}
        self.walls = [] if every(state, unit, "t9a.rule.fly") else impassable(state)

    @functools.cached_property
    def shut(self) -> set[str]:
        """Whom it cannot charge from where it stands, near as they are: somebody or something is in the way."""
        near = [foe for foe, there, *_ in self.foes if between(self.here, there) <= FAR and ahead_of(self.here, there)]
        return {foe.id for foe in near if not flush(self.state, self.unit, foe)}

    def reaches(self, at: Box, foe: Unit, there: Box) -> bool:
        """May a foe be charged from a place, as far as is quickly seen?"""
        if not ahead_of(at, there):
            return False
        stays = (
            math.hypot(at.x - self.here.x, at.y - self.here.y) < STILL
            and at.ux * self.here.ux + at.uy * self.here.uy > TURNED
        )
        if stays and foe.id in self.shut:
            return False
        if not self.walls:
            return True
        x, y = there.centre
        lane = box_at(x, y, facing_of(x - at.x, y - at.y), 0.5 * at.w, math.hypot(x - at.x, y - at.y))
        return all(clear_of(lane.corners(), wall.points, 0.0) for wall in self.walls)

    def fought(self, *foes: Foe) -> float:
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

    def joined(self, foe: Unit, flank: bool) -> float:
        """What it brings to charge somebody who fights already."""
        key = foe.id, flank
        if key not in self.helps:
            self.helps[key] = STANDS * adds(self.state, self.unit, foe, flank, self.known)
        return self.helps[key]

    def of(self, x: float, y: float, facing: float) -> float:
        at = box_at(x, y, facing, self.here.w, self.here.d)
        chance = 0.0
        threats: list[tuple[float, Foe]] = []
        for foe, there, speed, net in self.foes:
            if math.hypot(there.x - x, there.y - y) > FAR + (at.w + there.w) / 2 + at.d + there.d:
                continue
            gap = between(at, there)
            if gap > FAR:
                continue
            inches = charge_moves.inches_needed(gap)
            if self.charges and self.reaches(at, foe, there):
                face = arc_of(there, x, y)
                if face not in self.busy[foe.id]:
                    flank = face != "front"
                    won = self.joined(foe, flank) if self.busy[foe.id] else self.fought((foe.id, True, flank))
                    chance = max(chance, carries(*self.reach, inches) * won)
            if self.charged and not self.busy[foe.id] and not foe.shaken and ahead_of(there, at):
                arrives = carries(speed, net, inches)
                if arrives:
                    threats.append((arrives, (foe.id, False, arc_of(at, foe.x, foe.y) != "front")))
        return chance - self.danger(threats)

    def danger(self, threats: list[tuple[float, Foe]]) -> float:
        """What the charges of some foes cost: of the worst few each arrives or not."""
        told = sorted(((arrives, foe) for arrives, foe in threats), key=lambda t: (t[0] * self.fought(t[1]), t[1]))
        cost = 0.0
        for here in itertools.product((True, False), repeat=len(told[:WORST])):
            chance = math.prod(
                self.fear * p if came else 1.0 - self.fear * p for (p, _), came in zip(told, here, strict=False)
            )
            foes = [foe for (_, foe), came in zip(told, here, strict=False) if came]
            if foes:
                cost += chance * max(0.0, -self.fought(*foes))
        return cost


WORST = 3
"""Of so many who may charge it is weighed who arrives."""
