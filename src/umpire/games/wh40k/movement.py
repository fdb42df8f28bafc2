"""The Movement phase: normal moves, advances, falling back, standing still (move.options-*, move.normal, …)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from umpire.engine.decisions import Choose, Move, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import actions, aircraft, transports
from umpire.games.wh40k.abilities import Asking, changed, rerolls
from umpire.games.wh40k.characteristics import number, printed, value
from umpire.games.wh40k.core_stratagems import breakout_losses, breakout_objections, breakout_offers, cut_them_down
from umpire.games.wh40k.damage import slay
from umpire.games.wh40k.dice import rolled, standing_roll
from umpire.games.wh40k.ground import floors, overhangs
from umpire.games.wh40k.measuring import enemies, engages, settle
from umpire.games.wh40k.moving import KINDS, STAY, Limits, Mover
from umpire.games.wh40k.placing import set_up_reasons
from umpire.games.wh40k.profiles import amount
from umpire.games.wh40k.reinforcements import reinforcements_step
from umpire.games.wh40k.state import Feature, Model, Moved, State, Unit, WhBattle
from umpire.games.wh40k.stratagems import use
from umpire.games.wh40k.units import coherent, put
from umpire.space.angles import sin_cos
from umpire.text import Text

DONE = "done"
MOVES = ("normal", "advance", "fall-back", "stationary")


def objections(state: State, unit: Unit, kind: str) -> Iterator[Reason]:
    """Why a unit may not be selected for this kind of move."""
    facts: dict[str, Any] = {"unit": unit.id}
    if state.phase == "movement" and state.step == "reinforcements":
        yield Reason("wh40k.move.phase-steps", "reason.wh40k.moves-over", facts)
    if "moved" in unit.acts:
        yield Reason("wh40k.move.select-unit", "", facts)
    yield from set_up_reasons(state, unit)
    if kind == "fall-back" and not unit.engaged:
        yield Reason("wh40k.move.options-not-engaged", "", facts)
    if kind in ("normal", "advance") and unit.engaged and not aircraft.free_to_move(state, unit):
        yield Reason("wh40k.move.options-engaged", "", {**facts, "enemies": list(unit.engaged)})
    if kind != "stationary" and not any(printed(state, unit, m, "m") for m in unit.models):
        yield Reason("wh40k.unit.modifier-dash", "", facts)
    elif kind == "fall-back" and unit.engaged:
        stuck = trapped(state, unit)
        if stuck:
            yield Reason("wh40k.move.fall-back-all-or-none", "", {**facts, "model": stuck})


def may_move(state: State, unit: Unit, kind: str) -> bool:
    return next(standing(state, objections(state, unit, kind)), None) is None


def trapped(state: State, unit: Unit) -> str:
    """wh40k.move.fall-back-all-or-none: a model that nowhere within its Move could end clear of the enemy, proved."""
    stuck = at_best(state, unit, "fall-back").trapped()
    return stuck.id if stuck is not None else ""


def at_best(state: State, unit: Unit, kind: str) -> Mover:
    """A move with the best of its dice."""
    more = 6 if kind == "advance" else 0
    far = {m.id: float(_most(state, unit, m.id) + more) for m in unit.models}
    return Mover(state, unit, _limits(unit, kind, far, aircraft.least(state, unit)), kind)


def _most(state: State, unit: Unit, key: str) -> int:
    model = unit.model(key)
    text = amount(printed(state, unit, model, "m"))
    return value(state, unit, model, "m", base=text.most if text.random else text.plus)


def _limits(unit: Unit, kind: str, far: dict[str, float], least: float = 0.0) -> Limits:
    words = KINDS[kind]
    return Limits(
        allowance=max(far.values()),
        rule=words.rule,
        cross=kind == "fall-back",
        crossing=words.crossing,
        ending=words.ending,
        each=far,
        least=least,
        short="wh40k.move.aircraft-minimum",
    )


# -- the phase -----------------------------------------------------------------------------------------------------


@step
def movement_phase(battle: WhBattle) -> None:
    """wh40k.move.phase-steps: Move Units, then Reinforcements."""
    state = battle.state
    state.step = "move-units"
    for unit in state.units.values():
        unit.began_aboard = unit.where == "aboard"
    battle.emit("movement", "wh40k.move.phase-steps", side=Text(f"side.{state.active}"))
    battle.plan(move_units, stand_still, reinforcements_step)


@step
def move_units(battle: WhBattle) -> Steps[None]:
    """wh40k.move.select-unit: one unit after the other, each once; passengers get out, the hard-pressed break out."""
    state = battle.state
    side = state.active
    options = battle.know(lambda: offers(state, side))
    if not options:
        return

    def refuse(wish: str) -> list[Reason]:
        if wish == DONE:
            bound = aircraft.must_still_move(state, side)
            return [Reason("wh40k.move.aircraft-minimum", "reason.wh40k.must-fly", {"unit": u.id}) for u in bound]
        kind, _, key = wish.partition(":")
        unit = state.units.get(key)
        if unit is None or unit.side != side:
            return []
        if kind == "disembark":
            return list(transports.disembark_objections(state, unit))
        if kind == "leave":
            return list(aircraft.leave_objections(state, unit))
        if kind == "breakout":
            return list(breakout_objections(state, unit))
        if kind in MOVES and unit.where == "aboard":
            return [Reason("wh40k.move.transport-no-interaction", "", {"unit": key})]
        if kind not in MOVES or not unit.on_table:
            return [Reason("wh40k.core.on-the-battlefield", "", {"unit": key})] if kind in MOVES else []
        return list(objections(state, unit, kind))

    def propose(rng: Rng) -> str:
        keys = [option.id for option in options]
        return keys[rng.below(len(keys))] if rng.below(3) else keys[0]

    choice = yield Choose(side, "ask.move-unit", options, "wh40k.move.select-unit", "", refuse, None, propose)
    if choice == DONE:
        return
    kind, _, key = choice.partition(":")
    first = {
        "disembark": (transports.disembark, key),
        "leave": (aircraft.leave, key),
        "breakout": (break_out, key),
    }.get(kind, (move_unit, key, kind))
    battle.plan(first, move_units)


def offers(state: State, side: int) -> list[Option]:
    """Every move that a unit may be selected for, and being done; nothing where there is none."""
    options: list[Option] = []
    for unit in state.army(side):
        for kind in MOVES[:-1]:
            if may_move(state, unit, kind):
                deed = Text(f"move.{kind}")
                label = Text("option.move", {"unit": unit.id, "kind": deed})
                drag = kind == ("fall-back" if unit.engaged else "normal")
                rules = (KINDS[kind].rule,)
                options.append(
                    Option(f"{kind}:{unit.id}", label, (unit.id,), rules, unit=unit.id, deed=deed, drag=drag)
                )
        if unit.has("aircraft") and aircraft.may_leave(state, unit):
            label = Text("option.leave", {"unit": unit.id})
            options.append(Option(f"leave:{unit.id}", label, (unit.id,), ("wh40k.reserves.aircraft.leave",)))
    options += transports.disembarking(state, side)
    options += breakout_offers(state, side)
    if not options or aircraft.must_still_move(state, side):
        return options
    return [*options, Option(DONE, Text("option.done"), ends=True)]


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
        found = number(state, unit, model, "m", base=base)
        once[model.row] = int(found.total)
        if found.changes:
            rules = [*found.rules]
            if unit.has("aircraft"):
                rules.insert(0, "wh40k.move.aircraft-two-moves")
            battle.emit("pace", *rules[:2], unit=unit.id, inches=once[model.row])
        far[model.id] = float(once[model.row] + more)
    return far


@step
def move_unit(battle: WhBattle, key: str, kind: Moved) -> Steps[None]:
    """wh40k.move.advance: the die comes after the choice, and there is no way back."""
    state = battle.state
    unit = state.unit(key)
    unit.act("moved")
    unit.move = kind
    if kind != "stationary":
        actions.fails(battle, unit, "moves")
    transports.passengers_move(state, unit)
    if unit.engaged and kind != "fall-back":
        free = "wh40k.move.aircraft-engaged-move" if unit.has("aircraft") else "wh40k.move.engaged-by-aircraft-only"
        battle.emit("slips-away", free, unit=key, enemies=list(unit.engaged))
    more = 0
    if kind == "advance" or (kind == "fall-back" and not state.applies("wh40k.move.fall-back-no-advance")):
        roll = battle.roll(1, "advance", "wh40k.move.advance", side=unit.side, who=key)
        query = Asking(state, "advance", 0, unit)
        roll = yield from standing_roll(battle, roll, rerolls(query, "advance"), [roll.faces[0] <= 2])
        query.base = roll.faces[0]
        change = changed(query)
        more = max(1, int(change.total)) if state.applies("wh40k.dice.minimum-one") else int(change.total)
    if kind == "fall-back":
        yield from cut_them_down(battle, unit)
        if unit.where != "table":
            return
    far = yield from allowances(battle, unit, more)
    mover = Mover(state, unit, _limits(unit, kind, far, aircraft.least(state, unit)), kind)
    forced = state.applies("wh40k.reserves.aircraft.forced") and state.applies("wh40k.move.aircraft-leaves")
    if unit.has("aircraft") and forced and not battle.know(lambda: aircraft.can_complete(mover)):
        aircraft.forced_off(battle, unit)
        return
    if kind == "fall-back" and battle.know(lambda: mover.trapped() is not None):
        give_up(battle, unit)
        return
    yield from ask_move(battle, unit, mover, kind, far)
    if unit.where == "table" and unit.move in ("normal", "advance", "fall-back"):
        yield from transports.embark_after(battle, unit)


@step
def break_out(battle: WhBattle, key: str) -> Steps[None]:
    """wh40k.stratagem.desperate-breakout.fall-back: through enemy models; who ends in Engagement Range is destroyed."""
    state = battle.state
    unit = state.unit(key)
    use(battle, unit.side, "desperate-breakout", unit=key)
    unit.act("moved")
    actions.fails(battle, unit, "falls back")
    yield from breakout_losses(battle, unit)
    if unit.where != "table":
        return
    unit.mark("broke-out")
    unit.move = "fall-back"
    yield from cut_them_down(battle, unit)
    if unit.where != "table":
        return
    far = yield from allowances(battle, unit)
    limits = Limits(max(far.values()), "wh40k.move.fall-back", cross=True, end=True, each=far, unseen=True)
    mover = Mover(state, unit, limits, "fall-back")
    yield from ask_move(battle, unit, mover, "break-out", far)
    rule = "wh40k.stratagem.desperate-breakout.fall-back"
    caught = [m.id for m in unit.models if any(engages(m, o) for foe in enemies(state, unit) for o in foe.models)]
    if caught and state.applies(rule):
        battle.emit("caught", rule, unit=key, models=caught)
        yield from slay(battle, unit, caught, "")


def give_up(battle: WhBattle, unit: Unit) -> None:
    """A Fall Back that cannot be made: the unit stays, and counts as having Remained Stationary."""
    unit.move = "stationary"
    battle.emit("trapped", "wh40k.move.fall-back-all-or-none", unit=unit.id)


def ask_move(battle: WhBattle, unit: Unit, mover: Mover, kind: str, far: dict[str, float]) -> Steps[None]:
    """Ask for the move and carry it out. Who cannot or will not move stays; a Fall Back then comes to nothing, and so
    does every move of a unit that it leaves broken up (wh40k.unit.coherency-illegal)."""
    state = battle.state
    found = battle.know(lambda: way_out(mover)) if kind == "fall-back" or mover.limits.least else None
    mover.bound = mover.limits.least > 0 and found is not None
    goals = [(o.x, o.y) for o in state.objectives]

    def propose(rng: Rng) -> Any:
        wish = aircraft.flight(mover, rng) if mover.limits.least else mover.wander(rng, goals)
        if "to" in wish and rng.below(6) == 0:
            wish = varied(mover, wish, rng)
        return found if found is not None and (wish == STAY or not mover.fits(wish)) else wish

    answer = yield Move(
        unit.side,
        Text("ask.move", {"unit": unit.id, "kind": Text(f"move.{kind}"), "inches": max(far.values())}),
        mover,
        propose,
        mover.limits.rule,
        unit.id,
        found or dict(STAY),
    )
    plan = mover.plan(answer)
    moved = [m.id for m in unit.models if m.id in plan.ends and plan.ends[m.id] is not m]
    turned = any(plan.ends[m.id].facing != m.facing for m in unit.models if m.id in plan.ends and m.r != m.q)
    rules = _rules(mover, unit, plan.used, moved, turned, [plan.ends[key] for key in moved])
    if not plan.ends:
        if mover.limits.least:  # nobody has found a way that is long enough
            aircraft.forced_off(battle, unit)
            return
        if kind == "fall-back":
            give_up(battle, unit)
            return
        if not coherent(state, unit.models) and state.applies("wh40k.unit.coherency-illegal"):
            unit.move = "stationary"
            battle.emit("stays", "wh40k.unit.coherency-illegal", unit=unit.id)
            return
    put(unit, plan.ends)
    settle(state)
    battle.emit("moved", *rules, unit=unit.id, move=Text(f"move.{kind}"), models=len(moved))


def varied(mover: Mover, wish: dict[str, Any], rng: Rng) -> dict[str, Any]:
    """The same move with a turn, or without some of the models."""
    unit = mover.unit
    other: dict[str, Any] = {"to": {**wish["to"], "facing": float(rng.below(24) * 15)}}
    if rng.below(2) and len(unit.models) > 1:
        ends = mover.plan(wish).ends
        kept = rng.sample(list(ends), max(1, len(ends) // 2))
        other = {"models": {key: {"x": ends[key].x, "y": ends[key].y} for key in kept}}
    return other if mover.fits(other) else wish


def _rules(
    mover: Mover, unit: Unit, used: tuple[str, ...], moved: list[str], turned: bool, ends: Sequence[Model]
) -> list[str]:
    """The rules to cite for a move: its own, and at most two that the way made use of."""
    more = list(dict.fromkeys(used))
    if mover.glides and any(m.z for m in unit.models):
        more.append("wh40k.move.fly-vertical")
    elif mover.fly:
        more.append("wh40k.move.aircraft-has-fly" if unit.has("aircraft") else "wh40k.move.fly-over-models")
    elif mover.through:
        more.append("wh40k.move.through-models-scope")
        if mover.near_by.foes:
            more.append("wh40k.move.through-models-engagement")
    if mover.passed_aircraft:
        more.insert(0, "wh40k.move.aircraft-others-pass")
    if transports.has_passengers(mover.state, unit):
        more.insert(0, "wh40k.move.transport-inherit-move")
    if mover.kind == "fall-back":
        more.append("wh40k.move.fall-back-no-advance")
    if "disembarked" in unit.marks:
        more.insert(0, "wh40k.move.transport-disembark-act")
    if turned:
        more[:0] = ["wh40k.move.rotate-freely", "wh40k.move.distance-furthest-part"]
    if 0 < len(moved) < len(unit.models):
        more.append("wh40k.move.any-models")
    if not mover.fly and any(m.z >= 1.0 and _wobbles(mover.terrain, m) for m in ends):
        more.insert(0, "wh40k.core.wobbly-model")
    if mover.fly and mover.slowing:
        more.append("wh40k.terrain.trait.difficult-ground.fly")
    return [mover.limits.rule, *more[:2]]


def _wobbles(features: Sequence[Feature], model: Model) -> bool:
    return any(on is not None and z == model.z and overhangs(on, model, z) for z, on in floors(features, model))


def way_out(mover: Mover) -> dict[str, Any] | None:
    """A legal move of the whole unit: as one body, or each model to its own haven and the rest after it."""
    unit = mover.unit
    for part in (1.0, 0.7, 0.4):
        for n in range(16):
            s, c = sin_cos(22.5 * n)
            far = mover.limits.allowance * part
            wish = {"to": {"x": round(unit.cx + s * far, 3), "y": round(unit.cy + c * far, 3)}}
            whole = mover.weigh(mover.carried(wish["to"]["x"], wish["to"]["y"]), {}, rigid=True, brief=True)
            if not whole[0] or (part == 1.0 and n % 4 == 0 and mover.fits(wish)):
                return wish
    for m in unit.models:
        place = mover.haven(m)
        way = None if place is None else mover.way_to(m, *place)
        if place is not None and way is not None:
            end = mover.try_way(m, place, way)
            found = None if end is None else mover.follow([(end, way)])
            if found is not None:
                return found
    return None


@step
def stand_still(battle: WhBattle) -> None:
    """wh40k.move.remain-stationary-default: who was not selected has Remained Stationary; who got out of a Transport,
    arrived or was set up again this turn never has (wh40k.move.transport-disembark-moved)."""
    state = battle.state
    stood = []
    for unit in state.army(state.active):
        if unit.move or "moved" in unit.acts:
            continue
        if any(mark in unit.marks for mark in ("disembarked", "arrived", "redeployed")):
            continue
        unit.move = "stationary"
        transports.passengers_move(state, unit)
        stood.append(unit.id)
    if stood:
        battle.emit("stood", "wh40k.move.remain-stationary-default", "wh40k.move.remain-stationary", units=stood)
