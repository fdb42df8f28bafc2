"""What an army book names is there: rules, weapons, paths, spells, mounts, categories, options. A word that means
nothing is told where it stands, whether any list takes it or not."""

from __future__ import annotations

from collections.abc import Iterable

from umpire.miniatures.books import check_references
from umpire.miniatures.checks import all_among

from . import content
from .content import Book, Given, MountEntry, UnitEntry
from .weapons import MELEE, SHOOTING

REFERS = {"mounts": {"alone": "categories"}, "entries": {"categories": "categories", "mounts": "mounts"}}


def check_book(book: Book) -> None:
    check_references(book, REFERS)
    for mount in book.mounts:
        check_mount(mount, f"mounts.{mount.id}")
    for item in book.items:
        where = f"items.{item.id}"
        content.rules_of(item.unit_rules, f"{where}.unit_rules")
        if item.weapon is not None:
            content.weapon_of(item.weapon, f"{where}.weapon")
        check_given(item.gives, book, (), f"{where}.gives")
    for entry in book.entries:
        check_entry(entry, book, f"entries.{entry.id}")
    for spell in book.hereditary:
        content.spell_of(spell, "hereditary", f"hereditary.{spell.id}")
    for n, combined in enumerate(book.combined):
        all_among("entry", combined.of, (one.id for one in (*book.categories, *book.entries)), f"combined[{n}].of")


def check_entry(entry: UnitEntry, book: Book, where: str) -> None:
    content.profile_of(entry, where)
    all_among("value", entry.paths, content.paths(), f"{where}.paths")
    for what in ("spells", "bound"):
        for key in getattr(entry, what):
            content.find_spell(key, book, f"{where}.{what}")
    for option in entry.options:
        at = f"{where}.options.{option.id}"
        all_among("category", (*option.adds, *option.alone), (one.id for one in book.categories), at)
        all_among("option", option.needs, (one.id for one in entry.options), f"{at}.needs")
        content.check_share(option, f"{at}.share")
        check_given(option.gives, book, (weapon.id for weapon in entry.weapons), f"{at}.gives")


def check_given(given: Given, book: Book, own: Iterable[str], where: str) -> None:
    """What an option or an item gives; `own` are the weapons of the entry itself."""
    content.rules_of(given.rules, f"{where}.rules")
    content.rules_of(given.attributes, f"{where}.attributes")
    all_among("weapon", given.weapons, (*own, *MELEE, *SHOOTING), f"{where}.weapons")
    for key in given.bound:
        content.find_spell(key, book, f"{where}.bound")


def check_mount(mount: MountEntry, where: str) -> None:
    content.rules_of(mount.rules, f"{where}.rules")
    own = {weapon.id: content.weapon_of(weapon, f"{where}.weapons.{weapon.id}") for weapon in mount.weapons}
    content.parts_of(mount.parts, own, f"{where}.parts")
