""" "There is none" for garrisons: occupying and leaving against brute force on a grid."""

from __future__ import annotations

import math
import random
from contextlib import suppress

import msgspec
import pytest
from tests.conquest.builder import profile, r, regiment, scene, wood

from umpire.engine.battle import Battle
from umpire.errors import UmpireError
from umpire.games.conquest import drill, formation, garrison, leaving, march, ranked
from umpire.games.conquest.profiles import Terrain
from umpire.games.conquest.state import State
from umpire.space.moving import Go, sweep
from umpire.space.ranks import fronts


def before_the_house(seed: int) -> Battle[State] | None:
    """A regiment near a house, things strewn about."""
    rng = random.Random(seed)
    house = wood("house", 34.0, 24.0, 38.0, 28.0, kind="garrison", capacity=6)
    mine = regiment(
        "a", 0, (36 + rng.uniform(-6, 6), 24 - rng.uniform(0.2, 6)), rng.uniform(-80, 80), stands=3,
        files=rng.choice((2, 3)), of=profile(m=5),
    )  # fmt: skip
    rocks = [
        wood(f"rock{k}", x, y, x + rng.uniform(0.3, 1.5), y + rng.uniform(0.3, 1.5), "impassable")
        for k in range(rng.randrange(2, 6))
        for x, y in [(36 + rng.uniform(-7, 7), 24 - rng.uniform(0.5, 6))]
    ]
    with suppress(UmpireError):
        battle = scene(mine, regiment("z", 1, (60, 40), 180), terrain=[house, *rocks])
        own = ranked.blocks(r(battle, "a"))
        if all(fronts.gap(own, (t.thing,)) > 0.05 for t in battle.state.terrain):
            return battle
    return None


def in_by_brute_force(battle: Battle[State], step: float) -> bool:
    """Wheels by a grid and then straight on; straight, sideways and backwards: step by step until it touches."""
    state, a = battle.state, r(battle, "a")
    piece = state.piece("house")
    limit, _ = march.march_value(battle, a, "occupy")
    here, wide = ranked.pose(a), ranked.width(a)

    def gap(path: list[drill.Manoeuvre]) -> float:
        _, end = drill.legs_of(here, wide, path)
        return fronts.gap(ranked.blocks(a, end), (piece.thing,))

    starts = [([], how, limit if how == "forward" else limit / 2) for how in ("forward", "left", "right", "back")]
    for k in range(-int(90 / step), int(90 / step) + 1):
        turn = [drill.wheel(k * step)]
        starts.append((turn, "forward", limit - drill.cost(wide, turn)))
    for turn, how, most in starts:
        reached = next((n * 0.05 for n in range(int(most / 0.05) + 1) if gap([*turn, go(how, n * 0.05)]) <= 0.0), most)
        low, high = max(0.0, reached - 0.05), reached
        for _ in range(12):
            middle = (low + high) / 2
            low, high = (low, middle) if gap([*turn, go(how, middle)]) <= 0.0 else (middle, high)
        path = [*turn, go(how, round(high, 3))]
        if most < 0.0 or gap(path) > garrison.CONTACT:
            continue
        traced = march.trace(state, a, here, path, bare="house")
        if not traced.reasons and not traced.overlaps and not garrison.apart(traced.end, piece, a):
            return True
    return False


def go(how: str, inches: float) -> drill.Manoeuvre:
    return {"how": how, "inches": inches}


def check_in(seed: int, step: float = 1.0) -> str:
    battle = before_the_house(seed)
    if battle is None:
        return "unfit"
    if garrison.way_in(battle, r(battle, "a"), battle.state.piece("house")) is not None:
        return "found"
    assert not in_by_brute_force(battle, step), seed
    return "none"


@pytest.mark.parametrize("seed", [*range(6), 562, 872, 2277])
@pytest.mark.rule("conquest.terrain.garrison.enter")
def test_a_house_that_a_march_reaches_is_found(seed: int) -> None:
    check_in(seed, 3.0)


def in_the_house(seed: int) -> Battle[State]:
    """A garrison with things close about the house."""
    rng = random.Random(seed)
    house = wood("house", 34.0, 24.0, 38.0, 28.0, kind="garrison", capacity=6)
    mine = regiment("a", 0, (36, 26), stands=rng.randrange(2, 7), where="garrison", garrison="house")
    rocks = []
    for k in range(rng.randrange(30, 60)):
        x, y, w, d = 36 + rng.uniform(-7, 6), 26 + rng.uniform(-7, 6), rng.uniform(0.2, 1), rng.uniform(0.2, 1)
        if x + w < 33.9 or x > 38.1 or y + d < 23.9 or y > 28.1:
            rocks.append(wood(f"rock{k}", x, y, x + w, y + d, "impassable"))
    return scene(mine, regiment("z", 1, (60, 40), 180), terrain=[house, *rocks])


def out_by_brute_force(battle: Battle[State], tries: int, seed: int) -> bool:
    """From all sides and at all facings it is brought up until it touches the house."""
    state, a = battle.state, r(battle, "a")
    rng = random.Random(-1 - seed)
    piece = state.piece("house")
    limit, _ = march.march_value(battle, a, "leave")
    rule = "conquest.terrain.garrison.leave.place"
    forms = list(leaving.forms(a))
    for _ in range(tries):
        files, start = rng.choice(forms)
        stands = formation.arranged(a.stands, files, start)
        facing = rng.choice((rng.randrange(4) * 90.0, rng.uniform(0, 360)))
        x, y = 36 + rng.uniform(-9, 9), 26 + rng.uniform(-9, 9)
        dx, dy = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        out = msgspec.structs.replace(a, where="table", files=files, stands=stands)
        there = (x - 20 * dx, y - 20 * dy, facing)
        leg = sweep(ranked.blocks(out, there), (Go(40.0 * dx, 40.0 * dy),), (piece.thing,), 0.0)
        if leg.hit is None:
            continue
        there = (there[0] + leg.legs[0].dx, there[1] + leg.legs[0].dy, facing)
        if not any(leaving.exit_reasons(state, a, piece, there, stands, limit, rule)):
            return True
    return False


def check_out(seed: int, tries: int = 2000) -> str:
    battle = in_the_house(seed)
    found = leaving.way_out(battle, r(battle, "a"))
    if found is not None:
        rule = "conquest.terrain.garrison.leave.broken" if found[2] else "conquest.terrain.garrison.leave.place"
        piece = battle.state.piece("house")
        assert not leaving.form_reasons(battle.state, r(battle, "a"), piece, found[0], found[1], rule), seed
        if not found[2]:
            return "found"
    assert not out_by_brute_force(battle, tries, seed), seed
    return "broken" if found else "none"


@pytest.mark.rule("conquest.terrain.garrison.leave.place")
def test_a_lane_off_the_middle_of_the_wall_is_wide_enough() -> None:
    """All about the house is shut but one lane, 2.6 inches wide, at the end of a wall."""
    house = wood("house", 34.0, 24.0, 38.0, 28.0, kind="garrison", capacity=6)
    shut = [
        wood("west", 28.0, 14.0, 33.9, 38.0, "impassable"),
        wood("north", 33.9, 28.1, 44.0, 38.0, "impassable"),
        wood("east", 38.1, 14.0, 44.0, 28.1, "impassable"),
        wood("south", 33.9, 14.0, 35.45, 23.9, "impassable"),
    ]
    mine = regiment("a", 0, (36, 26), stands=2, where="garrison", garrison="house", of=profile(m=6))
    battle = scene(mine, regiment("z", 1, (60, 40), 180), terrain=[house, *shut])
    found = leaving.way_out(battle, r(battle, "a"))
    assert found is not None
    assert not found[2]


@pytest.mark.rule("conquest.terrain.garrison.leave.broken")
@pytest.mark.parametrize("east", [40.4, 40.36, 40.9])
def test_a_garrison_that_has_room_within_its_march_is_not_broken(east: float) -> None:
    """Two stands of March 2 stand beside each other only off the middle of the wall, the one past its end; one behind
    the other they would stand in many places, but further off than their March."""
    house = wood("house", 34.0, 24.0, 38.0, 28.0, kind="garrison", capacity=6)
    shut = [
        wood("west", 28.0, 14.0, 33.9, 38.0, "impassable"),
        wood("north", 33.9, 28.1, 44.0, 38.0, "impassable"),
        wood("above", 38.1, 24.0, 44.0, 28.1, "impassable"),
        wood("east", east, 14.0, 44.0, 24.0, "impassable"),
        wood("south", 33.9, 14.0, east - 5.05, 23.9, "impassable"),
    ]
    mine = regiment("a", 0, (36, 26), stands=2, where="garrison", garrison="house", of=profile(m=2))
    battle = scene(mine, regiment("z", 1, (60, 40), 180), terrain=[house, *shut])
    one, piece = r(battle, "a"), battle.state.piece("house")
    found = leaving.way_out(battle, one)
    assert found is not None
    assert not found[2], "the emergency placement"
    rule = "conquest.terrain.garrison.leave.place"
    assert not leaving.form_reasons(battle.state, one, piece, found[0], found[1], rule)
    tried = list(leaving.exits(battle.state, one, piece))
    assert not any(leaving.may_form(battle.state, one, piece, spot, found[1], rule) for spot in tried)
    assert any(leaving.may_form(battle.state, one, piece, spot, 2 * found[1], rule) for spot in tried)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.rule("conquest.terrain.garrison.leave.impossible")
def test_a_garrison_leaves_where_there_is_room(seed: int) -> None:
    check_out(seed, 300)


@pytest.mark.rule("conquest.terrain.garrison.leave.place")
@pytest.mark.parametrize(("turned", "wide"), [(17.3, 2.52), (41.7, 2.52), (63.9, 2.5), (41.7, 2.47)])
def test_a_slanting_lane_a_hair_wider_than_the_regiment_is_found(turned: float, wide: float) -> None:
    """The only free ground is a lane askew to every wall, off every facing that anybody would try."""
    house = wood("house", 34.0, 24.0, 38.0, 28.0, kind="garrison", capacity=6)
    s, c = math.sin(math.radians(turned)), math.cos(math.radians(turned))

    def block(key: str, points: list[tuple[float, float]]) -> Terrain:
        return Terrain(
            key, tuple((38.0 + x * c + y * s, 28.0 + y * c - x * s) for x, y in points), rules=("impassable",)
        )

    lane = [
        block("left", [(-wide / 2 - 9, 0.6), (-wide / 2, 0.6), (-wide / 2, 9), (-wide / 2 - 9, 9)]),
        block("right", [(wide / 2, 0.6), (wide / 2 + 9, 0.6), (wide / 2 + 9, 9), (wide / 2, 9)]),
    ]
    shut = [
        wood("west", 28.0, 14.0, 33.9, 38.0, "impassable"),
        wood("south", 33.9, 14.0, 50.0, 23.9, "impassable"),
        wood("east", 38.05, 23.9, 50.0, 28.0 - 1.27 * s, "impassable"),
        wood("north", 33.9, 28.05, 38.0 - 1.27 * c, 38.0, "impassable"),
    ]
    mine = regiment("a", 0, (36, 26), stands=1, where="garrison", garrison="house", of=profile(m=6))
    battle = scene(mine, regiment("z", 1, (60, 40), 180), terrain=[house, *lane, *shut])
    found = leaving.way_out(battle, r(battle, "a"))
    assert (found is not None and not found[2]) is (wide >= 2.5)
