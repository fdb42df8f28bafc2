"""What a game gives the engine: its data, its first step, its picture, and how to name and hide things."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import entry_points
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from umpire.engine.bills import Bill
from umpire.engine.dice import Commitment
from umpire.engine.picture import Card, Picture, Piece, Sight
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, Ruling
from umpire.engine.state import State
from umpire.engine.wishes import Asked, Deed
from umpire.errors import fault
from umpire.files import Source

if TYPE_CHECKING:
    from umpire.engine.battle import Battle
    from umpire.engine.decisions import Decision, Ends, Json
    from umpire.engine.dice import Roll
    from umpire.engine.steps import Steps


class Setup(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Everything a battle starts from. Once resolved, all is spelt out, and nothing is random but the dice."""

    game: str
    seed: int = 0
    sides: list[Any] = []
    books: dict[str, Any] = {}
    """The army books that the sides' lists are written by, by id and hash (`miniatures.books`)."""
    scenario: Any = None
    scene: Any = None
    state: dict[str, Any] = {}
    """What the words of the scene do not say of the state (`engine.snapshots`)."""
    options: dict[str, Any] = {}
    dice: str = "seed"
    script: list[int] = []
    fairness: Commitment | None = None
    without: list[str] = []
    """Rules that are switched off: house rules, proofs, and what a designer wants to know the worth of."""


def _nothing_hidden(state: Any, side: int) -> None:
    """Nothing in this game is secret."""


def _nothing_to_scramble(state: Any, side: int, rng: Rng) -> bool:
    return False


class Question(Protocol):
    """Odds that can be asked for without a battle (`umpire odds GAME NAME`): `odds.commands.Question` is one."""

    @property
    def title(self) -> Mapping[str, str]: ...

    @property
    def means(self) -> Mapping[str, Mapping[str, str]]:
        """What each parameter means, in both languages."""

    def parameters(self) -> Mapping[str, Parameter]: ...

    def ask(self, words: Sequence[str]) -> Sequence[Any]:
        """The odds for parameters given as `name=value`."""


class Tally(msgspec.Struct, frozen=True):
    """A battle in figures: the rounds it took, and the share of each army that fell."""

    rounds: int
    lost: tuple[float, ...]


class Stock(msgspec.Struct, frozen=True):
    """Something that can be put on the table of a scene: an entry for one of the lists of its position, about the
    point 0, 0; what it is called, and under which heading it stands. `box` is the room that it takes there (left,
    near, right, far), so that it can be put where there is some."""

    into: str
    name: Mapping[str, str]
    group: Mapping[str, str]
    entry: dict[str, Any]
    box: tuple[float, float, float, float]


@dataclass(frozen=True, kw_only=True)
class Hints:
    """What a game tells players that think ahead, beside `Game.worth`. All of it may be left out."""

    candidates: Callable[[Battle[Any], Decision, Rng], Iterable[Json]] | None = None
    """Answers to think of first, the best first; illegal ones are dropped."""
    gain: Callable[[Battle[Any], Decision, Json], float | None] | None = None
    """What an answer that dice will decide is worth in expectation, exactly; then nothing need be rolled to know it."""
    terms: Callable[[Any, int], dict[str, float]] | None = None
    """What `Game.worth` of a position is the sum of, by name (`score`, `army`, `position`)."""
    swing: Callable[[Any], float] | None = None
    """The lead in `Game.worth` at which a side's odds to win are e to one from this position, between equal players."""
    rote: frozenset[str] = frozenset()
    """Prompts that need no thought: the first idea is answered."""
    turns: frozenset[str] = frozenset()
    """Prompts that end a plan when the other side is asked them: its turn has come."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game as the engine knows it. Functions take the game's own state type."""

    id: str
    names: Mapping[str, str]
    state: type[State]
    resolve: Callable[[Setup, Rng], Setup]
    """Fill in what was left out (random legal lists, random scenario) and check what was given."""
    start: Callable[[Setup], State]
    """The first state, with the first steps on its agenda, from a resolved set-up."""
    picture: Callable[[Any], Picture]
    board: Callable[[Any], Picture] | None = None
    """The picture without its cards, which are most of the work: for who asks only what stands where."""
    card: Callable[[Any, str], Card | None] | None = None
    """The card of one unit or fighter, if it has one: for who does not read them all."""
    name: Callable[[Any, str], Mapping[str, str] | None]
    """The names of a unit, model, weapon or anything else that facts refer to by id."""
    hide: Callable[[Any, int], None] = _nothing_hidden
    """Take out of a copy of the state what that side may not know."""
    scramble: Callable[[Any, int, Rng], bool] = _nothing_to_scramble
    """Change, in place, something hidden from that side (False if nothing is): tests prove that views leak nothing."""
    guess: Callable[[Any, int, Rng], None] | None = None
    """Put something likely in the place of what is hidden from that side, so that a player can think ahead. It must not
    depend on what is hidden; without it, what is hidden is taken out."""
    start_scene: Callable[[Any], State] | None = None
    scene: type[msgspec.Struct] | None = None
    write_scene: Callable[[Any], dict[str, Any]] | None = None
    """The position of a scene that comes as near to a state as the game's words allow (`engine.snapshots`)."""
    stock: Callable[[], Iterable[Stock]] | None = None
    """What can be put on the table of a scene: units and terrain of the library, as entries of its position."""
    roster: type[msgspec.Struct] | None = None
    book: type[msgspec.Struct] | None = None
    """An army book, as a file or a set-up brings it."""
    bringing: Callable[[Source], AbstractContextManager[None]] | None = None
    """While an army list that brings its own army book is checked or priced."""
    check_roster: Callable[[Any, Sequence[str]], Ruling] | None = None
    """Is this army list legal in a battle without these rules?"""
    price: Callable[[Any], Bill] | None = None
    """What an army list costs, line by line."""
    muster: Callable[..., Any] | None = None
    """A random legal roster: muster(rng, **options)."""
    odds: Callable[[Battle[Any], Decision, Any], dict[str, Any] | None] | None = None
    worth: Callable[[Any, int], float] | None = None
    """How good this position is for a side: what the planner maximises, in points."""
    terrain: Callable[[Any], Iterable[Reason]] | None = None
    """What the book has against the terrain of a battle as it lies (`Battle.check_terrain`)."""
    deeds: Mapping[str, Deed] = field(default_factory=dict)
    """What a player may wish for at any moment, with every reason against it (`Battle.why_not`)."""
    asked: Mapping[str, Asked] = field(default_factory=dict)
    """Which deeds the options of a question are, by its prompt: what is not offered there is refused as such a wish."""
    moment: Callable[[Any], object] | None = None
    """Which moment of the battle this is, a phase of a turn: wishes that are put to a scene before its first answer are
    judged at the moment it describes, even if nobody was asked anything there; None: where the battle has come to."""
    on_roll: Callable[[Battle[Any], Roll], Steps[Roll]] | None = None
    """What players may do to a roll that has just been thrown (`engine.throwing`): asks nobody who could not act."""
    library: Callable[[], Mapping[str, Any]] | None = None
    """Ready armies, scenarios and options for a client's menus."""
    hints: Hints = Hints()
    """For players that think ahead."""
    first_turn: Callable[[Battle[Any]], int | None] | None = None
    """The side that had the first turn of a battle, for statistics."""
    switch: Callable[[Any], None] | None = None
    """Take out of the first state what the rules that are switched off would have given it (words on terrain)."""
    tally: Callable[[Any], Tally] | None = None
    """How long a battle was and what fell in it, for statistics."""
    questions: Mapping[str, Question] = field(default_factory=dict)
    """Odds that can be asked for without a battle, by name."""
    pieces: Callable[[Any, str], Sequence[Piece]] | None = None
    """The pieces of a unit, or one piece, as they would be drawn, also of those that are not on the table: the question
    that brings them on tells their shapes."""
    sight: Callable[[Any, Piece, Piece], Sight | None] | None = None
    """Whether one piece of the picture sees another by the game's own rules; None where that is no question."""
    seen_by: Callable[[Any, str, Ends], list[str]] | None = None
    """The enemies that would see a piece or unit if it ended there."""
    preparing: frozenset[str] = frozenset()
    """Prompts that belong to setting up: a newcomer may leave them to the umpire."""
    details: frozenset[str] = frozenset()
    """Prompts about how a thing is done that has been chosen: they have a usual answer, and a table gives it unless a
    player wants to be asked."""
    follows: frozenset[str] = frozenset()
    """Prompts that ask of a thing just chosen at whom or with what it is done: a table puts them together with the
    choice, so that one click answers both."""
    measuring: str = ""
    """The rule by which anybody may measure anything at any time; where it is switched off, nobody may."""
    cocked: str = ""
    """The rule by which a die that does not lie flat has not been rolled, where people roll real dice."""
    undoing: str = ""
    """The rule by which a player may take back what no die and no opponent has answered; switched off, nobody may."""

    def laid(self, state: Any) -> Picture:
        """What lies on the table, with or without the cards."""
        return (self.board or self.picture)(state)

    def imagine(self, state: Any, side: int, rng: Rng) -> None:
        """Leave in the state only what that side knows or guesses."""
        if self.guess is not None:
            self.guess(state, side, rng)
        else:
            self.hide(state, side)


_GAMES: dict[str, Game] = {}
HOUSE = "umpire.games"
"""The package that names the games of this project (`GAMES`), and the entry points by which others add theirs."""


@functools.cache
def _modules() -> dict[str, str]:
    """The modules of all games that are installed, by the game's id; the house's own come first."""
    own = {name: f"{HOUSE}.{name}" for name in import_module(HOUSE).GAMES}
    return own | {entry.name: entry.module for entry in entry_points(group=HOUSE) if entry.name not in own}


def register(game: Game) -> Game:
    _GAMES[game.id] = game
    return game


def find_game(name: str) -> Game:
    """The game of that name, loaded when it is first wanted."""
    if name not in _GAMES:
        try:
            import_module(_modules()[name])
        except (KeyError, ModuleNotFoundError) as error:
            if isinstance(error, ModuleNotFoundError) and error.name != _modules()[name]:
                raise
            known = ", ".join(games())
            raise fault("error.there-is-no-game-known", name=name, known=known) from None
    if name not in _GAMES:
        raise fault("error.the-game-is-not-ready", name=name)
    return _GAMES[name]


def games() -> list[str]:
    """The games that can be played."""
    from importlib.util import find_spec

    modules = _modules()
    return [name for name, module in modules.items() if name in _GAMES or find_spec(module) is not None] + [
        name for name in _GAMES if name not in modules
    ]
