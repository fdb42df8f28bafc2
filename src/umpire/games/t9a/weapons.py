"""Weapons: the book's tables, which weapon a model part uses, and what the one in use changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.rulings import Reason

from .model_rules import attributes, has
from .profiles import Part, Profile, Rule, Weapon
from .state import Pool, State
from .values import Mod, random_value


def _rule(name: str, x: str = "", mods: tuple[tuple[str, int], ...] = ()) -> Rule:
    return Rule(f"t9a.rule.{name}", x, mods)


MELEE = {
    weapon.id: weapon
    for weapon in (
        Weapon("hand", rule="t9a.rule.weapon.hand"),
        Weapon("natural", rule="t9a.rule.weapon.natural"),
        Weapon("great", two_handed=True, mods=(("str", 2), ("ap", 2)), rule="t9a.rule.weapon.great"),
        Weapon("halberd", two_handed=True, mods=(("str", 1), ("ap", 1)), rule="t9a.rule.weapon.halberd"),
        Weapon(
            "lance",
            rules=(_rule("devastating-charge", mods=(("agi", 1), ("str", 2), ("ap", 2))),),
            rule="t9a.rule.weapon.lance",
            users="mounted",
        ),
        Weapon(
            "light-lance",
            rules=(_rule("devastating-charge", mods=(("str", 1), ("ap", 1))),),
            rule="t9a.rule.weapon.light-lance",
            users="mounted",
        ),
        Weapon("paired", two_handed=True, mods=(("att", 1), ("off", 1)), rule="t9a.rule.weapon.paired"),
        Weapon(
            "spear",
            mods=(("agi", 1), ("ap", 1)),
            rules=(_rule("fight-in-extra-rank"),),
            rule="t9a.rule.weapon.spear",
            users="foot",
        ),
    )
}

_EXTRA_RANK = _rule("shoot-in-extra-rank")
_QUICK = _rule("quick-to-fire")
_STAND = _rule("stand-and-shoot")
_UNWIELDY = _rule("unwieldy", "1")

SHOOTING = {
    weapon.id: weapon
    for weapon in (
        Weapon("bow", shooting=True, range=24, strength=3, ap=0, rules=(_EXTRA_RANK,), rule="t9a.rule.weapon.bow"),
        Weapon(
            "longbow", shooting=True, range=30, strength=3, ap=0, rules=(_EXTRA_RANK,), rule="t9a.rule.weapon.longbow"
        ),
        Weapon(
            "crossbow", shooting=True, range=30, strength=4, ap=1, rules=(_UNWIELDY,), rule="t9a.rule.weapon.crossbow"
        ),
        Weapon(
            "handgun", shooting=True, range=24, strength=4, ap=2, rules=(_UNWIELDY,), rule="t9a.rule.weapon.handgun"
        ),
        Weapon(
            "pistol", shooting=True, range=12, strength=4, ap=2, rules=(_QUICK, _STAND), rule="t9a.rule.weapon.pistol"
        ),
        Weapon(
            "throwing",
            shooting=True,
            range=8,
            shots="2",
            rules=(_rule("accurate"), _STAND, _QUICK),
            rule="t9a.rule.weapon.throwing",
        ),
    )
}

BREATH = (_rule("automatic-hits"), _rule("march-and-shoot"), _rule("unmodifiable"))
"""What every Breath Attack has beside its own attributes (t9a.rule.weapon.breath)."""


def weapon_of(part: Part, key: str) -> Weapon:
    """A weapon by its name: one of the entry's own, or one of the book's."""
    if key in part.own:
        return part.own[key]
    return MELEE.get(key) or SHOOTING[key]


def rides(profile: Profile) -> bool:
    return "mounted" in profile.traits or "centaur" in profile.traits


def melee_weapons(state: State, pool: Pool, part: Part) -> list[str]:
    """The melee weapons that a part has: natural weapons for mounts, Beasts and Constructs, else a hand weapon by
    default, and whatever its entry says (t9a.rule.weapon.hand, t9a.rule.weapon.natural)."""
    beast = len(pool.profile.parts) == 1 and not {"beast", "construct"}.isdisjoint(pool.profile.traits)
    natural = (part.natural or part.mount or beast) and state.applies("t9a.rule.weapon.natural")
    default = "natural" if natural or not state.applies("t9a.rule.weapon.hand") else "hand"
    have = [default]
    for key in part.weapons:
        weapon = weapon_of(part, key)
        if weapon.shooting or key == default:
            continue
        if usable(state, pool, weapon):
            have.append(key)
    return have


def usable(state: State, pool: Pool, weapon: Weapon) -> bool:
    """Lances are for riders, spears for those on foot (t9a.rule.weapon.lance, t9a.rule.weapon.spear)."""
    if not weapon.users or not state.applies(weapon.rule):
        return True
    if not state.applies("t9a.def.traits.mounted-foot"):
        return True
    return rides(pool.profile) == (weapon.users == "mounted")


def klass(part: Part, key: str) -> int:
    """1 enchanted, 2 any other, 3 hand weapon, 4 natural weapons."""
    if key == "natural":
        return 4
    if key == "hand":
        return 3
    return 1 if weapon_of(part, key).enchanted else 2


def choices(state: State, pool: Pool, index: int) -> list[str]:
    """The weapons that a part may take for this round."""
    part = pool.profile.parts[index]
    have = melee_weapons(state, pool, part)
    return [key for key in have if not any(weapon_objections(state, pool, index, key, have))]


def weapon_objections(
    state: State, pool: Pool, index: int, key: str, have: Sequence[str] | None = None
) -> Iterator[Reason]:
    """Why a part may not use this weapon now (t9a.rule.weapon.melee-choice)."""
    part = pool.profile.parts[index]
    have = melee_weapons(state, pool, part) if have is None else have
    best = min(klass(part, k) for k in have)
    master = bool(attributes(state, pool, part, "t9a.rule.weapon-master", "melee"))
    current = pool.weapon[index] if index < len(pool.weapon) else ""
    if current and key != current and not master and state.applies("t9a.rule.weapon.melee-choice"):
        yield Reason("t9a.rule.weapon.melee-choice", facts={"weapon": f"weapon.{current}"})
    mine = klass(part, key)
    if mine > best and (not master or best == 1) and state.applies("t9a.melee.equip.weapon-priority"):
        told = {"weapon": f"weapon.{key}"}
        yield Reason("t9a.melee.equip.weapon-priority", facts=told)
        yield Reason("t9a.rule.weapon.melee-choice", "reason.t9a.melee.equip.weapon-priority", told)


def use_objections(state: State, pool: Pool, index: int, key: str) -> Iterator[Reason]:
    """Why a part does not fight with this weapon: it has not got it, cannot use it, or must use another."""
    part = pool.profile.parts[index]
    have = melee_weapons(state, pool, part)
    if key in have:
        yield from weapon_objections(state, pool, index, key, have)
    elif key in part.weapons and not weapon_of(part, key).shooting:
        yield Reason(weapon_of(part, key).rule, "reason.wish.cannot-use", {"who": pool.id, "weapon": f"weapon.{key}"})
        yield Reason("t9a.def.traits.mounted-foot", facts={"who": pool.id})
    elif key in ("hand", "natural"):
        # Hand weapons belong to those who have no natural ones, and the other way round.
        rule = "t9a.rule.weapon.natural" if key == "hand" else "t9a.rule.weapon.hand"
        yield Reason(rule, "reason.wish.other-weapon", {"who": pool.id})
    else:
        yield Reason("t9a.rule.weapon", "reason.wish.no-weapon", {"who": pool.id})


def in_use(state: State, pool: Pool, index: int) -> Weapon:
    """The melee weapon that a part fights with."""
    part = pool.profile.parts[index]
    name = pool.weapon[index] if index < len(pool.weapon) else ""
    weapon = weapon_of(part, name or choices(state, pool, index)[0])
    return Weapon(weapon.id) if weapon.rule in state.without else weapon


def settled(battle: Battle[State], pool: Pool, weapon: Weapon) -> Weapon:
    """The weapon with its bonuses rolled for (t9a.rule.weapon.bonus-timing)."""
    if not weapon.rolled:
        return weapon
    rule = "t9a.rule.weapon.bonus-timing"
    mods = list(weapon.mods)
    for name, dice in weapon.rolled:
        value = random_value(battle, dice, "weapon-bonus", rule, side=pool.side, who=pool.id)
        mods.append((name, value))
        battle.emit("weapon-bonus", rule, who=pool.id, what=f"characteristic.{name}", amount=value)
    return msgspec.structs.replace(weapon, mods=tuple(mods), rolled=())


def two_handed(state: State, pool: Pool, index: int = 0) -> bool:
    """Does the part's weapon keep it from using a shield? (t9a.rule.two-handed, t9a.rule.hand-and-a-half)"""
    if not pool.profile.parts or not state.applies("t9a.rule.two-handed"):
        return False
    if not in_use(state, pool, index).two_handed:
        return False
    return not attributes(state, pool, pool.profile.parts[index], "t9a.rule.hand-and-a-half", "melee")


def shield(state: State, pool: Pool, melee: bool) -> bool:
    """Does the model count as using its shield? (t9a.rule.shield)"""
    profile = pool.profile
    if not profile.shield or not state.applies("t9a.rule.shield"):
        return False
    if "arm" in profile.own and state.applies("t9a.char.mount.defensive"):
        return False
    return not (melee and two_handed(state, pool))


def shield_rules(state: State, pool: Pool, melee: bool) -> list[str]:
    """Why a model that carries a shield has it or has it not in this save."""
    if not pool.profile.shield or not pool.profile.parts:
        return []
    if "arm" in pool.profile.own:
        return ["t9a.char.mount.defensive"]
    if not melee or not in_use(state, pool, 0).two_handed:
        return ["t9a.rule.shield"]
    return ["t9a.rule.two-handed"] if two_handed(state, pool) else ["t9a.rule.hand-and-a-half", "t9a.rule.shield"]


def parries(state: State, pool: Pool) -> bool:
    """Hand weapon and shield together give a Height 1-3 model Parry (t9a.rule.shield.parry)."""
    if "def" in pool.profile.own or "arm" in pool.profile.own:
        return False
    if has(state, pool, "t9a.rule.parry"):
        return True
    if not state.applies("t9a.rule.shield.parry") or not state.applies("t9a.rule.parry"):
        return False
    profile = pool.profile
    if not profile.parts or not 1 <= profile.height <= 3 or not shield(state, pool, True):
        return False
    part = profile.parts[0]
    weapon = in_use(state, pool, 0)
    if weapon.id == "hand":
        return True
    return bool(attributes(state, pool, part, "t9a.rule.hand-and-a-half", "melee"))


def weapon_mods(state: State, weapon: Weapon, what: str, foe: Pool | None = None) -> list[Mod]:
    """What the weapon in use changes of a characteristic (t9a.rule.weapon.melee-offensive,
    t9a.rule.weapon.melee-other)."""
    if weapon.rule in state.without:
        return []
    scope = "t9a.rule.weapon.melee-offensive" if what in ("off", "str", "ap") else "t9a.rule.weapon.melee-other"
    if scope in state.without:
        return []
    mods = [Mod("add", value, weapon.rule) for name, value in weapon.mods if name == what]
    if weapon.id == "spear" and what == "ap" and foe is not None and rides(foe.profile):
        mods.append(Mod("add", 1, "t9a.rule.weapon.spear"))
    return mods


def held_mods(state: State, pool: Pool, what: str) -> list[Mod]:
    """What the weapons in use change of the model itself; values that are the mount's own stay
    (t9a.rule.weapon.melee-other, t9a.char.mount.defensive)."""
    profile = pool.profile
    if not any(part.own for part in profile.parts):
        return []
    if what in profile.own and state.applies("t9a.char.mount.defensive"):
        return []
    return [
        mod
        for index, part in enumerate(profile.parts)
        if part.own
        for mod in weapon_mods(state, in_use(state, pool, index), what)
    ]
