"""Odds agree with play, and say what they should."""

from __future__ import annotations

import re

import pytest

from aos.builder import STAY, do, melee, row, scene, spell, unit
from umpire.odds import Dist, agree

QUIET = {"sides": [{"command": 0}, {"command": 0}]}


@pytest.mark.parametrize("ability", ["", "crit-mortal", "crit-2-hits", "crit-auto-wound"])
def test_attack_odds_agree_with_play(ability: str) -> None:
    weapon = melee(attacks="3", rend=1, damage="D3", abilities=[ability] if ability else [])
    units = (
        unit("a1", *row(10, 10, 2, 0.2), weapons=[weapon]),
        unit("b1", (10.6, 11.5), health=40, ward=6, weapons=[]),
    )
    seen: dict[int, int] = {}
    expected = None
    for seed in range(400):
        battle = scene(*units, phase="combat", seed=seed, **QUIET)
        if expected is None:
            told = battle.odds(STAY)
            assert told is not None
            expected = Dist(told["dists"]["damage"])
            assert told["lines"][0]["value"] == pytest.approx(expected.mean, abs=1e-3)
            assert told["lines"][-1]["label"]["en"].endswith("to hit, to wound, unsaved")
            assert re.fullmatch(r"\d+ % · \d+ % · \d+ %", told["lines"][-1]["value"])
        do(battle, STAY)
        hurt = battle.state.unit("b1").damage
        seen[hurt] = seen.get(hurt, 0) + 1
    assert expected is not None
    assert agree(expected, seen).p > 0.001


def test_charge_and_casting_odds() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 18.5)), phase="charge")
    found = battle.odds("charge:a1")
    assert found is not None
    chances = {entry["label"]["en"]: entry["value"] for entry in found["lines"]}
    assert chances["charge succeeds"] == pytest.approx(21 / 36, abs=1e-4)
    wizard = scene(unit("a1", (10, 10), wizard=1, abilities=[spell("bolt")]), unit("b1", (10, 20)), phase="hero")
    cast = wizard.odds("scene-a1.bolt:a1")
    assert cast is not None
    assert cast["lines"][0]["value"] == pytest.approx(21 / 36, abs=1e-4)
    assert wizard.odds("done") is None
    rally = wizard.odds("rally:a1")
    assert rally is not None
    assert rally["lines"][0]["value"] == 3.0
