"""Targets, the attack sequence, weapon abilities, modifiers."""

from __future__ import annotations

import pytest

from aos.builder import (
    STAY,
    ask,
    block,
    bow,
    cites,
    do,
    kinds,
    melee,
    needs,
    options,
    refused,
    rolls,
    scene,
    told,
    unit,
)
from umpire.engine.battle import Battle
from umpire.games.aos.attacks import anti, guarded, read_hit, read_save, read_wound, resolve_attacks, save_modifier
from umpire.games.aos.damage import destroy, inflict
from umpire.games.aos.numbers import capped
from umpire.games.aos.state import Model, Use
from umpire.games.aos.terrain import make_feature, wholly_on
from umpire.games.aos.units import unit_visible


def fight(weapon: dict, dice: list[int], *answers: object, mine: dict | None = None, foe: dict | None = None) -> Battle:
    """a1 fights b1 with one weapon; answers follow the pile-in, the rest is passed."""
    battle = scene(
        unit("a1", (10, 10), **{"weapons": [weapon], **(mine or {})}),
        unit("b1", (10, 11.5), **{"weapons": [], "health": 20, **(foe or {})}),
        phase="combat",
        dice=dice,
        sides=[{"command": 0 if not answers else 4}, {"command": 0 if not answers else 4}],
    )
    do(battle, STAY, *answers)
    return battle


@pytest.mark.rule("aos.core.hit-roll", "aos.core.critical-hit")
def test_reading_a_hit_roll() -> None:
    assert read_hit(1, 2, 1) == "miss"
    assert [read_hit(face, 4, 0) for face in (3, 4)] == ["miss", "hit"]
    assert read_hit(5, 4, 1) == "hit"  # not critical
    assert read_hit(6, 4, -1) == "crit"
    assert read_hit(6, 6, -1) == "crit"
    battle = fight(melee(attacks="4", hit=3), [1, 2, 3, 6, 1, 1])
    assert rolls(battle, "hit") == [[1, 2, 3, 6]]
    assert len(rolls(battle, "wound")[0]) == 2
    assert cites(battle, "aos.core.critical-hit")


@pytest.mark.rule("aos.core.hit-roll", "aos.core.wound-roll", "aos.core.save-roll")
def test_a_roll_tells_the_face_that_it_needed_as_it_was_modified() -> None:
    """The dice tray and the luck meter read it: a 3 that missed under -1 was no success."""
    blessed = {"on": "a1", "what": "wound", "op": "add", "value": 1}
    for hit, sign, face in ((3, -1, 4), (3, 1, 2), (2, 1, 2), (6, -1, 6)):
        battle = scene(
            unit("a1", (10, 10), weapons=[melee(attacks="1", hit=hit, wound=4, rend=1)]),
            unit("b1", (10, 11.5), weapons=[], health=20, save=4),
            phase="combat",
            dice=[6, 6, 6],
            effects=[blessed, {**blessed, "what": "hit", "value": sign}],
            sides=[{"command": 0}, {"command": 0}],
        )
        do(battle, STAY)
        found = [needs(battle, purpose) for purpose in ("hit", "wound", "save")]
        assert found == [[face], [3], [5]]


@pytest.mark.rule("aos.core.wound-roll")
def test_reading_a_wound_roll() -> None:
    assert not read_wound(1, 2, 1)
    assert [read_wound(face, 4, 0) for face in (3, 4)] == [False, True]
    battle = fight(melee(attacks="2", wound=5), [4, 4, 4, 5, 1])
    assert len(rolls(battle, "save")[0]) == 1


@pytest.mark.rule("aos.core.save-roll", "aos.core.determine-damage")
def test_rend_is_subtracted_from_the_save() -> None:
    assert read_save(5, 4, -1)
    assert not read_save(4, 4, -1)
    assert not read_save(1, 2, 1)
    assert not read_save(6, 0, 1)  # no save at all
    battle = fight(melee(attacks="2", rend=1, damage="3"), [4, 4, 4, 4, 5, 4], foe={"save": 4})
    assert told(battle, "attacks")[0].facts["points"] == 3
    assert battle.state.unit("b1").damage == 3


@pytest.mark.rule("aos.core.modifier-caps")
def test_modifiers_are_added_up_and_then_capped() -> None:
    assert capped([(1, ""), (-1, ""), (-1, "")]) == -1
    assert capped([(-1, ""), (-1, "")]) == -1
    assert capped([(1, ""), (1, "")]) == 1
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 20)))
    state, foe = battle.state, battle.state.unit("b1")
    from umpire.engine.effects import Effect

    state.effects = [Effect("b1", "save", "add", 1.0, "aos.command.all-out-defence", "1:x")]
    assert save_modifier(state, foe, 2) == -1
    state.effects.append(Effect("b1", "save", "add", 1.0, "", "1:y"))
    assert save_modifier(state, foe, 1) == 1
    assert save_modifier(state, foe, 0) == 1
    assert save_modifier(state, foe, 5) == -3


@pytest.mark.rule("aos.weapon.anti-x")
def test_anti_adds_rend_for_each_that_fits() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[melee(abilities=["anti-charge", "anti-hero"])]),
        unit("b1", (10, 20), keywords=["hero"]),
    )
    weapon, foe = battle.state.unit("a1").profile.weapons[0], battle.state.unit("b1")
    assert anti(weapon, foe) == 1
    foe.charged = True
    assert anti(weapon, foe) == 2
    plain = fight(melee(abilities=["anti-hero"]), [4, 4, 4], foe={"save": 4, "keywords": ["hero"]})
    assert told(plain, "attacks")[0].facts["unsaved"] == 1  # a 4 does not save against Rend 1
    assert cites(plain, "aos.weapon.anti-x")


@pytest.mark.rule("aos.weapon.charge")
def test_charge_adds_damage_also_to_mortal_damage() -> None:
    weapon = melee(abilities=["charge"], damage="2")
    assert told(fight(weapon, [4, 4, 1], mine={"charged": True}), "attacks")[0].facts["points"] == 3
    assert told(fight(weapon, [4, 4, 1]), "attacks")[0].facts["points"] == 2
    mortal = melee(abilities=["charge", "crit-mortal"], damage="2")
    assert told(fight(mortal, [6], mine={"charged": True}), "attacks")[0].facts["points"] == 3


@pytest.mark.rule("aos.weapon.companion", "aos.unit.champion")
def test_champions_attack_more_but_not_with_companion_weapons() -> None:
    champion = {"roles": ["champion"]}
    assert told(fight(melee(attacks="2"), [1, 1, 1], mine=champion), "attacks")[0].facts["attacks"] == 3
    assert (
        told(fight(melee(attacks="2", abilities=["companion"]), [1, 1], mine=champion), "attacks")[0].facts["attacks"]
        == 2
    )
    unit_of_two = scene(
        unit("a1", (10, 10), (11, 10), roles=["champion"], weapons=[melee(attacks="2")]),
        unit("b1", (10, 11.5), weapons=[]),
        phase="combat",
        dice=[1] * 5,
        sides=[{"command": 0}, {"command": 0}],
    )
    do(unit_of_two, STAY)
    assert rolls(unit_of_two, "hit") == [[1] * 5]


@pytest.mark.rule("aos.weapon.companion", "aos.command.all-out-attack")
def test_companions_are_helped_by_all_out_attack_alone() -> None:
    brave = [
        {"on": "a1", "what": "wound", "op": "add", "value": 1, "source": "0:brave"},
        {"on": "a1", "what": "hit", "op": "add", "value": -1, "source": "1:curse"},
    ]
    weapon = melee(abilities=["companion"])
    battle = scene(
        unit("a1", (10, 10), weapons=[weapon]),
        unit("b1", (10, 11.5), weapons=[]),
        phase="combat",
        dice=[5, 3],
        effects=brave,
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, STAY)
    assert rolls(battle, "wound") == [[3]]  # a 5 hits in spite of the enemy's curse of -1
    assert told(battle, "attacks")[0].facts["wounds"] == 0  # a 3 does not wound: the friendly +1 does not help it
    helped = fight(weapon, [3, 1], "all-out-attack:a1", "pass")
    assert rolls(helped, "wound") == [[1]]  # a 3 hits with +1


@pytest.mark.rule("aos.weapon.crit-2-hits")
def test_crit_two_hits() -> None:
    battle = fight(melee(abilities=["crit-2-hits"]), [6, 6, 4, 1, 1])
    assert rolls(battle, "wound") == [[6, 4]]  # neither of them a further critical
    assert told(battle, "attacks")[0].facts["points"] == 2


@pytest.mark.rule("aos.weapon.crit-auto-wound")
def test_crit_auto_wound() -> None:
    battle = fight(melee(abilities=["crit-auto-wound"]), [6, 1])
    assert rolls(battle, "wound") == []
    assert rolls(battle, "save") == [[1]]


@pytest.mark.rule("aos.weapon.crit-mortal", "aos.core.mortal-damage")
def test_crit_mortal_ends_the_sequence_but_wards_apply() -> None:
    battle = fight(melee(abilities=["crit-mortal"], damage="2"), [6, 5, 1], foe={"ward": 5})
    assert rolls(battle, "wound") == []
    assert rolls(battle, "save") == []
    assert rolls(battle, "ward") == [[5, 1]]
    assert battle.state.unit("b1").damage == 1


@pytest.mark.rule("aos.weapon.shoot-in-combat", "aos.core.shooting-attacks", "aos.core.targets-in-combat")
def test_in_combat_only_fitting_weapons_shoot_at_what_the_unit_fights() -> None:
    near, far = unit("b1", (10, 12)), unit("b2", (10, 19))
    silent = scene(
        unit("a1", (10, 10), weapons=[bow()]),
        unit("a2", (30, 10), weapons=[bow(range=40.0)]),
        near,
        far,
        phase="shooting",
    )
    assert refused(silent, "shoot:a1") == ["aos.core.shooting-attacks"]
    weapons = [bow(), bow(id="pistol", abilities=["shoot-in-combat"])]
    battle = scene(
        unit("a1", (10, 10), weapons=weapons),
        near,
        far,
        phase="shooting",
        dice=[1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "shoot:a1")
    assert told(battle, "targets")[0].facts["targets"] == ["b1"]
    assert [e.facts["weapon"]["en"] for e in told(battle, "attacks")] == ["pistol"]
    assert cites(battle, "aos.weapon.shoot-in-combat")


@pytest.mark.rule("aos.core.pick-targets", "aos.core.attack-order")
def test_attacks_may_be_split_and_targets_are_dealt_with_one_by_one() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[melee(attacks="3")]),
        unit("b1", (8.5, 11), weapons=[]),
        unit("b2", (11.5, 11), weapons=[]),
        phase="combat",
        dice=[4, 4, 1, 1, 1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "b1", STAY)
    assert options(battle) == ["b1", "b2", "split"]
    do(battle, "split")
    assert not ask(battle).check({"b1": 2, "b2": 2})
    do(battle, {"b1": 2, "b2": 1})
    assert not ask(battle).check(["b2"])
    do(battle, ["b2", "b1"])
    assert [(e.facts["target"], e.facts["attacks"]) for e in told(battle, "attacks")] == [("b2", 1), ("b1", 2)]
    assert kinds(battle).index("allocate") > max(n for n, k in enumerate(kinds(battle)) if k == "attacks")


@pytest.mark.rule("aos.core.pick-targets", "aos.core.combat-attacks")
def test_a_model_attacks_only_what_its_own_range_reaches() -> None:
    battle = scene(
        unit("a1", (10, 10), (10, 8.7), (10, 7.4)),
        unit("b1", (10, 12.5), weapons=[]),
        phase="combat",
        dice=[1, 1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, STAY)
    assert rolls(battle, "hit") == [[1, 1]]  # the third stands 4.1 inches away


@pytest.mark.rule("aos.core.pick-targets")
def test_a_split_that_models_cannot_reach_is_refused() -> None:
    battle = scene(
        unit("a1", (10, 10), (11.2, 10), (12.4, 10), weapons=[melee(attacks="2")]),
        unit("b1", (8.2, 11), weapons=[]),
        unit("b2", (14.2, 11), weapons=[]),
        phase="combat",
        dice=[1] * 6,
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "b1", STAY, "split")
    # a1.1 reaches only b1, a1.3 only b2, a1.2 both
    assert refused(battle, {"b1": 6, "b2": 0}) != []
    assert refused(battle, {"b1": 4, "b2": 2}) == []
    do(battle, {"b1": 3, "b2": 3}, ["b1", "b2"])
    assert rolls(battle, "hit") == [[1] * 3, [1] * 3]


@pytest.mark.rule("aos.core.targets-in-combat")
def test_melee_targets_must_be_in_combat() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("b1", (8.5, 11)),
        unit("b2", (11.5, 11)),
        unit("b3", (10, 20)),
        phase="combat",
        dice=[1] * 9,
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "b1", STAY)
    assert refused(battle, "b3") == ["aos.core.targets-in-combat"]


@pytest.mark.rule("aos.core.random-characteristics", "aos.core.dice")
def test_random_attacks_are_rolled_for_each_model_and_damage_for_each_attack() -> None:
    battle = scene(
        unit("a1", (10, 10), (11, 10), weapons=[melee(attacks="D3", damage="D3")]),
        unit("b1", (10, 11.5), weapons=[], health=20),
        phase="combat",
        dice=[1, 3, 4, 4, 4, 4, 4, 4, 1, 1, 1, 3, 6, 1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, STAY)
    assert rolls(battle, "attacks") == [[1], [3]]  # 1 and 2 attacks: a D3 is half a D6, rounded up
    assert rolls(battle, "damage") == [[3], [6], [1]]
    assert told(battle, "attacks")[0].facts["points"] == 2 + 3 + 1


@pytest.mark.rule("aos.command.all-out-attack")
def test_all_out_attack_is_for_that_ability_only() -> None:
    battle = fight(melee(), [3, 1], "all-out-attack:a1", "pass")
    assert rolls(battle, "wound") == [[1]]
    assert battle.state.effects == []
    assert battle.state.sides[0].command == 3


@pytest.mark.rule("aos.command.all-out-defence")
def test_all_out_defence_lasts_for_the_phase_and_is_for_targets() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("a2", (10, 13)),
        unit("b1", (10, 11.5), weapons=[], save=5, health=9),
        unit("b2", (30, 20)),
        phase="combat",
        dice=[4, 4, 4, 4, 4, 4, 1],
    )
    do(battle, "fight:a1", STAY, "pass")
    assert options(battle) == ["all-out-defence:b1", "pass"]
    assert refused(battle, "all-out-defence:b2") != []
    do(battle, "all-out-defence:b1", "pass")
    assert battle.state.sides[1].command == 3
    assert battle.state.unit("b1").damage == 0  # a 4 saves on 5+ with +1
    do(battle, STAY, "pass")
    assert battle.state.unit("b1").damage == 0  # and again against a2


@pytest.mark.rule("aos.shoot.shoot", "aos.core.shooting-attacks")
def test_range_and_sight_are_checked_model_by_model() -> None:
    battle = scene(
        unit("a1", (10, 10), (10, 8.8), weapons=[bow()]),
        unit("b1", (10, 23)),
        phase="shooting",
        dice=[1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "shoot:a1")
    assert rolls(battle, "hit") == [[1]]  # 12.0 inches, and 13.2


@pytest.mark.rule("aos.defence.guarded-hero", "aos.core.guarded-hero-scope")
def test_guarded_heroes() -> None:
    def shoot(distance: float, **hero: object) -> Battle:
        y = 10 + 1 + distance
        battle = scene(
            unit("a1", (10, 10), weapons=[bow(range=24.0, attacks="2")]),
            unit("b1", (10, y), **{"keywords": ["hero", "infantry"], **hero}),
            unit("b2", (14, y + 0)),
            phase="shooting",
            dice=[4, 5, 1, 1],
            sides=[{"command": 0}, {"command": 0}],
        )
        do(battle, "shoot:a1")
        return battle

    there = shoot(12.0)
    assert "b1" in options(there)
    do(there, "b1")
    assert len(rolls(there, "wound")[0]) == 1  # a 4 misses at -1
    away = shoot(12.1)
    assert cites(away, "aos.defence.guarded-hero")
    assert told(away, "targets")[0].facts["targets"] == ["b2"]
    rider = shoot(12.1, keywords=["hero", "cavalry"])
    assert "b1" in options(rider)
    beast = shoot(12.1, keywords=["hero", "monster", "infantry"])
    do(beast, "b1")
    assert len(rolls(beast, "wound")[0]) == 2  # no penalty


@pytest.mark.rule("aos.command.covering-fire")
def test_covering_fire_goes_at_the_nearest_visible_enemy() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("a2", (10, 8)),
        unit("b1", (10, 20), weapons=[bow(attacks="2")]),
        phase="shooting",
        stage=1,
        dice=[4, 5, 1],
    )
    do(battle, "covering-fire:b1")
    assert told(battle, "targets")[0].facts["targets"] == ["a1"]
    assert options(battle) == ["all-out-defence:a1", "pass"]
    assert battle.state.unit("b1").core is False
    do(battle, "pass")  # b1 has used its command of the phase
    assert len(rolls(battle, "wound")[0]) == 1  # a 4 misses at -1
    tie = scene(
        unit("a1", (9, 10)),
        unit("a2", (11, 10)),
        unit("b1", (10, 20), weapons=[bow()]),
        phase="shooting",
        stage=1,
        dice=[1],
    )
    do(tie, "covering-fire:b1")
    assert options(tie) == ["a1", "a2"]
    fighting = scene(
        unit("a1", (10, 10)),
        unit("b1", (10, 12), weapons=[bow()]),
        unit("b2", (20, 20), weapons=[bow()]),
        phase="shooting",
        stage=1,
    )
    assert refused(fighting, "covering-fire:b1") == ["aos.core.combat-range"]


@pytest.mark.rule("aos.terrain.cover", "aos.ability.passive-once", "aos.core.terrain-behind")
def test_cover_is_minus_one_once() -> None:
    walls = [block(10, 15, 30, 0.5, 1), block(10, 17, 30, 0.5, 1)]
    units = (unit("a1", (10, 10), weapons=[bow(attacks="2")]), unit("b1", (10, 20)))
    battle = scene(*units, phase="shooting", terrain=walls, dice=[4, 5, 1], sides=[{"command": 0}, {"command": 0}])
    do(battle, "shoot:a1")
    assert len(rolls(battle, "wound")[0]) == 1
    assert cites(battle, "aos.terrain.cover")
    flying = scene(
        units[0],
        unit("b1", (10, 20), keywords=["fly"]),
        phase="shooting",
        terrain=walls,
        dice=[4, 5, 1, 1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(flying, "shoot:a1")
    assert len(rolls(flying, "wound")[0]) == 2
    charged = scene(
        units[0],
        unit("b1", (10, 20), charged=True),
        phase="shooting",
        terrain=walls,
        dice=[4, 5, 1, 1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(charged, "shoot:a1")
    assert len(rolls(charged, "wound")[0]) == 2


@pytest.mark.rule("aos.core.terrain-wholly-on")
def test_where_two_parts_of_a_feature_adjoin_it_has_no_edge() -> None:
    west = [(-4, -2), (0, -2), (0, 2), (-4, 2)], 0.5, False
    east = [(0, -2), (4, -2), (4, 1), (0, 1)], 0.5, False
    hill = make_feature("t9", {"zh": "丘", "en": "hill"}, "area", [west, east], 10, 10)

    def on(x: float, y: float, r: float = 0.5) -> bool:
        return wholly_on(hill, Model("m", x, y, r=r, q=r))

    assert on(10, 10.4)  # on both
    assert on(9.5, 11.4)
    assert on(13.5, 10)
    assert not on(13.502, 10)
    assert not on(9.8, 11.4)  # over the corner where the one ends
    assert not on(10, 10.6)
    assert not on(14.3, 10)


@pytest.mark.rule("aos.terrain.cover", "aos.core.terrain-wholly-on")
def test_cover_counts_in_combat_for_units_wholly_on_a_feature() -> None:
    hill = block(10, 14, 8, 4, 1.5, type="area")

    def fought(*spots: tuple[float, float]) -> Battle:
        battle = scene(
            unit("a1", (10, 10.9), weapons=[melee(attacks="2")]),
            unit("b1", *spots, weapons=[]),
            phase="combat",
            terrain=[hill],
            dice=[4, 5, 1, 1],
            sides=[{"command": 0}, {"command": 0}],
        )
        do(battle, STAY)
        return battle

    on = fought((10, 12.6), (11.2, 12.6))
    assert len(rolls(on, "wound")[0]) == 1
    overhanging = fought((10, 12.4), (11.2, 12.6))
    assert len(rolls(overhanging, "wound")[0]) == 2


@pytest.mark.rule("aos.terrain.obscuring")
def test_obscured_units_cannot_be_shot_at() -> None:
    wall = block(10, 15, 30, 0.5, 1, type="obscuring")
    battle = scene(
        unit("a1", (10, 10), weapons=[bow()]),
        unit("b1", (10, 20)),
        unit("b2", (4, 11)),
        phase="shooting",
        terrain=[wall],
        dice=[1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "shoot:a1")
    assert cites(battle, "aos.terrain.obscuring")
    assert told(battle, "targets")[0].facts["targets"] == ["b2"]
    flyer = scene(
        unit("a1", (10, 10), weapons=[bow()]),
        unit("b1", (10, 20), keywords=["fly"]),
        phase="shooting",
        terrain=[wall],
        dice=[1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(flyer, "shoot:a1")
    assert told(flyer, "targets")


@pytest.mark.rule("aos.core.terrain-behind")
def test_what_lies_within_the_attackers_combat_range_is_ignored() -> None:
    from umpire.games.aos.terrain import behind

    def is_behind(feature: dict, *shooters: tuple[float, float]) -> bool:
        battle = scene(unit("a1", *shooters), unit("b1", (10, 20)), terrain=[feature])
        state = battle.state
        return behind(state.terrain[0], state.unit("a1"), state.unit("b1"))

    wall_near = block(10, 12.75, 20, 0.5, 2)  # 2 inches in front of the shooters
    wood = block(10, 13.5, 20, 2, 2)
    assert not is_behind(wall_near, (10, 10))
    assert is_behind(wood, (10, 10))  # only its first inch is ignored
    wall = block(10, 16, 6, 0.5, 2)
    assert is_behind(wall, (10, 10))
    assert not is_behind(wall, (10, 10), (20, 10))  # one clear line is enough


@pytest.mark.rule("aos.core.modifier-order", "aos.unit.champion", "aos.weapon.charge")
def test_what_champions_charges_and_anti_add_is_added_before_the_lowest_is_looked_at() -> None:
    from umpire.games.aos.attacks import attacks_value, damage_value, rend_of

    weapon = melee(attacks="1", rend=1, abilities=["charge", "anti-hero"])
    battle = scene(
        unit("a1", (10, 10), roles=["champion"], weapons=[weapon], charged=True),
        unit("b1", (10, 20), keywords=["hero"]),
        effects=[
            {"on": "a1", "what": "attacks", "op": "add", "value": -1, "source": "1:frost"},
            {"on": "a1", "what": "damage", "op": "multiply", "value": 0.5, "source": "1:wither"},
            {"on": "a1", "what": "rend", "op": "add", "value": -3, "source": "1:rust"},
        ],
    )
    state, me, foe = battle.state, battle.state.unit("a1"), battle.state.unit("b1")
    blade = me.profile.melee[0]
    assert attacks_value(state, me, blade, me.models[0], 1) == 1  # 1 - 1 + 1
    assert damage_value(state, me, blade, 1) == 1  # a half and 1, rounded down
    assert rend_of(state, me, blade, foe) == 0  # 1 - 3 + 1


@pytest.mark.rule("aos.weapon.companion")
def test_companions_are_not_helped_by_what_friends_did_to_the_target_either() -> None:
    marked = [
        {"on": "b1", "what": "hit-against", "op": "add", "value": 1, "source": "0:mark"},
        {"on": "b1", "what": "save", "op": "add", "value": -1, "source": "0:rust"},
    ]
    for abilities, wounds in ((["companion"], 0), ([], 1)):
        battle = scene(
            unit("a1", (10, 10), weapons=[melee(abilities=abilities)]),
            unit("b1", (10, 11.5), weapons=[], health=9),
            phase="combat",
            dice=[3, 4, 4],
            effects=marked,
            sides=[{"command": 0}, {"command": 0}],
        )
        do(battle, STAY)
        assert len(rolls(battle, "wound")) == wounds
        assert battle.state.unit("b1").damage == wounds  # a 4 does not save at -1


@pytest.mark.rule("aos.core.pick-targets")
def test_who_does_not_reach_the_target_picked_is_aimed_by_the_player() -> None:
    battle = scene(
        unit("a1", (10, 10), (11.2, 10), (12.4, 10), (13.6, 10), (14.8, 10), weapons=[melee(attacks="2")]),
        unit("b1", (7.5, 10), weapons=[]),
        unit("b2", (16.5, 11), weapons=[]),
        unit("b3", (16.5, 9), weapons=[]),
        phase="combat",
        dice=[1] * 10,
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "b1", STAY, "b1")
    assert ask(battle).prompt.key == "ask.split-rest"
    assert set(ask(battle).details()["parts"]) == {"b2", "b3"}
    total = ask(battle).details()["total"]
    assert ask(battle).check(ask(battle).details()["default"])  # what a table answers where nobody wants to be asked
    do(battle, {"b2": 0, "b3": total}, ["b1", "b3"])
    assert [e.facts["target"] for e in told(battle, "attacks")] == ["b1", "b3"]


@pytest.mark.rule("aos.core.random-characteristics")
def test_random_attacks_are_rolled_for_models_that_attack_alone() -> None:
    battle = scene(
        unit("a1", (10, 10), (10, 8.7), (10, 7.4), weapons=[melee(attacks="D3")]),
        unit("b1", (10, 12.5), weapons=[]),
        phase="combat",
        dice=[1, 1, 1, 1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, STAY)
    assert rolls(battle, "attacks") == [[1], [1]]  # the third stands 4.1 inches away


@pytest.mark.rule("aos.command.all-out-defence")
def test_a_unit_that_is_no_target_may_not_defend_itself() -> None:
    battle = scene(
        unit("a1", (10, 10)), unit("b1", (10, 11.5), weapons=[]), unit("b2", (30, 20)), phase="combat", dice=[1]
    )
    do(battle, STAY, "pass")
    assert refused(battle, "all-out-defence:b2") == ["aos.command.all-out-defence"]


@pytest.mark.rule("aos.command.covering-fire", "aos.command.redeploy")
def test_covering_fire_may_follow_a_redeployment_and_measures_heights() -> None:
    tower = block(10, 10.5, 3, 3, 6, type="area")
    battle = scene(
        unit("a1", (10, 10.5)),
        unit("a2", (16, 12)),
        unit("b1", (10, 18), weapons=[bow(range=20.0)], keywords_turn=["move", "run"]),
        phase="shooting",
        stage=1,
        terrain=[tower],
        dice=[1],
    )
    do(battle, "covering-fire:b1")
    assert told(battle, "targets")[0].facts["targets"] == ["a2"]  # 7.5 inches; a1 is 6.5 off and 6 up


@pytest.mark.rule("aos.defence.guarded-hero", "aos.core.combat-range")
def test_a_hero_is_guarded_from_any_height() -> None:
    hill = block(10, 24.5, 4, 4, 5, type="area")
    battle = scene(
        unit("a1", (10, 10), weapons=[bow(range=24.0)]),
        unit("b1", (10, 20), keywords=["hero", "cavalry"], height=2),
        unit("b2", (10, 23.5), height=2),
        phase="shooting",
        terrain=[hill],
        dice=[4],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "shoot:a1", "b1")
    assert cites(battle, "aos.defence.guarded-hero")  # 2.5 inches off on the ground, and 5 below


@pytest.mark.rule("aos.command.all-out-defence")
def test_all_out_defence_ends_with_the_phase() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[bow()]), unit("a2", (30, 5)), unit("b1", (10, 20)), phase="shooting", dice=[1]
    )
    do(battle, "shoot:a1", "pass", "all-out-defence:b1")
    assert [e.what for e in battle.state.effects] == ["save"]
    while battle.state.phase == "shooting":
        battle.answer("done" if "done" in options(battle) else "pass")
    assert battle.state.effects == []


@pytest.mark.rule("aos.weapon.companion")
def test_no_characteristic_of_a_companion_weapon_is_helped() -> None:
    from umpire.games.aos.attacks import attacks_value, damage_value, rend_of

    helped = [
        {"on": "a1", "what": what, "op": "add", "value": 1, "source": f"0:{what}"}
        for what in ("attacks", "damage", "rend")
    ]
    for abilities, more in (([], 1), (["companion"], 0)):
        battle = scene(unit("a1", (10, 10), weapons=[melee(abilities=abilities)]), unit("b1", (10, 20)), effects=helped)
        state, me, foe = battle.state, battle.state.unit("a1"), battle.state.unit("b1")
        weapon = me.profile.melee[0]
        assert attacks_value(state, me, weapon, me.models[0], 1) == 1 + more
        assert damage_value(state, me, weapon, 1) == 1 + more
        assert rend_of(state, me, weapon, foe) == more


@pytest.mark.rule("aos.defence.guarded-hero", "aos.core.guarded-hero-scope")
def test_who_is_guarded_and_against_what() -> None:
    from umpire.games.aos.attacks import guarded

    def is_guarded(hero: list[str], other: list[str]) -> bool:
        battle = scene(unit("a1", (10, 5)), unit("b1", (10, 20), keywords=hero), unit("b2", (13, 20), keywords=other))
        return guarded(battle.state, battle.state.unit("b1")) is not None

    assert is_guarded(["hero"], ["infantry"])
    assert not is_guarded(["hero"], ["hero"])  # another Hero is no guard
    assert not is_guarded(["hero", "war machine"], ["infantry"])
    battle = scene(
        unit("a1", (10, 18.5), weapons=[melee()]),
        unit("b1", (10, 20), keywords=["hero"], weapons=[], health=9),
        unit("b2", (10, 23), weapons=[]),
        phase="combat",
        dice=[4, 1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, STAY)
    assert rolls(battle, "wound") == [[1]]  # a 4 hits: combat attacks are not affected


@pytest.mark.rule("aos.core.shooting-attacks")
def test_a_model_that_sees_nothing_does_not_shoot() -> None:
    wall = block(14, 15, 3, 0.5, 9, type="area")
    battle = scene(
        unit("a1", (10, 10), (14, 10), weapons=[bow(range=20.0)]),
        unit("b1", (14, 20)),
        phase="shooting",
        terrain=[wall],
        dice=[1],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "shoot:a1")
    assert rolls(battle, "hit") == [[1]]  # the one behind the wall is silent


@pytest.mark.rule("aos.command.covering-fire", "aos.terrain.obscuring")
def test_covering_fire_passes_over_what_it_does_not_see_and_is_lost_on_what_it_may_not_shoot() -> None:
    def covered(kind: str) -> Battle:
        wall = block(10, 15, 6, 0.5, 9 if kind == "area" else 1, type=kind)
        battle = scene(
            unit("a1", (10, 12)),
            unit("a2", (20, 8)),
            unit("b1", (10, 20), weapons=[bow(range=30.0)]),
            phase="shooting",
            stage=1,
            terrain=[wall],
            dice=[1],
        )
        return do(battle, "covering-fire:b1")

    assert told(covered("area"), "targets")[0].facts["targets"] == ["a2"]  # the nearer one cannot be seen
    assert "no-target" in kinds(covered("obscuring"))  # the nearer one is seen, but may not be shot at
    own = scene(unit("a1", (10, 10), weapons=[bow()]), unit("b1", (10, 20)), phase="shooting")
    assert refused(own, "covering-fire:a1") == ["aos.round.phases"]


@pytest.mark.rule("aos.core.pick-targets")
def test_several_targets_together_get_no_more_attacks_than_reach_any_of_them() -> None:
    def volley(*answers: object) -> Battle:
        battle = scene(
            unit("a1", (10, 10), (11.5, 10), weapons=[bow(range=6.0, attacks="2")]),
            unit("b1", (3.2, 10)),  # within reach of the first model alone
            unit("b2", (3.5, 12)),  # likewise
            unit("b3", (18.3, 10)),  # within reach of the second alone
            phase="shooting",
            dice=[1] * 4,
            sides=[{"command": 0}, {"command": 0}],
        )
        return do(battle, "shoot:a1", *answers)

    battle = volley("split")
    assert refused(battle, {"b1": 2, "b2": 2, "b3": 0}) == ["aos.core.pick-targets"]  # the first model makes two
    assert refused(battle, {"b1": 2, "b2": 1, "b3": 1}) == ["aos.core.pick-targets"]
    do(battle, {"b1": 1, "b2": 1, "b3": 2}, ["b1", "b2", "b3"])
    assert [e.facts["attacks"] for e in told(battle, "attacks")] == [1, 1, 2]
    focus = volley("b1", ["b1", "b3"])  # who does not reach the target picked attacks another
    assert [(e.facts["target"], e.facts["attacks"]) for e in told(focus, "attacks")] == [("b1", 2), ("b3", 2)]


@pytest.mark.rule("aos.command.covering-fire")
def test_covering_fire_measures_to_the_nearest_model_and_to_units_alone() -> None:
    def fired_at(*foes: dict) -> list[str]:
        shooter = unit("b1", (10, 20), weapons=[bow()])
        battle = scene(*foes, shooter, phase="shooting", stage=1, dice=[1], sides=[{"command": 0}, {"command": 1}])
        do(battle, "covering-fire:b1")
        return told(battle, "targets")[0].facts["targets"]

    long_line = unit("a2", *[(12 + 1.2 * n, 12) for n in range(6)])  # its circle reaches farther than its models
    assert fired_at(unit("a1", (10, 13)), long_line) == ["a1"]
    assert fired_at(long_line, unit("a1", (10, 13))) == ["a1"]
    spirit = unit("a1", (10, 15.5), kind="manifestation", banishment=7, weapons=[])
    assert fired_at(spirit, unit("a2", (12, 12))) == ["a2"]


@pytest.mark.rule("aos.core.pick-targets")
def test_attacks_at_a_unit_that_is_gone_are_lost() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 11.5)), unit("b2", (10, 14)), phase="movement", dice=[])
    use = Use("fight", 0, "a1", targets=("b1",), attacks=(("sword", "b1", 3),))
    destroy(battle, battle.state.unit("b1"))
    resolve_attacks(battle, use, False)
    assert rolls(battle, "hit") == []
    inflict(battle, battle.state.unit("b1"), 2)
    assert battle.state.pools == {}


@pytest.mark.rule("aos.core.combat-attacks", "aos.core.combat-range")
def test_a_melee_weapon_reaches_three_inches_at_any_height() -> None:
    def attacks(*spots: tuple[float, float], terrain: tuple[dict, ...] = ()) -> int:
        foe = unit("b1", (10, 14), weapons=[])
        sides = [{"command": 0}, {"command": 0}]
        battle = scene(unit("a1", *spots), foe, phase="combat", dice=[1] * 9, terrain=list(terrain), sides=sides)
        do(battle, STAY)
        return sum(map(len, rolls(battle, "hit")))

    assert attacks((10, 10), (10, 8.9)) == 1  # 3.0 inches, and 4.1
    assert attacks((10, 10), (11, 10.08)) == 1  # 3.0 inches, and 3.05
    tower = block(10, 15, 3, 3, 8, type="area")
    assert attacks((10, 11), terrain=(tower,)) == 1  # 2 inches off and 8 below


@pytest.mark.rule("aos.core.shooting-attacks", "aos.core.measuring")
def test_the_range_of_a_weapon_counts_heights() -> None:
    battle = scene(
        unit("a1", (10, 10.6), (10, 9.5), weapons=[bow(range=13.0)]),  # 11.4 and 12.5 inches across, both 6 below
        unit("b1", (10, 23)),
        phase="shooting",
        dice=[1],
        terrain=[block(10, 24, 3, 3, 6, type="area")],
        sides=[{"command": 0}, {"command": 0}],
    )
    assert battle.state.unit("b1").models[0].z == 6
    do(battle, "shoot:a1")
    assert rolls(battle, "hit") == [[1]]


@pytest.mark.rule("aos.core.determine-damage")
def test_the_damage_of_all_weapons_goes_into_one_pool() -> None:
    weapons = [melee(damage="2"), melee(id="axe", damage="3")]
    battle = scene(
        unit("a1", (10, 10), weapons=weapons),
        unit("b1", (10, 11.5), weapons=[], health=20, save=0),
        phase="combat",
        dice=[4, 4, 4, 4],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, STAY)
    assert battle.state.unit("b1").damage == 5
    assert len(told(battle, "allocate")) == 1


@pytest.mark.rule("aos.shoot.shoot", "aos.core.targets-in-combat")
def test_who_retreated_does_not_shoot_and_who_fights_shoots_at_its_enemies() -> None:
    pistol = bow(abilities=["shoot-in-combat"])
    foes = (unit("b1", (10, 12)), unit("b2", (12, 12)), unit("b3", (10, 20)))
    fled = scene(
        unit("a1", (30, 10), weapons=[bow()], keywords_turn=["retreat"]),
        unit("a2", (10, 10), weapons=[pistol]),
        *foes,
        unit("b4", (30, 18)),
        phase="shooting",
        dice=[1],
    )
    assert refused(fled, "shoot:a1") == ["aos.shoot.shoot"]
    do(fled, "shoot:a2")
    assert options(fled) == ["b1", "b2", "split"]
    assert refused(fled, "b3") == ["aos.core.targets-in-combat"]


@pytest.mark.rule("aos.defence.guarded-hero", "aos.core.friendly-enemy", "aos.core.manifestations")
def test_only_friendly_units_without_heroes_guard_a_hero() -> None:
    hero = unit("b1", (10, 20), keywords=["hero", "infantry"])

    def guard_of(*others: dict) -> str:
        battle = scene(unit("a1", (10, 2)), hero, *others)
        found = guarded(battle.state, battle.state.unit("b1"))
        return found.id if found else ""

    assert guard_of(unit("b2", (14, 20))) == "b2"  # 3.0 inches
    assert guard_of(unit("b2", (14.01, 20))) == ""
    assert guard_of(unit("a2", (13, 20))) == ""
    assert guard_of(unit("b2", (13, 20), keywords=["hero"])) == ""
    assert guard_of(unit("b2", (13, 20), kind="manifestation", banishment=7)) == ""
    assert guard_of(unit("b2", where="reserve")) == ""


@pytest.mark.rule("aos.core.visibility")
def test_a_wood_that_can_be_seen_through_blocks_no_view() -> None:
    for opaque in (True, False):
        wood = block(10, 15, 12, 1, 9, type="area", opaque=opaque)
        battle = scene(unit("a1", (10, 10), weapons=[bow()]), unit("b1", (10, 20)), terrain=[wood], phase="movement")
        assert unit_visible(battle.state, *map(battle.state.unit, ("a1", "b1"))) is not opaque


@pytest.mark.rule("aos.core.terrain-behind")
def test_one_line_through_the_middle_of_a_feature_of_two_parts_is_enough() -> None:
    """Both edges of a wide base are hidden, its middle is not."""
    from umpire.games.aos.terrain import behind

    posts = {
        "x": 10, "y": 15, "type": "obstacle", "points": [[-3, -0.3], [3, -0.3], [3, 0.3], [-3, 0.3]], "top": 2,
    }  # fmt: skip
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 20)), terrain=[posts])
    state = battle.state
    whole = state.terrain[0]
    assert behind(whole, state.unit("a1"), state.unit("b1"))

    def post(x0: float, x1: float) -> tuple[list[tuple[float, float]], float, bool]:
        return [(x0, -0.3), (x1, -0.3), (x1, 0.3), (x0, 0.3)], 2.0, True

    for low, high in ((-0.1, 0.1), (0.15, 0.35)):  # where lines between the edges of the bases cross, and beside them
        gapped = make_feature("t9", {"zh": "柱", "en": "posts"}, "obstacle", [post(-3, low), post(high, 3)], 10, 15)
        assert not behind(gapped, state.unit("a1"), state.unit("b1"))


@pytest.mark.rule("aos.terrain.obscuring", "aos.shoot.shoot")
def test_a_unit_whose_only_target_is_obscured_cannot_shoot() -> None:
    wood = block(10, 15, 12, 1, 3, type="obscuring")
    battle = scene(
        unit("a1", (10, 10), weapons=[bow()]),
        unit("a2", (30, 10), weapons=[bow()]),
        unit("b1", (10, 20)),
        unit("b2", (30, 20)),
        phase="shooting",
        terrain=[wood],
    )
    assert "shoot:a2" in options(battle)
    assert "shoot:a1" not in options(battle)
    assert refused(battle, "shoot:a1") == ["aos.terrain.obscuring"]
    (reason,) = battle.check("shoot:a1").reasons
    assert (reason.key, reason.facts["gap"]) == ("reason.aos.obscured-behind", 4.0)


@pytest.mark.rule("aos.core.visibility", "aos.shoot.shoot")
def test_a_unit_that_sees_nobody_within_range_cannot_shoot() -> None:
    wall = block(10, 15, 12, 1, 6, type="area")
    battle = scene(
        unit("a1", (10, 10), weapons=[bow()]),
        unit("a2", (30, 10), weapons=[bow()]),
        unit("b1", (10, 20)),
        unit("b2", (30, 20)),
        phase="shooting",
        terrain=[wall],
    )
    assert "shoot:a2" in options(battle)
    assert "shoot:a1" not in options(battle)
    assert refused(battle, "shoot:a1") == ["aos.core.visibility"]


@pytest.mark.rule("aos.fight.fight", "aos.move.retreat", "aos.core.combat-range")
def test_who_is_refused_hears_how_far_it_was() -> None:
    battle = scene(unit("a1", (10, 10)), unit("a2", (30, 10)), unit("b1", (10, 15)), unit("b2", (30, 13)))
    for deed, who, key, gap in (
        ("fight", "a1", "reason.aos.not-in-combat-at", 4.0),
        ("retreat", "a1", "reason.aos.not-in-combat-at", 4.0),
        ("normal-move", "a2", "reason.aos.in-combat-at", 2.0),
    ):
        found = [r for r in battle.why_not(0, {"deed": deed, "who": who}).reasons if r.key == key]
        assert [r.facts["gap"] for r in found] == [gap], (deed, who)
