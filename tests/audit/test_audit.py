"""The auditor agrees with honest battles, and finds faults that are put into them on purpose."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from umpire.audit import CHECKS, Frame, audit
from umpire.auditing import audit_random, played_at_random
from umpire.engine.beginning import battle

Fault = Callable[[list[Frame]], bool]


@pytest.mark.parametrize("game", list(CHECKS))
def test_honest_battles_are_found_honest(game: str) -> None:
    """`umpire audit` and bench/audit.py read many more."""
    assert audit_random(game, 1) == []


def seen(game: str, seed: int) -> list[Frame]:
    return list(played_at_random(battle(game, seed=seed), seed))


def first(frames: list[Frame], kind: str, purpose: str = "") -> dict[str, Any] | None:
    """The first event of a kind, or the first roll for a purpose with at least two dice."""
    for frame in frames:
        for event in frame.events:
            roll = event.get("roll")
            if purpose and roll and roll["purpose"] == purpose and event["kind"] == kind and len(roll["faces"]) > 1:
                return event
            if not purpose and event["kind"] == kind:
                return event
    return None


def bump(kind: str, fact: str, by: float = 1) -> Fault:
    """A number that is told is another than came out."""

    def fault(frames: list[Frame]) -> bool:
        event = first(frames, kind)
        if event is None:
            return False
        if isinstance(event["facts"][fact], list):
            event["facts"][fact][0] += by or 1
        else:
            event["facts"][fact] += by
        return True

    return fault


def bump_all(kind: str, fact: str, by: float = 1) -> Fault:
    """The same, whenever it is told."""

    def fault(frames: list[Frame]) -> bool:
        told = [event for frame in frames for event in frame.events if event["kind"] == kind]
        for event in told:
            event["facts"][fact] += by
        return bool(told)

    return fault


def face(purpose: str, value: int) -> Fault:
    """All dice of a roll show this, where that makes more or fewer successes."""

    def made(roll: dict[str, Any], faces: list[int]) -> int:
        need = roll.get("need", 0)
        return sum(1 for f in faces if (f >= need if need > 0 else f <= -need))

    def fault(frames: list[Frame]) -> bool:
        for frame in frames:
            for event in frame.events:
                roll = event.get("roll")
                if not roll or roll["purpose"] != purpose or event["kind"] != "roll" or len(roll["faces"]) < 2:
                    continue
                new = [value] * len(roll["faces"])
                if value > 6 or not roll.get("need") or made(roll, new) != made(roll, roll["faces"]):
                    roll["faces"] = new
                    return True
        return False

    return fault


def shove(kind: str, key: str, by: float) -> Fault:
    """The pieces of a unit that moved are drawn further on than they went."""

    def fault(frames: list[Frame]) -> bool:
        for frame in frames:
            for event in frame.events:
                if event["kind"] == kind:
                    own = [p for p in frame.picture["pieces"] if p["unit"] == event["facts"][key]]
                    for piece in own:
                        piece["x"] += by if piece["x"] < frame.picture["width"] / 2 else -by
                    if own:
                        return True
        return False

    return fault


def pulled(frames: list[Frame]) -> bool:
    """Whoever has charged is drawn away from whom it charged."""
    done = False
    for frame in frames:
        for event in frame.events:
            if event["kind"] == "charged":
                for piece in frame.picture["pieces"]:
                    if piece["unit"] == event["facts"]["unit"]:
                        piece["x"] += 3 if piece["x"] < frame.picture["width"] / 2 else -3
                        done = True
    return done


def onto(frames: list[Frame]) -> bool:
    """One piece stands where another does."""
    for frame in frames[len(frames) // 2 :]:
        pieces = [p for p in frame.picture["pieces"] if not p["z"]]
        if len(pieces) > 1:
            pieces[0].update({k: pieces[1][k] for k in ("x", "y", "z", "facing")})
            return True
    return False


def off(frames: list[Frame]) -> bool:
    for frame in frames[len(frames) // 2 :]:
        if frame.picture["pieces"]:
            frame.picture["pieces"][0]["x"] = -1.0
            return True
    return False


def dead(frames: list[Frame]) -> bool:
    for frame in frames[len(frames) // 2 :]:
        if frame.picture["pieces"]:
            frame.picture["pieces"][0]["wounds"] = -1
            return True
    return False


def again(frames: list[Frame]) -> bool:
    """A die is re-rolled that was not told to be."""
    for frame in frames:
        for event in frame.events:
            if event["kind"] == "reroll" and any(not f for f in event["roll"].get("first", ())):
                k = next(i for i, f in enumerate(event["roll"]["first"]) if not f)
                event["roll"]["faces"][k] = event["roll"]["faces"][k] % 6 + 1
                return True
    return False


def skip_round(frames: list[Frame]) -> bool:
    rounds = [event for frame in frames for event in frame.events if event["kind"] == "round"]
    if len(rounds) < 2:
        return False
    rounds[1]["facts"]["round"] += 1
    return True


def wrong_winner(frames: list[Frame]) -> bool:
    event = first(frames, "outcome")
    if event is None or event["facts"]["winner"] is None or len(set(event["facts"]["score"])) == 1:
        return False
    event["facts"]["winner"] = 1 - event["facts"]["winner"]
    return True


def swap_phases(frames: list[Frame]) -> bool:
    found = [event for frame in frames for event in frame.events if event["kind"] == "phase"]
    if len(found) < 3:
        return False
    found[1]["facts"]["phase"], found[2]["facts"]["phase"] = found[2]["facts"]["phase"], found[1]["facts"]["phase"]
    return True


def twist(frames: list[Frame]) -> bool:
    """One model of a unit looks another way."""
    for frame in frames[len(frames) // 2 :]:
        for piece in frame.picture["pieces"]:
            if sum(other["unit"] == piece["unit"] for other in frame.picture["pieces"]) > 1:
                piece["facing"] += 30
                return True
    return False


def aimed(frames: list[Frame]) -> tuple[Frame, list[dict[str, Any]], list[dict[str, Any]]] | None:
    """A frame in which somebody shoots, the shooters and their targets."""
    for n, frame in enumerate(frames):
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] not in ("attacks", "attack"):
                continue
            one = facts.get("unit") or facts["fighter"]
            own, foes = ([p for p in frame.picture["pieces"] if p["unit"] == key] for key in (one, facts["target"]))
            before = [p for p in frames[n - 1].picture["pieces"] if p["unit"] in (one, facts["target"])]
            if own and foes and min(math.dist((a["x"], a["y"]), (b["x"], b["y"])) for a in own for b in foes) > 8:
                for piece in before:
                    piece["unit"] = "nobody"  # only this frame can speak for them
                    piece["id"] = f"gone-{piece['id']}"
                return frame, own, foes
    return None


def beyond(frames: list[Frame]) -> bool:
    if aimed(frames) is None:
        return False
    for frame in frames:
        for card in frame.cards.values():
            for weapon in card.get("weapons") or ():
                reach = next(fact for fact in weapon["facts"] if fact["name"]["key"] == "column.range")
                reach["value"] = min(float(reach["value"] or 0.0), 0.5)
    return True


def walled(frames: list[Frame]) -> bool:
    """A wall stands round whoever is shot at."""
    found = aimed(frames)
    if found is None:
        return False
    frame, _, foes = found
    xs, ys = [p["x"] for p in foes], [p["y"] for p in foes]
    west, east, south, north = min(xs) - 4, max(xs) + 4, min(ys) - 4, max(ys) + 4
    for a, b, c, d in (
        (west, south, east, south + 0.5), (west, north - 0.5, east, north),
        (west, south, west + 0.5, north), (east - 0.5, south, east, north),
    ):  # fmt: skip
        block = {"kind": "wall", "points": [[a, b], [c, b], [c, d], [a, d]], "z": -5.0, "top": 60.0}
        frame.picture["terrain"].append({"id": "wall", "blocks": [block]})
    return True


EVERYWHERE: dict[str, Fault] = {
    "one stands on another": onto,
    "one stands off the table": off,
    "one stands without wounds": dead,
    "a round is left out": skip_round,
    "the loser wins": wrong_winner,
}
FAULTS: dict[str, dict[str, Fault]] = {
    "warcry": {
        "a face of 7": face("hit", 7),
        "hits from misses": face("hit", 1),
        "a way shorter than its legs": bump("moved", "moved", -3),
        "a way longer than its legs": bump("moved", "moved", 30),
        "a fighter ends elsewhere": shove("moved", "fighter", 2),
        "a critical hit too many": bump("hits", "criticals", 3),
        "a hit too many": bump("hits", "hits", 5),
        "a distance that is none": bump("attack", "distance", 0.5),
        "damage that nobody took": bump("damage", "points", 1),
        "other initiative dice": face("initiative", 3),
        "a target behind a wall": walled,
        "points that nobody scored": lambda frames: _gained(frames),
        "an action too many": bump("activated", "actions", 2),
        "the other player goes first": lambda frames: _other(frames, "first-turn", "side"),
    },
    "aos": {
        "a face of 7": face("hit", 7),
        "hits from misses": face("hit", 1),
        "a charge longer than its dice": bump("charged", "inches", 6),
        "a unit moves too far": shove("moved", "unit", 30),
        "more unsaved than wounds": bump("attacks", "unsaved", 40),
        "a spell too good": bump("cast", "roll", 9),
        "a spell too weak": bump("cast", "roll", -9),
        "a re-roll of other dice": again,
        "points that nobody scored": bump("score", "points", 3),
        "a target beyond its range": beyond,
        "a phase out of turn": swap_phases,
        "fewer hold more": lambda frames: _held(frames),
        "an unbinding that was none": bump("not-unbound", "roll", 20),
    },
    "conquest": {
        "a face of 7": face("hit", 7),
        "hits thrown away": face("hit", 1),
        "a march too long": lambda frames: _longer(frames),
        "a charge that falls short": lambda frames: _short(frames),
        "a spell without successes": bump("cast", "successes", -9),
        "a re-roll of other dice": again,
        "a defence that fails too often": bump("defended", "failed", 1),
        "a stand apart": lambda frames: _apart(frames),
        "an army too large": bump("army", "points", 900),
        "a phase out of turn": swap_phases,
        "a card out of turn": lambda frames: _other(frames, "card", "side"),
        "the higher die goes first": lambda frames: _other(frames, "first-player", "side"),
        "an arrival too many": bump("reinforcement", "successes", 1),
        "a charge told nearer": bump("charge-roll", "distance", -0.5),
        "wounds that nobody had": bump("allocated", "wounds", 1),
    },
    "wh40k": {
        "a face of 7": face("hit", 7),
        "hits from misses": face("hit", 1),
        "wounds thrown away": face("wound", 6),
        "a unit moves too far": shove("moved", "unit", 30),
        "a charge further than its dice": bump("charged", "inches", -9),
        "a denial that was none": lambda frames: _denial(frames),
        "a re-roll of other dice": again,
        "a save too many": bump("saves", "saved", 5),
        "points that nobody scored": bump("scores", "points", 2),
        "a phase out of turn": swap_phases,
        "a target beyond its range": beyond,
        "a target behind a wall": walled,
    },
    "t9a": {
        "a face of 7": face("hit", 7),
        "hits from misses": face("hit", 6),
        "wounds from nothing": face("wound", 1),
        "more wounds than hits": bump("wounds", "wounds", 9),
        "a charge range beyond its die": bump("charge-range", "inches", 3),
        "a gap that is none": bump_all("charge", "gap", 1),
        "a charge that does not reach": pulled,
        "a unit moves too far": shove("moved", "unit", 25),
        "a model faces another way": twist,
        "a test passed by too much": bump("test", "total", 7),
        "a spell told better": bump("cast", "result", 5),
        "a score that is not its parts": bump("static-score", "score", 0),
        "the loser wins a combat": lambda frames: _combat(frames),
        "health that nobody lost": bump_all("losses", "lost", 2),
        "points that nobody gave": bump("points", "points", 50),
        "a battle point too many": lambda frames: _battle_points(frames),
        "a phase out of turn": swap_phases,
        "a turn twice": lambda frames: _turn(frames),
    },
}


def _other(frames: list[Frame], kind: str, fact: str) -> bool:
    """It was the other player."""
    event = first(frames, kind)
    if event is None:
        return False
    event["facts"][fact] = 1 - event["facts"][fact]
    return True


def _held(frames: list[Frame]) -> bool:
    for frame in frames:
        for event in frame.events:
            if event["kind"] == "control" and event["facts"]["a"] != event["facts"]["b"]:
                event["facts"].update(a=event["facts"]["b"], b=event["facts"]["a"])
                return True
    return False


def _combat(frames: list[Frame]) -> bool:
    for frame in frames:
        for event in frame.events:
            if event["kind"] == "combat-result" and event["facts"]["winner"] in (0, 1):
                event["facts"]["winner"] = 1 - event["facts"]["winner"]
                return True
    return False


def _battle_points(frames: list[Frame]) -> bool:
    event = first(frames, "victory-points")
    if event is None:
        return False
    event["facts"]["battle"][0] += 1
    return True


def _turn(frames: list[Frame]) -> bool:
    found = [event for frame in frames for event in frame.events if event["kind"] == "turn"]
    if len(found) < 2:
        return False
    found[1]["facts"]["player"] = found[0]["facts"]["player"]
    return True


def _gained(frames: list[Frame]) -> bool:
    event = first(frames, "scored")
    if event is None:
        return False
    event["facts"]["gained"][0] += 1
    return True


def _apart(frames: list[Frame]) -> bool:
    for frame in frames:
        for event in frame.events:
            own = [p for p in frame.picture["pieces"] if p["unit"] == (event.get("facts") or {}).get("regiment")]
            if event["kind"] == "marched" and len(own) > 1:
                own[0]["x"] += 0.3 if own[0]["x"] <= min(p["x"] for p in own) else 3.0
                own[0]["y"] += 3.0
                return True
    return False


def _longer(frames: list[Frame]) -> bool:
    event = first(frames, "marched")
    if event is None:
        return False
    event["facts"]["path"].append({"how": "forward", "inches": 20.0})
    return True


def _short(frames: list[Frame]) -> bool:
    for frame in frames:
        for event in frame.events:
            if event["kind"] == "charge-roll" and event["facts"]["success"]:
                event["facts"]["distance"] += 40
                return True
    return False


def _denial(frames: list[Frame]) -> bool:
    event = first(frames, "not-denied")
    if event is None:
        return False
    event["facts"]["result"] += 20
    return True


PICTURED = ("stands", "moves", "ends elsewhere", "faces another way", "reach", "beyond", "behind a wall", "apart")
"""Words in the names of faults that spoil what is seen on the table, not what is told."""


def copied(frames: list[Frame], seen_too: bool) -> list[Frame]:
    """A copy to spoil: of what is told, and where that is spoilt of what is seen."""
    return [
        Frame(n, _picture(picture), copy.deepcopy(events), outcome, _cards(cards))
        if seen_too
        else Frame(n, picture, copy.deepcopy(events), outcome, cards)
        for n, picture, events, outcome, cards in frames
    ]


def _picture(picture: dict[str, Any]) -> dict[str, Any]:
    pieces = [dict(piece) for piece in picture["pieces"]]
    return {**picture, "pieces": pieces, "terrain": list(picture["terrain"])}


def _cards(cards: Mapping[str, Any]) -> dict[str, Any]:
    return {key: {**card, "weapons": copy.deepcopy(card.get("weapons"))} for key, card in cards.items()}


@pytest.mark.parametrize("game", list(FAULTS))
def test_faults_put_in_on_purpose_are_found(game: str) -> None:
    battles = [seen(game, 3)]
    missed, put = [], 0
    for name, fault in (EVERYWHERE | FAULTS[game]).items():
        for n in (0, 1):
            if n == len(battles):
                battles.append(seen(game, 4)[:160])  # what the first does not hold
            spoilt = copied(battles[n], any(word in name for word in PICTURED))
            if fault(spoilt):
                put += 1
                if not audit(game, spoilt):
                    missed.append(name)
                break
    assert missed == []
    assert put >= len(EVERYWHERE | FAULTS[game]) - 3  # what a battle does not hold cannot be spoilt in it


def test_who_piles_in_and_destroys_by_one_answer_was_near_enough() -> None:
    assert audit_random("aos", 1009) == []


def test_whom_a_charger_pushes_aside_is_in_its_way_until_he_is_gone() -> None:
    assert audit_random("conquest", 1211) == []


def test_a_spell_that_could_have_moved_a_unit_says_nothing_of_its_later_moves() -> None:
    assert audit_random("t9a", 1130) == []


def test_a_war_platform_out_of_its_unit_is_as_fast_as_it_is() -> None:
    assert audit_random("t9a", 1448) == []


def test_a_huge_reach_is_measured_on_the_flat() -> None:
    assert audit_random("warcry", 9005) == []
