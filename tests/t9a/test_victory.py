"""The end of the game, scoring units, spoils."""

import pytest

from t9a.builder import do, duel, events, fired, hero, last, offered, part, profile, quiet, scene, u, unit
from umpire.games.t9a.victory import from_difference, points_for, scoring


def ended(*units, **more):
    return scene(*units, unit("z", 1, at=(4, 46), points=0), unit("y", at=(4, 4), points=0), moment="end", **more)


@pytest.mark.rule("t9a.end.vp.table")
@pytest.mark.parametrize(
    ("difference", "size", "points"),
    [
        (1050, 3000, 14),
        (225, 4500, 10),
        (226, 4500, 11),
        (0, 4500, 10),
        (300, 3000, 11),
        (301, 3000, 12),
        (600, 3000, 12),
        (900, 3000, 13),
        (1200, 3000, 14),
        (1500, 3000, 15),
        (1501, 3000, 16),
        (9000, 3000, 16),
    ],
)
def test_the_printed_table_of_victory_points(difference, size, points):
    assert from_difference(difference, size) == points


@pytest.mark.rule("t9a.end.vp.destroyed", "t9a.end.vp.shaken", "t9a.end.vp.decimated")
@pytest.mark.parametrize(
    ("points", "flags", "given"),
    [
        (320, {"models": 0, "start": 10, "where": "gone"}, 320),
        (225, {"shaken": True}, 113),
        (405, {"models": 4, "start": 20}, 203),
        (405, {"models": 5, "start": 20}, 0),
        (100, {}, 0),
    ],
)
def test_what_an_entry_gives(points, flags, given):
    battle = ended(unit("a", of=quiet(), points=points, **flags))
    assert points_for(battle.state, battle.state.pool("a"))[0] == given


@pytest.mark.rule("t9a.end.vp.attached", "t9a.end.vp.shaken-decimated")
def test_attached_models_are_counted_for_themselves():
    battle = ended(unit("a", of=quiet(), models=4, start=20, points=300), hero("h", 0, "a", points=250))
    assert last(battle, "victory-points")["score"] == [0, 150]
    both = ended(unit("a", of=quiet(), points=301, shaken=True), hero("h", 0, "a", points=251))
    assert last(both, "victory-points")["score"] == [0, 151 + 126]
    full = ended(unit("a", of=quiet(), models=4, start=20, points=225, shaken=True))
    assert last(full, "victory-points")["score"] == [0, 225]


@pytest.mark.rule("t9a.end.bp.primary", "t9a.prep.primary.bounty.win")
def test_more_spoils_win_the_primary_objective():
    battle = ended(
        unit("a", of=quiet(), spoils=3, standard=True), unit("b", 1, at=(36, 40), of=quiet(), spoils=2, standard=True)
    )
    assert battle.outcome.score == (13.0, 7.0)
    tie = ended(
        unit("a", of=quiet(), spoils=2, standard=True), unit("b", 1, at=(36, 40), of=quiet(), spoils=2, standard=True)
    )
    assert tie.outcome.score == (10.0, 10.0)
    assert tie.outcome.winner is None


@pytest.mark.rule("t9a.end.winner", "t9a.end.bp.total")
def test_the_primary_objective_can_turn_the_battle():
    lead = unit("b", 1, at=(36, 40), of=quiet(), points=600, shaken=True, spoils=0)
    flag = unit("c", 1, at=(20, 40), of=quiet(), spoils=1, standard=True)
    battle = ended(lead, flag, size=3000)
    assert battle.outcome.score == (8.0, 12.0)
    assert battle.outcome.winner == 1
    assert sum(battle.outcome.score) == 20


@pytest.mark.rule("t9a.end.bp.secondary")
def test_secondary_objectives_are_worth_one():
    def score(mine, theirs):
        units = (
            unit("a", of=quiet(), standard=True),
            unit("b", 1, at=(36, 40), of=quiet(), standard=True),
        )
        return ended(*units, secondaries=(mine, theirs)).outcome.score

    assert score("colours", "") == (11.0, 9.0)
    assert score("colours", "colours") == (10.0, 10.0)
    assert score("", "behead") == (10.0, 10.0)


@pytest.mark.rule("t9a.end.bp.secondary")
def test_the_secondary_objectives_of_the_season():
    from umpire.games.t9a.victory import fulfilled

    def met(kind, *units):
        battle = ended(*units, secondaries=(kind, ""))
        return fulfilled(battle.state, 0)

    assert met("heartland", unit("a", of=quiet(), standard=True, at=(36, 24)))
    assert not met("heartland", unit("a", of=quiet(), standard=True, at=(36, 10)))
    assert met("breakthrough", unit("a", of=quiet(), standard=True, at=(36, 44)))
    assert not met("breakthrough", unit("a", of=quiet(), standard=True, at=(36, 37)))
    gone = hero("g", 1, of=quiet(hp=3), general=True, at=(30, 40))
    battle = ended(gone, secondaries=("behead", "hunt"))
    assert not fulfilled(battle.state, 0)
    battle.state.pool("g").destroyed = True
    assert fulfilled(battle.state, 0)


@pytest.mark.rule("t9a.prep.scoring-unit", "t9a.psych.shaken.scoring")
@pytest.mark.parametrize(
    ("rules", "flags", "scores"),
    [
        ((), {"standard": True}, True),
        ((), {}, False),
        (("light-troops.reform",), {"standard": True}, False),
        ((), {"standard": True, "summoned": True}, False),
        ((), {"standard": True, "arrived": 6}, False),
        ((), {"standard": True, "arrived": 5}, True),
        ((), {"standard": True, "shaken": True}, False),
    ],
)
def test_who_scores(rules, flags, scores):
    battle = scene(unit("a", of=quiet(*rules), **flags), unit("z", 1, at=(4, 46)))
    assert scoring(battle.state, u(battle, "a")) is scores
    lone = scene(hero("h", of=quiet(hp=3)), unit("z", 1, at=(4, 46)))
    assert not scoring(lone.state, u(lone, "h"))


@pytest.mark.rule("t9a.rule.ambush.turn-six")
def test_those_that_arrive_in_turn_six_do_not_score():
    late = scene(unit("a", of=quiet(), standard=True, arrived=6), unit("z", 1, at=(4, 46)))
    assert not scoring(late.state, u(late, "a"))


@pytest.mark.rule("t9a.prep.primary.bounty.gain", "t9a.prep.destroyed-in-melee", "t9a.prep.rnf-unit")
def test_a_scoring_unit_destroyed_in_melee_gives_spoils():
    killer = profile(parts=[part(att=6, off=9, agi=5, s=9)])
    battle = duel(killer, quiet(), [6] * 12, foes=5, a={"standard": True}, b={"standard": True})
    assert u(battle, "a").spoils == 1
    none = duel(killer, quiet(), [6] * 12, foes=5, a={"standard": True})
    assert u(none, "a").spoils == 0
    mute = duel(killer, quiet(), [6] * 12, foes=5, b={"standard": True})
    assert u(mute, "a").spoils == 0


@pytest.mark.rule("t9a.prep.primary.bounty.gain")
def test_caught_units_count_as_they_were_when_the_round_began():
    """Interaction 40: caught it is shaken; what counts is the round's beginning."""
    battle = duel(
        quiet(), quiet(dis=4), [6, 6, 1, 1, 6, 6], models=10, foes=5, a={"standard": True}, b={"standard": True}
    )
    do(battle, "b")
    assert events(battle, "caught")
    assert u(battle, "a").spoils == 1


@pytest.mark.rule("t9a.prep.primary.bounty.gain")
def test_of_two_scoring_units_one_takes_the_marker():
    killer = profile(parts=[part(att=6, off=9, agi=5, s=9)])
    battle = scene(
        unit("a", of=killer, models=1, files=1, at=(35, 20), standard=True),
        unit("c", of=killer, models=1, files=1, at=(37, 20), standard=True),
        unit("b", 1, of=quiet(), models=5, standard=True),
        moment="melee",
        dice=[6] * 24,
    )
    assert offered(battle) == ["a", "c"]
    do(battle, "c")
    assert (u(battle, "a").spoils, u(battle, "c").spoils) == (0, 1)


@pytest.mark.rule("t9a.prep.destroyed-in-melee.initial-unit", "t9a.char.rnf-wiped")
def test_the_soldiers_are_destroyed_though_their_captain_lives():
    killer = profile(parts=[part(att=9, off=9, agi=5, s=9)])
    battle = scene(
        unit("a", of=killer, models=1, files=1, standard=True),
        unit("b", 1, of=quiet(), models=5, standard=True),
        hero("h", 1, "b", of=quiet(hp=3), file=0),
        moment="melee",
        dice=[6] * 18,
    )
    do(battle, "stay")
    assert u(battle, "a").spoils == 1
    fired(battle, "t9a.char.rnf-wiped")
    assert u(battle, "b").members == ("h",)


@pytest.mark.rule("t9a.rule.ambush.never", "t9a.rule.hidden")
def test_reserves_that_never_came_are_casualties():
    battle = ended(
        unit("a", of=quiet("ambush.reserve"), where="ambush", points=200),
        unit("h", of=quiet("hidden"), where="hidden", points=50, models=1),
    )
    assert last(battle, "victory-points")["score"] == [0, 250]
    kept = ended(
        unit("h", of=quiet("hidden"), where="hidden", points=50, models=1), options={"hidden_never": "nothing"}
    )
    assert last(kept, "victory-points")["score"] == [0, 0]


@pytest.mark.rule("t9a.intro.game-end", "t9a.end.method", "t9a.intro.game-turns")
def test_the_game_ends_after_the_second_players_sixth_turn():
    battle = scene(
        unit("a", of=quiet(), at=(10, 5)),
        unit("b", 1, of=quiet(), at=(60, 44)),
        moment="melee",
        turn=6,
        active=0,
        until="battle",
    )
    assert battle.outcome is None
    assert battle.state.active == 1
    assert battle.state.turn == 6
