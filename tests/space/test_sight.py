"""Sight: arrangements whose answer is plain, symmetry, and dense ray sampling."""

from pathlib import Path

import numpy as np
import pytest

from umpire import space as sp
from umpire.space.compiling import forget_stale

from .rays import disagreement, random_scene
from .strategies import box

A = sp.Base(sp.Round(0.5), 0, 0, 0, 0, 1)
B = sp.Base(sp.Round(0.5), 10, 0, 0, 0, 1)


@pytest.mark.parametrize(
    ("blockers", "seen"),
    [
        ([], True),
        ([box(5, -1, 6, 1, 0, 3)], False),
        ([box(5, -1, 6, 0, 0, 3), box(5, 0, 6, 1, 0, 3)], False),
        ([box(5, -1, 6, -0.01, 0, 3), box(5, 0, 6, 1, 0, 3)], True),
        ([box(5, -1, 6, 1, 0, 0.9)], True),
        ([box(5, -9, 6, 9, 0, 1)], False),
        ([box(5, -9, 6, 9, 0, 0.5), box(5, -9, 6, 9, 0.6, 9)], True),
        ([box(5, -9, 6, 9, 0, 0.5), box(5, -9, 6, 9, 0.5, 9)], False),
        ([box(5, -9, 6, 9, 0.2, 9)], True),
        ([box(2, -9, 3, 0.1, 0, 5), box(7, -0.1, 8, 9, 0, 5)], True),
        ([box(2, -9, 3, 0.3, 0, 5), box(7, -0.3, 8, 9, 0, 5)], False),
        ([sp.Base(sp.Round(0.4), 5, 0, 0, 0, 2)], True),
        ([sp.Base(sp.Round(0.6), 5, 0, 0, 0, 2)], False),
        ([sp.Base(sp.Oval(0.6, 0.1), 5, 0, 0, 90, 2)], False),
        ([sp.Base(sp.Oval(0.6, 0.1), 5, 0, 0, 0, 2)], True),
        ([sp.Prism(((4, -9), (6, -9), (6, 9), (4, 9)), 0, 0, solid=False, opaque=False)], True),
    ],
)
def test_plain_cases(blockers: list[sp.Thing], seen: bool) -> None:
    assert sp.visible(A, B, blockers) is seen
    assert sp.visible(B, A, blockers) is seen


@pytest.mark.parametrize("walls", ["vv", "hh", "vh", "vhv"])
@pytest.mark.parametrize("width", [0.04, 0.004, 0.0015])
def test_slits_in_line_are_seen_through(walls: str, width: float) -> None:
    """Thin walls with a slit each, upright or level, all on one line from body to body."""
    rng = np.random.default_rng(8)
    for _ in range(12):
        (y0, y1), (z0, z1) = rng.uniform(-0.45, 0.45, 2), rng.uniform(0.05, 0.95, 2)
        blockers: list[sp.Thing] = []
        for x, kind in zip((2.0, 4.0, 6.0), walls, strict=False):
            y, z = y0 + (y1 - y0) * x / 10, z0 + (z1 - z0) * x / 10
            if kind == "v":
                blockers += [box(x, -9, x + 0.0005, y - width / 2, -1, 5)]
                blockers += [box(x, y + width / 2, x + 0.0005, 9, -1, 5)]
            else:
                blockers += [box(x, -9, x + 0.0005, 9, -1, z - width / 2)]
                blockers += [box(x, -9, x + 0.0005, 9, z + width / 2, 5)]
        assert sp.visible(A, B, blockers)
        assert sp.visible(B, A, blockers)


def test_slits_that_no_line_joins_are_shut() -> None:
    # Through both slits a line climbs some 0.8 in 4 inches, and ends above 1.
    slits = [
        part
        for x, y in ((2, -0.4), (6, 0.4))
        for part in (box(x, -9, x + 0.1, y - 0.05, 0, 5), box(x, y + 0.05, x + 0.1, 9, 0, 5))
    ]
    assert not sp.visible(A.at(0, -0.8), B.at(10, -0.2), slits)
    assert sp.visible(A.at(0, -0.8), B.at(10, 0.8), slits)


def test_a_roof_hides_one_storey_from_the_other() -> None:
    roof = [box(-5, -5, 5, 5, 2.9, 3)]
    assert not sp.visible(A, A.at(0, 0, 3), roof)
    assert not sp.visible(A, A.at(2, 0, 3), roof)
    assert sp.visible(A, A.at(0, 0, 1.5), roof)
    # Standing at the edge of the roof it looks down past it.
    assert sp.visible(A.at(8, 0), A.at(5, 0, 3), roof)


def test_the_answer_is_the_same_from_both_sides() -> None:
    rng = np.random.default_rng(11)
    for _ in range(150):
        a, b, prisms = random_scene(rng)
        pack = sp.pack(prisms)
        assert sp.visible(a, b, pack) == sp.visible(b, a, pack)


def test_sight_against_dense_rays() -> None:
    rate, _, _ = disagreement(150, 20000, 5)
    assert rate < 0.005


def test_ignored_blockers() -> None:
    wall = box(5, -1, 6, 1, 0, 3)
    assert sp.visible(A, B, [wall], ignore=(0, -1))


@pytest.mark.parametrize("eye", [((0.0, 0.0),), ((-1.0, 0.0), (1.0, 0.0))])
def test_a_point_and_an_edge_see_past_what_is_behind_them(eye: tuple[sp.Point, ...]) -> None:
    viewer = sp.Base(sp.Hull(eye), height=1.0)
    target = sp.Base(sp.Hull(((-2.0, 10.0), (2.0, 10.0), (2.0, 12.0), (-2.0, 12.0))), height=1.0)
    behind = sp.Base(sp.Rect(10.0, 2.0), 0.0, -3.0, height=1000.0)
    before = sp.Base(sp.Rect(10.0, 2.0), 0.0, 5.0, height=1000.0)
    assert sp.visible(viewer, target, [behind])
    assert not sp.visible(viewer, target, [before])


def test_what_was_compiled_from_other_sources_is_thrown_away(tmp_path: Path) -> None:
    kernel, used, other = (tmp_path / name for name in ("kernel.py", "used.py", "other.py"))
    kernel.write_text("from .used import x\n\n\n@entry('ff')\ndef add(a, b):\n    return a + b + x\n")
    used.write_text("x = 1")
    other.write_text("from .kernel import add")
    forget_stale(tmp_path)
    compiled = tmp_path / "__pycache__" / "kernel.nbi"
    compiled.write_text("")
    other.write_text("y = 1")
    forget_stale(tmp_path)
    assert compiled.exists(), "nothing was compiled from what changed"
    used.write_text("x = 2")
    forget_stale(tmp_path)
    assert not compiled.exists()
