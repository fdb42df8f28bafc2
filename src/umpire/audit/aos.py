"""Age of Sigmar: how far units go, coherency, attacks from their dice, casts and charges."""

from __future__ import annotations

from typing import Any

from umpire.audit.frames import Frame, Watch, modified, rolls, successes, text_key
from umpire.audit.general import Check, in_order
from umpire.audit.loose import added, coherent, nearest, shot, within

TACTIC = 4
"""Victory points of a battle tactic."""
PHASES = ("start", "hero", "movement", "shooting", "charge", "combat", "end")
MOVES = {"ability.normal-move": "", "ability.retreat": "", "ability.run": "run"}


def moves(watch: Watch) -> Check:
    """No model goes further than its Move, with the run die where it runs; a charge no further than its dice."""
    declared: dict[str, str] = {}
    ran: dict[str, int] = {}

    def check(frame: Frame) -> None:
        for event in frame.events:
            facts, roll = event.get("facts") or {}, event.get("roll")
            if roll and roll["purpose"] == "run":
                ran[roll["who"]] = sum(roll["faces"]) + modified(roll)
            elif event["kind"] == "declare":
                declared[facts["unit"]] = text_key(facts["ability"])
                ran.pop(facts["unit"], None)  # of a run in which it stayed where it was
            elif event["kind"] == "moved" and declared.get(facts["unit"]) in MOVES:
                unit = facts["unit"]
                move = watch.value(unit, "Move", before=True)
                # Without a roll it runs at the double: six inches.
                extra = ran.pop(unit, 6) if MOVES[declared[unit]] else 0
                if isinstance(move, (int, float)):
                    within(watch, unit, move + extra, "aos.move")
            elif event["kind"] == "charged":
                within(watch, facts["unit"], facts["inches"], "aos.charge")
            elif event["kind"] == "piled-in":
                within(watch, facts["unit"], 3.0, "aos.pile-in")
                foes = watch.unit(facts["target"]) or watch.unit(facts["target"], before=True)
                for piece in watch.unit(facts["unit"]):
                    old = watch.before.get(piece["id"])
                    if old and foes and nearest(piece, foes) > nearest(old, foes) + 0.01:
                        watch.find("aos.pile-in-nearer", f"{piece['id']} ends further from {facts['target']}")

    return check


def coherency(watch: Watch) -> Check:
    """After it moved or was set up, a unit is one group, each model within 1/2 inch of one other, of two from 7 on."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] not in ("moved", "charged", "piled-in", "deployed", "set-up"):
                continue
            unit = event["facts"]["unit"]
            pieces = watch.unit(unit)
            if not coherent(pieces, 0.5, 6.0, 2 if len(pieces) >= 7 else 1):
                watch.find("aos.coherency", f"{unit} after {event['kind']}")

    return check


def attacks(watch: Watch) -> Check:
    """Hits and wounds are what the dice gave; nobody saves more than was wounded."""

    def check(frame: Frame) -> None:
        last: dict[str, dict[str, Any]] = {}
        for event in frame.events:
            if event.get("roll"):
                last[event["roll"]["purpose"]] = event["roll"]
            elif event["kind"] == "attacks":
                facts = event["facts"]
                hit, wound = last.get("hit"), last.get("wound")
                if hit is not None and len(hit["faces"]) == facts["attacks"]:
                    best = successes(hit)
                    # A critical hit may count for more than one; without one the hits are the dice that hit.
                    # No more dice are critical than hit.
                    if facts["crits"] > best or (facts["crits"] == 0 and facts["hits"] != best):
                        watch.find("aos.hits", f"{hit['faces']} needing {hit['need']} gave {facts['hits']}")
                if wound is not None and facts["hits"] and facts["crits"] == 0:
                    best = successes(wound)
                    if len(wound["faces"]) == facts["hits"] and facts["wounds"] != best:
                        watch.find("aos.wounds", f"{wound['faces']} needing {wound['need']} gave {facts['wounds']}")
                if facts["unsaved"] > facts["wounds"]:
                    watch.find("aos.saves", f"{facts['unsaved']} unsaved of {facts['wounds']}")
                last.clear()

    return check


def sums(watch: Watch) -> Check:
    """A spell is cast when its dice and modifiers reach its value; a charge is as long as its dice."""

    charges: dict[str, dict[str, Any]] = {}  # the dice fall at one answer, the move is made at another

    def check(frame: Frame) -> None:
        last: dict[str, dict[str, Any]] = {}
        for event in frame.events:
            facts = event.get("facts") or {}
            if event.get("roll"):
                last[event["roll"]["purpose"]] = event["roll"]
                if event["roll"]["purpose"] == "charge":
                    charges[event["roll"].get("who", "")] = event["roll"]
            elif event["kind"] in ("cast", "cast-fails") and "cast" in last:
                total = sum(last["cast"]["faces"]) + modified(last["cast"])
                if facts["roll"] != total or (event["kind"] == "cast") != (facts["roll"] >= facts["value"]):
                    watch.find("aos.cast", f"{last['cast']['faces']} told as {facts['roll']} against {facts['value']}")
            elif event["kind"] in ("charged", "charge-fails") and facts["unit"] in charges:
                roll = charges.pop(facts["unit"])
                total = sum(roll["faces"]) + modified(roll)
                if abs(facts["inches"] - total) > 3:  # abilities that change a charge are not told with it
                    watch.find("aos.charge-roll", f"{roll['faces']} told as {facts['inches']}")

    return check


def slain(watch: Watch) -> Check:
    """Models that are told slain are gone, and as many are left as told."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "slain":
                for key in event["facts"]["models"]:
                    if key in watch.now and not any(e["kind"] == "returned" for e in frame.events):
                        watch.find("aos.slain", f"{key} still stands")
        rolled = [roll for _, roll in rolls(frame) if roll["purpose"] == "rally"]
        for roll in rolled:
            if successes(roll) > len(roll["faces"]):
                watch.find("aos.rally", f"{roll['faces']}")

    return check


def shooting(watch: Watch) -> Check:
    """Ranged attacks reach whom they are made at, and somebody sees it."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "attacks":
                shot(watch, event["facts"], "aos")

    return check


def points(watch: Watch) -> Check:
    """What a turn scores is added to the total, and shown."""
    score = [0.0, 0.0]

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "score":
                facts = event["facts"]
                side = int(text_key(facts["side"]) == "side.1")
                score[side] += facts["points"]
                if score[side] != facts["total"]:
                    watch.find("aos.points", f"{score[side]} added up, {facts['total']} told")
            elif event["kind"] == "tactic-done":
                score[int(text_key(event["facts"]["side"]) == "side.1")] += TACTIC
        added(watch, frame, score, "aos")

    return check


def contests(watch: Watch) -> Check:
    """Who rolls more goes first, who has more control holds, a spell is unbound by as much as it was cast with, and a
    manifestation is banished by its value."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] in ("priority", "control") and facts["a"] != facts["b"]:
                who = facts["side" if event["kind"] == "priority" else "holder"]
                if text_key(who) != f"side.{int(facts['b'] > facts['a'])}":
                    watch.find(f"aos.{event['kind']}", f"{facts['a']} to {facts['b']}: {text_key(who)}")
            elif event["kind"] in ("unbound", "not-unbound", "banished", "not-banished"):
                done = not event["kind"].startswith("not")
                if done != (facts["roll"] >= facts["value"]):
                    watch.find("aos.contest", f"{event['kind']}: {facts['roll']} against {facts['value']}")

    return check


CHECKS = (moves, coherency, attacks, sums, slain, shooting, points, contests, in_order("aos.phases", PHASES))
