"""Who strikes whom in a round of combat, and how often: contact, supporting and restricted attacks (melee.attack.*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps
from umpire.text import Text

from . import terrain, weapons
from .characteristics import offensive
from .formation import Cell, box, height, layout, skirmishing
from .model_rules import attributes
from .profiles import Part, Weapon, most_of
from .spacing import contacts, touch
from .state import Facing, Pool, Round, State, Unit
from .values import random_value


class Group(NamedTuple):
    """Models of one pool and part that may strike at the same targets in the same way."""

    pool: str
    part: int
    targets: tuple[str, ...]
    models: int
    restricted: bool
    """May they strike at nobody but by restricted attacks?"""
    walled: int
    """How many of them touch a wall."""
    faces: tuple[str, ...]
    """Through which facing of the target's unit each target is struck."""
    supporting: int = 0
    """How many of them stand behind those that touch the enemy."""
    behind: int = 0
    """How many of those stand behind the second rank."""
    tie: int = 0
    """Of a target whose models differ: whose values count where the majority does not tell."""
    limited: tuple[bool, ...] = ()
    """Which targets are struck by restricted attacks."""


def armed(battle: Battle[State], number: int) -> dict[tuple[str, int], Weapon]:
    """The weapons whose bonuses are rolled for, as they are in this step: once for all attacks of a part, before any is
    allocated (t9a.rule.weapon.bonus-timing)."""
    state = battle.state
    found_arms: dict[tuple[str, int], Weapon] = {}
    if not state.applies("t9a.rule.weapon.bonus-timing"):
        return found_arms
    for agi, member, index in round_now(state).order:
        pool = state.pools[member]
        unit = state.units[pool.unit]
        if agi != number or pool.count <= 0 or unit.where != "table":
            continue
        weapon = weapons.in_use(state, pool, index)
        if weapon.rolled and fighters(state, unit, pool, index):
            found_arms[member, index] = weapons.settled(battle, pool, weapon)
    return found_arms


def supported(battle: Battle[State], pool: Pool, index: int, weapon: Weapon, att: int, groups: Sequence[Group]) -> None:
    """Tell who strikes without touching anybody, and what lets or keeps them (t9a.melee.attack.supporting)."""
    state = battle.state
    behind = sum(group.supporting for group in groups)
    front = sum(cell.pool == pool.id and cell.rank == 0 for cell in layout(state, state.units[pool.unit]).cells)
    idle = front - sum(group.models - group.supporting for group in groups)
    if idle > 0:
        battle.emit("idle", "t9a.melee.attack.who", "t9a.def.contact.models", who=pool.id, models=idle)
    if not behind:
        return
    told = ["t9a.melee.attack.supporting"]
    if any(group.behind for group in groups):
        told.append("t9a.rule.fight-in-extra-rank")
    cap = restricted_cap(state, pool, index, weapon)
    plain = pool.profile.height
    if cap > plain and att > plain:
        told.append("t9a.rule.extra-support")
    if index and cap < plain and att > cap:
        told.append("t9a.melee.attack.restricted-parts")
    told.append("t9a.melee.attack.allocate-supporting")
    battle.emit("supporting", *told[:3], who=pool.id, models=behind, attacks=min(att, cap))


def reach_over(battle: Battle[State], unit: Unit, pool: Pool) -> None:
    """Tell who strikes across a gap: bases that do not touch, but would if they were carried straight on
    (t9a.melee.attack.across-gap, t9a.rule.skirmisher.fight)."""
    state = battle.state
    cells = layout(state, unit).cells
    if not unit.holes and len(unit.members) < 2 and not skirmishing(state, unit) and not _gaps_before(state, unit):
        return
    for pair in state.pairs_of(unit.id):
        other = state.units[pair.other(unit.id)]
        faces = pair.face(unit.id), pair.face(other.id)
        touched = contacts(state, unit, faces[0], other, faces[1])
        close = set(contacts(state, unit, faces[0], other, faces[1], across=False))
        over = {j for j, k in touched if (j, k) not in close and cells[j].pool == pool.id}
        if over:
            told = ["t9a.melee.attack.across-gap", "t9a.def.contact.across-gaps"]
            if skirmishing(state, unit) or skirmishing(state, other):
                told[1] = "t9a.rule.skirmisher.fight"
            battle.emit("across-gap", *told, who=pool.id, target=other.id, models=len(over))
        if any(cells[j].rank for j in over):
            # Who stands behind a model of its own reaches over nobody.
            met = {j for j, _ in touched}
            covered = sum(c.pool == pool.id and c.rank == 1 and k not in met for k, c in enumerate(cells))
            if covered:
                battle.emit("covered", "t9a.def.contact.gap-blocked", who=pool.id, models=covered)


def _gaps_before(state: State, unit: Unit) -> bool:
    foes = [state.units[key] for key in state.foes(unit.id)]
    return any(foe.holes or len(foe.members) > 1 or skirmishing(state, foe) for foe in foes)


def attacks_each(battle: Battle[State], pool: Pool, part: Part, weapon: Weapon, models: int) -> list[int]:
    """The Attack Value of each of some models; a random one is rolled anew, for each of them
    (t9a.def.profile.random)."""
    value = part.att
    state = battle.state
    assert value is not None
    bases: list[int] = [value] * models if isinstance(value, int) else []
    if isinstance(value, str):
        who = {"side": pool.side, "who": pool.id}
        count = models if state.applies("t9a.def.profile.random") else 1
        bases = [random_value(battle, value, "attacks", "t9a.def.profile.random", **who) for _ in range(count)]
        bases *= models // count
    numbers = {base: offensive(state, pool, part, "att", weapon, base=base) for base in dict.fromkeys(bases)}
    each = [int(numbers[base].total) for base in bases]
    number = numbers[bases[0]]
    if number.changes:
        told = list(number.rules)
        if "t9a.rule.first-strike" in told:
            told.insert(1, "t9a.melee.round.first")
        if any(name == "att" for name, _ in weapon.mods):
            told.insert(1, "t9a.rule.weapon.melee-other")
        battle.emit("more-attacks", *told[:3], who=pool.id, attacks=max(each))
    return each


def restricted_each(battle: Battle[State], pool: Pool, index: int, weapon: Weapon, att: int) -> Steps[int]:
    """How many restricted attacks each model makes with this part: where another part strikes after it, its owner
    decides how many are left for that one (t9a.melee.attack.restricted-parts)."""
    state = battle.state
    now = round_now(state)
    rule = "t9a.melee.attack.restricted-parts"
    most = min(att, restricted_cap(state, pool, index, weapon))
    later = now.order[1 + next(n for n, entry in enumerate(now.order) if entry[1:] == (pool.id, index)) :]
    waiting = sum(_att(pool.profile.parts[k]) for _, who, k in later if who == pool.id)
    each = most
    if most and waiting and state.applies(rule) and restricted_cap(state, pool, index, weapon) < att + waiting:
        options = [Option(str(n), Text("option.attacks", {"attacks": n})) for n in range(most, -1, -1)]
        answer = yield Choose(
            pool.side, "ask.restricted", options, rule, pool.id,
            propose=lambda rng: str(most if rng.below(3) else rng.below(most + 1)),
        )  # fmt: skip
        each = int(answer)
        if each < most:
            battle.emit("held-back", rule, who=pool.id, attacks=each)
    used = dict(now.limited)
    used[pool.id] = used.get(pool.id, 0) + each
    now.limited = tuple(used.items())
    return each


def _att(part: Part) -> int:
    """The attacks of a part, the most of them where they are rolled for."""
    return part.att if isinstance(part.att, int) else most_of(part.att) if part.att else 0


def restricted_cap(state: State, pool: Pool, index: int, weapon: Weapon, who: str = "") -> int:
    """At most as many as the model's Height, all parts together (t9a.melee.attack.restricted-cap)."""
    part = pool.profile.parts[index]
    if not state.applies("t9a.melee.attack.restricted-cap"):
        return 99
    held = attributes(state, pool, part, "t9a.rule.extra-support", "melee", weapon.rules)
    cap = max([rule.number for rule in held if not rule.plus], default=pool.profile.height)
    cap += sum(rule.number for rule in held if rule.plus)
    if not state.applies("t9a.melee.attack.restricted-parts"):
        return cap
    made = dict(state.round.limited) if state.round is not None else {}
    # Before anybody has struck it is taken that parts strike in the order of their profile.
    before = sum(p.att for p in pool.profile.parts[:index] if isinstance(p.att, int))
    return max(0, cap - made.get(who or pool.id, before if state.round is None else 0))


def fighters(state: State, unit: Unit, pool: Pool, index: int) -> list[Group]:
    """Who of a pool fights whom: models in contact, and those that support them (t9a.melee.attack.who)."""
    cells = layout(state, unit).cells
    touched: dict[int, dict[str, list[int]]] = {}
    face_to: dict[str, Facing] = {}
    their_face: dict[str, Facing] = {}
    for pair in state.pairs_of(unit.id):
        other = pair.other(unit.id)
        face_to[other] = pair.face(unit.id)
        their_face[other] = pair.face(other)
        for j, k in contacts(state, unit, pair.face(unit.id), state.units[other], pair.face(other)):
            touched.setdefault(j, {}).setdefault(other, []).append(k)
    if not state.applies("t9a.melee.attack.who"):
        for k, cell in enumerate(cells):
            if cell.rank == 0 and touched:
                touched.setdefault(k, next(iter(touched.values())))
    if not touched:
        return []
    weapon = weapons.in_use(state, pool, index)
    part = pool.profile.parts[index]
    depth = 1 + len(attributes(state, pool, part, "t9a.rule.fight-in-extra-rank", "melee", weapon.rules))
    walls = over_walls(state, unit, pool, touched) if unit.charging else frozenset()
    made: dict[tuple[tuple[str, ...], tuple[bool, ...], tuple[str, ...]], list[int]] = {}
    for k, cell in enumerate(cells):
        if cell.pool != pool.id:
            continue
        ahead = front_of(state, cells, k, depth, touched, face_to)
        supporting = k not in touched
        if supporting and ahead is None:
            continue
        targets: dict[str, tuple[bool, str]] = {}
        for other, theirs in touched.get(k, {}).items():
            flank = face_to[other] != "front" and state.applies("t9a.melee.attack.flank-restricted")
            for target in eligible(state, state.units[other], theirs):
                targets[target] = (flank, their_face[other])
        for other, theirs in touched[ahead].items() if ahead is not None else ():
            if face_to[other] != "front":
                continue
            seen = theirs if state.applies("t9a.melee.attack.allocate-supporting") else []
            for target in eligible(state, state.units[other], seen):
                targets.setdefault(target, (True, their_face[other]))
        order = sorted(targets, key=lambda target: targets[target][0])
        key = (tuple(order), tuple(targets[t][0] for t in order), tuple(targets[t][1] for t in order))
        tally = made.setdefault(key, [0, 0, 0, 0])
        tally[0] += 1
        tally[1] += (k if ahead is None else ahead) in walls
        tally[2] += supporting
        tally[3] += supporting and cell.rank > 1
    return [
        Group(pool.id, index, targets, count, all(limited), walled, faces, supporting, behind, limited=limited)
        for (targets, limited, faces), (count, walled, supporting, behind) in made.items()
    ]


def over_walls(
    state: State, unit: Unit, pool: Pool, touched: Mapping[int, Mapping[str, Sequence[int]]]
) -> frozenset[int]:
    """The models of a charging unit that touch a wall, or would if their bases were carried on across a gap to those
    that they strike; who strides over walls does not mind (t9a.terrain.wall.fortified)."""
    walls = [piece for piece in state.field.terrain if piece.kind == "wall"]
    if not walls or (terrain.strides(state, pool, "wall") and state.applies("t9a.rule.strider")):
        return frozenset()
    at, cells = box(state, unit), layout(state, unit).cells
    found_models = set(terrain.models_touching(state, unit, "wall"))
    for j, met in touched.items():
        mine, far = cells[j], 0.0
        for other, theirs in met.items():
            there, others = box(state, state.units[other]), layout(state, state.units[other]).cells
            for k in theirs:
                cell = others[k]
                corners = [there.world(x, y) for x in (cell.x0, cell.x1) for y in (cell.y0, cell.y1)]
                far = max(far, min(at.local(*corner)[1] for corner in corners))
        ring = [at.world(x, y) for x, y in ((mine.x0, far), (mine.x1, far), (mine.x1, mine.y0), (mine.x0, mine.y0))]
        if far > mine.y0 + 1e-6 and any(touch(ring, piece.points) for piece in walls):
            found_models.add(j)
    return frozenset(found_models)


def front_of(
    state: State,
    cells: Sequence[Cell],
    k: int,
    depth: int,
    touched: Mapping[int, object],
    face_to: Mapping[str, Facing],
) -> int | None:
    """The model of the first rank over which a model may make supporting attacks, on enemies in its unit's front
    (t9a.melee.attack.supporting); whoever touches such an enemy itself needs none."""
    cell = cells[k]
    mine = touched.get(k, {})
    assert isinstance(mine, dict)
    if any(face_to[other] == "front" for other in mine):
        return None
    if cell.rank == 0 or cell.rank > depth or not state.applies("t9a.melee.attack.supporting"):
        return None
    front = next(
        (j for j, c in enumerate(cells) if c.rank == 0 and c.x0 <= cell.x0 + 1e-6 and c.x1 >= cell.x1 - 1e-6), None
    )
    over = touched.get(front, {}) if front is not None else {}
    assert isinstance(over, dict)
    return front if any(face_to[other] == "front" for other in over) else None


def eligible(state: State, foe: Unit, touched: list[int]) -> list[str]:
    """The rank-and-file models of a unit that is touched, and attached models that are touched themselves
    (t9a.attack.allocate.melee-attachable); without rank-and-file models anybody."""
    rnf = state.rnf(foe)
    if rnf is None:
        return list(foe.members)
    cells = layout(state, foe).cells
    found_pools = [rnf.id]
    for k in touched:
        pool = cells[k].pool
        if pool != rnf.id and pool not in found_pools:
            found_pools.append(pool)
    if not state.applies("t9a.attack.allocate.melee-attachable"):
        found_pools = list(foe.members)
    return found_pools


def massed(state: State, unit: Unit, pool: Pool) -> bool:
    """Solid units of Height 1 wound more easily (t9a.rule.massed-ranks)."""
    low = pool.profile.height == 1 and height(state, unit) == 1
    return unit.solid and low and state.applies("t9a.rule.massed-ranks")


def round_now(state: State) -> Round:
    assert state.round is not None
    return state.round
