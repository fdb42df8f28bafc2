"""What the planner is told of Age of Sigmar: which abilities and moves to think of first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine.decisions import Choose, Decision
from umpire.engine.rng import Rng
from umpire.games.aos.abilities import AosBattle, side_name
from umpire.games.aos.state import State, Unit
from umpire.games.aos.worth import terms

FIRST = ("fight", "charge", "shoot", "normal-move", "deploy-regiment", "deploy-unit")
"""The abilities that decide battles."""
SHARES = (1.0, 0.6)
STANDOFF = 3.1
"""Just outside of combat range."""
TURNS = frozenset({"ask.ability", "ask.fight", "ask.move", "ask.charge", "ask.first-turn"})
"""Asked of the other side, these end a plan: its turn has come."""


def candidates(battle: AosBattle, decision: Decision, rng: Rng) -> Iterator[Any]:
    if isinstance(decision, Choose):
        yield from _choices(decision, rng)
    elif decision.kind == "move" and decision.data and decision.about in battle.state.units:
        state, unit = battle.state, battle.state.unit(decision.about)
        near = decision.prompt.key != "ask.move"
        yield from _moves(state, unit, float(decision.data.get("allowance", 0.0)), near)


def _choices(decision: Choose, rng: Rng) -> Iterator[str]:
    """What decides battles in any order, then the rest; to stop is the last thing to think of."""
    options = rng.shuffled([option for option in decision.options if option not in ("done", "pass")])
    yield from sorted(options, key=_rank)
    yield from (option for option in ("done", "pass") if option in decision.options)


def _rank(option: str) -> int:
    ability = option.split(":")[0]
    return FIRST.index(ability) if ability in FIRST else len(FIRST)


def _moves(state: State, unit: Unit, allowance: float, into_combat: bool) -> Iterator[Any]:
    """The whole unit towards enemies and objectives, as far as it goes."""
    enemies = [u for u in state.units.values() if u.side != unit.side and u.where == "table"]
    foes = sorted(enemies, key=lambda u: math.hypot(u.cx - unit.cx, u.cy - unit.cy) - u.cr)
    spots = sorted(state.objectives, key=lambda o: math.hypot(o.x - unit.cx, o.y - unit.cy))
    goals = [] if into_combat else [(o.x, o.y, 0.0) for o in spots[:2]]
    gap = 0.2 if into_combat else STANDOFF
    goals += [(u.cx, u.cy, u.cr + unit.cr + gap) for u in foes[:2]]
    for x, y, short in goals:
        dx, dy = x - unit.cx, y - unit.cy
        far = math.hypot(dx, dy)
        if far - short <= 0.2:
            continue
        for share in SHARES:
            go = min(allowance - 0.01, far - short) * share / far
            yield {"to": {"x": round(unit.cx + dx * go, 3), "y": round(unit.cy + dy * go, 3)}}
    yield {"stay": True}


def first_turn(battle: AosBattle) -> int | None:
    """The side that had the first turn of the battle."""
    said = next((event.facts["side"] for event in battle.events if event.kind == "first-turn"), None)
    return next((side for side in (0, 1) if said == side_name(side)), None)


HINTS = {"candidates": candidates, "terms": terms, "turns": TURNS, "first_turn": first_turn}
"""What `Game.extras` hands to players and to the arena."""
