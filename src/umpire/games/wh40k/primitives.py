"""What powers, stratagems and abilities do, written as data: a few deeds, and special rules given for a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from umpire.engine.steps import Steps
from umpire.errors import fault, unknown
from umpire.games.wh40k.abilities import CONDITIONS, HOOKS, NUMBERS, ROLLS, give
from umpire.games.wh40k.characteristics import strength_for_tests
from umpire.games.wh40k.damage import heal, random_mortal_wounds
from umpire.games.wh40k.dice import rolled
from umpire.games.wh40k.profiles import Ability, Does, amount
from umpire.games.wh40k.state import Unit, WhBattle
from umpire.miniatures import checks

STRENGTH = "strength"
"""Who is harmed only if a die shows more than its Strength."""
DEEDS = ("mortal", "heal", "gain-cp", "shoot-now", "fight-now", "redeploy", "replace", "return", "merge", "summon")
"""What is done at once; everything else is a special rule that lasts for a while."""
NEAR = "near-enemies"
"""All enemies within so many inches are harmed."""
SUBJECTS = {
    "wound-limit": ("", "phase", "turn", "round", "battle"),
    "shoot-now": ("", "model", "weapon"),
    "fight-now": ("", "model"),
    "mortal": ("", STRENGTH, NEAR),
}
"""What some special rules are about."""
TRAIT = "inspiring-leader"
"""The book's own trait, which says what it does; whoever spells out what a trait of that name does has spelt it out,
and does not have the book's as well."""


def carry_out(
    battle: WhBattle, side: int, source: Unit | None, target: Unit | None, does: Sequence[Does], until: str, name: str,
    rule: str,
) -> Steps[None]:  # fmt: skip
    """Do what is to be done now, and give the rest to the target for a time."""
    state = battle.state
    lasting = [entry for entry in does if entry.name not in DEEDS]
    if lasting and target is not None:
        give(state, target, lasting, name, until, side)
        battle.emit("given", rule, unit=target.id, rules=[entry.name for entry in lasting])
    for entry in does:
        if entry.name in DEEDS:
            yield from deed(battle, side, source, target, entry, rule)


def deed(battle: WhBattle, side: int, source: Unit | None, target: Unit | None, entry: Does, rule: str) -> Steps[None]:
    from umpire.games.wh40k import again, forces, returning
    from umpire.games.wh40k.stratagems import gain_points

    by = source.id if source is not None else ""
    match entry.name:
        case "gain-cp":
            gain_points(battle, side, amount(entry.amount).most, rule)
        case "summon":
            yield from forces.summon(battle, side, entry.what)
        case _ if target is None or target.where != "table":
            return
        case "mortal":
            if entry.what == STRENGTH:
                harmed = _overpowered(battle, side, target)
            else:
                harmed = not entry.value or _passed(battle, side, target, entry, rule)
            if harmed:
                yield from random_mortal_wounds(battle, target, str(entry.amount), by or "stratagem", side, rule)
        case "heal":
            count = yield from rolled(battle, amount(entry.amount), "heal", rule, side, target.id)
            heal(battle, target, count, rule)
        case "shoot-now":
            again.shoot_again(battle, target, entry.what)
        case "fight-now":
            yield from again.fight_again(battle, target, entry.what)
        case "merge":
            forces.merge(battle, target)
        case "return":
            count = yield from rolled(battle, amount(entry.amount), "return", rule, side, target.id)
            yield from returning.return_models(battle, target, count, rule)
        case "redeploy" | "replace":
            yield from returning.redeploy(battle, target, entry.name == "replace", rule)


def _overpowered(battle: WhBattle, side: int, target: Unit) -> bool:
    """A test of Strength: more than the unit has, and it is harmed; what has no Strength is tested on its Toughness."""
    state = battle.state
    model = target.models[0]
    own = strength_for_tests(state, target, model)
    cite = "wh40k.dice.target-number" if target.row(model).s else "wh40k.unit.no-strength-use-toughness"
    return battle.roll(1, "ability", cite, side=side, who=target.id, need=own + 1).faces[0] > own


def _passed(battle: WhBattle, side: int, target: Unit, entry: Does, rule: str) -> bool:
    cite = "wh40k.dice.target-number"
    return battle.roll(1, "ability", cite, side=side, who=target.id, need=int(entry.value)).faces[0] >= entry.value


for _name in DEEDS:
    HOOKS.special(_name, "wh40k.core.precedence-faction")


def check_abilities(abilities: Iterable[Ability], where: str) -> None:
    """Abilities that are written out."""
    for n, ability in enumerate(abilities):
        if not ability.does and ability.id != TRAIT:
            raise fault("error.wh40k.does-nothing", f"{where}[{n}]", ability=ability.id)
        check_does(ability.does, f"{where}[{n}].does")


def check_does(does: Iterable[Does], where: str, sheets: Iterable[str] | None = None) -> None:
    """Deeds and special rules that there are, about something that there is; datasheets are those of an army book, or
    all."""
    from umpire.games.wh40k.content import datasheets
    from umpire.games.wh40k.moments import DUE

    for entry in does:
        if entry.name not in HOOKS.known:
            raise unknown("special-rule", entry.name, where, sorted(HOOKS.known))
        if entry.name in ("modify", "burden"):
            checks.among("number", entry.what, NUMBERS, f"{where}.what")
        elif entry.name == "reroll":
            checks.among("roll", entry.what, ROLLS, f"{where}.what")
        elif entry.name == "summon":
            checks.among("datasheet", entry.what, datasheets() if sheets is None else sheets, f"{where}.what")
        elif entry.name in SUBJECTS:
            checks.among("special-rule", entry.what, SUBJECTS[entry.name], f"{where}.what")
        if entry.aura:
            raise unknown("rule", entry.aura, f"{where}.aura")
        if entry.when:
            checks.among("moment", entry.when, DUE if entry.name in DEEDS else CONDITIONS, f"{where}.when")
