"""Setting up: standing wishes, armies by turns, who has the first turn (move.transport-one-drop)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from umpire.engine.decisions import Choose, ChooseSeveral, Option, Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.dice import DEFAULT_WISHES, REROLLABLE, WISHES, roll_off
from umpire.games.wh40k.ground import may_stand
from umpire.games.wh40k.measuring import on_board, overlap, settle, wholly_in
from umpire.games.wh40k.moving import Ends
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.turns import battle_round
from umpire.games.wh40k.units import coherent, moved_to, put, refresh
from umpire.space.angles import sin_cos
from umpire.space.shapes import snap
from umpire.text import Text

SPACING = 0.15
Allowed = Callable[[Model], Reason | None]


class Placer:
    """Judges where the models of a unit may be set up."""

    def __init__(self, state: State, unit: Unit, allowed: Allowed, rule: str) -> None:
        self.state = state
        self.unit = unit
        self.allowed = allowed
        self.rule = rule
        self.bodies = [m for u in state.units.values() if u.where == "table" and u.id != unit.id for m in u.models]
        self._answer: Any = None
        self._result: tuple[list[Reason], Ends] = ([], {})

    def judge(self, answer: Any) -> list[Reason]:
        return self.plan(answer)[0]

    def plan(self, answer: Any) -> tuple[list[Reason], Ends]:
        if self._answer is None or answer != self._answer:
            self._result = self._plan(answer)
            self._answer = answer
        return self._result

    def _plan(self, answer: Any) -> tuple[list[Reason], Ends]:
        models = self.unit.models
        if "models" in answer:
            wishes = answer["models"]
            if sorted(wishes) != sorted(m.id for m in models):
                return [Reason(self.rule, "reason.wh40k.all-models", {"unit": self.unit.id})], {}
            ends = [
                moved_to(m, snap(w["x"]), snap(w["y"]), 0.0, float(w.get("facing", 0.0)) % 360.0)
                for m in models
                for w in [wishes[m.id]]
            ]
        else:
            wide = answer.get("files", columns(len(models)))
            if type(wide) is not int or not 1 <= wide <= 60:
                return [Reason(self.rule, "reason.form.place")], {}
            ends = self.ranked(answer["x"], answer["y"], float(answer.get("facing", 0.0)) % 360.0, wide)
        return self.weigh(ends)

    def ranked(self, x: float, y: float, facing: float, wide: int) -> list[Model]:
        models = self.unit.models
        r = max(m.r for m in models)
        each = 2 * r + SPACING
        s, c = sin_cos(facing)
        ranks = math.ceil(len(models) / wide)
        out = []
        for k, m in enumerate(models):
            rank, file = divmod(k, wide)
            files = min(wide, len(models) - rank * wide)
            ox, oy = (file - (files - 1) / 2) * each, ((ranks - 1) / 2 - rank) * each
            out.append(moved_to(m, snap(x + ox * c + oy * s), snap(y + oy * c - ox * s), 0.0, facing))
        return out

    def weigh(self, ends: Sequence[Model]) -> tuple[list[Reason], Ends]:
        reasons: dict[str, Reason] = {}
        for n, end in enumerate(ends):
            why = self.spot(end, ends[:n])
            if why is not None:
                reasons.setdefault(why.key or why.rule, why)
        if not reasons and not coherent(ends):
            reasons["coherency"] = Reason("wh40k.unit.coherency-when", "", {"unit": self.unit.id})
        return list(reasons.values()), {end.id: end for end in ends}

    def spot(self, end: Model, placed: Sequence[Model]) -> Reason | None:
        if not on_board(end, self.state.width, self.state.depth):
            return Reason("wh40k.core.battlefield-edge", "", {"model": end.id})
        why = self.allowed(end) or may_stand(self.state, self.unit, end)
        if why is not None:
            return why
        for body in (*self.bodies, *placed):
            if overlap(end, body):
                return Reason("wh40k.move.no-ending-on-models", "", {"model": end.id, "other": body.id})
        return None

    def search(self, spots: Iterator[tuple[float, float]], facing: float) -> Any:
        """The first of some spots where the unit can be set up in ranks; None if there is none."""
        shapes = sorted({columns(len(self.unit.models)), max(1, math.isqrt(len(self.unit.models)))})
        for x, y in spots:
            for wide in shapes:
                answer: dict[str, Any] = {"x": round(x, 3), "y": round(y, 3), "facing": facing}
                if wide != columns(len(self.unit.models)):
                    answer["files"] = wide
                if not self.judge(answer):
                    return answer
        return None


def columns(count: int) -> int:
    if count <= 4:
        return count
    return math.ceil(count / 2) if count <= 12 else math.ceil(count / 3)


# -- the steps before the battle -----------------------------------------------------------------------------------


@step
def before_battle(battle: WhBattle) -> Steps[None]:
    """Standing wishes for Command Re-rolls, then territories, then armies by turns."""
    state = battle.state
    for feature in state.terrain:
        battle.emit("terrain", "wh40k.terrain.structure", "wh40k.terrain.area.footprint", feature=feature.id)
    answers = yield [wishes_of(side) for side in (0, 1)]
    for side in (0, 1):
        state.sides[side].wishes = tuple(answers[side])
    battle.push(zones)


def wishes_of(side: int) -> ChooseSeveral:
    """When a player wants to be asked for a Command Re-roll: of each kind of roll always, only if it failed, never."""
    options = [
        Option(f"{kind}:{when}", Text(f"wish.{when}", {"purpose": Text(f"purpose.{kind}")}))
        for kind in REROLLABLE
        for when in WISHES
    ]

    def judge(answer: Sequence[str]) -> list[Reason]:
        kinds = [wish.partition(":")[0] for wish in answer]
        if len(set(kinds)) < len(kinds):
            return [Reason("wh40k.stratagem.command-reroll", "reason.wh40k.one-wish")]
        return []

    def propose(rng: Rng) -> list[str]:
        if rng.below(2):
            return list(DEFAULT_WISHES)
        return [f"{kind}:{WISHES[rng.below(2)]}" for kind in REROLLABLE if rng.below(3) == 0]

    rule = "wh40k.stratagem.command-reroll"
    return ChooseSeveral(side, "ask.wishes", options, 0, None, rule, "", judge, propose, {"default": DEFAULT_WISHES})


@step
def zones(battle: WhBattle) -> Steps[None]:
    """The winner of a roll-off takes a deployment zone and sets up second; the loser begins."""
    state = battle.state
    winner = roll_off(battle)
    options = [Option("0", Text("option.zone-0")), Option("1", Text("option.zone-1"))]
    choice = yield Choose(winner, "ask.zone", options, "wh40k.dice.roll-off")
    state.sides[winner].zone = int(choice)
    state.sides[1 - winner].zone = 1 - int(choice)
    state.picker = 1 - winner
    battle.plan(deploy_next)


@step
def deploy_next(battle: WhBattle) -> Steps[None]:
    """By turns, a unit at a time, until all are set up."""
    state = battle.state
    waiting = [u for u in state.units.values() if u.where == "muster"]
    if not waiting:
        battle.push(first_turn)
        return
    side = state.picker
    mine = [u for u in waiting if u.side == side]
    if not mine:
        side = 1 - side
        mine = [u for u in waiting if u.side == side]
    key = mine[0].id
    if len(mine) > 1:
        options = [Option(u.id, None, (u.id,)) for u in mine]
        key = yield Choose(side, "ask.deploy-next", options, "wh40k.unit.coherency-when")
    state.picker = 1 - side
    battle.plan((deploy, key), deploy_next)


@step
def deploy(battle: WhBattle, key: str) -> Steps[None]:
    state = battle.state
    unit = state.unit(key)
    zone = state.mission.zones[state.sides[unit.side].zone]
    rule = "wh40k.unit.coherency-when"

    def allowed(end: Model) -> Reason | None:
        return None if wholly_in(end, zone) else Reason(rule, "reason.wh40k.not-in-zone", {"model": end.id})

    placer = Placer(state, unit, allowed, rule)
    facing = 0.0 if state.mission.edges[state.sides[unit.side].zone] == "near" else 180.0
    default = placer.search(spots_in(zone, Rng(len(state.units))), facing)
    if default is None:
        unit.where = "gone"
        battle.emit("no-room", "wh40k.unit.destroyed-otherwise", unit=key)
        return

    def propose(rng: Rng) -> Any:
        return placer.search(iter([next(spots_in(zone, rng)) for _ in range(4)]), facing)

    answer = yield Place(
        unit.side, Text("ask.deploy", {"unit": key}), placer.judge, propose, rule, key, default,
        data={"pieces": [m.id for m in unit.models]},
    )  # fmt: skip
    put(unit, placer.plan(answer)[1])
    unit.where = "table"
    refresh(unit)
    settle(state)
    battle.emit("deployed", rule, unit=key)


def spots_in(zone: Sequence[tuple[float, float]], rng: Rng) -> Iterator[tuple[float, float]]:
    """Points of a zone: some at random, then all of a grid."""
    xs, ys = [p[0] for p in zone], [p[1] for p in zone]
    for _ in range(20):
        yield rng.uniform(min(xs) + 1, max(xs) - 1), rng.uniform(min(ys) + 1, max(ys) - 1)
    for n in range(12):
        for k in range(24):
            yield min(xs) + (k + 0.5) * (max(xs) - min(xs)) / 24, min(ys) + (n + 0.5) * (max(ys) - min(ys)) / 12


@step
def first_turn(battle: WhBattle) -> None:
    """The winner of a roll-off has the first turn of every round."""
    state = battle.state
    state.first = roll_off(battle)
    battle.emit("first-turn", "wh40k.turn.battle-rounds", side=Text(f"side.{state.first}"))
    battle.push(battle_round)
