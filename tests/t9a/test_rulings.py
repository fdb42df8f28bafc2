"""Positions that judges are asked about: measured from which base, who of a unit, which attacks, which reasons."""

import pytest

from t9a.builder import (
    asked,
    do,
    duel,
    events,
    fired,
    hero,
    last,
    lost,
    needs,
    p,
    part,
    piece,
    profile,
    quiet,
    rolled,
    scene,
    spell,
    u,
    unit,
)
from umpire.engine.wishes import Wish
from umpire.games.t9a import command
from umpire.text import say

FAR_FOE = unit("z", 1, at=(4, 46), models=1, files=1)


@pytest.mark.rule("t9a.rule.commanding-presence", "t9a.rule.rally-around-the-flag")
@pytest.mark.parametrize(("file", "reached"), [(7, True), (0, False)])
def test_auras_reach_from_the_model_not_from_its_unit(file, reached):
    """Twelve inches from a general at the near end of his unit are more at the other end."""
    battle = scene(
        unit("a", of=quiet(dis=6), at=(20, 20), models=16, files=8),
        hero("h", 0, "a", general=True, bearer=True, of=quiet(dis=9, hp=3), file=file, rank=0),
        unit("b", of=quiet(dis=6), at=(38.4, 20), models=5, files=5),
        FAR_FOE,
        moment="rally",
        until="battle",
    )
    state = battle.state
    assert command.discipline(state, u(battle, "b")).total == (9 if reached else 6)
    assert bool(command.rallied(state, u(battle, "b"))) is reached


@pytest.mark.rule("t9a.rule.afflict")
def test_affliction_takes_armour_and_discipline_too():
    battle = scene(
        unit("a", of=quiet("afflict dis-1 arm-1"), at=(36, 20)),
        unit("b", 1, of=quiet(dis=7, arm=3), at=(36, 20)),
        moment="melee",
        until="battle",
    )
    from umpire.games.t9a.characteristics import armour

    assert command.discipline(battle.state, u(battle, "b")).total == 6
    assert armour(battle.state, p(battle, "b"), melee=True).total == 2


@pytest.mark.rule("t9a.rule.mindless", "t9a.melee.post.reform.test")
@pytest.mark.parametrize("mindless", [True, False])
def test_the_mindless_pass_tests_for_combat_reforms(mindless):
    rules = ("mindless", "stubborn") if mindless else ("stubborn",)
    battle = scene(
        unit("a", of=quiet(*rules, dis=10), at=(36, 20), models=10),
        unit("b", 1, of=quiet(), at=(38, 20), models=20, standard=True),
        moment="melee",
        dice=[1, 1, 6, 6],
    )
    while battle.decision is not None and asked(battle) != "ask.combat-reform":
        battle.answer(["a"] if asked(battle) == "ask.combat-reforms" and battle.decision.side == 0 else [])
    assert bool(events(battle, "test-passed")) is mindless
    assert (battle.decision is not None) is mindless


@pytest.mark.rule("t9a.rule.random-movement.distance", "t9a.rule.swiftstride")
def test_what_maximises_a_pursuit_maximises_a_random_move():
    mover = quiet("random-movement.distance 2D6", "swiftstride")
    battle = scene(unit("a", of=mover, at=(36, 20), models=3, files=3), FAR_FOE, moment="movement", dice=[1, 4, 5])
    do(battle, 0.0)
    assert u(battle, "a").y == pytest.approx(29.0)


@pytest.mark.rule("t9a.rule.crush-attack", "t9a.rule.distracting")
def test_a_crush_attack_is_distracted_like_any_other():
    giant = profile(hp=5, height=5, base=(50, 50), parts=[part("crush-attack", att=5, off=3, s=5)])
    battle = duel(giant, quiet("distracting", hp=9, res=9), [5, 6, 5])
    battle.answer(True)
    assert needs(battle, "hit") == [5]
    assert lost(battle, "b") == 3


@pytest.mark.rule("t9a.terrain.dangerous.pools")
def test_a_pool_that_kept_clear_of_danger_does_not_test():
    """Ten soldiers and two characters; only the left half of the front passes the ruins."""
    tall = quiet(hp=3, height=2)
    battle = scene(
        unit("a", of=quiet(), at=(36, 20), models=10, files=6),
        hero("g", 0, "a", of=tall, file=0, rank=0),
        hero("h", 0, "a", of=tall, file=5, rank=0),
        FAR_FOE,
        moment="movement",
        terrain=[piece("t", "ruins", 30, 22, 36.5, 23)],
        dice=[1] * 9,
    )
    do(battle, "a", "march", {"path": [{"how": "forward", "inches": 8.0}]})
    assert rolled(battle, "dangerous") == [5, 2]
    assert [e.facts["pool"] for e in events(battle, "dangerous")] == ["a", "g"]


@pytest.mark.rule("t9a.charge.declare.los", "t9a.charge.declare.possible")
def test_a_charge_too_far_at_somebody_unseen_has_both_reasons():
    battle = scene(unit("a", at=(36, 10)), unit("b", 1, at=(36, 40)), unit("c", 1, at=(36, 20), models=7, files=7))
    found = [(r.rule, dict(r.facts)) for r in battle.why_not(0, Wish(deed="charge", who="a", whom=("b",))).reasons]
    assert ("t9a.charge.declare.possible", {"gap": 30, "most": 14}) in found
    assert ("t9a.charge.declare.los", {"target": "b"}) in found
    assert ("t9a.def.los.blockers", {"other": "c", "height": 1, "most": 1}) in found


@pytest.mark.rule("t9a.magic.miscast.breach")
@pytest.mark.parametrize(("file", "hit"), [(4, True), (0, False)])
def test_a_breach_is_measured_from_the_caster(file, hit):
    battle = scene(
        unit("a", of=quiet(res=9), at=(20, 20), models=10, files=5),
        hero("w", 0, "a", wizard="adept", spells=("zap",), of=quiet(hp=3, res=9), file=file, rank=0),
        unit("n", of=quiet(res=9), at=(28.0, 20.0), models=5, files=5),
        unit("b", 1, at=(20, 36)),
        moment="magic",
        spells=(spell("zap", value=5, range=24, whom="enemy", hits="1", s=3),),
        dice=[6, 6, 6, 6, 6],
        decks=((6,), (6,)),
    )
    if asked(battle) == "ask.store":
        battle.answer(False)
    do(battle, "w:zap", "b", "5", "0")
    burned = [e.facts["unit"] for e in events(battle, "witchfire")]
    assert ("n" in burned) is hit
    fired(battle, "t9a.magic.miscast.breach")
    assert last(battle, "breach")["who"] == "w"


# -- pools whose models differ -----------------------------------------------------------------------------------------


@pytest.mark.rule("t9a.attack.allocate.majority", "t9a.attack.health-pool")
@pytest.mark.parametrize(("bare", "saved"), [(4, [6]), (6, [])])
def test_saves_are_taken_with_what_most_models_have(bare, saved):
    """Ten models, of which some have no shield: with six shields all saves are taken with them, with four none is."""
    battle = scene(
        unit("a", of=profile(parts=[part(att=1, off=9, s=9)]), at=(36, 20), models=5),
        unit("b", 1, of=quiet(shield=True), at=(36, 20), models=10, kinds=({"models": bare, "shield": False},)),
        moment="melee",
        dice=[6, 6, 6, 6, 6, 6, 6, 6, 6, 6] + [5] * 5,
    )
    assert needs(battle, "armour")[:1] == saved
    fired(battle, "t9a.attack.allocate.majority")


@pytest.mark.rule("t9a.attack.allocate.majority")
@pytest.mark.parametrize(("choice", "need"), [("0", 5), ("1", 3)])
def test_of_as_many_the_attacker_chooses(choice, need):
    battle = scene(
        unit("a", of=profile(parts=[part(att=1, off=9, s=4)]), at=(36, 20), models=5),
        unit("b", 1, of=quiet(res=5), at=(36, 20), models=10, kinds=({"models": 5, "res": 3},)),
        moment="melee",
        dice=[6] * 5 + [1] * 5,
    )
    assert asked(battle) == "ask.majority"
    assert battle.decision.side == 0
    do(battle, choice)
    assert needs(battle, "wound") == [need]


@pytest.mark.rule("t9a.attack.casualties.rear-first")
def test_of_a_mixed_last_rank_the_owner_says_who_falls():
    battle = scene(
        unit("a", of=profile(parts=[part(att=1, off=9, s=9)]), at=(36, 20), models=2, files=2),
        unit("b", 1, of=quiet(), at=(36, 20), models=10, kinds=({"models": 3, "arm": 1},)),
        moment="melee",
        dice=[6, 6, 6, 6, 1, 1],
    )
    assert asked(battle) == "ask.who-falls"
    assert battle.decision.default == "1", "those of the last kind are proposed"
    assert battle.decision.side == 1
    do(battle, "0")
    assert [kind.count for kind in p(battle, "b").kinds] == [5, 3]
    assert p(battle, "b").count == 8


# -- sight by the Heights of models ------------------------------------------------------------------------------------


def sees(battle, who, whom):
    from umpire.games.t9a import sight

    return sight.sees(battle.state, u(battle, who), u(battle, whom))


@pytest.mark.rule("t9a.def.los.blockers", "t9a.def.height.unit")
def test_a_tall_model_in_a_low_unit_is_looked_at_and_looks_over_others():
    tall = quiet(hp=3, height=3)
    low = unit("m", 1, at=(36, 20), models=15, files=15, of=quiet())
    plain = scene(unit("a", at=(36, 10), of=quiet()), low, unit("b", 1, at=(36, 30), of=quiet()), until="battle")
    assert not sees(plain, "a", "b")
    ridden = scene(
        unit("a", at=(36, 10), of=quiet()),
        low,
        unit("b", 1, at=(36, 30), of=quiet()),
        hero("h", 1, "b", of=tall),
        until="battle",
    )
    assert sees(ridden, "a", "b")
    looking = scene(
        unit("a", at=(36, 10), of=quiet()),
        hero("g", 0, "a", of=tall),
        low,
        unit("b", 1, at=(36, 30), of=quiet()),
        until="battle",
    )
    assert sees(looking, "a", "b")


@pytest.mark.rule("t9a.def.los.blockers")
def test_a_tall_model_in_a_low_unit_hides_whom_its_unit_does_not():
    high = quiet(height=2)
    between = unit("m", 1, at=(36, 20), models=10, files=5, of=quiet())
    open_ = scene(
        unit("a", at=(36, 10), of=high, models=1, files=1),
        between,
        unit("b", 1, at=(36, 30), of=high, models=1, files=1),
        until="battle",
    )
    assert sees(open_, "a", "b")
    wide = quiet(hp=3, height=3, base=(127.0, 25.4))
    hidden = scene(
        unit("a", at=(36, 10), of=high, models=1, files=1),
        between,
        hero("h", 1, "m", of=wide),
        unit("b", 1, at=(36, 30), of=high, models=1, files=1),
        until="battle",
    )
    assert not sees(hidden, "a", "b")


@pytest.mark.rule("t9a.magic.cast.declare")
def test_a_point_of_the_ground_is_asked_for_as_a_point():
    battle = scene(
        hero("w", at=(36, 10), wizard="adept", spells=("burst",), of=quiet(hp=3)),
        unit("b", 1, at=(36, 20)),
        moment="magic",
        spells=(spell("burst", value=5, range=18, type="ground", whom="any", radius=3, hits="1", s=3),),
        decks=((6,), (6,)),
    )
    do(battle, False, "w:burst")
    form = battle.decision.form
    assert form.ways == ("spot",)
    assert form.pieces == ("point",)
    assert form.shapes["point"].shape.width == 6
    do(battle, {"x": 36, "y": 20})
    assert battle.state.cast.at == (36, 20)


# -- read word by word -------------------------------------------------------------------------------------------------


@pytest.mark.rule("t9a.def.formation.ranks-vs-files")
@pytest.mark.parametrize(("files", "models", "free"), [(4, 16, False), (5, 25, True)])
def test_joining_makes_no_unit_deeper_than_wide(files, models, free):
    from umpire.games.t9a import joining

    battle = scene(
        unit("a", of=quiet(), at=(36, 20), models=models, files=files),
        hero("h", of=quiet(hp=3), at=(41, 20)),
        FAR_FOE,
        moment="movement",
        until="battle",
    )
    assert joining.may_join(battle.state, p(battle, "h"), u(battle, "a")) is free


@pytest.mark.rule("t9a.attack.casualties.front-rank", "t9a.melee.prep.lock")
def test_a_rear_rank_too_short_leaves_the_rest_to_both_ends_of_the_first():
    battle = scene(
        unit("a", of=profile(hp=9, dis=10, parts=[part(att=1, off=9, s=9, agi=9)]), at=(36, 20), models=5),
        unit("b", 1, of=profile(dis=10, parts=[part(agi=1)]), at=(36, 20), models=8),
        moment="melee",
        dice=[6] * 10 + [1] * 3,
    )
    assert last(battle, "gap")["models"] == 2
    assert [e.facts["dice"] for e in events(battle, "hits") if e.facts["who"] == "b"] == [3]


@pytest.mark.rule("t9a.magic.raise.placement")
@pytest.mark.parametrize(("answer", "files"), [("first", 7), ("second", 5)])
def test_beyond_a_full_rank_the_owner_says_where_the_raised_stand(answer, files):
    battle = scene(
        hero("w", at=(50, 10), wizard="apprentice", spells=("rise",), of=quiet(hp=3)),
        unit("a", of=quiet(), at=(36, 12), models=4, start=10, files=4),
        unit("b", 1, at=(36, 40)),
        moment="magic",
        spells=(spell("rise", value=7, range=18, whom="friend", raises="3"),),
        dice=[5, 5],
        decks=((6,), (0,)),
    )
    do(battle, False, "w:rise", "a", "2", "0")
    assert asked(battle) == "ask.raise-where"
    do(battle, answer)
    assert (p(battle, "a").count, u(battle, "a").files) == (7, files)


@pytest.mark.rule("t9a.attack.last-hp.effects-end")
def test_spells_end_with_the_model_that_cast_them():
    from umpire.games.t9a import casualties

    battle = scene(
        hero("w", at=(50, 10), wizard="apprentice", spells=("bless",), of=quiet(hp=3)),
        unit("a", of=quiet(), at=(36, 12)),
        unit("b", 1, at=(36, 40)),
        moment="magic",
        spells=(spell("bless", value=7, range=18, whom="friend", duration="turn", mods={"res": 1}),),
        dice=[5, 4],
        decks=((6,), (0,)),
        until="battle",
    )
    do(battle, False, "w:bless", "a", "2", "0")
    assert [e.on for e in battle.state.effects] == ["a"]
    casualties.lose(battle, p(battle, "w"), 3, melee=False)
    assert battle.state.effects == []


def why(battle, answer):
    """What a refused answer is told."""
    return {reason.rule.removeprefix("t9a."): say(reason.text, "en", "t9a") for reason in battle.check(answer).reasons}


@pytest.mark.rule("t9a.move.final-position", "t9a.def.spacing.during")
def test_a_refused_move_is_told_what_was_measured():
    battle = scene(
        unit("a", of=quiet(), at=(36, 10), models=1, files=1),
        unit("b", of=quiet(), at=(37.3, 12), models=1, files=1),
        FAR_FOE,
        moment="movement",
    )
    do(battle, "a", "march")
    against = battle.check({"path": [{"how": "forward", "inches": 5}]}).reasons
    assert {r.rule: (r.facts["gap"], r.facts["least"]) for r in against}["t9a.def.spacing.during"] == (0.3, 0.5)
    assert all("{" not in text for text in why(battle, {"path": [{"how": "forward", "inches": 5}]}).values())
    told = why(battle, {"path": [{"how": "wheel", "degrees": 45}, {"how": "forward", "inches": 8}]})
    assert '8" at most' in told["move.final-position"]


@pytest.mark.rule("t9a.magic.cast.dice")
def test_whoever_has_too_few_dice_is_told_how_many_are_left():
    """The last die is gone with the phase."""
    zap = spell("zap", value=3, hits="1", s=1)
    battle = scene(
        hero("w", at=(36, 20), wizard="apprentice", spells=("zap",)),
        hero("v", at=(30, 20), wizard="apprentice", spells=("zap",)),
        unit("b", 1, at=(36, 30)),
        moment="magic",
        spells=(zap,),
        decks=[(4,), (4,)],
        dice=[6, 5, 4],
    )
    do(battle, False, "w:zap", "b", "3", "0")
    ruling = battle.why_not(0, Wish(deed="cast", who="v", using="zap", whom=("b",)))
    found = [r for r in ruling.reasons if r.rule == "t9a.magic.cast.dice"]
    assert [(r.key, r.facts["dice"]) for r in found] == [("reason.t9a.magic.too-few-dice", 0)]
