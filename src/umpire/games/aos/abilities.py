"""Abilities: the one way in which anything is done. Timing, limits, declare, reactions, effect (aos.ability.*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain

from umpire.engine import usage
from umpire.engine.decisions import Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, outcome, step
from umpire.engine.windows import window
from umpire.games.aos.known_abilities import (
    CORE,
    REACTION,
    Ability,
    AosBattle,
    find,
    is_spell,
    of_others,
    own_abilities,
    title,
    used,
)
from umpire.games.aos.measures import measured
from umpire.games.aos.state import State, Unit, Use
from umpire.text import Text

GENERAL = "aos.core.ability-general"


def side_name(side: int) -> Text:
    """A player, or nobody (-1), as texts name them."""
    return Text(f"side.{side}")


def _own(state: State, unit: Unit) -> dict[str, list[Ability]]:
    """The abilities that a unit has of its own, by their phases."""
    return unit.lasting("own", state.without, partial(_by_phase, state, unit))


def _by_phase(state: State, unit: Unit) -> dict[str, list[Ability]]:
    found: dict[str, list[Ability]] = {}
    for ability in own_abilities(state, unit):
        found.setdefault(ability.phase, []).append(ability)
    return found


def _at_hand(state: State, side: int) -> list[tuple[Unit, list[Ability]]]:
    """The units of a side on the table that have abilities of their own in this phase."""
    kept, phase = state.kept(), state.phase
    found: list[tuple[Unit, list[Ability]]] | None = kept.get(("at hand", side, phase))
    if found is None:
        having = [(unit, _own(state, unit).get(phase)) for unit in state.army(side)]
        found = kept["at hand", side, phase] = [(unit, own) for unit, own in having if own]
    return found


# -- who may use what --------------------------------------------------------------------------------------------


def timely(state: State, side: int, ability: Ability) -> bool:
    """Is this ability's phase now, and does its timing fit this player?"""
    if ability.phase != state.phase:
        return False
    return ability.whose == "any" or (ability.whose == "your") == (side == state.active)


def untimely(state: State, ability: Ability) -> Reason:
    """It is another phase, or another player's turn."""
    facts = {
        "ability": title(ability),
        "its": Text(f"phase.{ability.phase}"),
        "now": Text(f"phase.{state.phase}"),
        "player": side_name(state.active),
    }
    return Reason("aos.round.phases", f"reason.aos.timing-{ability.whose}", facts)


def objections(state: State, side: int, ability: Ability, unit: Unit, notes: tuple[str, ...] = ()) -> Iterator[Reason]:
    """Every reason why this unit may not use this ability now."""
    if not ability.reaction and "as-own" not in notes and not timely(state, side, ability):
        yield untimely(state, ability)
    if unit.where != "table":
        yield Reason("aos.core.ability-general", "reason.aos.not-on-table", {"unit": unit.id})
    if unit.side != side:
        yield Reason("aos.core.friendly-enemy", "", {"unit": unit.id})
    if unit.profile.kind != "unit" and not _counts(unit, ability):
        rule = "aos.core.manifestations" if unit.profile.kind == "manifestation" else "aos.core.faction-terrain"
        yield Reason(rule, "", {"unit": unit.id})
    if unit.core and ability.has("core"):
        yield Reason("aos.ability.one-core", "reason.aos.one-core", {"unit": unit.id})
    if ability.id in unit.used_phase and not ability.again:
        facts = {"unit": unit.id, "ability": title(ability)}
        yield Reason("aos.core.rules-of-one", "reason.aos.used", facts)
    if ability.cost:
        if state.sides[side].command < ability.cost:
            facts = {"points": state.sides[side].command, "cost": ability.cost}
            yield Reason("aos.command.cost", "", facts)
        if unit.commanded:
            yield Reason("aos.command.limits", "reason.aos.commanded", {"unit": unit.id})
        if usage.count(state, ability.id, "phase", side):
            yield Reason("aos.command.limits", "reason.aos.command-used", {"ability": Text(f"ability.{ability.id}")})
    if ability.per and _used_up(state, side, ability, unit):
        yield Reason("aos.core.once-per", "", {"unit": unit.id})
    if unit.arrived and state.phase == "movement" and ability.has("move"):
        yield Reason("aos.core.set-up", "reason.aos.arrived", {"unit": unit.id})
    for effect in state.effects:
        if effect.on == unit.id and effect.op == "forbid" and effect.what in ability.keywords:
            yield Reason("aos.core.cannot-wins", "", {"unit": unit.id})
    if unit.models:  # of a unit that is destroyed nothing can be measured
        yield from ability.eligible(state, unit)


def _counts(unit: Unit, ability: Ability) -> bool:
    """aos.core.manifestations: with weapons they may fight and shoot, with a Move above 0 use Core Move abilities."""
    if ability.data is not None and any(data is ability.data for data in unit.profile.abilities):
        return True
    if ability.cost or unit.profile.kind != "manifestation":
        return False
    if ability.has("attack"):
        return bool(unit.profile.weapons)
    return ability.has("core") and ability.has("move") and unit.profile.move > 0


def _used_up(state: State, side: int, ability: Ability, unit: Unit | None) -> bool:
    """aos.core.once-per: a limit on the unit, or with (Army) on the whole army, or on the player."""
    if ability.army or unit is None:
        return usage.count(state, ability.id, ability.per, side) > 0
    used = {"phase": unit.used_phase, "turn": unit.used_turn, "battle": unit.used_battle}.get(ability.per)
    return ability.id in used if used is not None else usage.count(state, ability.id, ability.per, unit.id) > 0


def may_use(state: State, side: int, ability: Ability, unit: Unit, notes: tuple[str, ...] = ()) -> bool:
    if state.without:
        return next(standing(state, objections(state, side, ability, unit, notes)), None) is None
    if ability.could is not None and not ability.could(unit):
        return False
    return next(objections(state, side, ability, unit, notes), None) is None


def player_objections(state: State, side: int, ability: Ability) -> Iterator[Reason]:
    if not timely(state, side, ability):
        yield untimely(state, ability)
    if ability.per and _used_up(state, side, ability, None):
        times = usage.count(state, ability.id, ability.per, side)
        yield Reason("aos.core.once-per", "", {"ability": title(ability), "used": times})
    if ability.player is not None:
        yield from ability.player(state, side)


Wish = tuple[Ability, Unit | None]
"""An ability, and the unit that would use it; nobody, where the player does."""


@lru_cache(maxsize=256)
def _of_phase(phase: str, others: str, without: tuple[str, ...]) -> tuple[Ability, ...]:
    """What the rules let all use in a phase, but for what only the `others` may."""
    found = (ability for ability in CORE.all() if ability.phase == phase and ability.rule not in without)
    return tuple(ability for ability in found if ability.whose != others and not ability.has("fight"))


def _by_ability(state: State, side: int) -> Iterator[list[Wish]]:
    army = state.army(side)
    points = state.sides[side].command
    sure = not state.without  # what rules most units out is looked at first, where no rule is switched off
    others = "enemy" if side == state.active else "your"
    for ability in _of_phase(state.phase, others, state.without):
        if ability.by_player:
            yield [(ability, None)]
        elif not sure:
            yield [(ability, unit) for unit in army]
        elif ability.cost and (ability.cost > points or usage.count(state, ability.id, "phase", side)):
            continue
        elif ability.has("core"):
            yield [(ability, u) for u in army if not (u.core or (ability.cost and u.commanded))]
        else:
            yield [(ability, u) for u in army if not (ability.cost and u.commanded)]
    for unit, own in _at_hand(state, side):
        for ability in own:
            if ability.whose != others and (ability.again or ability.id not in unit.used_phase or not sure):
                yield [(ability, unit)]


def thinkable(state: State, side: int) -> list[Wish]:
    """What this side may use now, as far as that is told by the phase and at a glance: most of it not by most units.
    Fight abilities are offered by the order of fighting, not here."""
    return list(chain.from_iterable(_by_ability(state, side)))


def named(wish: Wish) -> str:
    """A wish as it is answered."""
    ability, unit = wish
    return ability.id if unit is None else f"{ability.id}:{unit.id}"


def allowed(state: State, side: int, wish: Wish) -> bool:
    """May this side use what is thinkable?"""
    ability, unit = wish
    if unit is not None:
        return may_use(state, side, ability, unit)
    return next(standing(state, player_objections(state, side, ability)), None) is None


def offers(state: State, side: int) -> Iterator[str]:
    """What this side may use now, as `option` shows it."""
    sure = not state.without
    for wishes in _by_ability(state, side):
        could = wishes[0][0].could if sure and wishes else None  # all of them are for one ability
        for wish in wishes:
            if (could is None or wish[1] is None or could(wish[1])) and allowed(state, side, wish):
                yield named(wish)


def option(state: State, offer: str) -> Option:
    """What may be used, as it is shown."""
    key, _, who = offer.partition(":")
    ability = find(state, key, who)
    assert ability is not None
    if not who:
        return Option(key, Text(f"ability.{key}"), (), (ability.rule,))
    return _offer(state, ability, state.unit(who))


def offered(state: State, side: int, wish: str) -> bool:
    """Is this among what `offers` lists? Told without looking for the rest."""
    key, _, who = wish.partition(":")
    ability = find(state, key, who)
    if ability is None or ability.has("fight") or not timely(state, side, ability):
        return False
    if ability.by_player:
        return not who and next(standing(state, player_objections(state, side, ability)), None) is None
    unit = state.units.get(who)
    if unit is None or not may_use(state, side, ability, unit):
        return False
    return ability in CORE.at(state, state.phase) or ability in own_abilities(state, unit, state.phase)


def _offer(state: State, ability: Ability, unit: Unit) -> Option:
    deed = title(ability)
    return Option(
        f"{ability.id}:{unit.id}",
        Text("option.ability", {"ability": deed, "unit": unit.id}),
        (unit.id,),
        (ability.rule,),
        unit=unit.id,
        deed=deed,
        drag=ability.id == "normal-move",
        drop=ability.id == "charge",
        vain=ability.vain(state, unit),
    )


def refusal(state: State, side: int, wish: str) -> list[Reason]:
    """Why a wish "ability:unit" is refused."""
    key, _, who = wish.partition(":")
    ability = find(state, key, who) or of_others(state, key)
    if ability is None:
        return [Reason("aos.core.known-spells", "", {"unit": who})] if is_spell(key) and who in state.units else []
    if ability.by_player:
        return list(player_objections(state, side, ability))
    if who not in state.units:
        return []
    unit = state.unit(who)
    reasons = list(objections(state, side, ability, unit))
    if not reasons and ability not in own_abilities(state, unit) and ability not in CORE.at(state, state.phase):
        known_to_few = ability.has("spell") or ability.has("prayer")
        rule = "aos.core.known-spells" if known_to_few else ability.rule if ability.reaction else GENERAL
        reasons.append(Reason(rule, "", {"unit": unit.id}))
    return reasons


def not_triggered(state: State, use: Use, wish: str) -> list[Reason]:
    """Why a unit that may react does not: what is being used is nothing that it reacts to."""
    key, _, who = wish.partition(":")
    ability = find(state, key, who)
    if ability is None or who not in state.units or ability.trigger(state, use, state.unit(who)):
        return []
    return [Reason(ability.rule, "reason.aos.no-trigger", {"unit": who, "ability": title(ability)})]


# -- using an ability --------------------------------------------------------------------------------------------


def spend(state: State, side: int, ability: Ability, unit: Unit | None) -> None:
    """Note that an ability has been declared: points, Core, commands, once per phase, turn, round and battle."""
    state.sides[side].command -= ability.cost
    usage.spend(state, ability.id, "phase", side)
    if ability.army or unit is None:
        if ability.per and ability.per != "phase":
            usage.spend(state, ability.id, ability.per, side)
    elif ability.per == "round":
        usage.spend(state, ability.id, "round", unit.id)
    if unit is None:
        return
    unit.used_phase = (*unit.used_phase, ability.id)
    unit.used_turn = (*unit.used_turn, ability.id)
    if ability.per == "battle":
        unit.used_battle = (*unit.used_battle, ability.id)
    unit.keywords_turn = (*unit.keywords_turn, *ability.keywords)
    if ability.has("core"):
        unit.core = True
    if ability.cost:
        unit.commanded = True


@step
def use_ability(battle: AosBattle, side: int, key: str, who: str, notes: tuple[str, ...] = ()) -> Steps[None]:
    """Step 1: declare. Reactions and effect follow as steps of their own."""
    state = battle.state
    ability = find(state, key, who)
    assert ability is not None
    unit = state.unit(who) if who else None
    spend(state, side, ability, unit)
    rules = [ability.rule, *ability.rules, *(("aos.command.cost",) if ability.cost else ())]
    battle.emit(
        "declare",
        *rules,
        side=side_name(side),
        ability=title(ability),
        unit=who,
        cost=ability.cost,
        points=state.sides[side].command,
    )
    use = Use(key, side, who, notes=tuple(notes))
    state.uses.append(use)
    if (yield from outcome(ability.declare(battle, use))):
        battle.plan(react, resolve, end_use)
    else:
        battle.plan(end_use)


def involved(state: State, use: Use, side: int) -> Sequence[Unit]:
    """The units that could react: the user's own unit, the targets, or against a spell any of the army."""
    if use.side == side:
        return [state.unit(use.unit)] if use.unit else []
    if used(state, use).has("spell"):
        return state.army(side)
    return [state.unit(key) for key in use.targets if state.unit(key).side == side]


def reactions(state: State, use: Use, side: int) -> list[tuple[Ability, Unit]]:
    """What this side may react with now."""
    units = involved(state, use, side)
    if not units:
        return []
    found = []
    points = state.sides[side].command
    for ability in CORE.at(state, REACTION):
        if ability.cost > points:
            continue
        for unit in units:
            if not ability.trigger(state, use, unit):
                continue
            if ability.cost and usage.count(state, ability.id, "phase", side):
                break
            if may_use(state, side, ability, unit):
                found.append((ability, unit))
    for unit in units:
        for ability in _own(state, unit).get(REACTION, ()):
            if ability.trigger(state, use, unit) and may_use(state, side, ability, unit):
                found.append((ability, unit))
    return found


@step
def react(battle: AosBattle) -> Steps[None]:
    """Step 2: reactions, used alternately from the active player until both have nothing more to use."""
    state = battle.state
    use = state.use

    def found(side: int) -> list[Option]:
        return [_offer(state, ability, unit) for ability, unit in reactions(state, use, side)]

    first = battle.know(lambda: {side: found(side) for side in (0, 1)})
    if not any(first.values()):
        return
    changed = False

    def options(side: int) -> list[Option]:
        return found(side) if changed else first[side]

    def carry_out(side: int, choice: str) -> Steps[None]:
        nonlocal changed
        changed = True
        key, _, who = choice.partition(":")
        ability, unit = find(state, key, who), state.unit(who)
        assert ability is not None
        spend(state, side, ability, unit)
        rules = [ability.rule, *ability.rules, *(("aos.command.cost",) if ability.cost else ())]
        battle.emit(
            "react",
            "aos.ability.sequence",
            *rules,
            side=side_name(side),
            ability=title(ability),
            unit=who,
            points=state.sides[side].command,
        )
        yield from outcome(ability.effect(battle, Use(key, side, who)))

    yield from window(
        battle,
        Text("ask.react", {"ability": title(used(state, use)), "unit": use.unit}),
        (state.active, 1 - state.active),
        options,
        carry_out,
        rules="aos.ability.sequence",
        about=use.unit,
        refuse=lambda side, wish: list(measured(state, refusal(state, side, wish))) or not_triggered(state, use, wish),
        alternate=True,
    )


@step
def resolve(battle: AosBattle) -> Steps[None]:
    """Step 3: the effect."""
    use = battle.state.use
    yield from outcome(used(battle.state, use).effect(battle, use))


@step
def end_use(battle: AosBattle) -> None:
    from umpire.games.aos.damage import damage_sequence

    battle.state.uses.pop()
    if battle.state.pools:
        battle.push(damage_sequence)


def note(use: Use, *what: str) -> None:
    use.notes = (*use.notes, *what)
