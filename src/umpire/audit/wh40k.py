"""Warhammer 40,000: how far models go, coherency, attacks from their dice, tests."""

from __future__ import annotations

from typing import Any

from umpire.audit.frames import Frame, Watch, modified, rolls, text_key
from umpire.audit.general import Check
from umpire.audit.loose import coherent, within


def moves(watch: Watch) -> Check:
    """A model goes no further than its M, an Advance's die more, or the inches of its charge."""

    def check(frame: Frame) -> None:
        advance = [sum(roll["faces"]) for _, roll in rolls(frame) if roll["purpose"] == "advance"]
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "moved":
                move = watch.value(facts["unit"], "M", before=True)
                if isinstance(move, str):
                    move = float(move.rstrip('"')) if move.rstrip('"').replace(".", "").isdigit() else None
                if move is None or text_key(facts.get("move")) not in ("move.normal", "move.advance", "move.fall-back"):
                    continue
                extra = (advance[-1] if advance else 6) if text_key(facts["move"]) == "move.advance" else 0
                within(watch, facts["unit"], float(move) + extra, "wh40k.move")
            elif event["kind"] == "charged":
                within(watch, facts["unit"], facts["inches"], "wh40k.charge")
            elif event["kind"] in ("pile-in", "consolidate"):
                within(watch, facts["unit"], 6.0 if _both(frame, facts["unit"]) else 3.0, f"wh40k.{event['kind']}")

    return check


def _both(frame: Frame, unit: str) -> bool:
    """Did it pile in and consolidate in one frame?"""
    kinds = {e["kind"] for e in frame.events if (e.get("facts") or {}).get("unit") == unit}
    return {"pile-in", "consolidate"} <= kinds


def coherency(watch: Watch) -> Check:
    """After a move a unit is one group: each model within 2 inches (5 up) of one other, of two from 7 models on."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] not in ("moved", "charged", "deployed", "arrived", "disembarked"):
                continue
            unit = event["facts"]["unit"]
            pieces = watch.unit(unit)
            if not coherent(pieces, 2.0, 5.0, 2 if len(pieces) >= 7 else 1):
                watch.find("wh40k.coherency", f"{unit} after {event['kind']}")

    return check


def attacks(watch: Watch) -> Check:
    """Hits and wounds are what the dice gave: a natural 6 is one, a natural 1 is none."""

    def check(frame: Frame) -> None:
        hit: dict[str, Any] | None = None
        wound: dict[str, Any] | None = None
        extra = 0
        for event in frame.events:
            roll = event.get("roll")
            facts = event.get("facts") or {}
            if roll and roll["purpose"] == "hit":
                hit, extra = roll, 0
            elif roll and roll["purpose"] == "wound":
                wound = roll
            elif event["kind"] == "extra-hits":
                extra += facts["hits"]
            elif event["kind"] == "hits" and hit is not None:
                best = _made(hit)
                if facts["hits"] != best and facts["hits"] != best + extra:
                    watch.find("wh40k.hits", f"{hit['faces']} needing {hit['need']} gave {facts['hits']}")
                hit = None
            elif event["kind"] == "wounds" and wound is not None:
                if facts["wounds"] < _made(wound):
                    watch.find("wh40k.wounds", f"{wound['faces']} needing {wound['need']} gave {facts['wounds']}")
                wound = None

    return check


def _made(roll: dict[str, Any]) -> int:
    return sum(1 for face in roll["faces"] if face == 6 or (face != 1 and face >= roll["need"]))


def tests(watch: Watch) -> Check:
    """Psychic tests, denials and Morale tests follow from their dice."""

    def check(frame: Frame) -> None:
        last: dict[str, dict[str, Any]] = {}
        for event in frame.events:
            facts = event.get("facts") or {}
            if event.get("roll"):
                last[event["roll"]["purpose"]] = event["roll"]
            elif event["kind"] == "manifested" and "psychic" in last:
                roll = last["psychic"]
                if roll.get("need") and sum(roll["faces"]) + modified(roll) + 3 < roll["need"]:
                    watch.find("wh40k.psychic", f"{roll['faces']} manifested against {roll['need']}")
            elif event["kind"] in ("denied", "not-denied"):
                if (event["kind"] == "denied") != (facts["result"] > facts["against"]):
                    watch.find("wh40k.deny", f"{facts['result']} against {facts['against']}: {event['kind']}")
            elif event["kind"] == "morale" and "morale" in last:
                if facts.get("result", 6) < last["morale"]["faces"][0]:
                    watch.find("wh40k.morale", f"{last['morale']['faces']}: {facts}")
            elif event["kind"] == "slain":
                for key in facts["models"]:
                    if key in watch.now:
                        watch.find("wh40k.slain", f"{key} still stands")

    return check


CHECKS = (moves, coherency, attacks, tests)
