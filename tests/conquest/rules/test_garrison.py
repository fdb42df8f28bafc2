"""Chapter 10: garrison terrain."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conquest.builder import (
    do,
    events,
    fired,
    forward,
    hero,
    last,
    offered,
    path,
    profile,
    r,
    refused,
    regiment,
    rolled,
    scene,
    wood,
)

from umpire.engine.battle import Battle
from umpire.games.conquest import drill, formation, hooks, leaving, ranked
from umpire.games.conquest.profiles import Terrain
from umpire.games.conquest.state import State
from umpire.space.ranks import fronts

TOWER = wood("t", 34, 14, 38, 18, "tower", kind="garrison", size=3)
INSIDE = {"where": "garrison", "garrison": "t"}
FAR = (36.0, 44.0)


def prompt(battle: Battle[State]) -> str:
    return battle.decision.prompt.key if battle.decision is not None else ""


def settle(battle: Battle[State], *answers: Any) -> Battle[State]:
    for answer in answers:
        do(battle, answer)
        while prompt(battle) == "ask.casualty-end":
            battle.answer("left")
    return battle


def near(*, stands: int = 3, of: Any = None, terrain: Terrain = TOWER, **more: Any) -> Battle[State]:
    """ "a" stands 4 inches before an empty tower."""
    return scene(
        regiment("a", stands=stands, files=min(stands, 3), of=of, **more.pop("own", {})),
        regiment("b", 1, at=FAR),
        terrain=[terrain],
        **more,
    )


@pytest.mark.rule("conquest.terrain.garrison.no-march")
def test_no_march_through_a_garrison_or_to_within_an_inch() -> None:
    battle = do(near(), "march")
    refused(battle, forward(3.5), "conquest.terrain.garrison.no-march")
    refused(battle, forward(5), "conquest.terrain.garrison.no-march")
    do(battle, forward(3))
    assert r(battle, "a").y == 13


@pytest.mark.rule(
    "conquest.terrain.garrison.who", "conquest.terrain.garrison.over-capacity", "conquest.rule.phalanx.no-garrison"
)
@pytest.mark.parametrize(
    ("kind", "stands", "rules", "reason"),
    [
        ("infantry", 4, [], ""),
        ("infantry", 5, [], "conquest.terrain.garrison.over-capacity"),
        ("cavalry", 3, [], "conquest.terrain.garrison.who"),
        ("brute", 3, [], "conquest.terrain.garrison.who"),
        ("monster", 1, [], "conquest.terrain.garrison.who"),
        ("infantry", 3, ["phalanx"], "conquest.rule.phalanx.no-garrison"),
    ],
)
def test_who_may_occupy(kind: str, stands: int, rules: list[str], reason: str) -> None:
    battle = near(stands=stands, of=profile(kind, rules=rules))
    if reason:
        refused(battle, "occupy", reason)
    else:
        assert "occupy" in offered(battle)


@pytest.mark.rule("conquest.terrain.garrison.who", "conquest.character.counts-as-stand")
def test_a_character_counts_against_the_capacity() -> None:
    battle = near(stands=4, characters=[hero("h", regiment="a")])
    refused(battle, "occupy", "conquest.terrain.garrison.over-capacity")


@pytest.mark.rule("conquest.terrain.garrison.over-capacity")
def test_too_large_a_regiment_stops_an_inch_away_and_goes_on() -> None:
    battle = near(stands=6)
    do(battle, "march", forward(3))
    assert prompt(battle) == "ask.action"
    refused(battle, "occupy", "conquest.terrain.garrison.over-capacity")


@pytest.mark.rule("conquest.terrain.garrison.enter", "conquest.terrain.garrison.enter-ends")
def test_occupying_takes_a_march_and_ends_the_activation() -> None:
    battle = near(of=profile(m=4, v=2, rules=["barrage 1 30", "decay 1"]), dice=[1, 1, 1], stacks=((), ("b",)))
    do(battle, "occupy", forward(4))
    assert r(battle, "a").where == "garrison"
    assert r(battle, "a").garrison == "t"
    assert rolled(battle, "decay") == [3], "deactivated at once"
    assert battle.decision is not None
    assert battle.decision.about == "b"
    short = near(of=profile(m=3))
    refused(short, "occupy", "conquest.terrain.garrison.enter")


def with_a_bend(inches: float) -> dict[str, Any]:
    return path(("wheel", 5), ("forward", inches), ("wheel", -5))


@pytest.mark.rule("conquest.terrain.garrison.enter", "conquest.terrain.garrison.no-march")
def test_a_way_of_ones_own_leads_into_a_garrison() -> None:
    """Both as the way of occupying and as a March that nobody would make who does not mean to occupy."""
    start = ranked.pose(r(near(), "a"))
    ends = [drill.legs_of(start, 7.5, with_a_bend(n)["path"])[1][1] for n in (0.0, 1.0)]
    up_to = with_a_bend(round((14.0 - ends[0]) / (ends[1] - ends[0]), 3))
    for action in ("occupy", "march"):
        battle = do(near(), action)
        refused(battle, with_a_bend(2.8), f"conquest.terrain.garrison.{'enter' if action == 'occupy' else 'no-march'}")
        refused(battle, forward(5), "conquest.terrain.garrison.no-march")
        do(battle, up_to)
        assert r(battle, "a").where == "garrison"
        assert last(battle, "occupied")["terrain"] == "t"
    refused(do(near(stands=5), "march"), forward(4), "conquest.terrain.garrison.no-march")


@pytest.mark.rule("conquest.terrain.garrison.enter")
def test_a_piece_out_of_reach_is_measured() -> None:
    ruling = near(of=profile(m=3)).check("occupy")
    assert [(reason.facts["distance"], reason.facts["march"]) for reason in ruling.reasons] == [(4.0, 3.0)]
    none = scene(regiment("a"), regiment("b", 1, at=FAR)).check("occupy")
    assert [(reason.key, reason.facts["garrisons"]) for reason in none.reasons] == [("reason.garrison.none", 0)]


@pytest.mark.rule("conquest.terrain.garrison.enter")
@pytest.mark.parametrize("side", [0, 1])
def test_an_occupied_piece_cannot_be_entered(side: int) -> None:
    battle = scene(regiment("a"), regiment("b", 1, at=FAR), regiment("c", side, stands=2, **INSIDE), terrain=[TOWER])
    refused(battle, "occupy", "conquest.terrain.garrison.enter")


@pytest.mark.rule("conquest.terrain.garrison.values", "conquest.terrain.garrison.defence")
def test_the_walls_raise_defense() -> None:
    thick = wood("t", 34, 14, 38, 18, "building", kind="garrison", defense=2)
    for terrain, value in ((TOWER, 3), (thick, 4)):
        battle = scene(regiment("a", **INSIDE), regiment("b", 1, at=FAR), terrain=[terrain])
        query = hooks.Query(battle.state, r(battle, "a"), "defense", 2, "volley", r(battle, "b"))
        assert hooks.number(query).total == value
    assert (TOWER.defense, TOWER.capacity) == (1, 4)


@pytest.mark.rule(
    "conquest.terrain.garrison.view", "conquest.terrain.garrison.volley", "conquest.terrain.garrison.all-front"
)
@pytest.mark.parametrize("at", [(36.0, 30.0), (36.0, 4.0), (55.0, 16.0)])
def test_a_garrison_shoots_all_round_with_all_its_stands(at: tuple[float, float]) -> None:
    battle = scene(
        regiment("a", stands=4, files=2, of=profile(v=2, rules=["barrage 1 20"]), **INSIDE),
        regiment("b", 1, at=at, stands=1, facing=180.0),
        terrain=[TOWER],
        dice=[6] * 12,
    )
    do(battle, "volley", "b")
    far = formation.distance(battle.state, r(battle, "a"), r(battle, "b"))
    assert last(battle, "volley")["shots"] == (8 if far < 10 else 4)


@pytest.mark.rule("conquest.terrain.garrison.volley")
@pytest.mark.parametrize(("at", "legal"), [(38.0, True), (38.1, False)])
def test_range_is_measured_from_the_edge_of_the_piece(at: float, legal: bool) -> None:
    battle = scene(
        regiment("a", stands=2, of=profile(v=2, rules=["barrage 1 20"]), **INSIDE),
        regiment("b", 1, at=(36, at), stands=1),
        terrain=[TOWER],
    )
    assert ("volley" in offered(battle)) is legal


@pytest.mark.rule("conquest.terrain.garrison.volley.size", "conquest.terrain.garrison.size")
def test_from_a_tower_one_looks_over_cavalry() -> None:
    def seen(kind: str) -> bool:
        battle = scene(
            regiment("a", stands=2, of=profile(v=2, rules=["barrage 1 20"]), **INSIDE),
            regiment("c", 0, at=(36, 27), stands=5, files=5, of=profile(kind)),
            regiment("b", 1, at=(36, 34), stands=1),
            terrain=[TOWER],
        )
        return "volley" in offered(battle)

    assert seen("cavalry")
    assert not seen("monster")


# -- leaving -------------------------------------------------------------------------------------------------------


def inside(**more: Any) -> Battle[State]:
    return scene(
        regiment("a", stands=3, **INSIDE, **more.pop("own", {})),
        *more.pop("others", (regiment("b", 1, at=FAR),)),
        terrain=[TOWER, *more.pop("terrain", ())],
        **more,
    )


def out(y: float, files: int = 3, x: float = 36.0, facing: float = 180.0) -> dict[str, Any]:
    return {"x": x, "y": y, "facing": facing, "files": files}


@pytest.mark.rule("conquest.terrain.garrison.leave.cost")
def test_leaving_takes_both_actions() -> None:
    battle = inside(stacks=((), ("b",)))
    assert "leave-garrison" in offered(battle)
    assert "march" not in offered(battle)
    used = inside(taken=("take-aim",))
    refused(used, "leave-garrison", "conquest.terrain.garrison.leave.cost")
    do(battle, "leave-garrison", out(11.5))
    assert battle.decision is not None
    assert battle.decision.about == "b"


@pytest.mark.rule("conquest.terrain.garrison.leave.place", "conquest.terrain.garrison.leave.push")
def test_placing_and_pushing_off() -> None:
    """Rear against the southern side, then 1 inch away from it."""
    battle = inside(stacks=((), ("b",)))
    do(battle, "leave-garrison")
    refused(battle, out(11.0), "conquest.terrain.garrison.leave.place")
    refused(battle, out(13.0), "conquest.terrain.garrison.leave.place")
    refused(battle, {"x": 36.0, "y": 11.5, "facing": 180.0, "files": 7})
    do(battle, out(11.5))
    one = r(battle, "a")
    assert one.where == "table"
    gap = fronts.gap(ranked.blocks(one), (formation.piece_thing(battle.state, "t"),))
    assert gap == pytest.approx(1.0, abs=0.002)


@pytest.mark.rule("conquest.terrain.garrison.leave.place")
def test_march_limits_the_distance_and_enemies_keep_an_inch() -> None:
    """March 2: a second rank 2.5 inches from the piece is too far, a line along it is not."""
    battle = inside(own={"of": profile(m=2)})
    do(battle, "leave-garrison")
    refused(battle, {"x": 36.0, "y": 9.0, "facing": 180.0, "files": 2}, "conquest.terrain.garrison.leave.place")
    assert battle.check(out(11.5)).legal
    close = inside(others=(regiment("b", 1, at=(36, 10.6), facing=0.0, stands=1),))
    do(close, "leave-garrison")
    refused(close, out(11.5), "conquest.terrain.garrison.leave.place")


@pytest.mark.rule("conquest.terrain.garrison.leave.push")
def test_a_push_goes_as_far_as_there_is_room() -> None:
    battle = inside(others=(regiment("b", 1, at=(36, 10.1), facing=0.0, stands=3),), stacks=((), ("b",)))
    do(battle, "leave-garrison", out(11.5))
    one = r(battle, "a")
    gap = fronts.gap(ranked.blocks(one), (formation.piece_thing(battle.state, "t"),))
    assert gap == pytest.approx(0.4, abs=0.005)


@pytest.mark.rule("conquest.terrain.garrison.leave.push")
def test_a_push_goes_straight_off_a_slanting_wall() -> None:
    """A tower that stands on its corner: a regiment against its side is moved off at a right angle to it."""
    corners = ((36.0, 13.0), (39.0, 16.0), (36.0, 19.0), (33.0, 16.0))
    slanting = Terrain("t", corners, "garrison", ("tower",), size=3)
    battle = scene(regiment("a", stands=2, **INSIDE), regiment("b", 1, at=FAR), terrain=[slanting], stacks=((), ("b",)))
    do(battle, "leave-garrison")
    half = 2.5 / 2**0.5
    do(battle, {"x": 34.5 - half, "y": 14.5 - half, "facing": 225.0, "files": 2})
    one = r(battle, "a")
    gap = fronts.gap(ranked.blocks(one), (formation.piece_thing(battle.state, "t"),))
    assert gap == pytest.approx(1.0, abs=0.01)


WALLED = [
    wood("w1", 26, 14.1, 33.9, 19, "impassable"),
    wood("w2", 38.1, 14.1, 46, 19, "impassable"),
    wood("w3", 33.9, 18.1, 38.1, 21, "impassable"),
]
"""Impassable ground on three sides of the tower."""


@pytest.mark.rule("conquest.terrain.garrison.leave.broken", "conquest.terrain.garrison.leave.impossible")
def test_an_emergency_exit_breaks_and_some_garrisons_cannot_leave() -> None:
    """In the lane to the south only a column of files of 2 fits: with March 2 its rear is too far away."""
    lane = [wood("w4", 26, 2, 33.4, 14, "impassable"), wood("w5", 38.6, 2, 46, 14, "impassable")]
    tight = inside(own={"of": profile(m=2)}, terrain=[*WALLED, *lane], stacks=((), ("b",)))
    assert "leave-garrison" in offered(tight)
    do(tight, "leave-garrison", {"x": 36.0, "y": 9.0, "facing": 180.0, "files": 2}, "1")
    assert r(tight, "a").broken
    shut = [wood("w4", 26, 2, 35.4, 13.9, "impassable"), wood("w5", 36.6, 2, 46, 13.9, "impassable")]
    closed = inside(terrain=[*WALLED, *shut])
    refused(closed, "leave-garrison", "conquest.terrain.garrison.leave.impossible")
    assert leaving.way_out(closed, r(closed, "a")) is None


@pytest.mark.rule("conquest.terrain.garrison.no-in-and-out")
def test_not_in_and_out_in_one_round() -> None:
    battle = inside(own={"flags": ("occupied",)})
    refused(battle, "leave-garrison", "conquest.terrain.garrison.no-in-and-out")


@pytest.mark.rule("conquest.terrain.garrison.withdraw")
def test_a_garrison_leaves_a_fight_without_roll_or_wounds() -> None:
    heavy = {"of": profile("infantry", "heavy")}
    battle = inside(own=heavy, others=(regiment("b", 1, at=(36, 18), stands=1),), dice=[], stacks=((), ("b",)))
    assert "leave-garrison" in offered(battle)
    refused(battle, "withdraw")
    do(battle, "leave-garrison", out(11.5))
    fired(battle, "conquest.terrain.garrison.withdraw")
    assert len(r(battle, "a").stands) == 3


# -- fighting over it ----------------------------------------------------------------------------------------------


def assault(
    *more: Any, own: dict[str, Any] | None = None, theirs: dict[str, Any] | None = None, **rest: Any
) -> Battle[State]:
    """ "a" before a tower held by "b"."""
    return scene(
        regiment("a", **{"stands": 3, "at": (36, 10), **(own or {})}),
        regiment("b", 1, **{"stands": 3, **INSIDE, **(theirs or {})}),
        *more,
        terrain=[TOWER],
        **rest,
    )


@pytest.mark.rule(
    "conquest.terrain.garrison.charge",
    "conquest.terrain.garrison.charge.align",
    "conquest.terrain.garrison.charge.no-impact",
)
def test_charging_a_garrison() -> None:
    battle = assault(own={"of": profile("cavalry", rules=["impact 2"])}, dice=[1])
    do(battle, "charge", "b")
    assert last(battle, "charge-roll")["distance"] == 4
    assert formation.touches(battle.state, r(battle, "a"), r(battle, "b"))
    assert not rolled(battle, "hit")
    assert r(battle, "a").inspired == 1
    empty = near()
    assert "charge" not in offered(empty)


@pytest.mark.rule("conquest.terrain.garrison.clash.attack")
def test_the_whole_front_is_engaged_with_a_garrison() -> None:
    """4 files by 2 ranks with Attack 4 against a tower 4 inches wide: 4x4 + 4x1."""
    battle = assault(own={"stands": 8, "files": 4, "at": (36, 14)}, dice=[6] * 20)
    do(battle, "clash")
    assert rolled(battle, "hit") == [20]


@pytest.mark.rule("conquest.terrain.garrison.clash.other-enemy")
def test_stands_that_touch_another_enemy_must_fight_it() -> None:
    battle = assault(
        regiment("c", 1, at=(42.25, 14), stands=1),
        own={"stands": 4, "files": 4, "at": (36, 14)},
        dice=[6] * 40,
    )
    do(battle, "clash", ["b", "c"])
    shares = {e.facts["target"]: e.facts["engaged"] for e in events(battle, "attacks")}
    assert shares == {"b": 3, "c": 1}


@pytest.mark.rule("conquest.terrain.garrison.clash.from-inside", "conquest.terrain.garrison.clash.choose-targets")
def test_a_garrison_fights_with_all_its_stands_whom_it_wants() -> None:
    def ready(*others: Any) -> Battle[State]:
        return scene(
            regiment("a", stands=4, files=2, of=profile(a=3), **INSIDE),
            regiment("b", 1, at=(36, 18), stands=2, files=2),
            *others,
            terrain=[TOWER],
            dice=[6] * 24,
        )

    one = ready()
    do(one, "clash")
    assert rolled(one, "hit") == [12]
    two = ready(regiment("c", 1, at=(36, 14), facing=0.0, stands=2, files=2))
    do(two, "clash", "c", "c", "c", "c")
    assert rolled(two, "hit") == [12]
    assert last(two, "attacks")["target"] == "c"


@pytest.mark.rule("conquest.terrain.garrison.all-front")
def test_a_garrison_has_no_flank() -> None:
    battle = assault(
        own={"at": (36, 14), "of": profile(a=2, c=3)}, theirs={"of": profile(d=0, e=0, w=20), "facing": 0.0},
        dice=[1] * 6 + [6] * 6 + [1] * 6,
    )  # fmt: skip
    settle(battle, "clash")
    assert rolled(battle, "morale") == [6]
    assert not events(battle, "reroll")


def wiped(own: dict[str, Any] | None = None, *others: Any) -> Battle[State]:
    """A garrison of one weak stand is destroyed by "a"."""
    battle = assault(
        *others, own={"at": (36, 14), "stands": 2, "files": 2, "of": profile(a=1, c=3), **(own or {})},
        theirs={"stands": 1, "of": profile(d=0, e=0, w=1)}, dice=[1, 1, 6, 6], stacks=((), ("d",)),
    )  # fmt: skip
    do(battle, "clash")
    assert r(battle, "b").where == "gone"
    return battle


@pytest.mark.rule("conquest.terrain.garrison.wiped-out")
def test_the_victor_may_move_in_at_once() -> None:
    battle = wiped(None, regiment("d", 1, at=FAR))
    assert prompt(battle) == "ask.move-in"
    do(battle, "a")
    assert r(battle, "a").where == "garrison"
    assert battle.decision is not None
    assert battle.decision.about == "d", "its second action is lost"
    declined = wiped(None, regiment("d", 1, at=FAR))
    do(declined, "pass")
    assert r(declined, "a").where == "table"


@pytest.mark.rule("conquest.terrain.garrison.wiped-out.reform", "conquest.rule.phalanx.no-garrison")
@pytest.mark.parametrize("of", [profile("cavalry", a=1, c=3), profile(a=1, c=3, rules=["phalanx"])])
def test_those_who_cannot_move_in_reform(of: Any) -> None:
    battle = wiped({"of": of}, regiment("d", 1, at=FAR))
    assert prompt(battle) == "ask.free-reform"
    do(battle, {"x": 36.0, "y": 12.75, "facing": 180.0, "files": 2})
    assert r(battle, "a").facing == 180
    assert "reform" in offered(battle), "the free Reform does not use up the action"


@pytest.mark.rule("conquest.terrain.garrison.wiped-out", "conquest.terrain.garrison.wiped-out.reform")
def test_a_second_regiment_finds_the_piece_taken() -> None:
    battle = wiped(None, regiment("c", at=(36, 18), facing=180.0, stands=2, files=2), regiment("d", 1, at=FAR))
    assert offered(battle) == ["a", "c", "pass"]
    do(battle, "c")
    assert r(battle, "c").where == "garrison"
    assert not r(battle, "c").activated
    assert prompt(battle) == "ask.free-reform"
    assert battle.decision is not None
    assert battle.decision.about == "a"


@pytest.mark.rule("conquest.command-model.standard-bearer.march", "conquest.terrain.garrison.enter")
@pytest.mark.parametrize(("models", "reached"), [(("leader", "standard-bearer"), True), (("leader",), False)])
def test_a_second_march_into_a_garrison_has_the_banners_inch(models: tuple[str, ...], reached: bool) -> None:
    """The tower is 4 inches away, and March is 3."""
    battle = near(of=profile(m=3), own={"models": models}, taken=("march",))
    assert ("occupy" in offered(battle)) is reached
