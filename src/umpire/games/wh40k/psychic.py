"""The Psychic phase: who casts what at whom, manifesting, Smite (psychic.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine import usage
from umpire.engine.decisions import Choose, Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import actions, describe
from umpire.games.wh40k.abilities import held, twins
from umpire.games.wh40k.damage import random_mortal_wounds
from umpire.games.wh40k.measuring import distance_to, enemies, friends
from umpire.games.wh40k.primitives import carry_out
from umpire.games.wh40k.profiles import Power
from umpire.games.wh40k.psychic_tests import SMITE, deny, label, psychic_test
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.targets import Sights
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

DONE = "done"
SMITE_CHARGE, SMITE_RANGE, SMITE_STRONG = 5, 18.0, 11


# -- who may cast what ---------------------------------------------------------------------------------------------


def caster(state: State, unit: Unit) -> bool:
    """wh40k.psychic.non-psyker: who may cast as if it were a Psyker counts as one here, and nowhere else."""
    psychic = unit.sheet.psychic
    if psychic is None or not psychic.casts:
        return False
    return unit.has("psyker") or (psychic.as_if and state.applies("wh40k.psychic.non-psyker"))


def objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not be selected to manifest powers."""
    facts = {"unit": unit.id}
    if unit.where != "table":
        yield Reason("wh40k.psychic.select-on-battlefield", "", facts)
    if "cast-over" in unit.acts:
        yield Reason("wh40k.psychic.one-psyker-at-a-time", "", facts)
    if unit.move == "fall-back" and not unit.has("titanic"):
        yield from twins(state, facts, "wh40k.psychic.select-no-fell-back", "wh40k.move.fall-back-no-shoot-cast")
    if "broke-out" in unit.marks:
        yield Reason("wh40k.stratagem.desperate-breakout.no-action", "", facts)
    if "oversized" in unit.marks:
        yield Reason("wh40k.reserves.oversized.limits", "", facts)
    psychic = unit.sheet.psychic
    if psychic is None or not caster(state, unit):
        yield Reason("wh40k.psychic.select-on-battlefield", "reason.wh40k.no-psyker", facts)
    elif usage.count(state, "cast", "phase", unit.id) >= psychic.casts:
        yield Reason("wh40k.psychic.cast-limit", "", {**facts, "most": psychic.casts})


def title(state: State, power: str) -> str:
    """wh40k.psychic.same-name: powers of one name are one power, whatever books they are from."""
    entry = state.lore.powers.get(power)
    if entry is None or not state.applies("wh40k.psychic.same-name"):
        return power
    return entry.name["en"]


def power_objections(state: State, unit: Unit, power: str) -> Iterator[Reason]:
    """Why a unit may not attempt this power now."""
    facts = {"unit": unit.id, "power": power}
    if power == SMITE:
        if usage.count(state, SMITE, "round", unit.id):
            yield Reason("wh40k.psychic.smite-once-per-psyker", "", facts)
        if usage.count(state, SMITE, "phase", unit.side) and not state.applies("wh40k.psychic.smite-many"):
            yield Reason("wh40k.psychic.power-once", "", facts)
        return
    if power not in unit.powers:
        yield Reason("wh40k.psychic.known-powers", "", facts)
    if usage.count(state, f"power {title(state, power)}", "phase", unit.side):
        yield Reason("wh40k.psychic.power-once", "", facts)
        if not usage.count(state, f"power id {power}", "phase", unit.side):
            yield Reason("wh40k.psychic.same-name", "", facts)
    if usage.count(state, f"denied {title(state, power)}", "turn", unit.side):
        yield Reason("wh40k.psychic.denied", "", facts)


def castable(state: State, unit: Unit) -> list[str]:
    """The powers and psychic actions that it may attempt now."""
    if next(standing(state, objections(state, unit)), None) is not None:
        return []
    known = [p for p in unit.powers if p in state.lore.powers]
    if state.applies("wh40k.psychic.known-powers"):
        known = [SMITE, *known]
    found = [p for p in known if next(standing(state, power_objections(state, unit, p)), None) is None]
    return found + actions.psychic_actions(state, unit)


# -- the phase -----------------------------------------------------------------------------------------------------


@step
def psychic_phase(battle: WhBattle) -> Steps[None]:
    """wh40k.psychic.sequence: one Psyker after the other; who has been left is done."""
    state = battle.state
    side = state.active
    able = [u for u in state.army(side) if caster(state, u) and castable(state, u)]
    if not able:
        battle.emit("no-psykers", "wh40k.psychic.phase", side=Text(f"side.{side}"))
        return
    options = [Option(u.id, None, (u.id,)) for u in able]
    options.append(Option(DONE, Text("option.done"), ends=True))

    def refuse(wish: str) -> list[Reason]:
        unit = state.units.get(wish)
        return list(objections(state, unit)) if unit is not None and unit.side == side else []

    key = yield Choose(side, "ask.psyker", options, "wh40k.psychic.sequence", "", refuse)
    if key == DONE:
        return
    battle.plan((manifest, key), psychic_phase)


@step
def manifest(battle: WhBattle, key: str) -> Steps[None]:
    """As many attempts as the unit may and wishes to make, in one go."""
    state = battle.state
    unit = state.unit(key)
    powers = castable(state, unit) if unit.where == "table" else []
    if not powers:
        unit.act("cast-over")
        return
    options = [Option(p, label(state, p), data=told(state, p)) for p in powers]
    options.append(Option(DONE, Text("option.done")))

    def refuse(wish: str) -> list[Reason]:
        if wish in state.lore.tasks:
            return list(actions.psychic_objections(state, unit, wish))
        return list(power_objections(state, unit, wish)) if wish == SMITE or wish in state.lore.powers else []

    power = yield Choose(unit.side, Text("ask.power", {"unit": key}), options, "wh40k.psychic.cast-limit", key, refuse)
    if power == DONE:
        unit.act("cast-over")
        return
    model = yield from origin(state, unit)
    battle.plan((attempt, key, model.id, power), (manifest, key))


def told(state: State, power: str) -> dict[str, Any]:
    """What a power or psychic action does, in words."""
    if power == SMITE:
        return {"text": Text("card.smite.text")}
    entry = state.lore.powers.get(power)
    return {"text": describe.power(entry) if entry is not None else state.lore.tasks[power].text}


def origin(state: State, unit: Unit) -> Steps[Model]:
    """wh40k.psychic.multi-model-origin: distances and sight are taken from one model, named before the dice."""
    if len(unit.models) == 1 or not state.applies("wh40k.psychic.multi-model-origin"):
        return unit.models[0]
    options = [Option(m.id, None, (m.id,)) for m in unit.models]
    prompt = Text("ask.casting-model", {"unit": unit.id})
    key = yield Choose(unit.side, prompt, options, "wh40k.psychic.multi-model-origin", unit.id)
    return unit.model(key)


def warp_charge(state: State, unit: Unit, power: str) -> int:
    """wh40k.psychic.smite-escalation: each attempt of the army makes its next one of this phase harder."""
    if power in state.lore.powers:
        return state.lore.powers[power].charge
    if power in state.lore.tasks:
        return state.lore.tasks[power].charge
    more = usage.count(state, SMITE, "phase", unit.side) if state.applies("wh40k.psychic.smite-escalation") else 0
    if held(state, unit, "smite-ease") and not state.applies("wh40k.psychic.smite-no-faction-exception"):
        more = 0
    return SMITE_CHARGE + more


@step
def attempt(battle: WhBattle, key: str, origin_id: str, power: str) -> Steps[None]:
    """wh40k.psychic.test, then Perils, then denying, then the effect."""
    state = battle.state
    unit = state.unit(key)
    model = unit.model(origin_id)
    charge = warp_charge(state, unit, power)
    spend(battle, unit, power)
    target = yield from aimed(state, unit, model, power)
    result, alive, more = yield from psychic_test(battle, unit, charge)
    ended = not alive and (power not in state.lore.tasks or state.applies("wh40k.action.psychic.perils"))
    passed = not ended and result >= charge
    rules: tuple[str, ...] = ()
    if power == SMITE and charge > SMITE_CHARGE:
        rules = ("wh40k.psychic.smite-escalation", "wh40k.psychic.smite-many")
    elif len(unit.models) > 1:
        rules = ("wh40k.psychic.multi-model-origin",)
    elif not unit.has("psyker"):
        rules = ("wh40k.psychic.non-psyker",)
    if power == SMITE and charge > SMITE_CHARGE and held(state, unit, "smite-ease"):
        rules = ("wh40k.psychic.smite-escalation", "wh40k.psychic.smite-no-faction-exception")
    battle.emit(
        "psychic-test",
        "wh40k.psychic.test",
        *(more or rules)[:2],
        unit=key,
        power=label(state, power),
        result=result,
        need=charge,
    )
    if not passed:
        if power in state.lore.tasks:
            actions.psychic_failed(battle, unit, power, alive)
        return
    denied = yield from deny(battle, unit, model, result, power)
    if denied:
        if power != SMITE:
            usage.spend(state, f"denied {title(state, power)}", "turn", unit.side)
        return
    battle.emit("manifested", "wh40k.psychic.manifest-conditions", unit=key, power=label(state, power))
    if power in state.lore.tasks:
        actions.psychic_completed(battle, unit, power)
    elif power == SMITE:
        if target is not None:
            text = "D6" if result >= SMITE_STRONG else "D3"
            yield from random_mortal_wounds(battle, target, text, key, unit.side, "wh40k.psychic.smite-effect")
    else:
        entry = state.lore.powers[power]
        yield from carry_out(
            battle, unit.side, unit, target, entry.does, entry.until, entry.id, "wh40k.psychic.sequence"
        )


def spend(battle: WhBattle, unit: Unit, power: str) -> None:
    """The attempt counts, whatever comes of it; and it ends an action that was being performed."""
    state = battle.state
    usage.spend(state, "cast", "phase", unit.id)
    if power == SMITE:
        usage.spend(state, SMITE, "round", unit.id)
        usage.spend(state, SMITE, "phase", unit.side)
    elif power in state.lore.tasks:
        actions.psychic_started(battle, unit, power)
        return
    else:
        usage.spend(state, f"power {title(state, power)}", "phase", unit.side)
        usage.spend(state, f"power id {power}", "phase", unit.side)
    actions.fails(battle, unit, "attempts a power")


# -- targets -------------------------------------------------------------------------------------------------------


def aimed(state: State, unit: Unit, model: Model, power: str) -> Steps[Unit | None]:
    """Whom a power is meant for: Smite the closest, others whoever the player picks; None where there is nobody."""
    if power in state.lore.tasks:
        return None
    if power == SMITE:
        found = closest_targets(state, unit, model)
        if len(found) <= 1:
            return found[0] if found else None
        rule = "wh40k.core.closest-tie-user"
    else:
        found = power_targets(state, unit, model, state.lore.powers[power])
        rule = "wh40k.psychic.sequence"
    if not found:
        return None
    if len(found) == 1:
        return found[0]
    options = [Option(foe.id, None, (foe.id,)) for foe in found]
    prompt = Text("ask.power-target", {"power": label(state, power)})

    def refuse(wish: str) -> list[Reason]:
        other = state.units.get(wish)
        return list(aim_objections(state, unit, model, power, other)) if other is not None else []

    key = yield Choose(unit.side, prompt, options, rule, unit.id, refuse)
    return state.unit(key)


def closest_targets(state: State, unit: Unit, model: Model) -> list[Unit]:
    """wh40k.psychic.smite-effect: the closest enemy unit within 18 inches and visible; several if equally close."""
    if not state.applies("wh40k.psychic.smite-effect"):
        return []
    sights = Sights(state, unit)
    reach = {foe.id: sights.gap(model, foe) for foe in enemies(state, unit)}
    best = min(reach.values(), default=math.inf)
    if best > SMITE_RANGE + TOLERANCE:
        return []
    tied = [foe for foe in enemies(state, unit) if reach[foe.id] <= best + TOLERANCE]
    return tied if state.applies("wh40k.core.closest-tie-user") else tied[:1]


def aim_objections(state: State, unit: Unit, model: Model, power: str, other: Unit) -> Iterator[Reason]:
    """Why a power is not for this unit: whose it is, what it is, how far it is, whether it is seen, who is closer."""
    entry = state.lore.powers.get(power)
    facts: dict[str, Any] = {"unit": other.id, "target": other.id, "model": model.id}
    friendly = entry is not None and entry.target != "enemy"
    if (other.side == unit.side) != friendly:
        yield Reason("wh40k.unit.friend-enemy", "", facts)
        return
    if other.where != "table":
        yield Reason("wh40k.core.on-the-battlefield", "", facts)
        return
    rule = "wh40k.psychic.smite-effect" if entry is None else "wh40k.psychic.sequence"
    reach = SMITE_RANGE if entry is None else entry.range
    facts["gap"] = gap = round(distance_to(model, other.models), 3)
    lacking = [word for word in (entry.keywords if entry is not None else ()) if not other.has(word)]
    if lacking:
        yield Reason("wh40k.unit.keywords-equal", "reason.wh40k.lacks", {**facts, "keywords": lacking})
    if gap > reach + TOLERANCE:
        yield Reason(rule, "reason.wh40k.out-of-range", {**facts, "range": reach})
    elif not friendly and (entry is None or entry.visible) and Sights(state, unit).reach(model, other) == math.inf:
        yield Reason("wh40k.shoot.true-line-of-sight", "reason.wh40k.no-sight", facts)
    elif entry is None:
        nearer = [foe.id for foe in closest_targets(state, unit, model)]
        yield Reason(rule, "reason.wh40k.nearer", {**facts, "units": nearer})


def not_aimed(state: State, unit: Unit, power: str, other: Unit) -> Iterator[Reason]:
    """Why no model of a unit can aim a power at another unit: said of the model that is nearest to it."""
    entry = state.lore.powers.get(power)
    if entry is None and power != SMITE:
        return
    for model in unit.models:
        found = closest_targets(state, unit, model) if entry is None else power_targets(state, unit, model, entry)
        if other in found:
            return
    if other.models:
        nearest = min(unit.models, key=lambda model: distance_to(model, other.models))
        yield from aim_objections(state, unit, nearest, power, other)


def power_targets(state: State, unit: Unit, model: Model, power: Power) -> list[Unit]:
    if power.target == "self":
        return [unit]
    if power.target == "enemy":
        sights = Sights(state, unit)
        near = [foe for foe in enemies(state, unit) if distance_to(model, foe.models) <= power.range + TOLERANCE]
        near = [foe for foe in near if not power.visible or sights.reach(model, foe) < math.inf]
    else:
        near = [unit, *friends(state, unit)]
        near = [mate for mate in near if mate is unit or distance_to(model, mate.models) <= power.range + TOLERANCE]
    return [found for found in near if all(found.has(word) for word in power.keywords)]
