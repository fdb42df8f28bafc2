"""Telling somebody who is away that it is their turn: one notice a turn, with a link that opens the seat.

What is to be told waits in the database until it is due, so that nothing is lost or told twice when the server is
restarted; a seat whose player comes back first is not told at all.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import ipaddress
import logging
import smtplib
import socket
import ssl
import time
import urllib.error
import urllib.request
from email.message import EmailMessage
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
import sqlalchemy as sql
from msgspec import Meta
from sqlalchemy import Connection

from umpire.server import schema
from umpire.server.database import Database
from umpire.server.problems import problem
from umpire.server.table import Table
from umpire.text import LANGUAGES, Language, Text, say

log = logging.getLogger("umpire.server")

GRACE = 60
"""So many seconds after the turn has passed to them may somebody come back without being told."""
TRIES = 4
AGAIN = 120
"""After so many seconds a notice that could not be sent is tried again, then after twice as many, and so on."""
SECONDS = 10.0
LOT = 50

HOSTS = {
    "discord": ("discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"),
    "feishu": ("open.feishu.cn", "open.larksuite.com"),
    "wecom": ("qyapi.weixin.qq.com",),
}

Url = Annotated[str, Meta(min_length=8, max_length=500)]


class Webhook(msgspec.Struct, forbid_unknown_fields=True):
    form: Literal["discord", "feishu", "wecom", "json"]
    url: Url


class Quiet(msgspec.Struct, forbid_unknown_fields=True):
    """Hours of the day in which nothing is sent, as minutes since midnight; `start` may lie after `end`."""

    start: Annotated[int, Meta(ge=0, lt=1440)]
    end: Annotated[int, Meta(ge=0, lt=1440)]
    zone: Annotated[str, Meta(max_length=64)] = "UTC"


class Push(msgspec.Struct, forbid_unknown_fields=True):
    """A browser's subscription, as the browser gives it."""

    endpoint: Url
    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class Wanted(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """How somebody wants to be told. `confirmed` is the address that has proved to be theirs."""

    lang: Language = LANGUAGES[0]
    webhook: Webhook | None = None
    email: Annotated[str, Meta(max_length=200, pattern=r"^([^@\s,;<>]+@[^@\s,;<>]+)?$")] = ""
    push: Annotated[list[Push], Meta(max_length=5)] = []
    quiet: Quiet | None = None
    confirmed: str = ""


class Mail(msgspec.Struct, frozen=True):
    """An SMTP server: `smtp://user:password@host:port` or `smtps://…`; `sender` is who the letters come from."""

    url: str
    sender: str


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """What this host can do: its own address for links, its mail server, whether webhooks may lead anywhere, and into
    its own network."""

    address: str = ""
    mail: Mail | None = None
    webhooks: Literal["known", "any", "inside"] = "known"


def allowed(hook: Webhook, host: Host) -> None:
    """Refuse a webhook that leads where this host's people have no business."""
    parts = urlsplit(hook.url)
    known = HOSTS.get(hook.form, ())
    if parts.scheme != "https" and host.webhooks != "inside":
        raise problem("refused", "server.webhook-begins-with-https")
    if parts.username or parts.password or not parts.hostname:
        raise problem("refused", "server.no-address-webhook")
    if host.webhooks == "known" and parts.hostname not in known:
        raise problem("refused", "server.only-known-services", known=list(known) or ["—"])


def body(form: str, kind: str, text: str, link: str, facts: dict[str, Any]) -> bytes:
    """The notice as a service wants it."""
    line = f"{text}\n{link}"
    forms: dict[str, Any] = {
        "discord": {"content": line, "allowed_mentions": {"parse": []}},
        "feishu": {"msg_type": "text", "content": {"text": line}},
        "wecom": {"msgtype": "text", "text": {"content": line}},
        "json": {"event": kind, "text": text, "link": link, **facts},
    }
    return msgspec.json.encode(forms[form])


def after_quiet(now: float, quiet: Quiet | None) -> float:
    """When something may be sent that is due now."""
    if quiet is None:
        return now
    from datetime import datetime

    try:
        zone = ZoneInfo(quiet.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        zone = ZoneInfo("UTC")
    local = datetime.fromtimestamp(now, zone)
    minute = local.hour * 60 + local.minute
    inside = quiet.start <= minute < quiet.end if quiet.start <= quiet.end else not quiet.end <= minute < quiet.start
    if not inside:
        return now
    return now + ((quiet.end - minute) % 1440) * 60 - local.second


class Notices:
    """Who is to be told what, and when."""

    def __init__(self, database: Database, host: Host, counted: Any) -> None:
        self.database = database
        self.host = host
        self._counted = counted
        self._told: dict[tuple[str, int], str] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.push: Any = None

    # -- what happens at tables ----------------------------------------------------------------------------------

    def turned(self, table: Table) -> None:
        """Others are asked now: whoever is away will be told."""
        here = {connection.side for connection in table.connections}
        for seat in table.seats:
            if seat.kind == "computer" or seat.side in here:
                continue
            kind = self._kind(table, seat.side)
            known = (table.id, seat.side)
            if kind is None or self._told.get(known) == kind or (seat.noticed and kind == "turn"):
                continue
            self._told[known] = kind
            self._spawn(self._plan(table.id, seat.side, kind))

    @staticmethod
    def _kind(table: Table, side: int) -> str | None:
        if table.over:
            return "over"
        if not table.started:
            return "begin" if side in table.beginning.owing() else None
        if table.timing.fell(side):
            return "clock"
        return "turn" if side in table.waiting else None

    def came(self, table: Table, side: int) -> None:
        """They are here: nothing needs to be told."""
        self._told.pop((table.id, side), None)
        table.seats[side].noticed = False
        self._spawn(self._drop(table.id, side))

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a notice failed", exc_info=task.exception())

    async def _plan(self, table: str, side: int, kind: str) -> None:
        notices, held = schema.notices, schema.holdings
        due = int(time.time()) + (0 if kind in ("over", "clock") else GRACE)
        row = {"table_id": table, "side": side, "kind": kind, "due": due, "tries": 0}

        def work(db: Connection) -> None:
            here = sql.select(held.c.person_id).where(held.c.table_id == table, held.c.side == side).limit(1)
            if db.execute(here).first() is None:
                return
            db.execute(notices.delete().where(notices.c.table_id == table, notices.c.side == side))
            db.execute(notices.insert(), row)

        await self.database.write(work)

    async def _drop(self, table: str, side: int) -> None:
        notices, seats = schema.notices, schema.seats

        def work(db: Connection) -> None:
            db.execute(notices.delete().where(notices.c.table_id == table, notices.c.side == side))
            mine = (seats.c.table_id == table) & (seats.c.side == side) & (seats.c.noticed == 1)
            db.execute(seats.update().where(mine).values(noticed=0))

        await self.database.write(work)

    # -- sending -------------------------------------------------------------------------------------------------

    async def send_all(self) -> None:
        while True:
            try:
                more = await self.send_due()
            except Exception:
                log.exception("notices could not be sent")
                more = False
            await asyncio.sleep(0.1 if more else 1.0)

    async def send_due(self, now: float | None = None) -> bool:
        """Send what is due. Each is taken out of the database first: better not told than told twice."""
        at = time.time() if now is None else now
        notices = schema.notices

        def take(db: Connection) -> list[Any]:
            look = sql.select(notices).where(notices.c.due <= at).order_by(notices.c.due).limit(LOT)
            if self.database.shared:
                look = look.with_for_update(skip_locked=True)
            rows = list(db.execute(look))
            for row in rows:
                db.execute(notices.delete().where(notices.c.table_id == row.table_id, notices.c.side == row.side))
            return rows

        rows = await self.database.write(take)
        for row in rows:
            await self._send(row, at)
        return len(rows) == LOT

    async def _send(self, row: Any, now: float) -> None:
        people, held, tables, seats = schema.people, schema.holdings, schema.tables, schema.seats
        look = (
            sql.select(people.c.notices, held.c.token, tables.c.game)
            .join(held, held.c.person_id == people.c.id)
            .join(tables, tables.c.id == held.c.table_id)
            .where(held.c.table_id == row.table_id, held.c.side == row.side)
        )
        found = await self.database.read(lambda db: list(db.execute(look)))
        later: float | None = None
        sent = False
        for one in found:
            wanted = msgspec.json.decode(one.notices, type=Wanted) if one.notices else Wanted()
            free = after_quiet(now, wanted.quiet)
            if free > now:
                later = min(later or free, free)
                continue
            if not await self.tell(wanted, row.kind, row.table_id, one.token, one.game):
                later = min(later or now + AGAIN, now + AGAIN * 2**row.tries)
            else:
                sent = True
        if sent:
            mine = (seats.c.table_id == row.table_id) & (seats.c.side == row.side)
            await self.database.change(seats.update().where(mine).values(noticed=1))
        elif later is not None and row.tries < TRIES:
            waits = later - now > AGAIN * 2 ** (row.tries + 1)  # quiet hours are no failure
            again = {"table_id": row.table_id, "side": row.side, "kind": row.kind, "due": int(later) + 1,
                     "tries": row.tries + (0 if waits else 1)}  # fmt: skip
            with contextlib.suppress(sql.exc.IntegrityError):  # a newer one has taken its place
                await self.database.change(schema.notices.insert(), again)

    async def tell(self, wanted: Wanted, kind: str, table: str, token: str, game: str) -> bool:
        """Send one notice by every way that somebody wants. Are they told? One way is enough: tried again, it would
        tell them twice."""
        text = say(Text(f"server.notice.{kind}", {"game": game, "table": table}), wanted.lang, "server")
        link = f"{self.host.address}/table/{table}#{token}"
        facts = {"table": table, "game": game}
        ways = []
        if wanted.webhook is not None:
            ways.append(asyncio.to_thread(self._post, wanted.webhook, kind, text, link, facts))
        if wanted.email and wanted.email == wanted.confirmed and self.host.mail is not None:
            ways.append(asyncio.to_thread(self.mail, wanted.email, text, f"{text}\n\n{link}\n"))
        if self.push is not None:
            message = msgspec.json.encode({"text": text, "link": link, "tag": f"{table}-{kind}"})
            ways += [asyncio.to_thread(self.push.send, one, message) for one in wanted.push]
        went = await asyncio.gather(*ways, return_exceptions=True)
        for result in went:
            if isinstance(result, BaseException):
                log.warning("a notice could not be sent: %s", result)
                self._counted("notices_failed")
            else:
                self._counted("notices_sent")
        return not went or any(not isinstance(result, BaseException) for result in went)

    def _post(self, hook: Webhook, kind: str, text: str, link: str, facts: dict[str, Any]) -> None:
        allowed(hook, self.host)
        post(hook.url, body(hook.form, kind, text, link, facts), inside=self.host.webhooks == "inside")

    def mail(self, to: str, subject: str, text: str) -> None:
        assert self.host.mail is not None
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = self.host.mail.sender, to, " ".join(subject.split())
        letter["Auto-Submitted"] = "auto-generated"
        letter.set_content(text)
        parts = urlsplit(self.host.mail.url)
        safe = ssl.create_default_context()
        if parts.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                parts.hostname or "", parts.port or 465, timeout=SECONDS, context=safe
            )
        else:
            server = smtplib.SMTP(parts.hostname or "", parts.port or 25, timeout=SECONDS)
        with server:
            server.ehlo()
            if parts.scheme != "smtps" and server.has_extn("starttls"):
                server.starttls(context=safe)
            if parts.username:
                server.login(parts.username, parts.password or "")
            server.send_message(letter)


class _Stay(urllib.request.HTTPRedirectHandler):
    """A webhook that leads elsewhere is not followed: it could lead inside."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Outside(http.client.HTTPSConnection):
    """A connection that has led nowhere inside when something is said over it: a name may lead elsewhere when it is
    looked up again."""

    def connect(self) -> None:
        super().connect()
        _must_be_open(self.sock.getpeername()[0], self.host)


class _Opener(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Outside, req, context=ssl.create_default_context())


def _must_be_open(address: str, name: str | None) -> None:
    if not ipaddress.ip_address(address).is_global:
        raise OSError(f"{name} is not an address of the open network")


def post(url: str, data: bytes, headers: dict[str, str] | None = None, inside: bool = False) -> None:
    """Post to an address of the open network; into this host's own only where the host wants that."""
    parts = urlsplit(url)
    if not inside:
        for found in socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM):
            _must_be_open(str(found[4][0]), parts.hostname)
    asked = urllib.request.Request(
        url, data, {"Content-Type": "application/json", "User-Agent": "Umpire", **(headers or {})}
    )
    try:
        # Where a proxy leads outside, it looks the name up, and keeps what is inside to itself.
        direct = not inside and not urllib.request.getproxies().get("https")
        with urllib.request.build_opener(_Stay, *([_Opener] if direct else [])).open(asked, timeout=SECONDS) as reply:
            reply.read(1000)
    except urllib.error.HTTPError as error:
        raise OSError(f"{parts.hostname} answered {error.code}") from None
