"""What an army book names is there: rules, weapons, paths, spells, mounts, categories, options. A word that means
nothing is told where it stands, whether any list takes it or not."""

from __future__ import annotations

import re
from collections.abc import Iterable

from umpire.errors import fault, unknown

from . import content, spell_lists
from .content import Book, Given, MountEntry, UnitEntry
from .muster import RARITIES, SKILLS
from .weapons import MELEE, SHOOTING

OF_RIDER = re.compile(r"C([+-]\d+)?")
"""A mount's value that is its rider's (t9a.char.mount.c-values)."""
WIZARDS = re.compile(rf"|{'|'.join(spell_lists.LEVELS)}|(conclave|protean) \d+")


def check_book(book: Book) -> None:
    categories = [category.id for category in book.categories]
    mounts = [mount.id for mount in book.mounts]
    for mount in book.mounts:
        check_mount(mount, categories, f"mounts.{mount.id}")
    for item in book.items:
        where = f"items.{item.id}"
        among("value", [item.rarity], RARITIES, f"{where}.rarity")
        content.rules_of(item.unit_rules, f"{where}.unit_rules")
        if item.weapon is not None:
            content.weapon_of(item.weapon, f"{where}.weapon")
        check_given(item.gives, book, (), f"{where}.gives")
    for entry in book.entries:
        where = f"entries.{entry.id}"
        among("category", entry.categories, categories, f"{where}.categories")
        among("mount", entry.mounts, mounts, f"{where}.mounts")
        check_entry(entry, book, where)
        for option in entry.options:
            among("category", (*option.adds, *option.alone), categories, f"{where}.options.{option.id}")
    for spell in book.hereditary:
        content.spell_of(spell, "hereditary", f"hereditary.{spell.id}")
    kinds = (*categories, *(entry.id for entry in book.entries))
    for n, combined in enumerate(book.combined):
        among("entry", combined.of, kinds, f"combined[{n}].of")


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


def check_mount(mount: MountEntry, categories: Iterable[str], where: str) -> None:
    for what in ("cha", "mob", "dis", "hp", "df", "res", "arm"):
        value = getattr(mount, what)
        if isinstance(value, str) and not OF_RIDER.fullmatch(value):
            raise fault("error.field.value", f"{where}.{what.replace('df', 'def')}", value=value)
    among("category", mount.alone, categories, f"{where}.alone")
    content.rules_of(mount.rules, f"{where}.rules")
    own = {weapon.id: content.weapon_of(weapon, f"{where}.weapons.{weapon.id}") for weapon in mount.weapons}
    content.parts_of(mount.parts, own, f"{where}.parts")


def check_wizard(told: str, where: str) -> None:
    if not WIZARDS.fullmatch(told):
        raise fault("error.field.value", where, value=told)
