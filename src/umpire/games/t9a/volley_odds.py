"""Exact odds of a volley: what all its shots together take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from umpire.odds import Dist

from . import attacks, ranged_attacks, shooting, volleys
from .attacks import Strike
from .model_rules import attributes
from .questions import again
from .state import Facing, Pool, State, Unit
from .strike_odds import dice_dist, each_attack
from .values import settle


def volley_dist(state: State, unit: Unit, target: Unit) -> Dist | None:
    """Health points that a unit's volley takes of a target's soldiers, with the first weapon of each part; None where
    it is not worked out."""
    firing = shooting.shooters(state, unit, target, shooting.guns(state, unit), cover=True)
    return _shots(state, unit, target, firing, shooting.target_facing(state, unit, target))


def standing_dist(state: State, unit: Unit, charger: Unit) -> Dist | None:
    """The same of a unit that stands and shoots at who has charged it."""
    firing = ranged_attacks.standing_shooters(state, unit)
    return _shots(state, unit, charger, firing, "front", at_contact=True)


def _shots(
    state: State, unit: Unit, target: Unit, firing: Iterable[shooting.Shooter], face: Facing, at_contact: bool = False
) -> Dist | None:
    used: dict[tuple[str, int], shooting.Gun] = {}
    pool = attacks.ranged_pools(state, target.id)[0]
    total = Dist.certain(0)
    grouped: Counter[tuple[str, int, int]] = Counter()
    for shooter in firing:
        gun = shooter.gun
        if used.setdefault((gun.pool, gun.part), gun).weapon.id != gun.weapon.id:
            continue
        source = state.pools[gun.pool]
        mods = volleys.hit_mods(state, unit, shooter, source.profile.parts[gun.part], source, pool, at_contact)
        grouped[gun.pool, gun.part, int(settle(state, "hit-shoot", gun.aim, mods, high=False).total)] += 1
    for (key, index, need), count in grouped.items():
        each = shot(state, target, pool, used[key, index], need, face)
        if each is None:
            return None
        total = total + each.times(dice_dist(used[key, index].weapon.shots).times(count))
    return total.min(pool.hp)


def shot(state: State, target: Unit, pool: Pool, gun: shooting.Gun, need: int, face: Facing) -> Dist | None:
    """What one shot takes: a hit, or all those of an Area Attack if it hits; one of them may be a Direct Hit."""
    source = state.pools[gun.pool]
    part = source.profile.parts[gun.part]
    strength, ap = volleys.strength_of(state, source, part, gun.weapon)
    bound = gun.weapon.rules
    common: dict[str, Any] = {
        "source": source.id, "how": "shooting", "strength": strength, "ap": ap, "part": gun.part, "bound": bound,
    }  # fmt: skip
    areas, automatic, direct = (
        attributes(state, source, part, f"t9a.rule.{name}", "shooting", bound)
        for name in ("area-attack.hits", "automatic-hits", "direct-hit")
    )
    if need > 6 and (areas or not automatic):
        return Dist.certain(0)
    aimed: dict[str, Any] = {"target": pool.id, "dice": 1, "need": max(2, need)}
    plain = Strike(**aimed, **common)
    if not areas and automatic:
        return each_attack(state, plain, True)
    special = Strike(**aimed, **ranged_attacks.direct(direct[0], common)) if direct else plain
    if not areas:
        return each_attack(state, special)
    names = attacks.names_of(state, plain)
    if "t9a.rule.poison-attacks" in names or "t9a.rule.focused" in names:
        return None
    hit = (7 - max(2, need)) / 6
    if "t9a.rule.hatred" in names:
        hit = again(hit)
    hits = min(pool.count, ranged_attacks.area_size(state, target, areas[0], face))
    spread = each_attack(state, plain, True).times(hits - 1) + each_attack(state, special, True)
    return Dist.mixture(((hit, spread), (1 - hit, 0)))
