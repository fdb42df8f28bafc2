"""A PettingZoo environment (AEC) for researchers: pip install 'umpire-wargames[learn]'.

An action is the number of one of the answers that the open question suggests; the mask says which numbers there are.
An observation is what the side may know, read from its view into a bounded row of numbers.

>>> from umpire.players.learn import Environment            # doctest: +SKIP
>>> env = Environment("warcry")                              # doctest: +SKIP
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from umpire.engine.battle import Battle
from umpire.engine.beginning import battle
from umpire.engine.decisions import Json
from umpire.engine.rng import Rng, seed_of
from umpire.engine.view import redacted
from umpire.players.player import ENDLESS

ACTIONS = 32
PIECES = 64
PER_PIECE = 6
MARKERS = 12
PER_MARKER = 4
GLOBALS = 16
LENGTH = GLOBALS + PIECES * PER_PIECE + MARKERS * PER_MARKER

Row = npt.NDArray[np.float32]


class Environment(AECEnv[str, dict[str, Any], int | None]):  # type: ignore[misc]
    """A battle as a turn-based environment of two agents. The reward is 1 for a win, -1 for a loss, at the end."""

    metadata = {"render_modes": ["svg"], "name": "umpire_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str, render_mode: str | None = None, limit: int = ENDLESS, **setup: Any) -> None:
        super().__init__()
        self.game = game
        self.setup = setup
        self.limit = limit
        self.render_mode = render_mode
        self.possible_agents = ["side_0", "side_1"]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1.0, 1.0, (LENGTH,), np.float32),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self._seed = 0
        self.battle: Battle[Any] | None = None
        self._choices: list[Json] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._seed = self._seed + 1 if seed is None else seed
        self.battle = battle(self.game, seed=self._seed, **self.setup)
        self._rng = Rng(seed_of("learn", self._seed))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._open()

    def _open(self) -> None:
        """Whose question is open, and what can be chosen."""
        assert self.battle is not None
        ask = self.battle.decision
        if ask is None:
            self._choices = []
            return
        self.agent_selection = self.possible_agents[ask.side]
        self._choices = ask.suggestions(self._rng, ACTIONS)

    def observe(self, agent: str) -> dict[str, Any]:
        assert self.battle is not None
        mask = np.zeros(ACTIONS, np.int8)
        if agent == self.agent_selection and self.battle.decision is not None:
            mask[: len(self._choices)] = 1
        return {"observation": features(self.battle, self.possible_agents.index(agent)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self.battle is not None
        assert action is not None
        if not 0 <= action < len(self._choices):
            raise ValueError(f"action {action} is masked: there are {len(self._choices)} answers to choose from")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.battle.answer(self._choices[action], self.possible_agents.index(agent))
        self._open()
        outcome = self.battle.outcome
        if outcome is not None:
            for side, name in enumerate(self.possible_agents):
                won = outcome.winner
                self.rewards[name] = 0.0 if won is None else 1.0 if won == side else -1.0
            self.terminations = dict.fromkeys(self.agents, True)
        elif len(self.battle.answers) >= self.limit:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if outcome is not None:
            self._deads_step_first()

    def render(self) -> str | None:
        if self.render_mode is None or self.battle is None:
            return None
        return self.battle._repr_svg_()

    def close(self) -> None:
        self.battle = None


def features(fight: Battle[Any], side: int) -> Row:
    """What a side may know, as numbers between -1 and 1: the question, the score, pieces and markers."""
    state = redacted(fight, side)
    picture = fight.game.picture(state)
    row = np.zeros(LENGTH, np.float32)
    ask = fight.decision_for(side)
    if ask is not None:
        row[0] = 1.0
        row[1 + zlib.crc32(ask.prompt.key.encode()) % 8] = 1.0
    row[9] = np.tanh(len(fight.answers) / 500)
    score = [*picture.score, 0.0, 0.0]
    row[10] = np.tanh((score[side] - score[1 - side]) / 10)
    width, depth = max(picture.width, 1.0), max(picture.depth, 1.0)
    about = ask.about if ask is not None else ""
    for n, piece in enumerate(sorted(picture.pieces, key=lambda p: p.side != side)[:PIECES]):
        left = piece.wounds / piece.wounds_max if piece.wounds is not None and piece.wounds_max else 1.0
        at = GLOBALS + n * PER_PIECE
        row[at : at + PER_PIECE] = (
            1.0 if piece.side == side else -1.0,
            2 * piece.x / width - 1,
            2 * piece.y / depth - 1,
            np.tanh(piece.z / 5),
            min(1.0, max(0.0, left)),
            1.0 if about and about in (piece.id, piece.unit) else 0.0,
        )
    for n, marker in enumerate(picture.markers[:MARKERS]):
        at = GLOBALS + PIECES * PER_PIECE + n * PER_MARKER
        owner = 0.0 if marker.side is None else 1.0 if marker.side == side else -1.0
        row[at : at + PER_MARKER] = (1.0, 2 * marker.x / width - 1, 2 * marker.y / depth - 1, owner)
    return np.clip(row, -1.0, 1.0)
