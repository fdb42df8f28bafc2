"""Conquest: marches leg by leg, hits, defence and morale from their dice, stands in ranks."""

from __future__ import annotations

import math
from typing import Any

from umpire.audit.frames import Frame, Watch, gap, successes
from umpire.audit.general import Check, in_order, one_way

PHASES = ("reinforcement", "command", "supremacy", "action", "victory")
SEIZED = {"conquest.draw-event.seize-the-moment"}
"""What lets somebody draw out of turn."""
HEALING = ("healed", "restored", "escort-joined", "escort-left", "seek-escort", "duel-wounds", "character-slain")
"""What changes who stands in a regiment, or how hale, beside wounds that are allocated."""


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


def activations(watch: Watch) -> Check:
    """Nobody is activated by a card twice in a round."""
    activated: set[str] = set()

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "round":
                activated.clear()
            elif event["kind"] == "activated" and event["facts"]["by_card"]:
                unit = event["facts"]["regiment"]
                if unit in activated:
                    watch.find("conquest.activated", f"{unit} twice in a round")
                activated.add(unit)

    return check


def cards(watch: Watch) -> Check:
    """The lower die goes first, and who goes first draws first; then they draw in turns while both have cards."""
    left = [0, 0]
    last: int | None = None
    named = ""

    def check(frame: Frame) -> None:
        nonlocal last, named
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "activated":
                named = facts["regiment"]
            elif event["kind"] == "destroyed" and facts["regiment"] == named and last is not None:
                last = 1 - last  # lost before it could act: another card is drawn
            elif event["kind"] in ("draw-event", "action", "deactivated"):
                named = ""
            elif event["kind"] == "stacks":
                left[:] = facts["cards"]
            elif event["kind"] == "first-player":
                side, rolled = facts["side"], facts["dice"]
                if rolled[side] > rolled[1 - side]:
                    watch.find("conquest.supremacy", f"{rolled}: side {side} goes first")
                last = 1 - side
            elif event["kind"] == "card-discarded":
                last = 1 - facts["side"]  # it draws another in its place
            elif event["kind"] in ("card", "card-spent"):
                side = facts["side"]
                left[side] -= 1
                seized = event["kind"] == "card-spent" or SEIZED.intersection(event["rules"])
                if side == last and left[1 - side] > 0 and not seized:
                    watch.find("conquest.cards", f"side {side} draws again, {left[1 - side]} cards left to the other")
                if left[side] < 0:
                    watch.find("conquest.cards", f"side {side} draws from an empty stack")
                last = side

    return check


def arrivals(watch: Watch) -> Check:
    """As many regiments of a class arrive as dice succeed."""

    def check(frame: Frame) -> None:
        roll = None
        for event in frame.events:
            if event.get("roll") and event["roll"]["purpose"] == "reinforcement":
                roll = event["roll"]
            elif event["kind"] == "reinforcement" and roll is not None:
                if event["facts"]["successes"] != successes(roll):
                    watch.find("conquest.reinforcement", f"{roll['faces']} on {roll['need']}: {event['facts']}")
                roll = None

    return check


def reach(watch: Watch) -> Check:
    """A charge is as far as it is told: from the nearest stand to the nearest stand, when it was declared or rolled."""
    far: dict[tuple[str, str], list[float]] = {}

    def check(frame: Frame) -> None:
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] not in ("charge-declared", "charge-roll"):
                continue
            pair = facts["regiment"], facts["target"]
            if event["kind"] == "charge-declared":
                far[pair] = []
            far.setdefault(pair, []).extend(_gaps(watch, *pair))
            known = far[pair]
            if event["kind"] == "charge-roll" and known and min(abs(g - facts["distance"]) for g in known) > 0.02:
                watch.find("conquest.distance", f"{pair}: {facts['distance']} told, {known}")

    return check


def _gaps(watch: Watch, unit: str, target: str) -> list[float]:
    """How far apart two regiments are, now and before this answer."""
    found = []
    for before in (True, False):
        own, foes = watch.unit(unit, before), watch.unit(target, before)
        if own and foes:
            found.append(max(0.0, min(gap(a, b) for a in own for b in foes)))
    return found


def casualties(watch: Watch) -> Check:
    """A regiment has as many wounds less as were allocated."""
    had: dict[str, float] = {}

    def check(frame: Frame) -> None:
        told: dict[str, float] = {}
        pools: set[str] = set()
        for event in frame.events:
            if event["kind"] == "allocated":
                unit = event["facts"]["regiment"]
                told[unit] = told.get(unit, 0) + event["facts"]["wounds"]
                pools.discard(unit)
            elif event["kind"] == "wound-pool":
                pools.add(event["facts"]["regiment"])
        if any(event["kind"] in HEALING for event in frame.events):
            had.clear()
        for unit in told.keys() | {piece["unit"] for piece in watch.now.values()}:
            now = math.fsum(piece["wounds"] for piece in watch.unit(unit))
            want = had.get(unit)
            if unit in pools:  # some of it may be gone already, and is told when all is allocated
                had[unit] = want - told.get(unit, 0) if want else 0.0
                continue
            if unit in told and want and now and abs(want - told[unit] - now) > 1e-9:
                watch.find("conquest.casualties", f"{unit}: {told[unit]} allocated, from {want} to {now}")
            if unit in told or not had.get(unit):
                had[unit] = now

    return check


CHECKS = (
    marches, dice, one_way("conquest.facing"), blocks, points, activations, cards, arrivals, reach, casualties,
    in_order("conquest.phases", PHASES, "round"),
)  # fmt: skip
