"""What a scene expects: that something is legal or refused, that something happened, that something is asked.

```yaml
expect: legal                              # the answer, or what is asked about, is legal
expect: refused by aos.charge.charge       # it is refused, and for these rules (`and` between several)
expect: event charge-roll                  # such an event has come of it
expect: {event: damage, wounds: 3}         # with these facts
expect: rule warcry.fall.impact            # an event cites this rule
expect: asked ask.target                   # this question is open now
expect: {asked: ask.target, side: 1, option: b2, no-option: b3}
expect: {state: {units.a1.damage: 2}}      # the data at that path
expect: over                               # the battle is over
expect: {winner: 0}
expect: [legal, {not: event fall}]         # several; and what must not be
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.events import Event
from umpire.engine.rulings import Ruling
from umpire.errors import fault, unknown
from umpire.rulebook.ledger import exists
from umpire.text import Text, catalogue


class Expected:
    """One thing that is expected."""

    def met(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> bool:
        raise NotImplementedError

    def instead(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> Text:
        """What is so instead."""
        raise NotImplementedError


class Legal(Expected):
    def met(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> bool:
        return ruling is not None and ruling.legal

    def instead(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> Text:
        return Text("scene.refused", {"rules": list(ruling.rules) if ruling is not None else []})


class Refused(Expected):
    """Refused, and by these rules among others."""

    def __init__(self, rules: list[str]) -> None:
        self.rules = rules

    def met(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> bool:
        return ruling is not None and not ruling.legal and all(rule in ruling.rules for rule in self.rules)

    def instead(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> Text:
        if ruling is None or ruling.legal:
            return Text("scene.legal")
        return Text("scene.refused-by", {"rules": list(ruling.rules), "expected": self.rules})


class Happened(Expected):
    """An event of this kind, or one that cites this rule, with these facts."""

    def __init__(self, kind: str, rule: str, facts: dict[str, Any]) -> None:
        self.kind, self.rule, self.facts = kind, rule, facts

    def _is(self, event: Event) -> bool:
        if (self.kind and event.kind != self.kind) or (self.rule and self.rule not in event.rules):
            return False
        given = _facts(event)
        return all(_like(given.get(name), value) for name, value in self.facts.items())

    def met(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> bool:
        return any(self._is(event) for event in events)

    def instead(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> Text:
        came = [_facts(event) for event in events if event.kind == self.kind]
        same = [{name: given.get(name) for name in self.facts} for given in came]
        if same:
            return Text("scene.event-facts", {"event": self.kind, "facts": f"{same}"[:300]})
        kinds = list(dict.fromkeys(event.kind for event in events))
        return Text("scene.no-event", {"event": self.kind or self.rule, "events": kinds})


class Asked(Expected):
    """This question is open, of this side, with and without these options."""

    def __init__(self, key: str, side: int | None, option: str, no_option: str) -> None:
        self.key, self.side, self.option, self.no_option = key, side, option, no_option

    def _is(self, ask: Decision) -> bool:
        if ask.prompt.key != self.key or self.side not in (None, ask.side):
            return False
        options = getattr(ask, "options", {})
        return (not self.option or self.option in options) and (not self.no_option or self.no_option not in options)

    def met(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> bool:
        return any(self._is(ask) for ask in battle.decisions)

    def instead(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> Text:
        found = [
            f"{ask.prompt.key} (side {ask.side}) {list(getattr(ask, 'options', {}))[:12]}" for ask in battle.decisions
        ]
        return Text("scene.asked", {"found": found})


class Is(Expected):
    """The data at these paths."""

    def __init__(self, values: dict[str, Any], where: str) -> None:
        self.values, self.where = values, where

    def _wrong(self, battle: Battle[Any]) -> dict[str, Any]:
        for path in self.values:
            _spelt(battle.state, path, f"{self.where}.state")
        data = msgspec.json.decode(msgspec.json.encode(battle.state))  # lists and words, as a file writes them
        found = {path: _at(data, path) for path in self.values}
        return {path: found[path] for path, value in self.values.items() if not _like(found[path], value)}

    def met(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> bool:
        return not self._wrong(battle)

    def instead(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> Text:
        return Text("scene.state", {"found": f"{self._wrong(battle)}"[:300]})


class Over(Expected):
    def __init__(self, winner: Any = msgspec.UNSET) -> None:
        self.winner = winner

    def met(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> bool:
        if battle.outcome is None:
            return False
        return self.winner is msgspec.UNSET or battle.outcome.winner == self.winner

    def instead(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> Text:
        if battle.outcome is None:
            return Text("scene.not-over")
        return Text("scene.outcome", {"found": f"{battle.outcome.winner}"})


class Not(Expected):
    def __init__(self, inner: Expected, said: str) -> None:
        self.inner, self.said = inner, said

    def met(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> bool:
        return not self.inner.met(battle, ruling, events)

    def instead(self, battle: Battle[Any], ruling: Ruling | None, events: Sequence[Event]) -> Text:
        return Text("scene.not", {"what": self.said})


def _facts(event: Event) -> dict[str, Any]:
    """What an event tells, and what its roll was about."""
    roll = msgspec.to_builtins(event.roll) if event.roll is not None else {}
    return {**roll, **msgspec.to_builtins(event.facts)}


def _like(found: Any, wanted: Any) -> bool:
    """Equal, numbers to a thousandth of an inch."""
    if isinstance(found, float) or (isinstance(wanted, float) and isinstance(found, int)):
        return isinstance(wanted, (int, float)) and abs(found - wanted) <= 0.001
    return bool(found == wanted)


def _at(data: Any, path: str) -> Any:
    """The value at `units.a1.models.0.x`; a list's entry also by its id."""
    for part in path.split("."):
        if isinstance(data, dict):
            data = data.get(part)
        elif isinstance(data, list):
            named = next((one for one in data if isinstance(one, dict) and one.get("id") == part), None)
            if named is None and part.isdigit() and int(part) < len(data):
                named = data[int(part)]
            data = named
        else:
            return None
    return data


def _spelt(data: Any, path: str, where: str) -> None:
    """Is every field on a path one that there is? What must not stand in any other would never stand there."""
    for part in path.split("."):
        if isinstance(data, msgspec.Struct):
            fields = dict(zip(data.__struct_encode_fields__, data.__struct_fields__, strict=True))
            if part not in fields:
                raise fault("error.field.unknown", where, field=part)
            data = getattr(data, fields[part])
        elif isinstance(data, (list, tuple)):
            named = [one for one in data if getattr(one, "id", None) == part]
            if not named and part.isdigit() and int(part) < len(data):
                named = [data[int(part)]]
            if not named and data and all(getattr(one, "id", "") for one in data):
                raise unknown("unit", part, where, [one.id for one in data])
            data = named[0] if named else None
        else:
            if (
                isinstance(data, dict)
                and data
                and part not in data
                and isinstance(next(iter(data.values())), msgspec.Struct)
            ):
                raise unknown("unit", part, where, data)
            data = data.get(part) if isinstance(data, dict) else None


def read(given: Any, where: str, game: str) -> list[Expected]:
    """What stands in `expect` or `until`; every rule, event and question that it names must be one of the game's."""
    if given is None:
        return []
    parts = enumerate(given) if isinstance(given, list) else ((-1, given),)
    found = []
    for n, part in parts:
        here = where if n < 0 else f"{where}[{n}]"
        one = _one(part, here, game)
        if where in ALONE and isinstance(one.inner if isinstance(one, Not) else one, Legal | Refused):
            raise fault("error.scene.expect-ruling", here, given=f"{part}"[:80])
        found.append(one)
    return found


ALONE = ("expect", "until")
"""Here nobody has wished for anything: there is no ruling to expect."""


def _one(given: Any, where: str, game: str) -> Expected:
    if isinstance(given, str):
        word, _, rest = given.partition(" ")
        if given in ("legal", "nothing"):
            return Legal()
        if given == "refused":
            return Refused([])
        if given == "over":
            return Over()
        if word == "refused" and rest.startswith("by "):
            rules = [part.strip(",") for part in rest.split()[1:] if part != "and"]
            return Refused([_rule(rule, where) for rule in rules])
        if word == "event" and rest:
            return Happened(_event(rest, where, game), "", {})
        if word == "rule" and rest:
            return Happened("", _rule(rest, where), {})
        if word == "asked" and rest:
            return Asked(_question(rest, where, game), None, "", "")
    elif isinstance(given, dict):
        if "event" in given:
            return Happened(
                _event(f"{given['event']}", where, game), "", {k: v for k, v in given.items() if k != "event"}
            )
        if "rule" in given:
            return Happened("", _rule(f"{given['rule']}", where), {k: v for k, v in given.items() if k != "rule"})
        sides = given.get("side") in (0, 1, None)
        if "asked" in given and sides and set(given) <= {"asked", "side", "option", "no-option"}:
            words = [str(given.get(name, "")) for name in ("option", "no-option")]
            return Asked(_question(f"{given['asked']}", where, game), given.get("side"), *words)
        if set(given) == {"refused"}:
            rules = given["refused"]
            return Refused([_rule(rule, where) for rule in ([rules] if isinstance(rules, str) else rules)])
        if set(given) == {"state"} and isinstance(given["state"], dict):
            return Is(given["state"], where)
        if set(given) == {"winner"} and given["winner"] in (0, 1, None):
            return Over(given["winner"])
        if set(given) == {"not"}:
            return Not(_one(given["not"], f"{where}.not", game), f"{given['not']}")
    raise fault("error.scene.expect", where, given=f"{given}"[:80])


def _rule(rule: str, where: str) -> str:
    if not exists(rule):
        raise unknown("rule", rule, where)
    return rule


def _event(kind: str, where: str, game: str) -> str:
    keys = _sentences(game)
    if keys and not any(key == f"event.{kind}" or key.startswith(f"event.{kind}.") for key in keys):
        raise unknown("event", kind, where)
    return kind


def _question(key: str, where: str, game: str) -> str:
    keys = _sentences(game)
    if keys and key not in keys:
        raise unknown("question", key, where)
    return key


def _sentences(game: str) -> dict[str, dict[str, str]]:
    """What a game says, if it says anything of its own."""
    found = catalogue(game)
    return found if len(found) > len(catalogue("")) else {}
