"""Moves with their ways, powers and blows with their targets can be wished for."""

from __future__ import annotations

from typing import Any

import pytest

import umpire


def why(phase: str, wish: dict[str, Any], *units: dict[str, Any], **more: Any) -> tuple[str, ...]:
    battle = umpire.scene({"game": "wh40k", "position": {"phase": phase, "round": 2, "units": [*units], **more}})
    return battle.why_not(0, wish).rules


def unit(key: str, side: int, *models: tuple[float, float], **more: Any) -> dict[str, Any]:
    return {"id": key, "side": side, "models": [list(model) for model in models], **more}


A = unit("a", 0, (10, 10))


@pytest.mark.rule("wh40k.move.normal", "wh40k.move.advance", "wh40k.move.normal-no-engagement")
def test_a_move_is_wished_for_with_its_way() -> None:
    def to(y: float, deed: str = "normal") -> tuple[str, ...]:
        wish = {"deed": deed, "who": "a", "answer": {"models": {"a.1": {"x": 10, "y": y}}}}
        return why("movement", wish, A, unit("b", 1, (10, 24)))

    assert to(16) == ()
    assert to(16.01) == ("wh40k.move.normal",)
    assert to(21.9, "advance") == (), "with the best of its dice"
    assert to(22.1, "advance") == ("wh40k.move.advance", "wh40k.move.advance-no-engagement")
    assert why("movement", {"deed": "normal", "who": "a", "answer": {"models": {"a.1": {"x": 10, "y": 14}}}}, A,
               unit("b", 1, (10, 16))) == ("wh40k.move.normal-no-engagement",)  # fmt: skip


@pytest.mark.rule("wh40k.psychic.smite-effect")
def test_a_power_is_wished_for_with_its_target() -> None:
    psyker = unit("a", 0, (10, 10), profile={"keywords": ["infantry", "psyker"], "psychic": {"casts": 1}})

    def smite(*foes: dict[str, Any]) -> tuple[str, ...]:
        return why("psychic", {"deed": "cast", "who": "a", "using": "smite", "whom": ["b"]}, psyker, *foes)

    assert smite(unit("b", 1, (10, 29))) == ()
    assert smite(unit("b", 1, (10, 29.01))) == ("wh40k.psychic.smite-effect",)
    assert smite(unit("b", 1, (10, 20)), unit("c", 1, (10, 19))) == ("wh40k.psychic.smite-effect",), "another is closer"


@pytest.mark.rule("wh40k.fight.models.front")
def test_blows_are_wished_for_with_their_target() -> None:
    def fight(far: float) -> tuple[str, ...]:
        foes = unit("b", 1, (10, 11.5)), unit("c", 1, (10 + far, 10))
        return why("fight", {"deed": "fight", "who": "a", "whom": ["c"]}, A, *foes, active=1)

    assert fight(2.0) == ()
    assert fight(2.01) == ("wh40k.fight.models.front",)
