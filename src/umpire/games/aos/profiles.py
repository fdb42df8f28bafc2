"""Warscrolls: what a unit, a manifestation or a faction terrain feature is, as frozen data (aos.core.warscroll)."""

from __future__ import annotations

import functools
import re
from typing import Literal

import msgspec

from umpire.errors import fault
from umpire.miniatures.amounts import Amount

Name = dict[str, str]


class Weapon(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A melee weapon reaches as far as its bearer's combat range; a ranged weapon has a Range."""

    id: str
    name: Name
    attacks: str
    hit: int
    wound: int
    rend: int
    damage: str
    range: float = 0.0
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
    value: float = 0.0
    amount: str = "0"
    roll: int = 0
    who: Literal["self", "target", "friends", "enemies"] = "self"
    until: Literal["phase", "turn", "round", "battle"] = "turn"
    range: float = 0.0
    when: str = ""
    unit: str = ""


class AbilityData(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An ability of a warscroll, a lore, a formation or an enhancement, as the content files write it."""

    id: str
    name: Name
    timing: str
    does: tuple[Do, ...]
    keywords: tuple[str, ...] = ()
    cost: int = 0
    per: Literal["", "phase", "turn", "round", "battle"] = ""
    army: bool = False
    value: int = 0
    range: float = 0.0
    target: Literal["", "friendly", "enemy"] = ""
    picks: int = 1
    needs: tuple[str, ...] = ()
    unlimited: bool = False
    roll: int = 0
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
    move: int
    health: int
    control: int
    save: int
    base: tuple[float, ...]
    faction: str = ""
    kind: Literal["unit", "manifestation", "terrain"] = "unit"
    points: int = 0
    size: int = 1
    height: float = 1.5
    ward: int = 0
    banishment: int = 0
    coherency: float = 0.5
    keywords: tuple[str, ...] = ()
    wizard: int = 0
    priest: int = 0
    musician: int = 0
    standard: int = 0
    champion: bool = False
    weapons: tuple[Weapon, ...] = ()
    abilities: tuple[AbilityData, ...] = ()
    leads: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
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


_AMOUNT = re.compile(r"(?:(\d*)[dD](\d+))?\+?(\d+)?")


@functools.lru_cache(maxsize=256)
def amount(text: str) -> Amount:
    """Read 2, D3, 2D6 or D3+1."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or not text.strip():
        raise fault("error.amount", amount=text)
    dice, sides, plus = match.groups()
    if sides is None:
        return Amount(0, 0, int(plus))
    return Amount(int(dice or 1), int(sides), int(plus or 0))
