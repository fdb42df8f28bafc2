"""Models that come back, units that are set up again elsewhere or anew (move.redeploy-*, move.replacement-unit)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from umpire.engine import effects
from umpire.engine.decisions import Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.wh40k.measuring import enemies, engages, overlap, settle, within
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.units import coherent, moved_to, put, refresh
from umpire.space.angles import sin_cos
from umpire.space.shapes import snap
from umpire.text import Text

NINE = 9.0
RING = tuple(sin_cos(30.0 * k) for k in range(12))


def return_models(battle: WhBattle, unit: Unit, count: int, rule: str) -> Steps[int]:
    """Destroyed models come back with all their wounds, in coherency and out of Engagement Range; they were never lost
    as far as Morale goes (wh40k.morale.revived.all, wh40k.morale.revived.some)."""
    back: list[Model] = []
    for model in unit.dead[:count]:
        spot = _beside(battle.state, unit, model, back)
        if spot is None:
            break
        back.append(spot)
    if not back:
        return 0
    keys = [m.id for m in back]
    unit.models += tuple(back)
    unit.dead = tuple(m for m in unit.dead if m.id not in keys)
    undone = [key for key in unit.died if key in keys]
    unit.died = tuple(key for key in unit.died if key not in keys)
    refresh(unit)
    settle(battle.state)
    rules = ("wh40k.morale.revived.all" if not unit.died else "wh40k.morale.revived.some",) if undone else ()
    battle.emit("returned", rule, *rules, unit=unit.id, models=keys)
    return len(back)
    yield


def _beside(state: State, unit: Unit, model: Model, back: list[Model]) -> Model | None:
    """A free place next to a comrade."""
    full = unit.sheet.row(model.row).w
    bodies = [m for u in state.units.values() if u.where == "table" for m in u.models]
    foes = [m for foe in enemies(state, unit) for m in foe.models]
    for mate in unit.models:
        far = mate.r + model.r + 0.1
        for s, c in RING:
            end = moved_to(
                msgspec.structs.replace(model, wounds=full), snap(mate.x + s * far), snap(mate.y + c * far), mate.z
            )
            if not (end.r <= end.x <= state.width - end.r and end.r <= end.y <= state.depth - end.r):
                continue
            if any(overlap(end, body) for body in (*bodies, *back)) or any(engages(end, foe) for foe in foes):
                continue
            if coherent([*unit.models, *back, end]):
                return end
    return None


def redeploy(battle: WhBattle, unit: Unit, fresh: bool, rule: str) -> Steps[None]:
    """A unit is taken from the battlefield and set up again more than 9 inches from all enemies; `fresh`: it is
    replaced by a new one at full strength (wh40k.move.replacement-unit)."""
    from umpire.games.wh40k.deployment import Placer

    state = battle.state
    if fresh and state.applies("wh40k.move.replacement-unit"):
        renew(state, unit)
    foes = [m for foe in enemies(state, unit) for m in foe.models]

    def allowed(end: Model) -> Reason | None:
        near = next((foe for foe in foes if within(end, foe, NINE)), None)
        if near is None:
            return None
        return Reason("wh40k.move.redeploy-triggers", "reason.wh40k.nine-inches", {"model": end.id, "enemy": near.id})

    placer = Placer(state, unit, allowed, rule)
    default = placer.search(_spots(state, Rng(state.round * 2 + state.half)), 0.0)
    if default is None:
        battle.emit("stays", rule, unit=unit.id)
        return

    def propose(rng: Rng) -> Any:
        return placer.search(iter([next(_spots(state, rng)) for _ in range(4)]), 0.0)

    answer = yield Place(
        unit.side, Text("ask.set-up", {"unit": unit.id}), placer.judge, propose, rule, unit.id, default,
        data={"pieces": [m.id for m in unit.models]},
    )  # fmt: skip
    put(unit, placer.plan(answer)[1])
    unit.mark("redeployed")
    unit.act("moved")
    settle(state)
    more = "wh40k.move.replacement-unit" if fresh else "wh40k.move.redeploy-counts-moved"
    battle.emit("redeployed", rule, more, unit=unit.id)


def renew(state: State, unit: Unit) -> None:
    """All models and wounds are there again; what befell the old unit is forgotten."""
    whole = sorted((*unit.models, *unit.dead), key=lambda m: int(m.id.rpartition(".")[2]))
    unit.models = tuple(msgspec.structs.replace(m, wounds=unit.sheet.row(m.row).w) for m in whole)
    unit.dead = unit.died = ()
    unit.move = ""
    effects.drop(state, unit.id)
    refresh(unit)


def _spots(state: State, rng: Rng) -> Iterator[tuple[float, float]]:
    for _ in range(30):
        yield rng.uniform(1, state.width - 1), rng.uniform(1, state.depth - 1)
    for n in range(math.ceil(state.depth / 2)):
        for k in range(math.ceil(state.width / 2)):
            yield 2.0 * k + 1.0, 2.0 * n + 1.0
