"""A walk through forty screens: five games, both languages, laptop, tablet and phone, both themes; the start page, the
form, the guide, how to win, odds, refusals, casualties, re-rolls, hand-over, invitation, recap, settings, lab, replay
and end among them. Nothing internal, nothing untranslated, nothing clipped or covered. Every run looks at one of each
game, UMPIRE_SCREENS=all at all of them. With a folder in UMPIRE_PICTURES a picture of each is kept there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.table import HURRY, Table
from browser.test_first_turns import ahead, asked
from browser.test_walk import odd

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PICTURES = os.environ.get("UMPIRE_PICTURES", "")
DEVICES = {"laptop": (1366, 768), "tablet": (1024, 768), "phone": (390, 844)}
SCENES = {
    "warcry": ("start", "guide", "battle", "refusal", "recap", "replay", "settings", "end"),
    "aos": ("form", "goal", "battle", "odds", "casualties", "recap", "lab", "end"),
    "conquest": ("guide", "form", "invitation", "battle", "lab", "replay", "refusal", "settings"),
    "wh40k": ("goal", "battle", "handover", "reroll", "form", "odds", "lab", "end"),
    "t9a": ("battle", "start", "refusal", "rules", "odds", "replay", "handover", "guide"),
}
"""Eight of every game, in an order in which each is seen in all six pairs of language and device."""
ALWAYS = {"warcry": "settings", "aos": "casualties", "conquest": "invitation", "wh40k": "reroll", "t9a": "rules"}
ALL = os.environ.get("UMPIRE_SCREENS") == "all"


def walk() -> list[Any]:
    screens = []
    for i, (game, scenes) in enumerate(SCENES.items()):
        for j, scene in enumerate(scenes):
            if not (ALL or scene == ALWAYS[game]):
                continue
            lang, device = ("zh", "en")[(i + j) % 2], tuple(DEVICES)[(i + j) % 3]
            theme = ("light", "dark")[(i + j // 2) % 2]
            screens.append(pytest.param(game, scene, lang, device, theme, id=f"{game}-{scene}-{lang}-{device}-{theme}"))
    return screens


class Walker:
    """Somebody who brings a table to the moment that is to be looked at."""

    def __init__(self, table: Table, game: str, first: Callable[..., dict[str, Any]]) -> None:
        self.table, self.game, self.first = table, game, first
        self.page = table.page

    def sit(self, **more: Any) -> None:
        self.table.sit(self.first(self.game, **more))
        self.table.wait_asked()

    def begin(self) -> None:
        """A first battle, with its setting up left to the umpire."""
        self.table.sit(self.first(self.game, guide=True))
        self.page.locator("[data-set-up]").click()
        while self.table.wait_asked() and asked(self.table)[1].get("preparing"):
            self.page.wait_for_timeout(100)
        self.page.locator(".guide .quiet").first.click()

    def play(self, answers: int) -> None:
        for turn in range(answers):
            if not self.table.wait_asked():
                return
            self.table.answer_by_clicks(turn if turn % 3 else 0)
        self.table.wait_asked()

    def until(self, found: Callable[[dict[str, Any]], bool], most: int = 60) -> dict[str, Any]:
        """Play on until something is asked that is wanted."""
        for turn in range(most):
            assert self.table.wait_asked(), "the battle is over"
            ask = asked(self.table)[1]
            if not ask.get("detail") and found(ask):
                return ask
            self.table.answer_by_clicks(turn if turn % 3 else 0)
        pytest.fail("it was never asked")

    # -- the screens ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.table.visit("/")
        self.page.locator("[data-first]").first.wait_for()

    def form(self) -> None:
        self.start()
        self.page.locator(".card").nth(1).click()
        self.page.locator(".pick").first.wait_for()
        self.page.locator(".pick").nth(tuple(SCENES).index(self.game)).click()

    def opened(self, other: str) -> None:
        self.form()
        self.page.locator("fieldset.seat").nth(1).locator("select").first.select_option(other)
        self.page.locator("form .brass").click()
        self.page.wait_for_selector(".board canvas")

    def guide(self) -> None:
        self.sit(guide=True)
        self.page.locator(".guide").wait_for()

    def goal(self) -> None:
        self.sit()
        self.play(2)
        title = self.page.locator(".topbar .title")
        if title.is_visible():
            title.click()
        else:
            self.page.locator(".burger").click()
            self.page.locator(".more .only-narrow").click()
        self.page.locator(".sheet .goal").first.wait_for()

    def battle(self) -> None:
        self.begin()
        self.play(4)

    def odds(self) -> None:
        """A deed is pointed at, and what it leads to is offered with it, with its odds."""
        self.begin()
        self.until(lambda ask: ask["kind"] == "choose" and bool(ahead(self.table)), 150)
        option = next(iter(ahead(self.table)))
        button = self.table.answers.locator(f"[data-option='{option}']")
        if not button.count():
            unit = next(one["unit"] for one in asked(self.table)[1]["options"] if one["id"] == option)
            self.table.answers.locator(f"[data-unit='{unit}']").click()
        button.hover()
        self.page.locator("[data-then]").first.hover()

    def refusal(self) -> None:
        """What is moved is sent further than it may go."""
        self.begin()
        self.until(lambda ask: ask["kind"] in ("move", "place"), 80)
        picture = asked(self.table)[0]["picture"]
        self.table.click(picture["width"] / 2, picture["depth"] / 2)
        self.table.judged()
        self.page.locator(".refused").first.wait_for(timeout=HURRY)

    def scene(self, text: str) -> None:
        self.table.visit(f"/lab/{self.game}-1")
        self.page.wait_for_selector(".board canvas")
        self.page.locator(".editor textarea").fill(text)

    def casualties(self) -> None:
        self.scene(CASUALTIES[self.game])
        expect(self.page.locator(".answers")).to_have_attribute("data-kind", "choose-several")
        self.page.locator(".board").scroll_into_view_if_needed()

    def reroll(self) -> None:
        self.scene(REROLLS[self.game])
        expect(self.page.locator(".question .rolled-now .die").first).to_be_visible()
        self.page.locator(".board").scroll_into_view_if_needed()

    def lab(self) -> None:
        self.table.visit(f"/lab/{self.game}-1")
        self.page.wait_for_selector(".puzzle-card")

    def recap(self) -> None:
        self.begin()
        self.until(lambda ask: self.page.locator("button.recap").count() > 0)
        self.page.locator("button.recap").click()
        self.page.locator(".recap .plain:enabled").last.click()

    def settings(self) -> None:
        self.sit()
        self.open_settings()

    def open_settings(self) -> None:
        burger = self.page.locator(".burger")
        if burger.is_visible():
            burger.click()
        self.page.locator(".more button").last.click()
        self.page.locator(".sheet").wait_for()

    def rules(self) -> None:
        self.sit()
        self.play(6)
        self.page.locator(".log .sign").last.click()
        self.page.locator(".rule h3").wait_for()

    def end(self) -> None:
        self.begin()
        self.play(3)
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.open_settings()
        self.page.locator(".sheet .danger").click()
        self.page.locator(".finished .brass").wait_for()

    def replay(self) -> None:
        self.end()
        self.page.locator(".finished [data-replay]").click()
        self.page.locator(".answers.player").wait_for()
        self.page.keyboard.press("End")
        for _ in range(4):
            self.page.keyboard.press("ArrowLeft")
        self.page.wait_for_url(re.compile(r"#\d\d+$"))

    def invitation(self) -> None:
        self.opened("open")
        self.page.locator(".invite .qr svg").wait_for()

    def handover(self) -> None:
        self.opened("person")
        for turn in range(40):
            self.page.wait_for_selector(".handover, .answers[data-kind]:not([data-kind=''])")
            if self.page.locator(".handover").count():
                return
            self.table.answer_by_clicks(turn)
        pytest.fail("the screen was never handed over")


@pytest.mark.parametrize(("game", "scene", "lang", "device", "theme"), walk())
def test_a_screen(
    game: str,
    scene: str,
    lang: str,
    device: str,
    theme: str,
    open_page: Callable[..., Table],
    first_battle: Callable[..., dict[str, Any]],
) -> None:
    width, height = DEVICES[device]
    table = open_page(lang, theme=theme, fine=bool(PICTURES), has_touch=device != "laptop")
    table.page.set_viewport_size({"width": width, "height": height})
    getattr(Walker(table, game, first_battle), scene)()
    table.page.wait_for_timeout(300)  # what fades or slides in has done so
    if PICTURES:
        table.page.wait_for_timeout(1500)
        table.page.screenshot(path=f"{PICTURES}/{game}-{scene}-{lang}-{device}-{theme}.png")
    assert odd(table) == []


CASUALTIES = {
    "aos": """\
game: aos
position:
  phase: hero
  objectives: []
  units:
  - {id: a1, side: 0, models: [[12, 6]], profile: {base: [25.4], abilities: [
      {id: bolt, timing: your hero, target: enemy, range: 40, does: [{do: mortal, amount: '2', who: target}]}]}}
  - {id: b1, side: 1, profile: {name: {zh: 潮卫, en: Tideguard}, base: [25.4]}, models: [
      [10, 20], [11.4, 20], [12.8, 20], [14.2, 20], [10, 21.4], [11.4, 21.4], [12.8, 21.4], [14.2, 21.4]]}
answers:
- {side: 0, answer: 'scene-a1.bolt:a1'}
""",
}
REROLLS = {
    "wh40k": """\
game: wh40k
dice: [3, 3, seeded]
position:
  phase: charge
  round: 2
  sides: [{cp: 1, wishes: ['charge:failed']}, {cp: 0}]
  units:
  - {id: a1, side: 0, profile: {name: {zh: 冲锋者, en: chargers}}, models: [[10, 10], [11.5, 10]]}
  - {id: b1, side: 1, profile: {name: {zh: 守军, en: garrison}}, models: [[10, 19], [11.5, 19]]}
answers:
- {side: 0, answer: a1}
- {side: 0, answer: [b1]}
""",
}
