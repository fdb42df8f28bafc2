"""The Shooting Phase and ranged attacks."""

import pytest

from t9a.builder import (
    QUIET,
    asked,
    do,
    events,
    fired,
    gun,
    hero,
    last,
    lost,
    needs,
    offered,
    p,
    part,
    piece,
    profile,
    refused,
    rolled,
    scene,
    u,
    unit,
)
from umpire.games.t9a import weapons


def foe(*rules, **more):
    return profile(*rules, **{"hp": 1, "parts": [QUIET], **more})


def archer(*rules, weapon="bow", aim=4, own=None, **more):
    names = () if own else (weapon,)
    key = own.id if own else weapon
    return profile(parts=[part(*rules, weapons=names, aim={key: aim}, own=[own] if own else [])], **more)


def shot(shooters, targets=None, at=30.0, models=1, foes=10, dice=(1,), terrain=(), a=None, others=(), **more):
    """`a` shoots at `b`, whose front is so far up the table; a's front is at y = 20."""
    files = 5
    battle = scene(
        unit("a", of=shooters, models=models, files=min(models, files), **(a or {})),
        unit("b", 1, at=(36, at), of=targets or foe(), models=foes),
        *others,
        moment="shooting",
        dice=list(dice),
        terrain=terrain,
        **more,
    )
    if battle.decision is not None and "a" in offered(battle):
        do(battle, "a", "b")
    return battle


@pytest.mark.rule("t9a.shoot.shots", "t9a.rule.weapon.throwing")
def test_each_model_makes_its_shots_against_its_aim():
    thrower = profile(parts=[part(weapons=("throwing",), aim={"throwing": 5}, s=4, ap=1)])
    battle = shot(thrower, foe(arm=4, res=4, hp=9), at=27.0, models=10, dice=[5, 4, 1, 6] + [1] * 16 + [6, 4, 4])
    assert rolled(battle, "hit") == [20]
    assert needs(battle, "hit") == [5]
    assert rolled(battle, "wound") == [2]
    assert needs(battle, "wound") == [4]


@pytest.mark.rule("t9a.shoot.mod.long-range", "t9a.rule.weapon.bow")
def test_long_range_begins_beyond_half():
    assert needs(shot(archer(), at=32.0), "hit") == [4]
    assert needs(shot(archer(), at=32.1), "hit") == [5]


@pytest.mark.parametrize(("at", "within"), [(32.0004, True), (32.0006, False)])
@pytest.mark.rule("t9a.def.measure.within")
def test_lengths_closer_than_half_a_thousandth_of_an_inch_are_the_same(at: float, within: bool) -> None:
    assert needs(shot(archer(), at=at), "hit") == [4 if within else 5]


@pytest.mark.rule("t9a.shoot.range", "t9a.def.measure.within")
def test_range_is_measured_for_each_model():
    assert needs(shot(archer(), at=44.0), "hit") == [5]
    refused(
        do(
            scene(
                unit("a", of=archer(), models=1, files=1),
                unit("b", 1, at=(36, 44.1)),
                unit("c", 1, at=(30, 30)),
                moment="shooting",
            ),
            "a",
        ),
        "b",
        "t9a.shoot.range",
    )
    two = shot(archer(), at=43.5, models=10, dice=[1] * 5)
    assert rolled(two, "hit") == [5]


@pytest.mark.rule("t9a.shoot.mod.accurate", "t9a.rule.accurate")
def test_accurate_ignores_long_range():
    assert needs(shot(archer("accurate"), at=40.0), "hit") == [4]


@pytest.mark.rule("t9a.shoot.mod.moved", "t9a.shoot.mod.quick", "t9a.rule.quick-to-fire")
def test_moving_and_shooting():
    assert needs(shot(archer(), a={"moved": "normal"}), "hit") == [5]
    assert needs(shot(archer(), a={"moved": "reform"}), "hit") == [5]
    assert needs(shot(archer("quick-to-fire"), a={"moved": "normal"}), "hit") == [4]


@pytest.mark.rule("t9a.shoot.mod.unwieldy", "t9a.rule.unwieldy", "t9a.rule.weapon.crossbow")
def test_unwieldy_weapons_after_a_move():
    assert needs(shot(archer(weapon="crossbow"), a={"moved": "normal"}), "hit") == [6]
    far = shot(archer(weapon="crossbow"), at=36.0, a={"moved": "normal"})
    assert rolled(far, "hit") == []
    fired(far, "t9a.shoot.hit-limits")
    assert needs(shot(archer(weapon="crossbow")), "hit") == [4]


@pytest.mark.rule("t9a.shoot.mod.march-and-shoot", "t9a.rule.march-and-shoot")
def test_after_a_march_only_march_and_shoot_shoots():
    still = shot(archer(), a={"moved": "march"})
    assert still.decision is None
    assert needs(shot(archer("march-and-shoot"), a={"moved": "march"}), "hit") == [5]


@pytest.mark.rule("t9a.shoot.hit-limits")
def test_seven_cannot_hit_and_one_always_misses():
    battle = shot(archer(aim=6), at=40.0)
    assert rolled(battle, "hit") == []
    assert lost(shot(archer(aim=2), dice=[1]), "b") == 0
    assert needs(shot(archer(aim=1)), "hit") == [2]


@pytest.mark.rule("t9a.shoot.mod.hard-target", "t9a.rule.hard-target")
def test_hard_target_adds_up():
    assert needs(shot(archer(aim=3), foe("hard-target 1")), "hit") == [4]
    assert needs(shot(archer(aim=3), foe("hard-target 1", "hard-target 1")), "hit") == [5]


@pytest.mark.rule("t9a.shoot.ranks", "t9a.rule.shoot-in-extra-rank")
def test_two_ranks_shoot_and_one_more_with_bows():
    assert rolled(shot(archer(weapon="handgun"), models=20, dice=[1] * 10), "hit") == [10]
    assert sum(rolled(shot(archer(), models=20, dice=[1] * 15), "hit")) == 15
    assert sum(rolled(shot(archer("shoot-in-extra-rank"), models=20, dice=[1] * 20), "hit")) == 20


@pytest.mark.rule("t9a.shoot.unit-eligible", "t9a.charge.failed.restrictions")
@pytest.mark.parametrize("flags", [{"shot": True}, {"failed": True}, {"shaken": True}])
def test_who_may_not_shoot(flags):
    rule = {
        "shot": "t9a.shoot.unit-eligible",
        "failed": "t9a.charge.failed.restrictions",
        "shaken": "t9a.psych.shaken.restrictions",
    }
    battle = scene(
        unit("a", of=archer(), models=1, files=1, **flags),
        unit("z", of=archer(), models=1, files=1, at=(20, 20)),
        unit("b", 1, at=(30, 30)),
        moment="shooting",
    )
    refused(battle, "a", rule[next(iter(flags))])
    assert "z" in offered(battle)


@pytest.mark.rule("t9a.shoot.target-eligible")
def test_engaged_enemies_are_not_shot_at():
    battle = scene(
        unit("a", of=archer(), models=1, files=1),
        unit("c", at=(30, 30), models=1, files=1),
        unit("b", 1, at=(30, 30), models=1, files=1),
        unit("d", 1, at=(40, 30)),
        moment="shooting",
    )
    do(battle, "a")
    assert offered(battle) == ["d"]
    refused(battle, "b", "t9a.shoot.target-eligible")


@pytest.mark.rule("t9a.shoot.attached-target", "t9a.attack.allocate.ranged-attachable")
def test_characters_are_sheltered_by_enough_soldiers_of_their_height():
    def choices(models, height=1, own=1):
        battle = scene(
            unit("a", of=archer(), models=1, files=1),
            unit("b", 1, at=(36, 30), of=foe(height=own), models=models),
            hero("h", 1, "b", of=profile(hp=3, height=height)),
            moment="shooting",
            dice=[1],
        )
        do(battle, "a", "b")
        return offered(battle) if battle.decision is not None and asked(battle) == "ask.shoot-pool" else ["b"]

    assert choices(5) == ["b"]
    assert choices(4) == ["b", "h"]
    assert choices(20, height=2) == ["b", "h"]
    assert choices(3, height=3, own=3) == ["b"]
    assert choices(2, height=3, own=3) == ["b", "h"]


@pytest.mark.rule("t9a.rule.war-platform.ranged")
def test_a_platform_counts_as_high_as_the_soldiers():
    from umpire.games.t9a.attacks import ranged_pools

    def pools(models):
        state = scene(
            unit("a"),
            unit("b", 1, at=(36, 40), of=foe(), models=models),
            hero("w", 1, "b", of=profile("war-platform", hp=4, height=4, base=(50.8, 50.8))),
        ).state
        return [pool.id for pool in ranged_pools(state, "b")]

    assert pools(20) == ["b"]
    assert pools(4) == ["b", "w"]


@pytest.mark.rule("t9a.attack.allocate.ranged-unit", "t9a.shoot.same-target")
def test_all_shots_go_at_one_unit_whoever_in_it():
    battle = scene(
        unit("a", of=archer(), models=5),
        unit("b", 1, at=(36, 30), of=foe(), models=4),
        hero("h", 1, "b"),
        moment="shooting",
        dice=[6] * 10,
    )
    do(battle, "a", "b", "h")
    assert lost(battle, "b") == 0
    assert lost(battle, "h") == 3


@pytest.mark.rule("t9a.shoot.weapon-choice", "t9a.shoot.optional")
def test_each_kind_of_model_chooses_its_weapon_or_holds_fire():
    both = profile(parts=[part(weapons=("bow", "pistol"), aim={"bow": 4, "pistol": 4})])
    battle = scene(
        unit("a", of=both, models=4),
        hero("h", 0, "a", of=archer(weapon="pistol", hp=3)),
        unit("b", 1, at=(36, 30)),
        moment="shooting",
        dice=[1] * 9,
    )
    do(battle, "a", "b")
    assert asked(battle) == "ask.weapon"
    assert offered(battle) == ["pistol", "hold-fire"]
    do(battle, "hold-fire")
    assert offered(battle) == ["bow", "pistol", "divide", "hold-fire"]
    do(battle, "bow")
    assert sum(rolled(battle, "hit")) == 4


@pytest.mark.rule("t9a.rule.weapon.shooting", "t9a.rule.weapon.pistol")
def test_the_books_shooting_weapons():
    rows = {key: (w.range, w.shots, w.strength, w.ap) for key, w in weapons.SHOOTING.items()}
    assert rows == {
        "bow": (24, "1", 3, 0),
        "longbow": (30, "1", 3, 0),
        "crossbow": (30, "1", 4, 1),
        "handgun": (24, "1", 4, 2),
        "pistol": (12, "1", 4, 2),
        "throwing": (8, "2", None, None),
    }
    assert needs(shot(archer(weapon="pistol"), at=29.0, a={"moved": "normal"}), "hit") == [5]
    assert needs(shot(archer(weapon="pistol"), at=26.0, a={"moved": "normal"}), "hit") == [4]


@pytest.mark.rule("t9a.rule.weapon.longbow", "t9a.rule.weapon.handgun")
def test_longbows_and_handguns():
    assert needs(shot(archer(weapon="longbow"), at=35.0), "hit") == [4]
    assert needs(shot(archer(weapon="longbow"), at=35.1), "hit") == [5]
    battle = shot(archer(weapon="handgun"), foe(arm=4), dice=[6, 6, 1])
    assert needs(battle, "armour") == [5]


@pytest.mark.rule("t9a.rule.weapon.breath", "t9a.def.duration.one-use", "t9a.rule.automatic-hits")
def test_a_breath_hits_automatically_and_once():
    from umpire.games.t9a.content import WeaponEntry

    breath = WeaponEntry(
        id="fire", name={"zh": "火", "en": "fire"}, breath=True, str_=4, ap=1, rules=("flaming-attacks",)
    )
    dragon = profile(parts=[part(own=[breath])], hp=5)
    battle = shot(dragon, foe(hp=9), at=27.0, a={"moved": "march"}, dice=[3, 2, 6, 6, 6, 6, 6])
    do(battle, "fire")
    assert rolled(battle, "hit") == []
    assert rolled(battle, "shots") == [2]
    assert lost(battle, "b") == 5
    assert p(battle, "a").spent == ("fire",)
    again = shot(dragon, foe(), at=27.0, a={"spent": ("fire",)})
    assert again.decision is None


@pytest.mark.rule("t9a.rule.area-attack.hits", "t9a.rule.area-attack.limits")
@pytest.mark.parametrize(
    ("x", "y", "models", "files", "face", "hits"),
    [
        (3, 3, 15, 5, "front", 9),
        (3, 3, 7, 5, "front", 5),
        (3, 3, 1, 1, "front", 1),
        (3, 3, 6, 3, "front", 6),
        (1, 4, 10, 5, "front", 2),
        (1, 4, 10, 5, "left", 4),
        (3, 3, 12, 5, "left", 8),
    ],
)
def test_area_attacks(x, y, models, files, face, hits):
    from umpire.games.t9a.profiles import Rule
    from umpire.games.t9a.ranged_attacks import area_size

    state = scene(unit("a"), unit("b", 1, at=(36, 40), models=models, files=files)).state
    rule = Rule("t9a.rule.area-attack.hits", str(x), words=(str(y),))
    assert area_size(state, state.unit("b"), rule, face) == hits


@pytest.mark.rule("t9a.rule.area-attack.facing", "t9a.rule.direct-hit")
def test_an_area_attack_from_the_front_with_a_direct_hit():
    stone = gun("stone", "area-attack.hits 2 (2)", "direct-hit str=10 ap=6", s=3, range=48)
    battle = shot(archer(own=stone), foe(res=5, hp=9), dice=[4, 6, 6, 6, 6], models=1, foes=10)
    assert last(battle, "area")["hits"] == 4
    assert last(battle, "direct-hit")["strength"] == 10
    assert needs(battle, "wound") == [2, 6]
    missed = shot(archer(own=stone), foe(), dice=[3])
    assert not events(missed, "area")


@pytest.mark.rule("t9a.rule.artillery")
def test_artillery_ignores_cover_and_aims_at_masses():
    cannon = gun("shot", "artillery", range=48)
    assert needs(shot(archer(own=cannon), foe(height=5), foes=1), "hit") == [3]
    assert needs(shot(archer(own=cannon), foe(), foes=20), "hit") == [3]
    assert needs(shot(archer(own=cannon), foe(), foes=10), "hit") == [4]
    wall = [piece("w", "wall", 30, 29.5, 42, 30.0)]
    assert needs(shot(archer(own=cannon), foe(), foes=10, terrain=wall), "hit") == [4]
    assert needs(shot(archer(), foe(), foes=10, terrain=wall), "hit") == [6]


@pytest.mark.rule("t9a.rule.engineer")
def test_an_engineer_helps_once_up_to_three():
    cannon = gun("shot", "artillery", range=48)

    def helped(aim):
        battle = scene(
            unit("a", of=archer(own=cannon, aim=aim), models=1, files=1),
            hero("e", of=profile("engineer (artillery)", hp=2), at=(40, 20)),
            unit("b", 1, at=(36, 40)),
            moment="shooting",
            dice=[1],
        )
        do(battle, "engineer:e", "a", "a", "b")
        assert "engineer:e" not in (offered(battle) if battle.decision else [])
        return needs(battle, "hit")

    assert helped(4) == [3]
    assert helped(3) == [3]
    assert helped(2) == [2]


@pytest.mark.rule("t9a.rule.emplaced.shooting", "t9a.rule.emplaced.los")
def test_emplaced_engines_see_all_round_and_do_not_move_and_shoot():
    engine = profile("emplaced", parts=[part(aim={"shot": 4}, own=[gun("shot", range=48)])])
    behind = scene(
        unit("a", of=engine, models=1, files=1), unit("b", 1, at=(36, 6), facing=0.0), moment="shooting", dice=[1]
    )
    do(behind, "a", "b")
    assert rolled(behind, "hit") == [1]
    moved = scene(unit("a", of=engine, models=1, files=1, moved="reform"), unit("b", 1, at=(36, 30)), moment="shooting")
    assert moved.decision is None


@pytest.mark.rule("t9a.shoot.sequence", "t9a.shoot.resolve", "t9a.psych.panic.ranged-losses")
def test_a_unit_is_resolved_with_its_panic_before_the_next_shoots():
    battle = scene(
        unit("a", of=archer(), models=10),
        unit("c", of=archer(), models=5, at=(20, 20)),
        unit("b", 1, at=(36, 30), of=foe(dis=2), models=20),
        moment="shooting",
        dice=[6] * 5 + [1] * 5 + [6] * 5 + [6, 6],
    )
    do(battle, "a", "b")
    assert p(battle, "b").count == 15
    assert u(battle, "b").shaken
    assert asked(battle) == "ask.shoot"


@pytest.mark.rule("t9a.psych.panic.ranged-losses")
@pytest.mark.parametrize(
    ("models", "hits", "tests"), [(20, 5, True), (20, 4, False), (8, 3, True), (8, 2, False), (12, 3, True)]
)
def test_panic_needs_three_and_a_quarter(models, hits, tests):
    battle = shot(
        archer(), foe(dis=10), models=5, foes=models, dice=[6] * hits + [1] * (5 - hits) + [6] * hits + [1, 1]
    )
    assert (rolled(battle, "panic") == [2]) is tests


@pytest.mark.rule("t9a.rule.stand-and-shoot", "t9a.rule.stand-and-shoot.resolve")
@pytest.mark.parametrize(("gap", "may"), [(7.1, True), (7.0, False)])
def test_stand_and_shoot_at_a_charge_from_afar(gap, may):
    thrower = profile(parts=[part(weapons=("throwing",), aim={"throwing": 4})])
    battle = scene(
        unit("a", of=profile(cha=7, hp=9), models=5),
        unit("b", 1, at=(36, 20 + gap), of=thrower, models=5),
        moment="charge",
        dice=[6, *[1] * 10],
    )
    do(battle, "a", "b", "hold")
    assert battle.state.engaged("a")
    if may:
        assert asked(battle) == "ask.stand-and-shoot"
        do(battle, True)
        assert rolled(battle, "hit") == [10]
        assert needs(battle, "hit") == [4]
    else:
        assert battle.decision is None
        fired(battle, "t9a.rule.stand-and-shoot")


@pytest.mark.rule("t9a.rule.stand-and-shoot.several")
def test_only_the_first_of_several_chargers_is_shot_at():
    """Interaction 13: the second charger only if the first was wiped out."""
    thrower = profile(parts=[part(weapons=("throwing",), aim={"throwing": 4})])
    battle = scene(
        unit("a", of=profile(hp=9), models=2, files=2, at=(34, 20)),
        unit("c", of=profile(hp=9), models=2, files=2, at=(38, 20)),
        unit("b", 1, at=(36, 28), of=thrower, models=6, files=6),
        moment="charge",
        dice=[6, 6, *[1] * 12],
    )
    do(battle, "a", "b", "hold", "c", "b", "hold")
    if asked(battle) == "ask.combined-order":
        do(battle, battle.decision.suggest())
    do(battle, True)
    assert battle.decision is None
    fired(battle, "t9a.rule.stand-and-shoot.several")


@pytest.mark.rule("t9a.rule.sweeping-attack", "t9a.rule.sweeping-attack.resolve")
def test_sweeping_attacks_on_those_that_were_passed():
    bird = profile("fly", "sweeping-attack 2 str=4 ap=1", mob=8, hp=3)
    battle = scene(
        unit("a", of=bird, models=1, files=1),
        unit("b", 1, at=(36, 26), of=foe(hp=1), models=12),
        moment="movement",
        dice=[6, 6, 6, 6],
    )
    do(battle, "a", "march", {"path": [{"how": "forward", "inches": 14}]})
    assert asked(battle) == "ask.sweep"
    do(battle, "b")
    assert p(battle, "b").count == 10
    assert u(battle, "a").swept


@pytest.mark.rule("t9a.shoot.same-target", "t9a.attack.allocate.ranged-unit")
def test_the_shots_at_a_unit_may_be_divided_among_its_pools():
    """Five archers, a character who can be singled out: two shoot at him, three at the soldiers."""
    battle = scene(
        unit("a", of=archer(), models=5),
        unit("b", 1, at=(36, 30), of=foe(), models=10),
        hero("h", 1, "b", of=profile(hp=3, height=2)),
        moment="shooting",
        dice=[1] * 5,
    )
    do(battle, "a", "b")
    assert offered(battle) == ["b", "h", "divide"]
    do(battle, "divide")
    refused(battle, {"b": 3, "h": 1})
    do(battle, {"b": 3, "h": 2})
    rolls = [e for e in battle.events if e.kind == "roll" and e.roll.purpose == "hit"]
    assert [(e.facts["target"], len(e.roll.faces)) for e in rolls] == [("b", 3), ("h", 2)]
    fired(battle, "t9a.shoot.same-target")
