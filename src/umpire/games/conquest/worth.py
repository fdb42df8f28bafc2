"""How good a position is for a side: victory points and those to come, what is left of the armies, who faces whom."""

from __future__ import annotations

import math
from collections.abc import Iterable

from umpire.engine.rng import Rng
from umpire.miniatures.worth import worth_of
from umpire.space.angles import heading, turn_between

from . import ranked
from .profiles import Zone
from .state import Regiment, State

POINT = 60.0
"""A victory point, in points of regiments."""
ARMY = 0.5
BROKEN = 0.55
"""What a broken regiment is still worth."""
TOWARDS_ZONE = 0.012
"""What an inch nearer to a zone adds to a regiment, as a share of its points."""
TOWARDS_ENEMY = 0.006
STRIKE = 0.5
ARRIVED = 0.1
"""What a regiment on the table is worth more than one that waits."""


def terms(state: State, side: int) -> dict[str, float]:
    """What the worth of a position is made of."""
    army = 0.0
    mine: list[Regiment] = []
    theirs: list[Regiment] = []
    for regiment in state.regiments.values():
        if regiment.where == "gone":
            continue
        has = ARMY * left(regiment)
        if regiment.where == "table" or regiment.where == "garrison":
            (mine if regiment.side == side else theirs).append(regiment)
            has *= 1 + ARRIVED
        army += has if regiment.side == side else -has
    points = float(state.score[side] - state.score[1 - side])
    for who, sign in ((side, 1), (1 - side, -1)):
        points += sign * state.scenario.kills * state.tallies.get(f"{who}/destroyed", 0)
        points += sign * state.scenario.warlord * state.tallies.get(f"{who}/warlord", 0)
    held, ways = _zones(state, side, mine, theirs)
    return {"score": POINT * points + held, "army": army, "position": ways + _striking(mine, theirs)}


worth = worth_of(terms, sum)


START, END = 0.01, 0.36
"""How much a lead counts, in roots of an army's points, when a battle begins and at its end: fitted to battles between
equals (docs/players.md)."""


def swing(state: State) -> float:
    """The lead at which the odds to win are e to one."""
    points = sum(regiment.points for regiment in state.regiments.values()) / 2
    return math.sqrt(points) / (START + (END - START) * min(1.0, state.round / state.scenario.rounds))


def left(regiment: Regiment) -> float:
    """What is left of a regiment, in points."""
    wounds = sum(stand.wounds for stand in regiment.stands)
    whole = max(1, regiment.start)
    share = (len(regiment.stands) - wounds / max(1, regiment.profile.wounds)) / whole
    return regiment.points * min(1.2, share) * (BROKEN if regiment.broken else 1.0)


def _zones(state: State, side: int, mine: list[Regiment], theirs: list[Regiment]) -> tuple[float, float]:
    """Zones that would be held, and what the way to the rest takes away."""
    rounds = max(1, state.scenario.rounds - state.round + 1)
    held = ways = 0.0
    wanted: list[tuple[float, float, float]] = []
    for zone in state.scenario.zones:
        x, y, reach = middle(zone)
        own, seizing = _presence(mine, x, y, reach)
        others, contesting = _presence(theirs, x, y, reach)
        soon = 1.0 if state.round >= zone.first_round else 0.6
        if own > others and seizing:
            held += POINT * zone.worth[side] * 0.35 * min(rounds, 4) * soon * min(1.0, 0.7 + 0.1 * (own - others))
        elif others > own and contesting:
            held -= POINT * zone.worth[1 - side] * 0.35 * min(rounds, 4) * soon
        if own <= others + 2:
            wanted.append((x, y, reach))
    for regiment in mine if wanted else ():
        cx, cy = ranked.centre(regiment)
        far = min(max(0.0, math.hypot(cx - x, cy - y) - reach) for x, y, reach in wanted)
        weight = 0.4 if regiment.profile.klass == "light" else 1.0
        ways -= TOWARDS_ZONE * weight * regiment.points * far
    return held, ways


def middle(zone: Zone) -> tuple[float, float, float]:
    """A zone's middle, and about how far it reaches."""
    if not zone.points:
        return zone.x, zone.y, zone.radius
    xs, ys = [p[0] for p in zone.points], [p[1] for p in zone.points]
    return sum(xs) / len(xs), sum(ys) / len(ys), min(max(xs) - min(xs), max(ys) - min(ys)) / 2


def _presence(regiments: Iterable[Regiment], x: float, y: float, reach: float) -> tuple[int, int]:
    """About how many stands are in a zone, and how many of those can seize it."""
    total = seizing = 0
    for regiment in regiments:
        if regiment.where != "table" or regiment.broken:
            continue
        cx, cy = ranked.centre(regiment)
        if math.hypot(cx - x, cy - y) < reach + 1.0:
            count = len(regiment.stands) * (3 if regiment.profile.type == "monster" else 1)
            total += count
            if regiment.profile.klass != "light":
                seizing += count
    return total, seizing


def _striking(mine: list[Regiment], theirs: list[Regiment]) -> float:
    """What regiments could do to each other from where they stand, and who stays too far to matter."""
    total = 0.0
    for regiment in mine:
        nearest = 99.0
        cx, cy = ranked.centre(regiment)
        for foe in theirs:
            fx, fy = ranked.centre(foe)
            gap = math.hypot(cx - fx, cy - fy)
            reach = regiment.profile.march + 6.0
            if gap < nearest:
                nearest = gap
                ahead = abs(turn_between(regiment.facing, heading(fx - cx, fy - cy))) < 45.0
            if gap < reach:
                close = 1.0 if gap < 5.0 else 0.4
                total += STRIKE * close * (_blow(regiment, foe) - 0.7 * _blow(foe, regiment))
        if theirs:
            total -= TOWARDS_ENEMY * regiment.points * min(30.0, max(0.0, nearest - 5.0))
            total += 0.01 * regiment.points * ahead
    return total


def _blow(regiment: Regiment, foe: Regiment) -> float:
    """What a regiment takes from another in a clash, in points, about."""
    profile, other = regiment.profile, foe.profile
    attacks = profile.attacks * min(len(regiment.stands), regiment.files + 2)
    wounds = attacks * min(5, profile.clash) / 6 * (1 - min(5, max(other.defense, other.evasion)) / 6)
    if regiment.broken:
        wounds *= 0.5
    per_wound = foe.points / max(1, foe.start * other.wounds)
    return ARMY * per_wound * min(wounds * 1.3, len(foe.stands) * other.wounds)


def guess(state: State, side: int, rng: Rng) -> None:
    """The opponent's stack in some order, of the cards that can still be in it; what he keeps in his hand stays
    unknown, and what he has still to choose from is any hand."""
    for other in (0, 1):
        if other == side:
            continue
        count = len(state.stacks[other])
        waiting = [r.entry for r in state.regiments.values() if r.side == other and not r.activated]
        waiting += [c.entry for c in state.characters.values() if c.side == other and not c.activated]
        state.stacks[other] = (rng.shuffled(sorted(waiting)) + ["?"] * count)[:count]
        deck = [card.id for card in state.secondary[other] for _ in range(card.copies)]
        state.hands[other] = rng.shuffled(deck)[: len(state.hands[other])] if state.round == 0 else []
        state.decks[other] = []
        state.scored[other] = []
