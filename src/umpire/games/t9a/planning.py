"""What the planner is told of The Ninth Age: which answers to think of first, by exact odds where dice will fall."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Move
from umpire.engine.game import Hints
from umpire.engine.rng import Rng
from umpire.miniatures.blocks import box_at
from umpire.odds import Dist

from . import charge_moves, combat_odds, magic
from .attacks import Strike
from .characteristics import charge_speed, offensive
from .formation import arc_of, box, facing_of, full_ranks, size_of, unit_vector
from .move_paths import Manoeuvre
from .odds import volley_dist
from .questions import again, casting, charge_range, passes
from .spacing import between
from .state import Pool, State, Unit
from .strike_odds import dice_dist, each_attack
from .weapons import in_use
from .worth import swing, terms

SURE = 2
"""So many of the charges that look best are weighed by exact odds."""


def candidates(battle: Battle[State], decision: Decision, rng: Rng) -> Iterator[Any]:
    find = IDEAS.get(decision.prompt.key)
    if find is not None:
        yield from find(battle.state, decision, rng)


# -- what a unit can do to another ------------------------------------------------------------------------------------


def per_point(pool: Pool) -> float:
    """What a health point of a pool is worth."""
    return pool.points / max(1, pool.start_hp)


def harm(state: State, unit: Unit, foe: Unit, charging: bool) -> float:
    """Health points that a round of a unit's attacks may take from a foe, by its front."""
    targets = [p for p in state.members(foe) if not p.attachable] or state.members(foe)
    target = targets[0]
    total = 0.0
    wide = max(1, min(unit.files, foe.files + 2))
    before = unit.charging
    unit.charging = charging
    for pool in state.members(unit):
        fighters = 1 if pool.attachable else min(pool.count, wide)
        supporters = 0 if pool.attachable else max(0, min(pool.count - fighters, wide))
        for index, part in enumerate(pool.profile.parts):
            for rule in part.rules:
                if rule.id in ("t9a.rule.stomp", "t9a.rule.grind-attacks") or (
                    charging and rule.id == "t9a.rule.impact-hits"
                ):
                    total += 0.5 * fighters * dice_dist(rule.x).mean
            if part.att is None:
                continue
            weapon = in_use(state, pool, index)
            att = part.att if isinstance(part.att, int) else 3
            number = offensive(state, pool, part, "att", weapon, base=att).total
            count = fighters * number + supporters * min(number, pool.profile.height)
            total += count * each_blow(state, pool, index, target)
    unit.charging = before
    return min(total, float(target.hp))


def points_of(state: State, unit: Unit) -> float:
    return float(sum(pool.points * pool.hp / max(1, pool.start_hp) for pool in state.members(unit)))


def steadfast(state: State, unit: Unit, beaten_by: float, foe: Unit, ranks: int, theirs: int) -> float:
    """Points that a unit may lose by losing a round by so much: it crumbles, or breaks and is caught."""
    from .command import discipline, rallied
    from .model_rules import every

    rnf = state.rnf(unit) or state.members(unit)[0]
    if every(state, unit, "t9a.rule.unstable"):
        return max(0.0, beaten_by - (1 if rallied(state, unit) else 0)) * per_point(rnf)
    less = beaten_by
    if ranks > theirs:
        less = 0 if ranks >= 4 else min(2.0, beaten_by)
    p = passes(max(0, int(discipline(state, unit).total - less)))
    if rallied(state, unit):
        p = again(p)
    return (1 - p) * 0.75 * points_of(state, unit)


def clash(state: State, unit: Unit, foe: Unit, charging: bool, flank: bool) -> float:
    """What a round of combat may bring in points: losses of both, and what the result does to the loser."""
    mine, theirs = harm(state, unit, foe, charging), harm(state, foe, unit, False)
    if flank:
        theirs *= 0.4
    own, other = full_ranks(state, unit), full_ranks(state, foe)
    if flank:
        other = max(0, other - own)
    flags = [sum(p.standard + p.bearer for p in state.members(u)) for u in (unit, foe)]
    score = mine + min(4, own) + flags[0] + (1 if charging else 0) + (2 if flank else 0)
    against = theirs + min(4, other) + flags[1]
    target = state.rnf(foe) or state.members(foe)[0]
    self_ = state.rnf(unit) or state.members(unit)[0]
    value = mine * per_point(target) - theirs * per_point(self_)
    if score > against:
        value += steadfast(state, foe, score - against, unit, other, own)
    elif against > score:
        value -= steadfast(state, unit, against - score, foe, own, other)
    return value


def each_blow(state: State, pool: Pool, index: int, target: Pool) -> float:
    from .fighting import defence, to_hit_need

    part = pool.profile.parts[index]
    weapon = in_use(state, pool, index)
    off = int(offensive(state, pool, part, "off", weapon, target).total)
    df, _ = defence(state, target, off, weapon, "front")
    base = part.strength if isinstance(part.strength, int) else 4
    strike = Strike(
        source=pool.id,
        target=target.id,
        how="melee",
        strength=int(offensive(state, pool, part, "str", weapon, target, base=base).total),
        ap=int(offensive(state, pool, part, "ap", weapon, target).total),
        dice=1,
        need=to_hit_need(off, df),
        part=index,
        bound=weapon.rules,
    )
    return each_attack(state, strike).mean


def arrival(state: State, unit: Unit, gap: float) -> float:
    """The chance of a charge over such a distance to arrive."""
    net = sum(step for step, _ in charge_moves.maximised(state, unit))
    return charge_range(charge_speed(state, unit), net).at_least(math.ceil(gap - 1e-6))


def brings(state: State, unit: Unit, foe: Unit) -> float | None:
    """What the round after a charge brings in points, by its exact odds; None where others fight there too."""
    outlook = combat_odds.of_charge(state, unit, foe)
    if outlook is None:
        return None
    values = []
    for n, whose in enumerate((unit, foe)):
        pool = combat_odds.target_of(state, whose)
        lost = outlook.lost[n].mean * per_point(pool)
        left = max(0.0, points_of(state, whose) - lost)
        away = outlook.breaks[n] - outlook.caught[n]
        values.append(lost + outlook.caught[n] * left + away * 0.5 * left)
    return values[1] - values[0]


def prospect(state: State, unit: Unit, foe: Unit, exact: bool = False) -> float:
    """What a charge may bring, by the chance to arrive; a second charger on a foe already engaged helps."""
    arrives = arrival(state, unit, between(box(state, unit), box(state, foe)))
    if foe.shaken:
        return arrives * points_of(state, foe)
    flank = charge_moves.target_facing(state, unit, foe) != "front"
    told = brings(state, unit, foe) if exact else None
    value = clash(state, unit, foe, True, flank) if told is None else told
    if state.engaged(foe.id) or any(u.target == foe.id for u in state.table(unit.side)):
        value += 30.0
    if shoots(state, unit) or any(pool.spells for pool in state.members(unit)):
        # Who shoots or casts has something better to do.
        value -= 0.25 * points_of(state, unit)
    if value < 0:
        return value
    return arrives * value - (1 - arrives) * 15.0


# -- ideas ------------------------------------------------------------------------------------------------------------


def charges(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """The unit with the best charge; none if none is worth it."""
    from .charging import targets

    best: list[tuple[float, str]] = []
    for key in getattr(decision, "options", {}):
        if key == "end" or key.startswith("out:"):
            continue
        unit = state.units[key]
        rough = sorted((-prospect(state, unit, foe), foe.id) for foe in targets(state, unit))[:SURE]
        best.append((max((prospect(state, unit, state.units[foe], exact=True) for _, foe in rough), default=-1.0), key))
    best.sort(key=lambda b: (-b[0], b[1]))
    for value, key in best:
        if value > 0:
            yield key
    yield "end"


def charge_target(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    unit = state.units.get(decision.about)
    if unit is None or unit.where != "table":
        return
    keys = [key for key in getattr(decision, "options", {}) if key in state.units]
    keys.sort(key=lambda key: (-prospect(state, unit, state.units[key]), key))
    sure = sorted(keys[:SURE], key=lambda key: (-prospect(state, unit, state.units[key], exact=True), key))
    yield from (*sure, *keys[SURE:])
    yield "stay"


def react(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Stand, unless the unit would be ridden down and can come back."""
    unit = state.unit(decision.about)
    charger = state.units.get((decision.data or {}).get("charger", ""))
    if charger is not None and charger.where == "table" and not unit.shaken:
        flank = charge_moves.target_facing(state, charger, unit) != "front"
        told = brings(state, charger, unit)
        suffered = clash(state, charger, unit, True, flank) if told is None else told
        gap = between(box(state, charger), box(state, unit))
        suffered *= arrival(state, charger, gap)
        comes_back = "t9a.rule.feigned-flight" in state.members(unit)[0].profile.names
        if suffered > (0.5 if comes_back else 0.9) * points_of(state, unit):
            yield "flee"
    yield "flee" if unit.shaken else "hold"


def moved_unit(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    keys = [k for k in getattr(decision, "options", {}) if k in state.units]
    yield from sorted(
        keys, key=lambda key: (-state.units[key].y if state.units[key].facing < 90 else state.units[key].y, key)
    )
    yield "end"


def nearest_foe(state: State, unit: Unit) -> tuple[float, Unit] | None:
    here = box(state, unit)
    foes = [(between(here, box(state, foe)), foe.id) for foe in state.table(1 - unit.side)]
    if not foes:
        return None
    gap, key = min(foes)
    return gap, state.units[key]


def shoots(state: State, unit: Unit) -> int:
    """The longest range of its shooting weapons."""
    from .weapons import weapon_of

    return max(
        (
            weapon_of(part, key).range
            for pool in state.members(unit)
            for part in pool.profile.parts
            for key in part.weapons
            if weapon_of(part, key).shooting
        ),
        default=0,
    )


def move_action(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """March while no enemy is near, else a normal move that turns to the enemy."""
    unit = state.unit(decision.about)
    near = nearest_foe(state, unit)
    if near is None:
        yield "none"
        yield "reform"
        return
    gap, foe = near
    reach = shoots(state, unit)
    x, y = box(state, unit).local(foe.x, foe.y)
    ahead = abs(math.degrees(math.atan2(x, y + 1e-9))) < 50
    if gap > 16 and ahead and reach < gap:
        yield "march"
    yield "normal"
    yield "reform"


def destination(state: State, unit: Unit) -> Unit | None:
    """The foe that it is best to go for: worth attacking, and near."""
    best: tuple[float, str] | None = None
    here = box(state, unit)
    for foe in state.table(1 - unit.side):
        gap = between(here, box(state, foe))
        value = clash(state, unit, foe, True, False) - 3.0 * gap + (120 if foe.shaken else 0)
        if best is None or value > best[0]:
            best = (value, foe.id)
    return state.units[best[1]] if best is not None else None


def moves(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Towards the best foe, but no nearer than what it could charge next turn; shooters that see somebody stay."""
    if not isinstance(decision, Move) or not isinstance(decision.mover, Manoeuvre):
        return
    unit = state.unit(decision.about)
    foe = destination(state, unit)
    if foe is None:
        yield {"stay": True}
        return
    reach = shoots(state, unit)
    gap = between(box(state, unit), box(state, foe))
    x, y = box(state, unit).local(foe.x, foe.y)
    looks = abs(math.degrees(math.atan2(x, y + 1e-9))) < 40
    if reach and gap <= reach and looks:
        yield {"stay": True}
        return
    scored: list[tuple[float, int, Any]] = []
    fears = Fears(state, unit)
    aimed = [] if decision.prompt.key == "ask.reform" else list(towards(decision, unit, foe))
    for number in range(12):
        answer = aimed[number] if number < len(aimed) else decision.propose(rng)
        if answer is None or not decision.legal(answer):
            continue
        end = decision.mover.plan(answer).end
        x, y, facing = round(end.x, 3), round(end.y, 3), round(end.facing, 3)
        far = math.hypot(foe.x - x, foe.y - y)
        off = abs((facing_of(foe.x - x, foe.y - y) - facing + 180) % 360 - 180)
        score = far + 0.12 * off - 0.06 * fears.of(x, y, facing)
        scored.append((score, number, answer))
        if len(scored) >= 7:
            break
    for _, _, answer in sorted(scored, key=lambda s: s[:2]):
        yield answer
    yield {"stay": True}


def towards(decision: Move, unit: Unit, foe: Unit) -> Iterator[Any]:
    """Straight for a foe, all the way that is allowed or part of it."""
    limit = decision.form.limit or 0.0
    dx, dy = foe.x - unit.x, foe.y - unit.y
    far = math.hypot(dx, dy)
    if limit <= 0.0 or far < 1.0:
        return
    for share in (0.95, 0.6):
        inches = min(share * limit, far - 1.5)
        if inches > 0.5:
            yield {"to": {"x": round(unit.x + dx / far * inches, 2), "y": round(unit.y + dy / far * inches, 2)}}


class Fears:
    """What may be charged from a place, and by whom one may be charged there, in points."""

    def __init__(self, state: State, unit: Unit) -> None:
        self.state, self.unit = state, unit
        self.here = box(state, unit)
        self.clashes: dict[tuple[str, bool, bool], float] = {}

    def clash(self, foe: Unit, mine: bool, flank: bool) -> float:
        """What a round brings to whoever charges: this unit or a foe."""
        key = (foe.id, mine, flank)
        if key not in self.clashes:
            pair = (self.unit, foe) if mine else (foe, self.unit)
            self.clashes[key] = clash(self.state, *pair, True, flank)
        return self.clashes[key]

    def of(self, x: float, y: float, facing: float) -> float:
        state, unit = self.state, self.unit
        at = box_at(x, y, facing, self.here.w, self.here.d)
        chance = danger = 0.0
        for foe in state.table(1 - unit.side):
            there = box(state, foe)
            gap = between(at, there)
            if gap > 16.0 or state.engaged(foe.id):
                continue
            if at.local(foe.x, foe.y)[1] > 0:
                flank = arc_of(there, x, y) != "front"
                chance = max(chance, arrival(state, unit, gap) * self.clash(foe, True, flank))
            if not foe.shaken and there.local(x, y)[1] > 0:
                flank = arc_of(at, foe.x, foe.y) != "front"
                danger = max(danger, arrival(state, foe, gap) * self.clash(foe, False, flank))
        return chance - danger


def spell_choice(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    def rank(key: str) -> int:
        pool = state.pools.get(key.split(":")[0])
        name = key.split(":")[1] if ":" in key else ""
        spell = next((s for s in (*pool.spells, *pool.bound) if s.id == name), None) if pool else None
        if spell is None:
            return 9
        return 0 if spell.hits or spell.lose else 1 if spell.raises or spell.gives or spell.mods or spell.halves else 3

    keys = [k for k in getattr(decision, "options", {}) if k != "end"]
    yield from sorted(keys, key=lambda k: (rank(k), k))
    yield "end"


def spell_target(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """Enemies by what they are worth; friends by it too, those in combat first."""
    keys = [k for k in getattr(decision, "options", {}) if k in state.units]

    def value(key: str) -> tuple[float, str]:
        unit = state.units[key]
        points = float(sum(p.points for p in state.members(unit)))
        return (-(points + (300 if state.engaged(key) else 0)), key)

    yield from sorted(keys, key=value)


def cast_dice(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """The fewest dice that succeed four times in five."""
    options = list(getattr(decision, "options", {}))
    if state.cast is None:
        return
    pool, spell, cast = magic.spell_in_hand(state)
    need = magic.casting_value(state, spell, cast.bound)
    change = sum(amount for amount, _ in magic.modifiers(state, pool, spell, cast))
    for key in options:
        if (casting(int(key), cast.bound) + change).at_least(need) >= 0.8:
            yield key
            break
    yield options[-1]


def dispel_dice(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """The fewest dice that dispel as often as not; none if there are not so many."""
    if state.cast is None:
        return
    for key in getattr(decision, "options", {}):
        if key != "0" and Dist.uniform(1, 6).times(int(key)).at_least(state.cast.result) >= 0.5:
            yield key
            break
    yield "0"


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
        return (-(lost.mean * per_point(rnf) if lost is not None else per_point(rnf)), key)

    yield from sorted((k for k in getattr(decision, "options", {}) if k in state.units), key=value)


def weapon(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    yield from [k for k in getattr(decision, "options", {}) if k not in ("hold-fire", "hand")]


def pursue(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    keys = [k for k in getattr(decision, "options", {}) if k in state.units]
    yield from sorted(keys, key=lambda k: (-sum(p.points for p in state.members(state.units[k])), k))
    yield "overrun"


def face_foe(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    unit = state.unit(decision.about)
    near = nearest_foe(state, unit)
    if near is not None:
        cx, cy = box(state, unit).centre
        fx, fy = box(state, near[1]).centre
        yield round(facing_of(fx - cx, fy - cy), 2)
    yield unit.facing


LANES, DEPTHS = 14, 3


def place(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """A lane of its own near the middle: fighters at the front of the zone, shooters and casters behind."""
    unit = state.unit(decision.about)
    zone = state.field.zones[state.zone_of[unit.side]]
    ux, uy = unit_vector(zone.facing)
    across = [x * uy - y * ux for x, y in zone.points]
    along = [x * ux + y * uy for x, y in zone.points]
    wide, deep = size_of(state, unit)
    back = shoots(state, unit) > 20 or any(pool.spells for pool in state.members(unit) if not pool.attachable)
    taken = [(u.x * uy - u.y * ux, size_of(state, u)[0]) for u in state.table(unit.side)]
    middle = (min(across) + max(across)) / 2
    found: list[tuple[float, int, Any]] = []
    for lane in range(LANES):
        side = min(across) + (max(across) - min(across)) * (lane + 0.5) / LANES
        for row in range(DEPTHS):
            ahead = min(along) + deep + 0.3 + 2.5 * row if back else max(along) - 0.3 - 2.5 * row
            x, y = side * uy + ahead * ux, -side * ux + ahead * uy
            answer = {"x": round(x, 2), "y": round(y, 2), "facing": zone.facing}
            if decision.legal(answer):
                crowded = sum(abs(side - other) < (wide + w) / 2 + 0.5 for other, w in taken)
                found.append((abs(side - middle) * 0.2 + 8.0 * crowded + 2.0 * row, len(found), answer))
                break
    for _, _, answer in sorted(found, key=lambda f: f[:2]):
        yield answer


def deploy(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    keys = [k for k in getattr(decision, "options", {}) if k in state.units]
    keys.sort(key=lambda k: (state.pools[k].attachable, -state.pools[k].points, k))
    yield from keys
    yield "end"


def deploy_with(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    unit = state.unit(decision.about)
    rnf = state.rnf(unit)
    if rnf is not None and rnf.count >= 15:
        yield list(getattr(decision, "options", {}))[:1]
    yield []


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
    "ask.redirect-target": charge_target,
    "ask.reaction": react,
    "ask.redirect": yes,
    "ask.move-unit": moved_unit,
    "ask.move-action": move_action,
    "ask.normal": moves,
    "ask.march": moves,
    "ask.reform": moves,
    "ask.store": no,
    "ask.spell": spell_choice,
    "ask.spell-target": spell_target,
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
    "ask.overrun": pursue,
    "ask.rally-pivot": face_foe,
    "ask.post-pivot": face_foe,
    "ask.random-direction": face_foe,
    "ask.place": place,
    "ask.deploy": deploy,
    "ask.deploy-with": deploy_with,
    "ask.first-turn": mine,
    "ask.no-foes": pursue,
    "ask.hidden": first_option,
    "ask.join": first_option,
}

ROTE = frozenset(IDEAS) | frozenset(
    {
        "ask.defender",
        "ask.zone",
        "ask.secondary",
        "ask.hereditary",
        "ask.general-swap",
        "ask.arrive",
        "ask.summon",
        "ask.ambush-point",
        "ask.combined-order",
        "ask.align",
        "ask.break-order",
        "ask.charge-order",
        "ask.combat",
        "ask.rally",
        "ask.spell-point",
        "ask.split-hits",
        "ask.make-way",
        "ask.flee-direction",
        "ask.flee-from",
        "ask.spoils",
        "ask.vanguard",
        "ask.advantage",
        "ask.engineer",
        "ask.shoot-pool",
        "ask.divide-shots",
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
    }
)
"""What exact odds and a rule of thumb settle: the first idea is answered."""

TURNS = frozenset({"ask.charge", "ask.move-unit", "ask.spell", "ask.shoot", "ask.deploy", "ask.combat"})
"""Asked of the other side, these end a plan: its turn has come."""


def first_turn(battle: Battle[State]) -> int | None:
    """The side that took the first turn."""
    return battle.state.first if battle.state.first >= 0 else None


HINTS = Hints(candidates=candidates, terms=terms, swing=swing, rote=ROTE, turns=TURNS)
