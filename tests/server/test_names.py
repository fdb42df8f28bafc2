"""What the server calls its tables."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from umpire.server import pool


def test_no_table_has_a_name_that_a_command_line_takes_for_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-dUqzKpL3x_a", "dUqzKpL3x-_a"])
    monkeypatch.setattr(pool.secrets, "token_urlsafe", lambda size: next(drawn))
    workers: Any = SimpleNamespace(holder=lambda name: SimpleNamespace(generation=1))
    assert pool.Pool.name_table(workers) == "dUqzKpL3x-_a"
