"""The attack sequence: hit, wound, and over to the defender (attack.*, dice.fast)."""

from __future__ import annotations

from typing import NamedTuple

from umpire.engine import effects
from umpire.engine.dice import Roll
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.abilities import Asking, changed, least, rerolls
from umpire.games.wh40k.characteristics import number, printed, toughness
from umpire.games.wh40k.damage import changed_damage, damage_roll, mortal_wounds, settle_toll, slay, take_attacks
from umpire.games.wh40k.dice import capped, standing_roll
from umpire.games.wh40k.profiles import Profile, amount
from umpire.games.wh40k.saves import Blow
from umpire.games.wh40k.state import Group, Model, State, Unit, Volley, WhBattle
from umpire.games.wh40k.weapons import BLAST, FEW, large, might, number_of_attacks, strength

SURE, NEVER = 2, 7


class Need(NamedTuple):
    """What a roll needs: the face before modifiers, the modifier, and every rule that had a say."""

    skill: int
    modifier: int
    rules: tuple[str, ...] = ()

    @property
    def face(self) -> int:
        """The lowest face that succeeds; 1 never does and 6 always does."""
        return max(SURE, min(6, self.skill - self.modifier))


def wound_table(s: int, t: int) -> int:
    """wh40k.attack.wound-table."""
    if s >= 2 * t:
        return 2
    if s > t:
        return 3
    if s == t:
        return 4
    return 6 if 2 * s <= t else 5


@step
def resolve(battle: WhBattle) -> Steps[None]:
    """wh40k.shoot.resolve-by-target, resolve-by-weapon: one group of like attacks after the other, then what waited."""
    state = battle.state
    volley = state.volley
    assert volley is not None
    unit = state.unit(volley.unit)
    if volley.at >= len(volley.groups):
        yield from settle_toll(battle)
        yield from _held_back(battle, volley)
        state.volley = None
        effects.end(state, "attack")
        return
    group = volley.groups[volley.at]
    volley.at += 1
    battle.push(resolve)
    if volley.toll is not None and volley.toll[0] != group.target:
        yield from settle_toll(battle)
    if state.options.held_back == "each-target" and any(key != group.target for key, _ in volley.waiting):
        yield from settle_toll(battle)
        yield from _held_back(battle, volley)
        volley.waiting = ()
    yield from attack_group(battle, unit, volley, group)


def _held_back(battle: WhBattle, volley: Volley) -> Steps[None]:
    """wh40k.attack.mortal-held-back: mortal wounds made by attacks come when all attacks are done."""
    state = battle.state
    for key, count in volley.waiting:
        target = state.unit(key)
        if target.where != "table":
            battle.emit("mortal-lost", "wh40k.attack.mortal-held-back", unit=key, count=count)
            continue
        yield from mortal_wounds(
            battle, target, count, volley.unit, "wh40k.attack.mortal-held-back", "wh40k.attack.mortal-on-unit"
        )


def attack_group(battle: WhBattle, unit: Unit, volley: Volley, group: Group) -> Steps[None]:
    state = battle.state
    target = state.unit(group.target)
    weapon = unit.sheet.weapon(group.weapon)
    profile = weapon.profile(group.profile)
    if target.where != "table" or (volley.toll is not None and volley.toll[1] >= len(target.models)):
        battle.emit("attacks-lost", "wh40k.shoot.declare-all-first", unit=unit.id, target=target.id, weapon=weapon.name)
        return
    if group.far and unit.engaged and state.applies("wh40k.shoot.big-guns-far-target"):
        battle.emit("far-lost", "wh40k.shoot.big-guns-far-target", unit=unit.id, target=target.id, weapon=weapon.name)
        return
    model = next((m for m in unit.models if m.id in group.models), None)
    if model is None:
        model = next(m for m in (*unit.models, *unit.dead) if m.id in group.models)
    count = yield from number_of_attacks(battle, unit, group, profile)
    rules = ("wh40k.attack.sequence", *order_rules(volley, group), *random_rules(state, group, profile))
    battle.emit("attacks", *rules, unit=unit.id, target=target.id, weapon=weapon.name, attacks=count)
    if group.why:
        battle.emit("shelter", *group.why, unit=target.id, by=unit.id)
    if not count:
        return
    hits, sure = yield from hit(battle, unit, model, volley, group, profile, count)
    if not hits and not sure:
        return
    wounds, instead = yield from wound(battle, unit, model, target, volley, profile, hits)
    wounds += sure
    if not wounds and not instead:
        return
    ap = armour_penetration(state, unit, model, target, profile)
    blow = Blow(unit.id, profile, ap, volley.kind, group.covered, group.bare)
    yield from take_attacks(battle, target, wounds, blow, unit, model)


def order_rules(volley: Volley, group: Group) -> tuple[str, ...]:
    """What put these attacks after those before them."""
    if volley.at < 2:
        return ()
    before = volley.groups[volley.at - 2]
    if before.target != group.target:
        return ("wh40k.shoot.resolve-by-target",)
    same = (before.weapon, before.profile) == (group.weapon, group.profile)
    if volley.kind == "melee":
        return ("wh40k.fight.resolve.simultaneous",)
    return ("wh40k.shoot.simultaneous",) if same else ("wh40k.shoot.resolve-by-weapon",)


def random_rules(state: State, group: Group, profile: Profile) -> tuple[str, ...]:
    """wh40k.shoot.blast-definition: a random number of attacks alone makes no Blast weapon."""
    many = group.size >= FEW and not profile.melee and not profile.has(BLAST) and amount(profile.attacks).random
    return ("wh40k.shoot.blast-definition",) if many and state.applies("wh40k.shoot.blast-definition") else ()


def armour_penetration(state: State, unit: Unit, model: Model, target: Unit, profile: Profile) -> int:
    change = changed(Asking(state, "ap", 0, unit, model, target, profile))
    return profile.ap + int(change.total)


# -- hitting -------------------------------------------------------------------------------------------------------


def hit_need(
    state: State, unit: Unit, model: Model, target: Unit, profile: Profile, fixed: tuple[tuple[int, str], ...] = ()
) -> Need:
    """wh40k.attack.hit-roll: the skill, and all modifiers summed and then limited."""
    skill = number(state, unit, model, "ws" if profile.melee else "bs", foe=target, profile=profile)
    changes = changed(Asking(state, "hit", 0, unit, model, target, profile))
    modifiers = [*fixed, *[(int(change.value), change.rule) for change in changes.changes]]
    heavy = profile.type == "heavy" and state.applies("wh40k.shoot.big-guns-heavy")
    if heavy and unit.engaged and large(unit, model):
        modifiers.append((-1, "wh40k.shoot.big-guns-heavy"))
    ready = "wh40k.terrain.trait.defensible.set-to-defend"
    if profile.melee and state.phase == "fight" and "set-to-defend" in unit.marks and state.applies(ready):
        modifiers.append((1, ready))
    total = sum(step for step, _ in modifiers)
    limited = capped(state, total, "wh40k.attack.hit-cap")
    rules = [rule for _, rule in modifiers]
    if limited != total:
        rules = ["wh40k.dice.hit-wound-cap", "wh40k.attack.hit-cap"]
    what = "ws" if profile.melee else "bs"
    if printed(state, unit, model, what) != getattr(unit.row(model), what):
        rules.append("wh40k.unit.damage-table")
    need = Need(int(skill.total) or NEVER, limited, (*rules, *skill.rules))
    always = profile.rule("hits")
    only = least(state, target, "only-hit")
    if only and not (always and state.applies("wh40k.attack.attacker-priority")):
        return Need(max(only, need.skill), min(0, limited), (*rules, "wh40k.attack.no-real-conflict"))
    if always:
        return Need(always, 0, ("wh40k.attack.attacker-priority",) if only else ())
    return need


def hits_on(state: State, face: int, need: Need) -> bool:
    """wh40k.attack.hit-natural-six and hit-natural-one stand above all modifiers."""
    if face == 6 and state.applies("wh40k.attack.hit-natural-six"):
        return True
    if face == 1 and state.applies("wh40k.attack.hit-natural-one"):
        return False
    return face + need.modifier >= need.skill


def misses(state: State, face: int, need: Need) -> bool:
    """Does this hit roll fail as it fell? What only a modifier spoils has not failed yet when dice are re-rolled."""
    before = state.applies("wh40k.dice.reroll-before-modifiers")
    return not any(hits_on(state, face, n) for n in ((need, need._replace(modifier=0)) if before else (need,)))


def hit(
    battle: WhBattle, unit: Unit, model: Model, volley: Volley, group: Group, profile: Profile, count: int
) -> Steps[tuple[int, int]]:
    """The hits that still have to wound, and those that wound without a roll."""
    state = battle.state
    target = state.unit(group.target)
    watching = volley.kind == "overwatch" and not state.applies("wh40k.charge.overwatch.auto-hit")
    if profile.has("auto-hit") and state.applies("wh40k.attack.auto-hit") and not watching:
        more = ("wh40k.charge.overwatch.auto-hit",) if volley.kind == "overwatch" else ()
        battle.emit("auto-hit", "wh40k.attack.auto-hit", *more, unit=unit.id, hits=count)
        return count, 0
    if volley.kind == "overwatch" and state.applies("wh40k.charge.overwatch.hit-on-6"):
        steady = "hold-steady" in unit.acts and state.applies("wh40k.terrain.trait.defensible.hold-steady")
        rule = "wh40k.terrain.trait.defensible.hold-steady" if steady else "wh40k.charge.overwatch.hit-on-6"
        need = Need(5 if steady else 6, 0, (rule,))
    else:
        need = hit_need(state, unit, model, target, profile, group.hit)
    query = Asking(state, "hit", 0, unit, model, target, profile)
    roll = battle.roll(
        count, "hit", "wh40k.attack.hit-roll", side=unit.side, who=unit.id, need=need.face, modifier=need.modifier
    )
    fails = [misses(state, face, need) for face in roll.faces]
    roll = yield from standing_roll(battle, roll, rerolls(query, "hit"), fails, modifier=need.modifier)
    hits = sum(hits_on(state, face, need) for face in roll.faces)
    rules = [*need.rules[:2]]
    if profile.type == "grenade" and not rules:
        rules = ["wh40k.attack.hit-roll", "wh40k.unit.characteristics"]  # thrown by Ballistic Skill
    if 6 in roll.faces and 6 + need.modifier < need.skill:
        rules.append("wh40k.attack.hit-natural-six")
    elif 1 in roll.faces and 1 + need.modifier >= need.skill:
        rules.append("wh40k.attack.hit-natural-one")
    battle.emit("hits", *(rules or ("wh40k.attack.hit-roll",)), unit=unit.id, target=target.id, hits=hits)
    sure = 0
    sixes = triggers(state, roll, need.modifier)
    plain = ("wh40k.dice.unmodified",) if need.modifier and state.applies("wh40k.dice.unmodified") else ()
    if sixes and profile.has("auto-wound-6") and state.applies("wh40k.attack.auto-wound"):
        sure, hits = sixes, hits - sixes
        battle.emit("auto-wound", "wh40k.attack.auto-wound", *plain, unit=unit.id, wounds=sixes)
    if sixes and profile.has("extra-hits-6") and state.applies("wh40k.attack.extra-hits"):
        if sure and not state.applies("wh40k.attack.extra-hits-no-triggers"):
            sure += sixes
        else:
            hits += sixes
        told = ("wh40k.attack.extra-hits", "wh40k.attack.extra-hits-no-triggers")
        battle.emit("extra-hits", *told, *plain, unit=unit.id, hits=sixes)
    ones = roll.faces.count(1)
    if ones and profile.has("hazard"):
        yield from _burnt(battle, unit, group, roll, count)
    return hits, sure


def triggers(state: State, roll: Roll, modifier: int) -> int:
    """wh40k.dice.unmodified: how many dice show a 6, after re-rolls and before modifiers."""
    shown = 0 if state.applies("wh40k.dice.unmodified") else modifier
    return sum(face + shown >= 6 for face in roll.faces)


def _burnt(battle: WhBattle, unit: Unit, group: Group, roll: Roll, count: int) -> Steps[None]:
    """An overcharged weapon destroys its bearer on a hit roll of 1: nobody's kill (wh40k.unit.destroyed-otherwise)."""
    each = max(1, count // max(1, len(group.models)))
    bearers = [group.models[min(n // each, len(group.models) - 1)] for n, f in enumerate(roll.faces) if f == 1]
    gone = [m.id for m in unit.models if m.id in bearers]
    if gone:
        battle.emit("burnt", "wh40k.unit.destroyed-otherwise", unit=unit.id, models=gone)
        yield from slay(battle, unit, gone, "")


# -- wounding ------------------------------------------------------------------------------------------------------


def blow_strength(state: State, unit: Unit, model: Model, profile: Profile) -> tuple[int, tuple[str, ...]]:
    """The Strength of an attack and what made it so. A melee weapon's x2 or +1 is one more modifier of its bearer's
    Strength: it is multiplied before anything is added (wh40k.unit.modifier-order)."""
    if profile.melee:
        fixed = int(profile.s) if profile.s.isdigit() else None
        own = number(state, unit, model, "s", base=fixed, more=might(unit, profile))
        return int(own.total), own.rules if fixed is not None else own.rules or ("wh40k.unit.weapon-profile",)
    s = strength(profile.s, 0)
    own = number(state, unit, model, "s")
    if own.total == unit.row(model).s:
        return s, ()
    if state.applies("wh40k.unit.strength-melee-only"):
        return s, ("wh40k.unit.strength-melee-only",)
    return s + int(own.total) - unit.row(model).s, ()


def wound_need(state: State, unit: Unit, model: Model, target: Unit, profile: Profile) -> Need:
    s, rules = blow_strength(state, unit, model, profile)
    tough, why = toughness(state, target)
    rules = (*why, *rules)
    skill = wound_table(s, tough)
    poison = profile.rule("poison")
    if poison and state.applies("wh40k.attack.wound-weapon-rule"):
        skill, rules = poison, ("wh40k.attack.wound-weapon-rule",)
    changes = changed(Asking(state, "wound", 0, unit, model, target, profile))
    total = int(changes.total)
    limited = capped(state, total, "wh40k.attack.wound-cap-and-naturals")
    if limited != total:
        rules = ("wh40k.attack.wound-cap-and-naturals", *rules)
    return Need(skill, limited, (*rules, *changes.rules))


def wounds_on(state: State, face: int, need: Need, hard: int) -> bool:
    """`hard`: unmodified rolls below it always fail (wh40k.attack.no-real-conflict)."""
    if state.applies("wh40k.attack.wound-cap-and-naturals"):
        if face == 6:
            return True
        if face == 1:
            return False
    if face < hard:
        return False
    return face + need.modifier >= need.skill


def glances(state: State, face: int, need: Need, hard: int) -> bool:
    """Does this wound roll fail as it fell, as `misses` asks of a hit roll?"""
    before = state.applies("wh40k.dice.reroll-before-modifiers")
    return not any(wounds_on(state, face, n, hard) for n in ((need, need._replace(modifier=0)) if before else (need,)))


def wound(
    battle: WhBattle, unit: Unit, model: Model, target: Unit, volley: Volley, profile: Profile, hits: int
) -> Steps[tuple[int, int]]:
    """The wounds that must be saved, and how many attacks became mortal wounds instead."""
    if not hits:
        return 0, 0
    state = battle.state
    need = wound_need(state, unit, model, target, profile)
    hard = least(state, target, "only-wounded") if state.applies("wh40k.attack.no-real-conflict") else 0
    roll = battle.roll(
        hits, "wound", "wh40k.attack.wound-roll", side=unit.side, who=unit.id, need=max(need.face, hard),
        modifier=need.modifier,
    )  # fmt: skip
    query = Asking(state, "wound", 0, unit, model, target, profile)
    fails = [glances(state, face, need, hard) for face in roll.faces]
    roll = yield from standing_roll(battle, roll, rerolls(query, "wound"), fails, modifier=need.modifier)
    wounds = sum(wounds_on(state, face, need, hard) for face in roll.faces)
    rules = ("wh40k.attack.no-real-conflict",) if hard else need.rules[:2]
    bound = any(wounds_on(state, f, need, 0) != (f + need.modifier >= need.skill) for f in roll.faces)
    if bound and "wh40k.attack.wound-cap-and-naturals" not in rules:
        rules = ("wh40k.attack.wound-cap-and-naturals", *rules)
    battle.emit("wounds", *(rules or ("wh40k.attack.wound-table",)), unit=unit.id, target=target.id, wounds=wounds)
    sixes = roll.faces.count(6)
    instead = 0
    if sixes and profile.has("instead-6") and state.applies("wh40k.attack.mortal-instead"):
        instead, wounds = sixes, wounds - sixes
        count = 0
        for _ in range(sixes):  # as many as its Damage, which is rolled for each where it is random
            count += yield from damage_roll(battle, profile, unit, model, target)
        wait(volley, target.id, count)
        battle.emit("mortal-instead", "wh40k.attack.mortal-instead", unit=unit.id, target=target.id, count=count)
    elif sixes and profile.has("mortal-6") and state.applies("wh40k.attack.mortal-in-addition"):
        count = sixes
        if not state.applies("wh40k.attack.mortal-damage-modifiers"):
            count = sixes * changed_damage(state, 1, unit, model, target, profile, 0)
        wait(volley, target.id, count)
        kept = changed_damage(state, 2, unit, model, target, profile) != 2
        more = ("wh40k.attack.mortal-damage-modifiers",) if kept else ()
        rule = "wh40k.attack.mortal-in-addition"
        battle.emit("mortal-addition", rule, *more, unit=unit.id, target=target.id, count=count)
    return wounds, instead


def wait(volley: Volley, target: str, count: int) -> None:
    """Set mortal wounds aside until all attacks of the unit are resolved."""
    waiting = dict(volley.waiting)
    waiting[target] = waiting.get(target, 0) + count
    volley.waiting = tuple(waiting.items())
