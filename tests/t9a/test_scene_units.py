"""What a scene of The Ninth Age says of a unit of an army book."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from umpire.errors import UmpireError
from umpire.games.t9a.state import State


def test_what_was_bought_of_an_entry_is_told_by_its_id() -> None:
    """A rider on his mount with what he wears, as a list would make him; what his entry cannot have is refused."""

    def lord(**bought: Any) -> State:
        given = {"id": "h", "side": 0, "entry": "thornmark/marcher-lord", "x": 36, "y": 12, **bought}
        foe = {"id": "b", "side": 1, "models": 10, "x": 36, "y": 40, "facing": 180}
        state: State = umpire.scene({"game": "t9a", "position": {"units": [given, foe]}}).state
        return state

    plain = lord().pools["h"]
    rider = lord(options=["general", "shield"], mount="courser").pools["h"]
    assert (plain.mounted, plain.general, plain.profile.shield) == (False, False, False)
    assert (rider.mounted, rider.general, rider.profile.shield) == (True, True, True)
    assert rider.profile.mob > plain.profile.mob
    for wrong in ({"mount": "hedge"}, {"options": ["crown"]}, {"items": ["crown"]}):
        with pytest.raises(UmpireError) as refused:
            lord(**wrong)
        assert refused.value.where.startswith(f"position.units[0].{next(iter(wrong))}")


def test_a_unit_of_which_only_its_character_is_left_can_be_said() -> None:
    """Its own models are gone and are not raised again; without him it has one model at least."""
    knight = {"id": "h", "in_unit": "a", "character": True, "profile": {"hp": 3}}
    alone = {"id": "a", "models": 0, "start": 10, "files": 1, "x": 36, "y": 12}
    foe = {"id": "b", "side": 1, "models": 10, "x": 36, "y": 30, "facing": 180}
    state = umpire.scene({"game": "t9a", "position": {"units": [alone, knight, foe]}}).state
    assert (state.units["a"].members, state.units["a"].base) == (("h",), "h")
    assert (state.pools["a"].count, state.pools["a"].destroyed, state.pools["a"].start) == (0, True, 10)
    with pytest.raises(UmpireError, match=r"units\[0\]\.models: 0 is not from 1"):
        umpire.scene({"game": "t9a", "position": {"units": [alone, foe]}})
