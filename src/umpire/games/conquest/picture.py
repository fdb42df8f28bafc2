"""What clients draw and what things are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

from umpire.engine.picture import Card, Marker, Picture, Piece, Purse, TerrainPiece, Value, Zone, phases
from umpire.miniatures import pictures
from umpire.miniatures.menus import numbered, offered, readings, ready_armies
from umpire.text import Text, both, words

from . import cards, content, formation, hooks, ranked, scenarios
from .entry import entry_pose
from .muster import muster
from .profiles import CHARACTERISTICS, MODELS_PER_STAND, Profile, Scenario, Terrain
from .reinforcement import EDGES
from .roster import cost
from .state import Character, Options, Regiment, State

ICONS = {"infantry": "spears", "cavalry": "horse-head", "brute": "ogre", "monster": "dragon-head"}
FIGURES = {"infantry": "foot", "cavalry": "horse", "brute": "beast", "monster": "monster"}
HEIGHTS = {"infantry": 1.0, "cavalry": 1.5, "brute": 1.8, "monster": 3.0}


def name(state: State, key: str) -> Mapping[str, str] | None:
    """What a regiment, Character, stand, zone, piece of terrain or entry is called."""
    if key in state.regiments:
        return regiment_names(state, state.regiments[key])
    if key in state.characters:
        return state.characters[key].title.names
    for piece in state.terrain:
        if piece.id == key:
            return piece.names or both(Text(f"terrain.{kind_of(piece)}"), "conquest")
    if any(zone.id == key for zone in state.scenario.zones):
        return pictures.named_by(key, state.scenario.zones)
    entry = key.rsplit("#", 1)[0]
    bearers = [r.title for r in state.regiments.values() if r.entry == entry or any(s.id == key for s in r.stands)]
    bearers += [c.title for c in state.characters.values() if c.entry == entry]
    return bearers[0].names if bearers else None


def regiment_names(state: State, regiment: Regiment) -> Mapping[str, str]:
    """Its name, with a number where its side has several of the same entry."""
    return numbered(regiment, regiment.title.names, state.regiments.values(), attrgetter("entry"))


def board(state: State) -> Picture:
    """The picture without its cards."""
    scenario = state.scenario
    now = state.activation
    acts = [] if now is None else [Text("track.activation", {"who": now.character or now.regiment})]
    return Picture(
        scenario.width,
        scenario.depth,
        tuple(piece for r in state.regiments.values() if r.where == "table" for piece in stands_of(state, r)),
        tuple(terrain(piece) for piece in state.terrain),
        tuple(markers(state)),
        tuple(zones(state)),
        track=pictures.track(state.round, scenario.rounds, Text(f"phase.{state.phase}"), *acts),
        pools=tuple(Purse(side, Text("pool.stack"), len(stack)) for side, stack in enumerate(state.stacks) if stack),
        score=tuple(float(s) for s in state.score),
        scenario=scenario.names,
        goal=tuple(goal(scenario)),
        ground="earth",
        homes=tuple(EDGES[edge] for edge in scenario.edges),
        phases=phases(PHASES, state.phase, to_act(state)),
    )


PHASES = ("reinforcement", "command", "supremacy", "action", "victory")


def to_act(state: State) -> Iterator[str]:
    """Regiments that come, or have not been activated, in this phase."""
    wanted = {"action": ("table", "garrison"), "reinforcement": ("reserve", "arriving")}.get(state.phase, ())
    for regiment in state.regiments.values():
        if regiment.where in wanted and not (state.phase == "action" and regiment.activated):
            yield regiment.id


def goal(scenario: Scenario) -> Iterator[Any]:
    """How this battle is won: what each zone, kill and Warlord is worth, and how long it lasts."""
    for zone in scenario.zones:
        facts = {"zone": zone.id, "own": zone.worth[0], "other": zone.worth[1], "from": zone.first_round}
        yield Text("goal.zone" if zone.worth[0] == zone.worth[1] else "goal.zone-sides", facts)
    for what in ("kills", "warlord", "victory"):
        if points := getattr(scenario, what):
            yield Text(f"goal.{what}", {"points": points})
    if scenario.secondary:
        yield Text("goal.secondary")
    yield Text("goal.rounds", {"rounds": scenario.rounds})


def stands_of(state: State, regiment: Regiment) -> list[Piece]:
    profile, kind = regiment.profile, regiment.profile.type
    found = []
    for stand in regiment.stands:
        base = formation.stand_base(regiment, stand)
        character = state.characters[stand.character] if stand.character else None
        full = character.profile.wounds if character else profile.wounds
        taken = character.wounds if character and not regiment.own else stand.wounds
        at = round(base.x, 3), round(base.y, 3)
        icon, figure = ("crown", "hero") if character else ("flag" if stand.command else ICONS[kind], FIGURES[kind])
        models = MODELS_PER_STAND[kind]
        found.append(
            pictures.Stood(stand.id, profile.stand, at, HEIGHTS[kind], icon, figure, full - taken, full, models)
        )
    return pictures.ranked_pieces(regiment, regiment.facing, found)


def pieces(state: State, key: str) -> list[Piece]:
    """The stands of a regiment, wherever it is."""
    return stands_of(state, state.regiments[key]) if key in state.regiments else []


def kind_of(piece: Terrain) -> str:
    """What it looks like, and is called where it has no name."""
    kinds = [rule for rule in piece.rules if rule in ("hill", "forest", "water", "building")]
    return "building" if piece.kind == "garrison" else kinds[0] if kinds else "area"


def terrain(piece: Terrain) -> TerrainPiece:
    top = float(piece.stated_size)
    kind = kind_of(piece)
    tags: list[Any] = [Text(f"terrain.{rule}") for rule in piece.rules]
    if piece.kind == "garrison":
        tags.append(Text("terrain.garrison", {"defense": piece.defense, "capacity": piece.capacity}))
    return pictures.one_block(piece, Text(f"terrain.{kind}"), kind, top, tags)


def markers(state: State) -> list[Marker]:
    found = [
        Marker(zone.id, "objective", zone.x, zone.y, range=zone.radius, label=zone.names)
        for zone in state.scenario.zones
        if not zone.points
    ]
    for regiment in state.on_table():
        on = {"broken": regiment.broken, "inspired": regiment.inspired > 0, "aimed": regiment.aimed}
        found += pictures.marks(regiment.id, regiment.side, ranked.centre(regiment), **on)
    return found


def zones(state: State) -> list[Zone]:
    found = [Zone(z.id, "objective", z.points, label=z.names) for z in state.scenario.zones if z.points]
    wide, deep = state.scenario.width, state.scenario.depth
    for side in (0, 1):
        edge = state.scenario.edges[side]
        length = wide if edge in ("south", "north") else deep
        low, high = state.scenario.entry[side] or (0.0, length)
        ends = (entry_pose(state, edge, low)[:2], entry_pose(state, edge, high)[:2])
        found.append(Zone(f"edge-{side}", "reinforcement", ends, side, Text("zone.reinforcement"), closed=False))
    for key, line in state.lines.items():
        if line.now > 0:
            side, klass = int(key[0]), key[2:]
            edge, at = state.scenario.edges[side], line.now
            far = at if edge in ("south", "west") else (deep if edge == "north" else wide) - at
            ends = ((0.0, far), (wide, far)) if edge in ("south", "north") else ((far, 0.0), (far, deep))
            label = Text("zone.line", {"class": Text(f"class.{klass}")})
            found.append(Zone(f"line-{key}", "line", ends, side, label, closed=False))
    return found


def values(state: State, regiment: Regiment, profile: Profile, character: Character | None) -> tuple[Value, ...]:
    def now(what: str) -> Value:
        number = hooks.number(hooks.Query(state, regiment, what, profile.value(what), "", character=character))
        return pictures.value(Text(f"characteristic.{what}"), profile.value(what), number, cards.source_of)

    return tuple(map(now, CHARACTERISTICS))


def under_way(state: State, key: str) -> bool:
    """Is it this one's activation?"""
    return any(now is not None and key in (now.regiment, now.character) for now in (state.activation, *state.waiting))


def card(state: State, regiment: Regiment) -> Card:
    profile = regiment.profile
    off = regiment.where in ("reserve", "arriving", "garrison")
    tags: list[Any] = [Text(f"type.{profile.type}"), Text(f"class.{profile.klass}")]
    tags += pictures.tagged((regiment.broken, "mark.broken"), (off, f"where.{regiment.where}"))
    tags += [model.names or Text(f"model.{model.id}") for model in regiment.models]
    left = sum(profile.wounds - s.wounds for s in regiment.ordinary())
    return Card(
        regiment.id,
        regiment.side,
        dict(regiment_names(state, regiment)),
        ICONS[profile.type],
        tuple(s.id for s in regiment.stands),
        values(state, regiment, profile, None),
        tags=tuple(tags),
        rules=cards.of_regiment(state, regiment),
        wounds=left,
        wounds_max=profile.wounds * max(regiment.start, 1),
        done=regiment.activated and not under_way(state, regiment.id),
        away=regiment.where in ("reserve", "arriving"),
        dead=not regiment.alive,
    )


def hero(state: State, character: Character) -> Card:
    profile = character.profile
    regiment = state.regiments.get(character.regiment)
    tags: list[Any] = [Text("being.character"), Text(f"type.{profile.type}"), Text(f"class.{profile.klass}")]
    tags += pictures.tagged((character.warlord, "being.warlord"))
    tags += [bought.names for bought in character.bought]
    shown = values(state, regiment, profile, character) if regiment is not None else ()
    return Card(
        character.id,
        character.side,
        character.title.names,
        "crown",
        tuple(s.id for s in regiment.stands if s.character == character.id) if regiment else (),
        shown,
        tags=tuple(tags),
        rules=cards.of_character(state, character),
        wounds=profile.wounds - character.wounds,
        wounds_max=profile.wounds,
        done=character.activated and not under_way(state, character.id),
        away=regiment is None or not regiment.on_table,
        dead=not character.alive,
    )


def shown(state: State) -> dict[str, Regiment | Character]:
    """Whoever has a card: regiments, and Characters that are not one by themselves."""
    return {**state.regiments, **{key: who for key, who in state.characters.items() if not who.own}}


def card_for(state: State, who: Regiment | Character) -> Card:
    return card(state, who) if isinstance(who, Regiment) else hero(state, who)


picture, card_of = pictures.with_cards(board, shown, card_for)


def library() -> Mapping[str, Any]:
    """Ready armies, scenarios and table options for a client's menus."""
    sizes = [1000, 1500, 2000]
    return offered(
        {"id": "points", "values": sizes, "default": 1500, "name": words("menu.conquest.points")},
        ready_armies(content.factions(), "points", sizes, muster, cost),
        [{"id": s.id, "name": s.names} for s in scenarios.scenarios().values()],
        readings("conquest", Options),
        ("brine cinder", 1000, ("ask.stack", "ask.march", "ask.action:volley ask.action:charge ask.action:clash")),
    )
