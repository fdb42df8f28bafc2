"""Hitting and wounding: the attack sequence, natural results, caps, extra hits."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.games.wh40k.attacks import Need, hits_on, wound_need, wound_table, wounds_on
from wh40k.builder import (
    ability,
    alive,
    ask,
    cites,
    fire,
    gun,
    needs,
    options,
    prompt,
    rolls,
    row,
    scene,
    sword,
    told,
    unit,
)


def volley(
    dice: list[int], weapon: dict | None = None, mine: dict | None = None, foe: dict | None = None, **position: Any
) -> Battle[Any]:
    """a1 shoots b1, 10 inches away, with one weapon."""
    battle = scene(
        unit("a1", (10, 10), **{"weapons": [weapon or gun(range=18, type="assault")], **(mine or {})}),
        unit("b1", *row(10, 21, 3), **{"weapons": [], **(foe or {})}),
        phase="shooting",
        dice=dice,
        **position,
    )
    battle.answer("a1")
    return fire(battle)


@pytest.mark.rule("wh40k.attack.wound-table")
def test_strength_against_toughness() -> None:
    pairs = [(8, 4, 2), (7, 4, 3), (4, 4, 4), (4, 7, 5), (3, 7, 6), (4, 8, 6), (1, 1, 4)]
    assert all(wound_table(s, t) == need for s, t, need in pairs)
    assert needs(volley([4, 1], gun(type="assault", s="8")), "wound") == [2]


@pytest.mark.rule("wh40k.attack.hit-roll", "wh40k.attack.sequence")
def test_an_attack_hits_wounds_and_is_saved() -> None:
    battle = volley([4, 3, 4, 3], gun(type="assault", attacks="2"), mine={"bs": 4})
    assert needs(battle, "hit") == [4]
    assert rolls(battle, "hit") == [[4, 3]]
    assert rolls(battle, "wound") == [[4]]
    assert rolls(battle, "save") == [[3]]
    assert prompt(battle) == "ask.lost"  # the save of 4+ failed: the owner says which model is lost
    battle.answer(["b1.2"])
    assert alive(battle, "b1") == 2
    missed = volley([2], mine={"bs": 3})
    assert not rolls(missed, "wound")
    saved = volley([4, 4, 4])
    assert alive(saved, "b1") == 3


@pytest.mark.rule("wh40k.attack.hit-roll")
def test_melee_uses_weapon_skill() -> None:
    battle = scene(
        unit("a1", (10, 10), ws=3, bs=5, weapons=[sword()]), unit("b1", (10, 11.5), weapons=[]), phase="fight",
        active=1, dice=[2, 1],
    )  # fmt: skip
    while prompt(battle) != "ask.strike":
        battle.answer({"stay": True})
    battle.answer(battle.decision.suggest())
    assert 3 in needs(battle, "hit")


@pytest.mark.rule("wh40k.attack.hit-natural-six", "wh40k.attack.hit-natural-one")
def test_natural_sixes_hit_and_ones_miss() -> None:
    battle = volley([6, 1, 1], mine={"bs": 6, "abilities": [ability("modify", what="hit", value=-1)]})
    assert told(battle, "hits")[0].facts["hits"] == 1
    state = battle.state
    assert hits_on(state, 6, Need(7, -1))
    assert not hits_on(state, 1, Need(2, 1))
    sure = volley([1], mine={"bs": 2, "abilities": [ability("modify", what="hit", value=1)]})
    assert told(sure, "hits")[0].facts["hits"] == 0


@pytest.mark.rule("wh40k.attack.hit-cap", "wh40k.dice.hit-wound-cap", "wh40k.dice.modifiers-combine")
def test_all_modifiers_are_summed_and_then_limited() -> None:
    def need(*changes: int) -> int:
        mods = [ability("modify", id=f"m{n}", what="hit", value=v) for n, v in enumerate(changes)]
        return needs(volley([1], mine={"bs": 4, "abilities": mods}), "hit")[0]

    assert need(-1, -1) == 5
    assert need(-1, -1, -1, 1) == 5
    assert need(1, 1, -1) == 3
    assert need(1, -1) == 4
    battle = volley([1], mine={"abilities": [ability("modify", id=f"m{n}", what="hit", value=-1) for n in (1, 2)]})
    assert cites(battle, "wh40k.attack.hit-cap")


@pytest.mark.rule("wh40k.attack.auto-hit")
def test_what_hits_automatically_rolls_nothing() -> None:
    flamer = gun(type="assault", attacks="D6", rules=["auto-hit", "extra-hits-6"])
    battle = volley([4, 1, 1, 1, 1], flamer, foe={"abilities": [ability("burden", what="hit", value=-1)]})
    assert not rolls(battle, "hit")
    assert len(rolls(battle, "wound")[0]) == 4


@pytest.mark.rule("wh40k.attack.wound-roll")
def test_each_hit_is_a_wound_roll_against_the_toughness_of_most() -> None:
    battle = volley([4, 4, 4, 1, 1, 1], gun(type="assault", attacks="3", s="4"))
    assert len(rolls(battle, "wound")[0]) == 3
    kinds = [{"id": "tough", "t": 8}, {"id": "soft", "t": 3}]
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault")]),
        unit("b1", *row(10, 21, 3), kinds=kinds, rows=["tough", "tough", "soft"]),
        phase="shooting",
        dice=[4, 1],
    )
    battle.answer("a1")
    fire(battle)
    assert needs(battle, "wound") == [6]


@pytest.mark.rule("wh40k.attack.wound-weapon-rule")
def test_poison_wounds_on_its_own_number() -> None:
    for toughness in (3, 8):
        battle = volley([4, 1], gun(type="assault", s="1", rules=["poison-4"]), foe={"t": toughness})
        assert needs(battle, "wound") == [4]


@pytest.mark.rule("wh40k.attack.wound-cap-and-naturals")
def test_wound_rolls_are_limited_too() -> None:
    state = volley([1]).state
    assert wounds_on(state, 6, Need(6, -1), 0)
    assert not wounds_on(state, 1, Need(2, 1), 0)
    more = [ability("modify", id=f"m{n}", what="wound", value=1) for n in (1, 2)]
    assert needs(volley([4, 1], mine={"abilities": more}), "wound") == [3]


@pytest.mark.rule("wh40k.attack.auto-wound", "wh40k.attack.extra-hits", "wh40k.attack.extra-hits-no-triggers")
def test_a_six_wounds_by_itself_and_brings_a_hit_that_does_not() -> None:
    battle = volley([6, 3, 1, 1], gun(type="assault", rules=["extra-hits-6", "auto-wound-6"]))
    assert told(battle, "auto-wound")[0].facts["wounds"] == 1
    assert rolls(battle, "wound") == [[3]]  # the additional hit has to roll, and brings nothing more
    assert len(rolls(battle, "save")[0]) == 1
    plain = volley([6, 3, 1], gun(type="assault", rules=["extra-hits-6"]))
    assert len(rolls(plain, "wound")[0]) == 2


@pytest.mark.rule("wh40k.attack.attacker-priority")
def test_where_both_cannot_apply_the_attackers_rule_does() -> None:
    hard = {"abilities": [ability("only-hit", value=6)]}
    assert needs(volley([1], gun(type="assault", rules=["hits-2"]), foe=hard), "hit") == [2]
    assert needs(volley([1], foe=hard), "hit") == [6]


@pytest.mark.rule("wh40k.attack.no-real-conflict")
def test_where_both_can_apply_they_do() -> None:
    hard = {"abilities": [ability("only-wounded", value=4)]}
    weapon = gun(type="assault", rules=["poison-3"], attacks="2")
    battle = volley([4, 4, 3, 4, 1], weapon, foe=hard)
    assert told(battle, "wounds")[0].facts["wounds"] == 1


@pytest.mark.rule("wh40k.attack.allocate", "wh40k.attack.allocate-anywhere")
def test_the_owner_chooses_whom_an_attack_goes_to() -> None:
    battle = volley([4, 4, 1])
    assert ask(battle).side == 1
    assert sorted(options(battle)) == ["b1.1", "b1.2", "b1.3"]
    out_of_range = scene(
        unit("a1", (10, 10), weapons=[gun(range=12, type="assault")]),
        unit("b1", (10, 22.5), (10, 24), (10, 25.5), weapons=[]),
        phase="shooting",
        dice=[4, 4, 1],
    )
    out_of_range.answer("a1")
    fire(out_of_range)
    out_of_range.answer(["b1.3"])
    assert [m.id for m in out_of_range.state.unit("b1").models] == ["b1.1", "b1.2"]


@pytest.mark.rule("wh40k.unit.strength-melee-only", "wh40k.unit.set-value")
def test_strength_of_models_and_of_weapons() -> None:
    strong = [ability("modify", what="s", value=1)]
    shot = volley([4, 1], gun(type="assault", s="4"), mine={"s": 3, "abilities": strong})
    assert needs(shot, "wound") == [4]
    battle = scene(unit("a1", (10, 10), s=3, abilities=strong, weapons=[sword(s="8")]), unit("b1", (10, 11.5), t=4))
    a, b = battle.state.unit("a1"), battle.state.unit("b1")
    profile = a.sheet.weapons[0].profiles[0]
    assert wound_need(battle.state, a, a.models[0], b, profile).skill == 2
    nine = scene(unit("a1", (10, 10), s=3, abilities=strong, weapons=[sword(s="8")]), unit("b1", (10, 11.5), t=5))
    a, b = nine.state.unit("a1"), nine.state.unit("b1")
    assert wound_need(nine.state, a, a.models[0], b, profile).skill == 3
