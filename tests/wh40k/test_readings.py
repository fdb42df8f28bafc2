"""Disputed readings: each is played both ways, as the table wishes."""

from __future__ import annotations

import typing
from typing import Any

import pytest

import umpire
from umpire.errors import UmpireError
from umpire.games.wh40k import actions
from umpire.games.wh40k.cover import any_cover, dense
from umpire.games.wh40k.declaration import Declaration
from umpire.games.wh40k.melee import reach_of
from umpire.games.wh40k.picture import library
from umpire.games.wh40k.reserves import at_home
from umpire.games.wh40k.state import Options
from umpire.games.wh40k.units import below_half, coherent
from umpire.miniatures.menus import disputed
from wh40k.builder import ability, aim, area, at, do, gun, options, prompt, refused, row, scene, solid, told, unit
from wh40k.test_fighting import TOUGH, fight, pairs
from wh40k.test_transports import aboard, plane, truck

FAR = unit("b1", (40, 28))
READINGS = disputed(Options)


def both(name: str, *units: dict[str, Any], **more: Any) -> list[Any]:
    """The same scene by the ledger's reading and by the other."""
    values = typing.get_args(typing.get_type_hints(Options)[name])
    return [scene(*units, **more, **_reading(name, value)) for value in values]


def _reading(name: str, value: str) -> dict[str, Any]:
    return {"readings": {name: value}}


def test_every_reading_has_a_rule_a_sentence_and_two_ways() -> None:
    menu = {entry["id"]: entry for entry in library()["options"]}
    for name in Options.__struct_fields__:
        entry = menu[name]
        assert entry["rule"] == READINGS[name]
        assert set(entry["text"]) == {"zh", "en"}
        assert len(entry["values"]) == 2
        assert entry["default"] == entry["values"][0]["id"]
    with pytest.raises(UmpireError):
        umpire.battle("wh40k", options={"auras": "thrice"})
    assert umpire.battle("wh40k", options={"auras": "add-up"}).state.options.auras == "add-up"


def test_coherency_from_six_or_seven_on() -> None:
    found = [
        coherent(b.state, b.state.unit("a1").models) for b in both("coherency", unit("a1", *row(3, 10, 6, 1.5)), FAR)
    ]
    assert found == [True, False]  # in a line each end has one comrade


def test_datasheets_are_limited_at_two_sizes_or_at_all() -> None:
    from umpire.games.wh40k.mustering import COPIES, EVERY_SIZE, limits

    def most(size: str, copies: Any) -> int:
        found = [limit for limit in limits(size, ["patrol"], copies) if limit.rule == READINGS["datasheets"]]
        return found[0].most if found else 0

    sizes = ("combat-patrol", "incursion", "strike-force", "onslaught")
    assert [most(size, COPIES) for size in sizes] == [0, 2, 3, 0]
    assert [most(size, EVERY_SIZE) for size in sizes] == [2, 2, 3, 4]
    roster = {
        "faction": "ironvow",
        "size": "combat-patrol",
        "warlord": "0.0",
        "detachments": [{"type": "patrol", "units": [{"sheet": key} for key in _thrice()]}],
    }
    broken = [
        refused_list({**roster, "detachments": roster["detachments"]}, value) for value in ("two-sizes", "every-size")
    ]
    assert "wh40k.army.muster.datasheet-limit" not in broken[0]
    assert "wh40k.army.muster.datasheet-limit" in broken[1]


def _thrice() -> list[str]:
    """A commander, and three units of one Elites datasheet."""
    from umpire.games.wh40k import content

    sheets = content.factions()["ironvow"].sheets
    hq = next(sheet.id for sheet in sheets if sheet.role == "hq")
    return [hq, *[next(sheet.id for sheet in sheets if sheet.role == "elites")] * 3]


def refused_list(roster: dict[str, Any], value: str) -> str:
    with pytest.raises(UmpireError) as error:
        umpire.battle("wh40k", sides=[roster, "scourtide"], options={"size": "combat-patrol", "datasheets": value})
    return str(error.value)


def test_one_die_or_all_dice_of_a_random_number() -> None:
    units = (
        unit("a1", *row(10, 10, 2), weapons=[gun(type="assault", attacks="2D3", d="2D6")]),
        unit("b1", *row(10, 21, 3), w=12),
    )
    wishes = {"sides": [{"cp": 2, "wishes": ["attacks:always", "damage:always"]}, {}]}
    die, number = both("random_numbers", *units, phase="shooting", dice=[1, 6, 5, 5, 4, 3] + [1] * 10, **wishes)
    for battle in (die, number):
        do(battle, "a1", aim("a1.1/0/shot>b1", "a1.2/0/shot>b1"))
    assert options(die) == ["die-1", "die-5", "die-6", "pass"]
    assert options(number) == ["number-0", "number-1", "pass"]
    do(number, "number-0")
    assert told(number, "reroll")[0].roll.faces == [4, 3, 5, 5]
    assert told(number, "attacks")[0].facts["attacks"] == 2 + 2 + 3 + 3


def test_the_same_aura_once_or_twice() -> None:
    from umpire.games.wh40k.characteristics import value

    lead = {"abilities": [ability("modify", id="lead", what="s", value=1, range=6)]}
    found = []
    for battle in both("auras", unit("a1", (10, 10)), unit("a2", (12, 10), **lead), unit("a3", (14, 10), **lead), FAR):
        one = battle.state.unit("a1")
        found.append(value(battle.state, one, one.models[0], "s"))
    assert found == [5, 6]


def test_half_of_a_unit() -> None:
    battles = both("half_strength", unit("a1", *row(5, 10, 5), starting=10), FAR)
    assert [below_half(b.state, b.state.unit("a1")) for b in battles] == [False, True]


def test_terrain_of_an_inch() -> None:
    step = solid("armoured-containers", 10, 13, 6, 1, 1.0)
    found = []
    for battle in both("low_terrain", unit("a1", (10, 10), m=6), FAR, terrain=[step]):
        found.append(refused(do(battle, "normal:a1"), at(a1_1=(10, 16))))
    assert found[0] != []
    assert found[1] == []


def test_aircraft_that_stand_still() -> None:
    may, must = both("aircraft", plane("a1", 10, 15), unit("a2", (30, 10)), FAR)
    assert "done" in options(may)
    do(may, "normal:a1")
    assert refused(may, {"stay": True}) == ["wh40k.move.aircraft-minimum"]  # who has begun to fly goes its way
    assert "done" not in options(must)
    assert refused(must, "done") == ["wh40k.move.aircraft-minimum"]


@pytest.mark.rule("wh40k.core.on-the-battlefield")
def test_an_aircraft_that_is_lost_flies_nowhere() -> None:
    from umpire.games.wh40k.aircraft import leave_objections

    state = scene(plane("a1", 10, 15), FAR).state
    lost = state.unit("a1")
    lost.where, lost.models = "gone", ()
    assert [reason.rule for reason in leave_objections(state, lost)] == ["wh40k.core.on-the-battlefield"]


def test_passengers_of_a_transport_that_has_just_arrived() -> None:
    units = (truck("a1", 10, 10, marks=["arrived"]), aboard("a2", 2, began_aboard=True), unit("a3", (30, 10)), FAR)
    battles = both("arrived_transports", *units)
    assert ["disembark:a2" in options(b) for b in battles] == [True, False]


def test_hidden_units_and_characters() -> None:
    wall = solid("ruined-walls", 15, 10, 0.4, 8, 6.0, traits=[])
    units = (
        unit("a1", (10, 10), weapons=[gun(range=36)]), unit("b1", (10, 20), keywords=["character"], w=5),
        unit("b2", *row(18, 10, 3), height=1.0), unit("b3", *row(9, 22.5, 3)),
    )  # fmt: skip
    found = []
    for battle in both("look_out_sir", *units, terrain=[wall], phase="shooting"):
        shots = Declaration(battle.state, battle.state.unit("a1")).shots.values()
        found.append("b1" in [shot.target.id for shot in shots])
    assert found == [True, False]


def test_mortal_wounds_wait_for_all_targets_or_for_their_own() -> None:
    found = []
    lance = gun(type="assault", rules=["mortal-6"])
    units = (
        unit("a1", (10, 10), weapons=[lance, dict(lance, id="two")]),
        unit("b1", (10, 20), w=9),
        unit("b2", (14, 20), w=9),
    )
    for battle in both("held_back", *units, phase="shooting", dice=[4, 6, 6, 4, 6, 6]):
        do(battle, "a1", aim("a1.1/0/shot>b1", "a1.1/1/shot>b2"))
        kinds = [e.kind for e in battle.events if e.kind in ("mortal", "attacks")]
        found.append(kinds)
    assert found == [["attacks", "attacks", "mortal", "mortal"], ["attacks", "mortal", "attacks", "mortal"]]


def test_dense_cover_before_some_or_all() -> None:
    wood = area("woods", 10, 15, 3, 2, height=4)
    found = []
    for battle in both("dense_cover", unit("a1", (10, 10)), unit("b1", (10, 20), (20, 20)), terrain=[wood]):
        one = battle.state.unit("a1")
        found.append(dense(battle.state, one, one.models[0], battle.state.unit("b1")) is not None)
    assert found == [True, False]


def test_on_top_of_an_exposed_feature() -> None:
    box = solid("armoured-containers", 10, 20, 4, 4, 2.4)
    crater = area("craters", 10, 20, 8, 8)
    found = []
    for battle in both("exposed", unit("a1", (10, 8)), unit("b1", (10, 20, 2.4)), terrain=[box, crater]):
        one = battle.state.unit("a1").models[0]
        found.append(any_cover(battle.state, one, battle.state.unit("b1")))
    assert found == [(), ("b1.1",)]


def test_striking_past_the_front() -> None:
    units = (unit("a1", (10, 10), (10, 8.6), **TOUGH), unit("b1", (10, 11.9), **TOUGH))  # 0.9 from the enemy
    found = [sorted(reach_of(b.state, b.state.unit("a1"))) for b in both("second_rank", *units, phase="fight")]
    assert found == [["a1.1", "a1.2"], ["a1.1"]]


def test_counter_offensive_and_those_who_fight_last() -> None:
    last = {"abilities": [ability("fights-last")]}
    found = []
    for value in ("not-last", "anybody"):
        units = pairs(2, a1={"marks": ["charged"], "targets": ["b1"]}, b1=last, b2=last)
        battle = fight(*units, sides=[{"cp": 0}, {"cp": 4}], seed=1, **_reading("counter_offensive", value))
        for _ in range(12):
            if prompt(battle) == "ask.counter-offensive" or told(battle, "fights")[1:]:
                break
            do(
                battle,
                {"stay": True} if prompt(battle) in ("ask.pile-in", "ask.consolidate") else battle.decision.suggest(),
            )
        found.append(prompt(battle) == "ask.counter-offensive")
    assert found == [False, True]


def test_at_the_own_edge() -> None:
    found = []
    for battle in both("own_edge", unit("a1", (10, 0.5), (10, 2.6)), FAR):
        one = battle.state.unit("a1")
        found.append(at_home(battle.state, one, one.models))
    assert found == [False, True]


def test_actions_of_engaged_aircraft() -> None:
    task = {"id": "dig", "text": {"zh": "", "en": ""}, "where": "anywhere", "completes": "turn", "points": 1}
    found = []
    for battle in both(
        "aircraft_actions", unit("a1", (10, 15), keywords=["aircraft"]), unit("b1", (10, 16.2)), tasks=[task]
    ):
        why = actions.objections(battle.state, battle.state.unit("a1"), "dig")
        found.append([reason.rule for reason in why])
    assert found == [[], ["wh40k.action.no-start-engaged"]]
