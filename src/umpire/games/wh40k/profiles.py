"""Datasheets: what models, weapons and units are, as frozen data (unit.datasheet, unit.characteristics)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from umpire.miniatures.amounts import Dice, Modifier, Number, Positive, Reach, Save, Tall, Tally
from umpire.miniatures.amounts import amount as amount
from umpire.miniatures.loose.bodies import hull_reach
from umpire.text import words

Name = dict[str, str]
Role = Literal[
    "hq", "troops", "elites", "fast-attack", "flyer", "heavy-support", "fortification", "dedicated-transport",
    "lord-of-war",
]  # fmt: skip
WeaponType = Literal["assault", "heavy", "rapid-fire", "grenade", "pistol", "melee"]
Rating = Annotated[int, Meta(ge=0, le=999)]
Strength = Annotated[str, Meta(pattern=r"^(user|[+x-]?\d{1,2})$", extra={"fault": "error.wh40k.strength"})]
Keyword = Annotated[str, Meta(min_length=1, extra={"fault": "error.wh40k.keyword"})]


class Profile(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One way of using a weapon. A strength is a number, "user", "+2" or "x2"; attacks and damage may be dice."""

    id: str
    type: WeaponType
    s: Strength
    ap: Annotated[int, Meta(ge=-10, le=0)] = 0
    d: Dice = "1"
    range: Reach = 0.0
    attacks: Dice = "1"
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
    profiles: Annotated[tuple[Profile, ...], Meta(min_length=1)]
    points: Rating = 0

    @property
    def melee(self) -> bool:
        return self.profiles[0].melee

    def profile(self, key: str) -> Profile:
        return next(profile for profile in self.profiles if profile.id == key)


class Band(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A row of a damage table: what holds while so many wounds or more are left."""

    left: Positive
    m: Number | Dice | None = None
    ws: Number | None = None
    bs: Number | None = None
    s: Number | None = None
    a: Number | Dice | None = None


class Row(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A kind of model of a unit. A characteristic of 0 is a dash: the model lacks it (unit.modifier-dash)."""

    id: str
    name: Name
    m: Number | Dice
    ws: Number
    bs: Number
    s: Number
    t: Number
    w: Positive
    a: Number | Dice
    ld: Number
    sv: Save
    base: Annotated[tuple[float, ...], Meta(min_length=1, max_length=2, extra={"fault": "error.wh40k.base"})] = (32.0,)
    """Of a base in millimetres, of a hull in inches."""
    hull: bool = False
    height: Tall = 1.6
    least: Number = 1
    most: Number = 1
    points: Tally = 0
    weapons: tuple[str, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    invulnerable: Save = 0
    ignore: Save = 0
    table: tuple[Band, ...] = ()
    m_min: Number = 0
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
    most: Number = 0
    per: Number = 0


class Does(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that an ability does: a special rule by its name and what it needs to know."""

    name: str
    what: str = ""
    op: Literal["add", "set", "multiply"] = "add"
    value: Modifier = 0.0
    which: Literal["ones", "failures", "one"] = "ones"
    """Of a re-roll: all dice that show a 1, what failed, or one die of a test of two."""
    attacks: Literal["", "ranged", "melee"] = ""
    against: str = ""
    """Only against units of this keyword."""
    when: str = ""
    amount: Number | Dice = "1"
    aura: str = ""
    """The rule by which an aura brought it; set where one reaches a unit, never in a file."""


class Ability(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An ability of a datasheet, a warlord trait, a relic, a detachment. With a range it is an aura."""

    id: str
    name: Name
    does: tuple[Does, ...] = ()
    range: Reach = 0.0
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
    charge: Positive
    target: Literal["enemy", "friendly", "self"] = "enemy"
    range: Reach = 18.0
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
    cost: Number
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
    charge: Number = 0
    keywords: tuple[str, ...] = ()
    where: Literal["objective", "centre", "enemy-zone", "anywhere", "edge"] = "objective"
    completes: Literal["turn", "own-command"] = "turn"
    points: Number = 3


class Lore(msgspec.Struct, frozen=True, omit_defaults=True):
    """What factions and the mission bring to a battle beside their units."""

    powers: dict[str, Power] = {}
    stratagems: dict[str, Stratagem] = {}
    tasks: dict[str, Task] = {}


class Psychic(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    casts: Number = 1
    denies: Number = 1
    knows: Number = 1
    as_if: bool = False
    """It may cast or deny as if it were a Psyker, without being one."""


class Carries(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a Transport takes aboard: so many models, each with all of these keywords."""

    capacity: Number
    keywords: tuple[str, ...] = ("infantry",)


class Explodes(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """When its last model is destroyed: on this roll every unit within so much suffers mortal wounds."""

    roll: Annotated[int, Meta(ge=1, le=7)] = 6
    range: Reach = 6.0
    wounds: Dice = "D3"


class Datasheet(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    name: Name
    role: Role
    rows: tuple[Row, ...]
    power: tuple[tuple[Rating, Rating], ...]
    """(up to so many models, Power Rating), smallest first."""
    keywords: tuple[Keyword, ...] = ()
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
