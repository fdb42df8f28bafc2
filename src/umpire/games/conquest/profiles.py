"""What is printed: characteristics, special rules, draw events, command models, spells, abilities. All frozen."""

from __future__ import annotations

import functools
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from umpire.miniatures.amounts import Number, Positive, Reach, Span, Tally, Whole
from umpire.space.shapes import Prism, circle_about
from umpire.text import LANGUAGES

Type = Literal["infantry", "cavalry", "brute", "monster"]
Class = Literal["light", "medium", "heavy"]

TYPES: tuple[Type, ...] = ("infantry", "cavalry", "brute", "monster")
CLASSES: tuple[Class, ...] = ("light", "medium", "heavy")
CHARACTERISTICS = ("march", "volley", "clash", "attacks", "wounds", "resolve", "defense", "evasion")

MODELS_PER_STAND: dict[str, int] = {"infantry": 4, "cavalry": 1, "brute": 1, "monster": 1}
"""conquest.core.stand.models-per-type, conquest.profile.type"""

SIZES: dict[str, int] = {"infantry": 1, "cavalry": 2, "brute": 2, "monster": 3}
"""conquest.core.size.stands"""

STANDS: dict[str, tuple[float, float]] = {
    "infantry": (2.5, 2.5),
    "cavalry": (2.5, 2.5),
    "brute": (2.5, 2.5),
    "monster": (4.0, 5.0),
}
"""Width and depth of a stand in inches where the entry gives none: the book has no figures, so they are data."""

TERRAIN_SIZES = {"hill": 2, "forest": 3, "building": 2, "tower": 3, "wall": 3}
"""conquest.core.size.terrain: what is offered when a piece gives no Size of its own."""

Names = dict[str, str]
Inches = Annotated[float, Meta(ge=0, le=99)]


_spoken: Any = msgspec.defstruct("_spoken", [(lang, str, "") for lang in LANGUAGES], frozen=True, gc=False)


class Title(_spoken, frozen=True, gc=False, omit_defaults=True):  # type: ignore[misc, call-arg]
    """What something is called, in every language; immutable, so that who bears it is copied at once."""

    @property
    def names(self) -> Names:
        return {lang: name for lang, name in msgspec.structs.asdict(self).items() if name}


def title(names: Names) -> Title:
    return Title(**{lang: name for lang, name in names.items() if lang in LANGUAGES})


class Rule(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A special rule or draw event on somebody: its name as in the ledger ("cleave"), its X, what else is in brackets.

    `plus` is a value written (+X), which is added to others of the same name. `range` and `shots` are Barrage's: the
    range in inches and the rules of its shots.
    """

    name: str
    value: Number = 0
    plus: bool = False
    range: Reach = 0.0
    shots: tuple[Rule, ...] = ()


class Profile(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """The profile of a stand: two categories, eight characteristics, rules, draw events (conquest.profile.structure).

    The values include every increase bought with the list: they are the unmodified ones (conquest.profile.unmodified).
    """

    type: Type
    klass: Class = msgspec.field(name="class")
    march: Number
    volley: Number
    clash: Number
    attacks: Number
    wounds: Positive
    resolve: Number
    defense: Number
    evasion: Number
    rules: tuple[Rule, ...] = ()
    events: tuple[Rule, ...] = ()
    width: Inches = 0.0
    depth: Inches = 0.0

    def __post_init__(self) -> None:
        width, depth = STANDS[self.type]
        if not self.width:
            msgspec.structs.force_setattr(self, "width", width)
        if not self.depth:
            msgspec.structs.force_setattr(self, "depth", depth)

    @property
    def size(self) -> int:
        return SIZES[self.type]

    @property
    def stand(self) -> tuple[float, float]:
        """Width and depth of a stand; where an entry gives none, those of its type."""
        return self.width, self.depth

    def value(self, what: str) -> int:
        """An unmodified characteristic."""
        return int(getattr(self, what))


class Model(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A command model ("leader", "standard-bearer" or an officer's id): rules and draw events it gives its regiment."""

    id: str
    names: Names = {}
    rules: tuple[Rule, ...] = ()
    events: tuple[Rule, ...] = ()


class Retinue(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A category of retinue on a Character's stand at its tier, and what the tiers bought so far give the Character."""

    id: str
    tier: Annotated[int, Meta(ge=1, le=3)]
    names: Names = {}
    rules: tuple[Rule, ...] = ()


class Spell(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A spell: range in inches (0: Self), attunement, Scaling, and its effect.

    `hits` hits are caused, with the rules `shots`; `effects` are changes of
    characteristics or rules given to the target until the end of the round ({"what": "defense", "value": 1} or
    {"rule": {...}}); `heal` heals; `at` says whom it may target.
    """

    id: str
    names: Names
    range: Inches
    attunement: Number
    scaling: bool = False
    at: Literal["enemy", "friend", "self"] = "enemy"
    hits: Number = 0
    heal: Number = 0
    shots: tuple[Rule, ...] = ()
    effects: tuple[Change, ...] = ()


class Change(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A change of a characteristic (`what`, `value`) or a special rule given (`rule`)."""

    what: str = ""
    value: Whole = 0
    rule: Rule | None = None


class Ability(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A Supremacy Ability: who is affected and how. A passive one works while its Character is on the battlefield."""

    id: str
    names: Names = {}
    passive: bool = False
    per: Literal["game", "round"] = "game"
    off_table: bool = False
    on: Literal["army", "within-12", "own-regiment"] = "army"
    effects: tuple[Change, ...] = ()
    text: Names = {}


class CardEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A secondary objective: `when` names the condition, `copies` how often it is in the deck."""

    id: str
    name: Names
    text: Names
    when: Literal["destroyed", "broken", "zones", "cast", "far-half", "duel", "deny"]
    points: int
    least: int = 1
    copies: int = 1


class Terrain(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, dict=True):
    """A piece of terrain: its outline in inches, its kind, its rules ("obscuring", "hindering", …) and its values.

    What is measured again and again is worked out once for each piece; since a piece never changes, it stays right.
    """

    id: str
    points: tuple[tuple[float, float], ...]
    kind: Literal["zonal", "garrison"] = "zonal"
    rules: tuple[str, ...] = ()
    size: Number = 0
    defense: Number = 1
    capacity: Number = 4
    names: Names = {}

    @functools.cached_property
    def thing(self) -> Prism:
        """What is measured to and moved against: its outline on the table."""
        return Prism(self.points)

    @functools.cached_property
    def circle(self) -> tuple[float, float, float]:
        """A circle about it: middle and radius."""
        return circle_about(self.points)

    @functools.cached_property
    def stated_size(self) -> int:
        """Its own Size, or the one recommended for its kind."""
        return self.size or max((TERRAIN_SIZES[rule] for rule in self.rules if rule in TERRAIN_SIZES), default=0)

    @functools.cached_property
    def lifts(self) -> bool:
        """Does it add its Size to that of who stands on it, not passing through (conquest.core.size.on-terrain)?"""
        return self.kind == "zonal" and not {"passable", "forest"} & set(self.rules) and self.stated_size > 0

    @functools.cached_property
    def solid(self) -> bool:
        """Can no regiment stand in it?"""
        return self.kind == "garrison" or "impassable" in self.rules


class Zone(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """An objective zone: an outline, or a disc of `radius` about `x`, `y`; `worth` for each side that controls it."""

    id: str
    names: Names = {}
    points: tuple[tuple[float, float], ...] = ()
    x: float = 0.0
    y: float = 0.0
    radius: Annotated[float, Meta(ge=0, le=24)] = 0.0
    worth: tuple[Number, Number] = (1, 1)
    first_round: Positive = 1


Edge = Annotated[Literal["south", "north", "west", "east"], Meta(extra={"kind": "edge"})]


class Scenario(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Battlefield, rounds, reinforcement edges, zones and scoring (conquest.battle.scenario-missing).

    `edges` are the table edges of both sides' reinforcement zones ("south", "north", "west", "east"); `entry` narrows
    a zone to a part of its edge. `kills` are points for each enemy regiment destroyed,
    `victory` the points that win at once at the end of a round (0: none). `secondary` says that the event uses
    secondary objectives (conquest.battle.secondary.optional).
    """

    id: str
    names: Names
    width: Span = 72.0
    depth: Span = 48.0
    rounds: Positive = 10
    edges: tuple[Edge, Edge] = ("south", "north")
    entry: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None)
    zones: tuple[Zone, ...] = ()
    kills: Tally = 0
    warlord: Tally = 0
    victory: Tally = 0
    secondary: bool = False
