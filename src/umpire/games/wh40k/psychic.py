"""The Psychic phase: Psychic tests, Perils of the Warp, denying, Smite (psychic.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from umpire.engine import usage
from umpire.engine.decisions import Choose, Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.engine.throwing import throw
from umpire.games.wh40k.abilities import HOOKS, Asking, twins
from umpire.games.wh40k.damage import random_mortal_wounds
from umpire.games.wh40k.dice import reroll_by_rule
from umpire.games.wh40k.measuring import enemies, within
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.targets import Sights
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

DONE = "done"
SMITE = "smite"
SMITE_CHARGE, SMITE_RANGE, SMITE_STRONG = 5, 18.0, 11
DENY_RANGE, BURST = 24.0, 6.0


def caster(unit: Unit) -> bool:
    """wh40k.psychic.non-psyker: who may cast as if it were a Psyker counts as one here."""
    return unit.sheet.psychic is not None and unit.sheet.psychic.casts > 0


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
    if psychic is None or usage.count(state, "cast", "phase", unit.id) >= psychic.casts:
        yield Reason("wh40k.psychic.cast-limit", "", facts)


def power_objections(state: State, unit: Unit, power: str) -> Iterator[Reason]:
    facts = {"unit": unit.id, "power": power}
    if power == SMITE:
        if usage.count(state, SMITE, "round", unit.id):
            yield Reason("wh40k.psychic.smite-once-per-psyker", "", facts)
        return
    if power not in unit.powers:
        yield Reason("wh40k.psychic.cast-limit", "reason.wh40k.unknown-power", facts)
    if usage.count(state, f"power-{power}", "phase", unit.side):
        yield Reason("wh40k.psychic.power-once", "", facts)


@step
def psychic_phase(battle: WhBattle) -> Steps[None]:
    """wh40k.psychic.sequence: one Psyker after the other; who has been left is done."""
    state = battle.state
    side = state.active
    able = [u for u in state.army(side) if caster(u) and castable(state, u)]
    if not able:
        return
    options = [Option(u.id, None, (u.id,)) for u in able]
    options.append(Option(DONE, Text("option.done")))

    def refuse(wish: str) -> list[Reason]:
        unit = state.units.get(wish)
        return list(objections(state, unit)) if unit is not None and unit.side == side else []

    key = yield Choose(side, "ask.psyker", options, "wh40k.psychic.sequence", "", refuse)
    if key == DONE:
        return
    battle.plan((manifest, key), psychic_phase)


def castable(state: State, unit: Unit) -> list[str]:
    """The powers that it may attempt now."""
    if next(standing(state, objections(state, unit)), None) is not None:
        return []
    known = (SMITE, *unit.powers)
    return [p for p in known if next(standing(state, power_objections(state, unit, p)), None) is None]


@step
def manifest(battle: WhBattle, key: str) -> Steps[None]:
    state = battle.state
    unit = state.unit(key)
    powers = castable(state, unit) if unit.where == "table" else []
    if not powers:
        unit.act("cast-over")
        return
    options = [Option(p, Text(f"power.{p}")) for p in powers] + [Option(DONE, Text("option.done"))]

    def refuse(wish: str) -> list[Reason]:
        return list(power_objections(state, unit, wish)) if wish == SMITE or wish in unit.powers else []

    power = yield Choose(unit.side, Text("ask.power", {"unit": key}), options, "wh40k.psychic.cast-limit", key, refuse)
    if power == DONE:
        unit.act("cast-over")
        return
    model = yield from casting_model(unit)
    battle.plan((attempt, key, model.id, power), (manifest, key))


def casting_model(unit: Unit) -> Steps[Model]:
    """wh40k.psychic.multi-model-origin: distances and sight are taken from one model, named beforehand."""
    if len(unit.models) == 1:
        return unit.models[0]
    options = [Option(m.id, None, (m.id,)) for m in unit.models]
    key = yield Choose(
        unit.side, Text("ask.casting-model", {"unit": unit.id}), options, "wh40k.psychic.multi-model-origin"
    )
    return unit.model(key)


def warp_charge(state: State, unit: Unit, power: str) -> int:
    """wh40k.psychic.smite-escalation: each attempt makes the next one of this phase harder."""
    more = 0
    if state.applies("wh40k.psychic.smite-escalation"):
        more = usage.count(state, "smite", "phase", unit.side)
    return SMITE_CHARGE + more


@step
def attempt(battle: WhBattle, key: str, model_id: str, power: str) -> Steps[None]:
    """wh40k.psychic.test, then Perils, then denying, then the effect."""
    state = battle.state
    unit = state.unit(key)
    charge = warp_charge(state, unit, power)
    usage.spend(state, "cast", "phase", key)
    if power == SMITE:
        usage.spend(state, SMITE, "round", key)
        usage.spend(state, "smite", "phase", unit.side)
    else:
        usage.spend(state, f"power-{power}", "phase", unit.side)
    target = closest_target(state, unit, unit.model(model_id)) if power == SMITE else None
    roll = yield from throw(battle, 2, "psychic", "wh40k.psychic.test", side=unit.side, who=key, need=charge)
    query = Asking(state, "psychic", roll.natural, unit)
    if roll.natural < charge:
        roll = reroll_by_rule(battle, roll, HOOKS.rerolls(query, "psychic"), [True, True])
    query.base = roll.natural
    result = int(HOOKS.number(query).total)
    alive = True
    if roll.faces[0] == roll.faces[1] and roll.faces[0] in (1, 6) and state.applies("wh40k.psychic.perils"):
        alive = yield from perils(battle, unit)
    passed = alive and result >= charge
    rules = ("wh40k.psychic.smite-escalation",) if charge > SMITE_CHARGE and power == SMITE else ()
    battle.emit(
        "psychic-test",
        "wh40k.psychic.test",
        *rules,
        unit=key,
        power=Text(f"power.{power}"),
        result=result,
        need=charge,
        passed=passed,
    )
    if not passed:
        return
    denied = yield from deny(battle, unit, unit.model(model_id), result)
    if denied:
        return
    battle.emit("manifested", "wh40k.psychic.manifest-conditions", unit=key, power=Text(f"power.{power}"))
    if target is not None and target.where == "table":
        text = "D6" if result >= SMITE_STRONG else "D3"
        yield from random_mortal_wounds(battle, target, text, key, unit.side, "wh40k.psychic.smite-effect")


def closest_target(state: State, unit: Unit, model: Model) -> Unit | None:
    """wh40k.psychic.smite-effect: the closest enemy unit that is within 18 inches and visible."""
    sights = Sights(state, unit)
    best, found = math.inf, None
    for foe in enemies(state, unit):
        far = sights.reach(model, foe)
        if far <= SMITE_RANGE + TOLERANCE and far < best:
            best, found = far, foe
    return found


def perils(battle: WhBattle, unit: Unit) -> Steps[bool]:
    """wh40k.psychic.perils: D3 mortal wounds; does the Psyker live? Its end harms everybody near."""
    state = battle.state
    around = list(unit.models)
    yield from random_mortal_wounds(battle, unit, "D3", "", unit.side, "wh40k.psychic.perils")
    if unit.where == "table":
        return True
    last = next((m for m in unit.dead if m.id == unit.died[-1]), around[-1])
    near = [u for u in state.units.values() if u.where == "table" and any(within(last, m, BURST) for m in u.models)]
    battle.emit("perils-burst", "wh40k.psychic.perils-destroyed", unit=unit.id, units=[u.id for u in near])
    for other in near:
        yield from random_mortal_wounds(battle, other, "D3", "", unit.side, "wh40k.psychic.perils-destroyed")
    return False


def deniers(state: State, side: int, model: Model) -> list[Unit]:
    """wh40k.psychic.deny: units with a deny left within 24 inches of the casting model."""
    found = []
    for unit in state.army(1 - side):
        psychic = unit.sheet.psychic
        if psychic is None or "oversized" in unit.marks:
            continue
        if usage.count(state, "deny", "phase", unit.id) >= psychic.denies and state.applies("wh40k.psychic.deny-limit"):
            continue
        if any(within(m, model, DENY_RANGE) for m in unit.models):
            found.append(unit)
    return found


def deny(battle: WhBattle, unit: Unit, model: Model, result: int) -> Steps[bool]:
    """One attempt at most: 2D6, and only more than the test denies (wh40k.psychic.deny-once)."""
    state = battle.state
    if not state.applies("wh40k.psychic.deny"):
        return False
    able = deniers(state, unit.side, model)
    if not able:
        return False
    options = [Option(u.id, None, (u.id,)) for u in able] + [Option("pass", Text("option.pass"))]
    prompt = Text("ask.deny", {"unit": unit.id, "result": result})
    key = yield Choose(1 - unit.side, prompt, options, "wh40k.psychic.deny", unit.id)
    if key == "pass":
        return False
    denier = state.unit(key)
    usage.spend(state, "deny", "phase", key)
    roll = yield from throw(battle, 2, "deny", "wh40k.psychic.deny", side=denier.side, who=key, need=result + 1)
    total = int(HOOKS.number(Asking(state, "deny", roll.natural, denier)).total)
    denied = total > result
    battle.emit("denied" if denied else "not-denied", "wh40k.psychic.deny", unit=key, result=total, against=result)
    return denied
