"""Any moment of any battle as a scene: the position in the game's own words, and beside it what those do not say.

The words come from the game (`Game.write_scene`). They are read again at once, and whatever of the state they do not
give back is written down as `state` beside them, so that the scene is the moment and not only like it. Answers that the
open step has had, and the dice that fell in it, stand in the scene as `answers` and `dice`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from umpire import files
from umpire.engine.battle import Battle
from umpire.engine.copying import copy
from umpire.engine.dice import DiceState
from umpire.engine.game import Setup
from umpire.engine.merging import changes
from umpire.engine.opening import described_state
from umpire.engine.rng import Rng, seed_of
from umpire.engine.rulings import Refused
from umpire.engine.scene import SceneFile, foreseen, scene
from umpire.engine.state import State
from umpire.errors import UmpireError

APART = ("dice", "without")
"""What a scene says in fields of its own."""


def snapshot(battle: Battle[Any], side: int | None = None, seed: int = 0) -> SceneFile:
    """This moment as a scene. With a `side`, only what that side may know of it is in it: what is hidden from it is
    guessed, and the dice to come are others in any case."""
    state, answers, faces = battle.step_so_far()
    given: list[Any] = [{"side": entry.side, "answer": entry.answer} for entry in answers]
    if side is not None:
        state = copy(state)
        battle.game.imagine(state, side, Rng(seed_of("snapshot", seed)))
        given = given[: _known(battle, len(answers), side)]
    file = SceneFile(
        game=battle.game.id,
        position={},
        seed=seed,
        dice=[*faces, "seeded"],
        without=list(battle.setup.without),
        answers=given,
    )
    _describe(battle, state, file)
    return _as_far_as_it_goes(file)


def _known(battle: Battle[Any], count: int, side: int) -> int:
    """How many of the last `count` answers, those to questions for dice left out, this side may know: its own, and
    others' of which all that came was told to everybody. One that is still secret has brought nothing yet."""
    bounds = [entry.events for entry in battle.answers] + [len(battle.events)]
    given = [(n, entry) for n, entry in enumerate(battle.answers) if not entry.dice]
    for known, (n, entry) in enumerate(given[len(given) - count :]):
        came = battle.events[bounds[n] : bounds[n + 1]]
        if n >= battle.opened or (entry.side != side and not (came and all(event.seen is None for event in came))):
            return known
    return count


def _as_far_as_it_goes(file: SceneFile) -> SceneFile:
    """What was guessed may not bear all the answers of the open step: then the scene stands before them."""
    while file.answers:
        at = scene(file)
        try:
            for entry in file.answers:
                at.answer(entry["answer"], entry["side"])
        except (Refused, UmpireError):
            file.answers.pop()
        else:
            break
    return file


def plain(state: State) -> dict[str, Any]:
    """The state as it would be read from a file, without what a scene says elsewhere."""
    bare = copy(state)
    bare.dice, bare.without = DiceState(), ()
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(bare))
    return {key: value for key, value in told.items() if key not in APART}


def _describe(battle: Battle[Any], state: State, file: SceneFile) -> None:
    """Say the state: in the game's words if it has any and they can be read again, and as it is for the rest. Words
    that no scene may have (a count beyond what a list allows, a mark of a half-done step) are left to the rest."""
    write = battle.game.write_scene
    position = write(state) if write is not None else {}
    while position:
        try:
            with foreseen():
                said = described_state(battle.game, Setup(game=battle.game.id, scene=position))
        except UmpireError as error:
            if not files.leave_out({"position": position}, error.where):
                position = {}
        else:
            file.position, file.state = position, changes(plain(said), plain(state))
            return
    file.state = plain(state)
