"""What browser and server say to each other, as types: `docs/protocol.md` says what it means.

`web/src/protocol.ts` is written from this module (`scripts/protocol-types`), in this order; tests read what a server
really sends as these types. A field that may be left out is `UNSET`; every other is always there.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from umpire.engine.decisions.asking import Region, Stretch
from umpire.engine.decisions.declaring import Part
from umpire.engine.decisions.forms import Form, Goal, Held, Leg, Manner, ModelSpot, Moved, Placed, Spot
from umpire.engine.dice import Roll
from umpire.engine.picture import (
    Arm,
    Block,
    Card,
    Fact,
    Marker,
    Phase,
    Picture,
    Piece,
    Purse,
    Shape,
    TerrainPiece,
    Value,
    Zone,
)
from umpire.text import Language

Lang: TypeAlias = Language
Side: TypeAlias = Annotated[int, Meta(title="Side")]
Json: TypeAlias = Any
Point: TypeAlias = tuple[float, float]
Point3: TypeAlias = tuple[float, float, float]
Level: TypeAlias = Literal["easy", "normal", "hard"]


class Wire(Struct, kw_only=True, forbid_unknown_fields=True):
    """What is sent: every field is known."""


class Text(Wire, kw_only=True):
    """A text in both languages."""

    zh: str
    en: str
    key: str | UnsetType = UNSET


# -- the table -----------------------------------------------------------------------------------------------------

PICTURE = (Shape, Piece, Block, TerrainPiece, Marker, Zone, Value, Fact, Arm, Purse, Card, Phase, Picture)
"""Sent whole: every field is there."""


class Change(Wire, kw_only=True):
    """A step from the base of a value to what it is now."""

    op: str
    value: float
    rule: str | UnsetType = UNSET
    source: str | Text | UnsetType = UNSET
    result: float | UnsetType = UNSET


# -- questions -----------------------------------------------------------------------------------------------------

FORMS = (Spot, ModelSpot, Goal, Leg, Placed, Moved, Manner, Held, Form, Region)
SPARSE = (Part, Stretch, Roll)
"""Sent without what has its usual value."""


class Option(Wire, kw_only=True):
    """Something that may be chosen: its id is the answer; `refs` are the pieces that should glow on the table.

    `unit` is whose deed it is, `deed` what it is called without the unit's name; `drag`: moving the unit chooses it;
    `drop`: letting go of the unit on another chooses it."""

    id: str
    label: Text
    refs: list[str] | UnsetType = UNSET
    rules: list[str] | UnsetType = UNSET
    data: dict[str, Json] | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    deed: Text | UnsetType = UNSET
    drag: bool | UnsetType = UNSET
    drop: bool | UnsetType = UNSET
    stands: dict[str, Stretch] | UnsetType = UNSET
    """Where pieces would stand if it is chosen."""
    ends: bool | UnsetType = UNSET
    """The phase is over with it."""
    passes: bool | UnsetType = UNSET
    """What is offered is declined with it, and nothing else happens."""
    vain: bool | UnsetType = UNSET
    """It may be done, and comes to nothing whatever the dice say."""


class Row(Wire, kw_only=True):
    """One line of a declaration: what has to be chosen for it, by name, and how many it may and must spend.

    Rows of one `group` are alike but for whose they are."""

    id: str
    label: Text
    group: Text | UnsetType = UNSET
    choices: dict[str, list[Option]]
    count: int | UnsetType = UNSET
    least: int | UnsetType = UNSET
    refs: list[str] | UnsetType = UNSET
    rules: list[str] | UnsetType = UNSET


class Hand(Wire, kw_only=True):
    """What a hand holds when a question is put: where its pieces stand or would usually stand, if that is not where
    they are drawn, and what leads them."""

    stands: dict[str, Stretch]
    lead: Stretch | None


class Asked(Wire, kw_only=True):
    """What every question says."""

    side: Side
    prompt: Text
    rules: list[str]
    about: str
    guide: Text | UnsetType = UNSET
    """What a newcomer to the game is told when this is asked."""
    preparing: bool | UnsetType = UNSET
    """It belongs to setting up, which a newcomer may leave to the umpire."""
    detail: bool | UnsetType = UNSET
    """It asks how a thing is done that has been chosen, and has a usual answer, which a table gives by itself unless
    the player wants to be asked."""
    data: dict[str, Json] | UnsetType = UNSET


class Choose(Asked, kw_only=True, tag_field="kind", tag="choose"):
    options: list[Option]
    default: str | UnsetType = UNSET
    refused: dict[str, list[Json]] | UnsetType = UNSET


class ChooseSeveral(Asked, kw_only=True, tag_field="kind", tag="choose-several"):
    options: list[Option]
    least: int
    most: int
    default: list[str] | UnsetType = UNSET


class Place(Asked, kw_only=True, tag_field="kind", tag="place"):
    form: Form
    hand: Hand
    default: Placed | UnsetType = UNSET


class Move(Asked, kw_only=True, tag_field="kind", tag="move"):
    form: Form
    hand: Hand
    default: Moved | UnsetType = UNSET


class Face(Asked, kw_only=True, tag_field="kind", tag="face"):
    form: Form
    default: float | UnsetType = UNSET


class Order(Asked, kw_only=True, tag_field="kind", tag="order"):
    options: list[Option]


class Split(Asked, kw_only=True, tag_field="kind", tag="split"):
    total: int
    parts: dict[str, tuple[int, int]]
    default: dict[str, int] | UnsetType = UNSET


class Confirm(Asked, kw_only=True, tag_field="kind", tag="confirm"):
    pass


class TypeDice(Asked, kw_only=True, tag_field="kind", tag="dice"):
    count: int
    sides: int


class Declare(Asked, kw_only=True, tag_field="kind", tag="declare"):
    rows: list[Row]
    default: list[Part]


Decision: TypeAlias = (
    Choose | ChooseSeveral | Place | Move | Face | Order | Split | Confirm | TypeDice | Declare
)  # fmt: skip


# -- what happens --------------------------------------------------------------------------------------------------


class GameEvent(Wire, kw_only=True):
    """One thing that happened, with its dice, its rules and its sentence."""

    n: int
    kind: str
    text: Text
    rules: list[str] | UnsetType = UNSET
    facts: dict[str, Json] | UnsetType = UNSET
    roll: Roll | UnsetType | None = UNSET
    seen: list[int] | UnsetType = UNSET


class Outcome(Wire, kw_only=True):
    winner: Side | None
    score: list[float]
    rules: list[str]
    key: str
    facts: dict[str, Json]


class Seat(Wire, kw_only=True):
    side: Side
    kind: Literal["person", "computer", "open"]
    name: str | None
    army: Text | None
    level: Level | None
    connected: bool


class Fairness(Wire, kw_only=True):
    """Each seat commits to its luck by a hash when it comes; `owing` are those who are to tell it now."""

    commitment: str
    hashes: list[str]
    owing: list[Side]
    contributions: list[str]
    withheld: list[Side]
    secret: str


class Clock(Wire, kw_only=True):
    kind: Literal["move", "chess", "battle"]
    seconds: float
    increment: float
    falls: Literal["remind", "computer", "lose"]
    left: tuple[float, float]
    running: list[Side]
    fell: list[Side]


class Takeback(Wire, kw_only=True):
    """Who asks to go back, and to how many answers."""

    side: Side
    answers: int


class TableInfo(Wire, kw_only=True):
    id: str
    game: str
    names: Text
    guide: bool
    started: bool
    watchers: int
    seats: list[Seat]
    takeback: Takeback | None
    over: bool
    stopped: Text | None
    clock: Clock | None
    fairness: Fairness | None


class Seen(Wire, kw_only=True):
    """What a side may know of a battle."""

    game: str
    side: Side | None
    picture: Picture
    decisions: list[Decision]
    waiting: list[Side]
    may_undo: bool
    answers: int
    events: list[GameEvent]
    outcome: Outcome | None


class View(Seen, kw_only=True):
    table: TableInfo


class Put(Wire, kw_only=True):
    """What was asked in a frame of a replay."""

    side: Side
    prompt: Text
    rules: list[str]


class Given(Wire, kw_only=True):
    """`said` are the words of the options that were chosen."""

    side: Side
    answer: Json
    said: list[Text]


class Frame(Seen, kw_only=True):
    asked: list[Put]
    answered: Given | None


# -- the umpire's word ---------------------------------------------------------------------------------------------


class Reason(Wire, kw_only=True):
    """Why something is forbidden; `at` is the part of an answer that it stands against."""

    rule: str
    facts: dict[str, Json]
    text: Text
    at: str | UnsetType = UNSET


class OddsLine(Wire, kw_only=True):
    label: Text
    value: float | str
    chance: bool | UnsetType = UNSET


class Odds(Wire, kw_only=True):
    title: Text
    lines: list[OddsLine]
    dists: dict[str, list[float]] | UnsetType = UNSET


class Ruling(Wire, kw_only=True):
    """Everything about a wish. What follows `nearest` is of what would be done: of the wish, or of the `nearest` that
    is legal where it is refused."""

    legal: bool
    reasons: list[Reason]
    nearest: Json
    path: dict[str, list[Stretch]]
    """The legs of every piece that moves; of a block by its unit, as the middle of its front goes."""
    cost: float
    """Inches that the dearest of the ways costs."""
    stands: dict[str, Stretch]
    """Where every piece would stand."""
    lead: Stretch | None
    """What leads them: the piece, the middle of a loose unit, the middle of a block's front."""
    spelt: Json
    """The same answer with its way spelt out, leg by leg, so that a hand can go on from there."""
    odds: Odds | None
    seen_by: list[str]
    """The enemies that would see what moves where it ends."""


class Blocker(Wire, kw_only=True):
    id: str
    name: Text
    at: Point3


class Thread(Wire, kw_only=True):
    """Whether one thing sees another, by which rules of the game, and what the thread between them meets."""

    clear: bool
    cover: bool
    rules: list[str]
    line: tuple[Point3, Point3]
    blockers: list[Blocker]


class Measured(Wire, kw_only=True):
    distance: float
    horizontal: float
    vertical: float
    line: tuple[Point3, Point3]
    rules: list[str]
    sight: Thread | None


class Chat(Wire, kw_only=True, rename={"sender": "from"}):
    n: int
    sender: Side | None
    name: str | None
    text: str
    at: int


ErrorCode: TypeAlias = Literal[
    "bad-message", "not-asked", "stale", "refused", "forbidden", "too-fast", "too-large", "internal"
]

# -- from the server -----------------------------------------------------------------------------------------------


class ViewMessage(Wire, kw_only=True, tag_field="type", tag="view"):
    view: View


class UpdateMessage(Wire, kw_only=True, tag_field="type", tag="update"):
    view: View
    id: int | UnsetType = UNSET


class TableMessage(Wire, kw_only=True, tag_field="type", tag="table"):
    table: TableInfo


class RulingMessage(Wire, kw_only=True, tag_field="type", tag="ruling"):
    id: int
    ruling: Ruling


class ReachMessage(Wire, kw_only=True, tag_field="type", tag="reach"):
    id: int
    regions: list[Region]


class SuggestionMessage(Wire, kw_only=True, tag_field="type", tag="suggestion"):
    id: int
    answer: Json


class Follows(Wire, kw_only=True):
    """The question that an option leads to at once, and by its options the questions after it."""

    ask: Decision
    then: dict[str, Follows]


class AheadMessage(Wire, kw_only=True, tag_field="type", tag="ahead"):
    id: int
    ahead: dict[str, Follows]


class HintMessage(Wire, kw_only=True, tag_field="type", tag="hint"):
    id: int
    answer: Json
    text: Text


class MeasuredMessage(Measured, kw_only=True, tag_field="type", tag="measured"):
    id: int


class ChatMessage(Chat, kw_only=True, tag_field="type", tag="chat", rename={"sender": "from"}):
    pass


class ErrorMessage(Wire, kw_only=True, tag_field="type", tag="error"):
    code: ErrorCode
    text: Text
    id: int | UnsetType = UNSET


FromServer: TypeAlias = (
    ViewMessage | UpdateMessage | TableMessage | RulingMessage | ReachMessage | SuggestionMessage
    | AheadMessage | HintMessage | MeasuredMessage | ChatMessage | ErrorMessage
)  # fmt: skip
