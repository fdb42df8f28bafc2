"""What holds in every game: dice, bases, wounds, rounds, points."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from umpire.audit.frames import Frame, Watch, clear, gap, outline, rise, rolls, text_key

Check = Callable[[Frame], None]
CHARGE_ENDS = ("charged", "charge-failed", "charge-through-failed")
THROUGH = "conquest.march.through-friends"
OVERLAP = 0.012
"""Bases may touch; positions are written to a thousandth, so a hundredth of an inch is an overlap."""


def dice(watch: Watch) -> Check:
    """Faces lie on their die; a re-roll changes only what it says, and no die is re-rolled twice."""
    last: dict[str, Any] | None = None

    def check(frame: Frame) -> None:
        nonlocal last
        for event, roll in rolls(frame):
            if not all(type(face) is int and 1 <= face <= roll["sides"] for face in roll["faces"]):
                watch.find("dice.faces", f"{roll['purpose']}: {roll['faces']} on a D{roll['sides']}")
            if event["kind"] == "reroll":
                if last is None or len(last["faces"]) != len(roll["faces"]):
                    watch.find("dice.reroll", f"{roll['purpose']}: there is no such roll to re-roll")
                else:
                    for k, (old, new, first) in enumerate(
                        zip(last["faces"], roll["faces"], roll.get("first") or [0] * len(roll["faces"]), strict=True)
                    ):
                        was = (last.get("first") or [0] * len(last["faces"]))[k]
                        if first == was and old != new:
                            watch.find("dice.reroll", f"{roll['purpose']}: die {k + 1} changed from {old} to {new}")
                        if was and first != was:
                            watch.find("dice.reroll-twice", f"{roll['purpose']}: die {k + 1}")
                        if first and first != was and first != old:
                            watch.find("dice.reroll", f"{roll['purpose']}: die {k + 1} was {old}, not {first}")
            last = roll

    return check


def one_way(name: str) -> Callable[[Watch], Check]:
    """Everybody in a unit of ranks faces one way."""

    def facings(watch: Watch) -> Check:
        def check(frame: Frame) -> None:
            facing: dict[str, float] = {}
            for piece in watch.now.values():
                first = facing.setdefault(piece["unit"], piece["facing"])
                if abs(first - piece["facing"]) > 1e-6:
                    watch.find(name, f"{piece['unit']}: {first} and {piece['facing']}")

        return check

    return facings


def bases(watch: Watch) -> Check:
    """Whoever stands on the table stands wholly on it, and on nobody. Who marches on, or through a
    friend, may need two marches for it; who leaves a unit stands in it until he moves; of units that reform one after
    the other those to come are in nobody's way, nor is whom a charger of Conquest pushes aside."""
    entering: set[str] = set()
    inside: set[str] = set()
    unsettled: set[str] = set()
    later: dict[tuple[str, ...], None] = {}

    def check(frame: Frame) -> None:
        width, depth = frame.picture["width"], frame.picture["depth"]
        for event in frame.events:
            facts = event.get("facts") or {}
            unit = facts.get("regiment", "")
            who = facts.get("who", "")
            through = any(rule.startswith(THROUGH) for rule in event.get("rules", ()))
            if event["kind"] == "entered":
                entering.add(unit)
                inside.update([unit] if through else [])
            elif event["kind"] in ("leaves", "charges-out"):
                inside.add(who)
            elif event["kind"] == "inside-friend":
                inside.add(unit)
            elif event["kind"] == "marched":
                entering.discard(unit)
                inside.discard(unit)
                inside.update([unit] if through else [])
            elif event["kind"] in ("will-reform", "must-reform"):
                unsettled.update(facts.get("units") or [unit or facts.get("unit", "")])
            elif event["kind"] == "charge-roll" and facts.get("success"):
                unsettled.add(unit)
            elif unit and event["kind"] in CHARGE_ENDS:
                unsettled.discard(unit)
            elif event["kind"] in ("combat-reform", "combat"):
                unsettled.difference_update([facts["unit"]] if "unit" in facts else list(unsettled))
            elif event["kind"] == "phase" and watch.game == "t9a":
                inside.clear()
                unsettled.clear()
            elif event["kind"] in ("moved", "stayed", "joined", "charged", "failed-charge"):
                inside.discard(facts.get("unit", ""))
                inside.discard(who)
        before = watch.before
        moved = [p for key, p in watch.now.items() if p is not before.get(key) and not _same(p, before.get(key))]
        for piece in moved:
            if piece["unit"] not in entering and not all(
                -0.011 <= x <= width + 0.011 and -0.011 <= y <= depth + 0.011 for x, y in outline(piece, 24)
            ):
                watch.find("bases.on-table", f"{piece['id']} at {piece['x']}, {piece['y']}")
        seen = set()
        around = [(other["x"], other["y"], _reach(other), other) for other in watch.now.values()] if moved else []
        for piece in moved:
            x, y, reach = piece["x"], piece["y"], _reach(piece)
            for u, v, far, other in around:
                if abs(u - x) > reach + far or abs(v - y) > reach + far or other is piece:
                    continue
                pair = tuple(sorted((piece["id"], other["id"])))
                if pair in seen or {piece["unit"], other["unit"]} & inside:
                    continue
                seen.add(pair)
                if {piece["unit"], other["unit"]} & unsettled:
                    later[pair] = None
                else:
                    _apart(watch, piece, other)
        if not unsettled:
            for one, two in later:
                if one in watch.now and two in watch.now and (one, two) not in seen:
                    _apart(watch, watch.now[one], watch.now[two])
            later.clear()

    return check


def _apart(watch: Watch, piece: dict[str, Any], other: dict[str, Any]) -> None:
    if rise(piece, other) > 0 or _stacked(piece, other) or clear(piece, other, OVERLAP):
        return
    space = gap(piece, other)
    if space < -OVERLAP:
        watch.find("bases.overlap", f"{piece['id']} and {other['id']} by {-space:.3f}")


def _same(piece: dict[str, Any], old: dict[str, Any] | None) -> bool:
    return (
        old is not None
        and piece["x"] == old["x"]
        and piece["y"] == old["y"]
        and piece.get("z") == old.get("z")
        and piece.get("facing") == old.get("facing")
    )


def _reach(piece: dict[str, Any]) -> float:
    """No part of a base is further from its middle."""
    shape = piece["shape"]
    return float(max(shape["width"], shape["depth"], *(2 * math.hypot(*p) for p in shape["points"]))) / 1.4


def _stacked(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """One stands on a floor above the other's feet."""
    return bool(abs(a.get("z", 0.0) - b.get("z", 0.0)) >= 0.5)


def wounds(watch: Watch) -> Check:
    """Nobody on the table has no wounds left, or more than at the start."""

    def check(frame: Frame) -> None:
        for piece in watch.now.values():
            left, most = piece.get("wounds"), piece.get("wounds_max")
            # A slain Character of Conquest stands until his last Clash is fought, a fighter of Warcry until it is
            # settled where its treasure lies.
            least = 0 if watch.game in ("conquest", "warcry") else 0.5
            if left is not None and most is not None and not least <= left <= most:
                watch.find("wounds.range", f"{piece['id']} has {left} of {most}")

    return check


def order(watch: Watch) -> Check:
    """Rounds follow each other; where a round has turns, each side has one."""
    rounds: list[int] = []
    turns: list[str] = []

    def check(frame: Frame) -> None:
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "round":
                number = facts["round"]
                if number != (rounds[-1] + 1 if rounds else number):
                    watch.find("order.rounds", f"round {number} after {rounds[-1]}")
                if len(turns) not in (0, 2):
                    watch.find("order.turns", f"{len(turns)} turns before round {number}")
                rounds.append(number)
                turns.clear()
            elif event["kind"] == "turn" and "side" in facts:
                side = text_key(facts["side"])
                if side in turns:
                    watch.find("order.turns", f"{side} has two turns in round {rounds[-1] if rounds else 0}")
                turns.append(side)

    return check


def in_order(name: str, phases: Sequence[str], begins: str = "turn") -> Callable[[Watch], Check]:
    """The phases of each turn, or of each round, follow each other in the order of the book."""

    def phased(watch: Watch) -> Check:
        seen: list[str] = []

        def check(frame: Frame) -> None:
            for event in frame.events:
                if event["kind"] == begins:
                    seen.clear()
                elif event["kind"] == "phase":
                    seen.append(text_key(event["facts"]["phase"]).removeprefix("phase."))
                    if seen != list(phases[: len(seen)]):
                        watch.find(name, f"{seen}")

        return check

    return phased


def outcome(watch: Watch) -> Check:
    """Whoever is ahead at the end has won, unless the other has conceded or nothing left."""
    conceded: list[int] = []

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "conceded":
                conceded.append(event["facts"]["side"])
            if event["kind"] != "outcome":
                continue
            facts = event["facts"]
            a, b = facts["score"]
            ahead = 0 if a > b else 1
            lost = ahead in conceded or not any(piece.get("side") == ahead for piece in watch.now.values())
            if facts["winner"] is not None and a != b and facts["winner"] != ahead and not lost:
                watch.find("outcome.winner", f"{facts['winner']} with {a} to {b}")
            shown = frame.picture["score"]
            # The Ninth Age shows victory points and tells battle points.
            if list(shown) != [a, b] and watch.game != "t9a":
                watch.find("outcome.score", f"{shown} on the table, {[a, b]} told")

    return check


GENERAL = (dice, bases, wounds, order, outcome)
