""" "There is no place" against brute force: units that are deployed, summoned, come from ambush or reform. Crowded
grounds; a net of places is laid over all that could do, and looked at with Shapely alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np
import pytest
import shapely
from scipy.optimize import linear_sum_assignment
from shapely.geometry import MultiPoint, Point, Polygon
from shapely.geometry import box as rectangle

from space import slow
from t9a.builder import QUIET, piece, profile, scene, u, unit
from t9a.test_geometry import check_charge, check_leaning, check_march
from umpire.engine.battle import Battle
from umpire.engine.rulings import standing
from umpire.games.t9a import deployment, reserves, summoning
from umpire.games.t9a.courses import Budget
from umpire.games.t9a.move_paths import Manoeuvre
from umpire.games.t9a.state import Zone

TABLE = rectangle(0, 0, 72, 48)
SURE = 1e-3
"""Inches by which a place of the net must do better than it need."""


def formed(models: int) -> list[tuple[float, float, int]]:
    """Width, depth and files of every formation of one-inch bases of Height 1 without a gap in its last rank."""
    return [
        (float(files), float(models // files), files)
        for files in range(1, models + 1)
        if models % files == 0 and (files >= 5 or models // files <= files)
    ]


def strewn(
    rng: random.Random, count: int, x: float, y: float, far: float, kept: list[Polygon]
) -> list[tuple[Any, ...]]:
    """Units about a point, an inch from one another."""
    made: list[tuple[Any, ...]] = []
    for n in range(count):
        for _ in range(8):
            at = (round(x + rng.uniform(-far, far), 3), round(y + rng.uniform(-far, far), 3))
            facing = rng.choice((0.0, 90.0, round(rng.uniform(0, 360), 1)))
            frame = (*at, facing, float(rng.randrange(1, 5)), float(rng.randrange(1, 3)))
            ring = slow.polygon(frame)
            if TABLE.contains(ring) and all(ring.distance(other) > 1.05 for other in kept):
                kept.append(ring)
                made.append((f"n{n}", frame))
                break
    return made


def position(rng: random.Random, models: int, others: list[tuple[Any, ...]], *more: Any) -> Battle[Any]:
    units = [
        unit(key, 0, at=(x, y), facing=facing, models=int(w * d), files=int(w), of=profile(parts=[QUIET]))
        for key, (x, y, facing, w, d) in others
    ]
    new = unit("s", 0, at=(66, 4), models=models, files=min(models, 5), of=profile(parts=[QUIET]))
    foe = unit("z", 1, at=(4, 44), of=profile(parts=[QUIET]), models=1, files=1)
    battle = scene(new, *units, *more, foe, moment="movement")
    u(battle, "s").where = "list"
    return battle


def places(models: int, x0: float, y0: float, x1: float, y1: float, step: float, turn: float = 15.0) -> Iterator[Any]:
    """A net of places for a unit, by its centre: the corners of a formation at a facing, all at once."""
    xs, ys = np.meshgrid(np.arange(x0, x1, step), np.arange(y0, y1, step))
    centres = np.stack([xs.ravel(), ys.ravel()], axis=1)
    for w, d, _ in formed(models):
        for degrees in np.arange(0.0, 180.0, turn):
            s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
            ring = np.array([(a * c + b * s, -a * s + b * c) for a, b in ((-w, d), (w, d), (w, -d), (-w, -d))]) / 2
            yield centres[:, None, :] + ring[None, :, :]


def holds(corners: Any, x: float, y: float) -> Any:
    """Which of many rectangles hold a point: it is on the same side of all their edges."""
    ahead = np.roll(corners, -1, axis=1) - corners
    to = np.array([x, y]) - corners
    side = ahead[..., 0] * to[..., 1] - ahead[..., 1] * to[..., 0]
    return (side <= 0).all(axis=1) | (side >= 0).all(axis=1)


def on_table(corners: Any, low: tuple[float, float] = (0.0, 0.0), high: tuple[float, float] = (72.0, 48.0)) -> Any:
    return ((corners >= low) & (corners <= high)).all(axis=(1, 2))


def room_for(rings: Any, others: list[Polygon]) -> Any:
    """Which of many polygons keep an inch from everybody."""
    free = np.ones(len(rings), dtype=bool)
    for other in others:
        free[free] = shapely.distance(rings[free], other) >= 1.0 + SURE
    return free


def check_deploy(seed: int, step: float = 0.25) -> str:
    """A small zone with others in it."""
    rng = random.Random(seed)
    wide, deep = rng.uniform(4, 7), rng.uniform(3, 5)
    x, y = 20.0, 6.0
    kept: list[Polygon] = []
    others = strewn(rng, rng.randrange(1, 5), x + wide / 2, y + deep / 2, wide / 2 + 1, kept)
    models = rng.choice((3, 4, 6, 8))
    battle = position(rng, models, others)
    state = battle.state
    ring = ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
    state.field = msgspec.structs.replace(state.field, zones=(Zone(ring, 0.0), state.field.zones[1]))
    found = deployment.legal_place(state, u(battle, "s"))
    if found is not None:
        return "found"
    for corners in places(models, x, y, x + wide, y + deep, step):
        there = on_table(corners, (x + SURE, y + SURE), (x + wide - SURE, y + deep - SURE))
        assert not room_for(shapely.polygons(corners[there]), kept).any(), seed
    return "none"


def check_summon(seed: int, step: float = 0.25) -> str:
    """On a point, all within range of the caster, among others."""
    rng = random.Random(seed)
    mage = (36.0, 24.0, 0.0, 1.0, 1.0)
    point = (36 + rng.uniform(-3, 3), 24 + rng.uniform(2, 5))
    kept = [slow.polygon(mage)]
    others = strewn(rng, rng.randrange(2, 6), *point, 4.5, kept)
    models, reach = rng.choice((4, 6, 8)), rng.uniform(5, 9)
    battle = position(rng, models, others, unit("a", 0, at=mage[:2], models=1, files=1, of=profile(parts=[QUIET])))
    base = tuple(kept[0].exterior.coords)[:4]
    found = summoning.place(battle.state, u(battle, "s"), 0.0, base, point, reach)
    if found is not None:
        return "found"
    far = math.hypot(models, models)
    for corners in places(models, point[0] - far / 2, point[1] - far / 2, point[0] + far / 2, point[1] + far / 2, step):
        held = corners[holds(corners, *point) & on_table(corners)]
        ends = shapely.distance(shapely.points(held), kept[0]).max(axis=1) if len(held) else np.zeros(0)
        assert not room_for(shapely.polygons(held[ends <= reach - SURE]), kept).any(), seed
    return "none"


@pytest.mark.rule("t9a.magic.summon.placement")
@pytest.mark.parametrize("short", [0.001, 0.005, 0.01])
def test_room_to_be_summoned_at_the_very_edge_of_the_range_is_found(short: float) -> None:
    """The only place is a pocket as large as the model, all but a hair of the range away, in a direction in which a
    polygon of so many corners falls short of the circle."""
    mage, reach = (36.0, 20.0, 0.0, 1.0, 1.0), 24.0
    turn = math.radians(180 / summoning.ROUND * 25)
    x, y = 36.5 + (reach - short) * math.sin(turn) - 0.5, 20.0 + (reach - short) * math.cos(turn)
    left, right, low, high = x - 1.5004, x + 1.5004, y - 2.0004, y + 1.0004
    walls = [
        piece("l", "impassable", 42.0, 0.0, left, 48.0),
        piece("r", "impassable", right, 0.0, 72.0, 48.0),
        piece("b", "impassable", left, 0.0, right, low),
        piece("t", "impassable", left, high, right, 48.0),
    ]
    caster = unit("a", 0, at=mage[:2], models=1, files=1, of=profile(parts=[QUIET]))
    battle = position(random.Random(1), 1, [], caster)
    battle.state.field = msgspec.structs.replace(battle.state.field, terrain=tuple(walls))
    base = tuple(slow.polygon(mage).exterior.coords)[:4]
    found = summoning.place(battle.state, u(battle, "s"), 0.0, base, (x, y - 0.5), reach)
    assert found is not None
    assert math.dist((found["x"], found["y"]), (x, y)) < 0.002


def check_ambush(seed: int, step: float = 0.25) -> str:
    """By a point of the table's edge, three corners within 6", nothing between."""
    rng = random.Random(seed)
    point = (rng.uniform(10, 60), 0.0)
    kept: list[Polygon] = []
    others = strewn(rng, rng.randrange(3, 8), point[0], 3.5, 5.5, kept)
    models = rng.choice((4, 6, 8, 10))
    battle = position(rng, models, others)
    found = reserves.arrival(battle.state, u(battle, "s"), point)
    if found is not None:
        return "found"
    spot = Point(point)
    for corners in places(models, point[0] - 7, 0.0, point[0] + 7, 7.0, step):
        near = (np.hypot(corners[..., 0] - point[0], corners[..., 1] - point[1]) <= 6.0 - SURE).sum(axis=1) >= 3
        rings = shapely.polygons(corners[near & on_table(corners)])
        for ring in rings[room_for(rings, kept)]:
            hull = MultiPoint([*ring.exterior.coords, spot.coords[0]]).convex_hull
            assert any(hull.intersection(other).area > 1e-6 for other in kept), (seed, ring.wkt)
    return "none"


def check_reform(seed: int) -> str:
    """A reform that ends well: refused only if the models cannot all get there, each by its own way."""
    rng = random.Random(seed)
    models, files = rng.choice(((4, 4), (6, 3), (6, 6), (5, 5)))
    start = (36.0, 20.0, 0.0, float(files), float(models // files))
    mob = rng.randrange(9, 12)
    # A row of units before it, with a gap somewhere, and now and then a way round its end.
    gap, at, y = rng.uniform(1.5, 2.5), 36 + rng.uniform(-4, 4), 20 + rng.uniform(2.05, 2.4)
    row = rng.choice((4.0, 8.0, 12.0))
    walls = [(at - gap / 2 - row / 2, y, 0.0, row, 1.0), (at + gap / 2 + 6.0, y, 0.0, 12.0, 1.0)]
    units = [
        unit(f"n{k}", 0, at=wall[:2], models=int(wall[3]), files=int(wall[3]), of=profile(parts=[QUIET]))
        for k, wall in enumerate(walls)
    ]
    own = unit("a", 0, at=start[:2], facing=0.0, models=models, files=files, of=profile(parts=[QUIET], mob=mob))
    foe = unit("z", 1, at=(4, 44), of=profile(parts=[QUIET]), models=1, files=1)
    battle = scene(own, *units, foe, moment="movement")
    a = u(battle, "a")
    w, d, new = rng.choice([way for way in formed(models) if abs(way[2] - files) <= 3])
    facing = rng.choice((0.0, 180.0, round(rng.uniform(-8, 8) % 360, 2)))
    centre = (start[0], start[1] - start[4] / 2)
    x, y = round(36 + rng.uniform(-1, 1), 3), round(y + 1.05 + d / 2 + rng.uniform(0, 0.4), 3)
    ux, uy, _, _ = slow.vectors(facing)
    end = (x + ux * d / 2, y + uy * d / 2, facing, w, d)
    rings = [slow.polygon(wall) for wall in walls]
    if math.dist((x, y), centre) > mob / 2 - SURE or any(slow.polygon(end).distance(r) < 1 + SURE for r in rings):
        return "unfit"
    mover = Manoeuvre(battle.state, a, Budget("reform", mob))
    reasons = list(standing(battle.state, mover.judge({"to": {"x": x, "y": y, "facing": facing}, "files": new})))
    old_spots, new_spots = _spots(start), _spots(end)
    if not reasons:
        # Nobody goes further than he may even past everything.
        assert _matched(old_spots, new_spots, lambda p, q: math.dist(p, q) <= 2 * mob + SURE), seed
        return "legal"
    assert {reason.rule for reason in reasons} <= {
        "t9a.move.reform.model-limit",
        "t9a.move.reform.model-spacing",
    }, (seed, reasons)
    turns = np.array([(36 + v * 0.25, 20 + h * 0.5) for v in range(-40, 41) for h in range(9)])
    there = _clear(old_spots, turns, rings)
    back = _clear(new_spots, turns, rings)
    ahead = _clear(old_spots, np.array(new_spots), rings)
    ways = np.minimum(ahead, (there[:, None, :] + back[None, :, :]).min(axis=2))
    able = {(p, q): ways[i, j] for i, p in enumerate(old_spots) for j, q in enumerate(new_spots)}
    assert not _matched(old_spots, new_spots, lambda p, q: able[p, q] <= 2 * mob - SURE), (seed, reasons)
    return "refused"


def _clear(starts: list[tuple[float, float]], ends: Any, rings: list[Polygon]) -> Any:
    """How long the straight ways from some points to others are for a disc of half an inch that keeps half an inch from
    everything; infinite where something is in the way."""
    a = np.repeat(np.array(starts), len(ends), axis=0)
    b = np.tile(ends, (len(starts), 1))
    lines = shapely.linestrings(np.stack([a, b], axis=1))
    far = shapely.length(lines)
    for ring in rings:
        far[shapely.distance(lines, ring) < 1.0 + SURE] = np.inf
    return far.reshape(len(starts), len(ends))


def _spots(frame: slow.Frame) -> list[tuple[float, float]]:
    """The middles of one-inch bases in ranks."""
    x, y, degrees, w, d = frame
    ux, uy, rx, ry = slow.vectors(degrees)
    return [
        (x + rx * (i + 0.5 - w / 2) - ux * (k + 0.5), y + ry * (i + 0.5 - w / 2) - uy * (k + 0.5))
        for k in range(round(d))
        for i in range(round(w))
    ]


def _matched(old: list[Any], new: list[Any], gets: Callable[[Any, Any], bool]) -> bool:
    """Can everybody be given a place that he gets to?"""
    able = np.array([[0 if gets(p, q) else 1 for q in new] for p in old])
    rows, columns = linear_sum_assignment(able)
    return bool(able[rows, columns].sum() == 0)


CHECKS: dict[str, Callable[[int], str]] = {
    "deploy": check_deploy,
    "summon": check_summon,
    "ambush": check_ambush,
    "reform": check_reform,
}
MORE: dict[str, Callable[[int], str]] = {
    "charge": lambda seed: check_charge(50_000 + seed, 100),
    "lean": lambda seed: check_leaning(50_000 + seed, 100),
    "march": lambda seed: check_march(50_000 + seed),
}
"""For the bench: tested elsewhere."""

SEEDS = {"deploy": 30, "summon": 12, "ambush": 20, "reform": 60}
DECIDED = {
    "deploy": "t9a.prep.deploy.undeployable",
    "summon": "t9a.magic.summon.placement",
    "ambush": "t9a.rule.ambush.placement",
    "reform": "t9a.move.reform.model-spacing",
}


@pytest.mark.parametrize("what", [pytest.param(k, marks=pytest.mark.rule(rule)) for k, rule in DECIDED.items()])
def test_there_is_none_only_where_a_net_finds_none(what: str) -> None:
    came = [CHECKS[what](seed) for seed in range(SEEDS[what])]
    assert came.count("found") + came.count("legal") >= 2, came
    assert came.count("none") + came.count("refused") >= 2, came
