"""What the planner is told of Warcry: ideas for actions and moves, and the exact worth of an attack."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Decision
from umpire.engine.rng import Rng
from umpire.games.warcry import walking
from umpire.games.warcry.attack import need_to_hit, toughness
from umpire.games.warcry.combat import ChooseDeed
from umpire.games.warcry.legs import Tracer, may_fly
from umpire.games.warcry.paths import leg, ray
from umpire.games.warcry.placing import body
from umpire.games.warcry.sight import cover
from umpire.games.warcry.state import Fighter, State, distance, value
from umpire.games.warcry.striking import blow
from umpire.games.warcry.worth import goals_of, stake, tally_worth
from umpire.space.shapes import TOLERANCE

LEGS = 3
TURNS = frozenset({"ask.activate", "ask.act", "ask.first-turn"})
"""Asked of the other side, these end a plan: its turn has come."""


def gain(battle: Battle[State], decision: Decision, answer: Any) -> float | None:
    """What an attack takes from the enemy in expectation, together with those that the actions left allow."""
    if decision.prompt.key != "ask.act" or not answer.startswith("attack-"):
        return None
    state = battle.state
    _, weapon, target = answer.split("-", 2)
    fighter, enemy = state.fighter(decision.about), state.fighter(target)
    n = int(weapon)
    need = need_to_hit(
        int(value(state, fighter, "strength", n)), int(toughness(state, enemy, cover(state, fighter, enemy)))
    )
    assert state.active is not None
    felled, hurt = blow(
        int(value(state, fighter, "attacks", n)) * state.active.left,
        need,
        int(value(state, fighter, "damage", n)),
        int(value(state, fighter, "critical", n)),
        enemy.profile.wounds - enemy.damage,
    )
    return stake(enemy, felled, hurt) + felled * tally_worth(state, fighter.side, enemy.profile.points)


def candidates(battle: Battle[State], decision: Decision, rng: Rng) -> Iterator[Any]:
    """Attacks and moves before anything else; moves towards enemies, objectives and treasure."""
    state = battle.state
    if isinstance(decision, ChooseDeed):
        yield from decision.attacks()
        if decision.free:
            yield "move"
    elif not isinstance(decision, Choose):
        if decision.prompt.key == "ask.move" and decision.data:
            yield from moves(state, state.fighter(decision.about), float(decision.data["inches"]))
    elif decision.prompt.key == "ask.activate":
        yield from sorted(decision.options, key=lambda key: _nearness(state, state.fighter(key)))


def _nearness(state: State, fighter: Fighter) -> float:
    """Fighters with an enemy near act first."""
    return min((distance(fighter, enemy) for enemy in state.enemies(fighter)), default=99.0)


def moves(state: State, fighter: Fighter, limit: float) -> Iterator[Any]:
    """On foot or through the air, as far as possible towards each goal of the fighter."""
    tracer = Tracer(state, fighter, limit)
    flies = fighter.flies and not may_fly(state, fighter)
    if not flies and (fighter.z > TOLERANCE or fighter.climbing):
        return
    for goal in goals_of(state, fighter):
        path = _flight(fighter, goal, limit) if flies else _walk(tracer, goal)
        if path:
            yield {"path": path}


def _flight(fighter: Fighter, goal: tuple[float, float], limit: float) -> list[dict[str, Any]]:
    dx, dy = goal[0] - fighter.x, goal[1] - fighter.y
    far = math.hypot(dx, dy) or 1.0
    share = min(limit, max(0.0, far - 1.5)) / far
    return [leg("fly", fighter.x + dx * share, fighter.y + dy * share, 0.0)]


def _walk(tracer: Tracer, goal: tuple[float, float]) -> list[dict[str, Any]]:
    """Along the shortest way on foot, in as few straight legs as walls allow."""
    fighter = tracer.fighter
    net = walking.net_of(tracer.state.layout, fighter.profile.base)
    spots = walking.way(net, walking.field_of(net, [goal]), fighter.x, fighter.y, tracer.limit)
    spots.append(goal)
    x, y, left = fighter.x, fighter.y, tracer.limit - 0.01
    legs: list[dict[str, Any]] = []
    while spots and left > 0.2 and len(legs) < LEGS:
        for n in range(len(spots) - 1, -1, -1):
            dx, dy = spots[n][0] - x, spots[n][1] - y
            far = math.hypot(dx, dy) or 1.0
            share = min(1.0, left / far)
            free = min(share, ray(tracer, body(fighter, x, y, 0.0), dx * share, dy * share) * share)
            if free >= share * 0.98 or n == 0:
                break
        if free * far < 0.1:
            break
        x, y = x + dx * free, y + dy * free
        left -= far * free
        legs.append(leg("walk", x, y))
        spots = spots[n + 1 :]
    return legs


def first_turn(battle: Battle[State]) -> int | None:
    """The side that had the first turn of the battle."""
    return next((event.facts["side"] for event in battle.events if event.kind == "first-turn"), None)


HINTS = {"candidates": candidates, "gain": gain, "turns": TURNS, "first_turn": first_turn}
"""What `Game.extras` hands to players and to the arena."""
