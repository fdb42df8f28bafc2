"""Losing health points: pools, who is removed and from where, and what is over when the last one goes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.space.spans import Ring

from . import joining, majority
from .formation import EPS, Box, Layout, box, files_in, layout
from .model_rules import has
from .spacing import separation
from .state import Pool, State, Unit


def lose(battle: Battle[State], pool: Pool, points: int, melee: bool, rule: str = "t9a.attack.hp-loss") -> int:
    """A pool loses health points; answers how many it really lost (t9a.attack.casualties.excess)."""
    state = battle.state
    unit = state.units[pool.unit]
    lost = min(points, pool.hp)
    if lost <= 0:
        return 0
    if points > lost:
        battle.emit(
            "excess",
            "t9a.attack.casualties.excess",
            "t9a.attack.health-pool",
            pool=pool.id,
            lost=lost,
            excess=points - lost,
        )
    total = pool.lost + lost
    fallen, rest = divmod(total, pool.profile.hp)
    if not state.applies("t9a.attack.casualties.multi-hp") and pool.profile.hp > 1:
        fallen, rest = (total + pool.profile.hp - 1) // pool.profile.hp, 0
    pool.lost = rest if fallen < pool.count - pool.dying else 0
    multi = pool.profile.hp > 1
    cite = "t9a.attack.casualties.multi-hp" if multi else "t9a.attack.casualties.single-hp"
    battle.emit("losses", rule, cite, pool=pool.id, unit=unit.id, lost=lost, models=fallen)
    if fallen:
        fell(battle, pool, unit, min(fallen, pool.count - pool.dying), melee)
    return lost


def fell(battle: Battle[State], pool: Pool, unit: Unit, count: int, melee: bool) -> None:
    """Models are removed from as far back as possible; from a single rank evenly from both ends
    (t9a.attack.casualties.rear-first, t9a.attack.casualties.front-rank)."""
    state = battle.state
    if melee and has(state, pool, "t9a.rule.dying-strike"):
        battle.emit("dying", "t9a.rule.dying-strike", pool=pool.id, models=count)
        pool.dying += count
        return
    if pool.attachable:
        if unit.locked[0]:
            cell = next((c for c in layout(state, unit).cells if c.pool == pool.id), None)
            if cell is not None and cell.file >= 0:
                unit.holes = (*unit.holes, (cell.file, cell.rank))
                battle.emit("gap", "t9a.melee.prep.lock", unit=unit.id, models=1)
        pool.count = 0
    else:
        shape = layout(state, unit)
        single = shape.ranks == 1
        # Whom the ranks behind do not pay for the first rank loses, evenly from both its ends.
        ahead = count - sum(c.pool == pool.id and c.rank > 0 for c in shape.cells)
        if unit.locked[0] and ahead > 0:
            open_files = sorted(c.file for c in shape.cells if c.pool == pool.id and c.rank == 0)
            for n in range(min(ahead, len(open_files))):
                file = open_files.pop(0 if n % 2 == 0 else -1)
                unit.holes = (*unit.holes, (file, 0))
            battle.emit("gap", "t9a.melee.prep.lock", "t9a.attack.casualties.front-rank", unit=unit.id, models=ahead)
        if single and count < pool.count:
            battle.emit("ends", "t9a.attack.casualties.front-rank", unit=unit.id, models=count)
        elif count < pool.count:
            battle.emit("rear", "t9a.attack.casualties.rear-first", unit=unit.id, models=count)
        behind = shape.cells and any(
            cell.pool != pool.id and (cell.rank == shape.ranks - 1 or single) for cell in shape.cells
        )
        if behind and count < pool.count:
            battle.emit("other-pool", "t9a.attack.casualties.other-pool", unit=unit.id)
        if pool.kinds:
            majority.fallen(battle, pool, count, majority.ranks_behind(state, pool))
        pool.count -= count
        if pool.count > 0:
            if single and not (unit.locked[0] or unit.target):
                from_the_ends(state, unit, count, shape.width)
            keep_front(state, unit)
    if pool.count <= 0:
        last_model(battle, pool, unit)


def last_strikes(battle: Battle[State], keys: tuple[str, ...]) -> None:
    """Agility step 0 is over: those that were slain before go now (t9a.rule.dying-strike)."""
    state = battle.state
    for key in keys:
        for member in state.units[key].members:
            pool = state.pools[member]
            if pool.dying:
                count, pool.dying = pool.dying, 0
                fell(battle, pool, state.units[pool.unit], count, melee=False)


def close_gaps(battle: Battle[State], keys: list[str]) -> None:
    """Engaged units that lost models outside the Melee Phase are brought back into contact
    (t9a.attack.engaged-casualties.outside-melee)."""
    from . import after_combat

    state = battle.state
    for key in dict.fromkeys(keys):
        unit = state.units[key]
        if unit.where != "table" or not state.engaged(key):
            continue
        if unit.target and state.applies("t9a.charge.failed.casualties"):
            # Its charge is not complete yet: it holds or it fails.
            continue
        if state.applies("t9a.attack.engaged-casualties.outside-melee"):
            battle.emit("engaged-losses", "t9a.attack.engaged-casualties.outside-melee", unit=key)
            after_combat.nudge_now(battle, (key, *state.foes(key)))


def from_the_ends(state: State, unit: Unit, count: int, width: float) -> None:
    """A single rank of this width has lost models outside the Melee Phase: evenly from both ends, of an engaged one
    rather from the end that touches nobody (t9a.attack.casualties.front-rank). Those who stay stand where they stood. A
    charge that is not complete yet holds or fails (t9a.charge.failed.casualties)."""
    base = (width - box(state, unit).w) / count
    gone = slide(state, unit, [((2 * left - count) * base / 2, abs(2 * left - count)) for left in range(count + 1)])
    for pool in state.attached(unit):
        pool.file = max(0, pool.file - gone) if pool.file >= 0 else pool.file


def close_rank(state: State, unit: Unit, before: Layout) -> None:
    """Boundaries are unlocked and a single rank has become narrower than it was: who stands stays, and a gap inside it
    is closed from one side (t9a.def.viable-formation.keep-files)."""
    cells = sorted((c for c in before.cells if 0 <= c.file < unit.files), key=lambda c: c.file)
    lost = before.width - box(state, unit).w
    if before.ranks > 1 or not cells or lost < EPS:
        return
    left, right = cells[0].file, unit.files - (cells[-1].file + cells[-1].files)
    gaps = sum(b.file - a.file - a.files for a, b in pairwise(cells))
    base = lost / (left + right + gaps)
    slide(state, unit, [((left - right + 2 * k - gaps) * base / 2, abs(2 * k - gaps)) for k in range(gaps + 1)])
    for n, cell in enumerate(cells):
        pool = state.pools[cell.pool]
        if pool.attachable and pool.file >= 0:
            pool.file = sum(c.files for c in cells[:n])


def slide(state: State, unit: Unit, choices: Sequence[tuple[float, int]]) -> int:
    """Put a rank as far to the right as one of these says, whichever keeps most enemies and most of their fronts in
    contact, then the least uneven (t9a.attack.engaged-casualties.outside-melee); tell which it was."""
    here = box(state, unit)
    near = state.applies("t9a.attack.engaged-casualties.outside-melee")
    foes = [box(state, state.units[key]).corners() for key in state.foes(unit.id)] if near else []

    def worth(choice: tuple[float, int]) -> tuple[int, float, int]:
        there = here._replace(x=here.x + choice[0] * here.uy, y=here.y - choice[0] * here.ux)
        touched = sum(separation(there.corners(), ring) <= EPS for ring in foes)
        return touched, round(math.fsum(overlap(there, ring) for ring in foes), 6), -choice[1]

    best = max(choices, key=worth)
    unit.x += best[0] * here.uy
    unit.y -= best[0] * here.ux
    return choices.index(best)


def overlap(at: Box, ring: Ring) -> float:
    """Over how much of its front another touches it."""
    along = [at.local(x, y)[0] for x, y in ring]
    return max(0.0, min(at.w / 2, max(along)) - max(-at.w / 2, min(along)))


def keep_front(state: State, unit: Unit) -> None:
    """A single rank that loses models gets narrower (t9a.def.viable-formation.keep-files)."""
    if not unit.locked[0]:
        unit.files = min(unit.files, files_in(state, unit))


def last_model(battle: Battle[State], pool: Pool, unit: Unit) -> None:
    """The last model of an entry has lost its last health point (t9a.attack.last-hp)."""
    state = battle.state
    engaged = state.engaged(unit.id)
    battle.emit("slain", "t9a.attack.last-hp", pool=pool.id, unit=unit.id)
    drop_pool(battle, pool, unit, in_melee=engaged)


def drop_pool(battle: Battle[State], pool: Pool, unit: Unit, in_melee: bool) -> None:
    """A pool leaves the battle as a casualty, its effects end (t9a.attack.last-hp.effects-end)."""
    from . import victory

    state = battle.state
    scoring = victory.scored_before(state, unit)
    pool.count = 0
    pool.lost = 0
    pool.destroyed = True
    pool.in_melee = in_melee
    effects.drop(state, pool.id)
    his = [e for e in state.effects if e.data.get("model") == pool.id]
    if his and state.applies("t9a.attack.last-hp.effects-end"):
        state.effects = [e for e in state.effects if e.data.get("model") != pool.id]
        battle.emit("effects-end", "t9a.attack.last-hp.effects-end", count=1)
    foes = tuple(state.foes(unit.id))
    unit.members = tuple(key for key in unit.members if key != pool.id)
    if not pool.attachable:
        if unit.members:
            battle.emit("rnf-wiped", "t9a.char.rnf-wiped", unit=unit.id)
            unit.base = pool.id
        if in_melee and scoring:
            victory.destroyed_in_melee(battle, pool, unit, foes)
        if unit.spoils and state.applies("t9a.prep.primary.bounty.lose"):
            battle.emit("spoils-lost", "t9a.prep.primary.bounty.lose", unit=unit.id, count=unit.spoils)
            unit.spoils = 0
    if not unit.members:
        vanish(battle, unit)
    elif unit.base == pool.id and not unit.locked_count:
        joining.close_up(battle, unit)


def vanish(battle: Battle[State], unit: Unit) -> None:
    """The unit is off the table: its boundary disappears and its foes are free
    (t9a.attack.engaged-casualties.last-model)."""
    state = battle.state
    foes = state.foes(unit.id)
    was_on_table = unit.where == "table"
    unit.where = "gone"
    unit.spoils = 0
    if foes:
        battle.emit("boundary-gone", "t9a.attack.engaged-casualties.last-model", unit=unit.id)
        part(battle, unit)
    if was_on_table:
        battle.emit("removed", "t9a.attack.last-hp", unit=unit.id)


def part(battle: Battle[State], unit: Unit) -> None:
    """The unit is engaged with nobody any more; foes left without anybody are free."""
    state = battle.state
    foes = state.foes(unit.id)
    state.pairs = [pair for pair in state.pairs if unit.id not in (pair.a, pair.b)]
    for key in foes:
        foe = state.units[key]
        # Whom it was not flush with is gone: nothing is left to be set right by a combat reform.
        foe.must_reform = foe.must_reform and any(not pair.flush for pair in state.pairs_of(key))
        if not state.engaged(key):
            foe.free = True
            foe.freed_charging = foe.charging
            disengaged(battle, foe)
    disengaged(battle, unit)


def disengaged(battle: Battle[State], unit: Unit) -> None:
    """Nobody fights it any more: what lasts until the end of the combat is over, and in the next one it chooses its
    weapons anew (t9a.def.duration.end-of-combat, t9a.rule.weapon.melee-choice)."""
    state = battle.state
    for key in unit.members:
        state.pools[key].weapon = ()
    over(battle, "engaged", unit.members)


LASTING = {"combat": "t9a.def.duration.round-of-combat", "engaged": "t9a.def.duration.end-of-combat"}


def over(battle: Battle[State], period: str, whose: Sequence[str]) -> None:
    """A round of combat, or the whole combat, is over for these: what was to last as long ends on them, and on nobody
    who fights elsewhere (t9a.def.duration.round-of-combat, t9a.def.duration.end-of-combat)."""
    state = battle.state
    ended = [e for e in state.effects if e.until == period and e.on in whose]
    if ended and state.applies(LASTING[period]):
        state.effects = [e for e in state.effects if e not in ended]
        battle.emit("effects-end", LASTING[period], count=len(ended))


def remove_unit(battle: Battle[State], unit: Unit, rule: str, in_melee: bool = False) -> None:
    """Everybody in a unit is removed as a casualty."""
    state = battle.state
    battle.emit("casualty", rule, unit=unit.id)
    for key in unit.members:
        if unit.where != "gone":
            drop_pool(battle, state.pools[key], unit, in_melee)
    if unit.where != "gone":
        vanish(battle, unit)
