from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.house import House, house


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("tables")) as server:
        yield server
