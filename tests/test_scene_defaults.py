"""What a scene does not say is what the rules would give, and what it says of the past counts."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from umpire.engine.battle import Battle
from umpire.engine.wishes import Wish
from umpire.errors import UmpireError

AXE = {"weapons": [{"id": "axe", "attacks": 2, "hit": 4, "wound": 4, "rend": 0, "damage": 1}]}


def sigmar(**more: Any) -> Battle[Any]:
    a1 = {"id": "a1", "side": 0, "models": [[10, 10]], "profile": AXE, **more.pop("first", {})}
    a2 = {"id": "a2", "side": 0, "models": [[11.4, 10]], "profile": AXE}
    b1 = {"id": "b1", "side": 1, "models": [[10.7, 11.6]], "profile": AXE, **more.pop("foe", {})}
    return umpire.scene({"game": "aos", "position": {"phase": "combat", "units": [a1, a2, b1], **more}})


def test_who_has_fought_does_not_fight_again() -> None:
    fresh, tired = sigmar(), sigmar(first={"fought": True})
    assert fresh.why_not(0, Wish(deed="fight", who="a1")).legal
    assert not tired.why_not(0, Wish(deed="fight", who="a1")).legal
    assert tired.decision is not None
    assert tired.decision.prompt.args["unit"] == "a2"  # the other is at it already


def test_regiments_are_numbered_for_each_side() -> None:
    state = sigmar(first={"regiment": 0}, foe={"regiment": 0}).state
    assert state.units["a1"].regiment != state.units["b1"].regiment
    assert state.regiments == (("a1",), ("b1",))


def test_whoever_has_one_action_left_has_taken_the_other() -> None:
    one = {"id": "a1", "side": 0, "profile": "slag-chief", "x": 5, "y": 5}
    two = {"id": "b1", "side": 1, "profile": "wick-guard", "x": 20, "y": 15}
    position = {"at": "act", "active": "a1", "actions": 1, "fighters": [one, two]}
    state = umpire.scene({"game": "warcry", "position": position}).state
    assert (state.active.left, state.active.taken) == (1, 1)


def test_readings_stand_at_the_top_of_a_scene_too() -> None:
    regiments = [
        {"id": key, "side": side, "entry": "brine/tide-spears", "stands": 3, "x": 36, "y": y, "facing": facing}
        for key, side, y, facing in (("a", 0, 12, 0), ("e", 1, 30, 180))
    ]
    told = {"game": "conquest", "position": {"moment": "actions", "who": "a", "regiments": regiments}}
    assert umpire.scene(told).state.options.effective_range == "less-than-half"
    other = umpire.scene({**told, "options": {"effective_range": "half-or-less"}})
    assert other.state.options.effective_range == "half-or-less"
    with pytest.raises(UmpireError) as refused:
        umpire.scene({**told, "options": {"effective_rage": "half-or-less"}})
    assert "options" in refused.value.where
