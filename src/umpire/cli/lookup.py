"""Commands that look things up: rules, odds, army lists, scenes, records, formats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from umpire.cli.words import (
    FileArgument,
    GameArgument,
    JsonOption,
    LangOption,
    SeedOption,
    app,
    both,
    helped,
    option,
    print_json,
    spoken,
)
from umpire.errors import UmpireError


class RulesGroup(TyperGroup):
    """`umpire rules WORDS` looks up; only `umpire rules coverage` names a command of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args if args and args[0] in self.commands else ["look", *args])


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
        "统计每个游戏有多少规则被代码引用、有测试、关闭后测试变红（被证明）、在对战中触发。",
        "Count the rules of each game that code cites, tests test, tests prove by failing without them, battles fire.",
        "umpire rules coverage --json",
        "umpire rules coverage warcry --missing proved",
    ),
)
def rules_coverage(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=both("只看一个游戏", "one game only"))] = None,
    missing: Annotated[
        Literal["cited", "tested", "proved", "fired"] | None,
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

    questions = find_game(game).questions
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
        "军表合法吗？逐条列出分数；不合法时列出违反的每一条规则。",
        "Is this army list legal, and what does it cost? Priced line by line; every rule that it breaks is named.",
        "umpire muster check army.yaml",
    ),
)
def muster_check(file: FileArgument, json: JsonOption = False, lang: LangOption = None) -> None:
    import msgspec

    from umpire.arena import armies
    from umpire.engine.explain import ruling_wire

    army = armies.load(file)
    ruling = armies.check(army)
    bill = armies.price(army)
    if json:
        priced = {"bill": msgspec.to_builtins(bill)} if bill is not None else {}
        print_json({"file": str(file), "game": army.game.id, **ruling_wire(ruling, army.game.id), **priced})
        if not ruling:
            raise typer.Exit(1)
        return
    if bill is not None:
        print("\n".join(armies.itemised(bill, army.game.id, spoken(lang))))
    if ruling:
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
def scene_run(
    file: FileArgument,
    ask: Annotated[
        list[str] | None,
        typer.Option(
            help=both(
                "最后再问裁判：一个愿望（JSON），什么也不执行；可多次",
                'Put a wish (JSON) to the umpire at the end: {"deed": "charge", "who": "a1", "whom": ["b1"]}',
            )
        ),
    ] = None,
) -> None:
    from umpire.engine import scene, staging

    wishes = tuple(parsed(text, "--ask") for text in ask or [])
    print_json(staging.run(*scene.read(file), wishes))


@scene_app.command(
    "test",
    help=helped(
        "把局面文件当作测试运行：与 expect 不符的逐行列出。",
        "Run scenes as tests: whatever they expect and do not get is a line each.",
        "umpire scene test scenes/*.yaml",
    ),
)
def scene_test(
    files: Annotated[list[Path], typer.Argument(help=both("局面文件或文件夹", "Scene files, or folders of them"))],
    json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    from umpire.engine import scene, staging
    from umpire.text import words

    told = []
    for file in (each for path in files for each in (sorted(path.rglob("*.yaml")) if path.is_dir() else [path])):
        try:
            complaints = list(staging.played(*scene.read(file)).complaints(spoken(lang)))
        except UmpireError as error:
            complaints = [error.line(spoken(lang))]
        told.append({"file": str(file), "passed": not complaints, "complaints": complaints})
        for line in () if json else complaints:
            print(line)
    failed = sum(not one["passed"] for one in told)
    if json:
        print_json({"scenes": len(told), "failed": failed, "told": told})
    else:
        said = words("scene.tested", scenes=len(told), failed=failed)
        print(said[spoken(lang)])
    if failed:
        raise typer.Exit(1)


@scene_app.command(
    "terrain",
    help=helped(
        "局面中的地形是否按规则摆放？不合法时列出每条理由和量得的数。",
        "Does the terrain of a scene lie as the book demands? Every reason against it, with what was measured.",
        "umpire scene terrain table.yaml",
    ),
)
def scene_terrain(file: FileArgument, json: JsonOption = False, lang: LangOption = None) -> None:
    from umpire.engine import scene
    from umpire.engine.explain import explain_reason, ruling_wire
    from umpire.text import words

    battle = scene.start(*scene.read(file))
    ruling = battle.check_terrain()
    if json:
        print_json({"file": str(file), **ruling_wire(ruling, battle.game.id)})
    elif ruling:
        print(words("scene.terrain-legal")[spoken(lang)])
    else:
        for reason in ruling.reasons:
            print(explain_reason(reason, battle.game.id, None, spoken(lang)))
    if not ruling:
        raise typer.Exit(1)


def parsed(text: str, where: str) -> Any:
    """JSON from a command line."""
    import msgspec

    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise UmpireError(str(error), where) from None


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
        "用另一双眼睛复核对战记录：不与引擎共用任何代码，只看旁观者所见，重算距离、骰子、伤害、次序与得分。",
        "A second pair of eyes reads records: no code shared with the engine, only what a spectator sees.",
        "umpire audit battle.record",
        "umpire audit --game warcry --battles 20",
    )
)
def audit(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILES]", help=both("对战记录", "records"))] = None,
    game: Annotated[
        str | None, option("改为审核这个游戏的随机对战", "Audit random battles of this game instead")
    ] = None,
    battles: Annotated[int, option("随机对战的场数", "How many random battles", min=1)] = 10,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    from umpire import auditing

    if game is not None:
        read = {f"{game}#{n}": auditing.audit_random(game, n) for n in range(seed, seed + battles)}
    else:
        read = {str(file): auditing.audit_record(file) for file in files or ()}
    if json:
        print_json({name: [finding._asdict() for finding in found] for name, found in read.items()})
    else:
        for name, found in read.items():
            for finding in found:
                print(f"{name}: {finding}")
        total = sum(len(found) for found in read.values())
        print(both(f"{len(read)} 场对战，{total} 处不一致", f"battles {len(read)}, disagreements {total}"))
    if any(read.values()):
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
