"""A desk: the battles of one worker process, and what can be asked of them. No network and no storage here.

Whatever is sent to a player is made by `engine.view`, so nothing hidden is ever encoded for the wrong seat. Results
that go to clients leave as JSON bytes: the server process passes them on without looking inside.
"""

from __future__ import annotations

import sys
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from umpire.engine.ahead import Follows, after, ahead
from umpire.engine.battle import Battle
from umpire.engine.beginning import begin
from umpire.engine.dice import fair
from umpire.engine.game import Setup, find_game, games
from umpire.engine.opening import check_without
from umpire.engine.rng import Rng, seed_of
from umpire.engine.rulings import Refused, Ruling
from umpire.engine.snapshots import snapshot
from umpire.engine.view import decision_wire, localise, views, weighed
from umpire.errors import fault
from umpire.server.armies import armies_of, library_of, menu, rosters
from umpire.server.bounds import bounded, short
from umpire.server.computer import at_once, rehearse
from umpire.server.lab import Labs, about, collection, written
from umpire.server.lab import puzzle as find_puzzle
from umpire.server.measuring import measure
from umpire.server.places import Given, Place, restored
from umpire.server.problems import NotHere, bad_message, forbidden, from_outside, read_only, stale
from umpire.server.replays import Replays, rewound, taken_up
from umpire.text import Names, joined

encode = msgspec.json.encode
REASONS = 60
"""So many reasons of a ruling are told."""
ANSWER_LONG = 2000
"""No list of an answer is longer."""
LOOKING = 0.15
"""So many seconds of processor time it is looked ahead, at most: it is a help, and others wait meanwhile. Well below
what a request may take, for one option more is looked at to its end."""
VIEW_LIMIT = 6 * 1024 * 1024
"""A table whose view is larger cannot be set up."""
FOLLOWED = 64
"""So many battles a thinking process remembers, to be told only what is new."""


class Desk:
    """The operations a worker carries out, by name; each takes and returns plain data."""

    def __init__(self) -> None:
        self._places: OrderedDict[str, Place] = OrderedDict()
        self._replays = Replays()
        self._labs = Labs()

    def _place(self, table: str) -> Place:
        try:
            return self._places[table]
        except KeyError:
            raise NotHere(table) from None

    def ready(self) -> None:
        """Load the game of a first battle while its page is on its way."""
        self.know(games()[0])

    def know(self, game: str) -> None:
        """Load a game: what every process does once is not counted as the time of a table."""
        find_game(game)  # which may be one that does not exist
        try:
            rehearse(game, 0)
        except Exception as error:  # whoever wants a table of it is told
            print(f"{game}: {error}", file=sys.stderr)

    def warm(self, step: int, answers: int) -> bool:
        """Have the geometry compiled or read from its cache, and the games loaded, before anybody waits for it: one
        step at a time, so that nobody waits for this either. Computers play so many `answers` of each game. Is there
        more to do?"""
        from umpire.space.packs import kernel
        from umpire.space.warm import KERNELS

        names = games()
        if step < len(KERNELS):
            kernel(KERNELS[step])
        else:
            game = names[step - len(KERNELS)]
            try:
                rehearse(game, answers)
            except Exception as error:  # one game that does not load must not hide the others
                print(f"{game}: {error}", file=sys.stderr)
        return step + 1 < len(KERNELS) + len(names)

    # -- setting up ----------------------------------------------------------------------------------------------

    def games(self) -> bytes:
        """The games that can be played, with their menus."""
        menus = []
        for name in games():
            try:
                menus.append(menu(find_game(name)))
            except Exception as error:  # one game that does not load must not hide the others
                print(f"{name}: {error}", file=sys.stderr)
        return encode(menus)

    def names(self, game: str) -> bytes:
        return encode(find_game(game).names)

    def prepare(
        self,
        game: str,
        seed: int,
        scenario: Any,
        options: dict[str, Any],
        armies: Sequence[Any],
        dice: str = "seed",
        without: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Spell a wish out: rosters from the library, random ones mustered, everything checked by the game."""
        spec = find_game(game)
        bounded({"scenario": scenario, "options": options, "armies": list(armies)})
        with from_outside("server.cannot-be-set-up"):
            setup = Setup(
                game=game,
                seed=seed,
                sides=rosters(spec, seed, options, armies),
                scenario=None if scenario == "random" else scenario,
                options=options,
                dice=dice,
                without=list(without),
            )
            check_without(game, setup.without)
            setup = spec.resolve(setup, Rng(seed_of("muster", game, seed)))
            listed = {army["id"]: encode(army["name"]) for army in library_of(spec.id).get("armies", ())}
            battle = begin(setup)
            _seen_by_all(battle)
            named = zip(armies, armies_of(battle), strict=True)
            names = [listed.get(army, name) if isinstance(army, str) else name for army, name in named]
            return {"setup": encode(setup), "armies": names}

    def preview(self, table: str, setup: bytes, side: int | None, waiting: list[int]) -> bytes:
        """The table before the battle: what stands on it, and who has not come yet. Its dice will be others."""
        place = Place(begin(msgspec.json.decode(setup, type=Setup)))
        seen = views(place.battle, (side,), data=False)[0]
        return encode(seen | {"decisions": [], "waiting": waiting, "may_undo": False, "events": [], "outcome": None})

    def begin(
        self,
        table: str,
        setup: bytes,
        secret: str,
        luck: list[str],
        sides: list[int | None],
        hashes: list[str] | None = None,
        withheld: Sequence[int] = (),
    ) -> dict[str, Any]:
        """Start a battle with the dice that the server's secret and the players' luck make."""
        start = msgspec.json.decode(setup, type=Setup)
        start.fairness = fair(luck, secret, hashes, withheld)
        place = self._places[table] = Place(begin(start))
        return {"setup": encode(start), **self._standing(place), "views": place.views(sides, 0)}

    def load(
        self,
        table: str,
        setup: bytes,
        save: bytes | None,
        answers: Sequence[Given],
        resigned: int | None,
        stopped: dict[str, str] | None = None,
        why: str = "resigned",
    ) -> dict[str, Any]:
        """Go on with a battle: from its last checkpoint if that can still be read, else from its beginning. One that
        cannot be taken to its last answer stands at the last that can be carried out, and is only looked at."""
        battle, stuck = restored(setup, save, answers)
        place = self._places[table] = Place(battle, resigned, stuck or stopped, why)
        return self._standing(place)

    def forget(self, table: str) -> None:
        self.drop(table)

    def drop(self, table: str | None) -> None:
        """Nothing in memory about it is trusted any more."""
        self._places.pop(table or "", None)

    def _standing(self, place: Place) -> dict[str, Any]:
        battle = place.battle
        quiet = place.over or place.stopped is not None
        waiting = [] if quiet else [decision.side for decision in battle.decisions]
        prompts = {decision.side: decision.prompt.key for decision in battle.decisions}
        return {
            "answers": len(battle.answers),
            "waiting": waiting,
            "over": place.over,
            "stopped": place.stopped,
            "prompts": [prompts[side] for side in waiting],
        }

    def views(self, table: str, sides: list[int | None]) -> dict[str, Any]:
        place = self._place(table)
        return {**self._standing(place), "views": place.views(sides, 0)}

    # -- playing -------------------------------------------------------------------------------------------------

    def answer(
        self, table: str, side: int, n: int, answer: bytes, sides: list[int | None], anew: int = 0
    ) -> dict[str, Any]:
        """Carry an answer out; or the ruling that refuses it. What is kept is the answer as it was understood."""
        place = self._place(table)
        place.asked(side, n)
        wish = _json(answer)
        place.wished(wish)
        since = len(place.battle.events)
        try:
            self._carry_out(table, place, wish, side, anew)
        except Refused as refusal:
            return {"ruling": self._ruling(place, side, wish, refusal.ruling)}
        return {**self._standing(place), "views": place.views(sides, since), "answer": encode(wish)}

    def auto(self, table: str, side: int, turn: int, sides: list[int | None], anew: int = 0) -> dict[str, Any]:
        """A computer answers without thinking. `turn` counts its tries at this answer."""
        place = self._place(table)
        ask = place.asked(side)
        since = len(place.battle.events)
        answer = at_once(place.battle, side, ask, turn)
        self._carry_out(table, place, answer, side, anew)
        return {**self._standing(place), "views": place.views(sides, since), "answer": encode(answer)}

    def _carry_out(self, table: str, place: Place, answer: Any, side: int, anew: int = 0) -> None:
        try:
            place.battle.answer(answer, side, anew)
        except Refused:
            raise
        except BaseException:
            # The rules broke down half-way: what is in memory is worth nothing, what is stored is as it was.
            del self._places[table]
            raise
        place.moved_on()

    def undo(self, table: str, side: int, n: int, sides: list[int | None]) -> dict[str, Any]:
        place = self._place(table)
        if n != len(place.battle.answers):
            raise stale()
        if place.over or not place.battle.may_undo(side):
            raise forbidden("server.die-has-fallen-secret-out")
        return self.rewind(table, n - 1, sides)

    def takeback(self, table: str, side: int) -> int:
        """Before which answer a take-back leads: the side's own last one."""
        place = self._place(table)
        for number in range(len(place.battle.answers) - 1, -1, -1):
            if place.battle.answers[number].side == side:
                return number
        raise forbidden("server.you-have-not-decided-anything")

    def rewind(self, table: str, count: int, sides: list[int | None]) -> dict[str, Any]:
        """Go back to `count` answers; did dice fall since?"""
        place = self._place(table)
        if place.stopped is not None:
            raise read_only(place.stopped)
        rolled = place.battle.state.dice.rolled
        place.battle.undo(len(place.battle.answers) - count)
        place.moved_on()
        fell = place.battle.state.dice.rolled != rolled
        return {**self._standing(place), "views": place.views(sides, 0), "fell": fell}

    def resign(self, table: str, side: int, sides: list[int | None], why: str = "resigned") -> dict[str, Any]:
        place = self._place(table)
        if place.over:
            raise forbidden("server.battle-over")
        if place.stopped is not None:
            raise read_only(place.stopped)
        place.resigned, place.why = side, why
        place.moved_on()
        return {**self._standing(place), "views": place.views(sides, len(place.battle.events))}

    # -- asking --------------------------------------------------------------------------------------------------

    def _ruling(self, place: Place, side: int, wish: Any, ruling: Ruling) -> bytes:
        """The word on a wish, with all that a player wants to know of it before it is given."""
        told = weighed(place.battle, side, wish, ruling, place.known(side))
        told["reasons"] = told["reasons"][:REASONS]
        for reason in told["reasons"]:
            reason["text"] = {lang: short(text) for lang, text in reason["text"].items()}
        return encode(told)

    def check(self, table: str, side: int, n: int, answer: bytes, first: Sequence[bytes] = ()) -> bytes:
        place = self._place(table)
        wish = _json(answer)
        place.asked(side, n)
        if first:
            trial = after(place.battle, side, [_json(one) for one in first])
            if trial is None:
                raise forbidden("server.die-has-fallen-secret-out")
            place = Place(trial)
            return self._ruling(place, side, wish, place.asked(side).check(wish))
        place.wished(wish)
        return self._ruling(place, side, wish, place.asked(side, n).check(wish))

    def reach(self, table: str, side: int, n: int) -> bytes:
        place = self._place(table)
        return encode(localise(place.asked(side, n).reach(), place.battle.game.id, place.names(side)))

    def suggest(self, table: str, side: int, n: int) -> bytes:
        return encode(self._place(table).asked(side, n).suggest())

    def ahead(self, table: str, side: int, n: int) -> bytes:
        """What the options of the open question would lead to, as far as that is found in a moment."""
        place = self._place(table)
        place.asked(side, n)
        until = time.process_time() + LOOKING
        found = {}
        for option, follows in ahead(place.battle, side, enough=lambda: time.process_time() > until):
            if follows is not None:
                found[option] = _followed(follows, place.battle.game.id, place.names(side))
        return encode(found)

    def measure(self, table: str, side: int | None, start: Any, end: Any) -> bytes:
        place = self._place(table)
        battle = place.battle
        return encode(measure(battle.game, place.known(side), place.picture(side), start, end, place.names(side)))

    # -- keeping and telling -------------------------------------------------------------------------------------

    def save(self, table: str) -> dict[str, Any]:
        battle = self._place(table).battle
        return {"answers": len(battle.answers), "data": battle.save()}

    def summary(self, table: str) -> bytes:
        place = self._place(table)
        battle = place.battle
        picture = localise(place.picture(None), battle.game.id, place.names(None))
        return encode({"scenario": picture["scenario"], "track": picture["track"], "outcome": place.outcome()})

    def record(self, table: str) -> bytes:
        place = self._place(table)
        if not place.over:
            raise forbidden("server.record-given-out-after-battle")
        return place.battle.record.encode()

    # -- replays -------------------------------------------------------------------------------------------------

    def replay(self, replay: str, text: bytes | None) -> bytes:
        return encode(self._replays.open(replay, text))

    def frames(self, replay: str, text: bytes | None, start: int, stop: int) -> bytes:
        return b'{"frames":[%s]}' % b",".join(self._replays.frames(replay, text, start, stop))

    def verify(self, replay: str, text: bytes | None) -> bytes:
        return encode(self._replays.verify(replay, text))

    def story(self, replay: str, text: bytes | None) -> bytes:
        return encode(self._replays.story(replay, text))

    def take_up(self, replay: str, text: bytes | None, at: int) -> dict[str, Any]:
        whole = self._replays.battle(replay, text)
        return {**taken_up(whole, at), "armies": armies_of(whole)}

    # -- the rules lab -------------------------------------------------------------------------------------------

    def lab(self, text: str) -> bytes:
        return encode(self._labs.look(text))

    def lab_ask(self, text: str, question: bytes, side: int | None) -> bytes:
        with from_outside("server.lab.cannot-be-asked"):
            return encode(self._labs.ask(text, _json(question), side))

    def lab_table(self, text: str, seed: int) -> dict[str, Any]:
        """What a new table needs to go on from the end of a scene."""
        battle = self._labs.take_up(text, seed)
        _seen_by_all(battle)
        return {**taken_up(battle, len(battle.answers)), "armies": armies_of(battle)}

    def lab_game(self, game: str) -> bytes:
        return encode(about(game))

    def puzzles(self) -> bytes:
        return encode(collection())

    def puzzle(self, puzzle: str) -> bytes:
        return encode(find_puzzle(puzzle))

    def scene(self, table: str, side: int | None, seed: int) -> bytes:
        """This moment of a battle as a scene: all of it once the battle is over, else what the side may know."""
        place = self._place(table)
        if side is None and not place.over:
            raise forbidden("server.lab.only-seats")
        return self._snapshot(place.battle, None if place.over else side, seed)

    def replay_scene(self, replay: str, text: bytes | None, at: int, seed: int) -> bytes:
        whole = self._replays.battle(replay, text)
        if at > len(whole.answers):
            raise fault("server.there-no-frame", at=at)
        return self._snapshot(rewound(whole, at), None, seed)

    def _snapshot(self, battle: Battle[Any], side: int | None, seed: int) -> bytes:
        told = localise(battle.game.picture(battle.state).track, battle.game.id, lambda key: None)
        title = joined([battle.game.names, *told])
        return encode({"scene": written(snapshot(battle, side, seed), title)})

    # -- thinking (in processes of their own) ----------------------------------------------------------------------

    def think(
        self, table: str, side: int, level: str, budget: float, until: float, since: int, told: Any
    ) -> dict[str, Any]:
        """What a computer player answers, after `budget` seconds, and before the clock (`time.monotonic`) shows
        `until`. `told` is the whole table, or the answers after the first `since`."""
        if isinstance(told, Mapping):
            battle, stuck = restored(**told)
            place = self._places[table] = Place(battle, stopped=stuck)
            if len(self._places) > FOLLOWED:
                self._places.popitem(last=False)
        else:
            place = self._place(table)
            if len(place.battle.answers) != since:
                raise NotHere(table)
            for who, answer, anew in told:
                self._carry_out(table, place, msgspec.json.decode(answer), who, anew)
        self._places.move_to_end(table)
        budget = max(0.0, min(budget, until - time.monotonic()))
        choice = place.computers.choose(place.battle, side, place.asked(side), level, budget)
        if choice.spare:
            del self._places[table]
        return {"answer": encode(choice.answer), "text": choice.text}


def _followed(follows: Follows, game: str, names: Names) -> dict[str, Any]:
    then = {option: _followed(next_one, game, names) for option, next_one in follows.then.items()}
    return {"ask": decision_wire(follows.ask, game, names), "then": then}


def _json(raw: bytes) -> Any:
    try:
        value = msgspec.json.decode(raw)
        encode(value)  # a number too large to be kept must not become part of a battle
    except (msgspec.DecodeError, OverflowError, RecursionError, UnicodeError) as error:
        raise bad_message(str(error)[:200]) from None
    bounded(value, "answer", long=ANSWER_LONG)
    return value


def _seen_by_all(battle: Battle[Any]) -> None:
    """A table that cannot be shown to everybody cannot be joined: better now than then."""
    for seen in views(battle, (0, 1, None), data=False):
        if len(encode(seen)) > VIEW_LIMIT:
            raise fault("server.table-would-be-more-than", view_limit=VIEW_LIMIT)
