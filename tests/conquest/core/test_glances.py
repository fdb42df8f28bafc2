"""What a cheap look tells for certain is what the exact one finds."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from umpire.engine.rng import Rng
from umpire.games.conquest import sight, ways_out
from umpire.space.angles import rotate
from umpire.space.ranks.fronts import body_of
from umpire.space.shapes import Point


def test_at_a_glance_is_what_lines_of_sight_show(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[bool | None, bool]] = []
    glance, unseen = sight.at_a_glance, sight._unseen
    asked: list[Any] = []

    def both(viewer: Any, target: Any, parts: Any, block: Any, stand: Any) -> bool | None:
        found = glance(viewer, target, parts, block, stand)
        state, charging = asked
        ends = sight.aims(state, viewer, target, block, False, charging)
        points = sight.viewpoints(state, viewer, stand)
        told.append((found, any(sight.open_line(point, own, ends, block, 9) for own, point in points)))
        return found

    def remembering(state: Any, viewer: Any, target: Any, volley: bool, stand: Any, charging: bool) -> Any:
        asked[:] = [state, charging]
        return unseen(state, viewer, target, volley, stand, charging)

    monkeypatch.setattr(sight, "at_a_glance", both)
    monkeypatch.setattr(sight, "_unseen", remembering)
    for seed in range(12):
        battle, rng = umpire.battle("conquest", seed=seed), Rng(seed)
        while (ask := battle.decision) is not None:
            battle.answer(ask.suggest(rng))
    assert all(seen == found for found, seen in told if found is not None)
    assert {found for found, _ in told} == {True, False, None}


def box(rng: Rng) -> list[Point]:
    x, y, facing = rng.uniform(-9.0, 9.0), rng.uniform(-9.0, 9.0), rng.uniform(0.0, 360.0)
    wide, deep = rng.uniform(2.0, 6.0), rng.uniform(1.0, 4.0)
    corners = ((-wide, deep), (wide, deep), (wide, -deep), (-wide, -deep))
    return [(x + px, y + py) for px, py in (rotate(u, v, facing) for u, v in corners)]


def test_who_is_shut_in_has_no_way_out() -> None:
    rng, shut = Rng(7), 0
    for n in range(300):
        rings = [box(rng) for _ in range(3 + n % 6)]
        body = body_of([(0, 0), (0, 1), (0, 2), (1, 1)], 3, 2.5, 2.5)
        where, limit = (0.0, 1.0, rng.uniform(0.0, 360.0)), rng.uniform(3.0, 9.0)
        if ways_out.shut_in(body, where, limit, ways_out.nowhere_to_end(rings)):
            shut += 1
            ends = [ways_out.Off(ring) for ring in rings]
            assert ways_out.ways(body, where, limit, ends, [], lambda path: True) is None
    assert 30 < shut < 270
