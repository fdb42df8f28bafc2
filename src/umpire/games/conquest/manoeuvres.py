"""What a March may be made of: its directions, its distance, what an answer means (conquest.march.*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpire.engine.decisions import number_ok
from umpire.engine.rulings import Reason
from umpire.space.ranks.fronts import Pose
from umpire.space.shapes import TOLERANCE

from .drill import HOWS, SIDEWAYS, Fits, Free, Manoeuvre, cost, longest, nearest_to, ways_to


def well_formed(path: Any) -> list[Reason]:
    """Is this a list of manoeuvres at all?"""
    for leg in path:
        how = leg.get("how")
        amount = leg.get("degrees" if how == "wheel" else "inches")
        if how not in HOWS or not number_ok(amount) or (how != "wheel" and amount < 0):
            return [Reason("conquest.march.direction.forward", "reason.manoeuvre", {"how": str(how)[:40]})]
    return []


def distance_reasons(path: Sequence[Manoeuvre], wide: float, limit: float) -> list[Reason]:
    """Distance, half rate and mixing of directions."""
    used = {leg["how"] for leg in path}
    reasons: list[Reason] = []
    sideways = [how for how in SIDEWAYS if how in used]
    if len(sideways) > 1 or (sideways and len(used) > 1):
        reasons.append(Reason("conquest.march.direction.no-mixing", facts={"directions": sorted(used)}))
    spent = cost(wide, path)
    if sideways and spent > limit / 2 + TOLERANCE:
        facts = {"moved": round(spent, 3), "allowed": limit / 2}
        reasons.append(Reason("conquest.march.direction.half-rate", facts=facts))
    elif spent > limit + TOLERANCE:
        reasons.append(Reason("conquest.march.distance", facts={"moved": round(spent, 3), "allowed": limit}))
    return reasons


def rule_of_path(path: Sequence[Manoeuvre]) -> str:
    """The rule that says how a path was moved."""
    hows = [leg["how"] for leg in path]
    if any(how in SIDEWAYS for how in hows):
        return "conquest.march.direction.half-rate"
    if hows.count("wheel") > 1:
        return "conquest.march.wheel.multiple"
    if "wheel" in hows:
        return "conquest.march.wheel"
    return "conquest.march.direction.forward" if hows else "conquest.march.distance"


def path_of(wide: float, where: Pose, answer: Any, fits: Fits = lambda path: True) -> list[Manoeuvre] | list[Reason]:
    """The manoeuvres of an answer: its path, the first found for its goal that fits (or the first at all), or none."""
    if "stay" in answer:
        return []
    if "path" in answer:
        problem = well_formed(answer["path"])
        return problem or list(answer["path"])
    goal = answer["to"]
    first: list[Manoeuvre] | None = None
    for way in ways_to(where, wide, goal["x"], goal["y"], goal.get("facing")) if "x" in goal else ():
        if fits(way):
            return way
        first = first or way
    return first or [Reason("conquest.march.direction.forward", "reason.no-manoeuvre", dict(goal))]


def furthest(wide: float, where: Pose, answer: Any, limit: float, fits: Fits, free: Free | None = None) -> Any:
    """Of a refused answer the longest part that is legal; of a goal what comes nearest to it. None where there is
    nothing."""
    best: list[Manoeuvre] | None = None
    goal = answer.get("to")
    if "path" in answer:
        best = None if well_formed(answer["path"]) else longest(answer["path"], wide, limit, fits, free)
    elif goal is not None and "x" in goal:
        best = nearest_to(where, wide, goal["x"], goal["y"], goal.get("facing"), limit, fits, free)
    return {"path": best} if best else None
