"""Scenes: any moment of a battle written down, with library or inline datasheets at exact coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from umpire.engine.steps import agenda
from umpire.errors import UmpireError, fault
from umpire.files import convert
from umpire.games.wh40k import content, deployment, scene_checks, turns
from umpire.games.wh40k.abilities import bears_aura
from umpire.games.wh40k.measuring import settle
from umpire.games.wh40k.melee import faced
from umpire.games.wh40k.primitives import TRAIT, check_abilities
from umpire.games.wh40k.profiles import Ability, Datasheet, Lore, Power, Profile, Row, Stratagem, Weapon
from umpire.games.wh40k.profiles import Task as TaskData
from umpire.games.wh40k.reinforcements import deadline
from umpire.games.wh40k.state import (
    PHASES,
    Feature,
    Mark,
    Mission,
    Model,
    Objective,
    Options,
    Side,
    Size,
    State,
    Turn,
    Unit,
    Where,
)
from umpire.games.wh40k.terrain import HILL, TYPES, Corner, PartData, PieceData, make_feature
from umpire.games.wh40k.units import new_model, refresh
from umpire.miniatures import amounts, positions
from umpire.miniatures.amounts import High, Number, Tally
from umpire.miniatures.making import made
from umpire.space.shapes import snap
from umpire.text import words

PLAIN_ROW: dict[str, Any] = {
    "m": 6, "ws": 4, "bs": 4, "s": 4, "t": 4, "w": 1, "a": 1, "ld": 7, "sv": 4, "base": [25.4],
}  # fmt: skip
PLAIN_SHEET: dict[str, Any] = {"role": "troops", "power": [[100, 5]], "keywords": ["infantry"]}
FLAT = tuple(key for key in Row.__struct_fields__ if key not in Datasheet.__struct_fields__)
"""What can only be meant for the models, and may be written beside what is said of the datasheet."""
WEAPON_FIELDS = ("id", "name", "profiles", "points")
DICE = ("attacks", "s", "d")
"""Of a weapon: a number, dice or what they are added to."""


Dice = int | str
_Profile = positions.loosely("SceneWeaponProfile", Profile, attacks=Dice, s=Dice, d=Dice)
_Weapon = positions.loosely("SceneWeapon", Weapon, Profile, attacks=Dice, s=Dice, d=Dice, profiles=[_Profile])
_Ability = positions.loosely("SceneAbility", Ability)
_Row = positions.loosely("SceneRow", Row, base=float | list[float])
_Sheet = positions.loosely(
    "SceneSheet", Row, Datasheet, base=float | list[float], weapons=[_Weapon], rows=[_Row],
    abilities=[_Ability],
)  # fmt: skip
SHEET, ABILITY = positions.spelt(_Sheet), positions.spelt(_Ability)
POWER, STRATAGEM, TASK, MISSION = (
    positions.spelt(positions.loosely(f"Scene{name}", kind))
    for name, kind in (("Power", Power), ("Stratagem", Stratagem), ("Task", TaskData), ("Mission", Mission))
)
PART = positions.spelt(PartData)


@positions.marks_of(Side, but=("name", "warlord"))
class SceneSide(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    faction: str = ""


@positions.marks_of(Unit, but=("keywords", "engaged", "cx", "cy", "cr"))
class SceneUnit(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A unit: a datasheet of the library by its id, or one written out; models as [x, y, z?, facing?].

    `rows`, `arms` and `wounds` say for each model what it is, carries and has left, where that is not as printed.
    """

    id: str
    side: amounts.Side
    models: list[Annotated[list[float], Meta(min_length=2, max_length=4, extra={"fault": "error.wh40k.spot"})]] = []
    sheet: str = ""
    profile: Annotated[dict[str, Any], SHEET] = {}
    rows: list[str] = []
    arms: list[list[str]] = []
    wounds: list[int] = []
    where: Where = "table"
    aboard: str = ""
    left: Turn = "muster"
    starting: Number = 0
    points: Tally = 0
    dead: Number = 0
    died: Number = 0
    warlord: bool = False
    gifts: list[Annotated[dict[str, Any], ABILITY]] = []
    marks: list[Mark] = []
    acts: list[str] = []
    fired: list[str] = []

    def model(self, sheet: Datasheet, n: int) -> tuple[Row, Sequence[str], int]:
        """What its model of this number is, carries and has left."""
        row = sheet.row(self.rows[n]) if n < len(self.rows) else sheet.rows[0]
        arms = self.arms[n] if n < len(self.arms) else row.weapons
        return row, arms, self.wounds[n] if n < len(self.wounds) else row.w


class SceneTerrain(positions.Laid, kw_only=True):
    """A feature: a piece of the library, or a type with a footprint and parts about its own middle."""

    type: str = "debris"
    points: list[Corner] = []
    parts: list[Annotated[dict[str, Any], PART]] = []
    height: High = 0.0
    traits: list[str] | None = None
    category: Annotated[Literal["", "area", "obstacle", "hill"], Meta(extra={"kind": "terrain-category"})] = ""
    keyword: str = ""


Spot = Annotated[list[float], Meta(min_length=2, max_length=3, extra={"fault": "error.wh40k.objective"})]


class Scene(positions.Turns, kw_only=True):
    """A moment of a battle: a phase, a turn, a round or the deployment begins."""

    phase: Annotated[str, positions.one_of(*scene_checks.MOMENTS)] = "movement"
    units: list[SceneUnit]
    options: Options = Options()
    mission: Annotated[dict[str, Any], MISSION] = {}
    size: Size = "incursion"
    sides: list[SceneSide] = []
    terrain: list[SceneTerrain] = []
    objectives: list[Spot] | None = None
    powers: list[Annotated[dict[str, Any], POWER]] = []
    stratagems: list[Annotated[dict[str, Any], STRATAGEM]] = []
    tasks: list[Annotated[dict[str, Any], TASK]] = []


def _weapon(given: dict[str, Any]) -> dict[str, Any]:
    """A weapon of one profile may be written flat, and what may be dice as a plain number."""
    head = {key: given[key] for key in WEAPON_FIELDS if key in given}
    rest = {key: value for key, value in given.items() if key not in WEAPON_FIELDS}
    profiles = given.get("profiles", [{"id": "shot", "s": "4", "type": "melee", **rest}])
    if not isinstance(profiles, list) or not all(isinstance(profile, dict) for profile in profiles):
        return given
    told = [positions.numbers_told(profile, DICE) for profile in profiles]
    return {**(given if "profiles" in given else head), "profiles": told}


def _sheet(given: SceneUnit, where: str) -> Datasheet:
    if given.sheet:
        return positions.found("datasheet", given.sheet, content.datasheets(), f"{where}.sheet")
    profile = dict(given.profile)
    weapons = [_weapon(entry) for entry in positions.named(profile.pop("weapons", []), f"{where}.profile.weapons")]
    flat = {key: profile.pop(key) for key in list(profile) if key in FLAT}
    rows = positions.named(profile.pop("rows", []) or [{"id": "model"}], f"{where}.profile.rows")
    keywords = profile.get("keywords")
    if isinstance(keywords, list) and "psyker" in keywords:
        profile = {"psychic": {}, **profile}
    like = {**PLAIN_ROW, "weapons": [weapon["id"] for weapon in weapons], **positions.based(flat)}
    called = {"id": f"scene-{given.id}", "name": positions.called(given.id)}
    plain = {**PLAIN_SHEET, **called, **profile, "weapons": weapons}
    plain["rows"] = [{"name": positions.called(row["id"]), **like, **positions.based(row)} for row in rows]
    plain["abilities"] = positions.named(profile.get("abilities", []), f"{where}.profile.abilities")
    with _as_written(given.profile):
        sheet = convert(plain, Datasheet, f"{where}.profile")
        scene_checks.check_sheet(sheet, f"{where}.profile")
    return sheet


@contextmanager
def _as_written(profile: dict[str, Any]) -> Iterator[None]:
    """What is written flat is told flat."""
    try:
        yield
    except UmpireError as error:
        place = error.where if "rows" in profile else error.where.replace(".rows[0]", "")
        for n, weapon in enumerate(profile.get("weapons", ())):
            if "profiles" not in weapon:
                place = place.replace(f".weapons[{n}].profiles[0]", f".weapons[{n}]")
        raise UmpireError(error.text or error.what, place) from None


def _models(given: SceneUnit, sheet: Datasheet) -> list[Model]:
    spots = given.models or [[0.0, 0.0]] * (len(given.rows) or 1)
    models = []
    for n in range(len(spots) + given.dead):
        row, arms, wounds = given.model(sheet, n)
        x, y, z, facing = (*(spots[n] if n < len(spots) else (0.0, 0.0)), 0.0, 0.0)[:4]
        model = new_model(f"{given.id}.{n + 1}", row, arms)
        models.append(msgspec.structs.replace(model, x=snap(x), y=snap(y), z=z, facing=facing, wounds=wounds))
    return models


def _unit(given: SceneUnit, where: str) -> Unit:
    sheet = _sheet(given, where)
    scene_checks.check_models(sheet, given, where)
    models = _models(given, sheet)
    living = len(models) - given.dead
    own = {"name": words("wh40k.inspiring-leader")}
    told = [{**own, **gift} if gift.get("id") == TRAIT else gift for gift in given.gifts]
    gifts = tuple(convert(positions.named(told, f"{where}.gifts"), list[Ability], f"{where}.gifts"))
    check_abilities(gifts, f"{where}.gifts")
    scene_checks.check_trait(given, gifts, where)
    unit = made(
        Unit,
        given,
        sheet=sheet,
        models=tuple(models[:living]),
        dead=tuple(models[living:]),
        died=tuple(m.id for m in models[living:])[: given.died],
        starting=given.starting or len(models),
        gifts=gifts,
        warlord=f"{given.id}.1" if given.warlord else "",
    )
    refresh(unit)
    return unit


def _feature(n: int, given: SceneTerrain, without: Sequence[str]) -> Feature:
    key, where = f"t{n + 1}", f"terrain[{n}]"
    if given.kind:
        piece = positions.found("terrain", given.kind, content.pieces(), f"{where}.kind")
        return make_feature(key, piece, given.x, given.y, given.facing, without)
    positions.found("terrain-type", given.type, TYPES, f"{where}.type")
    if len(given.points) < 3:
        raise fault("error.wh40k.polygon", f"{where}.points")
    plain = {
        "id": given.type,
        "name": words(f"wh40k.terrain.{HILL if given.category == HILL else given.type}"),
        "type": given.type,
        "points": given.points,
        "parts": given.parts or _body(given),
        "height": given.height,
        "keyword": given.keyword,
    }
    piece = convert(plain, PieceData, where)
    content.check_parts(piece, where)
    feature = make_feature(key, piece, given.x, given.y, given.facing, without)
    return msgspec.structs.replace(
        feature, traits=_traits(given, feature.traits), category=given.category or feature.category
    )


def _traits(given: SceneTerrain, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Those that are told, or those of its type; a hill has none (wh40k.terrain.hill)."""
    if given.traits is not None:
        return tuple(given.traits)
    return () if given.category == HILL else usual


def _body(given: SceneTerrain) -> list[dict[str, Any]]:
    """An obstacle, or a hill, of which nothing but the height is told is one body so high; an area is none, nor what
    can be seen through (wh40k.terrain.trait.dense-cover)."""
    kind = TYPES[given.type]
    solid = (given.category or kind.category) in ("obstacle", HILL) and "dense-cover" not in _traits(given, kind.traits)
    return [{"points": given.points, "top": given.height}] if solid and given.height else []


LORE: dict[str, Any] = {"powers": list[Power], "stratagems": list[Stratagem], "tasks": list[TaskData]}


def _lore(scene: Scene, factions: list[str]) -> Lore:
    """What the sides' factions and the mission bring, and what the scene writes out."""
    known = content.lore(factions, scene.mission.get("actions", ()))
    told: dict[str, list[Any]] = {}
    for field, kind in LORE.items():
        written = positions.named(getattr(scene, field), field)
        if field == "tasks":
            written = [{"text": positions.called(""), **task} for task in written]
        told[field] = convert(written, kind, field)
    scene_checks.check_lore(**told)
    return Lore(**{field: {**getattr(known, field), **{one.id: one for one in told[field]}} for field in LORE})


def _mission(scene: Scene) -> Mission:
    w, d = scene.width, scene.depth
    plain = {
        "id": "scene",
        "name": words("wh40k.scene"),
        "text": positions.called(""),
        "size": scene.size,
        "zones": [[[0, 0], [w, 0], [w, 9], [0, 9]], [[0, d - 9], [w, d - 9], [w, d], [0, d]]],
        "edges": ["near", "far"],
        "objectives": [spot[:2] for spot in scene.objectives or []],
        "scoring": [],
        **scene.mission,
    }
    mission = convert(plain, Mission, "mission")
    scene_checks.check_mission(mission, scene)
    return mission


def start_scene(scene: Scene) -> State:
    scene_checks.check_scene(scene)
    sides = positions.turn_sides(scene, SceneSide, Side, content.factions(), "wh40k.side", "zone")
    for n, (player, side) in enumerate(zip(sides, positions.both_sides(scene, "sides", SceneSide), strict=True)):
        player.factions = player.factions or ((side.faction,) if side.faction else ())
        mine = [unit for unit in scene.units if unit.side == n]
        player.units = player.units or len(mine)
        player.warlord = next((unit.id for unit in mine if unit.warlord), "")
        player.points = player.points or sum(unit.points for unit in mine)
    mission = _mission(scene)
    markers = [list(spot) for spot in mission.objectives] if scene.objectives is None else scene.objectives
    units = {entry.id: _unit(entry, f"units[{n}]") for n, entry in enumerate(scene.units)}
    if scene.phase == "movement":
        for unit in units.values():
            if unit.move and unit.side == scene.active:
                unit.act("moved")  # whoever has moved in this phase is not selected again
            if "disembarked" in unit.marks and unit.side == scene.active:
                unit.act("disembarked")  # in this phase, so that it boards nothing
    state = made(
        State,
        scene,
        mission=mission,
        sides=sides,
        units=units,
        terrain=(),
        objectives=[Objective(f"o{n + 1}", o[0], o[1], int(o[2]) if len(o) > 2 else -1) for n, o in enumerate(markers)],
        first=positions.went_first(scene),
        lore=_lore(scene, [faction for side in sides for faction in side.factions]),
        bearers=tuple(unit.id for unit in units.values() if bears_aura(unit)),
    )
    state.terrain = tuple(_feature(n, t, state.without) for n, t in enumerate(scene.terrain))
    scene_checks.check_made(state, scene)
    settle(state)
    for unit in units.values():
        if "charged" in unit.marks and not unit.targets:
            unit.targets = tuple(foe.id for foe in faced(state, unit))  # whom else would it have charged?
    if scene.phase == "round":
        state.round -= 1
    begins: dict[str, list[Any]] = {"deployment": [deployment.before_battle], "round": [turns.battle_round]}
    ends = (turns.end_turn, (deadline, turns.end_round))
    due = positions.turns_due(
        scene, PHASES, begins, turns.turn, turns.phase, lambda: turns.parts(scene.phase, scene.active), ends
    )
    state.agenda = agenda(*due)
    return state
