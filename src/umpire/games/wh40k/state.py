"""The data of a battle: models, units, terrain, markers, the two sides and where in the battle we are."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from umpire.engine.battle import Battle
from umpire.engine.referring import names
from umpire.engine.state import State as BaseState
from umpire.games.wh40k.profiles import Ability, Datasheet, Lore, Row
from umpire.miniatures import amounts
from umpire.miniatures.amounts import Holder, Positive, Tally
from umpire.miniatures.loose.bodies import Body

Point = tuple[float, float]

PHASES = ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")
Where = Annotated[Literal["muster", "table", "aboard", "reserve", "orbit", "gone"], Meta(extra={"kind": "place"})]
"""Reserves are strategic, and those in orbit wait by a rule of their own."""
Moved = Literal["", "normal", "advance", "fall-back", "stationary"]
_Mark = Literal[
    "arrived", "redeployed", "disembarked", "wrecked", "emergency", "broke-out", "charged", "intervened",
    "closed-in", "fights-again", "free-targets", "flew-in", "oversized", "set-to-defend",
]  # fmt: skip
Mark = Annotated[_Mark, Meta(extra={"kind": "mark"})]
Until = Annotated[Literal["", "turn", "own-command"], Meta(extra={"kind": "moment"})]
Edge = Annotated[Literal["near", "far", "left", "right"], Meta(extra={"kind": "edge"})]
Size = Annotated[
    Literal["combat-patrol", "incursion", "strike-force", "onslaught"], Meta(extra={"kind": "battle-size"})
]
UnitId = Annotated[str, names("units")]
Detachment = Annotated[int, Meta(ge=-1, le=99)]
Turn = Annotated[str, Meta(pattern=r"^(\d+\.[01]|muster|)$", extra={"fault": "error.wh40k.turn"})]
"""A round and its half, "3.0"."""


class Model(Body, frozen=True, gc=False):
    """A model on its base, or without one (`bare`); it changes by being replaced."""

    row: str = ""
    wounds: int = 1
    weapons: tuple[str, ...] = ()
    height: float = 1.6
    bare: bool = False
    relic: str = ""

    @property
    def hull(self) -> bool:
        return self.bare

    @property
    def tall(self) -> float:
        return self.height if self.bare else 0.0


class Unit(msgspec.Struct):
    """A unit. `cx`, `cy`, `cr` enclose it; `engaged` are the enemy units within its Engagement Range."""

    id: str
    side: amounts.Side
    sheet: Datasheet
    models: tuple[Model, ...]
    keywords: tuple[str, ...] = ()
    """All keywords of its living models, the chosen ones included."""
    dead: tuple[Model, ...] = ()
    died: tuple[str, ...] = ()
    """Models that were lost this turn and have not come back; those that a coherency check took are not among them."""
    where: Where = "muster"
    starting: Tally = 1
    detachment: Detachment = -1
    points: Tally = 0
    power: Tally = 0
    chosen: tuple[str, ...] = ()
    """Keywords that were chosen for the bracketed ones."""
    warlord: str = ""
    """The id of the model that is the warlord."""
    gifts: tuple[Ability, ...] = ()
    """Warlord trait, relics, detachment abilities."""
    powers: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    """What the dice decide before the battle: a trait, powers, a choice."""
    aboard: UnitId = ""
    left: Turn = "muster"
    """The turn in which it left the table, or "muster"."""
    began_aboard: bool = False
    cx: float = 0.0
    cy: float = 0.0
    cr: float = 0.0
    engaged: tuple[UnitId, ...] = ()
    move: Moved = ""
    """What it did this turn."""
    marks: tuple[Mark, ...] = ()
    """What it did or suffered this turn."""
    acts: tuple[str, ...] = ()
    """What it did this phase: "moved", "shot", "fought" …"""
    targets: tuple[UnitId, ...] = ()
    """The units that it charged this turn."""
    allocated: tuple[str, ...] = ()
    """Models to which an attack was allocated this phase."""
    fired: tuple[str, ...] = ()
    """Weapons fired this phase, as "model/weapon"."""
    fights: Tally = 0
    action: str = ""
    until: Until = ""
    """When the action it performs is completed."""
    by: str = ""
    """Who destroyed it: a unit, "flight", or nobody."""

    @property
    def on_table(self) -> bool:
        return self.where == "table"

    def has(self, keyword: str) -> bool:
        return keyword in self.keywords

    def model(self, key: str) -> Model:
        return next(model for model in self.models if model.id == key)

    def row(self, model: Model) -> Row:
        return self.sheet.row(model.row)

    def mark(self, what: Mark) -> None:
        if what not in self.marks:
            self.marks = (*self.marks, what)

    def act(self, what: str) -> None:
        if what not in self.acts:
            self.acts = (*self.acts, what)


class Part(msgspec.Struct, frozen=True):
    """A convex piece of a terrain feature between two heights: "wall", "floor" (one can stand on its top) or "body"."""

    kind: str
    points: tuple[Point, ...]
    floor: float
    top: float


class Feature(msgspec.Struct, frozen=True):
    """A terrain feature: category, traits, footprint on the ground, height, and the parts that stand on it."""

    id: str
    name: dict[str, str]
    type: str
    category: str
    traits: tuple[str, ...]
    points: tuple[Point, ...]
    height: float
    parts: tuple[Part, ...]
    x: float
    y: float
    r: float
    keyword: str = ""
    """Whom the trait Inspiring is for."""
    unit: str = ""

    def has(self, trait: str) -> bool:
        return trait in self.traits


class Objective(msgspec.Struct):
    id: str
    x: float
    y: float
    holder: Holder = -1


class Side(msgspec.Struct):
    """A player: what the roster says, Command points, victory points, standing wishes for Command Re-rolls."""

    name: dict[str, str]
    faction: str
    factions: tuple[str, ...] = ()
    """Those whose stratagems it may use."""
    cp: Tally = 0
    vp: Tally = 0
    zone: Holder = -1
    points: Tally = 0
    units: Tally = 0
    warlord: str = ""
    wishes: tuple[str, ...] = ()
    """Rolls for which a Command Re-roll is offered, as "charge:failed" or "save:always"."""
    reserved: bool = False
    detachments: tuple[str, ...] = ()
    spent: Tally = 0
    """Command points spent in this phase, which may come back."""


class Mission(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where armies deploy, where objectives lie, how points are scored and how long the battle lasts."""

    id: str
    name: dict[str, str]
    text: dict[str, str]
    size: Size
    zones: tuple[tuple[Point, ...], tuple[Point, ...]]
    edges: tuple[Edge, Edge]
    objectives: tuple[Point, ...]
    scoring: tuple[str, ...]
    actions: tuple[str, ...] = ()
    rounds: Positive = 5
    reserves: bool = True
    effect: Literal["", "strike"] = ""
    """What the mission itself does at the start of each round."""


class Group(msgspec.Struct, frozen=True):
    """Attacks that are alike in every respect: rolled together (dice.fast). `counts` are frozen at declaration."""

    weapon: str
    profile: str
    target: str
    models: tuple[str, ...]
    number: int
    """How often the weapon is fired, or how many melee attacks are made."""
    double: bool = False
    """Within half range of a Rapid Fire weapon."""
    size: int = 0
    """Models of the target when it was declared, which Blast looks at."""
    far: bool = False
    """Aimed by an engaged Vehicle or Monster at a unit beyond its Engagement Range."""
    covered: tuple[str, ...] = ()
    """Models of the target that have a save bonus of cover against these attackers."""
    bare: tuple[str, ...] = ()
    """Those of them whose terrain betters no save: an ability that makes more of cover is all that does."""
    hit: tuple[tuple[int, str], ...] = ()
    """Modifiers of the hit roll that were fixed at declaration, with their rules."""
    why: tuple[str, ...] = ()
    """The rules of terrain and sight that had a say when targets were declared."""


class Volley(msgspec.Struct):
    """Attacks of a unit that are being resolved: what was declared, what waits until all of it is done."""

    unit: str
    kind: str
    """"shooting", "overwatch" or "melee"."""
    groups: tuple[Group, ...]
    at: int = 0
    waiting: tuple[tuple[str, int], ...] = ()
    """Mortal wounds that wait until all attacks are resolved, by target."""
    toll: tuple[str, int, int] | None = None
    """Of a target whose models are all alike: how many are lost, and the wounds of the one that takes the next."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Disputed readings that the players may settle otherwise; the first value is the ledger's."""

    coherency: Annotated[Literal["seven", "six"], "wh40k.unit.coherency-large"] = "seven"
    auras: Annotated[Literal["once", "add-up"], "wh40k.core.aura"] = "once"
    half_strength: Annotated[Literal["fewer", "half-or-fewer"], "wh40k.unit.below-half-strength"] = "fewer"
    low_terrain: Annotated[Literal["below-one", "up-to-one"], "wh40k.move.terrain-low"] = "below-one"
    aircraft: Annotated[Literal["may-stay", "must-move"], "wh40k.move.aircraft-minimum"] = "may-stay"
    arrived_transports: Annotated[Literal["disembark", "stay-aboard"], "wh40k.move.transport-disembark"] = "disembark"
    look_out_sir: Annotated[Literal["closest-visible", "closest"], "wh40k.shoot.look-out-sir"] = "closest-visible"
    held_back: Annotated[Literal["all-targets", "each-target"], "wh40k.attack.mortal-held-back"] = "all-targets"
    dense_cover: Annotated[Literal["any-model", "every-model"], "wh40k.terrain.trait.dense-cover.penalty"] = "any-model"
    exposed: Annotated[Literal["no-cover", "own-feature"], "wh40k.terrain.trait.exposed-position"] = "no-cover"
    second_rank: Annotated[Literal["engagement-range", "half-inch"], "wh40k.fight.models.second-rank"] = (
        "engagement-range"
    )
    counter_offensive: Annotated[Literal["not-last", "anybody"], "wh40k.stratagem.counter-offensive"] = "not-last"
    own_edge: Annotated[Literal["every-model", "one-model"], "wh40k.reserves.place.own-edge-exception"] = "every-model"
    aircraft_actions: Annotated[Literal["both", "enemies"], "wh40k.action.no-start-engaged"] = "both"
    datasheets: Annotated[Literal["two-sizes", "every-size"], "wh40k.army.muster.datasheet-limit"] = "two-sizes"
    random_numbers: Annotated[Literal["one-die", "whole-roll"], "wh40k.stratagem.command-reroll"] = "one-die"


class State(BaseState, kw_only=True):
    width: float
    depth: float
    size: Size
    mission: Mission
    sides: list[Side]
    units: dict[str, Unit]
    terrain: tuple[Feature, ...]
    objectives: list[Objective]
    round: int = 0
    half: amounts.Side = 0
    """0 in the first turn of a round, 1 in the second."""
    first: amounts.Side = 0
    active: amounts.Side = 0
    phase: str = "deployment"
    step: str = ""
    volley: Volley | None = None
    options: Options = Options()
    lore: Lore = Lore()
    bearers: tuple[UnitId, ...] = ()
    """The units that bear auras."""
    picker: int = -1
    """Whose choice it is next where players alternate: deploying, fighting, morale."""

    def unit(self, key: str) -> Unit:
        return self.units[key]

    def army(self, side: int) -> list[Unit]:
        """The side's units on the battlefield."""
        return [unit for unit in self.units.values() if unit.side == side and unit.where == "table"]

    @property
    def turn(self) -> str:
        return f"{self.round}.{self.half}"


WhBattle: TypeAlias = Battle[State]
