"""What an army book names is there: rules, weapons, paths, spells, mounts, categories, options. A word that means
nothing is told where it stands, whether any list takes it or not."""

from __future__ import annotations

import re
from collections.abc import Iterable

from umpire.errors import fault, unknown
from umpire.miniatures.books import check_references

from . import content, spell_lists
from .content import Book, Given, MountEntry, UnitEntry
from .muster import RARITIES, SKILLS
from .weapons import MELEE, SHOOTING

OF_RIDER = re.compile(r"C([+-]\d+)?")
"""A mount's value that is its rider's (t9a.char.mount.c-values)."""
WIZARDS = re.compile(rf"|{'|'.join(spell_lists.LEVELS)}|(conclave|protean) \d+")


REFERS = {"mounts": {"alone": "categories"}, "entries": {"categories": "categories", "mounts": "mounts"}}


def check_book(book: Book) -> None:
    check_references(book, REFERS)
    for mount in book.mounts:
        check_mount(mount, f"mounts.{mount.id}")
    for item in book.items:
        where = f"items.{item.id}"
        among("value", [item.rarity], RARITIES, f"{where}.rarity")
        content.rules_of(item.unit_rules, f"{where}.unit_rules")
        if item.weapon is not None:
            content.weapon_of(item.weapon, f"{where}.weapon")
        check_given(item.gives, book, (), f"{where}.gives")
    for entry in book.entries:
        check_entry(entry, book, f"entries.{entry.id}")
    for spell in book.hereditary:
        content.spell_of(spell, "hereditary", f"hereditary.{spell.id}")
    for n, combined in enumerate(book.combined):
        among("entry", combined.of, (one.id for one in (*book.categories, *book.entries)), f"combined[{n}].of")


def among(kind: str, given: Iterable[str], known: Iterable[str], where: str) -> None:
    names = sorted(known)
    for name in given:
        if name and name not in names:
            raise unknown(kind, name, where, names)


def check_entry(entry: UnitEntry, book: Book, where: str) -> None:
    content.profile_of(entry, where)
    among("value", [entry.rarity], RARITIES, f"{where}.rarity")
    among("value", entry.paths, content.paths(), f"{where}.paths")
    check_wizard(entry.wizard, f"{where}.wizard")
    for what in ("spells", "bound"):
        for key in getattr(entry, what):
            content.find_spell(key, book, f"{where}.{what}")
    for option in entry.options:
        at = f"{where}.options.{option.id}"
        among("category", (*option.adds, *option.alone), (one.id for one in book.categories), at)
        among("option", option.needs, (one.id for one in entry.options), f"{at}.needs")
        among("value", [option.rarity], RARITIES, f"{at}.rarity")
        content.check_share(option, f"{at}.share")
        check_given(option.gives, book, (weapon.id for weapon in entry.weapons), f"{at}.gives")


def check_given(given: Given, book: Book, own: Iterable[str], where: str) -> None:
    """What an option or an item gives; `own` are the weapons of the entry itself."""
    content.rules_of(given.rules, f"{where}.rules")
    content.rules_of(given.attributes, f"{where}.attributes")
    among("weapon", given.weapons, (*own, *MELEE, *SHOOTING), f"{where}.weapons")
    among("value", [given.skill], SKILLS, f"{where}.skill")
    check_wizard(given.wizard, f"{where}.wizard")
    for key in given.bound:
        content.find_spell(key, book, f"{where}.bound")


def check_mount(mount: MountEntry, where: str) -> None:
    for what in ("cha", "mob", "dis", "hp", "df", "res", "arm"):
        value = getattr(mount, what)
        if isinstance(value, str) and not OF_RIDER.fullmatch(value):
            raise fault("error.field.value", f"{where}.{what.replace('df', 'def')}", value=value)
    content.rules_of(mount.rules, f"{where}.rules")
    own = {weapon.id: content.weapon_of(weapon, f"{where}.weapons.{weapon.id}") for weapon in mount.weapons}
    content.parts_of(mount.parts, own, f"{where}.parts")


def check_wizard(told: str, where: str) -> None:
    if not WIZARDS.fullmatch(told):
        raise fault("error.field.value", where, value=told)
