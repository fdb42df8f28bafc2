"""Models as the book describes them: characteristics in three groups, parts, Heights, bases, model rules, weapons.

Everything here is frozen: it belongs to a battle's set-up and is shared by its forks.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from umpire.engine.referring import RULES, names
from umpire.errors import fault
from umpire.miniatures.amounts import FARTHEST, Number, Positive
from umpire.rulebook.deciding import decides

Names = dict[str, str]
MM = 25.4
"""One inch in millimetres (t9a.def.measure.inch)."""

Global = Literal["cha", "mob", "dis"]
Defensive = Literal["hp", "def", "res", "arm"]
Offensive = Literal["agi", "att", "off", "str", "ap"]
GLOBAL: tuple[str, ...] = get_args(Global)
DEFENSIVE: tuple[Defensive, ...] = get_args(Defensive)
OFFENSIVE: tuple[str, ...] = get_args(Offensive)
_NAMED = {"kind": "characteristic"}
Characteristic = Annotated[Global | Defensive | Offensive, Meta(extra=_NAMED)]

Value = Annotated[int, Meta(ge=0, le=30)]
"""Of a characteristic."""
Aim = Annotated[int, Meta(ge=1, le=9)]
_DICE = r"([1-9]\d?)?D[36]([+-]\d{1,2})?|\d{1,2}\+?"
_TOLD = {"fault": "error.amount"}
Dice = Annotated[str, Meta(pattern=f"^({_DICE})$", extra=_TOLD)]
"""A number, or dice with what is added to them or taken off."""
NoDice = Annotated[str, Meta(pattern=f"^({_DICE})?$", extra=_TOLD)]
"""The like, or nothing."""
Side = Annotated[float, Meta(ge=5, le=400)]
"""Of a base, in millimetres."""
Range = Annotated[int, Meta(ge=0, le=FARTHEST)]
Height = Annotated[int, Meta(ge=0, le=5, extra={"fault": "error.t9a.height", "rule": "t9a.def.height"})]
Wizard = Literal["", "apprentice", "adept", "master", "conclave", "protean"]

Keyword = Literal["", "shooting", "both"]

ATTRIBUTES = frozenset(
    f"t9a.rule.{name}"
    for name in (
        "accurate", "area-attack.hits", "artillery", "automatic-hits", "crush-attack", "devastating-charge",
        "direct-hit", "divine-attacks", "elven-craft", "extra-support", "fight-in-extra-rank", "first-strike",
        "flaming-attacks", "focused", "grind-attacks", "hand-and-a-half", "hatred", "impact-hits", "lethal-strike",
        "lightning-attacks", "magical-attacks", "march-and-shoot", "massed-ranks", "multiple-wounds", "poison-attacks",
        "psychic-attacks", "quick-to-fire", "rage", "shoot-in-extra-rank", "stand-and-shoot", "stomp", "toxic-attacks",
        "two-handed", "unmodifiable", "unwieldy", "weapon-master", "zealous",
    )
)  # fmt: skip
"""The Attack Attributes, which belong to parts, weapons and attacks; all other rules belong to the model
(t9a.rule.attack-attribute). Sweeping Attacks are made by the model as a whole."""


class Rule(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A model rule that a model, a part, a weapon, an attack or a spell carries.

    `id` is the ledger's. `x` is what stands in brackets ("2", "D3", "+1", "5+"), `mods` changes of characteristics
    ("str", 1), `sets` values that replace them, `gives` further attributes (short names), `words` names of units,
    traits
    or rules, `against` and `versus` the keywords of that name: alternatives of requirements that must all be met.
    """

    id: Annotated[str, names(RULES)]
    x: str = ""
    mods: tuple[tuple[str, int], ...] = ()
    sets: tuple[tuple[str, int], ...] = ()
    gives: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    against: tuple[tuple[str, ...], ...] = ()
    versus: tuple[tuple[str, ...], ...] = ()
    keyword: Keyword = ""
    plus: bool = False
    most: int = 0
    wounds: str = ""
    """Multiple Wounds (X) of the hits that it gives."""

    @property
    def extras(self) -> tuple[Rule, ...]:
        """The attributes that it gives to what it does."""
        more = (Rule("t9a.rule.multiple-wounds", self.wounds),) if self.wounds else ()
        return (*(Rule(f"t9a.rule.{name}") for name in self.gives), *more)

    @property
    def number(self) -> int:
        """X as a number."""
        return int(self.x.rstrip("+")) if self.x else 0

    @property
    def short(self) -> str:
        return self.id.removeprefix("t9a.rule.")


class Part(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A line of offensive characteristics (t9a.def.model-part). None: the part lacks that characteristic. A word such
    as
    "D6+1" is a random characteristic. `mount`, Beasts and Constructs fight with natural weapons."""

    agi: Value | None = None
    att: Value | Dice | None = None
    off: Value | None = None
    strength: Value | Dice | None = None
    ap: Value | None = None
    weapons: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    natural: bool = False
    mount: bool = False
    aim: tuple[tuple[str, Aim], ...] = ()
    """The Aim value of each shooting weapon."""
    own: dict[str, Weapon] = {}
    """Weapons that are this entry's own: artillery, breaths, enchanted weapons."""


class Weapon(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A weapon's row. Melee weapons have `mods` and `rules`; shooting weapons range, shots, Strength and AP (None:
    those
    of the user)."""

    id: str
    shooting: bool = False
    enchanted: bool = False
    two_handed: bool = False
    mods: tuple[tuple[str, int], ...] = ()
    rolled: tuple[tuple[str, str], ...] = ()
    """Bonuses that are rolled for ("str", "D3"), until they are (t9a.rule.weapon.bonus-timing)."""
    rules: tuple[Rule, ...] = ()
    range: Range = 0
    shots: NoDice = "1"
    strength: Value | None = None
    ap: Value | None = None
    rule: str = ""
    """The ledger's entry of the weapon."""
    users: Literal["", "mounted", "foot"] = ""
    one_use: bool = False
    names: Names = {}


class Spell(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A spell as data: what the engine carries out. `effects` change numbers or give rules for a duration; the rest is
    done at once."""

    id: str
    names: Names
    path: str = ""
    number: Number = 0
    value: Number = 7
    bound: Number = 0
    """The casting value as a bound spell."""
    range: Number = 18
    type: Literal["unit", "caster", "ground", "aura"] = "unit"
    whom: Literal["friend", "enemy", "any"] = "enemy"
    engaged: bool = True
    """May the target be engaged?"""
    sight: bool = False
    duration: Literal["instant", "combat", "phase", "engaged", "turn", "permanent"] = "instant"
    replicable: bool = False
    mods: tuple[tuple[str, int], ...] = ()
    halves: tuple[Characteristic, ...] = ()
    gives: tuple[Rule, ...] = ()
    hits: NoDice = ""
    strength: Number = 0
    ap: Number = 0
    attributes: tuple[Rule, ...] = ()
    move: Number = 0
    recover: NoDice = ""
    raises: NoDice = ""
    summon: str = ""
    radius: Number = 0
    lose: NoDice = ""


@decides("t9a.def.model")
class Profile(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A model: global and defensive characteristics, Height, base in millimetres, traits, rules and parts."""

    cha: Value
    mob: Value
    dis: Value
    hp: Positive = 1
    df: Value = 3
    res: Value = 3
    arm: Value = 0
    height: Height = 1
    base: tuple[Side, Side] = (20.0, 20.0)
    traits: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    parts: tuple[Part, ...] = ()
    shield: bool = False
    rsr: Number = 0
    own: tuple[Annotated[Defensive, Meta(extra=_NAMED)], ...] = ()
    """Which of its values are the mount's own: what changes the rider's does not reach them
    (t9a.char.mount.defensive)."""
    names: tuple[str, ...] = ()
    """The ids of its rules, for a quick look."""
    lent: tuple[tuple[int, str, Rule], ...] = ()
    """Model rules that a melee weapon gives while it is used: the part, the weapon, the rule
    (t9a.rule.weapon.melee-other)."""

    def __post_init__(self) -> None:
        """Attack Attributes of the model go to each of its parts (t9a.rule.attack-attribute.granted), the other rules
        of a part to the model (t9a.char.mount.rules)."""
        loose = tuple(rule for rule in self.rules if rule.id in ATTRIBUTES)
        if loose or any(rule.id not in ATTRIBUTES for part in self.parts for rule in part.rules):
            told = [r for r in (*self.rules, *(r for part in self.parts for r in part.rules)) if r.id not in ATTRIBUTES]
            parts = [
                msgspec.structs.replace(part, rules=(*(r for r in part.rules if r.id in ATTRIBUTES), *loose))
                for part in self.parts
            ]
            msgspec.structs.force_setattr(self, "rules", tuple(told))
            msgspec.structs.force_setattr(self, "parts", tuple(parts))
        lent = [
            (index, key, rule)
            for index, part in enumerate(self.parts)
            for key, weapon in part.own.items()
            if not weapon.shooting
            for rule in weapon.rules
            if rule.id not in ATTRIBUTES
        ]
        msgspec.structs.force_setattr(self, "lent", tuple(lent))
        msgspec.structs.force_setattr(self, "names", tuple(dict.fromkeys(rule.id for rule in self.rules)))

    def value(self, what: str) -> int:
        return int(getattr(self, "df" if what == "def" else what))


FAMILIES = {
    "ambush": "ambush.reserve", "area-attack": "area-attack.hits", "captain": "captain.standard",
    "light-troops": "light-troops.reform", "random-movement": "random-movement.distance", "undead": "undead.march",
}  # fmt: skip
"""Rules that the ledger tells in several entries, none of which has the plain name, and the one that models carry."""
NUMBERED = (
    "aegis", "area-attack", "grind-attacks", "impact-hits", "magic-resistance", "random-movement", "regeneration",
    "stomp", "sweeping-attack",
)  # fmt: skip
"""Rules that say nothing without their number."""
_NUMBER = re.compile(r"\d*D[36](?:[+-]\d+)?|\d+\+?|\+\d+")


def parse_rule(text: str, known: frozenset[str], where: str) -> Rule:
    """A rule as an army book writes it, e.g.

    "multiple-wounds D3 against H4+beast|H5", "impact-hits D6 str=5 ap=2", "devastating-charge str+1 ap+1",
    "aegis 5+ versus magical-attacks", "aegis +2 max 4", "poison-attacks shooting", "exclusive (wardens|sworn)",
    "direct-hit str=9 ap=4 multiple-wounds=D3".
    """
    body, _, inside = text.partition("(")
    tokens = body.split()
    if inside and not inside.rstrip().endswith(")"):
        name = inside.rpartition(")")[2].strip()
        raise fault("error.t9a.keyword", where, text=text, name=name, rule="t9a.rule.keyword.unique")
    if not tokens:
        raise fault("error.t9a.no-rule", where, name=text, rule="t9a.rule.general")
    stem = tokens[0].partition(".")[0]
    name = f"t9a.rule.{FAMILIES.get(stem, tokens[0])}"
    if f"t9a.rule.{tokens[0]}" not in known and stem != tokens[0]:
        name = ""
    if name not in known or (stem not in FAMILIES and stem != tokens[0]):
        raise fault("error.t9a.no-rule", where, name=tokens[0], rule="t9a.rule.general")
    fields: dict[str, Any] = {"id": name}
    if _NUMBER.fullmatch(inside.rstrip(") ")) and not any(_NUMBER.fullmatch(token) for token in tokens[1:]):
        tokens.append(inside.rstrip(") "))  # the number may stand in brackets, as the book writes it
    elif inside:
        fields["words"] = tuple(word.strip() for word in inside.rstrip(") ").split("|"))
    mods: list[tuple[str, int]] = []
    sets: list[tuple[str, int]] = []
    gives: list[str] = []
    rest = iter(tokens[1:])
    for token in rest:
        changed = re.fullmatch(r"([a-z-]+)([+-]\d+)", token)
        wounds = re.fullmatch(r"multiple-wounds=(\S+)", token)
        fixed = re.fullmatch(r"([a-z]+)=(\d+)", token)
        if token in ("against", "versus"):
            wish = next(rest, "")
            fields[token] = tuple(tuple(alternative.split("+")) for alternative in wish.split("|"))
        elif token == "max":
            fields["most"] = int(next(rest).rstrip("+"))
        elif token in ("shooting", "both"):
            fields["keyword"] = token
        elif wounds and _NUMBER.fullmatch(wounds[1]):
            fields["wounds"] = wounds[1]
        elif fixed:
            sets.append((fixed[1], int(fixed[2])))
        elif changed and changed[1] in ("cha", "mob", "dis", "def", "res", "arm", *OFFENSIVE):
            mods.append((changed[1], int(changed[2])))
        elif name == "t9a.rule.area-attack.hits" and (area := re.fullmatch(r"(\d+)x(\d+)", token)):
            fields |= {"x": area[1], "words": (area[2],)}
        elif _NUMBER.fullmatch(token):
            fields["x"] = token.lstrip("+")
            fields["plus"] = token.startswith("+")
        elif f"t9a.rule.{token}" in known:
            gives.append(token)
        else:
            raise fault("error.t9a.keyword", where, text=text, name=token, rule="t9a.rule.keyword.unique")
    if stem in NUMBERED and "x" not in fields:
        raise fault("error.t9a.number", where, text=text, rule=name)
    return Rule(mods=tuple(mods), sets=tuple(sets), gives=tuple(gives), **fields)


def dice_of(text: str) -> tuple[int, int, int]:
    """ "2D6+1" as (2, 6, 1); "3" as (0, 0, 3)."""
    found = re.fullmatch(r"(\d*)D([36])(?:([+-]\d+))?", text)
    if found is None:
        return 0, 0, int(text.rstrip("+"))
    return int(found[1] or 1), int(found[2]), int(found[3] or 0)


def most_of(text: str) -> int:
    """The greatest value of "2D6+1"."""
    count, sides, plus = dice_of(text)
    return count * sides + plus
