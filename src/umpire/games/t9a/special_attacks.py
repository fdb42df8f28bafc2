"""Special Attacks in melee: Impact Hits, Grind Attacks, Stomps and Crush Attacks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Option, Split
from umpire.engine.steps import Steps
from umpire.rulebook.deciding import decides
from umpire.text import Text

from . import attacks, terrain, weapons
from .attacks import Strike, filled
from .characteristics import offensive
from .formation import layout
from .model_rules import attributes, strongest
from .profiles import Part, Rule
from .ranged_attacks import majority_of, rolled_strength, rolls_strength, special_values
from .spacing import contacts
from .state import Pool, State, Unit
from .values import random_value
from .who_fights import Group, massed


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


SPECIAL = ("t9a.rule.impact-hits", "t9a.rule.grind-attacks", "t9a.rule.stomp")
ONE_PART = ("t9a.rule.impact-hits", "t9a.rule.stomp")
"""Of several parts of a model that have these only one uses them, its owner's choice."""


def in_step(battle: Battle[State], side: int, number: int) -> Steps[list[Strike]]:
    """Every special attack of a side in this step."""
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
            for name in SPECIAL:
                able = with_rule(state, unit, pool, name, number)
                if name in ONE_PART and len(able) > 1:
                    able = yield from one_part(battle, unit, pool, able)
                for index, rule in able:
                    strikes += yield from make(battle, unit, pool, index, rule)
    return strikes


def with_rule(state: State, unit: Unit, pool: Pool, name: str, number: int) -> list[tuple[int, Rule]]:
    """The parts that make such an attack in this step, each with the best that it has of it (t9a.rule.duplicates)."""
    able: list[tuple[int, Rule]] = []
    for index, part in enumerate(pool.profile.parts):
        held = attributes(state, pool, part, name, "melee")
        rule = strongest(state, name, [r for r in held if number in when(state, unit, pool, part, r)])
        if rule is not None:
            able.append((index, rule))
    return able


def one_part(
    battle: Battle[State], unit: Unit, pool: Pool, able: list[tuple[int, Rule]]
) -> Steps[list[tuple[int, Rule]]]:
    """Which part of a model uses Impact Hits or Stomps where several have them; asked where it matters."""
    state = battle.state
    values = [(rule.x, *special_values(state, pool, index, rule)[:3]) for index, rule in able]
    rule = able[0][1]
    if len(set(values)) == 1 or not treading(state, unit, pool, rule):
        return able[:1]
    options = [
        Option(str(index), Text("option.special-part", {"part": index + 1, "hits": x, "strength": might, "ap": pierce}))
        for (index, _), (x, might, pierce, _) in zip(able, values, strict=True)
    ]
    answer = yield Choose(pool.side, "ask.special-part", options, rule.id, pool.id)
    battle.emit("special-part", rule.id, who=pool.id, part=int(answer) + 1)
    return [entry for entry in able if str(entry[0]) == answer]


def when(state: State, unit: Unit, pool: Pool, part: Part, rule: Rule) -> list[int]:
    if rule.id == "t9a.rule.impact-hits":
        return [10] if unit.charging else []
    if rule.id == "t9a.rule.stomp":
        return [0]
    if rule.id == "t9a.rule.grind-attacks":
        return [dict(rule.sets).get("agi", int(offensive(state, pool, part, "agi").total))]
    return []


def meetings(state: State, unit: Unit, pool: Pool) -> dict[str, dict[int, list[int]]]:
    """For each enemy unit the models of a pool that touch it, and whom of it each of them touches."""
    cells = layout(state, unit).cells
    found: dict[str, dict[int, list[int]]] = {}
    for pair in state.pairs_of(unit.id):
        other = pair.other(unit.id)
        mine: dict[int, list[int]] = {}
        for j, k in contacts(state, unit, pair.face(unit.id), state.units[other], pair.face(other)):
            if cells[j].pool == pool.id:
                mine.setdefault(j, []).append(k)
        if mine:
            found[other] = dict(sorted(mine.items()))
    return found


@decides("t9a.def.contact.model-unit")
def touching_models(state: State, unit: Unit, pool: Pool) -> dict[str, list[int]]:
    """For each enemy unit, the models of a pool that touch it."""
    return {key: list(mine) for key, mine in meetings(state, unit, pool).items()}


def victims(state: State, key: str, touched: Sequence[int], rule: Rule) -> list[str]:
    """The pools of an enemy unit on which a model that touches these of its models may put special attacks: no attached
    model that could not be shot at, nor one that it does not touch (t9a.rule.keyword.special-attack,
    t9a.attack.allocate.melee-attachable); Stomps reach Height 0 and 1 alone (t9a.rule.stomp)."""
    foe = state.units[key]
    rnf = state.rnf(foe)
    anybody = rnf is None or not state.applies("t9a.attack.allocate.melee-attachable")
    cells = layout(state, foe).cells
    met = {cells[k].pool for k in touched}
    return [
        pool.id
        for pool in attacks.ranged_pools(state, key)
        if (anybody or pool is rnf or pool.id in met) and (rule.id != "t9a.rule.stomp" or pool.profile.height <= 1)
    ]


def slips(state: State, unit: Unit, pool: Pool, rule: Rule) -> frozenset[int]:
    """The models that have no footing for it (t9a.terrain.water.footing)."""
    if rule.id in ("t9a.rule.stomp", "t9a.rule.impact-hits") and state.applies("t9a.terrain.water.footing"):
        return terrain.unused_to(state, unit, pool, "water")
    return frozenset()


def treading(state: State, unit: Unit, pool: Pool, rule: Rule) -> dict[str, list[int]]:
    """For each enemy unit, the models of a pool that may make a special attack on it."""
    wet = slips(state, unit, pool, rule)
    found = {
        key: [j for j, theirs in mine.items() if j not in wet and victims(state, key, theirs, rule)]
        for key, mine in meetings(state, unit, pool).items()
    }
    return {key: who for key, who in found.items() if who}


def aimed(battle: Battle[State], unit: Unit, pool: Pool, rule: Rule) -> Steps[dict[str, list[int]]]:
    """At which enemy unit each model strikes: of several that it touches its owner chooses, each model's for itself
    (t9a.attack.allocate.melee)."""
    groups: dict[tuple[str, ...], list[int]] = {}
    found = treading(battle.state, unit, pool, rule)
    for model in sorted({j for who in found.values() for j in who}):
        groups.setdefault(tuple(key for key, who in found.items() if model in who), []).append(model)
    result: dict[str, list[int]] = {}
    for keys, models in groups.items():
        shares = {keys[0]: len(models)}
        if len(keys) > 1 and len(models) == 1:
            options = [Option(key, None, (key,)) for key in keys]
            answer = yield Choose(pool.side, "ask.special-target", options, rule.id, pool.id)
            shares = {answer: 1}
        elif len(keys) > 1:
            most = len(models)
            shares = yield Split(
                pool.side, "ask.special-targets", most, dict.fromkeys(keys, (0, most)),
                (rule.id, "t9a.attack.allocate.melee"), pool.id, default=shares,
            )  # fmt: skip
        left = iter(models)
        for key, count in shares.items():
            result.setdefault(key, []).extend(itertools.islice(left, count))
    return {key: models for key, models in result.items() if models}


def make(battle: Battle[State], unit: Unit, pool: Pool, index: int, rule: Rule) -> Steps[list[Strike]]:
    """One kind of special attack of one pool: the hits are counted, then allocated
    (t9a.rule.keyword.special-attack)."""
    state = battle.state
    if slips(state, unit, pool, rule) and touching_models(state, unit, pool):
        battle.emit("no-footing", "t9a.terrain.water.footing", unit=unit.id)
    targets = yield from aimed(battle, unit, pool, rule)
    strikes: list[Strike] = []
    part = pool.profile.parts[index]
    rolls = rolls_strength(part, rule)
    lots = [(key, lot) for key, found in targets.items() for lot in ([[m] for m in found] if rolls else [found])]
    for target, models in lots:
        if state.options.optional_attacks == "asked":
            made = yield from how_many(battle, pool, "ask.special-attack", len(models), rule.id)
            models = models[:made]
        hits: dict[int, int] = {}
        for model in models:
            hits[model] = random_value(battle, rule.x, "special-hits", rule.id, side=pool.side, who=pool.id)
        total = sum(hits.values())
        if total <= 0:
            continue
        shares = yield from divided(battle, unit, pool, rule, target, hits)
        weapon = weapons.in_use(state, pool, index)
        told = "t9a.rule.keyword.special-attack"
        if any(name in ("str", "ap", "off") for name, _ in weapon.mods) or weapon.rules:
            told = "t9a.rule.weapon.melee-offensive"
        elif len(models) < sum(c.pool == pool.id and c.rank == 0 for c in layout(state, unit).cells):
            told = "t9a.def.contact.model-unit"
        battle.emit(
            "special-attack", rule.id, "t9a.melee.attack.non-standard", told, who=pool.id, target=target, hits=total
        )
        base = rolled_strength(battle, pool, part) if rolls else None
        strength, ap, bound, own = special_values(state, pool, index, rule, base)
        ties = yield from majority_of(battle, pool.side, shares)
        strikes += [
            Strike(
                source=pool.id, target=key, how="special", strength=strength, ap=ap, auto=n, part=index, bound=bound,
                own=own, cites=(rule.id,), charging=unit.charging,
                massed=helped(state, unit, pool, rule), tie=ties[key],
            )
            for key, n in shares.items()
        ]  # fmt: skip
    return strikes


def helped(state: State, unit: Unit, pool: Pool, rule: Rule) -> bool:
    """Does a Solid formation help these attacks? What is given to all models of a unit counts where the part's own
    attributes do (t9a.rule.attack-attribute.granted)."""
    return not rule.sets and not rule.extras and massed(state, unit, pool)


def how_many(battle: Battle[State], pool: Pool, prompt: str, most: int, rule: str) -> Steps[int]:
    """How many models make attacks that they may leave out: usually all of them."""
    options = [Option(str(n), Text("option.models", {"models": n})) for n in range(most, -1, -1)]
    answer = yield Choose(
        pool.side, prompt, options, rule, pool.id, default=str(most),
        propose=lambda rng: str(most if rng.below(4) else rng.below(most + 1)),
    )  # fmt: skip
    made = int(answer)
    if made < most:
        battle.emit("left-out", rule, who=pool.id, models=most - made)
    return made


def divided(
    battle: Battle[State], unit: Unit, pool: Pool, rule: Rule, target: str, hits: Mapping[int, int]
) -> Steps[dict[str, int]]:
    """The hits of these models among the pools of an enemy unit: on an attached model no more than come from models
    that may strike it (t9a.attack.allocate.multi-hit)."""
    state = battle.state
    met = meetings(state, unit, pool)[target]
    most: dict[str, int] = {}
    for model, count in hits.items():
        for key in victims(state, target, met[model], rule):
            most[key] = most.get(key, 0) + count
    total = sum(hits.values())
    if len(most) < 2 or not state.applies("t9a.attack.allocate.multi-hit"):
        return {next(iter(most)): total}
    first = next(iter(most))
    parts = {key: (0, count) for key, count in most.items()}
    answer: dict[str, int] = yield Split(
        pool.side, "ask.split-hits", total, parts, "t9a.rule.keyword.special-attack", target,
        propose=lambda rng: {first: total}, default=filled(parts, total),
    )  # fmt: skip
    battle.emit("allocated", "t9a.attack.allocate.multi-hit", target=target, shares=dict(answer))
    return {key: share for key, share in answer.items() if share}


def crush(battle: Battle[State], unit: Unit, pool: Pool, index: int, groups: list[Group]) -> Steps[list[Strike]]:
    """All standard attacks may be given up for one of Strength 10, AP 10, Multiple Wounds (D3), which rolls to hit like
    any other; restricted attacks may not (t9a.rule.crush-attack)."""
    from .fighting import standard

    state = battle.state
    part = pool.profile.parts[index]
    if not attributes(state, pool, part, "t9a.rule.crush-attack", "melee"):
        return []
    open_groups = [_unrestricted(g) for g in groups if not g.restricted]
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


def _unrestricted(group: Group) -> Group:
    """The same models with those targets alone that they may strike with all they have."""
    kept = [n for n, limited in enumerate(group.limited) if not limited]
    return group._replace(
        targets=tuple(group.targets[n] for n in kept),
        faces=tuple(group.faces[n] for n in kept),
        limited=(False,) * len(kept),
    )
