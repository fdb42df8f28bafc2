"""Reform, Combat Reform, Inspired, Withdraw."""

import pytest

from conquest.builder import (
    allowed,
    do,
    events,
    fired,
    forward,
    hero,
    last,
    offered,
    profile,
    r,
    refused,
    regiment,
    rolled,
    scene,
)
from umpire.engine.effects import Effect
from umpire.games.conquest import formation, ranked
from umpire.space.ranks.fronts import world


def reforming(stands=6, files=6, m=5, **more):
    battle = scene(
        regiment("a", 0, (36, 10), stands=stands, files=files, of=profile(m=m), lost=max(0, files - stands)),
        regiment("e", 1, (36, 45)),
        **more,
    )
    return do(battle, "reform")


def shape(battle, files, facing=0.0, dx=0.0):
    x, y = ranked.centre(r(battle, "a"))
    return {"x": round(x + dx, 3), "y": round(y, 3), "facing": facing, "files": files}


@pytest.mark.rule("conquest.action.reform")
def test_reform_takes_any_formation_and_facing():
    battle = reforming(files=3, m=8)
    allowed(battle, shape(battle, 6))
    allowed(battle, shape(battle, 3, 180.0))
    do(battle, shape(battle, 6, 90.0))
    assert r(battle, "a").files == 6
    assert r(battle, "a").facing == 90.0
    assert ranked.centre(r(battle, "a")) == pytest.approx((36.0, 7.5), abs=0.002)


@pytest.mark.rule("conquest.action.reform.limits")
def test_the_centre_stays_and_no_stand_moves_further_than_march():
    slow = reforming(m=4)
    refused(slow, shape(slow, 2), "conquest.action.reform.limits")
    quick = reforming(m=5)
    allowed(quick, shape(quick, 2))
    refused(quick, shape(quick, 2, dx=0.1), "conquest.action.reform.limits")
    enemy = scene(
        regiment("a", 0, (36, 10), stands=6, files=3, of=profile(m=9)),
        regiment("e", 1, (43.5, 7.5), facing=270.0, stands=1),
    )
    do(enemy, "reform")
    refused(enemy, shape(enemy, 6), "conquest.action.reform.limits")


@pytest.mark.rule("conquest.action.reform", "conquest.regiment.front-rank-minimum")
@pytest.mark.parametrize(("stands", "files"), [(3, 1), (2, 3)], ids=["one file", "fewer stands than files"])
def test_a_formation_that_could_not_be_taken_may_be_kept(stands, files):
    battle = reforming(stands, files)
    x, y = ranked.centre(r(battle, "a"))
    refused(battle, {"x": x, "y": y, "facing": 90.0, "files": files})
    before = r(battle, "a").stands
    do(battle, battle.decision.default)
    assert (r(battle, "a").files, r(battle, "a").stands) == (files, before)
    assert battle.decision.prompt.key == "ask.action", "and the next action is asked for"


def melee(mine=None, stands=6, files=3, rolls="seed", foes=(3, 3), **more):
    return scene(
        regiment("a", 0, (36, 20), stands=stands, files=files, of=mine or profile(r=3, m=5)),
        regiment("b", 1, (36, 20), stands=foes[0], files=foes[1]),
        dice=rolls,
        **more,
    )


@pytest.mark.rule("conquest.action.combat-reform", "conquest.action.combat-reform.test")
def test_combat_reform_rolls_against_the_highest_resolve():
    clean = do(melee(rolls=[3]), "combat-reform")
    assert last(clean, "resolve-roll")["passed"]
    assert not do(melee(rolls=[6, 1, 1, 1]), "combat-reform").outcome
    assert not last(do(melee(rolls=[4, 1, 1, 1]), "combat-reform"), "resolve-roll")["passed"]
    joined = melee(rolls=[4], characters=[hero("h", 0, "a", profile(r=4))])
    assert last(do(joined, "combat-reform"), "resolve-roll")["passed"], "the highest Resolve of a stand"
    spell = (Effect("a", "resolve", "add", 2, "conquest.magic.resolve", until="round"),)
    broken = scene(
        regiment("a", 0, (36, 20), broken=True, of=profile(r=3)),
        regiment("b", 1, (36, 20)),
        dice=[4, 1, 1, 1],
        effects=spell,
    )
    assert not last(do(broken, "combat-reform"), "resolve-roll")["passed"], "unmodified while Broken"
    apart = scene(regiment("a", 0, (36, 20)), regiment("b", 1, (36, 30)))
    refused(apart, "combat-reform", "conquest.action.list.in-combat")


def front_line(battle, files, shift=0.0):
    """The same front line with another number of files."""
    own = r(battle, "a")
    deep = -(-len(own.stands) // files) * 2.5
    x, y = world(ranked.pose(own), shift, -deep / 2)
    return {"x": round(x, 3), "y": round(y, 3), "facing": own.facing, "files": files}


@pytest.mark.rule("conquest.action.combat-reform.keep-contact")
def test_contact_may_not_shrink_on_either_side():
    wide = do(melee(rolls=[3], stands=4, files=3, foes=(5, 5)), "combat-reform")
    allowed(wide, front_line(wide, 4))
    refused(wide, front_line(wide, 2), "conquest.action.combat-reform.keep-contact")
    two = scene(
        regiment("a", 0, (36, 20), stands=6, files=3, of=profile(m=9)),
        regiment("x", 1, (34.75, 20), stands=2, files=2),
        regiment("y", 1, (39.0, 20), stands=1, files=1),
        dice=[1],
    )
    do(two, "combat-reform")
    refused(two, front_line(two, 2, -1.25), "conquest.action.combat-reform.keep-contact")


@pytest.mark.rule("conquest.action.combat-reform.clean")
def test_a_clean_reform_moves_the_centre_by_half_the_march_at_most():
    battle = do(melee(rolls=[1], stands=3, files=3, foes=(8, 8)), "combat-reform")
    allowed(battle, front_line(battle, 3, 2.0))
    refused(battle, front_line(battle, 3, 2.1), "conquest.action.combat-reform.clean")
    slow = do(melee(profile(r=3, m=2), rolls=[1], stands=6, files=3, foes=(9, 9)), "combat-reform")
    refused(slow, front_line(slow, 6), "conquest.action.combat-reform.clean")
    stay = battle.decision.default
    allowed(battle, stay)
    do(battle, stay)
    assert r(battle, "a").files == 3


@pytest.mark.rule("conquest.action.combat-reform.clean")
def test_in_a_clean_reform_each_stand_has_its_own_march():
    def led(m):
        battle = melee(profile(m=m), rolls=[1], stands=9, files=10, characters=[hero("h", 0, "a", profile(m=5))])
        return do(battle, "combat-reform")

    swift, slow = led(7), led(6)
    allowed(swift, front_line(swift, 5))
    refused(slow, front_line(slow, 5), "conquest.action.combat-reform.clean")


@pytest.mark.rule("conquest.action.combat-reform.fighting")
def test_a_fighting_reform_costs_a_wound_for_each_stand_in_contact():
    battle = do(melee(profile(r=3, w=4), rolls=[6, 1, 2, 3], stands=6, files=3), "combat-reform")
    if battle.decision.prompt.key == "ask.casualty-end":
        battle.answer("left")
    assert last(battle, "fighting-reform")["wounds"] == 3
    assert rolled(battle, "defence") == [], "no defence roll"
    assert rolled(battle, "morale") == [3]
    assert battle.decision.prompt.key == "ask.combat-reform"
    lost = do(melee(profile(r=3, w=1), rolls=[6], stands=1, files=1), "combat-reform")
    assert r(lost, "a").where == "gone"
    assert not events(lost, "reformed")


@pytest.mark.rule("conquest.action.inspired.cap", "conquest.action.inspired.order")
def test_inspired_is_applied_last_and_capped():
    def value(c, *steps):
        given = tuple(
            Effect("a", "clash", "add", step, "conquest.draw-event.burnout", source, "round")
            for source, step in zip(("a", "b", "burnout"), steps, strict=False)
        )
        battle = scene(
            regiment("a", 0, (36, 20), inspired=1, of=profile(c=c, a=1)), regiment("b", 1, (36, 20), of=profile(d=5)),
            dice=[6, 6, 6, 6, 6, 6], effects=given,
        )  # fmt: skip
        do(battle, "clash")
        if battle.decision and battle.decision.prompt.key == "ask.reroll":
            do(battle, True)
        return events(battle, "hits")[0].facts["value"], len(events(battle, "reroll"))

    assert value(3) == (4, 0)
    assert value(4) == (4, 1), "6s are re-rolled instead"
    assert value(5) == (5, 1)
    assert value(3, 1) == (4, 1), "the other modifier first"
    assert value(4, -1) == (4, 0)


@pytest.mark.rule("conquest.action.inspired.cap")
def test_inspired_is_worked_out_stand_by_stand():
    battle = scene(
        regiment("a", 0, (36, 20), stands=2, inspired=1, of=profile(c=3, a=1)),
        regiment("b", 1, (36, 20), of=profile(d=5)),
        characters=[hero("h", 0, "a", profile(c=4, a=1))],
        dice=[6, 6, 6, 6],
    )
    declined = battle.fork()
    do(battle, "clash", True)
    assert [e.facts["value"] for e in events(battle, "hits")] == [4, 4]
    assert [e.roll.who for e in battle.events if e.kind == "reroll"] == ["h"]
    do(declined, "clash", False)
    assert not events(declined, "reroll"), "they may be re-rolled, or not"


# -- Withdraw ------------------------------------------------------------------------------------------------------


def withdrawing(*others, klass="medium", rolls=(), r_=3, w=9, stands=3, files=3, **more):
    return scene(
        regiment("a", 0, (36, 20), stands=stands, files=files, of=profile(klass=klass, r=r_, w=w)),
        regiment("b", 1, (36, 20)),
        *others,
        dice=list(rolls),
        **more,
    )


def settle(battle):
    while battle.decision and battle.decision.prompt.key == "ask.casualty-end":
        battle.answer("left")
    return battle


@pytest.mark.rule("conquest.withdraw.eligibility")
def test_only_light_and_medium_regiments_withdraw():
    refused(withdrawing(klass="heavy"), "withdraw", "conquest.withdraw.eligibility")
    assert "withdraw" in offered(withdrawing(klass="light"))
    joined = withdrawing(characters=[hero("h", 0, "a", profile(klass="heavy"))])
    assert "withdraw" in offered(joined), "the regiment's Class counts"


@pytest.mark.rule("conquest.withdraw.counts-once")
def test_withdraw_is_one_action():
    battle = settle(do(withdrawing(rolls=[1, 1, 1]), "withdraw"))
    do(battle, forward(3))
    assert "march" in offered(battle), "Withdraw, then March"
    assert battle.state.activation.actions == ("withdraw",)
    refused(battle, "withdraw")


@pytest.mark.rule("conquest.withdraw.test")
def test_the_withdraw_roll():
    clean = do(withdrawing(rolls=[3, 1, 1]), "withdraw")
    assert last(clean, "resolve-roll")["passed"]
    fighting = do(withdrawing(rolls=[4, 1, 1, 1, 1]), "withdraw")
    assert not last(fighting, "resolve-roll")["passed"]
    spell = (Effect("a", "resolve", "add", 2, "conquest.magic.resolve", until="round"),)
    broken = scene(
        regiment("a", 0, (36, 20), broken=True, of=profile(w=9)),
        regiment("b", 1, (36, 20)),
        dice=[5, 1, 1, 1, 1],
        effects=spell,
    )
    assert not last(do(broken, "withdraw"), "resolve-roll")["passed"]
    big = scene(
        regiment("a", 0, (36, 20), stands=6, files=3, of=profile(w=9)), regiment("b", 1, (36, 20)), dice=[4, 1, 1, 1, 1]
    )
    assert not last(do(big, "withdraw"), "resolve-roll")["passed"], "no size bonus"


@pytest.mark.rule("conquest.withdraw.clean")
def test_a_clean_withdrawal_costs_one_die_of_wounds():
    battle = settle(do(withdrawing(rolls=[3, 4, 1, 1, 1, 1]), "withdraw"))
    assert last(battle, "allocated")["wounds"] == 4
    assert rolled(battle, "defence") == []
    assert rolled(battle, "morale") == [4]
    quiet = settle(do(withdrawing(rolls=[3, 4], options={"clean_withdrawal_morale": "none"}), "withdraw"))
    assert rolled(quiet, "morale") == []
    gone = do(withdrawing(rolls=[1, 6], w=1, stands=3), "withdraw")
    settle(gone)
    assert r(gone, "a").where == "gone"
    assert not events(gone, "withdrawn")


@pytest.mark.rule("conquest.withdraw.move")
def test_it_ends_an_inch_away_at_least():
    battle = settle(do(withdrawing(rolls=[1, 1, 1]), "withdraw"))
    refused(battle, forward(0.9), "conquest.withdraw.move")
    allowed(battle, forward(1))
    allowed(battle, forward(5))
    refused(battle, forward(5.1), "conquest.march.distance")
    do(battle, forward(5))
    assert formation.distance(battle.state, r(battle, "a"), r(battle, "b")) == pytest.approx(5.0)


@pytest.mark.rule("conquest.withdraw.keep-formation")
def test_it_turns_as_a_rigid_block():
    battle = settle(do(withdrawing(rolls=[1, 1, 1], stands=6), "withdraw"))
    front = [s.id for s in r(battle, "a").stands if s.rank == 0]
    do(battle, forward(2))
    own = r(battle, "a")
    assert (own.files, own.facing) == (3, 180.0)
    assert [s.id for s in own.stands if s.rank == 0] == front
    assert own.y == pytest.approx(13.0), "the new front lies where the rear was, 2 inches on"


@pytest.mark.rule("conquest.withdraw.fails")
def test_a_withdrawal_without_room_fails():
    near = regiment("c", 1, (36, 15.7), facing=0.0, stands=9, files=9)
    battle = settle(do(withdrawing(near, rolls=[1, 1, 1], stands=3), "withdraw"))
    fired(battle, "conquest.withdraw.fails")
    own = r(battle, "a")
    assert (own.x, own.y, own.facing) == (36.0, 20.0, 0.0)
    assert sum(s.wounds for s in own.stands) == 1, "the wounds stay"
    room = regiment("c", 1, (36, 14.5), facing=0.0, stands=9, files=9)
    other = settle(do(withdrawing(room, rolls=[1, 1, 1], stands=3), "withdraw"))
    allowed(other, forward(1.5))
    refused(other, forward(2.1), "conquest.withdraw.move")


@pytest.mark.rule("conquest.withdraw.fails")
def test_a_withdrawal_that_must_go_sideways_does_not_fail():
    behind = regiment("f", 0, (31, 17.45), stands=40, files=10)
    battle = scene(
        regiment("a", 0, (31, 20), stands=2, files=2, of=profile(m=9, w=9)),
        regiment("b", 1, (36, 20)),
        behind,
        dice=[1, 1, 1],
    )
    settle(do(battle, "withdraw"))
    assert not events(battle, "withdrawal-failed"), "its friends are too deep to pass, but it can go along them"
    allowed(battle, {"path": [{"how": "right", "inches": 3.0}]})
    refused(battle, {"path": [{"how": "right", "inches": 2.0}]}, "conquest.withdraw.move")


@pytest.mark.rule("conquest.withdraw.fighting")
def test_a_fighting_withdrawal_costs_the_die_for_each_stand_in_contact():
    battle = settle(do(withdrawing(rolls=[6, 4, *([1] * 12)], w=12), "withdraw"))
    assert last(battle, "withdraws")["wounds"] == 12
    assert rolled(battle, "withdraw-wounds") == [1], "one die, not one for each stand"
    assert rolled(battle, "morale") == [12]
