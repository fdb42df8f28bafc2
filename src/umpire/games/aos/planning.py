"""What the planner is told of Age of Sigmar: which abilities and moves to think of first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine.decisions import Choose, Decision, Move
from umpire.engine.game import Hints
from umpire.engine.rng import Rng
from umpire.games.aos.abilities import side_name
from umpire.games.aos.known_abilities import AosBattle, find
from umpire.games.aos.movement import STAY
from umpire.games.aos.prospects import CHARGE, best_subject, places, prospect
from umpire.games.aos.state import State, Unit
from umpire.games.aos.worth import errands, swing, terms

FIRST = ("tactical-gambit", "fight", "charge", "shoot", "normal-move", "run", "deploy-regiment", "deploy-unit")
"""The abilities that decide battles."""
LAST = ("retreat", "redeploy", "covering-fire")
"""Those that are seldom better than something else."""
SHARES = (1.0, 0.6)
STANDOFF = 3.1
"""Just outside of combat range."""
BESIDE = 2.4
"""How far from the middle of a place a second unit stops."""
TURNS = frozenset({"ask.ability", "ask.gambit", "ask.fight", "ask.move", "ask.charge", "ask.first-turn"})
"""Asked of the other side, these end a plan: its turn has come."""
ROTE = frozenset(
    {
        "ask.attacker",
        "ask.territory",
        "ask.begin-deployment",
        "ask.first-turn",
        "ask.tactic",
        "ask.tactic-about",
        "ask.damage-order",
    }
)
"""Questions whose first idea is good enough."""


def candidates(battle: AosBattle, decision: Decision, rng: Rng) -> Iterator[Any]:
    state = battle.state
    if isinstance(decision, Choose):
        yield from _choices(state, decision, rng)
    elif isinstance(decision, Move) and decision.about in state.units:
        if decision.prompt.key == "ask.move":
            yield from _moves(state, state.unit(decision.about), decision.form.limit or 0.0)
        else:
            yield decision.suggest(rng)
            yield decision.suggest(rng)
            yield dict(STAY)


def _choices(state: State, decision: Choose, rng: Rng) -> Iterator[str]:
    """What decides battles first, then the rest; to stop is the last thing to think of."""
    side = decision.side
    match decision.prompt.key:
        case "ask.tactic":
            yield max(decision.options, key=lambda key: prospect(state, side, key, best_subject(state, side, key)))
        case "ask.tactic-about":
            yield max(decision.options, key=lambda key: prospect(state, side, _tried(state, key), key))
        case "ask.first-turn":
            # Who goes as before keeps the battle tactic and gives nobody two turns in a row.
            yield "first" if state.round > 1 and state.first == side else "second"
        case _:
            options = rng.shuffled([option for option in decision.options if option not in ("done", "pass")])
            ranks = {option: _rank(state, option) for option in options}
            if state.phase == "movement":
                _rank_moves(state, side, ranks)
            yield from sorted(options, key=lambda option: ranks[option])
            yield from (option for option in ("done", "pass") if option in decision.options)


def _tried(state: State, about: str) -> str:
    """The battle tactic that names such a subject."""
    return "slay-the-entourage" if about in state.units else "take-their-land"


def _rank(state: State, option: str) -> float:
    ability, _, who = option.partition(":")
    if ability in FIRST:
        return FIRST.index(ability)
    found = find(state, ability, who)
    if ability in LAST or (found is not None and found.has("deploy")):
        return len(FIRST) + 1
    return len(FIRST)


def _rank_moves(state: State, side: int, ranks: dict[str, float]) -> None:
    """Those who have far to go first, and at a run if no enemy is near."""
    for errand in errands(state, side):
        unit = errand.unit
        move, run = f"normal-move:{unit.id}", f"run:{unit.id}"
        if move not in ranks:
            continue
        order = FIRST.index("normal-move") + (0.5 if errand.idle else 0.0) - min(errand.far, 40.0) / 100.0
        hurried = errand.far > unit.profile.move and _nearest(state, unit) > unit.profile.move + CHARGE
        ranks[move] = order
        if hurried and run in ranks:
            ranks[move], ranks[run] = ranks[run], order


def _nearest(state: State, unit: Unit) -> float:
    """How far the nearest enemy is."""
    return min((math.hypot(u.cx - unit.cx, u.cy - unit.cy) - u.cr - unit.cr for u in _foes(state, unit)), default=99.0)


def _foes(state: State, unit: Unit) -> list[Unit]:
    return [u for u in state.units.values() if u.side != unit.side and u.where == "table"]


def _moves(state: State, unit: Unit, allowance: float) -> Iterator[Any]:
    """The whole unit to where it is wanted, towards other objectives and enemies, as far as it goes."""
    foes = sorted(_foes(state, unit), key=lambda u: math.hypot(u.cx - unit.cx, u.cy - unit.cy) - u.cr)
    spots = sorted(state.objectives, key=lambda o: math.hypot(o.x - unit.cx, o.y - unit.cy))
    sent = [(e.objective, e.far) for e in errands(state, unit.side) if e.unit is unit]
    goals = [(x, y, short) for x, y in places(state, unit)[:2] for short in (0.0, BESIDE)]
    if sent and not goals and not sent[0][1]:
        yield dict(STAY)
    goals += [(o.x, o.y, 0.0) for o, _ in sent]
    goals += [(o.x, o.y, 0.0) for o in spots[:2]]
    goals += [(u.cx, u.cy, u.cr + unit.cr + STANDOFF) for u in foes[:2]]
    for x, y, short in dict.fromkeys(goals):
        dx, dy = x - unit.cx, y - unit.cy
        far = math.hypot(dx, dy)
        if far - short <= 0.2:
            continue
        for share in SHARES:
            go = min(allowance - 0.01, far - short) * share / far
            yield {"to": {"x": round(unit.cx + dx * go, 3), "y": round(unit.cy + dy * go, 3)}}
    yield dict(STAY)


def first_turn(battle: AosBattle) -> int | None:
    """The side that had the first turn of the battle."""
    said = next((event.facts["side"] for event in battle.events if event.kind == "first-turn"), None)
    return next((side for side in (0, 1) if said == side_name(side)), None)


HINTS = Hints(candidates=candidates, terms=terms, swing=swing, turns=TURNS, rote=ROTE)
