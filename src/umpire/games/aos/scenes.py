"""Scenes: any moment of a battle written down, with library or inline warscrolls at exact coordinates."""

from __future__ import annotations

from typing import Any

import msgspec

from umpire.engine.effects import Effect
from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.errors import UmpireError, unknown
from umpire.games.aos import content, deployment, rounds
from umpire.games.aos.battlefield import battlefield, feature_of
from umpire.games.aos.combat import begin_fights
from umpire.games.aos.composition import make_models
from umpire.games.aos.objectives import SCORING
from umpire.games.aos.primitives import check_ability
from umpire.games.aos.profiles import Warscroll
from umpire.games.aos.state import PHASES, Battleplan, Feature, Lore, Model, Objective, Side, State, Unit
from umpire.games.aos.tactics import TACTICS
from umpire.games.aos.terrain import TYPES, make_feature, stand
from umpire.games.aos.units import settle
from umpire.miniatures.loose.groups import enclose
from umpire.space.shapes import snap


class SceneSide(msgspec.Struct, forbid_unknown_fields=True):
    faction: str = ""
    command: int = 4
    vp: int = 0
    territory: int = -1
    general: str = ""
    formation: str = ""
    spells: list[str] = []
    prayers: list[str] = []
    summons: list[str] = []
    tactics: list[str] = []
    tactic: str = ""
    tactic_about: str = ""
    auxiliaries: int = 0
    underspent: bool = False
    chose_first: bool = False
    fought: int = 0
    lost: int = 0


class SceneUnit(msgspec.Struct, forbid_unknown_fields=True):
    """A unit: a warscroll of the library by its id, or one written out; models as [x, y] or [x, y, facing]."""

    id: str
    side: int
    models: list[list[float]] = []
    warscroll: str = ""
    profile: dict[str, Any] = {}
    where: str = "table"
    slain: int = 0
    damage: int = 0
    regiment: int = -1
    charged: bool = False
    fought: bool = False
    arrived: bool = False
    core: bool = False
    keywords_turn: list[str] = []
    used_phase: list[str] = []
    used_turn: list[str] = []
    used_battle: list[str] = []
    commanded: bool = False
    ritual: int = 0
    power: int = 0
    empowered: bool = False
    summoner: str = ""
    reserve_by_deploy: bool = False
    enhancements: list[str] = []
    roles: list[str] = []
    tokens: list[str] = []


class SceneTerrain(msgspec.Struct, forbid_unknown_fields=True):
    """A feature: a kind of the library, or a type with parts [points, top]."""

    x: float
    y: float
    kind: str = ""
    type: str = "obstacle"
    facing: float = 0.0
    points: list[list[float]] = []
    top: float = 0.0
    opaque: bool = True
    abilities: list[str] | None = None
    holder: int = -1


class SceneObjective(msgspec.Struct, forbid_unknown_fields=True):
    x: float
    y: float
    holder: int = -1
    held_before: int | None = None


class Scene(msgspec.Struct, forbid_unknown_fields=True):
    """A moment of a battle: the phase begins, or with `stage` 1 the active player has used all abilities of it."""

    units: list[SceneUnit]
    phase: str = "movement"
    stage: int = 0
    active: int = 0
    round: int = 1
    half: int = 0
    rounds: int | None = None
    battleplan: str = "open-field"
    plan: dict[str, Any] = {}
    width: float = 44.0
    depth: float = 30.0
    points: int = 1000
    sides: list[SceneSide] = []
    terrain: list[SceneTerrain] = []
    objectives: list[SceneObjective] | None = None
    effects: list[Effect] = []
    underdog: int = -1
    begins: int = 0
    first: int | None = None


def _scroll(given: SceneUnit) -> Warscroll:
    if given.warscroll:
        found = content.warscrolls().get(given.warscroll)
        if found is None:
            raise unknown("warscroll", given.warscroll, f"units.{given.id}.warscroll")
        return found
    plain: dict[str, Any] = {
        "id": f"scene-{given.id}",
        "name": {"zh": given.id, "en": given.id},
        "move": 5,
        "health": 1,
        "control": 1,
        "save": 4,
        "base": [32.0],
        "keywords": ["infantry"],
    }
    plain.update(given.profile)
    plain["weapons"] = [{"name": {"zh": w["id"], "en": w["id"]}, **w} for w in plain.get("weapons", [])]
    plain["abilities"] = [{"name": {"zh": a["id"], "en": a["id"]}, **a} for a in plain.get("abilities", [])]
    try:
        scroll = msgspec.convert(plain, Warscroll)
    except msgspec.ValidationError as error:
        raise UmpireError(str(error), f"units.{given.id}.profile") from error
    for data in scroll.abilities:
        check_ability(data, f"units.{given.id}.profile.abilities.{data.id}")
    return scroll


def _unit(state: State, given: SceneUnit) -> Unit:
    scroll = _scroll(given)
    count = len(given.models) + given.slain if given.models else scroll.size
    made = list(make_models(given.id, scroll, count))
    for n, role in enumerate(given.roles):
        made[n] = msgspec.structs.replace(made[n], role=role)
    placed: list[Model] = []
    for model, spot in zip(made, given.models, strict=False):
        x, y = snap(spot[0]), snap(spot[1])
        spot_facing = spot[2] if len(spot) > 2 else 0.0
        model = msgspec.structs.replace(model, x=x, y=y, facing=spot_facing)
        placed.append(msgspec.structs.replace(model, z=stand(state, model)[0]))
    standing = tuple(placed) if given.models else tuple(made)
    unit = Unit(given.id, given.side, scroll, standing, tuple(made[len(standing) :]))
    for field in (
        "where",
        "damage",
        "regiment",
        "charged",
        "fought",
        "arrived",
        "core",
        "commanded",
        "ritual",
        "power",
        "empowered",
        "summoner",
        "reserve_by_deploy",
    ):
        setattr(unit, field, getattr(given, field))
    for field in ("keywords_turn", "used_phase", "used_turn", "used_battle", "enhancements", "tokens"):
        setattr(unit, field, tuple(getattr(given, field)))
    enclose(unit)
    return unit


def _feature(n: int, given: SceneTerrain) -> Feature:
    key = f"t{n + 1}"
    if given.kind:
        feature = feature_of(given.kind, key, given.x, given.y, given.facing)
    else:
        points = [(p[0], p[1]) for p in given.points]
        if given.type not in TYPES:
            raise unknown("terrain-type", given.type, f"terrain[{n}].type", TYPES)
        name = {"zh": given.type, "en": given.type}
        feature = make_feature(
            key, name, given.type, [(points, given.top, given.opaque)], given.x, given.y, given.facing
        )
    if given.abilities is not None:
        feature.abilities = tuple(given.abilities)
    feature.holder = given.holder
    return feature


def _plan(scene: Scene) -> Battleplan:
    if scene.battleplan not in content.battleplans():
        raise unknown("battleplan", scene.battleplan, "battleplan", content.battleplans())
    plan = content.battleplans()[scene.battleplan]
    if scene.plan:
        try:
            plan = msgspec.convert({**msgspec.to_builtins(plan), **scene.plan}, Battleplan)
        except msgspec.ValidationError as error:
            raise UmpireError(str(error), "plan") from error
    if scene.rounds is not None:
        plan = msgspec.structs.replace(plan, rounds=scene.rounds)
    if plan.scoring not in SCORING:
        raise unknown("scoring", plan.scoring, "plan.scoring", SCORING)
    return plan


def _check(scene: Scene) -> None:
    """What the types of a scene do not say: sides, spots, polygons, names."""

    def fail(en: str, where: str, zh: str) -> None:
        raise UmpireError(en, where, zh)

    if scene.active not in (0, 1):
        fail("a side is 0 or 1", "active", "一方是 0 或 1")
    for given in scene.units:
        where = f"units.{given.id}"
        if given.side not in (0, 1):
            fail("a side is 0 or 1", f"{where}.side", "一方是 0 或 1")
        if any(not 2 <= len(spot) <= 3 for spot in given.models):
            fail(
                "a model stands at [x, y] or [x, y, facing]", f"{where}.models", "模型的位置写作 [x, y] 或 [x, y, 朝向]"
            )
        if given.where == "table" and not given.models:
            fail("a unit on the table has models", f"{where}.models", "战场上的单位须有模型")
        if len(given.roles) > max(1, len(given.models)):
            fail("there are more roles than models", f"{where}.roles", "职务多于模型")
        for key in given.enhancements:
            if not content.is_enhancement(key):
                raise unknown("enhancement", key, f"{where}.enhancements")
    for n, terrain in enumerate(scene.terrain):
        if terrain.kind and terrain.kind not in content.terrain_kinds():
            raise unknown("terrain", terrain.kind, f"terrain[{n}].kind", content.terrain_kinds())
        if not terrain.kind and (len(terrain.points) < 3 or any(len(p) != 2 for p in terrain.points)):
            fail("a polygon has three points or more", f"terrain[{n}].points", "多边形至少有三个点")
    for n, side in enumerate(scene.sides[:2]):
        if side.tactic and side.tactic not in TACTICS:
            raise unknown("battle-tactic", side.tactic, f"sides[{n}].tactic", TACTICS)
        if side.formation and not content.is_formation(side.formation):
            raise unknown("battle-formation", side.formation, f"sides[{n}].formation")


def _lore(scene: Scene) -> Lore:
    """What the sides' own factions bring, and what the scene names of others."""
    named = [key for given in scene.units for key in given.enhancements]
    for side in scene.sides:
        named += [side.formation, *side.spells, *side.prayers, *side.summons]
    return content.lore([side.faction for side in scene.sides], named)


def start_scene(given: Any) -> State:
    try:
        scene: Scene = given if isinstance(given, Scene) else msgspec.convert(given, Scene)
    except msgspec.ValidationError as error:
        raise UmpireError(str(error), "position") from error
    plan = _plan(scene)
    _check(scene)
    sides = []
    for n in (0, 1):
        side = scene.sides[n] if n < len(scene.sides) else SceneSide()
        facts = {field: getattr(side, field) for field in side.__struct_fields__}
        for field in ("spells", "prayers", "summons", "tactics"):
            facts[field] = tuple(facts[field])
        if side.territory < 0:
            facts["territory"] = n
        sides.append(Side(name={"zh": "甲乙"[n] + "方", "en": "AB"[n]}, **facts))
    spots = scene.objectives
    if spots is None:
        spots = [SceneObjective(x, y) for x, y in plan.objectives]
    objectives = [
        Objective(f"o{n + 1}", o.x, o.y, o.holder, o.holder if o.held_before is None else o.held_before)
        for n, o in enumerate(spots)
    ]
    state = State(
        width=scene.width,
        depth=scene.depth,
        points=scene.points,
        plan=plan,
        sides=sides,
        units={},
        terrain=[_feature(n, t) for n, t in enumerate(scene.terrain)],
        objectives=objectives,
        round=scene.round,
        half=scene.half,
        active=scene.active,
        phase=scene.phase,
        underdog=scene.underdog,
        begins=scene.begins,
        first=scene.first if scene.first is not None else (scene.active if scene.half == 0 else 1 - scene.active),
        effects=list(scene.effects),
        lore=_lore(scene),
    )
    for entry in scene.units:
        unit = _unit(state, entry)
        if unit.profile.kind == "terrain" and unit.where == "table":
            state.terrain.append(deployment.faction_feature(unit, unit.models[0].x, unit.models[0].y))
        state.units[unit.id] = unit
    most = max((u.regiment for u in state.units.values()), default=-1)
    state.regiments = [[u.id for u in state.units.values() if u.regiment == n] for n in range(most + 1)]
    settle(state)
    _agenda(state, scene)
    return state


def _agenda(state: State, scene: Scene) -> None:
    """What is still to do from this moment on."""
    todo: list[tuple[Any, ...]]
    if scene.phase == "setup":
        state.phase = "deployment"
        todo = [(battlefield,), (deployment.deployment,)]
    elif scene.phase == "deployment":
        todo = [(deployment.deployment,)]
    elif scene.phase == "round":
        state.round -= 1
        todo = [(rounds.start_round,)]
    elif scene.phase == "turn":
        todo = [(rounds.turn, scene.active, scene.half)]
    elif scene.phase in PHASES:
        todo = [(rounds.phase_abilities, scene.stage)]
        if scene.phase == "combat":
            todo.append((begin_fights,))
        todo.append((rounds.end_phase,))
        todo += [(rounds.phase, name) for name in PHASES[PHASES.index(scene.phase) + 1 :]]
        todo.append((rounds.end_turn,))
    else:
        raise unknown("phase", scene.phase, "phase", ("setup", "deployment", "round", "turn", *PHASES))
    if scene.phase in (*PHASES, "turn"):
        if scene.half == 0:
            todo.append((rounds.turn, 1 - scene.active, 1))
        todo.append((rounds.end_round,))
    for function, *args in reversed(todo):
        state.agenda.append(Task(step_name(function), tuple(args)))
