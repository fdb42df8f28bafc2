"""Shooting and fighting again, or outside the phase for it (shoot.again-*, fight.again.*, turn.out-of-phase)."""

from __future__ import annotations

from umpire.engine.decisions import Choose, Option
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.closing import LONE
from umpire.games.wh40k.declaration import Declaration
from umpire.games.wh40k.melee import faced
from umpire.games.wh40k.shooting import barred, declare
from umpire.games.wh40k.state import State, Unit, WhBattle
from umpire.text import Text


def shoot_again(battle: WhBattle, unit: Unit, what: str = "") -> None:
    """wh40k.shoot.again-sequence: another full round, when the first is done, at any legal targets; of the unit, of one
    of its models, or with one of its weapons."""
    battle.push(choose_arms if what else second_round, unit.id, *((what,) if what else ()))


@step
def choose_arms(battle: WhBattle, key: str, what: str) -> Steps[None]:
    """Which model shoots again, or with which weapon, of those that may."""
    unit = battle.state.unit(key)
    places = [
        place for place in arms_of(battle.state, unit) if any(m.id == place.partition("/")[0] for m in unit.models)
    ]
    if what == "model":
        found = {who: Option(who, None, (who,)) for who in (place.partition("/")[0] for place in places)}
    else:
        arms = (_weapon(unit, place) for place in places)
        found = {weapon: Option(weapon, unit.sheet.weapon(weapon).name) for weapon in arms}
    if not found:
        return
    chosen = next(iter(found))
    if len(found) > 1:
        prompt = Text("ask.shoot-again", {"unit": key})
        chosen = yield Choose(unit.side, prompt, list(found.values()), f"wh40k.shoot.again-{what}", key)
    battle.push(second_round, key, *((chosen,) if what == "model" else ("", chosen)))


def arms_of(state: State, unit: Unit) -> list[str]:
    """What may be fired: in the Shooting phase what has been fired in it; outside it, as if it were that phase,
    everything (wh40k.turn.out-of-phase)."""
    if state.phase == "shooting":
        return list(unit.fired)
    return [f"{m.id}/{slot}" for m in unit.models for slot, w in enumerate(m.weapons) if not unit.sheet.weapon(w).melee]


@step
def second_round(battle: WhBattle, key: str, model: str = "", weapon: str = "") -> Steps[None]:
    """wh40k.shoot.again-eligible: only a unit that might be selected now; in the Shooting phase only what has been
    fired fires again."""
    state = battle.state
    unit = state.unit(key)
    fired = arms_of(state, unit)
    as_if = state.phase != "shooting"
    if unit.where != "table" or not fired or (as_if and not state.applies("wh40k.turn.out-of-phase")):
        return
    if state.applies("wh40k.shoot.again-eligible") and barred(state, unit, again=True):
        battle.emit("not-again", "wh40k.shoot.again-eligible", unit=key)
        return
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
    if as_if:
        battle.emit("shoots-now", "wh40k.turn.out-of-phase", rule, unit=key)
    else:
        battle.emit("shoots-again", rule, "wh40k.shoot.again-sequence", unit=key)
    yield from declare(battle, unit, Declaration(state, unit, fired=fired))


def _weapon(unit: Unit, place: str) -> str:
    who, _, slot = place.partition("/")
    model = next((m for m in unit.models if m.id == who), None)
    return model.weapons[int(slot)] if model is not None else ""


def fight_again(battle: WhBattle, unit: Unit, what: str = "") -> Steps[None]:
    """wh40k.fight.again.complete-first: one more fight for a unit that has made its own; outside the Fight phase one
    at once, as if it were that phase (wh40k.fight.again.as-if-phase), if it is eligible. `what` "model": only one of
    its models fights (wh40k.fight.single-model)."""
    from umpire.games.wh40k.fighting import one_fight

    state = battle.state
    if what == "model" and len(unit.models) > 1 and state.applies("wh40k.fight.single-model"):
        options = [Option(m.id, None, (m.id,)) for m in unit.models]
        rule = "wh40k.fight.single-model"
        who = yield Choose(unit.side, Text("ask.lone-fighter", {"unit": unit.id}), options, rule, unit.id)
        unit.act(f"{LONE}{who}")
        battle.emit("lone-fighter", rule, unit=unit.id, model=who)
    if state.phase == "fight":
        unit.mark("fights-again")
    elif state.applies("wh40k.fight.again.as-if-phase"):
        spent = "wh40k.stratagem.desperate-breakout.no-action"
        if "broke-out" in unit.marks and state.applies(spent):
            battle.emit("not-again", spent, unit=unit.id)
            return
        if "charged" not in unit.marks and not faced(state, unit):
            battle.emit("not-again", "wh40k.fight.again.needs-eligible", unit=unit.id)
            return
        battle.emit("fights-now", "wh40k.fight.again.as-if-phase", "wh40k.turn.out-of-phase", unit=unit.id)
        battle.push(one_fight, unit.id)
