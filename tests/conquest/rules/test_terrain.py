"""Chapter 10: zonal terrain, Height, and how a battlefield is laid out."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.conquest.builder import (
    FIELD,
    do,
    fired,
    forward,
    last,
    profile,
    r,
    refused,
    regiment,
    rolled,
    scene,
    wood,
)

from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.games.conquest import sight
from umpire.games.conquest.profiles import Scenario, Terrain, Zone
from umpire.games.conquest.scenarios import resolve_battlefield, scenarios
from umpire.games.conquest.state import State
from umpire.games.conquest.terrain import check_terrain, height, lay_terrain, warnings

FAR = (36.0, 44.0)


def settle(battle: Battle[State], *answers: Any) -> Battle[State]:
    for answer in answers:
        do(battle, answer)
        while battle.decision is not None and battle.decision.prompt.key == "ask.casualty-end":
            battle.answer("left")
    return battle


def rules_against(*pieces: Terrain, scenario: Scenario = FIELD) -> list[str]:
    return [reason.rule for reason in check_terrain(pieces, scenario)]


def box(key: str, x: float, y: float, w: float = 4.0, d: float = 4.0, *rules: str, **more: Any) -> Terrain:
    return wood(key, x, y, x + w, y + d, *rules, **more)


# -- laying it out -------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.terrain.categories", "conquest.terrain.garrison.values")
def test_a_piece_is_zonal_or_garrison_terrain() -> None:
    assert not rules_against(box("w", 10, 10, 4, 4, "obscuring"))
    assert "conquest.terrain.categories" in rules_against(box("w", 10, 10, 4, 4, "tower"))
    house = box("h", 10, 10, 4, 4, kind="garrison")
    assert "conquest.terrain.garrison.values" in rules_against(house), "its Height must be given"
    tower = box("t", 10, 10, 4, 4, "tower", kind="garrison")
    assert not rules_against(tower)
    assert (tower.defense, tower.capacity, tower.stated_size) == (1, 4, 3)
    assert box("b", 10, 10, 4, 4, "building", kind="garrison").stated_size == 2


@pytest.mark.rule("conquest.terrain.zonal.height", "conquest.terrain.height.default")
def test_hills_and_forests_have_fixed_heights() -> None:
    assert [height(box("x", 0, 0, 4, 4, rule)) for rule in ("hill", "forest", "water")] == [2, 3, 0]
    assert "conquest.terrain.zonal.height" in rules_against(box("x", 10, 10, 4, 4, "hill", size=3))
    assert not rules_against(box("x", 10, 10, 4, 4, "forest", size=3))


@pytest.mark.rule("conquest.battle.terrain.no-objective")
def test_no_terrain_on_an_objective() -> None:
    zoned = Scenario("f", {"zh": "区", "en": "Zone"}, zones=(Zone("z", x=36.0, y=24.0, radius=4.0),))
    assert "conquest.battle.terrain.no-objective" in rules_against(box("w", 38, 24), scenario=zoned)
    assert not rules_against(box("w", 40, 24), scenario=zoned)


@pytest.mark.rule("conquest.battle.terrain.spacing")
@pytest.mark.parametrize(("gap", "fine"), [(9.0, True), (8.9, False)])
def test_nine_inches_between_pieces(gap: float, fine: bool) -> None:
    found = rules_against(box("a", 10, 10), box("b", 14 + gap, 10))
    assert ("conquest.battle.terrain.spacing" not in found) is fine


@pytest.mark.rule("conquest.battle.terrain.footprint", "conquest.battle.terrain.cluster")
def test_nine_by_six_at_most_alone_or_together() -> None:
    assert not rules_against(box("a", 10, 10, 9, 6))
    assert not rules_against(box("a", 10, 10, 6, 9))
    assert "conquest.battle.terrain.footprint" in rules_against(box("a", 10, 10, 10, 5))
    assert not rules_against(box("a/1", 10, 10, 2, 2), box("a/2", 15, 10, 2, 2))
    assert "conquest.battle.terrain.cluster" in rules_against(box("a/1", 10, 10, 2, 2), box("a/2", 19, 10, 2, 2))


@pytest.mark.rule("conquest.battle.terrain.garrison-max", "conquest.battle.terrain.number")
def test_two_garrisons_and_six_to_eight_pieces() -> None:
    towers = [box(f"t{k}", 2 + 14 * k, 10, 4, 4, "tower", kind="garrison") for k in range(3)]
    assert not rules_against(*towers[:2])
    assert "conquest.battle.terrain.garrison-max" in rules_against(*towers)
    many = tuple(box(f"w{k}", 2 + 14 * (k % 5), 2 + 14 * (k // 5)) for k in range(9))
    assert [bool(warnings(many[:n])) for n in (5, 6, 8, 9)] == [True, False, False, True]
    assert not rules_against(*many[:5]), "a warning, no refusal"


def test_a_set_up_without_a_rule_of_the_battlefield_takes_what_it_forbids() -> None:
    near = [msgspec.to_builtins(box(key, x, 10)) for key, x in (("a", 10), ("b", 16))]
    given = {"scenario": "last-stand", "terrain": near}
    with pytest.raises(UmpireError, match="spacing"):
        resolve_battlefield(given, Rng(1))
    spaced = "conquest.battle.terrain.spacing"
    assert len(resolve_battlefield(given, Rng(1), [spaced]).terrain or ()) == 2
    assert not warnings(tuple(box(k, 10, 10) for k in "ab"), ["conquest.battle.terrain.number"])


@pytest.mark.rule("conquest.battle.terrain.fixed", "conquest.battle.scenario-missing")
def test_random_battlefields_are_legal_and_nothing_moves_them() -> None:
    for seed in range(6):
        field = resolve_battlefield(None, Rng(seed))
        assert isinstance(field.scenario, Scenario)
        assert field.terrain
        assert not check_terrain(field.terrain, field.scenario)
    assert len(scenarios()) >= 6
    assert Terrain.__struct_config__.frozen
    with pytest.raises(UmpireError):
        resolve_battlefield({"scenario": {"id": "x", "names": {}, "zones": []}}, Rng(1))
    with pytest.raises(UmpireError, match="there is no scenario"):
        resolve_battlefield("nowhere", Rng(1))
    assert lay_terrain(Rng(3), scenarios()["grinder"]) == lay_terrain(Rng(3), scenarios()["grinder"])


# -- Height --------------------------------------------------------------------------------------------------------


def size(kind: str, *terrain: Terrain, **more: Any) -> int:
    battle = scene(regiment("a", stands=1, of=profile(kind), **more), regiment("b", 1, at=FAR), terrain=terrain)
    return sight.size_of(battle.state, r(battle, "a"))


@pytest.mark.rule("conquest.terrain.height.size", "conquest.terrain.zonal.passable", "conquest.terrain.height.default")
def test_height_adds_to_size_unless_one_passes_through() -> None:
    hill = wood("h", 30, 5, 40, 12, "hill")
    assert size("infantry", hill) == 3
    assert size("cavalry", hill) == 4
    assert size("infantry", wood("f", 30, 5, 40, 12, "forest", "passable")) == 1
    assert size("infantry", wood("r", 30, 5, 40, 12, "passable", size=2)) == 1
    assert size("infantry", wood("s", 30, 5, 40, 12, "water")) == 1


@pytest.mark.rule("conquest.terrain.garrison.size")
def test_a_garrison_is_as_high_as_its_walls() -> None:
    tower = wood("t", 34, 6, 38, 10, "tower", kind="garrison", size=3)
    assert size("infantry", tower, where="garrison", garrison="t") == 3


@pytest.mark.rule("conquest.terrain.height.see-over")
@pytest.mark.parametrize(
    ("shooter", "between", "target", "seen"),
    [
        ("monster", "cavalry", "infantry", True),
        ("infantry", "monster", "infantry", False),
        ("infantry", "cavalry", "monster", True),
        ("infantry", "infantry", "infantry", False),
    ],
)
def test_one_looks_over_what_is_lower_than_either(shooter: str, between: str, target: str, seen: bool) -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(shooter)),
        regiment("c", at=(36, 18), stands=5, files=5, of=profile(between)),
        regiment("b", 1, at=(36, 26), stands=1, of=profile(target)),
    )
    assert (not sight.reasons_unseen(battle.state, r(battle, "a"), r(battle, "b"))) is seen


# -- zones ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("conquest.terrain.zonal.move")
def test_a_zone_without_a_movement_rule_costs_nothing() -> None:
    battle = scene(regiment("a"), regiment("b", 1, at=FAR), terrain=[wood("w", 30, 11, 42, 20, "obscuring")])
    do(battle, "march", forward(5))
    assert r(battle, "a").y == 15
    fired(battle, "conquest.terrain.zonal.move")


def shots(
    *terrain: Terrain, x: int = 3, at: float = 25.0, stands: int = 1, files: int = 1, to: float = 36.0
) -> list[int]:
    battle = scene(
        regiment("a", stands=stands, files=files, of=profile(v=2, rules=[f"barrage {x} 20"])),
        regiment("b", 1, at=(to, at), stands=1),
        terrain=terrain,
        dice=[6] * 30,
    )
    do(battle, "volley", "b")
    return rolled(battle, "hit")


@pytest.mark.rule("conquest.terrain.zonal.obscuring")
def test_obscuring_halves_rounding_up() -> None:
    veil = wood("w", 20, 15, 52, 18, "obscuring", "passable")
    assert [shots(veil, x=n) for n in (3, 4, 1)] == [[2], [2], [1]]
    near = wood("w", 20, 12, 52, 14, "obscuring", "passable")
    assert shots(near, at=18.0) == [3], "halved to 2, then +1 within half range"


@pytest.mark.rule("conquest.terrain.zonal.obscuring", "conquest.terrain.zonal.obscuring.second")
def test_those_wholly_in_the_wood_are_not_halved_by_it() -> None:
    own = wood("own", 30, 5, 42, 11, "obscuring", "passable")
    other = wood("other", 30, 15, 42, 18, "obscuring", "passable")
    assert shots(own) == [3]
    assert shots(own, other) == [2], "another wood on the way halves as usual"
    assert shots(own, other, wood("c", 30, 20, 42, 22, "obscuring", "passable")) == [2], "once, not twice"
    half = wood("half", 36, 5, 45, 14, "obscuring", "passable")
    assert shots(half, stands=2, files=2, to=38.0) == [5], (
        "a stand outside: only the stand whose line crosses it is halved"
    )


@pytest.mark.rule("conquest.terrain.zonal.los-blocking")
def test_blocking_terrain_hides_what_is_behind_and_not_what_is_in_it() -> None:
    def seen(y: float) -> tuple[bool, bool]:
        battle = scene(
            regiment("a", stands=1, of=profile("monster")),
            regiment("b", 1, at=(36, y), stands=1, of=profile("monster")),
            terrain=[wood("m", 20, 18, 52, 23, "los-blocking", "passable")],
        )
        a, b = r(battle, "a"), r(battle, "b")
        return not sight.reasons_unseen(battle.state, a, b), not sight.reasons_unseen(battle.state, b, a)

    assert seen(26.0) == (False, False)
    assert seen(20.0) == (True, True)


@pytest.mark.rule("conquest.terrain.zonal.broken-ground")
def test_broken_ground_wounds_chargers_alone() -> None:
    """4 stands of Infantry crossing with 6,6,2,1 take 2 wounds, Cavalry 4; a March rolls nothing."""
    ground = wood("g", 20, 11, 52, 12, "broken-ground")
    for kind, taken in (("infantry", 2), ("cavalry", 4)):
        battle = scene(
            regiment("a", stands=4, files=2, of=profile(kind, w=9, d=5)),
            regiment("b", 1, at=(36, 15)),
            terrain=[ground],
            dice=[6, 6, 6, 2, 1],
        )
        settle(battle, "charge", "b")
        assert rolled(battle, "terrain") == [4]
        assert sum(s.wounds for s in r(battle, "a").stands) == taken
        assert not rolled(battle, "morale")
    marching = scene(regiment("a"), regiment("b", 1, at=FAR), terrain=[ground], dice=[])
    do(marching, "march", forward(5))
    assert not rolled(marching, "terrain")


@pytest.mark.rule("conquest.terrain.zonal.broken-ground")
def test_stands_that_do_not_touch_the_ground_roll_nothing() -> None:
    battle = scene(
        regiment("a", stands=2, files=2, of=profile(w=9)),
        regiment("b", 1, at=(36, 15)),
        terrain=[wood("g", 20, 11, 35, 12, "broken-ground")],
        dice=[6, 1],
    )
    settle(battle, "charge", "b")
    assert rolled(battle, "terrain") == [1]


@pytest.mark.rule("conquest.terrain.zonal.hindering.impact", "conquest.terrain.zonal.hindering.inspired")
@pytest.mark.parametrize(
    ("klass", "rules", "value"), [("medium", [], 2), ("heavy", [], 2), ("light", [], 3), ("medium", ["dauntless"], 3)]
)
def test_hindering_ground_takes_impact_and_inspiration(klass: str, rules: list[str], value: int) -> None:
    battle = scene(
        regiment("a", stands=1, of=profile("infantry", klass, c=2, a=1, rules=["impact 3", *rules])),
        regiment("b", 1, at=(36, 15), of=profile(d=5)),
        terrain=[wood("g", 20, 11, 52, 12, "hindering")],
        dice=[6, 6, 6],
    )
    settle(battle, "charge", "b", "clash")
    assert rolled(battle, "hit") == [1], "no Impact attacks"
    assert last(battle, "hits")["value"] == value


@pytest.mark.rule("conquest.terrain.zonal.dangerous", "conquest.terrain.zonal.perilous")
@pytest.mark.parametrize(
    ("kind", "rule", "faces", "taken"),
    [
        ("cavalry", "dangerous", [6, 5, 6], 4),
        ("infantry", "dangerous", [6, 5, 6], 2),
        ("infantry", "perilous", [4, 3, 6], 2),
        ("cavalry", "perilous", [4, 3, 6], 4),
    ],
)
def test_dangerous_and_perilous_ground(kind: str, rule: str, faces: list[int], taken: int) -> None:
    battle = scene(
        regiment("a", stands=3, of=profile(kind, w=9, d=5)),
        regiment("b", 1, at=FAR),
        terrain=[wood("g", 20, 11, 52, 14, rule)],
        dice=faces * 3,
    )
    settle(battle, "march", forward(3))
    assert sum(s.wounds for s in r(battle, "a").stands) == taken
    assert not rolled(battle, "morale")
    do(battle, "take-aim")
    assert rolled(battle, "terrain") == [3], "not for standing still"


@pytest.mark.rule("conquest.terrain.zonal.dangerous")
def test_two_marches_roll_twice_and_a_charge_rolls_too() -> None:
    ground = wood("g", 20, 11, 52, 25, "dangerous")
    twice = scene(regiment("a"), regiment("b", 1, at=FAR), terrain=[ground], dice=[1] * 6)
    settle(twice, "march", forward(4), "march", forward(4))
    assert rolled(twice, "terrain") == [3, 3]
    charge = scene(regiment("a", stands=1), regiment("b", 1, at=(36, 15)), terrain=[ground], dice=[6, 1])
    settle(charge, "charge", "b")
    assert rolled(charge, "terrain") == [1]


@pytest.mark.rule("conquest.terrain.zonal.impassable")
def test_impassable_ground_cannot_be_crossed_but_flown_over() -> None:
    crag = wood("c", 34, 12, 38, 14, "impassable")

    def march(*rules: str) -> Battle[State]:
        battle = scene(regiment("a", stands=1, of=profile(m=9, rules=rules)), regiment("b", 1, at=FAR), terrain=[crag])
        return do(battle, "march")

    refused(march(), forward(8), "conquest.terrain.zonal.impassable")
    refused(march(), forward(1.5), "conquest.march.one-inch")
    assert march("fly").check(forward(8)).legal
    refused(march("fly"), forward(4))


@pytest.mark.rule("conquest.terrain.zonal.water")
@pytest.mark.parametrize(("stands", "wet", "value"), [(6, 3, 2), (6, 2, 3), (5, 2, 3), (5, 3, 2)])
def test_half_the_stands_in_the_water(stands: int, wet: int, value: int) -> None:
    """One rank of stands from the left: the water reaches so far that `wet` of them stand in it."""
    left = 36 - stands * 1.25
    battle = scene(
        regiment("a", stands=stands, files=stands, of=profile(c=3)),
        regiment("b", 1, of=profile(d=5)),
        terrain=[wood("w", left - 5, 8, left + wet * 2.5 - 0.5, 9, "water")],
        dice=[6] * 40,
    )
    do(battle, "clash")
    assert last(battle, "hits")["value"] == value


@pytest.mark.rule("conquest.terrain.zonal.broken-ground")
def test_a_failed_charge_over_broken_ground_is_hurt_too() -> None:
    battle = scene(
        regiment("a", stands=2, files=2, of=profile(w=9)),
        regiment("b", 1, at=(36, 20)),
        terrain=[wood("g", 20, 10.5, 52, 11, "broken-ground")],
        dice=[2, 6, 1],
        stacks=((), ("b",)),
    )
    settle(battle, "charge", "b")
    assert rolled(battle, "terrain") == [2]


@pytest.mark.rule("conquest.terrain.zonal.hindering.inspired")
def test_hindered_in_its_charge_it_is_not_inspired_later_in_the_round_either() -> None:
    battle = scene(
        regiment("a", stands=1, of=profile(c=2, a=1), flags=("hindered",)),
        regiment("b", 1, of=profile(d=5)),
        dice=[6] * 5,
    )
    settle(battle, "inspire", "clash")
    assert last(battle, "hits")["value"] == 2


@pytest.mark.rule("conquest.terrain.zonal.broken-ground", "conquest.morale.broken.trigger")
def test_stands_lost_to_the_ground_count_towards_broken() -> None:
    battle = scene(
        regiment("a", stands=2, files=2, of=profile(w=1)),
        regiment("b", 1, at=(36, 15)),
        terrain=[wood("g", 20, 11, 52, 12, "broken-ground")],
        dice=[6, 6, 1],
    )
    settle(battle, "charge", "b")
    assert len(r(battle, "a").stands) == 1
    assert r(battle, "a").broken


@pytest.mark.rule("conquest.battle.terrain.footprint")
def test_a_footprint_is_measured_as_the_piece_lies() -> None:
    """A piece of 9 by 6 inches is as large when it is turned by 30 degrees; one of 9.1 by 6 is too large anyhow. Two
    halves of it that count as one are measured alike."""
    from umpire.space.angles import rotate

    for wide, legal in ((9.0, True), (9.1, False)):
        corners = ((-wide / 2, -3.0), (wide / 2, -3.0), (wide / 2, 3.0), (-wide / 2, 3.0))
        turned = tuple((20 + x, 20 + y) for x, y in (rotate(px, py, 30.0) for px, py in corners))
        halves = [
            tuple((20 + x, 20 + y) for x, y in (rotate(px, py, 30.0) for px, py in half))
            for low, high in ((-wide / 2, 0.0), (0.0, wide / 2))
            for half in [((low, -3.0), (high, -3.0), (high, 3.0), (low, 3.0))]
        ]
        found = rules_against(*(Terrain(f"a/{n}", half, rules=("hill",)) for n, half in enumerate(halves)))
        assert ("conquest.battle.terrain.cluster" in found) is not legal
        assert (
            "conquest.battle.terrain.footprint" in rules_against(Terrain("a", turned, rules=("hill",)))
        ) is not legal
