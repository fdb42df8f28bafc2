"""Scenes: any moment of any game, written down in a file that a person can read (YAML or JSON).

```yaml
game: warcry
dice: [6, 5, 1]        # the next faces; or leave it out and give a seed
position: …            # the game's own part: table, models, whose turn
answers: [ … ]         # what is answered, in turn; {side: 1, answer: …} where a side must be named
```
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from umpire import files
from umpire.engine.battle import Battle, begin
from umpire.engine.explain import ruling_wire
from umpire.engine.game import Setup, find_game
from umpire.engine.view import decision_wire, event_wire
from umpire.errors import fault


class SceneFile(msgspec.Struct, forbid_unknown_fields=True):
    """What a scene file holds; `position` is checked by the game."""

    game: str
    position: dict[str, Any]
    title: str = ""
    seed: int = 0
    dice: list[int] | None = None
    options: dict[str, Any] = {}
    answers: list[Any] = []


def scene(source: dict[str, Any] | SceneFile | str | Path) -> Battle[Any]:
    """A battle that starts from a scene: a dictionary, or a file's path."""
    return start(load(source) if isinstance(source, (str, Path)) else _convert(source))


def _convert(source: dict[str, Any] | SceneFile) -> SceneFile:
    return source if isinstance(source, SceneFile) else files.convert(source, SceneFile, "scene")


def start(file: SceneFile) -> Battle[Any]:
    game = find_game(file.game)
    if game.scene is None:
        raise fault("error.has-no-scenes-3", "game", file=file.game)
    setup = Setup(
        game=file.game,
        seed=file.seed,
        scene=file.position,
        options=file.options,
        dice="script" if file.dice is not None else "seed",
        script=file.dice or [],
    )
    return begin(setup)


def load(path: str | Path) -> SceneFile:
    """Read a scene file; errors name the file, the line and the field."""
    source = files.read(path)
    file = source.convert(SceneFile)
    game = find_game(file.game)
    if game.scene is not None:
        source.convert(game.scene, "position")
    return file


def run(file: SceneFile) -> dict[str, Any]:
    """Carry a scene's answers out: rulings, events and the resulting state, as plain data. A refused answer is told."""
    battle = start(file)
    game = battle.game

    def names(key: str) -> Any:
        return game.name(battle.state, key)

    rulings: list[dict[str, Any]] = []
    for entry in file.answers:
        named = isinstance(entry, dict) and "answer" in entry and set(entry) <= {"side", "answer"}
        answer, side = (entry["answer"], entry.get("side")) if named else (entry, None)
        ask = battle.decision if side is None else battle.decision_for(side)
        if ask is None:
            number = len(rulings) + 1
            raise fault("error.answer-nothing-is-asked-of", "answers", number=number)
        ruling = ask.check(answer)
        rulings.append(
            {
                "side": ask.side,
                "asked": ask.prompt.key,
                "rules": list(ask.rules),
                "answer": answer,
                **ruling_wire(ruling, game.id, names),
            }
        )
        if ruling.legal:
            battle.answer(answer, ask.side)
    return {
        "game": game.id,
        "rulings": rulings,
        "events": [event_wire(event, n, game.id, names) for n, event in enumerate(battle.events)],
        "decisions": [decision_wire(ask, game.id, names) for ask in battle.decisions],
        "outcome": msgspec.to_builtins(battle.outcome) if battle.outcome else None,
        "state": msgspec.to_builtins(battle.state),
    }
