"""Two versions of the program in one run: `python bench/against.py REVISION GAME… [battles=40] [planner=4]`.

The other revision (or a folder that holds it) plays in a process of its own, as this one does, and the two take turns
on the same seeds: whatever else the machine does falls on both. Only processor time is counted. Told are battles a
second, answers given and taken back a second, and the median of a fork, without and with its open question, each with
its ratio; with `planner=N`, how long the planner thinks about a decision in N battles against chance.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent

# What either version runs: only calls that both know.
PLAYS = """
import json, sys
from statistics import median
from time import process_time
import umpire
from umpire.engine.rng import Rng
from umpire.players import player
from umpire.space.warm import warm

warm()  # kernels are loaded when first needed: in whichever battle that is, it would count as time that battle took

def whole(game, seed):
    battle, rng = umpire.battle(game, seed=seed), Rng(seed)
    while (ask := battle.decision) is not None:
        battle.answer(ask.suggest(rng))
    return {"answers": len(battle.answers)}

def steps(game, seed):
    battle, rng, pairs, forks, looks = umpire.battle(game, seed=seed), Rng(seed), [], [], []
    while (ask := battle.decision) is not None:
        answer = ask.suggest(rng)
        if len(battle.answers) % 7 == seed % 7:
            start = process_time()
            for _ in range(10):
                battle.answer(answer)
                battle.undo()
            pairs.append((process_time() - start) / 10)
            start = process_time()
            for _ in range(10):
                battle.fork()
            forks.append((process_time() - start) / 10)
            start = process_time()
            for _ in range(10):
                battle.fork().decision
            looks.append((process_time() - start) / 10)
        battle.answer(answer)
    return {"pair": sum(pairs) / len(pairs), "fork": median(forks), "look": median(looks)}

def planner(game, seed):
    battle, rng, thinks = umpire.battle(game, seed=seed), Rng(seed), player("planner", seed, None)
    spent, count = 0.0, 0
    while (ask := battle.decision) is not None:
        if ask.side == 0:
            start = process_time()
            answer = thinks.choose(battle, 0, ask)
            spent, count = spent + process_time() - start, count + 1
        else:
            answer = ask.suggest(rng)
        battle.answer(answer, ask.side)
    return {"thought": spent / count}

for line in sys.stdin:
    kind, game, seed = json.loads(line)
    start = process_time()
    came = {"whole": whole, "steps": steps, "planner": planner}[kind](game, seed)
    print(json.dumps({"seconds": process_time() - start, **came}), flush=True)
"""


class Version:
    """One version of the program, in a process that plays what it is told to."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PLAYS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"PYTHONPATH": str(folder / "src")}, cwd=folder,
        )  # fmt: skip

    def play(self, kind: str, game: str, seed: int) -> dict[str, float]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([kind, game, seed]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{game}, seed {seed}: one of the two versions ended")
        return dict(json.loads(line))


def in_turns(old: Version, new: Version, kind: str, game: str, count: int) -> tuple[list[Any], list[Any]]:
    """What both say, each going first every other time; the first battle of either only warms it up."""
    came: tuple[list[Any], list[Any]] = ([], [])
    for seed in range(count + 1):
        order = (0, 1) if seed % 2 else (1, 0)
        for which in order:
            told = (old, new)[which].play(kind, game, seed)
            if seed:
                came[which].append(told)
    return came


def compare(old: Version, new: Version, game: str, battles: int, planner: int) -> None:
    before, after = in_turns(old, new, "whole", game, battles)
    was, now = (sum(one["seconds"] for one in side) for side in (before, after))
    pairs = statistics.median(a["seconds"] / b["seconds"] for a, b in zip(before, after, strict=True))
    told = f"{battles / was:.2f} -> {battles / now:.2f}, ratio {was / now:.2f} (median of pairs {pairs:.2f})"
    print(f"{game}: battles a second {told}", flush=True)
    before, after = in_turns(old, new, "steps", game, max(4, battles // 4))
    kinds = {"pair": "answers taken back a second", "fork": "fork, µs", "look": "fork and its question, µs"}
    for name, told in kinds.items():
        was, now = (statistics.mean(one[name] for one in side) for side in (before, after))
        shown = (1 / was, 1 / now) if name == "pair" else (was * 1e6, now * 1e6)
        print(f"{game}: {told} {shown[0]:.0f} -> {shown[1]:.0f}, ratio {was / now:.2f}", flush=True)
    if planner:
        before, after = in_turns(old, new, "planner", game, planner)
        was, now = (statistics.mean(one["thought"] for one in side) for side in (before, after))
        print(f"{game}: planner, ms a decision {was * 1e3:.1f} -> {now * 1e3:.1f}, ratio {was / now:.2f}")


def main() -> None:
    options = dict(part.split("=", 1) for part in sys.argv[1:] if "=" in part)
    revision, *games = [part for part in sys.argv[1:] if "=" not in part]
    with tempfile.TemporaryDirectory() as scratch:
        other = Path(revision)
        if not (other / "src").is_dir():
            other = Path(scratch) / "other"
            subprocess.run(["git", "worktree", "add", "--detach", "-q", str(other), revision], cwd=HERE, check=True)
        try:
            old, new = Version(other), Version(HERE)
            for game in games:
                compare(old, new, game, int(options.get("battles", "40")), int(options.get("planner", "0")))
        finally:
            if other.is_relative_to(scratch):
                subprocess.run(["git", "worktree", "remove", "--force", str(other)], cwd=HERE, check=True)


if __name__ == "__main__":
    main()
