"""The examples of docs/scenes.md are complete: they run, expect what comes, and mutations of them are told or mean what
they say."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import umpire
from umpire import files
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.engine.scene import SceneFile
from umpire.engine.staging import played
from umpire.errors import UmpireError

DOCS = Path(__file__).parent.parent / "docs" / "scenes.md"
EXAMPLES = {
    str(yaml.safe_load(text)["game"]): text
    for text in re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
}


@pytest.mark.parametrize("game", EXAMPLES)
def test_the_example_of_each_game_comes_out_as_it_says(game: str) -> None:
    source = files.parse(EXAMPLES[game], f"{game}.yaml")
    assert list(played(source.convert(SceneFile), source).complaints("en")) == []


@pytest.mark.parametrize("game", EXAMPLES)
def test_a_battle_from_a_scene_is_saved_and_replayed(game: str) -> None:
    """As JSON, which has no keys but words."""
    source = files.parse(EXAMPLES[game], f"{game}.yaml")
    battle = played(source.convert(SceneFile), source).battle
    assert Battle.load(battle.save()).digest == battle.digest
    assert umpire.replay(battle.record).digest == battle.digest
    as_json = files.parse(json.dumps(source.data), f"{game}.json")
    assert played(as_json.convert(SceneFile), as_json).battle.digest == battle.digest


# -- mutated scenes --------------------------------------------------------------------------------------------------

WRONG: list[Any] = [-1, 7, 99, 1e9, -0.5, "", "nobody", True, None, [], {}, [1, 2, 3], "a1", {"id": "x"}]


def spots(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in the data."""
    found = [path] if path else []
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        found += spots(value, (*path, key))
    return found


def mutated(scene: dict[str, Any], rng: Rng) -> dict[str, Any]:
    """A copy with one thing wrong: a value, a key, something missing, something twice."""
    result = copy.deepcopy(scene)
    path = rng.choice(spots(result["position"]))
    holder = result["position"]
    for key in path[:-1]:
        holder = holder[key]
    last = path[-1]
    match rng.below(5):
        case 0 | 1:
            holder[last] = rng.choice(WRONG)
        case 2 if isinstance(holder, dict):
            holder[f"{last}s"] = holder.pop(last)
        case 3 if isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        case _:
            del holder[last]
    return result


def clear(error: UmpireError) -> bool:
    """One line that says what is wrong, and not merely that something is."""
    line = error.line("en")
    return "\n" not in line and len(line) < 3000 and getattr(error.text, "key", "") != "error.scene.impossible"


def outcome(scene: dict[str, Any], seed: int) -> str:
    """What came of a scene: played, or refused in one clear line; anything else is raised."""
    try:
        stage = played(SceneFile(scene["game"], scene["position"], answers=[], dice=["seeded"]))
    except UmpireError as error:
        if clear(error):
            return "refused"
        raise
    rng = Rng(seed)
    for _ in range(12):
        ask = stage.battle.decision
        if ask is None:
            break
        stage.battle.answer(ask.suggest(rng), ask.side)
    return "played"


def check(game: str, count: int) -> dict[str, int]:
    scene = files.parse(EXAMPLES[game], game).data
    told = {"played": 0, "refused": 0}
    for seed in range(count):
        changed = mutated(scene, Rng(seed))
        try:
            told[outcome(changed, seed)] += 1
        except Exception as error:
            raise AssertionError(f"{game} {seed}: {type(error).__name__}: {error}") from error
    return told


@pytest.mark.parametrize("game", EXAMPLES)
def test_mutated_scenes_are_refused_in_one_line_or_mean_what_they_say(game: str) -> None:
    told = check(game, 60)
    assert min(told.values()) > 5
