"""How fast one client may go, and how long tables are kept."""

from __future__ import annotations

import time
from collections import OrderedDict

import msgspec


class Bucket:
    """So many at once, and so many more each second."""

    __slots__ = ("burst", "filled", "left", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self.left = burst
        self.filled = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.filled) * self.rate)
        self.filled = now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True

    def spend(self, amount: float) -> bool:
        """Take so much, whether it is there or not. Was it?"""
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.filled) * self.rate) - amount
        self.filled = now
        if self.left < 0.0:
            self.left = max(self.left, -self.burst)
            return False
        return True


class Buckets:
    """A bucket for each address; the longest idle are forgotten, so that strangers cannot fill the memory."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self.rate = rate
        self.burst = burst
        self.most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str) -> bool:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self.rate, self.burst)
            if len(self._buckets) > self.most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take()

    def give_back(self, key: str) -> None:
        """It was well spent."""
        if key in self._buckets:
            self._buckets[key].left += 1.0


DAY = 24 * 60 * 60


class Keep(msgspec.Struct, frozen=True):
    """For how many days tables are kept that nobody visits: those whose battle has ended, and others. 0: for ever. Days
    are those that the server has run, and at most one for each time that it stood still."""

    finished: int = 30
    abandoned: int = 90

    @staticmethod
    def since(days: int, age: int) -> int | None:
        """What was visited before this age is not kept."""
        return age - days * DAY if days else None
