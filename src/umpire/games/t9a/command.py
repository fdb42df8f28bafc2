"""Commanding Presence, Rally Around the Flag, Captains and Bodyguards."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine.effects import Number

from .characteristics import afflicted
from .formation import full_ranks
from .model_rules import found, has, some, words_of
from .spacing import from_model, within
from .state import Pool, State, Unit
from .values import Mod, mods_on, settle


def own_discipline(state: State, pool: Pool) -> Number:
    mods = mods_on(state, pool, "dis") + afflicted(state, state.units[pool.unit], "dis")
    return settle(state, "dis", pool.profile.dis, mods)


def discipline(state: State, unit: Unit, only: Pool | None = None) -> Number:
    """The highest Discipline among its models, set to a commander's if that is higher (t9a.def.profile.unit-values,
    t9a.rule.commanding-presence). Effects that weigh on commander and unit alike count once. `only`: that of one of its
    pools."""
    pools = [only] if only is not None else state.members(unit)
    best = max((own_discipline(state, pool) for pool in pools), key=lambda n: n.total)
    for pool in presences(state, unit):
        given = own_discipline(state, pool)
        shared = {e.source or e.rule for e in state.effects if e.on == pool.id and e.what == "dis"}
        for own in pools:
            # It is set before anything is added: what a unit is given besides counts on what it is lent.
            mods = [Mod("least", given.total, "t9a.rule.commanding-presence", source=pool.id)]
            mods += [m for m in mods_on(state, own, "dis") if (m.source or m.rule) not in shared]
            if pool.unit != unit.id:
                # Those in his own unit have been counted with his.
                mods += afflicted(state, unit, "dis")
            value = settle(state, "dis", own.profile.dis, mods)
            if value.total > best.total:
                best = value
    return best


def bearers(state: State, side: int, rule: str) -> Iterator[tuple[Pool, Unit]]:
    """Models of a side on the table with an aura, in units that are not Shaken."""
    for pool in state.pools.values():
        if pool.side != side or pool.count <= 0 or rule not in pool.profile.names or rule in state.without:
            continue
        unit = state.units[pool.unit]
        if unit.where == "table":
            yield pool, unit


def presences(state: State, unit: Unit) -> Iterator[Pool]:
    """Models whose Commanding Presence the unit benefits from (t9a.rule.commanding-presence.limits)."""
    for pool, of in bearers(state, unit.side, "t9a.rule.commanding-presence"):
        if of.shaken and state.applies("t9a.rule.commanding-presence.limits"):
            continue
        for rule in found(state, pool, "t9a.rule.commanding-presence"):
            if (
                rule.words
                and state.applies("t9a.rule.commanding-presence.limits")
                and not fits(state, unit, rule.words)
            ):
                continue
            reach = (rule.number if state.applies("t9a.rule.keyword.distance") else 0) or 12
            near = reaches(state, pool, of, unit, reach)
            if near or (pool.general and by_captain(state, unit, "musician", "t9a.rule.captain.musician")):
                yield pool


def reaches(state: State, pool: Pool, of: Unit, unit: Unit, inches: float) -> bool:
    """Is a unit within so many inches of a model, measured from the model's own base?"""
    if of.id == unit.id:
        return True
    return unit.where == "table" and within(from_model(state, pool, unit), inches)


def nearest_presence(state: State, unit: Unit) -> tuple[str, float, int] | None:
    """The nearest commander of a unit's side on the table, how far off, and how far its presence reaches."""
    found_ones = [
        (pool.id, from_model(state, pool, unit), max(rule.number or 12 for rule in held))
        for pool, of in bearers(state, unit.side, "t9a.rule.commanding-presence")
        if not of.shaken and unit.where == "table" and (held := found(state, pool, "t9a.rule.commanding-presence"))
    ]
    return min(found_ones, key=lambda one: (one[1], one[0]), default=None)


def from_afar(state: State, unit: Unit) -> bool:
    """Does only a Captain bring it the general's orders? (t9a.rule.captain.musician)"""
    if not by_captain(state, unit, "musician", "t9a.rule.captain.musician") or unit.where != "table":
        return False
    return not any(
        reaches(state, pool, of, unit, rule.number or 12)
        for pool, of in bearers(state, unit.side, "t9a.rule.commanding-presence")
        for rule in found(state, pool, "t9a.rule.commanding-presence")
    )


def unheard(state: State, unit: Unit) -> str:
    """Why a commander with more Discipline is not heard: his unit is Shaken or he commands others
    (t9a.rule.commanding-presence.limits), or it is too far away (t9a.rule.keyword.distance)."""
    if unit.where != "table":
        return ""
    best = max(own_discipline(state, pool).total for pool in state.members(unit))
    heard = [pool.id for pool in presences(state, unit)]
    for pool, of in bearers(state, unit.side, "t9a.rule.commanding-presence"):
        if pool.id not in heard and own_discipline(state, pool).total > best:
            near = reaches(state, pool, of, unit, 12.0)
            return "t9a.rule.commanding-presence.limits" if near else "t9a.rule.keyword.distance"
    return ""


def fits(state: State, unit: Unit, words: tuple[str, ...]) -> bool:
    held: set[str] = set()
    for pool in state.members(unit):
        held |= {pool.entry, *words_of(pool.profile)}
    return any(word in held for word in words)


def by_captain(state: State, unit: Unit, what: str, rule: str) -> bool:
    """A Captain whose unit has the upgrade counts as within range wherever he is (t9a.rule.captain.standard)."""
    if rule in state.without or not some(state, unit, "t9a.rule.captain.standard"):
        return False
    rnf = state.rnf(unit)
    return rnf is not None and (rnf.standard if what == "standard" else rnf.musician)


def commanded(state: State, unit: Unit) -> bool:
    """Does it benefit from the Commanding Presence of a friendly model?"""
    return next(presences(state, unit), None) is not None


def disciplined_by_presence(state: State, unit: Unit) -> bool:
    """A Disciplined commander passes it on (t9a.rule.commanding-presence.disciplined)."""
    if not state.applies("t9a.rule.commanding-presence.disciplined"):
        return False
    return any(has(state, pool, "t9a.rule.disciplined") for pool in presences(state, unit))


def rallied(state: State, unit: Unit) -> str:
    """The rule by which the unit re-rolls failed Courage Tests, or "" (t9a.rule.rally-around-the-flag)."""
    for pool, of in bearers(state, unit.side, "t9a.rule.rally-around-the-flag"):
        if of.shaken:
            continue
        rule = found(state, pool, "t9a.rule.rally-around-the-flag")[0]
        if reaches(state, pool, of, unit, rule.number or 12):
            return "t9a.rule.rally-around-the-flag"
        if pool.bearer and by_captain(state, unit, "standard", "t9a.rule.captain.standard"):
            return "t9a.rule.captain.standard"
    return ""


def guarded(state: State, unit: Unit) -> bool:
    """A character that meets the condition has joined a unit containing Bodyguard (t9a.rule.bodyguard)."""
    guards = [(pool, rule) for pool in state.members(unit) for rule in found(state, pool, "t9a.rule.bodyguard")]
    return any(
        guard is not pool and (not rule.words or any(_is(pool, word) for word in rule.words))
        for pool in state.members(unit)
        if pool.character and guards
        for guard, rule in guards
    )


def _is(pool: Pool, word: str) -> bool:
    held = {pool.entry, *words_of(pool.profile)}
    return (word == "general" and pool.general) or (word == "bearer" and pool.bearer) or word in held


def stubborn(state: State, unit: Unit) -> bool:
    """t9a.rule.stubborn; a guarded character has it."""
    if "t9a.rule.stubborn" in state.without:
        return False
    return some(state, unit, "t9a.rule.stubborn") or guarded(state, unit)


def unyielding_by_guard(state: State, unit: Unit) -> bool:
    """A guarded unit with a Full Rank counts as Steady and Solid in Break Tests (t9a.rule.bodyguard.break)."""
    if not state.applies("t9a.rule.bodyguard.break"):
        return False
    return guarded(state, unit) and full_ranks(state, unit) >= 1
