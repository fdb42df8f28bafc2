"""The library: factions, terrain and decks read from data files, checked field by field before anything is played.

`factions/*.yaml` hold one faction each, `terrain*.yaml` pieces and layouts, `cards*.yaml` the other three decks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any, TypeVar

import msgspec

from umpire.errors import UmpireError, fault, unknown
from umpire.files import Source
from umpire.games.warcry import primitives
from umpire.games.warcry.cards import Deck, DeploymentCard, Piece, Terrain, TerrainCard, TwistCard, VictoryCard
from umpire.games.warcry.profiles import (
    CORE_RUNEMARKS,
    GROUPS,
    MONSTER,
    TREASURE_RUNEMARKS,
    Ability,
    Faction,
    Profile,
    Reaction,
    alliance_of,
)
from umpire.miniatures import checks
from umpire.miniatures.books import Library as Books
from umpire.miniatures.books import check_name, content, put, shelf
from umpire.rulebook.ledger import exists

K = TypeVar("K")
WIDTH, DEPTH = 30.0, 22.0
"""The standard battlefield (warcry.core.battlefield-size)."""


def _stretches() -> tuple[tuple[float, float, float, float], ...]:
    w, d = WIDTH, DEPTH
    return tuple(
        edge
        for a, b in ((0.0, 0.5), (0.5, 1.0), (0.0, 1.0))
        for edge in (
            *((0.0, a * d, 0.0, b * d), (w, a * d, w, b * d)),
            *((a * w, 0.0, b * w, 0.0), (a * w, d, b * w, d)),
        )
    )


EDGES = _stretches()
"""The stretches of edge that a deployment line may mark (warcry.reserve.deployment-line)."""


class Library:
    """Everything that content files hold, by id."""

    def __init__(self) -> None:
        self.factions: dict[str, Faction] = {}
        self.profiles: dict[str, Profile] = {}
        self.abilities: dict[str, Ability] = {}
        self.reactions: dict[str, Reaction] = {}
        self.pieces: dict[str, Piece] = {}
        self.terrain: dict[str, TerrainCard] = {}
        self.deployment: dict[str, DeploymentCard] = {}
        self.victory: dict[str, VictoryCard] = {}
        self.twist: dict[str, TwistCard] = {}

    def alliance(self, faction: str) -> str | None:
        found = self.factions.get(faction)
        return found.alliance if found else alliance_of(faction)

    def deck(self, name: str) -> dict[str, Any]:
        cards: dict[str, Any] = getattr(self, name)
        return cards


def read_book(source: Source) -> Faction:
    """A faction that is sound in itself; `library` sees to what two factions may not both have."""
    return read(source, Faction, Library(), add_faction)


def read(source: Source, kind: type[K], lib: Library, add: Callable[[Library, K], None]) -> K:
    """What a file holds, put into the library; what is wrong is told with its line."""
    return source.checked(kind, lambda found: add(lib, found))


BOOKS = Books(shelf("warcry", "factions"), read_book)


@BOOKS.table
def library(books: Mapping[str, Faction]) -> Library:
    """All content, read once for each choice of books."""
    root = resources.files("umpire.content").joinpath("warcry")
    result = Library()
    brought = BOOKS.open_books
    for faction in sorted(books.values(), key=lambda faction: faction.id not in brought):
        copied = any(profile.id in result.profiles for profile in faction.fighters)
        if faction.id in brought or not copied:  # what a set-up brings stands in the place of what it was copied from
            add_faction(result, faction)
    for file in sorted(root.iterdir(), key=lambda f: f.name):
        if file.name.startswith("terrain"):
            read(content("warcry", file.name), Terrain, result, add_terrain)
        elif file.name.startswith("cards"):
            read(content("warcry", file.name), Deck, result, add_deck)
        elif file.name.endswith(".yaml"):
            raise fault("error.warcry.file", file.name)
    for card in result.terrain.values():
        check_layout(result, card)
    for faction in result.factions.values():
        check_warbands(result, faction)
    return result


def add_faction(lib: Library, faction: Faction) -> None:
    """Check a faction's fighters, abilities and reactions and put them into the library."""
    check_name(faction.name, "name")
    if faction.runemark and alliance_of(faction.runemark) != faction.alliance:
        raise fault("error.warcry.alliance", "runemark", faction=faction.runemark, alliance=faction.alliance)
    put(lib.factions, faction.id, faction, "id")
    marks = {mark for profile in faction.fighters for mark in profile.runemarks}
    rules: list[Ability | Reaction] = [*faction.abilities, *faction.reactions]
    used = {mark for rule in rules for mark in rule.runemarks}
    for n, profile in enumerate(faction.fighters):
        check_profile(profile, f"fighters[{n}]")
        if profile.faction and profile.faction not in (faction.id, faction.alliance):
            raise fault("error.warcry.belongs", f"fighters[{n}].faction", faction=profile.faction)
        for mark in profile.runemarks:
            if mark not in CORE_RUNEMARKS and mark not in used:
                raise fault("error.warcry.idle-runemark", f"fighters[{n}].runemarks", runemark=mark)
        own = msgspec.structs.replace(profile, faction=profile.faction or faction.id)
        put(lib.profiles, own.id, own, f"fighters[{n}].id")
    for n, ability in enumerate(faction.abilities):
        check_rule(ability, marks, f"abilities[{n}]")
        put(lib.abilities, ability.id, ability, f"abilities[{n}].id")
    for n, reaction in enumerate(faction.reactions):
        check_rule(reaction, marks, f"reactions[{n}]")
        put(lib.reactions, reaction.id, reaction, f"reactions[{n}].id")


def check_rule(rule: Ability | Reaction, marks: set[str], where: str) -> None:
    """An ability or reaction names only runemarks, needs and rules that there are."""
    check_name(rule.name, f"{where}.name")
    for mark in rule.runemarks:
        if mark not in marks:
            raise fault("error.warcry.lost-runemark", f"{where}.runemarks", runemark=mark)
    for need in rule.needs:
        if need not in primitives.NEEDS:
            raise unknown("needs", need, f"{where}.needs", primitives.NEEDS)
    if not exists(rule.rule):
        raise unknown("rule", rule.rule, f"{where}.rule")
    check_effects(rule, where)


def check_effects(rule: Ability | Reaction, where: str) -> None:
    """Primitives stand only where they mean something: no attack to answer in one's own activation, no dice in a
    reaction, no second attack action inside one that is being resolved."""
    own = isinstance(rule, Ability)
    to_attack = isinstance(rule, Reaction) and rule.when in ("melee", "missile", "attack")
    foe = not own
    for need in rule.needs:
        if (need in primitives.OWN_ACTIVATION and not own) or (need == "in-cover" and not to_attack):
            raise fault("error.warcry.never", f"{where}.needs", need=need)
    for n, primitive in enumerate(rule.effect):
        spot = f"{where}.effect[{n}]"
        if isinstance(primitive, primitives.Riposte | primitives.Soften | primitives.Intercept) and not to_attack:
            raise fault("error.warcry.only-reactions", spot)
        if (
            isinstance(primitive, primitives.BonusAction | primitives.Shove | primitives.Warp | primitives.SetUp)
            and to_attack
        ):
            raise fault("error.warcry.not-in-attacks", spot)
        who = getattr(primitive, "who", None)
        if who is not None and who.pick == "foe" and not foe:
            raise fault("error.warcry.no-foe", f"{spot}.who")
        numbers = [getattr(primitive, field) for field in primitive.__struct_fields__ if field != "who"]
        if not own and any(str(x).lstrip("-") in ("value", "half") for x in (*numbers, getattr(who, "within", 0))):
            raise fault("error.warcry.no-value", spot)
        foe = foe or isinstance(primitive, primitives.SetUp)


def check_warbands(lib: Library, faction: Faction) -> None:
    """Ready warbands are legal."""
    from umpire.games.warcry.warband import Roster, check

    for n, band in enumerate(faction.warbands):
        spot = f"faction {faction.id} warbands[{n}]"
        check_name(band.name, f"{spot}.name")
        ruling = check(Roster(faction.id, list(band.fighters)), lib)
        if not ruling:
            raise UmpireError(str(ruling), f"{spot}.fighters")


def check_profile(profile: Profile, where: str) -> None:
    check_name(profile.name, f"{where}.name")
    if len(set(profile.runemarks)) < len(profile.runemarks):
        raise fault("content.twice", f"{where}.runemarks")
    if profile.table and not profile.has(MONSTER):
        raise fault("error.warcry.table-monster", f"{where}.table")
    rows = [row.damage for row in profile.table]
    if rows != sorted(set(rows)):
        raise fault("error.warcry.table-rows", f"{where}.table")
    for row in profile.table:
        for field in ("attacks", "strength"):
            values = getattr(row, field)
            if values is not None and len(values) != len(profile.weapons):
                raise fault("error.warcry.table-weapons", f"{where}.table", field=field)
    for n, weapon in enumerate(profile.weapons):
        if weapon.least >= weapon.range:
            raise fault("error.warcry.range", f"{where}.weapons[{n}]")


def add_terrain(lib: Library, terrain: Terrain) -> None:
    for n, piece in enumerate(terrain.pieces):
        check_piece(piece, f"pieces[{n}]")
        put(lib.pieces, piece.id, piece, f"pieces[{n}]")
    for n, card in enumerate(terrain.layouts):
        check_name(card.name, f"layouts[{n}].name")
        put(lib.terrain, card.id, card, f"layouts[{n}]")


def check_piece(piece: Piece, where: str) -> None:
    check_name(piece.name, f"{where}.name")
    for k, part in enumerate(piece.parts):
        if (part.rect is None) == (len(part.points) < 3):
            raise fault("error.warcry.part-shape", f"{where}.parts[{k}]")
        if part.points:
            checks.convex(part.points, f"{where}.parts[{k}].points")
        if part.rect is not None and min(part.rect[2:]) <= 0:
            raise fault("error.warcry.part-shape", f"{where}.parts[{k}].rect")
        if part.top <= part.floor:
            raise fault("error.warcry.part-top", f"{where}.parts[{k}]")
        if part.rect is None and part.kind in ("stairs", "arch", "door", "closed-door"):
            raise fault("error.warcry.part-rect", f"{where}.parts[{k}]", kind=part.kind)


def check_layout(lib: Library, card: TerrainCard) -> None:
    for n, feature in enumerate(card.features):
        if feature.piece not in lib.pieces:
            raise unknown("piece", feature.piece, f"layouts.{card.id}.features[{n}].piece")


def add_deck(lib: Library, deck: Deck) -> None:
    tables: list[tuple[str, dict[str, Any]]] = [
        ("deployments", lib.deployment),
        ("victories", lib.victory),
        ("twists", lib.twist),
    ]
    for field, table in tables:
        for n, card in enumerate(getattr(deck, field)):
            check_name(card.name, f"{field}[{n}].name")
            put(table, card.id, card, f"{field}[{n}]")
    for n, card in enumerate(deck.deployments):
        for colour in ("red", "blue"):
            for group in GROUPS:
                point = getattr(card, colour).of(group)
                inside = 0 <= point.x <= WIDTH and 0 <= point.y <= DEPTH
                spot = f"deployments[{n}].{colour}.{group}"
                if not inside and point.line is None:
                    raise fault("error.warcry.outside", spot)
                if point.line is not None and (point.line not in EDGES or point.round == 1):
                    raise fault("error.warcry.line", f"{spot}.line")
    for n, card in enumerate(deck.victories):
        check_victory(card, f"victories[{n}]")


def check_victory(card: VictoryCard, where: str) -> None:
    checks.fields(card, where, {"treasure_kind": ("treasure", TREASURE_RUNEMARKS)})
