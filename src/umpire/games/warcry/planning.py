"""What the planner is told of Warcry: the exact worth of an attack, so that no die need be rolled to weigh it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.games.warcry.attack import need_to_hit, read_hits, toughness
from umpire.games.warcry.sight import cover
from umpire.games.warcry.state import State, value
from umpire.games.warcry.worth import BODY
from umpire.odds import Dist, faces

AGAIN = 0.7
"""What the attack after this one is worth, if an action is left for it: the target may have fallen."""


def gain(battle: Battle[State], decision: Decision, answer: Any) -> float | None:
    """What an attack takes from the enemy, in expectation."""
    if decision.prompt.key != "ask.act" or not answer.startswith("attack-"):
        return None
    state = battle.state
    _, weapon, target = answer.split("-", 2)
    fighter, enemy = state.fighter(decision.about), state.fighter(target)
    n = int(weapon)
    need = need_to_hit(
        int(value(state, fighter, "strength", n)), int(toughness(state, enemy, cover(state, fighter, enemy)))
    )
    damage = damage_of(
        int(value(state, fighter, "attacks", n)),
        need,
        int(value(state, fighter, "damage", n)),
        int(value(state, fighter, "critical", n)),
    )
    wounds = enemy.profile.wounds
    left = wounds - enemy.damage
    taken = enemy.profile.points * (BODY * damage.at_least(left) + (1 - BODY) * damage.min(left).mean / wounds)
    assert state.active is not None
    return taken * (1 + AGAIN * (state.active.left - 1))


@lru_cache(4096)
def damage_of(attacks: int, need: int, hit: int, critical: int) -> Dist:
    """The damage of an attack action that hits on `need`, read from its dice as in play."""
    strength = {3: 2, 4: 1, 5: 0}[need]
    read = faces(6, lambda face: read_hits([face], strength, 1)[0])
    return read.mix({"miss": 0, "hit": hit, "critical": critical}).times(attacks)
