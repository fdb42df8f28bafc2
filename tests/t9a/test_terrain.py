"""Terrain features: cover, danger, fire and water."""

import pytest

from t9a.builder import do, duel, events, fired, hero, lost, needs, p, part, piece, profile, quiet, rolled, scene, unit
from umpire.engine.effects import Effect


def march(kind, of, *, models=8, dice=(), terrain=None, others=(), inches=8.0):
    """`a` marches straight through a piece of terrain."""
    pieces = terrain if terrain is not None else [piece("t", kind, 30, 22, 42, 24)]
    battle = scene(
        unit("a", of=of, models=models),
        *others,
        unit("z", 1, at=(4, 46)),
        moment="movement",
        dice=list(dice),
        terrain=pieces,
    )
    return do(battle, "a", "march", {"path": [{"how": "forward", "inches": inches}]})


MOUNTED = {"traits": ("mounted",), "height": 2}


@pytest.mark.rule("t9a.terrain.dangerous", "t9a.terrain.forest.dangerous", "t9a.terrain.dangerous.dice")
def test_a_forest_is_dangerous_for_riders():
    battle = march("forest", quiet(**MOUNTED), dice=[6, 5, 1, 1, 1, 1, 1, 1])
    assert rolled(battle, "dangerous") == [8]
    assert needs(battle, "dangerous") == [6]
    assert p(battle, "a").count == 7


@pytest.mark.rule("t9a.terrain.dangerous.condition", "t9a.def.traits")
def test_others_walk_through_unharmed():
    battle = march("forest", quiet(), dice=[6] * 9)
    assert rolled(battle, "dangerous") == []
    fired(battle, "t9a.terrain.dangerous.condition")


@pytest.mark.rule("t9a.terrain.ruins.dangerous")
def test_ruins_are_dangerous_for_all():
    assert rolled(march("ruins", quiet(), models=10, dice=[6, 1, 1, 1, 1]), "dangerous") == [5]
    assert rolled(march("ruins", quiet(), models=19, dice=[1] * 10), "dangerous") == [10]


@pytest.mark.rule("t9a.terrain.wall.dangerous", "t9a.terrain.water.dangerous")
@pytest.mark.parametrize(("kind", "trait"), [("wall", "construct"), ("water", "metal-armour")])
def test_walls_for_constructs_and_water_for_metal(kind, trait):
    assert rolled(march(kind, quiet(traits=(trait,)), dice=[1] * 4), "dangerous") == [4]
    assert rolled(march(kind, quiet()), "dangerous") == []


@pytest.mark.rule("t9a.terrain.dangerous.effect")
def test_danger_allows_special_saves_only():
    battle = march("ruins", quiet("aegis 4+", arm=6), models=2, dice=[6, 4])
    assert rolled(battle, "armour") == []
    assert lost(battle, "a") == 0
    bare = march("ruins", quiet("resistant", arm=6), models=2, dice=[6])
    assert lost(bare, "a") == 1


@pytest.mark.rule("t9a.terrain.dangerous.several")
def test_each_dangerous_piece_is_tested_after_the_losses_of_the_one_before():
    pieces = [piece("t", "ruins", 30, 22, 42, 23), piece("s", "ruins", 30, 25, 42, 26)]
    battle = march("", quiet(), models=10, terrain=pieces, dice=[6, 6, 1, 1, 1, 1, 1, 1, 1])
    assert rolled(battle, "dangerous") == [5, 4]


@pytest.mark.rule("t9a.terrain.dangerous.pools")
def test_each_pool_tests_for_itself():
    battle = march("ruins", quiet(), models=10, others=(hero("h", 0, "a", of=quiet(hp=3, height=2)),), dice=[1] * 9)
    assert rolled(battle, "dangerous") == [5, 2]


@pytest.mark.rule("t9a.terrain.dangerous")
def test_a_normal_move_is_safe():
    battle = scene(
        unit("a", of=quiet(**MOUNTED), models=8),
        unit("z", 1, at=(4, 46)),
        moment="movement",
        terrain=[piece("t", "forest", 30, 22, 42, 24)],
        dice=[6] * 9,
    )
    do(battle, "a", "normal", {"path": [{"how": "forward", "inches": 4.0}]})
    assert rolled(battle, "dangerous") == []


@pytest.mark.rule("t9a.rule.strider.dangerous", "t9a.rule.ghost-step.dangerous")
@pytest.mark.parametrize(
    ("rule", "spared"), [("strider", True), ("strider (ruins)", True), ("strider (water)", False), ("ghost-step", True)]
)
def test_striders_and_ghosts_take_no_test(rule, spared):
    battle = march("ruins", quiet(rule), models=10, dice=[1] * 5)
    assert (rolled(battle, "dangerous") == []) is spared


@pytest.mark.rule("t9a.terrain.impassable.flee")
def test_fleeing_through_a_house():
    from umpire.games.t9a.fleeing import flee

    battle = scene(
        unit("a", of=quiet(), models=10, at=(36, 20)),
        unit("z", 1, at=(4, 46)),
        moment="rally",
        terrain=[piece("h", "impassable", 34, 22, 38, 24)],
        dice=[4, 3, 3, 3, 3],
    )
    flee(battle, battle.state.unit("a"), 0.0, 9, "t9a.rally.fail")
    assert rolled(battle, "dangerous") == [5]
    assert needs(battle, "dangerous") == [4]
    assert p(battle, "a").count == 9


ARCHER = profile(parts=[part(weapons=("bow",), aim={"bow": 3})])


def need(kind, box=(30, 26, 42, 27), height=1, at=30.0, shooter=(36, 20)):
    battle = scene(
        unit("a", of=ARCHER, models=1, files=1, at=shooter),
        unit("b", 1, at=(36, at), of=quiet(height=height), models=10),
        moment="shooting",
        terrain=[piece("t", kind, *box)] if kind else (),
        dice=[1],
    )
    do(battle, "a", "b")
    return needs(battle, "hit")[0]


@pytest.mark.rule("t9a.terrain.forest.cover", "t9a.shoot.mod.soft-cover", "t9a.terrain.open")
def test_a_forest_between_gives_soft_cover():
    assert need("") == 3
    assert need("forest") == 4
    assert need("forest", height=5) == 4


@pytest.mark.rule("t9a.terrain.field", "t9a.terrain.ruins.cover", "t9a.terrain.wall")
@pytest.mark.parametrize(("kind", "hit"), [("field", 4), ("ruins", 5), ("wall", 5)])
def test_fields_ruins_and_walls_shelter_those_that_touch_them(kind, hit):
    touching = (30, 28.5, 42, 30.0)
    assert need(kind, touching) == hit
    assert need(kind, (30, 25, 42, 26)) == 3
    assert need(kind, touching, height=4) == 3
    assert need(kind, touching, height=3) == hit


@pytest.mark.rule("t9a.shoot.mod.hard-cover", "t9a.terrain.feature")
def test_hard_cover_is_two():
    assert need("wall", (30, 28.5, 42, 30.0)) == 5


@pytest.mark.rule("t9a.terrain.field.flammable", "t9a.terrain.water.soaked")
def test_fields_burn_and_water_quenches():
    burning = profile(parts=[part("flaming-attacks", off=9, agi=5)])
    field = [piece("f", "field", 30, 20.5, 42, 22)]
    battle = duel(burning, quiet(hp=9), [6, 1, 6], terrain=field)
    assert len(events(battle, "reroll")) == 1
    assert not events(duel(burning, quiet(hp=9), [6, 1]), "reroll")
    water = [piece("w", "water", 30, 20.5, 42, 22)]
    wet = duel(burning, quiet("regeneration 3+", hp=9), [6, 6, 3], terrain=water)
    assert rolled(wet, "special") == [1]
    assert rolled(duel(burning, quiet("regeneration 3+", hp=9), [6, 6]), "special") == []


@pytest.mark.rule("t9a.shoot.los", "t9a.terrain.general")
def test_models_that_see_nobody_do_not_shoot():
    rock = [piece("r", "hill", 20, 24, 52, 25)]
    battle = scene(
        unit("a", of=ARCHER, models=5),
        unit("b", 1, at=(36, 30), of=quiet()),
        unit("k", of=ARCHER, models=1, files=1, at=(4, 30)),
        unit("c", 1, at=(6, 40), of=quiet(), models=5),
        moment="shooting",
        terrain=rock,
        dice=[1],
    )
    ask = battle.decision
    assert "a" not in ask.options
    assert "k" in ask.options


@pytest.mark.rule("t9a.rule.unmodifiable")
def test_friendly_effects_do_not_change_a_breath():
    from t9a.builder import gun
    from umpire.games.t9a.content import WeaponEntry

    given = Effect(
        "a",
        "t9a.rule.zealous",
        "add",
        0,
        "t9a.magic.resolve",
        "barkskin",
        data={"rule": {"id": "t9a.rule.zealous", "keyword": "both"}},
    )
    breath = WeaponEntry(id="fire", name={"zh": "火", "en": "fire"}, breath=True, str_=3)
    dragon = profile(parts=[part(own=[breath])], hp=5)
    battle = scene(
        unit("a", of=dragon, models=1, files=1),
        unit("b", 1, at=(36, 26), of=quiet(hp=9)),
        moment="shooting",
        dice=[1, 1, 1, 1],
        effects=(given,),
    )
    do(battle, "a", "b", "fire")
    assert not events(battle, "reroll")
    bow = profile(parts=[part(own=[gun("bow-of-art", s=3)], aim={"bow-of-art": 2})])
    battle = scene(
        unit("a", of=bow, models=1, files=1),
        unit("b", 1, at=(36, 26), of=quiet(hp=9)),
        moment="shooting",
        dice=[6, 1, 1],
        effects=(given,),
    )
    do(battle, "a", "b")
    assert len(events(battle, "reroll")) == 1
