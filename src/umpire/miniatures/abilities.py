"""Abilities: what units may use at named moments, how often, and whose they are.

Who answers, and in which order, is a window (`engine.windows`). A book's own abilities are the same in every battle and
stand in a `Table`. What profiles, lores and army books bring belongs to the battle that was set up with them: it is
data in that battle's state, and `Owned` makes abilities of it without a name of one battle ever meaning anything in
another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from umpire.engine.state import State


class Known(Protocol):
    """An ability as tables keep it: its id, the rule by which it exists, and the moment or phase at which it is used
    (nothing for one that answers what others do)."""

    @property
    def id(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def phase(self) -> str: ...


A = TypeVar("A", bound=Known)
T = TypeVar("T")
O = TypeVar("O")  # noqa: E741 - whoever owns abilities


class Table(Generic[A]):
    """The abilities that a book gives to everybody."""

    def __init__(self) -> None:
        self._all: dict[str, A] = {}
        self._at: dict[str, list[A]] = {}

    def add(self, ability: A) -> A:
        assert ability.id not in self._all, f"two abilities are called {ability.id}"
        self._all[ability.id] = ability
        self._at.setdefault(ability.phase, []).append(ability)
        return ability

    def get(self, key: str) -> A | None:
        return self._all.get(key)

    def all(self) -> Iterator[A]:
        return iter(self._all.values())

    def at(self, state: State, phase: str) -> Sequence[A]:
        """What may be used at a moment; the abilities of rules that are switched off are gone."""
        found = self._at.get(phase, ())
        return [a for a in found if a.rule not in state.without] if state.without else found


class Owned(Generic[O, T]):
    """Abilities made of data, or what follows from the data alone, for as long as they are in use.

    They are kept by the very object that holds the data, not by any name in it, so two battles whose data bear the
    same names never see each other's. Forks of a battle share their frozen data and so what was made of them.
    """

    def __init__(self, make: Callable[[O], T], most: int = 2048) -> None:
        self._make = make
        self._most = most
        self._made: dict[int, tuple[O, T]] = {}

    def of(self, owner: O) -> T:
        entry = self._made.get(id(owner))
        if entry is not None and entry[0] is owner:
            return entry[1]
        if len(self._made) >= self._most:
            self._made.clear()
        made = self._make(owner)
        self._made[id(owner)] = (owner, made)
        return made
