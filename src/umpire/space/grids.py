"""The compiled kernel for distances over a grid of cells, for whoever needs many of them and none exactly."""

from typing import Any

import numpy as np

from .compiling import entry

FAR = 1e9


@entry("Aiii")
def spread(ways: Any, columns: int, rows: int, goal: int) -> Any:
    """How far every cell is from the goal. Cell (i, j) is number i * rows + j; `ways` holds for each cell the lengths
    of the steps by (1, 0), (1, 1), (1, -1), (-1, 0), (-1, 1), (-1, -1), (0, 1) and (0, -1), 0 where there is none. The
    cells are swept to and fro until nothing changes."""
    count = columns * rows
    found = np.full(count, FAR)
    found[goal] = 0.0
    moved = True
    while moved:
        moved = False
        for k in range(2 * count):
            cell = k if k < count else 2 * count - 1 - k
            best = found[cell]
            for d in range(8):
                length = ways[cell, d]
                if length > 0.0:
                    other = cell
                    if d < 3:
                        other += rows
                    elif d < 6:
                        other -= rows
                    step = d % 3 if d < 6 else 1 + d - 6
                    if step == 1:
                        other += 1
                    elif step == 2:
                        other -= 1
                    far = found[other] + length
                    if far < best:
                        best = far
            if best < found[cell] - 1e-9:
                found[cell] = best
                moved = True
    return found
