"""Counted for every game and told (`pytest -rP`): clicks from the first page to the first die, clicks of a first turn
by sensible play, draw calls with the largest armies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import TimeoutError

from browser.table import HURRY, Table

pytestmark = pytest.mark.browser

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")
MOST_CLICKS = {"warcry": 30, "aos": 50, "conquest": 80, "wh40k": 80, "t9a": 80}
"""For the first turn of one's own army, so that none becomes longer. Age of Sigmar's 42 are meant to become 25."""
COUNT = "addEventListener('click', () => sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1, true)"


def clicks(table: Table) -> int:
    counted: int = table.page.evaluate("Number(sessionStorage.clicks ?? 0)")
    return counted


def forget_clicks(table: Table) -> None:
    table.page.evaluate("delete sessionStorage.clicks")


def first_battle_from_the_first_page(game: str, table: Table) -> None:
    table.page.add_init_script(COUNT)
    table.visit("/")
    table.page.locator(".card.main" if game == GAMES[0] else f"[data-first='{game}']").click()
    table.page.locator("[data-set-up]").click()
    table.page.locator(".log li.rolled").first.wait_for()
    table.page.locator(".answers[data-kind]:not([data-kind=''])").wait_for()


def sensibly(table: Table, acted: set[str]) -> None:
    """What somebody does who wants to get on: a unit and its first deed, what is suggested, or the end of the phase
    when every unit has acted."""
    before, kind, page = table.count, table.kind, table.page
    end = page.locator("[data-end-phase]")
    try:
        if kind == "choose":
            units = [unit.get_attribute("data-unit") or "" for unit in table.answers.locator("[data-unit]").all()]
            fresh = [unit for unit in units if unit and unit not in acted]
            if units and not fresh and end.count():
                end.click(timeout=HURRY)
            elif fresh:
                acted.add(fresh[0])
                table.answers.locator(f"[data-unit='{fresh[0]}']").click(timeout=HURRY)
                table.answers.locator(".option[data-option]").first.click(timeout=HURRY)
            else:
                table.answers.locator(".option").first.click(timeout=HURRY)
        elif kind == "confirm":
            table.answers.locator(".option").first.click(timeout=HURRY)
        else:
            if page.locator(".answers [data-commit]:enabled").count() == 0:
                table.answers.locator("[data-suggest]").click(timeout=HURRY)
            page.wait_for_selector(".answers [data-commit]:enabled", timeout=HURRY)
            table.answers.locator("[data-commit]").click(timeout=HURRY)
    except TimeoutError:  # what has one answer only is answered at once, and the question was gone
        if (table.count, table.kind) == (before, kind):
            raise
        return
    table.answered(before)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_clicks_to_the_first_die_and_of_the_first_turn(game: str, open_page: Callable[..., Table]) -> None:
    table = open_page("zh")
    first_battle_from_the_first_page(game, table)
    to_die = clicks(table)
    forget_clicks(table)
    acted: set[str] = set()
    started = False
    phase = ""
    for _ in range(120):
        if not table.wait_asked():
            break
        track = " ".join(table.page.locator(".topbar .track li").all_inner_texts())
        now = table.page.locator(".phases [aria-current]")
        if now.count() and now.first.inner_text() != phase:
            phase = now.first.inner_text()
            acted.clear()
        # A round where players take turns unit by unit; else a player's own turn.
        over = "第 2/" in track or "第2/" in track or "第 2 " in track or (started and "乙方的" in track)
        started = started or "甲方的" in track or "的" not in track
        if over:
            break
        sensibly(table, acted)
    spent = clicks(table)
    print(f"{game}: {to_die} clicks to the first die, {spent} for the first turn")
    assert to_die == 2
    assert 0 < spent <= MOST_CLICKS[game]


LARGEST = {
    "warcry": {},
    "aos": {"points": 2000},
    "conquest": {"points": 2000},
    "wh40k": {"size": "strike-force"},
    "t9a": {"points": 4500},
}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_largest_armies_are_drawn_in_few_calls(game: str, open_page: Callable[..., Table], address: str) -> None:
    table = open_page("zh")
    menu = next(menu for menu in httpx.get(f"{address}/api/games", timeout=60).json() if menu["id"] == game)
    armies = [
        army["id"] for army in menu["library"]["armies"] if LARGEST[game].items() <= army.get("options", {}).items()
    ]
    seats: list[dict[str, Any]] = [{"kind": "person", "army": armies[0]}, {"kind": "computer", "army": armies[-1]}]
    wish = {"game": game, "seed": 7, "seats": seats, "options": LARGEST[game], "guide": True}
    made = httpx.post(f"{address}/api/tables", json=wish, timeout=60)
    assert made.status_code == 200, made.text
    table.sit(made.json())
    table.wait_asked()
    table.page.locator("[data-set-up]").click()
    table.page.wait_for_function("() => !document.querySelector('[data-set-up]')")
    table.wait_asked()
    calls = table.page.evaluate("window.umpireLens.calls()")
    pieces = table.page.evaluate("Number(document.querySelectorAll('.chip').length)")
    print(f"{game}: {calls} draw calls with {pieces} units")
    assert calls < 150
