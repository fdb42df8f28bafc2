"""Anybody who holds the record of a table can prove its dice, without the server."""

from __future__ import annotations

from pathlib import Path

import pytest

import umpire
from server.house import GAME
from umpire.cli import main
from umpire.engine.beginning import begin
from umpire.engine.dice import commit, fair


@pytest.fixture
def record(tmp_path: Path) -> Path:
    setup = umpire.battle(GAME, seed=3).setup
    setup.fairness = fair(["mine", "theirs"], "secret")
    battle = begin(setup)
    while battle.decision is not None:
        battle.answer(battle.decision.suggest())
    file = tmp_path / "battle.jsonl"
    file.write_text(battle.record, encoding="utf-8")
    return file


def verified(file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[bool, str]:
    good = True
    try:
        main(["replay", str(file), "--verify", "--lang", "en"])
    except SystemExit as end:
        good = not end.code
    said = capsys.readouterr()
    return good, said.out + said.err


def test_a_record_proves_its_dice(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, said = verified(record, capsys)
    assert good
    assert "keep their commitment" in said


@pytest.mark.parametrize(
    ("true", "false"),
    [(commit("secret"), commit("other")), ('"secret":"secret"', '"secret":"other"'), ('"theirs"', '"nobody\'s"')],
)
def test_what_was_changed_afterwards_is_found(
    record: Path, capsys: pytest.CaptureFixture[str], true: str, false: str
) -> None:
    text = record.read_text(encoding="utf-8")
    assert true in text
    record.write_text(text.replace(true, false), encoding="utf-8")
    good, said = verified(record, capsys)
    assert not good
    assert "break their commitment" in said or "differs at answer" in said
