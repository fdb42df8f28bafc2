"""What the planner thinks of: whom it charges, with whom, and where it goes."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.engine.scene import scene
from umpire.games.t9a.judgement import Fight, combat, fights_about, markers, price, prospect, together
from umpire.games.t9a.planning import HINTS


def _scene(moment: str, *units: dict[str, Any], **more: Any) -> Battle[Any]:
    return scene({"game": "t9a", "position": {"moment": moment, "units": list(units), **more}})


def _first(battle: Battle[Any]) -> Any:
    assert battle.decision is not None
    assert HINTS.candidates is not None
    ideas = HINTS.candidates(battle, battle.decision, Rng(1))
    return next(idea for idea in ideas if battle.decision.legal(idea))


WEAK: dict[str, Any] = {"models": 10, "points": 60, "profile": {"res": 2, "parts": [{"att": 1, "str": 2}]}}
STRONG: dict[str, Any] = {"models": 20, "points": 200, "profile": {"res": 4, "arm": 3, "parts": [{"att": 2, "str": 5}]}}


def test_the_strong_charge_the_weak_and_not_the_other_way() -> None:
    own = {"id": "a", "x": 36, "y": 20, **STRONG}
    foe = {"id": "b", "side": 1, "x": 36, "y": 26, "facing": 180, **WEAK}
    assert _first(_scene("charge", own, foe)) == "a"
    own, foe = {**own, **WEAK}, {**foe, **STRONG}
    assert _first(_scene("charge", own, foe)) == "end"


def test_what_another_adds_to_a_combat_is_what_its_charge_is_worth() -> None:
    battle = _scene(
        "charge",
        {"id": "a", "x": 36, "y": 20, **STRONG},
        {"id": "c", "x": 44, "y": 16, **STRONG},
        {"id": "b", "side": 1, "x": 36, "y": 20, "facing": 180, **STRONG},
    )
    state = battle.state
    mine, more, foe = (state.units[key] for key in "acb")
    about = fights_about(state, foe)
    assert [(fight.unit.id, fight.foe.id, fight.charging) for fight in about] == [("a", "b", False)]
    both = combat(state, [*about, Fight(more, foe, True, flank=True)])
    assert both > combat(state, about)
    assert mine.id == about[0].unit.id
    assert prospect(state, more, foe) > 0


def test_two_charges_on_one_foe_bring_more_than_one() -> None:
    battle = _scene(
        "charge",
        {"id": "a", "x": 33, "y": 20, **STRONG},
        {"id": "c", "x": 39, "y": 20, **STRONG},
        {"id": "b", "side": 1, "x": 36, "y": 26, "facing": 180, **STRONG, "models": 30},
    )
    state = battle.state
    a, c, b = (state.units[key] for key in "acb")
    assert together(state, a, c, b) > max(prospect(state, a, b), prospect(state, c, b))


def test_a_unit_marches_at_the_enemy_and_shooters_in_range_stay() -> None:
    bow = {"models": 10, "points": 100, "profile": {"parts": [{"att": 1, "weapons": ["longbow"]}]}}
    foe = {"id": "b", "side": 1, "x": 36, "y": 44, "facing": 180, **WEAK}
    battle = _scene("movement", {"id": "a", "x": 36, "y": 10, **STRONG}, foe)
    battle.answer("a")
    battle.answer(_first(battle))
    assert battle.decision is not None
    assert battle.decision.prompt.key == "ask.march"
    before = battle.state.units["a"].y
    battle.answer(_first(battle))
    assert battle.state.units["a"].y > before + 5
    battle = _scene("movement", {"id": "a", "x": 36, "y": 10, **bow}, {**foe, "y": 30})
    battle.answer("a")
    battle.answer("normal")
    assert _first(battle) == {"stay": True}


ROCK = {"id": "r", "kind": "impassable", "points": [[28, 16], [42, 16], [42, 20], [28, 20]]}


def test_a_unit_goes_round_a_rock() -> None:
    battle = _scene(
        "movement",
        {"id": "a", "x": 33, "y": 13, **STRONG},
        {"id": "b", "side": 1, "x": 33, "y": 40, "facing": 180, **WEAK},
        terrain=[ROCK],
    )
    for _ in range(6):
        battle.answer("a")
        while battle.decision is not None and battle.decision.about == "a":
            battle.answer(_first(battle))
        unit = battle.state.units["a"]
        unit.moved = False
        state = battle.state
        battle = _scene(
            "movement",
            {"id": "a", "x": unit.x, "y": unit.y, "facing": unit.facing, **STRONG},
            {"id": "b", "side": 1, "x": 33, "y": 40, "facing": 180, **WEAK},
            terrain=[ROCK],
        )
        assert state.units["a"].where == "table"
    assert battle.state.units["a"].y > 22


def test_who_is_near_the_charger_stands_and_who_is_far_flees_from_what_it_cannot_stand() -> None:
    answers = []
    for gap in (1.5, 8.0):
        battle = _scene(
            "charge",
            {"id": "a", "side": 1, "x": 36, "y": 14 + gap, "facing": 180, **WEAK, "models": 20},
            {"id": "b", "x": 36, "y": 14, **STRONG},
        )
        battle.answer("b")
        if battle.decision is not None and battle.decision.prompt.key == "ask.charge-target":
            battle.answer("a")
        assert battle.decision is not None
        assert battle.decision.prompt.key == "ask.reaction"
        answers.append(_first(battle))
    assert answers == ["hold", "flee"]


def test_where_no_charge_is_left_nobody_runs_into_one() -> None:
    units = ({"id": "a", "x": 36, "y": 20, **WEAK}, {"id": "b", "side": 1, "x": 36, "y": 33, "facing": 180, **STRONG})
    ends = []
    for turn in (2, 6):
        battle = _scene("movement", *units, turn=turn, active=0, starts=0)
        battle.answer("a")
        while battle.decision is not None and battle.decision.about == "a":
            battle.answer(_first(battle))
        ends.append(battle.state.units["a"].y)
    assert ends[1] <= 20.0


def test_in_the_last_turn_a_scoring_unit_goes_where_its_side_wins_by_it() -> None:
    units = (
        {"id": "a", "x": 36, "y": 12, "standard": True, **STRONG},
        {"id": "b", "side": 1, "x": 10, "y": 44, "facing": 180, **WEAK},
    )
    battle = _scene("movement", *units, turn=6)
    battle.state.secondaries = ["heartland", "colours"]
    battle.answer("a")
    while battle.decision is not None and battle.decision.about == "a":
        battle.answer(_first(battle))
    assert battle.state.units["a"].y >= 18.0


def test_who_is_raised_has_lost_somebody_and_a_spell_that_brings_nothing_is_left() -> None:
    wizard = {"id": "w", "x": 30, "y": 20, "wizard": "master", "spells": ["regrowth"], "attachable": True}
    whole = {"id": "a", "x": 36, "y": 20, **STRONG}
    foe = {"id": "b", "side": 1, "x": 36, "y": 44, "facing": 180, **WEAK}
    hurt = {"id": "c", "x": 42, "y": 20, **WEAK, "start": 20}
    battle = _scene("magic", wizard, whole, foe)
    battle.answer(False)
    assert _first(battle) == "end"
    battle = _scene("magic", wizard, whole, hurt, foe)
    battle.answer(False)
    battle.answer(_first(battle))
    assert battle.decision is not None
    assert battle.decision.prompt.key == "ask.spell-target"
    assert _first(battle) == "c"
    assert _first(battle.imagine(0, 1)) == "c"


def test_the_marker_that_decides_the_bounty_is_worth_more_than_the_next_one() -> None:
    battle = _scene(
        "charge",
        {"id": "a", "x": 36, "y": 20, "standard": True, **STRONG},
        {"id": "b", "side": 1, "x": 36, "y": 40, "facing": 180, **WEAK},
        turn=5,
    )
    state = battle.state
    level = markers(state, 0, 1)
    state.units["a"].spoils = 1
    assert level > 4 * markers(state, 0, 1) > 0
    assert price(state, state.units["a"]) > level


def test_who_sees_its_prey_flee_is_not_turned_upon_somebody_too_strong() -> None:
    """Of two left, one weak and one strong, it takes the weak one; of the strong one alone it keeps off."""
    own = {"id": "a", "x": 36, "y": 20, "models": 20, "points": 120, "profile": {"parts": [{"att": 1, "str": 4}]}}
    prey = {"id": "b", "side": 1, "x": 36, "y": 28, "facing": 180, **WEAK}
    horde = {"id": "c", "side": 1, "x": 44, "y": 27, "facing": 180, **STRONG, "models": 40}
    weak = {"id": "d", "side": 1, "x": 28, "y": 27, "facing": 180, **WEAK, "points": 200}
    for others, redirected in (((horde,), False), ((horde, weak), True)):
        battle = _scene("charge", own, prey, *others)
        for answer in ("a", "b", "flee"):
            battle.answer(answer)
        assert battle.decision is not None
        assert battle.decision.prompt.key == "ask.redirect"
        assert _first(battle) is redirected


def test_who_may_overrun_stays_out_of_the_reach_of_whom_it_cannot_stand() -> None:
    """A weak foe is destroyed; beyond it is nobody, or a horde too far off to charge the winner where it is."""
    own = {"id": "a", "x": 36, "y": 20, **STRONG, "models": 10, "charging": True}
    prey = {"id": "b", "side": 1, "x": 36, "y": 20, "facing": 180, **WEAK, "models": 1}
    horde = {"id": "c", "side": 1, "x": 36, "y": 38, "facing": 180, **STRONG, "models": 50, "points": 500}
    for others, answer in (((), "overrun"), ((horde,), "stay")):
        battle = _scene("melee", own, prey, *others)
        while battle.decision is not None and battle.decision.prompt.key != "ask.overrun":
            battle.answer(battle.decision.suggest(Rng(1)))
        assert battle.decision is not None
        assert _first(battle) == answer


def test_who_may_overrun_helps_a_friend_against_whom_it_could_not_fight_alone() -> None:
    """Two are left to run into the flank of a horde: a friend who fights it already makes good use of them."""
    own = {"id": "a", "x": 36, "y": 20, **STRONG, "models": 2, "charging": True}
    prey = {"id": "b", "side": 1, "x": 36, "y": 20, "facing": 180, **WEAK, "models": 1, "profile": {"res": 1, "def": 1}}
    horde = {"id": "c", "side": 1, "x": 36, "y": 28, "facing": 90, **STRONG, "models": 50, "files": 5, "points": 500}
    friend = {"id": "d", "x": 36, "y": 28, "facing": 270, **STRONG, "models": 40, "files": 5, "points": 300}
    for others, answer in (((horde,), "stay"), ((horde, friend), "overrun")):
        battle = _scene("melee", own, prey, *others)
        while battle.decision is not None and battle.decision.prompt.key != "ask.overrun":
            battle.answer(battle.decision.suggest(Rng(1)))
        assert battle.decision is not None
        assert _first(battle) == answer
