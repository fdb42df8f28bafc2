"""Chapter 12: set-up, zones, scoring, secondary objectives, victory."""

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
    regiment,
    scene,
)

from umpire import battle as new_battle
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.games.conquest import content, objectives
from umpire.games.conquest.profiles import Scenario, Zone
from umpire.games.conquest.state import State

NAMES = {"zh": "区", "en": "Zone"}
FAR = (10.0, 44.0)


def field(*zones: Zone, **more: Any) -> Scenario:
    return Scenario("f", NAMES, zones=zones, **more)


HERE = Zone("z", x=36.0, y=10.0, radius=6.0)


def control(*regiments: Any, characters: Any = (), zones: tuple[Zone, ...] = (HERE,), **more: Any) -> int | None:
    """Who controls the zone at the end of the round."""
    battle = scene(*regiments, moment="victory", scenario=field(*zones), characters=characters, **more)
    side: int | None = last(battle, "zone")["side"]
    return side


def troop(key: str, side: int, stands: int, klass: str = "medium", kind: str = "infantry", **more: Any) -> Any:
    at = (36.0, 10.0) if side == 0 else (36.0, 11.0)
    return regiment(key, side, stands=stands, files=min(stands, 4), at=at, of=profile(kind, klass), **more)


# -- zones ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.battle.zone.count")
@pytest.mark.parametrize(("mine", "theirs", "side"), [(5, 4, 0), (4, 4, None), (3, 4, 1)])
def test_the_most_stands_control(mine: int, theirs: int, side: int | None) -> None:
    assert control(troop("a", 0, mine), troop("b", 1, theirs)) == side


@pytest.mark.rule("conquest.battle.zone.count")
def test_an_empty_zone_is_nobodys() -> None:
    assert control(regiment("a", at=(36, 40)), regiment("b", 1, at=FAR)) is None
    assert control(regiment("a", at=(36, 1), stands=1, facing=180.0), regiment("b", 1, at=FAR)) is None


@pytest.mark.rule("conquest.battle.zone.monster")
@pytest.mark.parametrize(("others", "side"), [(2, 0), (3, None)])
def test_a_monster_counts_as_three(others: int, side: int | None) -> None:
    assert control(troop("a", 0, 1, "heavy", "monster"), troop("b", 1, others)) == side


@pytest.mark.rule("conquest.battle.zone.class")
def test_only_medium_and_heavy_stands_seize_and_characters_by_their_own_class() -> None:
    far = regiment("b", 1, at=FAR)
    assert control(troop("a", 0, 4, "light"), far) is None
    assert control(troop("a", 0, 4, "light"), far, characters=[hero("h", regiment="a")]) == 0
    light = hero("f", 1, "b", of=profile("infantry", "light"))
    assert control(troop("a", 0, 2), troop("b", 1, 1, "heavy"), characters=[light]) is None


@pytest.mark.rule("conquest.battle.zone.light")
def test_light_stands_contest() -> None:
    assert control(troop("a", 0, 2, "light"), troop("b", 1, 1)) is None, "the book's example"
    with_medium = (troop("a", 0, 1), regiment("c", 0, stands=3, at=(36, 7.4), of=profile("infantry", "light")))
    assert control(*with_medium, troop("b", 1, 2)) == 0
    assert control(troop("a", 0, 1, "light"), troop("b", 1, 2)) == 1
    strict = {"zone_control": "most-medium-heavy"}
    assert control(*with_medium, troop("b", 1, 2), options=strict) is None


@pytest.mark.rule("conquest.battle.zone.one-per-regiment")
def test_a_regiment_counts_for_one_zone_of_its_owners_choice() -> None:
    zones = (HERE, Zone("y", x=38.0, y=10.0, radius=4.0))
    battle = scene(troop("a", 0, 3), regiment("b", 1, at=FAR), moment="victory", scenario=field(*zones))
    assert battle.decision is not None
    assert battle.decision.prompt.key == "ask.zone"
    assert offered(battle) == ["z", "y"]
    do(battle, "y")
    assert {e.facts["zone"]: e.facts["side"] for e in events(battle, "zone")} == {"z": None, "y": 0}


# -- scoring and victory -------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.battle.scoring", "conquest.battle.trackers")
def test_both_score_in_every_victory_phase() -> None:
    zones = (Zone("z", x=36.0, y=10.0, radius=4.0, worth=(2, 2)), Zone("y", x=36.0, y=40.0, radius=4.0, worth=(1, 3)))
    battle = scene(
        regiment("a"),
        regiment("b", 1, at=(36, 40)),
        moment="victory",
        scenario=field(*zones, kills=1, warlord=2),
        score=(1, 1),
        tallies={"0/destroyed": 2, "1/warlord": 1},
    )
    assert battle.state.score == [1 + 2 + 2, 1 + 3 + 2]
    assert last(battle, "scored")["rounds_left"] == 9
    for side in (0, 1):
        assert list(battle.view(side)["picture"]["score"]) == [5, 6]


@pytest.mark.rule("conquest.battle.victory.points")
@pytest.mark.parametrize(("score", "winner"), [((12, 11), 0), ((3, 4), 1), ((5, 5), None)])
def test_more_points_win_after_the_last_round(score: tuple[int, int], winner: int | None) -> None:
    battle = scene(
        regiment("a", at=(36, 40)),
        regiment("b", 1, at=FAR),
        moment="victory",
        scenario=field(HERE),
        score=score,
        round=10,
    )
    assert battle.outcome is not None
    assert battle.outcome.winner == winner


@pytest.mark.rule("conquest.battle.victory.elimination")
def test_no_regiment_left_loses_whatever_the_points() -> None:
    gone = regiment("b", 1, where="gone")
    battle = scene(regiment("a"), gone, moment="victory", scenario=field(HERE), score=(0, 30))
    assert battle.outcome is not None
    assert battle.outcome.winner == 0
    waiting = scene(
        regiment("a"), gone, regiment("c", 1, where="reserve"), moment="victory", scenario=field(HERE), score=(0, 30)
    )
    assert waiting.outcome is None, "one still in reinforcement"


@pytest.mark.rule("conquest.battle.victory.elimination")
def test_conceding_ends_the_battle() -> None:
    battle = scene(
        regiment("a"),
        regiment("b", 1, at=FAR, stands=1, start=9, lost=8),
        moment="victory",
        scenario=field(HERE),
        score=(0, 30),
    )
    assert battle.decision is not None
    assert battle.decision.prompt.key == "ask.concede"
    do(battle, True)
    assert battle.outcome is not None
    assert battle.outcome.winner == 0


# -- before the battle ---------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.battle.reinforcement-start", "conquest.battle.reinforcement-characters")
def test_nothing_is_deployed_and_characters_wait_with_their_regiments() -> None:
    battle = new_battle("conquest", seed=3)
    while battle.state.phase != "action":
        assert not battle.state.on_table()
        assert battle.decision is not None
        battle.answer(battle.decision.suggest(Rng(1)), battle.decision.side)
    for character in battle.state.characters.values():
        home = battle.state.regiment(character.regiment)
        assert character.id in [s.character for s in home.stands]
    fired(battle, "conquest.battle.reinforcement-start")


@pytest.mark.rule("conquest.battle.card-marker")
def test_an_activated_regiment_is_marked_until_the_round_ends() -> None:
    battle = scene(regiment("a"), regiment("b", 1, at=FAR), stacks=((), ("b",)), moment="activation")
    do(battle, "pass")
    assert r(battle, "a").activated
    do(battle, "pass")
    assert battle.state.round == 2
    assert not r(battle, "a").activated


@pytest.mark.rule("conquest.battle.open-information")
def test_lists_are_open_and_stacks_are_not() -> None:
    battle = scene(
        regiment("a"),
        regiment("b", 1, at=FAR),
        regiment("c", 1, at=(20, 44)),
        stacks=(("a",), ("b", "c")),
        moment="turn",
    )
    seen = battle.view(0)["state"]
    assert "c" in seen["regiments"]
    assert seen["stacks"][1] == ["?", "?"]
    assert battle.view(1)["state"]["stacks"][1] == ["b", "c"]


# -- secondary objectives ------------------------------------------------------------------------------------------


def drawn(**options: str) -> Battle[State]:
    reserve = [regiment("a", where="reserve"), regiment("b", 1, where="reserve")]
    return scene(*reserve, moment="set-up", factions=("brine", "cinder"), options=options, scenario=field(HERE))


@pytest.mark.rule("conquest.battle.secondary.optional")
def test_secondary_objectives_are_off_unless_agreed() -> None:
    assert not events(drawn(), "secondary-hidden")
    assert drawn(secondary_objectives="on").decisions[0].prompt.key == "ask.secondary"
    event = field(HERE, secondary=True)
    reserve = [regiment("a", where="reserve"), regiment("b", 1, where="reserve")]
    for option, asked in (("scenario", True), ("off", False)):
        battle = scene(
            *reserve,
            moment="set-up",
            factions=("brine", "cinder"),
            scenario=event,
            options={"secondary_objectives": option},
        )
        assert (battle.decisions[0].prompt.key == "ask.secondary") is asked


@pytest.mark.rule("conquest.battle.secondary.draw", "conquest.battle.secondary.deck")
def test_five_are_drawn_from_the_own_deck_and_two_discarded() -> None:
    battle = drawn(secondary_objectives="on")
    for side, faction in enumerate(("brine", "cinder")):
        ask = battle.decision_for(side)
        assert ask is not None
        cards = [key.split(":")[1] for key in ask.options]  # type: ignore[attr-defined]
        assert len(cards) == 5
        own = {card.id for card in content.faction(faction).secondary}
        assert set(cards) <= own
        assert not ask.check([next(iter(ask.options))])  # type: ignore[attr-defined]
    for side in (0, 1):
        ask = battle.decision_for(side)
        assert ask is not None
        battle.answer(list(ask.options)[:2], side)  # type: ignore[attr-defined]
    assert [len(hand) for hand in battle.state.hands] == [3, 3]
    decks = [[(c.id, c.copies) for c in f.secondary] for f in content.factions().values()]
    assert len({str(deck) for deck in decks}) == len(decks), "no two decks are the same"


@pytest.mark.rule("conquest.battle.secondary.hidden")
def test_the_opponent_never_sees_the_cards() -> None:
    battle = drawn(secondary_objectives="on")
    for side in (0, 1):
        ask = battle.decision_for(side)
        assert ask is not None
        battle.answer(list(ask.options)[:2], side)  # type: ignore[attr-defined]
    hand = battle.state.hands[0]
    view = battle.view(1)
    assert view["state"]["hands"][0] == ["?"] * 3
    told = [e for e in view["events"] if e["kind"] == "secondary-drawn"]
    assert all(e["facts"]["side"] == 1 for e in told)
    assert battle.view(0)["state"]["hands"][0] == hand


@pytest.mark.rule("conquest.battle.secondary.score")
def test_equal_cards_count_once_a_round() -> None:
    """Two copies of First Blood: one is completed in round 4, the other in round 5."""

    def round_end(rnd: int) -> Battle[State]:
        return scene(
            regiment("a", at=(36, 40)),
            regiment("b", 1, at=FAR),
            moment="victory",
            factions=("brine", "cinder"),
            hands=(("first-blood", "first-blood", "answered-prayer"), ()),
            tallies={"0/destroyed": 2},
            round=rnd,
            scenario=field(HERE, rounds=5),
        )

    four = round_end(4)
    assert four.state.scored[0] == ["first-blood@4"]
    four.state.tallies = {"0/destroyed": 1}
    four.state.round = 5
    objectives.note_secondary(four, 0, [0, 0])
    assert four.state.scored[0] == ["first-blood@4", "first-blood@5"]
    end = round_end(5)
    assert end.outcome is not None
    assert end.state.score[0] == 2, "added when the cards are shown"


@pytest.mark.rule("conquest.battle.secondary.score")
@pytest.mark.parametrize(
    ("when", "tallies", "held", "y", "met"),
    [
        ("zones", {}, [2, 0], 10, True),
        ("zones", {}, [1, 0], 10, False),
        ("deny", {}, [0, 0], 10, True),
        ("deny", {}, [0, 1], 10, False),
        ("far-half", {}, [0, 0], 40, True),
        ("far-half", {}, [0, 0], 10, False),
        ("cast", {"0/cast": 1}, [0, 0], 10, True),
        ("duel", {"1/duel": 1}, [0, 0], 10, False),
    ],
)
def test_conditions(when: Any, tallies: dict[str, int], held: list[int], y: float, met: bool) -> None:
    battle = scene(regiment("a", at=(36, y)), regiment("b", 1, at=FAR), tallies=tallies)
    card = content.CardEntry("c", NAMES, NAMES, when, 1, 2 if when == "zones" else 1)
    assert objectives.fulfilled(battle.state, 0, card, held) is met


def test_random_lists_are_told_at_set_up() -> None:
    battle = new_battle("conquest", seed=5)
    assert battle.decision is not None
    while not events(battle, "round"):
        battle.answer(battle.decision.suggest(Rng(2)), battle.decision.side)
    assert [e.facts["side"] for e in events(battle, "army")] == [0, 1]
    assert last(battle, "army")["points"] <= 1500
