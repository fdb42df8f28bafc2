"""Army lists: prices, categories, rarities and limits, each refusal with its rule; lists
built."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.rulings import Reason, applies
from umpire.errors import fault
from umpire.miniatures.lists import Army, Item, Limit, Line, broken
from umpire.rulebook.deciding import decides
from umpire.text import words

from . import content, spell_lists
from .content import Book, Given, MountEntry, OptionEntry, Skill, UnitEntry
from .profiles import Defensive, Names, Part, Profile, Rule, Weapon
from .state import Kind, Pool, Unit

STEPS = {"plain": 500, "common": 1000, "uncommon": 1500, "rare": 2500, "exceptional": 5000}
"""Army points for each copy (t9a.prep.limit.rarity): from ordinary to extraordinary; legendary is once."""
UNIT_CAP = 600
SKILLS = {
    "battlefield-hero": "t9a.leader.battlefield-hero",
    "innovator": "t9a.leader.innovator",
    "recruiter": "t9a.leader.recruiter",
}
FRESH_CAP = 800
LEADERS: tuple[tuple[Skill, int, tuple[str, ...]], ...] = (
    ("battlefield-hero", 30, ("general",)), ("innovator", 30, ("general",)), ("recruiter", 0, ()),
)  # fmt: skip
LEADING = tuple(
    OptionEntry(id=skill, points=points, one_of="skill", needs=needs, gives=Given(skill=skill))
    for skill, points, needs in LEADERS
)
"""The leader skills, of which one character of a list may take one (t9a.leader.choice)."""
FRESH_MEAT = OptionEntry(id="fresh-meat", points=35, gives=Given(solitary=True))
"""What a recruiter lets all units take that are not of a single model (t9a.leader.recruiter)."""


class Pick(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A unit of a list: its entry, models (0: the least), options, mount, items, path and spells, and, under an
    innovative leader, another base."""

    entry: str
    models: int = 0
    options: tuple[str, ...] = ()
    mount: str = ""
    items: tuple[str, ...] = ()
    path: str = ""
    spells: tuple[str, ...] = ()
    base: tuple[float, float] | None = None


class Roster(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An army list: one army book, the army size, and the units with all that was bought."""

    book: str
    units: tuple[Pick, ...]
    size: int = 4500
    agreed: bool = False
    """The opponent or organiser has agreed to supplementary rules."""


def most_of_rarity(rarity: str, size: int) -> int:
    """How often an item of this rarity may be taken (t9a.prep.limit.rarity)."""
    return 1 if rarity == "legendary" else -(-size // STEPS[rarity])


def rarity_of(entry: UnitEntry) -> str:
    """Core units are plain, all others common, unless the entry says otherwise (t9a.prep.limit.rarity-default)."""
    return entry.rarity or ("plain" if "core" in entry.categories else "common")


def book_of(roster: Roster) -> Book:
    found = content.books().get(roster.book)
    if found is None:
        raise fault("error.book.unknown", "book", book=roster.book, known=list(content.books()))
    return found


def options_of(entry: UnitEntry) -> list[OptionEntry]:
    """What may be bought for a unit: what its entry says, and what the book of rules lets everybody have."""
    own = [option.id for option in entry.options]
    shared = LEADING if entry.character else (FRESH_MEAT,) if entry.most > 1 else ()
    return [*entry.options, *(option for option in shared if option.id not in own)]


def chosen(entry: UnitEntry, pick: Pick) -> list[OptionEntry]:
    return [option for option in options_of(entry) if option.id in pick.options]


def wizard_of(entry: UnitEntry, pick: Pick) -> str:
    return next((o.gives.wizard for o in chosen(entry, pick) if o.gives.wizard), entry.wizard)


def line_of(book: Book, entry: UnitEntry, pick: Pick, place: str, without: Sequence[str] = ()) -> Line:
    """A unit priced: its models, more of them, options, mount and items (t9a.prep.points)."""
    models = pick.models or entry.least
    adds = applies("t9a.prep.category.added-by-option", without)
    splits = applies("t9a.prep.category.split", without)
    items = [Item(id=entry.id, name=entry.name, points=entry.points)]
    if models > entry.least and applies("t9a.prep.points", without):
        items.append(Item(id=f"{entry.id}+", name=entry.name, points=entry.each, count=models - entry.least))
    for option in chosen(entry, pick):
        having = models // 2 if option.share == "half" else models
        count = having if option.per == "model" else 1
        items.append(
            Item(
                id=f"option:{entry.id}/{option.id}" if not option.rarity else f"option:{option.id}",
                name=option.name or f"option.{option.id}",
                points=option.points,
                count=count,
                adds=option.adds if adds else (),
                alone=option.alone if splits else (),
            )
        )
    mount = book.mount(pick.mount) if pick.mount else None
    if mount is not None:
        items.append(
            Item(id=f"mount:{mount.id}", name=mount.name, points=mount.points, alone=mount.alone if splits else ())
        )
    for key in pick.items:
        item = next((i for i in book.items if i.id == key), None)
        if item is not None:
            items.append(
                Item(id=f"item:{item.id}", name=item.name, points=item.points, tags=(f"rarity:{item.rarity}",))
            )
    categories = entry.categories if applies("t9a.prep.category.multiple", without) else entry.categories[:1]
    rarity = rarity_of(entry) if entry.rarity or applies("t9a.prep.limit.rarity-default", without) else "any"
    tags = (*categories, f"rarity:{rarity}" if entry.rarity else f"usual:{rarity}")
    return Line(id=place, entry=entry.id, name=entry.name, tags=tags, items=tuple(items))


def army_of(roster: Roster, book: Book, without: Sequence[str] = ()) -> Army:
    lines = []
    for n, pick in enumerate(roster.units):
        entry = book.entry(pick.entry)
        if entry is not None:
            lines.append(line_of(book, entry, pick, f"units[{n}]", without))
    return Army(size=roster.size, lines=tuple(lines))


def limits_of(book: Book, size: int, without: Sequence[str] = ()) -> list[Limit]:
    """What the book and the army size allow, as limits that are counted."""
    found = [Limit(rule="t9a.prep.army-size.limits", what="points", least=size - 50, most=size, fact="points")]
    for category in book.categories if applies("t9a.prep.category.definition", without) else ():
        if category.id == "special" and applies("t9a.prep.category.special", without):
            continue
        rule = {
            "characters": "t9a.prep.category.characters",
            "core": "t9a.prep.category.core",
        }.get(category.id, "t9a.prep.category.army-specific")
        if category.most is not None or category.least:
            most = None if category.most is None else size * category.most // 100
            found.append(
                Limit(
                    rule=rule,
                    what="points",
                    of=(category.id,),
                    least=-(-size * category.least // 100),
                    most=most,
                    fact="points",
                    facts={"category": category.name},
                )
            )
    for rarity in (*STEPS, "legendary"):
        most = most_of_rarity(rarity, size)
        tag = (f"rarity:{rarity}",)
        found.append(Limit(rule="t9a.prep.limit.rarity", scope="kind", of=tag, most=most))
        usual = (f"usual:{rarity}",)
        found.append(Limit(rule="t9a.prep.limit.rarity-default", scope="kind", of=usual, most=most))
        found.append(Limit(rule="t9a.prep.limit.rarity", what="items", scope="kind", of=tag, most=most))
    for mount in book.mounts:
        if mount.per_army:
            found.append(
                Limit(rule="t9a.prep.limit.zero-x-army", what="items", of=(f"mount:{mount.id}",), most=mount.per_army)
            )
    for entry in book.entries:
        if entry.per_army:
            found.append(Limit(rule="t9a.prep.limit.zero-x-army", of=(entry.id,), most=entry.per_army))
        for option in entry.options:
            if option.per_army:
                key = f"option:{entry.id}/{option.id}"
                found.append(
                    Limit(
                        rule="t9a.prep.limit.zero-x-army", what="items", of=(key,), most=option.per_army, scope="kind"
                    )
                )
    found.append(Limit(rule="t9a.char.general", what="items", of=("option:general",), most=1))
    found.append(Limit(rule="t9a.char.battle-standard", what="items", of=("option:bearer",), most=1))
    for combined in book.combined:
        found.append(Limit(rule="t9a.prep.limit.zero-x-combined", of=combined.of, most=combined.most))
    return found


def unit_objections(book: Book, entry: UnitEntry, pick: Pick, skill: str = "") -> Iterator[Reason]:
    """What an entry's own page has against a unit."""
    unit: dict[str, Any] = {"unit": dict(entry.name)}
    models = pick.models or entry.least
    if not entry.least <= models <= entry.most:
        facts = {**unit, "models": models, "least": entry.least, "most": entry.most}
        yield Reason("t9a.prep.army-list", "reason.t9a.list.models", facts)
    options = chosen(entry, pick)
    if len(options) < len(pick.options):
        counted = sorted(pick.options)
        twice = next((a for a, b in itertools.pairwise(counted) if a == b), "")
        if twice:
            yield Reason("t9a.prep.limit.zero-x-unit", facts={**unit, "option": twice})
        elif "fresh-meat" not in pick.options or len(options) + 1 < len(pick.options):
            yield Reason("t9a.prep.army-list", "reason.t9a.list.option", unit)
    for word in dict.fromkeys(o.one_of for o in options if o.one_of):
        if sum(o.one_of == word for o in options) > 1:
            yield Reason("t9a.prep.limit.zero-x-unit", facts={**unit, "option": word})
    for option in options:
        missing = [key for key in option.needs if key not in pick.options]
        if missing:
            rule = SKILLS.get(option.gives.skill, "t9a.prep.army-list")
            yield Reason(rule, "reason.t9a.list.needs", {**unit, "option": option.id, "other": missing[0]})
    if pick.mount and pick.mount not in entry.mounts:
        yield Reason("t9a.prep.army-list", "reason.t9a.list.mount", unit)
    yield from item_objections(book, entry, pick)
    yield from spell_lists.objections(entry, book, wizard_of(entry, pick), pick.path, pick.spells)
    fresh = "fresh-meat" in pick.options
    if fresh and (skill != "recruiter" or entry.most == 1):
        yield Reason("t9a.leader.recruiter", facts=unit)
    cap = entry.cap or (FRESH_CAP if fresh else UNIT_CAP)
    cost = line_of(book, entry, pick, "").cost
    if cost > cap:
        rule = "t9a.leader.fresh-meat" if fresh else "t9a.prep.limit.unit-points"
        yield Reason(rule, "reason.t9a.list.cap", {**unit, "points": cost, "most": cap})
    if pick.base is not None:
        mount = book.mount(pick.mount) if pick.mount else None
        yield from base_objections(entry, pick.base, skill, mount.base if mount is not None else entry.base)


def item_objections(book: Book, entry: UnitEntry, pick: Pick) -> Iterator[Reason]:
    """Magic items within the entry's allowance, banners for those that carry a standard (t9a.char.battle-standard)."""
    unit: dict[str, Any] = {"unit": dict(entry.name)}
    found = [item for item in book.items if item.id in pick.items]
    if len(found) < len(pick.items):
        yield Reason("t9a.prep.army-list", "reason.t9a.list.item", unit)
    gives = [option.gives for option in chosen(entry, pick)]
    bearer = any(g.bearer for g in gives)
    banners = [item for item in found if item.kind == "banner"]
    others = sum(item.points for item in found if item.kind != "banner")
    if others > entry.items:
        facts = {**unit, "points": others, "most": entry.items}
        yield Reason("t9a.prep.army-list", "reason.t9a.list.items", facts)
    if banners:
        if entry.character and (not bearer or not entry.items or len(banners) > 1):
            yield Reason("t9a.char.battle-standard", "reason.t9a.list.banner", unit)
        elif not entry.character:
            allowed = entry.banners if any(g.standard for g in gives) else 0
            if sum(item.points for item in banners) > allowed or len(banners) > 1:
                yield Reason("t9a.prep.army-list", "reason.t9a.list.banner", unit)


def base_objections(
    entry: UnitEntry, base: tuple[float, float], skill: str, printed: tuple[float, float]
) -> Iterator[Reason]:
    """Another base under an innovative leader (t9a.leader.innovator); a rider's is his mount's
    (t9a.char.mount.base-height)."""
    unit: dict[str, Any] = {"unit": dict(entry.name)}
    w, d = base
    w0, d0 = printed
    fits = w0 <= w <= 1.25 * w0 and d0 <= d <= 1.5 * d0 and w % 5 == 0 and d % 5 == 0
    if skill != "innovator":
        yield Reason("t9a.leader.innovator", "reason.t9a.list.no-innovator", unit)
    elif not fits:
        facts = {"width": w, "length": d, "w0": w0, "w1": 1.25 * w0, "d0": d0, "d1": 1.5 * d0}
        yield Reason("t9a.leader.innovator", facts={**unit, **facts})


def skills(roster: Roster, book: Book) -> list[str]:
    found: list[str] = []
    for pick in roster.units:
        entry = book.entry(pick.entry)
        if entry is not None:
            found += [o.gives.skill for o in chosen(entry, pick) if o.gives.skill]
    return found


def objections(roster: Roster, without: Sequence[str] = ()) -> Iterator[Reason]:
    """Every rule that an army list breaks."""
    book = book_of(roster)
    taken = skills(roster, book)
    if len(taken) > 1:
        yield Reason("t9a.leader.choice", facts={"count": len(taken)})
    skill = taken[0] if taken else ""
    for pick in roster.units:
        entry = book.entry(pick.entry)
        if entry is None:
            yield Reason("t9a.prep.army-list", facts={"unit": pick.entry})
            continue
        if (entry.supplement or book.supplement) and not roster.agreed:
            yield Reason("t9a.intro.expansions-consent", facts={"unit": dict(entry.name)})
        for category in entry.categories:
            if book.category(category) is None:
                yield Reason("t9a.prep.category.army-specific", "reason.t9a.list.category", {"category": category})
        yield from unit_objections(book, entry, pick, skill)
    yield from broken(limits_of(book, roster.size, without), army_of(roster, book, without))


# -- building -------------------------------------------------------------------------------------------------------


def build(roster: Roster, side: int) -> tuple[list[Pool], list[Unit]]:
    """The health pools and units of a list."""
    book = book_of(roster)
    skill = (skills(roster, book) or [""])[0]
    pools: list[Pool] = []
    units: list[Unit] = []
    for n, pick in enumerate(roster.units):
        entry = book.entry(pick.entry)
        assert entry is not None
        pool = build_pool(book, entry, pick, side, f"{side}-{n}", skill)
        pools.append(pool)
        count = pool.start
        files = 1 if count == 1 else min(count, 5 if pool.profile.height < 3 else 3 if pool.profile.height < 5 else 1)
        units.append(Unit(id=pool.id, side=side, members=(pool.id,), files=files))
    return pools, units


@decides("t9a.char.character")
def build_pool(book: Book, entry: UnitEntry, pick: Pick, side: int, key: str, skill: str = "") -> Pool:
    options = chosen(entry, pick)
    gives: list[Given] = [option.gives for option in options]
    items = [item for item in book.items if item.id in pick.items]
    gives += [item.gives for item in items]
    where = entry.id
    profile = content.profile_of(entry, where)
    rules = list(profile.rules)
    mods: dict[str, int] = {}
    weapons: list[str] = []
    own: dict[str, Weapon] = {}
    aims: list[tuple[str, int]] = []
    attributes: list[Rule] = []
    for given in gives:
        rules += content.rules_of(given.rules, where)
        attributes += content.rules_of(given.attributes, where)
        weapons += given.weapons
        aims += given.aim.items()
        for what, value in given.mods.items():
            mods[what] = mods.get(what, 0) + value
    for item in items:
        if item.weapon is not None:
            weapon = content.weapon_of(item.weapon, where)
            weapons.append(weapon.id)
            own[weapon.id] = weapon
    own |= {weapon.id: content.weapon_of(weapon, where) for weapon in entry.weapons if weapon.id in weapons}
    wizard = wizard_of(entry, pick)
    level, _ = spell_lists.level_of(wizard)
    channel = spell_lists.channel_of(wizard)
    if channel:
        rules.append(Rule("t9a.rule.channel", str(channel)))
    general = any(g.general for g in gives)
    bearer = any(g.bearer for g in gives)
    if general:
        reach = "18" if skill == "battlefield-hero" and any(g.skill for g in gives) else "12"
        rules.append(Rule("t9a.rule.commanding-presence", reach))
    if bearer:
        rules.append(Rule("t9a.rule.rally-around-the-flag", "12"))
    if any(g.solitary for g in gives):
        rules.append(Rule("t9a.rule.solitary"))
    parts = profile.parts
    if parts and (weapons or own or attributes or aims):
        first = parts[0]
        parts = (
            msgspec.structs.replace(
                first,
                weapons=(*first.weapons, *(w for w in weapons if w not in first.weapons)),
                own={**first.own, **own},
                rules=(*first.rules, *attributes),
                aim=(*first.aim, *aims),
            ),
            *parts[1:],
        )
    profile = msgspec.structs.replace(
        profile,
        rules=tuple(rules),
        parts=parts,
        shield=profile.shield or any(g.shield for g in gives),
        base=pick.base or profile.base,
        **{("df" if k == "def" else k): profile.value(k) + v for k, v in mods.items()},
    )
    mount = book.mount(pick.mount) if pick.mount else None
    if mount is not None:
        profile = mounted(profile, mount)
        profile = msgspec.structs.replace(profile, base=pick.base or profile.base)
    find = content.find_spell
    choices = tuple(spell_lists.open_spells(entry, book, wizard, pick.path)) if wizard else ()
    bound = [find(key, book, where) for given in gives for key in given.bound] + [
        find(key, book, where) for key in entry.bound
    ]
    known = pick.spells if wizard else entry.spells
    models = pick.models or entry.least
    some = [option.id for option in options if option.share == "half"]
    kinds: tuple[Kind, ...] = ()
    if some and models > 1:
        plain = msgspec.structs.replace(pick, options=tuple(o for o in pick.options if o not in some))
        others = build_pool(book, entry, plain, side, key, skill).profile
        kinds = (Kind(profile, models // 2), Kind(others, models - models // 2))
    return Pool(
        kinds=kinds,
        id=key,
        side=side,
        entry=entry.id,
        names=title(entry, mount),
        profile=profile,
        points=line_of(book, entry, pick, "").cost,
        start=pick.models or entry.least,
        count=pick.models or entry.least,
        unit=key,
        attachable=entry.character or entry.attachable,
        character=entry.character,
        mounted=mount is not None,
        standard=any(g.standard for g in gives),
        musician=any(g.musician for g in gives),
        general=general,
        bearer=bearer,
        wizard=level,  # type: ignore[arg-type]
        paths=entry.paths,
        path=pick.path,
        spells=tuple(find(k, book, where) for k in known),
        bound=tuple(bound),
        choices=choices,
        items=tuple(item.id for item in items),
        skill=next((g.skill for g in gives if g.skill), ""),
        siphons=sum(item.dice for item in items),
        banner=tuple(rule for item in items for rule in content.rules_of(item.unit_rules, where)),
    )


def title(entry: UnitEntry, mount: MountEntry | None) -> Names:
    if mount is None:
        return entry.name
    return words("unit.mounted", rider=entry.name, mount=mount.name)


def mounted(rider: Profile, mount: MountEntry) -> Profile:
    """Rider and mount are one model: the mount's Height, base, global and defensive values, "C" taking the rider's
    (t9a.char.mount.base-height, t9a.char.mount.c-values); each part attacks for itself (t9a.char.mount.offensive)."""
    where = mount.id
    own = {weapon.id: content.weapon_of(weapon, where) for weapon in mount.weapons}
    mount_parts: tuple[Part, ...] = content.parts_of(mount.parts, own, where)

    def value(what: str, given: int | str) -> int:
        if isinstance(given, int):
            return given
        mine = rider.value(what)
        return mine + int(given[1:] or 0)

    given: dict[Defensive, int | str] = {"hp": mount.hp, "def": mount.df, "res": mount.res, "arm": mount.arm}
    return Profile(
        cha=value("cha", mount.cha),
        mob=value("mob", mount.mob),
        dis=value("dis", mount.dis),
        hp=value("hp", mount.hp),
        df=value("def", mount.df),
        res=value("res", mount.res),
        arm=value("arm", mount.arm),
        height=mount.height,
        base=mount.base,
        traits=tuple(dict.fromkeys((*rider.traits, *mount.traits))),
        rules=(*rider.rules, *content.rules_of(mount.rules, where)),
        parts=(*rider.parts, *mount_parts),
        shield=rider.shield,
        rsr=rider.rsr,
        own=tuple(what for what, told in given.items() if isinstance(told, int)),
    )
