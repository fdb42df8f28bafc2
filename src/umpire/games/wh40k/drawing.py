"""What is left to the dice before the battle: warlord traits, powers, pre-battle choices (army.muster.random)."""

from __future__ import annotations

from collections.abc import Sequence

from umpire.engine.steps import Steps, step
from umpire.games.wh40k import content
from umpire.games.wh40k.abilities import bears_aura
from umpire.games.wh40k.detachments import BENEFITS, TYPES
from umpire.games.wh40k.dice import d66
from umpire.games.wh40k.mustering import COPIES, EXEMPT, INSPIRING_LEADER, RANDOM
from umpire.games.wh40k.profiles import Ability
from umpire.games.wh40k.state import Unit, WhBattle
from umpire.text import Text

RULE = "wh40k.army.muster.random"


@step
def random_choices(battle: WhBattle) -> Steps[None]:
    """Rolled in front of both players when the mission is known, and written down at once."""
    state = battle.state
    for n, side in enumerate(state.sides):
        rules = ("wh40k.army.muster.steps", "wh40k.army.cp.starting")
        battle.emit("roster", *rules, side=Text(f"side.{n}"), points=side.points, cp=side.cp)
        tell_army(battle, n, [unit for unit in state.units.values() if unit.side == n])
    for unit in state.units.values():
        for what in unit.pending:
            draw(battle, unit, what)
        unit.pending = ()
    state.bearers = tuple(unit.id for unit in state.units.values() if bears_aura(unit))
    return
    yield


def tell_army(battle: WhBattle, side: int, units: Sequence[Unit]) -> None:
    """What the roster came to: points, Power Level, factions, detachments with their abilities."""
    state = battle.state
    who = Text(f"side.{side}")
    armed = any(m.weapons != u.row(m).weapons for u in units for m in u.models)
    rules = ["wh40k.unit.points-total", *(["wh40k.unit.points-final-wargear"] if armed else [])]
    if any(u.row(m).champion for u in units for m in u.models):
        rules.append("wh40k.unit.unit-champion")
    battle.emit("points", *rules, side=who, units=len(units), points=sum(u.points for u in units))
    battle.emit("power-level", "wh40k.unit.power-rating", side=who, power=sum(u.power for u in units))
    with content.LIBRARY.opened(battle.setup):
        known = content.factions()
    books = {u.sheet.faction: book for u in units if (book := known.get(u.sheet.faction)) is not None}
    if books:
        rules = ["wh40k.army.faction.unit", "wh40k.army.faction.army"]
        if len(books) > 1:
            rules[1] = "wh40k.army.faction.allies"
        if any("unaligned" in u.sheet.factions for u in units):
            rules.append("wh40k.army.faction.unaligned")
        battle.emit("factions", *rules, side=who, factions=[book.name for book in books.values()])
    for n, name in enumerate(state.sides[side].detachments):
        kind = TYPES.get(name)
        mine = [u for u in units if u.detachment == n]
        if kind is None or not mine:
            continue
        drilled = any(books[u.sheet.faction].detachment in u.gifts for u in mine if u.sheet.faction in books)
        rules = [kind.rule, *(["wh40k.detachment.abilities"] if drilled else [])]
        rules.append("wh40k.detachment.cost-and-benefit" if kind.abilities else "wh40k.detachment.abilities.excluded")
        if name == "supreme-command" and any(other in BENEFITS for other in state.sides[side].detachments):
            rules[-1] = "wh40k.detachment.supreme-command.benefit"
        battle.emit("mustered", *rules, side=who, detachment=Text(f"detachment.{name}"), units=[u.id for u in mine])
    kinds = [u.sheet.id for u in units if u.sheet.role in EXEMPT]
    if any(kinds.count(sheet) > COPIES.get(state.size, len(kinds)) for sheet in dict.fromkeys(kinds)):
        battle.emit("many-alike", "wh40k.army.muster.datasheet-limit.exempt", side=who)


def draw(battle: WhBattle, unit: Unit, what: str) -> None:
    with content.LIBRARY.opened(battle.setup):
        book = content.factions().get(unit.sheet.faction)
    if what == RANDOM + "-power":
        known = [p for p, entry in battle.state.lore.powers.items() if entry.faction == unit.sheet.faction]
        left = [power for power in known if power not in unit.powers]
        if not left:
            return
        power = left[pick(battle, unit, len(left))]
        at = unit.powers.index(RANDOM)
        unit.powers = (*unit.powers[:at], power, *unit.powers[at + 1 :])
        battle.emit("drawn", RULE, unit=unit.id, what=battle.state.lore.powers[power].name)
        return
    found: tuple[Ability, ...] = unit.sheet.pregame
    if what == RANDOM + "-trait":
        found = (INSPIRING_LEADER, *(book.traits if book is not None else ()))
    if not found:
        return
    ability = found[pick(battle, unit, len(found))]
    unit.gifts = (*unit.gifts, ability)
    battle.emit("drawn", RULE, unit=unit.id, what=ability.name)


def pick(battle: WhBattle, unit: Unit, count: int) -> int:
    """wh40k.dice.d66: two dice in order are one of 36 numbers; those that would favour somebody are rolled again."""
    fair = 36 - 36 % count
    while True:
        faces = battle.roll(2, "choice", "wh40k.dice.d66", side=unit.side, who=unit.id).faces
        tens, units = divmod(d66(faces), 10)
        number = (tens - 1) * 6 + units - 1
        if number < fair:
            return number % count
