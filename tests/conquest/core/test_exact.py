""" "There is none" is computed: cluttered positions against brute force."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from tests.conquest.builder import FIELD, do, profile, r, regiment, scene, wood

from umpire.engine.battle import Battle
from umpire.errors import UmpireError
from umpire.games.conquest import (
    arriving,
    contact,
    drill,
    entry,
    formation,
    march,
    pressing,
    ranked,
    table,
    ways_out,
    withdraw,
    wounds,
)
from umpire.games.conquest.profiles import Scenario
from umpire.games.conquest.state import State
from umpire.space.angles import rotate
from umpire.space.measure import separation
from umpire.space.moving import Go, sweep
from umpire.space.places import kept
from umpire.space.ranks import fronts, wheelings
from umpire.space.ranks.fronts import Body
from umpire.space.shapes import TOLERANCE, Prism, dot


def cluttered(seed: int) -> Battle[State] | None:
    rng = random.Random(seed)
    size = (rng.choice((2.0, 2.5)), 2.5)
    charger = regiment(
        "c", 0, (36.0, 20.0), 0.0, stands=rng.randrange(2, 7), files=rng.randrange(2, 4), of=profile(size=size)
    )
    target = regiment(
        "t", 1, (36.0 + rng.uniform(-5, 5), 20.0 + rng.uniform(3, 8)), rng.uniform(120, 240), stands=3, files=3
    )
    rocks = []
    for k in range(rng.randrange(2, 7)):
        x, y = 36.0 + rng.uniform(-7, 7), 20.0 + rng.uniform(0.5, 7)
        w, d = rng.uniform(0.3, 2), rng.uniform(0.3, 1)
        rocks.append(wood(f"rock{k}", x, y, x + w, y + d, "impassable"))
    try:
        battle = scene(charger, target, terrain=rocks)
    except UmpireError:
        return None
    state = battle.state
    bodies = [b for who in ("c", "t") for b in ranked.blocks(state.regiment(who))]
    if any(separation(piece.thing, body) < 0.05 for piece in state.terrain for body in bodies):
        return None
    return battle


def brute(state: State, step: float) -> list[float]:
    """Wheels by a fine grid after which the way straight on leads to a contact."""
    charger, target = state.regiment("c"), state.regiment("t")
    side, _ = contact.majority_side(target, charger)
    ground = contact.approach(state, charger, target, side)
    wheels = [k * step for k in range(-int(90 / step), int(90 / step) + 1)]
    return [w.degrees for w in contact.Quick(ground).free(wheels) if contact.wheeled(ground, w.degrees) is not None]


def check(seed: int, step: float = 0.1) -> str:
    battle = cluttered(seed)
    if battle is None:
        return "unfit"
    state = battle.state
    side, _ = contact.majority_side(r(battle, "t"), r(battle, "c"))
    found = contact.contacts(state, r(battle, "c"), r(battle, "t"), side)
    if found:
        return "reached"
    assert not brute(state, step), seed
    return "blocked"


@pytest.mark.rule("conquest.charge.blocked")
@pytest.mark.parametrize("seed", [*range(12), 157, 1762, 2419])
def test_a_blocked_charge_has_no_free_wheel(seed: int) -> None:
    check(seed)


def among_friends(seed: int) -> Battle[State]:
    rng = random.Random(seed)
    friends = []
    for k in range(rng.randrange(2, 5)):
        at = (36.0 + rng.uniform(-6, 6), 20.0 + rng.uniform(-6, 7))
        friend = regiment(f"f{k}", 0, at, rng.choice((0.0, 90.0, rng.uniform(0, 360))), stands=3, files=3)
        with suppress(UmpireError):  # friends do not stand in each other
            scene(regiment("c", 0, (36.0, 20.0), 0.0, stands=3, files=3), *friends, friend)
            friends.append(friend)
    rock = [wood("rock", 30.0, 28.0, 44.0, 29.0, "impassable")] if rng.random() < 0.5 else []
    one = regiment("c", 0, (36.0, 20.0), 0.0, stands=3, files=3)
    with suppress(UmpireError):  # nor in the rock
        return scene(one, *friends, terrain=rock)
    return scene(one, *friends)


def legal(battle: Battle[State], path: list[dict[str, object]]) -> bool:
    run = march.trace(battle.state, r(battle, "c"), ranked.pose(r(battle, "c")), path)
    return not run.reasons and not run.overlaps


def ways_on_a_grid(wide: float, limit: float, step: float) -> Iterator[list[drill.Manoeuvre]]:
    """Straight on, backwards and sideways by a step; after a wheel by degrees straight on by five steps."""
    for how, most in (("forward", limit), ("back", limit / 2), ("left", limit / 2), ("right", limit / 2)):
        for k in range(int(most / step) + 1):
            yield [{"how": how, "inches": round(k * step, 3)}]
    widest = int(min(90.0, math.degrees(limit / wide)))
    for degrees in range(-widest, widest + 1):
        left = limit - drill.cost(wide, [drill.wheel(degrees)])
        for k in range(int(left / (5 * step)) + 1):
            yield [drill.wheel(degrees), drill.forward(k * 5 * step)]


def hemmed_in(seed: int) -> Battle[State] | None:
    """The same with enemies and rocks near by, on the way too, in any formation."""
    rng = random.Random(seed)
    stands, files = rng.choice(((3, 3), (3, 3), (4, 2), (5, 3), (2, 2), (4, 4)))
    others = []
    own = regiment("c", 0, (36.0, 20.0), 0.0, stands=stands, files=files)
    for k in range(rng.randrange(1, 4)):
        at = (36.0 + rng.uniform(-6, 6), 20.0 + rng.uniform(-6, 7))
        facing = rng.choice((0.0, 90.0, rng.uniform(0, 360)))
        other = regiment(f"f{k}", rng.choice((0, 0, 0, 1)), at, facing, stands=3, files=3)
        with suppress(UmpireError):
            scene(own, *others, other)
            others.append(other)
    rocks = [
        wood(f"rock{k}", x, y, x + rng.uniform(0.2, 2), y + rng.uniform(0.2, 2), "impassable")
        for k in range(rng.randrange(1, 5))
        for x, y in [(36 + rng.uniform(-8, 7), 20 + rng.uniform(-5, 7))]
    ]
    with suppress(UmpireError):
        battle = scene(own, *others, terrain=rocks)
        bodies = [block for other in battle.state.regiments.values() for block in ranked.blocks(other)]
        if all(separation(piece.thing, body) > 0.05 for piece in battle.state.terrain for body in bodies):
            return battle
    return None


def check_escape(seed: int, step: float, make: Callable[[int], Battle[State] | None] = among_friends) -> str:
    battle, limit = make(seed), 5.0
    if battle is None:
        return "unfit"
    one = r(battle, "c")
    found = march.escapes(battle, one, ranked.pose(one), limit)
    if found.way is not None:
        assert legal(battle, found.way)
        return "out"
    wide = ranked.width(one)
    for path in ways_on_a_grid(wide, limit, step):
        assert not legal(battle, path), (seed, path)
    for path in ways_by_two_wheels(wide, limit, random.Random(seed), int(60 / step)):
        assert not legal(battle, path), (seed, path)
    return "proved shut in" if found.none else "shut in"


def ways_by_two_wheels(wide: float, limit: float, rng: random.Random, tries: int) -> Iterator[list[drill.Manoeuvre]]:
    """At random: a wheel, straight on, another wheel, straight on as far as there is left."""
    for _ in range(tries):
        widest = math.degrees(limit / wide)
        path = [drill.wheel(rng.uniform(-widest, widest)), drill.forward(rng.uniform(0, limit / 2))]
        path.append(drill.wheel(rng.uniform(-widest, widest)))
        left = limit - drill.cost(wide, path)
        if left > 0:
            yield [*path, drill.forward(rng.uniform(0, left))]


@pytest.mark.rule("conquest.march.through-friends.two-actions")
@pytest.mark.parametrize("seed", [207, 490, 519, 751])
def test_a_second_march_may_wheel_twice_to_lead_out_of_friends(seed: int) -> None:
    battle = among_friends(seed)
    one = r(battle, "c")
    found = march.escapes(battle, one, ranked.pose(one), 5.0).way
    assert found is not None
    assert [leg["how"] for leg in found] == ["wheel", "forward", "wheel"]
    assert legal(battle, found)
    assert drill.cost(7.5, found) <= 5.0 + TOLERANCE


@pytest.mark.rule("conquest.march.through-friends.two-actions")
def test_that_no_wheels_lead_out_of_friends_is_proved() -> None:
    """In every position that is shut in; 256 has room only where friends would be overlapped too deep by a hair, and
    by rocks that are on the way a march is stopped at once in some."""
    came = [check_escape(seed, 0.25) for seed in (*range(30), 256, 834)]
    assert came.count("proved shut in") > 9
    near = [check_escape(seed, 0.25, hemmed_in) for seed in (31, 50, 506, 711, 784, 792, 1443, 2213)]
    assert near.count("proved shut in") == 7  # 506 is led out by two wheels
    assert {*came, *near} == {"out", "proved shut in"}


@pytest.mark.rule("conquest.march.through-friends.two-actions")
def test_whoever_is_not_proved_shut_in_may_try() -> None:
    battle = hemmed_in(168)
    assert battle is not None
    one = r(battle, "c")
    assert march.escapes(battle, one, ranked.pose(one), 5.0) == (None, False)
    assert march.may_escape(battle, one, ranked.pose(one), 5.0)


def ways_by_any_wheels(wide: float, limit: float, seed: int, count: int = 400) -> Iterator[list[drill.Manoeuvre]]:
    """At random: wheels and moves straight on, up to six."""
    rng = random.Random(seed)
    for _ in range(count):
        path: list[drill.Manoeuvre] = []
        left = limit * rng.choice((1.0, rng.random()))
        while left > 0.01 and len(path) < 6:
            spent = rng.choice((left, rng.uniform(0, left)))
            turn = math.degrees(spent / wide) * rng.choice((1, -1))
            path.append(drill.wheel(turn) if rng.random() < 0.6 else drill.forward(spent))
            left -= spent
        yield path


@pytest.mark.rule("conquest.march.through-friends.two-actions")
@pytest.mark.parametrize("many", [8, 32])
def test_whoever_is_not_stopped_is_in_a_stage_that_is_looked_at(many: int) -> None:
    """Marches that pass everything on the way to where they end: one stage is as long and holds that turn."""
    passed = 0
    for seed in (31, 50, 168, 792, 1443, 2071, 2303, 2977, 3836):
        battle = hemmed_in(seed)
        assert battle is not None
        state, one = battle.state, r(battle, "c")
        body, where = ranked.shape(one), ranked.pose(one)
        stops = [*table.around(state, one, where, 5.0, False)[1], *table.edges(state)]
        held = kept(ways_out._kept(stops, ways_out.FINE))
        stages = list(wheelings.stages(wheelings.March(body, where, 5.0 + TOLERANCE), held, many))
        for path in ways_by_any_wheels(body.width, 5.0, seed):
            spent = drill.cost(body.width, path)
            if spent <= 5.0 and not march.trace(state, one, where, path).reasons:
                turn = math.radians(math.fsum(leg["degrees"] for leg in path if leg["how"] == "wheel"))
                stage = next((one for one in stages if one.limit >= spent), None)
                assert stage is not None, (seed, path)
                assert stage.turned[0] - 1e-9 <= turn <= stage.turned[1] + 1e-9, (seed, path)
                passed += 1
    assert passed > 300


MARCHES = [(7.5, 5.0), (2.5, 7.0), (5.0, 12.0), (10.0, 6.0)]


@pytest.mark.rule("conquest.march.wheel.multiple")
@pytest.mark.parametrize(("wide", "limit"), MARCHES)
def test_wherever_wheels_lead_two_of_them_do_for_no_more_inches(wide: float, limit: float) -> None:
    where = (30.0, 20.0, 77.0)
    for path in ways_by_any_wheels(wide, limit, 7):
        x, y, facing = drill.legs_of(where, wide, path)[1]
        turn, spent = math.radians(facing - where[2]), drill.cost(wide, path)
        march_of = wheelings.March(Body(wide, 2.5, ()), where, spent + 0.001)
        way = wheelings.way_there(march_of, x, y, abs(turn), math.copysign(1.0, turn))
        assert way is not None, path
        ends = drill.legs_of(where, wide, ways_out.spelled(way))[1]
        assert math.dist(ends[:2], (x, y)) < 0.003
        assert abs(ends[2] - facing) < 0.01


@pytest.mark.rule("conquest.march.wheel.multiple")
@pytest.mark.parametrize(("wide", "limit"), MARCHES)
def test_no_march_leads_out_of_the_slices_that_are_looked_at(wide: float, limit: float) -> None:
    """Some slice holds where it ends, and one of the halves of a slice that does, down to the narrowest."""
    march_of = wheelings.March(Body(wide, 2.5, ()), (0.0, 0.0, 0.0), limit + 0.001)
    for path in ways_by_any_wheels(wide, limit, 8, 100):
        x, y, facing = drill.legs_of(march_of.where, wide, path)[1]
        turn, sign = math.radians(abs(facing)), math.copysign(1.0, facing)
        held = wheelings.slices(march_of)
        for _ in range(14):
            held = [one for one in held if one.sign == sign or turn < 1e-6 if holds(march_of, one, x, y, turn)]
            assert held, path
            held = [half for one in held for half in wheelings._halves(one, march_of, march_of.region(one)[1])]


def holds(march_of: wheelings.March, one: wheelings.Slice, x: float, y: float, turn: float) -> bool:
    ring, rim = march_of.region(one)
    # What it turns within the slice is taken off the body.
    return one.low - 1e-6 <= turn <= one.high + 1e-6 and separation(dot(x, y), Prism(tuple(ring))) <= rim + 1e-6


def engaged(seed: int, **more: Any) -> Battle[State] | None:
    """A regiment that has turned its back to an enemy, others and rocks about it."""
    rng = random.Random(seed)
    things = [regiment("near", 1, (36.0, 17.5), 0.0, stands=3, files=3)]
    for k in range(rng.randrange(1, 4)):
        at = (36.0 + rng.uniform(-7, 7), 20.0 + rng.uniform(-4, 6))
        things.append(regiment(f"r{k}", rng.randrange(2), at, rng.uniform(0, 360), stands=rng.randrange(1, 4)))
    rocks = [
        wood(f"rock{k}", x, y, x + rng.uniform(0.3, 2), y + rng.uniform(0.3, 2), "impassable")
        for k in range(rng.randrange(4))
        for x, y in [(36 + rng.uniform(-7, 6), 20 + rng.uniform(-4, 6))]
    ]
    with suppress(UmpireError):
        own = regiment("c", 0, (36.0, 20.0), 0.0, stands=3, files=3, of=profile(m=5, w=9, r=3))
        battle = scene(own, *things, terrain=rocks, **more)
        return battle if wounds.fits(battle.state, r(battle, "c")) else None
    return None


def check_withdraw(seed: int, step: float = 0.05) -> str:
    battle = engaged(seed)
    if battle is None:
        return "unfit"
    one, here = r(battle, "c"), ranked.pose(r(battle, "c"))
    found = withdraw.first_way_out(battle.state, one, here, 5.0)
    if found is not None:
        assert not withdraw.way_reasons(battle.state, one, here, found, 5.0)
        return "away"
    for path in ways_on_a_grid(7.5, 5.0, step):
        assert withdraw.way_reasons(battle.state, one, here, path, 5.0), (seed, path)
    return "fails"


@pytest.mark.rule("conquest.withdraw.fails")
@pytest.mark.parametrize("seed", range(10))
def test_a_withdrawal_fails_only_where_there_is_no_way(seed: int) -> None:
    check_withdraw(seed, 0.2)


@pytest.mark.rule("conquest.withdraw.fails")
def test_a_wheel_leads_away_though_a_friend_is_overlapped_by_less_than_touching() -> None:
    assert check_withdraw(6452) == "away"


GATE = Scenario("gate", {}, zones=FIELD.zones, entry=((20.0, 34.0), None))


def before_the_gate(seed: int) -> Battle[State] | None:
    """A regiment that is due on a short edge, with friends, enemies and rocks before it."""
    rng = random.Random(seed)
    crowd = []
    for k in range(rng.randrange(2, 6)):
        at = (27.0 + rng.uniform(-9, 9), rng.uniform(0.1, 7))
        side = rng.choice((0, 0, 1))
        facing = rng.choice((0.0, 90.0, rng.uniform(0, 360)))
        crowd.append(regiment(f"r{k}", side, at, facing, stands=rng.randrange(1, 6), of=profile(m=3)))
    rocks = [
        wood(f"rock{k}", x, y, x + rng.uniform(0.3, 2), y + rng.uniform(0.3, 2), "impassable")
        for k in range(rng.randrange(5))
        for x, y in [(27 + rng.uniform(-9, 8), rng.uniform(0.2, 7))]
    ]
    own = regiment("a", 0, where="arriving", stands=rng.randrange(1, 6), of=profile(m=rng.randrange(2, 6)))
    with suppress(UmpireError):
        far = regiment("far", 1, (60, 45))
        return scene(own, *crowd, far, terrain=rocks, scenario=GATE, moment="activation", stacks=((), ("far",)))
    return None


def check_arrival(seed: int, step: float = 0.2) -> str:
    """Straight on from places by a grid, in one March or two; and whoever is told that there is no way on at all is
    shown none by random wheels."""
    battle = before_the_gate(seed)
    if battle is None:
        return "unfit"
    told = [e for e in battle.events if e.kind == "failed-to-enter"]
    if not told and battle.decision.prompt.key == "ask.enter":
        assert battle.check(battle.decision.default).legal, seed
        return "on"
    state, one = battle.state, r(battle, "a")
    one.where = "arriving"
    limit = float(one.profile.march)
    mover = arriving.Entrant(battle, one, limit, None)
    stands = one.stands
    for files in formation.files_allowed(one):
        one.stands, one.files = formation.arranged(stands, files), files
        wide = ranked.width(one)
        for k in range(int((14.0 - wide) / step) + 1):
            where = entry.entry_pose(state, "south", 20.0 + wide / 2 + k * step)
            for n in range(int(2 * limit / step) + 1):
                run = march.trace(state, one, where, [drill.forward(n * step)], entering=True)
                off = run.reasons or run.overlaps or any(entry.outside(state, one, run.end, "south"))
                assert off, (seed, files, where, n * step)
    one.stands = stands
    rng = random.Random(-1 - seed)
    for _ in range(60 if told else 0):
        files = rng.choice(list(formation.files_allowed(one)))
        at = rng.uniform(20 + files * 1.25, max(20 + files * 1.25, 34 - files * 1.25))
        wheel = drill.wheel(rng.uniform(-20, 20))
        on = drill.forward(rng.uniform(0, limit))
        wish = {"edge": "south", "at": at, "files": files, "path": rng.choice(([wheel, on], [on, wheel]))}
        assert mover.plan(wish).reasons, (seed, wish)
    return "waits" if told else "asked"


@pytest.mark.rule("conquest.reinforce.failed", "conquest.reinforce.must-enter")
@pytest.mark.parametrize("seed", range(8))
def test_a_regiment_that_waits_has_no_way_on(seed: int) -> None:
    check_arrival(seed, 0.5)


def coming_on(*others: Any, stands: int = 1, terrain: Any = ()) -> Battle[State]:
    """A regiment of March 4 that is due before the gate, asked how it marches on."""
    own = regiment("a", 0, where="arriving", stands=stands, files=stands, of=profile(m=4))
    far = regiment("far", 1, (60, 45))
    return scene(own, *others, far, terrain=terrain, scenario=GATE, moment="activation", stacks=((), ("far",)))


@pytest.mark.rule("conquest.reinforce.failed", "conquest.reinforce.entry.placement")
def test_a_gap_off_every_place_that_is_tried_first_is_found() -> None:
    """The rocks leave 4.56 inches, of which an inch is kept from each: six hundredths about the middle are free."""
    walls = [wood("l", 10.0, 0.2, 24.72, 9.0, "impassable"), wood("r", 29.28, 0.2, 44.0, 9.0, "impassable")]
    battle = coming_on(terrain=walls)
    assert battle.decision.prompt.key == "ask.enter"
    found = battle.decision.default
    assert abs(found["at"] - 27.0) <= 0.03
    assert battle.check(found).legal
    tried = [at for at in entry.entry_points(battle.state, r(battle, "a"), "south", 2.5) if abs(at - 27.0) <= 0.03]
    assert not tried


@pytest.mark.rule("conquest.reinforce.entry.legal", "conquest.march.through-friends.two-actions")
def test_a_second_march_brings_it_on_between_the_friends_before_it() -> None:
    """The first March must end in the friends at the edge, the second half an inch further at most than it must: as far
    as it goes leads into the next friends."""
    row = [regiment(f"f{k}", 0, (15.75 + 7.5 * k, 3.0), stands=3, files=3) for k in range(4)]
    row += [regiment(f"g{k}", 0, (15.75 + 7.5 * k, 8.5), stands=3, files=3) for k in range(4)]
    battle = coming_on(*row)
    assert battle.check({"edge": "south", "at": 27.0, "path": [drill.forward(4.0)]}).legal
    state, one = battle.state, r(battle, "a")
    where = entry.entry_pose(state, "south", 27.0)
    then = march.trace(state, one, where, [drill.forward(8.0)], entering=True)
    assert then.overlaps, "straight on as far as it goes"
    battle.answer({"edge": "south", "at": 27.0, "path": [drill.forward(4.0)]})
    assert battle.decision.default["path"]
    assert not battle.check({"path": [drill.forward(4.0)]}).legal
    assert battle.check({"path": [drill.forward(1.75)]}).legal


@pytest.mark.rule("conquest.march.through-friends")
@pytest.mark.parametrize("seed", range(10))
def test_a_second_march_out_of_friends_is_found_if_there_is_one(seed: int) -> None:
    check_escape(seed, 0.1)


@pytest.mark.rule("conquest.march.through-friends")
def test_a_narrow_place_between_friends_is_enough() -> None:
    """Behind the friend it stands in there is room for one regiment and a tenth of an inch, off the half inches."""
    battle = scene(
        regiment("c", 0, (36.0, 20.0), 0.0, stands=3, files=3),
        regiment("f", 0, (36.0, 22.27), 0.0, stands=3, files=3),
        regiment("g", 0, (36.0, 27.35), 0.0, stands=3, files=3),
        terrain=[wood("l", 31.0, 15.0, 32.2, 30.0, "impassable"), wood("r", 39.8, 15.0, 41.0, 30.0, "impassable")],
    )
    assert march.escapes(battle, r(battle, "c"), (36.0, 20.0, 0.0), 4.9).way == [{"how": "forward", "inches": 4.85}]


@pytest.mark.rule("conquest.march.through-friends", "conquest.rule.fly")
def test_whoever_flies_finds_a_narrow_place_to_land() -> None:
    """An inch from the enemy it flies over and from the rock ahead there is a fifth of an inch, off every middle."""
    wings = profile(m=12, rules=["fly"])
    battle = scene(
        regiment("c", 0, (36.0, 20.0), 0.0, stands=3, files=3, of=wings),
        regiment("f", 0, (36.0, 21.0), 0.0, stands=3, files=3),
        regiment("behind", 1, (36.0, 16.0), 0.0, stands=3, files=3),
        regiment("ahead", 1, (36.0, 24.0), 0.0, stands=3, files=3),
        regiment("far", 1, (36.0, 33.5), 0.0, stands=3, files=3),
        terrain=[wood("rock", 31.0, 28.7, 41.0, 29.2, "impassable")],
    )
    way = march.escapes(battle, r(battle, "c"), (36.0, 20.0, 0.0), 12.0).way
    assert way == [{"how": "forward", "inches": 7.7}]


def ways_by_quarters(wide: float, limit: float) -> Iterator[list[drill.Manoeuvre]]:
    """By quarters of an inch, also after wheels by 15 degrees."""
    for how, most in (("forward", limit), ("back", limit / 2), ("left", limit / 2), ("right", limit / 2)):
        yield from ([{"how": how, "inches": k / 4}] for k in range(int(most * 4) + 1))
    for turn in (drill.wheel(sign * degrees) for degrees in (15, 30, 45, 60, 75, 90) for sign in (1, -1)):
        yield from ([turn, drill.forward(k / 4)] for k in range(int(4 * (limit - drill.cost(wide, [turn]))) + 1))


@pytest.mark.rule("conquest.withdraw.move")
@pytest.mark.parametrize(("low", "high"), [(2.06, 2.2), (1.8, 1.94)])
def test_a_withdrawal_finds_a_narrow_window(low: float, high: float) -> None:
    """It may end only so far ahead: an inch beyond the rocks that it passes, and an inch before the next enemy."""
    past, here = 17.5 + low - math.sqrt(1.0 - 0.25**2), (36.0, 20.0, 0.0)
    battle = scene(
        regiment("c", 0, (36.0, 20.0), 0.0, stands=3, files=3),
        regiment("near", 1, (36.0, 17.5), 0.0, stands=3, files=3),
        regiment("far", 1, (36.0, 21.0 + high), 180.0, stands=3, files=3),
        terrain=[wood("l", 26.0, 10.0, 32.0, past, "impassable"), wood("r", 40.0, 10.0, 46.0, past, "impassable")],
    )
    state, one = battle.state, r(battle, "c")
    way = withdraw.first_way_out(state, one, here, 5.0)
    assert way is not None
    assert not withdraw.way_reasons(state, one, here, way, 5.0)
    assert all(withdraw.way_reasons(state, one, here, by, 5.0) for by in ways_by_quarters(7.5, 5.0))


@pytest.mark.rule("conquest.charge.align")
def test_nobody_charges_into_the_hole_of_an_incomplete_rank() -> None:
    """A front wider than the hole behind the first rank does not lie flush in it: it would stand in a rear stand."""
    for seed in range(40):
        rng = random.Random(seed)
        target = regiment("t", 1, (36.0, 24.0), 0.0, stands=3, files=2)
        x, facing = 36.0 + rng.uniform(-4, 4), rng.uniform(-50, 50)
        charger = regiment("c", 0, (x, 15.0), facing, stands=1, files=1, of=profile(size=(4.0, 5.0)))
        state = scene(charger, target).state
        a, b = state.regiment("c"), state.regiment("t")
        side, _ = contact.majority_side(b, a)
        for found in contact.best(contact.contacts(state, a, b, side), side):
            if found.target_end is None:
                assert fronts.gap(ranked.blocks(a, found.end), ranked.blocks(b)) >= -formation.TOUCH, seed


def stranded(seed: int) -> tuple[Battle[State], pressing.Fight] | None:
    """A regiment that has lost touch with one or two enemies, things strewn between and about them."""
    rng = random.Random(seed)
    own = regiment("a", 0, (36.0, 20.0), rng.choice((0.0, rng.uniform(-20, 20))), stands=rng.randrange(2, 6), files=2)
    turn = rng.choice((180.0, rng.uniform(150, 210)))
    foes = [
        regiment(
            f"b{k}", 1, (36.0 + rng.uniform(-5, 5), 20.0 + rng.uniform(0.5, 3)), turn, stands=rng.randrange(1, 6),
            files=rng.choice((1, 2)),
        )
        for k in range(rng.randrange(1, 3))
    ]  # fmt: skip
    at = (36.0 + rng.uniform(-6, 6), 20.0 + rng.uniform(-2, 2))
    there = (36.0 + rng.uniform(-8, 8), 20.0 + rng.uniform(0, 5))
    friend = regiment("f", 0, at, rng.uniform(-30, 30), stands=2, files=2)
    others = [friend, regiment("n", 1, there, rng.uniform(120, 240), stands=2, files=2)]
    rocks = [
        wood(f"rock{k}", x, y, x + rng.uniform(0.2, 1), y + rng.uniform(0.2, 1), "impassable")
        for k in range(rng.randrange(0, 3))
        for x, y in [(36 + rng.uniform(-5, 5), 20 + rng.uniform(0.3, 3))]
    ]
    with suppress(UmpireError):
        battle = scene(own, *foes, *others[: rng.randrange(3)], terrain=rocks)
        one = r(battle, "a")
        if wounds.fits(battle.state, one) and not formation.in_contact(battle.state, one):
            return battle, pressing.Fight("a", tuple(foe.id for foe in foes), rng.randrange(2, 7))
    return None


def check_press(seed: int, directions: int = 720) -> str:
    """In every direction straight on to the first contact: none is better than what was found."""
    given = stranded(seed)
    if given is None:
        return "unfit"
    battle, fight = given
    state, one = battle.state, r(battle, "a")
    start = ranked.pose(one)
    found = pressing.pressed(state, one, fight)
    best = None
    if found is not None:
        far = (found[0] - start[0], found[1] - start[1])
        pushes = [pressing.pushed_to(state, one, r(battle, e), fight, far) for e in fight.enemies]
        best = min(push for push in pushes if push is not None)
    for k in range(directions):
        dx, dy = rotate(0.0, 1.0, k * 360.0 / directions)
        for enemy in fight.enemies:
            body = formation.body(state, r(battle, enemy))
            swept = sweep(ranked.blocks(one), (Go(8.0 * dx, 8.0 * dy),), body, 0.0)
            if swept.hit is not None:
                push = pressing.pushed_to(state, one, r(battle, enemy), fight, (swept.legs[0].dx, swept.legs[0].dy))
                assert push is None or best is not None, (seed, push)
                if push is not None and best is not None:
                    assert push[0] >= best[0], (seed, push, best)
                    assert push[0] > best[0] or push[1] ** 0.5 >= best[1] ** 0.5 - 0.01, (seed, push, best)
    return "stays" if found is None else "pressed"


@pytest.mark.rule("conquest.morale.press-attack.keep-contact", "conquest.morale.press-attack.step")
@pytest.mark.parametrize("seed", [*range(12), 4546])  # 4546: a friend is overlapped by less than touching
def test_no_push_is_shorter_or_engages_more(seed: int) -> None:
    check_press(seed, 90)


@pytest.mark.rule("conquest.withdraw.fails", "conquest.march.wheel.multiple")
def test_a_withdrawal_by_several_wheels_is_the_players_own() -> None:
    """By one wheel at most nothing leads away, by two something does: whoever knows it goes it, whoever stays has
    failed."""
    own = [drill.wheel(-12.32), drill.wheel(8.46)]
    given = engaged(455)
    assert given is not None
    one, here = r(given, "c"), ranked.pose(r(given, "c"))
    assert withdraw.first_way_out(given.state, one, here, 5.0) is None
    assert not withdraw.way_reasons(given.state, one, here, own, 5.0)
    for answer, came in (({"path": own}, "withdrawn"), ({"stay": True}, "withdrawal-failed")):
        battle = engaged(455, dice=[1, 1, 1])
        assert battle is not None
        do(battle, "withdraw")
        while battle.decision.prompt.key != "ask.withdraw-if":
            assert battle.decision.prompt.key != "ask.action"
            battle.answer("near" if "near" in getattr(battle.decision, "options", ()) else battle.decision.suggest())
        battle.answer(answer)
        assert came in [event.kind for event in battle.events]
