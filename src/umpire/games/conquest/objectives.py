"""Objective zones, scoring, secondary objectives and who has won (chapter 12)."""

from __future__ import annotations

from typing import Any, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Option
from umpire.engine.events import Outcome
from umpire.engine.steps import Steps, step
from umpire.space.measure import inside, separation
from umpire.space.ranks import fronts
from umpire.space.shapes import TOLERANCE, circle_about

from . import formation, ranked
from .hooks import has_rule, moment_of
from .profiles import CardEntry, Zone
from .state import Regiment, Stand, State
from .terrain import zone_base

DRAWN = 5
KEPT = 3
MONSTER = 3


# -- who controls what ---------------------------------------------------------------------------------------------


class Presence(NamedTuple):
    """Stands of one side in a zone: all, those that can seize, and whether an Unyielding regiment is among them."""

    stands: int = 0
    seizing: int = 0
    unyielding: bool = False
    rules: tuple[str, ...] = ()


def stands_in_zone(state: State, regiment: Regiment, zone: Zone) -> list[Stand]:
    """Its stands that are in the zone: at least partly, or wholly if the table reads it so."""
    if regiment.where != "table":
        return []
    x, y, radius = circle_about(zone.points) if zone.points else (zone.x, zone.y, zone.radius)
    room = radius + ranked.reach_of(regiment)
    if (regiment.x - x) ** 2 + (regiment.y - y) ** 2 > room * room:
        return []
    thing = zone_base(zone)
    if fronts.gap(ranked.blocks(regiment), (thing,)) > TOLERANCE:
        return []
    if state.options.zone_stands == "wholly":
        return [s for s in regiment.stands if inside(formation.stand_base(regiment, s), thing)]
    return [s for s in regiment.stands if separation(formation.stand_base(regiment, s), thing) < 0]


def presence(state: State, zone: Zone, side: int, claims: dict[str, str]) -> Presence:
    """What counts for a side in a zone; `claims` says for which zone a regiment counts this round."""
    total = seizing = 0
    unyielding = False
    rules: list[str] = []
    for regiment in state.on_table(side):
        if claims.get(regiment.id, zone.id) != zone.id:
            continue
        held = stands_in_zone(state, regiment, zone)
        if not held:
            continue
        if regiment.broken and state.applies("conquest.morale.broken.objective-ignored"):
            rules.append("conquest.morale.broken.objective-ignored")
            continue
        unyielding = unyielding or has_rule(state, regiment, "unyielding")
        for stand in held:
            profile = regiment.profile
            if stand.character:
                character = state.characters[stand.character]
                profile = character.profile
                unyielding = unyielding or has_rule(state, character, "unyielding")
            large = profile.type == "monster" and state.applies("conquest.battle.zone.monster")
            worth = MONSTER if large else 1
            if worth > 1:
                rules.append("conquest.battle.zone.monster")
            total += worth
            if profile.klass != "light":
                seizing += worth
    return Presence(total, seizing, unyielding, tuple(dict.fromkeys(rules)))


def controller(state: State, zone: Zone, claims: dict[str, str]) -> tuple[int | None, tuple[str, ...]]:
    """The side that controls a zone, if one does, and the rules that say so."""
    sides = [presence(state, zone, side, claims) for side in (0, 1)]
    rules = ["conquest.battle.zone.count", *sides[0].rules, *sides[1].rules]
    if sides[0].stands == sides[1].stands:
        return None, tuple(dict.fromkeys(rules))
    best = 0 if sides[0].stands > sides[1].stands else 1
    mine, theirs = sides[best], sides[1 - best]
    if mine.stands > mine.seizing or theirs.stands > theirs.seizing:
        rules.append("conquest.battle.zone.light")
    ranked = state.applies("conquest.battle.zone.class")
    if ranked and not mine.seizing:
        return None, tuple(dict.fromkeys([*rules, "conquest.battle.zone.class"]))
    if ranked and state.options.zone_control == "most-medium-heavy" and mine.seizing <= theirs.seizing:
        return None, tuple(dict.fromkeys([*rules, "conquest.battle.zone.class"]))
    if theirs.unyielding:
        return None, tuple(dict.fromkeys([*rules, "conquest.rule.unyielding"]))
    return best, tuple(dict.fromkeys(rules))


def claim(battle: Battle[State], zones: list[Zone]) -> Steps[dict[str, str]]:
    """A regiment in several zones counts for one, chosen by its owner; sides in turn, the first player first."""
    state = battle.state
    claims: dict[str, str] = {}
    open_to: list[list[tuple[Regiment, list[str]]]] = [[], []]
    for regiment in state.on_table():
        held = [z.id for z in zones if stands_in_zone(state, regiment, z)]
        if len(held) > 1 and not regiment.broken:
            open_to[regiment.side].append((regiment, held))
    turn = state.first
    while state.applies("conquest.battle.zone.one-per-regiment") and (open_to[0] or open_to[1]):
        if open_to[turn]:
            regiment, held = open_to[turn].pop(0)
            rule = "conquest.battle.zone.one-per-regiment"
            choice = yield Choose(turn, "ask.zone", [Option(z, refs=(z,)) for z in held], rule, regiment.id)
            claims[regiment.id] = choice
            battle.emit("claimed", rule, regiment=regiment.id, zone=choice)
        turn = 1 - turn
    return claims


# -- scoring -------------------------------------------------------------------------------------------------------


def tally(state: State, side: int, what: str, amount: int = 1) -> None:
    """Note something that scores for a side this round."""
    key = f"{side}/{what}"
    state.tallies[key] = state.tallies.get(key, 0) + amount


def counted(state: State, side: int, what: str) -> int:
    return state.tallies.get(f"{side}/{what}", 0)


def score_round(battle: Battle[State]) -> Steps[None]:
    """The Victory Phase's points: zones, kills, the enemy Warlord; then secondary objectives are noted."""
    state = battle.state
    scenario = state.scenario
    zones = [z for z in scenario.zones if state.round >= z.first_round]
    claims = yield from claim(battle, zones)
    held = [0, 0]
    gained = [0, 0]
    for zone in zones:
        side, rules = controller(state, zone, claims)
        if side is not None:
            held[side] += 1
            gained[side] += zone.worth[side]
        player = "side.none" if side is None else f"side.{side}"
        battle.emit("zone", *rules, zone=zone.id, side=side, player=player)
    for side in (0, 1):
        gained[side] += scenario.kills * counted(state, side, "destroyed")
        gained[side] += scenario.warlord * counted(state, side, "warlord")
        state.score[side] += gained[side]
    battle.emit(
        "scored",
        "conquest.battle.scoring",
        "conquest.battle.trackers",
        "conquest.battle.scenario-missing",
        gained=gained,
        score=list(state.score),
        rounds_left=scenario.rounds - state.round,
    )
    for side in (0, 1):
        note_secondary(battle, side, held)
    state.tallies = {}


@moment_of("removed")
def removed(battle: Battle[State], regiment: Regiment, **facts: Any) -> None:
    tally(battle.state, 1 - regiment.side, "destroyed")


@moment_of("broken")
def broken(battle: Battle[State], regiment: Regiment, **facts: Any) -> None:
    tally(battle.state, 1 - regiment.side, "broken")


# -- secondary objectives ------------------------------------------------------------------------------------------


def secondary_used(state: State) -> bool:
    """Off unless the table or the scenario says otherwise (conquest.battle.secondary.optional)."""
    wish = state.options.secondary_objectives
    return wish == "on" or (wish == "scenario" and state.scenario.secondary)


@step
def deal_secondary(battle: Battle[State]) -> None:
    """Each player shuffles the deck of his faction and draws 5 cards."""
    state = battle.state
    if not secondary_used(state) or not all(state.secondary):
        return
    for side in (0, 1):
        deck = [card.id for card in state.secondary[side] for _ in range(card.copies)]
        for i in range(len(deck) - 1, 0, -1):
            j = battle.random(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        state.hands[side] = deck[:DRAWN]


@moment_of("set-up")
def draw_secondary(battle: Battle[State], regiment: Regiment | None, **facts: Any) -> Steps[None]:
    """Of the cards that were dealt each player discards 2, in secret and at the same time."""
    state = battle.state
    hands = [list(hand) for hand in state.hands]
    if not secondary_used(state) or not all(hands):
        return
    asks = [
        ChooseSeveral(
            side,
            "ask.secondary",
            [
                Option(f"{i}:{card.id}", card.name, data={"text": card.text})
                for i, card in enumerate(state.card(side, key) for key in hand)
            ],
            DRAWN - KEPT,
            DRAWN - KEPT,
            "conquest.battle.secondary.draw",
        )
        for side, hand in enumerate(hands)
    ]
    answers = yield asks
    for side, hand in enumerate(hands):
        dropped = [int(key.split(":")[0]) for key in answers[side]]
        state.hands[side] = [card for i, card in enumerate(hand) if i not in dropped]
        battle.emit(
            "secondary-drawn",
            "conquest.battle.secondary.draw",
            "conquest.battle.secondary.deck",
            "conquest.battle.secondary.optional",
            seen=(side,),
            side=side,
            cards=[state.card(side, card).name for card in state.hands[side]],
        )
    battle.emit("secondary-hidden", "conquest.battle.secondary.hidden", "conquest.battle.open-information")


def fulfilled(state: State, side: int, card: CardEntry, held: list[int]) -> bool:
    """Is the condition of a card met this round?"""
    match card.when:
        case "destroyed" | "broken" | "cast" | "duel":
            return counted(state, side, card.when) >= card.least
        case "zones":
            return held[side] >= card.least
        case "deny":
            return held[1 - side] == 0
        case _:
            return sum(not r.broken and beyond_middle(state, r) for r in state.on_table(side)) >= card.least


def beyond_middle(state: State, regiment: Regiment) -> bool:
    """Does it stand wholly in the enemy's half?"""
    edge = state.scenario.edges[regiment.side]
    x, y = ranked.centre(regiment)
    width, depth = state.scenario.width, state.scenario.depth
    return {"south": y > depth / 2, "north": y < depth / 2, "west": x > width / 2, "east": x < width / 2}[edge]


def note_secondary(battle: Battle[State], side: int, held: list[int]) -> None:
    """The player notes which cards he has fulfilled, each kind once a round; the opponent does not see it."""
    state = battle.state
    if not state.secondary[side]:
        return
    left = list(state.hands[side])
    for done in state.scored[side]:
        left.remove(done.split("@")[0])
    for card in dict.fromkeys(left):
        if fulfilled(state, side, state.card(side, card), held):
            state.scored[side].append(f"{card}@{state.round}")
            battle.emit(
                "secondary-done",
                "conquest.battle.secondary.score",
                seen=(side,),
                side=side,
                card=card,
                round=state.round,
            )


def open_secondary(battle: Battle[State]) -> None:
    """At the end the cards are shown and their points added."""
    state = battle.state
    for side in (0, 1):
        done = [state.card(side, note.split("@")[0]) for note in state.scored[side]] if state.secondary[side] else []
        points = sum(card.points for card in done)
        if state.hands[side]:
            battle.reveal()
            state.score[side] += points
            battle.emit(
                "secondary-scored",
                "conquest.battle.secondary.score",
                side=side,
                player=f"side.{side}",
                cards=[card.name for card in done],
                points=points,
            )


# -- who has won ---------------------------------------------------------------------------------------------------


def decided(battle: Battle[State]) -> Outcome | None:
    """The outcome in a Victory Phase, if the battle is over (conquest.battle.victory.*)."""
    state = battle.state
    alive = [bool(state.of(side)) for side in (0, 1)]
    over = state.round >= state.scenario.rounds
    enough = state.scenario.victory
    reached = [enough > 0 and state.score[side] >= enough for side in (0, 1)]
    if all(alive) and not over and not any(reached):
        return None
    open_secondary(battle)
    score = (float(state.score[0]), float(state.score[1]))
    if not all(alive):
        winner = None if not any(alive) else int(alive[1])
        return Outcome(winner, score, ("conquest.battle.victory.elimination",))
    best = None if score[0] == score[1] else int(score[1] > score[0])
    return Outcome(best, score, ("conquest.battle.victory.points",))
