"""What abilities, reactions and twists are built of: each primitive is one thing the rules can do, with its numbers.

Content names them by `do`. An amount is a number, `value` (the score of the dice that paid), `half` (half of that,
rounded up), `D3`, `D6`, `2D6` …, with a minus in front to take away.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Amount = int | Annotated[str, Meta(pattern=r"^-?(value|half|[1-9]?D[36])$")]
Until = Literal["attack", "activation", "round", "battle"]
Characteristic = Literal["move", "toughness", "attacks", "strength", "damage", "critical", "range"]


class Who(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Whom a primitive is done to, seen from the fighter that uses it.

    `friend` is another friendly fighter, never itself; `foe` is the attacker or leaver that is reacted to.
    With `every`, all that fit; otherwise the player picks one. `fresh`: only one that has not
    activated this round; `hurt`: only one with damage points; `carrying`: only one that carries treasure.
    """

    pick: Literal["self", "friend", "enemy", "foe", "any"] = "self"
    within: int | Literal["value", "half"] | None = None
    visible: bool = True
    runemarks: tuple[str, ...] = ()
    every: bool = False
    fresh: bool = False
    hurt: bool = False
    carrying: bool = False


SELF = Who()


class _Primitive(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do"):
    pass


class Change(_Primitive, frozen=True, tag="change"):
    """Add to a characteristic (of attack actions: of one kind, if `attack` says so), never below `least`."""

    what: Characteristic
    by: Amount
    who: Who = SELF
    until: Until = "activation"
    attack: Literal["", "melee", "missile"] = ""
    least: int | None = None


class Heal(_Primitive, frozen=True, tag="heal"):
    by: Amount
    who: Who = SELF


class Damage(_Primitive, frozen=True, tag="damage"):
    by: Amount
    who: Who


class DamageRolls(_Primitive, frozen=True, tag="damage-rolls"):
    """Roll dice; each that shows `need` or more allocates `each` damage points."""

    dice: Amount
    need: Annotated[int, Meta(ge=2, le=6)]
    each: Amount
    who: Who


class BonusAction(_Primitive, frozen=True, tag="bonus-action"):
    """The fighter may make a bonus action; a move or disengage of up to `inches` instead of its own, if given."""

    action: Literal["move", "attack", "disengage"]
    inches: Amount | None = None
    attack: Literal["", "melee", "missile"] = ""


class Forbid(_Primitive, frozen=True, tag="forbid"):
    what: Literal["move", "attack", "disengage", "react", "fly"]
    who: Who
    until: Until = "round"


class Reroll(_Primitive, frozen=True, tag="reroll"):
    """Up to `dice` hit rolls that missed (or that show 1) may be rolled again in each attack action."""

    what: Literal["misses", "ones"] = "misses"
    dice: Amount = 6
    until: Until = "activation"


class SetUp(_Primitive, frozen=True, tag="set-up"):
    """Take somebody off the battlefield and set them up within so many inches of the fighter."""

    who: Who
    within: Amount = 1


class Warp(_Primitive, frozen=True, tag="warp"):
    """Take the fighter off the battlefield and set it up within so many inches of where it stood, on any surface and
    more than `apart` inches from every enemy."""

    within: Amount
    apart: int = 1


class Shove(_Primitive, frozen=True, tag="shove"):
    """Push somebody straight away from the fighter, up to so many inches, until something stops them; over an edge they
    fall."""

    who: Who
    by: Amount = 1


class Drain(_Primitive, frozen=True, tag="drain"):
    """Allocate damage points; the fighter loses as many as were allocated."""

    by: Amount
    who: Who


class Ward(_Primitive, frozen=True, tag="ward"):
    """Each damage point is not allocated on a die of `need` or more."""

    need: Annotated[int, Meta(ge=2, le=6)]
    who: Who = SELF
    until: Until = "activation"


class Intercept(_Primitive, frozen=True, tag="intercept"):
    """Somebody else becomes the target of the attack action that is reacted to."""

    who: Who


class DropTreasure(_Primitive, frozen=True, tag="drop-treasure"):
    """Whoever is picked drops the treasure that it carries."""

    who: Who


class Spoil(_Primitive, frozen=True, tag="spoil"):
    """The opponent discards a set of ability dice of at most so many dice; the player picks which."""

    dice: Annotated[int, Meta(ge=2, le=4)] = 2


class ActivateNext(_Primitive, frozen=True, tag="activate-next"):
    """The one picked may be activated at once after this activation (warcry.ability.inspiring-presence)."""

    who: Who


class Riposte(_Primitive, frozen=True, tag="riposte"):
    """Damage to the attacker for every miss, and for every hit roll of 1 (warcry.reaction.counter)."""

    miss: int = 1
    one: int = 2


class Soften(_Primitive, frozen=True, tag="soften"):
    """Each critical hit is a hit instead on this die (warcry.reaction.take-cover)."""

    need: Annotated[int, Meta(ge=2, le=6)] = 4


class Bind(_Primitive, frozen=True, tag="bind"):
    """Roll dice; each `need` or more takes 1 from the Move of the one picked for the battle, to a minimum."""

    who: Who
    need: Annotated[int, Meta(ge=2, le=6)] = 4
    least: int = 3


class Vitals(_Primitive, frozen=True, tag="vitals"):
    """If the next attack action scores a critical hit against a monster, it loses 1 Attack for the battle."""


class Taunt(_Primitive, frozen=True, tag="taunt"):
    """Roll dice; on any `need` or more the one picked can attack nobody but this fighter this round."""

    who: Who
    need: Annotated[int, Meta(ge=2, le=6)] = 4


class IgnoreHeight(_Primitive, frozen=True, tag="ignore-height"):
    """The range of attack actions is measured horizontally in this activation."""


class Wreck(_Primitive, frozen=True, tag="wreck"):
    """A terrain feature within so many inches is torn down (warcry.monster.destructive-rampage)."""

    within: int = 1


class TakeTreasure(_Primitive, frozen=True, tag="take-treasure"):
    """Pick up a treasure token within so many inches."""

    within: Amount = 1


class RollDice(_Primitive, frozen=True, tag="wild-dice"):
    """The player gains wild dice."""

    by: Annotated[int, Meta(ge=1)] = 1


Primitive = (
    Change
    | Heal
    | Damage
    | DamageRolls
    | BonusAction
    | Forbid
    | Reroll
    | SetUp
    | Warp
    | Shove
    | Drain
    | Ward
    | Intercept
    | DropTreasure
    | Spoil
    | ActivateNext
    | Riposte
    | Soften
    | Bind
    | Vitals
    | Taunt
    | IgnoreHeight
    | Wreck
    | TakeTreasure
    | RollDice
)

NEEDS = (
    "not-engaged",
    "engaged",
    "hurt",
    "on-platform",
    "on-floor",
    "felled",
    "attacked",
    "moved",
    "carrying",
    "in-cover",
    "alone",
    "outnumbered",
)
"""What an ability or reaction may ask of its user: `felled` that it took an enemy down in this activation, `alone` that
no friend is within 6 inches, `outnumbered` that two enemies or more are within 1 inch."""
OWN_ACTIVATION = ("felled", "attacked", "moved")
"""What only the active fighter can have done."""
