"""Warhammer 40,000: how far models go, coherency, attacks from their dice, tests."""

from __future__ import annotations

from typing import Any

from umpire.audit.frames import Frame, Watch, modified, rolls, text_key
from umpire.audit.general import Check, in_order
from umpire.audit.loose import added, coherent, shot, within

PHASES = ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")


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
                # What lengthens an Advance beyond its die is not told with it.
                extra = (advance[-1] + 2 if advance else 8) if text_key(facts["move"]) == "move.advance" else 0
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
            if any(e["kind"] == "slain" and e["facts"]["unit"] == unit for e in frame.events):
                continue  # by the same answer: who joined the others may be gone
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
    """Psychic tests, denials and Morale tests follow from their dice; only who failed one flees."""
    shaken: dict[str, tuple[int, int]] = {}

    def check(frame: Frame) -> None:
        last: dict[str, dict[str, Any]] = {}
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "phase":
                shaken.clear()
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
            elif event["kind"] == "fled" and facts["unit"] in shaken:
                result, leadership = shaken[facts["unit"]]
                if result <= leadership:
                    watch.find("wh40k.flight", f"{facts['unit']} flees from {result} against {leadership}")
            if event["kind"] == "morale" and "leadership" in facts:
                shaken[facts["unit"]] = (facts["result"], facts["leadership"])

    return check


def lost(watch: Watch) -> Check:
    """Who is slain is gone, at the latest when the phase is: a wreck stands until its explosion is settled."""
    slain: set[str] = set()

    def check(frame: Frame) -> None:
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "phase":
                back = any(e["kind"] in ("returned", "replaced") for e in frame.events)
                for key in sorted(slain & watch.before.keys() & watch.now.keys()) if not back else ():
                    watch.find("wh40k.slain", f"{key} still stands")
                slain.clear()
            elif event["kind"] == "slain":
                slain.update(facts["models"])
            elif event["kind"] in ("returned", "replaced"):
                slain.clear()

    return check


def saves(watch: Watch) -> Check:
    """As many saves are made as dice show what is needed; a natural 1 is none."""

    def check(frame: Frame) -> None:
        last: dict[str, Any] | None = None
        for event in frame.events:
            roll, facts = event.get("roll"), event.get("facts") or {}
            if roll and roll["purpose"] == "save":
                last = roll
            elif event["kind"] == "saves" and last is not None:
                made = sum(1 for face in last["faces"] if face != 1 and face >= last["need"])
                if last["who"] == facts["unit"] and last["need"] == facts["need"] and made != facts["saved"]:
                    watch.find("wh40k.saves", f"{last['faces']} needing {last['need']} saved {facts['saved']}")
                last = None

    return check


def shooting(watch: Watch) -> Check:
    """Ranged attacks reach whom they are made at, and somebody sees it."""

    def check(frame: Frame) -> None:
        aimed = {e["facts"]["unit"] for e in frame.events if e["kind"] == "shoots"}
        for event in frame.events:
            if event["kind"] == "attacks" and event["facts"]["unit"] in aimed:
                shot(watch, event["facts"], "wh40k")

    return check


def points(watch: Watch) -> Check:
    """What is scored is added up on the table."""
    score = [0.0, 0.0]

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "scores":
                score[int(text_key(event["facts"]["side"]) == "side.1")] += event["facts"]["points"]
            elif event["kind"] == "action-done":
                score[watch.last_cards[event["facts"]["unit"]]["side"]] += event["facts"]["points"]
        added(watch, frame, score, "wh40k")

    return check


CHECKS = (moves, coherency, attacks, tests, lost, saves, shooting, in_order("wh40k.phases", PHASES), points)
