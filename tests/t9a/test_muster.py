"""Army lists and the spells in them."""

import copy
import re

import msgspec
import pytest

import umpire
from umpire import files
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.files import Source
from umpire.games.t9a import check_roster, content, drafting, muster, spell_lists, weapons
from umpire.games.t9a.content import (
    Book,
    Category,
    Combined,
    Given,
    Item,
    MountEntry,
    OptionEntry,
    PartEntry,
    UnitEntry,
    WeaponEntry,
)
from umpire.games.t9a.muster import Pick, Roster, army_of, build_pool, limits_of, line_of, most_of_rarity
from umpire.miniatures import books
from umpire.miniatures.lists import broken
from umpire.rulebook import rules as ledger


def entry(key, categories=("core",), points=100, **more):
    return UnitEntry(
        id=key,
        name={"zh": key, "en": key},
        categories=tuple(categories),
        points=points,
        parts=(PartEntry(att=1),),
        **more,
    )


def category(key, **more):
    return Category(id=key, name={"zh": key, "en": key}, **more)


CATEGORIES = (
    category("characters", most=40),
    category("core", least=25),
    category("special", most=10),
    category("p", most=25),
    category("q", most=25),
)


@pytest.fixture
def book(monkeypatch):
    def make(*entries, **more):
        made = Book(
            id="test",
            name={"zh": "测", "en": "Test"},
            about={"zh": "", "en": ""},
            categories=CATEGORIES,
            entries=entries,
            **more,
        )
        monkeypatch.setattr(content, "books", lambda: {"test": made})
        return made

    return make


def rules(*picks, size=4000, without=(), **more):
    return check_roster(Roster(book="test", size=size, units=tuple(picks), **more), without).rules


def total(*costs, size=4000, **more):
    """A list of core units that cost so much, one each."""
    return [entry(f"e{n}", points=cost, cap=9999, **more) for n, cost in enumerate(costs)], [
        Pick(entry=f"e{n}") for n in range(len(costs))
    ]


@pytest.mark.rule("t9a.prep.army-size.limits", "t9a.prep.army-size.agree")
@pytest.mark.parametrize(("cost", "legal"), [(4450, True), (4500, True), (4449, False), (4501, False)])
def test_the_total_is_within_fifty_points_of_the_size(book, cost, legal):
    entries, picks = total(cost)
    book(*entries)
    assert ("t9a.prep.army-size.limits" not in rules(*picks, size=4500)) is legal


@pytest.mark.rule("t9a.prep.points")
def test_a_unit_costs_its_start_its_models_and_its_options(book):
    made = book(
        entry("spears", points=160, least=10, most=30, each=9, options=(OptionEntry(id="standard", points=20),))
    )
    unit = made.entries[0]
    assert line_of(made, unit, Pick(entry="spears", models=15, options=("standard",)), "").cost == 225


@pytest.mark.rule("t9a.prep.army-list")
def test_only_units_of_the_book(book):
    book(entry("a"))
    assert "t9a.prep.army-list" in rules(Pick(entry="stranger"))
    assert "t9a.prep.army-list" in rules(Pick(entry="a", models=9))


@pytest.mark.rule("t9a.prep.category.characters", "t9a.prep.category.core", "t9a.prep.category.definition")
def test_categories_have_limits(book):
    def broken_by(heroes, core):
        book(
            entry("hero", ("characters",), points=heroes, character=True, cap=9999),
            entry("core", points=core, cap=9999),
            entry("rest", ("special",), points=4000 - heroes - core, cap=9999),
        )
        return rules(Pick(entry="hero"), Pick(entry="core"), Pick(entry="rest"))

    assert broken_by(1600, 1000) == ()
    assert broken_by(1601, 1000) == ("t9a.prep.category.characters",)
    assert broken_by(1600, 999) == ("t9a.prep.category.core",)


@pytest.mark.rule("t9a.prep.category.special", "t9a.prep.category.army-specific")
def test_special_is_free_and_own_categories_have_a_maximum(book):
    book(entry("core", points=1000, cap=9999), entry("s", ("special",), points=3000, cap=9999))
    assert rules(Pick(entry="core"), Pick(entry="s")) == ()
    book(entry("core", points=2999, cap=9999), entry("p", ("p",), points=1001, cap=9999))
    assert rules(Pick(entry="core"), Pick(entry="p")) == ("t9a.prep.category.army-specific",)
    book(entry("core", points=3000, cap=9999), entry("u", ("unheard-of",), points=1000, cap=9999))
    assert rules(Pick(entry="core"), Pick(entry="u")) == ("t9a.prep.category.army-specific",)


@pytest.mark.rule("t9a.prep.category.multiple", "t9a.prep.category.added-by-option")
def test_a_unit_counts_in_each_of_its_categories(book):
    made = book(
        entry("both", ("p", "q"), points=300),
        entry("bows", ("special",), points=300, options=(OptionEntry(id="guns", adds=("p",)),)),
    )
    army = army_of(
        Roster(book="test", size=1000, units=(Pick(entry="both"), Pick(entry="bows", options=("guns",)))), made
    )
    assert army.cost == 600
    found = [
        reason.facts
        for reason in broken(limits_of(made, 1000), army)
        if reason.rule == "t9a.prep.category.army-specific"
    ]
    assert [f["points"] for f in found] == [600, 300]


@pytest.mark.rule("t9a.prep.category.split")
def test_only_the_mount_counts_in_its_own_category(book):
    made = book(
        entry("hero", ("characters",), points=250, character=True, mounts=("dragon",)),
        mounts=(MountEntry(id="dragon", name={"zh": "龙", "en": "dragon"}, points=500, alone=("p",)),),
    )
    army = army_of(Roster(book="test", size=1000, units=(Pick(entry="hero", mount="dragon"),)), made)
    counted = {
        reason.rule: reason.facts["points"]
        for reason in broken(limits_of(made, 1000), army)
        if "points" in reason.facts
    }
    assert army.cost == 750
    assert counted["t9a.prep.category.characters"] == 750
    assert counted["t9a.prep.category.army-specific"] == 500


@pytest.mark.rule("t9a.prep.limit.unit-points")
def test_no_unit_costs_more_than_its_cap(book):
    lord = entry("d", ("characters",), points=601, character=True)
    book(entry("a", points=601), entry("b", points=800, cap=800), entry("c", points=801, cap=800), lord)
    assert "t9a.prep.limit.unit-points" in rules(Pick(entry="a"))
    assert "t9a.prep.limit.unit-points" not in rules(Pick(entry="b"))
    assert "t9a.prep.limit.unit-points" in rules(Pick(entry="c"))
    assert "t9a.prep.limit.unit-points" in rules(Pick(entry="d")), "a character is a unit too"


@pytest.mark.rule("t9a.prep.limit.zero-x-army", "t9a.prep.limit.zero-x-combined", "t9a.prep.limit.zero-x-unit")
def test_zero_to_x(book):
    gun = OptionEntry(id="gun", points=1, per_army=2)
    book(
        entry("a", options=(gun, OptionEntry(id="x", one_of="w"), OptionEntry(id="y", one_of="w"))),
        entry("m", ("special",), rarity="plain"),
        entry("n", ("special",), rarity="plain"),
        combined=(Combined(of=("m", "n"), most=3),),
    )
    armed = Pick(entry="a", options=("gun",))
    assert "t9a.prep.limit.zero-x-army" in rules(armed, armed, armed)
    assert "t9a.prep.limit.zero-x-army" not in rules(armed, armed)
    two = [Pick(entry="m"), Pick(entry="m"), Pick(entry="n")]
    assert "t9a.prep.limit.zero-x-combined" not in rules(*two)
    assert "t9a.prep.limit.zero-x-combined" in rules(*two, Pick(entry="n"))
    assert "t9a.prep.limit.zero-x-unit" in rules(Pick(entry="a", options=("x", "y")))
    assert "t9a.prep.limit.zero-x-unit" in rules(Pick(entry="a", options=("gun", "gun")))


@pytest.mark.rule("t9a.prep.limit.rarity")
@pytest.mark.parametrize(
    ("size", "most"), [(4000, (8, 4, 3, 2, 1, 1)), (6000, (12, 6, 4, 3, 2, 1)), (5001, (11, 6, 4, 3, 2, 1))]
)
def test_rarities(size, most):
    names = ("plain", "common", "uncommon", "rare", "exceptional", "legendary")
    assert tuple(most_of_rarity(name, size) for name in names) == most


@pytest.mark.rule("t9a.prep.limit.rarity-default")
def test_core_is_plain_and_the_rest_common(book):
    book(entry("c"), entry("s", ("special",)))
    assert "t9a.prep.limit.rarity-default" not in rules(*[Pick(entry="c")] * 8)
    assert "t9a.prep.limit.rarity-default" in rules(*[Pick(entry="c")] * 9)
    assert "t9a.prep.limit.rarity-default" not in rules(*[Pick(entry="s")] * 4)
    assert "t9a.prep.limit.rarity-default" in rules(*[Pick(entry="s")] * 5)


def leader(**more):
    options = (
        OptionEntry(id="general", rarity="legendary", gives=Given(general=True)),
        OptionEntry(id="bearer", rarity="legendary", gives=Given(bearer=True)),
        OptionEntry(
            id="battlefield-hero", points=30, one_of="skill", needs=("general",), gives=Given(skill="battlefield-hero")
        ),
        OptionEntry(id="innovator", points=30, one_of="skill", needs=("general",), gives=Given(skill="innovator")),
        OptionEntry(id="recruiter", one_of="skill", gives=Given(skill="recruiter")),
    )
    return entry("lord", ("characters",), character=True, options=options, **more)


@pytest.mark.rule("t9a.char.general", "t9a.char.battle-standard")
def test_one_general_one_standard_bearer_one_banner(book):
    def banner(key):
        return Item(id=key, name={"zh": key, "en": key}, kind="banner", points=10)

    book(
        leader(items=100),
        entry(
            "poor",
            ("characters",),
            character=True,
            options=(OptionEntry(id="bearer", rarity="legendary", gives=Given(bearer=True)),),
        ),
        items=(banner("x"), banner("y")),
    )
    assert "t9a.char.general" in rules(*[Pick(entry="lord", options=("general",))] * 2)
    assert "t9a.char.general" not in rules(Pick(entry="lord"))
    assert "t9a.char.battle-standard" in rules(*[Pick(entry="lord", options=("bearer",))] * 2)
    assert "t9a.char.battle-standard" in rules(Pick(entry="lord", options=("bearer",), items=("x", "y")))
    assert "t9a.char.battle-standard" in rules(Pick(entry="poor", options=("bearer",), items=("x",)))
    assert "t9a.char.battle-standard" not in rules(Pick(entry="lord", options=("bearer",), items=("x",)))


@pytest.mark.rule("t9a.leader.choice", "t9a.leader.battlefield-hero")
def test_one_leader_skill(book):
    made = book(leader())
    assert "t9a.leader.choice" in rules(*[Pick(entry="lord", options=("recruiter",))] * 2)
    assert "t9a.leader.battlefield-hero" in rules(Pick(entry="lord", options=("battlefield-hero",)))
    pick = Pick(entry="lord", options=("general", "battlefield-hero"))
    assert "t9a.leader.battlefield-hero" not in rules(pick)
    pool = build_pool(made, made.entries[0], pick, 0, "l", "battlefield-hero")
    assert [r.x for r in pool.profile.rules if r.id == "t9a.rule.commanding-presence"] == ["18"]


@pytest.mark.rule("t9a.leader.innovator")
@pytest.mark.parametrize(
    ("old", "new", "legal"),
    [
        ((20, 20), (20, 25), True),
        ((20, 20), (25, 30), True),
        ((20, 20), (30, 20), False),
        ((20, 20), (22, 20), False),
        ((25, 50), (30, 75), True),
        ((25, 50), (35, 50), False),
        ((25, 50), (25, 80), False),
    ],
)
def test_other_bases_under_an_innovator(book, old, new, legal):
    book(leader(), entry("u", base=old))
    boss = Pick(entry="lord", options=("general", "innovator"))
    assert ("t9a.leader.innovator" not in rules(boss, Pick(entry="u", base=new))) is legal
    assert "t9a.leader.innovator" in rules(Pick(entry="u", base=new))


@pytest.mark.rule("t9a.leader.recruiter", "t9a.leader.fresh-meat")
def test_fresh_meat_raises_the_cap_for_those_of_several_models(book):
    fresh = OptionEntry(id="fresh-meat", points=35, gives=Given(solitary=True))
    made = book(
        leader(), entry("u", least=10, most=90, points=100, each=10, options=(fresh,)), entry("one", options=(fresh,))
    )
    boss = Pick(entry="lord", options=("recruiter",))
    big = Pick(entry="u", models=70, options=("fresh-meat",))
    assert "t9a.leader.fresh-meat" not in rules(boss, big)
    assert "t9a.leader.recruiter" in rules(big)
    assert "t9a.leader.recruiter" in rules(boss, Pick(entry="one", options=("fresh-meat",)))
    assert "t9a.leader.fresh-meat" in rules(boss, Pick(entry="u", models=77, options=("fresh-meat",)))
    assert "t9a.rule.solitary" in build_pool(made, made.entries[1], big, 0, "u").profile.names


@pytest.mark.rule("t9a.intro.expansions-consent")
def test_supplements_need_consent(book):
    book(entry("s", supplement=True))
    assert "t9a.intro.expansions-consent" in rules(Pick(entry="s"))
    assert "t9a.intro.expansions-consent" not in rules(Pick(entry="s"), agreed=True)


def wizard(level, **more):
    return entry("w", ("characters",), character=True, wizard=level, paths=("lanterns", "roots"), **more)


def known(book, level, path, *numbers, spells=None, **more):
    book(wizard(level, **more))
    keys = spells if spells is not None else tuple(f"{path}/{n}" for n in numbers)
    return rules(Pick(entry="w", path=path, spells=keys))


@pytest.mark.rule("t9a.prep.spells.path", "t9a.prep.spells.levels")
def test_spells_come_from_one_open_path_up_to_the_level(book):
    assert "t9a.prep.spells.path" in known(book, "adept", "whispers", 1, 2, 3)
    assert "t9a.prep.spells.path" in known(book, "adept", "lanterns", spells=("lanterns/1", "lanterns/2", "roots/1"))
    assert "t9a.prep.spells.levels" in known(book, "adept", "lanterns", 1, 2, 5)
    assert "t9a.prep.spells.levels" in known(book, "master", "lanterns", 1, 2, 3, 4, 4)


@pytest.mark.rule("t9a.rule.wizard.apprentice", "t9a.rule.wizard.adept", "t9a.rule.wizard.master")
def test_how_many_spells_each_level_has(book):
    for level, numbers in (("apprentice", (1,)), ("adept", (1, 2, 4)), ("master", (1, 2, 3, 4, 6))):
        assert f"t9a.rule.wizard.{level}" not in known(book, level, "lanterns", *numbers)
        assert f"t9a.rule.wizard.{level}" in known(book, level, "lanterns", *numbers[:-1])
    assert [spell_lists.channel_of(text) for text in ("apprentice", "adept", "master", "conclave 1", "conclave 2")] == [
        0,
        1,
        2,
        0,
        1,
    ]


@pytest.mark.rule("t9a.prep.spells.conclave", "t9a.rule.wizard.conclave")
def test_a_conclave_takes_spells_of_its_own_list(book):
    more = {"spells": ("guiding-flame", "barkskin", "mind-lash")}
    made = book(wizard("conclave 2", **more))
    assert made is not None
    assert "t9a.prep.spells.conclave" not in rules(Pick(entry="w", spells=("guiding-flame", "mind-lash")))
    assert "t9a.prep.spells.conclave" in rules(Pick(entry="w", spells=("guiding-flame", "soul-rending")))
    assert "t9a.prep.spells.conclave" in rules(Pick(entry="w", spells=("guiding-flame",)))
    assert "t9a.rule.wizard.conclave" in rules(Pick(entry="w", path="lanterns", spells=("guiding-flame", "mind-lash")))


@pytest.mark.rule("t9a.prep.spells.protean", "t9a.rule.protean-magic")
def test_protean_magic_takes_first_spells_of_open_paths(book):
    book(wizard("protean 2"))
    assert "t9a.prep.spells.protean" not in rules(Pick(entry="w", spells=("lanterns/1", "roots/1")))
    assert "t9a.prep.spells.protean" in rules(Pick(entry="w", spells=("lanterns/1", "roots/2")))
    assert "t9a.prep.spells.protean" in rules(Pick(entry="w", spells=("lanterns/1", "forges/1")))
    assert "t9a.rule.protean-magic" in rules(Pick(entry="w", path="roots", spells=("lanterns/1", "roots/1")))


@pytest.mark.rule("t9a.prep.spells.non-wizard", "t9a.prep.spells.casters")
def test_casters_that_are_no_wizards_choose_nothing(book):
    made = book(entry("f", ("characters",), character=True, spells=("barkskin", "mind-lash")))
    assert "t9a.prep.spells.non-wizard" in rules(Pick(entry="f", spells=("barkskin",)))
    pool = build_pool(made, made.entries[0], Pick(entry="f"), 0, "f")
    assert [s.id for s in pool.spells] == ["barkskin", "mind-lash"]
    assert not pool.wizard


@pytest.mark.rule("t9a.char.mount.base-height", "t9a.char.mount.defensive", "t9a.char.mount.c-values")
def test_rider_and_mount_are_one_model(book):
    horse = MountEntry(
        id="horse", name={"zh": "马", "en": "horse"}, points=10, cha=8, mob=8, arm="C+2", traits=("mounted",)
    )
    dragon = MountEntry(
        id="dragon", name={"zh": "龙", "en": "dragon"}, points=10, hp=6, df=4, res=6, arm=4, height=5, base=(50, 100)
    )
    made = book(
        entry("hero", ("characters",), character=True, arm=2, hp=3, shield=True, mounts=("horse", "dragon")),
        mounts=(horse, dragon),
    )
    hero = made.entries[0]
    from t9a.builder import scene, unit
    from umpire.games.t9a.characteristics import armour

    state = scene(unit("a"), unit("b", 1, at=(36, 40))).state
    rider = build_pool(made, hero, Pick(entry="hero", mount="horse"), 0, "a")
    assert (rider.profile.height, rider.profile.base, rider.profile.hp) == (2, (25.0, 50.0), 3)
    assert armour(state, rider, False).total == 5
    flyer = build_pool(made, hero, Pick(entry="hero", mount="dragon"), 0, "a")
    assert (flyer.profile.height, flyer.profile.hp, flyer.profile.res) == (5, 6, 6)
    assert armour(state, flyer, False).total == 4


@pytest.mark.rule("t9a.char.mount.rules", "t9a.def.traits.mounted-foot")
def test_rules_of_either_part_are_the_models(book):
    horse = MountEntry(
        id="horse",
        name={"zh": "马", "en": "horse"},
        points=10,
        traits=("mounted",),
        rules=("fly",),
        parts=(PartEntry(att=1, mount=True),),
    )
    made = book(
        entry("hero", ("characters",), character=True, rules=("distracting",), mounts=("horse",)), mounts=(horse,)
    )
    rider = build_pool(made, made.entries[0], Pick(entry="hero", mount="horse"), 0, "a")
    assert {"t9a.rule.fly", "t9a.rule.distracting"} <= set(rider.profile.names)
    assert "mounted" in rider.profile.traits
    assert len(rider.profile.parts) == 2


@pytest.mark.rule("t9a.def.height", "t9a.def.base", "t9a.def.profile")
def test_profiles_that_cannot_be(book):
    with pytest.raises(UmpireError, match="a Height is 0 to 5, not 6"):
        files.convert({**msgspec.to_builtins(entry("a")), "height": 6}, UnitEntry, "a")
    with pytest.raises(UmpireError):
        content.read_book(Source("x", {"id": "x", "entries": [{"id": "y"}]}, None))
    assert content.profile_of(entry("a", base=(25, 50)), "a").base == (25, 50)


NAMED = {
    "mounts.vent-strider": {"rules": ["swift"], "alone": ["beasts"], "arm": "D+2", "parts": [{"weapons": ["club"]}]},
    "items.scale-cloak": {"rarity": "rarest", "unit_rules": ["fearles"], "gives": {"rules": ["aegis"] * 2 + ["x"]}},
    "entries.brood-king": {
        "categories": ["heroes"], "mounts": ["ox"], "rarity": "scarce", "rules": ["resistent"],
        "wizard": "wise", "paths": ["fire"], "spells": ["spark"], "bound": ["spark"],
        "parts": [{"rules": ["rages"]}],
    },
    "entries.brood-king.options.great-weapon": {
        "needs": ["captain"], "rarity": "scarce", "adds": ["heroes"], "alone": ["heroes"],
        "gives": {"weapons": ["great-weapon"]},
    },
    "entries.brood-king.options.general": {"gives": {"skill": "hero"}},
    "entries.brood-king.options.battlefield-hero": {"gives": {"attributes": ["sharp"]}},
    "combined": {"of": ["brood"]},
}  # fmt: skip
"""Names of an army book that nothing answers to, by where they stand."""
TYPED = {"rarity": "rarity", "arm": "arm", "wizard": "wizard", "gives": "skill"}
"""Those whose words are a type: told by their number."""


@pytest.mark.parametrize(("where", "field"), [(where, field) for where in NAMED for field in NAMED[where]])
def test_what_an_army_book_names_is_there(where, field):
    data = copy.deepcopy(books.content("t9a", "ember.yaml").data)
    content.read_book(Source("ember", data, None))
    if where == "combined":
        data["combined"] = [{"of": NAMED[where][field], "most": 1}]
    else:
        at = data
        for part in where.split("."):
            at = next(one for one in at if one["id"] == part) if isinstance(at, list) else at[part]
        at[field] = NAMED[where][field]
    with pytest.raises(UmpireError) as told:
        content.read_book(Source("ember", data, None))
    typed = field in TYPED and TYPED[field] in str(told.value)
    assert typed or f"field {where}" in str(told.value)


def test_an_option_may_give_a_weapon_of_the_entrys_own(book):
    sling = WeaponEntry(id="sling", name={"zh": "投石索", "en": "Sling"}, shooting=True, range=18, str_=3)
    armed = OptionEntry(id="slings", gives=Given(weapons=("sling",)))
    made = book(one := entry("men", weapons=(sling,), options=(armed,)))
    pool = build_pool(made, one, Pick(entry="men", options=("slings",)), 0, "0-0")
    assert weapons.weapon_of(pool.profile.parts[0], "sling").strength == 3


def test_half_of_a_unit_differs_in_what_protects_it_alone():
    for gives in ({"weapons": ["spear"]}, {"mods": {"str": 1}}, {"standard": True}):
        option = msgspec.convert({"id": "some", "share": "half", "gives": gives}, content.OptionEntry)
        with pytest.raises(UmpireError, match="half of a unit"):
            content.check_share(option, "entries.a.options.some.share")
    option = msgspec.convert({"id": "some", "share": "half", "gives": {"mods": {"arm": 2}}}, content.OptionEntry)
    content.check_share(option, "entries.a.options.some.share")


@pytest.mark.rule("t9a.def.profile.random-mobility")
def test_a_random_mobility_means_random_movement():
    profile = content.profile_of(entry("a", mob="2D6"), "a")
    assert "t9a.rule.random-movement.distance" in profile.names
    assert (profile.mob, profile.cha) == (12, 12)


def test_random_lists_are_legal_and_books_are_sound():
    for seed in range(6):
        for size in (2000, 4500):
            roster = drafting.muster(Rng(seed), size)
            assert check_roster(roster).legal
            again = msgspec.convert(msgspec.to_builtins(roster), Roster)
            assert again == roster


def test_lists_of_different_sizes_do_not_meet():
    a = msgspec.to_builtins(drafting.muster(Rng(1), 2000))
    b = msgspec.to_builtins(drafting.muster(Rng(2), 3000))
    with pytest.raises(UmpireError):
        umpire.battle("t9a", sides=[a, b])


@pytest.mark.rule("t9a.leader.choice", "t9a.leader.recruiter", "t9a.leader.innovator")
def test_random_lists_take_every_leader_skill():
    """Of the lists of one book some have each skill, some units their Fresh Meat or other bases, and all are legal."""
    found, fresh, bases = set(), 0, 0
    for seed in range(40):
        roster = drafting.muster(Rng(seed), 2000, "thornmark")
        assert check_roster(roster).legal
        found |= set(muster.skills(roster, muster.book_of(roster)))
        fresh += any("fresh-meat" in pick.options for pick in roster.units)
        bases += any(pick.base is not None for pick in roster.units)
    assert found == {"battlefield-hero", "innovator", "recruiter"}
    assert fresh
    assert bases


RULES_OF_RULES = {"attack-attribute", "duplicates", "keyword", "unit-containing", "unit-with", "unit-without"}
"""How rules are told, which is nobody's own."""
BY_STANDING = {
    "channel": "wizards, by their level",
    "massed-ranks": "whoever stands in ranks",
    "protean-magic": "the option `protean`",
    "rally-around-the-flag": "the Battle Standard Bearer",
    "standard-bearer": "the option `standard`",
    "two-handed": "weapons that are held so",
}


def test_the_books_hold_what_an_army_may_be_made_of():
    """Three armies of fourteen entries or more, each with its own categories, hereditary spells and items; four paths
    of six spells; every model rule is on somebody."""
    books = content.books()
    assert len(books) >= 3
    for book in books.values():
        assert len(book.entries) >= 14
        own = {category.id for category in book.categories} - {"characters", "core", "special"}
        assert own
        assert all(any(key in entry.categories for entry in book.entries) for key in own)
        assert book.hereditary
        assert {item.kind for item in book.items} >= {"weapon", "banner", "talisman"}
        assert any(entry.wizard for entry in book.entries)
        assert any(entry.mounts for entry in book.entries)
    assert any(entry.wizard.startswith("conclave") for book in books.values() for entry in book.entries)
    assert [len(spells) for spells in content.paths().values()] == [6] * 4
    words = set(re.findall(r"[a-z][a-z0-9-]+", str(msgspec.to_builtins(list(books.values())))))
    kinds = (*weapons.MELEE.values(), *weapons.SHOOTING.values())
    given = [rule.id for each in (*(weapon.rules for weapon in kinds), weapons.BREATH) for rule in each]
    words |= {key.split(".")[2] for key in given}
    told = {rule.id.split(".")[2] for rule in ledger("t9a") if rule.id.startswith("t9a.rule.")}
    assert sorted(told - words - RULES_OF_RULES - set(BY_STANDING)) == []
