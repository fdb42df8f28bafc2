"""Damage, wards, slain models, healing, rallying, returning models; places of power."""

from __future__ import annotations

import math

import pytest

from aos.builder import ask, at, cites, do, options, refused, rolls, row, scene, told, unit
from umpire.engine.battle import Battle
from umpire.games.aos.damage import destroy, halved, saved_by_ward
from umpire.games.aos.numbers import wards

QUIET = {"sides": [{"command": 0}, {"command": 0}]}


def struck(
    damage: int, *units: dict, dice: list[int] | None = None, picks: list[str] | None = None, **more: object
) -> Battle:
    """b1 suffers so many points of mortal damage from an ability; it is picked where others could be."""
    bolt = {
        "id": "bolt",
        "timing": "your hero",
        "target": "enemy",
        "range": 40,
        "does": [{"do": "mortal", "amount": str(damage), "who": "target"}],
    }
    battle = scene(unit("a1", (2, 2), abilities=[bolt]), *units, phase="hero", dice=dice or [], **QUIET, **more)
    do(battle, "scene-a1.bolt:a1", *([picks] if picks else []))
    return battle


@pytest.mark.rule("aos.defence.ward-save", "aos.core.ward-lowest")
def test_ward_rolls_for_every_point_on_the_best_ward() -> None:
    battle = struck(4, unit("b1", (10, 20), health=9, ward=5), dice=[5, 4, 6, 1])
    assert battle.state.unit("b1").damage == 2
    two = {"id": "shield", "timing": "passive", "does": [{"do": "ward", "value": 6}]}
    both = struck(4, unit("b1", (10, 20), health=9, ward=5, abilities=[two]), dice=[5, 4, 6, 1])
    assert both.state.unit("b1").damage == 2
    assert rolls(both, "ward") == [[5, 4, 6, 1]]  # one roll per point
    assert cites(both, "aos.core.ward-lowest")
    assert [saved_by_ward(face, 5) for face in (4, 5)] == [False, True]


@pytest.mark.rule("aos.core.allocate", "aos.core.damage-sequence")
def test_points_are_allocated_one_at_a_time() -> None:
    battle = struck(4, unit("b1", *row(10, 20, 4, 0.2), health=2, damage=1))
    assert ask(battle).prompt.key == "ask.slain"
    assert ask(battle).details()["least"] == 2
    do(battle, ["b1.1", "b1.2"])
    assert battle.state.unit("b1").damage == 1  # none is lost between models
    assert len(battle.state.unit("b1").models) == 2


@pytest.mark.rule("aos.core.damage-sequence")
def test_the_active_player_allocates_first_and_each_chooses_the_order() -> None:
    blast = {
        "id": "blast",
        "timing": "your hero",
        "target": "enemy",
        "range": 40,
        "picks": 2,
        "does": [{"do": "mortal", "amount": "1", "who": "target"}],
    }
    battle = scene(
        unit("a1", (2, 2), abilities=[blast]),
        unit("b1", (10, 20), health=3, ward=6),
        unit("b2", (20, 20), health=3, ward=6),
        phase="hero",
        dice=[1, 1],
        **QUIET,
    )
    do(battle, "scene-a1.blast:a1", ["b1", "b2"])
    assert ask(battle).prompt.key == "ask.damage-order"
    assert ask(battle).side == 1
    do(battle, ["b2", "b1"])
    wards = [e.roll.who for e in battle.events if e.roll is not None and e.roll.purpose == "ward"]
    assert wards == ["b2", "b1"]


@pytest.mark.rule("aos.core.slain-choice")
def test_slain_models_must_leave_the_unit_coherent() -> None:
    battle = struck(1, unit("b1", *row(10, 20, 4)))
    assert refused(battle, ["b1.2"]) == ["aos.core.slain-choice"]
    assert refused(battle, ["b1.1"]) == []
    assert refused(battle, ["b1.4"]) == []


def test_those_behind_are_usually_taken_away_and_champions_last() -> None:
    """Eight in two ranks; the enemy stands before the first, and the champion behind."""
    ranks = [*row(10, 20, 4, 0.2), *row(10, 21.2, 4, 0.2)]
    battle = struck(2, unit("b1", *ranks, roles=["", "", "", "", "", "champion"]))
    champion = next(m.id for m in battle.state.unit("b1").models if m.role == "champion")
    usual = ask(battle).default
    assert len(usual) == 2
    assert refused(battle, usual) == []
    assert champion not in usual
    assert all(int(key[3:]) > 4 for key in usual)


@pytest.mark.rule("aos.core.slain-choice")
def test_further_models_go_where_coherency_cannot_be_kept() -> None:
    far = 0.7 / math.sin(
        math.pi / 8
    )  # eight in a ring, each with two neighbours: whoever goes, a chain of seven is left
    ring = [(20 + far * math.cos(math.pi * k / 4), 20 + far * math.sin(math.pi * k / 4)) for k in range(8)]
    battle = struck(1, unit("b1", *ring))
    do(battle, ["b1.2"])
    assert (ask(battle).side, ask(battle).prompt.key) == (1, "ask.further-slain")  # its commander picks these too
    assert refused(battle, ["b1.6"]) == ["aos.core.slain-choice"]  # that would leave two groups
    do(battle, ["b1.1"])
    assert len(battle.state.unit("b1").models) == 6
    assert told(battle, "broken")[0].facts["models"] == ["b1.1"]
    twice = struck(2, unit("b1", *ring))
    do(twice, ["b1.2", "b1.3"])  # the second falls only when the unit is coherent again
    assert len(twice.state.unit("b1").models) == 7
    do(twice, ["b1.1"])
    assert ask(twice).prompt.key == "ask.slain"
    do(twice, ["b1.3"])
    assert len(twice.state.unit("b1").models) == 5


@pytest.mark.rule("aos.core.destroyed")
def test_excess_damage_is_lost_with_the_unit() -> None:
    battle = struck(9, unit("b1", *row(10, 20, 2)), unit("b2", (30, 20)))
    if ask(battle).prompt.key == "ask.pick":
        do(battle, ["b1"])
    assert battle.state.unit("b1").where == "gone"
    assert battle.state.unit("b2").damage == 0
    assert told(battle, "destroyed")


@pytest.mark.rule("aos.core.heal")
def test_healing_never_goes_below_nothing_and_brings_nobody_back() -> None:
    mend = {"id": "mend", "timing": "your hero", "does": [{"do": "heal", "amount": "3"}]}
    battle = scene(
        unit("a1", (10, 5), damage=2, health=4, slain=1, abilities=[mend]), unit("b1", (10, 28)), phase="hero"
    )
    do(battle, "scene-a1.mend:a1")
    assert battle.state.unit("a1").damage == 0
    assert len(battle.state.unit("a1").models) == 1


@pytest.mark.rule("aos.command.rally", "aos.core.return-models")
def test_rally_points_heal_or_return() -> None:
    def rallied(slain: int = 3, damage: int = 1) -> Battle:
        battle = scene(
            unit("a1", (10, 5), (11.2, 5), slain=slain, damage=damage, health=2),
            unit("b1", (10, 28)),
            phase="hero",
            dice=[4, 5, 6, 4, 1, 3],
        )
        return do(battle, "rally:a1")

    battle = rallied()
    assert options(battle) == ["2+0", "1+1", "1+0", "0+1", "0+0"]  # four points, two a model; none need be spent
    assert options(rallied(slain=1)) == ["1+1", "1+0", "0+1", "0+0"]  # never more than were slain
    assert options(rallied(damage=0)) == ["2+0", "1+0", "0+0"]
    (dear,) = battle.check("2+1").reasons
    assert (dear.key, dear.facts) == ("reason.aos.rally-cost", {"cost": 5, "points": 4, "health": 2})
    assert [r.key for r in rallied(slain=1).check("2+0").reasons] == ["reason.aos.rally-slain"]
    assert [r.key for r in rallied(damage=0).check("0+1").reasons] == ["reason.aos.rally-damage"]
    do(battle, "2+0")
    do(battle, ask(battle).suggest())
    assert len(battle.state.unit("a1").models) == 4
    assert battle.state.unit("a1").damage == 1
    one = rallied()
    do(one, "1+1")
    do(one, ask(one).suggest())
    assert (len(one.state.unit("a1").models), one.state.unit("a1").damage) == (3, 0)  # one point is lost
    fighting = scene(unit("a1", (10, 5), slain=1), unit("a2", (30, 5), slain=1), unit("b1", (10, 7)), phase="hero")
    assert refused(fighting, "rally:a1") == ["aos.core.combat-range"]


@pytest.mark.parametrize(("slain", "damage", "vain"), [(0, 0, True), (1, 0, False), (0, 1, False)])
def test_a_rally_of_who_has_lost_nothing_is_told_to_be_vain_and_may_be_tried(
    slain: int, damage: int, vain: bool
) -> None:
    battle = scene(unit("a1", (10, 5), slain=slain, damage=damage, health=2), unit("b1", (10, 28)), phase="hero")
    assert ask(battle).check("rally:a1").legal
    assert ask(battle).options["rally:a1"].vain is vain


@pytest.mark.rule("aos.unit.musician", "aos.core.command-models")
def test_musicians_give_one_more_rally_roll() -> None:
    for roles in (["musician"], ["musician", "musician"]):
        battle = scene(unit("a1", *row(10, 5, 2), roles=roles), unit("b1", (10, 28)), phase="hero", dice=[1] * 7)
        do(battle, "rally:a1")
        assert rolls(battle, "rally") == [[1] * 7]
    plain = scene(unit("a1", *row(10, 5, 2)), unit("b1", (10, 28)), phase="hero", dice=[1] * 6)
    do(plain, "rally:a1")
    assert rolls(plain, "rally") == [[1] * 6]


@pytest.mark.rule("aos.core.return-models")
def test_returned_models_stand_by_models_that_were_there() -> None:
    back = {"id": "back", "timing": "your hero", "does": [{"do": "return", "amount": "2"}]}
    battle = scene(unit("a1", (10, 5), slain=2, abilities=[back]), unit("b1", (10, 10)), phase="hero")
    do(battle, "scene-a1.back:a1")
    assert refused(battle, at(a1_2=(11.2, 5), a1_3=(12.4, 5))) == ["aos.core.return-models"]  # a chain
    assert refused(battle, at(a1_2=(11.2, 5), a1_3=(10, 6.2))) == ["aos.core.return-models"]  # into combat
    assert refused(battle, at(a1_2=(11.2, 5), a1_3=(8.8, 5))) == []
    do(battle, at(a1_2=(11.2, 5), a1_3=(8.8, 5)))
    assert battle.state.unit("a1").slain == ()


@pytest.mark.rule("aos.core.dice")
def test_a_d3_is_half_a_d6_rounded_up() -> None:
    assert [halved(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("aos.terrain.activate-place-of-power", "aos.terrain.place-of-power")
def test_a_place_of_power() -> None:
    stones = {"x": 10, "y": 10, "points": [[-1, -1], [1, -1], [1, 1], [-1, 1]], "top": 2, "type": "place-of-power"}

    def at_distance(far: float, dice: list[int], **hero: object) -> Battle:
        more = {"keywords": ["hero"], "health": 6, **hero}
        return scene(
            unit("a1", (10, 6.5 + 1 - far - 0 + 1), **more),
            unit("a2", (30, 2)),
            unit("b1", (10, 28)),
            phase="start",
            terrain=[stones],
            dice=dice,
        )

    near = at_distance(3.0, [2], wizard=1)
    assert "activate-place-of-power:a1" in options(near)
    do(near, "activate-place-of-power:a1")
    assert {e.what for e in near.state.effects} == {"cast", "chant"}
    assert not near.state.unit("a1").empowered
    assert refused(at_distance(3.01, []), "activate-place-of-power:a1") == ["aos.terrain.place-of-power"]
    hurt = at_distance(3.0, [1, 4], wizard=1)
    do(hurt, "activate-place-of-power:a1")
    assert hurt.state.effects == []
    assert hurt.state.unit("a1").damage == 2
    priest = at_distance(3.0, [5], priest=1)
    do(priest, "activate-place-of-power:a1")
    assert priest.state.unit("a1").empowered  # it may unbind as a Wizard (1)
    assert {e.what for e in priest.state.effects} == {"cast", "chant"}


@pytest.mark.rule("aos.terrain.activate-place-of-power")
def test_both_players_may_use_places_of_power_the_active_one_first() -> None:
    stones = {"x": 10, "y": 10, "points": [[-1, -1], [1, -1], [1, 1], [-1, 1]], "top": 2, "type": "place-of-power"}
    battle = scene(
        unit("a1", (6, 10), keywords=["hero"]),
        unit("b1", (14, 10), keywords=["hero"]),
        phase="start",
        terrain=[stones],
        dice=[4, 4],
        sides=[{"tactics": ["do-not-waver", "seize-the-centre", "take-the-flanks"]}, {}],
    )
    assert ask(battle).side == 0
    do(battle, "activate-place-of-power:a1")
    assert "activate-place-of-power:a1" not in options(battle)
    if ask(battle).side == 0:
        do(battle, "done")
    assert ask(battle).side == 1
    assert "activate-place-of-power:b1" in options(battle)


@pytest.mark.rule("aos.core.return-models")
def test_the_commander_picks_which_slain_models_come_back() -> None:
    back = {"id": "back", "timing": "your hero", "does": [{"do": "return", "amount": "1"}]}
    hit = {"id": "hit", "timing": "your hero", "does": [{"do": "mortal", "amount": "2"}]}
    battle = scene(
        unit("a1", *row(10, 5, 4, 0.2), abilities=[hit, back], roles=["champion"]), unit("b1", (10, 28)), phase="hero"
    )
    do(battle, "scene-a1.hit:a1", ["a1.1", "a1.2"], "scene-a1.back:a1")
    assert (ask(battle).prompt.key, options(battle)) == ("ask.return-which", ["a1.1", "a1.2"])
    do(battle, ["a1.2"], ask(battle).suggest() if ask(battle).prompt.key == "ask.return" else at(a1_2=(11.2, 5)))
    assert [m.id for m in battle.state.unit("a1").models] == ["a1.3", "a1.4", "a1.2"]
    assert [m.role for m in battle.state.unit("a1").slain] == ["champion"]


@pytest.mark.rule("aos.terrain.activate-place-of-power", "aos.ability.one-core")
def test_a_place_of_power_is_for_heroes_once_a_phase_and_for_one_turn() -> None:
    stones = {"x": 10, "y": 10, "points": [[-1, -1], [1, -1], [1, 1], [-1, 1]], "top": 2, "type": "place-of-power"}
    pray = {"id": "pray", "timing": "your start", "keywords": ["core"], "does": [{"do": "heal", "amount": "1"}]}
    battle = scene(
        unit("a1", (6, 10), keywords=["hero"], wizard=1, abilities=[pray]),
        unit("a2", (10, 7), keywords=["infantry"]),
        unit("b1", (30, 28)),
        phase="start",
        terrain=[stones],
        dice=[4],
        sides=[{"command": 0}, {"command": 0}],
    )
    assert refused(battle, "activate-place-of-power:a2") == ["aos.terrain.place-of-power"]
    do(battle, "activate-place-of-power:a1")
    assert refused(battle, "scene-a1.pray:a1") == ["aos.ability.one-core"]
    assert battle.state.effects
    for _ in range(40):
        if battle.state.active == 1:
            break
        battle.answer("done" if "done" in options(battle) else ask(battle).suggest())
    assert battle.state.effects == []  # gone with the turn


@pytest.mark.rule("aos.core.damage-sequence")
def test_the_active_player_wards_and_allocates_before_the_opponent() -> None:
    clash = {
        "id": "clash",
        "timing": "your hero",
        "target": "enemy",
        "range": 40,
        "does": [{"do": "mortal", "amount": "1", "who": "target"}, {"do": "mortal", "amount": "1", "who": "self"}],
    }
    battle = scene(
        unit("a1", (2, 2), abilities=[clash], health=3, ward=6),
        unit("b1", (10, 20), health=3, ward=6),
        phase="hero",
        dice=[1, 1],
        **QUIET,
    )
    do(battle, "scene-a1.clash:a1")
    wards = [e.roll.who for e in battle.events if e.roll is not None and e.roll.purpose == "ward"]
    assert wards == ["a1", "b1"]


@pytest.mark.rule("aos.core.return-models")
def test_models_returned_earlier_in_the_turn_are_no_anchor_and_no_new_enemy_is_met() -> None:
    first, second = (
        {"id": key, "timing": "your hero", "does": [{"do": "return", "amount": "1"}]} for key in ("first", "second")
    )
    battle = scene(
        unit("a1", (10, 5), slain=2, abilities=[first, second]),
        unit("b1", (7, 5), weapons=[]),  # in combat with it
        unit("b2", (14.5, 5), weapons=[]),
        phase="hero",
    )
    assert battle.state.unit("a1").fights == ("b1",)
    do(battle, "scene-a1.first:a1")
    assert refused(battle, at(a1_2=(11.2, 5))) == ["aos.core.return-models"]  # 2.3 inches from b2
    do(battle, at(a1_2=(10, 6.2)), "scene-a1.second:a1")
    assert refused(battle, at(a1_3=(10, 7.4))) == ["aos.core.return-models"]  # beside one that came back just now
    assert refused(battle, at(a1_3=(8.8, 4.6))) == []  # nearer to b1, which it fights already


def ward_lent(**lent: object) -> dict:
    return {"do": "ward", "value": 5, **lent}


@pytest.mark.rule("aos.defence.ward-save", "aos.core.ward-lowest")
def test_a_ward_lent_by_another_unit_saves_too() -> None:
    shield = {
        "id": "shield",
        "timing": "your hero",
        "target": "friendly",
        "range": 12,
        "does": [ward_lent(who="target")],
    }
    hit = {"id": "hit", "timing": "your hero", "does": [{"do": "mortal", "amount": "2"}]}
    battle = scene(
        unit("a1", (10, 5), health=9, ward=6, abilities=[hit]),
        unit("a2", (14, 5), abilities=[shield]),
        unit("b1", (10, 28)),
        phase="hero",
        dice=[5, 4],
        **QUIET,
    )
    do(battle, "scene-a2.shield:a2", ["a1"], "scene-a1.hit:a1")
    assert battle.state.unit("a1").damage == 1  # a 5 saves on the ward lent, which is better than its own
    assert wards(battle.state, battle.state.unit("a2")) == []  # the lender has none itself
    aura = {"id": "aura", "timing": "passive", "does": [ward_lent(who="friends", range=6)]}
    for gap, left in ((6.0, 1), (6.01, 2)):
        warded = struck(
            2,
            unit("b1", (10, 20), health=9),
            unit("b2", (11 + gap, 20), keywords=["aura"], abilities=[aura]),
            dice=[5, 1] if left == 1 else [],
            picks=["b1"],
        )
        assert warded.state.unit("b1").damage == left
        assert wards(warded.state, warded.state.unit("a1")) == []  # its enemies have no part in it


@pytest.mark.rule("aos.core.destroyed")
def test_no_damage_is_left_on_a_destroyed_unit() -> None:
    battle = struck(9, unit("b1", *row(10, 20, 2), health=2, damage=1))
    gone = battle.state.unit("b1")
    assert (gone.where, gone.damage, gone.models, len(gone.slain)) == ("gone", 0, (), 2)
    assert battle.state.pools == {}
    hurt = scene(unit("a1", (10, 5), health=3, damage=2), unit("b1", (10, 28)))
    hurt.state.pools = {"a1": 2}
    destroy(hurt, hurt.state.unit("a1"))  # what destroys a unit slays all its models
    assert hurt.state.pools == {}
    assert (hurt.state.unit("a1").damage, len(hurt.state.unit("a1").slain)) == (0, 1)


@pytest.mark.rule("aos.core.return-models")
def test_a_model_returned_in_an_earlier_turn_is_an_anchor_again() -> None:
    back = {"id": "back", "timing": "any hero", "does": [{"do": "return", "amount": "1"}]}
    battle = scene(unit("a1", (10, 5), slain=2, abilities=[back]), unit("b1", (30, 28)), phase="hero", **QUIET)
    do(battle, "scene-a1.back:a1", at(a1_2=(11.2, 5)))
    while not (battle.state.active == 1 and "scene-a1.back:a1" in options(battle)):
        battle.answer("done" if "done" in options(battle) else ask(battle).suggest())
    do(battle, "scene-a1.back:a1")
    last = battle.state.unit("a1").models[-1]
    assert refused(battle, at(a1_3=(last.x + 1.2, last.y))) == []


@pytest.mark.rule("aos.core.damage-sequence")
def test_in_the_enemy_turn_the_enemy_allocates_first() -> None:
    clash = {"id": "clash", "timing": "your hero", "target": "enemy", "range": 40}
    clash["does"] = [{"do": "mortal", "amount": "1", "who": who} for who in ("target", "self")]
    battle = scene(
        unit("a1", (2, 2), health=3, ward=6),
        unit("b1", (10, 20), abilities=[clash], health=3, ward=6),
        phase="hero",
        active=1,
        dice=[1, 1],
        **QUIET,
    )
    do(battle, "scene-b1.clash:b1")
    wards = [e.roll.who for e in battle.events if e.roll is not None and e.roll.purpose == "ward"]
    assert wards == ["b1", "a1"]


@pytest.mark.rule("aos.core.destroyed", "aos.core.tactic-do-not-waver")
def test_a_destroyed_unit_is_a_loss_of_its_side_and_a_manifestation_is_none() -> None:
    assert [side.lost for side in struck(9, unit("b1", (10, 20))).state.sides] == [0, 1]
    spirit = unit("b1", (10, 20), kind="manifestation", banishment=7)
    assert [side.lost for side in struck(9, spirit).state.sides] == [0, 0]
