"""Warcry: ways and their length, targets, hits by strength and toughness, damage."""

from __future__ import annotations

import itertools
import math
from typing import Any

from umpire.audit.frames import Frame, Watch, column, gap, rolls, successes, text_key
from umpire.audit.general import Check
from umpire.audit.loose import added
from umpire.audit.sight import sees

FLAT = "warcry.monster.huge-reach"
"""By which ranges are measured on the flat."""


def ways(watch: Watch) -> Check:
    """The legs of a move add up to what was told, and end where the fighter stands."""

    def check(frame: Frame) -> None:
        moved: dict[str, list[Any]] = {}
        for event in frame.events:
            if event["kind"] != "moved":
                continue
            facts = event["facts"]
            path = facts["path"]
            level = [math.dist(a[:2], b[:2]) for a, b in itertools.pairwise(path)]
            true = math.fsum(math.dist(a, b) for a, b in itertools.pairwise(path))
            # A fall costs nothing, so a way may be dearer than told but never cheaper than its level part.
            if facts["moved"] > true + math.fsum(level) + 0.01 or facts["moved"] < math.fsum(level) - 0.02:
                watch.find("warcry.way", f"{facts['fighter']}: {facts['moved']} told, {true:.3f} along the legs")
            moved[facts["fighter"]] = path
        for fighter, path in moved.items():
            told = [e["kind"] for e in frame.events if (e.get("facts") or {}).get("fighter") == fighter]
            piece = watch.now.get(fighter)
            if piece is None or told[-1] != "moved":
                continue
            end = path[-1]
            if math.dist(end[:2], (piece["x"], piece["y"])) > 0.01:
                watch.find("warcry.way-end", f"{fighter} ends at {end}, stands at {piece['x']}, {piece['y']}")

    return check


def hits(watch: Watch) -> Check:
    """A hit needs 3, 4 or 5 as strength is above, equal to or below toughness; a 6 is a critical hit."""

    def check(frame: Frame) -> None:
        roll = None
        for event in frame.events:
            if event.get("roll") and event["roll"]["purpose"] == "hit":
                roll = event["roll"]
                facts = event.get("facts") or {}
                if "strength" in facts:
                    s, t = facts["strength"], facts["toughness"]
                    need = 3 if s > t else 4 if s == t else 5
                    if roll["need"] != need:
                        watch.find("warcry.need", f"strength {s} against {t} needs {need}, not {roll['need']}")
            elif event["kind"] == "hits" and roll is not None:
                facts = event["facts"]
                criticals = sum(1 for face in roll["faces"] if face == 6)
                plain = successes(roll) - criticals
                # Reactions may take hits away, never add one.
                if facts["criticals"] > criticals or facts["hits"] + facts["criticals"] > plain + criticals:
                    watch.find("warcry.hits", f"{roll['faces']} gave {facts['hits']} and {facts['criticals']}")
                roll = None

    return check


def distance(watch: Watch) -> Check:
    """The distance of an attack is the one between the two bases."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] != "attack":
                continue
            facts = event["facts"]
            for table in (watch.before, watch.now):
                a, b = table.get(facts["fighter"]), table.get(facts["target"])
                if a is None or b is None:
                    return
                flat = max(0.0, gap(a, b))
                if abs(math.hypot(flat, a["z"] - b["z"]) - facts["distance"]) < 0.01:
                    break
            else:
                watch.find("warcry.distance", f"{facts['fighter']} to {facts['target']}: {facts['distance']} told")

    return check


def damage(watch: Watch) -> Check:
    """Damage points add up: what a fighter has left is what it had less what it suffered, more what was healed."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "damage":
                facts = event["facts"]
                if facts["points"] < 0 or facts["left"] < 0:
                    watch.find("warcry.damage", f"{facts}")
        change: dict[str, float] = {}
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "damage":
                change[facts["fighter"]] = change.get(facts["fighter"], 0) - facts["points"]
            elif event["kind"] == "healed":
                change[facts["fighter"]] = change.get(facts["fighter"], 0) + facts["points"]
        for key, piece in watch.now.items():
            old = watch.before.get(key)
            if old is None:
                continue
            by = piece["wounds"] - old["wounds"]
            if abs(by - change.get(key, 0)) > 1e-9:
                watch.find("warcry.wounds", f"{key} went from {old['wounds']} to {piece['wounds']}")

    return check


def initiative(watch: Watch) -> Check:
    """Six dice: what is alone is a single, what is alike is a double, triple or quad."""

    def check(frame: Frame) -> None:
        faces: dict[int, list[int]] = {}
        for _, roll in rolls(frame):
            if roll["purpose"] == "initiative" and roll.get("side") is not None:
                faces[roll["side"]] = roll["faces"]
        for event in frame.events:
            if event["kind"] == "initiative" and len(faces) == 2:
                for side in (0, 1):
                    counts = {face: faces[side].count(face) for face in set(faces[side])}
                    singles = sum(1 for n in counts.values() if n == 1)
                    sets = sorted([face, min(4, n)] for face, n in counts.items() if n > 1)
                    told = sorted(list(entry) for entry in event["facts"]["sets"][side])
                    if event["facts"]["singles"][side] != singles or told != sets:
                        watch.find("warcry.initiative", f"side {side}: {faces[side]} told as {event['facts']}")

    return check


def targets(watch: Watch) -> Check:
    """An attack is within the range of its weapon, and the attacker sees the target by some straight line."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] != "attack":
                continue
            facts = event["facts"]
            card = watch.last_cards.get(facts["fighter"]) or watch.cards.get(facts["fighter"]) or {}
            ranges = [
                [float(part) for part in str(column(weapon, "range")).split("-")]
                for weapon in card.get("weapons") or ()
                if weapon["name"].get("key") == text_key(facts["weapon"])
            ]
            tables = [(t.get(facts["fighter"]), t.get(facts["target"])) for t in (watch.before, watch.now)]
            pairs = [(a, b) for a, b in tables if a is not None and b is not None]
            told = [facts["distance"]]
            if FLAT in event["rules"]:
                told = [max(0.0, gap(a, b)) for a, b in pairs] or told
            if ranges and all(not _within(distance, far) for far in ranges for distance in told):
                watch.find("warcry.range", f"{facts['fighter']}: {facts['distance']} with {ranges}")
            solid = watch.solid
            if pairs and not any(sees(a, b, solid) for a, b in pairs):
                watch.find("warcry.sight", f"{facts['fighter']} sees nothing of {facts['target']}")

    return check


def _within(distance: float, far: list[float]) -> bool:
    return (len(far) < 2 or distance >= far[0] - 0.01) and distance <= far[-1] + 0.01


def points(watch: Watch) -> Check:
    """What a round scores is added up on the table."""
    score = [0.0, 0.0]

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "scored":
                for side in (0, 1):
                    score[side] += event["facts"]["gained"][side]
        added(watch, frame, score, "warcry")

    return check


def activations(watch: Watch) -> Check:
    """Players take turns: who activates a fighter, then the other does or passes. Nobody is activated twice in a round
    but who waits, and then with one action."""
    actions: dict[str, int] = {}
    last: int | None = None

    def check(frame: Frame) -> None:
        nonlocal last
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "round":
                actions.clear()
            elif event["kind"] == "first-turn":
                last = 1 - facts["side"]
            elif event["kind"] == "passed":
                last = facts["side"]
            elif event["kind"] in ("follows", "inspired"):
                last = None  # an ability gives somebody the next activation
            elif event["kind"] == "activated":
                key = facts["fighter"]
                had = actions.get(key, 0)
                if had + facts["actions"] > 2 + (had > 0):
                    watch.find("warcry.activated", f"{key}: {facts['actions']} actions after {had}")
                actions[key] = had + facts["actions"]
                piece = watch.before.get(key) or watch.now.get(key)
                if piece is None:
                    last = None
                    continue
                if piece["side"] == last:
                    watch.find("warcry.turns", f"{key} of side {last} goes again")
                last = piece["side"]

    return check


def control(watch: Watch) -> Check:
    """Whoever has more fighters by an objective controls it."""

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "control":
                a, b = event["facts"]["near"]
                if a != b and event["facts"]["side"] != int(b > a):
                    watch.find("warcry.control", f"{event['facts']}")

    return check


CHECKS = (ways, hits, distance, damage, initiative, targets, points, activations, control)
