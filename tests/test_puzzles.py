"""The puzzles and worked examples that come with the lab: six a game, and the umpire says what they say it does."""

from __future__ import annotations

import pytest

from umpire import files
from umpire.engine.game import find_game
from umpire.engine.scene import understood
from umpire.engine.staging import played
from umpire.puzzles import puzzles, template
from umpire.rulebook import exists
from umpire.server.lab import in_both

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")


def test_there_are_six_for_each_game() -> None:
    assert {game: sum(one.file.game == game for one in puzzles().values()) for game in GAMES} == dict.fromkeys(GAMES, 6)


@pytest.mark.parametrize("key", puzzles())
def test_the_umpire_says_what_the_puzzle_says(key: str) -> None:
    puzzle = puzzles()[key]
    stage = played(*understood(files.parse(puzzle.text, key)))
    assert list(stage.complaints("en")) == []
    assert stage.rulings
    assert all(isinstance(entry, str) or "expect" in entry for entry in puzzle.file.answers), "something is only asked"
    for text in (puzzle.file.title, puzzle.file.question, puzzle.file.ruling):
        said = in_both(text)
        assert said["zh"] != said["en"]
        assert min(len(said["zh"]), len(said["en"])) > 1
    assert puzzle.file.rules
    assert [rule for rule in puzzle.file.rules if not exists(rule)] == []


@pytest.mark.parametrize("key", puzzles())
def test_the_question_alone_tells_nothing_of_the_answer(key: str) -> None:
    puzzle = puzzles()[key]
    file, source = understood(files.parse(puzzle.asked, key))
    assert file.answers == []
    assert in_both(file.ruling)["en"] == ""
    assert file.position == puzzle.file.position
    assert played(file, source).battle.decision is not None


@pytest.mark.parametrize("game", GAMES)
def test_an_empty_position_of_each_game_can_be_begun_with(game: str) -> None:
    stage = played(*understood(files.parse(template(game), game)))
    assert stage.battle.game is find_game(game)
    assert stage.battle.decision is not None
