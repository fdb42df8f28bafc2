"""A battle in the terminal: what a person is shown, may say, and what is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import tiny
from umpire import cli

GAME = tiny.GAME.id


def play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, said: str, *words: object
) -> tuple[int, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    with pytest.raises(SystemExit) as done:
        cli.main(["play", GAME, "--lang", "en", *map(str, words)])
    assert isinstance(done.value.code, int)
    return done.value.code, capsys.readouterr().out


def test_the_end_of_the_input_ends_the_battle_cleanly(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code, out = play(capsys, monkeypatch, "3\n", "--against", "random", "--record", tmp_path / "b.record")
    assert code == 0
    assert "ask.bid" in out
    assert "The battle stops here." in out
    assert json.loads((tmp_path / "b.record").read_text().splitlines()[1])["answer"] == "2"


def test_a_battle_is_played_to_its_end(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out = play(capsys, monkeypatch, "1\n" * 400 + "2 1 3\n", "--against", "random", "--side", 2, "--seed", 8)
    assert code == 0
    assert "The battle is over" in out or "stops here" in out


def test_questions_about_the_question(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picture = tmp_path / "map.svg"
    said = f'?\no\nm\nm {picture}\nu\n99\nnonsense\n[1\n"9"\nq\n'
    code, out = play(capsys, monkeypatch, said, "--against", "random")
    assert code == 0
    assert "tiny.bid" in out
    assert "nothing is left to chance here" in out
    assert "┌──" in out
    assert picture.read_text().startswith("<svg")
    assert "not now" in out
    assert "there is no number 99" in out
    assert "neither a number nor JSON: nonsense" in out
    assert "neither a number nor JSON: [1" in out
    assert "refused: “9” is not among the legal options [tiny.bid]" in out


def test_two_people_and_taking_an_answer_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = '1\n2\n1\nu\n1\n{"path": [{"x": 99, "y": 99}]}\n1\n'
    code, out = play(capsys, monkeypatch, said, "--against", "person", "--seed", 2)
    assert code == 0
    assert out.count("ask.activate") >= 2
    assert "refused:" in out
