"""Answers to a charge: Overwatch, heroic interventions (charge.overwatch.*, charge.heroic.*)."""

from __future__ import annotations

from collections.abc import Sequence

from umpire.engine.steps import Steps, step
from umpire.games.wh40k.state import WhBattle


@step
def overwatch_window(battle: WhBattle, key: str, targets: Sequence[str]) -> Steps[None]:
    return
    yield


@step
def heroic_interventions(battle: WhBattle) -> Steps[None]:
    battle.state.step = "heroic-interventions"
    return
    yield
