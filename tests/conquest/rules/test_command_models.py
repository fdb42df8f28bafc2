"""Chapter 7: command stands, Leaders, Standard Bearers and Officers."""

from __future__ import annotations

import pytest
from tests.conquest.builder import (
    do,
    fired,
    forward,
    hero,
    last,
    profile,
    r,
    refused,
    regiment,
    rolled,
    rule,
    scene,
    wood,
)

from umpire.engine.rulings import Ruling
from umpire.games.conquest import army, formation, hooks
from umpire.games.conquest.army import CharacterPick, RegimentPick, Roster, Warband
from umpire.games.conquest.profiles import Model


def brine(*picks: RegimentPick) -> Ruling:
    """The ruling on a Tide Marshal's warband."""
    marshal = CharacterPick(entry="tide-marshal", warlord=True)
    return army.check_roster(Roster(faction="brine", warbands=[Warband(character=marshal, regiments=list(picks))]))


def cinder(*picks: RegimentPick) -> Ruling:
    overlord = CharacterPick(entry="magma-khan", warlord=True)
    return army.check_roster(Roster(faction="cinder", warbands=[Warband(character=overlord, regiments=list(picks))]))


@pytest.mark.rule("conquest.command-model.infantry.command-stand", "conquest.command-model.infantry.one-stand")
def test_infantry_has_all_command_models_on_one_stand() -> None:
    stands = army.stands_of("x", 4, "infantry", ("leader", "standard-bearer", "drum-master", "tide-chaplain"))
    assert [s.models for s in stands] == [("leader", "standard-bearer", "drum-master", "tide-chaplain"), (), (), ()]
    assert [s.command for s in stands] == [True, False, False, False]


@pytest.mark.rule("conquest.command-model.infantry.command-stand")
def test_a_fifth_command_model_is_refused() -> None:
    officers = ["drum-master", "tide-chaplain", "pavise-sergeant"]
    ruling = brine(RegimentPick(entry="wall-guard", standard=True, officers=officers))
    assert "conquest.command-model.infantry.command-stand" in ruling.rules
    assert (
        "conquest.command-model.infantry.command-stand"
        not in brine(RegimentPick(entry="wall-guard", standard=True, officers=["drum-master", "pavise-sergeant"])).rules
    )


@pytest.mark.rule("conquest.command-model.infantry.replace", "conquest.command-model.same-profile")
def test_command_models_replace_and_share_the_profile() -> None:
    stands = army.stands_of("x", 3, "infantry", ("leader", "standard-bearer", "drum-master"))
    assert len(stands) == 3
    battle = scene(regiment("a", stands=3, models=("leader", "standard-bearer")), regiment("b", 1, at=(36, 40)))
    assert len(r(battle, "a").stands) == 3
    query = hooks.Query(battle.state, r(battle, "a"), "wounds", 4, stand=r(battle, "a").stands[0])
    assert hooks.number(query).total == 4


@pytest.mark.rule("conquest.command-model.unique", "conquest.command-model.officer")
def test_no_command_model_twice_in_a_regiment() -> None:
    twice = brine(RegimentPick(entry="wall-guard", officers=["drum-master", "drum-master"]))
    assert "conquest.command-model.unique" in twice.rules
    apart = brine(
        RegimentPick(entry="wall-guard", standard=True, officers=["drum-master"]),
        RegimentPick(entry="tide-spears", standard=True, officers=["drum-master"]),
    )
    assert apart.legal, apart


@pytest.mark.rule("conquest.command-model.officer")
def test_an_officer_of_another_faction_is_refused() -> None:
    ruling = brine(RegimentPick(entry="wall-guard", officers=["blood-reeve"]))
    assert "conquest.command-model.officer" in ruling.rules


@pytest.mark.rule("conquest.command-model.infantry.free-leader")
def test_a_leader_may_be_free_and_without_models_there_is_no_command_stand() -> None:
    entry = army.faction("brine").regiment("tide-spears")
    assert entry is not None
    assert army.regiment_cost(army.faction("brine"), entry, RegimentPick(entry="tide-spears", stands=3)) == entry.points
    assert not any(s.command for s in army.stands_of("x", 3, "infantry", ()))
    battle = scene(regiment("a", stands=3), regiment("b", 1, at=(36, 40)))
    assert not any(s.command for s in r(battle, "a").stands)


@pytest.mark.rule("conquest.command-model.position")
@pytest.mark.parametrize(("files", "places"), [(3, (1,)), (4, (1, 2))])
def test_the_command_stand_is_in_the_middle_of_the_front(files: int, places: tuple[int, ...]) -> None:
    battle = scene(regiment("a", stands=8, files=files, models=("leader",)), regiment("b", 1, at=(36, 40)))
    one = r(battle, "a")
    command = next(s for s in one.stands if s.command)
    assert command.rank == 0
    assert command.file in places
    swapped = tuple(
        type(s)(s.id, 0, 0, models=s.models, command=True)
        if s.command
        else type(s)(s.id, 0, command.file)
        if (s.rank, s.file) == (0, 0)
        else s
        for s in one.stands
    )
    reasons = formation.formation_reasons(one, swapped, files)
    assert "conquest.regiment.command-stand.position" in [reason.rule for reason in reasons]


@pytest.mark.rule("conquest.command-model.last-casualty", "conquest.command-model.lost")
def test_the_command_stand_is_the_last_casualty_and_its_rules_go_with_it() -> None:
    """Two stands: the ordinary one takes all wounds first; then the banner falls with the command stand."""
    soft = profile(d=0, e=0, w=2, r=5)
    battle = scene(
        regiment("a", stands=1, of=profile(a=2, c=3)),
        regiment("b", 1, stands=2, of=soft, models=("leader", "standard-bearer")),
        dice=[2, 2, 3, 3, 1, 1],
    )
    do(battle, "clash")
    left = r(battle, "b").stands
    assert len(left) == 1
    assert left[0].command
    assert hooks.has_rule(battle.state, r(battle, "b"), "unstoppable")
    battle = scene(
        regiment("a", stands=1, of=profile(a=4, c=3)),
        regiment("b", 1, stands=3, of=soft, models=("leader", "standard-bearer"), round_start=9),
        dice=[2] * 4 + [3] * 4 + [1] * 4,
    )
    do(battle, "clash", "left")
    assert [s.command for s in r(battle, "b").stands] == [True]


@pytest.mark.rule("conquest.command-model.lost")
def test_a_lost_command_stand_takes_its_rules_along_at_once() -> None:
    battle = scene(regiment("a", stands=3, models=("leader", "standard-bearer")), regiment("b", 1, at=(36, 40)))
    one = r(battle, "a")
    one.stands = tuple(s for s in one.stands if not s.command)
    assert not hooks.has_rule(battle.state, one, "unstoppable")


@pytest.mark.rule("conquest.command-model.grants")
def test_an_officers_rule_reaches_every_stand_and_the_character() -> None:
    captain = Model("captain", {"zh": "队官", "en": "Captain"}, (rule("bravery"),))
    battle = scene(
        regiment("a", stands=3, models=("leader", {"id": "captain", "rules": [{"name": "bravery"}]})),
        regiment("b", 1, at=(36, 40)),
        characters=[hero("h", regiment="a")],
    )
    assert captain.rules
    assert hooks.has_rule(battle.state, r(battle, "a"), "bravery")
    assert hooks.has_rule(battle.state, battle.state.characters["h"], "bravery")


@pytest.mark.rule("conquest.command-model.mounted.spread", "conquest.command-model.mounted.lost")
def test_mounted_command_models_have_stands_of_their_own() -> None:
    stands = army.stands_of("x", 3, "cavalry", ("leader", "standard-bearer"))
    assert [s.models for s in stands] == [("leader",), ("standard-bearer",), ()]
    assert [s.command for s in stands] == [True, False, False]
    assert not any(s.command for s in army.stands_of("x", 3, "cavalry", ("standard-bearer",)))
    battle = scene(
        regiment("a", stands=3, of=profile("cavalry"), models=("leader", "standard-bearer")),
        regiment("b", 1, at=(36, 40)),
    )
    one = r(battle, "a")
    one.stands = tuple(s for s in one.stands if "standard-bearer" not in s.models)
    assert not hooks.has_rule(battle.state, one, "unstoppable")
    leader = next(s for s in one.stands if "leader" in s.models)
    query = hooks.Query(battle.state, one, "attacks", 4, "clash", stand=leader)
    assert hooks.number(query).total == 5


@pytest.mark.rule("conquest.command-model.mounted.lost")
def test_losing_one_mounted_model_is_told_for_that_model_alone() -> None:
    soft = profile("cavalry", d=0, e=0, w=2, r=5)
    battle = scene(
        regiment("a", stands=1, of=profile(a=4, c=3)),
        regiment("b", 1, stands=3, of=soft, models=("leader", "standard-bearer"), round_start=9),
        dice=[2] * 4 + [3] * 4 + [1] * 4,
    )
    do(battle, "clash", "left")
    assert last(battle, "command-lost")["models"] == ["standard-bearer"]
    fired(battle, "conquest.command-model.mounted.lost")


@pytest.mark.rule("conquest.command-model.mounted.replace", "conquest.command-model.mounted.options")
def test_mounted_models_need_a_stand_each_and_must_be_listed() -> None:
    officers = ["blood-reeve"]
    full = cinder(RegimentPick(entry="furnace-ogres", stands=3, standard=True, officers=officers))
    assert full.legal, full
    four = cinder(RegimentPick(entry="furnace-ogres", stands=3, standard=True, officers=[*officers, "ash-seer"]))
    assert "conquest.command-model.mounted.replace" in four.rules
    assert "conquest.command-model.mounted.options" in four.rules
    hounds = next(r for r in army.faction("cinder").regiments if r.type == "cavalry" and r.command.leader is None)
    assert "conquest.command-model.mounted.options" in cinder(RegimentPick(entry=hounds.id, leader=True)).rules
    assert "conquest.command-model.mounted.options" not in cinder(RegimentPick(entry=hounds.id)).rules


@pytest.mark.rule("conquest.command-model.mounted.limit")
def test_four_different_mounted_models_at_most() -> None:
    many = ["blood-reeve", "ash-seer", "skull-drummer"]
    ruling = cinder(RegimentPick(entry="furnace-ogres", stands=6, standard=True, officers=many))
    assert "conquest.command-model.mounted.limit" in ruling.rules
    fewer = cinder(RegimentPick(entry="furnace-ogres", stands=6, standard=True, officers=many[:2]))
    assert "conquest.command-model.mounted.limit" not in fewer.rules


@pytest.mark.rule("conquest.command-model.monster-none")
def test_monsters_have_no_command_models() -> None:
    ruling = brine(RegimentPick(entry="wall-guard"), RegimentPick(entry="harbour-titan", standard=True))
    assert "conquest.command-model.monster-none" in ruling.rules
    assert brine(RegimentPick(entry="wall-guard"), RegimentPick(entry="harbour-titan")).legal
    led = brine(RegimentPick(entry="wall-guard"), RegimentPick(entry="harbour-titan", leader=True))
    assert "conquest.command-model.monster-none" in led.rules


@pytest.mark.rule("conquest.command-model.leader.attack")
def test_the_leaders_stand_has_one_attack_more() -> None:
    """Three engaged stands with Attack 4, one of them the Leader's: 13."""
    battle = scene(regiment("a", stands=3, models=("leader",)), regiment("b", 1), dice=[6] * 13)
    do(battle, "clash")
    assert rolled(battle, "hit") == [13]
    behind = scene(
        regiment("a", stands=3, files=3, models=("leader",), at=(36, 10)),
        regiment("b", 1, at=(32.25, 10), stands=1),
        dice=[6] * 6,
    )
    do(behind, "clash")
    assert rolled(behind, "hit") == [6], "an unengaged Leader gives 1 Support attack"


@pytest.mark.rule("conquest.command-model.leader.barrage")
def test_the_leaders_barrage_is_one_higher() -> None:
    archers = profile(v=2, rules=["barrage 3 20"])
    battle = scene(
        regiment("a", stands=3, of=archers, models=("leader",)), regiment("b", 1, at=(36, 25)), dice=[6] * 10
    )
    do(battle, "volley", "b")
    assert rolled(battle, "hit") == [10]
    veiled = scene(
        regiment("a", stands=2, files=2, of=archers, models=("leader",)),
        regiment("b", 1, at=(36, 25)),
        terrain=[wood("w", 20, 15, 52, 18, "obscuring", "passable")],
        dice=[6] * 4,
    )
    do(veiled, "volley", "b")
    assert rolled(veiled, "hit") == [4], "(3+1)/2 and 3/2 rounded up"


@pytest.mark.rule("conquest.command-model.standard-bearer.unstoppable")
def test_a_standard_bearer_lets_a_failed_charge_be_rolled_again() -> None:
    battle = scene(regiment("a", models=("leader", "standard-bearer")), regiment("b", 1, at=(36, 19)), dice=[2, 4])
    do(battle, "charge", "b", True)
    assert last(battle, "charge-roll")["success"]
    plain = scene(regiment("a", models=("leader",)), regiment("b", 1, at=(36, 19)), dice=[2])
    do(plain, "charge", "b")
    assert not last(plain, "charge-roll")["success"]


@pytest.mark.rule("conquest.command-model.standard-bearer.march")
def test_the_second_march_is_an_inch_longer() -> None:
    battle = scene(regiment("a", models=("leader", "standard-bearer")), regiment("b", 1, at=(36, 45)))
    do(battle, "march")
    refused(battle, forward(6), "conquest.march.distance")
    do(battle, forward(5), "march")
    refused(battle, forward(6.01), "conquest.march.distance")
    do(battle, forward(6))
    assert r(battle, "a").y == 21
    late = scene(
        regiment("a", models=("leader", "standard-bearer")), regiment("b", 1, at=(36, 45)), taken=("take-aim",)
    )
    do(late, "march")
    refused(late, forward(6), "conquest.march.distance")


@pytest.mark.rule("conquest.command-model.standard-bearer.march")
def test_a_free_third_march_has_no_bonus() -> None:
    swift = profile(events=["double-time"])
    battle = scene(
        regiment("a", of=swift, models=("leader", "standard-bearer")),
        regiment("b", 1, at=(36, 45)),
        moment="activation",
    )
    do(battle, "march", forward(5), "march", forward(6))
    assert battle.decision is not None
    assert battle.decision.prompt.key == "ask.free-march"
    refused(battle, forward(6), "conquest.march.distance")
    do(battle, forward(5))
    assert r(battle, "a").y == 26
