"""The sight thread between two pieces speaks by each game's own rules; between free points it is plain geometry."""

from __future__ import annotations

from typing import Any

import msgspec

import aos.builder as aos
import conquest.builder as conquest
import warcry.builder as warcry
from umpire.engine.battle import Battle
from umpire.engine.view import redacted
from umpire.server.measuring import measure


def sight(battle: Battle[Any], start: Any, end: Any) -> dict[str, Any]:
    game = battle.game
    picture = game.picture(battle.state)
    measured = measure(
        game, redacted(battle, 0), picture, start, end, lambda key: game.name(battle.state, key)
    )  # fmt: skip
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(measured["sight"]))
    return found


def spot(x: float, y: float, z: float = 0.5) -> dict[str, float]:
    return {"x": x, "y": y, "z": z}


def test_warcry_low_walls_shelter_and_high_ones_hide() -> None:
    low = warcry.piece({"rect": [0, 0, 0.3, 3], "top": 1.2})
    battle = warcry.scene(
        warcry.fighter("a1", 13, 11),
        warcry.fighter("b1", 17, 11),
        pieces=[low],
        terrain=[{"piece": "piece", "x": 14.6, "y": 11}, {"piece": "piece", "x": 15.6, "y": 11}],
    )
    seen = sight(battle, "a1", "b1")
    assert (seen["clear"], seen["cover"]) == (True, True)
    assert {"warcry.core.visibility", "warcry.terrain.cover", "warcry.terrain.cover-obstacle"} <= set(seen["rules"])
    assert [blocker["name"]["en"] for blocker in seen["blockers"]] == ["piece", "piece"]
    high = warcry.piece({"rect": [0, 0, 0.3, 20], "top": 9})
    hidden = warcry.scene(warcry.fighter("a1", 13, 11), warcry.fighter("b1", 17, 11), pieces=[high])
    assert sight(hidden, "a1", "b1")["clear"] is False
    assert sight(hidden, "a1", "a1") | {"line": [], "blockers": []} == {
        "clear": False, "cover": False, "rules": ["warcry.core.visibility-self"], "line": [], "blockers": [],
    }  # fmt: skip


def test_warcry_an_obstacle_by_the_attacker_shelters_one_way_only() -> None:
    wall = warcry.piece({"rect": [0, 0, 0.3, 3], "top": 1.2})
    battle = warcry.scene(warcry.fighter("a1", 13.95, 11), warcry.fighter("b1", 22.95, 11), pieces=[wall])
    assert sight(battle, "a1", "b1")["cover"] is False
    assert "warcry.terrain.cover-near-attacker" in sight(battle, "a1", "b1")["rules"]
    assert sight(battle, "b1", "a1")["cover"] is True


def test_warcry_bodies_stand_in_the_way() -> None:
    big = {"base": 120.0, "height": 6.0}
    battle = warcry.scene(
        warcry.fighter("a1", 10, 11), warcry.fighter("b1", 20, 11), warcry.fighter("b2", 15, 11, **big)
    )
    seen = sight(battle, "a1", "b1")
    assert (seen["clear"], seen["cover"]) == (False, False)
    assert [blocker["id"] for blocker in seen["blockers"]] == ["b2"]


def test_aos_cover_and_obscuring_terrain() -> None:
    one, two = aos.unit("a1", (10, 10)), aos.unit("b1", (10, 20))

    def at(*terrain: dict[str, Any], **more: Any) -> dict[str, Any]:
        battle = aos.scene(one, {**two, **more}, phase="shooting", terrain=list(terrain))
        models = {unit.id: unit.models[0].id for unit in battle.state.units.values()}
        return sight(battle, models["a1"], models["b1"])

    open_ground = at()
    assert (open_ground["clear"], open_ground["cover"], open_ground["rules"]) == (True, False, ["aos.core.visibility"])
    low = at(aos.block(10, 15, 30, 0.5, 1, type="obstacle"))
    assert (low["clear"], low["cover"]) == (True, True)
    assert "aos.terrain.cover" in low["rules"]
    assert at(aos.block(10, 15, 30, 0.5, 1, type="obstacle"), charged=True)["cover"] is False
    veiled = at(aos.block(10, 15, 30, 0.5, 1, type="obscuring"))
    assert (veiled["clear"], veiled["cover"]) == (True, True)
    assert "aos.terrain.obscuring" in veiled["rules"]
    assert at(aos.block(10, 15, 30, 0.5, 9, type="obstacle"))["clear"] is False


def test_conquest_front_arc_sizes_and_veils() -> None:
    def at(*terrain: Any, facing: float = 0.0, start: str = "a", end: str = "e") -> dict[str, Any]:
        battle = conquest.scene(
            conquest.regiment("a", 0, (20, 10), facing), conquest.regiment("e", 1, (20, 30), 180.0),
            terrain=terrain,
        )  # fmt: skip
        stands = {key: battle.state.regiment(key).stands for key in ("a", "e")}
        return sight(battle, stands[start][0].id, stands[end][0].id)

    open_ground = at()
    assert (open_ground["clear"], open_ground["cover"]) == (True, False)
    assert "conquest.regiment.line-of-sight.line" in open_ground["rules"]
    assert at(facing=180.0)["clear"] is False
    assert "conquest.regiment.line-of-sight.front-arc" in at(facing=180.0)["rules"]
    wall = at(conquest.wood("w", 0, 18, 60, 19, "wall", kind="garrison"))
    assert wall["clear"] is False
    assert "conquest.regiment.line-of-sight.blocking" in wall["rules"]
    veil = at(conquest.wood("v", 0, 18, 60, 19, "obscuring"))
    assert (veil["clear"], veil["cover"]) == (True, True)
    assert "conquest.volley.obscured-shot" in veil["rules"]
    inside = at(end="a")
    assert inside["rules"] == []


def test_free_points_are_measured_by_plain_geometry() -> None:
    high = warcry.piece({"rect": [0, 0, 0.3, 20], "top": 9})
    battle = warcry.scene(warcry.fighter("a1", 13, 11), warcry.fighter("b1", 17, 11), pieces=[high])
    for start, end in ((spot(13, 14), spot(17, 14)), ("a1", spot(17, 14)), (spot(13, 14), "b1")):
        seen = sight(battle, start, end)
        assert (seen["clear"], seen["rules"]) == (False, [])
        assert len(seen["blockers"]) == 1
    assert sight(battle, spot(2, 2), spot(4, 2))["clear"] is True
