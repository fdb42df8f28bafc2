"""The proof of the odds: attacks, charges, spells and tests drawn out of random battles, each fought many times.

    python bench/proof.py --runs 200000 --jobs 2 --journal proof.jsonl

For each case `battle.odds(answer)` states the chances; then the same answer is given in so many forks of the same
battle, each with dice of its own, and what came of it is counted from events and data. A chi-square test says whether
the counts agree; over the whole sample the p-values are corrected by Holm's method. Cases that the journal holds
already are not fought again.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.beginning import battle
from umpire.engine.decisions import Choose, Confirm, Decision, Json
from umpire.engine.dice import DiceState
from umpire.engine.events import Event
from umpire.engine.marks import UNMARKED, Answer, Mark
from umpire.engine.rng import Rng, seed_of
from umpire.engine.steps import _STEPS
from umpire.odds import Agreement, Dist, agree

sys.path.append(str(Path(__file__).parent))
from _pieces import PIECES
from _readers import READ, Read

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")
CASES = {"warcry": 16, "aos": 12, "conquest": 16, "wh40k": 12, "t9a": 12}
"""As many as are fought 200,000 times each within an hour on two cores."""

SKIPPED = 3
"""Cases are looked for at one question of so many, so that several battles are looked at."""

TRIED = 100
PATIENCE = 900.0
"""Processor seconds for one case at most: what a first few runs show to be slower, as ways round a crowd are, is run
less often."""

ATTACK = ("Attack", "Clash", "Duel", "Volley", "Charge", "Spell", "Shooting", "Fighting")
ATTACKS = 3
"""Of these kinds so many cases for one of the simpler kinds."""

RUNS = 200_000
CHUNK = 10_000
SIGNIFICANT = 0.01
"""The chance that a true sample is found wanting, all cases together."""


# -- where a run begins and ends ---------------------------------------------------------------------------------

HALT: dict[str, tuple[str, ...]] = {
    "aos": ("aos.rounds.phase_abilities", "aos.combat.next_fight", "aos.rounds.end_phase"),
    "warcry": ("warcry.combat.act", "warcry.combat.turn", "warcry.combat.end_activation", "warcry.rounds.wild_gain"),
    "conquest": (
        "conquest.action_phase.choose_action",
        "conquest.action_phase.after_action",
        "conquest.action_phase.finish_activation",
        "conquest.action_phase.turn",
        "conquest.withdraw.withdraw_march",
        "conquest.reform.combat_reform_move",
        "conquest.charge.charge_done",
    ),
    "wh40k": (
        "wh40k.shooting.shooting_phase",
        "wh40k.charging.charge",
        "wh40k.melee.consolidate",
        "wh40k.psychic.manifest",
        "wh40k.morale.morale_tests",
    ),
    "t9a": (
        "t9a.magic.dispel",
        "t9a.magic.spells",
        "t9a.magic_effects.take_effect",
        "t9a.shooting.phase",
        "t9a.breaking.unlock",
        "t9a.melee_phase.next_combat",
        "t9a.charge_moves.failed_charge",
        "t9a.rallying.phase",
    ),
}
"""Steps that come after the sequence that is looked at: there a run ends."""

THROUGH: dict[tuple[str, str], tuple[str, ...]] = {
    ("t9a", "ask.reaction"): ("t9a.breaking.unlock", "t9a.charge_moves.failed_charge"),
}
"""Where what is told of an answer comes in a later phase: there alone a run ends."""

FOLLOW = {
    "aos": ("ask.react", "ask.slain", "ask.damage-order", "ask.target-order", "ask.target", "ask.pile-in",
            "ask.pile-in-target", "ask.charge", "ask.chant", "ask.pick", "ask.move", "ask.return", "ask.rally"),
    "warcry": ("ask.react", "ask.reroll", "ask.order", "ask.pay", "ask.pick", "ask.set-up", "ask.drop", "ask.fall"),
    "conquest": ("ask.reroll", "ask.casualty-end", "ask.contact", "ask.barrage", "ask.volley", "ask.spell-target",
                 "ask.blessed-hit", "ask.blessed-defense", "ask.press", "ask.lethal-demise", "ask.restore-stand",
                 "ask.clash-target", "ask.support", "ask.clash-order", "ask.duel", "ask.duel-answer", "ask.last-clash",
                 "ask.close-up"),
    "wh40k": ("ask.declare", "ask.charge-targets", "ask.charge-move", "ask.pile-in", "ask.strike", "ask.lost",
              "ask.lost-and-hurt", "ask.allocate", "ask.command-reroll", "ask.overwatch", "ask.casting-model",
              "ask.power-target", "ask.deny", "ask.insane-bravery", "ask.last-model", "ask.defensible",
              "ask.disembark", "ask.emergency"),
    "t9a": ("ask.weapon", "ask.shoot-pool", "ask.split-hits", "ask.melee-weapon", "ask.make-way", "ask.allocate",
            "ask.crush", "ask.multiple-wounds", "ask.special-target", "ask.feign", "ask.break-order", "ask.crumble",
            "ask.flee-direction",
            "ask.pursue", "ask.reaction", "ask.charge", "ask.charge-order", "ask.facing", "ask.align",
            "ask.stand-and-shoot"),
}  # fmt: skip
"""Questions that belong to the sequence; any other ends the run."""


AFTER_DICE = ("ask.deny", "ask.pursue", "ask.stand-and-shoot")
"""Questions that are asked when dice have fallen in the same step, which then fall so each time; what is counted must
not depend on them."""


def follow_up(game: Any, ask: Decision, state: Any) -> Json:
    """As the odds take it: nobody reacts, what may be re-rolled is, the way to the dice is theirs."""
    if ask.prompt.key in ("ask.allocate", "ask.lost", "ask.lost-and-hurt") and hasattr(game, "allocated"):
        return game.allocated(state, ask)
    if ask.prompt.key == "ask.charge" and ask.kind == "move":
        return ask.nearest({"stay": True})  # type: ignore[attr-defined]
    if ask.prompt.key == "ask.chant":
        return "answer"
    if ask.prompt.key in ("ask.move", "ask.charge-move"):
        return ask.default  # type: ignore[attr-defined]
    if isinstance(ask, Confirm):
        return ask.prompt.key == "ask.reroll"
    replied = game.reply(ask) if hasattr(game, "reply") else None
    if replied is not None:
        return replied
    return next(iter(ask.options)) if isinstance(ask, Choose) else ask.suggest()


# -- running -----------------------------------------------------------------------------------------------------


class Start:
    """The last moment before the dice of an answer fall, ready to be gone on from many times."""

    def __init__(self, fought: Battle[Any], answer: Json) -> None:
        ask = fought.decision
        assert ask is not None
        self.game = fought.game
        self.setup = fought.setup
        self.odds_module = sys.modules[f"umpire.games.{fought.game.id}.odds"]
        self.before = fought.state
        rolled = fought.state.dice.rolled
        probe = fought.fork()
        probe._every = 1  # it is to be marked at every step
        probe.answer(answer, ask.side)
        while (asked := probe.decision) is not None and probe.state.dice.rolled == rolled:
            if asked.prompt.key not in FOLLOW[fought.game.id]:
                break
            probe.answer(follow_up(self.odds_module, asked, probe.state), asked.side)
        mark = next((mark for mark in reversed(probe._marks) if mark.state.dice.rolled == rolled), None)
        self.fallen: list[int] = []
        """Dice that had fallen in the step that asks, and fall so again each time."""
        self.given: list[Answer]
        if mark is None and ask.prompt.key not in AFTER_DICE:
            raise ValueError("dice have fallen in the step that asks: it cannot be run again with others")
        if mark is None:
            self.state, again, self.fallen = fought.step_so_far()
            self.given = [*again, probe.answers[len(fought.answers)]]
        else:
            self.state = mark.state
            self.given = [a for a in probe.answers[mark.answers :] if a.rolled == rolled]
        self.copy = fought._copy
        self.halt = dict.fromkeys(THROUGH.get((self.game.id, ask.prompt.key), HALT[self.game.id]), halted)
        with mock.patch.dict(_STEPS, self.halt):
            if not self.given and any(event.roll for event in self.run(0)[1]):
                return
        self.halt = {}  # such a step is on the way to the dice

    def run(self, seed: int) -> tuple[Any, list[Event]]:
        """Once through, with dice from this seed; the data afterwards and what happened."""
        trial: Battle[Any] = Battle.__new__(Battle)
        trial._prepare(self.game, self.setup)
        trial.state = state = self.copy(self.state)
        dice = state.dice
        source = "mixed" if self.fallen else "seed"
        state.dice = DiceState(seed, source, queue=self.fallen[:], rolled=dice.rolled, shown=dice.shown)
        trial._marks = [Mark(state, UNMARKED, 0)]
        trial._run()
        for given in self.given:
            trial.answer(given.answer, given.side)
        known = FOLLOW[self.game.id]
        while (ask := trial.decision) is not None and ask.prompt.key in known:
            trial.answer(follow_up(self.odds_module, ask, trial.state), ask.side)
        return trial.state, trial.events


def halted(battle: Battle[Any], *args: Any) -> Iterator[Decision]:
    yield Confirm(0, "halt")


def count(start: Start, read: Read, seeds: Iterable[int]) -> dict[str, Counter[int]]:
    """What came of a run for each of the seeds."""
    seen: dict[str, Counter[int]] = {}
    with mock.patch.dict(_STEPS, start.halt):
        for seed in seeds:
            after, events = start.run(seed)
            for name, value in read(start.before, after, events).items():
                seen.setdefault(name, Counter())[value] += 1
    return seen


# -- cases -------------------------------------------------------------------------------------------------------


class Case(msgspec.Struct):
    """An answer to a question of a random battle, and what the odds say of it."""

    game: str
    seed: int
    at: int
    answer: Json
    title: str
    rules: tuple[str, ...]
    chances: dict[str, list[float]]
    piece: str = ""
    """A set piece instead of a random battle."""

    @property
    def name(self) -> str:
        return f"{self.game} {self.piece}{self.seed}/{self.at} {self.title} {self.answer}"


def chances_of(odds: Mapping[str, Any]) -> dict[str, list[float]]:
    """All that the odds say: distributions, and each chance as that of 0 and of 1."""
    found = dict(odds["dists"])
    for line in odds["lines"]:
        if line.get("chance"):
            value = min(1.0, line["value"])
            found[line["label"]["en"]] = [1.0 - value, value]
    return found


def reader(game: str, title: str) -> Read | None:
    return READ[game].get(title) or READ[game].get("")


def begun(game: str, seed: int, piece: str) -> Battle[Any]:
    return PIECES[game][piece](seed) if piece else battle(game, seed=seed)


def at_question(case: Case) -> Battle[Any]:
    """The battle after so many answers."""
    fought, rng = begun(case.game, case.seed, case.piece), Rng(seed_of("proof", case.seed))
    for _ in range(case.at):
        assert fought.decision is not None
        fought.answer(fought.decision.suggest(rng), fought.decision.side)
    return fought


def candidates(game: str, seed: int, skipped: int) -> Iterator[Case]:
    """Answers of a random battle of which something is told that can be counted."""
    fought, rng, pick = begun(game, seed, ""), Rng(seed_of("proof", seed)), Rng(seed)
    at = 0
    while (ask := fought.decision) is not None:
        if isinstance(ask, Choose) and len(fought.decisions) == 1 and not pick.below(skipped):
            for answer in ask.options:
                yield from countable(fought, Case(game, seed, at, answer, "", (), {}))
        fought.answer(ask.suggest(rng), ask.side)
        at += 1


def set_pieces(game: str, seed: int) -> Iterator[Case]:
    """The like of set pieces: the answer that begins the fight and is called like it, or else any."""
    for piece in PIECES.get(game, ()):
        fought = begun(game, seed, piece)
        options = list(getattr(fought.decision, "options", ()))
        wishes = [True] if isinstance(fought.decision, Confirm) else [piece]
        for answer in wishes if piece in options or not options else options:
            yield from countable(fought, Case(game, seed, 0, answer, "", (), {}, piece))


def countable(fought: Battle[Any], case: Case) -> Iterator[Case]:
    """The case with what the odds say of it, if they say something that can be counted."""
    odds = fought.odds(case.answer)
    if odds is None or reader(case.game, odds["title"]["en"]) is None:
        return
    try:
        start = Start(fought, case.answer)
    except ValueError:
        return
    rules = tuple(dict.fromkeys(rule for event in start.run(case.at)[1] for rule in event.rules))
    chances = chances_of(odds)
    if any(max(dist) < 1.0 for dist in chances.values()):
        yield msgspec.structs.replace(case, title=odds["title"]["en"], rules=rules, chances=chances)


def sample(game: str, number: int, seed: int, battles: int, skipped: int = SKIPPED) -> list[Case]:
    """A wide sample: kinds in turn, and of each kind the case whose rules have been seen least."""
    kinds: dict[str, list[Case]] = {}
    for n in range(battles):
        for case in (*candidates(game, seed + n, skipped), *set_pieces(game, seed + n)):
            kinds.setdefault(case.title, []).append(case)
    seen: Counter[str] = Counter()
    chosen: list[Case] = []
    while len(chosen) < number and kinds:
        for title in [kind for kind in kinds for _ in range(ATTACKS if kind in ATTACK else 1)]:
            left = kinds.get(title)
            if not left:
                continue
            best = max(left, key=lambda case: sum(1.0 / (1 + seen[rule]) ** 2 for rule in case.rules))
            left.remove(best)
            seen.update(best.rules)
            chosen.append(best)
            if not left:
                del kinds[title]
    return chosen[:number]


class Verdict(msgspec.Struct):
    """How a case came out: a test for each of its quantities, and what the runs cost."""

    name: str
    wanted: int
    runs: int
    seconds: float
    tests: dict[str, tuple[float, int, float]]

    @property
    def p(self) -> float:
        """Over all quantities of the case, corrected for their number."""
        return min(1.0, min((p for _, _, p in self.tests.values()), default=1.0) * max(1, len(self.tests)))


def _chunk(case: Case, begin: int, end: int) -> tuple[dict[str, Counter[int]], float]:
    start = Start(at_question(case), case.answer)
    read = reader(case.game, case.title)
    assert read is not None
    gc.disable()
    began = time.process_time()
    seen = count(start, read, (seed_of("proof", case.name, n) for n in range(begin, end)))
    gc.enable()
    return seen, time.process_time() - began


def judged(case: Case, seen: Mapping[str, Counter[int]]) -> dict[str, Agreement]:
    """A chi-square test for each quantity that was both told and counted."""
    return {name: agree(Dist(dist), seen[name]) for name, dist in case.chances.items() if name in seen}


def prove(case: Case, runs: int, patience: float = PATIENCE, pool: ProcessPoolExecutor | None = None) -> Verdict:
    tried = min(runs, TRIED)
    parts = [_chunk(case, 0, tried)]
    made = max(tried, min(runs, int(patience * tried / parts[0][1])))
    spans = [(at, min(made, at + CHUNK)) for at in range(tried, made, CHUNK)]
    if pool is None:
        parts += [_chunk(case, *span) for span in spans]
    else:
        parts += [job.result() for job in [pool.submit(_chunk, case, *span) for span in spans]]
    seen: dict[str, Counter[int]] = {}
    for found, _ in parts:
        for name, counts in found.items():
            seen.setdefault(name, Counter()).update(counts)
    tests = {name: (test.chi_square, test.freedom, test.p) for name, test in judged(case, seen).items()}
    return Verdict(case.name, runs, made, sum(seconds for _, seconds in parts), tests)


def holm(verdicts: list[Verdict]) -> list[Verdict]:
    """The cases that disagree, the chance of blaming a true one among all of them being SIGNIFICANT."""
    ordered = sorted(verdicts, key=lambda verdict: verdict.p)
    wanting = []
    for n, verdict in enumerate(ordered):
        if verdict.p * (len(ordered) - n) >= SIGNIFICANT:
            break
        wanting.append(verdict)
    return wanting


def run() -> list[dict[str, Any]]:
    """A short proof as figures: runs a second, and the cases that disagree."""
    rows: list[dict[str, Any]] = []
    for game in GAMES:
        verdicts = [prove(case, 2000, patience=2.0) for case in sample(game, 4, 1, 1, 10)]
        pace = sum(verdict.runs for verdict in verdicts) / sum(verdict.seconds for verdict in verdicts)
        wanting = len(holm(verdicts))
        rows.append({"name": f"{game}: answers fought through", "value": pace, "unit": "/s"})
        rows.append(
            {"name": f"{game}: odds that disagree", "value": wanting, "unit": "", "bar": "0", "ok": wanting == 0}
        )
    return rows


def main() -> int:
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("--games", default=",".join(GAMES))
    words.add_argument("--cases", type=int, help="cases of each game")
    words.add_argument("--runs", type=int, default=RUNS)
    words.add_argument("--battles", type=int, default=6, help="random battles that the cases of a game are drawn from")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--patience", type=float, default=PATIENCE, help="processor seconds for one case at most")
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("--journal", type=Path, help="verdicts are kept here; a run that was interrupted goes on")
    given = words.parse_args()
    done: dict[str, Verdict] = {}
    if given.journal and given.journal.exists():
        for line in given.journal.read_bytes().splitlines():
            verdict = msgspec.json.decode(line, type=Verdict)
            if verdict.wanted == given.runs:
                done[verdict.name] = verdict
    verdicts: list[Verdict] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for game in given.games.split(","):
            cases = sample(game, given.cases or CASES[game], given.seed, given.battles)
            rules = {rule for case in cases for rule in case.rules}
            print(f"{game}: {len(cases)} cases that name {len(rules)} rules", flush=True)
            for case in cases:
                verdict = done.get(case.name) or prove(case, given.runs, given.patience, pool)
                verdicts.append(verdict)
                if given.journal and case.name not in done:
                    with given.journal.open("ab") as book:
                        book.write(msgspec.json.encode(verdict) + b"\n")
                worst = min(verdict.tests.items(), key=lambda test: test[1][2], default=("nothing", (0.0, 0, 1.0)))
                pace = verdict.runs / verdict.seconds if verdict.seconds else 0.0
                print(
                    f"  p {verdict.p:8.2g}  {verdict.name[:60]:60} {len(verdict.tests)} tests, worst {worst[0]} "
                    f"(chi-square {worst[1][0]:.1f} / {worst[1][1]})  {verdict.runs} runs, {pace:.0f}/s",
                    flush=True,
                )
    wanting = holm(verdicts)
    least = min((verdict.p for verdict in verdicts), default=1.0)
    told = {"cases": len(verdicts), "runs": given.runs, "least p": least, "disagree": [v.name for v in wanting]}
    print(json.dumps(told, ensure_ascii=False))
    return 1 if wanting else 0


if __name__ == "__main__":
    sys.exit(main())
