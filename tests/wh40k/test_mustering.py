"""Army lists: sizes, detachments and their slots, Command points, factions, warlords, choices."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.files import Source
from umpire.games.wh40k import content, drafting, mustering
from umpire.games.wh40k.detachments import TYPES
from umpire.games.wh40k.mustering import (
    Muster,
    Roster,
    UnitEntry,
    army,
    check_roster,
    equip,
    points_of,
    power_of,
    read_roster,
)  # fmt: skip
from umpire.miniatures import books

CHEAP = {
    "hq": "cinder-colonel", "troops": "cinder-line", "elites": "cinder-surgeons", "fast-attack": "cinder-lancers",
    "heavy-support": "cinder-gun-crew", "flyer": "cinder-kestrel", "fortification": "cinder-pillbox",
    "lord-of-war": "cinder-landship", "dedicated-transport": "cinder-half-track",
}  # fmt: skip


def entry(sheet: str, **more: Any) -> dict[str, Any]:
    data = content.datasheets()[sheet]
    book = content.factions()[data.faction]
    chosen: dict[str, Any] = {"keyword": book.choices[0]} if data.selectable else {}
    if data.psychic is not None and data.psychic.knows:
        chosen["powers"] = [power.id for power in book.powers[: data.psychic.knows]]
    if data.pregame:
        chosen["pregame"] = data.pregame[0].id
    return {"sheet": sheet, **chosen, **more}


def part(kind: str, *sheets: str | dict) -> dict[str, Any]:
    return {"type": kind, "units": [entry(CHEAP.get(s, s)) if isinstance(s, str) else s for s in sheets]}


def roster(*parts: dict, size: str = "incursion", **more: Any) -> dict[str, Any]:
    return {
        "faction": "cinder", "size": size, "detachments": list(parts), "warlord": "0.0", "trait": "inspiring-leader",
        **more,
    }  # fmt: skip


def rules(given: dict) -> list[str]:
    return list(check_roster(given).rules)


PATROL = part("patrol", "hq", "troops")


@pytest.mark.rule("wh40k.army.battle-size", "wh40k.army.battle-size.caps")
def test_what_a_battle_size_allows() -> None:
    assert not rules(roster(PATROL))
    assert rules(roster(PATROL, size="skirmish")) == ["wh40k.army.battle-size"]
    two = roster(PATROL, part("outrider", "hq", *["fast-attack"] * 3), size="combat-patrol")
    assert "wh40k.army.battle-size" in rules(two)
    heavy = part("spearhead", "hq", *["cinder-battle-tank"] * 2, *["cinder-siege-tank"] * 2)
    assert "wh40k.army.battle-size.caps" in rules(roster(heavy, size="combat-patrol"))
    assert mustering.SIZES["strike-force"] == (2000, 200, 3, 12)


@pytest.mark.rule("wh40k.army.battle-size.mission")
def test_both_armies_are_of_the_missions_size() -> None:
    import umpire
    from umpire.errors import UmpireError

    with pytest.raises(UmpireError):
        umpire.battle("wh40k", sides=[roster(PATROL, size="combat-patrol"), None], scenario="hold-the-yard", seed=1)


@pytest.mark.rule("wh40k.army.cp.starting", "wh40k.detachment.cost-and-benefit")
def test_command_points_left_for_the_battle() -> None:
    def left(*parts: dict, size: str = "strike-force", warlord: str = "0.0") -> int:
        return Muster(read_roster(roster(*parts, size=size, warlord=warlord))).command_points()[0]

    battalion = part("battalion", *["hq"] * 2, *["troops"] * 3)
    spearhead = part("spearhead", "hq", *["heavy-support"] * 3)
    assert left(battalion, spearhead) == 9
    assert left(battalion, battalion) == 9
    assert left(battalion, spearhead, warlord="1.0") == 6
    poor = roster(part("spearhead", "hq", *["heavy-support"] * 3), part("super-heavy-auxiliary", "lord-of-war"))
    assert Muster(read_roster({**poor, "size": "incursion"})).command_points()[0] == 0
    brigade = part("brigade", *["hq"] * 3)
    assert "wh40k.detachment.brigade" in rules(roster(brigade, size="combat-patrol"))


@pytest.mark.rule("wh40k.detachment.membership", "wh40k.detachment.types-closed-list", "wh40k.core.army-structure")
def test_every_unit_is_in_a_detachment_of_a_known_type() -> None:
    assert len(TYPES) == 11
    assert "wh40k.detachment.membership" in rules(roster(warlord=""))
    assert "wh40k.detachment.types-closed-list" in rules(roster(part("horde", "hq")))
    _, units = army(read_roster(roster(PATROL)), 0)
    assert [unit.detachment for unit in units] == [0, 0]


@pytest.mark.rule("wh40k.detachment.slots", "wh40k.detachment.roles")
def test_a_slot_takes_its_role_only() -> None:
    assert "wh40k.detachment.slots" in rules(roster(part("patrol", "hq", "troops", "lord-of-war")))
    assert "wh40k.detachment.slots" in rules(roster(part("super-heavy", "hq", *["lord-of-war"] * 3), size="onslaught"))


@pytest.mark.rule("wh40k.detachment.slots.compulsory-optional", "wh40k.detachment.patrol")
def test_at_least_and_at_most() -> None:
    assert "wh40k.detachment.patrol" in rules(roster(part("patrol", "hq")))
    for count in (1, 2, 3):
        assert not rules(roster(part("patrol", "hq", *["troops"] * count)))
    assert "wh40k.detachment.patrol" in rules(roster(part("patrol", "hq", *["troops"] * 4)))
    many = check_roster(roster(part("patrol", "hq", "troops", *["elites"] * 3))).reasons
    slots = next(reason for reason in many if reason.rule == "wh40k.detachment.patrol")
    assert (slots.facts["count"], slots.facts["least"], slots.facts["most"]) == (3, 0, 2)


def table(kind: str, good: list[str], bad: list[str]) -> Any:
    return pytest.param(kind, good, bad, marks=pytest.mark.rule(f"wh40k.detachment.{kind}"), id=kind)


FULL = [*["hq"] * 3, *["troops"] * 6, *["elites"] * 3, *["fast-attack"] * 3, *["heavy-support"] * 3]
TABLES = [
    table("battalion", ["hq"] * 2 + ["troops"] * 3, ["hq"] * 2 + ["troops"] * 2),
    table("brigade", FULL, ["hq"] * 3),
    table("super-heavy", ["lord-of-war"] * 3, ["lord-of-war"] * 2),
    table("vanguard", ["hq"] + ["elites"] * 3, ["hq"] + ["elites"] * 2),
    table("outrider", ["hq"] + ["fast-attack"] * 3, ["hq"] + ["fast-attack"] * 2),
    table("spearhead", ["hq"] + ["heavy-support"] * 3, ["hq"] + ["heavy-support"] * 7),
    table("super-heavy-auxiliary", ["lord-of-war"], ["lord-of-war"] * 2),
    table("auxiliary-support", ["troops"], ["troops", "troops"]),
    table("fortification-network", ["fortification"], ["fortification"] * 4),
]


@pytest.mark.parametrize(("kind", "good", "bad"), TABLES)
def test_the_tables(kind: str, good: list[str], bad: list[str]) -> None:
    rule = f"wh40k.detachment.{kind}"
    assert rule not in rules(roster(PATROL, part(kind, *good), size="onslaught"))
    assert rule in rules(roster(PATROL, part(kind, *bad), size="onslaught"))


@pytest.mark.rule("wh40k.detachment.super-heavy", "wh40k.detachment.outrider", "wh40k.detachment.fortification-network")
def test_what_detachments_cost() -> None:
    def cost(*parts: dict) -> int:
        return 18 - Muster(read_roster(roster(*parts, size="onslaught", warlord=""))).command_points()[0]

    assert cost(part("super-heavy", *["lord-of-war"] * 3)) == 6
    assert cost(part("super-heavy-auxiliary", "lord-of-war")) == 3
    assert cost(part("outrider", "hq", *["fast-attack"] * 3)) == 2
    assert cost(part("fortification-network", "fortification")) == 1
    home = Muster(read_roster(roster(PATROL, part("fortification-network", "fortification"))))
    assert home.command_points()[0] == 6
    foreign = roster(PATROL, part("fortification-network", entry("ironvow-vow-bastion")))
    assert Muster(read_roster(foreign)).command_points()[0] == 5


@pytest.mark.rule("wh40k.terrain.term.fortification", "wh40k.detachment.fortification-network.no-warlord")
def test_fortifications_belong_in_their_network() -> None:
    assert "wh40k.terrain.term.fortification" in rules(roster(part("patrol", "hq", "troops", "fortification")))
    led = roster(PATROL, part("fortification-network", "fortification"), warlord="1.0", trait="")
    assert "wh40k.detachment.fortification-network.no-warlord" in rules(led)


@pytest.mark.rule("wh40k.detachment.dedicated-transport")
def test_one_transport_for_each_infantry_unit() -> None:
    good = part("patrol", "hq", "troops", *["dedicated-transport"] * 2)
    assert not rules(roster(good))
    assert "wh40k.detachment.dedicated-transport" in rules(
        roster(part("patrol", "hq", "troops", *["dedicated-transport"] * 3))
    )
    assert "wh40k.detachment.dedicated-transport" in rules(
        roster(PATROL, part("super-heavy-auxiliary", "lord-of-war", "dedicated-transport"))
    )


SUPREME = part("supreme-command", "cinder-regent")


@pytest.mark.rule("wh40k.detachment.supreme-command", "wh40k.detachment.supreme-command.one-per-army")
def test_a_supreme_commander_stands_alone() -> None:
    assert not rules(roster(SUPREME, PATROL))
    assert "wh40k.detachment.supreme-command.one-per-army" in rules(roster(SUPREME, SUPREME))
    two = part("supreme-command", "cinder-regent", "cinder-regent")
    assert "wh40k.detachment.supreme-command" in rules(roster(two, PATROL))


@pytest.mark.rule("wh40k.detachment.supreme-command.who", "wh40k.detachment.supreme-command.warlord")
def test_a_supreme_commander_leads() -> None:
    assert "wh40k.detachment.supreme-command.who" in rules(roster(part("supreme-command", "hq"), PATROL))
    assert "wh40k.detachment.supreme-command.warlord" in rules(roster(SUPREME, PATROL, warlord="1.0"))


@pytest.mark.rule("wh40k.detachment.supreme-command.benefit")
def test_one_benefit_of_one_detachment() -> None:
    def left(*parts: dict) -> int:
        return Muster(read_roster(roster(SUPREME, *parts, size="strike-force"))).command_points()[0]

    battalion = part("battalion", *["hq"] * 2, *["troops"] * 3)
    assert left(PATROL) == 12
    assert left(battalion, PATROL) == 10
    assert left(part("outrider", "hq", *["fast-attack"] * 3)) == 10


@pytest.mark.rule("wh40k.army.faction.detachment", "wh40k.army.faction.allies", "wh40k.army.faction.unit")
def test_a_detachment_is_of_one_faction_and_allies_stand_apart() -> None:
    mixed = part("patrol", "hq", entry("ironvow-squad"))
    assert "wh40k.army.faction.detachment" in rules(roster(mixed))
    allied = roster(PATROL, part("auxiliary-support", entry("ironvow-squad")))
    assert not rules(allied)


@pytest.mark.rule("wh40k.army.faction.army", "wh40k.army.faction.unaligned")
def test_the_army_shares_a_broad_keyword(monkeypatch: pytest.MonkeyPatch) -> None:
    import msgspec

    strangers = roster(PATROL, part("auxiliary-support", entry("scour-warriors")))
    assert "wh40k.army.faction.army" in rules(strangers)
    sheets = dict(content.datasheets())
    sheets["scour-spore-tower"] = msgspec.structs.replace(sheets["scour-spore-tower"], factions=("unaligned",))
    monkeypatch.setattr(content, "datasheets", lambda: sheets)
    assert not rules(roster(PATROL, part("fortification-network", entry("scour-spore-tower"))))


@pytest.mark.rule("wh40k.army.muster.datasheet-limit", "wh40k.army.muster.datasheet-limit.exempt")
def test_how_many_of_one_datasheet() -> None:
    rule = "wh40k.army.muster.datasheet-limit"
    three = part("outrider", "hq", *["fast-attack"] * 3)
    assert rule in rules(roster(three))
    assert rule not in rules(roster(three, size="strike-force"))
    assert rule not in rules(roster(part("battalion", "hq", "cinder-warden", *["troops"] * 6), size="strike-force"))


@pytest.mark.rule("wh40k.army.muster.datasheet-limit.leman-russ", "wh40k.army.muster.datasheet-limit.daemon-princes")
def test_datasheets_that_count_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    import msgspec

    tanks = part("spearhead", "hq", "cinder-battle-tank", "cinder-battle-tank", "cinder-siege-tank", "heavy-support")
    assert "wh40k.army.muster.datasheet-limit.leman-russ" in rules(roster(tanks))
    sheets = dict(content.datasheets())
    for key in ("ironvow-marshal", "cinder-colonel"):
        sheets[key] = msgspec.structs.replace(sheets[key], group="princes")
    monkeypatch.setattr(content, "datasheets", lambda: sheets)
    princes = roster(part("patrol", "hq", "hq", "troops"), part("auxiliary-support", entry("ironvow-marshal")))
    assert "wh40k.army.muster.datasheet-limit.daemon-princes" in rules(princes)


@pytest.mark.rule("wh40k.army.muster.keywords", "wh40k.unit.keyword-selectable")
def test_bracketed_keywords_must_be_chosen() -> None:
    bare = part("patrol", "hq", {"sheet": "cinder-line"})
    assert "wh40k.army.muster.keywords" in rules(roster(bare))
    _, units = army(read_roster(roster(PATROL)), 0)
    assert units[1].has("first-line")


@pytest.mark.rule("wh40k.army.muster.psychic-powers")
def test_powers_are_chosen_or_left_to_the_dice() -> None:
    def powers(*known: str) -> list[str]:
        return rules(roster(part("patrol", entry("cinder-seer", powers=list(known)), "troops")))

    assert not powers("veil-of-soot", "ember-gaze")
    assert not powers("random", "random")
    for wrong in (("veil-of-soot",), ("veil-of-soot", "veil-of-soot"), ("veil-of-soot", "fireball")):
        assert powers(*wrong) == ["wh40k.army.muster.psychic-powers"]


@pytest.mark.rule("wh40k.army.muster.relics", "wh40k.army.muster.upgrade-stratagems")
def test_relics_and_upgrades_are_written_down_and_paid() -> None:
    def left(**more: Any) -> tuple[list[str], int]:
        given = roster(
            part("patrol", entry("cinder-colonel", **more), entry("cinder-warden", relic="seven-lives"), "troops")
        )
        return rules(given), Muster(read_roster(given)).command_points()[0]

    assert left() == ([], 6)
    assert left(relic="tower-glass") == ([], 5)
    assert left(upgrade="drilled") == ([], 5)
    assert "wh40k.army.muster.relics" in left(relic="seven-lives")[0]
    assert "wh40k.army.muster.relics" in left(relic="excalibur")[0]
    assert "wh40k.army.muster.upgrade-stratagems" in left(upgrade="wings")[0]
    trooper = part("patrol", "hq", entry("cinder-line", relic="seven-lives"))
    assert "wh40k.army.muster.relics" in rules(roster(trooper))


@pytest.mark.rule("wh40k.army.muster.roster", "wh40k.army.muster.steps")
def test_a_roster_says_everything() -> None:
    for wrong in (
        {"models": {"soldier": 40}},
        {"models": {"giant": 1}},
        {"options": {"thermal": 5}},
        {"options": {"x": 1}},
    ):
        given = roster(part("patrol", "hq", entry("cinder-line", **wrong)))
        assert "wh40k.army.muster.roster" in rules(given)
    side, _ = army(read_roster(roster(PATROL)), 0)
    assert side.cp == 6


@pytest.mark.rule("wh40k.warlord.select", "wh40k.warlord.trait")
def test_one_warlord_and_a_trait_for_a_character() -> None:
    assert "wh40k.warlord.select" in rules(roster(PATROL, warlord=""))
    assert "wh40k.warlord.select" in rules(roster(PATROL, warlord="3.0"))
    assert "wh40k.warlord.trait" in rules(roster(PATROL, trait=""))
    assert not rules(roster(PATROL, trait="random"))
    assert "wh40k.warlord.trait" in rules(roster(PATROL, warlord="0.1"))
    assert not rules(roster(PATROL, warlord="0.1", trait=""))


@pytest.mark.rule("wh40k.detachment.abilities", "wh40k.detachment.abilities.excluded")
def test_who_has_the_detachments_ability() -> None:
    given = roster(PATROL, part("auxiliary-support", "troops"))
    _, units = army(read_roster(given), 0)
    assert ["massed-ranks" in [g.id for g in unit.gifts] for unit in units] == [True, True, False]
    mixed = roster(part("patrol", "hq", entry("ironvow-squad")))
    _, units = army(read_roster(mixed), 0)
    assert all("massed-ranks" not in [g.id for g in unit.gifts] for unit in units)


@pytest.mark.rule("wh40k.unit.points-total", "wh40k.unit.points-final-wargear", "wh40k.unit.points-example")
def test_points_are_models_and_what_they_end_up_with() -> None:
    sheet = content.datasheets()["ironvow-squad"]
    plain = UnitEntry("ironvow-squad", {"trooper": 7})
    assert points_of(sheet, plain) == 8 * 18
    tank = content.datasheets()["ironvow-bastion-tank"]  # gives a cannon of 20 points back for a battery of 15
    assert points_of(tank, UnitEntry(tank.id, {}, {"storm": 1})) == points_of(tank, UnitEntry(tank.id)) - 5
    armed = UnitEntry("ironvow-squad", {"trooper": 7}, {"carbines": 6, "sun": 1, "blade": 1})
    assert points_of(sheet, armed) == 8 * 18 + 6 + 8 + 4  # rifles that were given back are not paid for
    assert sum(len(m.weapons) for m in equip(sheet, armed, "a1")) == 8 * 3 + 1
    assert power_of(sheet, armed) == 10


@pytest.mark.rule("wh40k.unit.power-rating", "wh40k.unit.unit-champion")
def test_power_is_of_the_size_and_champions_cost_no_more() -> None:
    sheet = content.datasheets()["ironvow-squad"]
    assert power_of(sheet, UnitEntry("ironvow-squad", {"trooper": 5})) == 5
    assert power_of(sheet, UnitEntry("ironvow-squad", {"trooper": 5}, {"carbines": 4, "sun": 1})) == 5
    assert points_of(sheet, UnitEntry("ironvow-squad", {"trooper": 4})) == 5 * 18


@pytest.mark.rule("wh40k.army.muster.random", "wh40k.army.muster.pregame-abilities")
def test_random_choices_are_rolled_before_the_battle() -> None:
    import umpire

    given = roster(part("patrol", entry("cinder-seer", powers=["random", "random"]), "troops"), trait="random")
    battle = umpire.battle("wh40k", sides=[given, "ironvow"], seed=5)
    drawn = [e for e in battle.events if e.kind == "drawn" and e.facts["unit"] == "a1"]
    assert len(drawn) == 3
    unit = battle.state.unit("a1")
    assert len(set(unit.powers)) == 2
    assert "random" not in unit.powers
    sheet = content.datasheets()["veil-speaker"]
    assert sheet.pregame
    wrong = roster(part("patrol", entry("veil-speaker", pregame=""), entry("veil-wardens")), faction="veil")
    assert "wh40k.army.muster.pregame-abilities" in rules(wrong)


def test_random_rosters_are_legal() -> None:
    for seed in range(6):
        for size in ("combat-patrol", "incursion", "strike-force"):
            found = drafting.muster(Rng(seed), size)
            assert isinstance(found, Roster)
            assert check_roster(found).legal


@pytest.mark.rule("wh40k.detachment.added-units")
def test_units_added_in_battle_belong_to_no_detachment() -> None:
    from wh40k.builder import scene, unit

    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 20)))
    assert battle.state.unit("a1").detachment == -1
    assert battle.state.unit("a1").gifts == ()


NAMED = {
    "abilities.orders": {"does": [{"name": "reroll", "what": "hits", "which": "ones"}]},
    "powers.{}": {"does": [{"name": "modify", "what": "hurt", "value": 1}]},
    "stratagems.{}": {"does": [{"name": "modifie", "what": "hit", "value": 1}]},
    "relics.{}": {"does": [{"name": "modify", "what": "hit", "value": 1, "when": "sometimes"}]},
    "sheets.cinder-line.choices.{}": {"row": "nobody", "give": ["nothing"]},
}  # fmt: skip
"""Names of an army book that nothing answers to, by where they stand; `{}` is the first there is."""


@pytest.mark.parametrize(("where", "field"), [(where, field) for where in NAMED for field in NAMED[where]])
def test_what_an_army_book_names_is_there(where: str, field: str) -> None:
    data = copy.deepcopy(books.content("wh40k", "cinder.yaml").data)
    content.read_faction(Source("cinder", data, None))
    at, names = data, []
    for part in where.split("."):
        if isinstance(at, list):
            at = next(one for one in at if part in ("{}", one["id"]))
            names.append(at["id"])
        else:
            at = at[part]
            names.append(part)
    at[field] = NAMED[where][field]
    with pytest.raises(UmpireError) as told:
        content.read_faction(Source("cinder", data, None))
    assert f"field {'.'.join(names)}.{field}" in str(told.value)
