"""A volley: what makes it hard to hit, whom it hits, what shelters (shoot.mod.*, shoot.shots)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, Split
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.text import Text

from . import attacks, majority, multiple_wounds, psychology, ranged_attacks, sight
from .attacks import Strike, filled
from .characteristics import offensive
from .formation import box, full_ranks, height
from .melee_round import solid_at
from .model_rules import attributes, every, found, opposed, stacked
from .profiles import Part, Weapon
from .spacing import within
from .state import Facing, Pool, State, Unit
from .values import Mod, settle

if TYPE_CHECKING:
    from .shooting import Shooter


def hit_mods(
    state: State, unit: Unit, shooter: Shooter, part: Part, pool: Pool, target: Pool, range_free: bool = False
) -> list[Mod]:
    """What makes a shot harder or easier (t9a.shoot.mod.*); penalties are added to the difficulty."""
    weapon = shooter.gun.weapon
    names = {
        rule.id: rule
        for name in ("accurate", "quick-to-fire", "unwieldy", "artillery")
        for rule in attributes(state, pool, part, f"t9a.rule.{name}", "shooting", weapon.rules)
    }
    mods: list[Mod] = []
    accurate = "t9a.rule.accurate" in names and state.applies("t9a.shoot.mod.accurate")
    if not range_free and not accurate and not within(shooter.gap, weapon.range / 2):
        mods.append(Mod("add", 1, "t9a.shoot.mod.long-range"))
    if pool.moved:
        if "t9a.rule.quick-to-fire" not in names or not state.applies("t9a.shoot.mod.quick"):
            mods.append(Mod("add", 1, "t9a.shoot.mod.moved"))
        if "t9a.rule.unwieldy" in names:
            mods.append(Mod("add", names["t9a.rule.unwieldy"].number, "t9a.shoot.mod.unwieldy"))
    artillery = "t9a.rule.artillery" in names
    if shooter.cover and not artillery:
        heavy = shooter.cover == "hard"
        rule_id = "t9a.shoot.mod.hard-cover" if heavy else "t9a.shoot.mod.soft-cover"
        mods.append(Mod("add", 2 if heavy else 1, rule_id))
    if artillery:
        foe = state.units[target.unit]
        if height(state, foe) == 5 or solid_at(state, foe, full_ranks(state, foe)):
            mods.append(Mod("add", -1, "t9a.rule.artillery"))
    hard = stacked(state, found(state, target, "t9a.rule.hard-target"))
    if any(rule.versus for rule in hard):
        hard = opposed(state, hard, pool.profile, attacks.borne(state, pool, part, weapon, "shooting"))
    mods += [Mod("add", rule.number or 1, "t9a.shoot.mod.hard-target") for rule in hard]
    if unit.engineer:
        mods.append(Mod("capped", -1, "t9a.rule.engineer", 3))
    return mods


def fire(
    battle: Battle[State], unit: Unit, target: Unit, firing: list[Shooter], face: Facing, at_contact: bool = False,
    blind: int = 0,
) -> Steps[None]:  # fmt: skip
    """Every shot of the unit together; `blind` models of its front rank see nobody."""
    state = battle.state
    if not firing:
        return
    pools = attacks.ranged_pools(state, target.id)
    strikes: list[Strike] = []
    groups: dict[tuple[str, int, str, str, tuple[Mod, ...]], list[Shooter]] = {}
    aims = [pools[0]] * len(firing)
    if len(pools) > 1:
        aims = yield from aim_at(battle, unit, target, pools, len(firing))
    ties = yield from ranged_attacks.majority_of(battle, unit.side, dict.fromkeys(aimed.id for aimed in aims))
    for shooter, aimed in zip(firing, aims, strict=True):
        pool = state.pools[shooter.gun.pool]
        part = pool.profile.parts[shooter.gun.part]
        mods = tuple(
            hit_mods(state, unit, shooter, part, pool, majority.attacked(state, aimed, ties[aimed.id]), at_contact)
        )
        key = (pool.id, shooter.gun.part, shooter.gun.weapon.id, aimed.id, mods)
        groups.setdefault(key, []).append(shooter)
    cites: list[str] = []
    for (source, index, _, aimed_id, mods), members in groups.items():
        chosen_pool = state.pools[aimed_id]
        gun = members[0].gun
        pool = state.pools[source]
        if gun.weapon.one_use:
            pool.spent = (*pool.spent, gun.weapon.id)
            battle.emit("one-use", "t9a.def.duration.one-use", gun.weapon.rule, who=source)
        number = settle(state, "hit-shoot", gun.aim, list(mods), high=False)
        for rule in number.rules if not ranged_attacks.sure(state, pool, pool.profile.parts[index], gun.weapon) else ():
            cites += [cite for cite in (rule, *OWNERS.get(rule, ())) if cite not in cites]
        need = int(number.total)
        strikes += yield from ranged_attacks.shots(battle, unit, target, chosen_pool, gun, members, need, face)
    plain = ["t9a.shoot.resolve", "t9a.shoot.same-target"]
    if any(shooter.cell.rank >= 2 for shooter in firing):
        battle.emit("rear-ranks", "t9a.rule.shoot-in-extra-rank", "t9a.shoot.ranks", unit=unit.id)
    elif any(shooter.cell.rank == 1 for shooter in firing):
        battle.emit("over-heads", "t9a.def.los.origin", "t9a.def.los.own-unit", unit=unit.id)
    if blind:
        battle.emit("no-line", "t9a.shoot.los", "t9a.def.los", unit=unit.id, target=target.id, models=blind)
    shelter(battle, unit, target, face, firing)
    if every(state, unit, "t9a.rule.emplaced") and not sight._before(box(state, unit), box(state, target)):
        battle.emit("all-round", "t9a.rule.emplaced.los", unit=unit.id)
    spared = spared_by(state, unit, firing)
    if spared:
        battle.emit("spared", *spared[:2], unit=unit.id)
    battle.emit("volley", *(cites or plain), unit=unit.id, target=target.id, shooters=len(firing))
    others = dict.fromkeys(s.target for s in strikes if s.target not in ties)
    ties |= yield from ranged_attacks.majority_of(battle, unit.side, others)
    for strike in strikes:
        strike.tie = ties[strike.target]
    yield from multiple_wounds.choose(battle, strikes)
    lost = attacks.resolve(battle, strikes)
    total = sum(lost.values())
    if target.where == "table":
        psychology.ranged_losses(battle, target, total)


def shelter(battle: Battle[State], unit: Unit, target: Unit, face: Facing, firing: list[Shooter]) -> None:
    """Tell what covers the target, or what does not though it stands in the way (t9a.shoot.cover.result)."""
    state = battle.state
    covered = next((shooter for shooter in firing if shooter.cover), None)
    cell = (covered or firing[0]).cell
    rules, by = sight.cover_rules(state, unit, target, face, cell)
    if covered is not None:
        told = [*rules[:2], "t9a.shoot.cover.result" if len(by) < 2 else "t9a.shoot.cover.lines"]
        battle.emit("cover", *told, target=target.id, cover=Text(f"cover.{covered.cover}"), others=by)
    elif rules:
        battle.emit("no-cover", *rules[:2], "t9a.shoot.cover.lines", target=target.id)


OWNERS = {
    "t9a.shoot.mod.hard-target": ("t9a.rule.hard-target",),
    "t9a.shoot.mod.unwieldy": ("t9a.rule.unwieldy",),
}
"""The model rules that make a shot harder."""


def spared_by(state: State, unit: Unit, firing: list[Shooter]) -> list[str]:
    """Rules by which shooters do not suffer what they would else."""
    result: dict[str, None] = {}
    for shooter in firing:
        pool = state.pools[shooter.gun.pool]
        part = pool.profile.parts[shooter.gun.part]
        for name, cite, would in (
            ("t9a.rule.accurate", "t9a.shoot.mod.accurate", shooter.gap > shooter.gun.weapon.range / 2),
            ("t9a.rule.quick-to-fire", "t9a.shoot.mod.quick", bool(pool.moved)),
            ("t9a.rule.march-and-shoot", "t9a.shoot.mod.march-and-shoot", pool.moved == "march"),
        ):
            if would and attributes(state, pool, part, name, "shooting", shooter.gun.weapon.rules):
                result[name] = result[cite] = None
    return list(result)


def aim_at(battle: Battle[State], unit: Unit, target: Unit, pools: list[Pool], shooters: int) -> Steps[list[Pool]]:
    """Where allowed, the shots are put on an attached model instead, or divided among them, each shooter's for itself
    (t9a.attack.allocate.ranged-unit, t9a.shoot.same-target)."""

    def refuse(answer: str) -> list[Reason]:
        state = battle.state
        pool = state.pools.get(answer)
        rnf = state.rnf(target)
        if pool is None or rnf is None or pool.unit != target.id:
            return []
        return [*attacks.shelter(state, pool, rnf), Reason("t9a.shoot.attached-target", facts={"who": answer})]

    options = [Option(p.id, None, (p.id,)) for p in pools]
    if shooters > 1 and battle.state.applies("t9a.shoot.same-target"):
        options.append(Option("divide", Text("option.divide-shots")))
    answer = yield Choose(
        unit.side, "ask.shoot-pool", options, "t9a.attack.allocate.ranged-unit", target.id, refuse=refuse
    )
    if answer != "divide":
        battle.emit("aimed", "t9a.attack.allocate.ranged-unit", "t9a.attack.allocate", unit=unit.id, target=answer)
        return [battle.state.pools[answer]] * shooters
    parts = {p.id: (0, shooters) for p in pools}
    shares = yield Split(
        unit.side, "ask.divide-shots", shooters, parts, "t9a.shoot.same-target", unit.id,
        default=filled(parts, shooters),
    )  # fmt: skip
    battle.emit(
        "divided", "t9a.shoot.same-target", "t9a.attack.allocate.ranged-unit", unit=unit.id, shares=dict(shares)
    )
    return [pool for pool in pools for _ in range(shares.get(pool.id, 0))]


def strength_of(state: State, pool: Pool, part: Part, weapon: Weapon, base: int | None = None) -> tuple[int, int]:
    """Strength and AP of a shot: the weapon's, or the user's where it has none (`base`: as it was rolled)."""
    strength = weapon.strength
    ap = weapon.ap
    if strength is None:
        strength = int(offensive(state, pool, part, "str", base=base).total)
    if ap is None:
        ap = int(offensive(state, pool, part, "ap").total)
    return strength, ap


def split_hits(
    battle: Battle[State], side: int, target: Unit, pools: list[Pool], hits: int, original: Pool, rule: str,
    most_each: int = 0,
) -> Steps[dict[str, int]]:  # fmt: skip
    """Several hits of one attack or effect are allocated again, one at least to the original target
    (t9a.attack.allocate.multi-hit); `most_each`: so often each model at most (t9a.rule.area-attack.limits)."""
    most = {pool.id: most_each * pool.count if most_each else hits for pool in pools}
    hits = min(hits, sum(most.values()))
    if len(pools) < 2 or hits < 2 or not battle.state.applies("t9a.attack.allocate.multi-hit"):
        return {original.id: hits}
    parts = {}
    for pool in pools:
        parts[pool.id] = (1 if pool.id == original.id else 0, min(hits, most[pool.id]))
    usual = filled(parts, hits)
    answer = yield Split(
        side, "ask.split-hits", hits, parts, rule, target.id,
        propose=lambda rng: {original.id: hits} if hits <= most[original.id] else usual, default=usual,
    )  # fmt: skip
    battle.emit("allocated", "t9a.attack.allocate.multi-hit", target=target.id, shares=dict(answer))
    return {key: share for key, share in answer.items() if share}
