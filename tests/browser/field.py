"""A made-up drill for the browser's tests: every kind of question, on a table with everything that a table shows."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import (
    Choose,
    ChooseSeveral,
    Confirm,
    Decision,
    Face,
    Form,
    Held,
    Manner,
    Move,
    Option,
    Order,
    Place,
    Region,
    Route,
    Split,
    Stretch,
)
from umpire.engine.decisions import spot as spot_at
from umpire.engine.events import Outcome
from umpire.engine.game import Game, Setup, register
from umpire.engine.picture import (
    Arm,
    Block,
    Card,
    Marker,
    Picture,
    Piece,
    Purse,
    Shape,
    TerrainPiece,
    Value,
    Zone,
    facts,
)
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.state import State as BaseState
from umpire.engine.state import Task
from umpire.engine.steps import Steps, step, step_name
from umpire.rulebook import add_ledger
from umpire.text import Text, catalogue

WIDTH, DEPTH, STRIDE, ROUNDS = 30.0, 22.0, 5.0, 2
ICONS = ("crossed-swords", "chess-pawn", "flag-objective", "skull-crossed-bones")
NAMES = (("持剑者", "Swordbearer"), ("弓手", "Archer"), ("盾卫", "Shieldguard"), ("猎犬", "Hound"))
HOWS = tuple(Manner(how, Text(f"manner.{how}")) for how in ("walk", "fly"))
DISC = Shape("round", 1.26, 1.26)

catalogue("field").update(
    {
        key: {"zh": zh, "en": en}
        for key, zh, en in (
            ("manner.walk", "步行", "walk"),
            ("manner.fly", "飞行", "fly"),
            ("ask.place", "把{who}放到你的部署区", "Place {who} in your deployment zone"),
            ("ask.order", "排定三张密令的次序", "Put the three orders in sequence"),
            ("ask.activate", "选择一名战士来激活（还剩 {left} 名）", "Choose a fighter to activate ({left} left)"),
            ("ask.move", "移动{who}，最多 {far} 英寸", "Move {who}, up to {far} inches"),
            ("ask.face", "让{who}转向", "Turn {who}"),
            ("ask.target", "选择攻击目标", "Choose a target"),
            ("ask.reroll", "重掷未命中的骰子？", "Re-roll the misses?"),
            ("ask.split", "分配 {hits} 点伤害", "Divide {hits} points of damage"),
            ("ask.several", "选择一至两名战士警戒", "Choose one or two fighters to stand guard"),
            ("ask.bid", "暗中下注（对手看不见）", "Bid in secret (your opponent cannot see)"),
            ("event.placed", "{who}进入战场", "{who} enters the field"),
            ("event.moved", "{who}移动到 ({x}, {y})", "{who} moves to ({x}, {y})"),
            ("event.activate", "激活{who}", "{who} is activated"),
            ("event.hit", "{who}命中{target}，{hits} 次", "{who} hits {target} {hits} times"),
            ("event.round", "第 {round} 轮", "Round {round}"),
            ("event.bid", "你下注 {bid}", "You bid {bid}"),
            ("purpose.hit", "命中", "To hit"),
            ("card.a", "进攻", "Attack"),
            ("card.b", "坚守", "Hold"),
            ("card.c", "迂回", "Flank"),
            ("reason.field.distance", "移动了 {moved}″，只能 {allowed}″", "moved {moved}″ of {allowed}″"),
            ("reason.field.wings", "没有翅膀，不能飞", "has no wings to fly with"),
            ("reason.zone", "不在你的部署区内", "not inside your deployment zone"),
        )
    }
)


class Fighter(msgspec.Struct):
    id: str
    side: int
    kind: int
    x: float
    y: float
    z: float = 0.0
    facing: float = 0.0
    wounds: int = 10
    guard: bool = False
    done: bool = False
    away: bool = False


class State(BaseState, kw_only=True):
    fighters: list[Fighter]
    round: int = 0
    bids: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    score: list[float] = msgspec.field(default_factory=lambda: [0.0, 0.0])

    def fighter(self, key: str) -> Fighter:
        return next(f for f in self.fighters if f.id == key)


def alive(state: State, side: int) -> list[Fighter]:
    return [f for f in state.fighters if f.side == side and f.wounds > 0 and not f.away]


@step
def deploy(battle: Battle[State]) -> Steps[None]:
    late = battle.state.fighter("blue-3")

    def judge(answer: Any) -> list[Reason]:
        inside = 0 <= answer["x"] <= WIDTH and 0 <= answer["y"] <= 4
        return [] if inside else [Reason("field.deploy", "reason.zone")]

    zone = Region("reach", (((0, 0), (WIDTH, 0), (WIDTH, 4), (0, 4)),))
    spot = yield Place(
        0,
        Text("ask.place", {"who": late.id}),
        judge,
        lambda rng: {"x": round(rng.uniform(1, 29), 2), "y": 2.0},
        "field.deploy",
        late.id,
        nearest=lambda a: {"x": min(29.0, max(1.0, a["x"])), "y": min(4.0, max(0.0, a["y"]))},
        regions=lambda: [zone],
        form=Form(ways=("spot",), pieces=(late.id,), shapes={late.id: Held(DISC, 1.5, ICONS[late.kind])}),
    )
    late.away, late.x, late.y = False, float(spot["x"]), float(spot["y"])
    battle.emit("placed", "field.deploy", who=late.id)
    battle.push(start_round)


@step
def start_round(battle: Battle[State]) -> Steps[None]:
    state = battle.state
    state.round += 1
    for fighter in state.fighters:
        fighter.done = fighter.guard = False
    battle.emit("round", "field.core", round=state.round)
    bids = yield [Choose(side, "ask.bid", ["0", "1", "2"], "field.core") for side in (0, 1)]
    for side in (0, 1):
        state.bids[side] = int(bids[side])
        battle.emit("bid", "field.core", seen=(side,), side=side, bid=state.bids[side])
    cards = [Option(c, Text(f"card.{c}")) for c in "abc"]
    yield Order(0, "ask.order", cards, "field.core")
    battle.plan((turn, 0), (turn, 1), (guard, 0), end_round)


@step
def turn(battle: Battle[State], side: int) -> Steps[None]:
    state = battle.state
    mine = alive(state, side)
    options = [Option(f.id, refs=(f.id,)) for f in mine]
    key = yield Choose(side, Text("ask.activate", {"left": len(mine)}), options, "field.core")
    state.fighter(key).done = True
    battle.emit("activate", "field.core", who=key)
    battle.plan((move, key), (turn_about, key), (strike, key))


@step
def move(battle: Battle[State], key: str) -> Steps[None]:
    fighter = battle.state.fighter(key)

    def length(answer: Any) -> float:
        at, far = (fighter.x, fighter.y), 0.0
        for leg in answer.get("path", ()):
            there = (leg.get("x", at[0]), leg.get("y", at[1]))
            far, at = far + math.dist(at, there), there
        return far

    def judge(answer: Any) -> list[Reason]:
        if any(leg.get("how") == "fly" for leg in answer.get("path", ())):
            return [Reason("field.core", "reason.field.wings")]
        far = length(answer)
        return [Reason("field.distance", facts={"moved": round(far, 2), "allowed": STRIDE})] if far > STRIDE else []

    def walked(answer: Any) -> Route:
        """A goal cannot be given here, so the way is as it was drawn."""
        at, way = (fighter.x, fighter.y), []
        for leg in answer.get("path", ()):
            there = (float(leg["x"]), float(leg["y"]))
            way.append(Stretch(x=there[0], y=there[1], how=leg.get("how", "walk"), cost=round(math.dist(at, there), 3)))
            at = there
        return {key: way} if way else {}

    def nearest(answer: Any) -> Any:
        if not answer.get("path"):
            return None
        end = answer["path"][-1]
        share = 0.999 * STRIDE / max(STRIDE, math.dist((fighter.x, fighter.y), (end["x"], end["y"])))
        x, y = fighter.x + (end["x"] - fighter.x) * share, fighter.y + (end["y"] - fighter.y) * share
        return {"path": [{"x": round(x, 3), "y": round(y, 3)}]}

    def propose(rng: Rng) -> Any:
        angle = rng.uniform(0, 6.28)
        x = min(29.0, max(1.0, fighter.x + 4 * math.cos(angle)))
        y = min(21.0, max(1.0, fighter.y + 4 * math.sin(angle)))
        return {"path": [{"x": round(x, 3), "y": round(y, 3)}]}

    here = spot_at(fighter.x, fighter.y)
    ring = tuple((fighter.x + STRIDE * math.cos(a / 8), fighter.y + STRIDE * math.sin(a / 8)) for a in range(50))
    answer = yield Move(
        fighter.side,
        Text("ask.move", {"who": key, "far": STRIDE}),
        judge,
        propose,
        "field.distance",
        key,
        {"stay": True},
        nearest,
        lambda: [Region("reach", (ring,))],
        walked=walked,
        form=Form(ways=("path", "stay"), pieces=(key,), limit=STRIDE, manners=HOWS, start=here),
    )
    if answer.get("path"):
        end = answer["path"][-1]
        fighter.x, fighter.y, fighter.z = float(end["x"]), float(end["y"]), float(end.get("z", 0.0))
    battle.emit("moved", "field.distance", who=key, x=fighter.x, y=fighter.y)


@step
def turn_about(battle: Battle[State], key: str) -> Steps[None]:
    fighter = battle.state.fighter(key)
    propose = lambda rng: round(rng.uniform(0, 359), 1)  # noqa: E731
    prompt = Text("ask.face", {"who": key})
    fighter.facing = float((yield Face(fighter.side, prompt, lambda a: [], propose, "field.core", key)))


@step
def strike(battle: Battle[State], key: str) -> Steps[None]:
    state = battle.state
    fighter = state.fighter(key)
    foes = [Option(f.id, refs=(f.id,)) for f in alive(state, 1 - fighter.side)]
    target = yield Choose(fighter.side, "ask.target", foes, "field.hit", key)
    roll = battle.roll(4, "hit", "field.hit", side=fighter.side, who=key, need=4)
    if min(roll.faces) < 4 and (yield Confirm(fighter.side, "ask.reroll", "field.hit", key)):
        misses = [i for i, face in enumerate(roll.faces) if face < 4]
        roll = battle.reroll(roll, misses, "field.hit")
    hits = sum(face >= 4 for face in roll.faces)
    battle.emit("hit", "field.hit", who=key, target=target, hits=hits)
    if hits:
        parts = {f.id: (0, hits) for f in alive(state, 1 - fighter.side)[:2]}
        prompt = Text("ask.split", {"hits": hits})
        for part, share in (yield Split(fighter.side, prompt, hits, parts, "field.hit")).items():
            state.fighter(part).wounds -= share
        state.score[fighter.side] += hits


@step
def guard(battle: Battle[State], side: int) -> Steps[None]:
    options = [Option(f.id, refs=(f.id,)) for f in alive(battle.state, side)]
    for key in (yield ChooseSeveral(side, "ask.several", options, 1, 2, "field.core")):
        battle.state.fighter(key).guard = True


@step
def end_round(battle: Battle[State]) -> None:
    state = battle.state
    if state.round < ROUNDS:
        battle.push(start_round)
        return
    a, b = state.score
    battle.finish(Outcome(None if a == b else int(b > a), (a, b), ("field.core",)))


def odds(battle: Battle[State], decision: Decision, answer: Any) -> dict[str, Any] | None:
    if decision.prompt.key != "ask.target":
        return None
    pmf = [math.comb(4, k) / 16 for k in range(5)]
    return {
        "title": {"zh": "攻击的胜算", "en": "Odds of the attack"},
        "lines": [
            {"label": {"zh": "至少命中一次", "en": "At least one hit"}, "value": 1 - pmf[0], "chance": True},
            {"label": {"zh": "平均命中", "en": "Mean hits"}, "value": 2.0},
        ],
        "dists": {"hits": pmf},
    }


def resolve(setup: Setup, rng: Rng) -> Setup:
    setup.sides = setup.sides[:2] or [{}, {}]
    return setup


def start(setup: Setup) -> State:
    colours = ("blue", "red")
    fighters = [
        Fighter(
            f"{colours[side]}-{k}", side, k, 6.0 + 6 * k, 4.5 + 13 * side, 0.0, 180.0 * side, away=side == 0 and k == 3
        )
        for side in (0, 1)
        for k in range(4)
    ]
    state = State(fighters=fighters)
    state.agenda.append(Task(step_name(deploy), ()))
    return state


def box(x: float, y: float, w: float, d: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + w, y), (x + w, y + d), (x, y + d))


TERRAIN = (
    TerrainPiece(
        "tower",
        {"zh": "瞭望台", "en": "Watchtower"},
        (
            Block("wall", box(11, 9, 6, 0.3), 0, 3),
            Block("wall", box(11, 9, 0.3, 4), 0, 3),
            Block("door", box(16.7, 10.2, 0.3, 1.4), 0, 2),
            Block("platform", box(11, 9, 6, 4), 3, 3.25),
            Block("ladder", box(13.4, 8.7, 1, 0.3), 0, 3.25),
        ),
    ),
    TerrainPiece(
        "wood", {"zh": "小树林", "en": "Copse"}, (Block("forest", ((3, 9), (7, 8.5), (8, 12), (4, 13)), 0, 0),)
    ),
    TerrainPiece(
        "pond", {"zh": "水塘", "en": "Pond"}, (Block("water", ((21, 7), (25, 8), (24, 10), (20.5, 9.5)), 0, 0),)
    ),
    TerrainPiece("stones", {"zh": "断墙", "en": "Broken wall"}, (Block("obstacle", box(21, 13, 5, 0.8), 0, 1.1),)),
)


def picture(state: State) -> Picture:
    def card(f: Fighter) -> Card:
        stride = effects.number(state, f.id, "stride", STRIDE)
        changes = ({"op": "add", "value": -1, "rule": "field.distance", "source": {"zh": "警戒", "en": "guard"}},)
        zh, en = NAMES[f.kind]
        return Card(
            f.id,
            f.side,
            {"zh": zh, "en": en},
            ICONS[f.kind],
            (f.id,),
            (
                Value({"zh": "移动", "en": "Move"}, STRIDE, stride.total - f.guard, changes if f.guard else ()),
                Value({"zh": "坚韧", "en": "Toughness"}, 4, 4),
            ),
            (Arm({"zh": "长剑", "en": "Longsword"}, facts(range=1, attacks=4, strength=4, damage=1)),),
            ({"zh": "警戒", "en": "On guard"},) if f.guard else (),
            ({"name": {"zh": "坚毅", "en": "Stalwart"}, "rule": "field.core"},),
            max(0, f.wounds),
            10,
            f.done,
            f.away,
            f.wounds <= 0,
        )

    on_table = [f for f in state.fighters if f.wounds > 0 and not f.away]
    return Picture(
        WIDTH,
        DEPTH,
        tuple(
            Piece(f.id, f.id, f.side, DISC, f.x, f.y, f.z, f.facing, 1.5, ICONS[f.kind], 1, f.wounds, 10)
            for f in on_table
        ),
        TERRAIN,
        (Marker("gold", "treasure", 18, 16, label={"zh": "宝藏", "en": "Treasure"}, range=2.0),),
        (
            Zone("south", "deploy", box(0, 0, WIDTH, 4), 0, {"zh": "蓝方部署区", "en": "Blue deployment"}),
            Zone("north", "deploy", box(0, 18, WIDTH, 4), 1, {"zh": "红方部署区", "en": "Red deployment"}),
        ),
        tuple(card(f) for f in state.fighters),
        ({"zh": f"第 {state.round} 轮", "en": f"Round {state.round}"}, {"zh": "战斗阶段", "en": "Combat phase"}),
        tuple(state.score),
        (Purse(0, {"zh": "赌注", "en": "Bid"}, state.bids[0]),),
        {"zh": "操练", "en": "The drill"},
    )


def hide(state: State, side: int) -> None:
    state.bids = [bid if who == side else 0 for who, bid in enumerate(state.bids)]


def name(state: State, key: str) -> dict[str, str] | None:
    found = next((f for f in state.fighters if f.id == key), None)
    return None if found is None else dict(zip(("zh", "en"), NAMES[found.kind], strict=True))


add_ledger("field", Path(__file__).parent / "field_ledger")
GAME = register(
    Game(
        id="field",
        names={"zh": "操练场", "en": "Drill field"},
        state=State,
        resolve=resolve,
        start=start,
        picture=picture,
        name=name,
        hide=hide,
        odds=odds,
    )
)
