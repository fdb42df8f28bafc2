"""Command models (chapter 7): what Leaders, Standard Bearers and Officers give, and what goes with their stands."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.effects import Effect

from .hooks import Query, changes, moment_of
from .state import Regiment, Stand, State


def present(regiment: Regiment, model: str) -> bool:
    """Is this command model on a stand on the table?"""
    return any(model in stand.models for stand in regiment.stands)


def _change(query: Query, rule: str) -> Effect:
    return Effect(query.regiment.id, query.what, "add", 1, rule, source=rule)


@changes("attacks")
def leader_attack(query: Query) -> Effect | None:
    """+1 Attack for the stand of the Leader alone."""
    if query.stand is not None and "leader" in query.stand.models and query.character is None:
        return _change(query, "conquest.command-model.leader.attack")
    return None


@changes("barrage")
def leader_barrage(query: Query) -> Effect | None:
    """The Barrage of the Leader's stand is 1 higher, if it has one."""
    if query.stand is not None and "leader" in query.stand.models and query.character is None and query.base > 0:
        return _change(query, "conquest.command-model.leader.barrage")
    return None


@changes("march")
def standard_bearer(query: Query) -> Effect | None:
    """1 inch more for the second March action of the activation, one into a garrison included."""
    activation = query.state.activation
    if activation is None or activation.regiment != query.regiment.id:
        return None
    marches = {"march": 2, "occupy": 1}.get(query.context)
    if activation.actions.count("march") == marches and present(query.regiment, "standard-bearer"):
        return _change(query, "conquest.command-model.standard-bearer.march")
    return None


@moment_of("arrived")
def takes_its_place(battle: Battle[State], regiment: Regiment, **facts: Any) -> None:
    """The command stand stands in the middle of the front rank; its models give their rules to the regiment."""
    if not regiment.models:
        rule = "conquest.command-model.monster-none"
        if regiment.profile.type != "monster":
            rule = "conquest.command-model.infantry.free-leader"
        battle.emit("no-command", rule, regiment=regiment.id)
        return
    mounted = regiment.profile.type != "infantry"
    rule = "conquest.command-model.mounted.spread" if mounted else "conquest.command-model.infantry.command-stand"
    battle.emit("command", rule, regiment=regiment.id, models=[model.id for model in regiment.models])


@moment_of("stand-lost")
def lost(battle: Battle[State], regiment: Regiment, stand: Stand, **facts: Any) -> None:
    """With the stand go the rules of its command models: all of them for infantry, only its own elsewhere."""
    if not stand.models:
        return
    mounted = regiment.profile.type != "infantry"
    rules = ["conquest.command-model.mounted.lost" if mounted else "conquest.command-model.lost"]
    if stand.command:
        rules.append("conquest.command-model.last-casualty")
    battle.emit("command-lost", *rules, regiment=regiment.id, models=list(stand.models))
