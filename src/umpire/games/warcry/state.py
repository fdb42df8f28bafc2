"""The plain data of a Warcry battle, and the measuring between its fighters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from umpire.engine import effects
from umpire.engine.effects import Effect, Number
from umpire.engine.referring import names
from umpire.engine.state import State as BaseState
from umpire.errors import unknown
from umpire.games.warcry.cards import DeploymentCard, TwistCard, VictoryCard
from umpire.games.warcry.profiles import FLY, MONSTER, Ability, Group, Profile, Reaction, Wounds
from umpire.games.warcry.terrain import Ground, Layout, ground_of
from umpire.miniatures.amounts import Face, Holder, Side, Tally
from umpire.rulebook.deciding import decides
from umpire.space.shapes import TOLERANCE, Base, Round
from umpire.text import Text

FighterId = Annotated[str, names("fighters")]
Few = Annotated[int, Meta(ge=0, le=6)]
Counter = Annotated[int, Meta(ge=0, le=999)]
Sets = tuple[tuple[Face, Annotated[int, Meta(ge=2, le=4)]], ...]
Where = Annotated[Literal["aside", "reserve", "field", "down"], Meta(extra={"kind": "place"})]
ENGAGED = 1.0
"""Within so many inches of an enemy a fighter is engaged."""


class Fighter(msgspec.Struct, gc=False):
    """One fighter. Who is aside is not yet set up; `z` is the height of its base."""

    id: str
    side: Side
    profile: Profile
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    where: Where = "aside"
    group: Group | Literal[""] = ""
    role: str = ""
    leader: bool = False
    damage: Wounds = 0
    activations: Annotated[int, Meta(ge=0, le=3)] = 0
    """Activations begun in this round; a monster has three."""
    reactions: Annotated[int, Meta(ge=0, le=2)] = 0
    waiting: bool = False
    climbing: str = ""
    """The part of terrain that it is climbing."""
    carrying: Annotated[str, names("treasures")] = ""
    felled_in: Few = 0
    """The round in which it was taken down."""
    abilities: tuple[Ability, ...] = ()
    """What its faction gives it by its runemarks."""
    answers: tuple[Reaction, ...] = ()
    """The reactions that its faction gives it by its runemarks."""

    @property
    def base(self) -> Base:
        profile = self.profile
        return Base(Round(profile.base / 50.8), self.x, self.y, self.z, 0.0, profile.height)

    @property
    def monster(self) -> bool:
        return MONSTER in self.profile.runemarks

    @property
    def flies(self) -> bool:
        return FLY in self.profile.runemarks


class Player(msgspec.Struct, gc=False):
    """One side's dice, points and part in the battle."""

    faction: str
    name: Mapping[str, str] = {}
    """What its faction is called."""
    attacker: bool = False
    red: bool = False
    singles: tuple[Face, ...] = ()
    sets: Sets = ()
    """Ability dice: (score, how many dice)."""
    wild: Counter = 0
    wild_singles: Counter = 0
    wild_on: tuple[Face, ...] = ()
    """Scores that a wild die has joined in this round."""
    points: Counter = 0
    tally: Tally = 0
    inspired: FighterId = ""
    city: str = ""

    @property
    def single_count(self) -> int:
        return len(self.singles) + self.wild_singles


class Activation(msgspec.Struct, gc=False):
    """The activation in progress."""

    fighter: FighterId
    left: int
    taken: int = 0
    ability: bool = False
    second: bool = False
    bonus: bool = False
    """A bonus action has been made."""
    moved: bool = False
    attacked: bool = False
    felled: bool = False


class Attack(msgspec.Struct, gc=False):
    """The attack action in progress, from the choice of target on."""

    attacker: FighterId
    target: FighterId
    weapon: int
    cover: str = ""
    edge: bool = False
    steps: bool = False
    riposte: tuple[int, int] = (0, 0)
    soften: int = 0
    reaction: str = ""


class Objective(msgspec.Struct, gc=False):
    id: str
    x: float
    y: float
    z: float = 0.0
    owner: Holder = -1
    awake: bool = True


class Treasure(msgspec.Struct, gc=False):
    """A treasure token: on the table, or carried by a fighter."""

    id: str
    kind: str
    x: float
    y: float
    z: float = 0.0
    carrier: FighterId = ""


_PLACES: dict[str, int] = {}


class State(BaseState, kw_only=True):
    layout: Layout
    fighters: list[Fighter]
    players: list[Player]
    deployment: DeploymentCard | None = None
    victory: VictoryCard | None = None
    twist: TwistCard | None = None
    terrain_card: str = ""
    monsters: bool = False
    """A monster takes part in the battle."""
    turned: bool = False
    """The deployment map lies the other way round."""
    round: int = 0
    phase: str = "set-up"
    initiative: Side = 0
    first_count: tuple[Few, Few] = (0, 0)
    turn: Side = 0
    passed: bool = False
    active: Activation | None = None
    attack: Attack | None = None
    objectives: list[Objective] = msgspec.field(default_factory=list)
    treasures: list[Treasure] = msgspec.field(default_factory=list)

    def fighter(self, key: str) -> Fighter:
        # Where one of that name stood last is looked at first: battles name and list their fighters alike.
        try:
            found = self.fighters[_PLACES[key]]
            if found.id == key:
                return found
        except (KeyError, IndexError):
            pass
        for at, fighter in enumerate(self.fighters):
            if fighter.id == key:
                if len(_PLACES) > 4096:
                    _PLACES.clear()
                _PLACES[key] = at
                return fighter
        raise unknown("fighter", key)

    @property
    def ground(self) -> Ground:
        return ground_of(self.layout, self.without)

    def on_field(self, side: int | None = None) -> Iterator[Fighter]:
        for fighter in self.fighters:
            if fighter.where == "field" and (side is None or fighter.side == side):
                yield fighter

    def enemies(self, fighter: Fighter) -> list[Fighter]:
        side = fighter.side
        return [f for f in self.fighters if f.side != side and f.where == "field"]

    def friends(self, fighter: Fighter) -> list[Fighter]:
        """The other friendly fighters on the battlefield (warcry.core.friendly-enemy)."""
        side = fighter.side
        return [f for f in self.fighters if f.side == side and f.where == "field" and f is not fighter]


def discs(fighters: Iterable[Fighter]) -> list[tuple[float, float, float, float, float]]:
    """Where fighters stand: the middle, the radius, from which height to which."""
    return [(f.x, f.y, f.profile.base / 50.8, f.z, f.z + f.profile.height) for f in fighters]


def seat(side: int) -> Text:
    """How the log speaks of a side."""
    return Text(f"side.{side}")


def horizontal(a: Fighter, b: Fighter) -> float:
    """Distance between the closest points of two bases, seen from above."""
    dx, dy = a.x - b.x, a.y - b.y
    gap = math.sqrt(dx * dx + dy * dy) - (a.profile.base + b.profile.base) / 50.8
    return gap if gap > 0.0 else 0.0


@decides("warcry.core.distance", "warcry.core.distance-3d")
def distance(a: Fighter, b: Fighter) -> float:
    """warcry.core.distance, warcry.core.distance-3d: between the closest points of the bases, height included."""
    dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
    gap = math.sqrt(dx * dx + dy * dy) - (a.profile.base + b.profile.base) / 50.8
    if gap < 0.0:
        gap = 0.0
    return math.sqrt(gap * gap + dz * dz) if dz else gap


def to_spot(fighter: Fighter, x: float, y: float, z: float) -> float:
    """Distance from a base to the centre of a marker (warcry.objective.measure)."""
    gap = max(0.0, math.hypot(fighter.x - x, fighter.y - y) - fighter.profile.base / 50.8)
    return math.hypot(gap, fighter.z - z)


@decides("warcry.core.within")
def within(measured: float, limit: float) -> bool:
    """Exactly the limit is within."""
    return measured <= limit + TOLERANCE


def engagers(state: State, fighter: Fighter) -> list[Fighter]:
    """The enemies within 1 inch."""
    x, side, reach = fighter.x, fighter.side, fighter.profile.base / 50.8 + ENGAGED + TOLERANCE
    found = []
    for other in state.fighters:
        if other.side != side and other.where == "field":
            # Most are far away: what is too far along one axis need not be measured.
            gap = other.x - x
            far = reach + other.profile.base / 50.8
            if -far <= gap <= far and distance(fighter, other) <= ENGAGED + TOLERANCE:
                found.append(other)
    return found


def engaged(state: State, fighter: Fighter) -> bool:
    """Is an enemy within 1 inch?"""
    return bool(engagers(state, fighter))


def row_of(fighter: Fighter) -> int:
    """Which row of its damage table a monster is on: the damage points now allocated decide."""
    row = 0
    for n, entry in enumerate(fighter.profile.table):
        if fighter.damage >= entry.damage:
            row = n
    return row


def base_value(fighter: Fighter, what: str, weapon: int = 0) -> int:
    """A characteristic as the card has it; a monster's damage table goes first (warcry.monster.damage-table)."""
    profile = fighter.profile
    if profile.table:
        entry = profile.table[row_of(fighter)]
        if what == "move" and entry.move is not None:
            return entry.move
        if what == "toughness" and entry.toughness is not None:
            return entry.toughness
        if what == "attacks" and entry.attacks is not None:
            return entry.attacks[weapon]
        if what == "strength" and entry.strength is not None:
            return entry.strength[weapon]
    if what == "move":
        return profile.move
    if what == "toughness":
        return profile.toughness
    arm = profile.weapons[weapon]
    match what:
        case "attacks":
            return arm.attacks
        case "strength":
            return arm.strength
        case "damage":
            return arm.damage[0]
        case "critical":
            return arm.damage[1]
    raise ValueError(what)


def value(state: State, fighter: Fighter, what: str, weapon: int = 0, extra: tuple[Effect, ...] = ()) -> Number:
    """A characteristic now, with everything that changes it; of attack actions also what changes only their kind."""
    base = float(base_value(fighter, what, weapon))
    if not state.effects:
        return effects.number(state, fighter.id, what, base, extra) if extra else Number(base, base)
    more = list(extra)
    if what not in ("move", "toughness"):
        kind = f"{what}.{fighter.profile.weapons[weapon].kind}"
        more += [e for e in state.effects if e.on == fighter.id and e.what == kind]
    least = 1.0 if what in ("attacks", "strength", "toughness") else 0.0
    number = effects.number(state, fighter.id, what, base, more)
    return number if number.total >= least else Number(base, least, number.changes)


def weapon_range(state: State, fighter: Fighter, weapon: int) -> float:
    arm = fighter.profile.weapons[weapon]
    if not state.effects:
        return arm.range
    more = [e for e in state.effects if e.on == fighter.id and e.what == f"range.{arm.kind}"]
    return effects.number(state, fighter.id, "range", arm.range, more).total
