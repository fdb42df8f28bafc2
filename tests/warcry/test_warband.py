"""Mustering: size, faction, leader, heroes, points, allies, thralls, monsters; factions and alliances."""

from __future__ import annotations

import pytest

import umpire
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.games.warcry import warband
from umpire.games.warcry.content import Library, add_faction, library
from umpire.games.warcry.profiles import CITIES, FACTIONS, Faction, Profile, alliance_of
from umpire.games.warcry.warband import Roster, check, judge, muster, role_of
from warcry.builder import profile


def make(key: str, *marks: str, faction: str = "own", points: int = 50) -> Profile:
    import msgspec

    return msgspec.convert(profile(id=key, runemarks=list(marks), faction=faction, points=points), Profile)


def lib() -> Library:
    out = Library()
    for key, alliance in (("own", "chaos"), ("kin", "chaos"), ("foe", "order")):
        add_faction(out, Faction(key, {"zh": key, "en": key}, alliance, ()))  # type: ignore[arg-type]
    return out


HERO = make("hero", "hero")
MAN = make("man")


def broken(*fighters: Profile, city: str = "") -> list[str]:
    return [reason.rule for reason in judge(lib(), "own", city, fighters)]


@pytest.mark.rule("warcry.warband.size", "warcry.warband.muster")
def test_three_to_fifteen_fighters() -> None:
    assert broken(HERO, MAN) == ["warcry.warband.size"]
    assert broken(HERO, MAN, MAN) == []
    assert broken(HERO, *[MAN] * 14) == []
    assert broken(HERO, *[MAN] * 15) == ["warcry.warband.size"]


@pytest.mark.rule("warcry.warband.points")
def test_a_thousand_points_and_no_more() -> None:
    assert broken(make("hero", "hero", points=400), make("b", points=300), make("c", points=300)) == []
    assert broken(make("hero", "hero", points=401), make("b", points=300), make("c", points=300)) == [
        "warcry.warband.points"
    ]


@pytest.mark.rule("warcry.warband.faction", "warcry.faction.required")
def test_a_stranger_without_a_reason_to_join_is_refused() -> None:
    assert broken(HERO, MAN, make("kin", faction="kin")) == ["warcry.warband.faction"]
    assert check(Roster("nobody", ["x"])).rules == ("warcry.faction.required",)
    with pytest.raises(UmpireError, match="profile"):
        umpire.battle("warcry", sides=[{"faction": "cinder-kin", "fighters": ["ghost"]}])


@pytest.mark.rule("warcry.warband.leader", "warcry.ally.not-leader")
def test_the_leader_is_a_hero_of_the_faction() -> None:
    assert broken(MAN, MAN, MAN) == ["warcry.warband.leader"]
    assert broken(make("guest", "hero", faction="kin"), MAN, MAN) == ["warcry.ally.not-leader"]
    battle = umpire.battle("warcry", seed=2)
    for side in (0, 1):
        assert sum(f.leader for f in battle.state.fighters if f.side == side) == 1


@pytest.mark.rule("warcry.warband.heroes", "warcry.ally.heroes-count")
def test_three_heroes_allies_included() -> None:
    guest = make("guest", "hero", faction="kin")
    assert broken(HERO, HERO, guest, MAN) == []
    assert broken(HERO, HERO, HERO, HERO) == ["warcry.warband.heroes"]
    assert broken(HERO, guest, guest, HERO) == ["warcry.ally.heroes-count"]


@pytest.mark.rule("warcry.ally.eligible", "warcry.ally.max")
def test_allies_are_heroes_or_allies_of_the_same_alliance_and_at_most_two() -> None:
    ally = make("ally", "ally", faction="kin")
    assert broken(HERO, MAN, ally, ally) == []
    assert broken(HERO, MAN, ally, ally, ally) == ["warcry.ally.max"]
    assert broken(HERO, MAN, make("far", "hero", faction="foe")) == ["warcry.ally.eligible"]
    assert broken(HERO, MAN, make("own-ally", "ally")) == []


@pytest.mark.rule("warcry.thrall.eligible", "warcry.thrall.max")
def test_thralls_of_the_same_alliance_and_at_most_three() -> None:
    thrall = make("thrall", "thrall", faction="kin")
    assert broken(HERO, MAN, thrall, thrall, thrall) == []
    assert broken(HERO, MAN, thrall, thrall, thrall, thrall) == ["warcry.thrall.max"]
    assert broken(HERO, MAN, make("far", "thrall", faction="foe")) == ["warcry.thrall.eligible"]
    assert broken(HERO, MAN, make("any", "thrall", faction="chaos")) == []


@pytest.mark.rule("warcry.monster.eligible", "warcry.faction.grand-alliances")
def test_one_monster_of_the_alliance() -> None:
    beast = make("beast", "monster", faction="chaos")
    assert broken(HERO, MAN, beast) == []
    assert broken(HERO, MAN, beast, beast) == ["warcry.monster.eligible"]
    assert broken(HERO, MAN, make("far", "monster", faction="order")) == ["warcry.monster.eligible"]
    assert alliance_of("chaos") == "chaos"
    assert role_of(lib(), "own", beast) == "monster"


@pytest.mark.rule("warcry.faction.order", "warcry.faction.chaos")
def test_the_factions_of_order_and_chaos() -> None:
    assert len(FACTIONS["order"]) == 13
    assert len(FACTIONS["chaos"]) == 24
    assert all(alliance_of(name) == "order" for name in FACTIONS["order"])
    assert all(alliance_of(name) == "chaos" for name in FACTIONS["chaos"])


@pytest.mark.rule("warcry.faction.death", "warcry.faction.destruction")
def test_the_factions_of_death_and_destruction() -> None:
    assert len(FACTIONS["death"]) == 4
    assert len(FACTIONS["destruction"]) == 5
    assert all(alliance_of(name) == "death" for name in FACTIONS["death"])
    assert all(alliance_of(name) == "destruction" for name in FACTIONS["destruction"])
    assert alliance_of("cheesemongers") is None


@pytest.mark.rule("warcry.faction.cities")
def test_a_warband_of_the_cities_names_its_city() -> None:
    out = lib()
    city = Faction("town", {"zh": "城", "en": "town"}, "order", (), runemark="cities-of-sigmar")
    add_faction(out, city)
    band = [make("h", "hero", faction="town"), make("m", faction="town"), make("m", faction="town")]
    assert [r.rule for r in judge(out, "town", "", band)] == ["warcry.faction.cities"]
    assert judge(out, "town", CITIES[0], band) == []
    with pytest.raises(UmpireError, match="runemark"):
        add_faction(out, Faction("x", {"zh": "x", "en": "x"}, "chaos", (), runemark="cities-of-sigmar"))


def test_random_warbands_are_legal_and_use_guests() -> None:
    roles = set()
    for seed in range(60):
        roster = muster(Rng(seed))
        assert check(roster).legal, roster
        roles |= {role_of(library(), roster.faction, library().profiles[key]) for key in roster.fighters}
    assert "monster" in roles


def test_an_illegal_warband_is_refused_with_its_rules() -> None:
    with pytest.raises(UmpireError, match=r"warcry\.warband\.size"):
        umpire.battle("warcry", sides=[{"faction": "cinder-kin", "fighters": ["slag-chief"]}])
    assert warband.POINTS == 1000
