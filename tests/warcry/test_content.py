"""The content that comes with the game: it is whole, playable and original; what is wrong with a file is said."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import yaml

import umpire
from umpire import files
from umpire.engine.game import find_game
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.games.warcry.battleplan import score
from umpire.games.warcry.cards import Deck, ScoreHome, ScoreQuarters, ScoreSurvivors, Terrain
from umpire.games.warcry.content import (
    Library,
    add_deck,
    add_faction,
    add_terrain,
    check_layout,
    library,
    read,
)
from umpire.games.warcry.placing import Zone, any_places
from umpire.games.warcry.profiles import CORE_RUNEMARKS, GROUPS, Faction
from umpire.games.warcry.setup import crowded
from umpire.games.warcry.state import Fighter, Player, State
from umpire.games.warcry.terrain import Layout, ground_of, layout
from umpire.games.warcry.warband import Roster, check, muster, role_of
from umpire.text import catalogue
from warcry.builder import WEAPON_RUNEMARKS, fighter, profile, scene

LIB = library()


# -- how much there is -------------------------------------------------------------------------------------------


def test_factions_of_all_four_alliances_with_their_own_rules() -> None:
    assert {faction.alliance for faction in LIB.factions.values()} == {"order", "chaos", "death", "destruction"}
    for faction in LIB.factions.values():
        own = [p for p in LIB.profiles.values() if p.faction == faction.id]
        assert 8 <= len(own) <= 12, faction.id
        assert 5 <= len(faction.abilities) <= 6, faction.id
        assert faction.reactions, faction.id
        assert {ability.cost for ability in faction.abilities} == {"double", "triple", "quad"}, faction.id


def test_every_weapon_and_runemark_of_the_book_is_carried_by_somebody() -> None:
    weapons = {weapon.runemark for p in LIB.profiles.values() for weapon in p.weapons}
    assert weapons == WEAPON_RUNEMARKS
    assert {mark for p in LIB.profiles.values() for mark in p.runemarks} >= set(CORE_RUNEMARKS)
    missiles = [weapon for p in LIB.profiles.values() for weapon in p.weapons if not weapon.melee]
    assert {weapon.least for weapon in missiles} >= {1, 2, 3, 4}


def test_every_alliance_has_guests_to_offer() -> None:
    for faction in LIB.factions:
        roles = {role_of(LIB, faction, p) for p in LIB.profiles.values()}
        assert "monster" in roles, faction
        assert roles & {"ally", "thrall"}, faction
    assert all(p.table for p in LIB.profiles.values() if p.has("monster"))


def test_eight_of_each_deck() -> None:
    for deck in ("terrain", "deployment", "victory", "twist"):
        assert len(LIB.deck(deck)) >= 8, deck
    assert {"ley-lines", "reaper"} <= set(LIB.victory)
    points = [
        getattr(card, side).of(group)
        for card in LIB.deployment.values()
        for side in ("red", "blue")
        for group in GROUPS
    ]
    assert {point.round for point in points} == {1, 2, 3}
    assert {card.kind for card in LIB.twist.values()} == {"climate", "environment", "fate", "phenomenon", "mind"}
    kinds = {part.kind for card in LIB.terrain.values() for part in ground_of(plan(card.id)).parts}
    assert kinds == {"obstacle", "low", "deadly", "unclimbable", "stairs", "ladder", "arch", "door", "closed-door"}


def test_everything_is_named_in_both_languages() -> None:
    texts = catalogue("warcry")
    for item in (*LIB.abilities.values(), *LIB.reactions.values(), *LIB.victory.values(), *LIB.twist.values()):
        assert item.text.get("zh"), item.id
        assert item.text.get("en"), item.id
    for p in LIB.profiles.values():
        assert all(f"runemark.{mark}" in texts for mark in p.runemarks), p.id
        assert all(f"weapon.{weapon.runemark}" in texts for weapon in p.weapons), p.id


# -- terrain and deployment --------------------------------------------------------------------------------------


def plan(key: str) -> Layout:
    return layout(LIB.terrain[key].features, LIB.pieces)


@pytest.mark.parametrize("key", sorted(LIB.terrain))
def test_a_layout_stands_on_the_battlefield_and_nothing_stands_in_anything(key: str) -> None:
    lay = plan(key)
    points = [point for feature in lay.features for part in feature.parts for point in part.points]
    assert all(0 <= x <= 30 and 0 <= y <= 22 for x, y in points)
    ids = [feature.id for feature in lay.features]
    assert all(feature.on in ("", *ids) for feature in lay.features)
    flat = tuple(feature for feature in lay.features if not feature.on)
    assert not crowded(Layout(lay.key, flat))
    assert len(ground_of(lay).solids) < 60, "more solids make every move slow"


@pytest.mark.parametrize("key", sorted(LIB.terrain))
def test_every_group_finds_room_on_every_layout(key: str) -> None:
    """Five fighters with three large bases, and a monster of 80 mm, in every zone of every deployment map.

    Reserves by boat land at a corner, where a large group is crowded out of the zone (warcry.reserve.no-room).
    """
    group = ["revel-king", "hearse-rider", "coffin-bearer", "road-spear", "road-spear"]
    for card in LIB.deployment.values():
        for side in ("red", "blue"):
            for name in GROUPS:
                if (card.id, name) == ("last-boats", "hammer"):
                    continue
                zone = Zone(getattr(card, side).of(name), False, 30.0, 22.0)
                for band in (group, ["sump-titan"]):
                    state = State(layout=plan(key), fighters=[], players=[Player("x"), Player("y")])
                    fighters = [Fighter(f"a{n}", 0, LIB.profiles[k]) for n, k in enumerate(band)]
                    assert any_places(state, fighters, zone, Rng(1)) is not None, (card.id, side, name, band)


@pytest.mark.parametrize("n", range(12))
def test_four_cards_make_a_battle(n: int) -> None:
    decks = {deck: sorted(LIB.deck(deck)) for deck in ("terrain", "deployment", "victory", "twist")}
    chosen = {deck: keys[n % len(keys)] for deck, keys in decks.items()}
    battle = umpire.battle("warcry", seed=n, scenario=chosen)
    rng = Rng(n)
    while battle.decision is not None:
        battle.answer(battle.decision.suggest(rng))
    assert battle.state.outcome is not None


# -- warbands ----------------------------------------------------------------------------------------------------


def test_ready_warbands_of_every_faction_are_legal_and_nearly_full() -> None:
    armies = find_game("warcry").library()["armies"]
    assert {army["faction"] for army in armies} == set(LIB.factions)
    for army in armies:
        assert check(msgspec.convert(army["roster"], Roster)).legal, army["id"]
        if army["id"].endswith("-first"):  # four fighters a side, for somebody's first battle
            assert len(army["roster"]["fighters"]) == 4, army["id"]
        else:
            assert 940 <= army["points"] <= 1000, (army["id"], army["points"])


@pytest.mark.parametrize("key", sorted(LIB.factions))
def test_random_warbands_of_a_faction_are_legal_and_take_guests(key: str) -> None:
    roles = set()
    for seed in range(40):
        roster = muster(Rng(seed), faction=key)
        assert check(roster).legal, roster
        roles |= {role_of(LIB, key, LIB.profiles[name]) for name in roster.fighters}
    assert {"", "monster"} < roles


def test_a_warband_that_points_cannot_buy_is_refused() -> None:
    least = muster(Rng(1), faction="mud-revel", points=300)
    assert sum(LIB.profiles[key].points for key in least.fighters) <= 300
    with pytest.raises(UmpireError, match="points"):
        muster(Rng(1), faction="mud-revel", points=100)


# -- scoring and twists ------------------------------------------------------------------------------------------


def test_quarters_go_to_whoever_has_more_in_them() -> None:
    battle = scene(
        fighter("a1", 5, 5), fighter("a2", 14.9, 5), fighter("b1", 10, 3), fighter("b2", 15, 7), fighter("b3", 20, 20)
    )
    assert score(battle.state, ScoreQuarters(2)) == (2, 4)
    even = scene(fighter("a1", 5, 5), fighter("b1", 10, 3))
    assert score(even.state, ScoreQuarters()) == (0, 0)


def test_survivors_are_counted_in_points_on_the_battlefield() -> None:
    battle = scene(
        fighter("a1", 5, 5, points=90), fighter("a2", 5, 9, points=200, where="down"), fighter("b1", 20, 3, points=100)
    )
    assert score(battle.state, ScoreSurvivors(2)) == (0, 2)


def test_treasure_is_home_wholly_within_the_own_half() -> None:
    """Red's points of the facing lines lie at y 3.2: its half ends at 11."""
    players = [{"red": True}, {}]
    home = [fighter("a1", 5, 10.5, carrying="g0"), fighter("b1", 20, 11.4, carrying="g1")]
    tokens = [{"id": f"g{n}", "kind": "supplies", "x": 1, "y": 1, "carrier": k} for n, k in enumerate(("a1", "b1"))]
    assert score(scene(*home, players=players, treasures=tokens).state, ScoreHome(3)) == (3, 0)
    home[0]["y"] = 10.6
    assert score(scene(*home, players=players, treasures=tokens).state, ScoreHome(3)) == (0, 0)


def test_the_underdog_gains_a_wild_die() -> None:
    many = [fighter("a1", 5, 5), fighter("a2", 5, 9), fighter("b1", 20, 20)]
    battle = scene(*many, at="combat", twist="luck-of-the-few")
    assert [player.wild for player in battle.state.players] == [0, 1]
    even = scene(many[0], many[2], at="combat", twist="luck-of-the-few")
    assert [player.wild for player in even.state.players] == [0, 0]


@pytest.mark.parametrize(
    ("twist", "what", "op", "value"),
    [
        ("thick-fog", "range.missile", "add", -4),
        ("grounding-gale", "fly", "forbid", 0),
        ("rising-water", "move", "add", -1),
    ],
)
def test_a_twist_is_in_force_on_every_fighter_from_the_start(twist: str, what: str, op: str, value: int) -> None:
    battle = umpire.battle("warcry", seed=4, scenario={"twist": twist})
    while battle.decision is not None and battle.state.round == 0:
        battle.answer(battle.decision.suggest(Rng(len(battle.answers))))
    found = [e.on for e in battle.state.effects if (e.what, e.op, e.value) == (what, op, value)]
    assert found == [f.id for f in battle.state.fighters]


# -- mistakes ----------------------------------------------------------------------------------------------------

NAME = {"zh": "某", "en": "some"}
ABILITY = {"id": "ab", "name": NAME, "cost": "double", "runemarks": ["keen"], "effect": [{"do": "heal", "by": 1}]}
REACTION = {"id": "re", "name": NAME, "when": "melee", "effect": [{"do": "riposte"}]}
FACTION: dict[str, Any] = {
    "id": "x",
    "name": NAME,
    "alliance": "death",
    "fighters": [profile(id="p", faction="", runemarks=["hero", "keen"])],
    "abilities": [
        {
            "id": "ab",
            "name": {"zh": "技", "en": "ab"},
            "cost": "double",
            "runemarks": ["keen"],
            "effect": [{"do": "heal", "by": 1}],
        }
    ],
    "reactions": [{"id": "re", "name": {"zh": "反", "en": "re"}, "when": "melee", "effect": [{"do": "riposte"}]}],
}


def load(changes: dict[str, Any]) -> Library:
    lib = Library()
    read(files.parse(yaml.safe_dump({**FACTION, **changes}), "f.yaml"), Faction, lib, add_faction)
    return lib


def ability(**changes: Any) -> dict[str, Any]:
    return {"abilities": [{**ABILITY, **changes}]}


def reaction(**changes: Any) -> dict[str, Any]:
    return {"reactions": [{**REACTION, **changes}]}


def one(**changes: Any) -> dict[str, Any]:
    return {"fighters": [profile(id="p", **{"faction": "", "runemarks": ["keen"], **changes})]}


def test_a_sound_faction_loads() -> None:
    assert load({}).profiles["p"].faction == "x"


FOE = {"pick": "foe"}


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        (ability(effect=[{"do": "fly-away"}]), r"abilities\[0\]\.effect\[0\]"),
        (ability(effect=[{"do": "heal", "by": "lots"}]), r"abilities\[0\]\.effect\[0\]\.by"),
        (ability(effect=[{"do": "heal", "by": 1, "loud": True}]), r"abilities\[0\]\.effect\[0\]"),
        (ability(runemarks=["keen", "loud"]), r"abilities\[0\]\.runemarks"),
        (ability(needs=["luck"]), r"abilities\[0\]\.needs"),
        (ability(needs=["in-cover"]), r"abilities\[0\]\.needs"),
        (ability(rule="warcry.no.such"), r"abilities\[0\]\.rule"),
        (ability(cost="single"), r"abilities\[0\]\.cost"),
        (ability(name={"zh": "技"}), r"abilities\[0\]\.name"),
        (ability(effect=[{"do": "riposte"}]), r"abilities\[0\]\.effect\[0\]"),
        (
            ability(effect=[{"do": "damage", "by": 1, "who": FOE}]),
            r"abilities\[0\]\.effect\[0\]\.who",
        ),
        (reaction(when="sunrise"), r"reactions\[0\]\.when"),
        (reaction(needs=["moved"]), r"reactions\[0\]\.needs"),
        (
            reaction(effect=[{"do": "bonus-action", "action": "attack"}]),
            r"reactions\[0\]\.effect\[0\]",
        ),
        (
            reaction(effect=[{"do": "damage", "by": "value", "who": FOE}]),
            r"reactions\[0\]\.effect\[0\]",
        ),
        (
            {"fighters": [profile(id="p", faction="", runemarks=["keen", "loud"])]},
            r"fighters\[0\]\.runemarks",
        ),
        (
            {"fighters": [profile(id="p", faction="elsewhere", runemarks=["keen"])]},
            r"fighters\[0\]\.faction",
        ),
        (
            {"fighters": [profile(id="p", faction="", runemarks=["keen"], toughness=0)]},
            r"fighters\[0\]\.toughness",
        ),
        ({"alliance": "nobody"}, r"alliance"),
    ],
)
def test_a_faction_that_names_an_unknown_rule_is_refused_with_file_and_field(
    changes: dict[str, Any], where: str
) -> None:
    with pytest.raises(UmpireError, match=r"f\.yaml:\d+: .*field " + where):
        load(changes)


CARD: dict[str, Any] = {"id": "c", "name": {"zh": "卡", "en": "card"}}
POINTS = {"dagger": {"x": 5, "y": 5}, "shield": {"x": 9, "y": 5}, "hammer": {"x": 13, "y": 5}}

LATE = {"x": -1, "y": 5, "round": 2, "line": [0, 0, 0, 7]}


@pytest.mark.parametrize(
    ("deck", "where"),
    [
        ({"victories": [{**CARD, "score": [{"do": "beauty"}]}]}, r"victories\[0\]\.score\[0\]"),
        (
            {"victories": [{**CARD, "score": [{"do": "tally"}], "treasure_kind": "tea"}]},
            r"victories\[0\]\.treasure_kind",
        ),
        (
            {"twists": [{**CARD, "kind": "fate", "effect": [{"do": "party"}]}]},
            r"twists\[0\]\.effect\[0\]",
        ),
        ({"twists": [{**CARD, "kind": "mood"}]}, r"twists\[0\]\.kind"),
        (
            {"deployments": [{**CARD, "red": POINTS, "blue": {**POINTS, "hammer": {"x": 40, "y": 5, "round": 2}}}]},
            r"deployments\[0\]\.blue\.hammer",
        ),
        (
            {
                "deployments": [
                    {
                        **CARD,
                        "red": {**POINTS, "hammer": {"x": -1, "y": 5, "round": 2, "line": [0, 0, 0, 7]}},
                        "blue": POINTS,
                    }
                ]
            },
            r"deployments\[0\]\.red\.hammer\.line",
        ),
    ],
)
def test_a_deck_that_names_an_unknown_rule_is_refused_with_file_and_field(deck: dict[str, Any], where: str) -> None:
    with pytest.raises(UmpireError, match=r"c\.yaml:\d+: .*field " + where):
        read(files.parse(yaml.safe_dump(deck), "c.yaml"), Deck, Library(), add_deck)


def test_terrain_of_unknown_kinds_and_pieces_is_refused() -> None:
    part = {"rect": [0, 0, 1, 1], "top": 2}
    pieces = yaml.safe_dump({"pieces": [{**CARD, "parts": [{**part, "kind": "lava"}]}]})
    with pytest.raises(UmpireError, match=r"t\.yaml:\d+: .*field pieces\[0\]\.parts\[0\]\.kind"):
        read(files.parse(pieces, "t.yaml"), Terrain, Library(), add_terrain)
    lib = Library()
    sheet = {"layouts": [{**CARD, "features": [{"piece": "cake", "x": 1, "y": 1}]}]}
    read(files.parse(yaml.safe_dump(sheet), "t.yaml"), Terrain, lib, add_terrain)
    with pytest.raises(UmpireError, match=r"layouts.c.features\[0\]\.piece"):
        check_layout(lib, lib.terrain["c"])
