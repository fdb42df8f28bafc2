"""Damage on units of models with several wounds each."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from umpire.odds.dist import Array, Dist, Number


@dataclass(frozen=True)
class Target:
    """A unit under attack: models of equal wounds that fall one after another.

    `before` counts the wounds that its hurt model had lost already, `damage` the wounds lost since. Both ways to suffer
    give the target as it stands afterwards, so that one weapon follows another.

    >>> from umpire.odds import D3
    >>> unit = Target(wounds=2, models=10, before=1)
    >>> unit.suffer(Dist.certain(4)).slain, unit.suffer_each(Dist.certain(4), attacks=1).slain
    (Dist({2: 1}), Dist({1: 1}))
    >>> shot = unit.suffer_each(D3, attacks=5).suffer(Dist.certain(20))
    >>> shot.destroyed
    1.0
    """

    wounds: int
    models: int | None = None
    """None: more models than can be slain."""
    before: int = 0
    damage: Dist = field(default_factory=lambda: Dist.certain(0))

    def __post_init__(self) -> None:
        if self.wounds < 1 or (self.models is not None and self.models < 1):
            raise ValueError("a target has at least one model of at least one wound")
        if not 0 <= self.before < self.wounds:
            raise ValueError(f"a model of {self.wounds} wounds that still stands cannot have lost {self.before}")

    @cached_property
    def slain(self) -> Dist:
        """How many models fell."""
        return (self.damage + self.before) // self.wounds

    @property
    def destroyed(self) -> float:
        """The chance that no model is left."""
        return 0.0 if self.models is None else self.damage.at_least(self._capacity)

    @property
    def _capacity(self) -> int:
        return (self.models or 0) * self.wounds - self.before

    def suffer(self, damage: Number) -> Target:
        """After a pool of damage points, given one by one: none is lost between two models."""
        return self._with(self.damage + damage)

    def suffer_each(self, damage: Dist, attacks: Number = 1) -> Target:
        """After attacks one by one, each of which hurts one model: what exceeds its last wound is lost.

        `damage` is what one attack comes to, misses and saved ones included as 0.
        """
        if damage.low < 0:
            raise ValueError("damage cannot be negative")
        counts = attacks if isinstance(attacks, Dist) else Dist.certain(attacks)
        if counts.low < 0:
            raise ValueError(f"{counts.low} attacks cannot be made")
        after = _one_by_one(self.damage + self.before, damage.over(0, damage.high), self.wounds, counts)
        return self._with(after - self.before)

    def _with(self, damage: Dist) -> Target:
        if self.models is not None:
            damage = damage.min(self._capacity)
        return Target(self.wounds, self.models, self.before, damage)


def _one_by_one(lost: Dist, damage: Array, wounds: int, counts: Dist) -> Dist:
    """The wounds lost in all after as many attacks as `counts` says.

    Models fall in order, so the wounds lost say all: a row of the table is the models slain, a column the wounds lost
    by the next one. An attack moves along its row at most to the last column, which is the first of the row below.
    """
    step = np.zeros((wounds, wounds + 1))
    for hurt in range(wounds):
        survived = damage[: wounds - hurt]
        step[hurt, hurt : hurt + survived.size] = survived
        step[hurt, wounds] = damage[wounds - hurt :].sum()
    rows = lost.high // wounds + 1 + counts.high
    now = lost.over(0, rows * wounds - 1).reshape(rows, wounds)
    buffers = np.empty((rows, wounds + 1)), np.empty((rows, wounds + 1))
    after = counts[0] * now
    for made, p in enumerate(counts.over(0, counts.high)[1:].tolist()):
        moved = buffers[made % 2]
        np.dot(now, step, out=moved)
        moved[1:, 0] += moved[:-1, wounds]
        now = moved[:, :wounds]
        if p:
            after += p * now
    return Dist(after.ravel())
