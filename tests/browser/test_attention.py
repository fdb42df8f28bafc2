"""What somebody hears, and is told who looks elsewhere: sounds, the pace of results, notices, unread chat, the dice of
a question, moments of a replay and the lab behind them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.table import PATIENCE, Table
from browser.test_screens import REROLLS
from browser.test_table import to_the_move

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)

Open = Callable[..., Table]
New = Callable[..., dict[str, Any]]
LISTEN = """
window.heard = [];
for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
    const started = kind.prototype.start;
    kind.prototype.start = function (...at) {
        window.heard.push(this instanceof OscillatorNode ? 'bell' : this.buffer.duration > 0.1 ? 'stamp' : 'die');
        return started.apply(this, at);
    };
}
"""
"""What is played, by what it is made of: the bell of tones, the stamp of a long noise, dice of short ones."""
EVENT, SPEEDS = 160, {"calm": 0.6, "normal": 1, "quick": 2.2}
"""So many milliseconds a plain result is shown, and how many times faster."""
ELSEWHERE = "Object.defineProperty(document, 'hidden', { get: () => window.elsewhere === true })"
NOTICES = """
window.noticed = [];
window.leave = [];
window.Notification = class {
    static permission = 'default';
    static async requestPermission() { window.leave.push('asked'); return (Notification.permission = 'granted'); }
    constructor(title, { body }) { window.noticed.push(`${title}: ${body}`); }
    close() {}
};
"""


def heard(table: Table) -> set[str]:
    return set(table.page.evaluate("window.heard"))


def test_dice_a_stamp_and_a_bell_are_heard_until_a_click_turns_them_off(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    page = table.page
    page.add_init_script(LISTEN + ELSEWHERE)
    table.sit(new_table("field", "person", "computer"))
    to_the_move(table)
    page.mouse.move(*table.point(6, 4.5))
    page.mouse.down()
    page.mouse.move(*table.point(20, 15), steps=4)
    page.mouse.up()
    page.wait_for_function("() => window.heard.includes('stamp')")  # let go of where it may not stand
    page.evaluate("window.elsewhere = true")
    for turn in range(24):  # until the computer has had its turn, and it is one's own again
        if {"bell", "die"} <= heard(table):
            break
        table.wait_asked()
        table.answer_by_clicks(turn)
    assert heard(table) == {"bell", "die", "stamp"}
    page.locator("[data-sound]").click()
    page.evaluate("window.heard = []")
    for turn in range(6):
        if not table.wait_asked():
            break
        table.answer_by_clicks(turn)
    assert heard(table) == set()


def test_results_come_at_the_pace_that_was_chosen_and_can_be_skipped(open_page: Open, new_table: New) -> None:
    """How long the table asks for between results, not how long a busy machine takes."""
    table = open_page("en", animate=True)
    page = table.page
    page.add_init_script(
        "window.waits = []; const later = window.setTimeout;"
        "window.setTimeout = (does, ms, ...more) => (window.waits.push(Math.round(ms)), later(does, ms, ...more));"
    )
    table.sit(new_table("field", "person", "computer"))
    table.wait_asked()
    for pace in SPEEDS:
        page.locator(".topbar [title='Settings']").click()
        page.locator(".sheet select").first.select_option(pace)
        page.keyboard.press("Escape")
        page.evaluate("window.waits = []")
        for turn in range(8):
            table.wait_asked()
            table.answer_by_clicks(turn)
            if round(EVENT / SPEEDS[pace]) in page.evaluate("window.waits"):
                break
        else:
            pytest.fail(f"{pace}: {page.evaluate('window.waits')}")
    while not page.locator(".log li.rolled").count():  # a throw is shown for a while, unless somebody is in a hurry
        page.keyboard.press("Space")
        if page.locator(".answers[data-kind]:not([data-kind=''])").count():
            table.answer_by_clicks(0)


def test_leave_to_notify_is_asked_once_and_the_title_says_whose_turn_it_is(open_page: Open, new_table: New) -> None:
    made = new_table("field", "person", "person")
    first, second = open_page("en"), open_page("en")
    for table in (first, second):
        table.page.add_init_script(NOTICES + ELSEWHERE)
    first.sit(made, 0)
    second.sit(made, 1)
    first.wait_asked()
    expect(first.page).to_have_title(re.compile("^● .* · "))
    expect(second.page).not_to_have_title(re.compile("^●"))
    assert second.page.evaluate("window.leave") == []  # nobody is asked before it is wanted
    second.page.locator("[data-tell-me]").click()
    expect(second.page.locator("[data-tell-me]")).to_have_count(0)
    assert second.page.evaluate("window.leave") == ["asked"]
    second.page.evaluate("window.elsewhere = true")
    first.page.locator("[data-commit]:enabled").click()
    second.page.wait_for_function("() => window.noticed.length > 0")
    assert "secret" in second.page.evaluate("window.noticed[0]")
    expect(second.page).to_have_title(re.compile("^● "))
    second.page.reload()
    second.wait_asked()
    second.answers.locator(".option").first.click()
    first.page.wait_for_selector(".answers[data-kind]:not([data-kind=''])")
    assert first.page.locator("[data-tell-me]").count() == 0  # it is asked, and so asks nobody
    assert second.page.locator("[data-tell-me]").count() == 0  # and never again


def test_chat_that_was_not_read_is_counted_also_after_a_reload(open_page: Open, new_table: New) -> None:
    made = new_table("field", "person", "person")
    first, second = open_page("en"), open_page("en")
    first.sit(made, 0)
    second.sit(made, 1)
    first.page.get_by_role("tab", name="Chat").click()
    for word in ("Good evening", "Shall we?"):
        first.page.locator(".chat input").fill(word)
        first.page.keyboard.press("Enter")
    expect(second.page.locator(".unread")).to_have_text("2")
    assert first.page.locator(".unread").count() == 0  # one's own words are known
    second.page.get_by_role("tab", name=re.compile("Chat")).click()
    expect(second.page.locator(".chat li").last).to_contain_text("Shall we?")
    expect(second.page.locator(".unread")).to_have_count(0)
    second.page.reload()
    second.page.wait_for_selector(".board canvas")
    expect(second.page.locator(".unread")).to_have_count(0)
    first.page.locator(".chat input").fill("Your move")
    first.page.keyboard.press("Enter")
    expect(second.page.locator(".unread")).to_have_text("1")
    second.page.locator(".topbar .fold").nth(1).click()  # folded away, the panel's button counts
    expect(second.page.locator(".fold .unread")).to_have_text("1")


def test_who_may_roll_again_is_shown_the_dice_and_what_they_need(open_page: Open) -> None:
    table = open_page("en")
    page = table.page
    table.visit("/lab/wh40k-1")
    page.wait_for_selector(".board canvas")
    page.locator(".editor textarea").fill(REROLLS["wh40k"])
    thrown = page.locator(".question .rolled-now")
    expect(thrown.locator(".die")).to_have_count(2)
    assert [die.get_attribute("aria-label") for die in thrown.locator(".die").all()] == ["3", "3"]
    expect(page.locator(".question h2")).to_contain_text("Command Re-roll")


def test_a_moment_of_a_replay_has_an_address_and_opens_in_the_lab(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    page = table.page
    table.sit(new_table("warcry", "person", "computer"))
    for turn in range(4):
        table.wait_asked()
        table.answer_by_clicks(turn)
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator(".topbar [title='Settings']").click()
    page.locator(".sheet .danger").click()
    page.locator(".finished").get_by_role("button", name="Replay this battle").click()
    page.locator(".answers.player").wait_for()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"/replay/[^#]+#3$"))
    asked = page.locator(".right .question h2").first.inner_text()
    other = open_page("en")  # sent to somebody else, it opens at that moment
    other.page.goto(page.url)
    expect(other.page.locator(".right .question h2").first).to_have_text(asked)
    expect(other.page.locator(".answers.player .count")).to_contain_text("3")
    other.page.get_by_role("button", name="Ask the judge").click()
    other.page.wait_for_url("**/lab")
    assert "game: warcry" in other.page.locator(".editor textarea").input_value()
    expect(other.page.locator(".board canvas")).to_be_visible()
