"""The odds of the games agree with their battles: bench/proof.py on a small scale."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

RUNS = 800
LEAST = 1e-4
"""True odds look worse than this once in ten thousand cases; the seeds are fixed, so that these do not."""


@pytest.fixture(scope="module")
def proof() -> ModuleType:
    file = Path(__file__).parents[2] / "bench" / "proof.py"
    spec = importlib.util.spec_from_file_location("proof", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["proof"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("game", "battles", "skipped"), [("warcry", 2, 4), ("aos", 1, 25), ("conquest", 1, 3)])
def test_the_odds_of_random_battles_agree_with_play(proof: ModuleType, game: str, battles: int, skipped: int) -> None:
    cases = proof.sample(game, 5, seed=2, battles=battles, skipped=skipped)
    assert len({case.title for case in cases}) >= 2
    tests = 0
    for case in cases:
        verdict = proof.prove(case, RUNS, patience=1.0)
        tests += len(verdict.tests)
        assert verdict.p > LEAST, (verdict.name, verdict.tests)
    assert tests >= 5


def test_false_odds_are_found_out(proof: ModuleType) -> None:
    case = next(case for case in proof.sample("warcry", 4, 2, 1, 4) if case.title == "Attack")
    dist = case.chances["damage"]
    shifted = proof.Case(case.game, case.seed, case.at, case.answer, case.title, (), {"damage": [*dist[1:], dist[0]]})
    wrong = proof.prove(shifted, RUNS)
    assert wrong.p < LEAST
    assert proof.holm([wrong, proof.prove(case, RUNS)]) == [wrong]
