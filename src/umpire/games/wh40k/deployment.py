"""Setting up: standing wishes, armies by turns, who has the first turn (move.transport-one-drop)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from umpire.engine.decisions import Choose, ChooseSeveral, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.damage import destroyed
from umpire.games.wh40k.dice import DEFAULT_WISHES, REROLLABLE, WISHES, roll_off
from umpire.games.wh40k.forces import divide
from umpire.games.wh40k.measuring import to_polygon, wholly_in
from umpire.games.wh40k.placing import Allowed, Placer
from umpire.games.wh40k.reserves import declare_reserves, facing
from umpire.games.wh40k.state import Feature, Model, State, Unit, WhBattle
from umpire.games.wh40k.stratagems import stratagem_window
from umpire.games.wh40k.terrain import HILL, TYPES
from umpire.games.wh40k.transports import ask_place, boarding_objections, go_aboard, room, step_out
from umpire.games.wh40k.turns import battle_round
from umpire.games.wh40k.units import by_turns, coherency_rules, embarked
from umpire.miniatures.loose.room import Bounds, by_polygon, deep_in, far_from
from umpire.space.packs import Floats
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

FORT = 3.0
"""How far Fortifications stay from terrain."""


# -- the steps before the battle -----------------------------------------------------------------------------------


@step
def before_battle(battle: WhBattle) -> Steps[None]:
    """Standing wishes for Command Re-rolls, then territories, then armies by turns."""
    state = battle.state
    battle.emit("battlefield", "wh40k.core.battlefield-size", width=state.width, depth=state.depth)
    size = Text(f"size.{state.size}")
    battle.emit("mission", "wh40k.army.battle-size.mission", mission=state.mission.name, size=size)
    for side in (0, 1):
        units = [unit for unit in state.units.values() if unit.side == side]
        models, who = sum(unit.starting for unit in units), Text(f"side.{side}")
        battle.emit("army", "wh40k.unit.starting-strength", side=who, units=len(units), models=models)
    for feature in state.terrain:
        rule = "wh40k.terrain.hill" if feature.category == HILL else TYPES[feature.type].rule
        battle.emit("terrain", rule, feature=feature.id)
    answers = yield [wishes_of(side) for side in (0, 1)]
    for side in (0, 1):
        state.sides[side].wishes = tuple(answers[side])
    battle.push(zones)


def wishes_of(side: int) -> ChooseSeveral:
    """When a player wants to be asked for a Command Re-roll: of each kind of roll always, only if it failed, never."""
    options = [
        Option(f"{kind}:{when}", Text(f"wish.{when}", {"purpose": Text(f"purpose.{kind}")}))
        for kind in REROLLABLE
        for when in WISHES
    ]

    def judge(answer: Sequence[str]) -> list[Reason]:
        kinds = [wish.partition(":")[0] for wish in answer]
        if len(set(kinds)) < len(kinds):
            return [Reason("wh40k.stratagem.command-reroll", "reason.wh40k.one-wish")]
        return []

    def propose(rng: Rng) -> list[str]:
        if rng.below(2):
            return list(DEFAULT_WISHES)
        return [f"{kind}:{WISHES[rng.below(2)]}" for kind in REROLLABLE if rng.below(3) == 0]

    rule = "wh40k.stratagem.command-reroll"
    return ChooseSeveral(side, "ask.wishes", options, 0, None, rule, "", judge, propose, default=DEFAULT_WISHES)


@step
def zones(battle: WhBattle) -> Steps[None]:
    """The winner of a roll-off takes a deployment zone and sets up second; the loser begins."""
    state = battle.state
    winner = roll_off(battle)
    options = [Option("0", Text("option.zone-0")), Option("1", Text("option.zone-1"))]
    choice = yield Choose(winner, "ask.zone", options, "wh40k.dice.roll-off")
    state.sides[winner].zone = int(choice)
    state.sides[1 - winner].zone = 1 - int(choice)
    state.picker = 1 - winner
    battle.plan(divide, go_aboard_first, declare_reserves, deploy_next)


@step
def go_aboard_first(battle: WhBattle) -> Steps[None]:
    """wh40k.move.transport-deploy-embarked: who starts the battle aboard is told before any Transport is set up."""
    state = battle.state
    asks = {side: ask for side in (0, 1) if (ask := boarding(state, side)) is not None}
    answers = (yield list(asks.values())) if asks else {}
    for side in asks:
        for pair in answers[side]:
            key, _, transport = pair.partition(">")
            go_aboard(state, state.unit(key), state.unit(transport))
            battle.emit(
                "aboard",
                "wh40k.move.transport-deploy-embarked",
                "wh40k.move.transport-definition",
                unit=key,
                transport=transport,
            )


def boarding(state: State, side: int) -> ChooseSeveral | None:
    """Which units are in which Transports."""
    mine = [u for u in state.units.values() if u.side == side and u.where == "muster"]
    vessels = [u for u in mine if u.sheet.carries is not None]
    pairs = [
        (u, v)
        for u in mine
        for v in vessels
        if u is not v and next(standing(state, boarding_objections(state, u, v)), None) is None
    ]
    if not pairs:
        return None

    def judge(answer: Sequence[str]) -> list[Reason]:
        taken: dict[str, int] = {}
        units: list[str] = []
        for pair in answer:
            key, _, transport = pair.partition(">")
            taken[transport] = taken.get(transport, 0) + len(state.unit(key).models)
            if key in units or transport in units or any(p.startswith(f"{transport}>") for p in answer):
                return [Reason("wh40k.move.transport-capacity", "reason.wh40k.aboard-once", {"unit": key})]
            units.append(key)
        for transport, models in taken.items():
            if models > room(state, state.unit(transport)):
                facts = {
                    "unit": transport,
                    "transport": transport,
                    "models": models,
                    "room": room(state, state.unit(transport)),
                }
                return [Reason("wh40k.move.transport-capacity", "", facts)]
        return []

    def propose(rng: Rng) -> list[str]:
        chosen: list[str] = []
        for u, v in rng.shuffled(pairs):
            if rng.below(3) and not judge([*chosen, f"{u.id}>{v.id}"]):
                chosen.append(f"{u.id}>{v.id}")
        return chosen

    options = [
        Option(f"{u.id}>{v.id}", Text("option.aboard", {"unit": u.id, "transport": v.id}), (u.id, v.id))
        for u, v in pairs
    ]
    rule = "wh40k.move.transport-deploy-embarked"
    return ChooseSeveral(side, "ask.aboard", options, 0, None, rule, "", judge, propose)


@step
def deploy_next(battle: WhBattle) -> Steps[None]:
    """wh40k.move.transport-one-drop: by turns, a unit or a Transport with its load at a time, until all are set up."""
    state = battle.state
    waiting = [u for u in state.units.values() if u.where == "muster"]
    if not waiting:
        battle.plan((stratagem_window, 0, "before"), (stratagem_window, 1, "before"), first_turn)
        return
    mine = by_turns(state, waiting)
    key, side = mine[0].id, mine[0].side
    if len(mine) > 1:
        options = [Option(u.id, None, (u.id,)) for u in mine]
        rule = "wh40k.move.transport-one-drop"

        def refuse(wish: str) -> list[Reason]:
            return list(deploy_objections(state, side, wish))

        key = yield Choose(side, "ask.deploy-next", options, rule, "", refuse)
    state.picker = 1 - side
    battle.plan((deploy, key), deploy_next)


def deploy_objections(state: State, side: int, wish: str) -> Iterator[Reason]:
    """Why a unit is not set up now: it is the opponent's, comes later, or comes with its Transport."""
    unit = state.units.get(wish)
    if unit is None:
        return
    facts: dict[str, Any] = {"unit": unit.id}
    if unit.side != side:
        yield Reason("wh40k.unit.friend-enemy", "", facts)
    elif unit.where == "aboard":
        rule = "wh40k.move.transport-deploy-embarked"
        yield Reason(rule, "reason.wh40k.comes-aboard", {**facts, "transport": unit.aboard})
    elif unit.where in ("reserve", "orbit"):
        yield Reason("wh40k.reserves.arrive.step", "reason.wh40k.comes-later", facts)
    else:
        yield Reason("wh40k.move.transport-one-drop", "reason.wh40k.set-up-already", facts)


def clear_of_terrain(state: State, unit: Unit) -> Allowed:
    """wh40k.detachment.fortification.setup-distance: more than 3 inches from the terrain."""
    rule = "wh40k.detachment.fortification.setup-distance"
    features = _kept_off(state, unit)

    def allowed(end: Model) -> Reason | None:
        for feature in features:
            gap = to_polygon(end, feature.points)
            if gap <= FORT + TOLERANCE:
                return Reason(rule, "", {"model": end.id, "feature": feature.id, "gap": round(gap, 3)})
        return None

    return allowed


def _kept_off(state: State, unit: Unit) -> list[Feature]:
    """From which terrain a fortification keeps away: every feature but its own pieces
    (wh40k.detachment.fortification.own-terrain); hills are none."""
    hills = state.applies("wh40k.terrain.hill")
    own = state.applies("wh40k.detachment.fortification.own-terrain")
    return [f for f in state.terrain if not ((hills and f.category == HILL) or (own and f.unit == unit.id))]


def _free(
    state: State, unit: Unit, zone: Sequence[tuple[float, float]], m: Model, found: Floats
) -> npt.NDArray[np.bool_]:
    """At which of many points the middle of a model might be: in the zone, and a fortification's off the terrain."""
    free = deep_in(found, zone, m.q)
    if unit.sheet.role == "fortification":
        for feature in _kept_off(state, unit):
            free &= far_from(found, feature.points, m.q + FORT)
    return free


def _off_terrain(state: State, unit: Unit, m: Model) -> Bounds:
    """What bounds the places of a fortification."""
    bounds = Bounds()
    for feature in _kept_off(state, unit):
        bounds += by_polygon(feature.points, m.r + FORT)
    return bounds


def deployer(state: State, unit: Unit, zone: Sequence[tuple[float, float]]) -> Placer:
    """Who judges where a unit is deployed: wholly in the zone; a fortification off the terrain."""
    rule = "wh40k.unit.coherency-when"

    def at_home(end: Model) -> Reason | None:
        return None if wholly_in(end, zone) else Reason(rule, "reason.wh40k.not-in-zone", {"model": end.id})

    fort = unit.sheet.role == "fortification"
    clear = clear_of_terrain(state, unit)
    allowed: Allowed = (lambda end: at_home(end) or clear(end)) if fort else at_home
    placer = Placer(state, unit, unit.models, allowed, rule)
    placer.bounded(lambda m: by_polygon(zone, m.r) + (_off_terrain(state, unit, m) if fort else Bounds()))
    placer.sift = lambda m: lambda found: _free(state, unit, zone, m, found)
    return placer


@step
def deploy(battle: WhBattle, key: str) -> Steps[None]:
    """In its own deployment zone, in coherency (wh40k.unit.coherency-when)."""
    state = battle.state
    unit = state.unit(key)
    zone = state.mission.zones[state.sides[unit.side].zone]
    rule = "wh40k.unit.coherency-when"
    fort = unit.sheet.role == "fortification"
    placer = deployer(state, unit, zone)
    turned = facing(state, unit.side)

    def found() -> Any:
        place = placer.search(Rng(len(state.units)), spots_in(zone, Rng(len(state.units))), turned, 400)
        if place is None and not fort:
            place = placer.grown(spots_in(zone, Rng(1), 30), turned)
        return place or placer.filled()

    placer.default = battle.know(found)

    def propose(rng: Rng) -> Any:
        return placer.search(rng, iter([next(spots_in(zone, rng)) for _ in range(4)]), turned)

    ends = yield from ask_place(unit, placer, rule, "ask.deploy", propose)
    if not ends:
        lost = "wh40k.detachment.fortification.cannot-deploy" if fort else "wh40k.unit.destroyed-otherwise"
        if not state.applies(lost):
            unit.where = "reserve"
            return
        destroyed(battle, unit, "")
        battle.emit("no-room", lost, unit=key)
        return
    step_out(state, unit, ends)
    rules = list(coherency_rules(len(unit.models)))
    if embarked(state, unit):
        rules.append("wh40k.move.transport-one-drop")
    if fort:
        rules.append("wh40k.detachment.fortification.setup-distance")
    battle.emit("deployed", *rules, unit=key, x=round(unit.cx, 3), y=round(unit.cy, 3))


def spots_in(zone: Sequence[tuple[float, float]], rng: Rng, fine: int = 12) -> Iterator[tuple[float, float]]:
    """Points of a zone: some at random, then all of a grid."""
    xs, ys = [p[0] for p in zone], [p[1] for p in zone]
    for _ in range(20):
        yield rng.uniform(min(xs) + 1, max(xs) - 1), rng.uniform(min(ys) + 1, max(ys) - 1)
    for n in range(fine):
        for k in range(2 * fine):
            part = (k + 0.5) / (2 * fine)
            yield min(xs) + part * (max(xs) - min(xs)), min(ys) + (n + 0.5) * (max(ys) - min(ys)) / fine


@step
def first_turn(battle: WhBattle) -> None:
    """The winner of a roll-off has the first turn of every round."""
    state = battle.state
    state.first = roll_off(battle)
    battle.emit("first-turn", "wh40k.turn.battle-rounds", side=Text(f"side.{state.first}"))
    battle.push(battle_round)
