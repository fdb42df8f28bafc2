"""A combat shows its score as it comes about."""

from __future__ import annotations

import pytest

import umpire
from umpire.engine.rng import Rng
from umpire.text import Text


@pytest.mark.rule("t9a.melee.score.stages")
def test_the_score_is_told_after_every_step_that_costs_health_and_stands_above_the_table() -> None:
    battle, rng = umpire.battle("t9a", seed=3), Rng(3)
    shown: set[tuple[int, int]] = set()
    while (ask := battle.decision) is not None:
        battle.answer(ask.suggest(rng))
        for stage in battle.game.picture(battle.state).track:
            if isinstance(stage, Text) and stage.key == "track.combat":
                shown.add((stage.args["a"], stage.args["b"]))
    told = [0, 0]
    results = 0
    for event in battle.events:
        if event.kind == "static-score":
            told = list(event.facts["score"])
        elif event.kind == "score-so-far":
            assert (event.facts["a"], event.facts["b"]) != tuple(told)
            told = [event.facts["a"], event.facts["b"]]
        elif event.kind == "combat-result":  # units that are gone count last
            results += 1
            assert all(0 <= end - so_far <= 3 for end, so_far in zip(event.facts["score"], told, strict=True))
    assert results
    assert len(shown) > 1
