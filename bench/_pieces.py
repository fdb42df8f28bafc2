"""Set pieces for the proof of the odds: what random battles seldom come to, with units of the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng, seed_of
from umpire.engine.scene import scene
from umpire.games.conquest import content
from umpire.games.t9a import content as ninth
from umpire.games.t9a.weapons import weapon_of
from umpire.games.wh40k import content as fortyk

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


# -- Warhammer 40,000: what random battles seldom come to, with datasheets of the library ---------------------------


def _sheets(*keywords: str, **with_: str) -> list[Any]:
    """The datasheets that have these keywords and something of each of these names."""
    found = fortyk.datasheets().values()
    able = [s for s in found if all(map(s.has, keywords)) and all(getattr(s, name) for name in with_)]
    return [s for s in able if s.role != "fortification" and not s.has("aircraft")]


def _squad(key: str, sheet: Any, y: float, count: int, **more: Any) -> dict[str, Any]:
    """Some models of a datasheet side by side, from the middle of the table on."""
    row = sheet.rows[0]
    wide = 2 * row.reach[0] + 0.2
    spots = [[12.0 + wide * n, y] for n in range(count)]
    return {"id": key, "side": "ab".index(key[0]), "sheet": sheet.id, "models": spots, **more}


def _many(sheet: Any, rng: Rng) -> int:
    most = int(20.0 / (2 * sheet.rows[0].reach[0] + 0.2))
    return min(most, rng.between(1, max(1, min(8, sheet.rows[0].most))))


def _fortyk(seed: int, phase: str, *units: dict[str, Any], cp: int = 0) -> Battle[Any]:
    sides = [{"cp": cp, "wishes": []}, {"cp": cp, "wishes": []}]
    position = {"units": list(units), "phase": phase, "round": 2, "sides": sides}
    return scene({"game": "wh40k", "seed": seed, "position": position})


def _meeting(seed: int, name: str, *keywords: str) -> tuple[Rng, dict[str, Any], dict[str, Any]]:
    """A unit in front of another, so far apart that a charge may arrive or fail."""
    rng = Rng(seed_of(name, seed))
    own, foe = rng.choice(_sheets()), rng.choice(_sheets(*keywords))
    near = own.rows[0].reach[0] + foe.rows[0].reach[0] + rng.between(30, 100) / 10
    return rng, _squad("a1", own, 5.0, _many(own, rng)), _squad("b1", foe, 5.0 + near, _many(foe, rng))


def charge(seed: int) -> Battle[Any]:
    """Will the charge arrive?"""
    _, own, foe = _meeting(seed, "charge")
    return _fortyk(seed, "charge", own, foe)


def overwatch(seed: int) -> Battle[Any]:
    """The target may fire at those who charge it."""
    _, own, foe = _meeting(seed, "overwatch")
    fought = _fortyk(seed, "charge", own, foe, cp=1)
    for answer in ("a1", ["b1"]):
        if fought.decision is not None and fought.check(answer).legal:
            fought.answer(answer)
    while fought.decision is not None and fought.decision.prompt.key == "ask.defensible":
        fought.answer("hold-steady")
    return fought


def _psykers(seed: int, name: str) -> Battle[Any]:
    rng = Rng(seed_of(name, seed))
    able = [s for s in _sheets("psyker") if s.psychic is not None]
    own, other, foe = rng.choice(able), rng.choice(able), rng.choice(_sheets())
    units = [
        _squad("a1", own, 5.0, 1),
        _squad("b1", foe, 13.0, _many(foe, rng)),
        {**_squad("b2", other, 20.0, 1), "models": [[6.0, 20.0]]},
    ]
    fought = _fortyk(seed, "psychic", *units)
    if fought.decision is not None and fought.decision.prompt.key == "ask.psyker":
        fought.answer("a1")
    return fought


def power(seed: int) -> Battle[Any]:
    """A Psyker chooses a power; an enemy Psyker is near."""
    return _psykers(seed, "power")


def denial(seed: int) -> Battle[Any]:
    """A power that an enemy Psyker may deny."""
    for n in range(40):
        fought = _psykers(seed * 40 + n, "denial")
        if fought.decision is not None and fought.decision.prompt.key == "ask.power":
            fought.answer(next(iter(fought.decision.options)))
        if fought.decision is not None and fought.decision.prompt.key == "ask.deny":
            break
    return fought


def morale(seed: int) -> Battle[Any]:
    """A unit that lost models, whose owner might call it insanely brave."""
    rng = Rng(seed_of("morale", seed))
    sheet = rng.choice([s for s in _sheets() if s.rows[0].most > 2])
    left, dead = rng.between(1, 7), rng.between(1, 6)
    own = _squad("a1", sheet, 5.0, left, dead=dead, died=dead, starting=left + dead)
    return _fortyk(seed, "morale", own, _squad("b1", rng.choice(_sheets()), 25.0, 1), cp=2)


def _ninth(seed: int, moment: str, *units: dict[str, Any], until: str = "phase") -> Battle[Any]:
    return scene({"game": "t9a", "seed": seed, "position": {"moment": moment, "until": until, "units": list(units)}})


def _block(key: str, side: int, rng: Rng, x: float, y: float, shooting: bool = False, **more: Any) -> dict[str, Any]:
    """Soldiers of some entry of an army book, or some that shoot."""
    found = [(book, e) for _, book in sorted(ninth.books().items()) for e in book.entries if not e.character]
    book, entry = rng.choice([(b, e) for b, e in found if (_shoots(e) if shooting else e.least >= 10)])
    models = rng.between(10, 20)
    return {
        "id": key, "side": side, "entry": f"{book.id}/{entry.id}", "models": models, "x": x, "y": y,
        "facing": 180.0 * side, **more,
    }  # fmt: skip


def _shoots(entry: Any) -> bool:
    parts = ninth.profile_of(entry, entry.id).parts
    weapons = [weapon_of(part, key) for part in parts for key in part.weapons]
    return entry.least >= 5 and any(weapon.shooting and weapon.range >= 18 for weapon in weapons)


def ninth_volley(seed: int) -> Battle[Any]:
    """Shooters with somebody in range."""
    rng = Rng(seed_of("t9a volley", seed))
    own = _block("a", 0, rng, 36.0, 20.0, shooting=True)
    fought = _ninth(seed, "shooting", own, _block("b", 1, rng, 36.0, 34.0))
    if fought.decision is not None and fought.check("a").legal:
        fought.answer("a")
    return fought


def ninth_charge(seed: int) -> Battle[Any]:
    """So far apart that the charge may arrive or fail."""
    rng = Rng(seed_of("t9a charge", seed))
    far = rng.between(80, 120) / 10
    fought = _ninth(seed, "charge", _block("a", 0, rng, 36.0, 20.0), _block("b", 1, rng, 36.0, 20.0 + far))
    if fought.decision is not None and fought.check("a").legal:
        fought.answer("a")
    return fought


def ninth_rally(seed: int) -> Battle[Any]:
    """Two units that flee: which one is to be rallied first?"""
    rng = Rng(seed_of("t9a rally", seed))
    fleeing = [_block(key, 0, rng, x, 12.0, shaken=True) for key, x in (("a", 20.0), ("c", 50.0))]
    return _ninth(seed, "rally", *fleeing, _block("b", 1, rng, 36.0, 40.0))


def ninth_combat(seed: int) -> Battle[Any]:
    """Two combats of one unit against one other: which is fought first?"""
    rng = Rng(seed_of("t9a combat", seed))
    units = [_block(key, side, rng, x, 24.0) for key, side, x in (("a", 0, 18.0), ("b", 1, 18.0), ("c", 0, 54.0))]
    return _ninth(seed, "melee", *units, _block("d", 1, rng, 54.0, 24.0))


def ninth_hold(seed: int) -> Battle[Any]:
    """A charge is declared, and its target may hold; what comes of it is seen in the combat of the same turn."""
    rng = Rng(seed_of("t9a hold", seed))
    far = rng.between(70, 110) / 10
    own, foe = _block("a", 0, rng, 36.0, 20.0), _block("b", 1, rng, 36.0, 20.0 + far)
    fought = _ninth(seed, "charge", own, foe, until="battle")
    for answer in ("a", "b"):
        if fought.decision is not None and fought.check(answer).legal:
            fought.answer(answer)
    return fought


def ninth_redirect(seed: int) -> Battle[Any]:
    """The target of a charge flees, and another is in reach."""
    for n in range(40):
        rng = Rng(seed_of("t9a redirect", seed, n))
        own = _block("a", 0, rng, 36.0, 20.0)
        fought = _ninth(seed, "charge", own, _block("b", 1, rng, 31.0, 27.0), _block("c", 1, rng, 41.0, 27.0))
        for answer in ("a", "b", "flee"):
            if fought.decision is not None and fought.check(answer).legal:
                fought.answer(answer)
        while fought.decision is not None and fought.decision.prompt.key == "ask.charge":
            fought.answer("end")
        if fought.decision is not None and fought.decision.prompt.key == "ask.redirect":
            break
    return fought


def ninth_stand(seed: int) -> Battle[Any]:
    """Pistols and javelins have been charged from far enough away: will they stand and shoot?"""
    for n in range(40):
        rng = Rng(seed_of("t9a stand", seed, n))
        weapon, needed = rng.choice((("pistol", 3), ("throwing", 4)))
        thrower = {"parts": [{"str": rng.between(3, 5), "weapons": [weapon], "aim": {weapon: needed}}]}
        foe = {"id": "b", "side": 1, "profile": thrower, "models": rng.between(5, 15), "x": 36.0, "y": 29.0}
        foe["facing"] = 180.0
        fought = _ninth(seed + n, "charge", _block("a", 0, rng, 36.0, 20.0), foe)
        for answer in ("a", "b", "hold"):
            if fought.decision is not None and fought.check(answer).legal:
                fought.answer(answer)
        if fought.decision is not None and fought.decision.prompt.key == "ask.stand-and-shoot":
            break
    return fought


PIECES: dict[str, dict[str, Callable[[int], Battle[Any]]]] = {
    "t9a": {
        "charge": ninth_charge,
        "rally": ninth_rally,
        "volley": ninth_volley,
        "combat": ninth_combat,
        "hold": ninth_hold,
        "redirect": ninth_redirect,
        "stand": ninth_stand,
    },
    "conquest": {"clash": clash, "duel": duel},
    "wh40k": {"charge": charge, "overwatch": overwatch, "power": power, "denial": denial, "morale": morale},
}
