"""The Ninth Age: turns and phases, charges, marches, attacks and tests from their dice, magic, combats, points."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from umpire.audit.frames import Frame, Watch, outline, successes, text_key
from umpire.audit.general import Check, one_way

PHASES = ("charge", "movement", "magic", "shooting", "rally", "melee")
SHARES = ((5, 10), (10, 11), (20, 12), (30, 13), (40, 14), (50, 15))
"""Battle points of the leader while the difference is at most so many hundredths of the army size; beyond, 16."""
NEAR = 0.02

AGAIN, AGAIN_BOUND = "t9a.magic.repeat.penalty", "t9a.magic.repeat.bound"
RESISTS = "t9a.rule.magic-resistance"

Box = tuple[float, float, float, float, float]
"""Middle of the front, facing in radians, width, depth."""


def turns(watch: Watch) -> Check:
    """Six game turns of two player turns, the same side first in each; six phases in each, in their order."""
    seen: list[tuple[int, str]] = []
    phases: list[str] = []

    def check(frame: Frame) -> None:
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "turn":
                if seen and phases != list(PHASES):
                    watch.find("t9a.phases", f"{phases} in {seen[-1]}")
                phases.clear()
                number, side = facts["turn"], text_key(facts["player"])
                if number != len(seen) // 2 + 1 or number > 6:
                    watch.find("t9a.turns", f"turn {number} is player turn {len(seen) + 1}")
                if len(seen) % 2 and side == seen[-1][1]:
                    watch.find("t9a.turns", f"{side} has both player turns of turn {number}")
                if seen and len(seen) % 2 == 0 and side != seen[0][1]:
                    watch.find("t9a.turns", f"{side} goes first in turn {number}")
                seen.append((number, side))
            elif event["kind"] == "phase":
                phases.append(text_key(facts["phase"]).removeprefix("phase."))
                if seen and text_key(facts["player"]) != seen[-1][1]:
                    watch.find("t9a.phases", f"{phases[-1]} of {text_key(facts['player'])} in {seen[-1]}")

    return check


def box(pieces: list[dict[str, Any]]) -> Box:
    """The Unit Boundary: the rectangle about all its models along their facing."""
    turn = math.radians(pieces[0]["facing"])
    ux, uy = math.sin(turn), math.cos(turn)
    points = [point for piece in pieces for point in outline(piece)]
    ahead = [x * ux + y * uy for x, y in points]
    right = [x * uy - y * ux for x, y in points]
    front, middle = max(ahead), (max(right) + min(right)) / 2
    x, y = front * ux + middle * uy, front * uy - middle * ux
    return x, y, turn, max(right) - min(right), front - min(ahead)


def corners(of: Box) -> list[tuple[float, float]]:
    x, y, turn, w, d = of
    ux, uy = math.sin(turn), math.cos(turn)
    return [
        (x + side * uy * w / 2 - back * ux * d, y - side * ux * w / 2 - back * uy * d)
        for side, back in ((-1, 0), (1, 0), (1, 1), (-1, 1))
    ]


def apart(a: Box, b: Box) -> float:
    from shapely import Polygon

    return float(Polygon(corners(a)).distance(Polygon(corners(b))))


def kept(roll: dict[str, Any], net: int) -> list[int]:
    """The dice that are read: of a Maximised roll the lowest go, of a Minimised one the highest."""
    faces = sorted(roll["faces"])
    if not net:
        return faces
    return faces[abs(net) :] if net > 0 else faces[: -abs(net)]


def charges(watch: Watch) -> Check:
    """How far a target was, how far the charge reaches, and that who has charged touches whom it charged."""
    reach: dict[str, float] = {}
    thrown: dict[str, list[int]] = {}
    out: set[str] = set()

    def check(frame: Frame) -> None:
        left: set[str] = set()
        for event in frame.events:
            facts, roll = event.get("facts") or {}, event.get("roll")
            if event["kind"] in ("charges-out", "left"):
                out.add(facts["who"])
            elif event["kind"] == "charge":
                _declared(watch, facts, out)
            elif roll and roll["purpose"] == "charge":
                thrown[roll["who"]] = kept(roll, facts.get("net", 0))
            elif event["kind"] == "charge-range":
                reach[facts["unit"]] = facts["inches"]
                faces = thrown.pop(facts["unit"], [])
                # A War Platform among its crew goes as fast as they do.
                speeds = [
                    min(_members(watch, facts["unit"], "Cha", drawn), default=0) for drawn in ("", "War Platform")
                ]
                if facts["unit"] in out:
                    # Out of its unit it goes as fast as it can: a War Platform is no longer held up by its crew.
                    own = [watch.value(facts["unit"], "Cha", before) for before in (True, False)]
                    speeds = [value for value in own if isinstance(value, int)]
                if len(faces) == 1 and all(s and facts["inches"] != faces[0] + 4 + s for s in speeds):
                    watch.find("t9a.charge-range", f"{facts['unit']}: {facts['inches']} from {faces} and {speeds}")
            elif event["kind"] == "too-short" and facts["gap"] <= facts["inches"] - 1e-6:
                watch.find("t9a.charge-short", f"{facts['unit']}: {facts['gap']} within {facts['inches']}")
            elif event["kind"] == "phase":
                reach.clear()
            elif event["kind"] in ("removed", "slain", "fled", "nudged", "pivoted", "combat-reform", "losses", "rear"):
                left.add(facts.get("unit", ""))
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] != "charged" or left & {facts["unit"], facts["target"]}:
                continue
            old = watch.unit(facts["unit"], before=True), watch.unit(facts["target"], before=True)
            if all(old) and facts["unit"] in reach:
                far = apart(box(old[0]), box(old[1]))
                if far > reach[facts["unit"]] + NEAR:
                    watch.find("t9a.charge-far", f"{facts['unit']}: {far:.2f} with {reach[facts['unit']]}")
            pair = watch.unit(facts["unit"]), watch.unit(facts["target"])
            if all(pair):
                far = apart(box(pair[0]), box(pair[1]))
                if far > NEAR:
                    watch.find("t9a.charged", f"{facts['unit']} stands {far:.3f} from {facts['target']}")
        out.clear()

    return check


def _members(watch: Watch, unit: str, name: str, but: str = "") -> list[int]:
    """A characteristic of each pool that stands in a unit, `but` of those with this rule."""
    pools = {piece["id"].partition("/")[0] for piece in watch.unit(unit, before=True)}
    values = [watch.value(pool, name, before=True) for pool in sorted(pools) if not (but and _bears(watch, pool, but))]
    return [value for value in values if isinstance(value, int)]


def _bears(watch: Watch, pool: str, rule: str) -> bool:
    """Does a card tell this rule by its English name?"""
    rules = (watch.last_cards.get(pool) or {}).get("rules") or ()
    return any(rule in (told.get("name") or told).get("en", "") for told in rules)


def _declared(watch: Watch, facts: dict[str, Any], out: set[str]) -> None:
    if facts["unit"] in out:
        return
    for before in (True, False):
        pair = watch.unit(facts["unit"], before), watch.unit(facts["target"], before)
        if not all(pair):
            return
        if abs(apart(box(pair[0]), box(pair[1])) - facts["gap"]) <= NEAR:
            return
    watch.find("t9a.gap", f"{facts['unit']} to {facts['target']}: {facts['gap']} told")


def moves(watch: Watch) -> Check:
    """The middle of a front goes no further than the Mobility allows, twice as far in a march; a reform keeps the
    centre of the unit and its models. A spell that moves a unit says by how much."""
    by_magic: dict[str, int] = {}

    def check(frame: Frame) -> None:
        for event in frame.events:
            if event["kind"] == "phase":
                by_magic.clear()  # who could move by a spell may have stayed
            if event["kind"] == "magic-move":
                by_magic[event["facts"]["unit"]] = event["facts"]["inches"]
            if event["kind"] != "moved":
                continue
            facts = event["facts"]
            old, new = watch.unit(facts["unit"], before=True), watch.unit(facts["unit"])
            mobility = by_magic.pop(facts["unit"], None) or watch.value(facts["unit"], "Mob", before=True)
            if not old or not new or len(old) != len(new) or not isinstance(mobility, int):
                continue
            was, now = box(old), box(new)
            far = math.hypot(now[0] - was[0], now[1] - was[1])
            action = text_key(facts["action"])
            # A pivot on the spot takes the front along.
            allowed = 2 * mobility if action == "option.march" else mobility + was[4] + was[3]
            if action in ("option.march", "option.normal") and far > allowed + NEAR:
                watch.find("t9a.move", f"{facts['unit']}: {far:.3f} of {allowed}")
            if math.hypot(now[0] - facts["x"], now[1] - facts["y"]) > NEAR:
                watch.find("t9a.move-end", f"{facts['unit']} stands at {now[:2]}, told at {facts['x']}, {facts['y']}")

    return check


def attacks(watch: Watch) -> Check:
    """Hits and wounds are what the dice gave, and nobody loses more Health Points than were wounded, unless wounds
    are multiplied."""

    def check(frame: Frame) -> None:
        hit: dict[str, Any] | None = None
        wound: dict[str, Any] | None = None
        for event in frame.events:
            facts, roll = event.get("facts") or {}, event.get("roll")
            if roll and roll["purpose"] == "hit":
                hit = roll
            elif roll and roll["purpose"] == "wound":
                wound = roll
            elif event["kind"] == "hits":
                if hit is not None and len(hit["faces"]) == facts["dice"]:
                    if not successes(hit) <= facts["hits"] <= facts["dice"] * 6:
                        watch.find("t9a.hits", f"{hit['faces']} needing {hit['need']} gave {facts['hits']}")
                    if facts["hits"] > successes(hit) and not any("rule" in rule for rule in event.get("rules", ())):
                        watch.find("t9a.hits", f"{hit['faces']} needing {hit['need']} gave {facts['hits']}")
                hit = None
            elif event["kind"] == "wounds":
                if facts["wounds"] > facts["hits"]:
                    watch.find("t9a.wounds", f"{facts['wounds']} of {facts['hits']} hits")
                if wound is not None:
                    # Poison and the like wound without a roll.
                    made = successes(wound) + facts["hits"] - len(wound["faces"])
                    if facts["wounds"] != made:
                        watch.find("t9a.wounds", f"{wound['faces']} needing {wound['need']} gave {facts['wounds']}")
                wound = None

    return check


def tests(watch: Watch) -> Check:
    """A test is passed if the dice that are read are no more than what is needed."""

    def check(frame: Frame) -> None:
        last: dict[str, Any] | None = None
        net = 0
        for event in frame.events:
            facts, roll = event.get("facts") or {}, event.get("roll")
            if roll:
                last, net = roll, facts.get("net", net if event["kind"] == "reroll" else 0)
            elif event["kind"] == "test":
                if facts["passed"] != (facts["total"] <= facts["need"]):
                    watch.find("t9a.test", f"{facts['total']} against {facts['need']}: {facts['passed']}")
                if last is not None and last["who"] == facts["unit"] and sum(kept(last, net)) != facts["total"]:
                    watch.find("t9a.test-dice", f"{last['faces']} told as {facts['total']}")

    return check


def magic(watch: Watch) -> Check:
    """A spell is cast if its result reaches its value; it is dispelled if the dispel roll reaches that result; cards
    are drawn from a deck of eight, and no phase spends more dice than there are."""
    drawn: dict[str, int] = {}

    def check(frame: Frame) -> None:
        last: dict[str, dict[str, Any]] = {}
        against = 0
        bound: list[int] = []
        for event in frame.events:
            facts, roll = event.get("facts") or {}, event.get("roll")
            if roll:
                last[roll["purpose"]] = roll
                if roll["purpose"] == "dispel":
                    against = facts.get("result", 0)
            elif event["kind"] == "card":
                side = text_key(facts["player"])
                drawn[side] = drawn.get(side, 0) + 1
                if drawn[side] > 8 or not 4 <= facts["dice"] <= 8:
                    watch.find("t9a.cards", f"{side}: card {drawn[side]} with {facts['dice']} dice")
            elif event["kind"] in ("cast", "cast-failed"):
                if (event["kind"] == "cast") != (facts["result"] >= facts["value"]):
                    watch.find("t9a.cast", f"{facts['result']} against {facts['value']}: {event['kind']}")
                if "cast" in last:
                    faces = bound or last["cast"]["faces"]
                    less = sum(faces) - facts["result"]
                    # Who tries again pays three for each time, one with a bound spell; resistance takes away too.
                    if less < 0 or (less and not {AGAIN, AGAIN_BOUND, RESISTS} & set(event.get("rules", ()))):
                        watch.find("t9a.cast-dice", f"{faces} told as {facts['result']}")
                bound = []
            elif event["kind"] == "bound-dice":
                bound = facts["faces"]
            elif event["kind"] in ("dispelled", "dispel-failed") and "dispel" in last:
                if (event["kind"] == "dispelled") != (facts["total"] >= against):
                    watch.find("t9a.dispel", f"{facts['total']} against {against}: {event['kind']}")
                if not 0 <= facts["total"] - sum(last["dispel"]["faces"]) <= 6:
                    watch.find("t9a.dispel-dice", f"{last['dispel']['faces']} told as {facts['total']}")

    return check


def combats(watch: Watch) -> Check:
    """What the two sides score is told step by step and adds up; whoever has more has won the round."""
    static: list[int] | None = None
    parts = {"side.0": 0, "side.1": 0}

    def check(frame: Frame) -> None:
        nonlocal static
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "combat":
                parts.update({"side.0": 0, "side.1": 0})
            elif event["kind"] == "score":
                parts[text_key(facts["player"])] += facts["amount"]
            elif event["kind"] == "static-score":
                static = list(facts["score"])
                if static != [parts["side.0"], parts["side.1"]]:
                    watch.find("t9a.score", f"{list(parts.values())} told as {static}")
            elif event["kind"] == "combat-result":
                a, b = facts["score"]
                winner = facts.get("winner")
                if winner in (0, 1) and (winner == 0) != (a > b):
                    watch.find("t9a.combat", f"{a} to {b}: {winner} wins")
                if static is not None and (a < static[0] or b < static[1]):
                    watch.find("t9a.combat", f"{static} before the blows, {[a, b]} after them")

    return check


def health(watch: Watch) -> Check:
    """Health Points add up: what a pool has left is what it had less what it lost, more what was given back."""

    def check(frame: Frame) -> None:
        change: dict[str, int] = {}
        other: set[str] = set()
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "losses":
                change[facts["pool"]] = change.get(facts["pool"], 0) - facts["lost"]
            elif event["kind"] in ("raised", "recovered", "summoned", "dying", "excess", "undying", "restored"):
                other.add(facts.get("pool", facts.get("unit", "")))
        for pool in change:
            if pool in other:
                continue
            was, now = _health(watch.before, pool), _health(watch.now, pool)
            if was is not None and now is not None and now != was + change[pool]:
                watch.find("t9a.health", f"{pool} went from {was} to {now} and lost {-change[pool]}")

    return check


def _health(pieces: dict[str, dict[str, Any]], pool: str) -> int | None:
    own = [piece["wounds"] for key, piece in pieces.items() if key.partition("/")[0] == pool]
    return sum(own) if own else None


def points(watch: Watch) -> Check:
    """Victory points are the sum of what was given, the table makes battle points of them, objectives change those."""
    given = {"side.0": 0, "side.1": 0}
    size = 0
    extra = [0, 0]
    told: list[int] = []

    def check(frame: Frame) -> None:
        nonlocal size, told
        for event in frame.events:
            facts = event.get("facts") or {}
            if event["kind"] == "army":
                size = facts["size"]
                if facts["points"] > size:
                    watch.find("t9a.army", f"{facts['points']} points of {size}")
            elif event["kind"] == "points":
                given[text_key(facts["player"])] += facts["points"]
            elif event["kind"] in ("primary", "secondary-won"):
                winner = int(text_key(facts["player"]) == "side.1")
                worth = 3 if event["kind"] == "primary" else 1
                extra[winner] += worth
                extra[1 - winner] -= worth
            elif event["kind"] == "victory-points":
                a, b = given["side.0"], given["side.1"]
                if list(facts["score"]) != [a, b]:
                    watch.find("t9a.victory-points", f"{facts['score']} told, {[a, b]} given")
                told = list(facts["battle"])
                share = Fraction(100 * abs(a - b), size) if size else Fraction(0)
                won = next((value for most, value in SHARES if share <= most), 16)
                if size and told != ([won, 20 - won] if a >= b else [20 - won, won]):
                    watch.find("t9a.battle-points", f"{a} to {b} of {size} gave {told}")
            elif event["kind"] == "outcome" and told:
                shown = [int(score) for score in frame.picture["score"]]
                if shown != [given["side.0"], given["side.1"]]:
                    watch.find("t9a.shown", f"{shown} on the table, {list(given.values())} given")
                want = [max(0, min(20, told[n] + extra[n])) for n in (0, 1)]
                if [int(score) for score in facts["score"]] != want:
                    watch.find("t9a.outcome", f"{want} expected, {facts['score']} told")

    return check


CHECKS = (turns, charges, moves, one_way("t9a.facing"), attacks, tests, magic, combats, health, points)
