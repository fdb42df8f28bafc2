"""Scenes: any moment of a battle, written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from umpire.engine.effects import Effect
from umpire.engine.steps import agenda
from umpire.errors import fault
from umpire.games.warcry import abilities, battleplan, combat, reserves, rounds, setup
from umpire.games.warcry.cards import DeploymentCard, DeploymentPoint, Feature, Piece, TwistCard, VictoryCard
from umpire.games.warcry.content import DEPTH, WIDTH, check_piece, check_profile, check_victory, library
from umpire.games.warcry.placing import in_the_place
from umpire.games.warcry.primitives import Characteristic, Until
from umpire.games.warcry.profiles import CITIES, CORE_RUNEMARKS, HERO, TREASURE_RUNEMARKS, Group, Profile
from umpire.games.warcry.state import Activation, Few, Fighter, Objective, Player, Sets, State, Treasure, Where
from umpire.games.warcry.terrain import layout
from umpire.games.warcry.warband import role_of
from umpire.miniatures import checks
from umpire.miniatures.amounts import Face, Side, Span
from umpire.miniatures.making import made
from umpire.miniatures.positions import after_faction, both_sides, found, marks_of

Moment = Literal["divide", "deploy", "round", "wild", "reserve", "combat", "turn", "act", "end-round"]


PHASES = {
    "wild": "initiative", "reserve": "reserve", "combat": "reserve", "turn": "combat", "act": "combat",
    "end-round": "combat",
}  # fmt: skip
"""The phase in which a moment is, where that is not the set-up."""
MOMENTS: dict[str, Callable[..., Any]] = {
    "divide": setup.divide, "deploy": setup.deployment_step, "round": rounds.start_round, "wild": rounds.wild_gain,
    "reserve": reserves.phase, "combat": combat.phase, "turn": combat.turn, "act": combat.act,
    "end-round": battleplan.end_round,
}  # fmt: skip
"""The step that is due at each moment."""
ROUND: tuple[Callable[..., Any], ...] = (
    rounds.wild_gain, rounds.seize, reserves.phase, battleplan.awaken, battleplan.twist_strikes, combat.phase,
)  # fmt: skip
"""A round, step by step, after the dice."""


NUMBERS = tuple(f"{what}{kind}" for what in get_args(Characteristic) for kind in ("", ".melee", ".missile"))
FORBIDDEN = ("move", "attack", "disengage", "react", "fly")
OTHER_EFFECTS = ("reroll", "ward", "vitals", "taunt", "ignore-height")
"""What effects change, forbid, and do besides."""


@marks_of(Fighter, but=("role", "abilities", "answers"))
class SceneFighter(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A fighter of a scene; its profile by id, or spelt out."""

    id: str
    side: Side
    profile: str | Profile
    where: Where = "field"
    group: Group | Literal[""] = "dagger"


@marks_of(Player, but=("name",))
class ScenePlayer(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A side of a scene: its dice and points. `sets` are ability dice as [score, how many]."""

    faction: str = ""
    city: str = ""
    singles: tuple[Face, ...] = ()
    sets: Sets = ()
    inspired: str = ""


class Scene(msgspec.Struct, forbid_unknown_fields=True):
    """A position. `at` is the moment: whose turn, who acts, or where in the round or the set-up it begins."""

    fighters: list[SceneFighter]
    at: Moment = "turn"
    side: Side = 0
    active: str = ""
    actions: Annotated[int, Meta(ge=0, le=2)] | None = None
    ability_used: bool = False
    moved: bool = False
    attacked: bool = False
    felled: bool = False
    bonus: bool = False
    players: list[ScenePlayer] = []
    terrain: str | list[Feature] = []
    pieces: list[Piece] = []
    deployment: str | DeploymentCard = "facing-lines"
    victory: str | VictoryCard = "reaper"
    twist: str | TwistCard = "still-air"
    round: int = 1
    initiative: Side = 0
    objectives: list[Objective] = []
    treasures: list[Treasure] = []
    effects: list[Effect] = []
    turned: bool = False
    passed: bool = False
    """The other side has just passed."""
    first_count: tuple[Few, Few] | None = None
    """Singles of both sides before wild dice, where that is not how many there are now."""
    width: Span = WIDTH
    depth: Span = DEPTH


def _profile(raw: str | Profile, where: str) -> Profile:
    lib = library()
    if isinstance(raw, str):
        return found("profile", raw, lib.profiles, where)
    check_profile(raw, where)
    if not raw.faction:
        raise fault("error.scene.needs", f"{where}.faction", at=raw.id, field="faction")
    checks.fields(raw, where, {"runemarks": ("runemark", _known_runemarks())})
    return raw


def _known_runemarks() -> list[str]:
    """The book's runemarks, and those that some ability, reaction or fighter of the library has."""
    lib = library()
    bearers: list[Any] = [*lib.abilities.values(), *lib.reactions.values(), *lib.profiles.values()]
    return list(dict.fromkeys((*CORE_RUNEMARKS, *(mark for one in bearers for mark in one.runemarks))))


def _card(raw: Any, table: dict[str, Any], where: str) -> Any:
    return found("card", raw, dict(sorted(table.items())), where) if isinstance(raw, str) else raw


def start_scene(scene: Scene) -> State:
    """The state of a scene, and the step that goes on from there."""
    lib = library()
    _check_scene(scene)
    players = [msgspec.structs.replace(player) for player in both_sides(scene, "players", ScenePlayer)]
    fighters = []
    for n, spec in enumerate(scene.fighters):
        profile = _profile(spec.profile, f"fighters[{n}].profile")
        own = players[spec.side].faction or next(iter(lib.factions))
        if not players[spec.side].faction:
            players[spec.side].faction = profile.faction if HERO in profile.runemarks else own
        role = role_of(lib, players[spec.side].faction, profile) or ""
        own_abilities, answers = abilities.of_faction(profile, lib)
        fighters.append(made(Fighter, spec, profile=profile, role=role, abilities=own_abilities, answers=answers))
    features: Sequence[Feature] = (
        _card(scene.terrain, lib.terrain, "terrain").features if isinstance(scene.terrain, str) else scene.terrain
    )
    pieces = {**lib.pieces, **{piece.id: piece for piece in scene.pieces}}
    keys = [feature.id or f"t{n}" for n, feature in enumerate(features)]
    checks.each_once(keys, lambda n: f"terrain[{n}].id")
    for n, feature in enumerate(features):
        checks.among("piece", feature.piece, pieces, f"terrain[{n}].piece")
        if feature.on:
            checks.among("terrain", feature.on, [key for key in keys if key != keys[n]], f"terrain[{n}].on")
    state = made(
        State,
        scene,
        leave=("active",),
        layout=layout(features, pieces, scene.width, scene.depth),
        fighters=fighters,
        players=[made(Player, one, name=after_faction(one.faction, lib.factions, {})) for one in players],
        deployment=_card(scene.deployment, lib.deployment, "deployment"),
        victory=_card(scene.victory, lib.victory, "victory"),
        twist=_card(scene.twist, lib.twist, "twist"),
        monsters=any(f.monster for f in fighters),
        phase=PHASES.get(scene.at, "set-up"),
        first_count=scene.first_count or (len(players[0].singles), len(players[1].singles)),
        turn=scene.side,
    )
    _hand_over(state)
    _check(state)
    if scene.active:
        _activate(state, scene)
    state.agenda = agenda(*_due(scene))
    return state


def _activate(state: State, scene: Scene) -> None:
    """The fighter who acts, with the actions that it has left; what is missing of them it has taken."""
    fighter = state.fighter(scene.active)
    whole = 1 if fighter.monster or fighter.waiting or fighter.reactions else 2
    left = whole if scene.actions is None else scene.actions
    state.active = Activation(
        scene.active,
        left,
        taken=max(0, whole - left),
        ability=scene.ability_used,
        second=fighter.waiting,
        moved=scene.moved,
        attacked=scene.attacked,
        felled=scene.felled,
        bonus=scene.bonus,
    )
    fighter.waiting = False
    fighter.activations = max(1, fighter.activations)
    state.turn = fighter.side


def _check_card(card: Any, scene: Scene, where: str) -> None:
    """A card that is spelt out: places on the table, and runemarks that there are."""
    runemarks = ("runemark", _known_runemarks())
    for at, one in checks.structs_in(card, where):
        told = {field: getattr(one, field) for field in one.__struct_fields__}
        for field in ("objectives", "treasure"):
            checks.spots(() if told.get(field) == "map" else told.get(field, ()), scene, f"{at}.{field}")
        if isinstance(one, DeploymentPoint):
            least = -1 if one.line else 0  # a line may stand for the point
            line = (0, max(scene.width, scene.depth))
            checks.fields(one, at, {}, {"line": line, "x": (least, scene.width), "y": (least, scene.depth)})
        elif isinstance(one, VictoryCard):
            check_victory(one, at)
        elif "runemarks" in told:
            checks.fields(one, at, {"runemarks": runemarks})


def _hand_over(state: State) -> None:
    """A token and its carrier name each other: either may say so."""
    tokens = {token.id: token for token in state.treasures}
    for n, token in enumerate(state.treasures):
        if token.carrier:
            checks.among("fighter", token.carrier, [f.id for f in state.fighters], f"treasures[{n}].carrier")
            carrier = state.fighter(token.carrier)
            if carrier.carrying not in ("", token.id):
                facts = {"carrier": carrier.id, "first": carrier.carrying, "second": token.id}
                raise fault("error.scene.two-tokens", f"treasures[{n}].carrier", **facts)
            carrier.carrying = token.id
    for n, fighter in enumerate(state.fighters):
        if fighter.carrying:
            checks.among("treasure", fighter.carrying, tokens, f"fighters[{n}].carrying")
            token = tokens[fighter.carrying]
            if token.carrier not in ("", fighter.id):
                facts = {"token": token.id, "first": token.carrier, "second": fighter.id}
                raise fault("error.scene.two-hands", f"fighters[{n}].carrying", **facts)
            token.carrier = fighter.id


def _check_scene(scene: Scene) -> None:
    """What the types of a scene do not say of its numbers and names."""
    for card in ("deployment", "victory", "twist"):
        _check_card(getattr(scene, card), scene, card)
    ids = checks.ids_once(scene, "fighters")
    checks.ids_once(scene, "fighters", "objectives", "treasures")
    checks.ids_once(scene, "pieces")
    for n, piece in enumerate(scene.pieces):
        check_piece(piece, f"pieces[{n}]")
    if not isinstance(scene.terrain, str):
        checks.lying(scene)
    checks.one_a_side(scene.fighters, "leader", "fighters")
    for field in ("attacker", "red"):
        checks.not_the_same(scene.players, field, False, "players")
    if scene.active:
        checks.among("fighter", scene.active, [f.id for f in scene.fighters if f.where == "field"], "active")
    elif scene.at == "act":
        raise fault("error.scene.needs", "active", at="at: act", field="active")
    factions = [*library().factions, *(f.profile.faction for f in scene.fighters if isinstance(f.profile, Profile))]
    for n, player in enumerate(scene.players):
        for k, (score, _) in enumerate(player.sets):
            if score in [earlier for earlier, _ in player.sets[:k]]:
                raise fault("error.file.twice", f"players[{n}].sets[{k}]", name=score)
        for k, score in enumerate(player.singles):
            if score in (*player.singles[:k], *(of for of, _ in player.sets)):
                raise fault("error.file.twice", f"players[{n}].singles[{k}]", name=score)
        mine = [f.id for f in scene.fighters if f.side == n]
        names = {"city": ("city", CITIES), "faction": ("faction", factions), "inspired": ("fighter", mine)}
        checks.fields(player, f"players[{n}]", names)
    checks.each(scene, "treasures", {"kind": ("treasure", TREASURE_RUNEMARKS)})
    for field in ("objectives", "treasures"):
        for n, marker in enumerate(getattr(scene, field)):
            checks.on_table([(marker.x, marker.y)], scene, f"{field}[{n}]")
    checks.sources(scene.effects, scene, vars(library()), abilities.CORE)
    checks.effects(
        scene.effects, ids, get_args(Until), lambda e: FORBIDDEN if e.op == "forbid" else (*NUMBERS, *OTHER_EFFECTS)
    )
    for n, effect in enumerate(scene.effects):
        if effect.what == "taunt":
            checks.among("fighter", effect.source, ids, f"effects[{n}].source")


def _check(state: State) -> None:
    """Fighters stand where a fighter can stand, are alive, and climb what is beside them."""
    ground = state.ground
    assert state.victory is not None
    checks.between(state.round, 0 if state.phase == "set-up" else 1, state.victory.rounds, "round")
    for n, fighter in enumerate(state.fighters):
        where = f"fighters[{n}]"
        if fighter.where != "down" and fighter.felled_in:
            raise fault("error.scene.needs", f"{where}.where", at="felled_in", field="where: down")
        if fighter.climbing:
            checks.among("part", fighter.climbing, ground.index, f"{where}.climbing")
        if fighter.where != "field":
            continue
        checks.living(fighter.damage, fighter.profile.wounds, where)
        other = in_the_place(state, fighter.base, [fighter.id])
        checks.placed(where, state.layout, ground.off_table(fighter.base), other=other.id if other else None)
        if not fighter.climbing:
            _check_ground(state, fighter.x, fighter.y, fighter.z, where)
            checks.placed(where, state.layout, off=False, inside=ground.blocked(fighter.base))
    for n, objective in enumerate(state.objectives):
        _check_ground(state, objective.x, objective.y, objective.z, f"objectives[{n}]")
    for n, token in enumerate(state.treasures):
        if not token.carrier:
            _check_ground(state, token.x, token.y, token.z, f"treasures[{n}]")


def _check_ground(state: State, x: float, y: float, z: float, where: str) -> None:
    if state.ground.surface(x, y, z) is None:
        raise fault("error.scene.floats", f"{where}.z", z=z)


def _due(scene: Scene) -> Sequence[Any]:
    """What is to be done from this moment on."""
    step = MOMENTS[scene.at]
    deployed = (setup.deployment_step, battleplan.begin)
    begins = {"wild": 0, "reserve": 2, "combat": 3}
    if scene.at in begins:
        return ROUND[begins[scene.at] :]
    match scene.at:
        case "divide":
            return ((step, scene.side), (step, 1 - scene.side), *deployed)
        case "deploy":
            return deployed
        case "turn":
            return ((step, scene.side),)
        case "act":
            return ((step, scene.active),)
    return (step,)
