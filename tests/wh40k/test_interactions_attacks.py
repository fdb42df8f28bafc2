"""Interactions that break naive code, first half: dice, characteristics, shooting, the attack sequence, cover."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.rulings import standing
from umpire.games.wh40k.characteristics import printed, toughness, value
from umpire.games.wh40k.cover import covered, dense
from umpire.games.wh40k.damage import heal
from umpire.games.wh40k.declaration import Declaration
from umpire.games.wh40k.profiles import Profile
from umpire.games.wh40k.saves import Blow, save_need
from umpire.games.wh40k.targets import Sights, objections
from umpire.games.wh40k.weapons import type_modifiers
from wh40k.builder import (
    ability,
    aim,
    alive,
    area,
    ask,
    cites,
    do,
    fire,
    gun,
    needs,
    options,
    prompt,
    refused,
    rolls,
    row,
    scene,
    solid,
    told,
    unit,
)
from wh40k.test_attacks import volley

ASSAULT = gun(type="assault")
TANK = {"keywords": ["vehicle"], "w": 12, "t": 7, "base": [60]}


def bearer(**more: Any) -> Any:
    return scene(unit("a1", (10, 10), **more), unit("b1", (10, 28))).state


@pytest.mark.rule("wh40k.dice.hit-wound-cap", "wh40k.attack.hit-natural-six", "wh40k.attack.hit-natural-one")
def test_modifiers_are_summed_limited_once_and_bow_to_natural_results() -> None:
    """Interaction 1."""
    for steps, need in (((-1, -1), 4), ((1, 1, -1), 2), ((-1, -1, -1, 1), 4), ((-1, 1), 3)):
        changes = [ability("modify", id=f"m{n}", what="hit", value=step) for n, step in enumerate(steps)]
        assert needs(volley([1], ASSAULT, {"bs": 3, "abilities": changes}), "hit") == [need]
    blind = [ability("modify", what="hit", value=-1)]
    assert told(volley([6, 1], ASSAULT, {"bs": 6, "abilities": blind}), "hits")[0].facts["hits"] == 1
    keen = [ability("modify", what="hit", value=1)]
    assert told(volley([1], ASSAULT, {"bs": 2, "abilities": keen}), "hits")[0].facts["hits"] == 0


@pytest.mark.rule("wh40k.dice.reroll-before-modifiers", "wh40k.dice.unmodified")
def test_re_rolls_look_at_bare_dice_and_triggers_at_what_lies_afterwards() -> None:
    """Interaction 2."""
    ones = [ability("reroll", what="hit", which="ones"), ability("modify", what="hit", value=-1)]
    battle = volley(
        [1, 2, 6, 1, 1], gun(type="assault", attacks="2", rules=["extra-hits-6"]), {"bs": 3, "abilities": ones}
    )
    assert told(battle, "reroll")[0].roll.faces == [6, 2]  # the 2, modified a 1, stays
    assert told(battle, "extra-hits")[0].facts["hits"] == 1  # a 6 that is modified to 5


@pytest.mark.rule("wh40k.stratagem.command-reroll", "wh40k.dice.d6")
def test_one_die_of_a_random_number_is_rolled_again() -> None:
    """Interaction 4: 2D6 attacks are two dice, of which a Command Re-roll takes one."""
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(type="assault", attacks="2D6")]),
        unit("b1", *row(10, 21, 3), w=9),
        phase="shooting",
        dice=[1, 5, 4] + [1] * 9,
        sides=[{"cp": 1, "wishes": ["attacks:always"]}, {}],
    )
    fire(do(battle, "a1"))
    assert options(battle) == ["die-1", "die-5", "pass"]
    do(battle, "die-1")
    assert told(battle, "attacks")[0].facts["attacks"] == 9


@pytest.mark.rule("wh40k.dice.reroll-d3", "wh40k.attack.random-damage")
def test_a_one_of_a_d3_is_a_one_or_a_two() -> None:
    """Interaction 5."""
    again = {"abilities": [ability("reroll", what="damage", which="ones")]}
    for face, rolled in ((1, True), (2, True), (3, False)):
        battle = volley([4, 4, 1, face, 6], gun(type="assault", d="D3"), again, {"w": 3})
        assert bool(told(battle, "reroll")) is rolled


@pytest.mark.rule("wh40k.dice.minimum-one", "wh40k.attack.armour-unbounded")
def test_results_stop_at_one_but_not_in_armour_saves() -> None:
    """Interaction 6."""
    soft = {"w": 3, "abilities": [ability("burden", what="d", value=-4)]}
    battle = volley([4, 4, 1, 2], gun(type="assault", d="D3"), None, soft)
    do(battle, ["b1.1"])
    assert battle.state.unit("b1").models[0].wounds == 2
    pierced = volley([4, 4], gun(type="assault", ap=-9), None, {"sv": 2})
    assert told(pierced, "no-save")[0].rules[-1] == "wh40k.attack.armour-unbounded"
    assert not rolls(pierced, "save")


@pytest.mark.rule("wh40k.unit.modifier-order", "wh40k.unit.modifier-rounding", "wh40k.unit.set-value")
def test_set_then_multiply_then_add_then_round_once() -> None:
    """Interaction 7."""
    changes = [("add", 1), ("multiply", 0.5), ("set", 7)]
    does = [ability("modify", id=f"m{n}", what="s", op=op, value=by) for n, (op, by) in enumerate(changes)]
    state = bearer(s=3, a=0, abilities=does)
    who = state.unit("a1")
    assert value(state, who, who.models[0], "s") == 5  # 7 / 2 + 1 = 4.5
    assert value(state, who, who.models[0], "a") == 0  # a dash


@pytest.mark.rule("wh40k.unit.save-seven-plus", "wh40k.dice.above-six", "wh40k.unit.zero-skill")
def test_seven_plus_is_a_save_and_a_dash_is_none() -> None:
    """Interaction 7."""
    for sv, covered_, need in ((7, True, 6), (7, False, 7), (0, True, 99)):
        state = bearer(sv=sv)
        who = state.unit("a1")
        blow = Blow("b1", Profile("shot", "assault", "1"), 0, "shooting", (who.models[0].id,) if covered_ else ())
        assert save_need(state, who, who.models[0], blow)[0] == need


@pytest.mark.rule("wh40k.unit.damage-table")
def test_the_row_of_a_damage_table_follows_every_wound_and_every_healing() -> None:
    """Interaction 8."""
    battle = scene(
        unit("a1", (10, 10), bs=3, w=10, wounds=[5], table=[{"left": 6, "bs": 3}, {"left": 1, "bs": 5}]),
        unit("b1", (10, 28)),
    )
    tank = battle.state.unit("a1")
    assert printed(battle.state, tank, tank.models[0], "bs") == 5
    heal(battle, tank, 1, "wh40k.command.resolve-all")
    assert printed(battle.state, tank, tank.models[0], "bs") == 3


@pytest.mark.rule("wh40k.shoot.simultaneous", "wh40k.shoot.blast-6-10")
def test_what_was_counted_when_targets_were_named_stays() -> None:
    """Interaction 9: models that fall meanwhile change neither Blast nor half range."""
    weapons = [
        gun(type="assault", attacks="3", s="8", ap=-6),
        gun(id="bomb", type="assault", attacks="D6", rules=["blast"]),
    ]
    battle = scene(
        unit("a1", (10, 10), weapons=weapons), unit("b1", *row(6, 21, 6)), phase="shooting",
        dice=[6, 6, 6, 6, 6, 6, 1, 1, 1, 1],
    )  # fmt: skip
    fire(do(battle, "a1"))
    while battle.decision is not None and prompt(battle) == "ask.lost":
        do(battle, battle.decision.suggest())
    assert told(battle, "blast")[0].facts["attacks"] == 3


@pytest.mark.rule("wh40k.shoot.blast-total", "wh40k.shoot.blast-11")
def test_the_least_is_of_the_total_and_against_many_nothing_is_rolled() -> None:
    """Interaction 10."""
    bomb = gun(type="assault", attacks="2D3", rules=["blast"])
    wishes: Any = [{"cp": 1, "wishes": ["attacks:always"]}, {}]
    few = scene(unit("a1", (10, 10), weapons=[bomb]), unit("b1", *row(4, 21, 6, 0.2)), phase="shooting",
                dice=[1, 1, 1, 1, 1])  # fmt: skip
    fire(do(few, "a1"))
    assert told(few, "attacks")[0].facts["attacks"] == 3
    many = scene(unit("a1", (10, 10), weapons=[bomb]), unit("b1", *row(4, 21, 11, 0.1)), phase="shooting",
                 dice=[1] * 6, sides=wishes)  # fmt: skip
    fire(do(many, "a1"))
    assert not rolls(many, "attacks")
    assert told(many, "attacks")[0].facts["attacks"] == 6
    assert not many.decision or prompt(many) != "ask.command-reroll"


def crushed(*weapons: dict[str, Any], dice: list[int], **near: Any) -> Any:
    """A tank with an enemy at its tracks and another far away."""
    return scene(
        unit("a1", (10, 10), weapons=list(weapons), **TANK), unit("b1", (10, 12.5), **near), unit("b2", (10, 26), w=9),
        phase="shooting", dice=dice,
    )  # fmt: skip


@pytest.mark.rule("wh40k.shoot.blast-engaged", "wh40k.shoot.big-guns-far-target")
def test_an_engaged_tank_and_its_blasts() -> None:
    """Interaction 11."""
    bomb = gun(id="bomb", type="heavy", attacks="D3", rules=["blast"])
    sure = gun(type="heavy", attacks="1", s="9", ap=-6)
    battle = do(crushed(bomb, sure, dice=[6, 6, 5, 1, 1, 1]), "a1")
    assert refused(battle, aim("a1.1/0/shot>b1")) == ["wh40k.shoot.blast-engaged"]
    do(battle, aim("a1.1/1/shot>b1", "a1.1/0/shot>b2"))
    assert battle.state.unit("b1").where == "gone"
    assert [e.facts["target"] for e in told(battle, "attacks")] == ["b1", "b2"]  # nobody is left at its tracks
    late = do(crushed(bomb, sure, dice=[1, 1]), "a1", aim("a1.1/1/shot>b1", "a1.1/0/shot>b2"))
    assert told(late, "far-lost")[0].facts["target"] == "b2"


@pytest.mark.rule("wh40k.shoot.big-guns-heavy", "wh40k.shoot.big-guns")
def test_the_penalty_of_big_guns_is_for_heavy_weapons_while_somebody_is_near() -> None:
    """Interaction 12."""
    heavy, light = gun(id="heavy", type="heavy", s="9", ap=-6), gun(id="light", type="assault")
    battle = do(crushed(heavy, light, dice=[2, 2]), "a1", aim("a1.1/0/shot>b1", "a1.1/1/shot>b1"))
    assert needs(battle, "hit") == [5, 4]
    free = do(crushed(heavy, dict(heavy, id="third"), dice=[6, 6, 2]), "a1", aim("a1.1/0/shot>b1", "a1.1/1/shot>b2"))
    assert needs(free, "hit") == [5, 4]  # the second is fired when nobody is left


@pytest.mark.rule("wh40k.shoot.pistol-target", "wh40k.shoot.target-not-engaged")
def test_pistols_lift_the_ban_only_for_those_whom_their_own_unit_fights() -> None:
    """Interaction 13."""
    pistol = gun(type="pistol", range=12)
    battle = scene(
        unit("a1", (10, 10), weapons=[pistol]), unit("a2", (14, 10)), unit("b1", (12, 10)), unit("b2", (16, 10)),
        phase="shooting",
    )  # fmt: skip
    state = battle.state
    shots = Declaration(state, state.unit("a1")).shots
    assert [shot.target.id for shot in shots.values()] == ["b1"]  # though a2 fights it too
    why = [r.rule for r in standing(state, objections(Sights(state, state.unit("a1")), state.unit("a1").models[0],
                                                      state.unit("b2")))]  # fmt: skip
    assert why == ["wh40k.shoot.target-not-engaged", "wh40k.shoot.locked-in-combat"]


@pytest.mark.rule("wh40k.shoot.heavy", "wh40k.shoot.heavy-non-infantry", "wh40k.unit.keyword-mixed")
def test_who_has_moved_and_whom_it_hinders() -> None:
    """Interaction 14: any move, of 0 inches too, and any set-up this turn; only the Infantry models of a mixed unit."""
    heavy = Profile("shot", "heavy", "1", range=36)
    kinds = [{"id": "man", "keywords": ["infantry"]}, {"id": "ox", "keywords": ["beast"]}]
    for state_ in ({"_move": "normal"}, {"marks": ["disembarked"]}, {"marks": ["arrived"]}, {"marks": ["redeployed"]}):
        battle = scene(
            unit("a1", (10, 10), (11.5, 10), keywords=["artillery"], kinds=kinds, rows=["man", "ox"], **state_),
            unit("a2", (20, 10)),
            unit("b1", (10, 28)),
        )
        crew = battle.state.unit("a1")
        found = [type_modifiers(battle.state, crew, m, heavy) for m in crew.models]
        assert found == [[(-1, "wh40k.shoot.heavy")], [(0, "wh40k.unit.keyword-mixed")]]
    still = bearer(_move="stationary").unit("a1")
    assert type_modifiers(bearer(), still, still.models[0], heavy) == []


@pytest.mark.rule("wh40k.shoot.look-out-sir", "wh40k.unit.profile-value", "wh40k.charge.overwatch.ignore-closest-rules")
def test_characters_hide_by_their_profile_and_not_from_overwatch() -> None:
    """Interaction 15."""

    def why(w: int, left: int, kind: str = "shooting") -> list[str]:
        battle = scene(
            unit("a1", (10, 10), weapons=[gun(range=36)]),
            unit("b1", (10, 22), keywords=["infantry", "character"], w=w, wounds=[left]),
            unit("b2", *row(9, 19, 3)),
            phase="shooting",
        )
        state = battle.state
        one = Declaration(state, state.unit("a1"), kind, state.unit("b1") if kind == "overwatch" else None)
        me, hero = state.unit("a1").models[0], state.unit("b1")
        return [r.rule for r in standing(state, objections(one.sights, me, hero, one.ignores_closest))]

    assert why(9, 9) == ["wh40k.shoot.look-out-sir"]
    assert why(10, 3) == []  # 10 on its profile, whatever is left
    assert why(9, 9, "overwatch") == []


@pytest.mark.rule("wh40k.charge.overwatch.hit-on-6", "wh40k.charge.overwatch.auto-hit", "wh40k.action.fail")
def test_overwatch_knows_no_modifiers_and_ends_an_action() -> None:
    """Interaction 16."""
    task = {"id": "dig", "name": {"zh": "掘", "en": "dig"}, "text": {"zh": "", "en": ""}, "where": "anywhere",
            "completes": "turn", "points": 1}  # fmt: skip
    watch = {"abilities": [ability("overwatch"), ability("modify", what="hit", value=1), ability("reroll", what="hit")]}
    battle = scene(
        unit("a1", (10, 10)),
        unit("b1", (10, 18), weapons=[ASSAULT, gun(id="jet", type="assault", attacks="2", rules=["auto-hit"])],
             action="dig", until="turn", _move="advance", **watch),
        phase="charge", tasks=[task], dice=[1, 5, 1, 1] + [1] * 9, sides=[{}, {}],
    )  # fmt: skip
    do(battle, "a1", ["b1"], "own:b1")
    fire(battle, "a1")
    assert needs(battle, "hit") == [6]  # neither better nor worse, its own Advance forgotten
    assert told(battle, "reroll")  # but re-rolls count
    assert told(battle, "auto-hit")[0].facts["hits"] == 2
    assert told(battle, "action-fails")[0].facts["unit"] == "b1"


@pytest.mark.rule("wh40k.attack.allocate-wounded", "wh40k.attack.allocate-same-model")
def test_the_wounded_first_then_whoever_was_chosen_this_phase() -> None:
    """Interaction 17."""
    kinds = [{"id": "x", "w": 2, "sv": 4}, {"id": "y", "w": 2, "sv": 2}]
    foe = {"kinds": kinds, "rows": ["x", "x", "y"], "wounds": [2, 1, 2]}
    hurt = volley([4, 4, 6], ASSAULT, None, foe)
    assert told(hurt, "allocated")[0].rules == ("wh40k.attack.allocate-wounded",)
    chosen = volley([4, 4, 6], ASSAULT, None, {**foe, "wounds": [2, 2, 2], "allocated": ["b1.3"]})
    assert told(chosen, "allocated")[0].rules == ("wh40k.attack.allocate-same-model",)


@pytest.mark.rule("wh40k.dice.fast", "wh40k.terrain.obstacle.cover")
def test_saves_are_rolled_for_one_kind_of_model_at_a_time() -> None:
    """Interaction 18."""
    foe = {"kinds": [{"id": "x", "sv": 5}, {"id": "y", "sv": 3}], "rows": ["x", "y", "y"]}
    battle = volley([4, 4, 4, 4, 1, 6], gun(type="assault", attacks="2"), None, foe)
    assert prompt(battle) == "ask.allocate"
    do(battle, "b1.1")
    assert rolls(battle, "save") == [[1]]
    do(battle, "b1.2")
    assert needs(battle, "save") == [5, 3]


@pytest.mark.rule("wh40k.dice.fast-random-damage", "wh40k.attack.excess-damage-lost")
def test_random_damage_is_dealt_as_it_is_rolled() -> None:
    """Interaction 19: 1, 3, 2 against two wounds each fell two models, and cannot be sorted to wound a third."""
    battle = volley([4, 4, 4, 4, 4, 4, 1, 1, 1, 1, 5, 3], gun(type="assault", attacks="3", d="D3"), None, {"w": 2})
    do(battle, battle.decision.suggest())
    assert alive(battle, "b1") == 1
    assert battle.state.unit("b1").models[0].wounds == 2


@pytest.mark.rule("wh40k.attack.wound-roll")
def test_toughness_is_that_of_most_and_of_a_tie_the_higher() -> None:
    """Interaction 20."""
    kinds = [{"id": "x", "t": 3}, {"id": "y", "t": 6}]
    for rows, t in ((["x", "x", "y"], 3), (["x", "y"], 6), (["x", "y", "y"], 6)):
        state = scene(unit("a1", *row(5, 10, len(rows)), kinds=kinds, rows=rows), unit("b1", (10, 28))).state
        assert toughness(state, state.unit("a1"))[0] == t


@pytest.mark.rule("wh40k.attack.mortal-in-addition", "wh40k.attack.mortal-held-back", "wh40k.attack.mortal-on-unit")
def test_mortal_wounds_besides_wait_for_every_attack_and_ignore_the_save() -> None:
    """Interaction 21."""
    thick = {"abilities": [ability("burden", what="d", value=-1)], "sv": 2}
    battle = volley([4, 4, 6, 6, 6, 6], gun(type="assault", attacks="2", d="2", rules=["mortal-6"]), None, thick)
    assert told(battle, "mortal-addition")[0].facts["count"] == 2
    assert "wh40k.attack.mortal-damage-modifiers" in told(battle, "mortal-addition")[0].rules
    order = [e.kind for e in battle.events if e.kind in ("saves", "mortal")]
    assert order == ["saves", "mortal"]


@pytest.mark.rule("wh40k.attack.mortal-instead")
def test_mortal_wounds_instead_end_the_attack_before_its_save() -> None:
    """Interaction 22."""
    battle = volley([4, 6], gun(type="assault", d="2", rules=["instead-6"]), None, {"w": 3, "sv": 2})
    assert not rolls(battle, "save")
    assert told(battle, "mortal")[0].facts["count"] == 2


@pytest.mark.rule("wh40k.attack.extra-hits", "wh40k.attack.extra-hits-no-triggers", "wh40k.attack.auto-wound")
def test_what_skips_a_roll_triggers_nothing_of_it() -> None:
    """Interaction 23: of a 6 the hit wounds by itself, the additional one must roll."""
    battle = volley([6, 1, 6], gun(type="assault", rules=["extra-hits-6", "auto-wound-6"]))
    assert [len(faces) for faces in rolls(battle, "wound")] == [1]
    assert told(battle, "auto-wound")[0].facts["wounds"] == 1


@pytest.mark.rule("wh40k.attack.wound-limit-abilities", "wh40k.attack.cannot-ignore-wounds")
def test_a_limit_to_wounds_is_a_way_to_ignore_them() -> None:
    """Interaction 24."""
    foe = {"w": 9, "abilities": [ability("wound-limit", value=3, what="phase")]}
    for rules, left in (([], 6), (["no-ignore"], 3)):
        battle = scene(
            unit("a1", (10, 10), weapons=[gun(type="assault", d="6", s="9", ap=-9, rules=rules)]),
            unit("b1", (10, 21), **foe), phase="shooting", dice=[6, 6],
        )  # fmt: skip
        fire(do(battle, "a1"))
        assert battle.state.unit("b1").models[0].wounds == left


@pytest.mark.rule("wh40k.attack.no-real-conflict", "wh40k.attack.attacker-priority")
def test_both_rules_where_they_can_and_the_attackers_where_they_cannot() -> None:
    """Interaction 25."""
    hard = {"abilities": [ability("only-wounded", value=4)], "t": 4}
    poison = volley([4, 3, 4], gun(type="assault", attacks="1", rules=["poison-3"]), None, hard)
    assert told(poison, "wounds")[0].facts["wounds"] == 0  # 3+ wounds, but 1 to 3 fail
    dim = {"abilities": [ability("only-hit", value=6)]}
    assert needs(volley([2, 1], gun(type="assault", rules=["hits-2"]), None, dim), "hit") == [2]
    assert needs(volley([5], ASSAULT, {"bs": 3}, dim), "hit") == [6]


@pytest.mark.rule(
    "wh40k.terrain.cover.two-step", "wh40k.terrain.area.cover", "wh40k.terrain.trait.dense-cover.without-cover"
)
def test_cover_is_of_each_model_and_dense_cover_of_the_line() -> None:
    """Interaction 26."""
    crater = area("craters", 10, 20, 3, 3)
    wood = area("woods", 10, 15, 6, 2, height=4)
    battle = scene(
        unit("a1", (10, 10)), unit("b1", (10, 20), (13.5, 20)), unit("b2", (30, 20)), terrain=[crater, wood],
        phase="shooting",
    )  # fmt: skip
    state = battle.state
    me = state.unit("a1")
    assert covered(state, me.models[0], state.unit("b1"), "light-cover") == ("b1.1",)
    told_: list[str] = []
    assert dense(state, me, me.models[0], state.unit("b1"), told_) is not None  # one hidden model is enough
    assert told_ == ["wh40k.terrain.trait.dense-cover.without-cover"]
    assert dense(state, me, me.models[0], state.unit("b2")) is None


@pytest.mark.rule(
    "wh40k.terrain.trait.obscuring", "wh40k.terrain.trait.obscuring.large", "wh40k.terrain.cover.ignore-all"
)
def test_obscuring_hides_all_but_the_huge_and_survives_what_ignores_cover() -> None:
    """Interaction 27; that charges do not care is tested with them."""
    ruin = area("ruins", 10, 15, 12, 1, height=6)
    rifle = gun(range=36, rules=["no-cover"])
    battle = scene(
        unit("a1", (10, 10), weapons=[rifle]), unit("a2", (30, 10), weapons=[rifle]),
        unit("b1", (10, 20)), unit("b2", (10, 24), w=20, weapons=[rifle], base=[60]),
        terrain=[ruin], phase="shooting",
    )  # fmt: skip
    state = battle.state
    assert [s.target.id for s in Declaration(state, state.unit("a1")).shots.values()] == ["b2"]
    assert [s.target.id for s in Declaration(state, state.unit("b2")).shots.values()] == ["a2"]  # one way only


@pytest.mark.rule("wh40k.unit.split-merge-strength", "wh40k.unit.below-half-strength")
def test_the_strength_of_parts_and_of_wholes() -> None:
    from umpire.games.wh40k.forces import halved, merge
    from umpire.games.wh40k.units import below_half

    battle = scene(unit("a1", *row(3, 10, 10, 0.2), starting=10), unit("b1", (10, 28)))
    other = halved(battle, battle.state.unit("a1"))
    parts = [battle.state.unit("a1"), other]
    assert [(u.starting, len(u.models)) for u in parts] == [(5, 5), (5, 5)]
    other.models = other.models[:2]
    assert below_half(battle.state, other)
    few = scene(unit("a1", *row(3, 10, 4), starting=10, sheet="cinder-line"),
                unit("a2", *row(3, 11.6, 5), starting=5, sheet="cinder-line"), unit("b1", (10, 28)))  # fmt: skip
    merge(few, few.state.unit("a1"))
    joined = few.state.unit("a1")
    assert (joined.starting, len(joined.models), few.state.unit("a2").where) == (9, 9, "gone")
    assert len({m.id for m in joined.models}) == 9


@pytest.mark.rule("wh40k.detachment.added-units", "wh40k.detachment.abilities")
def test_who_is_called_up_belongs_to_no_detachment() -> None:
    call = {"id": "call", "name": {"zh": "召", "en": "call"}, "cost": 1, "phase": "command", "target": "none",
            "does": [{"name": "summon", "what": "ossuary-scrapers"}]}  # fmt: skip
    battle = scene(
        unit("a1", (10, 10)), unit("b1", (40, 28)), phase="command", stratagems=[call], sides=[{"cp": 3}, {}]
    )
    do(battle, "call:")
    do(battle, ask(battle).suggest())
    new = battle.state.unit("a2")
    assert (new.where, new.detachment, new.gifts, new.starting) == ("table", -1, (), 3)


@pytest.mark.rule("wh40k.unit.no-strength-use-toughness")
def test_a_test_of_strength_and_who_has_none() -> None:
    curse = {"id": "curse", "name": {"zh": "咒", "en": "curse"}, "cost": 1, "phase": "command", "target": "enemy",
             "does": [{"name": "mortal", "amount": "1", "what": "strength"}]}  # fmt: skip
    for s, t, hurt in ((4, 9, True), (0, 5, False), (0, 4, True)):
        battle = scene(
            unit("a1", (10, 10)), unit("b1", (40, 28), s=s, t=t, w=3), phase="command", stratagems=[curse],
            sides=[{"cp": 3}, {}], dice=[5, 1],
        )  # fmt: skip
        do(battle, "curse:b1")
        assert bool(told(battle, "mortal")) is hurt


@pytest.mark.rule("wh40k.core.wobbly-model")
def test_a_base_may_reach_over_the_rim_of_a_floor() -> None:
    """The place counts; where the middle has nothing under it nobody stands."""
    box = solid("armoured-containers", 14, 10, 4, 4, 2.4)
    battle = scene(unit("a1", (10, 10), m=9), unit("b1", (40, 28)), terrain=[box])
    do(battle, "normal:a1")
    over = {"models": {"a1.1": {"x": 12.2, "y": 10, "z": 2.4}}}
    assert refused(battle, over) == []
    assert refused(battle, {"models": {"a1.1": {"x": 11.9, "y": 10, "z": 2.4}}}) != []
    do(battle, over)
    assert cites(battle, "wh40k.core.wobbly-model")
    assert battle.state.unit("a1").models[0].z == 2.4


@pytest.mark.rule("wh40k.core.measure-any-time")
def test_measuring_binds_nobody() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 28)))
    before = battle.digest
    assert battle.game.measuring == "wh40k.core.measure-any-time"
    do(battle, "normal:a1")
    assert battle.check({"to": {"x": 10, "y": 16}}).legal
    assert battle.check({"to": {"x": 10, "y": 12}}).legal  # looking from one place binds to none
    battle.undo()
    assert battle.digest == before
