"""The bot protocol: a battle as JSON lines between Umpire and a player written in any language (docs/players.md).

Umpire says hello, then for every question what has happened since (`events`) and the question (`decision`); the bot
answers, or asks for a ruling first (`check`). `result` ends it. Every line is one JSON object with a `type`.
"""

from __future__ import annotations

import queue
import threading
import time
from contextlib import suppress
from typing import IO, Any, Literal, TypeAlias

import msgspec

from umpire import __version__
from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Json
from umpire.engine.explain import ruling_wire
from umpire.engine.rng import Rng
from umpire.engine.schemas import headed
from umpire.engine.view import decision_wire, event_wire, numbered, view
from umpire.errors import UmpireError
from umpire.players.player import Player, Random

VERSION = 1
SECONDS = 10.0
"""How long a bot may take over one decision, its checks included, and over its hello."""
LONGEST = 1_000_000
"""No line of a bot is longer, in bytes."""
AHEAD = 64
"""So many lines of a bot are kept until they are wanted; one that writes more must wait."""
PATIENCE = 2.0
"""So long may a bot take to hear the last line and to end itself, in seconds."""
SUGGESTIONS = 8


class BotHello(msgspec.Struct, tag="hello"):
    """The bot's first line. With `view`, every decision brings what the side sees of the battle."""

    protocol: int
    name: str = "bot"
    view: bool = False


class BotAnswer(msgspec.Struct, tag="answer"):
    """The answer to decision `n`."""

    n: int
    answer: Any


class BotCheck(msgspec.Struct, tag="check"):
    """Would this be legal? Nothing changes."""

    n: int
    answer: Any


FromBot: TypeAlias = BotHello | BotAnswer | BotCheck


class Hello(msgspec.Struct, tag="hello"):
    """Umpire's first line: `seconds` for each decision."""

    protocol: int
    umpire: str
    game: str
    side: int
    seconds: float


class Events(msgspec.Struct, tag="events"):
    """What has happened since the last question, as far as this side may know it."""

    events: list[dict[str, Any]]


class Question(msgspec.Struct, tag="decision", omit_defaults=True):
    """A question as in `umpire schema decision`, legal answers to pick from, and the JSON Schema of its answers."""

    n: int
    decision: dict[str, Any]
    suggestions: list[Any]
    answer_schema: dict[str, Any]
    view: dict[str, Any] | None = None


class Said(msgspec.Struct, tag="ruling", kw_only=True):
    """The word on a check, or on an answer that was refused: then the question is still open."""

    n: int
    legal: bool
    reasons: list[dict[str, Any]]
    nearest: Any = None


class Result(msgspec.Struct, tag="result"):
    """The last line. `seat` is "random" where the bot lost its seat, and `why` says how."""

    outcome: dict[str, Any] | None
    seat: Literal["bot", "random"]
    why: str = ""


ToBot: TypeAlias = Hello | Events | Question | Said | Result

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(FromBot).decode


def schema() -> dict[str, Any]:
    """The JSON Schema of every line, from either end."""
    kinds = {"umpire": [Hello, Events, Question, Said, Result], "bot": [BotHello, BotAnswer, BotCheck]}
    found, defs = msgspec.json.schema_components(
        [kind for group in kinds.values() for kind in group], ref_template="#/$defs/{name}"
    )
    split = len(kinds["umpire"])
    defs["FromUmpire"] = {"description": "what Umpire writes", "anyOf": list(found[:split])}
    defs["FromBot"] = {"description": "what a bot writes", "anyOf": list(found[split:])}
    body = {
        "description": f"JSON lines of the bot protocol, version {VERSION}",
        "anyOf": [{"$ref": "#/$defs/FromUmpire"}, {"$ref": "#/$defs/FromBot"}],
        "$defs": defs,
    }
    return headed("bot", body)


class Lost(Exception):  # noqa: N818 - what became of the bot
    """The bot was slow, garbled or dead: it loses its seat."""


class Line:
    """Both ends of the wire to a bot. Neither reading nor writing ever waits longer than it may, whatever the bot does:
    each end has a thread of its own."""

    def __init__(self, reads: IO[bytes], writes: IO[bytes]) -> None:
        self._heard: queue.Queue[bytes] = queue.Queue(AHEAD)
        self._to_say: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        threading.Thread(target=self._listen, args=(reads,), daemon=True).start()
        self._speaker = threading.Thread(target=self._speak, args=(writes,), daemon=True)
        self._speaker.start()

    def _listen(self, reads: IO[bytes]) -> None:
        line = b"more"
        while line and not self._closed.is_set():
            try:
                line = reads.readline(LONGEST)
            except (OSError, ValueError):
                line = b""
            self._heard.put(line)

    def _speak(self, writes: IO[bytes]) -> None:
        while (line := self._to_say.get()) is not None:
            try:
                writes.write(line)
                writes.flush()
            except (OSError, ValueError):
                return

    def say(self, message: ToBot) -> None:
        self._to_say.put(_encode(message) + b"\n")

    def close(self, patience: float) -> None:
        """Say what is still to be said, as long as patience lasts, and listen no more."""
        self._to_say.put(None)
        self._speaker.join(patience)
        self._closed.set()
        with suppress(queue.Empty):
            while True:
                self._heard.get_nowait()

    def hear(self, deadline: float) -> FromBot:
        try:
            line = self._heard.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise Lost("it was too slow") from None
        if not line:
            raise Lost("it hung up")
        try:
            message: FromBot = _decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise Lost(f"it is garbled: {str(error)[:200]}") from None
        return message


class Bot(Player):
    """A player at the other end of a line. If the bot is lost, chance plays its seat on, and the battle goes on."""

    name = "bot"

    def __init__(self, line: Line, seed: int = 0, seconds: float = SECONDS) -> None:
        super().__init__(seed)
        self.line = line
        self.seconds = seconds
        self.lost = ""
        self.hello: BotHello | None = None
        self._stand_in = Random(seed)
        self._told = 0
        self._finished = False

    def choose(self, battle: Battle[Any], side: int, decision: Decision) -> Json:
        if not self.lost:
            try:
                return self._ask(battle, side, decision)
            except Lost as lost:
                self.lost = str(lost)
        return self._stand_in.choose(battle, side, decision)

    def _ask(self, battle: Battle[Any], side: int, decision: Decision) -> Json:
        deadline = time.monotonic() + self.seconds
        if self.hello is None:
            self.hello = self._greet(battle.game.id, side, deadline)
        self._tell(battle, side)
        n = len(battle.answers)

        def names(key: str) -> Any:
            return battle.game.name(battle.state, key)

        self.line.say(
            Question(
                n,
                decision_wire(decision, battle.game.id, names),
                decision.suggestions(Rng(self.rng.below(1 << 32)), SUGGESTIONS),
                decision.schema(),
                view(battle, side, len(battle.events)) if self.hello.view else None,
            )
        )
        while True:
            said = self.line.hear(deadline)
            if isinstance(said, BotHello) or said.n != n:
                raise Lost(f"it is garbled: an answer or check of decision {n} was wanted")
            ruling = battle.check(said.answer, side)
            if isinstance(said, BotAnswer) and ruling:
                return said.answer
            self.line.say(Said(n=n, **ruling_wire(ruling, battle.game.id, names)))

    def _greet(self, game: str, side: int, deadline: float) -> BotHello:
        self.line.say(Hello(VERSION, __version__, game, side, self.seconds))
        hello = self.line.hear(deadline)
        if not isinstance(hello, BotHello):
            raise Lost("it is garbled: its first line must be a hello")
        if hello.protocol != VERSION:
            raise Lost(f"it speaks protocol {hello.protocol}, not {VERSION}")
        return hello

    def _tell(self, battle: Battle[Any], side: int) -> None:
        def names(key: str) -> Any:
            return battle.game.name(battle.state, key)

        new = [
            event_wire(event, number, battle.game.id, names)
            for number, event in numbered(battle.events, side, self._told)
        ]
        self._told = len(battle.events)
        if new:
            self.line.say(Events(new))

    def finish(self, battle: Battle[Any], side: int) -> None:
        """Tell the bot how the battle ended, if it is still there to hear it."""
        if self._finished:
            return
        self._finished = True
        outcome = msgspec.to_builtins(battle.outcome) if battle.outcome else None
        if not self.lost:
            self._tell(battle, side)
        self.line.say(Result(outcome, "random" if self.lost else "bot", self.lost))
        self.line.close(0.0 if self.lost else PATIENCE)


def host(battle: Battle[Any], side: int, bot: Bot, against: Player) -> None:
    """Play a battle between a bot and another player to its end."""
    from umpire.players.player import play

    seats: list[Player] = [against, against]
    seats[side] = bot
    try:
        play(battle, seats)
    except UmpireError:
        bot.lost = bot.lost or "the battle could not go on"
        raise
    finally:
        bot.finish(battle, side)
