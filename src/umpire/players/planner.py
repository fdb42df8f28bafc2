"""One planner for every game: it plays plans out in imagined battles and carries out the one that is worth most.

A game gives it `Game.worth`, the value of a position, and may give it more in `Game.hints`: `candidates`, answers to
try that chance would seldom suggest; `gain`, the exact expectation of an answer that dice will decide, so that
nothing need be rolled to know it; `rote`, prompts that need no thought; `terms`, what a position's worth is made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Json
from umpire.engine.rng import Rng
from umpire.engine.state import State
from umpire.errors import unknown
from umpire.players.clock import Clock, OutOfTime
from umpire.players.explaining import WORDS, Weighed
from umpire.players.plans import Fork, Plan, Step
from umpire.players.player import Player
from umpire.space.warm import warm

__all__ = ["LEVELS", "OutOfTime", "Planner"]

VICTORY = 1e6


class Level(msgspec.Struct, frozen=True):
    """How hard a planner thinks. It draws up `plans`, weighs the best `kept` again on `dice` other fortunes, looks at
    most `depth` answers of its own ahead, tries at most `width` first answers and `ways` of going on from each, and
    errs with chance `slip`."""

    plans: int
    kept: int
    dice: int
    depth: int
    width: int
    ways: int
    slip: float = 0.0


LEVELS = {
    "easy": Level(plans=4, kept=2, dice=1, depth=4, width=4, ways=1, slip=0.35),
    "normal": Level(plans=9, kept=3, dice=1, depth=6, width=6, ways=3),
    "hard": Level(plans=60, kept=6, dice=6, depth=8, width=24, ways=5),
}


class Planner(Player):
    """Thinks ahead in battles that hold no more than its side may know.

    `seconds` bounds each decision by the clock; None leaves it to the level, so that equal seeds play equally anywhere.
    """

    name = "planner"

    def __init__(self, level: str = "normal", seed: int = 0, seconds: float | None = 1.0) -> None:
        super().__init__(seed)
        if level not in LEVELS:
            raise unknown("level", level, known=LEVELS)
        self.level = LEVELS[level]
        self.seed = seed
        self.seconds = seconds
        self.clock = Clock()
        self.failed = 0
        """Plans that could not be played out: a fault of the game's, which costs no more than the plan."""
        self._spare: list[Json] = []
        self._rest: list[Step] = []
        self._rolled = -1
        self._now: State | None = None
        self._weighed: Weighed | None = None
        if seconds is not None:
            warm()  # what has to be compiled is compiled before anybody waits for an answer

    # -- choosing ------------------------------------------------------------------------------------------------

    def choose(self, battle: Battle[Any], side: int, decision: Decision) -> Json:
        self.clock.begin(self.seconds)
        planned = self._planned(battle, side, decision)
        plans: list[Plan] = []
        if planned is not None:
            self._rest = self._rest[1:]
            answer = planned.answer
        else:
            # Whatever becomes of the plans, there is something to answer.
            self._spare = [decision.suggest(self.rng)] if self.clock.bound else []
            plans = self._plans(battle, side, decision)
            best = self._pick(battle, side, plans)
            if best is not None:
                self._rest, self._rolled = best.steps[1:], battle.state.dice.rolled
                answer = best.steps[0].answer
            else:
                self._rest = []
                answer = self._spare[-1] if self._spare else decision.suggest(self.rng)
        self._weighed = Weighed(battle, side, self._now, answer, plans, planned is not None, self.clock.passed)
        return answer

    def _planned(self, battle: Battle[Any], side: int, decision: Decision) -> Step | None:
        """The next answer of the plan that is being carried out, as long as no die has fallen and it still fits."""
        if not self._rest or battle.state.dice.rolled != self._rolled:
            return None
        step = self._rest[0]
        if (step.prompt, step.about) != (decision.prompt.key, decision.about):
            return None
        return step if battle.check(step.answer, side) else None

    def _pick(self, battle: Battle[Any], side: int, plans: list[Plan]) -> Plan | None:
        """The best plan, or at the easier levels now and then one that only looked good."""
        if plans and self.level.slip and self.rng.random() < self.level.slip:
            plans = [self.rng.choice(plans), *plans]
        return next((plan for plan in plans if battle.check(plan.steps[0].answer, side)), None)

    # -- planning ------------------------------------------------------------------------------------------------

    def _plans(self, battle: Battle[Any], side: int, decision: Decision) -> list[Plan]:
        """Plans with their values, the best first; as many as there was time for."""
        if decision.kind == "dice" or battle.game.worth is None:
            return []
        plans: list[Plan] = []
        try:
            self._draw_up(plans, battle, side, decision)
        except OutOfTime:
            plans.sort(key=_value, reverse=True)
        except Exception:
            self.failed += 1
        return plans

    def _draw_up(self, plans: list[Plan], battle: Battle[Any], side: int, decision: Decision) -> None:
        level = self.level
        nonce = self.rng.below(1 << 32)
        rote = decision.prompt.key in battle.game.hints.rote
        roots = self._candidates(battle, side, nonce, 1 if rote else level.width)
        if len(roots) < 2:
            plans += [Plan([Step(decision.prompt.key, decision.about, root)], [0.0]) for root in roots]
            return
        trunk = Fork()

        def play(root: Json, number: int) -> None:
            plan = self._play(battle, side, [root], nonce, Rng(nonce + number), trunk)
            if plan is not None and not any(plan.steps == other.steps and not other.chancy for other in plans):
                plans.append(plan)

        for number, root in enumerate(roots):
            play(root, number)
        # What has one outcome is known now; the rest is tried in other ways, the most promising first.
        plans.sort(key=_value, reverse=True)
        rest = [plan.steps[0].answer for plan in plans if len(plan.steps) > 1][: level.kept]
        for number in range(len(roots), level.plans if rest else 0):
            play(rest[number % len(rest)], number)
        plans.sort(key=_value, reverse=True)
        for plan in [plan for plan in plans[: level.kept] if plan.chancy]:
            self._weigh_again(plan, battle, side, nonce)
        plans[: level.kept] = sorted(plans[: level.kept], key=_value, reverse=True)

    def _weigh_again(self, plan: Plan, battle: Battle[Any], side: int, nonce: int) -> None:
        """The first fortune is what made the plan look good: only fresh ones are to be believed."""
        answers = [step.answer for step in plan.steps]
        fresh: list[float] = []
        for dice in range(nonce + 1, nonce + 1 + self.level.dice):
            again = self._play(battle, side, answers, dice, Rng(dice), Fork())
            if again is not None:
                fresh += again.values
                plan.values, plan.end, plan.gain = fresh, again.end, again.gain

    def _play(
        self, battle: Battle[Any], side: int, answers: list[Json], dice: int, rng: Rng, trunk: Fork
    ) -> Plan | None:
        """A plan that begins with these answers, played out once; None if the game cannot carry it out."""
        try:
            return self.clock.spend("plan", lambda: self._play_out(battle, side, answers, dice, rng, trunk))
        except OutOfTime:
            raise
        except Exception:
            self.failed += 1
            return None

    def _play_out(self, real: Battle[Any], side: int, answers: list[Json], dice: int, rng: Rng, trunk: Fork) -> Plan:
        """These answers first, then what the game or chance suggests, until the first question is asked about something
        else or the other side's turn comes."""
        spend = self.clock.spend
        battle = spend("imagine", lambda: real.imagine(side, dice))
        rolled = battle.state.dice.rolled
        gain = battle.game.hints.gain
        turns = battle.game.hints.turns
        steps: list[Step] = []
        given = iter(answers)
        fork = trunk
        reacted = False
        for _ in range(4 * self.level.depth):
            ask = battle.decision_for(side) or battle.decision
            if ask is None or len(steps) >= self.level.depth or (steps and _anew(steps[0], ask)):
                break
            prompt = ask.prompt.key
            if ask.side != side:
                if prompt in turns:
                    break
                reacted = True
                spend(prompt, lambda ask=ask: battle.answer(ask.suggest(rng), ask.side))  # type: ignore[misc]
                continue
            answer = next(given, None)
            if answer is None or (steps and not ask.legal(answer)):
                given = iter(())
                answer = self._impulse(battle, ask, rng, fork.visits)
            fork.visits += 1
            fork = fork.after(answer)
            steps.append(Step(prompt, ask.about, answer))
            expected = gain(battle, ask, answer) if gain else None
            if expected is not None:
                value = self._value(battle, side) + expected
                return Plan(steps, [value], reacted, battle.state, expected)
            spend(prompt, lambda answer=answer: battle.answer(answer, side))  # type: ignore[misc]
        chancy = reacted or battle.state.dice.rolled != rolled
        return Plan(steps, [self._value(battle, side)], chancy, battle.state)

    def _ideas(self, battle: Battle[Any], ask: Decision, rng: Rng) -> Iterator[Json]:
        """The game's own ideas, as far as they are legal."""
        invent = battle.game.hints.candidates
        if invent is None:
            return
        ideas = iter(invent(battle, ask, rng))
        kind = f"idea/{ask.prompt.key}"
        while (idea := self.clock.spend(kind, lambda: next(ideas, None))) is not None:
            if ask.legal(idea):
                yield idea

    def _candidates(self, real: Battle[Any], side: int, nonce: int, n: int) -> list[Json]:
        """Legal answers worth trying: the game's own ideas first, then what the question suggests."""
        spend, rng = self.clock.spend, Rng(nonce)
        battle = spend("imagine", lambda: real.imagine(side, nonce))
        self._now = battle.state
        ask = battle.decision_for(side)
        if ask is None:
            return []
        found: list[Json] = []
        try:
            for idea in islice(self._ideas(battle, ask, rng), n):
                found.append(idea)
                self._spare = found[:1]
            if len(found) < n:
                more = spend(f"suggest/{ask.prompt.key}", lambda: ask.suggestions(rng, n - len(found)))
                found += [answer for answer in more if answer not in found]
        except OutOfTime:
            pass  # of these the best can still be found out
        return found

    def _impulse(self, battle: Battle[Any], ask: Decision, rng: Rng, before: int) -> Json:
        """One answer without much thought: the best of the game's ideas that has not been tried before at this point,
        else whatever is suggested."""
        ideas = list(islice(self._ideas(battle, ask, rng), 1 + before % self.level.ways))
        return ideas[-1] if ideas else self.clock.spend(f"suggest/{ask.prompt.key}", lambda: ask.suggest(rng))

    def _value(self, battle: Battle[Any], side: int) -> float:
        worth = battle.game.worth
        assert worth is not None
        outcome = battle.outcome
        if outcome is not None and outcome.winner is not None:
            return VICTORY if outcome.winner == side else -VICTORY
        return self.clock.spend("worth", lambda: worth(battle.state, side))

    # -- explaining ----------------------------------------------------------------------------------------------

    def explain(self) -> dict[str, Any]:
        """What the last decision weighed: every first answer with the best value that a plan made of it, and the same
        as a sentence in both languages."""
        return self._weighed.told() if self._weighed else {**WORDS["nothing yet"], "weighed": []}


def _value(plan: Plan) -> float:
    return plan.value


def _anew(first: Step, ask: Decision) -> bool:
    """Does a new turn begin, with the question that began the plan? About the same piece it only goes on."""
    return ask.prompt.key == first.prompt and (not first.about or ask.about != first.about)
