"""Schema versions, forward from every one that was released. Alembic runs these; a database that is new or up to date
never loads it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection


def upgrade(db: Connection, start: str | None, target: str = "head") -> None:
    """Lead a database to `target`. `start` is the version it has where it does not say so itself."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = db
    if start is not None:
        command.stamp(config, start)
    command.upgrade(config, target)
