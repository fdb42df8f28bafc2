"""A battle as people and programs look at it: its view, its record, its odds, its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from umpire.engine.decisions import Decision, Json
from umpire.engine.doing import Doing
from umpire.engine.events import Outcome
from umpire.engine.game import Game
from umpire.engine.marks import Answer
from umpire.engine.rng import Rng
from umpire.engine.state import State, digest

if TYPE_CHECKING:
    from umpire.engine.battle import Battle

S = TypeVar("S", bound=State)


class Showing(Doing[S]):
    """The part of a battle that changes nothing."""

    __slots__ = ()

    game: Game
    answers: list[Answer]

    if TYPE_CHECKING:

        @property
        def decision(self) -> Decision | None: ...
        @property
        def outcome(self) -> Outcome | None: ...
        def _asked(self, side: int | None) -> Decision: ...

    @property
    def digest(self) -> str:
        """A short fingerprint of the data."""
        return digest(self.state)

    def suggest(self, rng: Rng | None = None) -> Json:
        """A legal answer to the open question."""
        return self._asked(None).suggest(rng)

    def odds(self, answer: Json, side: int | None = None) -> dict[str, Any] | None:
        """What this answer would probably bring, exactly; None where nothing is left to chance."""
        ask = self._asked(side)
        answer = ask.whole(answer)
        risk = ask.risk(answer)
        return (
            risk if risk is not None or self.game.odds is None else self.game.odds(cast("Battle[S]", self), ask, answer)
        )

    def view(self, side: int | None) -> dict[str, Any]:
        """What a side may know (None: somebody who only watches), as plain data."""
        from umpire.engine.view import view

        return view(cast("Battle[S]", self), side)

    @property
    def record(self) -> str:
        """The battle as text: set-up, answers and what came of them. Replays to the same last byte."""
        from umpire.engine.record import write

        return write(cast("Battle[S]", self))

    def _repr_svg_(self) -> str:
        from umpire.engine.svg import draw as draw_svg

        return draw_svg(self.game.picture(self.state), self.game.id, lambda key: self.game.name(self.state, key))

    def __repr__(self) -> str:
        where = "over" if self.outcome else repr(self.decision)
        return f"<Battle {self.game.id}, {len(self.answers)} answers, {where}>"
