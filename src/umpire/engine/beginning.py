"""Beginning a battle: from what somebody wishes, or from a set-up in which everything is settled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.game import Setup, find_game
from umpire.engine.opening import check_without, opening
from umpire.engine.rng import Rng, seed_of
from umpire.errors import fault


def battle(
    game: str,
    sides: Sequence[Any] | None = None,
    scenario: Any = None,
    seed: int = 0,
    options: dict[str, Any] | None = None,
    dice: str | Sequence[int] = "seed",
    **more: Any,
) -> Battle[Any]:
    """Start a battle. What is left out (lists, scenario) is chosen legally at random, all from the seed.

    `dice` is "seed", "typed" (people roll real dice) or a list of faces to come.
    """
    spec = find_game(game)
    script = [] if isinstance(dice, str) else list(dice)
    setup = Setup(
        game=game,
        seed=seed,
        sides=list(sides or []),
        scenario=scenario,
        options=dict(options or {}),
        dice=dice if isinstance(dice, str) else "script",
        script=script,
        **more,
    )
    if setup.dice not in ("seed", "typed", "script"):
        raise fault("error.dice-must-be-seed-typed", dice=setup.dice)
    check_without(game, setup.without)
    return begin(spec.resolve(setup, Rng(seed_of("muster", game, seed))))


def begin(setup: Setup) -> Battle[Any]:
    """Start a battle from a resolved set-up; records are replayed with this."""
    spec = find_game(setup.game)
    check_without(setup.game, setup.without)
    state = opening(spec, setup)
    dice = state.dice
    dice.source = setup.dice
    dice.state = seed_of("dice", setup.seed)
    if (fairness := setup.fairness) is not None and fairness.secret:
        dice.state = fairness.seed
        if fairness.hashes and setup.dice == "seed":
            dice.source, dice.state = "keyed", 0
    if setup.script:
        dice.queue = list(setup.script)
    return Battle(spec, setup, state)
