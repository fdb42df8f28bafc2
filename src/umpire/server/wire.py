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
from umpire.engine.picture import Block, Card, Marker, Phase, Picture, Piece, Shape, TerrainPiece, Value, Zone

Lang: TypeAlias = Literal["zh", "en"]
Side: TypeAlias = Annotated[int, Meta(title="Side")]
Json: TypeAlias = Any
Point: TypeAlias = tuple[float, float]
Point3: TypeAlias = tuple[float, float, float]
Level: TypeAlias = Literal["easy", "normal", "hard"]


class _Wire(Struct, kw_only=True, forbid_unknown_fields=True):
    pass


class Text(_Wire, kw_only=True):
    """A text in both languages."""

    zh: str
    en: str
    key: str | UnsetType = UNSET


# -- the table -----------------------------------------------------------------------------------------------------

PICTURE = (Shape, Piece, Block, TerrainPiece, Marker, Zone, Value, Card, Phase, Picture)
"""Sent whole: every field is there."""


class Change(_Wire, kw_only=True):
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


class Option(_Wire, kw_only=True):
    """Something that may be chosen: its id is the answer; `refs` are the pieces that should glow on the table.

    `unit` is whose deed it is, `deed` what it is called without the unit's name; `drag`: moving the unit chooses it."""

    id: str
    label: Text
    refs: list[str] | UnsetType = UNSET
    rules: list[str] | UnsetType = UNSET
    data: dict[str, Json] | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    deed: Text | UnsetType = UNSET
    drag: bool | UnsetType = UNSET
    stands: dict[str, Stretch] | UnsetType = UNSET
    """Where pieces would stand if it is chosen."""
    ends: bool | UnsetType = UNSET
    """The phase is over with it."""
    passes: bool | UnsetType = UNSET
    """What is offered is declined with it, and nothing else happens."""
    vain: bool | UnsetType = UNSET
    """It may be done, and comes to nothing whatever the dice say."""


class Row(_Wire, kw_only=True):
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


class Hand(_Wire, kw_only=True):
    """What a hand holds when a question is put: where its pieces stand or would usually stand, if that is not where
    they are drawn, and what leads them."""

    stands: dict[str, Stretch]
    lead: Stretch | None


class Asked(_Wire, kw_only=True):
    """What every question says."""

    side: Side
    prompt: Text
    rules: list[str]
    about: str
    guide: Text | UnsetType = UNSET
    """What a newcomer to the game is told when this is asked."""
    preparing: bool | UnsetType = UNSET
    """It belongs to setting up, which a newcomer may leave to the umpire."""
    data: dict[str, Json] | UnsetType = UNSET


class Choose(Asked, kw_only=True, tag_field="kind", tag="choose"):
    options: list[Option]
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


class GameEvent(_Wire, kw_only=True):
    """One thing that happened, with its dice, its rules and its sentence."""

    n: int
    kind: str
    text: Text
    rules: list[str] | UnsetType = UNSET
    facts: dict[str, Json] | UnsetType = UNSET
    roll: Roll | UnsetType | None = UNSET
    seen: list[int] | UnsetType = UNSET


class Outcome(_Wire, kw_only=True):
    winner: Side | None
    score: list[float]
    rules: list[str]
    key: str
    facts: dict[str, Json]


class Seat(_Wire, kw_only=True):
    side: Side
    kind: Literal["person", "computer", "open"]
    name: str | None
    army: Text | None
    level: Level | None
    connected: bool


class Fairness(_Wire, kw_only=True):
    """Each seat commits to its luck by a hash when it comes; `owing` are those who are to tell it now."""

    commitment: str
    hashes: list[str]
    owing: list[Side]
    contributions: list[str]
    withheld: list[Side]
    secret: str


class Clock(_Wire, kw_only=True):
    kind: Literal["move", "chess", "battle"]
    seconds: float
    increment: float
    falls: Literal["remind", "computer", "lose"]
    left: tuple[float, float]
    running: list[Side]
    fell: list[Side]


class Takeback(_Wire, kw_only=True):
    """Who asks to go back, and to how many answers."""

    side: Side
    answers: int


class TableInfo(_Wire, kw_only=True):
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


class Seen(_Wire, kw_only=True):
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


class Put(_Wire, kw_only=True):
    """What was asked in a frame of a replay."""

    side: Side
    prompt: Text
    rules: list[str]


class Given(_Wire, kw_only=True):
    side: Side
    answer: Json


class Frame(Seen, kw_only=True):
    asked: list[Put]
    answered: Given | None


# -- the umpire's word ---------------------------------------------------------------------------------------------


class Reason(_Wire, kw_only=True):
    """Why something is forbidden; `at` is the part of an answer that it stands against."""

    rule: str
    facts: dict[str, Json]
    text: Text
    at: str | UnsetType = UNSET


class OddsLine(_Wire, kw_only=True):
    label: Text
    value: float | str
    chance: bool | UnsetType = UNSET


class Odds(_Wire, kw_only=True):
    title: Text
    lines: list[OddsLine]
    dists: dict[str, list[float]] | UnsetType = UNSET


class Ruling(_Wire, kw_only=True):
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


class Blocker(_Wire, kw_only=True):
    id: str
    name: Text
    at: Point3


class Thread(_Wire, kw_only=True):
    """Whether one thing sees another, by which rules of the game, and what the thread between them meets."""

    clear: bool
    cover: bool
    rules: list[str]
    line: tuple[Point3, Point3]
    blockers: list[Blocker]


class Measured(_Wire, kw_only=True):
    distance: float
    horizontal: float
    vertical: float
    line: tuple[Point3, Point3]
    rules: list[str]
    sight: Thread | None


class Chat(_Wire, kw_only=True, rename={"sender": "from"}):
    n: int
    sender: Side | None
    name: str | None
    text: str
    at: int


ErrorCode: TypeAlias = Literal[
    "bad-message", "not-asked", "stale", "refused", "forbidden", "too-fast", "too-large", "internal"
]

# -- from the server -----------------------------------------------------------------------------------------------


class ViewMessage(_Wire, kw_only=True, tag_field="type", tag="view"):
    view: View


class UpdateMessage(_Wire, kw_only=True, tag_field="type", tag="update"):
    view: View
    id: int | UnsetType = UNSET


class TableMessage(_Wire, kw_only=True, tag_field="type", tag="table"):
    table: TableInfo


class RulingMessage(_Wire, kw_only=True, tag_field="type", tag="ruling"):
    id: int
    ruling: Ruling


class ReachMessage(_Wire, kw_only=True, tag_field="type", tag="reach"):
    id: int
    regions: list[Region]


class SuggestionMessage(_Wire, kw_only=True, tag_field="type", tag="suggestion"):
    id: int
    answer: Json


class HintMessage(_Wire, kw_only=True, tag_field="type", tag="hint"):
    id: int
    answer: Json
    text: Text


class MeasuredMessage(Measured, kw_only=True, tag_field="type", tag="measured"):
    id: int


class ChatMessage(Chat, kw_only=True, tag_field="type", tag="chat", rename={"sender": "from"}):
    pass


class ErrorMessage(_Wire, kw_only=True, tag_field="type", tag="error"):
    code: ErrorCode
    text: Text
    id: int | UnsetType = UNSET


FromServer: TypeAlias = (
    ViewMessage | UpdateMessage | TableMessage | RulingMessage | ReachMessage | SuggestionMessage | HintMessage
    | MeasuredMessage | ChatMessage | ErrorMessage
)  # fmt: skip

# -- over HTTP -----------------------------------------------------------------------------------------------------


class Entry(_Wire, kw_only=True):
    """A unit of an army list and what it costs."""

    name: Text
    points: float


class Army(_Wire, kw_only=True):
    """A ready army list; `options` are those of a battle of its size."""

    id: str
    name: Text
    faction: Text | str | UnsetType = UNSET
    points: float | UnsetType = UNSET
    options: dict[str, Json] | UnsetType = UNSET
    units: list[Entry] | UnsetType = UNSET


class Scenario(_Wire, kw_only=True):
    id: str
    name: Text
    text: Text | UnsetType = UNSET


class Choice(_Wire, kw_only=True):
    """A value of an option, by name."""

    id: str
    name: Text


class Setting(_Wire, kw_only=True):
    """An option of a battle."""

    id: str
    name: Text
    values: list[Choice | str | float | bool]
    default: Json
    rule: str | UnsetType = UNSET
    """It is a disputed reading, and this the rule that it is about."""
    text: Text | UnsetType = UNSET
    """What it asks, in a sentence."""


class Try(_Wire, kw_only=True):
    """Something to try in a first turn; it is done with an answer to one of these questions (`prompt` or
    `prompt:beginning of the answer`)."""

    asks: list[str]
    text: Text


class First(_Wire, kw_only=True):
    """What a first battle is set up with: two small armies, the options for them, and what to try first."""

    armies: list[str]
    options: dict[str, Json]
    tries: list[Try]


class Library(_Wire, kw_only=True):
    armies: list[Army] | UnsetType = UNSET
    scenarios: list[Scenario] | UnsetType = UNSET
    options: list[Setting] | UnsetType = UNSET
    first: First | UnsetType | None = UNSET


class GameInfo(_Wire, kw_only=True):
    id: str
    names: Text
    library: Library


class Link(_Wire, kw_only=True):
    side: Side
    token: str


class Created(_Wire, kw_only=True):
    table: str
    links: list[Link]
    watch: str
    commitment: str


class Summary(_Wire, kw_only=True):
    table: str
    game: str
    names: Text
    scenario: Text | None
    seats: list[Seat]
    answers: int
    over: bool
    started: bool
    fairness: Fairness
    outcome: Outcome | None
    track: list[Text]


class RuleHead(_Wire, kw_only=True):
    id: str
    game: str
    en: str
    zh: str
    kind: str | UnsetType = UNSET


class Rule(RuleHead, kw_only=True):
    text: str
    text_zh: str
    lines: str
    needs: list[str]
    neighbours: tuple[RuleHead | None, RuleHead | None]
    note: str | UnsetType | None = UNSET


class Turn(_Wire, kw_only=True):
    """A frame in which side 0's chance to win moved, from what to what, and what happened there."""

    at: int
    before: float
    after: float
    text: Text | None


class Story(_Wire, kw_only=True):
    """Side 0's chance to win in every frame, and where it moved most."""

    chances: list[float]
    turns: list[Turn]


class ReplayInfo(_Wire, kw_only=True):
    replay: str
    game: str
    names: Text
    scenario: Text | None
    frames: int


# -- the rules lab -------------------------------------------------------------------------------------------------


class LabRuling(_Wire, kw_only=True):
    """What the umpire said to an answer or a question of a scene, and the line of the text that put it."""

    line: int
    side: Side
    ask: Json
    answer: Json
    prompt: Text | None
    legal: bool
    reasons: list[Reason]


class LabFault(_Wire, kw_only=True):
    """What is wrong with the text of a scene, and in which line (0: nowhere in particular)."""

    line: int
    text: Text


class LabFailure(LabFault, kw_only=True):
    """What was expected and did not come."""

    field: str


class Handle(_Wire, kw_only=True):
    """Where a scene says where a piece stands: the path to its entry, and the form in which it does."""

    path: list[str | int]
    form: Literal["spot", "models", "points"]
    model: int


class Lab(_Wire, kw_only=True):
    """A scene carried out."""

    view: Seen | None
    rulings: list[LabRuling]
    failures: list[LabFailure]
    stopped: LabFault | None
    handles: dict[str, Handle]
    error: LabFault | None


class LabField(_Wire, kw_only=True):
    """A field of a scene: what it means, how it is filled in, and of entries which fields those have."""

    name: str
    about: Text
    kind: Literal["integer", "number", "text", "yes", "choice", "entry", "list", "data"]
    required: bool
    choices: list[Json]
    of: str | None


class LabStock(_Wire, kw_only=True):
    """Something that can be put on the table: an entry for that list of the position, about the point 0, 0."""

    into: str
    name: Text
    group: Text
    entry: dict[str, Json]


class LabDeed(_Wire, kw_only=True):
    id: str
    name: Text
    needs: list[str]
    may: list[str]


class LabGame(_Wire, kw_only=True):
    game: str
    names: Text
    fields: dict[str, list[LabField]]
    stock: list[LabStock]
    deeds: list[LabDeed]
    template: str
    """The text of a scene to begin with."""


class PuzzleHead(_Wire, kw_only=True):
    id: str
    game: str
    names: Text
    title: Text
    question: Text


class Puzzle(PuzzleHead, kw_only=True):
    """`scene` is the text without what tells how it ends, `solution` all of it."""

    ruling: Text
    rules: list[str]
    scene: str
    solution: str


class Wished(_Wire, kw_only=True):
    """The umpire's word on a wish: every rule against it, or none."""

    legal: bool
    reasons: list[Reason]
    nearest: Json
