"""What a charge is tried out on: who charges whom on which facing, and whatever is in the way; and what comes of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from umpire.space.ranks import contact as shared
from umpire.space.ranks.contact import Edge, Way
from umpire.space.spans import Ring

from .formation import Box, box
from .model_rules import every
from .spacing import about, beyond_edges, impassable
from .state import Facing, State, Unit

IN_PLACE = "in place"
"""The name of whoever stands where an earlier charge has led it."""


class Contact(NamedTuple):
    """The place that the priorities demand: where, on which facing, how many models of either side touch; `ties` are
    others as good, `turned` where the target is turned to after a misaligned charge, `angle` what is left then."""

    at: Box
    face: Facing
    theirs: int
    mine: int
    flush: bool
    ties: tuple[Box, ...] = ()
    way: Way | None = None
    turned: Box | None = None
    angle: float = 0.0
    rule: str = "t9a.charge.align.flush"
    """The last of the priorities that left no choice."""


class Ground(NamedTuple):
    """What a charge is tried out on."""

    unit: Unit
    target: Unit
    here: Box
    there: Box
    face: Facing
    edge: Edge
    rings: tuple[tuple[str, Ring], ...]
    flying: bool
    through: tuple[str, ...] = ()
    """Whom and what it passes through on its way, though it may not end on them (t9a.melee.pursue.pass-through,
    t9a.rule.ghost-step)."""

    @property
    def firm(self) -> tuple[tuple[str, Ring], ...]:
        """All that is in the way before it arrives."""
        return tuple([ring for ring in self.rings if ring[0] not in self.through])


def ground(
    state: State,
    unit: Unit,
    target: Unit,
    face: Facing,
    taken: Sequence[Box] = (),
    leaving: Sequence[str] = (),
    through: Sequence[str] = (),
    near: Collection[str] | None = None,
    solid: bool = False,
) -> Ground:
    """Whatever a charger may not touch (t9a.charge.move.spacing): other units, impassable terrain, those that have
    taken their places already; not those that `leave`; of units only those who are `near`, if it is known who is. The
    unit it comes out of it passes, but does not stay in; those in their places too, unless they are `solid`: while
    charges are declared it is not known who will move first. A ghost goes through a house and does not end in it
    (t9a.rule.ghost-step.impassable)."""
    here, there = box(state, unit), box(state, target)
    reach = 2 * max(here.w, here.d) + there.w + there.d + ((here.x - there.x) ** 2 + (here.y - there.y) ** 2) ** 0.5
    rings: list[tuple[str, Ring]] = [(IN_PLACE, at.corners()) for at in taken]
    out_of = unit.came if state.applies("t9a.char.charge-out.spacing") else ""
    for other, _, _, _, _, ring in about(state, here, reach):
        if other.id in (unit.id, target.id) or other.id in leaving:
            continue
        if near is None or other.id in near:
            rings.append((other.id, ring))
    if not state.applies("t9a.charge.move.spacing"):
        rings = []
    ghost, rocks = every(state, unit, "t9a.rule.ghost-step"), impassable(state)
    if not ghost or state.applies("t9a.rule.ghost-step.impassable"):
        rings += [(piece.id, piece.points) for piece in rocks]
    ignored = [piece.id for piece in rocks if ghost]
    return Ground(
        unit, target, here, there, face, shared.edge_of(there, face), tuple(rings), every(state, unit, "t9a.rule.fly"),
        tuple(name for name in (*through, *ignored, out_of, "" if solid else IN_PLACE) if name),
    )  # fmt: skip


def walls_of(state: State, on: Ground) -> tuple[Ring, ...]:
    """What a charger's front may not touch on its way: all that stands about, and the ground beyond the table."""
    return (*[ring for _, ring in on.firm], *beyond_edges(state))


way_to = lru_cache(maxsize=128)(shared.find_way)
"""The same way is looked for when a charge is offered, declared and moved."""
