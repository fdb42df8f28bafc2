"""Phase I and the marching on: reinforcement rolls, lines, entry (conquest.reinforce.*)."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Option, pieces
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.space.shapes import TOLERANCE

from . import formation, hooks
from .profiles import CLASSES
from .state import Line, Regiment, State

NEEDED: dict[str, dict[int, int]] = {"light": {1: 4, 2: 4}, "medium": {2: 2, 3: 4}, "heavy": {3: 2, 4: 4}}
"""conquest.reinforce.table: the die at or under which a regiment of a Class arrives, by round."""
AUTOMATIC: dict[str, int] = {"light": 3, "medium": 4, "heavy": 5}
"""The round from which a Class arrives without a roll."""
FIRST: dict[str, int] = {"light": 1, "medium": 2, "heavy": 3}

SUITABLE: dict[str, tuple[str, ...]] = {"light": CLASSES, "medium": CLASSES, "heavy": ("medium", "heavy")}
"""conquest.reinforce.line.class: behind which friends a Class may enter."""

EDGES: dict[str, float] = {"south": 0.0, "west": 90.0, "north": 180.0, "east": 270.0}
"""The edges of the table and the facing of a regiment that comes on there."""


def waiting(state: State, side: int) -> list[Regiment]:
    return [r for r in state.regiments.values() if r.side == side and r.where == "reserve"]


def may_arrive(state: State, regiment: Regiment) -> bool:
    return state.round >= FIRST[regiment.profile.klass]


@step
def reinforcement_phase(battle: Battle[State]) -> None:
    """Both players' waiting regiments, one player after the other, since neither's dice touch the other's."""
    state = battle.state
    state.phase = "reinforcement"
    battle.emit("phase", "conquest.round.structure", phase="reinforcement", round=state.round)
    from .rounds import command_phase

    battle.plan((reserves, 0), (reserves, 1), (show_arrivals,), (command_phase,))


@step
def reserves(battle: Battle[State], side: int) -> Steps[None]:
    """Those due for certain, one picked freely, then a die for each other one, Class by Class."""
    state = battle.state
    for regiment in waiting(state, side):
        if regiment.sure:
            regiment.sure = False
            arrive(battle, regiment, "conquest.reinforce.failed")
    yield from hooks.moment(battle, "reserves", None, side=side)
    open_to = [r for r in waiting(state, side) if may_arrive(state, r)]
    rolling = [r for r in open_to if state.round < AUTOMATIC[r.profile.klass]]
    if rolling:
        rule = "conquest.reinforce.automatic-pick"
        options = [Option(r.id, refs=(r.id,)) for r in open_to if not held_back(state, r)]

        def refuse(answer: str) -> list[Reason]:
            other = state.regiments.get(answer)
            if other is None:
                return []
            return [Reason(rule, facts={"class": other.profile.klass, "round": state.round})]

        if options:
            options.append(Option("none"))
            pick = yield Choose(side, "ask.automatic", options, rule, "", refuse)
            if pick != "none":
                arrive(battle, state.regiment(pick), rule)
    battle.push(reserve_dice, side)


def held_back(state: State, regiment: Regiment) -> bool:
    """A regiment that gives no die chooses its round itself (Flank)."""
    return bool(hooks.granted(state, regiment, "no-die"))


@decides("conquest.battle.reinforcement-characters")
def arrive(battle: Battle[State], regiment: Regiment, *rules: str) -> None:
    """The regiment will march on this round."""
    regiment.where = "arriving"
    if regiment.character:
        rules = (*rules, "conquest.reinforce.characters")
    battle.emit("arriving", *rules, regiment=regiment.id)


def comes(face: int, need: int) -> bool:
    """conquest.reinforce.roll"""
    return face <= need


@step
def reserve_dice(battle: Battle[State], side: int) -> Steps[None]:
    """The reinforcement rolls of one player."""
    state = battle.state
    for klass in CLASSES:
        group = [r for r in waiting(state, side) if r.profile.klass == klass and may_arrive(state, r)]
        if not group:
            continue
        if state.round >= AUTOMATIC[klass]:
            for regiment in group:
                arrive(battle, regiment, "conquest.reinforce.table")
            continue
        group = [r for r in group if not held_back(state, r)]
        if not group:
            continue
        need = NEEDED[klass][state.round]
        roll = battle.roll(len(group), "reinforcement", "conquest.reinforce.roll", side=side, need=-need, klass=klass)
        count = sum(comes(face, need) for face in roll.faces)
        rules = ("conquest.reinforce.group-by-class", "conquest.reinforce.table", "conquest.reinforce.roll")
        battle.emit("reinforcement", *rules, side=side, klass=klass, successes=count)
        if not count:
            continue
        names = [r.id for r in group]
        if count < len(group):
            options = pieces(r.id for r in group)
            rule = "conquest.reinforce.roll.choose-regiment"
            names = yield ChooseSeveral(side, "ask.arrivals", options, count, count, rule)
        for name in names:
            arrive(battle, state.regiment(name), "conquest.reinforce.roll.choose-regiment")


@step
def show_arrivals(battle: Battle[State]) -> None:
    state = battle.state
    due = [r.id for r in state.regiments.values() if r.where == "arriving"]
    if due:
        battle.emit("arrivals", "conquest.reinforce.reveal", regiments=due)


# -- the reinforcement line ----------------------------------------------------------------------------------------


def from_edge(state: State, edge: str, x: float, y: float) -> float:
    """How far a point is from an edge of the table."""
    if edge == "south":
        return y
    if edge == "north":
        return state.scenario.depth - y
    return x if edge == "west" else state.scenario.width - x


def nearest_to_edge(state: State, edge: str, regiment: Regiment) -> float:
    """The distance of its point nearest to an edge."""
    points = [
        p
        for thing in formation.body(state, regiment)
        for p in (thing.points if not hasattr(thing, "corners") else thing.corners())
    ]
    return min(from_edge(state, edge, x, y) for x, y in points)


def suitable(state: State, side: int, klass: str) -> list[float]:
    """Distances from the own edge of the friends that make a line for a Class (conquest.reinforce.line.class)."""
    edge = state.scenario.edges[side]
    return [
        nearest_to_edge(state, edge, r)
        for r in state.on_table(side)
        if r.profile.klass in SUITABLE[klass] and not hooks.granted(state, r, "no-line") and "entering" not in r.flags
    ]


def fix_lines(battle: Battle[State]) -> None:
    """At the start of the round both lines are fixed (conquest.reinforce.line.position)."""
    state = battle.state
    state.lines = {}
    for key, line in lines_now(state):
        state.lines[key] = line
        if line.fixed >= 0:
            rules = ("conquest.reinforce.line.position", "conquest.reinforce.line.class")
            battle.emit("line", *rules, side=int(key[0]), klass=key[2:], inches=line.fixed)
    push_lines(battle)


def lines_now(state: State) -> Iterator[tuple[str, Line]]:
    """The lines as the regiments stand, for each side that still waits for somebody."""
    for side in (0, 1):
        if not any(r.side == side and r.where in ("reserve", "arriving") for r in state.regiments.values()):
            continue
        for klass in CLASSES:
            found = suitable(state, side, klass)
            best = max if state.options.reinforcement_line == "foremost" else min
            at = round(best(found), 3) if found else -1.0
            yield f"{side}/{klass}", Line(at, at)


def pushers(state: State, side: int, edge: str) -> list[tuple[float, str]]:
    """Enemies that can push a side's lines back, and how near they are to its edge."""
    lines = max(line.fixed for key, line in state.lines.items() if key[0] == str(side))
    found = []
    for foe, (x, y, radius) in formation.foes_of(state, side):
        if from_edge(state, edge, x, y) - radius < lines and not hooks.granted(state, foe, "no-line"):
            found.append((nearest_to_edge(state, edge, foe), foe.id))
    return found


def push_lines(battle: Battle[State]) -> None:
    """An enemy nearer to the edge pushes a line back; when one of those is destroyed it stays only as far back as the
    others keep it, and once all are it is restored."""
    state = battle.state
    due = [False, False]
    for regiment in state.regiments.values():
        if regiment.where == "arriving":
            due[regiment.side] = True
    if state.phase == "action" and not any(due):
        return
    near: dict[int, list[tuple[float, str]]] = {}
    for key, line in state.lines.items():
        side, klass = int(key[0]), key[2:]
        if line.fixed < 0 or (state.phase == "action" and not due[side]):
            continue
        edge = state.scenario.edges[side]
        pushed = {name: to for name, to in line.pushed if state.regiment(name).on_table}
        if len(pushed) < len(line.pushed):
            back = line.now
            line = Line(line.fixed, min(pushed.values(), default=line.fixed), tuple(pushed.items()))
            state.lines[key] = line
            if line.now > back:
                rule = "conquest.reinforce.line.restored"
                battle.emit("line-restored", rule, side=side, klass=klass, inches=line.now)
        if line.now < 0:
            behind = []
        else:
            if side not in near:
                near[side] = pushers(state, side, edge)
            behind = [(d, name) for d, name in near[side] if d < line.now - TOLERANCE]
        if behind:
            friends = suitable(state, side, klass)
            for far, name in behind:
                back = max((d for d in friends if d <= far), default=-1.0)
                pushed[name] = min(round(back, 3), pushed.get(name, line.fixed))
            line = Line(line.fixed, min(pushed.values()), tuple(pushed.items()))
            state.lines[key] = line
            battle.emit("line-back", "conquest.reinforce.line.only-back", side=side, klass=klass, inches=line.now)
