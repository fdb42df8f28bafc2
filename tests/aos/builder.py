"""A small builder of scenes, so that a rule's test is a few lines. Bases are 1 inch across unless a test says so."""

from __future__ import annotations

from typing import Any

from asking import STAY, ask, at, cites, do, kinds, needs, options, reasons, rolls, skip_to, to, told  # noqa: F401
from umpire.engine.battle import Battle
from umpire.engine.scene import scene as start

refused = reasons

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
