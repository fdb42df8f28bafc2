"""Deployment in turns, Scouts, the choice of the first turn, the Defender's Advantage and Vanguard moves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Option, Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.space.places import Keep
from umpire.space.ranks import standing_room
from umpire.text import Text

from . import casualties, joining, moving, reforming, reserves
from .characteristics import mobility
from .formation import EPS, Box, box, layout, skirmishing, still
from .model_rules import every, some
from .picture import placed
from .spacing import crowding, impassable, off_table, on_table, separation, stands
from .state import State, Unit


@step
def begin(battle: Battle[State]) -> None:
    state = battle.state
    state.phase = "deployment"
    reserves.set_hidden_aside(battle)
    battle.plan((turn, 1 - state.defender), defenders_advantage)


def undeployed(state: State, side: int) -> list[Unit]:
    """Units still to be deployed; models that are to be deployed in a unit are asked for with it."""
    return [u for u in state.units.values() if u.side == side and u.where == "list"]


@step
def turn(battle: Battle[State], side: int) -> Steps[None]:
    """A deployment turn: one unit at least, any number (t9a.prep.deploy.alternate)."""
    state = battle.state
    left = undeployed(state, side)
    if not left:
        yield from finished(battle, side)
        if undeployed(state, 1 - side):
            state.placed = 0
            battle.push(turn, 1 - side)
        else:
            yield from finished(battle, 1 - side)
        return
    if all(reserves.may_ambush(state, unit) for unit in left):
        # Whoever has nothing left but what may wait in Ambush has finished.
        yield from finished(battle, side)
    options: list[Option] = []
    for unit in left:
        if not mustnt_stand_alone(state, unit):
            options.append(Option(unit.id, None, (unit.id,)))
        if reserves.may_ambush(state, unit):
            options.append(Option(f"ambush:{unit.id}", Text("option.ambush", {"unit": unit.id}), (unit.id,)))
    if not options:
        for unit in left:
            battle.emit("undeployable", "t9a.rule.exclusive.attached", unit=unit.id)
            casualties.remove_unit(battle, unit, "t9a.prep.deploy.undeployable")
        battle.push(turn, side)
        return
    if state.placed:
        options.append(Option("end", Text("option.end-deployment")))

    def refuse(answer: str) -> list[Reason]:
        if answer == "end":
            return [Reason("t9a.prep.deploy.alternate", "reason.t9a.deploy.at-least-one")]
        if answer in state.units and mustnt_stand_alone(state, state.units[answer]):
            return [Reason("t9a.rule.attached", facts={"unit": answer})]
        return []

    answer = yield Choose(
        side, "ask.deploy", options, "t9a.prep.deploy.alternate", refuse=refuse,
        propose=lambda rng: "end" if state.placed and rng.below(2) else options[rng.below(len(options))].id,
    )  # fmt: skip
    if answer == "end":
        state.placed = 0
        battle.push(turn, 1 - side if undeployed(state, 1 - side) else side)
        return
    state.placed += 1
    if answer.startswith("ambush:"):
        reserves.keep_back(battle, state.units[answer.partition(":")[2]])
        battle.push(turn, side)
        return
    battle.plan((deploy, answer), (turn, side))


def finished(battle: Battle[State], side: int) -> Steps[None]:
    """The first to have deployed everything chooses who takes the first turn (t9a.prep.deploy.first-turn)."""
    state = battle.state
    if state.finished[side]:
        return
    state.finished = (True, state.finished[1]) if side == 0 else (state.finished[0], True)
    if state.first >= 0:
        return
    answer = yield Choose(side, "ask.first-turn", ["side.0", "side.1"], "t9a.prep.deploy.first-turn")
    state.first = int(answer[-1])
    battle.emit(
        "first-turn", "t9a.prep.deploy.first-turn", player=Text(f"side.{side}"), first=Text(f"side.{state.first}")
    )


def mustnt_stand_alone(state: State, unit: Unit) -> bool:
    """Attached models are deployed in a unit with rank-and-file models (t9a.rule.attached)."""
    return every(state, unit, "t9a.rule.attached")


@step
def deploy(battle: Battle[State], key: str) -> Steps[None]:
    """A unit and the models that start the game in it (t9a.prep.deploy.attached)."""
    state = battle.state
    unit = state.unit(key)
    side = unit.side
    soldiers = state.rnf(unit) is not None
    joiners = [
        u
        for u in undeployed(state, side)
        if u.id != key
        and state.rnf(u) is None
        and (soldiers or not mustnt_stand_alone(state, u))
        and joining.may_join(state, state.pools[u.id], unit, deploying=True)
    ]
    if joiners:
        options = [Option(u.id, None, (u.id,)) for u in joiners]
        often = 2 if soldiers else 8

        def judge(answer: Any) -> list[Reason]:
            return list(joining.together(state, [state.pools[k] for k in answer], unit))

        chosen = yield ChooseSeveral(
            side, "ask.deploy-with", options, 0, len(options), "t9a.prep.deploy.attached", key, judge,
            propose=lambda rng: rng.sample([o.id for o in options], int(rng.below(often) == 0)),
        )  # fmt: skip
        for who in chosen:
            pool = state.pools[who]
            spots = dict.fromkeys(joining.spots(state, pool, unit), 0.0)
            file, rank = yield from joining.ask_spot(battle, pool, unit, spots)
            joining.join(battle, pool, unit, "t9a.prep.deploy.attached", file, rank)
        yield from joining.first_base(battle, unit)
    place = Place(
        side,
        "ask.place",
        lambda answer: still(state, lambda: list(objections(state, unit, answer))),
        lambda rng: still(state, lambda: propose(state, unit, rng, crowded=True)),
        "t9a.prep.deploy.alternate",
        key,
        default=None,
        ends=lambda wish: placed(state, unit, wish, state.field.zones[state.zone_of[side]].facing),
        form=reforming.form_of(state, unit),
    )
    if not battle.know(lambda: still(state, lambda: has_room(state, unit))):
        battle.emit("undeployable", "t9a.prep.deploy.undeployable", unit=key)
        casualties.remove_unit(battle, unit, "t9a.prep.deploy.undeployable")
        return
    place.default = lambda: still(state, lambda: legal_place(state, unit))
    answer = yield place
    put(state, unit, answer)
    unit.where = "table"
    scout = not in_zone(state, side, box(state, unit))
    battle.emit(
        "deployed",
        "t9a.rule.scout" if scout else "t9a.prep.deploy.alternate",
        *(("t9a.rule.skirmisher",) if skirmishing(state, unit) else ()),
        unit=key,
        x=unit.x,
        y=unit.y,
        facing=unit.facing,
    )


LIKELY = 6
"""So many places are tried before it is worked out whether there is one."""


def has_room(state: State, unit: Unit) -> bool:
    """Is there any place for the unit? (t9a.prep.deploy.undeployable)"""
    rng = Rng(0)
    for _ in range(LIKELY):
        if next(standing(state, objections(state, unit, propose(state, unit, rng))), None) is None:
            return True
    return legal_place(state, unit) is not None


def legal_place(state: State, unit: Unit) -> Any:
    """A place for the unit, in its zone or, for Scouts, beyond 12" of the enemy's, as it is formed or in another number
    of files, at any facing; None: there is none (t9a.prep.deploy.undeployable)."""
    zone = state.field.zones[state.zone_of[unit.side]]
    wish = (
        math.fsum(p[0] for p in zone.points) / len(zone.points),
        math.fsum(p[1] for p in zone.points) / len(zone.points),
    )
    formations = reforming.formations(state, unit)
    # Most find room as they are, or a little wider or narrower; only then every facing is looked at.
    for quarters, tried in ((True, formations[:6]), (False, reforming.smallest(state, unit, formations))):
        for files in tried:
            found = _place_near(state, unit, files, wish, quarters)
            if found is not None:
                return found
    return None


def _place_near(state: State, unit: Unit, files: int, wish: tuple[float, float], quarters: bool) -> Any:
    """The place nearest to a wish, in so many files; None: there is none."""
    zone = state.field.zones[state.zone_of[unit.side]]
    keeps = [Keep(stand.ring, 1.0) for stand in stands(state) if stand.unit.id != unit.id]
    keeps += [Keep(piece.points, 1.0) for piece in impassable(state)]
    grounds = [(zone.points, keeps)]
    if every(state, unit, "t9a.rule.scout"):
        wide, deep = state.field.width, state.field.depth
        table = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
        enemy = state.field.zones[state.zone_of[1 - unit.side]]
        grounds.append((table, [*keeps, Keep(enemy.points, 12.0 + 1e-4)]))
    w, d, _ = reforming.with_files(state, unit, files)
    for area, off in grounds:
        found = standing_room.place(w, d, area, off, wish, zone.facing, quarters=quarters)
        if found is not None:
            answer = {"x": found[0], "y": found[1], "facing": found[2], "files": files}
            if next(standing(state, objections(state, unit, answer)), None) is None:
                return answer
    return None


def put(state: State, unit: Unit, answer: Any) -> None:
    unit.x, unit.y = float(answer["x"]), float(answer["y"])
    unit.facing = float(answer.get("facing", state.field.zones[state.zone_of[unit.side]].facing)) % 360.0
    unit.files = int(answer.get("files", unit.files))


def inside(ring: tuple[tuple[float, float], ...], at: Box) -> bool:
    """Wholly inside a convex zone, its lines included."""
    area = sum(ring[k - 1][0] * ring[k][1] - ring[k][0] * ring[k - 1][1] for k in range(len(ring)))
    sign = 1.0 if area > 0 else -1.0
    for k in range(len(ring)):
        x0, y0 = ring[k - 1]
        x1, y1 = ring[k]
        for px, py in at.corners():
            if sign * ((x1 - x0) * (py - y0) - (y1 - y0) * (px - x0)) < -1e-4:
                return False
    return True


def beyond(ring: tuple[tuple[float, float], ...], at: Box) -> float:
    """How far the furthest corner of a place lies outside a zone."""
    return max(separation((corner, corner), ring) for corner in at.corners())


def in_zone(state: State, side: int, at: Box) -> bool:
    return inside(state.field.zones[state.zone_of[side]].points, at)


def objections(state: State, unit: Unit, answer: Any) -> Iterator[Reason]:
    """Why a unit may not be deployed there."""
    if "models" in answer or "x" not in answer:
        yield Reason("t9a.prep.deploy.alternate", "reason.t9a.deploy.form")
        return
    if not 1 <= answer.get("files", unit.files) <= 99:
        yield Reason("t9a.def.formation.files-behind", facts={"files": answer["files"], "models": 99})
        return
    at = reforming.there(state, unit, answer, state.field.zones[state.zone_of[unit.side]].facing)
    yield from reforming.formation_reasons(state, unit, int(answer.get("files", unit.files)))
    if not on_table(state, at):
        yield Reason("t9a.def.table-edge.end", "reason.t9a.off-table", {"inches": round(off_table(state, at), 2)})
    if not in_zone(state, unit.side, at):
        enemy = state.field.zones[state.zone_of[1 - unit.side]]
        if every(state, unit, "t9a.rule.scout"):
            gap = separation(at.corners(), enemy.points)
            if gap <= 12 + EPS:
                yield Reason("t9a.rule.scout", facts={"gap": round(max(0.0, gap), 2), "least": 12})
        else:
            off = {"inches": round(beyond(state.field.zones[state.zone_of[unit.side]].points, at), 2)}
            if state.field.deployment == "frontline-clash":
                yield Reason("t9a.prep.deployment.frontline-clash", facts=off)
            else:
                yield Reason("t9a.prep.deploy.alternate", "reason.t9a.deploy.zone", off)
    yield from crowding(state, unit, at, 1.0)


def propose(state: State, unit: Unit, rng: Rng, crowded: bool = False) -> Any:
    """A place in the zone, free or not; where it is `crowded` now and then the free place that is nearest to it."""
    zone = state.field.zones[state.zone_of[unit.side]]
    shape = layout(state, unit)
    xs = [p[0] for p in zone.points]
    ys = [p[1] for p in zone.points]
    facing = zone.facing
    if every(state, unit, "t9a.rule.scout") and rng.below(2):
        return {
            "x": round(rng.uniform(4.0, state.field.width - 4.0), 2),
            "y": round(rng.uniform(14.0, state.field.depth - 14.0), 2),
            "facing": facing,
        }
    ahead = 1.0 if facing == 0.0 else -1.0
    low, high = min(ys), max(ys)
    y = rng.uniform(low + shape.depth, high) if ahead > 0 else rng.uniform(low, high - shape.depth)
    x = rng.uniform(min(xs) + shape.width / 2, max(xs) - shape.width / 2)
    if crowded and rng.below(6) == 0:
        return _place_near(state, unit, unit.files, (x, y), True) or legal_place(state, unit)
    return {"x": round(x, 2), "y": round(y, 2), "facing": facing}


@step
def defenders_advantage(battle: Battle[State]) -> Steps[None]:
    """One deployed unit of the defender without a Character gets Vanguard (3") (t9a.prep.defender-advantage)."""
    state = battle.state
    side = state.defender
    fit = [u for u in state.table(side) if next(advantage_objections(state, u), None) is None]
    if fit and state.applies("t9a.prep.defender-advantage"):
        options = [Option(u.id, None, (u.id,)) for u in fit]

        def refuse(answer: str) -> list[Reason]:
            return list(advantage_objections(state, state.units[answer])) if answer in state.units else []

        answer = yield Choose(side, "ask.advantage", options, "t9a.prep.defender-advantage", refuse=refuse)
        state.unit(answer).advantage = True
        battle.emit("advantage", "t9a.prep.defender-advantage", unit=answer)
    battle.plan((vanguard, side, True), outside_zones)


def advantage_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit cannot have the Defender's Advantage (t9a.prep.defender-advantage)."""
    rule, facts = "t9a.prep.defender-advantage", {"unit": unit.id}
    if unit.side != state.defender or unit.where != "table":
        yield Reason(rule, facts=facts)
    for pool in state.members(unit):
        if pool.character:
            yield Reason(rule, "reason.t9a.advantage.character", {**facts, "who": pool.id})


@step
def vanguard(battle: Battle[State], side: int, opening: bool = False) -> Steps[None]:
    """Vanguard moves in turns, the Defender's Advantage unit first (t9a.prep.vanguard.order)."""
    state = battle.state
    mine = [u for u in state.table(side) if may_vanguard(state, u)]
    if opening:
        chosen = [u for u in mine if u.advantage]
        mine = chosen or mine
    if not mine:
        if not opening and not any(may_vanguard(state, u) for u in state.table(1 - side)):
            return
        if any(may_vanguard(state, u) for u in state.table(1 - side)):
            battle.push(vanguard, 1 - side)
        return
    options = [Option(u.id, None, (u.id,)) for u in mine] + [Option("pass", Text("option.no-vanguard"))]
    answer = yield Choose(side, "ask.vanguard", options, "t9a.prep.vanguard.order")
    if answer == "pass":
        for unit in mine:
            unit.vanguard = True
        battle.push(vanguard, 1 - side)
        return
    unit = state.unit(answer)
    unit.vanguard = True
    inches = vanguard_mobility(state, unit)
    twice = unit.advantage and every(state, unit, "t9a.rule.vanguard")
    battle.emit(
        "vanguard", "t9a.rule.vanguard", "t9a.prep.vanguard.order" if unit.advantage else "t9a.rule.vanguard.order",
        *(("t9a.rule.duplicates",) if twice else ()), unit=answer, inches=inches,
    )  # fmt: skip
    battle.plan((moving.special_move, answer, inches, "vanguard"), (vanguard, 1 - side))


def may_vanguard(state: State, unit: Unit) -> bool:
    if unit.vanguard or some(state, unit, "t9a.rule.random-movement.distance"):
        return False
    return unit.advantage or every(state, unit, "t9a.rule.vanguard")


def vanguard_mobility(state: State, unit: Unit) -> int:
    """X if it is given, else its own Mobility (t9a.rule.vanguard); a unit goes as fast as its slowest
    (t9a.def.profile.unit-values), each of whose models uses what it likes best (t9a.rule.duplicates)."""
    from .model_rules import found

    if not every(state, unit, "t9a.rule.vanguard"):
        return 3
    own = mobility(state, unit)
    held = [found(state, pool, "t9a.rule.vanguard") for pool in state.members(unit)]
    slowest = min(max(rule.number or own for rule in rules) for rules in held)
    return max(slowest, 3 if unit.advantage else 0)


@step
def outside_zones(battle: Battle[State]) -> None:
    """Who stands outside its own zone now may not charge in the first player turn (t9a.rule.scout.no-charge)."""
    from . import turns

    state = battle.state
    for unit in state.table():
        if not in_zone(state, unit.side, box(state, unit)):
            for key in unit.members:
                state.pools[key].outside = True
    battle.emit("deployment-over", "t9a.intro.game-structure", "t9a.prep.sequence")
    battle.push(turns.next_turn)
