"""Conquest: The Last Argument of Kings. One module a chapter; special rules register themselves with `hooks`."""

from __future__ import annotations

import msgspec

from umpire.engine.declaring import shown, thinking, written
from umpire.engine.game import Game, Setup, Tally, register
from umpire.engine.rng import Rng
from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.errors import fault
from umpire.miniatures.menus import enlist, readings_of, reads
from umpire.miniatures.worth import fallen
from umpire.text import words

from . import (
    action_phase,
    army,
    attacks,
    characters,
    charge,
    clash,
    command_models,
    content,
    draw_events,
    duels,
    garrison,
    leaving,
    magic,
    march,
    objectives,
    picture,
    planning,
    reform,
    reinforcement,
    rounds,
    scenarios,
    scene_writing,
    scenes,
    sight,
    special,
    special_moments,
    supremacy,
    terrain,
    volley,
    withdraw,
)
from .muster import muster
from .odds import odds
from .questions import QUESTIONS
from .roster import Roster
from .state import Options, State
from .wishes import ASKED, Moment, deeds
from .worth import guess, worth

CHAPTERS = (
    *(action_phase, attacks, characters, charge, clash, command_models, draw_events, duels, garrison, leaving, magic),
    *(march, objectives, reform, reinforcement, special, special_moments, supremacy, terrain, volley, withdraw),
)
"""Chapters register their actions and special rules by being imported."""


def resolve(setup: Setup, rng: Rng) -> Setup:
    """Fill in random legal armies, a random scenario and terrain; check what was given."""
    points = setup.options.get("points", 1500)
    if type(points) is not int or not 300 <= points <= 10000:
        raise fault("error.list.sizes", "options.points", least=300, most=10000)
    if not setup.sides and "disputes" not in setup.options and rng.below(12) == 0:
        setup.options = {**setup.options, "disputes": "die"}
    options_of(setup)

    enlist(
        setup, content.factions(), lambda faction: muster(rng, points, faction or ""), reads(Roster), army.check_roster
    )
    setup.scenario = msgspec.to_builtins(scenarios.resolve_battlefield(setup.scenario, rng, setup.without))
    return setup


def options_of(setup: Setup) -> Options:
    """The table's readings of disputed rules."""
    return readings_of(setup, Options, "points")


def start(setup: Setup) -> State:
    field = msgspec.convert(setup.scenario, scenarios.Battlefield)
    assert not isinstance(field.scenario, str)
    regiments = []
    characters = []
    rosters = [msgspec.convert(given, Roster) for given in setup.sides]
    for side, roster in enumerate(rosters):
        mine, heroes = army.build(roster, side, setup.without)
        regiments += mine
        characters += heroes
    return State(
        regiments={r.id: r for r in regiments},
        characters={c.id: c for c in characters},
        scenario=field.scenario,
        terrain=field.terrain or (),
        options=options_of(setup),
        factions=(rosters[0].faction, rosters[1].faction),
        secondary=content.secondary((rosters[0].faction, rosters[1].faction)),
        agenda=[Task(step_name(rounds.set_up))],
    )


def hide(state: State, side: int) -> None:
    """The opponent's stack and secondary cards are secret; how many there are is not."""
    for other in (0, 1):
        if other != side:
            state.stacks[other] = ["?"] * len(state.stacks[other])
            state.hands[other] = ["?"] * len(state.hands[other])
            state.decks[other] = []
            state.scored[other] = []


def scramble(state: State, side: int, rng: Rng) -> bool:
    """Order the opponent's stack anew, and his secondary cards."""
    changed = False
    for other in (0, 1):
        if other == side:
            continue
        for held in (state.stacks, state.hands):
            before = held[other]
            if len(set(before)) > 1:
                held[other] = [*before[1:], before[0]]
                changed = held[other] != before or changed
    return changed


def switch(state: State) -> None:
    """Terrain is without the words whose rules are switched off."""
    state.terrain = tuple(
        msgspec.structs.replace(
            piece,
            rules=tuple(word for word in piece.rules if state.applies(f"conquest.terrain.{piece.kind}.{word}")),
        )
        for piece in state.terrain
    )


def tally(state: State) -> Tally:
    """Rounds, and the stands lost as a share of the army, each weighed by its regiment's points."""
    told = (
        (r.side, r.points, 1.0 if r.where == "gone" else min(1.0, len(r.lost) / max(1, r.start)))
        for r in state.regiments.values()
    )
    return Tally(state.round, fallen(told))


GAME = register(
    Game(
        id="conquest",
        names=words("name.conquest.conquest-the-last-argument-of"),
        state=State,
        **content.LIBRARY.set_up(resolve, start),
        **shown(picture),
        hide=hide,
        scramble=scramble,
        **written(scenes, scene_writing),
        roster=Roster,
        book=content.Faction,
        check_roster=army.check_roster,
        price=army.price,
        moment=Moment.of,
        deeds=deeds(),
        asked=ASKED,
        terrain=lambda state: terrain.check_terrain(state.terrain, state.scenario),
        muster=muster,
        guess=guess,
        odds=odds,
        library=picture.library,
        switch=switch,
        tally=tally,
        worth=worth,
        **thinking(planning),
        questions=QUESTIONS,
        sight=sight.told,
        seen_by=sight.seen_by,
        preparing=frozenset(("ask.assign", "ask.secondary")),
        details=frozenset(
            (
                "ask.rear-place",
                "ask.command-place",
                "ask.character-place",
                "ask.restored-place",
                "ask.casualty-end",
                "ask.close-up",
                "ask.clash-order",
            )
        ),
        follows=frozenset(
            (
                "ask.charge",
                "ask.duel",
                "ask.spell",
                "ask.spell-target",
                "ask.supremacy",
                "ask.volley",
            )
        ),
        measuring="conquest.core.measuring.premeasure",
    )
)
