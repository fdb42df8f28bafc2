"""What is sent is what the types say: views, rulings and menus of real battles are read as the protocol's own types."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire
from umpire.engine.rng import Rng
from umpire.engine.view import views
from umpire.server import wire, wire_pages
from umpire.server.desk import Desk
from umpire.server.places import Place

ROOT = Path(__file__).parents[2]
ANSWERS = 120


def read(data: bytes, kind: Any) -> Any:
    return msgspec.json.decode(data, type=kind)


def test_the_browser_has_the_types_of_the_server() -> None:
    """web/src/protocol.ts is written by scripts/protocol-types, never by hand."""
    script = ROOT / "scripts/protocol-types"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("game", ["warcry", "aos", "conquest"])
def test_views_and_rulings_are_what_the_protocol_says(game: str) -> None:
    desk = Desk()
    prepared = desk.prepare(game, 4, None, {}, [None, None])
    desk.begin("t", prepared["setup"], "secret", ["", ""], [0, 1, None])
    place = desk._place("t")
    battle, rng = place.battle, Rng(4)
    moves = 0
    for _ in range(ANSWERS):
        ask = battle.decision
        if ask is None:
            break
        ((_, seen),) = place.views([ask.side], max(0, len(battle.events) - 5))
        decision = read(seen, wire.Seen).decisions[0]
        answer = ask.suggest(rng)
        n = len(battle.answers)
        said = read(desk.check("t", ask.side, n, msgspec.json.encode(answer)), wire.Ruling)
        assert said.legal
        if isinstance(decision, (wire.Place, wire.Move)):
            moves += 1
            assert set(said.stands) <= set(decision.form.pieces)
            if said.spelt is not None:
                assert ask.check(said.spelt), "what is spelt out can be given back"
            read(desk.reach("t", ask.side, n), list[wire.Region])
            wish = {"to": {"x": 3.0, "y": 3.0}} if decision.form.ways[0] != "spot" else {"x": 3.0, "y": 3.0}
            read(desk.check("t", ask.side, n, msgspec.json.encode(wish)), wire.Ruling)
        battle.answer(answer, ask.side)
        place.moved_on()
    assert moves >= 5


def test_menus_are_what_the_protocol_says_and_show_no_raw_id() -> None:
    """An option's values are named in both languages, unless they are numbers or speak for themselves."""
    for menu in read(Desk().games(), list[wire_pages.GameInfo]):
        for option in menu.library.options or ():
            for value in option.values:
                assert isinstance(value, (wire_pages.Choice, bool, int, float)), (
                    f"{menu.id}: {option.id} = {value!r} has no name"
                )


@pytest.mark.parametrize("game", ["warcry", "conquest"])
def test_cards_that_are_kept_are_told_as_they_stand(game: str) -> None:
    """A table keeps how cards were spelt out; whoever looks for the first time is told the same."""
    battle = umpire.battle(game, seed=4)
    place, rng = Place(battle), Rng(4)
    for _ in range(25):
        assert battle.decision is not None
        kept = [json.loads(seen)["picture"]["cards"] for _, seen in place.views([0, 1, None], len(battle.events))]
        fresh = [json.loads(seen)["picture"]["cards"] for _, seen in Place(battle).views([0, 1, None], 0)]
        plain = [json.loads(msgspec.json.encode(seen["picture"]["cards"])) for seen in views(battle, (0, 1, None))]
        assert kept == fresh == plain
        battle.answer(battle.decision.suggest(rng))
        place.moved_on()
