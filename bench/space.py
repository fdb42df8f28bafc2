"""The bars of the geometry, on one core: python bench/space.py"""

import random
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

from umpire import space as sp
from umpire.space.packs import kernel


def best(call: Callable[[], Any], number: int, repeat: int = 7) -> float:
    """Seconds for one call: the least of several rounds, since other work on the machine only ever adds."""
    call()
    return min(timeit.repeat(call, number=number, repeat=repeat)) / number


def mixed_bases(count: int, rng: random.Random) -> list[sp.Base]:
    shapes = [
        *(sp.Round(sp.mm(across) / 2) for across in (25, 32, 60)), sp.Oval(sp.mm(35) / 2, sp.mm(60) / 2),
        sp.Oval(sp.mm(52) / 2, sp.mm(90) / 2),
        *(sp.Rect(sp.mm(wide), sp.mm(deep)) for wide, deep in ((20, 40), (50, 100), (25, 25))),
    ]  # fmt: skip
    return [
        sp.Base(rng.choice(shapes), rng.uniform(0, 60), rng.uniform(0, 44), 0, rng.uniform(0, 360), 1.5)
        for _ in range(count)
    ]


def shapely_shapes(bases: list[sp.Base]) -> list[Any]:
    from shapely import affinity
    from shapely.geometry import Point, box

    out = []
    for base in bases:
        shape = base.shape
        if isinstance(shape, sp.Round):
            body = Point(0, 0).buffer(shape.radius)
        elif isinstance(shape, sp.Oval):
            body = affinity.scale(Point(0, 0).buffer(1), shape.rx, shape.ry)
        else:
            assert isinstance(shape, sp.Rect)
            body = box(-shape.width / 2, -shape.depth / 2, shape.width / 2, shape.depth / 2)
        out.append(affinity.translate(affinity.rotate(body, -base.facing, origin=(0, 0)), base.x, base.y))
    return out


def terrain(count: int, rng: random.Random, width: float = 44.0, depth: float = 30.0) -> list[sp.Prism]:
    out = []
    for _ in range(count):
        rect = sp.Base(
            sp.Rect(rng.uniform(0.5, 4), rng.uniform(0.5, 4)), rng.uniform(0, width), rng.uniform(0, depth), 0,
            rng.uniform(0, 360),
        )  # fmt: skip
        out.append(sp.Prism(rect.corners(), 0.0, rng.choice([1.0, 2.0, 3.0, 5.0])))
    return out


def row(name: str, value: float, unit: str, bar: float, least: bool = False) -> dict[str, Any]:
    """A figure and its bar: at least, for ratios; otherwise at most."""
    return {"name": name, "value": value, "unit": unit, "bar": bar, "ok": value >= bar if least else value <= bar}


def pairwise_rows(rng: random.Random) -> list[dict[str, Any]]:
    bases = mixed_bases(120, rng)
    things = sp.pack(bases)
    ours = best(lambda: kernel().matrix(things.rows, things.verts, things.rows, things.verts), 1, 30)
    import shapely

    shapes = shapely_shapes(bases)
    pairs = [(a, b) for a in shapes for b in shapes]
    scalar = best(lambda: [a.distance(b) for a, b in pairs], 1, 5)
    left, right = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
    vector = best(lambda: shapely.distance(left, right), 1, 5)
    return [
        row("14,400 distances of 120 mixed bases", ours * 1e3, "ms", 40.0),
        row("… against Shapely one by one", scalar / ours, "times", 20.0, least=True),
        row("… against Shapely's arrays", vector / ours, "times", 3.0, least=True),
    ]


def single_rows(rng: random.Random) -> list[dict[str, Any]]:
    a, b = sp.Base(sp.Rect(1, 2), 0, 0, 0, 30), sp.Base(sp.Rect(3, 1), 5, 5, 0, 77.7)
    c, d = sp.Base(sp.Round(1), 0, 0), sp.Base(sp.Round(2), 6, 6)
    distance = sp.distance
    return [
        row("distance of two rectangles", best(lambda: distance(a, b), 5000) * 1e6, "µs", 5.0),
        row("distance of two circles", best(lambda: distance(c, d), 20000) * 1e6, "µs", 1.0),
        row("wheel and advance of 10 stands past 30 obstacles", wheel_time(rng) * 1e6, "µs", 300.0),
    ]


def wheel_time(rng: random.Random) -> float:
    front = sp.Base(sp.Rect(7.9, 4), 22, 10, height=2)
    unit = (front, sp.Base(sp.Rect(4, 2), 22, 7, height=2))
    obstacles = [b for b in mixed_bases(200, rng) if all(sp.distance(a, b) > 0 for a in unit)][:30]

    def move() -> sp.Sweep:
        first = sp.Turn(*sp.corners(front)[1], 35)
        return sp.sweep(unit, (first, sp.Go(*sp.rotate(0, 10, 35))), obstacles)

    return best(move, 50)


def sight_rows(rng: random.Random) -> list[dict[str, Any]]:
    times = []
    for _ in range(60):
        things = sp.pack(terrain(40, rng))
        a, b = mixed_bases(2, rng)
        a, b = a.at(rng.uniform(0, 44), rng.uniform(0, 30)), b.at(rng.uniform(0, 44), rng.uniform(0, 30))
        times.append(best(lambda a=a, b=b, things=things: sp.visible(a, b, things), 3, 3))  # type: ignore[misc]
    return [
        row("sight past 40 prisms, mean", float(np.mean(times)) * 1e6, "µs", 300.0),
        row("sight past 40 prisms, 95 in 100", float(np.percentile(times, 95)) * 1e6, "µs", 300.0),
    ]


def path_rows(rng: random.Random) -> list[dict[str, Any]]:
    times = []
    while len(times) < 40:
        things = sp.pack(terrain(40, rng))
        man = sp.Base(sp.Round(sp.mm(32) / 2), rng.uniform(1, 5), rng.uniform(1, 29), 0, 0, 1.5)
        x, y = rng.uniform(39, 43), rng.uniform(1, 29)
        if any(sp.distance(at, thing) == 0 for at in (man, man.at(x, y)) for thing in things.things):
            continue
        times.append(best(lambda m=man, x=x, y=y, t=things: sp.path(m, x, y, t, table=(44, 30)), 1, 3))  # type: ignore[misc]
    return [
        row("path past 40 obstacles across a table, mean", float(np.mean(times)) * 1e3, "ms", 5.0),
        row("path past 40 obstacles, 95 in 100", float(np.percentile(times, 95)) * 1e3, "ms", 5.0),
    ]


def run() -> list[dict[str, Any]]:
    """All figures, each with its bar."""
    rng = random.Random(7)
    return pairwise_rows(rng) + single_rows(rng) + sight_rows(rng) + path_rows(rng)


if __name__ == "__main__":
    for line in run():
        mark = "ok  " if line["ok"] else "MISS"
        print(f"{mark} {line['name']:<52} {line['value']:10.2f} {line['unit']:<6} bar {line['bar']:g}")
