"""Chapter 8: Characters in regiments, their own action, new escorts, death with the regiment."""

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
    rule,
    scene,
    wood,
)

from umpire.engine.battle import Battle
from umpire.errors import UmpireError
from umpire.games.conquest import formation, hooks, wounds
from umpire.games.conquest.characters import slay
from umpire.games.conquest.magic import target_reasons
from umpire.games.conquest.profiles import Retinue, Spell
from umpire.games.conquest.state import State

FAR = (36.0, 40.0)


def hero_turn(*regiments: Any, characters: Any, **more: Any) -> Battle[State]:
    """The Character "h" takes his own action; the enemy's card comes next."""
    return scene(*regiments, characters=characters, moment="character", who="h", stacks=((), ("b",)), **more)


def settle(battle: Battle[State]) -> Battle[State]:
    """Take casualties from the left end."""
    while battle.decision is not None and battle.decision.prompt.key == "ask.casualty-end":
        battle.answer("left")
    return battle


def prompt(battle: Battle[State]) -> str:
    assert battle.decision is not None
    return battle.decision.prompt.key


# -- in the regiment -----------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.character.stand", "conquest.character.position")
def test_a_character_has_his_own_profile_and_stands_in_front() -> None:
    lord = profile(m=6, v=2, c=5, a=7, w=6, r=5, d=4, e=2)
    battle = scene(
        regiment("a", stands=6, files=3), regiment("b", 1, at=FAR), characters=[hero("h", regiment="a", of=lord)]
    )
    one = r(battle, "a")
    stand = next(s for s in one.stands if s.character)
    assert stand.rank == 0
    character = battle.state.characters["h"]
    values = [
        hooks.characteristic(battle, one, what, character=character).total for what in ("clash", "attacks", "resolve")
    ]
    assert values == [5, 7, 5]
    behind = tuple(
        type(s)(s.id, 1, s.file, character=s.character)
        if s.character
        else type(s)(s.id, 0, stand.file)
        if (s.rank, s.file) == (1, stand.file)
        else s
        for s in one.stands
    )
    assert "conquest.character.position" in [x.rule for x in formation.formation_reasons(one, behind, 3)]


@pytest.mark.rule("conquest.character.retinue.no-profile", "conquest.character.wounds.separate")
def test_retinue_adds_neither_wounds_nor_attacks() -> None:
    retinue = (Retinue("bosuns", 3, {"zh": "随从", "en": "Retinue"}),)
    battle = scene(
        regiment("a", stands=1, files=2),
        regiment("b", 1, stands=2, of=profile(w=4)),
        characters=[
            hero("h", 0, "a", of=profile(a=8, c=5)),
            hero("f", 1, "b", of=profile(a=3, w=5, d=0, e=0, c=0), retinue=retinue),
        ],
        moment="character",
        who="h",
        stacks=((), ("b",)),
        dice=[1] * 8 + [6] * 3 + [6] * 8,
    )
    do(battle, "duel", "f", "accept")
    assert rolled(battle, "hit") == [8, 3], "the retinue adds no attacks"
    assert not battle.state.characters["f"].alive, "dead after 5 wounds"
    assert all(s.wounds == 0 for s in r(battle, "b").stands)
    fired(battle, "conquest.character.wounds.separate")


@pytest.mark.rule("conquest.character.retinue.lost", "conquest.character.upgrades")
def test_a_dead_characters_retinue_and_upgrades_are_gone() -> None:
    battle = scene(
        regiment("a"), regiment("b", 1, at=FAR), characters=[hero("h", regiment="a", gives=(rule("bravery"),))]
    )
    one, character = r(battle, "a"), battle.state.characters["h"]
    assert hooks.has_rule(battle.state, one, "bravery")
    for _ in slay(battle, one, character):
        pass
    assert not hooks.has_rule(battle.state, one, "bravery")
    assert not character.alive


@pytest.mark.rule("conquest.character.join.class")
def test_the_regiment_keeps_its_class() -> None:
    heavy = profile("infantry", "heavy")
    battle = scene(
        regiment("a", of=profile("infantry", "light")), regiment("b", 1), characters=[hero("h", regiment="a", of=heavy)]
    )
    assert "withdraw" in offered(battle), "a Light regiment with a Heavy Character may still Withdraw"


@pytest.mark.rule("conquest.character.rules-not-shared", "conquest.character.separate-dice")
def test_a_characters_cleave_is_his_own() -> None:
    """His hits are defended at Defense 2 - 2, the regiment's of the same Clash at 2; the wounds are one pool."""
    battle = scene(
        regiment("a", stands=1, files=2),
        regiment("b", 1, stands=3, of=profile(d=2, e=0, w=9)),
        characters=[hero("h", regiment="a", of=profile(a=2, rules=["cleave 2", "fearless"]))],
        dice=[1] * 4 + [1] * 2 + [2, 2, 2, 2] + [1, 2] + [1, 1],
    )
    settle(do(battle, "clash"))
    values = [(e.facts["defense"], e.facts["hits"]) for e in events(battle, "defended")]
    assert values == [(2, 4), (0, 2)]
    assert rolled(battle, "morale") == [2]
    assert not hooks.has_rule(battle.state, r(battle, "a"), "fearless")


@pytest.mark.rule("conquest.character.affected-by-regiment")
def test_what_affects_the_regiment_affects_its_character() -> None:
    burning = profile(m=5, c=3, events=["burnout"], rules=["cleave 1"])
    battle = scene(
        regiment("a", of=burning),
        regiment("b", 1, at=FAR),
        characters=[hero("h", regiment="a", of=profile(m=5, c=4))],
        moment="activation",
    )
    one, character = r(battle, "a"), battle.state.characters["h"]
    assert hooks.characteristic(battle, one, "clash", character=character).total == 5
    assert hooks.characteristic(battle, one, "march", character=character).total == 7
    assert hooks.has_rule(battle.state, character, "decay")
    assert not hooks.has_rule(battle.state, character, "cleave")


@pytest.mark.rule("conquest.character.measure")
def test_an_aura_is_measured_from_his_own_stand() -> None:
    """Within 12 inches of the regiment, but not of the Character at its other end."""
    bolt = Spell("bolt", {"zh": "法", "en": "Bolt"}, 12, 4, at="friend", heal=1)
    wizard = profile(rules=["wizard 3"])
    battle = scene(
        regiment("a", stands=4, files=5, at=(20, 10), places=((0, 1), (0, 2), (0, 3), (0, 4), (0, 0))),
        regiment("b", 1, at=FAR),
        regiment("c", stands=2, files=2, at=(40.5, 10)),
        characters=[hero("h", regiment="a", of=wizard, spells=(bolt,))],
        moment="character",
        who="h",
        stacks=((), ("b",)),
    )
    assert formation.distance(battle.state, r(battle, "a"), r(battle, "c")) < 12
    character = battle.state.characters["h"]
    reasons = target_reasons(battle, r(battle, "a"), character, bolt, r(battle, "c"))
    assert [x.rule for x in reasons] == ["conquest.magic.profile.range", "conquest.character.measure"]


@pytest.mark.rule("conquest.character.volley-with-regiment")
def test_a_character_shoots_with_his_regiment_at_his_own_range() -> None:
    archers = profile(v=2, rules=["barrage 2 24"])

    def shots(at: float, rules: list[str]) -> list[int]:
        battle = scene(
            regiment("a", stands=1, files=2, of=archers),
            regiment("b", 1, at=(36, at)),
            characters=[hero("h", regiment="a", of=profile(v=3, rules=rules))],
            dice=[6] * 12,
        )
        do(battle, "volley", "b")
        return rolled(battle, "hit")

    assert shots(23, ["barrage 1 24"]) == [2, 1]
    assert shots(22, ["barrage 1 10"]) == [2]
    assert shots(23, []) == [2]


@pytest.mark.rule("conquest.character.clash-with-regiment")
def test_a_character_attacks_fully_in_contact_and_supports_otherwise() -> None:
    def groups(x: float) -> list[int]:
        battle = scene(
            regiment("a", stands=2, files=3, of=profile(rules=["support 2"]), places=((0, 1), (0, 2), (0, 0))),
            regiment("b", 1, stands=1, at=(x, 10)),
            characters=[hero("h", regiment="a", of=profile(a=6))],
            dice=[6] * 30,
        )
        do(battle, "clash")
        return rolled(battle, "hit")

    assert groups(33.5) == [6, 6], "4 and Support (2) of the regiment, 6 of the Character"
    assert groups(40.0)[1] == 1


@pytest.mark.rule("conquest.character.actions.with-regiment")
def test_he_acts_with_his_regiment_and_keeps_his_own_action() -> None:
    battle = scene(regiment("a"), regiment("b", 1, at=FAR), characters=[hero("h", regiment="a")])
    do(battle, "march", forward(3))
    assert not battle.state.characters["h"].acted
    assert not battle.state.characters["h"].activated


@pytest.mark.rule("conquest.character.wounds.untargetable", "conquest.character.killing")
def test_a_clash_never_wounds_the_attached_character() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(a=3, c=3)),
        regiment("b", 1, stands=2, files=2, of=profile(d=0, e=0, w=2, r=5), places=((0, 1), (1, 0), (0, 0))),
        characters=[hero("h", 1, "b", of=profile(d=0, e=0, w=1))],
        dice=[2] * 3 + [3] * 3 + [1] * 3,
    )
    do(battle, "clash")
    assert battle.state.characters["h"].wounds == 0
    assert battle.state.characters["h"].alive
    assert "h" not in battle.state.regiments


@pytest.mark.rule("conquest.character.own-regiment")
def test_a_character_alone_is_hit_like_any_regiment() -> None:
    lone = profile("monster", "heavy", w=10, d=0, e=0)
    battle = scene(
        regiment("a", stands=1, of=profile(a=3, c=3)),
        regiment("b", 1, stands=1, of=lone),
        characters=[hero("h", 1, "b", of=lone, own=True)],
        dice=[2] * 3 + [3] * 3 + [1] * 3,
    )
    do(battle, "clash")
    assert r(battle, "b").stands[0].wounds == 3


@pytest.mark.rule("conquest.character.gone-not-restored")
def test_healing_does_not_bring_a_dead_character_back() -> None:
    battle = scene(regiment("a", stands=2), regiment("b", 1, at=FAR), characters=[hero("h", regiment="a")])
    one = r(battle, "a")
    for _ in slay(battle, one, battle.state.characters["h"]):
        pass
    one.broken = False
    for _ in wounds.heal(battle, one, 10, "conquest.draw-event.regeneration"):
        pass
    assert len(one.stands) == 2
    assert not battle.state.characters["h"].alive


@pytest.mark.rule("conquest.character.killing", "conquest.character.last-stand")
def test_fight_to_the_death() -> None:
    """His regiment is destroyed before he has played his card: a whole Clash, then he is removed."""
    battle = scene(
        regiment("a", stands=2, files=2, of=profile(a=2, c=3, w=9, d=0, e=0, r=3)),
        regiment("b", 1, stands=1, files=2, of=profile(d=0, e=0, w=2)),
        characters=[hero("h", 1, "b", of=profile(a=3, c=4))],
        dice=[2] * 4 + [3] * 4 + [1, 1, 6] + [4, 4] + [6, 1],
    )
    settle(do(battle, "clash"))
    assert r(battle, "b").where == "gone"
    assert not battle.state.characters["h"].alive
    assert last(battle, "last-clash")["character"] == "h"
    assert sum(s.wounds for s in r(battle, "a").stands) == 3, "two hits and a failed Morale die"


@pytest.mark.rule("conquest.character.last-stand")
def test_no_last_clash_after_his_card_or_without_contact() -> None:
    def removed(**more: Any) -> Battle[State]:
        battle = scene(
            regiment("a", stands=2, files=2, of=profile(a=2, c=3)),
            regiment("b", 1, stands=1, files=2, of=profile(d=0, e=0, w=2)),
            characters=[hero("h", 1, "b", **more)],
            dice=[2] * 4 + [3] * 4,
        )
        return do(battle, "clash")

    played = removed(activated=True)
    assert not events(played, "last-clash")
    shot = scene(
        regiment("a", stands=2, files=2, of=profile(v=3, rules=["barrage 3 20"])),
        regiment("b", 1, stands=1, files=2, at=(36, 25), of=profile(d=0, e=0, w=2)),
        characters=[hero("h", 1, "b")],
        dice=[1] * 6 + [6] * 6,
    )
    do(shot, "volley", "b")
    assert r(shot, "b").where == "gone"
    assert not events(shot, "last-clash")
    assert events(shot, "character-removed")


# -- his own action ------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.character.actions.one", "conquest.character.action.procedure")
def test_one_character_action_after_the_draw_event() -> None:
    lord = profile(events=["regeneration 2"])
    battle = hero_turn(
        regiment("a", broken=True), regiment("b", 1, at=FAR), characters=[hero("h", regiment="a", of=lord, wounds=1)]
    )
    kinds = [e.kind for e in battle.events]
    assert "draw-event" in kinds
    assert prompt(battle) == "ask.character-action"
    refused(battle, "march", "conquest.character.actions.one")
    refused(battle, "clash", "conquest.character.actions.one")
    do(battle, "character-rally")
    assert prompt(battle) != "ask.character-action"


@pytest.mark.rule("conquest.character.spellcasting-action")
def test_only_wizards_and_priests_cast() -> None:
    battle = hero_turn(regiment("a", broken=True), regiment("b", 1, at=FAR), characters=[hero("h", regiment="a")])
    refused(battle, "spellcasting", "conquest.character.spellcasting-action")
    bolt = Spell("ward", {"zh": "护", "en": "Ward"}, 0, 4, at="self", heal=1)
    for at in (FAR, (36.0, 10.0)):
        caster = hero("h", regiment="a", of=profile(rules=["priest 3"]), spells=(bolt,))
        ready = hero_turn(regiment("a"), regiment("b", 1, at=at), characters=[caster])
        assert "spellcasting" in offered(ready), "in combat and out of it"


# -- Seek New Escort -----------------------------------------------------------------------------------------------


def escort(*others: Any, old: dict[str, Any] | None = None, kind: str = "infantry", **more: Any) -> Battle[State]:
    """ "h" stands in "a"; the enemy is far away."""
    caster = hero("h", regiment="a", of=profile(kind, m=5))
    return scene(
        regiment("a", stands=2, files=3, at=(20, 10), of=profile(kind), **(old or {})),
        regiment("b", 1, at=more.pop("enemy", FAR)),
        *others,
        characters=[caster, *more.pop("heroes", [])],
        moment="character",
        who="h",
        stacks=((), ("b",)),
        **more,
    )


@pytest.mark.rule("conquest.character.seek-escort.conditions", "conquest.character.may-change-regiment")
def test_he_joins_a_regiment_of_another_warband() -> None:
    battle = escort(regiment("c", at=(30, 10), stands=5, files=3, warband=3))
    do(battle, "seek-escort", "c")
    assert battle_home(battle) == "c"
    assert battle.state.characters["h"].acted
    assert len(r(battle, "a").stands) == 2


@pytest.mark.rule("conquest.character.seek-escort.range")
@pytest.mark.parametrize(("gap", "allowed"), [(10.0, True), (10.1, False)])
def test_twice_his_march_from_his_own_stand(gap: float, allowed: bool) -> None:
    """His stand is the middle one of three: its right edge is at x = 21.25."""
    battle = escort(
        regiment("c", at=(21.25 + gap + 2.5, 10), stands=2, files=2), regiment("d", at=(12, 10), stands=2, files=2)
    )
    stand = next(s for s in r(battle, "a").stands if s.character)
    right = formation.stand_base(r(battle, "a"), stand).x + 1.25
    shift = right - 21.25
    r(battle, "c").x += shift
    do(battle, "seek-escort")
    ruling = battle.check("c")
    assert ruling.legal is allowed
    if not allowed:
        assert "conquest.character.seek-escort.range" in ruling.rules


@pytest.mark.rule("conquest.character.seek-escort.occupied", "conquest.character.one-per-regiment")
def test_a_regiment_with_a_character_cannot_be_joined() -> None:
    battle = escort(
        regiment("c", at=(28, 10)), regiment("d", at=(12, 10), stands=2, files=2), heroes=[hero("g", regiment="c")]
    )
    do(battle, "seek-escort")
    refused(battle, "c", "conquest.character.seek-escort.occupied", "conquest.character.one-per-regiment")


@pytest.mark.rule("conquest.character.seek-escort.contact")
def test_neither_regiment_may_be_in_contact() -> None:
    engaged = escort(regiment("c", at=(28, 10)), old={"broken": True}, enemy=(20.0, 10.0))
    refused(engaged, "seek-escort", "conquest.character.seek-escort.contact")
    joined = escort(
        regiment("c", at=(30, 10), stands=2, files=2), regiment("d", at=(12, 10), stands=2, files=2), enemy=(30.0, 10.0)
    )
    do(joined, "seek-escort")
    refused(joined, "c", "conquest.character.seek-escort.contact")


@pytest.mark.rule("conquest.character.seek-escort.not-activated")
def test_the_old_regiment_must_not_have_been_activated() -> None:
    gone = escort(regiment("c", at=(28, 10)), old={"activated": True, "broken": True})
    refused(gone, "seek-escort", "conquest.character.seek-escort.not-activated")
    fine = escort(regiment("c", at=(28, 10), activated=True))
    do(fine, "seek-escort", "c")
    assert battle_home(fine) == "c"


def battle_home(battle: Battle[State]) -> str:
    while prompt(battle) in ("ask.close-up", "ask.rear-place", "ask.command-place", "ask.character-place"):
        assert battle.decision is not None
        battle.answer(battle.decision.suggest())
    return battle.state.characters["h"].regiment


@pytest.mark.rule("conquest.character.seek-escort.garrison")
def test_not_with_garrison_terrain() -> None:
    tower = wood("t", 26, 8, 30, 12, "tower", kind="garrison", size=3)
    battle = escort(
        regiment("c", at=(28, 10), stands=2, where="garrison", garrison="t"),
        regiment("d", at=(12, 10), stands=2, files=2),
        terrain=[tower],
    )
    do(battle, "seek-escort")
    refused(battle, "c", "conquest.character.seek-escort.garrison")
    inside = escort(
        regiment("c", at=(34, 15)), old={"where": "garrison", "garrison": "t", "broken": True}, terrain=[tower]
    )
    refused(inside, "seek-escort", "conquest.character.seek-escort.garrison")


@pytest.mark.rule("conquest.character.join.type", "conquest.rule.irregular.join")
def test_type_and_irregular_bar_the_way() -> None:
    battle = escort(
        regiment("c", at=(29, 10), of=profile("cavalry")),
        regiment("d", at=(12, 10), stands=2, files=2, of=profile(rules=["irregular"])),
        regiment("e", at=(20, 18), stands=2, files=2),
    )
    do(battle, "seek-escort")
    refused(battle, "c", "conquest.character.join.type")
    refused(battle, "d", "conquest.rule.irregular.join")


@pytest.mark.rule("conquest.character.seek-escort.reinforcements")
def test_not_while_in_reserve() -> None:
    battle = escort(regiment("c", at=(28, 10), where="reserve"), regiment("d", at=(12, 10), stands=2, files=2))
    do(battle, "seek-escort")
    refused(battle, "c", "conquest.character.seek-escort.reinforcements")
    waiting = escort(regiment("c", at=(28, 10)), old={"where": "arriving"})
    assert not events(waiting, "character-action")


@pytest.mark.rule("conquest.character.seek-escort.leave", "conquest.character.seek-escort.join")
def test_both_regiments_reform_by_the_least() -> None:
    full = escort(regiment("c", at=(30, 10), stands=6, files=3), old={"broken": True})
    do(full, "seek-escort", "c")
    assert battle_home(full) == "c"
    assert (r(full, "c").files, r(full, "c").ranks) == (3, 3)
    assert not r(full, "a").activated
    assert r(full, "a").facing == 0
    part = escort(regiment("c", at=(30, 10), stands=5, files=3))
    do(part, "seek-escort", "c")
    assert battle_home(part) == "c"
    assert (r(part, "c").files, r(part, "c").ranks) == (3, 2)


# -- joining at the start ------------------------------------------------------------------------------------------


def set_up(*regiments: Any, characters: Any) -> Battle[State]:
    return scene(*regiments, regiment("b", 1, where="reserve"), characters=characters, moment="set-up")


@pytest.mark.rule(
    "conquest.character.join.mandatory", "conquest.battle.assign-characters", "conquest.reinforce.assign-characters"
)
def test_each_character_joins_a_regiment_of_his_warband_and_type() -> None:
    battle = set_up(
        regiment("a", where="reserve"),
        regiment("c", where="reserve"),
        regiment("d", where="reserve", warband=1),
        regiment("e", where="reserve", of=profile("cavalry")),
        characters=[hero("h")],
    )
    assert prompt(battle) == "ask.assign"
    assert offered(battle) == ["a", "c"]
    refused(battle, "d", "conquest.character.join.mandatory")
    refused(battle, "e", "conquest.character.join.type")
    assert not rolled(battle, "reinforcement")
    do(battle, "c")
    assert battle.state.characters["h"].regiment == "c"


@pytest.mark.rule("conquest.character.one-per-regiment", "conquest.rule.irregular.join")
def test_one_character_a_regiment_and_no_stranger_among_irregulars() -> None:
    battle = set_up(
        regiment("a", where="reserve"),
        regiment("c", where="reserve"),
        regiment("d", where="reserve"),
        regiment("i", where="reserve", of=profile(rules=["irregular"])),
        characters=[hero("h"), hero("g")],
    )
    refused(battle, "i", "conquest.rule.irregular.join")
    do(battle, "a")
    assert offered(battle) == ["c", "d"]
    refused(battle, "a", "conquest.character.one-per-regiment")


@pytest.mark.rule("conquest.character.join.mandatory")
def test_the_battle_does_not_start_with_a_character_alone() -> None:
    with pytest.raises(UmpireError, match="can join no regiment"):
        set_up(regiment("a", where="reserve", of=profile("cavalry")), characters=[hero("h")])
