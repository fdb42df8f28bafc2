"""Weapons: which is used, and what it changes."""

import pytest

from t9a.builder import (
    QUIET,
    asked,
    blade,
    do,
    duel,
    events,
    fired,
    hero,
    last,
    lost,
    needs,
    offered,
    p,
    part,
    profile,
    refused,
    rolled,
    scene,
    spell,
    u,
    unit,
)
from umpire.engine.effects import Effect
from umpire.games.t9a import weapons
from umpire.games.t9a.characteristics import armour


def foe(*rules, **more):
    return profile(*rules, **{"hp": 9, "parts": [QUIET], **more})


def armed(*names, **more):
    extra = {k: more.pop(k) for k in ("shield", "height", "traits") if k in more}
    return profile(parts=[part(weapons=names, **{"off": 9, "agi": 5, **more})], **extra)


@pytest.mark.rule("t9a.melee.equip.weapon-priority", "t9a.rule.weapon.hand")
def test_the_highest_class_of_weapon_must_be_used():
    state = duel(armed("halberd"), foe(), [1]).state
    pool = state.pool("a")
    assert weapons.choices(state, pool, 0) == ["halberd"]
    assert "t9a.melee.equip.weapon-priority" in [r.rule for r in weapons.weapon_objections(state, pool, 0, "hand")]
    battle = duel(armed("halberd", "paired"), foe(), [1])
    assert offered(battle) == ["halberd", "paired"]
    refused(battle, "hand", "t9a.melee.equip.weapon-priority")
    enchanted = profile(parts=[part(weapons=("halberd",), own=[blade(enchanted=True)])])
    state = duel(enchanted, foe(), [1]).state
    assert weapons.choices(state, state.pool("a"), 0) == ["blade"]
    state = duel(profile(), foe(), [1]).state
    assert weapons.choices(state, state.pool("a"), 0) == ["hand"]


@pytest.mark.rule("t9a.rule.weapon.melee-choice", "t9a.melee.equip.order")
def test_the_choice_stays_until_the_engagement_ends():
    battle = duel(armed("great", "halberd"), foe(), [1], until="battle")
    assert asked(battle) == "ask.melee-weapon"
    do(battle, "halberd")
    assert p(battle, "a").weapon == ("halberd",)
    state = battle.state
    rules = [r.rule for r in weapons.weapon_objections(state, p(battle, "a"), 0, "great")]
    assert rules == ["t9a.rule.weapon.melee-choice"]


@pytest.mark.rule("t9a.rule.weapon-master")
def test_a_weapon_master_chooses_anew_but_not_past_an_enchanted_weapon():
    master = profile(parts=[part("weapon-master", weapons=("great",))])
    battle = duel(master, foe(), [1], a={"weapon": ("great",)})
    assert offered(battle) == ["hand", "great"]
    both = profile(parts=[part("weapon-master", weapons=("halberd",), own=[blade(enchanted=True)])])
    state = duel(both, foe(), [1]).state
    assert weapons.choices(state, state.pool("a"), 0) == ["blade"]


@pytest.mark.rule("t9a.rule.weapon.natural")
def test_mounts_and_beasts_fight_with_natural_weapons():
    state = duel(profile(parts=[part(natural=True)], shield=True), foe(), [1]).state
    assert weapons.in_use(state, state.pool("a"), 0).id == "natural"
    assert not weapons.parries(state, state.pool("a"))
    state = duel(profile(parts=[part(natural=True, own=[blade()])]), foe(), [1]).state
    assert weapons.in_use(state, state.pool("a"), 0).id == "blade"


@pytest.mark.rule("t9a.rule.weapon.halberd", "t9a.rule.two-handed")
def test_a_halberd_is_stronger_and_leaves_the_shield():
    bearer = profile(parts=[part(weapons=("halberd",), off=9, agi=5)], arm=3, shield=True)
    battle = duel(bearer, foe(res=4, arm=6), [6, 4, 6])
    assert needs(battle, "wound") == [4]
    assert needs(battle, "armour") == [2]
    state = battle.state
    assert armour(state, state.pool("a"), False).total == 4
    assert armour(state, state.pool("a"), True).total == 3


@pytest.mark.rule("t9a.rule.hand-and-a-half", "t9a.rule.shield.parry")
def test_hand_and_a_half_keeps_shield_and_parry():
    bearer = profile(parts=[part("hand-and-a-half", weapons=("halberd",))], arm=3, shield=True)
    state = duel(bearer, foe(), [1]).state
    assert armour(state, state.pool("a"), True).total == 4
    assert weapons.parries(state, state.pool("a"))
    for height, armed_with, expected in ((1, (), True), (3, (), True), (4, (), False), (1, ("spear",), False)):
        state = duel(profile(parts=[part(weapons=armed_with)], shield=True, height=height), foe(), [1]).state
        assert weapons.parries(state, state.pool("a")) is expected


@pytest.mark.rule("t9a.rule.parry", "t9a.rule.weapon.paired")
def test_parry_works_from_the_front_and_not_against_paired_weapons():
    shielded = foe(parts=[part(att=None)], shield=True)
    assert needs(duel(armed(off=7), shielded, [1]), "hit") == [4]
    assert needs(duel(armed(off=7), foe(df=3), [1]), "hit") == [2]
    assert needs(duel(armed(off=4), foe(df=6, shield=True), [1]), "hit") == [4]
    battle = duel(armed("paired", off=4, att=2), shielded, [1, 1, 1])
    assert needs(battle, "hit") == [3]
    assert rolled(battle, "hit") == [3]
    flank = scene(
        unit("a", of=armed(off=7), models=1, files=1, at=(38.5, 18.5), facing=270.0),
        unit("b", 1, of=shielded, models=5, at=(36, 17)),
        moment="melee",
        dice=[1],
    )
    assert flank.state.pairs == [] or needs(flank, "hit") == [2]


@pytest.mark.rule("t9a.rule.weapon.lance", "t9a.rule.weapon.light-lance")
def test_lances_are_for_riders_who_charge():
    def fight(weapon, charging, mounted=True, s=4):
        rider = profile(
            parts=[part(weapons=(weapon,), agi=4, off=9, s=s)], traits=("mounted",) if mounted else (), height=2
        )
        return duel(rider, foe(res=6, arm=6, parts=[part(att=None, agi=None)]), [6, 6, 6], a={"charging": charging})

    battle = fight("lance", True)
    assert last(battle, "order")["steps"][0] == 6
    assert needs(battle, "wound") == [4]
    assert needs(battle, "armour") == [3]
    assert needs(fight("lance", False), "wound") == [6]
    assert needs(fight("light-lance", True, s=5), "wound") == [4]
    assert needs(fight("lance", True, mounted=False), "wound") == [6]


@pytest.mark.rule("t9a.rule.weapon.spear", "t9a.rule.fight-in-extra-rank")
def test_spears_strike_earlier_pierce_riders_and_support_from_two_ranks():
    spear = profile(parts=[part(weapons=("spear",), agi=3, off=9)], shield=True)
    battle = duel(spear, foe(arm=4, parts=[part(att=None, agi=None)]), [1] * 15, models=15, foes=5)
    assert last(battle, "order")["steps"][0] == 4
    assert sum(rolled(battle, "hit")) == 15
    mounted = foe(arm=4, traits=("mounted",))
    assert needs(duel(spear, mounted, [6, 6, 6]), "armour") == [5]
    assert needs(duel(spear, foe(arm=4), [6, 6, 6]), "armour") == [4]
    state = duel(spear, foe(), [1]).state
    assert not weapons.parries(state, state.pool("a"))
    rider = profile(parts=[part(weapons=("spear",))], traits=("mounted",))
    state = duel(rider, foe(), [1]).state
    assert weapons.in_use(state, state.pool("a"), 0).id == "hand"


@pytest.mark.rule("t9a.rule.weapon", "t9a.char.mount.offensive")
def test_the_horse_does_not_use_the_riders_weapon():
    knight = profile(
        parts=[part(weapons=("great",), s=4, off=9, agi=5), part(s=3, off=9, agi=4, mount=True)],
        traits=("mounted",),
        height=2,
    )
    battle = duel(knight, foe(res=6), [6, 1, 6, 1])
    assert needs(battle, "wound") == [6, 4]


@pytest.mark.rule("t9a.melee.attack.damage", "t9a.rule.weapon.melee-other")
def test_a_weapon_in_use_changes_its_own_parts_agility_only():
    knight = profile(parts=[part(weapons=("spear",), agi=3), part(agi=3, mount=True)], height=2)
    battle = duel(knight, foe(parts=[part(att=None, agi=None)]), [1, 1])
    assert last(battle, "order")["steps"][:2] == [4, 3]
    assert lost(battle, "b") == 0
    assert not events(battle, "wounds")


@pytest.mark.rule("t9a.rule.weapon.bonus-timing")
def test_a_rolled_bonus_is_settled_once_when_the_step_begins():
    """+D3 Strength, a 5: Strength 3 + 3 against Resilience 6 wounds on 4+ with both attacks; the roll comes before the
    attacks of the step, those of a faster enemy included in an earlier one do not wait for it."""
    scythe = blade("scythe", enchanted=True, mods={"str": "D3"})
    reaper = profile(parts=[part(own=(scythe,), att=2, off=9, agi=3)], hp=9, res=9)
    battle = duel(reaper, profile(hp=9, res=6, parts=[part(agi=5)]), [1, 5, 6, 6, 4, 3])
    rolls = [e.roll.purpose for e in battle.events if e.kind == "roll"]
    assert rolls[:4] == ["hit", "weapon-bonus", "hit", "wound"]
    assert needs(battle, "wound")[-1] == 4
    fired(battle, "t9a.rule.weapon.bonus-timing")


@pytest.mark.rule("t9a.rule.weapon.bonus-timing")
def test_one_roll_serves_every_target():
    """Two enemies: one roll of the bonus, before the attacks are shared out."""
    scythe = blade("scythe", enchanted=True, mods={"str": "D3"})
    reaper = profile(parts=[part(own=(scythe,), att=2, off=9, agi=3)], hp=9, res=9)
    battle = scene(
        unit("a", at=(36, 20), of=reaper, models=1, files=1),
        unit("b", 1, at=(35.5, 20), of=foe(), models=1, files=1),
        unit("c", 1, at=(36.5, 20), of=foe(), models=1, files=1),
        moment="melee",
        dice=[5, 6, 6, 6, 6, 1, 1],
    )
    assert rolled(battle, "weapon-bonus") == [1]
    do(battle, {"b": 1, "c": 1})
    assert rolled(battle, "weapon-bonus") == [1]
    assert rolled(battle, "hit") == [1, 1]


@pytest.mark.rule("t9a.rule.weapon.melee-choice", "t9a.def.duration.end-of-combat")
def test_who_leaves_a_combat_for_another_chooses_anew_and_leaves_behind_what_lasted_until_its_end():
    """It has run down its foe and charges the next: it was engaged with nobody in between."""
    grip = Effect("a", "str", "add", 1, "t9a.magic.resolve", "barkskin", "engaged")
    battle = scene(
        unit("a", at=(36, 20), of=profile(parts=[part(att=None, weapons=("great", "halberd"))]), standard=True),
        unit("b", 1, at=(36, 20), of=profile(dis=5, parts=[QUIET]), models=5),
        unit("c", 1, at=(36, 26), models=5),
        moment="melee",
        dice=[6, 6, 1, 1, 4, 4],
        effects=(grip,),
    )
    do(battle, "halberd")
    assert p(battle, "a").weapon == ("halberd",)
    assert battle.state.effects == [grip]
    do(battle, "b")
    assert battle.state.foes("a") == ["c"]
    assert weapons.choices(battle.state, p(battle, "a"), 0) == ["great", "halberd"]
    assert battle.state.effects == []


@pytest.mark.rule("t9a.rule.weapon.melee-choice", "t9a.attack.engaged-casualties.last-model")
def test_whose_foe_is_gone_before_the_melee_phase_chooses_anew():
    zap = spell("zap", value=3, range=48, hits="1", s=9, ap=9)
    battle = scene(
        unit("a", at=(36, 20), of=profile(parts=[part(weapons=("great", "halberd"))]), models=5, weapon=("great",)),
        hero("w", wizard="apprentice", spells=("zap",), at=(50, 20)),
        unit("b", 1, at=(36, 20), models=1, files=1),
        unit("z", 1, at=(8, 46)),
        moment="magic",
        dice=[6, 5, 6],
        spells=(zap,),
    )
    assert weapons.choices(battle.state, p(battle, "a"), 0) == ["great"]
    do(battle, False, "w:zap", "b", "2", "0")
    assert u(battle, "b").where == "gone"
    assert weapons.choices(battle.state, p(battle, "a"), 0) == ["great", "halberd"]
