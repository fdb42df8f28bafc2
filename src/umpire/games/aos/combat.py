"""Combat phase: the order of fighting, pile-in moves, Fight, All-out Attack and Defence (aos.fight.*)."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import msgspec

from umpire.engine import effects
from umpire.engine.decisions import Choose, Move, Option, pick
from umpire.engine.effects import Effect
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.engine.windows import PASS
from umpire.games.aos.abilities import may_use, note, objections, option, side_name, use_ability
from umpire.games.aos.attacks import pick_targets, possible_targets, resolve_attacks
from umpire.games.aos.known_abilities import Ability, AosBattle, core, effect_of, used
from umpire.games.aos.measures import measured
from umpire.games.aos.movement import STAY, Around, Ends, Limits, Mover, Ways, put
from umpire.games.aos.numbers import has_passive
from umpire.games.aos.state import Model, State, Unit, Use
from umpire.games.aos.terrain import stand
from umpire.games.aos.units import COMBAT_RANGE, near_and_seen, settle
from umpire.miniatures.loose.bodies import base, overlap
from umpire.miniatures.loose.coherency import neighbours, with_another
from umpire.miniatures.loose.groups import closest, distance_to, unit_gap
from umpire.miniatures.loose.mover import CLEAR, RING
from umpire.miniatures.loose.nearing import HAIR
from umpire.space.angles import rotate
from umpire.space.havens import Disc
from umpire.space.packs import pack
from umpire.space.paths import reach
from umpire.space.shapes import TOLERANCE, Prism, snap
from umpire.text import Text

STRIKING = "striking"
"""In what was used: that units with Strike-first still fight."""
PILE_IN = 3.0
BESIDE = 0.05
"""How near models that pile in stand to each other."""
SPOTS_TRIED = 30
COMRADES = 6
"""How many places, and beside how many of those who stand nearest to the target, a model that moves up looks at."""
TURNS = (0.0, 25.0, -25.0, 50.0, -50.0, 80.0, -80.0, 110.0, -110.0)


# -- pile-in -----------------------------------------------------------------------------------------------------


class PileIn(Mover):
    """Judges and proposes pile-in moves; `target` is None for a unit that is not in combat."""

    def __init__(self, state: State, unit: Unit, target: Unit | None) -> None:
        self.target = target
        self.towards_whom = "" if target is None else target.id
        rule = "aos.core.pile-in" if target is not None else "aos.core.pile-in-free"
        super().__init__(state, unit, Limits(PILE_IN, rule, cross=True, end=True))

    def final(self, ends: Ends) -> list[Reason]:
        if self.target is None:
            return []
        reasons = []
        for m in self.unit.models:
            end = ends[m.id]
            if end is m:
                continue
            before, after = distance_to(m, self.target.models), distance_to(end, self.target.models)
            if after > before + TOLERANCE:
                facts = {"model": m.id, "before": round(before, 3), "after": round(after, 3)}
                reasons.append(Reason("aos.core.pile-in", "reason.aos.farther", facts))
                break
        for key in self.unit.fights:
            foe = self.state.unit(key)
            if not near_and_seen(self.state, self.unit, ends.values(), foe, COMBAT_RANGE):
                reasons.append(Reason("aos.core.pile-in", "reason.aos.leaves-combat", {"enemy": key}))
        return reasons

    def rims(self, m: Model) -> list[Disc]:
        """Nobody ends farther from the target than before, nor out of combat with whom the unit fights."""
        foes = self.target.models if self.target is not None else ()
        before = distance_to(m, foes) if foes else 0.0
        ends = [(o, before) for o in foes]
        ends += [(o, COMBAT_RANGE) for key in self.unit.fights if foes for o in self.state.unit(key).models]
        return [(o.x, o.y, far + m.r + o.r - HAIR) for o, far in ends]

    def propose(self, rng: Rng) -> Any:
        """The unit moves up, then those that are still out of range find their way past the others, nearest first."""
        target = self.target
        if target is None:
            return self.wander(
                rng,
                [(u.cx, u.cy) for u in self.state.units.values() if u.side != self.unit.side and u.where == "table"],
            )
        shifted = self._shifted(target)
        now = dict(shifted)
        ways: Ways = {}
        far = [(d, n) for n, end in enumerate(now.values()) if (d := distance_to(end, target.models)) > COMBAT_RANGE]
        for _, n in sorted(far):
            m = self.unit.models[n]
            found = self._flow_up(m, now, target)
            if found is not None:
                now[m.id], ways[m.id] = found
        for plan in (now, shifted):
            moved = {m.id: plan[m.id] for m in self.unit.models if plan[m.id] is not m}
            answer = {"models": {key: _told(end, ways.get(key) if plan is now else None) for key, end in moved.items()}}
            if moved and not self.judge(answer):
                return answer
        return dict(STAY)

    def nearest(self, answer: Any) -> Any:
        """The wish as far as is legal, or else closing up."""
        found = super().nearest(answer)
        return self.proposed if found == STAY else found

    def _shifted(self, target: Unit) -> dict[str, Model]:
        """The whole unit straight ahead until its foremost model touches."""
        d, m, o = closest(self.unit, target)
        models = {m.id: m for m in self.unit.models}
        far = min(PILE_IN, d - 0.1)
        if far < 0.1:
            return models
        dx, dy = o.x - m.x, o.y - m.y
        whole = math.sqrt(dx * dx + dy * dy)
        sx, sy = snap(dx / whole * far), snap(dy / whole * far)
        ends = [msgspec.structs.replace(n, x=snap(n.x + sx), y=snap(n.y + sy)) for n in self.unit.models]
        if any(
            distance_to(end, target.models) > distance_to(n, target.models)
            for n, end in zip(models.values(), ends, strict=True)
        ):
            return models
        bodies = [b for b, _ in self.near_by.bodies]
        if any(overlap(end, b) for end in ends for b in bodies):
            return models
        if self.parts and any(stand(self.state, end)[1] is not None for end in ends):
            return models
        return {end.id: end for end in ends}

    def _flow_up(self, m: Model, now: dict[str, Model], target: Unit) -> tuple[Model, list[tuple[float, float]]] | None:
        """The place nearest to the target that a model can reach past all others without breaking its unit up."""
        there = now[m.id]
        before = distance_to(there, target.models)
        others = [b for b in now.values() if b is not there and _in_the_way(m, b)]
        around = Around([body for body in self.near_by.bodies if _in_the_way(m, body[0])], [])
        standing = [*others, *(body for body, _ in around.bodies)]
        taken = [(b.x, b.y, (m.q + b.q - TOLERANCE) ** 2) for b in standing]
        spots: list[tuple[float, float]] = []
        for _, x, y in sorted(self._spots_near(m, others, target, before)):
            for bx, by, square in taken:
                if (x - bx) * (x - bx) + (y - by) * (y - by) < square:
                    break
            else:
                spots.append((x, y))
                if len(spots) == SPOTS_TRIED:
                    break
        models = list(now.values())
        masks, at = neighbours(models, self.coherency), models.index(there)

        def better(end: Model) -> bool:
            near_enough = distance_to(end, target.models) <= before - 0.1
            return near_enough and with_another(models, masks, at, end, self.coherency)

        ends = [msgspec.structs.replace(m, x=snap(x), y=snap(y)) for x, y in spots]
        first = next((n for n, end in enumerate(ends) if better(end)), None)
        if first is None:
            return None
        start = base(m).at(m.x, m.y, 0.0)
        table = self.state.width, self.state.depth
        things = pack(
            []
            if self.hops
            else [
                *(base(b).at(b.x, b.y, 0.0) for b in others),
                *(base(b).at(b.x, b.y, 0.0) for b, soft in around.bodies if not soft),
                *(Prism(part.points) for _, part in self.parts),
            ]
        )
        within_reach = reach(start, PILE_IN, things, CLEAR, table)
        costs = within_reach.costs(spots[first:])
        for end, cost in zip(ends[first:], costs, strict=True):
            if cost > PILE_IN - CLEAR or not better(end):
                continue
            route = within_reach.path(end.x, end.y)
            if route is None or any(overlap(end, b) for b in standing):
                continue
            way = [(snap(px), snap(py)) for px, py in route.points[1:-1]]
            reasons: dict[str, Reason] = {}
            self.step(m, end, way, around, reasons)
            if not reasons and stand(self.state, end) == (m.z, None):
                return end, way
        return None

    def _spots_near(
        self, m: Model, others: list[Model], target: Unit, before: float
    ) -> Iterator[tuple[float, float, float]]:
        """Places round enemies and beside comrades who stand nearer to them, and about how far from the target."""
        foes = [o for o in target.models if _in_the_way(m, o)] or target.models
        foes = sorted(foes, key=lambda o: (m.x - o.x) ** 2 + (m.y - o.y) ** 2)[:3]
        rows, wide, sqrt = [(o.x, o.y, o.r) for o in foes], m.r, math.sqrt

        def gap_at(x: float, y: float) -> float:
            return min([sqrt((x - ox) ** 2 + (y - oy) ** 2) - wide - r for ox, oy, r in rows])

        for o in foes:
            dx, dy = m.x - o.x, m.y - o.y
            whole = math.sqrt(dx * dx + dy * dy) or 1.0
            for turn in TURNS:
                ux, uy = rotate(dx / whole, dy / whole, turn)
                gx, gy = o.x + ux * (m.r + o.r + BESIDE) - m.x, o.y + uy * (m.r + o.r + BESIDE) - m.y
                far = math.sqrt(gx * gx + gy * gy) or 1.0
                go = min(far, PILE_IN - 0.001) / far
                x, y = m.x + gx * go, m.y + gy * go
                gap = gap_at(x, y)
                if gap < before - 0.1:
                    yield gap, x, y
        comrades = sorted((gap_at(other.x, other.y), n) for n, other in enumerate(others))
        for gap, n in comrades[:COMRADES]:
            if gap >= before:
                break
            other = others[n]
            for s, c in RING:
                x, y = other.x + s * (other.r + m.r + BESIDE), other.y + c * (other.r + m.r + BESIDE)
                if (x - m.x) ** 2 + (y - m.y) ** 2 < PILE_IN * PILE_IN:
                    far = gap_at(x, y)
                    if 0.0 <= far < before - 0.1:
                        yield far, x, y


def _told(end: Model, way: list[tuple[float, float]] | None) -> dict[str, Any]:
    spot: dict[str, Any] = {"x": end.x, "y": end.y}
    return {**spot, "path": [list(p) for p in way]} if way else spot


def _in_the_way(m: Model, other: Model) -> bool:
    """Might a model meet this one when it piles in?"""
    far = PILE_IN + 2 * m.r + 2 * other.r
    return (m.x - other.x) ** 2 + (m.y - other.y) ** 2 < far * far


def pile_in(battle: AosBattle, use: Use) -> Steps[None]:
    """Part of the declare step: before reactions, and optional."""
    state = battle.state
    unit = state.unit(use.unit)
    if not unit.profile.move:
        return
    target = None
    rule = "aos.core.pile-in-free"
    if unit.fights:
        rule = "aos.core.pile-in"
        prompt, why_not = (
            Text("ask.pile-in-target", {"unit": unit.id}),
            functools.partial(not_fought, state, unit, rule),
        )
        near = functools.partial(min, unit.fights, key=lambda foe: unit_gap(unit, state.unit(foe)))
        target = state.unit((yield from pick(unit.side, prompt, unit.fights, rule, unit.id, why_not, near)))
    mover = PileIn(state, unit, target)
    prompt = Text("ask.pile-in", {"unit": unit.id, "inches": PILE_IN})
    answer = yield Move(unit.side, prompt, mover, None, (rule, "aos.core.movement"), unit.id, dict(STAY))
    ends = mover.plan(answer).ends
    if ends:
        put(unit, ends)
        settle(state)
        battle.emit("piled-in", rule, "aos.core.coherency", unit=unit.id, target=target.id if target else "")


def not_fought(state: State, unit: Unit, rule: str, wish: str) -> list[Reason]:
    """Why a unit cannot pile in towards another: that is not in combat with it."""
    other = state.units.get(wish)
    if other is None or other.id in unit.fights:
        return []
    if other.side == unit.side:
        return [Reason("aos.core.friendly-enemy", "", {"unit": other.id})]
    if not other.models or other.where != "table":
        return [Reason(rule, "reason.aos.not-on-table", {"unit": other.id})]
    facts = {"target": other.id, "gap": round(unit_gap(unit, other), 3), "range": COMBAT_RANGE}
    return [Reason(rule, "reason.aos.out-of-combat-range", facts)]


# -- Fight -------------------------------------------------------------------------------------------------------


def has_a_fight(unit: Unit) -> bool:
    return bool(unit.fights) or unit.charged


def why_not_fight(state: State, unit: Unit) -> Iterator[Reason]:
    if not has_a_fight(unit):
        yield Reason("aos.fight.fight", "reason.aos.not-in-combat", {"unit": unit.id})
    if not unit.profile.melee:
        yield Reason("aos.core.warscroll", "reason.aos.no-melee", {"unit": unit.id})


def declare_fight(battle: AosBattle, use: Use) -> Steps[bool]:
    state = battle.state
    unit = state.unit(use.unit)
    # aos.core.tactic-do-not-waver counts units that fought, not how often they did.
    state.sides[unit.side].fought += unit.profile.kind == "unit" and not unit.fought
    unit.fought = True
    state.strikers = tuple(key for key in state.strikers if key != unit.id)
    yield from pile_in(battle, use)
    if not unit.fights:
        return False
    aimed = yield from pick_targets(battle, use, possible_targets(battle, unit, False), False)
    return bool(aimed)


@effect_of(
    Ability(
        "fight",
        "aos.fight.fight",
        "combat",
        "any",
        ("core", "attack", "fight"),
        eligible=why_not_fight,
        could=has_a_fight,
        declare=declare_fight,
    )
)
def fight(battle: AosBattle, use: Use) -> None:
    resolve_attacks(battle, use, False)


# -- the order of fighting ---------------------------------------------------------------------------------------


def strikes_first(state: State, unit: Unit) -> bool:
    """aos.core.strike-last: a unit with both Strike-first and Strike-last has neither."""
    return has_passive(state, unit, "strike-first") and not has_passive(state, unit, "strike-last")


def strikes_last(state: State, unit: Unit) -> bool:
    return has_passive(state, unit, "strike-last") and not has_passive(state, unit, "strike-first")


def unfought(state: State, side: int) -> list[Unit]:
    ability = core("fight")
    return [unit for unit in state.army(side) if may_use(state, side, ability, unit)]


def strikers(state: State) -> tuple[str, ...]:
    """aos.core.strike-first: those in combat now who would fight before all others if the fighting began."""
    return tuple(u.id for u in state.units.values() if u.where == "table" and u.fights and strikes_first(state, u))


def fight_objection(
    state: State, unit: Unit, everyone: list[Unit], first: tuple[str, ...] | None = None
) -> Reason | None:
    """Why a unit that may fight must wait; `first`: who fights first, where that is not settled yet."""
    first = state.strikers if first is None else first
    if first and unit.id not in first:
        before = [u.id for u in everyone if u.id in first and u.fights]
        if before:
            return Reason("aos.core.strike-first", "reason.aos.strike-first", {"unit": unit.id, "before": before})
    if strikes_last(state, unit) and unit.fights:
        before = [u.id for u in everyone if u.fights and not strikes_last(state, u)]
        if before:
            return Reason("aos.core.strike-last", "reason.aos.strike-last", {"unit": unit.id, "before": before})
    return None


def fighters(state: State, side: int) -> tuple[list[Unit], list[str]]:
    """Who may be picked to fight by this side now, and the rules that made others wait."""
    mine, theirs = unfought(state, side), unfought(state, 1 - side)
    everyone = mine + theirs
    ready, rules = [], []
    for unit in mine:
        why = fight_objection(state, unit, everyone)
        if why is None:
            ready.append(unit)
        else:
            rules.append(why.rule)
    return ready, rules


@step
def begin_fights(battle: AosBattle) -> None:
    """Strike-first counts for units that are in combat when the phase's fighting begins."""
    state = battle.state
    state.strikers = strikers(state)
    if state.strikers:
        state.used[STRIKING] = 1
        battle.emit("strike-first", "aos.core.strike-first", units=list(state.strikers))
    battle.push(next_fight, state.active, 0)


@step
def next_fight(battle: AosBattle, side: int, passed: int) -> Steps[None]:
    """The sides take turns, active player first, each picking one eligible unit to fight."""
    state = battle.state
    state.strikers = tuple(k for k in state.strikers if state.unit(k).where == "table" and state.unit(k).fights)
    ready, waiting = fighters(state, side)
    if not ready:
        if not passed:
            battle.push(next_fight, 1 - side, 1)
        return
    options = [option(state, f"fight:{u.id}") for u in ready]
    bound = any(unit.fights for unit in ready)
    if not bound:
        options.append(Option(PASS, Text("option.pass")))

    def refuse(wish: str) -> list[Reason]:
        if wish == PASS:
            return [Reason("aos.core.fight-order", "reason.aos.must-fight")]
        unit = state.units.get(wish.partition(":")[2])
        if unit is None:
            return []
        reasons = list(measured(state, objections(state, side, core("fight"), unit)))
        why = fight_objection(state, unit, unfought(state, 0) + unfought(state, 1))
        return [*reasons, why] if why is not None else reasons

    if len(ready) == 1 and bound:
        choice = options[0].id
    else:
        choice = yield Choose(side, "ask.fight", options, "aos.core.fight-order", "", refuse)
    if choice == PASS:
        if not passed:
            battle.push(next_fight, 1 - side, 1)
        return
    key = choice.partition(":")[2]
    battle.emit("fights-next", "aos.core.fight-order", *dict.fromkeys(waiting), side=side_name(side), unit=key)
    battle.plan((use_ability, side, "fight", key), (after_fight, side))


@step
def after_fight(battle: AosBattle, side: int) -> None:
    """After the last unit with Strike-first the active player picks next; otherwise the other side does."""
    state = battle.state
    still = any(state.unit(k).where == "table" and state.unit(k).fights for k in state.strikers)
    if STRIKING in state.used and not still:
        del state.used[STRIKING]
        battle.push(next_fight, state.active, 0)
    else:
        battle.push(next_fight, 1 - side, 0)


def declares_attack(state: State, use: Use, unit: Unit) -> bool:
    return use.unit == unit.id and used(state, use).has("attack")


@effect_of(Ability("all-out-attack", "aos.command.all-out-attack", cost=1, trigger=declares_attack))
def all_out_attack(battle: AosBattle, use: Use) -> None:
    """All hit rolls of that one ability, Companion weapons included."""
    note(battle.state.use, "all-out-attack")


def is_attacked(state: State, use: Use, unit: Unit) -> bool:
    return unit.id in use.targets and used(state, use).has("attack")


@effect_of(Ability("all-out-defence", "aos.command.all-out-defence", cost=1, trigger=is_attacked))
def all_out_defence(battle: AosBattle, use: Use) -> None:
    """Until the phase is over, against later attacks too."""
    rule = "aos.command.all-out-defence"
    effects.add(battle.state, Effect(use.unit, "save", "add", 1.0, rule, f"{use.side}:all-out-defence", "phase"))
