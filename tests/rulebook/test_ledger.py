"""The ledgers are complete and can be looked up."""

import pytest

from umpire import rulebook
from umpire.errors import UmpireError

SIZES = {"warcry": 236, "aos": 161, "conquest": 534, "wh40k": 599, "t9a": 759}


@pytest.mark.parametrize("game", SIZES)
def test_every_rule_of_the_book_is_there_in_both_languages(game: str) -> None:
    rules = rulebook.rules(game)
    assert len(rules) >= SIZES[game]
    for order, rule in enumerate(rules):
        assert rule.game == game
        assert rule.order == order
        assert rule.id.startswith(f"{game}.")
        assert rule.en
        assert rule.zh
        assert rule.text
        assert rule.text_zh, f"{rule.id} has no Chinese text"
        assert all(rulebook.exists(needed) for needed in rule.needs), rule.id


def test_a_single_line_number_is_text_like_every_other_place_in_the_book() -> None:
    assert rulebook.rule("wh40k.charge.targets.declare").lines == "1208"


def test_names_and_words_follow_the_language() -> None:
    rule = rulebook.rule("warcry.move.fall-impact")
    assert rule.name("zh") == rule.zh
    assert rule.name("en") == rule.en
    assert rule.words("zh") == rule.text_zh
    assert rule.words("en") == rule.text


def test_an_unknown_rule_and_an_unknown_game_are_named() -> None:
    assert not rulebook.exists("warcry.move.teleport")
    assert not rulebook.exists("chess.king.check")
    with pytest.raises(UmpireError, match=r"warcry\.move\.teleport"):
        rulebook.rule("warcry.move.teleport")
    with pytest.raises(UmpireError, match="chess"):
        rulebook.rules("chess")


def test_the_version_changes_with_a_rule_and_not_with_a_translation(tmp_path) -> None:
    (tmp_path / "zh").mkdir()
    entry = "- {id: toy.move.far, en: Far, zh: 远, lines: 3, kind: procedure, text: Move 6 inches.}\n"

    def version(book: str, chinese: str) -> str:
        (tmp_path / "toy.yaml").write_text(book, encoding="utf-8")
        (tmp_path / "zh" / "toy.yaml").write_text(chinese, encoding="utf-8")
        rulebook.add_ledger("toy", tmp_path)
        return rulebook.version("toy")

    first = version(entry, "toy.move.far: 移动6英寸。")
    assert version(entry, "toy.move.far: 移动六英寸。") == first
    assert version(entry.replace("6 inches", "7 inches"), "toy.move.far: 移动7英寸。") != first


@pytest.mark.parametrize(
    ("book", "says"),
    [
        ("- {id: toy.a.b, en: A, zh: 甲, lines: 1, kind: law, text: T}", "kind"),
        ("- {id: toy.a.b, en: A, zh: 甲, lines: 1, kind: effect}", "text"),
        ("- {id: toy.a.b, en: A, zh: 甲, kind: effect, text: T}\n" * 2, "twice"),
        ("- {id: toy.a.b", "is no YAML"),
    ],
)
def test_a_broken_ledger_is_refused_with_its_file(tmp_path, book: str, says: str) -> None:
    (tmp_path / "zh").mkdir()
    (tmp_path / "broken.yaml").write_text(book, encoding="utf-8")
    (tmp_path / "zh" / "broken.yaml").write_text("toy.a.b: 文", encoding="utf-8")
    rulebook.add_ledger("toy", tmp_path)
    with pytest.raises(UmpireError, match=says) as refused:
        rulebook.rules("toy")
    assert "broken.yaml:" in refused.value.where


@pytest.fixture(autouse=True)
def _forget_toy():
    yield
    from umpire.rulebook import ledger

    ledger._folders.pop("toy", None)
    ledger._ledgers.pop("toy", None)
