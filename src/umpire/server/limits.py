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


DAY = 24 * 60 * 60


class Keep(msgspec.Struct, frozen=True):
    """For how many days tables are kept that nobody visits: those whose battle has ended, and others. 0: for ever."""

    finished: int = 30
    abandoned: int = 90

    @staticmethod
    def until(days: int) -> int | None:
        """What was visited before this second is not kept."""
        return int(time.time()) - days * DAY if days else None
