"""Special Attacks in melee: Impact Hits, Grind Attacks, Stomps and Crush Attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Option
from umpire.engine.steps import Steps
from umpire.rulebook.deciding import decides

from . import attacks, terrain, weapons
from .attacks import Strike
from .characteristics import offensive
from .formation import layout
from .model_rules import attributes
from .profiles import Part, Rule
from .ranged_attacks import majority_of, special_values
from .spacing import contacts
from .state import Pool, State, Unit
from .values import random_value

if TYPE_CHECKING:
    from .fighting import Group


def steps_of(state: State, unit: Unit, pool: Pool, part: Part) -> list[int]:
    """The agility steps in which a part makes special attacks."""
    found: list[int] = []
    if unit.charging and attributes(state, pool, part, "t9a.rule.impact-hits", "melee"):
        found.append(10)
    for rule in attributes(state, pool, part, "t9a.rule.grind-attacks", "melee"):
        found.append(dict(rule.sets).get("agi", int(offensive(state, pool, part, "agi").total)))
    if attributes(state, pool, part, "t9a.rule.stomp", "melee"):
        found.append(0)
    return found


def in_step(battle: Battle[State], side: int, number: int) -> Steps[list[Strike]]:
    """Every special attack of a side in this step, each of which its owner may decline."""
    state = battle.state
    now = state.round
    assert now is not None
    strikes: list[Strike] = []
    for key in now.units:
        unit = state.unit(key)
        if unit.side != side or unit.where != "table" or not state.engaged(key):
            continue
        for member in unit.members:
            pool = state.pools[member]
            if pool.count <= 0:
                continue
            used: set[str] = set()
            for index, part in enumerate(pool.profile.parts):
                for rule in part.rules:
                    if rule.id in state.without or number not in when(state, unit, pool, part, rule):
                        continue
                    if rule.id in ("t9a.rule.impact-hits", "t9a.rule.stomp"):
                        if rule.id in used:
                            continue
                        used.add(rule.id)
                    strikes += yield from make(battle, unit, pool, index, rule)
    return strikes


def when(state: State, unit: Unit, pool: Pool, part: Part, rule: Rule) -> list[int]:
    if rule.id == "t9a.rule.impact-hits":
        return [10] if unit.charging else []
    if rule.id == "t9a.rule.stomp":
        return [0]
    if rule.id == "t9a.rule.grind-attacks":
        return [dict(rule.sets).get("agi", int(offensive(state, pool, part, "agi").total))]
    return []


@decides("t9a.def.contact.model-unit")
def touching_models(state: State, unit: Unit, pool: Pool) -> dict[str, list[int]]:
    """For each enemy unit, the models of a pool that touch it."""
    cells = layout(state, unit).cells
    found: dict[str, list[int]] = {}
    for pair in state.pairs_of(unit.id):
        other = pair.other(unit.id)
        mine = {
            j
            for j, _ in contacts(state, unit, pair.face(unit.id), state.units[other], pair.face(other))
            if cells[j].pool == pool.id
        }
        if mine:
            found[other] = sorted(mine)
    return found


def slips(state: State, unit: Unit, rule: Rule) -> frozenset[int]:
    """The models that have no footing for it (t9a.terrain.water.footing)."""
    if rule.id in ("t9a.rule.stomp", "t9a.rule.impact-hits") and state.applies("t9a.terrain.water.footing"):
        return terrain.models_touching(state, unit, "water")
    return frozenset()


def treading(state: State, unit: Unit, pool: Pool, rule: Rule) -> dict[str, list[int]]:
    """For each enemy unit, the models of a pool that make a special attack on it."""
    wet = slips(state, unit, rule)
    found = {
        key: [k for k in who if k not in wet]
        for key, who in touching_models(state, unit, pool).items()
        if rule.id != "t9a.rule.stomp" or stomped(state, key)
    }
    return {key: who for key, who in found.items() if who}


def make(battle: Battle[State], unit: Unit, pool: Pool, index: int, rule: Rule) -> Steps[list[Strike]]:
    """One kind of special attack of one pool: the hits are counted, then allocated
    (t9a.rule.keyword.special-attack)."""
    from .shooting import split_hits

    state = battle.state
    if slips(state, unit, rule) and touching_models(state, unit, pool):
        battle.emit("no-footing", "t9a.terrain.water.footing", unit=unit.id)
    found = treading(state, unit, pool, rule)
    if not found:
        return []
    target = next(iter(found))
    if len(found) > 1:
        options = [Option(key, None, (key,)) for key in found]
        target = yield Choose(pool.side, "ask.special-target", options, rule.id, pool.id)
    models = len(found[target])
    hits = 0
    for _ in range(models):
        hits += random_value(battle, rule.x, "special-hits", rule.id, side=pool.side, who=pool.id)
    strength, ap, bound, own = special_values(state, pool, index, rule)
    pools = attacks.ranged_pools(state, target)
    if rule.id == "t9a.rule.stomp":
        pools = [p for p in pools if p.profile.height <= 1]
    if hits <= 0 or not pools:
        return []
    shares = yield from split_hits(
        battle, pool.side, state.units[target], pools, hits, pools[0], "t9a.rule.keyword.special-attack"
    )
    weapon = weapons.in_use(state, pool, index)
    told = "t9a.rule.keyword.special-attack"
    if any(name in ("str", "ap", "off") for name, _ in weapon.mods) or weapon.rules:
        told = "t9a.rule.weapon.melee-offensive"
    elif models < sum(c.pool == pool.id and c.rank == 0 for c in layout(state, unit).cells):
        told = "t9a.def.contact.model-unit"
    battle.emit("special-attack", rule.id, "t9a.melee.attack.non-standard", told, who=pool.id, target=target, hits=hits)
    ties = yield from majority_of(battle, pool.side, shares)
    return [
        Strike(
            source=pool.id, target=key, how="special", strength=strength, ap=ap, auto=n, part=index, bound=bound,
            own=own, cites=(rule.id,), charging=unit.charging, tie=ties[key],
        )
        for key, n in shares.items()
    ]  # fmt: skip


def stomped(state: State, key: str) -> bool:
    """Stomps reach only pools of Height 0 and 1 (t9a.rule.stomp)."""
    return any(pool.profile.height <= 1 for pool in attacks.ranged_pools(state, key))


def crush(battle: Battle[State], unit: Unit, pool: Pool, index: int, groups: list[Group]) -> Steps[list[Strike]]:
    """All standard attacks may be given up for one of Strength 10, AP 10, Multiple Wounds (D3), which rolls to hit like
    any other; restricted attacks may not (t9a.rule.crush-attack)."""
    from .fighting import standard

    state = battle.state
    part = pool.profile.parts[index]
    if not attributes(state, pool, part, "t9a.rule.crush-attack", "melee"):
        return []
    open_groups = [g for g in groups if not g.restricted]
    if not open_groups:
        battle.emit("no-crush", "t9a.rule.crush-attack", "t9a.melee.attack.flank-restricted", who=pool.id)
        return []
    wish = yield Confirm(pool.side, "ask.crush", "t9a.rule.crush-attack", pool.id)
    if not wish:
        return []
    weapon = weapons.in_use(state, pool, index)
    strikes: list[Strike] = []
    for group in open_groups:
        target = group.targets[0]
        if len(group.targets) > 1:
            options = [Option(key, None, (key,)) for key in group.targets]
            target = yield Choose(pool.side, "ask.crush-target", options, "t9a.rule.crush-attack", pool.id)
        battle.emit("crush", "t9a.rule.crush-attack", who=pool.id, target=target)
        face = group.faces[group.targets.index(target)]
        for strike in standard(battle, unit, pool, index, weapon, target, group.models, group, face):
            strike.strength = strike.ap = 10
            strike.bound = (*strike.bound, Rule("t9a.rule.multiple-wounds", "D3"))
            strike.cites, strike.force = ("t9a.rule.crush-attack", *strike.cites[:2]), ("t9a.rule.crush-attack",)
            strikes.append(strike)
    return strikes
