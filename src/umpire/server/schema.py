"""What is kept, as tables of a database. `migrations/` leads here from every version that was ever released."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Float, Index, Integer, LargeBinary, MetaData, String, Table

FORMAT = 2
"""What this version keeps; the number in `format` tells earlier versions of Umpire that it is not for them."""
HEAD = "0002"
"""The migration that leads to this schema."""

meta = MetaData()
tables = Table(
    "tables",
    meta,
    Column("id", String(32), primary_key=True),
    Column("created", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("setup", LargeBinary, nullable=False),
    Column("secret", String(64), nullable=False),
    Column("watch", String(64), nullable=False),
    Column("guide", Integer, nullable=False),
    Column("started", Integer, nullable=False),
    Column("resigned", Integer),
    Column("takebacks", Integer, nullable=False, server_default="0"),
    Column("stopped", LargeBinary),
    Column("clock", LargeBinary),
    Column("listed", Integer, nullable=False, server_default="0"),
    Column("waiting", String(8), nullable=False, server_default=""),
    Column("moved", BigInteger, nullable=False, server_default="0"),
    Column("summary", LargeBinary),
    Column("holder", String(64), nullable=False, server_default=""),
    Column("epoch", Integer, nullable=False, server_default="0"),
)
seats = Table(
    "seats",
    meta,
    Column("table_id", String(32), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("token", String(64)),
    Column("name", String(64), nullable=False),
    Column("level", String(16)),
    Column("army", LargeBinary, nullable=False),
    Column("luck", String(64), nullable=False),
    Column("hash", String(64), nullable=False, server_default=""),
    Column("withheld", Integer, nullable=False, server_default="0"),
    Column("orders", LargeBinary),
    Column("noticed", Integer, nullable=False, server_default="0"),
)
answers = Table(
    "answers",
    meta,
    Column("table_id", String(32), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("side", Integer, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("anew", Integer, nullable=False, server_default="0"),
)
checkpoints = Table(
    "checkpoints",
    meta,
    Column("table_id", String(32), primary_key=True),
    Column("n", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
chat = Table(
    "chat",
    meta,
    Column("table_id", String(32), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("side", Integer),
    Column("name", String(64), nullable=False),
    Column("text", String(2000), nullable=False),
    Column("at", Integer, nullable=False),
)
visits = Table(
    "visits",
    meta,
    Column("table_id", String(32), primary_key=True),
    Column("at", Integer, nullable=False),
    Column("over", Integer, nullable=False),
    Column("lived", BigInteger, nullable=False, server_default="0"),
)
replays = Table(
    "replays",
    meta,
    Column("id", String(32), primary_key=True),
    Column("created", Integer, nullable=False),
    Column("record", LargeBinary, nullable=False),
)
format_ = Table("format", meta, Column("version", Integer, primary_key=True))
ages = Table(
    "ages",
    meta,
    Column("id", Integer, primary_key=True),
    Column("lived", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
)
people = Table(
    "people",
    meta,
    Column("id", String(64), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("name", String(64), nullable=False),
    Column("notices", LargeBinary),
)
holdings = Table(
    "holdings",
    meta,
    Column("person_id", String(64), primary_key=True),
    Column("table_id", String(32), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("token", String(64), nullable=False),
    Column("added", BigInteger, nullable=False),
)
notices = Table(
    "notices",
    meta,
    Column("table_id", String(32), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
)
processes = Table(
    "processes",
    meta,
    Column("id", String(64), primary_key=True),
    Column("address", String(200), nullable=False),
    Column("beat", Float(53), nullable=False),
)
keys = Table(
    "keys",
    meta,
    Column("name", String(32), primary_key=True),
    Column("value", String(2000), nullable=False),
)
Index("tables_listed", tables.c.listed)
Index("tables_holder", tables.c.holder)
Index("holdings_table", holdings.c.table_id, holdings.c.side)
Index("notices_due", notices.c.due)

OF_A_TABLE = (seats, answers, checkpoints, chat, visits, holdings, notices)
"""What goes when a table goes."""


class StoredSeat(msgspec.Struct):
    """A seat as it is kept: its token only as a hash, `army` as the JSON of a text. `hash` is what its player has
    committed to, `luck` what was told of it, `withheld` that it never will be; `orders` are standing orders."""

    side: int
    kind: str
    token: str | None
    name: str = ""
    level: str | None = None
    army: bytes = b"null"
    luck: str = ""
    hash: str = ""
    withheld: bool = False
    orders: bytes | None = None
    noticed: bool = False


class StoredChat(msgspec.Struct):
    n: int
    side: int | None
    name: str
    text: str
    at: int


class StoredAnswer(msgspec.Struct, frozen=True, array_like=True):
    side: int
    answer: bytes
    anew: int = 0


class StoredTable(msgspec.Struct):
    """A table as it is kept, and everything a battle goes on from: set-up, checkpoint, answers. `stopped` says (as the
    JSON of a text) why it is only looked at any more."""

    id: str
    created: int
    game: str
    setup: bytes
    secret: str
    watch: str
    guide: bool
    started: bool
    resigned: int | None
    seats: list[StoredSeat]
    answers: list[StoredAnswer] = []
    checkpoint: tuple[int, bytes] | None = None
    chat: list[StoredChat] = []
    takebacks: int = 0
    stopped: bytes | None = None
    clock: bytes | None = None
    listed: bool = False
    waiting: str = ""
    moved: int = 0
    summary: bytes | None = None
    epoch: int = 0
    over: bool = False
