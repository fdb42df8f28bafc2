"""Garrison terrain (chapter 10): occupying, leaving, and what happens when a garrison is wiped out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Move, Option, pick, pieces
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.space.angles import heading, turn_between
from umpire.space.moving import Go, sweep
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Pose
from umpire.space.shapes import TOLERANCE

from . import drill, formation, manoeuvres, march, ranked, reform, table, ways_out, ways_up
from .activation import end_actions
from .drill import Manoeuvre
from .hooks import action, forbids, granted, moment_of
from .mover import Marcher
from .profiles import Terrain
from .state import Regiment, State

OCCUPIED = "occupied"
CONTACT = 0.003
"""How near a March must end to the piece that is to be occupied; paths are written to a thousandth."""
PASS = "pass"


def occupant(state: State, piece: Terrain) -> Regiment | None:
    return next((r for r in state.regiments.values() if r.where == "garrison" and r.garrison == piece.id), None)


def who_reasons(state: State, regiment: Regiment, piece: Terrain) -> list[Reason]:
    """Only infantry, no more stands than the Capacity, and no Phalanx."""
    facts: dict[str, Any] = {"regiment": regiment.id, "terrain": piece.id}
    reasons: list[Reason] = []
    if regiment.profile.type != "infantry":
        reasons.append(Reason("conquest.terrain.garrison.who", facts=facts))
    if len(regiment.stands) > piece.capacity:
        facts = {**facts, "stands": len(regiment.stands), "capacity": piece.capacity}
        reasons.append(Reason("conquest.terrain.garrison.over-capacity", facts=facts))
    barred = granted(state, regiment, "no-garrison")
    if barred:
        reasons.append(Reason(barred, facts=facts))
    return reasons


def enter_reasons(state: State, regiment: Regiment, piece: Terrain) -> list[Reason]:
    reasons = who_reasons(state, regiment, piece)
    if occupant(state, piece) is not None:
        reasons.append(Reason("conquest.terrain.garrison.enter", facts={"terrain": piece.id}))
    return reasons


# -- going in ------------------------------------------------------------------------------------------------------


def way_in(battle: Battle[State], regiment: Regiment, piece: Terrain) -> list[Manoeuvre] | None:
    """A March that brings the regiment into contact with the piece: straight on, sideways, backwards or after a wheel,
    if any of these does."""
    state = battle.state
    limit, _ = march.march_value(battle, regiment, "occupy")
    thing = piece.thing
    here = ranked.pose(regiment)
    if fronts.gap(ranked.blocks(regiment), (thing,)) > limit + TOLERANCE:
        return None

    def fits(path: list[Manoeuvre]) -> bool:
        return not way_reasons(battle, regiment, piece, path, limit)

    straight = next((path for path in likely_ways(regiment, here, piece, limit) if fits(path)), None)
    if straight is not None:
        return straight
    flying = bool(granted(state, regiment, "fly"))
    around = table.obstacles(
        state, regiment, here, limit, inch=True, through_friends=True, flying=flying, bare=piece.id
    )
    gaps = table.kept_gaps(around, ranked.blocks(regiment))
    stops = [
        off
        for one, name, gap in zip(around.things, around.names, gaps, strict=True)
        if name != piece.id
        for off in ways_out.keep_off((one,), [gap])
    ]
    friends = [ways_out.Off(block.corners()) for other, _ in around.near for block in ranked.blocks(other)]
    return ways_up.ways_to(ranked.shape(regiment), here, limit, list(ways_out.rings(thing)), friends, stops, fits)


def likely_ways(regiment: Regiment, here: Pose, piece: Terrain, limit: float) -> Iterator[list[Manoeuvre]]:
    """Straight on up to the piece, or after a wheel towards it: what mostly does."""
    x, y, _ = piece.circle
    wide = ranked.width(regiment)
    aim = round(turn_between(here[2], heading(x - here[0], y - here[1])), 1)
    for degrees in dict.fromkeys((0.0, aim, round(aim / 2, 1))):
        path = [drill.wheel(degrees)] if abs(degrees) > 0.05 else []
        left = limit - drill.cost(wide, path)
        if left < 0:
            continue
        _, turned = drill.legs_of(here, wide, path)
        run = drill.leg_of(turned, wide, drill.forward(left + 0.01))
        swept = sweep(ranked.blocks(regiment, turned), (run,), (piece.thing,), 0.0)
        if swept.hit is None or not isinstance(leg := swept.legs[0], Go):
            continue
        inches = min(left, round((leg.dx * leg.dx + leg.dy * leg.dy) ** 0.5, 3))
        yield [*path, drill.forward(inches)] if inches > 0 else path


def way_reasons(
    battle: Battle[State], regiment: Regiment, piece: Terrain, path: list[Manoeuvre], limit: float
) -> list[Reason]:
    """Why a March does not bring the regiment into a piece."""
    state, here = battle.state, ranked.pose(regiment)
    reasons = manoeuvres.distance_reasons(path, ranked.width(regiment), limit)
    run = march.trace(state, regiment, here, path, flying=bool(granted(state, regiment, "fly")), bare=piece.id)
    reasons += run.reasons
    if run.overlaps:
        reasons.append(Reason("conquest.regiment.legal-position.overlap", facts={"regiments": list(run.overlaps)}))
    if apart(run.end, piece, regiment):
        gap = fronts.gap(ranked.blocks(regiment, run.end), (piece.thing,))
        facts = {"terrain": piece.id, "gap": round(gap, 3)}
        reasons.append(Reason("conquest.terrain.garrison.enter", "reason.garrison.short", facts))
    return reasons


def meant(battle: Battle[State], regiment: Regiment, path: list[Manoeuvre], limit: float) -> Terrain | None:
    """The piece into which a March leads that would be refused if it were not meant to occupy it."""
    state = battle.state
    for piece in near_pieces(battle, regiment):
        _, end = drill.legs_of(ranked.pose(regiment), ranked.width(regiment), path)
        if apart(end, piece, regiment) or enter_reasons(state, regiment, piece):
            continue
        if not way_reasons(battle, regiment, piece, path, limit):
            return piece
    return None


def apart(where: Pose, piece: Terrain, regiment: Regiment) -> bool:
    """Is there a gap between the regiment at a place and the piece?"""
    return fronts.gap(ranked.blocks(regiment, where), (piece.thing,)) > CONTACT


def near_pieces(battle: Battle[State], regiment: Regiment) -> list[Terrain]:
    """Garrison pieces that its March might reach: a cheap look before measuring."""
    found = [piece for piece in battle.state.terrain if piece.kind == "garrison"]
    if not found or regiment.where != "table":
        return []
    limit = march.march_value(battle, regiment, "occupy")[0] + ranked.reach_of(regiment)
    near: list[Terrain] = []
    for piece in found:
        x, y, radius = piece.circle
        room = limit + radius
        if (regiment.x - x) ** 2 + (regiment.y - y) ** 2 <= room * room:
            near.append(piece)
    return near


def open_pieces(
    battle: Battle[State], regiment: Regiment, near: list[Terrain]
) -> Iterator[tuple[str, list[Manoeuvre]]]:
    """The pieces it may occupy with this March, and how it gets there: looked for one by one."""
    for piece in near:
        if not enter_reasons(battle.state, regiment, piece):
            path = way_in(battle, regiment, piece)
            if path is not None:
                yield piece.id, path


def why_not_occupy(battle: Battle[State], regiment: Regiment) -> Iterator[Reason]:
    near = near_pieces(battle, regiment)
    if next(open_pieces(battle, regiment, near), None) is not None:
        return
    reasons = [reason for piece in near for reason in enter_reasons(battle.state, regiment, piece)]
    yield from reasons or out_of_reach(battle, regiment)


def may_occupy(battle: Battle[State], regiment: Regiment) -> bool:
    """May it occupy anything? Sooner told than why not."""
    state = battle.state
    if regiment.profile.type == "infantry" and next(open_pieces(battle, regiment, near_pieces(battle, regiment)), None):
        return True
    return bool(state.without) and next(standing(state, why_not_occupy(battle, regiment)), None) is None


def out_of_reach(battle: Battle[State], regiment: Regiment) -> Iterator[Reason]:
    """No piece can be reached: how far each is, and how far it marches."""
    rule = "conquest.terrain.garrison.enter"
    pieces = [piece for piece in battle.state.terrain if piece.kind == "garrison"]
    if not pieces or regiment.where != "table":
        keys = {"table": "reason.garrison.none", "garrison": "reason.garrison.inside"}
        facts = {"regiment": regiment.id, "garrisons": len(pieces)}
        yield Reason(rule, keys.get(regiment.where, "reason.off-table"), facts)
        return
    limit, _ = march.march_value(battle, regiment, "occupy")
    for piece in pieces:
        far = fronts.gap(ranked.blocks(regiment), (piece.thing,))
        facts = {"terrain": piece.id, "distance": round(max(0.0, far), 3), "march": limit}
        yield Reason(rule, "reason.garrison.no-way" if far <= limit + TOLERANCE else "reason.garrison.reach", facts)


@action("occupy", "out", ("conquest.terrain.garrison.enter", "conquest.march.availability"), why_not_occupy, may_occupy)
@step
def occupy(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """A March into contact with an empty piece, by a way that its owner chooses."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    found = battle.know(lambda: dict(open_pieces(battle, regiment, near_pieces(battle, regiment))))
    rule = "conquest.terrain.garrison.enter"
    key = yield from pick(regiment.side, "ask.occupy", list(found), rule, regiment.id)
    limit, _ = march.march_value(battle, regiment, "occupy")
    piece = state.piece(key)
    mover = Marcher(
        regiment,
        ranked.pose(regiment),
        limit,
        lambda path: way_reasons(battle, regiment, piece, path, limit),
        lambda rng: {"path": found[key]},
    )
    answer = yield Move(regiment.side, "ask.way-in", mover, None, rule, regiment.id, {"path": found[key]})
    yield from go_in(battle, regiment, piece, mover.plan(answer).path)


def go_in(battle: Battle[State], regiment: Regiment, piece: Terrain, path: list[Manoeuvre]) -> Steps[None]:
    """It marches up to the piece, is taken off the table, and its activation ends."""
    rule = "conquest.terrain.garrison.enter"
    yield from march.carry_out(battle, regiment, path, "marched", rule)
    if regiment.where == "table":
        move_in(battle.state, regiment, piece)
        end_actions(battle.state)
        ends = "conquest.terrain.garrison.enter-ends"
        battle.emit("occupied", rule, ends, regiment=regiment.id, terrain=piece.id)


def move_in(state: State, regiment: Regiment, piece: Terrain) -> None:
    x, y, _ = piece.circle
    regiment.where, regiment.garrison = "garrison", piece.id
    regiment.x, regiment.y = x, y
    regiment.flags = (*regiment.flags, OCCUPIED)


def _kept_inside(deed: str) -> None:
    """What a regiment in garrison terrain cannot do: it moves only by leaving, and has no formation to change."""

    @forbids(deed)
    def inside(state: State, regiment: Regiment, **facts: Any) -> list[Reason]:
        if regiment.where != "garrison":
            return []
        return [Reason("conquest.terrain.garrison.leave.cost", "reason.garrison.inside", {"regiment": regiment.id})]


for _deed in ("march", "charge", "reform", "combat-reform", "withdraw", "occupy"):
    _kept_inside(_deed)


# -- wiped out -----------------------------------------------------------------------------------------------------


@moment_of("removed")
def wiped_out(battle: Battle[State], regiment: Regiment, **facts: Any) -> Steps[None]:
    """One enemy in contact may move in at once; the others may make a free Reform."""
    if not regiment.garrison:
        return
    state = battle.state
    piece = state.piece(regiment.garrison)
    thing = piece.thing
    near = [
        r
        for r in state.on_table(1 - regiment.side)
        if r.where == "table" and fronts.gap(ranked.blocks(r), (thing,)) <= formation.TOUCH
    ]
    able = [r for r in near if not enter_reasons(state, r, piece)]
    side = 1 - regiment.side
    chosen = PASS
    rule = "conquest.terrain.garrison.wiped-out"
    if able:
        options = [*pieces(r.id for r in able), Option(PASS)]
        chosen = yield Choose(side, "ask.move-in", options, rule, piece.id)
    if chosen != PASS:
        winner = state.regiment(chosen)
        move_in(state, winner, piece)
        if state.activation is not None and state.activation.regiment == winner.id:
            end_actions(state)
        again = "conquest.terrain.garrison.no-in-and-out"
        battle.emit("moved-in", rule, again, regiment=winner.id, terrain=piece.id)
    for other in near:
        if other.where == "table" and (chosen != PASS or other not in able):
            barred = [r.rule for r in who_reasons(state, other, piece)]
            yield from free_reform(battle, other, "conquest.terrain.garrison.wiped-out.reform", *barred)


def free_reform(battle: Battle[State], regiment: Regiment, *rules: str) -> Steps[None]:
    """A Reform that costs no action; leaving everything as it is declines it."""
    if formation.in_contact(battle.state, regiment):
        return
    limit, _ = march.march_value(battle, regiment, "reform")
    where, files, stands = yield from reform.ask_reform(
        battle, regiment, reform.all_alike(limit), "ask.free-reform", rules[0]
    )
    reform.take_formation(battle, regiment, where, files, stands, *rules)
