"""Setting the battlefield up, and the deployment phase (aos.deploy.*)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.decisions import Choose, Form, Option, Place, pick
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.aos.abilities import offers, option, refusal, side_name, use_ability
from umpire.games.aos.battlefield import ground, parts_of, terrain_objections
from umpire.games.aos.known_abilities import Ability, AosBattle, effect_of, own_abilities
from umpire.games.aos.movement import put
from umpire.games.aos.placing import Placer
from umpire.games.aos.rounds import start_round
from umpire.games.aos.state import Feature, Model, Point, State, Unit, Use
from umpire.games.aos.terrain import make_feature
from umpire.games.aos.units import settle
from umpire.miniatures.loose.bodies import to_polygon, wholly_in
from umpire.miniatures.loose.groups import enclose
from umpire.miniatures.loose.placing import ask_place
from umpire.miniatures.loose.room import by_polygon
from umpire.space.angles import heading
from umpire.space.laying import Clear, place_for, within_outline
from umpire.space.shapes import TOLERANCE, snap
from umpire.text import Text


def first_faces(state: State, side: int) -> float:
    """A facing towards the enemy's territory, in whole degrees."""

    def middle(territory: int) -> tuple[float, float]:
        points = state.plan.territories[territory]
        return math.fsum(x for x, _ in points) / len(points), math.fsum(y for _, y in points) / len(points)

    (ax, ay), (bx, by) = middle(state.sides[side].territory), middle(state.sides[1 - side].territory)
    return float(round(heading(bx - ax, by - ay)) % 360)


@step
def deployment(battle: AosBattle) -> None:
    """aos.deploy.order: faction terrain, then units, then other deployment phase abilities."""
    state = battle.state
    state.phase = "deployment"
    state.active = state.begins
    battle.emit("deployment", "aos.deploy.order", "aos.round.structure", side=side_name(state.begins))
    battle.plan(
        (deploy_terrain, state.begins),
        (deploy_terrain, 1 - state.begins),
        (deploy_next, state.begins, ""),
        (late_abilities, state.begins),
        (late_abilities, 1 - state.begins),
        start_round,
    )


@step
def deploy_terrain(battle: AosBattle, side: int) -> Steps[None]:
    """Every faction terrain feature of a player, in the order that the player picks."""
    keys = [
        u.id
        for u in battle.state.units.values()
        if u.side == side and u.where == "roster" and u.profile.kind == "terrain"
    ]
    if not keys:
        return
    rule = "aos.deploy.faction-terrain"
    others = {u.id: [Reason(rule, "", {"unit": u.id})] for u in battle.state.units.values() if u.id not in keys}
    key = yield from pick(side, "ask.deploy-next", keys, rule, "", others)
    battle.plan((use_ability, side, "deploy-faction-terrain", key), (deploy_terrain, side))


def faction_feature(unit: Unit, x: float, y: float) -> Feature:
    """The terrain feature that a faction terrain warscroll puts on the table: an octagon over its base."""
    r = unit.models[0].r
    points = [
        (r * sx, r * sy)
        for sx, sy in ((1, 0.4), (0.4, 1), (-0.4, 1), (-1, 0.4), (-1, -0.4), (-0.4, -1), (0.4, -1), (1, -0.4))
    ]
    scroll = unit.profile
    return make_feature(
        f"{unit.id}-terrain",
        scroll.name,
        "faction",
        [(points, scroll.height, True)],
        x,
        y,
        0.0,
        scroll.features,
        unit.id,
    )


FACTION = Clear(edge=0.0, pieces=3.0, markers=3.0)
"""How far faction terrain is from the edge, other features and objectives."""


def land_judge(state: State, unit: Unit, home: Sequence[Point]) -> Callable[[Any], list[Reason]]:
    """Judges where faction terrain may be set up."""
    model = unit.models[0]
    rule = "aos.deploy.faction-terrain"

    def judge(answer: Any) -> list[Reason]:
        spot = Model("", snap(answer["x"]), snap(answer["y"]), r=model.r, q=model.q)
        reasons = [] if wholly_in(spot, home) else [Reason(rule, "reason.aos.territory", {"unit": unit.id})]
        return [*reasons, *terrain_objections(state, faction_feature(unit, spot.x, spot.y), FACTION, rule)]

    return judge


def land_for(state: State, unit: Unit, home: Sequence[Point]) -> dict[str, float] | None:
    """The place for a faction terrain feature that is nearest to the middle of a territory; None: there is none."""
    r = unit.models[0].r
    parts = parts_of(faction_feature(unit, 0.0, 0.0))
    middle = (sum(x for x, _ in home) / len(home), sum(y for _, y in home) / len(home))
    spot = place_for(ground(state), parts, FACTION, middle, within_outline(home, r))
    return None if spot is None else {"x": spot[0], "y": spot[1]}


@effect_of(Ability("deploy-faction-terrain", "aos.deploy.faction-terrain", "deploy", "any", ("deploy terrain",)))
def deploy_faction_terrain(battle: AosBattle, use: Use) -> Steps[None]:
    """Wholly inside your territory, more than 3 inches from every objective and every other terrain feature."""
    state = battle.state
    unit = state.unit(use.unit)
    home = state.plan.territories[state.sides[use.side].territory]
    model = unit.models[0]
    rule = "aos.deploy.faction-terrain"

    judge = land_judge(state, unit, home)

    def propose(rng: Rng) -> Any:
        xs, ys = [p[0] for p in home], [p[1] for p in home]
        return {"x": round(rng.uniform(min(xs), max(xs)), 2), "y": round(rng.uniform(min(ys), max(ys)), 2)}

    rng = Rng(7)
    default = next((wish for wish in (propose(rng) for _ in range(200)) if not judge(wish)), None)
    if default is None:
        found = land_for(state, unit, home)
        default = found if found is not None and not judge(found) else None
    if default is None:
        unit.where = "gone"
        battle.emit("no-room", rule, "aos.core.set-up", what=unit.id)
        return
    answer = yield Place(
        use.side,
        Text("ask.deploy", {"unit": unit.id}),
        judge,
        propose,
        rule,
        unit.id,
        default,
        form=Form(ways=("spot",), pieces=(model.id,)),
    )
    model = msgspec.structs.replace(model, x=snap(answer["x"]), y=snap(answer["y"]))
    unit.models = (model,)
    unit.where = "table"
    enclose(unit)
    state.terrain.append(faction_feature(unit, model.x, model.y))
    order = list(state.units)  # whoever put his down first, so that a scene of units in their order gives the same
    state.terrain.sort(key=lambda feature: order.index(feature.unit) if feature.unit else -1)
    battle.emit("deployed", rule, "aos.core.faction-terrain", unit=unit.id, x=model.x, y=model.y)


def undeployed(state: State, side: int) -> list[Unit]:
    return [u for u in state.units.values() if u.side == side and u.where == "roster" and u.profile.kind == "unit"]


@step
def deploy_next(battle: AosBattle, side: int, regiment: str) -> Steps[None]:
    """aos.core.deploy-alternate: players alternate; a regiment being deployed goes on until it is complete."""
    state = battle.state
    waiting = undeployed(state, side)
    if regiment:
        rest = [u for u in waiting if u.regiment == int(regiment)]
        if not rest:
            regiment = ""
            battle.push(hand_over, side)
            return
        waiting = rest
    if not waiting:
        if undeployed(state, 1 - side):
            battle.push(deploy_next, 1 - side, "")
        return
    options = [option(state, f"deploy-unit:{u.id}") for u in waiting]
    for unit in waiting:
        for ability in own_abilities(state, unit):
            if ability.has("deploy"):
                options.append(option(state, f"{ability.id}:{unit.id}"))
    if not regiment:
        options += [
            Option(
                f"deploy-regiment:{n}",
                Text("option.regiment", {"unit": members[0]}),
                tuple(members),
                ("aos.deploy.regiment",),
                unit=members[0],
                deed=Text("option.whole-regiment"),
            )
            for n, members in enumerate(state.regiments)
            if members and whole_regiment(state, side, members)
        ]

    def refuse(wish: str) -> list[Reason]:
        return deploy_refusal(state, side, wish, regiment)

    choice = yield Choose(side, "ask.deploy-next", options, "aos.core.deploy-alternate", "", refuse)
    key, _, who = choice.partition(":")
    if key == "deploy-regiment":
        battle.emit(
            "regiment",
            "aos.deploy.regiment",
            "aos.deploy.regiment-definition",
            side=side_name(side),
            units=list(state.regiments[int(who)]),
        )
        battle.push(deploy_next, side, who)
        return
    after = (deploy_next, side, regiment) if regiment else (hand_over, side)
    battle.plan((use_ability, side, key, who), after)


def whole_regiment(state: State, side: int, members: Sequence[str]) -> bool:
    units = [state.unit(key) for key in members]
    return units[0].side == side and all(u.where == "roster" for u in units)


def deploy_refusal(state: State, side: int, wish: str, regiment: str) -> list[Reason]:
    key, _, who = wish.partition(":")
    if key == "deploy-regiment" and who.isdigit() and int(who) < len(state.regiments):
        return [Reason("aos.deploy.regiment", "reason.aos.regiment-begun", {"units": list(state.regiments[int(who)])})]
    if who in state.units:
        unit = state.unit(who)
        if unit.side != side:
            return [Reason("aos.core.friendly-enemy", "", {"unit": who})]
        if unit.where != "roster":
            return [Reason("aos.deploy.unit", "reason.aos.deployed", {"unit": who})]
        if regiment and unit.regiment != int(regiment):
            return [Reason("aos.deploy.regiment", "reason.aos.other-regiment", {"unit": who})]
        return refusal(state, side, wish)
    return []


@step
def hand_over(battle: AosBattle, side: int) -> None:
    """Who has nothing left to deploy has finished; the other goes on alone."""
    state = battle.state
    if not undeployed(state, side) and state.finished_first < 0:
        state.finished_first = side
        battle.emit("finished", "aos.core.deploy-alternate", side=side_name(side))
    battle.push(deploy_next, 1 - side, "")


def deployable(state: State, unit: Unit) -> Placer:
    """aos.deploy.unit: wholly within friendly territory and more than 9 inches from enemy territory."""
    home = state.plan.territories[state.sides[unit.side].territory]
    away = state.plan.territories[state.sides[1 - unit.side].territory]
    more = state.plan.deploy_gap

    def allowed(end: Model) -> Reason | None:
        if not wholly_in(end, home):
            return Reason("aos.deploy.unit", "reason.aos.territory", {"unit": unit.id})
        gap = to_polygon(end, away)
        if gap <= more + TOLERANCE:
            return Reason(
                "aos.deploy.unit", "reason.aos.near-territory", {"model": end.id, "gap": round(gap, 3), "more": more}
            )
        return None

    placer = Placer(state, unit, unit.models, allowed)
    placer.bounded(lambda m: by_polygon(home, m.r) + by_polygon(away, m.r + more))
    return placer


def home_spots(state: State, unit: Unit, rng: Rng) -> Iterator[tuple[float, float]]:
    """Random places in the unit's territory, then all of it row by row."""
    home = state.plan.territories[state.sides[unit.side].territory]
    xs, ys = [p[0] for p in home], [p[1] for p in home]
    for _ in range(60):
        yield rng.uniform(min(xs) + 1, max(xs) - 1), rng.uniform(min(ys) + 1, max(ys) - 1)
    y = min(ys)
    while y < max(ys):
        x = min(xs)
        while x < max(xs):
            yield x, y
            x += 0.75
        y += 0.75


@effect_of(Ability("deploy-unit", "aos.deploy.unit", "deploy", "any", ("deploy",)))
def deploy_unit(battle: AosBattle, use: Use) -> Steps[None]:
    state = battle.state
    unit = state.unit(use.unit)
    placer = deployable(state, unit)
    facing = first_faces(state, unit.side)

    def search(rng: Rng) -> Any:
        return placer.search(rng, home_spots(state, unit, rng), facing, 2000)

    def propose(rng: Rng) -> Any:
        return default if rng.below(2) else search(rng)

    default = placer.default = battle.know(lambda: search(Rng(len(battle.answers))) or placer.filled())
    ends: dict[str, Model] = {}
    if default is not None or not placer.hopeless:
        prompt = Text("ask.deploy", {"unit": unit.id})
        ends = yield from ask_place(unit.side, placer, prompt, "aos.deploy.unit", propose)
    if not ends:
        unit.where = "gone"
        battle.emit("no-room", "aos.core.set-up", what=unit.id)
        return
    put(unit, ends)
    unit.where = "table"
    enclose(unit)
    battle.emit(
        "deployed",
        "aos.deploy.unit",
        "aos.core.set-up",
        unit=unit.id,
        x=round(unit.cx, 3),
        y=round(unit.cy, 3),
    )


@step
def late_abilities(battle: AosBattle, side: int) -> Steps[None]:
    """Step 3: deployment phase abilities that are neither Deploy nor Deploy Terrain."""
    state = battle.state
    settle(state)
    options = [option(state, offer) for offer in offers(state, side) if not offer.startswith("deploy-")]
    if not options:
        return
    options.append(Option("done", Text("option.done")))
    prompt = Text("ask.ability", {"phase": Text("phase.deployment")})

    def refuse(wish: str) -> list[Reason]:
        return refusal(state, side, wish)

    choice = yield Choose(side, prompt, options, "aos.deploy.order", "", refuse)
    if choice != "done":
        key, _, who = choice.partition(":")
        battle.plan((use_ability, side, key, who), (late_abilities, side))
