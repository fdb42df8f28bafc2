"""What a game's book has against terrain as it lies, with what was measured."""

from __future__ import annotations

import pytest

from aos.builder import block
from aos.builder import scene as aos_scene
from aos.builder import unit as aos_unit
from umpire.games.t9a.terrain import against_terrain
from umpire.games.wh40k.terrain import TYPES
from warcry.builder import fighter as warcry_fighter
from warcry.builder import piece as warcry_piece
from warcry.builder import scene as warcry_scene
from wh40k.builder import area, unit
from wh40k.builder import scene as wh40k_scene


@pytest.mark.rule("warcry.setup.terrain-alternative", "warcry.core.battlefield-size")
def test_warcry_wants_two_features_in_every_quarter_and_all_on_the_battlefield() -> None:
    crate = warcry_piece({"rect": [0, 0, 2, 2], "top": 1}, key="crate")
    spots = [(x + dx, y) for x in (4, 19) for y in (5, 16) for dx in (0, 5)]
    fighters = (warcry_fighter("a1", 14.5, 2), warcry_fighter("b1", 14.5, 20))

    def told(places: list[tuple[float, float]]) -> list[tuple[str, str, dict[str, object]]]:
        terrain = [{"piece": "crate", "x": x, "y": y, "id": f"c{n}"} for n, (x, y) in enumerate(places)]
        battle = warcry_scene(*fighters, pieces=[crate], terrain=terrain)
        return [(r.rule, r.at, r.facts) for r in battle.check_terrain().reasons]

    assert told(spots) == []
    assert told(spots[1:]) == [("warcry.setup.terrain-alternative", "", {"quarter": 1, "features": 1, "least": 2})]
    assert told([(0.75, 5), *spots[1:]]) == [
        ("warcry.core.battlefield-size", "terrain[0]", {"feature": "c0", "beyond": 0.25})
    ]


@pytest.mark.rule("wh40k.core.battlefield-size", "wh40k.terrain.structure")
def test_features_of_warhammer_40000_stand_on_the_battlefield_and_have_a_trait() -> None:
    assert "ruins" in TYPES
    units = (unit("a1", (10, 10)), unit("b1", (30, 20)))
    assert wh40k_scene(*units, terrain=[area("ruins", 20, 10, 4, 4)]).check_terrain().legal
    (reason,) = wh40k_scene(*units, terrain=[area("ruins", 1.5, 10, 4, 4)]).check_terrain().reasons
    assert (reason.rule, reason.at, reason.facts["beyond"]) == ("wh40k.core.battlefield-size", "terrain[0]", 0.5)


@pytest.mark.rule("aos.core.first-blood-setup", "aos.core.battlefield-setup")
def test_age_of_sigmar_keeps_its_distances_in_first_blood_and_the_battlefield_everywhere() -> None:
    units = (aos_unit("a1", (10, 10)), aos_unit("b1", (40, 28)))

    def told(*terrain: dict[str, object], **more: object) -> list[tuple[str, str, dict[str, object]]]:
        battle = aos_scene(*units, terrain=[*terrain], **more)
        return [(r.rule, r.at, r.facts) for r in battle.check_terrain().reasons]

    first, plan = "aos.core.first-blood-setup", {"battleplan": "first-blood"}
    assert told(block(15, 15, 4, 4, 1), block(25.1, 15, 4, 4, 1), **plan) == []
    near = {"other": "t1", "gap": 6.0, "more": 6.0}
    assert told(block(15, 15, 4, 4, 1), block(25, 15, 4, 4, 1), **plan) == [(first, "terrain[1]", near)]
    assert told(block(5, 15, 4, 4, 1), **plan) == [(first, "terrain[0]", {"gap": 3.0, "more": 3.0})]
    over = [("aos.core.battlefield-setup", "terrain[1]", {"feature": "t2", "beyond": 0.5})]
    assert told(block(15, 15, 4, 4, 1), block(42.5, 15, 4, 4, 1)) == over
    assert told(block(15, 15, 4, 4, 1), block(42, 15, 4, 4, 1)) == []


@pytest.mark.rule("t9a.prep.board.terrain")
def test_any_agreed_layout_of_the_ninth_age_is_accepted() -> None:
    import umpire

    battle = umpire.battle("t9a", seed=1)
    assert battle.check_terrain().legal
    assert list(against_terrain(battle.state)) == []
