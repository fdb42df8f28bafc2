"""What a hand holds on the table: the models of a unit, not a block that nobody sees."""

from __future__ import annotations

import math

import pytest

import umpire
from umpire.engine.decisions import Move, Place
from umpire.engine.rng import Rng
from umpire.engine.view import view


def test_a_hand_carries_the_models_of_a_unit_where_they_are_drawn_and_where_they_would_stand() -> None:
    battle, rng = umpire.battle("t9a", seed=3), Rng(3)
    seen: set[str] = set()
    while seen != {"place", "move", "priced"}:
        ask = battle.decision
        assert ask is not None
        if isinstance(ask, (Place, Move)) and ask.about in battle.state.units:
            told = view(battle, ask.side, data=False)
            wanted = set(told["decisions"][0]["form"]["pieces"])
            drawn = {piece["id"] for piece in told["picture"]["pieces"] if piece["unit"] == ask.about}
            assert wanted == drawn or not drawn
            answer = ask.suggest(rng)
            assert set(ask.ends(answer)) == wanted
            battle.answer(answer)
            stood = {piece.id: (piece.x, piece.y) for piece in battle.game.picture(battle.state).pieces}
            assert {key: (end.x, end.y) for key, end in ask.ends(answer).items()}.items() <= stood.items()
            if isinstance(ask, Move) and ask.form.limit and not answer.get("stay"):
                legs = ask.route(answer)[ask.about]
                assert all(leg.how in ("forward", "wheel", "pivot") for leg in legs)
                assert 0.0 < math.fsum(leg.cost for leg in legs) <= ask.form.limit + 0.01
                seen.add("priced")
            seen.add(ask.kind)
        else:
            battle.answer(ask.suggest(rng))


@pytest.mark.parametrize("seed", range(3, 9))
def test_whatever_is_divided_is_proposed_divided_and_the_next_combat_is_proposed(seed: int) -> None:
    """Attacks, hits, shots and losses: one click takes what is proposed."""
    battle, rng = umpire.battle("t9a", seed=seed, options={"points": 2000}), Rng(seed)
    while (ask := battle.decision) is not None:
        if ask.kind == "split":
            assert ask.default is not None, ask.prompt.key
            assert ask.check(ask.default).legal, (ask.prompt.key, ask.default)
        if ask.prompt.key == "ask.combat":
            assert ask.default in ask.options
        battle.answer(ask.suggest(rng))
