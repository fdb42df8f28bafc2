"""Armies drawn at random that the lists allow."""

from __future__ import annotations

import msgspec

from umpire.engine.rng import Rng
from umpire.errors import fault
from umpire.miniatures.lists import Army, Limit, Line, outgrown

from . import content, spell_lists
from .content import Book, UnitEntry
from .muster import (
    UNIT_CAP,
    Pick,
    Roster,
    army_of,
    limits_of,
    line_of,
    objections,
    skills,
    unit_objections,
    wizard_of,
)


def muster(rng: Rng, size: int = 4500, book: str = "") -> Roster:
    """A random legal list: something of everything, grown until its points are spent."""
    chosen_book = content.books()[book or rng.choice(sorted(content.books()))]
    for _ in range(50):
        roster = _drafted(rng, chosen_book, size)
        if roster is not None:
            return roster
    raise fault("error.list.not-found", points=size)


def _drafted(rng: Rng, book: Book, size: int) -> Roster | None:
    limits = limits_of(book, size)
    heroes = [e for e in book.entries if e.character]
    core = [e for e in book.entries if "core" in e.categories]
    rest = [e for e in book.entries if not e.character and "core" not in e.categories]
    picks: list[Pick] = []
    lines: list[Line] = []
    general = False

    def keeps(pick: Pick) -> bool:
        entry = book.entry(pick.entry)
        assert entry is not None
        if next(unit_objections(book, entry, pick), None) is not None:
            return False
        line = line_of(book, entry, pick, f"units[{len(lines)}]")
        if outgrown(limits, Army(size=size, lines=tuple(lines)), line):
            return False
        picks.append(pick)
        lines.append(line)
        return True

    leaders = [e for e in heroes if any(o.id == "general" for o in e.options)]
    for wish in (rng.choice(leaders), rng.choice(heroes), rng.choice(heroes)):
        pick = _random_pick(rng, book, wish, general=not general and wish in leaders, size=size)
        if keeps(pick):
            general = general or "general" in pick.options
    spent_core = 0
    for _ in range(40):
        spent = sum(line.cost for line in lines)
        if size - spent < 90:
            break
        want_core = spent_core < size * 0.27
        entry = rng.choice(core if want_core else [*core, *rest, *rest, *heroes])
        pick = _random_pick(rng, book, entry, general=False, size=min(size - spent, UNIT_CAP))
        if keeps(pick) and "core" in entry.categories:
            spent_core += lines[-1].cost
    return _fitted(rng, book, _led(rng, book, picks), size, limits)


def _led(rng: Rng, book: Book, picks: list[Pick]) -> list[Pick]:
    """What the leader's skill lets units have: Fresh Meat, or other bases (t9a.leader.recruiter,
    t9a.leader.innovator)."""
    skill = (skills(Roster(book=book.id, units=tuple(picks)), book) or [""])[0]
    found = []
    for pick in picks:
        entry = book.entry(pick.entry)
        assert entry is not None
        changed = pick
        if skill == "recruiter" and any(o.id == "fresh-meat" for o in entry.options):
            changed = msgspec.structs.replace(pick, options=(*pick.options, "fresh-meat"))
        elif skill == "innovator" and not entry.character:
            changed = msgspec.structs.replace(pick, base=(entry.base[0] + 5.0, entry.base[1] + 5.0))
        fits = rng.below(2) and next(unit_objections(book, entry, changed, skill), None) is None
        found.append(changed if fits else pick)
    return found


def _random_pick(rng: Rng, book: Book, entry: UnitEntry, general: bool, size: int) -> Pick:
    options: list[str] = ["general"] if general else []
    groups = {o.one_of for o in entry.options if o.id in options and o.one_of}
    for option in entry.options:
        if option.id in ("general", "fresh-meat") or (option.gives.skill and not general):
            continue
        if (option.one_of and option.one_of in groups) or any(need not in options for need in option.needs):
            continue
        if rng.below(2):
            options.append(option.id)
            if option.one_of:
                groups.add(option.one_of)
    room = max(0, size - entry.points - 80)
    most = min(entry.most, entry.least + (room // entry.each if entry.each else 0))
    models = rng.between(entry.least, max(entry.least, most)) if entry.most > 1 else 0
    if models > entry.least and entry.height < 3:
        models -= models % 5
        models = max(models, entry.least)
    mount = rng.choice(("", *entry.mounts)) if entry.mounts else ""
    items: list[str] = []
    if rng.below(2):
        standard = "standard" in options or "bearer" in options
        fitting = [
            item
            for item in book.items
            if (item.kind == "banner" and standard and item.points <= max(entry.banners, 99 if entry.character else 0))
            or (item.kind != "banner" and item.points <= entry.items)
        ]
        if fitting:
            items.append(rng.choice(fitting).id)
    pick = Pick(entry=entry.id, models=models, options=tuple(options), mount=mount, items=tuple(items))
    wizard = wizard_of(entry, pick)
    if wizard:
        path, spells = spell_lists.random_choice(rng, entry, book, wizard)
        pick = msgspec.structs.replace(pick, path=path, spells=spells)
    return pick


def _fitted(rng: Rng, book: Book, picks: list[Pick], size: int, limits: list[Limit]) -> Roster | None:
    """Add or take models until the list costs what it may."""
    skill = (skills(Roster(book=book.id, units=tuple(picks)), book) or [""])[0]
    for _ in range(120):
        agreed = any(entry is not None and entry.supplement for entry in (book.entry(p.entry) for p in picks))
        roster = Roster(book=book.id, units=tuple(picks), size=size, agreed=agreed)
        army = army_of(roster, book)
        short = size - army.cost
        if 0 <= short <= 50:
            if next(objections(roster), None) is None:
                return roster
            return None
        n = rng.below(len(picks))
        entry = book.entry(picks[n].entry)
        assert entry is not None
        models = picks[n].models or entry.least
        if not entry.each:
            continue
        step = short // entry.each if short > 0 else -(-short // entry.each) * -1
        step = max(-5, min(5, step)) or (1 if short > 0 else -1)
        wanted = max(entry.least, min(entry.most, models + step))
        changed = msgspec.structs.replace(picks[n], models=wanted)
        if next(unit_objections(book, entry, changed, skill), None) is None:
            picks[n] = changed
    return None
