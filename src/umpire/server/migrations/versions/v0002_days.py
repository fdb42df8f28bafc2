"""Battles over days and several processes: clocks, notices, people, leases; luck that is committed first; dice drawn
anew; age counted in days that the server has run (format 2)."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    for column in (
        sql.Column("takebacks", sql.Integer, nullable=False, server_default="0"),
        sql.Column("stopped", sql.LargeBinary),
        sql.Column("clock", sql.LargeBinary),
        sql.Column("listed", sql.Integer, nullable=False, server_default="0"),
        sql.Column("waiting", sql.String(8), nullable=False, server_default=""),
        sql.Column("moved", sql.BigInteger, nullable=False, server_default="0"),
        sql.Column("summary", sql.LargeBinary),
        sql.Column("holder", sql.String(64), nullable=False, server_default=""),
        sql.Column("epoch", sql.Integer, nullable=False, server_default="0"),
    ):
        op.add_column("tables", column)
    for column in (
        sql.Column("hash", sql.String(64), nullable=False, server_default=""),
        sql.Column("withheld", sql.Integer, nullable=False, server_default="0"),
        sql.Column("orders", sql.LargeBinary),
        sql.Column("noticed", sql.Integer, nullable=False, server_default="0"),
    ):
        op.add_column("seats", column)
    op.add_column("answers", sql.Column("anew", sql.Integer, nullable=False, server_default="0"))
    op.add_column("visits", sql.Column("lived", sql.BigInteger, nullable=False, server_default="0"))
    op.execute(
        "INSERT INTO visits (table_id, at, over) SELECT id, created, 0 FROM tables "
        "WHERE id NOT IN (SELECT table_id FROM visits)"
    )
    # Age counts from the newest visit there is: that is now.
    op.execute("UPDATE visits SET lived = at - (SELECT MAX(at) FROM visits)")
    op.create_table(
        "ages",
        sql.Column("id", sql.Integer, primary_key=True),
        sql.Column("lived", sql.BigInteger, nullable=False),
        sql.Column("at", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "people",
        sql.Column("id", sql.String(64), primary_key=True),
        sql.Column("created", sql.BigInteger, nullable=False),
        sql.Column("name", sql.String(64), nullable=False),
        sql.Column("notices", sql.LargeBinary),
    )
    op.create_table(
        "holdings",
        sql.Column("person_id", sql.String(64), primary_key=True),
        sql.Column("table_id", sql.String(32), primary_key=True),
        sql.Column("side", sql.Integer, primary_key=True),
        sql.Column("token", sql.String(64), nullable=False),
        sql.Column("added", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "notices",
        sql.Column("table_id", sql.String(32), primary_key=True),
        sql.Column("side", sql.Integer, primary_key=True),
        sql.Column("kind", sql.String(16), nullable=False),
        sql.Column("due", sql.BigInteger, nullable=False),
        sql.Column("tries", sql.Integer, nullable=False),
    )
    op.create_table(
        "processes",
        sql.Column("id", sql.String(64), primary_key=True),
        sql.Column("address", sql.String(200), nullable=False),
        sql.Column("beat", sql.Float(53), nullable=False),
    )
    op.create_table(
        "keys",
        sql.Column("name", sql.String(32), primary_key=True),
        sql.Column("value", sql.String(2000), nullable=False),
    )
    op.create_index("tables_listed", "tables", ["listed"])
    op.create_index("tables_holder", "tables", ["holder"])
    op.create_index("holdings_table", "holdings", ["table_id", "side"])
    op.create_index("notices_due", "notices", ["due"])
    op.execute("UPDATE format SET version = 2")
