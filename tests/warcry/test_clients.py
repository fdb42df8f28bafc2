"""What clients see of Warcry: odds, pictures, names, scenes as files, menus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import umpire
from umpire.engine.game import find_game
from umpire.engine.scene import read
from umpire.engine.staging import run
from umpire.engine.view import view
from umpire.errors import UmpireError
from umpire.games.warcry.legs import Tracer
from umpire.games.warcry.mover import FighterMover
from umpire.text import Text, say
from warcry.builder import BOX, act, ask, fighter, path, scene, weapon


def duel(**more: Any) -> Any:
    return scene(fighter("a1", 5, 5), fighter("b1", 6.5, 5, wounds=30, **more), active="a1", seed=5)


def test_the_odds_of_an_attack_are_those_of_its_dice() -> None:
    told = duel().odds("attack-0-b1")
    assert told is not None
    # Three attacks, Strength 4 against Toughness 4: half miss, a third hit for 1, a sixth for 3.
    assert told["lines"][0]["value"] == pytest.approx(3 * (1 / 3 + 3 / 6), abs=1e-3)
    chances = {entry["label"]["en"]: entry["value"] for entry in told["lines"]}
    assert chances["each die hits"] == pytest.approx(1 / 2)
    assert chances["each die is a critical hit"] == pytest.approx(1 / 6)
    assert sum(told["dists"]["damage"]) == pytest.approx(1.0, abs=1e-4)
    assert told["dists"]["damage"][9] == pytest.approx(1 / 216, abs=1e-6)


def test_the_odds_agree_with_many_attacks() -> None:
    total = 0
    for seed in range(400):
        battle = scene(fighter("a1", 5, 5), fighter("b1", 6.5, 5, wounds=30, activations=1), active="a1", seed=seed)
        total += act(battle, "attack-0-b1").state.fighter("b1").damage
    assert total / 400 == pytest.approx(2.5, abs=0.35)


def test_the_odds_of_reactions_and_of_a_deep_jump() -> None:
    battle = act(duel(), "attack-0-b1")
    back = battle.odds("counter")
    assert back is not None
    lines = {entry["label"]["en"]: entry["value"] for entry in back["lines"]}
    assert lines["mean damage to the attacker"] == pytest.approx(3 * (2 / 6 + 2 / 6), abs=1e-3)
    high = act(scene(fighter("a1", 13.2, 11, 3), fighter("b1", 28, 20), active="a1", pieces=[BOX]), "move")
    risk = high.odds(path(("jump", 12, 11, 0)))
    assert risk is not None
    assert risk["lines"][0]["value"] == pytest.approx((3 + 1 + 1) / 6, abs=1e-3)
    assert high.odds(path(("walk", 15, 11))) is None


def test_a_found_way_is_told_with_its_legs_cost_and_risk() -> None:
    low = act(scene(fighter("a1", 12, 11, move=6), fighter("b1", 28, 20), active="a1", pieces=[BOX]), "move")
    way = low.odds({"to": {"x": 14, "y": 11, "z": 3}})
    assert way is not None
    found = ask(low).route({"to": {"x": 14, "y": 11, "z": 3}})["a1"]
    assert [leg.how for leg in found] == ["walk", "climb", "climb", "walk"]
    assert "5.00 / 6" in [line["value"] for line in way["lines"]]
    high = act(scene(fighter("a1", 13.3, 11, 3, move=3), fighter("b1", 28, 20), active="a1", pieces=[BOX]), "move")
    down = high.odds({"to": {"x": 11.5, "y": 11, "z": 0}})
    assert down is not None
    assert sum(down["dists"]["damage"]) == pytest.approx(1.0, abs=1e-4)


def test_the_risk_of_a_move_is_that_of_the_move_that_is_asked_for() -> None:
    """A disengage goes 3 inches and not as far as the fighter moves; a bonus move as far as it says."""
    near = act(scene(fighter("a1", 5, 5, move=5), fighter("b1", 3.5, 5), active="a1"), "disengage", "pass")
    way = near.odds({"to": {"x": 7.0, "y": 5.0}})
    assert way is not None
    assert "2.00 / 3" in [line["value"] for line in way["lines"]]
    assert ask(near).wire()["form"]["limit"] == 3.0
    high = scene(fighter("a1", 13.2, 11, 3, move=3), fighter("b1", 28, 20), active="a1", pieces=[BOX])
    bonus = FighterMover(Tracer(high.state, high.state.fighter("a1"), 8.0))
    assert bonus.fits(path(("jump", 7.2, 11, 0)))
    risk = bonus.risk(path(("jump", 7.2, 11, 0)))
    assert risk is not None
    assert risk["lines"][0]["value"] == pytest.approx((3 + 1 + 1) / 6, abs=1e-3)


def test_the_odds_of_an_ability_that_rolls_for_damage() -> None:
    monster = {"runemarks": ["monster"], "base": 50.8, "height": 3}
    battle = scene(fighter("a1", 10, 10, **monster), fighter("b1", 15, 10), active="a1", players=[{"sets": [[5, 3]]}])
    told = battle.odds("ability-drag")
    assert told is not None
    assert told["lines"][0]["value"] == pytest.approx(5 * 0.5 * 3)


def test_a_view_shows_cards_terrain_dice_and_labels_in_both_languages() -> None:
    battle = scene(
        fighter("a1", 13.2, 11, 3, weapons=[weapon(), weapon(range=8)]),
        fighter("b1", 16, 11, 3, damage=4),
        active="a1",
        pieces=[BOX],
        players=[{"sets": [[4, 2]], "wild": 2}],
        objectives=[{"id": "o0", "x": 5, "y": 5}],
    )
    seen = view(battle, 0)
    picture = seen["picture"]
    assert {card["id"] for card in picture["cards"]} == {"a1", "b1"}
    assert picture["terrain"][0]["blocks"][0]["top"] == 3
    dice, wild = picture["pools"][:2]
    assert [list(one) for one in dice["dice"]] == [[4, 2]]
    assert (wild["name"]["en"], wild["value"]) == ("Wild dice", 2)
    arm = picture["cards"][0]["weapons"][1]
    assert [(fact["name"]["en"], fact["value"]) for fact in arm["facts"]][:2] == [("Range", "8"), ("Attacks", 3)]
    assert picture["markers"][0]["range"] == 3.0
    labels = {option["id"]: option["label"] for option in seen["decisions"][0]["options"]}
    assert set(labels["attack-1-b1"]) >= {"zh", "en"}
    assert labels["ability-rush"] == {"zh": "勇冲", "en": "Rush"}
    assert labels["move"]["zh"] == "移动"
    assert "<svg" in battle._repr_svg_()


def test_changed_values_are_shown_with_their_source() -> None:
    battle = scene(fighter("a1", 5, 5), fighter("b1", 20, 5), active="a1", players=[{"sets": [[4, 2]]}])
    act(battle, "ability-rush")
    card = next(c for c in view(battle, 0)["picture"]["cards"] if c["id"] == "a1")
    move = card["values"][0]
    assert (move["base"], move["now"]) == (5, 6)
    assert move["changes"][0]["rule"] == "warcry.ability.rush"


def test_menus_offer_legal_warbands_and_every_victory_condition() -> None:
    game = find_game("warcry")
    assert game.library is not None
    assert game.check_roster is not None
    menus = game.library()
    assert len(menus["armies"]) >= 2
    assert all(game.check_roster(army["roster"], ()).legal for army in menus["armies"])
    assert {"ley-lines", "reaper"} <= {entry["id"] for entry in menus["scenarios"]}
    army = menus["armies"][0]["roster"]
    battle = umpire.battle("warcry", sides=[army, army], scenario="reaper", seed=1, options={"twist": "still-air"})
    assert ask(battle).prompt.key == "ask.role"


def test_a_scene_file_runs_and_a_broken_one_says_where(tmp_path: Path) -> None:
    file = tmp_path / "fall.yaml"
    file.write_text(
        """
game: warcry
dice: [5, 5, 1]
position:
  at: act
  active: a1
  fighters:
    - {id: a1, side: 0, profile: slag-chief, x: 10, y: 10}
    - {id: b1, side: 1, profile: wick-guard, x: 12, y: 10, activations: 1}
    - {id: b2, side: 1, profile: wick-guard, x: 25, y: 20}
answers: [attack-0-b1]
""",
        encoding="utf-8",
    )
    assert "ran out" in run(read(file)[0])["stopped"]["text"]["en"]
    file.write_text(file.read_text(encoding="utf-8").replace("[5, 5, 1]", "[5, 5, 1, 2]"), encoding="utf-8")
    told = run(read(file)[0])
    assert told["rulings"][0]["legal"]
    file.write_text(file.read_text(encoding="utf-8").replace("slag-chief", "nobody"), encoding="utf-8")
    with pytest.raises(UmpireError, match=r"fighters\[0\]\.profile"):
        run(read(file)[0])


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"terrain": "nowhere"}, "terrain"),
        ({"victory": "nowhere"}, "victory"),
        ({"active": "z9"}, "z9"),
        ({"at": "act"}, "active"),
    ],
)
def test_a_scene_that_names_what_is_not_there_is_refused(more: dict[str, Any], field: str) -> None:
    with pytest.raises(UmpireError, match=field):
        scene(fighter("a1", 5, 5), fighter("b1", 20, 5), **more)


@pytest.mark.parametrize(("more", "field"), [({"climbing": "t9.9"}, "climbing"), ({"carrying": "g9"}, "carrying")])
def test_a_fighter_that_refers_to_what_is_not_there_is_refused(more: dict[str, Any], field: str) -> None:
    with pytest.raises(UmpireError, match=rf"fighters\[0\]\.{field}"):
        scene(fighter("a1", 5, 5, **more), fighter("b1", 20, 5))
    with pytest.raises(UmpireError, match="twice"):
        scene(fighter("a1", 5, 5), fighter("a1", 20, 5))


def test_a_move_to_an_open_edge_tells_the_risk_of_a_fall_there() -> None:
    high = act(scene(fighter("a1", 15, 11, 3), fighter("b1", 28, 20), active="a1", pieces=[BOX]), "move")
    edge = high.odds(path(("walk", 13.6, 11)))
    assert edge is not None
    assert [(line["label"]["en"], line["value"]) for line in edge["lines"]] == [
        ("if it is hurt there: falls", pytest.approx(1 / 6))
    ]
    assert high.odds(path(("walk", 15, 10.8))) is None


def test_who_would_see_a_fighter_where_it_goes() -> None:
    battle = act(
        scene(fighter("a1", 10, 7), fighter("b1", 20, 11), fighter("b2", 10, 20), active="a1", pieces=[BOX]), "move"
    )
    seen = find_game("warcry").seen_by

    def ends(*legs: tuple[Any, ...]) -> Any:
        return {key: way[-1] for key, way in ask(battle).route(path(*legs)).items()}

    assert seen(battle.state, "a1", ends(("walk", 11, 11))) == ["b2"]  # the block stands between it and b1
    assert seen(battle.state, "a1", ends(("walk", 11, 6))) == ["b1", "b2"]


def test_whoever_is_in_mid_activation_has_not_acted_yet() -> None:
    battle = scene(
        fighter("a1", 5, 5, activations=1), fighter("a2", 8, 5, activations=1), fighter("b1", 28, 20), active="a1"
    )
    assert [card["id"] for card in view(battle, 0)["picture"]["cards"] if card["done"]] == ["a2"]


def test_a_change_is_told_with_its_sign_and_a_distance_with_one_decimal() -> None:
    what, until = Text("characteristic.move"), Text("until.activation")
    changed = Text("event.changed", {"fighter": "a1", "what": what, "by": 1, "until": until})
    assert say(changed, "zh", "warcry") == "a1的移动 +1，至此次激活结束"
    assert say(Text(changed.key, {**changed.args, "by": -2}), "en", "warcry").startswith("a1: Move -2")
    so = Text("moved.far", {"moved": 4.999, "manners": ["walk"]})
    moved = Text("event.moved", {"fighter": "a1", "so": so})
    assert say(moved, "zh", "warcry") == "a1移动 5 英寸（步行）"
