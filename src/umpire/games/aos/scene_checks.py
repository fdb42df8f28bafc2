"""Positions of Age of Sigmar that cannot be: names that nothing answers to, numbers that no warscroll has, wounds on
nobody, bases off the table or in each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from umpire.engine.effects import Effect
from umpire.errors import fault
from umpire.games.aos import content
from umpire.games.aos.combat import STRIKING
from umpire.games.aos.content import WEAPON_ABILITIES
from umpire.games.aos.known_abilities import CORE, LORES, SCROLLS
from umpire.games.aos.primitives import DEEDS, NUMBERS, check_ability
from umpire.games.aos.profiles import AbilityData, Do, Warscroll, Weapon, amount
from umpire.games.aos.state import State
from umpire.games.aos.tactics import TACTICS
from umpire.games.aos.terrain import TYPES, stand
from umpire.miniatures import checks
from umpire.miniatures.loose.standing import check_bases, placed

if TYPE_CHECKING:
    from umpire.games.aos.scenes import Scene, SceneSide, SceneUnit

ROLES = ("", "champion", "musician", "standard")
TERRAIN_ABILITIES = tuple(dict.fromkeys(ability for abilities in TYPES.values() for ability in abilities))
KEYWORDS = (
    "hero", "infantry", "cavalry", "beast", "monster", "war machine", "wizard", "priest", "fly", "unique", "warmaster",
    "manifestation", "faction terrain", "aura", "ward", "champion",
)  # fmt: skip
"""The keywords that the rules speak of."""
OF_ABILITIES = (*DEEDS, "summon", "banish", "deploy", "deploy terrain")
"""The keywords of abilities."""
OTHER_EFFECTS = ("ward", "strike-first", "strike-last")
PERIODS = ("phase", "turn", "round", "battle")
LIMITS: dict[Any, dict[str, checks.Span]] = {
    Warscroll: {
        "move": (0, 99), "health": (1, 99), "control": (0, 99), "save": (0, 7), "ward": (0, 6), "wizard": (0, 9),
        "priest": (0, 9), "size": (1, 99), "points": (0, 9999), "banishment": (0, 99), "height": (0.1, 40.0),
        "coherency": (0.0, 24.0), "musician": (0, 99), "standard": (0, 99),
    },
    Do: {"value": (-99, 99), "range": (0, 240), "roll": (0, 6)},
    AbilityData: {"value": (0, 99), "range": (0, 240), "cost": (0, 9), "picks": (0, 99), "roll": (0, 6)},
    Weapon: {"hit": (1, 6), "wound": (1, 6), "rend": (0, 9), "range": (0, 240)},
}  # fmt: skip
OF_PLANS = {"rounds": (1, 99), "deploy_gap": (0.0, 24.0)}


BOTH = (0, 1)
"""The two sides."""
NOBODY = (-1, 1)
"""A side, or nobody."""
OF_SCENES = {
    "stage": BOTH, "begins": BOTH, "underdog": NOBODY, "finished_first": NOBODY, "rounds": (1, 99),
    "points": (0, 99999),
}  # fmt: skip
OF_UNITS = {
    "side": BOTH, "slain": (0, 999), "damage": (0, 999), "ritual": (0, 999), "power": (0, 999), "unbinds": (0, 999),
    "wounds_to_come": (0, 999), "regiment": (-1, 99),
}  # fmt: skip
OF_SIDES = {
    "command": (0, 99), "territory": NOBODY, "vp": (0, 9999), "auxiliaries": (0, 9999), "fought": (0, 9999),
    "lost": (0, 9999), "completed": (0, 9999), "points": (0, 9999),
}  # fmt: skip


def check_scene(scene: Scene) -> None:
    """What the types of a scene do not say: numbers, names, spots, polygons."""
    ids = checks.turns(scene, PERIODS, OF_SCENES, {}, effects)
    checks.fields(scene, "", names={"strikers": ("unit", ids)})
    for n, given in enumerate(scene.units):
        check_unit(given, scene, f"units[{n}]")
    check_terrain(scene)
    checks.not_the_same(scene.sides, "territory", -1, "sides")
    on_table = {"x": (0, scene.width), "y": (0, scene.depth)}
    checks.each(scene, "objectives", {"holder": NOBODY, "held_before": NOBODY, **on_table})
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
    for n, piece in enumerate(scene.terrain):
        where = f"terrain[{n}]"
        if piece.kind:
            checks.among("terrain", piece.kind, content.terrain_kinds(), f"{where}.kind")
        elif len(piece.points) < 3 or any(len(p) != 2 for p in piece.points):
            raise fault("error.scene.polygon", f"{where}.points")
        else:
            checks.among("terrain-type", piece.type, TYPES, f"{where}.type")
            for k, (x, y) in enumerate(piece.points):
                checks.between(max(abs(x), abs(y)), 0, checks.LARGEST, f"{where}.points[{k}]")
            checks.convex(piece.points, f"{where}.points")
    limits = {"top": (0, checks.LARGEST), "holder": NOBODY}
    checks.lying(scene, limits, {"abilities": ("terrain-ability", TERRAIN_ABILITIES)})


def check_unit(given: SceneUnit, scene: Scene, where: str) -> None:
    mine = [unit.id for unit in scene.units if unit.side == given.side]
    gone = [unit.id for unit in scene.units if unit.where == "gone"]
    checks.not_both(given, "warscroll", "profile", where)
    if any(not 2 <= len(spot) <= 3 for spot in given.models):
        raise fault("error.scene.spot", f"{where}.models")
    if given.where == "table" and not given.models:
        raise fault("error.scene.needs", f"{where}.models", at=given.id, field="models")
    if len(given.roles) > max(1, len(given.models)):
        raise fault("error.scene.roles", f"{where}.roles")
    summoner: str = getattr(given, "summoner", "")
    if given.where == "table" and summoner in gone:
        raise fault("error.scene.not-on-field", f"{where}.summoner", who=summoner)
    checks.fields(
        given, where, {**OF_UNITS, "returned": (0, len(given.models) - 1)},
        {
            "roles": ("role", ROLES), "summoner": ("unit", mine), "replaces": ("unit", mine),
            "keywords_turn": ("keyword", OF_ABILITIES), "enhancements": ("enhancement", content.enhancements()),
        },
    )  # fmt: skip


def check_scroll(scroll: Warscroll, where: str) -> None:
    """A warscroll that is written out: numbers that there can be, and known abilities of its weapons."""
    names = {"faction": ("faction", content.factions()), "features": ("terrain-ability", TERRAIN_ABILITIES)}
    checks.tree(
        scroll, where, LIMITS, {Warscroll: names, AbilityData: {"keywords": ("keyword", OF_ABILITIES)}},
        {Weapon: ("attacks", "damage")}, amount,
    )  # fmt: skip
    checks.base(scroll.base, f"{where}.base", "error.scene.base")
    for n, weapon in enumerate(scroll.weapons):
        at = f"{where}.weapons[{n}]"
        for k, ability in enumerate(weapon.abilities):
            if not ability.startswith("anti-"):
                checks.among("weapon-ability", ability, (*WEAPON_ABILITIES, "anti-X"), f"{at}.abilities[{k}]")
    for n, data in enumerate(scroll.abilities):
        at = f"{where}.abilities[{n}]"
        for k, do in enumerate(data.does):
            checks.readable(amount, do.amount, f"{at}.does[{k}].amount")
        check_ability(data, at)


def check_side(side: SceneSide, mine: list[str], where: str) -> None:
    known = {key: data for own in content.brought().values() for key, data in own.items()}

    def of(kind: str) -> list[str]:
        return [key for key, data in known.items() if kind in data.keywords]

    checks.fields(
        side, where, OF_SIDES,
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
    checks.fields(
        state.plan, "plan", {**OF_PLANS, **({"territories": (0, spread)} if "territories" in scene.plan else {})}
    )
    checks.zones(state.plan.territories, "plan.territories")
    begun = scene.phase not in ("setup", "deployment")
    checks.between(scene.round, 1 if begun else 0, state.plan.rounds, "round")
    checks.spots(state.plan.objectives if "objectives" in scene.plan else (), state, "plan.objectives")
    abilities = [*(ability.id for ability in CORE.all()), *LORES.of(state.lore)]
    for unit in state.units.values():
        abilities += SCROLLS.of(unit.profile)
    used = dict.fromkeys(("used_phase", "used_turn", "used_battle"), ("ability", abilities))
    checks.each(scene, "units", names=used)
    scrolls = ("warscroll", (*content.warscrolls(), *(unit.profile.id for unit in state.units.values())))
    for n, unit in enumerate(state.units.values()):
        for k, data in enumerate(unit.profile.abilities):
            for i, do in enumerate(data.does):
                checks.fields(do, f"units[{n}].profile.abilities[{k}].does[{i}]", names={"unit": scrolls})
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
    checks.each(scene, "sides", names={"spells_used": ("spell", spells), "tactic_about": ("unit", subjects)})
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
