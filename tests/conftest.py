"""Shared by the whole suite."""

import os
import shutil

import pytest

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
