"""Commands of a host: serve tables, and look after those that are kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from umpire.cli.words import App, JsonOption, app, helped, option, print_json, spoken, word
from umpire.errors import fault

DataOption = Annotated[Path | None, option("cli.folder-that-keeps-tables")]
DatabaseOption = Annotated[
    str,
    option(
        "cli.database-postgresql-else-sqlite-in",
        envvar="UMPIRE_DATABASE",
    ),
]


@app.command(
    help=helped(
        "cli.serve.help",
        "umpire serve --open",
        "umpire serve --host 0.0.0.0 --port 8000 --data ./tables --admin",
        "umpire serve --host 0.0.0.0 --database postgresql://umpire@db/umpire --log json",
    )
)
def serve(
    host: Annotated[str, option("cli.serve.host")] = "127.0.0.1",
    port: Annotated[
        int | None,
        option("cli.serve.port", min=0, max=65535),
    ] = None,
    data: DataOption = None,
    open_browser: Annotated[bool, option("cli.serve.open-browser", "--open")] = False,
    keep_days: Annotated[
        int, option("cli.serve.keep-days", min=0)
    ] = 30,
    keep_abandoned_days: Annotated[
        int,
        option("cli.serve.keep-abandoned-days", min=0),
    ] = 90,
    database: DatabaseOption = "",
    address: Annotated[
        str, option("cli.serve.address", "--advertise")
    ] = "",
    public: Annotated[
        str, option("cli.serve.public", "--public")
    ] = "",
    admin: Annotated[
        bool,
        option(
            "cli.serve.admin",
            "--admin",
        ),
    ] = False,
    password: Annotated[
        str, option("cli.serve.password", envvar="UMPIRE_PASSWORD")
    ] = "",
    lobby: Annotated[bool, option("cli.serve.lobby", "--lobby/--no-lobby")] = True,
    smtp: Annotated[
        str,
        option("cli.serve.smtp",
               envvar="UMPIRE_SMTP"),
    ] = "",
    mail_from: Annotated[str, option("cli.serve.mail-from")] = "",
    webhooks: Annotated[
        Literal["known", "any", "inside"],
        option(
            "cli.serve.webhooks",
        ),
    ] = "known",
    log: Annotated[Literal["text", "json"], option("cli.serve.log")] = "text",
    drain: Annotated[
        float,
        option("cli.serve.drain", min=0.0, max=3600.0),
    ] = 0.0,
    proxies: Annotated[
        str, option("cli.serve.proxies")
    ] = "127.0.0.1",
    cores: Annotated[int | None, option("cli.serve.cores", min=1, max=64)] = None,
) -> None:  # fmt: skip
    import ipaddress
    import secrets

    from umpire.server.limits import Keep
    from umpire.server.notices import Host, Mail
    from umpire.server.serve import serve as serve_tables
    from umpire.space.warm import warm_once

    if smtp and not (smtp.startswith(("smtp://", "smtps://")) and mail_from):
        raise fault("cli.smtp-wants-smtp-or-smtps")
    for place in proxies.split(","):
        try:
            if place.strip() != "*":
                ipaddress.ip_network(place.strip())
        except ValueError:
            raise fault("cli.no-address-or-network", "--proxies", place=repr(place)) from None
    key = os.environ.get("UMPIRE_ADMIN_KEY") or secrets.token_urlsafe(18)
    warm_once(spoken())
    serve_tables(
        host,
        port,
        data,
        open_browser,
        cores,
        database=database,
        address=address.rstrip("/"),
        admin=key if admin else "",
        log=log,
        drain=drain,
        proxies=proxies,
        keep=Keep(keep_days, keep_abandoned_days),
        password=password,
        lobby=lobby,
        notices=Host(address=public.rstrip("/"), mail=Mail(smtp, mail_from) if smtp else None, webhooks=webhooks),
    )


tables_app = App()
app.add_typer(tables_app, name="tables", help=word("cli.see-remove-and-export-kept"))
TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help=word("cli.tables-id"))]


@tables_app.command(
    "list",
    help=helped("cli.list.help", "umpire tables list"),
)
def list_(
    data: DataOption = None,
    database: DatabaseOption = "",
    most: Annotated[int, option("cli.list.most", min=1)] = 50,
    json: JsonOption = False,
) -> None:
    from umpire.server import keeping

    found = keeping.listed(data, database, most)
    if json:
        print_json(found)
        return
    for row in found:
        print(keeping.line(row, spoken()))


@tables_app.command("show", help=helped("cli.show.help", "umpire tables show k3Jx…"))
def show(table: TableArgument, data: DataOption = None, database: DatabaseOption = "") -> None:
    from umpire.server import keeping

    print_json(keeping.shown(data, database, table))


@tables_app.command("remove", help=helped("cli.remove.help", "umpire tables remove k3Jx… p9Qa…"))
def remove(
    tables: Annotated[list[str], typer.Argument(metavar="TABLE…", help=word("cli.remove.tables"))],
    data: DataOption = None,
    database: DatabaseOption = "",
    json: JsonOption = False,
) -> None:
    from umpire.server import keeping

    gone = keeping.removed(data, database, tables)
    if json:
        print_json({"removed": gone})
    else:
        print("\n".join(gone))


@tables_app.command(
    "export",
    help=helped(
        "cli.export.help",
        "umpire tables export k3Jx… > battle.jsonl",
    ),
)
def export(table: TableArgument, data: DataOption = None, database: DatabaseOption = "") -> None:
    from umpire.server import keeping

    print(keeping.exported(data, database, table), end="")
