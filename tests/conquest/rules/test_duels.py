"""Chapter 8: Duels."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conquest.builder import (
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
)

from umpire.engine.battle import Battle
from umpire.games.conquest.profiles import Profile
from umpire.games.conquest.state import Character, State


def duel(
    own: Profile | None = None,
    foe: Profile | None = None,
    dice: Any = "seed",
    mine: dict[str, Any] | None = None,
    theirs: dict[str, Any] | None = None,
    **foe_more: Any,
) -> Battle[State]:
    """ "h" in regiment "a" is to act; "f" is in regiment "b" in contact."""
    return scene(
        regiment("a", **{"stands": 3, "files": 2, **(mine or {})}),
        regiment("b", 1, **{"stands": 3, "files": 2, **(theirs or {})}),
        characters=[hero("h", 0, "a", of=own), hero("f", 1, "b", of=foe, **foe_more)],
        moment="character",
        who="h",
        stacks=((), ("b",)),
        dice=dice,
    )


def f(battle: Battle[State]) -> Character:
    return battle.state.characters["f"]


@pytest.mark.rule("conquest.character.duel.declare")
def test_a_duel_needs_an_enemy_character_in_a_regiment_in_contact() -> None:
    apart = scene(
        regiment("a", broken=True),
        regiment("b", 1, at=(36, 30)),
        characters=[hero("h", regiment="a"), hero("f", 1, "b")],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )
    refused(apart, "duel", "conquest.action.list.in-combat")
    nobody = scene(
        regiment("a", broken=True),
        regiment("b", 1),
        characters=[hero("h", regiment="a")],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )
    refused(nobody, "duel", "conquest.character.duel.declare")


@pytest.mark.rule("conquest.character.duel.declare")
def test_the_stands_need_not_touch() -> None:
    """The Characters are at the outer ends of a line of which only the inner stands touch."""
    battle = scene(
        regiment("a", stands=2, at=(36, 10), places=((0, 1), (0, 2), (0, 0)), files=3),
        regiment("b", 1, stands=2, at=(41, 10), places=((0, 1), (0, 2), (0, 0)), files=3),
        regiment("c", 1, stands=2, at=(60, 40)),
        characters=[hero("h", 0, "a"), hero("f", 1, "b"), hero("g", 1, "c")],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )
    do(battle, "duel")
    assert offered(battle) == ["f"]
    refused(battle, "g", "conquest.character.duel.declare")


@pytest.mark.rule("conquest.character.duel.answer")
def test_refusing_breaks_the_regiment_and_uses_the_action() -> None:
    battle = duel()
    do(battle, "duel", "f", "refuse")
    assert r(battle, "b").broken
    assert not rolled(battle, "hit")
    assert battle.state.characters["h"].acted


@pytest.mark.rule("conquest.rule.bodyguard", "conquest.rule.you-and-what-army", "conquest.rule.dauntless")
@pytest.mark.parametrize(
    ("theirs", "foe"),
    [
        ({"of": profile(rules=["bodyguard"])}, None),
        ({}, profile(rules=["you-and-what-army"])),
        ({"of": profile(rules=["dauntless"])}, None),
    ],
)
def test_some_refuse_without_being_broken(theirs: dict[str, Any], foe: Profile | None) -> None:
    battle = duel(foe=foe, theirs=theirs)
    do(battle, "duel", "f", "refuse")
    assert not r(battle, "b").broken


@pytest.mark.rule("conquest.morale.broken.no-duel-refusal", "conquest.rule.bodyguard")
def test_a_character_in_a_broken_regiment_cannot_refuse() -> None:
    battle = duel(
        own=profile(a=1), foe=profile(a=1), theirs={"broken": True, "of": profile(rules=["bodyguard"])}, dice=[6, 6]
    )
    do(battle, "duel", "f")
    fired(battle, "conquest.morale.broken.no-duel-refusal")
    assert rolled(battle, "hit") == [1, 1], "it was fought at once"


@pytest.mark.rule("conquest.character.duel.fight")
def test_both_make_all_their_attacks_at_the_same_time() -> None:
    """The first blows kill, and the dead man's blows are struck all the same."""
    battle = duel(
        own=profile(a=5, c=5, w=9, d=0, e=0),
        foe=profile(a=2, c=5, w=3, d=0, e=0),
        dice=[1] * 5 + [3] * 5 + [1] * 2 + [3] * 2 + [1, 1],
    )
    do(battle, "duel", "f", "accept")
    assert not f(battle).alive
    assert battle.state.characters["h"].wounds == 2


@pytest.mark.rule("conquest.character.duel.fight", "conquest.character.duel.wounds")
def test_wounds_and_morale_wounds_fall_on_the_character_alone() -> None:
    """3 wounds, 3 Morale dice on the regiment's Resolve 3 + 1 for 4 stands: a 5 is one wound more."""
    battle = duel(own=profile(a=3, c=5), foe=profile(a=1, w=9, d=0, e=0), dice=[1, 1, 1, 3, 3, 3, 6, 4, 5, 1])
    do(battle, "duel", "f", "accept")
    assert f(battle).wounds == 4
    assert rolled(battle, "morale") == [3]
    assert all(s.wounds == 0 for s in r(battle, "b").stands)
    assert len(r(battle, "b").stands) == 4


@pytest.mark.rule("conquest.character.duel.wounds")
def test_surplus_wounds_are_lost() -> None:
    battle = duel(own=profile(a=9, c=5), foe=profile(a=1, w=5, d=0, e=0), dice=[1] * 9 + [3] * 9 + [6])
    do(battle, "duel", "f", "accept", "left")
    assert last(battle, "duel-wounds")["lost"] == 4
    assert len(r(battle, "b").stands) == 3
    assert all(s.wounds == 0 for s in r(battle, "b").stands)
    assert not rolled(battle, "morale")


@pytest.mark.rule("conquest.character.duel.reform")
def test_the_dead_mans_place_is_filled_without_a_roll() -> None:
    """Two files: a stand of the second rank moves up, and the frontage stays as it was."""
    battle = duel(own=profile(a=6, c=5), foe=profile(a=1, w=2, d=0, e=0), dice=[1] * 6 + [3] * 6 + [6])
    do(battle, "duel", "f", "accept")
    before = {s.id: (s.rank, s.file) for s in r(battle, "b").stands if not s.character}
    gap = next((s.rank, s.file) for s in r(battle, "b").stands if s.character)
    moved = next(key for key, place in before.items() if place == (1, 1))
    do(battle, "right")
    after = {s.id: (s.rank, s.file) for s in r(battle, "b").stands}
    assert after == {**before, moved: gap}, "one stand moves up, and nobody else stirs"
    assert r(battle, "b").files == 2
    assert not rolled(battle, "combat-reform")


@pytest.mark.rule("conquest.character.duel.reform")
@pytest.mark.parametrize(("end", "middle"), [("left", 37.25), ("right", 34.75)])
def test_a_single_rank_closes_from_the_end_its_owner_names(end: str, middle: float) -> None:
    """Four in one rank, the Character second: from the left one stand goes right, from the right two go left."""
    battle = duel(
        own=profile(a=6, c=5), foe=profile(a=1, w=2, d=0, e=0), dice=[1] * 6 + [3] * 6 + [6], mine={"files": 4},
        theirs={"files": 4, "facing": 180.0, "places": ((0, 0), (0, 2), (0, 3), (0, 1))},
    )  # fmt: skip
    do(battle, "duel", "f", "accept", end)
    one = r(battle, "b")
    assert (one.files, one.ranks) == (3, 1)
    assert one.x == 72 - middle, "it faces south: its right is the west"
    assert not rolled(battle, "combat-reform")


@pytest.mark.rule("conquest.character.duel.reform")
def test_the_end_that_keeps_touch_with_the_enemy_closes_nothing() -> None:
    """Only its right-hand stand touches the enemy: the rank closes from the left without a question."""
    battle = duel(
        own=profile(a=6, c=5), foe=profile(a=1, w=2, d=0, e=0), dice=[1] * 6 + [3] * 6 + [6],
        mine={"files": 4, "at": (28.0, 10.0)},
        theirs={"files": 4, "places": ((0, 0), (0, 2), (0, 3), (0, 1))},
    )  # fmt: skip
    do(battle, "duel", "f", "accept")
    assert not f(battle).alive
    assert r(battle, "b").x == 36 - 1.25


@pytest.mark.rule("conquest.character.duel.both-die")
def test_the_active_players_regiment_closes_up_first() -> None:
    battle = duel(
        own=profile(a=5, c=5, w=2, d=0, e=0),
        foe=profile(a=5, c=5, w=2, d=0, e=0),
        dice=[1] * 5 + [3] * 5 + [1] * 5 + [3] * 5,
    )
    do(battle, "duel", "f", "accept")
    for own in ("a", "b"):
        assert battle.decision is not None
        assert (battle.decision.prompt.key, battle.decision.about) == ("ask.close-up", own)
        do(battle, "left")
    assert [e.facts["character"] for e in events(battle, "character-slain")] == ["h", "f"]
    fired(battle, "conquest.character.duel.both-die")


@pytest.mark.rule("conquest.morale.broken.trigger", "conquest.character.duel.reform")
def test_a_character_killed_is_a_stand_lost() -> None:
    """3 stands and a Character at the start of the round, one stand lost: the Character makes it 2 of 4."""
    battle = duel(
        own=profile(a=6, c=5),
        foe=profile(a=1, w=2, d=0, e=0),
        theirs={"stands": 2, "round_start": 4, "round_lost": 1},
        dice=[1] * 6 + [3] * 6 + [6],
    )
    do(battle, "duel", "f", "accept")
    assert r(battle, "b").broken


@pytest.mark.rule("conquest.rule.quicksilver-strike")
def test_quicksilver_strikes_first() -> None:
    quick = profile(a=5, c=5, w=2, d=0, e=0, rules=["quicksilver-strike"])
    slow = profile(a=5, c=5, w=2, d=0, e=0)
    battle = duel(own=quick, foe=slow, dice=[1] * 5 + [3] * 5)
    do(battle, "duel", "f", "accept")
    assert rolled(battle, "hit") == [5], "killed by the first blows, he makes no attacks"
    both = duel(own=quick, foe=quick, dice=[1] * 5 + [3] * 5 + [1] * 5 + [3] * 5)
    do(both, "duel", "f", "accept")
    assert rolled(both, "hit") == [5, 5]
    theirs = duel(own=slow, foe=quick, dice=[1] * 5 + [3] * 5)
    do(theirs, "duel", "f", "accept")
    assert not theirs.state.characters["h"].alive
    assert f(theirs).alive


@pytest.mark.rule("conquest.rule.counter-attack.duel")
def test_counter_attack_in_a_duel_is_the_characters_own() -> None:
    """Two 1s among his defence dice are two hits on the enemy Character alone."""
    battle = duel(
        own=profile(a=4, c=5, d=0, e=0, w=9), foe=profile(a=1, d=3, w=9, rules=["counter-attack"]),
        dice=[1, 1, 1, 1, 6, 1, 1, 6, 6, 1, 1, 6, 6, 1, 1],
    )  # fmt: skip
    do(battle, "duel", "f", "accept")
    assert last(battle, "counter-attack")["hits"] == 2
    plain = duel(
        own=profile(a=2, c=5, w=9), foe=profile(a=1, d=3, w=9), dice=[1, 1, 6, 1, 1],
        theirs={"of": profile(rules=["counter-attack"])},
    )  # fmt: skip
    do(plain, "duel", "f", "accept")
    assert not events(plain, "counter-attack"), "the regiment's rule does not work in the Duel"


@pytest.mark.rule("conquest.rule.shield.duel")
def test_shield_helps_in_a_duel_if_it_is_his_own() -> None:
    own = duel(own=profile(a=1, c=5), foe=profile(a=1, d=3, e=0, rules=["shield"]), dice=[1, 6, 4])
    do(own, "duel", "f", "accept")
    assert events(own, "defended")[0].facts["defense"] == 4
    theirs = duel(
        own=profile(a=1, c=5), foe=profile(a=1, d=3, e=0), theirs={"of": profile(rules=["shield"])}, dice=[1, 6, 3]
    )
    do(theirs, "duel", "f", "accept")
    assert events(theirs, "defended")[0].facts["defense"] == 3


@pytest.mark.rule("conquest.rule.fearless.character")
def test_a_fearless_character_is_fearless_in_duels_alone() -> None:
    terror = {"of": profile(rules=["terrifying 1"])}

    def resolve(rules: list[str]) -> float:
        battle = duel(
            own=profile(a=1, c=5), foe=profile(a=1, w=9, d=0, e=0, rules=rules), mine=terror, dice=[1, 6, 3, 1]
        )
        do(battle, "duel", "f", "accept")
        needs = [e.roll.need for e in battle.events if e.roll is not None and e.roll.purpose == "morale"]
        return -needs[0]

    assert resolve(["fearless"]) == 4
    assert resolve([]) == 3
    clash = scene(
        regiment("a", stands=1, of=profile(a=1, c=5, rules=["terrifying 1"])),
        regiment("b", 1, stands=3, files=2, of=profile(d=0, e=0, w=9)),
        characters=[hero("f", 1, "b", of=profile(rules=["fearless"]))],
        dice=[1, 3, 1],
    )
    do(clash, "clash")
    while clash.decision is not None and clash.decision.prompt.key == "ask.casualty-end":
        clash.answer("left")
    assert last(clash, "morale-test")["resolve"] == 3
