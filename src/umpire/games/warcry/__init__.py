"""Warcry, 2nd edition: single fighters on ruins and platforms, ability dice, reactions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from umpire.engine.game import Game, Setup, register
from umpire.engine.rng import Rng
from umpire.engine.rulings import Ruling
from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.errors import UmpireError
from umpire.games.warcry import abilities, picture, reactions, setup
from umpire.games.warcry.content import library
from umpire.games.warcry.state import Fighter, Player, State
from umpire.games.warcry.terrain import layout
from umpire.games.warcry.warband import Roster, check, muster, read_roster, role_of


def resolve(spec: Setup, rng: Rng) -> Setup:
    """Random legal warbands for what was left out; cards that are not named are drawn in the battle."""
    lib = library()
    while len(spec.sides) < 2:
        spec.sides.append(None)
    if len(spec.sides) > 2:
        raise UmpireError("Warcry is played by two sides", "sides")
    for n, raw in enumerate(spec.sides):
        roster = muster(rng) if raw is None else read_roster(raw, f"sides[{n}]")
        spec.sides[n] = msgspec.to_builtins(roster)
    scenario = setup.scenario_of(spec.scenario, lib)
    if "terrain" not in spec.options:
        by_hand = "terrain" not in scenario and spec.scenario is None and rng.below(12) == 0
        spec.options = {**spec.options, "terrain": "alternative" if by_hand else "card"}
    if spec.options["terrain"] not in ("card", "alternative"):
        raise UmpireError("terrain is 'card' or 'alternative'", "options.terrain")
    spec.scenario = scenario
    return spec


def fighters_of(side: int, roster: Roster) -> list[Fighter]:
    lib = library()
    out = []
    for n, key in enumerate(roster.fighters):
        profile = lib.profiles[key]
        role = role_of(lib, roster.faction, profile) or ""
        out.append(Fighter(f"{'ab'[side]}{n + 1}", side, profile, role=role, leader=n == 0))
    return out


def start(spec: Setup) -> State:
    rosters = [msgspec.convert(raw, Roster) for raw in spec.sides]
    state = State(
        layout=layout([], {}),
        fighters=[f for side, roster in enumerate(rosters) for f in fighters_of(side, roster)],
        players=[Player(roster.faction, city=roster.city) for roster in rosters],
    )
    alternative = spec.options.get("terrain") == "alternative"
    tasks = [
        Task(step_name(setup.mustered), (spec.sides,)),
        Task(step_name(setup.roles), ()),
        Task(step_name(setup.battleplan_step), (spec.scenario or {}, alternative)),
    ]
    state.agenda = tasks[::-1]
    return state


def check_roster(raw: Any) -> Ruling:
    roster = raw if isinstance(raw, Roster) else msgspec.convert(raw, Roster)
    return check(roster)


def name(state: Any, key: str) -> Mapping[str, str] | None:
    """The names of fighters, abilities, cards, factions and terrain."""
    return picture.name(state, key)


GAME = register(
    Game(
        id="warcry",
        names={"zh": "战吼", "en": "Warcry"},
        state=State,
        resolve=resolve,
        start=start,
        picture=picture.picture,
        name=name,
        roster=Roster,
        check_roster=check_roster,
        muster=muster,
    )
)
_ = (abilities, reactions)
