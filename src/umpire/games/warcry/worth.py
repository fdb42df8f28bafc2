"""How good a position is for a side: victory points first, then fighters, then where its own fighters stand."""

from __future__ import annotations

from math import sqrt

from umpire.games.warcry import walking
from umpire.games.warcry.battleplan import score
from umpire.games.warcry.cards import ScoreObjectives, ScoreTally
from umpire.games.warcry.objectives import CONTROL
from umpire.games.warcry.state import Fighter, State
from umpire.games.warcry.striking import strikes

POINT = 120.0
"""A victory point, in points of fighters."""
BODY = 0.4
"""The share of a fighter's points that it is worth as long as it stands; the rest goes with its wounds."""
CARRIED = 60.0
SET = 3.0
"""Ability dice are not to be thrown away."""
TOWARDS_ENEMY = 1.2
"""What an inch nearer to where an enemy can be attacked is worth."""
TOWARDS_MARK = 2.0
FAR = 30.0
MONSTER_ACTIVATIONS = 3
READY = 0.75
"""How much of an attack that a fighter could make counts, if it is still to be activated in this round."""
LATER = 0.3


def worth(state: State, side: int) -> float:
    """The position in points of fighters: what a side has, less what the other has, and how its own are placed."""
    if state.outcome is not None:
        if state.outcome.winner is None:
            return 0.0
        return 5000.0 if state.outcome.winner == side else -5000.0
    total = 0.0
    for fighter in state.fighters:
        if fighter.where == "down":
            continue
        profile = fighter.profile
        has = profile.points * (BODY + (1.0 - BODY) * (1.0 - fighter.damage / profile.wounds))
        if fighter.carrying:
            has += CARRIED
        total += has if fighter.side == side else -has
    players = state.players
    total += POINT * (players[side].points - players[1 - side].points)
    total += SET * (len(players[side].sets) - len(players[1 - side].sets))
    return total + _coming(state, side) + _places(state, side) + _threats(state, side)


def _coming(state: State, side: int) -> float:
    """The victory points that would be scored if nothing changed until the round ends."""
    card = state.victory
    if card is None:
        return 0.0
    left = max(0, card.rounds - state.round) + 1.0
    total = 0.0
    for entry in card.score:
        if isinstance(entry, ScoreObjectives):
            total += entry.each * POINT * 0.35 * left * _held(state, side, entry.awake)
        elif isinstance(entry, ScoreTally):
            total += entry.points * POINT * _lead(state, side, 0)
        else:
            gained = score(state, entry)
            total += POINT * (gained[side] - gained[1 - side]) * (left if entry.when == "round" else 1.0) * 0.5
    return total


def _lead(state: State, side: int, more: int) -> float:
    """How surely a side leads in points of enemies taken down in this round, from -1 to 1; `more` are still to come."""
    return max(-1.0, min(1.0, (state.players[side].tally - state.players[1 - side].tally + more) / 25.0))


def tally_worth(state: State, side: int, points: int) -> float:
    """What taking down an enemy of so many points is worth besides the enemy."""
    card = state.victory
    scored = sum(entry.points for entry in card.score if isinstance(entry, ScoreTally)) if card else 0
    return scored * POINT * (_lead(state, side, points) - _lead(state, side, 0)) if scored else 0.0


def _held(state: State, side: int, awake: bool) -> float:
    """Objectives that a side would hold, less those of the other; a lead of more than one fighter is surer."""
    total = 0.0
    for objective in state.objectives:
        if awake and not objective.awake:
            continue
        lead = 0
        for fighter in state.fighters:
            if fighter.where == "field":
                dx, dy = fighter.x - objective.x, fighter.y - objective.y
                reach = CONTROL + fighter.profile.base / 50.8
                if dx * dx + dy * dy <= reach * reach and abs(fighter.z - objective.z) <= CONTROL:
                    lead += 1 if fighter.side == side else -1
        if lead:
            total += max(-1.3, min(1.3, 1.0 * lead + (0.3 if lead > 0 else -0.3)))
        elif objective.owner >= 0:
            total += 0.7 if objective.owner == side else -0.7
    return total


def _places(state: State, side: int) -> float:
    """Near enemies and markers is where things happen. Only the side's own fighters count: where the others stand is
    theirs to choose."""
    enemies = [(f.x, f.y) for f in state.fighters if f.side != side and f.where == "field"]
    marks, treasures = _marks(state)
    fields: dict[tuple[walking.Net, int], walking.Field] = {}

    def far(fighter: Fighter, which: int, goals: list[tuple[float, float]]) -> float:
        net = walking.net_of(state.layout, fighter.profile.base)
        found = fields.get((net, which))
        if found is None:
            found = fields[net, which] = walking.field_of(net, goals)
        afoot = walking.distance(net, found, fighter.x, fighter.y)
        if afoot < walking.FAR:
            return afoot
        # Too big for every gap, or walled in: as the crow flies, and then some.
        return 1.5 * sqrt(min((fighter.x - x) ** 2 + (fighter.y - y) ** 2 for x, y in goals))

    total = 0.0
    for fighter in state.fighters:
        if fighter.side != side or fighter.where != "field":
            continue
        if enemies:
            reach = max(weapon.range for weapon in fighter.profile.weapons) + 1.0
            total -= TOWARDS_ENEMY * min(FAR, max(0.0, far(fighter, 0, enemies) - reach))
        if treasures and not fighter.carrying:
            total -= TOWARDS_MARK * min(FAR, max(0.0, far(fighter, 1, treasures) - 1.5))
        elif marks:
            total -= TOWARDS_MARK * min(FAR, max(0.0, far(fighter, 2, marks) - 1.5))
    return total


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
        kill = tally_worth(state, who, 60)
        for fighter in sides[who]:
            actions = _actions(fighter)
            weight = READY if actions else later
            if weight:
                found = (_threat(fighter, foe, kill if actions else 0.0, actions or 2) for foe in sides[1 - who])
                best = weight * max(found, default=0.0)
                total += best if who == side else -best
    return total


def _actions(fighter: Fighter) -> int:
    """The actions that a fighter may still take in this round."""
    if fighter.monster:
        return max(0, MONSTER_ACTIVATIONS - fighter.activations)
    return 1 if fighter.waiting else 0 if fighter.activations else 2


def _threat(fighter: Fighter, foe: Fighter, kill: float, actions: int) -> float:
    dx, dy = fighter.x - foe.x, fighter.y - foe.y
    gap = sqrt(dx * dx + dy * dy) - (fighter.profile.base + foe.profile.base) / 50.8
    best = 0.0
    for reach, blows in strikes(fighter, foe):
        times = actions if gap <= reach else actions - 1 if gap <= reach + fighter.profile.move else 0
        if times > 0:
            felled, hurt = blows[times - 1]
            best = max(best, stake(foe, felled, hurt) + felled * kill)
    return best


def _marks(state: State) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Objectives that can be held, and treasure that lies about."""
    return (
        [(o.x, o.y) for o in state.objectives if o.awake],
        [(t.x, t.y) for t in state.treasures if not t.carrier],
    )


def goals_of(state: State, fighter: Fighter) -> list[tuple[float, float]]:
    """Where a fighter might want to go: the nearest enemy, the nearest marker, then the next of each."""

    def nearest(spots: list[tuple[float, float]]) -> list[tuple[float, float]]:
        return sorted(spots, key=lambda spot: (spot[0] - fighter.x) ** 2 + (spot[1] - fighter.y) ** 2)

    enemies = nearest([(f.x, f.y) for f in state.enemies(fighter)])
    marks, treasures = _marks(state)
    lying = nearest(treasures if treasures and not fighter.carrying else marks)
    return [*enemies[:1], *lying[:1], *enemies[1:3], *lying[1:3]]
