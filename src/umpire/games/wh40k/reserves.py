"""Strategic reserves: who is put there and what it costs, where and when units come (reserves.*)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from umpire.engine.decisions import ChooseSeveral, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.abilities import held
from umpire.games.wh40k.measuring import engages, to_polygon, wholly_in
from umpire.games.wh40k.moving import Ends
from umpire.games.wh40k.placing import Allowed, Placer, away_from_enemies
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.units import embarked
from umpire.miniatures.loose.bodies import half_width
from umpire.miniatures.loose.room import Bounds, by_polygon, from_edges
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

DEEP = 6.0
"""How far from an edge units are set up."""
NINE = 9.0
OWN = "own:"
"""How a unit is named that stays away by a rule of its own."""
EDGES = ("near", "far", "left", "right")


# -- declaring -----------------------------------------------------------------------------------------------------


def cost(power: int) -> int:
    """wh40k.reserves.cp-cost: 1 up to a Power Rating of 9 in all, and 1 more for every 10."""
    return 1 + power // 10 if power else 0


def with_passengers(state: State, units: Sequence[Unit]) -> list[Unit]:
    """wh40k.reserves.limit.transports: who is aboard counts as well."""
    found = list(units)
    if state.applies("wh40k.reserves.limit.transports"):
        for unit in units:
            found += [u for u in embarked(state, unit) if u not in found]
    return found


def off_table(state: State, side: int) -> list[Unit]:
    """wh40k.reserves.own-rule-units-free: units that are away by a rule of their own cost nothing but count."""
    own = [u for u in state.units.values() if u.side == side and u.where == "orbit"]
    return with_passengers(state, own)


def declaration_reasons(state: State, side: int, keys: Sequence[str]) -> Iterator[Reason]:
    """Every reason why these units may not be put into strategic reserves together."""
    player = state.sides[side]
    own = [state.unit(key[len(OWN) :]) for key in keys if key.startswith(OWN)]
    units = [state.unit(key) for key in keys if not key.startswith(OWN)]
    for unit in own:
        if unit in units or not held(state, unit, "orbit"):
            yield Reason("wh40k.reserves.definition", "", {"unit": unit.id})
    for unit in units:
        if unit.sheet.role == "fortification":
            ids = ("wh40k.reserves.eligible", "wh40k.detachment.fortification.no-reserves")
            if all(state.applies(rule) for rule in ids):
                yield from (Reason(rule, "", {"unit": unit.id}) for rule in ids)
    if player.reserved:
        yield Reason("wh40k.reserves.declare.once", "", {"side": Text(f"side.{side}")})
    if standing_there := [u.id for u in state.units.values() if u.side == side and u.where == "table"]:
        yield Reason("wh40k.reserves.declare.when", "", {"units": standing_there})
    if not units and not own:
        return
    going = with_passengers(state, units)
    free = [*off_table(state, side), *with_passengers(state, own)]
    if not state.applies("wh40k.reserves.own-rule-units-free"):
        going, free = [*going, *free], []
    away = [*going, *(u for u in free if u not in going)]
    points = sum(u.points for u in away)
    if 2 * points > player.points:
        yield Reason("wh40k.reserves.limit.points", "", {"points": points, "most": player.points // 2})
    if 2 * len(away) > player.units:
        yield Reason("wh40k.reserves.limit.units", "", {"units": len(away), "most": player.units // 2})
    price = cost(sum(u.power for u in going))
    if price > player.cp:
        yield Reason("wh40k.reserves.cp-cost", "", {"cost": price, "cp": player.cp})


def eligible(state: State, side: int) -> list[Unit]:
    return [
        u
        for u in state.units.values()
        if u.side == side and u.where == "muster" and next(standing(state, _barred(state, u)), None) is None
    ]


def _barred(state: State, unit: Unit) -> Iterator[Reason]:
    if unit.sheet.role == "fortification":
        yield Reason("wh40k.reserves.eligible", "", {"unit": unit.id})


def declaring(state: State, side: int) -> ChooseSeveral | None:
    """wh40k.reserves.declare.when: both players say at once, before anybody is set up, who comes later."""
    units = eligible(state, side) if state.mission.reserves and state.sides[side].cp else []
    own = [
        f"{OWN}{u.id}"
        for u in state.units.values()
        if u.side == side and u.where == "muster" and held(state, u, "orbit")
    ]
    if not units and not own:
        return None

    def judge(answer: Sequence[str]) -> list[Reason]:
        return list(declaration_reasons(state, side, answer))

    def propose(rng: Rng) -> list[str]:
        if rng.below(2):
            return []
        all_of_them = [u.id for u in units] + own + own
        some = list(dict.fromkeys(rng.sample(all_of_them, min(len(all_of_them), 1 + rng.below(3)))))
        while some and judge(some):
            some = some[:-1]
        return some

    options = [Option(u.id, None, (u.id,)) for u in units]
    options += [Option(key, Text("option.own-reserve", {"unit": key[len(OWN) :]}), (key[len(OWN) :],)) for key in own]
    rule = "wh40k.reserves.declare.when"

    def refuse(wish: str) -> list[Reason]:
        return list(waiting_objections(state, side, wish))

    return ChooseSeveral(side, "ask.reserves", options, 0, None, rule, "", judge, propose, refuse=refuse)


def waiting_objections(state: State, side: int, wish: str) -> Iterator[Reason]:
    """Why a unit cannot wait in reserve, or not by a rule of its own."""
    unit = state.units.get(wish.removeprefix(OWN))
    if unit is None:
        return
    facts = {"unit": unit.id}
    if unit.side != side:
        yield Reason("wh40k.unit.friend-enemy", "", facts)
    elif wish.startswith(OWN) and not held(state, unit, "orbit"):
        yield Reason("wh40k.reserves.own-rule-units-free", "reason.wh40k.no-own-reserve", facts)
    elif unit.where != "muster":
        yield Reason("wh40k.reserves.declare.when", "", facts)
    else:
        yield from declaration_reasons(state, side, [wish])


@step
def declare_reserves(battle: WhBattle) -> Steps[None]:
    """wh40k.reserves.declare.once: all at one time, and once."""
    state = battle.state
    asks = {side: ask for side in (0, 1) if (ask := declaring(state, side)) is not None}
    answers = (yield list(asks.values())) if asks else {}
    for side in asks:
        put_aside(battle, side, answers[side])


def put_aside(battle: WhBattle, side: int, keys: Sequence[str]) -> None:
    state = battle.state
    player = state.sides[side]
    player.reserved = True
    if not keys:
        return
    own = [state.unit(key[len(OWN) :]) for key in keys if key.startswith(OWN)]
    units = [state.unit(key) for key in keys if not key.startswith(OWN)]
    price = cost(sum(u.power for u in with_passengers(state, units)))
    if state.applies("wh40k.reserves.cp-cost"):
        player.cp -= price
    for unit in units:
        unit.where = "reserve"
    for unit in own:
        unit.where = "orbit"
    rules = ["wh40k.reserves.declare.when", "wh40k.reserves.cp-cost"] if units else ["wh40k.reserves.definition"]
    if own:
        rules += ["wh40k.reserves.own-rule-units-free"]
    if len(with_passengers(state, units)) > len(units):
        rules.append("wh40k.reserves.limit.transports")
    battle.emit("reserves", *rules, side=Text(f"side.{side}"), units=[u.id for u in (*units, *own)], cost=price)


# -- where they come -----------------------------------------------------------------------------------------------


def facing(state: State, side: int) -> float:
    """Towards the enemy's edge."""
    edge = state.mission.edges[max(0, state.sides[side].zone)]
    return {"near": 0.0, "far": 180.0, "left": 90.0, "right": 270.0}[edge]


def own_edge(state: State, side: int) -> str:
    return state.mission.edges[state.sides[side].zone]


def from_edge(state: State, model: Model, edge: str) -> tuple[float, float]:
    """How far the nearest and the farthest part of a model are from an edge of the battlefield."""
    match edge:
        case "near":
            far, (nx, ny) = model.y, (0.0, -1.0)
        case "far":
            far, (nx, ny) = state.depth - model.y, (0.0, 1.0)
        case "left":
            far, (nx, ny) = model.x, (-1.0, 0.0)
        case _:
            far, (nx, ny) = state.width - model.x, (1.0, 0.0)
    half = half_width(model, nx, ny)
    return far - half, far + half


def oversized(model: Model) -> bool:
    """wh40k.reserves.oversized: so large that it cannot be wholly within 6 inches of an edge, however it is turned."""
    return 2 * model.q > DEEP + TOLERANCE


def edge_rule(state: State) -> str:
    return "wh40k.reserves.place.round-2" if state.round <= 2 else "wh40k.reserves.place.round-3"


def one_edge(state: State, unit: Unit, ends: Sequence[Model]) -> str:
    """The edge by which all of these models come; "" if there is none."""
    enemy = own_edge(state, 1 - unit.side)
    for edge in EDGES:
        if edge != enemy and all(from_edge(state, m, edge)[1] <= DEEP + TOLERANCE for m in ends):
            return edge
    return ""


def at_home(state: State, unit: Unit, ends: Sequence[Model]) -> bool:
    """wh40k.reserves.place.own-edge-exception: wholly in its own zone, each model within an inch of its own edge."""
    if not state.applies("wh40k.reserves.place.own-edge-exception"):
        return False
    zone = state.mission.zones[state.sides[unit.side].zone]
    edge = own_edge(state, unit.side)
    close = [from_edge(state, m, edge)[0] <= 1.0 + TOLERANCE for m in ends]
    near = any(close) if state.options.own_edge == "one-model" else all(close)
    return near and all(wholly_in(m, zone) for m in ends)


def near_edge(state: State, unit: Unit) -> Allowed:
    """Each model wholly within 6 inches of an edge that is not the enemy's, in round 2 not in the enemy's zone."""
    enemy_zone = state.mission.zones[state.sides[1 - unit.side].zone]
    rule = edge_rule(state)

    def allowed(end: Model) -> Reason | None:
        if not one_edge(state, unit, (end,)):
            far = min(from_edge(state, end, e)[1] for e in EDGES if e != own_edge(state, 1 - unit.side))
            return Reason(rule, "", {"model": end.id, "inches": round(far, 3)})
        if state.round <= 2 and _touches(end, enemy_zone):
            return Reason("wh40k.reserves.place.round-2", "reason.wh40k.enemy-zone", {"model": end.id})
        return None

    return allowed


def touching_edge(state: State, unit: Unit) -> Allowed:
    """wh40k.reserves.oversized: a model that fits nowhere else is set up touching its own edge."""
    edge = own_edge(state, unit.side)

    def allowed(end: Model) -> Reason | None:
        gap = from_edge(state, end, edge)[0]
        if gap > TOLERANCE * 2:
            return Reason("wh40k.reserves.oversized", "", {"model": end.id, "gap": round(gap, 3)})
        return None

    return allowed


def _touches(model: Model, zone: Sequence[tuple[float, float]]) -> bool:
    return to_polygon(model, zone) < TOLERANCE


def arrival(state: State, unit: Unit) -> tuple[Placer, str, Iterator[tuple[float, float]]]:
    """Who judges where a unit of the strategic reserves comes, how it comes, and places to try."""
    nine = away_from_enemies(state, unit, NINE, "wh40k.reserves.place.nine-inches")
    if unit.has("aircraft") and state.applies("wh40k.reserves.aircraft.place"):
        far = away_from_enemies(state, unit, NINE, "wh40k.reserves.aircraft.place")
        placer = Placer(state, unit, unit.models, far, "wh40k.reserves.aircraft.place")
        placer.off_enemies(NINE)
        return placer, "aircraft", anywhere(state)
    huge = [m.id for m in unit.models if oversized(m)] if state.applies("wh40k.reserves.oversized") else []
    near, touching = near_edge(state, unit), touching_edge(state, unit)

    def allowed(end: Model) -> Reason | None:
        return touching(end) if end.id in huge else near(end)

    def final(ends: Ends) -> list[Reason]:
        models = list(ends.values())
        if not one_edge(state, unit, [m for m in models if m.id not in huge]):
            return [Reason(edge_rule(state), "reason.wh40k.two-edges", {"unit": unit.id})]
        if at_home(state, unit, models):
            return []
        found = (nine(m) for m in models)
        return [why for why in found if why is not None][:1]

    def by(edge: str) -> Callable[[Model], bool]:
        """Is a model where it comes by this edge, and far enough from the enemy?"""
        return lambda end: (
            nine(end) is None
            and (touching(end) is None if end.id in huge else from_edge(state, end, edge)[1] <= DEEP + TOLERANCE)
        )

    rule = "wh40k.reserves.oversized" if huge else edge_rule(state)
    placer = Placer(state, unit, unit.models, allowed, rule, final)
    placer.off_enemies(NINE, lambda m: _edges_of(state, m))
    enemy = own_edge(state, 1 - unit.side)
    placer.ways = [by(edge) for edge in EDGES if edge != enemy]
    placer.ways = [*placer.ways, lambda end: at_home(state, unit, (end,))]
    if huge:
        return placer, "oversized", brink(state, unit, own_edge(state, unit.side))
    return placer, "edge", edges(state, unit)


def _edges_of(state: State, m: Model) -> Bounds:
    """What bounds the places of those who come by an edge: how far from it they are, and the zones."""
    bounds = from_edges(state.width, state.depth, DEEP - m.r) + from_edges(state.width, state.depth, 1.0 + m.r)
    for zone in state.mission.zones:
        bounds += by_polygon(zone, m.r)
    return bounds


def edges(state: State, unit: Unit) -> Iterator[tuple[float, float]]:
    """Places along the edges that are not the enemy's."""
    enemy = own_edge(state, 1 - unit.side)
    r = max(m.r for m in unit.models)
    for deep in (2.2 * r, 3.0, 1.1 * r):
        for k in range(24):
            part = ((k * 7) % 24 + 0.5) / 24
            for edge in EDGES:
                if edge == enemy:
                    continue
                if edge in ("near", "far"):
                    yield part * state.width, deep if edge == "near" else state.depth - deep
                else:
                    yield deep if edge == "left" else state.width - deep, part * state.depth


def ambushes(state: State, unit: Unit) -> Iterator[tuple[float, float]]:
    """Places at the own edge, in the own zone, by enemies who have come that far."""
    edge = own_edge(state, unit.side)
    r = max(m.r for m in unit.models)
    for other in state.army(1 - unit.side):
        for m in other.models:
            if edge in ("near", "far") and from_edge(state, m, edge)[0] <= DEEP:
                for aside in (0.0, 1.5, -1.5):
                    yield m.x + aside, r + 0.05 if edge == "near" else state.depth - r - 0.05


def brink(state: State, unit: Unit, edge: str) -> Iterator[tuple[float, float]]:
    """Places that touch the own edge."""
    model = unit.models[0]
    half = half_width(model, 0.0, 1.0)
    for k in range(48):
        part = ((k * 11) % 48 + 0.5) / 48
        if edge in ("near", "far"):
            yield part * state.width, half if edge == "near" else state.depth - half
        else:
            half = half_width(model, 1.0, 0.0)
            yield half if edge == "left" else state.width - half, part * state.depth


def anywhere(state: State) -> Iterator[tuple[float, float]]:
    """Places all over the battlefield."""
    for k in range(220):
        yield ((k * 89) % 220 + 0.5) / 220 * state.width, ((k * 53) % 220 + 0.5) / 220 * state.depth


# -- what follows from how it came ---------------------------------------------------------------------------------


def after_arrival(battle: WhBattle, unit: Unit, how: str) -> None:
    """What a unit may not do this turn, and that one set up in Engagement Range counts as having charged."""
    state = battle.state
    if how == "oversized":
        unit.mark("oversized")
        battle.emit("oversized", "wh40k.reserves.oversized", "wh40k.reserves.oversized.limits", unit=unit.id)
    if how == "aircraft":
        unit.mark("flew-in")
        battle.emit("flew-in", "wh40k.reserves.aircraft.place", "wh40k.reserves.aircraft.no-charge", unit=unit.id)
    foes = [key for key in unit.engaged if any(engages(m, o) for m in unit.models for o in state.unit(key).models)]
    if foes and state.applies("wh40k.reserves.place.engaged-counts-as-charge"):
        unit.mark("charged")
        unit.targets = tuple(foes)
        rules = ["wh40k.reserves.place.own-edge-exception", "wh40k.reserves.place.engaged-counts-as-charge"]
        if state.applies("wh40k.reserves.place.engaged-free-targets"):
            unit.mark("free-targets")
            rules.append("wh40k.reserves.place.engaged-free-targets")
        battle.emit("ambushed", *rules, unit=unit.id, targets=foes)
