"""Positions of Warhammer 40,000 that cannot be: names that nothing answers to, wounds on nobody, bases off the table,
in each other, in walls or in the air."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from umpire.errors import fault, unknown
from umpire.files import convert
from umpire.games.wh40k import content
from umpire.games.wh40k.abilities import HOOKS, LASTING
from umpire.games.wh40k.defenders import DEFEND, HOLD
from umpire.games.wh40k.ground import LOW, covers, floors
from umpire.games.wh40k.movement import MOVES
from umpire.games.wh40k.profiles import Ability, Datasheet, Does, Weapon, amount
from umpire.games.wh40k.psychic import SMITE
from umpire.games.wh40k.state import PHASES, Model, State
from umpire.games.wh40k.terrain import TYPES
from umpire.miniatures.loose.bodies import on_board, overlap
from umpire.miniatures.positions import among, between, check_effects, each_once, is_convex
from umpire.rulebook.ledger import exists
from umpire.space.shapes import TOLERANCE

if TYPE_CHECKING:
    from umpire.games.wh40k.scenes import Scene, SceneUnit

WHERE = ("muster", "table", "aboard", "reserve", "orbit", "gone")
MOMENTS = ("deployment", "round", "turn", *PHASES)
MARKS = (
    "arrived", "redeployed", "disembarked", "wrecked", "emergency", "broke-out", "charged", "intervened",
    "fights-again", "free-targets", "flew-in", "oversized", DEFEND,
)  # fmt: skip
ACTS = (
    "moved", "shot", "fought", "instead", "embarked", "disembarked", "charge-tried", "heroic-tried", "cast-over",
    "tested", "kept-off", HOLD,
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
LARGEST = 24.0
"""How far a piece of terrain reaches from its middle, in inches."""
TURN = re.compile(r"[0-9]+\.[01]|muster|")


def check_scene(scene: Scene) -> None:
    """What the types of a scene do not say of its names and numbers."""
    each_once((unit.id for unit in scene.units), lambda n: f"units[{n}].id")
    among("phase", scene.phase, MOMENTS, "phase")
    for field in ("active", "half"):
        between(getattr(scene, field), 0, 1, field)
    if scene.first is not None:
        between(scene.first, 0, 1, "first")
    between(scene.round, 0, 99, "round")
    between(scene.width, 12.0, 240.0, "width")
    between(scene.depth, 12.0, 240.0, "depth")
    if len(scene.sides) > 2:
        raise fault("error.scene.sides", "sides[2]")
    for n, side in enumerate(scene.sides):
        for field in ("cp", "vp", "points", "units", "spent"):
            between(getattr(side, field), 0, 9999, f"sides[{n}].{field}")
        between(side.zone, -1, 1, f"sides[{n}].zone")
        for k, faction in enumerate((side.faction, *side.factions)):
            if faction:
                at = f"sides[{n}].factions[{k - 1}]" if k else f"sides[{n}].faction"
                among("faction", faction, content.factions(), at)
    for n, spot in enumerate(scene.objectives or ()):
        if not 2 <= len(spot) <= 3:
            raise fault("error.wh40k.objective", f"objectives[{n}]")
        between(spot[0], 0, scene.width, f"objectives[{n}][0]")
        between(spot[1], 0, scene.depth, f"objectives[{n}][1]")
        if len(spot) > 2:
            among("side", str(int(spot[2])), ("-1", "0", "1"), f"objectives[{n}][2]")
    for n, piece in enumerate(scene.terrain):
        between(piece.x, 0, scene.width, f"terrain[{n}].x")
        between(piece.y, 0, scene.depth, f"terrain[{n}].y")
        if piece.points and not is_convex(tuple(piece.points)):
            raise fault("error.scene.convex", f"terrain[{n}].points")
        if any(abs(x) > LARGEST or abs(y) > LARGEST for x, y in piece.points):
            raise fault("error.scene.between", f"terrain[{n}].points", value="…", least=-LARGEST, most=LARGEST)
        for k, trait in enumerate(piece.traits or ()):
            among("terrain-trait", trait, TRAITS, f"terrain[{n}].traits[{k}]")
        if piece.category:
            among("terrain-category", piece.category, ("area", "obstacle", "hill"), f"terrain[{n}].category")
    for n, unit in enumerate(scene.units):
        check_unit(scene, unit, f"units[{n}]")
    sides = [f"side.{n}" for n in (0, 1)]
    check_effects(scene.effects, (*(unit.id for unit in scene.units), *sides), exists, "effects")
    for n, effect in enumerate(scene.effects):
        among("effect", effect.what, (LASTING, *NUMBERS), f"effects[{n}].what")
        if effect.what != LASTING:
            continue
        given = convert(effect.data.get("does"), list[Does], f"effects[{n}].data.does")
        check_does(given, f"effects[{n}].data.does")


def check_unit(scene: Scene, given: SceneUnit, where: str) -> None:
    between(given.side, 0, 1, f"{where}.side")
    among("place", given.where, WHERE, f"{where}.where")
    if any(not 2 <= len(spot) <= 4 for spot in given.models):
        raise fault("error.wh40k.spot", f"{where}.models")
    if given.where == "table" and not given.models:
        raise fault("error.wh40k.no-models", f"{where}.models")
    known = [unit.id for unit in scene.units]
    if given.where == "aboard" or given.aboard:
        if given.where != "aboard":
            raise fault("error.scene.needs", f"{where}.where", at="aboard", field="where: aboard")
        mine = [unit.id for unit in scene.units if unit.side == given.side and unit is not given]
        among("unit", given.aboard, mine, f"{where}.aboard")
    if given.move:
        among("move", given.move, MOVES, f"{where}.move")
    for n, mark in enumerate(given.marks):
        among("mark", mark, MARKS, f"{where}.marks[{n}]")
    for n, act in enumerate(given.acts):
        if not act.startswith("overwatch-"):
            among("act", act, ACTS, f"{where}.acts[{n}]")
    for n, key in enumerate(given.targets):
        among("unit", key, known, f"{where}.targets[{n}]")
    if TURN.fullmatch(given.left) is None:
        raise fault("error.wh40k.turn", f"{where}.left")
    for field in ("dead", "died", "starting", "points", "power", "fights"):
        between(getattr(given, field), 0, 9999, f"{where}.{field}")
    between(given.died, 0, given.dead, f"{where}.died")
    for field in ("rows", "arms", "wounds"):
        if len(getattr(given, field)) > max(1, len(given.models), len(given.rows)) + given.dead:
            raise fault("error.wh40k.too-many", f"{where}.{field}", models=len(given.models))


def check_sheet(sheet: Datasheet, given: SceneUnit, where: str) -> None:
    """The unit as it is: rows and weapons that its datasheet has, wounds that a model has, known rules."""
    rows = [row.id for row in sheet.rows]
    for n, key in enumerate(given.rows):
        among("row", key, rows, f"{where}.rows[{n}]")
    weapons = [weapon.id for weapon in sheet.weapons]
    for n, arms in enumerate(given.arms):
        for k, key in enumerate(arms):
            among("weapon", key, weapons, f"{where}.arms[{n}][{k}]")
    for n, left in enumerate(given.wounds):
        row = sheet.row(given.rows[n]) if n < len(given.rows) else sheet.rows[0]
        between(left, 1, row.w, f"{where}.wounds[{n}]")
    if given.sheet:
        return
    for n, keyword in enumerate((*sheet.keywords, *(word for row in sheet.rows for word in row.keywords))):
        if not keyword:
            raise fault("error.wh40k.keyword", f"{where}.profile.keywords[{n}]")
    for weapon in sheet.weapons:
        check_weapon(weapon, f"{where}.profile.weapons")
    for row in sheet.rows:
        for field in ("ws", "bs", "s", "t", "ld", "sv"):
            between(getattr(row, field), 0, 99, f"{where}.profile.{field}")
        between(row.w, 1, 99, f"{where}.profile.w")
        # A hull is measured in inches, a base in millimetres.
        least, most = (0.5, 40.0) if row.hull else (5.0, 500.0)
        if not 1 <= len(row.base) <= 2 or min(row.base) < least or max(row.base) > most:
            raise fault("error.wh40k.base", f"{where}.profile.base")
        for key in row.weapons:
            among("weapon", key, weapons, f"{where}.profile.rows")
    check_abilities(sheet.abilities, f"{where}.profile.abilities")


def check_weapon(weapon: Weapon, where: str) -> None:
    if not weapon.profiles:
        raise fault("error.scene.needs", where, at=weapon.id, field="profiles")
    for profile in weapon.profiles:
        for text in (profile.d, profile.attacks):
            amount(text)
        if re.fullmatch(r"user|[+x-]?[0-9]+", profile.s) is None:
            raise fault("error.wh40k.strength", where, text=profile.s)
        for rule in profile.rules:
            head, _, number = rule.rpartition("-")
            if rule not in WEAPON_RULES and not (head in NUMBERED and number.isdigit()):
                raise unknown("weapon-ability", rule, where, (*WEAPON_RULES, *(f"{word}-N" for word in NUMBERED)))


def check_abilities(abilities: Iterable[Ability], where: str) -> None:
    for ability in abilities:
        check_does(ability.does, f"{where}.{ability.id}")


def check_does(does: Iterable[Does], where: str) -> None:
    for entry in does:
        if entry.name not in HOOKS.known:
            raise unknown("special-rule", entry.name, where, sorted(HOOKS.known))


def check_placed(state: State, scene: Scene) -> None:
    """Bases lie on the table, on a surface, and in nobody else and no wall."""
    models: list[tuple[str, Model, str]] = [
        (f"units[{n}].models[{k}]", model, unit.id)
        for n, unit in enumerate(state.units.values())
        if unit.where == "table"
        for k, model in enumerate(unit.models)
    ]
    for n, (where, model, _) in enumerate(models):
        if not on_board(model, state.width, state.depth):
            raise fault("error.scene.off-table", where, width=state.width, depth=state.depth)
        if all(abs(z - model.z) > 0.05 for z, _ in floors(state.terrain, model)):
            raise fault("error.scene.floats", where, z=model.z)
        for feature in state.terrain:
            for part in feature.parts:
                high = part.floor < model.z + model.height - TOLERANCE and part.top >= model.z + LOW
                if high and covers(model, part):
                    raise fault("error.scene.inside", where)
        for _, other, key in models[:n]:
            if abs(other.x - model.x) < 20.0 and abs(other.z - model.z) < 0.05 and overlap(model, other):
                raise fault("error.scene.overlap", where, other=key)
    for n, given in enumerate(scene.units):
        for k, key in enumerate(given.powers):
            among("power", key, (SMITE, *state.lore.powers), f"units[{n}].powers[{k}]")
        if given.action:
            among("action", given.action, state.lore.tasks, f"units[{n}].action")
