"""Dice: every roll names its purpose and its rule, keeps natural faces, and no die is ever re-rolled twice."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable

import msgspec

from umpire.errors import UmpireError


class Roll(msgspec.Struct, omit_defaults=True, gc=False):
    """Dice thrown together. `faces` are the faces that stand; `first` those that a re-roll replaced (0: none).

    `need` is the face that counts as a success (positive: that or higher; negative: that or lower), if there is one:
    the luck meter and the dice tray read it. `mods` are modifier steps, each an amount and what it comes from.
    """

    purpose: str
    rule: str
    sides: int
    faces: list[int]
    side: int | None = None
    who: str = ""
    need: int = 0
    first: list[int] = []
    mods: list[tuple[int, str]] = []

    @property
    def total(self) -> int:
        """The sum of the faces with every modifier."""
        return sum(self.faces) + sum(step for step, _ in self.mods)

    @property
    def natural(self) -> int:
        """The sum of the faces alone."""
        return sum(self.faces)

    def rerolled(self, index: int) -> bool:
        return bool(self.first) and self.first[index] != 0

    def modify(self, amount: int, why: str) -> None:
        if amount:
            self.mods = [*self.mods, (amount, why)]


class DiceState(msgspec.Struct):
    """The whole state of the dice, inside the battle's data.

    `source` is "seed", "script" (tests and scenes: `queue` runs out with an error) or "typed" (people roll real dice;
    an empty queue asks them).
    """

    state: int = 0
    source: str = "seed"
    queue: list[int] = []
    rolled: int = 0
    shown: int = 0


class OutOfDice(UmpireError):  # noqa: N818 - said as a person would
    """A script of dice ran out."""


class DiceWanted(Exception):  # noqa: N818 - a signal, not an error
    """A typed source has no die left: the battle must ask the people at the table."""

    def __init__(self, roll: Roll, count: int) -> None:
        super().__init__(roll.purpose)
        self.roll = roll
        self.count = count


class Commitment(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fair dice: the host commits to a secret before the players contribute, and opens it after the battle."""

    commitment: str
    contributions: tuple[str, ...] = ()
    secret: str = ""

    @property
    def seed(self) -> int:
        digest = hashlib.sha256("\x1f".join((self.secret, *self.contributions)).encode()).digest()
        return int.from_bytes(digest[:8], "big")

    def opens(self) -> bool:
        """Does the opened secret fit the commitment that was published?"""
        return commit(self.secret) == self.commitment

    def sealed(self) -> Commitment:
        """What may be shown while the battle is on."""
        return Commitment(self.commitment, self.contributions)


def commit(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def fair(contributions: Iterable[str], secret: str | None = None) -> Commitment:
    secret = secret if secret is not None else secrets.token_hex(16)
    return Commitment(commit(secret), tuple(contributions), secret)
