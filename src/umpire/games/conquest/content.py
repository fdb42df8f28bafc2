"""The armies as data: reading and checking `content/conquest/*.yaml`; what is wrong is told with file and field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from umpire.errors import fault, unknown
from umpire.miniatures import checks
from umpire.miniatures.amounts import Number, Whole
from umpire.miniatures.books import Entry, Library, check_references, entries, finds, shelf
from umpire.miniatures.making import made
from umpire.miniatures.positions import found, marks_of
from umpire.rulebook.deciding import decides

from .hooks import KNOWN_EVENTS, KNOWN_RULES
from .profiles import Ability, CardEntry, Change, Class, Model, Names, Profile, Rule, Spell, Type

LETTERS = {
    "M": "march", "V": "volley", "C": "clash", "A": "attacks", "W": "wounds", "R": "resolve", "D": "defense",
    "E": "evasion",
}  # fmt: skip
"""The letters of an army list for the eight characteristics (conquest.profile.characteristics)."""

VALUED = (
    "armor-piercing", "aura-of-death", "barrage", "brutal-impact", "cleave", "decay", "hardened", "impact", "priest",
    "support", "terrifying", "wizard", "bastion", "regeneration",
)  # fmt: skip
"""Rules written with an (X)."""

CATEGORIES = ("tactical", "combat", "arcane")

_RULE = re.compile(r"([a-z][a-z-]*)(?: (\+?)(\d+))?(?: \((\d+(?:\.\d+)?)(?:; (.+))?\))?")

Stats = dict[str, Whole]


class _Given(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What an upgrade gives: changes and rules of the Character, rules of its regiment, draw events."""

    points: int = 0
    stats: Stats = {}
    rules: tuple[str, ...] = ()
    regiment_rules: tuple[str, ...] = ()
    draw: tuple[str, ...] = ()


class SupremacyEntry(Entry, frozen=True, kw_only=True):
    text: Names
    passive: bool = False
    whom: Literal["army", "within-12", "own-regiment"] = "army"
    stats: Stats = msgspec.field(default_factory=dict)
    rules: tuple[str, ...] = ()


class Mastery(_Given, frozen=True, kw_only=True):
    id: str
    name: Names
    category: str


class RetinueEntry(Entry, frozen=True, kw_only=True):
    category: str
    tiers: tuple[_Given, ...]


class Upgrade(_Given, frozen=True, kw_only=True):
    """An heirloom, treasure or ability; `type` if it changes what the Character is."""

    id: str
    name: Names
    kind: str
    supremacy: str = ""
    type: Type | None = None


class OfficerEntry(Entry, frozen=True, kw_only=True):
    rules: tuple[str, ...] = ()
    draw: tuple[str, ...] = ()


@marks_of(Spell, but=("names", "at", "shots", "effects"))
class SpellEntry(Entry, frozen=True, kw_only=True):
    points: int
    range: Number | Literal["self"]
    attunement: Number
    target: Literal["enemy", "friend", "self"]
    hit_rules: tuple[str, ...] = ()
    stats: Stats = msgspec.field(default_factory=dict)
    rules: tuple[str, ...] = ()


class _Listed(Entry, frozen=True, kw_only=True):
    """What regiments and Characters of an army list have alike."""

    type: Type
    klass: Class = msgspec.field(name="class")
    stats: Stats
    points: int
    rules: tuple[str, ...] = ()
    draw: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()


class CharacterEntry(_Listed, frozen=True, kw_only=True):
    """A Character of an army list. `retinue` says how many places he has and which categories are open to him."""

    supremacy: str
    mainstay: tuple[str, ...]
    restricted: tuple[str, ...] = ()
    masteries: tuple[str, ...] = ()
    retinue: dict[str, Any] = msgspec.field(default_factory=dict)
    upgrades: tuple[str, ...] = ()
    alone: bool = False


class CommandEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command models a regiment may have and what they cost; a Leader may be free."""

    leader: int | Literal["free"] | None = None
    standard: int | None = None
    officers: dict[str, int] = {}


class RegimentEntry(_Listed, frozen=True, kw_only=True):
    stands: int
    most: int
    stand_points: int
    command: CommandEntry = CommandEntry()


class Faction(Entry, frozen=True, kw_only=True):
    about: Names
    supremacy: tuple[SupremacyEntry, ...]
    masteries: tuple[Mastery, ...] = ()
    retinue: tuple[RetinueEntry, ...] = ()
    upgrades: tuple[Upgrade, ...] = ()
    officers: tuple[OfficerEntry, ...] = ()
    spells: tuple[SpellEntry, ...] = ()
    characters: tuple[CharacterEntry, ...]
    regiments: tuple[RegimentEntry, ...]
    secondary: tuple[CardEntry, ...]

    character = finds(CharacterEntry, "characters")
    regiment = finds(RegimentEntry, "regiments")
    mastery = finds(Mastery, "masteries")
    upgrade = finds(Upgrade, "upgrades")
    category = finds(RetinueEntry, "retinue")
    officer = finds(OfficerEntry, "officers")


# -- from words to rules -------------------------------------------------------------------------------------------


@cache
def rule_of(text: str) -> Rule:
    """ "cleave 1", "cleave +1", "barrage 2 (20; armor-piercing 1, precise-shot)" as a rule."""
    match = _RULE.fullmatch(text)
    if match is None:
        raise fault("error.conquest.rule", rule=text)
    name, plus, value, reach, shots = match.groups()
    if (name in VALUED) != (value is not None):
        raise fault("error.conquest.rule-value" if name in VALUED else "error.conquest.rule-no-value", rule=name)
    if (name == "barrage") != (reach is not None):
        raise fault("error.conquest.rule-range", rule=text)
    return Rule(
        name,
        int(value or 0),
        bool(plus),
        float(reach or 0),
        tuple(rule_of(shot.strip()) for shot in shots.split(",")) if shots else (),
    )


def changes_of(stats: Stats, rules: tuple[str, ...]) -> tuple[Change, ...]:
    return tuple(Change(LETTERS[k], v) for k, v in stats.items()) + tuple(Change(rule=rule_of(r)) for r in rules)


def ability_of(entry: SupremacyEntry) -> Ability:
    effects = changes_of(entry.stats, entry.rules)
    return Ability(entry.id, entry.name, entry.passive, on=entry.whom, effects=effects, text=entry.text)


def spell_of(entry: SpellEntry) -> Spell:
    return made(
        Spell,
        entry,
        names=entry.name,
        at=entry.target,
        range=0.0 if entry.range == "self" else float(entry.range),
        shots=tuple(rule_of(r) for r in entry.hit_rules),
        effects=changes_of(entry.stats, entry.rules),
    )


def officer_of(entry: OfficerEntry) -> Model:
    return Model(entry.id, entry.name, tuple(map(rule_of, entry.rules)), tuple(map(rule_of, entry.draw)))


@decides(
    "conquest.profile.structure", "conquest.profile.type", "conquest.profile.class", "conquest.profile.characteristics"
)
def profile_of(entry: _Listed) -> Profile:
    """The printed profile (conquest.profile.structure)."""
    values = {LETTERS[k]: v for k, v in entry.stats.items()}
    rules, events = tuple(map(rule_of, entry.rules)), tuple(map(rule_of, entry.draw))
    return Profile(type=entry.type, klass=entry.klass, rules=rules, events=events, **values)


# -- reading and checking ------------------------------------------------------------------------------------------


def check_known(rules: Iterable[Rule], where: str, events: bool = False) -> None:
    """Special rules, or draw events, that some code knows."""
    known, kind = (KNOWN_EVENTS, "draw-event") if events else (KNOWN_RULES, "special-rule")
    for n, rule in enumerate(rules):
        for each in (rule, *rule.shots):
            if each.name not in known:
                raise unknown(kind, each.name, f"{where}[{n}]", sorted(known)[:60])


def check_rules(where: str, texts: Sequence[str], events: bool = False) -> None:
    """Special rules, or draw events, that are written as they should be and that some code knows."""
    for i, text in enumerate(texts):
        checks.readable(rule_of, text, f"{where}[{i}]")
    check_known(map(rule_of, texts), where, events)


def check_stats(where: str, given: Stats, full: bool = False) -> None:
    wrong = [k for k in given if k not in LETTERS] + [k for k in LETTERS if full and k not in given]
    if wrong:
        raise fault("error.conquest.stats", where, letters=" ".join(LETTERS), wrong=wrong)


GROUPS = ("supremacy", "masteries", "retinue", "upgrades", "officers", "spells", "characters", "regiments")
REFERS = {
    "characters": {
        "spells": "spells", "supremacy": "supremacy", "mainstay": "regiments", "restricted": "regiments",
        "upgrades": "upgrades",
    },
    "regiments": {"spells": "spells", "command.officers": "officers"},
    "upgrades": {"supremacy": "supremacy"},
}  # fmt: skip


def check_faction(faction: Faction) -> None:
    """Everything that a faction refers to exists; the error says the field."""
    for group, where, entry in entries(faction, GROUPS):
        for at, part in (
            (where, entry),
            *((f"{where}.tiers[{i}]", t) for i, t in enumerate(getattr(entry, "tiers", ()))),
        ):
            for field in ("rules", "regiment_rules", "hit_rules", "draw"):
                check_rules(f"{at}.{field}", getattr(part, field, ()), events=field == "draw")
            check_stats(f"{at}.stats", getattr(part, "stats", {}), group in ("characters", "regiments"))
        for category in getattr(entry, "masteries", ()) or ([entry.category] if hasattr(entry, "category") else ()):
            if category not in CATEGORIES:
                field = "category" if hasattr(entry, "category") else "masteries"
                raise unknown("category", category, f"{where}.{field}", CATEGORIES)
    check_references(faction, REFERS)
    kinds = [entry.id for entry in faction.retinue]
    for character in faction.characters:
        where = f"characters.{character.id}"
        for key, value in character.retinue.items():
            if key != "slots" and key not in kinds:
                raise unknown("entry", key, f"{where}.retinue", kinds)
            if not (value in ("available", "restricted") if key != "slots" else isinstance(value, int)):
                raise fault("error.conquest.retinue", f"{where}.retinue.{key}")
    if sum(card.copies for card in faction.secondary) < 5:
        raise fault("error.conquest.deck", "secondary", least=5)


LIBRARY = Library(shelf("conquest", but=("scenario",)), lambda source: source.checked(Faction, check_faction))
factions = LIBRARY.books


def faction(key: str, where: str = "faction") -> Faction:
    return found("faction", key, factions(), where)


def secondary(keys: tuple[str, str]) -> tuple[tuple[CardEntry, ...], tuple[CardEntry, ...]]:
    """The decks of two armies; an army that is no faction's has none."""
    first, second = (factions()[key].secondary if key else () for key in keys)
    return first, second


@LIBRARY.table
def by_key(books: Mapping[str, Faction]) -> dict[str, CharacterEntry | RegimentEntry]:
    """Every regiment and Character of the library by "faction/entry"."""
    found: list[tuple[Faction, Any]] = [(b, e) for b in books.values() for e in (*b.characters, *b.regiments)]
    return {f"{book.id}/{entry.id}": entry for book, entry in found}
