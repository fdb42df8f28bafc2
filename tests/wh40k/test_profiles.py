"""Characteristics with their modifiers, damage tables, keywords, auras, terrain types, turns and phases."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.games.wh40k import content
from umpire.games.wh40k.abilities import rules_of
from umpire.games.wh40k.characteristics import printed, strength_for_tests, value
from umpire.games.wh40k.damage import heal
from umpire.games.wh40k.profiles import CLOSE_COMBAT
from umpire.games.wh40k.targets import keyword
from umpire.games.wh40k.terrain import TYPES
from umpire.games.wh40k.units import take_away
from umpire.games.wh40k.weapons import strength
from wh40k.builder import (
    ability,
    area,
    ask,
    cites,
    do,
    gun,
    kinds,
    needs,
    options,
    prompt,
    row,
    scene,
    strike,
    sword,
    told,
    unit,
)


def number(what: str, base: int, *changes: tuple[str, float], **more: Any) -> int:
    mods = [ability("modify", id=f"m{n}", what=what, op=op, value=v) for n, (op, v) in enumerate(changes)]
    battle = scene(unit("a1", (10, 10), abilities=mods, **{what: base, **more}), unit("b1", (10, 28)))
    a = battle.state.unit("a1")
    return value(battle.state, a, a.models[0], what)


@pytest.mark.rule("wh40k.unit.modifier-order", "wh40k.unit.modifier-rounding")
def test_multiply_then_add_and_round_up_once() -> None:
    assert number("s", 4, ("add", 2), ("multiply", 2)) == 10
    assert number("s", 4, ("add", 1), ("multiply", 2)) == 9
    assert number("m", 5, ("multiply", 0.5)) == 3
    assert number("m", 5, ("multiply", 0.5), ("add", 1)) == 4
    assert number("m", 5, ("multiply", 0.5), ("multiply", 2)) == 5


@pytest.mark.rule("wh40k.unit.modifier-order", "wh40k.unit.weapon-profile")
def test_a_weapon_multiplies_strength_before_anything_is_added() -> None:
    """The book's example: S4 with a fist that doubles it and a power that adds 2 strikes with S10, not with S12."""
    for arms, toughness, need in (("x2", 10, 4), ("x2", 11, 5), ("x2", 9, 3), ("+1", 7, 4), ("-1", 5, 4), ("8", 10, 4)):
        battle = scene(
            unit("a1", (10, 10), s=4, weapons=[sword(s=arms)], abilities=[ability("modify", what="s", value=2)]),
            unit("b1", (10, 11.5), t=toughness, w=9),
            phase="fight",
            active=1,
            dice=[6, 1, 1, 1, 1, 1],
        )
        do(battle, {"stay": True}, strike("a1.1 sword/shot>b1"))
        assert needs(battle, "wound") == [need]


@pytest.mark.rule("wh40k.unit.modifier-floor", "wh40k.unit.minimum-one")
def test_how_low_and_how_high() -> None:
    assert number("m", 3, ("add", -5)) == 0
    assert number("s", 8, ("multiply", 2), ("add", 2)) == 18
    assert number("a", 2, ("add", -3)) == 1
    assert number("t", 1, ("add", -1)) == 1
    assert number("ld", 4, ("add", -6)) == 1
    assert number("a", 0, ("add", 1)) == 0


@pytest.mark.rule("wh40k.unit.modifier-dash")
def test_a_dash_stays_a_dash() -> None:
    assert number("ws", 0, ("add", -1)) == 0
    assert number("a", 0, ("add", 2)) == 0


@pytest.mark.rule("wh40k.unit.set-value")
def test_a_value_that_is_set_comes_first() -> None:
    assert number("s", 3, ("add", 1), ("set", 8)) == 9


@pytest.mark.rule("wh40k.unit.no-strength-use-toughness")
def test_toughness_stands_in_for_strength() -> None:
    battle = scene(unit("a1", (10, 10), s=0, t=8, keywords=["building"]), unit("b1", (10, 28)))
    a = battle.state.unit("a1")
    assert strength_for_tests(battle.state, a, a.models[0]) == 8


@pytest.mark.rule("wh40k.unit.damage-table", "wh40k.unit.profile-value")
def test_the_row_is_read_at_every_use() -> None:
    bands = [
        {"left": 6, "m": 12, "bs": 3, "a": 3},
        {"left": 3, "m": 6, "bs": 4, "a": "D3"},
        {"left": 1, "m": 3, "a": 1},
    ]

    def at(wounds: int) -> list[Any]:
        battle = scene(unit("a1", (10, 10), m=12, bs=3, a=3, w=10, table=bands, wounds=[wounds]), unit("b1", (9, 28)))
        a = battle.state.unit("a1")
        return [printed(battle.state, a, a.models[0], what) for what in ("m", "bs", "a")]

    assert at(6) == [12, 3, 3]
    assert at(5) == [6, 4, "D3"]
    assert at(2) == [3, 3, 1]
    battle = scene(unit("a1", (10, 10), m=12, w=10, table=bands, wounds=[5]), unit("b1", (10, 28)))
    a = battle.state.unit("a1")
    heal(battle, a, 1, "wh40k.core.precedence-faction")
    assert value(battle.state, a, a.models[0], "m") == 12
    assert a.sheet.rows[0].w == 10


@pytest.mark.rule("wh40k.unit.random-move", "wh40k.unit.random-characteristic")
def test_a_random_move_is_rolled_once_for_the_unit_and_anew_each_time() -> None:
    battle = scene(
        unit("a1", *row(5, 10, 3), m="2D6"), unit("b1", (40, 28)), phase="movement", dice=[3, 4], sides=[{}, {}]
    )
    do(battle, "normal:a1")
    assert [e.roll.faces for e in battle.events if e.roll is not None and e.roll.purpose == "random-move"] == [[3, 4]]
    assert ask(battle).form.limit == 7  # type: ignore[attr-defined]


@pytest.mark.rule("wh40k.unit.datasheet", "wh40k.unit.characteristics", "wh40k.unit.membership")
def test_what_a_datasheet_must_have() -> None:
    from umpire.errors import UmpireError

    with pytest.raises(UmpireError):
        scene({"id": "a1", "side": 0, "models": [[1, 1]], "profile": {"m": "none", "ws": "x"}})
    battle = scene(unit("a1", *row(5, 10, 3)), unit("b1", (10, 28)))
    ids = [m.id for u in battle.state.units.values() for m in u.models]
    assert len(set(ids)) == len(ids)
    for sheet in content.datasheets().values():
        assert sheet.keywords
        assert all(r.w > 0 for r in sheet.rows)


@pytest.mark.rule("wh40k.unit.weapon-profile", "wh40k.fight.default-weapon.profile")
def test_strength_of_the_user() -> None:
    assert strength("user", 4) == 4
    assert strength("+2", 4) == 6
    assert strength("x2", 4) == 8
    assert strength("7", 4) == 7
    blow = CLOSE_COMBAT.profiles[0]
    assert (blow.s, blow.ap, blow.d, blow.type, blow.rules) == ("user", 0, "1", "melee", ())


@pytest.mark.rule("wh40k.unit.keyword-mixed", "wh40k.unit.keywords-equal")
def test_units_of_mixed_models_have_all_keywords() -> None:
    mixed = [{"id": "man", "keywords": ["infantry"]}, {"id": "dog", "keywords": ["beast"]}]
    battle = scene(
        unit("a1", *row(5, 10, 3), keywords=["ironvow"], kinds=mixed, rows=["man", "man", "dog"]), unit("b1", (10, 28))
    )
    a = battle.state.unit("a1")
    assert all(a.has(word) for word in ("infantry", "beast", "ironvow"))
    assert [keyword(a, m, "beast") for m in a.models] == [False, False, True]
    take_away(a, ["a1.3"])
    assert not a.has("beast")


# -- auras ---------------------------------------------------------------------------------------------------------


def auras(x: float, bearer: dict | None = None, mine: dict | None = None, **aura: Any) -> int:
    """How many rules an aura of a2 at (10, 10) gives to a1 at x."""
    power = ability("modify", what="hit", value=1, **{"range": 6, "id": "aura", **aura})
    battle = scene(
        unit("a1", (x, 10), **(mine or {})),
        unit("a2", (10, 10), abilities=[power], **(bearer or {})),
        unit("b1", (40, 28)),
    )
    return len(rules_of(battle.state, battle.state.unit("a1")))


@pytest.mark.rule("wh40k.core.aura", "wh40k.unit.friend-enemy")
def test_whom_an_aura_reaches() -> None:
    assert auras(17.0) == 1
    assert auras(17.1) == 0
    assert auras(14, whom="enemies") == 0
    assert auras(14, whom="all") == 1
    assert auras(14, keywords=["monster"]) == 0
    own = scene(
        unit("a1", (10, 10), abilities=[ability("modify", what="hit", value=1, range=6, keywords=["infantry"])]),
        unit("a2", (12, 10), keywords=["vehicle"],
             abilities=[ability("modify", id="x", what="hit", range=6, keywords=["infantry"])]),
        unit("b1", (40, 28)),
    )  # fmt: skip
    assert len(rules_of(own.state, own.state.unit("a1"))) == 2
    assert len(rules_of(own.state, own.state.unit("a2"))) == 0  # its own aura is not for it


@pytest.mark.rule("wh40k.core.aura")
def test_the_same_aura_does_not_count_twice() -> None:
    power = ability("modify", what="hit", value=1, range=6, id="aura")
    battle = scene(
        unit("a1", (12, 10)), unit("a2", (10, 10), abilities=[power]), unit("a3", (14, 10), abilities=[power]),
        unit("b1", (40, 28)),
    )  # fmt: skip
    assert len(rules_of(battle.state, battle.state.unit("a1"))) == 1


@pytest.mark.rule("wh40k.unit.keyword-selectable", "wh40k.core.on-the-battlefield")
def test_bracketed_keywords_and_units_that_are_not_there() -> None:
    own = {"chosen": ["gate"]}
    assert auras(14, own, {"chosen": ["gate"]}, keywords=["<company>"]) == 1
    assert auras(14, own, {"chosen": ["anvil"]}, keywords=["<company>"]) == 0
    assert auras(14, {"where": "reserve"}) == 0


# -- turns ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("wh40k.turn.phase-order", "wh40k.turn.battle-rounds")
def test_seven_phases_and_two_turns_a_round() -> None:
    battle = scene(unit("a1", (10, 2)), unit("b1", (10, 28)), phase="round", first=1, mission={"rounds": 2})
    for _ in range(40):
        if battle.decision is None:
            break
        battle.answer("done" if "done" in options(battle) else ask(battle).suggest())
    phases = [e.facts["phase"].key for e in told(battle, "phase")]
    assert phases[:7] == [
        f"phase.{p}" for p in ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")
    ]
    assert [e.facts["side"].key for e in told(battle, "turn")] == ["side.1", "side.0", "side.1", "side.0"]
    assert battle.outcome is not None


@pytest.mark.rule("wh40k.turn.actions-in-phase", "wh40k.turn.out-of-phase")
def test_deeds_belong_to_their_phases() -> None:
    battle = scene(unit("a1", (10, 10), weapons=[gun()]), unit("b1", (10, 20)), phase="movement")
    assert prompt(battle) == "ask.move-unit"
    assert "wh40k.turn.actions-in-phase" in battle.why_not(0, {"deed": "shoot", "who": "a1"}).rules
    assert battle.why_not(0, {"deed": "normal", "who": "a1"}).legal
    assert "wh40k.turn.actions-in-phase" in battle.why_not(1, {"deed": "normal", "who": "b1"}).rules


@pytest.mark.rule("wh40k.turn.sequencing-active-player", "wh40k.command.sequence", "wh40k.command.resolve-all")
def test_the_active_player_orders_what_comes_due_together() -> None:
    healers = [ability("heal", amount="1", when="command"), ability("heal", id="h2", amount="1", when="any-command")]
    battle = scene(
        unit("a1", (10, 10), w=5, wounds=[1], abilities=healers[:1]),
        unit("b1", (10, 28), w=5, wounds=[1], abilities=healers[1:]),
        phase="command",
    )
    assert ask(battle).kind == "order"
    assert ask(battle).side == 0
    keys = options(battle)
    assert len(keys) == 3  # two abilities, and the mission's scoring
    do(battle, keys[::-1])
    assert [battle.state.unit(k).models[0].wounds for k in ("a1", "b1")] == [2, 2]
    assert kinds(battle).index("command-point") < kinds(battle).index("due")


@pytest.mark.rule("wh40k.turn.sequencing-roll-off")
def test_outside_a_turn_a_roll_off_decides_the_order() -> None:
    due = [ability("heal", amount="1", when="round-start")]
    battle = scene(
        unit("a1", (10, 10), w=5, wounds=[1], abilities=due), unit("b1", (10, 28), w=5, wounds=[1], abilities=due),
        phase="round", dice=[2, 5],
    )  # fmt: skip
    assert (ask(battle).kind, ask(battle).side) == ("order", 1)
    do(battle, ask(battle).suggest())
    assert cites(battle, "wh40k.turn.sequencing-roll-off")


# -- terrain types -------------------------------------------------------------------------------------------------

EXPECTED = {
    "ruins": ("area", {"scaleable", "breachable", "light-cover", "defensible", "obscuring"}),
    "craters": ("area", {"light-cover", "difficult-ground"}),
    "armoured-containers": ("obstacle", {"light-cover", "scaleable", "exposed-position"}),
    "barricades": (
        "obstacle",
        {"defence-line", "light-cover", "heavy-cover", "defensible", "unstable-position", "difficult-ground"},
    ),
    "woods": ("area", {"dense-cover", "breachable", "defensible", "difficult-ground"}),
    "debris": ("obstacle", {"exposed-position"}),
    "industrial-structures": ("area", {"scaleable", "breachable", "dense-cover", "defensible"}),
    "statuary": ("obstacle", {"light-cover", "unstable-position", "inspiring"}),
    "ruined-walls": ("obstacle", {"defence-line", "breachable", "dense-cover", "unstable-position"}),
}


def named(kind: str) -> Any:
    rule = TYPES[kind].rule
    return pytest.param(kind, marks=pytest.mark.rule(rule), id=kind)


@pytest.mark.parametrize("kind", [named(kind) for kind in EXPECTED])
def test_types_of_terrain(kind: str) -> None:
    battle = scene(unit("a1", (2, 2)), unit("b1", (40, 28)), terrain=[area(kind, 20, 15, 4, 4, height=3)])
    feature = battle.state.terrain[0]
    assert (feature.category, set(feature.traits)) == EXPECTED[kind]


@pytest.mark.rule("wh40k.terrain.structure", "wh40k.terrain.category.two", "wh40k.terrain.area.footprint")
def test_every_feature_has_a_category_traits_and_a_boundary() -> None:
    import umpire

    battle = umpire.battle("wh40k", seed=2)
    features = [feature for feature in battle.state.terrain if feature.category != "hill"]  # hills are ground
    assert features
    for feature in features:
        assert feature.category in ("area", "obstacle")
        assert feature.traits
        assert len(feature.points) >= 3


@pytest.mark.rule("wh40k.terrain.building", "wh40k.terrain.term.terrain-feature")
def test_a_building_is_a_unit_and_terrain_is_not() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun()]),
        unit("b1", (10, 20), keywords=["building"], base=[4, 4], hull=True),
        phase="shooting",
    )
    do(battle, "a1")
    assert "b1" in [o.id for o in battle.decision.rows["a1.1/0"].choices["target"]]  # type: ignore[union-attr]
