"""What everybody must be able to read: contrast AA in both themes, on every main screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from browser.table import Table

pytestmark = pytest.mark.browser

PALE = """() => {
    const parse = (text) => {
        const at = text.match(/[\\d.]+/g).map(Number);
        const scale = text.startsWith('color(') ? 255 : 1;
        return [at[0] * scale, at[1] * scale, at[2] * scale, at[3] ?? 1];
    };
    const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const light = (c) => {
        const [r, g, b] = c.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    };
    const found = [];
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
        const style = getComputedStyle(element);
        const shown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        if (!own || !shown || element.closest('svg, canvas, .labels') || element.closest(':disabled')) continue;
        const ground = behind(element);
        const ink = parse(style.color);
        for (let e = element; e; e = e.parentElement) ink[3] *= Number(getComputedStyle(e).opacity);
        const [a, b] = [light(over(ink, ground)), light(ground)].sort((x, y) => y - x);
        const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < (large ? 3 : 4.5)) found.push(`${ratio.toFixed(2)} ${element.className || element.tagName}: ${element.textContent.trim().slice(0, 40)}`);
    }
    return [...new Set(found)];
}"""  # noqa: E501


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_its_ground(
    theme: str, open_page: Callable[..., Table], new_table: Callable[..., dict[str, Any]]
) -> None:
    table = open_page("zh")
    table.visit("/")
    if theme == "dark":
        table.page.get_by_role("button", name="深色主题").click()
    assert table.page.evaluate(PALE) == []
    table.page.locator(".card").nth(1).click()
    table.page.locator(".pick").first.wait_for()
    assert table.page.evaluate(PALE) == []
    table.sit(new_table("field", "person", "computer", guide=True))
    table.wait_asked()
    table.click(20, 10)
    table.page.locator(".refused").wait_for()
    table.page.locator(".chip").first.click()
    table.page.locator(".unitcard").wait_for()
    assert table.page.evaluate(PALE) == []
    for tab in ("规则", "运气"):
        table.page.get_by_role("tab", name=tab).click()
        table.page.wait_for_timeout(500)
        assert table.page.evaluate(PALE) == []
