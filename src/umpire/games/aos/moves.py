"""Movement phase abilities: Normal Move, Run, Retreat, Redeploy, At the Double (aos.move.*)."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine.decisions import Move
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.aos.abilities import note
from umpire.games.aos.damage import mortal
from umpire.games.aos.known_abilities import Ability, AosBattle, effect_of
from umpire.games.aos.movement import STAY, Limits, Mover, put
from umpire.games.aos.numbers import sources, value
from umpire.games.aos.state import State, Unit, Use
from umpire.games.aos.units import settle
from umpire.text import Text


def movement(state: State, unit: Unit) -> float:
    return float(value(state, unit, "move", unit.profile.move).total)


def not_in_combat(state: State, unit: Unit) -> Iterator[Reason]:
    if unit.fights:
        yield Reason("aos.core.combat-range", "reason.aos.in-combat", {"unit": unit.id, "enemies": list(unit.fights)})


def why_not_move(state: State, unit: Unit) -> Iterator[Reason]:
    if not unit.profile.move:
        yield Reason("aos.core.warscroll", "reason.aos.no-move", {"unit": unit.id})


def free_to_move(state: State, unit: Unit) -> Iterator[Reason]:
    yield from not_in_combat(state, unit)
    yield from why_not_move(state, unit)


def must_break_off(state: State, unit: Unit) -> Iterator[Reason]:
    if not unit.fights:
        yield Reason("aos.move.retreat", "reason.aos.not-in-combat", {"unit": unit.id})
    yield from why_not_move(state, unit)


def goals(state: State, unit: Unit) -> list[tuple[float, float]]:
    """Where a unit may want to go: objectives that are not its own, rocks that a lone model can stand on, enemies."""
    spots = [(o.x, o.y) for o in state.objectives if o.holder != unit.side]
    spots += [(f.x, f.y) for f in state.terrain if f.type == "area" and unit.cr < f.r < 2 * unit.cr]
    return spots + [(u.cx, u.cy) for u in state.units.values() if u.side != unit.side and u.where == "table"]


def move_unit(battle: AosBattle, unit: Unit, limits: Limits, *rules: str) -> Steps[bool]:
    """Ask for a move within limits and carry it out; answers whether the unit moved."""
    state = battle.state
    mover = Mover(state, unit, limits)

    def propose(rng: Rng) -> object:
        return mover.wander(rng, goals(state, unit))

    prompt = Text("ask.move", {"unit": unit.id, "inches": limits.allowance})
    answer = yield Move(unit.side, prompt, mover, propose, (limits.rule, "aos.core.movement"), unit.id, dict(STAY))
    plan = mover.plan(answer)
    ends = plan.ends
    if not ends:
        battle.emit("stays", limits.rule, unit=unit.id)
        return False
    put(unit, ends)
    settle(state)
    cited = [*rules, *dict.fromkeys(plan.used)]
    if unit.profile.fly and state.applies("aos.move.fly"):
        cited.append("aos.move.fly")
    battle.emit("moved", limits.rule, *cited, unit=unit.id, x=round(unit.cx, 3), y=round(unit.cy, 3))
    return True


@effect_of(Ability("normal-move", "aos.move.normal", "movement", keywords=("core", "move"), eligible=free_to_move))
def normal_move(battle: AosBattle, use: Use) -> Steps[None]:
    unit = battle.state.unit(use.unit)
    move = value(battle.state, unit, "move", unit.profile.move)
    yield from move_unit(battle, unit, Limits(move.total, "aos.move.normal"), *sources(move))


@effect_of(Ability("run", "aos.move.run", "movement", keywords=("core", "move", "run"), eligible=free_to_move))
def run(battle: AosBattle, use: Use) -> Steps[None]:
    """The run roll belongs to the effect: At the Double comes before it and replaces it."""
    unit = battle.state.unit(use.unit)
    move = value(battle.state, unit, "move", unit.profile.move)
    cited = sources(move)
    if "at-the-double" in use.notes:
        more = 6
    else:
        roll = battle.roll(1, "run", "aos.move.run", side=unit.side, who=unit.id)
        changed = value(battle.state, unit, "run", roll.faces[0])
        more = max(1, int(changed.total))
        roll.modify(more - roll.faces[0], "run")
        cited = (*cited, *sources(changed))
    yield from move_unit(battle, unit, Limits(move.total + more, "aos.move.run"), *dict.fromkeys(cited))


@effect_of(
    Ability("retreat", "aos.move.retreat", "movement", keywords=("core", "move", "retreat"), eligible=must_break_off)
)
def retreat(battle: AosBattle, use: Use) -> Steps[None]:
    """Mortal damage goes into the pool; the unit moves with all its models, and only then are they removed."""
    unit = battle.state.unit(use.unit)
    mortal(battle, unit, "D3", "aos.move.retreat")
    limits = Limits(movement(battle.state, unit), "aos.move.retreat", cross=True)
    yield from move_unit(battle, unit, limits)


@effect_of(
    Ability("redeploy", "aos.command.redeploy", "movement", "enemy", ("move", "run"), cost=1, eligible=free_to_move)
)
def redeploy(battle: AosBattle, use: Use) -> Steps[None]:
    unit = battle.state.unit(use.unit)
    inches = battle.roll(1, "redeploy", "aos.command.redeploy", side=unit.side, who=unit.id).faces[0]
    yield from move_unit(battle, unit, Limits(float(inches), "aos.command.redeploy", unseen=True))


def runs(state: State, use: Use, unit: Unit) -> bool:
    """aos.command.at-the-double: the unit that declared a Run ability (not Redeploy, which has no run roll)."""
    return use.ability == "run" and use.unit == unit.id


@effect_of(Ability("at-the-double", "aos.command.at-the-double", cost=1, trigger=runs))
def at_the_double(battle: AosBattle, use: Use) -> None:
    note(battle.state.use, "at-the-double")
