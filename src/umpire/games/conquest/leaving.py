"""Leaving garrison terrain (chapter 10): where a regiment can be placed outside, and how it is moved away."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.space.angles import heading, normal
from umpire.space.leaning import Body, leaning
from umpire.space.measure import on_table, separation
from umpire.space.moving import Go, sweep
from umpire.space.places import Keep
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Pose, world
from umpire.space.shapes import TOLERANCE

from . import dressing, formation, march, morale, ranked, table, ways_out
from .activation import end_actions
from .garrison import OCCUPIED
from .hooks import action, moment_of
from .mover import formed_ends, formed_form
from .profiles import Terrain
from .state import Regiment, Stand, State

PUSH = 1.0


class Exit(NamedTuple):
    """A place outside: the middle of the front edge, and files."""

    where: Pose
    files: int


def exits(state: State, regiment: Regiment, piece: Terrain) -> Iterator[Exit]:
    """Places with the rear, or one end, against a side of the piece: an even spread to look through."""
    w, d = regiment.profile.stand
    count = len(regiment.stands)
    points = list(piece.points)
    ways = fronts.outward(points)
    for files in formation.files_allowed(regiment):
        deep = -(-count // files) * d
        for k, (bx, by) in enumerate(points):
            ax, ay = points[k - 1]
            mx, my = (ax + bx) / 2, (ay + by) / 2
            nx, ny = ways[k]
            out = normal(heading(nx, ny))
            for slide in (0.0, -1.5, 1.5):
                sx, sy = mx + ny * slide, my - nx * slide
                yield Exit((sx + nx * deep, sy + ny * deep, out), files)
                yield Exit((sx, sy, normal(out + 180.0)), files)
                half = files * w / 2
                for turn in (90.0, 270.0):
                    facing = normal(out + turn)
                    x, y = world((sx + nx * half, sy + ny * half, facing), 0.0, deep / 2)
                    yield Exit((x, y, facing), files)


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
    own, around = ranked.blocks(out), ranked.disc(out)
    if not all(on_table(block, state.scenario.width, state.scenario.depth) for block in own):
        past = fronts.beyond(own, None, state.scenario.width, state.scenario.depth)
        yield Reason("conquest.regiment.legal-position.on-table", facts=past)
    for other in state.on_table():
        if other is regiment or fronts.discs_apart(around, formation.circle(state, other), 1.0):
            continue
        gap = fronts.gap(own, formation.body(state, other))
        if other.side != regiment.side and other.garrison != piece.id and gap < 1.0 - TOLERANCE:
            yield Reason(rule, "reason.garrison.enemy", {"enemy": other.id, "distance": round(max(0.0, gap), 3)})
        elif other.side == regiment.side and gap < -formation.TOUCH:
            yield Reason("conquest.regiment.legal-position.overlap", facts={"regiments": [other.id]})
    for one in state.terrain:
        if not one.solid or fronts.discs_apart(around, one.circle):
            continue
        if fronts.gap(own, (one.thing,)) < -2 * formation.TOUCH:
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
            if may_form(state, regiment, piece, spot, limit * times, rule):
                return spot, limit * times, times > 1
    return None


def forms(regiment: Regiment) -> Iterator[tuple[int, int]]:
    """Every shape that it may take: files, and at which of them the last rank begins."""
    count = len(regiment.stands)
    return ((files, start) for files in formation.files_allowed(regiment) for start in ranked.rear_starts(count, files))


def may_form(state: State, regiment: Regiment, piece: Terrain, spot: Exit, limit: float, rule: str) -> bool:
    """May a regiment be placed there in so many files? Sooner told than why not."""
    formed = (
        formation.arranged(regiment.stands, spot.files, start)
        for start in ranked.rear_starts(len(regiment.stands), spot.files)
    )
    return any(
        next(exit_reasons(state, regiment, piece, spot.where, stands, limit, rule), None) is None for stands in formed
    )


def form_reasons(state: State, regiment: Regiment, piece: Terrain, spot: Exit, limit: float, rule: str) -> list[Reason]:
    """Why a regiment may not be placed there in so many files, wherever its last rank begins."""
    told: list[Reason] = []
    for start in ranked.rear_starts(len(regiment.stands), spot.files):
        stands = formation.arranged(regiment.stands, spot.files, start)
        found = list(exit_reasons(state, regiment, piece, spot.where, stands, limit, rule))
        if not found:
            return []
        told = told or found
    return told


def lanes(state: State, regiment: Regiment, piece: Terrain, limit: float) -> Iterator[Exit]:
    """Where a regiment stands against the piece clear of everything, in any formation and at any facing: those flush
    with a wall first. None means that there is no such place."""
    ways = fronts.outward(list(piece.points))
    flush = [normal(round(heading(nx, ny) + turn, 6)) for nx, ny in ways for turn in (0.0, 180.0, 90.0, 270.0)]
    keeps = [Keep(off.ring, off.clearance) for off in _surroundings(state, regiment, piece)]
    walls = ways_out.rings(piece.thing)
    for files, start in forms(regiment):
        stands = formation.arranged(regiment.stands, files, start)
        out = msgspec.structs.replace(regiment, where="table", x=0.0, y=0.0, facing=0.0, files=files, stands=stands)
        out.y = half = ranked.depth(out) / 2
        parts = [block.corners() for block in ranked.blocks(out)]
        body = Body(parts, [formation.stand_base(out, stand).corners() for stand in stands])
        for x, y, facing in leaning(body, walls, keeps, limit, list(dict.fromkeys(flush))):
            ahead = world((x, y, facing), 0.0, half)
            where = (round(ahead[0], 4), round(ahead[1], 4), round(facing, 6))
            yield Exit(where, files)


def _surroundings(state: State, regiment: Regiment, piece: Terrain) -> Iterator[ways_out.Off]:
    """What a regiment that leaves a piece keeps off: the edges, enemies, friends, other terrain."""
    yield from table.edges(state)
    for other in state.on_table():
        if other is not regiment and other.garrison != piece.id:
            body = formation.body(state, other)
            yield from ways_out.keep_off(body, [1.0 if other.side != regiment.side else 0.0] * len(body))
    for one in state.terrain:
        if one.solid and one.id != piece.id:
            yield from ways_out.keep_off((one.thing,), [0.0])


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

    def read(answer: Any) -> Exit | None:
        files = answer.get("files", regiment.files)
        if files not in formation.files_allowed(regiment):
            return None
        return Exit((float(answer["x"]), float(answer["y"]), float(answer.get("facing", 0.0))), files)

    def judge(answer: Any) -> list[Reason]:
        asked = read(answer)
        if asked is None:
            allowed = formation.files_allowed(regiment)
            facts = {"files": answer["files"], "least": allowed[0], "most": allowed[-1]}
            return [Reason(rule, "reason.form.files", facts)]
        return form_reasons(state, regiment, piece, asked, limit, rule)

    def drawn_up(where: Pose, formed: tuple[Stand, ...]) -> tuple[Stand, ...] | None:
        return None if any(exit_reasons(state, regiment, piece, where, formed, limit, rule)) else formed

    def said(spot: Exit) -> dict[str, Any]:
        x, y, facing = spot.where
        return {"x": round(x, 4), "y": round(y, 4), "facing": facing, "files": spot.files}

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
    ranked.put(regiment, where)
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


def push_out(state: State, regiment: Regiment, piece: Terrain) -> float:
    """Move the regiment 1 inch away from the piece, or as far as it can; answers how far."""
    dx, dy = fronts.away_from(piece.points, [block.corners() for block in ranked.blocks(regiment)])
    found = table.obstacles(state, regiment, ranked.pose(regiment), PUSH, inch=True)
    things, gaps = [], []
    for one, name, gap in zip(found.things, found.names, found.gaps, strict=True):
        if name != piece.id:
            things.append(one)
            gaps.append(0.0 if any(t.id == name for t in state.terrain) else gap)
    swept = sweep(ranked.blocks(regiment), (Go(dx * PUSH, dy * PUSH),), things, gaps)
    leg = swept.legs[0] if swept.legs else Go(0.0, 0.0)
    assert isinstance(leg, Go)
    far = (leg.dx * leg.dx + leg.dy * leg.dy) ** 0.5
    far *= fronts.part_on(ranked.blocks(regiment), leg, state.scenario.width, state.scenario.depth)
    x, y, facing = ranked.pose(regiment)
    ranked.put(regiment, (x + dx * far, y + dy * far, facing))
    return float(far)


@moment_of("ready")
def shut_in(battle: Battle[State], regiment: Regiment, **facts: Any) -> None:
    """A garrison that cannot be placed outside cannot leave."""
    if regiment.where == "garrison" and OCCUPIED not in regiment.flags and way_out(battle, regiment) is None:
        rule = "conquest.terrain.garrison.leave.impossible"
        battle.emit("shut-in", rule, regiment=regiment.id, terrain=regiment.garrison)
