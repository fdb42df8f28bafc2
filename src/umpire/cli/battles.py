"""Commands that fight battles: at the table, in the terminal, against a bot, by the thousand, against the clock."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from umpire.cli.words import (
    GameArgument,
    JsonOption,
    ScenarioOption,
    SeedOption,
    app,
    helped,
    option,
    print_json,
    spoken,
    word,
)
from umpire.errors import fault


@app.command(
    help=helped(
        "cli.play.help",
        "umpire play warcry --against planner:hard",
        "umpire play conquest --against person --seed 7",
    )
)
def play(
    game: GameArgument,
    against: Annotated[str, option("cli.play.against")] = "planner",
    side: Annotated[int, option("cli.play.side", min=1, max=2)] = 1,
    seed: SeedOption = 0,
    armies: Annotated[str | None, option("cli.play.armies")] = None,
    scenario: ScenarioOption = None,
    record: Annotated[Path | None, option("cli.play.record")] = None,
) -> None:
    from umpire.arena.armies import load_for
    from umpire.engine.beginning import battle
    from umpire.players import player
    from umpire.players.player import seat_seed
    from umpire.players.terminal import Terminal

    other = 2 - side
    players = {} if against == "person" else {other: player(against, seat_seed(seed, other))}
    fight = battle(game, sides=load_for(game, armies), scenario=scenario, seed=seed)
    try:
        Terminal(fight, players, spoken(), input).run()
    finally:
        for one in players.values():
            one.close()
        if record:
            record.write_text(fight.record, encoding="utf-8")


SaltOption = Annotated[
    str,
    option(
        "cli.secret-dice-with-bots-random",
    ),
]


@app.command(
    help=helped(
        "cli.simulate.help",
        "umpire simulate warcry --battles 1000 --json",
        "umpire simulate aos --players planner,random --battles 100 --csv battles.csv",
        "umpire simulate conquest --armies a.yaml,b.yaml,c.yaml --round-robin --players planner",
        "umpire simulate conquest --without conquest.rule.shield --battles 200 --plot shield.svg",
    )
)
def simulate(
    game: GameArgument,
    battles: Annotated[int, option("cli.simulate.battles")] = 100,
    seed: SeedOption = 0,
    players: Annotated[str, option("cli.simulate.players")] = "random,random",
    armies: Annotated[str | None, option("cli.simulate.armies")] = None,
    scenario: ScenarioOption = None,
    salt: SaltOption = "",
    robin: Annotated[bool, option("cli.simulate.robin", "--round-robin")] = False,
    mirrored: Annotated[bool, option("cli.simulate.mirrored", "--mirror")] = False,
    jobs: Annotated[int | None, option("cli.simulate.jobs", min=1)] = None,
    resume: Annotated[Path | None, option("cli.simulate.resume")] = None,
    csv: Annotated[Path | None, option("cli.simulate.csv")] = None,
    parquet: Annotated[Path | None, option("cli.simulate.parquet")] = None,
    without: Annotated[
        list[str] | None,
        option(
            "cli.simulate.without",
        ),
    ] = None,
    plot: Annotated[Path | None, option("cli.simulate.plot")] = None,
    ray: Annotated[bool, option("cli.simulate.ray", "--ray")] = False,
    json: JsonOption = False,
) -> None:
    import msgspec

    from umpire.arena import cluster, pool, run, salted, tables, terminal, weighing
    from umpire.rulebook.coverage import record_fired

    if robin and mirrored:
        raise fault("cli.either-round-robin-or-mirror")
    kind = "round-robin" if robin else "mirror" if mirrored else "matchup"
    who = terminal.contestants(game, players, [Path(file) for file in armies.split(",")] if armies else [])
    if plot and not without:
        raise fault("cli.draws-what-without-compares", "--plot")
    series = terminal.series(game, battles, seed, who, kind, scenario, without or ())
    series = salted(msgspec.structs.replace(series, salt=salt), resume)
    tables.ready(csv, parquet, plot)
    runner = cluster.fight_all if ray else pool.fight_all
    with terminal.progress(battles * len(series.meetings) * (2 if without else 1), spoken()) as told:
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
        plot.write_text(weighing.plot(weighed, spoken()), encoding="utf-8")
    if json:
        print_json(msgspec.to_builtins(found) | {"weighed": msgspec.to_builtins(weighed)} if without else found)
    else:
        terminal.show(found, spoken())
        if without:
            weighing.show(weighed, spoken())
    if found.errors:
        raise typer.Exit(1)


@app.command(
    help=helped(
        "cli.bot.help",
        "umpire bot warcry --against planner -- python mybot.py",
        "umpire bot warcry",
        "umpire schema bot",
    ),
)
def bot(
    game: GameArgument,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND", help=word("cli.bot.command")),
    ] = None,
    side: Annotated[int, option("cli.bot.side", min=1, max=2)] = 1,
    against: Annotated[str, option("cli.bot.against")] = "random",
    seed: SeedOption = 0,
    seconds: Annotated[float, option("cli.bot.seconds")] = 10.0,
    scenario: ScenarioOption = None,
    salt: SaltOption = "",
) -> None:
    import secrets

    from umpire.engine.beginning import battle
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
        raise fault("cli.bot-lost-its-seat", lost=guest.lost)


@app.command(
    help=helped(
        "cli.bench.help",
        "umpire bench --json",
    )
)
def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAMES", help=word("cli.bench.names"))] = None,
    json: JsonOption = False,
) -> None:
    from umpire import benchmarks

    figures = benchmarks.run(names or ())
    if json:
        print_json(figures)
    else:
        benchmarks.show(figures, spoken())
    missed = [figure.name for figure in figures if figure.ok is False]
    if missed:
        raise fault("cli.below-bar", missed=missed)
