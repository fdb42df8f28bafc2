"""Weapons: types, how many attacks, what the types do to the hit roll (shoot.types, shoot.heavy, shoot.blast-*)."""

from __future__ import annotations

from umpire.engine.effects import Effect, Op
from umpire.engine.steps import Steps
from umpire.games.wh40k.abilities import HOOKS, Asking, ceil, changed, rerolls
from umpire.games.wh40k.dice import read, standing_roll
from umpire.games.wh40k.profiles import Profile, Weapon, amount
from umpire.games.wh40k.state import Group, Model, State, Unit, WhBattle
from umpire.games.wh40k.units import keyword
from umpire.miniatures.amounts import Amount

BLAST = "blast"
FEW, MANY = 6, 11
"""Blast: from so many models on at least 3 attacks, and from so many on all it could make."""
MOVES = ("normal", "advance", "fall-back")
MOVED = ("disembarked", "arrived", "redeployed", "charged", "intervened", "closed-in")


def ranged(unit: Unit, model: Model) -> list[Weapon]:
    """Its ranged weapons; a model without Ballistic Skill cannot shoot (wh40k.unit.zero-skill)."""
    return [weapon for key in model.weapons if not (weapon := unit.sheet.weapon(key)).melee]


def is_blast(state: State, profile: Profile) -> bool:
    """wh40k.shoot.blast-definition: only what says so; a random number of attacks alone is not enough."""
    if not state.applies("wh40k.shoot.blast-definition"):
        return amount(profile.attacks).random
    return profile.has(BLAST)


def has_moved(unit: Unit) -> bool:
    """Any kind of move counts, and so does having been set up this turn (wh40k.shoot.heavy)."""
    return unit.move in MOVES or any(mark in MOVED for mark in unit.marks)


def large(unit: Unit, model: Model) -> bool:
    """Big Guns Never Tire is for Vehicles and Monsters."""
    return keyword(unit, model, "vehicle") or keyword(unit, model, "monster")


def type_modifiers(state: State, unit: Unit, model: Model, profile: Profile) -> list[tuple[int, str]]:
    """What the type of a weapon does to the hit rolls of this model."""
    found: list[tuple[int, str]] = []
    rushed = profile.type == "assault" and unit.move == "advance" and state.applies("wh40k.shoot.assault")
    if rushed:
        free = HOOKS.granted(state, unit, "assault-free")
        found.append((0, free) if free else (-1, "wh40k.shoot.assault"))
    if profile.type == "heavy" and has_moved(unit) and state.applies("wh40k.shoot.heavy"):
        own = keyword(unit, model, "infantry") if state.applies("wh40k.unit.keyword-mixed") else unit.has("infantry")
        if own or not state.applies("wh40k.shoot.heavy-non-infantry"):
            found.append((-1, "wh40k.shoot.heavy"))
        else:
            mixed = unit.has("infantry")
            found.append((0, "wh40k.unit.keyword-mixed" if mixed else "wh40k.shoot.heavy-non-infantry"))
    return found


def size_of(state: State, group: Group) -> int:
    """wh40k.shoot.simultaneous: what was counted when targets were chosen holds until all is resolved."""
    return group.size if state.applies("wh40k.shoot.simultaneous") else len(state.unit(group.target).models)


def blast_number(state: State, rolled: int, most: int, size: int) -> tuple[int, str]:
    """wh40k.shoot.blast-6-10 and blast-11: the total of one weapon against a unit of so many models, and the rule."""
    if size >= MANY and state.applies("wh40k.shoot.blast-11"):
        return most, "wh40k.shoot.blast-11"
    if size >= FEW and rolled < 3 and state.applies("wh40k.shoot.blast-6-10"):
        return min(3, most), "wh40k.shoot.blast-6-10"
    return rolled, ""


def number_of_attacks(battle: WhBattle, unit: Unit, group: Group, profile: Profile) -> Steps[int]:
    """wh40k.shoot.number-of-attacks: random ones are rolled for each weapon, after targets were declared."""
    state = battle.state
    if profile.melee:
        return group.number
    text = amount(profile.attacks)
    factor = 2 if group.double else 1
    if group.double:
        battle.emit("rapid-fire", "wh40k.shoot.rapid-fire", unit=unit.id, weapon=group.weapon)
    target = state.unit(group.target)
    if not text.random:
        return changed_attacks(state, text.plus * factor, unit, target, profile) * group.number
    blast = is_blast(state, profile)
    if blast and size_of(state, group) >= MANY and state.applies("wh40k.shoot.blast-11"):
        battle.emit("blast", "wh40k.shoot.blast-11", unit=unit.id, weapon=group.weapon, attacks=text.most)
        return changed_attacks(state, text.most * factor, unit, target, profile) * group.number
    rule = "wh40k.shoot.number-of-attacks"
    roll = battle.roll(text.dice * group.number, "attacks", rule, side=unit.side, who=unit.id)
    query = Asking(state, "attacks", 0, unit, None, target, profile)
    given = rerolls(query, "attacks")
    roll = yield from standing_roll(
        battle, roll, given, [face <= 2 for face in roll.faces], text.sides == 3, each=text.dice
    )
    total = 0
    for n in range(group.number):
        faces = roll.faces[n * text.dice : (n + 1) * text.dice]
        each = read(faces, text)
        if blast:
            each = _blasted(battle, unit, group, each, text)
        total += changed_attacks(state, each * factor, unit, target, profile)
    return total


def changed_attacks(state: State, number: int, unit: Unit, target: Unit, profile: Profile) -> int:
    """A weapon's number of attacks after what abilities add, which comes when it has been doubled."""
    change = changed(Asking(state, "attacks", number, unit, None, target, profile))
    return max(1, ceil(change.total)) if change.changes else number


def _blasted(battle: WhBattle, unit: Unit, group: Group, rolled: int, text: Amount) -> int:
    number, rule = blast_number(battle.state, rolled, text.most, size_of(battle.state, group))
    if rule:
        more = ("wh40k.shoot.blast-total",) if text.dice > 1 else ()
        battle.emit("blast", rule, *more, unit=unit.id, weapon=group.weapon, attacks=number)
    return number


def might(unit: Unit, profile: Profile) -> tuple[Effect, ...]:
    """What a melee weapon makes of its bearer's Strength."""
    text = profile.s
    if text == "user" or text.isdigit():
        return ()
    op: Op = "multiply" if text.startswith("x") else "add"
    value = float(text.removeprefix("x"))
    return (Effect(unit.id, "s", op, value, "wh40k.unit.weapon-profile", stacks=True),)


def strength(text: str, user: int) -> int:
    """The strength of an attack: its own, the bearer's, or the bearer's and more."""
    if text == "user":
        return user
    if text[0] in "+-":
        return user + int(text)
    if text.startswith("x"):
        return user * int(text[1:])
    return int(text)
