"""The search for a random list: what it finds is legal, and where it finds none there is none."""

from __future__ import annotations

from itertools import product

import pytest

from miniatures.test_lists import army, unit
from umpire.engine.rng import Rng
from umpire.games.wh40k.drafting import NoListError, draft
from umpire.miniatures.lists import Limit, broken

LIMITS = [
    Limit(rule="x.lord", of=("characters",), least=1),
    Limit(rule="x.characters", what="points", of=("characters",), most=400),
    Limit(rule="x.core", what="points", of=("core",), least=250),
    Limit(rule="x.copies", scope="kind", most=3),
]
POOL = [
    unit("lord", 200, "characters"),
    unit("mage", 140, "characters"),
    unit("men", 90, "core"),
    unit("bows", 110, "core"),
    unit("ogres", 150, "special"),
    unit("dragon", 390, "special"),
]


def test_random_lists_are_legal_differ_and_follow_the_dice():
    found = [draft(Rng(n), army(size=1000), POOL, LIMITS, least=950) for n in range(40)]
    assert all(not list(broken(LIMITS, one)) and 950 <= one.cost <= 1000 for one in found)
    assert found == [draft(Rng(n), army(size=1000), POOL, LIMITS, least=950) for n in range(40)]
    assert len({tuple(sorted(line.entry for line in one.lines)) for one in found}) > 10
    assert all(len({line.id for line in one.lines}) == len(one.lines) for one in found)


def test_the_only_list_there_is_is_found_and_none_is_proved():
    exact = [n for n in range(900, 1001) if _possible(n)]
    for points in exact:
        assert draft(Rng(points), army(size=points), POOL, LIMITS, least=points).cost == points
    impossible = [n for n in range(900, 1001) if n not in exact]
    assert impossible
    for points in impossible[:10]:
        with pytest.raises(NoListError, match="there is no legal army"):
            draft(Rng(points), army(size=points), POOL, LIMITS, least=points)


def _possible(points: int) -> bool:
    return any(
        sum(n * line.cost for n, line in zip(counts, POOL, strict=True)) == points
        and counts[0] + counts[1] >= 1
        and counts[0] * 200 + counts[1] * 140 <= 400
        and counts[2] * 90 + counts[3] * 110 >= 250
        for counts in product(range(4), repeat=6)
    )
