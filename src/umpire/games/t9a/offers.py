"""Who or what may be chosen, found out one after the other: a question is put as soon as there is one, and of the
others only those are asked about that somebody chooses or reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng

from .formation import still
from .state import State


class Offers:
    """Those of the `likely` that `may` be chosen; false if there is none. `sure`: it is known that there is one."""

    def __init__(
        self, battle: Battle[State], likely: Callable[[], Iterable[str]], may: Callable[[str], bool], sure: bool = False
    ) -> None:
        self._state, self._may = battle.state, may
        self.likely, self._told = battle.know(lambda: still(self._state, lambda: self._begun(likely(), sure)))

    def _begun(self, likely: Iterable[str], sure: bool) -> tuple[list[str], dict[str, bool]]:
        """Those that are left from the first who may be chosen, and what is known of them."""
        if sure:
            return list(likely), {}
        found = iter(likely)
        for key in found:
            if self._may(key):
                return [key, *found], {key: True}
        return [], {}

    def __bool__(self) -> bool:
        return bool(self.likely)

    def __contains__(self, key: str) -> bool:
        if key not in self._told:
            if key not in self.likely:
                return False
            self._told[key] = still(self._state, lambda: self._may(key))
        return self._told[key]

    @property
    def ids(self) -> list[str]:
        return [key for key in self.likely if key in self]

    def one(self, rng: Rng, *more: str) -> str:
        """One of them or of others that are always there, each as likely as the rest."""
        left = [*self.likely, *more]
        while True:
            key = left.pop(rng.below(len(left)))
            if key in more or key in self or not left:
                return key
