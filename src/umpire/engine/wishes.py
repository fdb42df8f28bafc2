"""Why not? Any deed by any piece at any moment can be put to the umpire, whether it is asked for or not.

A game lists its `Deed`s (`Game.deeds`): each says what a wish must name (who, whom, what with) and yields every reason
against it, the moment included, with the measured facts. Nothing is carried out, and what no rule is against is
answered with "nothing". The reasons are those that the game's own questions are made from: a deed writes no rule anew.

```python
battle.why_not(0, Wish(deed="charge", who="a3", whom=("b1",)))     # a Ruling
battle.why_not(0, {"deed": "cast", "who": "a1", "using": "fireball", "whom": ["b1"]})
battle.why_not(1, {"deed": "answer", "answer": "pass"})            # an answer, open question or not
```

What no rule is against and dice decide comes with its odds: the answers that would do it are given in a fork
(`Deed.follow`), and the last of them that leaves something to chance is told as `battle.odds` tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import msgspec

from umpire import files
from umpire.engine.decisions import Choose, ChooseSeveral, Decision, Json, Move, Mover
from umpire.engine.dice import OutOfDice
from umpire.engine.rulings import LEGAL, Reason, Ruling, ruled, standing
from umpire.errors import UmpireError, fault, unknown

if TYPE_CHECKING:
    from umpire.engine.battle import Battle

T = TypeVar("T")

Part = Literal["who", "whom", "using", "answer"]


class Wish(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What somebody would like to do."""

    deed: str
    """One of the game's deeds (`Game.deeds`), or `answer`: an answer to what is asked."""
    who: str = ""
    """The unit, fighter or model that does it."""
    whom: tuple[str, ...] = ()
    """The targets, in the order in which they are named."""
    using: str = ""
    """A weapon, a spell, an ability, a command, a stratagem."""
    answer: Any = None
    """How it is done, in the form in which the game asks for it: a path, a place, shares."""


Objections = Callable[["Battle[Any]", int, Wish], Iterable[Reason]]


Follow = Callable[[Any, Decision, Wish], Json]
"""The answer to a question by which a wish is followed, from the state; None where the question is none on its way."""


@dataclass(frozen=True, kw_only=True)
class Deed:
    """A deed that can be wished for. Its name and what it is stand in the catalogue (`deed.<id>`)."""

    objections: Objections
    """Every reason why this side may not do it now; of rules that are switched off the engine lets go."""
    needs: tuple[Part, ...] = ()
    """What a wish must name."""
    may: tuple[Part, ...] = ()
    """What it may name besides."""
    known: Callable[[Battle[Any]], Iterable[str]] | None = None
    """What `using` may name in this battle, where the game can tell."""
    uses: Callable[[Battle[Any], str], Mapping[str, Any]] | None = None
    """What `using` may name when this piece does it (or, for what an army does, anybody), and what people call that."""
    follow: Mapping[str, Follow] = field(default_factory=dict)
    """By its prompt, how a question is answered to do it: the odds of a wish are those of the last such answer that
    leaves something to chance."""
    doing: str = ""
    """The prompt of the question to whom it is done, which is asked of somebody who is at it already: a wish is then
    judged as the answer."""
    order: str = ""
    """The rule by which one piece is dealt with after the other: nobody begins this while another is in the midst of
    something. Reactions have none."""


MOST_STEPS = 6
"""No deed takes more answers to come to its dice."""


class Asked(NamedTuple):
    """Which deed the options of a question are: the parts of a wish that an option names, in order, with colons between
    them (`deed` too, where options of one question are different deeds); `about`: who does it is who is asked about."""

    deed: str = ""
    parts: tuple[str, ...] = ("who",)
    about: bool = False


def wish_of(asked: Asked | None, about: str, option: str) -> Wish | None:
    """An option that is not offered, as a wish; None where it is none."""
    if asked is None:
        return None
    named = option.split(":", len(asked.parts) - 1)
    if len(named) != len(asked.parts) or not all(named):
        return None
    told = {"deed": asked.deed, **dict(zip(asked.parts, named, strict=True))}
    whom = (told.pop("whom"),) if "whom" in told else ()
    return Wish(**{"who": about, **told} if asked.about else told, whom=whom)


def way(mover: Mover[Any], wish: Wish, rule: str) -> Iterator[Reason]:
    """What stands against the way that is wished for, its form included."""
    if wish.answer is not None:
        yield from Move(0, "wish", mover, None, rule).against(wish.answer)


def read(wish: Wish | Mapping[str, Any], where: str = "wish") -> Wish:
    return wish if isinstance(wish, Wish) else files.convert(dict(wish), Wish, where)


def judge(
    battle: Battle[Any], side: int, given: Wish | Mapping[str, Any], where: str = "wish", answering: bool = False
) -> Ruling:
    """Everything that stands against a wish at this moment; `answering`: the open question, which does not offer it, is
    not asked once more."""
    wish = read(given, where)
    if wish.deed == "answer":
        return _answer(battle, side, wish)
    deeds = battle.game.deeds
    deed = deeds.get(wish.deed)
    if deed is None:
        raise unknown("deed", wish.deed, f"{where}.deed", ["answer", *deeds])
    battle = battle.as_described()
    _complete(battle, wish, deed, where)
    ask = battle.decision_for(side)
    if ask is not None and deed.doing == ask.prompt.key and ask.about == wish.who and not answering:
        answer = deed.follow[deed.doing](battle.state, ask, wish)
        return LEGAL if answer is None else ask.check(answer)
    try:
        found = [*_under_way(battle, wish, deed), *deed.objections(battle, side, wish)]
    except UmpireError as error:  # games know nothing of where a wish is written
        field = error.where.removeprefix("wish.")
        raise UmpireError(error.text or error.what, f"{where}.{field}") if field != error.where else error from None
    return ruled(list(standing(battle.state, found)))


def _under_way(battle: Battle[Any], wish: Wish, deed: Deed) -> Iterator[Reason]:
    """Whoever is asked how one piece goes on has not come to the next. Before the first answer a scene only describes
    its moment, and nobody has begun anything."""
    busy = next((ask.about for ask in battle.decisions if ask.about), "") if battle.answers else ""
    if deed.order and busy and busy != wish.who:
        yield Reason(deed.order, "reason.wish.under-way", {"who": busy})


def odds(battle: Battle[Any], side: int, given: Wish | Mapping[str, Any]) -> dict[str, Any] | None:
    """What a legal wish would probably bring; None where nothing is left to chance, or nobody is asked for it now."""
    wish = read(given)
    if wish.deed == "answer":
        return battle.odds(wish.answer, side) if battle.decision_for(side) is not None else None
    follow = battle.game.deeds[wish.deed].follow
    ahead, found = battle.fork() if follow else battle, None
    for _ in range(MOST_STEPS):
        ask = ahead.decision_for(side)
        if ask is None or ask.prompt.key not in follow:
            break
        answer = follow[ask.prompt.key](ahead.state, ask, wish)
        if answer is None or not ask.check(answer).legal:
            break
        found = ahead.odds(answer, side) or found
        thrown = ahead.state.dice.rolled
        try:
            ahead.answer(answer, side)
        except OutOfDice:  # nothing is carried out, so a wish wants no dice of the script
            break
        if ahead.state.dice.rolled != thrown:
            break
    return found


def named(ask: Decision, *wanted: str) -> str | None:
    """The first of these that a question offers."""
    options = ask.options if isinstance(ask, Choose | ChooseSeveral) else {}
    return next((key for key in wanted if key in options), None)


def doer(state: Any, ask: Decision, wish: Wish) -> Json:
    """Whoever does it, where it is asked who."""
    return named(ask, wish.who)


def means(state: Any, ask: Decision, wish: Wish) -> Json:
    """What it is done with, where that is asked."""
    return named(ask, wish.using)


def targets(state: Any, ask: Decision, wish: Wish) -> Json:
    """The targets that are wished for, if any: one, or several where several are chosen."""
    if not wish.whom:
        return None
    return list(wish.whom) if isinstance(ask, ChooseSeveral) else wish.whom[0]


def _complete(battle: Battle[Any], wish: Wish, deed: Deed, where: str) -> None:
    """A wish names all that its deed needs, and only what it knows; pieces that it names exist."""
    for part in ("who", "whom", "using", "answer"):
        named = getattr(wish, part) not in ("", (), None)
        if part in deed.needs and not named:
            raise fault("error.wish.needs", f"{where}.{part}", deed=wish.deed, part=part)
        if named and part not in (*deed.needs, *deed.may):
            raise fault("error.wish.extra", f"{where}.{part}", deed=wish.deed, part=part)
    for part, keys in (("who", (wish.who,) if wish.who else ()), ("whom", wish.whom)):
        for key in keys:
            if not _exists(battle, key):
                raise unknown("unit", key, f"{where}.{part}")


def wished(kind: str, key: str, known: Mapping[str, T], part: str) -> T:
    """The piece that a part of a wish names."""
    if key not in known:
        raise unknown(kind, key, f"wish.{part}", known)
    return known[key]


def _exists(battle: Battle[Any], key: str) -> bool:
    if battle.game.name(battle.state, key) is not None:
        return True
    return any(key in (piece.id, piece.unit) for piece in battle.game.laid(battle.state).pieces)


def _answer(battle: Battle[Any], side: int, wish: Wish) -> Ruling:
    """An answer to the open question; where that is another side's, its rule says whose turn it is."""
    ask = battle.decision_for(side)
    if ask is not None:
        return ask.check(wish.answer)
    others = battle.decisions
    if not others:
        return ruled([Reason("", "reason.wish.over")])
    rule = others[0].rules[0] if others[0].rules else ""
    return ruled([Reason(rule, "reason.wish.not-asked", {"player": f"side.{others[0].side}"})])
