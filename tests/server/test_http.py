"""Everything under HTTP: menus, rules, replays, pages, and what keeps strangers out."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import tiny
import umpire
from server.house import GAME, House, Player
from umpire.engine.battle import Battle
from umpire.engine.record import replay
from umpire.server import static


def played(seed: int = 3) -> Battle[Any]:
    battle = umpire.battle(tiny.GAME.id, seed=seed, options={"rounds": 2})
    while (ask := battle.decision) is not None:
        battle.answer(ask.suggest(), ask.side)
    return battle


def test_the_menu_of_games(running: House) -> None:
    games = {game["id"]: game for game in running.get("/api/games").json()}
    assert games[GAME]["names"] == {"zh": "小棋", "en": "Tiny"}
    assert set(games[GAME]["library"]) == {"armies", "scenarios", "options", "first"}
    for game in games.values():
        assert not any("roster" in army for army in game["library"]["armies"])


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (b"{", "not a valid request"),
        ({"game": "tiny"}, "missing required field `seats`"),
        ({"game": "tiny", "seats": []}, "length >= 2"),
        ({"game": "tiny", "seats": [{"kind": "king"}] * 2}, "Invalid enum value 'king'"),
        ({"game": "tiny", "seats": [{"kind": "person"}] * 2, "cheat": 1}, "unknown field `cheat`"),
        ({"game": "tiny", "seats": [{"kind": "person"}] * 2, "seed": -1}, ">= 0"),
        ({"game": "tiny", "seats": [{"kind": "person", "army": 7}] * 2}, "1 to 200 pawns"),
        ({"game": "tiny", "seats": [{"kind": "person", "army": {"pawns": "x"}}] * 2}, "cannot be set up: TypeError"),
        ({"game": "chess", "seats": [{"kind": "person"}] * 2}, "chess"),
        ({"game": "tiny", "seats": [{"kind": "person", "army": "nobody"}] * 2}, "no army 'nobody'"),
        ({"game": "tiny", "seats": [{"kind": "person", "army": {"pawns": 0}}] * 2}, "1 to 200 pawns"),
        ({"game": "tiny", "seats": [{"kind": "person", "army": {"pawns": 2}}, {"kind": "open"}]}, "at random"),
    ],
)
def test_a_bad_wish_is_refused_in_both_languages(running: House, wish: Any, says: str) -> None:
    reply = running.post("/api/tables", wish)
    assert reply.status_code == 400
    assert says in reply.json()["text"]["en"]
    assert reply.json()["text"]["zh"]


def test_an_uploaded_roster_is_played(running: House) -> None:
    wish = {"game": GAME, "seats": [{"kind": "person", "army": {"pawns": n, "name": f"army {n}"}} for n in (1, 4)]}
    made = running.post("/api/tables", wish).json()
    player = running.sit(made, 0)
    player.until("view")
    assert len(player.view["picture"]["pieces"]) == 5
    assert [seat["army"]["en"] for seat in player.table["seats"]] == ["army 1", "army 4"]


def test_bodies_are_bounded(running: House) -> None:
    reply = running.post("/api/tables", b" " * 300_000)
    assert reply.status_code == 413
    assert reply.json()["code"] == "too-large"


def test_unknown_addresses(running: House) -> None:
    for path in ("/api/tables/none", "/api/rules/warcry.none", "/api/replay/none", "/api/none", "/nothing.js"):
        reply = running.get(path)
        assert reply.status_code == 404, path
        assert set(reply.json()) == {"code", "text"}
    assert running.get("/api/replay/none?from=x").status_code == 400
    assert running.post("/api/replay/none/fork", {"at": 0, "side": 0}).status_code == 404


def test_rules_are_looked_up(running: House) -> None:
    found = running.get("/api/rules", params={"game": "warcry", "q": "跌落"}).json()
    assert found["total"] == len(found["rules"]) > 0
    whole = running.get("/api/rules", params={"game": "warcry"}).json()
    rule = running.get(f"/api/rules/{whole['rules'][1]['id']}").json()
    assert [rule["neighbours"][k]["id"] for k in (0, 1)] == [whole["rules"][k]["id"] for k in (0, 2)]
    assert rule["text"]
    assert rule["text_zh"]
    assert running.get("/api/rules", params={"game": "chess"}).status_code == 400


def test_a_record_is_stepped_through(running: House) -> None:
    battle = played()
    opened = running.post("/api/replay", {"record": battle.record}).json()
    assert opened["frames"] == len(battle.answers) + 1
    assert opened["names"] == {"zh": "小棋", "en": "Tiny"}
    frames: list[dict[str, Any]] = []
    while len(frames) < opened["frames"]:
        address = f"/api/replay/{opened['replay']}?from={len(frames)}&to={len(frames) + 7}"
        frames += running.get(address).json()["frames"]
    assert [frame["answers"] for frame in frames] == list(range(opened["frames"]))
    numbers = [event["n"] for frame in frames for event in frame["events"]]
    assert numbers == list(range(sum(event.seen is None for event in battle.events))), "secrets leave no gap"
    assert frames[0]["asked"][0]["prompt"]["en"]
    first = frames[0]["answered"]
    assert (first["side"], first["answer"]) == (battle.answers[0].side, battle.answers[0].answer)
    chosen = [f["answered"] for f in frames[:-1] if isinstance(f["answered"]["answer"], str)]
    assert chosen
    assert all(given["said"][0]["zh"] and given["said"][0]["en"] for given in chosen)  # words, where an id was given
    assert frames[-1]["answered"] is None
    assert frames[-1]["outcome"]["score"] == list(battle.outcome.score) if battle.outcome else False
    assert len(running.get(f"/api/replay/{opened['replay']}?from=0&to=9999").json()["frames"]) <= 50


def test_a_battle_is_taken_up_from_a_frame(running: House) -> None:
    battle = played()
    opened = running.post("/api/replay", {"record": battle.record}).json()
    at = len(battle.answers) // 2
    side = replay(battle.record, at).decision.side
    made = running.post(f"/api/replay/{opened['replay']}/fork", {"at": at, "side": side, "level": "easy"}).json()
    assert [link["side"] for link in made["links"]] == [side]
    player: Player = running.sit(made, side)
    player.until("view")
    assert player.view["answers"] == at
    assert player.answer(player.suggested())["type"] == "update"
    assert running.post(f"/api/replay/{opened['replay']}/fork", {"at": 9999, "side": 0}).status_code == 400


@pytest.mark.parametrize("spoil", ["", "x", "{}\n{}", "setup", "answer", "sides", "game"])
def test_a_bad_record_is_refused(running: House, spoil: str) -> None:
    record = played().record
    lines = record.splitlines()
    if spoil == "setup":
        record = record.replace('"setup":', '"setap":', 1)
    elif spoil == "answer":
        record = "\n".join([lines[0], '{"side":0,"answer":"77"}', lines[-1]])
    elif spoil == "sides":
        record = record.replace('"pawns"', '"prawns"')
    elif spoil == "game":
        record = record.replace('"game":"tiny"', '"game":"chess"', 1)
    else:
        record = spoil
    reply = running.post("/api/replay", {"record": record})
    assert reply.status_code == 400
    assert reply.json()["code"] == "refused"


def test_pages_of_other_sites_are_refused(running: House) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}, {"Origin": "null"}):
        reply = running.get("/api/games", headers=headers)
        assert reply.status_code == 403, headers
        assert reply.json()["code"] == "forbidden"
    assert running.get("/api/games", headers={"Origin": running.address}).status_code == 200
    made = running.table("person", "person")
    url = f"{running.address.replace('http', 'ws')}/ws/{made['table']}"
    with pytest.raises(InvalidStatus), connect(url, origin="https://evil.example"):  # type: ignore[arg-type]
        pass


def test_browsers_are_told_to_be_strict(running: House) -> None:
    for path in ("/", "/api/games", "/nothing", "/assets/../../app.py"):
        headers = running.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in running.get("/").headers


def test_no_file_outside_the_build_is_served(running: House) -> None:
    for path in ("/..%2fapp.py", "/assets/..%2f..%2fapp.py", "/%2e%2e/app.py", "//etc/passwd", "/assets/%00"):
        with httpx.Client(base_url=running.address) as client:
            reply = client.get(path)
        assert reply.status_code == 404, path


async def _asked(path: str, accepted: str) -> Any:
    scope = {"type": "http", "headers": [(b"accept-encoding", accepted.encode())]}
    return await static.file(Request(scope), path)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "assets" / "a-1.js").write_text("let a = 1;" * 100)
    (folder / "assets" / "a-1.js.br").write_bytes(b"packed by the build")
    (folder / "assets" / "b-2.css").write_text("a{}" * 100)
    (folder / "assets" / "c-3.woff2").write_bytes(b"font")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    monkeypatch.setattr(static, "FOLDER", folder)
    return folder


def test_built_files_are_packed_and_kept(build: Path) -> None:
    import asyncio

    packed = asyncio.run(_asked("assets/a-1.js", "gzip, br"))
    assert packed.body == b"packed by the build"
    assert packed.headers["content-encoding"] == "br"
    assert packed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "javascript" in packed.headers["content-type"]
    on_the_fly = asyncio.run(_asked("assets/b-2.css", "gzip"))
    assert gzip.decompress(on_the_fly.body) == b"a{}" * 100
    plain = asyncio.run(_asked("assets/b-2.css", ""))
    assert plain.body == b"a{}" * 100
    assert "content-encoding" not in asyncio.run(_asked("assets/c-3.woff2", "gzip")).headers
    assert asyncio.run(_asked("link.txt", "")) is None
    page = asyncio.run(static.page())
    assert page.headers["cache-control"] == "no-cache"


def test_a_missing_build_is_told(build: Path) -> None:
    import asyncio

    (build / "index.html").unlink()
    page = asyncio.run(static.page())
    assert page.status_code == 503
    assert "make play" in bytes(page.body).decode()
