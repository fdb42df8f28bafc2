"""What Warcry says cannot be done is worked out, not sampled: random tight positions against a fine net."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from umpire.engine.battle import Battle
from umpire.errors import UmpireError
from umpire.games.warcry import falling, move, paths
from umpire.games.warcry.legs import Tracer
from umpire.games.warcry.mover import FighterMover
from umpire.games.warcry.placing import body, can_stand, nearest_room
from umpire.games.warcry.state import State, distance, engaged
from umpire.space.havens import from_line
from umpire.space.shapes import TOLERANCE
from warcry.builder import fighter, piece, scene


def crowded(seed: int) -> Battle[State] | None:
    """A fighter with many enemies about it, on the floor or on a small deck, walls beside it."""
    rng = random.Random(seed)
    high = 3.0 if rng.random() < 0.3 else 0.0
    parts: list[dict[str, Any]] = [{"rect": [0, 0, 4.4, 4.2], "top": 3}] if high else []
    for _ in range(rng.randrange(0, 3)):
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.8, 1.6)
        rect = [far * math.cos(angle), far * math.sin(angle), rng.uniform(0.2, 1.5), rng.uniform(0.2, 1.5)]
        parts.append({"rect": rect, "floor": high, "top": high + 2})
    enemies: list[dict[str, Any]] = []
    for n in range(rng.randrange(4, 8)):
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(1.02, 2.6)
        spot = fighter(f"b{n}", 15 + far * math.cos(angle), 11 + far * math.sin(angle), high, activations=1)
        try:
            scene(fighter("a1", 15, 11, high), *enemies, spot, pieces=[piece(*parts)] if parts else [])
        except UmpireError:
            continue
        enemies.append(spot)
    if not enemies:
        return None
    try:
        return scene(
            fighter("a1", 15, 11, high), *enemies, active="a1", pieces=[piece(*parts)] if parts else [], dice=[]
        )
    except UmpireError:
        return None


def check_disengage(seed: int, step: float) -> str:
    battle = crowded(seed)
    if battle is None:
        return "no position"
    state = battle.state
    one = state.fighter("a1")
    if not engaged(state, one) or state.ground.blocked(one.base):
        return "no position"
    tracer = Tracer(state, one, move.DISENGAGE, disengage=True)
    found = move.way_out(state, one)
    if found is not None:
        assert not tracer.run(found["path"]).reasons, seed
        return "out"
    reach = int(move.DISENGAGE / step)
    for i in range(-reach, reach + 1):
        for k in range(-reach, reach + 1):
            leg = {"how": "walk", "x": round(15 + i * step, 3), "y": round(11 + k * step, 3)}
            assert tracer.run([leg]).reasons, (seed, leg)
    return "surrounded"


@pytest.mark.rule("warcry.disengage.end")
def test_surrounded_is_a_fact() -> None:
    told = [check_disengage(seed, 0.15) for seed in range(30)]
    assert told.count("out") >= 5
    assert told.count("surrounded") >= 2


@pytest.mark.rule("warcry.disengage.end")
def test_a_step_of_a_seventh_of_an_inch_is_a_disengage() -> None:
    # Eight enemies in a ring that nobody gets out of, 1.006 inches from a place 0.14 inches aside: there is no other.
    ring = [
        fighter(
            f"b{n}", 14.86 + 2.006 * math.cos(n * math.pi / 4), 11 + 2.006 * math.sin(n * math.pi / 4), activations=1
        )
        for n in range(8)
    ]
    battle = scene(fighter("a1", 15, 11), *ring, active="a1")
    way = move.way_out(battle.state, battle.state.fighter("a1"))
    assert way is not None
    (leg,) = way["path"]
    assert math.dist((leg["x"], leg["y"]), (14.86, 11)) < 0.02
    assert battle.check("disengage").legal
    tight = [{**one, "x": 14.86 + (one["x"] - 14.86) * 0.99, "y": 11 + (one["y"] - 11) * 0.99} for one in ring]
    assert not scene(fighter("a1", 15, 11), *tight, active="a1").check("disengage").legal


def check_landing(seed: int, step: float) -> str:
    """A fighter on a tower that a crowd stands round: is there anywhere to come down?"""
    rng = random.Random(seed)
    tower = piece({"rect": [0, 0, 1.6, 1.6], "top": 4})
    crowd: list[dict[str, Any]] = []
    base = rng.choice((25.4, 32.0, 40.0))
    wide = base / 25.4 + 0.002
    for n in range(rng.choice((90, 300, 1500))):
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.8, 3.4)
        x, y = round(15 + far * math.cos(angle), 3), round(11 + far * math.sin(angle), 3)
        off = math.hypot(max(0.0, abs(x - 15) - 0.8), max(0.0, abs(y - 11) - 0.8))
        if off > wide / 2 and all(math.hypot(x - other["x"], y - other["y"]) > wide for other in crowd):
            crowd.append(fighter(f"b{n}", x, y, base=base))
    try:
        state: State = scene(fighter("a1", 15, 11, 4, base=base), *crowd, pieces=[tower]).state
    except UmpireError:
        return "no position"
    one = state.fighter("a1")
    found = falling.find_landing(state, one)
    if found is not None:
        assert not falling.landing_reasons(state, one, found), seed
        return "lands"
    reach = int((falling.FALL_REACH + base / 50.8) / step) + 1
    for i in range(-reach, reach + 1):
        for k in range(-reach, reach + 1):
            spot_there = body(one, round(15 + i * step, 3), round(11 + k * step, 3), 0.0)
            if can_stand(state, spot_there, ("a1",)):
                assert falling.landing_reasons(state, one, spot_there), (seed, i, k)
    return "nowhere"


@pytest.mark.rule("warcry.move.fall-placement")
def test_nowhere_to_land_is_a_fact() -> None:
    told = [check_landing(seed, 0.1) for seed in range(8)]
    assert "lands" in told
    assert "nowhere" in told


@pytest.mark.rule("warcry.move.action")
def test_the_nearest_place_to_a_wish_is_the_nearest() -> None:
    """A rider dragged far past a wall is not left at the wall: round its end he comes much nearer."""
    wall = piece({"rect": [0, 0, 0.4, 3], "top": 4})
    terrain = [{"piece": "piece", "x": 12, "y": 11}]
    battle = scene(
        fighter("a1", 10, 11, move=8), fighter("b1", 25, 3), active="a1", pieces=[wall], terrain=terrain, dice=[]
    )
    battle.answer("move")
    wish = {"to": {"x": 28, "y": 11}}
    ruling = battle.check(wish)
    assert not ruling.legal
    assert ruling.nearest is not None
    end = ruling.nearest["path"][-1]
    assert battle.check(ruling.nearest).legal
    assert math.hypot(end["x"] - 28, end["y"] - 11) < 11.1  # 16.7 at the wall; the whole move round it leaves 11.08


@pytest.mark.rule("warcry.move.types")
def test_whoever_hangs_on_a_wall_and_is_dragged_too_far_is_offered_as_long_a_jump_as_he_can() -> None:
    wall = piece({"rect": [0, 0, 4, 4], "top": 3})
    hanging = fighter("a1", 15, 8.496, 1.5, move=5, climbing="t0.0")
    battle = scene(hanging, fighter("b1", 28, 20), active="a1", pieces=[wall], dice=[])
    battle.answer("move")
    ruling = battle.check({"to": {"x": 15, "y": 1}})
    assert not ruling.legal
    end = ruling.nearest["path"][-1]
    assert battle.check(ruling.nearest).legal
    assert end["y"] < 3.51  # five inches from the wall


def strewn(seed: int, many: int = 26, middle: tuple[float, float] = (15.0, 11.0)) -> tuple[list[Any], list[Any]]:
    """Fighters close together about a point, on the floor and on a platform, and walls among them."""
    rng = random.Random(seed)
    parts: list[dict[str, Any]] = []
    if rng.random() < 0.5:
        parts.append({"rect": [rng.uniform(-3, 3), rng.uniform(-3, 3), 2.5, 2], "top": 3})
    for _ in range(rng.randrange(1, 6)):
        rect = [rng.uniform(-4, 4), rng.uniform(-4, 4), rng.uniform(0.2, 2.5), rng.uniform(0.2, 2.5)]
        parts.append({"rect": rect, "top": rng.choice((1.2, 3))})
    crowd: list[dict[str, Any]] = []
    for n in range(many):
        base = rng.choice((25.4, 32.0, 40.0))
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0, 4.5)
        x, y = middle[0] + far * math.cos(angle), middle[1] + far * math.sin(angle)
        spot = fighter(f"b{n}", round(x, 2), round(y, 2), rng.choice((0, 3)), base=base)
        with suppress(UmpireError):
            scene(*crowd, spot, pieces=[piece(*parts)])
            crowd.append(spot)
    return parts, crowd


def check_nearest(seed: int, step: float) -> str:
    """Nothing on a net is nearer to a point or line than the place that was found."""
    rng = random.Random(-1 - seed)
    parts, crowd = strewn(seed)
    base = rng.choice((25.4, 32.0, 50.0))
    newcomer = fighter("a1", 2, 2, base=base)
    state: State = scene(newcomer, *crowd, pieces=[piece(*parts)]).state
    one = state.fighter("a1")
    one.where = "reserve"
    x, y = 15 + rng.uniform(-2, 2), 11 + rng.uniform(-2, 2)
    line = (x, y, x, y) if rng.random() < 0.6 else (x, y, x + rng.uniform(-6, 6), y + rng.uniform(-6, 6))
    floor = rng.random() < 0.3
    found = nearest_room(state, one, line, floor)
    assert found is not None
    assert can_stand(state, found, ("a1",)), seed
    most = from_line(line, found.x, found.y)
    x0, x1 = min(line[0], line[2]) - most, max(line[0], line[2]) + most
    y0, y1 = min(line[1], line[3]) - most, max(line[1], line[3]) + most
    for i in range(int((x1 - x0) / step) + 1):
        for k in range(int((y1 - y0) / step) + 1):
            px, py = round(x0 + i * step, 3), round(y0 + k * step, 3)
            if from_line(line, px, py) < most - 0.005:
                for z in (0.0,) if floor else state.ground.surfaces(px, py):
                    assert not can_stand(state, body(one, px, py, z), ("a1",)), (seed, px, py, z)
    return "there" if most < 0.005 else "near"


@pytest.mark.rule("warcry.reserve.no-room", "warcry.monster.destructive-rampage")
def test_as_near_as_possible_is_as_near_as_possible() -> None:
    assert [check_nearest(seed, 0.15) for seed in range(10)].count("near") >= 5


def check_deploy(seed: int, step: float) -> str:
    """One fighter in a crowded zone: it is squeezed in only where no place on a net would do."""
    rng = random.Random(-1 - seed)
    parts, crowd = strewn(seed, 90)
    base, monster = rng.choice(((25.4, []), (40.0, []), (60.0, []), (90.0, ["monster"])))
    one = fighter("a1", 0, 0, where="reserve", group="hammer", base=base, runemarks=monster)
    point = {"x": 15, "y": 11, "round": 2}
    far = {"x": 4, "y": 4}
    card = {
        "id": "c", "name": {"zh": "c", "en": "c"}, "red": {"dagger": far, "shield": far, "hammer": point},
        "blue": {"dagger": far, "shield": far, "hammer": far},
    }  # fmt: skip
    try:
        battle = scene(
            fighter("a2", 3, 3), one, *crowd, pieces=[piece(*parts)], at="reserve", round=2, deployment=card,
            players=[{"red": True}, {}],
        )  # fmt: skip
    except UmpireError:
        return "no position"
    if battle.decision.prompt.key == "ask.deploy":
        assert battle.check(battle.decision.default).legal, seed
        return "room"
    state, own = battle.state, battle.state.fighter("a1")
    reach = 3.0 + (base / 50.8 if monster else -base / 50.8)
    count = int(reach / step) + 1
    for i in range(-count, count + 1):
        for k in range(-count, count + 1):
            x, y = round(15 + i * step, 3), round(11 + k * step, 3)
            if math.hypot(x - 15, y - 11) <= reach:
                for z in state.ground.surfaces(x, y):
                    assert not can_stand(state, body(own, x, y, z)), (seed, x, y, z)
    return "squeezed"


@pytest.mark.rule("warcry.reserve.no-room", "warcry.reserve.zone")
def test_nobody_is_squeezed_in_who_has_room() -> None:
    told = [check_deploy(seed, 0.15) for seed in range(12)]
    assert told.count("room") >= 2
    assert told.count("squeezed") >= 2


def check_drag(seed: int, step: float) -> str:
    """Somebody is to be set up within an inch of a monster: nobody is left where he is who has room there."""
    parts, crowd = strewn(seed, 60)
    rng = random.Random(-1 - seed)
    giant = fighter("a1", 15, 11, base=90, runemarks=["monster"])
    near = [spot for spot in crowd if math.hypot(spot["x"] - 15, spot["y"] - 11) > 2.8]
    victim = fighter("b99", 15, 17.5, base=rng.choice((32.0, 50.0, 65.0)))
    try:
        battle = scene(
            giant, *near, victim, active="a1", players=[{"sets": [[4, 3]]}, {}], pieces=[piece(*parts)], dice=[1] * 9
        )
        state = battle.state
        if state.ground.blocked(state.fighter("a1").base):
            return "no position"
        battle.answer("ability-drag")
        if battle.decision.prompt.key == "ask.pick":
            battle.answer("b99")
    except UmpireError:
        return "no position"
    if battle.decision is not None and battle.decision.prompt.key == "ask.set-up":
        assert battle.check(battle.decision.default).legal, seed
        return "there"
    one, big = battle.state.fighter("b99"), battle.state.fighter("a1")
    if not any(event.kind == "ability" for event in battle.events):
        return "no position"
    count = int((1.0 + one.profile.base / 50.8 + 45 / 25.4) / step) + 1
    for i in range(-count, count + 1):
        for k in range(-count, count + 1):
            x, y = round(15 + i * step, 3), round(11 + k * step, 3)
            for z in state.ground.surfaces(x, y):
                spot = body(one, x, y, z)
                if can_stand(state, spot, ("b99",)):
                    there = msgspec.structs.replace(one, x=x, y=y, z=z)
                    assert distance(there, big) > 1.0, (seed, x, y, z)
    return "nowhere"


@pytest.mark.rule("warcry.monster.drag")
def test_nobody_is_left_where_he_is_who_has_room_beside_the_monster() -> None:
    assert "there" in [check_drag(seed, 0.15) for seed in range(4)]


def broken(seed: int) -> tuple[Battle[State], dict[str, float], random.Random] | None:
    """A fighter before two boxes with others among them, and a goal beyond, on top of or between them."""
    rng = random.Random(seed)
    boxes: list[dict[str, Any]] = [
        {"rect": [0, 0, rng.uniform(1.5, 3), rng.uniform(1.5, 3)], "top": rng.choice((1.5, 2.0, 3.0))},
        {"rect": [rng.uniform(2.5, 4.5), rng.uniform(-1, 1), 2, 2], "top": rng.choice((1.2, 2.0, 3.0))},
    ]
    start = (15 - boxes[0]["rect"][2] / 2 - rng.uniform(0.5, 1.5), 11 + rng.uniform(-1, 1))
    others = [
        fighter(f"b{n}", round(15 + rng.uniform(-4, 6), 3), round(11 + rng.uniform(-4, 4), 3))
        for n in range(1, 1 + rng.randrange(0, 5))
    ]
    rects = [(15 + x, 11 + y, w / 2, d / 2) for x, y, w, d in (box["rect"] for box in boxes)]
    others = [
        one  # nobody stands in a box
        for one in others
        if all(
            math.hypot(max(0.0, abs(one["x"] - x) - w), max(0.0, abs(one["y"] - y) - d)) >= 0.5 for x, y, w, d in rects
        )
    ]
    with suppress(UmpireError):
        battle = scene(
            fighter("a1", *start), fighter("b9", 28, 20), *others, active="a1", pieces=[piece(*boxes)], dice=[]
        )
        if not battle.state.ground.blocked(battle.state.fighter("a1").base):
            goal = {"x": round(15 + rng.uniform(-2, 6.5), 3), "y": round(11 + rng.uniform(-3, 3), 3)}
            goal["z"] = rng.choice(battle.state.ground.surfaces(goal["x"], goal["y"]))
            return battle, goal, rng
    return None


def check_reach(seed: int, step: float) -> str:
    """A goal that is refused because it is a little too far is not reached by the same way shaken about, and by no
    climb and jump of a net of corners."""
    position = broken(seed)
    if position is None:
        return "no position"
    battle, goal, rng = position
    one = battle.state.fighter("a1")
    found = paths.find(Tracer(battle.state, one, 20.0), goal, 12.0)
    if found is None:
        return "no position"
    limit = round(found[1] + rng.choice((0.0, -0.02, -0.05, -0.15, -0.4)), 3)
    mover = FighterMover(Tracer(battle.state, one, limit))
    if not mover.judge({"to": goal}):
        assert mover.plan({"to": goal}).cost <= limit + TOLERANCE, seed
        return "reached"
    tracer = mover.tracer
    assert not shaken(Tracer(battle.state, one, 20.0), found[0], limit, rng, int(60 / step)), seed
    for part in battle.state.ground.parts:
        for foot, top in feet(part.points, step):
            up = [leg("walk", *foot), leg("climb", *foot, part.top), leg("climb", *top, part.top)]
            for last in ("jump", "walk"):
                path = [*up, leg(last, goal["x"], goal["y"], goal["z"] if last == "jump" else part.top)]
                trace = tracer.run(path)
                assert trace.reasons or abs(path[-1]["z"] - goal["z"]) > TOLERANCE, (seed, path)
    return "no way"


def feet(points: Any, step: float) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Places before the walls of a box and on its edge above them."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    for k in range(int((y1 - y0) / step)):
        for x, out in ((x0, -1), (x1, 1)):
            yield (x + out * 0.51, y0 + k * step), (x - out * 0.01, y0 + k * step)
    for k in range(int((x1 - x0) / step)):
        for y, out in ((y0, -1), (y1, 1)):
            yield (x0 + k * step, y + out * 0.51), (x0 + k * step, y - out * 0.01)


def shaken(tracer: Tracer, path: list[dict[str, Any]], limit: float, rng: random.Random, tries: int) -> bool:
    """Is the way, with its corners pushed about at random, ever short enough?"""
    best, cost = path, tracer.run(path).cost
    for _ in range(tries if len(path) > 1 else 0):
        new = [dict(data) for data in best]
        size, first = rng.choice((0.3, 0.1, 0.03, 0.01)), rng.randrange(len(new) - 1)
        dx, dy = rng.choice(((1, 0), (0, 1), (1, 1))), rng.choice((1, -1))
        for n in range(first, rng.randrange(first, len(new) - 1) + 1):
            new[n]["x"] += dx[0] * dy * size * rng.random()
            new[n]["y"] += dx[1] * size * rng.uniform(-1, 1)
        trace = tracer.run(new)
        if not trace.reasons and trace.cost < cost:
            best, cost = new, trace.cost
    return cost <= limit


def leg(how: str, x: float, y: float, z: float | None = None) -> dict[str, Any]:
    data: dict[str, Any] = {"how": how, "x": round(x, 3), "y": round(y, 3)}
    return data if z is None else {**data, "z": z}


@pytest.mark.rule("warcry.move.types")
def test_where_no_path_leads_no_climb_and_jump_leads() -> None:
    told = [check_reach(seed, 0.25) for seed in range(40)]
    assert told.count("no way") >= 5
    assert told.count("reached") >= 5


@pytest.mark.parametrize("seed", [980, 1195])
@pytest.mark.rule("warcry.move.action")
def test_the_shortest_walk_round_corners_is_worked_out(seed: int) -> None:
    assert check_reach(seed, 0.25) == "reached"


@pytest.mark.rule("warcry.move.climb-distance")
def test_the_foot_of_an_aslant_climb_is_pushed_beyond_the_corner_of_its_wall() -> None:
    """From a foot on the face of the wall it is two thousandths of an inch too far."""
    assert check_reach(538, 0.25) == "reached"


@pytest.mark.rule("warcry.move.climb-distance")
def test_a_climb_that_leads_on_round_a_corner_while_it_leads_up_is_found() -> None:
    """Round the first box and straight up the second it is 9.19 inches; over either aslant much less."""
    position = broken(525)
    assert position is not None
    battle, goal, _ = position
    one = battle.state.fighter("a1")
    assert not FighterMover(Tracer(battle.state, one, 9.168)).judge({"to": goal})
    assert not FighterMover(Tracer(battle.state, one, 8.6)).judge({"to": goal})


@pytest.mark.rule("warcry.move.climb-distance")
def test_a_climb_aslant_along_its_wall_is_found_where_the_upright_one_is_too_long() -> None:
    """Straight up and on it is 5.52 inches; aslant up the wall in the goal's direction less than 5."""
    box = piece({"rect": [0, 0, 1.546, 2.968], "top": 2})
    tracer_of = scene(fighter("a1", 13.216, 11.08, move=5), fighter("b1", 28, 20), active="a1", pieces=[box], dice=[])
    tracer_of.answer("move")
    goal = {"to": {"x": 15.513, "y": 13.514, "z": 0}}
    assert tracer_of.check(goal).legal
