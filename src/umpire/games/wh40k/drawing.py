"""What is left to the dice before the battle: warlord traits, powers, pre-battle choices (army.muster.random)."""

from __future__ import annotations

from umpire.engine.steps import Steps, step
from umpire.games.wh40k import content
from umpire.games.wh40k.abilities import bears_aura
from umpire.games.wh40k.detachments import TYPES
from umpire.games.wh40k.dice import d66
from umpire.games.wh40k.mustering import INSPIRING_LEADER, RANDOM
from umpire.games.wh40k.profiles import Ability
from umpire.games.wh40k.state import Unit, WhBattle
from umpire.text import Text

RULE = "wh40k.army.muster.random"


@step
def random_choices(battle: WhBattle) -> Steps[None]:
    """Rolled in front of both players when the mission is known, and written down at once."""
    state = battle.state
    for n, side in enumerate(state.sides):
        battle.emit(
            "roster", "wh40k.army.muster.steps", "wh40k.army.cp.starting", side=Text(f"side.{n}"), points=side.points,
            cp=side.cp,
        )  # fmt: skip
        for name in side.detachments:
            if name in TYPES:
                rules = (TYPES[name].rule, "wh40k.detachment.cost-and-benefit")
                battle.emit("detachment", *rules, side=Text(f"side.{n}"), name=Text(f"detachment.{name}"))
    for unit in state.units.values():
        for what in unit.pending:
            draw(battle, unit, what)
        unit.pending = ()
    state.bearers = tuple(unit.id for unit in state.units.values() if bears_aura(unit))
    return
    yield


def draw(battle: WhBattle, unit: Unit, what: str) -> None:
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
