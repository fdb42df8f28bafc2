"""Volleys."""

import pytest

from conquest.builder import do, events, fired, last, offered, profile, r, refused, regiment, rolled, scene, wood
from umpire.engine.effects import Effect
from umpire.games.conquest import formation, sight

ARCHERS = profile(v=2, rules=["barrage 3 24"])
LIVE = profile(d=5, e=0, w=9)


def shooting(*others, of=ARCHERS, foe=LIVE, at=(36, 10), target=(36, 26), stands=3, files=0, dice=(), **more):
    script = [*dice, *([6] * 30)] if dice != "seed" else "seed"
    enemy = more.pop("enemy", {})
    return scene(
        regiment("a", 0, at, stands=stands, files=files, of=of),
        regiment("t", 1, target, of=foe, **enemy),
        *others,
        dice=script,
        **more,
    )


def shots(battle):
    return last(do(battle, "volley", "t"), "volley")["shots"]


@pytest.mark.rule("conquest.volley.eligibility")
def test_barrage_and_no_contact():
    assert "volley" in offered(shooting())
    refused(shooting(of=profile(v=2)), "volley", "conquest.volley.eligibility")
    refused(shooting(at=(36, 26)), "volley", "conquest.action.list.out-of-combat")


@pytest.mark.rule("conquest.volley.target")
def test_the_target_is_in_range_and_in_sight():
    assert "volley" in offered(shooting(of=profile(v=2, rules=["barrage 1 16"])))
    refused(shooting(of=profile(v=2, rules=["barrage 1 16"]), target=(36, 26.1)), "volley", "conquest.volley.target")
    side = do(shooting(regiment("s", 1, (15, 8), stands=2)), "volley")
    refused(side, "s", "conquest.regiment.line-of-sight.front-arc")


@pytest.mark.rule("conquest.volley.single-target")
def test_fire_is_never_split():
    battle = do(shooting(regiment("u", 1, (28, 26))), "volley")
    assert set(offered(battle)) == {"t", "u"}
    refused(battle, ["t", "u"])
    do(battle, "t")
    assert {e.facts["target"] for e in events(battle, "hits")} == {"t"}


@pytest.mark.rule("conquest.volley.obstruction.line")
def test_the_line_starts_anywhere_on_the_front_edge():
    half = regiment("f", 0, (37.35, 14), stands=1)
    battle = shooting(half, stands=1, files=1, enemy={"stands": 1})
    own, target = r(battle, "a"), r(battle, "t")
    assert sight.shot(battle.state, own, own.stands[0], target) == "clear", "its left half sees the target"
    full = shooting(regiment("f", 0, (36, 12.55), stands=3), stands=1, files=1, enemy={"stands": 1})
    assert sight.shot(full.state, r(full, "a"), r(full, "a").stands[0], r(full, "t")) == "obstructed"


@pytest.mark.rule("conquest.volley.obstruction.blocked")
def test_obstructed_stands_do_not_shoot():
    friend = regiment("f", 0, (39.7, 12.6), stands=1)
    battle = shooting(friend, target=(30, 30), enemy={"stands": 1})
    kinds = [sight.shot(battle.state, r(battle, "a"), s, r(battle, "t")) for s in r(battle, "a").stands]
    assert kinds == ["clear", "clear", "clear"]
    wall = regiment("f", 0, (38.5, 12.6), stands=1)
    blocked = shooting(wall, target=(38.5, 30), enemy={"stands": 1})
    kinds = [sight.shot(blocked.state, r(blocked, "a"), s, r(blocked, "t")) for s in r(blocked, "a").stands]
    assert kinds == ["clear", "clear", "obstructed"]
    assert shots(blocked) == 6, "two stands shoot"
    enemy = shooting(regiment("f", 1, (38.5, 12.6), facing=0.0, stands=1), target=(38.5, 30), enemy={"stands": 1})
    kinds = [sight.shot(enemy.state, r(enemy, "a"), s, r(enemy, "t")) for s in r(enemy, "a").stands]
    assert kinds[2] == "obstructed", "enemies obstruct like friends"


@pytest.mark.rule("conquest.volley.obscured-shot")
def test_obscuring_terrain_halves_but_does_not_block():
    copse = wood("w", 20, 16, 52, 18, "forest", "passable", "obscuring")
    battle = shooting(terrain=[copse], target=(36, 30))
    assert "volley" in offered(battle)
    assert shots(battle) == 6, "3 halved is 2 for each stand"
    beside = shooting(terrain=[wood("w", 37.3, 16, 60, 18, "obscuring", size=3)], target=(36, 30))
    kinds = [sight.shot(beside.state, r(beside, "a"), s, r(beside, "t")) for s in r(beside, "a").stands]
    assert kinds == ["clear", "clear", "clear"]
    assert shots(beside) == 9, "a stand with a line past the wood has a clear shot"
    partly = shooting(terrain=[wood("w", 35.5, 11, 60, 13, "obscuring", size=3)], target=(30, 30), enemy={"stands": 1})
    kinds = [sight.shot(partly.state, r(partly, "a"), s, r(partly, "t")) for s in r(partly, "a").stands]
    assert kinds == ["clear", "clear", "obscured"]
    assert shots(partly) == 3 + 3 + 2


@pytest.mark.rule("conquest.volley.obstruction.size")
def test_only_what_is_as_large_as_both_obstructs():
    def kinds(viewer, blocker, target, terrain=()):
        battle = scene(
            regiment("a", 0, (36, 10), stands=1, of=profile(viewer, v=2, rules=["barrage 1 40"])),
            regiment("f", 1, (36, 16), stands=6, files=6, of=profile(blocker)),
            regiment("t", 1, (36, 30), stands=1, of=profile(target)),
            terrain=terrain,
        )
        return sight.shot(battle.state, r(battle, "a"), r(battle, "a").stands[0], r(battle, "t"))

    assert kinds("infantry", "cavalry", "monster") == "clear"
    assert kinds("cavalry", "infantry", "infantry") == "clear"
    assert kinds("infantry", "infantry", "infantry") == "obstructed"
    assert kinds("infantry", "brute", "infantry", [wood("h", 34, 6, 38, 11, "hill")]) == "clear", "from a hill"


@pytest.mark.rule("conquest.volley.target-in-contact")
def test_an_enemy_in_combat_may_be_shot_at():
    friend = regiment("f", 0, (36, 26), stands=1)
    battle = shooting(friend, at=(26, 10), dice=[1] * 9 + [1] * 9)
    do(battle, "volley", "t")
    fired(battle, "conquest.volley.target-in-contact")
    assert not any(s.wounds for s in r(battle, "f").stands)


@pytest.mark.rule("conquest.volley.effective-range")
def test_less_than_half_the_range_is_one_shot_more():
    one = profile(v=2, rules=["barrage 3 24"])
    assert shots(shooting(of=one, target=(36, 21.9), stands=1, files=1, enemy={"stands": 1})) == 4
    assert shots(shooting(of=one, target=(36, 22.0), stands=1, files=1, enemy={"stands": 1})) == 3
    reading = {"effective_range": "half-or-less"}
    assert shots(shooting(of=one, target=(36, 22.0), stands=1, files=1, enemy={"stands": 1}, options=reading)) == 4


@pytest.mark.rule("conquest.volley.effective-range.per-stand")
def test_effective_range_is_measured_for_each_stand():
    battle = shooting(target=(23.5, 18.0), enemy={"stands": 1})
    far = [formation.stand_distance(battle.state, r(battle, "a"), s, r(battle, "t")) for s in r(battle, "a").stands]
    assert far == pytest.approx([10.966, 12.806, 14.841], abs=0.001)
    assert shots(battle) == 4 + 3 + 3, "only the first stand is nearer than 12 inches"
    closer = shooting(target=(23.5, 16.4), enemy={"stands": 1})
    far = [formation.stand_distance(closer.state, r(closer, "a"), s, r(closer, "t")) for s in r(closer, "a").stands]
    assert far == pytest.approx([9.860, 11.873, 14.043], abs=0.001)
    assert shots(closer) == 4 + 4 + 3


@pytest.mark.rule("conquest.volley.shots.front-rank")
def test_only_the_front_rank_shoots():
    two = profile(v=2, rules=["barrage 2 30"])
    assert shots(shooting(of=two, stands=4, files=2)) == 4
    far = shooting(of=profile(v=2, rules=["barrage 2 16"]), target=(31.0, 26.0), enemy={"stands": 1})
    assert shots(far) == 2, "the other two stands are beyond their own range: 16.0 inches to the first alone"


@pytest.mark.rule("conquest.volley.shots.total")
def test_shots_add_up():
    battle = shooting(target=(27.6, 20.9), enemy={"stands": 1})
    close = sum(
        formation.stand_distance(battle.state, r(battle, "a"), s, r(battle, "t")) < 12 for s in r(battle, "a").stands
    )
    assert close == 1
    assert shots(battle) == 3 + 3 + 3 + 1


@pytest.mark.rule("conquest.volley.hit")
def test_volley_hits():
    battle = shooting(of=profile(v=2, rules=["barrage 3 30"]), dice=[1, 2, 3, 4, 5, 6, 1, 2, 3])
    do(battle, "volley", "t")
    assert last(battle, "hits")["hits"] == 4
    assert rolled(battle, "hit") == [9]


@pytest.mark.rule("conquest.volley.rapid-volley")
def test_volley_six_gains_rapid_volley():
    one = profile(v=5, rules=["barrage 4 30"])
    battle = shooting(of=one, stands=1, files=1, dice=[1, 1, 3, 6])
    do(battle, "take-aim", "volley", "t")
    assert last(battle, "hits")["hits"] == 5
    low = shooting(of=one, stands=1, files=1, dice=[1, 1, 3, 6])
    assert last(do(low, "volley", "t"), "hits")["hits"] == 3
    both = shooting(of=profile(v=6, rules=["barrage 4 30", "rapid-volley"]), stands=1, files=1, dice=[1, 1, 3, 6])
    assert last(do(both, "volley", "t"), "hits")["hits"] == 5, "not twice"


@pytest.mark.rule("conquest.volley.defense")
def test_one_die_against_defense_and_evasion():
    def wounds(foe, dice, rules=("barrage 6 30",)):
        battle = shooting(of=profile(v=5, rules=rules), foe=foe, stands=1, files=1, dice=[1] * 6 + dice)
        do(battle, "volley", "t")
        assert rolled(battle, "defence") == [6]
        return last(battle, "defended")["failed"]

    assert wounds(profile(d=2, e=3), [1, 2, 3, 4, 5, 6]) == 3
    pierce = ("barrage 6 30", "armor-piercing 2")
    assert wounds(profile(d=3, e=2), [1, 2, 3, 4, 5, 6], pierce) == 4, "Evasion is not lowered"


@pytest.mark.rule("conquest.volley.defense.zero")
def test_a_one_does_not_save_at_nothing():
    def wounds(d, e, *lowered):
        given = tuple(Effect("t", "defense", "add", x, "conquest.rule.armor-piercing", until="round") for x in lowered)
        battle = shooting(
            of=profile(v=5, rules=["barrage 1 30"]),
            foe=profile(d=d, e=e),
            stands=1,
            files=1,
            dice=[1, 1],
            effects=given,
        )
        do(battle, "volley", "t")
        return last(battle, "defended")["failed"]

    assert wounds(1, 0, -1) == 1
    assert wounds(0, 1) == 0
    assert wounds(0, 0) == 1


@pytest.mark.rule("conquest.volley.no-morale")
def test_a_volley_causes_no_morale_test():
    battle = shooting(
        of=profile(v=5, rules=["barrage 4 30"]), foe=profile(d=0, e=0, w=4), dice=[1] * 8 + [6] * 8,
        stands=2, files=2, enemy={"stands": 4, "files": 4},
    )  # fmt: skip
    do(battle, "volley", "t", "left")
    assert rolled(battle, "morale") == []
    fired(battle, "conquest.volley.no-morale")
    assert len(r(battle, "t").stands) == 2
    assert r(battle, "t").broken, "half of its stands are lost all the same"
