"""Chapter 6: Press the Attack: regiments that lost contact are moved back into it (conquest.morale.press-attack.*).

The places at which a regiment that does not turn touches an enemy are the edges of the moves that bring one of its
blocks onto his. Along each of them intervals are taken: where it would overlap something, touch somebody new, or where
something is in the way of a straight move there; and over intervals each stand of either side is engaged. Of what is
left the nearest place with most engaged stands is where a stretch ends, where one of these intervals does, or the foot
of the start: finitely many places, and if none of them will do, none does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import pick
from umpire.engine.steps import Steps
from umpire.rulebook.deciding import decides
from umpire.space import spans
from umpire.space.moving import Go, sweep
from umpire.space.ranks.fronts import Pose
from umpire.space.shapes import Point, convex_hull

from . import formation, ranked, table, ways_out, wounds
from .formation import TOUCH
from .state import Regiment, State

HAIR = 0.001
"""How far inside an interval its end is tried."""
BEYOND = 1000.0


class Fight(NamedTuple):
    """A regiment of the active player in contact, with whom, and how many stands of both were engaged."""

    regiment: str
    enemies: tuple[str, ...]
    engaged: int


class Before(NamedTuple):
    """A regiment of the active player and whom it is in contact with, as they stood before casualties."""

    regiment: Regiment
    enemies: list[Regiment]


def fights(state: State, side: int) -> list[Before]:
    """The active side's regiments in contact, before casualties."""
    found = []
    for regiment in state.on_table(side):
        enemies = formation.enemies_in_contact(state, regiment)
        if enemies:
            found.append(Before(msgspec.structs.replace(regiment), [msgspec.structs.replace(e) for e in enemies]))
    return found


def engaged(state: State, regiment: Regiment, enemies: list[Regiment]) -> int:
    """Engaged stands of both sides."""
    own = sum(any(formation.stand_touches(state, regiment, s, e) for e in enemies) for s in regiment.stands)
    return own + sum(formation.stand_touches(state, e, s, regiment) for e in enemies for s in e.stands)


def stranded(state: State, before: list[Before]) -> list[Fight]:
    """Fights of regiments that touch no enemy any more, though one of theirs is still on the table."""
    return [
        Fight(regiment.id, tuple(e.id for e in enemies), engaged(state, regiment, enemies))
        for regiment, enemies in before
        if state.regiment(regiment.id).where == "table"
        and not formation.in_contact(state, state.regiment(regiment.id))
        and any(state.regiment(e.id).on_table for e in enemies)
    ]


@decides("conquest.morale.press-attack.no-impact")
def press_the_attack(battle: Battle[State], side: int, before: list[Before]) -> Steps[None]:
    """Stranded regiments are moved back into contact, one at a time (conquest.morale.press-attack.step)."""
    state = battle.state
    done = 0
    failed: list[str] = []
    while True:
        left = [fight for fight in stranded(state, before) if fight.regiment not in failed]
        if not left:
            return
        keys = [fight.regiment for fight in left]
        choice = yield from pick(side, "ask.press", keys, "conquest.morale.press-attack.step")
        fight = left[keys.index(choice)]
        regiment = state.regiment(fight.regiment)
        spot = pressed(state, regiment, fight)
        if spot is None:
            failed.append(fight.regiment)
            battle.emit(
                "not-pressed",
                "conquest.morale.press-attack.impossible",
                "conquest.morale.stranded.definition",
                regiment=regiment.id,
            )
            continue
        ranked.put(regiment, spot)
        done += 1
        failed.clear()
        battle.emit(
            "pressed",
            "conquest.morale.stranded.definition",
            "conquest.morale.press-attack.step",
            "conquest.morale.press-attack.keep-contact",
            regiment=regiment.id,
            x=regiment.x,
            y=regiment.y,
        )


def pressed(state: State, regiment: Regiment, fight: Fight) -> Pose | None:
    """The nearest of the places in contact with its former enemies at which most stands are engaged again."""
    enemies = [state.regiment(e) for e in fight.enemies if state.regiment(e).on_table]
    found = [pushed_to(state, regiment, enemy, fight, table.shortest(state, regiment, enemy)) for enemy in enemies]
    ways = [push for push in found if push is not None]
    # Nothing is nearer than the shortest way, but others may engage more stands.
    if not ways or -min(ways)[0] < fight.engaged:
        for enemy in enemies:
            pushes = (
                pushed_to(state, regiment, enemy, fight, way) for way in ways_to_touch(state, regiment, enemy, fight)
            )
            ways += [push for push in pushes if push is not None]
    return min(ways)[2] if ways else None


def ways_to_touch(state: State, regiment: Regiment, enemy: Regiment, fight: Fight) -> Iterator[Point]:
    """Straight moves that bring a regiment against an enemy: all that can be the best."""
    own = [block.corners() for block in ranked.blocks(regiment)]
    his = [ring for thing in formation.body(state, enemy) for ring in ways_out.rings(thing)]
    taken = list(_taken(state, regiment, fight, own))
    held = list(_engaging(state, regiment, fight))
    for part in own:
        for ring in his:
            moves = spans.differences(part, ring)
            for (px, py), (qx, qy) in zip(moves, (*moves[1:], moves[0]), strict=True):
                length = math.hypot(qx - px, qy - py)
                if length < HAIR:
                    continue
                ux, uy = (qx - px) / length, (qy - py) / length
                bars = [bar for ring, room in taken if (bar := _bar(px, py, ux, uy, ring, room)) is not None]
                ends = [0.0, length, -(px * ux + py * uy)]
                for ring in held:
                    bar = _bar(px, py, ux, uy, ring, TOUCH)
                    if bar is not None:
                        ends += [bar.low + HAIR, bar.high - HAIR]
                for span in spans.free(0.0, length, bars):
                    tries = [min(max(end, span.low), span.high) for end in (*ends, span.low + HAIR, span.high - HAIR)]
                    for at in dict.fromkeys(tries):
                        yield px + ux * at, py + uy * at


def _bar(px: float, py: float, ux: float, uy: float, moves: Sequence[Point], room: float) -> spans.Bar | None:
    """Where along a line a move is among some moves, or nearer to them than that."""
    found = spans.along(((px, py),), ux, uy, moves, room)
    return None if found is None else spans.Bar(*found)


def _taken(
    state: State, regiment: Regiment, fight: Fight, own: Sequence[Sequence[Point]]
) -> Iterator[tuple[Sequence[Point], float]]:
    """Moves that a regiment may not make: onto something or past it, off the table, or up to somebody new."""
    new = state.applies("conquest.morale.press-attack.no-new-enemy")
    things: list[tuple[Sequence[Point], bool]] = [(off.ring, False) for off in table.edges(state)]
    for other in state.on_table():
        if other is not regiment:
            stranger = new and other.side != regiment.side and other.id not in fight.enemies
            things += [(ring, stranger) for thing in formation.body(state, other) for ring in ways_out.rings(thing)]
    things += [(ring, False) for piece in state.terrain if piece.solid for ring in ways_out.rings(piece.thing)]
    for part in own:
        for ring, stranger in things:
            moves = spans.differences(part, ring)
            if stranger:
                yield moves, TOUCH
            # What it overlaps by less than touching may be left, but not be gone deeper into.
            moves = spans.inset(moves, max(0.0, -spans.gap(part, ring)))
            yield convex_hull([*moves, *((x * BEYOND, y * BEYOND) for x, y in moves)]), 0.0


def _engaging(state: State, regiment: Regiment, fight: Fight) -> Iterator[Sequence[Point]]:
    """Moves that bring a stand onto one of the former enemies' stands, for each two."""
    for enemy in (state.regiment(e) for e in fight.enemies if state.regiment(e).on_table):
        if enemy.where == "garrison":
            theirs = [ring for thing in formation.body(state, enemy) for ring in ways_out.rings(thing)]
        else:
            theirs = [formation.stand_base(enemy, stand).corners() for stand in enemy.stands]
        for stand in regiment.stands:
            corners = formation.stand_base(regiment, stand).corners()
            yield from (spans.differences(corners, ring) for ring in theirs)


def pushed_to(
    state: State, regiment: Regiment, enemy: Regiment, fight: Fight, way: tuple[float, float]
) -> tuple[int, float, Pose] | None:
    """Where a straight push leads: engaged stands (negative), how far, the place; None if something is in the way or a
    new enemy would be touched."""
    dx, dy = way
    start = ranked.pose(regiment)
    obstacles = table.obstacles(state, regiment, start, (dx * dx + dy * dy) ** 0.5, bare=enemy.id)
    result = sweep(ranked.blocks(regiment), (Go(dx, dy),), obstacles.things, 0.0)
    if result.hit is not None and obstacles.names[result.hit] != enemy.id:
        return None
    there = msgspec.structs.replace(regiment, x=start[0] + dx, y=start[1] + dy)
    now = formation.enemies_in_contact(state, there)
    count = engaged(state, there, now)
    new = state.applies("conquest.morale.press-attack.no-new-enemy") and any(e.id not in fight.enemies for e in now)
    clean = now and not new and wounds.fits(state, there)
    return (-min(count, fight.engaged), dx * dx + dy * dy, (start[0] + dx, start[1] + dy, start[2])) if clean else None
