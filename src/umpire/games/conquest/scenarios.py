"""Scenarios: battlefields with reinforcement edges, zones and scoring, as data (conquest.battle.scenario-missing)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from umpire import files
from umpire.engine.rng import Rng
from umpire.engine.rulings import ruled
from umpire.errors import fault, unknown
from umpire.miniatures.books import content
from umpire.miniatures.menus import illegal

from .profiles import Scenario, Terrain
from .terrain import check_terrain, lay_terrain


class Battlefield(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a battle is fought on: a scenario, by its id or spelt out, and terrain (left out: laid at random)."""

    scenario: str | Scenario = ""
    terrain: tuple[Terrain, ...] | None = None


@cache
def scenarios() -> dict[str, Scenario]:
    """The scenarios that come with the program."""
    source = content("conquest", "scenarios.yaml")
    found = source.convert(list[Scenario])
    with source.locating():
        for number, scenario in enumerate(found):
            check_scenario(scenario, f"[{number}]")
    return {scenario.id: scenario for scenario in found}


def check_scenario(scenario: Scenario, where: str = "scenario") -> None:
    """A battle cannot start without table, edges, objectives, rounds and scoring."""
    scores = scenario.zones or scenario.kills or scenario.warlord
    whole = scenario.width > 0 and scenario.depth > 0 and scenario.rounds > 0 and scores
    if not whole or len(set(scenario.edges)) < 2:
        raise fault("error.conquest.scenario", where)


def resolve_battlefield(given: Any, rng: Rng, without: Sequence[str] = ()) -> Battlefield:
    """Fill in what a set-up leaves out: the scenario, then its terrain; and check what it gives."""
    if given is None or isinstance(given, str):
        field = Battlefield(scenario=given or "")
    else:
        field = files.convert(given, Battlefield, "scenario")
    if isinstance(field.scenario, str):
        name = field.scenario or rng.choice(list(scenarios()))
        if name not in scenarios():
            raise unknown("scenario", name, "scenario", scenarios())
        field.scenario = scenarios()[name]
    check_scenario(field.scenario)
    if field.terrain is None:
        field.terrain = lay_terrain(rng, field.scenario)
    reasons = check_terrain(field.terrain, field.scenario, without)
    if reasons:
        raise illegal(ruled(reasons), "conquest", "scenario.terrain", "error.terrain.illegal")
    return field
