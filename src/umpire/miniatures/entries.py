"""Entries of an army book: how many models, at what price, with which options; and what a list picks of them.

A game's own entries (datasheets, unit entries) are `Entry`s with a profile; what a roster says of a unit is a `Pick`.
`line` prices a pick, `objections` says what its entry forbids, each with the rule that the book has for it (`Rules`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from umpire.engine.rulings import Reason
from umpire.miniatures.lists import Item, Line, Tags

Points = Annotated[int, msgspec.Meta(ge=-10_000, le=10_000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000)]


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a unit may buy beside its models."""

    id: str
    name: dict[str, str]
    points: Points = 0
    per: Literal["unit", "model", "each"] = "unit"
    """Paid once for the unit, for every model in it, or for each one taken."""
    most: Count = 1
    """How often it may be taken (`each`)."""
    every: Count = 0
    """Once for every so many models (`each`): one in five may have it."""
    swaps: str = ""
    """The piece of `Entry.kit` that it replaces: what was swapped away is not paid for."""
    one_of: str = ""
    """Of the options with the same word here a unit, or where it is `each` a model, takes one at most."""
    needs: Tags = ()
    """Options without which it cannot be taken."""
    bars: Tags = ()
    """Options with which it cannot be taken."""
    tags: Tags = ()
    """What it counts as for limits on items (a rarity, a kind of magic item)."""
    adds: Tags = ()
    """What the unit counts as with it (a further category)."""
    alone: Tags = ()
    """Where its own points count beside the unit's (a mount in another category)."""


class Kit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A piece of equipment that every model has unless it is swapped."""

    id: str
    name: dict[str, str]
    points: Points = 0


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An entry of an army book as far as its list is concerned."""

    id: str
    name: dict[str, str]
    points: Points
    """Of the smallest unit."""
    least: Count = 1
    most: Count = 1
    each: Points = 0
    """Of each model above the least."""
    kin: str = ""
    """What counts as the same entry for limits on copies."""
    tags: Tags = ()
    """Categories, battlefield role, rarity: what limits count."""
    kit: tuple[Kit, ...] = ()
    options: tuple[Option, ...] = ()

    def option(self, key: str) -> Option | None:
        return next((option for option in self.options if option.id == key), None)


class Pick(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A unit of a roster: its entry, its models (0: the least), and its options with how many of each."""

    entry: str
    models: Count = 0
    options: dict[str, Count] = {}


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a book that speak of an entry's own page."""

    size: str
    """So many models."""
    option: str
    """Only options of the entry, and only together with what they need."""
    often: str
    """Each so often at most."""


def models(entry: Entry, pick: Pick) -> int:
    return pick.models or entry.least


def often(entry: Entry, pick: Pick, option: Option) -> int:
    """How many times a unit of this size may take an option."""
    if option.per != "each":
        return 1
    return models(entry, pick) // option.every if option.every else min(option.most, models(entry, pick))


def paid(entry: Entry, pick: Pick, option: Option) -> int:
    """How many times it is paid."""
    taken = pick.options.get(option.id, 0)
    return models(entry, pick) if option.per == "model" and taken else taken


def items(entry: Entry, pick: Pick) -> Iterator[Item]:
    """Everything that the unit pays for: its models, what they end up with, its options."""
    count = models(entry, pick)
    yield Item(id=entry.id, name=entry.name, points=entry.points)
    if count > entry.least:
        yield Item(id=f"{entry.id}+", name="list.more-models", points=entry.each, count=count - entry.least)
    for piece in entry.kit:
        swapped = sum(paid(entry, pick, option) for option in entry.options if option.swaps == piece.id)
        if piece.points and swapped < count:
            yield Item(id=piece.id, name=piece.name, points=piece.points, count=count - swapped)
    for option in entry.options:
        if times := paid(entry, pick, option):
            yield Item(
                id=option.id,
                name=option.name,
                points=option.points,
                count=times,
                tags=option.tags,
                adds=option.adds,
                alone=option.alone,
            )


def line(entry: Entry, pick: Pick, place: str, group: str = "", tags: Tags = (), more: tuple[Item, ...] = ()) -> Line:
    """The pick as a line of the list; `tags` and `more` are what the game itself knows of it (a warlord, spells)."""
    return Line(
        id=place,
        entry=entry.id,
        name=entry.name,
        group=group,
        kin=entry.kin,
        tags=entry.tags + tags,
        items=(*items(entry, pick), *more),
    )


def objections(rules: Rules, entry: Entry, pick: Pick) -> Iterator[Reason]:
    """What the entry's own page has against this unit."""
    unit: dict[str, Any] = {"unit": dict(entry.name)}
    count = models(entry, pick)
    if not entry.least <= count <= entry.most:
        facts = {**unit, "models": count, "least": entry.least, "most": entry.most}
        yield Reason(rules.size, "reason.list.models", facts)
    taken = {key: number for key, number in pick.options.items() if number}
    for key, number in taken.items():
        option = entry.option(key)
        if option is None:
            yield Reason(rules.option, "reason.list.no-option", {**unit, "option": key})
            continue
        facts = {**unit, "option": dict(option.name)}
        if number > (most := often(entry, pick, option)):
            yield Reason(rules.often, "reason.list.option-often", {**facts, "count": number, "most": most})
        for other in option.needs:
            if other not in taken:
                yield Reason(rules.option, "reason.list.option-needs", {**facts, "other": _named(entry, other)})
        for other in option.bars:
            if other in taken:
                yield Reason(rules.option, "reason.list.option-bars", {**facts, "other": _named(entry, other)})
    yield from _choices(rules, entry, taken, count, unit)


def _choices(rules: Rules, entry: Entry, taken: dict[str, int], count: int, unit: dict[str, Any]) -> Iterator[Reason]:
    """Options of which one excludes the other, and equipment that can be swapped but once by each model."""
    chosen: dict[str, list[Option]] = {}
    for option in entry.options:
        if option.id in taken and (option.one_of or option.swaps):
            for word in dict.fromkeys((option.one_of, option.swaps)):
                if word:
                    chosen.setdefault(word, []).append(option)
    for options in chosen.values():
        number = sum(count if o.per == "model" else taken[o.id] for o in options)
        most = count if all(o.per != "unit" for o in options) else 1
        if number > most and len(options) > 1:
            facts = {**unit, "options": [dict(o.name) for o in options], "count": number, "most": most}
            yield Reason(rules.option, "reason.list.option-one-of", facts)


def _named(entry: Entry, key: str) -> dict[str, str] | str:
    option = entry.option(key)
    return dict(option.name) if option else key


def problems(entry: Entry) -> Iterator[tuple[str, str]]:
    """What is wrong with an entry as data: the field, and the text's key with what it names."""
    if not 1 <= entry.least <= entry.most:
        yield "most", "content.list.sizes"
    kit = [piece.id for piece in entry.kit]
    ids = [option.id for option in entry.options]
    for n, option in enumerate(entry.options):
        if ids.index(option.id) != n:
            yield f"options[{n}].id", "content.twice"
        if option.swaps and option.swaps not in kit:
            yield f"options[{n}].swaps", "content.unknown"
        for field in ("needs", "bars"):
            if any(key not in ids for key in getattr(option, field)):
                yield f"options[{n}].{field}", "content.unknown"
