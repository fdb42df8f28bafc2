"""Positions that a judge put to the umpire and that were once ruled wrongly."""

import pytest

from t9a.builder import (
    allowed,
    asked,
    do,
    duel,
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
    quiet,
    refused,
    rolled,
    scene,
    spell,
    u,
    unit,
    until,
)
from umpire.engine.wishes import Wish
from umpire.errors import UmpireError
from umpire.games.t9a import command, ranged_attacks
from umpire.games.t9a.characteristics import mobility, offensive
from umpire.games.t9a.combat_odds import Combat
from umpire.games.t9a.profiles import Rule


@pytest.mark.rule("t9a.charge.failed.target-gone")
def test_a_failed_charge_goes_to_where_the_facing_of_a_lost_target_was():
    """The target flees off the table: the charger goes 4" towards the last place of that facing's middle."""
    battle = scene(
        unit("a", at=(36, 34), of=quiet(cha=9), models=5),
        unit("b", 1, at=(36, 44), of=quiet(), models=5),
        unit("z", 1, at=(8, 10), of=quiet()),
        dice=[6, 6, 1],
    )
    do(battle, "a", "b", "flee")
    assert events(battle, "off-table")
    assert (u(battle, "a").x, u(battle, "a").y, u(battle, "a").facing) == pytest.approx((36, 38, 0))
    fired(battle, "t9a.charge.failed.target-gone")


@pytest.mark.rule("t9a.rule.impact-hits", "t9a.attack.allocate.melee")
def test_each_model_makes_its_special_attack_on_an_enemy_that_it_touches():
    """Three chariots before two units: the outer ones strike whom they touch, the middle one whom its owner likes."""
    chariot = profile(height=3, base=(50, 100), hp=4, parts=[part("impact-hits 2 str=5 ap=2", att=None)])

    def fought(whom):
        battle = scene(
            unit("a", of=chariot, models=3, files=3, charging=True),
            unit("b", 1, at=(34.5, 20), of=quiet(hp=9), models=3, files=3),
            unit("c", 1, at=(37.6, 20), of=quiet(hp=9), models=3, files=3),
            moment="melee",
            dice=[4] * 20,
        )
        assert (asked(battle), offered(battle)) == ("ask.special-target", ["b", "c"])
        do(battle, whom)
        return lost(battle, "b"), lost(battle, "c")

    assert fought("b") == (4, 2)
    assert fought("c") == (2, 4)


@pytest.mark.rule("t9a.rule.keyword.special-attack", "t9a.attack.allocate.melee-attachable")
def test_special_attacks_reach_no_character_that_they_do_not_touch():
    """A taller character may be singled out, by models that touch it; two files away it is safe."""
    beast = profile(height=3, hp=6, parts=[part("grind-attacks 3", att=None)])

    def asked_for(file):
        battle = scene(
            unit("a", at=(34.0, 20.0), of=beast, models=1, files=1),
            unit("b", 1, of=quiet(), models=10),
            hero("h", 1, "b", of=quiet(hp=3, height=2), file=file, rank=0),
            moment="melee",
            dice=[4] * 20,
        )
        if battle.decision is not None and asked(battle) == "ask.split-hits":
            return dict(battle.decision.parts)
        return None

    assert asked_for(4) == {"b": (0, 3), "h": (0, 3)}, "files are counted from its own left"
    assert asked_for(0) is None


@pytest.mark.rule("t9a.rule.stomp", "t9a.rule.impact-hits")
def test_of_several_parts_the_owner_says_which_makes_impact_hits():
    two = profile(
        height=3,
        hp=6,
        parts=[part("impact-hits 2 str=5 ap=2", att=None), part("impact-hits 3 str=4 ap=0", att=None)],
    )

    def fought(which):
        battle = duel(two, quiet(hp=9, height=2), [6] * 9, a={"charging": True})
        assert (asked(battle), offered(battle)) == ("ask.special-part", ["0", "1"])
        do(battle, which)
        return last(battle, "special-attack")["hits"]

    assert fought("0") == 2
    assert fought("1") == 3
    alike = profile(height=3, hp=6, parts=[part("stomp 2", att=None), part("stomp 2", att=None)])
    battle = duel(alike, quiet(hp=9), [6] * 9)
    assert last(battle, "special-attack")["hits"] == 2, "where nothing depends on it nobody is asked"


@pytest.mark.rule("t9a.melee.attack.flank-restricted", "t9a.melee.attack.allocate-targets")
def test_who_touches_enemies_in_front_and_flank_chooses_and_is_capped_in_the_flank_alone():
    """Height 3, four attacks: all on the front, at most three on the flank, never four."""

    def position():
        battle = scene(
            unit("a", of=profile(hp=4, height=3, parts=[part(att=4, off=9)]), models=1, files=1),
            unit("b", 1, of=quiet(hp=9), models=1, files=1),
            unit("c", 1, at=(36.5, 19.5), facing=270.0, of=quiet(hp=9), models=1, files=1),
            moment="melee",
            dice=[4] * 30,
        )
        assert asked(battle) == "ask.allocate"
        return battle

    battle = position()
    refused(battle, {"c": 4}, "t9a.melee.attack.flank-restricted")
    allowed(battle, {"b": 4})
    do(battle, {"b": 1, "c": 3})
    assert (lost(battle, "b"), lost(battle, "c")) == (1, 3)


@pytest.mark.rule("t9a.melee.attack.supporting", "t9a.melee.attack.flank-restricted")
def test_who_stands_behind_may_support_or_strike_at_its_own_flank():
    """The last model of the second rank touches the enemy in the flank and stands behind one who fights in front."""
    battle = scene(
        unit("a", of=profile(parts=[part(att=1, off=9)]), models=2, files=1),
        unit("b", 1, of=quiet(hp=9), models=1, files=1),
        unit("c", 1, at=(36.5, 18.5), facing=270.0, of=quiet(hp=9), models=1, files=1),
        moment="melee",
        dice=[4] * 30,
    )
    found = []
    while battle.decision is not None and asked(battle) == "ask.allocate":
        found.append(tuple(battle.decision.parts))
        do(battle, {"b": battle.decision.total})
    assert ("c", "b") in found or ("b", "c") in found
    assert lost(battle, "b") == 2


@pytest.mark.rule("t9a.rule.dying-strike", "t9a.rule.unstable")
def test_who_crumbles_makes_no_dying_strike():
    """Dying Strike is for the slain of melee attacks: those lost by the combat result go at once."""
    battle = duel(
        quiet(),
        quiet("unstable", "dying-strike"),
        [],
        models=10,
        foes=5,
        a={"standard": True},
    )
    assert last(battle, "crumbles")["lost"] == 2
    assert (p(battle, "b").count, p(battle, "b").dying) == (3, 0)


@pytest.mark.rule("t9a.melee.no-more-foes", "t9a.melee.nudge.fail")
def test_a_charger_that_cannot_be_nudged_back_may_overrun():
    """A corner is all that it touches; the enemy's outer models fall, a friend is in the way."""
    battle = scene(
        unit("a", at=(33.5, 20), of=quiet("frenzy"), models=1, files=1, charging=True),
        unit("c", at=(36.5, 20), of=profile(parts=[part(att=4, off=9, s=9)]), models=1, files=1),
        unit("d", at=(34.6, 19.9), of=quiet(), models=1, files=1),
        unit("b", 1, at=(36.5, 20), of=quiet(dis=10), models=5),
        moment="melee",
        dice=[*[6] * 8, 1, 1],
    )
    until(battle, "ask.combat-reforms")
    assert [e.facts["unit"] for e in events(battle, "nudge-failed")] == ["a"]
    assert last(battle, "overruns")["unit"] == "a"


@pytest.mark.rule("t9a.rule.hidden.reveal", "t9a.rule.hidden")
def test_a_hidden_model_takes_the_place_of_a_soldier_of_its_owners_choice():
    battle = scene(
        unit("a", of=quiet(), models=10),
        hero("h", of=quiet("hidden", hp=3), where="hidden"),
        unit("b", 1, at=(36, 40), of=quiet()),
    )
    do(battle, "a")
    assert (asked(battle), offered(battle)) == ("ask.hidden-place", ["0", "1", "2", "3", "4"])
    do(battle, "3")
    assert (p(battle, "h").file, p(battle, "h").rank, p(battle, "a").count) == (3, 0, 9)


@pytest.mark.rule("t9a.rule.ambush.attachable")
def test_an_ambushing_character_may_change_its_unit_every_turn():
    """In the second turn it waits with one unit, which does not come; in the next it may come with the other, or
    alone."""
    ambush = "ambush (table-edge)"
    battle = scene(
        unit("a", of=quiet(ambush), models=5, where="ambush"),
        unit("c", of=quiet(ambush), models=5, where="ambush"),
        hero("h", of=quiet(ambush, hp=3), where="ambush"),
        unit("b", 1, at=(36, 40), of=quiet()),
        moment="movement",
        turn=2,
        until="battle",
        dice=[1, 1],
    )
    assert (asked(battle), offered(battle)) == ("ask.ambush-with", ["a", "c", "alone"])
    do(battle, "a")
    assert p(battle, "h").unit == "a"
    until(battle, "ask.ambush-with")
    assert offered(battle) == ["a", "c", "alone"]
    do(battle, "c")
    assert p(battle, "h").unit == "c"


@pytest.mark.rule("t9a.rule.direct-hit")
def test_the_attacker_says_on_whom_the_direct_hit_falls():
    cannon = gun("cannon", "area-attack 2x2", "direct-hit str=10 ap=6", s=3)
    battle = scene(
        unit("a", of=profile(parts=[part(att=None, weapons=("cannon",), own=[cannon], aim={"cannon": 2})])
             , models=1, files=1),
        unit("b", 1, at=(36, 30), of=quiet(), models=10),
        hero("h", 1, "b", of=quiet(hp=3, height=2), file=2, rank=0),
        moment="shooting",
        dice=[6] * 9,
    )  # fmt: skip
    do(battle, "a", "b", "b")
    assert asked(battle) == "ask.split-hits"
    do(battle, {"b": 3, "h": 1})
    assert (asked(battle), offered(battle)) == ("ask.direct-hit", ["b", "h"])
    do(battle, "h")
    assert last(battle, "direct-hit")["target"] == "h"


@pytest.mark.rule("t9a.rule.direct-hit")
def test_a_single_hit_is_a_direct_hit_too():
    bolt = gun("bolt", "direct-hit str=10 ap=6", s=3)
    battle = scene(
        unit(
            "a", of=profile(parts=[part(att=None, weapons=("bolt",), own=[bolt], aim={"bolt": 2})]), models=1, files=1
        ),
        unit("b", 1, at=(36, 30), of=quiet(res=10, arm=5), models=10),
        moment="shooting",
        dice=[6, 4],
    )
    do(battle, "a", "b")
    assert last(battle, "hits")["hits"] == 1
    assert lost(battle, "b") == 1, "Strength 10 against Resilience 10, AP 6 against Armour 5"


@pytest.mark.rule("t9a.rule.poison-attacks.several-hits")
def test_of_the_hits_of_a_poisoned_area_attack_one_wounds_by_itself():
    cloud = gun("cloud", "area-attack 3x1", "poison-attacks", s=3)
    battle = scene(
        unit(
            "a",
            of=profile(parts=[part(att=None, weapons=("cloud",), own=[cloud], aim={"cloud": 2})]),
            models=1,
            files=1,
        ),
        unit("b", 1, at=(36, 30), of=quiet(res=10), models=10),
        moment="shooting",
        dice=[6, 1, 1],
    )
    do(battle, "a", "b")
    assert rolled(battle, "wound") == [2], "three hits, one of which wounds without a roll"
    assert lost(battle, "b") == 1


@pytest.mark.rule("t9a.rule.area-attack.limits")
def test_a_large_base_is_hit_in_whichever_rank_has_room_for_it():
    """Ranks of a large base and three, then two: 3x2 hits six, the large one with the second rank."""
    battle = scene(
        unit("b", 1, at=(36, 30), of=quiet(base=(20, 20)), models=5, files=5),
        hero("h", 1, "b", of=quiet(hp=3, base=(40, 40)), file=0, rank=0),
        unit("a", of=quiet()),
        moment="shooting",
    )
    rule = Rule("t9a.rule.area-attack.hits", "3", words=("2",))
    assert ranged_attacks.area_size(battle.state, u(battle, "b"), rule, "front") == 6


@pytest.mark.rule("t9a.magic.miscast.breach", "t9a.prep.destroyed-in-melee")
def test_a_caster_that_a_breach_takes_is_not_destroyed_in_melee():
    """It loses no health point and did not break: none of the three cases."""
    zap = spell(value=6, type="caster", duration="phase")
    battle = scene(
        hero("w", at=(36, 20), of=quiet(hp=9, res=9), wizard="master", spells=["zap"]),
        unit("b", 1, of=quiet(hp=9, res=9), models=1, files=1),
        moment="magic",
        spells=[zap],
        decks=[(8,), (8,)],
        dice=[6, 6, 6, 6, 6] + [1] * 40,
    )
    until(battle, "ask.spell")
    do(battle, "w:zap", "5", "0")
    until(battle, "")
    assert p(battle, "w").destroyed
    assert not p(battle, "w").in_melee


@pytest.mark.rule("t9a.magic.store")
def test_a_die_may_be_stored_for_a_caster_still_to_come():
    zap = spell(value=6, type="caster", duration="phase")
    battle = scene(
        unit("a", of=quiet()),
        hero("w", of=quiet("ambush (table-edge)"), wizard="master", spells=["zap"], where="ambush"),
        unit("b", 1, at=(36, 40), of=quiet()),
        moment="magic",
        spells=[zap],
        decks=[(5,), (5,)],
    )
    assert asked(battle) == "ask.store"
    do(battle, True)
    assert battle.state.stored == [1, 0]


@pytest.mark.rule("t9a.magic.channel", "t9a.rule.channel")
def test_each_model_with_channel_adds_its_dice():
    battle = scene(
        unit("a", of=quiet("channel 1"), models=3, files=3),
        unit("b", 1, at=(36, 40), of=quiet()),
        moment="magic",
        decks=[(5,), (5,)],
    )
    assert last(battle, "channel")["dice"] == 3


@pytest.mark.rule("t9a.rule.attack-attribute.granted", "t9a.rule.stomp")
def test_what_a_spell_gives_a_part_its_stomps_have_too():
    """No values of its own in brackets: the part's attributes count, given ones included; with values they do not."""

    def resolved(words):
        beast = profile(height=3, hp=6, parts=[part(words, att=None)])
        flames = {"rule": {"id": "t9a.rule.flaming-attacks"}}
        battle = scene(
            unit("a", of=beast, models=1, files=1),
            unit("b", 1, of=quiet("regeneration 4+", hp=1), models=10),
            moment="melee",
            dice=[6] * 9,
            effects=[
                {
                    "on": "a",
                    "what": "t9a.rule.flaming-attacks",
                    "op": "add",
                    "value": 0,
                    "rule": "t9a.magic.resolve",
                    "until": "battle",
                    "data": flames,
                }
            ],
        )
        return [e.facts["pool"] for e in events(battle, "no-save")]

    assert resolved("stomp 2") == ["b"]
    assert resolved("stomp 2 str=4 ap=0") == []


@pytest.mark.rule("t9a.rule.general", "t9a.rule.keyword.unique")
def test_a_rule_goes_by_its_plain_name_and_a_part_of_one_is_none():
    """What the ledger tells in several entries is one model rule; an entry about one of its sides is no rule that a
    model could have by itself."""
    plain = scene(unit("a", of=quiet("light-troops", "undead", "captain")), unit("b", 1, at=(36, 40))).state.pool("a")
    names = ("t9a.rule.light-troops.reform", "t9a.rule.undead.march", "t9a.rule.captain.standard")
    assert plain.profile.names == names
    same = scene(unit("a", of=quiet("light-troops.ranks")), unit("b", 1, at=(36, 40))).state.pool("a")
    assert same.profile.names == names[:1]
    for word in ("stubborn.unstable", "terror.immune", "wizard.master", "light-troop", "undead.rise"):
        with pytest.raises(UmpireError, match="model rule"):
            scene(unit("a", of=quiet(word)), unit("b", 1, at=(36, 40)))


@pytest.mark.rule("t9a.attack.engaged-casualties.outside-melee")
def test_an_engaged_rank_loses_models_at_the_end_that_touches_nobody():
    """A single rank of four that touches the enemy with its two left ones: a spell's two victims stand on the right."""
    zap = spell(value=3, type="unit", whom="enemy", hits="2", s=10, engaged=True, range=24, sight=False)
    battle = scene(
        hero("w", at=(20, 20), wizard="adept", spells=["zap"]),
        unit("a", at=(37.5, 20), of=quiet(), models=3, files=3),
        unit("b", 1, of=quiet(), models=4, files=4),
        moment="magic",
        spells=[zap],
        decks=[(6,), (6,)],
        dice=[6, 6, 5, 6, 6],
    )
    until(battle, "ask.spell")
    do(battle, "w:zap", "b", "3", "0")
    assert (u(battle, "b").files, u(battle, "b").x) == (2, pytest.approx(37.0))
    assert not events(battle, "nudged")


@pytest.mark.rule("t9a.rule.feigned-flight.rally", "t9a.psych.shaken.gain")
def test_a_second_flight_before_rallying_is_no_feigned_one():
    """Shaken already, it flees from another charge: its next Rally Test is rolled."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet(cha=2), models=5),
        unit("b", 1, at=(36, 27), of=quiet("feigned-flight"), models=5, shaken=True),
        dice=[1, 2, 1, 1],
        until="battle",
    )
    do(battle, "a", "b", "flee")
    until(battle, "ask.rally-pivot")
    assert events(battle, "test"), "a die was thrown for it"


@pytest.mark.rule("t9a.char.leave", "t9a.char.attachable.lone")
def test_the_first_of_two_characters_leaves_and_the_other_stays():
    """Two characters make a unit; whoever of them leaves, the other is still there and goes on by itself."""
    battle = scene(
        hero("h", at=(36, 20)),
        hero("k", in_unit="h"),
        unit("z", 1, at=(36, 40), of=quiet()),
        moment="movement",
    )
    do(battle, "leave:h", "normal", {"path": [{"how": "forward", "inches": 4}]})
    assert [(key, u(battle, key).where, u(battle, key).members) for key in ("h", "k")] == [
        ("h", "table", ("h",)),
        ("k", "table", ("k",)),
    ]
    assert "k" in offered(battle)


@pytest.mark.rule("t9a.magic.move.actions", "t9a.shoot.unit-eligible")
def test_who_has_marched_has_marched_whatever_magic_moves_it_next():
    """March, then a magical move of an inch or none at all: no shooting, and no less of the penalty for moving."""
    wind = spell(value=3, type="unit", whom="friend", move=4, range=24, sight=False)

    def moved(before, then):
        battle = scene(
            hero("w", at=(20, 20), wizard="adept", spells=["zap"]),
            unit("a", of=quiet(mob=4), models=5, moved=before),
            unit("b", 1, at=(36, 44), of=quiet()),
            moment="magic",
            spells=[wind],
            decks=[(6,), (6,)],
            dice=[6, 5],
        )
        until(battle, "ask.spell")
        do(battle, "w:zap", "a", "2", "0", "normal", then)
        return p(battle, "a").moved

    step = {"path": [{"how": "forward", "inches": 1}]}
    assert moved("march", step) == "march"
    assert moved("march", {"stay": True}) == "march"
    assert moved("normal", {"stay": True}) == "normal"
    assert moved("", step) == "normal"


@pytest.mark.rule("t9a.rule.fly", "t9a.terrain.dangerous")
def test_a_flyer_that_fails_its_charge_runs_through_what_lies_before_it():
    """It flies in charges, not in failed ones: ruins that its front crosses are dangerous."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet("fly", cha=9), models=1, files=1),
        unit("b", 1, at=(36, 36), of=quiet(), models=5),
        terrain=[piece("r", "ruins", 30, 21, 42, 22)],
        dice=[1],
    )
    do(battle, "a", "b", "hold")
    assert events(battle, "failed-charge")
    assert last(battle, "dangerous")["terrain"] == "r"


@pytest.mark.rule("t9a.rule.afflict", "t9a.def.contact.model-unit")
def test_only_a_model_that_is_touched_afflicts():
    """A character with Affliction two files from the enemy does nothing to it; before it, it does."""

    def needed(file):
        battle = scene(
            unit("a", at=(34.0, 20.0), of=profile(hp=9, parts=[part(att=1, off=4)]), models=1, files=1),
            unit("b", 1, of=quiet(), models=10),
            hero("h", 1, "b", of=quiet("afflict off-1", hp=3), file=file, rank=0),
            moment="melee",
            dice=[4] * 20,
        )
        until(battle, "ask.allocate")
        if battle.decision is not None and asked(battle) == "ask.allocate":
            do(battle, {"b": 1})
        return needs(battle, "hit")

    assert needed(0) == [3]
    assert needed(4) == [4]


@pytest.mark.rule("t9a.rule.rage")
def test_only_the_wounded_model_of_a_unit_rages():
    """Three models with one attack each, one of which has lost two of its health points: five attacks, not nine."""
    ogres = profile(hp=3, height=3, parts=[part("rage", att=1)])
    battle = duel(ogres, quiet(hp=9), [1] * 9, models=3, foes=5, a={"lost": 2})
    assert rolled(battle, "hit") == [5]


@pytest.mark.rule("t9a.rule.war-platform.speed")
def test_a_platform_goes_as_fast_as_a_hastened_unit():
    effects = [{"on": "a", "what": "mob", "op": "add", "value": 2, "rule": "t9a.magic.resolve", "until": "battle"}]
    battle = scene(
        unit("a", of=quiet(mob=5), models=10),
        hero("h", in_unit="a", of=quiet("war-platform", mob=3), file=2, rank=0),
        unit("b", 1, at=(36, 40), of=quiet()),
        effects=effects,
    )
    assert mobility(battle.state, u(battle, "a")) == 7


@pytest.mark.rule("t9a.def.arcs", "t9a.charge.facing")
def test_on_a_ray_the_charger_chooses_the_facing():
    """The middle of its front lies three inches before and three beside the target's corner."""

    def charged(face):
        battle = scene(
            unit("a", at=(32.5, 25), facing=45.0, of=quiet(cha=9), models=1, files=1),
            unit("b", 1, at=(38, 28), of=quiet(), models=5),
            dice=[6],
        )
        do(battle, "a", "b", "hold")
        assert (asked(battle), offered(battle)) == ("ask.facing", ["front", "right"])
        do(battle, face)
        return battle.state.pairs[0].b_face

    assert charged("front") == "front"
    assert charged("right") == "right"


@pytest.mark.rule("t9a.def.arcs", "t9a.shoot.facing")
def test_on_a_ray_the_shooter_chooses_the_facing():
    stone = gun("stone", "area-attack 1x5", s=3)
    shooter = profile(parts=[part(att=None, weapons=("stone",), own=[stone], aim={"stone": 2})])

    def hits(face):
        battle = scene(
            unit("a", at=(32.5, 25), facing=45.0, of=shooter, models=1, files=1),
            unit("b", 1, at=(38, 28), of=quiet(), models=5),
            moment="shooting",
            dice=[6, 6, 6, 6, 6, 6],
        )
        do(battle, "a", "b")
        assert asked(battle) == "ask.facing"
        do(battle, face)
        return last(battle, "area")["hits"]

    assert hits("front") == 1, "one rank"
    assert hits("right") == 5, "five files"


@pytest.mark.rule("t9a.rule.bodyguard")
def test_a_bodyguard_may_guard_by_trait():
    def guarded(*traits):
        state = scene(
            unit("a", of=quiet("bodyguard (royal)"), models=10),
            hero("h", in_unit="a", of=quiet(hp=3, traits=traits)),
            unit("b", 1, at=(36, 40)),
        ).state
        return command.stubborn(state, state.unit("a"))

    assert guarded("royal")
    assert not guarded("beast")


@pytest.mark.rule("t9a.def.modifier.multiply", "t9a.def.modifier.round-up")
def test_a_spell_may_halve_a_characteristic():
    """Agility 5 halved is 3, rounded up at the end; with the momentum of a charge, 2.5 and 1 are 4."""
    slow = spell(value=3, type="unit", whom="enemy", duration="turn", halves=["agi"], range=24)
    battle = scene(
        hero("w", at=(20, 20), wizard="adept", spells=["zap"]),
        unit("a", of=quiet(), models=5),
        unit("b", 1, of=profile(parts=[part(agi=5)]), models=5),
        moment="magic",
        spells=[slow],
        decks=[(6,), (6,)],
        dice=[6, 5],
    )
    until(battle, "ask.spell")
    do(battle, "w:zap", "b", "2", "0")
    state, pool = battle.state, p(battle, "b")
    assert offensive(state, pool, pool.profile.parts[0], "agi").total == 3
    u(battle, "b").charging = True
    assert offensive(state, pool, pool.profile.parts[0], "agi").total == 4


@pytest.mark.rule("t9a.rule.feigned-flight.winner")
def test_nobody_pursues_a_winner_that_feigns_flight():
    battle = duel(quiet("feigned-flight"), quiet(), [3, 3], models=10, foes=5)
    assert asked(battle) == "ask.feign"
    do(battle, True)
    assert not events(battle, "pursues")
    assert last(battle, "not-pursued")["unit"] == "b"


@pytest.mark.rule("t9a.rule.attack-attribute.granted", "t9a.rule.devastating-charge")
def test_what_a_banner_gives_a_unit_every_part_has():
    """Devastating Charge by a banner: Strength 4 against Resilience 3 when charging, 3 when not."""

    def needed(charging):
        battle = duel(
            profile(parts=[part(att=1, s=3)]), quiet(hp=9), [6, 6],
            a={"banner": ["devastating-charge str+1"], "charging": charging},
        )  # fmt: skip
        return needs(battle, "wound")

    assert needed(True) == [3]
    assert needed(False) == [4]


@pytest.mark.rule("t9a.rule.psychic-attacks", "t9a.rule.commanding-presence")
def test_psychic_attacks_meet_the_discipline_that_a_commander_gives():
    """Soldiers of Discipline 5 with a character of 6 among them and a general of 9 near by: Strength 8 needs 5+."""
    battle = scene(
        unit("a", of=profile(parts=[part("psychic-attacks", att=1, s=8)]), models=1, files=1),
        unit("b", 1, of=quiet(dis=5), models=10),
        hero("h", 1, "b", of=quiet(hp=3, dis=6), file=0, rank=0),
        hero("g", 1, at=(36, 30), of=quiet("commanding-presence", hp=3, dis=9), general=True),
        moment="melee",
        dice=[6, 6],
    )
    do(battle, "stay")
    assert needs(battle, "wound") == [5]


@pytest.mark.rule("t9a.rule.random-movement.counts", "t9a.shoot.mod.unwieldy")
def test_a_random_move_counts_as_a_move_for_unwieldy_weapons():
    bow = gun("arbalest", "unwieldy 1", s=4)
    battle = scene(
        unit(
            "a",
            of=profile("random-movement 2D6", parts=[part(weapons=("arbalest",), own=[bow], aim={"arbalest": 3})]),
            models=1,
            files=1,
            moved="random",
        ),
        unit("b", 1, at=(36, 30), of=quiet(), models=10),
        moment="shooting",
        dice=[5, 5],
    )
    do(battle, "a", "b")
    assert needs(battle, "hit") == [5]


@pytest.mark.rule("t9a.rule.stand-and-shoot", "t9a.shoot.weapon-choice")
def test_who_stands_and_shoots_chooses_the_weapon():
    """Pistols or knives: both may be shot at a charger, one of them is."""
    armed = profile(parts=[part(weapons=("pistol", "throwing"), aim={"pistol": 4, "throwing": 4})])
    battle = scene(
        unit("a", at=(36, 20), of=quiet(cha=4), models=5),
        unit("b", 1, at=(36, 26), of=armed, models=5),
        dice=[6],
    )
    do(battle, "a", "b", "hold")
    assert asked(battle) == "ask.stand-and-shoot"
    do(battle, True)
    assert (asked(battle), offered(battle)) == ("ask.weapon", ["pistol", "throwing", "divide", "hold-fire"])
    do(battle, "throwing")
    assert rolled(battle, "hit") == [10]


@pytest.mark.rule("t9a.melee.round.first", "t9a.melee.pursue.new-combat")
def test_who_is_charged_by_a_pursuer_after_its_own_foe_fled_has_a_first_round_before_it():
    """e stands back to back with b and fights c; it feigns flight, b breaks, a pursues into c, which is free."""
    battle = scene(
        unit("a", at=(36, 20), of=quiet(), models=10, standard=True),
        unit("e", at=(36, 25), of=quiet("feigned-flight"), models=4, files=1),
        unit("b", 1, at=(36, 20), of=quiet(dis=2), models=5),
        unit("c", 1, at=(36, 25), of=quiet(dis=10), models=5),
        moment="melee",
        dice=[6, 6, 1, 1, 1, 1, 1, 1, 6, 6],
    )
    until(battle, "ask.feign")
    do(battle, True, ["b", "c"], "a", "c", "b")
    assert last(battle, "pursuit-charge")["target"] == "c"
    assert u(battle, "c").first
    assert u(battle, "a").charging


@pytest.mark.rule("t9a.prep.deploy.first-turn")
def test_whoever_has_only_ambushers_left_has_finished_deploying():
    """The attacker's last unit on the table is placed; what may wait in Ambush does not keep it from choosing."""
    battle = scene(
        unit("a", where="list", of=quiet(), models=5),
        unit("c", where="list", of=quiet("ambush (table-edge)"), models=5),
        unit("b", 1, where="list", of=quiet()),
        moment="deployment",
        defender=1,
    )
    do(battle, "a", {"x": 36.0, "y": 10.0, "facing": 0.0})
    assert (asked(battle), battle.decision.side) == ("ask.first-turn", 0)
    do(battle, "side.1")
    assert (asked(battle), battle.state.first) == ("ask.deploy", 1)


@pytest.mark.rule("t9a.char.all-attachable", "t9a.char.join.how")
def test_a_character_may_join_another_and_its_owner_says_whose_base_counts():
    battle = scene(
        hero("h", at=(36, 20)),
        hero("k", at=(36, 24), of=profile(hp=3, base=(40, 40))),
        unit("z", 1, at=(36, 44), of=quiet()),
        moment="movement",
    )
    do(battle, "h", "march", {"to": {"beside": "k"}})
    assert (asked(battle), offered(battle)) == ("ask.base", ["k", "h"])
    do(battle, "h")
    assert (u(battle, "k").members, u(battle, "k").base) == (("k", "h"), "h")


@pytest.mark.rule("t9a.attack.last-hp")
def test_a_fallen_character_charges_nobody():
    """A wish is judged of anybody: of a model that has been removed from its unit it is said that it is gone."""
    battle = scene(
        unit("a", of=profile(parts=[part(att=9, off=9, s=9)]), models=3, files=3),
        unit("b", 1, of=quiet(dis=10), models=10),
        hero("h", 1, "b", of=quiet(hp=1), file=2, rank=0),
        hero("k", 1, "b", of=quiet(hp=3), file=0, rank=0),
        moment="melee",
        dice=[6] * 99,
    )
    until(battle, "ask.allocate")
    while battle.decision is not None and asked(battle) == "ask.allocate":
        do(battle, {"h" if "h" in battle.decision.parts else "b": battle.decision.total})
    assert not p(battle, "h").alive
    for deed in ("charge", "leave", "make-way"):
        found = battle.why_not(1, Wish(deed=deed, who="h"))
        assert "t9a.attack.last-hp" in found.rules
    assert "t9a.attack.last-hp" in battle.why_not(1, Wish(deed="charge", who="h", whom=("a",))).rules


@pytest.mark.rule("t9a.rule.feigned-flight.fearless")
def test_a_fearless_unit_that_feigns_flight_may_flee_and_says_by_what():
    battle = scene(
        unit("a", at=(36, 20), of=quiet(cha=2), models=5),
        unit("b", 1, at=(36, 27), of=quiet("feigned-flight", "fearless"), models=5),
        dice=[1, 2, 1],
    )
    do(battle, "a", "b", "flee")
    fired(battle, "t9a.rule.feigned-flight.fearless")


@pytest.mark.rule("t9a.def.contact.gap-blocked")
def test_who_stands_behind_its_own_reaches_over_nobody():
    """The front model of the third file has fallen: the one behind it fights across the gap, the four beside it
    do not."""
    battle = scene(
        unit("a", of=profile(parts=[part(agi=1)]), models=9),
        hero("h", in_unit="a", of=quiet(hp=1), file=2, rank=0),
        unit("b", 1, of=profile(dis=10, parts=[part(agi=5, att=3, off=9, s=9)]), models=1, files=1),
        moment="melee",
        dice=[6] * 60,
    )
    until(battle, "ask.allocate")
    do(battle, {"h": 3})
    assert last(battle, "across-gap")["models"] == 1
    assert last(battle, "covered")["models"] == 4


@pytest.mark.rule("t9a.rule.impact-hits")
def test_the_odds_count_one_part_of_those_that_have_impact_hits():
    """Two parts with two sure hits each: what is expected is what two hits take, not four."""

    def expected(*parts):
        state = scene(
            unit("a", of=profile(height=3, hp=6, parts=list(parts)), models=1, files=1, charging=True),
            unit("b", 1, of=quiet(hp=9), models=1, files=1),
        ).state
        return Combat(state, "a", "b").blows(0, 10, 0).mean

    ram = part("impact-hits 2 str=4 ap=0", att=None)
    assert expected(ram, ram) == pytest.approx(expected(ram)) == pytest.approx(4 / 3)
