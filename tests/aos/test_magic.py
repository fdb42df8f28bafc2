"""Spells, prayers, unbinding, banishing, manifestations."""

from __future__ import annotations

import pytest

from aos.builder import (
    ask,
    at,
    cites,
    do,
    kinds,
    melee,
    options,
    refused,
    scene,
    spell,
    to,
    told,
    unit,
)
from umpire.engine.battle import Battle
from umpire.engine.wishes import Wish
from umpire.games.aos import content

WIZARD = {"keywords": ["hero", "wizard"], "wizard": 1, "health": 6, "weapons": []}
PRIEST = {"keywords": ["hero", "priest"], "priest": 1, "health": 6, "weapons": []}


def caster(
    *dice: int,
    level: int = 1,
    spells: tuple[str, ...] = ("bolt",),
    unlimited: bool = False,
    more: list[dict] | None = None,
    **position: object,
) -> Battle:
    abilities = [spell(key, unlimited=unlimited) for key in spells]
    return scene(
        unit("a1", (10, 10), **{**WIZARD, "wizard": level, "abilities": abilities}),
        unit("b1", (10, 20), health=12, weapons=[]),
        *(more or []),
        phase="hero",
        dice=list(dice),
        **position,
    )


@pytest.mark.rule("aos.core.spell-casting", "aos.core.known-spells")
def test_a_casting_roll_equal_to_the_value_succeeds() -> None:
    made = caster(3, 4)
    do(made, "scene-a1.bolt:a1")
    assert made.state.unit("b1").damage == 2
    failed = caster(3, 3)
    do(failed, "scene-a1.bolt:a1")
    assert failed.state.unit("b1").damage == 0
    assert "cast-fails" in kinds(failed)
    assert refused(caster(), "crushing-depth:a1") == ["aos.core.known-spells"]


@pytest.mark.rule("aos.core.spell-casting", "aos.magic.unbind")
def test_unbind_is_offered_against_successful_rolls_only() -> None:
    foe = unit("b2", (14, 20), **WIZARD)
    failed = caster(3, 3, more=[foe])
    do(failed, "scene-a1.bolt:a1", ["b1"])
    assert "cast-fails" in kinds(failed)
    assert ask(failed).prompt.key != "ask.react"
    for dice, damage in (((4, 4), 0), ((3, 4), 2)):  # 8 unbinds an 8, 7 does not
        battle = caster(4, 4, *dice, more=[foe, unit("b3", (8, 20), **WIZARD)])
        do(battle, "scene-a1.bolt:a1", ["b1"])
        assert options(battle) == ["unbind:b2", "unbind:b3", "pass"]
        do(battle, "unbind:b2")
        assert battle.state.unit("b1").damage == damage
        assert ask(battle).prompt.key != "ask.react"  # one attempt against one casting roll


@pytest.mark.rule("aos.magic.unbind")
def test_unbinding_reaches_thirty_inches() -> None:
    for y, offered in ((33.0, True), (33.1, False)):  # bases of 1 inch: 30.0 and 30.1 inches apart
        battle = scene(
            unit("a1", (10, 2), **{**WIZARD, "abilities": [spell("bolt", range=40)]}),
            unit("b1", (10, 20), weapons=[], health=9),
            unit("b2", (10, y), **WIZARD),
            phase="hero",
            dice=[6, 6, 1, 1],
            depth=60,
        )
        do(battle, "scene-a1.bolt:a1", ["b1"])
        assert ("unbind:b2" in options(battle)) is offered


@pytest.mark.rule("aos.core.unbind-limit")
def test_a_wizard_unbinds_as_often_as_its_level() -> None:
    for level in (1, 2):
        foe = unit("b2", (14, 20), **{**WIZARD, "wizard": level})
        battle = caster(4, 4, 1, 2, 4, 4, 6, 6, level=2, spells=("bolt", "blast"), more=[foe])
        do(battle, "scene-a1.bolt:a1", ["b1"], "unbind:b2", "scene-a1.blast:a1", ["b1"])
        assert (ask(battle).prompt.key == "ask.react") is (level == 2)


@pytest.mark.rule("aos.core.miscast")
def test_a_double_one_is_a_miscast_whatever_is_added() -> None:
    bonus = [{"on": "a1", "what": "cast", "op": "add", "value": 5, "source": "0:x", "until": "turn"}]
    battle = caster(1, 1, 5, level=2, spells=("bolt", "blast"), effects=bonus)
    do(battle, "scene-a1.bolt:a1")
    assert battle.state.unit("a1").damage == 3
    assert battle.state.unit("b1").damage == 0
    assert refused(battle, "scene-a1.blast:a1") == ["aos.core.miscast"]


@pytest.mark.rule("aos.core.spell-unique")
def test_a_spell_is_tried_by_one_friendly_wizard_a_turn() -> None:
    second = unit("a2", (14, 10), **{**WIZARD, "abilities": [spell("bolt")]})
    battle = caster(1, 2, more=[second])
    do(battle, "scene-a1.bolt:a1")  # failed, but tried
    assert refused(battle, "scene-a2.bolt:a2") == ["aos.core.spell-unique"]
    free = unit("a2", (14, 10), **{**WIZARD, "abilities": [spell("bolt", unlimited=True)]})
    open_spell = caster(1, 2, unlimited=True, more=[free])
    do(open_spell, "scene-a1.bolt:a1")
    assert "scene-a2.bolt:a2" in options(open_spell)


@pytest.mark.rule("aos.core.magic-power-level")
def test_the_power_level_counts_spells_prayers_and_banishments() -> None:
    ghost = unit("b2", (20, 20), kind="manifestation", banishment=7, health=9)
    battle = caster(4, 4, 1, 2, level=2, spells=("bolt", "blast"), more=[ghost])
    do(battle, "scene-a1.bolt:a1", ["b1"], "banish:a1")
    assert refused(battle, "scene-a1.blast:a1") == ["aos.core.magic-power-level"]


@pytest.mark.rule("aos.magic.banish", "aos.core.manifestations")
def test_banishing_on_the_value_once_a_turn() -> None:
    def banish(*dice: int) -> Battle:
        battle = scene(
            unit("a1", (10, 10), **WIZARD),
            unit("a2", (12, 10), **PRIEST),
            unit("a3", (14, 10), keywords=["hero"]),
            unit("b1", (10, 20), kind="manifestation", banishment=7),
            phase="hero",
            dice=list(dice),
        )
        assert refused(battle, "banish:a3") == ["aos.magic.banish", "aos.core.magic-power-level"]
        return do(battle, "banish:a1")

    assert banish(3, 4).state.unit("b1").where == "reserve"
    failed = banish(3, 3)
    assert failed.state.unit("b1").where == "table"
    assert refused(failed, "banish:a2") == ["aos.magic.banish"]


@pytest.mark.rule("aos.core.prayer-chanting")
def test_ritual_points_are_kept_or_added() -> None:
    def chanter(ritual: int, *dice: int) -> Battle:
        prayer = {**spell("hymn", value=6), "keywords": ["prayer"]}
        battle = scene(
            unit("a1", (10, 10), **{**PRIEST, "abilities": [prayer], "ritual": ritual}),
            unit("b1", (10, 20), health=12, weapons=[]),
            phase="hero",
            dice=list(dice),
        )
        return do(battle, "scene-a1.hymn:a1")

    answered = chanter(3, 3)
    do(answered, "answer")
    assert answered.state.unit("b1").damage == 2
    assert answered.state.unit("a1").ritual == 0
    kept = chanter(3, 3)
    do(kept, "keep")
    assert kept.state.unit("a1").ritual == 6
    short = chanter(2, 3)
    do(short, "answer")
    assert (short.state.unit("b1").damage, short.state.unit("a1").ritual) == (0, 2)
    failed = chanter(4, 1, 3)
    assert (failed.state.unit("b1").damage, failed.state.unit("a1").ritual) == (0, 2)  # D3 points are lost


@pytest.mark.rule("aos.command.magical-intervention", "aos.core.prayer-chanting")
def test_magical_intervention_subtracts_one() -> None:
    def intervene(dice: list[int], **unit_facts: object) -> Battle:
        battle = scene(
            unit("a1", (10, 20), weapons=[], health=9, damage=0),
            unit("a2", (16, 20), **WIZARD),
            unit("b1", (10, 10), **unit_facts),
            phase="hero",
            stage=1,
            dice=dice,  # type: ignore[arg-type]
        )
        do(battle, "magical-intervention:b1")
        do(battle, options(battle)[0])
        if ask(battle).prompt.key == "ask.pick":
            do(battle, ["a1"])
        return battle

    wizard = {**WIZARD, "abilities": [spell("bolt")]}
    assert "cast-fails" in kinds(intervene([3, 4], **wizard))  # 7 counts as 6
    made = intervene([4, 4], **wizard)
    assert options(made) == ["unbind:a2", "pass"]  # the opponent may unbind it
    assert made.state.unit("b1").power == 1
    assert "miscast" in kinds(intervene([1, 1, 1], **wizard))
    prayer = {**spell("hymn", value=3), "keywords": ["prayer"]}
    nothing = intervene([2], **{**PRIEST, "abilities": [prayer], "ritual": 2})
    assert "chant-nothing" in kinds(nothing)  # neither an unmodified 1 nor 2 or more
    assert nothing.state.unit("b1").ritual == 2
    only = scene(
        unit("a1", (10, 20), kind="manifestation"),
        unit("b1", (10, 10), **WIZARD),
        unit("b2", (20, 10)),
        phase="hero",
        stage=1,
    )
    assert refused(only, "magical-intervention:b1") == ["aos.command.magical-intervention"]  # banishing is no spell


@pytest.mark.rule("aos.core.universal-spells")
def test_a_wizard_without_lore_knows_no_spell() -> None:
    battle = scene(unit("a1", (10, 10), **WIZARD), unit("a2", (14, 10)), unit("b1", (10, 20)), phase="hero")
    assert not [o for o in options(battle) if o.endswith(":a1") and not o.startswith("rally")]
    lore = scene(
        unit("a1", (10, 10), **WIZARD), unit("b1", (10, 20)), phase="hero", sides=[{"spells": ["crushing-depth"]}]
    )
    assert "crushing-depth:a1" in options(lore)


@pytest.mark.rule("aos.core.manifestations", "aos.core.severed-connection")
def test_a_manifestation_is_summoned_and_leaves_with_its_summoner() -> None:
    call = {
        "id": "call",
        "timing": "your hero",
        "keywords": ["spell", "summon"],
        "value": 5,
        "does": [{"do": "summon", "unit": "scene-a2", "range": 6}],
    }
    battle = scene(
        unit("a1", (10, 10), **{**WIZARD, "health": 2, "abilities": [call]}),
        unit("a2", where="reserve", kind="manifestation", banishment=7),
        unit("b1", (10, 20)),
        phase="hero",
        dice=[3, 3],
    )
    do(battle, "scene-a1.call:a1")
    assert refused(battle, at(a2_1=(10, 17.01))) == ["aos.core.manifestations"]  # beyond 6 inches
    do(battle, at(a2_1=(10, 13)))
    assert (battle.state.unit("a2").where, battle.state.unit("a2").summoner) == ("table", "a1")
    assert refused(battle, "scene-a1.call:a1")[-1] == "aos.core.manifestations"
    from umpire.games.aos.damage import destroy

    destroy(battle, battle.state.unit("a1"))
    assert battle.state.unit("a2").where == "reserve"
    assert cites(battle, "aos.core.severed-connection")


@pytest.mark.rule("aos.core.manifestations")
def test_a_manifestation_that_cannot_move_counts_as_a_unit_in_charge_and_combat_only() -> None:
    idol = {"kind": "manifestation", "move": 0, "banishment": 6}
    moving = scene(unit("a1", (10, 10), move=8), unit("b1", (10, 13), **idol), phase="movement")
    assert moving.state.unit("a1").fights == ()
    do(moving, "normal-move:a1")
    assert refused(moving, at(a1_1=(10, 16))) == []  # models may move through manifestations
    assert refused(moving, at(a1_1=(10, 13.5))) == ["aos.core.movement"]  # but not end on them
    fighting = scene(unit("a1", (10, 10)), unit("b1", (10, 13), **idol), phase="combat", dice=[1] * 4)
    assert fighting.state.unit("a1").fights == ("b1",)
    swift = scene(unit("a1", (10, 10), move=8), unit("b1", (10, 13), **{**idol, "move": 6}), phase="movement")
    assert swift.state.unit("a1").fights == ("b1",)


@pytest.mark.rule("aos.core.manifestations")
def test_what_manifestations_may_do() -> None:
    ghost = unit("a1", (10, 10), kind="manifestation", move=6, banishment=7, weapons=[melee()])
    battle = scene(ghost, unit("a2", (30, 10)), unit("b1", (10, 20)), phase="movement")
    assert "normal-move:a1" in options(battle)
    commands = scene(ghost, unit("a2", (30, 10)), unit("b1", (10, 20)), phase="hero")
    assert refused(commands, "rally:a1") == ["aos.core.manifestations"]


@pytest.mark.rule("aos.core.faction-terrain")
def test_faction_terrain_is_fought_but_only_by_those_who_pick_it() -> None:
    tower = {
        "kind": "terrain",
        "move": 0,
        "health": 4,
        "base": [76.2],
        "height": 3,
        "features": ["cover"],
        "weapons": [],
    }
    battle = scene(
        unit("a1", (10, 10)),
        unit("b1", (10, 18), **tower),
        phase="charge",
        dice=[3, 3],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "charge:a1", to(10, 15.7))
    assert battle.state.unit("a1").charged
    assert told(battle, "charged")[0].facts["targets"] == ["b1"]
    walking = scene(unit("a1", (10, 10)), unit("b1", (10, 14), **tower), phase="movement")
    assert walking.state.unit("a1").fights == ()
    dread = {
        "id": "dread",
        "timing": "passive",
        "does": [{"do": "modify", "what": "save", "value": -1, "who": "enemies", "range": 20}],
    }
    bolt = {
        "id": "bolt",
        "timing": "your hero",
        "target": "enemy",
        "range": 40,
        "does": [{"do": "mortal", "amount": "4", "who": "target"}],
    }
    picked = scene(
        unit("a1", (10, 10), keywords=["aura"], abilities=[bolt, dread]), unit("b1", (10, 18), **tower), phase="hero"
    )
    from umpire.games.aos.numbers import roll_modifiers

    assert roll_modifiers(picked.state, picked.state.unit("b1"), "save") == []  # it is no unit for what picks no target
    do(picked, "scene-a1.bolt:a1")
    assert picked.state.unit("b1").where == "gone"
    assert picked.state.terrain == []


@pytest.mark.rule("aos.terrain.activate-place-of-power", "aos.core.unbind-limit")
def test_an_empowered_hero_unbinds_and_banishes_as_a_wizard_of_level_one() -> None:
    hero = {"keywords": ["hero"], "weapons": []}
    for empowered in (True, False):
        foe = unit("b2", (14, 20), empowered=empowered, **hero)
        battle = caster(4, 4, 1, 2, 4, 4, level=2, spells=("bolt", "blast"), more=[foe])
        do(battle, "scene-a1.bolt:a1", ["b1"])
        assert ("unbind:b2" in options(battle)) is empowered
        if empowered:
            do(battle, "unbind:b2", "scene-a1.blast:a1", ["b1"])
            assert ask(battle).prompt.key != "ask.react"  # once a phase
    ghost = unit("b1", (10, 20), kind="manifestation", banishment=7)
    able = scene(
        unit("a1", (10, 10), empowered=True, **hero), unit("a2", (14, 10), **hero), ghost, phase="hero", dice=[4, 4]
    )
    assert "aos.magic.banish" in refused(able, "banish:a2")
    do(able, "banish:a1")
    assert able.state.unit("b1").where == "reserve"


@pytest.mark.rule("aos.core.known-spells", "aos.core.magic-power-level")
def test_prayers_are_for_priests_and_spells_for_wizards_who_know_them() -> None:
    prayer = {**spell("hymn"), "keywords": ["prayer"]}
    mixed = scene(
        unit("a1", (10, 10), **{**WIZARD, "abilities": [prayer]}),
        unit("a2", (14, 10), **{**PRIEST, "abilities": [spell("bolt")]}),
        unit("a3", (18, 10), **WIZARD),
        unit("b1", (10, 20)),
        phase="hero",
    )
    assert refused(mixed, "scene-a1.hymn:a1") == ["aos.core.known-spells"]
    assert refused(mixed, "scene-a2.bolt:a2") == ["aos.core.known-spells"]
    assert refused(mixed, "scene-a2.bolt:a3") == ["aos.core.known-spells"]  # another's


@pytest.mark.rule("aos.core.spell-unique")
def test_a_scene_names_a_spell_of_a_warscroll_with_it_or_without() -> None:
    seer = unit("a1", (10, 10), **WIZARD, abilities=[spell("bolt")])
    for tried in ("bolt", "scene-a1.bolt"):
        battle = scene(seer, unit("b1", (10, 16)), phase="hero", sides=[{"spells_used": [tried]}, {}])
        ruling = battle.why_not(0, Wish(deed="use", who="a1", using="bolt"))
        assert ruling.rules == ("aos.core.spell-unique",)


@pytest.mark.rule("aos.core.magic-power-level", "aos.core.spell-unique")
def test_prayers_count_against_the_power_level_and_are_tried_by_one_priest_a_turn() -> None:
    prayers = [{**spell(key, value=9), "keywords": ["prayer"]} for key in ("hymn", "dirge")]
    battle = scene(
        unit("a1", (10, 10), **{**PRIEST, "abilities": prayers}),
        unit("a2", (14, 10), **{**PRIEST, "abilities": prayers}),
        unit("b1", (10, 20)),
        phase="hero",
        dice=[2],
    )
    do(battle, "scene-a1.hymn:a1", "keep")
    assert refused(battle, "scene-a1.dirge:a1") == ["aos.core.magic-power-level"]
    assert refused(battle, "scene-a2.hymn:a2") == ["aos.core.spell-unique"]
    assert "scene-a2.dirge:a2" in options(battle)


@pytest.mark.rule("aos.magic.banish")
def test_banishing_reaches_thirty_inches() -> None:
    for y, reached in ((33.0, True), (33.1, False)):
        ghost = unit("b1", (10, y), kind="manifestation", banishment=7)
        battle = scene(unit("a1", (10, 2), **WIZARD), unit("a2", (20, 2)), ghost, phase="hero", depth=60)
        assert ("banish:a1" in options(battle)) is reached


@pytest.mark.rule("aos.core.faction-terrain")
def test_faction_terrain_uses_nothing_but_its_own_abilities() -> None:
    tower = {"kind": "terrain", "move": 3, "base": [76.2], "weapons": [melee()], "features": ["cover"]}
    horn = {"id": "horn", "timing": "your movement", "does": [{"do": "heal", "amount": "1"}]}
    battle = scene(
        unit("a1", (10, 10), **tower, abilities=[horn]), unit("a2", (30, 10)), unit("b1", (10, 28)), phase="movement"
    )
    assert refused(battle, "normal-move:a1") == ["aos.core.faction-terrain"]
    assert "scene-a1.horn:a1" in options(battle)
    fighting = scene(unit("a1", (10, 10), **tower), unit("b1", (10, 12.5), weapons=[]), phase="combat")
    assert (fighting.decision.prompt.key if fighting.decision else "") != "ask.pile-in"


@pytest.mark.rule("aos.magic.banish")
def test_a_manifestation_may_be_tried_again_in_the_next_turn() -> None:
    battle = scene(
        unit("a1", (10, 10), **WIZARD),
        unit("b1", (10, 20), kind="manifestation", banishment=7, weapons=[], move=0),
        unit("b2", (14, 20), **WIZARD),
        phase="hero",
        dice=[3, 3, 3, 4],
        sides=[{"command": 0}, {"command": 0}],
    )
    do(battle, "banish:a1")
    assert battle.state.unit("b1").where == "table"
    while battle.state.active == 0 or battle.state.phase != "hero":
        battle.answer("done" if "done" in options(battle) else ask(battle).suggest())
    do(battle, "banish:b2")  # a manifestation of one's own, too
    assert battle.state.unit("b1").where == "reserve"


@pytest.mark.rule("aos.core.prayer-chanting")
def test_no_more_ritual_points_are_lost_than_there_are() -> None:
    prayer = {**spell("hymn", value=6), "keywords": ["prayer"]}
    battle = scene(
        unit("a1", (10, 10), **{**PRIEST, "abilities": [prayer], "ritual": 1}),
        unit("b1", (10, 20), health=12, weapons=[]),
        phase="hero",
        dice=[1, 6],
    )
    do(battle, "scene-a1.hymn:a1")
    assert battle.state.unit("a1").ritual == 0


@pytest.mark.rule("aos.core.known-spells")
def test_who_intervenes_is_told_why_it_may_not_use_the_spell_of_another() -> None:
    battle = scene(
        unit("a1", (10, 20), weapons=[]),
        unit("a2", (16, 20), **{**WIZARD, "abilities": [spell("frost")]}),
        unit("b1", (10, 10), **{**WIZARD, "abilities": [spell("bolt")]}),
        phase="hero",
        stage=1,
    )
    do(battle, "magical-intervention:b1")
    assert ask(battle).prompt.key == "ask.spell"
    assert refused(battle, "scene-a2.frost") == ["aos.core.known-spells"]
    elsewhere = next(key for own in content.brought().values() for key, data in own.items() if data.spell)
    assert refused(battle, elsewhere) == ["aos.core.known-spells"]


@pytest.mark.rule("aos.core.spell-unique", "aos.command.magical-intervention")
def test_each_army_may_cast_a_spell_that_the_other_has_cast_this_turn() -> None:
    battle = scene(
        unit("a1", (10, 10), **{**WIZARD, "abilities": [spell("bolt")]}),
        unit("b1", (10, 20), **{**WIZARD, "abilities": [spell("bolt")]}),
        phase="hero",
        dice=[1, 2, 1, 2],
        sides=[{"command": 0}, {"command": 4}],
    )
    do(battle, "scene-a1.bolt:a1")
    while ask(battle).side == 0:
        do(battle, "done")
    do(battle, "magical-intervention:b1")
    assert options(battle) == ["scene-b1.bolt", "pass"]


@pytest.mark.rule("aos.magic.banish", "aos.core.manifestations")
def test_a_banished_manifestation_comes_back_unhurt() -> None:
    ghost = unit("b1", (10, 20), kind="manifestation", banishment=7, health=5, damage=3)
    battle = scene(unit("a1", (10, 10), **WIZARD), ghost, phase="hero", dice=[4, 4])
    do(battle, "banish:a1")
    gone = battle.state.unit("b1")
    assert (gone.where, gone.damage, len(gone.models), gone.slain) == ("reserve", 0, 1, ())
