"""Terrain (chapter 10): what each kind does to those who stand in it or move through it, and how it is laid out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.effects import Effect
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, in_force
from umpire.engine.steps import Steps
from umpire.rulebook.deciding import decides
from umpire.space.fitting import box, fits
from umpire.space.measure import separation
from umpire.space.moving import Leg, sweep
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Pose
from umpire.space.shapes import TOLERANCE, Base, Prism, Round, Thing
from umpire.text import words

from . import formation, ranked, wounds
from .hooks import Query, changes, grants, moment_of
from .profiles import Names, Scenario, Terrain, Zone
from .state import Regiment, State

ZONAL_RULES = (
    "hill",
    "forest",
    "obscuring",
    "los-blocking",
    "passable",
    "broken-ground",
    "hindering",
    "dangerous",
    "perilous",
    "impassable",
    "water",
)
"""The rules that zonal terrain may have; "hill" and "forest" fix its Height."""

GARRISON_RULES = ("building", "tower", "wall")
HEIGHTS = {"hill": 2, "forest": 3}
SPACING = 9.0
FOOTPRINT = (9.0, 6.0)
GARRISONS = 2
PIECES = (6, 8)


class Kind(NamedTuple):
    """A piece as it comes out of the box."""

    id: str
    names: Names
    width: float
    depth: float
    rules: tuple[str, ...]
    size: int = 0
    garrison: bool = False
    parts: int = 1


BOX: tuple[Kind, ...] = (
    Kind("forest", words("terrain.conquest.forest"), 6.0, 4.0, ("forest", "passable", "obscuring")),
    Kind("hill", words("terrain.conquest.hill"), 7.0, 5.0, ("hill",)),
    Kind("swamp", words("terrain.conquest.swamp"), 6.0, 4.0, ("water", "hindering")),
    Kind("ruins", words("terrain.conquest.ruins"), 5.0, 4.0, ("broken-ground", "obscuring", "hindering")),
    Kind("corn", words("terrain.conquest.tall-corn"), 6.0, 5.0, ("obscuring", "passable")),
    Kind("thorns", words("terrain.conquest.thorns"), 5.0, 4.0, ("dangerous", "broken-ground")),
    Kind("chasm", words("terrain.conquest.smoking-chasm"), 4.0, 3.0, ("perilous",)),
    Kind("crag", words("terrain.conquest.crag"), 4.0, 3.0, ("impassable", "los-blocking")),
    Kind("mist", words("terrain.conquest.bank-of-mist"), 5.0, 4.0, ("los-blocking", "passable")),
    Kind("boulders", words("terrain.conquest.boulders"), 2.0, 2.0, ("impassable", "los-blocking"), parts=2),
    Kind("manor", words("terrain.conquest.manor"), 5.0, 4.0, ("building",), 2, True),
    Kind("tower", words("terrain.conquest.watchtower"), 4.0, 4.0, ("tower",), 3, True),
)


# -- laying it out -------------------------------------------------------------------------------------------------


def piece(kind: Kind, key: str, x: float, y: float, turned: bool = False) -> Terrain:
    w, d = (kind.depth, kind.width) if turned else (kind.width, kind.depth)
    points = ((x - w / 2, y - d / 2), (x + w / 2, y - d / 2), (x + w / 2, y + d / 2), (x - w / 2, y + d / 2))
    return Terrain(key, points, "garrison" if kind.garrison else "zonal", kind.rules, kind.size, names=kind.names)


def zone_base(zone: Zone) -> Thing:
    """The ground of an objective zone."""
    return Prism(zone.points) if zone.points else Base(Round(zone.radius), zone.x, zone.y)


def check_terrain(pieces: tuple[Terrain, ...], scenario: Scenario, without: Sequence[str] = ()) -> list[Reason]:
    """Why this battlefield is refused (conquest.battle.terrain.*)."""
    return in_force(_terrain_reasons(pieces, scenario), without)


def _terrain_reasons(pieces: tuple[Terrain, ...], scenario: Scenario) -> list[Reason]:
    reasons: list[Reason] = []
    for i, one in enumerate(pieces):
        facts = {"piece": one.id}
        for rule in one.rules:
            if rule not in (ZONAL_RULES if one.kind == "zonal" else GARRISON_RULES):
                reasons.append(Reason("conquest.terrain.categories", facts={**facts, "rule": rule}))
            if rule in HEIGHTS and one.size not in (0, HEIGHTS[rule]):
                reasons.append(Reason("conquest.terrain.zonal.height", facts={**facts, "height": one.size}))
        if one.kind == "garrison" and not (one.size or any(r in GARRISON_RULES for r in one.rules)):
            reasons.append(Reason("conquest.terrain.garrison.values", facts=facts))
        thing = one.thing
        for zone in scenario.zones:
            if separation(thing, zone_base(zone)) < 0:
                reasons.append(Reason("conquest.battle.terrain.no-objective", facts={**facts, "zone": zone.id}))
        for other in pieces[i + 1 :]:
            gap = separation(thing, other.thing)
            if cluster(one) != cluster(other) and gap < SPACING - TOLERANCE:
                reasons.append(
                    Reason("conquest.battle.terrain.spacing", facts={**facts, "other": other.id, "gap": round(gap, 3)})
                )
    for name in dict.fromkeys(cluster(p) for p in pieces):
        parts = [p for p in pieces if cluster(p) == name]
        points = [point for part in parts for point in part.points]
        if not fits(points, *FOOTPRINT):
            w, d = box(points)
            rule = "conquest.battle.terrain.cluster" if len(parts) > 1 else "conquest.battle.terrain.footprint"
            reasons.append(Reason(rule, facts={"piece": name, "width": round(w, 3), "depth": round(d, 3)}))
    if sum(p.kind == "garrison" for p in pieces) > GARRISONS:
        reasons.append(Reason("conquest.battle.terrain.garrison-max", facts={"most": GARRISONS}))
    return reasons


def cluster(one: Terrain) -> str:
    """Small pieces put together count as one: "rocks/1" and "rocks/2" are both "rocks"."""
    return one.id.split("/")[0]


def warnings(pieces: tuple[Terrain, ...], without: Sequence[str] = ()) -> list[Reason]:
    """What the book only recommends: 6 to 8 pieces."""
    count = len(dict.fromkeys(cluster(p) for p in pieces))
    low, high = PIECES
    few = [] if low <= count <= high else [Reason("conquest.battle.terrain.number", facts={"pieces": count})]
    return in_force(few, without)


def lay_terrain(rng: Rng, scenario: Scenario) -> tuple[Terrain, ...]:
    """A random legal battlefield."""
    best: tuple[Terrain, ...] = ()
    for _ in range(12):
        chosen = _lay(rng, scenario, rng.between(*PIECES))
        if len(chosen) > len(best):
            best = chosen
        if len(best) >= PIECES[0]:
            break
    return best


def _lay(rng: Rng, scenario: Scenario, count: int) -> tuple[Terrain, ...]:
    laid: tuple[Terrain, ...] = ()
    kinds = [k for k in BOX if k.garrison][: rng.between(1, GARRISONS)]
    kinds += rng.shuffled([k for k in BOX if not k.garrison])[: count - len(kinds)]
    for kind in kinds:
        for _ in range(40):
            x = round(rng.uniform(5.0, scenario.width - 5.0) * 2) / 2
            y = round(rng.uniform(5.0, scenario.depth - 5.0) * 2) / 2
            if kind.garrison:
                x = round(rng.uniform(scenario.width * 0.25, scenario.width * 0.75))
                y = round(rng.uniform(scenario.depth * 0.35, scenario.depth * 0.65))
            turned = rng.below(2) == 1
            names = [kind.id] if kind.parts == 1 else [f"{kind.id}/{k + 1}" for k in range(kind.parts)]
            new = [piece(kind, name, x + 5.0 * k, y, turned) for k, name in enumerate(names)]
            apart = all(_apart(one, other) >= SPACING for one in new for other in laid)
            if apart and not any(_on_zone(one, scenario) for one in new) and _on_field(new, scenario):
                laid = (*laid, *new)
                break
    return laid


def _on_field(pieces: list[Terrain], scenario: Scenario) -> bool:
    """Wholly on the table, with room to come on beside it."""
    xs = [x for one in pieces for x, _ in one.points]
    ys = [y for one in pieces for _, y in one.points]
    return min(xs) >= 2 and max(xs) <= scenario.width - 2 and min(ys) >= 2 and max(ys) <= scenario.depth - 2


def _apart(one: Terrain, other: Terrain) -> float:
    """The distance of two upright rectangles, at less cost than measuring outlines."""
    (ax, ay), (bx, by) = one.points[0], one.points[2]
    (cx, cy), (dx, dy) = other.points[0], other.points[2]
    return math.hypot(max(cx - bx, ax - dx, 0.0), max(cy - by, ay - dy, 0.0))


def _on_zone(one: Terrain, scenario: Scenario) -> bool:
    return any(separation(one.thing, zone_base(zone)) < 0 for zone in scenario.zones)


# -- standing in it ------------------------------------------------------------------------------------------------


def stands_within(regiment: Regiment, one: Terrain) -> int:
    """Stands with any part inside the outline."""
    thing = one.thing
    return sum(separation(formation.stand_base(regiment, s), thing) < -formation.TOUCH for s in regiment.stands)


@changes("clash")
def water(query: Query) -> Effect | None:
    """-1 Clash with at least half of the stands in the water."""
    regiment = query.regiment
    if regiment.where != "table":
        return None
    for one in query.state.terrain:
        wet = "water" in one.rules and _near(regiment, one)
        if wet and stands_within(regiment, one) * 2 >= len(regiment.stands):
            rule = "conquest.terrain.zonal.water"
            return Effect(regiment.id, "clash", "add", -1, rule, source=rule)
    return None


def _near(regiment: Regiment, one: Terrain, reach: float = 0.0) -> bool:
    x, y, radius = one.circle
    room = radius + ranked.reach_of(regiment) + reach
    return (regiment.x - x) ** 2 + (regiment.y - y) ** 2 <= room * room


@changes("defense")
def garrison_defence(query: Query) -> Effect | None:
    """Every stand of the occupying regiment has the piece's Defence on top."""
    regiment = query.regiment
    if regiment.where != "garrison":
        return None
    value = query.state.piece(regiment.garrison).defense
    rule = "conquest.terrain.garrison.defence"
    return Effect(regiment.id, "defense", "add", value, rule, source=rule)


@grants("not-inspired")
def hindered(state: State, regiment: Regiment, **facts: Any) -> str:
    """A Medium or Heavy regiment that charged across Hindering terrain, in the round of that Charge."""
    return "conquest.terrain.zonal.hindering.inspired" if "hindered" in regiment.flags else ""


@grants("no-impact")
def no_impact(state: State, regiment: Regiment, target: Regiment | None = None, **facts: Any) -> str:
    if target is not None and target.where == "garrison":
        return "conquest.terrain.garrison.charge.no-impact"
    return "conquest.terrain.zonal.hindering.impact" if "hindered-charge" in regiment.flags else ""


# -- moving through it ---------------------------------------------------------------------------------------------


def crossed(regiment: Regiment, start: Pose, legs: tuple[Leg, ...], one: Terrain) -> int:
    """How many of its stands passed over the piece or ended on it."""
    thing = one.thing
    passes = next(fronts.in_the_way(ranked.disc(regiment, start), legs, (thing,), (0.0,)), None) is not None
    if not passes and not formation.near_piece(regiment, one, formation.TOUCH):
        return 0  # a charge ends turned against its target, and not where its legs lead
    began, ends = ranked.blocks(regiment, start), ranked.blocks(regiment)
    outside = fronts.gap(began, (thing,)) >= 0.0 and fronts.gap(ends, (thing,)) >= -formation.TOUCH
    if outside and sweep(began, legs, (thing,), 0.0).hit is None:
        return 0  # where the whole of it does not come, no stand does
    count = 0
    for stand in regiment.stands:
        base = formation.stand_base(regiment, stand, start)
        inside = separation(base, thing) < -formation.TOUCH
        if inside or sweep((base,), legs, (thing,), 0.0).hit is not None or _ends_in(regiment, stand, thing):
            count += 1
    return count


def _ends_in(regiment: Regiment, stand: Any, thing: Prism) -> bool:
    return separation(formation.stand_base(regiment, stand), thing) < -formation.TOUCH


def _dice(battle: Battle[State], regiment: Regiment, count: int, least: int, rule: str) -> Steps[None]:
    """A die for each stand; each that is high enough is a wound, two for Cavalry. No defence roll, no Morale Test."""
    roll = battle.roll(count, "terrain", rule, side=1 - regiment.side, who=regiment.id, need=least)
    hurt = sum(face >= least for face in roll.faces) * (2 if regiment.profile.type == "cavalry" else 1)
    battle.emit("terrain-wounds", rule, regiment=regiment.id, stands=count, wounds=hurt)
    yield from wounds.suffer(battle, regiment, hurt, "", rule)


def _danger(battle: Battle[State], regiment: Regiment, start: Pose, legs: tuple[Leg, ...]) -> Steps[None]:
    reach = _reach(regiment, start)
    for one in battle.state.terrain:
        dangerous, perilous = "dangerous" in one.rules, "perilous" in one.rules
        if not (dangerous or perilous) or not _near(regiment, one, reach):
            continue
        count = crossed(regiment, start, legs, one)
        rule = "conquest.terrain.zonal.perilous" if perilous else "conquest.terrain.zonal.dangerous"
        if count and battle.state.applies(rule):
            yield from _dice(battle, regiment, count, 4 if perilous else 6, rule)


@moment_of("marched")
def marched(battle: Battle[State], regiment: Regiment, start: Pose, legs: tuple[Leg, ...], **facts: Any) -> Steps[None]:
    """Zones are entered and left freely; impassable ground is kept away from; danger takes its toll."""
    if regiment.where != "table":
        return
    for one in battle.state.terrain:
        if one.kind != "zonal" or "impassable" in one.rules or not formation.near_piece(regiment, one):
            continue
        if fronts.gap(ranked.blocks(regiment), (one.thing,)) < -formation.TOUCH:
            rules = ["conquest.terrain.zonal.move"]
            if "passable" in one.rules:
                rules.append("conquest.terrain.zonal.passable")
            elif height(one):
                rules.append("conquest.terrain.height.size")
            battle.emit("in-terrain", *rules, regiment=regiment.id, terrain=one.id)
    yield from _danger(battle, regiment, start, legs)


@decides("conquest.terrain.height.default")
def height(one: Terrain) -> int:
    """The Height of a piece: 0 unless stated otherwise (conquest.terrain.height.default)."""
    return one.size or max((HEIGHTS[rule] for rule in one.rules if rule in HEIGHTS), default=0)


@moment_of("set-up")
def battlefield(battle: Battle[State], regiment: Regiment | None, **facts: Any) -> None:
    """What the battlefield was checked for before the battle."""
    state = battle.state
    if not state.terrain:
        return
    warned = [reason.rule for reason in warnings(state.terrain, state.without)]
    battle.emit("battlefield", "conquest.battle.terrain.fixed", pieces=len(state.terrain), warned=warned)


def _reach(regiment: Regiment, start: Pose) -> float:
    return math.hypot(regiment.x - start[0], regiment.y - start[1])


def _broken_ground(battle: Battle[State], regiment: Regiment, start: Pose, legs: tuple[Leg, ...]) -> Steps[None]:
    for one in battle.state.terrain:
        if "broken-ground" in one.rules and _near(regiment, one, _reach(regiment, start)):
            count = crossed(regiment, start, legs, one)
            rule = "conquest.terrain.zonal.broken-ground"
            if count and battle.state.applies(rule):
                yield from _dice(battle, regiment, count, 6, rule)


@moment_of("charge-moved")
def charge_moved(
    battle: Battle[State], regiment: Regiment, start: Pose, legs: tuple[Leg, ...], **facts: Any
) -> Steps[None]:
    """Broken Ground and Hindering terrain crossed by a Charge, before Impact; then what harms every move."""
    regiment.flags = tuple(flag for flag in regiment.flags if flag != "hindered-charge")
    for one in battle.state.terrain:
        if "hindering" not in one.rules or not _near(regiment, one, _reach(regiment, start)):
            continue
        if crossed(regiment, start, legs, one):
            rules = ["conquest.terrain.zonal.hindering.impact"]
            regiment.flags = (*regiment.flags, "hindered-charge")
            if regiment.profile.klass != "light":
                regiment.flags = (*regiment.flags, "hindered")
                rules.append("conquest.terrain.zonal.hindering.inspired")
            battle.emit("hindered", *rules, regiment=regiment.id, terrain=one.id)
    yield from _broken_ground(battle, regiment, start, legs)
    yield from _danger(battle, regiment, start, legs)


@moment_of("charge-failed")
def charge_failed(
    battle: Battle[State],
    regiment: Regiment,
    start: Pose | None = None,
    legs: tuple[Leg, ...] = (),
    **facts: Any,
) -> Steps[None]:
    """A failed Charge that crosses broken or dangerous ground is hurt by it too."""
    if start is not None and regiment.where == "table":
        yield from _broken_ground(battle, regiment, start, legs)
        yield from _danger(battle, regiment, start, legs)
