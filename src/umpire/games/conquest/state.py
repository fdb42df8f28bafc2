"""The plain data of a battle: regiments of stands, Characters, command stacks, table, score."""

from __future__ import annotations

from typing import Annotated as By
from typing import ClassVar, Literal

import msgspec
from msgspec import Meta

from umpire.engine.keeping import Movable
from umpire.engine.referring import names
from umpire.engine.state import State as BaseState
from umpire.miniatures.amounts import FARTHEST, Number, Side, Tally, Whole

from .profiles import Ability, CardEntry, Model, Profile, Retinue, Rule, Scenario, Spell, Terrain, Title

Where = By[Literal["reserve", "arriving", "table", "garrison", "gone"], Meta(extra={"kind": "place"})]
RegimentId = By[str, names("regiments")]
HeroId = By[str, names("characters")]
End = By[int, Meta(ge=-1, le=1)]


class Stand(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One stand in its place: rank 0 is the front, file 0 the left end. `wounds` are markers on it (a Character's are
    on the `Character`). `models` are ids of the command models on it, `character` the Character whose stand it is."""

    id: str
    rank: int = 0
    file: int = 0
    wounds: int = 0
    models: tuple[str, ...] = ()
    character: HeroId = ""
    command: bool = False


class Regiment(Movable):
    """A regiment. `x`, `y` is the middle of its front edge, `facing` 0 towards +y and clockwise. Its stands are sorted
    by rank and file.

    Every field holds something immutable, so that a copy is one flat copy: change stands by replacing the tuple.
    """

    POSITION: ClassVar[frozenset[str]] = frozenset({"x", "y", "facing", "files", "stands", "where", "garrison"})

    id: str
    side: Side
    entry: str
    """The army list entry: the name on its command card."""
    title: Title
    profile: Profile
    stands: tuple[Stand, ...]
    files: int = 1
    x: float = 0.0
    y: float = 0.0
    facing: float = 0.0
    where: Where = "reserve"
    garrison: By[str, names("terrain")] = ""
    """The terrain it occupies."""
    models: tuple[Model, ...] = ()
    """The command models bought for it; they work while a stand carries them."""
    points: Tally = 0
    warband: Number = 0
    spells: tuple[Spell, ...] = ()
    own: HeroId = ""
    """The Character that is this regiment by himself."""
    lost: tuple[Stand, ...] = ()
    """Stands lost, Characters' stands left out, in the order in which they were lost."""
    start: Number = 0
    """Stands at the start of the game, Characters' not counted (conquest.wounds.heal.cap)."""
    round_start: Number = 0
    """Stands at the start of this round, an attached Character's included."""
    round_lost: Whole = 0
    """Stands lost this round, less those restored."""
    broken: bool = False
    broken_from: Number = 0
    """Broken: the number of stands its further losses are counted against."""
    broken_lost: Whole = 0
    """Broken: the stands lost since then, in this round."""
    activated: bool = False
    arrived: Number = 0
    """The round in which it came on."""
    sure: bool = False
    """It failed to enter: next round it counts as having passed its reinforcement roll."""
    last_end: End = 0
    """The end of the rear rank that lost a stand last: -1 left, 1 right, 0 none yet."""
    inspired: By[int, Meta(ge=0, le=2)] = 0
    """How often it is Inspired in this activation (2 only by Shock)."""
    aimed: bool = False
    charged: Number = 0
    """The round in which it last completed a Charge."""
    flags: tuple[str, ...] = ()
    """Marks of special rules until the end of the round ("hindered", "murderous-volley", …)."""

    @property
    def on_table(self) -> bool:
        return self.where == "table" or self.where == "garrison"

    @property
    def alive(self) -> bool:
        return self.where != "gone"

    @property
    def ranks(self) -> int:
        return self.stands[-1].rank + 1 if self.stands else 0

    @property
    def character(self) -> str:
        """The Character attached to it."""
        for stand in self.stands:
            if stand.character and not self.own:
                return stand.character
        return ""

    def stand(self, key: str) -> Stand:
        return next(stand for stand in self.stands if stand.id == key)

    def ordinary(self) -> tuple[Stand, ...]:
        """Its stands without an attached Character's."""
        return tuple(s for s in self.stands if not s.character or self.own)


class Character(msgspec.Struct, gc=False):
    """A Character: his own profile and card; his stand is among the stands of his regiment."""

    id: str
    side: Side
    entry: str
    title: Title
    profile: Profile
    regiment: RegimentId = ""
    wounds: int = 0
    alive: bool = True
    activated: bool = False
    acted: bool = False
    """He has taken his own action this round."""
    own: bool = False
    """He is a regiment by himself."""
    warlord: bool = False
    warband: Number = 0
    points: Tally = 0
    retinue: tuple[Retinue, ...] = ()
    mastery: tuple[Rule, ...] = ()
    upgrades: tuple[Rule, ...] = ()
    spells: tuple[Spell, ...] = ()
    supremacy: Ability | None = None
    abilities: tuple[Ability, ...] = ()
    """Supremacy Abilities that his upgrades give; they work even when he is not the Warlord."""
    gives: tuple[Rule, ...] = ()
    """Rules that his mastery, retinue and upgrades give the regiment he is in."""
    bought: tuple[Title, ...] = ()
    """The names of his mastery and upgrades, for both players to read."""


Deep = By[float, Meta(ge=-1, le=FARTHEST)]


class Line(msgspec.Struct, frozen=True, gc=False):
    """A reinforcement line of one side for one Class: how far from the own edge it was fixed and stands now.

    `pushed` are the enemy regiments that pushed it back, and where to. -1 means that there is no line.
    """

    fixed: Deep = -1.0
    now: Deep = -1.0
    pushed: tuple[tuple[str, float], ...] = ()


class Activation(msgspec.Struct, frozen=True, gc=False):
    """The activation under way: the regiment (or Character), its actions so far and how many it may take."""

    side: Side
    regiment: RegimentId
    character: HeroId = ""
    by_card: bool = True
    actions: tuple[str, ...] = ()
    allowed: By[int, Meta(ge=1, le=4)] = 2
    ended: bool = False
    start: tuple[float, float, float] | None = None
    """Its last legal position, while it stands inside a friend after a first March."""
    done: tuple[str, ...] = ()
    """Moments of this activation that have passed ("spent", and marks of special rules)."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Disputed readings that the players may settle otherwise; the first value is the ledger's."""

    draw_events: By[Literal["compulsory", "optional"], "conquest.draw-event.compulsory"] = "compulsory"
    resolve_size_bonus: By[Literal["morale", "every-resolve-roll"], "conquest.morale.resolve-size-bonus"] = "morale"
    partial_rerolls: By[Literal["cancel", "full-stands"], "conquest.dice.reroll.cancel"] = "cancel"
    charge_through: By[Literal["break-both", "break-charger"], "conquest.charge.through.fail"] = "break-both"
    effective_range: By[Literal["less-than-half", "half-or-less"], "conquest.volley.effective-range"] = "less-than-half"
    reinforcement_line: By[Literal["foremost", "rearmost"], "conquest.reinforce.line.position"] = "foremost"
    casualties: By[Literal["rank-first", "engaged-first"], "conquest.regiment.casualties-from-rear"] = "rank-first"
    clean_withdrawal_morale: By[Literal["test", "none"], "conquest.withdraw.clean"] = "test"
    disputes: By[Literal["ledger", "die"], "conquest.core.dispute-die"] = "ledger"
    blocking: By[Literal["both", "either"], "conquest.regiment.line-of-sight.blocking"] = "both"
    zero: By[Literal["printed", "any"], "conquest.profile.range-and-floor"] = "printed"
    secondary_objectives: Literal["scenario", "on", "off"] = "scenario"
    zone_control: By[Literal["most-stands", "most-medium-heavy"], "conquest.battle.zone.count"] = "most-stands"
    narrow_front: By[Literal["never", "after-losses"], "conquest.regiment.front-rank-minimum"] = "never"
    reform_contact: By[Literal["each-enemy", "all-enemies"], "conquest.action.combat-reform.keep-contact"] = (
        "each-enemy"
    )
    obscured_range: By[Literal["halve-first", "add-first"], "conquest.volley.obscured-shot"] = "halve-first"
    zone_stands: By[Literal["partly", "wholly"], "conquest.battle.zone.count"] = "partly"
    flying_charges: By[Literal["no", "yes"], "conquest.rule.fly"] = "no"
    indomitable: By[Literal["morale", "every-resolve-roll"], "conquest.rule.indomitable"] = "morale"
    all_round_charges: By[Literal["yes", "no"], "conquest.terrain.garrison.view"] = "yes"
    flawless_drill: By[Literal["combat-reform", "combat-rally"], "conquest.rule.flawless-drill"] = "combat-reform"
    joining: By[Literal["own-warband", "any-of-type"], "conquest.character.join.type"] = "own-warband"
    sight_line: By[Literal["any-point", "middle-of-a-side"], "conquest.regiment.line-of-sight.line"] = "any-point"
    own_terrain: By[Literal["every-piece", "sight-blocking"], "conquest.regiment.line-of-sight.own-terrain"] = (
        "every-piece"
    )
    restored_stand: By[Literal["rear-or-beside", "rear"], "conquest.wounds.heal.restore.placement"] = "rear-or-beside"


class State(BaseState, kw_only=True):
    regiments: dict[str, Regiment]
    characters: dict[str, Character] = msgspec.field(default_factory=dict)
    scenario: Scenario
    terrain: tuple[Terrain, ...] = ()
    options: Options = Options()
    round: int = 0
    phase: str = "set-up"
    first: Side = 0
    stacks: list[list[str]] = msgspec.field(default_factory=lambda: [[], []])
    """Command cards still to draw, the next one first. A card is the id of an army list entry."""
    lines: dict[str, Line] = msgspec.field(default_factory=dict)
    """Reinforcement lines by "side/class"."""
    activation: Activation | None = None
    waiting: list[Activation] = msgspec.field(default_factory=list)
    """Activations interrupted by another (Seize the Moment, Turn the Tide)."""
    dead_cards: list[list[str]] = msgspec.field(default_factory=lambda: [[], []])
    """Cards of regiments that Turn the Tide activated: discarded when drawn, and the turn passes."""
    score: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    hands: list[list[str]] = msgspec.field(default_factory=lambda: [[], []])
    """Secondary objective cards kept, hidden from the opponent."""
    decks: list[list[str]] = msgspec.field(default_factory=lambda: [[], []])
    scored: list[list[str]] = msgspec.field(default_factory=lambda: [[], []])
    """Secondary objectives completed: "card@round"."""
    tallies: dict[str, int] = msgspec.field(default_factory=dict)
    """What scenario and secondary objectives count, by "side/what"."""
    agreed: tuple[str, ...] = ()
    redraw: bool = False
    """The regiment named was lost before it could act: the player draws another card."""
    factions: tuple[str, str] = ("", "")
    secondary: tuple[tuple[CardEntry, ...], tuple[CardEntry, ...]] = ((), ())
    """The deck of secondary objectives of each side's army book."""

    def card(self, side: int, key: str) -> CardEntry:
        return next(card for card in self.secondary[side] if card.id == key)

    def regiment(self, key: str) -> Regiment:
        return self.regiments[key]

    def of(self, side: int) -> list[Regiment]:
        """The regiments of a side that are not destroyed."""
        return [r for r in self.regiments.values() if r.side == side and r.where != "gone"]

    def on_table(self, side: int | None = None) -> list[Regiment]:
        return [
            r
            for r in self.regiments.values()
            if (r.where == "table" or r.where == "garrison") and (side is None or r.side == side)
        ]

    def piece(self, key: str) -> Terrain:
        return next(t for t in self.terrain if t.id == key)
