"""My tables, on every device, without an account: a person is whoever holds a private key or knows a passphrase.

Of either only a slow hash is kept. What a person holds are the links of their seats, so that they can be opened
elsewhere and named in a notice; these are kept as they are, for whoever asks for them to be kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from typing import Annotated, Any

import msgspec
import sqlalchemy as sql
from msgspec import Meta
from sqlalchemy import Connection

from umpire.server import schema
from umpire.server.database import Database
from umpire.server.notices import Host, Notices, Wanted, allowed
from umpire.server.problems import Problem, forbidden, problem
from umpire.server.seats import tidy
from umpire.text import Text, say

MOST = 200
"""So many tables may one person hold."""
SHORTEST = 12
"""So many characters has a passphrase at least."""
CODE_SECONDS = 3600.0
_SALT = b"umpire: my tables"
REMEMBERED = 2000
_known_keys: dict[bytes, str] = {}
"""Who came lately, so that a page that looks again and again costs little; gone with the process."""


class Held(msgspec.Struct, forbid_unknown_fields=True):
    token: Annotated[str, Meta(min_length=1, max_length=64)]


class Me(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What somebody may change about themselves; what is left out stays."""

    name: Annotated[str, Meta(max_length=24)] | None = None
    notices: Wanted | None = None
    code: Annotated[str, Meta(max_length=16)] | None = None
    """The code that was mailed to an address, to prove that it is theirs."""


def stranger() -> Problem:
    return problem("unauthorised", "server.private-link-or-passphrase-wanted", 401)


async def person(key: str) -> str:
    """Who holds this key. Slow, so that passphrases cannot be tried by the thousand."""
    words = " ".join(key.split())
    if not SHORTEST <= len(words) <= 200:
        raise problem("unauthorised", "server.passphrase-has-characters-at-least", 401, shortest=SHORTEST)
    quick = hashlib.sha256(words.encode()).digest()
    known = _known_keys.get(quick)
    if known is None:
        known = (await asyncio.to_thread(_hash, words)).hex()
        if len(_known_keys) >= REMEMBERED:
            _known_keys.pop(next(iter(_known_keys)))
        _known_keys[quick] = known
    return known


def _hash(words: str) -> bytes:
    return hashlib.scrypt(words.encode(), salt=_SALT, n=2**14, r=8, p=1, dklen=32)


class People:
    def __init__(self, database: Database, host: Host, notices: Notices) -> None:
        self.database = database
        self.host = host
        self.notices = notices
        self._codes: dict[str, tuple[str, str, float]] = {}

    async def look(self, who: str) -> tuple[dict[str, Any], list[Any]]:
        """What is known of a person, and the seats they hold."""
        people, held = schema.people, schema.holdings

        def work(db: Connection) -> tuple[dict[str, Any], list[Any]]:
            row = db.execute(sql.select(people).where(people.c.id == who)).first()
            kept = list(db.execute(sql.select(held).where(held.c.person_id == who).order_by(held.c.added.desc())))
            wanted = msgspec.json.decode(row.notices, type=Wanted) if row is not None and row.notices else Wanted()
            return {"known": row is not None, "name": row.name if row is not None else "", "notices": wanted}, kept

        return await self.database.read(work)

    async def hold(self, who: str, table: str, side: int | None, token: str) -> None:
        """Keep a seat's link for a person."""
        held, now = schema.holdings, int(time.time())
        # A watcher's place is kept under -1.
        row = {"person_id": who, "table_id": table, "side": -1 if side is None else side, "token": token, "added": now}
        here = (held.c.person_id == who) & (held.c.table_id == table) & (held.c.side == row["side"])

        def work(db: Connection) -> None:
            _known(db, who)
            db.execute(held.delete().where(here))
            count = db.execute(sql.select(sql.func.count()).select_from(held).where(held.c.person_id == who)).scalar()
            if (count or 0) >= MOST:
                raise forbidden("server.at-most-tables-are-kept", most=MOST)
            db.execute(held.insert(), row)

        await self.database.write(work)

    async def drop(self, who: str, table: str) -> None:
        held = schema.holdings
        await self.database.change(held.delete().where(held.c.person_id == who, held.c.table_id == table))

    async def change(self, who: str, me: Me) -> None:
        people = schema.people
        known, _ = await self.look(who)
        values: dict[str, Any] = {}
        if me.name is not None:
            values["name"] = tidy(me.name)
        wanted: Wanted = known["notices"]
        if me.notices is not None:
            if me.notices.webhook is not None:
                allowed(me.notices.webhook, self.host)
            me.notices.confirmed = wanted.confirmed if wanted.confirmed == me.notices.email else ""
            wanted = me.notices
            if wanted.email and not wanted.confirmed:
                await self._ask_to_confirm(who, wanted)
        if me.code is not None:
            code, address, until = self._codes.get(who, ("", "", 0.0))
            if not code or not secrets.compare_digest(code, me.code.strip()) or time.monotonic() > until:
                self._codes.pop(who, None)  # one try for each letter
                raise forbidden("server.not-code")
            wanted.confirmed = address
            del self._codes[who]
        values["notices"] = msgspec.json.encode(wanted)

        def work(db: Connection) -> None:
            _known(db, who)
            db.execute(people.update().where(people.c.id == who).values(**values))

        await self.database.write(work)

    async def _ask_to_confirm(self, who: str, wanted: Wanted) -> None:
        """No address is written to again and again before its owner has agreed."""
        if self.host.mail is None:
            raise forbidden("server.server-sends-no-mail")
        last = self._codes.get(who)
        if last is not None and last[2] - CODE_SECONDS + 60 > time.monotonic():
            raise problem("too-fast", "server.try-again-in-minute", 429)
        code = f"{secrets.randbelow(10**8):08d}"
        self._codes[who] = code, wanted.email, time.monotonic() + CODE_SECONDS
        text = say(Text("server.letter.code", {"code": code}), wanted.lang, "server")
        try:
            await asyncio.to_thread(self.notices.mail, wanted.email, "Umpire", text)
        except OSError as error:
            raise problem("refused", "server.letter.failed", error=f"{error}"[:160]) from None


def _known(db: Connection, who: str) -> None:
    people = schema.people
    if db.execute(sql.select(people.c.id).where(people.c.id == who)).first() is None:
        db.execute(people.insert().values(id=who, created=int(time.time()), name=""))
