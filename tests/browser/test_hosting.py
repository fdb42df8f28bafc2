"""The pages around the table: my tables, notices, the lobby, clocks and standing orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser.table import Table

Open = Callable[..., Table]
New = Callable[..., dict[str, Any]]


def test_my_tables_by_a_private_link_on_another_device(open_page: Open, new_table: New, address: str) -> None:
    here = open_page("en")
    here.page.goto(f"{address}/mine")
    here.page.get_by_role("button", name="Make a private link").click()
    here.page.get_by_text("No tables yet").wait_for()
    link = here.page.locator(".secret code").inner_text()
    made = new_table("field", "person", "person", clock={"kind": "move", "seconds": 86400, "falls": "remind"})
    here.sit(made)
    here.page.get_by_role("timer").get_by_text("d", exact=False).first.wait_for()
    here.page.goto(f"{address}/mine")
    here.page.locator(".held li", has_text="Your move").wait_for()
    here.page.get_by_label("Webhook").select_option("feishu")
    here.page.get_by_label("Address", exact=True).fill("https://open.feishu.cn/open-apis/bot/v2/hook/x")
    here.page.get_by_role("button", name="Save").click()
    here.page.get_by_text("Saved").wait_for()
    there = open_page("zh")
    there.page.goto(link)
    there.page.locator(".held li.turn a").click()
    there.wait_asked()
    assert made["table"] in there.page.url


def test_a_seat_is_taken_in_the_lobby(open_page: Open, new_table: New, address: str) -> None:
    made = new_table("field", "person", "open", listed=True)
    first = open_page("en")
    first.sit(made)
    second = open_page("zh")
    second.page.goto(f"{address}/lobby")
    second.page.get_by_role("button", name="坐下").first.click()
    second.page.wait_for_url(f"**/table/{made['table']}#*")
    first.wait_asked()
