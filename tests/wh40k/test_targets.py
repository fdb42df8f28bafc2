"""Who is seen, who may be shot at: sight, Obscuring, Look Out, Sir."""

from __future__ import annotations

import math

import pytest

from umpire.games.wh40k.targets import Sights, obscured, screens
from wh40k.builder import aim, area, do, gun, options, refused, row, scene, solid, unit

RUIN = {"height": 6.0}


def sees(battle, a: str = "a1", b: str = "b1") -> bool:  # type: ignore[no-untyped-def]
    one, two = battle.state.unit(a), battle.state.unit(b)
    return Sights(battle.state, one).reach(one.models[0], two) < math.inf


@pytest.mark.rule("wh40k.shoot.target-enemy", "wh40k.terrain.category.no-profile")
def test_only_enemy_units_are_targets() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun()]),
        unit("a2", (12, 10)),
        unit("b1", (10, 20)),
        phase="shooting",
        terrain=[area("craters", 20, 10, 4, 4)],
    )
    do(battle, "a1")
    assert refused(battle, aim("a1.1/0/shot>a2")) == ["wh40k.shoot.target-enemy"]
    assert "wh40k.terrain.category.no-profile" in refused(battle, aim("a1.1/0/shot>t1"))


@pytest.mark.rule("wh40k.shoot.target-not-engaged", "wh40k.shoot.locked-in-combat")
def test_a_unit_engaged_with_a_friend_is_no_target() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun()]),
        unit("a2", (20, 20)),
        unit("b1", (20, 21.5), (21.5, 22.5), (23, 23.5)),
        unit("b2", (10, 20)),
        phase="shooting",
    )
    do(battle, "a1")
    assert refused(battle, aim("a1.1/0/shot>b1")) == ["wh40k.shoot.target-not-engaged", "wh40k.shoot.locked-in-combat"]


@pytest.mark.rule("wh40k.shoot.target-range-visible")
def test_one_model_must_be_both_in_range_and_visible() -> None:
    wall = solid("debris", 10, 18, 3, 0.5, 6.0)
    for second, able in (((12, 38), False), ((10, 24), True)):
        battle = scene(
            unit("a1", (10, 10), weapons=[gun()]), unit("a2", (2, 10), weapons=[gun(range=60)]),
            unit("b1", (10, 20), (second[0] + 6, second[1] - 2), keywords=["vehicle"]),
            phase="shooting", terrain=[wall], depth=40,
        )  # fmt: skip
        assert ("a1" in options(battle)) == able
    exact = scene(unit("a1", (10, 2), weapons=[gun()]), unit("b1", (10, 27)), phase="shooting")
    assert options(exact) == ["a1", "done"]


@pytest.mark.rule("wh40k.shoot.true-line-of-sight", "wh40k.terrain.obstacle.visibility")
def test_any_part_of_one_from_any_part_of_the_other() -> None:
    def over(top: float) -> bool:
        return sees(scene(unit("a1", (10, 10)), unit("b1", (10, 20)), terrain=[solid("debris", 10, 15, 6, 0.5, top)]))

    assert over(1.5)  # the heads show
    assert not over(3.0)
    hidden = scene(unit("a1", (10, 10)), unit("a2", (10, 15), base=[6, 6], hull=True, height=4), unit("b1", (10, 20)))
    assert not sees(hidden)


@pytest.mark.rule("wh40k.shoot.los-ignore-own-unit")
def test_one_sees_through_ones_own_unit() -> None:
    tall = {"height": 5.0, "base": [3, 3], "hull": True}
    own = scene(unit("a1", (10, 10), (10, 14), **tall), unit("b1", (10, 20)))
    assert sees(own)
    other = scene(unit("a1", (10, 10)), unit("a2", (10, 14), **tall), unit("b1", (10, 20)))
    assert not sees(other)


@pytest.mark.rule("wh40k.shoot.look-out-sir", "wh40k.shoot.screening-unit")
def test_a_character_behind_others_is_no_target() -> None:
    def may(where: tuple[float, float], w: int = 5, squad: int = 3) -> list[str]:
        battle = scene(
            unit("a1", (10, 5), weapons=[gun()]),
            unit("b1", where, w=w, keywords=["infantry", "character"]),
            unit("b2", *row(10, 14, squad)),
            phase="shooting",
        )
        do(battle, "a1")
        return refused(battle, aim("a1.1/0/shot>b1"))

    assert may((10, 17)) == ["wh40k.shoot.look-out-sir"]
    assert not may((10, 18.6))  # more than 3 inches from the squad
    assert not may((8, 10))  # the closest
    assert not may((10, 17), w=10)
    assert not may((10, 17), squad=2)


@pytest.mark.rule("wh40k.shoot.look-out-sir")
def test_it_is_asked_for_each_firing_model_and_of_visible_units_only() -> None:
    battle = scene(
        unit("a1", (10, 5), (11.5, 5), (24, 12), weapons=[gun()]),
        unit("b1", (20, 14), w=5, keywords=["infantry", "character"]),
        unit("b2", *row(14, 14, 4, 0.2)),
        phase="shooting",
    )
    do(battle, "a1")
    assert refused(battle, aim("a1.1/0/shot>b1"))
    assert not refused(battle, aim("a1.3/0/shot>b1"))


@pytest.mark.rule("wh40k.shoot.screening-unit")
def test_who_screens() -> None:
    battle = scene(
        unit("b1", *row(2, 2, 2)),
        unit("b2", (2, 6), w=6, keywords=["vehicle"]),
        unit("b3", (2, 12), w=12, keywords=["monster", "character"]),
        unit("b4", (2, 18), w=9, keywords=["monster", "character"]),
        unit("b5", *row(10, 2, 3), keywords=["infantry", "character"]),
        unit("b6", *row(20, 2, 3)),
    )
    found = [screens(battle.state, battle.state.unit(f"b{n}")) for n in range(1, 7)]
    assert found == [False, True, True, False, False, True]


@pytest.mark.rule("wh40k.shoot.look-out-sir-ignored")
def test_small_characters_are_left_out_when_the_closest_is_found() -> None:
    battle = scene(
        unit("a1", (10, 5), weapons=[gun()]),
        unit("b1", (10, 12), w=5, keywords=["infantry", "character"]),
        unit("b2", (12, 13), w=5, keywords=["infantry", "character"]),
        unit("b3", *row(10, 15, 3)),
        phase="shooting",
    )
    do(battle, "a1")
    assert not refused(battle, aim("a1.1/0/shot>b1"))
    assert not refused(battle, aim("a1.1/0/shot>b2"))


# -- Obscuring -----------------------------------------------------------------------------------------------------


def veiled(
    height: float = 6.0, foe: dict | None = None, at: tuple[float, float] = (10, 20), width: float = 8.0
) -> bool:
    battle = scene(
        unit("a1", (10, 8)), unit("b1", at, **(foe or {})), terrain=[area("ruins", 10, 14, width, 4, height=height)]
    )
    one, two = battle.state.unit("a1"), battle.state.unit("b1")
    return obscured(battle.state, one.models[0], two, two.models[0])


@pytest.mark.rule("wh40k.terrain.trait.obscuring", "wh40k.terrain.trait.obscuring.height")
def test_what_is_five_inches_high_hides_what_is_behind_it() -> None:
    assert veiled(5.0)
    assert not veiled(4.9)
    assert veiled(foe={"height": 12.0, "w": 17})
    assert not veiled(width=0.8)  # lines pass beside it


@pytest.mark.rule("wh40k.terrain.trait.obscuring.inside")
def test_who_is_inside_sees_and_is_seen() -> None:
    assert not veiled(at=(10, 16.2))
    battle = scene(
        unit("a1", (10, 8)),
        unit("b1", (10, 16.2)),
        terrain=[area("ruins", 10, 15, 8, 4, height=6), area("ruins", 10, 11, 8, 2, height=6)],
    )
    two = battle.state.unit("b1")
    assert obscured(battle.state, battle.state.unit("a1").models[0], two, two.models[0])


@pytest.mark.rule("wh40k.terrain.trait.obscuring.large")
def test_the_huge_are_seen_over_it_but_do_not_see() -> None:
    assert not veiled(foe={"w": 18})
    assert not veiled(foe={"keywords": ["vehicle", "aircraft"]})
    battle = scene(
        unit("a1", (10, 8), w=24, base=[50]), unit("b1", (10, 20)), terrain=[area("ruins", 10, 14, 10, 4, height=6)]
    )
    two = battle.state.unit("b1")
    assert obscured(battle.state, battle.state.unit("a1").models[0], two, two.models[0])


@pytest.mark.rule("wh40k.terrain.trait.obscuring.true-los", "wh40k.terrain.area.visibility")
def test_they_must_still_be_truly_visible() -> None:
    foe = {"keywords": ["vehicle", "aircraft"], "height": 3.0}
    wall = solid("ruins", 10, 14, 10, 1, 9.0)
    battle = scene(unit("a1", (10, 8)), unit("b1", (10, 20), **foe), terrain=[wall])
    assert not sees(battle)
    crater = scene(unit("a1", (10, 8)), unit("b1", (10, 20)), terrain=[area("craters", 10, 14, 4, 4, height=0.5)])
    assert sees(crater)
