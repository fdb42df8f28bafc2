"""A place on a desk: one battle, with what was found out about it as it stands, and how it is taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.beginning import begin
from umpire.engine.decisions import Decision
from umpire.engine.game import Setup
from umpire.engine.picture import Picture
from umpire.engine.state import State
from umpire.engine.view import Told, redacted, views
from umpire.errors import UmpireError
from umpire.server.bounds import short
from umpire.server.computer import Computers
from umpire.server.problems import from_outside, not_asked, read_only, stale
from umpire.text import words

encode = msgspec.json.encode
Given = tuple[int, bytes, int]
"""An answer as it is kept: whose, its JSON, and the take-back after which the dice are drawn anew (0: none)."""
REMEMBERED = 2000
"""So many wishes about one question are compared with the next."""


class Place:
    """One battle on the desk."""

    def __init__(
        self,
        battle: Battle[Any],
        resigned: int | None = None,
        stopped: dict[str, str] | None = None,
        why: str = "resigned",
    ) -> None:
        self.battle = battle
        self.resigned = resigned
        """Who has given up, or -1 where the time of the battle was up and the score decides."""
        self.why = why
        self.stopped = stopped
        """Why it is only looked at any more."""
        self.wishes: dict[bytes, bytes] = {}
        """What was asked about the open question: how it was written, by what it counts as equal to."""
        self.pictures: dict[int | None, Picture] = {}
        self._known: dict[int | None, State] = {}
        self.computers = Computers()
        self.told = Told()

    @property
    def over(self) -> bool:
        return self.resigned is not None or self.battle.outcome is not None

    def moved_on(self) -> None:
        """The battle has changed."""
        self.pictures.clear()
        self.wishes.clear()
        self._known.clear()

    def known(self, side: int | None) -> State:
        """What a side may know of the battle as it stands."""
        if side not in self._known:
            self._known[side] = redacted(self.battle, side)
        return self._known[side]

    def wished(self, wish: Any) -> None:
        """A game may remember how it judged a wish, and take another for the same that only counts as equal (1 for
        true). Where that could be, the question is put anew, and nothing about it is remembered."""
        written, loosely = encode(wish), encode(_loose(wish))
        if self.wishes.get(loosely, written) != written or len(self.wishes) >= REMEMBERED:
            self.battle.undo(0)
            self.wishes.clear()
        self.wishes[loosely] = written

    def picture(self, side: int | None) -> Picture:
        if side not in self.pictures:
            self.pictures[side] = self.battle.game.picture(self.known(side))
        return self.pictures[side]

    def names(self, side: int | None) -> Any:
        return lambda key: self.battle.game.name(self.known(side), key)

    def outcome(self) -> dict[str, Any] | None:
        if self.resigned is not None:
            score = list(self.picture(None).score)
            winner: int | None = 1 - self.resigned
            if self.resigned < 0:
                winner = None if len(score) < 2 or score[0] == score[1] else int(score[1] > score[0])
            return {
                "winner": winner,
                "score": score,
                "rules": [],
                "key": f"outcome.{self.why}",
                "facts": {"side": self.resigned},
            }
        return msgspec.to_builtins(self.battle.outcome) if self.battle.outcome else None

    def views(self, sides: Sequence[int | None], since: int) -> list[tuple[int | None, bytes]]:
        """What each side may know, as JSON; a picture that several share is encoded once."""
        over = {"decisions": [], "waiting": [], "may_undo": False, "outcome": self.outcome()}
        pictures: dict[int, msgspec.Raw] = {}
        made = []
        for side, seen in zip(sides, views(self.battle, sides, since, data=False, told=self.told), strict=True):
            picture = seen["picture"]
            if id(picture) not in pictures:
                pictures[id(picture)] = msgspec.Raw(encode(picture))
            seen["picture"] = pictures[id(picture)]
            made.append((side, encode(seen if self.resigned is None else seen | over)))
        return made

    def asked(self, side: int | None, n: int | None = None) -> Decision:
        """The question open to a side; `n` is the number of answers in the view that the side looks at."""
        if self.stopped is not None:
            raise read_only(self.stopped)
        if n is not None and not self.battle.opened <= n <= len(self.battle.answers):
            raise stale()
        ask = None if side is None or self.over else self.battle.decision_for(side)
        if ask is None:
            raise not_asked()
        return ask


def _loose(value: Any) -> Any:
    """The same for all values that count as equal: 1, 1.0 and true."""
    if isinstance(value, dict):
        return {key: _loose(part) for key, part in sorted(value.items())}
    if isinstance(value, list):
        return [_loose(part) for part in value]
    if isinstance(value, (bool, float)) and value == int(value):
        return int(value)
    return value


def restored(setup: bytes, save: bytes | None, answers: Sequence[Given]) -> tuple[Battle[Any], dict[str, str] | None]:
    """The battle after these answers, or after as many as can be carried out, and then why not more."""
    decoded = [(side, msgspec.json.decode(answer), anew) for side, answer, anew in answers]
    battle = _from_checkpoint(save, len(decoded)) if save is not None else None
    if battle is None:
        battle = begin(msgspec.json.decode(setup, type=Setup))
    for side, answer, anew in decoded[len(battle.answers) :]:
        try:
            with from_outside("server.rules-failed"):
                battle.answer(answer, side, anew)
        except UmpireError as error:
            number, of = len(battle.answers) + 1, len(decoded)
            said = {lang: short(line) for lang, line in error.lines().items()}
            return battle, words("server.stands-at", last=number - 1, of=of, number=number, said=said)
    return battle, None


def _from_checkpoint(save: bytes, most: int) -> Battle[Any] | None:
    """A checkpoint is only a shorter way: one that this version cannot read any more is passed over."""
    try:
        battle = Battle.load(save)
    except Exception:
        return None
    return battle if len(battle.answers) <= most else None
