"""Warhammer Age of Sigmar, 4th edition: loose units, every deed an ability with declare, reaction and effect."""

from __future__ import annotations

from umpire.engine.declaring import shown, thinking, written
from umpire.engine.game import Game, Setup, Tally, register
from umpire.engine.rng import Rng
from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.errors import fault, unknown
from umpire.games.aos import (  # noqa: F401 - abilities
    charging,
    combat,
    content,
    deployment,
    hero,
    magic,
    moves,
    picture,
    planning,
    scene_writing,
    scenes,
    shooting,
    tactics,
)
from umpire.games.aos.battlefield import against_terrain, battlefield, feature_of
from umpire.games.aos.composition import Roster, army, check_roster, muster, price, read_roster
from umpire.games.aos.objectives import SCORING
from umpire.games.aos.odds import odds
from umpire.games.aos.questions import QUESTIONS
from umpire.games.aos.state import Battleplan, Feature, Objective, State
from umpire.games.aos.terrain import between
from umpire.games.aos.units import seen_by
from umpire.games.aos.wishes import deeds, moment_of
from umpire.games.aos.worth import worth
from umpire.miniatures import maps
from umpire.miniatures.menus import drawn, enlist, written_for
from umpire.miniatures.worth import fallen
from umpire.space.plain import point_polygon
from umpire.text import words

SIZES = {1000: (44.0, 30.0), 2000: (60.0, 44.0)}


def resolve(setup: Setup, rng: Rng) -> Setup:
    """Random legal armies, a random battleplan and layout for what was left out."""
    points = setup.options.setdefault(
        "points", written_for(setup.sides, lambda given: read_roster(given).points) or 1000
    )
    if points not in SIZES:
        raise fault("error.aos.sizes", "options.points", points=points)

    def mustered(faction: str | None) -> Roster:
        return muster(rng, points, faction)

    rosters = enlist(setup, content.factions(), mustered, lambda given, _: read_roster(given), check_roster)
    for n, roster in enumerate(rosters):
        if roster.points != points:
            raise fault("error.aos.other-size", f"sides[{n}].points", roster=roster.points, battle=points)
    if setup.scenario is None:
        setup.scenario = rng.choice(list(content.battleplans()))
    if setup.scenario not in content.battleplans():
        raise unknown("battleplan", setup.scenario, "scenario", content.battleplans())
    drawn(setup, "layout", [layout.id for layout in content.core().layouts], rng)
    return setup


def lay_terrain(layout: str, width: float, depth: float, plan: Battleplan) -> list[Feature]:
    """The layout's features, without those that would lie on or within 1 inch of an objective of this battleplan."""

    def clear(feature: Feature) -> bool:
        return all(point_polygon(p.points, x, y) > 1.8 for p in feature.parts for x, y in plan.objectives)

    found = next(entry for entry in content.core().layouts if entry.id == layout)
    return maps.laid(found, width, depth, feature_of, clear)


def start(setup: Setup) -> State:
    points = setup.options["points"]
    width, depth = SIZES[points]
    plan = maps.stretched(content.battleplans()[setup.scenario], "territories", width, depth)
    assert plan.scoring in SCORING
    sides, units = [], {}
    regiments: list[tuple[str, ...]] = []
    rosters = [read_roster(given) for given in setup.sides]
    for n, roster in enumerate(rosters):
        side, mine, groups = army(roster, n, len(regiments))
        sides.append(side)
        units.update({unit.id: unit for unit in mine})
        regiments += map(tuple, groups)
    state = State(
        width=width,
        depth=depth,
        points=points,
        plan=plan,
        sides=sides,
        units=units,
        lore=content.lore([roster.faction for roster in rosters]),
        regiments=tuple(regiments),
        terrain=[] if plan.setup == "first-blood" else lay_terrain(setup.options["layout"], width, depth, plan),
        objectives=[Objective(f"o{n + 1}", x, y) for n, (x, y) in enumerate(plan.objectives)],
    )
    state.agenda += [Task(step_name(deployment.deployment)), Task(step_name(battlefield))]
    return state


def tally(state: State) -> Tally:
    """Rounds, and the models slain as a share of the army, each weighed by its unit's points."""
    units = [unit for unit in state.units.values() if unit.profile.kind == "unit"]
    return Tally(state.round, fallen((u.side, u.profile.points, len(u.slain) / max(1, u.size)) for u in units))


GAME = register(
    Game(
        id="aos",
        names=words("name.aos.warhammer-age-of-sigmar"),
        state=State,
        **content.LIBRARY.set_up(resolve, start),
        **shown(picture),
        roster=Roster,
        book=content.Faction,
        check_roster=check_roster,
        price=price,
        deeds=deeds(),
        moment=moment_of,
        terrain=against_terrain,
        muster=muster,
        library=picture.library,
        **written(scenes, scene_writing),
        odds=odds,
        worth=worth,
        tally=tally,
        **thinking(planning),
        questions=QUESTIONS,
        sight=between,
        seen_by=seen_by,
        preparing=frozenset(
            (
                "ask.attacker",
                "ask.begin-deployment",
                "ask.deploy",
                "ask.deploy-next",
                "ask.place-terrain",
                "ask.territory",
            )
        ),
        details=frozenset(
            (
                "ask.contest",
                "ask.damage-order",
                "ask.further-slain",
                "ask.gambit",
                "ask.pile-in",
                "ask.pile-in-target",
                "ask.split-rest",
                "ask.target-order",
            )
        ),
        follows=frozenset(
            (
                "ask.banish",
                "ask.pick",
                "ask.pick-one",
                "ask.react",
                "ask.spell",
                "ask.tactic",
                "ask.tactic-about",
                "ask.target",
            )
        ),
        measuring="aos.core.measuring",
    )
)
