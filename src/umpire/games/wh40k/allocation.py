"""Whom wounds are allocated to, and whom the owner takes away (attack.allocate-*)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from umpire.engine.decisions import Choose, ChooseSeveral, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.wh40k.measuring import enemies, engages
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.units import is_coherent, neighbours
from umpire.miniatures.loose.groups import rearmost
from umpire.text import Text

ANYWHERE = ("wh40k.attack.allocate-anywhere", "wh40k.fight.resolve.allocate-anywhere")
"""Whom an attack goes to is the owner's choice, in range and in sight or not."""


def forced(state: State, target: Unit) -> list[Model]:
    """wh40k.attack.allocate-wounded, then allocate-same-model: who must take the next attack; several: one of them."""
    if state.applies("wh40k.attack.allocate-wounded"):
        hurt = [m for m in target.models if m.wounds < target.sheet.row(m.row).w]
        if hurt:
            return hurt
    if target.allocated and state.applies("wh40k.attack.allocate-same-model"):
        return [m for m in target.models if m.id in target.allocated]
    volley = state.volley
    if volley is not None and volley.kind == "melee" and not state.applies("wh40k.fight.resolve.allocate-anywhere"):
        return [m for m in target.models if any(engages(m, o) for o in state.unit(volley.unit).models)]
    return []


def allocate(battle: WhBattle, target: Unit) -> Steps[Model]:
    """wh40k.attack.allocate: the owner chooses, where the choice is free."""
    state = battle.state
    must = forced(state, target)
    free = must or list(target.models)
    model = free[0]
    tell_allocation(battle, target, must)
    if len(free) > 1:
        rule = "wh40k.attack.allocate-wounded" if must else "wh40k.attack.allocate"
        options = [model_option(target, m) for m in free]
        prompt = Text("ask.allocate", {"unit": target.id})

        def barred(wish: str) -> list[Reason]:
            return list(allocation_objections(state, target, must, wish))

        key = yield Choose(target.side, prompt, options, rule, target.id, barred)
        model = target.model(key)
    if model.id not in target.allocated:
        target.allocated = (*[k for k in target.allocated if any(m.id == k for m in target.models)], model.id)
    return model


def allocation_objections(state: State, target: Unit, must: Sequence[Model], key: str) -> Iterator[Reason]:
    """Why an attack at a unit is not allocated to this model: it is no model of it, or another must take it first."""
    facts: dict[str, Any] = {"model": key, "unit": target.id}
    if not any(m.id == key for m in target.models):
        if any(m.id == key for unit in state.units.values() for m in (*unit.models, *unit.dead)):
            yield Reason("wh40k.attack.allocate", "reason.wh40k.not-of-unit", facts)
        return
    hurt = [m for m in must if m.wounds < target.sheet.row(m.row).w]
    if not must or any(m.id == key for m in must):
        return
    told = {**facts, "models": [m.id for m in hurt or must]}
    if hurt:
        yield Reason("wh40k.attack.allocate-wounded", "reason.wh40k.wounded-first", told)
    else:
        yield Reason("wh40k.attack.allocate-same-model", "reason.wh40k.allocated-first", told)


def model_option(unit: Unit, model: Model) -> Option:
    row = unit.sheet.row(model.row)
    many = len(unit.sheet.rows) > 1
    label = Text("option.model", {"model": model.id, "row": row.name}) if many else None
    return Option(model.id, label, (model.id,))


def tell_allocation(battle: WhBattle, target: Unit, must: Sequence[Model]) -> None:
    """By which rule the model was found that attacks go to."""
    volley = battle.state.volley
    if must:
        hurt = must[0].wounds < target.sheet.row(must[0].row).w
        rule = "wh40k.attack.allocate-wounded" if hurt else "wh40k.attack.allocate-same-model"
        battle.emit("allocated", rule, unit=target.id)
    else:
        melee = volley is not None and volley.kind == "melee"
        battle.emit("allocated", "wh40k.attack.allocate", ANYWHERE[melee], unit=target.id)


def pick_lost(
    battle: WhBattle,
    target: Unit,
    free: Sequence[Model],
    count: int,
    partial: bool,
    rule: str = "wh40k.attack.allocate",
) -> Steps[list[str]]:
    """Ask which models are lost; where one is only wounded, it is the last of the list."""
    prompt = Text("ask.lost-and-hurt" if partial else "ask.lost", {"unit": target.id, "count": count})

    def propose(rng: Rng) -> Any:
        return proposed_losses(target, rng.shuffled(free), count)

    def usual() -> list[str]:
        return proposed_losses(target, [free[n] for n in rearmost(free, enemies(battle.state, target))], count)

    chosen: list[str] = yield ChooseSeveral(
        target.side,
        prompt,
        [model_option(target, m) for m in free],
        count,
        count,
        (rule, *ANYWHERE) if rule == "wh40k.attack.allocate" else rule,
        target.id,
        None,
        propose,
        default=usual,
        refuse=lambda wish: list(allocation_objections(battle.state, target, free, wish)),
    )
    return chosen


def proposed_losses(target: Unit, free: Iterable[Model], count: int) -> list[str]:
    """In this order, but plain models before champions and special weapons, and so that the unit stays together."""
    plain = target.sheet.rows[0].weapons
    order = sorted(free, key=lambda m: (target.sheet.row(m.row).champion, m.weapons != plain))
    masks = neighbours(target.models)
    index = {m.id: n for n, m in enumerate(target.models)}
    left = (1 << len(target.models)) - 1
    out: list[str] = []
    for _ in range(count):
        rest = [m for m in order if m.id not in out]
        pick = next((m for m in rest if is_coherent(masks, left & ~(1 << index[m.id]))), rest[0])
        out.append(pick.id)
        left &= ~(1 << index[pick.id])
    return out
