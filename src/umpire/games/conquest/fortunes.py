"""Every way that an exchange of blows can go: what each leaves on the table, and its chance.

A position that wounds have changed is made by the rules themselves on a copy of the data, so that casualties, Broken,
Shattered and the Morale Test of what is left are those of play; positions that are alike are one. Where a rule strikes
back (Counter-Attack, Lethal Demise, the last Clash of a Character), it is carried out up to its dice, whose chances are
then followed like any others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from umpire.engine.copying import copy
from umpire.engine.decisions import Choose, Confirm, Decision, Json
from umpire.engine.dice import DiceState, DiceWanted
from umpire.odds import Dist, Outcomes

from . import formation, hooks, special_moments, wounds
from .attacks import Group
from .odds_blows import Blows, ConquestBattle, Struck, further, struck, struck_by_hits
from .state import Regiment, State

MOST_WORK = 150_000
"""About two seconds of it; regiments that answer every wound of the other with a hit can want a thousand times more."""

POSITION, TEST = 20, 1
"""What it costs to make a new position, and to follow a Morale Test."""


class TooMany(Exception):  # noqa: N818 - a limit, not an error
    """An exchange of blows can go in more ways than anybody waits for."""


class Position:
    """The data after some blows, and the wounds that regiments have been given on the way."""

    __slots__ = ("next", "state", "taken")

    def __init__(self, state: State, taken: dict[str, int]) -> None:
        self.state = state
        self.taken = taken
        self.next: dict[Any, Fortunes] = {}
        """What has been found to follow from it."""


Fortunes = dict[Position, float]


def spread(fortunes: Fortunes, follow: Callable[[Position], Fortunes]) -> Fortunes:
    """What follows from each, with the chance of all of it."""
    found: Fortunes = {}
    for position, p in fortunes.items():
        for after, q in follow(position).items():
            found[after] = found.get(after, 0.0) + p * q
    return found


def drive(steps: Any) -> None:
    """Carry a rule out; where it asks, the first option is taken, and nothing rare is spent."""
    ask = next(steps, None)
    while ask is not None:
        try:
            ask = steps.send(taken_for_granted(ask))
        except StopIteration:
            return


def taken_for_granted(ask: Decision) -> Json:
    if isinstance(ask, Confirm):
        return False
    return next(iter(ask.options)) if isinstance(ask, Choose) else ask.suggest()


class Harm(NamedTuple):
    """Who does it to whom, and how: hits that come from nobody have no attacker. `tested`: a Morale Test follows;
    `answered`: the wounds come from failed defence dice, which some rules answer."""

    attacker: str
    target: str
    context: str
    side: str
    tested: bool = True
    answered: bool = True


class Course:
    """An exchange of blows that begins with a battle as it stands."""

    def __init__(self, battle: ConquestBattle) -> None:
        self.battle = battle.fork()
        self._known: dict[Any, Position] = {}
        self._worked = 0
        state = copy(battle.state)
        state.dice = DiceState(source="typed")
        self.start = self.position(state, {})

    # -- positions -----------------------------------------------------------------------------------------------

    def position(self, state: State, taken: dict[str, int]) -> Position:
        """The one position with these data."""
        key = (
            *(seen(regiment, exactly=True) for regiment in state.regiments.values()),
            *((c.id, c.wounds, c.alive, c.activated) for c in state.characters.values()),
            *state.tallies.items(),
            *sorted(taken.items()),
        )
        if key not in self._known:
            self._work(POSITION)
            self._known[key] = Position(state, taken)
        return self._known[key]

    def _work(self, cost: int) -> None:
        self._worked += cost
        if self._worked > MOST_WORK:
            raise TooMany

    def at(self, position: Position) -> ConquestBattle:
        """The battle in that position, to be read and not to be changed."""
        self.battle.state = position.state
        return self.battle

    def carried_out(
        self, position: Position, rule: Callable[[ConquestBattle], Any], faces: Iterable[int] = ()
    ) -> tuple[Position, DiceWanted | None]:
        """What a rule makes of a position, up to the first dice it wants beyond these faces."""
        self.battle.state = state = copy(position.state)
        state.dice.queue = list(faces)
        self.battle.events.clear()
        wanted = None
        try:
            drive(rule(self.battle))
        except DiceWanted as asked:
            wanted = asked
        taken = dict(position.taken)
        for event in self.battle.events:
            if event.kind == "allocated" and event.facts["wounds"]:
                taken[event.facts["regiment"]] = taken.get(event.facts["regiment"], 0) + event.facts["wounds"]
        return self.position(state, taken), wanted

    # -- attacks -------------------------------------------------------------------------------------------------

    def blows(self, position: Position, harm: Harm, against: Any = None) -> Blows:
        """A batch of attacks as it is read in that position."""
        state = position.state
        turned = self._noted(position, harm, 1) is not self._noted(position, harm, 0)
        attacker = state.regiments.get(harm.attacker)
        return Blows(self.at(position), attacker, state.regiment(harm.target), harm.context, harm.side, against, turned)

    def attack(self, position: Position, harm: Harm, groups: list[Group]) -> Fortunes:
        """Attacks from hit roll to morale, and what answers them."""
        return self.suffer(position, harm, struck(self.blows(position, harm), groups))

    def suffer(self, position: Position, harm: Harm, pools: Struck) -> Fortunes:
        """A pool of wounds is allocated and answered; then each wound allocated is a morale die."""
        found: Fortunes = {}
        before = position.taken.get(harm.target, 0)
        for (pool, turned), p in pools.items():
            noted = self._noted(position, harm, turned) if harm.answered else position
            for hurt, q in self._wounded(noted, harm, pool).items():
                given = hurt.taken.get(harm.target, 0) - before
                for after, r in self._hurt(hurt, harm, given, turned).items():
                    found[after] = found.get(after, 0.0) + p * q * r
        return found

    def _hurt(self, position: Position, harm: Harm, given: int, turned: int) -> Fortunes:
        """What follows when so many wounds were given, and so many defence dice strike back."""
        fortunes = {position: 1.0}
        if given and harm.answered and hooks.heeded(position.state, position.state.regiment(harm.target), "suffered"):
            fortunes = spread(fortunes, lambda after: self._answer(after, "suffered", harm, wounds=given))
        if given and harm.tested:
            fortunes = spread(fortunes, lambda after: self._morale(after, harm, given))
        if turned:
            fortunes = spread(fortunes, lambda after: self._answer(after, "attacked", harm))
        return fortunes

    def _wounded(self, position: Position, harm: Harm, count: int) -> Fortunes:
        """So many wounds, given one by one; a regiment that dies of them may strike once more."""
        fortunes = {position: 1.0}
        for _ in range(count):
            (only, *more) = fortunes
            if more or not only.state.regiment(harm.target).alive:
                break
            fortunes = self._one_wound(only, harm)
        return fortunes

    def _one_wound(self, position: Position, harm: Harm) -> Fortunes:
        key = (harm.target, harm.attacker)
        if key not in position.next:
            after, wanted = self.carried_out(
                position, lambda battle: wounds.suffer(battle, battle.state.regiment(harm.target), 1, harm.attacker)
            )
            position.next[key] = {after: 1.0} if wanted is None else self._last_clash(after, harm.target, wanted)
        return position.next[key]

    def _last_clash(self, position: Position, regiment: str, wanted: DiceWanted) -> Fortunes:
        """The Character of a regiment that dies has his dice in hand; when they are thrown it is gone."""
        enemy = next(event.facts["target"] for event in self.battle.events if event.kind == "last-clash")
        group = Group(wanted.count, position.state.characters[wanted.roll.who])
        harm = Harm(regiment, enemy, "clash", side(position.state, regiment, enemy))

        def buried(after: Position) -> Fortunes:
            return {self.carried_out(after, lambda b: wounds.destroy(b, b.state.regiment(regiment)))[0]: 1.0}

        return spread(self.attack(position, harm, [group]), buried)

    def _morale(self, position: Position, harm: Harm, count: int) -> Fortunes:
        """A Morale Test for so many wounds; each failure is a further wound without one."""
        self._work(TEST)
        target = position.state.regiment(harm.target)
        if not target.alive or not target.stands:
            return {position: 1.0}
        key = ("morale", harm, count)
        if key not in position.next:
            attacker = position.state.regiments.get(harm.attacker)
            at = Blows(self.at(position), attacker, target, harm.context, harm.side)
            found: Fortunes = {}
            for more, p in further(at, count).items():
                for after, q in self._wounded(position, harm, more).items():
                    found[after] = found.get(after, 0.0) + p * q
            position.next[key] = found
        return position.next[key]

    # -- what answers --------------------------------------------------------------------------------------------

    def _noted(self, position: Position, harm: Harm, turned: int) -> Position:
        """With what the target's rules remember of its defence dice."""
        key = ("defended", harm, turned)
        if key not in position.next:
            facts = {"foe": harm.attacker, "context": harm.context, "faces": [1] * turned}
            after, _ = self.carried_out(
                position, lambda battle: hooks.moment(battle, "defended", battle.state.regiment(harm.target), **facts)
            )
            position.next[key] = {after: 1.0}
        return next(iter(position.next[key]))

    def _answer(self, position: Position, when: str, harm: Harm, **more: int) -> Fortunes:
        """What the rules of a regiment that was struck do: hits on somebody."""
        key = (when, harm, *more.values())
        if key not in position.next:
            facts = {"foe": harm.attacker, "context": harm.context, **more}
            state = position.state
            _, turned = special_moments.countering(state, state.regiment(harm.target), harm.attacker)
            after, wanted = self.carried_out(
                position, lambda battle: hooks.moment(battle, when, battle.state.regiment(harm.target), **facts)
            )
            position.next[key] = {after: 1.0}
            if wanted is not None:
                back = Harm("", wanted.roll.who, "hits", turned if when == "attacked" else "front")
                hits = struck_by_hits(self.blows(after, back), wanted.count)
                position.next[key] = self.suffer(after, back, hits)
        return position.next[key]


def side(state: State, attacker: str, target: str) -> str:
    """The side of the target that the attacker stands at."""
    return formation.facing_of(formation.side_hit(state.regiment(target), state.regiment(attacker)))


def seen(regiment: Regiment, exactly: bool) -> tuple[Any, ...]:
    """What tells a regiment from itself at another time; not exactly: to those who do not strike it."""
    if not exactly:
        stands = tuple((stand.id, stand.rank, stand.file) for stand in regiment.stands)
        return regiment.id, regiment.where, regiment.broken, stands
    lost = (regiment.broken_from, regiment.broken_lost, regiment.round_lost, regiment.last_end)
    return regiment.id, regiment.where, regiment.broken, regiment.stands, *lost, regiment.flags


class Fate(NamedTuple):
    """What has become of a regiment."""

    wounds: int
    stands: int
    broken: bool
    gone: bool


def fate(before: State, position: Position, regiment: str) -> Fate:
    now = position.state.regiment(regiment)
    gone = not now.alive
    stands = len(before.regiment(regiment).ordinary()) - len(now.ordinary())
    return Fate(position.taken.get(regiment, 0), stands, now.broken or gone, gone)


class Suffered(NamedTuple):
    """What blows come to for a regiment, morale included."""

    wounds: Dist
    stands: Dist
    broken: float
    gone: float


def suffered(fates: Outcomes[Fate]) -> Suffered:
    return Suffered(
        fates.dist(lambda fate: fate.wounds),
        fates.dist(lambda fate: fate.stands),
        fates.chance(lambda fate: fate.broken),
        fates.chance(lambda fate: fate.gone),
    )
