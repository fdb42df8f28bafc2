"""The battle: answering, refusing, forking, undoing, secrets, typed dice."""

from __future__ import annotations

import msgspec
import pytest

import tiny
from battery import play
from umpire.engine.battle import Battle
from umpire.engine.beginning import battle
from umpire.engine.dice import OutOfDice
from umpire.engine.rng import Rng
from umpire.engine.rulings import Refused
from umpire.errors import UmpireError

DUEL = {
    "pawns": [
        {"id": "a", "side": 0, "x": 5.0, "y": 5.0},
        {"id": "b", "side": 1, "x": 5.0, "y": 8.0},
    ]
}


def duel(*dice: int, source: str | None = None) -> Battle[tiny.State]:
    from umpire.engine.beginning import begin
    from umpire.engine.game import Setup

    return begin(
        Setup(game="tiny", scene=msgspec.to_builtins(DUEL), dice=source or "script", script=list(dice), seed=1)
    )


def stay(fight: Battle[tiny.State]) -> None:
    ask = fight.decision
    assert ask is not None
    pawn = fight.state.pawn(ask.about)
    fight.answer({"path": [{"x": pawn.x, "y": pawn.y}]})


def test_a_refusal_names_every_reason_and_the_measured_fact() -> None:
    fight = duel()
    fight.answer("a")
    ruling = fight.check({"path": [{"x": -5.0, "y": 5.0}]})
    assert not ruling
    assert ruling.rules == ("tiny.move", "tiny.edge")
    assert ruling.reasons[0].facts == {"moved": 10.0, "allowed": 4.0}
    before = fight.digest
    with pytest.raises(Refused) as refused:
        fight.answer({"path": [{"x": -5.0, "y": 5.0}]})
    assert refused.value.ruling == ruling
    assert fight.digest == before


def test_exactly_the_distance_is_within() -> None:
    fight = duel()
    fight.answer("a")
    assert fight.check({"path": [{"x": 9.0, "y": 5.0}]})
    assert not fight.check({"path": [{"x": 9.01, "y": 5.0}]})


def test_a_script_that_runs_out_names_the_roll_and_changes_nothing() -> None:
    fight = duel(6)
    fight.answer("a")
    stay(fight)
    fight.answer("b")
    before = fight.digest
    with pytest.raises(OutOfDice, match=r"strike \(tiny.strike\) wants 2D6, 1 left"):
        fight.answer("pass")
    assert fight.digest == before
    assert fight.decision is not None
    assert fight.decision.prompt.key == "ask.react"


def test_a_reaction_interrupts_and_its_effect_ends_with_the_attack() -> None:
    fight = duel(4, 4)
    fight.answer("a")
    stay(fight)
    fight.answer("b")
    fight.answer("parry")
    assert [event.kind for event in fight.events][-2:] == ["parry", "roll"]
    assert fight.state.pawn("b").wounds == 3
    assert fight.state.effects == []


def test_the_same_blow_hits_without_the_parry() -> None:
    fight = duel(4, 4)
    fight.answer("a")
    stay(fight)
    fight.answer("b")
    fight.answer("pass")
    assert fight.decision is not None
    assert fight.decision.kind == "split"
    fight.answer({"blood": 2, "sweat": 0})
    assert fight.state.pawn("b").wounds == 1


def test_dice_typed_in_by_people_are_asked_for_and_replayed() -> None:
    fight = duel(source="typed")
    fight.answer("a")
    stay(fight)
    fight.answer("b")
    fight.answer("pass")
    assert fight.decision is not None
    assert fight.decision.kind == "dice"
    assert not fight.check([7, 1])
    fight.answer([5, 6])
    assert fight.decision.kind == "split"
    fight.undo()
    assert fight.decision.kind == "dice"
    fight.answer([1, 1])
    assert fight.decision.prompt.key == "ask.reroll"
    fight.answer(True)
    assert fight.decision.kind == "dice"
    fight.answer([6, 6])
    assert fight.events[-2].roll is not None
    assert fight.events[-2].roll.first == [1, 1]
    assert fight.fork().digest == fight.digest
    assert Battle.load(fight.save()).digest == fight.digest


def test_secret_answers_are_carried_out_together_and_hidden_until_then() -> None:
    fight = battle("tiny", seed=3)
    assert [ask.side for ask in fight.decisions] == [0, 1]
    fight.answer("3", side=1)
    assert [ask.side for ask in fight.decisions] == [0]
    assert "3" not in str(fight.view(0)["decisions"][0]["prompt"])
    assert not fight.view(0)["events"]
    fight.answer("1", side=0)
    kinds = [event.kind for event in fight.events]
    assert kinds.count("bid") == 2
    assert fight.state.first == 1
    seen = [event["facts"] for event in fight.view(0)["events"] if event["kind"] == "bid"]
    assert [facts["side"] for facts in seen] == [0]


def test_who_is_not_asked_cannot_answer() -> None:
    fight = duel()
    with pytest.raises(UmpireError, match="side 1 is not asked"):
        fight.answer("b", side=1)


def test_undo_is_free_until_a_die_falls_or_a_secret_shows() -> None:
    fight = duel(4, 4)
    fight.answer("a")
    assert fight.may_undo(0)
    assert not fight.may_undo(1)
    stay(fight)
    fight.answer("b")
    assert fight.may_undo(0)
    fight.answer("pass")
    assert not fight.may_undo(0)
    assert not fight.may_undo(1)
    fresh = battle("tiny", seed=3)
    fresh.answer("1", side=0)
    fresh.answer("3", side=1)
    assert not fresh.may_undo(1)


def test_undo_beyond_the_first_answer_is_refused() -> None:
    with pytest.raises(UmpireError, match="no answer left"):
        duel().undo()


def test_view_hides_dice_and_agenda() -> None:
    fight = battle("tiny", seed=3)
    seen = fight.view(0)["state"]
    assert seen["agenda"] == []
    assert seen["dice"]["state"] == 0


def test_suggest_without_a_source_of_chance_is_the_same_every_time() -> None:
    fight = battle("tiny", seed=3)
    assert fight.decision is not None
    assert fight.decision.suggest() == fight.decision.suggest()
    assert play(fight, Rng(1)).outcome is not None


def test_unknown_games_and_dice_are_told() -> None:
    with pytest.raises(UmpireError, match="no game “chess”"):
        battle("chess")
    with pytest.raises(UmpireError, match="dice must be"):
        battle("tiny", dice="loaded")
    with pytest.raises(UmpireError, match="1 to 200 pawns"):
        battle("tiny", sides=[{"pawns": 0}, {"pawns": 1}])
