"""The rules lab: scenes are carried out apart, asked about, and played on; bad ones cost nobody anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import umpire
from server.house import House, house, pair
from umpire.engine.game import games
from umpire.engine.rng import Rng
from umpire.engine.scene import scene
from umpire.errors import UmpireError
from umpire.puzzles import puzzles
from umpire.server import wire_pages
from umpire.server.desk import Desk

HOUSE = [name for name in games() if name in ("warcry", "aos", "conquest", "wh40k", "t9a")]
DUEL = """\
game: warcry
dice: [seeded]
position:
  at: act
  active: a1
  fighters:
    - {id: a1, side: 0, profile: slag-chief, x: 10, y: 11}
    - {id: b1, side: 1, profile: wick-guard, x: 20, y: 11}
answers:
  - {ask: {deed: attack, who: a1, whom: [b1]}, expect: legal}
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("tables"), modules=()) as running:
        yield running


def look(desk: Desk, text: str) -> dict[str, Any]:
    told = desk.lab(text)
    msgspec.json.decode(told, type=wire_pages.Lab)
    found: dict[str, Any] = msgspec.json.decode(told)
    return found


def ask(desk: Desk, text: str, side: int | None = None, **question: Any) -> dict[str, Any]:
    reply: dict[str, Any] = msgspec.json.decode(desk.lab_ask(text, json.dumps(question).encode(), side))
    return reply


def test_a_scene_is_carried_out_and_what_it_asks_stands_beside_its_line() -> None:
    found = look(Desk(), DUEL)
    assert found["error"] is None
    assert found["view"]["decisions"][0]["prompt"]["key"] == "ask.act"
    (ruling,) = found["rulings"]
    assert (ruling["line"], ruling["legal"]) == (10, False)
    assert ruling["reasons"][0]["rule"] == "warcry.attack.range"
    assert found["failures"][0]["line"] == 10
    assert found["handles"]["b1"] == {"path": ["position", "fighters", 1], "form": "spot", "model": 0}


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (DUEL.replace("wick-guard", "wick-gard"), 8, "wick-gard"),
        (DUEL.replace("x: 20", "x: 10.5"), 7, "overlap"),
        (DUEL.replace("side: 1", "side: 2"), 8, "2"),
        (DUEL.replace("active: a1", "active: a1\n  aktive: a2"), 6, "aktive"),
        ("game: warcry\nposition: [", 3, ""),
        ("", 0, "game"),
        ("- 1\n", 0, "game"),
        ("game: warcry\n", 0, "position"),
        ("game: nosuch\nposition: {}\n", 1, "nosuch"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, says: str) -> None:
    found = look(Desk(), text)
    assert found["view"] is None
    assert found["error"]["line"] in (line, line or 1)
    assert says in found["error"]["text"]["en"]
    assert "\n" not in found["error"]["text"]["en"]
    assert found["error"]["text"]["zh"]


def test_whatever_a_seat_may_ask_can_be_asked() -> None:
    desk = Desk()
    wished = ask(desk, DUEL, type="wish", wish={"deed": "attack", "who": "b1", "whom": ["a1"]})
    assert not wished["ruling"]["legal"]
    assert wished["ruling"]["odds"] is None
    assert len(look(desk, DUEL)["rulings"]) == 1  # it has left no trace
    assert ask(desk, DUEL, type="measure", **{"from": "a1", "to": "b1"})["distance"] > 8
    legal = ask(desk, DUEL, 0, type="check", answer="move")
    assert legal["type"] == "ruling"
    assert legal["ruling"]["legal"]
    with pytest.raises(UmpireError, match="deed"):
        ask(desk, DUEL, type="wish", wish={"deed": "sing"})


CHARGE = """\
game: aos
position:
  phase: charge
  units:
    - {id: a1, side: 0, models: [[10, 10]], profile: {base: 25.4}}
    - {id: b1, side: 1, models: [[10, 18.5]], profile: {base: 25.4}}
    - {id: b2, side: 1, models: [[40, 28]], profile: {base: 25.4}}
"""


def test_what_may_be_is_told_with_its_odds_and_what_may_not_with_its_rules_in_both_languages() -> None:
    """A profile that is typed in: 7.5 inches between the bases, of which a charge must leave half an inch at most."""
    desk = Desk()
    may = ask(desk, CHARGE, type="wish", wish={"deed": "charge", "who": "a1", "whom": ["b1"]})["ruling"]
    assert (may["legal"], may["reasons"]) == (True, [])
    assert {line["label"]["en"]: line["value"] for line in may["odds"]["lines"]}["charge succeeds"] == 21 / 36
    assert may["odds"]["title"] == {"zh": "冲锋", "en": "Charge"}
    far = ask(desk, CHARGE, type="wish", wish={"deed": "charge", "who": "a1", "whom": ["b2"]})["ruling"]
    (reason,) = far["reasons"]
    assert (far["legal"], far["odds"], reason["rule"]) == (False, None, "aos.charge.charge")
    assert reason["text"]["zh"] != reason["text"]["en"]
    assert "33.986 inches" in reason["text"]["en"]


@pytest.mark.parametrize("game", HOUSE)
def test_a_puzzle_of_any_game_is_played_on_alone_and_against_the_computer(running: House, game: str) -> None:
    text = running.get(f"/api/lab/puzzles/{game}-1").json()["scene"]
    found = running.post("/api/lab", {"scene": text}).json()
    asked = found["view"]["decisions"][0]["prompt"]
    for other in ({"kind": "person"}, {"kind": "computer", "level": "easy"}):
        seats = [{"kind": "person"}, other][:: -1 if found["view"]["decisions"][0]["side"] else 1]
        table = running.post("/api/lab/tables", {"scene": text, "seats": seats}).json()
        me = running.sit(table, found["view"]["decisions"][0]["side"])
        me.until("view")
        assert me.view["picture"]["pieces"] == found["view"]["picture"]["pieces"]
        assert me.asked
        assert me.view["decisions"][0]["prompt"] == asked


@pytest.mark.parametrize("game", HOUSE)
def test_a_game_tells_what_its_scenes_are_made_of(game: str) -> None:
    desk = Desk()
    about = msgspec.json.decode(desk.lab_game(game), type=wire_pages.LabGame)
    assert look(desk, about.template)["error"] is None
    assert about.deeds
    for deed in about.deeds:
        assert not deed.name.en.startswith("deed."), deed
        assert deed.name.zh != deed.name.en, deed
    told = [field for fields in about.fields.values() for field in fields]
    assert sum(field.about.zh != field.name for field in told) > 0.95 * len(told)
    choices = [(field, choice) for field in told for choice in field.choices]
    assert [
        (field.name, c.value) for field, c in choices if c.name is None and isinstance(c.value, str) and c.value
    ] == []
    assert {"text", "choice"} & {field.kind for field in about.fields[""] if field.choices}, "the moment can be chosen"


def test_what_a_deed_is_done_with_is_called_by_its_name() -> None:
    """For every game and everybody of its puzzles, each deed done with something by somebody has it listed by its name,
    and what is listed is known."""
    desk, listed = Desk(), set()
    for puzzle in puzzles().values():
        battle = scene(msgspec.yaml.decode(puzzle.asked.encode()))
        for key, deed in battle.game.deeds.items():
            if "using" not in (*deed.needs, *deed.may):
                continue
            for card in battle.game.picture(battle.state).cards:
                for use in ask(desk, puzzle.asked, type="uses", deed=key, who=card.id)["uses"]:
                    listed.add((puzzle.file.game, key))
                    assert use["name"]["zh"]
                    wish = {"deed": key, "using": use["id"], **({"who": card.id} if "who" in deed.needs else {})}
                    if "whom" not in deed.needs:
                        ask(desk, puzzle.asked, type="wish", wish=wish)
    assert listed >= {
        ("warcry", "ability"),
        ("aos", "use"),
        ("conquest", "action"),
        ("wh40k", "stratagem"),
        ("t9a", "cast"),
    }
    assert ask(desk, DUEL, type="uses", deed="move", who="a1")["uses"] == []
    with pytest.raises(UmpireError, match="b9"):
        ask(desk, DUEL, type="uses", deed="attack", who="b9")


def test_what_was_asked_and_answered_is_called_by_its_name() -> None:
    text = DUEL.replace("whom: [b1]}, expect: legal", "whom: [b1], using: '0'}") + "  - {answer: wait}\n"
    asked, answered = look(Desk(), text)["rulings"]
    assert (asked["using"]["zh"], asked["said"]) == ("斧", None)
    assert (answered["using"], answered["said"]["zh"]) == (None, "等待")


@pytest.mark.parametrize("game", HOUSE)
def test_what_the_library_has_can_be_put_on_the_table(game: str) -> None:
    """Each thing by itself, in the middle of an empty quarter of the table."""
    desk = Desk()
    about = msgspec.json.decode(desk.lab_game(game), type=wire_pages.LabGame)
    assert {one.into for one in about.stock} >= {"terrain"}
    text = msgspec.yaml.decode(about.template.encode())
    for one in about.stock[:: max(1, len(about.stock) // 12)]:
        entry = {"id": "new", "side": 0, **shifted(one.entry, 7.0, 6.0)}
        known = {field.name for field in next(f for k, f in about.fields.items() if k == of(about, one.into))}
        scene = {**text, "position": {**text["position"]}}
        placed = {key: value for key, value in entry.items() if key in known}
        scene["position"][one.into] = [*scene["position"].get(one.into, []), placed]
        found = look(desk, json.dumps(scene))
        assert found["error"] is None, (one.name, found["error"])
        picture = found["view"]["picture"]
        laid = [piece for piece in picture["pieces"] if piece["unit"] == "new"]
        corners = [(piece["x"], piece["y"]) for piece in laid]
        if one.into == "terrain":
            corners = [spot for block in picture["terrain"][-1]["blocks"] for spot in block["points"]]
        for x, y in corners:  # it stands in the box that it is said to take
            assert one.box[0] - 0.01 <= x - 7 <= one.box[2] + 0.01, one.name
            assert one.box[1] - 0.01 <= y - 6 <= one.box[3] + 0.01, one.name


def of(about: wire_pages.LabGame, name: str) -> str:
    return next(field.of or "" for field in about.fields[""] if field.name == name)


def shifted(entry: dict[str, Any], x: float, y: float) -> dict[str, Any]:
    """As the browser does it: a spot, spots for models, or an outline."""
    if isinstance(entry.get("models"), list) and isinstance(entry["models"][0], list):
        return {**entry, "models": [[a + x, b + y, *rest] for a, b, *rest in entry["models"]]}
    if "points" in entry:
        return {**entry, "points": [[a + x, b + y] for a, b in entry["points"]]}
    return {**entry, "x": entry["x"] + x, "y": entry["y"] + y}


@pytest.mark.parametrize("game", HOUSE)
def test_a_piece_goes_where_its_handle_is_dragged_to(game: str) -> None:
    """Pieces and terrain: the entry that the handle names is written anew, and the picture shows just that moved."""
    desk = Desk()
    about = msgspec.json.decode(desk.lab_game(game), type=wire_pages.LabGame)
    scene = msgspec.yaml.decode(about.template.encode())
    wood = next(one for one in about.stock if one.into == "terrain")
    named = {"id": "wood"} if any(f.name == "id" for f in about.fields[of(about, "terrain")]) else {}
    scene["position"]["terrain"] = [{**named, **shifted(wood.entry, 12.0, 5.0)}]
    before = look(desk, json.dumps(scene))
    assert before["error"] is None, before["error"]
    picture = before["view"]["picture"]
    for thing in (picture["pieces"][0], picture["pieces"][-1], picture["terrain"][0]):
        handle = before["handles"][thing["id"]]
        changed = msgspec.json.decode(msgspec.json.encode(scene))
        *path, last = handle["path"]
        holder = changed
        for key in path:
            holder = holder[key]
        holder[last] = shifted(holder[last], 0.5, -0.25)
        after = look(desk, json.dumps(changed))
        assert after["error"] is None, after["error"]
        moved = after["view"]["picture"]
        if "blocks" in thing:
            (x, y), (now_x, now_y) = thing["blocks"][0]["points"][0], moved["terrain"][0]["blocks"][0]["points"][0]
        else:
            now = next(piece for piece in moved["pieces"] if piece["id"] == thing["id"])
            x, y, now_x, now_y = thing["x"], thing["y"], now["x"], now["y"]
        assert (now_x - x, now_y - y) == pytest.approx((0.5, -0.25), abs=2e-3)


def test_a_moment_of_a_battle_can_be_asked_about_and_played_on(running: House) -> None:
    made, _, _ = pair(running, game="warcry", seed=5)
    token = made["links"][0]["token"]
    reply = running.get(f"/api/tables/{made['table']}/scene", headers={"Authorization": f"Bearer {token}"})
    assert reply.status_code == 200, reply.text
    text = reply.json()["scene"]
    found = running.post("/api/lab", {"scene": text}).json()
    assert found["error"] is None, found["error"]
    assert found["view"]["decisions"]
    seats = [{"kind": "person"}, {"kind": "open"}]
    table = running.post("/api/lab/tables", {"scene": text, "seats": seats}).json()
    again = running.sit(table, 0)
    again.until("view")
    assert again.view["picture"]["pieces"] == found["view"]["picture"]["pieces"]
    friend = running.sit(table, 1)
    friend.until("view")
    asked = next(player for player in (again, friend) if player.asked)
    assert asked.answer(asked.suggested())["type"] in ("update", "view")


def test_a_replay_gives_each_of_its_moments(running: House) -> None:
    battle = umpire.battle("warcry", seed=3)
    rng = Rng(1)
    while battle.decision is not None:
        battle.answer(battle.decision.suggest(rng), battle.decision.side)
    replay = running.post("/api/replay", {"record": battle.record}).json()["replay"]
    at = len(battle.answers) // 2
    text = running.get(f"/api/replay/{replay}/scene?at={at}").json()["scene"]
    found = running.post("/api/lab", {"scene": text}).json()
    (frame,) = running.get(f"/api/replay/{replay}?from={at}&to={at + 1}").json()["frames"]
    assert found["view"]["picture"]["pieces"] == frame["picture"]["pieces"]
    assert running.get(f"/api/replay/{replay}/scene?at=99999").status_code == 400


@pytest.mark.parametrize(
    ("scene", "status"),
    [
        ("x" * 600_000, 413),
        (7, 400),
        ("game: warcry\nposition: " + "[" * 900, 200),
        ("a: &a [1,1]\nb: &b [*a,*a]\n" + "\n".join(f"c{n}: &c{n} [*b,*b]" for n in range(3)), 200),
        ("game: warcry\nposition: {fighters: [" + "{}," * 5000 + "]}", 200),
        (DUEL.replace("position:", "state: {agenda: [[no.such.step, []]]}\nposition:"), 200),
        (DUEL.replace("position:", "state: {fighters: 7}\nposition:"), 200),
    ],
)
def test_bad_scenes_are_refused_in_one_line(running: House, scene: Any, status: int) -> None:
    reply = running.post("/api/lab", {"scene": scene})
    assert reply.status_code == status, reply.text
    said = reply.json()
    text = said["text"]["en"] if status != 200 else said["error"]["text"]["en"]
    assert text
    assert "\n" not in text
    assert len(text) < 700


@pytest.mark.parametrize(
    "question",
    [
        7,
        {},
        {"type": "sing"},
        {"type": "measure", "from": {"x": "a"}, "to": "b1"},
        {"type": "wish", "wish": {"deed": 7}},
    ],
)
def test_odd_questions_are_refused(running: House, question: Any) -> None:
    reply = running.post("/api/lab/ask", {"scene": DUEL, "question": question})
    assert reply.status_code == 400, reply.text
    assert "\n" not in reply.json()["text"]["en"]


def test_watchers_of_a_battle_do_not_see_into_hands(running: House) -> None:
    made, _, _ = pair(running, game="warcry", seed=6)
    for token, status in ((made["watch"], 403), ("nonsense", 401)):
        reply = running.get(f"/api/tables/{made['table']}/scene", headers={"Authorization": f"Bearer {token}"})
        assert reply.status_code == status
