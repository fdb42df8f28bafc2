"""Numbers and dice as the book reckons them: the order of modifiers, limits, Maximised and Minimised Rolls, random
values.

A modifier is an `Effect` of the engine: "set", "minimum" (set to at least), "multiply" or "add"; one that adds with
`data["limit"]` adds as far as that and never pulls back. Rules have "always" besides, which comes after all arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.effects import Change, Number

from .profiles import dice_of
from .state import Pool, State


class Mod(NamedTuple):
    """One change of a number. `op`: "set", "least" (set to at least), "multiply", "add", "capped" (add up to `limit`),
    "always", "always-least"."""

    op: str
    value: float
    rule: str
    limit: float = 0.0
    source: str = ""


STEPS = (("set", "least"), ("multiply",), ("add",), ("capped",), ("always", "always-least"))
RULES = (
    "t9a.def.modifier.set",
    "t9a.def.modifier.multiply",
    "t9a.def.modifier.add",
    "t9a.def.modifier.capped",
    "t9a.def.modifier.always",
)


def settle(state: State, what: str, base: float, mods: Iterable[Mod], *, high: bool = True) -> Number:
    """A value after its modifiers (t9a.def.modifier.order); `high`: more is better, so that within a step the order
    that
    gives the least is used (t9a.def.modifier.same-step)."""
    found = [mod for mod in mods if mod.rule not in state.without] if state.without else list(mods)
    if not high and not state.applies("t9a.def.modifier.difficulty"):
        found = []
    changes: list[Change] = []
    total = base
    used: list[str] = []
    if found:
        steps: Sequence[tuple[str, ...]] = STEPS if state.applies("t9a.def.modifier.order") else (sum(STEPS, ()),)
        for ops, rule in zip(steps, RULES, strict=False):
            here = [mod for mod in found if mod.op in ops]
            if not here or not state.applies(rule):
                continue
            count = len(changes)
            for mod in _worst_first(here, high) if state.applies("t9a.def.modifier.same-step") else here:
                before, total = total, _apply(mod, total)
                if total != before:
                    changes.append(Change(mod.op, mod.value, mod.rule, mod.source, total))
            if len(changes) > count:
                used.append(rule)
                if len(changes) > count + 1:
                    used.append("t9a.def.modifier.same-step")
    rest, limit = limited(state, what, total)
    if rest != total:
        changes.append(Change("limit", rest - total, limit, "", rest))
        used.append("t9a.def.modifier.limits-final")
    return Number(base, rest, (*changes, *[Change("step", 0, rule, "", rest) for rule in steps_told(used, high)]))


def steps_told(used: Sequence[str], high: bool) -> list[str]:
    """Which rules of reckoning mattered: the order where there were several steps, what is not plain adding, and that
    what is taken off a roll is added to what it needs."""
    told = [rule for rule in used if rule != "t9a.def.modifier.add"]
    if len([rule for rule in used if rule in RULES]) > 1:
        told.insert(0, "t9a.def.modifier.order")
    if used and not high:
        told.append("t9a.def.modifier.difficulty")
    if "t9a.def.modifier.add" in used and "t9a.def.modifier.same-step" in used:
        told.append("t9a.def.modifier.add")
    return told


def _worst_first(mods: list[Mod], high: bool) -> list[Mod]:
    """Of several set values the worst stands: it is applied last."""
    if len(mods) < 2:
        return mods
    return sorted(mods, key=lambda mod: (mod.op != "least", -mod.value if high else mod.value))


def _apply(mod: Mod, total: float) -> float:
    match mod.op:
        case "set" | "always":
            return mod.value
        case "least" | "always-least":
            return max(total, mod.value)
        case "multiply":
            return total * mod.value
        case "capped":
            if mod.value > 0:
                return max(total, min(total + mod.value, mod.limit))
            return min(total, max(total + mod.value, mod.limit))
    return total + mod.value


def limited(state: State, what: str, total: float) -> tuple[float, str]:
    """Whole numbers, none below 0, Armour at most 6, Agility and Discipline at most 10, and which rule said so
    (t9a.def.modifier.limits-final)."""
    if not state.applies("t9a.def.modifier.limits-final"):
        return total, ""
    rule = ""
    if not float(total).is_integer():
        rule = "t9a.def.modifier.round-up"
        total = math.ceil(total) if state.applies(rule) else math.floor(total)
    if total < 0 and state.applies("t9a.def.modifier.min-zero"):
        return 0, "t9a.def.modifier.min-zero"
    if what == "arm" and total > 6 and state.applies("t9a.def.modifier.armour-cap"):
        return 6, "t9a.def.modifier.armour-cap"
    if what in ("agi", "dis") and total > 10 and state.applies("t9a.def.modifier.agi-dis-cap"):
        return 10, "t9a.def.modifier.agi-dis-cap"
    return total, rule


def mods_on(state: State, pool: Pool, what: str) -> list[Mod]:
    """The effects in force on somebody's characteristic."""
    if not state.effects:
        return []
    who = pool.id
    return [
        Mod(
            OPS.get(e.op, "capped" if "limit" in e.data else e.op), e.value, e.rule, e.data.get("limit", 0.0), e.source
        )
        for e in state.effects
        if e.what == what and e.on == who
    ]  # fmt: skip


OPS = {"minimum": "least"}
"""What the book calls operations that the engine names otherwise."""


class Thrown(NamedTuple):
    total: int
    faces: tuple[int, ...]
    """The faces that are read."""
    all: tuple[int, ...]


def kept(faces: Sequence[int], count: int, net: int) -> tuple[int, ...]:
    """The dice that are read of a Maximised (`net` > 0: the lowest go) or Minimised roll
    (t9a.def.dice.maximised-minimised)."""
    if not net:
        return tuple(faces)
    ordered = sorted(faces)
    return tuple(ordered[-count:] if net > 0 else ordered[:count])


def net_of(state: State, effects: Iterable[tuple[int, str]]) -> tuple[int, tuple[str, ...]]:
    """Maximised (+1) and Minimised (-1) effects cancel each other; the rest adds up (t9a.def.dice.max-min-stacking)."""
    counted = [(step, rule) for step, rule in effects if rule not in state.without]
    net = sum(step for step, _ in counted)
    if not state.applies("t9a.def.dice.max-min-stacking"):
        net = max(-1, min(1, net))
    if not state.applies("t9a.def.dice.maximised-minimised"):
        net = 0
    return net, tuple(dict.fromkeys(rule for _, rule in counted))


def throw_sum(
    battle: Battle[State], count: int, purpose: str, cite: str, effects: Iterable[tuple[int, str]] = (), **more: Any
) -> Thrown:
    """Roll dice and add them, with Maximised and Minimised effects."""
    net, rules = net_of(battle.state, effects)
    roll = battle.roll(count + abs(net), purpose, cite, net=net, **more)
    faces = kept(roll.faces, count, net)
    if net:
        several = abs(net) > 1 or len(rules) > 1
        told = ("t9a.def.dice.max-min-stacking",) if several else ()
        battle.emit("kept", "t9a.def.dice.maximised-minimised", *told, *rules[:1], faces=list(faces), net=net)
    return Thrown(sum(faces), faces, tuple(roll.faces))


def random_value(battle: Battle[State], text: str, purpose: str, cite: str, **more: Any) -> int:
    """A number that may be random: "3", "D6", "2D6+1", "D3" (t9a.def.profile.random, t9a.def.dice.d3)."""
    count, sides, plus = dice_of(text)
    if not count:
        return plus
    faces = battle.roll(count, purpose, cite, **more).faces
    if sides == 3:
        if not battle.state.applies("t9a.def.dice.d3"):
            return sum(faces) + plus
        faces = [(face + 1) // 2 for face in faces]
        battle.emit("d3", "t9a.def.dice.d3", "t9a.def.dice.notation", faces=list(faces))
    return sum(faces) + plus
