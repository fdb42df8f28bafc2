"""Ranged attacks of their own kind: area attacks, direct hits, Stand and Shoot, Sweeping Attacks."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps
from umpire.text import Text

from . import attacks, majority, multiple_wounds, psychology
from .attacks import Strike
from .characteristics import charge_speed, offensive
from .formation import EPS, Cell, box, layout
from .model_rules import attributes, found
from .profiles import Part, Rule, Weapon
from .spacing import separation
from .state import Facing, Pool, State, Unit
from .values import random_value

if TYPE_CHECKING:
    from .shooting import Shooter


def majority_of(battle: Battle[State], side: int, keys: Iterable[str]) -> Steps[dict[str, int]]:
    """For each pool that is attacked: whose values count (t9a.attack.allocate.majority)."""
    found_ties: dict[str, int] = {}
    for key in keys:
        found_ties[key] = yield from majority.choose(battle, side, battle.state.pools[key])
    return found_ties


def shots(
    battle: Battle[State], unit: Unit, target: Unit, pool: Pool, gun: Any, members: list[Any], need: int, face: Facing
) -> Steps[list[Strike]]:
    """The strikes of one weapon's models: dice to hit, automatic hits, or area attacks."""
    from .volleys import split_hits, strength_of

    state = battle.state
    source = state.pools[gun.pool]
    part = source.profile.parts[gun.part]
    weapon = gun.weapon
    base = None
    if weapon.strength is None and isinstance(part.strength, str):
        if len(members) > 1:
            # Each model rolls for the Strength of its own shots.
            apart: list[Strike] = []
            for member in members:
                apart += yield from shots(battle, unit, target, pool, gun, [member], need, face)
            return apart
        base = rolled_strength(battle, source, part)
    strength, ap = strength_of(state, source, part, weapon, base)
    cites = (weapon.rule,) if weapon.rule else ()
    areas = attributes(state, source, part, "t9a.rule.area-attack.hits", "shooting", weapon.rules)
    count = 0
    for _ in members:
        count += random_value(
            battle, weapon.shots, "shots", weapon.rule or "t9a.shoot.shots", side=unit.side, who=source.id
        )
    automatic = sure(state, source, part, weapon)
    common: dict[str, Any] = {
        "source": source.id, "how": "shooting", "strength": strength, "ap": ap, "part": gun.part, "bound": weapon.rules,
        "cites": cites,
    }  # fmt: skip
    if areas:
        return (yield from area(battle, unit, target, pool, areas[0], count, need, face, common))
    if automatic:
        pools = attacks.ranged_pools(state, target.id)
        shares = yield from split_hits(battle, unit.side, target, pools, count, pool, weapon.rule)
        by = {**common, "cites": ("t9a.rule.automatic-hits", *cites)}
        return [Strike(target=key, auto=hits, **by) for key, hits in shares.items()]
    if need > 6 and state.applies("t9a.shoot.hit-limits"):
        battle.emit("cannot-hit", "t9a.shoot.hit-limits", who=source.id, target=target.id, need=need)
        return []
    special = attributes(state, source, part, "t9a.rule.direct-hit", "shooting", weapon.rules)
    if special:
        strike = direct_hit(battle, special[0], pool.id, common)
        strike.auto, strike.dice, strike.need = 0, count, max(2, need)
        return [strike]
    return [Strike(target=pool.id, dice=count, need=max(2, need), **common)]


def sure(state: State, source: Pool, part: Part, weapon: Weapon) -> bool:
    """Do its shots hit without a roll, whatever modifies them (t9a.rule.automatic-hits)?"""
    return bool(attributes(state, source, part, "t9a.rule.automatic-hits", "shooting", weapon.rules))


def area_size(state: State, target: Unit, rule: Rule, face: Facing) -> int:
    """Hits of an Area Attack (X x Y): of the Y best ranks or files X each, never more than models
    (t9a.rule.area-attack.hits, t9a.rule.area-attack.limits). X is in `x`, Y in `words`."""
    x = int(rule.x)
    y = int(rule.words[0]) if rule.words else x
    shape = layout(state, target)
    groups: dict[int, int] = {}
    models = 0
    for cell in shape.cells:
        models += 1
        key = cell.rank if face in ("front", "rear") else cell.file
        groups[key] = groups.get(key, 0) + 1
    counts = sorted((min(x, n) for n in groups.values()), reverse=True)[:y]
    total = sum(counts)
    if any(cell.ranks > 1 or cell.files > 1 for cell in shape.cells):
        total = most_hits(shape.cells, x, y, face in ("front", "rear"))
    return min(total, models) if state.applies("t9a.rule.area-attack.limits") else total


def most_hits(cells: Sequence[Cell], x: int, y: int, ranks: bool) -> int:
    """The most models that Y ranks (or files) of at most X each can hold, where large bases stand in several of them
    and are counted once."""
    spans = [
        range(cell.rank, cell.rank + cell.ranks) if ranks else range(cell.file, cell.file + cell.files)
        for cell in cells
    ]
    lines = sorted({n for span in spans for n in span})
    best = 0
    for chosen in itertools.combinations(lines, min(y, len(lines))):
        room = dict.fromkeys(chosen, x)
        count = 0
        # Whoever ends first is taken first: what is left of a line serves those that reach further.
        for span in sorted(spans, key=lambda span: (span.stop, span.start)):
            line = next((n for n in span if room.get(n, 0) > 0), None)
            if line is not None:
                room[line] -= 1
                count += 1
        best = max(best, count)
    return best


def area(
    battle: Battle[State], unit: Unit, target: Unit, pool: Pool, rule: Rule, count: int, need: int, face: Facing,
    common: dict[str, Any],
) -> Steps[list[Strike]]:  # fmt: skip
    """One roll to hit for each shot; if it hits, so many hits (t9a.rule.area-attack.facing)."""
    from .volleys import split_hits

    state = battle.state
    source = state.pools[common["source"]]
    strikes: list[Strike] = []
    if need > 6 and state.applies("t9a.shoot.hit-limits"):
        battle.emit("cannot-hit", "t9a.shoot.hit-limits", who=source.id, target=target.id, need=need)
        return []
    roll = battle.roll(count, "hit", "t9a.shoot.shots", side=source.side, who=source.id, need=max(2, need))
    names = attacks.names_of(state, Strike(target=pool.id, **common))
    failed = [n for n, face_up in enumerate(roll.faces) if face_up < max(2, need)]
    if failed and "t9a.rule.hatred" in names:
        roll = battle.reroll(roll, failed, "t9a.rule.hatred")
    for face_up in roll.faces:
        if face_up < max(2, need):
            continue
        poisoned = attacks.poisons(state, names, face_up)
        hits = area_size(state, target, rule, face)
        wide = int(rule.x) * int(rule.words[0] if rule.words else rule.x)
        battle.emit(
            "area", "t9a.rule.area-attack.hits", "t9a.rule.area-attack.facing",
            "t9a.rule.area-attack.limits" if hits < wide else "t9a.shoot.facing", who=source.id, target=target.id,
            hits=hits, face=f"face.{face}",
        )  # fmt: skip
        pools = attacks.ranged_pools(state, target.id)
        shares = yield from split_hits(
            battle, unit.side, target, pools, hits, pool, "t9a.rule.area-attack.limits",
            most_each=int(state.applies("t9a.rule.area-attack.limits")),
        )  # fmt: skip
        if "t9a.rule.focused" in names and face_up == 6 and hits < sum(p.count for p in state.members(target)):
            # One hit more, on the original target.
            shares = {**shares, pool.id: shares.get(pool.id, 0) + 1}
            battle.emit("focused", "t9a.rule.focused", "t9a.def.dice.natural", who=source.id, target=pool.id)
        special = attributes(
            state, source, source.profile.parts[common["part"]], "t9a.rule.direct-hit", "shooting", common["bound"]
        )
        hit = next(iter(shares))
        if special and len(shares) > 1:
            options = [Option(key, None, (key,)) for key in shares]
            hit = yield Choose(unit.side, "ask.direct-hit", options, "t9a.rule.direct-hit", source.id)
        made: list[Strike] = []
        for key, share in shares.items():
            if special and key == hit:
                made.append(direct_hit(battle, special[0], key, common))
                share -= 1
            if share:
                made.append(Strike(target=key, auto=share, **common))
        if poisoned:
            # One of the hits alone, the attacker's choice: the hardest to wound with.
            made[-1].poisoned = 1
            battle.emit("poisoned", "t9a.rule.poison-attacks", "t9a.rule.poison-attacks.several-hits", who=source.id)
        strikes += made
    return strikes


def direct_hit(battle: Battle[State], rule: Rule, target: str, common: dict[str, Any]) -> Strike:
    """One of the hits has the modifiers in brackets (t9a.rule.direct-hit)."""
    made = Strike(target=target, auto=1, **direct(rule, common))
    battle.emit("direct-hit", "t9a.rule.direct-hit", target=target, strength=made.strength, ap=made.ap)
    return made


def direct(rule: Rule, common: dict[str, Any]) -> dict[str, Any]:
    """What a hit is with the modifiers in brackets: Strength and AP set, then changed, and what comes with them."""
    values = {**dict(rule.sets)}
    strength = values.get("str", common["strength"]) + dict(rule.mods).get("str", 0)
    ap = values.get("ap", common["ap"]) + dict(rule.mods).get("ap", 0)
    bound = (*common["bound"], *rule.extras)
    return {**common, "strength": strength, "ap": ap, "bound": bound, "cites": ("t9a.rule.direct-hit",)}


# -- Stand and Shoot ------------------------------------------------------------------------------------------------


def stand_objections(state: State, charger: Unit, target: Unit) -> Iterator[Reason]:
    """Why a unit that was charged may not shoot at who charged it: its front, from further away than the charger's
    speed, and engaged with nobody else (t9a.rule.stand-and-shoot)."""
    rule, facts = "t9a.rule.stand-and-shoot", {"unit": target.id}
    pair = next((p for p in state.pairs_of(target.id) if p.other(target.id) == charger.id), None)
    if not standing_guns(state, target):
        yield Reason(rule, "reason.t9a.no-missiles", facts)
    if target.shaken:
        yield Reason("t9a.psych.shaken.restrictions", facts=facts)
    if pair is None or not charger.charging or state.phase != "charge":
        yield Reason(rule, "reason.t9a.not-arrived", {**facts, "other": charger.id})
        return
    if len(state.foes(target.id)) > 1:
        yield Reason("t9a.rule.stand-and-shoot.several", facts={**facts, "others": state.foes(target.id)})
    speed = charge_speed(state, charger)
    if pair.face(target.id) != "front":
        yield Reason(rule, "reason.t9a.not-its-front", facts)
    elif charger.gap <= speed + EPS:
        yield Reason(rule, "reason.t9a.came-from-near", {**facts, "gap": round(charger.gap, 2), "least": speed})


def stand_and_shoot(battle: Battle[State], charger: Unit, target: Unit) -> Steps[None]:
    """A unit that was charged may shoot at the charger (t9a.rule.stand-and-shoot)."""
    from .shooting import choose_weapons
    from .volleys import fire

    state = battle.state
    if not standing_guns(state, target) or target.shaken or charger.id not in state.foes(target.id):
        return
    why = next(standing(state, stand_objections(state, charger, target)), None)
    if why is not None:
        battle.emit("no-stand-and-shoot", why.rule, unit=target.id, gap=round(charger.gap, 2))
        return
    wish = yield Confirm(target.side, "ask.stand-and-shoot", "t9a.rule.stand-and-shoot", target.id)
    if not wish:
        return
    battle.emit(
        "stand-and-shoot",
        "t9a.rule.stand-and-shoot",
        "t9a.rule.stand-and-shoot.resolve",
        unit=target.id,
        target=charger.id,
    )
    firing = yield from choose_weapons(battle, target, standing_shooters(state, target))
    yield from fire(battle, target, charger, firing, "front", at_contact=True)


def standing_guns(state: State, target: Unit) -> list[Any]:
    """What it can stand and shoot with."""
    from .shooting import guns

    return [gun for gun in guns(state, target) if _stands(state, gun)]


def standing_shooters(state: State, target: Unit) -> list[Shooter]:
    """The models that can stand and shoot, with each of their weapons: no line of sight is needed, and the enemy is at
    hand (t9a.rule.stand-and-shoot.resolve)."""
    from .shooting import Shooter, shooting_ranks

    arms = standing_guns(state, target)
    return [
        Shooter(cell, gun, 0.0, "")
        for cell in layout(state, target).cells
        for gun in arms
        if gun.pool == cell.pool and cell.rank < shooting_ranks(state, gun)
    ]


def _stands(state: State, gun: Any) -> bool:
    pool = state.pools[gun.pool]
    return bool(
        attributes(state, pool, pool.profile.parts[gun.part], "t9a.rule.stand-and-shoot", "shooting", gun.weapon.rules)
    )


# -- Sweeping Attacks -----------------------------------------------------------------------------------------------


def sweepers(state: State, unit: Unit) -> list[tuple[Pool, int, Rule]]:
    return [
        (pool, index, rule)
        for pool in state.members(unit)
        for index, part in enumerate(pool.profile.parts)
        for rule in (*[r for r in part.rules if r.id == "t9a.rule.sweeping-attack"],)
        if "t9a.rule.sweeping-attack" not in state.without
    ] + [(pool, 0, rule) for pool in state.members(unit) for rule in found(state, pool, "t9a.rule.sweeping-attack")]


def sweep(battle: Battle[State], unit: Unit, rings: Sequence[Sequence[tuple[float, float]]]) -> Steps[None]:
    """A unit that came within 1" of an unengaged enemy in its move may strike at it, once a turn
    (t9a.rule.sweeping-attack)."""
    from .volleys import split_hits

    state = battle.state
    able = sweepers(state, unit)
    if not able or unit.swept:
        return
    passed = []
    for foe in state.table(1 - unit.side):
        if state.engaged(foe.id):
            continue
        corners = box(state, foe).corners()
        if any(separation(ring, corners) <= 1.0 + EPS for ring in rings if len(ring) > 2):
            passed.append(foe)
    if not passed:
        return
    options = [Option(f.id, None, (f.id,)) for f in passed] + [Option("none", Text("option.no-sweep"))]
    answer = yield Choose(unit.side, "ask.sweep", options, "t9a.rule.sweeping-attack", unit.id)
    if answer == "none":
        return
    target = state.unit(answer)
    unit.swept = True
    battle.emit("sweep", "t9a.rule.sweeping-attack", "t9a.rule.sweeping-attack.resolve", unit=unit.id, target=answer)
    strikes: list[Strike] = []
    pools = attacks.ranged_pools(state, target.id)
    lots: list[tuple[Pool, int, Rule, int]] = []
    for pool, index, rule in able:
        alike = not rolls_strength(pool.profile.parts[index], rule)
        lots += [(pool, index, rule, pool.count)] if alike else [(pool, index, rule, 1)] * pool.count
    for pool, index, rule, models in lots:
        hits = 0
        for _ in range(models):
            hits += random_value(
                battle, rule.x, "sweep", "t9a.rule.sweeping-attack.resolve", side=unit.side, who=pool.id
            )
        part = pool.profile.parts[index]
        base = rolled_strength(battle, pool, part) if rolls_strength(part, rule) else None
        strength, ap, bound, own = special_values(state, pool, index, rule, base)
        shares = yield from split_hits(
            battle, unit.side, target, pools, hits, pools[0], "t9a.rule.sweeping-attack.resolve"
        )
        strikes += [
            Strike(
                source=pool.id, target=key, how="other", strength=strength, ap=ap, auto=share, part=index, bound=bound,
                own=own, cites=("t9a.rule.sweeping-attack.resolve",),
            )
            for key, share in shares.items()
        ]  # fmt: skip
    ties = yield from majority_of(battle, unit.side, dict.fromkeys(s.target for s in strikes))
    for strike in strikes:
        strike.tie = ties[strike.target]
    yield from multiple_wounds.choose(battle, strikes)
    lost = attacks.resolve(battle, strikes)
    if target.where == "table":
        psychology.ranged_losses(battle, target, sum(lost.values()))


def rolled_strength(battle: Battle[State], pool: Pool, part: Part) -> int:
    """A random Strength, before anything changes it (t9a.def.profile.random)."""
    return random_value(battle, str(part.strength), "strength", "t9a.def.profile.random", side=pool.side, who=pool.id)


def rolls_strength(part: Part, rule: Rule) -> bool:
    """Has an attack like Stomp or Grind the random Strength of its part?"""
    return isinstance(part.strength, str) and "str" not in dict(rule.sets)


def special_values(
    state: State, pool: Pool, index: int, rule: Rule, base: int | None = None
) -> tuple[int, int, tuple[Rule, ...], bool]:
    """Strength, AP and attributes of an attack like Stomp or Grind: the part's own without its weapon, or those that
    its rule gives; `base` is the Strength that was rolled for it."""
    part = pool.profile.parts[index]
    sets = dict(rule.sets)
    strength = sets.get("str", int(offensive(state, pool, part, "str", base=base).total))
    ap = sets.get("ap", int(offensive(state, pool, part, "ap").total))
    bound = rule.extras
    own = () if rule.sets or bound else tuple(attacks.own_rules(state, pool, part, "melee"))
    return strength, ap, (*bound, *(r for r in own if r.id != rule.id)), False
