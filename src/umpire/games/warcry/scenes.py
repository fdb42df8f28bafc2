"""Scenes: any moment of a battle, written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from umpire.engine.effects import Effect
from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.errors import UmpireError
from umpire.games.warcry import battleplan, combat, reserves, rounds, setup
from umpire.games.warcry.cards import DeploymentCard, Feature, Piece, TwistCard, VictoryCard
from umpire.games.warcry.content import DEPTH, WIDTH, check_profile, library
from umpire.games.warcry.profiles import HERO, Profile
from umpire.games.warcry.state import Activation, Fighter, Objective, Player, Sets, State, Treasure
from umpire.games.warcry.terrain import layout
from umpire.games.warcry.warband import role_of

Moment = Literal["divide", "deploy", "round", "wild", "reserve", "combat", "turn", "act", "end-round"]


class SceneFighter(msgspec.Struct, forbid_unknown_fields=True):
    """A fighter of a scene; its profile by id, or spelt out."""

    id: str
    side: Literal[0, 1]
    profile: str | Profile
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    where: Literal["aside", "reserve", "field", "down"] = "field"
    group: Literal["dagger", "shield", "hammer"] = "dagger"
    damage: int = 0
    activations: int = 0
    reactions: int = 0
    waiting: bool = False
    climbing: str = ""
    carrying: str = ""
    leader: bool = False
    felled_in: int = 0


class ScenePlayer(msgspec.Struct, forbid_unknown_fields=True):
    """A side of a scene: its dice and points. `sets` are ability dice as [score, how many]."""

    faction: str = ""
    attacker: bool = False
    red: bool = False
    singles: tuple[int, ...] = ()
    sets: Sets = ()
    wild: int = 0
    points: int = 0
    tally: int = 0


class Scene(msgspec.Struct, forbid_unknown_fields=True):
    """A position. `at` is the moment: whose turn, who acts, or where in the round or the set-up it begins."""

    fighters: list[SceneFighter]
    at: Moment = "turn"
    side: Literal[0, 1] = 0
    active: str = ""
    actions: int | None = None
    ability_used: bool = False
    players: list[ScenePlayer] = []
    terrain: str | list[Feature] = []
    pieces: list[Piece] = []
    deployment: str | DeploymentCard = "facing-lines"
    victory: str | VictoryCard = "reaper"
    twist: str | TwistCard = "still-air"
    round: int = 1
    initiative: Literal[0, 1] = 0
    objectives: list[Objective] = []
    treasures: list[Treasure] = []
    effects: list[Effect] = []
    turned: bool = False
    width: float = WIDTH
    depth: float = DEPTH


def _profile(raw: str | Profile, where: str) -> Profile:
    if isinstance(raw, str):
        found = library().profiles.get(raw)
        if found is None:
            raise UmpireError(f"there is no profile {raw!r}", where)
        return found
    check_profile(raw, where)
    if not raw.faction:
        raise UmpireError("has no faction", f"{where}.faction")
    return raw


def _card(raw: Any, table: dict[str, Any], where: str) -> Any:
    if not isinstance(raw, str):
        return raw
    if raw not in table:
        raise UmpireError(f"there is no card {raw!r}; known: {', '.join(sorted(table))}", where)
    return table[raw]


def start_scene(raw: Any) -> State:
    """The state of a scene, and the step that goes on from there."""
    try:
        scene = raw if isinstance(raw, Scene) else msgspec.convert(raw, Scene)
    except msgspec.ValidationError as error:
        raise UmpireError(str(error), "position") from None
    lib = library()
    players = list(scene.players)
    while len(players) < 2:
        players.append(ScenePlayer())
    fighters = []
    for n, spec in enumerate(scene.fighters):
        profile = _profile(spec.profile, f"position.fighters[{n}].profile")
        own = players[spec.side].faction or next(iter(lib.factions))
        if not players[spec.side].faction:
            players[spec.side].faction = profile.faction if HERO in profile.runemarks else own
        role = role_of(lib, players[spec.side].faction, profile) or ""
        fighters.append(
            Fighter(
                spec.id,
                spec.side,
                profile,
                spec.x,
                spec.y,
                spec.z,
                spec.where,
                spec.group,
                role,
                spec.leader,
                spec.damage,
                spec.activations,
                spec.reactions,
                spec.waiting,
                spec.climbing,
                spec.carrying,
                spec.felled_in,
            )
        )
    features: Sequence[Feature] = (
        _card(scene.terrain, lib.terrain, "position.terrain").features
        if isinstance(scene.terrain, str)
        else scene.terrain
    )
    pieces = {**lib.pieces, **{piece.id: piece for piece in scene.pieces}}
    state = State(
        layout=layout(features, pieces, scene.width, scene.depth),
        fighters=fighters,
        players=[
            Player(p.faction, p.attacker, p.red, p.singles, p.sets, p.wild, points=p.points, tally=p.tally)
            for p in players
        ],
        deployment=_card(scene.deployment, lib.deployment, "position.deployment"),
        victory=_card(scene.victory, lib.victory, "position.victory"),
        twist=_card(scene.twist, lib.twist, "position.twist"),
        monsters=any(f.monster for f in fighters),
        turned=scene.turned,
        round=scene.round,
        phase={"combat": "reserve", "turn": "combat", "act": "combat"}.get(scene.at, "set-up"),
        initiative=scene.initiative,
        first_count=(len(players[0].singles), len(players[1].singles)),
        turn=scene.side,
        objectives=scene.objectives,
        treasures=scene.treasures,
        effects=list(scene.effects),
    )
    _check(state)
    if scene.active:
        fighter = state.fighter(scene.active)
        left = scene.actions
        if left is None:
            left = 1 if fighter.monster or fighter.waiting or fighter.reactions else 2
        state.active = Activation(scene.active, left, ability=scene.ability_used, second=fighter.waiting)
        fighter.waiting = False
        fighter.activations = max(1, fighter.activations)
        state.turn = fighter.side
    elif scene.at == "act":
        raise UmpireError("says `at: act` but not which fighter is active", "position.active")
    state.agenda = [Task(step, args) for step, args in reversed(_tasks(scene))]
    return state


def _check(state: State) -> None:
    """What a scene's fighters refer to must be there."""
    tokens = {token.id for token in state.treasures}
    seen: set[str] = set()
    for n, fighter in enumerate(state.fighters):
        where = f"position.fighters[{n}]"
        if fighter.id in seen:
            raise UmpireError(f"{fighter.id!r} is there twice", f"{where}.id")
        seen.add(fighter.id)
        if fighter.climbing and fighter.climbing not in state.ground.index:
            known = ", ".join(state.ground.index)
            raise UmpireError(f"there is no part {fighter.climbing!r}; known: {known}", f"{where}.climbing")
        if fighter.carrying and fighter.carrying not in tokens:
            raise UmpireError(f"there is no treasure {fighter.carrying!r}", f"{where}.carrying")


def _tasks(scene: Scene) -> list[tuple[str, tuple[Any, ...]]]:
    match scene.at:
        case "divide":
            return [(step_name(setup.divide), (scene.side,)), (step_name(battleplan.end_round), ())]
        case "deploy":
            return [(step_name(setup.deployment_step), ()), (step_name(battleplan.begin), ())]
        case "round":
            return [(step_name(rounds.start_round), ())]
        case "wild":
            after: list[Any] = [rounds.wild_gain, rounds.seize, combat.phase]
            return [(step_name(step), ()) for step in after]
        case "reserve":
            return [(step_name(reserves.phase), ()), (step_name(combat.phase), ())]
        case "combat":
            after = [battleplan.awaken, battleplan.twist_strikes, combat.phase]
            return [(step_name(step), ()) for step in after]
        case "turn":
            return [(step_name(combat.turn), (scene.side,))]
        case "act":
            return [(step_name(combat.act), (scene.active,))]
        case "end-round":
            return [(step_name(battleplan.end_round), ())]
