"""The outlines of the sequence of play name steps that exist, in the order in which battles take them; the examples on
`Battle` hold."""

from __future__ import annotations

import doctest
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import umpire
from battery import play
from umpire import games
from umpire.engine import battle
from umpire.engine.game import find_game
from umpire.engine.rng import Rng
from umpire.engine.steps import find_step

OUTLINES = Path(__file__).parents[2] / "docs/outlines.md"
GAMES = {
    "Warcry": "warcry",
    "Age of Sigmar": "aos",
    "Conquest": "conquest",
    "Warhammer 40,000": "wh40k",
    "The Ninth Age": "t9a",
}
STEP = re.compile(r"`([a-z_0-9]+\.[a-z_]+)`")


class Item(NamedTuple):
    """A line of an outline with those below it."""

    text: str
    below: list[Item]

    @property
    def first(self) -> str:
        """The step with which it begins, unless play need not demand it."""
        return next(iter(STEP.findall(re.sub(r"\[[^]]*\]", "", self.text))), "")


def outlines() -> dict[str, str]:
    parts = re.split(r"^## (.*)$", OUTLINES.read_text(encoding="utf-8"), flags=re.M)[1:]
    return {GAMES[title]: text for title, text in zip(parts[::2], parts[1::2], strict=True)}


def items(text: str) -> list[Item]:
    lines = re.split(r"^( *)\d+\. ", text, flags=re.M)[1:]
    lists: list[tuple[int, list[Item]]] = [(-1, [])]
    for indent, words in zip(map(len, lines[::2]), lines[1::2], strict=True):
        while lists[-1][0] > indent:
            lists.pop()
        if lists[-1][0] < indent:
            lists.append((indent, lists[-1][1][-1].below if len(lists) > 1 else lists[0][1]))
        lists[-1][1].append(Item(words, []))
    return lists[0][1]


def wrong(told: list[Item], taken: list[str]) -> Iterator[str]:
    """What comes before what stands above it. The lines below another are looked at from one time that its first step
    is taken to the next."""
    began = [(taken.index(item.first), item.first) for item in told if item.first in taken]
    yield from (f"{one} before {other}" for (a, other), (b, one) in itertools.pairwise(began) if b < a)
    for item in told:
        at = [n for n, name in enumerate(taken) if item.below and name == item.first]
        for start, end in itertools.pairwise([*at, len(taken)]):
            yield from wrong(item.below, taken[start:end])


def firsts(told: list[Item]) -> Iterator[str]:
    for item in told:
        yield item.first
        yield from firsts(item.below)


def test_every_step_of_an_outline_exists() -> None:
    told = outlines()
    assert set(told) == set(GAMES.values()) == set(games.GAMES)
    for game, text in told.items():
        find_game(game)
        names = STEP.findall(text)
        assert len(names) > 15
        for name in names:
            assert find_step(f"{game}.{name}")


@pytest.mark.parametrize("game", GAMES.values())
def test_battles_take_the_steps_in_the_order_of_the_outline(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []

    def noted(name: str) -> object:
        taken.append(name.removeprefix(f"{game}."))
        return find_step(name)

    monkeypatch.setattr(battle, "find_step", noted)
    told, ever = items(outlines()[game]), set[str]()
    for seed in range(3):
        taken.clear()
        play(umpire.battle(game, seed=seed), Rng(seed))
        assert list(wrong(told, taken)) == []
        ever.update(taken)
    assert {*firsts(told)} - ever == set(), "is it a step that play need not demand? Then it stands in brackets"


SMALL = """1. `a.begin`
2. Every round, `a.round`:
    1. `b.move`, [`b.run`]
       or stands
    2. `c.shoot`
3. [`a.late`] or `a.end`
"""


def test_lines_of_an_outline_that_stand_the_wrong_way_round_are_found() -> None:
    told = items(SMALL)
    assert [*firsts(told)] == ["a.begin", "a.round", "b.move", "c.shoot", "a.end"]
    turn = ["a.round", "b.move", "c.shoot"]
    assert list(wrong(told, ["a.begin", *turn, *turn, "a.end"])) == []
    assert list(wrong(told, ["a.begin", *turn, "a.round", "c.shoot", "b.move", "a.end"])) == ["c.shoot before b.move"]


def test_the_examples_on_battle_hold() -> None:
    result = doctest.testmod(battle)
    assert result.attempted
    assert not result.failed
