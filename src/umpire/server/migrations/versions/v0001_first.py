"""What the first version kept (format 1)."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("created", sql.Integer, nullable=False),
        sql.Column("game", sql.String(32), nullable=False),
        sql.Column("setup", sql.LargeBinary, nullable=False),
        sql.Column("secret", sql.String(64), nullable=False),
        sql.Column("watch", sql.String(64), nullable=False),
        sql.Column("guide", sql.Integer, nullable=False),
        sql.Column("started", sql.Integer, nullable=False),
        sql.Column("resigned", sql.Integer),
    )
    op.create_table(
        "seats",
        sql.Column("table_id", sql.String(32), primary_key=True),
        sql.Column("side", sql.Integer, primary_key=True),
        sql.Column("kind", sql.String(16), nullable=False),
        sql.Column("token", sql.String(64)),
        sql.Column("name", sql.String(64), nullable=False),
        sql.Column("level", sql.String(16)),
        sql.Column("army", sql.LargeBinary, nullable=False),
        sql.Column("luck", sql.String(64), nullable=False),
    )
    op.create_table(
        "answers",
        sql.Column("table_id", sql.String(32), primary_key=True),
        sql.Column("n", sql.Integer, primary_key=True),
        sql.Column("side", sql.Integer, nullable=False),
        sql.Column("answer", sql.LargeBinary, nullable=False),
    )
    op.create_table(
        "checkpoints",
        sql.Column("table_id", sql.String(32), primary_key=True),
        sql.Column("n", sql.Integer, nullable=False),
        sql.Column("data", sql.LargeBinary, nullable=False),
    )
    op.create_table(
        "chat",
        sql.Column("table_id", sql.String(32), primary_key=True),
        sql.Column("n", sql.Integer, primary_key=True),
        sql.Column("side", sql.Integer),
        sql.Column("name", sql.String(64), nullable=False),
        sql.Column("text", sql.String(2000), nullable=False),
        sql.Column("at", sql.Integer, nullable=False),
    )
    op.create_table(
        "visits",
        sql.Column("table_id", sql.String(32), primary_key=True),
        sql.Column("at", sql.Integer, nullable=False),
        sql.Column("over", sql.Integer, nullable=False),
    )
    op.create_table(
        "replays",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("created", sql.Integer, nullable=False),
        sql.Column("record", sql.LargeBinary, nullable=False),
    )
    op.create_table("format", sql.Column("version", sql.Integer, primary_key=True))
    op.execute("INSERT INTO format (version) VALUES (1)")
