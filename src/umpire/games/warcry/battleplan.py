"""The battleplan in play: what victory condition and twist prepare, what they do each round, scoring and the end."""

from __future__ import annotations

import math
from functools import lru_cache

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, Order
from umpire.engine.effects import Effect
from umpire.engine.events import Outcome
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.warcry import damage, rounds
from umpire.games.warcry.cards import (
    Points,
    Score,
    ScoreCarried,
    ScoreFelled,
    ScoreHeights,
    ScoreHome,
    ScoreLeader,
    ScoreMostObjectives,
    ScoreObjectives,
    ScoreQuarters,
    ScoreSurvivors,
    ScoreTally,
    ScoreTerritory,
    TwistChange,
    TwistForbid,
    TwistHeal,
    TwistOmen,
    TwistQuake,
    TwistStorm,
    TwistUnderdog,
    TwistWildDice,
)
from umpire.games.warcry.dice import amount, give_wild, orderer, roll_d66
from umpire.games.warcry.objectives import control, free_spot
from umpire.games.warcry.placing import Zone, points_of
from umpire.games.warcry.profiles import GROUPS
from umpire.games.warcry.state import Fighter, Objective, State, Treasure, seat
from umpire.games.warcry.terrain import FLOOR
from umpire.rulebook.deciding import decides


@decides("warcry.objective.other-tokens")
@step
def victory_step(battle: Battle[State]) -> None:
    """Objectives and treasure are put down after deployment."""
    state = battle.state
    card, deployment = state.victory, state.deployment
    assert card is not None
    assert deployment is not None
    rules = ["warcry.setup.victory-step"]
    spots = deployment.objectives if card.objectives == "map" else card.objectives
    for n, (x, y) in enumerate(spots):
        if state.turned:
            x, y = state.layout.width - x, state.layout.depth - y
        x, y, z = free_spot(state, x, y)
        state.objectives.append(Objective(f"o{n}", x, y, z, awake=not card.awaken or n == 0))
    for n, (x, y) in enumerate(card.treasure):
        x, y, z = free_spot(state, x, y, floor=True)
        state.treasures.append(Treasure(f"g{n}", card.treasure_kind, x, y, z))
    if state.objectives or state.treasures:
        rules.append("warcry.objective.markers")
    if card.id == "ley-lines":
        rules.append("warcry.battleplan.ley-lines.setup")
    if state.treasures:
        rules.append("warcry.core.battlefield-floor")
    battle.emit("victory-step", *rules, card=card.id, objectives=len(state.objectives), treasures=len(state.treasures))


@step
def twist_step(battle: Battle[State]) -> None:
    """What the twist changes for the whole battle is put in force."""
    state = battle.state
    assert state.twist is not None
    for entry in state.twist.effect:
        if isinstance(entry, TwistChange | TwistForbid):
            for fighter in state.fighters:
                if all(fighter.profile.has(mark) for mark in entry.runemarks):
                    _twist(state, fighter, entry)
    battle.emit("twist-step", "warcry.setup.twist-step", "warcry.setup.sequence", card=state.twist.id)


def _twist(state: State, fighter: Fighter, entry: TwistChange | TwistForbid) -> None:
    assert state.twist is not None
    source = state.twist.id
    if isinstance(entry, TwistForbid):
        effects.add(state, Effect(fighter.id, entry.what, "forbid", 0, "warcry.setup.twist-step", source))
        return
    what = f"{entry.what}.{entry.attack}" if entry.attack else entry.what
    effects.add(state, Effect(fighter.id, what, "add", entry.by, "warcry.setup.twist-step", source))
    if entry.least is not None:
        effects.add(state, Effect(fighter.id, what, "minimum", entry.least, "warcry.setup.twist-step", source))


@step
def begin(battle: Battle[State]) -> None:
    """The set-up is over: the first battle round."""
    battle.emit("begin", "warcry.core.battle", "warcry.core.friendly-enemy")
    battle.push(rounds.start_round)


def wild_bonus(state: State) -> int:
    """Wild dice that the twist adds in this round."""
    if state.twist is None:
        return 0
    return sum(
        entry.by
        for entry in state.twist.effect
        if isinstance(entry, TwistWildDice) and (state.round == 1 or not entry.first_only)
    )


# -- start of the combat phase -----------------------------------------------------------------------------------


@step
def awaken(battle: Battle[State]) -> Steps[None]:
    """The player without the initiative may awaken one dormant objective (warcry.battleplan.ley-lines.awaken)."""
    state = battle.state
    dormant = [o for o in state.objectives if not o.awake]
    if not dormant:
        return
    options = [Option(o.id, refs=(o.id,)) for o in dormant] + [Option("pass")]
    rule = "warcry.battleplan.ley-lines.awaken"
    awake = [Reason(rule, "reason.warcry.awake")]
    refused = {o.id: awake for o in state.objectives if o.awake}
    key = yield Choose(1 - state.initiative, "ask.awaken", options, rule, refuse=refused)
    if key != "pass":
        next(o for o in dormant if o.id == key).awake = True
        battle.emit("awakened", rule, side=1 - state.initiative, player=seat(1 - state.initiative), objective=key)


@step
def twist_strikes(battle: Battle[State]) -> Steps[None]:
    """What the twist does at the start of every combat phase."""
    from umpire.games.warcry.falling import fall_test, on_open_edge

    state = battle.state
    if state.twist is None:
        return
    for entry in state.twist.effect:
        if isinstance(entry, TwistStorm):
            for fighter in list(state.on_field()):
                on_floor = state.ground.surface(fighter.x, fighter.y, fighter.z) == FLOOR
                if entry.on != "all" and (entry.on == "floor") != on_floor:
                    continue
                roll = battle.roll(
                    1, "storm", "warcry.setup.twist-step", side=fighter.side, who=fighter.id, need=entry.need
                )
                if roll.faces[0] >= entry.need:
                    points = amount(battle, entry.by, 0, "damage", fighter.side, fighter.id)
                    yield from damage.deal(battle, fighter.id, points, -1)
        elif isinstance(entry, TwistHeal):
            for fighter in state.on_field():
                damage.heal(battle, fighter, entry.by, "warcry.setup.twist-step")
        elif isinstance(entry, TwistOmen):
            for side in (0, 1):
                if roll_d66(battle, "omen", side) >= entry.need:
                    give_wild(battle, side, entry.by, "warcry.setup.twist-step")
        elif isinstance(entry, TwistUnderdog):
            here = [sum(1 for _ in state.on_field(side)) for side in (0, 1)]
            if here[0] != here[1]:
                give_wild(battle, int(here[1] < here[0]), entry.by, "warcry.setup.twist-step")
        elif isinstance(entry, TwistQuake):
            shaken = [fighter.id for fighter in state.on_field() if on_open_edge(state, fighter)]
            if len(shaken) > 1:
                rule = "warcry.core.sequencing"
                side = orderer(battle, "order")
                shaken = yield Order(side, "ask.order-shaken", [Option(key, refs=(key,)) for key in shaken], rule)
                battle.emit("ordered", rule, first=shaken[0])
            for key in shaken:
                fighter = state.fighter(key)
                if fighter.where == "field" and on_open_edge(state, fighter):
                    yield from fall_test(battle, key, -1, "warcry.setup.twist-step")


# -- end of a round ----------------------------------------------------------------------------------------------


@step
def end_round(battle: Battle[State]) -> None:
    """Control of objectives, then scoring, then the next round or the end."""
    state = battle.state
    state.phase = "end"
    control(battle)
    assert state.victory is not None
    card = state.victory
    last = state.round >= card.rounds
    for entry in card.score:
        if entry.when == "round" or last:
            gained = score(state, entry)
            rules = []
            if card.id == "ley-lines":
                rules.append("warcry.battleplan.ley-lines.score")
            elif card.id == "reaper":
                rules.append("warcry.battleplan.reaper.score")
            for side in (0, 1):
                state.players[side].points += gained[side]
            battle.emit(
                "scored", "warcry.setup.victory-step", *rules, gained=gained, tally=[p.tally for p in state.players]
            )
    effects.end(state, "round")
    if last:
        points = tuple(float(player.points) for player in state.players)
        winner = None if points[0] == points[1] else int(points[1] > points[0])
        rules = ["warcry.combat.battle-end", "warcry.core.battle"]
        if card.id == "ley-lines":
            rules.append("warcry.battleplan.ley-lines.end")
        elif card.id == "reaper":
            rules.append("warcry.battleplan.reaper.end")
        battle.finish(Outcome(winner, points, tuple(rules)))
        return
    battle.push(rounds.start_round)


def _more(points: int, counts: tuple[float, float]) -> tuple[int, int]:
    """Points for the player who has more; nobody gets them when they are equal."""
    a, b = counts
    return (points if a > b else 0, points if b > a else 0)


def score(state: State, entry: Score) -> tuple[int, int]:
    """The victory points that one line of the victory condition gives now."""
    match entry:
        case ScoreObjectives():
            held = [o for o in state.objectives if o.awake or not entry.awake]
            return (entry.each * sum(o.owner == 0 for o in held), entry.each * sum(o.owner == 1 for o in held))
        case ScoreMostObjectives():
            owned = [sum(o.owner == side for o in state.objectives) for side in (0, 1)]
            return _more(entry.points, (owned[0], owned[1]))
        case ScoreTally():
            return _more(entry.points, (state.players[0].tally, state.players[1].tally))
        case ScoreCarried():
            carried = [sum(bool(f.carrying) for f in state.on_field(side)) for side in (0, 1)]
            return entry.each * carried[0], entry.each * carried[1]
        case ScoreTerritory():
            inside = [sum(_in_half_of(state, f, 1 - side) for f in state.on_field(side)) for side in (0, 1)]
            return entry.each * inside[0], entry.each * inside[1]
        case ScoreLeader():
            down = [any(f.leader and f.where == "down" for f in state.fighters if f.side == 1 - s) for s in (0, 1)]
            return entry.points * down[0], entry.points * down[1]
        case ScoreFelled():
            felled = [
                sum(
                    f.where == "down"
                    and (entry.when == "end" or f.felled_in == state.round)
                    and all(f.profile.has(mark) for mark in entry.runemarks)
                    for f in state.fighters
                    if f.side == 1 - side
                )
                for side in (0, 1)
            ]
            return entry.each * felled[0], entry.each * felled[1]
        case ScoreHeights():
            high = [sum(f.z > 0.001 for f in state.on_field(side)) for side in (0, 1)]
            return _more(entry.points, (high[0], high[1]))
        case ScoreQuarters():
            lead = quarter_leads(state)
            return entry.each * sum(n > 0 for n in lead), entry.each * sum(n < 0 for n in lead)
        case ScoreSurvivors():
            left = [sum(f.profile.points for f in state.on_field(side)) for side in (0, 1)]
            return _more(entry.points, (left[0], left[1]))
        case ScoreHome():
            safe = [
                sum(bool(f.carrying) and _in_half_of(state, f, side) for f in state.on_field(side)) for side in (0, 1)
            ]
            return entry.each * safe[0], entry.each * safe[1]


def quarter_of(state: State, fighter: Fighter) -> int:
    """The quarter of the battlefield in which a fighter's middle is: right of the centre adds 1, beyond it 2."""
    return (fighter.x >= state.layout.width / 2) + 2 * (fighter.y >= state.layout.depth / 2)


def quarter_leads(state: State) -> list[int]:
    """How many more fighters than side 1 side 0 has in each quarter."""
    lead = [0, 0, 0, 0]
    for fighter in state.on_field():
        lead[quarter_of(state, fighter)] += 1 if fighter.side == 0 else -1
    return lead


def _in_half_of(state: State, fighter: Fighter, side: int) -> bool:
    """Wholly in a side's half."""
    return place_in_half(state, fighter, side) == (fighter.x, fighter.y)


def place_in_half(state: State, fighter: Fighter, side: int) -> tuple[float, float]:
    """The nearest place where a fighter is wholly in a side's half: the battlefield is cut across that way in which the
    camps of the two sides lie farther apart."""
    (x, y), (other_x, other_y) = _camp(state, side), _camp(state, 1 - side)
    radius = fighter.profile.base / 50.8
    if abs(x - other_x) >= abs(y - other_y):
        return _beyond(fighter.x, state.layout.width / 2, radius, x > other_x), fighter.y
    return fighter.x, _beyond(fighter.y, state.layout.depth / 2, radius, y > other_y)


def _beyond(at: float, middle: float, radius: float, high: bool) -> float:
    """The nearest place to `at` that is a radius beyond the middle."""
    return max(at, middle + radius) if high else min(at, middle - radius)


def _camp(state: State, side: int) -> tuple[float, float]:
    """The middle of a side's deployment points and lines."""
    return _middle(points_of(state, side), state.turned, state.layout.width, state.layout.depth)


@lru_cache(64)
def _middle(points: Points, turned: bool, width: float, depth: float) -> tuple[float, float]:
    lines = [Zone(points.of(group), turned, width, depth).line for group in GROUPS]
    return math.fsum(line[0] + line[2] for line in lines) / 6, math.fsum(line[1] + line[3] for line in lines) / 6
