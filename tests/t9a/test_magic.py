"""The Magic Phase: dice, casting, dispelling, miscasts and what spells do."""

import pytest

from t9a.builder import (
    allowed,
    asked,
    do,
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
    until,
)
from umpire.games.t9a import magic
from umpire.games.t9a.seasons import season

ZAP = spell("zap", value=7, hits="2", s=4)
HEAL = spell("heal", value=3, whom="friend", recover="3", replicable=True)


MUSE = spell("muse", value=3, type="caster", whom="friend", duration="phase", mods={"off": 1})
IDLE = hero("idle", wizard="apprentice", spells=("muse",), at=(4, 4))
"""Somebody who could still cast, so that the phase goes on."""


def wizard(key="w", *, of=None, known=("zap",), **more):
    return hero(
        key,
        of=of or profile(hp=3),
        wizard=more.pop("wizard", "apprentice"),
        spells=known,
        at=more.pop("at", (36, 20)),
        **more,
    )


def cast(dice, *answers, spells=(ZAP, HEAL), who=None, target=None, others=(), **more):
    """The first question (store a die) is declined."""
    battle = scene(
        who or wizard(),
        target or unit("b", 1, at=(36, 30)),
        *others,
        IDLE,
        moment="magic",
        dice=list(dice),
        spells=(*spells, MUSE),
        **more,
    )
    return do(battle, False, *answers)


@pytest.mark.rule("t9a.magic.cards.deck", "t9a.magic.cards.draw")
def test_decks_and_drawing():
    assert sum(season().decks["field-army"]) == 44
    assert season().decks["warband"] == (4, 4, 5, 6, 4, 5, 6, 6)
    assert season().decks["legion"] == (5, 5, 6, 7, 6, 7, 8, 8)
    battle = scene(wizard(), unit("b", 1, at=(36, 30)), moment="magic", spells=(ZAP,), decks=((4, 7), (5, 5)), dice=[])
    assert battle.state.card in (4, 7)
    assert sorted((*battle.state.decks[0], battle.state.card)) == [4, 7]
    assert battle.state.decks[1] == (5, 5)
    assert battle.state.dice_pool == [battle.state.card] * 2


@pytest.mark.rule("t9a.magic.channel", "t9a.rule.channel", "t9a.magic.siphon")
def test_channelling_of_the_active_side_only():
    def pool(*wizards, **more):
        battle = scene(*wizards, unit("b", 1, at=(36, 30)), moment="magic", spells=(ZAP,), dice=[], **more)
        return battle.state.dice_pool

    master = wizard("m", of=profile("channel 2", hp=3))
    adept = wizard("a", of=profile("channel 1", hp=3), at=(30, 20))
    assert pool(master, adept, wizard("x", at=(25, 20))) == [9, 6]
    assert pool(master, wizard("e", of=profile("channel 2", hp=3), side=1, at=(10, 40))) == [8, 6]
    assert pool(wizard("m", of=profile("channel 2", hp=3), shaken=True), adept) == [7, 6]
    assert pool(master, stored=(1, 0)) == [9, 6]
    assert pool(wizard("w"), wizard("i", siphons=1, at=(30, 20))) == [7, 6]


@pytest.mark.rule("t9a.magic.store", "t9a.magic.overload")
def test_storing_comes_before_overload():
    """Interaction 19: the stored die leaves before overload is counted."""
    five = [wizard(f"w{n}", of=profile("channel 1", hp=3), at=(20 + 3 * n, 20)) for n in range(5)]
    battle = scene(
        *five, unit("b", 1, at=(36, 30)), moment="magic", spells=(ZAP,), decks=((4,), (4,)), stored=(1, 0), dice=[]
    )
    assert battle.state.dice_pool[0] == 10
    do(battle, True)
    assert battle.state.dice_pool[0] == 8
    assert battle.state.stored[0] == 1
    assert last(battle, "overload")["dice"] == 1


@pytest.mark.rule("t9a.magic.dice-pool")
def test_unused_dice_are_discarded():
    battle = cast([], "end")
    assert battle.state.dice_pool == [0, 0]


@pytest.mark.rule("t9a.magic.cast.dice")
def test_two_to_five_dice_of_the_pool():
    battle = cast([], "w:zap", "b")
    assert offered(battle) == ["2", "3", "4", "5"]
    refused(battle, "1", "t9a.magic.cast.dice")
    refused(battle, "6", "t9a.magic.cast.dice")


@pytest.mark.rule("t9a.magic.cast.roll", "t9a.magic.cast.recover")
def test_casting_needs_its_value_and_ones_return_on_failure():
    good = cast([3, 4, 1, 1], "w:zap", "b", "2", "0")
    assert last(good, "cast")["result"] == 7
    bad = cast([1, 1, 4], "w:zap", "b", "3")
    assert last(bad, "cast-failed")["result"] == 6
    assert bad.state.dice_pool[0] == 6 - 3 + 2
    fine = cast([1, 6, 1, 1], "w:zap", "b", "2", "0")
    assert fine.state.dice_pool[0] == 4


@pytest.mark.rule("t9a.magic.cast.who", "t9a.magic.repeat.once")
def test_each_spell_once_and_no_shaken_casters():
    battle = cast([1, 2], "w:zap", "b", "2", who=wizard(known=("zap", "heal")))
    assert "w:zap" not in offered(battle)
    refused(battle, "w:zap", "t9a.magic.repeat.once")
    shaken = scene(
        wizard(shaken=True), wizard("v", at=(30, 20)), unit("b", 1, at=(36, 30)), moment="magic", spells=(ZAP,), dice=[]
    )
    do(shaken, False)
    refused(shaken, "w:zap", "t9a.psych.shaken.restrictions", "t9a.magic.cast.who")


@pytest.mark.rule("t9a.magic.cast.declare")
def test_targets_are_named_before_dice_and_within_range():
    far = unit("c", 1, at=(36, 44))
    friend = unit("f", at=(10, 10))
    battle = cast([], "w:zap", others=(far, friend))
    assert offered(battle) == ["b"]
    refused(battle, "c", "t9a.magic.cast.declare")
    refused(battle, "f", "t9a.magic.cast.declare")


@pytest.mark.rule("t9a.magic.dispel.option", "t9a.magic.dispel.roll")
def test_dispelling_beats_the_result_not_the_value():
    battle = cast([6, 6, 6, 6], "w:zap", "b", "2")
    assert asked(battle) == "ask.dispel"
    assert battle.decision.side == 1
    assert offered(battle) == [str(n) for n in range(7)]
    refused(battle, "7", "t9a.magic.dispel.option")
    do(battle, "2")
    fired(battle, "t9a.magic.dispel.roll")
    assert events(battle, "dispelled")
    weak = cast([5, 4, 6, 2], "w:zap", "b", "2", "2")
    assert events(weak, "dispel-failed")


@pytest.mark.rule("t9a.magic.dispel.recover")
def test_ones_of_a_failed_dispel_return():
    battle = cast([6, 5, 1, 6, 2, 1, 1], "w:zap", "b", "2", "3")
    assert battle.state.dice_pool[1] == 6 - 3 + 1


@pytest.mark.rule("t9a.magic.repeat.penalty", "t9a.magic.repeat.bound")
def test_repeating_a_spell_is_harder():
    """Interaction 21: both versions count, the size of the penalty follows the one cast now."""
    one, two = wizard("w"), wizard("v", at=(30, 20), bound=("zap",))
    battle = cast(
        [1, 2, 6, 6, 1, 6, 6],
        "w:zap",
        "b",
        "2",
        "v:zap",
        "b",
        "2",
        spells=(spell("zap", value=7, bound=4, hits="1", s=3),),
        who=one,
        others=(two,),
    )
    assert last(battle, "cast")["result"] == 12 - 3
    do(battle, "0", "v:zap:bound", "b", "2")
    assert last(battle, "cast")["result"] == 6 + 3 - 2


@pytest.mark.rule("t9a.magic.repeat.replicable")
def test_replicable_spells_are_not_made_harder():
    hurt = unit("f", at=(40, 20), of=profile(hp=9), models=1, files=1, lost=5)
    battle = cast(
        [1, 2, 1, 2],
        "w:heal",
        "f",
        "2",
        "0",
        "v:heal",
        "f",
        "2",
        who=wizard(known=("heal",)),
        others=(hurt, wizard("v", known=("heal",), at=(30, 20))),
    )
    assert last(battle, "cast")["result"] == 3


@pytest.mark.rule("t9a.magic.bound.dice", "t9a.magic.bound.casting-value")
def test_bound_spells_roll_one_d6_and_d3():
    bound = spell("zap", value=9, bound=5, hits="1", s=3)
    battle = cast([3, 3, 1, 1, 1], "w:zap:bound", "b", "2", "0", spells=(bound,), who=wizard(known=(), bound=("zap",)))
    assert last(battle, "cast")["result"] == 3 + 2
    assert last(battle, "cast")["value"] == 5


@pytest.mark.rule("t9a.magic.bound.no-recover", "t9a.magic.bound.no-miscast")
def test_bound_spells_recover_only_the_d6_and_never_miscast():
    bound = spell("zap", value=9, bound=5, hits="1", s=3)
    who = wizard(known=(), bound=("zap",))
    battle = cast([1, 1, 1], "w:zap:bound", "b", "3", spells=(bound,), who=who)
    assert battle.state.dice_pool[0] == 6 - 3 + 1
    assert not magic.miscasts(battle.state, [3, 3, 3], True)


@pytest.mark.rule("t9a.magic.miscast.conditions")
def test_when_a_miscast_happens():
    """Interaction 22: two equal dice of two, three of three; a pair among three is none; dispelled never."""
    state = cast([]).state
    assert magic.miscasts(state, [5, 5], False)
    assert not magic.miscasts(state, [5, 5, 2], False)
    assert magic.miscasts(state, [3, 3, 3, 6], False)
    dispelled = cast([4, 4, 6, 6], "w:zap", "b", "2", "2")
    assert not events(dispelled, "miscast")


@pytest.mark.rule("t9a.magic.miscast.timing", "t9a.magic.miscast.witchfire")
def test_witchfire_burns_the_casters_unit_before_the_spell():
    guard = unit("g", of=profile(res=2), models=10, at=(36, 20))
    who = wizard(in_unit="g")
    battle = cast(
        [5, 5, *[1] * 4, 1, 1],
        "w:zap",
        "b",
        "2",
        "0",
        who=guard,
        others=(who,),
        spells=(spell("zap", value=7, hits="2", s=4),),
    )
    assert last(battle, "witchfire")["hits"] == 4
    kinds = [e.kind for e in battle.events]
    assert kinds.index("witchfire") < kinds.index("spell-hits")
    assert needs(battle, "wound")[0] == 3


@pytest.mark.rule("t9a.magic.miscast.mana-drain", "t9a.intro.struck-text")
def test_mana_drain_does_nothing_unless_agreed():
    battle = cast([4, 4, 1, 1], "w:zap", "b", "2", "0")
    assert battle.state.dice_pool == [4, 6]
    fired(battle, "t9a.magic.miscast.mana-drain")
    agreed = cast([4, 4, 1, 1], "w:zap", "b", "2", "0", options={"mana_drain": "on"})
    assert agreed.state.dice_pool == [3, 8]


@pytest.mark.rule("t9a.magic.miscast.amnesia")
def test_amnesia_takes_the_spell_for_good():
    battle = cast([5, 5, 5, 5, 1, 1], "w:zap", "b", "4", "0")
    assert p(battle, "w").spent == ("forgotten:zap",)
    assert events(battle, "spell-hits")
    later = scene(
        wizard(spent=("forgotten:zap",), known=("zap", "heal")),
        unit("f", at=(20, 20), of=profile(hp=3), models=1, files=1, lost=1),
        unit("b", 1, at=(36, 30)),
        moment="magic",
        spells=(ZAP, HEAL),
        dice=[],
    )
    do(later, False)
    refused(later, "w:zap", "t9a.magic.miscast.amnesia")


@pytest.mark.rule("t9a.magic.miscast.breach", "t9a.magic.miscast.hits-control")
def test_a_breach_burns_all_within_three_inches_and_takes_the_caster():
    """Interaction 23: the caster is removed, and the spell resolves all the same."""
    near = unit("n", at=(36, 16), models=5, of=profile(hp=9))
    away = unit("f", at=(46.7, 20), models=5)
    battle = cast(
        [6, 6, 6, 6, 1] + [1] * 40, "w:zap", "b", "5", "0", others=(near, away), target=unit("b", 1, at=(36, 30))
    )
    hit = [e.facts["unit"] for e in events(battle, "witchfire")]
    assert hit == ["w", "n"]
    assert u(battle, "w").where == "gone"
    assert events(battle, "resolves")


@pytest.mark.rule("t9a.rule.wizard.conclave.miscast", "t9a.rule.wizard.conclave.caster")
def test_a_conclave_is_lost_as_a_whole():
    conclave = unit("w", models=5, wizard="conclave", spells=("zap",))
    battle = cast([6, 6, 6, 6, 1] + [1] * 40, "w:zap", "b", "5", "0", who=conclave)
    assert u(battle, "w").where == "gone"
    fired(battle, "t9a.rule.wizard.conclave.caster", "t9a.rule.wizard.conclave.miscast")


@pytest.mark.rule("t9a.rule.magic-resistance")
def test_magic_resistance_lowers_the_result():
    """Interaction 20: the result is lowered, hence what must be dispelled and the row of a miscast."""

    def result(*rules, s=ZAP):
        battle = cast(
            [6, 5, 1, 1], "w:zap", "b", "2", target=unit("b", 1, at=(36, 30), of=profile(*rules)), spells=(s,)
        )
        return last(battle, "cast")["result"]

    assert result("magic-resistance 2") == 9
    assert result("magic-resistance 1", "magic-resistance 2") == 9
    assert result() == 11


@pytest.mark.rule("t9a.magic.resolve", "t9a.attack.allocate.multi-hit")
def test_hits_of_a_spell_are_divided_one_at_least_to_the_soldiers():
    battle = cast(
        [6, 5],
        "w:zap",
        "b",
        "2",
        "0",
        spells=(spell("zap", value=7, hits="4", s=9),),
        others=(hero("h", 1, "b", of=profile(hp=3, height=2)),),
    )
    assert asked(battle) == "ask.split-hits"
    refused(battle, {"b": 0, "h": 4})
    do(battle, {"b": 1, "h": 3})
    fired(battle, "t9a.attack.allocate.multi-hit")


@pytest.mark.rule("t9a.attack.hit.random-per-unit")
def test_a_blast_rolls_for_each_unit():
    storm = spell("storm", value=3, type="ground", whom="any", radius=4, hits="D6", s=1, range=24)
    battle = cast(
        [6, 5],
        "w:storm",
        {"x": 36.0, "y": 30.0},
        "2",
        spells=(storm,),
        who=wizard(known=("storm",)),
        target=unit("b", 1, at=(34, 30), models=5),
        others=(unit("c", 1, at=(40.5, 30), models=5),),
        then=[1] * 40,
    )
    do(battle, "0")
    assert rolled(battle, "spell-hits") == [1, 1]


def storming(*others):
    storm = spell("storm", value=3, type="ground", whom="any", radius=1, hits="D6", range=12, sight=True)
    far = unit("b", 1, at=(10, 40))
    return cast([6, 5], "w:storm", spells=(storm,), who=wizard(known=("storm",)), target=far, others=others)


@pytest.mark.rule("t9a.def.los.point")
def test_a_spell_on_a_point_that_must_be_seen():
    """The wizard's front is at 20, and nobody sees through a unit of his Height or more; a point has none."""
    screen = {"models": 20, "files": 20, "at": (36, 26)}
    tall = storming(unit("s", 1, of=profile(height=1), **screen))
    refused(tall, {"x": 36.0, "y": 30.0}, "t9a.def.los.point")
    allowed(tall, {"x": 36.0, "y": 24.0})
    refused(tall, {"x": 36.0, "y": 16.0}, "t9a.def.los.point")  # behind him
    low = storming(unit("s", 1, of=profile(height=0), **screen))
    allowed(low, {"x": 36.0, "y": 30.0})
    allowed(low, {"x": 36.0, "y": 32.0})
    refused(low, {"x": 36.0, "y": 32.1}, "t9a.magic.cast.declare")
    assert low.check(low.decision.default).legal


@pytest.mark.rule("t9a.rule.wizard.conclave.caster")
def test_any_model_of_a_conclave_casts_on_the_ground():
    """Twelve inches of models in a rank: the point is in range of the last of them alone."""
    storm = spell("storm", value=3, type="ground", whom="any", radius=1, hits="D6", range=12)
    choir = unit("w", at=(36, 20), models=12, files=12, wizard="conclave", spells=("storm",))
    battle = cast([6, 5], "w:storm", spells=(storm,), who=choir, target=unit("b", 1, at=(10, 40)))
    edge = 36.0 + 12 / 2
    allowed(battle, {"x": edge + 12.0, "y": 20.0})
    refused(battle, {"x": edge + 12.1, "y": 20.0}, "t9a.magic.cast.declare")


@pytest.mark.rule("t9a.def.duration.one-turn", "t9a.def.duration.join", "t9a.def.duration.split")
def test_a_blessing_lasts_until_the_casters_next_magic_phase_on_those_that_were_there():
    bark = spell("bark", value=3, whom="friend", duration="turn", mods={"res": 1})
    guard = unit("g", models=10, at=(36, 24))
    battle = cast(
        [6, 5],
        "w:bark",
        "g",
        "2",
        "0",
        spells=(bark,),
        who=wizard(known=("bark",)),
        others=(guard, hero("h", 0, "g"), hero("j", at=(44, 20))),
    )
    assert sorted(e.on for e in battle.state.effects) == ["g", "h"]
    from umpire.games.t9a import joining
    from umpire.games.t9a.characteristics import defensive

    joining.join(battle, p(battle, "j"), u(battle, "g"), "t9a.char.join.how")
    assert defensive(battle.state, p(battle, "j"), "res").total == 3
    joining.leave(battle, p(battle, "h"), "t9a.char.leave")
    assert defensive(battle.state, p(battle, "h"), "res").total == 4
    from umpire.games.t9a import turns

    battle.state.active = 1
    turns.begin_phase(battle, "magic")
    assert len(battle.state.effects) == 2
    battle.state.active = 0
    turns.begin_phase(battle, "shooting")
    turns.begin_phase(battle, "magic")
    assert battle.state.effects == []


@pytest.mark.rule("t9a.def.duration.one-phase", "t9a.def.duration.instant", "t9a.def.duration.permanent")
def test_durations():
    brief = spell("brief", value=3, whom="friend", duration="phase", mods={"off": 1})
    ever = spell("ever", value=3, whom="friend", duration="permanent", mods={"off": 1})
    for entry, left in ((brief, 0), (ever, 1)):
        battle = cast(
            [6, 5],
            f"w:{entry.id}",
            "g",
            "2",
            "0",
            spells=(entry,),
            who=wizard(known=(entry.id,)),
            others=(unit("g", at=(36, 24)),),
        )
        if battle.decision is not None:
            do(battle, "end")
        assert len(battle.state.effects) == left
    assert cast([6, 5, 1, 1], "w:zap", "b", "2", "0").state.effects == []


@pytest.mark.rule("t9a.def.duration.round-of-combat", "t9a.def.duration.end-of-combat")
def test_effects_of_a_combat_end_with_it():
    from t9a.builder import QUIET, duel
    from umpire.engine.effects import Effect

    fury = Effect("a", "off", "add", 1, "t9a.magic.resolve", "wild-blood", "combat")
    grip = Effect("a", "str", "add", 1, "t9a.magic.resolve", "barkskin", "engaged")
    quiet = profile(parts=[QUIET])
    battle = duel(quiet, quiet, models=5, foes=5, effects=(fury, grip))
    assert [e.source for e in battle.state.effects] == ["barkskin"]
    killer = profile(parts=[part(att=5, off=9, agi=5, s=9)])
    battle = duel(killer, quiet, [6] * 10, foes=5, effects=(grip,))
    do(battle, u(battle, "a").facing)
    assert battle.state.effects == []


@pytest.mark.rule("t9a.def.duration.round-of-combat")
def test_a_round_of_combat_is_that_of_whoever_has_the_effect():
    """What one combat gives is not gone when another has been fought; it is when its own has, or when nobody fights."""
    from t9a.builder import QUIET
    from umpire.engine.effects import Effect

    def fury(key):
        return Effect(key, "off", "add", 1, "t9a.magic.resolve", "wild-blood", "combat")

    quiet = profile(dis=10, parts=[QUIET])
    fights = [unit(k, at=(x, 20), of=quiet, models=5) for k, x in (("a", 20), ("c", 40))]
    foes = [unit(k, 1, at=(x, 20), of=quiet, models=5) for k, x in (("b", 20), ("d", 40))]
    battle = scene(
        *fights, *foes, unit("e", at=(60, 20), of=quiet), moment="melee", effects=(fury("a"), fury("c"), fury("e"))
    )
    do(battle, "combat:0" if "a" in battle.decision.options["combat:0"].refs else "combat:1")
    while battle.decision is not None:
        do(battle, [])
    told = [(e.kind, e.facts.get("count")) for e in battle.events if e.kind in ("combat-result", "effects-end")]
    fought = ("combat-result", None)
    assert told == [fought, ("effects-end", 1), fought, ("effects-end", 1), ("effects-end", 1)]
    assert battle.state.effects == []


@pytest.mark.rule("t9a.magic.recover.limit", "t9a.magic.recover.attached")
def test_recovering_heals_but_raises_nobody():
    def healed(hp, missing, amount="3", models=1):
        heal = spell("heal", value=3, whom="friend", recover=amount)
        battle = cast(
            [6, 5],
            "w:heal",
            "g",
            "2",
            "0",
            spells=(heal,),
            who=wizard(known=("heal",)),
            others=(unit("g", of=profile(hp=hp), models=models, files=1, start=models + 2, lost=missing, at=(40, 20)),),
        )
        return p(battle, "g").lost, p(battle, "g").count

    assert healed(4, 2) == (0, 1)
    assert healed(9, 5) == (2, 1)
    assert healed(1, 0) == (0, 1)
    heal = spell("heal", value=3, whom="friend", recover="3")
    battle = cast(
        [6, 5],
        "w:heal",
        "g",
        "2",
        "0",
        spells=(heal,),
        who=wizard(known=("heal",)),
        others=(unit("g", of=profile(hp=3), lost=2, at=(40, 24)), hero("h", 0, "g", lost=2)),
    )
    assert p(battle, "h").lost == 2
    assert p(battle, "g").lost == 0


@pytest.mark.rule("t9a.magic.raise.order", "t9a.magic.raise.cap")
def test_raising_heals_first_and_then_brings_back_models():
    def raised(hp, models, start, missing, amount):
        lift = spell("lift", value=3, whom="friend", raises=amount)
        battle = cast(
            [6, 5],
            "w:lift",
            "g",
            "2",
            "0",
            spells=(lift,),
            who=wizard(known=("lift",)),
            others=(unit("g", of=profile(hp=hp), models=models, start=start, lost=missing, at=(44, 30)),),
        )
        return p(battle, "g").count, p(battle, "g").lost

    assert raised(3, 3, 5, 2, "6") == (5, 2)
    assert raised(1, 19, 20, 0, "5") == (20, 0)
    assert raised(1, 10, 20, 0, "4") == (14, 0)


@pytest.mark.rule("t9a.magic.raise.placement")
@pytest.mark.parametrize(
    ("foes", "count", "x"),
    [
        # Evenly to both sides of a front that is fought; away from whom it fights in its flank, where those who stand
        # stay; none at all where both flanks are taken.
        ([((44, 30), 180.0)], 3, 44.0),
        ([((43.5, 29.5), 90.0)], 3, 45.0),
        ([((43.5, 29.5), 90.0), ((44.5, 29.5), 270.0)], 1, 44.0),
    ],
)
def test_raised_models_stand_in_nobody_they_fight(foes, count, x):
    lift = spell("lift", value=3, whom="friend", raises="2")
    at = [unit(f"f{n}", 1, at=spot, facing=facing, models=1) for n, (spot, facing) in enumerate(foes)]
    raised = unit("g", models=1, start=5, files=1, at=(44, 30))
    told = {"spells": (lift,), "who": wizard(known=("lift",)), "others": (raised, *at)}
    battle = cast([6, 5], "w:lift", "g", "2", "0", **told)
    assert (p(battle, "g").count, u(battle, "g").x) == (count, pytest.approx(x))
    from umpire.games.t9a.formation import box
    from umpire.games.t9a.spacing import separation

    here = box(battle.state, u(battle, "g")).corners()
    assert all(separation(here, box(battle.state, u(battle, foe.id)).corners()) == pytest.approx(0) for foe in at)


@pytest.mark.rule("t9a.magic.raise.placement", "t9a.magic.raise.state")
def test_raised_models_need_room():
    from t9a.builder import piece
    from umpire.engine.effects import Effect

    lift = spell("lift", value=3, whom="friend", raises="5")
    rock = [piece("r", "impassable", 40, 27.0, 48, 28.9)]
    armour = Effect("g", "arm", "add", 1, "t9a.magic.resolve", "barkskin")
    battle = cast(
        [6, 5],
        "w:lift",
        "g",
        "2",
        "0",
        "second",
        spells=(lift,),
        who=wizard(known=("lift",)),
        others=(unit("g", models=5, start=20, at=(44, 31)),),
        terrain=rock,
        effects=(armour,),
    )
    assert p(battle, "g").count == 5
    fired(battle, "t9a.magic.raise.placement")
    from umpire.games.t9a.characteristics import armour as arm

    free = cast(
        [6, 5],
        "w:lift",
        "g",
        "2",
        "0",
        "second",
        spells=(lift,),
        who=wizard(known=("lift",)),
        others=(unit("g", models=5, start=20, at=(44, 31)),),
        effects=(armour,),
    )
    assert p(free, "g").count == 10
    assert arm(free.state, p(free, "g"), False).total == 1


@pytest.mark.rule("t9a.rule.undead.rsr")
def test_rsr_replaces_the_number():
    lift = spell("lift", value=3, whom="friend", raises="5")
    for rsr, count in ((3, 13), (8, 18)):
        battle = cast(
            [6, 5],
            "w:lift",
            "g",
            "2",
            "0",
            spells=(lift,),
            who=wizard(known=("lift",)),
            others=(unit("g", of=profile(rsr=rsr), models=10, start=20, at=(44, 30)),),
        )
        assert p(battle, "g").count == count


def summoning(y, reach=18, **more):
    call = spell("call", value=3, type="ground", whom="any", summon="saplings", range=reach)
    point = {"x": 36.0, "y": y}
    far = unit("b", 1, at=(10, 40))
    return cast([6, 5], "w:call", point, "2", "0", spells=(call,), who=wizard(known=("call",)), target=far, **more)


@pytest.mark.rule("t9a.magic.summon.placement", "t9a.magic.summon.status")
def test_summoned_units_stand_by_the_rules_or_not_at_all():
    from umpire.games.t9a.victory import points_for, scoring

    battle = summoning(28.0)
    assert battle.decision.prompt.key == "ask.summon"
    allowed(battle, {"x": 36.0, "y": 28.0, "facing": 0.0})  # five wide, two deep: the point is under the front rank
    refused(battle, {"x": 36.0, "y": 27.9, "facing": 0.0}, "t9a.magic.summon.placement")
    allowed(battle, {"x": 36.0, "y": 27.9, "facing": 180.0})
    refused(battle, {"x": 36.0, "y": 28.0, "facing": 0.0, "files": 20}, "t9a.def.formation.files-behind")
    do(battle, {"x": 36.0, "y": 28.0, "facing": 0.0})
    new = [pool for pool in battle.state.pools.values() if pool.summoned]
    assert len(new) == 1
    assert new[0].side == 0
    assert points_for(battle.state, new[0])[0] == 0
    assert not scoring(battle.state, u(battle, new[0].id))


@pytest.mark.rule("t9a.magic.summon.placement", "t9a.def.spacing.end")
def test_room_for_summoned_units_is_found_wherever_it_is():
    # The caster's front is at 20: a unit whose rear rank stands on the point is exactly an inch away.
    close = summoning(21.2)
    refused(close, {"x": 36.0, "y": 22.5, "facing": 0.0}, "t9a.def.spacing.end")
    allowed(close, {"x": 36.0, "y": 22.6, "facing": 0.0})
    assert events(summoning(20.9), "no-summons")  # whoever stands on it is nearer than an inch
    # All within range, and the point at its edge: there is room only on this side of it.
    edge = summoning(25.9, reach=6)
    refused(edge, {"x": 36.0, "y": 26.5, "facing": 0.0}, "t9a.magic.summon.placement")
    assert events(do(edge, edge.decision.default), "summoned")


@pytest.mark.rule("t9a.magic.move.actions", "t9a.magic.move.distance")
def test_magical_moves():
    push = spell("push", value=3, whom="friend", move=6)
    friend = unit("g", at=(44, 20), models=5)
    battle = cast(
        [6, 5, 6, 5],
        "w:push",
        "g",
        "2",
        "0",
        spells=(push,),
        who=wizard(known=("push",)),
        others=(friend, wizard("v", known=("push",), at=(30, 20)), unit("k", at=(20, 20), shaken=True)),
    )
    assert asked(battle) == "ask.move-action"
    do(battle, "normal")
    refused(battle, {"path": [{"how": "forward", "inches": 6.1}]}, "t9a.move.normal.advance")
    do(battle, {"path": [{"how": "forward", "inches": 6}]})
    assert u(battle, "g").y == 26.0
    do(battle, "v:push", "k", "2", "0")
    fired(battle, "t9a.magic.move.actions")
    assert last(battle, "no-magic-move")["unit"] == "k"


@pytest.mark.rule("t9a.magic.spells.types", "t9a.prep.spells.casters")
def test_a_fighter_with_a_bound_spell_casts_it():
    bound = spell("zap", value=9, bound=2, hits="1", s=3)
    fighter = hero("w", bound=("zap",), at=(36, 20))
    battle = scene(fighter, unit("b", 1, at=(36, 30)), moment="magic", spells=(bound,), dice=[])
    do(battle, False)
    assert offered(battle) == ["w:zap:bound", "end"]


@pytest.mark.rule("t9a.psych.panic.engaged-losses")
def test_losses_while_engaged_cause_no_panic():
    """Interaction 26: losses while engaged are never counted."""
    battle = scene(
        wizard(at=(30, 20)),
        unit("a", at=(36, 26), models=1, files=1, of=profile(hp=9)),
        unit("b", 1, at=(36, 26), of=profile(dis=2), models=8),
        moment="magic",
        spells=(spell("zap", value=3, hits="6", s=9),),
        dice=[6, 5, *[6] * 12],
    )
    do(battle, False, "w:zap", "b", "2", "0")
    assert lost(battle, "b") == 6
    assert rolled(battle, "panic") == []


@pytest.mark.rule("t9a.rule.wizard.conclave.caster")
def test_one_of_the_conclave_casts_from_where_it_stands():
    """Ten wide: the enemy on the left is in range of the models at that end only, the one on the right of those at the
    other; who casts is named before the target."""
    zap = spell(range=10, hits="D3", s=3)
    battle = scene(
        unit("a", at=(36, 20), of=profile(height=1), models=10, files=10, wizard="conclave", spells=("zap",)),
        unit("b", 1, at=(28, 28.5), of=profile(), models=1, files=1),
        unit("c", 1, at=(44, 28.5), of=profile(), models=1, files=1),
        moment="magic",
        spells=(zap,),
        decks=((6,), (6,)),
    )
    until(battle, "ask.spell")
    do(battle, "a:zap")
    assert asked(battle) == "ask.conclave-caster"
    reached = [option.refs for option in battle.decision.options.values()]
    assert ("b",) in reached
    assert ("c",) in reached
    right = next(key for key, option in battle.decision.options.items() if option.refs == ("c",))
    do(battle, right)
    assert offered(battle) == ["c"]
    refused(battle, "b", "t9a.magic.cast.declare")


@pytest.mark.rule("t9a.magic.summon.placement")
def test_a_summoned_units_empty_places_do_not_count_as_models():
    """Eight in files of five: two parts, the full rank and three of the next; seven skirmishers each by itself."""
    from umpire.games.t9a.formation import _plain
    from umpire.games.t9a.summoning import _parts

    def parts(count, files, gap=0.0):
        shape = _plain((25.0, 25.0), "s", count, files, gap)
        return _parts(shape.width, shape.depth, shape.cells)

    assert parts(10, 5) == [()]
    full, rest = parts(8, 5)
    assert full[1][0] - full[0][0] == pytest.approx(5 / 3 * (rest[1][0] - rest[0][0]))
    assert full[2][1] == pytest.approx(rest[0][1])
    assert len(parts(12, 5)) == 2, "ranks of equal width are one part"
    assert len(parts(7, 4, 12.5)) == 7
