"""Exact odds of attacks, charges, spells, prayers and rallies, read by the very functions that play uses."""

from __future__ import annotations

import math
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.games.aos.abilities import find, known
from umpire.games.aos.attacks import (
    damage_value,
    hit_modifiers,
    reach_of,
    read_hit,
    read_save,
    read_wound,
    rend_of,
    save_modifier,
    weapons_of,
    wound_modifiers,
)
from umpire.games.aos.charging import TOUCH
from umpire.games.aos.damage import halved, health, saved_by_ward
from umpire.games.aos.hero import RALLY_ROLLS
from umpire.games.aos.magic import magic_modifier
from umpire.games.aos.numbers import capped, roll_modifiers, value, wards
from umpire.games.aos.profiles import AbilityData, Weapon, amount
from umpire.games.aos.state import State, Unit, Use
from umpire.games.aos.units import enemies, unit_gap
from umpire.odds import D6, Dist, Target, dice, faces

Odds = dict[str, Any]


def line(zh: str, en: str, number: float | str) -> dict[str, Any]:
    return {"label": {"zh": zh, "en": en}, "value": number}


def dist_of(text: str) -> Dist:
    """A fixed or random number."""
    n = amount(text)
    if not n.random:
        return Dist.certain(n.plus)
    one = D6.map(halved) if n.sides == 3 else Dist.uniform(1, n.sides)
    return one.times(n.dice) + n.plus


def attack_dist(state: State, use: Use, unit: Unit, target: Unit, weapon: Weapon, shooting: bool) -> Dist:
    """The damage points of one attack with a weapon, before wards."""
    damage = dist_of(weapon.damage).map(lambda base: damage_value(state, unit, weapon, base))
    save = int(value(state, target, "save-characteristic", target.profile.save, 0).total)
    save_mod = save_modifier(state, target, rend_of(state, unit, weapon, target))
    saved = faces(6, lambda face: read_save(face, save, save_mod)).mix({True: 0, False: damage})
    wound_mod = capped(wound_modifiers(state, unit, target, weapon))
    wounded = faces(6, lambda face: read_wound(face, weapon.wound, wound_mod)).mix({True: saved, False: 0})
    critical = wounded
    if weapon.has("crit-mortal"):
        critical = damage
    elif weapon.has("crit-auto-wound"):
        critical = saved
    elif weapon.has("crit-2-hits"):
        critical = wounded.times(2)
    hit_mod = capped(hit_modifiers(state, use, unit, target, weapon, shooting))
    return faces(6, lambda face: read_hit(face, weapon.hit, hit_mod)).mix({"miss": 0, "hit": wounded, "crit": critical})


def attacks_dist(state: State, unit: Unit, weapon: Weapon, target: Unit) -> Dist:
    """How many attacks the models that reach the target make with a weapon."""
    total = Dist.certain(0)
    reach = reach_of(state, unit, weapon, [target])
    each = dist_of(weapon.attacks)
    for m in unit.models:
        if reach[m.id]:
            companion = weapon.has("companion")
            skip = unit.side if companion else -1
            made = each.map(lambda n, s=skip: int(value(state, unit, "attacks", n, skip=s).total))  # type: ignore[misc]
            total = total + made + int(m.role == "champion" and not companion)
    return total


def damage_dist(state: State, use: Use, unit: Unit, target: Unit, shooting: bool) -> Dist:
    """The points that an Attack ability against one target leaves after wards."""
    total = Dist.certain(0)
    for weapon in weapons_of(state, unit, shooting):
        attacks = attacks_dist(state, unit, weapon, target)
        if attacks.high:
            total = total + attack_dist(state, use, unit, target, weapon, shooting).times(attacks)
    found = wards(state, target)
    if found:
        best = min(found)
        total = total.thin(sum(not saved_by_ward(face, best) for face in range(1, 7)) / 6)
    return total


def attack_odds(state: State, use: Use, unit: Unit, target: Unit, shooting: bool) -> Odds:
    damage = damage_dist(state, use, unit, target, shooting)
    each = health(state, target)
    after = Target(each, len(target.models), min(target.damage, each - 1)).suffer(damage)
    slain = after.slain
    return {
        "title": {"zh": "攻击", "en": "Attack"},
        "lines": [
            line("平均伤害", "mean damage", round(damage.mean, 3)),
            line("平均击杀", "models slain", round(slain.mean, 3)),
            line("毁灭单位", "unit destroyed", round(after.destroyed, 4)),
            line("毫无效果", "no damage", round(1.0 - damage.at_least(1), 4)),
        ],
        "dists": {
            "damage": [round(damage[n], 6) for n in range(damage.high + 1)],
            "slain": [round(slain[n], 6) for n in range(slain.high + 1)],
        },
    }


def charge_odds(state: State, unit: Unit, again: bool = False) -> Odds | None:
    """The chance that the charge roll brings the unit to its nearest enemy; a free way is taken for granted."""
    foes = enemies(state, unit)
    if not foes:
        return None
    far = min(unit_gap(unit, foe) for foe in foes)
    roll = dice(2).map(lambda n: int(value(state, unit, "charge", n).total))
    need = math.ceil(far - TOUCH - 1e-3)
    lines = [
        line("最近敌人", "nearest enemy", round(far, 2)),
        line("需要掷出", "needed", str(max(2, need))),
        line("冲锋成功", "charge succeeds", round(roll.at_least(need), 4)),
    ]
    if state.sides[unit.side].command and not again:
        rerolled = roll.reroll(lambda n: n < need)
        lines.append(line("可重掷时", "with a re-roll", round(rerolled.at_least(need), 4)))
    return {
        "title": {"zh": "冲锋", "en": "Charge"},
        "lines": lines,
        "dists": {"charge": [round(roll[n], 6) for n in range(roll.high + 1)]},
    }


def magic_odds(state: State, unit: Unit, data: AbilityData) -> Odds:
    use = Use(data.id, unit.side, unit.id)
    if data.spell:
        roll = dice(2) + magic_modifier(state, unit, use, "cast")
        lines = [
            line("施法成功", "cast", round(roll.at_least(data.value), 4)),
            line("施法失误", "miscast", round(1 / 36, 4)),
        ]
        return {"title": {"zh": "施法", "en": "Spell"}, "lines": lines, "dists": {}}
    roll = D6 + magic_modifier(state, unit, use, "chant")
    need = max(2, data.value - unit.ritual)
    answered = sum(1 / 6 for face in range(2, 7) if face + (roll.low - 1) >= need)
    return {
        "title": {"zh": "祈祷", "en": "Prayer"},
        "lines": [line("可应验", "can be answered", round(answered, 4)), line("失败", "fails", round(1 / 6, 4))],
        "dists": {},
    }


def unbind_odds(state: State, unit: Unit) -> Odds:
    roll = dice(2) + sum(m for m, _ in roll_modifiers(state, unit, "unbind"))
    return {
        "title": {"zh": "破除", "en": "Unbind"},
        "lines": [line("破除成功", "spell unbound", round(roll.at_least(state.use.roll), 4))],
        "dists": {},
    }


def rally_odds(state: State, unit: Unit) -> Odds:
    rolls = RALLY_ROLLS + any(m.role == "musician" for m in unit.models)
    points = Dist.chance(0.5).times(rolls)
    return {
        "title": {"zh": "集结", "en": "Rally"},
        "lines": [line("平均集结点数", "mean rally points", round(points.mean, 3))],
        "dists": {"points": [round(points[n], 6) for n in range(points.high + 1)]},
    }


def odds(battle: Battle[State], decision: Decision, answer: Any) -> Odds | None:
    """What an answer would probably bring; None where nothing is left to chance."""
    state = battle.state
    if not isinstance(answer, str):
        return None
    if decision.prompt.key == "ask.target" and answer in state.units and state.uses:
        shooting = not find(state.use.ability).has("fight")
        return attack_odds(state, state.use, state.unit(decision.about), state.unit(answer), shooting)
    key, _, who = answer.partition(":")
    if not known(key) or who not in state.units:
        return None
    ability, unit = find(key), state.unit(who)
    if key in ("charge", "counter-charge", "forward-to-victory"):
        return charge_odds(state, unit, key == "forward-to-victory")
    if key == "rally":
        return rally_odds(state, unit)
    if key == "unbind" and state.uses:
        return unbind_odds(state, unit)
    if isinstance(ability.data, AbilityData) and (ability.data.spell or ability.data.prayer):
        return magic_odds(state, unit, ability.data)
    if key == "all-out-attack" and state.uses and state.use.targets:
        use = Use(state.use.ability, state.use.side, state.use.unit, notes=(*state.use.notes, "all-out-attack"))
        return attack_odds(state, use, unit, state.unit(state.use.targets[0]), not find(use.ability).has("fight"))
    if key == "fight" and unit.fights:
        return attack_odds(state, Use(key, unit.side, who), unit, state.unit(unit.fights[0]), False)
    return None
