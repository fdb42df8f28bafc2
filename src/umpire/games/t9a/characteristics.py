"""The characteristics of models and parts as they are now: profile, weapon, model rules, effects in force."""

from __future__ import annotations

from umpire.engine.effects import Number
from umpire.rulebook.deciding import decides

from .formation import layout
from .model_rules import attributes, found, has, meets
from .profiles import Part, Rule, Weapon, most_of
from .spacing import contacts
from .state import Pool, State, Unit
from .values import Mod, mods_on, settle
from .weapons import held_mods, shield, weapon_mods


@decides("t9a.def.profile.offensive")
def base_of(part: Part, what: str) -> int | str | None:
    return {"agi": part.agi, "att": part.att, "off": part.off, "str": part.strength, "ap": part.ap}[what]


def offensive(
    state: State,
    pool: Pool,
    part: Part,
    what: str,
    weapon: Weapon | None = None,
    foe: Pool | None = None,
    base: int | None = None,
    fixed: bool = False,
) -> Number:
    """An offensive characteristic of a part. A value it lacks is 0 and stays so (t9a.def.profile.missing). `fixed`:
    given
    by an attack of its own, which the part's modifiers do not reach."""
    own = base_of(part, what) if base is None else base
    if own is None and state.applies("t9a.def.profile.missing"):
        return Number(0, 0)
    value = own if isinstance(own, int) else 0
    if fixed:
        return Number(value, value)
    unit = state.units[pool.unit]
    mods = mods_on(state, pool, what)
    if weapon is not None:
        mods += weapon_mods(state, weapon, what, foe)
    bound = weapon.rules if weapon is not None else ()
    if unit.charging:
        mods += _charging(state, pool, part, what, bound, foe)
    if unit.first and state.applies("t9a.melee.round.first"):
        for rule in attributes(state, pool, part, "t9a.rule.first-strike", "melee", bound):
            mods += [Mod("add", value_, rule.id) for name, value_ in rule.mods if name == what and aims(rule, foe)]
    if what == "att" and pool.count == 1 and enraged(state, pool, part):
        mods.append(Mod("add", pool.lost, "t9a.rule.rage"))
    mods += afflicted(state, unit, what)
    if what == "agi" and weapon is not None and weapon.id == "great" and state.applies("t9a.rule.weapon.great"):
        if attributes(state, pool, part, "t9a.rule.elven-craft", "melee"):
            mods.append(Mod("add", -1, "t9a.rule.elven-craft"))
        else:
            mods.append(Mod("always", 0, "t9a.rule.weapon.great"))
    return settle(state, what, value, mods) if mods else settle(state, what, value, ())


def enraged(state: State, pool: Pool, part: Part) -> int:
    """The attacks that the wounded model of a pool has more (t9a.rule.rage)."""
    return pool.lost if pool.lost and attributes(state, pool, part, "t9a.rule.rage", "melee") else 0


def aims(rule: Rule, foe: Pool | None) -> bool:
    """Does a rule work in attacks on this one (t9a.rule.keyword.against)?"""
    return not rule.against or (foe is not None and meets(foe.profile, rule.against))


def _charging(state: State, pool: Pool, part: Part, what: str, bound: tuple[Rule, ...], foe: Pool | None) -> list[Mod]:
    """Devastating Charge and the momentum of a charge (t9a.rule.devastating-charge,
    t9a.melee.attack.charge-momentum)."""
    found_mods = [
        Mod("add", value, rule.id)
        for rule in attributes(state, pool, part, "t9a.rule.devastating-charge", "melee", bound)
        for name, value in rule.mods
        if name == what and aims(rule, foe)
    ]
    if what == "agi":
        found_mods.append(Mod("add", 1, "t9a.melee.attack.charge-momentum"))
    return found_mods


def afflicted(state: State, unit: Unit, what: str) -> list[Mod]:
    """Affliction (X) of enemies in contact, each different X once (t9a.rule.afflict)."""
    if not state.pairs:
        return []
    seen: dict[tuple[tuple[str, int], ...], None] = {}
    for key in state.foes(unit.id):
        for member in state.units[key].members:
            pool = state.pools[member]
            if has(state, pool, "t9a.rule.afflict") and touches(state, pool, unit):
                for rule in found(state, pool, "t9a.rule.afflict"):
                    seen[rule.mods] = None
    return [Mod("add", value, "t9a.rule.afflict") for mods in seen for name, value in mods if name == what]


def touches(state: State, pool: Pool, unit: Unit) -> bool:
    """Is a model of this pool in contact with an enemy unit?"""
    own = state.units[pool.unit]
    if len(own.members) == 1:
        return True
    cells = layout(state, own).cells
    pair = next(p for p in state.pairs_of(own.id) if p.other(own.id) == unit.id)
    met = contacts(state, own, pair.face(own.id), unit, pair.face(unit.id))
    return any(cells[j].pool == pool.id for j, _ in met)


@decides("t9a.def.profile.defensive")
def defensive(state: State, pool: Pool, what: str) -> Number:
    """Def, Res or HP now."""
    mods = mods_on(state, pool, what) + afflicted(state, state.units[pool.unit], what) + held_mods(state, pool, what)
    return settle(state, what, pool.profile.value(what), mods)


def armour(state: State, pool: Pool, melee: bool) -> Number:
    """Armour: profile, shield and everything else together, at most 6 (t9a.attack.save.combined-armour)."""
    mods = mods_on(state, pool, "arm") + afflicted(state, state.units[pool.unit], "arm")
    mods += held_mods(state, pool, "arm")
    if shield(state, pool, melee):
        mods = [*mods, Mod("add", 1, "t9a.rule.shield")]
    if not state.applies("t9a.attack.save.combined-armour"):
        mods = mods[:1]
    return settle(state, "arm", pool.profile.arm, mods)


@decides("t9a.char.combined.move")
def mobility(state: State, unit: Unit) -> int:
    """The lowest Mobility among its models (t9a.def.profile.unit-values)."""
    return _slowest(state, unit, "mob")


def charge_speed(state: State, unit: Unit) -> int:
    return _slowest(state, unit, "cha")


def _slowest(state: State, unit: Unit, what: str) -> int:
    values = [value_of(state, pool, unit, what) for pool in state.members(unit)]
    return int(min(values) if state.applies("t9a.def.profile.unit-values") else values[0])


@decides("t9a.def.profile.global")
def value_of(state: State, pool: Pool, unit: Unit, what: str) -> float:
    """A model's own value; a War Platform in its unit goes as fast as the unit (t9a.rule.war-platform.speed)."""
    return speed(state, pool, unit, what).total


def speed(state: State, pool: Pool, unit: Unit, what: str) -> Number:
    base = pool.profile.mob if what == "mob" else pool.profile.cha
    if "t9a.rule.random-movement.distance" in pool.profile.names and state.applies("t9a.rule.random-movement.values"):
        base = max(most_of(rule.x) for rule in found(state, pool, "t9a.rule.random-movement.distance")) or base
    mods = mods_on(state, pool, what)
    platform = "t9a.rule.war-platform"
    if len(unit.members) > 1 and has(state, pool, platform) and beside(state, unit, pool):
        # A scene may have two platforms side by side: neither takes its speed from the other.
        others = [p for p in state.members(unit) if p.id != pool.id and not has(state, p, platform)]
        if not others:
            return settle(state, what, base, mods) if mods else Number(base, base)
        fast = min(value_of(state, p, unit, what) for p in others)
        return settle(state, what, base, [Mod("set", fast, "t9a.rule.war-platform.speed")])
    return settle(state, what, base, mods) if mods else Number(base, base)


def beside(state: State, unit: Unit, pool: Pool) -> bool:
    """Does any model of the unit touch the platform's left or right side?"""
    cells = layout(state, unit).cells
    mine = next((c for c in cells if c.pool == pool.id), None)
    if mine is None:
        return False
    return any(
        c is not mine
        and (abs(c.x1 - mine.x0) < 1e-3 or abs(c.x0 - mine.x1) < 1e-3)
        and c.y0 > mine.y1 + 1e-6
        and c.y1 < mine.y0 - 1e-6
        for c in cells
    )
