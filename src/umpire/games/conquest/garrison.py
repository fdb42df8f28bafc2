"""Garrison terrain (chapter 10): occupying, leaving, and what happens when a garrison is wiped out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.space import spans
from umpire.space.angles import heading, normal, turn_between
from umpire.space.measure import on_table, separation
from umpire.space.moving import Go, sweep
from umpire.space.shapes import TOLERANCE, Point

from . import dressing, formation, manoeuvres, march, morale, reform, table, ways_out
from .activation import end_actions
from .formation import Pose
from .hooks import action, forbids, granted, moment_of
from .mover import formed_ends, formed_form
from .profiles import Terrain
from .state import Regiment, Stand, State

PUSH = 1.0
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


def way_in(battle: Battle[State], regiment: Regiment, piece: Terrain) -> list[manoeuvres.Manoeuvre] | None:
    """A March that brings the regiment into contact with the piece, if its distance allows one."""
    state = battle.state
    limit, _ = march.march_value(battle, regiment, "occupy")
    thing = piece.thing
    here = formation.pose(regiment)
    if formation.gap(formation.blocks(regiment), (thing,)) > limit + TOLERANCE:
        return None

    def fits(path: list[manoeuvres.Manoeuvre]) -> bool:
        traced = march.trace(state, regiment, here, path, bare=piece.id)
        return not traced.reasons and not traced.overlaps and not apart(traced.end, piece, regiment)

    x, y, _ = piece.circle
    wide = formation.width(regiment)
    aim = round(turn_between(here[2], heading(x - here[0], y - here[1])), 1)
    for degrees in dict.fromkeys((0.0, aim, round(aim / 2, 1))):
        path = [manoeuvres.wheel(degrees)] if abs(degrees) > 0.05 else []
        left = limit - manoeuvres.cost(wide, path)
        if left < 0:
            continue
        _, turned = manoeuvres.legs_of(here, wide, path)
        run = manoeuvres.leg_of(turned, wide, manoeuvres.forward(left + 0.01))
        swept = sweep(formation.blocks(regiment, turned), (run,), (thing,), 0.0)
        if swept.hit is None or not isinstance(leg := swept.legs[0], Go):
            continue
        inches = min(left, round((leg.dx * leg.dx + leg.dy * leg.dy) ** 0.5, 3))
        path = [*path, manoeuvres.forward(inches)] if inches > 0 else path
        traced = march.trace(state, regiment, here, path, bare=piece.id)
        if not traced.reasons and not traced.overlaps:
            return path
    around = table.obstacles(state, regiment, here, limit, inch=True, bare=piece.id)
    stops = [
        off
        for one, name, gap in zip(around.things, around.names, around.gaps, strict=True)
        if name != piece.id
        for off in ways_out.keep_off((one,), [gap])
    ]
    goal = list(ways_out.rings(thing))
    return next((path for path in ways_out.ways_to(regiment, here, limit, goal, stops) if fits(path)), None)


def apart(where: Pose, piece: Terrain, regiment: Regiment) -> bool:
    """Is there a gap between the regiment at a place and the piece?"""
    return formation.gap(formation.blocks(regiment, where), (piece.thing,)) > CONTACT


def near_pieces(battle: Battle[State], regiment: Regiment) -> list[Terrain]:
    """Garrison pieces that its March might reach: a cheap look before measuring."""
    found = [piece for piece in battle.state.terrain if piece.kind == "garrison"]
    if not found or regiment.where != "table":
        return []
    limit = march.march_value(battle, regiment, "occupy")[0] + formation.reach_of(regiment)
    near: list[Terrain] = []
    for piece in found:
        x, y, radius = piece.circle
        room = limit + radius
        if (regiment.x - x) ** 2 + (regiment.y - y) ** 2 <= room * room:
            near.append(piece)
    return near


def open_pieces(
    battle: Battle[State], regiment: Regiment, near: list[Terrain]
) -> dict[str, list[manoeuvres.Manoeuvre]]:
    """The pieces it may occupy with this March, and how it gets there."""
    found: dict[str, list[manoeuvres.Manoeuvre]] = {}
    for piece in near:
        if not enter_reasons(battle.state, regiment, piece):
            path = way_in(battle, regiment, piece)
            if path is not None:
                found[piece.id] = path
    return found


def why_not_occupy(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    near = near_pieces(battle, regiment)
    if open_pieces(battle, regiment, near):
        return []
    reasons = [reason for piece in near for reason in enter_reasons(battle.state, regiment, piece)]
    return reasons or [Reason("conquest.terrain.garrison.enter")]


@action("occupy", "out", ("conquest.terrain.garrison.enter", "conquest.march.availability"), why_not_occupy)
@step
def occupy(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """A March into contact with an empty piece; the regiment is taken off the table and its activation ends."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    found = open_pieces(battle, regiment, near_pieces(battle, regiment))
    key = next(iter(found))
    if len(found) > 1:
        options = [Option(name, refs=(name,)) for name in found]
        key = yield Choose(regiment.side, "ask.occupy", options, "conquest.terrain.garrison.enter", regiment.id)
    yield from march.carry_out(battle, regiment, found[key], "marched", "conquest.terrain.garrison.enter")
    if regiment.where == "table":
        move_in(state, regiment, state.piece(key))
        end_actions(state)
        battle.emit(
            "occupied",
            "conquest.terrain.garrison.enter",
            "conquest.terrain.garrison.enter-ends",
            regiment=regiment.id,
            terrain=key,
        )


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


# -- coming out ----------------------------------------------------------------------------------------------------


class Exit(NamedTuple):
    """A place outside: the middle of the front edge, files, and the way out from the piece."""

    where: Pose
    files: int
    away: tuple[float, float]


def exits(state: State, regiment: Regiment, piece: Terrain) -> Iterator[Exit]:
    """Places with the rear, or one end, against a side of the piece: an even spread to look through."""
    w, d = regiment.profile.stand
    count = len(regiment.stands)
    points = list(piece.points)
    ways = outward(points)
    for files in formation.files_allowed(regiment):
        deep = -(-count // files) * d
        for k, (bx, by) in enumerate(points):
            ax, ay = points[k - 1]
            mx, my = (ax + bx) / 2, (ay + by) / 2
            nx, ny = ways[k]
            out = normal(heading(nx, ny))
            for slide in (0.0, -1.5, 1.5):
                sx, sy = mx + ny * slide, my - nx * slide
                yield Exit((sx + nx * deep, sy + ny * deep, out), files, (nx, ny))
                yield Exit((sx, sy, normal(out + 180.0)), files, (nx, ny))
                half = files * w / 2
                for turn in (90.0, 270.0):
                    facing = normal(out + turn)
                    x, y = formation.world((sx + nx * half, sy + ny * half, facing), 0.0, deep / 2)
                    yield Exit((x, y, facing), files, (nx, ny))


def exit_reasons(
    state: State,
    regiment: Regiment,
    piece: Terrain,
    where: Pose,
    stands: tuple[Stand, ...],
    limit: float,
    rule: str,
) -> Iterator[Reason]:
    """Why a regiment may not be placed there, in these places, on leaving: looked for one by one."""
    files = sum(stand.rank == 0 for stand in stands)
    x, y, facing = where
    out = msgspec.structs.replace(regiment, where="table", x=x, y=y, facing=facing, files=files, stands=stands)
    gaps = [separation(formation.stand_base(out, s), piece.thing) for s in stands]
    if min(gaps) > formation.TOUCH * 2:
        yield Reason(rule, "reason.garrison.touch", {"gap": round(min(gaps), 3)})
    if max(gaps) > limit + TOLERANCE:
        yield Reason(rule, "reason.garrison.far", {"distance": round(max(gaps), 3), "allowed": limit})
    own, around = formation.blocks(out), formation.disc(out)
    if not all(on_table(block, state.scenario.width, state.scenario.depth) for block in own):
        yield Reason("conquest.regiment.legal-position.on-table")
    for other in state.on_table():
        if other is regiment or formation.discs_apart(around, table.circle(state, other), 1.0):
            continue
        gap = formation.gap(own, formation.body(state, other))
        if other.side != regiment.side and other.garrison != piece.id and gap < 1.0 - TOLERANCE:
            yield Reason(rule, "reason.garrison.enemy", {"enemy": other.id, "distance": round(max(0.0, gap), 3)})
        elif other.side == regiment.side and gap < -formation.TOUCH:
            yield Reason("conquest.regiment.legal-position.overlap", facts={"regiments": [other.id]})
    for one in state.terrain:
        if not one.solid or formation.discs_apart(around, one.circle):
            continue
        if formation.gap(own, (one.thing,)) < -2 * formation.TOUCH:
            yield Reason(rule, "reason.garrison.terrain", {"terrain": one.id})


def way_out(battle: Battle[State], regiment: Regiment) -> tuple[Exit, float, bool] | None:
    """A place to leave to, the distance allowed, and whether only the emergency placement is possible."""
    state = battle.state
    piece = state.piece(regiment.garrison)
    limit, _ = march.march_value(battle, regiment, "leave")
    for times, rule in (
        (1.0, "conquest.terrain.garrison.leave.place"),
        (2.0, "conquest.terrain.garrison.leave.broken"),
    ):
        for spot in itertools.chain(exits(state, regiment, piece), lanes(state, regiment, piece, limit * times)):
            stands = formation.arranged(regiment.stands, spot.files)
            if not any(exit_reasons(state, regiment, piece, spot.where, stands, limit * times, rule)):
                return spot, limit * times, times > 1
    return None


def lanes(state: State, regiment: Regiment, piece: Terrain, limit: float) -> Iterator[Exit]:
    """Where a regiment stands against the piece clear of everything: for a facing all places at which it touches are
    the edges of the moves that bring it onto the piece, and along each of them what is free is computed. Flush with
    each wall first, then facings by 5 degrees."""
    ways = outward(list(piece.points))
    flush = [normal(heading(nx, ny) + turn) for nx, ny in ways for turn in (0.0, 180.0, 90.0, 270.0)]
    facings = dict.fromkeys([*(round(f, 6) for f in flush), *(5.0 * k for k in range(72))])
    off = [*ways_out.edges(state)]
    for other in state.on_table():
        if other is not regiment and other.garrison != piece.id:
            far = 1.0 if other.side != regiment.side else 0.0
            off += ways_out.keep_off(formation.body(state, other), [far] * len(formation.body(state, other)))
    for one in state.terrain:
        if one.solid and one.id != piece.id:
            off += ways_out.keep_off((one.thing,), [0.0])
    walls = list(ways_out.rings(piece.thing))
    for files in formation.files_allowed(regiment):
        stands = formation.arranged(regiment.stands, files)
        for facing in facings:
            out = msgspec.structs.replace(
                regiment, where="table", x=0.0, y=0.0, facing=facing, files=files, stands=stands
            )
            blocks = [block.corners() for block in formation.blocks(out)]
            bases = [formation.stand_base(out, stand).corners() for stand in stands]
            for x, y in _touching(blocks, bases, walls, off, limit):
                yield Exit((x, y, facing), files, _straight_off(piece, x, y))


def _straight_off(piece: Terrain, x: float, y: float) -> Point:
    cx, cy, _ = piece.circle
    far = math.sqrt((x - cx) ** 2 + (y - cy) ** 2) or 1.0
    return (x - cx) / far, (y - cy) / far


def _touching(
    blocks: Sequence[Sequence[Point]],
    bases: Sequence[Sequence[Point]],
    walls: Sequence[Sequence[Point]],
    off: Sequence[ways_out.Off],
    limit: float,
) -> Iterator[Point]:
    """Moves that bring blocks against walls, every stand within the limit of them and clear of everything else."""
    for block in blocks:
        for wall in walls:
            moves = spans.differences(block, wall)
            for k, (px, py) in enumerate(moves):
                qx, qy = moves[(k + 1) % len(moves)]
                length = math.sqrt((qx - px) ** 2 + (qy - py) ** 2)
                if length < 1e-9:
                    continue
                ux, uy = (qx - px) / length, (qy - py) / length
                bars: list[spans.Bar] = []
                near = True
                for base in bases:
                    shifted = spans.shift(base, px, py)
                    reach = [spans.along(shifted, ux, uy, ring, limit) for ring in walls]
                    inside = [bar for bar in reach if bar is not None]
                    near = near and bool(inside)
                    if inside and len(walls) == 1:
                        bars += [spans.Bar(-math.inf, inside[0][0]), spans.Bar(inside[0][1], math.inf)]
                if not near:
                    continue
                for other in blocks:
                    shifted = spans.shift(other, px, py)
                    for ring, clearance in (*off, *((ring, 0.0) for ring in walls)):
                        bar = spans.along(shifted, ux, uy, ring, clearance)
                        if bar is not None:
                            bars.append(spans.Bar(*bar))
                for span in spans.free(0.0, length, bars):
                    for at in dict.fromkeys(((span.low + span.high) / 2, span.low, span.high)):
                        yield round(px + ux * at, 4), round(py + uy * at, 4)


def why_not_leave(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    """It takes both actions, and not in the round in which it went in."""
    facts = {"regiment": regiment.id}
    if regiment.where != "garrison":
        return [Reason("conquest.terrain.garrison.leave.cost", "reason.garrison.not-inside", facts)]
    reasons: list[Reason] = []
    activation = battle.state.activation
    if activation is not None and activation.actions:
        reasons.append(Reason("conquest.terrain.garrison.leave.cost", facts=facts))
    if OCCUPIED in regiment.flags:
        reasons.append(Reason("conquest.terrain.garrison.no-in-and-out", facts=facts))
    if not reasons and way_out(battle, regiment) is None:
        reasons.append(Reason("conquest.terrain.garrison.leave.impossible", facts=facts))
    return reasons


@action("leave-garrison", "any", ("conquest.terrain.garrison.leave.cost",), why_not_leave)
@step
def leave(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """Place the regiment outside, then move it 1 inch away; its activation ends."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    piece = state.piece(regiment.garrison)
    found = way_out(battle, regiment)
    assert found is not None
    first, limit, emergency = found
    rule = "conquest.terrain.garrison.leave.broken" if emergency else "conquest.terrain.garrison.leave.place"
    engaged = formation.in_contact(state, regiment)
    spots = list(exits(state, regiment, piece))

    def read(answer: Any) -> tuple[Pose, int] | None:
        files = answer.get("files", regiment.files)
        if files not in formation.files_allowed(regiment):
            return None
        return (float(answer["x"]), float(answer["y"]), float(answer.get("facing", 0.0))), files

    def judge(answer: Any) -> list[Reason]:
        asked = read(answer)
        if asked is None:
            allowed = formation.files_allowed(regiment)
            facts = {"files": answer["files"], "least": allowed[0], "most": allowed[-1]}
            return [Reason(rule, "reason.form.files", facts)]
        stands = formation.arranged(regiment.stands, asked[1])
        return list(exit_reasons(state, regiment, piece, asked[0], stands, limit, rule))

    def drawn_up(where: Pose, formed: tuple[Stand, ...]) -> tuple[Stand, ...] | None:
        return None if any(exit_reasons(state, regiment, piece, where, formed, limit, rule)) else formed

    def said(spot: Exit) -> dict[str, Any]:
        x, y, facing = spot.where
        return {"x": round(x, 3), "y": round(y, 3), "facing": facing, "files": spot.files}

    answer = yield Place(
        regiment.side,
        "ask.leave-garrison",
        judge,
        lambda rng: _draw(rng, spots, said),
        rule,
        regiment.id,
        said(first),
        ends=lambda wish: formed_ends(regiment, wish, centred=False),
        form=formed_form(regiment),
    )
    asked = read(answer)
    assert asked is not None
    where, files = asked
    stands = yield from dressing.dress(
        battle,
        regiment,
        files,
        lambda start, settled: drawn_up(where, formation.arranged(regiment.stands, files, start, settled)),
    )
    regiment.where, regiment.garrison = "table", ""
    regiment.files, regiment.stands = files, stands
    formation.put(regiment, where)
    push_out(state, regiment, piece)
    end_actions(state)
    rules = [rule, "conquest.terrain.garrison.leave.push"]
    if engaged:
        rules.append("conquest.terrain.garrison.withdraw")
    battle.emit("left-garrison", *rules, regiment=regiment.id, terrain=piece.id, x=regiment.x, y=regiment.y)
    if emergency:
        yield from morale.break_regiment(battle, regiment, rule)


def _draw(rng: Rng, spots: list[Exit], said: Any) -> Any:
    return said(rng.choice(spots))


def away_from(piece: Sequence[Point], blocks: Sequence[Sequence[Point]]) -> Point:
    """The way straight off that side of the piece, or of the regiment, which lies between the two."""
    points = [point for block in blocks for point in block]
    ways = [*outward(piece), *((-x, -y) for block in blocks for x, y in outward(block))]

    def clearance(way: Point) -> float:
        return min(x * way[0] + y * way[1] for x, y in points) - max(x * way[0] + y * way[1] for x, y in piece)

    return max(ways, key=clearance)


def outward(outline: Sequence[Point]) -> list[Point]:
    """The ways straight out of the sides of a convex outline, from the one that ends at its first corner."""
    mx, my = math.fsum(x for x, _ in outline) / len(outline), math.fsum(y for _, y in outline) / len(outline)
    found = []
    for k, (bx, by) in enumerate(outline):
        ax, ay = outline[k - 1]
        nx, ny = by - ay, ax - bx
        size = (nx * nx + ny * ny) ** 0.5 * (1.0 if nx * (bx - mx) + ny * (by - my) >= 0 else -1.0)
        found.append((nx / size, ny / size))
    return found


def push_out(state: State, regiment: Regiment, piece: Terrain) -> float:
    """Move the regiment 1 inch away from the piece, or as far as it can; answers how far."""
    dx, dy = away_from(piece.points, [block.corners() for block in formation.blocks(regiment)])
    found = table.obstacles(state, regiment, formation.pose(regiment), PUSH, inch=True)
    things, gaps = [], []
    for one, name, gap in zip(found.things, found.names, found.gaps, strict=True):
        if name != piece.id:
            things.append(one)
            gaps.append(0.0 if any(t.id == name for t in state.terrain) else gap)
    swept = sweep(formation.blocks(regiment), (Go(dx * PUSH, dy * PUSH),), things, gaps)
    leg = swept.legs[0] if swept.legs else Go(0.0, 0.0)
    assert isinstance(leg, Go)
    far = (leg.dx * leg.dx + leg.dy * leg.dy) ** 0.5
    start = formation.pose(regiment)
    ends = ((start[0] + dx * far * k / 100, start[1] + dy * far * k / 100, start[2]) for k in range(100, 0, -1))
    end = next((end for end in ends if not march.off_table(state, regiment, end, None)), start)
    formation.put(regiment, end)
    return float(((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5)


@moment_of("ready")
def shut_in(battle: Battle[State], regiment: Regiment, **facts: Any) -> None:
    """A garrison that cannot be placed outside cannot leave."""
    if regiment.where == "garrison" and OCCUPIED not in regiment.flags and way_out(battle, regiment) is None:
        rule = "conquest.terrain.garrison.leave.impossible"
        battle.emit("shut-in", rule, regiment=regiment.id, terrain=regiment.garrison)


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
        if r.where == "table" and formation.gap(formation.blocks(r), (thing,)) <= formation.TOUCH
    ]
    able = [r for r in near if not enter_reasons(state, r, piece)]
    side = 1 - regiment.side
    chosen = PASS
    rule = "conquest.terrain.garrison.wiped-out"
    if able:
        options = [Option(r.id, refs=(r.id,)) for r in able] + [Option(PASS)]
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
