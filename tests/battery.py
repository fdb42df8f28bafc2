"""What the battery and the games' own tests share: play at random, garble answers, step through a battle."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.rng import Rng

ENDLESS = 20_000
"""No battle asks so many questions: one that does would never end."""


def steps(battle: Battle[Any], rng: Rng) -> Iterator[tuple[Decision, Any]]:
    """Play a battle at random to its end, handing out each question and the answer that is about to be given."""
    for _ in range(ENDLESS):
        decisions = battle.decisions
        if not decisions:
            return
        ask = decisions[rng.below(len(decisions))]
        answer = ask.suggest(rng)
        yield ask, answer
        battle.answer(answer, ask.side)
    raise AssertionError(f"{battle.game.id} seed {battle.setup.seed}: {ENDLESS} questions and no end")


def play(battle: Battle[Any], rng: Rng) -> Battle[Any]:
    for _ in steps(battle, rng):
        pass
    return battle


def new(game: str, seed: int) -> Battle[Any]:
    return umpire.battle(game, seed=seed)


JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 3.5, 1e9, "", "x", "pass", "__class__", [], ["x"], [1], [None], {}, {"x": 1},
    {"x": 1e5, "y": -1e5}, {"x": "a", "y": 2}, {"path": []}, {"path": [{}]}, {"path": [{"x": 1e5, "y": 1e5}]},
    {"path": "north"}, {"path": [{"x": None, "y": [1]}]}, {"models": {}}, {"models": {"x": {"x": 1, "y": 1}}},
    {"to": {"x": 1e5, "y": 1e5}}, {"to": "there"}, {"to": {}}, {"stay": "maybe"}, [[]], [{}], {"": 3}, "战",
)  # fmt: skip


def garble(answer: Any, rng: Rng) -> Any:
    """Something like this answer, but probably wrong."""
    answer = copy.deepcopy(answer)
    kind = rng.below(4)
    if kind == 0 or answer is None or isinstance(answer, bool):
        return copy.deepcopy(rng.choice(JUNK))
    if isinstance(answer, str):
        return answer[:-1] if kind == 1 else answer + rng.choice(["x", " ", "0"])
    if isinstance(answer, (int, float)):
        return answer + rng.choice([1000, -1000, 0.5])
    if isinstance(answer, list):
        if answer and kind == 1:
            return answer[:-1]
        return [*answer, rng.choice(JUNK)] if kind == 2 or not answer else [answer[0], *answer]
    if isinstance(answer, dict) and answer:
        key = rng.choice(list(answer))
        if kind == 1:
            del answer[key]
        else:
            answer[key] = garble(answer[key], rng)
    return answer


def rivals(game: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two scenes whose profiles, abilities and spells bear the same names and mean different things."""
    make = {"aos": _aos, "warcry": _warcry, "conquest": _conquest, "wh40k": _wh40k, "t9a": _t9a}[game]
    return make(False), make(True)


TOUGH = ("wounds", "health", "W", "w", "hp")
"""What the games call the wounds of a profile in their army books."""


def tougher(data: Any) -> Any:
    """An army book in which everybody bears more wounds; nothing has another name."""
    if isinstance(data, dict):
        return {k: v + 3 if k in TOUGH and type(v) is int else tougher(v) for k, v in data.items()}
    return [tougher(one) for one in data] if isinstance(data, list | tuple) else data


def _aos(other: bool) -> dict[str, Any]:
    bolt = {
        "id": "bolt", "timing": "your hero", "target": "enemy", "range": 24,
        "does": [{"do": "mortal", "amount": "6" if other else "1", "who": "target"}],
    }  # fmt: skip
    sword = {"id": "sword", "attacks": "9" if other else "2", "hit": 4, "wound": 4, "rend": 0, "damage": "1"}
    profile = {"abilities": [bolt], "weapons": [sword], "health": 5, "move": 12 if other else 4}
    units = [
        {"id": key, "side": side, "models": [[10.0 + 3 * n, 10.0 + 5 * side] for n in range(3)], "profile": profile}
        for side, key in enumerate(("a1", "b1"))
    ]
    return {"game": "aos", "seed": 3, "position": {"units": units, "phase": "hero", "rounds": 1}}


def _warcry(other: bool) -> dict[str, Any]:
    sword = {"runemark": "sword", "range": 1, "attacks": 8 if other else 2, "strength": 4, "damage": [1, 3]}
    profile = {
        "id": "plain", "name": {"zh": "战士", "en": "fighter"}, "faction": "cinder-kin", "move": 9 if other else 3,
        "toughness": 4, "wounds": 6, "points": 100, "base": 25.4, "height": 1.5, "weapons": [sword],
    }  # fmt: skip
    fighters = [
        {"id": f"{letter}{n}", "side": side, "x": 8.0 + 3 * n, "y": 8.0 + 2 * side, "profile": profile}
        for side, letter in enumerate("ab")
        for n in range(2)
    ]
    return {"game": "warcry", "seed": 3, "position": {"fighters": fighters, "at": "turn"}}


def _conquest(other: bool) -> dict[str, Any]:
    profile = {
        "type": "infantry", "class": "medium", "march": 8 if other else 4, "volley": 1, "clash": 3,
        "attacks": 9 if other else 3, "wounds": 4, "resolve": 3, "defense": 2, "evasion": 1,
        "rules": [{"name": "cleave", "value": 2}] if other else [],
    }  # fmt: skip
    regiments = []
    for side, key in enumerate(("a1", "b1")):
        place = {"x": 30.0, "y": 15.0 + 3 * side, "facing": 180.0 * side}
        regiments.append({"id": key, "side": side, "stands": 3, "profile": profile, **place})
    return {"game": "conquest", "seed": 3, "position": {"regiments": regiments, "who": "a1"}}


def _wh40k(other: bool) -> dict[str, Any]:
    gun = {"id": "gun", "type": "assault", "range": 24, "attacks": "6" if other else "1", "s": "4"}
    aura = {"id": "aura", "range": 6, "does": [{"name": "modify", "what": "hit", "value": -1 if other else 1}]}
    profile = {"weapons": [gun], "abilities": [aura], "m": 12 if other else 5, "w": 3}
    units = [
        {"id": key, "side": side, "models": [[10.0 + 2 * n, 8.0 + 12 * side] for n in range(4)], "profile": profile}
        for side, key in enumerate(("a1", "b1"))
    ]
    return {"game": "wh40k", "seed": 3, "position": {"units": units, "phase": "movement", "mission": {"rounds": 1}}}


def _t9a(other: bool) -> dict[str, Any]:
    hits = "9" if other else "1"
    zap = {"id": "zap", "name": {"zh": "击", "en": "Zap"}, "value": 3, "range": 24, "hits": hits, "str": 4}
    profile = {"mob": 9 if other else 4, "cha": 9 if other else 4, "hp": 1, "res": 2 if other else 4}
    units = [
        {"id": key, "side": side, "models": 10, "x": 36, "y": 16 + 16 * side, "facing": 180 * side, "profile": profile}
        for side, key in enumerate(("a1", "b1"))
    ]
    mage = {"id": "m", "models": 1, "files": 1, "x": 46, "y": 16, "character": True, "wizard": "master"}
    position = {"units": [*units, {**mage, "spells": ["zap"]}], "spells": [zap], "moment": "movement"}
    return {"game": "t9a", "seed": 3, "dice": ["seeded"], "position": position}
