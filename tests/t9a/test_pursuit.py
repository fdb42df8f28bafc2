"""Pursuits with all their cases, nudges, pivots and combat reforms after a round of combat, random movers."""

import itertools
import random

import pytest

from t9a.builder import (
    allowed,
    asked,
    do,
    events,
    fired,
    hero,
    last,
    part,
    piece,
    profile,
    quiet,
    refused,
    scene,
    u,
    unit,
)
from umpire.games.t9a import after_combat, combat_reforms, pursuit
from umpire.games.t9a.formation import box
from umpire.games.t9a.spacing import separation
from umpire.games.t9a.state import Pair, Round


def rock(key, x0, y0, x1, y1):
    return piece(key, "impassable", x0, y0, x1, y1)


def chasing(*others, heading=0.0, distance=9, how="pursuit", at=(36, 20), terrain=(), broken=(), units=("a",), **more):
    """Unit a, five wide, has won; it pursues in this direction. The move is carried out."""
    battle = scene(
        unit("a", at=at, of=more.pop("of", None) or quiet(), models=5, **more.pop("a", {})),
        unit("z", 1, at=(8, 46), of=quiet(), models=5),
        *others,
        moment="movement",
        terrain=terrain,
        **more,
    )
    state = battle.state
    state.round = Round(units=tuple(units), broken=tuple((key, "a", heading, 5) for key in broken))
    state.round.pursuits = (("a", broken[0] if broken else "", heading, distance),)
    return battle, _run(battle, pursuit.advance, "a", heading, distance, how)


def _run(battle, step, *args):
    """Carry a step out by itself; the questions it puts are answered by their defaults."""
    asks = []
    run = step.__wrapped__(battle, *args) if hasattr(step, "__wrapped__") else step(battle, *args)
    try:
        ask = next(run)
        while True:
            asks.append(ask)
            answer = ask.default if getattr(ask, "default", None) is not None else next(iter(ask.options))
            answer = list(ask.options) if ask.kind == "order" else answer
            ask = run.send(answer)
    except (StopIteration, TypeError):
        pass
    return asks


@pytest.mark.rule("t9a.melee.pursue.straight-clear", "t9a.melee.pursue.move", "t9a.melee.pursue.pivot-clear")
def test_over_open_ground_it_goes_the_whole_distance():
    battle, _ = chasing()
    assert (u(battle, "a").x, u(battle, "a").y) == pytest.approx((36, 29))
    fired(battle, "t9a.melee.pursue.straight-clear", "t9a.melee.pursue.pivot-clear")


@pytest.mark.rule("t9a.melee.pursue.pivot")
def test_it_turns_to_its_quarrys_direction_about_its_centre():
    battle, _ = chasing(heading=90.0, broken=("q",), units=("a", "q"), distance=5)
    a = u(battle, "a")
    assert a.facing == pytest.approx(90)
    assert (a.x, a.y) == pytest.approx((36 + 0.5 + 5, 19.5))
    fired(battle, "t9a.melee.pursue.pivot")


@pytest.mark.rule("t9a.melee.pursue.overrun-straight")
def test_an_overrun_does_not_turn():
    battle, _ = chasing(heading=90.0, how="overrun")
    assert (u(battle, "a").x, u(battle, "a").y, u(battle, "a").facing) == pytest.approx((36, 29, 0))
    fired(battle, "t9a.melee.pursue.overrun-straight")


@pytest.mark.rule("t9a.melee.pursue.straight-check", "t9a.melee.pursue.straight-enemy", "t9a.melee.pursue.new-combat")
def test_it_charges_the_first_enemy_within_its_distance():
    enemy = unit("e", 1, at=(36, 27), of=quiet(), models=5)
    battle, _ = chasing(enemy, distance=8)
    assert battle.state.engaged("a")
    fired(battle, "t9a.melee.pursue.straight-enemy", "t9a.melee.pursue.new-combat")
    short, _ = chasing(enemy, distance=5)
    assert not short.state.engaged("a")
    assert u(short, "a").y == pytest.approx(25)


@pytest.mark.rule("t9a.melee.pursue.precheck")
def test_the_facing_is_that_of_the_place_before_the_pivot():
    """Before it turns its front is in the enemy's front arc; straight ahead after the turn it would meet his flank."""
    enemy = unit("e", 1, at=(43.5, 20), facing=270.0, of=quiet(), models=5)
    battle, _ = chasing(enemy, heading=90.0, broken=("q",), units=("a", "q"), distance=9)
    pair = battle.state.pairs_of("a")[0]
    assert pair.face("e") == "front"


@pytest.mark.rule("t9a.melee.pursue.obstacles", "t9a.melee.pursue.straight-obstacle")
def test_obstacles_stop_it():
    battle, _ = chasing(terrain=[rock("r", 34, 25, 38, 26)])
    gap = 25 - u(battle, "a").y
    assert 0 < gap < 0.01
    fired(battle, "t9a.melee.pursue.straight-obstacle", "t9a.melee.pursue.obstacles")
    friend = unit("f", at=(36, 26), of=quiet(), models=5)
    stopped, _ = chasing(friend)
    assert u(stopped, "a").y == pytest.approx(25, abs=0.01)
    fled = unit("q", 1, at=(36, 26), of=quiet(), models=5, shaken=True, facing=0.0)
    behind, _ = chasing(fled, broken=("q",), units=("a", "q"))
    assert not behind.state.engaged("a"), "whom it has driven off it does not charge"
    assert u(behind, "a").y == pytest.approx(25, abs=0.01)


@pytest.mark.rule("t9a.melee.pursue.legal-position")
def test_it_ends_on_nobody():
    """A friend of the same combat is no obstacle, but no place to end either."""
    friend = unit("f", at=(36, 26), of=quiet(), models=5)
    battle, _ = chasing(friend, units=("a", "f"), distance=6)
    assert u(battle, "a").y == pytest.approx(25, abs=0.01)
    fired(battle, "t9a.melee.pursue.legal-position")
    beyond, _ = chasing(friend, units=("a", "f"), distance=9)
    assert u(beyond, "a").y == pytest.approx(29)


@pytest.mark.rule("t9a.melee.pursue.straight-edge")
def test_at_the_edge_it_reforms():
    battle, asks = chasing(at=(36, 44), distance=9)
    assert u(battle, "a").y == pytest.approx(48, abs=0.01)
    assert [ask.prompt.key for ask in asks] == ["ask.reform"]
    assert battle.state.round.edge == ("a",)


@pytest.mark.rule("t9a.melee.pursue.pivot-edge", "t9a.melee.pursue.case-order")
def test_whose_front_turns_over_the_edge_goes_no_further():
    battle, asks = chasing(at=(36, 47.6), heading=90.0, broken=("q",), units=("a", "q"), distance=6)
    assert [ask.prompt.key for ask in asks] == ["ask.reform"]
    fired(battle, "t9a.melee.pursue.pivot-edge", "t9a.melee.pursue.case-order")


@pytest.mark.rule("t9a.melee.pursue.pivot-enemy", "t9a.melee.pursue.pivot-enemy-placement")
def test_an_enemy_touched_by_the_turn_is_charged_where_it_stands():
    """Its front would turn into the enemy beside it: it is put before the facing it stood before."""
    enemy = unit("e", 1, at=(36.9, 24.9), facing=270.0, of=quiet(), models=10)
    battle, _ = chasing(enemy, heading=60.0, broken=("q",), units=("a", "q"))
    if battle.state.engaged("a"):
        a, e = u(battle, "a"), u(battle, "e")
        assert separation(box(battle.state, a).corners(), box(battle.state, e).corners()) == pytest.approx(0, abs=1e-6)
    near = unit("e", 1, at=(34.5, 21.5), facing=180.0, of=quiet(), models=2, files=2)
    charged, _ = chasing(near, heading=45.0, broken=("q",), units=("a", "q"))
    fired(charged, "t9a.melee.pursue.pivot-enemy", "t9a.melee.pursue.pivot-enemy-placement")
    assert u(charged, "a").facing == pytest.approx(0)


@pytest.mark.rule("t9a.melee.pursue.pivot-obstacle")
def test_beside_an_obstacle_it_turns_as_far_as_it_can():
    battle, _ = chasing(
        heading=90.0, broken=("q",), units=("a", "q"), terrain=[rock("r", 36.2, 20.6, 38.9, 21.6)], distance=6
    )
    a = u(battle, "a")
    assert 0 <= a.facing < 90
    fired(battle, "t9a.melee.pursue.pivot-obstacle")
    assert separation(box(battle.state, a).corners(), battle.state.field.terrain[0].points) >= 0.5


@pytest.mark.rule(
    "t9a.rule.random-movement.move", "t9a.rule.random-movement.direction", "t9a.rule.random-movement.distance"
)
def test_random_movers_go_first_in_a_direction_chosen_before_the_roll():
    beast = quiet("random-movement 2D6")
    battle = scene(
        unit("a", of=beast, models=1, files=1),
        unit("b", at=(50, 20), of=quiet()),
        unit("z", 1, at=(8, 46), of=quiet()),
        moment="movement",
        dice=[3, 4],
    )
    assert asked(battle) == "ask.random-direction"
    do(battle, 90.0)
    assert (u(battle, "a").x, u(battle, "a").y) == pytest.approx((36 + 0.5 + 7, 19.5))
    fired(battle, "t9a.rule.random-movement.move", "t9a.rule.random-movement.direction")


@pytest.mark.rule("t9a.rule.random-movement.terrain", "t9a.rule.random-movement.counts")
def test_the_edge_stops_a_random_mover_and_woods_do_not_hurt_it():
    beast = quiet("random-movement 2D6")
    battle = scene(
        unit("a", at=(36, 44), of=beast, models=1, files=1),
        unit("z", 1, at=(8, 30), of=quiet()),
        moment="movement",
        dice=[6, 6],
        terrain=[piece("r", "ruins", 34, 45, 38, 46)],
    )
    do(battle, 0.0)
    assert u(battle, "a").y == pytest.approx(48, abs=0.01)
    assert battle.state.pools["a"].moved == "random"
    assert not events(battle, "dangerous")
    fired(battle, "t9a.rule.random-movement.terrain")


# -- after the pursuits --------------------------------------------------------------------------------------------


def fighting(*others, a=None, b=None, **more):
    battle = scene(
        unit("a", of=quiet(), **{"models": 10, **(a or {})}),
        unit("b", 1, at=(36, 20), of=quiet(), **{"models": 10, **(b or {})}),
        *others,
        moment="melee",
        **{"dice": [1, 1] * 20, **more},
    )
    while battle.decision is not None and asked(battle) not in ("ask.combat-reforms", "ask.combat-reform"):
        do(battle, battle.decision.suggest())
    return battle


@pytest.mark.rule("t9a.melee.nudge.who", "t9a.melee.nudge.rules")
def test_who_lost_contact_is_brought_back_the_shortest_way():
    battle = fighting()
    state, a = battle.state, u(battle, "a")
    a.y -= 0.4
    a.x += 5.5
    after_combat.nudge_now(battle, ("a", "b"))
    assert (a.x, a.y) == pytest.approx((41, 20))
    assert state.engaged("a")
    fired(battle, "t9a.melee.nudge.who", "t9a.melee.nudge.rules")


@pytest.mark.rule("t9a.melee.nudge.fail")
def test_no_nudge_through_others():
    battle = fighting()
    state, a = battle.state, u(battle, "a")
    a.y -= 3.0
    state.units["w"] = type(a)(id="w", side=0, members=("w",), where="table", x=36.0, y=19.0, files=5)
    state.pools["w"] = type(state.pools["a"])(
        id="w", side=0, entry="w", names={}, profile=state.pools["a"].profile, start=5, count=5, unit="w"
    )
    after_combat.nudge_now(battle, ("a", "b"))
    assert (a.x, a.y) == pytest.approx((36, 17)), "no partial nudge is made"
    assert not state.engaged("a")
    fired(battle, "t9a.melee.nudge.fail")


@pytest.mark.rule("t9a.melee.nudge.order", "t9a.melee.nudge.split")
def test_the_active_players_units_are_nudged_first():
    battle = fighting(unit("c", 1, at=(41.2, 20), of=quiet(), models=5))
    state = battle.state
    u(battle, "b").y += 0.3
    u(battle, "c").y += 0.3
    after_combat.nudge_now(battle, ("a", "b", "c"))
    assert state.engaged("a")
    assert events(battle, "nudged")[-1].facts["unit"] == "a"


def apart(wide=1, ahead=0.5):
    """a has come off the front of b and c off its flank: either finds its way back, and then bars that of the other."""
    battle = fighting(unit("c", at=(60, 30), of=quiet(), models=5), b={"models": wide, "files": wide})
    a, c, there = u(battle, "a"), u(battle, "c"), box(battle.state, u(battle, "b"))
    a.x, a.y = there.x, there.y - ahead
    c.x, c.y, c.facing = there.x + there.w / 2 + 3.0, there.y + 2.2, 270.0
    battle.state.pairs = [Pair("a", "b", "front", "front"), Pair("c", "b", "front", "left")]
    return battle


@pytest.mark.rule("t9a.melee.nudge.order")
def test_whose_order_matters_is_asked_of_its_player():
    battle = apart()
    state = battle.state
    asking = after_combat.nudge_all(battle, ("a", "b", "c"), set())
    ask = next(asking)
    assert (ask.prompt.key, ask.side) == ("ask.nudge-order", 0)
    assert all(ask.check(order) for order in (["a", "c"], ["c", "a"])), "either way one of them stays engaged"
    with pytest.raises(StopIteration) as end:
        asking.send(["c", "a"])
    assert end.value.value == ["a"]
    assert [key for key in "ac" if state.engaged(key)] == ["c"]
    assert last(battle, "nudge-order")["units"] == ["c", "a"]


@pytest.mark.rule("t9a.melee.nudge.order")
def test_outside_the_melee_phase_it_is_asked_as_soon_as_it_can_be():
    battle = apart()
    places = [(u(battle, key).x, u(battle, key).y) for key in "ac"]
    after_combat.nudge_now(battle, ("a", "b", "c"))
    assert battle.state.agenda[-1].step.endswith("nudging")
    assert places == [(u(battle, key).x, u(battle, key).y) for key in "ac"], "nobody has moved yet"


@pytest.mark.rule("t9a.melee.nudge.order")
def test_where_every_order_ends_alike_nobody_is_asked():
    """Both go straight on."""
    battle = apart(wide=5)
    state = battle.state
    a, c, there = u(battle, "a"), u(battle, "c"), box(state, u(battle, "b"))
    c.x, c.y, c.facing = there.x - 3.0, there.y - 0.3, 0.0
    a.x, a.y = there.x + 2.6, there.y - 0.3
    state.pairs = [Pair("a", "b", "front", "front"), Pair("c", "b", "front", "front")]
    after_combat.nudge_now(battle, ("a", "b", "c"))
    assert [key for key in "ac" if state.engaged(key)] == ["a", "c"]
    assert not events(battle, "ask.nudge-order")


def many(*more):
    """As `apart`, and units of one model each before another foe, far off, who have come off its front."""
    battle = fighting(
        unit("c", at=(60, 30), of=quiet(), models=5),
        unit("f", 1, at=(60, 10), facing=180, of=quiet(), models=8, files=8),
        *(unit(key, at=(56.6 + 1.1 * n, 10), of=quiet(), models=1, files=1) for n, key in enumerate(more)),
        b={"models": 1, "files": 1},
    )
    a, c, there = u(battle, "a"), u(battle, "c"), box(battle.state, u(battle, "b"))
    a.x, a.y = there.x, there.y - 0.5
    c.x, c.y, c.facing = there.x + there.w / 2 + 3.0, there.y + 2.2, 270.0
    battle.state.pairs = [Pair("a", "b", "front", "front"), Pair("c", "b", "front", "left")]
    battle.state.pairs += [Pair(key, "f", "front", "front") for key in more]
    for key in more:
        u(battle, key).y -= 0.3
    return battle


@pytest.mark.rule("t9a.melee.nudge.order")
@pytest.mark.parametrize("more", ["defg"[:0], "degh", "deghij"])
def test_however_many_units_there_are_the_order_of_those_that_matter_is_asked(more):
    battle = many(*more)
    state = battle.state
    asking = after_combat.nudge_all(battle, ("a", "b", "c", "f", *more), set())
    ask = next(asking)
    assert ask.prompt.key == "ask.nudge-order"
    assert sorted(ask.options) == sorted(("a", "c", *more))
    assert ask.check(["c", *more, "a"])
    with pytest.raises(StopIteration) as end:
        asking.send(["c", *more, "a"])
    assert end.value.value == ["a"]
    assert all(state.engaged(key) for key in ("c", *more))


@pytest.mark.rule("t9a.melee.nudge.order")
def test_orders_are_tried_as_they_are_tried_one_by_one():
    """Five units that crowd about one foe: what all 120 orders lead to is what is told, and an order that keeps fewer
    engaged is refused."""
    told = set()
    for seed in range(8):
        rng = random.Random(seed)
        battle = fighting(
            *(unit(key, at=(10 + 8 * n, 40), of=quiet(), models=3, files=3) for n, key in enumerate("cdeg")),
            b={"models": 3, "files": 3},
        )
        state, there = battle.state, box(battle.state, u(battle, "b"))
        crowd = list("acdeg")
        state.pairs = []
        for key in crowd:
            one = u(battle, key)
            for _ in range(200):
                one.facing = rng.choice((0.0, 90.0, 270.0))
                far = rng.uniform(0.2, 3.0)
                side = {0.0: (0.0, -far), 90.0: (-there.w / 2 - far, 2.0), 270.0: (there.w / 2 + far, 2.0)}[one.facing]
                slide = rng.uniform(-4, 4)
                one.x = there.x + side[0] + (slide if one.facing == 0.0 else 0.0)
                one.y = there.y + side[1] + (slide if one.facing != 0.0 else 0.0)
                others = [u(battle, other) for other in "bacdeg" if other != key]
                if all(separation(box(state, one).corners(), box(state, o).corners()) > 0.05 for o in others):
                    break
            else:
                one.x, one.y = 5.0 + 9.0 * crowd.index(key), 44.0
            state.pairs.append(Pair(key, "b", "front", {0.0: "front", 90.0: "right", 270.0: "left"}[one.facing]))
        lost = after_combat._all_lost(state, [*crowd, "b"], set(), 0)
        orders = after_combat._best_orders(state, lost, set())
        ends = {}
        for order in itertools.permutations(lost):
            with after_combat._as_they_stand(state, lost):
                for key in order:
                    after_combat._brought_back(state, key, set())
                kept = sum(not after_combat._lost(state, key, set()) for key in lost)
                place = tuple((round(u(battle, key).x, 5), round(u(battle, key).y, 5)) for key in lost)
            ends.setdefault(kept, {}).setdefault(place, []).append(list(order))
        assert orders.most == max(ends), seed
        assert orders.tied == (len(ends[orders.most]) > 1), seed
        assert orders.order == min(
            (order for found in ends[orders.most].values() for order in found), key=lambda o: [lost.index(k) for k in o]
        )
        for kept, found in ends.items():
            reasons = after_combat._judged(state, lost, set(), orders.most, next(iter(found.values()))[0])
            assert bool(reasons) == (kept < orders.most)
        told.add((len(ends) > 1, orders.tied))
    assert len(told) > 1, told


@pytest.mark.rule("t9a.melee.post.reform.declare", "t9a.melee.post.reform.flush")
def test_combat_reforms_are_named_and_end_flush():
    battle = fighting()
    assert asked(battle) == "ask.combat-reforms"
    do(battle, ["a"])
    while asked(battle) == "ask.combat-reforms":
        do(battle, [])
    assert asked(battle) == "ask.combat-reform"
    refused(battle, {"to": {"x": 36, "y": 15, "facing": 0}, "files": 5}, "t9a.melee.post.reform.flush")
    refused(battle, {"to": {"x": 36, "y": 19, "facing": 40}, "files": 5}, "t9a.melee.post.reform.flush")
    allowed(battle, {"to": {"x": 36, "y": 19, "facing": 0}, "files": 6})
    do(battle, {"to": {"x": 36, "y": 18.9, "facing": 0}, "files": 6})
    assert (u(battle, "a").files, u(battle, "a").y) == (6, 20)
    fired(battle, "t9a.melee.post.reform.flush")


@pytest.mark.rule("t9a.melee.post.reform.files", "t9a.melee.post.reform.contact-count")
def test_two_files_more_or_less_and_no_fewer_in_contact():
    battle = fighting(a={"models": 20}, b={"files": 5})
    do(battle, ["a"])
    while asked(battle) == "ask.combat-reforms":
        do(battle, [])
    refused(battle, {"to": {"x": 36, "y": 18, "facing": 0}, "files": 8}, "t9a.melee.post.reform.files")
    allowed(battle, {"to": {"x": 36, "y": 18.5, "facing": 0}, "files": 7})
    refused(battle, {"to": {"x": 40, "y": 18, "facing": 0}, "files": 5}, "t9a.melee.post.reform.contact-count")


@pytest.mark.rule("t9a.melee.post.reform.attached-contact")
def test_characters_of_both_sides_stay_in_contact():
    battle = fighting(hero("h", 1, in_unit="b", of=quiet(hp=9), file=0, rank=0), a={"models": 5, "files": 5})
    while asked(battle) != "ask.combat-reform":
        do(battle, ["a"] if battle.decision.side == 0 else [])
    # The hero stands at b's left end, which is the right end as a sees it.
    refused(battle, {"to": {"x": 33.4, "y": 19.5, "facing": 0}, "files": 5}, "t9a.melee.post.reform.attached-contact")


@pytest.mark.rule("t9a.melee.post.reform.spacing", "t9a.melee.post.reform.keep-enemies")
def test_no_new_enemy_is_touched_and_none_is_left():
    beside = unit("c", 1, at=(42.5, 20), of=quiet(), models=5)
    battle = fighting(beside, a={"models": 10, "files": 5})
    while asked(battle) != "ask.combat-reform":
        do(battle, ["a"] if battle.decision.side == 0 else [])
    refused(battle, {"to": {"x": 38, "y": 19, "facing": 0}, "files": 5}, "t9a.melee.post.reform.spacing")
    refused(battle, {"to": {"x": 30, "y": 19, "facing": 0}, "files": 5}, "t9a.melee.post.reform.keep-enemies")
    allowed(battle, {"to": {"x": 35.5, "y": 19, "facing": 0}, "files": 5})


@pytest.mark.rule("t9a.melee.post.reform.eligible", "t9a.melee.post.reform.test")
def test_engaged_on_two_facings_no_reform_and_in_the_flank_only_by_a_test():
    flank = unit("c", 1, at=(33.5, 19), facing=90.0, of=quiet(), models=1, files=1)
    battle = fighting(flank)
    against = combat_reforms.reform_objections(battle.state, "a")
    assert [reason.rule for reason in against] == ["t9a.melee.post.reform.eligible"]
    assert not combat_reforms.may_reform(battle.state, "a")
    assert combat_reforms.may_reform(fighting().state, "a")
    alone = scene(
        unit("a", of=quiet(), models=10),
        unit("c", 1, at=(38.5, 19), facing=270.0, of=quiet(), models=1, files=1),
        moment="melee",
        dice=[1, 1],
    )
    while asked(alone) != "ask.combat-reforms" or alone.decision.side != 0:
        do(alone, alone.decision.suggest() if asked(alone) != "ask.combat-reforms" else [])
    do(alone, ["a"])
    fired(alone, "t9a.melee.post.reform.test")


@pytest.mark.rule("t9a.melee.post.reform.order")
def test_the_active_player_says_who_reforms_first():
    battle = fighting()
    do(battle, ["a"], ["b"])
    assert asked(battle) == "ask.reform-first"
    do(battle, "side.1")
    assert battle.decision.side == 1


@pytest.mark.rule("t9a.charge.misaligned.must-reform")
def test_who_is_not_flush_must_try():
    battle = fighting(a={"must_reform": True})
    fired(battle, "t9a.charge.misaligned.must-reform")
    assert last(battle, "must-reform")["unit"] == "a"


HUGE = profile(hp=30, parts=[part(att=9, off=9, s=9, ap=6, agi=9)])
"""Whoever it strikes at loses the round."""


def broken(*others, dice, b=None, **more):
    """Unit a breaks b, which has no chance."""
    weak = quiet(dis=2, **(b or {}))
    return scene(
        unit("a", at=(36, 20), of=HUGE, models=1, files=1),
        unit("b", 1, at=(36, 20), of=weak, models=20, files=5),
        *others,
        moment="melee",
        dice=dice,
        **more,
    )


KILLS = [6] * 9 + [6] * 9 + [6, 6]
"""Nine hits, nine wounds, a failed Break Test."""


@pytest.mark.rule("t9a.melee.flee.move", "t9a.psych.flee.direction-break", "t9a.psych.flee.move")
def test_the_broken_turn_their_back_on_the_enemy_facing_and_run():
    """Front to front it turns by 180 degrees, charged in its left flank by 90; then straight on as far as it rolled."""
    battle = broken(dice=[*KILLS, 3, 4])
    while battle.decision is not None and asked(battle) == "ask.pursue":
        do(battle, "stay")
    b = u(battle, "b")
    assert b.facing == pytest.approx(0)
    # Eleven are left in three ranks: the centre lies 1.5 inches behind where the front was, and the rear is the front.
    assert (b.x, b.y) == pytest.approx((36, 20 + 3 + 7))
    flank = scene(
        unit("a", at=(38.5, 22), facing=270.0, of=HUGE, models=1, files=1),
        unit("b", 1, at=(36, 20), of=quiet(dis=2), models=20, files=5),
        moment="melee",
        dice=[*KILLS, 3, 4],
    )
    while flank.decision is not None and asked(flank) == "ask.pursue":
        do(flank, "stay")
    assert u(flank, "b").facing == pytest.approx(270)
    assert last(flank, "fled")["inches"] == 7


@pytest.mark.rule("t9a.psych.flee.direction-break")
def test_of_several_enemies_the_opponent_says_from_whom_they_run():
    side = unit("c", at=(33.5, 21), facing=90.0, of=quiet(), models=1, files=1)
    battle = broken(side, dice=[*KILLS, 3, 4])
    assert asked(battle) == "ask.flee-direction"
    assert battle.decision.side == 0
    do(battle, "c")
    while battle.decision is not None and asked(battle) == "ask.pursue":
        do(battle, "stay")
    assert u(battle, "b").facing == pytest.approx(90)


@pytest.mark.rule("t9a.melee.flee.move")
def test_several_broken_units_flee_in_the_order_of_their_owner():
    """b breaks at the enemy's front, c at its flank; each side moves its own in the order it likes."""
    battle = scene(
        unit("a", at=(36, 20), of=profile(hp=30, parts=[part(att=9, off=9, s=9, ap=6, agi=9)]), models=2, files=2),
        unit("b", 1, at=(34.5, 20), of=quiet(dis=2), models=20, files=2),
        unit("c", 1, at=(37.5, 20), of=quiet(dis=2), models=20, files=2),
        moment="melee",
        dice=[*[6] * 9, *[6] * 9, *[6] * 9, *[6] * 9, 6, 6, 6, 6, 3, 4, 5, 4],
    )
    while asked(battle) != "ask.flight-order":
        do(
            battle,
            {"b": 9, "c": 0}
            if asked(battle) == "ask.allocate"
            else "stay"
            if asked(battle) == "ask.pursue"
            else battle.decision.suggest(),
        )
    do(battle, ["c", "b"])
    assert [e.facts["unit"] for e in events(battle, "fled")] == ["c", "b"]


@pytest.mark.rule("t9a.psych.flee.move")
def test_a_flight_that_would_end_on_others_goes_on_until_it_is_clear():
    """Seven inches would end on a friend who takes up two more: it runs nine and a hair."""
    friend = unit("f", 1, at=(36, 34), facing=180.0, of=quiet(), models=10, files=5)
    battle = broken(friend, dice=[*KILLS, 6, 5, *[3] * 20])
    while battle.decision is not None and asked(battle) == "ask.pursue":
        do(battle, "stay")
    # Three ranks deep, its front at 23 before the run: its rear must pass y = 36.
    assert last(battle, "fled")["inches"] == pytest.approx(36 - 20, abs=0.02)
    near = broken(unit("f", 1, at=(36, 30.2), facing=180.0, of=quiet(), models=5), dice=[*KILLS, 3, 4])
    while near.decision is not None and asked(near) == "ask.pursue":
        do(near, "stay")
    assert last(near, "fled")["inches"] == 7, "0.2 inches from a friend is legal"


def chase(*others, moves, active=0, **more):
    """Pursuits (unit, quarry, heading, inches) are carried out from the step that orders them."""
    battle = scene(*others, moment="movement", active=active, **more)
    state = battle.state
    keys = tuple(move[0] for move in moves)
    state.round = Round(units=keys)
    state.round.pursuits = tuple(moves)
    before = len(state.agenda)
    _run(battle, pursuit.all_moves)
    tasks = state.agenda[before:]
    del state.agenda[before:]
    for task in reversed(tasks):
        _run(battle, pursuit.advance, *task.args)
    return battle


@pytest.mark.rule("t9a.melee.pursue.both-sides")
def test_the_active_players_pursuers_go_first():
    """Whoever moves first has the place: both run at the same spot, and the other stops before it."""
    mine, theirs = unit("a", at=(36, 10), of=quiet(), models=5), unit("b", 1, at=(36, 30), of=quiet(), models=5)
    far = (unit("y", at=(8, 2), of=quiet()), unit("z", 1, at=(8, 46), of=quiet()))
    moves = [("b", "", 180.0, 9), ("a", "", 0.0, 9)]
    first = chase(mine, theirs, *far, moves=moves)
    assert [e.facts["unit"] for e in events(first, "pursued")] == ["a", "b"]
    second = chase(mine, theirs, *far, moves=moves, active=1)
    assert [e.facts["unit"] for e in events(second, "pursued")] == ["b", "a"]
    fired(first, "t9a.melee.pursue.both-sides")


@pytest.mark.rule("t9a.melee.pursue.pass-through", "t9a.melee.pursue.precheck")
def test_charging_pursuers_pass_through_each_other():
    """Figure 10: A and B will both charge E, which C cannot reach. Their ways cross, both arrive, and only their last
    places may not overlap; C follows with its five inches."""
    wall = [unit("e", 1, at=(36, 30), of=quiet(), models=10, files=10), unit("z", 1, at=(8, 46), of=quiet())]
    a = unit("a", at=(36, 22), of=quiet(), models=3, files=3)
    b = unit("b", at=(36, 19), of=quiet(), models=3, files=3)
    c = unit("c", at=(20, 20), of=quiet(), models=5)
    battle = chase(a, b, c, *wall, moves=[("c", "q", 0.0, 5), ("b", "q", 0.0, 12), ("a", "q", 0.0, 10)])
    order = [e.facts["unit"] for e in events(battle, "charged")]
    assert order == ["b", "a"], "b through a, who has not moved yet"
    assert last(battle, "charge-way")["degrees"] == 0
    assert events(battle, "pursued")[-1].facts["unit"] == "c", "who charges nobody comes last"
    one, two = box(battle.state, u(battle, "a")).corners(), box(battle.state, u(battle, "b")).corners()
    assert separation(one, two) > 0
    fired(battle, "t9a.melee.pursue.pass-through")


@pytest.mark.rule("t9a.melee.pursue.pass-through")
def test_a_charging_pursuer_does_not_pass_through_one_that_charges_nobody():
    """C turns away and charges nobody, moves after B, who charges E, and stands before E: B goes beside it."""
    wall = [unit("e", 1, at=(36, 30), of=quiet(), models=10, files=10), unit("z", 1, at=(8, 46), of=quiet())]
    b = unit("b", at=(36, 19), of=quiet(), models=3, files=3)
    c = unit("c", at=(36, 29), of=quiet(), models=3, files=3)
    battle = chase(b, c, *wall, moves=[("b", "q", 0.0, 12), ("c", "q", 180.0, 2)])
    assert last(battle, "charged")["unit"] == "b"
    stood = ((34.5, 28.0), (37.5, 28.0), (37.5, 29.0), (34.5, 29.0))
    assert separation(box(battle.state, u(battle, "b")).corners(), stood) > 0


@pytest.mark.rule("t9a.melee.post.reform.evaluation", "t9a.melee.post.reform.order")
def test_contact_may_be_lost_between_two_reforms_of_one_player():
    """The enemy's character stands before a; a slides away from him, which is legal only because c, which reforms after
    it, can take its place - and then must."""
    battle = scene(
        unit("b", 1, at=(36, 20), of=quiet(dis=10), models=10, files=10),
        hero("h", 1, in_unit="b", of=quiet(hp=9, dis=10), file=8, rank=0),
        unit("a", at=(33, 20), of=quiet(dis=10), models=3, files=3),
        unit("c", at=(37.5, 20), of=quiet(dis=10), models=3, files=3),
        moment="melee",
        dice=[1, 1] * 20,
    )
    while asked(battle) != "ask.combat-reforms" or battle.decision.side != 0:
        do(battle, battle.decision.suggest() if asked(battle) != "ask.combat-reforms" else [])
    do(battle, ["a", "c"])
    while asked(battle) == "ask.combat-reforms":
        do(battle, [])
    assert asked(battle) == "ask.reform-order"
    alone = battle.fork()
    do(alone, ["c", "a"])
    # The character stands at x = 32.5 as they see him.
    away = {"to": {"x": 39.5, "y": 19.5, "facing": 0}, "files": 3}
    do(alone, {"stay": True})
    refused(alone, {"to": {"x": 30.4, "y": 19.5, "facing": 0}, "files": 3}, "t9a.melee.post.reform.attached-contact")
    refused(alone, away, "t9a.melee.post.reform.attached-contact")
    do(battle, ["a", "c"])
    allowed(battle, {"to": {"x": 35.4, "y": 19.5, "facing": 0}, "files": 3})
    do(battle, {"to": {"x": 39.5, "y": 19.5, "facing": 0}, "files": 3})
    refused(battle, {"stay": True}, "t9a.melee.post.reform.spacing", "t9a.melee.post.reform.attached-contact")
    refused(battle, {"to": {"x": 36.0, "y": 19.5, "facing": 0}, "files": 3}, "t9a.melee.post.reform.attached-contact")
    do(battle, {"to": {"x": 32.5, "y": 19.5, "facing": 0}, "files": 3})
    assert u(battle, "c").x == pytest.approx(32.5)


@pytest.mark.rule("t9a.rule.ghost-step.impassable")
def test_a_ghost_goes_through_a_house_and_does_not_end_in_it():
    """A pursuit of nine inches that would end in the house stops before it; one of twelve comes out behind it."""
    house = [rock("h", 30, 24, 42, 30)]
    ghost = quiet("ghost-step")
    battle, _ = chasing(distance=9, terrain=house, of=ghost)
    assert u(battle, "a").y == pytest.approx(24, abs=0.02)
    through, _ = chasing(distance=12, terrain=house, of=ghost)
    assert u(through, "a").y == pytest.approx(32)
    solid, _ = chasing(distance=12, terrain=house)
    assert u(solid, "a").y == pytest.approx(24, abs=0.02)
