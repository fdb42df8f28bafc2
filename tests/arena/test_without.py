"""Wishes that the umpire refuses count as rules that decided; rules are weighed by the same seeds without them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import tiny
import umpire
from umpire import arena, cli
from umpire.arena import Series, weighing
from umpire.arena.wishing import Wisher, mistaken, shaken
from umpire.engine.rng import Rng
from umpire.errors import UmpireError

GAME = tiny.GAME.id


def test_wishes_are_refused_counted_and_change_nothing() -> None:
    battle = umpire.battle(GAME, seed=3)
    wisher = Wisher(5)
    for _ in range(60):
        ask = battle.decision
        if ask is None:
            break
        before = battle.digest
        wisher.wish(battle, ask.side, ask)
        assert battle.digest == before
        assert battle.decision is ask
        battle.answer(ask.suggest())
    assert wisher.refused["tiny.move"] > 0
    assert wisher.refused["tiny.edge"] > 0


def test_illegal_army_lists_are_refused_by_their_rules() -> None:
    wisher = Wisher(1)
    for seed in range(4):
        wisher.lists(umpire.battle("warcry", seed=seed))
    assert wisher.refused["warcry.warband.points"] > 0
    chapters = {rule.split(".")[1] for rule in wisher.refused}
    assert chapters <= {"warband", "faction", "ally", "thrall", "monster", "core"}


def test_mistakes_leave_the_list_they_are_made_in_alone() -> None:
    roster = {"faction": "a", "fighters": ["x", "y"], "points": 10}
    seen = [mistaken(roster, {"faction": "b", "fighters": ["z"]}, Rng(seed)) for seed in range(20)]
    assert roster == {"faction": "a", "fighters": ["x", "y"], "points": 10}
    assert any(one["faction"] == "b" for one in seen)
    assert any(len(one["fighters"]) != 2 for one in seen)


def test_a_shaken_move_keeps_its_form() -> None:
    wish = shaken({"path": [{"x": 1.0, "y": 2.0, "how": "fly"}], "stay": True}, Rng(4))
    assert wish["path"][0]["how"] == "fly"
    assert wish["stay"] is True
    assert wish["path"][0]["x"] != 1.0 or wish["path"][0]["y"] != 2.0


def test_a_rule_is_weighed_by_the_same_seeds() -> None:
    series = Series(game=GAME, battles=6, seed=2, without=("tiny.parry",))
    _, without = arena.run(series)
    _, usual = arena.run(msgspec.structs.replace(series, without=()))
    found = weighing.weigh(series, usual, without)
    assert found.rules == ("tiny.parry",)
    assert found.battles == 6
    assert [row.what for row in found.figures] == ["win", "decisions"]
    same = weighing.weigh(series, usual, usual)
    assert same.same == 6
    assert not any(row.differs for row in same.figures)
    assert weighing.plot(found, "zh").startswith("<svg")


def test_simulate_without_a_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "plot.svg"
    words = ["simulate", GAME, "--battles", "3", "--jobs", "1", "--without", "tiny.parry", "--json"]
    with pytest.raises(SystemExit) as done:
        cli.main([*words, "--plot", str(picture)])
    assert done.value.code == 0
    found = json.loads(capsys.readouterr().out)
    assert found["weighed"]["rules"] == ["tiny.parry"]
    assert picture.read_text(encoding="utf-8").endswith("</svg>")
    with pytest.raises(SystemExit) as done:
        cli.main(["simulate", GAME, "--battles", "3", "--without", "tiny.no-such"])
    assert done.value.code == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_an_unknown_rule_is_told_before_any_battle() -> None:
    with pytest.raises(UmpireError, match="no rule"):
        umpire.battle(GAME, without=["tiny.nothing"])
