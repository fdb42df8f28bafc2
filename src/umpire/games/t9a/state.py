"""The plain data of a battle: health pools (one for each entry of an army list), units, combats, pools of dice,
score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from umpire.engine.keeping import Moves, Watched
from umpire.engine.referring import names
from umpire.engine.state import State as BaseState
from umpire.miniatures import amounts
from umpire.miniatures.amounts import Number, Span, Turned
from umpire.rulebook.deciding import decides
from umpire.space.ranks.blocks import FACINGS as FACINGS
from umpire.space.ranks.blocks import Facing as Facing

from .profiles import Names, Profile, Rule, Spell, Wizard

PHASES = ("charge", "movement", "magic", "shooting", "rally", "melee")
Where = Annotated[Literal["list", "table", "joined", "ambush", "hidden", "gone"], Meta(extra={"kind": "place"})]
Moved = Literal["", "reform", "normal", "march", "random"]
Points = Annotated[int, Meta(ge=0, le=99999)]
FluxDice = Annotated[int, Meta(ge=0, le=12)]
"""Of a deck, or on a flux card."""
Turn = Annotated[int, Meta(ge=0, le=6)]
UnitId = Annotated[str, names("units")]
PoolId = Annotated[str, names("pools")]


class Kind(msgspec.Struct, frozen=True, gc=False):
    """Models of a pool that differ from the others in what protects them, and how many they are."""

    profile: Profile
    count: int


class Pool(Watched, gc=False):
    """A health pool (t9a.attack.health-pool): the rank-and-file models of an entry, or one Attachable Model.

    `count` models are left, `lost` health points are missing from the one in front. Everything in it is immutable, so
    that a copy is one flat copy.
    """

    POSITION: ClassVar[frozenset[str]] = frozenset(
        ("profile", "count", "unit", "attachable", "file", "rank", "kinds", "banner")
    )
    SHAPE: ClassVar[frozenset[str]] = POSITION
    id: str
    side: amounts.Side
    entry: str
    names: Mapping[str, str]
    profile: Profile
    points: Points = 0
    start: int = 1
    count: int = 1
    lost: int = 0
    unit: UnitId = ""
    attachable: bool = False
    character: bool = False
    mounted: bool = False
    standard: bool = False
    musician: bool = False
    general: bool = False
    bearer: bool = False
    """The Battle Standard Bearer."""
    wizard: Wizard = ""
    paths: tuple[str, ...] = ()
    path: str = ""
    spells: tuple[Spell, ...] = ()
    bound: tuple[Spell, ...] = ()
    choices: tuple[Spell, ...] = ()
    """The spells that a general swap may take instead."""
    items: tuple[str, ...] = ()
    """Magic items and banners by id, for both players to read."""
    skill: str = ""
    banner: tuple[Rule, ...] = ()
    """What its banner gives every model of its unit."""
    siphons: Number = 0
    """Magic dice that its items add when its side siphons."""
    summoned: bool = False
    arrived: Turn = 0
    """The game turn in which it came to the table, if later than deployment."""
    outside: bool = False
    """Outside its own zone when the game began."""
    destroyed: bool = False
    in_melee: bool = False
    moved: Moved = ""
    spent: tuple[str, ...] = ()
    """One-use effects spent, and spells forgotten."""
    weapon: tuple[str, ...] = ()
    """The melee weapon each part uses in this engagement."""
    file: int = -1
    rank: int = -1
    """Where an attached model stands in its unit: its front left cell (-1: beside the left end, -2: the right)."""
    dying: int = 0
    """Models slain that strike before they go (Dying Strike)."""
    fired: bool = False
    cast: tuple[str, ...] = ()
    """Spells attempted in this phase, with their version."""
    kinds: tuple[Kind, ...] = ()
    """Where its models differ: every kind of them (t9a.attack.allocate.majority)."""

    @property
    def alive(self) -> bool:
        return self.count > 0

    @property
    def hp(self) -> int:
        """Health points left."""
        return (self.count - self.dying) * self.profile.hp - self.lost

    @property
    def start_hp(self) -> int:
        return self.start * self.profile.hp


class Unit(Watched, gc=False):
    """A unit on the table: where the middle of its front is, how many files it has, and which pools stand in it (its
    own
    rank-and-file first). It carries the id of the entry that founded it; the unit of a joined model sleeps
    ("joined")."""

    POSITION: ClassVar[frozenset[str]] = frozenset(
        ("members", "where", "x", "y", "facing", "files", "locked", "holes", "locked_count", "base")
    )
    SHAPE: ClassVar[frozenset[str]] = frozenset(("members", "files", "locked", "holes", "locked_count", "base"))
    id: str
    side: amounts.Side
    members: tuple[PoolId, ...]
    where: Where = "list"
    x: float = 0.0
    y: float = 0.0
    facing: float = 0.0
    files: int = 5
    host: UnitId = ""
    """The unit that its model has joined."""
    shaken: bool = False
    by_choice: bool = False
    """Shaken by its own choice, and not fled again since."""
    fled: bool = False
    """Has chosen Flee! in this phase."""
    target: UnitId = ""
    """On whom it has declared a charge in this phase."""
    face: str = ""
    """The facing of the target that it charges."""
    spot: tuple[float, float] = (0.0, 0.0)
    """Where the middle of that facing was last."""
    range: int = 0
    """The charge range it has rolled."""
    came: UnitId = ""
    """The unit that it charged out of."""
    start: tuple[float, float, float] = (0.0, 0.0, 0.0)
    gap: Annotated[float, Meta(ge=0, le=42)] = 0.0
    """How far from its target its charge began: at most the highest Charge Rate of a profile, and two sixes."""
    redirected: bool = False
    charging: bool = False
    declared: bool = False
    """Has declared a charge in this player turn."""
    failed: bool = False
    """Made a failed charge move this player turn."""
    shot: bool = False
    swept: bool = False
    joined_now: bool = False
    charged_out: bool = False
    magic_moved: bool = False
    moved: bool = False
    """Has taken its move action in this phase."""
    hp_start: int = 0
    """Health points at the start of the phase."""
    ranged: int = 0
    """Health points lost to enemy ranged attacks in this phase while unengaged."""
    calm: bool = False
    """Has passed a Panic Test in this phase."""
    no_charge: Annotated[int, Meta(ge=-1, le=13)] = -1
    """The player turn in which it may not declare charges (after a post-combat pivot)."""
    free: bool = False
    """Was engaged, and all its foes are gone; it has not moved since."""
    freed_charging: bool = False
    must_reform: bool = False
    spoils: Points = 0
    close: tuple[str, ...] = ()
    """Units and terrain that it may stay too close to."""
    first: bool = False
    """This is its First Round of Combat."""
    locked: tuple[float, float] = (0.0, 0.0)
    """Width and depth while boundaries are locked."""
    holes: tuple[tuple[int, int], ...] = ()
    locked_count: int = 0
    engineer: bool = False
    solid: bool = False
    """Was Solid when the round of combat was set up."""
    base: PoolId = ""
    """In a unit of Attachable Models alone: whose base stands in for the rank-and-file base."""
    advantage: bool = False
    """Chosen for the Defender's Advantage."""
    vanguard: bool = False
    """Has made (or declined) its Vanguard move."""

    @property
    def on_table(self) -> bool:
        return self.where == "table"


class Pair(msgspec.Struct, frozen=True, gc=False):
    """Two units engaged with each other: which facing of each touches the other, and whether they are flush."""

    a: UnitId
    b: UnitId
    a_face: Facing
    b_face: Facing
    flush: bool = True

    def other(self, key: str) -> str:
        return self.b if key == self.a else self.a

    def face(self, key: str) -> Facing:
        return self.a_face if key == self.a else self.b_face


class Terrain(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A terrain feature: a convex polygon and its kind."""

    id: str
    kind: Literal["field", "forest", "hill", "impassable", "ruins", "wall", "water"]
    points: tuple[tuple[float, float], ...]
    names: Names = {}


class Zone(msgspec.Struct, frozen=True, gc=False):
    """A deployment zone: a convex polygon, and the direction in which its army looks."""

    points: tuple[tuple[float, float], ...]
    facing: Turned


class Field(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The battlefield and how the armies meet on it."""

    width: Span = 72.0
    depth: Span = 48.0
    deployment: str = "frontline-clash"
    names: Names = {}
    zones: tuple[Zone, Zone] = (
        Zone(((6.0, 0.0), (66.0, 0.0), (66.0, 12.0), (6.0, 12.0)), 0.0),
        Zone(((6.0, 36.0), (66.0, 36.0), (66.0, 48.0), (6.0, 48.0)), 180.0),
    )
    terrain: tuple[Terrain, ...] = ()
    primary: Literal["bounty", "none"] = "bounty"
    secondaries: tuple[str, ...] = ()
    deck: tuple[FluxDice, ...] = ()
    """The dice on the flux cards of each side (t9a.magic.cards.deck)."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Secondary objectives, and readings of unclear places that the players may settle otherwise; the usual first."""

    secondaries: Literal["off", "on"] = "off"
    wheel_cost: Annotated[Literal["forward", "chord"], "t9a.move.serpentine.wheel-cost"] = "forward"
    mana_drain: Annotated[Literal["off", "on"], "t9a.magic.miscast.mana-drain"] = "off"
    march_adjustment: Annotated[Literal["off", "on"], "t9a.move.march.final-adjust"] = "off"
    hidden_never: Annotated[Literal["casualty", "nothing"], "t9a.rule.hidden"] = "casualty"
    ambush_magic_move: Annotated[Literal["no", "yes"], "t9a.rule.ambush.moved"] = "no"
    reform_stop: Annotated[Literal["during", "end"], "t9a.move.reform.mid-actions"] = "during"
    optional_attacks: Annotated[Literal["made", "asked"], "t9a.melee.attack.supporting"] = "made"


class Round(msgspec.Struct, gc=False):
    """A round of combat under way (t9a.melee.sequence)."""

    units: tuple[str, ...]
    static: tuple[int, int] = (0, 0)
    lost: tuple[int, int] = (0, 0)
    """Health points lost by each side."""
    gone: tuple[int, int] = (0, 0)
    """Units of each side wiped out."""
    order: tuple[tuple[int, str, int], ...] = ()
    """Agility step, pool and part, fixed for the round."""
    scoring: tuple[str, ...] = ()
    """The units that were scoring when it began."""
    pairs: tuple[Pair, ...] = ()
    """Who was engaged with whom when it began."""
    winner: int = -1
    difference: int = 0
    ranks: tuple[tuple[str, int], ...] = ()
    """Full Ranks of each unit, as settled last."""
    broken: tuple[tuple[str, str, float, int], ...] = ()
    """Broken units: from whom they flee, in which direction, how far."""
    feigned: tuple[str, ...] = ()
    pursuits: tuple[tuple[str, str, float, int], ...] = ()
    """Pursuers: quarry ("": overrun), direction, distance."""
    edge: tuple[str, ...] = ()
    """Pursuers that touched the board edge."""
    limited: tuple[tuple[str, int], ...] = ()
    """How many restricted attacks each model of a pool has made so far."""
    held: tuple[str, ...] = ()
    """Attached models of both sides that touched an enemy before the combat reforms of a side."""

    def so_far(self, lost: bool) -> tuple[int, int]:
        """The static score, and where they count the health points that the other side has `lost`."""
        a, b = self.lost if lost else (0, 0)
        return self.static[0] + b, self.static[1] + a


class Cast(msgspec.Struct, frozen=True, gc=False):
    """A spell being cast."""

    pool: str
    spell: str
    bound: bool
    targets: tuple[str, ...] = ()
    at: tuple[float, float] = (0.0, 0.0)
    dice: int = 0
    result: int = 0
    miscast: bool = False


class State(BaseState, kw_only=True):
    pools: dict[str, Pool]
    units: dict[str, Unit]
    field: Field = Field()
    options: Options = Options()
    size: int = 4500
    klass: Literal["warband", "field-army", "legion"] = "field-army"
    books: tuple[str, str] = ("", "")
    hereditary: tuple[tuple[Spell, ...], tuple[Spell, ...]] = ((), ())
    summons: dict[str, Pool] = msgspec.field(default_factory=dict)
    """Units that spells may bring, by name, as they come."""
    defender: amounts.Side = 0
    zone_of: tuple[int, int] = (0, 1)
    """Which zone each side deploys in."""
    first: int = -1
    turn: int = 0
    active: amounts.Side = 0
    player_turn: int = 0
    """How many player turns have begun."""
    phase: str = "preparation"
    finished: tuple[bool, bool] = (False, False)
    placed: int = 0
    """Units placed in this deployment turn."""
    pairs: list[Pair] = msgspec.field(default_factory=list)
    combats: list[tuple[UnitId, ...]] = msgspec.field(default_factory=list)
    """Combats still to be fought in this phase."""
    round: Round | None = None
    decks: list[tuple[int, ...]] = msgspec.field(default_factory=lambda: [(), ()])
    card: int = 0
    dice_pool: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    stored: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    attempts: dict[str, int] = msgspec.field(default_factory=dict)
    """How often each spell has been attempted in this phase."""
    cast: Cast | None = None
    secondaries: list[str] = msgspec.field(default_factory=lambda: ["", ""])
    engineers: tuple[str, ...] = ()
    swapped: tuple[bool, bool] = (False, False)
    tallies: dict[str, int] = msgspec.field(default_factory=dict)

    def kept(self) -> dict[Any, Any]:
        """What follows from where everybody stands, and from the effects and rules in force, while these stay so;
        `layouts` and `boxes` are handed on, and tell themselves of what shape and place of a unit they are."""
        memo = self.__dict__
        same = memo.get("effects") == self.effects and memo["without"] == self.without and memo["field"] is self.field
        if not same or memo["moves"] != Moves.last:
            layouts, boxes = (memo["layouts"], memo["boxes"]) if same else ({}, {})
            memo.clear()
            memo.update(
                moves=Moves.last, effects=self.effects[:], without=self.without, field=self.field, layouts=layouts,
                boxes=boxes,
            )  # fmt: skip
        return memo

    def unit(self, key: str) -> Unit:
        return self.units[key]

    def pool(self, key: str) -> Pool:
        return self.pools[key]

    def table(self, side: int | None = None) -> list[Unit]:
        """The units on the table."""
        return [u for u in self.units.values() if u.where == "table" and (side is None or u.side == side)]

    def members(self, unit: Unit) -> list[Pool]:
        return [self.pools[key] for key in unit.members]

    @decides("t9a.def.rank-and-file")
    def rnf(self, unit: Unit) -> Pool | None:
        """Its rank-and-file models, if any are left."""
        for key in unit.members:
            pool = self.pools[key]
            if not pool.attachable:
                return pool
        return None

    def attached(self, unit: Unit) -> list[Pool]:
        return [self.pools[key] for key in unit.members if self.pools[key].attachable]

    def pairs_of(self, key: str) -> list[Pair]:
        return [pair for pair in self.pairs if pair.a == key or pair.b == key]

    def engaged(self, key: str) -> bool:
        return any(pair.a == key or pair.b == key for pair in self.pairs)

    def foes(self, key: str) -> list[str]:
        return [pair.other(key) for pair in self.pairs if pair.a == key or pair.b == key]
