"""Army books as data: reading and checking `content/t9a/*.yaml`; what is wrong is told with file and field."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec

from umpire import files
from umpire.errors import fault
from umpire.miniatures.amounts import Number, Positive
from umpire.miniatures.books import Entry, Library, content, finds
from umpire.miniatures.checks import all_among
from umpire.miniatures.making import made
from umpire.miniatures.positions import marks_of
from umpire.rulebook.deciding import decides

from .model_rules import known
from .profiles import (
    Aim,
    Characteristic,
    Dice,
    Height,
    Names,
    NoDice,
    Part,
    Profile,
    Range,
    Rule,
    Side,
    Spell,
    Value,
    Weapon,
    parse_rule,
)
from .weapons import BREATH, MELEE, SHOOTING

Tags = tuple[str, ...]
Rarity = Literal["", "plain", "common", "uncommon", "rare", "exceptional", "legendary"]
Skill = Literal["", "battlefield-hero", "innovator", "recruiter"]
Caster = Annotated[str, msgspec.Meta(pattern=r"^(apprentice|adept|master|(conclave|protean) \d)?$")]
OfRider = Annotated[str, msgspec.Meta(pattern=r"^C([+-]\d)?$")]
"""A mount's value that is its rider's, or so much more or less (t9a.char.mount.c-values)."""


@marks_of(Part, but=("strength", "own"))
class PartEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    str_: Value | Dice | None = msgspec.field(default=None, name="str")
    weapons: Tags = ()
    aim: dict[str, Aim] = {}
    rules: Tags = ()


class WeaponEntry(Entry, frozen=True, kw_only=True):
    shooting: bool = False
    breath: bool = False
    two_handed: bool = False
    enchanted: bool = False
    mods: dict[Characteristic, int | Dice] = msgspec.field(default_factory=dict)
    """Changes of characteristics; \"D3\" is rolled for."""
    rules: Tags = ()
    range: Range = 0
    shots: NoDice = "1"
    str_: Value | None = msgspec.field(default=None, name="str")
    ap: Value | None = None


class Given(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an option or an item gives the unit."""

    rules: Tags = ()
    attributes: Tags = ()
    """Attack attributes of the first part."""
    weapons: Tags = ()
    aim: dict[str, Aim] = {}
    mods: dict[Characteristic, int] = {}
    shield: bool = False
    standard: bool = False
    musician: bool = False
    general: bool = False
    bearer: bool = False
    wizard: Caster = ""
    bound: Tags = ()
    skill: Skill = ""
    solitary: bool = False


class OptionEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    id: str
    name: Names = {}
    points: int = 0
    per: Literal["unit", "model"] = "unit"
    share: Literal["all", "half"] = "all"
    """Who gets it: all models, or the half of them that stands in front."""
    one_of: str = ""
    needs: Tags = ()
    rarity: Rarity = ""
    per_army: int = 0
    adds: Tags = ()
    alone: Tags = ()
    gives: Given = Given()


class Item(Entry, frozen=True, kw_only=True):
    """A magic item or a banner enchantment."""

    kind: Literal["weapon", "armour", "talisman", "arcane", "banner", "artefact"]
    points: int
    rarity: Rarity = "legendary"
    weapon: WeaponEntry | None = None
    gives: Given = Given()
    unit_rules: Tags = ()
    """Rules that a banner gives its whole unit."""
    dice: int = 0
    """Magic dice that it adds when its side siphons."""
    one_use: bool = False


class UnitEntry(Entry, frozen=True, kw_only=True):
    """An entry of an army book."""

    categories: Tags
    points: int
    least: int = 1
    most: int = 1
    each: int = 0
    rarity: Rarity = ""
    cap: int = 0
    per_army: int = 0
    cha: Value = 0
    mob: Value | Dice = 4
    dis: Value = 7
    hp: Positive = 1
    df: Value = msgspec.field(default=3, name="def")
    res: Value = 3
    arm: Value = 0
    rsr: Number = 0
    height: Height = 1
    base: tuple[Side, Side] = (20.0, 20.0)
    traits: Tags = ()
    rules: Tags = ()
    shield: bool = False
    parts: tuple[PartEntry, ...] = ()
    weapons: tuple[WeaponEntry, ...] = ()
    character: bool = False
    attachable: bool = False
    wizard: Caster = ""
    paths: Tags = ()
    spells: Tags = ()
    """A Conclave's list, or the spells of a caster who is no wizard."""
    bound: Tags = ()
    options: tuple[OptionEntry, ...] = ()
    mounts: Tags = ()
    items: int = 0
    """Points of magic items it may take."""
    banners: int = 0
    """Points of banner enchantments its standard bearer may take."""
    supplement: bool = False


class MountEntry(Entry, frozen=True, kw_only=True):
    """A mount: its values, "C", "C+X" or "C-X" where it takes the character's."""

    points: int
    per_army: int = 0
    alone: Tags = ()
    cha: Value | OfRider = "C"
    mob: Value | OfRider = "C"
    dis: Value | OfRider = "C"
    hp: Value | OfRider = "C"
    df: Value | OfRider = msgspec.field(default="C", name="def")
    res: Value | OfRider = "C"
    arm: Value | OfRider = "C"
    height: Height = 2
    base: tuple[Side, Side] = (25.0, 50.0)
    traits: Tags = ()
    rules: Tags = ()
    parts: tuple[PartEntry, ...] = ()
    weapons: tuple[WeaponEntry, ...] = ()


@marks_of(Spell, but=("names", "path", "strength"))
class SpellEntry(Entry, frozen=True, kw_only=True):
    number: Number = 0
    mods: dict[Characteristic, int] = msgspec.field(default_factory=dict)
    gives: Tags = ()
    str_: Number = msgspec.field(default=0, name="str")
    attributes: Tags = ()


class PathEntry(Entry, frozen=True, kw_only=True):
    spells: tuple[SpellEntry, ...]


class Category(Entry, frozen=True, kw_only=True):
    least: int = 0
    most: int | None = None
    """Percent of the army size."""


class Combined(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    of: Tags
    most: int


class Book(Entry, frozen=True, kw_only=True):
    """An army book."""

    about: Names
    categories: tuple[Category, ...]
    entries: tuple[UnitEntry, ...]
    mounts: tuple[MountEntry, ...] = ()
    items: tuple[Item, ...] = ()
    hereditary: tuple[SpellEntry, ...] = ()
    combined: tuple[Combined, ...] = ()
    supplement: bool = False

    entry = finds(UnitEntry, "entries")
    mount = finds(MountEntry, "mounts")
    category = finds(Category, "categories")


BOOKS = ("thornmark", "hollow", "ember")


def read_book(source: files.Source) -> Book:
    from .book_checks import check_book

    return source.checked(Book, check_book)


def check_share(option: OptionEntry, where: str) -> None:
    """Half of a unit may differ in what protects it and in model rules, and in nothing else (`majority`)."""
    left = msgspec.structs.replace(option.gives, rules=(), mods={}, shield=False)
    if option.share == "half" and (left != Given() or not {"def", "res", "arm"}.issuperset(option.gives.mods)):
        raise fault("error.t9a.share", where)


LIBRARY = Library(lambda: (content("t9a", f"{key}.yaml") for key in BOOKS), read_book, "book")
books = LIBRARY.books


@cache
def paths() -> dict[str, dict[int, Spell]]:
    """The paths of magic: their spells by number."""
    source = content("t9a", "paths.yaml")
    with source.locating():
        told = source.convert(tuple[PathEntry, ...])
        return {path.id: {s.number: spell_of(s, path.id, f"{path.id}.spells") for s in path.spells} for path in told}


def spell_of(entry: SpellEntry, path: str, where: str) -> Spell:
    return made(
        Spell,
        entry,
        names=entry.name,
        path=path,
        mods=tuple(entry.mods.items()),
        gives=rules_of(entry.gives, f"{where}.gives"),
        strength=entry.str_,
        attributes=rules_of(entry.attributes, f"{where}.attributes"),
    )


def find_spell(key: str, book: Book | None, where: str) -> Spell:
    """A spell by "path/number", by its id, or a hereditary one."""
    for by_number in paths().values():
        for spell in by_number.values():
            if key in (spell.id, f"{spell.path}/{spell.number}"):
                return spell
    for entry in book.hereditary if book is not None else ():
        if entry.id == key:
            return spell_of(entry, "hereditary", where)
    raise fault("error.t9a.no-spell", where, name=key)


def rules_of(texts: Tags, where: str) -> tuple[Rule, ...]:
    return tuple(parse_rule(text, known(), f"{where}[{n}]") for n, text in enumerate(texts))


def weapon_of(entry: WeaponEntry, where: str) -> Weapon:
    rules = rules_of(entry.rules, f"{where}.rules")
    return made(
        Weapon,
        entry,
        shooting=entry.shooting or entry.breath,
        mods=tuple((name, value) for name, value in entry.mods.items() if isinstance(value, int)),
        rolled=tuple((name, value) for name, value in entry.mods.items() if isinstance(value, str)),
        rules=(*BREATH, *rules) if entry.breath else rules,
        range=entry.range or (8 if entry.breath else 0),
        shots="2D6" if entry.breath else entry.shots,
        strength=entry.str_,
        rule="t9a.rule.weapon.breath" if entry.breath else "t9a.rule.weapon",
        one_use=entry.breath,
        names=entry.name,
    )


def part_of(entry: PartEntry, own: dict[str, Weapon], where: str, weapons: Tags = ()) -> Part:
    """A part with its weapons, those of its own among them."""
    arms, aim = tuple(dict.fromkeys((*entry.weapons, *weapons))), tuple(entry.aim.items())
    rules = rules_of(entry.rules, f"{where}.rules")
    return made(Part, entry, strength=entry.str_, weapons=arms, rules=rules, aim=aim, own=own)


def parts_of(entries: tuple[PartEntry, ...], own: dict[str, Weapon], where: str) -> tuple[Part, ...]:
    found = []
    for part in entries:
        all_among("weapon", part.weapons, (*own, *MELEE, *SHOOTING), where)
        mine = {key: weapon for key, weapon in own.items() if key in part.weapons}
        found.append(part_of(part, mine, where))
    return tuple(found)


@decides("t9a.def.profile", "t9a.def.profile.random-mobility")
def profile_of(entry: UnitEntry, where: str) -> Profile:
    own = {weapon.id: weapon_of(weapon, where) for weapon in entry.weapons}
    rules = rules_of(entry.rules, where)
    mob, cha = entry.mob, entry.cha
    if isinstance(mob, str):
        from .profiles import most_of

        if not any(rule.id == "t9a.rule.random-movement.distance" for rule in rules):
            rules = (*rules, Rule("t9a.rule.random-movement.distance", mob))
        mob = cha = most_of(mob)
    return made(Profile, entry, cha=cha, mob=mob, rules=rules, parts=parts_of(entry.parts, own, where))


@cache
def summons() -> dict[str, Any]:
    """Units that spells bring, by name, as they come."""
    from .state import Pool

    source = content("t9a", "summons.yaml")
    with source.locating():
        entries = [(entry, profile_of(entry, entry.id)) for entry in source.convert(tuple[UnitEntry, ...])]
    return {
        entry.id: Pool(
            id="",
            side=0,
            entry=entry.id,
            names=entry.name,
            profile=profile,
            start=entry.least,
            count=entry.least,
            summoned=True,
        )
        for entry, profile in entries
    }
