"""What the server tells over HTTP, as types: menus, new tables, rules, replays and the rules lab. See `wire`."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from umpire.server.wire import Fairness, Json, Odds, Outcome, Reason, Seat, Seen, Side, Text, Wire


class Entry(Wire, kw_only=True):
    """A unit of an army list and what it costs."""

    name: Text
    points: float


class Army(Wire, kw_only=True):
    """A ready army list; `options` are those of a battle of its size."""

    id: str
    name: Text
    faction: Text | str | UnsetType = UNSET
    points: float | UnsetType = UNSET
    options: dict[str, Json] | UnsetType = UNSET
    units: list[Entry] | UnsetType = UNSET


class Scenario(Wire, kw_only=True):
    id: str
    name: Text
    text: Text | UnsetType = UNSET


class Choice(Wire, kw_only=True):
    """A value of an option, by name."""

    id: str
    name: Text


class Setting(Wire, kw_only=True):
    """An option of a battle."""

    id: str
    name: Text
    values: list[Choice | str | float | bool]
    default: Json
    rule: str | UnsetType = UNSET
    """It is a disputed reading, and this the rule that it is about."""
    text: Text | UnsetType = UNSET
    """What it asks, in a sentence."""


class Try(Wire, kw_only=True):
    """Something to try in a first turn; it is done with an answer to one of these questions (`prompt` or
    `prompt:beginning of the answer`)."""

    asks: list[str]
    text: Text


class First(Wire, kw_only=True):
    """What a first battle is set up with: two small armies, the options for them, and what to try first."""

    armies: list[str]
    options: dict[str, Json]
    tries: list[Try]


class Library(Wire, kw_only=True):
    armies: list[Army] | UnsetType = UNSET
    scenarios: list[Scenario] | UnsetType = UNSET
    options: list[Setting] | UnsetType = UNSET
    first: First | UnsetType | None = UNSET


class GameInfo(Wire, kw_only=True):
    id: str
    names: Text
    library: Library


class Link(Wire, kw_only=True):
    side: Side
    token: str


class Created(Wire, kw_only=True):
    table: str
    links: list[Link]
    watch: str
    commitment: str


class Summary(Wire, kw_only=True):
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


class RuleHead(Wire, kw_only=True):
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


class Turn(Wire, kw_only=True):
    """A frame in which side 0's chance to win moved, from what to what, and what happened there."""

    at: int
    before: float
    after: float
    text: Text | None


class Story(Wire, kw_only=True):
    """Side 0's chance to win in every frame, and where it moved most."""

    chances: list[float]
    turns: list[Turn]


class ReplayInfo(Wire, kw_only=True):
    replay: str
    game: str
    names: Text
    scenario: Text | None
    frames: int


# -- the rules lab -------------------------------------------------------------------------------------------------


class LabRuling(Wire, kw_only=True):
    """What the umpire said to an answer or a question of a scene, and the line of the text that put it."""

    line: int
    side: Side
    ask: Json
    using: Text | None
    """What people call that with which it would be done, where the game can tell."""
    answer: Json
    said: Text | None
    """The option that was answered."""
    prompt: Text | None
    legal: bool
    reasons: list[Reason]
    odds: Odds | None


class LabFault(Wire, kw_only=True):
    """What is wrong with the text of a scene, and in which line (0: nowhere in particular)."""

    line: int
    text: Text


class LabFailure(LabFault, kw_only=True):
    """What was expected and did not come."""

    field: str


class Handle(Wire, kw_only=True):
    """Where a scene says where a piece stands: the path to its entry, and the form in which it does."""

    path: list[str | int]
    form: Literal["spot", "models", "points"]
    model: int


class Lab(Wire, kw_only=True):
    """A scene carried out."""

    view: Seen | None
    rulings: list[LabRuling]
    failures: list[LabFailure]
    stopped: LabFault | None
    handles: dict[str, Handle]
    error: LabFault | None


class LabChoice(Wire, kw_only=True):
    """A value that a field can have, as the file writes it, and what it is called where that is not plain."""

    value: Json
    name: Text | None


class LabField(Wire, kw_only=True):
    """A field of a scene: what it means, how it is filled in, and of entries which fields those have."""

    name: str
    about: Text
    kind: Literal["integer", "number", "text", "yes", "choice", "entry", "list", "data"]
    required: bool
    choices: list[LabChoice]
    of: str | None


class LabStock(Wire, kw_only=True):
    """Something that can be put on the table: an entry for that list of the position, about the point 0, 0, and the
    room that it takes there (left, near, right, far)."""

    into: str
    name: Text
    group: Text
    entry: dict[str, Json]
    box: tuple[float, float, float, float]


class LabDeed(Wire, kw_only=True):
    id: str
    name: Text
    needs: list[str]
    may: list[str]


class LabGame(Wire, kw_only=True):
    game: str
    names: Text
    fields: dict[str, list[LabField]]
    stock: list[LabStock]
    deeds: list[LabDeed]
    template: str
    """The text of a scene to begin with."""


class PuzzleHead(Wire, kw_only=True):
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


class LabUse(Wire, kw_only=True):
    """What a deed may be done with: a weapon, a spell, an ability."""

    id: str
    name: Text


class Wished(Wire, kw_only=True):
    """The umpire's word on a wish: every rule against it, or none; then its odds, where dice decide it."""

    legal: bool
    reasons: list[Reason]
    nearest: Json
    odds: Odds | None
