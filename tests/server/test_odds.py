"""What clients are told of odds: every number says whether it is a chance, and a chance is one."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.server.desk import Desk

WORDS = ("概率", "几率", "机会", "chance", "probability")
ENOUGH = 60
"""So many answers with odds are looked at."""


@pytest.mark.parametrize("game", ["warcry", "aos", "conquest"])
def test_every_number_says_whether_it_is_a_chance(game: str) -> None:
    found = chances = 0
    for seed in range(1, 6):
        desk = Desk()
        desk.begin("t", desk.prepare(game, seed, None, {}, [None, None])["setup"], "secret", ["", ""], [0])
        battle = desk._place("t").battle
        rng = Rng(seed)
        while (ask := battle.decision) is not None and found < ENOUGH * seed // 3:
            answers = ask.suggestions(rng, 3)
            for answer in answers:
                word = msgspec.json.decode(desk.check("t", ask.side, len(battle.answers), msgspec.json.encode(answer)))
                told = word["odds"]
                if word["seen_by"]:
                    assert ask.kind == "move"
                    assert all(unit_side(battle, unit) != ask.side for unit in word["seen_by"])
                if told is not None and told["lines"]:
                    found += 1
                    chances += look_at(told)
            battle.answer(answers[rng.below(len(answers))], ask.side)
    assert found >= ENOUGH
    assert chances >= 10


def unit_side(battle: Battle[Any], unit: str) -> int | None:
    return next(card.side for card in battle.game.picture(battle.state).cards if card.id == unit)


def look_at(told: dict[str, Any]) -> int:
    """How many chances there are among the lines."""
    assert set(told["title"]) >= {"zh", "en"}
    chances = 0
    for line in told["lines"]:
        label, value = line["label"], line["value"]
        assert set(label) >= {"zh", "en"}
        if isinstance(value, str):
            assert not line.get("chance"), line
            continue
        assert type(line.get("chance")) is bool, f"{line} does not say whether it is a chance"
        if any(word in label["zh"] or word in label["en"].lower() for word in WORDS):
            assert line["chance"], line
        if line["chance"]:
            assert 0.0 <= value <= 1.0, line
            chances += 1
    for name, dist in told["dists"].items():
        assert sum(dist) == pytest.approx(1.0, abs=1e-6), name
        assert all(p >= 0.0 for p in dist), name
    return chances
