"""Chapter 6: Resolve, Morale Tests, Broken and Shattered, Press the Attack."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.conquest.builder import (
    FIELD,
    do,
    events,
    fired,
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
from umpire.engine.effects import Effect
from umpire.games.conquest import formation, morale, pressing, ranked, rounds
from umpire.games.conquest.characters import slay
from umpire.games.conquest.profiles import Spell, Zone
from umpire.games.conquest.state import State

SOFT = profile(d=0, e=0)


def clash(battle: Battle[State]) -> Battle[State]:
    """Clash, and take every casualty from the left."""
    battle.answer("clash")
    while battle.decision is not None and battle.decision.prompt.key == "ask.casualty-end":
        battle.answer("left")
    return battle


def hit(stands: int, wounds: int, *then: int, **more: Any) -> Battle[State]:
    """One attacker with `wounds` attacks that all hit and wound a regiment of Defense 0."""
    attacker = profile(a=wounds, c=3)
    return scene(
        regiment("a", stands=1, of=attacker),
        regiment("b", 1, stands=stands, files=more.pop("files", 0) or min(3, stands), of=more.pop("of", SOFT), **more),
        dice=[2] * wounds + [3] * wounds + list(then),
    )


@pytest.mark.rule("conquest.morale.resolve-highest")
def test_the_highest_resolve_of_the_stands_present_counts() -> None:
    def value(character: bool, alive: bool = True) -> float:
        battle = scene(
            regiment("a", stands=2, of=profile(r=2)),
            regiment("b", 1, at=(36, 40)),
            characters=[hero("h", regiment="a", of=profile(r=4))] if character else [],
        )
        return morale.resolve(battle, r(battle, "a"), "withdraw").value

    assert value(True) == 4
    assert value(False) == 2


@pytest.mark.rule("conquest.morale.resolve-size-bonus", "conquest.character.counts-as-stand")
def test_size_bonus_rows() -> None:
    assert [morale.size_bonus(n) for n in (1, 3, 4, 6, 7, 9, 10, 14)] == [0, 0, 1, 1, 2, 2, 3, 3]
    battle = scene(
        regiment("a", stands=3, of=profile(r=3)),
        regiment("b", 1, at=(36, 40)),
        characters=[hero("h", regiment="a", of=profile(r=3))],
    )
    assert morale.resolve(battle, r(battle, "a"), "morale").value == 4


@pytest.mark.rule("conquest.morale.resolve-size-bonus")
def test_size_bonus_is_for_morale_tests_unless_the_table_says_otherwise() -> None:
    for option, expected in (("morale", 3), ("every-resolve-roll", 5)):
        battle = scene(
            regiment("a", stands=7, of=profile(r=3)),
            regiment("b", 1, at=(36, 40)),
            options={"resolve_size_bonus": option},
        )
        assert morale.resolve(battle, r(battle, "a"), "withdraw").value == expected


@pytest.mark.rule("conquest.morale.test.when", "conquest.morale.test.roll", "conquest.wounds.tally")
def test_a_die_for_each_wound_and_a_wound_for_each_failure() -> None:
    """Resolve 3, 5 stands left (+1): dice 1,2,4,4,5,6 are 2 further wounds."""
    battle = clash(hit(6, 6, 1, 2, 4, 4, 5, 6, of=profile(d=0, e=0, r=3, w=6)))
    assert rolled(battle, "morale") == [6]
    assert last(battle, "morale-test")["resolve"] == 4
    assert last(battle, "morale-failed")["wounds"] == 2


@pytest.mark.rule("conquest.morale.test.roll")
def test_six_fails_and_one_passes_at_any_resolve() -> None:
    high = clash(hit(12, 2, 6, 5, files=4, of=profile(d=0, e=0, r=4, w=9)))
    assert last(high, "morale-test")["resolve"] == 7
    assert last(high, "morale-failed")["wounds"] == 1
    low = clash(hit(3, 2, 1, 2, of=profile(d=0, e=0, r=0, w=9)))
    assert last(low, "morale-failed")["wounds"] == 1


@pytest.mark.rule("conquest.morale.test.wounds-allocated", "conquest.morale.test.no-recursion")
def test_morale_wounds_are_allocated_and_cause_no_further_test() -> None:
    battle = clash(hit(3, 4, 6, 6, 6, 1, of=profile(d=0, e=0, r=3, w=5)))
    assert rolled(battle, "morale") == [4]
    assert len(r(battle, "b").stands) == 2
    assert sorted(s.wounds for s in r(battle, "b").stands) == [0, 2]


@pytest.mark.rule("conquest.morale.test.when")
def test_a_regiment_destroyed_takes_no_test() -> None:
    battle = clash(hit(1, 4, of=profile(d=0, e=0, w=4)))
    assert r(battle, "b").where == "gone"
    assert not rolled(battle, "morale")


@pytest.mark.rule("conquest.morale.broken.trigger")
@pytest.mark.parametrize(
    ("stands", "lost", "broken"), [(6, 2, False), (6, 3, True), (5, 2, False), (5, 3, True), (2, 1, True)]
)
def test_half_of_the_stands_lost_in_a_round_breaks(stands: int, lost: int, broken: bool) -> None:
    attacks = lost * 2
    battle = clash(hit(stands, attacks, *[1] * attacks, of=profile(d=0, e=0, w=2)))
    assert r(battle, "b").broken is broken


@pytest.mark.rule("conquest.morale.broken.trigger", "conquest.morale.broken.unmodified-resolve")
def test_losses_of_earlier_rounds_do_not_count_and_the_test_is_taken_broken() -> None:
    later = clash(hit(5, 2, 1, 1, of=profile(d=0, e=0, w=2), start=8))
    assert not r(later, "b").broken
    same = clash(hit(6, 4, 1, 1, 1, 1, of=profile(d=0, e=0, w=2, r=3), round_start=8, round_lost=2))
    assert r(same, "b").broken
    assert last(same, "morale-test")["resolve"] == 3, "no size bonus for 4 stands, since it is Broken already"


@pytest.mark.rule("conquest.morale.broken.unmodified-resolve")
def test_broken_resolve_knows_neither_bonus_nor_penalty() -> None:
    terror = profile(rules=["terrifying 2"])
    battle = scene(
        regiment("a", stands=9, of=profile(r=3), broken=True), regiment("b", 1, of=terror, at=(36, 10)), who="b"
    )
    assert morale.resolve(battle, r(battle, "a"), "morale").value == 3
    r(battle, "a").broken = False
    assert morale.resolve(battle, r(battle, "a"), "morale").value == 3 - 2 + 2


@pytest.mark.rule("conquest.morale.broken.recover", "conquest.morale.broken.no-charge")
def test_a_broken_regiment_may_charge_only_after_it_has_rallied() -> None:
    battle = scene(regiment("a", broken=True), regiment("b", 1, at=(36, 16)))
    refused(battle, "charge", "conquest.morale.broken.no-charge")
    do(battle, "rally")
    assert not r(battle, "a").broken
    assert "charge" in offered(battle)


@pytest.mark.rule("conquest.morale.broken.recover")
def test_broken_does_not_end_with_the_round() -> None:
    battle = scene(regiment("a", broken=True), regiment("b", 1, at=(36, 40)), moment="round", round=3)
    assert r(battle, "a").broken
    assert r(battle, "a").broken_from == 3


@pytest.mark.rule("conquest.morale.broken.no-healing")
def test_a_broken_regiment_is_not_healed() -> None:
    regenerating = profile(events=["regeneration 4"])
    battle = scene(
        regiment("a", of=regenerating, broken=True, wounds={2: 3}), regiment("b", 1, at=(36, 40)), moment="activation"
    )
    fired(battle, "conquest.morale.broken.no-healing")
    assert sum(s.wounds for s in r(battle, "a").stands) == 3


@pytest.mark.rule("conquest.morale.broken.objective-ignored")
def test_broken_stands_neither_seize_nor_contest() -> None:
    zone = FIELD.__class__("f", {"zh": "区", "en": "Zone"}, zones=(Zone("z", x=36.0, y=10.0, radius=4.0),))
    battle = scene(
        regiment("a", stands=6, of=profile("infantry", "heavy"), broken=True),
        regiment("b", 1, stands=1, at=(36, 11)),
        moment="victory",
        scenario=zone,
    )
    assert last(battle, "zone")["side"] == 1


@pytest.mark.rule("conquest.morale.broken.no-inspired")
def test_a_broken_regiment_may_inspire_but_gains_nothing() -> None:
    battle = scene(regiment("a", stands=1, broken=True), regiment("b", 1), dice=[1] * 20)
    do(battle, "inspire", "clash")
    assert last(battle, "hits")["value"] == 3
    fired(battle, "conquest.morale.broken.no-inspired")


@pytest.mark.rule("conquest.morale.broken.character-rally")
def test_a_character_rallies_his_regiment_with_his_own_action() -> None:
    battle = scene(
        regiment("a", broken=True),
        regiment("b", 1, at=(36, 40)),
        characters=[hero("h", regiment="a")],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )
    do(battle, "character-rally")
    assert not r(battle, "a").broken
    assert battle.state.characters["h"].acted
    assert not r(battle, "a").activated


@pytest.mark.rule("conquest.morale.broken.character-rally", "conquest.rule.fearsome")
def test_fearsome_may_spoil_a_characters_rally() -> None:
    battle = scene(
        regiment("a", broken=True, of=profile(r=2)),
        regiment("b", 1, of=profile(rules=["fearsome"])),
        characters=[hero("h", regiment="a", of=profile(r=2))],
        moment="character",
        who="h",
        dice=[3],
        stacks=((), ("b",)),
    )
    do(battle, "character-rally")
    assert r(battle, "a").broken
    assert battle.state.characters["h"].acted


@pytest.mark.rule("conquest.morale.shattered.trigger", "conquest.morale.shattered.same-effect")
def test_one_clash_breaks_and_shatters() -> None:
    """6 of 8 stands: Broken at the fourth, Shattered at the sixth; the rest of the pool is dropped."""
    battle = clash(hit(8, 16, of=profile(d=0, e=0, w=2), files=4))
    assert r(battle, "b").where == "gone"
    assert len(events(battle, "stand-lost")) == 6
    assert not rolled(battle, "morale")


@pytest.mark.rule("conquest.morale.shattered.trigger")
@pytest.mark.parametrize(("lost", "gone"), [(2, False), (3, True)])
def test_broken_since_an_earlier_round_counts_from_the_start_of_this_one(lost: int, gone: bool) -> None:
    battle = clash(hit(5, lost * 2, *[1] * lost * 2, of=profile(d=0, e=0, w=2), broken=True))
    assert (r(battle, "b").where == "gone") is gone


@pytest.mark.rule("conquest.morale.shattered.effect")
def test_a_shattered_regiment_goes_with_its_character() -> None:
    attacker = profile(a=4, c=3)
    battle = scene(
        regiment("a", stands=1, of=attacker),
        regiment("b", 1, stands=3, of=profile(d=0, e=0, w=2), broken=True, models=("leader",)),
        characters=[hero("h", 1, "b", activated=True)],
        dice=[2] * 4 + [3] * 4,
    )
    clash(battle)
    assert r(battle, "b").where == "gone"
    assert not battle.state.characters["h"].alive
    (told,) = events(battle, "shattered")
    assert told.facts["regiment"] == "b"
    assert set(told.rules) >= {"conquest.morale.shattered.trigger", "conquest.morale.shattered.effect"}


@pytest.mark.rule("conquest.morale.stranded.definition", "conquest.morale.press-attack.step")
def test_a_regiment_in_the_rear_is_moved_back_into_contact() -> None:
    """Two ranks of 2.5 inches: the rear rank is lost, and the attacker goes 2.5 inches straight on."""
    target = regiment("b", 1, at=(36, 20), facing=0.0, stands=4, files=2, of=profile(d=0, e=0, w=2))
    battle = scene(
        regiment("a", at=(36, 15), stands=2, files=2, of=profile(a=2, c=3)), target, dice=[2] * 4 + [3] * 4 + [1] * 8
    )
    clash(battle)
    assert len(r(battle, "b").stands) == 2
    assert (r(battle, "a").x, r(battle, "a").y) == (36, 17.5)
    fired(battle, "conquest.morale.press-attack.keep-contact")


@pytest.mark.rule("conquest.morale.press-attack.keep-contact")
def test_the_number_of_engaged_stands_is_kept() -> None:
    battle = scene(
        regiment("a", at=(36, 15), stands=2, files=2, of=profile(a=2, c=3)),
        regiment("b", 1, at=(36, 20), facing=0.0, stands=4, files=2, of=profile(d=0, e=0, w=2)),
        dice=[2] * 4 + [3] * 4 + [1] * 8,
    )
    before = pressing.engaged(battle.state, r(battle, "a"), [r(battle, "b")])
    clash(battle)
    assert pressing.engaged(battle.state, r(battle, "a"), [r(battle, "b")]) == before == 4


@pytest.mark.rule("conquest.morale.press-attack.no-new-enemy", "conquest.morale.press-attack.impossible")
def test_no_push_into_a_new_enemy() -> None:
    """Other enemies stand wherever a push would end: the regiment stays where it was, unengaged."""
    battle = scene(
        regiment("a", at=(36, 15), stands=2, files=2, of=profile(a=2, c=3)),
        regiment("b", 1, at=(36, 20), facing=0.0, stands=4, files=2, of=profile(d=0, e=0, w=2)),
        regiment("c", 1, at=(38.5, 16.75), facing=270.0, stands=1, of=profile()),
        regiment("d", 1, at=(33.5, 16.75), facing=90.0, stands=1, of=profile()),
        dice=[2] * 4 + [3] * 4 + [1] * 8,
    )
    clash(battle)
    assert r(battle, "a").y == 15
    fired(battle, "conquest.morale.press-attack.impossible")
    assert "march" in offered(battle)


@pytest.mark.rule("conquest.morale.press-attack.no-new-enemy", "conquest.morale.press-attack.step")
def test_a_push_ends_beside_a_new_enemy() -> None:
    """Straight on it would touch another enemy: it goes the shortest way to where it touches its own alone."""
    battle = scene(
        regiment("a", at=(36, 15), stands=2, files=2, of=profile(a=2, c=3)),
        regiment("b", 1, at=(36, 20), facing=0.0, stands=4, files=2, of=profile(d=0, e=0, w=2)),
        regiment("c", 1, at=(38.5, 16.75), facing=270.0, stands=1, of=profile()),
        dice=[2] * 4 + [3] * 4 + [1] * 8,
    )
    clash(battle)
    assert [foe.id for foe in formation.enemies_in_contact(battle.state, r(battle, "a"))] == ["b"]
    assert r(battle, "a").y == 17.5
    assert 36 - 2 * formation.TOUCH <= r(battle, "a").x < 36


@pytest.mark.rule("conquest.morale.press-attack.no-impact")
def test_a_push_makes_no_impact_attacks_and_inspires_nobody() -> None:
    battle = scene(
        regiment("a", at=(36, 15), stands=2, files=2, of=profile(a=2, c=3, rules=["impact 2"])),
        regiment("b", 1, at=(36, 20), facing=0.0, stands=4, files=2, of=profile(d=0, e=0, w=2)),
        dice=[2] * 4 + [3] * 4 + [1] * 8,
    )
    clash(battle)
    assert r(battle, "a").y == 17.5
    assert not events(battle, "impact")
    assert r(battle, "a").inspired == 0
    assert formation.in_contact(battle.state, r(battle, "a"))


@pytest.mark.rule("conquest.morale.broken.trigger", "conquest.morale.broken.recover")
def test_a_rallied_regiment_breaks_again_with_the_next_loss() -> None:
    """6 stands at the start of the round, 3 lost, rallied: the fourth loss is over the threshold again."""
    battle = hit(3, 2, 1, 1, of=profile(d=0, e=0, w=2), round_start=6, round_lost=3)
    assert not r(battle, "b").broken
    clash(battle)
    assert r(battle, "b").broken


@pytest.mark.rule("conquest.morale.broken.trigger")
def test_a_character_who_leaves_is_no_loss() -> None:
    battle = scene(
        regiment("a", stands=2, files=3, at=(20, 10)),
        regiment("b", 1, at=(36, 40)),
        regiment("c", at=(29, 10), stands=2, files=2),
        characters=[hero("h", regiment="a")],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )
    do(battle, "seek-escort", "c")
    while battle.decision is not None and battle.decision.prompt.key == "ask.character-place":
        battle.answer(battle.decision.suggest())
    assert r(battle, "a").round_lost == 0
    assert not r(battle, "a").broken


REAR = {"at": (36, 20), "facing": 0.0, "stands": 4, "files": 2, "of": profile(d=0, e=0, w=2, r=5)}
"""Two ranks of two, attacked in the rear."""


def settle(battle: Battle[State], *answers: Any) -> Battle[State]:
    for answer in ("", *answers):
        if answer:
            battle.answer(answer)
        while battle.decision is not None and battle.decision.prompt.key == "ask.casualty-end":
            battle.answer("left")
    return battle


@pytest.mark.rule("conquest.morale.press-attack.step", "conquest.morale.stranded.definition")
def test_shots_into_a_fight_strand_the_friends_who_fight_it() -> None:
    """The archers' Volley takes the rear rank: their friends behind it go 2.5 inches on."""
    battle = scene(
        regiment("s", at=(50, 17), facing=270.0, stands=2, files=2, of=profile(v=3, rules=["barrage 2 24"])),
        regiment("a", at=(36, 15), stands=2, files=2),
        regiment("b", 1, **REAR),
        dice=[1] * 4 + [6] * 4,
    )
    settle(battle, "volley", "b")
    assert len(r(battle, "b").stands) == 2
    assert r(battle, "a").y == 17.5
    assert not rolled(battle, "morale")


@pytest.mark.rule("conquest.morale.press-attack.step")
def test_a_spell_that_kills_is_pressed_home() -> None:
    bolt = Spell("bolt", {"zh": "法", "en": "Bolt"}, 12, 3, hits=4)
    battle = scene(
        regiment("a", at=(36, 15), stands=2, files=2, of=profile(rules=["wizard 3"]), spells=(bolt,)),
        regiment("b", 1, **REAR),
        dice=[1, 1, 6] + [6] * 4 + [1] * 4,
    )
    settle(battle, "spellcasting", "bolt")
    assert len(r(battle, "b").stands) == 2
    assert r(battle, "a").y == 17.5


@pytest.mark.rule("conquest.morale.press-attack.step", "conquest.rule.aura-of-death")
def test_a_regiment_thinned_by_an_aura_closes_with_its_enemy_again() -> None:
    """The active regiment, attacked in the rear, loses the rank that touched the enemy and falls back on him."""
    battle = scene(
        regiment("a", **{**REAR, "at": (36, 20)}),
        regiment("b", 1, at=(36, 15), facing=0.0, stands=2, files=2, of=profile(rules=["aura-of-death 2"])),
        moment="activation",
        dice=[6] * 4 + [1] * 4,
    )
    settle(battle)
    assert len(r(battle, "a").stands) == 2
    assert r(battle, "a").y == 17.5
    assert formation.in_contact(battle.state, r(battle, "a"))


@pytest.mark.rule("conquest.morale.press-attack.step", "conquest.rule.decay")
def test_a_regiment_thinned_by_decay_closes_with_its_enemy_again() -> None:
    rotten = profile(d=0, e=0, w=2, r=5, rules=["decay 1"])
    battle = scene(
        regiment("a", **{**REAR, "of": rotten}),
        regiment("b", 1, at=(36, 15), facing=0.0, stands=2, files=2),
        dice=[6, 6, 6, 6],
    )
    settle(battle, "pass")
    assert len(r(battle, "a").stands) == 2
    assert r(battle, "a").y == 17.5


@pytest.mark.rule("conquest.morale.stranded.definition")
def test_the_passive_players_regiment_is_never_pushed() -> None:
    """The regiment named loses its rear rank, and the enemy behind it stays where he is."""
    battle = scene(
        regiment("a", **REAR),
        regiment("b", 1, at=(36, 15), facing=0.0, stands=2, files=2, of=profile(rules=["aura-of-death 2"])),
        moment="activation",
        dice=[6] * 4 + [1] * 4,
    )
    settle(battle)
    assert r(battle, "b").y == 15


@pytest.mark.rule("conquest.morale.press-attack.step")
def test_of_several_stranded_regiments_the_active_player_names_the_first() -> None:
    battle = scene(
        regiment("s", at=(52, 17), facing=270.0, stands=2, files=2, of=profile(v=3, rules=["barrage 4 24"])),
        regiment("a", at=(33.5, 15), stands=2, files=2),
        regiment("c", at=(38.5, 15), stands=2, files=2),
        regiment("b", 1, at=(36, 20), facing=0.0, stands=8, files=4, of=profile(d=0, e=0, w=2, r=5)),
        dice=[1] * 8 + [6] * 8,
    )
    settle(battle, "volley", "b")
    assert battle.decision is not None
    assert battle.decision.prompt.key == "ask.press"
    assert sorted(offered(battle)) == ["a", "c"]
    do(battle, "c")
    assert (r(battle, "a").y, r(battle, "c").y) == (17.5, 17.5)


@pytest.mark.rule("conquest.morale.resolve-highest")
def test_a_dead_characters_resolve_is_not_used() -> None:
    battle = scene(
        regiment("a", stands=2, of=profile(r=2)),
        regiment("b", 1, at=(36, 40)),
        characters=[hero("h", regiment="a", of=profile(r=4))],
    )
    one = r(battle, "a")
    assert morale.resolve(battle, one, "withdraw").value == 4
    for _ in slay(battle, one, battle.state.characters["h"]):
        pass
    one.broken = False
    assert morale.resolve(battle, one, "withdraw").value == 2


@pytest.mark.rule("conquest.morale.broken.unmodified-resolve")
def test_a_spell_raises_the_resolve_of_the_steady_and_not_of_the_broken() -> None:
    def value(broken: bool) -> float:
        battle = scene(
            regiment("a", of=profile(r=3), broken=broken),
            regiment("b", 1, at=(36, 40)),
            effects=(Effect("a", "resolve", "add", 1, "conquest.magic.duration", until="round"),),
        )
        return morale.resolve(battle, r(battle, "a"), "morale").value

    assert (value(False), value(True)) == (4, 3)


@pytest.mark.rule("conquest.morale.shattered.effect", "conquest.character.last-stand")
def test_a_character_of_a_shattered_regiment_has_his_last_clash() -> None:
    """Undamaged stands go too, and the next round has no card of theirs."""
    battle = scene(
        regiment("a", stands=2, files=2, of=profile(a=1, c=3, w=9, d=0, e=0, r=5)),
        regiment(
            "b", 1, stands=3, files=2, of=profile(d=0, e=0, w=1), broken=True, places=((0, 1), (1, 0), (1, 1), (0, 0))
        ),
        characters=[hero("h", 1, "b", of=profile(a=2, c=4))],
        dice=[2] * 2 + [3] * 2 + [1, 1] + [4, 4] + [1, 1],
    )
    clash(battle)
    assert r(battle, "b").where == "gone"
    assert last(battle, "last-clash")["character"] == "h"
    assert sum(s.wounds for s in r(battle, "a").stands) == 2
    assert rounds.cards(battle.state, 1) == []


@pytest.mark.rule("conquest.morale.shattered.trigger")
def test_broken_by_a_refusal_it_is_shattered_by_half_of_what_it_had_then() -> None:
    """4 stands when it was Broken in this round: the second loss is half of them."""
    for lost, gone in ((1, False), (2, True)):
        more = {"broken": True, "broken_from": 4, "round_start": 9}
        battle = clash(hit(4, lost * 2, *[1] * lost * 2, of=profile(d=0, e=0, w=2), **more))
        assert (r(battle, "b").where == "gone") is gone


@pytest.mark.rule("conquest.morale.press-attack.impossible")
def test_a_push_blocked_by_a_friend_is_tried_again_when_he_has_gone() -> None:
    """ "c" stands in the way of "a"; pushed home itself, it makes room."""
    battle = scene(
        regiment("s", at=(52, 17), facing=270.0, stands=2, files=2, of=profile(v=3, rules=["barrage 4 24"])),
        regiment("a", at=(33.5, 15), stands=2, files=2),
        regiment("c", at=(38.5, 15), stands=2, files=2),
        regiment("b", 1, at=(36, 20), facing=0.0, stands=8, files=4, of=profile(d=0, e=0, w=2, r=5)),
        terrain=[wood("w", 31, 5.5, 36, 6, "impassable")],
        dice=[1] * 8 + [6] * 8,
    )
    # Nobody can stand on it, and it lies where the others fall: it is put there when all stand.
    (rock,) = battle.state.terrain
    points = tuple((x, y + 10) for x, y in rock.points)
    battle.state.terrain = (msgspec.structs.replace(rock, points=points),)
    settle(battle, "volley", "b")
    do(battle, "a")
    assert (r(battle, "a").y, r(battle, "c").y) == (15, 17.5), "put back to its exact place, and unengaged"
    assert len(events(battle, "not-pressed")) == 2, "tried again after the other had gone"
    assert not formation.in_contact(battle.state, r(battle, "a"))


@pytest.mark.rule("conquest.morale.press-attack.keep-contact")
def test_a_push_goes_on_to_where_most_stands_are_engaged() -> None:
    """One stand of the enemy is left beyond the end of the line: at its corner one stand fights, further on two do."""
    battle = scene(
        regiment("a", at=(36, 15), stands=2, files=2),
        regiment("b", 1, at=(31, 17.5), facing=0.0, stands=1),
    )
    one, enemy = r(battle, "a"), r(battle, "b")
    spot = pressing.pressed(battle.state, one, pressing.Fight("a", ("b",), 4))
    assert spot is not None
    ranked.put(one, spot)
    assert pressing.engaged(battle.state, one, [enemy]) == 3
    nearer = pressing.pressed(battle.state, one, pressing.Fight("a", ("b",), 2))
    assert nearer is not None
    assert (nearer[0], nearer[1]) == (one.x, one.y), "where as many fight as before it goes no further"
