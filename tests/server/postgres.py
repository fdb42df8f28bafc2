"""A PostgreSQL of our own for the tests, where Debian's packages can be had: started once, a database for each test."""

from __future__ import annotations

import atexit
import functools
import getpass
import glob
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path


def _programs() -> Path | None:
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda file: int(file.split("/")[4]))
    if found:
        return Path(found[-1]).parent
    there = shutil.which("initdb")
    return Path(there).parent if there else None


@functools.cache
def server() -> str | None:
    """The address of a server that runs while the tests do, with {name} for the database; None where there are no
    programs to start one (`scripts/postgresql` installs them). `UMPIRE_POSTGRESQL` names one that runs already."""
    given = os.environ.get("UMPIRE_POSTGRESQL")
    if given:
        return given.rstrip("/")
    programs = _programs()
    if programs is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="umpire-postgresql-"))
    # PostgreSQL does not run as root: its own user does.
    user = "postgres" if os.geteuid() == 0 else getpass.getuser()
    if os.geteuid() == 0:
        account = pwd.getpwnam(user)
        os.chown(folder, account.pw_uid, account.pw_gid)

    def run(program: str, *words: str) -> None:
        command = [str(programs / program), *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", user, "--", *command]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    data = folder / "data"
    run("initdb", "-D", str(data), "-U", "umpire", "--auth=trust", "-E", "UTF8", "--locale=C")
    run("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", f"-k {folder} -c listen_addresses=", "start")

    def stop() -> None:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    return f"postgresql://umpire@/{{name}}?host={folder}"


def new_database() -> str:
    """The address of an empty database."""
    import sqlalchemy as sql

    address = server()
    assert address is not None
    name = f"t{uuid.uuid4().hex}"
    driven = address.replace("postgresql://", "postgresql+psycopg://", 1)
    engine = sql.create_engine(driven.format(name="postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as db:
        db.execute(sql.text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return address.format(name=name)
