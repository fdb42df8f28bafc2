"""What steps do to a battle: put further steps on the agenda, tell what happened, roll, end it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import msgspec

from umpire.engine.dice import Roll, throw
from umpire.engine.events import Event, Outcome
from umpire.engine.game import Setup
from umpire.engine.state import State, Task
from umpire.engine.steps import step_name

S = TypeVar("S", bound=State)


class Doing(Generic[S]):
    """The part of a battle that its rules use."""

    __slots__ = ("events", "setup", "state")

    setup: Setup
    state: S
    events: list[Event]

    def push(self, step: Callable[..., Any], *args: Any) -> None:
        """Do this step next."""
        self.state.agenda.append(Task(step_name(step), args))

    def plan(self, *steps: Callable[..., Any] | tuple[Any, ...]) -> None:
        """Do these steps next, in this order."""
        due = self.state.agenda
        for entry in reversed(steps):
            if type(entry) is tuple:
                due.append(Task(step_name(entry[0]), entry[1:]))
            else:
                due.append(Task(step_name(entry)))

    def finish(self, outcome: Outcome) -> None:
        """The battle is over."""
        self.state.outcome = outcome
        self.emit("outcome", *outcome.rules, winner=outcome.winner, score=list(outcome.score))

    def emit(self, kind: str, *rules: str, seen: tuple[int, ...] | None = None, **facts: Any) -> Event:
        """Tell what happened: facts, and the rules that made it so."""
        event = Event(kind, tuple(dict.fromkeys(rules)) if len(rules) > 1 else rules, facts, None, seen)
        self.events.append(event)
        return event

    def reveal(self) -> None:
        """Something hidden has come to light: what led to it can no longer be taken back."""
        self.state.dice.shown += 1

    def roll(
        self,
        count: int,
        purpose: str,
        cite: str = "",
        *,
        sides: int = 6,
        side: int | None = None,
        who: str = "",
        need: int = 0,
        **facts: Any,
    ) -> Roll:
        """Roll dice for a purpose, by a rule. The roll is an event of its own."""
        roll = Roll(purpose, cite, sides, [], side, who, need)
        roll.faces = self._throw(roll, count)
        self.events.append(Event("roll", (cite,) if cite else (), facts, roll))
        return roll

    def reroll(self, roll: Roll, indices: Iterable[int] | None = None, cite: str = "", **facts: Any) -> Roll:
        """Roll some dice of a roll again; dice that have been re-rolled already stay. The new faces stand."""
        which = range(len(roll.faces)) if indices is None else indices
        again = [i for i in which if not roll.rerolled(i)]
        new = msgspec.structs.replace(roll, faces=roll.faces[:], first=roll.first[:] or [0] * len(roll.faces))
        for i, face in zip(again, self._throw(roll, len(again)), strict=True):
            new.first[i] = new.faces[i]
            new.faces[i] = face
        rules = tuple(rule for rule in (cite, roll.rule) if rule)
        self.events.append(Event("reroll", rules, facts, new))
        return new

    def _throw(self, roll: Roll, count: int) -> list[int]:
        return throw(self.state.dice, roll, count, self._key)

    def d3(self, purpose: str, cite: str = "", **more: Any) -> int:
        """A D3: half a D6, rounded up."""
        return (self.roll(1, purpose, cite, **more).faces[0] + 1) // 2

    def random(self, n: int) -> int:
        """A fair whole number from 0 to n - 1 from the battle's own dice, for decks that are shuffled in the battle."""
        dice = self.state.dice
        dice.rolled += 1
        if dice.source == "keyed":
            return dice.draw(n, 1, self._key())[0] - 1
        if dice.source not in ("seed", "mixed"):
            dice.state ^= self.setup.seed
        return dice.draw(n, 1)[0] - 1

    def _key(self) -> bytes:
        assert self.setup.fairness is not None
        return self.setup.fairness.key
