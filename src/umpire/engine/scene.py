"""Scenes: any moment of any game, written down in a file that a person can read (YAML or JSON).

```yaml
game: warcry
dice: [6, 5, 1]        # the next faces; or leave it out and give a seed
position: …            # the game's own part: table, models, whose turn
answers: [ … ]         # what is answered, in turn; {side: 1, answer: …} where a side must be named
```
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from umpire.engine.battle import Battle, begin
from umpire.engine.explain import ruling_wire
from umpire.engine.game import Setup, find_game
from umpire.engine.view import decision_wire, event_wire
from umpire.errors import UmpireError


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
    if isinstance(source, SceneFile):
        return source
    try:
        return msgspec.convert(source, SceneFile)
    except msgspec.ValidationError as error:
        raise UmpireError(str(error), "scene") from None


def start(file: SceneFile) -> Battle[Any]:
    game = find_game(file.game)
    if game.scene is None:
        raise UmpireError(f"{file.game} has no scenes", "game", f"{file.game} 没有场景")
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
    import yaml

    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UmpireError(f"cannot be read: {error.strerror}", str(path), f"无法读取：{error.strerror}") from None
    except UnicodeDecodeError:
        raise UmpireError("is not UTF-8 text", str(path), "不是 UTF-8 文本") from None
    try:
        raw = yaml.safe_load(text)
        nodes = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise UmpireError(getattr(error, "problem", None) or str(error), f"{path}{line}") from None
    except RecursionError:
        raise UmpireError("is nested too deeply", str(path), "嵌套过深") from None
    try:
        file = msgspec.convert(raw, SceneFile)
    except msgspec.ValidationError as error:
        raise _located(error, path, nodes) from None
    game = find_game(file.game)
    if game.scene is not None:
        try:
            msgspec.convert(file.position, game.scene)
        except msgspec.ValidationError as error:
            raise _located(error, path, nodes, "position") from None
    return file


_PLACE = re.compile(r"(.*) - at `\$(.*)`$")
_PART = re.compile(r"\.(\w+)|\[(\d+)\]|\[(\.\.\.)\]")


def _located(error: msgspec.ValidationError, path: Path, node: Any, within: str = "") -> UmpireError:
    """The error with the line at which the field stands, as far as the file has it."""
    match = _PLACE.match(str(error))
    what, where = match.groups() if match else (str(error), "")
    where = f".{within}{where}" if within else where
    for name, index, _ in _PART.findall(where):
        found = None
        if name and hasattr(node, "value") and isinstance(node.value, list):
            found = next(
                (v for pair in node.value if isinstance(pair, tuple) for k, v in [pair] if k.value == name), None
            )
        elif index and isinstance(node.value, list) and int(index) < len(node.value):
            found = node.value[int(index)]
        if found is None:
            break
        node = found
    line = f":{node.start_mark.line + 1}" if node is not None else ""
    field = where.lstrip(".") or "scene"
    return UmpireError(f"{what} (field {field})", f"{path}{line}", f"{what}（字段 {field}）")


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
            raise UmpireError(
                f"answer {number}: nothing is asked of that side now",
                "answers",
                f"第 {number} 个回答：现在没有问这一方",
            )
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
