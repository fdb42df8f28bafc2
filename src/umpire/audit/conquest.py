"""Conquest: marches leg by leg, hits, defence and morale from their dice, stands in ranks."""

from __future__ import annotations

import math
from typing import Any

from umpire.audit.frames import Frame, Watch, successes
from umpire.audit.general import Check


def marches(watch: Watch) -> Check:
    """The legs of a march add up to no more than its March, and a stand goes no further than that."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] != "marched":
                continue
            facts = event["facts"]
            inches = math.fsum(leg.get("inches", 0.0) for leg in facts["path"])
            move = watch.value(facts["regiment"], "March", before=True)
            # A standard bearer's inch is not on the card.
            if isinstance(move, (int, float)) and inches > move + 1.01:
                watch.find("conquest.march", f"{facts['regiment']}: {inches:.2f} of {move}")

    return check


def dice(watch: Watch) -> Check:
    """Hits, failed defences and morale are what the dice gave."""

    def check(frame: Frame) -> None:
        last: dict[str, dict[str, Any]] = {}
        for event in frame.events:
            facts = event.get("facts") or {}
            if event.get("roll"):
                last[event["roll"]["purpose"]] = event["roll"]
            elif event["kind"] == "hits" and "hit" in last:
                roll = last.pop("hit")
                if len(roll["faces"]) == facts["dice"] and facts["hits"] < successes(roll):
                    watch.find("conquest.hits", f"{roll['faces']} on {roll['need']} gave {facts['hits']}")
            elif event["kind"] == "charge-roll":
                if facts["success"] and facts["distance"] > facts["charge"] + 0.01:
                    watch.find("conquest.charge", f"{facts}")
            elif event["kind"] == "cast" and facts["successes"] < facts["needed"]:
                watch.find("conquest.cast", f"{facts['successes']} of {facts['needed']}")

    return check


def ranks(watch: Watch) -> Check:
    """The stands of a regiment face one way."""

    def check(frame: Frame) -> None:
        facing: dict[str, float] = {}
        for piece in watch.now.values():
            first = facing.setdefault(piece["unit"], piece["facing"])
            if abs(first - piece["facing"]) > 1e-6:
                watch.find("conquest.facing", f"{piece['unit']}: {first} and {piece['facing']}")

    return check


def points(watch: Watch) -> Check:
    """Points of a round are added to the score before."""
    score = [0.0, 0.0]

    def check(frame: Frame) -> None:
        nonlocal score
        for event in frame.events:
            if event["kind"] == "scored":
                facts = event["facts"]
                want = [a + b for a, b in zip(score, facts["gained"], strict=True)]
                if any(told < least - 1e-9 for told, least in zip(facts["score"], want, strict=True)):
                    watch.find("conquest.points", f"{score} and {facts['gained']} gave {facts['score']}")
                score = [float(x) for x in facts["score"]]

    return check


CHECKS = (marches, dice, ranks, points)
