"""Any wish of any unit at any moment is answered with every reason against it."""

import pytest

from t9a.builder import hero, profile, scene, spell, unit
from umpire.errors import UmpireError


def why(battle, side, **wish):
    return battle.why_not(side, wish).rules


@pytest.mark.rule("t9a.intro.phase-order", "t9a.intro.active-reactive", "t9a.intro.friend-enemy")
def test_wishes_out_of_turn_and_out_of_phase():
    battle = scene(
        unit("a", at=(36, 20), models=5), unit("b", 1, at=(36, 28), models=5), unit("c", at=(20, 20), models=5)
    )
    assert why(battle, 0, deed="charge", who="a", whom=["b"]) == ()
    assert "t9a.intro.active-reactive" in why(battle, 1, deed="charge", who="b", whom=["a"])
    assert "t9a.intro.phase-order" in why(battle, 0, deed="shoot", who="a", whom=["b"])
    assert "t9a.intro.friend-enemy" in why(battle, 0, deed="charge", who="a", whom=["c"])


def test_every_deed_answers():
    zap = spell("zap", value=3, hits="1", s=3)
    battle = scene(
        unit("a", at=(36, 20), models=5, of=profile("undead.march")),
        hero("w", wizard="adept", spells=("zap",), at=(30, 20)),
        unit("b", 1, at=(36, 30)),
        moment="magic",
        spells=(zap,),
        dice=[],
    )
    assert why(battle, 0, deed="cast", who="w", using="zap", whom=["b"]) == ()
    assert "t9a.magic.spells.types" in why(battle, 0, deed="cast", who="w", using="zip")
    assert "t9a.rule.undead.march" in why(battle, 0, deed="move", who="a", using="march")
    assert "t9a.charge.reaction.mandatory" in why(battle, 1, deed="flee", who="b")
    assert why(battle, 0, deed="join", who="w", whom=["a"])
    assert why(battle, 0, deed="leave", who="w")


@pytest.mark.rule("t9a.charge.declare.possible")
def test_a_wish_is_judged_in_the_phase_that_the_scene_describes_though_nobody_could_act_there():
    battle = scene(unit("a", at=(36, 10)), unit("b", 1, at=(36, 40)), moment="charge", until="battle")
    assert battle.state.phase == "movement", "nobody could charge"
    assert why(battle, 0, deed="charge", who="a", whom=["b"]) == ("t9a.charge.declare.possible",)


@pytest.mark.rule("t9a.move.normal.advance", "t9a.move.march.advance")
def test_a_way_can_be_wished_for():
    battle = scene(unit("a", at=(36, 10)), unit("b", 1, at=(36, 40)), moment="movement")

    def ahead(inches, using="normal"):
        path = {"path": [{"how": "forward", "inches": inches}]}
        return why(battle, 0, deed="move", who="a", using=using, answer=path)

    assert ahead(4) == ()
    assert ahead(4.01) == ("t9a.move.normal.advance", "t9a.move.serpentine.distance")
    assert ahead(8, "march") == ()
    assert "t9a.move.march.advance" in ahead(8.01, "march")
    with pytest.raises(UmpireError, match="there is no move “fly”"):
        ahead(1, "fly")
