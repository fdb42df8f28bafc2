"""Dice: every roll names its purpose and its rule, keeps natural faces, and no die is ever re-rolled twice."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable

import msgspec

from umpire.engine.rng import STREAM, draw, keyed, seed_of
from umpire.errors import UmpireError, fault
from umpire.text import Text


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

    `source` is "seed", "keyed" (the dice of a battle in which people compete: `state` is the position in the keyed
    generator, whose key is the set-up's), "script" (tests and scenes: `queue` runs out with an error), "mixed" (scenes:
    faces that matter, any for those that do not, then the seed) or "typed" (people roll real dice; an empty queue asks
    them).
    """

    state: int = 0
    source: str = "seed"
    queue: list[int] = []
    rolled: int = 0
    shown: int = 0

    def draw(self, sides: int, count: int, key: bytes = b"") -> list[int]:
        """The next faces of the generator, the keyed one if there is a key."""
        if key:
            self.state, faces = keyed(key, self.state, sides, count)
            return faces
        faces = []
        state = self.state
        for _ in range(count):
            state, face = draw(state, sides)
            faces.append(face)
        self.state = state
        return faces

    def anew(self, number: int) -> None:
        """Go on with other dice than those that would have come: the generator's stream of this number."""
        self.state = number * STREAM if self.source == "keyed" else seed_of("anew", number, self.state)


MOST_DICE = 2000
"""No rule throws so many dice at once: a profile that wants more is refused when it does."""


class OutOfDice(UmpireError):  # noqa: N818 - said as a person would
    """A script of dice ran out."""


class DiceWanted(Exception):  # noqa: N818 - a signal, not an error
    """A typed source has no die left: the battle must ask the people at the table."""

    def __init__(self, roll: Roll, count: int) -> None:
        super().__init__(roll.purpose)
        self.roll = roll
        self.count = count


def throw(dice: DiceState, roll: Roll, count: int, key: Callable[[], bytes]) -> list[int]:
    """The faces that fall: the generator's (`key` gives the key of a keyed one), a script's, or those typed in."""
    if count > MOST_DICE:
        raise fault("error.dice-at-once-at-most", roll.purpose, count=count, most_dice=MOST_DICE)
    dice.rolled += count
    if dice.source == "seed":
        return dice.draw(roll.sides, count)
    if dice.source == "keyed":
        return dice.draw(roll.sides, count, key())
    if dice.source == "mixed":
        return _mixed(dice, roll, count)
    queue = dice.queue
    if len(queue) < count:
        if dice.source == "typed":
            raise DiceWanted(roll, count)
        raise _out_of_dice(roll, count, len(queue))
    faces = [_scripted(roll, face) for face in queue[:count]]
    del queue[:count]
    return faces


def _mixed(dice: DiceState, roll: Roll, count: int) -> list[int]:
    """The next faces of a script in which 0 is any face and -1 the end; when it is used up the seed goes on."""
    queue = dice.queue
    if -1 in queue[:count]:
        raise _out_of_dice(roll, count, queue.index(-1))
    faces = []
    for _ in range(count):
        face = queue.pop(0) if queue else 0
        faces.append(_scripted(roll, face) if face else dice.draw(roll.sides, 1)[0])
    return faces


def _scripted(roll: Roll, face: int) -> int:
    if not 1 <= face <= roll.sides:
        raise fault("error.a-scripted-die-shows-but", "dice", face=face, purpose=roll.purpose, sides=roll.sides)
    return face


def _out_of_dice(roll: Roll, count: int, left: int) -> OutOfDice:
    facts = {"purpose": roll.purpose, "rule": roll.rule, "count": count, "sides": roll.sides, "left": left}
    return OutOfDice(Text("error.dice.out", facts))


class Commitment(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fair dice. The host commits to a secret by its hash before anybody has come; each player commits to some luck by
    its hash (`hashes`) before anybody's luck is told (`contributions`). Secret and luck together are the key of the
    dice, and the secret is opened after the battle. So neither the host nor a player can choose a key, not even
    together with the host: whoever still has something to choose does not know what it will be mixed with.

    A player without a hash adds nothing. One who has committed and does not tell what to is `withheld`, adds nothing
    either, and the record says so.
    """

    commitment: str
    contributions: tuple[str, ...] = ()
    secret: str = ""
    hashes: tuple[str, ...] = ()
    withheld: tuple[int, ...] = ()

    @property
    def key(self) -> bytes:
        """The key of the dice, 256 bits."""
        return self._mixed("umpire dice")

    @property
    def seed(self) -> int:
        """What records had for a key before there were hashes of the players' luck."""
        return int.from_bytes(self._mixed()[:8], "big")

    def _mixed(self, *purpose: str) -> bytes:
        return hashlib.sha256("\x1f".join((*purpose, self.secret, *self.contributions)).encode()).digest()

    def opens(self) -> bool:
        """Do the opened secret and the luck that was told fit what was committed to?"""
        if commit(self.secret) != self.commitment or len(self.hashes) not in (0, len(self.contributions)):
            return False
        told = zip(self.contributions, self.hashes or map(commit, self.contributions), strict=True)
        for side, (luck, hashed) in enumerate(told):
            if side in self.withheld or not hashed:
                if luck:
                    return False
            elif commit(luck) != hashed:
                return False
        return True


def commit(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def fair(
    contributions: Iterable[str],
    secret: str | None = None,
    hashes: Iterable[str] | None = None,
    withheld: Iterable[int] = (),
) -> Commitment:
    """The commitment of a battle that begins now. Without `hashes` the luck itself is hashed."""
    secret = secret if secret is not None else secrets.token_hex(16)
    told = tuple(contributions)
    committed = tuple(commit(luck) if luck else "" for luck in told) if hashes is None else tuple(hashes)
    return Commitment(commit(secret), told, secret, committed, tuple(withheld))
