"""Commands that look things up: rules, odds, army lists, scenes, records, formats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from umpire.cli.words import (
    App,
    FileArgument,
    GameArgument,
    Group,
    JsonOption,
    SeedOption,
    app,
    helped,
    option,
    print_json,
    spoken,
    word,
)
from umpire.errors import UmpireError, fault
from umpire.text import Text, say


class RulesGroup(Group):
    """`umpire rules WORDS` looks up; only `umpire rules coverage` names a command of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args if args and args[0] in self.commands else ["look", *args])


rules_app = App(cls=RulesGroup)
app.add_typer(
    rules_app,
    name="rules",
    help=word("cli.look-rules-up-and-count"),
)

muster_app = App()
app.add_typer(muster_app, name="muster", help=word("cli.check-army-lists-or-muster"))

scene_app = App()
app.add_typer(scene_app, name="scene", help=word("cli.carry-scene-out-or-draw"))


@rules_app.command(
    "look",
    hidden=True,
    help=helped(
        "cli.rules-look.help",
        "umpire rules warcry " + word("cli.falling"),
        "umpire rules warcry.move.fall-impact",
        "umpire rules coverage --help",
    ),
)
def rules_look(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME|ID|WORDS", help=word("cli.rules-look.words")),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help=word("cli.rules-look.everything"))] = False,
    json: JsonOption = False,
) -> None:
    from umpire.rulebook import terminal

    if json:
        print_json(terminal.look_json(words or ()))
    else:
        print(terminal.look(words or (), spoken(), everything))


@rules_app.command(
    "coverage",
    help=helped(
        "cli.rules-coverage.help",
        "umpire rules coverage --json",
        "umpire rules coverage warcry --missing proved",
    ),
)
def rules_coverage(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=word("cli.rules-coverage.game"))] = None,
    missing: Annotated[
        Literal["cited", "tested", "proved", "fired"] | None,
        typer.Option(help=word("cli.rules-coverage.missing")),
    ] = None,
    json: JsonOption = False,
) -> None:
    from umpire.rulebook import games, terminal

    chosen = (game,) if game else games()
    if json:
        print_json(terminal.coverage_json(chosen, missing))
    else:
        terminal.print_coverage(chosen, missing, spoken())


@app.command(
    help=helped(
        "cli.odds.help",
        "umpire odds warcry",
        "umpire odds warcry attack attacks=4 strength=4 damage=2 critical=4 toughness=3 wounds=10 --plot odds.svg",
    )
)
def odds(
    game: GameArgument,
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help=word("cli.odds.question"))] = None,
    values: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE", help=word("cli.odds.values"))] = None,
    plot: Annotated[Path | None, option("cli.odds.plot")] = None,
    json: JsonOption = False,
) -> None:
    from umpire.engine.game import find_game
    from umpire.odds import commands

    questions = find_game(game).questions
    if question is None:
        print(commands.usage(questions, game, spoken()))
        return
    if question not in questions:
        known = ", ".join(questions)
        raise fault("cli.has-no-odds-there-are", game=game, question=repr(question), known=known)
    found = questions[question].ask(values or ())
    if plot:
        commands.draw(found, spoken(), plot)
    if json:
        print_json({"game": game, "question": question, "answer": commands.wire(found)})
    else:
        print(commands.show(found, spoken()))


@muster_app.command(
    "check",
    help=helped(
        "cli.muster-check.help",
        "umpire muster check army.yaml",
    ),
)
def muster_check(file: FileArgument, json: JsonOption = False) -> None:
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
        print("\n".join(armies.itemised(bill, army.game.id, spoken())))
    if ruling:
        print(say(Text("cli.legal", {"file": str(file)}), spoken(), "cli"))
    else:
        for line in armies.told(ruling, army.game.id, spoken()):
            print(say(Text("error.at", {"where": str(file), "what": line}), spoken()))
    if not ruling:
        raise typer.Exit(1)


@muster_app.command(
    "new",
    help=helped(
        "cli.muster-new.help",
        "umpire muster new warcry --seed 7 --out army.yaml",
    ),
)
def muster_new(
    game: GameArgument,
    seed: SeedOption = 0,
    points: Annotated[int | None, option("cli.muster-new.points")] = None,
    faction: Annotated[str | None, option("cli.muster-new.faction")] = None,
    out: Annotated[Path | None, typer.Option(help=word("cli.muster-new.out"))] = None,
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
        "cli.scene-run.help",
        "umpire scene run fall.yaml",
    ),
)
def scene_run(
    file: FileArgument,
    ask: Annotated[
        list[str] | None,
        typer.Option(help=word("cli.scene-run.ask")),
    ] = None,
) -> None:
    from umpire import files
    from umpire.engine import scene, staging

    wishes = tuple(parsed(text, "--ask") for text in ask or [])
    told = [staging.run(*scene.understood(source), wishes) for source in files.read_all(file)]
    print_json(told if len(told) > 1 else told[0])


@scene_app.command(
    "test",
    help=helped(
        "cli.scene-test.help",
        "umpire scene test scenes/*.yaml",
    ),
)
def scene_test(
    files: Annotated[list[Path], typer.Argument(help=word("cli.scene-test.files"))],
    json: JsonOption = False,
) -> None:
    from umpire.engine import staging
    from umpire.errors import fault
    from umpire.text import words

    told = []
    found = [each for path in files for each in (sorted(path.rglob("*.yaml")) if path.is_dir() else [path])]
    if not found:  # a folder that is not the one that was meant
        raise fault("error.scene.none", " ".join(map(str, files)))
    for file in found:
        for complaints in staging.complaints_of(file, spoken()):
            told.append({"file": str(file), "passed": not complaints, "complaints": complaints})
            for line in () if json else complaints:
                print(line)
    failed = sum(not one["passed"] for one in told)
    if json:
        print_json({"scenes": len(told), "failed": failed, "told": told})
    else:
        said = words("scene.tested", scenes=len(told), failed=failed)
        print(said[spoken()])
    if failed:
        raise typer.Exit(1)


@scene_app.command(
    "terrain",
    help=helped(
        "cli.scene-terrain.help",
        "umpire scene terrain table.yaml",
    ),
)
def scene_terrain(file: FileArgument, json: JsonOption = False) -> None:
    from umpire.engine import scene
    from umpire.engine.explain import explain_reason, ruling_wire
    from umpire.text import words

    given, source = scene.read(file)
    battle = scene.start(given, source)
    ruling = battle.check_terrain()
    lines = [source.line(f"position.{reason.at}") if reason.at else 0 for reason in ruling.reasons]
    if json:
        print_json({"file": str(file), "lines": lines, **ruling_wire(ruling, battle.game.id)})
    elif ruling:
        print(words("scene.terrain-legal")[spoken()])
    else:
        for reason, line in zip(ruling.reasons, lines, strict=True):
            where = f"{file}:{line}" if line else str(file)
            print(f"{where}: {explain_reason(reason, battle.game.id, None, spoken())}")
    if not ruling:
        raise typer.Exit(1)


def parsed(text: str, where: str) -> Any:
    """JSON from a command line."""
    import msgspec

    from umpire.files import garbled

    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise UmpireError(garbled(error), where) from None


@scene_app.command(
    "show",
    help=helped(
        "cli.scene-show.help",
        "umpire scene show fall.yaml --out fall.svg",
    ),
)
def scene_show(
    file: FileArgument,
    out: Annotated[Path | None, typer.Option(help=word("cli.scene-show.out"))] = None,
) -> None:
    from umpire.engine import scene

    picture = scene.scene(file)._repr_svg_()
    if out is None:
        print(picture)
    else:
        out.write_text(picture, encoding="utf-8")


@app.command(
    help=helped(
        "cli.replay.help",
        "umpire replay battle.record --step",
        "umpire replay battle.record --verify",
    )
)
def replay(
    file: FileArgument,
    verify: Annotated[bool, typer.Option("--verify", help=word("cli.replay.verify"))] = False,
    at: Annotated[int, typer.Option(help=word("cli.replay.at"))] = 0,
    step: Annotated[bool, typer.Option("--step", help=word("cli.replay.step"))] = False,
    json: JsonOption = False,
) -> None:
    from umpire import replaying

    if not verify:
        record = replaying.parse(file)
        if json:
            print_json(replaying.tell_json(record))
        else:
            replaying.tell(record, spoken(), at, input if step else None)
        return
    verdict = replaying.check(file)
    if json:
        print_json(verdict)
    else:
        print(replaying.verdict_line(verdict, spoken()))
    if not verdict.same or verdict.fair is False:
        raise typer.Exit(1)


@app.command(
    help=helped(
        "cli.audit.help",
        "umpire audit battle.record",
        "umpire audit --game warcry --battles 20",
    )
)
def audit(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILES]", help=word("cli.audit.files"))] = None,
    game: Annotated[str | None, option("cli.audit.game")] = None,
    battles: Annotated[int, option("cli.audit.battles", min=1)] = 10,
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
        print(word("cli.battles-disagreements", read=len(read), total=total))
    if any(read.values()):
        raise typer.Exit(1)


@app.command(
    help=helped(
        "cli.schema.help",
        "umpire schema scene --game warcry",
    )
)
def schema(
    name: Annotated[str, typer.Argument(metavar="NAME", help=word("cli.schema.name"))],
    game: Annotated[str | None, typer.Option(help=word("cli.schema.game"))] = None,
) -> None:
    from umpire.engine import schemas
    from umpire.players import protocol

    print_json(protocol.schema() if name == "bot" else schemas.schema(name, game))
