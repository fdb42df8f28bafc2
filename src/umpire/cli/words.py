"""What every command shares: the user's language, help in it, common options, and what is said of a mistyped line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.models import CommandFunctionType

from umpire.text import LANGUAGES, Language, Text, say


def language(arguments: Sequence[str], environment: Mapping[str, str]) -> Language:
    """`--lang` decides, then UMPIRE_LANG, then the locale; where none of them says, Chinese."""
    options = [*arguments, ""]
    asked = [options[at + 1] for at, word in enumerate(arguments) if word == "--lang"]
    asked += [word.removeprefix("--lang=") for word in arguments if word.startswith("--lang=")]
    asked.append(environment.get("UMPIRE_LANG", ""))
    asked += [environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    for said in asked:
        if said[:2] in LANGUAGES:
            return said[:2]
    return LANGUAGES[0]


LANG = language(sys.argv[1:], os.environ)


def fronted(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """`--lang` with its value, wherever it stands in the line, and the other words: it belongs to no command alone.
    What comes after `--` is another program's."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    lang: list[str] = []
    others: list[str] = []
    ours = iter(arguments[:end])
    for said in ours:
        if said == "--lang":
            lang.append(f"--lang={next(ours, '')}")
        else:
            (lang if said.startswith("--lang=") else others).append(said)
    return lang, [*others, *arguments[end:]]


_spoken: Language = LANG


def settle(lang: Language) -> None:
    """From now on commands answer in this language; their help was written in LANG when this module was read."""
    global _spoken
    _spoken = lang


def spoken() -> Language:
    """The language that a command answers in."""
    return _spoken


def word(key: str, **facts: Any) -> str:
    """A sentence of the catalogue in the user's language."""
    return say(Text(key, facts), LANG, "cli")


def helped(key: str, *examples: str) -> str:
    """A command's help in the user's language, with examples whose lines stay as they are (`\\b`)."""
    title = word("cli.examples", count=len(examples))
    return "\n".join([word(key), "", "\b", title, *(f"  {example}" for example in examples)])


def option(key: str, *names: str, **more: Any) -> Any:
    """An option with its help in the user's language."""
    return typer.Option(*names, help=word(key), **more)


# What Typer says in English alone in every help.
_FRAME = {
    r"^Usage: ": "usage",
    r"\[OPTIONS\]": "options-here",
    r"COMMAND \[ARGS\]\.\.\.": "command-here",
    r"^Options:$": "options",
    r"^Arguments:$": "arguments",
    r"^Commands:$": "commands",
    r"\[required\]": "required",
    r"\[default: ": "default",
    r"\[env\s+var: ": "variable",
    r"Show this message and exit\.": "show-help",
    r"Install completion for the current shell\.": "install-completion",
    r"Show completion for the current shell, to copy it or\s+customize the installation\.": "show-completion",
}


def framed(said: str, lang: Language) -> str:
    """A help text with its frame, too, in the user's language."""
    for pattern, key in _FRAME.items() if lang != "en" else ():
        said = re.sub(pattern, say(Text(f"cli.help.{key}"), lang, "cli"), said, flags=re.MULTILINE)
    return said


class Command(TyperCommand):
    def get_help(self, ctx: Any) -> str:
        return framed(super().get_help(ctx), LANG)


class Group(TyperGroup):
    def get_help(self, ctx: Any) -> str:
        return framed(super().get_help(ctx), LANG)


class App(typer.Typer):
    """Commands whose help speaks one language."""

    def __init__(self, **more: Any) -> None:
        # Without rich's markup, help needs no import of rich, which would cost a third of the start-up time.
        super().__init__(**{"cls": Group, "rich_markup_mode": None, **more})

    def command(self, *names: Any, **more: Any) -> Callable[[CommandFunctionType], CommandFunctionType]:
        return super().command(*names, **{"cls": Command, **more})


app = App(
    name="umpire",
    help=helped(
        "cli.app.help",
        "umpire rules warcry " + word("cli.falling"),
    ),
    add_completion=True,
    pretty_exceptions_enable=False,
)


def _say_version(wanted: bool) -> None:
    if wanted:
        from umpire import __version__

        print(f"umpire {__version__}")
        raise typer.Exit


@app.callback()
def umpire(
    version: Annotated[bool, option("cli.umpire.version", "--version", is_eager=True, callback=_say_version)] = False,
    lang: Annotated[Language | None, option("cli.language-output", "--lang")] = None,
) -> None:
    """What stands before every command."""


JsonOption = Annotated[bool, typer.Option("--json", help=word("cli.print-json-for-programs"))]

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=word("cli.game"))]
SeedOption = Annotated[int, option("cli.equal-seeds-give-equal-results")]
ScenarioOption = Annotated[str | None, option("cli.scenario")]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help=word("cli.file"))]


def print_json(value: Any) -> None:
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


# What Typer says in English alone about a mistyped command line.
_USAGE = {
    r"No such option: (\S+).*": "no-option",
    r"No such command '(.*?)'.*": "no-command",
    r"Missing (?:argument|option|parameter)[: ]*'?(.*?)'?\..*": "missing",
    r"Invalid value for '?(.*?)'?: (?:Value error, )?(.*)": "value",
    r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)": "extra",
    r"Option '(.*?)' requires an argument\.?": "no-value",
}

# What it says is wrong with a value.
_VALUES = {
    r"Input should be a valid integer\b.*": "integer",
    r"Input should be a valid number\b.*": "number",
    r"Input should be less than or equal to (?P<limit>\S+)": "most",
    r"Input should be greater than or equal to (?P<limit>\S+)": "least",
    r"'?(?P<given>.*?)'? is not one of (?P<known>.*?)\.?": "one-of",
    r"(?:File|Path|Directory) '(?P<given>.*)' does not exist\.?": "no-file",
}


def _wrong(why: str) -> Text | str:
    """What is wrong with a value, in words of our own where we have them."""
    for pattern, key in _VALUES.items():
        if found := re.fullmatch(pattern, why):
            return Text(f"cli.usage.{key}", found.groupdict())
    return why


def usage_error(error: TyperException, lang: Language) -> str:
    """One line about a mistyped command line, and where its help is."""
    said = " ".join(error.format_message().split())
    for pattern, key in _USAGE.items() if lang != "en" else ():
        if found := re.fullmatch(pattern, said):
            what, *why = found.groups()
            said = say(Text(f"cli.usage.{key}", {"what": what, "why": _wrong("".join(why))}), lang, "cli")
            break
    context = getattr(error, "ctx", None)
    command = f"{context.command_path if context else 'umpire'} --help".replace(" look --help", " --help")
    return say(Text("cli.usage.see", {"said": said, "command": command}), lang, "cli")
