"""The table as a picture: fighters, terrain by its parts, markers, zones, cards, dice; and the names of things."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from umpire.engine.picture import (
    Arm,
    Block,
    Card,
    Marker,
    Picture,
    Piece,
    Purse,
    Shape,
    TerrainPiece,
    Value,
    Zone,
    facts,
    phases,
)
from umpire.games.warcry import abilities, reactions
from umpire.games.warcry.content import library
from umpire.games.warcry.profiles import COST_DICE, GROUPS, Ability, Reaction
from umpire.games.warcry.setup import arrival_round, zone_of
from umpire.games.warcry.state import Fighter, State, value, weapon_range
from umpire.games.warcry.terrain import PlacedPart
from umpire.miniatures.menus import numbered
from umpire.miniatures.pictures import figure, named_by, tagged, track, with_cards
from umpire.miniatures.pictures import value as drawn
from umpire.text import Text, both, words

BLOCKS = {
    "low": "obstacle",
    "deadly": "fence",
    "unclimbable": "statue",
    "stairs": "stair",
    "ladder": "ladder",
    "arch": "arch",
    "door": "door",
    "closed-door": "door",
}


def name(state: State, key: str) -> Mapping[str, str] | None:
    """The names of fighters, abilities, cards, factions and terrain."""
    for fighter in state.fighters:
        if fighter.id == key:
            return fighter_name(state, fighter)
    if key in abilities.CORE:
        return abilities.CORE[key].name
    for player in state.players:
        if player.faction == key and player.name:
            return player.name
    own = [rule for fighter in state.fighters for rule in (fighter.profile, *fighter.abilities, *fighter.answers)]
    lib = library()
    tables: tuple[Mapping[str, Any], ...] = (
        lib.abilities, lib.reactions, lib.profiles, lib.factions, lib.terrain, lib.deployment, lib.victory, lib.twist,
        lib.pieces,
    )  # fmt: skip
    known = [table[key] for table in tables if key in table]
    found = named_by(key, own, known, reactions.UNIVERSAL, state.layout.features)
    if found is not None:
        return found
    for n, objective in enumerate(state.objectives):
        if objective.id == key:
            return words("menu.warcry.objective", n=n + 1)
    for n, token in enumerate(state.treasures):
        if token.id == key:
            return words("menu.warcry.treasure", n=n + 1)
    if key.startswith("attack-"):
        return _attack_name(state, key)
    return None


def fighter_name(state: State, fighter: Fighter) -> Mapping[str, str]:
    """A fighter's name, with a number where its warband has several of the kind."""
    return numbered(fighter, fighter.profile.name, state.fighters, lambda other: other.profile.id)


def _attack_name(state: State, key: str) -> dict[str, str] | None:
    """The label of an option to attack: with what, and whom."""
    _, weapon, target = key.split("-", 2)
    enemy = next((f for f in state.fighters if f.id == target), None)
    active = state.active
    if enemy is None or active is None or not weapon.isdigit():
        return None
    arms = state.fighter(active.fighter).profile.weapons
    arm = both(Text(f"weapon.{arms[int(weapon)].runemark}"), "warcry")
    names = fighter_name(state, enemy)
    return words("menu.warcry.attack", names=names, arm=arm)


def _weapons(state: State, fighter: Fighter) -> Iterator[Arm]:
    for n, arm in enumerate(fighter.profile.weapons):
        most = weapon_range(state, fighter, n)
        attacks, strength, damage, critical = (
            int(value(state, fighter, what, n)) for what in ("attacks", "strength", "damage", "critical")
        )
        yield Arm(
            Text(f"weapon.{arm.runemark}"),
            facts(
                range=f"{arm.least:g}-{most:g}" if arm.least else f"{most:g}",
                attacks=attacks,
                strength=strength,
                damage=f"{damage}/{critical}",
            ),
            arm.runemark,
        )


def tags(state: State, fighter: Fighter) -> tuple[Text, ...]:
    """What a player must see at a glance."""
    active = state.active is not None and state.active.fighter == fighter.id
    return tuple(
        tagged(
            (fighter.leader, "being.leader"), (fighter.role, f"being.{fighter.role}"), (active, "tag.active"),
            (fighter.waiting, "tag.waiting"), (fighter.climbing, "tag.climbing"), (fighter.carrying, "tag.carrying"),
            (fighter.reactions, "tag.reacted"), (fighter.where == "reserve", "tag.reserve"),
        )
    )  # fmt: skip


def card(state: State, fighter: Fighter) -> Card:
    profile = fighter.profile
    known: list[Ability | Reaction] = [*abilities.of_fighter(state, fighter), *reactions.of_fighter(state, fighter)]
    rules = [
        {
            "name": rule.name,
            "text": rule.text,
            "rule": rule.rule,
            "facts": facts(dice=COST_DICE[rule.cost]) if isinstance(rule, Ability) else (),
        }
        for rule in known
    ]
    numbers = [(what, value(state, fighter, what)) for what in ("move", "toughness")]
    return Card(
        fighter.id,
        fighter.side,
        dict(fighter_name(state, fighter)),
        profile.icon,
        (fighter.id,),
        (
            *(drawn(Text(f"characteristic.{what}"), now.base, now) for what, now in numbers),
            Value(Text("characteristic.wounds"), profile.wounds, profile.wounds - fighter.damage),
            Value(Text("characteristic.points"), profile.points, profile.points),
        ),
        tuple(_weapons(state, fighter)),
        (*tags(state, fighter), *(Text(f"runemark.{mark}") for mark in profile.runemarks)),
        tuple(rules),
        profile.wounds - fighter.damage,
        profile.wounds,
        _done(state, fighter),
        fighter.where in ("aside", "reserve"),
        fighter.where == "down",
    )


def block(part: PlacedPart) -> Block:
    kind = BLOCKS.get(part.kind, "platform" if part.platform else "wall")
    return Block(kind, part.points, part.floor, part.top)


def piece(fighter: Fighter) -> Piece:
    profile = fighter.profile
    size = profile.base / 25.4
    return Piece(
        fighter.id,
        fighter.id,
        fighter.side,
        Shape("round", size, size),
        fighter.x,
        fighter.y,
        fighter.z,
        0.0,
        profile.height,
        profile.icon,
        1,
        profile.wounds - fighter.damage,
        profile.wounds,
        figure(FIGURES, profile.runemarks.__contains__),
    )


FIGURES = {"monster": "monster", "mount": "horse", "beast": "beast", "hero": "hero"}


def homes(state: State) -> tuple[float, ...]:
    """Fighters gather all over the table: the side whose deployment points lie nearer to an edge looks from there."""
    if state.deployment is None or not any(p.red for p in state.players):
        return (0.0, 180.0)
    near = []
    for side in (0, 1):
        points = [p for group in GROUPS for p in zone_of(state, side, group).region().polygons[0]]
        near.append(math.fsum(y for _, y in points) / len(points))
    return (0.0, 180.0) if near[0] <= near[1] else (180.0, 0.0)


def pieces(state: State, key: str) -> list[Piece]:
    """A fighter, wherever he is."""
    return [piece(fighter) for fighter in state.fighters if fighter.id == key]


def markers(state: State) -> tuple[Marker, ...]:
    out = [
        Marker(
            o.id,
            "objective" if o.awake else "dormant",
            o.x,
            o.y,
            o.z,
            0.5,
            3.0,
            o.owner if o.owner >= 0 else None,
            Text("marker.objective" if o.awake else "marker.dormant"),
        )
        for o in state.objectives
    ]
    out += [
        Marker(t.id, "treasure", t.x, t.y, t.z, 0.4, 1.0, None, Text(f"treasure.{t.kind}"))
        for t in state.treasures
        if not t.carrier
    ]
    return tuple(out)


def zones(state: State) -> tuple[Zone, ...]:
    """Deployment points while groups are still to come."""
    if state.deployment is None or not any(p.red for p in state.players):
        return ()
    out = []
    for side in (0, 1):
        for group in GROUPS:
            waiting = any(
                f.side == side and f.group == group and f.where in ("aside", "reserve") for f in state.fighters
            )
            if waiting:
                shape = zone_of(state, side, group).region().polygons[0]
                label = Text(
                    "zone.group", {"group": Text(f"group.{group}"), "round": arrival_round(state, side, group)}
                )
                out.append(Zone(f"zone-{side}-{group}", "deployment", shape, side, label))
    return tuple(out)


def pools(state: State) -> Iterator[Purse]:
    """Each side's dice, and who has the initiative."""
    for side, player in enumerate(state.players):
        yield Purse(side, dice=(*player.sets, *((face, 1) for face in player.singles)))
        if player.wild:
            yield Purse(side, Text("pool.wild"), player.wild)
        if state.round > 0 and state.initiative == side:
            yield Purse(side, Text("pool.initiative"))


def goal(state: State) -> tuple[Any, ...]:
    """How this battle is won, what the twist changes, and how long it lasts."""
    if state.victory is None:
        return ()
    told: list[Any] = [state.victory.text] if state.victory.text else []
    told += [state.twist.text] if state.twist is not None and state.twist.text else []
    told.append(Text("goal.rounds", {"rounds": state.victory.rounds}))
    return tuple(told)


def _done(state: State, fighter: Fighter) -> bool:
    """Has it nothing more to do in this round?"""
    if state.active is not None and state.active.fighter == fighter.id:
        return False
    return fighter.activations >= 3 if fighter.monster else bool(fighter.activations) and not fighter.waiting


PHASES = ("initiative", "reserve", "combat", "end")


def to_act(state: State) -> Iterator[str]:
    """Fighters that are still to come, or to be activated, in this phase."""
    wanted = {"reserve": "reserve", "combat": "field"}.get(state.phase)
    for fighter in state.fighters:
        if fighter.where == wanted and not (state.phase == "combat" and _done(state, fighter)):
            yield fighter.id


def board(state: State) -> Picture:
    """The picture without its cards."""
    rounds = state.victory.rounds if state.victory else 4
    now = state.active
    acts = [] if now is None else [Text("track.activation", {"fighter": now.fighter, "left": now.left})]
    return Picture(
        state.layout.width,
        state.layout.depth,
        tuple(piece(f) for f in state.on_field()),
        tuple(TerrainPiece(f.id, f.name, tuple(block(p) for p in f.parts)) for f in state.layout.features),
        markers(state),
        zones(state),
        (),
        track(state.round, rounds, Text(f"track.{state.phase}"), *acts),
        tuple(float(p.points) for p in state.players),
        tuple(pools(state)),
        state.victory.name if state.victory else None,
        goal=goal(state),
        ground="stone",
        homes=homes(state),
        phases=phases(PHASES, state.phase, to_act(state), "track"),
    )


picture, card_of = with_cards(board, lambda state: {fighter.id: fighter for fighter in state.fighters}, card)
