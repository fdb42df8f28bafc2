"""The battle: plain data, an agenda of steps, and one open question at a time. Every client uses exactly this."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeVar, cast

import msgspec

from umpire.engine import wishes
from umpire.engine.copying import copier
from umpire.engine.decisions import Decision, Json, TypeDice
from umpire.engine.dice import DiceState, DiceWanted
from umpire.engine.events import Event, Outcome, thrown
from umpire.engine.game import Game, Setup, find_game
from umpire.engine.keeping import handed_on
from umpire.engine.marks import CLOSE, LAST, LIVE, MIDST, SPARSE, UNMARKED, Answer, Mark, thin
from umpire.engine.opening import first_state, opening
from umpire.engine.rng import GOLDEN, Rng, seed_of
from umpire.engine.rulings import Reason, Refused, Ruling, ruled, standing
from umpire.engine.showing import Showing
from umpire.engine.state import State
from umpire.engine.steps import find_step
from umpire.engine.wishes import Wish, wish_of
from umpire.errors import UmpireError, fault
from umpire.text import Text

S = TypeVar("S", bound=State)
T = TypeVar("T")

MAX_SILENT_STEPS = 100_000
"""So many steps without a question, and the battle is stuck in a loop of its own rules."""


class Battle(Showing[S]):
    """A battle in progress.

    `decision` is the open question (None when the battle is over), `decisions` all of them where several sides choose
    in secret at once. `answer` carries an answer out or raises `Refused`; `check` only says.

    >>> import umpire
    >>> battle = umpire.battle("warcry", seed=7)
    >>> battle.decision.kind
    'choose'
    >>> battle.check("nonsense").legal
    False
    >>> ahead = battle.fork()
    >>> ahead.answer(ahead.decision.suggest())
    >>> len(ahead.answers), len(battle.answers)
    (1, 0)
    >>> ahead.undo()
    >>> ahead.state == battle.state
    True
    >>> sorted(battle.view(0))[:4]
    ['answers', 'decisions', 'events', 'game']
    """

    __slots__ = (
        "_before", "_began", "_copy", "_every", "_gen", "_known", "_marks", "_open", "_reads", "_replay", "_secret",
        "answers", "game",
    )  # fmt: skip

    def __init__(self, game: Game, setup: Setup, state: S) -> None:
        self._prepare(game, setup)
        self.state = state
        self._run(0)

    def _prepare(self, game: Game, setup: Setup) -> None:
        """A battle of which nothing has been played."""
        self._bring(game, setup)
        self._rest()

    def _bring(self, game: Game, setup: Setup) -> None:
        """What a battle has besides the moment that it is at (`Unseen`)."""
        self.game = game
        self.setup = setup
        self._copy = copier(game.state)
        self.events = []
        self.answers = []
        self._marks: list[Mark] = []
        self._every = SPARSE
        """A step is marked once so many answers have come since the last mark."""
        self._known: list[tuple[int, Any]] = []
        self._before: tuple[int, list[tuple[int, Any]]] = (0, [])
        """What was known before the last mark, and after how many answers that was put: one answer taken back."""
        self._replay = LIVE

    def _rest(self) -> None:
        """Nothing is asked, and no step is under way."""
        self.__class__ = Battle
        self._gen: Generator[Any, Any, Any] | None = None
        self._open: list[Decision] = []
        self._secret: dict[int, Json] | None = None
        self._reads = 0
        self._began = 0

    # -- what is asked -------------------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The open question; where several sides are asked at once, the first that is still open."""
        return self._open[0] if self._open else None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(self._open)

    @property
    def opened(self) -> int:
        """How many answers had been given when the open questions were put; secret ones given since do not count."""
        return len(self.answers) - len(self._secret or ())

    @property
    def answers_of_step(self) -> list[Answer]:
        """The answers that the step under way has had so far; those to questions for dice are left out."""
        return [entry for entry in self.answers[self._began :] if not entry.dice]

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome

    def decision_for(self, side: int) -> Decision | None:
        """The question open for one side, if there is one."""
        for ask in self._open:
            if ask.side == side:
                return ask
        return None

    def _asked(self, side: int | None) -> Decision:
        if not self._open:
            raise fault("error.the-battle-is-over-nothing")
        if side is None:
            return self._open[0]
        ask = self.decision_for(side)
        if ask is None:
            raise fault("error.side-is-not-asked-anything", side=side)
        return ask

    # -- answering -----------------------------------------------------------------------------------------------

    def check(self, answer: Json, side: int | None = None) -> Ruling:
        """Would this answer be legal? Nothing changes."""
        return self._asked(side).check(answer)

    def check_terrain(self) -> Ruling:
        """Does the terrain lie as the book demands?"""
        if self.game.terrain is None:
            raise fault("error.no-terrain-rules", game=self.game.id)
        return ruled(list(standing(self.state, self.game.terrain(self.state))))

    def why_not(self, side: int, wish: Wish | Mapping[str, Any], where: str = "wish") -> Ruling:
        """Could this side do that now? Any deed of any piece may be wished for, asked for or not; every rule against it
        is named, and nothing changes (`engine.wishes`). What is legal comes with its odds, where dice decide it."""
        ruling = wishes.judge(self, side, wish, where)
        return msgspec.structs.replace(ruling, odds=wishes.odds(self, side, wish)) if ruling.legal else ruling

    def as_described(self, finer: Callable[[S], object] | None = None) -> Battle[S]:
        """A scene is asked about at the moment that it describes. Where nobody could act there, the battle has gone on
        to the first question of a later moment, which is not the one that was meant; `finer` than the game's moments,
        where a deed demands it."""
        moment = finer or self.game.moment
        if moment is None or self.setup.scene is None or self.answers:
            return self
        first = cast(S, opening(self.game, self.setup))
        described = moment(first)
        if described is None or described == moment(self.state):
            return self
        other: Battle[S] = Battle.__new__(Battle)
        other._prepare(self.game, self.setup)
        other.state = first
        return other

    def answer(self, answer: Json, side: int | None = None, anew: int = 0) -> None:
        """Carry an answer out, up to the next question. An illegal one is refused and changes nothing; nor does one
        that cannot be carried to the end (a script of dice that runs out). `anew`, the number of a take-back, has other
        dice fall from now on than those that fell before it."""
        ask = self._asked(side)
        ruling = ask.check(answer)
        if not ruling.legal:
            raise Refused(ruling)
        answer = ask.whole(answer)
        dice = self.state.dice
        typed = ask.kind == "dice"
        before = len(self.answers)
        self.answers.append(Answer(ask.side, answer, typed, dice.rolled, dice.shown, len(self.events), anew))
        try:
            if typed:
                self._restore(len(self.answers))
            else:
                self._take_dice(anew)
                self._send(ask, answer)
        except Exception:
            if self._marks[-1].answers != UNMARKED:
                self._restore(before)
            raise

    def _take_dice(self, anew: int) -> None:
        if anew:
            self.state.dice.anew(anew)
            self.emit("dice-anew", takeback=anew)

    def _send(self, ask: Decision, answer: Json) -> None:
        if self._secret is None:
            self._resume(answer)
            return
        self._secret[ask.side] = answer
        self._open = [other for other in self._open if other is not ask]
        if not self._open:
            answers, self._secret = self._secret, None
            self._resume(answers)

    def _resume(self, value: Any) -> None:
        gen = self._gen
        assert gen is not None
        try:
            asked = gen.send(value)
        except StopIteration:
            self._gen = None
            self._run(0 if self._wants_mark() else None)
        except DiceWanted as wanted:
            self._ask_dice(wanted)
        else:
            self._put(asked)

    def _wants_mark(self) -> bool:
        if self._replay != LIVE:
            return self._replay == LAST
        return len(self.answers) - self._marks[-1].answers >= self._every

    def _run(self, mark_after: int | None = None) -> None:
        """Take steps off the agenda until one of them asks something or the battle is over; put a mark after so many
        steps, if any is wanted."""
        state = self.state
        self._began = len(self.answers)
        for quiet in range(MAX_SILENT_STEPS):
            if quiet == mark_after:
                self._mark()
            if state.outcome is not None:
                state.agenda.clear()
                self._open = []
                return
            if not state.agenda:
                raise RuntimeError("the agenda is empty, but the battle has no outcome")
            task = state.agenda.pop()
            try:
                gen = find_step(task.step)(self, *task.args)
                asked = None if gen is None else next(gen, None)
            except DiceWanted as wanted:
                self._ask_dice(wanted)
                return
            if asked is not None:
                self._gen = gen
                if mark_after is not None and quiet > mark_after:
                    self._marks[-1] = msgspec.structs.replace(self._marks[-1], ahead=quiet - mark_after)
                self._put(asked)
                return
        raise RuntimeError(f"{MAX_SILENT_STEPS} steps without a question: {state.agenda[-3:]}")

    def _put(self, asked: Decision | Sequence[Decision]) -> None:
        salt = self.setup.seed * GOLDEN + len(self.answers)
        if isinstance(asked, Decision):
            self._open, self._secret = [asked], None
        else:
            self._open, self._secret = list(asked), {}
        for ask in self._open:
            ask.salt = salt if self._secret is None else salt ^ ask.side
            ask.without, ask.otherwise = self.state.without, self._otherwise

    def _otherwise(self, ask: Decision, answer: str) -> list[Reason]:
        """What stands against an option that is not offered, taken as the wish that it would be."""
        wish = wish_of(self.game.asked.get(ask.prompt.key), ask.about, answer)
        if wish is None:
            return []
        try:
            return list(wishes.judge(self, ask.side, wish, answering=True).reasons)
        except UmpireError:  # a name that nothing here has
            return []

    def _ask_dice(self, wanted: DiceWanted) -> None:
        """A die is wanted that people must roll: ask them; the step is run again when they have."""
        roll = wanted.roll
        side = roll.side if roll.side is not None else 0
        prompt = Text("ask.dice", {"count": wanted.count, "sides": roll.sides, "purpose": roll.purpose})
        self._gen = None
        cocked = self.game.cocked if self.state.applies(self.game.cocked) else ""
        self._put(TypeDice(side, prompt, wanted.count, roll.sides, (roll.rule,) if roll.rule else (), cocked))

    # -- going back ----------------------------------------------------------------------------------------------

    def know(self, find: Callable[[], T]) -> T:
        """What a step finds out before it asks, and would find again when it is run again from the same data: a fork
        and a take-back need not look for it anew. It must hold nothing of the state that can change."""
        if self._reads < len(self._known):
            value: T = self._known[self._reads][1]
        else:
            value = find()
            self._known.append((len(self.answers), value))
        self._reads += 1
        return value

    def _mark(self) -> None:
        copy = self._copy(self.state)
        handed_on(self.state, copy)
        mark = Mark(copy, len(self.answers), len(self.events))
        if self._marks and self._marks[-1].answers == mark.answers:
            self._marks[-1] = mark
        else:
            self._marks.append(mark)
            thin(self._marks)
            self._before = (mark.answers, self._known[: self._reads])
        del self._known[: self._reads]
        self._reads = 0

    def _restore(self, count: int) -> None:
        """Go to the moment after `count` answers: from the last checkpoint before it, the answers are given again."""
        marks = self._marks
        if marks and marks[-1].answers == UNMARKED:
            raise RuntimeError("an imagined battle goes on but not back")
        while marks and marks[-1].answers > count:
            put, known = self._before
            self._known = known[:] if marks.pop().answers == put else []
            self._before = (0, [])
        if not marks:
            from umpire.engine.beginning import begin

            marks.append(begin(self.setup)._marks[0])
        while self._known and self._known[-1][0] > count:
            self._known.pop()
        mark = marks[-1]
        again = self.answers[mark.answers : count]
        self.state = self._copy(mark.state)
        handed_on(mark.state, self.state, fixed=True)
        typed = [entry for entry in again if entry.dice]
        for entry in typed:
            self.state.dice.queue.extend(entry.answer)
        del self.answers[mark.answers :]
        del self.events[mark.events :]
        self._rest()
        todo = again[::-1]
        self._note_dice(todo)
        self._run(mark.ahead or None)
        if todo:
            self._give_again(todo, bool(typed))

    def _note_dice(self, todo: list[Answer]) -> None:
        """Faces that people rolled next: they lie ready for the step that wants them."""
        while todo and todo[-1].dice:
            self.answers.append(todo.pop())

    def _give_again(self, todo: list[Answer], typed: bool) -> None:
        """Give answers again, the next one last; some of them may be dice that were typed in."""
        try:
            while todo:
                entry = todo.pop()
                self.answers.append(entry)
                self._note_dice(todo)
                ask = self.decision_for(entry.side)
                if ask is None:
                    raise RuntimeError("a step asked otherwise when it was run again")
                self._take_dice(entry.anew)
                self._replay = MIDST if todo and typed else LAST
                self._send(ask, entry.answer)
        finally:
            self._replay = LIVE

    def fork(self) -> Battle[S]:
        """An independent copy: what happens to one never touches the other."""
        other: Battle[S] = Unseen.__new__(Unseen)
        other._bring(self.game, self.setup)
        other.answers = self.answers[:]
        other.events = self.events[:]
        other._marks = self._marks[:]
        other._known = self._known[:]
        other._before = self._before
        if type(self) is Unseen:
            return other
        if not self._open:
            other._rest()
            other.state = self._copy(self.state)
            return other
        self._every = 1
        mark = self._marks[-1]
        if mark.answers == self._began and not mark.ahead:
            return other
        other._restore(len(self.answers))
        self._marks = other._marks[:]
        self._known = other._known[:]
        self._reads = other._reads
        return other

    def step_so_far(self) -> tuple[State, list[Answer], list[int]]:
        """The data at the start of the open step, the answers it has had (those to questions for dice are left out),
        and the faces that have fallen in it: whoever starts from the data and gives the same comes to this moment."""
        other = self.fork()
        if not other._open:
            return other.state, [], []
        again = other.answers[other._marks[-1].answers :]
        other._restore(len(other.answers) - len(again))
        other._every = 1
        for entry in again:
            if entry.dice:
                other.state.dice.queue.extend(entry.answer)
            other.answer(entry.answer, entry.side, entry.anew)
        mark = other._marks[-1]
        answers = [entry for entry in other.answers[mark.answers :] if not entry.dice]
        return mark.state, answers, list(thrown(other.events[mark.events :]))

    def before_dice(self) -> Battle[S]:
        """A fork at the same question whose further dice have not fallen: each roll stops and asks for its faces.

        Odds are worked out in these: the battle goes on to the very dice that an answer leads to, and no further.
        """
        other = self.fork()
        mark = other._marks[-1]
        state = other._copy(mark.state)
        state.dice.source = "typed"
        state.dice.queue = [] if self.setup.dice == "typed" else list(thrown(self.events[mark.events :]))
        other._marks = [Mark(state, mark.answers, mark.events)]
        other._known = []
        other._restore(len(other.answers))
        return other

    def imagine(self, side: int, seed: int) -> Battle[S]:
        """A fork that holds only what this side may know: dice of its own, the other side's secrets guessed anew.

        Players think in these, so that none can peek. It goes on but not back: there is no checkpoint to fork from.
        """
        other = self.fork()
        if other._secret:
            for _ in range(sum(who != side for who in other._secret)):
                other._forget(side)
        state = other.state
        state.dice = DiceState(state=seed_of("imagined", seed), rolled=state.dice.rolled, shown=state.dice.shown)
        other.game.imagine(state, side, Rng(seed))
        other._marks = [Mark(state, UNMARKED, 0)]
        return other

    def _forget(self, side: int) -> None:
        """Take back the last answer that another side has given in secret."""
        last = max(at for at, entry in enumerate(self.answers) if entry.side != side)
        kept = self.answers[last + 1 :]
        self._restore(last)
        for entry in kept:
            self.answer(entry.answer, entry.side)

    def undo(self, count: int = 1) -> None:
        """Take back the last answers, whatever they brought to light; `may_undo` says what the rules of play allow."""
        if count > len(self.answers):
            raise fault("error.there-is-no-answer-left")
        self._every = min(self._every, CLOSE)
        self._restore(len(self.answers) - count)

    def may_undo(self, side: int) -> bool:
        """May this side take its last answer back? Not once a die has fallen, a secret is out or the other decided."""
        allowed = not self.game.undoing or self.state.applies(self.game.undoing)
        if not self.answers or not allowed:
            return False
        last, dice = self.answers[-1], self.state.dice
        return last.side == side and last.rolled == dice.rolled and last.shown == dice.shown

    # -- keeping it ----------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The battle as JSON, at whatever question it stands; `Battle.load` goes on from there."""
        mark = self._marks[-1]
        return msgspec.json.encode(
            {
                "setup": self.setup,
                "state": mark.state,
                "at": [mark.answers, mark.events],
                "answers": self.answers,
                "events": self.events,
            }
        )

    @classmethod
    def load(cls, data: bytes | str) -> Battle[Any]:
        raw = msgspec.json.decode(data)
        setup = msgspec.convert(raw["setup"], Setup)
        other: Battle[Any] = Battle.__new__(Battle)
        other._prepare(find_game(setup.game), setup)
        first_state(other.game, setup)  # a game learns from a set-up what its battle will need, as at its beginning
        other.answers = msgspec.convert(raw["answers"], list[Answer])
        other.events = msgspec.convert(raw["events"], list[Event])
        other._marks = [Mark(msgspec.convert(raw["state"], other.game.state), *raw["at"])]
        other._restore(len(other.answers))
        return other


class Unseen(Battle[S]):
    """A fork comes to its question when somebody looks at it: only then is the open step run again, and from then on it
    is a battle like any other. Whatever has a `__getattr__` is read several times more slowly."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name not in ("state", "_gen", "_open", "_secret", "_reads", "_began"):
            raise AttributeError(name)
        self._restore(len(self.answers))
        return getattr(self, name)
