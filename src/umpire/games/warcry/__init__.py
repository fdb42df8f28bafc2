"""Warcry, 2nd edition: single fighters on ruins and platforms, ability dice, reactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from umpire.engine.declaring import shown, thinking, written
from umpire.engine.game import Game, Setup, Tally, register
from umpire.engine.rng import Rng
from umpire.engine.rulings import Ruling
from umpire.engine.state import Task
from umpire.engine.steps import step_name
from umpire.errors import unknown
from umpire.games.warcry import abilities, picture, planning, scene_writing, scenes, setup, sight
from umpire.games.warcry.content import BOOKS, Library, library
from umpire.games.warcry.odds import odds
from umpire.games.warcry.profiles import DECKS, Faction
from umpire.games.warcry.questions import QUESTIONS
from umpire.games.warcry.setup import against_layout
from umpire.games.warcry.state import Fighter, Player, State
from umpire.games.warcry.terrain import layout
from umpire.games.warcry.warband import Roster, check, muster, price, role_of
from umpire.games.warcry.wishes import ASKED, DEEDS, moment_of
from umpire.games.warcry.worth import worth
from umpire.miniatures.menus import enlist, reads
from umpire.miniatures.worth import fallen
from umpire.text import both, words


def resolve(spec: Setup, rng: Rng) -> Setup:
    """Random legal warbands for what was left out; cards that are not named are drawn in the battle."""
    lib = library()

    enlist(spec, lib.factions, lambda faction: muster(rng, faction), reads(Roster), check_roster)
    named = setup.scenario_of(spec.scenario, lib)
    for deck, card in spec.options.items():
        if deck not in DECKS:
            raise unknown("option", deck, "options", DECKS)
        if card not in ("random", "by-hand"):
            named = {**named, **setup.scenario_of({deck: card}, lib)}
    # Now and then a random battle has terrain that a player places (warcry.setup.terrain-alternative).
    if "terrain" not in spec.options and "terrain" not in named and spec.scenario is None and rng.below(12) == 0:
        spec.options = {**spec.options, "terrain": "by-hand"}
    spec.scenario = named
    return spec


def fighters_of(side: int, roster: Roster) -> list[Fighter]:
    lib = library()
    out = []
    for n, key in enumerate(roster.fighters):
        profile = lib.profiles[key]
        role = role_of(lib, roster.faction, profile) or ""
        own, answers = abilities.of_faction(profile, lib)
        out.append(
            Fighter(f"{'ab'[side]}{n + 1}", side, profile, role=role, leader=n == 0, abilities=own, answers=answers)
        )
    return out


def start(spec: Setup) -> State:
    rosters = [msgspec.convert(raw, Roster) for raw in spec.sides]
    state = State(
        layout=layout([], {}),
        fighters=[f for side, roster in enumerate(rosters) for f in fighters_of(side, roster)],
        players=[Player(r.faction, library().factions[r.faction].name, city=r.city) for r in rosters],
    )
    state.monsters = any(f.monster for f in state.fighters)
    alternative = spec.options.get("terrain") == "by-hand"
    tasks = [
        Task(step_name(setup.mustered), (spec.sides,)),
        Task(step_name(setup.roles), ()),
        Task(step_name(setup.battleplan_step), (spec.scenario or {}, alternative)),
    ]
    state.agenda = tasks[::-1]
    return state


def books_of(side: dict[str, Any]) -> list[str]:
    """The books that a warband is written by: its own, and those of its allies, thralls and monster."""
    lib = library()
    found = [side["faction"], *(lib.profiles[key].faction for key in side["fighters"])]
    return [key for key in found if key in lib.factions]


def switch(state: State) -> None:
    """Without their own rule, thralls have the abilities of the warband that they serve."""
    if not state.applies("warcry.thrall.abilities"):
        lib = library()
        for fighter in state.fighters:
            if fighter.role == "thrall":
                profile = msgspec.structs.replace(fighter.profile, faction=state.players[fighter.side].faction)
                fighter.abilities, _ = abilities.of_faction(profile, lib)


def check_roster(raw: Any, without: Sequence[str] = ()) -> Ruling:
    roster = raw if isinstance(raw, Roster) else msgspec.convert(raw, Roster)
    return check(roster, without=without)


def menus() -> Mapping[str, Any]:
    """Ready warbands of every faction, the victory conditions, and the options of a battle."""
    lib = library()
    armies = [
        {
            "id": band.id,
            "name": band.name,
            "faction": key,
            "points": sum(lib.profiles[f].points for f in band.fighters),
            "roster": msgspec.to_builtins(Roster(key, list(band.fighters))),
        }
        for key, faction in lib.factions.items()
        for band in faction.warbands
    ]
    armies += [_first_four(lib, faction) for faction in FIRST]
    decks = [
        {
            "id": deck,
            "values": [
                *({"id": way, "name": both(f"menu.warcry.{way}", "warcry")} for way in ways),
                *({"id": key, "name": card.name} for key, card in sorted(lib.deck(deck).items())),
            ],
            "default": "random",
            "name": both(f"menu.warcry.{deck}", "warcry"),
        }
        for deck, ways in (("terrain", ("random", "by-hand")), ("deployment", ("random",)), ("twist", ("random",)))
    ]
    return {
        "armies": armies,
        "scenarios": [{"id": card.id, "name": card.name, "text": card.text} for card in lib.victory.values()],
        "options": decks,
        "first": {
            "armies": [f"{faction}-first" for faction in FIRST],
            "options": {},
            "tries": ("ask.move", "ask.act:attack", "ask.pay"),
        },
    }


FIRST = ("lantern-wardens", "cinder-kin")
"""Who meets in a first battle, four fighters a side."""


def _first_four(lib: Library, key: str) -> dict[str, Any]:
    faction = lib.factions[key]
    fighters = list(faction.warbands[0].fighters[:4])
    return {
        "id": f"{key}-first",
        "name": words("menu.warcry.first", faction=faction.name),
        "faction": key,
        "points": sum(lib.profiles[f].points for f in fighters),
        "roster": msgspec.to_builtins(Roster(key, fighters)),
    }


def tally(state: State) -> Tally:
    """Rounds, and the points of the fighters taken down as a share of the warband."""
    return Tally(state.round, fallen((f.side, f.profile.points, f.where == "down") for f in state.fighters))


GAME = register(
    Game(
        id="warcry",
        names=words("name.warcry.warcry"),
        state=State,
        **BOOKS.set_up(resolve, start, books_of),
        switch=switch,
        **shown(picture),
        roster=Roster,
        book=Faction,
        check_roster=check_roster,
        price=price,
        deeds=DEEDS,
        asked=ASKED,
        moment=moment_of,
        terrain=lambda state: against_layout(state.layout),
        muster=muster,
        **written(scenes, scene_writing),
        odds=odds,
        worth=worth,
        tally=tally,
        library=menus,
        **thinking(planning),
        questions=QUESTIONS,
        sight=sight.between,
        seen_by=sight.seen_by,
        details=frozenset(("ask.order-fallen", "ask.order-hurt", "ask.order-shaken")),
        follows=frozenset(("ask.awaken", "ask.pay", "ask.pick")),
        measuring="warcry.core.premeasure",
        preparing=setup.PREPARING,
    )
)
