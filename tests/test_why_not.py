"""Why not? In random battles of every game: any wish of any piece gets an answer, and what is offered stands against
no rule while what is not offered has a reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import umpire
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose
from umpire.engine.game import find_game
from umpire.engine.rng import Rng
from umpire.engine.staging import complaints_of
from umpire.engine.wishes import Wish, wish_of
from umpire.errors import UmpireError

PLAYED = [name for name in ("warcry", "aos", "conquest", "wh40k") if find_game(name).deeds]


def moments(game: str, seed: int, every: int, most: int) -> Iterator[Battle[Any]]:
    battle = umpire.battle(game, seed=seed)
    rng = Rng(seed)
    for n in range(most):
        if battle.decision is None:
            return
        if n % every == every - 1:
            yield battle
        battle.answer(battle.decision.suggest(rng), battle.decision.side)


def warcry_offers(battle: Battle[Any], ask: Choose) -> Iterator[tuple[Wish, str]]:
    if ask.prompt.key != "ask.act":
        return
    fighter = battle.state.fighter(ask.about)
    for enemy in battle.state.enemies(fighter):
        for n in range(len(fighter.profile.weapons)):
            yield Wish(deed="attack", who=fighter.id, whom=(enemy.id,), using=str(n)), f"attack-{n}-{enemy.id}"
    for deed in ("move", "disengage", "drop"):
        yield Wish(deed=deed, who=fighter.id), deed


def aos_offers(battle: Battle[Any], ask: Choose) -> Iterator[tuple[Wish, str]]:
    if ask.prompt.key != "ask.ability":
        return
    for unit in battle.state.units.values():
        for deed in ("normal-move", "run", "retreat", "shoot", "charge", "rally", "redeploy", "counter-charge"):
            yield Wish(deed=deed, who=unit.id), f"{deed}:{unit.id}"


def conquest_offers(battle: Battle[Any], ask: Choose) -> Iterator[tuple[Wish, str]]:
    if ask.prompt.key == "ask.action":
        for deed in find_game("conquest").deeds:
            if deed not in ("activate", "action", "cast", "answer", "seek-escort", "character-rally", "supremacy"):
                yield Wish(deed=deed, who=ask.about), deed
    if ask.prompt.key in ("ask.charge", "ask.volley"):
        deed = ask.prompt.key.removeprefix("ask.")
        for other in battle.state.regiments.values():
            yield Wish(deed=deed, who=ask.about, whom=(other.id,)), other.id


def wh40k_offers(battle: Battle[Any], ask: Choose) -> Iterator[tuple[Wish, str]]:
    deeds = {"ask.move-unit": ("normal", "advance"), "ask.shoot": ("shoot",), "ask.charge": ("charge",)}
    for unit in battle.state.units.values():
        for deed in deeds.get(ask.prompt.key, ()):
            yield Wish(deed=deed, who=unit.id), f"{deed}:{unit.id}" if ask.prompt.key == "ask.move-unit" else unit.id


OFFERS = {"warcry": warcry_offers, "aos": aos_offers, "conquest": conquest_offers, "wh40k": wh40k_offers}


@pytest.mark.parametrize("game", PLAYED)
def test_what_is_offered_stands_against_no_rule_and_what_is_not_has_a_reason(game: str) -> None:
    seen = {True: 0, False: 0}
    for seed in (3, 4):
        for battle in moments(game, seed, 3, 240):
            ask = battle.decision
            if not isinstance(ask, Choose):
                continue
            before = battle.digest
            for wish, option in OFFERS[game](battle, ask):
                offered = option in ask.options
                ruling = battle.why_not(ask.side, wish)
                if ask.prompt.key in ("ask.charge", "ask.volley"):  # the action is taken: only the target is chosen
                    reasons = [r for r in ruling.reasons if not r.key.startswith("reason.wish")]
                    assert bool(reasons) or offered, (wish, option)
                    continue
                assert ruling.legal == offered, (wish, option, ruling.reasons)
                seen[offered] += 1
            assert battle.digest == before
    assert min(seen.values()) > 5, seen


@pytest.mark.parametrize("game", [*(name for name in PLAYED if find_game(name).asked), "t9a"])
def test_a_question_and_a_wish_agree(game: str) -> None:
    """What a question offers is told to be legal, and a piece that it does not offer is refused by a rule."""
    spec = find_game(game)
    seen = {True: 0, False: 0}
    every = 2 if game == "conquest" else 7  # where one question alone is about deeds
    for battle in (one for seed in (5, 201) for one in moments(game, seed, every, 240)):
        units = list(dict.fromkeys(piece.unit for piece in spec.picture(battle.state).pieces if piece.side in (0, 1)))
        for ask in battle.decisions:
            asked = spec.asked.get(ask.prompt.key)
            if asked is None or not isinstance(ask, Choose):
                continue
            unoffered = [unit for unit in units if unit not in ask.options] if asked.parts == ("who",) else []
            for option in (*list(ask.options)[:3], *unoffered[:3]):
                wish = wish_of(asked, ask.about, option)
                try:
                    ruling = battle.why_not(ask.side, wish) if wish is not None else None
                except UmpireError:
                    continue  # "end" is nobody's deed
                if ruling is not None:
                    offered = option in ask.options
                    assert ruling.legal == offered, (wish, ruling.reasons)
                    assert all(reason.rule for reason in ruling.reasons), (wish, ruling.reasons)
                    seen[offered] += 1
    assert min(seen.values()) > 3, seen


@pytest.mark.parametrize("game", PLAYED)
def test_any_wish_of_any_piece_is_answered(game: str) -> None:
    spec = find_game(game)
    asked = 0
    for battle in moments(game, 7, 17, 200):
        rng = Rng(asked)
        before = battle.digest
        units = list(dict.fromkeys(piece.unit for piece in spec.picture(battle.state).pieces if piece.side in (0, 1)))
        for name, deed in spec.deeds.items():
            who, whom = rng.choice(units), rng.choice(units)
            given = {
                "who": who if "who" in (*deed.needs, *deed.may) else "",
                "whom": (whom,) if "whom" in (*deed.needs, *deed.may) else (),
                "answer": {"path": [{"x": 1.0, "y": 1.0}]} if "answer" in deed.may else None,
            }
            for using in ("", "march", "rush", "counter", "fight", "nothing-such"):
                wish = Wish(deed=name, using=using if "using" in (*deed.needs, *deed.may) else "", **given)
                try:
                    ruling = battle.why_not(rng.below(2), wish)
                except UmpireError:
                    continue  # a name that the game does not know, said in one line
                asked += 1
                assert all(umpire.rulebook.exists(reason.rule) for reason in ruling.reasons if reason.rule), ruling
        assert battle.digest == before
    assert asked > 100


def test_age_of_sigmar_judges_a_wish_in_the_phase_that_the_scene_describes() -> None:
    """Nobody can shoot, and the battle has gone on to the charges; the wish was about shooting."""
    units = [{"id": "a", "side": 0, "models": [[10, 10]]}, {"id": "b", "side": 1, "models": [[30, 25]]}]
    battle = umpire.scene({"game": "aos", "position": {"phase": "shooting", "round": 2, "units": units}})
    assert battle.state.phase == "charge"
    reasons = battle.why_not(0, {"deed": "shoot", "who": "a", "whom": ["b"]}).rules
    assert "aos.core.warscroll" in reasons
    assert "aos.round.phases" not in reasons


SKIRMISH = """at: act, active: a1, fighters: [{id: a1, side: 0, profile: slag-chief, x: 4, y: 18},
  {id: b1, side: 1, profile: wick-guard, x: 25, y: 4}]"""
ARMIES = "units: [{id: a1, side: 0, models: [[10, 10]]}, {id: b1, side: 1, models: [[30, 10]]}]"
RANKS = """moment: actions, who: a, regiments: [{id: a, entry: brine/tide-spears, stands: 3, x: 36, y: 10},
  {id: e, side: 1, entry: brine/tide-spears, stands: 3, x: 36, y: 20, facing: 180}]"""


@pytest.mark.parametrize(
    ("game", "position", "wish", "field"),
    [
        ("warcry", SKIRMISH, "deed: ability, who: a1, using: rsh", "using"),
        ("warcry", SKIRMISH, "deed: attack, who: a1, whom: [b9]", "whom"),
        ("aos", ARMIES, "deed: use, who: a1, using: rsh", "using"),
        ("conquest", RANKS, "deed: action, who: a, using: chrge", "using"),
    ],
)
def test_what_a_wish_misspells_is_told_with_its_line_and_field(
    game: str, position: str, wish: str, field: str, tmp_path: Path
) -> None:
    path = tmp_path / "scene.yaml"
    lines = f"answers:\n  - {{ask: {{{wish}}}}}\ngame: {game}\nposition: {{{position}}}\n"
    path.write_text(lines, encoding="utf-8")
    ((line,),) = complaints_of(path, "en")
    assert line.startswith(f"{path}:2: there is no")
    assert line.endswith(f"(field answers[0].ask.{field})")
