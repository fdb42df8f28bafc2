"""Every game that can be played, set up from its own menu and begun."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from battery import steps
from server.house import House
from umpire.engine.game import games
from umpire.engine.rng import Rng
from umpire.engine.view import view
from umpire.games import GAMES
from umpire.server.armies import library_of
from umpire.text import catalogue


@pytest.mark.parametrize("game", [game for game in games() if game != "tiny"])
def test_a_table_from_the_menu(running: House, game: str) -> None:
    menu = next((one["library"] for one in running.get("/api/games").json() if one["id"] == game), None)
    if menu is None:
        pytest.skip(f"{game} cannot be played yet")
    for kind in ("armies", "scenarios"):
        for entry in menu[kind]:
            assert set(entry["name"]) >= {"zh", "en"}, entry["id"]
            assert all(unit["name"]["zh"] and unit["name"]["en"] for unit in entry.get("units", ()))
    for option in menu["options"]:
        assert "rule" not in option or option["text"]["zh"].endswith("？"), option["id"]
        assert "rule" not in option or option["text"]["en"].endswith("?"), option["id"]
    assert len(menu["first"]["tries"]) == 3
    options = menu["armies"][0].get("options", {}) if menu["armies"] else {}
    armies = [army["id"] for army in menu["armies"] if army.get("options", {}) == options] or ["random"]
    wish: dict[str, Any] = {
        "game": game,
        "seed": 7,
        "options": options,
        "seats": [{"kind": "person", "army": armies[0]}, {"kind": "computer", "army": armies[-1], "level": "easy"}],
    }
    if menu["scenarios"]:
        wish["scenario"] = menu["scenarios"][0]["id"]
    reply = running.post("/api/tables", wish)
    assert reply.status_code == 200, reply.text
    player = running.sit(reply.json(), 0)
    player.until("view")
    names = {army["id"]: army["name"] for army in menu["armies"]}
    if armies[0] in names:
        assert player.table["seats"][0]["army"] == names[armies[0]]
    for _ in range(8):
        while not player.asked and player.view["outcome"] is None:
            player.until("update")
        if player.view["outcome"] is not None:
            break
        reply = player.answer(player.suggested())
        assert reply["type"] == "update", reply


@pytest.mark.parametrize("game", GAMES)
def test_what_a_table_may_be_set_to_has_a_name_and_is_no_english_id_in_chinese(game: str) -> None:
    for option in library_of(game)["options"]:
        for named in (option, *(value for value in option["values"] if not isinstance(value, (int, float)))):
            assert any("\u4e00" <= sign <= "\u9fff" for sign in named["name"]["zh"]), named
            assert named["name"]["en"], named


def test_a_guide_speaks_of_the_game_that_asks() -> None:
    """Prompts of several games have the same key: what a beginner is told there is the game's own."""
    heard: dict[str, dict[str, str]] = {}
    for game in GAMES:
        battle = umpire.battle(game, seed=3)
        for n, (ask, _) in enumerate(steps(battle, Rng(3))):
            key = f"guide.{ask.prompt.key}"
            told = next(d.get("guide") for d in view(battle, ask.side, data=False)["decisions"])
            said = catalogue(game).get(key)
            assert (told and told["en"]) == (said and said["en"])
            if told:
                heard.setdefault(key, {})[game] = told["en"]
            if n > 60:
                break
    several = [said for said in heard.values() if len(said) > 1]
    assert several
    assert all(len(set(said.values())) == len(said) for said in several)
