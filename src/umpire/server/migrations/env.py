"""Alembic's way in: the connection is handed over, nothing is read from a file."""

from __future__ import annotations

from alembic import context

from umpire.server.schema import meta

context.configure(connection=context.config.attributes["connection"], target_metadata=meta)
with context.begin_transaction():
    context.run_migrations()
