"""Using abilities: declare, reactions, effect; Core, commands, once per …"""

from __future__ import annotations

import math
from typing import Any

import pytest

from aos.builder import STAY, ask, block, bow, cites, do, kinds, options, refused, rolls, row, scene, spell, told, unit
from umpire.engine.battle import Battle
from umpire.engine.effects import Effect
from umpire.games.aos.abilities import offered, offers
from umpire.games.aos.numbers import passives, value, wards


@pytest.mark.rule("aos.ability.sequence", "aos.command.forward-to-victory", "aos.core.rerolls")
def test_declare_rolls_come_before_reactions_and_a_reroll_stands() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 18)), phase="charge", dice=[6, 5, 1, 2])
    do(battle, "charge:a1")
    assert rolls(battle, "charge") == [[6, 5]]
    assert "forward-to-victory:a1" in options(battle)
    do(battle, "forward-to-victory:a1")
    again = told(battle, "reroll")[0].roll
    assert again is not None
    assert (again.first, again.faces) == ([6, 5], [1, 2])  # both dice, once; the new result stands
    assert told(battle, "charge-fails")[0].facts["inches"] == 3
    assert battle.state.sides[0].command == 3


@pytest.mark.rule("aos.command.forward-to-victory")
def test_forward_to_victory_once_per_army_and_phase() -> None:
    battle = scene(
        unit("a1", (10, 10)), unit("a2", (30, 10)), unit("b1", (10, 25)), phase="charge", dice=[1, 2, 1, 2, 1, 2]
    )
    do(battle, "charge:a1", "forward-to-victory:a1", "charge:a2")
    assert ask(battle).prompt.key != "ask.react"


@pytest.mark.rule("aos.ability.sequence", "aos.command.at-the-double")
def test_effect_rolls_come_after_reactions() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (40, 28)), phase="movement", dice=[])
    do(battle, "run:a1")
    assert rolls(battle, "run") == []
    assert options(battle) == ["at-the-double:a1", "pass"]
    do(battle, "at-the-double:a1")
    assert rolls(battle, "run") == []
    assert refused(battle, {"to": {"x": 21, "y": 10}}) == []
    assert refused(battle, {"to": {"x": 21.01, "y": 10}}) == ["aos.move.run"]


@pytest.mark.rule("aos.ability.sequence")
def test_reactions_start_with_the_active_player() -> None:
    battle = scene(
        unit("a1", (10, 10), charged=True),
        unit("b1", (10, 11.5)),
        phase="combat",
        dice=[4, 4, 1, 3, 3, 3, 3],
    )
    do(battle, STAY)
    assert (ask(battle).side, options(battle)) == (0, ["all-out-attack:a1", "pass"])
    do(battle, "pass")
    assert (ask(battle).side, options(battle)) == (1, ["all-out-defence:b1", "pass"])


@pytest.mark.rule("aos.ability.one-core")
def test_one_core_ability_per_unit_and_phase() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 28)), phase="movement")
    do(battle, "normal-move:a1", STAY)
    assert ask(battle).side == 1 or "run:a1" not in options(battle)
    again = scene(unit("a1", (10, 10)), unit("a2", (20, 10)), unit("b1", (10, 28)), phase="movement")
    do(again, "normal-move:a1", STAY)
    assert refused(again, "run:a1") == ["aos.ability.one-core"]
    assert refused(again, "run:a2") == []


def test_where_the_limits_are_switched_off_what_they_barred_is_on_offer() -> None:
    battle = scene(unit("a1", (10, 10)), unit("a2", (20, 10)), unit("b1", (10, 28)), phase="movement")
    do(battle, "normal-move:a1", STAY)
    state = battle.state
    assert "run:a1" not in list(offers(state, 0))
    state.without = ("aos.ability.one-core",)
    assert "run:a1" in list(offers(state, 0))
    other = scene(unit("a1", (10, 10)), unit("b1", (10, 28)), phase="hero")
    state = other.state
    state.sides[0].command = 0
    assert "rally:a1" not in list(offers(state, 0))
    state.without = ("aos.command.cost",)
    assert "rally:a1" in list(offers(state, 0))
    assert offered(state, 0, "rally:a1")


@pytest.mark.rule("aos.ability.one-core")
def test_commands_without_core_do_not_count() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 25)), phase="movement", dice=[3, 3])
    do(battle, "run:a1", "at-the-double:a1", STAY, "redeploy:b1", STAY)
    assert battle.state.unit("b1").core is False


@pytest.mark.rule("aos.ability.passive", "aos.core.order-of-effects")
def test_passives_apply_always_and_the_active_players_wins() -> None:
    mine = {
        "id": "banner",
        "timing": "passive",
        "does": [{"do": "modify", "what": "control", "op": "set", "value": 4, "who": "friends", "range": 9}],
    }
    theirs = {
        "id": "dread",
        "timing": "passive",
        "does": [{"do": "modify", "what": "control", "op": "set", "value": 1, "who": "enemies", "range": 9}],
    }
    for active, control in ((0, 4), (1, 1)):
        battle = scene(
            unit("a1", (10, 10), control=2),
            unit("a2", (12, 10), keywords=["aura"], abilities=[mine]),
            unit("b1", (10, 16), keywords=["aura"], abilities=[theirs]),
            active=active,
        )
        found = value(battle.state, battle.state.unit("a1"), "control", 2)
        assert found.total == control
        assert [c.op for c in found.changes] == ["set", "set"]


@pytest.mark.rule("aos.ability.passive-once", "aos.core.persisting")
def test_one_passive_from_two_sources_counts_once() -> None:
    blessing = {
        "id": "bless",
        "timing": "passive",
        "does": [{"do": "modify", "what": "hit", "value": 1, "who": "friends", "range": 9}],
    }
    battle = scene(
        unit("a1", (10, 10)),
        unit("a2", (12, 10), keywords=["aura"], abilities=[blessing]),
        unit("a3", (8, 10), keywords=["aura"], abilities=[blessing]),
        unit("b1", (10, 28)),
    )
    from umpire.games.aos.numbers import roll_modifiers

    mods = roll_modifiers(battle.state, battle.state.unit("a1"), "hit")
    assert sum(m for m, _ in mods) == 1
    assert len(list(passives(battle.state, battle.state.unit("a1"), "modify"))) == 2


@pytest.mark.rule("aos.core.persisting")
def test_the_same_lasting_effect_does_not_stack() -> None:
    bless = {
        "id": "haste",
        "timing": "your hero",
        "target": "friendly",
        "range": 12,
        "does": [{"do": "modify", "what": "move", "value": 2, "who": "target"}],
    }
    battle = scene(unit("a1", (10, 10), abilities=[bless]), unit("a2", (12, 10)), unit("b1", (10, 28)), phase="hero")
    do(battle, "scene-a1.haste:a1", ["a2"])
    effect = battle.state.effects[0]
    battle.state.effects.append(Effect("a2", "move", "add", 2.0, effect.rule, effect.source, "turn"))
    assert value(battle.state, battle.state.unit("a2"), "move", 5).total == 7


@pytest.mark.rule("aos.command.cost")
def test_commands_cost_points_that_stay_spent() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("b1", (10, 25), weapons=[bow()]),
        phase="shooting",
        stage=1,
        sides=[{}, {"command": 1}],
    )
    do(battle, "covering-fire:b1")  # nothing within range: the point is gone all the same
    assert battle.state.sides[1].command == 0
    assert "no-target" in kinds(battle)


@pytest.mark.rule("aos.command.cost")
def test_counter_charge_needs_two_points() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("b1", (10, 22)),
        unit("b2", (20, 25), where="reserve"),
        phase="charge",
        stage=1,
        sides=[{}, {"command": 2}],
    )
    assert "counter-charge:b1" in options(battle)
    battle.state.sides[1].command = 1
    assert refused(battle, "counter-charge:b1 ") != []
    from umpire.games.aos.abilities import objections
    from umpire.games.aos.known_abilities import core

    rules = [r.rule for r in objections(battle.state, 1, core("counter-charge"), battle.state.unit("b1"))]
    assert rules == ["aos.command.cost"]


@pytest.mark.rule("aos.command.limits")
def test_each_command_once_per_army_and_one_per_unit() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("a2", (20, 10)),
        unit("b1", (10, 11.5)),
        unit("b2", (20, 11.5)),
        phase="combat",
        dice=[1] * 20,
    )
    do(battle, "fight:a1", STAY, "all-out-attack:a1", "pass")
    # b fights back with b1: its own All-out Attack is open to it
    do(battle, "fight:b1", STAY)
    assert options(battle)[0] == "all-out-defence:a1" or "all-out-attack:b1" in options(battle)
    from umpire.games.aos.abilities import objections
    from umpire.games.aos.known_abilities import core

    def rules(side: int, key: str, who: str) -> list[str]:
        return [r.rule for r in objections(battle.state, side, core(key), battle.state.unit(who))]

    assert rules(0, "all-out-attack", "a2") == ["aos.command.limits"]  # once per army
    assert rules(0, "all-out-defence", "a1") == ["aos.command.limits"]  # one command a unit
    assert rules(0, "all-out-defence", "a2") == []  # another unit, another command
    assert rules(1, "all-out-attack", "b2") == []  # both armies may


@pytest.mark.rule("aos.core.once-per")
def test_once_per_turn_limits_each_unit_and_army_the_whole() -> None:
    once = {"timing": "your hero", "per": "turn", "does": [{"do": "heal", "amount": "1"}]}
    alone, shared = {"id": "alone", **once}, {"id": "shared", "army": True, **once}
    battle = scene(
        unit("a1", (10, 10), abilities=[alone, shared], id="twin"),
        unit("a2", (20, 10), abilities=[alone, shared], id="twin"),
        unit("b1", (10, 28)),
        phase="hero",
    )
    do(battle, "twin.alone:a1", "twin.shared:a1")
    assert "twin.alone:a2" in options(battle)
    assert refused(battle, "twin.shared:a2") == ["aos.core.once-per"]
    assert "aos.core.once-per" in refused(battle, "twin.alone:a1")


@pytest.mark.rule("aos.core.rules-of-one", "aos.core.spell-unique")
def test_a_wizard_cannot_cast_the_same_spell_twice() -> None:
    bolt = spell("bolt", unlimited=True)
    battle = scene(
        unit("a1", (10, 10), abilities=[bolt], wizard=2, keywords=["hero"]),
        unit("b1", (10, 20), health=9),
        phase="hero",
        dice=[2, 3],
    )
    do(battle, "scene-a1.bolt:a1")
    assert refused(battle, "scene-a1.bolt:a1") == ["aos.core.rules-of-one"]


@pytest.mark.rule("aos.core.ability-general")
def test_units_off_the_table_use_nothing_and_a_failed_must_is_spent() -> None:
    battle = scene(
        unit("a1", (10, 10)),
        unit("a2", where="reserve"),
        unit("b1", (10, 25), weapons=[bow(range=6.0)]),
        phase="shooting",
        stage=1,
    )
    assert refused(battle, "covering-fire:b1") == []
    do(battle, "covering-fire:b1")
    assert "no-target" in kinds(battle)
    assert battle.state.sides[1].command == 3
    moving = scene(unit("a1", (10, 10)), unit("a2", where="reserve"), unit("b1", (10, 25)), phase="movement")
    assert refused(moving, "normal-move:a2") == ["aos.core.ability-general"]


@pytest.mark.rule("aos.core.ability-general")
def test_picking_several_means_different_units() -> None:
    both = {
        "id": "both",
        "timing": "your hero",
        "target": "friendly",
        "range": 12,
        "picks": 2,
        "does": [{"do": "heal", "amount": "1", "who": "target"}],
    }
    battle = scene(
        unit("a1", (10, 10), abilities=[both]),
        unit("a2", (12, 10), damage=1, health=3),
        unit("b1", (10, 28)),
        phase="hero",
    )
    do(battle, "scene-a1.both:a1")
    assert not ask(battle).check(["a2", "a2"])
    do(battle, ["a2", "a1"])
    assert battle.state.unit("a2").damage == 0


@pytest.mark.rule("aos.core.cannot-wins")
def test_cannot_takes_precedence_over_can() -> None:
    rooted = [
        {
            "on": "a1",
            "what": "charge",
            "op": "forbid",
            "rule": "aos.core.cannot-wins",
            "source": "1:roots",
            "until": "turn",
        }
    ]
    battle = scene(unit("a1", (10, 10)), unit("a2", (20, 10)), unit("b1", (10, 20)), phase="charge", effects=rooted)
    assert refused(battle, "charge:a1") == ["aos.core.cannot-wins"]
    assert "charge:a2" in options(battle)


@pytest.mark.rule("aos.core.keywords")
def test_redeploy_is_a_run_ability() -> None:
    battle = scene(
        unit("a1", (10, 10)), unit("b1", (10, 25)), unit("b2", (20, 25)), phase="movement", stage=1, dice=[3]
    )
    do(battle, "redeploy:b1", STAY)
    assert "run" in battle.state.unit("b1").keywords_turn
    from umpire.games.aos.abilities import objections
    from umpire.games.aos.known_abilities import core

    battle.state.phase = "charge"
    charge = [r.rule for r in objections(battle.state, 1, core("charge"), battle.state.unit("b1"), ("as-own",))]
    assert charge == ["aos.charge.charge"]
    other = [r.rule for r in objections(battle.state, 1, core("charge"), battle.state.unit("b2"), ("as-own",))]
    assert other == []


@pytest.mark.rule("aos.core.tokens")
def test_tokens_mark_a_unit_and_are_no_models() -> None:
    mark = {
        "id": "mark",
        "timing": "your hero",
        "target": "enemy",
        "range": 24,
        "does": [{"do": "token", "what": "marked", "who": "target"}],
    }
    battle = scene(unit("a1", (10, 10), abilities=[mark]), unit("b1", *row(10, 20, 3)), phase="hero")
    do(battle, "scene-a1.mark:a1")
    foe = battle.state.unit("b1")
    assert foe.tokens == ("marked",)
    assert len(foe.models) == 3
    assert cites(battle, "aos.core.tokens")


@pytest.mark.rule("aos.core.modifier-order")
def test_set_then_multiply_then_add_and_round_down() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 28)))
    state, me = battle.state, battle.state.unit("a1")
    state.effects = [
        Effect("a1", "damage", "add", 1.0, source="x"),
        Effect("a1", "damage", "multiply", 0.5, source="y"),
    ]
    assert value(state, me, "damage", 2).total == 2  # half of 2, and 1
    assert value(state, me, "damage", 3).total == 2  # 1.5 + 1, rounded down
    state.effects = [Effect("a1", "move", "multiply", 0.1, source="y")]
    assert value(state, me, "move", 5).total == 1  # never below 1
    state.effects = [Effect("a1", "rend", "add", -3.0, source="y")]
    assert value(state, me, "rend", 1, 0).total == 0  # Rend may reach 0


@pytest.mark.rule("aos.core.friendly-enemy")
def test_only_friendly_units_can_be_used() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 25)), phase="movement")
    assert refused(battle, "normal-move:b1") == ["aos.core.friendly-enemy"]


@pytest.mark.rule("aos.core.order-of-effects", "aos.core.persisting")
def test_what_lasts_is_put_in_order_like_a_passive() -> None:
    dread = {
        "id": "dread",
        "timing": "passive",
        "does": [{"do": "modify", "what": "control", "op": "set", "value": 1, "who": "enemies", "range": 9}],
    }
    blessed = [{"on": "a1", "what": "control", "op": "set", "value": 4, "source": "0:bless", "until": "round"}]
    for active, control in ((0, 4), (1, 1)):
        battle = scene(
            unit("a1", (10, 10), control=2),
            unit("b1", (10, 16), keywords=["aura"], abilities=[dread]),
            active=active,
            effects=blessed,
        )
        assert value(battle.state, battle.state.unit("a1"), "control", 2).total == control


@pytest.mark.rule("aos.command.limits")
def test_who_counter_charges_may_not_go_forward_to_victory() -> None:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 20)), phase="charge", stage=1, dice=[1, 1, 6, 6])
    do(battle, "counter-charge:b1")
    assert battle.state.sides[1].command == 2
    assert "charge-fails" in kinds(battle)  # without having been asked
    assert rolls(battle, "charge") == [[1, 1]]


@pytest.mark.rule("aos.command.magical-intervention", "aos.core.ability-general")
def test_who_intervenes_need_not_cast_in_the_end() -> None:
    wizard = {"wizard": 1, "abilities": [spell("bolt")], "keywords": ["hero", "wizard"]}
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 20), **wizard), phase="hero", stage=1, dice=[])
    do(battle, "magical-intervention:b1")
    assert options(battle) == ["scene-b1.bolt", "pass"]
    do(battle, "pass")
    assert battle.state.sides[1].command == 3
    assert rolls(battle, "cast") == []


@pytest.mark.rule("aos.core.rules-of-one")
def test_a_wizard_of_two_levels_still_banishes_once_a_phase() -> None:
    ghosts = [unit(key, (x, 20), kind="manifestation", banishment=12) for key, x in (("b1", 10), ("b2", 20))]
    battle = scene(
        unit("a1", (10, 10), wizard=2, keywords=["hero"]), unit("a2", (14, 10)), *ghosts, phase="hero", dice=[1, 2]
    )
    do(battle, "banish:a1", "b1")
    assert refused(battle, "banish:a1") == ["aos.core.rules-of-one"]


@pytest.mark.rule("aos.ability.sequence")
def test_a_reaction_gives_the_first_player_another_chance() -> None:
    brace = {"timing": "reaction is-attacked", "does": [{"do": "ward", "value": 6, "until": "phase"}]}
    rage = {"timing": "reaction declares-attack", "does": [{"do": "modify", "what": "hit", "value": 1}]}
    battle = scene(
        unit("a1", (10, 10), abilities=[{"id": "rage", **rage}]),
        unit("b1", (10, 11.5), abilities=[{"id": "brace", **brace}], weapons=[], health=9),
        phase="combat",
        dice=[1],
    )
    do(battle, STAY, "pass", "all-out-defence:b1")
    assert (ask(battle).side, options(battle)) == (0, ["all-out-attack:a1", "scene-a1.rage:a1", "pass"])
    do(battle, "all-out-attack:a1")
    assert (ask(battle).side, options(battle)) == (1, ["scene-b1.brace:b1", "pass"])
    do(battle, "pass")
    assert (ask(battle).side, options(battle)) == (0, ["scene-a1.rage:a1", "pass"])
    do(battle, "pass")  # both have passed in turn
    assert rolls(battle, "hit") == [[1]]


@pytest.mark.rule("aos.core.phase-order")
def test_who_may_use_commands_in_whose_phase() -> None:
    wizard = {"wizard": 1, "abilities": [spell("bolt")], "keywords": ["hero", "wizard"]}
    units = (unit("a1", (10, 10), **wizard), unit("b1", (10, 20), **wizard))
    mine = scene(*units, phase="hero")
    assert {"rally:a1", "scene-a1.bolt:a1"} <= set(options(mine))
    assert refused(mine, "magical-intervention:a1") == ["aos.round.phases"]
    theirs = scene(*units, phase="hero", stage=1)
    assert set(options(theirs)) == {"rally:b1", "magical-intervention:b1", "done"}
    assert refused(theirs, "scene-b1.bolt:b1") == ["aos.round.phases"]
    strong = {"health": 5, "charged": True}
    end = (unit("a1", (10, 10), health=2), unit("b1", (10, 11.5), **strong), unit("b2", (12, 10), **strong))
    after = scene(*end, phase="end")
    assert (ask(after).side, options(after)) == (1, ["power-through:b1", "power-through:b2", "done"])


def bonus(battle: Battle[Any], key: str, what: str) -> float:
    """What passives add to a number of a unit."""
    return value(battle.state, battle.state.unit(key), what, 10, 0).total - 10


@pytest.mark.rule("aos.ability.passive", "aos.core.friendly-enemy")
def test_a_formation_is_for_its_own_side() -> None:
    units = (unit("a1", (10, 5)), unit("b1", (10, 28)))
    for side in (0, 1):
        sides = [{}, {}]
        sides[side] = {"formation": "summer-host"}  # runs of friendly units get 1 more
        battle = scene(*units, sides=sides)
        assert [bonus(battle, key, "run") for key in ("a1", "b1")] == [side == 0, side == 1]
    both = scene(*units, sides=[{"formation": "summer-host"}, {"formation": "funeral-guard"}])
    assert [bonus(both, key, "run") for key in ("a1", "b1")] == [1, 0]
    assert [wards(both.state, both.state.unit(key)) for key in ("a1", "b1")] == [[], [6]]


@pytest.mark.rule("aos.ability.passive", "aos.move.run")
def test_a_run_roll_shows_what_is_added_to_it() -> None:
    swift = {"id": "swift", "timing": "passive", "does": [{"do": "modify", "what": "run", "value": 1}]}
    battle = scene(unit("a1", (10, 10), abilities=[swift]), unit("b1", (40, 28)), phase="movement", dice=[6])
    do(battle, "run:a1", "pass")
    roll = next(event.roll for event in battle.events if event.roll is not None and event.roll.purpose == "run")
    assert (roll.faces, roll.mods) == ([6], [(1, "run")])
    assert refused(battle, {"to": {"x": 22, "y": 10}}) == []
    assert refused(battle, {"to": {"x": 22.01, "y": 10}}) == ["aos.move.run"]


@pytest.mark.rule("aos.ability.passive", "aos.core.friendly-enemy")
def test_an_aura_is_for_friends_or_for_enemies_and_reaches_its_range() -> None:
    def aura(who: str) -> dict:
        return {
            "id": who,
            "timing": "passive",
            "does": [{"do": "modify", "what": "run", "value": 1, "who": who, "range": 6}],
        }

    for who, found in (("self", [1, 0, 0, 0]), ("friends", [1, 1, 0, 0]), ("enemies", [0, 0, 0, 1])):
        battle = scene(
            unit("a1", (10, 10), keywords=["aura"], abilities=[aura(who)]),
            unit("a2", (17, 10)),  # 6.0 inches away
            unit("a3", (10, 17.01)),
            unit("b1", (3, 10)),
        )
        assert [bonus(battle, key, "run") for key in ("a1", "a2", "a3", "b1")] == found


@pytest.mark.rule("aos.ability.passive")
def test_passives_apply_while_their_conditions_are_met() -> None:
    def met(when: str, *spots: tuple[float, float], key: str = "a1", **unit_facts: object) -> bool:
        fierce = {
            "id": "fierce",
            "timing": "passive",
            "does": [{"do": "modify", "what": "run", "value": 1, "when": when}],
        }
        foe = unit("b9" if key == "a1" else "a9", (30, 15))
        return (
            bonus(
                scene(unit(key, *(spots or [(10, 15)]), abilities=[fierce], **unit_facts), foe, plan=HALVES), key, "run"
            )
            == 1
        )

    assert met("charged", charged=True)
    assert not met("charged")
    assert met("home", (10, 11.5))  # its base ends at the border
    assert not met("home", (10, 11.51))
    assert not met("home", (10, 10.3), (10, 11.6))  # one model of two stands outside
    assert not met("home", (10, 25))
    assert met("home", (10, 18.5), key="b1")
    assert not met("home", (10, 5), key="b1")
    assert met("in-combat", (26.5, 15))
    assert not met("in-combat", (25.9, 15))
    assert met("not-in-combat", (25.9, 15))
    assert not met("not-in-combat", (26.5, 15))
    assert met("token", tokens=["blessed"])
    assert not met("token")


@pytest.mark.rule("aos.core.allocate")
def test_a_unit_is_damaged_while_points_are_allocated_to_it() -> None:
    grim = {"id": "grim", "timing": "passive", "does": [{"do": "modify", "what": "run", "value": 1, "when": "damaged"}]}
    for facts, damaged in (({"damage": 1}, 1), ({}, 0), ({"slain": 1}, 0)):  # losses are no damage
        battle = scene(unit("a1", (10, 5), health=2, abilities=[grim], **facts), unit("b1", (10, 28)))
        assert bonus(battle, "a1", "run") == damaged


HALVES = {"territories": [[[0, 0], [44, 0], [44, 12], [0, 12]], [[0, 18], [44, 18], [44, 30], [0, 30]]]}


@pytest.mark.rule("aos.ability.passive")
def test_enhancements_give_their_passives_to_their_bearer() -> None:
    battle = scene(
        unit("a1", (10, 5), keywords=["hero"], enhancements=["pearl-of-still-water"]),
        unit("a2", (12, 5)),
        unit("b1", (10, 28)),
    )
    assert [wards(battle.state, battle.state.unit(key)) for key in ("a1", "a2", "b1")] == [[5], [], []]


def picks(target: str, *others: dict, needs: tuple[str, ...] = (), terrain: tuple[dict, ...] = ()) -> list[str]:
    """Whom an ability with a range of 12 inches may pick."""
    point = {"id": "point", "timing": "your hero", "target": target, "range": 12, "needs": list(needs)}
    point["does"] = [{"do": "token", "what": "marked", "who": "target"}]
    sides = [{"command": 0}, {"command": 0}]
    me = unit("a1", (10, 10), abilities=[point])
    battle = scene(me, *others, unit("b9", (42, 28)), phase="hero", terrain=list(terrain), sides=sides)
    if not battle.decision or "scene-a1.point:a1" not in options(battle):
        return []
    do(battle, "scene-a1.point:a1")
    if ask(battle).prompt.key == "ask.pick":
        return options(battle)
    return [key for key, other in battle.state.units.items() if other.tokens]


@pytest.mark.rule("aos.core.ability-general", "aos.core.within")
def test_whom_an_ability_may_pick() -> None:
    near, exact, far = unit("b1", (10, 14)), unit("b2", (23, 10)), unit("b3", (10, 23.01))
    assert picks("enemy", near, exact, far, unit("b4", (10, 12), where="reserve")) == ["b1", "b2"]
    assert picks("friendly", unit("a2", (10, 14)), unit("a3", (10, 23.01)), exact) == ["a1", "a2"]
    wall = block(10, 13, 8, 0.5, 9)
    assert picks("enemy", near, exact, terrain=(wall,)) == ["b2"]  # an enemy must be visible
    assert picks("friendly", unit("a2", (10, 16)), terrain=(wall,)) == ["a1", "a2"]
    assert picks("enemy", far) == []


@pytest.mark.rule("aos.core.manifestations", "aos.core.faction-terrain")
def test_manifestations_and_faction_terrain_are_picked_by_enemies_alone() -> None:
    spirit = {"kind": "manifestation", "banishment": 7, "weapons": []}
    tower = {"kind": "terrain", "move": 0, "weapons": []}
    for thing in (spirit, tower):
        assert picks("enemy", unit("b1", (10, 14), **thing)) == ["b1"]
        assert picks("friendly", unit("a2", (10, 14), **thing)) == ["a1"]


@pytest.mark.rule("aos.core.ability-general", "aos.core.keywords")
def test_what_an_ability_asks_of_those_it_picks() -> None:
    hero, foe = unit("a2", (12, 12), keywords=["hero"]), unit("b1", (10, 12))
    assert picks("friendly", hero, needs=("keyword hero",)) == ["a2"]
    assert picks("friendly", unit("a2", (16, 10)), foe, needs=("not-in-combat",)) == ["a2"]
    rite = {"id": "rite", "timing": "your hero", "needs": ["in-combat"], "does": [{"do": "heal", "amount": "1"}]}
    for y, free in ((12, True), (20, False)):
        battle = scene(unit("a1", (10, 10), abilities=[rite]), unit("a2", (30, 10)), unit("b1", (10, y)), phase="hero")
        assert (refused(battle, "scene-a1.rite:a1") == []) is free


@pytest.mark.rule("aos.core.dice", "aos.core.ability-general")
def test_an_ability_that_needs_a_roll_works_on_its_number() -> None:
    roar = {"id": "roar", "timing": "your hero", "target": "enemy", "range": 12, "roll": 4}
    roar["does"] = [{"do": "token", "what": "cowed", "who": "target"}]
    for face, cowed in ((4, ("cowed",)), (3, ())):
        battle = scene(unit("a1", (10, 10), abilities=[roar]), unit("b1", (10, 18)), phase="hero", dice=[face])
        do(battle, "scene-a1.roar:a1")
        assert battle.state.unit("b1").tokens == cowed


@pytest.mark.rule("aos.command.counter-charge")
def test_nobody_counter_charges_whom_no_charge_can_reach() -> None:
    from umpire.games.aos.abilities import objections
    from umpire.games.aos.known_abilities import core

    def against(y: float, base: float = 25.4, **more: Any) -> list[str]:
        units = (unit("a1", (10, 10), base=[base]), unit("b1", (10, y)))
        battle = scene(*units, phase="charge", sides=[{"command": 4}, {"command": 4}], **more)
        return [r.rule for r in objections(battle.state, 1, core("counter-charge"), battle.state.unit("b1"))]

    assert against(23.5) == []  # 12.5 apart: a roll of 12 and half an inch
    assert against(23.6) == ["aos.command.counter-charge"]
    ring = [[3.1 * math.cos(math.pi * k / 12), 3.1 * math.sin(math.pi * k / 12)] for k in range(24)]
    rock = {"x": 10, "y": 10, "points": ring, "top": 2, "type": "area"}
    assert against(25.8, base=140, terrain=[rock]) == []  # it fills the rock: the rock's foot is near enough
    assert against(26.2, base=140, terrain=[rock]) == ["aos.command.counter-charge"]  # 12.6 to that
    assert against(23.9, terrain=[rock]) == ["aos.command.counter-charge"]  # there is a place up there
