"""A small fast generator whose whole state is one 64-bit integer (splitmix64), the same on every machine."""

from __future__ import annotations

import hashlib
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
        value = mix(state) >> 32
        if value < limit:
            return state, value % sides + 1


class Rng:
    """A source of choices for players and list builders; never the dice of a battle."""

    __slots__ = ("state",)

    def __init__(self, seed: int = 0) -> None:
        self.state = mix(seed & MASK)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        self.state, value = draw(self.state, n)
        return value - 1

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
