"""Datasheets: what models, weapons and units are, as frozen data (unit.datasheet, unit.characteristics)."""

from __future__ import annotations

import functools
import re
from typing import Literal

import msgspec

from umpire.errors import fault
from umpire.miniatures.amounts import Amount
from umpire.miniatures.loose.bodies import hull_reach
from umpire.text import words

Name = dict[str, str]
Role = Literal[
    "hq", "troops", "elites", "fast-attack", "flyer", "heavy-support", "fortification", "dedicated-transport",
    "lord-of-war",
]  # fmt: skip
WeaponType = Literal["assault", "heavy", "rapid-fire", "grenade", "pistol", "melee"]


class Profile(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One way of using a weapon. A strength is a number, "user", "+2" or "x2"; attacks and damage may be dice."""

    id: str
    type: WeaponType
    s: str
    ap: int = 0
    d: str = "1"
    range: float = 0.0
    attacks: str = "1"
    name: Name = {}
    rules: tuple[str, ...] = ()

    @property
    def melee(self) -> bool:
        return self.type == "melee"

    def has(self, rule: str) -> bool:
        return rule in self.rules

    def rule(self, head: str) -> int:
        """The number of a rule such as "poison-4"; 0 if the weapon does not have it."""
        start = head + "-"
        return next((int(rule[len(start) :]) for rule in self.rules if rule.startswith(start)), 0)


class Weapon(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    name: Name
    profiles: tuple[Profile, ...]
    points: int = 0

    @property
    def melee(self) -> bool:
        return self.profiles[0].melee

    def profile(self, key: str) -> Profile:
        return next(profile for profile in self.profiles if profile.id == key)


class Band(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A row of a damage table: what holds while so many wounds or more are left."""

    left: int
    m: int | str | None = None
    ws: int | None = None
    bs: int | None = None
    s: int | None = None
    a: int | str | None = None


class Row(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A kind of model of a unit. A characteristic of 0 is a dash: the model lacks it (unit.modifier-dash)."""

    id: str
    name: Name
    m: int | str
    ws: int
    bs: int
    s: int
    t: int
    w: int
    a: int | str
    ld: int
    sv: int
    base: tuple[float, ...] = (32.0,)
    hull: bool = False
    height: float = 1.6
    least: int = 1
    most: int = 1
    points: int = 0
    weapons: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    invulnerable: int = 0
    ignore: int = 0
    table: tuple[Band, ...] = ()
    m_min: int = 0
    champion: bool = False

    @property
    def reach(self) -> tuple[float, float]:
        """How far it reaches from its middle, and the circle that fits inside (`miniatures.loose.bodies`)."""
        length, width = self.base[0], self.base[-1]
        return hull_reach(length, width) if self.hull else (length / 50.8, width / 50.8)


class Choice(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An option: models of a row may exchange weapons for others; `per` models give one, or `most` in all (0: all)."""

    id: str
    row: str
    give: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    most: int = 0
    per: int = 0


class Does(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that an ability does: a special rule by its name and what it needs to know."""

    name: str
    what: str = ""
    op: Literal["add", "set", "multiply"] = "add"
    value: float = 0.0
    which: Literal["ones", "failures", "one"] = "ones"
    """Of a re-roll: all dice that show a 1, what failed, or one die of a test of two."""
    attacks: Literal["", "ranged", "melee"] = ""
    against: str = ""
    """Only against units of this keyword."""
    when: str = ""
    amount: int | str = "1"
    aura: str = ""
    """The rule by which an aura brought it; set where one reaches a unit, never in a file."""


class Ability(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An ability of a datasheet, a warlord trait, a relic, a detachment. With a range it is an aura."""

    id: str
    name: Name
    does: tuple[Does, ...] = ()
    range: float = 0.0
    whom: Literal["friends", "enemies", "all"] = "friends"
    keywords: tuple[str, ...] = ()
    """Whom it affects: units with all of these keywords; "<x>" is the bearer's own choice for that keyword."""

    @property
    def aura(self) -> bool:
        return self.range > 0


Until = Literal["attack", "phase", "turn", "round", "battle", "next-command", "next-psychic"]


class Power(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A psychic power: warp charge, whom it reaches, what it does and for how long."""

    id: str
    name: Name
    charge: int
    target: Literal["enemy", "friendly", "self"] = "enemy"
    range: float = 18.0
    visible: bool = True
    keywords: tuple[str, ...] = ()
    does: tuple[Does, ...] = ()
    until: Until = "next-psychic"
    undeniable: bool = False
    faction: str = ""


class Stratagem(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A stratagem of a faction: cost, when it is used and by whom, on what, what it does and for how long."""

    id: str
    name: Name
    cost: int
    phase: Literal[
        "before", "command", "movement", "psychic", "shooting", "charge", "fight", "morale", "end-fight", "end-shooting"
    ]
    whose: Literal["own", "enemy", "any"] = "own"
    target: Literal["enemy", "friendly", "none"] = "friendly"
    keywords: tuple[str, ...] = ()
    does: tuple[Does, ...] = ()
    until: Until = "phase"
    per: Literal["", "battle"] = ""
    refunds: bool = False
    """Its own text gives its cost back on a roll of 4 or more."""
    faction: str = ""


class Task(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An action that units may perform: who, where, when it is completed, and what it scores; or a psychic action."""

    id: str
    name: Name
    text: Name
    psychic: bool = False
    charge: int = 0
    keywords: tuple[str, ...] = ()
    where: Literal["objective", "centre", "enemy-zone", "anywhere", "edge"] = "objective"
    completes: Literal["turn", "own-command"] = "turn"
    points: int = 3


class Lore(msgspec.Struct, frozen=True, omit_defaults=True):
    """What factions and the mission bring to a battle beside their units."""

    powers: dict[str, Power] = {}
    stratagems: dict[str, Stratagem] = {}
    tasks: dict[str, Task] = {}


class Psychic(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    casts: int = 1
    denies: int = 1
    knows: int = 1
    as_if: bool = False
    """It may cast or deny as if it were a Psyker, without being one."""


class Carries(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a Transport takes aboard: so many models, each with all of these keywords."""

    capacity: int
    keywords: tuple[str, ...] = ("infantry",)


class Explodes(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """When its last model is destroyed: on this roll every unit within so much suffers mortal wounds."""

    roll: int = 6
    range: float = 6.0
    wounds: str = "D3"


class Datasheet(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    name: Name
    role: Role
    rows: tuple[Row, ...]
    power: tuple[tuple[int, int], ...]
    """(up to so many models, Power Rating), smallest first."""
    keywords: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    faction: str = ""
    weapons: tuple[Weapon, ...] = ()
    choices: tuple[Choice, ...] = ()
    abilities: tuple[Ability, ...] = ()
    psychic: Psychic | None = None
    carries: Carries | None = None
    explodes: Explodes | None = None
    pregame: tuple[Ability, ...] = ()
    """Of these one is chosen before the battle."""
    group: str = ""
    """Datasheets of one group count as the same for the limit on datasheets."""
    selectable: str = ""
    """The bracketed keyword that must be chosen when the army is mustered."""
    icon: str = ""

    def row(self, key: str) -> Row:
        rows = self.rows
        if rows[0].id == key:
            return rows[0]
        return next(row for row in rows if row.id == key)

    def weapon(self, key: str) -> Weapon:
        return next((weapon for weapon in self.weapons if weapon.id == key), CLOSE_COMBAT)

    def has(self, keyword: str) -> bool:
        return keyword in self.keywords


CLOSE_COMBAT = Weapon("close-combat-weapon", words("wh40k.close-combat-weapon"), (Profile("strike", "melee", "user"),))
"""What a model without a melee weapon fights with (fight.default-weapon.profile)."""

_DICE = re.compile(r"(?:(\d*)[dD]([36]))?([+]?\d+)?")


@functools.cache
def amount(text: str | int) -> Amount:
    """Read "2", "D6", "2D3" or "D6+2"."""
    if isinstance(text, int):
        return Amount(0, 0, text)
    match = _DICE.fullmatch(text.strip())
    if not text or match is None:
        raise fault("error.wh40k.dice", text=text)
    count, sides, plus = match.groups()
    dice = int(count or 1) if sides else 0
    return Amount(dice, int(sides or 0), int(plus or 0))
