"""Positions that cannot be are refused with the field that says so."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from umpire.errors import UmpireError

HORDE = {"id": "a", "models": 10, "x": 36, "y": 20}
SQUAD = {"id": "a1", "side": 0, "models": [[10, 10], [12, 10]]}


def t9a(*more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    units = [HORDE, *more]
    return {"game": "t9a", "position": {"units": units, **fields}}


def wh40k(*more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"game": "wh40k", "position": {"units": [SQUAD, *more], **fields}}


def squad(**fields: Any) -> dict[str, Any]:
    return {"id": "b1", "side": 1, "models": [[30, 20]], **fields}


WALL = {"x": 30, "y": 20, "type": "ruined-walls", "points": [[-3, -3], [3, -3], [3, 3], [-3, 3]],
        "parts": [{"kind": "wall", "points": [[-3, -3], [3, -3], [3, 3], [-3, 3]], "top": 3}]}  # fmt: skip


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (t9a({"id": "b", "models": 0, "x": 10, "y": 20}), r"units\[1\]\.models: 0 is not from 1"),
        (t9a({"id": "b", "side": 2, "x": 10, "y": 20}), r"units\[1\]\.side: 2 is not from 0 to 1"),
        (t9a({"id": "a", "x": 10, "y": 20}), r"units\[1\]\.id"),
        (t9a({"id": "b", "x": 37, "y": 20}), r"units\[1\]: overlaps a"),
        (t9a({"id": "b", "x": 71.9, "y": 20}), r"units\[1\]: is not wholly on the table"),
        (t9a({"id": "b", "x": 10, "y": 20, "lost": 1}), r"units\[1\]\.lost: 1 is not from 0 to 0"),
        (t9a({"id": "b", "side": 1, "in_unit": "a"}), r"units\[1\]\.in_unit: there is no unit “a”"),
        (t9a({"id": "b", "in_unit": "b"}), r"units\[1\]\.in_unit: b cannot hold it"),
        (t9a(effects=[{"on": "a", "what": "courage", "op": "add"}]), r"effects\[0\]\.what: there is no effect"),
        (t9a(effects=[{"on": "z", "what": "dis", "op": "add"}]), r"effects\[0\]\.on: there is no unit"),
        (
            t9a(terrain=[{"id": "w", "kind": "wall", "points": [[1, 1], [2, 1]]}]),
            r"terrain\[0\]\.points: must be",
        ),
        (t9a(zone_of=[0, 0]), r"zone_of: each side has one"),
        (wh40k(squad(side=2)), r"units\[1\]\.side: 2 is not"),
        (wh40k(squad(models=[[10.3, 10]])), r"units\[1\]\.models\[0\]: overlaps a1"),
        (wh40k(squad(models=[[43.9, 10]])), r"units\[1\]\.models\[0\]: is not wholly on the table"),
        (wh40k(squad(models=[[30, 20, 3]])), r"units\[1\]\.models\[0\]: there is nothing to stand on at a height of 3"),
        (wh40k(squad(), terrain=[WALL]), r"units\[1\]\.models\[0\]: stands inside terrain"),
        (wh40k(squad(wounds=[2])), r"units\[1\]\.wounds\[0\]: 2 is not from 1 to 1"),
        (wh40k(squad(wounds=[1, 1])), r"units\[1\]\.wounds: there is only 1 model"),
        (wh40k(squad(arms=[["axe"]])), r"units\[1\]\.arms\[0\]\[0\]: there is no weapon “axe”"),
        (wh40k(squad(move="jog")), r"units\[1\]\.move: there is no move “jog”"),
        (wh40k(squad(marks=["tired"])), r"units\[1\]\.marks\[0\]: there is no mark “tired”"),
        (wh40k(squad(where="aboard", aboard="a1")), r"units\[1\]\.aboard: there is no unit “a1”"),
        (wh40k(squad(profile={"abilities": [{"id": "x", "does": [{"name": "fly"}]}]})), r"no special rule “fly”"),
        (wh40k(squad(profile={"weapons": [{"id": "g", "rules": ["loud"]}]})), r"there is no weapon ability “loud”"),
        (wh40k(squad(powers=["sleep"])), r"units\[1\]\.powers\[0\]: there is no psychic power “sleep”"),
        (wh40k(phase="tea"), r"phase: there is no phase “tea”"),
    ],
)
def test_what_cannot_be_is_refused_with_the_field(scene: dict[str, Any], message: str) -> None:
    with pytest.raises(UmpireError, match=message) as told:
        umpire.scene(scene)
    assert "\n" not in told.value.line("zh")


def test_a_key_is_a_word_whatever_yaml_takes_it_for() -> None:
    from umpire import files

    assert files.parse("{off: 5, yes: {no: off}}", "x").data == {"off": 5, "yes": {"no": False}}
