"""What the planner thinks of: whom it charges, with whom, and where it goes."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.engine.scene import scene
from umpire.games.t9a.combat_worth import Fight, bounty, combat, kept, markers, price, rounds_left
from umpire.games.t9a.formation import box
from umpire.games.t9a.judgement import FEAR, Fears, fear, fights_about, prospect, together
from umpire.games.t9a.planning import HINTS
from umpire.games.t9a.sorcery import backfires, mishaps


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


def test_a_fight_is_weighed_to_its_end_as_far_as_the_battle_lasts() -> None:
    """A great block against a small one of the same soldiers: what one round brings is little, the fight is won."""
    values = []
    for turn in (2, 6):
        battle = _scene(
            "charge",
            {"id": "a", "x": 36, "y": 20, **STRONG, "models": 40, "points": 400},
            {"id": "b", "side": 1, "x": 36, "y": 26, "facing": 180, **STRONG},
            turn=turn,
            active=1,
            starts=0,
        )
        state = battle.state
        fight = [Fight(state.units["a"], state.units["b"], True)]
        values.append((rounds_left(state), combat(state, fight), combat(state, fight, rounds=1)))
    (many, long, short), (one, last, only) = values
    assert (many, one) == (4, 1)
    assert long > short > 0
    assert last == only


def test_in_the_end_health_points_count_where_they_decide_victory_points() -> None:
    """Of twenty, five more or less are a quarter of the points in the beginning; in the end the half is lost only with
    the quarter that keeps it from being Decimated."""
    lost = []
    for turn in (2, 6):
        battle = _scene("charge", {"id": "a", "x": 36, "y": 20, **STRONG}, turn=turn)
        state = battle.state
        pool = state.pools["a"]
        lost.append([kept(state, pool, many) - kept(state, pool, few) for many, few in ((20, 15), (6, 1))])
    assert lost[0] == [50.0, 50.0]
    assert lost[1][0] < 10.0
    assert lost[1][1] > 80.0


def test_only_a_scoring_unit_takes_a_marker_for_a_scoring_unit() -> None:
    battle = _scene(
        "charge",
        {"id": "a", "x": 36, "y": 20, "standard": True, **STRONG},
        {"id": "c", "x": 46, "y": 20, **STRONG},
        {"id": "b", "side": 1, "x": 36, "y": 26, "facing": 180, "standard": True, **WEAK},
        turn=5,
    )
    state = battle.state
    taker, other, fallen = (state.units[key] for key in "acb")
    assert bounty(state, fallen, [taker]) > 0 == bounty(state, fallen, [other])


def test_who_has_room_moves_first_and_who_has_little_is_not_stuck() -> None:
    """Three side by side, an enemy to the right: the one in the middle, the nearest, can wheel when its neighbour has
    gone."""
    battle = _scene(
        "movement",
        {"id": "a", "x": 30, "y": 20, **STRONG},
        {"id": "b", "x": 35.5, "y": 21.5, **STRONG},
        {"id": "c", "x": 41, "y": 20, **STRONG},
        {"id": "f", "side": 1, "x": 46, "y": 44, "facing": 180, **WEAK, "points": 400},
    )
    order = []
    while battle.decision is not None and battle.decision.prompt.key == "ask.move-unit":
        key = _first(battle)
        order.append(key)
        battle.answer(key)
        while battle.decision is not None and battle.decision.about == key:
            battle.answer(_first(battle))
        if len(order) == 3:
            break
    assert order == ["c", "b", "a"]
    places = {"a": (30, 20), "b": (35.5, 21.5), "c": (41, 20)}
    for key, at in places.items():
        unit = battle.state.units[key]
        assert (unit.x - at[0]) + (unit.y - at[1]) > 3


def test_a_place_from_which_a_friend_can_be_helped_is_worth_more() -> None:
    battle = _scene(
        "movement",
        {"id": "a", "x": 46, "y": 16, "facing": 270, **STRONG},
        {"id": "d", "x": 36, "y": 20, **WEAK, "points": 300},
        {"id": "b", "side": 1, "x": 36, "y": 20, "facing": 180, **STRONG},
    )
    state = battle.state
    unit = state.units["a"]
    here, fears = box(state, unit), Fears(state, unit)
    towards, away = fears.of(here.x, 23.0, 270.0), fears.of(here.x, 23.0, 90.0)
    assert towards > away == 0.0


def test_who_is_ahead_need_not_take_risks() -> None:
    """The same place before the same enemy is feared more by a side that has lost nothing to one that has."""
    dangers = []
    for start in (20, 80):
        battle = _scene(
            "movement",
            {"id": "a", "x": 36, "y": 20, **WEAK, "models": 20, "points": 400},
            {"id": "b", "side": 1, "x": 36, "y": 27, "facing": 180, **STRONG, "points": 400, "start": start},
            turn=3,
        )
        state = battle.state
        here, fears = box(state, state.units["a"]), Fears(state, state.units["a"])
        dangers.append((fear(state, 0), fears.of(here.x, here.y, here.facing)))
    (even, level), (ahead, careful) = dangers
    assert FEAR == even < ahead
    assert careful < level < 0.0


def test_a_miscast_costs_the_unit_that_burns_and_with_many_dice_the_wizard() -> None:
    """Of two dice a double of five or six casts by a miscast that burns; only five dice can show twenty-five, three of
    them alike; a dearer wizard has more to lose."""
    assert mishaps(2, 8) == (2 / 36, 0.0)
    assert mishaps(4, 8)[1] == 0.0 < mishaps(5, 8)[1]
    costs = []
    for points in (100, 300):
        host = {"id": "a", "x": 30, "y": 20, **WEAK, "models": 20, "points": 200}
        wizard = {"id": "w", "in_unit": "a", "wizard": "master", "spells": ["regrowth"], "points": points}
        state = _scene("magic", host, wizard, {"id": "b", "side": 1, "x": 36, "y": 44, "facing": 180, **WEAK}).state
        pool = state.pools["w"]
        costs.append([backfires(state, pool, pool.spells[0], bound, 5) for bound in (False, True)])
        assert backfires(state, pool, pool.spells[0], False, 2) > 0.0
    (cheap, bound), (dear, _) = costs
    assert dear > cheap > bound == 0.0


def test_of_models_of_several_kinds_those_that_are_protected_worse_fall() -> None:
    strikes = {"parts": [{"att": 1, "off": 9, "str": 9}]}
    position = {
        "moment": "melee",
        "units": [
            {"id": "a", "x": 36, "y": 20, "models": 2, "files": 2, "profile": strikes},
            {
                "id": "b",
                "side": 1,
                "x": 36,
                "y": 20,
                "facing": 180,
                "models": 10,
                "profile": {"arm": 2},
                "kinds": [{"models": 3, "arm": 0}],
            },
        ],
    }
    battle = scene({"game": "t9a", "position": position, "dice": [6, 6, 6, 6, 1, 1, "seeded"]})
    assert battle.decision is not None
    assert battle.decision.prompt.key == "ask.who-falls"
    assert "ask.who-falls" in HINTS.rote
    battle.answer(_first(battle))
    plain, armoured = sorted(battle.state.pools["b"].kinds, key=lambda kind: kind.profile.arm)
    assert (plain.count, armoured.count) == (1, 7)


def _chance(x: float, y: float, facing: float, *others: dict[str, Any], **more: Any) -> float:
    """What a strong unit expects of a place, before a weak enemy that looks away."""
    prey = {"id": "b", "side": 1, "x": 36, "y": 26, "facing": 0, **WEAK, "points": 300}
    state = _scene("movement", {"id": "a", "x": x, "y": y, "facing": facing, **STRONG}, prey, *others, **more).state
    return Fears(state, state.units["a"]).of(x, y, facing)


def test_whom_a_unit_does_not_see_it_does_not_hope_to_charge() -> None:
    """Ahead of the line of its front, but in no front arc; or behind a rock."""
    assert _chance(36.0, 16.0, 0.0) > 0.0
    assert _chance(25.0, 24.0, 0.0) == 0.0
    assert _chance(36.0, 15.0, 0.0, terrain=[ROCK]) == 0.0


def test_where_a_friend_fights_already_there_is_no_room_for_another() -> None:
    friend = {"id": "d", "x": 36, "y": 26, "facing": 180, **WEAK}
    prey = {"id": "b", "side": 1, "x": 36, "y": 26, "facing": 0, **WEAK, "points": 300}
    values = []
    for x, y, facing in ((36.0, 36.0, 180.0), (44.0, 24.0, 270.0)):
        state = _scene("movement", {"id": "a", "x": x, "y": y, "facing": facing, **STRONG}, friend, prey).state
        values.append(Fears(state, state.units["a"]).of(x, y, facing))
    front, flank = values
    assert flank > front == 0.0


def _looks(active: int, foe_at: tuple[float, float]) -> float:
    """Where a unit looks after a combat in the player turn of a side."""
    strikes = {"att": 5, "off": 9, "agi": 5, "str": 9}
    x, y = foe_at
    position = {
        "moment": "melee",
        "active": active,
        "units": [
            {"id": "a", "x": 36, "y": 20, "models": 5, "points": 200, "profile": {"res": 4, "parts": [strikes]}},
            {"id": "b", "side": 1, "x": 36, "y": 20, "facing": 180, "models": 2, "files": 2, "profile": {"res": 2}},
            {"id": "c", "side": 1, "x": x, "y": y, "facing": 0, **WEAK},
        ],
    }
    battle = scene({"game": "t9a", "position": position, "dice": [6] * 30})
    while battle.decision is not None and battle.decision.prompt.key != "ask.post-pivot":
        battle.answer(battle.decision.suggest(Rng(1)))
    assert battle.decision is not None
    return float(_first(battle))


def test_who_may_charge_next_does_not_turn_about_after_a_combat() -> None:
    """A pivot in the enemy's player turn would bar it; in its own, or with nobody to charge, it costs nothing."""
    assert _looks(1, (38, 28)) == 0.0
    assert _looks(0, (38, 28)) != 0.0
    assert _looks(1, (60, 20)) != 0.0


def test_of_as_many_models_of_one_kind_as_of_another_those_count_that_are_protected_worse() -> None:
    battle = _scene(
        "melee",
        {"id": "a", "x": 36, "y": 20, "models": 5, "profile": {"parts": [{"att": 1, "off": 9, "str": 4}]}},
        {
            "id": "b",
            "side": 1,
            "x": 36,
            "y": 20,
            "facing": 180,
            "models": 10,
            "profile": {"res": 5},
            "kinds": [{"models": 5, "res": 3}],
        },
    )
    assert battle.decision is not None
    assert battle.decision.prompt.key == "ask.majority"
    assert "ask.majority" in HINTS.rote
    assert _first(battle) == "1"
