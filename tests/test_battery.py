"""The battery: what every registered game must pass."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

import tiny
from battery import garble, new, play, rivals, steps, tougher
from umpire import rulebook
from umpire.engine.battle import Battle
from umpire.engine.beginning import begin
from umpire.engine.decisions import Order
from umpire.engine.events import Event
from umpire.engine.game import Setup, games
from umpire.engine.record import replay, verify
from umpire.engine.rng import Rng
from umpire.engine.rulings import Refused
from umpire.engine.scene import scene
from umpire.engine.view import view
from umpire.miniatures.books import fingerprint
from umpire.text import Text, catalogue

MORE = int(os.environ.get("UMPIRE_BATTERY", "1"))
"""UMPIRE_BATTERY=50 runs the battery fifty times as long, by hand."""

GAMES = [tiny.GAME.id, *(game for game in games() if game != tiny.GAME.id)]
every_game = pytest.mark.parametrize("game", GAMES)


def json(value: Any) -> bytes:
    return msgspec.json.encode(value, order="deterministic")


@every_game
def test_random_battles_end_and_cite_rules_that_exist(game: str) -> None:
    for seed in range(4 * MORE):
        battle = play(new(game, seed), Rng(seed))
        assert battle.outcome is not None
        assert battle.decision is None
        unknown = {rule for event in battle.events for rule in event.rules if not rulebook.exists(rule)}
        assert not unknown
        assert not [event for event in battle.events if not event.rules]  # every result names a rule


@every_game
def test_same_seed_same_record_in_another_process_with_another_hash_seed(game: str) -> None:
    program = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1]); import tiny, battery\n"
        "from umpire.engine.rng import Rng\n"
        "b = battery.play(battery.new(sys.argv[2], 11), Rng(11)); print(hashlib.sha256(b.record.encode()).hexdigest())"
    )
    here = hashlib.sha256(play(new(game, 11), Rng(11)).record.encode()).hexdigest()
    for hash_seed in ("1", "77"):
        run = subprocess.run(
            [sys.executable, "-c", program, str(Path(__file__).parent), game],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == here


@every_game
def test_replay_equals_original(game: str) -> None:
    for seed in range(20, 20 + 2 * MORE):
        record = play(new(game, seed), Rng(seed)).record
        assert replay(record).record == record
        verdict = verify(record)
        assert verdict.same, verdict.difference


@every_game
def test_fork_equals_original_and_never_touches_it(game: str) -> None:
    for seed in range(30, 30 + MORE):
        rng = Rng(seed)
        battle = new(game, seed)
        pairs: list[Battle[Any]] = []
        for ask, answer in steps(battle, rng):
            for other in pairs:
                other.answer(answer, ask.side)
            if rng.below(12) == 0:
                before = battle.digest
                other = battle.fork()
                assert other.digest == before
                assert [type(d) for d in other.decisions] == [type(d) for d in battle.decisions]
                stray = other.fork()
                stray.answer(stray.decision.suggest(rng))  # type: ignore[union-attr]
                assert battle.digest == other.digest == before
                other.answer(answer, ask.side)
                pairs = [*pairs[-2:], other]
        for other in pairs:
            assert other.digest == battle.digest
            assert other.events == battle.events


@every_game
def test_every_answer_given_undone_and_given_again(game: str) -> None:
    for seed in range(40, 40 + MORE):
        rng = Rng(seed)
        battle = new(game, seed)
        plain = new(game, seed)
        for ask, answer in steps(battle, rng):
            before, told = battle.digest, len(battle.events)
            battle.answer(answer, ask.side)
            after = battle.digest
            battle.undo()
            assert (battle.digest, len(battle.events)) == (before, told)
            plain.answer(answer, ask.side)
            assert plain.digest == after
        assert battle.record == plain.record


@every_game
def test_undo_all_the_way_back(game: str) -> None:
    rng = Rng(5)
    battle = new(game, 5)
    digests = [battle.digest for _ in steps(battle, rng)]
    for digest in reversed(digests[-60:]):
        battle.undo()
        assert battle.digest == digest
    battle.undo(len(battle.answers))
    assert battle.digest == digests[0]


@every_game
def test_illegal_answers_are_refused_without_a_change(game: str) -> None:
    rng = Rng(6)
    for seed in range(50, 50 + MORE):
        battle = new(game, seed)
        refused = 0
        for ask, answer in steps(battle, rng):
            if refused > 400 * MORE:
                break
            state, told, dice = json(battle.state), len(battle.events), battle.state.dice.state
            assert not isinstance(ask, Order) or ask.check(list(ask.options)), "what lies there may be confirmed"
            for _ in range(3):
                wrong = garble(answer, rng)
                ruling = ask.check(wrong)
                if ruling.legal:
                    continue
                refused += 1
                assert ruling.reasons
                assert all(not r.rule or rulebook.exists(r.rule) for r in ruling.reasons)
                with pytest.raises(Refused):
                    battle.answer(wrong, ask.side)
            assert json(battle.state) == state
            assert (len(battle.events), battle.state.dice.state) == (told, dice)
        assert refused >= 50


@every_game
def test_views_leak_nothing_hidden(game: str) -> None:
    rng = Rng(7)
    for seed in range(60, 60 + MORE):
        battle = new(game, seed)
        compared = 0
        for number, _ in enumerate(steps(battle, rng)):
            if number % 9 or compared > 60:
                continue
            for side in (0, 1, None):
                other = battle.fork()
                other.state.dice.state ^= 12345
                other.state.dice.queue = [1, 2, 3]
                battle.game.scramble(other.state, -1 if side is None else side, rng)
                for _ in range(rng.between(1, 3)):  # what happens to the others in secret leaves no gap in the numbers
                    secret = Event("secret", seen=(1 - side,) if side is not None else (0,))
                    other.events.insert(rng.below(len(other.events) + 1), secret)
                compared += 1
                assert json(view(other, side)) == json(view(battle, side))
        assert compared


@every_game
def test_battle_survives_json_at_every_decision(game: str) -> None:
    rng = Rng(8)
    battle = new(game, 70)
    for number, (ask, answer) in enumerate(steps(battle, rng)):
        if number % 7 == 0:
            again = Battle.load(battle.save())
            assert again.digest == battle.digest
            again.answer(answer, ask.side)
            battle_after = battle.fork()
            battle_after.answer(answer, ask.side)
            assert again.digest == battle_after.digest


@every_game
def test_suggestions_are_legal_and_fit_their_schema(game: str) -> None:
    rng = Rng(9)
    battle = new(game, 80)
    for number, (ask, _) in enumerate(steps(battle, rng)):
        if number % 5:
            continue
        for answer in ask.suggestions(rng, 4):
            assert ask.check(answer), (ask, answer)
            jsonschema.validate(answer, ask.schema())


def _missing(game: str, key: str) -> bool:
    entry = catalogue(game).get(key)
    return entry is None or not entry.get("zh") or not entry.get("en")


@every_game
def test_every_sentence_is_in_both_languages(game: str) -> None:
    if game == "tiny":
        pytest.skip("the tiny game speaks to nobody")
    missing: set[str] = set()
    for seed in range(90, 90 + 2 * MORE):
        rng = Rng(seed)
        battle = new(game, seed)
        for ask, answer in steps(battle, rng):
            if _missing(game, ask.prompt.key):
                missing.add(ask.prompt.key)
            for option in getattr(ask, "options", {}).values():
                if isinstance(option.label, Text) and _missing(game, option.label.key):
                    missing.add(option.label.key)
                named = battle.game.name(battle.state, option.id)
                if option.label is None and not named and _missing(game, option.id):
                    missing.add(f"option without a label: {ask.prompt.key} {option.id}")
            for reason in ask.check(garble(answer, rng)).reasons:
                if reason.key and _missing(game, reason.key):
                    missing.add(reason.key)
        for event in battle.events:
            key = f"event.{event.kind}"
            if event.roll is not None and not _missing(game, f"{key}.{event.roll.purpose}"):
                continue
            if _missing(game, key):
                missing.add(key)
            if event.roll is not None and _missing(game, f"purpose.{event.roll.purpose}"):
                missing.add(f"purpose.{event.roll.purpose}")
    assert not missing, sorted(missing)


@every_game
def test_the_table_can_be_drawn(game: str) -> None:
    battle = new(game, 3)
    for number, _ in enumerate(steps(battle, Rng(3))):
        if number > 60:
            break
    assert battle._repr_svg_().startswith("<svg")


GAMES_OF_BOOKS = [game for game in GAMES if game != tiny.GAME.id]
"""The tiny game has neither profiles nor army books."""


def of_scenes(game: str, which: int) -> Battle[Any]:
    """Profiles, abilities and spells that bear the same names."""
    return scene(json_copy(rivals(game)[which]))


def of_books(game: str, which: int) -> Battle[Any]:
    """The library's own books, and books of the same names in which everybody bears more wounds."""
    setup = msgspec.to_builtins(new(game, 3).setup)
    if which:
        books = {key.rpartition("@")[0]: tougher(data) for key, data in setup["books"].items()}
        setup["books"] = {f"{key}@{fingerprint(data)}": data for key, data in books.items()}
    return begin(msgspec.convert(json_copy(setup), Setup))


def on(battle: Battle[Any], rng: Rng, count: int) -> Battle[Any]:
    for _ in range(count):
        if battle.decisions:
            ask = battle.decisions[0]
            battle.answer(ask.suggest(rng), ask.side)
    return battle


def seen(battle: Battle[Any]) -> list[str]:
    return [hashlib.sha256(json(battle.events)).hexdigest(), battle.digest]


def one_by_one(game: str, order: Iterable[int]) -> dict[str, dict[int, list[str]]]:
    """How each of two battles goes, one after the other."""
    return {
        kind.__name__: {which: seen(on(kind(game, which), Rng(which), 60)) for which in order}
        for kind in (of_scenes, of_books)
    }


@pytest.mark.parametrize("game", GAMES_OF_BOOKS)
def test_what_one_battle_brings_is_nothing_to_another(game: str) -> None:
    """Two battles in one process whose content bears the same names: one after the other, in another process the other
    way round, and by turns, begun in either order. Whether the first of a name stays or the last, it would be seen."""
    alone = one_by_one(game, (0, 1))
    program = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); import test_battery\n"
        "print(json.dumps(test_battery.one_by_one(sys.argv[2], (1, 0))))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(Path(__file__).parent), game], capture_output=True, text=True, check=True
    )
    other_way_round = msgspec.json.decode(run.stdout, type=dict[str, dict[int, list[str]]])
    assert other_way_round == alone
    for kind in (of_scenes, of_books):
        assert alone[kind.__name__][0] != alone[kind.__name__][1]
        for order in ((0, 1), (1, 0)):
            battles = {which: kind(game, which) for which in order}
            dice = {which: Rng(which) for which in order}
            for _ in range(20):
                for which in order:
                    on(battles[which], dice[which], 3)
            assert {which: seen(battles[which]) for which in (0, 1)} == alone[kind.__name__]


def json_copy(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
