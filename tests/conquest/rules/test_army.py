"""Chapter 12: army lists, warbands, points; upgrades, retinue and masteries of chapter 8."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest

import umpire
from umpire import files
from umpire.engine.rng import Rng
from umpire.engine.rulings import Ruling
from umpire.errors import UmpireError
from umpire.games.conquest import army, content, hooks
from umpire.games.conquest.army import CharacterPick, RegimentPick, Roster, Warband
from umpire.games.conquest.muster import muster
from umpire.games.conquest.state import State


def pick(entry: str, **more: Any) -> RegimentPick:
    return RegimentPick(entry=entry, **more)


def band(character: str, *regiments: str | RegimentPick, **more: Any) -> Warband:
    picks = [r if isinstance(r, RegimentPick) else pick(r) for r in regiments]
    return Warband(character=CharacterPick(entry=character, **more), regiments=picks)


def ruling(*bands: Warband, faction: str = "brine", points: int = 5000) -> Ruling:
    return army.check_roster(Roster(faction=faction, warbands=list(bands), points=points))


def legal(*bands: Warband, **more: Any) -> None:
    found = ruling(*bands, **more)
    assert found.legal, found


def broken(rule: str, *bands: Warband, **more: Any) -> None:
    found = ruling(*bands, **more)
    assert rule in found.rules, found


MARSHAL = band("tide-marshal", "wall-guard", warlord=True)


@pytest.mark.rule("conquest.army.points", "conquest.army.upgrades")
def test_the_points_are_the_sum_of_everything_bought() -> None:
    one = band("tide-marshal", pick("tide-spears", stands=5, standard=True, officers=["drum-master"]), warlord=True)
    roster = Roster(faction="brine", warbands=[one])
    assert army.cost(roster) == 90 + 135 + 2 * 42 + 15 + 20
    one.character.mastery, one.character.upgrades = ["breaker"], ["black-pearl"]
    one.character.retinue = {"bosuns": 2}
    assert army.cost(roster) == 344 + 20 + 20 + 10 + 15
    total = army.cost(roster)
    legal(one, points=total)
    broken("conquest.army.points", one, points=total - 1)
    priest = band("bell-keeper", "bell-brothers", warlord=True, spells=["rip-current", "sea-wall"])
    assert army.cost(Roster(faction="brine", warbands=[priest])) == 80 + 130 + 15 + 10


@pytest.mark.rule("conquest.army.upgrades")
def test_extra_stands_within_the_entrys_limits() -> None:
    entry = content.faction("brine").regiment("tide-spears")
    assert entry is not None
    assert (
        army.regiment_cost(content.faction("brine"), entry, pick("tide-spears", stands=5, standard=True))
        == 135 + 84 + 15
    )
    broken("conquest.army.upgrades", band("tide-marshal", pick("tide-spears", stands=10), warlord=True))
    broken("conquest.army.upgrades", band("tide-marshal", pick("tide-spears", stands=2), warlord=True))


@pytest.mark.rule("conquest.army.composition")
def test_all_of_one_faction_and_in_warbands() -> None:
    broken("conquest.army.composition", band("tide-marshal", "wall-guard", "slag-walkers", warlord=True))
    broken("conquest.army.composition", band("ember-chief", "wall-guard", warlord=True))
    broken("conquest.army.composition")
    broken("conquest.army.composition", MARSHAL, faction="nobody")


@pytest.mark.rule("conquest.army.warlord", "conquest.character.warlord")
def test_exactly_one_warlord() -> None:
    legal(MARSHAL)
    broken("conquest.army.warlord", band("tide-marshal", "wall-guard"))
    broken("conquest.army.warlord", MARSHAL, band("bell-keeper", "bell-brothers", warlord=True))
    _, heroes = army.build(Roster(faction="brine", warbands=[MARSHAL, band("bell-keeper", "bell-brothers")]), 0)
    assert [h.warlord for h in heroes] == [True, False]


@pytest.mark.rule("conquest.army.warband", "conquest.army.warband.size")
def test_one_to_four_regiments_in_a_warband() -> None:
    broken("conquest.army.warband", band("tide-marshal", warlord=True))
    legal(band("tide-marshal", *["wall-guard"] * 4, warlord=True))
    broken("conquest.army.warband.size", band("tide-marshal", *["wall-guard"] * 5, warlord=True))


@pytest.mark.rule("conquest.army.warband.same-type")
def test_a_regiment_of_the_characters_type() -> None:
    broken("conquest.army.warband.same-type", band("heron-captain", "reed-stalkers", warlord=True))
    legal(band("heron-captain", "heron-riders", warlord=True))
    legal(band("deep-admiral", "wall-guard", warlord=True))


@pytest.mark.rule("conquest.rule.irregular.join")
def test_the_escort_must_be_one_he_can_join() -> None:
    pilot = band("high-reckoner", "cog-legion", "vat-born", warlord=True, upgrades=["walking-frame"])
    legal(pilot, faction="lathe")
    broken("conquest.rule.irregular.join", band("pyre-rider", "pyre-hounds", warlord=True), faction="cinder")


@pytest.mark.rule(
    "conquest.army.warband.mainstay", "conquest.army.warband.restricted-max", "conquest.army.warband.restricted-pair"
)
def test_mainstay_and_restricted() -> None:
    """The Salt-Mail Lancers are Restricted for the Marshal and Mainstay for the Captain."""
    lancers = "salt-lancers"
    broken("conquest.army.warband.mainstay", band("tide-marshal", "wall-guard", "reed-stalkers", warlord=True))
    legal(band("heron-captain", *[lancers] * 4, warlord=True))
    legal(band("tide-marshal", "wall-guard", "wall-guard", lancers, lancers, warlord=True))
    broken("conquest.army.warband.restricted-pair", band("tide-marshal", "wall-guard", lancers, lancers, warlord=True))
    broken("conquest.army.warband.restricted-max", band("tide-marshal", "wall-guard", *[lancers] * 3, warlord=True))
    elsewhere = band("bell-keeper", "tide-spears", "tide-spears")
    broken(
        "conquest.army.warband.restricted-pair",
        band("tide-marshal", "wall-guard", lancers, lancers, warlord=True),
        elsewhere,
    )


# -- Characters ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.character.upgrades")
def test_upgrades_come_from_the_characters_own_list() -> None:
    legal(band("tide-marshal", "wall-guard", warlord=True, upgrades=["nautilus-helm"]))
    broken("conquest.character.upgrades", band("tide-marshal", "wall-guard", warlord=True, upgrades=["drake-scale"]))
    broken(
        "conquest.character.upgrades",
        band("tide-marshal", "wall-guard", warlord=True, upgrades=["nautilus-helm", "nautilus-helm"]),
    )
    one = band("tide-marshal", "wall-guard", warlord=True, upgrades=["nautilus-helm", "black-pearl", "conch-of-tides"])
    _, (hero,) = army.build(Roster(faction="brine", warbands=[one]), 0)
    assert hero.profile.defense == 4
    assert [e.name for e in hero.profile.events] == ["regeneration"]
    assert [a.id for a in hero.abilities] == ["harbour-watch"]


@pytest.mark.rule("conquest.character.upgrades.model")
def test_an_upgrade_may_change_what_he_is() -> None:
    one = band("tide-marshal", "wall-guard", "tide-crabs", warlord=True, upgrades=["crab-throne"])
    legal(one)
    _, (hero,) = army.build(Roster(faction="brine", warbands=[one]), 0)
    assert hero.profile.type == "brute"
    broken(
        "conquest.army.warband.same-type", band("tide-marshal", "wall-guard", warlord=True, upgrades=["crab-throne"])
    )


@pytest.mark.rule("conquest.command-model.officer")
def test_no_officer_twice_in_a_regiment_but_in_two() -> None:
    def led(*regiments: list[str]) -> Warband:
        return band("tide-marshal", *(pick("tide-spears", officers=names) for names in regiments), warlord=True)

    legal(led(["drum-master"], ["drum-master"]))
    broken("conquest.command-model.officer", led(["drum-master", "drum-master"]))


def test_a_set_up_without_the_rule_leaves_him_as_he_was() -> None:
    off = ("conquest.character.upgrades.model",)
    one = Roster(faction="brine", warbands=[band("tide-marshal", "wall-guard", warlord=True, upgrades=["crab-throne"])])
    assert not army.check_roster(one)
    assert army.check_roster(one, off)
    battle = umpire.battle("conquest", sides=[one, muster(Rng(1))], without=list(off))
    assert battle.state.characters["0c0"].profile.type == "infantry"


@pytest.mark.rule("conquest.character.retinue.slots", "conquest.character.retinue.tiers")
def test_retinue_places_and_tiers() -> None:
    legal(band("tide-marshal", "wall-guard", warlord=True, retinue={"bosuns": 2, "signal": 1}))
    legal(band("tide-marshal", "wall-guard", warlord=True))
    broken(
        "conquest.character.retinue.slots",
        band("tide-marshal", "wall-guard", warlord=True, retinue={"bosuns": 2, "signal": 2}),
    )
    one = band("tide-marshal", "wall-guard", warlord=True, retinue={"bosuns": 2, "signal": 1})
    _, (hero,) = army.build(Roster(faction="brine", warbands=[one]), 0)
    assert [(t.id, t.tier) for t in hero.retinue] == [("bosuns", 2), ("signal", 1)]
    assert (hero.profile.attacks, hero.profile.march) == (7, 6)
    state = State(regiments={}, scenario=None)  # type: ignore[arg-type]
    assert hooks.has_rule(state, hero, "deadly-blades")


@pytest.mark.rule("conquest.character.retinue.infantry-only")
def test_no_retinue_for_a_rider() -> None:
    throne = band(
        "tide-marshal", "wall-guard", "tide-crabs", warlord=True, upgrades=["crab-throne"], retinue={"bosuns": 1}
    )
    broken("conquest.character.retinue.infantry-only", throne)
    broken(
        "conquest.character.retinue.infantry-only",
        band("heron-captain", "heron-riders", warlord=True, retinue={"bosuns": 1}),
    )


@pytest.mark.rule("conquest.character.retinue.sequential", "conquest.character.retinue.available-restricted")
def test_tiers_in_order_and_restricted_ones_dear() -> None:
    """Signallers cost 10 and 15; for the Keeper they are Restricted: 20 and 30, and no third tier."""
    keeper = content.faction("brine").character("bell-keeper")
    assert keeper is not None
    brine = content.faction("brine")
    cost = [
        army.character_cost(brine, keeper, CharacterPick(entry="bell-keeper", retinue={"signal": n})) for n in (0, 1, 2)
    ]
    assert [c - cost[0] for c in cost] == [0, 20, 50]
    third = band("bell-keeper", "bell-brothers", warlord=True, retinue={"signal": 3})
    broken("conquest.character.retinue.available-restricted", third)
    broken(
        "conquest.character.retinue.available-restricted",
        band("bell-keeper", "bell-brothers", warlord=True, retinue={"bosuns": 1}),
    )
    broken(
        "conquest.character.retinue.sequential", band("tide-marshal", "wall-guard", warlord=True, retinue={"bosuns": 4})
    )
    marshal = brine.character("tide-marshal")
    assert marshal is not None
    whole = CharacterPick(entry="tide-marshal", retinue={"bosuns": 3})
    assert army.character_cost(brine, marshal, whole) == 90 + 10 + 15 + 20, "tier 3 pays tiers 1 and 2 as well"


@pytest.mark.rule("conquest.character.mastery", "conquest.character.mastery.categories")
def test_one_mastery_each_and_each_once() -> None:
    legal(band("tide-marshal", "wall-guard", warlord=True, mastery=["breaker"]))
    broken(
        "conquest.character.mastery",
        band("tide-marshal", "wall-guard", warlord=True, mastery=["breaker", "pilots-eye"]),
    )
    broken(
        "conquest.character.mastery",
        band("tide-marshal", "wall-guard", warlord=True, mastery=["breaker"]),
        band("heron-captain", "heron-riders", mastery=["breaker"]),
    )
    broken(
        "conquest.character.mastery.categories",
        band("tide-marshal", "wall-guard", warlord=True, mastery=["deep-chant"]),
    )


@pytest.mark.rule("conquest.magic.spells.list")
def test_spells_of_the_casters_own_list() -> None:
    legal(band("bell-keeper", "bell-brothers", warlord=True, spells=["sea-wall"]))
    broken("conquest.magic.spells.list", band("tide-marshal", "wall-guard", warlord=True, spells=["sea-wall"]))


@pytest.mark.rule("conquest.character.own-regiment", "conquest.army.warband.same-type")
def test_a_character_that_is_a_regiment() -> None:
    one = band("deep-admiral", "wall-guard", warlord=True)
    regiments, (hero,) = army.build(Roster(faction="brine", warbands=[one]), 1)
    assert hero.own
    assert regiments[0].own == hero.id
    assert regiments[0].id == hero.regiment
    _, (other,) = army.build(Roster(faction="brine", warbands=[MARSHAL]), 0)
    assert not other.own, "only whose entry says so"
    cutter = band("deep-admiral", "wall-guard", warlord=True, mastery=["breaker"])
    (lone, *_), _ = army.build(Roster(faction="brine", warbands=[cutter]), 0)
    assert [rule.value for rule in lone.profile.rules if rule.name == "cleave"] == [2, 1]


# -- content -------------------------------------------------------------------------------------------------------


def test_random_armies_are_legal_and_the_same_from_the_same_seed() -> None:
    for seed in range(20):
        roster = muster(Rng(seed), 1500)
        assert army.check_roster(roster).legal
        assert army.cost(roster) <= 1500
        assert roster == muster(Rng(seed), 1500)
    assert {muster(Rng(5), 1000, name).faction for name in content.factions()} == set(content.factions())


def test_every_special_rule_and_draw_event_is_on_somebody() -> None:
    held: set[str] = {"turn-the-tide"}
    for faction in content.factions().values():
        assert 3 <= len(faction.characters) <= 4
        assert 9 <= len(faction.regiments) <= 12
        groups = (faction.characters, faction.regiments, faction.masteries, faction.upgrades, faction.officers)
        for entry in (e for group in groups for e in group):
            for text in (*entry.rules, *getattr(entry, "draw", ()), *getattr(entry, "regiment_rules", ())):
                rule = content.rule_of(text)
                held |= {rule.name, *(shot.name for shot in rule.shots)}
    assert not {*hooks.KNOWN_RULES, *hooks.KNOWN_EVENTS} - held


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("rules: [shield, parry, you-and-what-army]", "rules: [shield, pary]", "characters.tide-marshal.rules[1]"),
        ("draw: [bastion 1]", "draw: [bastion]", "regiments.tide-spears.draw[0]"),
        ("class: medium", "class: middling", "class"),
        ("supremacy: spring-tide", "supremacy: nothing", "characters.tide-marshal.supremacy"),
        ("retinue: {slots: 3, signal", "retinue: {slots: 3, sygnal", "characters.tide-marshal.retinue"),
        ("zh: 潮汐元帅, en", "en", "characters.tide-marshal.name"),
    ],
)
def test_mistakes_in_content_are_told_with_file_and_field(old: str, new: str, what: str) -> None:
    text = resources.files("umpire.content").joinpath("conquest", "brine.yaml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(UmpireError) as found:
        files.parse(text.replace(old, new, 1), "brine.yaml").checked(content.Faction, content.check_faction)
    assert "brine.yaml" in str(found.value)
    assert what in str(found.value)
