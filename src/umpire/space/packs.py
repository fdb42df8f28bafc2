"""Things as arrays for the kernel. Pack once what is asked about often: every function that takes things takes a
Pack.
"""

import gc
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .angles import turned
from .shapes import Base, Oval, Point, Prism, Rect, Round, Thing, convex_parts, world_points

Floats = npt.NDArray[np.float64]
Row = tuple[float, ...]


class Pack(NamedTuple):
    """Convex footprints as arrays; `owners[k]` is the index of the thing that row k is a part of."""

    rows: Floats
    verts: Floats
    owners: npt.NDArray[np.int64]
    things: tuple[Thing, ...]


def _polygon_row(points: Sequence[Point], radius: float, z0: float, z1: float, first: int) -> Row:
    n = len(points)
    x = math.fsum([p[0] for p in points]) / n
    y = math.fsum([p[1] for p in points]) / n
    bound = math.sqrt(max([(p[0] - x) * (p[0] - x) + (p[1] - y) * (p[1] - y) for p in points]))
    return 0.0, x, y, radius, 0.0, 0.0, 1.0, bound + radius, z0, z1, float(first), float(n)


def _add(thing: Thing, rows: list[Row], verts: list[Point]) -> int:
    first = len(verts)
    if type(thing) is Base:
        shape = thing.shape
        x, y, z, top = thing.x, thing.y, thing.z, thing.z + thing.height
        if type(shape) is Round:
            verts.append((x, y))
            r = shape.radius
            rows.append((0.0, x, y, r, 0.0, 0.0, 1.0, r, z, top, float(first), 1.0))
            return 1
        s, c = turned(thing.facing)
        if type(shape) is Rect:
            w, d = shape.width / 2, shape.depth / 2
            wc, ws, dc, ds = w * c, w * s, d * c, d * s
            verts += (
                (x - wc + ds, y + dc + ws), (x - wc - ds, y - dc + ws),
                (x + wc - ds, y - dc - ws), (x + wc + ds, y + dc - ws),
            )  # fmt: skip
            rows.append((0.0, x, y, 0.0, 0.0, s, c, math.sqrt(w * w + d * d), z, top, float(first), 4.0))
            return 1
        if type(shape) is Oval:
            rx, ry = shape.rx, shape.ry
            rows.append((1.0, x, y, rx, ry, s, c, rx if rx > ry else ry, z, top, float(first), 0.0))
            return 1
        points = world_points(thing)
    else:
        assert isinstance(thing, Prism)
        points, z, top = thing.points, thing.floor, thing.top
    parts = convex_parts(points)
    for part in parts:
        rows.append(_polygon_row(part, 0.0, z, top, len(verts)))
        verts += part
    return len(parts)


def pack(things: "Sequence[Thing] | Pack") -> Pack:
    """Things as arrays. A Pack comes back as it is."""
    if type(things) is Pack:
        return things
    if things and rectangles(things):  # type: ignore[arg-type]
        return _pack_rectangles(tuple(things))  # type: ignore[arg-type]
    rows: list[Row] = []
    verts: list[Point] = []
    owners: list[int] = []
    for k, thing in enumerate(things):
        owners += [k] * _add(thing, rows, verts)  # type: ignore[arg-type]
    return Pack(
        np.array(rows, dtype=np.float64).reshape(-1, 12),
        np.array(verts or [(0.0, 0.0)], dtype=np.float64),
        np.array(owners, dtype=np.int64),
        tuple(things),  # type: ignore[arg-type]
    )


def rectangles(things: Sequence[Thing]) -> bool:
    """Are they rectangles, all of them?"""
    return all(type(thing) is Base and type(thing.shape) is Rect for thing in things)


def _pack_rectangles(bases: tuple[Base, ...]) -> Pack:
    count = len(bases)
    rows, verts = np.empty((count, 12)), np.empty((4 * count, 2))
    write = kernel().rectangle
    for k, base in enumerate(bases):
        shape, z = base.shape, base.z
        s, c = turned(base.facing)
        write(rows, verts, k, base.x, base.y, shape.width, shape.depth, s, c, z, z + base.height)  # type: ignore[union-attr]
    return Pack(rows, verts, each(count), bases)


@lru_cache(maxsize=256)
def each(count: int) -> npt.NDArray[np.int64]:
    """The owners of so many things of one part each; nobody writes to it."""
    return np.arange(count, dtype=np.int64)


@lru_cache(maxsize=1024)
def packed(things: tuple[Thing, ...]) -> Pack:
    """Things as arrays, remembered: most are measured many times before they move.

    Safe because things never change, and because nobody writes to these arrays; whoever wants to takes `pack`.
    """
    return pack(things)


_kernels: dict[str, Any] = {}
around_loading: Callable[[], AbstractContextManager[None]] = nullcontext
"""Entered around everything that is loaded: whoever counts time counts that apart."""


def kernel(name: str = "kernel") -> Any:
    """A module of compiled functions, loaded when first needed: importing Numba costs more than most commands."""
    module = _kernels.get(name)
    if module is None:
        with around_loading():
            module = _kernels[name] = import_module(f".{name}", __package__)
        # A hundred thousand objects that stay for good: the collector need not look through them ever again.
        gc.freeze()
    return module
