"""Chapters 8 and 11: whose rules reach whom: those of a regiment, of its Character, of a Barrage."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.conquest.builder import (
    do,
    events,
    hero,
    last,
    offered,
    profile,
    r,
    regiment,
    rolled,
    rule,
    scene,
    wood,
)

from umpire.engine.battle import Battle
from umpire.games.conquest import hooks
from umpire.games.conquest.profiles import Profile, Rule
from umpire.games.conquest.state import State


def prompt(battle: Battle[State]) -> str:
    return battle.decision.prompt.key if battle.decision is not None else ""


def settle(battle: Battle[State], *answers: Any) -> Battle[State]:
    for answer in answers:
        do(battle, answer)
        while prompt(battle) == "ask.casualty-end":
            battle.answer("left")
    return battle


def shooter(shots: list[str], *rules: str, v: int = 2, shots_of: int = 1) -> Profile:
    """A profile with a Barrage that has rules of its own in its brackets."""
    barrage = Rule("barrage", shots_of, False, 20.0, tuple(rule(s) for s in shots))
    plain = profile(v=v, rules=rules)
    return msgspec.structs.replace(plain, rules=(barrage, *plain.rules))


def volley(of: Profile, dice: list[int], target: Profile | None = None, **more: Any) -> Battle[State]:
    battle = scene(
        regiment("a", stands=1, of=of), regiment("b", 1, at=(36, 25), of=target or profile(d=5)), dice=dice, **more
    )
    return settle(battle, "volley", "b")


# -- rules in the brackets of a Barrage ----------------------------------------------------------------------------


@pytest.mark.rule("conquest.rule.barrage", "conquest.rule.precise-shot")
def test_precise_shot_in_the_brackets_of_a_barrage() -> None:
    """Two 1s and a 2: two hits meet Defense 0, one the plain Defense."""
    battle = volley(shooter(["precise-shot"], shots_of=3), [1, 1, 2, 3, 1, 1], profile(d=3, e=0, w=9))
    assert [(e.facts["hits"], e.facts["defense"]) for e in events(battle, "defended")] == [(1, 3), (2, 0)]


@pytest.mark.rule("conquest.rule.barrage", "conquest.rule.rapid-volley")
def test_rapid_volley_in_the_brackets_counts_once_even_at_volley_six() -> None:
    battle = volley(shooter(["rapid-volley"], v=6), [1, 1, 1])
    assert last(battle, "hits")["hits"] == 2


@pytest.mark.rule("conquest.rule.barrage", "conquest.rule.sureshot", "conquest.rule.deadshot")
def test_sureshot_and_deadshot_in_the_brackets() -> None:
    veil = wood("w", 20, 15, 52, 18, "obscuring", "passable")
    assert rolled(volley(shooter(["sureshot"], shots_of=3), [6] * 3, terrain=[veil]), "hit") == [3]
    assert last(volley(shooter(["deadshot"]), [6]), "hits")["value"] == 3


# -- from the regiment to its Character ----------------------------------------------------------------------------


def duel(theirs: Profile, dice: list[int], own: Profile, foe: Profile) -> Battle[State]:
    """ "h" of "a" against "f", who stands in a regiment with this profile."""
    battle = scene(
        regiment("a", stands=3, files=2),
        regiment("b", 1, stands=3, files=2, of=theirs),
        characters=[hero("h", 0, "a", of=own), hero("f", 1, "b", of=foe)],
        moment="character",
        who="h",
        stacks=((), ("b",)),
        dice=dice,
    )
    return do(battle, "duel", "f", "accept")


@pytest.mark.rule("conquest.character.affected-by-regiment", "conquest.rule.hardened")
def test_a_hardened_regiments_character_is_hardened_in_his_duel() -> None:
    own, foe = profile(a=1, c=5, rules=["cleave 2"]), profile(a=1, d=3, e=0, w=9)
    battle = duel(profile(rules=["hardened 1"]), [1, 6, 2, 1], own, foe)
    assert events(battle, "defended")[0].facts["defense"] == 2
    plain = duel(profile(rules=["shield"]), [1, 6, 1, 1], own, foe)
    assert events(plain, "defended")[0].facts["defense"] == 1, "Shield speaks of the stands that have it"


@pytest.mark.rule("conquest.character.affected-by-regiment", "conquest.rule.untouchable", "conquest.rule.tenacious")
def test_untouchable_and_tenacious_regiments_protect_their_character() -> None:
    own, foe = profile(a=2, c=5), profile(a=1, d=2, e=0, w=9)
    spared = duel(profile(rules=["tenacious"]), [1, 1, 3, 3, 6, 1], own, foe)
    assert spared.state.characters["f"].wounds == 1
    again = duel(profile(rules=["untouchable"]), [1, 1, 6, 3, 1, 6, 1], own, foe)
    assert prompt(again) == "ask.reroll"
    do(again, True)
    assert again.state.characters["f"].wounds == 1


@pytest.mark.rule("conquest.character.affected-by-regiment", "conquest.rule.sureshot")
def test_a_sureshot_regiments_character_shoots_as_surely() -> None:
    veil = wood("w", 20, 15, 52, 18, "obscuring", "passable")
    battle = scene(
        regiment("a", stands=1, files=2, of=profile(v=2, rules=["barrage 3 20", "sureshot"])),
        regiment("b", 1, at=(36, 25)),
        characters=[hero("h", regiment="a", of=profile(v=2, rules=["barrage 3 20"]))],
        terrain=[veil],
        dice=[6] * 6,
    )
    settle(battle, "volley", "b")
    assert rolled(battle, "hit") == [3, 3]


@pytest.mark.rule("conquest.character.affected-by-regiment", "conquest.command-model.grants")
def test_what_a_character_gives_his_regiment_reaches_him_too() -> None:
    battle = scene(
        regiment("a"), regiment("b", 1, at=(36, 40)), characters=[hero("h", regiment="a", gives=(rule("hardened 1"),))]
    )
    assert hooks.has_rule(battle.state, r(battle, "a"), "hardened")
    assert hooks.has_rule(battle.state, battle.state.characters["h"], "hardened")


@pytest.mark.rule("conquest.rule.dauntless.inspired")
def test_a_regiment_made_dauntless_by_its_officer_does_not_inspire_its_character() -> None:
    battle = scene(
        regiment(
            "a", stands=1, files=2, of=profile(a=1, c=2), models=({"id": "captain", "rules": [{"name": "dauntless"}]},)
        ),
        regiment("b", 1, of=profile(d=5)),
        characters=[hero("h", regiment="a", of=profile(c=2, a=1))],
        dice=[6] * 9,
    )
    settle(battle, "clash")
    assert [e.facts["value"] for e in events(battle, "hits")] == [3, 2]


# -- a Character's own ---------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.character.clash-with-regiment", "conquest.rule.support")
@pytest.mark.parametrize(("rules", "dice"), [([], 1), (["support 3"], 3)])
def test_a_characters_own_support_counts_for_him(rules: list[str], dice: int) -> None:
    battle = scene(
        regiment("a", stands=2, files=3, places=((0, 1), (0, 2), (0, 0))),
        regiment("b", 1, stands=1, at=(40, 10)),
        characters=[hero("h", regiment="a", of=profile(a=6, rules=rules))],
        dice=[6] * 30,
    )
    do(battle, "clash")
    assert rolled(battle, "hit")[1] == dice


@pytest.mark.rule("conquest.rule.barrage", "conquest.character.volley-with-regiment")
def test_a_character_with_two_barrages_chooses_one() -> None:
    battle = scene(
        regiment("a", stands=1, files=2, of=profile(v=2, rules=["barrage 1 24"])),
        regiment("b", 1, at=(36, 17)),
        characters=[hero("h", regiment="a", of=profile(v=2, rules=["barrage 3 10", "barrage 1 24"]))],
        dice=[6] * 9,
    )
    do(battle, "volley", "b")
    assert prompt(battle) == "ask.barrage"
    assert battle.decision is not None
    assert battle.decision.about == "h"
    assert offered(battle) == ["0", "1"]
    do(battle, "0")
    assert rolled(battle, "hit") == [2, 3]
