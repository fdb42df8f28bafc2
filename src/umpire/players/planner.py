"""One planner for every game: it plays plans out in imagined battles and carries out the one that is worth most.

A game gives it three things: `Game.worth`, the value of a position; optionally `extras["candidates"]`, answers worth
trying that chance would seldom suggest; and optionally `extras["gain"]`, the exact expectation of an answer that dice
will decide, so that nothing need be rolled to know it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Json
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.players.player import Player
from umpire.text import say

VICTORY = 1e6


class Level(msgspec.Struct, frozen=True):
    """How hard a planner thinks. It draws up `plans`, weighs the best `kept` again on `dice` other fortunes, looks at
    most `depth` answers of its own ahead, tries at most `width` answers to a question, and errs with chance `slip`."""

    plans: int
    kept: int
    dice: int
    depth: int
    width: int
    slip: float = 0.0


LEVELS = {
    "easy": Level(plans=4, kept=2, dice=1, depth=4, width=4, slip=0.35),
    "normal": Level(plans=8, kept=3, dice=1, depth=6, width=6),
    "hard": Level(plans=60, kept=6, dice=6, depth=8, width=24),
}


class Step(msgspec.Struct, frozen=True):
    """An answer of a plan, and the question that it is meant for."""

    prompt: str
    about: str
    answer: Json


class Plan(msgspec.Struct):
    """Answers of one's own, one after another, and what they were worth each time they were played out."""

    steps: list[Step]
    values: list[float]
    chancy: bool

    @property
    def value(self) -> float:
        return sum(self.values) / len(self.values)


class OutOfTime(Exception):  # noqa: N818 - a signal, not an error
    """The budget of a decision is used up."""


class Planner(Player):
    """Thinks ahead in battles that hold no more than its side may know.

    `seconds` bounds each decision by the clock; None leaves it to the level, so that equal seeds play equally anywhere.
    """

    name = "planner"

    def __init__(self, level: str = "normal", seed: int = 0, seconds: float | None = 1.0) -> None:
        super().__init__(seed)
        if level not in LEVELS:
            raise UmpireError(f"there is no level {level!r}; there are: {', '.join(LEVELS)}")
        self.level = LEVELS[level]
        self.seed = seed
        self.seconds = seconds
        self.failed = 0
        """Plans that could not be played out: a fault of the game's, which costs no more than the plan."""
        self._deadline: float | None = None
        self._rest: list[Step] = []
        self._rolled = -1
        self._weighed: dict[str, Any] = {}

    # -- choosing ------------------------------------------------------------------------------------------------

    def choose(self, battle: Battle[Any], side: int, decision: Decision) -> Json:
        began = time.perf_counter()
        self._deadline = began + self.seconds if self.seconds is not None else None
        planned = self._planned(battle, side, decision)
        if planned is not None:
            self._rest = self._rest[1:]
            self._weighed = {"answer": planned.answer, "plans": [], "planned": True}
        else:
            plans = [] if decision.kind == "dice" or battle.game.worth is None else self._plans(battle, side)
            plans = [plan for plan in plans if plan.steps and battle.check(plan.steps[0].answer, side)]
            if plans:
                best = self._slip(plans)
                self._rest, self._rolled = best.steps[1:], battle.state.dice.rolled
                answer = best.steps[0].answer
            else:
                self._rest = []
                answer = decision.suggest(self.rng)
            self._weighed = {"answer": answer, "plans": plans, "planned": False}
        self._weighed["seconds"] = time.perf_counter() - began
        self._weighed["names"] = lambda key: battle.game.name(battle.state, key)
        self._weighed["game"] = battle.game.id
        return self._weighed["answer"]

    def _planned(self, battle: Battle[Any], side: int, decision: Decision) -> Step | None:
        """The next answer of the plan that is being carried out, as long as no die has fallen and it still fits."""
        if not self._rest or battle.state.dice.rolled != self._rolled:
            return None
        step = self._rest[0]
        if (step.prompt, step.about) != (decision.prompt.key, decision.about):
            return None
        return step if battle.check(step.answer, side) else None

    def _slip(self, plans: list[Plan]) -> Plan:
        """The best plan, or at the easier levels now and then one that only looked good."""
        if self.level.slip and self.rng.random() < self.level.slip:
            return self.rng.choice(plans)
        return plans[0]

    # -- planning ------------------------------------------------------------------------------------------------

    def _plans(self, battle: Battle[Any], side: int) -> list[Plan]:
        """Plans with their values, the best first."""
        level = self.level
        nonce = self.rng.below(1 << 32)
        plans: list[Plan] = []
        try:
            roots = self._candidates(battle.imagine(side, nonce), side, Rng(nonce), level.width)
            if len(roots) < 2:
                return [Plan([_step(battle, side, root)], [0.0], False) for root in roots]
            for number, root in enumerate(roots):
                self._add(plans, self._play(battle, side, [root], nonce, Rng(nonce + number)))
            # What has one outcome is known now; the rest is tried in other ways, the most promising first.
            plans.sort(key=_value, reverse=True)
            rest = [plan.steps[0].answer for plan in plans if len(plan.steps) > 1][: level.kept]
            for number in range(len(roots), level.plans if rest else 0):
                root = rest[number % len(rest)]
                self._add(plans, self._play(battle, side, [root], nonce, Rng(nonce + number)))
            plans.sort(key=_value, reverse=True)
            for plan in [plan for plan in plans[: level.kept] if plan.chancy]:
                answers = [step.answer for step in plan.steps]
                again = [
                    self._play(battle, side, answers, nonce + 1 + dice, Rng(nonce + 1 + dice))
                    for dice in range(level.dice)
                ]
                # The first fortune is what made the plan look good: only the fresh ones are to be believed.
                plan.values = [value for other in again if other for value in other.values] or plan.values
        except OutOfTime:
            return sorted(plans, key=_value, reverse=True)
        return sorted(plans[: level.kept], key=_value, reverse=True) + plans[level.kept :]

    @staticmethod
    def _add(plans: list[Plan], plan: Plan | None) -> None:
        if plan is not None:
            plans.append(plan)

    def _play(self, battle: Battle[Any], side: int, answers: list[Json], dice: int, rng: Rng) -> Plan | None:
        """A plan that begins with these answers, played out once; None if the game cannot carry it out."""
        self._watch()
        try:
            return self._play_out(battle.imagine(side, dice), side, answers, rng)
        except OutOfTime:
            raise
        except Exception:
            self.failed += 1
            return None

    def _play_out(self, battle: Battle[Any], side: int, answers: list[Json], rng: Rng) -> Plan:
        """These answers first, then what chance suggests, until the first question is asked about something else or the
        other side's turn comes."""
        rolled = battle.state.dice.rolled
        gain = battle.game.extras.get("gain")
        turns = battle.game.extras.get("turns", ())
        steps: list[Step] = []
        given = iter(answers)
        first: Step | None = None
        reacted = False
        for _ in range(4 * self.level.depth):
            ask = battle.decision_for(side) or battle.decision
            if ask is None or len(steps) >= self.level.depth or (first and _anew(first, ask)):
                break
            self._watch()
            if ask.side != side:
                if ask.prompt.key in turns:
                    break
                reacted = True
                battle.answer(ask.suggest(rng), ask.side)
                continue
            answer = next(given, None)
            if answer is None or (steps and not ask.check(answer)):
                given = iter(())
                answer = self._impulse(battle, ask, rng)
            steps.append(Step(ask.prompt.key, ask.about, answer))
            first = steps[0]
            expected = gain(battle, ask, answer) if gain else None
            if expected is not None:
                return Plan(steps, [self._value(battle, side) + expected], reacted)
            battle.answer(answer, side)
        return Plan(steps, [self._value(battle, side)], reacted or battle.state.dice.rolled != rolled)

    @staticmethod
    def _ideas(battle: Battle[Any], ask: Decision, rng: Rng) -> Iterator[Json]:
        """The game's own ideas, as far as they are legal."""
        invent = battle.game.extras.get("candidates")
        return (answer for answer in invent(battle, ask, rng) if ask.check(answer)) if invent else iter(())

    def _candidates(self, battle: Battle[Any], side: int, rng: Rng, n: int) -> list[Json]:
        """Legal answers worth trying: the game's own ideas first, then what the question suggests."""
        ask = battle.decision_for(side)
        if ask is None:
            return []
        ideas = list(islice(self._ideas(battle, ask, rng), n))
        if len(ideas) < n:
            ideas += [answer for answer in ask.suggestions(rng, n - len(ideas)) if answer not in ideas]
        return ideas

    def _impulse(self, battle: Battle[Any], ask: Decision, rng: Rng) -> Json:
        """One answer without much thought: one of the game's best ideas, else whatever is suggested."""
        ideas = list(islice(self._ideas(battle, ask, rng), 1 + rng.below(2)))
        return ideas[-1] if ideas else ask.suggest(rng)

    def _value(self, battle: Battle[Any], side: int) -> float:
        worth = battle.game.worth
        assert worth is not None
        outcome = battle.outcome
        if outcome is not None and outcome.winner is not None:
            return VICTORY if outcome.winner == side else -VICTORY
        return worth(battle.state, side)

    def _watch(self) -> None:
        if self._deadline is not None and time.perf_counter() > self._deadline:
            raise OutOfTime

    # -- explaining ----------------------------------------------------------------------------------------------

    def explain(self) -> dict[str, Any]:
        """What the last decision weighed: every first answer with the best value that a plan made of it, and the same
        as a sentence in both languages."""
        weighed = self._weighed
        if not weighed:
            return {"zh": "还没有作过决定", "en": "nothing has been decided yet", "weighed": []}
        rows = list(self._rows(weighed["plans"]))
        return {
            "answer": weighed["answer"],
            "weighed": [{"answer": answer, "value": value, "plans": count} for answer, value, count in rows],
            "seconds": weighed["seconds"],
            "zh": self._sentence(rows, "zh"),
            "en": self._sentence(rows, "en"),
        }

    @staticmethod
    def _rows(plans: list[Plan]) -> Iterator[tuple[Json, float, int]]:
        """First answers, each with its best value and how many plans began with it, the best first."""
        seen: list[Json] = []
        for plan in plans:
            first = plan.steps[0].answer
            if first not in seen:
                seen.append(first)
                same = [other for other in plans if other.steps[0].answer == first]
                yield first, round(max(other.value for other in same), 3), len(same)

    def _sentence(self, rows: list[tuple[Json, float, int]], lang: str) -> str:
        def label(answer: Json) -> str:
            if isinstance(answer, str):
                return say(answer, lang, self._weighed["game"], self._weighed["names"])
            return json.dumps(answer, ensure_ascii=False)[:60]

        if self._weighed["planned"]:
            return "按先前的计划行事" if lang == "zh" else "carries out the plan made before"
        if not rows:
            return "没有可权衡的选择" if lang == "zh" else "there was nothing to weigh"
        best = ("；" if lang == "zh" else "; ").join(f"{label(answer)} {value:+.2f}" for answer, value, _ in rows[:3])
        tried = sum(count for _, _, count in rows)
        if lang == "zh":
            return f"权衡了 {len(rows)} 种选择、{tried} 个计划：{best}"
        return f"weighed {len(rows)} answers in {tried} plans: {best}"


def _value(plan: Plan) -> float:
    return plan.value


def _anew(first: Step, ask: Decision) -> bool:
    """Does a new turn begin, with the question that began the plan? About the same piece it only goes on."""
    return ask.prompt.key == first.prompt and (not first.about or ask.about != first.about)


def _step(battle: Battle[Any], side: int, answer: Json) -> Step:
    ask = battle.decision_for(side)
    assert ask is not None
    return Step(ask.prompt.key, ask.about, answer)
