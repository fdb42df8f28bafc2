"""The end of the game: victory points, objectives, battle points; scoring units and the spoils of the Bounty."""

from __future__ import annotations

import math

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.events import Outcome
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import psychology, reserves
from .formation import box
from .model_rules import has
from .spacing import within
from .state import Pool, State, Unit

TABLE = ((5, 10), (10, 11), (20, 12), (30, 13), (40, 14), (50, 15))
"""Victory point difference in percent of the army size, and the winner's battle points (t9a.end.vp.table)."""


def is_rnf(state: State, unit: Unit) -> bool:
    """At least one rank-and-file model (t9a.prep.rnf-unit)."""
    return state.applies("t9a.prep.rnf-unit") and state.rnf(unit) is not None


def scoring(state: State, unit: Unit) -> bool:
    """Rank-and-file models, a standard, no Light Troops, neither summoned nor arrived in turn 6, not Shaken
    (t9a.prep.scoring-unit)."""
    rnf = state.rnf(unit)
    if rnf is None or not rnf.standard or rnf.summoned:
        return False
    if not is_rnf(state, unit):
        return False
    if has(state, rnf, "t9a.rule.light-troops.reform"):
        return False
    if rnf.arrived == 6 and state.applies("t9a.rule.ambush.turn-six"):
        return False
    return not (unit.shaken and state.applies("t9a.psych.shaken.scoring"))


def not_scoring(state: State, unit: Unit) -> list[str]:
    """Why a unit is not scoring."""
    rnf = state.rnf(unit)
    if rnf is None:
        return ["t9a.prep.rnf-unit", "t9a.prep.scoring-unit"]
    if rnf.summoned:
        return ["t9a.magic.summon.status", "t9a.prep.scoring-unit"]
    if unit.shaken:
        return ["t9a.psych.shaken.scoring"]
    if rnf.arrived == 6:
        return ["t9a.rule.ambush.turn-six"]
    return ["t9a.prep.scoring-unit"]


def scored_before(state: State, unit: Unit) -> bool:
    """Was it scoring when the round of combat began? (t9a.prep.primary.bounty.gain)"""
    if state.round is not None and unit.id in state.round.units:
        return unit.id in state.round.scoring
    return scoring(state, unit)


def destroyed_in_melee(battle: Battle[State], pool: Pool, unit: Unit, foes: tuple[str, ...]) -> None:
    """An enemy scoring unit is destroyed in melee: one marker for a scoring unit that was engaged with it
    (t9a.prep.destroyed-in-melee.initial-unit)."""
    state = battle.state
    battle.emit(
        "destroyed-in-melee", "t9a.prep.destroyed-in-melee", "t9a.prep.destroyed-in-melee.initial-unit", pool=pool.id
    )
    if state.round is not None:
        foes = tuple(dict.fromkeys((*foes, *(p.other(unit.id) for p in state.round.pairs if unit.id in (p.a, p.b)))))
    if state.field.primary == "bounty" and state.applies("t9a.prep.primary.bounty.gain"):
        there = [key for key in foes if state.unit(key).where == "table"]
        holders = [key for key in there if scoring(state, state.unit(key))]
        if holders:
            battle.push(spoils, tuple(holders))
        elif there:
            why = not_scoring(state, state.unit(there[0]))
            battle.emit("no-spoils", *why[:2], unit=there[0])


@step
def spoils(battle: Battle[State], holders: tuple[str, ...]) -> Steps[None]:
    state = battle.state
    live = [key for key in holders if state.unit(key).where == "table" and scoring(state, state.unit(key))]
    if not live:
        return
    answer = live[0]
    if len(live) > 1:
        options = [Option(key, None, (key,)) for key in live]
        answer = yield Choose(state.unit(live[0]).side, "ask.spoils", options, "t9a.prep.primary.bounty.gain")
    state.unit(answer).spoils += 1
    battle.emit("spoils", "t9a.prep.primary.bounty.gain", "t9a.prep.scoring-unit", unit=answer)


@step
def end(battle: Battle[State]) -> None:
    battle.plan(reserves.never_arrived, count)


def points_for(state: State, pool: Pool) -> tuple[int, str]:
    """What the enemy gets for an entry of the list (t9a.end.vp.destroyed and the halves)."""
    if pool.summoned:
        return 0, "t9a.magic.summon.status"
    if pool.destroyed or pool.count <= 0:
        return pool.points, "t9a.end.vp.destroyed"
    shaken = state.units[pool.unit].shaken
    decimated = psychology.decimated(state, pool)
    if shaken and decimated:
        return pool.points, "t9a.end.vp.shaken-decimated"
    half = -(-pool.points // 2)
    if shaken:
        return half, "t9a.end.vp.shaken"
    if decimated:
        return half, "t9a.end.vp.decimated"
    return 0, ""


def from_difference(difference: int, size: int) -> int:
    """The leader's battle points (t9a.end.vp.table)."""
    for percent, points in TABLE:
        if 100 * difference <= percent * size:
            return points
    return 16


@step
def count(battle: Battle[State]) -> None:
    """Victory points, the table, primary and secondary objectives, the winner (t9a.end.method)."""
    state = battle.state
    points = [0, 0]
    attached = False
    for pool in state.pools.values():
        amount, rule = points_for(state, pool)
        if rule in state.without:
            continue
        if amount:
            points[1 - pool.side] += amount
            if rule == "t9a.end.vp.shaken-decimated":
                battle.emit("both-states", "t9a.psych.states", pool=pool.id)
            cites = (rule, "t9a.end.vp.attached") if pool.attachable and pool.unit != pool.id else (rule,)
            attached = attached or len(cites) > 1
            battle.emit("points", *cites, pool=pool.id, points=amount, player=Text(f"side.{1 - pool.side}"))
    lead = 0 if points[0] >= points[1] else 1
    won = from_difference(abs(points[0] - points[1]), state.size)
    battle_points = [won, 20 - won] if lead == 0 else [20 - won, won]
    battle.emit(
        "victory-points", "t9a.end.vp.table", "t9a.end.bp.total", score=list(points), battle=list(battle_points)
    )
    primary = bounty(state)
    if primary is not None and state.applies("t9a.end.bp.primary"):
        battle_points[primary] += 3
        battle_points[1 - primary] -= 3
        battle.emit("primary", "t9a.prep.primary.bounty.win", "t9a.end.bp.primary", player=Text(f"side.{primary}"))
    done = [int(fulfilled(state, side)) for side in (0, 1)]
    if done[0] != done[1] and state.applies("t9a.end.bp.secondary"):
        better = int(done[1] > done[0])
        battle_points[better] += 1
        battle_points[1 - better] -= 1
        battle.emit("secondary-won", "t9a.end.bp.secondary", player=Text(f"side.{better}"))
    battle_points = [max(0, min(20, p)) for p in battle_points]
    winner = None if battle_points[0] == battle_points[1] else int(battle_points[1] > battle_points[0])
    battle.finish(
        Outcome(winner, (float(battle_points[0]), float(battle_points[1])), ("t9a.end.winner", "t9a.end.method"))
    )


def bounty(state: State) -> int | None:
    """Who holds more spoils markers (t9a.prep.primary.bounty.win)."""
    if not state.applies("t9a.prep.primary.bounty.win"):
        return None
    held = [sum(u.spoils for u in state.table(side)) for side in (0, 1)]
    return None if held[0] == held[1] else int(held[1] > held[0])


def fulfilled(state: State, side: int) -> bool:
    """Has a side fulfilled its secondary objective?"""
    kind = state.secondaries[side]
    if not kind:
        return False
    pools = list(state.pools.values())
    if kind == "behead":
        return any(p.general and p.side != side and p.destroyed for p in pools)
    if kind == "hunt":
        fallen = [sum(p.character and p.destroyed and p.side == s for p in pools) for s in (0, 1)]
        return fallen[1 - side] > fallen[side]
    if kind == "colours":
        flags = [p for p in pools if p.standard and p.side == side]
        kept = [p for p in flags if p.count and state.units[p.unit].where == "table" and not state.units[p.unit].shaken]
        return bool(flags) and 2 * len(kept) >= len(flags)
    if kind == "heartland":
        near = [0, 0]
        for unit in state.table():
            if scoring(state, unit):
                here = box(state, unit)
                x, y = here.local(state.field.width / 2, state.field.depth / 2)
                dx, dy = max(0.0, abs(x) - here.w / 2), max(0.0, y, -here.d - y)
                near[unit.side] += within(math.hypot(dx, dy), 6.0)
        return near[side] > near[1 - side]
    from .deployment import inside

    zone = state.field.zones[state.zone_of[1 - side]].points
    return any(scoring(state, u) and inside(zone, box(state, u)) for u in state.table(side))
