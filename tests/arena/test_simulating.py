"""Series of battles: the same on any number of workers, whatever happens to one of them."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet
import pytest

import tiny
from umpire import arena, cli
from umpire.arena import Contestant, Result, Series, fighting, tables
from umpire.errors import UmpireError
from umpire.players import Random
from umpire.rulebook import coverage

GAME = tiny.GAME.id


def plain(results: list[Result]) -> list[Any]:
    """Results without the time they took."""
    for result in results:
        result.seconds = 0.0
    return [msgspec.to_builtins(result) for result in results]


def test_the_same_series_on_one_and_on_three_workers() -> None:
    series = Series(game=GAME, battles=12, seed=5)
    found, one = arena.run(series, jobs=1)
    _, three = arena.run(series, jobs=3)
    assert plain(one) == plain(three)
    assert found.battles == 12
    assert found.errors == 0
    assert sum(found.wins.values()) == 12
    assert found.decisions == sum(result.decisions for result in one) > 100
    assert found.rules_fired["tiny.end"] == 12


def test_unequal_contestants_play_each_seed_from_both_sides() -> None:
    series = arena.matchup(GAME, 4, 9, Contestant("random", {"pawns": 2}), Contestant("random", {"pawns": 5}))
    assert [(fixture.seed, fixture.who) for fixture in series.fixtures()] == [
        (9, (0, 1)),
        (9, (1, 0)),
        (10, (0, 1)),
        (10, (1, 0)),
    ]
    equal = arena.matchup(GAME, 2, 9, Contestant("random"), Contestant("random"))
    assert [(fixture.seed, fixture.who) for fixture in equal.fixtures()] == [(9, (0, 1)), (10, (0, 1))]


@pytest.fixture
def sabotage(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Callable[[], None]], None]:
    """Do something in the battle of that seed."""

    def arrange(seed: int, deed: Callable[[], None]) -> None:
        start = fighting.start

        def sabotaged(series: Series, fixture: arena.Fixture) -> Any:
            if fixture.seed == seed:
                deed()
            return start(series, fixture)

        monkeypatch.setattr(fighting, "start", sabotaged)

    return arrange


def raising() -> None:
    raise ValueError("the roof fell in")


def dying() -> None:
    os._exit(3)


@pytest.mark.parametrize(
    ("deed", "said"), [(raising, "ValueError: the roof fell in"), (dying, "the worker died (exit 3)")]
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_goes_wrong_costs_one_battle_and_is_told_with_its_seed(
    sabotage: Callable[[int, Callable[[], None]], None], deed: Callable[[], None], said: str, jobs: int
) -> None:
    series = Series(game=GAME, battles=6, seed=20)
    _, whole = arena.run(series, jobs=1)
    sabotage(22, deed)
    found, results = arena.run(series, jobs=jobs)
    assert found.errors == 1
    assert [(failure.seed, failure.error) for failure in found.failures] == [(22, said)]
    assert sum(found.wins.values()) == 5
    assert plain([r for r in results if r.seed != 22]) == plain([r for r in whole if r.seed != 22])


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    series = Series(game=GAME, battles=8, seed=3)
    _, whole = arena.run(series)
    count = 0

    def interrupt(result: Result) -> None:
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arena.run(series, journal=journal, told=interrupt)
    journal.write_bytes(journal.read_bytes() + b'{"number":7,"se')  # the line that was being written
    fought: list[int] = []

    def runner(series: Series, fixtures: Any, jobs: int) -> Any:
        for fixture in fixtures:
            fought.append(fixture.number)
            yield fighting.fight(series, fixture)

    _, results = arena.run(series, journal=journal, runner=runner)
    assert fought == [3, 4, 5, 6, 7]
    assert plain(results) == plain(whole)
    with pytest.raises(UmpireError, match="another series"):
        arena.run(Series(game=GAME, battles=9, seed=3), journal=journal)


def test_a_table_has_a_row_for_every_battle(tmp_path: Path) -> None:
    series = Series(game=GAME, battles=4)
    _, results = arena.run(series)
    tables.write_csv(tmp_path / "battles.csv", series, results)
    with (tmp_path / "battles.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["seed"] for row in rows] == ["0", "1", "2", "3"]
    assert {row["side_0"] for row in rows} == {"random"}
    tables.write_parquet(tmp_path / "battles.parquet", series, results)
    assert pyarrow.parquet.read_table(tmp_path / "battles.parquet").num_rows == 4


def test_a_round_robin_rates_and_a_mirror_shows_the_seat() -> None:
    armies = [Contestant("random", {"pawns": n}, f"{n} pawns") for n in (2, 3, 5)]
    found, results = arena.run(arena.round_robin(GAME, 6, 1, armies))
    assert len(results) == 18
    assert [rating.name for rating in found.ratings] == ["5 pawns", "3 pawns", "2 pawns"]
    assert all(rating.low < rating.elo < rating.high for rating in found.ratings)
    assert [(m.a, m.b) for m in found.meetings] == [
        ("2 pawns", "3 pawns"),
        ("2 pawns", "5 pawns"),
        ("3 pawns", "5 pawns"),
    ]
    series = arena.mirror(GAME, 3, 1, armies)
    assert [fixture.who for fixture in series.fixtures()][::3] == [(0, 0), (1, 1), (2, 2)]
    with pytest.raises(UmpireError, match="two contestants"):
        arena.round_robin(GAME, 6, 1, armies[:1])


def simulate(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as done:
        cli.main(["simulate", GAME, "--lang", "en", *map(str, words)])
    said = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, said.out, said.err


@pytest.fixture
def _own_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(coverage, "store", lambda: tmp_path)


@pytest.mark.usefixtures("_own_store")
def test_the_command_prints_json_and_keeps_the_rules_fired(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = simulate(capsys, "--battles", 3, "--seed", 2, "--jobs", 1, "--json", "--csv", tmp_path / "b.csv")
    told = json.loads(out)
    assert code == 0
    assert (told["battles"], told["errors"], sum(told["wins"].values())) == (3, 0, 3)
    kept = json.loads((tmp_path / f"rules-fired-{GAME}.json").read_text())
    assert kept == {"battles": 3, "fired": told["rules_fired"]}
    assert (tmp_path / "b.csv").read_text().count("\n") == 4


@pytest.mark.usefixtures("_own_store")
def test_the_command_shows_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = simulate(capsys, "--battles", 2, "--jobs", 1, "--mirror", "--players", "random")
    assert code == 0
    assert "2 battles" in out
    assert "rules fired" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--players", "oracle"), "there is no player “oracle”"),
        (("--battles", 0), "at least one battle"),
        (("--players", "random,random,random"), "need --round-robin"),
        (("--armies", "nowhere.yaml"), "nowhere.yaml: cannot be read"),
        (("--csv", "nowhere/battles.csv"), "nowhere/battles.csv: cannot be written"),
        (("--resume", "nowhere/journal"), "nowhere/journal: cannot keep a journal there"),
        (("--mirror", "--round-robin"), "either --round-robin or --mirror"),
        (("--players", ","), "nobody plays"),
    ],
)
def test_a_wrong_wish_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], words: tuple[object, ...], said: str
) -> None:
    code, out, err = simulate(capsys, *words)
    assert code == 1
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("_own_store")
def test_failed_battles_are_told_and_the_exit_code_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Random, "choose", lambda *_: raising())
    code, out, _ = simulate(capsys, "--battles", 2, "--seed", 40, "--jobs", 1)
    assert code == 1
    assert "battle 1 (seed 41) failed: ValueError: the roof fell in" in out
