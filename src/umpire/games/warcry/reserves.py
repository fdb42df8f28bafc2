"""The reserve phase: battlegroups that were put aside arrive."""

from __future__ import annotations

from umpire.engine.battle import Battle
from umpire.engine.steps import Steps, step
from umpire.games.warcry.profiles import GROUPS
from umpire.games.warcry.setup import arrival_round, set_up, zone_of
from umpire.games.warcry.state import State


@step
def phase(battle: Battle[State]) -> None:
    """From round 2 on: the player with the initiative brings on all groups of this round, then the other."""
    state = battle.state
    if state.round < 2:
        return
    state.phase = "reserve"
    arrivals = [
        (arrive, side, group)
        for side in (state.initiative, 1 - state.initiative)
        for group in GROUPS
        if any(f.where == "reserve" and f.side == side and f.group == group for f in state.fighters)
        and arrival_round(state, side, group) == state.round
    ]
    if arrivals:
        battle.emit(
            "reserves", "warcry.reserve.phase", "warcry.reserve.rounds", "warcry.reserve.order", round=state.round
        )
        battle.plan(*arrivals)


@step
def arrive(battle: Battle[State], side: int, group: str) -> Steps[None]:
    """A whole group is set up near its deployment point or line."""
    state = battle.state
    fighters = [f for f in state.fighters if f.side == side and f.group == group and f.where == "reserve"]
    on_edge = zone_of(state, side, group).on_edge
    rule = "warcry.reserve.deployment-line" if on_edge else "warcry.reserve.zone"
    yield from set_up(battle, side, group, fighters, rule, (rule, "warcry.core.wholly-within"))
