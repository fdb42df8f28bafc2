"""What every process loads once, compiled geometry, is nobody's time, and is never broken off in the middle: half a
module would be left."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from umpire.space import packs


class Loads:
    """`now`: something is being loaded. `seconds`: the processor time that it has taken so far."""

    def __init__(self) -> None:
        self.now = False
        self.seconds = 0.0

    @contextlib.contextmanager
    def around(self) -> Iterator[None]:
        if self.now:  # one kernel loads another
            yield
            return
        began = time.process_time()
        self.now = True
        try:
            yield
        finally:
            self.now = False
            self.seconds += time.process_time() - began


loads = Loads()


def watch() -> None:
    packs.around_loading = loads.around
