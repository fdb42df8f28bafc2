"""Dice: fair, the same everywhere, never re-rolled twice, and proved by a commitment."""

from __future__ import annotations

import msgspec

import tiny
from umpire.engine.battle import battle
from umpire.engine.dice import Roll, fair
from umpire.engine.rng import Rng, draw, seed_of

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
    assert not pledge.sealed().secret
    assert not msgspec.structs.replace(pledge, secret="another").opens()
    assert pledge.seed != fair(["blue's words", "red's other words"], pledge.secret).seed


def test_fair_dice_drive_the_battle() -> None:
    pledge = fair(["a", "b"], "secret")
    one = battle(tiny.GAME.id, seed=1, fairness=pledge)
    two = battle(tiny.GAME.id, seed=2, sides=[{"pawns": 2}, {"pawns": 2}], fairness=pledge)
    assert one.state.dice.state == two.state.dice.state == pledge.seed
