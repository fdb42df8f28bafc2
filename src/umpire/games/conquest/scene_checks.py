"""Positions of Conquest that cannot be: names that nothing answers to, wounds on nobody, stands where none can be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from umpire.errors import fault
from umpire.miniatures import checks
from umpire.space.ranks import fronts

from . import content, formation, hooks, march, overlapping, ranked
from .content import check_known as check_rules
from .profiles import Ability, Scenario, Spell, Terrain
from .state import Options, State
from .terrain import GARRISON_RULES, ZONAL_RULES

if TYPE_CHECKING:
    from .scenes import Scene, SceneCharacter, SceneListed, SceneRegiment

MARKS = ("arcing", "entering", "hindered", "hindered-charge", "occupied")
"""Flags that rules set; a draw event sets one of its own name."""
MARKS_OF = ("blessed", "demise", "entering", "entry")
"""Flags that name something behind a colon: a roll, a regiment, an edge, a place."""
TALLIES = ("broken", "cast", "destroyed", "duel", "warlord")


def check_scene(scene: Scene, field: Scenario) -> None:
    """What the types of a scene do not say of its names and numbers."""
    check_field(field)
    checks.between(scene.round, 1, field.rounds, "round")
    pieces = checks.ids_once(scene, "regiments", "characters")
    checks.ids_once(scene, "regiments", "characters", "terrain")
    for n, piece in enumerate(scene.terrain):
        check_piece(piece, field, f"terrain[{n}]")
    for n, regiment in enumerate(scene.regiments):
        check_regiment(scene, regiment, f"regiments[{n}]")
    for n, character in enumerate(scene.characters):
        check_character(scene, character, f"characters[{n}]")
    checks.one_a_side(scene.characters, "warlord", "characters")
    escorts: dict[str, str] = {}
    for n, hero in enumerate(scene.characters):
        if hero.alive and hero.regiment and escorts.setdefault(hero.regiment, hero.id) != hero.id:
            raise fault("error.conquest.escort", f"characters[{n}].regiment", other=escorts[hero.regiment])
    checks.fields(scene, "", {"taken": ("action", hooks.ACTIONS), "factions": ("faction", content.factions())})
    checks.between(len(scene.taken), 0, scene.allowed, "taken")
    if scene.last_legal is not None:
        checks.on_table((scene.last_legal[:2],), field, "last_legal")
    check_cards(scene)
    for key, line in scene.lines.items():
        known = [f"{side}/{klass}" for side in (0, 1) for klass in ("light", "medium", "heavy")]
        checks.among("line", key, known, f"lines.{key}")
        span = (-1.0, max(field.width, field.depth))
        checks.fields(line, f"lines.{key}", {}, {"fixed": span, "now": span})
    checks.all_among("option", (text.partition("=")[0] for text in scene.agreed), Options.__struct_fields__, "agreed")
    checks.effects(scene.effects, pieces, ("round", "battle", "passive"))
    checks.sources(scene.effects, scene, content.factions())
    for n, effect in enumerate(scene.effects):
        kind = "special-rule" if effect.what.startswith("rule:") else "number"
        names = [*hooks.KNOWN_RULES] if kind == "special-rule" else [*hooks.NUMBERS]
        checks.among(kind, effect.what.removeprefix("rule:"), names, f"effects[{n}].what")
    checks.used(scene.used, pieces, ("round", "battle"), "used")
    for key in scene.tallies:
        whose, _, what = key.partition("/")
        checks.among("side", whose, ("0", "1", "counter"), f"tallies.{key}")
        parts = what.split("/")
        tallied = [r.id for r in scene.regiments] if whose == "counter" else [*TALLIES]
        checks.among("tally", parts[0], tallied, f"tallies.{key}")
        for foe in parts[1:2]:
            checks.among("unit", foe, [r.id for r in scene.regiments], f"tallies.{key}")
    shouts = [one.id for hero in scene.characters for one in (hero.supremacy, *hero.abilities) if one is not None]
    shouts += [one.id for faction in content.factions().values() for one in faction.supremacy]
    counted = {
        ("round", "side"): ["supremacy"],
        ("battle", "side"): [f"supremacy:{key}" for key in dict.fromkeys(shouts)],
        ("round", "unit"): ["blessed", "fluid-formation"],
        ("battle", "unit"): ["flawless-drill"],
    }
    checks.counted(scene.used, counted)


def check_cards(scene: Scene) -> None:
    """Cards of a side's own (the like of one may have been destroyed), and its faction's objectives."""
    for side in (0, 1):
        card_of = {piece.id: piece.card for piece in (*scene.regiments, *scene.characters) if piece.side == side}
        for field in ("stacks", "dead_cards"):
            checks.all_among("card", getattr(scene, field)[side], (*card_of.values(), *card_of), f"{field}[{side}]")
        army = content.factions().get(scene.factions[side])
        known = [card.id for faction in ([army] if army else content.factions().values()) for card in faction.secondary]
        for field in ("hands", "scored", "decks"):
            cards = (card.partition("@")[0] for card in getattr(scene, field)[side])
            checks.all_among("card", cards, known, f"{field}[{side}]")


def check_field(field: Scenario) -> None:
    """The battlefield of a scene."""
    checks.fields(field, "scenario", {}, {"entry": (0.0, max(field.width, field.depth))})
    if field.edges[0] == field.edges[1]:
        raise fault("error.scene.one-of-two", "scenario.edges[1]")
    checks.each_once((zone.id for zone in field.zones), lambda n: f"scenario.zones[{n}].id")
    for n, zone in enumerate(field.zones):
        where = f"scenario.zones[{n}]"
        if zone.points or zone.radius <= 0:
            checks.polygon(zone.points, f"{where}.points")
        checks.between(zone.first_round, 1, field.rounds, f"{where}.first_round")
        checks.on_table(zone.points or ((zone.x, zone.y),), field, where)


def check_piece(piece: Terrain, field: Scenario, where: str) -> None:
    checks.polygon(piece.points, f"{where}.points")
    checks.on_table(piece.points, field, f"{where}.points")
    known = ZONAL_RULES if piece.kind == "zonal" else GARRISON_RULES
    checks.fields(piece, where, {"rules": ("terrain-rule", known)})


def check_changes(given: Iterable[Spell | Ability], where: str) -> None:
    """What spells and Supremacy Abilities change is a number that there is, or a special rule."""
    given = list(given)
    checks.each_once((one.id for one in given), lambda n: f"{where}[{n}].id")
    for n, one in enumerate(given):
        if isinstance(one, Spell):
            check_rules(one.shots, f"{where}[{n}].shots")
        for k, change in enumerate(one.effects):
            at = f"{where}[{n}].effects[{k}]"
            checks.not_both(change, "rule", "what", at)
            if change.rule is not None:
                check_rules((change.rule,), f"{at}.rule")
            else:
                checks.among("number", change.what, hooks.NUMBERS, f"{at}.what")


def check_profile(given: SceneListed, where: str) -> None:
    profile, entry = given.profile, given.entry
    if profile is None and not entry:
        raise fault("error.scene.needs", where, at="profile", field="entry")
    if profile is not None:
        check_rules(profile.rules, f"{where}.profile.rules")
        check_rules(profile.events, f"{where}.profile.events", events=True)


def check_regiment(scene: Scene, given: SceneRegiment, where: str) -> None:
    check_profile(given, where)
    checks.between(getattr(given, "arrived", 0), 0, scene.round, f"{where}.arrived")
    if given.start:
        checks.between(given.start, given.stands, 99, f"{where}.start")
    if given.where == "table":
        checks.each_once((f"{rank}, {file}" for rank, file in given.places), lambda n: f"{where}.places[{n}]")
    for n, (rank, file) in enumerate(given.places):
        checks.between(max(rank, file), 0, len(given.places) - 1, f"{where}.places[{n}]")
    checks.each_once((m for m in given.models if isinstance(m, str)), lambda n: f"{where}.models[{n}]")
    marks: tuple[str, ...] = getattr(given, "flags", ())
    for n, flag in enumerate(marks):
        word, colon, _ = flag.partition(":")
        checks.among("mark", word, MARKS_OF if colon else (*MARKS, *hooks.KNOWN_EVENTS), f"{where}.flags[{n}]")
    check_changes(given.spells, f"{where}.spells")
    joined = sum(c.regiment == given.id and c.alive and not c.own for c in scene.characters)
    if given.files:
        checks.between(given.files, 1, max(given.stands + given.lost, given.start) + joined, f"{where}.files")
    for number in given.wounds:
        checks.between(number, 0, given.stands - 1, f"{where}.wounds.{number}")
    if given.where == "garrison" or given.garrison:
        garrisons = [piece.id for piece in scene.terrain if piece.kind == "garrison"]
        checks.among("garrison", given.garrison, garrisons, f"{where}.garrison")
        checks.whereabouts(given, "garrison", where, "garrison", "gone")
    if len(given.lost_models) > given.lost:
        raise fault("error.scene.needs", f"{where}.lost", at="lost_models", field="lost")


def check_character(scene: Scene, given: SceneCharacter, where: str) -> None:
    check_profile(given, where)
    for field in ("mastery", "upgrades", "gives"):
        check_rules(getattr(given, field), f"{where}.{field}")
    check_changes(given.spells, f"{where}.spells")
    check_changes((*given.abilities, *((given.supremacy,) if given.supremacy else ())), f"{where}.abilities")
    for n, retinue in enumerate(given.retinue):
        check_rules(retinue.rules, f"{where}.retinue[{n}].rules")
    if given.regiment:
        friends = [r.id for r in scene.regiments if r.side == given.side]
        checks.among("regiment", given.regiment, friends, f"{where}.regiment")
    elif given.own:
        raise fault("error.scene.needs", f"{where}.regiment", at="own", field="regiment")


def check_wounds(state: State, scene: Scene) -> None:
    """Nobody bears as many wounds as he has, but a Character who died of them."""
    for n, given in enumerate(scene.regiments):
        full = state.regiment(given.id).profile.wounds
        for number, count in given.wounds.items():
            checks.between(count, 0, full - 1, f"regiments[{n}].wounds.{number}")
    for n, hero in enumerate(scene.characters):
        full = state.characters[hero.id].profile.wounds
        checks.between(hero.wounds, 0, full - 1 if hero.alive else full, f"characters[{n}].wounds")


def check_garrisons(state: State, scene: Scene) -> None:
    """One regiment of infantry in each piece; a stand restored in there may be one more than it has room for."""
    inside: dict[str, str] = {}
    for n, given in enumerate(scene.regiments):
        if given.where == "garrison":
            where = f"regiments[{n}].garrison"
            other = inside.setdefault(given.garrison, given.id)
            if other != given.id:
                raise fault("error.conquest.garrisoned", where, garrison=given.garrison, other=other)
            if state.regiment(given.id).profile.type != "infantry":
                raise fault("error.conquest.garrison-who", where, who=given.id)


def check_placed(state: State, scene: Scene) -> None:
    """Regiments stand on the table, and in nobody else; only one that is about to act may stand where a March has left
    it, and only one that comes on may be half outside."""
    for n, given in enumerate(scene.regiments):
        regiment = state.regiment(given.id)
        if regiment.where != "table":
            continue
        where = ranked.pose(regiment)
        off = "entering" not in regiment.flags and march.off_table(state, regiment, where, None)
        inside = overlapping.overlapped(state, regiment, where)
        moving = scene.who if scene.moment == "actions" else ""
        strange = [key for key in inside if state.regiment(key).side != regiment.side]
        wrong = strange or (inside if moving not in (*inside, regiment.id) else [])
        barred = [piece for piece in state.terrain if piece.kind == "garrison" or "impassable" in piece.rules]
        walled = any(fronts.gap(ranked.blocks(regiment), (piece.thing,)) < -formation.TOUCH for piece in barred)
        checks.placed(f"regiments[{n}]", state.scenario, off, walled, next(iter(wrong), None))
