""" "There is none" against brute force: Falling Back, charges, disembarking and an Aircraft's minimum move, in random
tight positions; a net of ends, each by the straight way and by ways with a bend, is laid over all that could do."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.games.wh40k import deployment, movement, reserves
from umpire.games.wh40k.aircraft import can_complete
from umpire.games.wh40k.charging import Reach
from umpire.games.wh40k.closing import Closer
from umpire.games.wh40k.disembarking import exits_of
from umpire.games.wh40k.moving import KINDS, Limits, Mover
from umpire.games.wh40k.placing import Placer
from umpire.games.wh40k.returning import return_placer
from umpire.games.wh40k.state import Unit
from umpire.games.wh40k.transports import NEAR, disembark_objections
from wh40k.builder import scene, solid, unit

Spot = tuple[float, float]


def strewn(rng: random.Random, count: int, far: float, apart: float, kept: list[Spot], near: float = 0.0) -> list[Spot]:
    """Places about (20, 15), none nearer to another, or to those given, than so much."""
    found: list[Spot] = []
    for _ in range(count * 8):
        angle, off = rng.uniform(0, math.tau), rng.uniform(near, far)
        spot = (round(20 + off * math.cos(angle), 3), round(15 + off * math.sin(angle), 3))
        if all(math.dist(spot, other) >= apart for other in (*kept, *found)):
            found.append(spot)
        if len(found) == count:
            break
    return found


def net(x: float, y: float, far: float, step: float) -> Iterator[Spot]:
    count = int(far / step)
    for i in range(-count, count + 1):
        for j in range(-count, count + 1):
            if math.hypot(i * step, j * step) <= far:
                yield round(x + i * step, 3), round(y + j * step, 3)


def some_way(mover: Mover, mine: Unit, ends: Iterator[Spot], rng: random.Random) -> Any:
    """A legal move of a single model to one of some ends, straight or by one or two bends."""
    (m,) = mine.models
    far = mover.limits.allowance
    for x, y in ends:
        ways: list[list[list[float]]] = [[]]
        spare = far - math.hypot(x - m.x, y - m.y)
        if spare < 0:
            continue
        ways += [
            [[round((m.x + x) / 2 + rng.uniform(-3, 3), 3), round((m.y + y) / 2 + rng.uniform(-3, 3), 3)]]
            for _ in range(4)
        ]
        for path in ways:
            answer = {"models": {m.id: {"x": x, "y": y, "path": path}}}
            if not mover.judge(answer):
                return answer
    return None


def check_fall_back(seed: int, step: float = 0.1) -> str:
    rng = random.Random(seed)
    move = rng.choice((2, 3, 4))
    ring = strewn(rng, rng.randrange(5, 16), 4.5, 1.0, [(20, 15)], 1.02)
    foes = [unit(f"b{n + 1}", spot) for n, spot in enumerate(ring)]
    with suppress(UmpireError):
        battle = scene(unit("a1", (20, 15), m=move), unit("a2", (40, 28)), *foes)
        state, mine = battle.state, battle.state.unit("a1")
        if not mine.engaged:
            return "unfit"
        if not movement.trapped(state, mine):
            return "found"
        mover = Mover(state, mine, movement._limits(mine, "fall-back", {"a1.1": float(move)}), "fall-back")
        assert some_way(mover, mine, net(20, 15, move, step), rng) is None, seed
        return "none"
    return "unfit"


def check_charge(seed: int, step: float = 0.1) -> str:
    rng = random.Random(seed)
    goal = (round(20 + rng.uniform(-3, 3), 3), round(15 + rng.uniform(4, 8), 3))
    others = strewn(rng, rng.randrange(4, 14), 9.0, 1.0, [(20, 15), goal], 1.02)
    mixed = [unit(f"{'ab'[rng.random() < 0.3]}{n + 2}", spot) for n, spot in enumerate(others)]
    walls = [solid("debris", 20 + rng.uniform(-4, 4), 15 + rng.uniform(1.5, 5), rng.uniform(1, 6), 0.6, 4)]
    with suppress(UmpireError):
        battle = scene(unit("a1", (20, 15)), unit("b1", goal), *mixed, phase="charge", terrain=walls[: seed % 2])
        mine = battle.state.unit("a1")
        if mine.engaged:
            return "unfit"
        reach = Reach(battle, mine, ["b1"])
        natural = max(2, min(12, math.ceil(math.dist((20, 15), goal) - 2.0) + rng.randrange(0, 3)))
        if not reach.fails(natural):
            return "found" if reach.way(natural)[1] is not None else "open"
        mover, _ = reach.way(natural)
        assert some_way(mover, mine, net(*goal, 2.05, step), rng) is None, seed
        return "none"
    return "unfit"


def check_disembark(seed: int, step: float = 0.05) -> str:
    rng = random.Random(seed)
    ring = strewn(rng, rng.randrange(10, 26), 6.6, 1.0, [], 3.0)
    near = [unit(f"{'ab'[rng.random() < 0.6]}{n + 3}", spot) for n, spot in enumerate(ring)]
    size = rng.choice((25.4, 40.0, 50.8))
    with suppress(UmpireError):
        truck = unit("a1", (20, 15), base=[100], keywords=["vehicle", "transport"], carries={"capacity": 9})
        crew = unit("a2", where="aboard", aboard="a1", began_aboard=True, base=[size])
        battle = scene(truck, crew, *near, unit("b1", (40, 28)))
        state, crew_ = battle.state, battle.state.unit("a2")
        if all(why.key != "reason.wh40k.no-place" for why in disembark_objections(state, crew_)):
            return "found"
        placer = exits_of(state, crew_, state.unit("a1"), NEAR)
        (m,) = crew_.models
        for x, y in net(20, 15, 5.2, step):
            assert placer.judge({"models": {m.id: {"x": x, "y": y}}}), (seed, x, y)
        return "none"
    return "unfit"


def check_flight(seed: int, step: float = 0.2) -> str:
    rng = random.Random(seed)
    low = rng.uniform(3, 6)
    high = low + rng.uniform(0.1, 1.5)
    ring = strewn(rng, 40, high + 1.2, 1.0, [(20, 15)], max(1.1, low - 1.2))
    others = [unit(f"{'ab'[n % 2]}{n + 2}", spot) for n, spot in enumerate(ring)]
    with suppress(UmpireError):
        keywords = ["vehicle", "aircraft", "fly"]
        battle = scene(unit("a1", (20, 15), keywords=keywords, m=int(high) + 1, m_min=1), *others, unit("b1", (43, 1)))
        state, mine = battle.state, battle.state.unit("a1")
        words = KINDS["normal"]
        limits = Limits(high, words.rule, crossing=words.crossing, ending=words.ending, least=low)
        mover = Mover(state, mine, limits, "normal")
        if can_complete(mover):
            return "found"
        ends = (spot for spot in net(20, 15, high, step) if math.dist(spot, (20, 15)) >= low)
        assert some_way(mover, mine, ends, rng) is None, seed
        return "none"
    return "unfit"


Wall = tuple[float, float, float, float]
"""The middle, width and depth of a block."""


def block(rng: random.Random, x: float, y: float, far: float) -> Wall:
    return (x + rng.uniform(-far, far), y + rng.uniform(-far, far), rng.uniform(0.5, 2.5), rng.uniform(0.4, 1.5))


def off(spot: Spot, walls: list[Wall], far: float = 0.51) -> bool:
    """Is a base of an inch clear of walls?"""
    return all(
        math.hypot(max(0.0, abs(spot[0] - x) - w / 2), max(0.0, abs(spot[1] - y) - d / 2)) > far for x, y, w, d in walls
    )


def placed_or_not(placer: Placer, found: Any, spots: Iterator[Spot], seed: int) -> str:
    """Was a place found for one model? If not, no place of the net may do."""
    if found is not None:
        assert not placer.judge(found), seed
        return "found"
    (m,) = placer.models
    for x, y in spots:
        assert placer.judge({"models": {m.id: {"x": x, "y": y}}}), (seed, x, y)
    return "none"


def check_arrive(seed: int, step: float = 0.1) -> str:
    """From reserve by an edge, enemies 9 inches off, in the second round not in their zone: a small table with a few
    enemies strewn about and friends along its edges."""
    rng = random.Random(seed)
    wide, deep = rng.uniform(12, 22), rng.uniform(12, 18)
    walls = [block(rng, wide / 2, deep / 2, wide / 2)][: seed % 2]
    spots: list[Spot] = []
    foes = rng.randrange(4, 10)
    for n in range(rng.randrange(40, 400)):
        along, away = rng.uniform(0.5, wide - 0.5), rng.uniform(0.5, 5.5 if n > 9 else deep - 0.5)
        spot = (round(along, 3), round(rng.choice((away, deep - away)), 3))
        if 0.5 < spot[1] < deep - 0.5 and off(spot, walls) and all(math.dist(spot, other) > 1.01 for other in spots):
            spots.append(spot)
    others = [unit(f"{'ba'[n >= foes]}{n + 2}", spot) for n, spot in enumerate(spots)]
    with suppress(UmpireError):
        battle = scene(
            unit("a1", where="reserve", left="muster", base=[rng.choice((25.4, 40.0))]), *others,
            phase="movement", round=2 + seed % 2, width=wide, depth=deep,
            terrain=[solid("debris", *w, 4) for w in walls],
        )  # fmt: skip
        state, mine = battle.state, battle.state.unit("a1")
        placer, _, _ = reserves.arrival(state, mine)
        ends = ((i * step, j * step) for i in range(int(wide / step)) for j in range(int(deep / step)))
        by_edge = ((x, y) for x, y in ends if min(x, y, wide - x, deep - y) <= 5.6)
        return placed_or_not(placer, placer.some_room(), by_edge, seed)
    return "unfit"


def check_return(seed: int, step: float = 0.07) -> str:
    """A model that comes back beside its unit, among friends and out of Engagement Range."""
    rng = random.Random(seed)
    own = [(20.0, 15.0), (21.3, 15.0)]
    walls = [w for w in [block(rng, 20.6, 15, 3)][: seed % 2] if all(off(spot, [w]) for spot in own)]
    spots = [spot for spot in strewn(rng, rng.randrange(20, 60), 4.2, 1.0, own) if off(spot, walls)]
    others = [unit(f"{'ab'[rng.random() < 0.5]}{n + 2}", spot) for n, spot in enumerate(spots)]
    with suppress(UmpireError):
        terrain = [solid("debris", *w, 4) for w in walls]
        battle = scene(unit("a1", *own, dead=1), *others, unit("b1", (43, 1)), terrain=terrain)
        state, mine = battle.state, battle.state.unit("a1")
        placer = return_placer(state, mine, 1, "wh40k.morale.revived.all")
        found = placer.beside(mine.models) or placer.filled()
        return placed_or_not(placer, found, net(20.6, 15.0, 4.2, step), seed)
    return "unfit"


def check_deploy(seed: int, step: float = 0.05) -> str:
    """One model more in a small deployment zone."""
    rng = random.Random(seed)
    wide, deep = rng.uniform(3, 6), rng.uniform(3, 5)
    zone = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
    walls = [block(rng, wide / 2, deep / 2, wide / 2)][: seed % 2]
    spots: list[Spot] = []
    for _ in range(rng.randrange(20, 200)):
        spot = (round(rng.uniform(0.5, wide), 3), round(rng.uniform(0.5, deep), 3))
        if off(spot, walls) and all(math.dist(spot, other) > 1.01 for other in spots):
            spots.append(spot)
    with suppress(UmpireError):
        size = rng.choice((25.4, 32.0, 50.8))
        friends = [unit(f"a{n + 2}", spot) for n, spot in enumerate(spots)]
        terrain = [solid("debris", *w, 4) for w in walls]
        battle = scene(unit("a1", where="reserve", base=[size]), *friends, unit("b1", (40, 28)), terrain=terrain)
        placer = deployment.deployer(battle.state, battle.state.unit("a1"), zone)
        spots_there = ((i * step, j * step) for i in range(int(wide / step)) for j in range(int(deep / step)))
        return placed_or_not(placer, placer.filled(), spots_there, seed)
    return "unfit"


def check_pile_in(seed: int, step: float = 0.1) -> str:
    """A lone model that has charged, friends about it: it closes up wherever a step brings it nearer to its enemy."""
    rng = random.Random(seed)
    goal = (round(20 + rng.uniform(-0.5, 0.5), 3), round(15 + rng.uniform(1.1, 3.5), 3))
    # Whoever has a gap before him takes a small step: some of his friends touch him.
    beside: list[Spot] = []
    for _ in range(rng.randrange(0, 40)):
        angle = rng.uniform(0, math.tau)
        spot = (20 + math.ceil(1000 * math.cos(angle)) / 1000, 15 + math.ceil(1000 * math.sin(angle)) / 1000)
        if all(math.dist(spot, other) >= 1.0 for other in (goal, (20, 15), *beside)):
            beside.append(spot)
    walls = [w for w in [block(rng, 20, 16.5, 2)][: seed % 2] if all(off(spot, [w]) for spot in ((20, 15), goal))]
    others = [*beside, *strewn(rng, rng.randrange(0, 20), 4, 1.0, [(20, 15), goal, *beside], 1.001)]
    crowd = [unit(f"a{n + 2}", spot) for n, spot in enumerate(others) if off(spot, walls)]
    with suppress(UmpireError):
        battle = scene(
            unit("a1", (20, 15), marks=["charged"], targets=["b1"]), unit("b1", goal), *crowd,
            phase="fight", terrain=[solid("debris", *w, 4) for w in walls],
        )  # fmt: skip
        mine = battle.state.unit("a1")
        closer = Closer(battle.state, mine, "pile-in")
        if not closer.may_close():
            return "unfit"
        found = closer.propose(Rng(0))
        if "models" in found:
            assert not closer.judge(found), seed
            return "found"
        assert some_way(closer, mine, net(20, 15, 3.0, step), rng) is None, seed
        return "none"
    return "unfit"


def check_nearest(seed: int, step: float = 0.06) -> str:
    """One model dragged among others: nothing on a net, nor close about the place offered, is legal and nearer."""
    rng = random.Random(seed)
    spots = strewn(rng, rng.randrange(4, 30), 8.0, 1.0, [(20, 15)], 1.1)
    others = [unit(f"{'ab'[rng.random() < 0.3]}{n + 2}", spot) for n, spot in enumerate(spots)]
    far = rng.choice((3, 5, 6))
    with suppress(UmpireError):
        battle = scene(unit("a1", (20, 15), m=far), *others, unit("b1", (43, 1)))
        state, mine = battle.state, battle.state.unit("a1")
        if mine.engaged:
            return "unfit"
        mover = Mover(state, mine, movement._limits(mine, "normal", {"a1.1": float(far)}), "normal")
        turn, away = rng.uniform(0, math.tau), rng.uniform(0.3, 1.3) * far
        wish = (round(20 + away * math.cos(turn), 3), round(15 + away * math.sin(turn), 3))
        if not mover.judge({"to": {"x": wish[0], "y": wish[1]}}):
            return "legal"
        found = mover.nearest({"to": {"x": wish[0], "y": wish[1]}})
        assert not mover.judge(found), seed
        end = (found["to"]["x"], found["to"]["y"]) if "to" in found else (20.0, 15.0)
        off = math.dist(end, wish)
        about = [(end[0] + i * 0.004, end[1] + j * 0.004) for i in range(-8, 9) for j in range(-8, 9)]
        for x, y in (*net(*wish, off, step), *about):
            if math.dist((x, y), wish) < off - ROUNDED and math.dist((x, y), (20, 15)) <= far:
                assert mover.judge({"to": {"x": round(x, 3), "y": round(y, 3)}}), (seed, x, y, off)
        return "near"
    return "unfit"


ROUNDED = 0.006
"""Places are looked for a little off the edges, where rounding does no harm."""


CHECKS: dict[str, Callable[..., str]] = {
    "fall-back": check_fall_back,
    "charge": check_charge,
    "disembark": check_disembark,
    "flight": check_flight,
    "arrive": check_arrive,
    "return": check_return,
    "deploy": check_deploy,
    "pile-in": check_pile_in,
    "nearest": check_nearest,
}


DECIDED = {
    "arrive": "wh40k.reserves.place.nine-inches",
    "return": "wh40k.morale.revived.all",
    "deploy": "wh40k.unit.coherency-when",
    "pile-in": "wh40k.fight.pile-in.closer",
    "nearest": "wh40k.move.normal-no-engagement",
}


@pytest.mark.parametrize(
    "what", [pytest.param(k, marks=pytest.mark.rule(DECIDED[k])) if k in DECIDED else k for k in CHECKS]
)
def test_there_is_none_only_where_a_net_finds_none(what: str) -> None:
    came = [CHECKS[what](seed, 0.4) for seed in range(24)]
    if what == "nearest":
        assert came.count("near") >= 10, came
        return
    assert came.count("found") >= 2, came
    assert came.count("none") >= 1, came


@pytest.mark.parametrize("seed", [227, 262, 421, 599])
@pytest.mark.rule("wh40k.fight.pile-in.closer")
def test_who_touches_a_friend_piles_in_round_him(seed: int) -> None:
    """The shortest way hugs the friend from the first inch; rounded to thousandths it must not lead through him."""
    assert check_pile_in(seed) == "found"


@pytest.mark.parametrize("seed", [137, 147])
@pytest.mark.rule("wh40k.morale.revived.all")
def test_there_is_room_above_a_comrade_and_where_an_edge_meets_a_range_at_an_acute_angle(seed: int) -> None:
    assert check_return(seed) == "found"


@pytest.mark.parametrize(
    ("seed", "came"), [(38, "none"), (56, "none"), (54, "found"), (110, "found"), (49, "found"), (864, "found")]
)
@pytest.mark.rule("wh40k.charge.success-test")
def test_a_charge_among_others_is_found_or_proved_away(seed: int, came: str) -> None:
    """Others' Engagement Ranges bar the way as models do: past them, and past walls, the nearest place is computed;
    closer to them where it is long enough for that alone."""
    assert check_charge(seed, 0.2) == came
