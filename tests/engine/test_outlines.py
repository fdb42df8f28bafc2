"""The outlines of the sequence of play name steps that exist; the examples on `Battle` hold."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from umpire import games
from umpire.engine import battle
from umpire.engine.game import find_game
from umpire.engine.steps import find_step

OUTLINES = Path(__file__).parents[2] / "docs/outlines.md"
GAMES = {
    "Warcry": "warcry",
    "Age of Sigmar": "aos",
    "Conquest": "conquest",
    "Warhammer 40,000": "wh40k",
    "The Ninth Age": "t9a",
}


def test_every_step_of_an_outline_exists() -> None:
    parts = re.split(r"^## (.*)$", OUTLINES.read_text(encoding="utf-8"), flags=re.M)[1:]
    told = dict(zip(parts[::2], parts[1::2], strict=True))
    assert set(told) == set(GAMES)
    assert set(GAMES.values()) == set(games.GAMES)
    for title, game in GAMES.items():
        find_game(game)
        names = re.findall(r"`([a-z_]+\.[a-z_]+)`", told[title])
        assert len(names) > 15
        for name in names:
            assert find_step(f"{game}.{name}")


def test_the_examples_on_battle_hold() -> None:
    result = doctest.testmod(battle)
    assert result.attempted
    assert not result.failed
