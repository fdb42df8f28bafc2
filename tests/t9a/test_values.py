"""Numbers, dice and their limits."""

import pytest

from t9a.builder import do, events, last, p, part, profile, rolled, scene, unit
from umpire.engine import effects
from umpire.engine.effects import Effect
from umpire.games.t9a.characteristics import offensive
from umpire.games.t9a.values import Mod, kept, net_of, random_value, settle


@pytest.fixture
def state():
    return scene(unit("a"), unit("b", 1, at=(36, 40))).state


def total(state, what, base, *mods, high=True):
    return settle(state, what, base, [Mod(*m) for m in mods], high=high).total


@pytest.mark.rule("t9a.def.modifier.order", "t9a.def.modifier.set", "t9a.def.modifier.add")
def test_modifiers_are_applied_in_the_books_order(state):
    assert total(state, "str", 3, ("add", 1, ""), ("multiply", 2, ""), ("set", 5, "")) == 11
    assert total(state, "att", 4, ("add", 1, ""), ("multiply", 0.5, "")) == 3
    assert total(state, "off", 4, ("add", 1, ""), ("add", -2, "")) == 3
    assert total(state, "dis", 9, ("least", 8, "")) == 9
    assert total(state, "dis", 7, ("least", 8, "")) == 8
    assert total(state, "str", 6, ("set", 5, "")) == 5


@pytest.mark.rule("t9a.def.modifier.multiply", "t9a.def.modifier.round-up")
def test_fractions_are_rounded_up_after_everything(state):
    assert total(state, "mob", 5, ("multiply", 0.5, "")) == 3
    assert total(state, "mob", 5, ("multiply", 0.5, ""), ("add", 1, "")) == 4
    assert total(state, "x", 7, ("multiply", 0.5, "")) == 4


@pytest.mark.rule("t9a.def.modifier.capped", "t9a.def.modifier.difficulty")
def test_capped_modifiers_come_last_and_never_pull_back(state):
    """Interaction 34: first the wall, then Distracting up to its limit."""
    assert total(state, "att", 3, ("capped", 2, "", 4)) == 4
    assert total(state, "att", 3, ("capped", 2, "", 4), ("add", 2, "")) == 5
    wall, distracting = ("add", 1, ""), ("capped", 1, "", 5)
    assert total(state, "hit", 4, distracting, wall, high=False) == 5
    assert total(state, "hit", 3, distracting, wall, high=False) == 5
    assert total(state, "hit", 5, distracting, wall, high=False) == 6


@pytest.mark.rule("t9a.def.modifier.always")
def test_always_comes_after_arithmetic(state):
    assert total(state, "agi", 4, ("always", 0, ""), ("add", 1, "")) == 0
    assert total(state, "def", 3, ("always-least", 6, ""), ("add", 1, "")) == 6
    assert total(state, "def", 7, ("always-least", 6, "")) == 7


@pytest.mark.rule("t9a.def.modifier.min-zero", "t9a.def.modifier.armour-cap", "t9a.def.modifier.agi-dis-cap")
def test_limits_of_characteristics(state):
    assert total(state, "ap", 0, ("add", -1, "")) == 0
    assert total(state, "dis", 2, ("add", -5, "")) == 0
    assert total(state, "arm", 5, ("add", 1, ""), ("add", 1, "")) == 6
    assert total(state, "agi", 9, ("add", 1, ""), ("add", 1, "")) == 10
    assert total(state, "dis", 9, ("add", 3, "")) == 10
    assert total(state, "str", 9, ("add", 3, "")) == 12


@pytest.mark.rule("t9a.def.modifier.same-step")
def test_of_several_set_values_the_worst_stands(state):
    assert total(state, "res", 4, ("set", 3, ""), ("set", 5, "")) == 3
    assert total(state, "res", 4, ("set", 5, ""), ("set", 3, "")) == 3


@pytest.mark.rule("t9a.def.modifier.limits-final")
def test_the_limits_hold_for_a_value_that_nothing_changes(state):
    assert total(state, "arm", 9) == 6
    assert total(state, "agi", 12) == 10


@pytest.mark.rule("t9a.def.dice.maximised-minimised")
def test_maximised_drops_the_lowest_minimised_the_highest():
    assert sum(kept([2, 5, 6], 2, 1)) == 11
    assert sum(kept([2, 5, 6], 2, -1)) == 7
    battle = scene(unit("a", at=(36, 10), of=profile("swiftstride")), unit("b", 1, at=(36, 18)), dice=[1, 4])
    do(battle, "a", "b", "hold")
    assert rolled(battle, "charge") == [2]
    assert last(battle, "charge-range")["inches"] == 4 + 4 + 4


@pytest.mark.rule("t9a.def.dice.max-min-stacking")
def test_maximised_and_minimised_cancel_and_add_up(state):
    assert net_of(state, [(-1, "x"), (-1, "x")])[0] == -2
    assert sum(kept([6, 4, 3, 1], 2, -2)) == 4
    assert net_of(state, [(1, "x"), (-1, "x")])[0] == 0
    assert net_of(state, [(1, "x"), (-1, "x"), (-1, "x")])[0] == -1


@pytest.mark.rule("t9a.def.dice.d3", "t9a.def.dice.notation")
@pytest.mark.parametrize(("face", "value"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_a_d3_is_half_a_d6_rounded_up(face, value):
    battle = scene(unit("a"), unit("b", 1, at=(36, 40)), dice=[face, 4, 4])
    assert random_value(battle, "D3", "shots", "t9a.def.dice.d3") == value
    assert random_value(battle, "D6+2", "shots", "") == 6
    assert random_value(battle, "D6-2", "shots", "") == 2
    assert random_value(battle, "7", "shots", "") == 7


@pytest.mark.rule("t9a.def.profile.random")
def test_a_random_attack_value_is_rolled_anew_each_round():
    beast = profile(parts=[part(att="D6+1")], hp=9, res=9)
    battle = scene(
        unit("a", of=beast, models=1, files=1),
        unit("b", 1, of=profile(hp=9, res=9), models=1, files=1),
        moment="melee",
        dice=[4, *[1] * 5, 3],
    )
    assert rolled(battle, "attacks")[0] == 1
    assert rolled(battle, "hit")[0] == 5


@pytest.mark.rule("t9a.def.profile.missing")
def test_a_missing_characteristic_is_0_and_stays_so():
    chassis = profile(parts=[part(off=None, att=None)])
    battle = scene(unit("a", of=chassis), unit("b", 1, at=(36, 40)))
    pool = p(battle, "a")
    effects.add(battle.state, Effect("a", "off", "add", 1, "t9a.magic.resolve", "barkskin"))
    assert offensive(battle.state, pool, pool.profile.parts[0], "off").total == 0


@pytest.mark.rule("t9a.def.dice.reroll", "t9a.def.dice.natural")
def test_no_die_is_rolled_a_third_time_and_the_new_face_counts():
    """Interaction 36: with Weakness and Resistance every die is rolled once more; Lethal Strike reads the new face."""
    attacker = profile(parts=[part("zealous", "lethal-strike", att=2, off=9, agi=9)])
    foe = profile("weakness", "resistant", hp=9, res=3, arm=6, parts=[part(att=None)])
    battle = scene(
        unit("a", of=attacker, models=1, files=1),
        unit("b", 1, of=foe, models=1, files=1),
        moment="melee",
        dice=[6, 6, 6, 2, 5, 6, 1],
    )
    again = events(battle, "reroll")
    assert again[0].roll.faces == [5, 6]
    assert again[0].roll.first == [6, 2]
    assert p(battle, "b").lost == 2
