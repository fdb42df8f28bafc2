"""The rules lab in a browser: puzzles are solved, pieces put elsewhere, the text is the truth, a battle is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.table import PATIENCE, Table
from umpire.engine.staging import complaints_of

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)


def text_of(table: Table) -> str:
    return table.page.locator(".editor textarea").input_value()


def open_puzzle(table: Table, key: str) -> None:
    table.visit(f"/lab/{key}")
    table.page.wait_for_selector(".board canvas")
    table.page.wait_for_selector(".puzzle-card")


def test_a_puzzle_is_asked_and_then_told(open_page: Callable[..., Table]) -> None:
    table = open_page("en")
    page = table.page
    open_puzzle(table, "warcry-1")
    assert "ruling" not in text_of(table)
    page.get_by_role("tab", name="Ask").click()
    page.locator("select[name=deed]").select_option("move")
    page.locator("select[name=who]").select_option("a1")
    page.get_by_role("button", name="May it?").click()
    expect(page.locator(".ask .refused")).to_contain_text("warcry.move.engaged")
    page.get_by_role("button", name="See the ruling").click()
    expect(page.locator(".rulings > ol > li")).to_have_count(4)
    assert "expect: refused by warcry.move.engaged" in text_of(table)
    expect(page.locator(".margin [data-note=refused]").first).to_contain_text("move")


def test_pieces_are_put_elsewhere_and_the_text_says_so(open_page: Callable[..., Table]) -> None:
    table = open_page("zh")
    page = table.page
    open_puzzle(table, "warcry-1")
    page.get_by_role("button", name="摆放棋子").click()
    start, end = table.point(10.417, 11), table.point(18, 15)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.mouse.move(*end, steps=3)
    page.mouse.up()
    expect(page.locator(".editor")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".editor textarea")).not_to_have_value(re.compile(r"x: 10\.41732"))
    found = re.search(r"profile: wick-guard, x: ([\d.]+), y: ([\d.]+)", text_of(table))
    assert found is not None
    assert abs(float(found[1]) - 18) < 0.7
    assert abs(float(found[2]) - 15) < 0.7
    # What was in the way of a move is gone, and undoing brings it back.
    page.get_by_role("button", name="撤销", exact=True).first.click()
    expect(page.locator(".editor textarea")).to_have_value(re.compile(r"x: 10\.41732"))


def test_a_wrong_line_is_marked_and_the_table_stays(open_page: Callable[..., Table]) -> None:
    table = open_page("en")
    page = table.page
    open_puzzle(table, "aos-1")
    area = page.locator(".editor textarea")
    area.fill(text_of(table).replace("briar-guard", "briar-gard"))
    line = text_of(table).split("\n").index(next(x for x in text_of(table).split("\n") if "briar-gard" in x)) + 1
    expect(page.locator(".editor > .wrong")).to_contain_text(f"line {line}")
    expect(page.locator(".editor > .wrong")).to_contain_text("briar-gard")
    assert page.locator(".board canvas").is_visible()
    area.fill(text_of(table).replace("briar-gard", "briar-guard"))
    expect(page.locator(".editor > .wrong")).to_have_count(0)


def test_an_answer_is_written_down_and_the_battle_goes_on(open_page: Callable[..., Table], tmp_path: Path) -> None:
    table = open_page("en")
    page = table.page
    open_puzzle(table, "warcry-5")
    table.wait_asked()
    page.locator("[data-option=a1]").click()
    expect(page.locator(".editor textarea")).to_have_value(re.compile(r"\{side: 0, answer: a1\}"))
    expect(page.locator("[data-option=wait]")).to_be_visible()
    page.get_by_role("button", name="Save file").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save file").click()
    kept = tmp_path / "scene.yaml"
    saved.value.save_as(kept)
    assert kept.read_text(encoding="utf-8") == text_of(table)
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("menuitem", name="Against the computer, as side A").click()
    page.wait_for_url("**/table/**")
    table.wait_asked()
    expect(page.locator("[data-option=wait]")).to_be_visible()


def test_the_judge_is_asked_from_a_battle(
    open_page: Callable[..., Table], first_battle: Callable[[str], dict[str, Any]]
) -> None:
    table = open_page("en")
    page = table.page
    table.sit(first_battle("conquest"))
    table.wait_asked()
    prompt = page.locator(".question h2").inner_text()
    page.get_by_role("button", name="Ask the judge").click()
    page.wait_for_url("**/lab")
    expect(page.locator(".question h2")).to_have_text(prompt)
    assert "game: conquest" in text_of(table)
    page.get_by_role("button", name="Copy link").click()
    expect(page).to_have_url(re.compile(r"/lab#.{100,}"))
    text, address = text_of(table), page.url
    other = open_page("en")
    other.page.goto(address)
    expect(other.page.locator(".question h2")).to_have_text(prompt)
    assert text_of(other) == text


EXAMPLES = (Path(__file__).parents[2] / "docs" / "scenes.md").read_text(encoding="utf-8")
SCENE = next(text for text in re.findall(r"```yaml\n(.*?)```", EXAMPLES, re.DOTALL) if "game: wh40k" in text)


def test_a_scene_file_of_the_command_line_is_loaded_changed_and_saved_for_it(
    open_page: Callable[..., Table], tmp_path: Path
) -> None:
    """It asks four times and answers twice; what is saved passes `umpire scene test`."""
    table = open_page("en")
    page = table.page
    given = tmp_path / "given.yaml"
    given.write_text(SCENE, encoding="utf-8")
    open_puzzle(table, "warcry-1")
    page.locator("input[type=file]").set_input_files(given)
    expect(page.locator(".rulings > ol > li")).to_have_count(6)
    assert text_of(table) == SCENE
    expect(page).to_have_url(re.compile(r"/lab$"))  # a puzzle's address would lead back to the puzzle
    expect(page.locator(".editor > .wrong")).to_have_count(0)
    page.locator(".editor textarea").fill(SCENE.replace("refused by wh40k.charge.eligible.no-advance", "legal"))
    expect(page.locator(".editor > .wrong")).to_contain_text("no-advance")
    page.locator("input[type=file]").set_input_files(given)  # the same file once more
    expect(page.locator(".editor > .wrong")).to_have_count(0)
    table.wait_asked()
    page.locator(".answers [data-commit], .answers .option").first.wait_for()
    page.get_by_role("tab", name="Ask").click()
    page.locator("select[name=deed]").select_option("charge")
    page.locator("select[name=who]").select_option("a2")
    page.get_by_role("button", name="May it?").click()
    expect(page.locator(".ask .refused").first).to_contain_text("wh40k.")
    page.get_by_role("button", name="Write it into the scene").click()
    expect(page.locator(".rulings > ol > li")).to_have_count(7)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save file").click()
    kept = tmp_path / "kept.yaml"
    saved.value.save_as(kept)
    assert "a datasheet spelt out" in kept.read_text(encoding="utf-8")  # comments stay
    assert [list(one) for one in complaints_of(kept, "en")] == [[]]


def test_a_broken_file_and_a_broken_link_are_told_in_words(open_page: Callable[..., Table], tmp_path: Path) -> None:
    table = open_page("zh")
    page = table.page
    several = tmp_path / "several.yaml"
    several.write_text(f"{SCENE}---\n{SCENE}", encoding="utf-8")
    table.visit("/lab")
    page.locator("input[type=file]").set_input_files(several)
    expect(page.locator(".editor > .wrong")).to_contain_text("第二份")
    several.write_text(SCENE.replace("a2, side: 0", "a2, sde: 0"), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(several)
    number = next(n for n, line in enumerate(SCENE.split("\n"), 1) if "a2, side: 0" in line)
    expect(page.locator(".editor > .wrong")).to_have_text(re.compile(rf"^第 {number} 行 · 没有 sde 这个字段"))
    expect(page.locator(".middle .loading")).not_to_contain_text("正在")  # there is nothing to wait for
    several.write_text("game: wh40k\nposition: {units: [\n", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(several)
    expect(page.locator(".editor > .wrong")).to_contain_text("括号没有合上")
    table.visit("/lab#nothing-that-was-packed")
    expect(page.get_by_role("alert")).to_contain_text("读不出来")


def test_a_friend_goes_on_from_a_scene_by_a_link(open_page: Callable[..., Table]) -> None:
    table = open_page("en")
    page = table.page
    open_puzzle(table, "warcry-5")
    table.wait_asked()
    asked = page.locator(".question h2").inner_text()
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("menuitem", name="With a friend, as side B").click()
    page.wait_for_url("**/table/**")
    link = page.locator(".invite input").input_value()
    friend = open_page("zh")
    friend.page.goto(link)
    friend.page.wait_for_selector(".board canvas")
    page.locator(".invite").wait_for(state="detached")
    assert friend.wait_asked()
    expect(friend.page.locator("[data-option=a1]")).to_be_visible()  # whoever was asked in the lab is asked here
    assert friend.page.locator(".question h2").inner_text() != asked  # in his language
    friend.page.locator("[data-option=a1]").click()
    expect(friend.page.locator("[data-option=wait]")).to_be_visible()
    expect(page.locator(".answers")).to_have_attribute("data-answers", "1")


CASUALTIES = """\
game: aos
position:
  phase: hero
  objectives: []
  units:
  - {id: a1, side: 0, models: [[12, 6]], profile: {base: [25.4], abilities: [
      {id: bolt, timing: your hero, target: enemy, range: 40, does: [{do: mortal, amount: '2', who: target}]}]}}
  - {id: b1, side: 1, profile: {base: [25.4]}, models: [
      [10, 20], [11.4, 20], [12.8, 20], [14.2, 20], [10, 21.4], [11.4, 21.4], [12.8, 21.4], [14.2, 21.4]]}
answers:
- {side: 0, answer: 'scene-a1.bolt:a1'}
"""


def test_casualties_are_proposed_and_changed_by_clicking_models(open_page: Callable[..., Table]) -> None:
    """Eight models, two of them slain: no row of eight buttons, and the umpire's word on what is picked."""
    table = open_page("en")
    page = table.page
    open_puzzle(table, "aos-1")
    page.locator(".editor textarea").fill(CASUALTIES)
    expect(page.locator(".answers")).to_have_attribute("data-kind", "choose-several")
    expect(page.locator(".answers .option")).to_have_count(0)
    commit = page.locator("[data-commit]")
    expect(page.locator(".answers .count", has_text="2")).to_be_visible()
    expect(commit).to_be_enabled()  # those behind are proposed
    expect(page.locator(".question .legal")).to_be_visible()
    for x in (10, 14.2):  # the ends of the hind rank, which were proposed, stay; the ends of the first go
        table.click(x, 21.4)
    expect(commit).to_be_disabled()
    for x in (10, 14.2):
        table.click(x, 20)
    expect(commit).to_be_enabled()
    commit.click()
    expect(page.locator(".editor textarea")).to_have_value(re.compile(r"answer: \[b1\.1, b1\.4\]"))


def test_the_lab_on_a_phone_is_one_column_that_is_no_wider_than_it(open_page: Callable[..., Table]) -> None:
    table = open_page("zh", has_touch=True)
    page = table.page
    page.set_viewport_size({"width": 390, "height": 844})
    open_puzzle(table, "warcry-1")
    wide = """() => [...document.querySelectorAll('.lab > *, .lab button, .lab textarea')]
        .filter((e) => e.checkVisibility() && !e.closest('.labels'))
        .map((e) => [e.className || e.textContent, e.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.right > 391 || box.left < -1))
        .map(([name]) => name)"""
    assert page.evaluate(wide) == []
    board, text = page.locator(".middle").bounding_box(), page.locator(".editor").bounding_box()
    assert board is not None
    assert text is not None
    assert board["width"] > 380
    assert text["width"] > 380
    page.get_by_role("button", name="看裁判怎么说").tap()
    page.locator(".rulings > ol > li").first.scroll_into_view_if_needed()
    expect(page.locator(".rulings > ol > li").first).to_be_visible()
    page.locator(".editor").scroll_into_view_if_needed()
    expect(page.locator(".editor textarea")).to_be_in_viewport()
