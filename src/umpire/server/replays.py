"""Replays on a desk: a record played again, looked at frame by frame, and taken up from any of them."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import msgspec

from umpire.engine import record
from umpire.engine.battle import Battle
from umpire.engine.marks import Answer
from umpire.engine.view import localise, view
from umpire.errors import fault
from umpire.players.chance import chance
from umpire.server.bounds import bounded
from umpire.server.problems import NotHere, from_outside
from umpire.text import both

ANSWERS = 20_000
REMEMBERED = 8
FRAMES = 50
FRAME_BYTES = 4 * 1024 * 1024
"""So large may an answer with frames be; whoever wants more asks again from the first that is missing."""
VERIFIED = 64
TURNS = 3
"""So many turning points are told of a battle."""
LEAST = 0.01
"""What moves the chance to win by less is no turning point."""
APART = 4
"""So many answers lie at least between two of them."""


class Replays:
    """The replays a worker has open; those it has dropped are read again from their text."""

    def __init__(self) -> None:
        self._battles: OrderedDict[str, Battle[Any]] = OrderedDict()
        self._verdicts: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def battle(self, replay: str, text: bytes | None) -> Battle[Any]:
        if replay not in self._battles:
            if text is None:
                raise NotHere(replay)
            self._battles[replay] = _played(text)
            if len(self._battles) > REMEMBERED:
                self._battles.popitem(last=False)
        self._battles.move_to_end(replay)
        return self._battles[replay]

    def open(self, replay: str, text: bytes | None) -> dict[str, Any]:
        battle = self.battle(replay, text)
        scenario = localise(battle.game.picture(battle.state), battle.game.id, lambda key: None).get("scenario")
        return {
            "replay": replay,
            "game": battle.game.id,
            "names": dict(battle.game.names),
            "scenario": scenario,
            "frames": len(battle.answers) + 1,
        }

    def verify(self, replay: str, text: bytes | None) -> dict[str, Any]:
        """What `umpire replay --verify` says of the record, and what its dice were committed to."""
        if replay not in self._verdicts:
            if text is None:
                raise NotHere(replay)
            read = _read(text)
            with from_outside("server.record-cannot-be-played"):
                verdict = record.verify(text.decode())
            self._verdicts[replay] = {"verdict": verdict, "fairness": read.header.setup.fairness}
            if len(self._verdicts) > VERIFIED:
                self._verdicts.popitem(last=False)
        return self._verdicts[replay]

    def frames(self, replay: str, text: bytes | None, start: int, stop: int) -> list[bytes]:
        """The watcher's view after `start` answers, and so on, up to but without `stop`, or as many as are not too
        large together."""
        whole = self.battle(replay, text)
        total = len(whole.answers)
        start, stop = min(start, total), min(stop, total + 1, start + FRAMES)
        at = rewound(whole, start)
        frames: list[bytes] = []
        since = whole.answers[start - 1].events if start else 0
        size = 0
        for number in range(start, stop):
            frame = msgspec.json.encode(_frame(at, since, whole))
            size += len(frame)
            if frames and size > FRAME_BYTES:
                break
            frames.append(frame)
            since = len(at.events)
            if number < total:
                given = whole.answers[number]
                at.answer(given.answer, given.side, given.anew)
        return frames

    def story(self, replay: str, text: bytes | None) -> dict[str, Any]:
        """Side 0's chance to win at every moment of the battle, by the planner's estimate, and where it moved most."""
        whole = self.battle(replay, text)
        at = rewound(whole, 0)
        chances = [_chance(at)]
        if chances[0] is None:
            return {"chances": [], "turns": []}
        for given in whole.answers:
            at.answer(given.answer, given.side, given.anew)
            chances.append(_chance(at))
        line = [one for one in chances if one is not None]
        return {"chances": line, "turns": [_turn(whole, line, number) for number in _turning(line)]}


def _chance(at: Battle[Any]) -> float | None:
    found = chance(at.game, at.state, 0)
    return None if found is None else round(found, 3)


def _turning(chances: list[float]) -> list[int]:
    """The frames in which the chance moved most, in the order of the battle; never two beside each other."""
    found: list[int] = []
    for number in sorted(range(1, len(chances)), key=lambda n: (-abs(chances[n] - chances[n - 1]), n)):
        if len(found) == TURNS or abs(chances[number] - chances[number - 1]) < LEAST:
            break
        if all(abs(number - other) >= APART for other in found):
            found.append(number)
    return sorted(found)


def _turn(whole: Battle[Any], chances: list[float], number: int) -> dict[str, Any]:
    """What happened there: the last line of the log that speaks of a roll, or else the last one."""
    since = whole.answers[number - 1].events
    told = view(rewound(whole, number), None, since, data=False)["events"]
    line = next((event for event in reversed(told) if event.get("roll")), told[-1] if told else None)
    return {
        "at": number,
        "before": chances[number - 1],
        "after": chances[number],
        "text": line["text"] if line else None,
    }


def rewound(whole: Battle[Any], count: int) -> Battle[Any]:
    at = whole.fork()
    at.undo(len(at.answers) - count)
    return at


def _said(at: Battle[Any], given: Answer) -> list[Any]:
    """What was chosen, in the words of the question: for each option its label, or the name of what it stands for."""
    ask = next((ask for ask in at.decisions if ask.side == given.side), None)
    options = getattr(ask, "options", {})
    chosen = [given.answer] if isinstance(given.answer, str) else given.answer
    keys = [key for key in chosen if isinstance(key, str) and key in options] if isinstance(chosen, list) else []
    names = lambda key: at.game.name(at.state, key)  # noqa: E731
    return [localise(options[key].label, at.game.id, names) or both(key, at.game.id, names) for key in keys]


def _frame(at: Battle[Any], since: int, whole: Battle[Any]) -> dict[str, Any]:
    frame = view(at, None, since, data=False)
    number = len(at.answers)
    asked = [{"side": ask.side, "prompt": ask.prompt, "rules": ask.rules, "about": ask.about} for ask in at.decisions]
    given = whole.answers[number] if number < len(whole.answers) else None
    return {
        **frame,
        "decisions": [],
        "asked": localise(asked, at.game.id, lambda key: at.game.name(at.state, key)),
        "answered": {"side": given.side, "answer": given.answer, "said": _said(at, given)} if given else None,
    }


def _read(text: bytes) -> record.Record:
    """A record from anywhere: whatever is wrong with it is told, never thrown."""
    try:
        read = record.read(text.decode())
    except UnicodeDecodeError:
        raise fault("server.record-utf-8-text") from None
    if len(read.lines) > ANSWERS:
        raise fault("server.answers-at-most-are-read", answers=ANSWERS, lines=len(read.lines))
    setup = read.header.setup
    bounded({"sides": setup.sides, "scenario": setup.scenario, "scene": setup.scene, "options": setup.options})
    if len(setup.script) > ANSWERS:
        raise fault("server.scripted-dice-at-most", answers=ANSWERS, script=len(setup.script))
    return read


def _played(text: bytes) -> Battle[Any]:
    read = _read(text)
    with from_outside("server.record-cannot-be-played"):
        return record.replay(read)


def taken_up(whole: Battle[Any], at: int) -> dict[str, Any]:
    """What a new table needs to go on from frame `at`."""
    if at > len(whole.answers):
        raise fault("server.there-no-frame", at=at)
    return {
        "game": whole.game.id,
        "setup": msgspec.json.encode(whole.setup),
        "answers": [(one.side, msgspec.json.encode(one.answer), one.anew) for one in whole.answers[:at]],
    }
