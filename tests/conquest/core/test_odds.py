"""Odds are those of play."""

from collections import Counter

import pytest

from conquest.builder import do, events, last, profile, r, regiment, scene
from umpire.engine.rng import seed_of
from umpire.games.conquest import GAME
from umpire.odds import Dist, agree

ATTACKER = profile(a=3, c=3, rules=["cleave 1", "flurry", "relentless-blows"])
TARGET = profile(d=3, e=1, r=3, w=60)


def melee(seed, mine=ATTACKER, theirs=TARGET, facing=180.0, y=20.0):
    return scene(
        regiment("a", 0, (36, 20), stands=4, files=3, of=mine),
        regiment("b", 1, (36, y), facing=facing, of=theirs),
        seed=seed_of("odds", seed),
    )


def settle(battle):
    while battle.decision and battle.decision.prompt.key in ("ask.reroll", "ask.casualty-end"):
        battle.answer(True if battle.decision.kind == "confirm" else "left")
    return battle


@pytest.mark.parametrize(("facing", "y"), [(180.0, 20.0), (0.0, 22.5)])
def test_clash_odds_agree_with_play(facing, y):
    first = melee(0, facing=facing, y=y)
    told = first.odds("clash")
    seen = Counter()
    for seed in range(400):
        battle = settle(do(melee(seed, facing=facing, y=y), "clash"))
        seen[sum(e.facts["wounds"] for e in events(battle, "allocated"))] += 1
    chances = told["dists"]["wounds"]
    assert sum(chances) == pytest.approx(1.0)
    assert agree(Dist(chances), seen).p > 0.001


def test_charge_odds_are_the_share_of_dice_that_reach():
    battle = scene(regiment("a", 0, (36, 10)), regiment("b", 1, (36, 18)))
    do(battle, "charge")
    lines = {entry["label"]["en"]: entry["value"] for entry in battle.odds("b")["lines"]}
    assert lines["distance"] == 8.0
    assert lines["chance of success"] == pytest.approx(4 / 6, abs=1e-4)
    assert lines["die needed"] == 3


def test_volley_odds():
    battle = scene(
        regiment("a", 0, (36, 10), of=profile(v=3, rules=["barrage 2 24"])),
        regiment("b", 1, (36, 30), of=profile(d=0, e=0, w=60)),
    )
    do(battle, "volley")
    lines = {entry["label"]["en"]: entry["value"] for entry in battle.odds("b")["lines"]}
    assert lines["wounds with morale"] == pytest.approx(3.0, abs=1e-4), "6 dice at a half, no morale test"


def test_resolve_odds():
    battle = melee(1)
    lines = {entry["label"]["en"]: entry["value"] for entry in battle.odds("withdraw")["lines"]}
    assert lines["chance to do it cleanly"] == pytest.approx(0.5)
    assert battle.odds("inspire") is None


def test_library_and_picture():
    library = GAME.library()
    assert len(library["armies"]) >= 9
    assert len(library["scenarios"]) >= 6
    assert {o["id"] for o in library["options"]} >= {"points", "draw_events", "casualties"}
    assert all(o["name"]["zh"] != f"table.{o['id']}" for o in library["options"])
    battle = melee(2)
    picture = GAME.picture(battle.state)
    assert len(picture.pieces) == 7
    card = next(c for c in picture.cards if c.id == "a")
    assert [v.now for v in card.values] == [5, 1, 3, 3, 4, 3, 2, 1]
    assert any("Cleave (1)" in rule["name"]["en"] for rule in card.rules)
    assert last(do(battle, "clash"), "clash")["regiment"] == "a"
    assert r(battle, "a").on_table
