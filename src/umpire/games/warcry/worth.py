"""How good a position is for a side: victory points and those to come, fighters, and where its own fighters stand."""

from __future__ import annotations

import math
from functools import lru_cache
from math import copysign, sqrt
from typing import NamedTuple

from umpire.games.warcry import prospects
from umpire.games.warcry.battleplan import place_in_half, quarter_leads, quarter_of, score
from umpire.games.warcry.cards import (
    Score,
    ScoreCarried,
    ScoreFelled,
    ScoreHeights,
    ScoreHome,
    ScoreLeader,
    ScoreMostObjectives,
    ScoreObjectives,
    ScoreQuarters,
    ScoreSurvivors,
    ScoreTally,
    ScoreTerritory,
    VictoryCard,
)
from umpire.games.warcry.objectives import CONTROL
from umpire.games.warcry.prospects import strikes
from umpire.games.warcry.state import Fighter, Objective, State, to_spot
from umpire.games.warcry.treasure import REACH
from umpire.space import nets
from umpire.space.shapes import TOLERANCE

ARMY = 1000.0
"""All that a battle is about, in points of fighters: as much as a warband."""
BODY = 0.7
"""The share of a fighter's points that it is worth as long as it stands; the rest goes with its wounds."""
LAST = 0.5
"""What fighters are worth in the last round, when they only serve to score."""
CARRIED = 60.0
SET = 3.0
"""Ability dice are not to be thrown away."""
TOWARDS_ENEMY = 1.2
"""What an inch nearer to where an enemy can be attacked is worth."""
TOWARDS_MARK = 2.0
INSIDE = 0.5
"""How deep in a quarter is surely in it."""
FAR = 30.0
MONSTER_ACTIVATIONS = 3
READY = 0.75
"""How much of an attack that a fighter could make counts, if it is still to be activated in this round."""
LATER = 0.3
FEAR = 1.2
"""How much of an enemy's threat is feared: who lets the enemy come strikes first."""
DISTRACTED = 0.5
"""Where there is something to be held, enemies are sought less."""
HELD = 1.3
CLEAR = 200.0
"""A lead in points of fighters left that is hardly lost again."""
HOLD_BACK = 0.2
"""Who leads where only blood scores need not seek the enemy."""
OVER = 5000.0

Spot = tuple[float, float]

BOUNTY = (ScoreTally, ScoreFelled, ScoreLeader)
"""The lines of a victory condition that reward taking an enemy down."""


def worth(state: State, side: int) -> float:
    """The position in points of fighters: what a side has, less what the other has, and how its own are placed."""
    if state.outcome is not None:
        return 0.0 if state.outcome.winner is None else OVER if state.outcome.winner == side else -OVER
    return sum(terms(state, side).values())


def terms(state: State, side: int) -> dict[str, float]:
    """What the worth of a position is made of."""
    army = 0.0
    for fighter in state.fighters:
        if fighter.where == "down":
            continue
        profile = fighter.profile
        has = profile.points * (BODY + (1.0 - BODY) * (1.0 - fighter.damage / profile.wounds))
        if fighter.carrying:
            has += CARRIED
        army += has if fighter.side == side else -has
    mine, other = state.players[side], state.players[1 - side]
    card = state.victory
    if card is not None and state.round >= card.rounds:
        army *= LAST
    army += SET * (len(mine.sets) - len(other.sets))
    point = point_of(card)
    points = point * (mine.points - other.points) + _coming(state, side)
    ahead = points >= 0.6 * point
    return {"score": points, "army": army, "position": _places(state, side, ahead) + _threats(state, side)}


START, END = 0.0531, 0.1769
"""How much a lead counts, in roots of an army's points, when a battle begins and at its end: fitted to battles between
equal planners (docs/players.md)."""


def swing(state: State) -> float:
    """The lead at which the odds to win are e to one."""
    points = sum(fighter.profile.points for fighter in state.fighters) / 2
    rounds = state.victory.rounds if state.victory else 4
    return sqrt(points) / (START + (END - START) * min(1.0, state.round / rounds))


# -- victory points ----------------------------------------------------------------------------------------------


def point_of(card: VictoryCard | None) -> float:
    """A victory point, in points of fighters: the fewer there are to be had, the more each is worth."""
    return 120.0 if card is None else _point_of(card.score, card.rounds)


@lru_cache(64)
def _point_of(lines: tuple[Score, ...], rounds: int) -> float:
    return max(60.0, min(250.0, ARMY / sum(_to_be_had(entry, rounds) for entry in lines)))


def _to_be_had(entry: Score, rounds: int) -> float:
    """About how many points a line of a victory condition gives in a battle."""
    times = rounds if entry.when == "round" else 1
    match entry:
        case ScoreObjectives() | ScoreQuarters() | ScoreCarried() | ScoreHome() | ScoreFelled():
            return 2.0 * entry.each * times
        case ScoreTerritory():
            return 4.0 * entry.each
        case _:
            return float(entry.points * times)


def _coming(state: State, side: int) -> float:
    """The victory points that would be scored if nothing changed any more, as far as that is likely."""
    card = state.victory
    if card is None:
        return 0.0
    later = max(0, card.rounds - state.round)
    ready = [0, 0]
    fielded = 1
    for fighter in state.fighters:
        if fighter.where == "field":
            fielded += 1
            ready[fighter.side] += not fighter.activations
    now = 1.0 - 0.5 * sum(ready) / fielded
    total = 0.0
    for entry in card.score:
        sure = now + 0.35 * later if entry.when == "round" else (now if not later else 0.6 / (1 + later))
        if isinstance(entry, ScoreObjectives):
            total += entry.each * sure * _held(state, side, entry.awake)
        elif isinstance(entry, ScoreMostObjectives):
            total += entry.points * sure * max(-1.0, min(1.0, 0.6 * _held(state, side, False)))
        elif isinstance(entry, ScoreQuarters):
            total += entry.each * sure * sum(map(_hold, _quarters(state, side)))
        elif isinstance(entry, ScoreSurvivors):
            left = [sum(f.profile.points for f in state.on_field(who)) for who in (side, 1 - side)]
            total += entry.points * sure * max(-1.0, min(1.0, (left[0] - left[1]) / CLEAR))
        elif isinstance(entry, ScoreTally):
            total += entry.points * _lead(state, side, 0, ready)
        elif isinstance(entry, ScoreHeights):
            high = [sum(f.z > TOLERANCE for f in state.on_field(who)) for who in (side, 1 - side)]
            total += entry.points * sure * max(-1.0, min(1.0, 0.6 * (high[0] - high[1])))
        else:
            gained = score(state, entry)
            # Who is down stays down.
            sure = 1.0 if isinstance(entry, ScoreFelled | ScoreLeader) else sure
            total += sure * (gained[side] - gained[1 - side])
    return point_of(card) * total


def _lead(state: State, side: int, more: float, ready: list[int]) -> float:
    """How surely a side leads in points of enemies taken down in this round, from -1 to 1, with `more` added; the fewer
    of the fighters who could still change it are ready, the surer."""
    lead = state.players[side].tally - state.players[1 - side].tally + more
    return max(-1.0, min(1.0, lead / (30.0 + 15.0 * ready[1 - side if lead > 0 else side])))


def bounties(state: State, enemies: list[Fighter]) -> list[tuple[Fighter, float]]:
    """Enemies, each with what it is worth to take it down besides what it is worth itself."""
    card = state.victory
    lines = [entry for entry in card.score if isinstance(entry, BOUNTY)] if card else []
    if not lines:
        return [(enemy, 0.0) for enemy in enemies]
    ready = [sum(not fighter.activations for fighter in state.on_field(side)) for side in (0, 1)]
    point = point_of(card)
    return [(enemy, point * math.fsum(_bounty(state, entry, enemy, ready) for entry in lines)) for enemy in enemies]


def bounty(state: State, enemy: Fighter) -> float:
    return bounties(state, [enemy])[0][1]


def _bounty(state: State, entry: Score, enemy: Fighter, ready: list[int]) -> float:
    """The victory points that a line of the victory condition promises for an enemy taken down."""
    match entry:
        case ScoreTally():
            side = 1 - enemy.side
            lead = _lead(state, side, enemy.profile.points, ready) - _lead(state, side, 0, ready)
            return entry.points * lead
        case ScoreFelled():
            return float(entry.each * all(enemy.profile.has(mark) for mark in entry.runemarks))
        case ScoreLeader():
            return float(entry.points * enemy.leader)
    return 0.0


def _held(state: State, side: int, awake: bool) -> float:
    """Objectives that a side would hold, less those of the other."""
    total = 0.0
    for objective in state.objectives:
        if awake and not objective.awake:
            continue
        lead = lead_at(state, side, objective)
        if lead:
            total += _hold(lead)
        elif objective.owner >= 0:
            total += 0.7 if objective.owner == side else -0.7
    return total


def _hold(lead: int) -> float:
    """What is held counts as more than what once was held and has nobody at it; negative, if by the other side."""
    return copysign(HELD, lead) if lead else 0.0


def _quarters(state: State, side: int) -> list[int]:
    """How many more fighters than the other a side has in each quarter."""
    return [lead if side == 0 else -lead for lead in quarter_leads(state)]


def lead_at(state: State, side: int, objective: Objective) -> int:
    """How many more fighters than the other a side has at an objective."""
    lead = 0
    for fighter in state.fighters:
        if fighter.where == "field":
            dx = fighter.x - objective.x
            reach = CONTROL + fighter.profile.base / 50.8
            if -reach <= dx <= reach and to_spot(fighter, objective.x, objective.y, objective.z) <= CONTROL + TOLERANCE:
                lead += 1 if fighter.side == side else -1
    return lead


# -- places ------------------------------------------------------------------------------------------------------


def near_enough(fighter: Fighter, reach: float) -> float:
    """How near the middle of a fighter must come to a marker to be surely within reach of it."""
    return fighter.profile.base / 50.8 + reach - 0.4


class Quarters(NamedTuple):
    """The quarters of the battlefield, as one side has need of fighters there."""

    state: State
    leads: list[int]

    def wanted(self, fighter: Fighter) -> list[Spot]:
        """The nearest places in quarters that a fighter would gain; none, if its own would be lost."""
        here = quarter_of(self.state, fighter)
        if self.leads[here] <= 1:
            return []
        x, y = self.state.layout.width / 2, self.state.layout.depth / 2
        found: list[Spot] = []
        for quarter in range(4):
            if self.leads[quarter] <= 0:
                right, beyond = quarter % 2, quarter // 2
                found.append(
                    (
                        max(fighter.x, x + INSIDE) if right else min(fighter.x, x - INSIDE),
                        max(fighter.y, y + INSIDE) if beyond else min(fighter.y, y - INSIDE),
                    )
                )
        return found

    def far(self, fighter: Fighter) -> float | None:
        return min([sqrt((fighter.x - x) ** 2 + (fighter.y - y) ** 2) for x, y in self.wanted(fighter)], default=None)


def wanted_quarters(state: State, side: int) -> Quarters | None:
    """Where fighters are wanted, if quarters score."""
    card = state.victory
    if card is None or not any(isinstance(entry, ScoreQuarters) for entry in card.score):
        return None
    return Quarters(state, _quarters(state, side))


def wanted_half(state: State, fighter: Fighter) -> Spot | None:
    """The nearest place in the half of the battlefield in which a fighter scores: the enemy's, where it is to break
    through, its own, if it brings treasure home."""
    for entry in state.victory.score if state.victory else ():
        if isinstance(entry, ScoreTerritory):
            return place_in_half(state, fighter, 1 - fighter.side)
        if isinstance(entry, ScoreHome) and fighter.carrying:
            return place_in_half(state, fighter, fighter.side)
    return None


class _Ways:
    """How far fighters of a side are from enemies and markers, on foot and up walls."""

    def __init__(self, state: State, side: int) -> None:
        self.state = state
        self.enemies = [(f.x, f.y) for f in state.fighters if f.side != side and f.where == "field"]
        self.treasures = [(t.x, t.y) for t in state.treasures if not t.carrier]
        marks = [o for o in state.objectives if o.awake]
        self.low = [(o.x, o.y) for o in marks if o.z <= prospects.IN_REACH]
        self.high = [o for o in marks if o.z > prospects.IN_REACH]
        entries = state.victory.score if state.victory else ()
        self.climb = any(isinstance(entry, ScoreHeights) for entry in entries)
        self.land = any(isinstance(entry, ScoreTerritory | ScoreQuarters) for entry in entries)
        self.quarters = wanted_quarters(state, side)
        self._fields: dict[tuple[float, float, str], tuple[nets.Net, nets.Field]] = {}

    def afoot(self, fighter: Fighter, which: str, goals: list[Spot], near: float = 0.0) -> float:
        """How far it is to some places, or to where they are so near."""
        key = (fighter.profile.base, fighter.profile.height, which)
        found = self._fields.get(key)
        if found is None:
            net = prospects.net_of(self.state.layout, fighter.profile)
            field = nets.field_around(net, goals, near) if near else nets.field_of(net, goals)
            found = self._fields[key] = (net, field)
        far = nets.distance(*found, fighter.x, fighter.y)
        if far < nets.FAR:
            return far
        # Too big for every gap, or walled in: as the crow flies, and then some.
        return 1.5 * sqrt(min((fighter.x - x) ** 2 + (fighter.y - y) ** 2 for x, y in goals))

    def to_mark(self, fighter: Fighter) -> float | None:
        """How far a fighter is from the nearest marker that it could use; None if there is none."""
        if self.quarters:
            return self.quarters.far(fighter)
        if (half := wanted_half(self.state, fighter)) is not None:
            return sqrt((fighter.x - half[0]) ** 2 + (fighter.y - half[1]) ** 2)
        if self.treasures and not fighter.carrying:
            return self.afoot(fighter, "treasures", self.treasures, near_enough(fighter, REACH))
        found = [self.afoot(fighter, "low", self.low, near_enough(fighter, CONTROL))] if self.low else []
        for mark in self.high:
            flat = sqrt((fighter.x - mark.x) ** 2 + (fighter.y - mark.y) ** 2)
            if fighter.flies or abs(fighter.z - mark.z) <= prospects.IN_REACH:
                found.append(flat)
            elif ways := prospects.ways(self.state.layout, fighter, mark.x, mark.y, mark.z):
                found.append(mark.z + self.afoot(fighter, mark.id, [climb.foot for climb in ways]))
        if self.climb:
            if fighter.z > TOLERANCE:
                return 0.0
            if climbs := prospects.climbs(self.state.layout, fighter):
                found.append(3.0 + self.afoot(fighter, "climbs", [climb.foot for climb in climbs]))
        return min(found, default=None)


def _places(state: State, side: int, ahead: bool) -> float:
    """Near enemies and markers is where things happen. Only the side's own fighters count: where the others stand is
    theirs to choose."""
    ways = _Ways(state, side)
    blood = not (state.objectives or state.treasures or ways.climb or ways.land)
    seek = TOWARDS_ENEMY * ((HOLD_BACK if ahead else 1.0) if blood else DISTRACTED)
    total = 0.0
    for fighter in state.fighters:
        if fighter.side != side or fighter.where != "field":
            continue
        if ways.enemies:
            reach = max(weapon.range for weapon in fighter.profile.weapons) + 1.0
            total -= seek * min(FAR, max(0.0, ways.afoot(fighter, "enemies", ways.enemies) - reach))
        far = ways.to_mark(fighter)
        if far is not None:
            total -= TOWARDS_MARK * min(FAR, max(0.0, far - 0.7))
    return total


# -- threats -----------------------------------------------------------------------------------------------------


def stake(fighter: Fighter, felled: float, hurt: float) -> float:
    """What is lost of a fighter that falls with a chance and loses so many wounds in the mean."""
    profile = fighter.profile
    return profile.points * (BODY * felled + (1.0 - BODY) * hurt / profile.wounds)


def _threats(state: State, side: int) -> float:
    """The best attack that every fighter has from where it stands, or after one move; those yet to be activated count
    more, those that have been can still strike in the next round."""
    sides: tuple[list[Fighter], list[Fighter]] = ([], [])
    for fighter in state.fighters:
        if fighter.where == "field":
            sides[fighter.side].append(fighter)
    later = LATER if state.victory is None or state.round < state.victory.rounds else 0.0
    total = 0.0
    for who in (side, 1 - side):
        foes = bounties(state, sides[1 - who])
        for fighter in sides[who]:
            actions = actions_left(fighter)
            weight = READY if actions else later
            if weight:
                best = weight * best_threat(fighter, foes, actions or 2)
                total += best if who == side else -FEAR * best
    return total


def actions_left(fighter: Fighter) -> int:
    """The actions that a fighter may still take in this round."""
    if fighter.monster:
        return max(0, MONSTER_ACTIVATIONS - fighter.activations)
    return 1 if fighter.waiting else 0 if fighter.activations else 2


def best_threat(fighter: Fighter, foes: list[tuple[Fighter, float]], actions: int) -> float:
    """The most that a fighter's actions would take from one of some enemies, each with the bounty on it."""
    profile = fighter.profile
    radius, move = profile.base / 50.8, profile.move
    arms = tuple([(w.range, w.attacks, w.strength, *w.damage) for w in profile.weapons])
    most = max([arm[0] for arm in arms]) + move + radius
    x, y, z = fighter.x, fighter.y, fighter.z
    best = 0.0
    for foe, prize in foes:
        dx, dy = foe.x - x, foe.y - y
        other = foe.profile
        rim = other.base / 50.8
        far, square = most + rim, dx * dx + dy * dy
        if square > far * far:
            continue
        gap = sqrt(square) - radius - rim
        lift = abs(foe.z - z)
        for reach, blows in strikes(arms, other.toughness, other.wounds - foe.damage):
            there = gap <= reach and lift <= reach
            times = actions if there else actions - 1 if gap <= reach + move else 0
            if times > 0:
                felled, hurt = blows[times - 1]
                found = stake(foe, felled, hurt) + felled * prize
                if found > best:
                    best = found
    return best
