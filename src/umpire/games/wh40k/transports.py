"""Transports: who goes aboard, gets out, and what becomes of passengers of a wreck (move.transport-*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine.decisions import Choose, Confirm, Move, Option, Propose
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.core_stratagems import lose_some
from umpire.games.wh40k.damage import destroyed
from umpire.games.wh40k.disembarking import ORDER, UNPLACEABLE, Bailing, Exits, exits_of
from umpire.games.wh40k.measuring import settle, true_gap, within
from umpire.games.wh40k.placing import Placer
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.stratagems import may_use, use
from umpire.games.wh40k.units import embarked, put, refresh, take_away
from umpire.miniatures.loose import placing
from umpire.text import Text

NEAR = 3.0
BINDING = ("", "stationary", "normal", "advance", "fall-back")
"""Moves, those last that forbid most: who has made two of them is bound by the later."""
FAR = 6.0
"""How far from its Transport a unit gets out, in an emergency."""


# -- who fits in ---------------------------------------------------------------------------------------------------


def room(state: State, transport: Unit) -> int:
    """wh40k.move.transport-capacity: for how many models more there is room."""
    carries = transport.sheet.carries
    if carries is None:
        return 0
    return carries.capacity - sum(len(u.models) for u in embarked(state, transport))


def boarding_objections(state: State, unit: Unit, transport: Unit) -> Iterator[Reason]:
    """Why a unit may not be aboard a Transport: the keyword, room, and whom it carries."""
    facts: dict[str, Any] = {"unit": unit.id, "transport": transport.id}
    if transport.sheet.carries is None or not transport.has("transport"):
        yield Reason("wh40k.move.transport-definition", "", facts)
        return
    if len(unit.models) > room(state, transport):
        yield Reason(
            "wh40k.move.transport-capacity", "", {**facts, "models": len(unit.models), "room": room(state, transport)}
        )
    model = not_carried(unit, transport)
    if model:
        yield Reason("wh40k.move.transport-capacity", "reason.wh40k.not-carried", {**facts, "model": model})


def not_carried(unit: Unit, transport: Unit) -> str:
    """A model of the unit of a kind that the Transport does not carry, if there is one."""
    carries = transport.sheet.carries
    wanted = carries.keywords if carries is not None else ()
    for model in unit.models:
        own = (*unit.sheet.keywords, *unit.sheet.factions, *unit.chosen, *unit.row(model).keywords)
        if not all(word in own for word in wanted):
            return model.id
    return ""


# -- getting in ----------------------------------------------------------------------------------------------------


def embark_objections(state: State, unit: Unit, transport: Unit) -> Iterator[Reason]:
    """Why a unit that has moved may not embark."""
    facts: dict[str, Any] = {"unit": unit.id, "transport": transport.id}
    if unit.move not in ("normal", "advance", "fall-back"):
        yield Reason("wh40k.move.transport-embark-needs-move", "", facts)
    if "disembarked" in unit.acts:
        yield Reason("wh40k.move.transport-no-disembark-embark", "", facts)
    if "broke-out" in unit.marks:
        yield Reason("wh40k.stratagem.desperate-breakout.no-action", "", facts)
    vessel = transport.models[0] if transport.models else None
    away = [m.id for m in unit.models if vessel is None or not within(m, vessel, NEAR)]
    if away:
        gap = max((true_gap(m, vessel) for m in unit.models), default=0.0) if vessel is not None else 0.0
        told = {**facts, "models": away, "distance": round(gap, 3), "allowed": NEAR}
        yield Reason("wh40k.move.transport-embark", "", told)
    if transport.engaged:
        yield Reason(
            "wh40k.move.transport-embark",
            "reason.wh40k.transport-engaged",
            {**facts, "enemies": list(transport.engaged)},
        )
    yield from boarding_objections(state, unit, transport)


def vessels(state: State, unit: Unit) -> list[Unit]:
    """The Transports into which a unit may go now."""
    return [
        other
        for other in state.army(unit.side)
        if other.sheet.carries is not None
        and other.id != unit.id
        and next(standing(state, embark_objections(state, unit, other)), None) is None
    ]


def embark_after(battle: WhBattle, unit: Unit) -> Steps[None]:
    """wh40k.move.transport-embark: after a Normal Move, Advance or Fall Back it may go aboard, all of it or none."""
    state = battle.state
    if not any(other.sheet.carries is not None and other.side == unit.side for other in state.units.values()):
        return
    found = vessels(state, unit)
    if not found:
        return
    options = [Option(v.id, Text("option.embark", {"transport": v.id}), (v.id,)) for v in found]
    options.append(Option("no", Text("option.stay-out")))

    def refuse(wish: str) -> list[Reason]:
        other = state.units.get(wish)
        return list(embark_objections(state, unit, other)) if other is not None and other.side == unit.side else []

    choice = yield Choose(
        unit.side, Text("ask.embark", {"unit": unit.id}), options, "wh40k.move.transport-embark", unit.id, refuse
    )
    if choice != "no":
        go_aboard(state, unit, state.unit(choice))
        unit.act("embarked")
        settle(state)
        battle.emit(
            "embarked", "wh40k.move.transport-embark", "wh40k.move.transport-off-table", unit=unit.id, transport=choice
        )


def go_aboard(state: State, unit: Unit, transport: Unit) -> None:
    """wh40k.move.transport-off-table: it is taken off the battlefield."""
    unit.where, unit.aboard = "aboard", transport.id
    unit.cr = 0.0


def has_passengers(state: State, transport: Unit) -> bool:
    return transport.sheet.carries is not None and bool(embarked(state, transport))


def passengers_move(state: State, transport: Unit) -> None:
    """wh40k.move.transport-inherit-move: passengers count as having made the Transport's move, beside what they did
    before they went aboard."""
    if transport.sheet.carries is None or not state.applies("wh40k.move.transport-inherit-move"):
        return
    for unit in embarked(state, transport):
        unit.move = max(unit.move, transport.move, key=BINDING.index)


# -- getting out ---------------------------------------------------------------------------------------------------


def disembark_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not disembark now; that there is no place for it is proved, not guessed."""
    facts: dict[str, Any] = {"unit": unit.id}
    if unit.where != "aboard":
        yield Reason("wh40k.move.transport-disembark", "reason.wh40k.not-aboard", facts)
        return
    transport = state.unit(unit.aboard)
    if transport.where != "table":
        yield Reason("wh40k.core.on-the-battlefield", "", {"unit": transport.id})
        return
    if not unit.began_aboard:
        yield Reason("wh40k.move.transport-disembark", "reason.wh40k.began-outside", facts)
    if "embarked" in unit.acts:
        yield Reason("wh40k.move.transport-no-disembark-embark", "", facts)
    if transport.move in ("normal", "advance", "fall-back"):
        yield Reason(
            "wh40k.move.transport-disembark", "reason.wh40k.transport-moved", {**facts, "transport": transport.id}
        )
    if "arrived" in transport.marks and state.options.arrived_transports == "stay-aboard":
        yield Reason("wh40k.move.transport-disembark", "reason.wh40k.transport-arrived", facts)
    if next(exits(state, unit, transport, NEAR), None) is None:
        yield Reason("wh40k.move.transport-disembark", "reason.wh40k.no-place", facts)


def exits(state: State, unit: Unit, transport: Unit, reach: float) -> Iterator[Exits]:
    """The judge of places to get out at, unless some model can have none."""
    placer = exits_of(state, unit, transport, reach)
    if all(placer.some_place(m) for m in unit.models):
        yield placer


def disembarking(state: State, side: int) -> list[Option]:
    """Units that may get out now."""
    return [
        Option(
            f"disembark:{u.id}",
            Text("option.disembark", {"unit": u.id}),
            (u.id, u.aboard),
            ("wh40k.move.transport-disembark",),
        )
        for u in state.units.values()
        if u.where == "aboard"
        and u.side == side
        and u.began_aboard
        and next(standing(state, disembark_objections(state, u)), None) is None
    ]


@step
def disembark(battle: WhBattle, key: str) -> Steps[None]:
    """It is set up and may act as usual; it has moved, whatever it does (wh40k.move.transport-disembark-moved)."""
    state = battle.state
    unit = state.unit(key)
    transport = state.unit(unit.aboard)
    placer = exits_of(state, unit, transport, NEAR)
    placer.default = battle.know(lambda: placer.around() or placer.filled())
    ends = yield from ask_place(unit, placer, "wh40k.move.transport-disembark", "ask.disembark")
    if not ends:
        return
    step_out(state, unit, ends)
    unit.mark("disembarked")
    unit.act("disembarked")
    unit.move = ""
    battle.emit(
        "disembarked", "wh40k.move.transport-disembark", "wh40k.core.wholly-within",
        "wh40k.move.transport-disembark-moved", unit=key, transport=transport.id,
    )  # fmt: skip


def ask_place(
    unit: Unit, placer: Placer, rule: str, prompt: str, propose: Propose | None = None
) -> Steps[dict[str, Model]]:
    """Ask where a unit is set up."""
    text = Text(prompt, {"unit": unit.id})
    return (yield from placing.ask_place(unit.side, placer, text, rule, propose))


def step_out(state: State, unit: Unit, ends: dict[str, Model]) -> None:
    unit.where, unit.aboard = "table", ""
    put(unit, ends)
    refresh(unit)
    settle(state)


# -- wrecks --------------------------------------------------------------------------------------------------------


class Wreck:
    """A Transport that is destroyed with units aboard: wh40k.move.transport-destroyed-order."""

    def __init__(self, battle: WhBattle, transport: Unit, reach: float, need: int) -> None:
        self.battle = battle
        self.transport = transport
        self.reach = reach
        self.need = need
        self.out: list[Unit] = []
        self.placed = 0

    @staticmethod
    def of(battle: WhBattle, transport: Unit) -> Steps[Wreck | None]:
        """Is anybody aboard, and will they leave in an emergency (wh40k.stratagem.emergency-disembarkation)?"""
        state, side = battle.state, transport.side
        if not embarked(state, transport) or transport.where != "table":
            return None
        wreck = Wreck(battle, transport, NEAR, 1)
        if may_use(state, side, "emergency-disembarkation"):
            prompt = Text("ask.emergency", {"transport": transport.id})
            if (yield Confirm(side, prompt, "wh40k.stratagem.emergency-disembarkation", transport.id)):
                use(battle, side, "emergency-disembarkation", transport=transport.id)
                wreck.reach, wreck.need = FAR, 2
        return wreck

    def bail_out(self) -> Steps[None]:
        """After it has exploded, which spares them (wh40k.move.transport-destroyed-no-explosion), and before it is
        removed its passengers are set up."""
        for unit in embarked(self.battle.state, self.transport):
            count = yield from tumble_out(self.battle, unit, self.transport, self.reach)
            self.placed += count
            if count:
                self.out.append(unit)
                unit.mark("wrecked")
                unit.mark("disembarked")
                unit.act("disembarked")
                if self.need == 2:
                    unit.mark("emergency")
        rules = ["wh40k.move.transport-destroyed-order", "wh40k.move.transport-destroyed-restrictions"]
        if self.transport.sheet.explodes is not None:
            rules.append("wh40k.move.transport-destroyed-no-explosion")
        self.battle.emit("bailed-out", *rules, transport=self.transport.id, units=[u.id for u in self.out])

    def losses(self) -> Steps[None]:
        """wh40k.move.transport-destroyed-rolls: a die for each model that got out; each 1 (in an emergency each 1 or 2)
        costs a model of the owner's choice."""
        emergency = "wh40k.stratagem.emergency-disembarkation.losses"
        rule = emergency if self.need == 2 else "wh40k.move.transport-destroyed-rolls"
        if not self.placed or not self.battle.state.applies(rule):
            return
        side, who = self.transport.side, self.transport.id
        roll = self.battle.roll(self.placed, "wreck", rule, side=side, who=who, need=self.need + 1)
        lost = sum(face <= self.need for face in roll.faces)
        if lost:
            yield from lose_some(self.battle, self.out, lost, rule)


def tumble_out(battle: WhBattle, unit: Unit, transport: Unit, reach: float) -> Steps[int]:
    """Set up as many models as find room; wh40k.move.transport-destroyed-unplaceable: the others are destroyed, which
    ones is the owner's choice. Where no places for all were found the owner may still tell some."""
    state = battle.state
    placer = exits_of(state, unit, transport, reach)
    placer.default = placer.around() or placer.filled()
    if placer.default is not None:
        ends = yield from ask_place(unit, placer, ORDER, "ask.disembark")
    else:
        bailing = Bailing(state, unit, transport, reach)
        ends = {}
        if bailing.found or not bailing.hopeless:
            text = Text("ask.disembark", {"unit": unit.id})
            answer = yield Move(unit.side, text, bailing, None, UNPLACEABLE, unit.id, bailing.default)
            ends = bailing.plan(answer).ends
        lost = [m.id for m in unit.models if m.id not in ends]
        if lost:
            battle.emit("no-room", UNPLACEABLE, unit=unit.id, models=lost)
            take_away(unit, lost)
    if not unit.models:
        destroyed(battle, unit, "")
        return 0
    step_out(state, unit, ends)
    return len(unit.models)
