"""What damage may do to a fighter, and what a move leaves to chance: deep jumps, deadly walls, where it ends."""

from __future__ import annotations

from umpire.games.warcry.damage import best_ward
from umpire.games.warcry.dice import passes
from umpire.games.warcry.falling import fall_at_the_end, falls, impact_points, impacts, on_open_edge, on_steps
from umpire.games.warcry.legs import Trace
from umpire.games.warcry.state import Fighter, State
from umpire.odds import D6, Dist, faces
from umpire.odds.telling import Odds, chance, fact, number, told
from umpire.text import Text, both


def left_of(fighter: Fighter) -> int:
    return fighter.profile.wounds - fighter.damage


def warded(state: State, fighter: Fighter, damage: Dist) -> Dist:
    """The damage points that a fighter's ward leaves."""
    ward = best_ward(state, fighter)
    if ward is None:
        return damage
    return damage.thin(faces(6, lambda face: passes(face, int(ward.value)))[False])


def harm(fighter: Fighter, damage: Dist) -> tuple[Odds, Odds, Odds]:
    """What damage points do to a fighter."""
    return (
        number("odds.warcry.mean-damage", damage.mean),
        chance("odds.warcry.taken-down", damage.at_least(left_of(fighter))),
        chance("odds.warcry.no-damage", damage.at_most(0)),
    )


def risk_of_move(state: State, fighter: Fighter, way: Trace, limit: float, found: bool) -> Odds | None:
    """What a legal move risks; of one that was found for a goal also its legs and cost. None where nothing is risked
    and nothing was found."""
    ends = way.ending(fighter)
    drops = fall_at_the_end(state, ends) if way.legs else ()
    rolls = len(impacts(state, way)) + bool(drops) + ("warcry.terrain.unclimbable-end" in drops)
    deadly = sum(leg.deadly for leg in way.legs)
    edge = bool(way.legs) and (on_open_edge(state, ends) or on_steps(state, ends))
    if not rolls and not deadly and not edge and not found:
        return None
    lines: list[Odds] = []
    title = "odds.warcry.risk"
    if found:
        title = "odds.warcry.way"
        for leg in way.legs:
            if leg.cost >= 0.005 or leg.drop:
                lines.append(fact(both(Text(leg.how), "warcry"), f"{leg.cost:.2f}"))
        lines.append(fact("odds.warcry.total", f"{way.cost:.2f} / {limit:g}"))
    if drops:
        lines.append(chance("odds.warcry.falls-where-it-ends", 1.0))
    elif edge:
        lines.append(chance("odds.warcry.if-it-is-hurt-there", faces(6, falls)[True]))
    if not rolls and not deadly:
        return told(title, *lines)
    hurt = warded(state, fighter, D6.map(impact_points).times(rolls) + D6.times(deadly))
    return told(title, *lines, *harm(fighter, hurt), damage=hurt)
