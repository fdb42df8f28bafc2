"""The results of a series as a table in a file: a row for every battle."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from umpire.arena.fixtures import Result, Series
from umpire.errors import fault, system_reason


def rows(series: Series, results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    for result in results:
        a, b = (series.contestants[who].label for who in result.who)
        score = (*result.score, None, None)
        yield {
            "number": result.number,
            "seed": result.seed,
            "side_0": a,
            "side_1": b,
            "winner": result.winner,
            "score_0": score[0],
            "score_1": score[1],
            "first_turn": result.first,
            "decisions": result.decisions,
            "seconds": round(result.seconds, 6),
            "error": result.error,
        }


def write_csv(file: Path, series: Series, results: Sequence[Result]) -> None:
    found = list(rows(series, results))
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, fieldnames=list(found[0]) if found else ["number"])
        writer.writeheader()
        writer.writerows(found)


def ready(csv: Path | None, parquet: Path | None, plot: Path | None = None) -> None:
    """Can the tables be written? Better told before a thousand battles than after."""
    if parquet:
        _pyarrow()
    for file in (csv, parquet, plot):
        if file:
            try:
                file.open("ab").close()
            except OSError as error:
                raise fault("error.cannot-be-written", str(file), why=system_reason(error)) from None


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise fault("error.parquet-needs-the-extra-pip") from None
    return pyarrow


def write_parquet(file: Path, series: Series, results: Sequence[Result]) -> None:
    pyarrow = _pyarrow()
    columns = [
        ("number", pyarrow.int64()),
        ("seed", pyarrow.int64()),
        ("side_0", pyarrow.string()),
        ("side_1", pyarrow.string()),
        ("winner", pyarrow.int8()),
        ("score_0", pyarrow.float64()),
        ("score_1", pyarrow.float64()),
        ("first_turn", pyarrow.int8()),
        ("decisions", pyarrow.int32()),
        ("seconds", pyarrow.float64()),
        ("error", pyarrow.string()),
    ]
    table = pyarrow.Table.from_pylist(list(rows(series, results)), schema=pyarrow.schema(columns))
    pyarrow.parquet.write_table(table, file)
