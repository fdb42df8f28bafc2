"""Answers to a charge: defensive positions, Overwatch, heroic interventions (charge.overwatch.*, charge.heroic.*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from umpire.engine.decisions import Choose, Move, Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import actions
from umpire.games.wh40k.abilities import HOOKS, twins
from umpire.games.wh40k.closing import Closer
from umpire.games.wh40k.declaration import Declaration
from umpire.games.wh40k.measuring import UP, beside, closest_pairs, crosses, enemies, nearest_enemy, settle, to_polygon
from umpire.games.wh40k.moving import STAY
from umpire.games.wh40k.shooting import declare
from umpire.games.wh40k.state import Feature, State, Unit, WhBattle
from umpire.games.wh40k.stratagems import may_use, use
from umpire.games.wh40k.targets import inside
from umpire.games.wh40k.units import put
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

DONE = "done"
NEAR = 3.0
HOLD, DEFEND = "hold-steady", "set-to-defend"


# -- defensive positions ---------------------------------------------------------------------------------------------


def position(state: State, unit: Unit, charger: Unit) -> Feature | None:
    """The Defensible feature behind or in which a unit may take a defensive position against this charger."""
    if not unit.has("infantry") or unit.engaged:
        return None
    for feature in state.terrain:
        if not feature.has("defensible"):
            continue
        if feature.category == "area":
            fits = state.applies("wh40k.terrain.trait.defensible.area")
            if fits and all(inside(feature, m) for m in unit.models):
                return feature
        elif state.applies("wh40k.terrain.trait.defensible.obstacle"):
            near = all(to_polygon(m, feature.points) <= NEAR + TOLERANCE for m in unit.models)
            if near and any(crosses(feature.points, one, other) for one, other in closest_pairs(charger, unit)):
                return feature
    return None


@step
def take_positions(battle: WhBattle, key: str, targets: Sequence[str]) -> Steps[None]:
    """wh40k.terrain.trait.defensible.choose: exactly one of the two, before any Overwatch and before the roll."""
    state = battle.state
    charger = state.unit(key)
    for target in targets:
        unit = state.unit(target)
        feature = position(state, unit, charger)
        if feature is None or not state.applies("wh40k.terrain.trait.defensible.choose"):
            continue
        options = [
            Option(kind, Text(f"option.{kind}"), (), (f"wh40k.terrain.trait.defensible.{kind}",))
            for kind in (HOLD, DEFEND)
        ]
        prompt = Text("ask.defensible", {"unit": target, "feature": feature.id})
        choice = yield Choose(unit.side, prompt, options, "wh40k.terrain.trait.defensible.choose", target)
        kind = "area" if feature.category == "area" else "obstacle"
        rules = [f"wh40k.terrain.trait.defensible.{kind}", f"wh40k.terrain.trait.defensible.{choice}"]
        (unit.act if choice == HOLD else unit.mark)(choice)
        battle.emit("takes-position", "wh40k.terrain.trait.defensible.choose", *rules, unit=target, feature=feature.id)


# -- Overwatch -------------------------------------------------------------------------------------------------------


def overwatch_objections(state: State, unit: Unit, charger: Unit) -> Iterator[Reason]:
    """Why a declared target may not fire Overwatch, whatever lets it."""
    facts: dict[str, Any] = {"unit": unit.id, "charger": charger.id}
    if unit.engaged:
        yield Reason("wh40k.charge.overwatch.not-engaged", "", {**facts, "enemies": list(unit.engaged)})
    if DEFEND in unit.marks:
        yield Reason("wh40k.terrain.trait.defensible.set-to-defend", "", facts)


def may_overwatch(state: State, unit: Unit, charger: Unit) -> bool:
    return (
        unit.where == "table"
        and next(standing(state, overwatch_objections(state, unit, charger)), None) is None
        and bool(Declaration(state, unit, "overwatch", charger).shots)
    )


@step
def overwatch_window(battle: WhBattle, key: str, targets: Sequence[str]) -> Steps[None]:
    """wh40k.charge.overwatch.trigger: after the declaration and before the roll, by its own rule (overwatch.who) or by
    Fire Overwatch, which is for one unit."""
    state = battle.state
    charger = state.unit(key)
    if charger.where != "table":
        return
    able = [state.unit(t) for t in targets if may_overwatch(state, state.unit(t), charger)]
    free = not state.applies("wh40k.terrain.trait.defensible.no-free-overwatch")
    own = [
        u
        for u in able
        if (HOOKS.granted(state, u, "overwatch") or (free and HOLD in u.acts)) and f"overwatch-{key}" not in u.acts
    ]
    side = 1 - charger.side
    options = [Option(f"own:{u.id}", Text("option.overwatch", {"unit": u.id}), (u.id,)) for u in own]
    if may_use(state, side, "fire-overwatch"):
        options += [
            Option(
                f"pay:{u.id}",
                Text("option.fire-overwatch", {"unit": u.id}),
                (u.id,),
                ("wh40k.stratagem.fire-overwatch",),
            )
            for u in able
            if u not in own and f"overwatch-{key}" not in u.acts
        ]
    if not options:
        return
    options.append(Option("pass", Text("option.pass"), passes=True))

    def refuse(wish: str) -> list[Reason]:
        unit = state.units.get(wish.partition(":")[2])
        if unit is None:
            return []
        if unit.side != side:
            return [Reason("wh40k.unit.friend-enemy", "", {"unit": unit.id})]
        if unit.id not in targets:
            return [Reason("wh40k.charge.overwatch.trigger", "", {"unit": unit.id})]
        found = list(overwatch_objections(state, unit, charger))
        rule = "wh40k.charge.overwatch.who"
        if HOLD in unit.acts:
            rule = "wh40k.terrain.trait.defensible.no-free-overwatch"
        return found or [Reason(rule, "", {"unit": unit.id})]

    prompt = Text("ask.overwatch", {"charger": key})
    choice = yield Choose(side, prompt, options, "wh40k.charge.overwatch.trigger", key, refuse)
    if choice == "pass":
        return
    how, _, who = choice.partition(":")
    if how == "pay":
        use(battle, side, "fire-overwatch", unit=who)
    battle.plan((fire_overwatch, who, key), (overwatch_window, key, targets))


@step
def fire_overwatch(battle: WhBattle, key: str, charger: str) -> Steps[None]:
    """wh40k.charge.overwatch.resolution: ordinary shooting at the charger alone, but for the hit rolls."""
    state = battle.state
    unit, foe = state.unit(key), state.unit(charger)
    unit.act(f"overwatch-{charger}")
    if unit.where != "table" or foe.where != "table":
        return
    rules = ["wh40k.charge.overwatch.who", "wh40k.charge.overwatch.resolution"]
    rules.append("wh40k.charge.overwatch.ignore-closest-rules" if foe.has("character") else "wh40k.turn.out-of-phase")
    battle.emit("overwatch", *rules, unit=key, charger=charger)
    yield from declare(battle, unit, Declaration(state, unit, "overwatch", foe))


# -- heroic interventions --------------------------------------------------------------------------------------------


def heroic_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not perform a heroic intervention."""
    facts: dict[str, Any] = {"unit": unit.id}
    if unit.side == state.active:
        yield Reason("wh40k.charge.heroic.who", "", facts)
    if not unit.has("character") and not HOOKS.granted(state, unit, "intervene"):
        yield Reason("wh40k.charge.heroic.eligible.character", "", facts)
    if unit.engaged:
        yield Reason("wh40k.charge.heroic.eligible.not-engaged", "", {**facts, "enemies": list(unit.engaged)})
    if "intervened" in unit.marks:
        yield Reason("wh40k.charge.heroic.sequence", "", facts)
    for mark, rule in (
        ("wrecked", "wh40k.move.transport-destroyed-restrictions"),
        ("emergency", "wh40k.stratagem.emergency-disembarkation.no-charge"),
        ("oversized", "wh40k.reserves.oversized.limits"),
    ):
        if mark in unit.marks:
            yield from twins(state, facts, "wh40k.charge.heroic.barred", rule)
    if not any(beside(m, o, NEAR, UP) for foe in enemies(state, unit) for m in unit.models for o in foe.models):
        yield Reason("wh40k.charge.heroic.eligible.distance", "", {**facts, **nearest_enemy(state, unit)})


@step
def heroic_interventions(battle: WhBattle) -> Steps[None]:
    """wh40k.charge.heroic.sequence: one unit after the other, as many as the opponent wishes."""
    state = battle.state
    state.step = "heroic-interventions"
    side = 1 - state.active
    able = [u for u in state.army(side) if next(standing(state, heroic_objections(state, u)), None) is None]
    able = [u for u in able if "heroic-tried" not in u.acts]
    if not able:
        return
    if not any("heroic-tried" in u.acts for u in state.army(side)):
        rules = ("wh40k.charge.heroic.who", "wh40k.charge.heroic.sequence", "wh40k.charge.heroic.eligible.distance")
        battle.emit("heroes", *rules, side=Text(f"side.{side}"), units=[u.id for u in able])
    options = [Option(u.id, None, (u.id,)) for u in able]
    options.append(Option(DONE, Text("option.done")))

    def refuse(wish: str) -> list[Reason]:
        unit = state.units.get(wish)
        return list(heroic_objections(state, unit)) if unit is not None and unit.on_table else []

    key = yield Choose(side, "ask.heroic", options, "wh40k.charge.heroic.who", "", refuse)
    if key != DONE:
        battle.plan((intervene, key), heroic_interventions)


@step
def intervene(battle: WhBattle, key: str) -> Steps[None]:
    """wh40k.charge.heroic.move: up to 3 inches, every model that moves nearer to the enemy that was nearest to it."""
    state = battle.state
    unit = state.unit(key)
    unit.act("heroic-tried")
    closer = Closer(state, unit, "heroic")
    answer = yield Move(
        unit.side, Text("ask.heroic-move", {"unit": key}), closer, None, "wh40k.charge.heroic.move", key, dict(STAY)
    )
    plan = closer.plan(answer)
    if not plan.ends:
        return
    actions.fails(battle, unit, "intervenes")
    put(unit, plan.ends)
    unit.mark("intervened")
    settle(state)
    battle.emit(
        "intervened",
        "wh40k.charge.heroic.move",
        "wh40k.charge.heroic.closer",
        "wh40k.charge.heroic.consequences",
        unit=key,
    )
