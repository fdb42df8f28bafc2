"""Transports: who goes aboard, gets out, and what becomes of passengers of a wreck (move.transport-*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.decisions import Choose, Confirm, Move, Option, Propose
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.core_stratagems import lose_some
from umpire.games.wh40k.damage import destroyed
from umpire.games.wh40k.measuring import ENGAGEMENT, base, settle, true_gap, wholly_near, within
from umpire.games.wh40k.moving import STAY
from umpire.games.wh40k.placing import Allowed, Placer, away_from_engagement
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.stratagems import may_use, use
from umpire.games.wh40k.units import coherent, embarked, put, refresh, take_away
from umpire.miniatures.loose import placing
from umpire.miniatures.loose.room import Bounds
from umpire.miniatures.loose.ways import Plan
from umpire.space import havens
from umpire.space.measure import furthest
from umpire.space.shapes import TOLERANCE, snap
from umpire.text import Text

NEAR = 3.0
BINDING = ("", "stationary", "normal", "advance", "fall-back")
"""Moves, those last that forbid most: who has made two of them is bound by the later."""
ORDER = "wh40k.move.transport-destroyed-order"
UNPLACEABLE = "wh40k.move.transport-destroyed-unplaceable"
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


def exits(state: State, unit: Unit, transport: Unit, reach: float) -> Iterator[Placer]:
    """The judge of places to get out at, unless some model can have none."""
    placer = exit_placer(state, unit, unit.models, transport, reach)
    if all(placer.some_place(m, transport.models[0], reach) for m in unit.models):
        yield placer


def exit_allowed(state: State, unit: Unit, transport: Unit, reach: float) -> Allowed:
    """wh40k.move.transport-disembark: wholly within 3 inches of the Transport, outside Engagement Range."""
    vessel = transport.models[0]
    clear = away_from_engagement(state, unit)

    def allowed(end: Model) -> Reason | None:
        if not wholly_near(end, vessel, reach):
            far = round(furthest(base(end), base(vessel)), 3)
            facts = {"model": end.id, "transport": transport.id, "inches": reach, "gap": far}
            return Reason("wh40k.move.transport-disembark", "reason.wh40k.not-wholly-near", facts)
        return clear(end)

    return allowed


def exit_placer(state: State, unit: Unit, models: Sequence[Model], transport: Unit, reach: float) -> Placer:
    allowed = exit_allowed(state, unit, transport, reach)
    placer = Placer(state, unit, models, allowed, "wh40k.move.transport-disembark")
    vessel = transport.models[0]
    placer.off_enemies(ENGAGEMENT, lambda m: Bounds(((vessel.x, vessel.y, vessel.r + reach - m.r - havens.HAIR),)))
    placer.confined = lambda m: ((vessel.x, vessel.y, vessel.r + reach),)
    return placer


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
    placer = exit_placer(state, unit, unit.models, transport, NEAR)
    placer.default = battle.know(lambda: placer.around(transport.models[0], NEAR) or placer.filled())
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


class Bailing(Placer):
    """Judges where passengers of a wreck are set up, as many as there is room for: so many fit at the least, which the
    places that were found prove, and nobody may be left out for whom there is a place beside the others."""

    def __init__(self, state: State, unit: Unit, transport: Unit, reach: float) -> None:
        self.vessel, self.reach = transport.models[0], reach
        super().__init__(state, unit, unit.models, exit_allowed(state, unit, transport, reach), ORDER)
        self.found = self.completed(self.most_around(self.vessel, reach))
        self.optional()
        self.default = {"models": self.found} if self.found else dict(STAY)

    @property
    def hopeless(self) -> bool:
        """Is it proved that no model finds a place at all?"""
        return not any(self.some_place(m, self.vessel, self.reach) for m in self.models)

    def completed(self, kept: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        """The same places and those of others who fit beside them."""
        kept = dict(kept)
        for m in self.models:
            if m.id not in kept and (spot := self.room_beside(m, kept)) is not None:
                kept[m.id] = spot
        return kept

    def room_beside(self, m: Model, kept: dict[str, dict[str, float]]) -> dict[str, float] | None:
        """A place for one more, in coherency with those who have theirs."""
        stand = [msgspec.structs.replace(o, x=kept[o.id]["x"], y=kept[o.id]["y"]) for o in self.models if o.id in kept]
        near = [(self.vessel.x, self.vessel.y, self.vessel.r + self.reach - m.q + TOLERANCE)]
        taken = [(o.x, o.y, o.q + m.q) for o in stand] + self.barred(m, self.vessel, self.reach)
        for mate in stand:
            inside = [*near, (mate.x, mate.y, self.coherency.reach + mate.q + m.q)]
            spot = havens.place(m.q, inside, taken, (self.width, self.depth))
            if spot is None:
                continue
            end = msgspec.structs.replace(m, x=snap(spot[0]), y=snap(spot[1]), z=0.0)
            if self.spot(end, stand) is None and coherent(self.state, [*stand, end]):
                return {"x": end.x, "y": end.y, "facing": 0.0}
        return None

    def read(self, answer: Any) -> Plan[Model]:
        kept = answer.get("models", {}) if "stay" not in answer else {}
        facts = {"unit": self.unit.id, "room": len(self.found)}
        if len(kept) < len(self.found):
            return Plan([Reason(UNPLACEABLE, "reason.wh40k.more-room", facts)], {})
        mine = [m for m in self.models if m.id in kept]
        if len(mine) < len(kept):
            return Plan([Reason(ORDER, "reason.loose.all-models", {"unit": self.unit.id})], {})
        left = next((m for m in self.models if m.id not in kept and self.room_beside(m, kept) is not None), None)
        if left is not None:
            return Plan([Reason(UNPLACEABLE, "reason.wh40k.room-for", {"model": left.id})], {})
        ends = [
            msgspec.structs.replace(
                m, x=snap(kept[m.id]["x"]), y=snap(kept[m.id]["y"]), z=0.0, facing=kept[m.id].get("facing", 0.0)
            )
            for m in mine
        ]
        return Plan(*self.weigh(ends, {key: wish.get("z") for key, wish in kept.items()}))


def tumble_out(battle: WhBattle, unit: Unit, transport: Unit, reach: float) -> Steps[int]:
    """Set up as many models as find room; wh40k.move.transport-destroyed-unplaceable: the others are destroyed, which
    ones is the owner's choice. Where no places for all were found the owner may still tell some."""
    state = battle.state
    placer = exit_placer(state, unit, unit.models, transport, reach)
    placer.default = placer.around(transport.models[0], reach) or placer.filled()
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
