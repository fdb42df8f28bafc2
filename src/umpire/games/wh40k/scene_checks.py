"""Positions of Warhammer 40,000 that cannot be: names that nothing answers to, wounds on nobody, bases off the table,
in each other, in walls or in the air."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from umpire.errors import fault, unknown
from umpire.files import convert
from umpire.games.wh40k import content, profiles
from umpire.games.wh40k.abilities import LASTING
from umpire.games.wh40k.damage import DYING
from umpire.games.wh40k.defenders import DEFEND, HOLD
from umpire.games.wh40k.detachments import TYPES as DETACHMENTS
from umpire.games.wh40k.dice import REROLLABLE, WISHES
from umpire.games.wh40k.ground import LOW, floors
from umpire.games.wh40k.missions import SCORING
from umpire.games.wh40k.movement import MOVES
from umpire.games.wh40k.mustering import RANDOM, SIZES
from umpire.games.wh40k.primitives import MOST, TRAIT, check_abilities, check_does
from umpire.games.wh40k.profiles import Datasheet, Does, Lore, Weapon, amount
from umpire.games.wh40k.psychic_tests import SMITE
from umpire.games.wh40k.state import PHASES, Mission, State
from umpire.games.wh40k.stratagems import CORE, ONCE_A_BATTLE
from umpire.games.wh40k.terrain import TYPES, PieceData
from umpire.games.wh40k.transports import not_carried, room
from umpire.miniatures import checks
from umpire.miniatures.loose.over import covers
from umpire.miniatures.loose.standing import LEVEL, check_bases, placed
from umpire.space.shapes import TOLERANCE

if TYPE_CHECKING:
    from umpire.games.wh40k.scenes import Scene, SceneUnit

WHERE = ("muster", "table", "aboard", "reserve", "orbit", "gone")
MOMENTS = ("deployment", "round", "turn", *PHASES)
MARKS = (
    "arrived", "redeployed", "disembarked", "wrecked", "emergency", "broke-out", "charged", "intervened",
    "closed-in", "fights-again", "free-targets", "flew-in", "oversized", DEFEND,
)  # fmt: skip
ACTS = (
    "moved", "shot", "fought", "instead", "embarked", "disembarked", "charge-tried", "heroic-tried", "cast-over",
    "tested", "kept-off", DYING, HOLD,
)  # fmt: skip
WEAPON_RULES = (
    "auto-hit", "auto-wound-6", "blast", "extra-hits-6", "hazard", "instead-6", "mortal-6", "no-cover", "no-cover-hit",
    "no-cover-save", "no-ignore",
)  # fmt: skip
NUMBERED = ("hits", "poison")
"""Rules of a weapon that come with a number: "poison-4"."""
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
TURN = re.compile(r"[0-9]+\.[01]|muster|")


OF_SIDES = {**dict.fromkeys(("cp", "vp", "points", "units", "spent"), (0, 9999)), "zone": (-1, 1)}
OF_UNITS = {
    "side": (0, 1), **dict.fromkeys(("dead", "died", "starting", "points", "power", "fights"), (0, 9999)),
    "detachment": (-1, MOST),
}  # fmt: skip


def check_scene(scene: Scene) -> None:
    """What the types of a scene do not say of its names and numbers."""
    names = {"phase": ("phase", MOMENTS), "size": ("battle-size", SIZES)}
    ids = checks.turns(scene, PERIODS, {}, names, lambda effect: (LASTING, *NUMBERS))
    checks.sources(scene.effects, scene, content.factions())
    checks.not_the_same(scene.sides, "zone", -1, "sides")
    checks.one_a_side(scene.units, "warlord", "units")
    wishes = [f"{roll}:{when}" for roll in REROLLABLE for when in WISHES]
    factions = ("faction", content.factions())
    told = {"wishes": ("wish", wishes), "detachments": ("detachment", DETACHMENTS)}
    checks.each(scene, "sides", OF_SIDES, {**told, "faction": factions, "factions": factions})
    for n, spot in enumerate(scene.objectives or ()):
        if not 2 <= len(spot) <= 3:
            raise fault("error.wh40k.objective", f"objectives[{n}]")
        if len(spot) > 2:
            checks.among("side", str(int(spot[2])), ("-1", "0", "1"), f"objectives[{n}][2]")
    checks.spots(scene.objectives or (), scene, "objectives")
    for n, piece in enumerate(scene.terrain):
        if piece.points:
            checks.outline(piece.points, checks.LARGEST, f"terrain[{n}].points")
    categories = ("terrain-category", ("area", "obstacle", "hill"))
    checks.lying(scene, {"height": (0, checks.LARGEST)}, {"traits": ("terrain-trait", TRAITS), "category": categories})
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
        check_written(entries, field)
        for n, entry in enumerate(entries):
            check_does(getattr(entry, "does", ()), f"{field}[{n}].does")


def check_written(given: Any, where: str) -> None:
    """Whatever is written out: numbers and dice that there can be, factions that there are."""
    names = {"faction": ("faction", content.factions())}
    checks.tree(given, where, LIMITS, dict.fromkeys((Datasheet, *LORE[:2]), names), AMOUNTS, amount)


def check_mission(mission: Mission, scene: Scene) -> None:
    """What a mission says, and that the scene is at a moment of it."""
    edges = ("near", "far", "left", "right")
    checks.fields(
        mission, "mission", {"rounds": (1, MOST)},
        {
            "edges": ("edge", edges), "scoring": ("scoring", SCORING), "size": ("battle-size", SIZES),
            "effect": ("effect", ("strike",)),
        },
    )  # fmt: skip
    if mission.edges[0] == mission.edges[1]:
        raise fault("error.scene.one-of-two", "mission.edges[1]")
    checks.spots(mission.objectives, scene, "mission.objectives")
    checks.zones(mission.zones, "mission.zones")
    checks.fields(mission, "mission", {"zones": (0, max(scene.width, scene.depth))})
    checks.between(scene.round, 0 if scene.phase == "deployment" else 1, mission.rounds, "round")


def check_parts(piece: PieceData, where: str) -> None:
    """The parts of a piece of terrain that is written out."""
    for k, part in enumerate(piece.parts):
        at = f"{where}.parts[{k}]"
        checks.outline(part.points, checks.LARGEST, f"{at}.points")
        checks.between(part.floor, 0, checks.LARGEST, f"{at}.floor")
        checks.between(part.top, part.floor, checks.LARGEST, f"{at}.top")


def check_unit(scene: Scene, given: SceneUnit, where: str) -> None:
    checks.not_both(given, "sheet", "profile", where)
    if any(not 2 <= len(spot) <= 4 for spot in given.models):
        raise fault("error.wh40k.spot", f"{where}.models")
    if given.where == "table" and not given.models:
        raise fault("error.wh40k.no-models", f"{where}.models")
    known = [unit.id for unit in scene.units]
    foes = [unit.id for unit in scene.units if unit.side != given.side]
    if given.where == "aboard" or given.aboard:
        checks.whereabouts(given, "aboard", where, "aboard")
        mine = [unit.id for unit in scene.units if unit.side == given.side and unit is not given]
        checks.among("unit", given.aboard, mine, f"{where}.aboard")
    checks.fields(
        given, where, OF_UNITS,
        {
            "where": ("place", WHERE), "move": ("move", MOVES), "marks": ("mark", MARKS), "targets": ("unit", foes),
            "until": ("moment", ("turn", "own-command")),
            "pending": ("value", PENDING), "by": ("unit", (*known, "flight", "stratagem")),
        },
    )  # fmt: skip
    for n, act in enumerate(given.acts):
        if not act.startswith("overwatch-"):
            checks.among("act", act, ACTS, f"{where}.acts[{n}]")
    if TURN.fullmatch(given.left) is None:
        raise fault("error.wh40k.turn", f"{where}.left")
    checks.between(given.died, 0, given.dead, f"{where}.died")
    if given.starting:
        checks.between(given.starting, len(given.models) + given.dead, MOST, f"{where}.starting")
    for field in ("rows", "arms", "wounds"):
        if len(getattr(given, field)) > max(1, len(given.models), len(given.rows)) + given.dead:
            raise fault("error.wh40k.too-many", f"{where}.{field}", models=len(given.models))


LIMITS: dict[Any, dict[str, checks.Span]] = {
    Datasheet: {"power": (0, 999)}, Weapon: {"points": (0, 999)}, profiles.Carries: {"capacity": (0, MOST)},
    profiles.Explodes: {"range": (0, MOST), "roll": (1, 7)}, profiles.Profile: {"range": (0, 240), "ap": (-10, 0)},
    profiles.Psychic: dict.fromkeys(("casts", "denies", "knows"), (0, MOST)),
    profiles.Power: {"charge": (1, MOST), "range": (0, 240)}, profiles.Stratagem: {"cost": (0, MOST)},
    profiles.Task: {"charge": (0, MOST), "points": (0, MOST)}, profiles.Choice: {"most": (0, MOST), "per": (0, MOST)},
    profiles.Band: {"left": (1, 99), **dict.fromkeys(("ws", "bs", "s"), (0, 99))},
    profiles.Row: {
        **dict.fromkeys(("ws", "bs", "s", "t", "ld", "m_min", "least", "most"), (0, 99)), "w": (1, 99),
        **dict.fromkeys(("sv", "invulnerable", "ignore"), (0, 7)), "points": (0, 9999), "height": (0.1, 40.0),
    },
}  # fmt: skip
AMOUNTS = {
    profiles.Row: ("m", "a"),
    profiles.Band: ("m", "a"),
    profiles.Profile: ("d", "attacks"),
    profiles.Explodes: ("wounds",),
}


def check_models(sheet: Datasheet, given: SceneUnit, where: str) -> None:
    """The unit as it is: rows and weapons that its datasheet has, wounds that a model has."""
    rows = [row.id for row in sheet.rows]
    models = [f"{given.id}.{n + 1}" for n in range(max(1, len(given.models), len(given.rows)) + given.dead)]
    weapons = [weapon.id for weapon in sheet.weapons]
    checks.fields(
        given, where, names={"rows": ("row", rows), "allocated": ("model", models), "arms": ("weapon", weapons)}
    )
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
    for n, keyword in enumerate((*sheet.keywords, *(word for row in sheet.rows for word in row.keywords))):
        if not keyword:
            raise fault("error.wh40k.keyword", f"{at}.keywords[{n}]")
    check_written(sheet, at)
    for n, weapon in enumerate(sheet.weapons):
        check_weapon(weapon, f"{at}.weapons[{n}]")
    for row in sheet.rows:
        # A hull is measured in inches, a base in millimetres.
        span = (0.5, 40.0) if row.hull else (5.0, 500.0)
        checks.base(row.base, f"{at}.base", "error.wh40k.base", *span)
        checks.fields(row, at, names={"weapons": ("weapon", [weapon.id for weapon in sheet.weapons])})
    for field in ("abilities", "pregame"):
        check_abilities(getattr(sheet, field), f"{at}.{field}")
    rows, weapons = ("row", [row.id for row in sheet.rows]), ("weapon", [weapon.id for weapon in sheet.weapons])
    checks.tree(sheet.choices, f"{at}.choices", {}, {profiles.Choice: {"row": rows, "give": weapons, "take": weapons}})


def check_weapon(weapon: Weapon, where: str) -> None:
    if not weapon.profiles:
        raise fault("error.scene.needs", where, at=weapon.id, field="profiles")
    for profile in weapon.profiles:
        if profile.melee and profile.range:
            raise fault("error.wh40k.melee-range", where, weapon=weapon.id)
        if not profile.melee and not profile.range:
            raise fault("error.scene.needs", where, at=weapon.id, field="range")
        if re.fullmatch(r"user|[+x-]?[0-9]+", profile.s) is None:
            raise fault("error.wh40k.strength", where, text=profile.s)
        strength = 0 if profile.s == "user" else int(profile.s.lstrip("+x"))
        checks.between(strength, -MOST, MOST, f"{where}.s")
        for rule in profile.rules:
            head, _, number = rule.rpartition("-")
            if rule not in WEAPON_RULES and not (head in NUMBERED and number.isdigit()):
                raise unknown("weapon-ability", rule, where, (*WEAPON_RULES, *(f"{word}-N" for word in NUMBERED)))


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
    checks.fields(state.mission, "mission", names={"actions": ("action", state.lore.tasks)})
    lore = {"powers": ("power", (SMITE, *state.lore.powers)), "action": ("action", state.lore.tasks)}
    checks.each(scene, "units", names=lore)
