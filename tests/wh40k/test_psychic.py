"""The Psychic phase: tests, Perils, denying, Smite, powers."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.games.wh40k.psychic import castable, closest_targets, warp_charge
from wh40k.builder import ability, ask, cites, do, options, prompt, refused, rolls, row, scene, told, unit

MIND = {"keywords": ["infantry", "psyker"], "psychic": {"casts": 2, "denies": 1}}
HEX = {"id": "hex", "charge": 6, "does": [{"name": "mortal", "amount": "1"}]}


def cast(dice: list[int], power: str = "smite", mine: dict | None = None, foe: dict | None = None, **more: Any) -> Any:
    battle = scene(
        unit("a1", (10, 10), w=6, **{**MIND, "powers": ["hex"], **(mine or {})}),
        unit("b1", *row(10, 20, 6), **(foe or {})),
        phase="psychic",
        dice=dice,
        powers=[HEX],
        **more,
    )
    return do(battle, "a1", power)


@pytest.mark.rule("wh40k.psychic.phase")
def test_without_a_psyker_on_the_table_the_phase_is_over() -> None:
    battle = scene(
        unit("a1", (10, 10), where="reserve", **MIND), unit("a2", (12, 10)), unit("b1", (10, 20)), phase="psychic"
    )
    assert cites(battle, "wh40k.psychic.phase")


@pytest.mark.rule("wh40k.psychic.test", "wh40k.psychic.manifest-conditions")
def test_the_total_must_reach_the_warp_charge() -> None:
    assert told(cast([3, 3, 1, 1], "hex"), "manifested")
    assert not told(cast([2, 3], "hex"), "manifested")
    helped = cast([2, 3, 1], "hex", {"abilities": [ability("modify", what="psychic", value=4)]})
    assert told(helped, "psychic-test")[0].facts["result"] == 9


@pytest.mark.rule("wh40k.psychic.smite-effect", "wh40k.dice.d3")
def test_smite_does_d3_or_d6() -> None:
    assert told(cast([4, 6, 4], mine={}), "mortal")[0].facts["count"] == 2
    assert told(cast([5, 6, 4]), "mortal")[0].facts["count"] == 4


@pytest.mark.rule("wh40k.psychic.smite-effect", "wh40k.core.closest-tie-user")
def test_smite_strikes_the_closest_that_is_seen() -> None:
    battle = scene(
        unit("a1", (20, 10), **MIND),
        unit("b1", (20, 16)),
        unit("b2", (20, 18)),
        unit("b3", (14, 10)),
        phase="psychic",
        dice=[4, 3, 1],
    )
    a = battle.state.unit("a1")
    assert [u.id for u in closest_targets(battle.state, a, a.models[0])] == ["b1", "b3"]
    do(battle, "a1", "smite")
    assert prompt(battle) == "ask.power-target"
    assert options(battle) == ["b1", "b3"]
    far = scene(unit("a1", (10, 2), **MIND), unit("b1", (10, 25)), phase="psychic")
    assert closest_targets(far.state, far.state.unit("a1"), far.state.unit("a1").models[0]) == []


@pytest.mark.rule("wh40k.psychic.sequence", "wh40k.psychic.one-psyker-at-a-time")
def test_one_psyker_after_the_other() -> None:
    battle = scene(
        unit("a1", (10, 10), **MIND), unit("a2", (14, 10), **MIND), unit("b1", (10, 28)), phase="psychic",
        dice=[1, 2, 1, 2],
    )  # fmt: skip
    do(battle, "a1", "smite")
    assert options(battle) == ["a2", "done"]
    assert "wh40k.psychic.one-psyker-at-a-time" in refused(battle, "a1")


@pytest.mark.rule("wh40k.psychic.select-no-fell-back")
def test_who_fell_back_does_not_cast_unless_titanic() -> None:
    battle = scene(
        unit("a1", (10, 10), _move="fall-back", **MIND),
        unit("a2", (14, 10), _move="fall-back", **{**MIND, "keywords": ["monster", "psyker", "titanic"]}),
        unit("a3", (18, 10), _move="advance", **MIND),
        unit("b1", (10, 28)),
        phase="psychic",
    )
    assert options(battle) == ["a2", "a3", "done"]
    assert "wh40k.psychic.select-no-fell-back" in refused(battle, "a1")


@pytest.mark.rule("wh40k.psychic.select-on-battlefield")
def test_only_psykers_on_the_battlefield() -> None:
    battle = scene(
        unit("a1", (10, 10), where="reserve", **MIND),
        unit("a2", (14, 10), **MIND),
        unit("b1", (9, 28)),
        phase="psychic",
    )
    assert refused(battle, "a1") == ["wh40k.psychic.select-on-battlefield"]


@pytest.mark.rule("wh40k.psychic.cast-limit", "wh40k.psychic.smite-once-per-psyker")
def test_so_many_attempts_and_smite_once_a_round() -> None:
    battle = cast([1, 3])
    assert options(battle) == ["hex", "done"]
    assert refused(battle, "smite") == ["wh40k.psychic.smite-once-per-psyker"]
    once = cast([1, 3], mine={"psychic": {"casts": 1}})
    assert prompt(once) != "ask.power"
    again = scene(unit("a1", (10, 10), **MIND), unit("b1", (10, 20)), phase="psychic", used={"round/a1/smite": 1})
    assert castable(again.state, again.state.unit("a1")) == []


@pytest.mark.rule("wh40k.psychic.power-once", "wh40k.psychic.smite-many")
def test_each_power_once_a_phase_but_smite_by_each() -> None:
    battle = scene(
        unit("a1", (10, 10), powers=["hex"], **MIND),
        unit("a2", (14, 10), powers=["hex"], **MIND),
        unit("b1", *row(10, 20, 5)),
        phase="psychic",
        dice=[1, 3, 1, 3],
        powers=[HEX],
    )
    do(battle, "a1", "hex", "done", "a2")
    assert options(battle) == ["smite", "done"]
    assert refused(battle, "hex") == ["wh40k.psychic.power-once"]


@pytest.mark.rule("wh40k.psychic.same-name")
def test_powers_of_one_name_are_one_power() -> None:
    twin = {**HEX, "id": "other", "name": {"zh": "hex", "en": "hex"}}
    battle = scene(
        unit("a1", (10, 10), powers=["hex", "other"], **MIND), unit("b1", *row(10, 20, 5)), phase="psychic",
        dice=[1, 3], powers=[HEX, twin],
    )  # fmt: skip
    do(battle, "a1", "hex")
    assert options(battle) == ["smite", "done"]


@pytest.mark.rule("wh40k.psychic.known-powers")
def test_everybody_knows_smite_and_nothing_that_is_not_theirs() -> None:
    battle = scene(unit("a1", (10, 10), **MIND), unit("b1", (10, 20)), phase="psychic", powers=[HEX])
    do(battle, "a1")
    assert options(battle) == ["smite", "done"]
    assert refused(battle, "hex") == ["wh40k.psychic.known-powers"]


@pytest.mark.rule("wh40k.psychic.smite-escalation", "wh40k.psychic.smite-no-faction-exception")
@pytest.mark.rule("wh40k.psychic.smite-many")
def test_smite_gets_harder_with_every_attempt() -> None:
    easy = {"abilities": [ability("smite-ease")], **MIND}
    units = [unit(f"a{n}", (8 + 2 * n, 10), **easy) for n in (1, 2, 3)]
    battle = scene(*units, unit("b1", (10, 28)), phase="psychic", dice=[1, 3, 1, 3])
    charges = []
    for key in ("a1", "a2"):
        charges.append(warp_charge(battle.state, battle.state.unit(key), "smite"))
        do(battle, key, "smite")
    charges.append(warp_charge(battle.state, battle.state.unit("a3"), "smite"))
    assert charges == [5, 6, 7]
    assert warp_charge(battle.state, battle.state.unit("b1"), "smite") == 5


@pytest.mark.rule("wh40k.psychic.perils", "wh40k.psychic.perils-survived")
def test_perils_come_of_natural_doubles_whatever_the_total() -> None:
    hurt = cast([1, 1, 4])
    assert hurt.state.unit("a1").models[0].wounds == 4
    strong = cast([6, 6, 2, 5])
    assert strong.state.unit("a1").models[0].wounds == 5
    assert told(strong, "mortal")[-1].facts["count"] == 5  # 12: it stands
    lifted = cast([1, 1, 1, 1], mine={"abilities": [ability("modify", what="psychic", value=3)]})
    assert told(lifted, "manifested")
    assert not cites(cast([3, 3, 1]), "wh40k.psychic.perils")


@pytest.mark.rule("wh40k.psychic.perils-destroyed")
def test_the_end_of_a_psyker_harms_everybody_near() -> None:
    battle = scene(
        unit("a1", (10, 10), w=1, **MIND),
        unit("a2", (10, 16.9), w=3),
        unit("a3", (17.2, 10), w=3),
        unit("b1", (4, 10), w=3),
        phase="psychic",
        dice=[6, 6, 1, 1, 3],
    )
    do(battle, "a1", "smite", ["a2", "b1"])
    assert not told(battle, "manifested")
    wounds = {key: battle.state.unit(key).models[0].wounds for key in ("a2", "a3", "b1")}
    assert wounds == {"a2": 2, "a3": 3, "b1": 1}
    assert battle.state.unit("a1").by == ""


@pytest.mark.rule("wh40k.psychic.deny", "wh40k.psychic.denied")
def test_only_more_than_the_test_denies() -> None:
    def deny(*dice: int) -> bool:
        battle = cast([4, 5, *dice, 1], foe={**MIND})
        assert prompt(battle) == "ask.deny"
        do(battle, "b1")
        return bool(told(battle, "denied"))

    assert not deny(4, 5)
    assert deny(5, 5)
    battle = scene(
        unit("a1", (10, 2), powers=["hex"], **MIND), unit("b1", (10, 14)), unit("b2", (10, 27.5), **MIND),
        phase="psychic", dice=[4, 4, 1], powers=[HEX],
    )  # fmt: skip
    do(battle, "a1", "hex")
    assert prompt(battle) != "ask.deny"  # 24.5 inches
    again = cast([4, 5, 5, 5], "hex", foe={**MIND})
    do(again, "b1")
    assert "wh40k.psychic.denied" in refused(again, "hex")


@pytest.mark.rule("wh40k.psychic.deny-once", "wh40k.psychic.deny-limit")
def test_one_attempt_a_test_and_so_many_a_phase() -> None:
    battle = scene(
        unit("a1", (10, 10), powers=["hex"], **MIND),
        unit("b1", *row(10, 20, 5), **MIND),
        unit("b2", (20, 20), **MIND),
        phase="psychic",
        dice=[4, 5, 1, 1, 4, 4, 3, 1, 3],
        powers=[HEX],
    )
    do(battle, "a1", "smite")
    if prompt(battle) == "ask.power-target":
        do(battle, "b1")
    do(battle, "b1")
    assert len(rolls(battle, "deny")) == 1
    while prompt(battle) == "ask.lost":
        do(battle, ask(battle).suggest())
    do(battle, "hex")
    if prompt(battle) == "ask.power-target":
        do(battle, "b1")
    assert options(battle) == ["b2", "pass"]
    assert "wh40k.psychic.deny-limit" in refused(battle, "b1")


@pytest.mark.rule("wh40k.psychic.non-psyker")
def test_who_casts_as_if_a_psyker_is_one_for_that_only() -> None:
    odd = {"keywords": ["infantry"], "psychic": {"casts": 1, "denies": 1, "as_if": True}}
    battle = cast([1, 1, 1], mine=odd)
    assert battle.state.unit("a1").models[0].wounds == 5
    assert not battle.state.unit("a1").has("psyker")
    plain = scene(unit("a1", (10, 10), psychic={"casts": 1}), unit("b1", (10, 20)), phase="psychic")
    assert prompt(plain) != "ask.psyker"


@pytest.mark.rule("wh40k.psychic.multi-model-origin", "wh40k.psychic.multi-model-perils")
def test_several_models_cast_from_one_and_end_at_one() -> None:
    battle = scene(
        unit("a1", (10, 10), (12, 10), w=1, **MIND),
        unit("a2", (4.9, 10), w=3),
        unit("b1", (18, 10), w=3),
        phase="psychic",
        dice=[6, 6, 6, 2],
    )
    do(battle, "a1", "smite")
    assert prompt(battle) == "ask.casting-model"
    do(battle, "a1.1")
    assert prompt(battle) == "ask.last-model"
    do(battle, "a1.2")
    assert [battle.state.unit(key).models[0].wounds for key in ("a2", "b1")] == [3, 2]


@pytest.mark.rule("wh40k.psychic.cannot-be-denied")
def test_what_cannot_be_denied_is_not() -> None:
    battle = scene(
        unit("a1", (10, 10), powers=["hex"], **MIND), unit("b1", *row(10, 20, 5), **MIND), phase="psychic",
        dice=[4, 4, 1], powers=[{**HEX, "undeniable": True}],
    )  # fmt: skip
    do(battle, "a1", "hex")
    assert prompt(battle) != "ask.deny"
    assert cites(battle, "wh40k.psychic.cannot-be-denied")
