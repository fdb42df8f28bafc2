"""A walk through the pages of every game: no word that is meant for programs, nothing clipped, few draw calls
(`pytest -rP` tells how many)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from browser.table import Table

pytestmark = pytest.mark.browser

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")
MOST_CALLS = 150
ODD = r"""() => {
    const raw = /(^|[\s(:：，、])(?!e\.g\.|i\.e\.)(([a-z]+(-[a-z]+)*\.)+[a-z]+(-[a-z]+)*|[a-z]+(-[a-z0-9]+)*:[a-z0-9.-]+|[a-z]+_[a-z_]+|undefined|null|NaN|\[object)/;
    const player = /(^|[\s：:])(side|player|玩家) ?[01]($|[\s，。：:'’])/i;
    const chinese = document.documentElement.lang.startsWith('zh');
    const found = [];
    const inside = (x, y, element) => {
        for (let e = element; e; e = e.parentElement) {
            const box = e.getBoundingClientRect();
            const clips = e === element || getComputedStyle(e).overflow !== 'visible';
            if (clips && (x < box.left || x > box.right || y < box.top || y > box.bottom)) return false;
        }
        return x > 0 && y > 0 && x < innerWidth && y < innerHeight;
    };
    for (const element of document.querySelectorAll('body *')) {
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (element.closest('svg, canvas, code, kbd, .rule-id, .secret, script, style, .editor')) continue;
        const own = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent).join(' ').trim();
        if (!own) continue;
        if (raw.test(own) && !/umpire serve/.test(own)) found.push('id: ' + own.slice(0, 80));
        if (player.test(own)) found.push('player: ' + own.slice(0, 80));
        const words = own.replace(/Umpire|EN\b|English|Shift|Pg(Up|Dn)|https?:\S+/g, '');
        if (chinese && /[a-z]{3,}/i.test(words) && !element.closest('[lang=en], input')) found.push('english: ' + own.slice(0, 80));
        if (!chinese && /[\u4e00-\u9fff]/.test(own.replace(/中/g, '')) && !element.closest('[lang^=zh]')) found.push('chinese: ' + own.slice(0, 80));
        const style = getComputedStyle(element);
        const cut = element.scrollWidth > element.clientWidth + 2 && style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis';
        const line0 = document.createRange();
        line0.selectNodeContents(element);
        const [{ left, right }, shut] = [line0.getBoundingClientRect(), []];
        for (let e = element.parentElement; e && e !== document.body; e = e.parentElement) {
            const look = getComputedStyle(e);
            if (look.overflowX === 'auto' || look.overflowX === 'scroll') break;
            if (look.overflowX === 'hidden' && look.textOverflow !== 'ellipsis') shut.push(e.getBoundingClientRect());
        }
        const ends = shut.some((box) => left < box.right - 2 && right > box.right + 2) && style.textOverflow !== 'ellipsis';
        if (ends && !element.closest('.labels')) found.push('cut off: ' + own.slice(0, 60));
        if (cut && element.clientWidth) found.push('clipped: ' + own.slice(0, 60));
        if (element.closest('.labels, .tray, .deeds, .armies, .reserve, [aria-hidden=true]')) continue;
        if (document.querySelector('.veil') && !element.closest('.veil')) continue;
        const lies = '.then, [role=dialog], .invite';  // over the table, as they should
        const range = document.createRange();
        range.selectNodeContents([...element.childNodes].find((n) => n.nodeType === 3 && n.textContent.trim()));
        const box = range.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const top = inside(x, y, element) ? document.elementFromPoint(x, y) : null;
        const line = (e) => e.closest('li, p, h2, .title');
        if (top && (!top.closest(lies) || element.closest(lies)) && top !== element && (!line(top) || line(top) !== line(element)) && !element.contains(top) && !top.contains(element) && !top.closest('label')?.contains(element))
            found.push('covered: ' + own.slice(0, 40) + ' by ' + (top.className || top.tagName));
    }
    for (const card of document.querySelectorAll('[role=dialog], .invite, .then, .tray, .guide')) {
        const box = card.getBoundingClientRect();
        const seen = card.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        const scrolled = card.closest('.right, .lab > *') !== null;
        if (seen && !scrolled && (box.top < -1 || box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)) found.push('outside: ' + card.className);
    }
    if (document.documentElement.scrollWidth > innerWidth + 1) found.push('wider than the window');
    return [...new Set(found)];
}"""  # noqa: E501
"""Words with dots, colons or underscores inside are ids, and players have sides, not numbers; the rule book and the
proof of the dice may show theirs. Nothing of the other language, nothing cut off, nothing behind something else."""


def odd(table: Table) -> list[str]:
    found: list[str] = table.page.evaluate(ODD)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_internal_is_seen_in_a_first_battle(
    game: str, lang: str, open_page: Callable[..., Table], first_battle: Callable[[str], dict[str, Any]]
) -> None:
    table = open_page(lang)
    table.sit(first_battle(game))
    seen: dict[str, list[str]] = {}
    for turn in range(16):
        if not table.wait_asked():
            break
        seen[f"{turn} {table.kind}"] = odd(table)
        table.answer_by_clicks(turn if turn % 3 else 0)
    table.page.locator(".topbar .title").click()
    seen["goal"] = odd(table)
    table.page.keyboard.press("Escape")
    calls = table.page.evaluate("window.umpireLens.calls()")
    print(f"{game}: {calls} draw calls")
    assert {place: words for place, words in seen.items() if words} == {}
    assert calls < MOST_CALLS


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_nothing_internal_is_seen_before_a_battle(lang: str, open_page: Callable[..., Table]) -> None:
    table = open_page(lang)
    table.visit("/")
    assert odd(table) == []
    table.page.locator(".card").nth(1).click()
    picks = table.page.locator(".pick")
    picks.first.wait_for()
    for n in range(picks.count()):
        picks.nth(n).click()
        for fold in table.page.locator(".leaf summary").all():
            fold.click()
        assert odd(table) == [], picks.nth(n).inner_text()


def test_armies_of_different_size_are_refused_in_the_form(open_page: Callable[..., Table]) -> None:
    table = open_page("en")
    table.visit("/")
    table.page.locator(".card").nth(1).click()
    table.page.locator(".pick", has_text="Sigmar").click()
    for side, army in enumerate(("tidewardens-1000", "cinderclans-2000")):
        table.page.locator(".seat select").filter(has_text="Tide Wardens").nth(side).select_option(army)
    table.page.locator(".problem", has_text="different size").wait_for()
    assert table.page.locator("button.brass").is_disabled()
    table.page.locator(".seat summary").first.click()
    assert table.page.locator(".list li").first.is_visible()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_first_die_is_thrown_after_two_clicks(game: str, open_page: Callable[..., Table]) -> None:
    table = open_page("zh")
    table.visit("/")
    table.page.locator(".card.main" if game == GAMES[0] else f"[data-first='{game}']").click()
    table.page.locator("[data-set-up]").click()
    table.page.locator(".log li.rolled").first.wait_for()
    table.page.locator(".answers[data-kind]:not([data-kind=''])").wait_for()
