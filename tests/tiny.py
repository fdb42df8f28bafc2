"""A tiny made-up skirmish game that proves the engine: pawns on a field, a secret bid, moves, blows and parries."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from umpire.engine import effects, usage
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Move, Option, Order, Place, Split
from umpire.engine.effects import Effect
from umpire.engine.events import Outcome
from umpire.engine.game import Game, Setup, register
from umpire.engine.picture import Picture, Piece, Shape
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.state import State as BaseState
from umpire.engine.steps import Steps, step
from umpire.engine.windows import window
from umpire.engine.wishes import Deed, Wish
from umpire.errors import UmpireError
from umpire.rulebook import add_ledger

REACH = 3.0
STRIDE = 4.0


class Pawn(msgspec.Struct, gc=False):
    id: str
    side: int
    x: float
    y: float
    wounds: int = 3
    acted: bool = False
    placed: bool = True
    z: float = 0.0
    facing: float = 0.0
    height: float = 1.0
    base: tuple[float, float] = (1.0, 1.0)
    name: str = ""
    tags: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ("sword", "bow")
    trail: tuple[float, ...] = ()


class State(BaseState, kw_only=True):
    pawns: dict[str, Pawn]
    round: int = 0
    rounds: int = 3
    first: int = 0
    bids: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    coins: list[int] = msgspec.field(default_factory=lambda: [5, 5])

    def pawn(self, key: str) -> Pawn:
        return self.pawns[key]


class Scene(msgspec.Struct, forbid_unknown_fields=True):
    pawns: list[Pawn]
    first: int = 0
    rounds: int = 1


def dist(a: Pawn, b: Pawn) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def alive(state: State, side: int) -> list[Pawn]:
    return [p for p in state.pawns.values() if p.side == side and p.wounds > 0]


@step
def start_round(battle: Battle[State]) -> Steps[None]:
    state = battle.state
    state.round += 1
    usage.clear(state, "round")
    for pawn in state.pawns.values():
        pawn.acted = False
    bids = yield [
        Choose(side, "ask.bid", [str(n) for n in range(state.coins[side] + 1)], "tiny.bid") for side in (0, 1)
    ]
    for side in (0, 1):
        state.bids[side] = int(bids[side])
        battle.emit("bid", "tiny.bid", seen=(side,), side=side, bid=state.bids[side])
    battle.plan(open_bids)


@step
def open_bids(battle: Battle[State]) -> None:
    state = battle.state
    battle.reveal()
    a, b = state.bids
    if a == b:
        state.first = battle.roll(1, "tie", "tiny.tie").faces[0] % 2
    else:
        state.first = 0 if a > b else 1
    state.coins[0] -= a
    state.coins[1] -= b
    battle.emit("first", "tiny.first", side=state.first, bids=[a, b])
    state.bids = [0, 0]
    battle.push(turn, state.first)


@step
def turn(battle: Battle[State], side: int) -> Steps[None]:
    state = battle.state
    mine = [p for p in alive(state, side) if not p.acted]
    if not mine:
        if any(not p.acted for p in alive(state, 1 - side)):
            battle.push(turn, 1 - side)
        else:
            battle.push(end_round)
        return
    options = [Option(p.id, refs=(p.id,)) for p in mine]
    key = yield Choose(side, "ask.activate", options, "tiny.activate")
    battle.emit("activate", "tiny.activate", pawn=key)
    state.pawn(key).acted = True
    battle.plan((move, key), (strike, key), (turn, 1 - side))


@step
def move(battle: Battle[State], key: str) -> Steps[None]:
    pawn = battle.state.pawn(key)
    limit = effects.number(battle.state, key, "stride", STRIDE).total

    def judge(answer: Any) -> list[Reason]:
        if "path" not in answer or len(answer["path"]) != 1 or not {"x", "y"} <= set(answer["path"][0]):
            return [Reason("tiny.move", "reason.tiny.one-leg")]
        leg = answer["path"][0]
        reasons = []
        far = math.hypot(leg["x"] - pawn.x, leg["y"] - pawn.y)
        if far > limit + 0.0005:
            reasons.append(Reason("tiny.move", facts={"moved": round(far, 3), "allowed": limit}))
        if not (0 <= leg["x"] <= 20 and 0 <= leg["y"] <= 20):
            reasons.append(Reason("tiny.edge"))
        return reasons

    def propose(rng: Rng) -> Any:
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0, limit)
        x = min(20.0, max(0.0, pawn.x + far * math.cos(angle)))
        y = min(20.0, max(0.0, pawn.y + far * math.sin(angle)))
        return {"path": [{"x": round(x, 3), "y": round(y, 3)}]}

    stay = {"path": [{"x": pawn.x, "y": pawn.y}]}
    answer = yield Move(battle.state.pawn(key).side, "ask.move", judge, propose, "tiny.move", key, stay)
    leg = answer["path"][0]
    pawn.x, pawn.y = float(leg["x"]), float(leg["y"])
    pawn.trail = (*pawn.trail[-3:], pawn.x)
    battle.emit("moved", "tiny.move", pawn=key, x=pawn.x, y=pawn.y)


@step
def strike(battle: Battle[State], key: str) -> Steps[None]:
    state = battle.state
    pawn = state.pawn(key)
    targets = [p for p in alive(state, 1 - pawn.side) if dist(p, pawn) <= REACH]
    if not targets:
        return
    refuse = {p.id: [Reason("tiny.reach", facts={"gap": dist(p, pawn)})] for p in alive(state, 1 - pawn.side)}
    target = yield Choose(pawn.side, "ask.target", [p.id for p in targets], "tiny.strike", key, refuse)
    foe = state.pawn(target)

    def parries(side: int) -> list[Option]:
        return [] if usage.count(state, "parry", "round", side) else [Option("parry", rules=("tiny.parry",))]

    def parry(side: int, choice: str) -> Steps[None]:
        usage.spend(state, "parry", "round", side)
        effects.add(state, Effect(target, "armour", "add", 1, "tiny.parry", until="attack"))
        battle.emit("parry", "tiny.parry", pawn=target)
        return
        yield

    yield from window(battle, "ask.react", [foe.side], parries, parry, rules="tiny.parry", about=target, most=1)
    armour = effects.number(state, target, "armour", 3)
    roll = battle.roll(2, "strike", "tiny.strike", side=pawn.side, who=key, need=int(armour) + 1)
    if max(roll.faces) == 1 and (yield Confirm(pawn.side, "ask.reroll", "tiny.reroll", key)):
        roll = battle.reroll(roll, None, "tiny.reroll")
    hits = sum(face > armour.total for face in roll.faces)
    effects.end(state, "attack")
    if hits:
        battle.emit("hit", "tiny.strike", *armour.rules, pawn=key, target=target, hits=hits)
        share = yield Split(foe.side, "ask.split", hits, {"blood": (0, hits), "sweat": (0, hits)}, "tiny.split", target)
        foe.wounds -= share["blood"]


@step
def end_round(battle: Battle[State]) -> Steps[None]:
    state = battle.state
    scores = tuple(float(len(alive(state, side))) for side in (0, 1))
    if state.round >= state.rounds or 0.0 in scores:
        winner = None if scores[0] == scores[1] else int(scores[1] > scores[0])
        battle.finish(Outcome(winner, scores, ("tiny.end",)))
        return
    order = yield Order(state.first, "ask.order", ["red", "green", "blue"], "tiny.order")
    battle.emit("ordered", "tiny.order", order=order)
    spot = yield Place(
        state.first,
        "ask.flag",
        lambda a: [] if 0 <= a["x"] <= 20 and 0 <= a["y"] <= 20 and "models" not in a else [Reason("tiny.edge")],
        lambda rng: {"x": rng.uniform(0, 20), "y": rng.uniform(0, 20)},
        "tiny.flag",
    )
    battle.emit("flag", "tiny.flag", x=spot["x"], y=spot["y"])
    battle.push(start_round)


def resolve(setup: Setup, rng: Rng) -> Setup:
    while len(setup.sides) < 2:
        setup.sides.append({"pawns": rng.between(2, 5)})
    for i, side in enumerate(setup.sides):
        if not isinstance(side, dict) or not 1 <= side.get("pawns", 0) <= 200:
            raise UmpireError("a tiny army has 1 to 200 pawns", f"sides[{i}]")
    return setup


def start(setup: Setup) -> State:
    pawns = [
        Pawn(f"p{side}-{i}", side, float(i % 18 + 1), 7.0 + 6 * side + i // 18)
        for side in (0, 1)
        for i in range(setup.sides[side]["pawns"])
    ]
    state = State(pawns={p.id: p for p in pawns}, rounds=setup.options.get("rounds", 3))
    Battle_push(state, start_round)
    return state


def Battle_push(state: State, step_: Any, *args: Any) -> None:  # noqa: N802
    from umpire.engine.state import Task
    from umpire.engine.steps import step_name

    state.agenda.append(Task(step_name(step_), args))


def start_scene(scene: Scene) -> State:
    state = State(pawns={p.id: p for p in scene.pawns}, round=1, rounds=scene.rounds, first=scene.first)
    Battle_push(state, turn, scene.first)
    return state


def picture(state: State) -> Picture:
    disc = Shape("round", 1.0, 1.0)
    standing = [p for p in state.pawns.values() if p.wounds > 0]
    return Picture(20, 20, tuple(Piece(p.id, p.id, p.side, disc, p.x, p.y, wounds=p.wounds) for p in standing))


def hide(state: State, side: int) -> None:
    state.bids = [bid if who == side else 0 for who, bid in enumerate(state.bids)]


def scramble(state: State, side: int, rng: Rng) -> bool:
    others = [who for who in (0, 1) if who != side]
    for who in others:
        state.bids[who] += 1
    return True


def worth(state: State, side: int) -> float:
    """Wounds, and how near the side's own pawns stand to somebody whom they could strike."""
    mine, foes = alive(state, side), alive(state, 1 - side)
    near = sum(max(0.0, 20 - min(dist(pawn, foe) for foe in foes)) / 100 for pawn in mine if foes)
    return near + sum(pawn.wounds for pawn in mine) - sum(pawn.wounds for pawn in foes)


def strike_objections(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    pawn, foe = state.pawn(wish.who), state.pawn(wish.whom[0])
    if pawn.acted or pawn.side != side:
        yield Reason("tiny.activate", facts={"pawn": pawn.id})
    if dist(pawn, foe) > REACH:
        yield Reason("tiny.reach", facts={"gap": dist(pawn, foe)})


GAME = register(
    Game(
        id="tiny",
        names={"zh": "小棋", "en": "Tiny"},
        state=State,
        resolve=resolve,
        start=start,
        picture=picture,
        name=lambda state, key: None,
        hide=hide,
        scramble=scramble,
        worth=worth,
        scene=Scene,
        start_scene=start_scene,
        deeds={"strike": Deed(needs=("who", "whom"), objections=strike_objections)},
    )
)
add_ledger("tiny", Path(__file__).parent / "tiny_ledger")
