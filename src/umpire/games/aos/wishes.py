"""Why not? Every ability of Age of Sigmar, by any unit at any moment, with its target and its way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from umpire.engine.decisions import Decision, Json
from umpire.engine.rulings import Reason
from umpire.engine.wishes import Deed, Follow, Objections, Part, Wish, means, named, targets, way, wished
from umpire.errors import unknown
from umpire.games.aos import abilities, known_abilities
from umpire.games.aos.abilities import GENERAL
from umpire.games.aos.attacks import reach_of, shooting_objection, weapons_of
from umpire.games.aos.charging import TOUCH, Charger
from umpire.games.aos.combat import fight_objection, strikers, strikes_first, unfought
from umpire.games.aos.hero import not_overpowered, overpowered
from umpire.games.aos.known_abilities import CORE, Ability, AosBattle, title
from umpire.games.aos.magic import banish_objections
from umpire.games.aos.measures import measured
from umpire.games.aos.movement import Limits, Mover
from umpire.games.aos.moves import movement
from umpire.games.aos.picking import target_objections
from umpire.games.aos.shooting import nearest_visible, not_nearest
from umpire.games.aos.state import PHASES, State, Unit
from umpire.games.aos.units import COMBAT_RANGE, unit_visible
from umpire.miniatures.loose.groups import unit_gap
from umpire.space.shapes import TOLERANCE

LONGEST = 12.0
"""The best charge roll."""
RUN = 6.0
"""The best run roll."""


def moment_of(state: State) -> object:
    """The phase of a player's turn; None for what comes before phases."""
    return (state.round, state.active, state.phase) if state.phase in PHASES else None


def before_uses(battle: AosBattle) -> State:
    """The phase that a scene describes before anybody uses an ability in it. The only unit that can fight does so
    without a question: it could fight all the same, and has not yet."""
    return battle.as_described(lambda state: moment_of(state) and (moment_of(state), state.uses)).state


def unit_of(state: State, key: str, part: str) -> Unit:
    return wished("unit", key, state.units, part)


def ability_of(state: State, key: str, who: str) -> Ability:
    """An ability by its id, with or without the warscroll before it."""
    scroll = state.unit(who).profile.id if who in state.units else ""
    found = known_abilities.find(state, key, who) or known_abilities.find(state, f"{scroll}.{key}", who)
    found = found or known_abilities.of_others(state, key)
    if found is None:
        own = known_abilities.own_abilities(state, state.unit(who)) if who in state.units else ()
        raise unknown("ability", key, "wish.using", [ability.id for ability in (*CORE.all(), *own)])
    return found


def use(battle: AosBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Any ability, by its id: what stands against the unit, then what stands against the target."""
    ability = ability_of(battle.state, wish.using, wish.who)
    yield from measured(battle.state, against(battle, side, ability, wish))


def own(battle: AosBattle, who: str) -> dict[str, Any]:
    unit = unit_of(battle.state, who, "who")
    return {ability.id: title(ability) for ability in known_abilities.own_abilities(battle.state, unit)}


def core(key: str) -> Objections:
    """One of the abilities that the rules give to all."""

    def objections(battle: AosBattle, side: int, wish: Wish) -> Iterator[Reason]:
        ability = CORE.get(key)
        assert ability is not None
        yield from measured(battle.state, against(battle, side, ability, wish))

    return objections


def against(battle: AosBattle, side: int, ability: Ability, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    if ability.by_player:
        yield from turn(battle, side)
        yield from abilities.player_objections(state, side, ability)
        return
    yield from turn(battle, side, ability.reaction)
    if not ability.reaction:
        state = before_uses(battle)
    unit = unit_of(state, wish.who, "who")
    whom = [unit_of(state, key, "whom") for key in wish.whom] if unit.where == "table" else []
    own = [why for other in whom for why in target(state, ability, unit, other)]
    for why in abilities.objections(state, side, ability, unit):
        # That nobody can be picked says less than what is against this one.
        if (why.rule, why.key) not in [(one.rule, one.key) for one in own]:
            yield why
    if ability.reaction:
        yield from reaction(state, ability, unit)
    elif ability not in known_abilities.own_abilities(state, unit) and CORE.get(ability.id) is None:
        known_to_few = ability.has("spell") or ability.has("prayer")
        yield Reason("aos.core.known-spells" if known_to_few else GENERAL, "", {"unit": unit.id})
    if ability.has("fight"):
        everyone = unfought(state, unit.side) + unfought(state, 1 - unit.side)
        fighting = [state.unit(use.unit) for use in state.uses if use.ability == "fight" and use.unit != unit.id]
        begun = bool(state.strikers) or any(u.fought for u in state.units.values())
        now = tuple(u.id for u in fighting if strikes_first(state, u))
        first = (*state.strikers, *now) if begun else strikers(state)
        waiting = fight_objection(state, unit, [*everyone, *fighting], first)
        if waiting is not None:
            yield waiting
    if unit.where != "table":
        return
    yield from own
    if ability.id in WAYS:
        yield from way(WAYS[ability.id](state, unit), wish, ability.rule)


def turn(battle: AosBattle, side: int, reacting: bool = False) -> Iterator[Reason]:
    """aos.core.phase-order: the opponent uses abilities when the active player has finished. aos.ability.sequence:
    reactions are used in turns."""
    asked, uses = battle.decision, battle.state.uses
    if not battle.answers and battle.setup.scene is not None:
        if side == battle.state.active:
            return  # a scene describes a phase that begins, though the active player could do nothing in it
        if uses and uses[0].side != side and not reacting:
            yield Reason("aos.core.phase-order", "reason.wish.under-way", {"who": uses[0].unit})
            return
    if asked is not None and asked.side != side and battle.decision_for(side) is None:
        rule = "aos.ability.sequence" if reacting else "aos.core.phase-order"
        yield Reason(rule, "reason.wish.not-asked", {"player": f"side.{asked.side}"})


def reaction(state: State, ability: Ability, unit: Unit) -> Iterator[Reason]:
    """A reaction needs what it answers to."""
    if not state.uses or not ability.trigger(state, state.use, unit):
        yield Reason(ability.rule, "reason.aos.no-trigger", {"unit": unit.id, "ability": title(ability)})


def overpowering(state: State, unit: Unit, wish: str) -> Iterator[Reason]:
    if all(foe.id != wish for foe in overpowered(state, unit)):
        yield from not_overpowered(state, unit, wish)


TARGETS = {"power-through": overpowering, "banish": banish_objections}
"""Abilities that pick one unit when they are declared, and what stands against it."""


def target(state: State, ability: Ability, unit: Unit, other: Unit) -> Iterator[Reason]:
    """Why this ability of this unit cannot be used on that one."""
    if other.where != "table":
        yield Reason(GENERAL, "reason.aos.not-on-table", {"unit": other.id})
    elif ability.id in ("charge", "counter-charge"):
        yield from charged(state, unit, other)
    elif ability.id == "covering-fire" and other not in (nearest := nearest_visible(state, unit)) and nearest:
        yield from not_nearest(state, unit, nearest, other.id)
    elif ability.has("shoot"):
        yield from shot(state, unit, other)
    elif ability.has("fight"):
        yield from fought(state, unit, other)
    elif ability.id in TARGETS:
        yield from TARGETS[ability.id](state, unit, other.id)
    elif ability.data is not None and ability.data.target:
        yield from target_objections(state, unit, ability.data, other)
    else:
        yield Reason(GENERAL, "reason.aos.no-target", {"ability": title(ability)})


def charged(state: State, unit: Unit, other: Unit) -> Iterator[Reason]:
    """Could any charge roll bring it within half an inch?"""
    gap = unit_gap(unit, other)
    if other.side == unit.side:
        yield Reason("aos.core.friendly-enemy", "", {"unit": other.id})
    if gap > LONGEST + TOUCH + TOLERANCE:
        facts = {"unit": other.id, "gap": round(gap, 3), "most": LONGEST + TOUCH}
        yield Reason("aos.charge.charge", "reason.aos.charge-far", facts)


def shot(state: State, unit: Unit, other: Unit) -> Iterator[Reason]:
    if other.side == unit.side:
        yield Reason("aos.core.friendly-enemy", "", {"unit": other.id})
        return
    why = shooting_objection(state, unit, other)
    if why is not None:
        yield why
    weapons = weapons_of(state, unit, True)
    longest = max((weapon.range for weapon in weapons), default=0.0)
    gap = unit_gap(unit, other)
    if gap > longest + TOLERANCE:
        facts = {"target": other.id, "gap": round(gap, 3), "range": longest}
        yield Reason("aos.core.shooting-attacks", "reason.aos.out-of-range", facts)
    elif not any(keys for weapon in weapons for keys in reach_of(state, unit, weapon, [other]).values()):
        yield Reason("aos.core.visibility", "reason.aos.unseen", {"target": other.id})


def fought(state: State, unit: Unit, other: Unit) -> Iterator[Reason]:
    if other.side == unit.side:
        yield Reason("aos.core.friendly-enemy", "", {"unit": other.id})
    elif other.id not in unit.fights:
        facts = {"target": other.id, "gap": round(unit_gap(unit, other), 3), "range": COMBAT_RANGE}
        yield Reason("aos.core.targets-in-combat", "reason.aos.out-of-combat-range", facts)
    elif not unit_visible(state, unit, other):
        yield Reason("aos.core.visibility", "reason.aos.unseen", {"target": other.id})


WAYS: dict[str, Callable[[State, Unit], Mover]] = {
    "normal-move": lambda state, unit: Mover(state, unit, Limits(movement(state, unit), "aos.move.normal")),
    "run": lambda state, unit: Mover(state, unit, Limits(movement(state, unit) + RUN, "aos.move.run")),
    "retreat": lambda state, unit: Mover(state, unit, Limits(movement(state, unit), "aos.move.retreat", cross=True)),
    "charge": lambda state, unit: Charger(state, unit, LONGEST),
}
"""Moves whose way may be wished for; those that are rolled for, with the best roll."""


def passing(battle: AosBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Nobody has to use an ability, but a unit in combat has to fight."""
    state = before_uses(battle)
    yield from turn(battle, side)
    if state.phase == "combat":
        bound = [u.id for u in unfought(state, side) if u.fights]
        if bound:
            yield Reason("aos.fight.fight", "reason.aos.bound-to-fight", {"units": bound})


def using(state: State, ask: Decision, wish: Wish) -> Json:
    """An ability by its unit; one of a warscroll may be wished for without the warscroll's name."""
    key = wish.using if wish.deed == "use" else wish.deed
    scroll = state.unit(wish.who).profile.id if wish.who in state.units else ""
    return named(ask, f"{key}:{wish.who}", f"{scroll}.{key}:{wish.who}", key)


FOLLOW: dict[str, Follow] = {
    "ask.ability": using,
    "ask.gambit": using,
    "ask.fight": using,
    "ask.react": using,
    "ask.spell": means,
    "ask.pick": targets,
    "ask.target": targets,
    "ask.pile-in-target": targets,
}
"""How an ability is used that was wished for."""


def deeds() -> dict[str, Deed]:
    found = {
        "use": Deed(needs=("who", "using"), may=("whom", "answer"), objections=use, uses=own, follow=FOLLOW),
        "pass": Deed(objections=passing),
    }
    for ability in CORE.all():
        how: tuple[Part, ...] = ("answer",) if ability.id in WAYS else ()
        needs: tuple[Part, ...] = () if ability.by_player else ("who",)
        doing = "ask.target" if ability.has("shoot") or ability.has("fight") else ""
        found[ability.id] = Deed(
            needs=needs, may=("whom", *how), objections=core(ability.id), follow=FOLLOW, doing=doing,
            order="" if ability.reaction else "aos.ability.sequence",
        )  # fmt: skip
    return found
