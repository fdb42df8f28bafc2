"""Until a table is drawn: the first page is open in a browser, a first battle is clicked, and something is asked on a
table that has been drawn. Drawn in software, where there is no graphics card: the processor does both. And what the
first page weighs, compressed; what a table weighs is told by `tests/browser/test_table.py -rP`.

`python bench/drawn.py [GAME …]` runs it alone.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "server")]

from house import house  # noqa: E402

from browser.conftest import FLAGS  # noqa: E402
from browser.test_table import LOADED  # noqa: E402

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")
ROUNDS = 3
PATIENCE = 120_000
BAR, FIRST = 3.0, 150.0
DRAWN = """(chosen) => new Promise((done) => {
    const began = performance.now();
    document.querySelector(chosen).click();
    const look = () => {
        const asked = document.querySelector('.answers[data-kind]:not([data-kind=""])');
        const there = asked && window.umpireLens?.calls() > 0;
        requestAnimationFrame(there ? () => done((performance.now() - began) / 1000) : look);
    };
    look();
})"""
"""Seconds from the click to the frame after a table was drawn and something was asked."""


def drawn(browser: Browser, address: str, game: str) -> tuple[float, float]:
    """The seconds, and how many kilobytes had come for the first page."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    try:
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.wait_for_selector("[data-first]")
        page.wait_for_load_state("networkidle")
        first = sum(page.evaluate(LOADED, True).values()) / 1000
        seconds: float = page.evaluate(DRAWN, ".card.main" if game == GAMES[0] else f"[data-first='{game}']")
        return seconds, first
    finally:
        page.close()


def run(games: tuple[str, ...] = GAMES) -> list[dict[str, Any]]:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        return []
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        house(Path(folder), modules=()) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for game in games:
            found = [drawn(browser, server.address, game) for _ in range(ROUNDS + 1)][1:]
            took = median(seconds for seconds, _ in found)
            rows.append(
                {"name": f"{game}: a table is drawn", "value": took, "unit": "s", "bar": f"< {BAR}", "ok": took < BAR}
            )
        size = found[-1][1]
        rows.append(
            {
                "name": "the first page, compressed",
                "value": size,
                "unit": "kB",
                "bar": f"< {FIRST:g}",
                "ok": size < FIRST,
            }
        )
        browser.close()
    return rows


if __name__ == "__main__":
    for row in run(tuple(sys.argv[1:]) or GAMES):
        print(f"{row['name']}: {row['value']:.2f} {row['unit']}")
