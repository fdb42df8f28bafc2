"""Attacks: picking targets, the attack sequence, weapon abilities (aos.core.pick-targets to aos.core.modifier-caps)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Literal

from umpire.engine.decisions import Choose, Option, Order, Split, pieces
from umpire.engine.effects import Effect, Number
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, applies
from umpire.engine.steps import Steps
from umpire.games.aos.damage import inflict, roll_amount
from umpire.games.aos.known_abilities import AosBattle
from umpire.games.aos.numbers import capped, roll_modifiers, sources, value
from umpire.games.aos.profiles import Weapon, amount
from umpire.games.aos.state import Model, State, Unit, Use
from umpire.games.aos.terrain import cover_modifiers, gap_to, sheltering
from umpire.games.aos.units import COMBAT_RANGE, in_combat_range, some_see
from umpire.miniatures.loose.bodies import near, within
from umpire.miniatures.loose.groups import apart, unit_gap, units_near
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

Read = Literal["miss", "hit", "crit"]
Critical = Literal["mortal", "auto-wound", "2-hits", "hit"]
Reach = dict[str, list[str]]
"""For each model of the attacker the enemy units that it may attack with a weapon."""
CHAMPION = (Effect("", "attacks", "add", 1, "aos.unit.champion", "champion"),)
CHARGED = (Effect("", "damage", "add", 1, "aos.weapon.charge", "charge"),)


# -- reading dice: the odds use these very functions -------------------------------------------------------------


def natural(need: int, modifier: int) -> int:
    """The face that is needed once a roll is modified: an unmodified 1 always fails."""
    return max(2, need - modifier)


def read_hit(face: int, need: int, modifier: int) -> Read:
    """An unmodified 6 is a critical hit (aos.core.hit-roll, aos.core.critical-hit)."""
    if face == 6:
        return "crit"
    return "hit" if face >= natural(need, modifier) else "miss"


def read_wound(face: int, need: int, modifier: int) -> bool:
    return face >= natural(need, modifier)


def read_save(face: int, save: int, modifier: int) -> bool:
    """Save 0 stands for "-": no save is possible."""
    return save > 0 and face >= natural(save, modifier)


def read_critical(weapon: Weapon, without: Sequence[str] = ()) -> Critical:
    """What a critical hit with this weapon is."""
    if bears(weapon, "crit-mortal", without) and applies("aos.core.mortal-damage", without):
        return "mortal"
    if bears(weapon, "crit-auto-wound", without):
        return "auto-wound"
    return "2-hits" if bears(weapon, "crit-2-hits", without) else "hit"


WEAPONS = {
    "crit-mortal": "aos.weapon.crit-mortal",
    "crit-auto-wound": "aos.weapon.crit-auto-wound",
    "crit-2-hits": "aos.weapon.crit-2-hits",
    "companion": "aos.weapon.companion",
    "charge": "aos.weapon.charge",
    "shoot-in-combat": "aos.weapon.shoot-in-combat",
}
"""The rules of the weapon abilities."""


def bears(weapon: Weapon, ability: str, without: Sequence[str] = ()) -> bool:
    """Has the weapon this ability, in a battle without these rules?"""
    return weapon.has(ability) and applies(WEAPONS[ability], without)


# -- targets -----------------------------------------------------------------------------------------------------


def guarded(state: State, hero: Unit) -> Unit | None:
    """aos.defence.guarded-hero: the friendly unit in whose combat range a Hero stands, if it can be guarded."""
    profile = hero.profile
    if not profile.hero or not state.applies("aos.defence.guarded-hero"):
        return None
    scope = state.applies("aos.core.guarded-hero-scope")
    if scope and (profile.has("monster") or profile.has("war machine")):
        return None
    return escort(state, hero)


def escort(state: State, hero: Unit) -> Unit | None:
    """A friendly unit without Heroes in whose combat range a Hero stands."""
    for unit in state.units.values():
        if (
            unit.side == hero.side
            and unit.where == "table"
            and unit.id != hero.id
            and unit.profile.kind == "unit"
            and not unit.profile.hero
            and in_combat_range(hero, unit)
        ):
            return unit
    return None


GUARDED = 12.0
"""From farther away a guarded Hero cannot be shot at."""


def shooting_objection(state: State, unit: Unit, target: Unit) -> Reason | None:
    """Why a unit may not pick another as the target of shooting attacks, apart from range and sight."""
    if unit.fights and target.id not in unit.fights:
        facts = {"target": target.id, "gap": round(unit_gap(unit, target), 3), "enemies": list(unit.fights)}
        return Reason("aos.core.targets-in-combat", "reason.aos.only-in-combat", facts)
    found = sheltering(state, unit, target, "obscuring")
    if found:
        feature, how = found[0]
        near_by = round(min([gap_to(feature, m) for m in unit.models]), 3)
        key = "reason.aos.obscured-on" if how == "aos.core.terrain-wholly-on" else "reason.aos.obscured-behind"
        return Reason("aos.terrain.obscuring", key, {"target": target.id, "feature": feature.id, "gap": near_by})
    if target.profile.has("infantry") and not units_near(unit, target, GUARDED):
        with_whom = guarded(state, target)
        if with_whom is not None:
            facts = {"target": target.id, "gap": round(unit_gap(unit, target), 3), "range": GUARDED}
            facts["guard"] = with_whom.id
            return Reason("aos.defence.guarded-hero", "reason.aos.guarded", facts)
    return None


def targetable(state: State, unit: Unit) -> list[Unit]:
    """What enemy abilities may pick: units, and what can be picked as if it were one."""
    return [u for u in state.units.values() if u.side != unit.side and u.where == "table"]


def weapons_of(state: State, unit: Unit, ranged: bool) -> tuple[Weapon, ...]:
    """The weapons of the fitting kind; in combat only those that may be shot there."""
    if not ranged:
        return unit.profile.melee
    if unit.fights:
        return tuple(w for w in unit.profile.missiles if bears(w, "shoot-in-combat", state.without))
    return unit.profile.missiles


def reach_of(state: State, unit: Unit, weapon: Weapon, targets: Sequence[Unit]) -> Reach:
    """Range and sight, model by model (aos.core.combat-attacks, aos.core.shooting-attacks)."""
    return reaches_of(state, unit, [weapon], targets)[weapon.id]


def reaches_of(state: State, unit: Unit, weapons: Sequence[Weapon], targets: Sequence[Unit]) -> dict[str, Reach]:
    """The same of several weapons; those of one range reach the same."""
    found: dict[tuple[bool, float], Reach] = {}
    for weapon in weapons:
        key = (weapon.ranged, weapon.range if weapon.ranged else COMBAT_RANGE)
        if key not in found:
            found[key] = _reach(state, unit, *key, targets)
    return {w.id: found[w.ranged, w.range if w.ranged else COMBAT_RANGE] for w in weapons}


def _reach(state: State, unit: Unit, ranged: bool, limit: float, targets: Sequence[Unit]) -> Reach:
    found: Reach = {m.id: [] for m in unit.models}
    for target in targets:
        if apart(unit, target, limit):
            continue
        about, key = (unit.mark, target.mark, len(state.terrain)), ("reach", unit.id, ranged, limit, target.id)
        for model in state.look(key, about, functools.partial(_who_reaches, state, unit, ranged, limit, target)):
            found[model].append(target.id)
    return found


def _who_reaches(state: State, unit: Unit, ranged: bool, limit: float, target: Unit) -> tuple[str, ...]:
    """The models that reach a target and see it."""
    reaches = within if ranged else near
    found = []
    for m in unit.models:
        dx, dy = m.x - target.cx, m.y - target.cy
        far = limit + m.r + target.cr + TOLERANCE
        if dx * dx + dy * dy > far * far:
            continue
        if some_see(state, unit, target, ((m, o) for o in target.models if reaches(m, o, limit))):
            found.append(m.id)
    return tuple(found)


def possible_targets(battle: AosBattle, unit: Unit, ranged: bool) -> list[Unit]:
    """What may be picked; who is within range but may not be is told with the rule that spares it."""
    state = battle.state
    if not ranged:
        return [state.unit(key) for key in unit.fights]
    pool = [state.unit(key) for key in unit.fights] if unit.fights else targetable(state, unit)
    longest = max((w.range for w in weapons_of(state, unit, True)), default=0.0)
    found, spared = [], []
    for target in pool:
        if units_near(unit, target, longest):
            why = shooting_objection(state, unit, target)
            if why is None:
                found.append(target)
            else:
                spared.append((target.id, why.rule))
    for rule in dict.fromkeys(rule for _, rule in spared):
        battle.emit("spared", rule, unit=unit.id, targets=[key for key, why_rule in spared if why_rule == rule])
    return found


def pick_targets(battle: AosBattle, use: Use, targets: Sequence[Unit], ranged: bool) -> Steps[bool]:
    """All attacks of an Attack ability are aimed when it is declared; a model may split its attacks."""
    state = battle.state
    unit = state.unit(use.unit)
    weapons = weapons_of(state, unit, ranged)
    reach = reaches_of(state, unit, weapons, targets)
    open_targets = [t.id for t in targets if any(t.id in keys for r in reach.values() for keys in r.values())]
    if not open_targets:
        battle.emit("no-target", "aos.core.ability-general", "aos.core.pick-targets", unit=unit.id)
        return False
    focus = open_targets[0]
    if len(open_targets) > 1:
        options = pieces(open_targets)
        options.append(Option("split", Text("option.split"), tuple(open_targets)))

        def refuse(wish: str) -> list[Reason]:
            return target_refusal(state, unit, wish, ranged)

        focus = yield Choose(
            unit.side, Text("ask.target", {"unit": unit.id}), options, "aos.core.pick-targets", unit.id, refuse
        )
    attacks: list[tuple[str, str, int]] = []
    for weapon in weapons:
        within_reach = {key: keys for key, keys in reach[weapon.id].items() if keys}
        counts = attacks_each(battle, unit, weapon, within_reach)
        shares: dict[str, int] = {}
        if any(focus in keys for keys in within_reach.values()):
            shares[focus] = sum(counts[key] for key, keys in within_reach.items() if focus in keys)
        rest = {key: keys for key, keys in within_reach.items() if focus not in keys}
        if rest:  # who does not reach the target picked attacks another
            shares |= yield from split_attacks(unit, weapon, rest, counts, open_targets, focus == "split")
        attacks += [(weapon.id, key, count) for key, count in shares.items() if count]
    rules = ["aos.core.pick-targets", "aos.core.shooting-attacks" if ranged else "aos.core.combat-attacks"]
    if unit.fights and ranged:
        rules.append("aos.core.targets-in-combat")
    if any(m.role == "champion" for m in unit.models):
        rules.append("aos.unit.champion")
    order = [focus, *open_targets] if focus != "split" else open_targets
    aimed = [key for key in dict.fromkeys(order) if any(entry[1] == key for entry in attacks)]
    if len(aimed) > 1:
        prompt = Text("ask.target-order", {"unit": unit.id})
        aimed = yield Order(unit.side, prompt, pieces(aimed), "aos.core.attack-order", unit.id)
    attacks.sort(key=lambda entry: aimed.index(entry[1]))
    use.attacks = tuple(attacks)
    use.targets = tuple(dict.fromkeys(entry[1] for entry in attacks))
    battle.emit("targets", *dict.fromkeys(rules), unit=unit.id, targets=list(use.targets))
    return bool(attacks)


def target_refusal(state: State, unit: Unit, wish: str, ranged: bool) -> list[Reason]:
    """Why an enemy unit cannot be picked."""
    if wish not in state.units:
        return []
    target = state.unit(wish)
    if target.side == unit.side:
        return [Reason("aos.core.friendly-enemy", "", {"unit": wish})]
    if not ranged:
        rule = "aos.core.combat-attacks" if wish in unit.fights else "aos.core.targets-in-combat"
        return [Reason(rule, "", {"target": wish})]
    why = shooting_objection(state, unit, target)
    if why is not None:
        return [why]
    facts = {"target": wish, "gap": round(unit_gap(unit, target), 3)}
    return [Reason("aos.core.shooting-attacks", "", facts)]


def attacks_each(battle: AosBattle, unit: Unit, weapon: Weapon, within_reach: Reach) -> dict[str, int]:
    """How many attacks each model makes; random ones are rolled for each model (aos.core.random-characteristics)."""
    state = battle.state
    n = amount(weapon.attacks)
    out = {}
    for m in unit.models:
        if m.id not in within_reach:
            continue
        made = n.plus
        if n.random:
            made = roll_amount(battle, weapon.attacks, "attacks", "aos.core.random-characteristics", unit)
        out[m.id] = attacks_value(state, unit, weapon, m, made)
    return out


def attacks_value(state: State, unit: Unit, weapon: Weapon, model: Model, base: int) -> int:
    """The attacks of one model: its champion makes one more, though not with a companion's weapon."""
    companion = bears(weapon, "companion", state.without)
    extra = CHAMPION if model.role == "champion" and not companion else ()
    return int(value(state, unit, "attacks", base, skip=unit.side if companion else -1, extra=extra))


def split_attacks(
    unit: Unit, weapon: Weapon, reach: Reach, counts: dict[str, int], targets: Sequence[str], wanted: bool
) -> Steps[dict[str, int]]:
    """Divide the attacks with one weapon among targets that the models making them can reach. Where it was not the
    player who wanted them divided, those left over usually go where most of them reach."""
    total = sum(counts[key] for key in reach)
    parts = {t: (0, sum(counts[key] for key, keys in reach.items() if t in keys)) for t in targets}
    parts = {t: bounds for t, bounds in parts.items() if bounds[1]}
    if len(parts) < 2:
        return dict.fromkeys(parts, total)

    def judge(shares: dict[str, int]) -> list[Reason]:
        for mask in range(1, 1 << len(parts)):
            group = [t for n, t in enumerate(parts) if mask >> n & 1]
            most = sum(counts[key] for key, keys in reach.items() if any(t in keys for t in group))
            wanted = sum(shares.get(t, 0) for t in group)
            if wanted > most:
                return [Reason("aos.core.pick-targets", "reason.aos.split", {"targets": group, "most": most})]
        return []

    def propose(rng: Rng) -> dict[str, int]:
        shares = dict.fromkeys(parts, 0)
        for key, keys in reach.items():
            for _ in range(counts[key]):
                shares[keys[rng.below(len(keys))]] += 1
        return shares

    usual = dict.fromkeys(parts, 0)
    for key, keys in reach.items():
        usual[max(keys, key=lambda t: parts[t][1])] += counts[key]
    prompt = Text("ask.split" if wanted else "ask.split-rest", {"unit": unit.id, "weapon": weapon.name, "total": total})
    shares: dict[str, int] = yield Split(
        unit.side, prompt, total, parts, "aos.core.pick-targets", unit.id, judge, propose=propose, default=usual
    )
    return shares


# -- the attack sequence -----------------------------------------------------------------------------------------


def helpers(state: State, unit: Unit, weapon: Weapon) -> int:
    """aos.weapon.companion: the side whose abilities do not affect attacks with this weapon; -1 if all do."""
    return unit.side if bears(weapon, "companion", state.without) else -1


def hit_modifiers(
    state: State, use: Use, unit: Unit, target: Unit, weapon: Weapon, shooting: bool
) -> list[tuple[int, str]]:
    """Everything that is added to or subtracted from the hit rolls."""
    skip = helpers(state, unit, weapon)
    mods = roll_modifiers(state, unit, "hit", skip)
    mods += roll_modifiers(state, target, "hit-against", skip)
    if "all-out-attack" in use.notes:
        mods.append((1, "aos.command.all-out-attack"))
    if "covering-fire" in use.notes:
        mods.append((-1, "aos.command.covering-fire"))
    mods += cover_modifiers(state, unit, target)
    if shooting and guarded(state, target) is not None:
        mods.append((-1, "aos.defence.guarded-hero"))
    return mods


def wound_modifiers(state: State, unit: Unit, target: Unit, weapon: Weapon) -> list[tuple[int, str]]:
    skip = helpers(state, unit, weapon)
    return roll_modifiers(state, unit, "wound", skip) + roll_modifiers(state, target, "wound-against", skip)


def anti(weapon: Weapon, target: Unit) -> int:
    """aos.weapon.anti-x: 1 more Rend for each keyword or condition that fits."""
    more = 0
    for ability in weapon.abilities:
        if ability.startswith("anti-"):
            word = ability[5:].replace("-", " ")
            more += target.charged if word == "charge" else target.profile.has(word)
    return more


def rend_of(state: State, unit: Unit, weapon: Weapon, target: Unit) -> int:
    more = anti(weapon, target)
    extra = (Effect(unit.id, "rend", "add", more, "aos.weapon.anti-x", "anti"),) if more else ()
    return int(value(state, unit, "rend", weapon.rend, 0, helpers(state, unit, weapon), extra))


def save_of(state: State, unit: Unit, target: Unit, weapon: Weapon) -> Number:
    """The target's Save against a weapon; 0 stands for none."""
    return value(state, target, "save-characteristic", target.profile.save, 0, helpers(state, unit, weapon))


def save_modifier(state: State, target: Unit, rend: int, skip: int = -1) -> int:
    """aos.core.modifier-caps: Rend is one of the modifiers; the sum is at most +1 and has no lower limit."""
    return capped([*roll_modifiers(state, target, "save", skip), (-rend, "aos.core.save-roll")], None, 1, state.without)


def damage_each(battle: AosBattle, unit: Unit, weapon: Weapon) -> int:
    """The weapon's Damage for one attack; random Damage is rolled for each (aos.core.random-characteristics)."""
    base = roll_amount(battle, weapon.damage, "damage", "aos.core.random-characteristics", unit)
    return damage_value(battle.state, unit, weapon, base)


def damage_value(state: State, unit: Unit, weapon: Weapon, base: int) -> int:
    extra = CHARGED if bears(weapon, "charge", state.without) and unit.charged else ()
    return int(value(state, unit, "damage", base, skip=helpers(state, unit, weapon), extra=extra))


def resolve_attacks(battle: AosBattle, use: Use, shooting: bool) -> None:
    """All attacks against one target before the next; no model is removed in between (aos.core.attack-order)."""
    state = battle.state
    unit = state.unit(use.unit)
    weapons = {w.id: w for w in unit.profile.weapons}
    for key in use.targets:
        target = state.unit(key)
        if target.where != "table":
            continue
        for weapon_id, aim, count in use.attacks:
            if aim == key:
                strike(battle, use, unit, target, weapons[weapon_id], count, shooting)


def strike(battle: AosBattle, use: Use, unit: Unit, target: Unit, weapon: Weapon, count: int, shooting: bool) -> None:
    """Hit, wound and save rolls and damage of attacks that are alike (aos.core.attack-order)."""
    state = battle.state
    rules: list[str] = []
    mods = hit_modifiers(state, use, unit, target, weapon, shooting)
    hit_mod = capped(mods, without=state.without)
    rules += [rule for _, rule in mods if rule]
    if mods and sum(m for m, _ in mods) != hit_mod:
        rules.append("aos.core.modifier-caps")
    needed = min(6, natural(weapon.hit, hit_mod))
    roll = battle.roll(count, "hit", "aos.core.hit-roll", side=unit.side, who=unit.id, need=needed, target=target.id)
    roll.modify(hit_mod, "hit")
    reads = [read_hit(face, weapon.hit, hit_mod) for face in roll.faces]
    crits = reads.count("crit")
    hits = reads.count("hit")
    points = wounds = 0
    if crits:
        rules.append("aos.core.critical-hit")
    critical = read_critical(weapon, state.without) if crits else "hit"
    if critical == "mortal":
        rules.append("aos.weapon.crit-mortal")
        for _ in range(crits):
            points += damage_each(battle, unit, weapon)
    elif critical == "auto-wound":
        rules.append("aos.weapon.crit-auto-wound")
        wounds = crits
    elif critical == "2-hits":
        rules.append("aos.weapon.crit-2-hits")
        hits += 2 * crits
    else:
        hits += crits
    if hits:
        wound_mods = wound_modifiers(state, unit, target, weapon)
        mod = capped(wound_mods, without=state.without)
        rules += [rule for _, rule in wound_mods if rule]
        needed = natural(weapon.wound, mod)
        roll = battle.roll(hits, "wound", "aos.core.wound-roll", side=unit.side, who=unit.id, need=needed)
        roll.modify(mod, "wound")
        wounds += sum(read_wound(face, weapon.wound, mod) for face in roll.faces)
    lost = 0
    if wounds:
        lost = unsaved(battle, unit, target, weapon, wounds, rules)
        if lost and amount(weapon.damage).random:
            points += sum(damage_each(battle, unit, weapon) for _ in range(lost))
        elif lost:
            points += lost * damage_value(state, unit, weapon, amount(weapon.damage).plus)
    if points and bears(weapon, "charge", state.without) and unit.charged:
        rules.append("aos.weapon.charge")
    if shooting and unit.fights:
        rules.append("aos.weapon.shoot-in-combat")
    battle.emit(
        "attacks",
        *(dict.fromkeys(rules) or ("aos.core.attack-order",)),
        unit=unit.id,
        target=target.id,
        weapon=weapon.name,
        attacks=count,
        hits=hits,
        crits=crits,
        wounds=wounds,
        unsaved=lost,
        points=points,
    )
    inflict(battle, target, points, "aos.core.determine-damage")


def unsaved(battle: AosBattle, unit: Unit, target: Unit, weapon: Weapon, wounds: int, rules: list[str]) -> int:
    """The target's commander rolls saves; answers how many attacks get through."""
    state = battle.state
    more = anti(weapon, target)
    if more:
        rules.append("aos.weapon.anti-x")
    rend = rend_of(state, unit, weapon, target)
    save = save_of(state, unit, target, weapon)
    rules += sources(save)
    skip = helpers(state, unit, weapon)
    rules += [rule for _, rule in roll_modifiers(state, target, "save", skip) if rule]
    if not save.total:
        return wounds
    mod = save_modifier(state, target, rend, skip)
    needed = natural(int(save.total), mod)
    roll = battle.roll(wounds, "save", "aos.core.save-roll", side=target.side, who=target.id, need=needed)
    roll.modify(mod, "rend")
    return sum(not read_save(face, int(save.total), mod) for face in roll.faces)
