"""The book's printed grids cell by cell, and its figures as positions."""

import pytest

from t9a.builder import events, hero, last, quiet, scene, u, unit
from umpire.games.t9a import spacing
from umpire.games.t9a.fighting import to_hit_need
from umpire.games.t9a.formation import box, full_ranks, layout
from umpire.games.t9a.saves import armour_need

HITS = """
4 3 3 3 2 2 2 2 2 2
4 4 3 3 3 2 2 2 2 2
4 4 4 3 3 3 2 2 2 2
4 4 4 4 3 3 3 2 2 2
5 4 4 4 4 3 3 3 2 2
5 5 4 4 4 4 3 3 3 2
5 5 5 4 4 4 4 3 3 3
5 5 5 5 4 4 4 4 3 3
5 5 5 5 5 4 4 4 4 3
5 5 5 5 5 5 4 4 4 4
"""
"""Rows: Defensive Skill 1 to 10; columns: Offensive Skill 1 to 10."""
SAVES = """
7 7 7 7 7 7 7
6 7 7 7 7 7 7
5 6 7 7 7 7 7
4 5 6 7 7 7 7
3 4 5 6 7 7 7
2 3 4 5 6 7 7
2 2 3 4 5 6 7
"""
"""Rows: Armour 0 to 6; columns: Armour Penetration 0 to 6; 7: no save."""


def grid(printed):
    return [[int(cell) for cell in row.split()] for row in printed.strip().splitlines()]


@pytest.mark.rule("t9a.melee.attack.to-hit-table")
def test_the_grid_of_hits_as_it_is_printed():
    assert [[to_hit_need(off, df) for off in range(1, 11)] for df in range(1, 11)] == grid(HITS)


@pytest.mark.rule("t9a.attack.save.armour")
def test_the_grid_of_armour_saves_as_it_is_printed():
    assert [[armour_need(arm, ap) for ap in range(7)] for arm in range(7)] == grid(SAVES)


@pytest.mark.rule("t9a.melee.pursue.example", "t9a.melee.pursue.precheck", "t9a.melee.pursue.pass-through")
def test_figure_10_two_pursuers_charge_a_third_moves_its_five_inches():
    """D flees 7 inches; A rolls 6, B rolls 7 and catches it, C rolls 5. A and B go for E, each through the other, and
    stand there so that as many touch as can; C, who reaches nobody, turns and moves its distance after them."""
    battle = scene(
        unit("a", at=(36, 24), of=quiet(), models=3, files=3),
        unit("b", at=(34.5, 25.6), facing=90.0, of=quiet(), models=3, files=3),
        unit("c", at=(37.5, 25.6), facing=270.0, of=quiet(), models=30, files=3),
        unit("d", 1, at=(36, 24), of=quiet(dis=2), models=3, files=3),
        unit("e", 1, at=(36, 30), of=quiet(), models=3, files=3),
        unit("z", 1, at=(8, 46), of=quiet()),
        moment="melee",
        dice=[6, 6, 3, 4, 3, 3, 3, 4, 2, 3],
    )
    while battle.decision is not None:
        ask = battle.decision
        answer = {"ask.flee-direction": "a", "ask.pursue": "d", "ask.pursuit-order": ["a", "b"]}[ask.prompt.key]
        battle.answer(answer)
    assert [(e.facts["unit"], e.facts["inches"]) for e in events(battle, "pursues")] == [("a", 6), ("b", 7), ("c", 5)]
    assert last(battle, "caught") == {"unit": "d", "inches": 7, "most": 7}
    assert [(e.facts["unit"], e.facts["target"]) for e in events(battle, "charged")] == [("a", "e"), ("b", "e")]
    a, b, c, e = (box(battle.state, u(battle, key)) for key in "abce")
    for one in (a, b):
        assert one.facing == 0
        assert spacing.separation(one.corners(), e.corners()) == pytest.approx(0, abs=1e-6)
    touched = {
        key: spacing.contacts(battle.state, u(battle, key), "front", u(battle, "e"), "front") for key in ("a", "b")
    }
    assert {theirs for pairs in touched.values() for _, theirs in pairs} == {0, 1, 2}, "all of E"
    assert sum(len({mine for mine, _ in pairs}) for pairs in touched.values()) == 4, "three and a corner"
    assert spacing.separation(a.corners(), b.corners()) > 0
    assert (c.facing, c.x) == (0, pytest.approx(42.5))
    assert c.y - (25.6 + 5) == pytest.approx(5, abs=1e-6)


@pytest.mark.rule("t9a.char.base.figure", "t9a.char.base.mismatching", "t9a.char.base.matching")
def test_figure_14_six_files_and_four_ranks():
    """A base of another kind beside the unit, one of a whole number of its soldiers' inside, as far forward as can be:
    six files, four ranks. When a larger one joins, whoever can makes room so that all stand as far forward as may
    be."""
    footmen, rider, ogre = quiet(base=(20.0, 20.0)), quiet(base=(25.0, 50.0), hp=3), quiet(base=(40.0, 40.0), hp=3)
    here = [
        unit("a", of=footmen, models=16, files=5),
        hero("s", in_unit="a", of=rider),
        hero("o", in_unit="a", of=ogre),
        unit("z", 1, at=(8, 46), of=quiet()),
    ]
    battle = scene(*here)
    state, a = battle.state, u(battle, "a")
    shape = layout(state, a)
    assert (shape.files, len(shape.rows)) == (6, 4)
    assert shape.width * 25.4 == pytest.approx(125)
    cells = {cell.pool: cell for cell in shape.cells if cell.pool != "a"}
    assert (cells["o"].rank, cells["s"].rank) == (0, 0)
    assert abs(cells["s"].x0 + cells["s"].x1) / 2 == pytest.approx(50 / 25.4), "beside the unit"
    assert full_ranks(state, a) == 4, "whoever stands beside it fills no rank: 3 + 2, 3 + 2, 5 and 5"
    crowded = scene(
        unit("a", of=footmen, models=14, files=5),
        *(hero(key, in_unit="a", of=quiet(base=(20.0, 20.0), hp=3)) for key in "hij"),
        hero("o", in_unit="a", of=ogre),
        unit("z", 1, at=(8, 46), of=quiet()),
    )
    ranks = {cell.pool: cell.rank for cell in layout(crowded.state, u(crowded, "a")).cells if cell.pool != "a"}
    assert ranks == {"h": 0, "i": 0, "j": 0, "o": 0}
