"""Army composition, command models, terrain tables, content."""

from __future__ import annotations

import msgspec
import pytest

import umpire
from aos.builder import block, scene, unit
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.games.aos import content
from umpire.games.aos.composition import Entry, Regiment, Roster, army, check_roster, cost, make_models, muster, total
from umpire.games.aos.describe import describe
from umpire.games.aos.primitives import check_ability
from umpire.games.aos.profiles import AbilityData, amount
from umpire.games.aos.terrain import TYPES, size_of
from umpire.miniatures import books


def roster(*regiments: Regiment, **more: object) -> Roster:
    facts = {"faction": "bramblecourt", "formation": "summer-host", "points": 1000, **more}
    return Roster(regiments=list(regiments), **facts)  # type: ignore[arg-type]


def led(*units: str, leader: str = "thorn-regent", reinforced: bool = False) -> Regiment:
    return Regiment(Entry(leader), [Entry(key, reinforced) for key in units])


def broken(given: Roster) -> list[str]:
    return list(check_roster(given).rules)


@pytest.mark.rule("aos.core.army-points")
def test_points_and_no_more_than_half_on_one_unit() -> None:
    assert broken(roster(led("briar-guard", "owl-archers"))) == []
    assert "aos.core.army-points" in broken(
        roster(led("walking-grove", "walking-grove", "walking-grove", "walking-grove"))
    )
    big = roster(led("walking-grove"), points=500)
    assert [r.facts["most"] for r in check_roster(big).reasons] == [250]  # 260 points
    assert cost(Entry("walking-grove")) == 260


@pytest.mark.rule("aos.core.army-underspend")
def test_fifty_points_below_the_limit() -> None:
    lean = roster(led("briar-guard"))  # 270 points
    for limit, gives in ((320, True), (319, False)):
        lean.points = limit
        assert army(lean, 0, 0)[0].underspent is gives
    assert total(lean) == 270


@pytest.mark.rule("aos.core.army-faction")
def test_one_faction_and_one_formation() -> None:
    assert broken(roster(led("pilgrims"))) == ["aos.core.army-faction"]
    assert broken(roster(led(), formation="")) == ["aos.core.army-faction"]
    assert broken(roster(led(), formation="wild-charge")) == ["aos.core.army-faction"]
    assert broken(roster(led(), faction="nobody")) == ["aos.core.army-faction"]
    assert broken(roster(led(), renown="grey-wayfarers")) == []


@pytest.mark.rule("aos.core.army-regiments", "aos.deploy.regiment-definition")
def test_regiments() -> None:
    assert (
        broken(roster(led("briar-guard", "briar-guard", "briar-guard", "briar-guard"))) == []
    )  # the general's takes 4
    second = led("briar-guard", "briar-guard", "briar-guard", "briar-guard", leader="moon-weaver")
    assert broken(roster(led(), second)) == ["aos.core.army-regiments"]
    assert broken(roster(led(), second, general=1)) == []  # it is the general's now
    assert broken(roster(*[led() for _ in range(6)])) == ["aos.core.army-regiments"]
    assert broken(roster(led("stag-lancers", leader="moon-weaver"))) == ["aos.core.army-regiments"]
    assert broken(roster(led(leader="briar-guard"))) == ["aos.core.army-regiments"]
    assert broken(roster(led("moon-weaver"))) == []  # it may join another Hero's regiment
    assert broken(roster(led("sap-speaker"))) == ["aos.core.army-regiments"]
    side, units, regiments = army(roster(led("briar-guard"), auxiliaries=[Entry("owl-archers")]), 0, 0)
    assert [u.regiment for u in units] == [0, 0, -1]
    assert regiments == [["a1", "a2"]]
    assert side.general == "a1"


@pytest.mark.rule("aos.core.army-general")
def test_a_warmaster_must_be_the_general() -> None:
    tide = {"faction": "tidewardens", "formation": "tide-phalanx"}
    marshal, oracle = led(leader="tide-marshal"), led(leader="wave-oracle")
    assert broken(roster(marshal, oracle, **tide)) == []
    assert broken(roster(oracle, marshal, **tide)) == ["aos.core.army-general"]
    assert broken(roster(oracle, marshal, general=1, **tide)) == []
    assert broken(roster(oracle, general=3, **tide)) == ["aos.core.army-general"]
    assert broken(roster(led(), renown="grey-wayfarers")) == []  # its Warmaster neither is nor must be the general


@pytest.mark.rule("aos.core.army-reinforced")
def test_reinforced_units(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cost(Entry("briar-guard", True)) == 220
    assert broken(roster(led("briar-guard", reinforced=True))) == []
    assert broken(roster(led("walking-grove", reinforced=True), points=2000)) == ["aos.core.army-reinforced"]
    assert broken(roster(led("briar-guard", reinforced=True))) == []
    band = msgspec.structs.replace(content.warscrolls()["briar-guard"], keywords=("infantry", "unique"))
    monkeypatch.setitem(content.warscrolls(), "briar-guard", band)
    assert broken(roster(led("briar-guard", reinforced=True))) == ["aos.core.army-reinforced"]
    monkeypatch.undo()
    unit_of_20 = army(roster(led("briar-guard", reinforced=True)), 0, 0)[1][1]
    assert len(unit_of_20.models) == 20


@pytest.mark.rule("aos.core.army-unique")
def test_unique_units() -> None:
    tide = {"faction": "tidewardens", "formation": "tide-phalanx"}
    one = led(leader="sea-warden")
    assert broken(roster(one, **tide)) == []
    assert broken(roster(one, led(leader="sea-warden"), **tide)) == ["aos.core.army-unique"]
    decked = Regiment(Entry("sea-warden", enhancements=["shell-horn"]))
    assert broken(roster(decked, **tide)) == ["aos.core.army-unique"]


@pytest.mark.rule("aos.core.army-auxiliary")
def test_auxiliary_units() -> None:
    assert broken(roster(led(), auxiliaries=[Entry("briar-guard")] * 3)) == []
    assert broken(roster(led(), auxiliaries=[Entry("moon-weaver")])) == []
    assert broken(roster(led(), auxiliaries=[Entry("sap-speaker")])) == ["aos.core.army-auxiliary"]


@pytest.mark.rule("aos.core.army-enhancements")
def test_enhancements() -> None:
    def with_enhancements(*keys: str) -> Roster:
        return roster(
            Regiment(Entry("thorn-regent", enhancements=list(keys)), [Entry("briar-guard")]), spells=True, terrain=True
        )

    assert broken(with_enhancements("acorn-of-ages", "fey-swiftness")) == []
    assert broken(with_enhancements("acorn-of-ages", "lashing-crown")) == ["aos.core.army-enhancements"]
    assert broken(with_enhancements("soot-cloak")) == ["aos.core.army-enhancements"]
    assert broken(roster(Regiment(Entry("thorn-regent"), [Entry("briar-guard", enhancements=["acorn-of-ages"])]))) == [
        "aos.core.army-enhancements"
    ]
    assert broken(roster(led(), renown="nobody")) == ["aos.core.army-enhancements"]


@pytest.mark.rule("aos.core.command-models")
def test_command_models() -> None:
    guard = content.warscrolls()["briar-guard"]
    models = make_models("a1", guard, 10)
    assert [m.role for m in models].count("musician") == 2  # one for each 5 models
    assert [m.role for m in models].count("champion") == 1
    assert [m.role for m in models].count("standard") == 10 // guard.standard
    assert [m.role for m in make_models("a1", guard, 20)].count("standard") == 20 // guard.standard
    assert [m.role for m in make_models("a1", guard, guard.standard - 1)].count("standard") == 0
    assert [m.role for m in make_models("a1", guard, 20)].count("champion") == 1


@pytest.mark.rule("aos.core.terrain-sizes")
def test_terrain_sizes() -> None:
    def size(width: float, depth: float) -> str:
        return size_of(
            scene(unit("a1", (2, 2)), unit("b1", (40, 28)), terrain=[block(20, 15, width, depth, 1)]).state.terrain[0]
        )

    assert [size(7, 7), size(8, 5), size(12, 7), size(8, 8), size(13, 2)] == [
        "small",
        "medium",
        "medium",
        "large",
        "large",
    ]
    for facing in (0, 30, 45, 90):
        hill = {**block(20, 15, 9, 5, 1), "facing": facing}
        assert size_of(scene(unit("a1", (2, 2)), unit("b1", (40, 28)), terrain=[hill]).state.terrain[0]) == "medium"


@pytest.mark.rule("aos.core.terrain-types")
def test_terrain_types() -> None:
    assert TYPES["obstacle"] == ("cover", "unstable")
    assert TYPES["obscuring"] == ("cover", "obscuring", "unstable")
    assert TYPES["area"] == ("cover",)
    assert TYPES["place-of-power"] == ("cover", "place-of-power", "unstable")
    hill = scene(unit("a1", (20, 15)), unit("b1", (40, 28)), terrain=[block(20, 15, 6, 6, 3, type="area")])
    assert hill.state.unit("a1").models[0].z == 3  # a hill may be stood on at any height


def test_random_armies_are_legal_and_use_their_points() -> None:
    for seed in range(40):
        points = (1000, 2000)[seed % 2]
        found = muster(Rng(seed), points)
        assert check_roster(found)
        assert points * 0.85 <= total(found) <= points
        assert check_roster(msgspec.to_builtins(found))


def test_every_faction_has_all_kinds_of_warscrolls() -> None:
    assert len(content.factions()) >= 4
    for book in content.factions().values():
        kinds = {k for s in book.warscrolls for k in (s.kind, *s.keywords)}
        assert {
            "hero",
            "wizard",
            "priest",
            "infantry",
            "cavalry",
            "monster",
            "war machine",
            "manifestation",
            "terrain",
        } <= kinds
        assert len(book.warscrolls) >= 8
        assert book.formations
        assert book.spells is not None
        assert book.prayers is not None
    weapons = {a for s in content.warscrolls().values() for w in s.weapons for a in w.abilities}
    assert set(content.WEAPON_ABILITIES) <= weapons
    assert len(content.battleplans()) >= 6


def test_names_that_nothing_answers_to_are_errors_that_say_where() -> None:
    data = msgspec.convert({"id": "x", "name": {}, "timing": "your hero", "does": [{"do": "explode"}]}, AbilityData)
    with pytest.raises(UmpireError, match="explode") as caught:
        check_ability(data, "warscrolls.y")
    assert caught.value.where == "warscrolls.y.does.do"
    book = books.content("aos", "palehost.yaml").data
    book["warscrolls"][0]["weapons"][0]["abilities"] = ["sharp"]
    with pytest.raises(UmpireError, match="sharp"):
        content.check_faction(msgspec.convert(book, content.Faction, strict=False))
    with pytest.raises(UmpireError, match="no number"):
        amount("many")
    with pytest.raises(UmpireError, match="not legal"):
        umpire.battle("aos", sides=[msgspec.to_builtins(roster(led("pilgrims")))])


def test_every_ability_can_be_said_in_both_languages() -> None:
    for book in content.factions().values():
        for where, data in content.abilities_of(book):
            words = describe(data)
            assert words["zh"].endswith("。"), where
            assert words["en"].endswith("."), where
    marshal = content.warscrolls()["tide-marshal"].abilities[0]
    assert describe(marshal)["en"] == (
        "Any combat phase, once per turn: Pick up to 2 friendly units within 12 inches. "
        "Roll a die for each: on 3+, +1 to save rolls until the end of the phase."
    )


@pytest.mark.parametrize(
    ("position", "what"),
    [
        ({"units": [{"id": "a1", "side": 2, "models": [[1, 1]]}]}, "units[0].side"),
        ({"units": [{"id": "a1", "side": 0, "models": [[1]]}]}, "units[0].models"),
        ({"units": [{"id": "a1", "side": 0}]}, "units[0].models"),
        ({"units": [{"id": "a1", "side": 0, "models": [[1, 1]], "warscroll": "nobody"}]}, "units[0].warscroll"),
        ({"units": [], "phase": "lunch"}, "phase"),
        ({"units": [], "battleplan": "none"}, "battleplan"),
        ({"units": [], "terrain": [{"x": 1, "y": 1, "points": [[0, 0]]}]}, "terrain"),
        ({"units": [], "sides": [{"tactic": "sleep"}]}, "sides[0].tactic"),
    ],
)
def test_bad_scenes_say_what_and_where(position: dict[str, object], what: str) -> None:
    with pytest.raises(UmpireError) as caught:
        umpire.scene({"game": "aos", "position": position})
    assert what in str(caught.value)
    assert caught.value.line("zh") != caught.value.line("en")
