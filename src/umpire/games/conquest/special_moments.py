"""Special rules (chapter 11) that do something at a moment of the battle: hits, wounds, free actions, forced ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpire.engine import usage
from umpire.engine.battle import Battle
from umpire.engine.decisions import ChooseSeveral, Confirm, pick, pieces
from umpire.engine.steps import Steps
from umpire.space.ranks import fronts
from umpire.space.shapes import TOLERANCE, Base, Round

from . import attacks, charge, formation, garrison, hooks, morale, pressing, reform, reinforcement, sight, wounds
from .draw_events import free_march
from .hooks import decides, find, has_rule, moment_of, rules_of, rules_of_character
from .profiles import Rule
from .special import fearless_by, has_himself
from .state import Character, Regiment, State

NEAR_ENTRY = 8.0


# -- hits outside the order of actions -----------------------------------------------------------------------------


def _aura(state: State, enemy: Regiment, regiment: Regiment) -> int:
    """Hits of an enemy's Aura of Death: X for every stand with the rule that touches the regiment."""
    hits = 0
    rule = find(state, enemy, "aura-of-death")
    for stand in enemy.stands:
        own = rule
        if stand.character and not enemy.own:
            own = find(state, state.characters[stand.character], "aura-of-death")
        if own is not None and formation.stand_touches(state, enemy, stand, regiment):
            hits += own.value
    return hits


hooks.special("aura-of-death")


@moment_of("named")
def aura_of_death(battle: Battle[State], regiment: Regiment, **facts: Any) -> Steps[None]:
    """When the regiment is named for activation, before its draw event; walls keep it off."""
    state = battle.state
    before: list[pressing.Before] = []
    for enemy in formation.enemies_in_contact(state, regiment):
        if not regiment.alive:
            return
        hits = _aura(state, enemy, regiment)
        if not hits:
            continue
        walls = regiment.where == "garrison" or enemy.where == "garrison"
        if walls and state.applies("conquest.rule.aura-of-death.garrison"):
            battle.emit("no-aura", "conquest.rule.aura-of-death.garrison", regiment=regiment.id, enemy=enemy.id)
            continue
        rules = ["conquest.rule.aura-of-death", "conquest.rule.aura-of-death.timing"]
        battle.emit("aura-of-death", *rules, regiment=regiment.id, enemy=enemy.id, hits=hits)
        side = formation.facing_of(formation.side_hit(regiment, enemy))
        before = before or pressing.fights(state, regiment.side)
        yield from attacks.inflict(battle, regiment, hits, None, "hits", *rules, side=side)
    yield from pressing.press_the_attack(battle, regiment.side, before)
    if not regiment.alive:
        battle.emit("lost-before-activation", "conquest.rule.aura-of-death.destroyed", regiment=regiment.id)


@moment_of("defended", "counter-attack")
def count_ones(
    battle: Battle[State], regiment: Regiment, rule: Rule, foe: str, context: str, faces: Sequence[int], **facts: Any
) -> None:
    """Each unmodified 1 of a defence roll in a Clash will be a hit on the attacker, once that Clash is done."""
    ones = attacks.turned(faces)
    if context == "clash" and foe and ones:
        side = formation.facing_of(formation.side_hit(battle.state.regiment(foe), regiment))
        key = f"counter/{regiment.id}/{foe}/{side}"
        battle.state.tallies[key] = battle.state.tallies.get(key, 0) + ones


def countering(state: State, regiment: Regiment, foe: str) -> tuple[str, str]:
    """Where the hits of its Counter-Attack on a foe are noted, and the side that they will come from; or nothing."""
    key = next((key for key in state.tallies if key.startswith(f"counter/{regiment.id}/{foe}/")), "")
    return key, key.rpartition("/")[2]


@moment_of("attacked")
def counter_attack(battle: Battle[State], regiment: Regiment, foe: str, context: str, **facts: Any) -> Steps[None]:
    """Plain hits on the attacker from where the defender stood, after the defender's casualties and Morale Test."""
    state = battle.state
    key, side = countering(state, regiment, foe)
    if not key or context != "clash":
        return
    hits = state.tallies.pop(key)
    enemy = state.regiment(foe)
    if not enemy.on_table:
        return
    cite = "conquest.rule.counter-attack"
    battle.emit("counter-attack", cite, regiment=regiment.id, target=foe, hits=hits)
    yield from attacks.inflict(battle, enemy, hits, None, "hits", cite, side=side)


@moment_of("defended", "lethal-demise")
def note_contact(battle: Battle[State], regiment: Regiment, rule: Rule, **facts: Any) -> None:
    """Who touches it before casualties are removed."""
    marks = tuple(f"demise:{enemy.id}" for enemy in formation.enemies_in_contact(battle.state, regiment))
    regiment.flags = (*(f for f in regiment.flags if not f.startswith("demise:")), *marks)


@moment_of("suffered", "lethal-demise")
def lethal_demise(
    battle: Battle[State], regiment: Regiment, rule: Rule, foe: str, wounds: int, **facts: Any
) -> Steps[None]:
    """Every wound from failed defence dice is a hit on an enemy in contact: the attacker, or one the owner picks."""
    state = battle.state
    touching = [
        key
        for flag in regiment.flags
        if flag.startswith("demise:") and (key := flag[7:]) and state.regiment(key).on_table
    ]
    regiment.flags = tuple(f for f in regiment.flags if not f.startswith("demise:"))
    if not touching:
        return
    rules = ("conquest.rule.lethal-demise", "conquest.rule.lethal-demise.plain-front")
    whom = [foe] if foe in touching else touching
    target = yield from pick(regiment.side, "ask.lethal-demise", whom, rules[0], regiment.id)
    battle.emit("lethal-demise", *rules, regiment=regiment.id, target=target, hits=wounds)
    plain = state.applies(rules[1])
    source = None if plain else regiment
    yield from attacks.inflict(battle, state.regiment(target), wounds, source, "hits" if plain else "clash", *rules)


# -- Blessed -------------------------------------------------------------------------------------------------------


def _bless(battle: Battle[State], regiment: Regiment, character: Character | None, roll: str) -> Steps[None]:
    """Announced before the dice, once a round: by the regiment, or by a Character who has the rule himself."""
    state = battle.state
    if has_rule(state, regiment, "blessed"):
        character = None
    elif character is None or not has_himself(state, character, "blessed"):
        return
    who = character.id if character is not None else regiment.id
    if usage.count(state, "blessed", "round", who):
        return
    if (yield Confirm(regiment.side, f"ask.blessed-{roll}", "conquest.rule.blessed", who)):
        usage.spend(state, "blessed", "round", who)
        mark = f"blessed:{roll}:{character.id if character is not None else ''}"
        regiment.flags = (*regiment.flags, mark)
        battle.emit("blessed", "conquest.rule.blessed", who=who, roll=roll)


def _unbless(regiment: Regiment) -> None:
    regiment.flags = tuple(f for f in regiment.flags if not f.startswith("blessed:"))


@moment_of("before-hits")
def bless_hits(battle: Battle[State], regiment: Regiment, **facts: Any) -> Steps[None]:
    yield from _bless(battle, regiment, battle.state.characters.get(regiment.character), "hit")


@moment_of("before-defence")
def bless_defence(
    battle: Battle[State], regiment: Regiment, character: Character | None = None, **facts: Any
) -> Steps[None]:
    yield from _bless(battle, regiment, character, "defense")


@moment_of("after-hits")
def hits_rolled(battle: Battle[State], regiment: Regiment, **facts: Any) -> None:
    _unbless(regiment)


@moment_of("attacked")
def defence_rolled(battle: Battle[State], regiment: Regiment, **facts: Any) -> None:
    _unbless(regiment)


# -- at the start and the end of an activation ---------------------------------------------------------------------


@moment_of("ready", "bravery")
def bravery(battle: Battle[State], regiment: Regiment, rule: Rule, **facts: Any) -> None:
    """The Broken marker is removed after the draw events and before the first action."""
    if regiment.broken and regiment.on_table and battle.state.applies("conquest.rule.bravery.rally"):
        morale.rally(battle, regiment, "conquest.rule.bravery.rally")


@moment_of("deactivate")
def decay(battle: Battle[State], regiment: Regiment, **facts: Any) -> Steps[None]:
    """X dice for every stand, a Character's too; 5 and 6 are wounds without defence roll or Morale Test."""
    held = [r.value for r in rules_of(battle.state, regiment) if r.name == "decay"]
    if not held:
        return
    rules = ["conquest.rule.decay"]
    if not battle.state.applies("conquest.rule.decay.cumulative"):
        held = [max(held)]
    if len(held) > 1:
        rules.append("conquest.rule.decay.cumulative")
    if regiment.character:
        rules.append("conquest.rule.decay.character")
    count = sum(held) * len(regiment.stands)
    roll = battle.roll(count, "decay", "conquest.rule.decay", side=regiment.side, who=regiment.id, need=5)
    hurt = sum(face >= 5 for face in roll.faces)
    battle.emit("decay", *rules, regiment=regiment.id, dice=count, wounds=hurt)
    before = pressing.fights(battle.state, regiment.side) if hurt else []
    yield from wounds.suffer(battle, regiment, hurt, "", *rules)
    yield from pressing.press_the_attack(battle, regiment.side, before)


hooks.special("decay")


def _fluid(battle: Battle[State], regiment: Regiment) -> Steps[None]:
    """One free Reform in the activation, before all other actions or after all of them."""
    state = battle.state
    used = usage.count(state, "fluid-formation", "round", regiment.id)
    cite = "conquest.rule.fluid-formation.reform"
    if used or regiment.where != "table" or formation.in_contact(state, regiment) or not state.applies(cite):
        return
    if (yield Confirm(regiment.side, "ask.fluid-formation", cite, regiment.id)):
        usage.spend(state, "fluid-formation", "round", regiment.id)
        yield from garrison.free_reform(battle, regiment, cite, "conquest.action.reform.limits")


@moment_of("ready", "fluid-formation")
def fluid_before(battle: Battle[State], regiment: Regiment, rule: Rule, **facts: Any) -> Steps[None]:
    yield from _fluid(battle, regiment)


@moment_of("spent")
def fluid_after(battle: Battle[State], regiment: Regiment, **facts: Any) -> Steps[None]:
    """Asked after every rule that adds an action to the end (Double Time)."""
    now = battle.state.activation
    if now is not None and now.actions and not now.ended and has_rule(battle.state, regiment, "fluid-formation"):
        yield from _fluid(battle, regiment)


@moment_of("ready", "flawless-drill")
@moment_of("after-action", "flawless-drill")
def flawless_drill(battle: Battle[State], regiment: Regiment, rule: Rule, **facts: Any) -> Steps[None]:
    """Once a game, one free Combat Reform in its activation, before or after any action; it needs its Resolve roll. By
    the table's other reading it is a Combat Rally."""
    state = battle.state
    used = usage.count(state, "flawless-drill", "battle", regiment.id)
    if used or regiment.where != "table" or not formation.in_contact(state, regiment):
        return
    cite = "conquest.rule.flawless-drill"
    rallies = state.options.flawless_drill == "combat-rally"
    if rallies and not regiment.broken:
        return
    if (yield Confirm(regiment.side, f"ask.flawless-drill{'-rally' if rallies else ''}", cite, regiment.id)):
        usage.spend(state, "flawless-drill", "battle", regiment.id)
        battle.emit("flawless-drill", cite, regiment=regiment.id)
        battle.push(reform.combat_rally if rallies else reform.combat_reform, regiment.id)


# -- charging ------------------------------------------------------------------------------------------------------


@moment_of("charged", "shock")
def shock(battle: Battle[State], regiment: Regiment, rule: Rule, **facts: Any) -> None:
    """Inspired twice after a successful Charge."""
    regiment.inspired = 2
    battle.emit("shock", "conquest.rule.shock", regiment=regiment.id)


@moment_of("charged", "overrun")
def overrun(battle: Battle[State], regiment: Regiment, rule: Rule, target: str, **facts: Any) -> Steps[None]:
    """Impact attacks a second time if the enemy it contacted is Broken; only once."""
    enemy = battle.state.regiment(target)
    if not enemy.broken or not enemy.on_table or not charge.impact_groups(battle, regiment, enemy):
        return
    cite = "conquest.rule.overrun.impact"
    if not battle.state.applies(cite):
        return
    if (yield Confirm(regiment.side, "ask.overrun", cite, regiment.id)):
        battle.emit("overrun", cite, regiment=regiment.id, target=target)
        battle.push(charge.impact, regiment.id, target)


# -- Bloodlust -----------------------------------------------------------------------------------------------------


hooks.special("bloodlust")


def nearest_seen(state: State, regiment: Regiment) -> list[tuple[float, str]]:
    """The nearest enemy in line of sight, and those as near."""
    away = sorted((formation.distance(state, regiment, e), e.id) for e in state.on_table(1 - regiment.side))
    found: list[tuple[float, str]] = []
    for far, key in away:
        if found and far > found[0][0] + TOLERANCE:
            break
        if not sight.reasons_unseen(state, regiment, state.regiment(key)):
            found.append((far, key))
    return found


@decides("forced-action", "bloodlust")
def bloodlust(battle: Battle[State], regiment: Regiment, rule: Rule, **facts: Any) -> Steps[dict[str, str] | None]:
    """Out of contact a die over the highest Resolve forces a Charge at the nearest enemy in sight, or a March at it.

    Of enemies equally near its owner picks one.
    """
    state = battle.state
    now = state.activation
    half_way = "entering" in regiment.flags or (now is not None and now.start is not None)
    if regiment.where != "table" or half_way or formation.in_contact(state, regiment):
        return None
    enemies = nearest_seen(state, regiment)
    if not enemies:
        return None
    if morale.resolve_roll(battle, regiment, "bloodlust", "conquest.rule.bloodlust"):
        return None
    again = now is not None and "charge" in now.actions
    far, keys = enemies[0][0], [key for _, key in enemies]
    target = yield from pick(regiment.side, "ask.bloodlust", keys, "conquest.rule.bloodlust", regiment.id)
    barred = regiment.broken or (again and not hooks.granted(state, regiment, "twice", action="charge"))
    if regiment.arrived == state.round and not state.applies("conquest.rule.bloodlust.reinforcement"):
        barred = True
    within = far <= charge.greatest_distance(battle, regiment) + TOLERANCE
    if within and not barred:
        rules = ["conquest.rule.bloodlust"]
        if regiment.arrived == state.round:
            rules.append("conquest.rule.bloodlust.reinforcement")
        battle.emit("bloodlust", *rules, regiment=regiment.id, target=target)
        return {"action": "charge", "target": target}
    battle.emit("bloodlust", "conquest.rule.bloodlust.forced-march", regiment=regiment.id, target=target)
    return {"action": "march", "toward": target}


# -- Fearsome ------------------------------------------------------------------------------------------------------


hooks.special("fearsome")


@decides("rally")
def fearsome(battle: Battle[State], regiment: Regiment, action: str, **facts: Any) -> bool | None:
    """In contact with a Fearsome enemy a Combat Rally or Combat Reform needs a die at or under the highest Resolve."""
    state = battle.state
    if action not in ("combat-rally", "combat-reform"):
        return None
    feared = [e for e in formation.enemies_in_contact(state, regiment) if has_rule(state, e, "fearsome")]
    if not feared:
        return None
    cite = "conquest.rule.fearsome"
    ignored = fearless_by(state, regiment)
    if ignored:
        battle.emit("fearless", ignored, cite, regiment=regiment.id)
        return None
    if morale.resolve_roll(battle, regiment, "fearsome", cite, feared[0]):
        return None
    battle.emit("fearsome", cite, regiment=regiment.id, action=action)
    return False


# -- reserves ------------------------------------------------------------------------------------------------------


@moment_of("reserves")
def flank(battle: Battle[State], regiment: None, side: int, **facts: Any) -> Steps[None]:
    """Before the dice each player announces which of his Flank regiments come in this round."""
    state = battle.state
    due = [
        r
        for r in reinforcement.waiting(state, side)
        if has_rule(state, r, "flank") and reinforcement.may_arrive(state, r)
    ]
    limited = state.applies("conquest.rule.flank.limits")
    late = [r for r in due if limited and state.round >= reinforcement.AUTOMATIC[r.profile.klass]]
    free = [r for r in due if r not in late]
    rules = ("conquest.rule.flank", "conquest.rule.flank.limits")
    for one in late:
        reinforcement.arrive(battle, one, *rules)
    if free:
        options = pieces(r.id for r in free)
        names = yield ChooseSeveral(side, "ask.flank", options, 0, len(free), rules)
        for name in names:
            reinforcement.arrive(battle, state.regiment(name), *rules)


@moment_of("arrived")
def vanguard(battle: Battle[State], regiment: Regiment, **facts: Any) -> Steps[None]:
    """A stand with Vanguard gives one free March on arrival, unless an enemy is within 8 inches of where it came in."""
    state = battle.state
    rules = rules_of(state, regiment)
    if regiment.character:
        rules += rules_of_character(state, state.characters[regiment.character])
    if not any(rule.name == "vanguard" for rule in rules):
        return
    mark = next((flag for flag in regiment.flags if flag.startswith("entry:")), "")
    entry = tuple(float(part) for part in mark.split(":")[1:])
    wary = state.applies("conquest.rule.vanguard.enemy-near")
    if wary and entry and any(_near(state, enemy, (entry[0], entry[1])) for enemy in state.on_table(1 - regiment.side)):
        battle.emit("no-vanguard", "conquest.rule.vanguard.enemy-near", regiment=regiment.id)
        return
    yield from free_march(battle, regiment, "conquest.rule.vanguard")


def _near(state: State, enemy: Regiment, point: tuple[float, float]) -> bool:
    here = (Base(Round(TOLERANCE), point[0], point[1]),)
    return fronts.gap(here, formation.body(state, enemy)) <= NEAR_ENTRY
