"""Commands of a host: serve tables, and look after those that are kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from umpire.cli.words import JsonOption, LangOption, app, both, helped, option, print_json, spoken
from umpire.errors import UmpireError

DataOption = Annotated[Path | None, option("保存桌子的目录", "The folder that keeps the tables")]
DatabaseOption = Annotated[
    str,
    option(
        "数据库地址 postgresql://…；不给则用目录里的 SQLite",
        "The database, postgresql://…; else SQLite in the folder",
        envvar="UMPIRE_DATABASE",
    ),
]


@app.command(
    help=helped(
        "在浏览器里开桌对战；不带任何命令的 umpire 等于 umpire serve --open。",
        "The table in the browser; umpire without a command is umpire serve --open.",
        "umpire serve --open",
        "umpire serve --host 0.0.0.0 --port 8000 --data ./tables --admin",
        "umpire serve --host 0.0.0.0 --database postgresql://umpire@db/umpire --log json",
    )
)
def serve(
    host: Annotated[str, option("监听的地址", "The address to listen on")] = "127.0.0.1",
    port: Annotated[
        int | None,
        option("端口；不给则用 8642 起第一个空闲的", "The port; else the first free from 8642", min=0, max=65535),
    ] = None,
    data: DataOption = None,
    open_browser: Annotated[bool, option("打开浏览器", "Open the browser", "--open")] = False,
    keep_days: Annotated[
        int, option("打完的桌子保留的天数；0 为永远", "Days a finished table is kept; 0: for ever", min=0)
    ] = 30,
    keep_abandoned_days: Annotated[
        int,
        option("没打完而无人再来的桌子保留的天数", "Days an unfinished table is kept that nobody comes back to", min=0),
    ] = 90,
    database: DatabaseOption = "",
    address: Annotated[
        str, option("别的进程找到本进程的地址", "Where other processes on the database find this one", "--advertise")
    ] = "",
    public: Annotated[
        str, option("人们看到的地址，用于通知里的链接", "The address that people see, for links in notices", "--public")
    ] = "",
    admin: Annotated[
        bool,
        option(
            "打印主持人的链接；密钥取自 UMPIRE_ADMIN_KEY，没有则随机",
            "Print the host's link; its key is UMPIRE_ADMIN_KEY, or random",
            "--admin",
        ),
    ] = False,
    password: Annotated[
        str, option("开桌需要的口令", "A password for making tables", envvar="UMPIRE_PASSWORD")
    ] = "",
    lobby: Annotated[bool, option("列出有空位的桌子", "List tables with an open seat", "--lobby/--no-lobby")] = True,
    smtp: Annotated[
        str,
        option("寄通知的邮件服务器 smtp://用户:密码@主机:端口", "A mail server, smtp://user:password@host:port",
               envvar="UMPIRE_SMTP"),
    ] = "",
    mail_from: Annotated[str, option("邮件的发信人", "Who the letters come from")] = "",
    webhooks: Annotated[
        Literal["known", "any", "inside"],
        option(
            "通知可以发往：已知的服务、任何公网地址、也包括内网",
            "Where webhooks may lead: known services, the open network, this network too",
        ),
    ] = "known",
    log: Annotated[Literal["text", "json"], option("日志的形式", "The form of the log")] = "text",
    drain: Annotated[
        float,
        option("收到 SIGTERM 后等多少秒再关", "Seconds between SIGTERM and closing", min=0.0, max=3600.0),
    ] = 0.0,
    proxies: Annotated[
        str, option("可信的反向代理地址，用逗号隔开", "Addresses of trusted proxies, parted by commas")
    ] = "127.0.0.1",
    cores: Annotated[int | None, option("持桌的进程数", "Processes that hold tables", min=1, max=64)] = None,
) -> None:  # fmt: skip
    import ipaddress
    import secrets

    from umpire.server.limits import Keep
    from umpire.server.notices import Host, Mail
    from umpire.server.serve import serve as serve_tables
    from umpire.space.warm import warm_once

    if smtp and not (smtp.startswith(("smtp://", "smtps://")) and mail_from):
        raise UmpireError(
            "--smtp wants smtp://… or smtps://…, and --mail-from",
            zh="--smtp 须为 smtp://… 或 smtps://…，并给出 --mail-from",
        )
    for place in proxies.split(","):
        try:
            if place.strip() != "*":
                ipaddress.ip_network(place.strip())
        except ValueError:
            raise UmpireError(f"{place!r} is no address or network", "--proxies", f"{place!r} 不是地址或网段") from None
    key = os.environ.get("UMPIRE_ADMIN_KEY") or secrets.token_urlsafe(18)
    warm_once(spoken(None))
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


tables_app = typer.Typer(rich_markup_mode=None)
app.add_typer(
    tables_app, name="tables", help=both("查看、移除、导出保存的桌子。", "See, remove and export kept tables.")
)
TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help=both("桌号", "a table's id"))]


@tables_app.command(
    "list",
    help=helped("列出保存的桌子，新的在前。", "The tables that are kept, the newest first.", "umpire tables list"),
)
def list_(
    data: DataOption = None,
    database: DatabaseOption = "",
    most: Annotated[int, option("最多多少张", "At most so many", min=1)] = 50,
    json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    from umpire.server import keeping

    found = keeping.listed(data, database, most)
    if json:
        print_json(found)
        return
    for row in found:
        print(keeping.line(row, spoken(lang)))


@tables_app.command("show", help=helped("一张桌子的详情。", "What is kept of a table.", "umpire tables show k3Jx…"))
def show(table: TableArgument, data: DataOption = None, database: DatabaseOption = "") -> None:
    from umpire.server import keeping

    print_json(keeping.shown(data, database, table))


@tables_app.command(
    "remove", help=helped("永远移除桌子。", "Remove tables for good.", "umpire tables remove k3Jx… p9Qa…")
)
def remove(
    tables: Annotated[list[str], typer.Argument(metavar="TABLE…", help=both("桌号", "ids of tables"))],
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
        "把一张桌子写成战报（未打完的也可以；其中有骰子的秘密）。",
        "A table as a record, unfinished ones too: it holds the secret of the dice.",
        "umpire tables export k3Jx… > battle.jsonl",
    ),
)
def export(table: TableArgument, data: DataOption = None, database: DatabaseOption = "") -> None:
    from umpire.server import keeping

    print(keeping.exported(data, database, table), end="")
