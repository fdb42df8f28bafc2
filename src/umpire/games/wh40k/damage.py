"""Saving, damage, mortal wounds, ignored wounds, models destroyed (attack.save*, attack.mortal-*)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from umpire.engine import effects, usage
from umpire.engine.decisions import Option, Order
from umpire.engine.steps import Steps
from umpire.games.wh40k.abilities import Asking, ceil, changed, held, rerolls
from umpire.games.wh40k.allocation import allocate, forced, pick_lost, tell_allocation
from umpire.games.wh40k.dice import read, roll_off, rolled, standing_roll
from umpire.games.wh40k.measuring import settle, units_near
from umpire.games.wh40k.profiles import Profile, amount
from umpire.games.wh40k.saves import SEVEN, Blow, ignores, kind_of, limits, save_need, saved, unsafe
from umpire.games.wh40k.state import PHASES, Model, State, Unit, WhBattle
from umpire.games.wh40k.units import replace_model, take_away
from umpire.miniatures.amounts import Amount
from umpire.text import Text

# -- attacks that have wounded -------------------------------------------------------------------------------------


def take_attacks(battle: WhBattle, target: Unit, wounds: int, blow: Blow, by: Unit, shooter: Model) -> Steps[None]:
    """Allocate, save and damage. Where all models are alike the dice are rolled together, and the owner picks who is
    lost when all attacks on the unit are done: the result is one that rolling one at a time could have brought. Where
    several have lost wounds the owner picks whose attack it is before each."""
    state = battle.state
    if not wounds:
        return
    kinds = {(m.row, m.id in blow.covered, m.id in blow.bare): m for m in target.models}
    alike = {kind_of(state, target, m, blow) for m in kinds.values()}
    single = len(forced(state, target)) <= 1 and not limits(state, target, blow)[0]
    if len(alike) == 1 and single and state.applies("wh40k.dice.fast"):
        yield from _together(battle, target, wounds, blow, by, shooter)
        return
    yield from settle_toll(battle)
    yield from _one_by_one(battle, target, wounds, blow, by, shooter)


def damage_of(battle: WhBattle, blow: Blow, by: Unit, shooter: Model, target: Unit) -> Steps[int]:
    """The Damage of an attack whose save has failed, with what modifies it; never less than 1."""
    total = yield from damage_roll(battle, blow.profile, by, shooter, target)
    return changed_damage(battle.state, total, by, shooter, target, blow.profile)


def damage_roll(battle: WhBattle, profile: Profile, by: Unit, shooter: Model, target: Unit) -> Steps[int]:
    """wh40k.attack.random-damage: rolled by the attacker, before anything modifies it."""
    text = amount(profile.d)
    if not text.random:
        return text.plus
    roll = battle.roll(text.dice, "damage", "wh40k.attack.random-damage", side=by.side, who=by.id)
    given = rerolls(Asking(battle.state, "d", 0, by, shooter, target, profile), "damage")
    fails = [face <= 2 for face in roll.faces]
    roll = yield from standing_roll(battle, roll, given, fails, text.sides == 3, each=text.dice)
    return read(roll.faces, text)


def lessened(state: State, text: Amount, by: Unit, shooter: Model, target: Unit, profile: Profile) -> bool:
    """wh40k.dice.minimum-one: would the least damage fall below 1?"""
    low = text.dice + text.plus
    return changed(Asking(state, "d", low, by, shooter, target, profile)).total < 1 and state.applies(
        "wh40k.dice.minimum-one"
    )


def scorned(state: State, target: Unit, blow: Blow) -> bool:
    """wh40k.attack.cannot-ignore-wounds: has the target rules to ignore wounds that do not help it here?"""
    if not blow.profile.has("no-ignore") or not state.applies("wh40k.attack.cannot-ignore-wounds"):
        return False
    printed = any(target.row(m).ignore for m in target.models)
    return printed or bool(held(state, target, "ignore-wounds") or held(state, target, "wound-limit"))


def changed_damage(
    state: State, total: int, by: Unit, shooter: Model, target: Unit, profile: Profile, floor: int = 1
) -> int:
    change = changed(Asking(state, "d", total, by, shooter, target, profile))
    return max(floor, ceil(change.total)) if state.applies("wh40k.dice.minimum-one") else int(change.total)


def _together(battle: WhBattle, target: Unit, wounds: int, blow: Blow, by: Unit, shooter: Model) -> Steps[None]:
    state = battle.state
    model = target.models[0]
    need, rules = save_need(state, target, model, blow)
    failures = wounds
    if need < 7:
        failures = yield from roll_saves(battle, target, model, wounds, need, rules, blow)
    else:
        no_save(battle, target, model, wounds, rules)
    if not failures:
        return
    full = target.sheet.row(model.row).w
    volley = state.volley
    assert volley is not None
    slain, left = _toll(state, target, full)
    ignore = ignores(state, target, model, blow)
    text = amount(blow.profile.d)
    each = changed_damage(state, text.plus, by, shooter, target, blow.profile) if not text.random else 0
    spills = not state.applies("wh40k.attack.excess-damage-lost")
    sorted_ = text.random and not state.applies("wh40k.dice.fast-random-damage")
    known: list[int] = []
    if sorted_:
        for _ in range(failures):
            known.append((yield from damage_of(battle, blow, by, shooter, target)))
        known.sort(reverse=True)
    if full == 1 and not ignore and not spills:
        slain = min(len(target.models), slain + failures)
    else:
        for n in range(failures):
            if slain >= len(target.models):
                break
            if sorted_:
                each = known[n]
            elif text.random and not (left == 1 and not ignore and not spills):
                each = yield from damage_of(battle, blow, by, shooter, target)
            damage = each or 1
            while damage > 0 and slain < len(target.models):
                lost = _ignored(battle, target, damage, left, ignore) if ignore else min(damage, left)
                damage = damage - left if spills else 0
                left -= lost
                if left <= 0:
                    slain += 1
                    left = full
    volley.toll = (target.id, slain, left)
    more = ["wh40k.dice.fast"] if wounds > 1 else []
    if text.random and full > 1:
        more = ["wh40k.dice.fast-random-damage"]
    elif each > full:
        more = ["wh40k.attack.excess-damage-lost"]
    if lessened(state, text, by, shooter, target, blow.profile):
        more = ["wh40k.dice.minimum-one"]
    if scorned(state, target, blow):
        more = ["wh40k.attack.cannot-ignore-wounds"]
    battle.emit("unsaved", "wh40k.attack.damage", *more, unit=target.id, count=failures, slain=slain)


def no_save(battle: WhBattle, target: Unit, model: Model, count: int, rules: tuple[str, ...]) -> None:
    """No die could save: the armour is pierced altogether, or the model has none (wh40k.unit.zero-skill)."""
    rules = rules[-2:] if target.sheet.row(model.row).sv else ("wh40k.unit.zero-skill",)
    battle.emit("no-save", *(rules or ("wh40k.unit.save-seven-plus",)), unit=target.id, count=count)


def _toll(state: State, target: Unit, full: int) -> tuple[int, int]:
    """How many models are lost already by these attacks, and the wounds of the one that takes the next."""
    volley = state.volley
    assert volley is not None
    if volley.toll is not None and volley.toll[0] == target.id:
        return volley.toll[1], volley.toll[2]
    first = forced(state, target)
    return 0, first[0].wounds if first else full


def roll_saves(
    battle: WhBattle, target: Unit, model: Model, count: int, need: int, rules: tuple[str, ...], blow: Blow
) -> Steps[int]:
    """How many saving throws fail."""
    state = battle.state
    face = max(2, need)
    roll = battle.roll(count, "save", "wh40k.attack.save-roll", side=target.side, who=target.id, need=face)
    query = Asking(state, "save", 0, target, model, None, blow.profile)
    fails = [unsafe(state, target, model, blow, f, need) for f in roll.faces]
    roll = yield from standing_roll(battle, roll, rerolls(query, "save"), fails)
    failures = sum(not saved(state, face, need) for face in roll.faces)
    if failures and not state.applies("wh40k.attack.save-one-only"):
        again = battle.roll(failures, "save", "wh40k.attack.save-roll", side=target.side, who=target.id, need=face)
        failures = sum(not saved(state, face, need) for face in again.faces)
    if "wh40k.attack.save-natural-one" in rules and 1 not in roll.faces:
        rules = tuple(rule for rule in rules if rule != "wh40k.attack.save-natural-one")
    battle.emit(
        "saves", *(rules[-2:] or ("wh40k.attack.save-roll",)), unit=target.id, saved=count - failures, need=face
    )
    return failures


def _ignored(battle: WhBattle, target: Unit, damage: int, left: int, ignore: int) -> int:
    """wh40k.attack.ignore-wounds: a die for each wound that would be lost, until the model is dead."""
    lost = 0
    dice = damage
    while dice and lost < left:
        batch = min(dice, left - lost)
        roll = battle.roll(batch, "ignore", "wh40k.attack.ignore-wounds", side=target.side, who=target.id, need=ignore)
        failed = sum(face < ignore for face in roll.faces)
        if failed and not battle.state.applies("wh40k.attack.ignore-wounds-once"):
            again = battle.roll(failed, "ignore", "wh40k.attack.ignore-wounds", side=target.side, need=ignore)
            failed = sum(face < ignore for face in again.faces)
        lost += failed
        dice -= batch
    several = len(held(battle.state, target, "ignore-wounds")) + any(target.row(m).ignore > 0 for m in target.models)
    rule = "wh40k.attack.ignore-wounds-once" if several > 1 else "wh40k.attack.ignore-wounds-timing"
    battle.emit("ignored", rule, unit=target.id, lost=lost)
    return lost


def _one_by_one(battle: WhBattle, target: Unit, wounds: int, blow: Blow, by: Unit, shooter: Model) -> Steps[None]:
    """Models differ: the attack goes to one of them before its save is rolled, until that one is destroyed."""
    state = battle.state
    text = amount(blow.profile.d)
    each = changed_damage(state, text.plus, by, shooter, target, blow.profile) if not text.random else 0
    while wounds and target.where == "table":
        model = yield from allocate(battle, target)
        need, rules = save_need(state, target, model, blow)
        batch = 1 if text.random else min(wounds, -(-model.wounds // each))
        wounds -= batch
        failures = batch
        if need < 7:
            failures = yield from roll_saves(battle, target, model, batch, need, rules, blow)
        else:
            no_save(battle, target, model, batch, rules)
        for _ in range(failures):
            model = next(m for m in target.models if m.id == model.id)
            if text.random:
                each = yield from damage_of(battle, blow, by, shooter, target)
            if scorned(state, target, blow):
                battle.emit("scorned", "wh40k.attack.cannot-ignore-wounds", unit=target.id)
            dead = yield from lose(battle, target, model, each, blow, by.id)
            if dead:
                break


def lose(battle: WhBattle, target: Unit, model: Model, damage: int, blow: Blow | None, by: str) -> Steps[bool]:
    """A model loses wounds; is it destroyed? What is beyond its wounds is lost (wh40k.attack.excess-damage-lost)."""
    state = battle.state
    most, period = limits(state, target, blow)
    if most and state.applies("wh40k.attack.wound-limit-abilities"):
        room = most - usage.count(state, "lost", period, model.id)
        if damage > room:
            battle.emit("limited", "wh40k.attack.wound-limit-abilities", unit=target.id, lost=room, of=damage)
            damage = max(0, room)
    ignore = ignores(state, target, model, blow)
    lost = _ignored(battle, target, damage, model.wounds, ignore) if ignore else min(damage, model.wounds)
    if most:
        usage.spend(state, "lost", period, model.id, lost)
    if not lost:
        return False
    if lost >= model.wounds:
        yield from slay(battle, target, [model.id], by)
        return True
    replace_model(target, msgspec.structs.replace(model, wounds=model.wounds - lost))
    battle.emit("hurt", "wh40k.attack.damage", unit=target.id, model=model.id, lost=lost)
    return False


# -- the toll of attacks rolled together ---------------------------------------------------------------------------


def settle_toll(battle: WhBattle) -> Steps[None]:
    """The owner picks the models that are lost, and the one that keeps the last wound; then they are removed."""
    state = battle.state
    volley = state.volley
    if volley is None or volley.toll is None:
        return
    key, slain, left = volley.toll
    volley.toll = None
    yield from carry_out_toll(battle, state.unit(key), slain, left, volley.unit)


def carry_out_toll(battle: WhBattle, target: Unit, slain: int, left: int, by: str) -> Steps[None]:
    state = battle.state
    if slain >= len(target.models):
        yield from slay(battle, target, [m.id for m in target.models], by)
        return
    must = forced(state, target)[:1]
    full = target.sheet.row(target.models[0].row).w
    tell_allocation(battle, target, must)
    partial = left < full and not (slain == 0 and must and must[0].wounds == left)
    chosen = [m.id for m in must][: slain + partial]
    wanted = slain + partial - len(chosen)
    free = [m for m in target.models if m.id not in chosen]
    if wanted:
        if len(free) == 1 or (wanted == len(free) and not partial):
            chosen += [m.id for m in free]
        else:
            chosen += yield from pick_lost(battle, target, free, wanted, bool(partial))
    lost = chosen[:slain]
    if partial:
        hurt = target.model(chosen[-1])
        replace_model(target, msgspec.structs.replace(hurt, wounds=left))
        if hurt.id not in target.allocated:
            target.allocated = (hurt.id,)
        battle.emit("hurt", "wh40k.attack.damage", unit=target.id, model=hurt.id, lost=hurt.wounds - left)
    if lost:
        yield from slay(battle, target, lost, by)


# -- mortal wounds -------------------------------------------------------------------------------------------------


def mortal_wounds(battle: WhBattle, target: Unit, count: int, by: str, *rules: str) -> Steps[None]:
    """wh40k.attack.mortal-wounds: no saves; one after the other, from a destroyed model to the next."""
    state = battle.state
    if not count or target.where != "table":
        return
    if not state.applies("wh40k.attack.mortal-wounds"):
        blow = Blow(by, Profile("mortal", "assault", "1"), 0, "mortal")
        need, _ = save_need(state, target, target.models[0], blow)
        count = (
            (yield from roll_saves(battle, target, target.models[0], count, need, (), blow)) if need < SEVEN else count
        )
        if not count:
            return
    many = count > target.models[0].wounds and len(target.models) > 1
    more = ("wh40k.attack.mortal-one-by-one",) if many else ()
    battle.emit("mortal", "wh40k.attack.mortal-wounds", *more, *rules[:2], unit=target.id, count=count)
    kinds = {m.row: m for m in target.models}
    alike = {(target.sheet.row(row).w, ignores(state, target, m, None)) for row, m in kinds.items()}
    if len(alike) == 1 and len(forced(state, target)) <= 1 and not limits(state, target, None)[0]:
        full, ignore = next(iter(alike))
        if ignore:
            roll = battle.roll(count, "ignore", "wh40k.attack.ignore-wounds-mortal", side=target.side, need=ignore)
            count = sum(face < ignore for face in roll.faces)
        must = forced(state, target)
        left = must[0].wounds if must else full
        slain = 0
        while count and slain < len(target.models):
            took = min(count, left)
            count -= took
            left -= took
            if left == 0:
                slain += 1
                left = full
                if not state.applies("wh40k.attack.mortal-one-by-one"):
                    break
        yield from carry_out_toll(battle, target, slain, left, by)
        return
    for _ in range(count):
        if target.where != "table":
            return
        model = yield from allocate(battle, target)
        yield from lose(battle, target, model, 1, None, by)


DYING = "dying"
"""An act of a unit whose last model is destroyed and not yet removed: nothing harms it any more."""


def harmed(state: State) -> list[Unit]:
    """The units on the battlefield that something that happens about them may harm."""
    return [u for u in state.units.values() if u.where == "table" and DYING not in u.acts]


def random_mortal_wounds(battle: WhBattle, target: Unit, text: str, by: str, side: int, *rules: str) -> Steps[None]:
    if target not in harmed(battle.state):
        return
    count = yield from rolled(battle, amount(text), "mortal", rules[0], side, target.id)
    yield from mortal_wounds(battle, target, count, by, *rules)


# -- destroyed -----------------------------------------------------------------------------------------------------


def slay(
    battle: WhBattle, unit: Unit, keys: Sequence[str], by: str, fled: bool = False, counted: bool = True
) -> Steps[None]:
    """wh40k.attack.model-destroyed: models are removed at once; the last one's end is the unit's."""
    state = battle.state
    last = len(keys) >= len(unit.models)
    dying = [m for m in unit.models if m.id in keys]
    battle.emit(
        "slain", "wh40k.attack.model-destroyed", unit=unit.id, models=list(keys), left=len(unit.models) - len(keys)
    )
    wreck = None
    if last:
        unit.act(DYING)
    if last and unit.sheet.carries is not None:
        from umpire.games.wh40k.transports import Wreck

        wreck = yield from Wreck.of(battle, unit)
    explodes = unit.sheet.explodes if last and not fled else None
    spared = state.applies("wh40k.move.transport-destroyed-no-explosion")
    if wreck is not None and not spared:
        yield from wreck.bail_out()
    if explodes is not None:
        yield from explode(battle, unit, dying[-1])
    if wreck is not None and spared:
        yield from wreck.bail_out()
    take_away(unit, keys, counted)
    if last:
        destroyed(battle, unit, by)
    settle(state)
    if wreck is not None:
        yield from wreck.losses()


def explode(battle: WhBattle, unit: Unit, model: Model) -> Steps[None]:
    """Before the last model is removed it may harm everybody near, friend and foe (wh40k.unit.unqualified-rules)."""
    state = battle.state
    data = unit.sheet.explodes
    assert data is not None
    roll = battle.roll(1, "explodes", "wh40k.unit.unqualified-rules", side=unit.side, who=unit.id, need=data.roll)
    if roll.faces[0] < data.roll:
        return
    near = [u for u in harmed(state) if units_near(unit, u, data.range)]
    battle.emit("explosion", "wh40k.unit.unqualified-rules", unit=unit.id, units=[u.id for u in near])
    for other in (yield from in_turn(battle, near)):
        yield from random_mortal_wounds(battle, other, data.wounds, unit.id, unit.side, "wh40k.unit.unqualified-rules")


def in_turn(battle: WhBattle, units: Sequence[Unit]) -> Steps[list[Unit]]:
    """Units that suffer something at one moment, in the order of whose turn it is, or who wins a roll-off outside a
    turn (wh40k.turn.sequencing-active-player, wh40k.turn.sequencing-roll-off)."""
    state = battle.state
    active, outside = "wh40k.turn.sequencing-active-player", "wh40k.turn.sequencing-roll-off"
    rule = active if state.phase in PHASES else outside
    if len(units) < 2 or not state.applies(rule):
        return list(units)
    side = state.active if rule == active else roll_off(battle)
    options = [Option(u.id, None, (u.id,)) for u in units]
    keys = yield Order(side, Text("ask.order-harmed"), options, rule)
    battle.emit("ordered", rule, side=Text(f"side.{side}"), count=len(keys))
    return [state.unit(key) for key in keys]


def destroyed(battle: WhBattle, unit: Unit, by: str) -> None:
    """wh40k.unit.destroyed-by: whose deed it was; "" if nobody's (wh40k.unit.destroyed-otherwise)."""
    state = battle.state
    unit.where = "gone"
    if not by and not state.applies("wh40k.unit.destroyed-otherwise"):
        by = "enemy"
    unit.by = by
    if unit.action:
        unit.action = unit.until = ""
    effects.drop(state, unit.id)
    rule = "wh40k.unit.destroyed-by" if by else "wh40k.unit.destroyed-otherwise"
    battle.emit("destroyed", rule, unit=unit.id, by=by)


def heal(battle: WhBattle, unit: Unit, count: int, *rules: str) -> None:
    """Wounds come back to the model that has lost some, never above its characteristic."""
    for model in unit.models:
        full = unit.sheet.row(model.row).w
        if model.wounds < full:
            gained = min(count, full - model.wounds)
            replace_model(unit, msgspec.structs.replace(model, wounds=model.wounds + gained))
            battle.emit("healed", *rules, unit=unit.id, model=model.id, wounds=gained)
            return
