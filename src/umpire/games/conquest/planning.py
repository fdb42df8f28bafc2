"""What the planner is told of Conquest: which actions, marches and entries to think of first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Decision, Move
from umpire.engine.game import Hints
from umpire.engine.rng import Rng

from . import ranked
from .mover import Marcher
from .state import Regiment, State
from .worth import middle, swing, terms

FIRST = ("clash", "charge", "volley", "march", "rally", "combat-rally", "spellcasting", "inspire")
"""The actions that decide battles."""
TURNS = frozenset(
    {"ask.activate", "ask.action", "ask.enter", "ask.enter-if", "ask.draw-event", "ask.stack", "ask.march"}
)
"""Asked of the other side, these end a plan: its turn has come."""


def candidates(battle: Battle[State], decision: Decision, rng: Rng) -> Iterator[Any]:
    if isinstance(decision, Choose):
        if decision.prompt.key == "ask.action":
            yield from (action for action in FIRST if decision.offers(action))
            yield from (action for action in decision.options if action not in FIRST)
    elif isinstance(decision, Move) and decision.about in battle.state.regiments:
        yield from _marches(battle.state, decision)


def _marches(state: State, decision: Move) -> Iterator[Any]:
    """Towards the nearest zones and enemies, as far as the march goes."""
    regiment = state.regiment(decision.about)
    if regiment.where != "table":
        return
    mover = decision.mover
    near = mover.clear if isinstance(mover, Marcher) else mover.nearest
    for x, y in _goals(state, regiment):
        answer = near({"to": {"x": x, "y": y}})
        if answer is not None:
            yield answer


def _goals(state: State, regiment: Regiment) -> list[tuple[float, float]]:
    """Middles of zones and of enemies, one of each in turn, the nearest first."""

    def nearest(spots: list[tuple[float, float]]) -> list[tuple[float, float]]:
        return sorted(spots, key=lambda spot: math.hypot(spot[0] - regiment.x, spot[1] - regiment.y))

    zones = nearest([middle(zone)[:2] for zone in state.scenario.zones])
    foes = nearest([ranked.centre(foe) for foe in state.on_table(1 - regiment.side)])
    return [*zones[:1], *foes[:1], *zones[1:2], *foes[1:2]]


def first_turn(battle: Battle[State]) -> int | None:
    """The First Player of the first round."""
    return next((event.facts["side"] for event in battle.events if event.kind == "first-player"), None)


HINTS = Hints(candidates=candidates, terms=terms, swing=swing, turns=TURNS)
