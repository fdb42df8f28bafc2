"""What every command shares: the user's language, help in it, common options, and what is said of a mistyped line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.exceptions import TyperException

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


# Without rich's markup, help needs no import of rich, which would cost a third of the start-up time.
app = typer.Typer(
    name="umpire",
    help=helped(
        "五种桌面战棋的裁判：按规则书判定、解释、对战。",
        "Referees, explains and plays five tabletop wargames exactly by their rulebooks.",
        "umpire rules warcry " + both("跌落", "falling"),
    ),
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _say_version(wanted: bool) -> None:
    if wanted:
        from umpire import __version__

        print(f"umpire {__version__}")
        raise typer.Exit


@app.callback()
def umpire(
    version: Annotated[
        bool, option("显示版本", "Show the version", "--version", is_eager=True, callback=_say_version)
    ] = False,
) -> None:
    """What stands before every command."""


LangOption = Annotated[Language | None, typer.Option("--lang", help=both("输出语言", "Language of the output"))]
JsonOption = Annotated[bool, typer.Option("--json", help=both("输出 JSON，供程序读取", "Print JSON, for programs"))]

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=both("游戏", "the game"))]
SeedOption = Annotated[int, option("种子：相同的种子得到相同的结果", "Equal seeds give equal results")]
ScenarioOption = Annotated[str | None, option("剧本", "The scenario")]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help=both("文件", "the file"))]


def print_json(value: Any) -> None:
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


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
