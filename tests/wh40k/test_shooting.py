"""Who may shoot, what may be declared, in what order it is resolved, shooting again."""

from __future__ import annotations

import pytest

from umpire.games.wh40k.again import second_round
from umpire.games.wh40k.shooting import objections
from wh40k.builder import (
    ability,
    aim,
    cites,
    do,
    fire,
    gun,
    kinds,
    needs,
    options,
    prompt,
    refused,
    rolls,
    row,
    scene,
    sword,
    told,
    unit,
)  # fmt: skip

FAR = (10, 25)
BASE = 1.0
"""How wide a base is."""


def why(battle, key: str) -> list[str]:  # type: ignore[no-untyped-def]
    return [reason.rule for reason in objections(battle.state, battle.state.unit(key))]


@pytest.mark.rule("wh40k.shoot.eligible-weapon", "wh40k.shoot.eligible-target")
def test_a_unit_needs_a_weapon_and_somebody_in_range_and_sight_of_its_bearer() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[sword()]),
        unit("a2", (14, 10), weapons=[gun(range=6)]),
        unit("a3", (20, 10), weapons=[gun()]),
        unit("b1", FAR),
        phase="shooting",
    )
    assert options(battle) == ["a3", "done"]
    assert refused(battle, "a1") == ["wh40k.shoot.eligible-weapon"]
    assert refused(battle, "a2") == ["wh40k.shoot.eligible-target", "wh40k.shoot.target-range-visible"]


@pytest.mark.rule("wh40k.shoot.eligible-not-advanced", "wh40k.shoot.assault", "wh40k.move.advance-no-shoot-charge")
def test_after_an_advance_only_assault_weapons_fire_and_at_minus_one() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(), gun(id="light", type="assault", attacks="2")], bs=3, _move="advance"),
        unit("a2", (14, 10), weapons=[gun()], _move="advance"),
        unit("b1", FAR),
        phase="shooting",
        dice=[3, 3],
    )
    assert options(battle) == ["a1", "done"]
    assert "wh40k.shoot.eligible-not-advanced" in refused(battle, "a2")
    do(battle, "a1")
    assert list(battle.decision.rows) == ["a1.1/1"]  # type: ignore[union-attr]
    fire(battle)
    assert needs(battle, "hit") == [4]
    assert cites(battle, "wh40k.shoot.assault")


@pytest.mark.rule("wh40k.shoot.eligible-not-fell-back", "wh40k.move.fall-back-no-shoot-cast")
def test_who_fell_back_does_not_shoot_unless_titanic() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="pistol")], _move="fall-back"),
        unit("a2", (14, 10), weapons=[gun()], _move="fall-back", keywords=["vehicle", "titanic"]),
        unit("b1", FAR),
        phase="shooting",
    )
    assert options(battle) == ["a2", "done"]
    assert "wh40k.shoot.eligible-not-fell-back" in refused(battle, "a1")


@pytest.mark.rule("wh40k.shoot.eligible-not-engaged", "wh40k.shoot.pistol-engaged", "wh40k.shoot.pistol-target")
def test_an_engaged_unit_fires_pistols_at_those_it_is_engaged_with() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(), gun(id="pistol", type="pistol", range=12)]),
        unit("a2", (30, 10), weapons=[gun()]),
        unit("b1", (10, 11.5)),
        unit("b2", (13, 14)),
        unit("b3", (30, 11.5)),
        phase="shooting",
        dice=[1],
    )
    assert options(battle) == ["a1", "done"]
    assert "wh40k.shoot.eligible-not-engaged" in refused(battle, "a2")
    do(battle, "a1")
    assert list(battle.decision.rows) == ["a1.1/1"]  # type: ignore[union-attr]
    assert refused(battle, aim("a1.1/1/shot>b2")) == ["wh40k.shoot.pistol-target"]
    fire(battle)


@pytest.mark.rule("wh40k.shoot.unit-once", "wh40k.shoot.sequence")
def test_a_unit_shoots_once_a_phase_and_one_after_the_other() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun()]), unit("a2", (14, 10), weapons=[gun()]), unit("b1", FAR), phase="shooting",
        dice=[1],
    )  # fmt: skip
    do(battle, "a1")
    fire(battle)
    assert options(battle) == ["a2", "done"]
    assert refused(battle, "a1") == ["wh40k.shoot.unit-once"]


@pytest.mark.rule("wh40k.shoot.weapon-once", "wh40k.shoot.choose-weapons", "wh40k.shoot.declare-all-first")
def test_each_weapon_is_declared_once_and_at_one_target() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault"), gun(id="other", type="assault")]),
        unit("b1", FAR),
        unit("b2", (14, 25)),
        phase="shooting",
        dice=[1, 1],
    )
    do(battle, "a1")
    assert refused(battle, aim("a1.1/0/shot>b1", "a1.1/0/shot>b2"))
    assert not refused(battle, aim("a1.1/0/shot>b1"))  # the other may hold its fire
    do(battle, aim("a1.1/0/shot>b1", "a1.1/1/shot>b2"))
    assert told(battle, "shoots")[0].facts["targets"] == ["b1", "b2"]


@pytest.mark.rule("wh40k.shoot.declare-profile")
def test_a_weapon_uses_one_profile() -> None:
    plasma = {
        "id": "plasma",
        "profiles": [
            {"id": "low", "type": "assault", "range": 24, "s": "7"},
            {"id": "high", "type": "assault", "range": 24, "s": "8"},
        ],
    }
    battle = scene(unit("a1", (10, 10), weapons=[plasma]), unit("b1", FAR), phase="shooting", dice=[4, 1])
    do(battle, "a1")
    assert refused(battle, aim("a1.1/0/low>b1", "a1.1/0/high>b1"))
    do(battle, aim("a1.1/0/high>b1"))
    assert needs(battle, "wound") == [2]


@pytest.mark.rule("wh40k.shoot.resolve-by-target", "wh40k.shoot.resolve-by-weapon")
def test_one_target_after_the_other_and_one_weapon_after_the_other() -> None:
    battle = scene(
        unit("a1", (10, 10), (11.5, 10), weapons=[gun(type="assault"), gun(id="other", type="assault", s="8")]),
        unit("b1", FAR),
        unit("b2", (14, 25)),
        phase="shooting",
        dice=[1, 1, 1, 1],
    )
    do(battle, "a1", aim("a1.1/0/shot>b2", "a1.1/1/shot>b1", "a1.2/0/shot>b1", "a1.2/1/shot>b2"))
    assert [e.facts["target"] for e in told(battle, "attacks")] == ["b2", "b2", "b1", "b1"]


@pytest.mark.rule("wh40k.shoot.simultaneous", "wh40k.shoot.resolve-by-target")
def test_casualties_change_neither_range_nor_numbers() -> None:
    blast = gun(id="blast", type="assault", attacks="D6", rules=["blast"])
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault", attacks="1"), blast]),
        unit("b1", *row(10, 25, 6)),
        phase="shooting",
        dice=[4, 4, 1, 1, 1, 1, 1],
    )
    do(battle, "a1", aim("a1.1/0/shot>b1", "a1.1/1/shot>b1"))
    assert told(battle, "blast")[0].facts["attacks"] == 3  # six models when it was declared
    lost = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault"), gun(id="other", type="assault")]),
        unit("b1", FAR),
        unit("b2", (40, 2)),
        phase="shooting",
        dice=[4, 4, 1],
    )
    do(lost, "a1", aim("a1.1/0/shot>b1", "a1.1/1/shot>b1"))
    assert "attacks-lost" in kinds(lost)


@pytest.mark.rule("wh40k.shoot.instead-of-shooting")
def test_smoke_is_used_instead_of_shooting_even_after_an_advance() -> None:
    smoke = [ability("instead", value=-1)]
    battle = scene(
        unit("a1", (10, 10), _move="advance", abilities=smoke, weapons=[gun()]),
        unit("a2", (14, 10), weapons=[gun(type="assault")], abilities=smoke),
        unit("b1", FAR, weapons=[gun(type="assault")]),
        phase="shooting",
        dice=[1],
    )
    assert options(battle) == ["a2", "instead:a1", "instead:a2", "done"]
    do(battle, "a2")
    fire(battle)
    assert options(battle) == ["instead:a1", "done"]
    assert refused(battle, "instead:a2") == ["wh40k.shoot.instead-of-shooting"]
    do(battle, "instead:a1")
    from umpire.games.wh40k.attacks import hit_need

    a, b = battle.state.unit("a1"), battle.state.unit("b1")
    assert hit_need(battle.state, b, b.models[0], a, b.sheet.weapons[0].profiles[0]).modifier == -1


@pytest.mark.rule("wh40k.shoot.again-unit", "wh40k.shoot.again-sequence")
def test_shooting_again_with_what_was_fired_at_whomever() -> None:
    arms = [gun(type="assault"), gun(id="pistol", type="pistol", range=24)]
    battle = scene(
        unit("a1", (10, 10), (11.5, 10), weapons=arms),
        unit("b1", FAR),
        unit("b2", (14, 25)),
        phase="shooting",
        dice=[1, 1],
        sides=[{"cp": 5}, {}],
        stratagems=[{"id": "again", "cost": 2, "phase": "end-shooting", "does": [{"name": "shoot-now"}]}],
    )
    do(battle, "a1", aim("a1.1/0/shot>b1"), "again:a1")
    assert list(battle.decision.rows) == ["a1.1/0"]  # type: ignore[union-attr]
    do(battle, aim("a1.1/0/shot>b2"))
    assert [e.facts["target"] for e in told(battle, "attacks")] == ["b1", "b2"]


@pytest.mark.rule("wh40k.shoot.again-model", "wh40k.shoot.again-weapon")
def test_only_one_model_or_one_weapon_shoots_again() -> None:
    for extra, expected in ((("a1.2",), ["a1.2/0", "a1.2/1"]), (("", "other"), ["a1.1/1", "a1.2/1"])):
        battle = scene(
            unit("a1", (10, 10), (11.5, 10), weapons=[gun(type="assault"), gun(id="other", type="assault")],
                 fired=["a1.1/0", "a1.1/1", "a1.2/0", "a1.2/1"], acts=["shot"]),
            unit("a2", (20, 10), weapons=[gun()]),
            unit("b1", FAR),
            phase="shooting",
        )  # fmt: skip
        steps = second_round(battle, "a1", *extra)
        assert list(next(steps).rows) == expected
    waits = unit("a2", (20, 10), weapons=[gun()])
    none = scene(unit("a1", (10, 10), weapons=[gun()], acts=["shot"]), waits, unit("b1", FAR), phase="shooting")
    assert list(second_round(none, "a1", "", "gun")) == []


@pytest.mark.rule("wh40k.shoot.again-eligible")
def test_who_could_not_be_selected_now_does_not_shoot_again() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun()], fired=["a1.1/0"], acts=["shot"], _move="fall-back"),
        unit("a2", (20, 10), weapons=[gun()]),
        unit("b1", FAR),
        phase="shooting",
    )
    assert list(second_round(battle, "a1")) == []
    assert cites(battle, "wh40k.shoot.again-eligible")


# -- weapons -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("wh40k.shoot.types", "wh40k.shoot.number-of-attacks")
def test_attacks_are_rolled_for_each_weapon() -> None:
    battle = scene(
        unit("a1", *row(10, 10, 3), a=4, weapons=[gun(type="heavy", attacks="D6")]),
        unit("b1", FAR, w=30),
        phase="shooting",
        dice=[2, 1, 3, *[1] * 6],
    )
    do(battle, "a1")
    fire(battle)
    assert rolls(battle, "attacks") == [[2, 1, 3]]
    assert len(rolls(battle, "hit")[0]) == 6


@pytest.mark.rule("wh40k.shoot.rapid-fire")
def test_rapid_fire_doubles_within_half_range() -> None:
    for gap, shots in ((12.0, 4), (12.1, 2)):
        battle = scene(
            unit("a1", (10, 5), weapons=[gun(attacks="2")]), unit("b1", (10, 6 + gap), w=20), phase="shooting",
            dice=[1] * shots,
        )  # fmt: skip
        do(battle, "a1")
        fire(battle)
        assert len(rolls(battle, "hit")[0]) == shots
    squad = scene(
        unit("a1", (10, 5), (10, 3.5), weapons=[gun()]), unit("b1", (10, 17.5), w=20), phase="shooting",
        dice=[1, 1, 1],
    )  # fmt: skip
    do(squad, "a1")
    fire(squad)
    assert sorted(len(r) for r in rolls(squad, "hit")) == [1, 2]


@pytest.mark.rule("wh40k.shoot.heavy", "wh40k.shoot.heavy-non-infantry")
def test_heavy_weapons_of_infantry_that_moved() -> None:
    def need(**more: object) -> int:
        battle = scene(
            unit("a1", (10, 10), bs=3, weapons=[gun(type="heavy")], **more), unit("b1", FAR), phase="shooting",
            dice=[1],
        )  # fmt: skip
        do(battle, "a1")
        fire(battle)
        return needs(battle, "hit")[0]

    assert need(_move="normal") == 4
    assert need(_move="stationary") == 3
    assert need(marks=["disembarked"]) == 4
    assert need(marks=["arrived"]) == 4
    assert need(marks=["redeployed"]) == 4
    assert need(_move="normal", keywords=["vehicle"]) == 3


@pytest.mark.rule("wh40k.shoot.grenade-one-model", "wh40k.shoot.grenade-exclusive")
def test_grenades() -> None:
    bomb = gun(id="bomb", type="grenade", range=24)
    battle = scene(
        unit("a1", (10, 10), (11.5, 10), weapons=[gun(type="assault"), bomb, gun(id="krak", type="grenade")]),
        unit("b1", FAR),
        phase="shooting",
    )
    do(battle, "a1")
    assert refused(battle, aim("a1.1/1/shot>b1", "a1.2/1/shot>b1")) == ["wh40k.shoot.grenade-one-model"]
    assert refused(battle, aim("a1.1/1/shot>b1", "a1.1/0/shot>b1")) == ["wh40k.shoot.grenade-exclusive"]
    assert refused(battle, aim("a1.1/1/shot>b1", "a1.1/2/shot>b1")) == ["wh40k.shoot.grenade-exclusive"]
    assert not refused(battle, aim("a1.1/1/shot>b1", "a1.2/0/shot>b1"))


@pytest.mark.rule("wh40k.shoot.pistol-exclusive")
def test_pistols_or_other_weapons() -> None:
    arms = [gun(type="assault"), gun(id="p1", type="pistol", range=24), gun(id="p2", type="pistol", range=24)]
    battle = scene(unit("a1", (10, 10), (11.5, 10), weapons=arms), unit("b1", FAR), phase="shooting")
    do(battle, "a1")
    assert refused(battle, aim("a1.1/0/shot>b1", "a1.1/1/shot>b1")) == ["wh40k.shoot.pistol-exclusive"]
    assert not refused(battle, aim("a1.1/1/shot>b1", "a1.1/2/shot>b1", "a1.2/0/shot>b1"))


@pytest.mark.rule("wh40k.shoot.big-guns", "wh40k.shoot.big-guns-heavy", "wh40k.shoot.blast-engaged")
def test_an_engaged_vehicle_shoots_those_in_its_engagement_range() -> None:
    arms = [gun(type="heavy"), gun(id="bomb", type="heavy", attacks="D6", rules=["blast"]), gun(id="r")]
    battle = scene(
        unit("a1", (10, 10), bs=3, keywords=["vehicle"], weapons=arms),
        unit("a2", (11.5, 12.5)),
        unit("b1", (10, 11.5), w=20),
        phase="shooting",
        dice=[3, 3, 3, 1, 1],
    )
    do(battle, "a1")
    assert refused(battle, aim("a1.1/1/shot>b1"))
    do(battle, aim("a1.1/0/shot>b1", "a1.1/2/shot>b1"))
    assert needs(battle, "hit") == [4, 3]  # only the Heavy weapon has a harder time of it


@pytest.mark.rule("wh40k.shoot.big-guns-far-target")
def test_far_shots_are_made_if_nobody_is_left_in_engagement_range() -> None:
    def shot(*dice: int) -> list[str]:
        battle = scene(
            unit("a1", (10, 10), keywords=["vehicle"], weapons=[gun(), gun(id="far", type="heavy")]),
            unit("b1", (10, 11.5)),
            unit("b2", FAR, w=20),
            phase="shooting",
            dice=list(dice),
        )
        do(battle, "a1", aim("a1.1/0/shot>b1", "a1.1/1/shot>b2"))
        return kinds(battle)

    assert "far-lost" in shot(1, 1)
    assert "far-lost" not in shot(4, 4, 4, 4, 1, 1, 1)


@pytest.mark.rule("wh40k.shoot.big-guns-phase")
def test_no_ranged_attacks_in_the_fight_phase() -> None:
    battle = scene(
        unit("a1", (10, 10), keywords=["vehicle"], weapons=[gun()]), unit("b1", (10, 11.5)), phase="fight", dice=[1] * 9
    )
    while prompt(battle) != "ask.strike":
        battle.answer(battle.decision.suggest())  # type: ignore[union-attr]
    wish = battle.why_not(0, {"deed": "shoot", "who": "a1"})
    assert "wh40k.shoot.big-guns-phase" in wish.rules
    rows = battle.decision.rows  # type: ignore[union-attr]
    assert all(o.id.startswith("close-combat") for row in rows.values() for o in row.choices["weapon"])


@pytest.mark.rule("wh40k.shoot.blast-definition", "wh40k.shoot.blast-6-10", "wh40k.shoot.blast-11")
def test_blast_looks_at_the_size_of_the_target() -> None:
    def attacks(size: int, text: str, dice: list[int], *rules: str) -> int:
        weapon = gun(type="heavy", attacks=text, rules=list(rules))
        spots = [(5 + 1.2 * (n % 12), 25 + 1.2 * (n // 12)) for n in range(size)]
        battle = scene(
            unit("a1", (10, 10), weapons=[weapon]), unit("b1", *spots), phase="shooting", dice=[*dice, *[1] * 12]
        )
        do(battle, "a1")
        fire(battle)
        return len(rolls(battle, "hit")[0])

    assert attacks(6, "D6", [2], "blast") == 3
    assert attacks(6, "D6", [5], "blast") == 5
    assert attacks(5, "D6", [2], "blast") == 2
    assert attacks(6, "D6", [2]) == 2
    assert attacks(8, "D3", [1], "blast") == 3
    assert attacks(11, "3D3", [], "blast") == 9
    assert attacks(11, "2D6", [], "blast") == 12


@pytest.mark.rule("wh40k.shoot.blast-total")
def test_the_minimum_is_of_the_total() -> None:
    def attacks(*dice: int) -> int:
        weapon = gun(type="heavy", attacks="3D3", rules=["blast"])
        battle = scene(
            unit("a1", (10, 10), weapons=[weapon]),
            unit("b1", *row(10, 25, 6)),
            phase="shooting",
            dice=[*dice, *[1] * 9],
        )
        do(battle, "a1")
        fire(battle)
        return len(rolls(battle, "hit")[0])

    assert attacks(1, 3, 5) == 6
    assert attacks(1, 1, 1) == 3


@pytest.mark.rule("wh40k.core.precedence-specific", "wh40k.core.precedence-faction")
def test_narrower_rules_beat_wider_ones_layer_by_layer() -> None:
    free = ability("assault-free")

    def need(*abilities: dict) -> int:
        battle = scene(
            unit("a1", (10, 10), bs=4, weapons=[gun(type="assault")], abilities=list(abilities), _move="advance"),
            unit("b1", FAR),
            phase="shooting",
            dice=[1],
        )
        do(battle, "a1")
        fire(battle)
        return needs(battle, "hit")[0]

    assert need(free, ability("modify", what="hit", value=1)) == 3
    assert need(free) == 4
    assert need() == 5


@pytest.mark.rule("wh40k.shoot.number-of-attacks", "wh40k.unit.modifier-order")
def test_an_ability_changes_the_number_of_attacks_of_each_weapon() -> None:
    def made(models: int, faces: list[int], **weapon) -> list[int]:  # type: ignore[no-untyped-def]
        more = [ability("modify", what="attacks", value=1)]
        battle = scene(
            unit("a1", (10, 10), weapons=[gun(**weapon)], abilities=more),
            unit("b1", *row(5, 17, models)),
            phase="shooting",
            dice=[*faces, *[1] * 20],
        )
        fire(do(battle, "a1"))
        return [event.facts["attacks"] for event in told(battle, "attacks")]

    assert made(3, [], type="assault", attacks="2") == [3]
    assert made(3, [], type="rapid-fire", attacks="2", range=24) == [5]  # doubled first
    assert made(3, [4], type="assault", attacks="D6") == [5]
    assert made(11, [], type="heavy", attacks="D6", rules=["blast"]) == [7]


@pytest.mark.rule("wh40k.shoot.target-range-visible", "wh40k.shoot.rapid-fire")
def test_an_ability_changes_the_range_of_weapons_and_half_of_it() -> None:
    def made(far: float, *abilities) -> list[int]:  # type: ignore[no-untyped-def]
        """The attacks at somebody whose base is so far away; none where he is out of range."""
        battle = scene(
            unit("a1", (2, 10), weapons=[gun(type="rapid-fire", attacks="1", range=24)], abilities=list(abilities)),
            unit("b1", (2 + BASE + far, 10)),
            phase="shooting",
            dice=[1] * 20,
        )
        if prompt(battle) != "ask.shoot":
            return []
        fire(do(battle, "a1"))
        return [event.facts["attacks"] for event in told(battle, "attacks")]

    further = ability("modify", what="range", value=6)
    assert (made(24), made(24.1), made(12), made(12.1)) == ([1], [], [2], [1])
    assert (made(30, further), made(30.1, further), made(15, further), made(15.1, further)) == ([1], [], [2], [1])
