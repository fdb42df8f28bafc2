"""The odds of the games agree with their battles: bench/proof.py on a small scale."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

RUNS = 600
PATIENT = 600.0
"""Always as many runs, however fast the machine is: the same ones every time."""
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


@pytest.mark.parametrize(
    ("game", "battles", "skipped"), [("warcry", 2, 4), ("aos", 1, 25), ("conquest", 1, 3), ("wh40k", 1, 3)]
)
def test_the_odds_of_random_battles_agree_with_play(proof: ModuleType, game: str, battles: int, skipped: int) -> None:
    cases = proof.sample(game, 5, seed=2, battles=battles, skipped=skipped)
    assert len({case.title for case in cases}) >= 2
    tests = 0
    for case in cases:
        verdict = proof.prove(case, RUNS, patience=PATIENT)
        tests += len(verdict.tests)
        assert verdict.p > LEAST, (verdict.name, verdict.tests)
    assert tests >= 5


@pytest.mark.parametrize(("piece", "seeds"), [("clash", (0, 8, 12)), ("duel", (5, 6, 8))])
def test_the_odds_of_set_pieces_agree_with_play(proof: ModuleType, piece: str, seeds: tuple[int, ...]) -> None:
    """Clashes with two and three enemies and Duels, of lone Characters too, with Counter-Attack and Lethal Demise."""
    rules: set[str] = set()
    for seed in seeds:
        (case,) = (case for case in proof.set_pieces("conquest", seed) if case.piece == piece)
        rules.update(case.rules)
        verdict = proof.prove(case, RUNS // 2, patience=PATIENT)
        assert len(verdict.tests) >= 5, verdict.name
        assert verdict.p > LEAST, (verdict.name, verdict.tests)
    assert "conquest.clash.targets.resolve-separately" in rules or "conquest.character.duel.fight" in rules


def test_a_clash_with_several_enemies_is_told_of_each_and_of_all(proof: ModuleType) -> None:
    (case,) = (case for case in proof.set_pieces("conquest", 5) if case.piece == "clash")
    fought = proof.at_question(case)
    told = fought.odds("clash")
    means = {line["label"]["en"]: line["value"] for line in told["lines"]}
    each = [value for label, value in means.items() if label.endswith(": wounds with morale")]
    assert len(each) >= 2
    assert sum(each) == pytest.approx(means["wounds in all"], abs=1e-3)
    assert all("：" in line["label"]["zh"] for line in told["lines"] if ":" in line["label"]["en"])
    # Once the answers on the way are given the odds are those of just these targets, in just this order.
    fought.answer("clash")
    ask = fought.decision
    assert ask is not None
    assert ask.prompt.key == "ask.clash-target"
    assert fought.odds(next(iter(ask.options)))["lines"] == told["lines"]
    while ask.prompt.key != "ask.clash-order":
        fought.answer(next(iter(ask.options)) if ask.kind == "choose" else ask.suggest())
        ask = fought.decision
        assert ask is not None
    assert fought.odds(list(ask.options))["lines"] == told["lines"]
    turned = fought.odds(list(ask.options)[::-1])
    assert turned["lines"] != told["lines"]
    assert turned["lines"][0] == told["lines"][0], "as many dice"


def test_a_duel_is_told_to_him_who_declares_and_to_him_who_answers(proof: ModuleType) -> None:
    (case,) = (case for case in proof.set_pieces("conquest", 8) if case.piece == "duel")
    fought = proof.at_question(case)
    declared = fought.odds("duel")
    fought.answer("duel")
    fought.answer("f")
    answered = fought.odds("accept", 1)
    assert answered["dists"] == declared["dists"]
    assert [line["label"]["en"].split()[0] for line in declared["lines"]] == ["opponent"] * 2 + ["own"] * 2 + ["both"]
    assert [line["value"] for line in answered["lines"]] == [declared["lines"][n]["value"] for n in (2, 3, 0, 1, 4)]
    assert fought.odds("refuse", 1) is None


def test_false_odds_are_found_out(proof: ModuleType) -> None:
    case = next(case for case in proof.sample("warcry", 4, 2, 1, 4) if case.title == "Attack")
    dist = case.chances["damage"]
    shifted = proof.Case(case.game, case.seed, case.at, case.answer, case.title, (), {"damage": [*dist[1:], dist[0]]})
    wrong = proof.prove(shifted, RUNS)
    assert wrong.p < LEAST
    assert proof.holm([wrong, proof.prove(case, RUNS)]) == [wrong]
