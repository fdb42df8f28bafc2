"""Edges of model rules, attack attributes and weapons: whom they are for, what adds up, what is rolled by whom."""

import msgspec
import pytest

from t9a.builder import (
    QUIET,
    asked,
    blade,
    do,
    duel,
    events,
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
    rolled,
    scene,
    unit,
)
from umpire.engine.effects import Effect
from umpire.errors import UmpireError
from umpire.games.t9a import content, joining, muster, reserves
from umpire.games.t9a.content import WeaponEntry
from umpire.games.t9a.formation import layout
from umpire.games.t9a.model_rules import words_of
from umpire.games.t9a.weapons import shield


def foe(*rules, **more):
    return profile(*rules, **{"hp": 9, "parts": [QUIET], **more})


def one(*rules, **more):
    return profile(parts=[part(*rules, **{"agi": 5, **more})])


def hated(battle):
    """How often misses were rolled again."""
    return len([e for e in events(battle, "reroll") if "t9a.rule.hatred" in e.rules])


@pytest.mark.rule("t9a.def.profile.random")
def test_each_model_rolls_for_its_own_attacks_and_strength():
    battle = duel(one(att="D6+1"), foe(), [1, 3, 5], models=3, foes=3)
    assert rolled(battle, "attacks") == [1, 1, 1]
    assert rolled(battle, "hit") == [2 + 4 + 6]
    battle = duel(one(s="D6+2", att=2), foe(res=4), [1, 6, 6, 6, 6, 6], models=2, foes=3)
    assert rolled(battle, "strength") == [1, 1]
    assert sorted(needs(battle, "wound")) == [2, 5]
    # A second rank strikes with no more than its Height, whatever it rolls.
    battle = duel(one(att="D6"), foe(), [4, 2, 3, 5], models=4, foes=2, a={"files": 2})
    assert rolled(battle, "hit")[:2] == [6, 2]


@pytest.mark.rule("t9a.def.profile.random")
def test_special_attacks_roll_for_a_random_strength_too():
    beast = profile(height=5, base=(50.8, 50.8), parts=[part("stomp 2", att=None, s="D6+2")])
    battle = duel(beast, foe(res=6), [4, 6, 6], foes=5)
    assert needs(battle, "wound") == [4]


@pytest.mark.rule("t9a.rule.attack-attribute.granted", "t9a.char.mount.rules")
def test_attributes_of_a_model_go_to_its_parts_and_rules_of_a_part_to_the_model():
    beast = profile("hatred", parts=[part(agi=5), part(agi=4)])
    battle = duel(beast, foe(), [1, 6, 1, 1, 6])
    assert hated(battle) == 2
    battle = duel(one(), profile(hp=9, parts=[part("distracting", att=None)]), [1])
    assert needs(battle, "hit") == [5]


def test_no_entry_of_a_book_has_an_attribute_that_does_nothing():
    raging = next(e for e in content.books()["hollow"].entries if e.id == "abbot-knight")
    made = content.profile_of(raging, "entry")
    assert all(any(rule.short == "rage" for rule in each.rules) for each in made.parts)


@pytest.mark.rule("t9a.rule.weapon.melee-other")
def test_a_weapon_changes_the_model_itself_while_it_is_used():
    sword = blade("sword", "distracting", enchanted=True, mods={"def": 1, "arm": 1})
    bearer = profile(hp=9, parts=[part(att=None, weapons=("sword",), own=[sword])])
    battle = duel(one(off=4), bearer, [5, 6, 6])
    assert needs(battle, "hit") == [5]  # Off 4 against Def 4, and Distracting
    assert needs(battle, "armour") == [6]
    other = profile(
        hp=9,
        parts=[
            part(
                "weapon-master", att=None, weapons=("sword", "axe"), own=[blade("sword", mods={"def": 1}), blade("axe")]
            )
        ],
    )
    battle = duel(one(off=4), other, [5], b={"weapon": ("axe",)})
    do(battle, "axe")
    assert needs(battle, "hit") == [3]
    ridden = profile(hp=9, own=("def", "arm"), parts=[part(att=None, weapons=("sword",), own=[sword])])
    battle = duel(one(off=4), ridden, [5, 6])
    assert needs(battle, "hit") == [4]  # Def 3: 3+, and Distracting
    assert needs(battle, "armour") == []


@pytest.mark.rule("t9a.rule.keyword.versus", "t9a.rule.hard-target", "t9a.rule.distracting")
def test_rules_versus_somebody_work_against_him_alone():
    rider = profile(traits=("mounted",), parts=[part()])
    assert needs(duel(rider, foe("distracting versus mounted"), [1]), "hit") == [5]
    assert needs(duel(one(), foe("distracting versus mounted"), [1]), "hit") == [4]
    assert needs(duel(one("flaming-attacks"), foe("distracting versus flaming-attacks"), [1]), "hit") == [5]
    for traits, need in ((("mounted",), 5), ((), 4)):
        shooter = profile(traits=traits, parts=[part(weapons=("bow",), aim={"bow": 4})])
        battle = scene(
            unit("a", models=1, files=1, at=(36.0, 10.0), of=shooter),
            unit("b", 1, of=profile("hard-target 1 versus mounted")),
            moment="shooting",
            dice=[1],
        )
        assert needs(do(battle, "a", "b"), "hit") == [need]


@pytest.mark.rule("t9a.rule.keyword.against")
def test_attributes_against_somebody_work_against_him_alone():
    assert not hated(duel(one("hatred against beast"), foe(), [1]))
    assert hated(duel(one("hatred against beast"), foe(traits=("beast",)), [1, 1]))
    for traits, need in (((), 4), (("mounted",), 2)):
        charger = one("devastating-charge str+2 against mounted")
        battle = duel(charger, foe(traits=traits), [6, 1], a={"charging": True})
        assert needs(battle, "wound") == [need]


@pytest.mark.rule("t9a.rule.aegis.modifier", "t9a.rule.duplicates", "t9a.rule.regeneration.modifier")
def test_of_several_improvements_of_a_save_one_counts():
    for name in ("aegis", "regeneration"):
        assert needs(duel(one(), foe(f"{name} 6+", f"{name} +1", f"{name} +1"), [6, 6, 4]), "special") == [5]
        assert needs(duel(one(), foe(f"{name} 6+", f"{name} +1", f"{name} +2"), [6, 6, 4]), "special") == [4]
        assert needs(duel(one(), foe(f"{name} 6+", f"{name} +3 max 5", f"{name} +2"), [6, 6, 4]), "special") == [4]


@pytest.mark.rule("t9a.rule.extra-support")
def test_extra_support_is_set_before_it_is_raised():
    for rules in (("extra-support +1", "extra-support 2"), ("extra-support 2", "extra-support +1")):
        battle = duel(one(*rules, att=4), foe(), [1], models=10, foes=5, a={"files": 5})
        assert last(battle, "supporting")["attacks"] == 3
    battle = duel(
        profile(height=3, parts=[part("extra-support 1", att=4)]), foe(), [1], models=10, foes=5, a={"files": 5}
    )
    assert last(battle, "supporting")["attacks"] == 1


@pytest.mark.rule("t9a.rule.commanding-presence", "t9a.rule.afflict")
def test_a_commander_does_not_lift_what_weighs_on_his_unit():
    battle = duel(
        profile("afflict dis-2", parts=[part(off=9, s=9)]),
        profile(dis=7, parts=[QUIET]),
        [6, 6],
        models=1,
        foes=2,
        others=[hero("g", 1, at=(36.0, 30.0), facing=180.0, of=profile(dis=9), general=True)],
    )
    # 9 for the General, 2 less by affliction, 1 less for the lost round.
    assert last(battle, "test")["need"] == 6


@pytest.mark.rule("t9a.rule.strider", "t9a.terrain.water.footing", "t9a.terrain.wall.fortified")
def test_striders_do_not_mind_water_or_walls():
    for rules, hits in ((("strider (water)",), 1), (("strider (wall)",), 0), ((), 0)):
        beast = profile(*rules, height=5, base=(50.8, 50.8), parts=[part("stomp 2", att=None)])
        battle = duel(beast, foe(), [6, 6], foes=5, terrain=[piece("w", "water", 30, 17, 40, 19.5)])
        assert len(events(battle, "special-attack")) == hits
    for rules, need in ((("strider",), 4), (("strider (water)",), 5)):
        charger = profile(*rules, parts=[part()])
        wall = piece("w", "wall", 30, 19.9, 40, 20.2)
        battle = duel(charger, foe(), [1], foes=5, a={"charging": True}, terrain=[wall])
        assert needs(battle, "hit") == [need]


@pytest.mark.rule("t9a.terrain.water.soaked", "t9a.rule.strider")
def test_a_strider_in_water_burns():
    river = piece("w", "water", 30, 20.5, 40, 23)
    for rules, saves in (((), 1), (("strider (water)",), 0)):
        battle = duel(one("flaming-attacks"), foe("regeneration 3+", *rules), [6, 6, 6], foes=1, terrain=[river])
        assert len(rolled(battle, "special")) == saves


@pytest.mark.rule("t9a.char.mount.c-values", "t9a.rule.shield")
def test_a_shield_counts_where_the_armour_is_the_riders():
    book = content.books()["thornmark"]
    mount = msgspec.structs.replace(book.mounts[0], df=5, arm="C+2")
    entry = next(e for e in book.entries if e.character)
    rider = msgspec.structs.replace(content.profile_of(entry, "entry"), arm=2, shield=True)
    made = muster.mounted(rider, mount)
    assert made.arm == 4
    assert made.own == ("def",)
    battle = duel(one(), profile(hp=9, own=("def",), shield=True, parts=[QUIET]), [6, 6])
    assert needs(battle, "armour") == [6]
    assert shield(battle.state, p(battle, "b"), True)
    battle = duel(one(off=6), profile(hp=9, own=("def",), shield=True, parts=[QUIET]), [1])
    assert needs(battle, "hit") == [3]  # no Parry: the Def is the mount's
    assert needs(duel(one(), profile(hp=9, own=("arm",), shield=True, parts=[QUIET]), [6, 6]), "armour") == []


# -- what brackets say, and what a scene may set ----------------------------------------------------------------------


@pytest.mark.rule("t9a.rule.exclusive", "t9a.rule.keyword.versus", "t9a.rule.commanding-presence.limits")
def test_rules_that_the_ledger_tells_in_several_entries_go_by_their_plain_name():
    """Undead, Light Troops, Captain and the like in brackets."""
    pool = p(duel(one()), "a")
    dead = msgspec.structs.replace(pool.profile, rules=content.rules_of(("undead", "light-troops"), "x"))
    assert {"undead", "light-troops"} <= words_of(dead)
    for rules, told in (((), ["t9a.rule.exclusive"]), (("undead",), [])):
        battle = scene(
            unit("a", of=profile("exclusive (undead)")), hero("h", of=profile(*rules)), unit("b", 1, at=(10.0, 46.0))
        )
        reasons = joining.join_objections(battle.state, p(battle, "h"), battle.state.unit("a"))
        assert [reason.rule for reason in reasons] == told
    assert needs(duel(one("undead"), foe("distracting versus undead"), [1]), "hit") == [5]


def changed(what, op, value, on="b", **data):
    return Effect(on, what, op, value, "t9a.magic.resolve", until="phase", data=data)


@pytest.mark.rule("t9a.def.modifier.set", "t9a.def.modifier.capped")
def test_scenes_say_set_to_at_least_and_up_to_a_maximum():
    assert needs(duel(one(), foe(res=5), [6], effects=[changed("res", "minimum", 4)]), "wound") == [6]
    assert needs(duel(one(), foe(res=3), [6], effects=[changed("res", "minimum", 5)]), "wound") == [6]
    capped = changed("att", "add", 2, "a", limit=4)
    assert rolled(duel(one(att=3), foe(), [1], effects=[capped]), "hit") == [4]
    assert rolled(duel(one(att=3), foe(), [1], effects=[capped, changed("att", "add", 2, "a")]), "hit") == [5]
    with pytest.raises(UmpireError, match="forbid"):
        duel(one(), effects=[changed("att", "forbid", 0, "a")])


@pytest.mark.rule("t9a.rule.direct-hit", "t9a.rule.attack-attribute.bound", "t9a.rule.multiple-wounds")
def test_what_a_direct_hit_gives_is_its_own_and_what_the_weapon_has_is_every_hits():
    for rules, hp in (
        (("direct-hit str=9 multiple-wounds=3",), 3 + 3),
        (("direct-hit str=9", "multiple-wounds 3"), 12),
    ):
        engine = profile(parts=[part(weapons=("gun",), aim={"gun": 4}, own=[gun("gun", "area-attack 2x2", *rules)])])
        battle = scene(
            unit("a", models=1, files=1, at=(36.0, 10.0), of=engine),
            unit("b", 1, of=profile(hp=9)),
            moment="shooting",
            dice=[6, 6, 6, 6, 6],
        )
        do(battle, "a", "b")
        assert lost(battle, "b") == hp
    assert content.rules_of(("direct-hit multiple-wounds=D3",), "x")[0].extras[0].x == "D3"


@pytest.mark.rule("t9a.def.duration.one-use", "t9a.rule.weapon.breath")
def test_a_breath_that_is_spent_is_told():
    breath = WeaponEntry(id="br", name={"zh": "息", "en": "breath"}, breath=True, str_=4)
    dragon = profile(parts=[part(weapons=("br",), own=[breath])])
    for spent, rules in (((), []), (("br",), ["t9a.def.duration.one-use", "t9a.rule.weapon.breath"])):
        battle = scene(
            unit("a", models=1, files=1, at=(36.0, 13.0), of=dragon, spent=spent), unit("b", 1), moment="shooting"
        )
        ruling = battle.why_not(0, {"deed": "shoot", "who": "a", "whom": ["b"]})
        assert [reason.rule for reason in ruling.reasons] == rules


@pytest.mark.rule("t9a.char.join.distance")
def test_a_model_joins_only_where_its_move_reaches():
    def walk(y, mob=4):
        return scene(
            unit("a", at=(36.0, 12.0), models=15),
            hero("h", at=(34.0, y), of=profile(hp=3, mob=mob)),
            unit("z", 1, at=(10.0, 46.0)),
            moment="movement",
            dice="seed",
        )

    # 8" of march: from 7.1" behind file 1, the last file is 8.1" away.
    battle = walk(4.9)
    join = {"deed": "join", "who": "h", "whom": ["a"]}
    assert battle.why_not(0, join).reasons == ()
    do(battle, "h", "march", {"to": {"beside": "a"}})
    assert offered(battle) == ["0", "1", "2", "3"]
    ruling = battle.check("4", 0)
    assert [reason.rule for reason in ruling.reasons] == ["t9a.char.join.distance"]
    assert ruling.reasons[0].facts["most"] == 8
    ruling = walk(3.0).why_not(0, join)
    assert [reason.rule for reason in ruling.reasons] == ["t9a.char.join.distance"]
    assert ruling.reasons[0].facts["inches"] == 9.0


@pytest.mark.rule("t9a.terrain.dangerous", "t9a.char.join.how")
def test_a_march_into_a_unit_goes_over_dangerous_ground_too():
    for action, dice in (("march", [1]), ("normal", [])):
        battle = scene(
            unit("a", at=(36.0, 12.0), models=15),
            hero("h", at=(36.0, 7.0), of=profile(hp=3, mob=9)),
            unit("z", 1, at=(10.0, 46.0)),
            moment="movement",
            dice=[2],
            terrain=[piece("r", "ruins", 30, 5, 42, 8.5)],
        )
        do(battle, "h", action, {"to": {"beside": "a"}})
        if battle.decision is not None and asked(battle) == "ask.place-in-unit":
            do(battle, "2")
        assert rolled(battle, "dangerous") == dice


@pytest.mark.rule("t9a.rule.automatic-hits")
def test_automatic_hits_roll_no_dice_in_melee_either():
    axe = blade("axe", "automatic-hits")
    for attacker in (one("automatic-hits", att=2), one(att=2, weapons=("axe",), own=[axe])):
        battle = duel(attacker, foe(), [6, 1])
        assert rolled(battle, "hit") == []
        assert rolled(battle, "wound") == [2]
        assert lost(battle, "b") == 1


@pytest.mark.rule("t9a.rule.afflict")
def test_soldiers_behind_their_captain_afflict_nobody():
    """Only models in contact do."""
    captain = hero("g", 1, in_unit="b", of=profile(hp=3, parts=[QUIET]), file=0, rank=0)
    for models, need in ((3, 3), (0, 4)):
        others = [captain] if models else []
        battle = duel(one(off=4), foe("afflict off-1"), [1], foes=3, b={"files": 1}, others=others)
        if others:
            do(battle, {"b": 1, "g": 0})
        assert needs(battle, "hit") == [need]


@pytest.mark.rule("t9a.rule.focused", "t9a.rule.area-attack.limits")
def test_a_focused_area_attack_hits_once_more_but_no_more_models_than_there_are():
    for models, hits in ((10, 3), (2, 2)):
        weapon = gun("gun", "area-attack 2x1")
        engine = profile(parts=[part("focused shooting", weapons=("gun",), aim={"gun": 4}, own=[weapon])])
        battle = scene(
            unit("a", models=1, files=1, at=(36.0, 10.0), of=engine),
            unit("b", 1, models=models, files=min(5, models)),
            moment="shooting",
            dice=[6, 1, 1, 1],
        )
        assert rolled(do(battle, "a", "b"), "wound") == [hits]


@pytest.mark.rule("t9a.leader.choice", "t9a.leader.recruiter", "t9a.leader.fresh-meat")
def test_any_character_leads_and_any_unit_of_several_models_takes_fresh_meat():
    def told(*picks):
        roster = muster.Roster(book="thornmark", units=picks, size=2000)
        return [r.rule for r in muster.objections(roster) if not r.rule.startswith("t9a.prep.")]

    general = muster.Pick(entry="thorn-captain", options=("general", "battlefield-hero"))
    recruiter = muster.Pick(entry="powder-wright", options=("recruiter",))
    bows = muster.Pick(entry="hedge-bows", models=30, options=("standard", "fresh-meat"))
    assert told(general) == []
    assert told(recruiter, bows) == []
    assert told(general, recruiter) == ["t9a.leader.choice"]
    assert told(general, bows) == ["t9a.leader.recruiter"]
    assert told(recruiter, muster.Pick(entry="hedge-cannon", options=("fresh-meat",))) == ["t9a.leader.recruiter"]
    assert told(muster.Pick(entry="powder-wright", options=("innovator",))) == ["t9a.leader.innovator"]
    book = content.books()["thornmark"]
    made = muster.build_pool(book, book.entry("hedge-bows"), bows, 0, "0-1")
    assert "t9a.rule.solitary" in made.profile.names
    captain = muster.build_pool(book, book.entry("thorn-captain"), general, 0, "0-2", "battlefield-hero")
    assert next(r.x for r in captain.profile.rules if r.id == "t9a.rule.commanding-presence") == "18"


@pytest.mark.rule("t9a.leader.innovator")
def test_other_bases_are_refused_with_those_that_would_do():
    roster = muster.Roster(
        book="thornmark",
        units=(
            muster.Pick(entry="marcher-lord", options=("general", "innovator")),
            muster.Pick(entry="spear-levy", base=(30.0, 20.0)),
        ),
        size=2000,
    )
    reason = next(r for r in muster.objections(roster) if r.rule == "t9a.leader.innovator")
    assert (reason.facts["w0"], reason.facts["w1"], reason.facts["d0"], reason.facts["d1"]) == (20, 25, 20, 30)


# -- where a model stands in the unit that it joins -------------------------------------------------------------------


def going(of, at=(36.0, 7.0), **more):
    return scene(
        unit("a", at=(36.0, 12.0), models=15, **more),
        hero("h", at=at, of=of),
        unit("z", 1, at=(10.0, 46.0)),
        moment="movement",
    )


@pytest.mark.rule("t9a.rule.stand-behind", "t9a.char.join.displace")
def test_who_need_not_stand_in_front_joins_behind():
    for rules, behind in (((), False), (("stand-behind",), True)):
        battle = going(profile(*rules, hp=3, mob=9))
        do(battle, "h", "march", {"to": {"beside": "a"}})
        assert ("2:2" in offered(battle)) == behind
        assert battle.decision.default == "2"
    do(battle, "2:2")
    assert (p(battle, "h").file, p(battle, "h").rank) == (2, 2)
    # The rear is nearer: who may stand there joins with a shorter move.
    far = {"deed": "join", "who": "h", "whom": ["a"]}
    for rules, told in (((), ["t9a.char.join.distance"]), (("stand-behind",), [])):
        battle = going(profile(*rules, hp=3, mob=2), at=(36.0, 7.9))
        assert [reason.rule for reason in battle.why_not(0, far).reasons] == told


@pytest.mark.rule("t9a.char.base.mismatching")
def test_an_odd_base_stands_beside_the_end_that_its_owner_likes():
    battle = going(profile(hp=3, mob=9, base=(40.0, 40.0)))
    do(battle, "h", "march", {"to": {"beside": "a"}})
    assert offered(battle) == ["left", "right"]
    do(battle, "right")
    cell = next(c for c in layout(battle.state, battle.state.unit("a")).cells if c.pool == "h")
    assert cell.x0 > 1.0


@pytest.mark.rule("t9a.prep.deploy.attached", "t9a.char.position.front")
def test_a_model_deployed_in_a_unit_has_a_place_of_its_owners_choice():
    battle = scene(
        unit("a", models=15, where="list"),
        hero("h", of=profile(hp=3), where="list"),
        unit("b", 1, where="list"),
        moment="deployment",
    )
    do(battle, "a", ["h"])
    assert asked(battle) == "ask.place-in-unit"
    assert offered(battle) == ["0", "1", "2", "3", "4"]
    do(battle, "4")
    assert p(battle, "h").file == 4


@pytest.mark.rule("t9a.rule.vanguard.limits")
def test_a_wish_about_a_vanguard_move_is_judged_as_one():
    battle = scene(
        unit("a", of=profile("vanguard", mob=9), where="list"),
        unit("b", 1, where="list"),
        moment="deployment",
        defender=0,
    )
    while asked(battle) != "ask.vanguard":
        ask = battle.decision
        battle.answer(ask.default if asked(battle) == "ask.place" else ask.suggest())
    do(battle, "a")
    for inches, legal in ((12, True), (12.1, False)):
        wish = {
            "deed": "move",
            "who": "a",
            "using": "march",
            "answer": {"path": [{"how": "forward", "inches": inches}]},
        }
        assert battle.why_not(0, wish).legal == legal


@pytest.mark.rule("t9a.terrain.wall.fortified")
def test_a_wall_in_the_gap_that_is_struck_across_counts():
    """Seven models in two ranks, charged in the rear: the outer chargers reach over empty places."""
    wall = piece("w", "wall", 37.6, 20.4, 38.4, 20.6)
    battle = duel(
        one(),
        foe(),
        [1] * 5,
        models=5,
        foes=7,
        a={"charging": True},
        b={"at": (36.0, 22.0), "facing": 0.0},
        terrain=[wall],
    )
    assert sorted(needs(battle, "hit")) == [4, 5]
    assert sorted(rolled(battle, "hit")) == [1, 4]


# -- refusals that tell what was measured -----------------------------------------------------------------------------


def archers(**more):
    return profile(parts=[part(weapons=("bow",), aim={"bow": 4})], **more)


@pytest.mark.rule("t9a.rule.engineer")
def test_why_an_engineer_helps_nobody_is_told():
    def aid(x, rules=("engineer",), **more):
        return scene(
            unit("a", models=1, files=1, at=(36.0, 10.0), of=archers()),
            hero("e", at=(x, 10.0), of=profile(*rules, hp=3), **more),
            unit("b", 1, at=(36.0, 20.0)),
            moment="shooting",
            dice=[1],
        )

    def told(battle, answer="engineer:e"):
        return [(r.rule, r.key, r.facts.get("gap")) for r in battle.check(answer, 0).reasons]

    far = "reason.t9a.engineer.far"
    assert "engineer:e" in offered(aid(43.0))
    assert told(aid(43.1)) == [("t9a.rule.engineer", far, 6.1)]
    assert told(aid(40.0, shaken=True)) == [("t9a.rule.engineer", "reason.t9a.is-shaken", None)]
    assert told(aid(40.0, ("engineer (crossbow)",))) == [("t9a.rule.engineer", "reason.t9a.engineer.unknown", None)]
    assert "engineer:e" in offered(aid(40.0, ("engineer (bow)",)))
    battle = do(aid(40.0), "engineer:e", "a")
    assert told(battle)[0][1] == "reason.t9a.engineer.once"


@pytest.mark.rule("t9a.rule.hidden")
def test_why_a_hidden_model_stays_hidden_is_told():
    def keys(of, **more):
        battle = scene(
            unit("a", **more), hero("h", of=of, where="hidden"), unit("z", 1, at=(10.0, 46.0)), moment="charge"
        )
        state = battle.state
        return [(r.rule, r.key) for r in reserves.hiding_objections(state, state.pool("h"), state.unit("a"))]

    rule = "t9a.rule.hidden"
    assert keys(profile("hidden", hp=3)) == []
    assert keys(profile("hidden", hp=3, height=2)) == [(rule, "reason.t9a.hidden.height")]
    assert keys(profile("hidden", hp=3, base=(40.0, 40.0)))[0] == (rule, "reason.t9a.hidden.base")
    assert keys(profile("hidden", hp=3), shaken=True) == [(rule, "reason.t9a.is-shaken")]
    assert keys(profile("hidden", hp=3), summoned=True) == [(rule, "reason.t9a.hidden.summoned")]


@pytest.mark.rule("t9a.leader.innovator", "t9a.char.mount.base-height")
def test_an_innovators_rider_stands_on_another_base_of_its_mount():
    book = content.books()["thornmark"]
    lord = book.entry("marcher-lord")
    wide = muster.Pick(entry="marcher-lord", options=("general", "innovator"), mount="courser", base=(30.0, 75.0))
    assert not [r for r in muster.unit_objections(book, lord, wide, "innovator") if r.rule == "t9a.leader.innovator"]
    assert muster.build_pool(book, lord, wide, 0, "0-0", "innovator").profile.base == (30.0, 75.0)
    foot = msgspec.structs.replace(wide, base=(25.0, 25.0))
    assert [r.rule for r in muster.unit_objections(book, lord, foot, "innovator")] == ["t9a.leader.innovator"]
