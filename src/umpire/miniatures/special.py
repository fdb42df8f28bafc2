"""Special rules: what a profile carries, and where the chapters ask it.

Chapter code knows no special rule by name. It asks a registry, of which each game has one; special rules, terrain,
spells, items and characters register what they do with its decorators:

    HOOKS = SpecialRules("t9a.rule.", rules_of, words=Words(numbers=("res", …), moments=("fled", …), …))

    @HOOKS.changes("res", "rage", holder="foe")          f(query, held) -> Effect | None
    @HOOKS.rerolls_of("hit", "hatred")                   f(query, held) -> Reroll | None
    @HOOKS.counts("hits", "torrent")                     f(query, held, faces) -> (how many more or fewer, rule id)
    @HOOKS.grants("steady", "stubborn")                  f(state, who, held, **facts) -> rule id or ""
    @HOOKS.forbids("march", "undead")                    f(state, who, held, **facts) -> Iterable[Reason]
    @HOOKS.moment_of("fled", "hidden")                   f(battle, who, held, **facts): a step, or a plain function
    @HOOKS.decides("rally", "feigned-flight")            f(battle, who, held, **facts) -> the answer, or None

A decorator without a name registers what is asked always, and its function is not given `held`. Chapters ask

    HOOKS.number(query)                     a Number with every step of how it came about
    HOOKS.effects_on(query)                 only the effects, for a book with an arithmetic of its own
    HOOKS.rerolls(query, "hit")             every Reroll
    HOOKS.extra(query, "hits", faces)       (how many, the rules that did it)
    HOOKS.granted(state, who, "steady")     the id of the rule that gives it, or ""
    HOOKS.objections(state, who, "march")   every Reason that stands against a deed (effects that forbid it included)
    yield from HOOKS.moment(battle, "fled", who, …)         everybody who has something to do at this moment does it
    answer = yield from HOOKS.decide(battle, "rally", who)  the first answer that a rule gives, or None
    HOOKS.has(state, who, name), HOOKS.find(state, who, name)

A **query** (`Asked`) says whose number it is: `state`, `what`, `base`, the ids on which effects in force count
(`whom`), and `holders()`, pairs of a holder ("own", "foe", "weapon": the game's words) and the rules that one has.
**Held** is a rule on somebody, with a `name`; what more it has (X, a range) is the game's. `rules_of(state, who)` is
the game's lookup, `stacked(several of one name)` how the book counts the same rule twice.

**Ids.** A name is the ledger's rule `prefix + name` unless `special(name, rule)` says otherwise; a registered function
may carry a narrower one (`rule=`). A rule that is switched off (`state.without`) is had by nobody: its functions are
not called; and an Effect, Reroll, count, grant or Reason whose own id is off does not count either.

**Words** are closed lists: registering or asking a number, roll, deed or moment that the game does not name is a
mistake that shows when the module is read. **Names** in content that nobody carries out are found by `unknown(rules)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import GeneratorType
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.effects import STANDARD, Effect, Number, Order
from umpire.engine.rulings import Reason
from umpire.engine.state import State
from umpire.engine.steps import Steps


class Held(Protocol):
    """A special rule on somebody."""

    @property
    def name(self) -> str: ...


S = TypeVar("S", bound=State, contravariant=True)
W = TypeVar("W", contravariant=True)
R = TypeVar("R", bound=Held)
R_co = TypeVar("R_co", bound=Held, covariant=True)


class Asked(Protocol[R_co]):
    """Whose number, and when it is asked."""

    @property
    def state(self) -> State: ...
    @property
    def what(self) -> str: ...
    @property
    def base(self) -> float: ...
    @property
    def whom(self) -> tuple[str, ...]: ...
    def holders(self) -> Iterable[tuple[str, Sequence[R_co]]]: ...


class Reroll(NamedTuple):
    which: Literal["failures", "successes", "ones", "sixes", "one"]
    rule: str
    may: bool = False
    """May the roller decline?"""


class Words(NamedTuple):
    """A game's closed lists; an empty one is open."""

    numbers: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    grants: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    moments: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()


class _Hook(NamedTuple):
    function: Callable[..., Any]
    rule: str


class _Table:
    """The functions of one mechanism: by the word asked, then by holder and name; and those asked always."""

    def __init__(self, kind: str, words: tuple[str, ...]) -> None:
        self.kind = kind
        self.words = words
        self.named: dict[str, dict[tuple[str, str], list[_Hook]]] = {}
        self.own: dict[str, dict[str, list[_Hook]]] = {}
        """Those of `named` that bear on whoever has the rule, by the rule's name."""
        self.always: dict[str, list[_Hook]] = {}

    def known(self, word: str) -> str:
        if word not in self.words and self.words:
            raise KeyError(f"{word!r} is not one of this game's {self.kind}")
        return word

    def add(self, word: str, holder: str, name: str, hook: _Hook) -> None:
        self.known(word)
        if name:
            self.named.setdefault(word, {}).setdefault((holder, name), []).append(hook)
            if holder == "own":
                self.own.setdefault(word, {}).setdefault(name, []).append(hook)
        else:
            self.always.setdefault(word, []).append(hook)


def _first(found: Sequence[R]) -> R | None:
    return found[0] if found else None


class SpecialRules(Generic[S, W, R]):
    """The special rules of one game. Filled once, when the game's modules are read; content is not kept here."""

    def __init__(
        self,
        prefix: str,
        rules_of: Callable[[S, W], Sequence[R]],
        stacked: Callable[[Sequence[R]], R | None] = _first,
        words: Words | None = None,
    ) -> None:
        words = words or Words()
        self.prefix = prefix
        self.rules_of = rules_of
        self.stacked = stacked
        self.known: dict[str, str] = {}
        """Names of special rules that some code carries out, and their ledger ids."""
        self._changes = _Table("numbers", words.numbers)
        self._rerolls = _Table("rolls", words.rolls)
        self._counts = _Table("counts", words.counts)
        self._grants = _Table("grants", words.grants)
        self._forbids = _Table("deeds", words.deeds)
        self._moments = _Table("moments", words.moments)
        self._decides = _Table("decisions", words.decisions)

    # -- registering -----------------------------------------------------------------------------------------------

    def special(self, name: str, rule: str = "") -> str:
        """Declare that the special rule of this name is carried out, and answer its id."""
        if rule or name not in self.known:
            self.known[name] = rule or self.prefix + name
        return self.known[name]

    def _register(self, table: _Table, word: str, name: str, holder: str, rule: str) -> Callable[[Any], Any]:
        def register(function: Any) -> Any:
            table.add(word, holder, name, _Hook(function, rule))
            if name:
                self.special(name)
            return function

        return register

    def changes(self, what: str, name: str = "", holder: str = "own", rule: str = "") -> Callable[[Any], Any]:
        return self._register(self._changes, what, name, holder, rule)

    def rerolls_of(self, roll: str, name: str = "", holder: str = "own", rule: str = "") -> Callable[[Any], Any]:
        return self._register(self._rerolls, roll, name, holder, rule)

    def counts(self, what: str, name: str = "", holder: str = "own", rule: str = "") -> Callable[[Any], Any]:
        return self._register(self._counts, what, name, holder, rule)

    def grants(self, what: str, name: str = "", rule: str = "") -> Callable[[Any], Any]:
        return self._register(self._grants, what, name, "own", rule)

    def forbids(self, deed: str, name: str = "", rule: str = "") -> Callable[[Any], Any]:
        return self._register(self._forbids, deed, name, "own", rule)

    def moment_of(self, when: str, name: str = "", rule: str = "") -> Callable[[Any], Any]:
        return self._register(self._moments, when, name, "own", rule)

    def decides(self, what: str, name: str = "", rule: str = "") -> Callable[[Any], Any]:
        return self._register(self._decides, what, name, "own", rule)

    # -- who has what ----------------------------------------------------------------------------------------------

    def in_force(self, state: State, rules: Sequence[R]) -> Sequence[R]:
        """Those of somebody's rules that are not switched off in this battle."""
        without = state.without
        if not without:
            return rules
        return [rule for rule in rules if self.known.get(rule.name, "") not in without]

    def distinct(self, rules: Sequence[R]) -> list[R]:
        """Each rule once, as the book counts the same rule from several sources."""
        if len(rules) <= 1:
            return list(rules)
        names: dict[str, list[R]] = {}
        for rule in rules:
            names.setdefault(rule.name, []).append(rule)
        return [held for found in names.values() if (held := self.stacked(found)) is not None]

    def has(self, state: S, who: W, name: str) -> bool:
        return any(rule.name == name for rule in self.in_force(state, self.rules_of(state, who)))

    def find(self, state: S, who: W, name: str) -> R | None:
        """The rule of that name somebody has, several of them counted as the book counts them."""
        rules = self.in_force(state, self.rules_of(state, who))
        return self.stacked([rule for rule in rules if rule.name == name])

    # -- asking ----------------------------------------------------------------------------------------------------

    def _asked(self, table: _Table, word: str, query: Asked[R]) -> list[tuple[_Hook, R]]:
        """The functions of a table that bear on a query, with the rule they are asked for."""
        found: list[tuple[_Hook, R]] = []
        named = table.named.get(word)
        if named is None:
            table.known(word)
            return found
        for holder, rules in query.holders():
            bearing = [rule for rule in rules if (holder, rule.name) in named]
            if not bearing:
                continue
            without = query.state.without
            for held in self.distinct(self.in_force(query.state, bearing)):
                for hook in named[holder, held.name]:
                    if not hook.rule or hook.rule not in without:
                        found.append((hook, held))
        return found

    def _always(self, table: _Table, word: str, state: State) -> Sequence[_Hook]:
        found, without = table.always.get(word), state.without
        if found is None:
            table.known(word)
            return ()
        return [hook for hook in found if not hook.rule or hook.rule not in without] if without else found

    def effects_on(self, query: Asked[R]) -> list[Effect]:
        """Every effect of a special rule on a number, in the order in which they were registered."""
        found: list[Effect] = []
        for hook, held in self._asked(self._changes, query.what, query):
            if (effect := hook.function(query, held)) is not None:
                found.append(effect)
        for hook in self._always(self._changes, query.what, query.state):
            if (effect := hook.function(query)) is not None:
                found.append(effect)
        return found

    def number(self, query: Asked[R], order: Order = STANDARD) -> Number:
        """A number now: base, then the effects of special rules and those in force."""
        extra = self.effects_on(query)
        if not extra and not query.state.effects:
            return Number(query.base, query.base)
        return effects.number(query.state, query.whom, query.what, query.base, extra, order)

    def rerolls(self, query: Asked[R], roll: str) -> list[Reroll]:
        found: list[Reroll] = []
        for hook, held in self._asked(self._rerolls, roll, query):
            if (reroll := hook.function(query, held)) is not None:
                found.append(reroll)
        for hook in self._always(self._rerolls, roll, query.state):
            if (reroll := hook.function(query)) is not None:
                found.append(reroll)
        without = query.state.without
        return [reroll for reroll in found if reroll.rule not in without] if without else found

    def extra(self, query: Asked[R], what: str, faces: Sequence[int]) -> tuple[int, tuple[str, ...]]:
        """How many more (or fewer) the special rules make of these dice, and which did."""
        total = 0
        rules: list[str] = []
        answers = [hook.function(query, held, faces) for hook, held in self._asked(self._counts, what, query)]
        answers += [hook.function(query, faces) for hook in self._always(self._counts, what, query.state)]
        for more, cite in answers:
            if cite and cite not in query.state.without:
                total += more
                rules.append(cite)
        return total, tuple(rules)

    def _held(self, state: S, who: W, rules: Sequence[R] | None) -> Sequence[R]:
        held = self.rules_of(state, who) if rules is None else rules
        return self.in_force(state, held) if state.without else held

    def _acting(self, named: Mapping[str, list[_Hook]], state: S, held: R) -> Sequence[_Hook]:
        found, without = named.get(held.name, ()), state.without
        return [hook for hook in found if not hook.rule or hook.rule not in without] if without else found

    def granted(self, state: S, who: W, what: str, rules: Sequence[R] | None = None, **facts: Any) -> str:
        """The id of the rule that gives this, or "". `rules` are the ones to ask if not all of `who`'s."""
        table = self._grants
        named = table.own.get(what)
        if named is not None:
            for held in self._held(state, who, rules):
                if held.name in named:
                    for hook in self._acting(named, state, held):
                        if (cite := hook.function(state, who, held, **facts)) and cite not in state.without:
                            return str(cite)
        if named is None or what in table.always:
            for hook in self._always(table, what, state):
                if (cite := hook.function(state, who, **facts)) and cite not in state.without:
                    return str(cite)
        return ""

    def objections(
        self, state: S, who: W, deed: str, rules: Sequence[R] | None = None, ids: Sequence[str] = (), **facts: Any
    ) -> Iterator[Reason]:
        """Every reason of a special rule, of terrain, of an effect in force on `ids` against a deed."""
        without = state.without
        named = self._forbids.own.get(self._forbids.known(deed))
        if named:
            for held in [held for held in self._held(state, who, rules) if held.name in named]:
                for hook in self._acting(named, state, held):
                    for reason in hook.function(state, who, held, **facts):
                        if reason.rule not in without:
                            yield reason
        for hook in self._always(self._forbids, deed, state):
            for reason in hook.function(state, who, **facts):
                if reason.rule not in without:
                    yield reason
        if state.effects:
            for effect in effects.forbids(state, ids, deed):
                yield Reason(effect.rule, "reason.effect")

    def heeded(self, state: S, who: W, when: str) -> bool:
        """Has a rule of somebody's something to do at a moment?"""
        named = self._moments.own.get(self._moments.known(when))
        if not named:
            return False
        return any(rule.name in named for rule in self._held(state, who, None))

    def moment(self, battle: Battle[Any], when: str, who: W | None, **facts: Any) -> Steps[None]:
        """A moment of the game: every special rule that has something to do now does it."""
        table = self._moments
        named = table.own.get(when)
        state = battle.state
        if named is not None and who is not None:
            bearing = [rule for rule in self._held(state, who, None) if rule.name in named]
            for held in self.distinct(bearing) if bearing else ():
                for hook in self._acting(named, state, held):
                    result = hook.function(battle, who, held, **facts)
                    if type(result) is GeneratorType:
                        yield from result
        for hook in self._always(table, when, state):
            result = hook.function(battle, who, **facts)
            if type(result) is GeneratorType:
                yield from result

    def decide(self, battle: Battle[Any], what: str, who: W | None, **facts: Any) -> Steps[Any]:
        """The first answer that a rule gives, or None: those asked always first, then who's own."""
        state = battle.state
        for hook in self._always(self._decides, what, state):
            if (answer := (yield from _carried_out(hook.function(battle, who, **facts)))) is not None:
                return answer
        named = self._decides.own.get(self._decides.known(what))
        if named and who is not None:
            bearing = [rule for rule in self._held(state, who, None) if rule.name in named]
            for held in self.distinct(bearing):
                for hook in self._acting(named, state, held):
                    if (answer := (yield from _carried_out(hook.function(battle, who, held, **facts)))) is not None:
                        return answer
        return None


def _carried_out(result: Any) -> Steps[Any]:
    """What a function registered did: a step is carried out, a plain function has been."""
    if type(result) is GeneratorType:
        return (yield from result)
    return result
