"""Commands that fight battles: at the table, in the terminal, against a bot, by the thousand, against the clock."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from umpire.cli.words import (
    GameArgument,
    JsonOption,
    LangOption,
    ScenarioOption,
    SeedOption,
    app,
    both,
    helped,
    option,
    print_json,
    spoken,
)
from umpire.errors import UmpireError


@app.command(
    help=helped(
        "在终端里打一场：与电脑对战，或两人轮流。只列出合法的选择。",
        "A battle in the terminal, against the computer or between two people. Only legal choices are offered.",
        "umpire play warcry --against planner:hard",
        "umpire play conquest --against person --seed 7",
    )
)
def play(
    game: GameArgument,
    against: Annotated[
        str, option("对手：person、random、planner:easy …", "person, random, planner:easy …")
    ] = "planner",
    side: Annotated[int, option("你是第几方", "Your side", min=1, max=2)] = 1,
    seed: SeedOption = 0,
    armies: Annotated[
        str | None, option("双方军表文件，用逗号隔开", "Army files of both sides, parted by a comma")
    ] = None,
    scenario: ScenarioOption = None,
    record: Annotated[Path | None, option("把对战记录写入此文件", "Write the battle's record here")] = None,
    lang: LangOption = None,
) -> None:
    from umpire.arena.armies import load_for
    from umpire.engine.battle import battle
    from umpire.players import player
    from umpire.players.player import seat_seed
    from umpire.players.terminal import Terminal

    other = 2 - side
    players = {} if against == "person" else {other: player(against, seat_seed(seed, other))}
    fight = battle(game, sides=load_for(game, armies), scenario=scenario, seed=seed)
    try:
        Terminal(fight, players, spoken(lang), input).run()
    finally:
        for one in players.values():
            one.close()
        if record:
            record.write_text(fight.record, encoding="utf-8")


SaltOption = Annotated[
    str,
    option(
        "骰子的秘密；有机器人时不写则随机，并写在结果里",
        "The secret of the dice; with bots random if left out, and told with the result",
    ),
]


@app.command(
    help=helped(
        "打许多场，统计胜负、规则触发和错误。不同的参赛者同一种子打两场，交换位置。",
        "Play many battles; count wins, rules fired, errors. Unequal contestants play each seed twice, sides swapped.",
        "umpire simulate warcry --battles 1000 --json",
        "umpire simulate aos --players planner,random --battles 100 --csv battles.csv",
        "umpire simulate conquest --armies a.yaml,b.yaml,c.yaml --round-robin --players planner",
        "umpire simulate conquest --without conquest.rule.shield --battles 200 --plot shield.svg",
    )
)
def simulate(
    game: GameArgument,
    battles: Annotated[int, option("场数（每一对）", "Battles (of each meeting)")] = 100,
    seed: SeedOption = 0,
    players: Annotated[
        str, option("玩家：random、planner、bot:命令 …，用逗号隔开", "random, planner, bot:COMMAND …, parted by commas")
    ] = "random,random",
    armies: Annotated[
        str | None, option("军表文件，用逗号隔开；不写则随机", "Army files, parted by commas; random if left out")
    ] = None,
    scenario: ScenarioOption = None,
    salt: SaltOption = "",
    robin: Annotated[bool, option("两两对战，计算 Elo", "Each against each, with Elo", "--round-robin")] = False,
    mirrored: Annotated[
        bool, option("各自对自己：先手优势", "Each against itself: first-turn advantage", "--mirror")
    ] = False,
    jobs: Annotated[int | None, option("进程数；默认用全部核心", "Processes; all cores if left out", min=1)] = None,
    resume: Annotated[
        Path | None, option("日志文件：中断后从这里继续", "A journal: an interrupted run goes on from it")
    ] = None,
    csv: Annotated[Path | None, option("每场一行，写入 CSV", "A row for each battle, as CSV")] = None,
    parquet: Annotated[Path | None, option("每场一行，写入 Parquet", "A row for each battle, as Parquet")] = None,
    without: Annotated[
        list[str] | None,
        option(
            "关闭这条规则，与同样种子、有此规则的对战比较（可写多次）",
            "Switch this rule off, against the same seeds with it (may be repeated)",
        ),
    ] = None,
    plot: Annotated[Path | None, option("把比较画入此 SVG 文件", "Draw the comparison in this SVG file")] = None,
    ray: Annotated[bool, option("用 Ray 在多台机器上运行", "On many machines, with Ray", "--ray")] = False,
    json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    import msgspec

    from umpire.arena import cluster, pool, run, salted, tables, terminal, weighing
    from umpire.rulebook.coverage import record_fired

    if robin and mirrored:
        raise UmpireError("either --round-robin or --mirror", zh="--round-robin 与 --mirror 只能选一个")
    kind = "round-robin" if robin else "mirror" if mirrored else "matchup"
    who = terminal.contestants(game, players, [Path(file) for file in armies.split(",")] if armies else [])
    if plot and not without:
        raise UmpireError("draws what --without compares", "--plot", "用于画出 --without 的比较")
    series = terminal.series(game, battles, seed, who, kind, scenario, without or ())
    series = salted(msgspec.structs.replace(series, salt=salt), resume)
    tables.ready(csv, parquet, plot)
    runner = cluster.fight_all if ray else pool.fight_all
    with terminal.progress(battles * len(series.meetings) * (2 if without else 1), spoken(lang)) as told:
        found, results = run(series, jobs or pool.cores(), resume, told, runner)
        if without:
            usual = msgspec.structs.replace(series, without=())
            weighed = weighing.weigh(series, run(usual, jobs or pool.cores(), None, told, runner)[1], results)
    if not without:
        record_fired(game, found.battles, found.rules_fired)
    if csv:
        tables.write_csv(csv, series, results)
    if parquet:
        tables.write_parquet(parquet, series, results)
    if plot:
        plot.write_text(weighing.plot(weighed, spoken(lang)), encoding="utf-8")
    if json:
        print_json(msgspec.to_builtins(found) | {"weighed": msgspec.to_builtins(weighed)} if without else found)
    else:
        terminal.show(found, spoken(lang))
        if without:
            weighing.show(weighed, spoken(lang))
    if found.errors:
        raise typer.Exit(1)


@app.command(
    help=helped(
        "机器人协议：与任何语言写的玩家以 JSON 行对战；不给命令时用标准输入输出。",
        "The bot protocol: plays a bot in any language by JSON lines; without a command, on standard input and output.",
        "umpire bot warcry --against planner -- python mybot.py",
        "umpire bot warcry",
        "umpire schema bot",
    ),
)
def bot(
    game: GameArgument,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND", help=both("启动机器人的命令", "the command that starts the bot")),
    ] = None,
    side: Annotated[int, option("机器人是第几方", "The bot's side", min=1, max=2)] = 1,
    against: Annotated[str, option("对手", "The other player")] = "random",
    seed: SeedOption = 0,
    seconds: Annotated[float, option("每个决定的时限（秒）", "Seconds for each decision")] = 10.0,
    scenario: ScenarioOption = None,
    salt: SaltOption = "",
) -> None:
    import secrets

    from umpire.engine.battle import battle
    from umpire.engine.dice import fair
    from umpire.players import player, protocol
    from umpire.players.external import External
    from umpire.players.player import seat_seed

    salt = salt or secrets.token_hex(16)
    fight = battle(game, scenario=scenario, seed=seed, fairness=fair(("", ""), f"{salt} {seed}"))
    foe = player(against, seat_seed(seed, 2 - side))
    if command:
        guest: protocol.Bot = External(command, seat_seed(seed, side - 1), seconds)
    else:
        line = protocol.Line(sys.stdin.buffer, sys.stdout.buffer)
        guest = protocol.Bot(line, seat_seed(seed, side - 1), seconds)
    try:
        protocol.host(fight, side - 1, guest, foe)
    finally:
        guest.close()
        foe.close()
    if command:
        print_json({"outcome": fight.outcome, "answers": len(fight.answers), "lost": guest.lost, "salt": salt})
    if guest.lost:
        raise UmpireError(f"the bot lost its seat: {guest.lost}", zh=f"机器人失去了席位：{guest.lost}")


@app.command(
    help=helped(
        "运行基准测试，列出数值和标准。",
        "Run the benchmarks and list their figures against their bars.",
        "umpire bench --json",
    )
)
def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAMES", help=both("只运行这些", "only these"))] = None,
    json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    from umpire import benchmarks

    figures = benchmarks.run(names or ())
    if json:
        print_json(figures)
    else:
        benchmarks.show(figures, spoken(lang))
    missed = [figure.name for figure in figures if figure.ok is False]
    if missed:
        raise UmpireError(f"below the bar: {', '.join(missed)}", zh=f"未达标准：{'、'.join(missed)}")
