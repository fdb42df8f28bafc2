"""Whoever asks whether something could be done is told how it would probably end: the odds of a wish are those that the
answer has which does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import umpire
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Decision, Declare
from umpire.engine.rng import Rng

Wishing = tuple[dict[str, Any], Any]
"""A wish, and the answer to the open question that does it."""


def option(ask: Decision, begins: str) -> str | None:
    options = ask.options if isinstance(ask, Choose | ChooseSeveral) else {}
    return next((key for key in options if key.startswith(begins)), None)


def attack(battle: Battle[Any], ask: Decision) -> Wishing | None:
    key = option(ask, "attack-")
    if key is None:
        return None
    _, weapon, target = key.split("-", 2)
    return {"deed": "attack", "who": ask.about, "whom": [target], "using": weapon}, key


def charge(battle: Battle[Any], ask: Decision) -> Wishing | None:
    key = option(ask, "charge:")
    return None if key is None else ({"deed": "charge", "who": key.partition(":")[2]}, key)


def fight(battle: Battle[Any], ask: Decision) -> Wishing | None:
    key = option(ask, "fight:")
    return None if key is None else ({"deed": "fight", "who": key.partition(":")[2]}, key)


def at(deed: str, several: bool = False) -> Callable[[Battle[Any], Decision], Wishing | None]:
    """A deed of whoever is asked about, to the first that is offered."""

    def wish(battle: Battle[Any], ask: Decision) -> Wishing | None:
        target = option(ask, "")
        if target is None:
            return None
        return {"deed": deed, "who": ask.about, "whom": [target]}, [target] if several else target

    return wish


def volley(battle: Battle[Any], ask: Decision) -> Wishing | None:
    if not isinstance(ask, Declare) or ask.about not in battle.state.units:
        return None
    return {"deed": "shoot", "who": ask.about}, ask.default


def spell(battle: Battle[Any], ask: Decision) -> Wishing | None:
    key = option(ask, "")
    return None if key is None else ({"deed": "cast", "who": ask.about, "using": key}, key)


KNOWN: dict[str, tuple[str, str, Callable[[Battle[Any], Decision], Wishing | None]]] = {
    "warcry attack": ("warcry", "ask.act", attack),
    "aos charge": ("aos", "ask.ability", charge),
    "aos fight": ("aos", "ask.fight", fight),
    "conquest charge": ("conquest", "ask.charge", at("charge")),
    "conquest volley": ("conquest", "ask.volley", at("volley")),
    "conquest spell": ("conquest", "ask.spell", spell),
    "wh40k charge": ("wh40k", "ask.charge-targets", at("charge", several=True)),
    "wh40k shoot": ("wh40k", "ask.declare", volley),
    "t9a charge": ("t9a", "ask.charge-target", at("charge")),
    "t9a shoot": ("t9a", "ask.shoot-target", at("shoot")),
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_legal_wish_has_the_odds_of_its_answer(name: str) -> None:
    game, prompt, wished = KNOWN[name]
    for seed in range(1, 8):
        battle, rng = umpire.battle(game, seed=seed), Rng(seed)
        while (ask := battle.decision) is not None:
            found = wished(battle, ask) if ask.prompt.key == prompt else None
            if found is not None:
                wish, answer = found
                odds = battle.odds(answer, ask.side)
                told = battle.why_not(ask.side, wish)
                assert told.legal, (wish, told)
                if odds is not None:
                    assert told.odds is not None
                    assert told.odds["title"] == odds["title"]
                    if "whom" in wish or game == "aos":
                        assert told.odds == odds
                    return
            battle.answer(ask.suggest(rng), ask.side)
    pytest.fail("nobody had the chance")


def test_what_is_refused_has_no_odds_and_nothing_is_carried_out() -> None:
    battle = umpire.battle("aos", seed=1)
    before = battle.record
    units = [piece.unit for piece in battle.game.laid(battle.state).pieces]
    for unit in units[:4]:
        assert battle.why_not(0, {"deed": "charge", "who": unit}).odds is None
    assert battle.record == before
