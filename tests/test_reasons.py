"""Who is refused hears the rule, whose limit it is, and what was measured, in numbers."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from umpire.engine.battle import Battle
from umpire.engine.explain import ruling_wire

BOW = {"id": "bow", "range": 18, "attacks": 1, "hit": 4, "wound": 4, "rend": 0, "damage": 1}
WALL = {"type": "area", "abilities": ["obscuring"], "x": 10, "y": 17, "top": 1, "opaque": False,
        "points": [[-3, -1], [3, -1], [3, 1], [-3, 1]]}  # fmt: skip
FOOT = {"type": "infantry", "class": "medium", "march": 5, "volley": 2, "clash": 3, "attacks": 4, "wounds": 4,
        "resolve": 3, "defense": 2, "evasion": 1, "rules": [{"name": "barrage", "value": 2, "range": 16}]}  # fmt: skip


def sigmar(phase: str, dice: Any = ("seeded",), **more: Any) -> Battle[Any]:
    """Two of a unit whose Health is 3, an enemy as healthy beside them or twelve inches on, and one far away."""
    own = {
        "id": "a1",
        "side": 0,
        "models": [[10, 10], [11.2, 10]],
        "profile": {"base": 25.4, "health": 3, "weapons": [BOW]},
    }
    foes = [
        {"id": key, "side": 1, "models": [spot], "profile": {"base": 25.4, "health": 3}}
        for key, spot in (("b1", more.pop("foe", [10, 22])), ("b2", [41, 10]))
    ]
    position = {"phase": phase, "round": 2, "units": [own | more.pop("own", {}), *foes], **more}
    return umpire.scene({"game": "aos", "dice": list(dice), "position": position})


def conquest() -> Battle[Any]:
    one = {"id": "a", "stands": 3, "x": 36, "y": 10, "profile": FOOT}
    two = {"id": "e", "side": 1, "stands": 3, "x": 36, "y": 40, "facing": 180, "profile": FOOT}
    return umpire.scene({"game": "conquest", "position": {"moment": "actions", "who": "a", "regiments": [one, two]}})


def wish(deed: str, whom: str = "", **more: Any) -> dict[str, Any]:
    return {"deed": deed, "who": "a1", **({"whom": [whom]} if whom else {}), **more}


APART = {"models": {"a1.1": {"x": 7, "y": 10}}}


@pytest.mark.parametrize(
    ("battle", "wished", "rule", "facts"),
    [
        (lambda: sigmar("hero", sides=[{"command": 0}]), wish("rally"), "aos.command.cost", {"points": 0, "cost": 1}),
        (lambda: sigmar("charge", foe=[10, 12], own={"charged": True}), wish("power-through", "b1"),
         "aos.command.power-through", {"target": "b1", "theirs": 3, "health": 3}),
        (lambda: sigmar("charge", foe=[10, 12], own={"charged": True}), wish("power-through", "b2"),
         "aos.command.power-through", {"target": "b2", "gap": 28.8, "range": 3.0}),
        (lambda: sigmar("movement"), wish("normal-move", answer=APART), "aos.core.coherency-move",
         {"model": "a1.1", "count": 0, "needed": 1, "inches": 0.5, "gap": 3.2}),
        (lambda: sigmar("shooting", terrain=[WALL]), wish("shoot", "b1"), "aos.terrain.obscuring",
         {"target": "b1", "feature": "t1", "gap": 5.5}),
        (lambda: sigmar("shooting"), wish("shoot", "b2"), "aos.core.shooting-attacks",
         {"target": "b2", "gap": 28.8, "range": 18.0}),
        (lambda: sigmar("charge"), wish("charge", "b2"), "aos.charge.charge",
         {"unit": "b2", "gap": 28.8, "most": 12.5}),
        (conquest, wish("charge", "e") | {"who": "a"}, "conquest.charge.max-range", {"distance": 30.0, "reach": 11.0}),
        (conquest, wish("volley", "e") | {"who": "a"}, "conquest.volley.target", {"distance": 30.0, "range": 16.0}),
    ],
)  # fmt: skip
def test_a_refusal_says_what_was_measured(
    battle: Any, wished: dict[str, Any], rule: str, facts: dict[str, Any]
) -> None:
    found = [reason.facts for reason in battle().why_not(0, wished).reasons if reason.rule == rule]
    assert any(facts.items() <= told.items() for told in found), found


@pytest.mark.parametrize(
    ("answer", "facts"),
    [
        ("2+0", {"cost": 6, "points": 3, "health": 3}),
        ("3+0", {"models": 3, "slain": 2}),
        ("0+2", {"heal": 2, "damage": 1}),
    ],
)
def test_rally_says_what_it_would_cost_and_what_there_is(answer: str, facts: dict[str, int]) -> None:
    battle = sigmar("hero", (4, 4, 4, 1, 1, 1, "seeded"), own={"slain": 2, "damage": 1})
    battle.answer("rally:a1")
    ruling = battle.check(answer)
    assert {reason.rule for reason in ruling.reasons} == {"aos.command.rally"}
    assert facts in [reason.facts for reason in ruling.reasons]


@pytest.mark.parametrize(
    ("deed", "foe", "says"),
    [
        ("charge", (36, 21.5), '11.5" away, beyond the greatest charge distance of 11"'),
        ("volley", (36, 26.5), '16.5" away, the range is 16"'),
        ("charge", (46.001, 10), 'e is not in the front arc, 0.001" outside'),
        ("volley", (36, 4), 'e is not in the front arc, 3.5" outside'),
        ("charge", (36, 20), "e is hidden by f"),
    ],
)
def test_a_charge_or_volley_that_cannot_be_says_what_was_measured(
    deed: str, foe: tuple[float, float], says: str
) -> None:
    x, y = foe
    regiments = [
        {"id": "a", "stands": 3, "x": 36, "y": 10, "profile": FOOT},
        {"id": "e", "side": 1, "stands": 3, "x": x, "y": y, "facing": 180, "profile": FOOT},
        {"id": "f", "stands": 3, "x": 36 if says.endswith("f") else 60, "y": 15, "profile": FOOT},
    ]
    battle = umpire.scene({"game": "conquest", "position": {"moment": "actions", "who": "a", "regiments": regiments}})
    ruling = battle.why_not(0, wish(deed, "e", who="a"))
    said = [reason["text"]["en"] for reason in ruling_wire(ruling, "conquest", {})["reasons"]]
    assert any(text.startswith(says) for text in said), said


@pytest.mark.parametrize(
    ("deed", "made", "says"),
    [
        ("charge", {}, "Charge is for one's own charge phase; now it is the hero phase of Side A"),
        ("redeploy", {}, "Redeploy is for the opponent's movement phase; now it is the hero phase of Side A"),
        ("rally", {"own": {"used_phase": ["rally"]}}, "a1 has used Rally in this phase"),
        ("charge", {"own": {"core": True}, "phase": "charge"}, "a1 has used a Core ability in this phase"),
    ],
)
def test_a_limit_of_the_phase_says_what_was_used_and_when_it_may_be(deed: str, made: dict[str, Any], says: str) -> None:
    ruling = sigmar(made.get("phase", "hero"), own=made.get("own", {})).why_not(0, wish(deed))
    said = [reason["text"]["en"] for reason in ruling_wire(ruling, "aos", {})["reasons"]]
    assert any(text.startswith(says) for text in said), said


@pytest.mark.parametrize(
    ("made", "says"),
    [
        ({"sides": [{"commands_used": ["rally"]}]}, "the army has used Rally in this phase"),
        ({"own": {"commanded": True}}, "a1 has used a command in this phase"),
    ],
)
def test_a_limit_on_commands_says_whose_it_is(made: dict[str, Any], says: str) -> None:
    ruling = sigmar("hero", **made).why_not(0, wish("rally"))
    assert list(ruling.rules) == ["aos.command.limits"]
    (reason,) = ruling_wire(ruling, "aos", {})["reasons"]
    assert reason["text"]["en"].startswith(says)
