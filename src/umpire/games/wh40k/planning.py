"""What the planner is told of Warhammer 40,000: which units, moves and targets to think of first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine.decisions import Choose, ChooseSeveral, Decision, Declare
from umpire.engine.game import Hints
from umpire.engine.rng import Rng
from umpire.games.wh40k.declaration import Declaration
from umpire.games.wh40k.missions import KILL, WARLORD
from umpire.games.wh40k.moving import STAY
from umpire.games.wh40k.state import State, Unit, Volley, WhBattle
from umpire.games.wh40k.strength import full_health, gap, health, taken
from umpire.games.wh40k.volleys import Fallen, volley_odds
from umpire.games.wh40k.worth import ARMY, POINT, SUFFER, errands, harm_of, swing, terms

TURNS = frozenset({"ask.move-unit", "ask.shoot", "ask.charge", "ask.psyker", "ask.fight"})
ROTE = frozenset(
    {
        "ask.wishes", "ask.zone", "ask.deploy-next", "ask.morale", "ask.lost", "ask.lost-and-hurt", "ask.allocate",
        "ask.casting-model", "ask.last-model", "ask.order", "ask.order-harmed", "ask.nearest", "ask.pile-in",
        "ask.consolidate", "ask.strike", "ask.reserves", "ask.aboard",
    }
)  # fmt: skip
"""Questions whose first idea is good enough."""
LAST = ("done", "pass")


def candidates(battle: WhBattle, decision: Decision, rng: Rng) -> Iterator[Any]:
    state = battle.state
    if isinstance(decision, Choose):
        yield from _choices(state, decision, rng)
    elif isinstance(decision, Declare):
        yield from _declared(state, decision, rng)
    elif isinstance(decision, ChooseSeveral):
        if decision.prompt.key == "ask.wishes":
            yield list((decision.data or {}).get("default", []))
        yield decision.suggest(rng)
    elif decision.kind == "move" and decision.about in state.units:
        if decision.prompt.key == "ask.move":
            yield from _moves(state, state.unit(decision.about), decision)
        elif decision.default is not None:  # type: ignore[attr-defined]
            yield decision.suggest(rng)
            yield decision.default  # type: ignore[attr-defined]


def _choices(state: State, decision: Choose, rng: Rng) -> Iterator[str]:
    """What matters first; to stop is the last thing to think of."""
    options = rng.shuffled([option for option in decision.options if option not in LAST])
    match decision.prompt.key:
        case "ask.move-unit":
            sent = {errand.unit.id: errand.far for errand in errands(state, decision.side)}
            kinds = {"normal": 0.0, "advance": 1.0, "disembark": -2.0}

            def rank(option: str) -> float:
                kind, _, key = option.partition(":")
                far = sent.get(key, 0.0)
                if kind == "advance" and far > 8.0:
                    return -1.0
                return kinds.get(kind, 3.0) - min(far, 20.0) / 100.0

            options.sort(key=rank)
        case "ask.stratagem" | "ask.command-reroll":
            yield from (option for option in LAST if option in decision.options)
    yield from options
    yield from (option for option in LAST if option in decision.options)


def _declared(state: State, decision: Declare, rng: Rng) -> Iterator[Any]:
    """Everything at the unit that suffers most, then as one would usually do it."""
    unit = state.units.get(decision.about)
    offered = [option.id for row in decision.rows.values() for option in row.choices.get("target", ())]
    named = dict.fromkeys(key for key in offered if key in state.units)
    if unit is not None and decision.prompt.key == "ask.declare":
        worst = sorted(named, key=lambda key: -taken(unit, state.unit(key), False))
        for first in worst[:2]:
            rank = {key: n for n, key in enumerate([first, *(key for key in worst if key != first)])}
            yield [part for row in decision.rows.values() if (part := _shot(row, rank)) is not None]
    yield decision.default
    yield decision.suggest(rng)


def _shot(row: Any, rank: dict[str, int]) -> Any:
    targets = sorted((option.id for option in row.choices["target"]), key=lambda key: rank.get(key, 99))
    profiles = [option.id for option in row.choices["profile"]]
    return {"row": row.id, "choose": {"profile": profiles[0], "target": targets[0]}} if targets else None


def _moves(state: State, unit: Unit, decision: Decision) -> Iterator[Any]:
    """To where it is wanted, towards markers and enemies, as far as it goes; or not at all."""
    limit = getattr(decision, "form", None)
    far = float(limit.limit or 6.0) if limit is not None else 6.0
    foes = sorted(state.army(1 - unit.side), key=lambda foe: gap(unit, foe))
    goals = [(e.objective.x, e.objective.y, 0.0) for e in errands(state, unit.side) if e.unit is unit]
    spots = sorted(state.objectives, key=lambda o: math.hypot(o.x - unit.cx, o.y - unit.cy))
    goals += [(o.x, o.y, 0.0) for o in spots[:2]]
    goals += [(foe.cx, foe.cy, foe.cr + unit.cr + 1.2) for foe in foes[:2]]
    for x, y, short in dict.fromkeys(goals):
        dx, dy = x - unit.cx, y - unit.cy
        whole = math.hypot(dx, dy)
        if whole - short <= 0.2:
            continue
        for share in (1.0, 0.6):
            go = min(far - 0.01, whole - short) * share / whole
            yield {"to": {"x": round(unit.cx + dx * go, 3), "y": round(unit.cy + dy * go, 3)}}
    yield dict(STAY)


def gain(battle: WhBattle, decision: Decision, answer: Any) -> float | None:
    """What a declared volley is worth, by exact odds: points of the units that suffer, the harm that they can do no
    more, and the victory points that their end brings."""
    state = battle.state
    unit = state.units.get(decision.about)
    if decision.prompt.key != "ask.declare" or unit is None or not answer:
        return None
    kind = "overwatch" if state.phase == "charge" and unit.side != state.active else "shooting"
    groups = Declaration(state, unit, kind).groups(answer)
    found = volley_odds(state, Volley(unit.id, kind, groups)) if groups else None
    return None if found is None else math.fsum(_spoils(state, one) for one in found)


def _spoils(state: State, fallen: Fallen) -> float:
    unit = fallen.unit
    harmed = 0.25 * fallen.destroyed + 0.75 * fallen.lost.mean / full_health(unit)
    prize = KILL * ("kills" in state.mission.scoring)
    if unit.warlord and "warlord" in state.mission.scoring:
        prize += WARLORD
    threat = SUFFER * max((harm_of(unit, foe) for foe in state.army(1 - unit.side)), default=0.0)
    spared = threat * fallen.lost.mean / max(1, health(unit))
    return ARMY * (unit.points * harmed + spared) + POINT * prize * fallen.destroyed


def first_turn(battle: WhBattle) -> int | None:
    """The side that had the first turn of the battle."""
    return battle.state.first if any(event.kind == "first-turn" for event in battle.events) else None


HINTS = Hints(candidates=candidates, gain=gain, terms=terms, swing=swing, rote=ROTE, turns=TURNS)
