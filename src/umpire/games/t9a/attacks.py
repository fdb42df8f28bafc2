"""The attack sequence: hits, wounds, armour saves, special saves, health points lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.dice import Roll
from umpire.engine.rulings import Reason
from umpire.rulebook.deciding import decides

from . import casualties, command, majority, multiple_wounds, saves, terrain
from .characteristics import defensive
from .model_rules import found, has, meets, stacked
from .profiles import Part, Rule, Weapon
from .state import Pool, State
from .values import Mod, settle


class Strike(msgspec.Struct, gc=False):
    """Attacks of one kind on one health pool: so many dice to hit with, or so many automatic hits."""

    source: str
    """The attacking pool ("": nobody's)."""
    target: str
    how: str
    """ "melee", "special" (a melee attack that is not standard), "shooting", "spell" or "other"."""
    strength: int
    ap: int
    dice: int = 0
    auto: int = 0
    need: int = 4
    part: int = 0
    bound: tuple[Rule, ...] = ()
    """Attributes of the weapon, spell or attack itself."""
    cites: tuple[str, ...] = ()
    """What decided the roll to hit."""
    force: tuple[str, ...] = ()
    """What changed its Strength or AP."""
    own: bool = True
    """Do the part's own attributes count?"""
    charging: bool = False
    massed: bool = False
    tie: int = 0
    """Of a pool whose models differ: whose values count where the majority does not tell."""
    hits: int = 0
    poisoned: int = 0
    wounds: int = 0
    lethal: int = 0
    unsaved: int = 0
    lethal_unsaved: int = 0
    multiple: str = ""
    """The X of Multiple Wounds that is used, where it was chosen."""

    @property
    def melee(self) -> bool:
        return self.how in ("melee", "special")


NATURAL_SIX = "t9a.attack.hit.natural-six-melee"


def filled(parts: Mapping[str, tuple[int, int]], total: int) -> dict[str, int]:
    """How hits, shots or losses are divided unless somebody likes it otherwise: to the first, soldiers as a rule, as
    many as it may take, the rest to those after it."""
    shares = {key: least for key, (least, _) in parts.items()}
    for key, (least, most) in parts.items():
        shares[key] += max(0, min(most - least, total - sum(shares.values())))
    return shares


def names_of(state: State, strike: Strike) -> dict[str, list[Rule]]:
    """Every Attack Attribute on this attack, less those that the target is Immune to (t9a.rule.immune)."""
    held: dict[str, list[Rule]] = {}
    for rule in strike.bound if state.applies("t9a.rule.attack-attribute.bound") else ():
        if rule.id not in state.without:
            held.setdefault(rule.id, []).append(rule)
    apart = any(rule.id == "t9a.rule.unmodifiable" for rule in strike.bound) and state.applies("t9a.rule.unmodifiable")
    if strike.own and strike.source and strike.how != "spell" and not apart:
        pool = state.pools[strike.source]
        how = "melee" if strike.melee else "shooting" if strike.how == "shooting" else "other"
        part = pool.profile.parts[strike.part] if pool.profile.parts else None
        for rule in own_rules(state, pool, part, how):
            held.setdefault(rule.id, []).append(rule)
    if strike.massed:
        held["t9a.rule.massed-ranks"] = [Rule("t9a.rule.massed-ranks")]
    target = majority.attacked(state, state.pools[strike.target], strike.tie)
    for rule in found(state, target, "t9a.rule.immune"):
        for word in rule.words:
            held.pop(f"t9a.rule.{word}", None)
    if "t9a.rule.flaming-attacks" in held and soaked(state, target):
        del held["t9a.rule.flaming-attacks"]
    if state.applies("t9a.rule.keyword.against"):
        aimed = {name: [r for r in rules if meets(target.profile, r.against)] for name, rules in held.items()}
        held = {name: rules for name, rules in aimed.items() if rules}
    return held


def borne(state: State, pool: Pool, part: Part, weapon: Weapon, how: str) -> list[str]:
    """The attributes that a part's attacks with a weapon have, whoever is attacked."""
    return [rule.id for rule in (*weapon.rules, *own_rules(state, pool, part, how))]


def origin(state: State, strike: Strike, rule: str) -> str:
    """Where an attack has an attribute from: the weapon or attack, the part's profile, or somebody who gave it."""
    rule = rule.removesuffix(".double")
    if any(held.id == rule for held in strike.bound):
        return "t9a.rule.attack-attribute.bound"
    pool = state.pools[strike.source]
    mine = [held for held in pool.profile.parts[strike.part].rules if held.id == rule]
    if strike.how == "shooting" and any(held.keyword for held in mine):
        return "t9a.rule.keyword.shooting"
    if len(mine) > 1:
        return "t9a.rule.keyword.stacking"
    if mine:
        return "t9a.rule.attack-attribute.profile"
    return "t9a.rule.attack-attribute.granted"


def shrugs_off(battle: Battle[State], strike: Strike) -> None:
    """Tell of attributes that the target is Immune to (t9a.rule.immune)."""
    state = battle.state
    target = majority.attacked(state, state.pools[strike.target], strike.tie)
    immune = [f"t9a.rule.{w}" for rule in found(state, target, "t9a.rule.immune") for w in rule.words]
    carried = [rule.id for rule in strike.bound]
    if strike.own and strike.source and state.pools[strike.source].profile.parts:
        carried += [rule.id for rule in state.pools[strike.source].profile.parts[strike.part].rules]
    if any(rule in immune for rule in carried):
        battle.emit("immune", "t9a.rule.immune", target=target.id)
    elif "t9a.rule.flaming-attacks" in carried and soaked(state, target):
        battle.emit("immune", "t9a.terrain.water.soaked", target=target.id)
    if "t9a.rule.unmodifiable" in carried and strike.own and strike.source and strike.how == "shooting":
        pool = state.pools[strike.source]
        if own_rules(state, pool, pool.profile.parts[strike.part], "shooting"):
            battle.emit("unmodified", "t9a.rule.unmodifiable", who=pool.id)


def soaked(state: State, target: Pool) -> bool:
    """Units in water are immune to Flaming Attacks (t9a.terrain.water.soaked)."""
    unit = state.units[target.unit]
    return (
        state.applies("t9a.terrain.water.soaked")
        and unit.where == "table"
        and terrain.touching(state, unit, "water")
        and not terrain.strides(state, target, "water")
    )


def own_rules(state: State, pool: Pool, part: Part | None, how: str) -> list[Rule]:
    """The attributes that a part, or an effect on its models, brings to an attack of this kind."""
    from .model_rules import _concerns

    found_rules: list[Rule] = []
    without = state.without
    if part is not None and state.applies("t9a.rule.attack-attribute.profile"):
        found_rules = [r for r in part.rules if r.id not in without and _concerns(state, r, how)]  # type: ignore[arg-type]
    for key in state.units[pool.unit].members:
        if state.pools[key].banner and state.applies("t9a.rule.attack-attribute.granted"):
            found_rules += [
                r
                for r in state.pools[key].banner
                if r.id not in without and _concerns(state, r, how)  # type: ignore[arg-type]
            ]
    if state.effects and state.applies("t9a.rule.attack-attribute.granted"):
        for effect in state.effects:
            if effect.on == pool.id and "rule" in effect.data and effect.rule not in without:
                rule = msgspec.convert(effect.data["rule"], Rule)
                if rule.id not in without and _concerns(state, rule, how):  # type: ignore[arg-type]
                    found_rules.append(rule)
    return found_rules


def resolve(battle: Battle[State], strikes: Sequence[Strike], wound_cite: str = "") -> dict[str, int]:
    """Carry attacks that are made at the same time through every step together (t9a.attack.simultaneous-steps); answers
    the health points each pool lost."""
    state = battle.state
    live = [s for s in strikes if (s.dice or s.auto) and state.pools[s.target].count > 0]
    if len(live) > 1 and not state.applies("t9a.attack.simultaneous-steps"):
        added: dict[str, int] = {}
        for strike in live:
            for key, points in resolve(battle, [strike]).items():
                added[key] = added.get(key, 0) + points
        return added
    held = [names_of(state, s) for s in live]
    for strike in live:
        shrugs_off(battle, strike)
    for strike, names in zip(live, held, strict=True):
        to_hit(battle, strike, names)
    going = [(s, n) for s, n in zip(live, held, strict=True) if s.hits]
    for strike, names in going:
        to_wound(battle, strike, names)
    going = [(s, n) for s, n in going if s.wounds]
    for strike, names in going:
        saves.save(battle, strike, names)
    totals: dict[str, tuple[int, bool]] = {}
    for strike, names in going:
        lost = multiple_wounds.multiplied(battle, strike, names)
        if lost:
            before, melee = totals.get(strike.target, (0, strike.melee))
            totals[strike.target] = (before + lost, melee)
    result: dict[str, int] = {}
    for key, (points, melee) in totals.items():
        pool = state.pools[key]
        result[key] = casualties.lose(battle, pool, points, melee)
    if state.round is None and state.pairs:
        casualties.close_gaps(battle, [state.pools[key].unit for key in result])
    return result


def to_hit(battle: Battle[State], strike: Strike, names: dict[str, list[Rule]]) -> None:
    """Roll to hit, or hit automatically (t9a.attack.hit)."""
    state = battle.state
    if strike.auto:
        strike.hits = strike.auto
        by = strike.cites[:2] or ("t9a.rule.automatic-hits",)
        battle.emit("auto-hits", *by, who=strike.source, target=strike.target, hits=strike.auto)
    if not strike.dice:
        return
    source = state.pools[strike.source]
    cite = "t9a.melee.attack.standard" if strike.melee else "t9a.shoot.shots"
    roll = battle.roll(
        strike.dice, "hit", cite, side=source.side, who=source.id, need=strike.need, target=strike.target
    )

    six = strike.melee and state.applies(NATURAL_SIX)

    def good(face: int) -> bool:
        if face == 1:
            return False
        return face >= strike.need or (six and face == 6)

    if "t9a.rule.hatred" in names:
        failed = [i for i, face in enumerate(roll.faces) if not good(face)]
        if failed:
            roll = battle.reroll(roll, failed, "t9a.rule.hatred")
    hits = sum(good(face) for face in roll.faces)
    rules: list[str] = []
    poison = len(stacked(state, names.get("t9a.rule.poison-attacks", [])))
    poisoned = 0
    if poison:
        low = 5 if poison >= 2 and state.applies("t9a.rule.poison-attacks.double") else 6
        poisoned = sum(good(face) and high for face, high in zip(roll.faces, naturals(roll, low), strict=True))
        if poisoned:
            rules.append("t9a.rule.poison-attacks.double" if low == 5 else "t9a.rule.poison-attacks")
    if "t9a.rule.focused" in names:
        extra = sum(good(face) and six_up for face, six_up in zip(roll.faces, naturals(roll), strict=True))
        if extra:
            hits += extra
            rules.append("t9a.rule.focused")
            if poisoned and not state.applies("t9a.rule.poison-attacks.several-hits"):
                poisoned += extra
            elif poisoned:
                rules.append("t9a.rule.poison-attacks.several-hits")
    if rules:
        rules += ["t9a.def.dice.natural", origin(state, strike, rules[0])]
    elif "t9a.rule.hatred" in names:
        rules = ["t9a.rule.hatred", origin(state, strike, "t9a.rule.hatred")]
    if six and strike.need > 6 and hits:
        rules.append(NATURAL_SIX)
    rules = [*rules[:2], *strike.cites] if len(rules) < 3 or len(strike.cites) > 1 else [rules[0], rules[2]]
    strike.hits += hits
    strike.poisoned = poisoned
    if not hits:
        rules = ["t9a.attack.sequence"]
    battle.emit("hits", *(rules or [cite]), who=strike.source, target=strike.target, hits=hits, dice=strike.dice)


def poisons(state: State, names: dict[str, list[Rule]], face: int) -> bool:
    """Does a hit with this natural face wound by poison alone (t9a.rule.poison-attacks)?"""
    poison = len(stacked(state, names.get("t9a.rule.poison-attacks", [])))
    low = 5 if poison >= 2 and state.applies("t9a.rule.poison-attacks.double") else 6
    return poison > 0 and face >= low


@decides("t9a.def.dice.natural")
def naturals(roll: Roll, least: int = 6) -> list[bool]:
    """Which dice show such a face, whatever modifies them; of those rolled again the new face counts."""
    return [face >= least for face in roll.faces]


def wound_need(strength: int, resilience: int) -> int:
    """Strength against Resilience (t9a.attack.wound)."""
    gap = strength - resilience
    return 2 if gap >= 2 else 3 if gap == 1 else 4 if gap == 0 else 5 if gap == -1 else 6


def to_wound(battle: Battle[State], strike: Strike, names: dict[str, list[Rule]]) -> None:
    """Roll to wound for each hit that does not wound automatically."""
    state = battle.state
    target = majority.attacked(state, state.pools[strike.target], strike.tie)
    strength = strike.strength
    rules: list[str] = []
    if "t9a.rule.toxic-attacks" in names:
        strength = 3
        strike.ap = 10
        rules.append("t9a.rule.toxic-attacks")
    if "t9a.rule.psychic-attacks" in names:
        resilience = int(command.discipline(state, state.units[target.unit], target).total)
        rules.append("t9a.rule.psychic-attacks")
    else:
        resilience = int(defensive(state, target, "res").total)
    need = wound_need(strength, resilience)
    if "t9a.rule.massed-ranks" in names and state.applies("t9a.melee.formation.solid-wound-bonus"):
        better = int(settle(state, "wound", need, [Mod("capped", -1, "t9a.rule.massed-ranks", 3)]).total)
        if better != need:
            need = better
            rules += ["t9a.rule.massed-ranks", "t9a.melee.formation.solid-wound-bonus"]
    dice = strike.hits - strike.poisoned
    strike.wounds = strike.poisoned
    if dice <= 0:
        return
    side = state.pools[strike.source].side if strike.source else 1 - target.side
    roll = battle.roll(dice, "wound", "t9a.attack.wound", side=side, who=strike.source, need=need, target=target.id)

    def good(face: int) -> bool:
        if face == 6 and state.applies("t9a.attack.wound.natural"):
            return True
        return face >= need and (face != 1 or not state.applies("t9a.attack.wound.natural"))

    roll = wound_rerolls(battle, strike, names, roll, good)
    wounds = sum(good(face) for face in roll.faces)
    strike.wounds += wounds
    if "t9a.rule.lethal-strike" in names:
        strike.lethal = sum(naturals(roll))
        if strike.lethal:
            rules.append("t9a.rule.lethal-strike")
    rules = [*rules[:2], *strike.force]
    if strike.how == "melee" and not rules:
        rules = ["t9a.melee.attack.damage"]
    battle.emit("wounds", *(rules or ["t9a.attack.wound"]), target=target.id, wounds=strike.wounds, hits=strike.hits)


def wound_rerolls(
    battle: Battle[State], strike: Strike, names: dict[str, list[Rule]], roll: Roll, good: object
) -> Roll:
    """Failures by Weakness, Zeal and Lightning, successes by Resistance; no die twice (t9a.def.dice.reroll)."""
    state = battle.state
    target = majority.attacked(state, state.pools[strike.target], strike.tie)
    succeeded = good
    assert callable(succeeded)
    failures = ""
    if "t9a.rule.zealous" in names:
        failures = "t9a.rule.zealous"
    elif "t9a.rule.lightning-attacks" in names and "metal-armour" not in target.profile.traits:
        failures = "t9a.rule.lightning-attacks"
    elif weak(state, target, names, strike, "t9a.rule.weakness"):
        failures = "t9a.rule.weakness"
    elif "t9a.rule.flaming-attacks" in names and burns(state, target):
        failures = "t9a.terrain.field.flammable"
    again: list[int] = []
    cite = failures
    if failures:
        again = [i for i, face in enumerate(roll.faces) if not succeeded(face)]
    if weak(state, target, names, strike, "t9a.rule.resistant"):
        again = sorted({*again, *(i for i, face in enumerate(roll.faces) if succeeded(face))})
        cite = cite or "t9a.rule.resistant"
        if failures:
            battle.emit("both-rerolls", "t9a.def.dice.reroll", "t9a.rule.resistant", target=target.id)
    return battle.reroll(roll, again, cite) if again else roll


def burns(state: State, target: Pool) -> bool:
    """Units in a field burn well (t9a.terrain.field.flammable)."""
    unit = state.units[target.unit]
    return (
        state.applies("t9a.terrain.field.flammable")
        and unit.where == "table"
        and terrain.touching(state, unit, "field")
    )


def weak(state: State, target: Pool, names: dict[str, list[Rule]], strike: Strike, rule: str) -> bool:
    """Does Weakness (X) or Resistance (X) of the target concern this attack?"""
    for held in found(state, target, rule):
        if not held.words and not held.versus and not held.gives:
            return True
        words = {*held.words, *held.gives}
        if any(f"t9a.rule.{word}" in names for word in words):
            return True
        source = state.pools.get(strike.source)
        if source is not None and held.versus and meets(source.profile, held.versus, [n[9:] for n in names]):
            return True
        if source is not None and any(word in source.profile.traits for word in words):
            return True
    return False


# -- whom attacks may be put on -------------------------------------------------------------------------------------


def ranged_pools(state: State, unit_id: str) -> list[Pool]:
    """The pools of a unit that ranged attacks (and special ones) may choose (t9a.attack.allocate.ranged-attachable)."""
    unit = state.units[unit_id]
    rnf = state.rnf(unit)
    members = state.members(unit)
    if rnf is None:
        return members
    return [pool for pool in members if pool is rnf or next(shelter(state, pool, rnf), None) is None]


def shelter(state: State, pool: Pool, rnf: Pool) -> Iterator[Reason]:
    """Why an attached model cannot be singled out from afar."""

    height = pool.profile.height
    if has(state, pool, "t9a.rule.war-platform") and state.applies("t9a.rule.war-platform.ranged"):
        height = rnf.profile.height
    few = 3 if rnf.profile.height >= 3 else 5
    if height == rnf.profile.height and rnf.count >= few and state.applies("t9a.attack.allocate.ranged-attachable"):
        yield Reason("t9a.attack.allocate.ranged-attachable", facts={"who": pool.id})
        if pool.profile.height != height:
            yield Reason("t9a.rule.war-platform.ranged", facts={"who": pool.id})
