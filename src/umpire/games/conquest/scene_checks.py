"""Positions of Conquest that cannot be: names that nothing answers to, wounds on nobody, stands where none can be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from umpire.errors import fault
from umpire.miniatures import ranked
from umpire.miniatures.positions import (
    among,
    between,
    check_counted,
    check_effects,
    check_fields,
    check_used,
    each_once,
    ids_once,
)
from umpire.rulebook.ledger import exists

from . import content, hooks, march
from .content import check_known as check_rules
from .profiles import Ability, Profile, Spell, Terrain
from .state import State
from .terrain import GARRISON_RULES, ZONAL_RULES

if TYPE_CHECKING:
    from .scenes import Scene, SceneCharacter, SceneRegiment

MOST_STANDS = 60


OF_REGIMENTS = {
    "side": (0, 1), "stands": (1, MOST_STANDS), "lost": (0, 99), "start": (0, 99), "round_start": (0, 99),
    "broken_from": (0, 99), "arrived": (0, 99), "charged": (0, 99), "last_end": (-1, 1), "inspired": (0, 2),
    # Fewer than none where more were restored than lost.
    "round_lost": (-99, 99), "broken_lost": (-99, 99),
}  # fmt: skip


MARKS = ("arcing", "entering", "hindered", "hindered-charge", "occupied")
"""Flags that rules set; a draw event sets one of its own name."""
MARKS_OF = ("blessed", "demise", "entering", "entry")
"""Flags that name something behind a colon: a roll, a regiment, an edge, a place."""
TALLIES = ("broken", "cast", "destroyed", "duel", "warlord")


def check_scene(scene: Scene) -> None:
    """What the types of a scene do not say of its names and numbers."""
    pieces = ids_once(scene, "regiments", "characters")
    each_once(pieces, lambda n: "characters")
    ids_once(scene, "terrain")
    for n, piece in enumerate(scene.terrain):
        check_piece(piece, f"terrain[{n}]")
    for n, regiment in enumerate(scene.regiments):
        check_regiment(scene, regiment, f"regiments[{n}]")
    for n, character in enumerate(scene.characters):
        check_character(scene, character, f"characters[{n}]")
    check_fields(
        scene, "", {"first": (0, 1), "round": (0, 99)},
        {
            "taken": ("action", hooks.ACTIONS), "factions": ("faction", content.factions()),
            "done": ("mark", ("spent",)),
        },
    )  # fmt: skip
    entries = [r.entry.rpartition("/")[2] or r.id for r in scene.regiments]
    entries += [c.entry.rpartition("/")[2] or c.id for c in scene.characters]
    entries += pieces
    for side, stack in enumerate(scene.stacks):
        for n, card in enumerate(stack):
            among("card", card, dict.fromkeys(entries), f"stacks[{side}][{n}]")
    for side, hand in enumerate(scene.hands):
        army = content.factions().get(scene.factions[side])
        known = [card.id for faction in ([army] if army else content.factions().values()) for card in faction.secondary]
        for n, card in enumerate(hand):
            among("card", card, known, f"hands[{side}][{n}]")
    for key in scene.lines:
        known = [f"{side}/{klass}" for side in (0, 1) for klass in ("light", "medium", "heavy")]
        among("line", key, known, f"lines.{key}")
    check_effects(scene.effects, pieces, exists, "effects")
    for n, effect in enumerate(scene.effects):
        if effect.what.startswith("rule:"):
            among("special-rule", effect.what[5:], hooks.KNOWN_RULES, f"effects[{n}].what")
        else:
            among("number", effect.what, hooks.NUMBERS, f"effects[{n}].what")
    check_used(scene.used, pieces, ("round", "battle"), "used")
    for key in scene.tallies:
        whose, _, what = key.partition("/")
        among("side", whose, ("0", "1", "counter"), f"tallies.{key}")
        parts = what.split("/")
        among("tally", parts[0], [r.id for r in scene.regiments] if whose == "counter" else TALLIES, f"tallies.{key}")
        for foe in parts[1:2]:
            among("unit", foe, [r.id for r in scene.regiments], f"tallies.{key}")
    shouts = [one.id for hero in scene.characters for one in (hero.supremacy, *hero.abilities) if one is not None]
    shouts += [one.id for faction in content.factions().values() for one in faction.supremacy]
    counted = {
        ("round", "side"): ["supremacy"],
        ("battle", "side"): [f"supremacy:{key}" for key in dict.fromkeys(shouts)],
        ("round", "unit"): ["blessed", "fluid-formation"],
        ("battle", "unit"): ["flawless-drill"],
    }
    check_counted(scene.used, counted)


def check_piece(piece: Terrain, where: str) -> None:
    if len(piece.points) < 3:
        raise fault("error.scene.polygon", f"{where}.points")
    known = ZONAL_RULES if piece.kind == "zonal" else GARRISON_RULES
    check_fields(piece, where, names={"rules": ("terrain-rule", known)})


def check_changes(given: Iterable[Spell | Ability], where: str) -> None:
    """What spells and Supremacy Abilities change is a number that there is, or a special rule."""
    for n, one in enumerate(given):
        check_rules(one.shots if isinstance(one, Spell) else (), f"{where}[{n}].shots")
        for k, change in enumerate(one.effects):
            at = f"{where}[{n}].effects[{k}]"
            if change.rule is not None:
                check_rules((change.rule,), f"{at}.rule")
            else:
                among("number", change.what, hooks.NUMBERS, f"{at}.what")


def check_profile(profile: Profile | None, entry: str, where: str) -> None:
    if profile is None and not entry:
        raise fault("error.scene.needs", where, at="profile", field="entry")
    if profile is not None:
        check_rules(profile.rules, f"{where}.profile.rules")
        check_rules(profile.events, f"{where}.profile.events", events=True)
        between(profile.wounds, 1, 99, f"{where}.profile.wounds")


def check_regiment(scene: Scene, given: SceneRegiment, where: str) -> None:
    check_profile(given.profile, given.entry, where)
    check_fields(given, where, OF_REGIMENTS)
    marks: tuple[str, ...] = getattr(given, "flags", ())
    for n, flag in enumerate(marks):
        word, colon, _ = flag.partition(":")
        among("mark", word, MARKS_OF if colon else (*MARKS, *hooks.KNOWN_EVENTS), f"{where}.flags[{n}]")
    check_changes(given.spells, f"{where}.spells")
    joined = sum(c.regiment == given.id and not c.own for c in scene.characters)
    if given.files:
        between(given.files, 1, max(given.stands + given.lost, given.start) + joined, f"{where}.files")
    wounds = given.profile.wounds if given.profile is not None else 99
    for number, count in given.wounds.items():
        between(number, 0, given.stands - 1, f"{where}.wounds.{number}")
        between(count, 0, wounds - 1, f"{where}.wounds.{number}")
    if given.where == "garrison" or given.garrison:
        garrisons = [piece.id for piece in scene.terrain if piece.kind == "garrison"]
        among("garrison", given.garrison, garrisons, f"{where}.garrison")
        if given.where != "garrison":
            raise fault("error.scene.needs", f"{where}.where", at="garrison", field="where: garrison")
    if len(given.lost_models) > given.lost:
        raise fault("error.scene.needs", f"{where}.lost", at="lost_models", field="lost")


def check_character(scene: Scene, given: SceneCharacter, where: str) -> None:
    between(given.side, 0, 1, f"{where}.side")
    check_profile(given.profile, given.entry, where)
    for field in ("mastery", "upgrades", "gives"):
        check_rules(getattr(given, field), f"{where}.{field}")
    check_changes(given.spells, f"{where}.spells")
    check_changes((*given.abilities, *((given.supremacy,) if given.supremacy else ())), f"{where}.abilities")
    for n, retinue in enumerate(given.retinue):
        check_rules(retinue.rules, f"{where}.retinue[{n}].rules")
    if given.regiment:
        friends = [r.id for r in scene.regiments if r.side == given.side]
        among("regiment", given.regiment, friends, f"{where}.regiment")
    elif given.own:
        raise fault("error.scene.needs", f"{where}.regiment", at="own", field="regiment")
    if given.profile is not None:
        between(given.wounds, 0, given.profile.wounds - 1, f"{where}.wounds")


def check_placed(state: State, scene: Scene) -> None:
    """Regiments stand on the table, and in nobody else; only one that is about to act may stand where a March has left
    it, and only one that comes on may be half outside."""
    for n, given in enumerate(scene.regiments):
        regiment = state.regiment(given.id)
        if regiment.where != "table":
            continue
        where = ranked.pose(regiment)
        if "entering" not in regiment.flags and march.off_table(state, regiment, where, None):
            facts = {"width": state.scenario.width, "depth": state.scenario.depth}
            raise fault("error.scene.off-table", f"regiments[{n}]", **facts)
        inside = march.overlapped(state, regiment, where)
        moving = scene.who if scene.moment == "actions" else ""
        if inside and moving not in (*inside, regiment.id):
            raise fault("error.scene.overlap", f"regiments[{n}]", other=inside[0])
