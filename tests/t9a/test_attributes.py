"""Attack attributes and the model rules that answer them."""

import pytest

from t9a.builder import (
    QUIET,
    asked,
    blade,
    do,
    duel,
    events,
    fired,
    gun,
    last,
    lost,
    needs,
    offered,
    p,
    part,
    profile,
    rolled,
    scene,
    unit,
)
from umpire.engine.effects import Effect
from umpire.games.t9a.characteristics import offensive
from umpire.games.t9a.model_rules import known
from umpire.games.t9a.profiles import Rule, parse_rule


def foe(*rules, **more):
    return profile(*rules, **{"hp": 9, "parts": [QUIET], **more})


def one(*rules, **more):
    return profile(parts=[part(*rules, **{"off": 9, "agi": 5, **more})])


def rerolled(battle, cite):
    return [e.roll for e in events(battle, "reroll") if cite in e.rules]


@pytest.mark.rule("t9a.rule.hatred")
def test_hatred_rerolls_failed_hits_in_every_round():
    battle = duel(one("hatred", att=3), foe(), [1, 6, 1, 6, 1, 6, 6])
    again = rerolled(battle, "t9a.rule.hatred")[0]
    assert again.faces == [6, 6, 1]
    assert rolled(battle, "wound") == [2]


@pytest.mark.rule("t9a.rule.poison-attacks", "t9a.rule.poison-attacks.double")
def test_poison_wounds_without_a_roll():
    battle = duel(one("poison-attacks", att=2), foe(res=10), [6, 5, 1])
    assert rolled(battle, "wound") == [1]
    assert lost(battle, "b") == 1
    battle = duel(one("poison-attacks", "poison-attacks", att=3), foe(res=10), [6, 5, 4, 1])
    assert rolled(battle, "wound") == [1]
    assert lost(battle, "b") == 2
    assert lost(duel(one("poison-attacks", "poison-attacks", off=0), foe(df=9), [4]), "b") == 0


@pytest.mark.rule("t9a.rule.focused", "t9a.rule.poison-attacks.several-hits")
def test_focused_doubles_sixes_and_only_one_hit_is_poisoned():
    battle = duel(one("focused", att=2), foe(), [6, 5, 6, 6, 6])
    assert rolled(battle, "wound") == [3]
    battle = duel(one("focused", "poison-attacks"), foe(res=10), [6, 1])
    assert rolled(battle, "wound") == [1]
    assert lost(battle, "b") == 1


@pytest.mark.rule("t9a.rule.lethal-strike")
def test_lethal_strike_goes_through_armour_and_regeneration_but_not_aegis():
    assert lost(duel(one("lethal-strike"), foe(arm=6), [6, 6]), "b") == 1
    assert lost(duel(one("lethal-strike"), foe(arm=6), [6, 5, 2]), "b") == 0
    assert rolled(duel(one("lethal-strike"), foe("regeneration 3+"), [6, 6]), "special") == []
    assert rolled(duel(one("lethal-strike"), foe("regeneration 3+"), [6, 5, 4]), "special") == [1]
    assert lost(duel(one("lethal-strike"), foe("aegis 3+", arm=6), [6, 6, 3]), "b") == 0


@pytest.mark.rule("t9a.rule.zealous")
@pytest.mark.parametrize("name", ["zealous"])
def test_zeal_rerolls_failed_wounds(name):
    battle = duel(one(name, att=2), foe("weakness"), [6, 6, 1, 1, 6, 1])
    assert rerolled(battle, "t9a.rule.zealous")[0].faces == [6, 1]
    assert lost(battle, "b") == 1


@pytest.mark.rule("t9a.rule.lightning-attacks")
def test_lightning_rerolls_only_against_those_without_metal():
    assert rerolled(duel(one("lightning-attacks"), foe(), [6, 1, 6]), "t9a.rule.lightning-attacks")
    assert not rerolled(
        duel(one("lightning-attacks"), foe(traits=("metal-armour",)), [6, 1]), "t9a.rule.lightning-attacks"
    )


@pytest.mark.rule("t9a.rule.weakness")
def test_weakness_rerolls_failed_wounds_of_what_it_names():
    assert rerolled(duel(one("flaming-attacks"), foe("weakness flaming-attacks"), [6, 1, 6]), "t9a.rule.weakness")
    assert not rerolled(duel(one(), foe("weakness flaming-attacks"), [6, 1]), "t9a.rule.weakness")
    assert rerolled(duel(one(), foe("weakness"), [6, 1, 6]), "t9a.rule.weakness")


@pytest.mark.rule("t9a.rule.resistant")
def test_resistance_rerolls_wounds_that_were_made():
    battle = duel(one(att=2), foe("resistant"), [6, 6, 6, 1, 1])
    assert rerolled(battle, "t9a.rule.resistant")[0].faces == [1, 1]
    assert lost(battle, "b") == 0
    assert lost(duel(one("poison-attacks"), foe("resistant"), [6]), "b") == 1
    both = duel(one("zealous", att=2), foe("resistant"), [6, 6, 6, 1, 1, 6])
    assert events(both, "reroll")[0].roll.faces == [1, 6]


@pytest.mark.rule("t9a.rule.flaming-attacks", "t9a.rule.immune")
def test_immunity_takes_an_attribute_away():
    assert rolled(duel(one("flaming-attacks"), foe("regeneration 4+"), [6, 6]), "special") == []
    immune = foe("regeneration 4+", "immune (flaming-attacks)")
    assert rolled(duel(one("flaming-attacks"), immune, [6, 6, 4]), "special") == [1]
    assert rolled(duel(one("poison-attacks"), foe("immune (poison-attacks)"), [6, 1]), "wound") == [1]


@pytest.mark.rule("t9a.rule.magical-attacks", "t9a.rule.keyword.versus")
def test_versus_works_only_against_what_it_names():
    shielded = foe("aegis 3+ versus magical-attacks")
    assert rolled(duel(one("magical-attacks"), shielded, [6, 6, 3]), "special") == [1]
    assert rolled(duel(one(), shielded, [6, 6]), "special") == []


@pytest.mark.rule("t9a.rule.multiple-wounds", "t9a.rule.multiple-wounds.cap")
def test_multiple_wounds_are_rolled_for_each_and_never_exceed_the_hp_value():
    battle = duel(one("multiple-wounds D3", att=2), foe(hp=5), [6, 6, 6, 6, 1, 6])
    assert lost(battle, "b") == 4
    battle = duel(one("multiple-wounds D6"), foe(hp=3), [6, 6, 5], foes=4, b={"lost": 2})
    assert p(battle, "b").hp == 12 - 2 - 3
    battle = duel(one("multiple-wounds D3", att=2), foe(hp=2), [6, 6, 6, 6, 1, 5], foes=4)
    assert lost(battle, "b") == 3
    assert rolled(duel(one("multiple-wounds D3"), foe(hp=1), [6, 6], foes=3), "multiple-wounds") == []


@pytest.mark.rule("t9a.rule.keyword.against")
def test_against_names_alternatives_of_requirements():
    rule = parse_rule("multiple-wounds 2 against H4+beast|H5", known(), "test")
    assert rule.against == (("H4", "beast"), ("H5",))

    def hit(height, *traits):
        return lost(duel(one("multiple-wounds 2 against H4+beast|H5"), foe(height=height, traits=traits), [6, 6]), "b")

    assert hit(4, "beast") == 2
    assert hit(5) == 2
    assert hit(4, "construct") == 1


@pytest.mark.rule("t9a.rule.toxic-attacks")
def test_toxic_attacks_have_strength_3_and_ap_10():
    battle = duel(one("toxic-attacks", s=6), foe(res=3, arm=6), [6, 4])
    assert needs(battle, "wound") == [4]
    assert rolled(battle, "armour") == []


@pytest.mark.rule("t9a.rule.psychic-attacks")
def test_psychic_attacks_wound_against_discipline():
    assert needs(duel(one("psychic-attacks", s=6), foe(dis=7, res=2), [6, 1]), "wound") == [5]


@pytest.mark.rule("t9a.rule.devastating-charge")
def test_devastating_charge_counts_while_charging_and_adds_up():
    rules = ("devastating-charge str+1", "devastating-charge str+1 ap+1")
    assert needs(duel(one(*rules), foe(res=3), [6, 1], a={"charging": True}), "wound") == [2]
    assert needs(duel(one(*rules), foe(res=3), [6, 1]), "wound") == [4]


@pytest.mark.rule("t9a.rule.first-strike", "t9a.melee.round.first")
def test_first_round_bonus():
    assert needs(duel(one("first-strike str+1"), foe(), [6, 1], a={"first": True}), "wound") == [3]
    assert needs(duel(one("first-strike str+1"), foe(), [6, 1]), "wound") == [4]


@pytest.mark.rule("t9a.rule.rage")
def test_rage_gives_an_attack_for_each_health_point_lost():
    beast = profile(hp=5, parts=[part("rage", att=3, off=9, agi=5)])
    assert rolled(duel(beast, foe(), [1] * 5, a={"lost": 2}), "hit")[0] == 5
    assert rolled(duel(beast, foe(), [1] * 5, a={"lost": 1}), "hit")[0] == 4


@pytest.mark.rule("t9a.rule.distracting", "t9a.def.modifier.capped")
def test_distracting_makes_hitting_harder_up_to_five():
    assert needs(duel(one(off=3), foe("distracting"), [1]), "hit") == [5]
    assert needs(duel(one(off=4), foe("distracting", "distracting", df=3), [1]), "hit") == [5]
    assert needs(duel(one(off=1), foe("distracting", df=6), [1]), "hit") == [5]


@pytest.mark.rule("t9a.rule.afflict")
def test_affliction_weighs_once_for_each_kind():
    plague = profile("afflict off-1", "afflict agi-1", hp=9, parts=[QUIET])
    battle = duel(one(off=4, agi=5), plague, [1], foes=3)
    pool = p(battle, "a")
    assert offensive(battle.state, pool, pool.profile.parts[0], "off").total == 3
    assert offensive(battle.state, pool, pool.profile.parts[0], "agi").total == 4


@pytest.mark.rule("t9a.rule.dying-strike")
def test_the_dying_strike_before_they_go():
    last_stand = profile("dying-strike", parts=[part(agi=1, off=9)])
    battle = duel(one(), last_stand, [6, 6, 6, 6])
    assert rolled(battle, "hit") == [1, 1]
    assert p(battle, "b").count == 0
    assert last(battle, "combat-result")["score"][0] >= 1


@pytest.mark.rule("t9a.rule.attack-attribute", "t9a.rule.keyword.shooting")
def test_attributes_concern_melee_unless_they_say_otherwise():
    archer = profile(parts=[part("poison-attacks", weapons=("bow",), aim={"bow": 4})])
    battle = scene(
        unit("a", of=archer, models=1, files=1),
        unit("b", 1, at=(36, 30), of=foe(res=10)),
        moment="shooting",
        dice=[6, 1],
    )
    battle.answer("a")
    battle.answer("b")
    assert rolled(battle, "wound") == [1]
    archer = profile(parts=[part("poison-attacks shooting", weapons=("bow",), aim={"bow": 4})])
    battle = scene(
        unit("a", of=archer, models=1, files=1),
        unit("b", 1, at=(36, 30), of=foe(res=10)),
        moment="shooting",
        dice=[6, 1],
    )
    battle.answer("a")
    battle.answer("b")
    assert rolled(battle, "wound") == []


@pytest.mark.rule("t9a.rule.attack-attribute.bound")
def test_an_attribute_of_a_weapon_works_with_that_weapon_alone():
    both = profile(parts=[part(weapons=(), aim={"fire-bow": 4}, own=[gun("fire-bow", "flaming-attacks")], off=9)])
    target = foe("regeneration 3+")
    battle = scene(
        unit("a", of=both, models=1, files=1), unit("b", 1, at=(36, 30), of=target), moment="shooting", dice=[6, 6]
    )
    battle.answer("a")
    battle.answer("b")
    assert rolled(battle, "special") == []
    assert rolled(duel(both, target, [6, 6, 3]), "special") == [1]


@pytest.mark.rule("t9a.rule.attack-attribute.profile", "t9a.def.model-part")
def test_a_riders_attribute_is_not_the_horses():
    rider = profile(parts=[part("hatred", agi=5, off=9), part(agi=4, off=9, mount=True)], traits=("mounted",), height=2)
    battle = duel(rider, foe(), [1, 1, 1])
    assert len(events(battle, "reroll")) == 1
    assert rolled(battle, "hit") == [1, 1]


@pytest.mark.rule("t9a.rule.attack-attribute.granted")
def test_an_attribute_given_to_a_unit_goes_to_every_part():
    rider = profile(parts=[part(agi=5, off=9), part(agi=4, off=9, mount=True)], traits=("mounted",), height=2)
    given = Effect(
        "a", "t9a.rule.hatred", "add", 0, "t9a.magic.resolve", "barkskin", data={"rule": {"id": "t9a.rule.hatred"}}
    )
    battle = duel(rider, foe(), [1, 1, 1, 1], effects=(given,))
    assert len(events(battle, "reroll")) == 2


@pytest.mark.rule("t9a.rule.duplicates", "t9a.rule.keyword.stacking")
def test_the_same_rule_twice_helps_once_unless_it_stacks():
    battle = duel(one("multiple-wounds 2", "multiple-wounds 3"), foe(), [6, 6])
    assert lost(battle, "b") == 3
    battle = duel(one("hatred", "hatred"), foe(), [1, 1])
    assert len(events(battle, "reroll")) == 1
    assert rolled(duel(one("poison-attacks", "poison-attacks", att=1), foe(res=10), [5]), "wound") == []


@pytest.mark.rule("t9a.rule.keyword.unique", "t9a.rule.general")
@pytest.mark.parametrize("text", ["hatred sideways", "no-such-rule", ""])
def test_unknown_keywords_are_errors(text):
    from umpire.errors import UmpireError

    with pytest.raises(UmpireError):
        parse_rule(text, known(), "here")
    assert parse_rule("hatred", known(), "here") == Rule("t9a.rule.hatred")


@pytest.mark.rule("t9a.rule.keyword.distance")
def test_a_distance_in_brackets_replaces_the_rules_own():
    from t9a.builder import hero
    from umpire.games.t9a.command import discipline

    for text, reach in (("commanding-presence", 12), ("commanding-presence 18", 18)):
        leader = hero("g", of=profile(text, dis=9, hp=3), at=(36, 10))
        for gap, expected in ((reach - 0.1, 9), (reach + 0.1, 7)):
            scene_state = scene(leader, unit("a", at=(36, 12 + gap), models=10), unit("b", 1, at=(5, 46))).state
            assert discipline(scene_state, scene_state.unit("a")).total == expected, (text, gap)


@pytest.mark.rule("t9a.rule.unit-with", "t9a.rule.unit-containing", "t9a.rule.unit-without")
def test_with_containing_and_without():
    from t9a.builder import hero
    from umpire.games.t9a.model_rules import every, none, some

    state = scene(
        unit("a", of=profile("fearless")), hero("h", 0, "a"), unit("b", 1, at=(36, 40), of=profile("fearless"))
    ).state
    a, b = state.unit("a"), state.unit("b")
    assert some(state, a, "t9a.rule.fearless")
    assert not every(state, a, "t9a.rule.fearless")
    assert every(state, b, "t9a.rule.fearless")
    assert none(state, b, "t9a.rule.terror")
    assert not none(state, a, "t9a.rule.fearless")


@pytest.mark.rule("t9a.rule.massed-ranks", "t9a.melee.formation.solid-wound-bonus")
def test_solid_ranks_wound_more_easily_up_to_three():
    def need(s, models):
        return needs(
            duel(profile(parts=[part(off=9, agi=5, s=s)]), foe(res=4), [1] + [6] + [1] * 30, models=models), "wound"
        )[0]

    assert need(3, 20) == 4
    assert need(3, 19) == 5
    assert need(5, 20) == 3
    assert need(6, 20) == 2


@pytest.mark.rule("t9a.rule.keyword.special-attack", "t9a.melee.attack.non-standard")
def test_special_attacks_hit_automatically_and_spare_sheltered_characters():
    from t9a.builder import hero

    monster = profile(height=5, hp=5, base=(50, 50), parts=[part("stomp 4", att=None, s=5)])
    battle = scene(
        unit("a", of=monster, models=1, files=1),
        unit("b", 1, of=foe(hp=1), models=10),
        hero("h", 1, "b", of=profile(hp=3, parts=[QUIET]), file=2),
        moment="melee",
        dice=[6] * 4,
    )
    assert rolled(battle, "hit") == []
    assert p(battle, "b").count == 6
    assert lost(battle, "h") == 0


@pytest.mark.rule("t9a.rule.stomp")
def test_stomps_reach_only_the_low():
    monster = profile(height=5, hp=5, base=(50, 50), parts=[part("stomp D6 str=6", att=None, s=5)])
    assert lost(duel(monster, foe(), [3, 6, 6, 6]), "b") == 3
    battle = duel(monster, foe(height=2), [3])
    assert not events(battle, "special-attack")


@pytest.mark.rule("t9a.rule.impact-hits")
def test_impact_hits_come_first_and_only_on_the_charge():
    chariot = profile(height=3, hp=4, parts=[part("impact-hits 3 str=5 ap=2", att=None, s=3)])
    battle = duel(chariot, foe(res=4, arm=3), [3, 3, 3, 6, 6, 6], a={"charging": True})
    assert needs(battle, "wound") == [3]
    assert needs(battle, "armour") == [6]
    assert last(battle, "order")["steps"][0] == 10
    assert not events(duel(chariot, foe(), []), "special-attack")


@pytest.mark.rule("t9a.rule.grind-attacks")
def test_grind_attacks_use_their_own_values_where_given():
    push = Effect("a", "str", "add", 1, "t9a.magic.resolve", "barkskin")
    grinder = profile(parts=[part("grind-attacks 2 str=5 ap=2", att=None, s=4)])
    assert needs(duel(grinder, foe(res=4), [6, 6], effects=(push,)), "wound") == [3]
    plain = profile(parts=[part("grind-attacks 2", att=None, s=4)])
    assert needs(duel(plain, foe(res=4), [6, 6], effects=(push,)), "wound") == [3]
    assert needs(duel(plain, foe(res=4), [6, 6]), "wound") == [4]


@pytest.mark.rule("t9a.rule.crush-attack")
def test_a_crush_attack_replaces_all_others():
    giant = profile(hp=5, height=5, base=(50, 50), parts=[part("crush-attack", att=5, off=9, s=5)])
    battle = duel(giant, foe(hp=9, res=9, arm=6), [6, 6, 5])
    battle.answer(True)
    assert rolled(battle, "hit") == [1]
    assert lost(battle, "b") == 3


@pytest.mark.rule("t9a.rule.elven-craft", "t9a.rule.weapon.great")
def test_great_weapons_strike_last_even_when_charging():
    battle = duel(
        profile(parts=[part(agi=5, weapons=("great",))]),
        profile(hp=9, parts=[part(att=None, agi=None)]),
        [1],
        a={"charging": True},
    )
    assert last(battle, "order")["steps"] == [0]
    battle = duel(
        profile(parts=[part("elven-craft", agi=5, weapons=("great",))]),
        profile(hp=9, parts=[part(att=None, agi=None)]),
        [1],
    )
    assert last(battle, "order")["steps"][0] == 4
    battle = duel(
        profile(parts=[part("elven-craft", agi=5, weapons=("great",))]),
        profile(hp=9, parts=[part(att=None, agi=None)]),
        [1],
        a={"charging": True},
    )
    assert last(battle, "order")["steps"][0] == 5
    battle = duel(profile(parts=[part(agi=5, s=4, ap=1, off=9, weapons=("great",))]), foe(res=6, arm=6), [6, 4, 6])
    assert needs(battle, "wound") == [4]
    assert needs(battle, "armour") == [4]


@pytest.mark.rule("t9a.rule.weapon.melee-offensive")
def test_weapons_change_standard_attacks_only():
    stomper = profile(
        height=5, hp=5, base=(50, 50), parts=[part("stomp 2", att=1, off=9, s=4, own=[blade(mods={"str": 2})])]
    )
    battle = duel(stomper, foe(res=6), [6, 6, 6, 6])
    assert needs(battle, "wound") == [4, 6]
    fired(battle, "t9a.rule.stomp")


@pytest.mark.rule("t9a.rule.duplicates")
def test_of_two_multiple_wounds_the_owner_chooses_where_neither_is_better():
    """2 is surer than D3, which may take more; where the target has two HP, 2 is better, and nobody is asked."""
    battle = duel(one("multiple-wounds 2", "multiple-wounds D3"), foe(hp=5), [6, 6, 5])
    assert asked(battle) == "ask.multiple-wounds"
    assert offered(battle) == ["D3", "2"]
    assert battle.decision.default == "D3"
    assert lost(do(battle.fork(), "2"), "b") == 2
    assert lost(do(battle, "D3"), "b") == 3
    assert lost(duel(one("multiple-wounds D3", "multiple-wounds 2"), foe(hp=2), [6, 6], foes=4), "b") == 2


@pytest.mark.rule("t9a.melee.attack.supporting", "t9a.melee.attack.who")
def test_who_supports_may_be_asked_but_who_touches_must_strike():
    soldiers = profile(parts=[part(att=1)])
    wish = {"optional_attacks": "asked"}
    dice = [6] * 40
    plain = duel(soldiers, foe(), dice, models=10, foes=10)
    assert sum(rolled(plain, "hit")) == 10
    battle = duel(soldiers, foe(), dice, models=10, foes=10, options=wish)
    assert asked(battle) == "ask.support"
    assert offered(battle) == ["5", "4", "3", "2", "1", "0"]
    assert sum(rolled(do(battle.fork(), "5"), "hit")) == 10
    assert sum(rolled(do(battle, "0"), "hit")) == 5
    assert last(battle, "left-out")["models"] == 5


@pytest.mark.rule("t9a.rule.keyword.special-attack")
def test_a_special_attack_may_be_left_out():
    monster = profile(height=5, hp=5, base=(50, 50), parts=[part("stomp 4", att=None, s=5)])
    battle = duel(monster, foe(hp=1), [6] * 8, foes=10, options={"optional_attacks": "asked"})
    assert asked(battle) == "ask.special-attack"
    assert p(do(battle.fork(), "1"), "b").count == 6
    assert p(do(battle, "0"), "b").count == 10
