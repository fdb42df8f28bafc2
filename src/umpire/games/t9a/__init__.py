"""The Ninth Age, 3rd edition. One module a chapter of its reference manual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from umpire.engine.declaring import shown, thinking, written
from umpire.engine.game import Game, Setup, register
from umpire.engine.rng import Rng
from umpire.engine.rulings import Ruling, in_force, ruled
from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.errors import fault
from umpire.files import convert
from umpire.miniatures.menus import enlist, readings_of, reads
from umpire.text import words

from . import (
    content,
    deployment,
    drafting,
    muster,
    picture,
    planning,
    preparation,
    scene_writing,
    scenes,
    seasons,
    turns,
)
from .odds import odds
from .questions import QUESTIONS
from .state import Field, Options, Pool, State
from .terrain import against_terrain
from .wishes import ASKED, DEEDS, moment_of
from .worth import worth

CHAPTERS = (deployment, turns)


def resolve(setup: Setup, rng: Rng) -> Setup:
    """Fill in random legal armies and a battlefield; check what was given."""
    points = setup.options.get("points", 2000)
    if type(points) is not int or not 500 <= points <= 20000:
        raise fault("error.list.sizes", "options.points", least=500, most=20000)
    options_of(setup)
    all_random = not setup.sides and setup.scenario is None

    first, second = enlist(
        setup,
        content.books(),
        lambda book: drafting.muster(rng, points, book or ""),
        reads(muster.Roster),
        check_roster,
    )
    if first.size != second.size:
        raise fault("error.t9a.same-size", "sides[1]")
    setup.sides = [{"size": first.size, **side} for side in setup.sides]
    if all_random:
        setup.options.setdefault("secondaries", rng.choice(("off", "on")))
    setup.scenario = msgspec.to_builtins(battlefield(setup.scenario, first.size, options_of(setup), rng))
    return setup


def battlefield(given: Any, size: int, options: Options, rng: Rng) -> Field:
    """Deployment type and map: "type/map", a field spelt out, or a random one. Secondary objectives are played where
    the players want them (t9a.prep.victory.conditions)."""
    secondaries = options.secondaries == "on"
    season = seasons.season()
    if isinstance(given, dict):
        field = convert(given, Field, "scenario")
        return field if field.deck else msgspec.structs.replace(field, deck=season.decks[preparation.board(size)[1]])
    if given is None:
        kind = season.deployments[rng.below(len(season.deployments))].id
        chart = season.maps[rng.below(len(season.maps))].id
        return seasons.field_of(size, kind, chart, secondaries)
    kind, _, chart = str(given).partition("/")
    return seasons.field_of(size, kind, chart or season.maps[0].id, secondaries)


def check_roster(roster: muster.Roster, without: Sequence[str] = ()) -> Ruling:
    return ruled(list(in_force(muster.objections(roster, without), without)))


def options_of(setup: Setup) -> Options:
    return readings_of(setup, Options, "points")


def start(setup: Setup) -> State:
    field = msgspec.convert(setup.scenario, Field)
    rosters = [msgspec.convert(given, muster.Roster) for given in setup.sides]
    pools: dict[str, Pool] = {}
    units = {}
    for side, roster in enumerate(rosters):
        mine, blocks = muster.build(roster, side)
        pools.update({pool.id: pool for pool in mine})
        units.update({unit.id: unit for unit in blocks})
    size = rosters[0].size
    books = [muster.book_of(roster) for roster in rosters]
    hereditary = [tuple(content.spell_of(entry, "hereditary", book.id) for entry in book.hereditary) for book in books]
    return State(
        pools=pools,
        units=units,
        field=field,
        options=options_of(setup),
        size=size,
        klass=preparation.board(size)[1],
        books=(rosters[0].book, rosters[1].book),
        hereditary=(hereditary[0], hereditary[1]),
        summons=content.summons(),
        agenda=[Task(step_name(preparation.share_lists))],
    )


def price(roster: muster.Roster) -> Any:
    from umpire.miniatures.lists import bill

    return bill(muster.army_of(roster, muster.book_of(roster)))


GAME = register(
    Game(
        id="t9a",
        names=words("t9a.name"),
        state=State,
        **content.LIBRARY.set_up(resolve, start),
        **shown(picture),
        **written(scenes, scene_writing),
        roster=muster.Roster,
        book=content.Book,
        check_roster=check_roster,
        price=price,
        muster=lambda rng, points=2000, book="": drafting.muster(rng, points, book),
        library=picture.library,
        worth=worth,
        deeds=DEEDS,
        moment=moment_of,
        asked=ASKED,
        terrain=against_terrain,
        odds=odds,
        **thinking(planning),
        questions=QUESTIONS,
        preparing=frozenset(
            (
                "ask.advantage",
                "ask.defender",
                "ask.deploy",
                "ask.deploy-with",
                "ask.general-swap",
                "ask.hereditary",
                "ask.place",
                "ask.secondary",
                "ask.vanguard",
                "ask.zone",
            )
        ),
        details=frozenset(
            (
                "ask.align",
                "ask.break-order",
                "ask.flight-order",
                "ask.nudge-order",
                "ask.reform-order",
            )
        ),
        follows=frozenset(("ask.cast-dice", "ask.charge-target", "ask.shoot-target", "ask.spell-target")),
        measuring="t9a.def.measure.any-time",
        undoing="t9a.move.undo",
    )
)
