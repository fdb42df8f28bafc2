"""Damage points: allocated one at a time, until a fighter is taken down; the rest is lost."""

from __future__ import annotations

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.effects import Effect
from umpire.engine.steps import Steps
from umpire.games.warcry.dice import passes
from umpire.games.warcry.state import Fighter, State, row_of


def deal(battle: Battle[State], key: str, points: int, by: int, *rules: str) -> Steps[None]:
    """Allocate damage points to a fighter; `by` is the side that took it down if it goes down (-1: nobody)."""
    state = battle.state
    fighter = state.fighter(key)
    if points <= 0 or fighter.where != "field":
        return
    points = _warded(battle, fighter, points)
    if points <= 0:
        return
    before = row_of(fighter)
    left = fighter.profile.wounds - fighter.damage
    taken = min(points, left) if state.applies("warcry.damage.excess") else points
    fighter.damage += taken
    cited = [*rules, "warcry.damage.allocate"]
    if taken < points:
        cited.append("warcry.damage.excess")
    if row_of(fighter) != before:
        cited.append("warcry.monster.damage-table")
    battle.emit(
        "damage", *cited, fighter=key, points=taken, lost=points - taken, left=fighter.profile.wounds - fighter.damage
    )
    if fighter.damage >= fighter.profile.wounds and state.applies("warcry.damage.taken-down"):
        yield from take_down(battle, key, by, "warcry.damage.taken-down")


def best_ward(state: State, fighter: Fighter) -> Effect | None:
    """The ward that a fighter has now, the best of several."""
    wards = effects.on(state, fighter.id, "ward") if state.effects else []
    return min(wards, key=lambda ward: ward.value, default=None)


def _warded(battle: Battle[State], fighter: Fighter, points: int) -> int:
    """The damage points that are left when a ward has turned some away, each on its own die."""
    best = best_ward(battle.state, fighter)
    if best is None:
        return points
    need = int(best.value)
    roll = battle.roll(points, "ward", best.rule, side=fighter.side, who=fighter.id, need=need)
    saved = sum(passes(face, need) for face in roll.faces)
    battle.emit("warded", best.rule, fighter=fighter.id, points=saved)
    return points - saved


def take_down(battle: Battle[State], key: str, by: int, *rules: str) -> Steps[None]:
    """The fighter leaves the battle; its treasure is dropped before it is removed."""
    from umpire.games.warcry.treasure import drop

    state = battle.state
    fighter = state.fighter(key)
    if fighter.carrying and state.applies("warcry.treasure.drop-taken-down"):
        yield from drop(battle, key, "warcry.treasure.drop-taken-down")
    fighter.where = "down"
    fighter.felled_in = state.round
    fighter.climbing = ""
    fighter.waiting = False
    if by >= 0 and by != fighter.side:
        state.players[by].tally += fighter.profile.points
        active = state.active
        if active is not None and state.fighter(active.fighter).side == by:
            active.felled = True
    effects.drop(state, key)
    battle.emit("taken-down", *rules, fighter=key, by=by)


def heal(battle: Battle[State], fighter: Fighter, points: int, *rules: str) -> None:
    """Remove damage points, no more than there are."""
    healed = min(points, fighter.damage)
    if healed > 0:
        before = row_of(fighter)
        fighter.damage -= healed
        more = ("warcry.monster.damage-table",) if row_of(fighter) != before else ()
        battle.emit("healed", *rules, *more, fighter=fighter.id, points=healed)
