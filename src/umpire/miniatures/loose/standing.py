"""Where loose models of a scene stand: on the table, and in nobody else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from umpire.errors import fault
from umpire.miniatures.loose.bodies import Body, on_board, overlap

LEVEL = 0.05
"""Models whose heights differ by less stand on one level."""

B = TypeVar("B", bound=Body, covariant=True)


class Standing(Protocol[B]):
    """A unit as it is written down."""

    @property
    def id(self) -> str: ...
    @property
    def where(self) -> str: ...
    @property
    def models(self) -> Sequence[B]: ...


def placed(units: Iterable[Standing[B]]) -> list[tuple[str, B, str]]:
    """The models on the table: the field of the scene that says where, the model, its unit."""
    return [
        (f"units[{n}].models[{k}]", model, unit.id)
        for n, unit in enumerate(units)
        if unit.where == "table"
        for k, model in enumerate(unit.models)
    ]


def check_bases(models: Sequence[tuple[str, Body, str]], width: float, depth: float) -> None:
    """Bases lie wholly on the table, and on nobody else's."""
    for n, (where, model, _) in enumerate(models):
        if not on_board(model, width, depth):
            raise fault("error.scene.off-table", where, width=width, depth=depth)
        for _, other, key in models[:n]:
            near = abs(other.x - model.x) <= model.r + other.r and abs(other.z - model.z) < LEVEL
            if near and overlap(model, other):
                raise fault("error.scene.overlap", where, other=key)
