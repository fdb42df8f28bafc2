"""A person at the table: what they see, and hands that only click and press keys."""

from __future__ import annotations

import json
import time
from typing import Any

from playwright.sync_api import Browser, Locator, TimeoutError

PATIENCE = 60_000
HURRY = 10_000


class Table:
    def __init__(
        self,
        browser: Browser,
        address: str,
        lang: str = "en",
        animate: bool = False,
        theme: str = "light",
        fine: bool = False,
        **context: Any,
    ) -> None:
        self.address = address
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, **context)
        chosen = {"lang": lang, "theme": theme, "animate": animate, "shadows": False, "fine": fine, "goalCard": False}
        kept = json.dumps({"state": chosen, "version": 0})
        self.context.add_init_script(f"localStorage['umpire.settings'] ??= {json.dumps(kept)}")
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.heard: list[str] = []
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.said: list[str] = []
        self.frames: list[tuple[float, str, str]] = []
        self.page.on("websocket", lambda s: s.on("framereceived", lambda data: self._noted("<", data, self.heard)))
        self.page.on("websocket", lambda s: s.on("framesent", lambda data: self._noted(">", data, self.said)))

    def _noted(self, way: str, data: str | bytes, among: list[str]) -> None:
        among.append(str(data))
        self.frames.append((time.monotonic(), way, str(data)))

    def last_seen(self, frames: int = 12) -> str:
        """Where a test came to a standstill: what is asked, and what was last said and heard, how long ago."""
        now = time.monotonic()
        shown = self.page.evaluate(
            "[{...document.querySelector('.answers')?.dataset}, document.querySelector('.question')?.innerText]"
        )
        told = [f"{now - at:8.2f} s ago {way} {data[:300]}" for at, way, data in self.frames[-frames:]]
        return "\n".join([f"{self.page.url} {json.dumps(shown, ensure_ascii=False)}", *told])

    def visit(self, path: str) -> None:
        self.page.goto(self.address + path)

    def sit(self, made: dict[str, Any], side: int | None = 0) -> None:
        token = made["watch"] if side is None else next(x["token"] for x in made["links"] if x["side"] == side)
        self.visit(f"/table/{made['table']}#{token}")
        self.page.wait_for_selector(".board canvas")

    @property
    def answers(self) -> Locator:
        return self.page.locator(".answers")

    @property
    def kind(self) -> str:
        return self.answers.get_attribute("data-kind") or ""

    @property
    def count(self) -> int:
        return int(self.answers.get_attribute("data-answers") or 0)

    @property
    def over(self) -> bool:
        return self.answers.get_attribute("data-over") == "true"

    def wait_asked(self) -> bool:
        """Wait until something is asked or the battle is over; False when it is over."""
        self.page.wait_for_selector(".answers[data-kind]:not([data-kind='']), .answers[data-over='true']")
        return not self.over

    def point(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """Where a place on the table is in the window, once nothing there moves any more."""
        at = self.page.evaluate(
            """async ([x, y, z]) => {
                const look = () => {
                    const seen = window.umpireLens?.project(x, y, z);
                    const box = document.querySelector('.board').getBoundingClientRect();
                    return seen ? [seen[0] + box.x, seen[1] + box.y] : null;
                };
                for (let before = null, still = 0; still < 6; ) {
                    await new Promise(requestAnimationFrame);
                    const now = look();
                    still = now && before && Math.hypot(now[0] - before[0], now[1] - before[1]) < 0.1 ? still + 1 : 0;
                    before = now;
                }
                return look();
            }""",
            [x, y, z],
        )
        return at[0], at[1]

    def seen(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """Where a place on the table is in the window now."""
        box = self.page.locator(".board").bounding_box()
        assert box is not None
        at = self.page.evaluate("([x, y, z]) => window.umpireLens.project(x, y, z)", [x, y, z])
        return at[0] + box["x"], at[1] + box["y"]

    def click(self, x: float, y: float, z: float = 0.0) -> None:
        self.page.mouse.click(*self.point(x, y, z))

    def judged(self) -> None:
        """Wait for the umpire's word on what was wished last."""
        self.page.wait_for_function(
            """async () => {
                for (let still = 0; still < 3; still++) {
                    await new Promise(requestAnimationFrame);
                    if (document.querySelector('.question[aria-busy="true"]')) return false;
                }
                return true;
            }"""
        )

    def answered(self, before: int, patience: int = PATIENCE) -> None:
        self.page.wait_for_function(
            "n => Number(document.querySelector('.answers')?.dataset.answers) > n", arg=before, timeout=patience
        )

    def answer_by_clicks(self, turn: int, suggest: bool = True) -> None:
        """Answer what is asked with the mouse: an option, or what is suggested or lies there, confirmed.

        Where both sides choose at once, the other's answer counts too, and the own may be carried out only after this
        has looked what is asked now: then what was to be clicked goes away, and nothing is lost by looking again.
        """
        before, kind = self.count, self.kind
        if not kind:  # answered as is usual since somebody looked: others have their say now, or the battle is over
            return
        try:
            if kind in ("choose", "confirm"):
                options = self.answers.locator(".option")
                options.nth(turn % max(1, options.count())).click(timeout=HURRY)
                if self.count == before and self.answers.locator("button.plain.unit").count():  # a unit: now its deed
                    deeds = self.answers.locator(".option[data-option]")
                    deeds.nth(turn % max(1, deeds.count())).click(timeout=HURRY)
            else:
                if suggest:
                    self.answers.locator("[data-suggest]").click(timeout=HURRY)
                self.page.wait_for_selector(".answers [data-commit]:enabled", timeout=HURRY)
                self.answers.locator("[data-commit]").click(timeout=HURRY)
        except TimeoutError:
            if (self.count, self.kind) == (before, kind):
                raise
            return
        self.answered(before)

    def play_to_the_end(self, most: int = 600) -> set[str]:
        """The kinds of questions that were answered on the way."""
        kinds = set()
        for turn in range(most):
            if not self.wait_asked():
                return kinds
            kinds.add(self.kind)
            self.answer_by_clicks(turn)
        raise AssertionError(f"the battle was not over after {most} answers")
