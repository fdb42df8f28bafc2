"""The lab from nothing: units and terrain from the shelf, a profile typed in, questions and distances; and the way to
the judge from a replay and from a battle that goes on."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import expect

import umpire
from browser.table import PATIENCE, Table

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)


def begin(table: Table, game: str, button: str) -> None:
    """A new position of a game, from the list of puzzles."""
    table.visit("/lab")
    table.page.get_by_role("button", name=button, exact=True).click()
    table.page.locator(f"[data-blank={game}]").click()
    table.page.wait_for_selector(".board canvas")


def position(table: Table) -> dict[str, Any]:
    """What the text says once the umpire has read it, and has nothing against it."""
    expect(table.page.locator(".editor")).to_have_attribute("aria-busy", "false")
    expect(table.page.locator(".editor > .wrong")).to_have_count(0)
    told: dict[str, Any] = yaml.safe_load(table.page.locator(".editor textarea").input_value())["position"]
    return told


def put(table: Table, group: str, number: int = 0) -> str:
    """Something from the shelf; what it is called there."""
    shelf = table.page.locator(".stock details", has=table.page.locator("summary", has_text=group))
    if shelf.get_attribute("open") is None:
        shelf.locator("summary").click()
    button = shelf.locator("[data-stock]").nth(number)
    before = table.page.locator(".editor textarea").input_value()
    button.click()
    expect(table.page.locator(".editor textarea")).not_to_have_value(before)
    return button.inner_text()


@pytest.mark.parametrize(
    ("game", "name", "into", "own", "other"),
    [
        ("aos", "战锤：西格玛时代", "units", "荆棘王庭", "苍白行列"),
        ("conquest", "征服：王者的最终辩论", "regiments", "盐潮盟约", "烬火氏族"),
    ],
)
def test_what_is_taken_from_the_shelf_stands_where_there_is_room(
    game: str, name: str, into: str, own: str, other: str, open_page: Callable[..., Table]
) -> None:
    """Loose units and blocks, twice the same one too, and terrain: nothing lies on anything else, and what came last is
    the entry that can be changed."""
    table = open_page("zh")
    page = table.page
    begin(table, game, name)
    there = len(position(table)[into])
    called = put(table, own, 3)
    position(table)
    put(table, own, 3)
    position(table)
    page.locator(".stock select").select_option("1")
    put(table, other)
    put(table, "地形")
    put(table, "地形", 1)
    told = position(table)
    assert [entry["side"] for entry in told[into][there:]] == [0, 0, 1]
    assert len(told["terrain"]) == 2
    # What is written of a piece that is clicked can be changed, and taken away again.
    last = told[into][-1]
    spot = last["models"][0] if isinstance(last["models"][0], list) else [last["x"], last["y"] + 0.8]
    page.get_by_role("button", name="全桌").click()
    table.click(spot[0], spot[1])
    field = page.locator(".set-up label", has=page.locator("code", has_text=re.compile(r"^id$"))).locator("input").first
    expect(field).to_have_value(last["id"])
    page.get_by_role("button", name="删除").click()
    expect(page.locator(".editor textarea")).not_to_have_value(re.compile(rf"id: {last['id']}\b"))
    assert len(position(table)[into]) == there + 2
    page.get_by_role("tab", name="提问").click()
    for number in (1, 2):  # the two of a kind have a number each
        expect(page.locator("select[name=who] option", has_text=f"{called} {number}")).to_have_count(1)


def test_a_profile_is_typed_in_field_by_field(open_page: Callable[..., Table]) -> None:
    """Its fields have names, its weapons entries of their own; what it then may do follows from what was typed."""
    table = open_page("en")
    page = table.page
    begin(table, "warcry", "Warcry")
    put(table, "Typed in")
    own = position(table)["fighters"][-1]
    form = page.locator(".set-up")

    def give(field: str, value: str) -> None:
        row = form.locator("label", has=page.locator("code", has_text=re.compile(f"^{field}$")))
        row.locator("input").first.fill(value)
        row.locator("input").first.press("Enter")
        expect(page.locator(".editor textarea")).to_have_value(re.compile(rf"\b(en|{field}): {value}\b"))

    give("name", "Gaoler")
    give("move", "7")
    weapons = page.locator("details.entries:has(> summary code:text-is('weapons'))")
    weapons.locator("> summary").click()
    weapons.locator("> details > summary").click()
    give("range", "9")
    typed = position(table)["fighters"][-1]["profile"]
    assert (typed["name"]["en"], typed["move"], typed["weapons"][0]["range"]) == ("Gaoler", 7, 9)
    # What a form cannot know is told under the text, with its line.
    row = form.locator("label", has=page.locator("code", has_text=re.compile("^toughness$"))).locator("input")
    row.fill("0")
    row.press("Enter")
    expect(page.locator(".editor > .wrong")).to_contain_text("line")
    expect(page.locator(".editor > .wrong")).to_contain_text("toughness")
    page.get_by_role("button", name="Undo", exact=True).first.click()
    position(table)
    page.get_by_role("tab", name="Ask").click()
    page.locator("select[name=deed]").select_option("attack")
    page.locator("select[name=who]").select_option(own["id"])
    expect(page.locator("select[name=who] option:checked")).to_contain_text("Gaoler")
    page.locator("select[name=whom]").select_option("b1")
    page.locator("select[name=using]").select_option(label="Sword")
    page.get_by_role("button", name="May it?").click()
    expect(page.locator(".ask .refused").first).to_contain_text("warcry.combat.activation")


def test_why_not_is_answered_with_rules_facts_and_odds_in_both_languages(open_page: Callable[..., Table]) -> None:
    table = open_page("zh")
    page = table.page
    table.visit("/lab/warcry-2")
    page.wait_for_selector(".board canvas")
    page.get_by_role("tab", name="提问").click()
    page.locator("select[name=deed]").select_option("attack")
    page.locator("select[name=who]").select_option("a1")
    page.locator("select[name=using]").select_option("1")
    page.locator("select[name=whom]").select_option("b2")
    ask, refused = page.get_by_role("button", name="可以吗？"), page.locator(".ask > .refused")
    ask.click()
    expect(refused).to_contain_text("最小范围")
    expect(refused).to_contain_text("1.9")  # what was measured
    expect(refused).to_contain_text("warcry.attack.min-range")
    page.get_by_role("button", name="EN").click()
    expect(refused).to_contain_text("It may not")
    expect(refused).not_to_contain_text(re.compile(r"[\u4e00-\u9fff]"))
    # What may be done comes with its odds.
    page.locator("select[name=whom]").select_option("b3")
    page.get_by_role("button", name="May it?").click()
    expect(page.locator(".ask > .legal")).to_be_visible()
    expect(page.locator(".ask > .odds dd").first).to_contain_text(re.compile(r"\d"))
    # The rule itself is a click away, in the book's language beside ours.
    page.locator("select[name=whom]").select_option("b1")
    page.get_by_role("button", name="May it?").click()
    refused.locator(".rule-id").first.click()
    expect(page.locator(".rule")).to_contain_text("warcry.")
    expect(page.locator(".rule")).to_contain_text(re.compile(r"[\u4e00-\u9fff]{6}"))


def test_a_distance_is_measured_over_the_wall(open_page: Callable[..., Table]) -> None:
    table = open_page("zh")
    page = table.page
    table.visit("/lab/warcry-4")
    page.wait_for_selector(".board canvas")
    table.wait_asked()
    page.get_by_role("button", name="测量").click()
    table.click(22, 11)
    table.click(14, 11)
    tape = page.locator(".tape")
    expect(tape).to_contain_text(re.compile(r"6\.7\d?″"))
    expect(tape).to_contain_text("掩护")


def test_a_moment_of_a_replay_is_put_to_the_judge_and_played_from(
    open_page: Callable[..., Table], tmp_path: Path
) -> None:
    battle = umpire.battle("warcry", seed=7)
    for _ in range(25):
        ask = battle.decision
        assert ask is not None
        battle.answer(ask.suggest())
    kept = tmp_path / "battle.jsonl"
    kept.write_text(battle.record, encoding="utf-8")
    table = open_page("zh")
    page = table.page
    table.visit("/")
    page.get_by_role("button", name="重播").click()
    page.locator("input[type=file]").set_input_files(kept)
    page.locator(".player").wait_for()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    asked = page.locator(".right .question h2").first
    expect(page.locator(".player")).to_contain_text("24")
    expect(asked).not_to_be_empty()
    prompt = asked.inner_text().removesuffix("§").strip()
    page.get_by_role("button", name="问裁判").click()
    page.wait_for_url("**/lab")
    expect(page.locator(".question h2")).to_have_text(prompt)
    assert "game: warcry" in page.locator(".editor textarea").input_value()
    page.get_by_role("button", name="从这里打下去").click()
    page.get_by_role("menuitem", name="两边都由我来").click()
    page.wait_for_url("**/table/**")
    assert table.wait_asked()
    expect(page.locator(".question h2")).to_have_text(prompt)
    before = table.count
    table.answer_by_clicks(0)
    assert table.count > before


def test_a_battle_that_goes_on_is_put_to_the_judge_and_played_on_with_a_friend(
    open_page: Callable[..., Table], first_battle: Callable[[str], dict[str, Any]]
) -> None:
    table = open_page("en")
    page = table.page
    table.sit(first_battle("warcry"))
    table.wait_asked()
    table.answer_by_clicks(0)
    table.wait_asked()
    prompt = page.locator(".question h2").inner_text()
    page.get_by_role("button", name="Ask the judge").click()
    page.wait_for_url("**/lab")
    expect(page.locator(".question h2")).to_have_text(prompt)
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("menuitem", name="With a friend, as side A").click()
    page.wait_for_url("**/table/**")
    friend = open_page("zh")
    friend.page.goto(page.locator(".invite input").input_value())
    friend.page.wait_for_selector(".board canvas")
    page.locator(".invite").wait_for(state="detached")
    assert table.wait_asked()
    expect(page.locator(".question h2")).to_have_text(prompt)
    before = table.count
    table.answer_by_clicks(0)
    assert table.count > before
