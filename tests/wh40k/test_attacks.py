"""Hitting, wounding, allocating, saving: the attack sequence."""

from __future__ import annotations

import pytest

from umpire.games.wh40k.attacks import wound_table
from wh40k.builder import alive, fire, gun, needs, rolls, row, scene, unit


def volley(dice: list[int], mine: dict | None = None, foe: dict | None = None, **position: object):  # type: ignore[no-untyped-def]
    """a1 shoots b1, 10 inches away, with everything."""
    battle = scene(
        unit("a1", (10, 10), **{"weapons": [gun()], **(mine or {})}),
        unit("b1", *row(10, 21, 3), **(foe or {})),
        phase="shooting",
        dice=dice,
        **position,
    )
    battle.answer("a1")
    return fire(battle)


@pytest.mark.rule("wh40k.attack.wound-table")
def test_strength_against_toughness() -> None:
    pairs = [(8, 4, 2), (7, 4, 3), (4, 4, 4), (4, 7, 5), (3, 7, 6), (4, 8, 6), (1, 1, 4)]
    assert all(wound_table(s, t) == need for s, t, need in pairs)


@pytest.mark.rule("wh40k.attack.hit-roll", "wh40k.attack.sequence")
def test_an_attack_hits_wounds_and_is_saved() -> None:
    battle = volley([4, 5, 4, 3, 3, 3], mine={"bs": 4})
    assert needs(battle, "hit") == [4]
    assert rolls(battle, "hit") == [[4, 5]]
    assert rolls(battle, "wound") == [[4, 3]]
    assert rolls(battle, "save") == [[3]]
    assert alive(battle, "b1") == 3  # the owner is asked which model is lost
    battle.answer(["b1.1"])
    assert alive(battle, "b1") == 2
