"""Coherency: so many neighbours within so much, all in one group; who can go without breaking it up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.miniatures.loose.bodies import Body, gap, near, rise
from umpire.space.shapes import TOLERANCE


class Coherency(msgspec.Struct, frozen=True):
    """A book's figures: neighbours stand within `reach` on the ground and `up` in height of each other; each model
    needs one, in units of `many` models or more two."""

    reach: float
    up: float = math.inf
    many: int = 7
    group: bool = True
    """Must they all hang together, or does it do that each has its neighbours?"""


def linked(a: Body, b: Body, book: Coherency) -> bool:
    return (a.z == b.z or rise(a, b) <= book.up + TOLERANCE) and near(a, b, book.reach)


def neighbours(models: Sequence[Body], book: Coherency) -> list[int]:
    """For each model the set of models within coherency range of it, as the bits of a number."""
    n = len(models)
    masks = [0] * n
    limit = book.reach + TOLERANCE
    rows = [(m.x, m.y, m.r) for m in models]
    for i in range(n):
        a = models[i]
        ax, ay, ar, az = a.x, a.y, a.r + limit, a.z
        plain = a.r == a.q
        for j in range(i + 1, n):
            bx, by, far = rows[j]
            dx, dy, far = ax - bx, ay - by, ar + far
            if dx * dx + dy * dy > far * far:
                continue
            b = models[j]
            if (plain and b.r == b.q and az == b.z) or linked(a, b, book):
                masks[i] |= 1 << j
                masks[j] |= 1 << i
    return masks


def is_coherent(masks: Sequence[int], alive: int, book: Coherency) -> bool:
    """Do the models whose bits are set hang together?"""
    count = alive.bit_count()
    if count <= 1:
        return True
    many = count >= book.many
    rest = alive
    while rest:
        low = rest & -rest
        links = masks[low.bit_length() - 1] & alive
        if not links or (many and not links & (links - 1)):
            return False
        rest ^= low
    if not book.group:
        return True
    seen = front = alive & -alive
    while front:
        low = front & -front
        front ^= low
        new = masks[low.bit_length() - 1] & alive & ~seen
        seen |= new
        front |= new
    return seen == alive


def scattered(models: Sequence[Body], book: Coherency) -> tuple[str, dict[str, Any]]:
    """What breaks a unit up, as the key of a reason and its facts: a model that has too few comrades near it and how
    far the next one is, or two groups and how far they are apart."""
    masks = neighbours(models, book)
    needed = 2 if len(models) >= book.many else 1
    for model, mask in zip(models, masks, strict=True):
        count = mask.bit_count()
        if count < needed:
            others = sorted(max(0.0, gap(model, other)) for other in models if other is not model)
            facts = {"count": count, "needed": needed, "inches": book.reach, "gap": round(others[needed - 1], 3)}
            return "reason.loose.alone", {"model": model.id, **facts}
    seen = front = 1
    while front:
        low = front & -front
        new = masks[low.bit_length() - 1] & ~seen
        seen |= new
        front = (front ^ low) | new
    near = [m for n, m in enumerate(models) if seen >> n & 1]
    away = [m for n, m in enumerate(models) if not seen >> n & 1]
    apart, one, two = min(((gap(a, b), a, b) for a in near for b in away), key=lambda entry: entry[0])
    facts = {"inches": book.reach, "gap": round(max(0.0, apart), 3)}
    return "reason.loose.two-groups", {"model": one.id, "other": two.id, **facts}


def coherent(models: Sequence[Body], book: Coherency) -> bool:
    return is_coherent(neighbours(models, book), (1 << len(models)) - 1, book)


def with_another(models: Sequence[Body], masks: Sequence[int], at: int, end: Body, book: Coherency) -> bool:
    """Would they hang together with one of them somewhere else? `masks` are their neighbours as they stand."""
    bit = 1 << at
    found = [mask & ~bit for mask in masks]
    links = 0
    for n, other in enumerate(models):
        if n != at and linked(end, other, book):
            links |= 1 << n
            found[n] |= bit
    found[at] = links
    return is_coherent(found, (1 << len(models)) - 1, book)


def some_can_go(masks: Sequence[int], left: int, book: Coherency) -> bool:
    """Is there a model whose removal keeps the unit coherent?"""
    rest = left
    while rest:
        low = rest & -rest
        if is_coherent(masks, left & ~low, book):
            return True
        rest ^= low
    return False


def leaving(masks: Sequence[int], left: int, order: Sequence[int], count: int, book: Coherency) -> list[int]:
    """Whom to take away, in an order of preference, so that the unit stays coherent as long as it can."""
    gone: list[int] = []
    for _ in range(count):
        pick = next((n for n in order if left >> n & 1 and is_coherent(masks, left & ~(1 << n), book)), None)
        if pick is None:
            pick = next((n for n in order if left >> n & 1), None)
            if pick is None:
                break
        gone.append(pick)
        left &= ~(1 << pick)
    return gone
