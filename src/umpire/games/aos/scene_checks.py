"""Positions of Age of Sigmar that cannot be: names that nothing answers to, numbers that no warscroll has, wounds on
nobody, bases off the table or in each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from umpire.engine.effects import Effect
from umpire.errors import fault
from umpire.games.aos import content
from umpire.games.aos.combat import STRIKING
from umpire.games.aos.known_abilities import CORE, LORES, SCROLLS
from umpire.games.aos.primitives import DEEDS, NUMBERS, check_ability
from umpire.games.aos.profiles import Warscroll
from umpire.games.aos.state import State
from umpire.games.aos.tactics import TACTICS
from umpire.games.aos.terrain import TYPES, stand
from umpire.miniatures import checks
from umpire.miniatures.loose.standing import check_bases, placed

if TYPE_CHECKING:
    from umpire.games.aos.scenes import Scene, SceneSide, SceneUnit

KEYWORDS = (
    "hero", "infantry", "cavalry", "beast", "monster", "war machine", "wizard", "priest", "fly", "unique", "warmaster",
    "manifestation", "faction terrain", "aura", "ward", "champion",
)  # fmt: skip
"""The keywords that the rules speak of."""
OTHER_EFFECTS = ("ward", "strike-first", "strike-last")
PERIODS = ("phase", "turn", "round", "battle")


def check_scene(scene: Scene) -> None:
    """What the types of a scene do not say: numbers, names, spots, polygons."""
    ids = checks.turns(scene, PERIODS, effects)
    checks.fields(scene, "", {"strikers": ("unit", ids)})
    for n, given in enumerate(scene.units):
        check_unit(given, scene, f"units[{n}]")
    check_terrain(scene)
    checks.not_the_same(scene.sides, "territory", -1, "sides")
    checks.spots(((o.x, o.y) for o in scene.objectives or ()), scene, "objectives")
    for n, side in enumerate(scene.sides):
        check_side(side, [unit.id for unit in scene.units if unit.side == n], f"sides[{n}]")
    for n, effect in enumerate(scene.effects):
        if effect.source:  # whose it is, and what: some weapons are helped by neither friend nor foe
            checks.among("side", effect.source.partition(":")[0], ("0", "1"), f"effects[{n}].source")
    checks.used({key: n for key, n in scene.used.items() if key != STRIKING}, ids, PERIODS, "used")


def effects(effect: Effect) -> tuple[str, ...]:
    """What an effect changes or forbids."""
    return DEEDS if effect.op == "forbid" else (*NUMBERS, *OTHER_EFFECTS)


def check_terrain(scene: Scene) -> None:
    checks.lying(scene)
    for n, piece in enumerate(scene.terrain):
        where = f"terrain[{n}]"
        if piece.kind:
            checks.among("terrain", piece.kind, content.terrain_kinds(), f"{where}.kind")
        else:
            checks.among("terrain-type", piece.type, TYPES, f"{where}.type")
            checks.convex(piece.points, f"{where}.points")


def check_unit(given: SceneUnit, scene: Scene, where: str) -> None:
    mine = [unit.id for unit in scene.units if unit.side == given.side]
    gone = [unit.id for unit in scene.units if unit.where == "gone"]
    checks.not_both(given, "warscroll", "profile", where)
    if given.where == "table" and not given.models:
        raise fault("error.scene.needs", f"{where}.models", at=given.id, field="models")
    if len(given.roles) > max(1, len(given.models)):
        raise fault("error.scene.roles", f"{where}.roles")
    summoner: str = getattr(given, "summoner", "")
    if given.where == "table" and summoner in gone:
        raise fault("error.scene.not-on-field", f"{where}.summoner", who=summoner)
    for n, number in enumerate(given.returned):
        checks.between(number, 0, len(given.models) - 1, f"{where}.returned[{n}]")
    friends = ("unit", mine)
    enhancements = ("enhancement", content.enhancements())
    checks.fields(given, where, {"summoner": friends, "replaces": friends, "enhancements": enhancements})


def check_scroll(scroll: Warscroll, where: str) -> None:
    """A warscroll that is written out: factions and abilities that there are."""
    checks.fields(scroll, where, {"faction": ("faction", content.factions())})
    content.check_weapons(scroll, where)
    for n, data in enumerate(scroll.abilities):
        check_ability(data, f"{where}.abilities[{n}]")


def check_side(side: SceneSide, mine: list[str], where: str) -> None:
    known = {key: data for own in content.brought().values() for key, data in own.items()}

    def of(kind: str) -> list[str]:
        return [key for key, data in known.items() if kind in data.keywords]

    checks.fields(
        side, where,
        {
            "faction": ("faction", content.factions()), "general": ("unit", mine), "tactic": ("battle-tactic", TACTICS),
            "tactics": ("battle-tactic", TACTICS), "formation": ("battle-formation", content.formations()),
            "spells": ("spell", of("spell")), "prayers": ("spell", of("prayer")), "summons": ("spell", of("summon")),
            "commands_used": ("command", [ability.id for ability in CORE.all() if ability.cost]),
        },
    )  # fmt: skip


def check_made(state: State, scene: Scene) -> None:
    """What can be told only of the units as they are: names of their abilities, keywords, wounds, where they stand."""
    spread = max(state.width, state.depth)
    if "territories" in scene.plan:
        checks.fields(state.plan, "plan", {}, {"territories": (0, spread)})
    checks.zones(state.plan.territories, "plan.territories")
    begun = scene.phase not in ("setup", "deployment")
    checks.between(scene.round, 1 if begun else 0, state.plan.rounds, "round")
    checks.spots(state.plan.objectives if "objectives" in scene.plan else (), state, "plan.objectives")
    abilities = [*(ability.id for ability in CORE.all()), *LORES.of(state.lore)]
    for unit in state.units.values():
        abilities += SCROLLS.of(unit.profile)
    used = dict.fromkeys(("used_phase", "used_turn", "used_battle"), ("ability", abilities))
    checks.each(scene, "units", used)
    scrolls = ("warscroll", (*content.warscrolls(), *(unit.profile.id for unit in state.units.values())))
    for n, unit in enumerate(state.units.values()):
        for k, data in enumerate(unit.profile.abilities):
            for i, do in enumerate(data.does):
                checks.fields(do, f"units[{n}].profile.abilities[{k}].does[{i}]", {"unit": scrolls})
    # Faction terrain that was destroyed since it was named is still what a tactic is about.
    subjects = [
        *state.units,
        *(f"{key}-terrain" for key in state.units),
        *(o.id for o in state.objectives),
        *(f.id for f in state.terrain),
    ]
    spells = [key for key, data in state.lore.abilities.items() if data.spell or data.prayer]
    for unit in state.units.values():  # a spell of a warscroll is counted by its own name
        own = [data.id for data in unit.profile.abilities if data.spell or data.prayer]
        spells += own + [f"{unit.profile.id}.{key}" for key in own]
    checks.each(scene, "sides", {"spells_used": ("spell", spells), "tactic_about": ("unit", subjects)})
    for key in scene.used:
        if key != STRIKING:
            counted = dict.fromkeys((*abilities, *(ability.rpartition(".")[2] for ability in abilities)))
            checks.among("ability", key.split("/", 2)[2], counted, f"used.{key}")
    check_keywords(state, scene)
    models = placed(state.units.values())
    check_bases(models, state.width, state.depth)
    for where, model, key in models:
        # Faction terrain is its own ground.
        if state.unit(key).profile.kind != "terrain" and stand(state, model)[1] is not None:
            raise fault("error.scene.inside", where)
    for n, unit in enumerate(state.units.values()):
        if unit.where == "table":
            checks.living(unit.damage, unit.profile.health, f"units[{n}]")


def check_keywords(state: State, scene: Scene) -> None:
    """A keyword is one that the rules or the library know, or one that the scene gives a unit and speaks of."""
    has: dict[str, str] = {}
    named: dict[str, str] = {}
    known = [*KEYWORDS, *checks.words_in([*content.warscrolls().values()], "", {Warscroll: ("keywords", "id")})]
    for n, (given, unit) in enumerate(zip(scene.units, state.units.values(), strict=True)):
        if given.warscroll:
            continue
        scroll, where = unit.profile, f"units[{n}].profile"
        has |= checks.words_in(scroll, where, {Warscroll: ("keywords",)})
        known.append(scroll.id)
        for k, weapon in enumerate(scroll.weapons):
            against = (a[5:].replace("-", " ") for a in weapon.abilities if a.startswith("anti-"))
            named |= {word: f"{where}.weapons[{k}].abilities" for word in against if word != "charge"}
        for k, data in enumerate(scroll.abilities):
            wanted = (need[8:] for need in data.needs if need.startswith("keyword "))
            named |= dict.fromkeys(wanted, f"{where}.abilities[{k}].needs")
        for field in ("leads", "joins"):
            named |= {w: f"{where}.{field}[{k}]" for k, w in enumerate(getattr(scroll, field)) if w != "any"}
    checks.words("keyword", has, named, known)
