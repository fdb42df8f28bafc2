"""An enemy in the way of a charge's end is moved aside (conquest.charge.align.push-interferer)."""

from __future__ import annotations

import math

from umpire.space import spans
from umpire.space.angles import normal, rotate
from umpire.space.places import Keep, nearest_of
from umpire.space.ranks.fronts import Pose
from umpire.space.shapes import Point

from . import formation, ranked, ways_out, wounds
from .contact import CORNER, Contact
from .state import Regiment, State

INCH = 1.0


def ways_aside(state: State, charger: Regiment, contact: Contact, other: Regiment) -> list[Pose]:
    """Where an interfering enemy comes to be 1" from the charger at the end of this charge: the shortest way, or those
    as short. None: nowhere on the table has he room."""
    start = ranked.pose(other)
    own = [block.corners() for block in ranked.blocks(charger, contact.end)]
    his = [block.corners() for block in ranked.blocks(other)]
    board, keeps = _board(state), _keeps(state, charger, other, own)
    # Mostly it is near, and little is near there.
    boxes = ([(-far, -far), (far, -far), (far, far), (-far, far)] for far in (2.0, 5.0))
    tries = (nearest_of(his, board, keeps, (0.0, 0.0), box) for box in (*boxes, None))
    nearest = next((spot for spot in tries if spot is not None), None)
    if nearest is None:
        return []
    found = [(math.hypot(*nearest), (start[0] + nearest[0], start[1] + nearest[1], start[2]))]
    before = ranked.pose(charger)
    charger.x, charger.y, charger.facing = contact.end
    # Of ways as short there can be several only straight off a side of either.
    turns = [normal(facing + turn) for facing in (contact.end[2], start[2]) for turn in (90.0, 270.0, 0.0, 180.0)]
    for direction in dict.fromkeys(round(d, 3) for d in turns):
        ux, uy = rotate(0.0, 1.0, direction)
        bars = [spans.along(part, ux, uy, ring, INCH) for part in his for ring in own]
        far = max((bar[1] for bar in bars if bar is not None), default=0.0)
        end = (start[0] + ux * far, start[1] + uy * far, start[2])
        if not 0.0 < far <= found[0][0] + CORNER or any(math.dist(end[:2], one[:2]) <= CORNER for _, one in found):
            continue
        other.x, other.y = end[:2]
        if wounds.fits(state, other):
            found.append((far, end))
        other.x, other.y = start[:2]
    charger.x, charger.y, charger.facing = before
    return [end for _, end in found]


def _board(state: State) -> list[Point]:
    w, d = state.scenario.width, state.scenario.depth
    return [(0.0, 0.0), (w, 0.0), (w, d), (0.0, d)]


def _keeps(state: State, charger: Regiment, other: Regiment, own: list[tuple[Point, ...]]) -> list[Keep]:
    """What he is to stand clear of: the charger where the charge ends, everybody else, solid terrain."""
    keeps = [Keep(ring, INCH) for ring in own]
    for one in state.on_table():
        if one is not charger and one is not other:
            keeps += [Keep(ring) for thing in formation.body(state, one) for ring in ways_out.rings(thing)]
    return keeps + [Keep(ring) for piece in state.terrain if piece.solid for ring in ways_out.rings(piece.thing)]
