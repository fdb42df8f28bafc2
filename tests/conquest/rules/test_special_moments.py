"""Chapter 11: special rules that do something at a moment of the battle."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conquest.builder import (
    do,
    events,
    fired,
    forward,
    hero,
    last,
    offered,
    profile,
    r,
    refused,
    regiment,
    rolled,
    scene,
    wood,
)

from umpire.engine.battle import Battle
from umpire.games.conquest.profiles import Scenario, Zone
from umpire.games.conquest.state import State

FAR = (36.0, 40.0)


def prompt(battle: Battle[State]) -> str:
    return battle.decision.prompt.key if battle.decision is not None else ""


def settle(battle: Battle[State], *answers: Any) -> Battle[State]:
    while prompt(battle) == "ask.casualty-end":
        battle.answer("left")
    for answer in answers:
        do(battle, answer)
        while prompt(battle) == "ask.casualty-end":
            battle.answer("left")
    return battle


# -- Aura of Death -------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.aura-of-death", "conquest.rule.aura-of-death.timing")
def test_aura_of_death_strikes_when_its_neighbour_is_named() -> None:
    """3 stands with Aura of Death (2) in contact inflict 6 hits, before the draw event; a stand behind none."""
    dead = profile(rules=["aura-of-death 2"])
    battle = scene(
        regiment("a", of=profile(d=2, e=0, w=9, events=["bastion 1"])),
        regiment("b", 1, stands=4, files=3, of=dead),
        moment="activation",
        dice=[1, 1, 1, 3, 3, 3, 1, 1, 1],
    )
    settle(battle)
    assert rolled(battle, "defence") == [6]
    assert last(battle, "defended")["defense"] == 2, "Bastion comes too late"
    assert rolled(battle, "morale") == [3]
    kinds = [e.kind for e in battle.events]
    assert kinds.index("aura-of-death") < kinds.index("draw-event")


@pytest.mark.rule("conquest.rule.aura-of-death.timing")
def test_turn_the_tide_names_too_but_a_characters_card_does_not() -> None:
    dead = profile(rules=["aura-of-death 1"])
    tide = scene(
        regiment("a", of=profile(d=5)),
        regiment("b", 1, stands=1, of=dead),
        moment="activation",
        by_card=False,
        dice=[1],
    )
    assert rolled(tide, "defence") == [1]
    card = scene(
        regiment("a"),
        regiment("b", 1, stands=1, of=dead),
        characters=[hero("h", regiment="a")],
        moment="character",
        who="h",
        stacks=((), ("b",)),
        dice=[],
    )
    assert not rolled(card, "defence")


@pytest.mark.rule("conquest.rule.aura-of-death.destroyed")
def test_a_regiment_lost_to_the_aura_is_replaced_by_the_next_card() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(d=0, e=0, w=1)),
        regiment("b", 1, stands=1, of=profile(rules=["aura-of-death 1"])),
        regiment("c", at=(20, 10)),
        moment="turn",
        stacks=(("a", "c"), ("b",)),
        dice=[6],
    )
    assert r(battle, "a").where == "gone"
    assert battle.decision is not None
    assert battle.decision.about == "c", "the same player goes on"
    assert not r(battle, "b").activated


@pytest.mark.rule("conquest.rule.aura-of-death.garrison")
@pytest.mark.parametrize("inside", ["a", "b"])
def test_no_aura_across_walls(inside: str) -> None:
    tower = wood("t", 34, 10, 38, 14, "tower", kind="garrison", size=3)
    lower = wood("t", 34, 6, 38, 10, "tower", kind="garrison", size=3)
    where = {"where": "garrison", "garrison": "t"}
    battle = scene(
        regiment("a", stands=2, files=2, **(where if inside == "a" else {})),
        regiment("b", 1, stands=2, files=2, of=profile(rules=["aura-of-death 2"]), **(where if inside == "b" else {})),
        terrain=[tower if inside == "b" else lower],
        moment="activation",
        dice=[],
    )
    fired(battle, "conquest.rule.aura-of-death.garrison")
    assert not rolled(battle, "defence")


# -- Blessed -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.blessed")
def test_blessed_is_announced_before_the_dice_once_a_round() -> None:
    holy = profile(a=2, c=3, d=2, e=0, rules=["blessed"])
    battle = scene(regiment("a", stands=1, of=holy), regiment("b", 1, of=profile(d=5)), dice=[5, 6, 1, 1, 1, 1])
    do(battle, "clash")
    assert prompt(battle) == "ask.blessed-hit"
    assert not rolled(battle, "hit"), "no die has fallen yet"
    do(battle, True, True)
    assert last(battle, "hits")["hits"] == 2
    assert battle.state.used["round/a/blessed"] == 1
    spent = scene(regiment("a", stands=1, of=holy), regiment("b", 1), dice=[6, 6], used={"round/a/blessed": 1})
    do(spent, "clash")
    assert prompt(spent) != "ask.blessed-hit"


@pytest.mark.rule("conquest.rule.blessed")
def test_blessed_on_defence_and_not_on_impact() -> None:
    holy = profile(d=2, e=0, w=9, rules=["blessed"])
    battle = scene(regiment("a", stands=1, of=profile(a=2, c=3)), regiment("b", 1, of=holy), dice=[1, 1, 5, 5, 1, 4, 1])
    do(battle, "clash", True, True)
    settle(battle)
    assert rolled(battle, "morale") == [1]
    impact = scene(
        regiment("a", stands=1, of=profile(c=3, rules=["impact 1", "blessed"])),
        regiment("b", 1, at=(36, 14)),
        dice=[1, 6],
    )
    do(impact, "charge", "b")
    assert prompt(impact) != "ask.blessed-hit"


# -- Bloodlust -----------------------------------------------------------------------------------------------------

RAGING = profile(m=6, r=3, rules=["bloodlust"])


@pytest.mark.rule("conquest.rule.bloodlust")
def test_bloodlust_forces_a_charge_at_the_nearest_enemy_in_sight() -> None:
    """March 6, Resolve 3, roll 4, an enemy 11 inches away: a Charge at it, though a March was wanted."""
    battle = scene(regiment("a", of=RAGING), regiment("b", 1, at=(36, 21)), regiment("c", 1, at=(50, 30)), dice=[4, 5])
    do(battle, "march")
    assert last(battle, "bloodlust")["target"] == "b"
    assert last(battle, "charged")["target"] == "b"
    calm = scene(regiment("a", of=RAGING), regiment("b", 1, at=(36, 21)), dice=[3, 6])
    do(calm, "march")
    assert prompt(calm) == "ask.march"
    do(calm, forward(1), "reform")
    assert rolled(calm, "bloodlust") == [1, 1], "rolled for every action"


@pytest.mark.rule("conquest.rule.bloodlust")
def test_bloodlust_rolls_nothing_in_contact_and_six_always_fails() -> None:
    fighting = scene(regiment("a", of=RAGING), regiment("b", 1), dice=[6] * 12)
    do(fighting, "clash")
    assert not rolled(fighting, "bloodlust")
    bold = profile(m=6, r=7, rules=["bloodlust"])
    battle = scene(regiment("a", of=bold), regiment("b", 1, at=(36, 21)), dice=[6, 5])
    do(battle, "march")
    assert events(battle, "bloodlust")


@pytest.mark.rule("conquest.rule.bloodlust.forced-march")
@pytest.mark.parametrize(("gap", "broken", "moved"), [(14.0, False, 5.0), (9.0, True, 5.0), (14.0, True, 5.0)])
def test_bloodlust_marches_straight_at_an_enemy_it_cannot_charge(gap: float, broken: bool, moved: float) -> None:
    slow = profile(m=5, r=3, rules=["bloodlust"])
    battle = scene(regiment("a", of=slow, broken=broken), regiment("b", 1, at=(36, 10 + gap)), dice=[5])
    do(battle, "march")
    fired(battle, "conquest.rule.bloodlust.forced-march")
    assert r(battle, "a").y == 10 + moved


@pytest.mark.rule("conquest.rule.bloodlust.reinforcement")
def test_bloodlust_charges_in_the_round_of_arrival_only_if_forced() -> None:
    battle = scene(regiment("a", of=RAGING, arrived=1), regiment("b", 1, at=(36, 16)), taken=("march",), dice=[5, 6])
    refused(battle, "charge", "conquest.charge.not-after-reinforcement")
    do(battle, "march")
    fired(battle, "conquest.rule.bloodlust.reinforcement")
    assert events(battle, "charged")


# -- hits in return ------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.counter-attack")
def test_counter_attack_makes_hits_of_ones() -> None:
    """8 defence dice with three 1s: three hits on the attacker, without the defender's Cleave."""
    battle = scene(
        regiment("a", stands=1, of=profile(a=8, c=3, d=2, e=0, w=9)),
        regiment("b", 1, stands=1, of=profile(d=3, w=20, rules=["counter-attack", "cleave 2", "deadly-blades"])),
        dice=[1] * 8 + [1, 1, 1, 3, 3, 3, 3, 3] + [2, 3, 6] + [1, 1],
    )
    settle(battle, "clash")
    assert last(battle, "counter-attack")["hits"] == 3
    assert events(battle, "defended")[-1].facts["defense"] == 2
    assert rolled(battle, "morale") == [2]
    shot = scene(
        regiment("a", stands=1, of=profile(v=3, rules=["barrage 2 20"])),
        regiment("b", 1, at=(36, 25), of=profile(d=3, rules=["counter-attack"])),
        dice=[1, 1, 1, 1],
    )
    settle(shot, "volley", "b")
    assert not events(shot, "counter-attack")


@pytest.mark.rule("conquest.rule.lethal-demise", "conquest.rule.lethal-demise.plain-front")
def test_lethal_demise_hits_back_for_every_wound() -> None:
    """5 wounds inflict 5 hits from the front, even on the attacker's rear, and Cleave adds nothing."""
    battle = scene(
        regiment("a", stands=1, of=profile(a=5, c=3, d=2, e=0, w=20, rules=["shield"])),
        regiment("b", 1, stands=1, of=profile(d=0, e=0, w=20, rules=["lethal-demise", "cleave 3"])),
        dice=[1] * 5 + [6] * 5 + [3, 3, 3, 3, 4] + [1] + [1] * 5,
    )
    settle(battle, "clash")
    assert last(battle, "lethal-demise")["hits"] == 5
    back = events(battle, "defended")[-1].facts
    assert (back["hits"], back["defense"], back["failed"]) == (5, 3, 1)


@pytest.mark.rule("conquest.rule.lethal-demise")
def test_lethal_demise_counts_double_wounds_and_needs_contact() -> None:
    blades = scene(
        regiment("a", stands=1, of=profile(a=1, c=3, d=5, w=20, rules=["deadly-blades"])),
        regiment("b", 1, stands=1, of=profile(d=0, e=0, w=20, rules=["lethal-demise"])),
        dice=[1, 6, 1, 1, 1, 6],
    )
    settle(blades, "clash")
    assert last(blades, "lethal-demise")["hits"] == 2, "and none for the failed Morale die"
    shot = scene(
        regiment("a", stands=1, of=profile(v=3, rules=["barrage 1 20"])),
        regiment("b", 1, at=(36, 25), of=profile(d=0, e=0, rules=["lethal-demise"])),
        dice=[1, 6],
    )
    settle(shot, "volley", "b")
    assert not events(shot, "lethal-demise")


@pytest.mark.rule("conquest.rule.lethal-demise")
def test_lethal_demise_of_a_destroyed_regiment() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(a=2, c=3, d=5, w=20)),
        regiment("b", 1, stands=1, of=profile(d=0, e=0, w=2, rules=["lethal-demise"])),
        dice=[1, 1, 6, 6, 1, 1],
    )
    settle(battle, "clash")
    assert r(battle, "b").where == "gone"
    assert last(battle, "lethal-demise")["hits"] == 2


# -- around an activation ------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.bravery.rally")
def test_bravery_sheds_broken_before_the_first_action() -> None:
    brave = profile(rules=["bravery"], events=["regeneration 3"])
    battle = scene(
        regiment("a", of=brave, broken=True, wounds={2: 3}), regiment("b", 1, at=(36, 16)), moment="activation"
    )
    assert not r(battle, "a").broken
    assert "charge" in offered(battle)
    assert sum(s.wounds for s in r(battle, "a").stands) == 3, "the healing draw event came before, and was lost"
    card = scene(
        regiment("a", of=brave, broken=True),
        regiment("b", 1, at=FAR),
        characters=[hero("h", regiment="a")],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )
    assert r(card, "a").broken


@pytest.mark.rule("conquest.rule.bravery", "conquest.rule.fearless", "conquest.rule.fearsome")
@pytest.mark.parametrize(
    ("rules", "dice", "broken"), [(["bravery"], 0, False), (["fearless"], 0, False), ([], 1, True)]
)
def test_the_fearless_need_no_roll_to_rally(rules: list[str], dice: int, broken: bool) -> None:
    battle = scene(
        regiment("a", of=profile(r=2, rules=rules), broken=True),
        regiment("b", 1, of=profile(rules=["fearsome"])),
        dice=[3],
    )
    do(battle, "combat-rally")
    assert len(rolled(battle, "fearsome")) == dice
    assert r(battle, "a").broken is broken
    refused(battle, "combat-rally")


@pytest.mark.rule("conquest.rule.fearless")
def test_fearless_does_not_shed_broken() -> None:
    battle = scene(
        regiment("a", of=profile(rules=["fearless"]), broken=True), regiment("b", 1, at=FAR), moment="activation"
    )
    assert r(battle, "a").broken


@pytest.mark.rule("conquest.rule.fearsome")
def test_fearsome_comes_before_a_combat_reforms_own_roll_and_not_out_of_combat() -> None:
    battle = scene(regiment("a", of=profile(r=2)), regiment("b", 1, of=profile(rules=["fearsome"])), dice=[5])
    do(battle, "combat-reform")
    assert rolled(battle, "fearsome") == [1]
    assert not rolled(battle, "combat-reform")
    apart = scene(regiment("a", broken=True), regiment("b", 1, at=FAR, of=profile(rules=["fearsome"])), dice=[])
    do(apart, "rally")
    assert not r(apart, "a").broken


@pytest.mark.rule("conquest.rule.decay", "conquest.rule.decay.character", "conquest.rule.decay.cumulative")
def test_decay_rolls_for_every_stand_at_deactivation() -> None:
    rotten = profile(w=9, d=5, rules=["decay 1"])
    battle = scene(
        regiment("a", stands=4, files=3, of=rotten),
        regiment("b", 1, at=FAR),
        characters=[hero("h", regiment="a", of=profile(w=1))],
        dice=[5, 6, 4, 1, 5],
    )
    do(battle, "pass")
    settle(battle)
    assert rolled(battle, "decay") == [5]
    assert sum(s.wounds for s in r(battle, "a").stands) == 3
    assert battle.state.characters["h"].wounds == 0
    assert not rolled(battle, "morale")
    assert not rolled(battle, "defence")
    two = scene(
        regiment("a", stands=1, of=profile(w=30, rules=["decay 2", "decay 3"])), regiment("b", 1, at=FAR), dice=[1] * 5
    )
    do(two, "pass")
    assert rolled(two, "decay") == [5]


@pytest.mark.rule("conquest.rule.fluid-formation.reform")
def test_a_free_reform_before_or_after_all_actions() -> None:
    fluid = profile(rules=["fluid-formation"])
    stay = {"x": 36.0, "y": 8.75, "facing": 0.0, "files": 3}
    before = scene(regiment("a", of=fluid), regiment("b", 1, at=FAR), moment="activation")
    assert prompt(before) == "ask.fluid-formation"
    do(before, True)
    assert prompt(before) == "ask.free-reform"
    do(before, {**stay, "facing": 90.0})
    assert r(before, "a").facing == 90
    do(before, "march", {"path": []})
    assert prompt(before) == "ask.action", "none between the actions"
    do(before, "take-aim")
    assert prompt(before) != "ask.fluid-formation", "once in an activation"
    after = scene(regiment("a", of=fluid), regiment("b", 1, at=FAR), moment="activation")
    do(after, False, "march", forward(1), "take-aim")
    assert prompt(after) == "ask.fluid-formation"
    engaged = scene(regiment("a", of=fluid), regiment("b", 1), moment="activation")
    assert prompt(engaged) == "ask.action"


@pytest.mark.rule("conquest.rule.fluid-formation.view")
@pytest.mark.parametrize(("at", "stands"), [((52.0, 8.75), 2), ((36.0, -5.0), 3), ((36.0, 25.0), 3)])
def test_fluid_formation_sees_and_shoots_all_round(at: tuple[float, float], stands: int) -> None:
    """3 files by 2 ranks: the right file, the last rank, the front rank."""
    fluid = profile(v=2, rules=["fluid-formation", "barrage 1 20"])
    facing = {52.0: 270.0}.get(at[0], 0.0 if at[1] < 0 else 180.0)
    battle = scene(
        regiment("a", stands=6, files=3, of=fluid, at=(36, 18)),
        regiment("b", 1, at=(at[0], at[1] + 8), facing=facing, stands=1),
        dice=[6] * stands,
    )
    do(battle, "volley", "b")
    assert last(battle, "volley")["shots"] == stands
    plain = scene(
        regiment("a", stands=6, files=3, of=profile(v=2, rules=["barrage 1 20"]), at=(36, 18)),
        regiment("b", 1, at=(at[0], at[1] + 8), facing=facing, stands=1),
    )
    assert ("volley" in offered(plain)) is (at == (36.0, 25.0))


@pytest.mark.rule("conquest.rule.flawless-drill")
def test_flawless_drill_gives_one_free_combat_reform_a_game() -> None:
    drilled = profile(r=3, rules=["flawless-drill"])
    battle = scene(regiment("a", of=drilled), regiment("b", 1, of=profile(d=5)), dice=[6] * 12 + [1, 1])
    do(battle, "clash")
    assert prompt(battle) == "ask.flawless-drill"
    do(battle, True)
    assert rolled(battle, "combat-reform") == [1]
    assert prompt(battle) == "ask.combat-reform"
    assert battle.decision is not None
    do(battle, battle.decision.suggest())
    assert "combat-reform" in offered(battle), "a normal Combat Reform may still follow"
    spent = scene(
        regiment("a", of=drilled), regiment("b", 1, of=profile(d=5)), dice=[6] * 12, used={"battle/a/flawless-drill": 1}
    )
    do(spent, "clash")
    assert prompt(spent) == "ask.action"


@pytest.mark.rule("conquest.rule.overrun.impact")
@pytest.mark.parametrize("broken", [True, False])
def test_overrun_repeats_impact_against_the_broken(broken: bool) -> None:
    wild = profile(c=3, rules=["impact 1", "overrun"])
    battle = scene(
        regiment("a", stands=1, of=wild),
        regiment("b", 1, at=(36, 14), of=profile(d=5), broken=broken),
        dice=[1, 6, 6, 6],
    )
    do(battle, "charge", "b")
    assert (prompt(battle) == "ask.overrun") is broken
    if broken:
        do(battle, True)
        assert rolled(battle, "hit") == [1, 1]
        assert prompt(battle) == "ask.action", "no third set"


@pytest.mark.rule("conquest.rule.overrun.two-charges")
def test_overrun_charges_twice_if_free() -> None:
    wild = profile(c=3, rules=["impact 2", "overrun"])
    battle = scene(
        regiment("a", stands=1, of=wild),
        regiment("b", 1, at=(36, 14), stands=1, of=profile(d=0, e=0, w=2)),
        regiment("c", 1, at=(36, 22), stands=1),
        dice=[1, 1, 1, 6, 6],
    )
    do(battle, "charge", "b")
    assert r(battle, "b").where == "gone"
    assert "charge" in offered(battle)
    held = scene(regiment("a", stands=1, of=wild), regiment("b", 1, at=(36, 14)), dice=[1, 6, 6])
    do(held, "charge", "b")
    refused(held, "charge", "conquest.action.list.out-of-combat")
    short = scene(regiment("a", stands=1, of=wild), regiment("b", 1, at=(36, 20)), stacks=((), ("b",)), dice=[1])
    do(short, "charge", "b")
    assert short.decision is not None
    assert short.decision.about == "b", "a failed Charge ends the activation"


# -- reserves ------------------------------------------------------------------------------------------------------


def waiting(key: str, klass: str, *rules: str, side: int = 0) -> Any:
    return regiment(key, side, of=profile("infantry", klass, rules=rules), where="reserve")


@pytest.mark.rule("conquest.rule.flank")
def test_flank_gives_no_die_and_comes_when_announced() -> None:
    battle = scene(
        waiting("a", "medium"),
        waiting("c", "medium"),
        waiting("d", "medium", "flank"),
        waiting("e", "light"),
        waiting("b", "medium", side=1),
        moment="reinforcement",
        round=2,
        dice=[6] * 9,
    )
    assert prompt(battle) == "ask.flank"
    do(battle, ["d"])
    assert r(battle, "d").where == "arriving"
    do(battle, "e")
    assert rolled(battle, "reinforcement")[0] == 2


@pytest.mark.rule("conquest.rule.flank.limits")
@pytest.mark.parametrize(
    ("klass", "rnd", "offered_", "comes"),
    [
        ("medium", 1, False, False), ("medium", 2, True, False), ("medium", 4, False, True),
        ("light", 1, True, False), ("light", 3, False, True), ("heavy", 2, False, False), ("heavy", 5, False, True),
    ],
)  # fmt: skip
def test_flank_keeps_to_its_class(klass: str, rnd: int, offered_: bool, comes: bool) -> None:
    battle = scene(waiting("a", klass, "flank"), waiting("b", "heavy", side=1), moment="reinforcement", round=rnd)
    assert (prompt(battle) == "ask.flank" and battle.state.round == rnd) is offered_
    if offered_:
        do(battle, [])
    assert (r(battle, "a").where == "arriving" and battle.state.round == rnd) is comes


@pytest.mark.rule("conquest.rule.irregular.line")
def test_irregulars_do_not_make_a_reinforcement_line() -> None:
    def line(*rules: str) -> float:
        battle = scene(
            regiment("a", at=(36, 20), stands=1, of=profile(rules=rules)),
            regiment("b", 1, at=FAR),
            waiting("c", "medium"),
            moment="round",
            round=2,
        )
        return battle.state.lines["0/medium"].fixed

    assert line() == 17.5
    assert line("irregular") == -1

    def pushed(*rules: str) -> float:
        battle = scene(
            regiment("a", at=(36, 20), stands=1),
            regiment("b", 1, at=(60, 5), stands=1, of=profile(rules=rules)),
            waiting("c", "medium"),
            regiment("d", where="arriving"),
            moment="round",
            round=2,
        )
        return battle.state.lines["0/medium"].now

    assert pushed() == -1
    assert pushed("irregular") == 17.5


def entering(rules: list[str], *others: Any, character: list[str] | None = None) -> Battle[State]:
    battle = scene(
        regiment("a", stands=2, files=2, of=profile(m=5, rules=rules), where="arriving"),
        regiment("b", 1, at=(60, 40)),
        *others,
        characters=[] if character is None else [hero("h", regiment="a", of=profile(m=5, rules=character))],
        moment="activation",
    )
    files = 2 if character is None else 3
    return do(battle, {"edge": "south", "at": 20.0, "files": files, "path": [{"how": "forward", "inches": 5.0}]})


@pytest.mark.rule("conquest.rule.vanguard")
def test_vanguard_gives_a_free_march_on_arrival() -> None:
    battle = entering(["vanguard"])
    assert prompt(battle) == "ask.free-march"
    do(battle, forward(5))
    assert r(battle, "a").y == 10
    assert "charge" not in offered(battle)
    do(battle, "march", forward(5))
    assert r(battle, "a").y == 15
    assert prompt(entering([])) == "ask.action"
    assert prompt(do(entering([], character=["vanguard"]), "2")) == "ask.free-march"


@pytest.mark.rule("conquest.rule.vanguard.enemy-near")
@pytest.mark.parametrize(("gap", "works"), [(8.0, False), (8.1, True)])
def test_no_vanguard_with_an_enemy_within_eight_inches(gap: float, works: bool) -> None:
    battle = entering(["vanguard"], regiment("c", 1, at=(20 + gap + 0.0, 1.25), facing=270.0, stands=1))
    assert (prompt(battle) == "ask.free-march") is works


# -- objectives ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.unyielding")
@pytest.mark.parametrize(
    ("rules", "broken", "side"), [([], False, 0), (["unyielding"], False, None), (["unyielding"], True, 0)]
)
def test_nobody_seizes_from_the_unyielding(rules: list[str], broken: bool, side: int | None) -> None:
    zone = Scenario("f", {"zh": "区", "en": "Zone"}, zones=(Zone("z", x=36.0, y=10.0, radius=9.0),))
    battle = scene(
        regiment("a", stands=8, files=4, of=profile("infantry", "heavy")),
        regiment("b", 1, stands=1, at=(36, 12), of=profile(rules=rules), broken=broken),
        moment="victory",
        scenario=zone,
    )
    assert last(battle, "zone")["side"] == side


@pytest.mark.rule("conquest.rule.aura-of-death", "conquest.rule.shield")
@pytest.mark.parametrize(("facing", "at", "value"), [(180.0, (36.0, 10.0), 3), (0.0, (36.0, 5.0), 2)])
def test_aura_hits_come_from_where_the_enemy_stands(facing: float, at: tuple[float, float], value: int) -> None:
    """In front the Shield helps; an enemy at the rear comes from there, but no Morale success is rolled again."""
    battle = scene(
        regiment("a", stands=1, of=profile(d=2, e=0, w=9, rules=["shield"])),
        regiment("b", 1, stands=1, at=(at[0], at[1] + (2.5 if facing == 0.0 else 0.0)), facing=facing,
                 of=profile(rules=["aura-of-death 2"])),
        moment="activation",
        dice=[6, 6, 1, 1],
    )  # fmt: skip
    settle(battle)
    assert last(battle, "defended")["defense"] == value
    assert rolled(battle, "morale") == [2]
    assert not events(battle, "reroll")


@pytest.mark.rule("conquest.rule.blessed", "conquest.dice.reroll.once")
def test_blessed_does_not_reroll_a_die_twice() -> None:
    holy = profile(a=2, c=3, rules=["blessed", "flurry"])
    battle = scene(regiment("a", stands=1, of=holy), regiment("b", 1, of=profile(d=5)), dice=[5, 6, 5, 6])
    do(battle, "clash", True)
    while prompt(battle) == "ask.reroll":
        do(battle, True)
    assert len(events(battle, "reroll")) == 1
