"""Counted for every game and told (`pytest -rP`): clicks from the first page to the first die, clicks of a first turn
by sensible play, draw calls with the largest armies."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import httpx
import pytest
from playwright.sync_api import TimeoutError

from browser.table import HURRY, PATIENCE, Table

pytestmark = pytest.mark.browser

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")
MOST_CLICKS = {"warcry": 32, "aos": 75, "conquest": 24, "wh40k": 50, "t9a": 45}
"""For the whole first round, both sides' turns, about twice what is counted (`pytest -rP` tells): hints take what time
they get, and a busy machine plays another battle."""
LAST = {"conquest": 3}
"""The round before which is counted: in Conquest's first round few regiments or none have come on yet."""
COUNT = """addEventListener('click', (event) => {
    sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
    const asked = document.querySelector('.question h2')?.innerText ?? '';
    const what = event.target.closest('button, a')?.innerText ?? event.target.className;
    const told = JSON.parse(sessionStorage.clicked ?? '[]');
    sessionStorage.clicked = JSON.stringify([...told, asked + ' -> ' + String(what).replaceAll(/\\s+/g, ' ')]);
}, true)"""


def clicks(table: Table) -> int:
    counted: int = table.page.evaluate("Number(sessionStorage.clicks ?? 0)")
    return counted


def forget_clicks(table: Table) -> None:
    table.page.evaluate("delete sessionStorage.clicks; delete sessionStorage.clicked")


def clicked(table: Table) -> list[str]:
    """What each click was: what was asked, and what was clicked."""
    told: list[str] = table.page.evaluate("JSON.parse(sessionStorage.clicked ?? '[]')")
    return told


def last(table: Table, kind: str) -> dict[str, Any]:
    """The last message of a kind that the umpire sent."""
    told: dict[str, Any] = json.loads(next(said for said in reversed(table.heard) if f'"type":"{kind}"' in said))
    return told


def asked(table: Table) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is shown and what is asked, as the umpire told it."""
    while True:
        told = next(said for said in reversed(table.heard) if '"type":"view"' in said or '"type":"update"' in said)
        view: dict[str, Any] = json.loads(told)["view"]
        if view["decisions"]:
            return view, view["decisions"][0]
        table.page.wait_for_timeout(50)


def first_battle_from_the_first_page(game: str, table: Table) -> None:
    table.page.add_init_script(COUNT)
    seeded = lambda route: route.continue_(post_data=json.dumps({**route.request.post_data_json, "seed": 7}))  # noqa: E731
    table.page.route("**/api/tables", seeded)
    table.visit("/")
    table.page.locator(".card.main" if game == GAMES[0] else f"[data-first='{game}']").click()
    table.page.locator("[data-set-up]").click()
    table.page.locator(".log li.rolled").first.wait_for()
    while table.wait_asked() and asked(table)[1].get("preparing"):
        table.page.wait_for_timeout(100)


def hinted(table: Table) -> Any:
    """What the computer would answer: asked for by a key, so that no click is counted. A late hint to a question that
    was answered meanwhile is none."""
    said, waited = len(table.said), 0
    asked_at = table.count, table.kind
    while True:
        if waited % HURRY == 0:
            table.page.keyboard.press("h")
        table.page.wait_for_timeout(100)
        waited += 100
        asked = [json.loads(told)["id"] for told in table.said[said:] if '"type":"hint"' in told]
        for told in reversed(table.heard):
            if '"type":"hint"' in told and (hint := json.loads(told))["id"] in asked:
                return hint["answer"]
        if (table.count, table.kind) != asked_at:
            raise TimeoutError("the question is gone: it had one answer only")
        assert waited < PATIENCE, "no hint"


def carry(table: Table, view: dict[str, Any], unit: str) -> bool:
    """Take hold of a unit and let go of it four inches ahead, or as far as it may go; where it may not stand there, at
    the nearest place. False where no hand can take hold of it: under a floor, say."""
    page = table.page
    own = [piece for piece in view["picture"]["pieces"] if unit in (piece["unit"], piece["id"])]
    home = view["picture"]["homes"][0]
    ahead = math.sin(math.radians(home)), math.cos(math.radians(home))
    own.sort(key=lambda piece: piece["x"] * ahead[0] + piece["y"] * ahead[1], reverse=True)
    for front in [*(own[:3] * 3)[:3], None]:
        if front is None:
            return False
        x, y, z = front["x"], front["y"], front["z"] + 0.8 * front["height"]
        page.mouse.move(*table.point(x, y, z))
        page.mouse.down()
        page.mouse.move(*table.seen(x + ahead[0], y + ahead[1], z), steps=2)
        try:
            page.wait_for_function("() => document.querySelector('.answers').dataset.kind === 'move'", timeout=HURRY)
            break
        except TimeoutError:  # something stands before it: another model is taken hold of
            page.mouse.up()
    ask = asked(table)[1]
    far = min(4.0, ask["form"].get("limit") or 4.0)
    if "charge" in ask["prompt"]["key"]:  # up to the nearest enemy
        foes = [piece for piece in view["picture"]["pieces"] if piece["side"] not in (front["side"], None)]
        foe = min(foes, key=lambda piece: math.hypot(piece["x"] - x, piece["y"] - y))
        away = math.hypot(foe["x"] - x, foe["y"] - y)
        ahead = (foe["x"] - x) / away, (foe["y"] - y) / away
        far = max(0.0, away - (front["shape"]["width"] + foe["shape"]["width"]) / 2)
    for part in (0.5, 1.0):
        page.mouse.move(*table.seen(x + part * far * ahead[0], y + part * far * ahead[1], z), steps=2)
    answers = table.count
    table.judged()
    if page.locator(".question .refused").count():  # the hand goes where the piece is shown instead
        stands = last(table, "ruling")["ruling"]["stands"].get(front["id"])
        if stands:
            page.mouse.move(
                *table.seen(stands["x"], stands["y"], stands.get("z", 0.0) + 0.8 * front["height"]), steps=2
            )
            table.judged()
    page.mouse.up()
    try:
        table.answered(answers, 2500)
    except TimeoutError:
        page.locator(".answers [data-commit]:enabled").click(timeout=HURRY)
    return True


def nearest_foe(view: dict[str, Any], unit: str, among: set[str] | None = None) -> tuple[dict[str, Any], Any] | None:
    """Of a unit's models and the enemy's, or of some of its units, the two that are nearest to each other."""
    pieces = view["picture"]["pieces"]
    own = [piece for piece in pieces if unit in (piece["unit"], piece["id"])]
    foes = [
        piece
        for piece in pieces
        if own and piece["side"] not in (own[0]["side"], None) and (among is None or piece["unit"] in among)
    ]
    pairs = [
        (math.hypot(one["x"] - foe["x"], one["y"] - foe["y"]), n) for n, (one, foe) in enumerate(product(own, foes))
    ]
    return list(product(own, foes))[min(pairs)[1]] if pairs else None


def lead_onto(table: Table, view: dict[str, Any], unit: str) -> bool:
    """Lead a unit to the nearest enemy and let go of it there; False where the hand missed it."""
    found = nearest_foe(view, unit)
    if found is None:
        return False
    page, before = table.page, table.count
    one, foe = ((piece["x"], piece["y"], piece["z"] + 0.6 * piece["height"]) for piece in found)
    page.mouse.move(*table.point(*one))
    page.mouse.down()
    page.mouse.move(*table.seen(*((a + b) / 2 for a, b in zip(one, foe, strict=True))), steps=2)
    page.mouse.move(*table.seen(*foe), steps=2)
    page.mouse.up()
    try:
        table.answered(before, 2500)
    except TimeoutError:
        return False
    return True


def ahead(table: Table) -> dict[str, Any]:
    """What the options of the open question lead to, as the umpire told it."""
    for _ in range(100):
        views = [n for n, said in enumerate(table.heard) if '"type":"view"' in said or '"type":"update"' in said]
        told = [said for said in table.heard[views[-1] :] if '"type":"ahead"' in said]
        if told:
            found: dict[str, Any] = json.loads(told[-1])["ahead"]
            return found
        table.page.wait_for_timeout(50)
    return {}


def way_on(view: dict[str, Any], unit: str, follows: dict[str, Any]) -> list[str]:
    """What somebody chooses next: the nearest enemy, or else the first that is offered."""
    options = follows["ask"]["options"]
    by_unit = {ref: option["id"] for option in options for ref in option.get("refs", ())[:1]}
    found = nearest_foe(view, unit, set(by_unit))
    chosen = by_unit[found[1]["unit"]] if found else options[0]["id"]
    after = follows["then"].get(chosen)
    return [chosen, *(way_on(view, unit, after) if after else [])]


def choose(table: Table, view: dict[str, Any], ask: dict[str, Any], wish: str) -> None:
    """By dragging where that chooses, by the end of the phase in its bar, else by the unit and its deed. What comes to
    nothing nobody does; who declines a thing declines its like for the rest of the turn, or else of the phase."""
    option = next(option for option in ask["options"] if option["id"] == wish)
    if option.get("vain"):
        option = next((other for other in ask["options"] if other.get("ends") or other.get("passes")), option)
    wish, unit = option["id"], option.get("unit", "")
    if option.get("ends") or option.get("passes"):
        for later in (table.page.locator("[data-not-this-turn]"), table.page.locator("[data-not-now]")):
            if later.count():
                later.click(timeout=HURRY)
                return
    button = table.answers.locator(f"[data-option='{wish}']")
    end = table.page.locator("[data-end-phase]")
    if option.get("drag") and carry(table, view, unit):
        return
    if option.get("ends") and end.count():
        end.click(timeout=HURRY)
        return
    if option.get("drop") and lead_onto(table, view, unit):
        return
    if not button.count() and table.answers.locator(f"[data-unit='{unit}']").count() == 0:  # another's deeds are open
        table.answers.locator("button.plain.unit").click(timeout=HURRY)
    if not button.count():
        table.answers.locator(f"[data-unit='{unit}']").click(timeout=HURRY)
    if follows := ahead(table).get(wish):
        button.hover(timeout=HURRY)
        way = " ".join(way_on(view, unit or option.get("refs", [""])[0], follows))
        table.answers.locator(f"[data-then='{way}']").click(timeout=HURRY)
    else:
        button.click(timeout=HURRY)


def pick_one(table: Table, wish: str) -> None:
    """By its button; many models are no row of buttons until somebody wants them: they are clicked where they stand."""
    button = table.answers.locator(f"[data-option='{wish}']")
    if not button.count():
        table.answers.locator("[data-all-options]").click(timeout=HURRY)
    button.click(timeout=HURRY)


def sensibly(table: Table) -> None:
    """What somebody does who plays as the computer would, and knows how to take hold of things."""
    before, kind = table.count, table.kind
    if not kind:  # the battle is over, or what was asked has been answered as is usual, since somebody looked
        return
    view, ask = asked(table)
    if ask.get("detail"):  # the table answers it, as is usual
        table.page.wait_for_timeout(100)
        return
    commit = table.page.locator(".answers [data-commit]:enabled")
    picks = kind == "choose-several" and ask["most"] == 1 and not ask.get("default")
    wish = hinted(table) if picks or kind in ("choose", "confirm") else None
    if table.count != before:  # what was chosen together with the answer before has been answered since
        return
    try:
        if kind == "choose":
            choose(table, view, ask, wish)
        elif kind == "confirm":
            table.answers.locator(f"[data-option='{str(wish).lower()}']").click(timeout=HURRY)
        elif kind == "move" and carry(table, view, ask["about"]):
            pass
        elif picks and wish:
            pick_one(table, wish[0])
        else:
            if not commit.count():
                table.answers.locator("[data-suggest]").click(timeout=HURRY)
            commit.click(timeout=HURRY)
    except TimeoutError:  # what has one answer only is answered at once, and the question was gone
        if (table.count, table.kind) == (before, kind):
            raise
        return
    table.answered(before)


def round_of(table: Table) -> int:
    number = re.search(r"\d+", table.page.locator(".topbar .track li").first.inner_text())
    return int(number[0]) if number else 0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_clicks_to_the_first_die_and_of_the_first_round(game: str, open_page: Callable[..., Table]) -> None:
    table = open_page("zh")
    first_battle_from_the_first_page(game, table)
    to_die = clicks(table)
    forget_clicks(table)
    spent = {"own turn": 0, "their turn": 0, "else": 0}
    while table.wait_asked() and round_of(table) < LAST.get(game, 2):
        turn = asked(table)[0]["picture"]["turn"]
        before, said = clicks(table), len(table.said)
        sensibly(table)
        whose = "else" if turn is None else "their turn" if turn else "own turn"
        spent[whose] += clicks(table) - before
        for line in clicked(table)[before:]:
            print(f"  {whose}: {line}")
        for told in table.said[said:]:
            if '"type":"answer"' in told:
                print(f"    {json.loads(told)['answer']}")
    print(f"{game}: {to_die} clicks to the first die, {clicks(table)} before round {LAST.get(game, 2)}: {spent}")
    assert to_die == 2
    assert 0 < clicks(table) <= MOST_CLICKS[game]


LARGEST = {
    "warcry": {},
    "aos": {"points": 2000},
    "conquest": {"points": 2000},
    "wh40k": {"size": "strike-force"},
    "t9a": {"points": 4500},
}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_largest_armies_are_drawn_in_few_calls(game: str, open_page: Callable[..., Table], address: str) -> None:
    table = open_page("zh")
    menu = next(menu for menu in httpx.get(f"{address}/api/games", timeout=60).json() if menu["id"] == game)
    armies = [
        army["id"] for army in menu["library"]["armies"] if LARGEST[game].items() <= army.get("options", {}).items()
    ]
    seats: list[dict[str, Any]] = [{"kind": "person", "army": armies[0]}, {"kind": "computer", "army": armies[-1]}]
    wish = {"game": game, "seed": 7, "seats": seats, "options": LARGEST[game], "guide": True}
    made = httpx.post(f"{address}/api/tables", json=wish, timeout=60)
    assert made.status_code == 200, made.text
    table.sit(made.json())
    table.wait_asked()
    table.page.locator("[data-set-up]").click()
    table.page.wait_for_function("() => !document.querySelector('[data-set-up]')")
    table.wait_asked()
    calls = table.page.evaluate("window.umpireLens.calls()")
    pieces = table.page.evaluate("Number(document.querySelectorAll('.chip').length)")
    print(f"{game}: {calls} draw calls with {pieces} units")
    assert calls < 150
