"""Records are verified to the byte; scenes are read with errors that say where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tiny
from battery import play
from umpire.engine import scene as scenes
from umpire.engine.beginning import battle
from umpire.engine.dice import fair
from umpire.engine.record import read, replay, verify
from umpire.engine.rng import Rng
from umpire.engine.scene import scene
from umpire.engine.staging import run
from umpire.errors import UmpireError

SCENE = """\
game: tiny
dice: [5, 2]
position:
  pawns:
    - {id: a, side: 0, x: 5.0, y: 5.0}
    - {id: b, side: 1, x: 5.0, y: 8.0}
answers:
  - a
  - {path: [{x: 30.0, y: 5.0}]}
  - {path: [{x: 5.0, y: 5.5}]}
  - b
  - {side: 1, answer: pass}
"""


def test_a_changed_event_is_found_and_told() -> None:
    record = play(battle(tiny.GAME.id, seed=4), Rng(4)).record
    lines = record.splitlines()
    row = json.loads(lines[5])
    row["events"] = [*row.get("events", []), {"kind": "miracle"}]
    lines[5] = json.dumps(row)
    verdict = verify("\n".join(lines))
    assert not verdict.same
    assert verdict.difference is not None
    assert verdict.difference.answer == 5
    assert read("\n".join(lines)).events


def test_a_changed_last_state_is_found() -> None:
    record = play(battle(tiny.GAME.id, seed=4), Rng(4)).record
    lines = record.splitlines()
    footer = json.loads(lines[-1])
    footer["digest"] = "0" * 24
    verdict = verify("\n".join([*lines[:-1], json.dumps(footer)]))
    assert verdict.difference is not None
    assert verdict.difference.what == "state"


def test_fair_dice_are_checked_by_the_replay() -> None:
    pledge = fair(["a", "b"], "secret")
    record = play(battle(tiny.GAME.id, seed=4, fairness=pledge), Rng(4)).record
    assert verify(record).fair is True
    assert verify(record.replace(pledge.commitment, "f" * 64)).fair is False


def test_garbled_records_are_refused_with_the_line() -> None:
    with pytest.raises(UmpireError, match="first and a last line"):
        read("")
    record = play(battle(tiny.GAME.id, seed=4), Rng(4)).record.splitlines()
    record[3] = "{not json"
    with pytest.raises(UmpireError, match="line 4"):
        read("\n".join(record))
    with pytest.raises(UmpireError, match="answer 1 is refused"):
        replay("\n".join([record[0], '{"side":0,"answer":"99"}', record[-1]]))


def test_a_scene_runs_its_answers_and_tells_the_refused_one(tmp_path: Path) -> None:
    file = tmp_path / "duel.yaml"
    file.write_text(SCENE)
    result = run(scenes.read(file)[0])
    assert [ruling["legal"] for ruling in result["rulings"]] == [True, False, True, True, True]
    assert result["rulings"][1]["reasons"][0]["rule"] == "tiny.move"
    assert result["events"][-1]["facts"]["hits"] == 1
    assert result["decisions"][0]["kind"] == "split"
    assert scene(str(file)).state.pawn("b").wounds == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("x: 5.0, y: 8.0", "x: five, y: 8.0"), r":6: expected float, got str \(field position.pawns\[1\].x\)"),
        (("game: tiny", "game: tiny\nwind: north"), r":2: there is no field wind"),
        (("dice: [5, 2]", "dice: [5, six]"), r":2: .*\(field dice\[1\]\)"),
        (("pawns:", "pawns: ["), r":5: "),
        (("game: tiny", "game: chess"), "no game “chess”"),
    ],
)
def test_broken_scenes_name_file_line_and_field(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    file = tmp_path / "duel.yaml"
    file.write_text(SCENE.replace(*change))
    with pytest.raises(UmpireError, match=message):
        scenes.read(file)
