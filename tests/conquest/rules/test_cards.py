"""What unit cards say: every special rule and draw event by name in both languages, linked to the rulebook."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conquest.builder import hero, profile, regiment, scene

import umpire
from umpire import rulebook
from umpire.games.conquest import cards, content, hooks
from umpire.games.conquest.picture import picture
from umpire.games.conquest.profiles import Spell


def lines(battle: Any, key: str) -> dict[str, dict[str, Any]]:
    card = next(card for card in picture(battle.state).cards if card.id == key)
    return {line["name"]["en"]: line for line in card.rules}


@pytest.mark.parametrize("name", sorted({**hooks.KNOWN_RULES, **hooks.KNOWN_EVENTS}))
def test_every_rule_links_to_entries_that_exist_in_both_languages(name: str) -> None:
    ids = cards.ids_of(name)
    assert ids
    for key in ids:
        entry = rulebook.rule(key)
        assert entry.text
        assert entry.text_zh != entry.text
    names = cards.rule_names(name)
    assert any("\u4e00" <= letter <= "\u9fff" for letter in names["zh"])
    assert names["en"].isascii()


def test_a_card_shows_values_brackets_and_every_barrage() -> None:
    battle = scene(
        regiment("a", of=profile(rules=["cleave 1", "cleave +1", "decay 1", "decay 2", "phalanx"], events=["burnout"])),
        regiment("b", 1, at=(36, 40)),
    )
    shown = lines(battle, "a")
    assert {"Cleave (2)", "Decay (3)", "Phalanx", "Burnout"} <= set(shown)
    assert shown["Phalanx"]["rules"] == [
        "conquest.rule.phalanx.defence",
        "conquest.rule.phalanx.no-inspired",
        "conquest.rule.phalanx.no-garrison",
        "conquest.rule.phalanx.charge",
    ]
    throwers = next(r for r in content.faction("cinder").regiments if sum("barrage" in t for t in r.rules) == 2)
    text = [line["name"]["en"] for line in cards.rule_lines(content.profile_of(throwers).rules, ())]
    assert 'Barrage (3, 10", Armor Piercing (1), Torrential Fire)' in text
    assert 'Barrage (1, 18")' in text


def test_a_characters_card_shows_turn_the_tide_spells_and_his_ability() -> None:
    bolt = Spell("bolt", {"zh": "雷", "en": "Bolt"}, 12, 3, True, hits=5)
    battle = scene(
        regiment("a"),
        regiment("b", 1, at=(36, 40)),
        characters=[hero("h", regiment="a", of=profile(rules=["wizard 3"]), spells=(bolt,), warlord=True)],
    )
    shown = lines(battle, "h")
    assert {"Wizard (3)", "Turn the Tide", "Bolt"} <= set(shown)
    assert shown["Bolt"]["text"] == {
        "zh": "距离12寸，调和3，小目标，5次命中",
        "en": 'range 12", Attunement 3, Scaling, 5 hits',
    }


def test_cards_of_a_battle_link_only_to_rules_that_exist() -> None:
    battle = umpire.battle("conquest", seed=5)
    for card in picture(battle.state).cards:
        for line in card.rules:
            assert line["name"]["zh"]
            assert line["name"]["en"]
            assert all(rulebook.exists(key) for key in line["rules"]), line
    texts = [line["text"]["zh"] for card in picture(battle.state).cards for line in card.rules if "text" in line]
    assert texts, "spells and abilities say what they do"


def test_every_spell_of_the_factions_says_what_it_does_in_both_languages() -> None:
    for faction in content.factions().values():
        for spell in faction.spells:
            text = cards.spell_line(content.spell_of(spell))["text"]
            assert text["zh"] != text["en"]
