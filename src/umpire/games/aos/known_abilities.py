"""What abilities there are: of the rules, of warscrolls, of what the armies of a battle bring (aos.ability.*).

The rules' own are the same in every battle and stand in a `Table`. What warscrolls, lores and army books bring belongs
to the battle that was set up with them: it is data in that battle's state, and `Owned` makes abilities of it without a
name of one battle ever meaning anything in another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from umpire.engine.battle import Battle
from umpire.engine.rulings import Reason
from umpire.engine.steps import Outcome
from umpire.games.aos.profiles import Warscroll
from umpire.games.aos.state import Lore, State, Unit, Use
from umpire.text import Text

AosBattle = Battle[State]
T = TypeVar("T")
O = TypeVar("O")  # noqa: E741 - whoever owns abilities


Objections = Callable[[State, Unit], Iterator[Reason]]


def _nothing_against(state: State, unit: Unit) -> Iterator[Reason]:
    return iter(())


def _no_declaration(battle: AosBattle, use: Use) -> bool:
    return True


def _no_effect(battle: AosBattle, use: Use) -> None:
    pass


def _not_vain(state: State, unit: Unit) -> bool:
    return False


def _never(state: State, use: Use, unit: Unit) -> bool:
    return False


Deed = Callable[[AosBattle, Use], Outcome[None]]


@dataclass(frozen=True, eq=False)
class Ability:
    """What an ability is. `phase` and `whose` are its timing; a reaction has a `trigger` instead.

    `eligible` objects to units that may not use it, `declare` carries out its declare instructions (False: it comes to
    nothing), `effect` resolves it. `per` and `army` say how often; `again` lifts the once a phase of the Rules of One.
    """

    id: str
    rule: str
    phase: str = ""
    whose: str = "your"
    keywords: tuple[str, ...] = ()
    cost: int = 0
    per: str = ""
    army: bool = False
    by_player: bool = False
    again: bool = False
    rules: tuple[str, ...] = ()
    name: dict[str, str] | None = None
    eligible: Objections = _nothing_against
    could: Callable[[Unit], bool] | None = None
    """At a glance: could such a unit use it at all? To whom this says no, `eligible` objects by a rule."""
    player: Callable[[State, int], Iterator[Reason]] | None = None
    declare: Callable[[AosBattle, Use], Outcome[bool]] = _no_declaration
    effect: Deed = _no_effect
    trigger: Callable[[State, Use, Unit], bool] = _never
    """For a reaction: may this unit react to that ability being used?"""
    vain: Callable[[State, Unit], bool] = _not_vain
    """Would it surely come to nothing?"""
    data: Any = field(default=None)

    @property
    def command(self) -> bool:
        return self.cost > 0

    @property
    def reaction(self) -> bool:
        return self.trigger is not _never

    def has(self, keyword: str) -> bool:
        return keyword in self.keywords


class Table:
    """The abilities that a book gives to everybody."""

    def __init__(self) -> None:
        self._all: dict[str, Ability] = {}
        self._at: dict[str, list[Ability]] = {}

    def add(self, ability: Ability) -> Ability:
        assert ability.id not in self._all, f"two abilities are called {ability.id}"
        self._all[ability.id] = ability
        self._at.setdefault(ability.phase, []).append(ability)
        return ability

    def get(self, key: str) -> Ability | None:
        return self._all.get(key)

    def all(self) -> Iterator[Ability]:
        return iter(self._all.values())

    def at(self, state: State, phase: str) -> Sequence[Ability]:
        """What may be used at a moment; the abilities of rules that are switched off are gone."""
        found = self._at.get(phase, ())
        return [a for a in found if a.rule not in state.without] if state.without else found


CORE = Table()
"""The abilities that the rules give to every unit, or to every player."""


REACTION = ""
"""Under which the table keeps abilities that answer others: they have no phase."""


def effect_of(ability: Ability) -> Callable[[Deed], Deed]:
    """An ability that the rules give to all, by what it does."""

    def add(effect: Deed) -> Deed:
        CORE.add(replace(ability, effect=effect))
        return effect

    return add


def core(key: str) -> Ability:
    found = CORE.get(key)
    assert found is not None
    return found


class Owned(Generic[O, T]):
    """Abilities made of data, or what follows from the data alone, for as long as they are in use.

    They are kept by the very object that holds the data, not by any name in it, so two battles whose data bear the
    same names never see each other's. Forks of a battle share their frozen data and so what was made of them.
    """

    def __init__(self, make: Callable[[O], T], most: int = 2048) -> None:
        self._make = make
        self._most = most
        self._made: dict[int, tuple[O, T]] = {}

    def of(self, owner: O) -> T:
        entry = self._made.get(id(owner))
        if entry is not None and entry[0] is owner:
            return entry[1]
        if len(self._made) >= self._most:
            self._made.clear()
        made = self._make(owner)
        self._made[id(owner)] = (owner, made)
        return made


def _of_scroll(scroll: Warscroll) -> dict[str, Ability]:
    from umpire.games.aos.primitives import make_ability

    keys = {f"{scroll.id}.{data.id}": data for data in scroll.abilities if not data.passive}
    return {key: make_ability(key, data) for key, data in keys.items()}


def _of_lore(lore: Lore) -> dict[str, Ability]:
    from umpire.games.aos.primitives import make_ability

    return {key: make_ability(key, data) for key, data in lore.abilities.items() if not data.passive}


Abilities = dict[str, Ability]


SCROLLS: Owned[Warscroll, Abilities] = Owned(_of_scroll)


LORES: Owned[Lore, Abilities] = Owned(_of_lore)


AT_HAND: Owned[Warscroll, dict[Any, tuple[Abilities, tuple[Ability, ...]]]] = Owned(lambda scroll: {})
"""What units with a warscroll may use in a phase, and the lore by which that was found."""


MOST = 256


def find(state: State, key: str, who: str = "") -> Ability | None:
    """An ability by its id: of the rules, of a unit's warscroll, or of what the armies of this battle have brought."""
    found = CORE.get(key)
    if found is None and who in state.units:
        found = SCROLLS.of(state.units[who].profile).get(key)
    return found if found is not None else LORES.of(state.lore).get(key)


def used(state: State, use: Use) -> Ability:
    """The ability that is being used."""
    found = find(state, use.ability, use.unit)
    assert found is not None
    return found


def own_abilities(state: State, unit: Unit, phase: str | None = None) -> tuple[Ability, ...]:
    """What its warscroll, its enhancements, its army's formation and its lores let a unit use besides what all may, in
    a phase or in any: no battle changes that. Reactions are found under their own (`REACTION`)."""
    side, scroll, lore = state.sides[unit.side], unit.profile, LORES.of(state.lore)
    more = unit.enhancements
    if unit.id == side.general:
        more = (*more, side.formation)
    if scroll.wizard or scroll.priest:
        more = (*more, *(side.spells if scroll.wizard else ()), *(side.prayers if scroll.priest else ()), *side.summons)
    memo, key = AT_HAND.of(scroll), (phase, more, state.without)
    found = memo.get(key)
    if found is None or found[0] is not lore:
        if len(memo) >= MOST:  # house rules and lists are as many as people think of
            memo.clear()
        every = (*SCROLLS.of(scroll).values(), *(lore[name] for name in more if name in lore))
        known = (ability for ability in every if phase in (None, ability.phase) and state.applies(ability.rule))
        found = memo[key] = (lore, tuple(known))
    return found[1]


def of_others(state: State, key: str) -> Ability | None:
    """An ability that another unit of this battle has."""
    found = (SCROLLS.of(unit.profile).get(key) for unit in state.units.values())
    return next((ability for ability in found if ability is not None), None)


def is_spell(key: str) -> bool:
    """Is this a spell or prayer of an army that is not here?"""
    from umpire.games.aos import content

    found = (own[key] for own in content.brought().values() if key in own)
    return any(data.spell or data.prayer for data in found)


def title(ability: Ability) -> Any:
    """What people call it."""
    return ability.name or Text(f"ability.{ability.id}")
