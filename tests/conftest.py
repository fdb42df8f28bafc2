"""Shared by the whole suite."""

import os
import shutil
from typing import Any

import pytest
import yaml

# Inner pytest runs forget what they import; a compiled module that is forgotten and imported again no longer fits.
assert yaml.CSafeLoader

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium for tests that drive a browser; without one they are skipped, but never in CI."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("CI must run the browser tests, and there is no Chromium")
        pytest.skip("there is no Chromium")
    return found


@pytest.fixture(autouse=True)
def every_answer_twice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With UMPIRE_UNDO=1 the rule tests run with every answer given, undone and given again: nothing may differ."""
    if not os.environ.get("UMPIRE_UNDO") or request.node.get_closest_marker("rule") is None:
        return
    from umpire.engine.battle import Battle

    once = Battle.answer

    def twice(self: Battle[Any], answer: Any, side: int | None = None) -> None:
        before, told = self.digest, len(self.events)
        once(self, answer, side)
        after = self.digest
        self.undo()
        assert (self.digest, len(self.events)) == (before, told)
        once(self, answer, side)
        assert self.digest == after

    monkeypatch.setattr(Battle, "answer", twice)
