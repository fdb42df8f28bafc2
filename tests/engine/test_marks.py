"""Going back: sparse checkpoints, checkpoints that move up to the step that asks, and what a step knows already."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import tiny
import umpire
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose
from umpire.engine.marks import NEAR, SPARSE
from umpire.engine.rng import Rng
from umpire.engine.state import Task
from umpire.engine.steps import Steps, step, step_name

FOUND: list[str] = []


@step
def silent(battle: Battle[Any]) -> None:
    battle.know(lambda: FOUND.append("silent"))
    battle.emit("silent")


@step
def asking(battle: Battle[Any]) -> Steps[None]:
    first = battle.know(lambda: FOUND.append("first") or ["x", "y"])
    one = yield Choose(0, "one", first)
    second = battle.know(lambda: FOUND.append(f"after {one}") or [f"{one}{n}" for n in range(3)])
    two = yield Choose(0, "two", second)
    battle.emit("done", answer=two)
    battle.plan(silent, silent, asking)


def start() -> Battle[Any]:
    battle = umpire.battle(tiny.GAME.id, seed=1)
    battle.state.agenda = [Task(step_name(asking)), Task(step_name(silent))]
    battle._marks.clear()
    battle._run(0)
    FOUND.clear()
    return battle


def play(game: str, seed: int, answers: int) -> Battle[Any]:
    battle = umpire.battle(game, seed=seed)
    rng = Rng(seed)
    while battle.decision is not None and len(battle.answers) < answers:
        battle.answer(battle.decision.suggest(rng))
    return battle


def test_what_was_found_before_a_question_is_not_looked_for_again() -> None:
    battle = start()
    battle.answer("x")
    assert FOUND == ["after x"]
    forks = [battle.fork(), battle.fork().fork()]
    assert FOUND == ["after x"]
    for fork in forks:
        assert list(fork.decision.options) == ["x0", "x1", "x2"]  # type: ignore[union-attr]
    battle.undo()
    battle.answer("y")
    assert FOUND == ["after x", "after y"]
    assert list(battle.decision.options) == ["y0", "y1", "y2"]  # type: ignore[union-attr]
    forks[0].answer("x1")
    assert FOUND == ["after x", "after y", "silent", "silent", "first"]


def test_a_checkpoint_moves_up_to_the_step_that_asks() -> None:
    battle = start()
    battle.answer("x")
    battle.answer("x2")
    events = len(battle.events)
    for _ in range(3):
        fork = battle.fork()
        assert len(fork.events) == events
        assert fork.digest == battle.digest
    assert battle._marks[-1].events == events
    assert battle._marks[-1].ahead == 0


@pytest.mark.parametrize("game", ["warcry", "aos", "conquest"])
def test_forks_and_take_backs_from_sparse_checkpoints(game: str) -> None:
    battle = play(game, 5, 60)
    assert len(battle._marks) <= 60 // SPARSE + 1
    whole = battle.record
    lengths = {len(battle.answers) - back: None for back in (1, 7, 20)}
    for length in lengths:
        fork = battle.fork()
        fork.undo(len(fork.answers) - length)
        shorter = play(game, 5, length)
        assert fork.record == shorter.record
        again = fork.fork()
        for entry in battle.answers[length:]:
            again.answer(entry.answer, entry.side)
        assert again.record == whole
        assert Battle.load(fork.save()).record == fork.record
    assert battle.record == whole


@pytest.mark.parametrize("game", ["warcry", "aos", "conquest"])
def test_a_battle_that_has_gone_back_is_marked_more_closely(game: str) -> None:
    battle = play(game, 5, 60)
    battle.undo()
    rng = Rng(6)
    while len(battle.answers) < 100:
        assert battle.decision is not None
        battle.answer(battle.decision.suggest(rng))
    last = [mark.answers for mark in battle._marks[-NEAR:]]
    assert 100 - last[0] < SPARSE
    assert len(battle._marks) < 60  # and yet not at every step
    whole, given = battle.record, battle.answers[70:]
    battle.undo(30)
    for entry in given:
        battle.answer(entry.answer, entry.side)
    assert battle.record == whole


def test_a_long_battle_keeps_few_checkpoints_and_goes_back_anywhere() -> None:
    battle = umpire.battle("tiny", seed=3, options={"rounds": 500})
    rng = Rng(3)
    digests = [battle.digest]
    for _ in range(400):
        assert battle.decision is not None
        battle.answer(battle.decision.suggest(rng))
        digests.append(battle.digest)
    kept = [mark.answers for mark in battle._marks]
    assert kept[0] == 0
    assert len(kept) <= 16
    for earlier, later in itertools.pairwise(kept[: -NEAR - 1]):
        assert later - earlier <= max(2 * SPARSE, 400 - earlier)
    for count in (399, 371, 250, 101, 3, 0):
        battle.undo(len(battle.answers) - count)
        assert battle.digest == digests[count]


def test_a_fork_runs_the_open_step_when_it_is_looked_at() -> None:
    battle = start()
    battle.answer("x")
    for _ in range(2):  # the first two move the checkpoint up to the step that asks
        battle.fork()
    runs: list[Battle[Any]] = []
    know = Battle.know

    def watched(self: Battle[Any], find: Any) -> Any:
        runs.append(self)
        return know(self, find)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Battle, "know", watched)
        fork, other = battle.fork(), battle.fork()
        assert (len(fork.answers), fork.events) == (1, battle.events)
        twice = fork.fork()
        assert not any(run in (fork, other) for run in runs)
        battle.answer("x0")
        runs.clear()
        assert fork.decision is not None
        assert runs == [fork, fork]
        assert list(twice.decision.options) == ["x0", "x1", "x2"]  # type: ignore[union-attr]
        assert list(battle.decision.options) == ["x", "y"]  # type: ignore[union-attr]
        other.undo()
        assert list(other.decision.options) == ["x", "y"]  # type: ignore[union-attr]
    with pytest.raises(AttributeError):
        _ = battle.fork().nothing  # type: ignore[attr-defined]


def test_a_step_that_has_had_answers_is_marked_where_it_began() -> None:
    battle = start()
    for answer in ("x", "x2", "y", "y1", "x"):
        battle.answer(answer)
    fork = battle.fork()
    assert battle._marks[-1].answers == 4
    assert list(fork.decision.options) == ["x0", "x1", "x2"]  # type: ignore[union-attr]
