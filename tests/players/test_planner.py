"""The planner: always an answer, in its time, knowing no more than its side may know."""

from __future__ import annotations

import dataclasses
import doctest
import re
from typing import Any

import msgspec
import pytest

import tiny
import umpire.players
from umpire.engine import game as games
from umpire.engine.battle import Battle
from umpire.engine.beginning import battle
from umpire.engine.copying import copy
from umpire.engine.decisions import Choose, Decision
from umpire.engine.events import Event
from umpire.engine.game import Hints
from umpire.engine.marks import Mark
from umpire.engine.rng import Rng, draw
from umpire.engine.view import redacted
from umpire.errors import UmpireError
from umpire.players import Player, Random, play, player
from umpire.players.planner import LEVELS, Planner

EVEN = [{"pawns": 3}, {"pawns": 3}]


def fight(seed: int = 1, **more: Any) -> Battle[tiny.State]:
    return battle("tiny", sides=EVEN, seed=seed, **more)


def test_the_example_of_a_player_holds() -> None:
    assert not doctest.testmod(umpire.players).failed

    class Hasty(Player):
        def choose(self, battle: Battle[Any], side: int, decision: Decision) -> Any:
            return decision.suggestions(self.rng, 1)[0]

    assert play(fight(), [Hasty(), Random(seed=1)]).outcome is not None


def test_equal_seeds_play_equally_and_without_a_clock() -> None:
    records = [play(fight(), [Planner(seed=1, seconds=None), Planner("easy", 2, None)]).record for _ in range(2)]
    assert records[0] == records[1]


def test_no_plan_fails() -> None:
    planners = [Planner(seed=side, seconds=None) for side in (0, 1)]
    play(fight(), planners)
    assert [planner.failed for planner in planners] == [0, 0]


MOST_DICE = 5
"""Other luck that begins with the same dice is found by trying; for more of them that takes too long."""


def twin(battle: Battle[Any], side: int, rng: Rng) -> Battle[Any] | None:
    """The same battle for all that a side may know, with other dice to come, another order of what is hidden from it
    and another secret answer of the other side; None where the open step has thrown many dice or shuffled cards."""
    mark = battle._marks[-1]
    dice = thrown(battle.events[mark.events :])
    if len(dice) > MOST_DICE or len(dice) != battle.state.dice.rolled - mark.state.dice.rolled:
        return None
    other = battle.fork()
    state = copy(mark.state)
    state.dice.state = other_luck(state.dice.state, dice, rng)
    hidden_anew(battle, state, side, rng)
    other._marks[-1] = Mark(state, mark.answers, mark.events)
    other._known = []  # what was found in the other data does not hold in these
    other._restore(len(other.answers))
    theirs = other.decision_for(1 - side)
    if theirs is not None:
        other.answer(theirs.suggest(rng), 1 - side)
    return other


def thrown(events: list[Event]) -> list[tuple[int, int]]:
    """The dice that were rolled, and not rolled again, in these events: sides and face."""
    return [
        (event.roll.sides, face)
        for event in events
        if event.kind == "roll" and event.roll is not None
        for face in event.roll.faces
    ]


def other_luck(state: int, dice: list[tuple[int, int]], rng: Rng) -> int:
    """Another state of the dice from which the same ones fall first: those are no secret any more."""
    while True:
        found = at = state ^ rng.below(1 << 32) ^ 0xABCDEF
        for sides, face in dice:
            at, shown = draw(at, sides)
            if shown != face:
                break
        else:
            return found


def hidden_anew(battle: Battle[Any], state: Any, side: int, rng: Rng) -> None:
    """What is hidden from a side, otherwise: but what the open step has brought to light stays. A card that was drawn
    from the other's stack lies open on the table, and only those under it change places."""
    piles = [name for name in ("stacks", "hands") if hasattr(state, name)]
    if not piles and battle.state.dice.shown != state.dice.shown:
        return
    shown = []
    for name in piles:
        held, under = getattr(state, name), len(getattr(battle.state, name)[1 - side])
        count = max(0, len(held[1 - side]) - under)
        shown.append(held[1 - side][:count])
        held[1 - side] = held[1 - side][count:]
    battle.game.scramble(state, side, rng)
    for name, cards in zip(piles, shown, strict=True):
        held = getattr(state, name)
        held[1 - side] = cards + held[1 - side]


def _told(ask: Decision | None) -> Any:
    return ask and (ask.prompt, ask.about, msgspec.json.encode(ask.wire()))


@pytest.mark.parametrize(
    ("game", "answers", "secrets"), [("tiny", 60, 0), ("conquest", 150, 60), ("warcry", 60, 0), ("aos", 40, 0)]
)
def test_what_is_hidden_and_the_dice_to_come_change_no_choice(game: str, answers: int, secrets: int) -> None:
    """Wherever a battle stands: other dice, other secrets of the other side, the same question and the same choice."""
    plain = battle(game, seed=7)
    plain.fork()  # from now on every step is marked, and not only now and then
    rng = Rng(7)
    compared = otherwise = 0
    while plain.decision is not None and len(plain.answers) < answers:
        ask = plain.decision
        other = twin(plain, ask.side, rng)
        if other is not None:
            mine = other.decision_for(ask.side)
            assert mine is not None
            assert _told(mine) == _told(ask)
            assert other.digest != plain.digest
            choices = [
                Planner("easy", seed=3, seconds=None).choose(one, ask.side, question)
                for one, question in ((plain, ask), (other, mine))
            ]
            assert choices[0] == choices[1]
            compared += 1
            otherwise += getattr(other.state, "stacks", None) != getattr(plain.state, "stacks", None)
        plain.answer(ask.suggest(rng), ask.side)
    assert compared >= 0.8 * answers
    assert otherwise >= secrets


def test_age_of_sigmar_hides_nothing_but_the_dice_to_come() -> None:
    """Lists, reserves, tactics and command points are open to both sides, so there is nothing to scramble."""
    plain = battle("aos", seed=7)
    rng = Rng(7)
    while plain.decision is not None and len(plain.answers) < 200:
        assert not any(plain.game.scramble(copy(plain.state), side, rng) for side in (0, 1))
        assert redacted(plain, 0) == redacted(plain, 1) == redacted(plain, None)
        plain.answer(plain.decision.suggest(rng))


class Hands:
    """A clock that only goes on when something is done."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def timed(monkeypatch: pytest.MonkeyPatch, hands: Hands, **costs: float) -> None:
    """The tiny game, whose worth, ideas and forks take so many seconds each."""
    worth, imagine = tiny.GAME.worth, Battle.imagine
    assert worth is not None

    def slow_worth(state: Any, side: int) -> float:
        hands.time += costs.get("worth", 0.0)
        return worth(state, side)

    def slow_ideas(battle: Battle[Any], ask: Decision, rng: Rng) -> Any:
        for idea in ask.suggestions(rng, 3):
            hands.time += costs.get("idea", 0.0)
            yield idea

    def slow_imagine(battle: Battle[Any], side: int, seed: int) -> Battle[Any]:
        hands.time += costs.get("imagine", 0.0)
        return imagine(battle, side, seed)

    slow = dataclasses.replace(tiny.GAME, worth=slow_worth, hints=Hints(candidates=slow_ideas))
    monkeypatch.setitem(games._GAMES, "tiny", slow)
    monkeypatch.setattr(Battle, "imagine", slow_imagine)


@pytest.mark.parametrize("slow", ["worth", "idea", "imagine"])
@pytest.mark.parametrize("cost", [0.01, 0.3, 0.7])
def test_no_step_is_begun_that_would_not_end_in_time(slow: str, cost: float, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = Hands()
    timed(monkeypatch, hands, **{slow: cost})
    planner = Planner("hard", seconds=1.0)
    planner.clock.now = hands
    fought = fight()
    for number in range(12):
        ask = fought.decision
        assert ask is not None
        began = hands.time
        answer = planner.choose(fought, ask.side, ask)
        assert fought.check(answer, ask.side)
        # What a step costs is not known before the first; from then on the budget is never exceeded.
        assert hands.time - began <= (1.0 if number else 1.0 + cost) + 1e-9
        fought.answer(answer, ask.side)


def test_a_step_that_takes_longer_than_the_budget_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = Hands()
    timed(monkeypatch, hands, imagine=5.0)
    planner = Planner("normal", seconds=1.0)
    planner.clock.now = hands
    fought = fight()
    spent = []
    for _ in range(6):
        ask = fought.decision
        assert ask is not None
        began = hands.time
        fought.answer(planner.choose(fought, ask.side, ask), ask.side)
        spent.append(hands.time - began)
    assert spent[0] == 5.0
    assert not any(spent[1:])


def test_what_was_thought_of_in_time_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of time after some plans: the best of them is answered, not the first legal answer."""
    hands = Hands()
    timed(monkeypatch, hands, worth=0.2)
    one = duel(1)
    one.answer("a")
    ask = one.decision
    assert ask is not None
    planner = Planner("hard", seconds=1.0)
    planner.clock.now = hands
    answer = planner.choose(one, 0, ask)
    weighed = planner.explain()["weighed"]
    assert 2 <= sum(row["plans"] for row in weighed) <= 5
    assert answer == weighed[0]["answer"]
    assert weighed[0]["value"] == max(row["value"] for row in weighed)


def test_without_any_time_there_is_an_answer() -> None:
    fought = fight()
    ask = fought.decision
    assert ask is not None
    planner = Planner("hard", seconds=0.0)
    assert fought.check(planner.choose(fought, 0, ask), 0)
    assert not planner.explain()["weighed"]


def test_a_game_without_a_worth_is_played_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games._GAMES, "tiny", dataclasses.replace(tiny.GAME, worth=None))
    assert play(fight(), [Planner(seconds=None), Random()]).outcome is not None


def test_a_game_whose_worth_fails_is_played_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(state: Any, side: int) -> float:
        raise ZeroDivisionError

    monkeypatch.setitem(games._GAMES, "tiny", dataclasses.replace(tiny.GAME, worth=broken))
    planner = Planner(seconds=None)
    assert play(fight(), [planner, Random()]).outcome is not None
    assert planner.failed > 0


def duel(wounds: int) -> Battle[tiny.State]:
    pawns = [
        {"id": "a", "side": 0, "x": 5.0, "y": 5.0, "wounds": 3},
        {"id": "b", "side": 1, "x": 6.0, "y": 5.0, "wounds": 3},
        {"id": "c", "side": 1, "x": 5.0, "y": 6.0, "wounds": wounds},
    ]
    return umpire.scene({"game": "tiny", "position": {"pawns": pawns}, "seed": 4})


def test_candidates_and_exact_gains_of_the_game_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    spot = {"path": [{"x": 5.5, "y": 4.5}]}

    def candidates(battle: Battle[Any], ask: Decision, rng: Rng) -> list[Any]:
        return [spot, {"path": [{"x": 99.0, "y": 99.0}]}] if ask.kind == "move" else []

    def gain(battle: Battle[Any], ask: Decision, answer: Any) -> float | None:
        if ask.kind == "move":
            return 9.0 if answer == spot else 0.0
        return {"b": 1.0, "c": 2.0}.get(answer) if isinstance(ask, Choose) and ask.prompt.key == "ask.target" else None

    hints = Hints(candidates=candidates, gain=gain)
    monkeypatch.setitem(games._GAMES, "tiny", dataclasses.replace(tiny.GAME, hints=hints))
    one = duel(3)
    one.answer("a")
    planner = Planner(seconds=None)
    ask = one.decision
    assert ask is not None
    assert planner.choose(one, 0, ask) == spot
    one.answer(spot)
    ask = one.decision
    assert ask is not None
    assert ask.prompt.key == "ask.target"
    assert planner.choose(one, 0, ask) == "c"


def test_it_says_what_it_weighed() -> None:
    planner = Planner(seconds=None)
    assert planner.explain()["en"] == "nothing has been decided yet"
    one = duel(1)
    one.answer("a")
    ask = one.decision
    assert ask is not None
    answer = planner.choose(one, 0, ask)
    said = planner.explain()
    assert said["answer"] == answer
    assert said["weighed"][0]["answer"] == answer
    values = [row["value"] for row in said["weighed"]]
    assert len(values) > 1
    assert not re.search(r"[+-]\d", said["en"])  # no number of the search
    assert said["en"] != said["zh"]


def test_it_says_what_a_value_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def worth(state: tiny.State, side: int) -> float:
        assert tiny.GAME.worth is not None
        return 100 * tiny.GAME.worth(state, side)

    hints = Hints(terms=lambda state, side: {"score": 0.0, "army": worth(state, side)})
    monkeypatch.setitem(games._GAMES, "tiny", dataclasses.replace(tiny.GAME, worth=worth, hints=hints))
    one = duel(1)
    one.answer("a")
    ask = one.decision
    assert ask is not None
    planner = Planner(seconds=None)
    now = worth(one.state, 0)
    planner.choose(one, 0, ask)
    said = planner.explain()
    for row in said["weighed"]:
        assert row["terms"]["score"] == 0.0
        assert row["terms"]["army"] == pytest.approx(row["value"] - now, abs=0.06) or row["plans"] > 1
    assert "兵力" in said["zh"]
    assert "wears the enemy down" in said["en"] or "costs strength" in said["en"]


def test_what_needs_no_thought_is_answered_by_the_first_idea(monkeypatch: pytest.MonkeyPatch) -> None:
    spots = [{"path": [{"x": x, "y": 4.5}]} for x in (5.5, 5.2, 4.8)]

    def candidates(battle: Battle[Any], ask: Decision, rng: Rng) -> list[Any]:
        return spots if ask.kind == "move" else []

    for rote in (True, False):
        prompts = frozenset({"ask.move"} if rote else ())
        hints = Hints(candidates=candidates, rote=frozenset(prompts))
        monkeypatch.setitem(games._GAMES, "tiny", dataclasses.replace(tiny.GAME, hints=hints))
        one = duel(3)
        one.answer("a")
        ask = one.decision
        assert ask is not None
        assert ask.prompt.key == "ask.move"
        planner = Planner(seconds=None)
        answer = planner.choose(one, 0, ask)
        assert (len(planner.explain()["weighed"]) == 1) == rote
        assert answer == spots[0] or not rote


def test_the_planner_beats_chance() -> None:
    won = 0
    for seed in range(6):
        for side in (0, 1):
            seats: list[Player] = [Random(seed), Random(seed)]
            seats[side] = Planner(seed=seed, seconds=None)
            outcome = play(fight(seed, options={"rounds": 8}), seats).outcome
            assert outcome is not None
            won += outcome.winner == side
    assert won >= 10


@pytest.mark.parametrize("name", ["random", "planner", *(f"planner:{level}" for level in LEVELS)])
def test_players_are_made_by_name(name: str) -> None:
    assert name.startswith(player(name, 1).name)


@pytest.mark.parametrize("name", ["planner:genius", "", "random:x", "bot:"])
def test_an_unknown_player_is_told(name: str) -> None:
    with pytest.raises(UmpireError, match="known players: random, planner"):
        player(name)
