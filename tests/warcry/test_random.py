"""Twenty thousand random decisions, and what they bring to light."""

from __future__ import annotations

import umpire
from umpire.engine.rng import Rng
from umpire.rulebook.ledger import rules

DECISIONS = 20_000


def test_twenty_thousand_random_decisions_without_an_error() -> None:
    fired: set[str] = set()
    answers = seed = 0
    while answers < DECISIONS:
        battle = umpire.battle("warcry", seed=seed)
        rng = Rng(seed)
        while battle.decision is not None:
            battle.answer(battle.decision.suggest(rng))
        assert battle.outcome is not None
        answers += len(battle.answers)
        assert len(battle.answers) < 2000
        fired.update(rule for event in battle.events for rule in event.rules)
        seed += 1
    ledger = {rule.id for rule in rules("warcry")}
    assert fired <= ledger
