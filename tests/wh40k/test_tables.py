"""The book's tables: detachments at their edges, types of terrain, characteristics, what a unit costs."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from umpire.games.wh40k import content
from umpire.games.wh40k.detachments import TYPES
from umpire.games.wh40k.mustering import Muster, UnitEntry, equip, points_of, power_of, read_roster
from umpire.games.wh40k.terrain import TYPES as TERRAIN
from wh40k.builder import area, do, fire, gun, needs, rolls, row, scene, told, unit
from wh40k.test_attacks import volley
from wh40k.test_mustering import PATROL, part, roster, rules

BIG = {"size": "onslaught"}


def cost(*parts: dict[str, Any], warlord: str = "") -> int:
    """Command points that an army of the largest size has paid, its warlord's benefit taken off."""
    return 18 - Muster(read_roster(roster(*parts, **BIG, warlord=warlord))).command_points()[0]


@pytest.mark.rule("wh40k.detachment.battalion")
def test_a_battalion() -> None:
    rule = "wh40k.detachment.battalion"
    assert rule in rules(roster(part("battalion", "hq", "hq", "troops", "troops"), **BIG))
    full = ["hq", "hq", *["troops"] * 3]
    assert rule not in rules(roster(part("battalion", *full, *["heavy-support"] * 3), **BIG))
    assert rule in rules(roster(part("battalion", *full, *["heavy-support"] * 4), **BIG))
    assert (cost(part("battalion", *full)), cost(part("battalion", *full), warlord="0.0")) == (3, 0)


@pytest.mark.rule("wh40k.detachment.vanguard")
def test_a_vanguard() -> None:
    rule = "wh40k.detachment.vanguard"
    assert rule in rules(roster(part("vanguard", "hq", "elites", "elites"), **BIG))
    three = part("vanguard", "hq", *["elites"] * 3)
    assert rule not in rules(roster(three, **BIG))
    assert cost(three) == cost(three, warlord="0.0") == 3  # the warlord brings nothing


@pytest.mark.rule("wh40k.detachment.spearhead")
def test_a_spearhead() -> None:
    rule = "wh40k.detachment.spearhead"
    for count, wrong in ((2, True), (3, False), (6, False), (7, True)):
        given = roster(part("spearhead", "hq", *["heavy-support"] * count), **BIG)
        assert (rule in rules(given)) is wrong


@pytest.mark.rule("wh40k.detachment.super-heavy-auxiliary")
def test_a_super_heavy_auxiliary() -> None:
    rule = "wh40k.detachment.super-heavy-auxiliary"
    assert cost(part("super-heavy-auxiliary", "lord-of-war")) == 3  # Titanic, and yet not 6
    assert rule in rules(roster(PATROL, part("super-heavy-auxiliary", "lord-of-war", "lord-of-war"), **BIG))
    assert not TYPES["super-heavy-auxiliary"].abilities


@pytest.mark.rule("wh40k.detachment.auxiliary-support")
def test_an_auxiliary_support() -> None:
    rule = "wh40k.detachment.auxiliary-support"
    for units, wrong in (
        (["troops"], False),
        (["dedicated-transport"], False),
        (["troops", "dedicated-transport"], True),
    ):
        assert (rule in rules(roster(PATROL, part("auxiliary-support", *units), **BIG))) is wrong
    for role in ("lord-of-war", "fortification"):
        assert rules(roster(PATROL, part("auxiliary-support", role), **BIG))
    assert cost(part("auxiliary-support", "troops"), warlord="0.0") == 2


@pytest.mark.rule("wh40k.core.army-structure", "wh40k.unit.datasheet")
def test_models_in_units_units_in_detachments_detachments_in_the_army() -> None:
    assert "wh40k.core.army-structure" in rules(roster(PATROL, {"type": "outrider", "units": []}))
    assert rules(roster({"type": "patrol", "units": [{"sheet": "nobody"}]})) == ["wh40k.unit.datasheet"]
    assert not rules(roster(PATROL))


@pytest.mark.rule("wh40k.unit.points-example", "wh40k.unit.points-total", "wh40k.unit.points-final-wargear")
def test_what_the_books_own_example_costs() -> None:
    """Five models of 100 points, three more, eight exchanged rifles of a point, a launcher of 1, a sword of 4."""
    plain = content.datasheets()["ironvow-squad"]
    arms = {weapon.id: weapon for weapon in plain.weapons}

    def arm(key: str, points: int) -> Any:
        return msgspec.structs.replace(arms["vow-rifle"], id=key, points=points)

    rows = [
        msgspec.structs.replace(plain.rows[0], points=20, least=4, most=9, weapons=("rifle",)),
        msgspec.structs.replace(plain.rows[1], points=20, weapons=("rifle",)),
    ]
    choices = [
        {"id": "autos", "row": "trooper", "give": ["rifle"], "take": ["auto"]},
        {"id": "auto", "row": "sergeant", "give": ["rifle"], "take": ["auto"]},
        {"id": "launcher", "row": "trooper", "take": ["launcher"], "most": 1},
        {"id": "sword", "row": "sergeant", "take": ["blade"], "most": 1},
    ]
    sheet = msgspec.structs.replace(
        plain,
        rows=tuple(rows),
        weapons=(arm("rifle", 0), arm("auto", 1), arm("launcher", 1), arm("blade", 4)),
        choices=_choices(plain, choices),
        power=((6, 5), (10, 10)),
    )
    entry = UnitEntry(sheet.id, {"trooper": 7}, {"autos": 7, "auto": 1, "launcher": 1, "sword": 1})
    assert points_of(sheet, entry) == 173
    assert len(equip(sheet, entry, "a1")) == 8
    assert power_of(sheet, entry) == 10
    assert power_of(sheet, UnitEntry(sheet.id, {"trooper": 4})) == 5


def _choices(sheet: Any, given: list[dict[str, Any]]) -> Any:
    kind = type(sheet.choices[0])
    return tuple(msgspec.convert(choice, kind) for choice in given)


@pytest.mark.rule("wh40k.unit.characteristics", "wh40k.unit.random-characteristic")
def test_which_characteristic_is_for_what() -> None:
    grenade = gun(id="bomb", type="grenade", range=12)
    thrown = volley([4, 1], grenade, {"bs": 4, "ws": 2})
    assert needs(thrown, "hit") == [4]  # by Ballistic Skill, like every ranged weapon
    assert "wh40k.unit.characteristics" in told(thrown, "hits")[0].rules
    found = []
    for seed in (1, 2, 3):
        battle = scene(unit("a1", (10, 10), a="D6", w=9), unit("b1", (10, 11.2), w=9), phase="fight", seed=seed)
        for _ in range(12):
            if rolls(battle, "random-attacks") or battle.decision is None:
                break
            do(battle, battle.decision.suggest())
        found.append(rolls(battle, "random-attacks")[0])
    assert len(found) == 3  # rolled when it is needed, each time anew


@pytest.mark.rule("wh40k.terrain.type.ruins", "wh40k.terrain.type.industrial-structures")
def test_ruins_and_works() -> None:
    assert TERRAIN["ruins"].rule == "wh40k.terrain.type.ruins"
    assert set(TERRAIN["ruins"].traits) == {"scaleable", "breachable", "light-cover", "defensible", "obscuring"}
    assert TERRAIN["industrial-structures"].rule == "wh40k.terrain.type.industrial-structures"
    assert needs(across("industrial-structures", 3.0), "hit") == [5]  # it hides nobody, but makes it harder
    assert needs(across("industrial-structures", 2.9), "hit") == [4]


def across(kind: str, height: float) -> Any:
    """A shot over a feature."""
    return volley([1], None, None, None, terrain=[area(kind, 10, 15, 6, 2, height=height)])


@pytest.mark.rule("wh40k.terrain.type.craters", "wh40k.terrain.type.debris", "wh40k.terrain.type.barricades")
def test_what_helps_a_save_and_what_does_not() -> None:
    def saved(kind: str, x: float, y: float, depth: float) -> int:
        battle = scene(
            unit("a1", (10, 10), weapons=[gun(type="assault")]), unit("b1", *row(10, 20, 2), sv=4), phase="shooting",
            terrain=[area(kind, x, y, 8, depth)], dice=[6, 6, 6],
        )  # fmt: skip
        fire(do(battle, "a1"))
        return needs(battle, "save")[0]

    assert saved("craters", 10, 20, 4) == 3
    assert saved("debris", 10, 18, 1) == 4  # cover, without any effect
    assert saved("barricades", 10, 18, 1) == 3
    assert len(TERRAIN["barricades"].traits) == 6


@pytest.mark.rule("wh40k.terrain.type.ruined-walls", "wh40k.terrain.type.imperial-statuary")
def test_walls_and_statues() -> None:
    assert not {"light-cover", "heavy-cover"} & set(TERRAIN["ruined-walls"].traits)
    assert TERRAIN["ruined-walls"].rule == "wh40k.terrain.type.ruined-walls"
    from umpire.games.wh40k.morale import leadership

    for keyword, ld in (("ironvow", 8), ("biker", 7)):
        battle = scene(
            unit("a1", (10, 10), ld=7, keywords=["infantry", keyword]), unit("b1", (40, 28)),
            terrain=[area("statuary", 12, 10, 1, 1, keyword="ironvow")],
        )  # fmt: skip
        assert leadership(battle.state, battle.state.unit("a1")).total == ld
