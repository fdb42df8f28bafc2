"""One piece is dealt with after the other: while somebody is in the midst of a deed, nobody else begins one."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from umpire.engine.battle import Battle


def wh40k(phase: str, *units: dict[str, Any]) -> Battle[Any]:
    return umpire.scene(
        {"game": "wh40k", "dice": ["seeded"], "position": {"phase": phase, "round": 2, "units": [*units]}}
    )


def held_back(battle: Battle[Any], side: int = 0, **wish: Any) -> list[str]:
    return [reason.rule for reason in battle.why_not(side, wish).reasons]


@pytest.mark.rule("wh40k.charge.sequence")
def test_a_charge_is_carried_through_before_the_next_is_declared() -> None:
    battle = wh40k(
        "charge",
        {"id": "a1", "side": 0, "models": [[10, 10]]},
        {"id": "a2", "side": 0, "models": [[16, 10]]},
        {"id": "b1", "side": 1, "models": [[12, 15]]},
    )
    assert held_back(battle, deed="charge", who="a2", whom=["b1"]) == []
    battle.answer("a1")
    assert held_back(battle, deed="charge", who="a2", whom=["b1"]) == ["wh40k.charge.sequence"]
    assert held_back(battle, deed="charge", who="a1", whom=["b1"]) == []


@pytest.mark.rule("wh40k.move.select-unit")
def test_a_unit_has_moved_before_the_next_is_chosen() -> None:
    battle = wh40k(
        "movement",
        {"id": "a1", "side": 0, "models": [[10, 10]]},
        {"id": "a2", "side": 0, "models": [[20, 10]]},
        {"id": "b1", "side": 1, "models": [[10, 25]]},
    )
    assert held_back(battle, deed="normal", who="a2") == []
    battle.answer("normal:a1")
    assert held_back(battle, deed="normal", who="a2") == ["wh40k.move.select-unit"]
    battle.answer({"models": {"a1.1": {"x": 10, "y": 12}}})
    assert held_back(battle, deed="normal", who="a2") == []


@pytest.mark.rule("aos.ability.sequence")
def test_an_ability_is_resolved_before_the_next_is_declared() -> None:
    rows = {"a1": (0, 10, 10), "a2": (0, 30, 10), "b1": (1, 10, 16)}
    units = [
        {"id": key, "side": side, "warscroll": "briar-guard", "models": [[x + 1.4 * n, y] for n in range(5)]}
        for key, (side, x, y) in rows.items()
    ]
    battle = umpire.scene({"game": "aos", "dice": [6, 6, "seeded"], "position": {"phase": "charge", "units": units}})
    assert "aos.ability.sequence" not in held_back(battle, deed="charge", who="a2")
    battle.answer("charge:a1")
    assert "aos.ability.sequence" in held_back(battle, deed="charge", who="a2")
