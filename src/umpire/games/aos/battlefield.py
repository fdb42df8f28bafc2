"""Setting the battlefield up: objectives, terrain, territories, First Blood (aos.core.battlefield-setup)."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import msgspec

from umpire.engine.decisions import ByRule, Choose, Form, Held, Option, Place
from umpire.engine.picture import Shape
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.engine.throwing import rolled_off
from umpire.games.aos import content
from umpire.games.aos.abilities import side_name
from umpire.games.aos.known_abilities import AosBattle
from umpire.games.aos.objectives import MARKER
from umpire.games.aos.state import Feature, Point, State
from umpire.games.aos.terrain import make_feature, size_of
from umpire.space.angles import rotate
from umpire.space.laying import ROUGH, Clear, Ground, any_place, parts_gap
from umpire.space.plain import overhang, point_polygon
from umpire.space.shapes import TOLERANCE, convex_hull, snap
from umpire.text import Text

FIRST_BLOOD = Clear(edge=3.0, pieces=6.0, markers=3.0)


@step
def battlefield(battle: AosBattle) -> None:
    """aos.core.battlefield-setup: objectives, terrain, territories, deployment, in this order."""
    state = battle.state
    for side, player in enumerate(state.sides):
        rules = ("aos.core.army-points", "aos.core.army-faction", "aos.core.army-regiments")
        battle.emit("roster", *rules, side=side_name(side), faction=player.name, points=player.points)
    for unit in state.units.values():
        player = state.sides[unit.side]
        if unit.profile.wizard and not player.spells and not any(a.spell for a in unit.profile.abilities):
            battle.emit("no-spells", "aos.core.universal-spells", unit=unit.id)
    battle.emit("objectives", "aos.core.battlefield-setup", "aos.objective.marker", count=len(state.objectives))
    if state.plan.setup == "first-blood":
        battle.plan(first_blood)
        return
    for feature in state.terrain:
        battle.emit(
            "terrain", "aos.core.terrain-types", "aos.core.terrain-sizes", feature=feature.id, size=size_of(feature)
        )
    battle.plan(territories)


def roll_off(battle: AosBattle) -> int:
    """aos.core.roll-off: the higher die wins, ties are rolled again."""
    return rolled_off(battle, "aos.core.roll-off")


@step
def territories(battle: AosBattle) -> Steps[None]:
    """The winner of a roll-off decides which territory is whose, the loser who begins deployment."""
    state = battle.state
    winner = roll_off(battle)
    yield from take_territory(battle, winner, "aos.core.battlefield-setup")
    options = [Option("me", Text("option.i-begin")), Option("you", Text("option.you-begin"))]
    choice = yield Choose(1 - winner, "ask.begin-deployment", options, "aos.core.battlefield-setup")
    state.begins = 1 - winner if choice == "me" else winner


def take_territory(battle: AosBattle, side: int, rule: str) -> Steps[None]:
    """A player decides which territory is whose."""
    state = battle.state
    options = [Option("0", Text("option.near-territory")), Option("1", Text("option.far-territory"))]
    choice = yield Choose(side, "ask.territory", options, rule)
    territory = int(choice)
    state.sides[side].territory = territory
    state.sides[1 - side].territory = 1 - territory
    battle.emit(
        "territory", "aos.core.battlefield-setup", "aos.deploy.battleplan", side=side_name(side), territory=territory
    )


FIRST_BLOOD_PIECES = ("ruin", "barricade", "hill", "wood", "shrine", "statue", "wall", "boulders")


@step
def first_blood(battle: AosBattle) -> Steps[None]:
    """The winner of a roll-off picks attacker and defender; the defender places terrain."""
    state = battle.state
    winner = roll_off(battle)
    options = [Option("attacker", Text("option.attacker")), Option("defender", Text("option.defender"))]
    choice = yield Choose(winner, "ask.attacker", options, "aos.core.first-blood-setup")
    attacker = winner if choice == "attacker" else 1 - winner
    battle.emit("attacker", "aos.core.first-blood-setup", side=side_name(attacker))
    pieces = FIRST_BLOOD_PIECES[: 4 if state.points <= 1000 else 8]
    battle.plan(*((place_terrain, 1 - attacker, piece) for piece in pieces), (attacker_begins, attacker))


@step
def attacker_begins(battle: AosBattle, attacker: int) -> Steps[None]:
    yield from take_territory(battle, attacker, "aos.core.first-blood-setup")
    battle.state.begins = attacker


def feature_of(kind: str, key: str, x: float, y: float, facing: float) -> Feature:
    data = content.terrain_kinds()[kind]
    parts = [(part.points, part.top, part.opaque) for part in data.parts]
    return make_feature(key, data.name, data.type, parts, x, y, facing)


def held(kind: str, key: str) -> Form:
    """A feature as a hand holds it before it is placed: its ground plan about its own middle, and its height."""
    parts = feature_of(kind, key, 0.0, 0.0, 0.0).parts
    plan = Shape("polygon", points=convex_hull([point for part in parts for point in part.points]))
    shapes = {key: Held(plan, max(part.top for part in parts))}
    return Form(ways=("spot",), pieces=(key,), facing=True, shapes=shapes)


def parts_of(feature: Feature) -> list[tuple[Point, ...]]:
    return [part.points for part in feature.parts]


def ground(state: State) -> Ground:
    """What lies on the table."""
    pieces = [part for feature in state.terrain for part in parts_of(feature)]
    return Ground(state.width, state.depth, pieces, [(o.x, o.y, MARKER) for o in state.objectives])


def terrain_objections(state: State, feature: Feature, clear: Clear, rule: str) -> Iterator[Reason]:
    """Each distance must be more than the rule says."""
    points = [p for part in feature.parts for p in part.points]
    edge = min(min(x, y, state.width - x, state.depth - y) for x, y in points)
    if edge <= clear.edge + TOLERANCE if clear.edge else edge < -TOLERANCE:
        yield Reason(rule, "reason.aos.terrain-edge", {"gap": round(edge, 3), "more": clear.edge})
    for other in state.terrain:
        dx, dy = other.x - feature.x, other.y - feature.y
        far = other.r + feature.r + clear.pieces + 0.1
        if dx * dx + dy * dy > far * far:
            continue
        gap = _gap(feature, other, clear.pieces)
        if gap <= clear.pieces + TOLERANCE:
            facts = {"other": other.id, "gap": round(gap, 3), "more": clear.pieces}
            yield Reason(rule, "reason.aos.terrain-near", facts)
            break
    for objective in state.objectives:
        gap = min(point_polygon(part.points, objective.x, objective.y) for part in feature.parts) - MARKER
        if gap <= clear.markers + TOLERANCE:
            yield Reason(rule, "reason.aos.terrain-objective", {"gap": round(gap, 3), "more": clear.markers})
            break


def _gap(one: Feature, other: Feature, far: float) -> float:
    """The distance between two features, measured only where it may not be more than so much."""
    close = [
        parts_gap([a.points], [b.points])
        for a in one.parts
        for b in other.parts
        if (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) <= (a.r + b.r + far + ROUGH) ** 2
    ]
    return min(close, default=math.inf)


@functools.cache
def _heart(kind: str) -> Point:
    """A point of a piece, seen from its middle."""
    part = feature_of(kind, "", 0.0, 0.0, 0.0).parts[0]
    return part.x, part.y


def surely_too_close(state: State, kind: str, x: float, y: float, facing: float, clear: Clear) -> bool:
    """Is even one point of a piece, at a glance, nearer to something than all of it may be?"""
    dx, dy = rotate(*_heart(kind), facing)
    x, y = x + dx, y + dy
    if min(x, y, state.width - x, state.depth - y) < clear.edge - ROUGH:
        return True
    near = (clear.pieces - ROUGH) ** 2
    if any((p.x - x) * (p.x - x) + (p.y - y) * (p.y - y) < near for f in state.terrain for p in f.parts):
        return True
    near = (clear.markers + MARKER - ROUGH) ** 2
    return any((o.x - x) * (o.x - x) + (o.y - y) * (o.y - y) < near for o in state.objectives)


def any_room(state: State, kind: str, key: str) -> dict[str, float] | None:
    """A place for a piece of terrain that may lie anywhere, at any facing; None: there is none, whatever its facing."""
    found = any_place(ground(state), lambda facing: parts_of(feature_of(kind, key, 0.0, 0.0, facing)), FIRST_BLOOD)
    return None if found is None else dict(zip(("x", "y", "facing"), found, strict=True))


def against_terrain(state: State) -> Iterator[Reason]:
    """What First Blood's set-up has against the features as they lie; layouts of other battleplans lie as they were
    agreed, on the battlefield."""
    features = [feature for feature in state.terrain if not feature.unit]
    for n, feature in enumerate(features):
        at = f"terrain[{n}]"
        if state.plan.setup == "layout":
            beyond = max(overhang(part.points, state.width, state.depth) for part in feature.parts)
            if beyond > TOLERANCE:
                facts = {"feature": feature.id, "beyond": round(beyond, 3)}
                yield Reason("aos.core.battlefield-setup", "reason.terrain.beyond", facts, at)
            continue
        seen = msgspec.structs.replace(state, terrain=features[:n])
        for reason in terrain_objections(seen, feature, FIRST_BLOOD, "aos.core.first-blood-setup"):
            yield msgspec.structs.replace(reason, at=at)


@step
def place_terrain(battle: AosBattle, side: int, kind: str) -> Steps[None]:
    """More than 3 inches from the edge and from objectives, more than 6 from other features."""
    state = battle.state
    key = f"t{len(state.terrain) + 1}"

    def against(answer: Any) -> Iterator[Reason]:
        feature = feature_of(kind, key, snap(answer["x"]), snap(answer["y"]), float(answer.get("facing", 0)) % 360)
        return terrain_objections(state, feature, FIRST_BLOOD, "aos.core.first-blood-setup")

    def fits(answer: Any) -> bool:
        x, y, facing = answer["x"], answer["y"], float(answer.get("facing", 0)) % 360
        return not surely_too_close(state, kind, x, y, facing, FIRST_BLOOD) and next(against(answer), None) is None

    def propose(rng: Rng) -> Any:
        return {
            "x": round(rng.uniform(4, state.width - 4), 2),
            "y": round(rng.uniform(4, state.depth - 4), 2),
            "facing": float(rng.below(4) * 45),
        }

    def somewhere() -> Any:
        rng = Rng(len(state.terrain))
        found = next((wish for wish in (propose(rng) for _ in range(150)) if fits(wish)), None)
        return found or any_room(state, kind, key)

    default = battle.know(somewhere)
    if default is None or not fits(default):
        battle.emit("no-room", "aos.core.first-blood-setup", what=content.terrain_kinds()[kind].name)
        return
    prompt = Text("ask.place-terrain", {"kind": content.terrain_kinds()[kind].name})
    layer = ByRule(lambda wish: list(against(wish)), propose, form=held(kind, key), fits=fits)
    answer = yield Place(side, prompt, layer, propose, "aos.core.first-blood-setup", "", default)
    feature = feature_of(kind, key, snap(answer["x"]), snap(answer["y"]), float(answer.get("facing", 0)) % 360)
    state.terrain.append(feature)
    battle.emit(
        "terrain",
        "aos.core.first-blood-setup",
        "aos.core.terrain-types",
        "aos.core.terrain-sizes",
        feature=key,
        size=size_of(feature),
    )
