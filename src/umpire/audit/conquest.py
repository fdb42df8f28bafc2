"""Conquest: marches leg by leg, hits, defence and morale from their dice, stands in ranks."""

from __future__ import annotations

import math
from typing import Any

from umpire.audit.frames import Frame, Watch, gap, successes
from umpire.audit.general import Check, one_way


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
            elif event["kind"] == "defended" and "defence" in last:
                roll = last.pop("defence")
                value = min(5, max(facts["defense"], facts["evasion"]))  # a 6 never saves
                failed = sum(1 for face in roll["faces"] if face > value)
                if len(roll["faces"]) == facts["hits"] and facts["failed"] != failed:
                    watch.find("conquest.defence", f"{roll['faces']} on {roll['need']} failed {facts['failed']}")
            elif event["kind"] == "morale-failed" and "morale" in last:
                roll = last.pop("morale")
                failed = len(roll["faces"]) - successes(roll)
                special = any(rule.startswith("conquest.rule.") for rule in event.get("rules", ()))
                if facts["failed"] > failed or (facts["failed"] < failed and not special):
                    watch.find("conquest.morale", f"{roll['faces']} on {roll['need']} failed {facts['failed']}")
            elif event["kind"] == "charge-roll":
                if facts["success"] and facts["distance"] > facts["charge"] + 0.01:
                    watch.find("conquest.charge", f"{facts}")
            elif event["kind"] == "cast" and facts["successes"] < facts["needed"]:
                watch.find("conquest.cast", f"{facts['successes']} of {facts['needed']}")

    return check


def blocks(watch: Watch) -> Check:
    """A regiment is one block: every stand touches another. Who has charged touches whom it charged."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] not in ("marched", "reformed", "charged", "entered"):
                continue
            facts = event["facts"]
            stands = watch.unit(facts["regiment"])
            for stand in stands:
                if len(stands) > 1 and min(gap(stand, other) for other in stands if other is not stand) > 0.02:
                    watch.find("conquest.block", f"{stand['id']} stands apart after {event['kind']}")
            pair = (facts["regiment"], facts.get("target"))
            last = [e["kind"] for e in frame.events if (e.get("facts") or {}).get("regiment") in pair]
            foes = watch.unit(facts.get("target", ""))
            if event["kind"] != "charged" or not stands or not foes or {"stand-lost", "withdrew"} & set(last):
                continue
            if min(gap(stand, foe) for stand in stands for foe in foes) > 0.02:
                watch.find("conquest.contact", f"{facts['regiment']} does not touch {facts['target']}")

    return check


def points(watch: Watch) -> Check:
    """Points of a round are added to the score before."""
    score = [0.0, 0.0]

    def check(frame: Frame) -> None:
        nonlocal score
        for event in frame.events:
            if event["kind"] == "army" and event["facts"]["points"] > event["facts"]["agreed"]:
                watch.find("conquest.army", f"{event['facts']['points']} of {event['facts']['agreed']}")
            if event["kind"] == "scored":
                facts = event["facts"]
                want = [a + b for a, b in zip(score, facts["gained"], strict=True)]
                if any(told < least - 1e-9 for told, least in zip(facts["score"], want, strict=True)):
                    watch.find("conquest.points", f"{score} and {facts['gained']} gave {facts['score']}")
                score = [float(x) for x in facts["score"]]

    return check


CHECKS = (marches, dice, one_way("conquest.facing"), blocks, points)
