"""What the planner is told of The Ninth Age: which answers to think of first, by exact odds where dice will fall."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.game import Hints
from umpire.engine.rng import Rng
from umpire.space import spans

from . import aligning, charge_moves, sorcery
from .characteristics import mobility
from .combat_worth import Known, clash, each_blow, kept, per_point
from .formation import arc_of, box, facing_of, pivot
from .judgement import Fears, adds, arrival, brings, flight, flush, nearest_foe, prospect, together
from .manoeuvring import move_action, moved_unit, moves, place
from .model_rules import every
from .questions import summed
from .sorcery import cast_dice, dispel_dice, spell_choice
from .spacing import between
from .state import Kind, State, Unit
from .volley_odds import volley_dist
from .worth import swing, terms

SURE = 2
"""So many of the charges that look best are weighed by exact odds."""


def candidates(battle: Battle[State], decision: Decision, rng: Rng) -> Iterator[Any]:
    if decision.prompt.key in ("ask.spell-target", "ask.spell-point"):
        yield from sorcery.targets(battle, decision)
        return
    find = IDEAS.get(decision.prompt.key)
    if find is not None:
        yield from find(battle.state, decision, rng)


# -- ideas ------------------------------------------------------------------------------------------------------------


def charges(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """The unit with the best charge, by itself or together with another; none if none is worth it."""
    best: list[tuple[float, str]] = []
    could = within_charge(state, [key for key in getattr(decision, "options", {}) if key in state.units])
    known: Known = {}
    for key, foes in could.items():
        told = weighed(state, state.units[key], foes, could, known)
        best.append((max((value for value, _ in told), default=-1.0), key))
    best.sort(key=lambda b: (-b[0], b[1]))
    for value, key in best:
        if value > 0:
            yield key
    yield "end"


def within_charge(state: State, keys: Sequence[str]) -> dict[str, list[Unit]]:
    """Whom each of some units may come flush with by a charge. Who can only lean on a foe thinks of others: whether
    there is such a place is long to be found out, and it is a poor one."""
    from .charging import about

    units = [state.units[key] for key in keys]
    return {unit.id: [foe for foe in about(state, unit, None) if flush(state, unit, foe)] for unit in units}


def weighed(
    state: State, unit: Unit, foes: Sequence[Unit], could: Mapping[str, Sequence[Unit]], known: Known | None = None
) -> list[tuple[float, str]]:
    """What its charges bring, the best first: a few of them by exact odds, and those that others can join."""
    known = {} if known is None else known
    rough = sorted(((prospect(state, unit, foe, known=known), foe.id) for foe in foes), key=lambda v: (-v[0], v[1]))
    found = [(prospect(state, unit, state.units[key], True, known), key) for _, key in rough[:SURE]]
    found += rough[SURE:]
    for n, (value, key) in enumerate(found):
        foe = state.units[key]
        if state.engaged(key) or foe.shaken or any(u.target == key for u in state.table(unit.side)):
            continue
        for other, others in could.items():
            if other != unit.id and any(o.id == key for o in others):
                value = max(value, 0.5 * together(state, unit, state.units[other], foe, known))
        found[n] = (value, key)
    return sorted(found, key=lambda v: (-v[0], v[1]))


def charge_target(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    from .charging import may_declare

    unit = state.units.get(decision.about)
    if unit is None or unit.where != "table":
        return
    could = within_charge(state, [unit.id])[unit.id]
    foes = [foe for foe in could if foe.id in getattr(decision, "options", {})]
    friends = [u.id for u in state.table(unit.side) if u.id != unit.id and may_declare(state, u)]
    yield from [key for _, key in weighed(state, unit, foes, within_charge(state, friends))]
    yield "stay"


def elsewhere(state: State, unit: Unit) -> list[tuple[float, str]]:
    """What it would bring to charge others than the one that fled from it, the best first."""
    before, unit.target = unit.target, ""
    foes = [foe for foe in within_charge(state, [unit.id])[unit.id] if foe.id != before]
    found = weighed(state, unit, foes, {})
    unit.target = before
    return found


def redirect(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Where another is more worth to charge than the one that flees: whoever is left may be far too strong for it."""
    unit = state.unit(decision.about)
    fled = prospect(state, unit, state.units[unit.target])
    yield any(value > max(0.0, fled) for value, _ in elsewhere(state, unit)[:1])


def redirect_target(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    offered = getattr(decision, "options", {})
    yield from [key for value, key in elsewhere(state, state.unit(decision.about)) if value > 0 and key in offered]
    yield "stay"


def charge_order(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Those first whose way is free now: they leave room for the others."""

    def barred(key: str) -> int:
        foe = state.units[key]
        chargers = [u for u in state.table(1 - foe.side) if u.target == key and u.declared]
        return sum(aligning.contact(state, unit, foe, misaligned=False) is None for unit in chargers)

    yield from sorted((key for key in getattr(decision, "options", {}) if key in state.units), key=barred)


def react(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Stand, unless the round costs more than to flee: whoever stands may yet be helped."""
    unit = state.unit(decision.about)
    charger = state.units.get((decision.data or {}).get("charger", ""))
    if charger is not None and charger.where == "table" and not unit.shaken:
        flank = charge_moves.target_facing(state, charger, unit) != "front"
        told = brings(state, charger, unit) if flush(state, charger, unit) else None
        suffered = clash(state, charger, unit, flank) if told is None else told
        suffered *= arrival(state, charger, between(box(state, charger), box(state, unit)))
        if suffered > 0 and STANDING * suffered > flight(state, unit, charger):
            yield "flee"
    yield "flee" if unit.shaken else "hold"


STANDING = 0.7
"""Who stands is helped by friends, who flees is charged again or flees on: by so much it is better to stand."""


def shooter(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    keys = list(getattr(decision, "options", {}))
    yield from [k for k in keys if k.startswith("engineer:")]
    yield from [k for k in keys if k in state.units]
    yield "end"


def shoot_target(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    unit = state.units.get(decision.about)
    if unit is None:
        return

    def value(key: str) -> tuple[float, str]:
        foe = state.units[key]
        lost = volley_dist(state, unit, foe)
        rnf = state.rnf(foe) or state.members(foe)[0]
        fallen = min(float(rnf.hp), lost.mean if lost is not None else 1.0)
        return (kept(state, rnf, rnf.hp - fallen) - kept(state, rnf, rnf.hp), key)

    yield from sorted((k for k in getattr(decision, "options", {}) if k in state.units), key=value)


def weapon(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    yield from [k for k in getattr(decision, "options", {}) if k not in ("hold-fire", "divide", "hand")]


def pursue(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    keys = [k for k in getattr(decision, "options", {}) if k in state.units]
    yield from sorted(keys, key=lambda k: (-sum(p.points for p in state.members(state.units[k])), k))


def overrun(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """On, unless it is better to stand here than where that leads: among enemies whom it cannot fight, or into one."""
    unit = state.unit(decision.about)
    here = box(state, unit)
    ring = [
        (foe, spans.first_touch(here.front(), here.ux, here.uy, box(state, foe).corners()))
        for foe in state.table(1 - unit.side)
    ]
    met = min(((inches, foe.id) for foe, inches in ring if inches is not None), default=None)
    ran = summed(2, int(every(state, unit, "t9a.rule.swiftstride")))
    fears = Fears(state, unit)
    on = here.ahead(ran.mean)
    ahead = fears.of(on.x, on.y, on.facing)
    if met is not None:
        foe = state.units[met[1]]
        arrives = ran.at_least(math.ceil(met[0]))
        fought = adds(state, unit, foe, arc_of(box(state, foe), here.x, here.y) != "front")
        ahead = arrives * fought + (1.0 - arrives) * ahead
    yield "overrun" if ahead >= fears.of(here.x, here.y, here.facing) else "stay"


def face_foe(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    unit = state.unit(decision.about)
    near = nearest_foe(state, unit)
    if near is not None:
        cx, cy = box(state, unit).centre
        fx, fy = box(state, near[1]).centre
        yield round(facing_of(fx - cx, fy - cy), 2)
    yield unit.facing


def look_about(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """After a combat towards the nearest, but who turns in the enemy's player turn may not charge in its own next: it
    stays as it is where a charge from there is worth more."""
    unit = state.unit(decision.about)
    here = box(state, unit)
    to = next(face_foe(state, decision, rng))
    if state.active != unit.side:
        free, barred = Fears(state, unit), Fears(state, unit)
        barred.charges = False
        at = pivot(here, to - unit.facing)
        if free.of(here.x, here.y, here.facing) > barred.of(at.x, at.y, at.facing):
            to = unit.facing
    yield to
    yield unit.facing


def deploy(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    keys = [k for k in getattr(decision, "options", {}) if k in state.units]
    keys.sort(key=lambda k: (state.pools[k].attachable, -state.pools[k].points, k))
    yield from keys
    yield "end"


def deploy_with(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Who goes with a big unit: a wizard, or somebody not much dearer than it who would be no faster alone; no
    monster."""
    unit = state.unit(decision.about)
    rnf = state.rnf(unit)
    if rnf is not None and rnf.count >= 10:
        pools = [state.pools[key] for key in getattr(decision, "options", {})]
        fit = [
            (bool(pool.spells), pool.points, pool.id)
            for pool in pools
            if pool.profile.hp < 5
            and (rnf.count >= 15 if pool.spells else pool.points <= 1.5 * rnf.points)
            and (pool.spells or mobility(state, state.units[pool.id]) <= mobility(state, unit) + 2)
        ]
        for _, _, key in sorted(fit, reverse=True):
            yield [key]
    yield []


def objective(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """What an army with standards may do with them; the enemy's characters where it has none."""
    flags = sum(pool.standard for pool in state.pools.values() if pool.side == decision.side)
    ground = ("heartland", "breakthrough")
    order = ("colours", *ground) if flags > 1 else ground if flags else ()
    yield from [key for key in (*order, "hunt", "behead") if key in getattr(decision, "options", {})]


def reform_nobody(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Only whoever is struck in flank or rear turns to the enemy, if he may."""
    keys = getattr(decision, "options", {})
    pressed = [key for key in keys if any(pair.face(key) != "front" for pair in state.pairs_of(key))]
    yield pressed
    yield []


def yes(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    yield True


def no(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    yield False


def first_option(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    yield from list(getattr(decision, "options", {}))[:1]


def plain_first(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Of models of several kinds those fall that are protected worse."""
    yield softest(state.pools[decision.about].kinds, decision)


def plain_counts(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Where as many of the enemy have one thing as another, what is protected worse counts."""
    yield softest([kind for kind in state.pools[decision.about].kinds if kind.count], decision)


def softest(kinds: Sequence[Kind], decision: Decision) -> str:
    def guard(number: str) -> int:
        held = kinds[int(number)].profile
        return held.df + held.res + held.arm + held.shield

    numbers: list[str] = list(getattr(decision, "options", {}))
    return min(numbers, key=guard)


def mine(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    yield f"side.{decision.side}"


def soldiers(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Attacks go where they kill most points."""
    parts = getattr(decision, "parts", {})
    total = getattr(decision, "total", 0)
    pool = state.pools.get(decision.about)
    if pool is None or not parts:
        return
    worth = {t: each_blow(state, pool, 0, state.pools[t]) * per_point(state.pools[t]) for t in parts}
    for best in sorted(parts, key=lambda t: (worth[t], t), reverse=True):
        yield {best: total}


IDEAS = {
    "ask.charge": charges,
    "ask.charge-target": charge_target,
    "ask.redirect-target": redirect_target,
    "ask.charge-order": charge_order,
    "ask.reaction": react,
    "ask.redirect": redirect,
    "ask.move-unit": moved_unit,
    "ask.move-action": move_action,
    "ask.normal": moves,
    "ask.march": moves,
    "ask.reform": moves,
    "ask.store": no,
    "ask.spell": spell_choice,
    "ask.cast-dice": cast_dice,
    "ask.dispel": dispel_dice,
    "ask.shoot": shooter,
    "ask.shoot-target": shoot_target,
    "ask.weapon": weapon,
    "ask.melee-weapon": weapon,
    "ask.allocate": soldiers,
    "ask.combat-reforms": reform_nobody,
    "ask.stand-and-shoot": yes,
    "ask.crush": yes,
    "ask.feign": no,
    "ask.pursue": pursue,
    "ask.overrun": overrun,
    "ask.rally-pivot": face_foe,
    "ask.post-pivot": look_about,
    "ask.random-direction": face_foe,
    "ask.place": place,
    "ask.deploy": deploy,
    "ask.deploy-with": deploy_with,
    "ask.secondary": objective,
    "ask.first-turn": mine,
    "ask.no-foes": pursue,
    "ask.hidden": first_option,
    "ask.join": first_option,
    "ask.who-falls": plain_first,
    "ask.majority": plain_counts,
}

ROTE = frozenset(IDEAS) | frozenset(
    {
        "ask.defender",
        "ask.zone",
        "ask.hereditary",
        "ask.general-swap",
        "ask.arrive",
        "ask.summon",
        "ask.ambush-point",
        "ask.combined-order",
        "ask.align",
        "ask.break-order",
        "ask.combat",
        "ask.rally",
        "ask.spell-point",
        "ask.spell-target",
        "ask.split-hits",
        "ask.make-way",
        "ask.flee-direction",
        "ask.flee-from",
        "ask.flight-order",
        "ask.spoils",
        "ask.vanguard",
        "ask.advantage",
        "ask.engineer",
        "ask.shoot-pool",
        "ask.divide-shots",
        "ask.weapon-models",
        "ask.conclave-caster",
        "ask.restricted",
        "ask.special-target",
        "ask.special-targets",
        "ask.facing",
        "ask.surrounded-order",
        "ask.hidden-place",
        "ask.direct-hit",
        "ask.special-part",
        "ask.crush-target",
        "ask.crumble",
        "ask.sweep",
        "ask.random-mover",
        "ask.ambush-with",
        "ask.place-in-unit",
        "ask.combat-reform",
        "ask.rearrange",
        "ask.reform-first",
        "ask.reform-order",
        "ask.pursuit-order",
        "ask.nudge-order",
    }
)
"""What exact odds and a rule of thumb settle: the first idea is answered."""

TURNS = frozenset({"ask.charge", "ask.move-unit", "ask.spell", "ask.shoot", "ask.deploy", "ask.combat"})
"""Asked of the other side, these end a plan: its turn has come."""


def first_turn(battle: Battle[State]) -> int | None:
    """The side that took the first turn."""
    return battle.state.first if battle.state.first >= 0 else None


HINTS = Hints(candidates=candidates, terms=terms, swing=swing, rote=ROTE, turns=TURNS)
