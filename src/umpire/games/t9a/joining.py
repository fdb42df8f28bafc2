"""Attachable models: who may join whom, joining and leaving."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.effects import Effect
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.text import Text

from .formation import (
    EPS,
    FULL_RANK,
    Box,
    Layout,
    Point,
    box,
    files_in,
    height,
    layout,
    layout_with,
    matches,
    skirmishing,
    standing_in,
)  # fmt: skip
from .model_rules import found, has, some, words_of
from .spacing import impassable, near, off_table, on_table, separation
from .state import Pool, State, Unit


def join_objections(state: State, pool: Pool, unit: Unit, deploying: bool = False) -> Iterator[Reason]:
    """Why a model may not join a unit."""
    facts = {"who": pool.id, "unit": unit.id}
    if not pool.attachable or unit.side != pool.side:
        yield Reason("t9a.char.attachable", facts=facts)
        return
    if not deploying and unit.shaken:
        yield Reason("t9a.char.join.forbidden", "reason.t9a.is-shaken", facts)
    if not deploying and state.engaged(unit.id):
        yield Reason("t9a.char.join.forbidden", "reason.t9a.is-engaged", {**facts, "others": state.foes(unit.id)})
    if has(state, pool, "t9a.rule.solitary") or some(state, unit, "t9a.rule.solitary"):
        yield Reason("t9a.rule.solitary", facts=facts)
    for rule, name in (
        ("t9a.rule.supernal", "t9a.rule.supernal.join"),
        ("t9a.rule.unstable", "t9a.rule.unstable.join"),
    ):
        if has(state, pool, rule) != some(state, unit, rule):
            yield Reason(name, facts=facts)
    if skirmishing(state, unit) and pool.profile.height != height(state, unit):
        yield Reason("t9a.rule.skirmisher.join", facts=facts)
    yield from exclusive(state, pool, unit)
    others = state.attached(unit)
    if has(state, pool, "t9a.rule.war-platform") and any(has(state, p, "t9a.rule.war-platform") for p in others):
        yield Reason("t9a.rule.war-platform.one", facts=facts)
    if has(state, pool, "t9a.rule.captain.standard") and any(
        has(state, p, "t9a.rule.captain.standard") for p in others
    ):
        yield Reason("t9a.rule.captain.limit", facts=facts)
    yield from base_objections(state, pool, unit)
    if not deploying and unit.where == "table" and not sides_free(state, pool, unit):
        yield from room_behind(state, pool, unit)


def depth_objections(state: State, pool: Pool, unit: Unit) -> Iterator[Reason]:
    """Joining is of free will: nobody makes a unit deeper than it is wide that way, unless it is wide enough for Full
    Ranks (t9a.def.formation.ranks-vs-files)."""
    if state.rnf(unit) is None:
        return
    shape = with_guest(state, pool, unit, -1)
    if shape.ranks > shape.files and shape.files < FULL_RANK[height(state, unit)]:
        yield Reason("t9a.def.formation.ranks-vs-files", facts={"files": shape.files, "ranks": shape.ranks})


def room_objections(state: State, pool: Pool, unit: Unit) -> Iterator[Reason]:
    """A unit that a model makes wider or deeper stays on the table, in nobody and in no rock (t9a.def.table-edge.end,
    t9a.def.unit-boundary.no-overlap, t9a.terrain.impassable)."""
    here = box(state, unit)
    shape = with_guest(state, pool, unit, -1)
    if shape.width > here.w + EPS or shape.depth > here.d + EPS:
        yield from no_room(state, pool, unit, Box(here.x, here.y, here.ux, here.uy, shape.width, shape.depth))


def room_behind(state: State, pool: Pool, unit: Unit) -> Iterator[Reason]:
    """Why a model may not join a unit as it is formed."""
    yield from depth_objections(state, pool, unit)
    yield from room_objections(state, pool, unit)


def no_room(state: State, pool: Pool, unit: Unit, at: Box) -> Iterator[Reason]:
    """Why a unit that a model has joined may not stand so."""
    if not on_table(state, at):
        yield Reason("t9a.def.table-edge.end", "reason.t9a.off-table", {"inches": round(off_table(state, at), 2)})
    own = pool.unit if len(state.units[pool.unit].members) == 1 else ""
    for other in state.table():
        if other.id in (unit.id, own) or not near(at, box(state, other), 0.0):
            continue
        gap = separation(at.corners(), box(state, other).corners())
        if gap < -EPS:
            yield Reason("t9a.def.unit-boundary.no-overlap", facts={"other": other.id, "gap": round(gap, 2)})
    for piece in impassable(state):
        gap = separation(at.corners(), piece.points)
        if gap < -EPS:
            yield Reason("t9a.terrain.impassable", facts={"other": piece.id, "gap": round(gap, 2)})


def sides_free(state: State, pool: Pool, unit: Unit) -> dict[str, Box]:
    """Where a unit of a single rank would stand with a new file at its left or right end for whom a model displaces
    that joins it (t9a.char.join.displace)."""
    before = layout(state, unit)
    own = next((c for c in with_guest(state, pool, unit, -1).cells if c.pool == pool.id), None)
    if before.ranks != 1 or own is None or not fits_inside(state, pool, unit):
        return {}
    shape = layout_with(state, unit, before.rows[0] + own.files, pool.id)
    if shape.ranks != 1 or not state.applies("t9a.char.join.displace"):
        return {}
    here, more = box(state, unit), shape.width - box(state, unit).w
    found = {}
    for side, shift in (("left", -more / 2), ("right", more / 2)):
        there = here._replace(x=here.x + shift * here.uy, y=here.y - shift * here.ux, w=shape.width, d=shape.depth)
        if next(standing(state, no_room(state, pool, unit, there)), None) is None:
            found[side] = there
    return found


def displaced_to(battle: Battle[State], pool: Pool, unit: Unit) -> Steps[tuple[str, Box] | None]:
    """Who will be displaced in a single rank goes to a second one, or beside the first, as its owner likes: to which
    end, and where the unit stands then; None where it is not beside."""
    state = battle.state
    sides = sides_free(state, pool, unit)
    if not sides or with_guest(state, pool, unit, -1).ranks == 1:
        return None
    options = [Option(side, Text(f"option.{side}-end"), (unit.id,)) for side in sides]
    if next(standing(state, room_behind(state, pool, unit)), None) is None:
        options.insert(0, Option("second", Text("option.second-rank"), (unit.id,)))
    answer = options[0].id
    if len(options) > 1:
        answer = yield Choose(
            unit.side, "ask.displaced-where", options, "t9a.char.join.displace", unit.id, default=answer
        )
    return None if answer == "second" else (answer, sides[answer])


def new_file(battle: Battle[State], unit: Unit, side: str, there: Box) -> None:
    """The unit that a model has joined stands in one rank, longer at one end."""
    state = battle.state
    files = layout(state, unit).rows
    unit.x, unit.y, unit.files = there.x, there.y, sum(files)
    if side == "left":
        for other in state.attached(unit):
            other.file += sum(files[1:]) if other.file >= 0 else 0
    battle.emit("wider", "t9a.char.join.displace", unit=unit.id, files=unit.files)


def base_objections(state: State, pool: Pool, unit: Unit) -> Iterator[Reason]:
    """Wide bases do not fit narrow units; a unit has at most two mismatching models (t9a.char.base.*)."""
    rnf = state.rnf(unit)
    if rnf is None:
        return
    strict = skirmishing(state, unit)
    base = rnf.profile.base
    facts = {"who": pool.id, "unit": unit.id}
    if not matches(base, pool.profile.base, strict):
        loose = [p for p in state.attached(unit) if not matches(base, p.profile.base, strict)]
        if len(loose) >= 2:
            yield Reason("t9a.char.base.mismatching", facts=facts)
    elif pool.profile.base[0] > unit.files * base[0] + 1e-9 and rnf.count > unit.files:
        yield Reason("t9a.char.base.too-wide", facts=facts)


def fits_inside(state: State, pool: Pool, unit: Unit) -> bool:
    """Has the model a matching base (t9a.char.base.matching; among skirmishers an equal one,
    t9a.rule.skirmisher.join)?"""
    rnf = state.rnf(unit)
    strict = skirmishing(state, unit) or not state.applies("t9a.char.base.matching")
    return rnf is not None and matches(rnf.profile.base, pool.profile.base, strict)


def with_guest(state: State, pool: Pool, unit: Unit, file: int, rank: int = 0) -> Layout:
    """The unit with a model at that file and rank (-1: wherever it stands; -2: beside the right end)."""
    return layout_with(state, unit, guest=pool.id, spot=None if file == -1 else (file, rank))


def file_of(state: State, pool: Pool, unit: Unit) -> int:
    """The file in which an attached model stands."""
    return next((c.file for c in layout(state, unit).cells if c.pool == pool.id), -1)


def places(state: State, pool: Pool, unit: Unit) -> list[int]:
    """Files of the first rank that a model with a matching base may take: as far forward as any
    (t9a.char.position.front), so that no attached model of the unit is driven out of the rank it stands in."""
    if not fits_inside(state, pool, unit):
        return []
    found = []
    ranks = {c.pool: c.rank for c in with_guest(state, pool, unit, -1).cells}
    for file in range(unit.files):
        shape = with_guest(state, pool, unit, file)
        spot = next((c for c in shape.cells if c.pool == pool.id), None)
        if spot is None or spot.file != file:
            continue
        others = [c for c in shape.cells if c.pool in unit.members and state.pools[c.pool].attachable]
        if spot.rank <= ranks[pool.id] and all(c.rank <= ranks[c.pool] for c in others):
            found.append(file)
    return found


def rear_places(state: State, pool: Pool, unit: Unit) -> list[tuple[int, int]]:
    """Places behind the first rank for a model that need not stand forward (t9a.rule.stand-behind)."""
    if not has(state, pool, "t9a.rule.stand-behind") or not fits_inside(state, pool, unit):
        return []
    shape = with_guest(state, pool, unit, -1)
    rnf = state.rnf(unit)
    mine = [c for c in shape.cells if rnf is not None and c.pool == rnf.id and c.rank > 0]
    spot = next((c for c in shape.cells if c.pool == pool.id), None)
    if spot is None or (spot.files, spot.ranks) != (1, 1):
        return []
    return [(c.file, c.rank) for c in mine]


def places_in(state: State, pool: Pool, unit: Unit) -> list[Point]:
    """The places that a model would have in a unit: the middle of its base there."""
    found = [spot_in(state, pool, unit, *spot) for spot in spots(state, pool, unit)]
    return [spot for spot in found if spot is not None]


def spots(state: State, pool: Pool, unit: Unit) -> list[tuple[int, int]]:
    """The files and ranks that a joining model may take: in front, behind if it need not stand forward, a mismatching
    base beside either end that is free (t9a.char.base.mismatching)."""
    if state.rnf(unit) is None or fits_inside(state, pool, unit):
        inside = [(file, 0) for file in places(state, pool, unit)] + rear_places(state, pool, unit)
        return inside or [(-1, -1)]
    beside = [p for p in state.attached(unit) if p.id != pool.id and not fits_inside(state, p, unit)]
    return [(-1, -1), (-2, -1)] if not beside else [(-1 if beside[0].file == -2 else -2, -1)]


def ask_spot(
    battle: Battle[State], pool: Pool, unit: Unit, ways: Mapping[tuple[int, int], float], most: float = math.inf
) -> Steps[tuple[int, int]]:
    """Where a model stands in the unit that it joins, of the places that so many inches reach, its owner says
    (t9a.char.join.displace, t9a.char.join.distance)."""
    near = [s for s, way in ways.items() if way <= most + EPS or not battle.state.applies("t9a.char.join.distance")]
    if len(near) < 2:
        return near[0] if near else (-1, -1)
    keys = {spot_key(*spot): spot for spot in ways}

    def refuse(wish: str) -> list[Reason]:
        if wish not in keys:
            return []
        facts = {"who": pool.id, "unit": unit.id, "inches": round(ways[keys[wish]], 2), "most": most}
        return [Reason("t9a.char.join.distance", facts=facts)]

    options = [Option(spot_key(*spot), spot_text(pool, *spot), (unit.id,)) for spot in near]
    cell = next((c for c in with_guest(battle.state, pool, unit, -1).cells if c.pool == pool.id), None)
    usual = near[0] if cell is None or near[0][0] < 0 else (cell.file, cell.rank)
    answer = yield Choose(
        unit.side, "ask.place-in-unit", options, "t9a.char.join.displace", pool.id, refuse=refuse,
        default=spot_key(*(usual if usual in near else near[0])),
    )  # fmt: skip
    return keys[answer]


def spot_key(file: int, rank: int) -> str:
    """A place in a unit as an answer names it: "2", "2:1" (behind), "left", "right"."""
    if file < 0:
        return "right" if file == -2 else "left"
    return f"{file}:{rank}" if rank > 0 else str(file)


def spot_text(pool: Pool, file: int, rank: int) -> Text:
    if file < 0:
        return Text("option.right-end" if file == -2 else "option.left-end")
    if rank > 0:
        return Text("option.to-rank", {"who": pool.id, "file": file + 1, "rank": rank + 1})
    return Text("option.file", {"file": file + 1})


def spot_in(state: State, pool: Pool, unit: Unit, file: int, rank: int = 0) -> Point | None:
    """The middle of a model's base at that place of a unit that it joins."""
    shape = with_guest(state, pool, unit, file, rank)
    here = box(state, unit)
    at = Box(here.x, here.y, here.ux, here.uy, shape.width, shape.depth)
    cell = next((c for c in shape.cells if c.pool == pool.id), None)
    return None if cell is None else at.world((cell.x0 + cell.x1) / 2, (cell.y0 + cell.y1) / 2)


def exclusive(state: State, pool: Pool, unit: Unit) -> Iterator[Reason]:
    """Exclusive (X): only units containing X, only models that are X; every instance counts (t9a.rule.exclusive)."""
    mine = found(state, pool, "t9a.rule.exclusive")
    held = _words(state, list(state.members(unit)))
    for n, rule in enumerate(mine):
        if not any(word in held for word in rule.words):
            cite = "t9a.rule.exclusive.several" if n or not rule.words else "t9a.rule.exclusive"
            yield Reason(cite, facts={"who": pool.id, "unit": unit.id})
    rnf = state.rnf(unit)
    if rnf is None:
        return
    own = _words(state, [pool])
    for rule in found(state, rnf, "t9a.rule.exclusive"):
        if not any(word in own for word in rule.words):
            yield Reason("t9a.rule.exclusive", facts={"who": pool.id, "unit": unit.id})


def _words(state: State, pools: Sequence[Pool]) -> set[str]:
    found_words: set[str] = set()
    for pool in pools:
        found_words |= {pool.entry, *words_of(pool.profile)}
        found_words |= {word for word, on in (("standard", pool.standard), ("musician", pool.musician)) if on}
    return found_words


def may_join(state: State, pool: Pool, unit: Unit, deploying: bool = False) -> bool:
    return next(standing(state, join_objections(state, pool, unit, deploying)), None) is None


def together(state: State, pools: Sequence[Pool], unit: Unit) -> Iterator[Reason]:
    """Why these models may not all be deployed in one unit."""
    for rule, cite in (
        ("t9a.rule.war-platform", "t9a.rule.war-platform.one"),
        ("t9a.rule.captain.standard", "t9a.rule.captain.limit"),
    ):
        if sum(has(state, pool, rule) for pool in pools) > 1:
            yield Reason(cite, facts={"unit": unit.id})
    rnf = state.rnf(unit)
    if rnf is not None:
        strict = skirmishing(state, unit)
        loose = [p for p in (*pools, *state.attached(unit)) if not matches(rnf.profile.base, p.profile.base, strict)]
        if len(loose) > 2:
            yield Reason("t9a.char.base.mismatching", facts={"unit": unit.id})


def join(battle: Battle[State], pool: Pool, unit: Unit, rule: str, file: int = -1, rank: int = -1) -> None:
    """The model becomes part of the unit; its own unit sleeps."""
    state = battle.state
    own = state.units[pool.id]
    old = state.units[pool.unit]
    if old.id != own.id:
        old.members = tuple(key for key in old.members if key != pool.id)
        if not old.members:
            # The last model of a unit whose rank-and-file have fallen takes nothing with it.
            old.where = "gone"
    own.where = "joined"
    own.host = unit.id
    pool.unit = unit.id
    pool.file, pool.rank = file, rank
    unit.members = (*unit.members, pool.id)
    battle.emit("joined", rule, "t9a.char.combined", who=pool.id, unit=unit.id)
    rnf = state.rnf(unit)
    if rnf is not None and rnf.profile.base != pool.profile.base:
        fits = matches(rnf.profile.base, pool.profile.base, skirmishing(state, unit))
        told = ["t9a.char.base.matching" if fits else "t9a.char.base.mismatching"]
        if fits and pool.profile.base[1] > rnf.profile.base[1]:
            told.append("t9a.char.base.long")
        battle.emit("stands-in" if fits else "stands-beside", *told, who=pool.id, unit=unit.id)
    share_effects(battle, pool, unit)


def share_effects(battle: Battle[State], pool: Pool, unit: Unit) -> None:
    """Who joins shares no effect that was there before (t9a.def.duration.join)."""
    state = battle.state
    here = [e for e in state.effects if e.on in unit.members and e.on != pool.id]
    if not here:
        return
    if state.applies("t9a.def.duration.join"):
        battle.emit("not-shared", "t9a.def.duration.join", who=pool.id, unit=unit.id)
        return
    for effect in here:
        effects.add(state, msgspec.structs.replace(effect, on=pool.id))


@decides("t9a.char.attachable.lone")
def leave(battle: Battle[State], pool: Pool, rule: str) -> Unit:
    """The model is a unit of its own again, where it stands in the unit that it leaves."""
    state = battle.state
    unit = state.units[pool.unit]
    cell = next(c for c in layout(state, unit).cells if c.pool == pool.id)
    x, y = box(state, unit).world((cell.x0 + cell.x1) / 2, cell.y0)
    if unit.id == pool.id:
        unit = handed_on(state, pool, unit)
    unit.members = tuple(key for key in unit.members if key != pool.id)
    own = state.units[pool.id]
    own.where = "table"
    own.members = (pool.id,)
    own.host = ""
    own.files = 1
    own.x, own.y, own.facing = x, y, unit.facing
    own.shaken = own.moved = own.declared = own.failed = False
    own.calm = own.fled = own.redirected = own.joined_now = own.charged_out = False
    own.hp_start, own.ranged = pool.hp, 0
    own.close = (unit.id,)
    pool.unit = pool.id
    pool.file = pool.rank = -1
    battle.emit("left", rule, "t9a.char.attachable.lone", who=pool.id, unit=unit.id)
    if unit.base == pool.id:
        close_up(battle, unit)
    keep_effects(battle, pool, unit)
    return own


def handed_on(state: State, pool: Pool, unit: Unit) -> Unit:
    """The model that a unit was formed about leaves: the unit goes by the name of the next one in it."""
    others = [key for key in unit.members if key != pool.id]
    heir = msgspec.structs.replace(unit, id=others[0], members=unit.members)
    state.units[heir.id] = heir
    for key in others:
        state.pools[key].unit = heir.id
        if key != heir.id:
            state.units[key].host = heir.id
    for other in state.units.values():
        if unit.id in other.close and other.id != heir.id:
            other.close = (*other.close, heir.id)
    return heir


def keep_effects(battle: Battle[State], pool: Pool, unit: Unit) -> None:
    """Lasting effects go on for each part of a unit that splits (t9a.def.duration.split); what has no duration, such
    as a
    banner, until the end of the phase (t9a.char.leave.effects)."""
    state = battle.state
    if any(e.on == pool.id for e in state.effects):
        if state.applies("t9a.def.duration.split"):
            battle.emit("effects-stay", "t9a.def.duration.split", who=pool.id)
        else:
            effects.drop(state, pool.id)
    given = [rule for other in state.members(unit) for rule in other.banner]
    if given and state.applies("t9a.char.leave.effects"):
        for rule in given:
            data = {"rule": msgspec.to_builtins(rule), "side": pool.side}
            effects.add(
                state, Effect(pool.id, rule.id, "add", 0, "t9a.char.leave.effects", unit.id, "phase", data=data)
            )
        battle.emit("banner-stays", "t9a.char.leave.effects", who=pool.id, unit=unit.id)


# -- units of attachable models alone ---------------------------------------------------------------------------------


def close_up(battle: Battle[State], unit: Unit) -> None:
    """Whose base the unit was laid out by is gone: the rest closes up about the middle of its front; whose base takes
    its place is settled next (t9a.rule.skirmisher.end, t9a.char.all-attachable)."""
    state = battle.state
    former = state.pools[unit.base]
    if has(state, former, "t9a.rule.skirmisher") and not some(state, unit, "t9a.rule.skirmisher"):
        battle.emit("closes-up", "t9a.rule.skirmisher.end", unit=unit.id)
    for key in unit.members:
        state.pools[key].file = state.pools[key].rank = -1
    if len(base_choices(state, unit)) > 1:
        battle.push(choose_base, unit.id)
    else:
        new_base(battle, unit, base_choices(state, unit)[0])


def base_choices(state: State, unit: Unit) -> list[str]:
    """Whose base may stand in for a rank-and-file base, one for each size: anybody's when the unit is first formed;
    later so that as few models as possible begin or cease to match (t9a.char.all-attachable)."""
    sizes: dict[tuple[float, float], str] = {}
    for key in unit.members:
        sizes.setdefault(state.pools[key].profile.base, key)
    if not state.applies("t9a.char.all-attachable"):
        return list(unit.members[:1])
    former = state.pools.get(unit.base)
    if former is None or not former.attachable:
        return list(sizes.values())
    changes = {
        key: sum(
            matches(size, state.pools[other].profile.base)
            != matches(former.profile.base, state.pools[other].profile.base)
            for other in unit.members
        )
        for size, key in sizes.items()
    }
    return [key for key, count in changes.items() if count == min(changes.values())]


def first_base(battle: Battle[State], unit: Unit) -> Steps[None]:
    """A unit of attachable models alone is formed: its owner says whose base it is laid out by."""
    state = battle.state
    if state.rnf(unit) is None and len(unit.members) > 1 and unit.base not in unit.members:
        answer = yield from ask_base(battle, unit)
        new_base(battle, unit, answer)


def ask_base(battle: Battle[State], unit: Unit) -> Steps[str]:
    open_ones = base_choices(battle.state, unit)
    answer = open_ones[0]
    if len(open_ones) > 1:

        def refuse(wish: str) -> list[Reason]:
            return [Reason("t9a.char.all-attachable", facts={"who": wish})] if wish in unit.members else []

        options = [Option(name, None, (unit.id,)) for name in open_ones]
        answer = yield Choose(unit.side, "ask.base", options, "t9a.char.all-attachable", unit.id, refuse=refuse)
    return answer


@step
def choose_base(battle: Battle[State], key: str) -> Steps[None]:
    """The owner of a unit of attachable models chooses whose base it is laid out by."""
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table" or not unit.members or unit.base in unit.members:
        return
    answer = yield from ask_base(battle, unit)
    new_base(battle, unit, answer)


def new_base(battle: Battle[State], unit: Unit, key: str) -> None:
    unit.base = key
    if len(unit.members) > 1:
        battle.emit("base", "t9a.char.all-attachable", who=key, unit=unit.id)


def keep_base(state: State, unit: Unit) -> None:
    """Before boundaries are locked: a unit keeps the files that it has, however many it could have; one without
    soldiers keeps its base too."""
    unit.files = files_in(state, unit)
    if state.rnf(unit) is None:
        unit.base = standing_in(unit)
