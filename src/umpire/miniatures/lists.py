"""Army lists of any book: what a list holds, what each line of it costs, and the limits that it must keep.

A game has a roster of its own, the file that a player writes. It spells that out as an `Army` of `Line`s, each with
the `Item`s that are paid for, and says which `Limit`s its book sets. A limit counts lines, groups, items or points that
carry a tag (a battlefield role, a category, a rarity, the entry's own id), in the whole army, in each group
(detachment, warband, regiment), in each line or of each kind of thing. What is no matter of counting (who may lead
whom, which keyword a detachment shares) a game objects to itself, in the same words: `Reason`s with their rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from umpire.engine.bills import Account, Bill, Charge
from umpire.engine.rulings import Reason

Names = Mapping[str, str]
Tags = tuple[str, ...]
What = Literal["lines", "groups", "items", "points", "item-points"]
Scope = Literal["army", "group", "line", "kind"]


class Item(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is paid for: the models of a unit, more of them, an option, a mount, a magic item."""

    id: str
    name: Names | str = ""
    """In both languages, or the key of a text."""
    points: int = 0
    """Of each."""
    count: int = 1
    tags: Tags = ()
    """What limits on items count it as."""
    adds: Tags = ()
    """What the whole line counts as because of it: an option that brings a further category."""
    alone: Tags = ()
    """Where its own points count, beside the line's: a mount of another category."""

    @property
    def cost(self) -> int:
        return self.points * self.count

    @property
    def counts_as(self) -> Tags:
        return (self.id, *self.tags)


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of the list: a unit or a character with all that was bought for it."""

    id: str
    """Its place in the roster (`warbands[0].regiments[1]`)."""
    entry: str
    name: Names | str = ""
    group: str = ""
    """The detachment, warband or regiment that it belongs to."""
    kin: str = ""
    """What counts as the same entry; the entry itself if nothing is said."""
    tags: Tags = ()
    items: tuple[Item, ...] = ()

    @property
    def cost(self) -> int:
        return sum(item.cost for item in self.items)

    @property
    def kind(self) -> str:
        return self.kin or self.entry

    @property
    def counts_as(self) -> Tags:
        """Its entry, its own tags, and those that its options bring."""
        found = [self.entry, *self.tags]
        for item in self.items:
            if item.adds:
                found += item.adds
        return tuple(found)


class Group(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of an army with limits of its own: a detachment, a warband, a regiment."""

    id: str
    name: Names | str = ""
    tags: Tags = ()


class Army(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A list spelt out: its groups, its lines, and the points agreed for the battle."""

    size: int
    lines: tuple[Line, ...]
    groups: tuple[Group, ...] = ()
    extra: tuple[Item, ...] = ()
    """What the army as a whole pays for."""

    @property
    def cost(self) -> int:
        return sum(line.cost for line in self.lines) + sum(item.cost for item in self.extra)

    def of(self, group: str) -> list[Line]:
        return [line for line in self.lines if line.group == group]

    def with_line(self, line: Line) -> Army:
        return msgspec.structs.replace(self, lines=(*self.lines, line))


class Limit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """At least so many and at most so many of something.

    `what` is counted: lines of the list, groups, items, the points of whole lines, or the points of items. `of` are the
    tags that count (any of them; none: everything; an entry's or item's own id is one), `but` those that are exempt.
    `scope` says where: in the whole army, in each group (or in `group` alone), in each line, or of each kind (copies of
    one entry or item). A line of several categories counts in each of them with all its points.
    """

    rule: str
    what: What = "lines"
    of: Tags = ()
    but: Tags = ()
    scope: Scope = "army"
    group: str = ""
    least: int = 0
    most: int | None = None
    key: str = ""
    """The sentence, if it is not the rule's own."""
    fact: str = "count"
    """What the number is called in the sentence."""
    facts: Mapping[str, Any] = {}

    def counts(self, tags: Tags) -> bool:
        for tag in self.but:
            if tag in tags:
                return False
        for tag in self.of:
            if tag in tags:
                return True
        return not self.of


def broken(limits: Iterable[Limit], army: Army) -> Iterator[Reason]:
    """Every limit that a list does not keep, with what was counted."""
    for limit in limits:
        for name, count in counted(limit, army):
            if count < limit.least or (limit.most is not None and count > limit.most):
                yield Reason(limit.rule, limit.key, _facts(limit, name, count))


def exceeded(limits: Iterable[Limit], army: Army) -> bool:
    """Is there too much of anything? A list that grows never mends that; that there is too little it may."""
    return any(
        limit.most is not None and any(count > limit.most for _, count in counted(limit, army)) for limit in limits
    )


def outgrown(limits: Iterable[Limit], army: Army, line: Line) -> bool:
    """Is there too much of anything with one line more, where there was not before?"""
    return exceeded(
        (limit for limit in limits if limit.most is not None and concerns(limit, line)), army.with_line(line)
    )


def concerns(limit: Limit, line: Line) -> bool:
    """Is there anything of this line that a limit may count?"""
    if limit.what in ("items", "item-points"):
        return any(limit.counts(item.counts_as) for item in line.items)
    return limit.counts(line.counts_as) or any(item.alone and limit.counts(item.alone) for item in line.items)


def lacking(limits: Iterable[Limit], army: Army) -> Limit | None:
    """The first limit of which there is too little."""
    return next(
        (limit for limit in limits if limit.least and any(n < limit.least for _, n in counted(limit, army))), None
    )


def _facts(limit: Limit, name: Names | str, count: int) -> dict[str, Any]:
    facts: dict[str, Any] = {limit.fact: count, **limit.facts}
    if name:
        facts["of"] = name if isinstance(name, str) else dict(name)
    if limit.least:
        facts["least"] = limit.least
    if limit.most is not None:
        facts["most"] = limit.most
    return facts


def counted(limit: Limit, army: Army) -> Iterator[tuple[Names | str, int]]:
    """What the limit counts, once for each place or kind of thing that it looks at."""
    if limit.scope == "group" or limit.group:
        for group in army.groups:
            if limit.group in ("", group.id):
                yield group.name or group.id, _sum(limit, army.of(group.id), (), ())
    elif limit.scope == "line":
        for line in army.lines:
            if limit.what != "points" or limit.counts(line.counts_as):
                yield line.name or line.id, _sum(limit, [line], (), ())
    elif limit.scope == "kind":
        yield from _kinds(limit, army)
    else:
        yield "", _sum(limit, army.lines, army.groups, army.extra)


def _sum(limit: Limit, lines: Sequence[Line], groups: Sequence[Group], extra: Sequence[Item]) -> int:
    if limit.what == "lines":
        return len([line for line in lines if limit.counts(line.counts_as)])
    if limit.what == "groups":
        return sum(limit.counts(group.tags) for group in groups)
    if limit.what == "items":
        return sum(item.count for item in _items(lines, extra) if limit.counts(item.counts_as))
    if limit.what == "item-points":
        return sum(item.cost for item in _items(lines, extra) if limit.counts(item.counts_as))
    total = 0
    for line in lines:
        if limit.counts(line.counts_as):
            total += line.cost
        else:
            total += sum(item.cost for item in line.items if item.alone and limit.counts(item.alone))
    return total + sum(item.cost for item in extra if limit.counts(item.counts_as))


def _items(lines: Iterable[Line], extra: Iterable[Item]) -> Iterator[Item]:
    for line in lines:
        yield from line.items
    yield from extra


def _kinds(limit: Limit, army: Army) -> Iterator[tuple[Names | str, int]]:
    """Copies of each entry, or of each item, in the army."""
    found: dict[str, int] = {}
    named: dict[str, Names | str] = {}
    if limit.what == "items":
        for item in _items(army.lines, army.extra):
            if limit.counts(item.counts_as):
                found[item.id] = found.get(item.id, 0) + item.count
                named.setdefault(item.id, item.name or item.id)
    else:
        for line in army.lines:
            if limit.counts(line.counts_as):
                found[line.kind] = found.get(line.kind, 0) + (line.cost if limit.what == "points" else 1)
                named.setdefault(line.kind, line.name or line.kind)
    for kind, count in found.items():
        yield named[kind], count


# -- points that are spent and won while a list is written ----------------------------------------------------------


class Booking(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Command points paid (or, below nought, gained) for a part of the list."""

    rule: str
    cost: int
    name: Names | str = ""


def settle(start: int, bookings: Iterable[Booking], key: str = "reason.list.overdrawn") -> tuple[int, list[Reason]]:
    """What is left of a purse after these bookings, in their order; a cost above what is left at that moment is refused
    with its own rule, whatever may be gained later."""
    left, reasons = start, []
    for booking in bookings:
        if booking.cost > left:
            facts = {"of": booking.name, "cost": booking.cost, "left": left}
            reasons.append(Reason(booking.rule, key, facts))
        left -= booking.cost
    return left, reasons


# -- what it costs --------------------------------------------------------------------------------------------------


def bill(army: Army) -> Bill:
    """The list priced line by line."""
    groups = {group.id: group.name or group.id for group in army.groups}

    def charges(items: Iterable[Item]) -> tuple[Charge, ...]:
        return tuple(Charge(item.name or item.id, item.points, item.count, item.cost) for item in items)

    accounts = [
        Account(line.id, line.name or line.entry, groups.get(line.group, ""), line.cost, charges(line.items))
        for line in army.lines
    ]
    accounts += [
        Account(item.id, item.name or item.id, "", item.cost, charges((item,))) for item in army.extra if item.cost
    ]
    return Bill(tuple(accounts), army.cost, army.size)
