"""Any moment of a battle of any game becomes a scene, and the scene is that moment again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import umpire
from umpire import files
from umpire.engine.battle import Battle
from umpire.engine.game import games
from umpire.engine.merging import changes, merged
from umpire.engine.rng import Rng
from umpire.engine.scene import SceneFile, scene, understood
from umpire.engine.snapshots import plain, snapshot
from umpire.engine.staging import played
from umpire.engine.view import decision_wire
from umpire.server.lab import written

HOUSE = [name for name in games() if name in ("warcry", "aos", "conquest", "wh40k", "t9a")]


def read_again(file: SceneFile) -> Battle[Any]:
    """The battle of a scene that was written to a file and read from it."""
    text = written(file, {"zh": "一刻", "en": "a moment"})
    stage = played(*understood(files.parse(text, "scene")))
    assert stage.failures == []
    return stage.battle


def asked(battle: Battle[Any]) -> list[Any]:
    """The open questions but for what is proposed, which the seed draws."""
    names = battle.game.name
    told = [decision_wire(ask, battle.game.id, lambda key: names(battle.state, key)) for ask in battle.decisions]
    return [{key: value for key, value in one.items() if key != "default"} for one in told]


def said(battle: Battle[Any], number: int = 0) -> SceneFile:
    """A moment written down, read again and found to be the same: the data byte for byte, the table, every open
    question with its options, and what is ruled of answers to them."""
    file = snapshot(battle, seed=3)
    again = read_again(file)
    assert changes(plain(again.state), plain(battle.state)) == {}, number
    assert again.view(0)["picture"] == battle.view(0)["picture"], number
    assert asked(again) == asked(battle), number
    for mine, theirs in zip(battle.decisions, again.decisions, strict=True):
        for answer in (mine.suggest(Rng(number)), theirs.suggest(Rng(number + 1)), NO_ANSWER):
            assert mine.check(answer) == theirs.check(answer), number
    return file


NO_ANSWER = "nobody-at-all"


def moments(game: str, seed: int, every: int) -> Iterator[tuple[int, Battle[Any]]]:
    """A random battle at one decision of so many."""
    battle = umpire.battle(game, seed=seed)
    rng = Rng(seed)
    number = 0
    while battle.decision is not None:
        if number % every == seed % every:
            yield number, battle
        battle.answer(battle.decision.suggest(rng), battle.decision.side)
        number += 1


@pytest.mark.parametrize("game", HOUSE)
def test_a_moment_written_down_and_read_again_is_the_same_moment(game: str) -> None:
    for seed, every in ((11, 19), (4, 31)):
        for number, battle in moments(game, seed, every):
            assert said(battle, number).position  # never only as the data


@pytest.mark.parametrize("game", HOUSE)
def test_what_is_moved_in_the_words_of_a_moment_is_moved(game: str) -> None:
    """What stands beside the words says nothing of where pieces stand: who drags one in the lab has moved it."""
    shifted = 0
    for number, battle in moments(game, 7, 41):
        file = snapshot(battle, seed=3)
        file.answers = []
        before = scene(file).view(0)["picture"]
        for entry in file.position.get("units") or file.position.get("fighters") or file.position["regiments"]:
            if moved(entry):
                assert scene(file).view(0)["picture"] != before, (number, entry["id"])
                shifted += 1
                break
    assert shifted > 3


def moved(entry: dict[str, Any]) -> bool:
    """A piece of a scene stands a thousandth of an inch farther on."""
    if entry.get("where", "table") not in ("table", "field") or entry.get("in_unit") or entry.get("climbing"):
        return False
    if "x" in entry:
        entry["x"] += 0.001
    else:
        entry["models"][0][0] += 0.001
    return True


@pytest.mark.parametrize("seed", [3, 4])
def test_faction_terrain_goes_with_its_unit_whoever_put_his_down_first(seed: int) -> None:
    """Age of Sigmar, seed 3: the second side begins to deploy; seed 4: the first."""
    battle = umpire.battle("aos", seed=seed)
    rng = Rng(seed)
    while len([feature for feature in battle.state.terrain if feature.unit]) < 2:
        assert battle.decision is not None
        battle.answer(battle.decision.suggest(rng), battle.decision.side)
    file = snapshot(battle, seed=3)
    file.answers = []
    before = {feature.unit: feature.parts for feature in scene(file).state.terrain}
    for feature in [feature for feature in battle.state.terrain if feature.unit]:
        entry = next(entry for entry in file.position["units"] if entry["id"] == feature.unit)
        assert moved(entry)
        state = scene(file).state
        after = next(one for one in state.terrain if one.unit == feature.unit)
        assert after.x == pytest.approx(feature.x + 0.001) == state.unit(feature.unit).models[0].x
        assert after.parts != before[feature.unit]


@pytest.mark.parametrize("game", HOUSE)
def test_a_seat_s_scene_holds_nothing_that_is_hidden_from_it(game: str) -> None:
    """Whatever the other side hides may be anything else: the scene would be the same."""
    battle = umpire.battle(game, seed=4)
    rng = Rng(2)
    for number in range(60):
        if battle.decision is None:
            break
        if number % 17 == 3:
            other = battle.fork()
            changed = other.game.scramble(other.state, 0, Rng(9))
            if changed and other.answers_of_step == []:
                mine, theirs = snapshot(battle, 0, 1), snapshot(other, 0, 1)
                assert msgspec.to_builtins(mine) == msgspec.to_builtins(theirs)
            read_again(snapshot(battle, 0, 1))
        battle.answer(battle.decision.suggest(rng), battle.decision.side)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": 1, "b": {"c": [1, 2]}}, {"a": 1, "b": {"c": [1, 3]}}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}),
        ({"a": [1]}, {"a": []}),
        ({"a": []}, {"a": [{"b": 1}]}),
        ({"a": None}, {"a": {"b": 1}}),
        ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}, {"b": None}]}),
    ],
)
def test_what_was_told_as_changes_is_put_in_again(old: Any, new: Any) -> None:
    assert merged(old, changes(old, new)) == new
    assert changes(old, old) == {}
