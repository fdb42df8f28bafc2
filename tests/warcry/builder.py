"""A small builder of scenes, so that a rule's test is a few lines."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.rulings import Ruling
from umpire.engine.scene import scene as start
from umpire.text import catalogue

RADIUS = 0.5
"""All bases of these tests are 1 inch across unless a test says otherwise."""

WEAPON_RUNEMARKS = {key.removeprefix("weapon.") for key in catalogue("warcry") if key.startswith("weapon.")}
"""The runemarks of weapons that have a word of their own."""

BOX = {"id": "box", "name": {"zh": "箱", "en": "box"}, "parts": [{"rect": [0, 0, 4, 4], "top": 3}]}
"""A solid block of 4 by 4 inches with a platform 3 inches up."""


def profile(**changes: Any) -> dict[str, Any]:
    """A plain fighter: Move 5, Toughness 4, 10 wounds, a sword, on a base of 1 inch."""
    return {
        "id": "plain",
        "name": {"zh": "战士", "en": "fighter"},
        "faction": "cinder-kin",
        "move": 5,
        "toughness": 4,
        "wounds": 10,
        "points": 100,
        "base": 25.4,
        "height": 1.5,
        "weapons": [weapon()],
        **changes,
    }


def weapon(**changes: Any) -> dict[str, Any]:
    return {"runemark": "sword", "range": 1, "attacks": 3, "strength": 4, "damage": [1, 3], **changes}


def fighter(key: str, x: float, y: float, z: float = 0.0, **more: Any) -> dict[str, Any]:
    """Side 0 for ids that begin with a, side 1 for b; what belongs to the profile goes there."""
    state = (
        "where",
        "group",
        "damage",
        "activations",
        "reactions",
        "waiting",
        "climbing",
        "carrying",
        "leader",
        "felled_in",
    )
    own = {k: v for k, v in more.items() if k not in state}
    rest = {k: v for k, v in more.items() if k in state}
    return {"id": key, "side": 0 if key[0] == "a" else 1, "x": x, "y": y, "z": z, "profile": profile(**own), **rest}


def piece(*parts: dict[str, Any], key: str = "piece") -> dict[str, Any]:
    return {"id": key, "name": {"zh": "件", "en": "piece"}, "parts": list(parts)}


def scene(*fighters: dict[str, Any], dice: list[int] | None = None, seed: int = 0, **position: Any) -> Battle[Any]:
    """A battle from a position; `active` alone means that this fighter acts now."""
    if "active" in position:
        position.setdefault("at", "act")
    pieces = position.setdefault("pieces", [])
    position.setdefault("terrain", [{"piece": p["id"], "x": 15, "y": 11} for p in pieces])
    body = {"game": "warcry", "seed": seed, "dice": dice, "position": {"fighters": list(fighters), **position}}
    return start(body)


def ask(battle: Battle[Any]) -> Decision:
    assert battle.decision is not None
    return battle.decision


def rules(ruling: Ruling) -> tuple[str, ...]:
    return ruling.rules


def refused(battle: Battle[Any], answer: Any) -> tuple[str, ...]:
    """The rules by which an answer is refused; legal answers fail the test."""
    ruling = battle.check(answer)
    assert not ruling.legal, f"{answer} is legal"
    return ruling.rules


def kinds(battle: Battle[Any]) -> list[str]:
    return [event.kind for event in battle.events]


def fired(battle: Battle[Any]) -> set[str]:
    return {rule for event in battle.events for rule in event.rules}


def last(battle: Battle[Any], kind: str) -> Any:
    """The facts of the last event of a kind."""
    return next(event.facts for event in reversed(battle.events) if event.kind == kind)


def walk(*points: tuple[float, float]) -> dict[str, Any]:
    return {"path": [{"how": "walk", "x": x, "y": y} for x, y in points]}


def path(*legs: tuple[Any, ...]) -> dict[str, Any]:
    """Legs as (how, x, y) or (how, x, y, z) with options at the end as a dict."""
    out = []
    for how, x, y, *rest in legs:
        leg: dict[str, Any] = {"how": how, "x": x, "y": y}
        for item in rest:
            leg.update(item if isinstance(item, dict) else {"z": item})
        out.append(leg)
    return {"path": out}


def act(battle: Battle[Any], *answers: Any) -> Battle[Any]:
    for answer in answers:
        battle.answer(answer)
    return battle
