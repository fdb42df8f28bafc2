"""Warhammer 40,000, 9th edition: loose units, vehicles, psykers, stratagems, terrain traits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpire.engine.declaring import shown, thinking, written
from umpire.engine.game import Game, Setup, register
from umpire.engine.rng import Rng
from umpire.engine.rulings import Ruling, applies
from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.errors import fault, unknown
from umpire.games.wh40k import again, content, picture, planning, scene_writing, scenes, sight
from umpire.games.wh40k.abilities import bears_aura
from umpire.games.wh40k.deployment import before_battle
from umpire.games.wh40k.dice import on_roll
from umpire.games.wh40k.drafting import muster
from umpire.games.wh40k.drawing import random_choices
from umpire.games.wh40k.mustering import (
    COPIES,
    EVERY_SIZE,
    SIZES,
    TABLES,
    Roster,
    army,
    check_roster,
    price,
    read_roster,
)
from umpire.games.wh40k.odds import odds
from umpire.games.wh40k.questions import QUESTIONS
from umpire.games.wh40k.state import Feature, Mission, Objective, Options, State
from umpire.games.wh40k.terrain import against_terrain, make_feature
from umpire.games.wh40k.wishes import ASKED, DEEDS, moment
from umpire.games.wh40k.worth import worth
from umpire.miniatures import maps
from umpire.miniatures.menus import drawn, enlist, readings_of, written_for
from umpire.space.plain import point_polygon
from umpire.text import words

PREPARING = frozenset(
    ("ask.aboard", "ask.deploy", "ask.deploy-next", "ask.divide", "ask.reserves", "ask.wishes", "ask.zone")
)
CHAPTERS = (again,)
"""Chapters that nothing else needs before their steps come up: a battle that is loaded finds them by name."""


def resolve(setup: Setup, rng: Rng) -> Setup:
    """Random legal armies, a random mission and layout for what was left out."""
    if setup.scenario is not None and setup.scenario not in content.missions():
        raise unknown("mission", setup.scenario, "scenario", content.missions())
    wanted: str | None = content.missions()[setup.scenario].size if setup.scenario else None
    size = setup.options.setdefault(
        "size", wanted or written_for(setup.sides, lambda given: read_roster(given).size) or "incursion"
    )
    if size not in SIZES:
        raise unknown("battle-size", size, "options.size", SIZES)
    copies = EVERY_SIZE if options_of(setup).datasheets == "every-size" else COPIES

    def checked(roster: Roster, without: Sequence[str]) -> Ruling:
        return check_roster(roster, without, copies)

    def mustered(faction: str | None) -> Roster:
        return muster(rng, size, faction, copies)

    rosters = enlist(setup, content.factions(), mustered, lambda given, _: read_roster(given), checked)
    for n, roster in enumerate(rosters):
        if roster.size != size and applies("wh40k.army.battle-size.mission", setup.without):
            raise fault("error.wh40k.roster-size", f"sides[{n}].size", size=roster.size, battle=size)
    if setup.scenario is None:
        setup.scenario = rng.choice(list(content.missions(size)))
    drawn(setup, "layout", [layout.id for layout in content.core().layouts], rng)
    return setup


def options_of(setup: Setup) -> Options:
    """The table's readings of disputed rules."""
    return readings_of(setup, Options, "size", "layout")


def books_of(side: dict[str, Any]) -> list[str]:
    """The books that an army is written by: its own, and those of its allies."""
    sheets = content.datasheets()
    units = [unit for detachment in side["detachments"] for unit in detachment["units"]]
    return [side["faction"], *(sheets[unit["sheet"]].faction for unit in units)]


def lay_terrain(
    layout: str, width: float, depth: float, mission: Mission, without: Sequence[str] = ()
) -> tuple[Feature, ...]:
    """The layout's features; what would bury an objective is left out."""

    def make(kind: str, key: str, x: float, y: float, facing: float) -> Feature:
        return make_feature(key, content.pieces()[kind], x, y, facing, without)

    def clear(feature: Feature) -> bool:
        solid = [part.points for part in feature.parts if part.kind == "body"]
        return all(point_polygon(points, x, y) > 1.0 for points in solid for x, y in mission.objectives)

    found = next(entry for entry in content.core().layouts if entry.id == layout)
    return tuple(maps.laid(found, width, depth, make, clear))


def start(setup: Setup) -> State:
    size = setup.options["size"]
    width, depth = TABLES[size]
    mission = maps.stretched(content.missions()[setup.scenario], "zones", width, depth)
    sides, units = [], {}
    for n, given in enumerate(setup.sides):
        side, mine = army(read_roster(given), n, setup.without)
        sides.append(side)
        units.update({unit.id: unit for unit in mine})
    state = State(
        width=width,
        depth=depth,
        size=size,
        mission=mission,
        sides=sides,
        units=units,
        terrain=lay_terrain(setup.options["layout"], width, depth, mission, setup.without),
        objectives=[Objective(f"o{n + 1}", x, y) for n, (x, y) in enumerate(mission.objectives)],
        options=options_of(setup),
        lore=content.lore([f for s in sides for f in s.factions], mission.actions),
        bearers=tuple(unit.id for unit in units.values() if bears_aura(unit)),
    )
    state.agenda += [Task(step_name(before_battle)), Task(step_name(random_choices))]
    return state


GAME = register(
    Game(
        id="wh40k",
        names=words("wh40k.name"),
        state=State,
        **content.LIBRARY.set_up(resolve, start, books_of),
        **shown(picture),
        roster=Roster,
        book=content.Faction,
        check_roster=check_roster,
        muster=muster,
        price=price,
        library=picture.library,
        **written(scenes, scene_writing),
        on_roll=on_roll,
        deeds=DEEDS,
        asked=ASKED,
        terrain=against_terrain,
        moment=moment,
        odds=odds,
        questions=QUESTIONS,
        worth=worth,
        **thinking(planning),
        preparing=PREPARING,
        sight=sight.told,
        seen_by=sight.seen_by,
        details=frozenset(("ask.pile-in", "ask.consolidate", "ask.order", "ask.order-harmed")),
        follows=frozenset(("ask.charge-targets", "ask.power", "ask.power-target", "ask.shoot-again")),
        measuring="wh40k.core.measure-any-time",
        cocked="wh40k.dice.cocked",
    )
)
