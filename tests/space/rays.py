"""Sight by brute force: many straight lines between random points of two volumes."""

import math

import numpy as np
import numpy.typing as npt

from umpire import space as sp

Floats = npt.NDArray[np.float64]


def points_in(thing: sp.Base, count: int, rng: np.random.Generator) -> Floats:
    """Random points of a volume, half of them on its upright faces, where sight begins."""
    shape = thing.shape
    if isinstance(shape, sp.Rect):
        u = rng.uniform(-1, 1, (count, 2))
        edge = rng.random(count) < 0.5
        axis = rng.integers(0, 2, count)
        u[edge, axis[edge]] = np.sign(u[edge, axis[edge]])
        local = u * (shape.width / 2, shape.depth / 2)
    else:
        rx, ry = (shape.radius, shape.radius) if isinstance(shape, sp.Round) else (shape.rx, shape.ry)  # type: ignore[union-attr]
        angle = rng.uniform(0, 2 * math.pi, count)
        far = np.where(rng.random(count) < 0.5, 1.0, np.sqrt(rng.random(count)))
        local = np.stack([np.cos(angle) * rx * far, np.sin(angle) * ry * far], axis=1)
    turn = math.radians(thing.facing)
    s, c = math.sin(turn), math.cos(turn)
    z = thing.z + thing.height * rng.choice([0.001, 0.999, -1.0], count)
    z = np.where(z < thing.z, thing.z + thing.height * rng.random(count), z)
    x, y = local[:, 0], local[:, 1]
    return np.stack([thing.x + x * c + y * s, thing.y + y * c - x * s, z], axis=1)


def hidden_by(prism: sp.Prism, start: Floats, end: Floats) -> npt.NDArray[np.bool_]:
    """Which of many lines pass through a convex prism."""
    t0, t1 = np.zeros(len(start)), np.ones(len(start))
    d = end - start
    points = sp.convex_hull(prism.points)
    planes = []
    for (px, py), (qx, qy) in zip(points, points[1:] + points[:1], strict=True):
        ex, ey = qx - px, qy - py
        planes.append((ex * (start[:, 1] - py) - ey * (start[:, 0] - px), ex * d[:, 1] - ey * d[:, 0]))
    planes.append((start[:, 2] - prism.floor, d[:, 2]))
    planes.append((prism.top - start[:, 2], -d[:, 2]))
    with np.errstate(divide="ignore", invalid="ignore"):
        for side, rate in planes:
            t = -side / rate
            t0 = np.where(rate > 0, np.maximum(t0, t), t0)
            t1 = np.where(rate < 0, np.minimum(t1, t), t1)
            t1 = np.where((rate == 0) & (side <= 0), -1.0, t1)
    return t0 < t1 - 1e-12


def sampled_sight(a: sp.Base, b: sp.Base, blockers: list[sp.Prism], count: int, rng: np.random.Generator) -> bool:
    """Whether any of many random lines between two volumes passes all blockers; tried in growing batches."""
    reach = sp.Base(sp.Hull((a.centre, b.centre)))
    wide = max(sp.extent(a), sp.extent(b))
    between = [p for p in blockers if sp.distance(reach, p) <= wide]
    batch = 500
    while count > 0:
        start, end = points_in(a, batch, rng), points_in(b, batch, rng)
        for prism in between:
            alive = ~hidden_by(prism, start, end)
            start, end = start[alive], end[alive]
        if len(start):
            return True
        count -= batch
        batch *= 4
    return False


def random_scene(rng: np.random.Generator, blockers: int = 40) -> tuple[sp.Base, sp.Base, list[sp.Prism]]:
    """Two models on a 30 by 22 inch table among prisms, none of which stands in a model."""

    def model() -> sp.Base:
        shape: sp.Shape = sp.Round(rng.uniform(0.4, 1.0))
        if rng.random() < 0.3:
            shape = sp.Oval(rng.uniform(0.4, 1), rng.uniform(0.4, 1.5))
        elif rng.random() < 0.3:
            shape = sp.Rect(rng.uniform(0.5, 2), rng.uniform(0.5, 2))
        z = float(rng.choice([0.0, 0.0, 0.0, 3.0]))
        return sp.Base(shape, rng.uniform(1, 29), rng.uniform(1, 21), z, rng.uniform(0, 360), rng.uniform(1, 4))

    a, b = model(), model()
    prisms: list[sp.Prism] = []
    while len(prisms) < blockers:
        shape = sp.Rect(rng.uniform(0.2, 4), rng.uniform(0.2, 4))
        rect = sp.Base(shape, rng.uniform(0, 30), rng.uniform(0, 22), 0, rng.uniform(0, 360))
        if sp.overlap(rect, a) or sp.overlap(rect, b):
            continue
        floor = float(rng.choice([0.0, 0.0, 0.0, 0.0, 2.0]))
        prisms.append(sp.Prism(rect.corners(), floor, floor + float(rng.choice([1.0, 2.0, 3.0, 5.0, 8.0]))))
    return a, b, prisms


def disagreement(scenes: int, rays: int, seed: int) -> tuple[float, int, int]:
    """The share of scenes where sampling and `visible` differ; how often only the one or only the other sees."""
    rng = np.random.default_rng(seed)
    only_rays = only_kernel = 0
    for _ in range(scenes):
        a, b, prisms = random_scene(rng)
        ours = sp.visible(a, b, prisms)
        theirs = sampled_sight(a, b, prisms, rays, rng)
        only_rays += theirs and not ours
        only_kernel += ours and not theirs
    return (only_rays + only_kernel) / scenes, only_rays, only_kernel
