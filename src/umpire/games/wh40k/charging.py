"""The Charge phase: who may charge, targets, the roll, the move (charge.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from umpire.engine.decisions import Choose, ChooseSeveral, Move, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.engine.throwing import throw
from umpire.games.wh40k.abilities import HOOKS, Asking, twins
from umpire.games.wh40k.defenders import overwatch_window
from umpire.games.wh40k.dice import reroll_by_rule
from umpire.games.wh40k.measuring import enemies, engages, gap, settle, unit_gap, units_near
from umpire.games.wh40k.moving import Ends, Limits, Mover
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.units import put
from umpire.space.shapes import snap
from umpire.text import Text

DONE = "done"
FAR = 12.0


def objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not be selected to charge."""
    facts = {"unit": unit.id}
    if "charge-tried" in unit.acts:
        yield Reason("wh40k.charge.once-per-phase", "", facts)
    if unit.move == "advance" and not HOOKS.granted(state, unit, "advance-charge"):
        yield from twins(state, facts, "wh40k.charge.eligible.no-advance", "wh40k.move.advance-no-shoot-charge")
    if unit.move == "fall-back" and not HOOKS.granted(state, unit, "fall-back-charge"):
        yield from twins(state, facts, "wh40k.charge.eligible.no-fall-back", "wh40k.move.fall-back-no-charge")
    if unit.engaged:
        yield Reason("wh40k.charge.eligible.not-engaged", "", {**facts, "enemies": list(unit.engaged)})
    if any(mark in unit.marks for mark in ("wrecked", "broke-out", "oversized")):
        yield Reason("wh40k.charge.eligible.barred", "", facts)
    if not any(units_near(unit, foe, FAR) for foe in enemies(state, unit)):
        yield Reason("wh40k.charge.eligible.range", "", facts)


@step
def charge_phase(battle: WhBattle) -> Steps[None]:
    """wh40k.charge.sequence: one unit is taken through all of it before the next is selected."""
    state = battle.state
    side = state.active
    state.step = "charges"
    options = [
        Option(unit.id, None, (unit.id,))
        for unit in state.army(side)
        if next(standing(state, objections(state, unit)), None) is None
    ]
    if not options:
        return
    options.append(Option(DONE, Text("option.done")))

    def refuse(wish: str) -> list[Reason]:
        unit = state.units.get(wish)
        return list(objections(state, unit)) if unit is not None and unit.side == side and unit.on_table else []

    key = yield Choose(side, "ask.charge", options, "wh40k.charge.sequence", "", refuse)
    if key == DONE:
        return
    battle.plan((declare_charge, key), charge_phase)


@step
def declare_charge(battle: WhBattle, key: str) -> Steps[None]:
    """wh40k.charge.targets.declare: one or more enemy units within 12 inches, seen or unseen."""
    state = battle.state
    unit = state.unit(key)
    near = [foe for foe in enemies(state, unit) if units_near(unit, foe, FAR)]
    unit.act("charge-tried")

    def propose(rng: Rng) -> list[str]:
        ranked = sorted(near, key=lambda foe: unit_gap(unit, foe))
        return [foe.id for foe in ranked[: 2 if rng.below(6) == 0 else 1]]

    targets = yield ChooseSeveral(
        unit.side,
        Text("ask.charge-targets", {"unit": key}),
        [Option(foe.id, None, (foe.id,)) for foe in near],
        1,
        None,
        "wh40k.charge.targets.declare",
        key,
        None,
        propose,
    )
    battle.emit("declares-charge", "wh40k.charge.targets.declare", unit=key, targets=targets)
    battle.plan((overwatch_window, key, tuple(targets)), (charge, key, tuple(targets)))


def charge_roll(battle: WhBattle, unit: Unit) -> Steps[int]:
    """wh40k.charge.roll: 2D6, then re-rolls, then modifiers (wh40k.charge.roll.modify-before-test)."""
    state = battle.state
    need = 2
    roll = yield from throw(battle, 2, "charge", "wh40k.charge.roll", side=unit.side, who=unit.id, need=need)
    query = Asking(state, "charge", roll.natural, unit)
    roll = reroll_by_rule(battle, roll, HOOKS.rerolls(query, "charge"), [True, True])
    query.base = roll.natural
    return int(HOOKS.number(query).total)


@step
def charge(battle: WhBattle, key: str, targets: Sequence[str]) -> Steps[None]:
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table":
        return
    alive = [t for t in targets if state.unit(t).where == "table"]
    far = yield from charge_roll(battle, unit)
    mover = Mover(
        state,
        unit,
        Limits(
            "wh40k.charge.move.end",
            {m.id: float(far) for m in unit.models},
            "wh40k.charge.move.no-other-enemies",
            spared=tuple(targets),
            over=unit.has("fly"),
            cross=unit.has("fly"),
        ),
        lambda ends: reaches(state, unit, alive, ends),
    )
    default = found_charge(mover, [state.unit(t) for t in alive]) if alive else None
    if default is None:
        battle.emit("charge-failed", "wh40k.charge.fail", unit=key, inches=far)
        return
    answer = yield Move(
        unit.side,
        Text("ask.charge-move", {"unit": key, "inches": far}),
        mover.judge,
        lambda rng: default,
        "wh40k.charge.move.end",
        key,
        default,
        lambda wish: default,
        mover.regions,
        {"allowance": far},
        mover.route,
    )
    put(unit, mover.plan(answer)[1])
    unit.mark("charged")
    unit.targets = tuple(targets)
    settle(state)
    battle.emit("charged", "wh40k.charge.successful-status", unit=key, targets=list(targets), inches=far)


def reaches(state: State, unit: Unit, targets: Sequence[str], ends: Ends) -> list[Reason]:
    """wh40k.charge.move.end: within Engagement Range of each declared target."""
    for key in targets:
        foe = state.unit(key)
        if not any(engages(m, o) for m in ends.values() for o in foe.models):
            return [Reason("wh40k.charge.move.end", "reason.wh40k.not-reached", {"unit": unit.id, "target": key})]
    return []


def found_charge(mover: Mover, targets: Sequence[Unit]) -> dict[str, Any] | None:
    """A legal charge move, if one is found: the nearest model goes to the enemy, the others follow."""
    unit = mover.unit
    foe = min(targets, key=lambda t: unit_gap(unit, t))
    pairs = sorted(((gap(m, o), n, m, o) for n, m in enumerate(unit.models) for o in foe.models), key=lambda p: p[:2])
    for _, _, m, o in pairs[:12]:
        end = beside(mover, m, o)
        if end is None:
            continue
        dx, dy = end.x - m.x, end.y - m.y
        spots = {k.id: mover.place(k, k.x + dx, k.y + dy, None) for k in unit.models}
        for wish in (spots, mover.fit(spots, [end])):
            if wish is not None and not mover.weigh(wish)[0]:
                return {"models": {k: {"x": s.x, "y": s.y, "facing": s.facing} for k, s in wish.items()}}
    return None


def beside(mover: Mover, m: Model, o: Model) -> Model | None:
    """Where a model ends that goes straight at another, half an inch from it or as far as it comes."""
    dx, dy = o.x - m.x, o.y - m.y
    whole = math.sqrt(dx * dx + dy * dy)
    far = gap(m, o)
    if whole == 0.0:
        return None
    for stop in (0.05, 0.5, 0.95):
        go = min(max(0.0, far - stop), mover.limits.far[m.id])
        end = mover.place(m, snap(m.x + dx / whole * go), snap(m.y + dy / whole * go), None)
        if engages(end, o) and not mover.step(m, end):
            return end
    return None
