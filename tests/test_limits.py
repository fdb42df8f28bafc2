"""What a type says of its field is refused in plain words with the limit or the known names, in scenes and in books."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from umpire import files
from umpire.engine.game import find_game
from umpire.engine.schemas import schema
from umpire.errors import UmpireError
from umpire.games.aos import content as aos
from umpire.games.conquest import content as conquest
from umpire.games.t9a import content as t9a
from umpire.games.warcry import content as warcry
from umpire.games.wh40k import content as wh40k
from umpire.miniatures.amounts import Base, Dice, Face, Positive, Tall, amount


class One(msgspec.Struct, tag="one", tag_field="do"):
    count: Positive


class Two(msgspec.Struct, tag="two", tag_field="do"):
    count: Annotated[int, Meta(ge=50, le=60)]


class Piece(msgspec.Struct):
    save: Face = 2
    tall: Tall = 1.0
    attacks: Positive | Dice = 1
    edge: Literal["near", "far"] = "near"
    front: Annotated[Literal["near", "far"], Meta(extra={"kind": "edge"})] = "near"
    dice: tuple[Face, ...] = ()
    pair: tuple[Face, Tall] = (1, 1.0)
    named: dict[str, Face] = {}
    gains: dict[Annotated[Literal["m", "ws"], Meta(extra={"kind": "characteristic"})], Face] = {}
    maybe: Face | None = None
    move: Literal["", "run"] = ""
    base: Base = (25.0,)
    least: Annotated[int, Meta(ge=1)] = 1
    few: Annotated[tuple[str, ...], Meta(max_length=2)] = ()
    word: Annotated[str, Meta(pattern="^a+$")] = "a"
    does: tuple[One | Two, ...] = ()


@pytest.mark.parametrize(
    ("given", "en", "zh"),
    [
        ({"save": 8}, "piece.save: 8 is not from 1 to 6", "piece.save：8 不在 1 至 6 之间"),
        ({"save": 10**30}, f"piece.save: {10**30} is not from 1 to 6", f"piece.save：{10**30} 不在 1 至 6 之间"),
        ({"save": True}, "piece.save: expected int, got bool", "piece.save：应为整数，而不是true 或 false"),
        ({"tall": 50}, "piece.tall: 50 is not from 0.1 to 40", "piece.tall：50 不在 0.1 至 40 之间"),
        (
            {"attacks": "0D6"},
            "piece.attacks: “0D6” is no number such as 2, D3, 2D6 or D3+1",
            "piece.attacks：“0D6”不是 2、D3、2D6、D3+1 这样的数",
        ),
        ({"attacks": 0}, "piece.attacks: 0 is not from 1 to 99", "piece.attacks：0 不在 1 至 99 之间"),
        ({"edge": "up"}, "piece.edge: there is no table edge “up”; known: far, near", "没有桌边“up”；现有：far、near"),
        ({"front": "up"}, "piece.front: there is no table edge “up”; known: far, near", "没有桌边“up”"),
        ({"move": "jog"}, "piece.move: there is no move “jog”; known: run", "没有移动“jog”；现有：run"),
        ({"dice": [1, 2, 9]}, "piece.dice[2]: 9 is not from 1 to 6", "piece.dice[2]：9 不在"),
        ({"pair": [1, 90]}, "piece.pair[1]: 90 is not from 0.1 to 40", "piece.pair[1]：90 不在"),
        ({"named": {"a": 1, "b": 9}}, "piece.named.b: 9 is not from 1 to 6", "piece.named.b：9 不在"),
        ({"gains": {"m": 1, "sp": 2}}, "there is no characteristic “sp”; known: m, ws", "没有属性“sp”；现有：m、ws"),
        ({"maybe": 0}, "piece.maybe: 0 is not from 1 to 6", "piece.maybe：0 不在"),
        ({"base": [1]}, "piece.base[0]: a base is [diameter] or [length, width]", "piece.base[0]：底座写作"),
        ({"base": []}, "piece.base: a base is [diameter] or [length, width]", "piece.base：底座写作"),
        ({"least": 0}, "piece.least: must be 1 at least", "piece.least：须至少为 1"),
        ({"few": ["a"] * 3}, "piece.few: its length must be 2 at most", "piece.few：长度须至多为 2"),
        ({"word": "b"}, "piece.word: must be of the form '^a+$'", "piece.word：须写成 '^a+$' 的形式"),
        ({"does": [{"do": "one", "count": 0}]}, "piece.does[0].count: 0 is not from 1 to 99", "0 不在 1 至 99 之间"),
        ({"does": [{"do": "two", "count": 0}]}, "piece.does[0].count: 0 is not from 50 to 60", "0 不在 50 至 60 之间"),
        ({"does": [{"do": "six"}]}, "piece.does[0].do: there is no value “six”; known: one, two", "没有取值“six”"),
    ],
)
def test_what_a_type_says_is_told_with_the_value_and_the_limit(given: dict[str, Any], en: str, zh: str) -> None:
    with pytest.raises(UmpireError) as refused:
        files.convert(given, Piece, "piece")
    assert en in refused.value.line("en")
    assert zh in refused.value.line("zh")


@pytest.mark.parametrize("text", ["2", "D3", "2D6", "D3+1", "2d6+12", "+3", "0"])
def test_whatever_is_written_as_an_amount_can_be_read(text: str) -> None:
    assert files.convert({"attacks": text}, Piece, "piece").attacks == text
    assert 0 <= amount(text).least <= amount(text).most


BOOKS: list[tuple[Callable[[files.Source], Any], str, str, str, str]] = [
    (aos.read_faction, "aos/palehost.yaml", r"hit: \d", "hit: 9", "9 is not from 1 to 6"),
    (aos.read_faction, "aos/palehost.yaml", r"save: \d", "save: 9", "9 is not from 0 to 7"),
    (aos.read_faction, "aos/palehost.yaml", r"damage: \"?\w+\"?", "damage: much", "“much” is no number such as"),
    (wh40k.read_faction, "wh40k/veil.yaml", r"sv: \d", "sv: 9", "9 is not from 0 to 7"),
    (wh40k.read_faction, "wh40k/veil.yaml", r"ap: -\d", "ap: 2", "2 is not from -10 to 0"),
    (t9a.read_book, "t9a/thornmark.yaml", r"height: \d", "height: 6", "a Height is 0 to 5, not 6"),
    (t9a.read_book, "t9a/thornmark.yaml", r"off: \d", "off: 99", "99 is not from 0 to 30"),
    (warcry.read_book, "warcry/factions/cinder-kin.yaml", r"toughness: \d", "toughness: 0", "0 is not from 1 to 99"),
    (
        lambda source: source.checked(conquest.Faction, conquest.check_faction),
        "conquest/cinder.yaml", r"attunement: \d", "attunement: 300", "300 is not from 0 to 99",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("read", "name", "old", "new", "said"), BOOKS)
def test_a_book_is_refused_as_a_scene_is_with_its_line(
    read: Callable[[files.Source], Any], name: str, old: str, new: str, said: str
) -> None:
    text = resources.files("umpire.content").joinpath(name).read_text(encoding="utf-8")
    read(files.parse(text, "book.yaml"))
    found = re.search(old, text)
    assert found is not None
    line = text.count("\n", 0, found.start()) + 1
    with pytest.raises(UmpireError, match=re.escape(said)) as refused:
        read(files.parse(text[: found.start()] + new + text[found.end() :], "book.yaml"))
    assert refused.value.where == f"book.yaml:{line}"
    assert refused.value.line("zh") != refused.value.line("en")


@pytest.mark.parametrize("game", ["warcry", "aos", "conquest", "wh40k", "t9a"])
def test_the_schema_of_a_scene_carries_its_limits(game: str) -> None:
    structs = schema("scene", game)["$defs"]
    limited = [
        (name, field)
        for name, struct in structs.items()
        for field, shape in struct.get("properties", {}).items()
        if "minimum" in shape and "maximum" in shape
    ]
    position = find_game(game).scene
    assert position is not None
    assert len(limited) > 20
