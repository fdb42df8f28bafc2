"""What clients draw and what things are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

import msgspec

from umpire import rulebook
from umpire.engine.decisions import Ends, Stretch
from umpire.engine.picture import Card, Marker, Picture, Piece, Purse, Value, Zone, phases
from umpire.miniatures.menus import numbered, offered, readings, ready_armies
from umpire.miniatures.pictures import Stood, figure, marks, one_block, ranked_pieces, tagged, value, with_cards
from umpire.text import Text, both, joined

from . import content, seasons
from .drafting import muster
from .formation import box, facing_of, layout
from .profiles import MM
from .state import PHASES, Options, Pool, State, Unit

HEIGHTS = (0.6, 1.0, 1.6, 2.0, 3.0, 4.0)
TERRAIN = {
    "field": ("area", 0.2),
    "forest": ("forest", 4.0),
    "hill": ("hill", 1.0),
    "impassable": ("building", 3.0),
    "ruins": ("ruins", 1.2),
    "wall": ("wall", 0.8),
    "water": ("water", 0.05),
}


def name(state: State, key: str) -> Mapping[str, str] | None:
    """What a unit, a pool, a piece of terrain or a model is called."""
    pool = state.pools.get(key)
    if pool is not None:
        return pool_names(state, pool)
    if "/" in key and key.partition("/")[0] in state.pools:
        return pool_names(state, state.pools[key.partition("/")[0]])
    for piece in state.field.terrain:
        if piece.id == key:
            return piece.names or both(f"terrain.{piece.kind}", "t9a")
    if ":" in key and key.partition(":")[2] in state.pools:
        return state.pools[key.partition(":")[2]].names
    return None


def pool_names(state: State, pool: Pool) -> Mapping[str, str]:
    """Its name, with a number where its side has several of the same entry."""
    return numbered(pool, pool.names, state.pools.values(), attrgetter("entry"))


FIGURES = {
    "t9a.rule.emplaced": "engine", "t9a.rule.fly": "flyer", "towering": "monster", "construct": "vehicle",
    "mounted": "horse", "beast": "beast", "character": "hero",
}  # fmt: skip
ICONS = {
    "engine": "cannon", "flyer": "dragon-head", "monster": "ogre", "vehicle": "chariot", "horse": "horse-head",
    "beast": "wolf-head", "hero": "crown", "foot": "spears",
}  # fmt: skip


def figure_of(pool: Pool) -> str:
    profile = pool.profile
    words = [*profile.names, *profile.traits, *(["towering"] if profile.height >= 4 else [])]
    return figure(FIGURES, [*words, *(["character"] if pool.character else [])].__contains__)


def pieces_of(state: State, unit: Unit) -> list[Piece]:
    """The models of a unit where they stand."""
    at = box(state, unit)
    facing = round(facing_of(at.ux, at.uy), 3)
    found: list[Stood] = []
    numbers: dict[str, int] = {}
    for cell in layout(state, unit).cells:
        pool = state.pools[cell.pool]
        number = numbers.get(cell.pool, 0)
        numbers[cell.pool] = number + 1
        w, d = pool.profile.base
        size = round(w / MM, 4), round(d / MM, 4)
        x, y = at.world((cell.x0 + cell.x1) / 2, (cell.y0 + cell.y1) / 2)
        kind, hp, high = figure_of(pool), pool.profile.hp, HEIGHTS[pool.profile.height]
        icon, left = "crown" if pool.character else ICONS[kind], hp - (0 if number else pool.lost)
        found.append(Stood(f"{pool.id}/{number}", size, (round(x, 4), round(y, 4)), high, icon, kind, left, hp))
    return ranked_pieces(unit, facing, found)


def standing_at(state: State, unit: Unit, x: float, y: float, facing: float, files: int = 0) -> Ends:
    """Where the models of a unit would stand, the middle of its front at a place."""
    there = msgspec.structs.replace(unit, x=x, y=y, facing=facing % 360.0, files=files or unit.files)
    return {piece.id: Stretch(x=piece.x, y=piece.y, facing=piece.facing) for piece in pieces_of(state, there)}


def placed(state: State, unit: Unit, answer: Any, facing: float) -> Ends:
    """Where its models would stand by an answer that tells the middle of its front."""
    files = max(1, min(99, int(answer.get("files", unit.files))))
    return standing_at(state, unit, float(answer["x"]), float(answer["y"]), float(answer.get("facing", facing)), files)


def pieces(state: State, key: str) -> list[Piece]:
    """The pieces of a unit, or one piece, wherever it is."""
    unit, _, number = key.partition("/")
    if unit not in state.units or not state.units[unit].members:
        return []
    found = pieces_of(state, state.units[unit])
    return [piece for piece in found if piece.id == key] if number else found


def values(state: State, pool: Pool) -> tuple[Value, ...]:
    from .characteristics import armour, defensive, offensive, speed
    from .command import own_discipline

    profile = pool.profile
    fighting = bool(state.engaged(pool.unit))
    numbers: list[tuple[str, Any, Any]] = [
        (what, profile.value(what), speed(state, pool, state.units[pool.unit], what)) for what in ("cha", "mob")
    ]
    numbers.append(("dis", profile.dis, own_discipline(state, pool)))
    numbers += [
        (what, base, defensive(state, pool, what)) for what, base in (("def", profile.df), ("res", profile.res))
    ]
    numbers.append(("arm", profile.arm, armour(state, pool, fighting)))
    result = [value(Text(f"characteristic.{what}"), base, number) for what, base, number in numbers]
    result.insert(3, Value(Text("characteristic.hp"), profile.hp, profile.hp))
    for n, part in enumerate(profile.parts):
        for what in ("agi", "att", "off", "str", "ap"):
            base = getattr(part, what.replace("str", "strength"))
            if isinstance(base, int):
                label = Text(f"characteristic.{what}")
                if len(profile.parts) > 1:
                    label = Text("characteristic.of-part", {"what": label, "part": n + 1})
                result.append(value(label, base, offensive(state, pool, part, what)))
    return tuple(result)


def card(state: State, pool: Pool) -> Card:
    unit = state.units[pool.unit]
    away = unit.where in ("ambush", "hidden", "list")
    tags = tagged(
        (True, f"height.{pool.profile.height}"), (unit.shaken and pool.count > 0, "tag.shaken"),
        (pool.general, "being.general"), (pool.bearer, "being.bearer"), (pool.standard, "being.standard"),
        (pool.musician, "being.musician"), (pool.character, "being.character"),
        (pool.wizard, f"being.wizard-{pool.wizard}"), (away, f"where.{unit.where}"),
    )  # fmt: skip
    rules = [rule_line(rule.id, rule.x) for rule in pool.profile.rules]
    for part in pool.profile.parts:
        rules += [rule_line(rule.id, rule.x) for rule in part.rules]
    return Card(
        pool.id,
        pool.side,
        dict(pool_names(state, pool)),
        ICONS[figure_of(pool)],
        tuple(f"{pool.id}/{n}" for n in range(pool.count)) if unit.where == "table" else (),
        values(state, pool) if pool.count > 0 else (),
        tags=tuple(tags),
        rules=tuple(rules),
        wounds=max(0, pool.hp),
        wounds_max=pool.start_hp,
        away=away,
        dead=pool.count <= 0,
    )


def rule_line(rule: str, x: str) -> dict[str, Any]:
    entry = rulebook.rule(rule)
    more = f" ({x})" if x else ""
    return {"name": {lang: f"{name}{more}" for lang, name in entry.names.items()}, "rule": rule}


def to_act(state: State) -> Iterator[str]:
    """Units of whose turn it is that have not yet done what this phase is for."""
    for unit in state.table(None if state.phase == "melee" else state.active):
        fighting = state.engaged(unit.id)
        if state.phase == "melee":
            able = fighting
        elif fighting or unit.shaken:
            able = state.phase == "rally" and unit.shaken
        else:
            able = not {"charge": unit.declared, "movement": unit.moved, "shooting": unit.shot}.get(state.phase, True)
        if able:
            yield unit.members[0]


def board(state: State) -> Picture:
    """The picture without its cards."""
    track: list[Any] = []
    if state.turn:
        track.append(Text("track.turn", {"turn": state.turn, "turns": 6}))
        track.append(Text("track.player", {"player": Text(f"side.{state.active}")}))
    track.append(Text(f"phase.{state.phase}"))
    if state.round is not None:
        a, b = state.round.so_far(state.applies("t9a.melee.result.health-lost"))
        track.append(Text("track.combat", {"a": a, "b": b}))
    field = state.field
    terrain = tuple(
        one_block(piece, Text(f"terrain.{piece.kind}"), *TERRAIN[piece.kind], [Text(f"terrain.{piece.kind}")])
        for piece in field.terrain
    )
    zones = tuple(
        Zone(f"zone-{side}", "deployment", field.zones[state.zone_of[side]].points, side, Text("zone.deployment"))
        for side in (0, 1)
    )
    return Picture(
        field.width,
        field.depth,
        tuple(piece for unit in state.table() for piece in pieces_of(state, unit)),
        terrain,
        tuple(markers(state)),
        zones,
        track=tuple(track),
        score=tuple(float(p) for p in points_so_far(state)),
        pools=tuple(
            Purse(side, Text(f"pool.{what}"), value)
            for side in (0, 1)
            for what, value in (
                ("dice", state.dice_pool[side]),
                ("stored", state.stored[side]),
                ("cards", list(state.decks[side])),
            )
            if value
        ),
        scenario=field.names or None,
        goal=(Text("goal.points"), Text("goal.bounty"), Text("goal.turns")),
        ground="grass",
        homes=(field.zones[state.zone_of[0]].facing, field.zones[state.zone_of[1]].facing),
        phases=phases(PHASES, state.phase, to_act(state)),
        turn=state.active if state.phase in PHASES else None,
    )


def points_so_far(state: State) -> list[int]:
    from .victory import points_for

    points = [0, 0]
    for pool in state.pools.values():
        points[1 - pool.side] += points_for(state, pool)[0]
    return points


def markers(state: State) -> list[Marker]:
    found = []
    for unit in state.table():
        on = {"shaken": unit.shaken, "spoils": unit.spoils > 0, "charging": unit.charging}
        found += marks(unit.id, unit.side, box(state, unit).centre, **on)
    return found


picture, card_of = with_cards(board, lambda state: state.pools, card)


def library() -> Mapping[str, Any]:
    """Ready armies, maps and table options for a client's menus."""
    sizes = [1500, 2000, 3000, 4500]
    season = seasons.season()
    scenarios = [
        {"id": f"{d.id}/{m.id}", "name": joined([d.name, m.name], "dot")}
        for d in season.deployments
        for m in season.maps
    ]
    return offered(
        {"id": "points", "values": sizes, "default": 2000, "name": both("table.points", "t9a")},
        ready_armies(content.books(), "points", sizes, muster, lambda roster: int(roster.size)),
        scenarios,
        readings("t9a", Options),
        ("thornmark hollow", 1500, ("ask.march ask.normal", "ask.shoot", "ask.charge-target")),
    )
