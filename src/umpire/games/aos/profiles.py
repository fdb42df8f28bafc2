"""Warscrolls: what a unit, a manifestation or a faction terrain feature is, as frozen data (aos.core.warscroll)."""

from __future__ import annotations

import functools
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from umpire.miniatures.amounts import Base, Dice, Face, Modifier, Number, Positive, Reach, Roll, Save, Tall, Tally
from umpire.miniatures.amounts import amount as amount

Name = dict[str, str]
Few = Annotated[int, Meta(ge=0, le=9)]
Gap = Annotated[float, Meta(ge=0, le=24)]
"""Inches between models, or between armies."""
Deed = Literal["core", "move", "run", "retreat", "charge", "attack", "shoot", "fight", "spell", "prayer", "unbind"]
OfAbility = Annotated[Deed | Literal["summon", "banish", "deploy", "deploy terrain"], Meta(extra={"kind": "keyword"})]
"""The keywords of abilities."""
OfTerrain = Annotated[
    Literal["cover", "unstable", "obscuring", "place-of-power", "impassable"], Meta(extra={"kind": "terrain-ability"})
]


class Weapon(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A melee weapon reaches as far as its bearer's combat range; a ranged weapon has a Range."""

    id: str
    name: Name
    attacks: Dice
    hit: Face
    wound: Face
    rend: Few
    damage: Dice
    range: Reach = 0.0
    abilities: tuple[str, ...] = ()

    @property
    def ranged(self) -> bool:
        return self.range > 0

    def has(self, ability: str) -> bool:
        return ability in self.abilities


class Do(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that an ability does: a primitive by its name (`do`) and what it needs to know."""

    do: str
    what: str = ""
    op: Literal["add", "set", "multiply"] = "add"
    value: Modifier = 0.0
    amount: Dice = "0"
    roll: Roll = 0
    who: Literal["self", "target", "friends", "enemies"] = "self"
    until: Literal["phase", "turn", "round", "battle"] = "turn"
    range: Reach = 0.0
    when: str = ""
    unit: str = ""


class AbilityData(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An ability of a warscroll, a lore, a formation or an enhancement, as the content files write it."""

    id: str
    name: Name
    timing: str
    does: tuple[Do, ...]
    keywords: tuple[OfAbility, ...] = ()
    cost: Few = 0
    per: Literal["", "phase", "turn", "round", "battle"] = ""
    army: bool = False
    value: Number = 0
    range: Reach = 0.0
    target: Literal["", "friendly", "enemy"] = ""
    picks: Number = 1
    needs: tuple[str, ...] = ()
    unlimited: bool = False
    roll: Roll = 0
    text: Name = {}

    @property
    def passive(self) -> bool:
        return self.timing == "passive"

    @property
    def spell(self) -> bool:
        return "spell" in self.keywords

    @property
    def prayer(self) -> bool:
        return "prayer" in self.keywords


class Warscroll(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, dict=True):
    id: str
    name: Name
    move: Number
    health: Positive
    control: Number
    save: Save
    base: Base
    faction: str = ""
    kind: Literal["unit", "manifestation", "terrain"] = "unit"
    points: Tally = 0
    size: Positive = 1
    height: Tall = 1.5
    ward: Roll = 0
    banishment: Number = 0
    coherency: Gap = 0.5
    keywords: tuple[str, ...] = ()
    wizard: Few = 0
    priest: Few = 0
    musician: Number = 0
    standard: Number = 0
    champion: bool = False
    weapons: tuple[Weapon, ...] = ()
    abilities: tuple[AbilityData, ...] = ()
    leads: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    features: tuple[OfTerrain, ...] = ()
    icon: str = ""

    def has(self, keyword: str) -> bool:
        return keyword in self.keywords

    @functools.cached_property
    def hero(self) -> bool:
        return "hero" in self.keywords

    @functools.cached_property
    def fly(self) -> bool:
        return "fly" in self.keywords

    @functools.cached_property
    def radii(self) -> tuple[float, float]:
        """Half the length and half the width of the base in inches."""
        half = [mm / 50.8 for mm in self.base]
        return max(half), min(half)

    @functools.cached_property
    def melee(self) -> tuple[Weapon, ...]:
        return tuple(weapon for weapon in self.weapons if not weapon.ranged)

    @functools.cached_property
    def missiles(self) -> tuple[Weapon, ...]:
        return tuple(weapon for weapon in self.weapons if weapon.ranged)
