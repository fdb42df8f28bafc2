"""The PettingZoo environment: PettingZoo's own test, and that an observation holds no secret."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import tiny
from umpire.engine.rng import Rng

pytest.importorskip("pettingzoo")

from umpire.players.learn import ACTIONS, Environment, features


def test_pettingzoos_own_test_passes() -> None:
    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(Environment(tiny.GAME.id), num_cycles=200)


def test_a_battle_is_played_to_its_reward() -> None:
    env = Environment("tiny", sides=[{"pawns": 1}, {"pawns": 4}])
    env.reset(seed=3)
    rng = Rng(3)
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, ended, cut, _ = env.last()
        if ended or cut:
            rewards[agent] = reward
            env.step(None)
            continue
        assert observation is not None
        open_ones = np.flatnonzero(observation["action_mask"])
        env.step(int(rng.choice([int(action) for action in open_ones])))
    assert sorted(rewards.values()) in ([-1.0, 1.0], [0.0, 0.0])
    assert env.agents == []


def test_a_masked_action_is_refused_and_an_endless_battle_is_cut_off() -> None:
    env = Environment("tiny", limit=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="masked"):
        env.step(ACTIONS - 1)
    env.step(0)
    env.step(0)
    assert all(env.truncations.values())


def test_an_observation_holds_no_secret() -> None:
    rows = []
    for action in (0, 3):
        env = Environment("tiny")
        env.reset(seed=5)
        env.step(action)
        assert env.battle is not None
        rows.append(features(env.battle, 1))
    assert np.array_equal(*rows)
