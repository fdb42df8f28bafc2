"""What a player is, the player that plays at random, and how players play a battle to its end."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Json
from umpire.engine.rng import Rng, seed_of
from umpire.errors import UmpireError, fault
from umpire.text import Text

ENDLESS = 20_000
"""No battle asks so many questions: one that does would never end."""


class Endless(UmpireError):  # noqa: N818 - what is wrong with the battle
    """A battle did not come to an end."""


class Player:
    """Somebody who answers. `choose` is all that a player must have.

    `battle` may be looked at but not changed, and thought ahead in with `battle.imagine(side, seed)`; `rng` is the
    player's own source of chance, so that equal seeds play equally.
    """

    name = "player"

    def __init__(self, seed: int = 0) -> None:
        self.rng = Rng(seed)

    def choose(self, battle: Battle[Any], side: int, decision: Decision) -> Json:
        """A legal answer to the question that is open for this side."""
        raise NotImplementedError

    def close(self) -> None:
        """The battle is over, or somebody else takes the seat."""


class Random(Player):
    """Answers at random, uniformly over what the decision suggests."""

    name = "random"

    def choose(self, battle: Battle[Any], side: int, decision: Decision) -> Json:
        return decision.suggest(self.rng)


LEVELS = ("easy", "normal", "hard")


GROUP = "umpire.players"
"""The group of entry points by which others add players: classes that take a seed, and before it what stands behind a
colon in the player's name."""


def names() -> list[str]:
    """The players that can be named; a bot is `bot:` and the command that starts it."""
    others = [entry.name for entry in entry_points(group=GROUP)]
    return ["random", "planner", *(f"planner:{level}" for level in LEVELS), *others, "bot:COMMAND"]


def player(name: str, seed: int = 0, seconds: float | None = 1.0) -> Player:
    """The player of that name. `seconds` bounds each decision; None counts work instead of time, so that equal seeds
    play equally on any machine."""
    kind, _, detail = name.partition(":")
    if kind == "random" and not detail:
        return Random(seed)
    if kind == "bot" and detail:
        import shlex

        from umpire.players.external import External

        return External(shlex.split(detail), seed)
    if kind == "planner" and (detail or "normal") in LEVELS:
        from umpire.players.planner import Planner

        return Planner(detail or "normal", seed, seconds)
    for entry in entry_points(group=GROUP, name=kind):
        made: Player = entry.load()(detail, seed) if detail else entry.load()(seed=seed)
        return made
    known = ", ".join(names())
    raise fault("error.there-is-no-player-known", name=name, known=known)


def seat_seed(seed: int, side: int) -> int:
    """The seed of a player's own chance in a battle: another for every seat, and none of the battle's dice."""
    return seed_of("player", seed, side)


def play(battle: Battle[Any], players: Sequence[Player], limit: int = ENDLESS) -> Battle[Any]:
    """Let the players play the battle to its end."""
    while (ask := battle.decision) is not None:
        if len(battle.answers) >= limit:
            raise Endless(Text("error.endless", {"limit": limit}))
        battle.answer(players[ask.side].choose(battle, ask.side, ask), ask.side)
    return battle
