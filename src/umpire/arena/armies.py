"""Army lists in files: `game:` and `roster:`, read, checked and mustered."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import msgspec

from umpire import files
from umpire.engine.bills import Bill, Charge
from umpire.engine.explain import explain_reason
from umpire.engine.game import Game, find_game
from umpire.engine.rng import Rng, seed_of
from umpire.engine.rulings import Ruling
from umpire.errors import fault
from umpire.text import LANGUAGES, Text, mark, say
from umpire.writing import dump


class ArmyFile(msgspec.Struct, forbid_unknown_fields=True):
    """What an army file holds; `roster` is checked by the game."""

    game: str
    roster: dict[str, Any]
    name: str = ""
    book: str | dict[str, Any] | None = None
    """The army book that it is written by, if it is none of the library: as data, or a file beside this one."""


class Army(msgspec.Struct):
    """An army list read from a file: as plain data for a battle's `sides`, and as its game knows it."""

    game: Game
    name: str
    data: dict[str, Any]
    roster: Any
    book: files.Source | None = None


def load(path: str | Path) -> Army:
    """Read an army file; errors name the file, the line and the field. A file that another program wrote is read by
    whoever knows it (`umpire.importers`)."""
    foreign = imported(Path(path))
    if foreign is not None:
        return foreign
    source = files.read(path)
    file = source.convert(ArmyFile)
    game = find_game(file.game)
    if game.roster is None:
        raise fault("error.has-no-army-lists", str(path), file=file.game)
    roster = source.convert(game.roster, "roster")
    name = file.name or Path(path).stem
    if file.book is None:
        return Army(game, name, file.roster, roster)
    book = files.read(Path(path).parent / file.book) if isinstance(file.book, str) else source.within("book")
    return Army(game, name, {"book": book.data, "roster": file.roster}, roster, book)


IMPORTERS = "umpire.importers"
"""The group of entry points of importers: functions that are given a file and answer with what an army file of ours
would hold (`game`, `roster`, `name`), or with None where it is not theirs."""


def imported(path: Path) -> Army | None:
    """The army in a file that an importer knows."""
    for entry in entry_points(group=IMPORTERS):
        found = entry.load()(path)
        if found is not None:
            file = msgspec.convert(found, ArmyFile)
            game = find_game(file.game)
            if game.roster is None:
                raise fault("error.has-no-army-lists", str(path), file=file.game)
            return Army(game, file.name or path.stem, file.roster, msgspec.convert(file.roster, game.roster))
    return None


def load_for(game: str, paths: str | None) -> list[Any] | None:
    """The lists named on a command line, parted by commas, for a battle's `sides`; each must be legal in that game."""
    if not paths:
        return None
    return [legal(game, path).data for path in paths.split(",")]


def legal(game: str, path: str | Path) -> Army:
    """An army of that game that breaks no rule."""
    army = load(path)
    if army.game.id != game:
        raise fault("error.is-an-army-of-not", str(path), id=army.game.id, game=game)
    ruling = check(army)
    if not ruling:
        said = {lang: mark("clause", lang).join(told(ruling, game, lang)) for lang in LANGUAGES}
        raise fault("error.said", str(path), said=said)
    return army


def check(army: Army) -> Ruling:
    if army.game.check_roster is None:
        raise fault("error.checks-no-army-lists", id=army.game.id)
    with _open_book(army):
        return army.game.check_roster(army.roster, ())


def price(army: Army) -> Bill | None:
    """What the list costs, line by line, where its game has prices."""
    with _open_book(army):
        return army.game.price(army.roster) if army.game.price is not None else None


def _open_book(army: Army) -> AbstractContextManager[None]:
    if army.book is None or army.game.bringing is None:
        return nullcontext()
    return army.game.bringing(army.book)


def itemised(bill: Bill, game: str, lang: str) -> list[str]:
    """A bill as lines of text: each unit with its points, and below it what it pays for, if that is several things."""
    width = max(4, len(str(max(bill.points, bill.size))))
    lines: list[str] = []
    group = ""
    for account in bill.accounts:
        named = say(account.group, lang, game) if account.group else ""
        if named != group:
            lines += [named] if named else []
            group = named
        lines.append(f"{account.points:>{width}}  {say(account.name, lang, game)}")
        if len(account.charges) > 1 or any(charge.count > 1 for charge in account.charges):
            lines += [f"{'':>{width}}    {_charge(charge, game, lang)}" for charge in account.charges]
    total = Text("list.total", {"points": bill.points, "size": bill.size})
    return [*lines, say(total, lang, game)]


def _charge(charge: Charge, game: str, lang: str) -> str:
    times = f"{charge.count} × {charge.each}" if charge.count > 1 else f"{charge.points}"
    return f"{say(charge.name, lang, game)}  {times}"


def told(ruling: Ruling, game: str, lang: str) -> list[str]:
    """Every rule that a list breaks, in a sentence each."""
    return [explain_reason(reason, game, None, lang) for reason in ruling.reasons]


def new(game: str, seed: int, **options: Any) -> ArmyFile:
    """A random legal list, ready to be written to a file."""
    muster = find_game(game).muster
    if muster is None:
        raise fault("error.musters-no-army-lists", game=game)
    try:
        roster = muster(Rng(seed_of("muster", game, seed)), **options)
    except TypeError:
        raise fault("error.does-not-muster-by", game=game, options=list(options), options2=options) from None
    return ArmyFile(game, msgspec.to_builtins(roster))


def written(file: ArmyFile) -> str:
    """The file as YAML that a person can read and change."""
    return dump({key: value for key, value in msgspec.to_builtins(file).items() if value})
