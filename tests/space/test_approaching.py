"""A front that goes straight on, wheels and goes straight on again: no way is missed because it is narrow."""

import numpy as np

from umpire.space.packs import kernel


def rectangles(*rings: tuple[tuple[float, float], ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    points = np.array([point for ring in rings for point in ring])
    counts = np.array([len(ring) for ring in rings], dtype=np.int64)
    return points, np.cumsum(counts) - counts, counts


def test_a_way_to_a_narrow_part_of_an_edge_beside_other_units_is_found() -> None:
    """Of a game: what is left of the edge is less than 1/10000 inch long, and the way is free over a hundredth of a
    degree."""
    goal = np.array(((18.692204724409443, 26.91), (13.967795275590547, 26.91),
                     (13.967795275590547, 25.335196850393697), (18.692204724409443, 25.335196850393697)))  # fmt: skip
    points, first, count = rectangles(
        ((13.96779527559055, 26.91), (13.180393700787402, 26.91), (13.180393700787402, 27.697401574803145),
         (13.96779527559055, 27.697401574803145)),
        ((18.692204724409446, 26.91), (16.231574803149602, 26.91), (16.231574803149602, 27.894251968503934),
         (18.692204724409446, 27.894251968503934)),
    )  # fmt: skip
    wanted = np.array([[3.9930108886134477, 3.99309043234432]])
    sign, degrees, straight = kernel("approaching").find(
        25.48884713408895, 36.82553201906767, -0.2664297343136226, -0.9638543441171868, 3.937007874015748,
        20.208530181860073, goal, 4.724409448818896, wanted, wanted, points, first, count, False,
        np.array([-15.451925164237252, 0.0, 27.276329656588985]), 21.26628311449129, 90.0, 90.0,
    )  # fmt: skip
    assert sign == 1.0
    assert 41.5 < degrees < 42.0
    assert 0.0 <= straight < 0.2
