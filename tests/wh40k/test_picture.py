"""What the table shows: abilities, powers and stratagems in words, sight from model to model, who would see a unit."""

from __future__ import annotations

import re
from typing import Any

import pytest

from umpire.engine.decisions import Stretch
from umpire.games.wh40k import content, describe, sight
from umpire.games.wh40k.picture import card, picture, pieces
from umpire.games.wh40k.profiles import Does
from umpire.text import LANGUAGES, Text, both, catalogue, say
from wh40k.builder import ability, area, options, scene, solid, unit

RAW = re.compile(r"\b(card|number|keyword|while|moment|until|phase|value|weapon)\.[a-z]|[{}]")


def raw(says: Any) -> bool:
    return any(RAW.search(text) for text in both(says, "wh40k").values())


def test_whatever_a_faction_brings_is_told_in_words() -> None:
    for book in content.factions().values():
        told = [describe.ability(entry) for entry in (*book.abilities, *book.traits, *book.relics, *book.upgrades)]
        told += [describe.power(entry) for entry in book.powers]
        told += [describe.stratagem(entry) for entry in book.stratagems]
        assert not [says for says in told if raw(says) or set(says) != set(LANGUAGES)]
    for sheet in content.datasheets().values():
        lines = describe.sheet(sheet, sheet.rows)
        assert not [line for line in lines if raw(line["name"]) or raw(line["text"])]
        words = [*sheet.keywords, *(word for row in sheet.rows for word in row.keywords)]
        assert not [word for word in words if f"keyword.{word}" not in catalogue("wh40k")]


@pytest.mark.parametrize(
    ("does", "says"),
    [
        (Does("modify", what="t", value=1), "+1 to Toughness"),
        (Does("modify", what="hit", value=1, attacks="ranged", when="stationary"),
         "+1 to hit rolls (ranged attacks) while it Remained Stationary"),
        (Does("burden", what="hit", value=-1), "attacks that target it: -1 to hit rolls"),
        (Does("burden", what="save", value=-1), "enemies that it attacks: -1 to saving throws"),
        (Does("reroll", what="wound", which="failures", against="monster"),
         "re-roll failed wound rolls (against Monster)"),
        (Does("mortal", what="near-enemies", value=4, when="end-charge"),
         "at the end of its Charge phase: roll a die for each enemy unit nearby: on 4+ 1 mortal wound"),
        (Does("heal", amount="D3", when="command"), "in its Command phase: it regains D3 lost wounds"),
        (Does("wound-limit", what="phase", value=3), "it loses at most 3 wounds a phase"),
    ],
)  # fmt: skip
def test_a_special_rule_in_words(does: Does, says: str) -> None:
    assert say(describe.part(does), "en", "wh40k") == says


def test_a_card_tells_what_abilities_do() -> None:
    battle = scene(
        unit("a1", (10, 10), abilities=[{**ability("modify", what="ld", value=1), "range": 6}]), unit("b1", (10, 20))
    )
    (line,) = card(battle.state, battle.state.unit("a1")).rules
    assert line["text"]["en"] == "Aura: friendly units within 6 inches: +1 to Leadership."
    assert "领导+1" in line["text"]["zh"]


def test_the_rule_of_a_weapon_names_its_number() -> None:
    from umpire.games.wh40k.picture import weapon_rule

    assert say(weapon_rule("poison-4"), "en", "wh40k") == "wounds on 4+"
    assert weapon_rule("blast") == Text("weapon.blast", {"n": ""})


def seen(battle: Any, a: str = "a1.1", b: str = "b1.1") -> Any:
    found = {piece.id: piece for piece in picture(battle.state).pieces}
    return sight.told(battle.state, found[a], found[b])


def test_sight_is_told_by_the_games_own_rules() -> None:
    models = (unit("a1", (10, 5), (12, 5)), unit("b1", (10, 20)))
    assert seen(scene(*models)).clear
    assert seen(scene(*models), "a1.1", "a1.2") is None
    walled = seen(scene(*models, terrain=[solid("ruined-walls", 10, 12, 12, 1, 6.0)]))
    assert not walled.clear
    assert walled.rules == ("wh40k.shoot.true-line-of-sight",)
    veiled = seen(scene(*models, terrain=[area("woods", 10, 12, 12, 2, traits=["obscuring"], height=6.0)]))
    assert not veiled.clear
    assert veiled.rules == ("wh40k.terrain.trait.obscuring",)
    covered = seen(scene(*models, terrain=[area("craters", 10, 20, 6, 6, traits=["light-cover"])]))
    assert covered.clear
    assert covered.cover
    assert covered.rules[1:] == ("wh40k.terrain.trait.light-cover",)


def test_who_would_see_a_unit_where_it_ends() -> None:
    wall = solid("ruined-walls", 10, 12, 8, 1, 6.0)
    battle = scene(unit("a1", (10, 5)), unit("b1", (10, 20)), unit("b2", (30, 8)), terrain=[wall])
    state = battle.state
    assert sight.seen_by(state, "a1", {}) == ["b2"]
    assert sight.seen_by(state, "a1", {"a1.1": Stretch(x=20, y=8)}) == ["b1", "b2"]
    assert state.unit("a1").models[0].x == 10
    assert [piece.id for piece in pieces(state, "a1")] == ["a1.1"]
    assert options(battle)
