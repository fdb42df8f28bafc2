"""Rounds, reinforcements, command stacks, supremacy, victory."""

import pytest

from conquest.builder import FIELD, do, events, fired, hero, last, offered, profile, r, refused, regiment, rolled, scene
from umpire.games.conquest import characters
from umpire.games.conquest.profiles import Ability, Change, Scenario


def waiting(key, side=0, klass="light", **more):
    return regiment(key, side, of=profile("infantry", klass), where="reserve", **more)


def reinforcement(*regiments, round=1, **more):
    return scene(*regiments, moment="reinforcement", round=round, **more)


def arriving(battle):
    return [x.id for x in battle.state.regiments.values() if x.where == "arriving"]


@pytest.mark.rule("conquest.round.structure")
def test_five_phases_in_order():
    battle = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 40)), moment="round", round=2, dice=[2, 5, 5, 2])
    while len(events(battle, "round")) < 2:
        assert battle.decision is not None
        battle.answer("pass")
    phases = [e.facts["phase"] for e in events(battle, "phase")]
    assert phases[:5] == ["reinforcement", "command", "supremacy", "action", "victory"]
    assert phases[5] == "reinforcement"


@pytest.mark.rule("conquest.round.game-end")
def test_the_battle_ends_after_the_last_round_or_at_a_concession():
    one = Scenario("s", {}, rounds=3, zones=FIELD.zones)
    battle = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 40)), moment="victory", round=3, scenario=one)
    assert battle.outcome is not None
    going = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 40)), moment="victory", round=2, scenario=one)
    assert going.outcome is None
    hopeless = scene(
        regiment("a", 0, (36, 10), stands=1, start=9, lost=8), regiment("b", 1, (36, 40)), moment="victory", round=2
    )
    do(hopeless, True)
    assert hopeless.outcome.winner == 1
    fired(hopeless, "conquest.round.game-end")


@pytest.mark.rule("conquest.round.victory-phase")
def test_an_army_with_reserves_is_not_destroyed():
    gone = scene(regiment("a", 0, (36, 10)), regiment("b", 1, where="gone"), moment="victory")
    assert gone.outcome.winner == 0
    waits = scene(
        regiment("a", 0, (36, 10)), regiment("b", 1, where="gone"), regiment("c", 1, where="reserve"), moment="victory"
    )
    assert waits.outcome is None
    both = scene(regiment("a", 0, where="gone"), regiment("b", 1, where="gone"), moment="victory")
    assert both.outcome.winner is None
    middle = scene(
        regiment("a", 0, (36, 20), stands=3, of=profile(a=4, c=5)),
        regiment("b", 1, (36, 20), stands=1, of=profile(w=1, d=0, e=0)),
        regiment("c", 0, (10, 10)),
        stacks=(("c",), ()),
        dice=[1] * 12 + [6] * 12,
    )
    do(middle, "clash")
    assert r(middle, "b").where == "gone"
    assert middle.outcome is None, "the check waits for the Victory Phase"


@pytest.mark.rule("conquest.reinforce.off-table-start")
def test_nothing_is_on_the_table_at_the_start():
    import umpire

    battle = umpire.battle("conquest", seed=3)
    assert not battle.state.on_table()
    fired(battle, "conquest.reinforce.off-table-start")


@pytest.mark.rule("conquest.reinforce.assign-characters")
def test_characters_join_regiments_of_their_type_before_the_first_dice():
    battle = scene(
        waiting("foot"),
        regiment("horse", 0, of=profile("cavalry", "light"), where="reserve"),
        waiting("b", 1),
        characters=[hero("h", 0, "", profile("infantry"))],
        moment="set-up",
    )
    while battle.decision and battle.state.characters["h"].regiment == "":
        refused(battle, "horse")
        battle.answer("foot")
    assert battle.state.characters["h"].regiment == "foot"
    assert not rolled(battle, "reinforcement")


@pytest.mark.rule("conquest.reinforce.automatic-pick")
def test_one_regiment_of_a_class_that_may_arrive_comes_without_a_roll():
    armies = [waiting("l", 0, "light"), waiting("m", 0, "medium"), waiting("h", 0, "heavy"), waiting("b", 1)]
    first = reinforcement(*armies, round=1)
    assert offered(first) == ["l", "none"]
    refused(first, "m", "conquest.reinforce.automatic-pick")
    refused(first, "h", "conquest.reinforce.automatic-pick")
    do(first, "l")
    assert arriving(first) == ["l"]
    assert not rolled(first, "reinforcement")
    assert offered(reinforcement(*armies, round=2)) == ["l", "m", "none"]
    assert offered(reinforcement(*armies, round=3)) == ["l", "m", "h", "none"]


@pytest.mark.rule("conquest.reinforce.roll", "conquest.reinforce.group-by-class")
def test_one_die_for_each_other_waiting_regiment_class_by_class():
    armies = [waiting(f"l{k}", 0, "light") for k in range(3)] + [waiting(f"m{k}", 0, "medium") for k in range(2)]
    battle = reinforcement(*armies, waiting("z", 1, "heavy"), round=2, dice=[4, 5, 2, 3])
    do(battle, "l0")
    groups = [(e.facts["klass"], len(e.roll.faces), e.roll.need) for e in battle.events if e.kind == "roll"]
    assert groups == [("light", 2, -4)], "the medium dice follow when the light arrivals are chosen"
    do(battle, ["l1"])
    groups = [(e.facts["klass"], len(e.roll.faces), e.roll.need) for e in battle.events if e.kind == "roll"]
    assert groups == [("light", 2, -4), ("medium", 2, -2)]
    do(battle, ["m1"])
    assert arriving(battle) == ["l0", "l1", "m1"]
    mixed = reinforcement(
        waiting("l", 0, "light"),
        waiting("b", 1, "heavy"),
        characters=[hero("h", 0, "l", profile(klass="heavy"))],
        dice=[4],
    )
    do(mixed, "none")
    assert arriving(mixed) == ["l"], "sorted by the regiment's Class, not the Character's"


@pytest.mark.rule("conquest.reinforce.roll.choose-regiment")
def test_each_success_brings_a_regiment_of_that_class():
    armies = [waiting(f"m{k}", 0, "medium") for k in range(3)]
    battle = reinforcement(*armies, waiting("l", 0, "light"), waiting("z", 1, "heavy"), round=2, dice=[5, 1, 2, 5])
    do(battle, "none")
    assert (battle.decision.least, battle.decision.most) == (2, 2)
    refused(battle, ["m0", "l"])
    refused(battle, ["m0"])
    do(battle, ["m0", "m2"])
    assert arriving(battle) == ["m0", "m2"]


@pytest.mark.rule("conquest.reinforce.table")
def test_the_reinforcement_table():
    from umpire.games.conquest.reinforcement import AUTOMATIC, FIRST, NEEDED

    table = {klass: [NEEDED[klass].get(n) for n in range(1, 6)] for klass in ("light", "medium", "heavy")}
    assert table == {
        "light": [4, 4, None, None, None],
        "medium": [None, 2, 4, None, None],
        "heavy": [None, None, 2, 4, None],
    }
    assert AUTOMATIC == {"light": 3, "medium": 4, "heavy": 5}
    assert FIRST == {"light": 1, "medium": 2, "heavy": 3}
    last_round = reinforcement(waiting("h", 0, "heavy"), waiting("m", 0, "medium"), waiting("z", 1, "heavy"), round=5)
    assert arriving(last_round) == ["h", "m", "z"]
    assert not rolled(last_round, "reinforcement")
    early = reinforcement(waiting("h", 0, "heavy"), waiting("z", 1, "medium"), round=1)
    assert arriving(early) == []


@pytest.mark.rule("conquest.reinforce.characters")
def test_a_character_comes_with_his_regiment():
    battle = reinforcement(
        waiting("l", 0, "light"),
        waiting("z", 1, "heavy"),
        characters=[hero("h", 0, "l", profile(klass="heavy"))],
    )
    do(battle, "l")
    assert rolled(battle, "reinforcement") == []
    fired(battle, "conquest.reinforce.characters")
    assert battle.state.stacks[0] or battle.decision


@pytest.mark.rule("conquest.reinforce.reveal")
def test_arrivals_are_public():
    battle = reinforcement(waiting("l", 0), waiting("m", 0, "medium"), waiting("z", 1, "heavy"))
    do(battle, "l")
    assert events(battle, "arrivals")[-1].seen is None
    assert last(battle, "arrivals")["regiments"] == ["l"]
    assert "l" in str(battle.view(1)["events"])


def two_each(**more):
    return scene(
        regiment("a", 0, (20, 10)),
        regiment("c", 0, (40, 10)),
        regiment("w", 0, where="reserve"),
        regiment("b", 1, (20, 40)),
        regiment("d", 1, (40, 40)),
        characters=[hero("h", 0, "a"), hero("i", 0, "w")],
        moment="command",
        **more,
    )


@pytest.mark.rule("conquest.round.command.build-stack")
def test_stacks_are_ordered_in_secret_at_the_same_time():
    battle = two_each(dice=[2, 5])
    assert [d.side for d in battle.decisions] == [0, 1]
    assert sorted(battle.decisions[0].options) == ["a#1", "c#1", "h#1"], "no card of those who wait"
    battle.answer(["h#1", "c#1", "a#1"], side=0)
    assert battle.view(1)["state"]["stacks"] == battle.view(None)["state"]["stacks"]
    battle.answer(["d#1", "b#1"], side=1)
    assert [e.seen for e in events(battle, "stack")] == [(0,), (1,)]
    seen = battle.view(1)["state"]["stacks"]
    assert all(card == "?" for card in seen[0]), "the opponent sees how many, not which"
    assert last(battle, "stacks")["cards"] == [3, 2]


@pytest.mark.rule("conquest.round.command.build-stack")
def test_nothing_is_told_of_a_stack_without_cards():
    battle = scene(regiment("a", 0, (20, 10)), regiment("b", 1, where="reserve"), moment="command")
    assert [e.facts["side"] for e in events(battle, "stack")] == [0]
    assert last(battle, "stacks")["cards"] == [1, 0]


@pytest.mark.rule("conquest.round.command.match-table", "conquest.profile.command-card")
def test_the_stack_matches_the_table():
    battle = scene(
        regiment("a", 0, (20, 10), entry="x/raiders"),
        regiment("c", 0, (40, 10), entry="x/raiders"),
        regiment("dead", 0, where="gone"),
        regiment("b", 1, (20, 40)),
        characters=[hero("h", 0, "a"), hero("m", 0, "dead", own=True)],
        moment="command",
    )
    assert sorted(battle.decision.options) == ["h#1", "raiders#1", "raiders#2"]
    do(battle, ["raiders#2", "h#1", "raiders#1"])
    assert battle.events[-1] is not None
    stack = next(e.facts["stack"] for e in events(battle, "stack") if e.facts["side"] == 0)
    assert stack == ["raiders", "h", "raiders"], "cards of one entry are interchangeable"


@pytest.mark.rule("conquest.round.command.match-table", "conquest.round.action.draw-card.discard-and-replace")
def test_the_card_of_a_regiment_destroyed_later_in_the_round_stays_until_it_is_drawn():
    battle = scene(
        regiment("a", 0, (36, 20), of=profile(c=6, a=30, w=4)),
        regiment("b", 1, (36, 20), stands=1, of=profile(w=1, d=0, e=0)),
        regiment("c", 1, (60, 40)),
        regiment("d", 0, (10, 10)),
        dice=[1] * 200,
        stacks=(("d",), ("b", "c", "b")),
    )
    do(battle, "clash")
    while r(battle, "b").alive:
        battle.answer(battle.decision.suggest())
    assert battle.state.stacks[1] == ["b", "c", "b"], "its cards stay in the stack"
    while not events(battle, "card-discarded"):
        battle.answer("pass" if "pass" in offered(battle) else battle.decision.suggest())
    discarded = events(battle, "card-discarded")[0]
    assert (discarded.facts["side"], discarded.facts["card"]) == (1, "b")
    assert [e.facts["card"] for e in events(battle, "card")] == ["b", "c"], "and another is drawn in the same turn"
    assert battle.state.stacks[1] == ["b"]


@pytest.mark.rule("conquest.round.command.look-no-reorder")
def test_the_owner_may_look_but_not_reorder():
    battle = two_each(dice=[5, 2])
    battle.answer(["h#1", "c#1", "a#1"], side=0)
    battle.answer(["d#1", "b#1"], side=1)
    assert battle.view(0)["state"]["stacks"][0] == battle.state.stacks[0]
    refused(battle, ["a#1", "c#1", "h#1"])


def supremacy(dice, cards=(2, 2), **more):
    stacks = (tuple(["a"] * cards[0]), tuple(["b"] * cards[1]))
    return scene(
        regiment("a", 0, (20, 10)), regiment("b", 1, (20, 40)), moment="supremacy", dice=dice, stacks=stacks, **more
    )


@pytest.mark.rule("conquest.round.supremacy.roll")
def test_the_lower_die_is_first_player():
    assert supremacy([3, 5]).state.first == 0
    assert supremacy([5, 3]).state.first == 1


@pytest.mark.rule("conquest.round.supremacy.fewer-cards")
def test_fewer_cards_may_change_the_die_by_one():
    battle = supremacy([1, 1], (1, 3))
    assert battle.decision.side == 0
    do(battle, "-1")
    assert battle.state.first == 0, "0 beats 1"
    high = supremacy([6, 6], (3, 1))
    assert high.decision.side == 1
    do(high, "+1")
    assert high.state.first == 0, "7 goes second on purpose"
    assert supremacy([2, 5], (2, 2)).state.first == 0, "equal numbers: nobody is asked"
    assert not events(supremacy([2, 5], (2, 2)), "supremacy-modified")


@pytest.mark.rule("conquest.round.supremacy.tie")
def test_ties_are_rolled_again_and_may_be_modified_again():
    avoided = do(supremacy([4, 4], (1, 2)), "-1")
    assert avoided.state.first == 0
    assert rolled(avoided, "supremacy") == [1, 1]
    again = do(supremacy([4, 4, 6, 5], (1, 2)), "0")
    assert again.decision.prompt.key == "ask.supremacy-die"
    do(again, "0")
    assert again.state.first == 1
    made = do(supremacy([5, 4, 2, 3], (1, 2)), "-1")
    assert made.decision.prompt.key == "ask.supremacy-die", "5 turned into 4 is a tie"
    plain = supremacy([4, 4, 1, 2], (2, 2))
    assert plain.state.first == 0


SHOUT = Ability("shout", {"zh": "呐喊", "en": "Shout"}, effects=(Change("clash", 1),))
HORN = Ability("horn", {"zh": "号角", "en": "Horn"}, effects=(Change("march", 1),))
AURA = Ability("aura", {"zh": "光环", "en": "Aura"}, passive=True, effects=(Change("resolve", 1),))


def lords(*heroes, **more):
    return supremacy([2, 5], characters=heroes, **more)


@pytest.mark.rule("conquest.round.supremacy.ability.once-per-game", "conquest.round.supremacy.ability.order")
def test_an_ability_is_used_once_first_player_first():
    battle = lords(hero("h", 0, "a", warlord=True, supremacy=SHOUT), hero("k", 1, "b", warlord=True, supremacy=SHOUT))
    assert battle.decision.side == 0, "the First Player declares first"
    do(battle, "shout")
    assert battle.decision.side == 1, "the second decides knowing that"
    do(battle, "shout")
    assert len(events(battle, "supremacy")) == 2
    again = lords(hero("h", 0, "a", warlord=True, supremacy=SHOUT), used={"battle/0/supremacy:shout": 1})
    assert not again.decision or again.decision.prompt.key != "ask.supremacy"
    fired(again, "conquest.round.supremacy.ability.once-per-game")


@pytest.mark.rule("conquest.round.supremacy.ability.warlord")
def test_only_the_warlords_ability_is_available():
    battle = lords(hero("h", 0, "a", warlord=True, supremacy=SHOUT), hero("o", 0, "", supremacy=HORN))
    assert offered(battle) == ["shout", "none"]
    refused(battle, "horn", "conquest.round.supremacy.ability.warlord")


@pytest.mark.rule("conquest.round.supremacy.ability.one-per-round")
def test_one_ability_a_round():
    battle = lords(hero("h", 0, "a", warlord=True, supremacy=SHOUT, abilities=(HORN,)))
    assert offered(battle) == ["shout", "horn", "none"]
    do(battle, "horn")
    assert not battle.decision or battle.decision.prompt.key != "ask.supremacy", "the other waits for another round"
    from umpire.games.conquest.supremacy import ability_reasons

    found = [x.rule for x in ability_reasons(battle.state, 0, "shout")]
    assert found == ["conquest.round.supremacy.ability.one-per-round"]


@pytest.mark.rule("conquest.round.supremacy.ability.on-battlefield")
def test_the_character_must_be_on_the_battlefield():
    battle = scene(
        regiment("a", 0, where="arriving"),
        regiment("b", 1, (20, 40)),
        characters=[hero("h", 0, "a", warlord=True, supremacy=SHOUT)],
        moment="supremacy",
        stacks=(("a",), ("b",)),
        dice=[2, 5],
    )
    assert not battle.decision or battle.decision.prompt.key != "ask.supremacy"
    fired(battle, "conquest.round.supremacy.ability.on-battlefield")


@pytest.mark.rule("conquest.round.supremacy.ability.passive")
def test_a_passive_ability_works_while_its_character_is_there():
    from umpire.games.conquest import hooks

    battle = scene(
        regiment("a", 0, (36, 20), stands=3),
        regiment("c", 0, (10, 10)),
        regiment("b", 1, (36, 40)),
        characters=[hero("h", 0, "a", warlord=True, supremacy=AURA)],
        moment="round",
        round=2,
    )
    assert int(hooks.characteristic(battle, r(battle, "c"), "resolve")) == 4
    fired(battle, "conquest.round.supremacy.ability.passive")
    hunted = r(battle, "a")
    for _ in characters.slay(battle, hunted, battle.state.characters["h"]):
        pass
    assert hunted.alive
    assert int(hooks.characteristic(battle, r(battle, "c"), "resolve")) == 3, "it ends when he leaves play"
    arriving = scene(
        regiment("a", 0, where="arriving"),
        regiment("c", 0, (10, 10)),
        regiment("b", 1, (36, 40)),
        characters=[hero("h", 0, "a", warlord=True, supremacy=AURA)],
        moment="activation",
    )
    assert int(hooks.characteristic(arriving, r(arriving, "c"), "resolve")) == 3
    do(arriving, {"edge": "south", "at": 36, "files": 4, "path": [{"how": "forward", "inches": 4}]}, "1")
    assert int(hooks.characteristic(arriving, r(arriving, "c"), "resolve")) == 4, "it begins when he marches on"
