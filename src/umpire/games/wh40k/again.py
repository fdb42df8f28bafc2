"""Shooting and fighting again, and instead of shooting (shoot.again-*, shoot.instead-of-shooting)."""

from __future__ import annotations

from umpire.engine.steps import Steps, step
from umpire.games.wh40k.shooting import Declaration, barred, declare
from umpire.games.wh40k.state import Unit, WhBattle


def shoot_again(battle: WhBattle, unit: Unit) -> None:
    """wh40k.shoot.again-sequence: another full round, when the first is done, at any legal targets."""
    battle.push(second_round, unit.id)


@step
def second_round(battle: WhBattle, key: str, model: str = "", weapon: str = "") -> Steps[None]:
    """wh40k.shoot.again-eligible: only a unit that might be selected now; only what has been fired fires again."""
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table" or not unit.fired:
        return
    if state.applies("wh40k.shoot.again-eligible") and barred(state, unit, again=True):
        battle.emit("not-again", "wh40k.shoot.again-eligible", unit=key)
        return
    fired = list(unit.fired)
    rule = "wh40k.shoot.again-unit"
    if model:
        fired = [place for place in fired if place.partition("/")[0] == model]
        rule = "wh40k.shoot.again-model"
    if weapon:
        fired = [place for place in fired if _weapon(unit, place) == weapon]
        rule = "wh40k.shoot.again-weapon"
    if not fired:
        return
    if not state.applies(rule):
        fired = []  # then anything may be fired
    more = () if state.phase == "shooting" else ("wh40k.turn.out-of-phase",)
    battle.emit("shoots-again", rule, "wh40k.shoot.again-sequence", *more, unit=key)
    yield from declare(battle, unit, Declaration(state, unit, fired=fired))


def _weapon(unit: Unit, place: str) -> str:
    who, _, slot = place.partition("/")
    model = next((m for m in unit.models if m.id == who), None)
    return model.weapons[int(slot)] if model is not None else ""


def fight_again(battle: WhBattle, unit: Unit) -> None:
    """wh40k.fight.again.complete-first: one more fight for a unit that has made its own; outside the Fight phase one
    at once, as if it were that phase (wh40k.fight.again.as-if-phase), if it is eligible."""
    from umpire.games.wh40k.fighting import one_fight
    from umpire.games.wh40k.melee import faced

    state = battle.state
    if state.phase == "fight":
        unit.mark("fights-again")
    elif state.applies("wh40k.fight.again.as-if-phase"):
        if "charged" not in unit.marks and not faced(state, unit):
            battle.emit("not-again", "wh40k.fight.again.needs-eligible", unit=unit.id)
            return
        battle.emit("fights-now", "wh40k.fight.again.as-if-phase", "wh40k.turn.out-of-phase", unit=unit.id)
        battle.push(one_fight, unit.id)
