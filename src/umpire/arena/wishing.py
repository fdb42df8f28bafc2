"""Wishes that players might have, mostly illegal, put to the umpire: what forbids them has decided something.

Players that only pick from what is offered never hear a refusal, so a simulation also asks for what was offered at
another time, moves that go too far, places that are taken, deeds of others, lists that are too long. Nothing of it is
carried out.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Decision, Declare, Json, Order, Split
from umpire.engine.decisions.placing import Judged
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.wishes import Wish, judge
from umpire.errors import UmpireError

OFTEN = 3
"""One question in so many is answered with a wish first."""
REMEMBERED = 400
LISTS = 6
"""So many changed army lists of each side are put to the umpire."""
FAR = 9.0
NEAR = 2.5
WORDS = ("pass", "done", "no")
"""What somebody says who does not want to choose."""


class Wisher:
    """Puts wishes to one battle and counts the rules that refused them."""

    def __init__(self, seed: int) -> None:
        self.rng = Rng(seed)
        self.offered: dict[str, None] = {}
        self.asked: dict[str, dict[str, None]] = {}
        """What questions of one kind have offered so far."""
        self.pieces: dict[str, None] = {}
        self.refused: dict[str, int] = {}

    def wish(self, battle: Battle[Any], side: int, ask: Decision) -> None:
        """Perhaps put a wish to this question, or a deed that nobody asks for."""
        wanted = self.rng.below(OFTEN)
        if wanted == 1:
            self.deed(battle, side)
        if wanted:
            return
        if isinstance(ask, Choose | ChooseSeveral) and len(self.offered) < REMEMBERED:
            self.offered.update(dict.fromkeys(ask.options))
            self.asked.setdefault(ask.prompt.key, {}).update(dict.fromkeys(ask.options))
            for option in ask.options.values():
                self.pieces.update(dict.fromkeys(option.refs))
        answer = self.invent(ask)
        if answer is not None:
            self.count(ask.against(answer))

    def deed(self, battle: Battle[Any], side: int) -> None:
        """Any deed of anybody at this moment: what is against it would have been said to whoever asked."""
        rng = self.rng
        if not battle.game.deeds or not self.pieces:
            return
        pieces = list(self.pieces)
        name = rng.choice(list(battle.game.deeds))
        deed = battle.game.deeds[name]
        parts: dict[str, Any] = {}
        for part in (*deed.needs, *(p for p in deed.may if rng.below(2))):
            if part == "who":
                parts["who"] = rng.choice(pieces)
            elif part == "whom":
                parts["whom"] = tuple(rng.sample(pieces, 1))
            elif part == "using":
                known = list(deed.known(battle)) if deed.known else list(self.offered)
                if known:
                    parts["using"] = rng.choice(known)
        with contextlib.suppress(UmpireError):  # a wish that names nothing that there is
            self.count(judge(battle, side, Wish(deed=name, **parts)).reasons)

    def invent(self, ask: Decision) -> Json:
        rng = self.rng
        if isinstance(ask, Choose):
            if isinstance(ask.refuse, dict) and ask.refuse and rng.below(2):
                return rng.choice(list(ask.refuse))
            known = self.asked.get(ask.prompt.key, {}) if rng.below(3) else {**self.offered, **dict.fromkeys(WORDS)}
            others = [key for key in known if key not in ask.options]
            return rng.choice(others) if others else rng.choice(WORDS)
        if isinstance(ask, ChooseSeveral):
            options = list(ask.options)
            return rng.sample(options, rng.between(0, len(options)))
        if isinstance(ask, Order):
            return rng.shuffled(list(ask.options))
        if isinstance(ask, Split):
            return {part: rng.between(0, ask.total) for part in ask.parts}
        if isinstance(ask, Declare):
            return self.declaration(ask)
        if isinstance(ask, Judged):
            proposed = ask.propose(rng)
            if proposed is None:
                return None
            return scattered(ask, proposed, rng) or shaken(proposed, rng)
        return None

    def declaration(self, ask: Declare) -> Json:
        """Rows with what is offered to others, or was offered at another time."""
        rng = self.rng
        rows = list(ask.rows.values())
        if not rows:
            return None
        parts = []
        if rng.below(2):  # each row by itself is offered, but perhaps not all of them together
            for row in rng.sample(rows, rng.between(1, len(rows))):
                if all(row.choices.values()):
                    own = {name: rng.choice(list(options)).id for name, options in row.choices.items()}
                    parts.append(
                        {"row": row.id, "choose": own, "count": rng.between(1, row.count + (rng.below(8) == 0))}
                    )
            return parts
        for row in rng.sample(rows, rng.between(1, min(4, len(rows)))):
            choose = {}
            for name, options in row.choices.items():
                known = [option.id for other in rows for option in other.choices.get(name, ())]
                wanted = known or [option.id for option in options]
                other = [*self.offered, *self.pieces]
                choose[name] = rng.choice(other if other and rng.below(3) == 0 else wanted)
            parts.append({"row": row.id, "choose": choose, "count": rng.between(1, row.count)})
        return parts

    def lists(self, battle: Battle[Any]) -> None:
        """Army lists with something too much, too little or of somebody else's."""
        check = battle.game.check_roster
        sides = battle.setup.sides
        picture = battle.game.laid(battle.state)
        self.pieces.update((piece.id, None) for piece in picture.pieces)
        self.pieces.update((piece.id, None) for piece in picture.terrain)
        if check is None or not battle.game.roster or not all(isinstance(side, dict) for side in sides):
            return
        plain = [msgspec.json.decode(msgspec.json.encode(side)) for side in sides]
        for side, other in ((0, 1), (1, 0)):
            for _ in range(LISTS):
                changed = mistaken(plain[side], plain[other], self.rng)
                with contextlib.suppress(msgspec.ValidationError, UmpireError):
                    roster = msgspec.convert(changed, battle.game.roster)
                    self.count(check(roster, battle.setup.without).reasons)

    def count(self, reasons: Iterable[Reason]) -> None:
        for reason in reasons:
            if reason.rule and not reason.key.startswith("reason.form"):
                self.refused[reason.rule] = self.refused.get(reason.rule, 0) + 1


def scattered(ask: Judged, wish: Json, rng: Rng) -> Json:
    """One model of several goes its own way, or nobody moves; None where the question knows no such answers."""
    ways = ask.mover.form.ways
    if "stay" in ways and rng.below(8) == 0:
        return {"stay": True}
    if "models" not in ways or not ("to" in wish or "models" in wish) or rng.below(2):
        return None
    ends = getattr(ask.mover.plan(wish), "ends", None)
    if not isinstance(ends, dict) or len(ends) < 2:
        return None
    away = rng.choice(list(ends))
    models = {key: {"x": end.x, "y": end.y} for key, end in ends.items()}
    models[away] = {name: round(value + rng.uniform(-NEAR, NEAR), 3) for name, value in models[away].items()}
    return {"models": models}


def shaken(wish: Json, rng: Rng) -> Json:
    """The same answer with some of its numbers changed, by inches or by a share, or with its parts the wrong way
    round."""
    if isinstance(wish, dict):
        return {key: _number(key, value, rng) for key, value in wish.items()}
    if isinstance(wish, list):
        parts = [shaken(value, rng) for value in wish]
        return parts[::-1] if len(parts) > 1 and rng.below(4) == 0 else parts
    return _number("", wish, rng)


def _number(key: str, value: Json, rng: Rng) -> Json:
    if isinstance(value, dict | list):
        return shaken(value, rng)
    if type(value) not in (int, float) or rng.below(3) == 0:
        return value
    if key in ("x", "y"):
        far = FAR if rng.below(2) else NEAR
        return round(value + rng.uniform(-far, far), 3)
    if key == "facing" or not key:
        return round((value + rng.uniform(0, 360)) % 360, 3)
    scaled = value * rng.uniform(0.2, 2.5)
    return round(scaled) if type(value) is int else round(scaled, 3)


def mistaken(roster: Any, other: Any, rng: Rng) -> Any:
    """A list with one or two mistakes in it: an entry twice, one missing, a value of the other list, a flag turned."""
    for _ in range(rng.between(1, 2)):
        spots = list(_spots(roster, other))
        if not spots:
            break
        path, value, theirs = rng.choice(spots)
        roster = _with(roster, path, _mistake(value, theirs, rng))
    return roster


def _spots(mine: Any, theirs: Any, path: tuple[Any, ...] = ()) -> Iterable[tuple[tuple[Any, ...], Any, Any]]:
    """Every place in a list, and what stands there in the other, or in what comes before it."""
    if path:
        yield path, mine, theirs
    if isinstance(mine, dict):
        for key, value in mine.items():
            yield from _spots(value, theirs.get(key) if isinstance(theirs, dict) else None, (*path, key))
        if isinstance(theirs, dict):
            yield from (((*path, key), None, value) for key, value in theirs.items() if key not in mine)
    elif isinstance(mine, list):
        for at, value in enumerate(mine):
            near = theirs[at % len(theirs)] if isinstance(theirs, list) and theirs else None
            yield from _spots(value, near, (*path, at))
            beside = mine[at - 1]
            if isinstance(value, dict) and isinstance(beside, dict):
                yield from (((*path, at, key), value.get(key), beside[key]) for key in beside)


def _mistake(value: Any, theirs: Any, rng: Rng) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([0, value + 1, value * 2, value // 2])
    if isinstance(value, list):
        more: Sequence[Any] = theirs if isinstance(theirs, list) else ()
        at = rng.below(len(value) + 1)
        ways = [value[1:], value[::-1], value * 2, [*value, *more], [*value[:at], *value[at + 1 :]]]
        return rng.choice(ways) if value else list(more)
    if value is None:
        return theirs
    if isinstance(value, str) and rng.below(4) == 0:
        return f"{value}-2"
    return theirs if theirs is not None else value


def _with(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    first, *rest = path
    inner = _with(data[first], tuple(rest), value) if rest else value
    if isinstance(data, dict):
        return {**data, first: inner}
    return [inner if at == first else old for at, old in enumerate(data)]
