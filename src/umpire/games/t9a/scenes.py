"""Scenes: any moment of a battle written down, with inline or library profiles at exact coordinates."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from umpire.engine.effects import Effect
from umpire.engine.steps import agenda
from umpire.miniatures import amounts, checks
from umpire.miniatures.amounts import Turned
from umpire.miniatures.making import made
from umpire.miniatures.positions import called, carry_over, found, marks_of
from umpire.space.ranks.blocks import touching_face
from umpire.text import words

from . import content, deployment, muster, preparation, turns, victory
from .formation import box
from .profiles import Dice, Names, Profile, Rule, Side, Spell, Value, Wizard
from .scene_checks import check_bought, check_placed, check_profile, check_scene, check_spent
from .spacing import separation
from .state import Field, FluxDice, Kind, Moved, Options, Pair, Points, Pool, State, Terrain, Turn, Unit, Where

OPEN_FIELD = Field(names=words("t9a.open-field"))


class ScenePart(content.PartEntry, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part with its rules in the words of an army book ("hatred", "impact-hits D6 str=5")."""

    agi: Value | None = 3
    att: Value | Dice | None = 1
    off: Value | None = 3
    str_: Value | Dice | None = msgspec.field(default=3, name="str")
    ap: Value | None = 0
    own: tuple[content.WeaponEntry, ...] = ()


@marks_of(Profile, but=("names", "lent"))
class SceneProfile(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A model as a scene writes it down."""

    cha: Value = 4
    mob: Value = 4
    dis: Value = 7
    df: Value = msgspec.field(default=3, name="def")
    base: tuple[Side, Side] = (25.4, 25.4)
    rules: tuple[str, ...] = ()
    parts: Annotated[tuple[ScenePart, ...], Meta(min_length=1)] = (ScenePart(),)


class SceneKind(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Models of a unit that are protected otherwise than its others: how many, and what is different; they stand
    behind."""

    models: int = 1
    df: Value | None = msgspec.field(default=None, name="def")
    res: Value | None = None
    arm: Value | None = None
    shield: bool | None = None
    rules: tuple[str, ...] | None = None


JOINED = ("members", "host", "joined_now", "engineer", "solid")
PHASE = (
    "fled", "target", "face", "spot", "range", "came", "redirected", "charged_out", "magic_moved", "hp_start", "ranged",
    "calm",
)  # fmt: skip
"""A scene begins with a phase, and that begins anew what a phase remembers."""
ROUND = ("locked", "locked_count", "holes")
OF_POOLS = ("count", "unit", "destroyed", "dying", "fired", "cast")
LIST = ("paths", "choices", "items", "skill")
"""What an army list says and no rule reads after the battle has begun."""


OWN = (
    "id", "side", "entry", "names", "profile", "start", "attachable", "character", "mounted", "wizard", "path",
    "spells", "bound", "banner", "kinds", "standard", "musician", "general", "bearer", "siphons",
)  # fmt: skip
"""What a pool has otherwise than a scene says it, or not only from there."""
BOUGHT = ("character", "mounted", "standard", "musician", "general", "bearer", "siphons")
"""What a pool has by its entry and what was bought for it, or because the scene says so."""


@marks_of(Unit, Pool, but=(*JOINED, *PHASE, *ROUND, *OF_POOLS, *LIST))
class SceneUnit(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A unit, or a model attached to one (`in_unit`): a library `entry` ("book/entry") or an inline `profile`; `x`, `y`
    is the middle of its front. Everything that a rule reads can be set."""

    id: str
    side: amounts.Side = 0
    entry: str = ""
    profile: SceneProfile | None = None
    names: Names = {}
    models: int = 1
    start: int = 0
    lost: int = 0
    files: int = 5
    where: Where = "table"
    in_unit: str = ""
    file: int = -1
    rank: int = -1
    attachable: bool = False
    character: bool = False
    general: bool = False
    bearer: bool = False
    wizard: Wizard = ""
    options: tuple[str, ...] = ()
    mount: str = ""
    items: tuple[str, ...] = ()
    """Options, mount and items of its entry that were bought."""
    spells: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()
    facing: Turned = 0.0
    points: Points = 100
    moved: Moved = ""
    weapon: tuple[str, ...] = ()
    close: tuple[str, ...] = ()
    base: str = ""
    mounted: bool = False
    path: str = ""
    banner: tuple[str, ...] = ()
    kinds: tuple[SceneKind, ...] = ()


Deck = Annotated[tuple[FluxDice, ...], Meta(max_length=8)]
"""t9a.magic.cards.deck"""
Stored = Annotated[int, Meta(ge=0, le=1)]


class Scene(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position. `moment` is the phase that begins now, or the deployment, or the end of the game. Units of the two
    sides that touch are engaged."""

    units: tuple[SceneUnit, ...]
    spells: tuple[content.SpellEntry, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    field: Field = OPEN_FIELD
    options: Options = Options()
    moment: Literal["deployment", "charge", "movement", "magic", "shooting", "rally", "melee", "end"] = "charge"
    until: Literal["battle", "phase"] = "battle"
    """Where the scene ends: with the battle, or with the phase."""
    turn: Turn = 2
    active: amounts.Side = 0
    starts: amounts.Side = 0
    """The side that took the first turn."""
    defender: amounts.Side = 1
    size: Annotated[int, Meta(ge=500, le=99999)] = 4500
    decks: tuple[Deck, Deck] = ((6,) * 8, (6,) * 8)
    stored: tuple[Stored, Stored] = (0, 0)
    secondaries: tuple[str, str] = ("", "")
    zone_of: tuple[int, int] = (0, 1)
    effects: tuple[Effect, ...] = ()
    used: dict[str, int] = {}


def profile_of(given: SceneProfile, where: str) -> Profile:
    parts = []
    for n, part in enumerate(given.parts):
        at = f"{where}.parts[{n}]"
        checks.each_once((entry.id for entry in part.own), lambda k, at=at: f"{at}.own[{k}].id")  # type: ignore[misc]
        own = {entry.id: content.weapon_of(entry, f"{at}.own[{k}]") for k, entry in enumerate(part.own)}
        parts.append(content.part_of(part, own, at, tuple(own)))
    return made(Profile, given, rules=content.rules_of(given.rules, f"{where}.rules"), parts=tuple(parts))


def pool_of(given: SceneUnit, spells: dict[str, Spell], where: str) -> Pool:
    book = None
    if given.entry:
        key, _, name = given.entry.partition("/")
        book = found("book", key, content.books(), f"{where}.entry")
        entry = found("entry", name, {entry.id: entry for entry in book.entries}, f"{where}.entry")
        check_bought(given, where, entry, book)
        pick = made(muster.Pick, given, leave=("models", "spells", "base"), entry=name)
        pool = muster.build_pool(book, entry, pick, given.side, given.id)
    else:
        check_bought(given, where)
        pool = Pool(
            id=given.id,
            side=given.side,
            entry=given.id,
            names=given.names or called(given.id),
            profile=profile_of(given.profile or SceneProfile(), f"{where}.profile"),
        )
    extra: list[Rule] = []
    if given.general and "t9a.rule.commanding-presence" not in pool.profile.names:
        extra.append(Rule("t9a.rule.commanding-presence", "12"))
    if given.bearer and "t9a.rule.rally-around-the-flag" not in pool.profile.names:
        extra.append(Rule("t9a.rule.rally-around-the-flag", "12"))
    channel = {"adept": 1, "master": 2, "conclave": int(len(given.spells) > 1)}.get(given.wizard, 0)
    if channel and "t9a.rule.channel" not in pool.profile.names:
        extra.append(Rule("t9a.rule.channel", str(channel)))
    if extra:
        profile = msgspec.structs.replace(pool.profile, rules=(*pool.profile.rules, *extra))
        pool.profile = profile
    pool.start = given.start or given.models or 1
    pool.count = given.models
    pool.unit = given.in_unit or given.id
    pool.kinds = kinds_of(pool, given, where)
    carry_over(given, pool, leave=OWN)
    for mark in BOUGHT:
        setattr(pool, mark, getattr(pool, mark) or getattr(given, mark))
    pool.attachable = pool.attachable or given.attachable or given.character or bool(given.in_unit)
    pool.path = given.path or pool.path
    pool.banner += content.rules_of(given.banner, f"{where}.banner")
    pool.destroyed = given.where == "gone" or not given.models
    if given.wizard:
        pool.wizard = given.wizard
    find = content.find_spell
    for field in ("spells", "bound"):
        keys = enumerate(getattr(given, field))
        learnt = tuple(spells[k] if k in spells else find(k, book, f"{where}.{field}[{n}]") for n, k in keys)
        setattr(pool, field, learnt or getattr(pool, field))
    return pool


def kinds_of(pool: Pool, given: SceneUnit, where: str) -> tuple[Kind, ...]:
    """The kinds of models in a pool, those of its profile first."""
    if not given.kinds:
        return ()
    rest = given.models - sum(kind.models for kind in given.kinds)
    found = [Kind(pool.profile, rest)]
    for n, kind in enumerate(given.kinds):
        told = {name: getattr(kind, name) for name in ("df", "res", "arm", "shield")}
        wished: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
        if kind.rules is not None:
            wished["rules"] = content.rules_of(kind.rules, f"{where}.kinds[{n}].rules")
        found.append(Kind(msgspec.structs.replace(pool.profile, **wished), kind.models))
    return tuple(found)


def start_scene(scene: Scene) -> State:
    check_scene(scene)
    spells = {entry.id: content.spell_of(entry, "scene", f"spells.{entry.id}") for entry in scene.spells}
    pools: dict[str, Pool] = {}
    units: dict[str, Unit] = {}
    for n, given in enumerate(scene.units):
        pool = pool_of(given, spells, f"units[{n}]")
        check_profile(pool.profile, given, f"units[{n}]")
        check_spent(pool, given, f"units[{n}]")
        pools[given.id] = pool
        units[given.id] = made(Unit, given, leave=("start", "moved"), members=(given.id,) if given.models else ())
    for given in scene.units:
        if given.in_unit:
            host = units[given.in_unit]
            host.base = host.base if host.base or host.members else given.id  # of characters alone
            host.members = (*host.members, given.id)
            own = units[given.id]
            own.where, own.host = "joined", host.id
    field = msgspec.structs.replace(scene.field, terrain=(*scene.field.terrain, *scene.terrain))
    state = made(
        State,
        scene,
        pools=pools,
        units=units,
        field=field,
        effects=[granting(effect, f"effects[{n}]") for n, effect in enumerate(scene.effects)],
        klass=preparation.board(scene.size)[1],
        books=tuple(
            next((unit.entry.partition("/")[0] for unit in scene.units if unit.side == side and unit.entry), "")
            for side in (0, 1)
        ),
        first=scene.starts,
        player_turn=2 * (scene.turn - 1) + (1 if scene.active == scene.starts else 2),
        summons=content.summons(),
        finished=(True, True),
    )
    check_placed(state, scene)
    engage(state)
    first_rounds(state)
    steps: list[Any]
    if scene.moment == "deployment":
        state.finished = (False, False)
        state.first = -1
        steps = [deployment.begin]
        state.turn = state.player_turn = 0
    elif scene.moment == "end":
        steps = [victory.end]
    else:
        state.phase = scene.moment
        steps = turns.turn_steps(scene.moment, scene.until == "phase")
    state.agenda = agenda(*steps)
    return state


def granting(effect: Effect, where: str) -> Effect:
    """An effect that gives a rule tells which in the words of an army book, spelt out, or by its name alone."""
    if not effect.what.startswith("t9a."):
        return effect
    told = effect.data.get("rule", effect.what.removeprefix("t9a.rule."))
    rule = content.rules_of((told,), f"{where}.data.rule")[0] if isinstance(told, str) else msgspec.convert(told, Rule)
    return msgspec.structs.replace(effect, what=rule.id, data={**effect.data, "rule": msgspec.to_builtins(rule)})


def engage(state: State) -> None:
    """Units of the two sides that touch are engaged."""
    table = state.table()
    for a in table:
        for b in table:
            if a.side >= b.side:
                continue
            one, two = box(state, a), box(state, b)
            if separation(one.corners(), two.corners()) <= 2e-3:
                state.pairs.append(Pair(a.id, b.id, touching_face(one, two), touching_face(two, one)))


def first_rounds(state: State) -> None:
    """Who is engaged and still charging has its first round before it, and so has whom nobody but chargers touch
    (t9a.melee.round.first)."""
    for unit in state.table():
        foes = [state.unit(key) for key in state.foes(unit.id)]
        if foes and (unit.charging or all(foe.charging for foe in foes)):
            unit.first = True
