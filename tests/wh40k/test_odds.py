"""Exact odds agree with the rules and with play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from umpire.engine.battle import Battle
from umpire.games.wh40k.odds import allocated, reply
from umpire.games.wh40k.questions import QUESTIONS
from umpire.games.wh40k.state import Volley
from umpire.games.wh40k.volleys import volley_odds
from umpire.odds import Dist, agree
from wh40k.builder import ability, aim, ask, gun, prompt, row, scene, sword, unit

RUNS = 400
LEAST = 1e-4


def shooting(mine: dict[str, Any], foe: dict[str, Any], models: int = 3, guns: int = 2) -> Callable[[int], Battle[Any]]:
    """a1 is about to declare at b1, 10 inches away, in a battle with this seed."""

    def begin(seed: int) -> Battle[Any]:
        battle = scene(
            unit("a1", *row(10, 10, guns), **mine),
            unit("b1", *row(10, 21, models), **{"weapons": [], **foe}),
            phase="shooting",
            seed=seed,
        )
        battle.answer("a1")
        return battle

    return begin


def wounds(battle: Battle[Any], key: str = "b1") -> int:
    return sum(m.wounds for m in battle.state.units[key].models)


def play_on(battle: Battle[Any]) -> None:
    """As the odds take it, until the sequence is over."""
    while (now := battle.decision) is not None and now.prompt.key in (
        "ask.lost", "ask.lost-and-hurt", "ask.allocate", "ask.command-reroll", "ask.overwatch", "ask.deny",
    ):  # fmt: skip
        given = reply(now)
        battle.answer(allocated(battle.state, now) if given is None else given)  # type: ignore[arg-type]


def agrees(begin: Callable[[int], Battle[Any]], runs: int = RUNS) -> dict[str, Any]:
    """A declared volley, told and played."""
    first = begin(0)
    answer = ask(first).default  # type: ignore[attr-defined]
    told = first.odds(answer)
    assert told is not None
    for dist in told["dists"].values():
        assert sum(dist) == pytest.approx(1.0)
    before = wounds(first)
    models = len(first.state.units["b1"].models)
    seen: Counter[int] = Counter()
    slain: Counter[int] = Counter()
    for seed in range(runs):
        battle = begin(seed)
        battle.answer(answer)
        play_on(battle)
        left = battle.state.units["b1"]
        alive = left.models if left.where == "table" else ()
        seen[before - sum(m.wounds for m in alive)] += 1
        slain[models - len(alive)] += 1
    assert agree(Dist(told["dists"]["wounds"]), seen).p > LEAST, (told["dists"]["wounds"], seen)
    assert agree(Dist(told["dists"]["slain"]), slain).p > LEAST
    return told


@pytest.mark.parametrize(
    ("mine", "foe"),
    [
        ({"weapons": [gun(attacks="2", s="4", ap=-1, d="2")]}, {"w": 3, "invulnerable": 5}),
        ({"weapons": [gun(type="heavy", attacks="D6", s="8", d="D3", rules=["blast"])]}, {"w": 2, "ignore": 5}),
        ({"weapons": [gun(attacks="3", rules=["extra-hits-6", "mortal-6"])]}, {"w": 2}),
        ({"weapons": [gun(attacks="3", d="2", rules=["auto-wound-6", "instead-6"])]}, {"w": 2, "ignore": 6}),
        ({"weapons": [gun(attacks="3", d="D3", rules=["instead-6"])]}, {"w": 3}),
        ({"weapons": [gun(attacks="D3")], "abilities": [ability("modify", what="attacks", value=1)]}, {"w": 2}),
        (
            {
                "weapons": [gun(attacks="3", ap=-1)],
                "abilities": [
                    ability("reroll", what="hit", which="failures"),
                    ability("modify", id="m", what="hit", value=-1),
                ],
            },
            {"w": 2, "abilities": [ability("reroll", what="save", which="failures")]},
        ),
        (
            {
                "weapons": [gun(attacks="3", d="D6")],
                "abilities": [
                    ability("reroll", what="hit", which="ones"),
                    ability("reroll", id="again", what="wound", which="failures"),
                ],
            },
            {"w": 4},
        ),
    ],
)
def test_a_volley_agrees_with_play(mine: dict[str, Any], foe: dict[str, Any]) -> None:
    agrees(shooting(mine, foe, models=7 if "blast" in str(mine) else 3))


def test_a_unit_of_mixed_models_takes_attacks_in_a_fixed_order() -> None:
    kinds = [
        {"id": "chief", "w": 3, "sv": 3, "invulnerable": 4, "champion": True},
        {"id": "man", "w": 1, "sv": 5, "most": 5},
    ]
    foe = {"kinds": kinds, "rows": ["chief", "man", "man"]}
    agrees(shooting({"weapons": [gun(attacks="3", s="5", ap=-1, d="2")]}, foe))


def test_odds_are_better_with_more_and_harder_shots() -> None:
    def slain(**weapon: Any) -> float:
        battle = shooting({"weapons": [gun(**weapon)]}, {"w": 2}, models=5)(0)
        told = battle.odds(ask(battle).default)  # type: ignore[attr-defined]
        assert told is not None
        return sum(n * p for n, p in enumerate(told["dists"]["slain"]))

    plain = slain(attacks="2")
    assert plain < slain(attacks="3")
    assert plain < slain(attacks="2", ap=-2)
    assert plain < slain(attacks="2", d="2")
    assert plain < slain(attacks="2", s="8")


def test_each_target_of_split_fire_is_told() -> None:
    battle = scene(
        unit("a1", *row(10, 10, 2), weapons=[gun()]),
        unit("b1", (10, 20), weapons=[]),
        unit("b2", (16, 20), weapons=[]),
        phase="shooting",
    )
    battle.answer("a1")
    told = battle.odds(aim("a1.1/0/shot>b1", "a1.2/0/shot>b2"))
    assert told is not None
    assert set(told["dists"]) == {"slain b1", "slain b2"}
    assert told["dists"]["slain b1"] == pytest.approx(told["dists"]["slain b2"])


def test_nothing_is_told_where_damage_would_spill_over() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[gun(d="2")]),
        unit("b1", *row(10, 20, 3), weapons=[]),
        phase="shooting",
    )
    battle.answer("a1")
    assert battle.odds(ask(battle).default) is not None  # type: ignore[attr-defined]
    battle.state.without = ("wh40k.attack.excess-damage-lost",)
    assert volley_odds(battle.state, Volley("a1", "shooting", ())) is None


def charging(gap: float, **more: Any) -> Battle[Any]:
    battle = scene(unit("a1", (10, 10)), unit("b1", (10, 11 + gap), weapons=[]), phase="charge", **more)
    battle.answer("a1")
    return battle


@pytest.mark.parametrize(("gap", "need"), [(8.0, 7), (8.01, 8), (4.0, 3), (12.0, 11)])
def test_a_charge_needs_the_distance_less_an_inch(gap: float, need: int) -> None:
    told = charging(gap).odds(["b1"])
    assert told is not None
    lines = {line["label"]["en"]: line["value"] for line in told["lines"]}
    assert lines["needed"] == need
    assert lines["charge succeeds"] == pytest.approx(Dist.uniform(1, 6).times(2).at_least(need))
    assert "with a re-roll" not in lines


def test_a_command_point_lets_a_charge_be_rolled_again() -> None:
    told = charging(8.0, sides=[{"cp": 1}, {}]).odds(["b1"])
    assert told is not None
    lines = {line["label"]["en"]: line["value"] for line in told["lines"]}
    p = lines["charge succeeds"]
    assert lines["with a re-roll"] == pytest.approx(p + (1 - p) * p)


def test_a_fight_agrees_with_play() -> None:
    def begin(seed: int) -> Battle[Any]:
        battle = scene(
            unit("a1", *row(10, 10, 2), weapons=[sword(s="+1", ap=-1, d="D3")], a=3, marks=["charged"], targets=["b1"]),
            unit("b1", *row(10, 11.2, 2), weapons=[], w=3),
            phase="fight",
            seed=seed,
        )
        while prompt(battle) != "ask.strike":
            battle.answer({"stay": True})
        return battle

    assert agrees(begin)["title"]["en"] == "Fighting"


PSYKER = {"keywords": ["psyker"], "psychic": {"casts": 1}, "w": 4}


def test_smite_agrees_with_play() -> None:
    def begin(seed: int) -> Battle[Any]:
        battle = scene(
            unit("a1", (10, 10), weapons=[], **PSYKER), unit("b1", *row(10, 20, 4), weapons=[], w=2), phase="psychic",
            seed=seed,
        )  # fmt: skip
        battle.answer("a1")
        return battle

    first = begin(0)
    told = first.odds("smite")
    assert told is not None
    lines = {line["label"]["en"]: line["value"] for line in told["lines"]}
    assert lines["warp charge"] == 5
    assert lines["test passed"] == pytest.approx(30 / 36)
    assert lines["Perils of the Warp"] == pytest.approx(2 / 36)
    assert lines["the Psyker is destroyed"] == 0.0
    seen: Counter[int] = Counter()
    for seed in range(RUNS):
        battle = begin(seed)
        battle.answer("smite")
        play_on(battle)
        seen[8 - wounds(battle)] += 1
    assert agree(Dist(told["dists"]["wounds"]), seen).p > LEAST


def test_denial_needs_more_than_the_test() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[], **PSYKER),
        unit("b1", (10, 20), weapons=[], **{**PSYKER, "psychic": {"casts": 1, "denies": 1}}),
        phase="psychic",
        dice=[4, 4],
    )
    battle.answer("a1")
    told = battle.odds("smite")
    assert told is not None
    assert "manifested though they try to deny" in {line["label"]["en"] for line in told["lines"]}
    battle.answer("smite")
    assert prompt(battle) == "ask.deny"
    told = battle.odds("b1")
    assert told is not None
    assert told["lines"][0]["value"] == pytest.approx(10 / 36)
    assert battle.odds("pass") is None


def test_morale_with_attrition_agrees_with_play() -> None:
    def begin(seed: int) -> Battle[Any]:
        return scene(
            unit("a1", *row(10, 10, 4), weapons=[], died=4, dead=4, starting=8, ld=6),
            unit("a2", (40, 10), weapons=[], died=1, dead=1, starting=2),
            unit("b1", (10, 28), weapons=[]),
            phase="morale",
            seed=seed,
        )

    told = begin(0).odds("a1")
    assert told is not None
    assert told["lines"][0]["value"] == pytest.approx(2 / 6)
    seen: Counter[int] = Counter()
    for seed in range(RUNS):
        battle = begin(seed)
        battle.answer("a1")
        play_on(battle)
        left = battle.state.units["a1"]
        seen[4 - (len(left.models) if left.where == "table" else 0)] += 1
    assert agree(Dist(told["dists"]["fled"]), seen).p > LEAST


def test_to_leave_a_morale_test_to_the_die_is_told_where_it_might_be_passed_for_sure() -> None:
    battle = scene(
        unit("a1", *row(10, 10, 4), weapons=[], died=4, dead=4, starting=8, ld=6),
        unit("b1", (10, 28), weapons=[]),
        phase="morale",
        sides=[{"cp": 2}, {"cp": 0}],
    )
    assert ask(battle).prompt.key == "ask.insane-bravery"
    told = battle.odds("pass")
    assert told is not None
    assert told["lines"][0]["value"] == pytest.approx(2 / 6)
    assert battle.odds("a1") is None


def test_a_charge_is_told_before_it_is_declared_against_the_nearest() -> None:
    battle = scene(
        unit("a1", (10, 10), weapons=[]),
        unit("b1", (10, 19), weapons=[]),
        unit("b2", (10, 21.5), weapons=[]),
        unit("a2", (30, 10), weapons=[]),
        unit("b3", (30, 11.5), weapons=[]),
        phase="charge",
    )
    whom = battle.fork()
    whom.answer("a1")
    told, nearest = battle.odds("a1"), whom.odds(["b1"])
    assert told is not None
    assert nearest is not None
    assert told["lines"] == nearest["lines"]
    assert battle.odds("done") is None  # though a fight comes next


def asked(name: str, *given: str) -> dict[str, Any]:
    return {line.name["en"]: line.odds for line in QUESTIONS[name].ask(given)}


def test_questions_without_a_battle() -> None:
    shots = ("attacks=2", "skill=3", "strength=4", "toughness=4", "save=3", "attackers=5", "models=5")
    plain = asked("attack", *shots)
    assert plain["wounds lost"].mean == pytest.approx(10 * (4 / 6) * (1 / 2) * (1 / 3), abs=0.01)
    assert asked("attack", *shots, "ap=-2")["unit destroyed"] > plain["unit destroyed"]
    assert asked("attack", *shots, "ap=-2", "invulnerable=4")["unit destroyed"] > plain["unit destroyed"]
    assert asked("attack", *shots, "overwatch=yes")["unit destroyed"] < plain["unit destroyed"]
    assert asked("attack", *shots, "hit_mod=-3") == asked("attack", *shots, "hit_mod=-1")
    assert asked("charge", "inches=8")["charge succeeds"] == pytest.approx(21 / 36)
    assert asked("power", "warp_charge=7")["test passed"] == pytest.approx(21 / 36)
    assert asked("smite", "before=2")["test passed"] == pytest.approx(21 / 36)
    assert asked("morale", "leadership=7", "lost=3", "left=5", "starting=10")["passes"] == pytest.approx(4 / 6)
