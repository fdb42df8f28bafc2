"""What clients choose from before a battle, and how the sides of a set-up become armies: alike in every game."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from umpire.engine.explain import explain_reason
from umpire.engine.game import Setup
from umpire.engine.rng import Rng, seed_of
from umpire.engine.rulings import Ruling
from umpire.errors import UmpireError, fault, unknown
from umpire.files import convert
from umpire.text import LANGUAGES, both, mark

Names = Mapping[str, str]
R = TypeVar("R")
S = TypeVar("S")
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - options
Entry = dict[str, Any]
Tries = tuple[str, str, str]


class Named(Protocol):
    @property
    def name(self) -> Any: ...


class Layout(Protocol):
    """A map of terrain, a scenario, …: anything with an id and a name."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> Any: ...


# -- menus -----------------------------------------------------------------------------------------------------------


def ready_armies(
    books: Mapping[str, Named],
    option: str,
    sizes: Sequence[int | str],
    muster: Callable[[Rng, Any, str], Any],
    points: Callable[[Any], int],
) -> list[Entry]:
    """A legal army of every book in every size, the same on every machine."""
    armies = []
    for key, book in books.items():
        for size in sizes:
            roster = muster(Rng(seed_of("library", key, size)), size, key)
            armies.append(
                {
                    "id": f"{key}-{size}",
                    "name": book.name,
                    "faction": key,
                    "points": points(roster),
                    "options": {option: size},
                    "roster": msgspec.to_builtins(roster),
                }
            )
    return armies


def layouts(known: Iterable[Layout], name: Names) -> Entry:
    """The option that chooses a map; left out, it is drawn."""
    values = [{"id": layout.id, "name": layout.name} for layout in known]
    return {"id": "layout", "values": values, "default": None, "name": name}


def disputed(options: type[msgspec.Struct]) -> dict[str, str]:
    """The rule that each disputed reading is about: `name: Annotated[Literal["usual", "other"], "rule"]`."""
    hints = typing.get_type_hints(options, include_extras=True)
    return {field: hint.__metadata__[0] for field, hint in hints.items() if hasattr(hint, "__metadata__")}


def readings(game: str, options: type[msgspec.Struct]) -> list[Entry]:
    """The table options of a game: each field of the struct with its values, the first of them the usual one, and the
    rule that a disputed reading is about."""
    found = []
    hints, rules = typing.get_type_hints(options), disputed(options)
    for field in options.__struct_fields__:
        values = list(typing.get_args(hints[field]))
        found.append(
            {
                "id": field,
                "values": [{"id": value, "name": both(f"table.{field}.{value}", game)} for value in values],
                "default": values[0],
                "name": both(f"table.{field}", game),
                **({"rule": rules[field], "text": both(f"table.{field}.says", game)} if field in rules else {}),
            }
        )
    return found


def offered(
    size: Entry, armies: list[Entry], scenarios: list[Entry], more: Iterable[Entry], first: tuple[str, Any, Tries]
) -> Entry:
    """What a client's menus choose from: `size` is the option that says how large a battle is, `first` are the two
    books that meet in a first battle, how large that is, and the prompts that it makes a newcomer try."""
    who, large, tries = first
    beginning = {"armies": [f"{key}-{large}" for key in who.split()], "options": {size["id"]: large}, "tries": tries}
    return {"armies": armies, "scenarios": scenarios, "options": [size, *more], "first": beginning}


def numbered(one: Any, names: Names, everybody: Iterable[Any], entry: Callable[[Any], Any]) -> Names:
    """The name of a unit or a fighter, with a number where its side has several of the same `entry`."""
    same = [other.id for other in everybody if other.side == one.side and entry(other) == entry(one)]
    if len(same) < 2:
        return names
    return {lang: f"{text} {same.index(one.id) + 1}" for lang, text in names.items()}


def loose_name(
    key: str,
    state: Any,
    entry: Callable[[Any], Layout],
    objective: Callable[[int], Names],
) -> Names | None:
    """What something is called where units are loose models: a unit (by its `entry`, with a number where a side has
    several), a model of one, an objective by its number, a piece of terrain."""
    unit = state.units.get(key)
    if unit is not None:
        return numbered(unit, entry(unit).name, state.units.values(), lambda other: entry(other).id)
    head, dot, number = key.partition(".")
    if dot and head in state.units and number.isdigit():
        whole = loose_name(head, state, entry, objective)
        assert whole is not None
        return {lang: f"{text} #{number}" for lang, text in whole.items()}
    for n, marker in enumerate(state.objectives):
        if marker.id == key:
            return objective(n + 1)
    names: Names | None = next((feature.name for feature in state.terrain if feature.id == key), None)
    return names


# -- set-ups ---------------------------------------------------------------------------------------------------------


def enlist(
    setup: Setup,
    books: Mapping[str, Any],
    muster: Callable[[str | None], R],
    read: Callable[[Any, str], R],
    check: Callable[[R, Sequence[str]], Ruling],
) -> list[R]:
    """The sides of a set-up as lists of their game: a random one where nothing, or only a book, is given; one that is
    given is read, and must be legal."""
    if len(setup.sides) > 2:
        raise fault("error.list.two-sides", "sides", sides=len(setup.sides))
    rosters = []
    for n, given in enumerate([*setup.sides, None, None][:2]):
        where = f"sides[{n}]"
        if given is None or isinstance(given, str):
            if given is not None and given not in books:
                raise unknown("faction", given, where, books)
            rosters.append(muster(given))
            continue
        roster = read(given, where)
        ruling = check(roster, setup.without)
        if not ruling:
            raise illegal(ruling, setup.game, where)
        rosters.append(roster)
    setup.sides = [msgspec.to_builtins(roster) for roster in rosters]
    return rosters


def reads(kind: type[R]) -> Callable[[Any, str], R]:
    """A list as a file or a client gives it; what is no such list is told with its field."""

    def read(given: Any, where: str) -> R:
        return given if isinstance(given, kind) else convert(given, kind, where)

    return read


def illegal(ruling: Ruling, game: str, where: str, key: str = "error.list.illegal") -> UmpireError:
    """Every rule that a list breaks, in one line."""
    told = {
        lang: mark("clause", lang).join(explain_reason(reason, game, None, lang) for reason in ruling.reasons)
        for lang in LANGUAGES
    }
    return fault(key, where, reasons=told)


def written_for(sides: Iterable[Any], size: Callable[[Any], S]) -> S | None:
    """The size of the battle that the first list among these was written for."""
    return next((size(given) for given in sides if given and not isinstance(given, str)), None)


def readings_of(setup: Setup, kind: type[O], *others: str) -> O:
    """The table's readings of disputed rules: all its options but those others."""
    return convert({key: value for key, value in setup.options.items() if key not in others}, kind, "options")


def drawn(setup: Setup, option: str, known: Sequence[str], rng: Rng) -> str:
    """The value of an option that is drawn where it is left out."""
    value = setup.options.setdefault(option, rng.choice(known))
    if value not in known:
        raise unknown(option, value, f"options.{option}", known)
    return str(value)
