"""Scenes: any moment of any game, written down in a file that a person can read (YAML or JSON).

```yaml
game: warcry
title: Does the wall hide him?
dice: [6, 5, any, seeded]   # the next faces; `any`: one that does not matter; `seeded` at the end: then from the seed
position: …                 # the game's own part: table, models, whose turn
answers:                    # what is answered, in turn
  - attack-0-b1             # an answer as it is,
  - {side: 1, answer: pass, expect: legal}          # with the side that gives it and what should come of it,
  - {ask: {deed: charge, who: a2, whom: [b1]}, expect: refused by warcry.combat.actions}   # or a question
until: event damage         # go on with any legal answers until this has come
expect: [asked ask.act]     # what should be so at the end
```

`ask` carries nothing out. It puts a wish to the umpire (`engine.wishes`), or an answer (`ask: {answer: …}`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from umpire import files
from umpire.engine.battle import Battle
from umpire.engine.beginning import begin
from umpire.engine.game import Game, Setup, find_game
from umpire.engine.merging import check_names
from umpire.engine.opening import described_state, first_state
from umpire.engine.referring import check_references
from umpire.engine.state import State
from umpire.engine.steps import check_agenda
from umpire.errors import UmpireError, fault, unknown
from umpire.rulebook.ledger import exists
from umpire.text import Language, Text

Face = Annotated[int, msgspec.Meta(ge=1, le=1000)] | Literal["any", "seeded"]


Words = str | dict[Language, str]
"""A text of a scene: as it is, or in both languages."""


class SceneFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a scene file holds; `position` is checked by the game."""

    game: str
    position: dict[str, Any] = {}
    state: dict[str, Any] = {}
    title: Words = ""
    question: Words = ""
    ruling: Words = ""
    rules: list[str] = []
    seed: int = 0
    dice: list[Face] | None = None
    options: dict[str, Any] = {}
    without: list[str] = []
    answers: list[Any] = []
    until: Any = None
    expect: Any = None


class Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One of a scene's `answers` that says more than the answer."""

    answer: Any = msgspec.UNSET
    ask: Any = msgspec.UNSET
    side: Literal[0, 1] | None = None
    expect: Any = None


def entry_of(given: Any, where: str) -> Entry:
    """An entry of `answers`: what has `answer` or `ask` in it is spelt out, anything else is an answer as it is."""
    if isinstance(given, dict) and (
        "ask" in given or ("answer" in given and set(given) <= {"side", "answer", "expect"})
    ):
        entry = files.convert(given, Entry, where)
        if entry.answer is not msgspec.UNSET and entry.ask is not msgspec.UNSET:
            raise fault("error.scene.ask-or-answer", where)
        return entry
    return Entry(answer=given)


def scene(source: dict[str, Any] | SceneFile | str | Path) -> Battle[Any]:
    """A battle that starts from a scene: a dictionary, or a file's path."""
    if isinstance(source, (str, Path)):
        return start(*read(source))
    return start(source if isinstance(source, SceneFile) else files.convert(source, SceneFile, "scene"))


def read(path: str | Path) -> tuple[SceneFile, files.Source]:
    """Read a scene file; errors name the file, the line and the field."""
    return understood(files.read(path))


def understood(source: files.Source) -> tuple[SceneFile, files.Source]:
    """The scene of a file that was read already."""
    file = source.convert(SceneFile)
    with source.locating():
        game = find_game(file.game)
    if game.scene is not None and (file.position or not file.state):
        if "position" not in source.data:
            raise source.error(Text("error.field.missing", {"field": "position"}), "")
        source.convert(game.scene, "position")
    return file, source


def start(file: SceneFile, source: files.Source | None = None) -> Battle[Any]:
    """The battle at the moment that the scene describes. What cannot be is refused with the field, and with the file
    and the line if there is one."""
    if source is None:
        return _begin(file)
    with source.locating():
        return _begin(file)


def _begin(file: SceneFile) -> Battle[Any]:
    game = find_game(file.game)
    if game.scene is None:
        raise fault("error.has-no-scenes", "game", setup=file.game)
    for n, rule in enumerate(file.rules):
        if not exists(rule):
            raise unknown("rule", rule, f"rules[{n}]")
    faces = file.dice or []
    if "seeded" in faces[:-1]:
        raise fault("error.scene.seeded", f"dice[{faces.index('seeded')}]")
    mixed = "any" in faces or "seeded" in faces
    script = [0 if face == "any" else int(face) for face in faces if face != "seeded"]
    setup = Setup(
        game=file.game,
        seed=file.seed,
        scene=with_options(file, game.scene) if file.position or not file.state else None,
        state=file.state,
        options=file.options,
        dice="seed" if file.dice is None or faces == ["seeded"] else "mixed" if mixed else "script",
        script=script if not mixed or "seeded" in faces else [*script, END],
        without=file.without,
    )
    return _moment(game, setup) if file.state else begun(setup)


def _moment(game: Game, setup: Setup) -> Battle[Any]:
    """The battle of a scene with data in it, which somebody may have changed by hand."""
    try:
        return _sound(game, setup)
    except UmpireError as error:
        if error.where and getattr(error.text, "key", "") != IMPOSSIBLE:
            raise
        what = error.text.args["what"] if error.where and error.text is not None else error.said
        raise fault("error.scene.useless", _to_blame(game, setup), what=what) from None


def _sound(game: Game, setup: Setup) -> Battle[Any]:
    """All that the data name is there, the game's own words can say them, and both sides can be shown them."""
    with foreseen():
        made = first_state(game, setup)
        check_names(made, setup.state, "state")
        check_agenda(made.agenda, "state.agenda")
        if not made.agenda and made.outcome is None:
            raise fault("error.scene.idle", "state.agenda")
        check_references(made, "state")
        check_words(game, made, setup)
        battle = begin(setup)
        for side in (0, 1):
            battle.view(side)
        return battle


def _to_blame(game: Game, setup: Setup) -> str:
    """What of the data nobody foresaw: the innermost part of them without which the scene begins."""

    def without(told: dict[str, Any], key: str, *rest: str) -> dict[str, Any]:
        return {k: without(v, *rest) if k == key else v for k, v in told.items() if k != key or rest}

    def begins(*path: str) -> bool:
        try:
            _sound(game, msgspec.structs.replace(setup, state=without(setup.state, *path)))
        except UmpireError:
            return False
        return True

    blamed: list[str] = []
    inner: Any = setup.state
    while isinstance(inner, dict):
        found = next((key for key in inner if begins(*blamed, key)), None)
        if found is None:
            break
        blamed.append(found)
        inner = inner[found]
    return ".".join(("state", *blamed))


def check_words(game: Game, made: State, setup: Setup) -> None:
    """A moment that is written down as data is one that the game's own words can say: what these refuse of it cannot
    be. Where rules are switched off, there may be more than words allow."""
    if game.write_scene is None or setup.without:
        return
    try:
        described_state(game, Setup(game=setup.game, scene=game.write_scene(made)))
    except UmpireError as error:
        field = error.where.removeprefix("position").lstrip(".")
        raise UmpireError(error.text or error.what, ".".join(filter(None, ("state", place_in(made, field))))) from None


def place_in(made: Any, field: str) -> str:
    """What the words call `units[1].models[0]` as the data have it, where units stand under their ids."""
    told, at = "", made
    for index, name in files.parts_of(field):
        if isinstance(at, dict) and index and int(index) < len(at):
            key = list(at)[int(index)]
            told, at = f"{told}.{key}", at[key]
        elif index:
            told += f"[{index}]"
            at = at[int(index)] if isinstance(at, (list, tuple)) and int(index) < len(at) else None
        else:
            told, at = f"{told}.{name}", getattr(at, name, None)
    return told.lstrip(".")


END = -1
"""In a script with faces that do not matter: here it ends."""


def begun(setup: Setup) -> Battle[Any]:
    """The battle of a scene. Whatever a game did not foresee in a position is an impossible position, and said so."""
    with foreseen():
        return begin(setup)


UNFORESEEN = (
    *(LookupError, ValueError, TypeError, AttributeError, StopIteration, ArithmeticError, AssertionError),
    RuntimeError,
)


IMPOSSIBLE = "error.scene.impossible"


@contextmanager
def foreseen() -> Iterator[None]:
    """What nobody foresaw in a position is told in one line; nobody who set a position up sees a traceback."""
    try:
        yield
    except UNFORESEEN as error:
        raise _impossible(error) from error


def _impossible(error: Exception) -> UmpireError:
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return fault(IMPOSSIBLE, "position", what=what[:200])


def with_options(file: SceneFile, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The position with the scene's `options` in it, for games whose positions have some."""
    if not file.options:
        return file.position
    if "options" not in kind.__struct_fields__:
        raise fault("error.scene.no-options", "options", game=file.game)
    inner = file.position.get("options", {})
    if not isinstance(inner, dict):
        return file.position
    return {**file.position, "options": {**file.options, **inner}}


def refused(error: UmpireError) -> dict[str, Any]:
    """An error as plain data."""
    return {"where": error.where, "text": error.lines()}
