"""The command line. Each command imports what it needs when it runs, so that `umpire --help` starts at once."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from umpire.errors import UmpireError

Language = Literal["zh", "en"]


def language(arguments: Sequence[str], environment: Mapping[str, str]) -> Language:
    """`--lang` decides, then UMPIRE_LANG, then the locale; where none of them says, Chinese."""
    options = [*arguments, ""]
    asked = [options[at + 1] for at, word in enumerate(arguments) if word == "--lang"]
    asked += [word.removeprefix("--lang=") for word in arguments if word.startswith("--lang=")]
    asked.append(environment.get("UMPIRE_LANG", ""))
    asked += [environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    for said in asked:
        if said[:2] == "zh":
            return "zh"
        if said[:2] == "en":
            return "en"
    return "zh"


LANG = language(sys.argv[1:], os.environ)


def spoken(lang: Language | None) -> Language:
    """The language that a command answers in; its help was written in LANG when this module was read."""
    return lang or language((), os.environ)


def both(zh: str, en: str) -> str:
    return zh if LANG == "zh" else en


def helped(zh: str, en: str, *examples: str) -> str:
    """A command's help in the user's language, with examples whose lines stay as they are (`\\b`)."""
    title = both("示例：", "Examples:" if len(examples) > 1 else "Example:")
    return "\n".join([both(zh, en), "", "\b", title, *(f"  {example}" for example in examples)])


def option(zh: str, en: str, *names: str, **more: Any) -> Any:
    """An option with its help in the user's language."""
    return typer.Option(*names, help=both(zh, en), **more)


class RulesGroup(TyperGroup):
    """`umpire rules WORDS` looks up; only `umpire rules coverage` names a command of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args if args and args[0] in self.commands else ["look", *args])


# Without rich's markup, help needs no import of rich, which would cost a third of the start-up time.
app = typer.Typer(
    name="umpire",
    help=helped(
        "五种桌面战棋的裁判：按规则书判定、解释、对战。",
        "Referees, explains and plays five tabletop wargames exactly by their rulebooks.",
        "umpire rules warcry " + both("跌落", "falling"),
    ),
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
rules_app = typer.Typer(cls=RulesGroup, rich_markup_mode=None)
app.add_typer(
    rules_app,
    name="rules",
    help=both("查规则，统计规则覆盖。", "Look rules up, and count how many are done."),
)

muster_app = typer.Typer(rich_markup_mode=None)
app.add_typer(muster_app, name="muster", help=both("检查或生成军表。", "Check army lists, or muster new ones."))

scene_app = typer.Typer(rich_markup_mode=None)
app.add_typer(scene_app, name="scene", help=both("执行或画出一个局面。", "Carry a scene out, or draw it."))

LangOption = Annotated[Language | None, typer.Option("--lang", help=both("输出语言", "Language of the output"))]
JsonOption = Annotated[bool, typer.Option("--json", help=both("输出 JSON，供程序读取", "Print JSON, for programs"))]

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=both("游戏", "the game"))]
SeedOption = Annotated[int, option("种子：相同的种子得到相同的结果", "Equal seeds give equal results")]
ScenarioOption = Annotated[str | None, option("剧本", "The scenario")]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help=both("文件", "the file"))]


def print_json(value: Any) -> None:
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


@rules_app.command(
    "look",
    hidden=True,
    help=helped(
        "按中文或英文词语查规则；给出规则编号则显示全文和相邻规则。",
        "Look rules up by Chinese or English words; a rule's id shows it whole with its neighbours.",
        "umpire rules warcry " + both("跌落", "falling"),
        "umpire rules warcry.move.fall-impact",
        "umpire rules coverage --help",
    ),
)
def rules_look(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME|ID|WORDS", help=both("游戏、词语或规则编号", "a game, words, or a rule's id")),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help=both("显示全部结果", "Show every result"))] = False,
    json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    from umpire.rulebook import terminal

    if json:
        print_json(terminal.look_json(words or ()))
    else:
        print(terminal.look(words or (), spoken(lang), everything))


@rules_app.command(
    "coverage",
    help=helped(
        "统计每个游戏有多少规则被代码引用、被测试证明、在对战中触发。",
        "Count the rules of each game that code cites, tests prove and battles fire.",
        "umpire rules coverage --json",
        "umpire rules coverage warcry --missing tested",
    ),
)
def rules_coverage(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=both("只看一个游戏", "one game only"))] = None,
    missing: Annotated[
        Literal["cited", "tested", "fired"] | None,
        typer.Option(help=both("列出还没有做到的规则", "List the rules that still lack it")),
    ] = None,
    json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    from umpire.rulebook import games, terminal

    chosen = (game,) if game else games()
    if json:
        print_json(terminal.coverage_json(chosen, missing))
    else:
        terminal.print_coverage(chosen, missing, spoken(lang))


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


@app.command(
    help=helped(
        "打许多场，统计胜负、规则触发和错误。不同的参赛者同一种子打两场，交换位置。",
        "Play many battles; count wins, rules fired, errors. Unequal contestants play each seed twice, sides swapped.",
        "umpire simulate warcry --battles 1000 --json",
        "umpire simulate aos --players planner,random --battles 100 --csv battles.csv",
        "umpire simulate conquest --armies a.yaml,b.yaml,c.yaml --round-robin --players planner",
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
    ray: Annotated[bool, option("用 Ray 在多台机器上运行", "On many machines, with Ray", "--ray")] = False,
    json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    from umpire.arena import cluster, pool, run, tables, terminal
    from umpire.rulebook.coverage import record_fired

    if robin and mirrored:
        raise UmpireError("either --round-robin or --mirror", zh="--round-robin 与 --mirror 只能选一个")
    kind = "round-robin" if robin else "mirror" if mirrored else "matchup"
    who = terminal.contestants(game, players, [Path(file) for file in armies.split(",")] if armies else [])
    series = terminal.series(game, battles, seed, who, kind, scenario)
    tables.ready(csv, parquet)
    with terminal.progress(battles * len(series.meetings), spoken(lang)) as told:
        found, results = run(series, jobs or pool.cores(), resume, told, cluster.fight_all if ray else pool.fight_all)
    record_fired(game, found.battles, found.rules_fired)
    if csv:
        tables.write_csv(csv, series, results)
    if parquet:
        tables.write_parquet(parquet, series, results)
    if json:
        print_json(found)
    else:
        terminal.show(found, spoken(lang))
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
) -> None:
    from umpire.engine.battle import battle
    from umpire.players import player, protocol
    from umpire.players.external import External
    from umpire.players.player import seat_seed

    fight = battle(game, scenario=scenario, seed=seed)
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
        print_json({"outcome": fight.outcome, "answers": len(fight.answers), "lost": guest.lost})
    if guest.lost:
        raise UmpireError(f"the bot lost its seat: {guest.lost}", zh=f"机器人失去了席位：{guest.lost}")


@app.command(
    help=helped(
        "攻击、冲锋、法术和检定的精确概率；不写问题时列出能问什么。",
        "Exact odds of attacks, charges, spells and tests; without a question, what can be asked.",
        "umpire odds warcry",
        "umpire odds warcry attack attacks=4 strength=4 damage=2 critical=4 toughness=3 wounds=10 --plot odds.svg",
    )
)
def odds(
    game: GameArgument,
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help=both("问什么", "what is asked"))] = None,
    values: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=VALUE", help=both("参数", "the parameters"))
    ] = None,
    plot: Annotated[Path | None, option("把分布画入此 SVG 文件", "Draw the distribution in this SVG file")] = None,
    json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    from umpire.engine.game import find_game
    from umpire.odds import commands

    questions = find_game(game).extras.get("odds", {})
    if question is None:
        print(commands.usage(questions, game, spoken(lang)))
        return
    if question not in questions:
        known = ", ".join(questions)
        raise UmpireError(
            f"{game} has no odds of {question!r}; there are: {known}", zh=f"没有“{question}”；有：{known}"
        )
    found = questions[question].ask(values or ())
    if plot:
        commands.draw(found, spoken(lang), plot)
    if json:
        print_json({"game": game, "question": question, "answer": commands.wire(found)})
    else:
        print(commands.show(found, spoken(lang)))


@muster_app.command(
    "check",
    help=helped(
        "军表合法吗？不合法时列出违反的每一条规则。",
        "Is this army list legal? If not, every rule that it breaks is named.",
        "umpire muster check army.yaml",
    ),
)
def muster_check(file: FileArgument, json: JsonOption = False, lang: LangOption = None) -> None:
    from umpire.arena import armies
    from umpire.engine.explain import ruling_wire

    army = armies.load(file)
    ruling = armies.check(army)
    if json:
        print_json({"file": str(file), "game": army.game.id, **ruling_wire(ruling, army.game.id)})
    elif ruling:
        print(f"{file}：合法" if spoken(lang) == "zh" else f"{file}: legal")
    else:
        for line in armies.told(ruling, army.game.id, spoken(lang)):
            print(f"{file}：{line}" if spoken(lang) == "zh" else f"{file}: {line}")
    if not ruling:
        raise typer.Exit(1)


@muster_app.command(
    "new",
    help=helped(
        "随机生成一份合法的军表。",
        "Muster a random legal army list.",
        "umpire muster new warcry --seed 7 --out army.yaml",
    ),
)
def muster_new(
    game: GameArgument,
    seed: SeedOption = 0,
    points: Annotated[int | None, option("分数上限", "The points agreed")] = None,
    faction: Annotated[str | None, option("阵营", "The faction")] = None,
    out: Annotated[Path | None, typer.Option(help=both("写入此文件而不是标准输出", "Write to this file"))] = None,
) -> None:
    from umpire.arena import armies

    options = {key: value for key, value in (("points", points), ("faction", faction)) if value is not None}
    text = armies.written(armies.new(game, seed, **options))
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, encoding="utf-8")


@scene_app.command(
    "run",
    help=helped(
        "执行一个局面文件中的回答，以 JSON 输出裁定、事件和结果状态。",
        "Carry out a scene's answers and print rulings, events and the resulting state as JSON.",
        "umpire scene run fall.yaml",
    ),
)
def scene_run(file: FileArgument) -> None:
    from umpire.engine import scene

    print_json(scene.run(scene.load(file)))


@scene_app.command(
    "show",
    help=helped(
        "把一个局面画成 SVG 图。",
        "Draw a scene as an SVG picture.",
        "umpire scene show fall.yaml --out fall.svg",
    ),
)
def scene_show(
    file: FileArgument,
    out: Annotated[Path | None, typer.Option(help=both("写入此文件而不是标准输出", "Write to this file"))] = None,
) -> None:
    from umpire.engine import scene

    picture = scene.scene(file)._repr_svg_()
    if out is None:
        print(picture)
    else:
        out.write_text(picture, encoding="utf-8")


@app.command(
    help=helped(
        "重放一份对战记录；--verify 重新对战并逐一比较事件和最终状态。",
        "Tell a recorded battle; --verify plays it again and compares every event and the last state.",
        "umpire replay battle.record --step",
        "umpire replay battle.record --verify",
    )
)
def replay(
    file: FileArgument,
    verify: Annotated[bool, typer.Option("--verify", help=both("重新对战并比较", "Play again and compare"))] = False,
    at: Annotated[int, typer.Option(help=both("从第几个回答开始", "Start at this answer"))] = 0,
    step: Annotated[bool, typer.Option("--step", help=both("每个回答后等待", "Wait after each answer"))] = False,
    json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    from umpire import replaying

    if not verify:
        record = replaying.parse(file)
        if json:
            print_json(replaying.tell_json(record))
        else:
            replaying.tell(record, spoken(lang), at, input if step else None)
        return
    verdict = replaying.check(file)
    if json:
        print_json(verdict)
    else:
        print(replaying.verdict_line(verdict, spoken(lang)))
    if not verdict.same or verdict.fair is False:
        raise typer.Exit(1)


@app.command(
    help=helped(
        "输出 JSON Schema：scene、roster、decision、answer、event、record、picture、bot。",
        "Print a JSON Schema: scene, roster, decision, answer, event, record, picture, bot.",
        "umpire schema scene --game warcry",
    )
)
def schema(
    name: Annotated[str, typer.Argument(metavar="NAME", help=both("哪一种", "which one"))],
    game: Annotated[str | None, typer.Option(help=both("某个游戏自己的格式", "the game's own form of it"))] = None,
) -> None:
    from umpire.engine import schemas
    from umpire.players import protocol

    print_json(protocol.schema() if name == "bot" else schemas.schema(name, game))


@app.command(
    help=helped(
        "在浏览器里开桌对战；不带任何命令的 umpire 等于 umpire serve --open。",
        "The table in the browser; umpire without a command is umpire serve --open.",
        "umpire serve --open",
        "umpire serve --host 0.0.0.0 --port 8000 --data ./tables",
    )
)
def serve(
    host: Annotated[str, typer.Option(help=both("监听的地址", "The address to listen on"))] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help=both("端口；不给则用 8642 起第一个空闲的", "The port; else the first free from 8642")
        ),
    ] = None,
    data: Annotated[Path | None, typer.Option(help=both("保存桌子的目录", "The folder that keeps the tables"))] = None,
    open_browser: Annotated[bool, typer.Option("--open", help=both("打开浏览器", "Open the browser"))] = False,
    keep_days: Annotated[
        int,
        typer.Option(min=0, help=both("打完的桌子保留的天数；0 为永远", "Days a finished table is kept; 0: for ever")),
    ] = 30,
    keep_abandoned_days: Annotated[
        int,
        typer.Option(
            min=0,
            help=both("没打完而无人再来的桌子保留的天数", "Days an unfinished table is kept that nobody comes back to"),
        ),
    ] = 90,
) -> None:
    try:
        from umpire.server.limits import Keep
        from umpire.server.serve import serve as serve_tables

        serve_tables(host, port, data, open_browser, keep=Keep(keep_days, keep_abandoned_days))
    except ModuleNotFoundError as error:
        raise UmpireError(
            f"the server needs {error.name}: pip install 'umpire[server]'",
            zh=f"服务器需要 {error.name}：pip install 'umpire[server]'",
        ) from None


# What Typer says in English alone about a mistyped command line.
_USAGE = [
    (r"No such option: (\S+).*", r"没有这个选项：\1"),
    (r"No such command '(.*?)'.*", r"没有这个命令：\1"),
    (r"Missing (?:argument|option|parameter)[: ]*'?(.*?)'?\..*", r"缺少参数：\1"),
    (r"Invalid value for '?(.*?)'?: (.*)", r"\1 的值不对：\2"),
    (r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", r"多余的参数：\1"),
    (r"Option '(.*?)' requires an argument\.?", r"选项 \1 缺少值"),
]


def usage_error(error: TyperException, lang: Language) -> str:
    """One line about a mistyped command line, and where its help is."""
    said = " ".join(error.format_message().split())
    if lang == "zh":
        said = next((re.sub(pattern, zh, said) for pattern, zh in _USAGE if re.fullmatch(pattern, said)), said)
    context = getattr(error, "ctx", None)
    command = f"{context.command_path if context else 'umpire'} --help".replace(" look --help", " --help")
    return f"{said}（用法见 {command}）" if lang == "zh" else f"{said} (see {command})"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; whatever goes wrong becomes one line and a non-zero exit."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["serve", "--open"]
    lang = language(words, os.environ)
    code: Any = 0
    try:
        code = typer.main.get_command(app)(words, prog_name="umpire", standalone_mode=False)
        sys.stdout.flush()
    except UmpireError as error:
        code = _fail(error.line(lang))
    except TyperException as error:
        code = _fail(usage_error(error, lang), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:  # `umpire rules warcry | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if os.environ.get("UMPIRE_DEBUG") == "1":
            raise
        said = f"{type(error).__name__}: {' '.join(str(error).split())}"
        code = _fail(
            f"内部错误：{said}（请报告：附上命令和 UMPIRE_DEBUG=1 的输出）"
            if lang == "zh"
            else f"internal error: {said} (please report it with the command and its output under UMPIRE_DEBUG=1)"
        )
    sys.exit(code if isinstance(code, int) else 0)


def _fail(line: str, code: int = 1) -> int:
    print(f"umpire: {line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
