"""Dice: fair, the same everywhere, never re-rolled twice, and proved by a commitment."""

from __future__ import annotations

import msgspec
import pytest

import tiny
from battery import play
from umpire.engine.battle import Battle
from umpire.engine.beginning import battle
from umpire.engine.dice import Commitment, Roll, commit, fair
from umpire.engine.record import replay, verify
from umpire.engine.rng import Rng, draw, keyed, seed_of
from umpire.errors import UmpireError

KEYED = [5, 2, 1, 1, 4, 1, 6, 6, 6, 6, 4, 2]
FACES = [1, 6, 2, 6, 1, 5, 3, 1, 6, 1]


def test_faces_are_fair() -> None:
    state, counts = seed_of("fair"), [0] * 6
    for _ in range(60_000):
        state, face = draw(state, 6)
        counts[face - 1] += 1
    expected = 10_000
    assert sum((n - expected) ** 2 / expected for n in counts) < 20.5  # chi-square, 5 degrees, one in a thousand


def test_the_generator_is_the_same_on_every_machine() -> None:
    state, faces = 42, []
    for _ in range(10):
        state, face = draw(state, 6)
        faces.append(face)
    assert faces == FACES
    assert Rng(7).below(1000) == Rng(7).below(1000)


def test_a_die_is_never_rerolled_twice() -> None:
    fight = battle(tiny.GAME.id, seed=1, dice=[1, 1, 6, 5])
    roll = fight.roll(2, "strike", "tiny.strike")
    again = fight.reroll(roll, [0], "tiny.reroll")
    assert (again.faces, again.first) == ([6, 1], [1, 0])
    third = fight.reroll(again, [0, 1], "tiny.reroll")
    assert (third.faces, third.first) == ([6, 5], [1, 1])
    assert roll.faces == [1, 1]


def test_modifiers_are_kept_apart_from_natural_faces() -> None:
    roll = Roll("test", "tiny.strike", 6, [3, 4])
    roll.modify(2, "high ground")
    roll.modify(0, "nothing")
    assert (roll.natural, roll.total, roll.mods) == (7, 9, [(2, "high ground")])


def test_commitment_opens_and_a_changed_secret_does_not() -> None:
    pledge = fair(["blue's words", "red's words"])
    assert pledge.opens()
    assert not msgspec.structs.replace(pledge, secret="another").opens()
    assert pledge.key != fair(["blue's words", "red's other words"], pledge.secret).key


def test_luck_that_does_not_fit_its_hash_breaks_the_commitment() -> None:
    """Neither another luck than was committed to, nor one by somebody who committed to none, nor a withheld one."""
    mine, theirs = commit("mine"), commit("theirs")
    assert fair(["mine", "theirs"], "s", [mine, theirs]).opens()
    assert not fair(["mine", "chosen later"], "s", [mine, theirs]).opens()
    assert not fair(["mine", "out of nothing"], "s", [mine, ""]).opens()
    assert fair(["mine", ""], "s", [mine, theirs], withheld=[1]).opens()
    assert not fair(["mine", ""], "s", [mine, theirs]).opens()
    assert not fair(["mine", "theirs"], "s", [mine, theirs], withheld=[1]).opens()
    assert not fair(["mine", "theirs"], "s", [mine]).opens()


def test_fair_dice_drive_the_battle() -> None:
    pledge = fair(["a", "b"], "secret")
    one = battle(tiny.GAME.id, seed=1, fairness=pledge)
    two = battle(tiny.GAME.id, seed=2, sides=[{"pawns": 2}, {"pawns": 2}], fairness=pledge)
    other = battle(tiny.GAME.id, seed=1, fairness=fair(["a", "c"], "secret"))
    faces = [fight.roll(40, "strike").faces for fight in (one, two, other)]
    assert faces[0] == faces[1] != faces[2]


def test_the_keyed_generator_is_the_same_on_every_machine() -> None:
    at, faces = keyed(b"key", 0, 6, 12)
    assert (at, faces) == (12, KEYED)
    parts: list[int] = []
    position = 0
    for count in (1, 4, 7):
        position, more = keyed(b"key", position, 6, count)
        parts += more
    assert (position, parts) == (at, faces), "however many are drawn at once"
    _, many = keyed(b"key", 0, 6, 60_000)
    assert sum((many.count(face) - 10_000) ** 2 / 10_000 for face in range(1, 7)) < 20.5
    assert keyed(b"key", 0, 3_000_000_000, 50)[0] > 50, "what would not be fair is drawn again"


def test_records_from_before_the_keyed_generator_keep_their_dice() -> None:
    pledge = Commitment(commit("secret"), ("a", "b"), "secret")
    fight = battle(tiny.GAME.id, seed=1, fairness=pledge)
    assert (fight.state.dice.source, fight.state.dice.state) == ("seed", pledge.seed)
    assert pledge.opens()


@pytest.mark.parametrize("pledge", [None, fair(["a", "b"], "secret")])
def test_after_a_takeback_other_dice_fall_and_the_record_says_so(pledge: Commitment | None) -> None:
    fight = battle(tiny.GAME.id, seed=5, options={"rounds": 60}, fairness=pledge)
    rng = Rng(1)
    while fight.state.dice.rolled < 6:
        before = len(fight.answers)
        fight.answer(fight.decision.suggest(rng), fight.decision.side)
    last, fell = fight.answers[-1], fight.events[-3:]
    fight.undo()
    again = fight.fork()
    again.answer(last.answer, last.side)
    assert again.events[-3:] == fell, "going back alone changes nothing: search and odds rely on it"
    fight.answer(last.answer, last.side, anew=1)
    assert fight.events[fight.answers[before].events].kind == "dice-anew"
    assert fight.events[-3:] != fell
    play(fight, rng)
    record = fight.record
    assert '"anew":1' in record
    assert verify(record).same
    assert replay(record).record == record
    saved = Battle.load(replay(record, before + 1).save())
    assert saved.events == fight.events[: len(saved.events)]
    assert not verify(record.replace('"anew":1', '"anew":2')).same


def test_no_rule_throws_a_thousand_million_dice() -> None:
    fight = battle(tiny.GAME.id, seed=1)
    with pytest.raises(UmpireError, match="at most 2000"):
        fight.roll(10**9, "strike", "tiny.strike")
    assert len(fight.roll(2000, "strike", "tiny.strike").faces) == 2000
