"""The command line. Each command imports what it needs when it runs, so that `umpire --help` starts at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.exceptions import TyperException

from umpire.cli import battles, hosting, lookup
from umpire.cli.words import app, fronted, language, settle, usage_error
from umpire.errors import UmpireError
from umpire.text import Text, say

__all__ = ["battles", "hosting", "lookup", "main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; whatever goes wrong becomes one line and a non-zero exit."""
    chosen, words = fronted(sys.argv[1:] if arguments is None else arguments)
    lang = language(chosen, os.environ)
    settle(lang)
    code: Any = 0
    try:
        code = typer.main.get_command(app)(
            chosen + (words or ["serve", "--open"]), prog_name="umpire", standalone_mode=False
        )
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
        code = _fail(say(Text("cli.internal-error", {"said": said}), lang, "cli"))
    sys.exit(code if isinstance(code, int) else 0)


def _fail(line: str, code: int = 1) -> int:
    print(f"umpire: {line}", file=sys.stderr)
    return code
