"""Disputed readings: what each option of the table switches, both ways."""

import pytest

from conquest.builder import (
    allowed,
    do,
    events,
    hero,
    last,
    offered,
    profile,
    r,
    refused,
    regiment,
    scene,
    wood,
)
from umpire.games.conquest import formation, morale, objectives, ranked, sight
from umpire.games.conquest.profiles import Zone


@pytest.mark.rule("conquest.regiment.front-rank-minimum")
def test_a_front_of_one_stand_once_stands_are_lost():
    def column(lost, **options):
        battle = do(scene(regiment("a", stands=3, lost=lost), regiment("e", 1, (36, 45)), options=options), "reform")
        x, y = ranked.centre(r(battle, "a"))
        return battle, {"x": x, "y": y, "facing": 0.0, "files": 1}

    refused(*column(1), "conquest.regiment.front-rank-minimum")
    allowed(*column(1, narrow_front="after-losses"))
    refused(*column(0, narrow_front="after-losses"), "conquest.regiment.front-rank-minimum")


@pytest.mark.rule("conquest.action.combat-reform.keep-contact")
def test_enemies_in_contact_are_counted_one_by_one_or_together():
    def shifted(**options):
        battle = scene(
            regiment("a", 0, (36, 20), stands=2, files=2, of=profile(m=9)),
            regiment("x", 1, (33.4, 20), stands=1, files=1),
            regiment("y", 1, (38.75, 20), stands=2, files=2),
            dice=[1],
            options=options,
        )
        do(battle, "combat-reform")
        return battle, {"x": 37.5, "y": 18.75, "facing": 0.0, "files": 2}

    battle, _ = shifted()
    counts = [sum(formation.stand_touches(battle.state, r(battle, k), s, r(battle, "a")) for s in r(battle, k).stands)
              for k in ("x", "y")]  # fmt: skip
    assert counts == [1, 1]
    refused(*shifted(), "conquest.action.combat-reform.keep-contact")
    allowed(*shifted(reform_contact="all-enemies"))


@pytest.mark.rule("conquest.terrain.zonal.obscuring", "conquest.volley.effective-range")
def test_an_obscured_shot_at_effective_range_is_halved_before_or_after_the_bonus():
    def shots(x, **options):
        battle = scene(
            regiment("a", 0, (36, 10), stands=1, of=profile(v=2, rules=[f"barrage {x} 24"])),
            regiment("b", 1, (36, 20), stands=1),
            terrain=[wood("w", 20, 12, 52, 14, "obscuring", "passable")],
            options=options,
        )
        return last(do(battle, "volley", "b"), "volley")["shots"]

    assert shots(3) == 3, "3 halved is 2, and 1"
    assert shots(3, obscured_range="add-first") == 2, "4 halved"
    clear = scene(
        regiment("a", 0, (36, 10), stands=1, of=profile(v=2, rules=["barrage 3 24"])),
        regiment("b", 1, (36, 20), stands=1),
        options={"obscured_range": "add-first"},
    )
    assert last(do(clear, "volley", "b"), "volley")["shots"] == 4


@pytest.mark.rule("conquest.battle.zone.count")
def test_a_stand_is_in_a_zone_partly_or_wholly():
    zone = Zone("z", x=36.0, y=20.0, radius=3.0)
    for reading, count in (("partly", 3), ("wholly", 1)):
        battle = scene(regiment("a", 0, (36, 21.25)), regiment("e", 1, (5, 45)), options={"zone_stands": reading})
        assert len(objectives.stands_in_zone(battle.state, r(battle, "a"), zone)) == count


@pytest.mark.rule("conquest.rule.fly")
def test_flyers_fly_when_they_charge_or_not():
    def charge(**options):
        battle = scene(
            regiment("a", 0, (36, 10), of=profile("monster", rules=["fly"]), stands=1),
            regiment("x", 1, (36, 14), stands=14, files=14),
            regiment("t", 1, (36, 20), of=profile("monster"), stands=1),
            options=options,
            dice=[6],
        )
        return do(battle, "charge", "t")

    assert not events(charge(), "charged"), "the enemies between stop it"
    over = charge(flying_charges="yes")
    assert formation.touches(over.state, r(over, "a"), r(over, "t"))


@pytest.mark.rule("conquest.rule.indomitable")
def test_indomitable_in_morale_tests_or_in_every_resolve_roll():
    def passed(**options):
        battle = scene(
            regiment("a", 0, (36, 20), of=profile(r=2, rules=["indomitable"])), regiment("b", 1, (36, 20)), dice=[5],
            options=options,
        )  # fmt: skip
        return morale.resolve_roll(battle, r(battle, "a"), "withdraw", "conquest.withdraw.test")

    assert not passed()
    assert passed(indomitable="every-resolve-roll")


@pytest.mark.rule("conquest.rule.fluid-formation.view")
def test_all_round_sight_serves_to_charge_or_only_to_see_and_shoot():
    def deeds(**options):
        battle = scene(
            regiment("a", 0, (36, 20), of=profile(v=2, rules=["fluid-formation", "barrage 1 20"])),
            regiment("b", 1, (25, 19), facing=90.0),
            options=options,
        )
        return set(offered(battle)) & {"charge", "volley"}

    assert deeds() == {"charge", "volley"}
    assert deeds(all_round_charges="no") == {"volley"}


@pytest.mark.rule("conquest.rule.flawless-drill")
def test_flawless_drill_is_a_combat_reform_or_a_combat_rally():
    def drill(broken, **options):
        battle = scene(
            regiment("a", 0, (36, 20), broken=broken, of=profile(rules=["flawless-drill"])),
            regiment("b", 1, (36, 20)),
            options=options,
            moment="activation",
            dice=[1] * 9,
        )
        return battle.decision.prompt.key, battle

    assert drill(False)[0] == "ask.flawless-drill"
    assert drill(False, flawless_drill="combat-rally")[0] == "ask.action", "there is nothing to rally"
    key, battle = drill(True, flawless_drill="combat-rally")
    assert key == "ask.flawless-drill-rally"
    do(battle, True)
    assert not r(battle, "a").broken
    assert not events(battle, "combat-reform")
    assert {"clash", "inspire"} <= set(offered(battle)), "it costs no action"


@pytest.mark.rule("conquest.character.join.mandatory")
def test_characters_join_their_own_warband_or_any_regiment_of_their_type():
    def choices(**options):
        return scene(
            regiment("a", 0, where="reserve", warband=0),
            regiment("b", 0, where="reserve", warband=1),
            regiment("c", 0, where="reserve", warband=1),
            regiment("d", 0, where="reserve", warband=1, of=profile("cavalry")),
            regiment("e", 1, where="reserve"),
            characters=[hero("h", 0, warband=0), hero("i", 0, warband=1)],
            moment="set-up",
            options=options,
        )

    assert choices().state.characters["h"].regiment == "a", "he has no choice"
    free = choices(joining="any-of-type")
    assert offered(free) == ["a", "b", "c"]
    do(free, "b")
    assert offered(free) == ["a", "c"]


@pytest.mark.rule("conquest.regiment.line-of-sight.line")
def test_a_sight_line_ends_anywhere_on_a_stand_or_in_the_middle_of_its_side():
    def unseen(**options):
        battle = scene(
            regiment("a", 0, (36, 10), stands=1),
            regiment("f", 1, (32.83, 11.4), stands=3, of=profile(size=(2.5, 0.1))),
            regiment("t", 1, (36, 12), stands=1),
            options=options,
        )
        return sight.reasons_unseen(battle.state, r(battle, "a"), r(battle, "t"))

    assert not unseen(), "its corner is seen past the others"
    assert unseen(sight_line="middle-of-a-side")


@pytest.mark.rule("conquest.regiment.line-of-sight.own-terrain")
def test_terrain_one_stands_in_whatever_it_is_or_only_what_blocks_sight():
    def unseen(*rules, **options):
        battle = scene(
            regiment("a", 0, (36, 18), stands=2),
            regiment("t", 1, (36, 30)),
            terrain=[wood("w", 20, 12, 52, 20, *rules)],
            options=options,
        )
        return sight.reasons_unseen(battle.state, r(battle, "a"), r(battle, "t"))

    assert not unseen("forest", "passable")
    assert unseen("forest", "passable", own_terrain="sight-blocking")
    assert not unseen("los-blocking", "passable", own_terrain="sight-blocking")


@pytest.mark.rule("conquest.dice.reroll.cancel")
def test_a_full_reroll_cancels_with_a_partial_one_or_stands():
    def again(**options):
        battle = scene(
            regiment("a", 0, (36, 20), stands=1, of=profile(c=3, a=3, rules=["flurry"])),
            regiment("b", 1, (36, 20), of=profile(d=0, e=0, w=9, rules=["parry"])),
            dice=[1, 5, 2, *([1] * 20)],
            options=options,
        )
        do(battle, "clash")
        if battle.decision.prompt.key == "ask.reroll":
            do(battle, True)
        return [e.roll.first for e in battle.events if e.kind == "reroll"]

    assert again() == []
    assert again(partial_rerolls="full-stands") == [[0, 5, 0]], "the miss is re-rolled, the 1 is not"


def test_every_option_has_two_readings_and_names():
    from umpire.games.conquest import GAME

    options = [o for o in GAME.library()["options"] if o["id"] != "points"]
    assert len(options) > 20
    for option in options:
        assert len(option["values"]) >= 2
        for names in (option["name"], *(value["name"] for value in option["values"])):
            assert not names["zh"].startswith("table.")
            assert not names["en"].startswith("table.")
