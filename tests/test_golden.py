"""Golden battles: records with their full text, so that a change in behaviour is a readable diff.

`UMPIRE_GOLDEN=write pytest tests/test_golden.py` plays them anew; read the diff before it goes in.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from battery import new, play
from umpire.engine.battle import Battle
from umpire.engine.explain import explain
from umpire.engine.game import games
from umpire.engine.record import verify
from umpire.engine.rng import Rng

FOLDER = Path(__file__).parent / "golden"
BATTLES = [(game, seed) for game in games() if game != "tiny" for seed in (1, 2, 3)]


def told(battle: Battle) -> str:  # type: ignore[type-arg]
    """The whole battle in sentences: each answer, what followed it, and by which rules."""
    rows: list[str] = []
    bounds = [entry.events for entry in battle.answers] + [len(battle.events)]
    starts = [None, *battle.answers]
    for number, (entry, start, stop) in enumerate(zip(starts, [0, *bounds], bounds, strict=False)):
        if entry is not None:
            rows.append(f"{number}. side {entry.side}: {entry.answer}")
        for event in battle.events[start:stop]:
            sentence = explain(event, battle.game.id, lambda key: battle.game.name(battle.state, key), "en")
            rows.append(f"    {sentence}  [{' '.join(event.rules)}]")
    rows.append(f"outcome: {battle.outcome}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize(("game", "seed"), BATTLES, ids=lambda value: str(value))
def test_golden_battle(game: str, seed: int) -> None:
    record_file, text_file = FOLDER / f"{game}-{seed}.jsonl", FOLDER / f"{game}-{seed}.txt"
    battle = play(new(game, seed), Rng(seed))
    if os.environ.get("UMPIRE_GOLDEN") == "write":
        record_file.write_text(battle.record, encoding="utf-8")
        text_file.write_text(told(battle), encoding="utf-8")
    assert told(battle) == text_file.read_text(encoding="utf-8")
    record = record_file.read_text(encoding="utf-8")
    verdict = verify(record)
    assert verdict.same, verdict.difference
    assert battle.record == record
