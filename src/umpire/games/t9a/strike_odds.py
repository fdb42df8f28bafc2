"""Exact odds of one attack: to hit, to wound, armour, special save, Multiple Wounds."""

from __future__ import annotations

from typing import Any

from umpire.odds import Dist, amount

from . import attacks, command, majority, multiple_wounds, saves
from .attacks import Strike, names_of
from .characteristics import armour, defensive
from .profiles import dice_of
from .questions import again
from .state import Pool, State


def dice_dist(text: str) -> Dist:
    return amount(*dice_of(text))


def each_attack(state: State, strike: Strike, automatic: bool = False) -> Dist:
    """Health points that one attack takes: to hit, to wound, armour, special save, Multiple Wounds."""
    names = names_of(state, strike)
    target = majority.attacked(state, state.pools[strike.target], strike.tie)
    strength, ap = strike.strength, strike.ap
    if "t9a.rule.toxic-attacks" in names:
        strength, ap = 3, 10
    res = int(defensive(state, target, "res").total)
    if "t9a.rule.psychic-attacks" in names:
        res = int(command.discipline(state, state.units[target.unit], target).total)
    need = attacks.wound_need(strength, res)
    if "t9a.rule.massed-ranks" in names and need > 3:
        need -= 1
    wound = (7 - need) / 6
    fails = any(n in names for n in ("t9a.rule.zealous",)) or attacks.weak(
        state, target, names, strike, "t9a.rule.weakness"
    )
    if "t9a.rule.lightning-attacks" in names and "metal-armour" not in target.profile.traits:
        fails = True
    if "t9a.rule.flaming-attacks" in names and attacks.burns(state, target):
        fails = True
    made = attacks.weak(state, target, names, strike, "t9a.rule.resistant")
    first = wound
    if fails and made:
        wound = first
    elif fails:
        wound = again(first)
    elif made:
        wound = first * first
    sixth = wound / (7 - need)
    arm = int(armour(state, target, strike.melee).total)
    plain = _through(state, target, saves.armour_need(arm, ap), saves.Plain(ap, tuple(names)), strike)
    lethal = "t9a.rule.lethal-strike" in names
    sure = _through(state, target, 7, saves.Plain(10, tuple(names), True), strike) if lethal else plain
    hurt = sixth * sure + (wound - sixth) * plain
    damage = damage_dist(state, strike, names, target)
    normal = Dist.mixture(((hurt, damage), (1 - hurt, 0)))
    if automatic:
        return normal
    good = (7 - min(6, strike.need)) / 6
    poison = len(names.get("t9a.rule.poison-attacks", ()))
    poisoned = min(good, (2 if poison >= 2 else 1) / 6) if poison else 0.0
    hatred = "t9a.rule.hatred" in names
    factor = (2 - good) if hatred else 1.0
    hit, venom = good * factor, poisoned * factor
    saved = Dist.mixture(((plain, damage), (1 - plain, 0)))
    result = Dist.mixture(((venom, saved), (hit - venom, normal), (1 - hit, 0)))
    if "t9a.rule.focused" in names:
        six = min(good, 1 / 6) * factor
        result = Dist.mixture(
            (
                (six, (saved if poison else normal) + normal),
                (max(0.0, venom - six), saved),
                (hit - max(venom, six), normal),
                (1 - hit, 0),
            )
        )
    return result


def _through(state: State, target: Pool, need: int, wound: saves.Plain, strike: Strike) -> float:
    """The chance that a wound is not saved."""
    armour_fails = 1.0 if need > 6 else (need - 1) / 6
    special, _ = saves.special_need(state, target, wound, strike)
    return armour_fails * (1.0 if special > 6 else (max(3, special) - 1) / 6)


def damage_dist(state: State, strike: Strike, names: dict[str, Any], target: Pool) -> Dist:
    rule = multiple_wounds.usual(state, target, names)
    return dice_dist(rule.x).min(target.profile.hp) if rule is not None else Dist.certain(1)
