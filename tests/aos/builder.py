"""A small builder of scenes, so that a rule's test is a few lines. Bases are 1 inch across unless a test says so."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.events import Event
from umpire.engine.scene import scene as start

INCH = 25.4
STATE = (
    "where", "slain", "damage", "regiment", "charged", "fought", "arrived", "core", "keywords_turn", "used_phase",
    "used_turn", "used_battle", "commanded", "ritual", "power", "empowered", "summoner", "reserve_by_deploy",
    "enhancements", "roles", "tokens", "warscroll",
)  # fmt: skip


def melee(**changes: Any) -> dict[str, Any]:
    return {"id": "sword", "attacks": "1", "hit": 4, "wound": 4, "rend": 0, "damage": "1", **changes}


def bow(**changes: Any) -> dict[str, Any]:
    return melee(**{"id": "bow", "range": 12.0, **changes})


def spell(key: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": key, "timing": "your hero", "keywords": ["spell"], "value": 7, "target": "enemy", "range": 24,
        "does": [{"do": "mortal", "amount": "2", "who": "target"}], **changes,
    }  # fmt: skip


def unit(key: str, *spots: tuple[float, ...], **more: Any) -> dict[str, Any]:
    """A unit whose id begins with its side's letter; what is no state of a unit goes into its profile."""
    state = {name: more.pop(name) for name in STATE if name in more}
    profile = {"base": [INCH], "weapons": [melee()], **more}
    return {"id": key, "side": "ab".index(key[0]), "models": [list(s) for s in spots], "profile": profile, **state}


def row(x: float, y: float, count: int, gap: float = 0.5) -> list[tuple[float, float]]:
    """Models side by side, their bases so far apart."""
    return [(x + n * (1.0 + gap), y) for n in range(count)]


def scene(*units: dict[str, Any], dice: list[int] | None = None, seed: int = 0, **position: Any) -> Battle[Any]:
    position.setdefault("objectives", [])
    return start({"game": "aos", "seed": seed, "dice": dice, "position": {"units": list(units), **position}})


def block(x: float, y: float, width: float, depth: float, top: float, **more: Any) -> dict[str, Any]:
    """A rectangular terrain feature about its middle."""
    w, d = width / 2, depth / 2
    return {"x": x, "y": y, "points": [[-w, -d], [w, -d], [w, d], [-w, d]], "top": top, **more}


def ask(battle: Battle[Any]) -> Decision:
    assert battle.decision is not None, "the battle is over"
    return battle.decision


def options(battle: Battle[Any]) -> list[str]:
    return list(getattr(ask(battle), "options", {}))


def do(battle: Battle[Any], *answers: Any) -> Battle[Any]:
    for answer in answers:
        battle.answer(answer)
    return battle


def refused(battle: Battle[Any], answer: Any) -> list[str]:
    """The rules by which an answer is refused; empty if it is legal."""
    return list(ask(battle).check(answer).rules)


def told(battle: Battle[Any], kind: str) -> list[Event]:
    return [event for event in battle.events if event.kind == kind]


def kinds(battle: Battle[Any]) -> list[str]:
    return [event.kind for event in battle.events]


def cites(battle: Battle[Any], rule: str) -> bool:
    return any(rule in event.rules for event in battle.events)


def rolls(battle: Battle[Any], purpose: str) -> list[list[int]]:
    return [
        e.roll.faces for e in battle.events if e.kind == "roll" and e.roll is not None and e.roll.purpose == purpose
    ]


def to(x: float, y: float) -> dict[str, Any]:
    return {"to": {"x": x, "y": y}}


def at(**models: tuple[float, ...]) -> dict[str, Any]:
    """An answer model by model: a1_2=(x, y) is model a1.2."""
    return {"models": {key.replace("_", "."): {"x": spot[0], "y": spot[1]} for key, spot in models.items()}}


def skip_to(battle: Battle[Any], prompt: str) -> Battle[Any]:
    """Say done or pass until a question with this prompt is asked."""
    for _ in range(60):
        if ask(battle).prompt.key == prompt:
            return battle
        there = options(battle)
        answer = next((o for o in ("done", "pass") if o in there), None)
        battle.answer(answer if answer is not None else ask(battle).suggest())
    raise AssertionError(f"{prompt} was never asked: {ask(battle)}")


STAY = {"stay": True}
