"""What units would do to each other on average, quickly: what players that think ahead reckon with."""

from __future__ import annotations

import math

from umpire.games.wh40k.attacks import wound_table
from umpire.games.wh40k.profiles import CLOSE_COMBAT, Datasheet, Profile, Row, amount
from umpire.games.wh40k.state import Model, Unit
from umpire.games.wh40k.weapons import strength

_FOUND: dict[tuple[int, str, tuple[str, ...], int], tuple[tuple[Datasheet, Datasheet], float, float, float]] = {}
KEPT = 4096


def mean(text: str | int) -> float:
    found = amount(text)
    return found.dice * (2.0 if found.sides == 3 else 3.5) + found.plus


def chance(need: int) -> float:
    """That a die shows this or more; 1 always fails and 6 always succeeds."""
    return (7 - max(2, min(6, need))) / 6


def wounds(profile: Profile, row: Row, foe: Row, attacks: float) -> float:
    """The wounds that attacks take from models of one kind, on average; what is beyond a model's wounds is lost."""
    skill = row.ws if profile.melee else row.bs
    if not skill:
        return 0.0
    hit = 1.0 if profile.has("auto-hit") else chance(skill)
    need = profile.rule("poison") or wound_table(strength(profile.s, row.s), foe.t)
    best = min(foe.sv - profile.ap if foe.sv else 7, foe.invulnerable or 7)
    unsaved = 1.0 - (chance(best) if best <= 6 else 0.0)
    each = min(mean(profile.d), float(foe.w))
    ignored = (7 - foe.ignore) / 6 if foe.ignore else 0.0
    return attacks * hit * chance(need) * unsaved * each * (1.0 - ignored)


def per_model(unit: Unit, model: Model, foe: Unit) -> tuple[float, float, float]:
    """What one model does to a unit by shooting and in a fight, and how far it shoots."""
    key = (id(unit.sheet), model.row, model.weapons, id(foe.sheet))
    found = _FOUND.get(key)
    if found is None:
        row, target = unit.sheet.row(model.row), foe.sheet.rows[0]
        shots, reach, blows = 0.0, 0.0, 0.0
        arms = [unit.sheet.weapon(k) for k in model.weapons]
        for weapon in arms:
            if weapon.melee:
                continue
            best = max(wounds(p, row, target, mean(p.attacks)) for p in weapon.profiles)
            shots += best * (0.5 if weapon.profiles[0].type in ("grenade", "pistol") else 1.0)
            reach = max(reach, max(p.range for p in weapon.profiles))
        for weapon in [w for w in arms if w.melee] or [CLOSE_COMBAT]:
            blows = max(blows, max(wounds(p, row, target, mean(row.a)) for p in weapon.profiles))
        if len(_FOUND) >= KEPT:
            _FOUND.clear()
        found = _FOUND[key] = ((unit.sheet, foe.sheet), shots, blows, reach)
    return found[1], found[2], found[3]


def health(unit: Unit) -> int:
    return sum(m.wounds for m in unit.models)


def full_health(unit: Unit) -> int:
    return max(1, sum(unit.sheet.row(m.row).w for m in (*unit.models, *unit.dead)))


def left(unit: Unit) -> float:
    """What is left of a unit, in points."""
    return unit.points * (0.25 * (len(unit.models) > 0) + 0.75 * health(unit) / full_health(unit))


def gap(a: Unit, b: Unit) -> float:
    return max(0.0, math.hypot(a.cx - b.cx, a.cy - b.cy) - a.cr - b.cr)


def taken(unit: Unit, foe: Unit, melee: bool, far: float = 0.0) -> float:
    """What a unit takes from another in one shooting or one fight, in points, not more than it has."""
    total = 0.0
    for model in unit.models:
        shots, blows, reach = per_model(unit, model, foe)
        total += blows if melee else shots if reach >= far else 0.0
    return foe.points * min(total, float(health(foe))) / full_health(foe)
