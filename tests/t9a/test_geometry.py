"""A second, slow pair of eyes on charges and marches: Shapely and trying out, on random cluttered positions.

By hand for many more: PYTHONPATH=src:tests python -m t9a.test_geometry 2000
"""

from __future__ import annotations

import math
import random
import sys

import pytest
from shapely.geometry import LineString, Polygon
from shapely.geometry import box as rectangle

from space import slow
from t9a.builder import QUIET, profile, scene, u, unit
from umpire.engine.rulings import standing
from umpire.games.t9a import aligning, charge_moves
from umpire.games.t9a.courses import Budget
from umpire.games.t9a.move_paths import Manoeuvre
from umpire.space.ranks.blocks import box_at
from umpire.space.ranks.contact import find_way

TABLE = rectangle(0, 0, 72, 48)


def quiet(**more):
    return profile(parts=[QUIET], **more)


def position(rng, charge):
    """Unit a at the middle of the table, b before it, friends and enemies around, nobody within an inch of another."""
    files = rng.randrange(2, 8)
    made = [("a", 0, 36.0, 20.0, 0.0, files, rng.randrange(1, 4))]
    wanted = [("b", 1)] if charge else []
    wanted += [(f"n{k}", rng.randrange(2)) for k in range(rng.randrange(1, 7))]
    for key, side in wanted:
        for _ in range(30):
            far = 4.0 if key == "b" else 9.0
            x = 36 + rng.uniform(-far - 3, far + 3)
            y = 20 + (rng.uniform(3, 9) if key == "b" else rng.uniform(-4, 11))
            facing = rng.choice((180.0, rng.uniform(90, 270) if key == "b" else rng.uniform(0, 360)))
            frame = (key, side, x, y, facing, rng.randrange(1, 6), rng.randrange(1, 3))
            if all(shape(frame).distance(shape(other)) > 0.3 for other in made):
                made.append(frame)
                break
    return made


def frame_of(made):
    _, _, x, y, facing, files, ranks = made
    return x, y, facing, float(files), float(ranks)


def shape(made):
    return slow.polygon(frame_of(made))


def built(made, moment="charge", mob=4):
    units = [
        unit(key, side, at=(x, y), facing=facing, models=files * ranks, files=files, of=quiet(cha=9, mob=mob))
        for key, side, x, y, facing, files, ranks in made
    ]
    return scene(*units, unit("z", 1, at=(4, 44), of=quiet(), models=1, files=1), moment=moment)


# -- charges -------------------------------------------------------------------------------------------------------


def counts(s, w, g):
    """Models of the target and of the charger that touch, all bases one inch, all fronts full."""
    theirs = sum(s <= j + 1 + 1e-6 and j <= s + w + 1e-6 for j in range(round(g)))
    mine = sum(s + i <= g + 1e-6 and s + i + 1 >= -1e-6 for i in range(round(w)))
    return theirs, mine


def check_charge(seed, tries=40):
    rng = random.Random(seed)
    made = position(rng, charge=True)
    if made[1][0] != "b":
        return "unfit"
    battle = built(made)
    a, b = u(battle, "a"), u(battle, "b")
    face = charge_moves.target_facing(battle.state, a, b)
    found = aligning.contact(battle.state, a, b, face=face, misaligned=False)
    charger, target = frame_of(made[0]), frame_of(made[1])
    others = [shape(m) for m in made[2:]]
    w, d = charger[3], charger[4]
    (ax, ay), (bx, by) = slow.facing_line(target, face)
    g = math.dist((ax, ay), (bx, by))
    tx, ty = (bx - ax) / g, (by - ay) / g
    nx, ny = ty, -tx

    def place(s):
        corners = [(ax + tx * v + nx * k, ay + ty * v + ny * k) for v, k in ((s, 0), (s + w, 0), (s + w, d), (s, d))]
        return Polygon(corners)

    best = (found.theirs, found.mine) if found is not None else (0, 0)
    if found is not None:
        # The way is free and meets that facing first; the place is flush, touches nobody else, and counts as told.
        met = slow.try_charge(charger, target, face, others, found.way.first, found.way.wheel)
        assert met is not None, seed
        left = found.at.front()[0]
        s = (left[0] - ax) * tx + (left[1] - ay) * ty
        assert abs((left[0] - ax) * nx + (left[1] - ay) * ny) < 1e-6, seed
        assert s - 1e-4 <= met[1], seed
        assert s + w + 1e-4 >= met[0], seed
        assert all(place(s).distance(o) > 0 for o in others), seed
        assert counts(s, w, g) == best, (seed, s, w, g)
    for _ in range(tries):
        met = slow.try_charge(charger, target, face, others, rng.uniform(0, 10), rng.uniform(-90, 90), 1e-3)
        if met is None:
            continue
        for k in range(25):
            s = met[0] - w + (met[1] - met[0] + w) * k / 24
            ground = place(s)
            if TABLE.contains(ground) and all(ground.distance(o) > 1e-3 for o in others):
                assert counts(s, w, g) <= best, (seed, s, counts(s, w, g), best)
    return "reached" if found is not None else "none"


# -- misaligned charges ---------------------------------------------------------------------------------------------


def crowded(rng):
    """The target close before the charger, and stones within an inch or two of the facing."""
    files = rng.randrange(2, 7)
    made = [("a", 0, 36.0, 20.0, 0.0, files, rng.randrange(1, 3))]
    made.append(("b", 1, 36 + rng.uniform(-3, 3), 20 + rng.uniform(4, 7), 180 + rng.uniform(-30, 30), 3, 1))
    for k in range(rng.randrange(1, 4)):
        for _ in range(20):
            x, y = made[1][2] + rng.uniform(-4, 4), made[1][3] + rng.uniform(-2.5, 0.5)
            frame = (f"n{k}", rng.randrange(2), x, y, rng.uniform(0, 360), 1, 1)
            if all(shape(frame).distance(shape(other)) > 0.15 for other in made):
                made.append(frame)
                break
    return made


def check_leaning(seed, tries=60):
    """Where no flush place is found: ours touches nobody, its front does not cross the line of the facing, and no
    place that is reached by trying out leans less."""
    rng = random.Random(seed)
    made = crowded(rng)
    battle = built(made)
    a, b = u(battle, "a"), u(battle, "b")
    face = charge_moves.target_facing(battle.state, a, b)
    if aligning.contact(battle.state, a, b, face=face, misaligned=False) is not None:
        return "flush"
    found = aligning.contact(battle.state, a, b, face=face)
    charger, target = frame_of(made[0]), frame_of(made[1])
    others = [shape(m) for m in made[2:]]
    w, d = charger[3], charger[4]
    (ax, ay), (bx, by) = slow.facing_line(target, face)
    g = math.dist((ax, ay), (bx, by))
    tx, ty = (bx - ax) / g, (by - ay) / g
    nx, ny = ty, -tx

    def leaning(q, sign, degrees):
        s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        front = (sign * c, s)
        back = (-sign * s, c)
        points = []
        for along, deep in ((0, 0), (w, 0), (w, d), (0, d)):
            x, y = q + along * front[0] + deep * back[0], along * front[1] + deep * back[1]
            points.append((ax + tx * x + nx * y, ay + ty * x + ny * y))
        return Polygon(points)

    least = 90.0
    if found is not None:
        body = Polygon(found.at.corners())
        assert all(body.distance(o) > 0 for o in others), seed
        heights = [(x - ax) * nx + (y - ay) * ny for x, y in found.at.front()]
        assert min(heights) == pytest.approx(0, abs=1e-4), seed
        least = math.degrees(math.asin(min(1.0, max(heights) / w)))
    met = [
        slow.try_charge(charger, target, face, others, rng.uniform(0, 7), rng.uniform(-90, 90), 1e-3)
        for _ in range(tries)
    ]
    reached = [q for span in met if span is not None for q in {span[0], span[1], (span[0] + span[1]) / 2}]
    for q in reached:
        for sign in (1, -1):
            for degrees in range(1, 91):
                if degrees >= least - 0.05:
                    break
                ground = leaning(q, sign, degrees)
                if TABLE.contains(ground) and all(ground.distance(o) > 1e-3 for o in others):
                    raise AssertionError((seed, q, sign, degrees, least))
    return "leans" if found is not None else "none"


# -- flyers ---------------------------------------------------------------------------------------------------------


SAME = 5e-4
"""What touches a facing so near its corner touches the corner, which the trial's own rounding tells from its place."""


def check_flight(seed, tries=40):
    """A flyer passes over everything and may touch nothing but its target where its front ends: its way is so, and
    wherever a trial comes there is a way."""
    rng = random.Random(seed)
    made = crowded(rng) if seed % 2 else position(rng, charge=True)
    if made[1][0] != "b":
        return "unfit"
    charger, target = frame_of(made[0]), frame_of(made[1])
    others = [shape(m) for m in made[2:]]
    walls = [tuple(slow.corners(frame_of(m))) for m in made[2:]]
    boxes = box_at(*charger), box_at(*target)
    reached = 0
    for face in ("front", "right", "rear", "left"):
        whole = ((0.0, math.dist(*slow.facing_line(target, face))),)
        way = find_way(*boxes, face, whole, walls, True)
        if way is not None:
            reached += 1
            assert slow.try_flight(charger, target, face, others, way.first, way.wheel) is not None, (seed, face)
        for _ in range(tries):
            legs = rng.uniform(0, 10), rng.uniform(-90, 90)
            met = slow.try_flight(charger, target, face, others, *legs, 1e-3)
            if met is not None:
                part = ((max(0.0, met[0] - SAME), met[1] + SAME),)
                assert find_way(*boxes, face, part, walls, True) is not None, (seed, face, legs, met)
    return f"{reached} facings"


# -- marches -------------------------------------------------------------------------------------------------------


def check_march(seed):
    rng = random.Random(seed)
    made = position(rng, charge=False)
    mob = rng.randrange(3, 7)
    battle = built(made, "movement", mob)
    a = u(battle, "a")
    for made_one in made[1:]:
        u(battle, made_one[0]).close = ()
    a.close = ()
    mover = Manoeuvre(battle.state, a, Budget("march", mob))
    legs = [("forward", rng.uniform(0, mob)), ("wheel", rng.uniform(-70, 70)), ("forward", rng.uniform(0, mob))]
    legs = [leg for leg in legs if rng.random() < 0.8]
    answer = {"path": [{"how": how, "inches" if how == "forward" else "degrees": v} for how, v in legs]}
    if not legs:
        return "unfit"
    ours = not list(standing(battle.state, mover.judge(answer)))
    at = frame_of(made[0])
    start = at
    others = [shape(m) for m in made[1:]]
    spent, slack, legal = 0.0, math.inf, True

    def ask(margin):
        nonlocal slack, legal
        slack = min(slack, abs(margin))
        legal = legal and margin >= 0

    for how, v in legs:
        ground = slow.swept_straight(at, v) if how == "forward" else slow.swept_wheel(at, v, 400)
        for other in others:
            ask(ground.distance(other) - 0.5)
        spent += v if how == "forward" else at[3] * math.sin(math.radians(abs(v)))
        at = slow.forward(at, v) if how == "forward" else slow.wheel(at, v)
        if not TABLE.contains(LineString(slow.corners(at)[:2])):
            return "unfit"
    end = slow.polygon(at)
    ask(2 * mob - spent)
    for other in others:
        ask(end.distance(other) - 1.0)
    before = slow.corners(start)
    ask(2 * mob - max(min(math.dist(p, q) for q in before) for p in slow.corners(at)))
    if not TABLE.contains(end) or slack < 2e-3:
        return "unfit"
    assert ours == legal, (seed, legs, mob, [str(r) for r in mover.judge(answer)])
    return "legal" if legal else "refused"


@pytest.mark.rule("t9a.charge.align.priority", "t9a.charge.move.path")
@pytest.mark.parametrize("seed", range(25))
def test_no_contact_is_missed_and_none_is_wrong(seed):
    check_charge(seed, 25)


@pytest.mark.rule("t9a.charge.misaligned.priority", "t9a.charge.misaligned.projection-line")
@pytest.mark.parametrize("seed", range(30))
def test_nobody_leans_more_than_he_must(seed):
    check_leaning(seed, 25)


@pytest.mark.rule("t9a.rule.fly.charge")
@pytest.mark.parametrize("seed", [*range(20), 148, 213, 299])
def test_no_landing_is_missed_and_none_is_on_somebody(seed):
    check_flight(seed, 25)


@pytest.mark.rule("t9a.def.spacing.during", "t9a.move.final-position")
@pytest.mark.parametrize("seed", range(60))
def test_marches_are_judged_as_a_slow_eye_judges_them(seed):
    check_march(seed)


CHECKS = {"charge": check_charge, "leaning": check_leaning, "flight": check_flight, "march": check_march}

if __name__ == "__main__":
    tally: dict[str, int] = {}
    for number in range(int(sys.argv[1])):
        for name, check in CHECKS.items():
            try:
                result = check(10_000 + number)
            except AssertionError as error:
                result = "WRONG"
                print(name, number, error)
            tally[f"{name} {result}"] = tally.get(f"{name} {result}", 0) + 1
    print(tally)
