"""Declaring charges, reactions, redirects."""

import pytest

import umpire
from t9a.builder import asked, do, events, fired, hero, last, offered, p, piece, quiet, refused, rolled, scene, u, unit
from umpire.engine.decisions import Choose, Move
from umpire.engine.rng import Rng
from umpire.games.t9a.charging import may_charge, may_declare
from umpire.games.t9a.picture import pieces_of


def meet(gap=8.0, mine=None, theirs=None, *others, a=None, b=None, **more):
    return scene(
        unit("a", at=(36, 20), of=mine or quiet(), models=5, **(a or {})),
        unit("b", 1, at=(36, 20 + gap), of=theirs or quiet(), models=5, **(b or {})),
        *others,
        **more,
    )


SPARE = (unit("y", at=(8, 10), models=5), unit("x", 1, at=(8, 18), models=5))
"""A charge that is always possible elsewhere, so that the question is put."""


@pytest.mark.rule("t9a.charge.declare.possible", "t9a.charge.range.roll")
def test_the_greatest_range_is_ten_and_the_speed():
    assert "a" in offered(meet(14.0))
    battle = meet(14.1, None, None, *SPARE)
    assert "a" not in offered(battle)
    do(battle, "y")
    battle = meet(15.0, quiet(cha=5))
    assert offered(battle)[0] == "a"
    do(battle, "a", "b", "hold")
    assert last(battle, "charge-range")["inches"] in range(10, 16)


@pytest.mark.rule("t9a.charge.declare.range-effects")
def test_effects_on_the_chargers_range_count_when_declaring():
    from umpire.engine.effects import Effect

    push = Effect("a", "cha", "add", 2, "t9a.magic.resolve", "barkskin")
    assert "a" in offered(meet(16.0, None, None, *SPARE, effects=(push,)))
    assert "a" not in offered(meet(16.1, None, None, *SPARE, effects=(push,)))


@pytest.mark.rule("t9a.charge.declare.eligible-charger")
@pytest.mark.parametrize(
    ("flags", "rule"),
    [
        pytest.param(
            {"declared": True},
            "t9a.charge.declare.eligible-charger",
            marks=pytest.mark.rule("t9a.charge.declare.eligible-charger"),
        ),
        pytest.param(
            {"shaken": True}, "t9a.psych.shaken.restrictions", marks=pytest.mark.rule("t9a.psych.shaken.restrictions")
        ),
        pytest.param(
            {"no_charge": 3}, "t9a.melee.post.pivot-no-charge", marks=pytest.mark.rule("t9a.melee.post.pivot-no-charge")
        ),
    ],
)
def test_who_may_not_declare(flags, rule):
    refused(meet(8.0, None, None, *SPARE, a=flags), "a", rule)


@pytest.mark.rule("t9a.rule.scout.no-charge")
def test_units_outside_their_zone_do_not_charge_in_the_first_player_turn():
    refused(meet(8.0, None, None, *SPARE, a={"outside": True}, turn=1), "a", "t9a.rule.scout.no-charge")
    assert "a" in offered(meet(8.0, None, None, *SPARE, a={"outside": True}, turn=1, starts=1))


@pytest.mark.rule("t9a.rule.random-movement.charge")
def test_random_movers_declare_nothing():
    refused(meet(8.0, quiet("random-movement.distance 2D6"), None, *SPARE), "a", "t9a.rule.random-movement.charge")


@pytest.mark.rule("t9a.charge.sequence", "t9a.charge.reaction.mandatory")
def test_every_declaration_is_answered_before_the_next_and_nothing_is_rolled_before_the_last():
    battle = meet(8.0, None, None, *SPARE, dice=[6, 6])
    do(battle, "a", "b")
    assert asked(battle) == "ask.reaction"
    assert battle.decision.side == 1
    do(battle, "hold")
    assert asked(battle) == "ask.charge"
    assert rolled(battle, "charge") == []
    do(battle, "end")
    assert rolled(battle, "charge") == [1]


@pytest.mark.rule("t9a.charge.reaction.hold", "t9a.charge.reaction.flee.eligibility")
def test_an_engaged_unit_can_only_hold():
    battle = meet(8.0, None, None, unit("c", at=(36, 29), facing=180.0, models=5, of=quiet()), dice=[6])
    do(battle, "a", "b")
    assert battle.decision is None or asked(battle) != "ask.reaction"
    fired(battle, "t9a.charge.reaction.hold")


@pytest.mark.rule("t9a.charge.reaction.flee.move", "t9a.psych.flee.direction-charge")
def test_flee_goes_straight_away_from_the_charger():
    battle = meet(8.0, dice=[3, 4])
    do(battle, "a", "b", "flee")
    b = u(battle, "b")
    assert b.shaken
    assert b.by_choice
    assert b.facing == pytest.approx(0.0)
    assert last(battle, "fled")["inches"] == 7


@pytest.mark.rule("t9a.charge.reaction.flee.eligibility")
def test_nobody_flees_twice_in_a_phase():
    from umpire.games.t9a.charging import flee_objections

    battle = do(meet(6.0, quiet(cha=9), dice=[1, 1]), "a", "b", "flee")
    assert {r.rule for r in flee_objections(battle.state, u(battle, "b"))} == {"t9a.charge.reaction.flee.eligibility"}


@pytest.mark.rule("t9a.charge.reaction.flee.contact", "t9a.psych.flee.destroyed")
def test_fleeing_into_another_charger_destroys():
    other = unit("c", at=(36, 33), facing=180.0, models=5, of=quiet())
    battle = meet(6.0, None, None, other, dice=[6, 6])
    do(battle, "c", "b", "hold", "a", "b", "flee")
    assert u(battle, "b").where == "gone"
    fired(battle, "t9a.charge.reaction.flee.contact")


@pytest.mark.rule("t9a.rule.terror", "t9a.psych.panic.terror")
def test_terror_makes_the_target_test_and_flee():
    battle = meet(8.0, quiet("terror"), quiet(dis=5), dice=[6, 6, 3, 4])
    do(battle, "a", "b")
    assert u(battle, "b").shaken
    assert events(battle, "fled")
    assert not u(battle, "b").by_choice
    brave = meet(8.0, quiet("terror"), quiet(dis=9), dice=[1, 1])
    do(brave, "a", "b")
    assert asked(brave) == "ask.reaction"


@pytest.mark.rule("t9a.rule.terror.immune")
def test_terror_does_not_frighten_terror():
    battle = meet(8.0, quiet("terror"), quiet("terror", dis=2), dice=[6, 6])
    do(battle, "a", "b")
    assert rolled(battle, "panic") == []


@pytest.mark.rule("t9a.charge.redirect.test", "t9a.charge.redirect.once")
def test_a_charger_whose_target_fled_may_redirect_once():
    army = (unit("c", 1, at=(36, 33), models=5, of=quiet()), unit("d", 1, at=(42, 33), models=5, of=quiet()))
    battle = meet(6.0, quiet(cha=9, dis=10), None, *army, dice=[6, 6, 1, 1, 6, 6])
    do(battle, "a", "b", "flee")
    assert asked(battle) == "ask.redirect"
    do(battle, True)
    assert rolled(battle, "redirect") == [2]
    assert asked(battle) == "ask.redirect-target"
    assert "stay" in offered(battle)
    do(battle, "c", "flee")
    assert last(battle, "redirected")["target"] == "c"
    fired(battle, "t9a.charge.redirect.once")


@pytest.mark.rule("t9a.psych.command.redirect-once")
def test_a_failed_redirect_stays_committed():
    army = (unit("c", 1, at=(36, 33), models=5, of=quiet()),)
    battle = meet(6.0, quiet(cha=9, dis=5), None, *army, dice=[6, 6, 6, 6])
    do(battle, "a", "b", "flee", True)
    assert u(battle, "a").redirected
    assert not events(battle, "redirected")


@pytest.mark.rule("t9a.charge.range.success", "t9a.charge.failed.distance")
def test_a_charge_reaches_its_distance_or_fails_by_four_inches():
    good = do(meet(9.0, dice=[1]), "a", "b", "hold")
    assert good.state.engaged("a")
    short = do(meet(9.1, dice=[1]), "a", "b", "hold")
    assert not short.state.engaged("a")
    assert u(short, "a").y == pytest.approx(24.0)
    assert u(short, "a").failed


@pytest.mark.rule("t9a.char.charge-out", "t9a.char.charge-out.separate", "t9a.char.charge-out.unit")
def test_a_character_charges_out_with_its_own_speed():
    battle = scene(
        unit("a", at=(36, 20), models=9, of=quiet(cha=4)),
        hero("h", 0, "a", of=quiet(cha=9, hp=3), file=2),
        unit("k", at=(8, 10), models=5),
        unit("b", 1, at=(36, 36), models=5),
        unit("x", 1, at=(8, 18), models=5),
        dice=[6],
    )
    assert "a" not in offered(battle)
    do(battle, "out:h", "b", "hold")
    assert u(battle, "h").where == "table"
    assert u(battle, "a").charged_out
    refused(battle, "a", "t9a.char.charge-out.unit")
    do(battle, "end")
    assert last(battle, "charge-range")["inches"] == 6 + 4 + 9
    assert p(battle, "a").count == 9


@pytest.mark.rule("t9a.rule.attached")
def test_attached_models_do_not_charge_out():
    battle = scene(
        unit("a", at=(36, 20), models=9, of=quiet()),
        hero("h", 0, "a", of=quiet("attached", hp=3), file=2),
        unit("b", 1, at=(36, 28), models=5),
    )
    refused(battle, "out:h", "t9a.rule.attached")


@pytest.mark.rule("t9a.charge.declare.los")
def test_targets_must_be_seen():
    rock = [piece("r", "hill", 20, 25, 52, 26)]
    battle = scene(*SPARE, unit("a", at=(36, 20), models=5), unit("b", 1, at=(36, 28), models=5), terrain=rock)
    assert "a" not in offered(battle)
    behind = scene(unit("a", at=(36, 20), models=5), unit("b", 1, at=(36, 12), models=5), *SPARE)
    assert "a" not in offered(behind)


def test_a_target_shows_where_the_charger_would_stand():
    battle = meet(8.0, None, None, *SPARE)
    do(battle, "a")
    shown = battle.decision.wire()["options"][0]["stands"]
    front = {piece.x: piece.y for piece in pieces_of(battle.state, u(battle, "b"))}
    assert {spot["x"]: spot["y"] + 1.0 for spot in shown.values()} == pytest.approx(front)  # base against base


def test_who_may_charge_is_told_of_each_as_of_all():
    """Nobody need look at all who might charge to hear of one; what is proposed to a mover need hardly ever be thrown
    away."""
    rng, asks, moves, tries = Rng(3), 0, 0, 0
    battle = umpire.battle("t9a", seed=2, options={"points": 2000})
    while (ask := battle.decision) is not None and asks < 40:
        state = battle.state
        if isinstance(ask, Choose) and ask.prompt.key == "ask.charge":
            told = [key for key in state.units if ask.offers(key)]
            foes = state.table(1 - state.active)
            mine = [unit for unit in state.table(state.active) if may_declare(state, unit)]
            assert told == [m.id for m in mine if any(may_charge(state, m, foe, None) for foe in foes)]
            assert [key for key in ask.ids if key in state.units] == told
            asks += 1
        elif isinstance(ask, Choose) and ask.prompt.key == "ask.charge-target" and ask.about in state.units:
            unit, foes = state.units[ask.about], state.table(1 - state.active)
            if unit.where == "table":
                assert ask.ids == [foe.id for foe in foes if may_charge(state, unit, foe, None)]
        elif isinstance(ask, Move) and ask.prompt.key == "ask.march":
            moves += 1
            while not ((answer := ask.propose(rng)) and ask.legal(answer)):
                tries += 1
        battle.answer(ask.suggest(rng))
    assert asks > 10
    assert tries < moves
