"""The Movement phase: normal moves, advances, falling back, standing still (move.options-*, move.normal, …)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine.decisions import Choose, Move, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.engine.throwing import throw
from umpire.games.wh40k.abilities import HOOKS, Asking
from umpire.games.wh40k.characteristics import printed, value
from umpire.games.wh40k.dice import rolled
from umpire.games.wh40k.measuring import settle
from umpire.games.wh40k.moving import STAY, Limits, Mover
from umpire.games.wh40k.profiles import amount
from umpire.games.wh40k.state import State, Unit, WhBattle
from umpire.games.wh40k.units import put
from umpire.space.angles import sin_cos
from umpire.text import Text

DONE = "done"
KINDS = ("normal", "advance", "fall-back", "stationary")


def objections(state: State, unit: Unit, kind: str) -> Iterator[Reason]:
    """Why a unit may not be selected for this kind of move."""
    facts = {"unit": unit.id}
    if "moved" in unit.acts:
        yield Reason("wh40k.move.select-unit", "", facts)
    if kind == "fall-back" and not unit.engaged:
        yield Reason("wh40k.move.options-not-engaged", "", facts)
    if kind in ("normal", "advance") and unit.engaged:
        yield Reason("wh40k.move.options-engaged", "", {**facts, "enemies": list(unit.engaged)})
    if kind != "stationary" and not any(printed(state, unit, m, "m") for m in unit.models):
        yield Reason("wh40k.unit.modifier-dash", "", facts)


@step
def movement_phase(battle: WhBattle) -> Steps[None]:
    """wh40k.move.phase-steps: Move Units, then Reinforcements."""
    battle.state.step = "move-units"
    battle.plan(move_units, stand_still)
    return
    yield


@step
def move_units(battle: WhBattle) -> Steps[None]:
    """wh40k.move.select-unit: one unit after the other, each once."""
    state = battle.state
    side = state.active
    options: list[Option] = []
    for unit in state.army(side):
        for kind in KINDS[:-1]:
            if next(standing(state, objections(state, unit, kind)), None) is None:
                label = Text("option.move", {"unit": unit.id, "kind": Text(f"move.{kind}")})
                options.append(Option(f"{kind}:{unit.id}", label, (unit.id,)))
    if not options:
        return
    options.append(Option(DONE, Text("option.done")))

    def refuse(wish: str) -> list[Reason]:
        kind, _, key = wish.partition(":")
        if key not in state.units or kind not in KINDS or state.unit(key).side != side:
            return []
        return list(objections(state, state.unit(key), kind))

    def propose(rng: Rng) -> str:
        keys = [option.id for option in options]
        return keys[rng.below(len(keys))]

    choice = yield Choose(side, "ask.move-unit", options, "wh40k.move.select-unit", "", refuse, None, propose)
    if choice == DONE:
        return
    kind, _, key = choice.partition(":")
    battle.plan((move_unit, key, kind), move_units)


def allowances(battle: WhBattle, unit: Unit, more: int = 0) -> Steps[dict[str, float]]:
    """How far each model may move by its own M; a random M is rolled once for the unit (wh40k.unit.random-move)."""
    state = battle.state
    far: dict[str, float] = {}
    once: dict[str, int] = {}
    for model in unit.models:
        if model.row in once and not unit.sheet.row(model.row).table:
            far[model.id] = float(once[model.row] + more)
            continue
        text = amount(printed(state, unit, model, "m"))
        if text.random:
            if "random" not in once:
                once["random"] = yield from rolled(
                    battle, text, "random-move", "wh40k.unit.random-move", unit.side, unit.id
                )
            base = once["random"]
        else:
            base = text.plus
        once[model.row] = value(state, unit, model, "m", base=base)
        far[model.id] = float(once[model.row] + more)
    return far


@step
def move_unit(battle: WhBattle, key: str, kind: str) -> Steps[None]:
    state = battle.state
    unit = state.unit(key)
    unit.act("moved")
    unit.move = kind
    more = 0
    if kind == "advance":
        roll = yield from throw(battle, 1, "advance", "wh40k.move.advance", side=unit.side, who=key)
        change = HOOKS.number(Asking(state, "advance", roll.faces[0], unit))
        more = max(1, int(change.total)) if state.applies("wh40k.dice.minimum-one") else int(change.total)
    far = yield from allowances(battle, unit, more)
    fly = unit.has("fly")
    ids = {
        "normal": ("wh40k.move.normal", "wh40k.move.normal-no-engagement"),
        "advance": ("wh40k.move.advance", "wh40k.move.advance-no-engagement"),
        "fall-back": ("wh40k.move.fall-back", "wh40k.move.fall-back-all-or-none"),
    }[kind]
    limits = Limits(ids[0], far, ids[1], cross=kind == "fall-back" or fly, over=fly)
    mover = Mover(state, unit, limits)
    default = dict(STAY)
    if kind == "fall-back":
        found = way_out(mover)
        if found is None:
            battle.emit("trapped", "wh40k.move.fall-back-all-or-none", unit=key)
            unit.move = "stationary"
            return
        default = found
    goals = [(o.x, o.y) for o in state.objectives]
    answer = yield Move(
        unit.side,
        Text("ask.move", {"unit": key, "kind": Text(f"move.{kind}"), "inches": max(far.values())}),
        mover.judge,
        lambda rng: mover.wander(rng, goals),
        ids[0],
        key,
        default,
        mover.nearest,
        mover.regions,
        {"allowance": max(far.values())},
        mover.route,
    )
    put(unit, mover.plan(answer)[1])
    settle(state)
    battle.emit("moved", ids[0], unit=key, move=Text(f"move.{kind}"))


def way_out(mover: Mover) -> dict[str, Any] | None:
    """A place at which every model ends clear of the enemy."""
    unit = mover.unit
    for part in (1.0, 0.7, 0.4):
        for n in range(16):
            s, c = sin_cos(22.5 * n)
            far = mover.most * part
            wish = {"to": {"x": round(unit.cx + s * far, 3), "y": round(unit.cy + c * far, 3)}}
            if not mover.judge(wish):
                return wish
    return None


@step
def stand_still(battle: WhBattle) -> None:
    """wh40k.move.remain-stationary-default: who was not selected has Remained Stationary."""
    state = battle.state
    for unit in state.army(state.active):
        if not unit.move and "moved" not in unit.acts:
            unit.move = "stationary"
            battle.emit("stood", "wh40k.move.remain-stationary-default", unit=unit.id)
