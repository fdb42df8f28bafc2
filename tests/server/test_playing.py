"""Playing over real sockets: seats and their views, going back, resigning, talking, coming back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from server.house import House, Player
from umpire.engine.dice import commit
from umpire.engine.record import verify


def pair(running: House, **more: Any) -> tuple[dict[str, Any], Player, Player]:
    made = running.table("person", "person", **more)
    first = running.sit(made, 0, luck="first")
    first.begun()
    second = running.sit(made, 1, luck="second")
    second.begun()
    return made, first, second


def step(players: list[Player]) -> bool:
    """Whoever is asked answers; everybody hears of it."""
    for player in players:
        if player.asked:
            before = player.view["answers"]
            assert player.answer(player.suggested())["type"] == "update"
            for other in players:
                while other.view["answers"] <= before:
                    other.hear()
            return True
    return False


def bid(first: Player, second: Player) -> None:
    """The secret bids with which a battle of the tiny game begins."""
    first.answer("3")
    second.answer("1")
    for player in (first, second):
        while player.view["answers"] < 2:
            player.hear()


def test_a_person_plays_the_computer_to_the_end(running: House) -> None:
    made = running.table("person", "computer", seed=11)
    player = running.sit(made, 0, luck="heads")
    player.begun()
    assert player.table["fairness"]["commitment"] == made["commitment"]
    assert player.table["fairness"]["secret"] == ""
    while player.view["outcome"] is None:
        if player.asked:
            assert player.answer(player.suggested())["type"] == "update"
        else:
            player.until("update")
    counts = [0, *(m["view"]["answers"] for m in player.heard if m["type"] == "update")]
    assert counts == list(range(counts[-1] + 1)), "one update for every answer, the computer's too"
    fairness = player.table["fairness"]
    assert commit(fairness["secret"]) == made["commitment"]
    assert fairness["contributions"] == ["heads", ""]
    record = running.record(made["table"], made["links"][0]["token"])
    assert record.status_code == 200
    verdict = verify(record.text)
    assert verdict.same
    assert verdict.fair


def test_events_come_once_and_in_order(running: House) -> None:
    _, first, second = pair(running, seed=3)
    numbers = [event["n"] for event in second.view["events"]]
    for _ in range(12):
        step([first, second])
    numbers += [e["n"] for m in second.heard if m["type"] == "update" for e in m["view"]["events"]]
    assert numbers == sorted(set(numbers))


def test_hidden_things_never_leave_the_server(running: House) -> None:
    made, first, second = pair(running, seed=5)
    watcher = running.sit(made, None)
    watcher.until("view")
    bid(first, second)
    while watcher.view["answers"] < 2:
        watcher.hear()

    def bids(player: Player) -> list[int]:
        events = [e for m in player.heard if m["type"] in ("view", "update") for e in m["view"]["events"]]
        return [event["facts"]["side"] for event in events if event["kind"] == "bid"]

    assert bids(first) == [0]
    assert bids(second) == [1]
    assert bids(watcher) == []
    for message in watcher.heard + second.heard:
        assert "state" not in message.get("view", {})
    secret = running.sit(made, 0).until("view")
    assert [e["facts"]["side"] for e in secret["view"]["events"] if e["kind"] == "bid"] == [0]


def test_only_the_asked_side_has_the_question(running: House) -> None:
    made, first, second = pair(running, seed=5)
    bid(first, second)
    asked, other = (first, second) if first.asked else (second, first)
    assert other.view["decisions"] == []
    assert other.view["waiting"] == [asked.view["side"]]
    refused = other.ask("answer", answer=asked.view["decisions"][0]["options"][0]["id"])
    assert refused["code"] == "not-asked"
    watcher = running.sit(made, None)
    watcher.until("view")
    for kind, fields in (("answer", {"answer": "p0-0"}), ("suggest", {}), ("hint", {}), ("check", {"answer": 1})):
        assert watcher.ask(kind, **fields)["code"] == "forbidden"
    for kind in ("resign", "takeback"):
        watcher.say(kind)
        assert watcher.until("error")["code"] == "forbidden"


def test_an_illegal_answer_is_refused_with_its_ruling(running: House) -> None:
    _, first, second = pair(running, seed=5)
    ruling = first.ask("answer", answer="99")["ruling"]
    assert ruling["legal"] is False
    assert ruling["reasons"][0]["rule"] == "tiny.bid"
    assert set(ruling["reasons"][0]["text"]) == {"zh", "en"}
    assert first.ask("check", answer="2")["ruling"]["legal"] is True
    bid(first, second)
    asked = first if first.asked else second
    asked.answer(asked.suggested())
    far = asked.ask("check", answer={"path": [{"x": 500.0, "y": 0.0}]})["ruling"]
    assert {reason["rule"] for reason in far["reasons"]} == {"tiny.move", "tiny.edge"}
    assert asked.ask("reach")["regions"] == []
    word = asked.ask("check", answer=asked.suggested())["ruling"]
    assert word["legal"]
    assert word["odds"] is None, word


def test_secret_answers_do_not_make_each_other_stale(running: House) -> None:
    _, first, second = pair(running, seed=5)
    n = second.view["answers"]
    first.answer("3")
    second.until("update")
    second.say("answer", id=1, n=n, answer="1")
    assert second.until("update", "error")["type"] == "update"
    second.say("answer", id=2, n=n, answer="1")
    assert second.until("error")["code"] in ("stale", "not-asked")


def test_an_answer_to_an_older_question_is_stale_and_a_fresh_view_follows(running: House) -> None:
    _, first, second = pair(running, seed=5)
    bid(first, second)
    asked = first if first.asked else second
    asked.say("answer", id=7, n=0, answer="p0-0")
    error = asked.until("error")
    assert (error["code"], error["id"]) == ("stale", 7)
    assert asked.until("view")["view"]["answers"] == 2


def test_reload_resumes_where_it_was(running: House) -> None:
    made, first, second = pair(running, seed=6)
    for _ in range(9):
        step([first, second])
    first.close()
    again = running.sit(made, 0)
    again.until("view")
    assert again.view["answers"] == second.view["answers"]
    assert again.view["picture"] == second.view["picture"]
    assert next(e["n"] for e in again.view["events"]) == 0
    again.until("table")
    other_window = running.sit(made, 0)
    other_window.until("view")
    step([again, second])
    assert other_window.until("update")["view"]["answers"] == again.view["answers"]


def test_undo_is_free_until_a_die_falls(running: House) -> None:
    _, first, second = pair(running, seed=5)
    bid(first, second)
    asked = first if first.asked else second
    assert asked.view["may_undo"] is False
    asked.say("undo", n=2)
    assert asked.until("error")["code"] == "forbidden"
    asked.answer(asked.suggested())
    assert asked.view["may_undo"] is True
    asked.say("undo", n=3)
    assert asked.until("view")["view"]["answers"] == 2
    assert asked.answer(asked.suggested())["view"]["answers"] == 3


def test_takeback_needs_the_others_consent(running: House) -> None:
    _, first, second = pair(running, seed=5)
    bid(first, second)
    first.say("takeback")
    while second.table["takeback"] is None:
        second.until("table")
    assert second.table["takeback"] == {"side": 0, "answers": 0}
    first.until("table")
    first.say("takeback", accept=True)
    assert first.until("error")["code"] == "forbidden"
    second.say("takeback", accept=False)
    while second.table["takeback"] is not None:
        second.until("table")
    assert second.view["answers"] == 2
    first.say("takeback")
    while second.table["takeback"] is None:
        second.until("table")
    second.say("takeback", accept=True)
    assert second.until("view")["view"]["answers"] == 0
    assert second.table["takeback"] is None
    second.say("takeback", accept=True)
    assert second.until("error")["code"] == "forbidden"


def test_the_computer_agrees_to_a_takeback(running: House) -> None:
    player = running.sit(running.table("person", "computer", seed=4), 0)
    player.until("view")
    while player.view["answers"] < 6:
        if player.asked:
            player.answer(player.suggested())
        else:
            player.hear()
    while not player.asked:
        player.hear()
    before = player.view["answers"]
    player.say("takeback")
    assert player.until("view")["view"]["answers"] < before
    assert player.asked


def test_resigning_gives_the_other_the_battle(running: House) -> None:
    made, first, second = pair(running, seed=5)
    token = made["links"][0]["token"]
    assert running.record(made["table"], token).status_code == 403
    assert running.record(made["table"], "x").status_code == 401
    first.say("resign")
    view = second.until("update")["view"]
    assert view["outcome"]["winner"] == 1
    assert view["decisions"] == view["waiting"] == []
    assert second.table["over"]
    assert commit(second.table["fairness"]["secret"]) == made["commitment"]
    assert second.ask("answer", answer="1")["code"] == "not-asked"
    second.say("resign")
    assert second.until("error")["code"] == "forbidden"
    second.say("takeback")
    assert second.until("error")["code"] == "forbidden"
    assert running.record(made["table"], token).status_code == 200
    again = running.sit(made, 1).until("view")
    assert again["view"]["outcome"]["winner"] == 1


def test_everybody_may_talk(running: House) -> None:
    made, first, second = pair(running, seed=5)
    first.say("name", name="  Ada\n")
    while second.table["seats"][0]["name"] != "Ada":
        second.until("table")
    first.say("chat", text="你好\u202e hello")
    line = second.until("chat")
    assert (line["from"], line["name"], line["text"], line["n"]) == (0, "Ada", "你好  hello", 0)
    watcher = running.sit(made, None)
    assert watcher.until("chat")["text"] == line["text"]
    watcher.say("chat", text="hm")
    assert second.until("chat")["from"] is None
    first.say("chat", text="x" * 501)
    assert first.until("error")["code"] == "bad-message"


def test_an_open_seat_is_waited_for(running: House) -> None:
    made = running.table("person", "open", seed=5)
    assert len(made["links"]) == 2
    first = running.sit(made, 0, luck="a")
    first.until("view")
    assert first.table["started"] is False
    assert first.view["picture"]["pieces"]
    assert first.view["decisions"] == first.view["events"] == []
    assert first.view["waiting"] == [1]
    assert first.table["seats"][1]["kind"] == "open"
    first.say("answer", id=1, n=0, answer="1")
    assert first.until("error")["code"] == "forbidden"
    first.say("measure", id=2, **{"from": {"x": 0, "y": 0}, "to": {"x": 1, "y": 0}})
    assert first.until("error")["code"] == "forbidden"
    watcher = running.sit(made, None)
    watcher.until("view")
    assert running.get(f"/api/tables/{made['table']}").json()["started"] is False
    running.sit(made, 0, luck="again").until("view")
    second = running.sit(made, 1, luck="b")
    second.until("view")
    assert second.table["fairness"]["owing"] == [0, 1], "nobody's luck is told before everybody has committed"
    assert second.table["fairness"]["contributions"] == []
    while first.luck:
        first.hear()
    for player in (second, first, watcher):
        player.begun()
        assert player.table["fairness"]["contributions"] == ["a", "b"]
    assert first.table["seats"][1]["kind"] == "person"


def test_two_computers_play_while_somebody_watches(running: House) -> None:
    made = running.table("computer", "computer", seed=5)
    assert made["links"] == []
    watcher = running.sit(made, None)
    first = watcher.until("view", "table")
    assert first["type"] in ("view", "table")
    assert watcher.until("update")["view"]["answers"] >= 1


@pytest.mark.parametrize("spoil", ["token", "table"])
def test_a_wrong_link_opens_nothing(running: House, spoil: str) -> None:
    made = running.table("person", "person")
    token, table = made["links"][0]["token"], made["table"]
    stranger = Player(running.address, "x" if spoil == "table" else table, "y" if spoil == "token" else token)
    with pytest.raises(ConnectionClosed) as closed:
        stranger.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == (4404 if spoil == "table" else 4401)


def test_measuring_from_base_to_base(running: House) -> None:
    _, first, _ = pair(running, seed=5)
    pieces = {piece["id"]: piece for piece in first.view["picture"]["pieces"]}
    assert {"p0-0", "p0-1"} <= set(pieces)
    first.say("measure", id=1, **{"from": "p0-0", "to": "p0-1"})
    measured = first.until("measured")
    gap = pieces["p0-1"]["x"] - pieces["p0-0"]["x"] - 1.0
    assert measured["distance"] == pytest.approx(gap, abs=0.001)
    assert measured["sight"]["clear"] is True
    first.say("measure", id=2, **{"from": {"x": 0, "y": 0}, "to": {"x": 3, "y": 4, "z": 12}})
    measured = first.until("measured")
    assert (measured["horizontal"], measured["vertical"], measured["distance"]) == (5.0, 12.0, 13.0)
    first.say("measure", id=3, **{"from": "p0-0", "to": "nobody"})
    assert first.until("error")["code"] == "refused"


def test_a_hint_is_a_legal_answer_and_holds_nothing_up(running: House) -> None:
    _, first, _ = pair(running, seed=5)
    first.say("hint", id=1, n=0)
    assert first.ask("check", answer="2")["ruling"]["legal"]
    hints = [m for m in first.heard if m["type"] == "hint"]
    hint = hints[0] if hints else first.until("hint", timeout=120)
    assert set(hint["text"]) == {"zh", "en"}
    assert first.answer(hint["answer"])["type"] == "update"


def test_a_summary_tells_nothing_secret(running: House) -> None:
    made, first, second = pair(running, seed=5)
    bid(first, second)
    summary = running.get(f"/api/tables/{made['table']}").json()
    assert summary["answers"] == 2
    assert summary["over"] is False
    assert summary["fairness"]["secret"] == ""
    for link in made["links"]:
        assert link["token"] not in json.dumps(summary)
