"""Why not? Any deed of any unit at any moment, put to the umpire: the reasons are those that questions are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from umpire.engine.decisions import Decision, Declare, Json
from umpire.engine.rulings import Reason
from umpire.engine.wishes import Asked, Deed, Objections, Wish, doer, means, named, targets, way, wished
from umpire.errors import unknown
from umpire.games.wh40k import (
    actions,
    aiming,
    aircraft,
    charging,
    fighting,
    melee,
    movement,
    psychic,
    psychic_tests,
    reinforcements,
    reserves,
    shooting,
    stratagems,
    transports,
)
from umpire.games.wh40k.abilities import twins
from umpire.games.wh40k.core_stratagems import breakout_objections, breakout_targets
from umpire.games.wh40k.declaration import Declaration
from umpire.games.wh40k.defenders import heroic_objections
from umpire.games.wh40k.dice import COMMAND_REROLL, rerollable
from umpire.games.wh40k.measuring import distance_to, nearest_enemy
from umpire.games.wh40k.moving import KINDS
from umpire.games.wh40k.state import PHASES, State, Unit, WhBattle
from umpire.text import Text

OF_UNITS = ("wh40k.shoot.types", "wh40k.shoot.eligible-not-engaged", "wh40k.shoot.eligible-not-advanced")
"""What is said of a weapon, and was said already where it is true of the whole unit."""
NO_TARGETS = ("wh40k.terrain.category.no-profile", "wh40k.terrain.term.terrain-feature")

Own = Callable[[State, Unit], Iterator[Reason]]


def unit_of(state: State, key: str, part: str) -> Unit:
    return wished("unit", key, state.units, part)


def moment(state: State) -> object:
    """The phase of a turn, and how many fights of it have been begun; None for what comes before phases."""
    if state.phase not in PHASES:
        return None
    return state.round, state.active, state.phase, sum(unit.fights for unit in state.units.values())


def timely(state: State, side: int, phase: str, own: bool | None = True) -> Iterator[Reason]:
    """wh40k.turn.actions-in-phase: deeds belong to their phases, and most of them to one's own turn; `own`: to the
    opponent's if False, to either if None."""
    rule = "wh40k.turn.actions-in-phase"
    if state.phase != phase:
        facts = {"phase": Text(f"phase.{phase}"), "now": Text(f"phase.{state.phase}")}
        yield Reason(rule, "reason.wh40k.other-phase", facts)
    if own is not None and (state.active == side) != own:
        wanted = side if own else 1 - side
        yield Reason(rule, "reason.wh40k.other-turn", {"side": Text(f"side.{wanted}"), "phase": Text(f"phase.{phase}")})


def deed(phase: str, against: Own, own: bool | None = True) -> Objections:
    """A deed of a phase, by one unit."""

    def objections(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
        state = battle.state
        unit = unit_of(state, wish.who, "who")
        yield from timely(state, side, phase, own)
        if unit.side != side:
            yield Reason("wh40k.unit.friend-enemy", "", {"unit": unit.id})
        elif unit.where == "aboard":
            bans = ("wh40k.move.transport-no-interaction", "wh40k.core.on-the-battlefield")
            yield from twins(state, {"unit": unit.id, "transport": unit.aboard}, *bans)
        elif unit.where != "table":
            yield Reason("wh40k.core.on-the-battlefield", "", {"unit": unit.id})
        else:
            yield from against(state, unit)

    return objections


def shoot(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Why a unit may not shoot, or not at these units."""
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    if state.phase == "fight" and (unit.has("vehicle") or unit.has("monster")):
        yield Reason("wh40k.shoot.big-guns-phase", "", {"unit": unit.id})
    yield from deed("shooting", shooting.objections)(battle, side, wish)
    if unit.where != "table" or not unit.models:
        return
    declaration = Declaration(state, unit)
    barred = shooting.barred(state, unit)
    for key in wish.whom:
        if key in state.units:
            found = aiming.nobody_at(declaration, unit_of(state, key, "whom"))
            yield from (why for why in found if not (barred and why.rule in OF_UNITS))
        else:
            yield from twins(state, {"feature": key}, *NO_TARGETS)
    if not wish.whom and not barred and not declaration.possible:
        yield from aiming.no_target(declaration)


def charge(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Why a unit may not charge, or not these units."""
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from deed("charge", charging.objections)(battle, side, wish)
    for key in wish.whom if unit.where == "table" else ():
        yield from charging.target_objections(unit, unit_of(state, key, "whom"))


def fight(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Why a unit may not be selected to fight: that it cannot fight, that others come first, or that none of its models
    can attack these units from where it stands."""

    def against(state: State, unit: Unit) -> Iterator[Reason]:
        for why in fighting.objections(state, unit):
            far = nearest_enemy(state, unit) if why.rule in OUT_OF_RANGE else {}
            yield msgspec.structs.replace(why, facts={**why.facts, **far})
        if state.phase == "fight":
            yield from fighting.out_of_turn(state, unit)
        for key in wish.whom:
            foe = unit_of(state, key, "whom")
            against = [list(melee.target_objections(state, unit, model, foe)) for model in unit.models]
            if foe.models and all(against):
                nearest = min(range(len(unit.models)), key=lambda n: distance_to(unit.models[n], foe.models))
                yield from against[nearest]

    yield from deed("fight", against, own=None)(battle, side, wish)


OUT_OF_RANGE = ("wh40k.fight.eligible.engaged", "wh40k.fight.again.needs-eligible")
"""Of whom the nearest enemy is told; it is not looked for each time that somebody is selected."""


def cast(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    if wish.using and wish.using not in (*powers(battle), *state.lore.tasks):
        raise unknown("power", wish.using, "wish.using", powers(battle))
    yield from deed("psychic", psychic.objections)(battle, side, wish)
    task = state.lore.tasks.get(wish.using)
    if task is not None and not task.psychic:
        yield Reason("wh40k.action.psychic.own-limits", "", {"unit": unit.id, "action": task.name})
    elif task is not None:
        yield from actions.psychic_objections(state, unit, wish.using)
    elif wish.using:
        yield from psychic.power_objections(state, unit, wish.using)
        for key in wish.whom if unit.where == "table" else ():
            yield from psychic.not_aimed(state, unit, wish.using, unit_of(state, key, "whom"))


def act(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    if wish.using not in state.lore.tasks:
        raise unknown("action", wish.using, "wish.using", state.lore.tasks)
    if state.lore.tasks[wish.using].psychic:  # it is attempted as a power is
        yield from cast(battle, side, wish)
        return
    yield from deed("command", lambda state, unit: actions.objections(state, unit, wish.using))(battle, side, wish)


def stratagem(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    if wish.using in stratagems.CORE:
        cost, _ = stratagems.CORE[wish.using]
        if wish.using == COMMAND_REROLL:
            yield from reroll_reasons(battle, side)
        else:
            yield from untimely(battle, side, wish)
        yield from stratagems.objections(state, side, wish.using, cost, wish.using in stratagems.ONCE_A_BATTLE)
        return
    entry = state.lore.stratagems.get(wish.using)
    if entry is None:
        raise unknown("stratagem", wish.using, "wish.using", [*stratagems.CORE, *state.lore.stratagems])
    ask = battle.decision_for(side)
    as_if = AS_IF.get(ask.prompt.key, "") if ask is not None else ""
    if ask is None or named(ask, f"{wish.using}:{wish.who}") is None:  # a phase's end is still that phase
        yield from stratagems.untimely(state, side, entry, as_if)
    yield from stratagems.faction_objections(state, side, entry, entry.phase)
    if wish.who:
        yield from stratagems.not_for(state, side, entry, unit_of(state, wish.who, "who"))


def untimely(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Why it is not the moment of a core stratagem, or not for this unit. Most are used when something has just
    happened, and whoever can use one is asked there and then."""
    state, name = battle.state, wish.using
    rule = stratagems.CORE[name][1]
    unit = unit_of(state, wish.who, "who") if wish.who else None
    if unit is not None and (unit.side == side) == (name in AT_ENEMIES):
        yield Reason("wh40k.unit.friend-enemy", "", {"unit": unit.id})
    elif name == "desperate-breakout":
        yield from timely(state, side, "movement")
        ours = [unit] if unit is not None else state.army(side)
        found = [list(breakout_targets(state, mine)) for mine in ours]
        if found and all(found):
            yield from found[0]
    else:
        ask = battle.decision_for(side)
        if ask is None or ask.prompt.key not in (f"ask.{WINDOWS.get(name, name)}", BEFORE.get(name)):
            yield Reason(rule, f"reason.wh40k.when.{name}", {"phase": Text(f"phase.{state.phase}")})
        elif unit is not None:
            yield from not_here(ask, name, unit)


def not_here(ask: Decision, name: str, unit: Unit) -> Iterator[Reason]:
    """Why a core stratagem that may be used now is not for this unit, as whoever is asked is told."""
    options = getattr(ask, "options", None)
    if options is None:  # a yes or no about one unit, or about those who are aboard it
        found = ask.about in (unit.id, unit.aboard)
    else:
        found = any(unit.id in option.refs for option in options.values())
    if not found:
        rule = stratagems.CORE[name][1]
        yield Reason(rule, "", {"unit": unit.id})
        told = ask.check(f"{PAID.get(name, '')}{unit.id}").reasons if options is not None else ()
        yield from (reason for reason in told if reason.rule != rule)


AT_ENEMIES = ("cut-them-down",)
"""Stratagems that are used on an enemy unit."""
PAID = {"fire-overwatch": "pay:"}
"""How their answers begin."""
WINDOWS = {"fire-overwatch": "overwatch", "emergency-disembarkation": "emergency"}
"""What the questions are called at which stratagems are used, where they are not called like them."""
BEFORE = {"insane-bravery": "ask.morale"}
"""Questions whose answer leads to that one at once."""
AS_IF = {"ask.overwatch": "shooting", "ask.declare": "shooting"}
"""Questions at which a unit is about to act as if it were another phase."""


def reroll_reasons(battle: WhBattle, side: int) -> Iterator[Reason]:
    """Command Re-roll is for the roll that was just made, by whoever made it, and never for a roll-off."""
    last = next((event.roll for event in reversed(battle.events) if event.roll is not None), None)
    if last is None or last.side != side:
        yield Reason("wh40k.stratagem.command-reroll", "reason.wh40k.no-roll", {})
    elif not rerollable(battle.state, last):
        rule = "wh40k.dice.roll-off-no-change" if last.purpose == "roll-off" else "wh40k.stratagem.command-reroll"
        yield Reason(rule, "reason.wh40k.not-rerollable", {"purpose": Text(f"purpose.{last.purpose}")})


def arrive(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Why a unit may not be set up from off the table now."""
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    if unit.side != side:
        yield Reason("wh40k.unit.friend-enemy", "", {"unit": unit.id})
    yield from reinforcements.objections(state, unit)


def reserve(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Why a unit may not be put into strategic reserves."""
    unit = unit_of(battle.state, wish.who, "who")
    if unit.side != side:
        yield Reason("wh40k.unit.friend-enemy", "", {"unit": unit.id})
    else:
        yield from reserves.declaration_reasons(battle.state, side, [unit.id])


def embark(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    vessel = unit_of(battle.state, wish.whom[0], "whom")
    if vessel.side != side:
        yield Reason("wh40k.unit.friend-enemy", "", {"unit": vessel.id})
    against = deed("movement", lambda state, unit: transports.embark_objections(state, unit, vessel))
    yield from against(battle, side, wish)


def disembark(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from timely(state, side, "movement")
    if unit.side != side:
        yield Reason("wh40k.unit.friend-enemy", "", {"unit": unit.id})
    else:
        yield from transports.disembark_objections(state, unit)


def breakout(state: State, unit: Unit) -> Iterator[Reason]:
    return breakout_objections(state, unit)


def deny(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
    """Why a unit may not deny what the enemy's unit casts: when it casts, as whoever is asked is told; before, at the
    best from the model of it that is nearest."""
    other = unit_of(battle.state, wish.whom[0], "whom")
    ask = battle.decision_for(side)
    window = ask if ask is not None and ask.prompt.key == "ask.deny" and ask.about == other.id else None

    def against(state: State, unit: Unit) -> Iterator[Reason]:
        if window is not None:
            yield from window.check(unit.id).reasons
        elif other.models:
            nearest = min(other.models, key=lambda model: distance_to(model, unit.models))
            yield from psychic_tests.deny_objections(state, unit, nearest)

    yield from deed("psychic", against, own=False)(battle, side, wish)
    if battle.state.phase == "psychic" and window is None:
        yield Reason("wh40k.psychic.deny", "reason.wh40k.when.deny", {"unit": other.id})
        tried = last_denial(battle)
        if tried is not None:
            yield Reason("wh40k.psychic.deny-once", "reason.wh40k.denied-before", {"unit": tried})


def last_denial(battle: WhBattle) -> str | None:
    """Who has tried to deny the last Psychic test of this phase, if anybody."""
    for event in reversed(battle.events):
        if event.kind in ("denied", "not-denied"):
            return str(event.facts["unit"])
        if event.kind in ("psychic-test", "phase"):
            break
    return None


def intervene(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not perform a Heroic Intervention: it may not, or charges are not over yet."""
    yield from heroic_objections(state, unit)
    if state.phase == "charge" and state.step == "charges":
        yield Reason("wh40k.charge.phase.steps", "reason.wh40k.charges-first", {"unit": unit.id})


def _move(kind: str) -> Objections:
    def objections(battle: WhBattle, side: int, wish: Wish) -> Iterator[Reason]:
        def against(state: State, unit: Unit) -> Iterator[Reason]:
            yield from movement.objections(state, unit, kind)
            if wish.answer is not None:
                yield from way(movement.at_best(state, unit, kind), wish, KINDS[kind].rule)

        yield from deed("movement", against)(battle, side, wish)

    return objections


def powers(battle: WhBattle) -> list[str]:
    lore = battle.state.lore
    return [psychic_tests.SMITE, *lore.powers, *(key for key, task in lore.tasks.items() if task.psychic)]


def own_powers(battle: WhBattle, who: str) -> dict[str, Any]:
    """Those that the unit knows come first."""
    own = unit_of(battle.state, who, "who").powers
    every = sorted(powers(battle), key=lambda key: (key != psychic_tests.SMITE, key not in own))
    return {key: psychic_tests.label(battle.state, key) for key in every}


def tasks(battle: WhBattle, who: str) -> dict[str, Any]:
    return {task.id: task.name for task in battle.state.lore.tasks.values()}


def called_stratagems(battle: WhBattle, who: str) -> dict[str, Any]:
    own = {entry.id: entry.name for entry in battle.state.lore.stratagems.values()}
    return {**{key: Text(f"stratagem.{key}") for key in stratagems.CORE}, **own}


def cunning(battle: WhBattle) -> list[str]:
    return [*stratagems.CORE, *battle.state.lore.stratagems]


MOVES = ("normal", "advance", "fall-back")


def declaring(state: State, ask: Decision, wish: Wish) -> Json:
    """Every weapon and blow that can be at the targets that are named; the usual declaration where none is."""
    if not isinstance(ask, Declare) or ask.about != wish.who:
        return None
    if not wish.whom:
        return ask.default
    parts = []
    for row in ask.rows.values():
        offered = [option.id for option in row.choices.get("target", ())]
        aimed = next((key for key in wish.whom if key in offered), wish.whom[0])
        others = {name: options[0].id for name, options in row.choices.items() if options}
        parts.append((aimed in offered, {"row": row.id, "choose": {**others, "target": aimed}, "count": row.count}))
    reach = any(there for there, _ in parts)
    return [part for there, part in parts if there or not reach]


def nothing_more(state: State, ask: Decision, wish: Wish) -> Json:
    """No stratagem beside it."""
    return named(ask, "pass")


ONE_BY_ONE = "wh40k.move.select-unit"

DEEDS = {
    **{kind: Deed(needs=("who",), may=("answer",), objections=_move(kind), order=ONE_BY_ONE) for kind in MOVES},
    "stationary": Deed(needs=("who",), objections=_move("stationary"), order=ONE_BY_ONE),
    "shoot": Deed(
        needs=("who",),
        may=("whom",),
        objections=shoot,
        follow={"ask.stratagem": nothing_more, "ask.shoot": doer, "ask.declare": declaring},
        doing="ask.declare",
        order="wh40k.shoot.sequence",
    ),
    "instead": Deed(
        needs=("who",), objections=deed("shooting", shooting.instead_objections), order="wh40k.shoot.sequence"
    ),
    "cast": Deed(
        needs=("who",),
        may=("using", "whom"),
        objections=cast,
        known=powers,
        uses=own_powers,
        follow={"ask.stratagem": nothing_more, "ask.psyker": doer, "ask.power": means, "ask.power-target": targets},
        order="wh40k.psychic.sequence",
    ),
    "charge": Deed(
        needs=("who",),
        may=("whom",),
        objections=charge,
        follow={"ask.stratagem": nothing_more, "ask.charge": doer, "ask.charge-targets": targets},
        doing="ask.charge-targets",
        order="wh40k.charge.sequence",
    ),
    "intervene": Deed(needs=("who",), objections=deed("charge", intervene, own=False)),
    "fight": Deed(
        needs=("who",),
        may=("whom",),
        objections=fight,
        follow={"ask.stratagem": nothing_more, "ask.fight": doer, "ask.strike": declaring},
        doing="ask.strike",
        order="wh40k.fight.sequence",
    ),
    "arrive": Deed(needs=("who",), objections=arrive),
    "reserve": Deed(needs=("who",), objections=reserve),
    "embark": Deed(needs=("who", "whom"), objections=embark, order=ONE_BY_ONE),
    "disembark": Deed(needs=("who",), objections=disembark, order=ONE_BY_ONE),
    "leave": Deed(needs=("who",), objections=deed("movement", aircraft.leave_objections)),
    "break-out": Deed(needs=("who",), objections=deed("movement", breakout)),
    "deny": Deed(needs=("who", "whom"), objections=deny, follow={"ask.deny": doer}),
    "act": Deed(needs=("who", "using"), objections=act, known=lambda battle: battle.state.lore.tasks, uses=tasks),
    "stratagem": Deed(needs=("using",), may=("who",), objections=stratagem, known=cunning, uses=called_stratagems),
}

ASKED = {
    "ask.move-unit": Asked(parts=("deed", "who")),
    "ask.shoot": Asked("shoot"),
    "ask.charge": Asked("charge"),
    "ask.fight": Asked("fight"),
    "ask.psyker": Asked("cast"),
    "ask.power": Asked("cast", ("using",), about=True),
    "ask.reinforcements": Asked("arrive"),
    "ask.heroic": Asked("intervene"),
    "ask.action": Asked("act", ("using", "who")),
    "ask.stratagem": Asked("stratagem", ("using", "who")),
}
"""The deeds that questions ask for."""
