"""What the core Stratagems do to units that fall back, break out, or answer a fight (stratagem.*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from umpire.engine.decisions import Choose, Confirm, Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps
from umpire.games.wh40k.allocation import pick_lost
from umpire.games.wh40k.damage import mortal_wounds, slay
from umpire.games.wh40k.measuring import enemies, engages
from umpire.games.wh40k.placing import set_up_reasons
from umpire.games.wh40k.state import State, Unit, WhBattle
from umpire.games.wh40k.stratagems import CORE, may_use, objections, use
from umpire.text import Text

# -- Cut Them Down -------------------------------------------------------------------------------------------------


def cut_them_down(battle: WhBattle, unit: Unit) -> Steps[None]:
    """wh40k.stratagem.cut-them-down: a die for each enemy model in Engagement Range, before any model moves."""
    state = battle.state
    side = 1 - unit.side
    near = [m for foe in enemies(state, unit) for m in foe.models if any(engages(m, o) for o in unit.models)]
    if not near or not may_use(state, side, "cut-them-down"):
        return
    prompt = Text("ask.cut-them-down", {"unit": unit.id, "dice": len(near)})
    wanted = yield Confirm(side, prompt, "wh40k.stratagem.cut-them-down", unit.id)
    if not wanted:
        return
    use(battle, side, "cut-them-down", unit=unit.id)
    roll = battle.roll(len(near), "cut-them-down", "wh40k.stratagem.cut-them-down", side=side, who=unit.id, need=6)
    sixes = sum(face == 6 for face in roll.faces)
    if sixes:
        yield from mortal_wounds(battle, unit, sixes, near[0].id.partition(".")[0], "wh40k.stratagem.cut-them-down")


# -- Desperate Breakout --------------------------------------------------------------------------------------------


def breakout_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not break out: what it is, and what that costs."""
    yield from breakout_targets(state, unit)
    yield from objections(state, unit.side, "desperate-breakout", CORE["desperate-breakout"][0])


def breakout_targets(state: State, unit: Unit) -> Iterator[Reason]:
    """wh40k.stratagem.desperate-breakout: a unit that is engaged and has not been selected to move."""
    rule = "wh40k.stratagem.desperate-breakout"
    if "moved" in unit.acts:
        yield Reason(rule, "reason.wh40k.selected", {"unit": unit.id})
    if not unit.engaged:
        yield Reason(rule, "reason.wh40k.not-engaged", {"unit": unit.id})
    if state.phase == "movement" and state.step == "reinforcements":
        yield Reason("wh40k.move.phase-steps", "reason.wh40k.moves-over", {"unit": unit.id})
    yield from set_up_reasons(state, unit)


def breakout_offers(state: State, side: int) -> list[Option]:
    if not may_use(state, side, "desperate-breakout"):
        return []
    return [
        Option(
            f"breakout:{u.id}",
            Text("option.breakout", {"unit": u.id}),
            (u.id,),
            ("wh40k.stratagem.desperate-breakout",),
        )
        for u in state.army(side)
        if u.engaged and next(standing(state, breakout_objections(state, u)), None) is None
    ]


def breakout_losses(battle: WhBattle, unit: Unit) -> Steps[None]:
    """wh40k.stratagem.desperate-breakout.losses: for each 1 a model of the owner's choice."""
    rule = "wh40k.stratagem.desperate-breakout.losses"
    roll = battle.roll(len(unit.models), "breakout", rule, side=unit.side, who=unit.id, need=2)
    ones = sum(face == 1 for face in roll.faces)
    if ones and battle.state.applies(rule):
        yield from lose_some(battle, [unit], ones, rule)


def lose_some(battle: WhBattle, units: Sequence[Unit], count: int, rule: str) -> Steps[None]:
    """So many models of some units are destroyed, which ones their owner picks; nobody's deed."""

    def others(wish: str) -> list[Reason]:
        return [Reason(rule, "", {"unit": wish})] if wish in battle.state.units else []

    for _ in range(count):
        alive = [unit for unit in units if unit.where == "table" and unit.models]
        if not alive:
            return
        unit = alive[0]
        if len(alive) > 1:
            options = [Option(u.id, None, (u.id,)) for u in alive]
            key = yield Choose(unit.side, "ask.lose-from", options, rule, "", others)
            unit = battle.state.unit(key)
        keys = yield from pick_lost(battle, unit, unit.models, 1, False, rule)
        battle.emit("lost", rule, unit=unit.id, models=keys)
        yield from slay(battle, unit, keys, "")
