"""The table in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import TimeoutError

from browser.table import Table

pytestmark = pytest.mark.browser

Open = Callable[..., Table]
New = Callable[..., dict[str, Any]]
EVERY_KIND = {"place", "choose", "order", "move", "face", "confirm", "split", "choose-several"}


def test_start_page_in_both_languages(open_page: Open) -> None:
    table = open_page("zh")
    table.visit("/")
    assert table.page.locator(".card h2").all_inner_texts() == ["第一场战斗", "新开一桌", "继续 · 观战 · 重播"]
    table.page.locator(".language").click()
    assert table.page.locator(".card h2").first.inner_text() == "First battle"
    assert table.page.locator("html").get_attribute("lang") == "en"


def test_chinese_is_drawn_without_a_chinese_font(open_page: Open) -> None:
    """Without a font two characters look the same: an empty box."""
    table = open_page("zh")
    table.visit("/")
    table.page.wait_for_load_state("load")
    drawn = """async () => {
        const look = (text) => {
            const pen = document.createElement('canvas').getContext('2d');
            pen.font = '24px ' + getComputedStyle(document.body).fontFamily;
            pen.fillText(text, 4, 40);
            return pen.getImageData(0, 0, 60, 60).data.join();
        };
        return look('第') !== look('战');
    }"""
    table.page.wait_for_function(drawn, timeout=60_000)


LOADED = """(atOnce) => {
    const [page] = performance.getEntriesByType('navigation');
    const files = performance.getEntriesByType('resource').filter((file) => !/\\.woff2$|webfonts/.test(file.name));
    const needed = atOnce ? files.filter((file) => file.startTime < page.loadEventStart) : files;
    return Object.fromEntries([page, ...needed].map((file) => [file.name.split('/').at(-1), file.encodedBodySize]));
}"""
"""What has come over the line; `atOnce`: without what is fetched beforehand once the page stands."""


@pytest.mark.parametrize(("path", "limit"), [("/", 150_000), ("table", 400_000)])
def test_first_load_is_small(path: str, limit: int, open_page: Open, new_table: New) -> None:
    table = open_page("en")
    if path == "table":
        table.sit(new_table("field", "person", "computer"))
    else:
        table.visit(path)
    table.page.wait_for_load_state("networkidle")
    sizes = table.page.evaluate(LOADED, path == "/")
    print(f"{path}: {sum(sizes.values()) / 1000:.1f} kB compressed")
    assert any(name.endswith(".js") for name in sizes)
    assert sum(sizes.values()) < limit, sizes


MOST_BATTLES = 6
"""The dice are the server's own: a battle may end before it has asked every kind of question, so others follow it."""


def test_every_kind_of_question_by_clicks_to_the_end(open_page: Open, new_table: New) -> None:
    seen: set[str] = set()
    for _ in range(MOST_BATTLES):
        table = open_page("zh")
        table.sit(new_table("field", "person", "computer"))
        seen |= table.play_to_the_end()
        assert table.page.locator(".outcome h2").inner_text() in ("甲方获胜", "乙方获胜", "平局")
        if seen == EVERY_KIND:
            break
    assert seen == EVERY_KIND


KEYS = {
    "place": ("ArrowRight", "Enter"),
    "choose": ("1",),
    "order": ("Shift+ArrowDown", "Enter"),
    "move": ("ArrowUp", "Enter"),
    "face": ("ArrowRight", "Enter"),
    "confirm": ("y",),
    "choose-several": ("1", "Enter"),
    "split": ("s", "Enter"),
}


def answer_by_keys(table: Table, keys: dict[str, tuple[str, ...]] = KEYS) -> None:
    before, kind = table.count, table.kind
    for patience in (5_000, 10_000, 60_000):  # a key pressed while results are still being shown goes unheard
        table.judged()
        try:
            for key in keys[kind]:
                if key == "Enter":
                    table.page.wait_for_selector(".answers [data-commit]:enabled", timeout=patience)
                table.page.keyboard.press(key)
            table.answered(before, patience)
            return
        except TimeoutError:
            table.page.keyboard.press("Escape")
    raise AssertionError(f"{kind} cannot be answered by keys")


def test_every_kind_of_question_by_keys(open_page: Open, new_table: New) -> None:
    seen: set[str] = set()
    for _ in range(MOST_BATTLES):
        table = open_page("en")
        table.sit(new_table("field", "person", "computer"))
        while seen != EVERY_KIND and table.wait_asked():
            seen.add(table.kind)
            answer_by_keys(table)
        if seen == EVERY_KIND:
            break
    assert seen == EVERY_KIND


def test_the_first_battle_is_being_played_after_two_clicks(open_page: Open) -> None:
    table = open_page("zh", animate=True)
    table.visit("/")
    table.page.locator(".card.main").click()
    table.page.locator("[data-set-up]").click()
    table.page.locator(".track li", has_text="第 1/").wait_for()
    table.wait_asked()
    assert table.page.locator(".guide").is_visible()
    assert table.page.locator("[data-set-up]").count() == 0
    assert table.page.locator(".log li", has_text="先手骰").count() >= 2


BY_SUGGESTION = {"choose": ("1",), "confirm": ("y",)} | dict.fromkeys(
    ("choose-several", "place", "move", "order", "split"), ("s", "Enter")
)


def test_the_first_battle_by_the_keyboard_alone(open_page: Open) -> None:
    table = open_page("zh")
    table.visit("/")
    for _ in range(10):
        table.page.keyboard.press("Tab")
        if table.page.locator(".card.main:focus").count():
            break
    table.page.keyboard.press("Enter")
    table.page.wait_for_selector(".board canvas")
    kinds = set()
    while table.wait_asked() and not table.page.locator(".track li", has_text="第 2/").count():
        kinds.add(table.kind)
        answer_by_keys(table, BY_SUGGESTION)
    assert kinds >= {"choose", "choose-several", "place", "move"}


def to_the_move(table: Table) -> None:
    """Place, bid, order and activate the swordbearer at (6, 4.5)."""
    table.wait_asked()
    while table.kind != "move":
        table.answer_by_clicks(0, suggest=False)
        table.wait_asked()


def test_dragging_too_far_is_refused_with_the_rule_and_stops_at_the_furthest_place(
    open_page: Open, new_table: New
) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    to_the_move(table)
    page = table.page
    page.mouse.move(*table.point(6, 4.5))
    page.mouse.down()
    page.mouse.move(*table.point(10, 6), steps=4)
    page.mouse.move(*table.point(14, 7.5), steps=4)
    page.mouse.up()
    table.judged()
    page.locator(".refused", has_text="of 5″").wait_for()
    assert page.locator(".refused .rule-id").inner_text() == "§ field.distance"
    before = table.count
    page.locator("[data-commit]").click()
    table.answered(before)
    x, y = next((piece["x"], piece["y"]) for piece in last_view(table)["picture"]["pieces"] if piece["id"] == "blue-0")
    assert ((x - 6) ** 2 + (y - 4.5) ** 2) ** 0.5 == pytest.approx(5, abs=0.02)


def test_letting_go_on_a_legal_place_moves_there(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    to_the_move(table)
    start, end, before = table.point(6, 4.5), table.seen(8, 4.5), table.count
    table.page.mouse.move(*start)
    table.page.mouse.down()
    table.page.mouse.move((start[0] + end[0]) / 2, start[1], steps=3)
    table.page.mouse.move(*end, steps=3)
    table.page.mouse.up()
    table.answered(before)
    x, y = next((piece["x"], piece["y"]) for piece in last_view(table)["picture"]["pieces"] if piece["id"] == "blue-0")
    assert (x, y) == pytest.approx((8, 4.5), abs=0.3)


def test_legs_are_chosen_by_hand_with_their_costs_and_refused_with_the_rule(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    to_the_move(table)
    page = table.page
    table.click(8, 4.5)
    page.locator(".legs b", has_text="2″").first.wait_for()
    page.keyboard.press("w")
    page.locator("[data-how='walk']").click()
    table.click(8, 6.5)
    page.locator(".legs p", has_text="4″ / 5″").wait_for()
    assert page.locator(".legs li").count() == 2
    assert page.locator(".label.cost").all_inner_texts() == ["2″", "2″"]
    page.keyboard.press("2")
    page.locator(".refused", has_text="has no wings").wait_for()
    assert page.locator(".refused .rule-id").inner_text() == "§ field.core"
    page.keyboard.press("Backspace")
    page.locator(".legs p", has_text="2″ / 5″").wait_for()
    before = table.count
    page.keyboard.press("Enter")
    table.answered(before)
    x, y = next((piece["x"], piece["y"]) for piece in last_view(table)["picture"]["pieces"] if piece["id"] == "blue-0")
    assert (x, y) == (pytest.approx(8, abs=0.05), pytest.approx(4.5, abs=0.05))


def test_dice_that_people_roll_are_typed_in(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer", dice="typed"))
    to_the_move(table)
    while table.kind != "dice":
        table.answer_by_clicks(0)
        table.wait_asked()
    assert table.page.locator("[data-commit]").is_disabled()
    for face in (6, 5, 4):
        table.answers.get_by_role("button", name=str(face), exact=True).click()
    table.page.keyboard.press("1")
    table.page.keyboard.press("Backspace")
    table.page.keyboard.press("2")
    before = table.count
    table.page.wait_for_selector("[data-commit]:enabled")
    table.page.keyboard.press("Enter")
    table.answered(before)
    table.page.wait_for_function(
        "() => document.querySelectorAll('.log .faces').length > 0"
    )  # what has one answer only is answered at once, so the roll need not be in the last view
    heard = [json.loads(text) for text in table.heard if '"view"' in text]
    rolled = [
        event["roll"]["faces"]
        for message in heard
        for event in message.get("view", {}).get("events", ())
        if event.get("roll")
    ]
    assert [6, 5, 4, 2] in rolled


def test_units_that_have_not_come_yet_wait_beside_the_table(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    table.wait_asked()
    waiting = table.page.locator(".reserve.own .waiting")
    assert waiting.get_attribute("title") == "Hound"
    waiting.click()
    table.page.locator(".unitcard h3", has_text="Hound").wait_for()
    to_the_move(table)
    assert table.page.locator(".reserve").count() == 0


def test_dice_are_proved_fair_after_the_end(open_page: Open, new_table: New) -> None:
    table = open_page("zh")
    table.sit(new_table("field", "person", "computer"))
    table.play_to_the_end()
    table.page.locator(".outcome .legal", has_text="用上了你这边的随机数").wait_for()


def last_view(table: Table) -> dict[str, Any]:
    told = (json.loads(text) for text in reversed(table.heard))
    view: dict[str, Any] = next(m["view"] for m in told if m["type"] in ("view", "update"))
    return view


def test_odds_stand_beside_a_target_before_it_is_chosen(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    to_the_move(table)
    while table.kind != "choose":
        table.answer_by_clicks(0)
        table.wait_asked()
    table.page.mouse.move(*table.point(12, 17.5))
    table.page.locator(".odds").wait_for()
    assert "94 %" in table.page.locator(".odds").inner_text()


def test_measuring_shows_distance_and_what_blocks_the_sight(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    table.wait_asked()
    table.page.keyboard.press("m")
    table.click(12, 4.5)
    table.click(18, 17.5)
    label = table.page.locator(".label.tape", has_text="Watchtower")
    label.wait_for()
    assert label.inner_text().startswith("13.06″")


def test_undo_brings_the_question_back(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    to_the_move(table)
    table.page.keyboard.press("u")
    table.page.wait_for_selector(".answers[data-kind='choose']")
    assert table.page.locator(".question h2").inner_text().startswith("Choose a fighter")


def test_log_lines_open_their_rule_in_both_languages(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    to_the_move(table)
    table.page.locator(".log li", has_text="Round 1").locator(".sign").click()
    rule = table.page.locator(".rule")
    rule.locator("h3").wait_for()
    assert "field.core" in rule.inner_text()
    assert rule.locator("p[lang='zh-Hans']").inner_text()
    assert "two rounds" in rule.locator("p[lang='en']").inner_text()


def test_reload_in_mid_battle_goes_on_where_it_was(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    to_the_move(table)
    asked, log = table.page.locator(".question h2").inner_text(), table.page.locator(".log li").count()
    table.page.reload()
    table.wait_asked()
    assert table.page.locator(".question h2").inner_text() == asked
    assert table.page.locator(".log li").count() == log


def test_an_answer_given_while_the_connection_is_lost_arrives(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.page.add_init_script(
        "window.sockets = []; window.WebSocket = class extends WebSocket"
        " { constructor(...given) { super(...given); window.sockets.push(this); } }"
    )
    table.sit(new_table("field", "person", "computer"))
    table.wait_asked()
    before = table.count
    commit = "document.querySelector('[data-commit]:enabled').click()"
    table.page.evaluate(f"window.sockets.at(-1).close(); {commit}")
    table.answered(before)
    assert table.page.evaluate("window.sockets.length") == 2


def test_two_seats_see_their_own_secrets_only(open_page: Open, new_table: New) -> None:
    made = new_table("field", "person", "person")
    blue, red, watcher = open_page("en"), open_page("zh"), open_page("en")
    blue.sit(made, 0)
    red.sit(made, 1)
    watcher.sit(made, None)
    blue.wait_asked()
    before = blue.count
    blue.page.locator("[data-commit]:enabled").click()
    blue.answered(before)
    red.wait_asked()
    red.answers.locator("[data-option='2']").click()
    blue.wait_asked()
    blue.answers.locator("[data-option='1']").click()
    red.page.locator(".log li", has_text="你下注 2").wait_for()
    blue.page.locator(".log li", has_text="You bid 1").wait_for()
    assert not any('"bid":2' in text.replace(" ", "") for text in blue.heard)
    assert not any('"bid":1' in text.replace(" ", "") for text in red.heard)
    assert not any('"bid":' in text.replace(" ", "") for text in watcher.heard)
    red.page.get_by_role("tab", name="交谈").click()
    red.page.locator(".chat input").fill("你好")
    red.page.keyboard.press("Enter")
    blue.page.get_by_role("tab", name="Chat").click()
    blue.page.locator(".chat li", has_text="你好").wait_for()


def test_replay_steps_and_forks(open_page: Open, new_table: New) -> None:
    table = open_page("en")
    table.sit(new_table("field", "person", "computer"))
    table.play_to_the_end()
    table.page.get_by_role("button", name="Replay this battle").click()
    player = table.page.locator(".player")
    player.wait_for()
    assert "Step 0 of" in player.inner_text()
    table.page.keyboard.press("ArrowRight")
    table.page.keyboard.press("ArrowRight")
    table.page.locator(".log li", has_text="Round 1").wait_for()
    assert "Step 2 of" in player.inner_text()
    player.get_by_role("button", name="Verify").click()
    player.locator(".verified", has_text="the dice keep their commitment").wait_for()
    assert table.page.url.endswith("#2")
    table.page.reload()  # a moment of a finished battle is a link
    player.get_by_text("Step 2 of").wait_for()
    player.get_by_role("button", name="Fork as Side A").click()
    table.wait_asked()
    assert table.count == 2


def test_tablet_folds_its_panels(open_page: Open, new_table: New) -> None:
    table = open_page("zh", has_touch=True)
    table.page.set_viewport_size({"width": 1024, "height": 768})
    table.sit(new_table("field", "person", "computer"))
    table.wait_asked()
    assert not table.page.locator(".armies").is_visible()
    assert table.page.get_by_role("link", name="回到首页").is_visible()
    table.page.get_by_role("button", name="军队").click()
    assert table.page.locator(".armies").is_visible()
    wide = table.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 1024


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "lang"), [("warcry", "zh"), ("aos", "en"), ("conquest", "zh"), ("wh40k", "en"), ("t9a", "zh")]
)
def test_a_whole_battle_against_the_computer_by_clicks(
    game: str, lang: str, open_page: Open, first_battle: Callable[[str], dict[str, Any]]
) -> None:
    table = open_page(lang)
    table.page.set_viewport_size({"width": 1120, "height": 640})
    table.sit(first_battle(game))
    kinds = table.play_to_the_end(1500)
    assert {"choose", "place", "move"} <= kinds
    table.page.locator(".outcome h2").wait_for()
    assert table.page.locator(".log li").count() > 50


def test_the_end_page_tells_losses_luck_and_where_it_turned(open_page: Open, new_table: New) -> None:
    """Each turning point is a way into the replay; the same again is one click."""
    table = open_page("zh")
    made = new_table("warcry", "person", "computer")
    table.sit(made)
    table.wait_asked()
    for turn in range(14):
        if not table.wait_asked():
            break
        table.answer_by_clicks(turn)
    table.page.get_by_role("button", name="设置").click()
    table.page.once("dialog", lambda dialog: dialog.accept())
    table.page.get_by_role("button", name="认输").click()
    end = table.page.locator(".finished")
    end.wait_for()
    assert end.locator("tbody tr").count() == 2
    end.locator("button.turns").click()
    end.locator(".course").wait_for()
    turns = end.locator("ol.turns li")
    turns.first.wait_for()
    assert turns.count() <= 3
    if end.locator("ol.turns a").count():
        assert "胜算" in turns.first.inner_text()
        end.locator("ol.turns a").first.click()
        table.page.locator(".player").wait_for()
        assert "#" in table.page.url
        assert "/replay/" in table.page.url


def test_the_same_again_with_sides_changed(open_page: Open, first_battle: Callable[[str], dict[str, Any]]) -> None:
    table = open_page("en")
    made = first_battle("warcry")
    table.sit(made)
    table.wait_asked()
    led = table.page.locator(".armies h3 small").all_inner_texts()
    table.page.get_by_role("button", name="Settings").click()
    table.page.once("dialog", lambda dialog: dialog.accept())
    table.page.get_by_role("button", name="Resign").click()
    table.page.locator(".finished [data-changed]").click()
    table.page.wait_for_function("old => !location.pathname.includes(old)", arg=made["table"])
    table.wait_asked()
    assert table.page.locator(".armies h3 small").all_inner_texts() == led[::-1]
    assert "side1" in str(table.page.locator(".question .who").get_attribute("class"))


DRAWN = """() => {
    const look = () => {
        const asked = document.querySelector('.answers[data-kind]:not([data-kind=""])');
        if (asked && window.umpireLens?.calls() > 0) window.drawnAfter = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""
"""Note when the table is first drawn with a question below it, in milliseconds after the page was asked for."""
MOST_SECONDS = 20.0
"""What is told counts (`pytest -rP`): three seconds with an open browser. How busy the machine is nobody knows here, so
that only a table that hangs is a failure."""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["warcry", "aos", "conquest", "wh40k", "t9a"])
def test_the_time_to_a_drawn_table_is_told(
    game: str, open_page: Open, first_battle: Callable[[str], dict[str, Any]]
) -> None:
    table = open_page("zh")
    table.page.add_init_script(f"({DRAWN})()")
    table.visit("/")
    table.sit(first_battle(game))
    table.page.wait_for_function("() => window.drawnAfter")
    taken = table.page.evaluate("window.drawnAfter") / 1000
    print(f"{game}: drawn after {taken:.1f} s")
    assert taken < MOST_SECONDS


def test_a_finger_looks_first_and_commits_with_the_second_touch(open_page: Open, new_table: New) -> None:
    table = open_page("en", has_touch=True)
    table.sit(new_table("field", "person", "computer"))
    to_the_move(table)
    while table.kind != "choose":
        table.answer_by_clicks(0)
        table.wait_asked()
    before = table.count
    target = table.point(12, 17.5)
    table.page.touchscreen.tap(*target)
    table.page.locator(".odds", has_text="94 %").wait_for()
    table.page.wait_for_timeout(500)
    assert table.count == before
    table.page.touchscreen.tap(*target)
    table.answered(before)
