"""Chapter 5: the wound pool, which stand takes the next wound, casualties, healing (conquest.wounds.*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps
from umpire.rulebook.deciding import decides
from umpire.space.measure import on_table
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Pose, world
from umpire.text import Text, joined

from . import formation, hooks, morale, ranked
from .state import Regiment, Stand, State


def full_wounds(state: State, regiment: Regiment) -> int:
    """The Wounds value of an ordinary stand now."""
    return int(hooks.number(hooks.Query(state, regiment, "wounds", regiment.profile.wounds)))


@decides(
    "conquest.core.stand.wound-tracking",
    "conquest.wounds.allocation.one-at-a-time",
    "conquest.wounds.allocation.reevaluate",
    "conquest.wounds.tally",
)
def suffer(battle: Battle[State], regiment: Regiment, pool: int, foe: str = "", *rules: str) -> Steps[int]:
    """Allocate a wound pool, one wound at a time, until it is empty or no stand is left; answers how many were.

    Stands are lost on the way, the regiment may be Broken or Shattered in the middle of it, or destroyed.
    """
    if pool <= 0 or not regiment.ordinary():
        return 0
    battle.emit("wound-pool", "conquest.wounds.pool", *rules, regiment=regiment.id, wounds=pool)
    done = 0
    used: dict[str, None] = {}
    while done < pool and regiment.ordinary():
        stand = yield from next_stand(battle, regiment, used)
        limit = full_wounds(battle.state, regiment)
        give = min(pool - done, limit - stand.wounds)
        done += give
        if stand.wounds + give < limit:
            ranked.replaced(regiment, stand, wounds=stand.wounds + give)
            used["conquest.wounds.wounded-stand"] = None
            continue
        lost(battle, regiment, stand)
        yield from hooks.moment(battle, "stand-lost", regiment, stand=stand)
        if not regiment.ordinary():
            break
        yield from morale.after_loss(battle, regiment)
        if morale.is_shattered(regiment):
            rules = tuple(used) or ("conquest.wounds.allocation.one-at-a-time",)
            battle.emit("allocated", *rules, regiment=regiment.id, wounds=done)
            yield from morale.shatter(battle, regiment, foe)
            return done
    rules = tuple(used) or ("conquest.wounds.allocation.one-at-a-time",)
    battle.emit("allocated", *rules, regiment=regiment.id, wounds=done, left=len(regiment.stands))
    if not regiment.ordinary():
        if pool > done:
            battle.emit("surplus", "conquest.wounds.excess", regiment=regiment.id, wounds=pool - done)
        yield from destroy(battle, regiment, foe)
    return done


def lost(battle: Battle[State], regiment: Regiment, stand: Stand) -> None:
    """A stand is destroyed and leaves the table at once (conquest.wounds.stand-destroyed)."""
    ranked.without(regiment, stand)
    regiment.lost = (*regiment.lost, msgspec.structs.replace(stand, wounds=0))
    regiment.round_lost += 1
    regiment.broken_lost += regiment.broken
    battle.emit(
        "stand-lost",
        "conquest.wounds.stand-destroyed",
        "conquest.core.model",
        regiment=regiment.id,
        stand=stand.id,
        left=len(regiment.stands),
    )
    close_up(battle, regiment)


def close_up(battle: Battle[State], regiment: Regiment) -> None:
    """A regiment of one rank has no hole in it (conquest.regiment.formation): the part that costs fewest contacts, of
    such the smaller, moves up to the other."""
    state = battle.state
    wide = regiment.profile.width
    hole = regiment.files - len(regiment.stands)
    if not hole or not regiment.stands or regiment.where != "table" or any(s.rank for s in regiment.stands):
        return
    if not state.applies("conquest.regiment.formation"):
        return
    row = sorted(regiment.stands, key=lambda s: s.file)
    first = next(n for n, s in enumerate(row) if s.file != n)
    closed = tuple([msgspec.structs.replace(s, file=n) for n, s in enumerate(row)])
    here, before, files = ranked.pose(regiment), regiment.stands, regiment.files
    found: list[tuple[int, int, bool, Pose]] = []
    for staying, shift in ((row[:first], -hole), (row[first:], hole)):
        x, y = world(here, shift * wide / 2, 0.0)
        regiment.x, regiment.y, regiment.stands, regiment.files = x, y, closed, len(closed)
        touching = len(formation.stands_in_contact(state, regiment))
        found.append((touching, len(staying), any(s.command for s in staying), (x, y, here[2])))
        regiment.x, regiment.y, regiment.stands, regiment.files = here[0], here[1], before, files
    touching, _, _, end = max(found, key=lambda way: way[:3])
    regiment.x, regiment.y = end[:2]
    regiment.stands, regiment.files = closed, len(closed)
    battle.emit("closed-up", "conquest.regiment.formation", regiment=regiment.id)


@decides("conquest.wounds.allocation.ignore-characters")
def next_stand(battle: Battle[State], regiment: Regiment, used: dict[str, None]) -> Steps[Stand]:
    """The stand that takes the next wound, by the list of priorities; `used` notes the rules that decided."""
    state = battle.state
    stands = regiment.ordinary()
    last = state.applies("conquest.wounds.allocation.command-last")
    plain = [s for s in stands if not (s.command and last)]
    if not plain:
        used["conquest.wounds.allocation.command-last"] = None
        return stands[0]
    if len(plain) < len(stands):
        used["conquest.wounds.allocation.command-last"] = None
    for stand in plain:
        if stand.wounds:
            used["conquest.wounds.allocation.wounded-first"] = None
            return stand
    rear = max(s.rank for s in plain)
    if rear:
        used["conquest.regiment.casualties-from-rear"] = None
    idle = plain
    if len(plain) > 1 and formation.in_contact(state, regiment):
        engaged = [s.id for s in formation.stands_in_contact(state, regiment)]
        idle = [s for s in plain if s.id not in engaged]
        if state.options.casualties == "engaged-first" and idle and max(s.rank for s in idle) < rear:
            used["conquest.wounds.allocation.engaged-last"] = None
            rear = max(s.rank for s in idle)
    rank = [s for s in plain if s.rank == rear]
    ends = ends_of(rank, idle)
    if len(ends) < min(2, len(rank)) or any(end not in (rank[0], rank[-1]) for end in ends):
        used["conquest.wounds.allocation.engaged-last"] = None
    if len(rank) == 1:
        regiment.last_end = 0
        return rank[0]
    used["conquest.wounds.allocation.rear-alternating"] = None
    if len(ends) == 1:
        regiment.last_end = -1 if ends[0] is rank[0] else 1
        return ends[0]
    fresh = not any(s.rank == rear for s in regiment.lost)
    if regiment.last_end == 0 or fresh:
        options = [Option("left", refs=(ends[0].id,)), Option("right", refs=(ends[1].id,))]
        rule = "conquest.wounds.allocation.rear-alternating"
        choice = yield Choose(regiment.side, "ask.casualty-end", options, rule, regiment.id, default="left")
        regiment.last_end = -1 if choice == "left" else 1
    else:
        regiment.last_end = -regiment.last_end
    return ends[0] if regiment.last_end < 0 else ends[1]


def ends_of(rank: list[Stand], idle: Sequence[Stand]) -> list[Stand]:
    """The stands of a rank that may go next: its left and right ends, unless unengaged ones can be taken instead."""
    spared = [s for s in rank if s in idle]
    ends = [rank[0], rank[-1]] if len(rank) > 1 else rank
    if not spared:
        return ends
    return [s for s in ends if s in spared] or ([spared[0], spared[-1]] if len(spared) > 1 else spared)


def destroy(battle: Battle[State], regiment: Regiment, foe: str = "") -> Steps[None]:
    """No stand is left: the regiment, and with it an attached Character, leaves the battle."""
    state = battle.state
    if regiment.where == "gone":
        return
    yield from hooks.moment(battle, "destroyed", regiment, foe=foe)
    if not regiment.alive:
        return
    character = regiment.own or regiment.character
    if character:
        state.characters[character].alive = False
        effects.drop(state, character)
    regiment.stands = ()
    regiment.where = "gone"
    effects.drop(state, regiment.id)
    battle.emit("destroyed", "conquest.round.command.match-table", regiment=regiment.id, by=foe)
    yield from hooks.moment(battle, "removed", regiment, foe=foe)


# -- healing -------------------------------------------------------------------------------------------------------


def heal_reasons(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    """Why a regiment cannot be healed."""
    reasons = [Reason("conquest.morale.broken.no-healing", facts={"regiment": regiment.id})] if regiment.broken else []
    return list(standing(battle.state, reasons))


@decides("conquest.wounds.heal.one-rule-at-a-time")
def heal(
    battle: Battle[State], regiment: Regiment, points: int, cite: str, *, skip_character: bool = False
) -> Steps[int]:
    """One healing rule, resolved completely: Character, wounded stands, restoring (conquest.wounds.heal.*).

    Answers the points spent.
    """
    state = battle.state
    stopped = heal_reasons(battle, regiment)
    if stopped or not regiment.on_table:
        battle.emit("not-healed", cite, *(r.rule for r in stopped), regiment=regiment.id)
        return 0
    left = points
    rules = [cite, "conquest.wounds.heal.points"]
    if regiment.character and not skip_character:
        character = state.characters[regiment.character]
        spent = min(left, character.wounds)
        if spent:
            character.wounds -= spent
            left -= spent
            rules.append("conquest.wounds.heal.character-first")
    while True:
        mended = mend(regiment, left)
        if mended:
            left -= mended
            rules.append("conquest.wounds.heal.stands")
        if left <= 0 or not (yield from restore(battle, regiment, left)):
            break
        left -= -(-regiment.profile.wounds // 2)
        rules.append("conquest.wounds.heal.loop")
    if left and len(regiment.ordinary()) >= regiment.start:
        rules.append("conquest.wounds.heal.cap")
    battle.emit("healed", *dict.fromkeys(rules), regiment=regiment.id, points=points, spent=points - left)
    return points - left


def mend(regiment: Regiment, points: int) -> int:
    """Take markers off wounded stands, the Command Stand first; answers the points spent."""
    spent = 0
    hurt = sorted((s for s in regiment.ordinary() if s.wounds), key=lambda s: not s.command)
    for stand in hurt:
        take = min(points - spent, stand.wounds)
        if take:
            ranked.replaced(regiment, stand, wounds=stand.wounds - take)
            spent += take
    return spent


def restorable(state: State, regiment: Regiment) -> list[Stand]:
    """The lost stands that may come back next: those with command models first."""
    lost = list(regiment.lost)
    if not state.applies("conquest.wounds.heal.restore.order"):
        return lost[::-1]
    return [s for s in lost if s.command or s.models] or lost


@decides("conquest.character.gone-not-restored")
def restore(battle: Battle[State], regiment: Regiment, points: int) -> Steps[bool]:
    """Bring one lost stand back, if the player wishes and it can stand somewhere. True if one came back."""
    cost = -(-regiment.profile.wounds // 2)
    choices = restorable(battle.state, regiment)
    if len(regiment.ordinary()) >= regiment.start or not choices or any(s.wounds for s in regiment.ordinary()):
        return False
    if points < cost:
        battle.emit("cannot-restore", "conquest.wounds.heal.restore.cost", regiment=regiment.id, cost=cost, left=points)
        return False
    if not (yield Confirm(regiment.side, "ask.restore", "conquest.wounds.heal.restore.condition", regiment.id)):
        return False
    stand = yield from choose_restored(regiment, choices)
    if not battle.state.applies("conquest.wounds.heal.restore.command-rules"):
        stand = msgspec.structs.replace(stand, models=(), command=False)
    back = msgspec.structs.replace(stand, wounds=full_wounds(battle.state, regiment) - cost)
    if not (yield from place_restored(battle.state, regiment, back)):
        battle.emit("cannot-restore", "conquest.wounds.heal.restore.placement", regiment=regiment.id, cost=cost)
        return False
    regiment.lost = tuple(s for s in regiment.lost if s.id != stand.id)
    regiment.round_lost -= 1
    rules = ["conquest.wounds.heal.restore.condition", "conquest.wounds.heal.restore.cost"]
    if stand.models:
        rules += ["conquest.wounds.heal.restore.order", "conquest.wounds.heal.restore.command-rules"]
    battle.emit(
        "restored",
        "conquest.wounds.heal.restore.placement",
        *rules,
        regiment=regiment.id,
        stand=stand.id,
        cost=cost,
    )
    return True


def choose_restored(regiment: Regiment, choices: list[Stand]) -> Steps[Stand]:
    """Of lost stands with different command models the owner chooses one; ordinary stands are all alike."""
    kinds = {stand.models: stand for stand in choices}
    if len(kinds) == 1:
        return choices[0]
    names = {model.id: model.names for model in regiment.models}
    options = [Option(stand.id, joined(names[key] for key in models)) for models, stand in kinds.items()]
    answer = yield Choose(
        regiment.side, "ask.restored-stand", options, "conquest.wounds.heal.restore.order", regiment.id
    )
    return next(stand for stand in choices if stand.id == answer)


def place_restored(state: State, regiment: Regiment, stand: Stand) -> Steps[bool]:
    """Put a restored stand where the formation is legal: at the rear, beside a single rank, or, a Command Stand, in the
    front centre.

    Its owner chooses where there are several such places.
    """
    found: dict[tuple[int, str], Placing] = {}
    for placing in placings(state, regiment, stand):
        if legal(state, regiment, placing):
            found.setdefault((placing.front, placing.spot), placing)
    if not found:
        return False
    rule = "conquest.wounds.heal.restore.placement"
    fronts = list(dict.fromkeys(front for front, _ in found))
    front = fronts[0]
    if len(fronts) > 1:
        options = formation.file_options(sorted(fronts))
        usual = str(front + 1)
        refuse = formation.no_file(fronts, rule)
        answer = yield Choose(regiment.side, "ask.command-place", options, rule, regiment.id, refuse, default=usual)
        front = int(answer) - 1
    spots = [spot for key, spot in found if key == front]
    spot = spots[0]
    if len(spots) > 1:
        options = formation.file_options(sorted(int(name) - 1 for name in spots if name not in BESIDE))
        options += [Option(name, Text(f"option.beside-{name}")) for name in BESIDE if name in spots]
        spot = yield Choose(regiment.side, "ask.restored-place", options, rule, regiment.id, default=spot)
    take_places(regiment, found[front, spot])
    return True


BESIDE = ("left", "right")
"""Ends of a rank."""


class Placing(NamedTuple):
    """All stands with a restored one among them: the place in the last rank that it takes, or that a stand takes which
    made room for it in the `front` (a file counted from 1, or an end of the rank); the files then, and how far to the
    right the middle of the front edge is."""

    front: int
    spot: str
    stands: tuple[Stand, ...]
    files: int
    aside: float = 0.0


def placed(regiment: Regiment, placing: Placing) -> Regiment:
    """The regiment as it would be with these places taken; it stays as it is itself."""
    x, y = world(ranked.pose(regiment), placing.aside, 0.0)
    stands = tuple(sorted(placing.stands, key=lambda s: (s.rank, s.file)))
    return msgspec.structs.replace(regiment, x=x, y=y, stands=stands, files=placing.files)


def take_places(regiment: Regiment, placing: Placing) -> None:
    there = placed(regiment, placing)
    regiment.x, regiment.y, regiment.stands, regiment.files = there.x, there.y, there.stands, there.files


def legal(state: State, regiment: Regiment, placing: Placing) -> bool:
    """Is it a legal formation in a legal place?"""
    there = placed(regiment, placing)
    return not formation.formation_reasons(there, there.stands, there.files, state.without) and fits(state, there)


def placings(state: State, regiment: Regiment, stand: Stand) -> Iterator[Placing]:
    """Where a restored stand may go: beside the only one left, at the rear, beside a single rank, or, a Command Stand,
    in the front centre while the stand that was there goes to one of these places."""
    files, stands = regiment.files, regiment.stands
    alone = files < formation.least_files(len(stands) + 1)
    for rank, file in () if alone else rear_spots(regiment):
        if not stand.command:
            yield Placing(0, str(file + 1), (*stands, msgspec.structs.replace(stand, rank=rank, file=file)), files)
            continue
        for middle in formation.centre_files(files):
            held = next((s for s in stands if s.rank == 0 and s.file == middle), None)
            if held is not None and not held.character:
                others = tuple(s for s in stands if s.id != held.id)
                back = msgspec.structs.replace(held, rank=rank, file=file)
                placed = (*others, back, msgspec.structs.replace(stand, rank=0, file=middle))
                yield Placing(middle, str(file + 1), placed, files)
    if alone or (regiment.ranks == 1 and state.options.restored_stand == "rear-or-beside"):
        yield from beside(regiment, stand)


def beside(regiment: Regiment, stand: Stand) -> Iterator[Placing]:
    """A rank one file wider: at either end, or, a Command Stand, in the middle while half of the rank makes room."""
    files, stands = regiment.files, regiment.stands
    half = regiment.profile.width / 2
    for name, aside in zip(BESIDE, (-half, half), strict=True):
        at = 0 if name == "left" else files
        for place in formation.centre_files(files + 1) if stand.command else (at,):
            moved = tuple(msgspec.structs.replace(s, file=s.file + (s.file >= place)) for s in stands)
            front = place if stand.command else 0
            yield Placing(front, name, (*moved, msgspec.structs.replace(stand, rank=0, file=place)), files + 1, aside)


def rear_spots(regiment: Regiment) -> list[tuple[int, int]]:
    """Free places of the last rank, those nearest its stands first, or of a new rank."""
    last = regiment.ranks - 1
    taken = [s.file for s in regiment.stands if s.rank == last]
    free = [f for f in range(regiment.files) if f not in taken]
    if free:
        middle = sum(taken) / len(taken)
        return [(last, f) for f in sorted(free, key=lambda f: (abs(f - middle), f))]
    return [(last + 1, f) for f in sorted(range(regiment.files), key=lambda f: abs(f - (regiment.files - 1) / 2))]


def fits(state: State, regiment: Regiment, mover: Regiment | None = None) -> bool:
    """Does the regiment stand on the table, overlapping nothing? A `mover` counts where it will be, not where it is."""
    if regiment.where == "garrison":
        return True
    own = ranked.blocks(regiment)
    table = state.scenario
    if not all(on_table(block, table.width, table.depth) for block in own):
        return False
    x, y, room = ranked.disc(regiment)
    for side in (0, 1):
        for other, (ox, oy, radius) in formation.foes_of(state, side):
            if mover is not None and other.id == mover.id:
                other, (ox, oy, radius) = mover, ranked.disc(mover)
            if other.id == regiment.id or (x - ox) ** 2 + (y - oy) ** 2 > (room + radius) ** 2:
                continue
            if fronts.gap(own, formation.body(state, other)) < -formation.TOUCH:
                return False
    return all(
        fronts.gap(own, (t.thing,)) >= -formation.TOUCH
        for t in state.terrain
        if t.solid and formation.near_piece(regiment, t)
    )
