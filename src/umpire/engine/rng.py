"""Two generators, the same on every machine: a small fast one whose whole state is one 64-bit integer (splitmix64), and
a keyed one for battles in which people compete, which nobody can foresee who does not hold its key."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def seed_of(*parts: object) -> int:
    """A 64-bit seed from anything that prints the same everywhere."""
    data = "\x1f".join(str(part) for part in parts).encode()
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")


def draw(state: int, sides: int) -> tuple[int, int]:
    """The next state, and a fair number from 1 to `sides`: values beyond a multiple of `sides` are drawn again."""
    limit = 0x100000000 - 0x100000000 % sides
    while True:
        state = (state + GOLDEN) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK  # `mix`, written out: this is called for every die
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        value = (z ^ (z >> 31)) >> 32
        if value < limit:
            return state, value % sides + 1


WORDS = 8
"""So many 32-bit words are in a block of the keyed generator."""
STREAM = 1 << 40
"""So many words has a stream of the keyed generator: far more than a battle draws."""


def keyed(key: bytes, at: int, sides: int, count: int) -> tuple[int, list[int]]:
    """The position after them, and `count` fair numbers from 1 to `sides` from the words of a keyed generator, from
    position `at` on: HMAC-SHA256 of the block's number, read as eight 32-bit words, most significant byte first."""
    limit = 0x100000000 - 0x100000000 % sides
    faces: list[int] = []
    block = b""
    number = -1
    while len(faces) < count:
        if at // WORDS != number:
            number = at // WORDS
            block = hmac.digest(key, number.to_bytes(8, "big"), "sha256")
        start = 4 * (at % WORDS)
        value = int.from_bytes(block[start : start + 4], "big")
        at += 1
        if value < limit:
            faces.append(value % sides + 1)
    return at, faces


class Rng:
    """A source of choices for players and list builders; never the dice of a battle."""

    __slots__ = ("state",)

    def __init__(self, seed: int = 0) -> None:
        self.state = mix(seed & MASK)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        limit = 0x100000000 - 0x100000000 % n
        state = self.state
        while True:
            state = (state + GOLDEN) & MASK
            z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK  # `draw`, written out
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            value = (z ^ (z >> 31)) >> 32
            if value < limit:
                self.state = state
                return value % n

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def random(self) -> float:
        """A float in [0, 1)."""
        self.state = (self.state + GOLDEN) & MASK
        return (mix(self.state) >> 11) / 9007199254740992.0

    def uniform(self, low: float, high: float) -> float:
        return low + (high - low) * self.random()

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        return self.shuffled(items)[:k]
