"""The attack sequence: hits, wounds, saves, losses."""

import pytest

from t9a.builder import QUIET, do, duel, events, fired, last, lost, needs, p, part, profile, rolled, scene, unit
from umpire.games.t9a import attacks
from umpire.games.t9a.attacks import wound_need
from umpire.games.t9a.fighting import to_hit_need
from umpire.games.t9a.saves import armour_need


def foe(*rules, **more):
    return profile(*rules, **{"hp": 9, "parts": [QUIET], **more})


def one(*rules, **more):
    return profile(parts=[part(*rules, **{"off": 9, "agi": 5, **more})])


@pytest.mark.rule("t9a.melee.attack.to-hit-table")
def test_the_printed_grid_of_hits_follows_from_the_differences():
    grid = [[to_hit_need(off, df) for df in range(1, 11)] for off in range(1, 11)]
    assert grid[3] == [3, 3, 3, 4, 4, 4, 4, 5, 5, 5]
    assert grid[0] == [4, 4, 4, 4, 5, 5, 5, 5, 5, 5]
    assert grid[4][0] == 2
    assert grid[9] == [2, 2, 2, 2, 2, 2, 3, 3, 3, 4]
    battle = duel(one(off=1), foe(df=5), [4, 3])
    assert needs(battle, "hit") == [5]
    assert lost(battle, "b") == 0


@pytest.mark.rule("t9a.attack.wound")
@pytest.mark.parametrize(
    ("strength", "res", "need"), [(4, 3, 3), (3, 5, 6), (10, 4, 2), (3, 4, 5), (3, 3, 4), (1, 9, 6)]
)
def test_to_wound(strength, res, need):
    assert wound_need(strength, res) == need
    assert needs(duel(one(s=strength), foe(res=res), [6, 1]), "wound") == [need]


@pytest.mark.rule("t9a.attack.wound.natural")
def test_natural_six_wounds_and_one_fails():
    assert lost(duel(one(s=1), foe(res=10), [6, 6]), "b") == 1
    assert lost(duel(one(s=10), foe(res=1), [6, 1]), "b") == 0


@pytest.mark.rule("t9a.attack.hit.natural-six-melee")
def test_a_natural_six_always_hits_in_melee():
    wall = "distracting"
    battle = duel(one(off=0), foe(wall, wall, df=9), [6, 6])
    assert lost(battle, "b") == 1
    strike = attacks.Strike(source="a", target="b", how="melee", strength=9, ap=0, dice=1, need=7)
    attacks.to_hit(duel(one(), foe(), [1], then=[6]), strike, {})
    assert strike.hits == 1


@pytest.mark.rule("t9a.attack.save.armour")
@pytest.mark.parametrize(
    ("arm", "ap", "need"), [(3, 1, 5), (6, 1, 2), (6, 0, 2), (4, 4, 7), (1, 0, 6), (0, 0, 7), (2, 5, 7)]
)
def test_armour_saves(arm, ap, need):
    assert armour_need(arm, ap) == need
    battle = duel(one(ap=ap), foe(arm=arm), [6, 6, 2])
    assert needs(battle, "armour") == ([] if need == 7 else [need])


@pytest.mark.rule("t9a.attack.save.armour-one")
def test_a_natural_one_fails_an_armour_save():
    assert lost(duel(one(), foe(arm=6), [6, 6, 1]), "b") == 1
    assert lost(duel(one(), foe(arm=6), [6, 6, 2]), "b") == 0


@pytest.mark.rule("t9a.attack.save.combined-armour", "t9a.rule.shield")
def test_armour_adds_up_to_six():
    battle = duel(one(ap=1), foe(arm=3, shield=True), [6, 6, 2])
    assert needs(battle, "armour") == [4]
    from umpire.engine.effects import Effect

    more = (Effect("b", "arm", "add", 3, "t9a.magic.resolve", "barkskin"),)
    assert needs(duel(one(ap=0), foe(arm=3, shield=True), [6, 6, 2], effects=more), "armour") == [2]
    assert needs(duel(one(ap=2), foe(arm=3, shield=True), [6, 6, 2], effects=more), "armour") == [3]


@pytest.mark.rule("t9a.attack.save.special", "t9a.rule.aegis")
def test_special_saves_ignore_ap_and_fail_on_two():
    assert lost(duel(one(ap=10), foe("aegis 4+"), [6, 6, 4]), "b") == 0
    assert lost(duel(one(ap=10), foe("aegis 4+"), [6, 6, 3]), "b") == 1
    assert needs(duel(one(), foe("aegis 2+"), [6, 6, 2]), "special") == [3]


@pytest.mark.rule("t9a.attack.save.order")
def test_a_wound_stopped_by_armour_meets_no_special_save():
    battle = duel(one(), foe("aegis 5+", arm=6), [6, 6, 2])
    assert rolled(battle, "special") == []
    battle = duel(one(), foe("aegis 5+", arm=0), [6, 6, 5])
    assert rolled(battle, "armour") == []
    assert rolled(battle, "special") == [1]


@pytest.mark.rule("t9a.attack.save.special-one", "t9a.rule.regeneration")
def test_only_one_special_save_is_taken():
    battle = duel(one(), foe("aegis 5+", "regeneration 4+"), [6, 6, 4])
    assert needs(battle, "special") == [4]
    assert rolled(battle, "special") == [1]
    assert needs(duel(one("flaming-attacks"), foe("aegis 5+", "regeneration 4+"), [6, 6, 4]), "special") == [5]


@pytest.mark.rule("t9a.rule.aegis.modifier", "t9a.rule.regeneration.modifier")
@pytest.mark.parametrize("name", ["aegis", "regeneration"])
def test_improved_special_saves(name):
    def need(*rules):
        return needs(duel(one(), foe(*rules), [6, 6, 1]), "special")

    assert need(f"{name} +2") == [5]
    assert need(f"{name} 4+", f"{name} +2") == [3]
    assert need(f"{name} 6+", f"{name} +1 max 4") == [5]
    assert need(f"{name} 5+", f"{name} +3 max 4") == [4]


@pytest.mark.rule("t9a.rule.aegis.divine", "t9a.rule.divine-attacks")
def test_divine_attacks_allow_no_aegis():
    battle = duel(one("divine-attacks"), foe("aegis 4+"), [6, 6])
    assert rolled(battle, "special") == []
    battle = duel(one("divine-attacks"), foe("aegis 4+", "regeneration 5+"), [6, 6, 5])
    assert needs(battle, "special") == [5]


@pytest.mark.rule("t9a.attack.casualties.single-hp", "t9a.attack.hp-loss")
def test_models_of_one_health_point_fall_one_by_one():
    battle = duel(one(att=4), foe(hp=1), [6] * 4 + [6] * 3 + [1], foes=10)
    assert p(battle, "b").count == 7


@pytest.mark.rule("t9a.attack.casualties.multi-hp")
def test_losses_of_models_with_several_health_points_add_up():
    battle = duel(one(att=7), foe(hp=3), [6] * 14, foes=10)
    assert (p(battle, "b").count, p(battle, "b").lost) == (8, 1)


@pytest.mark.rule("t9a.attack.casualties.excess")
def test_excess_losses_are_ignored_and_score_nothing():
    battle = duel(one(att=8), foe(hp=1), [6] * 16, foes=5)
    assert p(battle, "b").count == 0
    assert last(battle, "excess")["excess"] == 3
    assert last(battle, "combat-result")["score"][0] == 5 + 1


@pytest.mark.rule("t9a.attack.health-pool")
def test_each_attached_model_has_a_pool_of_its_own():
    from t9a.builder import hero

    battle = scene(
        unit("a", of=one(att=9), models=1, files=1),
        unit("b", 1, of=foe(hp=1), models=5),
        hero("h", 1, "b", file=2),
        moment="melee",
        dice=[6] * 18,
    )
    do(battle, {"b": 9, "h": 0})
    assert p(battle, "b").count == 0
    assert p(battle, "h").count == 1
    assert lost(battle, "h") == 0


@pytest.mark.rule("t9a.attack.simultaneous-steps", "t9a.melee.attack.resolve")
def test_enemies_of_equal_agility_can_kill_each_other():
    both = profile(parts=[part(off=9)])
    battle = duel(both, both, [6, 6, 6, 6])
    assert p(battle, "a").count == p(battle, "b").count == 0
    slow = profile(parts=[part(off=9, agi=1)])
    battle = duel(both, slow, [6, 6])
    assert p(battle, "a").count == 1
    assert rolled(battle, "hit") == [1]


@pytest.mark.rule("t9a.attack.sequence")
def test_no_hit_no_wound_roll():
    battle = duel(one(), foe(arm=4), [1])
    assert rolled(battle, "wound") == []
    kinds = [e.roll.purpose for e in duel(one(), foe("aegis 5+", arm=4), [6, 6, 1, 1]).events if e.roll]
    assert kinds[:4] == ["hit", "wound", "armour", "special"]


@pytest.mark.rule("t9a.attack.lose-hp", "t9a.attack.types")
def test_health_points_lost_outright_allow_no_saves():
    from t9a.builder import hero, spell

    wizard = hero("w", wizard="adept", spells=("rend",), at=(36, 20))
    battle = scene(
        wizard,
        unit("b", 1, at=(36, 30), of=foe("aegis 3+", arm=6)),
        moment="magic",
        dice=[6, 6, 6],
        spells=(spell("rend", value=3, lose="D3"),),
    )
    do(battle, False, "w:rend", "b", "2", "0")
    assert lost(battle, "b") == 3
    assert rolled(battle, "armour") == rolled(battle, "special") == []


@pytest.mark.rule("t9a.attack.last-hp", "t9a.attack.engaged-casualties.last-model")
def test_a_unit_wiped_out_is_gone_before_the_lower_steps():
    quick = profile(parts=[part(off=9, agi=5), part(off=9, agi=2)])
    battle = duel(quick, foe(hp=1), [6, 6])
    assert rolled(battle, "hit") == [1]
    fired(battle, "t9a.attack.last-hp", "t9a.attack.engaged-casualties.last-model")


@pytest.mark.rule("t9a.attack.last-hp.effects-end")
def test_effects_of_a_dead_model_end():
    from umpire.engine.effects import Effect

    aura = Effect("c", "off", "add", 1, "t9a.magic.resolve", "thorn-oath", data={"model": "b"})
    battle = duel(one(), foe(hp=1), [6, 6], effects=(aura,), others=(unit("c", 1, at=(10, 40)),))
    assert battle.state.effects == []
    fired(battle, "t9a.attack.last-hp.effects-end")


@pytest.mark.rule("t9a.attack.casualties.front-rank", "t9a.attack.casualties.rear-first")
def test_casualties_come_from_the_rear_and_from_both_ends_of_a_single_rank():
    battle = duel(one(att=4), foe(hp=1), [6] * 8, foes=13)
    assert p(battle, "b").count == 9
    assert events(battle, "rear")
    battle = duel(one(att=2), foe(hp=1), [6] * 4, foes=5)
    assert events(battle, "ends")[0].facts["models"] == 2
