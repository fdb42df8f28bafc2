"""Battles over days: clocks, standing orders, notices, my tables, the lobby, the host."""

from __future__ import annotations

import asyncio
import base64
import http.client
import http.server
import json
import socket
import socketserver
import threading
import time
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, cast
from urllib.parse import quote

import httpx
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.house import GAME, House, house, pair, step
from umpire.cli import main
from umpire.engine.record import verify
from umpire.server import notices
from umpire.server.clocks import Clock, ClockRules
from umpire.server.notices import Host, Mail, Push, Quiet, Wanted, Webhook, after_quiet, allowed, body
from umpire.server.openapi import ROUTES
from umpire.server.problems import Problem
from umpire.server.push import Pusher, encrypt, new_key

# -- clocks -----------------------------------------------------------------------------------------------------------


def rules(kind: Any, **more: Any) -> ClockRules:
    return ClockRules(kind=kind, seconds=100, **more)


def test_a_clock_for_every_answer() -> None:
    clock = Clock.new(rules("move"))
    clock.turn([0], None)
    clock.run(60)
    clock.turn([0], 0)
    assert clock.left == [100, 100], "each answer has its own time"
    clock.run(101)
    assert (clock.left, clock.over()) == ([0, 100], [0])
    clock.turn([1], 0)
    assert (clock.left, clock.over()) == ([100, 100], [])


def test_a_chess_clock_gives_something_back_when_the_turn_has_passed() -> None:
    clock = Clock.new(rules("chess", increment=10))
    clock.turn([0], None)
    clock.run(30)
    clock.turn([0], 0)
    assert clock.left[0] == 70, "asked again: the turn has not passed"
    clock.run(30)
    clock.turn([1], 0)
    assert clock.left == [50, 100]
    clock.turn([0, 1], 1)
    clock.run(20)
    assert clock.left == [30, 80], "where both choose at once both clocks run"


def test_a_clock_for_the_whole_battle() -> None:
    clock = Clock.new(rules("battle"))
    clock.turn([0], None)
    clock.run(70)
    clock.turn([1], 0)
    clock.run(20)
    assert clock.left == [10, 10]
    clock.turn([], 1)
    clock.run(500)
    assert clock.left == [10, 10], "nobody is asked: nobody's time runs"
    assert clock.next() is None


def test_a_clock_stops_while_the_server_is_down_and_goes_on_after(tmp_path: Path) -> None:
    clock = {"kind": "chess", "seconds": 600, "increment": 5, "falls": "lose"}
    with house(tmp_path) as running:
        made, *players = pair(running, seed=1, clock=clock)
        time.sleep(1.2)
        step(players)
        left = players[0].table["clock"]["left"]
        assert left[0] < 604.5 or left[1] < 599.5
        running.kill()
        time.sleep(2.0)
        running.start()
        again = running.sit(made, 0)
        again.begun()
        now = again.table["clock"]
        assert now["running"]
        assert all(abs(a - b) < 1.5 for a, b in zip(now["left"], left, strict=True))


@pytest.mark.parametrize(
    ("kind", "falls"),
    [("move", "lose"), ("chess", "lose"), ("battle", "lose"), ("move", "computer"), ("move", "remind")],
)
def test_what_happens_when_a_clock_falls(running: House, kind: str, falls: str) -> None:
    _, first, second = pair(running, seed=5, clock={"kind": kind, "seconds": 1, "falls": falls})
    end = time.monotonic() + 25
    if kind != "battle":
        first.answer("3")
    while time.monotonic() < end:
        message = second.until("update", "table", timeout=25)
        if falls == "remind" and second.table["clock"]["fell"]:
            return
        if falls == "computer" and message["type"] == "update" and second.view["answers"] >= 2:
            return
        if falls == "lose" and second.table["over"]:
            outcome = second.view["outcome"]
            assert outcome["key"] == "outcome.clock"
            assert outcome["winner"] == (0 if kind != "battle" else outcome["winner"])
            return
    raise AssertionError("it never fell")


# -- standing orders --------------------------------------------------------------------------------------------------


def test_standing_orders_answer_until_they_are_taken_back(running: House) -> None:
    _, first, second = pair(running, seed=5, options={"rounds": 30})
    second.say("orders", orders={"ask.bid": "0"})
    assert second.until("orders")["orders"] == {"ask.bid": "0"}
    while second.view["answers"] < 1:
        second.hear()
    first.answer("1")
    players = [first, second]
    for _ in range(40):
        step(players)
    answered = [m for m in second.heard if m["type"] == "update"]
    assert answered
    assert (
        not any(d["prompt"]["key"] == "ask.bid" for m in answered[2:] for d in m["view"]["decisions"])
        or second.view["answers"] > 40
    )
    second.say("orders", orders={"ask.bid": "99", "ask.activate": {"no": "answer"}})
    second.until("orders")
    step(players)  # what the rules refuse is asked after all


# -- notices ----------------------------------------------------------------------------------------------------------


def test_notices_in_every_form() -> None:
    said = {form: json.loads(body(form, "turn", "Your turn", "https://u/t#x", {"table": "t"})) for form in
            ("discord", "feishu", "wecom", "json")}  # fmt: skip
    assert said["discord"]["content"] == "Your turn\nhttps://u/t#x"
    assert said["feishu"] == {"msg_type": "text", "content": {"text": "Your turn\nhttps://u/t#x"}}
    assert said["wecom"] == {"msgtype": "text", "text": {"content": "Your turn\nhttps://u/t#x"}}
    assert said["json"] == {"event": "turn", "text": "Your turn", "link": "https://u/t#x", "table": "t"}


@pytest.mark.parametrize(
    ("form", "url", "webhooks", "good"),
    [
        ("discord", "https://discord.com/api/webhooks/1/x", "known", True),
        ("discord", "https://evil.example/api/webhooks/1/x", "known", False),
        ("discord", "http://discord.com/x", "known", False),
        ("json", "https://anywhere.example/x", "known", False),
        ("json", "https://anywhere.example/x", "any", True),
        ("json", "http://anywhere.example/x", "any", False),
        ("json", "https://user:pass@anywhere.example/x", "any", False),
        ("json", "http://10.0.0.7/x", "inside", True),
    ],
)
def test_webhooks_lead_where_the_host_wants(form: Any, url: str, webhooks: Any, good: bool) -> None:
    hook, host = Webhook(form, url), Host(webhooks=webhooks)
    if good:
        allowed(hook, host)
    else:
        with pytest.raises(Problem):
            allowed(hook, host)


@pytest.mark.parametrize("url", ["https://127.0.0.1:1/x", "https://localhost/x", "https://[::1]/", "https://10.1.2.3/"])
def test_no_webhook_leads_into_the_host_s_own_network(url: str) -> None:
    with pytest.raises(OSError, match="open network"):
        notices.post(url, b"{}")


def test_a_name_that_leads_inside_when_it_is_looked_up_again_hears_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server of the attacker's own tells an open address first and an inner one then."""
    inner = socket.create_server(("127.0.0.1", 0))
    port = inner.getsockname()[1]
    outside = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", port))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [outside])
    monkeypatch.setattr(urllib.request, "getproxies", dict)
    monkeypatch.setattr(
        http.client.HTTPSConnection,
        "connect",
        lambda self: setattr(self, "sock", socket.socket()) or self.sock.connect(inner.getsockname()),
    )
    with inner:
        with pytest.raises(OSError, match="open network"):
            notices.post(f"https://rebound.example:{port}/x", b"{}")
        heard, _ = inner.accept()
        with heard:
            assert heard.recv(1) == b""


def test_who_is_told_by_one_way_is_not_told_again_by_it() -> None:
    ear = Ear()
    counts: list[str] = []
    told = notices.Notices(cast("Any", None), Host(webhooks="inside", mail=Mail("smtp://127.0.0.1:1", "u@example.org")),
                           counts.append)  # fmt: skip
    wanted = Wanted(webhook=Webhook("feishu", ear.url), email="a@example.org", confirmed="a@example.org")
    assert asyncio.run(told.tell(wanted, "turn", "t", "token", "tiny"))
    assert sorted(counts) == ["notices_failed", "notices_sent"]
    assert ear.heard[0]["msg_type"] == "text"
    nobody = Wanted(email="a@example.org", confirmed="a@example.org")
    assert not asyncio.run(told.tell(nobody, "turn", "t", "token", "tiny"))


def test_quiet_hours() -> None:
    night = Quiet(start=22 * 60, end=7 * 60, zone="Asia/Shanghai")
    at = datetime(2026, 5, 1, 15, 30, tzinfo=UTC).timestamp()  # 23:30 there
    assert after_quiet(at, night) == at + 7.5 * 3600
    assert after_quiet(at, None) == at
    assert after_quiet(at - 2 * 3600, night) == at - 2 * 3600  # 21:30
    assert after_quiet(at, Quiet(start=600, end=700, zone="nowhere/at all")) == at


class Ear:
    """A webhook's other end, and a mail server."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.raw: list[tuple[dict[str, str], bytes]] = []
        ear = self

        class Post(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"]))
                ear.raw.append(({k.lower(): v for k, v in self.headers.items()}, data))
                if self.headers["Content-Type"] == "application/json":
                    ear.heard.append(json.loads(data))
                self.send_response(201)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        class Mail(socketserver.StreamRequestHandler):
            letters: ClassVar[list[str]] = []

            def handle(self) -> None:
                def say(line: str) -> None:
                    self.wfile.write(f"{line}\r\n".encode())

                say("220 here")
                while line := self.rfile.readline().decode():
                    word = line[:4].upper()
                    if word == "DATA":
                        say("354 go on")
                        letter = ""
                        while (more := self.rfile.readline().decode()) != ".\r\n":
                            letter += more
                        self.letters.append(letter)
                        say("250 taken")
                    elif word == "QUIT":
                        say("221 bye")
                        return
                    else:
                        say("250 fine")

        self.letters = Mail.letters
        self.web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Post)
        self.mail = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail)
        for server in (self.web, self.mail):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.web.server_address[1]}/hook"
        self.smtp = f"smtp://127.0.0.1:{self.mail.server_address[1]}"

    def wait(self, what: list[Any], count: int, seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while len(what) < count:
            assert time.monotonic() < end, (what, count)
            time.sleep(0.05)


@pytest.fixture(scope="module")
def ear() -> Ear:
    return Ear()


HOST_KEY = "the host's own key"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, ear: Ear) -> Iterator[House]:
    can = {"address": "https://umpire.example", "webhooks": "inside", "mail": [ear.smtp, "umpire@example.org"]}
    folder = tmp_path_factory.mktemp("club")
    with house(folder, notices=can, admin=HOST_KEY, password="sesame", grace=0) as running:
        running.data = folder
        yield running


def made_by_word(club: House, *kinds: str, **more: Any) -> dict[str, Any]:
    wish = {"game": GAME, "seats": [{"kind": kind} for kind in kinds], **more}
    headers = {"X-Umpire-Password": "sesame"}
    reply = httpx.post(f"{club.address}/api/tables", json=wish, headers=headers, timeout=20)
    assert reply.status_code == 200, reply.text
    made: dict[str, Any] = reply.json()
    return made


def mine(club: House, key: str) -> dict[str, Any]:
    reply = club.send("GET", "/api/mine", key=key)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def test_one_notice_a_turn_with_a_link_that_opens_the_seat(club: House, ear: Ear) -> None:
    key = "correct horse battery staple"
    made = made_by_word(club, "person", "person", seed=5)
    first, second = club.sit(made, 0), club.sit(made, 1)
    for player in (first, second):
        player.begun()
    token = made["links"][1]["token"]
    assert club.send("PUT", f"/api/mine/tables/{made['table']}", {"token": token}, key=key).status_code == 200
    wanted = {"notices": {"lang": "en", "webhook": {"form": "json", "url": ear.url}, "email": "ada@example.org"}}
    assert club.send("PUT", "/api/mine", wanted, key=key).status_code == 200
    ear.wait(ear.letters, 1)
    assert club.send("PUT", "/api/mine", {"code": "00000000"}, key=key).status_code == 403
    assert not mine(club, key)["notices"]["confirmed"], "one try for each letter"
    second.close()
    ear.wait(ear.heard, 1)
    assert ear.heard[0]["link"] == f"https://umpire.example/table/{made['table']}#{token}"
    assert ear.heard[0]["event"] == "turn"
    first.answer("3")
    time.sleep(1.0)
    assert len(ear.heard) == 1, "one notice a turn"
    assert len(ear.letters) == 1, "no letter to an address that has not been confirmed"
    again = club.sit(made, 1)
    again.begun()
    again.answer("1")
    players = [first, again]
    while not again.asked:
        step(players)
    again.close()
    ear.wait(ear.heard, 2)


def test_a_letter_goes_to_an_address_that_was_confirmed_and_waits_for_the_end_of_the_night(
    club: House, ear: Ear
) -> None:
    def away(key: str, address: str, **more: Any) -> list[str]:
        """Somebody who is asked goes away; the letters that they are sent."""
        made = made_by_word(club, "person", "person", seed=5)
        first, second = club.sit(made, 0), club.sit(made, 1)
        for player in (first, second):
            player.begun()
        token = made["links"][1]["token"]
        assert club.send("PUT", f"/api/mine/tables/{made['table']}", {"token": token}, key=key).status_code == 200
        before = len(ear.letters)
        wanted = {"notices": {"lang": "en", "email": address, **more}}
        assert club.send("PUT", "/api/mine", wanted, key=key).status_code == 200
        ear.wait(ear.letters, before + 1)
        code = ear.letters[before].split("Your code: ")[1][:8]
        assert club.send("PUT", "/api/mine", {"code": code}, key=key).status_code == 200
        assert mine(club, key)["notices"]["confirmed"]
        second.close()
        end = time.monotonic() + (20.0 if not more else 3.0)
        link = f"/table/{made['table']}#{token}"
        while time.monotonic() < end and len(ear.letters) < before + 2:
            time.sleep(0.05)
        first.close()
        return [
            letter for letter in ear.letters[before + 1 :] if link in letter.replace("=\r\n", "").replace("=3D", "=")
        ]

    assert len(away("first of two passphrases", "eve@example.org")) == 1
    now = time.gmtime()
    minute = now.tm_hour * 60 + now.tm_min
    night = {"start": (minute - 60) % 1440, "end": (minute + 60) % 1440, "zone": "UTC"}
    assert away("second of two passphrases", "bob@example.org", quiet=night) == []


def test_push_messages_are_encrypted_for_the_browser_and_signed_by_the_host(ear: Ear) -> None:
    """As a browser reads it: RFC 8291 backwards."""
    browser = ec.generate_private_key(ec.SECP256R1())
    point = browser.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    auth = b"0123456789abcdef"

    def text(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    def read(sealed: bytes) -> bytes:
        salt, size, own = sealed[:16], sealed[20], sealed[21 : 21 + sealed[20]]
        assert size == 65
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), own)
        secret = browser.exchange(ec.ECDH(), theirs)
        shared = HKDF(hashes.SHA256(), 32, auth, b"WebPush: info\0" + point + own).derive(secret)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(shared)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(shared)
        return AESGCM(key).decrypt(nonce, sealed[21 + size :], None).rstrip(b"\2")

    assert read(encrypt(b"hello", point, auth)) == b"hello"
    pusher = Pusher(new_key(), "mailto:host@example.org", inside=True)
    before = len(ear.raw)
    pusher.send(Push(ear.url, text(point), text(auth)), b"your turn")
    headers, data = ear.raw[before]
    assert read(data) == b"your turn"
    assert headers["content-encoding"] == "aes128gcm"
    token, shown = headers["authorization"].removeprefix("vapid t=").split(", k=")
    signed, _, signature = token.rpartition(".")
    padded = base64.urlsafe_b64decode(signature + "==")
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), base64.urlsafe_b64decode(shown + "=="))
    r, s = int.from_bytes(padded[:32], "big"), int.from_bytes(padded[32:], "big")
    public.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(base64.urlsafe_b64decode(signed.split(".")[1] + "=="))
    assert claims["aud"] == ear.url.removesuffix("/hook")


# -- my tables, the lobby, the host -----------------------------------------------------------------------------------


def test_my_tables_are_mine_on_every_device(club: House) -> None:
    key = quote("我们的俱乐部每周五晚上见")
    tables = [made_by_word(club, "person", "person", seed=5) for _ in range(3)]
    for side, made in zip((0, 1, None), tables, strict=True):
        token = made["watch"] if side is None else made["links"][side]["token"]
        assert club.send("PUT", f"/api/mine/tables/{made['table']}", {"token": token}, key=key).status_code == 200
    first = club.sit(tables[0], 0)
    first.begun()
    found = mine(club, quote("  我们的俱乐部每周五晚上见 "))["tables"]
    assert found[0]["side"] == 0, "mine to move first"
    assert {one["table"] for one in found} == {made["table"] for made in tables}
    assert found[0]["waiting"] == [0, 1]
    again = {"table": found[0]["table"], "links": [{"side": 0, "token": found[0]["token"]}]}
    assert club.sit(again, 0).begun()["side"] == 0, "the link opens the seat"
    assert mine(club, "somebody else's passphrase")["tables"] == []
    assert club.send("GET", "/api/mine").status_code == 401
    assert club.send("GET", "/api/mine", key="short").status_code == 401
    wrong = club.send("PUT", f"/api/mine/tables/{tables[0]['table']}", {"token": "guess"}, key=key)
    assert wrong.status_code == 401
    assert club.send("DELETE", f"/api/mine/tables/{tables[0]['table']}", key=key).status_code == 200
    assert len(mine(club, key)["tables"]) == 2
    assert club.send("PUT", "/api/mine", {"nonsense": 1}, key=key).status_code == 400


def test_a_seat_of_the_lobby_is_taken_once(club: House) -> None:
    made = made_by_word(club, "person", "open", listed=True)
    first = club.sit(made, 0, luck="a")
    first.until("view")
    listed = [one for one in club.get("/api/lobby").json()["tables"] if one["table"] == made["table"]]
    assert [seat["kind"] for seat in listed[0]["seats"]] == ["person", "open"]
    taken = club.post(f"/api/lobby/{made['table']}", b"").json()
    assert club.post(f"/api/lobby/{made['table']}", b"").status_code == 403
    assert not any(one["table"] == made["table"] for one in club.get("/api/lobby").json()["tables"])
    second = club.sit(taken, 1)
    second.until("view")
    while first.luck:
        first.hear()
    second.begun()
    hidden = made_by_word(club, "person", "open")
    assert club.post(f"/api/lobby/{hidden['table']}", b"").status_code == 403


def test_a_host_may_want_a_password_and_sees_and_removes_tables(club: House) -> None:
    wish = {"game": GAME, "seats": [{"kind": "person"}, {"kind": "person"}]}
    assert club.post("/api/tables", wish).status_code == 401
    made = made_by_word(club, "person", "person")
    player = club.sit(made, 0)
    player.begun()
    assert club.send("GET", "/api/admin/tables", key="guess").status_code == 401
    listed = club.send("GET", "/api/admin/tables?most=1000", key=HOST_KEY).json()["tables"]
    assert made["table"] in [one["table"] for one in listed]
    assert made["links"][0]["token"] not in json.dumps(listed)
    assert club.send("DELETE", f"/api/admin/tables/{made['table']}", key=HOST_KEY).json()["removed"] == [made["table"]]
    assert club.get(f"/api/tables/{made['table']}").status_code == 404
    assert club.get("/api/host").json()["password"] is True


def test_without_a_key_there_is_no_host(running: House) -> None:
    assert running.send("GET", "/api/admin/tables", key="").status_code == 404


def test_the_command_that_looks_after_tables(club: House, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    made = made_by_word(club, "person", "person", seed=3)
    first, second = club.sit(made, 0), club.sit(made, 1)
    for player in (first, second):
        player.begun()
    for _ in range(5):
        step([first, second])

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(["tables", *words, "--data", str(club.data)])
        said = capsys.readouterr()
        return int(end.value.code or 0), said.out, said.err

    assert made["table"] in run("list")[1]
    assert made["table"] in [row["table"] for row in json.loads(run("list", "--json", "--most", "1000")[1])]
    assert json.loads(run("show", made["table"])[1])["answers"] == 5
    record = run("export", made["table"])[1]
    assert verify(record).same
    assert run("remove", made["table"])[1].split() == [made["table"]]
    assert run("show", made["table"])[0] == 1
    assert run("remove", made["table"])[2].count("\n") == 1
    reply = first.ask("answer", answer=1) if first.asked else second.ask("answer", answer=1)
    assert reply["type"] in ("error", "ruling")


# -- a finished battle is a link --------------------------------------------------------------------------------------


def test_a_finished_battle_is_replayed_and_verified_by_its_link(running: House) -> None:
    made, *players = pair(running, seed=3, options={"rounds": 1})
    address = f"/api/records/{made['table']}/replay"
    assert running.send("POST", address, key=made["watch"]).status_code == 403, "not before the end"
    while not players[0].table["over"]:
        step(players)
    opened = running.send("POST", address, key=made["watch"]).json()
    assert opened["frames"] == players[0].view["answers"] + 1
    found = running.get(f"/api/replay/{opened['replay']}/verify").json()
    assert found["verdict"]["same"] is True
    assert found["verdict"]["fair"] is True
    assert found["fairness"]["commitment"] == made["commitment"]
    assert running.send("POST", address, key="guess").status_code == 401
    assert running.get("/api/replay/none/verify").status_code == 404
    assert running.get(f"/api/replay/{opened['replay']}/about").json() == opened
    story = running.get(f"/api/replay/{opened['replay']}/story").json()
    assert len(story["chances"]) in (0, opened["frames"])
    for turn in story["turns"]:
        assert [turn["before"], turn["after"]] == story["chances"][turn["at"] - 1 : turn["at"] + 1]
    assert running.get("/api/replay/none/story").status_code == 404


# -- what programs read -----------------------------------------------------------------------------------------------


def test_figures_health_and_readiness(club: House) -> None:
    figures = club.send("GET", "/metrics", key=HOST_KEY).text
    for name in ("umpire_answers_total", 'umpire_answer_seconds_bucket{le="+Inf"}', "umpire_memory_bytes"):
        assert name in figures
    assert club.get("/health").json() == {"alive": True}
    assert club.get("/ready").json() == {"ready": True}


def test_the_description_of_the_routes_is_the_routes() -> None:
    from umpire.server.routes import routes

    class Nothing:
        def __getattr__(self, name: str) -> Any:
            return Nothing()

    made = {
        (method.lower(), route.path)
        for route in routes(Nothing())  # type: ignore[arg-type]
        for method in route.methods or ()
        if method != "HEAD" and route.path != "/{path:path}"
    }
    assert made == {(method, path) for method, path, *_ in ROUTES}


def test_the_description_is_a_document(running: House) -> None:
    told = running.get("/api/openapi.json").json()
    assert told["openapi"].startswith("3.1")
    assert "NewTable" in told["components"]["schemas"]
    assert told["paths"]["/api/tables"]["post"]["requestBody"]
