"""Fighters as their cards show them: characteristics, weapons, runemarks, damage tables; factions and alliances."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from umpire.games.warcry.primitives import Primitive
from umpire.miniatures.amounts import FARTHEST, Millimetres, Number, Positive, Reach, Tall, Tally
from umpire.rulebook.deciding import decides

Names = dict[str, str]
Alliance = Literal["order", "chaos", "death", "destruction"]
Cost = Literal["double", "triple", "quad"]
Moment = Literal["melee", "missile", "attack", "disengage", "approached"]
"""What a reaction answers: an attack action (of a kind), an enemy that disengages, one that moves to within 1 inch."""
Wounds = Annotated[int, Meta(ge=0, le=999)]

TREASURE_RUNEMARKS = ("creature", "orrery", "realmstone", "potion", "skull", "supplies", "totem", "weapon")
Group = Literal["dagger", "shield", "hammer"]
GROUPS: tuple[Group, ...] = get_args(Group)
DECKS = ("terrain", "deployment", "victory", "twist")
"""The decks of a battleplan; the marks of orientation and of pitched battle stand on the cards."""

HERO, ALLY, THRALL, MONSTER, BEAST, MOUNT, FLY = "hero", "ally", "thrall", "monster", "beast", "mount", "fly"
CORE_RUNEMARKS = (HERO, ALLY, THRALL, MONSTER, BEAST, MOUNT, FLY)

COST_DICE = {"double": 2, "triple": 3, "quad": 4}

# The factions that the rulebook lists, by grand alliance; a faction of one's own says its alliance itself.
FACTIONS: dict[Alliance, tuple[str, ...]] = {
    "order": (
        "daughters-of-khaine",
        "idoneth-deepkin",
        "khainite-shadowstalkers",
        "kharadron-overlords",
        "lumineth-realm-lords",
        "fyreslayers",
        "seraphon",
        "sylvaneth",
        "stormcast-eternals-sacrosanct-chamber",
        "stormcast-eternals-warrior-chamber",
        "stormcast-eternals-vanguard-auxiliary-chamber",
        "thunderstrike-stormcast-eternals",
        "cities-of-sigmar",
    ),
    "chaos": (
        "beasts-of-chaos",
        "blades-of-khorne-daemons",
        "blades-of-khorne-bloodbound",
        "disciples-of-tzeentch-daemons",
        "disciples-of-tzeentch-arcanites",
        "maggotkin-of-nurgle-daemons",
        "maggotkin-of-nurgle-rotbringers",
        "hedonites-of-slaanesh-daemons",
        "hedonites-of-slaanesh-sybarites",
        "skaven",
        "slaves-to-darkness",
        "iron-golem",
        "untamed-beasts",
        "corvus-cabal",
        "cypher-lords",
        "the-unmade",
        "splintered-fang",
        "scions-of-the-flame",
        "spire-tyrants",
        "tarantulos-brood",
        "darkoath-savagers",
        "horns-of-hashut",
        "rotmire-creed",
        "chaos-legionaries",
    ),
    "death": ("flesh-eater-courts", "soulblight-gravelords", "nighthaunt", "ossiarch-bonereapers"),
    "destruction": ("bonesplitterz", "gloomspite-gitz", "ogor-mawtribes", "kruleboyz", "ironjawz"),
}
CITIES_FACTION = "cities-of-sigmar"
CITIES = (
    "tempests-eye",
    "the-living-city",
    "the-phoenicium",
    "anvilgard",
    "hammerhal",
    "greywater-fastness",
    "hallowheart",
)


@decides("warcry.faction.order", "warcry.faction.chaos", "warcry.faction.death", "warcry.faction.destruction")
def alliance_of(faction: str) -> Alliance | None:
    """The grand alliance of a faction of the rulebook, or of an alliance's own runemark."""
    for alliance, names in FACTIONS.items():
        if faction == alliance or faction in names:
            return alliance
    return None


@decides("warcry.attack.weapon", "warcry.runemark.weapons")
class Weapon(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """`range` is the maximum, `least` the minimum of a range of two numbers; `damage` is of a hit and of a critical."""

    runemark: str
    attacks: Positive
    strength: Positive
    damage: tuple[Number, Number]
    range: Annotated[float, Meta(gt=0, le=FARTHEST)] = 1.0
    least: Reach = 0.0

    @property
    def melee(self) -> bool:
        """warcry.attack.melee-missile: range 3 or less is melee; of two numbers the maximum decides."""
        return self.range <= 3.0

    @property
    @decides("warcry.attack.melee-missile")
    def kind(self) -> Literal["melee", "missile"]:
        return "melee" if self.range <= 3.0 else "missile"


class TableRow(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A row of a monster's damage table: its values from this many damage points on. `attacks` is for every weapon."""

    damage: Wounds
    move: Number | None = None
    toughness: Positive | None = None
    attacks: tuple[Positive, ...] | None = None
    strength: tuple[Positive, ...] | None = None


@decides("warcry.core.fighter", "warcry.core.runemark", "warcry.runemark.use")
class Profile(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """One fighter's card. `base` is the base's diameter in millimetres, `height` the body's in inches."""

    id: str
    name: Names
    move: Number
    toughness: Positive
    wounds: Annotated[int, Meta(ge=1, le=999)]
    points: Tally
    weapons: Annotated[tuple[Weapon, ...], Meta(min_length=1)]
    runemarks: Annotated[tuple[str, ...], Meta(max_length=3)] = ()
    faction: str = ""
    base: Millimetres = 32.0
    height: Tall = 1.5
    table: tuple[TableRow, ...] = ()
    icon: str = ""

    @property
    def radius(self) -> float:
        return self.base / 50.8

    def has(self, runemark: str) -> bool:
        return runemark in self.runemarks

    def has_all(self, runemarks: tuple[str, ...]) -> bool:
        return all(mark in self.runemarks for mark in runemarks)


class Ability(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """An ability: what it costs, who may use it (every runemark named), when, and what it does, in order."""

    id: str
    name: Names
    cost: Cost
    effect: Annotated[tuple[Primitive, ...], Meta(min_length=1)]
    runemarks: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    text: Names = {}
    rule: str = "warcry.ability.sources"


class Reaction(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A reaction: the moment it answers, who may make it, and what it does. It costs an action, not dice."""

    id: str
    name: Names
    when: Moment
    effect: Annotated[tuple[Primitive, ...], Meta(min_length=1)]
    runemarks: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    text: Names = {}
    rule: str = "warcry.reaction.basic"


class Warband(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A ready warband of a faction, the leader first."""

    id: str
    name: Names
    fighters: tuple[str, ...]


class Faction(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A faction file. `runemark` is the rulebook's faction that it stands for, if it does; `id` otherwise."""

    id: str
    name: Names
    alliance: Alliance
    fighters: tuple[Profile, ...]
    abilities: tuple[Ability, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    warbands: tuple[Warband, ...] = ()
    runemark: str = ""
    text: Names = {}
