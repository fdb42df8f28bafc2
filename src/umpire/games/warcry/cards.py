"""Terrain pieces and the four decks of a battleplan as data: terrain, deployment, victory conditions, twists."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from umpire.games.warcry.primitives import Characteristic
from umpire.games.warcry.profiles import Names
from umpire.miniatures.amounts import High, Number, Offset, Positive, Turned, Whole

PartKind = Literal["body", "deadly", "unclimbable", "stairs", "ladder", "arch", "door", "closed-door"]
TwistKind = Literal["climate", "environment", "fate", "phenomenon", "mind"]


class Part(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a piece, in its own inches: a rectangle [x, y, width, depth] about its middle, turned clockwise,
    or a convex polygon, from `floor` up to `top`. `body` is whatever stands there: by its size the rules make it an
    obstacle, low terrain or a platform. Stairs rise along the rectangle's depth, from its near to its far end."""

    top: High
    rect: tuple[Offset, Offset, Offset, Offset] | None = None
    points: tuple[tuple[Offset, Offset], ...] = ()
    floor: High = 0.0
    turned: Turned = 0.0
    kind: PartKind = "body"


class Piece(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    id: str
    name: Names
    parts: Annotated[tuple[Part, ...], Meta(min_length=1)]
    tags: tuple[str, ...] = ()


class Feature(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A piece put on the table; `on` is the id of the feature that it is stacked on."""

    piece: str
    x: float
    y: float
    facing: Turned = 0.0
    z: High = 0.0
    id: str = ""
    on: str = ""


class TerrainCard(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    id: str
    name: Names
    features: tuple[Feature, ...]


class DeploymentPoint(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Where a battlegroup is set up, and in which round; `line` is a stretch of a battlefield edge beside the point."""

    x: float
    y: float
    round: Annotated[int, Meta(ge=1, le=3)] = 1
    line: tuple[float, float, float, float] | None = None


class Points(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    dagger: DeploymentPoint
    shield: DeploymentPoint
    hammer: DeploymentPoint

    def of(self, group: str) -> DeploymentPoint:
        point: DeploymentPoint = getattr(self, group)
        return point


class DeploymentCard(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Deployment points of both colours, and where objectives lie if the victory condition asks the map; the first of
    them is the central one."""

    id: str
    name: Names
    red: Points
    blue: Points
    objectives: tuple[tuple[float, float], ...] = ()


class _Score(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do"):
    pass


class ScoreObjectives(_Score, frozen=True, tag="objectives"):
    """Points for every objective that a player controls (with `awake`, only awakened ones)."""

    each: Number = 1
    awake: bool = False
    when: Literal["round", "end"] = "round"


class ScoreMostObjectives(_Score, frozen=True, tag="most-objectives"):
    points: Number = 1
    when: Literal["round", "end"] = "round"


class ScoreTally(_Score, frozen=True, tag="tally"):
    """Points for the player who took down enemies worth more in this round."""

    points: Number = 1
    when: Literal["round", "end"] = "round"


class ScoreCarried(_Score, frozen=True, tag="carried"):
    """Points for every treasure that a player's fighters carry."""

    each: Number = 1
    when: Literal["round", "end"] = "round"


class ScoreTerritory(_Score, frozen=True, tag="territory"):
    """Points for every fighter wholly within the enemy's half of the battlefield."""

    each: Number = 1
    when: Literal["round", "end"] = "end"


class ScoreLeader(_Score, frozen=True, tag="leader"):
    """Points if the enemy leader has been taken down."""

    points: Number = 1
    when: Literal["round", "end"] = "end"


class ScoreFelled(_Score, frozen=True, tag="felled"):
    """Points for every enemy fighter taken down in this round (at the end: in the battle)."""

    each: Number = 1
    runemarks: tuple[str, ...] = ()
    when: Literal["round", "end"] = "round"


class ScoreHeights(_Score, frozen=True, tag="heights"):
    """Points for the player with more fighters on platforms."""

    points: Number = 1
    when: Literal["round", "end"] = "round"


class ScoreQuarters(_Score, frozen=True, tag="quarters"):
    """Points for every quarter of the battlefield in which a player has more fighters; its centre says where one is."""

    each: Number = 1
    when: Literal["round", "end"] = "round"


class ScoreSurvivors(_Score, frozen=True, tag="survivors"):
    """Points for the player whose fighters on the battlefield are worth more."""

    points: Number = 1
    when: Literal["round", "end"] = "end"


class ScoreHome(_Score, frozen=True, tag="home"):
    """Points for every treasure carried by a fighter wholly within its own half of the battlefield."""

    each: Number = 1
    when: Literal["round", "end"] = "end"


Score = (
    ScoreObjectives
    | ScoreMostObjectives
    | ScoreTally
    | ScoreCarried
    | ScoreTerritory
    | ScoreLeader
    | ScoreFelled
    | ScoreHeights
    | ScoreQuarters
    | ScoreSurvivors
    | ScoreHome
)


class VictoryCard(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """How long the battle lasts, what lies on the table and what scores; the most victory points win.

    `objectives` is `map` (as the deployment map shows) or places. `awaken`: all but the first begin dormant.
    """

    id: str
    name: Names
    score: Annotated[tuple[Score, ...], Meta(min_length=1)]
    rounds: Annotated[int, Meta(ge=1, le=6)] = 4
    objectives: Literal["map"] | tuple[tuple[float, float], ...] = ()
    awaken: bool = False
    treasure: tuple[tuple[float, float], ...] = ()
    treasure_kind: str = "realmstone"
    text: Names = {}


class _Twist(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do"):
    pass


class TwistChange(_Twist, frozen=True, tag="change"):
    """A characteristic of every fighter (with a runemark, if named) is changed for the battle."""

    what: Characteristic
    by: Whole
    runemarks: tuple[str, ...] = ()
    attack: Literal["", "melee", "missile"] = ""
    least: Number | None = None


class TwistForbid(_Twist, frozen=True, tag="forbid"):
    what: Literal["move", "attack", "disengage", "react", "fly"]
    runemarks: tuple[str, ...] = ()


class TwistWildDice(_Twist, frozen=True, tag="wild-dice"):
    """Both players gain wild dice at the start of each battle round (or only of the first)."""

    by: Positive = 1
    first_only: bool = False


class TwistStorm(_Twist, frozen=True, tag="storm"):
    """At the start of each combat phase a die is rolled for every fighter; on `need` or more it takes damage."""

    need: Annotated[int, Meta(ge=2, le=6)] = 6
    by: Number | Annotated[str, Meta(pattern=r"^[1-9]?D[36]$")] = 1
    on: Literal["all", "platform", "floor"] = "all"


class TwistHeal(_Twist, frozen=True, tag="heal"):
    """At the start of each combat phase every hurt fighter loses so many damage points."""

    by: Positive = 1


class TwistQuake(_Twist, frozen=True, tag="quake"):
    """At the start of each combat phase fighters near an open platform edge make a fall test."""


class TwistOmen(_Twist, frozen=True, tag="omen"):
    """At the start of each combat phase both players roll a D66; from `need` on they gain wild dice."""

    need: Annotated[int, Meta(ge=11, le=66)] = 51
    by: Positive = 1


class TwistUnderdog(_Twist, frozen=True, tag="underdog"):
    """At the start of each combat phase the player with fewer fighters on the battlefield gains wild dice."""

    by: Positive = 1


TwistEffect = (
    TwistChange | TwistForbid | TwistWildDice | TwistStorm | TwistHeal | TwistQuake | TwistOmen | TwistUnderdog
)


class TwistCard(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Special rules of a battle; a card without effects says in its text that nothing changes."""

    id: str
    name: Names
    kind: TwistKind
    effect: tuple[TwistEffect, ...] = ()
    text: Names = {}


class Terrain(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A file of pieces and terrain cards."""

    pieces: tuple[Piece, ...] = ()
    layouts: tuple[TerrainCard, ...] = ()


class Deck(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A file of the other three decks."""

    deployments: tuple[DeploymentCard, ...] = ()
    victories: tuple[VictoryCard, ...] = ()
    twists: tuple[TwistCard, ...] = ()
