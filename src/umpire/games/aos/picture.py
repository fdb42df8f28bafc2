"""What clients draw and read: pieces, cards, terrain, markers, names, ready armies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from umpire.engine.picture import Block, Card, Marker, Picture, Piece, Shape, TerrainPiece, Value, Zone, homes, phases
from umpire.games.aos import content
from umpire.games.aos.abilities import side_name
from umpire.games.aos.composition import muster, total
from umpire.games.aos.describe import describe
from umpire.games.aos.numbers import value, wards
from umpire.games.aos.objectives import MARKER
from umpire.games.aos.profiles import AbilityData
from umpire.games.aos.state import PHASES, Feature, Part, State, Unit
from umpire.games.aos.units import COMBAT_RANGE
from umpire.miniatures.menus import layouts, loose_name, ready_armies
from umpire.text import Text, words

BLOCKS = {
    "area": "hill",
    "obstacle": "obstacle",
    "place-of-power": "statue",
    "impassable": "water",
}


def shape(unit: Unit) -> Shape:
    r, q = unit.profile.radii
    return Shape("round" if r == q else "oval", 2 * q, 2 * r)


def card(state: State, unit: Unit) -> Card:
    scroll = unit.profile
    values = []
    for what, base in (("move", scroll.move), ("health", scroll.health), ("control", scroll.control)):
        now = value(state, unit, what, base)
        changes = tuple(msgspec.to_builtins(change) for change in now.changes)
        values.append(Value(Text(f"value.{what}"), base, now.total, changes))
    values.append(Value(Text("value.save"), _plus(scroll.save), _plus(scroll.save)))
    ward = wards(state, unit)
    if ward:
        values.append(Value(Text("value.ward"), _plus(scroll.ward), _plus(min(ward))))
    weapons = tuple(
        {
            "name": w.name,
            "range": w.range or COMBAT_RANGE,
            "attacks": w.attacks,
            "hit": _plus(w.hit),
            "wound": _plus(w.wound),
            "rend": w.rend,
            "damage": w.damage,
            "abilities": [
                Text(f"weapon.{a}")
                if not a.startswith("anti-")
                else Text("weapon.anti", {"what": Text(f"keyword.{a[5:]}")})
                for a in w.abilities
            ],
        }
        for w in scroll.weapons
    )
    tags = [Text(f"keyword.{keyword.replace(' ', '-')}") for keyword in scroll.keywords]
    for flag, what in (
        (unit.fights, "in-combat"),
        (unit.charged, "charged"),
        ("run" in unit.keywords_turn, "ran"),
        (unit.empowered, "empowered"),
    ):
        if flag:
            tags.append(Text(f"tag.{what}"))
    if unit.ritual:
        tags.append(Text("tag.ritual", {"points": unit.ritual}))
    rules = tuple({"name": data.name, "text": data.text or describe(data)} for data in known_abilities(state, unit))
    return Card(
        unit.id,
        unit.side,
        dict(name(state, unit.id) or scroll.name),
        scroll.icon,
        tuple(m.id for m in unit.models),
        tuple(values),
        weapons,
        tuple(tags),
        rules,
        float(len(unit.models) * scroll.health - unit.damage),
        float(unit.size * scroll.health),
        done=unit.core,
        away=unit.where in ("roster", "reserve"),
        dead=unit.where == "gone",
    )


def known_abilities(state: State, unit: Unit) -> list[AbilityData]:
    """What is written on its warscroll, its enhancements, its lores and, for the general, the battle formation."""
    side = state.sides[unit.side]
    found = [*unit.profile.abilities, *(state.lore.abilities[key] for key in unit.enhancements)]
    if unit.id == side.general and side.formation:
        found.append(state.lore.abilities[side.formation])
    spells = [*(side.spells if unit.profile.wizard else ()), *(side.prayers if unit.profile.priest else ())]
    if unit.profile.wizard or unit.profile.priest:
        spells += side.summons
    return found + [state.lore.abilities[key] for key in spells if key in state.lore.abilities]


def _plus(number: int) -> str:
    return f"{number}+" if number else "-"


def block_kind(feature: Feature, part: Part) -> str:
    """How a part of a feature is drawn: what lets sight through lies on the ground, what is long and thin is a wall."""
    if feature.type == "obscuring":
        return "forest" if not part.opaque else "wall" if part.r > 2 else "trunk"
    if part.top <= 1 and not (feature.type == "obstacle" and part.opaque):
        return "hill" if part.opaque else "water" if feature.type == "impassable" else "area"
    return BLOCKS.get(feature.type, "building")


FIGURES = {
    "monster": "monster",
    "war machine": "engine",
    "cavalry": "horse",
    "beast": "beast",
    "manifestation": "beast",
    "hero": "hero",
}


def figure(keywords: tuple[str, ...]) -> str:
    """The wooden piece that stands for a model, by its first keyword that says so."""
    return next((kind for word, kind in FIGURES.items() if word in keywords), "foot")


def models(unit: Unit) -> list[Piece]:
    footprint, scroll = shape(unit), unit.profile
    return [
        Piece(
            m.id,
            unit.id,
            unit.side,
            footprint,
            m.x,
            m.y,
            m.z,
            m.facing,
            scroll.height,
            scroll.icon,
            1,
            scroll.health - (unit.damage if n == 0 else 0),
            scroll.health,
            figure(scroll.keywords),
        )
        for n, m in enumerate(unit.models)
    ]


def pieces(state: State, key: str) -> list[Piece]:
    """The models of a unit, wherever it is, or one model, slain or not."""
    if key in state.units:
        return models(state.unit(key))
    everybody = (msgspec.structs.replace(u, models=(*u.models, *u.slain)) for u in state.units.values() if u.slain)
    return [piece for unit in everybody for piece in models(unit) if piece.id == key]


def to_act(state: State) -> Iterator[str]:
    """Units that have not used a core ability in this phase, where that is what they are asked for."""
    for unit in state.units.values():
        if not unit.on_table or unit.core or unit.profile.kind != "unit":
            continue
        mine = unit.side == state.active
        free = state.phase == "charge" and mine and not unit.fights
        shoots = state.phase == "shooting" and mine and any(w.range for w in unit.profile.weapons)
        fights = state.phase == "combat" and bool(unit.fights)
        if (state.phase == "movement" and mine) or free or shoots or fights:
            yield unit.id


def picture(state: State) -> Picture:
    return msgspec.structs.replace(board(state), cards=tuple(card(state, u) for u in state.units.values()))


def card_of(state: State, key: str) -> Card | None:
    return card(state, state.units[key]) if key in state.units else None


def board(state: State) -> Picture:
    """The picture without its cards."""
    shown = [u for u in state.units.values() if u.where == "table" and u.profile.kind != "terrain"]
    figures = [piece for unit in shown for piece in models(unit)]
    terrain = tuple(
        TerrainPiece(
            f.id,
            f.name,
            tuple(Block(block_kind(f, part), part.points, 0.0, part.top) for part in f.parts),
            tuple(Text(f"terrain.{ability}") for ability in f.abilities),
        )
        for f in state.terrain
    )
    markers = tuple(
        Marker(
            o.id,
            "objective",
            o.x,
            o.y,
            0.0,
            MARKER,
            COMBAT_RANGE + MARKER,
            None if o.holder < 0 else o.holder,
            Text("objective", {"n": n + 1}),
        )
        for n, o in enumerate(state.objectives)
    )
    owners = {side.territory: n for n, side in enumerate(state.sides)}
    zones = tuple(
        Zone(f"territory-{n}", "deployment", points, owners.get(n), Text("territory"))
        for n, points in enumerate(state.plan.territories)
    )
    pools = tuple(
        {"side": n, "name": Text("pool.command"), "value": side.command} for n, side in enumerate(state.sides)
    )
    turn = (Text("track.turn", {"side": side_name(state.active)}),) if state.phase in PHASES else ()
    now = (Text("track.round", {"round": state.round, "rounds": state.rounds}),) if state.round else ()
    track = (*now, *turn, Text(f"phase.{state.phase}"))
    return Picture(
        state.width,
        state.depth,
        tuple(figures),
        terrain,
        markers,
        zones,
        (),
        track,
        tuple(float(side.vp) for side in state.sides),
        pools,
        state.plan.name,
        goal=(*([state.plan.text] if state.plan.text else ()), Text("goal.rounds", {"rounds": state.rounds})),
        ground="grass",
        homes=homes(state.plan.territories, (side.territory for side in state.sides), state.width, state.depth),
        phases=phases(PHASES, state.phase, to_act(state)),
        turn=state.active if state.phase in PHASES else None,
    )


def name(state: State, key: str) -> Mapping[str, str] | None:
    return loose_name(key, state, lambda unit: unit.profile, lambda n: words("menu.aos.objective", n=n))


def library() -> Mapping[str, Any]:
    """Ready armies, battleplans and options for a client's menus."""
    return {
        "armies": ready_armies(content.factions(), "points", [1000, 2000], muster, total),
        "first": {
            "armies": ["tidewardens-1000", "cinderclans-1000"],
            "options": {"points": 1000},
            "tries": ("ask.tactic", "ask.move", "ask.ability:charge"),
        },
        "scenarios": [{"id": plan.id, "name": plan.name, "text": plan.text} for plan in content.core().battleplans],
        "options": [
            {"id": "points", "values": [1000, 2000], "default": 1000, "name": words("menu.aos.points")},
            layouts(content.core().layouts, words("menu.aos.terrain-layout")),
        ],
    }
