""" "There is none" is computed: cluttered positions against brute force."""

from __future__ import annotations

import random

import pytest
from tests.conquest.builder import profile, r, regiment, scene, wood

from umpire.engine.battle import Battle
from umpire.games.conquest import contact, formation
from umpire.games.conquest.state import State
from umpire.space.measure import separation


def cluttered(seed: int) -> Battle[State] | None:
    rng = random.Random(seed)
    size = (rng.choice((2.0, 2.5)), 2.5)
    charger = regiment(
        "c", 0, (36.0, 20.0), 0.0, stands=rng.randrange(2, 7), files=rng.randrange(2, 4), of=profile(size=size)
    )
    target = regiment(
        "t", 1, (36.0 + rng.uniform(-5, 5), 20.0 + rng.uniform(3, 8)), rng.uniform(120, 240), stands=3, files=3
    )
    rocks = []
    for k in range(rng.randrange(2, 7)):
        x, y = 36.0 + rng.uniform(-7, 7), 20.0 + rng.uniform(0.5, 7)
        w, d = rng.uniform(0.3, 2), rng.uniform(0.3, 1)
        rocks.append(wood(f"rock{k}", x, y, x + w, y + d, "impassable"))
    battle = scene(charger, target, terrain=rocks)
    state = battle.state
    bodies = [b for who in ("c", "t") for b in formation.blocks(state.regiment(who))]
    if any(separation(piece.thing, body) < 0.05 for piece in state.terrain for body in bodies):
        return None
    return battle


def brute(state: State, step: float) -> list[float]:
    """Wheels by a fine grid after which the way straight on leads to a contact."""
    charger, target = state.regiment("c"), state.regiment("t")
    side, _ = contact.majority_side(target, charger)
    ground = contact.approach(state, charger, target, side)
    wheels = [k * step for k in range(-int(90 / step), int(90 / step) + 1)]
    return [w.degrees for w in contact.free_wheels(ground, wheels) if contact.wheeled(ground, w.degrees) is not None]


def check(seed: int, step: float = 0.1) -> str:
    battle = cluttered(seed)
    if battle is None:
        return "unfit"
    state = battle.state
    side, _ = contact.majority_side(r(battle, "t"), r(battle, "c"))
    found = contact.contacts(state, r(battle, "c"), r(battle, "t"), side)
    if found:
        return "reached"
    assert not brute(state, step), seed
    return "blocked"


@pytest.mark.rule("conquest.charge.blocked")
@pytest.mark.parametrize("seed", [*range(12), 157, 1762, 2419])
def test_a_blocked_charge_has_no_free_wheel(seed: int) -> None:
    check(seed)
