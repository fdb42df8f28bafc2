"""Two people at one screen, and a friend who is invited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from browser.table import Table

pytestmark = pytest.mark.browser


def opened(table: Table, other: str) -> None:
    """A new table from the start page, with the other seat as wished."""
    page = table.page
    table.visit("/")
    page.get_by_text("Set it up").click()
    page.locator("fieldset.seat").nth(1).locator("select").first.select_option(other)
    page.locator("form .brass").click()
    page.wait_for_selector(".board canvas")


def test_the_screen_is_handed_over(open_page: Callable[..., Table]) -> None:
    table = open_page()
    opened(table, "person")
    page = table.page
    sides = set()
    for turn in range(40):
        page.wait_for_selector(".handover, .answers[data-kind]:not([data-kind=''])")
        cover = page.locator(".handover")
        if cover.count():
            assert page.locator(".answers[data-kind='']").count() == 1  # nothing is asked before the screen is taken
            cover.locator(".brass").click()
            page.wait_for_selector(".answers[data-kind]:not([data-kind=''])")
        assert page.locator(".presence", has_text="at this screen").count() == 1  # the other is here, not away
        sides.add(page.locator(".question .who").get_attribute("class"))
        if len(sides) == 2:
            return
        table.answer_by_clicks(turn)
    pytest.fail("the other side was never asked at this screen")


def test_an_open_seat_opens_an_invitation(open_page: Callable[..., Table]) -> None:
    host, guest = open_page(), open_page()
    opened(host, "open")
    invite = host.page.locator(".invite")
    assert invite.locator(".qr svg").count() == 1
    link: Any = invite.locator("input").input_value()
    guest.page.goto(link)
    guest.page.wait_for_selector(".board canvas")
    invite.wait_for(state="detached")  # somebody has sat down
    for turn in range(40):  # until the friend is asked, and no longer the host
        host.page.wait_for_selector(".answers[data-kind]:not([data-kind='']), .waits")
        if host.page.locator(".waits").count():
            break
        host.answer_by_clicks(turn)
    guest.visit("/")
    host.page.locator(".presence", has_text="away").wait_for()
    assert host.page.locator(".handover").count() == 0  # whoever lost the connection sits at a screen of their own


def test_how_to_win_stands_behind_the_title(open_page: Callable[..., Table]) -> None:
    table = open_page()
    opened(table, "computer")
    table.page.locator(".topbar .title").click()
    assert table.page.locator(".sheet .goal li, .sheet .goal p").count() >= 1
