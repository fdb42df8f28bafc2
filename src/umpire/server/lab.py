"""The rules lab on a desk: a scene's text is read, carried out and asked about; nothing is kept but what saves work.

The text is the whole truth. Whoever answers a question in the lab writes the answer into the text and sends it again.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import msgspec

from umpire import files
from umpire.engine.battle import Battle
from umpire.engine.explain import ruling_wire
from umpire.engine.game import find_game, games
from umpire.engine.scene import SceneFile, Words, scene, understood
from umpire.engine.shelves import fields, handles
from umpire.engine.snapshots import snapshot
from umpire.engine.staging import Stage, played
from umpire.engine.view import localise, open_view, weighed
from umpire.errors import UmpireError
from umpire.puzzles import puzzles, template
from umpire.server.bounds import bounded, short
from umpire.server.measuring import measure
from umpire.server.problems import bad_message, not_asked, problem
from umpire.text import LANGUAGES, Text, both, catalogue
from umpire.writing import dump

REMEMBERED = 12
REASONS = 60
WHERE = "scene"
"""What errors call the text."""
LAST = ("effects", "used")
_LINE = re.compile(rf"{WHERE}(?::(\d+))?")


class Labs:
    """The scenes that a worker has carried out last."""

    def __init__(self) -> None:
        self._stages: OrderedDict[bytes, Stage] = OrderedDict()

    def stage(self, text: str) -> Stage:
        key = hashlib.blake2b(text.encode(), digest_size=16).digest()
        if key not in self._stages:
            source = files.parse(text, WHERE)
            if not isinstance(source.data, dict):
                raise source.fault("error.scene.empty")
            bounded({key: value for key, value in source.data.items() if key != "seed"})
            self._stages[key] = played(*understood(source))
            if len(self._stages) > REMEMBERED:
                self._stages.popitem(last=False)
        self._stages.move_to_end(key)
        return self._stages[key]

    def look(self, text: str) -> dict[str, Any]:
        """The scene carried out: the table as it stands at its end, what was ruled on the way, what was expected and
        did not come; or what is wrong with the text, and in which line."""
        try:
            stage = self.stage(text)
        except UmpireError as error:
            return {"view": None, "rulings": [], "failures": [], "stopped": None, "handles": {}, "error": _wrong(error)}
        source, battle = stage.source, stage.battle
        assert source is not None
        return {
            "view": open_view(battle),
            "rulings": [_ruled(battle, source, ruling) for ruling in stage.rulings],
            "failures": [
                {"line": source.line(field), "field": field, "text": _short(both(what, battle.game.id))}
                for field, what in stage.failures
            ],
            "stopped": _wrong(stage.stopped) if stage.stopped is not None else None,
            "handles": handles(source.data.get("position"), battle.game.picture(battle.state)),
            "error": None,
        }

    def ask(self, text: str, question: Any, side: int | None) -> dict[str, Any]:
        """Put something to the umpire at the end of a scene, in the words in which a seat asks at a table."""
        stage = self.stage(text)
        battle = stage.battle
        names = _names(battle)
        match question:
            case {"type": "wish", "wish": wish}:
                ruling = stage.ask(wish, side)
                stage.rulings.pop()  # it is no part of the scene
                told = _brief(ruling_wire(ruling, battle.game.id, names))
                return {"type": "wished", "ruling": {**told, "odds": ruling.odds}}
            case {"type": "uses", "deed": str(deed), "who": str(who)}:
                return {"type": "uses", "uses": _uses(battle, deed, who)}
            case {"type": "measure", "from": start, "to": end}:
                game, state = battle.game, battle.state
                return {"type": "measured", **measure(game, state, game.picture(state), start, end, names)}
        asked = battle.decision if side is None else battle.decision_for(side)
        if asked is None:
            raise not_asked()
        match question:
            case {"type": "check", "answer": answer}:
                weighed_ = weighed(battle, asked.side, answer, asked.check(answer), battle.state)
                return {"type": "ruling", "ruling": _brief(weighed_)}
            case {"type": "reach"}:
                return {"type": "reach", "regions": localise(asked.reach(), battle.game.id, names)}
            case {"type": "suggest"}:
                return {"type": "suggestion", "answer": asked.suggest()}
        raise bad_message("question")

    def take_up(self, text: str, seed: int) -> Battle[Any]:
        """The battle that goes on from the end of a scene, with dice that nobody knows."""
        battle = self.stage(text).battle
        if battle.decision is None:
            raise problem("refused", "server.lab.over", 409)
        file = snapshot(battle, seed=seed)
        answers, file.answers = file.answers, []
        taken_up = scene(file)
        for entry in answers:
            taken_up.answer(entry["answer"], entry["side"])
        return taken_up


def about(game: str) -> dict[str, Any]:
    """What a scene of a game can be made of: its fields, what the library has, what can be wished for."""
    spec = find_game(game)
    if spec.scene is None:
        raise problem("refused", "server.lab.no-scenes", 404)
    stock = spec.stock() if spec.stock is not None else ()
    return {
        "game": game,
        "names": dict(spec.names),
        "fields": fields(game, spec.scene),
        "stock": [msgspec.to_builtins(one) for one in stock],
        "deeds": [
            {"id": key, "name": _deed(game, key), "needs": list(deed.needs), "may": list(deed.may)}
            for key, deed in spec.deeds.items()
        ],
        "template": template(game),
    }


def _uses(battle: Battle[Any], deed: str, who: str) -> list[dict[str, Any]]:
    """What a deed may be done with by this piece, where its game can tell."""
    known = battle.game.deeds.get(deed)
    if known is None or known.uses is None:
        return []
    return [{"id": key, "name": both(name, battle.game.id)} for key, name in known.uses(battle, who).items()]


def _called(battle: Battle[Any], wish: Mapping[str, Any]) -> dict[str, str] | None:
    """What people call that with which a wish would be done."""
    if not wish.get("using"):
        return None
    try:
        uses = _uses(battle, wish["deed"], wish.get("who", ""))
    except UmpireError:  # it was there when it was asked, and is no more
        return None
    return next((use["name"] for use in uses if use["id"] == wish["using"]), None)


def _deed(game: str, key: str) -> dict[str, str]:
    """What a deed is called; one that is an ability or an action of the rules has that one's name."""
    names = (f"deed.{key}", f"ability.{key}", key)
    return both(Text(next((name for name in names if name in catalogue(game)), names[0])), game)


def collection() -> list[dict[str, Any]]:
    """The puzzles and worked examples that come with the house, in the order of its games."""
    order = games()
    return [
        {
            "id": one.id,
            "game": one.file.game,
            "names": dict(find_game(one.file.game).names),
            "title": in_both(one.file.title),
            "question": in_both(one.file.question),
        }
        for one in sorted(puzzles().values(), key=lambda one: order.index(one.file.game))
    ]


def puzzle(key: str) -> dict[str, Any]:
    """One of them: its text, and what the umpire says to it."""
    found = puzzles().get(key)
    if found is None:
        raise problem("no-puzzle", "server.lab.no-puzzle", 404)
    file = found.file
    return {
        "id": key,
        "game": file.game,
        "names": dict(find_game(file.game).names),
        "title": in_both(file.title),
        "question": in_both(file.question),
        "ruling": in_both(file.ruling),
        "rules": file.rules,
        "scene": found.asked,
        "solution": found.text,
    }


def written(file: SceneFile, title: Mapping[str, str]) -> str:
    """A scene as text, in the order in which it is read."""
    file.title = {lang: title[lang] for lang in LANGUAGES}
    told = msgspec.to_builtins(file)
    position = told.get("position", {})
    # What the moment is comes first, then who stands where, then what lasts.
    order = sorted(position, key=lambda key: (key in LAST, isinstance(position[key], (dict, list))))
    told["position"] = {key: position[key] for key in order}
    first = ("game", "title", "without", "seed", "dice", "position", "state", "answers")
    return dump({key: told[key] for key in first if key in told})


def in_both(text: Words) -> dict[str, str]:
    return dict.fromkeys(LANGUAGES, text) if isinstance(text, str) else dict(text.items())


def _names(battle: Battle[Any]) -> Any:
    return lambda key: battle.game.name(battle.state, key)


def _short(text: Mapping[str, str]) -> dict[str, str]:
    return {lang: short(said) for lang, said in text.items()}


def _brief(ruling: dict[str, Any]) -> dict[str, Any]:
    ruling["reasons"] = ruling["reasons"][:REASONS]
    for reason in ruling["reasons"]:
        reason["text"] = _short(reason["text"])
    return ruling


def _ruled(battle: Battle[Any], source: files.Source, ruling: dict[str, Any]) -> dict[str, Any]:
    """A ruling of the scene, with the line of the text that asked for it."""
    told = _brief(dict(ruling))
    return {
        "line": source.line(told["at"]),
        "side": told["side"],
        "ask": told.get("ask"),
        "using": _called(battle, told.get("ask") or {}),
        "answer": told.get("answer"),
        "said": told.get("said"),
        "prompt": told.get("prompt"),
        "legal": told["legal"],
        "reasons": told["reasons"],
        "odds": told["odds"],
    }


def _wrong(error: UmpireError) -> dict[str, Any]:
    """What is wrong with the text, and where."""
    match = _LINE.match(error.where)
    line = int(match[1] or 0) if match else 0
    what = UmpireError(error.text or error.what, "" if match else error.where)
    return {"line": line, "text": _short(what.lines())}
