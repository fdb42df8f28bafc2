"""Positions of The Ninth Age that cannot be: units of nobody, wounds on the dead, units off the board or in others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from umpire.errors import fault, unknown
from umpire.miniatures import checks
from umpire.space.spans import gap

from . import content, muster, seasons
from .formation import Box, box
from .model_rules import known as known_rules
from .profiles import DEFENSIVE, GLOBAL, OFFENSIVE, Profile
from .spacing import impassable, off_table
from .state import Field, Pool, State, Terrain, Unit
from .weapons import MELEE, SHOOTING, weapon_of

if TYPE_CHECKING:
    from .content import Book, SpellEntry, UnitEntry
    from .scenes import Scene, SceneUnit

CHARACTERISTICS = (*GLOBAL, *DEFENSIVE, *OFFENSIVE)
PHASES = ("rally", "charge", "movement", "magic", "shooting", "melee")
PERIODS = ("phase", "combat", "engaged", "battle", *(f"next-{phase}" for phase in PHASES))
MOST_MODELS = 200
"""More models than any unit of any book: what goes beyond is a slip of the pen."""
USUAL_FILES = 5
"""What a unit has where nobody says otherwise; with fewer models it has fewer."""
TRAITS = ("mounted", "foot", "centaur", "metal-armour", "construct", "beast")
"""Those that the rules speak of."""
WORDS = re.compile(r"[\w-]+")
SHARED = 1e-3
"""How deeply two boundaries may seem to lie in each other, or beyond the edge, before they do."""


def check_scene(scene: Scene) -> None:
    """What the types of a scene do not say of its names and numbers."""
    ids = checks.ids_once(scene, "units")
    checks.ids_once(scene, "units", "terrain")
    checks.ids_once(scene, "spells")
    for mark in ("general", "bearer"):
        checks.one_a_side(scene.units, mark, "units")
    for where, pieces in (("field.terrain", scene.field.terrain), ("terrain", scene.terrain)):
        for n, piece in enumerate(pieces):
            check_piece(piece, scene.field, f"{where}[{n}]")
    for n, zone in enumerate(scene.field.zones):
        checks.convex(zone.points, f"field.zones[{n}].points")
    known = [secondary.id for secondary in seasons.season().secondaries]
    checks.fields(scene, "", {"secondaries": ("secondary", known)})
    checks.between(scene.turn, int(scene.moment != "deployment"), 6, "turn")
    if sorted(scene.zone_of) != [0, 1]:
        raise fault("error.t9a.zones", "zone_of")
    cards = [entry.id for entry in seasons.season().deployments]
    checks.fields(scene.field, "field", {"secondaries": ("secondary", known), "deployment": ("value", cards)})
    check_traits(scene)
    for n, spell in enumerate(scene.spells):
        check_spell(spell, f"spells[{n}]")
    checks.used(scene.used, ids, PERIODS, "used")
    for n, unit in enumerate(scene.units):
        check_unit(scene, unit, f"units[{n}]")
    checks.effects(scene.effects, ids, PERIODS)
    checks.sources(scene.effects, scene, content.books(), content.paths())
    for n, effect in enumerate(scene.effects):
        if effect.what in CHARACTERISTICS:
            checks.among("operation", effect.op, ("set", "minimum", "multiply", "add"), f"effects[{n}].op")
            continue
        if effect.what not in known_rules():
            raise unknown("effect", effect.what, f"effects[{n}].what", (*CHARACTERISTICS, "t9a.rule.…"))


def check_spell(spell: SpellEntry, where: str) -> None:
    """A spell that is spelt out: what it summons, and how long it lasts."""
    checks.fields(spell, where, {"summon": ("entry", content.summons())})
    for field in ("mods", "gives", "halves"):
        if getattr(spell, field) and getattr(spell, "duration", "") == "instant":
            raise fault("error.scene.needs", where, at=field, field="duration")


def check_traits(scene: Scene) -> None:
    """A trait is one that the rules or a book know, or one that some rule of the scene speaks of."""
    has = checks.words_in(scene.units, "units", {msgspec.Struct: ("traits",)})
    texts = checks.words_in([scene], "", {msgspec.Struct: ("rules", "banner", "gives", "attributes")})
    checks.words("trait", has, {}, (*TRAITS, *library_traits(), *WORDS.findall(" ".join(texts))))


@content.LIBRARY.table
def library_traits(books: Mapping[str, content.Book]) -> list[str]:
    return [*checks.words_in([*books.values()], "", {msgspec.Struct: ("traits",)})]


def check_spent(pool: Pool, given: SceneUnit, where: str) -> None:
    """Weapons of one use that it has, spells that it could forget; spoils that it could have taken."""
    if getattr(given, "spoils", 0) and not pool.standard:
        raise fault("error.scene.needs", where, at="spoils", field="standard")
    known = [f"forgotten:{spell.id}" for spell in pool.spells]
    for part in pool.profile.parts:
        known += [weapon.id for weapon in (*part.own.values(), *SHOOTING.values()) if weapon.one_use]
    checks.fields(given, where, {"spent": ("weapon", dict.fromkeys(known))})


def check_bought(given: SceneUnit, where: str, entry: UnitEntry | None = None, book: Book | None = None) -> None:
    """Options and mounts of its entry, items of its book; a profile that is spelt out has none of them."""
    options = [option.id for option in muster.options_of(entry)] if entry is not None else []
    items = [item.id for item in book.items] if book is not None else []
    mounts = entry.mounts if entry is not None else ()
    checks.fields(given, where, {"options": ("option", options), "mount": ("mount", mounts), "items": ("item", items)})


def check_piece(piece: Terrain, field: Field, where: str) -> None:
    checks.convex(piece.points, f"{where}.points")
    checks.on_table(piece.points, field, f"{where}.points")


def check_unit(scene: Scene, given: SceneUnit, where: str) -> None:
    checks.not_both(given, "entry", "profile", where)
    checks.not_both(given, "spoils", "shaken", where)
    if getattr(given, "by_choice", False) and not getattr(given, "shaken", False):
        raise fault("error.scene.needs", where, at="by_choice", field="shaken")
    guests = sum(other.in_unit == given.id for other in scene.units)
    alone = given.in_unit or given.character or given.attachable
    least = 0 if given.where == "gone" or guests else 1
    checks.between(given.models, least, 1 if alone else MOST_MODELS, f"{where}.models")
    checks.between(given.files, 1, max(USUAL_FILES, given.models + guests, given.start), f"{where}.files")
    if given.start:
        checks.between(given.start, given.models, MOST_MODELS, f"{where}.start")
    ids = [unit.id for unit in scene.units]
    pieces = [piece.id for piece in (*scene.field.terrain, *scene.terrain)]
    checks.fields(
        given, where,
        {"base": ("unit", ids), "path": ("path", content.paths()), "close": ("unit", (*ids, *pieces))},
    )  # fmt: skip
    fallen: bool = getattr(given, "in_melee", False)
    if fallen and given.where != "gone":
        raise fault("error.scene.needs", f"{where}.where", at="in_melee", field="where: gone")
    if given.in_unit:
        checks.among("unit", given.in_unit, [u.id for u in scene.units if u.side == given.side], f"{where}.in_unit")
        host = scene.units[ids.index(given.in_unit)]
        if host is given or host.in_unit:
            raise fault("error.t9a.host", f"{where}.in_unit", name=given.in_unit)
        checks.between(given.file, -2, host.files - 1, f"{where}.file")
        checks.between(given.rank, -2, host.models // max(1, min(host.files, host.models)), f"{where}.rank")
        for other in scene.units[: ids.index(given.id)]:
            if given.file >= 0 and _place(other) == _place(given):
                raise fault("error.scene.overlap", f"{where}.file", other=other.id)
    else:
        checks.fields(given, where, {}, {"file": (-1, -1), "rank": (-1, -1)})
    for n, kind in enumerate(given.kinds):
        checks.between(kind.models, 1, given.models - 1, f"{where}.kinds[{n}].models")
    if given.kinds:
        checks.between(sum(kind.models for kind in given.kinds), 1, given.models - 1, f"{where}.kinds")
        if given.in_unit or given.character or given.attachable:
            raise fault("error.t9a.kinds", f"{where}.kinds")
    if not given.in_unit and given.where == "joined":
        raise fault("error.scene.needs", where, at="where: joined", field="in_unit")


def _place(given: SceneUnit) -> tuple[str, int, int]:
    """Where an attached model stands in which unit."""
    return given.in_unit, given.file, max(0, given.rank)


def check_profile(profile: Profile, given: SceneUnit, where: str) -> None:
    """Weapons of its parts, and wounds that leave its model alive."""
    checks.between(given.lost, 0, profile.hp - 1, f"{where}.lost")
    for k, part in enumerate(profile.parts):
        at = f"{where}.profile.parts[{k}]"
        weapons = (*part.own, *MELEE, *SHOOTING)
        checks.all_among("weapon", part.weapons, weapons, f"{at}.weapons")
        for key, _ in part.aim:
            checks.among("weapon", key, weapons, f"{at}.aim.{key}")
    checks.between(len(given.weapon), 0, len(profile.parts), f"{where}.weapon")
    for n, (key, part) in enumerate(zip(given.weapon, profile.parts, strict=False)):
        held = [name for name in part.weapons if not weapon_of(part, name).shooting]
        checks.among("weapon", key, ("hand", "natural", *held), f"{where}.weapon[{n}]")


def check_placed(state: State, scene: Scene) -> None:
    """Units stand on the board and in nobody else, but for a character who is about to leave its unit; those of the
    two sides that touch are engaged."""
    for n, given in enumerate(scene.units):
        unit = state.units[given.id]
        if unit.where != "table":
            continue
        here = box(state, unit)
        walled = any(gap(here.corners(), piece.points) < -SHARED for piece in impassable(state))
        beside = [other for other in scene.units[:n] if other.id not in given.close and given.id not in other.close]
        found = (o.id for o in beside if state.units[o.id].where == "table" and lies_in(state, here, state.units[o.id]))
        checks.placed(f"units[{n}]", state.field, off_table(state, here) > SHARED, walled, next(found, None))


def lies_in(state: State, here: Box, other: Unit) -> bool:
    return gap(here.corners(), box(state, other).corners()) < -SHARED
