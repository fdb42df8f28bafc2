"""Armour saves and special saves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.effects import Number

from . import majority, weapons
from .characteristics import armour
from .model_rules import found, meets
from .profiles import Rule
from .state import Pool, State

if TYPE_CHECKING:
    from .attacks import Strike


class Plain(NamedTuple):
    """What a save must know of a wound."""

    ap: int
    names: tuple[str, ...] = ()
    lethal: bool = False


def armour_need(arm: int, ap: int) -> int:
    """7 - (Armour - AP), never better than 2+; 7: no save (t9a.attack.save.armour)."""
    left = arm - ap
    return 7 if left <= 0 else max(2, 7 - left)


def save(battle: Battle[State], strike: Strike, names: dict[str, list[Rule]]) -> None:
    """Armour, then a special save against what is left (t9a.attack.save.order)."""
    state = battle.state
    target = majority.attacked(state, state.pools[strike.target], strike.tie)
    value = armour(state, target, strike.melee)
    plain = strike.wounds - strike.lethal
    need = armour_need(int(value.total), strike.ap)
    if need <= 6 and plain:
        changed = value.rules[:1] or strike.force[-1:]
        rule = changed[0] if changed and strike.ap + int(value.total) else "t9a.attack.save.armour"
        roll = battle.roll(plain, "armour", rule, side=target.side, who=target.id, need=need)
        one = state.applies("t9a.attack.save.armour-one")
        saved = sum(face >= need and not (one and face == 1) for face in roll.faces)
        plain -= saved
        told = armour_rules(state, strike, target, value)
        battle.emit("armour-saves", *told, target=target.id, saved=saved, dice=len(roll.faces))
    keys = tuple(names)
    if not state.applies("t9a.attack.save.order"):
        strike.unsaved, strike.lethal_unsaved = plain, strike.lethal
        return
    strike.unsaved = special_saves(battle, target, plain, Plain(strike.ap, keys), strike) if plain else 0
    strike.lethal_unsaved = (
        special_saves(battle, target, strike.lethal, Plain(10, keys, True), strike) if strike.lethal else 0
    )


def armour_rules(state: State, strike: Strike, target: Pool, value: Number) -> list[str]:
    """What made the armour save what it is: shield, weapon in both hands, everything worn together, AP; and that a
    natural 1 fails where nothing else would."""
    told = [rule for rule in weapons.shield_rules(state, target, strike.melee) if rule not in state.without]
    if value.changes and target.profile.arm:
        told.append("t9a.attack.save.combined-armour")
    if value.total - strike.ap >= 6:
        told.append("t9a.attack.save.armour-one")
    told += [rule for rule in value.rules if rule not in told]
    if strike.ap:
        told += strike.force[-1:]
    return told[:3] or ["t9a.attack.save.armour"]


def special_need(state: State, pool: Pool, wound: Plain, strike: Strike | None = None) -> tuple[int, str]:
    """The best special save against this wound, and its rule; 7: none. Only one may be taken
    (t9a.attack.save.special-one)."""
    best, cite = 7, ""
    if "t9a.rule.divine-attacks" not in wound.names or not state.applies("t9a.rule.aegis.divine"):
        value = save_value(state, pool, "t9a.rule.aegis", wound, strike)
        if value < best:
            best, cite = value, "t9a.rule.aegis"
    flaming = "t9a.rule.flaming-attacks" in wound.names
    if not flaming and not wound.lethal:
        value = save_value(state, pool, "t9a.rule.regeneration", wound, strike)
        if value < best:
            best, cite = value, "t9a.rule.regeneration"
    return best, cite


IMPROVED = {"t9a.rule.aegis": "t9a.rule.aegis.modifier", "t9a.rule.regeneration": "t9a.rule.regeneration.modifier"}


def save_value(state: State, pool: Pool, rule: str, wound: Plain, strike: Strike | None) -> int:
    """Aegis (X+), improved by Aegis (+N), never better than 3+ (t9a.rule.aegis.modifier,
    t9a.rule.regeneration.modifier)."""
    best = 7
    modifier = IMPROVED[rule]
    better: list[Rule] = []
    for held in found(state, pool, rule):
        if held.versus and state.applies("t9a.rule.keyword.versus") and not _versus(state, held, wound, strike):
            continue
        if held.plus:
            better.append(held)
        else:
            best = min(best, held.number)
    if modifier in state.without:
        return best
    # The rule does not stack: of several improvements its owner has one (t9a.rule.duplicates).
    return min([best, *(max(held.most, 3, best - held.number) for held in better)])


def _versus(state: State, held: Rule, wound: Plain, strike: Strike | None) -> bool:
    names = [name.removeprefix("t9a.rule.") for name in wound.names]
    source = state.pools.get(strike.source) if strike is not None else None
    if source is not None:
        return meets(source.profile, held.versus, names)
    return any(all(word in names for word in words) for words in held.versus)


def special_saves(battle: Battle[State], pool: Pool, wounds: int, wound: Plain, strike: Strike | None = None) -> int:
    """Special saves; a natural 1 or 2 always fails (t9a.attack.save.special). Answers the wounds that are left."""
    state = battle.state
    need, rule = special_need(state, pool, wound, strike)
    denied(battle, pool, wound)
    if need > 6 or not wounds:
        return wounds
    if state.applies("t9a.attack.save.special"):
        need = max(3, need)
    roll = battle.roll(wounds, "special", rule, side=pool.side, who=pool.id, need=need)
    left = wounds - sum(face >= need for face in roll.faces)
    told = special_rules(state, pool, wound, strike, rule)
    battle.emit("special-saves", *told[:3], target=pool.id, saved=wounds - left, dice=wounds)
    if left and not state.applies("t9a.attack.save.special-one"):
        other = "t9a.rule.regeneration" if rule == "t9a.rule.aegis" else "t9a.rule.aegis"
        second = save_value(state, pool, other, wound, strike)
        if second <= 6:
            again = battle.roll(left, "special", other, side=pool.side, who=pool.id, need=second)
            left -= sum(face >= second for face in again.faces)
    return left


def special_rules(state: State, pool: Pool, wound: Plain, strike: Strike | None, rule: str) -> list[str]:
    """What made the special save what it is: which of two, improved by what, against whom, after which armour save."""
    other = "t9a.rule.regeneration" if rule == "t9a.rule.aegis" else "t9a.rule.aegis"
    told = [rule]
    held = found(state, pool, rule)
    if any(r.plus for r in held):
        told.append(IMPROVED[rule])
    if any(r.versus and _versus(state, r, wound, strike) for r in held):
        told.append("t9a.rule.keyword.versus")
        if "t9a.rule.magical-attacks" in wound.names:
            told.append("t9a.rule.magical-attacks")
    if save_value(state, pool, other, wound, strike) <= 6:
        told.append("t9a.attack.save.special-one")
    if strike is not None and armour_need(int(armour(state, pool, strike.melee).total), wound.ap) <= 6:
        told.append("t9a.attack.save.order")
    return [*told, "t9a.attack.save.special"]


def denied(battle: Battle[State], pool: Pool, wound: Plain) -> None:
    """Tell which special save an attack does not allow."""
    names = pool.profile.names
    if "t9a.rule.divine-attacks" in wound.names and "t9a.rule.aegis" in names:
        battle.emit("no-save", "t9a.rule.aegis.divine", "t9a.rule.divine-attacks", pool=pool.id)
    if "t9a.rule.regeneration" in names and "t9a.rule.flaming-attacks" in wound.names:
        battle.emit("no-save", "t9a.rule.flaming-attacks", "t9a.rule.regeneration", pool=pool.id)
