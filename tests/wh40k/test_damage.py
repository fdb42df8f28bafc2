"""Allocation that is forced, saves, damage, mortal wounds, ignored wounds."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.games.wh40k.allocation import forced
from umpire.games.wh40k.profiles import Profile
from umpire.games.wh40k.saves import Blow, invulnerable_save, save_need, saved
from wh40k.builder import (
    ability,
    aim,
    alive,
    ask,
    cites,
    do,
    fire,
    gun,
    needs,
    options,
    prompt,
    rolls,
    row,
    scene,
    told,
    unit,
)
from wh40k.test_attacks import volley

RIFLE = gun(type="assault", attacks="2")


def need(sv: int = 4, ap: int = 0, covered: bool = False, **profile: Any) -> int:
    battle = scene(unit("a1", (10, 10)), unit("b1", (20, 10), sv=sv, **profile))
    b = battle.state.unit("b1")
    blow = Blow("a1", Profile("shot", "assault", "4"), ap, "shooting", ("b1.1",) if covered else ())
    return save_need(battle.state, b, b.models[0], blow)[0]


@pytest.mark.rule("wh40k.attack.allocate-wounded")
def test_a_wounded_model_takes_the_next_attack() -> None:
    foe = {"w": 3, "wounds": [3, 2, 3]}
    battle = volley([4, 4, 4, 4, 1, 1], RIFLE, foe=foe)
    assert not battle.decision or prompt(battle) != "ask.lost"  # nobody is asked: b1.2 must take both, and dies
    assert [m.id for m in battle.state.unit("b1").models] == ["b1.1", "b1.3"]
    two = scene(unit("b1", *row(10, 21, 3), w=3, wounds=[2, 3, 1]))
    assert [m.id for m in forced(two.state, two.state.unit("b1"))] == ["b1.1", "b1.3"]


@pytest.mark.rule("wh40k.attack.allocate-same-model")
def test_a_model_that_was_allocated_an_attack_this_phase_takes_the_next() -> None:
    kinds = [{"id": "hard", "sv": 2}, {"id": "soft", "sv": 5}]
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault")]),
        unit("a2", (14, 10), weapons=[gun(type="assault")]),
        unit("b1", *row(10, 21, 3), kinds=kinds, rows=["hard", "soft", "soft"]),
        phase="shooting",
        dice=[4, 4, 6, 4, 4, 1],
    )
    do(battle, "a1")
    fire(battle)
    assert prompt(battle) == "ask.allocate"
    do(battle, "b1.1")  # saved: but it is the one that attacks go to for the rest of the phase
    do(battle, "a2")
    fire(battle)
    assert [m.id for m in battle.state.unit("b1").models] == ["b1.2", "b1.3"]


@pytest.mark.rule("wh40k.attack.save-roll", "wh40k.attack.save-natural-one")
def test_saving_throws() -> None:
    battle = volley([4, 4, 4, 4, 4, 3], RIFLE)
    assert told(battle, "saves")[0].facts["saved"] == 1
    state = battle.state
    assert not saved(state, 1, 1)
    assert saved(state, 2, 2)


@pytest.mark.rule("wh40k.attack.armour-ap")
def test_ap_is_taken_from_the_armour_save() -> None:
    assert need(3) == 3
    assert need(3, -3) == 6
    assert need(3, -3, covered=True) == 5


@pytest.mark.rule("wh40k.attack.armour-unbounded", "wh40k.unit.save-seven-plus", "wh40k.dice.above-six")
def test_armour_saves_have_no_bounds() -> None:
    assert need(2, -4) == 6
    assert need(1, -3) == 4
    assert need(7) == 7  # cannot be made
    assert need(7, covered=True) == 6


@pytest.mark.rule("wh40k.unit.zero-skill", "wh40k.unit.modifier-dash")
def test_a_dash_is_no_armour_at_all() -> None:
    better = [ability("modify", what="armour", value=1), ability("modify", id="m2", what="sv", value=-1)]
    assert need(0, abilities=better) > 6
    assert need(0, invulnerable=5) == 5
    battle = scene(unit("a1", (10, 10), bs=0, weapons=[gun()]), unit("b1", (10, 15)), phase="shooting")
    assert prompt(battle) != "ask.shoot"


@pytest.mark.rule("wh40k.attack.invulnerable", "wh40k.attack.save-one-only")
def test_an_invulnerable_save_stands_instead_of_armour() -> None:
    assert need(2, -4, invulnerable=5) == 5
    assert need(2, -1, invulnerable=5) == 3
    battle = volley([4, 4, 4], gun(type="assault", ap=-4), foe={"sv": 2, "invulnerable": 5})
    assert rolls(battle, "save") == [[4]]  # one throw, whatever saves it has
    assert needs(battle, "save") == [5]


@pytest.mark.rule("wh40k.attack.save-modifier-scope")
def test_a_modifier_helps_the_save_that_it_names() -> None:
    assert need(7, invulnerable=5, abilities=[ability("modify", what="armour", value=1)]) == 5
    assert need(7, invulnerable=5, abilities=[ability("modify", what="save", value=1)]) == 4
    battle = scene(unit("b1", (20, 10), invulnerable=5, abilities=[ability("invulnerable", value=4)]))
    b = battle.state.unit("b1")
    assert invulnerable_save(battle.state, b, b.models[0]) == 4


@pytest.mark.rule("wh40k.attack.damage", "wh40k.attack.model-destroyed", "wh40k.attack.excess-damage-lost")
def test_damage_takes_wounds_and_excess_is_lost() -> None:
    hurt = volley([4, 4, 1], gun(type="assault", d="2"), foe={"w": 3})
    hurt.answer(["b1.2"])
    assert [m.wounds for m in hurt.state.unit("b1").models] == [3, 1, 3]
    big = volley([4, 4, 1], gun(type="assault", d="12"))
    big.answer(["b1.1"])
    assert alive(big, "b1") == 2


@pytest.mark.rule("wh40k.attack.random-damage", "wh40k.dice.fast-random-damage")
def test_random_damage_is_rolled_attack_by_attack() -> None:
    weapon = gun(type="assault", attacks="3", d="D3")
    battle = volley([4, 4, 4, 4, 4, 4, 1, 1, 1, 1, 5, 3], weapon, foe={"w": 2})
    assert rolls(battle, "damage") == [[1], [5]]  # 1 hurts; the next kills whatever it shows, and is not rolled
    assert told(battle, "unsaved")[0].facts["slain"] == 2
    more = volley([4, 4, 1, 1], gun(type="assault", d="D6+2"), foe={"w": 10})
    more.answer(["b1.1"])
    assert more.state.unit("b1").models[0].wounds == 7
    small = volley([4, 4, 1], gun(type="assault", d="D3"))
    assert not rolls(small, "damage")


@pytest.mark.rule("wh40k.attack.mortal-wounds", "wh40k.attack.mortal-one-by-one")
def test_mortal_wounds_go_from_model_to_model_without_saves() -> None:
    def suffered(count: int, **foe: Any) -> Battle[Any]:
        from umpire.games.wh40k.damage import mortal_wounds

        battle = scene(unit("a1", (10, 10)), unit("b1", *row(10, 21, 5), sv=2, invulnerable=3, **foe), phase="shooting")
        steps = mortal_wounds(battle, battle.state.unit("b1"), count, "a1")
        try:
            ask = next(steps)
            while True:
                ask = steps.send(ask.suggest())
        except StopIteration:
            pass
        return battle

    assert alive(suffered(5), "b1") == 0
    two = suffered(5, w=2).state.unit("b1")
    assert (len(two.models), sorted(m.wounds for m in two.models)) == (3, [1, 2, 2])
    assert not rolls(suffered(2), "save")


@pytest.mark.rule("wh40k.attack.mortal-in-addition", "wh40k.attack.mortal-on-unit")
def test_mortal_wounds_besides_come_though_the_save_held() -> None:
    sniper = gun(type="assault", rules=["mortal-6"])
    battle = volley([4, 6, 6], sniper)
    battle.answer(["b1.1"])
    assert alive(battle, "b1") == 2
    both = volley([4, 6, 1], sniper)
    do(both, ["b1.1"], ["b1.2"])
    assert alive(both, "b1") == 1
    lone = scene(
        unit("a1", (10, 10), weapons=[sniper]), unit("b1", (10, 21)), unit("b2", (30, 28)), phase="shooting",
        dice=[4, 6, 1],
    )  # fmt: skip
    lone.answer("a1")
    fire(lone)
    assert told(lone, "mortal-lost")


@pytest.mark.rule("wh40k.attack.mortal-held-back")
def test_mortal_wounds_wait_until_all_attacks_are_done() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(id="sniper", type="assault", rules=["mortal-6"]), gun(type="assault")]),
        unit("b1", *row(10, 21, 3)),
        unit("b2", *row(20, 21, 3)),
        phase="shooting",
        dice=[4, 6, 6, 4, 4, 6],
    )
    do(battle, "a1", aim("a1.1/0/shot>b1", "a1.1/1/shot>b2"))
    order = [e.kind for e in battle.events if e.kind in ("saves", "mortal")]
    assert order == ["saves", "saves", "mortal"]


@pytest.mark.rule("wh40k.attack.mortal-instead", "wh40k.attack.mortal-damage-modifiers")
def test_mortal_wounds_instead_end_the_attack() -> None:
    battle = volley([4, 6], gun(type="assault", d="2", rules=["instead-6"]))
    assert not rolls(battle, "save")
    assert told(battle, "mortal")[0].facts["count"] == 2
    less = [ability("burden", what="d", value=-1)]
    sniper = gun(type="assault", d="2", rules=["mortal-6"])
    softened = volley([4, 6, 1], sniper, foe={"w": 3, "abilities": less})
    softened.answer(["b1.1"])
    assert [m.wounds for m in softened.state.unit("b1").models] == [1, 3, 3]  # 1 of the attack, 1 mortal wound


@pytest.mark.rule("wh40k.attack.mortal-instead", "wh40k.attack.random-damage")
def test_random_damage_is_rolled_for_each_attack_that_becomes_mortal_wounds() -> None:
    lash = gun(type="assault", attacks="2", d="D3+1", rules=["instead-6"])
    battle = volley([4, 4, 6, 6, 2, 6], lash, foe={"w": 9})
    assert rolls(battle, "damage") == [[2], [6]]
    assert told(battle, "mortal-instead")[0].facts["count"] == 6  # 1 + 1 and 3 + 1


@pytest.mark.rule("wh40k.attack.ignore-wounds", "wh40k.attack.ignore-wounds-timing")
def test_a_die_for_each_wound_that_would_be_lost() -> None:
    tough = {"w": 4, "abilities": [ability("ignore-wounds", value=5)]}
    battle = volley([4, 4, 1, 5, 4, 6], gun(type="assault", d="3"), foe=tough)
    assert rolls(battle, "ignore") == [[5, 4, 6]]
    battle.answer(["b1.1"])
    assert battle.state.unit("b1").models[0].wounds == 3
    saved_ = volley([4, 4, 6], gun(type="assault", d="3"), foe=tough)
    assert not rolls(saved_, "ignore")


@pytest.mark.rule("wh40k.attack.ignore-wounds-once")
def test_each_wound_is_tested_with_one_such_rule() -> None:
    two = [ability("ignore-wounds", value=5), ability("ignore-wounds", id="other", value=4)]
    battle = volley([4, 4, 1, 3], gun(type="assault"), foe={"abilities": two})
    assert needs(battle, "ignore") == [4]
    assert len(rolls(battle, "ignore")) == 1


@pytest.mark.rule("wh40k.attack.ignore-wounds-mortal")
def test_mortal_wounds_may_be_ignored_too() -> None:
    sniper = gun(type="assault", rules=["instead-6"], d="3")
    battle = volley([4, 6, 5, 2, 6], sniper, foe={"abilities": [ability("ignore-wounds", value=5)]})
    assert rolls(battle, "ignore") == [[5, 2, 6]]
    battle.answer(["b1.1"])
    assert alive(battle, "b1") == 2


@pytest.mark.rule("wh40k.attack.wound-limit-abilities")
def test_no_more_than_so_many_wounds_in_a_phase() -> None:
    limited = {"w": 10, "abilities": [ability("wound-limit", value=3, what="phase")]}
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault", attacks="2", d="2")]),
        unit("b1", (10, 21), **limited),
        phase="shooting",
        dice=[4, 4, 4, 4, 1, 1],
    )
    battle.answer("a1")
    fire(battle)
    assert battle.state.unit("b1").models[0].wounds == 7


@pytest.mark.rule("wh40k.attack.cannot-ignore-wounds")
def test_what_cannot_be_ignored_breaks_limits_too() -> None:
    foe = {"w": 10, "abilities": [ability("wound-limit", value=3), ability("ignore-wounds", value=2)]}
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault", d="4", rules=["no-ignore"])]),
        unit("b1", (10, 21), **foe),
        phase="shooting",
        dice=[4, 4, 1],
    )
    battle.answer("a1")
    fire(battle)
    assert battle.state.unit("b1").models[0].wounds == 6
    assert not rolls(battle, "ignore")


@pytest.mark.rule("wh40k.unit.destroyed-by", "wh40k.unit.destroyed-otherwise")
def test_whose_kill_it_is() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault")]), unit("b1", (10, 21)), unit("b2", (30, 28)),
        phase="shooting", dice=[4, 4, 1],
    )  # fmt: skip
    battle.answer("a1")
    fire(battle)
    assert battle.state.unit("b1").by == "a1"
    own = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault", rules=["hazard"])]), unit("a2", (2, 2)), unit("b1", (10, 21)),
        phase="shooting", dice=[1],
    )  # fmt: skip
    own.answer("a1")
    fire(own)
    assert (own.state.unit("a1").where, own.state.unit("a1").by) == ("gone", "")
    assert cites(own, "wh40k.unit.destroyed-otherwise")


@pytest.mark.rule("wh40k.unit.unqualified-rules")
def test_an_explosion_harms_friend_and_foe() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault", d="6", s="8")]),
        unit("b1", (10, 20), w=3, explodes={"roll": 6, "range": 6, "wounds": "1"}),
        unit("b2", (10, 25)),
        unit("a2", (10, 15)),
        unit("b3", (40, 28)),
        unit("a3", (40, 2)),
        phase="shooting",
        dice=[4, 4, 1, 6],
    )
    battle.answer("a1")
    fire(battle)
    battle.answer(["a2", "b2"])
    assert [battle.state.unit(key).where for key in ("b1", "b2", "a2", "b3")] == ["gone", "gone", "gone", "table"]


@pytest.mark.rule("wh40k.attack.allocate-wounded", "wh40k.attack.mortal-one-by-one")
def test_where_several_have_lost_wounds_each_attack_goes_to_one_of_them() -> None:
    """Two of three have one wound left of two: two attacks that wound destroy both, and never touch the third."""
    gunners = unit("a1", (10, 10), (11.5, 10), weapons=[gun(type="assault", s="8", ap=-6)])
    target = unit("b1", *row(10, 18, 3), w=2, wounds=[1, 1, 2])
    battle = scene(gunners, target, phase="shooting", dice=[6, 6, 6, 6])
    do(battle, "a1", aim("a1.1/0/shot>b1", "a1.2/0/shot>b1"))
    assert ask(battle).prompt.key == "ask.allocate"
    assert options(battle) == ["b1.1", "b1.2"]
    do(battle, "b1.2")
    assert [m.id for m in battle.state.unit("b1").models] == ["b1.3"]
    psyker = unit("a1", (10, 10), keywords=["infantry", "psyker"], psychic={"casts": 1}, w=4)
    battle = scene(psyker, target, phase="psychic", dice=[4, 3, 3])  # Smite: two mortal wounds
    do(battle, "a1", "smite", "b1.1")
    assert [(m.id, m.wounds) for m in battle.state.unit("b1").models] == [("b1.3", 2)]
