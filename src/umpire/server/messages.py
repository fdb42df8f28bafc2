"""What clients send, as types: what does not fit is refused before anything looks at it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw

from umpire.server.clocks import ClockRules
from umpire.server.problems import bad_message

MESSAGE_LIMIT = 64 * 1024
TABLE_LIMIT = 256 * 1024
RECORD_LIMIT = 8 * 1024 * 1024
SCENE_LIMIT = 512 * 1024

Number = Annotated[int, Meta(ge=0, le=2**53)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Side = Annotated[int, Meta(ge=0, le=1)]
Name = Annotated[str, Meta(max_length=24)]
Key = Annotated[str, Meta(min_length=1, max_length=80)]
Level = Literal["easy", "normal", "hard"]
Coordinate = Annotated[float, Meta(ge=-1000, le=1000)]


class _Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class _Message(_Strict, tag_field="type"):
    pass


class _About(_Message):
    """A question about the open decision: `n` is the `answers` of the view that the client looks at."""

    id: Number
    n: Count


class Answer(_About, tag="answer"):
    answer: Raw


class Check(_About, tag="check"):
    """`first`: the answers after which it would be given, by which no die falls and nothing hidden comes out."""

    answer: Raw
    first: Annotated[list[Raw], Meta(max_length=4)] = []


class Reach(_About, tag="reach"):
    pass


class Suggest(_About, tag="suggest"):
    pass


class Ahead(_About, tag="ahead"):
    """What would be asked next, by the options of the open question."""


class Hint(_About, tag="hint"):
    pass


class Point(_Strict):
    x: Coordinate
    y: Coordinate
    z: Coordinate = 0.0


class Measure(_Message, tag="measure", rename={"start": "from", "end": "to"}):
    id: Number
    start: Key | Point
    end: Key | Point


class Undo(_Message, tag="undo"):
    n: Count
    id: Number | None = None


class Takeback(_Message, tag="takeback"):
    accept: bool | None = None
    id: Number | None = None


class Resign(_Message, tag="resign"):
    id: Number | None = None


class Chat(_Message, tag="chat"):
    text: Annotated[str, Meta(min_length=1, max_length=500)]
    id: Number | None = None


class Join(_Message, tag="join"):
    """The first message: the seat's token, and the hash of the luck that the player adds to the dice."""

    token: Annotated[str, Meta(max_length=64)]
    hash: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""


class Luck(_Message, tag="luck"):
    """The luck that was committed to; null where it cannot be told any more."""

    luck: Annotated[str, Meta(min_length=1, max_length=64, pattern="^[ -~]*$")] | None
    id: Number | None = None


class Orders(_Message, tag="orders"):
    """Answers that are given for a player whenever a question of that kind is put, by the key of its prompt."""

    orders: Annotated[dict[Key, Any], Meta(max_length=40)]
    id: Number | None = None


class Rename(_Message, tag="name"):
    name: Name
    id: Number | None = None


About = Check | Reach | Suggest | Ahead
Message = (
    Answer | Check | Reach | Suggest | Ahead | Hint | Measure | Undo | Takeback | Resign | Chat | Rename | Luck | Orders
)


class Seat(_Strict):
    kind: Literal["person", "computer", "open"]
    army: Any = "random"
    level: Level | None = None
    name: Name | None = None


class NewTable(_Strict):
    game: Key
    seats: Annotated[list[Seat], Meta(min_length=2, max_length=2)]
    scenario: Any = None
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None
    options: Annotated[dict[str, Any], Meta(max_length=60)] = {}
    dice: Literal["seed", "typed"] = "seed"
    guide: bool = False
    clock: ClockRules | None = None
    listed: bool = False
    """Open seats may be taken by anybody who looks into the lobby."""
    without: Annotated[list[Key], Meta(max_length=200)] = []
    """House rules: the rules that this table plays without."""


class NewReplay(_Strict):
    record: str


class Fork(_Strict):
    at: Count
    side: Side
    level: Level | None = None


class LabScene(_Strict):
    """The text of a scene."""

    scene: str


class LabQuestion(_Strict):
    """A question at the end of a scene, as a seat asks it at a table; or `{type: "wish", wish: …}`: any deed."""

    scene: str
    question: Raw
    side: Side | None = None


class LabTable(_Strict):
    """A table that goes on from the end of a scene."""

    scene: str
    seats: Annotated[list[Seat], Meta(min_length=2, max_length=2)]


T = TypeVar("T")

_join: msgspec.json.Decoder[Join] = msgspec.json.Decoder(Join)
_message: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


def read_message(data: str | bytes) -> Message:
    try:
        return _message.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise bad_message(str(error)[:200]) from None


def read_join(data: str | bytes) -> Join:
    try:
        return _join.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise bad_message(str(error)[:200]) from None


def read_body(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise bad_message(str(error)[:200]) from None
