"""The data of a battle: models, units, terrain, objectives, the two sides and where in the battle we are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from umpire.engine.keeping import Movable
from umpire.engine.referring import names
from umpire.engine.state import State as BaseState
from umpire.games.aos.profiles import AbilityData, Gap, OfTerrain, Warscroll
from umpire.miniatures import amounts
from umpire.miniatures.amounts import Holder, Number, Positive, Tally
from umpire.miniatures.loose.bodies import Body

Point = tuple[float, float]

PHASES = ("start", "hero", "movement", "shooting", "charge", "combat", "end")
Where = Annotated[Literal["roster", "reserve", "table", "gone"], Meta(extra={"kind": "place"})]
UnitId = Annotated[str, names("units")]
Role = Literal["", "champion", "musician", "standard"]


class Model(Body, frozen=True, gc=False):
    """A model on its base."""

    role: Role = ""
    back: bool = False
    """Returned or added this turn: others may not be set up in coherency with it alone."""


class Unit(Movable):
    """A unit, or what counts as one; `cx`, `cy`, `cr` enclose it."""

    POSITION: ClassVar[frozenset[str]] = frozenset({"models", "where"})

    id: str
    side: amounts.Side
    profile: Warscroll
    models: tuple[Model, ...]
    slain: tuple[Model, ...] = ()
    where: Where = "roster"
    regiment: Annotated[int, Meta(ge=-1, le=99)] = -1
    damage: Tally = 0
    cx: float = 0.0
    cy: float = 0.0
    cr: float = 0.0
    fights: tuple[UnitId, ...] = ()
    core: bool = False
    commanded: bool = False
    used_phase: tuple[str, ...] = ()
    used_turn: tuple[str, ...] = ()
    used_battle: tuple[str, ...] = ()
    keywords_turn: tuple[str, ...] = ()
    charged: bool = False
    fought: bool = False
    arrived: bool = False
    power: Tally = 0
    unbinds: Tally = 0
    miscast: bool = False
    ritual: Tally = 0
    empowered: bool = False
    summoner: UnitId = ""
    banish_tried: bool = False
    reserve_by_deploy: bool = False
    replaces: UnitId = ""
    replaced: bool = False
    tokens: tuple[str, ...] = ()
    enhancements: tuple[str, ...] = ()

    @property
    def on_table(self) -> bool:
        return self.where == "table"

    @property
    def size(self) -> int:
        """How many models it started with."""
        return len(self.models) + len(self.slain)

    def model(self, key: str) -> Model:
        return next(model for model in self.models if model.id == key)


class Part(msgspec.Struct, frozen=True):
    """A convex piece of a terrain feature from the table up to `top`."""

    points: tuple[Point, ...]
    top: float
    opaque: bool
    x: float
    y: float
    r: float


class Feature(msgspec.Struct):
    """A terrain feature: convex parts and universal terrain abilities. `unit` is set for faction terrain."""

    id: str
    name: Mapping[str, str]
    type: str
    abilities: tuple[OfTerrain, ...]
    parts: tuple[Part, ...]
    x: float
    y: float
    r: float
    holder: Holder = -1
    unit: str = ""


class Objective(msgspec.Struct):
    id: str
    x: float
    y: float
    holder: Holder = -1
    held_before: Holder = -1
    """Who held it when the turn began."""


class Side(msgspec.Struct):
    """A player: roster facts that rules ask for, victory and command points, battle tactics."""

    name: Mapping[str, str]
    faction: str
    formation: str = ""
    general: UnitId = ""
    territory: Holder = -1
    points: Tally = 0
    spells: tuple[str, ...] = ()
    prayers: tuple[str, ...] = ()
    summons: tuple[str, ...] = ()
    auxiliaries: Tally = 0
    underspent: bool = False
    vp: Tally = 0
    command: Number = 0
    tactics: tuple[str, ...] = ()
    tactic: str = ""
    tactic_about: str = ""
    completed: Tally = 0
    fought: Tally = 0
    lost: Tally = 0
    chose_first: bool = False


class Battleplan(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How armies deploy, where objectives lie, how points are scored and how long the battle lasts."""

    id: str
    name: dict[str, str]
    territories: tuple[tuple[Point, ...], tuple[Point, ...]]
    objectives: tuple[Point, ...]
    scoring: str
    rounds: Positive = 5
    deploy_gap: Gap = 9.0
    setup: str = "layout"
    text: dict[str, str] = {}
    tie_break: Literal["", "tactics"] = ""


class Lore(msgspec.Struct, frozen=True):
    """What the armies of this battle bring beside their warscrolls: formations, enhancements, spells, prayers."""

    abilities: dict[str, AbilityData] = {}


class Use(msgspec.Struct):
    """An ability being used: who uses it on whom, the dice of its declare step, what reactions have noted."""

    ability: str
    side: int
    unit: str
    targets: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    roll: int = 0
    notes: tuple[str, ...] = ()
    attacks: tuple[tuple[str, str, int], ...] = ()
    """Attacks declared: weapon, target unit, how many; champions' and companions' ones are already counted."""


class State(BaseState, kw_only=True):
    width: float
    depth: float
    points: int
    plan: Battleplan
    sides: list[Side]
    units: dict[str, Unit]
    terrain: list[Feature]
    objectives: list[Objective]
    lore: Lore = Lore()
    round: int = 0
    half: amounts.Side = 0
    """0 in the first turn of a round, 1 in the second."""
    first: amounts.Side = 0
    active: amounts.Side = 0
    phase: str = "deployment"
    underdog: Holder = -1
    begins: amounts.Side = 0
    """Who began deployment."""
    finished_first: Holder = -1
    regiments: tuple[tuple[UnitId, ...], ...] = ()
    strikers: tuple[UnitId, ...] = ()
    """Units with Strike-first that were in combat when the combat phase began and have not fought yet."""
    uses: list[Use] = msgspec.field(default_factory=list)
    pools: dict[str, int] = msgspec.field(default_factory=dict)

    def unit(self, key: str) -> Unit:
        return self.units[key]

    def army(self, side: int) -> Sequence[Unit]:
        """The side's units on the table, what merely counts as a unit included."""
        kept, key = self.kept(), ("army", side, len(self.units))
        found: tuple[Unit, ...] | None = kept.get(key)
        if found is None:
            there = [unit for unit in self.units.values() if unit.side == side and unit.where == "table"]
            found = kept[key] = tuple(there)
        return found

    @property
    def use(self) -> Use:
        return self.uses[-1]

    @property
    def rounds(self) -> int:
        return self.plan.rounds

    def second(self) -> int:
        return 1 - self.first
