"""Moments that are written down as data, and changed by hand: each change is refused with its field, or the scene
means what it says."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

import umpire
from umpire.engine.referring import check_references
from umpire.engine.rng import Rng
from umpire.engine.snapshots import plain, snapshot
from umpire.errors import UmpireError

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")
WRONG: list[Any] = [
    -1, 7, 99, 10**9, 10**25, -0.5, float("nan"), float("inf"), "", "nobody", True, None, [], {}, [1, 2, 3], "a1",
    {"id": "x"},
]  # fmt: skip


def moments(game: str, seed: int, every: int, count: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Some moments of a random battle: as a scene, and all the data there are."""
    battle, rng = umpire.battle(game, seed=seed), Rng(seed)
    found = []
    for number in range(every * count):
        if battle.decision is None:
            break
        if number % every == every - 1:
            scene = msgspec.to_builtins(snapshot(battle, seed=3))
            found.append(({**scene, "answers": []}, plain(battle.step_so_far()[0])))
        battle.answer(battle.decision.suggest(rng), battle.decision.side)
    return found


def spots(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        found += spots(value, (*path, key))
    return found


def mutated(state: dict[str, Any], rng: Rng) -> dict[str, Any]:
    """A copy with one thing wrong: a value, a key, a number, something missing, something twice."""
    result = copy.deepcopy(state)
    path = rng.choice(spots(result))
    holder: Any = result
    for key in path[:-1]:
        holder = holder[key]
    last = path[-1]
    match rng.below(6):
        case 0 | 1:
            holder[last] = rng.choice(WRONG)
        case 2 if isinstance(holder, dict):
            holder[f"{last}s"] = holder.pop(last)
        case 3 if isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        case _ if isinstance(holder[last], str):
            holder[last] += "x"
        case _ if type(holder[last]) in (int, float):
            holder[last] += rng.choice([1, -1, 50, -50, 1000])
        case _:
            del holder[last]
    return result


def beside(state: dict[str, Any], rng: Rng) -> Any:
    """A change of one thing, as it is written beside the words of a scene."""
    change = rng.choice(WRONG)
    for key in reversed(rng.choice(spots(state))):
        change = {str(key): change}
    return change


def outcome(scene: dict[str, Any], seed: int) -> str:
    """What came of a scene: played, or refused in one clear line that names a field of the data."""
    try:
        battle = umpire.scene(scene)
    except UmpireError as error:
        if not error.where.startswith("state") or error.text is None or "\n" in error.line("zh") + error.line("en"):
            raise
        return "refused"
    rng = Rng(seed)
    for _ in range(6):
        ask = battle.decision
        if ask is None:
            break
        battle.answer(ask.suggest(rng), ask.side)
    battle.save()
    return "played"


@pytest.mark.parametrize("game", GAMES)
def test_data_changed_by_hand_are_refused_with_their_field_or_mean_what_they_say(game: str) -> None:
    told = {"played": 0, "refused": 0}
    found = moments(game, 3, 45, 4)
    for seed in range(60):
        rng = Rng(seed)
        scene, state = rng.choice(found)
        if seed % 2:
            changed = {**scene, "position": {}, "state": mutated(state, rng)}
        else:
            changed = {**scene, "state": beside(state, rng)}
        try:
            told[outcome(changed, seed)] += 1
        except Exception as error:
            raise AssertionError(f"{game} {seed}: {type(error).__name__}: {error}") from error
    assert min(told.values()) > 3


FIGHTERS = [
    {"id": "a1", "side": 0, "profile": "slag-chief", "x": 10, "y": 10},
    {"id": "b1", "side": 1, "profile": "wick-guard", "x": 20, "y": 10},
]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"fighters": {"0": {"side": 2}}}, "state.fighters[0].side: 2 is not from 0 to 1"),
        ({"fighters": {"0": {"x": float("nan")}}}, "state.fighters[0].x: must be a finite number"),
        ({"round": 10**25}, "state.round: the number is too large"),
        ({"fighters": {"0": {"x": 20.1}}}, "state.fighters[0]: overlaps b1"),
        ({"fighters": {"0": {"where": "moon"}}}, "state.fighters[0].where: there is no place “moon”"),
        ({"fighters": {"0": {"carrying": "gold"}}}, "state.fighters[0].carrying: there is no id “gold”"),
        ({"fighters": {"1": {"id": "a1"}}}, "state.fighters[1].id: a1 is written twice"),
        ({"fighters": {"0": {"damage": 400}}}, "state.fighters[0].damage: has taken 400 of its"),
        ({"fighters": {"0": {"profile": {"wounds": 0}}}}, "state.fighters[0].profile.wounds: 0 is not from 1 to 999"),
        ({"players": {"0": {"name": {"=": {"zh": "名"}}}}}, "state.players[0].name: has no name in en"),
        ({"agenda": []}, "state.agenda: nothing is left to do, and the battle is not over"),
        (
            {"agenda": [["warcry.combat.act", ["zz"]]]},
            "state.agenda: nothing can be done with what stands here (there is no fighter “zz”)",
        ),
    ],
)
def test_what_data_cannot_say_is_told_with_its_field(state: dict[str, Any], said: str) -> None:
    position = {"at": "act", "active": "a1", "fighters": FIGHTERS}
    with pytest.raises(UmpireError) as refused:
        umpire.scene({"game": "warcry", "position": position, "state": state})
    assert said in refused.value.line("en")


@pytest.mark.parametrize("game", GAMES)
def test_whatever_a_battle_names_is_there(game: str) -> None:
    battle, rng = umpire.battle(game, seed=5), Rng(5)
    number = 0
    while battle.decision is not None:
        if number % 11 == 0:
            check_references(battle.step_so_far()[0], "state")
        battle.answer(battle.decision.suggest(rng), battle.decision.side)
        number += 1
    check_references(battle.state, "state")
