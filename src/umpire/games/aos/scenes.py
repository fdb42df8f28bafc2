"""Scenes: any moment of a battle written down, with library or inline warscrolls at exact coordinates."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from umpire import files
from umpire.engine import usage
from umpire.engine.steps import agenda
from umpire.games.aos import content, deployment, rounds
from umpire.games.aos.battlefield import battlefield, feature_of
from umpire.games.aos.combat import begin_fights
from umpire.games.aos.composition import make_models
from umpire.games.aos.objectives import SCORING
from umpire.games.aos.profiles import AbilityData, OfAbility, OfTerrain, Warscroll, Weapon
from umpire.games.aos.scene_checks import check_made, check_scene, check_scroll
from umpire.games.aos.state import (
    PHASES,
    Battleplan,
    Feature,
    Lore,
    Model,
    Objective,
    Role,
    Side,
    State,
    Unit,
    Where,
)
from umpire.games.aos.terrain import TYPES, make_feature, stand
from umpire.games.aos.units import settle
from umpire.miniatures import amounts, checks, positions
from umpire.miniatures.amounts import High, Holder, Number, Offset, Positive, Tally
from umpire.miniatures.loose.groups import enclose
from umpire.miniatures.making import made
from umpire.miniatures.positions import named
from umpire.space.shapes import snap

_Weapon = positions.loosely("SceneWeapon", Weapon, attacks=int | str, damage=int | str)
SCROLL = positions.spelt(
    positions.loosely(
        "SceneScroll", Warscroll, base=float | list[float], weapons=[_Weapon],
        abilities=[positions.loosely("SceneAbility", AbilityData)],
    )
)  # fmt: skip
PLAIN = {"move": 5, "health": 1, "control": 1, "save": 4, "base": [32.0], "keywords": ["infantry"]}
PLAN = positions.spelt(positions.loosely("ScenePlan", Battleplan))


@positions.marks_of(Side, but=("name",))
class SceneSide(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    faction: str = ""
    command: Number = 4
    commands_used: list[str] = []
    """Commands that the army has used in this phase."""
    spells_used: list[str] = []
    """Spells and prayers that the army has used in this turn."""


@positions.marks_of(Unit, but=("cx", "cy", "cr", "fights"))
class SceneUnit(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A unit: a warscroll of the library by its id, or one written out; models as [x, y] or [x, y, facing]."""

    id: str
    side: amounts.Side
    models: list[Annotated[list[float], Meta(min_length=2, max_length=3, extra={"fault": "error.scene.spot"})]] = []
    warscroll: str = ""
    profile: Annotated[dict[str, Any], SCROLL] = {}
    where: Where = "table"
    slain: Number = 0
    fought: bool = False
    returned: list[int] = []
    """Models, by number from 0, that were returned or added in this turn."""
    wounds_to_come: Tally = 0
    """Damage points in its pool that are still to be allocated."""
    enhancements: list[str] = []
    keywords_turn: list[OfAbility] = []
    roles: list[Role] = []


class SceneTerrain(positions.Laid, kw_only=True):
    """A feature: a kind of the library, or a type with parts [points, top]."""

    type: str = "obstacle"
    points: list[Annotated[list[Offset], Meta(min_length=2, max_length=2, extra={"fault": "error.scene.polygon"})]] = []
    top: High = 0.0
    opaque: bool = True
    abilities: list[OfTerrain] | None = None
    holder: Holder = -1


class SceneObjective(msgspec.Struct, forbid_unknown_fields=True):
    x: float
    y: float
    holder: Holder = -1
    held_before: Holder | None = None


class Scene(positions.Turns, kw_only=True):
    """A moment of a battle: the phase begins, or with `stage` 1 the active player has used all abilities of it."""

    phase: Annotated[str, positions.one_of("setup", "deployment", "round", "turn", *PHASES)] = "movement"
    units: list[SceneUnit]
    stage: amounts.Side = 0
    rounds: Positive | None = None
    battleplan: str = "open-field"
    plan: Annotated[dict[str, Any], PLAN] = {}
    points: Annotated[int, Meta(ge=0, le=99999)] = 1000
    sides: list[SceneSide] = []
    terrain: list[SceneTerrain] = []
    objectives: list[SceneObjective] | None = None
    underdog: Holder = -1
    begins: amounts.Side = 0
    finished_first: Holder = -1
    strikers: list[str] = []


def _scroll(given: SceneUnit, where: str) -> Warscroll:
    if given.warscroll:
        return positions.found("warscroll", given.warscroll, content.warscrolls(), f"{where}.warscroll")
    plain = {**PLAIN, "id": f"scene-{given.id}", "name": positions.called(given.id), **positions.based(given.profile)}
    for field in ("weapons", "abilities"):
        plain[field] = named(plain.get(field, []), f"{where}.profile.{field}")
    plain["weapons"] = [positions.numbers_told(weapon, ("attacks", "damage")) for weapon in plain["weapons"]]
    scroll = files.convert(plain, Warscroll, f"{where}.profile")
    check_scroll(scroll, f"{where}.profile")
    return scroll


def _unit(state: State, given: SceneUnit, where: str) -> Unit:
    scroll = _scroll(given, where)
    count = len(given.models) + given.slain if given.models else scroll.size
    everybody = list(make_models(given.id, scroll, count))
    for n, role in enumerate(given.roles):
        everybody[n] = msgspec.structs.replace(everybody[n], role=role)
    placed: list[Model] = []
    for model, spot in zip(everybody, given.models, strict=False):
        x, y = snap(spot[0]), snap(spot[1])
        spot_facing = spot[2] if len(spot) > 2 else 0.0
        back = len(placed) in given.returned
        model = msgspec.structs.replace(model, x=x, y=y, facing=spot_facing, back=back)
        placed.append(msgspec.structs.replace(model, z=stand(state, model)[0]))
    standing = tuple(placed) if given.models else tuple(everybody)
    unit = made(Unit, given, profile=scroll, models=standing, slain=tuple(everybody[len(standing) :]))
    if given.fought and state.phase == "combat" and "fight" not in unit.used_phase:
        unit.used_phase = (*unit.used_phase, "fight")  # who has fought does not fight again
        unit.core = True
    enclose(unit)
    return unit


def _feature(n: int, given: SceneTerrain) -> Feature:
    key = f"t{n + 1}"
    if given.kind:
        feature = feature_of(given.kind, key, given.x, given.y, given.facing)
    else:
        points = [(p[0], p[1]) for p in given.points]
        positions.found("terrain-type", given.type, TYPES, f"terrain[{n}].type")
        name = positions.called(given.type)
        feature = make_feature(
            key, name, given.type, [(points, given.top, given.opaque)], given.x, given.y, given.facing
        )
    if given.abilities is not None:
        feature.abilities = tuple(given.abilities)
    feature.holder = given.holder
    return feature


def _plan(scene: Scene) -> Battleplan:
    plan = positions.found("battleplan", scene.battleplan, content.battleplans(), "battleplan")
    if scene.plan:
        plan = files.convert({**msgspec.to_builtins(plan), **scene.plan}, Battleplan, "plan")
    if scene.rounds is not None:
        plan = msgspec.structs.replace(plan, rounds=scene.rounds)
    checks.among("scoring", plan.scoring, SCORING, "plan.scoring")
    checks.among("value", plan.setup, dict.fromkeys(p.setup for p in content.battleplans().values()), "plan.setup")
    return plan


def _lore(scene: Scene, sides: list[Side]) -> Lore:
    """What the sides' own factions bring, and what the scene names of others."""
    named = [key for given in scene.units for key in given.enhancements]
    for side in sides:
        named += [side.formation, *side.spells, *side.prayers, *side.summons]
    return content.lore([side.faction for side in sides], named)


def start_scene(scene: Scene) -> State:
    plan = _plan(scene)
    check_scene(scene)
    sides = positions.turn_sides(scene, SceneSide, Side, content.factions(), "scene.aos.side", "territory")
    spots = scene.objectives
    if spots is None:
        spots = [SceneObjective(x, y) for x, y in plan.objectives]
    objectives = [
        Objective(f"o{n + 1}", o.x, o.y, o.holder, o.holder if o.held_before is None else o.held_before)
        for n, o in enumerate(spots)
    ]
    state = made(
        State,
        scene,
        plan=plan,
        sides=sides,
        units={},
        terrain=[_feature(n, t) for n, t in enumerate(scene.terrain)],
        objectives=objectives,
        first=positions.went_first(scene),
        lore=_lore(scene, sides),
    )
    for n, entry in enumerate(scene.units):
        unit = _unit(state, entry, f"units[{n}]")
        if unit.profile.kind == "terrain" and unit.where == "table":
            state.terrain.append(deployment.faction_feature(unit, unit.models[0].x, unit.models[0].y))
        state.units[unit.id] = unit
    _number_regiments(state)
    check_made(state, scene)
    state.pools = {given.id: given.wounds_to_come for given in scene.units if given.wounds_to_come}
    for n, given_side in enumerate(scene.sides):
        for key in given_side.commands_used:
            usage.spend(state, key, "phase", n)
        for key in given_side.spells_used:
            usage.spend(state, key.rpartition(".")[2], "turn", n)  # whose spell it is does not matter
    settle(state)
    if scene.phase == "setup":
        state.phase = "deployment"
    elif scene.phase == "round":
        state.round -= 1
    state.agenda = agenda(*_due(scene))
    return state


def _number_regiments(state: State) -> None:
    """A scene numbers the regiments of each side by themselves."""
    named = [(unit.side, unit.regiment) for unit in state.units.values() if unit.regiment >= 0]
    known = sorted(dict.fromkeys(named))
    for unit in state.units.values():
        if unit.regiment >= 0:
            unit.regiment = known.index((unit.side, unit.regiment))
    state.regiments = tuple(tuple(u.id for u in state.units.values() if u.regiment == n) for n in range(len(known)))


def _due(scene: Scene) -> list[Any]:
    """What is still to do from this moment on."""
    begins = {
        "setup": [battlefield, deployment.deployment], "deployment": [deployment.deployment],
        "round": [rounds.start_round],
    }  # fmt: skip

    def now() -> list[Any]:
        fights = [begin_fights] if scene.phase == "combat" else []
        return [(rounds.phase_abilities, scene.stage), *fights, rounds.end_phase]

    ends = (rounds.end_turn, (rounds.end_round,))
    return positions.turns_due(scene, PHASES, begins, rounds.turn, rounds.phase, now, ends)
