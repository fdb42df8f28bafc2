"""A small builder of scenes, so that a rule's test is a few lines. Bases are 1 inch across unless a test says so."""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.events import Event
from umpire.engine.scene import scene as start

STATE = (
    "sheet", "rows", "arms", "wounds", "where", "aboard", "left", "began_aboard", "starting", "detachment", "dead",
    "died", "chosen", "warlord", "gifts", "powers", "marks", "acts", "targets", "allocated", "fired", "fights",
    "action", "until",
)  # fmt: skip
OWN = ("move", "points", "power")
"""Words that both a unit's state and a profile know: state if they are written with a leading underscore."""
STAY = {"stay": True}


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


def ask(battle: Battle[Any]) -> Decision:
    assert battle.decision is not None, "the battle is over"
    return battle.decision


def prompt(battle: Battle[Any]) -> str:
    return ask(battle).prompt.key


def options(battle: Battle[Any]) -> list[str]:
    return list(getattr(ask(battle), "options", {}))


def do(battle: Battle[Any], *answers: Any) -> Battle[Any]:
    for answer in answers:
        battle.answer(answer)
    return battle


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


def needs(battle: Battle[Any], purpose: str) -> list[int]:
    """The faces that rolls of a purpose needed."""
    return [e.roll.need for e in battle.events if e.kind == "roll" and e.roll is not None and e.roll.purpose == purpose]


def to(x: float, y: float) -> dict[str, Any]:
    return {"to": {"x": x, "y": y}}


def at(**models: tuple[float, ...]) -> dict[str, Any]:
    """An answer model by model: a1_2=(x, y) is model a1.2."""
    return {"models": {key.replace("_", "."): {"x": spot[0], "y": spot[1]} for key, spot in models.items()}}


def skip_to(battle: Battle[Any], wanted: str) -> Battle[Any]:
    """Say done or pass until a question with this prompt is asked."""
    for _ in range(60):
        if prompt(battle) == wanted:
            return battle
        there = options(battle)
        answer = next((o for o in ("done", "pass") if o in there), None)
        battle.answer(answer if answer is not None else ask(battle).suggest())
    raise AssertionError(f"{wanted} was never asked: {ask(battle)}")


def alive(battle: Battle[Any], key: str) -> int:
    """How many models a unit has left."""
    return len(battle.state.unit(key).models)
