"""Army books belong to the battle: the set-up carries them, in every game, and no battle sees another's."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire
from umpire.engine.beginning import begin
from umpire.engine.explain import explain
from umpire.engine.game import Setup, games
from umpire.engine.record import verify
from umpire.engine.rng import Rng
from umpire.errors import UmpireError
from umpire.files import Source
from umpire.miniatures.books import Library, fingerprint

GAMES = [game for game in games() if game != "tiny"]


def opened(setup: Setup, side: int = 0) -> tuple[str, dict[str, Any]]:
    """The key and the data of the book of a side."""
    roster = setup.sides[side]
    name = roster.get("book") or roster["faction"]
    return next((key, data) for key, data in setup.books.items() if key.rpartition("@")[0] == name)


def renamed(data: dict[str, Any]) -> dict[str, Any]:
    changed = copy.deepcopy(data)
    changed["name"] = {"zh": "改过的军队", "en": "A changed army"}
    return changed


@pytest.mark.parametrize("game", GAMES)
def test_a_set_up_carries_the_books_of_its_armies(game: str) -> None:
    battle = umpire.battle(game, seed=3)
    for side in (0, 1):
        key, data = opened(battle.setup, side)
        assert key == f"{data['id']}@{fingerprint(data)}"
    plain = msgspec.json.encode(battle.setup)
    again = begin(msgspec.json.decode(plain, type=Setup))
    assert again.state == battle.state
    assert msgspec.json.encode(again.setup) == plain
    assert opened(again.setup)[1] is opened(umpire.battle(game, sides=battle.setup.sides, seed=9).setup)[1]  # one copy


@pytest.mark.parametrize("game", GAMES)
def test_a_side_may_bring_its_own_book_and_no_other_battle_sees_it(game: str) -> None:
    plain = umpire.battle(game, seed=3)
    sides, options = plain.setup.sides, plain.setup.options
    key, data = opened(plain.setup)
    own = renamed(data)
    sides_with = [{"book": own, "roster": sides[0]}, sides[1]]
    battle = umpire.battle(game, sides=sides_with, scenario=plain.setup.scenario, seed=3, options=options)
    assert opened(battle.setup)[0] == f"{data['id']}@{fingerprint(own)}" != key
    assert opened(battle.setup)[1]["name"]["en"] == "A changed army"
    after = umpire.battle(game, sides=sides, scenario=plain.setup.scenario, seed=3, options=options)
    assert after.setup == plain.setup
    assert after.state == plain.state
    assert verify(battle.record).same


@pytest.mark.parametrize("game", GAMES)
def test_a_book_that_was_tampered_with_is_refused(game: str) -> None:
    setup = umpire.battle(game, seed=3).setup
    key, data = opened(setup)
    name = key.rpartition("@")[0]
    setup.books = {(f"{name}@0000000000000000" if known == key else known): setup.books[known] for known in setup.books}
    with pytest.raises(UmpireError, match="not what its hash says"):
        begin(setup)
    setup.books = {**setup.books, f"{name}@0000000000000000": {**data, "no-such-field": 1}}
    with pytest.raises(UmpireError, match="no-such-field"):
        begin(setup)


@pytest.mark.parametrize("game", GAMES)
def test_two_different_books_of_one_name_do_not_meet(game: str) -> None:
    plain = umpire.battle(game, seed=3)
    _, data = opened(plain.setup)
    side = {"book": renamed(data), "roster": plain.setup.sides[0]}
    other = {"book": {**renamed(data), "name": {"zh": "第三支", "en": "A third"}}, "roster": plain.setup.sides[0]}
    with pytest.raises(UmpireError, match=rf"sides\[1\].book: two different army books are called “{data['id']}”"):
        umpire.battle(game, sides=[side, other], options=plain.setup.options)


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    points: int


def shelf(points: int) -> Library[Band]:
    return Library(lambda: [Source("band.yaml", {"id": "band", "points": points}, None)], lambda s: s.convert(Band))


def test_a_battle_is_fought_by_its_own_books_when_the_library_has_changed() -> None:
    old, new = shelf(100), shelf(120)
    setup = old.resolving(lambda setup, rng: setup)(Setup(game="tiny", sides=[{"faction": "band"}]), Rng(1))
    assert list(setup.books.values()) == [{"id": "band", "points": 100}]
    again = msgspec.json.decode(msgspec.json.encode(setup), type=Setup)
    assert new.starting(lambda setup: new.books()["band"].points)(again) == 100
    assert new.books()["band"].points == 120
    worked_out = new.table(lambda books: books["band"].points * 2)
    assert new.starting(lambda setup: worked_out())(again) == 200
    assert worked_out() == 240


def test_a_side_may_name_a_book_and_errors_say_where() -> None:
    library = shelf(100)
    resolve = library.resolving(lambda setup, rng: setup)
    setup = resolve(Setup(game="tiny", sides=[{"book": "band", "roster": {"units": []}}]), Rng(1))
    assert setup.sides == [{"units": [], "faction": "band"}]
    with pytest.raises(UmpireError, match=r"sides\[0\].book: x: there is no field x|sides\[0\].book.*x"):
        resolve(Setup(game="tiny", sides=[{"book": {"id": "own", "points": 1, "x": 2}, "roster": {}}]), Rng(1))


@pytest.mark.parametrize("game", GAMES)
def test_an_army_file_may_bring_its_book(game: str, tmp_path: Path) -> None:
    from umpire.arena import armies

    setup = umpire.battle(game, seed=3).setup
    _, data = opened(setup)
    (tmp_path / "book.json").write_bytes(msgspec.json.encode({**renamed(data), "id": "homemade"}))
    roster = {key: "homemade" if key in ("faction", "book") else value for key, value in setup.sides[0].items()}
    file = tmp_path / "army.yaml"
    file.write_bytes(msgspec.json.encode({"game": game, "book": "book.json", "roster": roster}))
    army = armies.legal(game, file)
    assert armies.price(army)
    battle = umpire.battle(game, sides=[army.data, army.data], options=setup.options)
    assert [key.rpartition("@")[0] for key in battle.setup.books] == ["homemade"]
    # Nothing is looked up in the library while it is played, told and drawn.
    rng = Rng(1)
    while battle.decision is not None and len(battle.answers) < 200:
        battle.answer(battle.decision.suggest(rng))
    assert battle.game.picture(battle.state)
    assert all(explain(event, game, lambda key: battle.game.name(battle.state, key), "en") for event in battle.events)
    (tmp_path / "book.json").write_text('{"id": "homemade", "nonsense": 1}')
    with pytest.raises(UmpireError, match=r"book.json"):
        armies.legal(game, file)
