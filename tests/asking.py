"""What the tests of every game ask of a battle: its question, its answers, what was refused, told and rolled."""

from __future__ import annotations

from typing import Any

import msgspec

from umpire import files
from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.events import Event
from umpire.engine.scene import SceneFile
from umpire.engine.staging import played

STAY = {"stay": True}


def ask(battle: Battle[Any]) -> Decision:
    assert battle.decision is not None, "the battle is over"
    return battle.decision


def prompt(battle: Battle[Any]) -> str:
    return ask(battle).prompt.key


def options(battle: Battle[Any]) -> list[str]:
    """What may be chosen now."""
    return list(getattr(ask(battle), "options", {}))


def do(battle: Battle[Any], *answers: Any) -> Battle[Any]:
    for answer in answers:
        battle.answer(answer)
    return battle


def skip_to(battle: Battle[Any], wanted: str) -> Battle[Any]:
    """Say done or pass until a question with this prompt is asked."""
    for _ in range(60):
        if prompt(battle) == wanted:
            return battle
        there = options(battle)
        answer = next((o for o in ("done", "pass") if o in there), None)
        battle.answer(answer if answer is not None else ask(battle).suggest())
    raise AssertionError(f"{wanted} was never asked: {ask(battle)}")


def reasons(battle: Battle[Any], answer: Any) -> list[str]:
    """The rules by which an answer is refused; empty if it is legal."""
    return list(ask(battle).check(answer).rules)


def refused(battle: Battle[Any], answer: Any, *rules: str) -> None:
    """The answer is illegal, by these rules at least, and nothing has changed."""
    before = msgspec.msgpack.encode(battle.state)
    ruling = battle.check(answer)
    assert not ruling.legal, f"{answer} should be refused"
    missing = [rule for rule in rules if rule not in ruling.rules]
    assert not missing, f"refused by {ruling.rules}, not by {missing}"
    assert msgspec.msgpack.encode(battle.state) == before


def allowed(battle: Battle[Any], answer: Any) -> None:
    ruling = battle.check(answer)
    assert ruling.legal, str(ruling)


def told(battle: Battle[Any], kind: str) -> list[Event]:
    """The events of a kind."""
    return [event for event in battle.events if event.kind == kind]


def kinds(battle: Battle[Any]) -> list[str]:
    return [event.kind for event in battle.events]


def last(battle: Battle[Any], kind: str) -> dict[str, Any]:
    """The facts of the last event of a kind."""
    found = told(battle, kind)
    assert found, f"no event {kind}; there were {sorted(set(kinds(battle)))}"
    return found[-1].facts


def cites(battle: Battle[Any], rule: str) -> bool:
    return any(rule in event.rules for event in battle.events)


def fired(battle: Battle[Any], *rules: str) -> None:
    """Some event cites each of these rules."""
    missing = [rule for rule in rules if not cites(battle, rule)]
    assert not missing, f"not cited: {missing}"


def rolls(battle: Battle[Any], purpose: str) -> list[list[int]]:
    """The faces of each roll of a purpose."""
    return [e.roll.faces for e in told(battle, "roll") if e.roll is not None and e.roll.purpose == purpose]


def rolled(battle: Battle[Any], purpose: str) -> list[int]:
    """How many dice each roll of a purpose had."""
    return [len(faces) for faces in rolls(battle, purpose)]


def needs(battle: Battle[Any], purpose: str) -> list[int]:
    """The face that each roll of a purpose needed."""
    return [e.roll.need for e in told(battle, "roll") if e.roll is not None and e.roll.purpose == purpose]


def to(x: float, y: float) -> dict[str, Any]:
    return {"to": {"x": x, "y": y}}


def at(**models: tuple[float, ...]) -> dict[str, Any]:
    """An answer model by model: a1_2=(x, y) is model a1.2."""
    return {"models": {key.replace("_", "."): {"x": spot[0], "y": spot[1]} for key, spot in models.items()}}


def judged(game: str, text: str) -> None:
    """A scene as somebody writes it who knows the docs alone; everything comes as it expects."""
    source = files.parse(f"game: {game}\n{text}", f"{game}.yaml")
    complaints = list(played(source.convert(SceneFile), source).complaints("en"))
    assert not complaints, complaints


def as_usual(steps: Any) -> None:
    """Steps carried out by hand, every question answered as usual."""
    ask = next(steps, None)
    while ask is not None:
        try:
            ask = steps.send(ask.default)
        except StopIteration:
            return
