"""A hand can hold what is not on the table yet: the question tells the ids and shapes of all it is about."""

from __future__ import annotations

from typing import Any

import pytest

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.engine.view import view

GAMES = {
    "warcry": {"terrain": "by-hand"},
    "aos": {},
    "conquest": {},
}


def seen(battle: Battle[Any], side: int) -> tuple[dict[str, Any], dict[str, Any]]:
    shown = view(battle, side, len(battle.events), data=False)
    decision: dict[str, Any] = shown["decisions"][0]
    return decision, {piece["id"]: piece for piece in shown["picture"]["pieces"]}


def named(answer: Any) -> set[str]:
    return set(answer.get("models", ())) if isinstance(answer, dict) else set()


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_that_is_placed_or_moved_has_a_shape(game: str) -> None:
    held = 0
    for seed in range(1, 5):
        battle = umpire.battle(game, seed=seed, options=dict(GAMES[game]))
        rng = Rng(seed)
        while (ask := battle.decision) is not None and held < 12 * seed:
            answer = ask.suggest(rng)
            if ask.kind not in ("place", "move"):
                battle.answer(answer, ask.side)
                continue
            decision, there = seen(battle, ask.side)
            form, hand = decision["form"], decision["hand"]
            shapes = form.get("shapes", {})
            assert set(hand["stands"]) <= set(form["pieces"])
            assert set(form["pieces"]) <= set(hand["stands"]) | set(there), "a hand knows where everything begins"
            assert not set(shapes) & set(there), "what stands on the table is drawn already"
            assert named(answer) <= set(shapes) | set(there)
            for shape in shapes.values():
                assert shape["height"] > 0
                kind, footprint = shape["shape"]["kind"], shape["shape"]
                assert len(footprint["points"]) >= 3 if kind == "polygon" else footprint["width"] > 0
            battle.answer(answer, ask.side)
            if shapes:
                held += 1
                assert set(shapes) <= set(form["pieces"])
                placed = {p.id: p for p in battle.game.picture(battle.state).pieces if p.id in shapes}
                for key, piece in placed.items():
                    assert (piece.shape.kind, piece.shape.width) == (
                        shapes[key]["shape"]["kind"],
                        shapes[key]["shape"]["width"],
                    )
                    assert (piece.height, piece.icon) == (shapes[key]["height"], shapes[key]["icon"])
    assert held >= 12
