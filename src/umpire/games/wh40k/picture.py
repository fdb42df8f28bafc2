"""What clients draw and read: pieces, cards, terrain, markers, names, ready armies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import msgspec

from umpire.engine.picture import Block, Card, Marker, Picture, Piece, Shape, TerrainPiece, Value, Zone, homes, phases
from umpire.games.wh40k import content, describe
from umpire.games.wh40k.characteristics import number, printed
from umpire.games.wh40k.drafting import muster
from umpire.games.wh40k.missions import CONTROL, MARKER
from umpire.games.wh40k.mustering import SIZES, total
from umpire.games.wh40k.profiles import amount
from umpire.games.wh40k.state import PHASES, Feature, Model, Options, State, Unit
from umpire.miniatures.loose.bodies import half_length
from umpire.miniatures.menus import layouts, loose_name, readings, ready_armies
from umpire.text import Text, both, words

BLOCKS = {
    "ruins": "area",
    "craters": "area",
    "armoured-containers": "building",
    "barricades": "obstacle",
    "woods": "forest",
    "debris": "obstacle",
    "industrial-structures": "building",
    "statuary": "statue",
    "ruined-walls": "wall",
}


def shape(model: Model) -> Shape:
    if model.hull:
        return Shape("rect", 2 * model.q, 2 * half_length(model))
    return Shape("round" if model.r == model.q else "oval", 2 * model.q, 2 * model.r)


def _plus(value: int) -> str:
    return f"{value}+" if value else "-"


def card(state: State, unit: Unit) -> Card:
    sheet = unit.sheet
    values = []
    models = (*unit.models, *unit.dead)[:1]  # none of a unit that was taken apart (it became several)
    for model, what in product(models, ("m", "ws", "bs", "s", "t", "w", "a", "ld", "sv")):
        base = printed(state, unit, model, what)
        text = amount(base)
        now: Any = base
        changes: tuple[dict[str, Any], ...] = ()
        if not text.random and what != "w":
            found = number(state, unit, model, what)
            now = int(found.total)
            changes = tuple(msgspec.to_builtins(change) for change in found.changes)
        if what in ("ws", "bs", "sv"):
            base, now = _plus(int(base)), _plus(int(now))
        values.append(Value(Text(f"value.{what}"), base, now, changes))
    weapons = tuple(
        {
            "name": p.name or w.name,
            "range": p.range,
            "type": Text(f"type.{p.type}"),
            "attacks": "" if p.melee else p.attacks,
            "s": Text("strength.user") if p.s == "user" else p.s,
            "ap": p.ap,
            "damage": p.d,
            "abilities": [weapon_rule(rule) for rule in p.rules],
        }
        for w in sheet.weapons
        for p in w.profiles
    )
    tags = [Text(f"keyword.{word}") for word in sheet.keywords]
    for flag, what in ((unit.engaged, "engaged"), ("charged" in unit.marks, "charged"), (unit.action, "action")):
        if flag:
            tags.append(Text(f"tag.{what}"))
    if unit.move:
        tags.append(Text(f"move.{unit.move}"))
    everybody = (*unit.models, *unit.dead)
    return Card(
        unit.id,
        unit.side,
        dict(name(state, unit.id) or sheet.name),
        sheet.icon,
        tuple(m.id for m in unit.models),
        tuple(values),
        weapons,
        tuple(tags),
        tuple(rules(state, unit)),
        float(sum(m.wounds for m in unit.models)),
        float(sum(sheet.row(m.row).w for m in everybody)),
        away=unit.where not in ("table", "gone"),
        dead=unit.where == "gone",
    )


def weapon_rule(rule: str) -> Text:
    """A rule of a weapon, which may end in a number: "poison-4"."""
    word = rule.rstrip("0123456789")
    return Text(f"weapon.{word.rstrip('-')}", {"n": rule[len(word) :]})


def rules(state: State, unit: Unit) -> Iterator[dict[str, Any]]:
    """What a card tells beside numbers and weapons: abilities, what else stands on the datasheet, powers known."""
    for ability in (*unit.sheet.abilities, *unit.gifts):
        yield {"name": ability.name, "text": describe.ability(ability)}
    yield from describe.sheet(unit.sheet, [unit.sheet.row(m.row) for m in (*unit.models, *unit.dead)])
    for key in unit.powers:
        power = state.lore.powers.get(key)
        if power is not None:
            yield {"name": power.name, "text": describe.power(power)}


def piece(unit: Unit, m: Model) -> Piece:
    full = unit.sheet.row(m.row).w
    return Piece(
        m.id, unit.id, unit.side, shape(m), m.x, m.y, m.z, m.facing, m.height, unit.sheet.icon, 1, m.wounds, full,
        figure(unit),
    )  # fmt: skip


FIGURES = {
    "aircraft": "flyer", "building": "engine", "artillery": "engine", "monster": "monster", "vehicle": "vehicle",
    "biker": "horse", "cavalry": "horse", "beast": "beast", "swarm": "beast", "character": "hero",
}  # fmt: skip


def figure(unit: Unit) -> str:
    """The wooden piece that stands for a model, by the first keyword that says so."""
    return next((kind for word, kind in FIGURES.items() if unit.has(word)), "foot")


def pieces(state: State, key: str) -> list[Piece]:
    """The models of a unit, wherever it is, or one model, lost or not."""
    if key in state.units:
        unit = state.unit(key)
        return [piece(unit, m) for m in unit.models]
    return [piece(u, m) for u in state.units.values() for m in (*u.models, *u.dead) if m.id == key]


def _blocks(feature: Feature) -> Iterator[Block]:
    """The footprint on the ground, and what stands on it."""
    if feature.category == "hill":
        yield from (Block("hill", p.points, p.floor, p.top) for p in feature.parts)
        return
    if feature.parts:
        yield Block("area", feature.points, 0.0, 0.1)
    else:
        yield Block(BLOCKS[feature.type], feature.points, 0.0, feature.height)
    for part in feature.parts:
        kind = BLOCKS[feature.type] if part.kind == "body" else part.kind
        yield Block("obstacle" if kind == "area" else kind, part.points, part.floor, part.top)


DONE_BY = {"movement": "moved", "psychic": "cast-over", "shooting": "shot", "charge": "charge-tried", "fight": "fought"}


def to_act(state: State) -> Iterator[str]:
    """Units that have not yet done what this phase is for."""
    done = DONE_BY.get(state.phase)
    for unit in state.units.values():
        if done is None or not unit.on_table or done in unit.acts or (done == "moved" and unit.move):
            continue
        mine = unit.side == state.active
        if state.phase == "fight":
            able = bool(unit.engaged) and not unit.fights
        elif state.phase == "psychic":
            able = mine and bool(unit.powers)
        elif state.phase == "movement":
            able = mine
        else:
            able = mine and not unit.engaged and unit.move not in ("fall-back", "advance")
        if able:
            yield unit.id


def picture(state: State) -> Picture:
    return msgspec.structs.replace(board(state), cards=tuple(card(state, u) for u in state.units.values()))


def card_of(state: State, key: str) -> Card | None:
    return card(state, state.units[key]) if key in state.units else None


def board(state: State) -> Picture:
    """The picture without its cards."""
    shown = [u for u in state.units.values() if u.where == "table"]
    terrain = tuple(
        TerrainPiece(f.id, f.name, tuple(_blocks(f)), tuple(Text(f"trait.{trait}") for trait in f.traits))
        for f in state.terrain
    )
    markers = tuple(
        Marker(
            o.id, "objective", o.x, o.y, 0.0, MARKER, CONTROL + MARKER, None if o.holder < 0 else o.holder,
            Text("objective", {"n": n + 1}),
        )
        for n, o in enumerate(state.objectives)
    )  # fmt: skip
    owners = {side.zone: n for n, side in enumerate(state.sides)}
    zones = tuple(
        Zone(f"zone-{n}", "deployment", points, owners.get(n), Text("zone"))
        for n, points in enumerate(state.mission.zones)
    )
    pools = tuple({"side": n, "name": Text("pool.command"), "value": side.cp} for n, side in enumerate(state.sides))
    turn = (Text("track.turn", {"side": Text(f"side.{state.active}")}),) if state.phase in PHASES else ()
    now = (Text("track.round", {"round": state.round, "rounds": state.mission.rounds}),) if state.round else ()
    track = (*now, *turn, Text(f"phase.{state.phase}"))
    return Picture(
        state.width,
        state.depth,
        tuple(piece(u, m) for u in shown for m in u.models),
        terrain,
        markers,
        zones,
        (),
        track,
        tuple(float(side.vp) for side in state.sides),
        pools,
        state.mission.name,
        goal=(state.mission.text, Text("goal.rounds", {"rounds": state.mission.rounds})),
        ground="ash",
        homes=homes(state.mission.zones, (side.zone for side in state.sides), state.width, state.depth),
        phases=phases(PHASES, state.phase, to_act(state)),
        turn=state.active if state.phase in PHASES else None,
    )


def name(state: State, key: str) -> Mapping[str, str] | None:
    return loose_name(key, state, lambda unit: unit.sheet, lambda n: words("wh40k.objective", number=n))


READINGS = {
    "coherency": "wh40k.unit.coherency-large",
    "auras": "wh40k.core.aura",
    "half_strength": "wh40k.unit.below-half-strength",
    "low_terrain": "wh40k.move.terrain-low",
    "aircraft": "wh40k.move.aircraft-minimum",
    "arrived_transports": "wh40k.move.transport-disembark",
    "look_out_sir": "wh40k.shoot.look-out-sir",
    "held_back": "wh40k.attack.mortal-held-back",
    "dense_cover": "wh40k.terrain.trait.dense-cover.penalty",
    "exposed": "wh40k.terrain.trait.exposed-position",
    "second_rank": "wh40k.fight.models.second-rank",
    "counter_offensive": "wh40k.stratagem.counter-offensive",
    "own_edge": "wh40k.reserves.place.own-edge-exception",
    "aircraft_actions": "wh40k.action.no-start-engaged",
    "datasheets": "wh40k.army.muster.datasheet-limit",
    "random_numbers": "wh40k.stratagem.command-reroll",
}
"""The rules that may be read otherwise at a table."""


def library() -> Mapping[str, Any]:
    """Ready armies, missions and options for a client's menus."""
    sizes = ("incursion", "combat-patrol", "strike-force")
    books = {key: content.factions()[key] for key in content.armies()}
    return {
        "armies": ready_armies(books, "size", sizes, muster, total),
        "first": {
            "armies": ["ironvow-combat-patrol", "cinder-combat-patrol"],
            "options": {"size": "combat-patrol"},
            "tries": ("ask.move", "ask.declare", "ask.charge"),
        },
        "scenarios": [{"id": m.id, "name": m.name, "text": m.text} for m in content.core().missions],
        "options": [
            {
                "id": "size",
                "values": [{"id": size, "name": both(f"menu.wh40k.size.{size}", "wh40k")} for size in SIZES],
                "default": "incursion",
                "name": words("wh40k.battle-size"),
            },
            layouts(content.core().layouts, words("wh40k.terrain-layout")),
            *readings("wh40k", Options, READINGS),
        ],
    }
