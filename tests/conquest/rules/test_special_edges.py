"""Chapter 11: edges of special rules: whole actions, ties, where hits come from, what ends with one Charge."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conquest.builder import (
    do,
    events,
    forward,
    hero,
    last,
    offered,
    profile,
    r,
    regiment,
    rolled,
    scene,
    wood,
)

from umpire.engine.battle import Battle
from umpire.games.conquest.profiles import Scenario, Zone
from umpire.games.conquest.state import State

FAR = (36.0, 40.0)


def prompt(battle: Battle[State]) -> str:
    return battle.decision.prompt.key if battle.decision is not None else ""


def settle(battle: Battle[State], *answers: Any) -> Battle[State]:
    for answer in answers:
        do(battle, answer)
        while prompt(battle) == "ask.casualty-end":
            battle.answer("left")
    return battle


# -- Blessed -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.blessed")
def test_blessed_is_for_all_stands_at_the_same_time() -> None:
    """Announced once: the regiment's dice and its Character's, against both enemies of the Clash."""
    holy = profile(a=1, c=3, rules=["blessed"])
    battle = scene(
        regiment("a", stands=1, files=2, of=holy, places=((0, 0), (0, 1))),
        regiment("b", 1, stands=1, at=(33.5, 10), of=profile(d=5)),
        regiment("c", 1, stands=1, at=(38.5, 10), of=profile(d=5)),
        characters=[hero("h", regiment="a", of=profile(a=1, c=3))],
        dice=[6, 1, 1, 6, 1, 1],
    )
    do(battle, "clash")
    while prompt(battle) in ("ask.clash-target", "ask.clash-order"):
        assert battle.decision is not None
        battle.answer(battle.decision.suggest())
    assert prompt(battle) == "ask.blessed-hit"
    do(battle, True, True, True)
    assert [e.facts["hits"] for e in events(battle, "hits")] == [1, 1]
    assert not [flag for flag in r(battle, "a").flags if flag.startswith("blessed")]


@pytest.mark.rule("conquest.rule.blessed")
def test_blessed_reaches_the_far_and_the_near_shots_of_one_volley() -> None:
    """One stand is within half range and one is not: two groups of dice, one announcement."""
    holy = profile(v=3, rules=["barrage 1 20", "blessed"])
    battle = scene(
        regiment("a", stands=2, files=2, of=holy),
        regiment("b", 1, stands=1, at=(28.0, 18.0), of=profile(d=5)),
        dice=[6, 1, 6, 6, 1, 1, 1, 1, 1],
    )
    do(battle, "volley", "b")
    assert prompt(battle) == "ask.blessed-hit"
    do(battle, True, True, True)
    assert [(e.facts["dice"], e.facts["hits"]) for e in events(battle, "hits")] == [(1, 1), (2, 2)]


@pytest.mark.rule("conquest.rule.blessed")
def test_a_blessed_character_among_the_unblessed_rerolls_his_own_dice_alone() -> None:
    battle = scene(
        regiment("a", stands=1, files=2, of=profile(a=1, c=3)),
        regiment("b", 1, of=profile(d=5)),
        characters=[hero("h", regiment="a", of=profile(a=1, c=3, rules=["blessed"]))],
        dice=[6, 6, 1, 1],
    )
    do(battle, "clash")
    assert prompt(battle) == "ask.blessed-hit"
    assert battle.decision is not None
    assert battle.decision.about == "h"
    do(battle, True, True)
    assert [e.facts["hits"] for e in events(battle, "hits")] == [0, 1]


@pytest.mark.rule("conquest.rule.blessed")
def test_blessed_spent_on_a_clash_is_not_there_for_a_defence_roll() -> None:
    """The enemy's Counter-Attack finds it used up; in the next round it is there again."""
    holy = profile(a=1, c=3, d=1, e=0, w=9, rules=["blessed"])
    battle = scene(
        regiment("a", stands=1, of=holy),
        regiment("b", 1, of=profile(d=3, rules=["counter-attack"])),
        dice=[1, 1, 6, 1],
    )
    settle(battle, "clash", True)
    assert rolled(battle, "defence") == [1, 1]
    assert not [e for e in events(battle, "blessed") if e.facts["roll"] == "defense"]


# -- Counter-Attack ------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.counter-attack")
@pytest.mark.parametrize(("at", "facing", "defense"), [((36.0, 10.0), 180.0, 3), ((37.25, 8.75), 270.0, 2)])
def test_counter_attack_hits_come_from_where_the_defender_stands(
    at: tuple[float, float], facing: float, defense: int
) -> None:
    """The attacker's Shield helps against an enemy before it and not against one at its flank."""
    battle = scene(
        regiment("a", stands=1, of=profile(a=1, c=3, d=2, e=0, w=9, rules=["shield"])),
        regiment("b", 1, stands=1, at=at, facing=facing, of=profile(d=3, w=9, rules=["counter-attack"])),
        dice=[1, 1, 6, 1],
    )
    settle(battle, "clash")
    assert last(battle, "defended")["defense"] == defense


@pytest.mark.rule("conquest.rule.counter-attack")
def test_counter_attack_counts_the_die_as_it_lies_in_the_end() -> None:
    """A 6 that Untouchable rolls again into a 1 is a hit in return; spells and Impact make none."""
    battle = scene(
        regiment("a", stands=1, of=profile(a=1, c=3, d=5, w=9)),
        regiment("b", 1, stands=1, of=profile(d=3, w=9, rules=["counter-attack", "untouchable"])),
        dice=[1, 6, 1, 1],
    )
    settle(battle, "clash", True)
    assert last(battle, "counter-attack")["hits"] == 1
    charge = scene(
        regiment("a", stands=1, of=profile(c=3, rules=["impact 1"])),
        regiment("b", 1, at=(36, 14), of=profile(d=3, rules=["counter-attack"])),
        dice=[1, 1, 1],
    )
    settle(charge, "charge", "b")
    assert not events(charge, "counter-attack")


# -- free Reforms --------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.flawless-drill")
def test_flawless_drill_may_come_before_the_first_action() -> None:
    drilled = profile(r=3, rules=["flawless-drill"])
    battle = scene(regiment("a", of=drilled), regiment("b", 1), moment="activation", dice=[1])
    assert prompt(battle) == "ask.flawless-drill"
    do(battle, True)
    assert prompt(battle) == "ask.combat-reform"
    assert battle.decision is not None
    do(battle, battle.decision.suggest())
    assert prompt(battle) == "ask.action"
    assert "combat-reform" in offered(battle)
    apart = scene(regiment("a", of=drilled), regiment("b", 1, at=FAR), moment="activation")
    assert prompt(apart) == "ask.action", "it needs contact with an enemy"


@pytest.mark.rule("conquest.rule.flawless-drill")
def test_a_garrison_has_no_formation_to_drill() -> None:
    tower = wood("t", 34, 6, 38, 10, "tower", kind="garrison", size=3)
    battle = scene(
        regiment("a", stands=3, of=profile(rules=["flawless-drill"]), where="garrison", garrison="t"),
        regiment("b", 1),
        terrain=[tower],
        moment="activation",
    )
    assert prompt(battle) == "ask.action"


@pytest.mark.rule("conquest.rule.fluid-formation.reform", "conquest.draw-event.double-time")
def test_the_last_free_reform_comes_after_the_third_march() -> None:
    swift = profile(rules=["fluid-formation"], events=["double-time"])
    battle = scene(regiment("a", of=swift), regiment("b", 1, at=(36, 45)), moment="activation")
    do(battle, False, "march", forward(2), "march", forward(2))
    assert prompt(battle) == "ask.free-march"
    do(battle, forward(2))
    assert prompt(battle) == "ask.fluid-formation"


# -- Bloodlust -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.bloodlust")
def test_of_enemies_equally_near_the_owner_picks_one() -> None:
    raging = profile(m=6, r=3, rules=["bloodlust"])
    battle = scene(
        regiment("a", stands=1, of=raging),
        regiment("b", 1, stands=1, at=(31, 16)),
        regiment("c", 1, stands=1, at=(41, 16)),
        dice=[4, 6],
    )
    do(battle, "march")
    assert prompt(battle) == "ask.bloodlust"
    assert offered(battle) == ["b", "c"]
    do(battle, "c")
    assert last(battle, "charge-declared")["target"] == "c"


@pytest.mark.rule("conquest.rule.bloodlust")
def test_bloodlust_finds_nobody_to_rage_at() -> None:
    """No enemy in line of sight: no roll, and the regiment acts as it wants."""
    raging = profile(m=6, r=1, rules=["bloodlust"])
    battle = scene(regiment("a", of=raging), regiment("b", 1, at=(36, 3), facing=0.0), dice=[])
    do(battle, "march")
    assert prompt(battle) == "ask.march"
    assert not rolled(battle, "bloodlust")


# -- objectives and terrain ----------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.unyielding")
def test_an_unyielding_character_in_the_zone_is_enough() -> None:
    zone = Scenario("f", {"zh": "区", "en": "Zone"}, zones=(Zone("z", x=36.0, y=10.0, radius=9.0),))
    battle = scene(
        regiment("a", stands=8, files=4, of=profile("infantry", "heavy")),
        regiment("b", 1, stands=1, files=2, at=(36, 12)),
        characters=[hero("f", 1, "b", of=profile(rules=["unyielding"]))],
        moment="victory",
        scenario=zone,
    )
    assert last(battle, "zone")["side"] is None


@pytest.mark.rule("conquest.terrain.zonal.hindering.impact", "conquest.rule.overrun.two-charges")
def test_hindering_ground_takes_the_impact_of_that_charge_alone() -> None:
    """The first Charge crosses the swamp, the second on firm ground has its Impact attacks."""
    wild = profile("infantry", "light", c=3, rules=["impact 1", "overrun"])
    battle = scene(
        regiment("a", stands=1, of=wild, flags=("hindered-charge",)),
        regiment("b", 1, stands=1, at=(36, 14), of=profile(d=5)),
        dice=[1, 6],
    )
    settle(battle, "charge", "b")
    assert rolled(battle, "hit") == [1]


# -- hits in return and shots in arcs ------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.lethal-demise")
def test_the_owner_names_whom_the_dying_hit() -> None:
    """Shot at while it touches two enemies, neither of whom shot: its owner picks one."""
    battle = scene(
        regiment("s", at=(36, 30), facing=180.0, stands=1, of=profile(v=3, rules=["barrage 1 24"])),
        regiment("a", at=(34.75, 10), stands=1, of=profile(d=5)),
        regiment("c", at=(37.25, 10), stands=1, of=profile(d=5)),
        regiment("b", 1, at=(36, 10), stands=1, of=profile(d=0, e=0, w=9, rules=["lethal-demise"])),
        dice=[1, 6, 1],
    )
    do(battle, "volley", "b")
    assert prompt(battle) == "ask.lethal-demise"
    assert battle.decision is not None
    assert battle.decision.side == 1
    assert offered(battle) == ["a", "c"]
    do(battle, "c")
    assert last(battle, "lethal-demise")["target"] == "c"


@pytest.mark.rule("conquest.rule.arcing-fire")
@pytest.mark.parametrize(("at", "legal"), [((36.0, 25.0), True), ((36.0, 34.1), False), ((60.0, 12.0), False)])
def test_arcing_fire_keeps_to_range_and_front_arc(at: tuple[float, float], legal: bool) -> None:
    engines = profile(v=2, rules=["barrage 1 24", "arcing-fire"])
    battle = scene(
        regiment("a", stands=1, of=engines, aimed=True),
        regiment("b", 1, at=at, stands=1),
        regiment("f", at=(64, 20), facing=250.0, stands=1),
        terrain=[wood("w", 20, 14, 52, 15, "los-blocking", "passable")],
    )
    assert ("volley" in offered(battle)) is legal


@pytest.mark.rule("conquest.rule.terrifying")
def test_terror_counts_whoever_caused_the_wounds() -> None:
    """A friend of the Terrifying regiment strikes, and the test is taken in its presence all the same."""
    battle = scene(
        regiment("a", stands=1, at=(34.75, 10), of=profile(a=1, c=3)),
        regiment("t", stands=1, at=(37.25, 10), of=profile(rules=["terrifying 1"])),
        regiment("b", 1, stands=2, of=profile(d=0, e=0, w=9, r=3)),
        dice=[1, 6, 1],
    )
    settle(battle, "clash")
    assert last(battle, "morale-test")["resolve"] == 2


@pytest.mark.rule("conquest.rule.dread", "conquest.rule.shock")
def test_shock_gives_nothing_against_dread() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(c=2, a=1, rules=["shock"])),
        regiment("b", 1, at=(36, 14), of=profile(d=5, rules=["dread"])),
        dice=[1, 6, 6],
    )
    settle(battle, "charge", "b", "clash")
    assert last(battle, "hits")["value"] == 2


@pytest.mark.rule("conquest.rule.overrun.impact")
def test_impact_that_breaks_its_enemy_is_repeated() -> None:
    wild = profile(c=3, rules=["impact 2", "overrun"])
    battle = scene(
        regiment("a", stands=1, of=wild),
        regiment("b", 1, at=(36, 14), stands=2, files=2, of=profile(d=0, e=0, w=2, r=5)),
        dice=[1, 1, 1, 6, 6, 1, 1, 6, 6],
    )
    settle(battle, "charge", "b")
    assert r(battle, "b").broken
    assert prompt(battle) == "ask.overrun"


@pytest.mark.rule("conquest.rule.opportunists")
@pytest.mark.parametrize(("facing", "again"), [(180.0, False), (90.0, True), (0.0, True)])
def test_opportunists_shoot_at_flank_and_rear_again(facing: float, again: bool) -> None:
    """A Volley at a target that faces the archers, stands sideways to them, or turns its back."""
    battle = scene(
        regiment("a", stands=1, of=profile(v=2, rules=["barrage 1 20", "opportunists"])),
        regiment("b", 1, stands=1, at=(36, 24), facing=facing),
        dice=[6, 6],
    )
    do(battle, "volley", "b")
    assert (prompt(battle) == "ask.reroll") is again


@pytest.mark.rule("conquest.rule.opportunists", "conquest.terrain.garrison.all-front")
def test_opportunists_find_no_flank_of_a_garrison() -> None:
    tower = wood("t", 34, 10, 38, 14, "tower", kind="garrison", size=3)
    battle = scene(
        regiment("a", stands=1, of=profile(a=1, c=3, rules=["opportunists", "impact 1"])),
        regiment("b", 1, stands=2, facing=0.0, where="garrison", garrison="t"),
        terrain=[tower],
        dice=[6],
    )
    do(battle, "clash")
    assert prompt(battle) != "ask.reroll"


@pytest.mark.rule("conquest.rule.glorious-charge")
def test_the_terror_of_a_glorious_charge_ends_with_its_impact() -> None:
    """Impact wounds test at Resolve 4 - 2, those of the Clash that follows at 4 - 1."""
    glorious = profile(c=3, a=1, rules=["impact 1", "glorious-charge", "terrifying 1"])
    battle = scene(
        regiment("a", stands=1, of=glorious),
        regiment("b", 1, at=(36, 14), of=profile(d=0, e=0, w=9, r=4)),
        dice=[1, 1, 6, 1, 1, 6, 1],
    )
    settle(battle, "charge", "b", "clash")
    assert [e.facts["resolve"] for e in events(battle, "morale-test")] == [2, 3]


@pytest.mark.rule("conquest.rule.bloodlust.forced-march")
def test_having_charged_already_the_bloodthirsty_march() -> None:
    """Its Charge destroyed the target; raging again it may not charge a second time, and marches at the next enemy."""
    raging = profile(m=6, c=3, r=3, rules=["bloodlust", "impact 2"])
    battle = scene(
        regiment("a", stands=1, of=raging),
        regiment("b", 1, at=(36, 14), stands=1, of=profile(d=0, e=0, w=1)),
        regiment("c", 1, at=(36, 26), stands=1),
        dice=[1, 1, 1, 1, 6, 6, 5],
    )
    settle(battle, "charge", "b")
    assert r(battle, "b").where == "gone"
    settle(battle, "march")
    assert last(battle, "bloodlust")["target"] == "c"
    assert not [e for e in events(battle, "charge-declared") if e.facts["target"] == "c"]
    assert r(battle, "a").y == 20
