"""Activations: cards, draw events, actions."""

import pytest

from conquest.builder import do, events, fired, forward, hero, last, offered, profile, r, refused, regiment, scene
from umpire.games.conquest import hooks


def turns(stacks, *regiments, first=0, **more):
    return scene(*regiments, moment="turn", stacks=stacks, first=first, **more)


def activations(battle):
    return [e.facts["regiment"] for e in events(battle, "activated")]


def fields(*keys, **more):
    """Regiments far apart, side by the letter: a, c, e are side 0, b, d, f are side 1."""
    found = []
    for k, key in enumerate(keys):
        side = 0 if key[0] in "ace" else 1
        found.append(regiment(key, side, (8.0 + 9 * k, 10.0 if side == 0 else 40.0), **more.get(key, {})))
    return found


@pytest.mark.rule("conquest.round.action.alternate", "conquest.round.action.empty-stack")
def test_players_alternate_and_an_empty_stack_passes():
    armies = fields("a", "c", "b1", "b2", "b3", "b4", "b5")
    battle = turns((("a", "c"), ("b1", "b2", "b3", "b4", "b5")), *armies)
    for _ in range(7):
        do(battle, "pass")
    assert activations(battle)[:7] == ["a", "b1", "c", "b2", "b3", "b4", "b5"]
    fired(battle, "conquest.round.action.empty-stack")


@pytest.mark.rule("conquest.round.action.sequence")
def test_an_activation_has_five_steps_in_order():
    battle = scene(
        regiment("a", 0, (36, 10), wounds={0: 2}, of=profile(events=["regeneration 1"], rules=["bravery"])),
        regiment("b", 1, (36, 40)),
        moment="activation",
    )
    do(battle, "march", forward(1), "take-aim")
    kinds = [e.kind for e in battle.events if e.facts.get("regiment") == "a"]
    order = [kinds.index(k) for k in ("activated", "healed", "action", "marched", "deactivated")]
    assert order == sorted(order)


@pytest.mark.rule("conquest.round.action.draw-card.match-name", "conquest.round.action.draw-card.one-regiment")
def test_a_card_activates_one_regiment_of_its_name():
    armies = [
        regiment("r1", 0, (10, 10), entry="x/raiders"),
        regiment("r2", 0, (20, 10), entry="x/raiders"),
        regiment("r3", 0, where="arriving", entry="x/raiders"),
        regiment("o", 0, (40, 10)),
        regiment("b", 1, (36, 40)),
    ]
    battle = turns((("raiders",), ("b",)), *armies, characters=[hero("h", 0, "r1")])
    assert offered(battle) == ["r1", "r2", "r3"], "one that arrives this round too"
    refused(battle, "o")
    do(battle, "r1", "pass")
    assert activations(battle)[0] == "r1"
    assert not battle.state.characters["h"].activated, "a Character has his own card"


@pytest.mark.rule("conquest.round.action.draw-card.discard-and-replace", "conquest.round.action.no-double-activation")
def test_a_card_without_a_regiment_is_replaced_in_the_same_turn():
    armies = [
        regiment("s1", 0, where="gone", entry="x/stryx"),
        regiment("s2", 0, (10, 10), entry="x/stryx", activated=True),
        regiment("c", 0, (30, 10)),
        regiment("b", 1, (36, 40)),
    ]
    battle = turns((("stryx", "stryx", "c"), ("b",)), *armies)
    assert activations(battle) == ["c"], "both dead cards are gone and the third is used"
    assert len(events(battle, "card-discarded")) == 2
    fired(battle, "conquest.round.action.no-double-activation")
    ends = turns((("stryx",), ("b",)), *armies)
    assert activations(ends) == ["b"]


@pytest.mark.rule("conquest.round.action.draw-event.resolve")
def test_draw_events_are_resolved_by_the_own_card_only():
    def start(**more):
        return scene(
            regiment("a", 0, (36, 10), wounds={0: 3}, of=profile(events=["regeneration 2"])),
            regiment("b", 1, (36, 40)),
            moment="activation",
            **more,
        )

    own = start()
    assert last(own, "healed")["spent"] == 2
    assert not own.answers, "compulsory: nothing is asked"
    other = start(by_card=False)
    assert not events(other, "healed")
    optional = start(options={"draw_events": "optional"})
    assert optional.decision.prompt.key != "ask.action", "it may be declined"


@pytest.mark.rule("conquest.round.action.draw-event.multiple")
def test_of_several_draw_events_one_is_chosen():
    battle = scene(
        regiment("a", 0, (36, 10), wounds={0: 3}, of=profile(events=["regeneration 2", "bastion 1"])),
        regiment("b", 1, (36, 40)),
        moment="activation",
    )
    assert len(offered(battle)) == 2
    do(battle, next(o for o in offered(battle) if "bastion" in o))
    assert not events(battle, "healed")
    assert int(hooks.characteristic(battle, r(battle, "a"), "defense")) == 3
    fired(battle, "conquest.round.action.draw-event.multiple")


@pytest.mark.rule("conquest.round.action.draw-event.off-table")
def test_no_draw_event_off_the_table():
    battle = scene(
        regiment("a", 0, where="arriving", wounds={0: 2}, of=profile(events=["regeneration 2"])),
        regiment("b", 1, (36, 40)),
        moment="activation",
    )
    assert not events(battle, "healed")
    fired(battle, "conquest.round.action.draw-event.off-table")


@pytest.mark.rule("conquest.round.action.draw-event.until-end-of-round")
def test_effects_until_the_end_of_the_round():
    battle = scene(
        regiment("a", 0, (36, 10), of=profile(events=["bastion 1"])), regiment("b", 1, (36, 40)), moment="activation"
    )
    assert int(hooks.characteristic(battle, r(battle, "a"), "defense")) == 3
    do(battle, "pass")
    while battle.state.round == 1 and battle.decision:
        assert int(hooks.characteristic(battle, r(battle, "a"), "defense")) == 3
        battle.answer("pass")
    assert battle.state.round == 2
    ended = events(battle, "effects-ended")
    assert ended
    assert battle.events.index(ended[0]) < battle.events.index(events(battle, "round")[-1])


@pytest.mark.rule("conquest.action.first", "conquest.action.list.out-of-combat")
def test_out_of_combat_actions():
    battle = scene(
        regiment("a", 0, (36, 10), of=profile(v=2, rules=["barrage 2 20"])),
        regiment("b", 1, (36, 16)),
        moment="activation",
    )
    assert {"march", "charge", "reform", "take-aim", "volley"} <= set(offered(battle))
    for name in ("clash", "combat-rally", "combat-reform", "inspire", "withdraw"):
        refused(battle, name, "conquest.action.list.in-combat")
    broken = scene(regiment("a", 0, (36, 10), broken=True), regiment("b", 1, (36, 40)))
    assert "rally" in offered(broken)


@pytest.mark.rule("conquest.action.list.in-combat")
def test_combat_actions():
    battle = scene(
        regiment("a", 0, (36, 20), broken=True, of=profile(v=2, rules=["barrage 2 20"])), regiment("b", 1, (36, 20))
    )
    assert {"clash", "combat-rally", "combat-reform", "inspire", "withdraw"} <= set(offered(battle))
    for name in ("march", "charge", "rally", "reform", "take-aim", "volley"):
        refused(battle, name, "conquest.action.list.out-of-combat")
    won = scene(
        regiment("a", 0, (36, 20), broken=True, of=profile(a=4, c=5)),
        regiment("b", 1, (36, 20), stands=1, of=profile(w=1, d=0, e=0)),
        regiment("c", 1, (60, 45)),
        dice=[1] * 12 + [6] * 12,
    )
    do(won, "clash")
    assert r(won, "b").where == "gone"
    for name in ("combat-rally", "combat-reform", "inspire", "withdraw"):
        refused(won, name, "conquest.action.list.in-combat")


@pytest.mark.rule("conquest.action.first.reinforcement-must-march", "conquest.charge.not-after-reinforcement")
def test_an_arriving_regiment_marches_first_and_does_not_charge():
    battle = scene(
        regiment("a", 0, where="arriving", stands=3, of=profile(m=6, v=2, rules=["barrage 1 20"])),
        regiment("b", 1, (36, 14)),
        moment="activation",
    )
    assert battle.decision.prompt.key == "ask.enter"
    do(battle, {"edge": "south", "at": 36, "files": 3, **forward(5)})
    assert {"march", "reform", "take-aim", "volley", "pass"} <= set(offered(battle))
    refused(battle, "charge", "conquest.charge.not-after-reinforcement")
    later = scene(regiment("a", 0, (36, 10), arrived=1), regiment("b", 1, (36, 14)), round=2)
    assert "charge" in offered(later)


@pytest.mark.rule("conquest.action.second-different", "conquest.march.twice")
def test_the_second_action_differs_but_march_may_be_repeated():
    battle = scene(regiment("a", 0, (36, 10), of=profile(v=2, rules=["barrage 2 30"])), regiment("b", 1, (36, 36)))
    do(battle, "march", forward(5))
    assert "march" in offered(battle)
    do(battle, "march", forward(5))
    assert r(battle, "a").y == 20.0, "each March has its full distance"
    fired(battle, "conquest.march.twice")
    shot = scene(
        regiment("a", 0, (36, 10), of=profile(v=2, rules=["barrage 2 30"])),
        regiment("b", 1, (36, 36)),
        taken=("volley",),
    )
    refused(shot, "volley", "conquest.action.second-different")
    reformed = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 36)), taken=("reform",))
    refused(reformed, "reform", "conquest.action.second-different")
    charged = do(scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 14)), dice=[3]), "charge", "b")
    assert {"clash", "inspire"} <= set(offered(charged)), "only combat actions after a successful Charge"
    assert "march" not in offered(charged)


@pytest.mark.rule("conquest.action.extra-actions")
def test_rules_may_raise_the_number_of_actions():
    battle = scene(
        regiment("a", 0, (36, 10), of=profile(events=["double-time"])), regiment("b", 1, (36, 45)), moment="activation"
    )
    do(battle, "march", forward(5), "march", forward(5))
    while battle.decision.kind == "confirm":
        battle.answer(True)
    assert battle.decision.kind == "move"
    do(battle, forward(4))
    assert r(battle, "a").y == 24.0
    fired(battle, "conquest.action.extra-actions")


@pytest.mark.rule("conquest.round.action.deactivate")
def test_after_its_actions_a_regiment_is_marked_activated():
    battle = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 40)), stacks=((), ("b",)), moment="activation")
    do(battle, "march", forward(1), "reform", {"x": 36.0, "y": 9.75, "facing": 0.0, "files": 3})
    assert r(battle, "a").activated
    assert last(battle, "activated")["regiment"] == "b", "then the opponent takes his turn"


@pytest.mark.rule("conquest.action.pass")
def test_passing_counts_as_activated_and_still_resolves_draw_events():
    battle = scene(
        regiment("a", 0, (36, 10), wounds={0: 2}, of=profile(events=["regeneration 2"])),
        regiment("b", 1, (36, 40)),
        stacks=((), ("b",)),
        moment="activation",
    )
    assert events(battle, "healed"), "before the pass"
    do(battle, "pass")
    assert r(battle, "a").activated
    second = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 40)), taken=("march",))
    assert "pass" in offered(second), "the second action alone may be given up"
    arriving = scene(regiment("a", 0, where="arriving"), regiment("b", 1, (36, 40)), moment="activation")
    refused(arriving, {"stay": True}, "conquest.reinforce.must-enter")


@pytest.mark.rule("conquest.action.take-aim")
def test_take_aim_helps_the_next_volley_of_the_activation():
    def start(**more):
        return scene(
            regiment("a", 0, (36, 10), of=profile(v=2, rules=["barrage 1 30"])), regiment("b", 1, (36, 36)), **more
        )

    battle = do(start(dice=[6, 6, 6]), "take-aim", "volley", "b")
    assert last(battle, "hits")["value"] == 3
    assert last(battle, "volley")["shots"] == 3, "no more shots than without"
    late = do(start(dice=[6, 6, 6]), "volley", "b", "take-aim")
    assert not r(late, "a").aimed, "lost at the end of the activation"


@pytest.mark.rule("conquest.action.rally")
def test_rally_needs_no_roll():
    battle = scene(regiment("a", 0, (36, 10), broken=True), regiment("b", 1, (36, 14)))
    assert "charge" not in offered(battle)
    do(battle, "rally")
    assert not r(battle, "a").broken
    assert "charge" in offered(battle), "Rally, then Charge"
    fine = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 40)))
    refused(fine, "rally", "conquest.action.rally")


@pytest.mark.rule("conquest.action.combat-rally")
def test_combat_rally():
    battle = scene(regiment("a", 0, (36, 20), broken=True), regiment("b", 1, (36, 20)))
    do(battle, "combat-rally")
    assert not r(battle, "a").broken
    fine = scene(regiment("a", 0, (36, 20)), regiment("b", 1, (36, 20)))
    refused(fine, "combat-rally", "conquest.action.combat-rally")


@pytest.mark.rule("conquest.action.inspire", "conquest.action.inspired.bonus")
def test_inspire_lasts_to_the_end_of_the_activation():
    battle = do(scene(regiment("a", 0, (36, 20), of=profile(c=2)), regiment("b", 1, (36, 20))), "inspire", "clash")
    assert events(battle, "hits")[0].facts["value"] == 3
    while battle.decision and battle.state.activation and battle.state.activation.regiment == "a":
        battle.answer(battle.decision.suggest())
    assert r(battle, "a").inspired == 0
    twice = do(
        scene(regiment("a", 0, (36, 20), inspired=1, of=profile(c=2)), regiment("b", 1, (36, 20))), "inspire", "clash"
    )
    assert events(twice, "hits")[0].facts["value"] == 3, "twice Inspired is +1 only"
