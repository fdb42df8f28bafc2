"""Dice: amounts, re-rolls before modifiers, roll-offs, fast dice."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.dice import Roll
from umpire.games.wh40k.abilities import Asking, changed, result
from umpire.games.wh40k.dice import capped, d3, on_roll, read, reroll_by_rule, roll_off
from umpire.games.wh40k.profiles import amount
from umpire.miniatures.special import Reroll
from wh40k.builder import ability, do, fire, gun, needs, rolls, row, scene, told, unit
from wh40k.test_attacks import volley


def table(**more: Any) -> Any:
    return scene(unit("a1", (10, 10), **more), unit("b1", (10, 28)), dice=[4, 4, 5, 3, 6, 6, 6])


@pytest.mark.rule("wh40k.dice.d6", "wh40k.dice.d3", "wh40k.dice.target-number")
def test_amounts_of_dice() -> None:
    assert [d3(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert read([1, 2, 6], amount("3D3")) == 5
    assert read([4], amount("D6+2")) == 6
    assert (amount("2D6").dice, amount("2D6").most, amount("7").plus) == (2, 12, 7)
    assert told(volley([3, 2, 4, 1], gun(type="assault", attacks="2"), {"bs": 3}), "hits")[0].facts["hits"] == 1


@pytest.mark.rule("wh40k.dice.d66")
def test_two_dice_in_order_are_tens_and_units() -> None:
    from umpire.games.wh40k.dice import d66

    assert d66([3, 4]) == 34
    assert d66([4, 3]) == 43
    assert len({d66([a, b]) for a in range(1, 7) for b in range(1, 7)}) == 36


@pytest.mark.rule("wh40k.dice.modifiers-combine", "wh40k.dice.modifier-rounding")
def test_multiplications_first_and_fractions_up() -> None:
    def modified(face: int, *changes: dict) -> int:
        battle = table(abilities=list(changes))
        return result(Asking(battle.state, "charge", face, battle.state.unit("a1")))

    double = ability("modify", id="x2", what="charge", op="multiply", value=2)
    half = ability("modify", id="half", what="charge", op="multiply", value=0.5)
    plus = ability("modify", id="plus", what="charge", value=1)
    minus = ability("modify", id="minus", what="charge", value=-2)
    assert modified(3, plus, minus) == 2
    assert modified(3, plus, double) == 7
    assert modified(5, half) == 3
    battle = scene(
        unit("a1", (10, 10), abilities=[half]), unit("b1", (10, 14.5)), phase="charge", dice=[3, 2, *[1] * 9]
    )
    do(battle, "a1", ["b1"])
    assert told(battle, "charge-modified")[0].facts["inches"] == 3


@pytest.mark.rule("wh40k.dice.minimum-one")
def test_a_result_below_one_counts_as_one() -> None:
    less = [ability("burden", what="d", value=-2)]
    battle = volley([4, 4, 1, 1], gun(type="assault", d="D3"), foe={"w": 3, "abilities": less})
    do(battle, ["b1.1"])
    assert battle.state.unit("b1").models[0].wounds == 2


@pytest.mark.rule("wh40k.dice.other-rolls-uncapped")
def test_other_rolls_have_no_cap() -> None:
    more = [ability("modify", id=f"m{n}", what="psychic", value=v) for n, v in enumerate((1, 1, 2))]
    battle = table(abilities=more)
    assert changed(Asking(battle.state, "psychic", 5, battle.state.unit("a1"))).total == 9
    assert capped(battle.state, 3) == 1
    assert capped(battle.state, -4) == -1


@pytest.mark.rule("wh40k.dice.reroll-before-modifiers", "wh40k.dice.reroll-specific")
def test_re_rolls_look_at_dice_as_they_fell() -> None:
    ones = ability("reroll", what="hit", which="ones")
    weapon = gun(type="assault", attacks="2")
    battle = volley([1, 2, 3], weapon, {"bs": 3, "abilities": [ones, ability("modify", what="hit", value=-1)]})
    assert told(battle, "reroll")[0].roll.faces == [3, 2]
    assert told(battle, "hits")[0].facts["hits"] == 0
    lucky = volley([1, 5, 1, 1], weapon, {"bs": 3, "abilities": [ones, ability("modify", what="hit", value=1)]})
    assert told(lucky, "reroll")


@pytest.mark.rule("wh40k.dice.reroll-before-modifiers")
def test_what_only_a_modifier_spoils_has_not_failed_when_dice_are_re_rolled() -> None:
    less = ability("modify", what="hit", value=-1)
    again = [ability("reroll", what="hit", which="failures"), less]
    battle = volley([4, 3, 6, 1], gun(type="assault", attacks="2"), {"bs": 4, "abilities": again})
    assert told(battle, "reroll")[0].roll.faces == [4, 6]  # the 4 is spoilt by the modifier, which comes afterwards
    assert told(battle, "hits")[0].facts["hits"] == 1
    foe = {"t": 4, "abilities": [ability("burden", what="wound", value=-1)]}
    mine = {"abilities": [ability("reroll", what="wound", which="failures")]}
    battle = volley([6, 6, 4, 3, 2], gun(type="assault", attacks="2"), mine, foe)
    assert told(battle, "reroll")[0].roll.faces == [4, 2]
    saves = {"sv": 4, "w": 3, "abilities": [ability("reroll", what="save", which="failures")]}
    battle = volley([6, 6, 6, 6, 4, 3, 5], gun(type="assault", attacks="2", ap=-1), None, saves)
    assert told(battle, "reroll")[0].roll.faces == [4, 5]


@pytest.mark.rule("wh40k.dice.unmodified")
def test_a_trigger_looks_at_the_die_after_re_rolls_and_before_modifiers() -> None:
    extra = gun(type="assault", rules=["extra-hits-6"])
    plus = volley([5, 1], extra, {"abilities": [ability("modify", what="hit", value=1)]})
    assert not told(plus, "extra-hits")
    again = volley([1, 6, 1, 1], extra, {"abilities": [ability("reroll", what="hit")]})
    assert told(again, "extra-hits")


@pytest.mark.rule("wh40k.dice.modifiers-carry-to-reroll")
def test_modifiers_stay_when_a_test_is_rolled_again() -> None:
    battle = scene(
        unit("a1", (10, 10), keywords=["psyker"], psychic={"casts": 1}, abilities=[
            ability("modify", what="psychic", value=1), ability("reroll", what="psychic", which="failures")]),
        unit("b1", *row(10, 20, 3)),
        phase="psychic",
        dice=[1, 2, 2, 2, 1],
    )  # fmt: skip
    do(battle, "a1", "smite")
    assert told(battle, "psychic-test")[0].facts["result"] == 5


@pytest.mark.rule("wh40k.dice.reroll-d3")
def test_a_d3_of_one_is_a_die_of_one_or_two() -> None:
    again = [ability("reroll", what="damage", which="ones")]
    battle = volley([4, 4, 1, 2, 5], gun(type="assault", d="D3"), {"abilities": again}, {"w": 3})
    assert told(battle, "reroll")[0].roll.faces == [5]
    kept = volley([4, 4, 1, 3], gun(type="assault", d="D3"), {"abilities": again}, {"w": 3})
    assert not told(kept, "reroll")


@pytest.mark.rule("wh40k.dice.reroll-different-dice", "wh40k.dice.reroll-declare-source")
def test_two_abilities_take_a_die_each_and_the_used_one_is_named() -> None:
    battle = table()
    roll = Roll("attacks", "", 6, [1, 2], 0)
    first = reroll_by_rule(battle, roll, [Reroll("ones", "wh40k.dice.reroll-accept")], [True, True])
    assert first.faces == [4, 2]
    second = reroll_by_rule(battle, first, [Reroll("failures", "wh40k.dice.reroll-accept")], [True, True])
    assert second.faces == [4, 4]
    third = reroll_by_rule(battle, second, [Reroll("failures", "wh40k.dice.reroll-accept")], [True, True])
    assert third.faces == [4, 4]  # no die twice
    assert [e.rules[0] for e in told(battle, "reroll")] == ["wh40k.dice.reroll-specific", "wh40k.dice.reroll-accept"]


@pytest.mark.rule("wh40k.dice.roll-off", "wh40k.dice.roll-off-no-change")
def test_ties_are_rolled_again_and_nobody_changes_the_dice() -> None:
    battle = table()
    assert roll_off(battle) == 0  # 4 to 4, then 5 to 3
    roll = Roll("roll-off", "", 6, [1], 0)
    battle.state.sides[0].cp = 3
    battle.state.sides[0].wishes = ("hit:always",)
    assert list(on_roll(battle, roll)) == []


@pytest.mark.rule("wh40k.dice.cocked")
def test_dice_that_people_type_are_what_they_say_lies_flat() -> None:
    import umpire

    battle = umpire.battle("wh40k", seed=3, dice="typed")
    while battle.decision is not None and battle.decision.kind != "dice":
        battle.answer(battle.decision.suggest())
    count = battle.decision.count  # type: ignore[union-attr]
    ruling = battle.check([0] * count)
    assert not ruling.legal
    assert ruling.rules == ("wh40k.dice.cocked",)
    assert battle.check([6] * count).legal  # thrown again, it is an ordinary roll, which may be re-rolled once
    before = len(battle.answers)
    battle.answer([6] * count)
    assert len(battle.answers) == before + 1


@pytest.mark.rule("wh40k.dice.fast")
def test_only_what_is_alike_is_rolled_together() -> None:
    battle = scene(
        unit("a1", *row(10, 10, 3), weapons=[gun(type="assault")], kinds=[{"id": "x", "bs": 3}, {"id": "y", "bs": 4}],
             rows=["x", "x", "y"]),
        unit("b1", (10, 21), w=9),
        phase="shooting",
        dice=[1, 1, 1],
    )  # fmt: skip
    do(battle, "a1")
    fire(battle)
    assert sorted(len(r) for r in rolls(battle, "hit")) == [1, 2]
    assert sorted(needs(battle, "hit")) == [3, 4]
