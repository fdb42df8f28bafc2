"""The data of a battle: models, units, terrain, markers, the two sides and where in the battle we are."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.state import State as BaseState
from umpire.games.wh40k.profiles import Ability, Datasheet, Lore, Row
from umpire.miniatures.loose.bodies import Body

Point = tuple[float, float]

PHASES = ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")


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
    """A unit. `where`: "muster", "table", "aboard", "reserve" (strategic), "orbit" (a rule of its own) or "gone".

    `cx`, `cy`, `cr` enclose it; `engaged` are the enemy units within its Engagement Range.
    """

    id: str
    side: int
    sheet: Datasheet
    models: tuple[Model, ...]
    keywords: tuple[str, ...] = ()
    """All keywords of its living models, the chosen ones included."""
    dead: tuple[Model, ...] = ()
    died: tuple[str, ...] = ()
    """Models that were lost this turn and have not come back; those that a coherency check took are not among them."""
    where: str = "muster"
    starting: int = 1
    detachment: int = -1
    points: int = 0
    power: int = 0
    chosen: tuple[str, ...] = ()
    """Keywords that were chosen for the bracketed ones."""
    warlord: str = ""
    """The id of the model that is the warlord."""
    gifts: tuple[Ability, ...] = ()
    """Warlord trait, relics, detachment abilities."""
    powers: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    """What the dice decide before the battle: a trait, powers, a choice."""
    aboard: str = ""
    left: str = "muster"
    """The turn in which it left the table, "3.0" (round and half), or "muster"."""
    began_aboard: bool = False
    cx: float = 0.0
    cy: float = 0.0
    cr: float = 0.0
    engaged: tuple[str, ...] = ()
    move: str = ""
    """What it did this turn: "", "normal", "advance", "fall-back" or "stationary"."""
    marks: tuple[str, ...] = ()
    """What it did or suffered this turn: "disembarked", "arrived", "redeployed", "wrecked", "broke-out", "charged" …"""
    acts: tuple[str, ...] = ()
    """What it did this phase: "moved", "shot", "fought" …"""
    targets: tuple[str, ...] = ()
    """The units that it charged this turn."""
    allocated: tuple[str, ...] = ()
    """Models to which an attack was allocated this phase."""
    fired: tuple[str, ...] = ()
    """Weapons fired this phase, as "model/weapon"."""
    fights: int = 0
    action: str = ""
    until: str = ""
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

    def mark(self, what: str) -> None:
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
    holder: int = -1


class Side(msgspec.Struct):
    """A player: what the roster says, Command points, victory points, standing wishes for Command Re-rolls."""

    name: dict[str, str]
    faction: str
    factions: tuple[str, ...] = ()
    """Those whose stratagems it may use."""
    cp: int = 0
    vp: int = 0
    zone: int = -1
    points: int = 0
    units: int = 0
    warlord: str = ""
    wishes: tuple[str, ...] = ()
    """Rolls for which a Command Re-roll is offered, as "charge:failed" or "save:always"."""
    reserved: bool = False
    detachments: tuple[str, ...] = ()
    spent: int = 0
    """Command points spent in this phase, which may come back."""


class Mission(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where armies deploy, where objectives lie, how points are scored and how long the battle lasts."""

    id: str
    name: dict[str, str]
    text: dict[str, str]
    size: str
    zones: tuple[tuple[Point, ...], tuple[Point, ...]]
    edges: tuple[str, str]
    objectives: tuple[Point, ...]
    scoring: tuple[str, ...]
    actions: tuple[str, ...] = ()
    rounds: int = 5
    reserves: bool = True
    effect: str = ""
    """What the mission itself does at the start of each round: "strike"."""


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
    size: str
    mission: Mission
    sides: list[Side]
    units: dict[str, Unit]
    terrain: tuple[Feature, ...]
    objectives: list[Objective]
    round: int = 0
    half: int = 0
    """0 in the first turn of a round, 1 in the second."""
    first: int = 0
    active: int = 0
    phase: str = "deployment"
    step: str = ""
    volley: Volley | None = None
    options: Options = Options()
    lore: Lore = Lore()
    bearers: tuple[str, ...] = ()
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
