"""`umpire serve`: find a port, keep the tables' folder to ourselves, listen."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from umpire.errors import fault, system_reason
from umpire.server.pool import Pool

PORT = 8642
TRIES = 20


def data_folder() -> Path:
    """Where this user's programs keep their data."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "umpire"


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on the wished port; where none was wished, the usual one or the next that is free."""
    wished = [port] if port is not None else list(range(PORT, PORT + TRIES))
    problem: OSError | None = None
    for number in wished:
        try:
            family, kind, proto, _, address = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0]
            found = socket.socket(family, kind, proto)
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                found.bind(address)
                found.listen(1024)
            except OSError:
                found.close()
                raise
            return found
        except (OSError, OverflowError) as error:
            problem = error if isinstance(error, OSError) else OSError(str(error))
    reason = system_reason(problem) if problem else ""
    where = f"{host}:{wished[0]}" if len(wished) == 1 else f"{host}:{wished[0]}–{wished[-1]}"
    raise fault("server.cannot-listen-choose-another-with", where, reason=reason)


def reached_at(host: str, port: int) -> tuple[str, ...]:
    """Where others in the local network reach this server; nowhere, if it listens to this machine only."""
    from umpire.server.guard import LOOPBACK

    if host in LOOPBACK:
        return ()
    if host not in ("0.0.0.0", "::"):
        return (f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}",)
    try:
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return ()
    found = dict.fromkeys(str(entry[4][0]) for entry in known)
    return tuple(f"http://{name}:{port}" for name in found if not name.startswith("127."))


def keep_to_ourselves(folder: Path) -> Any:
    """Two servers on one folder would tell two stories of one battle. The lock lasts as long as what is returned."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / "lock").open("w")
    except OSError as error:
        raise fault("server.cannot-write", str(folder), strerror=system_reason(error)) from None
    try:
        import fcntl
    except ImportError:  # not on Windows
        return lock
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise fault("server.another-umpire-server-uses-folder", str(folder)) from None
    return lock


NEEDED = ("uvicorn", "starlette", "sqlalchemy", "cryptography")
SHARED = ("psycopg",)


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    data: Path | None = None,
    open_browser: bool = False,
    cores: int | None = None,
    modules: tuple[str, ...] = (),
    database: str = "",
    address: str = "",
    admin: str = "",
    log: str = "text",
    drain: float = 0.0,
    proxies: str = "127.0.0.1",
    rehearse: bool = True,
    **settings: Any,
) -> None:
    """Serve the table until interrupted. `modules` are games that live outside this package; `address` is where other
    processes on the same database find this one; `drain` seconds pass between being told to end and closing; what
    `proxies` say about where a request came from is believed; without `rehearse` nothing is loaded before it is
    wanted."""
    for needed in (*NEEDED, *(SHARED if database.startswith("postgres") else ())):
        if find_spec(needed) is None:
            raise ModuleNotFoundError(name=needed)
    folder = data or data_folder()
    lock = contextlib.nullcontext() if database else keep_to_ourselves(folder)
    with listen(host, port) as ear, lock, contextlib.suppress(KeyboardInterrupt):  # how one ends it
        number = ear.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        here = f"http://{shown}:{number}/"
        others = reached_at(host, number)
        for other in others:
            print(f"        {other}/", file=sys.stderr)
        print(f"Umpire: {here}  (Ctrl+C)", file=sys.stderr, flush=True)
        if admin:
            print(f"Umpire: {here}admin#{admin}", file=sys.stderr, flush=True)
        if open_browser:  # it takes its time too, and what it asks waits at the socket until we are ready
            threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()
        settings |= {"database": database, "admin": admin, "addresses": others}
        settings["address"] = address or next(iter(others), here.rstrip("/"))
        pool = Pool(modules, cores or min(4, os.cpu_count() or 1), rehearse)
        with asyncio.Runner(loop_factory=_event_loop()) as runner:
            runner.run(_serve(ear, folder, host, pool, log, drain, proxies, settings))


def _event_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The faster one, where there is one."""
    try:
        from uvloop import new_event_loop
    except ImportError:  # not on Windows
        return None
    return new_event_loop


async def _serve(
    ear: socket.socket, folder: Path, host: str, pool: Pool, log: str, drain: float, proxies: str, settings: Any
) -> None:
    """The first workers load their rules while we load what serves them."""
    await pool.start()
    import uvicorn

    from umpire.server.app import create_app
    from umpire.server.guard import LOOPBACK
    from umpire.server.hall import Hall, Settings
    from umpire.server.logs import speak
    from umpire.server.net import NetLimits, protocols, raise_file_limit

    speak(log)
    files = raise_file_limit()
    local = host in LOOPBACK
    trusted = tuple(proxies.split(","))
    net = settings.pop("net", None) or NetLimits(sockets=0 if local else 300, trusted=trusted)
    http, ws, keeper = protocols(net)
    hall = Hall(Settings(data=folder, local=local, net=net, **settings), pool, keeper)
    config = uvicorn.Config(
        create_app(hall),
        http=http,
        ws=ws,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=1024 * 1024,
        # On one machine packing costs more time than it saves; over a network views pack to a tenth.
        ws_per_message_deflate=not local,
        limit_concurrency=max(500, min(8000, files - 200)) if files else 4000,
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=10,
    )

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: Any) -> None:
            """Told to end: first let it be seen that nobody should be sent here any more."""
            if drain and not hall.draining and sig == signal.SIGTERM:
                hall.draining = True
                threading.Timer(drain, super().handle_exit, (sig, frame)).start()
                return
            hall.draining = True
            super().handle_exit(sig, frame)

    await Server(config).serve(sockets=[ear])
