"""Positions of Warhammer 40,000 that cannot be: names that nothing answers to, wounds on nobody, bases off the table,
in each other, in walls or in the air."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from umpire.errors import fault
from umpire.files import convert
from umpire.games.wh40k import content, profiles
from umpire.games.wh40k.abilities import HOOKS, LASTING
from umpire.games.wh40k.damage import DYING
from umpire.games.wh40k.defenders import HOLD
from umpire.games.wh40k.detachments import TYPES as DETACHMENTS
from umpire.games.wh40k.dice import REROLLABLE, WISHES
from umpire.games.wh40k.ground import LOW, floors
from umpire.games.wh40k.mustering import RANDOM
from umpire.games.wh40k.primitives import TRAIT, check_abilities, check_does
from umpire.games.wh40k.profiles import Datasheet, Does, Lore
from umpire.games.wh40k.psychic_tests import SMITE
from umpire.games.wh40k.state import PHASES, Mission, State
from umpire.games.wh40k.stratagems import CORE, ONCE_A_BATTLE
from umpire.games.wh40k.terrain import TYPES
from umpire.games.wh40k.transports import not_carried, room
from umpire.miniatures import checks
from umpire.miniatures.amounts import MOST
from umpire.miniatures.loose.over import covers
from umpire.miniatures.loose.standing import LEVEL, check_bases, placed
from umpire.space.shapes import TOLERANCE

if TYPE_CHECKING:
    from umpire.games.wh40k.scenes import Scene, SceneUnit

MOMENTS = ("deployment", "round", "turn", *PHASES)
ACTS = (
    "moved", "shot", "fought", "instead", "embarked", "disembarked", "charge-tried", "heroic-tried", "cast-over",
    "tested", "kept-off", DYING, HOLD,
)  # fmt: skip
TRAITS = tuple(dict.fromkeys(trait for kind in TYPES.values() for trait in kind.traits))
NUMBERS = (
    "m", "ws", "bs", "s", "t", "w", "a", "ld", "sv", "ap", "d", "attacks", "hit", "wound", "save", "charge", "advance",
    "psychic", "deny", "flee",
)  # fmt: skip
"""What effects change: characteristics and rolls."""
KEYWORDS = (
    "infantry", "beast", "swarm", "vehicle", "monster", "character", "psyker", "fly", "aircraft", "transport",
    "titanic", "building",
)  # fmt: skip
"""The keywords that the rules speak of."""
HAVE_KEYWORDS = {Datasheet: ("keywords", "factions"), profiles.Row: ("keywords",)}
LORE = (profiles.Power, profiles.Stratagem, profiles.Task)
NAME_KEYWORDS = {Does: ("against",), **dict.fromkeys((profiles.Ability, profiles.Carries, *LORE), ("keywords",))}
USED = ("phase", "turn", "round", "battle")
PERIODS = ("attack", *USED, *(f"next-{phase}" for phase in PHASES))
PENDING = tuple(f"{RANDOM}-{what}" for what in ("power", "trait", "pregame"))


def check_scene(scene: Scene) -> None:
    """What the types of a scene do not say of its names and numbers."""
    ids = checks.turns(scene, PERIODS, lambda effect: (LASTING, *NUMBERS))
    checks.sources(scene.effects, scene, content.factions(), known=HOOKS.known)
    checks.not_the_same(scene.sides, "zone", -1, "sides")
    checks.one_a_side(scene.units, "warlord", "units")
    wishes = [f"{roll}:{when}" for roll in REROLLABLE for when in WISHES]
    factions = ("faction", content.factions())
    told = {"wishes": ("wish", wishes), "detachments": ("detachment", DETACHMENTS)}
    checks.each(scene, "sides", {**told, "faction": factions, "factions": factions})
    for n, spot in enumerate(scene.objectives or ()):
        if len(spot) > 2:
            checks.among("side", str(int(spot[2])), ("-1", "0", "1"), f"objectives[{n}][2]")
    checks.spots(scene.objectives or (), scene, "objectives")
    for n, piece in enumerate(scene.terrain):
        if piece.points:
            checks.convex(piece.points, f"terrain[{n}].points")
    checks.lying(scene, {"traits": ("terrain-trait", TRAITS)})
    for n, unit in enumerate(scene.units):
        check_unit(scene, unit, f"units[{n}]")
    checks.used(scene.used, ids, USED, "used")
    for n, effect in enumerate(scene.effects):
        if effect.what == LASTING:
            where = f"effects[{n}].data.does"
            check_does(convert(effect.data.get("does"), list[Does], where), where)


def counted(lore: Lore) -> dict[tuple[str, str], list[str]]:
    """What rules count, by the period and by whose it is."""
    powers = list(dict.fromkeys(name for p in lore.powers.values() for name in (p.name["en"], p.id)))
    tricks = list(dict.fromkeys(name for s in lore.stratagems.values() for name in (s.name["en"], s.id)))
    known = {
        ("phase", "side"): [
            *CORE, *tricks, *(f"stratagem {key}" for key in lore.stratagems), SMITE,
            *(f"power {name}" for name in powers), *(f"power id {key}" for key in lore.powers),
        ],
        ("phase", "unit"): ["cast", "deny"],
        ("turn", "side"): [f"denied {name}" for name in (SMITE, *powers, *lore.tasks)],
        ("round", "side"): [
            "cp-gained", *(f"action {key}" for key in lore.tasks), *(f"psychic-action {key}" for key in lore.tasks),
        ],
        ("round", "unit"): [SMITE, "action", "psychic-action"],
        ("battle", "side"): [*ONCE_A_BATTLE, *tricks, *(f"done {key}" for key in lore.tasks), "kills", "warlord"],
    }  # fmt: skip
    return {**known, **{(period, "model"): ["lost"] for period in USED}}


def check_lore(**told: list[Any]) -> None:
    """Powers, stratagems and actions that a scene writes out."""
    for field, entries in told.items():
        checks.tree(entries, field, dict.fromkeys(LORE[:2], of_factions()))
        for n, entry in enumerate(entries):
            check_does(getattr(entry, "does", ()), f"{field}[{n}].does")


def of_factions() -> dict[str, tuple[str, Iterable[str]]]:
    return {"faction": ("faction", content.factions())}


def check_mission(mission: Mission, scene: Scene) -> None:
    """What a mission says, and that the scene is at a moment of it."""
    content.check_mission(mission, "mission")
    checks.spots(mission.objectives, scene, "mission.objectives")
    checks.fields(mission, "mission", {}, {"zones": (0, max(scene.width, scene.depth))})
    checks.between(scene.round, 0 if scene.phase == "deployment" else 1, mission.rounds, "round")


def check_unit(scene: Scene, given: SceneUnit, where: str) -> None:
    checks.not_both(given, "sheet", "profile", where)
    if given.where == "table" and not given.models:
        raise fault("error.wh40k.no-models", f"{where}.models")
    known = [unit.id for unit in scene.units]
    foes = [unit.id for unit in scene.units if unit.side != given.side]
    if given.where == "aboard" or given.aboard:
        checks.whereabouts(given, "aboard", where, "aboard")
        mine = [unit.id for unit in scene.units if unit.side == given.side and unit is not given]
        checks.among("unit", given.aboard, mine, f"{where}.aboard")
    checks.fields(
        given, where,
        {"targets": ("unit", foes), "pending": ("value", PENDING), "by": ("unit", (*known, "flight", "stratagem"))},
    )  # fmt: skip
    for n, act in enumerate(given.acts):
        if not act.startswith("overwatch-"):
            checks.among("act", act, ACTS, f"{where}.acts[{n}]")
    checks.between(given.died, 0, given.dead, f"{where}.died")
    if given.starting:
        checks.between(given.starting, len(given.models) + given.dead, MOST, f"{where}.starting")
    for field in ("rows", "arms", "wounds"):
        if len(getattr(given, field)) > max(1, len(given.models), len(given.rows)) + given.dead:
            raise fault("error.wh40k.too-many", f"{where}.{field}", models=len(given.models))


def check_models(sheet: Datasheet, given: SceneUnit, where: str) -> None:
    """The unit as it is: rows and weapons that its datasheet has, wounds that a model has."""
    rows = [row.id for row in sheet.rows]
    models = [f"{given.id}.{n + 1}" for n in range(max(1, len(given.models), len(given.rows)) + given.dead)]
    weapons = [weapon.id for weapon in sheet.weapons]
    checks.fields(given, where, {"rows": ("row", rows), "allocated": ("model", models), "arms": ("weapon", weapons)})
    for n, key in enumerate(given.fired):
        who, _, slot = key.partition("/")
        checks.among("model", who, models, f"{where}.fired[{n}]")
        _, carried, _ = given.model(sheet, models.index(who))
        checks.among("weapon", slot, [str(k) for k in range(len(carried))], f"{where}.fired[{n}]")
    for n, left in enumerate(given.wounds):
        checks.between(left, 1, given.model(sheet, n)[0].w, f"{where}.wounds[{n}]")


def check_trait(given: SceneUnit, gifts: Sequence[profiles.Ability], where: str) -> None:
    """wh40k.warlord.inspiring-leader: the book's trait is a warlord's."""
    n = next((n for n, gift in enumerate(gifts) if gift.id == TRAIT and not gift.does), None)
    if n is not None and not given.warlord:
        raise fault("error.wh40k.no-warlord", f"{where}.gifts[{n}]", ability=TRAIT)


def check_sheet(sheet: Datasheet, at: str) -> None:
    """A datasheet that is written out: numbers, dice and rules that there are."""
    checks.fields(sheet, at, of_factions())
    content.check_weapons(sheet.weapons, f"{at}.weapons")
    content.check_bases(sheet.rows, f"{at}.rows")
    for n, row in enumerate(sheet.rows):
        checks.fields(row, f"{at}.rows[{n}]", {"weapons": ("weapon", [weapon.id for weapon in sheet.weapons])})
    for field in ("abilities", "pregame"):
        check_abilities(getattr(sheet, field), f"{at}.{field}")
    rows, weapons = ("row", [row.id for row in sheet.rows]), ("weapon", [weapon.id for weapon in sheet.weapons])
    checks.tree(sheet.choices, f"{at}.choices", {profiles.Choice: {"row": rows, "give": weapons, "take": weapons}})


@content.LIBRARY.table
def library_keywords(books: Mapping[str, content.Faction]) -> list[str]:
    """The keywords that the rules speak of, and those of the factions and their datasheets."""
    factions = checks.words_in([*books.values()], "", {content.Faction: ("keyword", "broad", "bracket", "choices")})
    return [*KEYWORDS, *factions, *checks.words_in([*content.datasheets().values()], "", HAVE_KEYWORDS)]


def check_keywords(state: State, scene: Scene) -> None:
    """A keyword is one that the rules or the library know, or one that the scene itself gives a unit and speaks of
    elsewhere: whatever only one of them says is misspelt."""
    known = library_keywords()
    has: dict[str, str] = {}
    named = {piece.keyword: f"terrain[{n}].keyword" for n, piece in enumerate(scene.terrain) if piece.keyword}
    for n, (given, unit) in enumerate(zip(scene.units, state.units.values(), strict=True)):
        if not given.sheet:
            has |= checks.words_in(unit.sheet, f"units[{n}].profile", HAVE_KEYWORDS)
            named |= checks.words_in(unit.sheet, f"units[{n}].profile", NAME_KEYWORDS)
        known = [*known, *unit.chosen]  # a name for a bracketed keyword is its owner's own
        named |= checks.words_in(unit.gifts, f"units[{n}].gifts", NAME_KEYWORDS)
    for field in ("powers", "stratagems", "tasks"):
        told = [getattr(state.lore, field)[entry["id"]] for entry in getattr(scene, field)]
        named |= checks.words_in(told, field, NAME_KEYWORDS)
    checks.words("keyword", has, {word: at for word, at in named.items() if not word.startswith("<")}, known)


def check_aboard(state: State, scene: Scene) -> None:
    """Those who are aboard a Transport are of its kind, and it has room for them."""
    for n, given in enumerate(scene.units):
        if given.where == "aboard":
            unit, transport = state.units[given.id], state.units[given.aboard]
            where, carries = f"units[{n}].aboard", transport.sheet.carries
            if carries is None or not transport.has("transport") or not_carried(unit, transport):
                raise fault("error.wh40k.not-carried", where, who=given.id, transport=given.aboard)
            if room(state, transport) < 0:
                facts = {"models": carries.capacity - room(state, transport), "capacity": carries.capacity}
                raise fault("error.wh40k.no-room", where, transport=given.aboard, **facts)


def check_made(state: State, scene: Scene) -> None:
    """What can be told only of the state as it is: what was counted, keywords, and that bases lie on the table, on a
    surface, and in nobody else and no wall."""
    checks.counted(state.used, counted(state.lore), models=True)
    check_keywords(state, scene)
    check_aboard(state, scene)
    models = placed(state.units.values())
    check_bases(models, state.width, state.depth)
    for where, model, _ in models:
        if all(abs(z - model.z) > LEVEL for z, _ in floors(state.terrain, model)):
            raise fault("error.scene.floats", where, z=model.z)
        for feature in state.terrain:
            for part in feature.parts:
                high = part.floor < model.z + model.height - TOLERANCE and part.top >= model.z + LOW
                if high and covers(model, part.points):
                    raise fault("error.scene.inside", where)
    checks.fields(state.mission, "mission", {"actions": ("action", state.lore.tasks)})
    lore = {"powers": ("power", (SMITE, *state.lore.powers)), "action": ("action", state.lore.tasks)}
    checks.each(scene, "units", lore)
