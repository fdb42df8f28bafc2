"""The Charge phase: who may charge, targets, the roll, the move (charge.*)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.decisions import Choose, ChooseSeveral, Move, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import actions
from umpire.games.wh40k.abilities import HOOKS, Asking, changed, rerolls, rounded, twins
from umpire.games.wh40k.defenders import heroic_interventions, overwatch_window, take_positions
from umpire.games.wh40k.dice import CAP, test_of_two
from umpire.games.wh40k.measuring import (
    ENGAGEMENT,
    crosses,
    enemies,
    engages,
    gap,
    measured,
    nearest_enemy,
    settle,
    to_polygon,
    unit_gap,
    units_near,
    within,
)
from umpire.games.wh40k.moving import KINDS, STAY, Ends, Limits, Mover
from umpire.games.wh40k.reaching import unreachable
from umpire.games.wh40k.state import Feature, Model, State, Unit, WhBattle
from umpire.games.wh40k.units import put
from umpire.miniatures.loose.groups import closest
from umpire.miniatures.loose.mover import CLEAR
from umpire.space.angles import sin_cos
from umpire.space.plain import Point, point_polygon
from umpire.space.shapes import TOLERANCE, snap
from umpire.text import Text

DONE = "done"
FAR = 12.0
ACROSS = 2.0
"""How far a Defence Line lets a charge end from its target."""
BARRED = {
    "wrecked": "wh40k.move.transport-destroyed-restrictions",
    "emergency": "wh40k.stratagem.emergency-disembarkation.no-charge",
    "broke-out": "wh40k.stratagem.desperate-breakout.no-action",
    "oversized": "wh40k.reserves.oversized.limits",
    "flew-in": "wh40k.reserves.aircraft.no-charge",
}


def objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not be selected to charge."""
    facts: dict[str, Any] = {"unit": unit.id}
    if "charge-tried" in unit.acts:
        yield Reason("wh40k.charge.once-per-phase", "", facts)
    if unit.move == "advance" and not HOOKS.granted(state, unit, "advance-charge"):
        yield from twins(state, facts, "wh40k.charge.eligible.no-advance", "wh40k.move.advance-no-shoot-charge")
    if unit.move == "fall-back" and not HOOKS.granted(state, unit, "fall-back-charge"):
        yield from twins(state, facts, "wh40k.charge.eligible.no-fall-back", "wh40k.move.fall-back-no-charge")
    if unit.engaged:
        yield Reason("wh40k.charge.eligible.not-engaged", "", {**facts, "enemies": list(unit.engaged)})
    for mark, rule in BARRED.items():
        if mark in unit.marks:
            yield from twins(state, facts, "wh40k.charge.eligible.barred", rule)
    if not any(units_near(unit, foe, FAR) for foe in enemies(state, unit)):
        yield Reason("wh40k.charge.eligible.range", "", {**facts, **nearest_enemy(state, unit), "allowed": FAR})


def target_objections(unit: Unit, foe: Unit) -> Iterator[Reason]:
    """Why a unit may not declare a charge against another (wh40k.charge.targets.declare)."""
    if foe.side == unit.side:
        yield Reason("wh40k.unit.friend-enemy", "", {"unit": foe.id})
    elif foe.where != "table":
        yield Reason("wh40k.core.on-the-battlefield", "", {"unit": foe.id})
    elif not units_near(unit, foe, FAR):
        facts = {"unit": foe.id, "distance": round(unit_gap(unit, foe), 3), "allowed": FAR}
        yield Reason("wh40k.charge.targets.declare", "", facts)


def may_charge(state: State, unit: Unit) -> bool:
    return next(standing(state, objections(state, unit)), None) is None


@step
def charge_phase(battle: WhBattle) -> None:
    """wh40k.charge.phase.steps: Charges of the active player, then Heroic Interventions of the other."""
    battle.state.step = "charges"
    battle.emit(
        "charges", "wh40k.charge.phase.steps", "wh40k.charge.sequence", side=Text(f"side.{battle.state.active}")
    )
    battle.plan(charges, heroic_interventions)


@step
def charges(battle: WhBattle) -> Steps[None]:
    """wh40k.charge.sequence: one unit is taken through all of it before the next is selected; nobody has to
    (wh40k.charge.optional)."""
    state = battle.state
    side = state.active
    able = battle.know(lambda: [unit.id for unit in state.army(side) if may_charge(state, unit)])
    if not able:
        return
    options = [Option(key, None, (key,), unit=key, drop=True) for key in able]
    options.append(Option(DONE, Text("option.done"), (), ("wh40k.charge.optional",), ends=True))

    def refuse(wish: str) -> list[Reason]:
        unit = state.units.get(wish)
        return list(objections(state, unit)) if unit is not None and unit.side == side and unit.on_table else []

    key = yield Choose(side, "ask.charge", options, "wh40k.charge.sequence", "", refuse)
    if key == DONE:
        battle.emit("no-more-charges", "wh40k.charge.optional", side=Text(f"side.{side}"))
        return
    battle.plan((declare_charge, key), charges)


@step
def declare_charge(battle: WhBattle, key: str) -> Steps[None]:
    """wh40k.charge.targets.declare: one or more enemy units within 12 inches, seen or unseen
    (wh40k.charge.targets.visibility)."""
    state = battle.state
    unit = state.unit(key)
    near = [foe for foe in enemies(state, unit) if units_near(unit, foe, FAR)]
    unit.act("charge-tried")

    def propose(rng: Rng) -> list[str]:
        ranked = sorted(near, key=lambda foe: unit_gap(unit, foe))
        return [foe.id for foe in ranked[: 2 if rng.below(6) == 0 else 1]]

    def refuse(wish: str) -> list[Reason]:
        return list(target_objections(unit, state.unit(wish))) if wish in state.units else []

    chosen = yield ChooseSeveral(
        unit.side,
        Text("ask.charge-targets", {"unit": key}),
        [Option(foe.id, None, (foe.id,)) for foe in near],
        1,
        None,
        "wh40k.charge.targets.declare",
        key,
        None,
        propose,
        refuse=refuse,
    )
    targets = tuple(chosen)
    actions.fails(battle, unit, "declares a charge")
    rules = ["wh40k.charge.targets.declare", *measured(unit, state.unit(targets[0]))[len(targets) % 2 :][:1]]
    _, one, other = closest(unit, state.unit(targets[0]))
    unseen = any(f.has("obscuring") and crosses(f.points, one, other) for f in state.terrain)
    rules.append("wh40k.charge.targets.visibility" if unseen else "wh40k.core.within")
    leave = {"advance": "advance-charge", "fall-back": "fall-back-charge"}.get(unit.move)
    if leave is not None:  # only a narrower rule lets it charge
        rules[1:] = [HOOKS.granted(state, unit, leave) or rules[1], rules[2]]
    battle.emit("declares-charge", *rules, unit=key, targets=list(targets))
    battle.plan((take_positions, key, targets), (overwatch_window, key, targets), (charge, key, targets))


class Reach:
    """What a charge roll lets a unit do: the way that was found, looked for once for each result of the dice."""

    def __init__(self, battle: WhBattle, unit: Unit, targets: Sequence[str]) -> None:
        self.battle, self.state, self.unit, self.targets = battle, battle.state, unit, targets
        state = battle.state
        self.alive = [state.unit(key) for key in targets if state.unit(key).where == "table"]
        self.known: dict[int, tuple[Mover, dict[str, Any] | None]] = {}

    def way(self, natural: int) -> tuple[Mover, dict[str, Any] | None]:
        if natural not in self.known:
            mover = charger(self.state, self.unit, self.targets, float(inches(self.state, self.unit, natural)))
            found = self.battle.know(lambda: found_charge(mover, self.alive)) if self.alive else None
            self.known[natural] = mover, found
        return self.known[natural]

    def fails(self, natural: int) -> bool:
        """wh40k.charge.success-test: no legal move ends by every target; found, or proved that there is none."""
        mover, found = self.way(natural)
        return not self.alive or (found is None and out_of_reach(mover, self.alive) is not None)

    def need(self) -> int:
        """The least roll that could do, as the crow flies."""
        gaps = [
            unit_gap(self.unit, foe) - (ACROSS if defence_lines(self.state, foe) else ENGAGEMENT) for foe in self.alive
        ]
        most = max(gaps, default=0.0) - TOLERANCE
        return next((n for n in range(2, 12) if inches(self.state, self.unit, n) >= most), 12)


def inches(state: State, unit: Unit, natural: int) -> int:
    """wh40k.charge.roll.modify-before-test: how far these dice let the unit charge."""
    return modified_roll(state, unit, natural)[0]


def modified_roll(state: State, unit: Unit, natural: int) -> tuple[int, tuple[str, ...]]:
    """The charge roll with its modifiers, of which there may be any number (wh40k.dice.other-rolls-uncapped), and the
    rules that made it."""
    total = changed(Asking(state, "charge", natural, unit))
    if not total.changes or not state.applies("wh40k.charge.roll.modify-before-test"):
        return natural, ()
    whole, rules = rounded(state, total)
    if abs(whole - natural) > CAP:
        if not state.applies("wh40k.dice.other-rolls-uncapped"):
            whole = max(natural - CAP, min(natural + CAP, whole))
        else:
            rules = ("wh40k.dice.other-rolls-uncapped", *rules)
    return max(0, whole), rules


def charge_roll(battle: WhBattle, unit: Unit, reach: Reach) -> Steps[int]:
    """wh40k.charge.roll: 2D6, then re-rolls, then modifiers (wh40k.charge.roll.modify-before-test); the natural sum."""
    state = battle.state
    given = rerolls(Asking(state, "charge", 0, unit), "charge")
    rule = "wh40k.charge.roll"
    roll = yield from test_of_two(battle, unit, "charge", rule, reach.need(), given, lambda r: reach.fails(r.natural))
    far, rules = modified_roll(state, unit, roll.natural)
    if far != roll.natural:
        rule = "wh40k.charge.roll.modify-before-test"
        battle.emit("charge-modified", rule, *rules[:2], unit=unit.id, inches=far)
    return roll.natural


@step
def charge(battle: WhBattle, key: str, targets: Sequence[str]) -> Steps[None]:
    """wh40k.charge.success-test: judged with the final roll, before any model moves."""
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table":
        return
    reach = Reach(battle, unit, targets)
    alive = reach.alive
    natural = yield from charge_roll(battle, unit, reach)
    mover, found = reach.way(natural)
    far = inches(state, unit, natural)
    if reach.fails(natural):
        rule = "wh40k.charge.all-or-nothing" if len(alive) > 1 else "wh40k.charge.success-test"
        short = out_of_reach(mover, alive) if alive else None
        facts: dict[str, Any] = {}
        if short is not None:
            facts = {"target": short.id, "gap": round(unit_gap(unit, short), 3)}
        battle.emit("charge-failed", "wh40k.charge.fail", rule, unit=key, inches=far, **facts)
        return
    answer = yield Move(
        unit.side,
        Text("ask.charge-move", {"unit": key, "inches": far}),
        mover,
        _proposer(mover, alive, found),
        "wh40k.charge.move.end",
        key,
        found or dict(STAY),
    )
    plan = mover.plan(answer)
    if not plan.ends:
        battle.emit("charge-failed", "wh40k.charge.fail", unit=key, inches=far)
        return
    put(unit, plan.ends)
    unit.mark("charged")
    unit.targets = tuple(targets)
    settle(state)
    rules = ["wh40k.charge.successful-status", *list(dict.fromkeys(plan.used))[-1:], "wh40k.charge.move.end"]
    if mover.fly:
        rules.insert(1, "wh40k.charge.fly.over-models")
        if plan.used:
            rules.insert(1, "wh40k.charge.fly.vertical")
    battle.emit("charged", *rules, unit=key, targets=list(targets), inches=far)
    for line in lines_reached(state, unit, alive):
        battle.emit("at-the-line", "wh40k.terrain.trait.defence-line.charge", unit=key, feature=line)


def charger(state: State, unit: Unit, targets: Sequence[str], far: float) -> Mover:
    """Judges charge moves; Fly pays for height in them (wh40k.charge.fly.vertical)."""
    words = KINDS["charge"]
    limits = Limits(far, words.rule, spared=tuple(targets), ending=words.ending, crossing=words.crossing)
    mover = Mover(state, unit, limits, "charge", lambda ends: unreached(state, unit, targets, ends))
    mover.glides = mover.fly and not state.applies("wh40k.charge.fly.vertical")
    return mover


def unreached(state: State, unit: Unit, targets: Sequence[str], ends: Ends) -> list[Reason]:
    """wh40k.charge.move.end: within Engagement Range of each declared target, or at its Defence Line."""
    models = list(ends.values())
    missed = [
        key for key in targets if state.unit(key).where == "table" and not satisfied(state, models, state.unit(key))
    ]
    if not missed:
        return []
    foe = state.unit(missed[0])
    near = min((gap(m, o) for m in models for o in foe.models), default=0.0)
    facts = {"unit": unit.id, "target": foe.id, "gap": round(max(0.0, near), 3)}
    if len(missed) < len(targets):
        if not state.applies("wh40k.charge.all-or-nothing"):
            return []
        return [Reason("wh40k.charge.all-or-nothing", "reason.wh40k.not-reached", facts)]
    return [Reason("wh40k.charge.move.end", "reason.wh40k.not-reached", facts)]


def satisfied(state: State, models: Sequence[Model], foe: Unit) -> bool:
    if any(engages(m, o) for m in models for o in foe.models):
        return True
    return any(at_line(models, foe, line) for line in defence_lines(state, foe))


def defence_lines(state: State, foe: Unit) -> list[Feature]:
    """wh40k.terrain.trait.defence-line.charge: the features with that trait within an inch of a unit."""
    if not state.applies("wh40k.terrain.trait.defence-line.charge"):
        return []
    return [
        f
        for f in state.terrain
        if f.has("defence-line") and any(to_polygon(o, f.points) <= 1.0 + TOLERANCE for o in foe.models)
    ]


def at_line(models: Sequence[Model], foe: Unit, line: Feature) -> bool:
    """Does a model touch the feature, and is the unit within 2 inches of the other?"""
    touching = any(to_polygon(m, line.points) <= 2 * TOLERANCE for m in models)
    return touching and any(within(m, o, ACROSS) for m in models for o in foe.models)


def lines_reached(state: State, unit: Unit, targets: Sequence[Unit]) -> Iterator[str]:
    for foe in targets:
        if foe.id not in unit.engaged:
            yield from (line.id for line in defence_lines(state, foe) if at_line(unit.models, foe, line))


# -- finding a charge, and proving that there is none ----------------------------------------------------------------


def _proposer(mover: Mover, targets: Sequence[Unit], found: Any) -> Any:
    def propose(rng: Rng) -> Any:
        if found is None:
            return dict(STAY)
        other = found_charge(mover, targets, rng) if rng.below(4) == 0 else None
        return found if other is None else other

    return propose


TRIED = 8
"""So many pairs of a model and an enemy are tried straight ahead,"""
SEARCHED = 3
"""and so many by ways round what stands between."""
SIDES = tuple(sin_cos(15.0 * k) for k in range(24))
ROUNDABOUT = 10
"""To so many sides of an enemy a way round is looked for."""


def found_charge(mover: Mover, targets: Sequence[Unit], rng: Rng | None = None) -> dict[str, Any] | None:
    """A legal charge move: for each target the model that has least to go, and the others after them."""
    unit = mover.unit
    ends: list[tuple[Model, list[Point]]] = []
    for foe in sorted(targets, key=lambda t: unit_gap(unit, t)):
        if ends and satisfied(mover.state, [end for end, _ in ends], foe):
            continue
        done = {end.id for end, _ in ends}
        lines = defence_lines(mover.state, foe)
        most = mover.limits.allowance + (ACROSS if lines else ENGAGEMENT) + TOLERANCE
        gaps = [(gap(m, o), n, k) for n, m in enumerate(unit.models) for k, o in enumerate(foe.models)]
        pairs = [entry for entry in sorted(gaps) if entry[0] <= most and unit.models[entry[1]].id not in done][:TRIED]
        if rng is not None and len(pairs) > 1:
            pairs = rng.shuffled(pairs)
        tries = [(approach, pair) for pair in pairs] + [(way_round, pair) for pair in pairs[:SEARCHED]]
        tries += [(to_some_side, pair) for pair in pairs[:1]]
        if lines:
            tries += [(up_to_line, pair) for pair in pairs[:SEARCHED]]
        found = None
        for attempt, (_, n, k) in tries:
            found = attempt(mover, unit.models[n], foe.models[k], foe)
            if found is not None:
                break
        if found is None:
            return None
        ends.append(found)
    return mover.follow(ends)


Found = tuple[Model, list[Point]] | None
"""Where one model can end by an enemy, and its way there."""


def approach(mover: Mover, m: Model, o: Model, foe: Unit) -> Found:
    """Straight ahead."""
    dx, dy = o.x - m.x, o.y - m.y
    whole = math.sqrt(dx * dx + dy * dy)
    if whole == 0.0:
        return None
    far = gap(m, o)
    for stop in (0.05, 0.95):
        go = min(max(0.0, far - stop), mover.allowed(m))
        end = mover.try_way(m, (snap(m.x + dx / whole * go), snap(m.y + dy / whole * go)), ())
        if end is not None and engages(end, o):
            return end, []
    return None


def way_round(mover: Mover, m: Model, o: Model, foe: Unit) -> Found:
    """By the shortest way past what stands between, past walls too, or over them: clear of it, or closer to it where
    that is too long."""
    walls = [wall for wall in mover.walls() if point_polygon(wall, m.x, m.y) >= m.q]
    goal = [(o.x, o.y, o.q + m.q + ENGAGEMENT)]
    for blocks, clears in itertools.product((walls, ()) if walls else ((),), ((CLEAR, 0.0), (CLOSE,))):
        place = mover.haven(m, goal, blocks=blocks, clears=clears)
        way = None if place is None else mover.way_to(m, *place, walls=blocks, clear=clears[0])
        if place is None or way is None:
            continue
        end = mover.try_way(m, place, way)
        if end is not None and engages(end, o):
            return end, way
    return None


CLOSE = 0.002
"""A way that keeps so clear is not brought too near by rounding to thousandths, nor by going round by chords."""


def to_some_side(mover: Mover, m: Model, o: Model, foe: Unit) -> Found:
    """To any side of the enemy, straight ahead or round what stands between; the sides that are nearest first."""
    ends = []
    for s, c in SIDES:
        for stop in (0.05, 0.5, 0.95):
            far = m.r + o.r + stop
            x, y = snap(o.x + s * far), snap(o.y + c * far)
            ends.append((math.hypot(x - m.x, y - m.y), x, y))
    near = sorted(end for end in ends if end[0] <= mover.allowed(m) + TOLERANCE)
    for _, x, y in near:
        end = mover.try_way(m, (x, y), ())
        if end is not None and engages(end, o):
            return end, []
    for _, x, y in near[:ROUNDABOUT]:
        way = mover.way_to(m, x, y)
        end = mover.try_way(m, (x, y), way) if way is not None else None
        if way is not None and end is not None and engages(end, o):
            return end, way
    return None


def up_to_line(mover: Mover, m: Model, o: Model, foe: Unit) -> Found:
    """To the Defence Line before the enemy."""
    for line in defence_lines(mover.state, foe):
        end = mover.try_way(m, _before(line, m, o), ())
        if end is not None and at_line([end], foe, line):
            return end, []
    return None


def _before(line: Feature, m: Model, o: Model) -> Point:
    """Where a model touches a feature that it comes upon on its straight way to an enemy."""
    low, high = 0.0, 1.0
    for _ in range(16):
        middle = (low + high) / 2
        there = msgspec.structs.replace(m, x=m.x + (o.x - m.x) * middle, y=m.y + (o.y - m.y) * middle)
        low, high = (low, middle) if to_polygon(there, line.points) <= 0.0 else (middle, high)
    return snap(m.x + (o.x - m.x) * low), snap(m.y + (o.y - m.y) * low)


def out_of_reach(mover: Mover, targets: Sequence[Unit]) -> Unit | None:
    """A target that no model of the unit can come near enough to, whatever way it goes; proved, not tried."""
    state = mover.state
    return unreachable(mover, [(foe, ACROSS if defence_lines(state, foe) else ENGAGEMENT) for foe in targets])
