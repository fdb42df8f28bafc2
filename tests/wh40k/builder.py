"""A small builder of scenes, so that a rule's test is a few lines. Bases are 1 inch across unless a test says so."""

from __future__ import annotations

from typing import Any

import asking
from asking import STAY, ask, at, cites, do, kinds, needs, prompt, reasons, rolls, skip_to, to, told  # noqa: F401
from umpire.engine.battle import Battle
from umpire.engine.scene import scene as start

refused = reasons
options = asking.options

STATE = (
    "sheet", "rows", "arms", "wounds", "where", "aboard", "left", "began_aboard", "starting", "detachment", "dead",
    "died", "chosen", "warlord", "gifts", "powers", "marks", "acts", "targets", "allocated", "fired", "fights",
    "action", "until",
)  # fmt: skip
OWN = ("move", "points", "power")
"""Words that both a unit's state and a profile know: state if they are written with a leading underscore."""


def gun(**changes: Any) -> dict[str, Any]:
    return {"id": "gun", "type": "rapid-fire", "range": 24, "attacks": "1", "s": "4", **changes}


def sword(**changes: Any) -> dict[str, Any]:
    return {"id": "sword", "type": "melee", "s": "user", **changes}


def ability(name: str, **does: Any) -> dict[str, Any]:
    """An ability with one special rule; what belongs to the ability itself (range, whom, keywords) is told apart."""
    outer = {key: does.pop(key) for key in ("range", "whom", "keywords", "id") if key in does}
    return {"id": outer.pop("id", name), "does": [{"name": name, **does}], **outer}


def unit(key: str, *spots: tuple[float, ...], **more: Any) -> dict[str, Any]:
    """A unit whose id begins with its side's letter; what is no state of a unit goes into its datasheet, whose kinds of
    model are `kinds` (`rows` says which model is of which)."""
    state = {name: more.pop(name) for name in STATE if name in more}
    if "kinds" in more:
        more["rows"] = more.pop("kinds")
    state |= {name[1:]: more.pop(name) for name in list(more) if name[1:] in OWN and name[0] == "_"}
    return {"id": key, "side": "ab".index(key[0]), "models": [list(s) for s in spots], "profile": more, **state}


def row(x: float, y: float, count: int, gap: float = 0.5) -> list[tuple[float, float]]:
    """Models side by side, their bases so far apart."""
    return [(x + n * (1.0 + gap), y) for n in range(count)]


def scene(
    *units: dict[str, Any],
    dice: list[int] | None = None,
    seed: int = 0,
    options: Any = None,
    readings: Any = None,
    **position: Any,
) -> Battle[Any]:
    if readings:
        position["options"] = readings
    whole = {"game": "wh40k", "seed": seed, "dice": dice, "position": {"units": list(units), **position}}
    return start({**whole, **({"options": options} if options else {})})


def area(kind: str, x: float, y: float, width: float, depth: float, **more: Any) -> dict[str, Any]:
    """A rectangular terrain feature about its middle."""
    w, d = width / 2, depth / 2
    return {"type": kind, "x": x, "y": y, "points": [(-w, -d), (w, -d), (w, d), (-w, d)], **more}


def solid(kind: str, x: float, y: float, width: float, depth: float, top: float, **more: Any) -> dict[str, Any]:
    """A feature that is one solid body."""
    w, d = width / 2, depth / 2
    points = [(-w, -d), (w, -d), (w, d), (-w, d)]
    return {"type": kind, "x": x, "y": y, "points": points, "parts": [{"points": points, "top": top}], **more}


def aim(*shots: str) -> list[dict[str, Any]]:
    """A declaration: "a1.1/0/shot>b1" is weapon 0 of model a1.1, profile shot, at b1."""
    out = []
    for shot in shots:
        arms, _, target = shot.partition(">")
        place, _, profile = arms.rpartition("/")
        out.append({"row": place, "choose": {"profile": profile, "target": target}})
    return out


def fire(battle: Battle[Any], target: str = "b1", profile: str = "shot") -> Battle[Any]:
    """Every weapon that is offered at one unit."""
    rows = ask(battle).rows  # type: ignore[attr-defined]
    wanted = [row for row in rows if any(o.id == target for o in rows[row].choices["target"])]
    return do(battle, aim(*(f"{row}/{profile}>{target}" for row in wanted)))


def strike(*blows: str) -> list[dict[str, Any]]:
    """Melee attacks: "a1.1:3 sword/shot>b1" are three attacks of model a1.1."""
    out = []
    for blow in blows:
        head, _, rest = blow.partition(" ")
        model, _, count = head.partition(":")
        weapon, _, target = rest.partition(">")
        out.append({"row": model, "choose": {"weapon": weapon, "target": target}, "count": int(count or 1)})
    return out


def alive(battle: Battle[Any], key: str) -> int:
    """How many models a unit has left."""
    return len(battle.state.unit(key).models)
