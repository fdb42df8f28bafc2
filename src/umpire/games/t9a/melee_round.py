"""A round of combat up to the attacks: shaken units go, boundaries are locked, formations and the static score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from umpire.engine.battle import Battle
from umpire.engine.decisions import Option, Order
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import casualties, command, fighting, joining, terrain, victory
from .formation import FULL_RANK, full_ranks, height, layout, no_ranks, size_of
from .model_rules import found, some
from .state import Round, State, Unit

SOLID = (4, 4, 3, 2, 2, 2)
"""Full Ranks that make a unit Solid, by Height (t9a.melee.formation.solid)."""


@step
def begin(battle: Battle[State], units: tuple[str, ...]) -> None:
    """Preparation: shaken units are removed, then boundaries are locked (t9a.melee.prep.lock)."""
    state = battle.state
    units = tuple(units)
    battle.emit(
        "combat",
        "t9a.melee.round.multiple" if len(units) > 2 else "t9a.melee.sequence",
        units=list(units),
    )
    scoring = tuple(key for key in units if victory.scoring(state, state.unit(key)))
    state.round = Round(units=units, scoring=scoring)
    gone = [0, 0]
    for key in units:
        unit = state.unit(key)
        if unit.shaken and unit.where == "table" and state.applies("t9a.psych.shaken.engaged"):
            battle.emit("shaken-removed", "t9a.melee.prep.remove-shaken", "t9a.psych.shaken.engaged", unit=key)
            casualties.remove_unit(battle, unit, "t9a.melee.prep.remove-shaken")
            gone[unit.side] += 1
    state.round.gone = (gone[0], gone[1])
    for key in units:
        unit = state.unit(key)
        if unit.where == "table":
            joining.keep_base(state, unit)
            if state.applies("t9a.melee.prep.lock"):
                unit.locked = size_of(state, unit)
            rnf = state.rnf(unit)
            unit.locked_count = rnf.count if rnf is not None else len(unit.members)
            unit.free = False
    state.round.pairs = tuple(p for p in state.pairs if p.a in units)
    battle.plan((fighting.equip, state.active), (fighting.equip, 1 - state.active), set_up)


@step
def set_up(battle: Battle[State]) -> Steps[None]:
    """Battle formation and static combat score, recorded before any blow (t9a.melee.score.stages)."""
    state = battle.state
    now = state.round
    assert now is not None
    now.ranks = yield from ranks_of(battle, now.units)
    ranks = dict(now.ranks)
    for key in now.units:
        unit = state.unit(key)
        if unit.where != "table":
            continue
        unit.solid = solid_at(state, unit, ranks[key])
        if no_ranks(state, unit) and max(layout(state, unit).rows, default=0) >= FULL_RANK[height(state, unit)]:
            battle.emit("no-ranks", "t9a.rule.light-troops.ranks", unit=key)
        if unit.solid:
            mixed = len({pool.profile.height for pool in state.members(unit)}) > 1
            battle.emit(
                "solid",
                "t9a.melee.formation.solid",
                "t9a.melee.formation.timing",
                "t9a.def.height.unit" if mixed else "t9a.def.height.table",
                unit=key,
                ranks=ranks[key],
            )
    scores = [0, 0]
    for key in now.units:
        unit = state.unit(key)
        if unit.where == "table" and resolute(state, unit) > full_ranks(state, unit):
            battle.emit("resolute", "t9a.rule.resolute", unit=key, ranks=ranks[key])
        if unit.where == "table" and steady_at(state, unit, ranks, now.units):
            battle.emit("steady", "t9a.melee.formation.steady", unit=key)
    for side in (0, 1):
        parts = static_score(state, now, side, ranks)
        scores[side] = sum(amount for amount, _ in parts)
        for amount, rule in parts:
            more = (rank_rule(state, now, side),) if rule == "t9a.melee.score.rank-bonus" else ()
            battle.emit("score", rule, *more, player=Text(f"side.{side}"), amount=amount)
    now.static = (scores[0], scores[1])
    battle.emit("static-score", "t9a.melee.score.stages", score=list(now.static))
    battle.plan(fighting.begin)


def rank_rule(state: State, now: Round, side: int) -> str:
    """What told how many ranks count: a last one with too few models in it does not."""
    for key in now.units:
        unit = state.unit(key)
        if unit.side == side and unit.where == "table" and layout(state, unit).rows:
            last, need = layout(state, unit).rows[-1], FULL_RANK[height(state, unit)]
            if last < need and last < unit.files:
                return "t9a.def.formation.incomplete-rank"
    return "t9a.def.full-rank"


def ranks_of(battle: Battle[State], units: tuple[str, ...]) -> Steps[tuple[tuple[str, int], ...]]:
    """Full Ranks in this combat: Resolute first, then what enemies in flank and rear take away, units that are not
    surrounded settled first; of the others the active player chooses the order, asked where it matters
    (t9a.rule.resolute, t9a.melee.formation.surrounded-order)."""
    state = battle.state
    here = [key for key in units if state.unit(key).where == "table"]
    base = {key: resolute(state, state.unit(key)) for key in here}
    around = {key: [p.other(key) for p in state.pairs_of(key) if p.face(key) != "front"] for key in here}
    free = [key for key in here if not around[key]]
    held = [key for key in here if around[key]]
    held.sort(key=lambda key: state.unit(key).side != state.active)
    result = {key: base[key] for key in free}
    if not state.applies("t9a.melee.formation.surrounded"):
        return tuple((key, base[key]) for key in here)
    if order_matters(held, around, base, result):
        options = [Option(key, None, (key,)) for key in held]
        held = yield Order(state.active, "ask.surrounded-order", options, "t9a.melee.formation.surrounded-order")
    for key in held:
        less = sum(result.get(other, base.get(other, 0)) for other in around[key])
        result[key] = max(0, base[key] - less)
        if less and base[key]:
            cite = "t9a.melee.formation.surrounded-order" if len(held) > 1 else "t9a.melee.formation.surrounded"
            battle.emit("surrounded", cite, unit=key, ranks=result[key], less=less)
    return tuple((key, result.get(key, 0)) for key in here)


def order_matters(
    held: Sequence[str], around: Mapping[str, Sequence[str]], base: Mapping[str, int], settled: Mapping[str, int]
) -> bool:
    """Does it change anybody's Full Ranks in which order surrounded units are settled?"""
    if not any(other in held for key in held for other in around[key]) or len(held) > 6:
        return False
    ends: set[tuple[int, ...]] = set()
    for order in permutations(held):
        found_ranks = dict(settled)
        for key in order:
            less = sum(found_ranks.get(other, base.get(other, 0)) for other in around[key])
            found_ranks[key] = max(0, base[key] - less)
        ends.add(tuple(found_ranks[key] for key in held))
    return len(ends) > 1


def resolute(state: State, unit: Unit) -> int:
    """Full Ranks with those that Resolute adds (t9a.rule.resolute)."""
    ranks = full_ranks(state, unit)
    if ranks < 1:
        return ranks
    rules = [rule for pool in state.members(unit) for rule in found(state, pool, "t9a.rule.resolute")]
    plain = max((rule.number for rule in rules if not rule.plus), default=0)
    return ranks + plain + sum(rule.number for rule in rules if rule.plus)


def solid_at(state: State, unit: Unit, ranks: int) -> bool:
    return state.applies("t9a.melee.formation.solid") and ranks >= SOLID[height(state, unit)]


def steady_at(state: State, unit: Unit, ranks: dict[str, int], units: tuple[str, ...]) -> bool:
    """More Full Ranks than each single enemy unit of the combat (t9a.melee.formation.steady)."""
    if not state.applies("t9a.melee.formation.steady"):
        return False
    foes = [key for key in units if state.unit(key).side != unit.side and state.unit(key).where == "table"]
    mine = ranks.get(unit.id, 0)
    return mine > 0 and all(mine > ranks.get(key, 0) for key in foes)


def static_score(state: State, now: Round, side: int, ranks: dict[str, int]) -> list[tuple[int, str]]:
    """t9a.melee.score.*."""
    mine = [state.unit(key) for key in now.units if state.unit(key).side == side and state.unit(key).where == "table"]
    parts: list[tuple[int, str]] = []
    if any(u.charging for u in mine):
        parts.append((1, "t9a.melee.score.charge"))
    ids = [u.id for u in mine]
    faces = {
        (pair.other(key), pair.face(pair.other(key)))
        for key in ids
        for pair in state.pairs_of(key)
        if pair.face(pair.other(key)) != "front"
    }
    if faces:
        parts.append((2 * len(faces), "t9a.melee.score.flank-rear"))
    best = 0
    disrupted = ""
    for unit in mine:
        rule = terrain.disrupted(state, unit) if ranks.get(unit.id, 0) else ""
        if rule:
            disrupted = rule
            continue
        best = max(best, ranks.get(unit.id, 0))
    if best:
        parts.append((min(4, best), "t9a.melee.score.rank-bonus"))
    elif disrupted:
        parts.append((0, "t9a.terrain.disrupting"))
        parts.append((0, disrupted))
    # A unit whose only foe has been removed as shaken is engaged no more.
    fighting_on = [u for u in mine if state.engaged(u.id)]
    flags = sum(1 for u in fighting_on for p in state.members(u) if p.standard)
    if flags and state.applies("t9a.rule.standard-bearer"):
        parts.append((flags, "t9a.melee.score.standard"))
        parts.append((0, "t9a.rule.standard-bearer"))
    others = sum(1 for u in fighting_on for p in state.members(u) if p.bearer)
    if others:
        parts.append((others, "t9a.melee.score.other"))
    return [(amount, rule) for amount, rule in parts if rule not in state.without]


def penalty(state: State, unit: Unit, now: Round, ranks: dict[str, int]) -> tuple[int, tuple[str, ...]]:
    """What the combat score difference takes from Discipline in a Break Test (t9a.melee.formation.steady-effect)."""
    less = now.difference
    steady = steady_at(state, unit, ranks, now.units)
    solid = solid_at(state, unit, ranks.get(unit.id, 0))
    rules: list[str] = []
    if command.unyielding_by_guard(state, unit):
        steady = solid = True
        rules.append("t9a.rule.bodyguard.break")
    if steady and solid and state.applies("t9a.melee.formation.unyielding"):
        return 0, (*rules, "t9a.melee.formation.unyielding")
    if steady and less > 2 and state.applies("t9a.melee.formation.steady-effect"):
        less = 2
        rules.append("t9a.melee.formation.steady-effect")
    if command.stubborn(state, unit):
        odd = less % 2
        less = -(-less // 2)
        rules += ["t9a.def.modifier.round-up", "t9a.rule.stubborn"] if odd else ["t9a.rule.stubborn"]
        if not some(state, unit, "t9a.rule.stubborn"):
            rules.insert(0, "t9a.rule.bodyguard")
    return less, tuple(rules)
