"""Magic: casting, unbinding, chanting, banishing, manifestations (aos.magic.*, aos.core.spell-casting and on)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence

from umpire.engine import usage
from umpire.engine.decisions import Choose, Option, pick
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.engine.windows import PASS
from umpire.games.aos.abilities import may_use, note, objections, use_ability
from umpire.games.aos.damage import halved, leave, mortal
from umpire.games.aos.known_abilities import (
    Ability,
    AosBattle,
    effect_of,
    find,
    is_spell,
    of_others,
    own_abilities,
    title,
    used,
)
from umpire.games.aos.numbers import roll_modifiers
from umpire.games.aos.profiles import AbilityData
from umpire.games.aos.state import State, Unit, Use
from umpire.miniatures.loose.groups import unit_gap, units_near
from umpire.text import Text

REACH = 30.0


def power_level(unit: Unit) -> int:
    """aos.core.magic-power-level: the number after Wizard or Priest."""
    return max(unit.profile.wizard, unit.profile.priest)


def wizard_level(unit: Unit) -> int:
    """A Hero that a place of power has empowered may unbind and banish as if it had Wizard (1)."""
    return unit.profile.wizard or int(unit.empowered)


def power_objections(state: State, unit: Unit) -> Iterator[Reason]:
    level = max(power_level(unit), wizard_level(unit))
    if unit.power >= level:
        facts = {"unit": unit.id, "level": level, "used": unit.power}
        yield Reason("aos.core.magic-power-level", "reason.aos.power", facts)


def spell_objections(data: AbilityData, summons: str) -> Callable[[State, Unit], Iterator[Reason]]:
    """Who may cast a spell or chant a prayer."""

    def eligible(state: State, unit: Unit) -> Iterator[Reason]:
        side = state.sides[unit.side]
        own = any(a.id == data.id for a in unit.profile.abilities)
        prayer = data.prayer
        level = unit.profile.priest if prayer else unit.profile.wizard
        if not level or not (own or data.id in side.prayers + side.spells + side.summons):
            yield Reason("aos.core.known-spells", "", {"unit": unit.id})
        yield from power_objections(state, unit)
        if unit.miscast and data.spell:
            yield Reason("aos.core.miscast", "reason.aos.miscast", {"unit": unit.id})
        if not data.unlimited and usage.count(state, data.id, "turn", unit.side):
            facts = {"unit": unit.id, "ability": data.name}
            yield Reason("aos.core.spell-unique", "reason.aos.tried", facts)
        if summons and not dormant(state, unit.side, summons):
            yield Reason("aos.core.manifestations", "reason.aos.summoned", {"unit": unit.id})

    return eligible


def dormant(state: State, side: int, scroll: str) -> Unit | None:
    """A manifestation of the army that is not on the battlefield."""
    for unit in state.units.values():
        if unit.side == side and unit.profile.id == scroll and unit.where == "reserve":
            return unit
    return None


def magic_modifier(state: State, unit: Unit, use: Use, what: str) -> int:
    """Places of power give +1, Magical Intervention -1, and abilities theirs."""
    total = sum(m for m, _ in roll_modifiers(state, unit, what))
    return total - 1 if "intervention" in use.notes else total


def miscasts(faces: Sequence[int]) -> bool:
    """aos.core.miscast: two dice that show 1, whatever is added."""
    return faces.count(1) >= 2


def cast(battle: AosBattle, use: Use, data: AbilityData) -> bool:
    """aos.core.spell-casting: the casting roll is made in the declare step; below the value the spell fails."""
    state = battle.state
    unit = state.unit(use.unit)
    unit.power += 1
    usage.spend(state, data.id, "turn", unit.side)
    roll = battle.roll(2, "cast", "aos.core.spell-casting", side=unit.side, who=unit.id, need=data.value)
    modifier = magic_modifier(state, unit, use, "cast")
    roll.modify(modifier, "cast")
    use.dice, use.roll = tuple(roll.faces), max(1, roll.total)
    if miscasts(roll.faces):
        unit.miscast = True
        battle.emit("miscast", "aos.core.miscast", unit=unit.id)
        mortal(battle, unit, "D3", "aos.core.miscast")
        return False
    made = use.roll >= data.value
    battle.emit(
        "cast" if made else "cast-fails",
        "aos.core.spell-casting",
        unit=unit.id,
        spell=data.name,
        roll=use.roll,
        value=data.value,
    )
    return made


def chant(battle: AosBattle, use: Use, data: AbilityData) -> Steps[bool]:
    """aos.core.prayer-chanting: keep the roll as ritual points, or add the points to it to have the prayer answered."""
    state = battle.state
    unit = state.unit(use.unit)
    unit.power += 1
    usage.spend(state, data.id, "turn", unit.side)
    rule = "aos.core.prayer-chanting"
    roll = battle.roll(1, "chant", rule, side=unit.side, who=unit.id)
    modifier = magic_modifier(state, unit, use, "chant")
    roll.modify(modifier, "chant")
    total = max(1, roll.total)
    use.dice, use.roll = tuple(roll.faces), total
    if roll.faces[0] == 1:
        lost = min(unit.ritual, halved(battle.roll(1, "ritual-lost", rule, side=unit.side, who=unit.id).faces[0]))
        unit.ritual -= lost
        battle.emit("chant-fails", rule, unit=unit.id, prayer=data.name, lost=lost, ritual=unit.ritual)
        return False
    if total < 2:
        battle.emit("chant-nothing", rule, "aos.command.magical-intervention", unit=unit.id, prayer=data.name)
        return False
    reach = total + unit.ritual
    options = [
        Option("keep", Text("option.keep-ritual", {"points": total})),
        Option("answer", Text("option.answer-prayer", {"total": reach, "value": data.value})),
    ]
    choice = yield Choose(
        unit.side, Text("ask.chant", {"unit": unit.id, "roll": total, "ritual": unit.ritual}), options, rule, unit.id
    )
    if choice == "keep":
        unit.ritual += total
        battle.emit("ritual", rule, unit=unit.id, points=total, ritual=unit.ritual)
        return False
    answered = reach >= data.value
    if answered:
        unit.ritual = 0
    battle.emit(
        "answered" if answered else "unanswered", rule, unit=unit.id, prayer=data.name, total=reach, value=data.value
    )
    return answered


# -- Unbind ------------------------------------------------------------------------------------------------------


def can_unbind(state: State, use: Use, unit: Unit) -> bool:
    """A friendly Wizard within 30 inches of the enemy Wizard; one attempt against one casting roll."""
    if use.side == unit.side or not used(state, use).has("spell") or "unbind-tried" in use.notes:
        return False
    level = wizard_level(unit)
    limited = state.applies("aos.core.unbind-limit")
    return (level > unit.unbinds if limited else level > 0) and units_near(unit, state.unit(use.unit), REACH)


def unbind_modifier(state: State, unit: Unit) -> int:
    return sum(m for m, _ in roll_modifiers(state, unit, "unbind"))


def unbinds(total: int, casting: int) -> bool:
    return max(1, total) >= casting


@effect_of(
    Ability(
        "unbind",
        "aos.magic.unbind",
        keywords=("unbind",),
        again=True,
        trigger=can_unbind,
        rules=("aos.core.unbind-limit",),
    )
)
def unbind(battle: AosBattle, use: Use) -> None:
    state = battle.state
    spell = state.use
    unit = state.unit(use.unit)
    unit.unbinds += 1
    note(spell, "unbind-tried")
    roll = battle.roll(2, "unbind", "aos.magic.unbind", side=unit.side, who=unit.id, need=spell.roll)
    roll.modify(unbind_modifier(state, unit), "unbind")
    unbound = unbinds(roll.total, spell.roll)
    if unbound:
        note(spell, "unbound")
    battle.emit(
        "unbound" if unbound else "not-unbound",
        "aos.magic.unbind",
        "aos.core.unbind-limit",
        unit=unit.id,
        roll=roll.total,
        value=spell.roll,
    )


# -- Banish Manifestation ----------------------------------------------------------------------------------------


def banishable(state: State, unit: Unit) -> list[Unit]:
    return [
        u
        for u in state.units.values()
        if u.profile.kind == "manifestation"
        and u.where == "table"
        and not u.banish_tried
        and units_near(unit, u, REACH)
    ]


def banish_objections(state: State, unit: Unit, key: str) -> Iterator[Reason]:
    """Why this is nothing that the unit could banish."""
    other = state.units.get(key)
    if other is None:
        return
    rule = "aos.magic.banish"
    if other.where != "table":
        yield Reason(rule, "reason.aos.not-on-table", {"unit": key})
    elif other.profile.kind != "manifestation":
        yield Reason(rule, "reason.aos.is-no-manifestation", {"unit": key})
    elif other.banish_tried:
        yield Reason(rule, "reason.aos.banish-tried", {"unit": key})
    elif not units_near(unit, other, REACH):
        facts = {"target": key, "gap": round(unit_gap(unit, other), 3), "range": REACH}
        yield Reason(rule, "reason.aos.out-of-range", facts)


def may_banish(unit: Unit) -> bool:
    return unit.empowered or power_level(unit) > 0


def why_not_banish(state: State, unit: Unit) -> Iterator[Reason]:
    if not may_banish(unit):
        yield Reason("aos.magic.banish", "reason.aos.no-wizard", {"unit": unit.id})
    yield from power_objections(state, unit)
    if not banishable(state, unit):
        yield Reason("aos.magic.banish", "reason.aos.no-manifestation", {"unit": unit.id})


def banishing_roll(battle: AosBattle, use: Use) -> Steps[bool]:
    state = battle.state
    unit = state.unit(use.unit)
    unit.power += 1
    there = [u.id for u in banishable(state, unit)]
    why_not = functools.partial(banish_objections, state, unit)
    prompt = Text("ask.banish", {"unit": unit.id})
    target = state.unit((yield from pick(unit.side, prompt, there, "aos.magic.banish", unit.id, why_not)))
    target.banish_tried = True
    use.targets = (target.id,)
    roll = battle.roll(2, "banish", "aos.magic.banish", side=unit.side, who=unit.id, need=target.profile.banishment)
    use.roll = roll.total
    return True


@effect_of(
    Ability(
        "banish",
        "aos.magic.banish",
        "hero",
        keywords=("banish",),
        eligible=why_not_banish,
        could=may_banish,
        declare=banishing_roll,
    )
)
def banish(battle: AosBattle, use: Use) -> None:
    target = battle.state.unit(use.targets[0])
    done = use.roll >= target.profile.banishment
    battle.emit(
        "banished" if done else "not-banished",
        "aos.magic.banish",
        "aos.core.magic-power-level",
        unit=use.unit,
        target=target.id,
        roll=use.roll,
        value=target.profile.banishment,
    )
    if done:
        leave(battle, target, "aos.magic.banish", "aos.core.manifestations")


# -- Magical Intervention ----------------------------------------------------------------------------------------


def interventions(state: State, unit: Unit) -> Iterator[Ability]:
    """Spells and prayers that it could use as if it were its own hero phase; not Banish Manifestation."""
    for ability in own_abilities(state, unit, "hero"):
        if (ability.has("spell") or ability.has("prayer")) and may_use(state, unit.side, ability, unit, ("as-own",)):
            yield ability


def why_not_intervene(state: State, unit: Unit) -> Iterator[Reason]:
    if not power_level(unit) or next(interventions(state, unit), None) is None:
        yield Reason("aos.command.magical-intervention", "", {"unit": unit.id})


@effect_of(
    Ability(
        "magical-intervention", "aos.command.magical-intervention", "hero", "enemy", cost=1, eligible=why_not_intervene
    )
)
def intervene(battle: AosBattle, use: Use) -> Steps[None]:
    state = battle.state
    unit = state.unit(use.unit)
    found = list(interventions(state, unit))
    options = [Option(a.id, Text("option.ability", {"ability": a.name, "unit": unit.id}), (), (a.rule,)) for a in found]
    options.append(Option(PASS, Text("option.cast-nothing"), passes=True))

    def refuse(wish: str) -> list[Reason]:
        ability = find(state, wish, unit.id) or of_others(state, wish)
        if ability is None:
            return [Reason("aos.core.known-spells", "", {"unit": unit.id})] if is_spell(wish) else []
        if not (ability.has("spell") or ability.has("prayer")):
            return [Reason("aos.command.magical-intervention", "reason.aos.no-magic", {"ability": title(ability)})]
        if ability not in own_abilities(state, unit):
            return [Reason("aos.core.known-spells", "", {"unit": unit.id})]
        return list(objections(state, unit.side, ability, unit, ("as-own",)))

    key = yield Choose(
        unit.side, Text("ask.spell", {"unit": unit.id}), options, "aos.command.magical-intervention", unit.id, refuse
    )
    if key == PASS:
        return
    battle.push(use_ability, use.side, key, use.unit, ("as-own", "intervention"))
