"""Charge moves: facings, ways, the four priorities of aligning, misaligned and combined charges, Blocked Path,
failures."""

import itertools
import math
import random

import numpy as np
import pytest

from t9a.builder import asked, do, events, fired, gun, hero, last, part, piece, profile, quiet, refused, scene, u, unit
from umpire.games.t9a import aligning, charge_ground, charge_moves, combined_charges, misaligned, spacing
from umpire.games.t9a.charging import target_objections
from umpire.games.t9a.formation import Box, box, size_of, wheeled
from umpire.games.t9a.spacing import separation
from umpire.space.packs import kernel
from umpire.space.ranks import contact
from umpire.space.ranks.contact import Edge, edge_of, laid


def rock(key, x0, y0, x1, y1):
    return piece(key, "impassable", x0, y0, x1, y1)


def charging(*others, at=(36, 26), facing=180.0, mine=None, terrain=(), dice=(6,), a=None, b=None, **more):
    """Unit a, 5 wide, front at (36, 20) looking up the table; unit b before it. The charge is declared and b holds."""
    return scene(
        unit("a", at=(36, 20), of=mine or quiet(cha=6), models=5, **(a or {})),
        unit("b", 1, at=at, facing=facing, of=quiet(), models=(b or {}).pop("models", 10), **(b or {})),
        *others,
        terrain=terrain,
        dice=list(dice),
        **more,
    )


def planned(state, units, target):
    """What comes of every order in which some charge; how many arrive is told the same when only that is asked."""
    together, again = (combined_charges.Together(state, units, target) for _ in range(2))
    found = [together.plan(order) for order in together.orders()]
    assert [again.arriving(plan.order) for plan in found] == [len(plan.arrived) for plan in found]
    assert again.most == max(len(plan.arrived) for plan in found)
    return found


def charge(battle, who="a", target="b"):
    do(battle, who, target)
    if asked(battle) == "ask.reaction":
        do(battle, "hold")
    while battle.decision is not None and asked(battle) == "ask.charger":
        do(battle, "end")
    return battle


def placed(battle, unit_="a", target="b", **more):
    return aligning.contact(battle.state, u(battle, unit_), u(battle, target), **more)


@pytest.mark.rule("t9a.charge.facing", "t9a.def.arcs")
def test_the_arc_that_holds_the_middle_of_the_front_is_charged():
    """The target's front edge runs from (-2.5, 0) to (2.5, 0) before it: a ray of 45 degrees parts front and flank."""
    front = charging(at=(30, 29), facing=180.0)
    assert charge_moves.target_facing(front.state, u(front, "a"), u(front, "b")) == "front"
    flank = charging(at=(30, 23), facing=180.0)
    assert charge_moves.target_facing(flank.state, u(flank, "a"), u(flank, "b")) == "left"
    rear = charging(at=(36, 26), facing=0.0)
    assert charge_moves.target_facing(rear.state, u(rear, "a"), u(rear, "b")) == "rear"
    battle = charge(charging())
    fired(battle, "t9a.charge.facing", "t9a.def.arcs")


@pytest.mark.rule("t9a.charge.range.success")
def test_the_shortest_distance_counts_not_the_way():
    """6 inches away by the boundaries; the wheel makes the way longer, and the range of 4 + 6 + 6 is plenty."""
    battle = charge(charging(at=(31, 27), facing=150.0))
    assert events(battle, "charged")
    short = charge(charging(at=(36, 30.01), dice=[1], mine=quiet(cha=5)))
    assert events(short, "too-short")
    exact = charge(charging(at=(36, 30), dice=[1], mine=quiet(cha=5)))
    assert events(exact, "charged")


@pytest.mark.rule("t9a.charge.move.path", "t9a.charge.align.procedure")
def test_straight_wheel_straight_and_then_flush():
    battle = charge(charging(at=(40, 27), facing=210.0))
    way = last(battle, "charge-way")
    assert abs(way["degrees"]) <= 90
    a, b = u(battle, "a"), u(battle, "b")
    assert (a.facing - b.facing) % 360 == pytest.approx(180)
    assert separation(box(battle.state, a).corners(), box(battle.state, b).corners()) == pytest.approx(0, abs=1e-6)
    assert (b.x, b.y, b.facing) == (40, 27, 210), "the charger moves, not the target"


@pytest.mark.rule("t9a.charge.move.spacing")
def test_nobody_but_the_target_is_touched():
    """A third unit 0.2 inches beside the lane may be passed; one that stands in it may not."""
    near = placed(charging(unit("n", 1, at=(39.2, 24), of=quiet(), models=1, files=1)))
    assert (near.at.x, near.way.wheel) == (36, 0)
    spot = placed(charging(unit("n", 1, at=(38.9, 24), of=quiet(), models=1, files=1)))
    assert spot.way.wheel != 0, "it must wheel round it"
    lane = [rock("l", 20, 20.5, 33.4, 26), rock("r", 38.6, 20.5, 52, 26)]
    assert placed(charging(terrain=lane)) is not None
    assert placed(charging(unit("n", 1, at=(36, 24), of=quiet(), models=1, files=1), terrain=lane)) is None


@pytest.mark.rule("t9a.charge.align.flush", "t9a.charge.align.max-target", "t9a.charge.align.max-charger")
def test_the_most_of_theirs_then_of_ones_own():
    battle = charging(at=(38, 26))
    spot = placed(battle)
    assert (spot.theirs, spot.mine) == (5, 5)
    assert spot.flush
    # A rock beside the facing leaves room for less.
    less = placed(charging(at=(38, 26), terrain=[rock("r", 38.6, 25.2, 45, 25.8)]))
    assert (less.theirs, less.mine) == (4, 4), "it ends before the stone, at x = 38.6: four files and a bit"
    done = charge(charging(at=(38, 26)))
    fired(done, "t9a.charge.align.max-target")


@pytest.mark.rule("t9a.charge.align.initial-contact", "t9a.charge.align.priority")
def test_the_point_first_touched_stays_in_contact():
    """Only the near corner of the facing can be met: a rock shuts the rest off until the charger stands there."""
    battle = charging(at=(42, 26), b={"models": 5})
    spot = placed(battle)
    edge = box(battle.state, u(battle, "b"))
    met = [edge.local(*p)[0] for p in spot.at.front()]
    assert min(met) <= 2.5
    assert max(met) >= -2.5
    assert spot.theirs == 5


GATE = (rock("l", 36.5, 25.2, 37.3, 25.8), rock("r", 42.7, 25.2, 43.5, 25.8))
"""Stones on both sides of the enemy's front, 5.4 inches apart: room for five files, not for seven."""


def gate(*more, files=7, others=(), of=None, **rest):
    """The enemy's front is the line y = 26 from x = 37.5 to 42.5; the charger comes straight at it."""
    return scene(
        unit("a", at=(39.8, 20), of=of or quiet(cha=6), models=files, files=files),
        unit("b", 1, at=(40, 26), of=quiet(), models=5),
        *others,
        terrain=[*GATE, *more],
        dice=[6],
        **rest,
    )


@pytest.mark.rule("t9a.charge.misaligned.when", "t9a.charge.misaligned.projection-line")
def test_without_a_flush_place_the_front_leans_and_does_not_cross_the_line():
    """Seven wide it leans by atan(0.8 / 5.2): one end at the corner of the facing, the rest below the stone."""
    assert placed(gate(files=5)).at.facing == 0, "with room it must be flush"
    battle = gate()
    on = charge_ground.ground(battle.state, u(battle, "a"), u(battle, "b"), "front")
    assert aligning.flush_contact(battle.state, on) is None
    assert placed(battle, misaligned=False) is None
    spot = placed(battle)
    line = shared_edge(battle)
    heights = sorted(line.off(*p) for p in spot.at.front())
    assert heights[0] == pytest.approx(0, abs=1e-6), "the front does not cross the line of the facing"
    assert math.degrees(math.asin(heights[1] / 7)) == pytest.approx(math.degrees(math.atan(0.8 / 5.2)), abs=0.02)
    fired(charge(battle), "t9a.charge.misaligned.when", "t9a.charge.misaligned.projection-line")
    sealed = gate(rock("m", 36.5, 24.5, 43.5, 25.1))
    assert placed(sealed) is None, "where it cannot be met the charge is impossible"


@pytest.mark.rule("t9a.charge.misaligned.priority")
def test_the_smallest_angle_comes_before_the_most_models():
    """Example 14 of the geometry: a stone 0.6 to 1.2 before the line, its near end 1.5 from the corner that is kept.
    To the left the front must lean by atan(1.2 / 1.5), to the right the second stone lets it not lean at all."""
    around = charge_ground.Ground(
        unit=None, target=None, here=Box(5, 6, 0.0, -1.0, 4.0, 2.0), there=Box(2.5, 0, 0.0, 1.0, 5.0, 2.0),
        face="front", edge=Edge(5.0, 0.0, -1.0, 0.0, 0.0, 1.0, 5.0), rings=(), flying=False,
    )  # fmt: skip
    low = ((2.5, 0.6), (3.5, 0.6), (3.5, 1.2), (2.5, 1.2))
    # Seen by the charger the corner (5, 0) is the left end of the facing, 0; to its right lies the stone.
    for degrees, free in ((38.6, False), (38.7, True)):
        bars = misaligned._leaning_bars(around, 1.0, [low], degrees)
        assert any(bar.low < 0.0 < bar.high for bar in bars) is not free
    stack = np.zeros((64, 2))
    stack[0] = 0.0, 90.0
    angle, _ = kernel("tilting").next_lean(
        stack, 1, 5.0, 0.0, -1.0, 0.0, 1.0, 4.0, 2.0, 90.0, *laid([low]), np.array([[0.0, 0.0]]), misaligned.FINE
    )
    assert 38.65 < angle < 38.68, "no smaller angle is thought of"


def shared_edge(battle):
    return edge_of(box(battle.state, u(battle, "b")), "front")


@pytest.mark.rule("t9a.charge.misaligned.target-align", "t9a.charge.misaligned.must-reform")
def test_the_target_turns_to_meet_a_leaning_charger():
    """The stones stand beside it: it turns until both are flush. One before its front stops it after atan(0.15 / 3);
    whoever is not flush must reform as soon as may be; engaged elsewhere it does not turn at all."""
    battle = gate()
    spot = placed(battle)
    assert spot.turned is not None
    assert spot.flush
    charge(battle)
    a, b = u(battle, "a"), u(battle, "b")
    assert (a.facing - b.facing) % 360 == pytest.approx(180, abs=0.02)
    assert separation(box(battle.state, a).corners(), box(battle.state, b).corners()) == pytest.approx(0, abs=1e-3)
    assert not a.must_reform
    held = gate(rock("m", 40, 25.7, 40.5, 25.85))
    lean = placed(held)
    assert not lean.flush
    turned = (held.state.unit("b").facing - lean.turned.facing) % 360
    assert min(turned, 360 - turned) == pytest.approx(math.degrees(math.atan(0.15 / 3)), abs=0.03)
    charge(held)
    assert u(held, "a").must_reform
    assert u(held, "b").must_reform
    busy = placed(gate(others=(unit("f", at=(42.5, 26.5), facing=270.0, of=quiet(), models=1, files=1),)))
    assert busy.turned is None
    assert not busy.flush


@pytest.mark.rule("t9a.charge.combined.rolls", "t9a.charge.combined.order")
def test_a_combined_charge_is_rolled_together_and_brings_as_many_as_can_arrive():
    c = unit("c", at=(30, 20), of=quiet(cha=6), models=3, files=3)
    battle = charging(c, at=(34, 27), dice=[6, 6, 3, 3])
    do(battle, "a", "b")
    do(battle, "c", "b") if asked(battle) == "ask.charger" else do(battle, "hold", "c", "b")
    while battle.decision is not None and asked(battle) in ("ask.reaction", "ask.charger"):
        do(battle, "hold" if asked(battle) == "ask.reaction" else "end")
    assert asked(battle) == "ask.combined-order"
    assert len(events(battle, "charge-range")) == 2
    assert not events(battle, "charged")
    do(battle, ["a", "c"])
    assert len(events(battle, "charged")) == 2
    fired(battle, "t9a.charge.combined.order", "t9a.charge.combined.rolls")


@pytest.mark.rule("t9a.charge.combined.order", "t9a.charge.move.spacing")
def test_who_charges_first_does_not_end_where_the_next_one_still_stands():
    """c stands close before b, a behind it: only if c goes first may a have its place."""
    c = unit("c", at=(34, 29.4), of=quiet(cha=6), models=5)
    battle = charging(c, at=(34, 30))
    for who in ("a", "c"):
        u(battle, who).target, u(battle, who).range, u(battle, who).declared = "b", 20, True
    units = {who: u(battle, who) for who in ("a", "c")}
    found = {plan.order: plan for plan in planned(battle.state, list(units.values()), u(battle, "b"))}
    assert set(found) == {("a", "c"), ("c", "a")}
    for plan in found.values():
        for key, at in zip(plan.arrived, plan.places, strict=True):
            later = plan.order[plan.order.index(key) + 1 :]
            assert all(separation(at.corners(), box(battle.state, units[k]).corners()) > 0 for k in later)
    assert len(found["c", "a"].arrived) >= len(found["a", "c"].arrived)


def pair(at, also, gap, a=6, dice=(6, 6)):
    """Two units, each two wide, before five; stones leave a gap on the way."""
    mine = [
        unit("a", at=at, of=quiet(cha=a), models=2, files=2),
        unit("c", at=also, of=quiet(cha=6), models=2, files=2),
    ]
    stones = [rock("l", 20, 25, gap[0], 29), rock("r", gap[1], 25, 52, 29)]
    return scene(*mine, unit("b", 1, at=(36, 30), of=quiet(), models=5), terrain=stones, dice=list(dice))


@pytest.mark.rule("t9a.charge.combined.order", "t9a.charge.move.spacing")
def test_who_has_charged_stands_in_the_way_of_the_next():
    """Once a stands before b there is no way past it to what is left of the front, though there is room there."""
    battle = pair((33, 26), (31, 18), (31, 36))
    for who in ("a", "c"):
        u(battle, who).target, u(battle, who).range, u(battle, who).declared = "b", 20, True
    units = [u(battle, "a"), u(battle, "c")]
    arrived = {plan.order: plan.arrived for plan in planned(battle.state, units, u(battle, "b"))}
    assert arrived["a", "c"] == ("a",)
    passing = combined_charges.Together(battle.state, units, u(battle, "b"), passing=True)
    assert passing.plan(("a", "c")).arrived == ("a", "c")


@pytest.mark.rule("t9a.charge.combined.order", "t9a.charge.combined.unfinished")
def test_who_falls_short_stands_in_the_way_of_the_next():
    """a rolls too little; where its four inches end it bars the gap to c, who therefore goes first."""

    def rolled(order):
        battle = do(pair((33, 22), (36, 16), (32, 37), a=1, dice=[1, 6]), "a", "b", "hold", "c", "b")
        while asked(battle) != "ask.combined-order":
            do(battle, "hold" if asked(battle) == "ask.reaction" else "end")
        assert list(battle.decision.options) == ["c", "a"], "an order that may be confirmed as it is listed"
        if order == ["a", "c"]:
            refused(battle, order, "t9a.charge.combined.order")
            return battle
        return do(battle, order)

    rolled(["a", "c"])
    battle = rolled(["c", "a"])
    assert [e.facts["unit"] for e in events(battle, "charged")] == ["c"]
    assert [e.facts["unit"] for e in events(battle, "failed-charge")] == ["a"]


@pytest.mark.rule("t9a.charge.combined.order")
def test_no_order_that_brings_more_is_refused_where_not_every_one_is_thought_through(monkeypatch):
    """As with more than four, of whom only one order is looked at before they choose."""
    monkeypatch.setattr(combined_charges, "ORDERED", 1)
    battle = do(pair((33, 22), (36, 16), (32, 37), a=1, dice=[1, 6]), "a", "b", "hold", "c", "b")
    while asked(battle) != "ask.combined-order":
        do(battle, "hold" if asked(battle) == "ask.reaction" else "end")
    assert list(battle.decision.options) == ["a", "c"]
    do(battle, ["c", "a"])
    assert [e.facts["unit"] for e in events(battle, "charged")] == ["c"]


@pytest.mark.rule("t9a.charge.combined.max-contact")
def test_chargers_make_room_for_each_other():
    """Five and three wide against five: only if the first stands aside is there room for both."""
    c = unit("c", at=(30, 20), of=quiet(cha=6), models=3, files=3)
    battle = charging(c, at=(34, 27))
    for who in ("a", "c"):
        u(battle, who).target, u(battle, who).range, u(battle, who).declared = "b", 20, True
    plans = planned(battle.state, [u(battle, "a"), u(battle, "c")], u(battle, "b"))
    assert max(len(plan.arrived) for plan in plans) == 2
    best = max(plans, key=lambda plan: (len(plan.arrived), plan.theirs, plan.mine))
    assert best.theirs == 5
    one, two = (at.corners() for at in best.places)
    assert separation(one, two) > 0


@pytest.mark.parametrize("seed", range(6))
def test_no_arrangement_along_a_facing_beats_the_one_that_is_found(seed):
    """Two or three chargers and a target of other bases: every way to stand side by side on a fine net."""
    rng = random.Random(seed)
    many = rng.choice((2, 2, 3))
    step = 0.1 if many == 2 else 0.4
    mine = [
        unit(key, at=(28 + 8 * n, 20), of=quiet(cha=6, base=(rng.choice((20, 25, 40)), 25)), models=m, files=m)
        for n, (key, m) in enumerate(zip("cde", [rng.randint(2, 4) for _ in "cde"], strict=True))
    ][:many]
    b = unit("b", 1, at=(36, 27), of=quiet(base=(rng.choice((20, 30)), 25)), models=5)
    battle = scene(*mine, b)
    state, b = battle.state, u(battle, "b")
    keys = [one.id for one in mine]
    found = combined_charges.arrangements(state, [u(battle, k) for k in keys], b, "front", keys, ())
    theirs = spacing.skyline(state, b, "front")
    length = size_of(state, b)[0]
    rows = {}
    for key in keys:
        own, w = spacing.skyline(state, u(battle, key), "front", own=True), size_of(state, u(battle, key))[0]
        net = [-w + step * n for n in range(int((length + w) / step) + 1)]
        rows[key] = [(s, s + w, contact.touching(own, theirs, s)) for s in net]
    best = (0, 0)
    for spots in itertools.product(*rows.values()):
        if all(x[1] <= y[0] or y[1] <= x[0] for x, y in itertools.combinations(spots, 2)) and all(p for *_, p in spots):
            touched = {k for *_, pairs in spots for _, k in pairs}
            best = max(best, (len(touched), sum(len({j for j, _ in pairs}) for *_, pairs in spots)))
    if len(found[0].at) == many:
        assert (found[0].theirs, found[0].mine) >= best
    else:
        assert best == (0, 0), "there is no room for all of them"


def rank_of(many, wide, cells=23, cell=1.0):
    """Where a charger of so many bases stands along so many of theirs, by which models touch."""
    own = [contact.Stretch(wide * n / many, wide * (n + 1) / many, n) for n in range(many)]
    theirs = [contact.Stretch(cell * n, cell * (n + 1), n) for n in range(cells)]
    marks = sorted({v for a in own for b in theirs for v in (b.low - a.high, b.high - a.low)})
    found = []
    for low, high in sorted([(v, v) for v in marks] + list(itertools.pairwise(marks))):
        pairs = contact.touching(own, theirs, (low + high) / 2)
        bits = sum(1 << k for k in {k for _, k in pairs})
        found.append(combined_charges.Stretch(low, high, bits, len({j for j, _ in pairs})))
    return sorted(found, key=lambda one: (-one.theirs.bit_count(), -one.mine, one.low))


def test_four_chargers_along_a_broad_facing_are_arranged_without_trying_everything():
    """Millions of sequences that all look as good as the best: what can come of the rest is worked out once."""
    wide = {"a": 1.0, "c": 4.0, "d": 2.0, "e": 6.1}
    ahead = combined_charges.Ahead(
        {"a": rank_of(1, 1.0), "c": rank_of(4, 4.0), "d": rank_of(1, 2.0), "e": rank_of(4, 6.1)}, wide
    )
    best = combined_charges.Best()
    for order in itertools.permutations(wide):
        combined_charges._look(order, ahead, best)
    assert len(best.found) == combined_charges.KEPT
    assert ahead.looked < 300_000


@pytest.mark.parametrize("seed", range(4))
def test_the_best_arrangements_are_those_of_all_there_are(seed):
    rng = random.Random(seed)
    wide = {key: rng.choice((1.0, 1.6, 2.0, 3.0)) for key in "acd"}
    rows = {key: rank_of(rng.randint(1, 3), w, rng.randint(3, 5), rng.choice((0.8, 1.0))) for key, w in wide.items()}
    every = []
    for order in itertools.permutations(wide):
        for chosen in itertools.product(*(rows[key] for key in order)):
            end = -math.inf
            for key, one in zip(order, chosen, strict=True):
                if max(one.low, end) > one.high + 1e-6:
                    break
                end = max(one.low, end) + wide[key]
            else:
                bits = 0
                for one in chosen:
                    bits |= one.theirs
                every.append((bits.bit_count(), sum(one.mine for one in chosen), order, chosen))
    every.sort(key=lambda one: (-one[0], -one[1]))
    if every:
        assert [tuple(one) for one in combined_charges.side_by_side(rows, wide)] == every[: combined_charges.KEPT]


@pytest.mark.rule("t9a.charge.combined.no-misaligned", "t9a.charge.combined.unfinished")
def test_who_finds_no_flush_place_in_a_combined_charge_fails():
    c = unit("c", at=(30, 20), of=quiet(cha=6), models=5)
    d = unit("d", at=(42, 20), of=quiet(cha=6), models=5)
    battle = charging(c, d, at=(36, 27), b={"models": 1, "files": 1})
    for who in ("a", "c", "d"):
        u(battle, who).target, u(battle, who).range, u(battle, who).declared = "b", 20, True
    plans = planned(battle.state, [u(battle, k) for k in ("a", "c", "d")], u(battle, "b"))
    assert max(len(plan.arrived) for plan in plans) == 2, "corner to corner there is room for two"


def beside(*more, others=(), wall=31, of=None, models=14, **rest):
    """A broad line comes from below; the enemy's front looks to the left and is walled off by stones, but he himself,
    at the corner of his left flank, is the first thing straight ahead."""
    stones = [rock("w", 33, 26.05, 33.6, wall), rock("r", 33.2, 18, 33.8, 18.9), rock("e", 19.9, 25, 20.3, 26.5)]
    return scene(
        unit("a", at=(27.5, 20), of=of or quiet(cha=6), models=models, files=14),
        unit("b", 1, at=(34, 28.5), facing=270.0, of=quiet(), models=25, files=5),
        *others,
        terrain=[*stones, *more],
        dice=[6],
        **rest,
    )


@pytest.mark.rule("t9a.charge.blocked-path.effect", "t9a.charge.blocked-path.conditions")
def test_a_blocked_path_leads_to_the_nearer_facing_beside():
    battle = beside()
    state, a, b = battle.state, u(battle, "a"), u(battle, "b")
    assert charge_moves.target_facing(state, a, b) == "front"
    assert placed(battle) is None
    assert charge_moves.blocked_face(state, a, b) == "left"
    charge(battle)
    assert [(pair.a, pair.b_face) for pair in battle.state.pairs] == [("a", "left")]
    fired(battle, "t9a.charge.blocked-path.effect")


@pytest.mark.rule("t9a.charge.blocked-path.conditions")
def test_no_blocked_path_behind_others_or_past_a_friend():
    first = beside(rock("n", 28, 25.5, 29, 26))
    assert placed(first) is None
    assert charge_moves.blocked_face(first.state, u(first, "a"), u(first, "b")) is None, "a stone comes first"
    tie = beside(rock("n", 28, 26, 29, 27))
    assert charge_moves.blocked_face(tie.state, u(tie, "a"), u(tie, "b")) is None, "level with another it is not first"
    friend = unit("f", at=(34, 30.5), facing=90.0, of=quiet(), models=1, files=1)
    held = beside(others=(friend,), wall=29.95)
    assert held.state.engaged("f")
    assert charge_moves.blocked_face(held.state, u(held, "a"), u(held, "b")) is None, "a friend fights there"
    # Where the front can be charged after all it must be.
    clear = scene(unit("a", at=(36, 20), of=quiet(cha=6), models=5), unit("b", 1, at=(36, 26), of=quiet(), models=5))
    assert placed(clear).face == "front"


@pytest.mark.rule("t9a.charge.blocked-path.conditions", "t9a.rule.ghost-step", "t9a.char.charge-out.spacing")
def test_what_a_charger_passes_through_is_not_what_it_meets_first():
    """A stone before the enemy is nothing to a ghost, nor is the unit that a character leaves; an enemy would be."""
    ghost = quiet("ghost-step", cha=6)
    foe = unit("n", 1, at=(28, 25.8), of=quiet(), models=1, files=1)

    def faces(battle, out=None):
        charger = charge_moves.as_charger(battle.state, u(battle, "a"), out and battle.state.pools[out])
        return charge_moves.blocked_faces(battle.state, charger, u(battle, "b"))

    assert faces(beside(rock("n", 28, 25.5, 29, 26), of=ghost)) == ["left"]
    assert faces(beside(others=(foe,), of=ghost)) == []
    assert faces(beside(others=(hero("h", in_unit="a", of=quiet(cha=6), file=13),), models=13), "h") == ["left"]


@pytest.mark.rule("t9a.charge.failed.distance", "t9a.charge.failed.wheel", "t9a.charge.failed.advance")
def test_a_failed_charge_wheels_and_goes_four_inches():
    straight = charge(charging(at=(36, 33.5), dice=[1]))
    assert (u(straight, "a").x, u(straight, "a").y) == (36, 24)
    fired(straight, "t9a.charge.failed.distance", "t9a.charge.failed.advance")
    battle = charging(at=(42, 29))
    at, rules, _ = charge_moves.failed_path(battle.state, u(battle, "a"), (42, 29))
    assert (at.x, at.y) == pytest.approx((37.1009, 22.3196), abs=1e-4)
    assert math.degrees(math.asin(at.ux)) == pytest.approx(36.2547, abs=1e-4)
    assert "t9a.charge.failed.wheel" in rules
    wide = scene(
        unit("a", at=(36, 20), of=quiet(), models=8, files=8), unit("b", 1, at=(56, 21), facing=270.0, of=quiet())
    )
    end, *_ = charge_moves.failed_path(wide.state, u(wide, "a"), (56, 20))
    assert end.facing == pytest.approx(30), "the wheel has used up the 4 inches"


@pytest.mark.rule("t9a.charge.failed.spacing", "t9a.def.spacing.uncontrolled")
def test_a_failed_charge_stops_before_it_touches_anything():
    third = unit("n", 1, at=(36, 22), of=quiet(), models=1, files=1)
    battle = charging(third, at=(36, 30))
    at, rules, _ = charge_moves.failed_path(battle.state, u(battle, "a"), (36, 30))
    gap = separation(at.corners(), box(battle.state, u(battle, "n")).corners())
    assert 0 < gap <= 0.011
    assert "t9a.charge.failed.spacing" in rules


@pytest.mark.rule("t9a.charge.failed.target-gone")
def test_towards_where_the_target_was():
    battle = charging(at=(36, 28))
    a = u(battle, "a")
    a.spot = (36, 28)
    at, *_ = charge_moves.failed_path(battle.state, a, a.spot)
    assert (at.x, at.y) == (36, 24)


@pytest.mark.rule("t9a.rule.fly.charge")
def test_a_flyer_needs_room_for_its_front_and_nothing_else():
    wall = [rock("w", 20, 22, 52, 23)]
    assert placed(charging(terrain=wall)) is None
    bird = charging(terrain=wall, mine=quiet("fly", cha=6))
    assert placed(bird).flush
    crowd = [rock("l", 30, 24.5, 36, 25.9), rock("r", 36.2, 24.5, 42, 25.9)]
    assert placed(charging(terrain=crowd, mine=quiet("fly", cha=6)), misaligned=False) is None


@pytest.mark.rule("t9a.rule.ghost-step.impassable", "t9a.rule.ghost-step", "t9a.terrain.impassable")
def test_a_ghost_charges_through_a_house_and_does_not_end_in_it():
    """The house leaves room for a bit more than four files, or for none; the target of a ghost is no ghost, and does
    not turn into the stone before its front."""
    ghost = quiet("ghost-step", cha=6)
    wall = [rock("w", 20, 22, 52, 23)]
    assert placed(charging(terrain=wall)) is None
    through = placed(charging(terrain=wall, mine=ghost))
    assert (through.at.x, through.at.y, through.way.wheel) == (36, 26, 0)
    house = [rock("r", 38.6, 25.2, 45, 25.8)]
    less = placed(charging(at=(38, 26), terrain=house, mine=ghost))
    assert (less.theirs, less.mine) == (4, 4)
    assert separation(less.at.corners(), house[0].points) >= 0
    free = charging(at=(38, 26), terrain=house, mine=ghost, without=["t9a.rule.ghost-step.impassable"])
    assert placed(free).theirs == 5
    full = charging(terrain=[rock("r", 20, 24.5, 52, 25.9)], mine=ghost)
    assert placed(full) is None
    held = gate(rock("m", 40, 25.7, 40.5, 25.85), of=ghost)
    lean = placed(held)
    assert lean.turned is not None
    assert separation(lean.turned.corners(), rock("m", 40, 25.7, 40.5, 25.85).points) >= 0


@pytest.mark.rule("t9a.rule.ghost-step.impassable", "t9a.charge.failed.spacing")
def test_a_failed_charge_of_a_ghost_ends_behind_a_house_or_before_it():
    def end(house, *rules):
        battle = charging(at=(36, 30), terrain=[house], mine=quiet(*rules))
        return charge_moves.failed_path(battle.state, u(battle, "a"), (36, 30))[0].y

    thin, deep = rock("w", 20, 21, 52, 22), rock("w", 20, 21, 52, 23.5)
    assert end(thin, "ghost-step") == 24
    assert end(thin) == end(deep) == end(deep, "ghost-step") == pytest.approx(20.99)


@pytest.mark.rule("t9a.charge.move.order")
def test_charges_on_different_targets_go_one_after_the_other():
    battle = scene(
        unit("a", at=(20, 20), of=quiet(cha=6), models=5),
        unit("c", at=(50, 20), of=quiet(cha=6), models=5),
        unit("b", 1, at=(20, 26), of=quiet(), models=5),
        unit("d", 1, at=(50, 26), of=quiet(), models=5),
        dice=[6, 6],
    )
    do(battle, "a", "b", "hold", "c", "d", "hold")
    while asked(battle) == "ask.charger":
        do(battle, "end")
    assert asked(battle) == "ask.charge-order"
    assert not events(battle, "charge-range")
    do(battle, "d")
    assert [e.facts["unit"] for e in events(battle, "charged")] == ["c", "a"]
    refused(scene(unit("a", of=quiet()), unit("b", 1, at=(36, 26), of=quiet())), "end-of-it")


@pytest.mark.rule("t9a.charge.engaged")
def test_charger_and_target_are_engaged():
    battle = charge(charging())
    assert battle.state.engaged("a")
    assert battle.state.engaged("b")
    apart = scene(unit("a", of=quiet()), unit("b", 1, at=(36, 20.1), of=quiet()), moment="movement")
    assert not apart.state.engaged("a")


def slingers(shots):
    """A single enemy that stands and shoots so many times, hitting on 2+."""
    sling = gun("sling", "stand-and-shoot", shots=str(shots), s=9)
    return profile(parts=[part(att=None, own=(sling,), aim={"sling": 2})])


@pytest.mark.rule("t9a.charge.failed.casualties")
def test_a_charger_that_its_losses_take_out_of_contact_goes_back_and_fails():
    """Interaction 12: a rock leaves room only to the left of the enemy, who touches the two files at the right end.
    Four of five fall:
    the last one stands in the middle of the old front, out of contact; it starts anew and goes four inches."""

    def charged(losses):
        battle = scene(
            unit("a", at=(34, 20), of=quiet(cha=5), models=5),
            unit("b", 1, at=(36, 26), of=slingers(4), models=1, files=1),
            terrain=[rock("r", 36.7, 24.0, 40, 25.9)],
            dice=[6, *[6] * losses, *[1] * (4 - losses), *[6] * losses],
        )
        do(battle, "a", "b", "hold")
        assert battle.state.engaged("a")
        assert asked(battle) == "ask.stand-and-shoot"
        return do(battle, True)

    battle = charged(4)
    fired(battle, "t9a.charge.failed.casualties")
    assert not battle.state.engaged("a")
    assert u(battle, "a").y == pytest.approx(24, abs=0.5)
    assert u(battle, "a").failed
    assert not events(battle, "nudged"), "it fails; it is not brought back"
    held = charged(1)
    assert held.state.engaged("a"), "four files still touch"


@pytest.mark.rule("t9a.move.serpentine.charge-align", "t9a.charge.move.path")
def test_the_rear_of_a_wheeling_charger_may_sweep_over_friends():
    """Two wide and six deep it wheels to the right at once; its rear swings over a friend, its front touches nobody."""
    friend = unit("f", at=(33, 19.5), of=quiet(), models=2, files=1)
    battle = scene(
        unit("a", at=(36, 20), of=quiet(cha=6), models=12, files=2),
        unit("b", 1, at=(42, 24), facing=240.0, of=quiet(), models=5),
        friend,
        terrain=[rock("r", 30, 22.6, 36.5, 23)],
        dice=[6],
    )
    do(battle, "a", "b", "hold")
    way = last(battle, "charge-way")
    assert way["degrees"] > 20
    fired(battle, "t9a.move.serpentine.charge-align")
    start = Box(36, 20, 0.0, 1.0, 2.0, 6.0)
    swept = [wheeled(start.ahead(d / 10), way["degrees"]) for d in range(6)]
    assert any(separation(at.corners(), box(battle.state, u(battle, "f")).corners()) < 0 for at in swept)


@pytest.mark.rule("t9a.charge.declare.space-check")
def test_charges_declared_before_count_as_made():
    """a fills the whole front of b, so that c may not declare on it; and a, which stood before d's target, is as good
    as gone."""
    walls = [rock("l", 32.5, 24.4, 33.45, 27), rock("r", 38.55, 24.4, 39.5, 27)]
    c = unit("c", at=(36, 17), of=quiet(cha=9), models=5)
    battle = scene(
        unit("a", at=(36, 20), of=quiet(cha=6), models=5),
        unit("b", 1, at=(36, 26), of=quiet(), models=5),
        c,
        unit("x", 1, at=(50, 26), of=quiet(), models=5),
        unit("y", at=(50, 20), of=quiet(cha=6), models=5),
        terrain=walls,
    )
    do(battle, "a", "b", "hold")
    do(battle, "c")
    refused(battle, "b", "t9a.charge.declare.space-check")
    free = scene(
        unit("a", at=(36, 20), of=quiet(cha=6), models=5),
        unit("d", at=(36, 17), of=quiet(cha=9), models=5),
        unit("b", 1, at=(36, 28), of=quiet(), models=5),
        unit("x", 1, at=(46, 26), facing=210.0, of=quiet(), models=5),
        terrain=[rock("l", 20, 16, 33, 27), rock("r", 39, 14, 40.5, 19.5)],
    )
    against = [r.rule for r in target_objections(free.state, u(free, "d"), u(free, "b"))]
    assert against[0] == "t9a.charge.declare.possible", "a stands in its way"
    do(free, "a", "x", "hold")
    assert next(target_objections(free.state, u(free, "d"), u(free, "b")), None) is None
