"""Sides and arcs of a rectangle."""

from umpire import space as sp

RECT = sp.Base(sp.Rect(8, 6), 20, 17)


def test_sides_and_arcs() -> None:
    assert sp.side_of(RECT, "front") == ((16.0, 20.0), (24.0, 20.0))
    assert sp.side_of(RECT, "right") == ((24.0, 20.0), (24.0, 14.0))
    assert sp.arc_of(RECT, (20, 40)) == "front"
    assert sp.arc_of(RECT, (26, 22)) == "front"
    assert sp.arc_of(RECT, (26.01, 22)) == "right"
    assert sp.arc_of(RECT, (14, 12)) == "rear"
    assert sp.arc_of(RECT, (13.9, 12)) == "left"


def test_arcs_of_round_bases_are_wedges() -> None:
    man = sp.Base(sp.Round(1), 0, 0, 0, 90)
    assert sp.arc_of(man, (5, 4.9)) == "front"
    assert sp.arc_of(man, (4.9, 5.1)) == "left"
    assert sp.arc_of(man, (0, 5)) == "left"
