"""Stratagems: Command points, limits, the core seven, those of factions (stratagem.*, army.cp.*)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from umpire.engine import usage
from umpire.engine.decisions import Choose, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import describe
from umpire.games.wh40k.abilities import twins
from umpire.games.wh40k.dice import COMMAND_REROLL, pay
from umpire.games.wh40k.primitives import carry_out
from umpire.games.wh40k.profiles import Stratagem
from umpire.games.wh40k.state import PHASES, State, Unit, WhBattle
from umpire.text import Text

CORE = {
    COMMAND_REROLL: (1, "wh40k.stratagem.command-reroll"),
    "cut-them-down": (1, "wh40k.stratagem.cut-them-down"),
    "desperate-breakout": (2, "wh40k.stratagem.desperate-breakout"),
    "emergency-disembarkation": (1, "wh40k.stratagem.emergency-disembarkation"),
    "fire-overwatch": (1, "wh40k.stratagem.fire-overwatch"),
    "counter-offensive": (2, "wh40k.stratagem.counter-offensive"),
    "insane-bravery": (2, "wh40k.stratagem.insane-bravery"),
}
"""wh40k.stratagem.core-list: every army may use these seven."""
ONCE_A_BATTLE = ("insane-bravery",)
PASS = "pass"


# -- Command points ------------------------------------------------------------------------------------------------


def gain_points(battle: WhBattle, side: int, count: int, *rules: str) -> int:
    """wh40k.army.cp.gain-limit: abilities give a player at most 1 Command point in a battle round, all together."""
    state = battle.state
    if state.applies("wh40k.army.cp.gain-limit"):
        count = min(count, 1 - usage.count(state, "cp-gained", "round", side))
    if count <= 0:
        battle.emit("no-points", "wh40k.army.cp.gain-limit", side=Text(f"side.{side}"))
        return 0
    usage.spend(state, "cp-gained", "round", side, count)
    state.sides[side].cp += count
    battle.emit("gains-points", *rules, side=Text(f"side.{side}"), count=count)
    return count


def refund(battle: WhBattle, side: int, spent: int, *rules: str) -> int:
    """Give spent points back; what was spent outside a phase never comes back (army.cp.no-refund-outside-phase)."""
    state = battle.state
    if state.phase not in PHASES and state.applies("wh40k.army.cp.no-refund-outside-phase"):
        battle.emit("no-points", "wh40k.army.cp.no-refund-outside-phase", side=Text(f"side.{side}"))
        return 0
    return gain_points(battle, side, min(spent, state.sides[side].spent), *rules)


# -- may it be used? -----------------------------------------------------------------------------------------------


def objections(
    state: State, side: int, name: str, cost: int, per_battle: bool = False, when: str = "", book: str = ""
) -> Iterator[Reason]:
    """Points and limits; when and on what is said where the stratagem is offered. `when`: the moment it is for; what is
    used at the end of a phase is still used in it (wh40k.stratagem.end-of-phase). `book`: which of several stratagems
    of this name it is."""
    facts = {"name": name, "cost": cost, "cp": state.sides[side].cp}
    if state.sides[side].cp < cost:
        yield Reason("wh40k.stratagem.use", "", facts)
    inside = state.phase in PHASES or not state.applies("wh40k.stratagem.outside-phase")
    if inside and usage.count(state, name, "phase", side):
        rules = ["wh40k.stratagem.once-per-phase"]
        if when.startswith("end-"):
            rules.append("wh40k.stratagem.end-of-phase")
        if book and not usage.count(state, f"stratagem {book}", "phase", side):
            rules.append("wh40k.stratagem.same-name")
        yield from twins(state, facts, *rules)
    if per_battle and usage.count(state, name, "battle", side):
        rule = CORE[name][1] if name in CORE else "wh40k.stratagem.use"
        yield Reason(rule, "reason.wh40k.once-a-battle", facts)


def may_use(state: State, side: int, name: str) -> bool:
    """May this side use one of the core stratagems now, as far as points and limits go?"""
    cost, rule = CORE[name]
    if not state.applies(rule) or not state.applies("wh40k.stratagem.core-list"):
        return False
    return next(standing(state, objections(state, side, name, cost, name in ONCE_A_BATTLE)), None) is None


def use(battle: WhBattle, side: int, name: str, **facts: Any) -> None:
    """wh40k.stratagem.use: pay first, then comes the effect."""
    cost, rule = CORE[name]
    pay(battle, side, cost, name, rule, "wh40k.stratagem.core-list", **facts)
    if name in ONCE_A_BATTLE:
        usage.spend(battle.state, name, "battle", side)


def offer(
    battle: WhBattle,
    side: int,
    name: str,
    units: list[Unit],
    why: Callable[[Unit], Iterable[Reason]] | None = None,
    **facts: Any,
) -> Steps[str]:
    """Ask whether a core stratagem is used, and on which unit; "" where it is not, or cannot be. `why`: why it is not
    for another unit of this side."""
    if not units or not may_use(battle.state, side, name):
        return ""
    options = [Option(unit.id, None, (unit.id,)) for unit in units] + [Option(PASS, Text("option.pass"), passes=True)]
    prompt = Text(f"ask.{name}", {"side": Text(f"side.{side}"), **facts})

    def refuse(wish: str) -> list[Reason]:
        unit = battle.state.units.get(wish)
        if unit is None:
            return []
        if unit.side != side:
            return [Reason("wh40k.unit.friend-enemy", "", {"unit": wish})]
        return [*(why(unit) if why is not None else ())] or [Reason(CORE[name][1], "", {"unit": wish})]

    key = yield Choose(side, prompt, options, CORE[name][1], units[0].id if len(units) == 1 else "", refuse)
    if key == PASS:
        return ""
    use(battle, side, name, unit=key)
    return str(key)


# -- those of factions ---------------------------------------------------------------------------------------------


def known(state: State, side: int) -> list[Stratagem]:
    factions = state.sides[side].factions
    return [entry for entry in state.lore.stratagems.values() if not entry.faction or entry.faction in factions]


def subject_objections(side: int, entry: Stratagem, unit: Unit) -> Iterator[Reason]:
    """Why a stratagem cannot be used on this unit: whose it is, where it is, what it is."""
    facts: dict[str, Any] = {"unit": unit.id, "name": entry.name}
    if entry.target == "none":
        yield Reason("wh40k.stratagem.use", "reason.wh40k.no-subject", facts)
    elif (unit.side == side) != (entry.target == "friendly"):
        yield Reason("wh40k.unit.friend-enemy", "", facts)
    elif unit.where != "table":
        yield Reason("wh40k.core.on-the-battlefield", "", facts)
    lacking = [word for word in entry.keywords if not unit.has(word)]
    if lacking:
        yield Reason("wh40k.unit.keywords-equal", "reason.wh40k.lacks", {**facts, "keywords": lacking})


def subjects(state: State, side: int, entry: Stratagem) -> list[Unit]:
    """The units on the battlefield that a stratagem may be used on."""
    if entry.target == "none":
        return []
    army = state.army(side if entry.target == "friendly" else 1 - side)
    return [unit for unit in army if all(unit.has(word) for word in entry.keywords)]


def timely(state: State, side: int, entry: Stratagem, when: str) -> bool:
    """wh40k.turn.out-of-phase-stratagems: only the real phase counts, never one that is acted "as if"."""
    own = state.active == side
    real = entry.phase == when
    if not real and not state.applies("wh40k.turn.out-of-phase-stratagems"):
        real = entry.phase == "shooting" and when == "charge"  # Overwatch is shooting, but in the Charge phase
    return real and (entry.whose == "any" or own == (entry.whose == "own"))


def counted_name(state: State, entry: Stratagem) -> str:
    """wh40k.stratagem.same-name: names, not books, are counted."""
    return entry.name["en"] if state.applies("wh40k.stratagem.same-name") else entry.id


def faction_objections(state: State, side: int, entry: Stratagem, when: str) -> Iterator[Reason]:
    name = counted_name(state, entry)
    return objections(state, side, name, entry.cost, entry.per == "battle", when, entry.id)


def untimely(state: State, side: int, entry: Stratagem, as_if: str = "") -> Iterator[Reason]:
    """Why it is not the time for a stratagem; `as_if`: the phase as if in which a unit is about to act."""
    if timely(state, side, entry, state.phase):
        return
    facts = {"phase": Text(f"phase.{entry.phase}")}
    if entry.phase == state.phase:
        wanted = side if entry.whose == "own" else 1 - side
        yield Reason("wh40k.stratagem.use", "reason.wh40k.other-turn", {**facts, "side": Text(f"side.{wanted}")})
        return
    volley = state.volley
    acting = entry.phase == (as_if or ("shooting" if volley is not None and volley.kind == "overwatch" else ""))
    if acting and state.applies("wh40k.turn.out-of-phase-stratagems"):
        yield Reason("wh40k.turn.out-of-phase-stratagems", "", {"phase": Text(f"phase.{state.phase}")})
    yield Reason("wh40k.stratagem.use", "reason.wh40k.not-now", facts)


def not_for(state: State, side: int, entry: Stratagem, unit: Unit) -> Iterator[Reason]:
    """Why a stratagem cannot be used on this unit: it is aboard or away, another side's, or not whom it speaks of."""
    facts = {"unit": unit.id}
    if unit.where == "aboard":
        yield Reason("wh40k.move.transport-no-interaction", "", facts)
    elif unit.where != "table" or not unit.models:
        yield Reason("wh40k.core.on-the-battlefield", "", facts)
    if entry.target == "none":
        yield Reason("wh40k.stratagem.use", "reason.wh40k.for-nobody", facts)
    elif (unit.side == side) != (entry.target == "friendly"):
        yield Reason("wh40k.unit.friend-enemy", "", facts)
    for word in entry.keywords:
        if not unit.has(word):
            yield Reason("wh40k.unit.keywords-equal", "reason.wh40k.no-keyword", {**facts, "keyword": word})


def usable(state: State, side: int, when: str) -> list[tuple[Stratagem, Unit | None]]:
    found: list[tuple[Stratagem, Unit | None]] = []
    for entry in known(state, side):
        if not timely(state, side, entry, when):
            continue
        reasons = faction_objections(state, side, entry, when)
        if next(standing(state, reasons), None) is not None:
            continue
        if entry.target == "none":
            found.append((entry, None))
        found += [(entry, unit) for unit in subjects(state, side, entry)]
    return found


def in_vain(state: State, entry: Stratagem, unit: Unit) -> bool:
    """Would it come to nothing: a test or a charge made easier for a unit that will make none?"""
    from umpire.games.wh40k import charging, morale

    if entry.until != "phase" or entry.target != "friendly" or entry.refunds:
        return False
    if entry.phase == "morale" and all(does.name == "auto-pass" for does in entry.does):
        return not morale.must_test(state, unit)
    if entry.phase == "charge" and all((does.name, does.what) == ("modify", "charge") for does in entry.does):
        return not charging.may_charge(state, unit)
    return False


@step
def stratagem_window(battle: WhBattle, side: int, when: str) -> Steps[None]:
    """A player may use stratagems of their faction at this moment, one after the other."""
    state = battle.state
    able = usable(state, side, when)
    if not able:
        return
    options = [
        Option(
            f"{entry.id}:{unit.id if unit else ''}",
            Text("option.stratagem", {"name": entry.name, "cost": entry.cost, "unit": unit.id if unit else ""}),
            (unit.id,) if unit else (),
            ("wh40k.stratagem.use",),
            {"text": describe.stratagem(entry)},
            vain=unit is not None and in_vain(state, entry, unit),
        )
        for entry, unit in able
    ]
    options.append(Option(PASS, Text("option.pass"), passes=True))

    def refuse(wish: str) -> list[Reason]:
        entry = state.lore.stratagems.get(wish.partition(":")[0])
        if entry is None:
            return []
        against = list(faction_objections(state, side, entry, when))
        unit = state.units.get(wish.partition(":")[2])
        return against if unit is None else [*against, *subject_objections(side, entry, unit)]

    def propose(rng: Rng) -> str:
        return PASS if rng.below(3) else options[rng.below(len(options))].id

    prompt = Text("ask.stratagem", {"phase": Text(f"phase.{state.phase}"), "cp": state.sides[side].cp})
    choice = yield Choose(side, prompt, options, "wh40k.stratagem.use", "", refuse, None, propose)
    if choice == PASS:
        return
    key, _, target = choice.partition(":")
    entry = state.lore.stratagems[key]
    name = counted_name(state, entry)
    again = state.phase not in PHASES and usage.count(state, name, "phase", side) > 0
    rules = ("wh40k.stratagem.outside-phase", "wh40k.stratagem.use") if again else ("wh40k.stratagem.use",)
    pay(battle, side, entry.cost, name, *rules, named=entry.name)
    usage.spend(state, f"stratagem {key}", "phase", side)
    if entry.per == "battle":
        usage.spend(state, entry.name["en"], "battle", side)
    battle.plan((effect, side, key, target), (stratagem_window, side, when))


@step
def effect(battle: WhBattle, side: int, key: str, target: str) -> Steps[None]:
    state = battle.state
    entry = state.lore.stratagems[key]
    unit = state.unit(target) if target else None
    yield from carry_out(battle, side, None, unit, entry.does, entry.until, entry.id, "wh40k.stratagem.use")
    if entry.refunds and entry.cost:
        roll = battle.roll(1, "refund", "wh40k.army.cp.self-refund-exempt", side=side, need=4)
        if roll.faces[0] >= 4:
            if state.phase not in PHASES and state.applies("wh40k.army.cp.no-refund-outside-phase"):
                battle.emit("no-points", "wh40k.army.cp.no-refund-outside-phase", side=Text(f"side.{side}"))
            elif state.applies("wh40k.army.cp.self-refund-exempt"):
                state.sides[side].cp += entry.cost
                battle.emit(
                    "gains-points", "wh40k.army.cp.self-refund-exempt", side=Text(f"side.{side}"), count=entry.cost
                )
            else:
                refund(battle, side, entry.cost, "wh40k.army.cp.gain-limit")
