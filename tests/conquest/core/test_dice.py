"""Dice and Characteristic Tests."""

import pytest

from conquest.builder import do, events, fired, hero, last, profile, regiment, rolled, scene
from umpire.engine.effects import Effect
from umpire.games.conquest import dice
from umpire.games.conquest.hooks import Reroll


def fighting(mine=None, theirs=None, rolls="seed", stands=(3, 3), inspired=0, **more):
    """Two regiments front to front; side 0 chooses an action."""
    return scene(
        regiment("a", 0, (36, 20), stands=stands[0], inspired=inspired, of=mine or profile()),
        regiment("b", 1, (36, 20), stands=stands[1], of=theirs or profile()),
        dice=rolls,
        **more,
    )


@pytest.mark.rule("conquest.dice.roll-low", "conquest.dice.d6")
def test_a_die_equal_or_lower_succeeds():
    assert [face for face in range(1, 7) if dice.succeeds(face, 3)] == [1, 2, 3]
    battle = fighting(profile(c=3, a=2), profile(d=0, e=0, r=6), [1, 2, 3, 4, 5, 6, 6, 6, 6, 1, 1, 1])
    do(battle, "clash")
    assert last(battle, "hits")["hits"] == 3
    assert all(1 <= face <= 6 for e in battle.events if e.roll for face in e.roll.faces)


@pytest.mark.rule("conquest.dice.auto-pass-fail")
def test_one_always_passes_and_six_always_fails():
    assert not dice.succeeds(6, 6)
    assert not dice.succeeds(6, 7)
    assert dice.succeeds(1, 0)
    assert not dice.saves(6, 6, 0)
    assert not dice.saves(1, 0, 0)
    lowered = [Effect("a", "clash", "add", -3, "conquest.rule.terrifying", until="round")]
    battle = fighting(profile(c=1, a=1), profile(d=0, e=0), [1, 6, 6, 6, 1], effects=tuple(lowered))
    do(battle, "clash")
    assert last(battle, "hits")["hits"] == 1


@pytest.mark.rule("conquest.dice.characteristic-test")
def test_charge_and_reinforcement_rolls_are_no_characteristic_tests():
    far = scene(regiment("a", 0, (36, 10), of=profile(m=5)), regiment("b", 1, (36, 21)), dice=[6], moment="actions")
    do(far, "charge", "b")
    assert last(far, "charge-roll")["success"], "a 6 on a charge die is no automatic failure"
    assert "conquest.dice.characteristic-test" not in {rule for e in events(far, "charge-roll") for rule in e.rules}
    short = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 18)), dice=[1])
    do(short, "charge", "b")
    assert not last(short, "charge-roll")["success"], "a 1 on a charge die is no automatic success"
    clash = fighting(rolls="seed")
    do(clash, "clash")


@pytest.mark.rule("conquest.dice.reroll")
def test_the_new_result_stands_even_if_worse():
    battle = fighting(
        profile(c=4, a=1), profile(d=0, e=0), [6, 4, 4, 5, 1, 1, 6, 1, 1], stands=(3, 3), inspired=1, taken=("inspire",)
    )
    do(battle, "clash", True)
    assert last(battle, "hits")["hits"] == 2, "the 6 was re-rolled into a 5, which misses"
    fired(battle, "conquest.dice.reroll")


@pytest.mark.rule("conquest.dice.reroll.once")
def test_a_die_is_rerolled_once_at_most():
    battle = fighting(
        profile(c=3, a=1, rules=["flurry"]), profile("brute", d=0, e=0), [6, 4, 1, 6, 2, 1, 1, 6, 6], stands=(3, 1)
    )
    do(battle, "clash")
    while battle.decision and battle.decision.kind == "confirm":
        battle.answer(True)
    again = [e.roll for e in battle.events if e.kind == "reroll"]
    assert len(again) == 1
    assert again[0].first == [6, 4, 0]
    assert again[0].faces == [6, 2, 1], "the re-rolled 6 stays"


@pytest.mark.rule("conquest.dice.reroll.cancel")
def test_opposed_rerolls_cancel():
    ones, sixes = Reroll("ones", "x"), Reroll("sixes", "y")
    full, other = Reroll("failures", "x"), Reroll("failures", "y")
    assert dice.standing([ones, sixes], "cancel") == ([], True)
    assert dice.standing([full, other], "cancel") == ([full, other], False)
    assert dice.standing([Reroll("successes", "x"), sixes], "cancel") == ([], True)
    assert dice.standing([ones, full], "full-stands") == ([full], True)
    battle = fighting(profile(c=4, a=1), profile(d=0, e=0, rules=["parry"]), [1, 6, 2, 6, 6, 1, 1], inspired=1)
    do(battle, "clash")
    assert not events(battle, "reroll")
    fired(battle, "conquest.dice.reroll.cancel")


@pytest.mark.rule("conquest.dice.roll-off")
def test_the_lower_die_wins_and_ties_are_thrown_again():
    battle = fighting(rolls=[2, 5, 3, 3, 6, 6, 4, 5])
    assert dice.roll_off(battle, "conquest.core.dispute-die") == 0
    assert dice.roll_off(battle, "conquest.core.dispute-die") == 0
    assert rolled(battle, "roll-off") == [1] * 8


@pytest.mark.rule("conquest.core.dispute-die")
def test_a_dispute_is_settled_by_a_die_only_if_both_accept():
    def start(rolls, choice="die"):
        return scene(regiment("a", 0, where="reserve"), regiment("b", 1, where="reserve"), moment="set-up", dice=rolls,
                     options={"disputes": choice})  # fmt: skip

    quiet = start([], "ledger")
    assert not events(quiet, "settled")
    battle = start([5, 2])
    battle.answer("less-than-half", side=0)
    battle.answer("half-or-less", side=1)
    battle.answer(True, side=0)
    battle.answer(True, side=1)
    assert battle.state.options.effective_range == "half-or-less", "the lower die's proposal stands"
    assert battle.state.agreed == ("effective_range=half-or-less",)
    refusal = start([])
    for side, wish in enumerate(("half-or-less", "less-than-half")):
        refusal.answer(wish, side=side)
    refusal.answer(True, side=0)
    refusal.answer(False, side=1)
    assert refusal.state.options.effective_range == "less-than-half"
    assert not rolled(refusal, "roll-off")


@pytest.mark.rule("conquest.regiment.character-rules-not-shared", "conquest.regiment.definition")
def test_a_characters_cleave_is_his_own():
    battle = scene(
        regiment("a", 0, (36, 20), stands=2, of=profile(a=1, c=3)),
        regiment("b", 1, (36, 20), stands=3, of=profile(d=3, e=0)),
        characters=[hero("h", 0, "a", profile(c=5, a=2, rules=["cleave 2"]))],
        dice=[1, 1, 1, 1, 3, 3, 2, 3, 1, 1, 1],
    )
    do(battle, "clash")
    defended = [e.facts["defense"] for e in events(battle, "defended")]
    assert defended == [3, 1], "the regiment's hits meet Defense 3, his meet 1"
    assert [e.facts["value"] for e in events(battle, "hits")] == [3, 5], "each stand keeps its own profile"
