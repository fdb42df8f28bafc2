"""Set pieces for the proof of the odds: fights that random battles seldom come to, between regiments of the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng, seed_of
from umpire.engine.scene import scene
from umpire.games.conquest import content

MEET = (36.0, 20.0)
APART = 0.02
"""Between two regiments of a side that stand shoulder to shoulder."""


def _regiments(of: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    found = [(f.id, entry) for f in content.factions().values() for entry in f.regiments]
    return [(faction, entry) for faction, entry in found if not of or content.profile_of(entry).type in of]


def _regiment(key: str, side: int, picked: tuple[str, Any], stands: int, files: int) -> dict[str, Any]:
    faction, entry = picked
    return {
        "id": key,
        "side": side,
        "entry": f"{faction}/{entry.id}",
        "stands": stands,
        "files": files,
        "x": MEET[0],
        "y": MEET[1],
        "facing": 180.0 * side,
    }


def _hero(key: str, side: int, regiment: dict[str, Any], kind: str, rng: Rng) -> list[dict[str, Any]]:
    """A Character who can be in the regiment, if there is one."""
    found = [
        f"{faction.id}/{entry.id}"
        for faction in content.factions().values()
        for entry in faction.characters
        if content.profile_of(entry).type == kind
    ]
    return [{"id": key, "side": side, "regiment": regiment["id"], "entry": rng.choice(found)}] if found else []


def _scene(regiments: list[dict[str, Any]], heroes: list[dict[str, Any]], seed: int, **more: Any) -> Battle[Any]:
    stacks = [[], [r["entry"].rpartition("/")[2] or r["id"] for r in regiments if r["side"] == 1]]
    position = {"regiments": regiments, "characters": heroes, "stacks": stacks, **more}
    return scene({"game": "conquest", "seed": seed, "position": position})


def clash(seed: int) -> Battle[Any]:
    """A regiment that two enemies touch in front and now and then a third in its flank; some have a Character."""
    rng = Rng(seed_of("clash", seed))
    own, *enemies = (rng.choice(_regiments(("infantry", "brute", "cavalry"))) for _ in range(3 + (rng.below(4) == 0)))
    regiments = [_regiment("a", 0, own, 4 + rng.below(3), 4)]
    heroes: list[dict[str, Any]] = []
    for n, picked in enumerate(enemies):
        one = _regiment("bcd"[n], 1, picked, 2 + rng.below(3), 2)
        width, _ = content.profile_of(picked[1]).stand
        if n < 2:
            one["x"] += (width + APART) * (1 if n else -1)
        else:
            wide, deep = content.profile_of(own[1]).stand
            one |= {"x": one["x"] + 2 * wide, "y": one["y"] - deep / 2, "facing": 270.0, "stands": 1, "files": 1}
        regiments.append(one)
    for n, (one, (_, entry)) in enumerate(zip(regiments, (own, *enemies), strict=True)):
        found = _hero(f"h{n}", one["side"], one, content.profile_of(entry).type, rng) if rng.below(3) == 0 else []
        if found and one["side"]:
            one["stands"] = one["files"] = 1  # he makes the front two wide
        heroes += found
    return _scene(regiments, heroes, seed, moment="actions", who="a")


def duel(seed: int) -> Battle[Any]:
    """Two Characters whose regiments are in contact, or one of whom is a regiment by himself."""
    rng = Rng(seed_of("duel", seed))
    regiments: list[dict[str, Any]] = []
    heroes: list[dict[str, Any]] = []
    for side in (0, 1):
        picked = rng.choice(_regiments(("infantry", "cavalry")))
        regiments.append(_regiment("ab"[side], side, picked, 3, 2))
        heroes += _hero("hf"[side], side, regiments[-1], content.profile_of(picked[1]).type, rng)
    if rng.below(3) == 0:
        regiments[1] |= {"entry": heroes[1]["entry"], "stands": 1, "files": 1}
        heroes[1]["own"] = True
    return _scene(regiments, heroes, seed, moment="character", who="h")


PIECES: dict[str, dict[str, Callable[[int], Battle[Any]]]] = {"conquest": {"clash": clash, "duel": duel}}
