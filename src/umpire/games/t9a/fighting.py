"""Attacks in a round of combat: equipment, agility steps, whom attacks are allocated to, standard attacks."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, Split
from umpire.engine.effects import Number
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.text import Text

from . import attacks, breaking, casualties, majority, multiple_wounds, ranged_attacks, special_attacks, weapons
from .attacks import Strike
from .characteristics import base_of, defensive, enraged, offensive
from .formation import Cell, layout, skirmishing
from .formation import matches as base_matches
from .model_rules import attributes, found, has, opposed, stacked
from .profiles import Part, Weapon
from .spacing import contacts
from .state import Pool, State, Unit
from .values import Mod, settle
from .who_fights import (
    Group,
    armed,
    attacks_each,
    fighters,
    massed,
    reach_over,
    restricted_cap,
    restricted_each,
    round_now,
    supported,
)


@step
def equip(battle: Battle[State], side: int) -> Steps[None]:
    """Weapons and Make Way, all of the active player's before the reactive player's (t9a.melee.equip.order)."""
    state = battle.state
    now = state.round
    assert now is not None
    for key in now.units:
        unit = state.unit(key)
        if unit.side != side or unit.where != "table":
            continue
        for member in unit.members:
            pool = state.pools[member]
            yield from choose_weapons(battle, pool)
        yield from make_way(battle, unit)


def choose_weapons(battle: Battle[State], pool: Pool) -> Steps[None]:
    """The highest class of weapon; among several the owner chooses (t9a.melee.equip.weapon-priority)."""
    state = battle.state
    chosen: list[str] = []
    for index, part in enumerate(pool.profile.parts):
        open_ones = weapons.choices(state, pool, index)
        pick = open_ones[0]
        if len(open_ones) > 1:
            have = weapons.melee_weapons(state, pool, part)

            def refuse(answer: str, index: int = index, have: list[str] = have) -> list[Reason]:
                if answer not in have:
                    return []
                return list(weapons.weapon_objections(state, pool, index, answer, have))

            options = [Option(name, weapon_label(part, name)) for name in open_ones]
            rules = ("t9a.melee.equip.weapon-priority", "t9a.rule.weapon.melee-choice")
            pick = yield Choose(pool.side, "ask.melee-weapon", options, rules, pool.id, refuse=refuse)
            master = attributes(state, pool, part, "t9a.rule.weapon-master", "melee")
            cite = "t9a.rule.weapon-master" if master else "t9a.rule.weapon.melee-choice"
            battle.emit("weapon", cite, "t9a.melee.equip.order", who=pool.id, weapon=f"weapon.{pick}")
        chosen.append(pick)
    pool.weapon = tuple(chosen)


def weapon_label(part: Part, name: str) -> Text | dict[str, str]:
    weapon = weapons.weapon_of(part, name)
    return dict(weapon.names) if weapon.names else Text(f"weapon.{name}")


def way_objections(
    state: State, unit: Unit, pool: Pool, touching: frozenset[int], cells: tuple[Cell, ...]
) -> Iterator[Reason]:
    """Why a character may not make way (t9a.char.make-way)."""
    facts = {"who": pool.id}
    mine = next((k for k, c in enumerate(cells) if c.pool == pool.id), None)
    if has(state, pool, "t9a.rule.war-platform"):
        yield Reason("t9a.rule.war-platform", facts=facts)
    if not pool.character or mine is None:
        yield Reason("t9a.char.make-way", "reason.t9a.no-character", facts)
        return
    if cells[mine].rank != 0:
        yield Reason("t9a.char.make-way", "reason.t9a.not-in-front", {**facts, "rank": cells[mine].rank + 1})
    if mine in touching:
        yield Reason("t9a.char.make-way", "reason.t9a.touches", facts)
    rnf = state.rnf(unit)
    if (
        rnf is None
        or not base_matches(rnf.profile.base, pool.profile.base, skirmishing(state, unit))
        or rnf.profile.base != pool.profile.base
    ):
        yield Reason("t9a.char.make-way", "reason.t9a.other-base", facts)


def make_way(battle: Battle[State], unit: Unit) -> Steps[None]:
    """A character in the first rank that touches nobody may swap with a soldier who does."""
    state = battle.state
    heroes = [p for p in state.attached(unit) if p.character]
    rnf = state.rnf(unit)
    if not heroes or rnf is None or not state.applies("t9a.char.make-way"):
        return
    for pool in heroes:
        cells = layout(state, unit).cells
        touching = frozenset(j for p in state.pairs_of(unit.id) for j, _ in touch(state, unit, p.other(unit.id)))
        if next(iter(way_objections(state, unit, pool, touching, cells)), None) is not None:
            continue
        places = [k for k in sorted(touching) if cells[k].pool == rnf.id and cells[k].rank == 0]
        if not places:
            continue
        options = [Option("stay", Text("option.stay"))] + [
            Option(f"file:{cells[k].file}", Text("option.file", {"file": cells[k].file + 1})) for k in places
        ]
        answer = yield Choose(pool.side, "ask.make-way", options, "t9a.char.make-way", pool.id)
        if answer != "stay":
            pool.file, pool.rank = int(answer.partition(":")[2]), 0
            battle.emit(
                "make-way", "t9a.char.make-way", "t9a.def.viable-formation.melee-lock", who=pool.id, unit=unit.id
            )


def touch(state: State, unit: Unit, other: str) -> list[tuple[int, int]]:
    """Which cells of a unit touch which of an enemy's."""
    pair = next(p for p in state.pairs_of(unit.id) if p.other(unit.id) == other)
    return contacts(state, unit, pair.face(unit.id), state.units[other], pair.face(other))


# -- the order of attacks -------------------------------------------------------------------------------------------


@step
def begin(battle: Battle[State]) -> None:
    """The order is fixed by Agility before the first blow (t9a.melee.attack.agility-order)."""
    state = battle.state
    now = state.round
    assert now is not None
    order: list[tuple[int, str, int]] = []
    steps: set[int] = set()
    changed: list[str] = []
    lacking = False
    for key in now.units:
        unit = state.unit(key)
        if unit.where != "table":
            continue
        if unit.charging:
            battle.emit("momentum", "t9a.melee.attack.charge-momentum", unit=key)
        for member in unit.members:
            pool = state.pools[member]
            for index, part in enumerate(pool.profile.parts):
                weapon = weapons.in_use(state, pool, index)
                speed = offensive(state, pool, part, "agi", weapon)
                agi = int(speed.total)
                changed += [rule for rule in speed.rules if rule not in changed]
                lacking = lacking or part.agi is None or part.att is None
                order.append((agi, member, index))
                steps.add(agi)
                steps.update(special_attacks.steps_of(state, unit, pool, part))
    order.sort(key=lambda entry: -entry[0])
    now.order = tuple(order)
    changed = [rule for rule in changed if rule != "t9a.melee.attack.charge-momentum"]
    if "t9a.rule.first-strike" in changed:
        changed.insert(0, "t9a.melee.round.first")
    if "t9a.def.modifier.agi-dis-cap" in changed:
        changed.insert(0, "t9a.def.modifier.agi-dis-cap")
    if lacking and not changed:
        changed.append("t9a.def.profile.missing")
    battle.emit(
        "order",
        "t9a.melee.attack.agility-order",
        *(changed[:2] or ["t9a.def.model-part"]),
        steps=sorted(steps, reverse=True),
    )
    battle.plan(*[(agility_step, n) for n in sorted(steps, reverse=True)], end_of_attacks)


@step
def agility_step(battle: Battle[State], number: int) -> Steps[None]:
    """Both sides allocate all attacks of the step, the active player first; then everything is resolved together
    (t9a.melee.attack.resolve, t9a.melee.attack.allocate-timing)."""
    state = battle.state
    now = state.round
    assert now is not None
    strikes: list[Strike] = []
    arms = armed(battle, number)
    for side in (state.active, 1 - state.active):
        strikes += yield from special_attacks.in_step(battle, side, number)
        for agi, member, index in now.order:
            pool = state.pools[member]
            if agi != number or pool.side != side or pool.count <= 0:
                continue
            unit = state.units[pool.unit]
            if unit.where != "table" or not state.engaged(unit.id):
                continue
            strikes += yield from allocate(battle, unit, pool, index, arms.get((member, index)))
    if not strikes:
        return
    together = ("t9a.attack.simultaneous-steps",) if len(strikes) > 1 else ()
    battle.emit("step", "t9a.melee.attack.resolve", "t9a.melee.attack.allocate-timing", *together, step=number)
    before = dict.fromkeys((0, 1), 0)
    yield from multiple_wounds.choose(battle, strikes)
    lost = attacks.resolve(battle, strikes)
    for key, points in lost.items():
        before[state.pools[key].side] += points
    now.lost = (now.lost[0] + before[0], now.lost[1] + before[1])
    if any(before.values()):
        a, b = now.so_far(state.applies("t9a.melee.result.health-lost"))
        battle.emit("score-so-far", "t9a.melee.score.stages", "t9a.melee.result.health-lost", a=a, b=b)
    if number == 0:
        casualties.last_strikes(battle, now.units)


@decides("t9a.attack.allocate")
def allocate(
    battle: Battle[State], unit: Unit, pool: Pool, index: int, arm: Weapon | None = None
) -> Steps[list[Strike]]:
    """Standard melee attacks of one part: so many attacks for each model that fights or supports
    (t9a.melee.attack.standard)."""
    state = battle.state
    part = pool.profile.parts[index]
    if base_of(part, "att") is None:
        return []
    groups = yield from willing(battle, pool, fighters(state, unit, pool, index))
    if not groups:
        return []
    weapon = arm or weapons.settled(battle, pool, weapons.in_use(state, pool, index))
    strikes = yield from special_attacks.crush(battle, unit, pool, index, groups)
    if strikes:
        groups = [group for group in groups if group.restricted]
    if not groups:
        return strikes
    values = attacks_each(battle, pool, part, weapon, sum(group.models for group in groups))
    att = max(values)
    supported(battle, pool, index, weapon, att, groups)
    reach_over(battle, unit, pool)
    held_back = att
    if any(group.restricted for group in groups):
        held_back = yield from restricted_each(battle, pool, index, weapon, att)
    raging = enraged(state, pool, part) if pool.count > 1 else 0
    if raging:
        battle.emit("more-attacks", "t9a.rule.rage", who=pool.id, attacks=att + raging)
    for group in groups:
        mine, values = values[: group.models], values[group.models :]
        each = [min(held_back, value) for value in mine] if group.restricted else mine
        total = sum(each)
        if raging:
            # One model has lost them: its attacks are made with the first that can make them.
            more = min(raging, restricted_cap(state, pool, index, weapon) - att) if group.restricted else raging
            each[0] += max(0, more)
            total, raging = total + max(0, more), 0 if more > 0 else raging
        if total <= 0:
            continue
        might = strengths(battle, pool, part, each)
        shares = yield from shared_out(battle, pool, index, weapon, group, total)
        faces = dict(zip(group.targets, group.faces, strict=True))
        limited = dict(zip(group.targets, group.limited, strict=True))
        for target, count in shares.items():
            if count:
                tie = yield from majority.choose(battle, pool.side, state.pools[target])
                group = group._replace(tie=tie, restricted=limited[target])
                rolled, might = might[:count], might[count:]
                face = faces[target]
                counts: dict[int | None, int] = {base: rolled.count(base) for base in dict.fromkeys(rolled)}
                for base, number in (counts or {None: count}).items():
                    strikes += standard(battle, unit, pool, index, weapon, target, number, group, face, base)
    return strikes


def strengths(battle: Battle[State], pool: Pool, part: Part, each: list[int]) -> list[int]:
    """The Strength of every attack where it is random: rolled once for all that a model makes at the same time
    (t9a.def.profile.random); nothing where it is not."""
    found_values: list[int] = []
    for count in each if isinstance(part.strength, str) else ():
        if count:
            found_values += [ranged_attacks.rolled_strength(battle, pool, part)] * count
    return found_values


def willing(battle: Battle[State], pool: Pool, groups: list[Group]) -> Steps[list[Group]]:
    """Who touches an enemy must strike (t9a.melee.attack.who), who stands behind may support: all of them do, unless
    the players have agreed to be asked (t9a.melee.attack.supporting)."""
    if battle.state.options.optional_attacks == "made":
        return groups
    rule = "t9a.melee.attack.supporting"
    kept: list[Group] = []
    for group in groups:
        made = group.supporting
        if made:
            made = yield from special_attacks.how_many(battle, pool, "ask.support", made, rule)
        spared = group.supporting - made
        if group.models > spared:
            left = group.models - spared
            kept.append(
                group._replace(
                    models=left, walled=min(group.walled, left), supporting=made, behind=min(group.behind, made)
                )
            )
    return kept


def shared_out(
    battle: Battle[State], pool: Pool, index: int, weapon: Weapon, group: Group, total: int
) -> Steps[dict[str, int]]:
    """How many attacks of a group go to which target. Models that touch enemies in front and others in flank or rear
    choose; of what they put on the latter no more than their restricted attacks count
    (t9a.melee.attack.allocate-targets, t9a.melee.attack.flank-restricted)."""
    state = battle.state
    if len(group.targets) < 2:
        return {group.targets[0]: total}
    who = f"{pool.id}@{'/'.join(group.targets)}"
    most = total
    aside = [target for target, limited in zip(group.targets, group.limited, strict=True) if limited]
    if aside and not group.restricted:
        most = min(total, restricted_cap(state, pool, index, weapon, who) * group.models)

    def judge(answer: dict[str, int]) -> list[Reason]:
        behind = sum(answer.get(target, 0) for target in aside)
        if behind <= most:
            return []
        facts = {"who": pool.id, "attacks": behind, "most": most}
        return [Reason("t9a.melee.attack.flank-restricted", "reason.t9a.restricted", facts)]

    first = group.targets[group.limited.index(False)] if not group.restricted else group.targets[0]
    shares: dict[str, int] = yield Split(
        pool.side, "ask.allocate", total, dict.fromkeys(group.targets, (0, total)),
        ("t9a.melee.attack.allocate-targets", "t9a.attack.allocate.melee"), pool.id, judge,
        data={"restricted": group.restricted}, default={first: total},
    )  # fmt: skip
    behind = sum(shares.get(target, 0) for target in aside)
    if behind and not group.restricted:
        now = round_now(state)
        now.limited = tuple(
            {**dict(now.limited), who: dict(now.limited).get(who, 0) - (-behind // group.models)}.items()
        )
    attached = any(state.pools[target].attachable for target in group.targets)
    battle.emit(
        "allocated",
        "t9a.attack.allocate.melee-attachable" if attached else "t9a.attack.allocate.melee",
        "t9a.melee.attack.allocate-targets",
        who=pool.id,
        shares=dict(shares),
    )
    return shares


def to_hit_need(off: int, df: int) -> int:
    """Offensive against Defensive Skill (t9a.melee.attack.to-hit-table)."""
    gap = off - df
    return 2 if gap >= 4 else 3 if gap >= 1 else 4 if gap >= -3 else 5


def to_hit(state: State, foe: Pool, off: int, df: int, fortified: bool, by: tuple[Pool, int, Weapon]) -> Number:
    """What standard attacks need: the table, then walls that are charged (t9a.terrain.wall.fortified) and whoever
    distracts (t9a.rule.distracting); `by` which part of whom, with what."""
    mods = [Mod("add", 1, "t9a.terrain.wall.fortified")] if fortified else []
    held = stacked(state, found(state, foe, "t9a.rule.distracting"))
    if any(rule.versus for rule in held):
        pool, index, weapon = by
        names = attacks.borne(state, pool, pool.profile.parts[index], weapon, "melee")
        held = opposed(state, held, pool.profile, names)
    mods += [Mod("capped", 1, "t9a.rule.distracting", 5)] * len(held)
    return settle(state, "hit-melee", to_hit_need(off, df), mods, high=False)


def sure_hits(state: State, pool: Pool, part: Part, weapon: Weapon) -> bool:
    """Do the attacks of a part hit without a roll (t9a.rule.automatic-hits)?"""
    return bool(attributes(state, pool, part, "t9a.rule.automatic-hits", "melee", weapon.rules))


def standard(
    battle: Battle[State], unit: Unit, pool: Pool, index: int, weapon: Weapon, target: str, count: int, group: Group,
    face: str, base: int | None = None,
) -> list[Strike]:  # fmt: skip
    """Dice to hit for standard melee attacks on one pool; `base` is the Strength that was rolled for them."""
    state = battle.state
    part = pool.profile.parts[index]
    foe = majority.attacked(state, state.pools[target], group.tie)
    skill = offensive(state, pool, part, "off", weapon, foe)
    off = int(skill.total)
    df, cites = defence(state, foe, off, weapon, face)
    might = offensive(state, pool, part, "str", weapon, foe, base=base)
    pierce = offensive(state, pool, part, "ap", weapon, foe)
    strength, ap = int(might.total), int(pierce.total)
    force = tuple(dict.fromkeys((*might.rules, *pierce.rules)))
    if "t9a.rule.first-strike" in force:
        force = ("t9a.rule.first-strike", "t9a.melee.round.first", *force[1:])
    if unit.charging and weapon.id in ("lance", "light-lance"):
        force = (weapon.rule, *force)
    strikes: list[Strike] = []
    if sure_hits(state, pool, part, weapon):
        return [
            Strike(
                source=pool.id, target=target, how="melee", strength=strength, ap=ap, auto=count, part=index,
                bound=weapon.rules, cites=("t9a.rule.automatic-hits",), force=force, charging=unit.charging,
                massed=massed(state, unit, pool), tie=group.tie,
            )
        ]  # fmt: skip
    walled = min(count, count * group.walled // max(1, group.models)) if unit.charging else 0
    if not state.applies("t9a.terrain.wall.fortified"):
        walled = 0
    for number, fortified in ((walled, True), (count - walled, False)):
        if not number:
            continue
        value = to_hit(state, foe, off, df, fortified, (pool, index, weapon))
        rules = [*value.rules, *cites]
        if pool.mounted and part.mount:
            rules.append("t9a.char.mount.offensive")
        if group.restricted:
            rules.append("t9a.melee.attack.restricted-cap" if face == "front" else "t9a.melee.attack.flank-restricted")
        strikes.append(
            Strike(
                source=pool.id, target=target, how="melee", strength=strength, ap=ap, dice=number,
                need=int(value.total), part=index, bound=weapon.rules,
                cites=(*rules, *skill.rules) or ("t9a.melee.attack.to-hit-table",),
                force=force, charging=unit.charging, massed=massed(state, unit, pool), tie=group.tie,
            )
        )  # fmt: skip
    return strikes


def defence(state: State, foe: Pool, off: int, weapon: Weapon, face: str) -> tuple[int, tuple[str, ...]]:
    """Def of the target; Parry makes it at least the attacker's Off from the front (t9a.rule.parry)."""
    df = int(defensive(state, foe, "def").total)
    if face == "front" and off > df and weapons.parries(state, foe):
        if weapon.id == "paired" and state.applies("t9a.rule.weapon.paired"):
            return df, ("t9a.rule.weapon.paired",)
        if has(state, foe, "t9a.rule.parry"):
            return off, ("t9a.rule.parry",)
        return off, ("t9a.rule.shield.parry", "t9a.rule.parry")
    return df, ()


@step
def end_of_attacks(battle: Battle[State]) -> None:
    state = battle.state
    now = state.round
    assert now is not None
    # What is asked of those who fall now comes before the result.
    battle.push(breaking.result)
    casualties.last_strikes(battle, now.units)
