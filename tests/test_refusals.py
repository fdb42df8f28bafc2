"""In random battles every option of a question, with another unit, model or place in it than those that are offered, is
refused by a rule that says why: "not among the options" is no answer to somebody who named a thing of the battle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import umpire
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral
from umpire.engine.rng import Rng


def others(battle: Battle[Any], ask: Choose | ChooseSeveral) -> Iterator[str]:
    """The options with every other thing of the same kind in the place of the one that they name."""
    state = battle.state
    places = [*(o.id for o in state.objectives), *(f.id for f in state.terrain)]
    kinds = [list(state.units), [m.id for u in state.units.values() for m in u.models[:2]], places]
    for option in list(ask.options)[:8]:
        for part in option.split(":"):
            for kind in kinds:
                if part in kind:
                    yield from (wish for key in kind if (wish := option.replace(part, key)) not in ask.options)


@pytest.mark.parametrize(("game", "seed"), [("aos", 1), ("aos", 6), ("wh40k", 3)])
def test_whoever_names_a_thing_of_the_battle_is_told_the_rule(game: str, seed: int) -> None:
    battle = umpire.battle(game, seed=seed)
    rng = Rng(seed)
    asked: list[str] = []
    while (ask := battle.decision) is not None:
        if isinstance(ask, Choose | ChooseSeveral) and asked.count(ask.prompt.key) < 4:
            asked.append(ask.prompt.key)
            for wish in dict.fromkeys(others(battle, ask)):
                ruling = ask.check([wish] if isinstance(ask, ChooseSeveral) else wish)
                keys = [reason.key for reason in ruling.reasons]
                assert "reason.form.not-offered" not in keys, (ask.prompt.key, wish)
        battle.answer(ask.suggest(rng), ask.side)
    assert len(set(asked)) > 8


WANTED = {"ask.draw-event": "none", "ask.command-place": "9", "ask.clash-target": "", "ask.contact": "9"}


@pytest.mark.parametrize("seed", [1, 3])
def test_questions_of_conquest_that_offer_no_units_name_their_rule_too(seed: int) -> None:
    battle = umpire.battle("conquest", seed=seed)
    rng = Rng(seed)
    asked: set[str] = set()
    while (ask := battle.decision) is not None:
        key = ask.prompt.key
        if key in WANTED and isinstance(ask, Choose) and key not in asked:
            asked.add(key)
            others = [regiment for regiment in battle.state.regiments if regiment not in ask.options]
            ruling = ask.check(WANTED[key] or others[0])
            assert not ruling.legal
            assert ruling.reasons[0].rule
            assert ruling.reasons[0].key != "reason.form.not-offered", key
        battle.answer(ask.suggest(rng), ask.side)
    assert {"ask.draw-event", "ask.command-place"} <= asked


def test_whoever_puts_an_enemy_into_a_battlegroup_or_names_no_weapon_of_his_is_told_the_rule() -> None:
    battle = umpire.battle("warcry", seed=1)
    rng = Rng(1)
    asked: dict[str, list[str]] = {}
    while (ask := battle.decision) is not None and len(asked) < 2:
        key = ask.prompt.key
        foe = next(fighter.id for fighter in battle.state.fighters if fighter.side != ask.side)
        if key == "ask.battlegroup":
            asked[key] = list(ask.check([foe]).rules)
        elif key == "ask.act":
            asked[key] = list(ask.check(f"attack-7-{foe}").rules)
        battle.answer(ask.suggest(rng), ask.side)
    assert asked["ask.battlegroup"][0] == "warcry.core.friendly-enemy"
    assert asked["ask.act"] == ["warcry.attack.weapon"]
