"""What came of an answer, counted from events and data: for each title of odds the numbers that the odds are of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from umpire.engine.events import Event
from umpire.games.conquest.picture import regiment_names

Seen = dict[str, int]
Read = Callable[[Any, Any, list[Event]], Seen]
"""From the data before and after and the events between to the numbers that the odds are of, by their names."""


def total(events: Iterable[Event], kind: str, who: str, key: str, fact: str) -> int:
    return sum(event.facts[fact] for event in events if event.kind == kind and event.facts[key] == who)


def first(events: Iterable[Event], *kinds: str) -> Event | None:
    return next((event for event in events if event.kind in kinds), None)


def aos_attack(before: Any, after: Any, events: list[Event]) -> Seen:
    found = first(events, "attacks", "damage")
    target = found.facts.get("target", found.facts["unit"]) if found else before.use.targets[0]
    points = total(events, "allocate", target, "unit", "points")
    return {
        "damage": points,
        "slain": total(events, "allocate", target, "unit", "slain"),
        "unit destroyed": int(after.units[target].where == "gone"),
        "no damage": int(points == 0),
    }


def aos_charge(before: Any, after: Any, events: list[Event]) -> Seen:
    end = first(events, "charged", "charge-fails")
    assert end is not None
    return {"charge": int(end.facts["inches"]), "charge succeeds": int(end.kind == "charged")}


def came(name: str, kind: str) -> Read:
    return lambda before, after, events: {name: int(first(events, kind) is not None)}


def aos_cast(before: Any, after: Any, events: list[Event]) -> Seen:
    return {"cast": int(first(events, "cast") is not None), "miscast": int(first(events, "miscast") is not None)}


def aos_chant(before: Any, after: Any, events: list[Event]) -> Seen:
    return {"can be answered": int(first(events, "answered") is not None), "fails": int(fails(events))}


def fails(events: list[Event]) -> bool:
    return first(events, "chant-fails") is not None


def aos_rally(before: Any, after: Any, events: list[Event]) -> Seen:
    found = first(events, "rally")
    assert found is not None
    return {"points": found.facts["points"]}


def warcry_attack(before: Any, after: Any, events: list[Event]) -> Seen:
    hits = first(events, "hits")
    assert hits is not None
    fighter, target = hits.facts["fighter"], hits.facts["target"]
    fell = first(events, "fall-test")
    cut = events.index(fell) if fell is not None else len(events)
    done = {who: sum(e.facts["points"] + e.facts["lost"] for e in events[:cut] if e.kind == "damage"
                     and e.facts["fighter"] == who) for who in (fighter, target)}  # fmt: skip
    down = {e.facts["fighter"] for e in events[:cut] if e.kind == "taken-down"}
    return {
        "damage": done[target],
        "taken down": int(target in down),
        "no damage": int(done[target] == 0),
        "falls": int(fell is not None and bool(fell.facts["falls"])),
        "back": done[fighter],
        "attacker taken down": int(fighter in down),
    }


def warcry_ability(before: Any, after: Any, events: list[Event]) -> Seen:
    found = first(events, "successes", "damage")
    if found is None:
        return {"taunted": int(first(events, "taunted") is not None), "damage": 0, "no damage": 1}
    damage = sum(e.facts["points"] + e.facts["lost"] for e in events if e.kind == "damage"
                 and e.facts["fighter"] == found.facts["fighter"])  # fmt: skip
    return {"damage": damage, "no damage": int(damage == 0)}


def warcry_initiative(before: Any, after: Any, events: list[Event]) -> Seen:
    found = first(events, "initiative")
    assert found is not None
    return {"singles": found.facts["singles"][0]}


def conquest_attack(before: Any, after: Any, events: list[Event]) -> Seen:
    """The wounds of the regiment that defends, up to whatever it strikes back with."""
    end = first(events, "counter-attack", "charge-failed", "inspired", "deactivated")
    events = events[: events.index(end)] if end is not None else events
    found = first(events, "volley", "attacks", "impact", "cast", "cast-failed", "charged")
    if found is None:
        return {}
    return conquest_wounds(before, after, events, found.facts["target"])


def conquest_clash(before: Any, after: Any, events: list[Event]) -> Seen:
    """All that a Clash brought, blows that were struck back included."""
    end = first(events, "deactivated", "activated", "character-activated")
    events = events[: events.index(end)] if end is not None else events
    found = first(events, "clash")
    assert found is not None
    targets = found.facts["targets"]
    each = {key: conquest_wounds(before, after, events, key) for key in targets}
    own = conquest_wounds(before, after, events, found.facts["regiment"])
    gone = [seen["chance to destroy"] for seen in each.values()]
    seen = each[targets[0]] if len(targets) == 1 else {}
    for key, one in each.items() if len(targets) > 1 else ():
        name = regiment_names(before, before.regiment(key))["en"]
        seen |= {f"{name}: {what}": value for what, value in one.items()} | {f"wounds {key}": one["wounds"]}
    return seen | {
        "wounds": sum(one["wounds"] for one in each.values()),
        "stands": sum(one["stands"] for one in each.values()),
        "some enemy destroyed": max(gone),
        "every enemy destroyed": min(gone),
        "back": own["wounds"],
        "own regiment destroyed": own["chance to destroy"],
    }


def conquest_duel(before: Any, after: Any, events: list[Event]) -> Seen:
    """The wounds of both Characters, and who fell; a name that both bear is told of neither."""
    found = first(events, "duel-blows")
    assert found is not None
    two = [before.characters[found.facts[key]] for key in ("character", "target")]
    slain = [int(not after.characters[one.id].alive) for one in two]
    seen = {"both slain": min(slain)}
    for one, falls in zip(two, slain, strict=True):
        taken = after.characters[one.id].wounds - one.wounds
        seen[f"wounds {one.id}"] = taken + (
            total(events, "allocated", one.regiment, "regiment", "wounds") if one.own else 0
        )
        if two[0].title != two[1].title:
            seen |= {f"{whose} {one.title.names['en']}: slain": falls for whose in ("own", "opponent")}
    return seen


def conquest_wounds(before: Any, after: Any, events: list[Event], target: str) -> Seen:
    was = before.regiments[target]
    gone = any(e.kind == "destroyed" and e.facts["regiment"] == target for e in events)
    broken = any(e.kind == "broken" and e.facts["regiment"] == target for e in events)
    lost = sum(e.kind == "stand-lost" and e.facts["regiment"] == target for e in events)
    return {
        "wounds": total(events, "allocated", target, "regiment", "wounds"),
        "stands": len(was.ordinary()) if gone else lost,
        "broken or destroyed": int(was.broken or broken or gone),
        "chance to destroy": int(gone),
        "chance to be destroyed": int(gone),
    }


def conquest_charge(before: Any, after: Any, events: list[Event]) -> Seen:
    roll = first(events, "charge-roll")
    assert roll is not None
    seen = {"charge": int(roll.facts["charge"]), "chance of success": int(roll.facts["success"])}
    if first(events, "impact") is not None:
        seen["wounds"] = conquest_attack(before, after, events).get("wounds", 0)
    return seen


def conquest_resolve(before: Any, after: Any, events: list[Event]) -> Seen:
    roll = first(events, "resolve-roll")
    assert roll is not None
    seen = {"it obeys": int(roll.facts["passed"]), "chance to do it cleanly": int(roll.facts["passed"])}
    return seen | conquest_wounds(before, after, events, roll.facts["regiment"])


def conquest_spell(before: Any, after: Any, events: list[Event]) -> Seen:
    return conquest_attack(before, after, events) | {"cast": int(first(events, "cast") is not None)}


def conquest_arrivals(before: Any, after: Any, events: list[Event]) -> Seen:
    found = first(events, "reinforcement")
    assert found is not None
    return {"arrivals": found.facts["successes"]}


def _standing(state: Any, key: str) -> tuple[int, int]:
    """The wounds and the models that are left of a unit."""
    unit = state.units[key]
    models = unit.models if unit.where != "gone" else ()
    return sum(model.wounds for model in models), len(models)


def wh40k_volley(before: Any, after: Any, events: list[Event]) -> Seen:
    kinds = ("attacks", "attacks-lost", "far-lost")
    targets = list(dict.fromkeys(event.facts["target"] for event in events if event.kind in kinds))
    found: Seen = {}
    for key in targets:
        had, has = _standing(before, key), _standing(after, key)
        found[f"slain {key}"] = had[1] - has[1]
        if len(targets) == 1:
            lost = had[0] - has[0]
            found |= {"wounds": lost, "slain": had[1] - has[1]}
            found |= {"unit destroyed": int(has[1] == 0), "no wound lost": int(lost == 0)}
    return found


def wh40k_power(before: Any, after: Any, events: list[Event]) -> Seen:
    test = first(events, "psychic-test")
    assert test is not None
    lives = after.units[test.facts["unit"]].where != "gone"
    perils = any(event.kind == "mortal" and "wh40k.psychic.perils" in event.rules for event in events)
    return {
        "result": test.facts["result"],
        "test passed": int(lives and test.facts["result"] >= test.facts["need"]),
        "Perils of the Warp": int(perils),
        "the Psyker is destroyed": int(not lives),
    }


def wh40k_charge(before: Any, after: Any, events: list[Event]) -> Seen:
    end = first(events, "charged", "charge-failed")
    assert end is not None
    return {"charge": int(end.facts["inches"]), "charge succeeds": int(end.kind == "charged")}


def wh40k_deny(before: Any, after: Any, events: list[Event]) -> Seen:
    test = first(events, "denied", "not-denied")
    assert test is not None
    return {"denied": int(test.kind == "denied"), "result": int(test.facts["result"])}


def wh40k_morale(before: Any, after: Any, events: list[Event]) -> Seen:
    test = first(events, "morale")
    assert test is not None
    key = test.facts["unit"]
    fled = _standing(before, key)[1] - _standing(after, key)[1]
    passed = int(first(events, "fled") is None)
    return {"fled": fled, "unit destroyed": int(_standing(after, key)[1] == 0), "passes": passed}


def t9a_cast(before: Any, after: Any, events: list[Event]) -> Seen:
    cast = first(events, "cast", "cast-failed")
    assert cast is not None
    found = {"result": max(0, cast.facts["result"]), "the spell is cast": int(cast.kind == "cast")}
    faces = next(event.roll.faces for event in events if event.roll is not None)
    alike = len(set(faces)) == 1 if len(faces) == 2 else any(faces.count(face) > 2 for face in faces)
    return found if before.cast.bound else {**found, "miscast": int(alike and cast.kind == "cast")}


def t9a_volley(before: Any, after: Any, events: list[Event]) -> Seen:
    volley = first(events, "volley")
    if volley is None:
        return {}
    target = volley.facts["target"]
    unit = before.units[target]
    end = next((n for n, event in enumerate(events) if event.kind == "phase"), len(events))
    events = [event for event in events[:end] if event.facts.get("unit") == target]
    lost = sum(event.facts["lost"] for event in events if event.kind == "losses")
    shaken = first(events, "shaken") is not None
    due = lost > 0 and lost + unit.ranged >= 3 and 4 * (lost + unit.ranged) >= unit.hp_start
    wiped = lost >= sum(before.pools[key].hp for key in unit.members)
    return {"lost": lost, "panic is due": int(due), "panics": int(shaken), "wiped out": int(wiped)}


def t9a_charge(before: Any, after: Any, events: list[Event]) -> Seen:
    """Of a target that holds: whoever flees, or is driven off by Terror, is not charged over the same distance."""
    declared = [key for key, unit in after.units.items() if unit.declared and not _declared(before, key)]
    if len(declared) != 1 or first(events, "must-flee") is not None:
        return {}
    own = [event for event in events if event.facts.get("unit") == declared[0]]
    rolled, short = first(own, "charge-range"), first(own, "too-short")
    if rolled is None or not (short or first(own, "charged", "failed-charge")):
        return {}
    return {"range": rolled.facts["inches"], "the charge reaches": int(short is None)}


def _declared(state: Any, key: str) -> bool:
    return key in state.units and state.units[key].declared


def t9a_flight(before: Any, after: Any, events: list[Event]) -> Seen:
    rolled = next(n for n, event in enumerate(events) if event.roll is not None)
    # What is kept of these dice is told at once; a later one is of the charge that follows.
    after_it = first(events[rolled + 1 : rolled + 2], "kept")
    roll = events[rolled].roll
    assert roll is not None
    return {"distance": sum(after_it.facts["faces"] if after_it is not None else roll.faces)}


def t9a_pursuit(before: Any, after: Any, events: list[Event]) -> Seen:
    """Whether the unit that was asked has caught its quarry: another that pursues it may catch it too."""
    mine = first(events, "pursues")
    if mine is None:
        return {}
    far = next(entry[3] for entry in before.round.broken if entry[0] == mine.facts["target"])
    return {"caught": int(mine.facts["inches"] >= far and first(events, "caught") is not None)}


def t9a_test(before: Any, after: Any, events: list[Event]) -> Seen:
    test = first(events, "test")
    return {} if test is None else {"passes": int(test.facts["passed"])}


def t9a_round(before: Any, after: Any, events: list[Event]) -> Seen:
    result = first(events, "combat-result")
    assert result is not None
    mine = [key for key in result.facts["units"] if before.units[key].side == before.active]
    theirs = [key for key in result.facts["units"] if key not in mine]
    return _of_round(events, before.active, mine[0], theirs[0])


def _of_round(events: list[Event], side: int, own: str, foe: str) -> Seen:
    """A round of combat of one unit against one other, as the first one's side sees it."""
    end = next((n for n, event in enumerate(events) if event.kind == "unlocked"), len(events))
    result = first(events[:end], "combat-result")
    assert result is not None
    broke = [event.facts["unit"] for event in events[:end] if event.kind == "breaks"]
    caught = [event.facts["unit"] for event in events[:end] if event.kind == "caught"]
    return {
        "wins the round": int(result.facts["winner"] == side),
        "loses the round": int(result.facts["winner"] == 1 - side),
        "the enemy breaks": int(foe in broke),
        "the enemy breaks and is caught": int(foe in caught),
        "own unit breaks": int(own in broke),
    }


def t9a_hold(before: Any, after: Any, events: list[Event]) -> Seen:
    """Whether the charge arrives; and of the combat that follows, if it does, all that is told of a round, as the side
    that was charged sees it."""
    rolled, short = first(events, "charge-range"), first(events, "too-short")
    if rolled is None or first(events, "must-flee") is not None:
        return {}
    found = {"the charge reaches": int(short is None)}
    if short is None and first(events, "combat-result") is not None:
        side = 1 - before.active
        mine, theirs = ([key for key, unit in before.units.items() if unit.side == s] for s in (side, 1 - side))
        found |= _of_round(events, side, mine[0], theirs[0])
    return found


READ: dict[str, dict[str, Read]] = {
    "t9a": {
        "Casting": t9a_cast,
        "Dispelling": came("dispelled", "dispelled"),
        "Shooting": t9a_volley,
        "Charge": t9a_charge,
        "Holding": t9a_hold,
        "Fleeing": t9a_flight,
        "A command or courage test": t9a_test,
        "A round of combat": t9a_round,
        "Pursuit": t9a_pursuit,
    },
    "wh40k": {
        "Shooting": wh40k_volley,
        "Fighting": wh40k_volley,
        "Overwatch": wh40k_volley,
        "Psychic power": wh40k_power,
        "Charge": wh40k_charge,
        "Deny the Witch": wh40k_deny,
        "Morale": wh40k_morale,
    },
    "aos": {
        "Attack": aos_attack,
        "Mortal damage": aos_attack,
        "Charge": aos_charge,
        "Spell": aos_cast,
        "Unbind": came("spell unbound", "unbound"),
        "Prayer": aos_chant,
        "Banish": came("banished", "banished"),
        "Place of Power": came("empowered", "empowered"),
        "Rally": aos_rally,
    },
    "warcry": {"Attack": warcry_attack, "Initiative": warcry_initiative, "": warcry_ability},
    "conquest": {
        "Volley": conquest_attack,
        "Clash": conquest_clash,
        "Duel": conquest_duel,
        "Charge": conquest_charge,
        "Resolve roll": conquest_resolve,
        "Spell": conquest_spell,
        "Reinforcements": conquest_arrivals,
    },
}
"""By the title of the odds; "" stands for every other."""
