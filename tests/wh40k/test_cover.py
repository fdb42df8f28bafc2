"""Cover: who has it, what Light, Heavy and Dense Cover make of it."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.games.wh40k.cover import covered, dense, has_cover
from wh40k.builder import ability, area, do, fire, gun, needs, scene, solid, sword, unit


def shot_at(terrain: list[dict], weapon: dict | None = None, mine: tuple = (10, 5), **foe: Any) -> tuple[int, int]:
    """The hit and save that are needed when a1 shoots b1 at (10, 15)."""
    at = foe.pop("at", (10, 15))
    battle = scene(
        unit("a1", mine, bs=3, weapons=[weapon or gun(type="assault")]),
        unit("b1", at, sv=4, w=5, **foe),
        phase="shooting",
        terrain=terrain,
        dice=[6, 6, 6],
    )
    do(battle, "a1")
    fire(battle)
    return needs(battle, "hit")[0], needs(battle, "save")[0]


CRATER = area("craters", 10, 15, 4, 4, height=0.5)
WOODS = area("woods", 10, 10, 6, 3, height=3.0)


@pytest.mark.rule("wh40k.terrain.area.cover", "wh40k.terrain.trait.light-cover")
def test_infantry_in_a_crater_saves_at_plus_one() -> None:
    assert shot_at([CRATER]) == (3, 3)
    assert shot_at([CRATER], mine=(10, 12.9)) == (3, 3)
    assert shot_at([CRATER], keywords=["monster"]) == (3, 4)
    assert shot_at([CRATER], at=(10, 18)) == (3, 4)
    assert shot_at([CRATER, area("craters", 10, 16, 4, 4, height=0.5)]) == (3, 3)


@pytest.mark.rule("wh40k.terrain.trait.light-cover", "wh40k.terrain.trait.light-cover.no-invulnerable")
def test_light_cover_does_nothing_for_invulnerable_saves() -> None:
    assert shot_at([CRATER], gun(type="assault", ap=-4), invulnerable=5) == (3, 5)
    assert shot_at([CRATER], gun(type="assault", ap=-1)) == (3, 4)


@pytest.mark.rule("wh40k.terrain.obstacle.cover", "wh40k.terrain.obstacle.obstructed")
def test_an_obstacle_shelters_those_near_behind_it() -> None:
    def behind(far: float, x: float = 10, **foe: Any) -> bool:
        battle = scene(
            unit("a1", (10, 5)), unit("b1", (x, 12.3 + far + 0.5), **foe),
            terrain=[solid("barricades", 10, 12, 5, 0.6, 1.2)],
        )  # fmt: skip
        one, two = battle.state.unit("a1"), battle.state.unit("b1")
        return bool(covered(battle.state, one.models[0], two, "light-cover"))

    assert behind(3.0)
    assert not behind(3.1)
    assert not behind(1.0, keywords=["vehicle"])
    assert not behind(0.5, x=16)  # the lines pass beside it


@pytest.mark.rule("wh40k.terrain.cover.two-step", "wh40k.terrain.cover.no-effect-by-itself")
def test_cover_is_a_state_and_traits_make_something_of_it() -> None:
    debris = solid("debris", 10, 13.5, 5, 0.6, 1.0)
    assert shot_at([debris]) == (3, 4)
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 15)), terrain=[debris, WOODS])
    one, two = battle.state.unit("a1"), battle.state.unit("b1")
    assert has_cover(battle.state, battle.state.terrain[0], one.models[0], two, two.models[0])


@pytest.mark.rule("wh40k.terrain.term.benefits-of-cover", "wh40k.terrain.type.woods")
def test_in_woods_there_is_cover_without_a_better_save() -> None:
    woods = area("woods", 10, 15, 6, 4, height=3.0)
    assert shot_at([woods]) == (4, 4)
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 15)), terrain=[woods])
    one, two = battle.state.unit("a1"), battle.state.unit("b1")
    assert has_cover(battle.state, battle.state.terrain[0], one.models[0], two, two.models[0])


@pytest.mark.rule("wh40k.terrain.trait.dense-cover.penalty", "wh40k.terrain.trait.dense-cover.without-cover")
def test_a_line_through_woods_is_harder_to_hit_along() -> None:
    assert shot_at([WOODS]) == (4, 4)
    assert shot_at([WOODS], keywords=["vehicle"], at=(10, 22)) == (4, 4)
    assert shot_at([area("woods", 20, 10, 4, 3, height=3.0)]) == (3, 4)
    one_hidden = scene(
        unit("a1", (10, 5)), unit("b1", (4, 15), (6, 15), (8, 15)), terrain=[area("woods", 9, 11, 1, 1, height=3)]
    )
    one, two = one_hidden.state.unit("a1"), one_hidden.state.unit("b1")
    assert dense(one_hidden.state, one, one.models[0], two)


@pytest.mark.rule("wh40k.terrain.trait.dense-cover.height")
def test_woods_must_be_three_inches_high() -> None:
    assert shot_at([area("woods", 10, 10, 6, 3, height=2.9)]) == (3, 4)
    assert shot_at([area("woods", 10, 10, 6, 3, height=3.0)]) == (4, 4)


@pytest.mark.rule("wh40k.terrain.trait.dense-cover.own-area")
def test_out_of_ones_own_woods() -> None:
    own = area("woods", 10, 5, 6, 4, height=3.0)
    assert shot_at([own]) == (3, 4)
    assert shot_at([own, WOODS]) == (4, 4)


@pytest.mark.rule("wh40k.terrain.trait.dense-cover.own-obstacle")
def test_over_ones_own_wall() -> None:
    wall = solid("ruined-walls", 10, 8, 6, 0.6, 3.0, height=3.0)
    wall["parts"] = []
    assert shot_at([wall]) == (3, 4)
    assert shot_at([wall, area("craters", 10, 11, 2, 2, height=0.5)]) == (4, 4)
    assert shot_at([wall], mine=(10, 3)) == (4, 4)


@pytest.mark.rule("wh40k.terrain.trait.dense-cover.large-targets")
def test_the_huge_are_not_hidden() -> None:
    def need(w: int, **foe: Any) -> int:
        battle = scene(
            unit("a1", (10, 5), bs=3, weapons=[gun(type="assault")]), unit("b1", (10, 15), w=w, **foe),
            phase="shooting", terrain=[WOODS], dice=[1],
        )  # fmt: skip
        do(battle, "a1")
        fire(battle)
        return needs(battle, "hit")[0]

    assert need(18, wounds=[3]) == 3
    assert need(17) == 4
    assert need(5, keywords=["vehicle", "aircraft"]) == 3


@pytest.mark.rule("wh40k.terrain.cover.ignore-save-bonus", "wh40k.terrain.cover.ignore-hit-penalty")
def test_what_ignores_a_part_of_cover() -> None:
    both = [CRATER, WOODS]
    assert shot_at(both) == (4, 3)
    assert shot_at(both, gun(type="assault", rules=["no-cover-save"])) == (4, 4)
    assert shot_at(both, gun(type="assault", rules=["no-cover-hit"])) == (3, 3)


@pytest.mark.rule("wh40k.terrain.cover.ignore-all")
def test_what_ignores_all_of_it_still_does_not_see_through_ruins() -> None:
    assert shot_at([CRATER, WOODS], gun(type="assault", rules=["no-cover"])) == (3, 4)
    battle = scene(
        unit("a1", (10, 5), weapons=[gun(rules=["no-cover"])]), unit("a2", (30, 5), weapons=[gun(range=48)]),
        unit("b1", (10, 15)), unit("b2", (30, 15)), phase="shooting", terrain=[area("ruins", 10, 10, 8, 4, height=6)],
    )  # fmt: skip
    assert "a1" not in battle.decision.options or not [  # type: ignore[union-attr]
        r
        for r in do(battle, "a1").decision.rows.values()
        if any(o.id == "b1" for o in r.choices["target"])  # type: ignore[union-attr]
    ]


@pytest.mark.rule("wh40k.terrain.cover.outside-terrain")
def test_cover_that_a_rule_gives_is_light_cover() -> None:
    given = [ability("cover")]
    assert shot_at([], abilities=given) == (3, 3)
    assert shot_at([], abilities=given, keywords=["vehicle"]) == (3, 3)


@pytest.mark.rule("wh40k.terrain.cover.improved.with-save-trait", "wh40k.terrain.cover.improved.other-traits")
def test_better_cover() -> None:
    better = [ability("cover-more", value=2)]
    assert shot_at([CRATER], abilities=better) == (3, 2)
    assert shot_at([area("woods", 10, 15, 6, 4, height=3.0)], abilities=better) == (4, 3)


def blow(terrain: list[dict], foe: dict | None = None, ap: int = -1) -> int:
    """The save that b1 needs against a blow across a barricade."""
    battle = scene(
        unit("a1", (10, 10), weapons=[sword(ap=ap)], a=1),
        unit("b1", (10, 11.9), sv=4, w=5, **(foe or {})),
        phase="fight",
        terrain=terrain,
        dice=[6, 6, 6, 6, 6, 6, 6, 6],
    )
    from umpire.games.wh40k.saves import Blow, save_need

    a, b = battle.state.unit("a1"), battle.state.unit("b1")
    profile = a.sheet.weapons[0].profiles[0]
    from umpire.games.wh40k.cover import heavy_cover

    shelter = heavy_cover(battle.state, a.models[0], b)
    return save_need(battle.state, b, b.models[0], Blow("a1", profile, ap, "melee", shelter))[0]


BARRICADE = area("barricades", 10, 10.95, 4, 0.4, height=1.2)


@pytest.mark.rule("wh40k.terrain.trait.heavy-cover")
def test_heavy_cover_helps_in_melee() -> None:
    assert blow([BARRICADE]) == 4
    assert blow([]) == 5
    assert shot_at([area("barricades", 10, 13.5, 4, 0.6, height=1.2, traits=["heavy-cover"])]) == (3, 4)


@pytest.mark.rule("wh40k.terrain.trait.heavy-cover.not-chargers")
def test_not_those_who_charged() -> None:
    assert blow([BARRICADE], {"marks": ["charged"], "targets": ["a1"]}) == 5


@pytest.mark.rule("wh40k.terrain.trait.exposed-position", "wh40k.terrain.type.armoured-containers")
def test_on_top_there_is_no_cover() -> None:
    box = solid("armoured-containers", 10, 15, 4, 3, 2.0)
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 15, 2.0)), unit("b2", (10, 18)), terrain=[box])
    a = battle.state.unit("a1").models[0]
    assert not covered(battle.state, a, battle.state.unit("b1"), "light-cover")
    assert covered(battle.state, a, battle.state.unit("b2"), "light-cover")


@pytest.mark.rule("wh40k.terrain.cover.improved.with-save-trait", "wh40k.terrain.cover.improved.other-traits")
def test_improved_cover_asks_what_gives_the_cover_and_not_what_stands_near() -> None:
    better = [ability("cover-more", value=2)]
    woods = area("woods", 10, 15, 3, 3, height=3.0)
    beyond = solid("armoured-containers", 10, 18, 4, 0.5, 1.0)
    assert shot_at([woods, beyond], abilities=better) == (4, 3)  # no line to it passes over the container
    between = solid("armoured-containers", 10, 12.5, 4, 0.5, 0.5)
    assert shot_at([woods, between], abilities=better) == (4, 2)


@pytest.mark.rule("wh40k.terrain.cover.outside-terrain", "wh40k.terrain.cover.improved.with-save-trait")
def test_cover_without_terrain_is_improved_as_light_cover_is() -> None:
    both = [ability("cover"), ability("cover-more", value=2)]
    assert shot_at([], abilities=both, keywords=["vehicle"]) == (3, 2)
    assert shot_at([], abilities=both[1:]) == (3, 4)


@pytest.mark.rule("wh40k.terrain.cover.improved.other-traits")
def test_improved_cover_is_judged_model_by_model() -> None:
    battle = scene(
        unit("a1", (10, 5), weapons=[gun(type="assault")]),
        unit("b1", (10, 15), (12, 15), sv=4, abilities=[ability("cover-more", value=2)]),
        phase="shooting",
        terrain=[area("craters", 10, 15, 1.5, 2, height=0.5), area("woods", 12, 15, 1.5, 2, height=2.0)],
    )
    from umpire.games.wh40k.declaration import Declaration
    from umpire.games.wh40k.saves import Blow, save_need

    do(battle, "a1")
    mine = battle.state.unit("a1")
    group = Declaration(battle.state, mine).groups(battle.decision.default)[0]
    assert (group.covered, group.bare) == (("b1.1", "b1.2"), ("b1.2",))
    foe = battle.state.unit("b1")
    blow = Blow("a1", mine.sheet.weapons[0].profiles[0], 0, "shooting", group.covered, group.bare)
    assert [save_need(battle.state, foe, m, blow)[0] for m in foe.models] == [2, 3]
