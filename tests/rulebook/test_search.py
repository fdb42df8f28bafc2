"""Rules are found by Chinese and English words, best first."""

import pytest

from umpire import rulebook


@pytest.mark.parametrize(
    ("words", "game", "expected"),
    [
        ("fall impact", None, "warcry.move.fall-impact"),
        ("跌落撞击", None, "warcry.move.fall-impact"),
        ("跌落时的撞击", "warcry", "warcry.move.fall-impact"),
        ("climb", "warcry", "warcry.move.climb"),
        ("攀爬", "warcry", "warcry.move.climb"),
        ("冲锋距离", "t9a", "t9a.charge.range.roll"),
        ("charge", "aos", "aos.charge.charge"),
    ],
)
def test_the_rule_meant_comes_first(words: str, game: str | None, expected: str) -> None:
    assert rulebook.search(words, game)[0].id == expected


def test_the_start_of_an_english_word_is_enough_and_its_middle_is_not() -> None:
    assert any("Climb" in rule.en for rule in rulebook.search("climbi", "warcry"))
    assert rulebook.search("limbing", "warcry") == []


def test_case_and_punctuation_do_not_matter() -> None:
    assert rulebook.search("Fall, IMPACT!") == rulebook.search("fall impact")


@pytest.mark.parametrize("words", ["", "  ", "?!", "zyzzyva"])
def test_nothing_is_found_by_nothing(words: str) -> None:
    assert rulebook.search(words) == []


def test_a_game_keeps_its_own_rules() -> None:
    assert {rule.game for rule in rulebook.search("move", "aos")} == {"aos"}


def test_neighbours_are_the_places_before_and_after_and_the_rules_it_builds_on() -> None:
    around = rulebook.neighbours("aos.command.rally")
    assert [rule.id for rule in around.needs] == ["aos.core.heal", "aos.core.return-models"]
    assert "aos.unit.musician" in [rule.id for rule in around.needed_by]
    assert around.before is not None
    assert rulebook.neighbours(around.before.id).after == rulebook.rule("aos.command.rally")


def test_the_first_and_the_last_rule_have_one_neighbour() -> None:
    book = rulebook.rules("warcry")
    assert rulebook.neighbours(book[0].id).before is None
    assert rulebook.neighbours(book[-1].id).after is None
