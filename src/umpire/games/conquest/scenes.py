"""Scenes: any moment of a battle written down, with inline or library profiles at exact coordinates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from umpire import files
from umpire.engine.effects import Effect
from umpire.engine.steps import agenda
from umpire.errors import fault
from umpire.miniatures.amounts import Number, Side, Tally, Turned
from umpire.miniatures.making import made
from umpire.miniatures.positions import called, found, marks_of
from umpire.text import words

from . import action_phase, army, content, formation, reinforcement, rounds, scenarios, supremacy
from .content import check_known
from .profiles import Ability, Model, Names, Profile, Retinue, Scenario, Spell, Terrain, Zone, title
from .roster import LEADER, command_models
from .scene_checks import check_garrisons, check_placed, check_scene, check_wounds
from .state import Activation, Character, Line, Options, Regiment, Stand, State, Where

K = TypeVar("K", bound=msgspec.Struct)
OPEN_FIELD = Scenario("scene", words("scene.conquest.scene"), zones=(Zone("centre", x=36.0, y=24.0, radius=3.0),))


class SceneSpell(Spell, frozen=True, kw_only=True):
    __doc__ = Spell.__doc__
    names: Names = msgspec.field(default_factory=dict)


class SceneScenario(Scenario, frozen=True, kw_only=True):
    __doc__ = Scenario.__doc__
    id: str = OPEN_FIELD.id
    names: Names = msgspec.field(default_factory=dict)


def plain(given: Any, kind: type[K]) -> K:
    """What a scene spells out, as the army lists have it; called by its id where it has no name."""
    return made(kind, given, names=given.names or called(given.id))


class SceneListed(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an army list has: a library `entry` or an inline `profile`."""

    id: str
    side: Side = 0
    entry: str = ""
    profile: Profile | None = None
    names: Names = {}
    spells: tuple[SceneSpell, ...] = ()
    points: Tally = 100

    @property
    def card(self) -> str:
        """A card is called by its entry."""
        return self.entry.rpartition("/")[2] or self.id


@marks_of(Regiment, but=("title", "own"))
class SceneRegiment(SceneListed, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A regiment: a library `entry` ("faction/entry") or an inline `profile`; `x`, `y` is the middle of its front edge.

    `wounds` are markers by stand number; `places` give rank and file of each stand where they are not as usual;
    `models` are command models ("leader", "standard-bearer", an officer's id) or spelt out, `lost_models` those that
    went with a lost Command Stand.
    """

    stands: Annotated[int, Meta(ge=1, le=60)] = 1
    files: int = 0
    facing: Turned = 0.0
    where: Where = "table"
    garrison: str = ""
    models: tuple[Any, ...] = ()
    wounds: dict[int, int] = {}
    places: tuple[tuple[int, int], ...] = ()
    lost: Number = 0
    lost_models: tuple[str, ...] = ()
    start: Number = 0


@marks_of(Character, but=("title", "bought"))
class SceneCharacter(SceneListed, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A Character: a library entry or an inline profile, in a regiment (at his place of its `places`, where he comes
    after its own stands) or alone."""

    regiment: str = ""
    own: bool = False
    alive: bool = True
    wounds: int = 0
    retinue: tuple[Retinue, ...] = ()
    supremacy: Ability | None = None
    abilities: tuple[Ability, ...] = ()


class Scene(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position. `moment` is what happens now: a phase, or the activation of a regiment or Character (`who`)."""

    regiments: tuple[SceneRegiment, ...]
    characters: tuple[SceneCharacter, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    scenario: SceneScenario | str | None = None
    options: Options = Options()
    round: int = 1
    first: Side = 0
    moment: Literal[
        "set-up", "round", "reinforcement", "command", "supremacy", "action", "turn", "activation", "actions",
        "character", "victory",
    ] = "activation"  # fmt: skip
    who: str = ""
    by_card: bool = True
    taken: tuple[str, ...] = ()
    """Actions already taken in the activation (moment "actions")."""
    stacks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    lines: dict[str, Line] = {}
    score: tuple[Tally, Tally] = (0, 0)
    hands: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    used: dict[str, int] = {}
    effects: tuple[Effect, ...] = ()
    factions: tuple[str, str] = ("", "")
    tallies: dict[str, int] = {}
    allowed: Annotated[int, Meta(ge=1, le=4)] = 2
    """How many actions it may take in this activation."""
    done: tuple[Annotated[Literal["spent"], Meta(extra={"kind": "mark"})], ...] = ()
    """Moments of the activation that have passed, and marks of special rules."""
    last_legal: tuple[float, float, Turned] | None = None
    """Where `who` stood before a March that left it inside a friend (moment "actions")."""
    dead_cards: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Cards of regiments that Turn the Tide has activated."""
    scored: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Secondary objectives completed: "card@round"."""
    decks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    agreed: tuple[str, ...] = ()


def library_entry(key: str, where: str, character: bool = False) -> Any:
    """A profile of the library: "faction/entry"; a Character's, or that of a regiment or of a Character by himself."""
    book = content.faction(key.partition("/")[0], where)
    listed = (*book.characters, *(() if character else book.regiments))
    return found("entry", key, {f"{book.id}/{entry.id}": entry for entry in listed}, where)


def as_listed(given: SceneListed, where: str, character: bool = False) -> dict[str, Any]:
    """What an army list says of it: its entry, its title, its profile, its spells."""
    profile, names = given.profile, given.names
    if profile is None:
        entry = library_entry(given.entry, f"{where}.entry", character)
        profile, names = content.profile_of(entry), names or entry.name
    spells = tuple(plain(spell, Spell) for spell in given.spells)
    called_by = title(names or called(given.id))
    return {"entry": given.card, "title": called_by, "profile": profile, "spells": spells}


def model_of(given: Any, where: str) -> Model:
    if isinstance(given, str):
        return found("command-model", given, command_models(), where)
    model = files.convert(given, Model, where)
    check_known(model.rules, f"{where}.rules")
    return model


def regiment_of(given: SceneRegiment, heroes: list[SceneCharacter], where: str) -> Regiment:
    listed = as_listed(given, where)
    models = tuple(model_of(m, f"{where}.models[{n}]") for n, m in enumerate(given.models))
    ids = tuple(m.id for m in models)
    stands = army.stands_of(given.id, given.stands, listed["profile"].type, ids)
    alone = next((c.id for c in heroes if c.own and c.regiment == given.id), "")
    if alone:
        stands = (Stand(f"{given.id}s0", character=alone),)
    stands = tuple(replace(s, wounds=given.wounds[k]) if k in given.wounds else s for k, s in enumerate(stands))
    joined = [Stand(f"{c.id}s", character=c.id) for c in heroes if c.regiment == given.id and c.alive and not c.own]
    everyone = (*stands, *joined)
    files = given.files or min(len(everyone), 3)
    if given.places:
        if len(given.places) != len(everyone):
            raise fault("error.conquest.places", f"{where}.places", stands=len(everyone), places=len(given.places))
        placed = [replace(s, rank=rank, file=file) for s, (rank, file) in zip(everyone, given.places, strict=True)]
        formed = tuple(sorted(placed, key=lambda s: (s.rank, s.file)))
        files = sum(s.rank == 0 for s in formed)
    else:
        formed = formation.arranged(everyone, files)
    gone = tuple(model_of(m, f"{where}.lost_models[{n}]") for n, m in enumerate(given.lost_models))
    lost = lost_stands(given, listed["profile"].type, tuple(m.id for m in gone), bool(ids))
    regiment = made(
        Regiment,
        given,
        **listed,
        stands=formed,
        own=alone,
        files=files,
        models=models + gone,
        lost=lost,
    )
    regiment.start = regiment.start or given.stands + given.lost
    regiment.round_start = regiment.round_start or len(formed)
    if regiment.broken:
        regiment.broken_from = regiment.broken_from or len(formed)
    return regiment


def lost_stands(given: SceneRegiment, kind: str, fallen: tuple[str, ...], led: bool) -> tuple[Stand, ...]:
    """The stands that it has lost. Infantry has its command models on one stand, elsewhere each has its own and only
    the Leader's is the Command Stand; while there is one in the regiment, none of those lost was it."""
    stands = [Stand(f"{given.id}x{k}") for k in range(given.lost)]
    if kind == "infantry":
        if fallen:
            stands[0] = Stand(stands[0].id, models=fallen, command=not led)
    else:
        for k, model in enumerate(fallen):
            stands[k] = Stand(stands[k].id, models=(model,), command=model == LEADER.id)
    return tuple(stands)


def character_of(given: SceneCharacter, where: str) -> Character:
    return made(
        Character,
        given,
        **as_listed(given, where, character=True),
        supremacy=plain(given.supremacy, Ability) if given.supremacy is not None else None,
        abilities=tuple(plain(ability, Ability) for ability in given.abilities),
    )


PHASES = ("reinforcement", "command", "supremacy", "victory")
"""The moments that are phases; all others but the set-up and a new round are in the Action Phase."""


def start_scene(scene: Scene) -> State:
    """The state of a scene, with its moment on the agenda."""
    field: Any = scene.scenario or OPEN_FIELD
    if isinstance(field, str):
        field = found("scenario", field, scenarios.scenarios(), "scenario")
    elif isinstance(field, SceneScenario):
        field = plain(field, Scenario)
    check_scene(scene, field)
    heroes = list(scene.characters)
    # A card may be told by whom it activates.
    cards = {piece.id: piece.card for piece in (*scene.regiments, *heroes)}
    state = made(
        State,
        scene,
        regiments={r.id: regiment_of(r, heroes, f"regiments[{n}]") for n, r in enumerate(scene.regiments)},
        characters={c.id: character_of(c, f"characters[{n}]") for n, c in enumerate(heroes)},
        scenario=field,
        phase=scene.moment if scene.moment in PHASES else "action",
        stacks=[[cards.get(card, card) for card in stack] for stack in scene.stacks],
        secondary=content.secondary(scene.factions),
    )
    check_wounds(state, scene)
    check_garrisons(state, scene)
    check_placed(state, scene)
    if not state.lines and scene.moment not in ("set-up", "round", "reinforcement"):
        state.lines = dict(reinforcement.lines_now(state))
    state.agenda = agenda(*due(state, scene))
    return state


MOMENTS: dict[str, Callable[..., Any]] = {
    "set-up": rounds.set_up, "round": rounds.start_round, "reinforcement": reinforcement.reinforcement_phase,
    "command": rounds.command_phase, "supremacy": supremacy.supremacy_phase, "action": action_phase.action_phase,
    "victory": rounds.victory_phase, "turn": action_phase.turn, "character": action_phase.activate_character,
    "activation": action_phase.activate, "actions": action_phase.choose_action,
}  # fmt: skip
"""The step that is due at each moment."""


def due(state: State, scene: Scene) -> list[Any]:
    """What is to be done from this moment on."""
    step = MOMENTS[scene.moment]
    if scene.moment in ("set-up", "round"):
        state.round, state.phase = scene.round - 1, "set-up"
    if scene.moment == "turn":
        return [(step, scene.first)]
    if scene.moment not in ("character", "activation", "actions"):
        return [step]
    pieces: dict[str, Any] = dict(state.characters if scene.moment == "character" else state.regiments)
    who = found("unit", scene.who, pieces, "who")
    if not who.alive if isinstance(who, Character) else who.where == "gone":
        raise fault("error.scene.not-on-field", "who", who=scene.who)
    if scene.moment == "actions":
        who.activated = True
        state.activation = Activation(
            who.side, scene.who, by_card=scene.by_card, actions=scene.taken, allowed=scene.allowed,
            start=scene.last_legal, done=scene.done,
        )  # fmt: skip
    more = (scene.by_card,) if scene.moment == "activation" else ()
    return [(step, scene.who, *more), (action_phase.turn_over, who.side)]
