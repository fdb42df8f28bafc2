"""Rounds, initiative, wild dice, seizing, reserves."""

from __future__ import annotations

from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.games.warcry.rounds import read_dice, upgrade, upgrades
from umpire.games.warcry.state import Player
from warcry.builder import act, ask, fighter, fired, kinds, last, refused, scene

PAIR = (fighter("a1", 5, 5), fighter("b1", 20, 5))


def begin(faces: list[int], **more: Any) -> Battle[Any]:
    """The start of a round with these initiative dice (and what follows)."""
    return scene(*PAIR, at="round", round=more.pop("round", 0), dice=faces, **more)


@pytest.mark.rule("warcry.initiative.singles", "warcry.initiative.ability-dice")
def test_reading_the_initiative_dice() -> None:
    assert read_dice([1, 2, 3, 3, 5, 5]) == ((1, 2), ((3, 2), (5, 2)))
    assert read_dice([1, 2, 3, 4, 5, 6])[0] == (1, 2, 3, 4, 5, 6)
    assert read_dice([4, 4, 6, 6, 6, 2]) == ((2,), ((4, 2), (6, 3)))
    assert read_dice([3, 3, 5, 5, 5, 1]) == ((1,), ((3, 2), (5, 3)))
    assert read_dice([2, 2, 2, 2, 2, 6]) == ((6,), ((2, 4),))
    assert read_dice([2] * 6) == ((), ((2, 4),))


@pytest.mark.rule("warcry.initiative.roll", "warcry.initiative.winner")
def test_more_singles_win_and_a_tie_is_rolled_off() -> None:
    battle = begin([1, 2, 3, 4, 4, 4, 1, 2, 3, 3, 3, 3])
    rolls = [e.roll for e in battle.events if e.roll is not None]
    assert [len(r.faces) for r in rolls] == [6, 6]
    assert battle.state.initiative == 0
    battle = begin([1, 2, 3, 3, 4, 4, 1, 2, 5, 5, 6, 6, 2, 4])
    assert battle.state.initiative == 1
    assert battle.state.dice.queue == []


@pytest.mark.rule("warcry.initiative.wild-gain", "warcry.initiative.wild-order")
def test_each_gains_a_wild_die_and_the_first_player_declares_all_his() -> None:
    battle = begin([1, 2, 3, 4, 4, 4, 1, 2, 3, 3, 3, 3], players=[{"wild": 1}, {}])
    assert [p.wild for p in battle.state.players] == [2, 1]
    assert ask(battle).side == 0
    act(battle, "single")
    assert ask(battle).side == 0
    act(battle, "join-4")
    assert ask(battle).side == 1
    act(battle, "save")
    assert ask(battle).prompt.key == "ask.first-turn"
    act(battle, "first")
    assert battle.check("single").legal is False


@pytest.mark.rule("warcry.initiative.wild-single")
def test_any_number_of_wild_dice_may_be_singles() -> None:
    battle = begin([1, 2, 2, 2, 3, 3, 1, 1, 3, 3, 4, 4], players=[{"wild": 3}, {}])
    act(battle, "single", "single", "single", "single")
    player = battle.state.players[0]
    assert player.single_count == 5
    assert player.sets == ((2, 3), (3, 2))
    assert player.wild == 0


@pytest.mark.rule("warcry.initiative.wild-upgrade", "warcry.initiative.wild-one-per-set")
def test_a_wild_die_joins_a_single_or_a_set_once() -> None:
    battle = begin([1, 2, 5, 5, 6, 6, 1, 1, 3, 3, 4, 4], players=[{"wild": 3}, {}])
    act(battle, "join-1")
    player = battle.state.players[0]
    assert player.singles == (2,)
    assert (1, 2) in player.sets
    assert refused(battle, "join-1") == ("warcry.initiative.wild-one-per-set",)
    act(battle, "join-5")
    assert (5, 3) in battle.state.players[0].sets
    assert refused(battle, "join-5") == ("warcry.initiative.wild-one-per-set",)
    act(battle, "join-6")
    assert (6, 3) in battle.state.players[0].sets


@pytest.mark.rule("warcry.initiative.wild-upgrade")
def test_a_quad_cannot_be_upgraded() -> None:
    player = Player("x", singles=(1, 2), sets=((4, 4),))
    assert upgrades(player) == [1, 2]
    battle = begin([4, 4, 4, 4, 1, 2, 1, 1, 3, 3, 5, 5])
    assert refused(battle, "join-4") == ("warcry.initiative.wild-upgrade",)
    upgrade(player, 2)
    assert player.sets == ((2, 2), (4, 4))


@pytest.mark.rule("warcry.initiative.discard", "warcry.initiative.wild-discard", "warcry.initiative.wild-save")
def test_dice_expire_but_saved_wild_dice_do_not() -> None:
    players = [{"sets": [[6, 3]], "singles": [1], "wild": 3}, {"sets": [[2, 2]]}]
    battle = begin([1, 2, 3, 4, 5, 6, 1, 1, 3, 3, 5, 5], round=1, players=players)
    assert battle.state.players[0].sets == ()
    assert battle.state.players[0].wild == 4
    act(battle, "join-1", "save", "save")
    assert battle.state.players[0].wild == 3
    assert (1, 2) in battle.state.players[0].sets


@pytest.mark.rule("warcry.initiative.wild-discard", "warcry.reaction.cost")
def test_a_new_round_forgets_wild_singles_and_reactions() -> None:
    tired = [fighter(key, x, 5, activations=1, reactions=1) for key, x in (("a1", 5), ("b1", 20))]
    faces = [1, 2, 3, 3, 4, 4, 1, 1, 5, 5, 6, 6]
    battle = scene(*tired, at="wild", round=1, dice=faces, players=[{"singles": [1, 2]}, {"singles": [1]}])
    act(battle, "single", "save", "first")
    assert battle.state.round == 2
    assert battle.state.first_count == (2, 0)
    assert battle.state.players[0].wild_singles == 0
    assert [(f.activations, f.reactions) for f in battle.state.fighters] == [(0, 0), (0, 0)]


def wild(first: tuple[int, ...], second: tuple[int, ...], holder: int, dice: list[int]) -> Battle[Any]:
    """After the first count: the holder has the initiative; dice for roll-offs."""
    players = [{"singles": first}, {"singles": second}]
    return scene(*PAIR, at="wild", initiative=holder, players=players, dice=dice)


@pytest.mark.rule("warcry.initiative.seize")
@pytest.mark.parametrize(
    ("first", "second", "answers", "dice", "holder"),
    [
        ((1, 2, 3), (1, 2), ("save", "single"), [2, 5], 1),
        ((1, 2), (1, 2), ("save", "save"), [], 0),
        ((1, 2), (1, 2), ("single", "single"), [], 0),
        ((1, 2, 3), (1, 2, 3), ("join-1", "single"), [], 1),
    ],
)
def test_seizing(
    first: tuple[int, ...], second: tuple[int, ...], answers: tuple[str, ...], dice: list[int], holder: int
) -> None:
    battle = wild(first, second, 0, dice)
    act(battle, *answers)
    assert battle.state.initiative == holder
    assert battle.state.dice.queue == []


@pytest.mark.rule("warcry.initiative.seize", "warcry.combat.first-turn")
def test_the_worked_example_of_the_book() -> None:
    # A: two singles, 3 3 and 5 5. B: one single, 4 4 and 6 6 6, and a saved wild die. A makes the fives a triple,
    # B makes the sixes a quad and adds a single: 2 against 2, which was not so before. B wins the roll-off.
    battle = begin([1, 2, 3, 3, 5, 5, 1, 4, 4, 6, 6, 6, 2, 6], round=1, players=[{}, {"wild": 1}])
    act(battle, "join-5", "join-6", "single")
    assert battle.state.initiative == 1
    assert battle.state.players[0].sets == ((3, 2), (5, 3))
    assert battle.state.players[1].sets == ((4, 2), (6, 4))
    act(battle, "second")
    assert last(battle, "first-turn")["side"] == 0


@pytest.mark.rule("warcry.combat.round")
def test_phases_follow_in_order_and_the_next_round_after_scoring() -> None:
    battle = scene(
        fighter("a1", 5, 5, activations=1),
        fighter("b1", 20, 5, activations=1),
        at="turn",
        objectives=[{"id": "o0", "x": 5, "y": 5}],
        victory="ley-lines",
    )
    told = kinds(battle)
    assert told.index("phase-end") < told.index("control") < told.index("scored") < told.index("round")
    assert battle.state.round == 2


@pytest.mark.rule("warcry.reserve.phase", "warcry.reserve.rounds")
def test_reserves_come_in_their_round_and_never_in_the_first() -> None:
    def at(number: int) -> Battle[Any]:
        return scene(
            *PAIR,
            fighter("a2", 0, 0, where="reserve", group="hammer"),
            fighter("b2", 0, 0, where="reserve", group="hammer"),
            at="reserve",
            round=number,
            deployment="late-hammers",
            players=[{"red": True}, {}],
        )

    assert ask(at(1)).prompt.key == "ask.first-turn"
    second = at(2)
    assert ask(second).prompt.key == "ask.deploy"
    assert ask(second).side == 0
    act(second, second.suggest())
    assert ask(second).prompt.key == "ask.first-turn"
    assert second.state.fighter("b2").where == "reserve"
    third = at(3)
    assert ask(third).side == 1


@pytest.mark.rule("warcry.reserve.order", "warcry.reserve.zone")
def test_the_player_with_the_initiative_arrives_first_wholly_within_3_inches() -> None:
    battle = scene(
        *PAIR,
        fighter("a2", 0, 0, where="reserve", group="hammer"),
        fighter("b2", 0, 0, where="reserve", group="hammer"),
        at="reserve",
        round=2,
        deployment="split-camps",
        players=[{"red": True}, {}],
        initiative=1,
    )
    assert ask(battle).side == 1
    assert battle.check({"x": 17.5, "y": 18.0}).legal
    assert refused(battle, {"x": 17.6, "y": 18.0}) == ("warcry.reserve.zone",)
    act(battle, {"x": 15.0, "y": 18.0})
    assert ask(battle).side == 0
    assert {"warcry.reserve.order", "warcry.reserve.zone"} <= fired(battle)


@pytest.mark.rule("warcry.reserve.deployment-line")
def test_a_line_marks_half_an_edge() -> None:
    line = {"x": -1, "y": -1, "round": 2, "line": [0, 0, 15, 0]}
    spot = {"x": 25, "y": 18}
    card = {
        "id": "c",
        "name": {"zh": "c", "en": "c"},
        "red": {"dagger": spot, "shield": spot, "hammer": line},
        "blue": {"dagger": spot, "shield": spot, "hammer": spot},
    }
    battle = scene(
        *PAIR,
        fighter("a2", 0, 0, where="reserve", group="hammer"),
        at="reserve",
        round=2,
        deployment=card,
        players=[{"red": True}, {}],
    )
    assert battle.check({"x": 15.5, "y": 1.0}).legal
    assert refused(battle, {"x": 18.0, "y": 0.5}) == ("warcry.reserve.deployment-line",)


@pytest.mark.rule("warcry.reserve.no-room")
def test_without_room_they_are_set_up_as_near_as_can_be() -> None:
    # A monster with a base of 6.4 inches stands on the deployment point at (15, 4).
    battle = scene(
        fighter("a1", 5, 20),
        fighter("b1", 15, 4, base=162.56, height=4, runemarks=["monster"]),
        fighter("a2", 0, 0, where="reserve", group="hammer"),
        at="reserve",
        round=2,
        deployment="split-camps",
        players=[{"red": True}, {}],
    )
    assert ask(battle).prompt.key == "ask.squeeze"
    near = ask(battle).default  # type: ignore[attr-defined]
    gap = ((near["x"] - 15) ** 2 + (near["y"] - 4) ** 2) ** 0.5
    assert gap == pytest.approx(3.7, abs=0.06)
    assert refused(battle, {"x": 20.0, "y": 4.0}) == ("warcry.reserve.no-room",)
    act(battle, near)
    assert battle.state.fighter("a2").where == "field"


@pytest.mark.rule("warcry.reserve.no-room", "warcry.reserve.deployment-line")
def test_room_is_looked_for_along_the_whole_line() -> None:
    # Round bases of 6 inches stand side by side along the edge: only between two of them is there any room.
    line = {"x": -1, "y": -1, "round": 2, "line": [0, 0, 30, 0]}
    spot = {"x": 25, "y": 18}
    card = {
        "id": "c",
        "name": {"zh": "c", "en": "c"},
        "red": {"dagger": spot, "shield": spot, "hammer": line},
        "blue": {"dagger": spot, "shield": spot, "hammer": spot},
    }
    big = [fighter(f"b{n}", 6 * n - 3, 3, base=152.4) for n in range(1, 6)]

    def arriving(*gaps: tuple[float, float]) -> Battle[Any]:
        return scene(
            fighter("a1", 5, 20),
            *big,
            *(fighter(f"b{n}", x, y) for n, (x, y) in enumerate(gaps, 6)),
            fighter("a2", 0, 0, where="reserve", group="hammer", base=37.592),
            at="reserve",
            round=2,
            deployment=card,
            players=[{"red": True}, {}],
        )

    inside = arriving((6, 0.5), (12, 0.5), (18, 0.5))
    assert ask(inside).prompt.key == "ask.deploy"
    assert inside.check({"x": 24, "y": 0.74}).legal
    # With those gaps filled it is behind the big ones, where they meet.
    behind = arriving((6, 0.5), (12, 0.5), (18, 0.5), (24, 0.5), (6, 5.5), (12, 5.5), (18, 5.5))
    assert ask(behind).prompt.key == "ask.squeeze"
    assert behind.check({"x": 24, "y": 5.24}).legal
    assert refused(behind, {"x": 24, "y": 5.3}) == ("warcry.reserve.no-room",)
    assert refused(behind, {"x": 0.74, "y": 6.0}) == ("warcry.reserve.no-room",)
    assert refused(behind, {"x": 15, "y": 6.75}) == ("warcry.reserve.no-room",)
