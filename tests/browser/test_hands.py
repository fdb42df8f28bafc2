"""Hands on the table, on scenes where nothing is in the way: blocks that are let go of, wheeled and led on, and who
stands under a floor."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from playwright.sync_api import expect

from browser.table import PATIENCE, Table

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)

BLOCKS = {
    "t9a": """\
game: t9a
dice: [seeded]
position:
  turn: 2
  moment: movement
  active: 0
  units:
    - {id: a, side: 0, models: 15, files: 5, x: 36, y: 20}
    - {id: e, side: 1, models: 15, files: 5, x: 8, y: 44, facing: 180}
  terrain: []
answers: [a, march]
""",
    "conquest": """\
game: conquest
dice: [seeded]
position:
  moment: actions
  who: a
  round: 3
  regiments:
    - {id: a, side: 0, entry: brine/oath-swords, stands: 4, files: 2, x: 36, y: 18, models: [leader]}
    - {id: e, side: 1, entry: cinder/cinder-guard, stands: 3, x: 8, y: 44, facing: 180, models: [leader]}
  terrain: []
answers: [march]
""",
}
UNDER_A_FLOOR = """\
game: warcry
dice: [seeded]
position:
  at: turn
  side: 0
  pieces:
    - id: roof
      name: {zh: 屋顶, en: Roof}
      parts: [{rect: [0, 0, 6, 6], floor: 2.75, top: 3}, {rect: [2.8, 2.8, 0.3, 0.3], top: 2.75}]
  terrain:
    - {piece: roof, x: 15, y: 10}
  fighters:
    - {id: a1, side: 0, profile: slag-chief, x: 15, y: 10, leader: true}
    - {id: a2, side: 0, profile: slag-chief, x: 4, y: 4}
    - {id: b1, side: 1, profile: wick-guard, x: 26, y: 20}
  players:
    - {singles: [2, 5]}
    - {singles: [3, 6]}
"""


def laid_out(table: Table, scene: str, kind: str) -> dict[str, Any]:
    """The scene in the lab, and what is shown once it has come to its question."""
    game = scene.split("\n", 1)[0].removeprefix("game: ")
    table.visit(f"/lab/{game}-1")
    table.page.wait_for_selector(".board canvas")
    table.wait_asked()
    with table.page.expect_response("**/api/lab") as told:
        table.page.locator(".editor textarea").fill(scene)
    expect(table.page.locator(".editor")).to_have_attribute("aria-busy", "false")
    expect(table.answers).to_have_attribute("data-kind", kind)
    view: dict[str, Any] = told.value.json()["view"]
    return view


def drag(table: Table, start: tuple[float, float], end: tuple[float, float]) -> None:
    """From a place of the window to another, letting go there."""
    page = table.page
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.mouse.move(*end, steps=3)
    page.mouse.up()


def given(table: Table, before: str) -> dict[str, Any]:
    """The answer that was written down last."""
    area = table.page.locator(".editor textarea")
    expect(area).not_to_have_value(before)
    answer: dict[str, Any] = yaml.safe_load(area.input_value())["answers"][-1]["answer"]
    return answer


@pytest.mark.parametrize("game", BLOCKS)
def test_a_block_that_is_let_go_of_on_a_legal_place_has_moved_there(game: str, open_page: Callable[..., Table]) -> None:
    table = open_page("en")
    lead = laid_out(table, BLOCKS[game], "move")["decisions"][0]["form"]["start"]
    before = table.page.locator(".editor textarea").input_value()
    drag(table, table.point(lead["x"], lead["y"] - 0.4), table.seen(lead["x"], lead["y"] + 2.6))
    answer = given(table, before)
    assert (answer["to"]["x"], answer["to"]["y"]) == pytest.approx((lead["x"], lead["y"] + 3), abs=0.5)
    # It is taken back by a key, and stands in hand again.
    table.page.keyboard.press("u")
    expect(table.answers).to_have_attribute("data-kind", "move")
    expect(table.page.locator(".editor textarea")).to_have_value(re.compile(r"- march\s*$"))


@pytest.mark.parametrize("game", BLOCKS)
def test_a_block_is_wheeled_by_its_corner_and_led_on_from_there(game: str, open_page: Callable[..., Table]) -> None:
    """The price is shown after the wheel, which stays in hand; letting go of the block ends the move with both legs."""
    table = open_page("en")
    page = table.page
    shown = laid_out(table, BLOCKS[game], "move")
    form, pieces = shown["decisions"][0]["form"], shown["picture"]["pieces"]
    lead = form["start"]
    own = [piece for piece in pieces if piece["id"] in form["pieces"]]
    wide = max(piece["x"] + piece["shape"]["width"] / 2 for piece in own) - lead["x"]
    before = page.locator(".editor textarea").input_value()
    drag(
        table, table.point(lead["x"] - wide - 0.4, lead["y"] + 0.4), table.seen(lead["x"] - wide - 0.2, lead["y"] + 1.6)
    )
    table.judged()
    wheel = page.locator(".legs li")
    expect(wheel).to_have_count(1)
    expect(wheel).to_contain_text("heel")
    expect(page.locator(".label.cost")).to_have_count(1)
    assert page.locator(".editor textarea").input_value() == before
    turn = math.asin(min(1.0, 1.2 / (2 * wide)))  # about so far it has swung to the right, about its right corner
    middle = lead["x"] + wide - wide * math.cos(turn), lead["y"] + wide * math.sin(turn)
    back = middle[0] - 0.3 * math.sin(turn), middle[1] - 0.3 * math.cos(turn)
    end = back[0] + 2 * math.sin(turn), back[1] + 2 * math.cos(turn)
    drag(table, table.point(*back), table.seen(*end))
    path = given(table, before)["path"]
    assert [leg["how"] for leg in path] == ["wheel", "forward"]
    assert path[0]["degrees"] == pytest.approx(math.degrees(turn), abs=12)
    assert path[1]["inches"] == pytest.approx(2, abs=0.6)


def test_a_fighter_under_a_floor_is_taken_hold_of_through_it(open_page: Callable[..., Table]) -> None:
    """The floor has faded, since the fighter may act: pointing at it names it, dragging it moves it."""
    table = open_page("en")
    page = table.page
    laid_out(table, UNDER_A_FLOOR, "choose")
    spot = table.point(15, 10, 0.9)
    page.mouse.move(*spot)
    expect(page.locator(".label.unit.chosen")).to_be_visible()
    drag(table, spot, table.seen(15, 5.5, 0.9))
    expect(page.locator(".editor textarea")).to_have_value(re.compile(r"answers:[\s\S]*a1[\s\S]*move"))


def test_units_are_gone_through_by_the_key_wherever_they_stand(open_page: Callable[..., Table]) -> None:
    table = open_page("en")
    laid_out(table, UNDER_A_FLOOR, "choose")
    table.page.evaluate("document.activeElement.blur()")
    seen = set()
    for _ in range(3):
        table.page.keyboard.press("Tab")
        seen.add(table.answers.locator(".option.focused").get_attribute("data-option"))
    assert {"a1", "a2"} <= seen


def test_a_mark_at_the_edge_says_where_it_happens(open_page: Callable[..., Table]) -> None:
    """Whoever has come near to another part of the table stays there, is told where it goes on, and looks there."""
    table = open_page("en")
    laid_out(table, BLOCKS["conquest"], "move")
    mark = table.page.locator("[data-beyond]")
    expect(mark).to_be_hidden()
    for _ in range(12):
        table.page.locator(".zooms button").nth(1).click()
    expect(mark).to_be_visible()
    mark.click()
    expect(mark).to_be_hidden()
