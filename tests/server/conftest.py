from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server import postgres
from server.house import House, house
from umpire.server.database import Database

NONE = "no PostgreSQL here: install Debian's package postgresql, or name a server in UMPIRE_POSTGRESQL"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("tables")) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    return new_postgresql()


def new_postgresql() -> str:
    if postgres.server() is None:
        pytest.skip(NONE)
    return postgres.new_database()


@pytest.fixture
def postgresql() -> str:
    return new_postgresql()


@pytest.fixture
def database(database_url: str) -> Callable[[], Database]:
    """Opens the same database again and again."""
    return lambda: Database(database_url)
