"""Exact odds of charges, spells, dispels, volleys, blows and tests, read by the very functions that play uses.

Where a volley or a blow is weighed, the battle itself is taken up to its dice, and the strikes that it makes are worked
out step by step: hits, wounds, saves, health points.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision, Json
from umpire.odds import Dist, throws
from umpire.odds.telling import Odds, chance, number, told

from . import (
    aligning,
    attacks,
    breaking,
    charge_moves,
    combat_odds,
    command,
    magic,
    perils,
    psychology,
    pursuit,
    rallying,
    terrain,
    who_fights,
)
from .characteristics import charge_speed
from .formation import box
from .model_rules import every, some
from .questions import again, casting, caught, charge_range, passes
from .state import State, Unit
from .values import net_of
from .volley_odds import standing_dist, volley_dist


def odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    """What an answer would probably bring; None where nothing is left to chance."""
    key = decision.prompt.key
    find = ASKED.get(key)
    if find is None or not decision.check(answer).legal:
        return None
    return find(battle, decision, answer)


def charge_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    state = battle.state
    target = state.units.get(str(answer))
    unit = state.units.get(decision.about)
    if target is None or unit is None:
        return None
    host = state.units[state.pools[unit.id].unit]
    pool = state.pools[unit.id] if host.id != unit.id else None
    mover = charge_moves.as_charger(state, host, pool)
    rolled, arrives = charging(state, mover, target)
    lines = [number("odds.t9a.distance", charge_moves.gap_to(state, mover, target)), arrives]
    lines += charge_dangers(state, mover, target)
    outlook = combat_odds.of_charge(state, unit, target) if pool is None else None
    return told("odds.t9a.charge", *lines, *(round_lines(outlook) if outlook else ()), range=rolled)


def charge_dangers(state: State, charger: Unit, target: Unit) -> Iterator[Odds]:
    """What terrain on its way would take of a charger that arrives."""
    spot = aligning.contact(state, charger, target, declared=True)
    if spot is None:
        return iter(())
    dangers = terrain.touched_by_charge(state, charger, box(state, charger), spot.at, spot.way)
    return perils.lines_of(state, charger, dangers)


def charging(state: State, charger: Unit, target: Unit) -> tuple[Dist, Odds]:
    """How far a unit charges, and the chance that it gets to a target."""
    net = sum(step for step, _ in charge_moves.maximised(state, charger))
    rolled = charge_range(charge_speed(state, charger), net)
    need = charge_moves.inches_needed(charge_moves.gap_to(state, charger, target))
    return rolled, chance("odds.t9a.charge-succeeds", rolled.at_least(need))


def round_lines(outlook: combat_odds.Outlook) -> list[Odds]:
    """A round of combat as the first of two units sees it."""
    return [
        chance("odds.t9a.wins-round", outlook.wins[0]),
        chance("odds.t9a.loses-round", outlook.wins[1]),
        chance("odds.t9a.foe-breaks", outlook.breaks[1]),
        chance("odds.t9a.foe-caught", outlook.caught[1]),
        chance("odds.t9a.own-breaks", outlook.breaks[0]),
        number("odds.t9a.foe-losses", outlook.lost[1].mean),
        number("odds.t9a.own-losses", outlook.lost[0].mean),
    ]


def react_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    """What holding brings if the charge arrives; how far a flight goes."""
    state = battle.state
    unit = state.unit(decision.about)
    charger = state.units.get((decision.data or {}).get("charger", ""))
    if charger is None or charger.where != "table":
        return None
    if answer == "flee":
        far = combat_odds.flight(state, unit, some(state, charger, "t9a.rule.horror"))
        return told("odds.t9a.flight", number("odds.t9a.flees", far.mean), distance=far)
    outlook = combat_odds.of_charge(state, charger, unit)
    lines = round_lines(combat_odds.turned(outlook)) if outlook is not None else []
    return told("odds.t9a.hold", charging(state, charger, unit)[1], *lines)


def round_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    """The round of a combat that is chosen, if one unit fights one other."""
    state = battle.state
    option = getattr(decision, "options", {}).get(str(answer))
    units = [key for key in (option.refs if option is not None else ()) if key in state.units]
    if len(units) != 2 or state.units[units[0]].side == state.units[units[1]].side:
        return None
    units.sort(key=lambda key: state.units[key].side != decision.side)
    return told("odds.t9a.round", *round_lines(combat_odds.of_pair(state, *units)))


def command_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    """The chance of a unit to rally, or to redirect its charge."""
    state = battle.state
    unit = state.units.get(decision.about if answer is True else str(answer))
    if unit is None:
        return None
    sure = decision.prompt.key == "ask.rally" and rallying.rallies_by_rule(state, unit)
    return told("odds.t9a.a-test", chance("odds.t9a.passes", 1.0 if sure else command_chance(state, unit)))


def command_chance(state: State, unit: Unit) -> float:
    """A Command Test: 2D6, Minimised or Maximised, against Discipline."""
    net, _ = net_of(state, psychology.command_dice(state, unit))
    return passes(int(command.discipline(state, unit).total), net)


def panic_chance(state: State, unit: Unit) -> float:
    """The chance to fail a Panic Test; none for whoever takes none."""
    if some(state, unit, "t9a.rule.fearless") or next(psychology.spared(state, unit), None) is not None:
        return 0.0
    passed = passes(int(command.discipline(state, unit).total))
    return 1 - (again(passed) if command.rallied(state, unit) else passed)


def cast_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    state = battle.state
    if state.cast is None:
        return None
    pool, spell, cast = magic.spell_in_hand(state)
    count = int(answer)
    change = sum(amount for amount, _ in magic.modifiers(state, pool, spell, cast))
    total = casting(count, cast.bound) + change
    value = magic.casting_value(state, spell, cast.bound)
    made = total.at_least(value)
    theirs = state.dice_pool[1 - pool.side]
    beaten = 0.0
    if theirs and made:
        spent = Dist.uniform(1, 6).times(theirs)
        beaten = sum(p * spent.at_least(result) for result, p in total.items() if result >= value) / made
    lines = [chance("odds.t9a.cast", made), chance("odds.t9a.dispelled-by-all", beaten)]
    if not cast.bound:
        lines.append(chance("odds.t9a.miscast", miscast_chance(state, count, value - change)))
    return told("odds.t9a.casting", *lines, result=total.max(0))


def miscast_chance(state: State, count: int, need: int) -> float:
    """The chance that the dice both cast the spell and miscast."""
    return sum(
        p for faces, p in throws(count).items() if sum(faces) >= need and magic.miscasts(state, list(faces), False)
    )


def dispel_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    cast = battle.state.cast
    count = int(answer)
    if cast is None or not count:
        return None
    total = Dist.uniform(1, 6).times(count)
    return told("odds.t9a.dispelling", chance("odds.t9a.dispelled", total.at_least(cast.result)), total=total)


def reply(ask: Decision) -> Json:
    """As the odds of a charge take it: the target holds, and nobody else charges."""
    return {"ask.reaction": "hold", "ask.charge": "end"}.get(ask.prompt.key)


def allocated(state: State, ask: Any) -> Json:
    """Attacks go to the soldiers, as the odds of a round take it."""
    soldiers = next((key for key in ask.parts if not state.pools[key].attachable), next(iter(ask.parts)))
    return {soldiers: ask.total}


# -- volleys --------------------------------------------------------------------------------------------------------


def volley_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    """A unit's volley at a target with the first weapon of each part."""
    state = battle.state
    unit, target = state.units.get(decision.about), state.units.get(str(answer))
    if unit is None or target is None:
        return None
    lost = volley_dist(state, unit, target)
    if lost is None:
        return None
    pool = attacks.ranged_pools(state, target.id)[0]
    hp = sum(state.pools[m].hp for m in target.members)
    due = max(3 - target.ranged, -(-target.hp_start // 4) - target.ranged, 1)
    # Who is wiped out tests no more.
    tested = lost.at_least(due) - (lost.at_least(max(due, pool.hp)) if len(target.members) == 1 else 0.0)
    return told(
        "odds.t9a.shoot",
        number("odds.t9a.expected-losses", lost.mean),
        chance("odds.t9a.panic-threshold", lost.at_least(due) if hp else 0.0),
        chance("odds.t9a.panics", tested * panic_chance(state, target) if hp else 0.0),
        chance("odds.t9a.destroyed", lost.at_least(pool.hp)),
        lost=lost,
    )


def standing_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    """What Stand and Shoot takes of the charger, who is engaged and does not panic."""
    state = battle.state
    unit = state.units.get(decision.about)
    chargers = state.foes(decision.about)
    if answer is not True or unit is None or len(chargers) != 1:
        return None
    lost = standing_dist(state, unit, state.units[chargers[0]])
    if lost is None:
        return None
    soldiers = attacks.ranged_pools(state, chargers[0])[0]
    return told(
        "odds.t9a.shoot",
        number("odds.t9a.expected-losses", lost.mean),
        chance("odds.t9a.destroyed", lost.at_least(soldiers.hp)),
        lost=lost,
    )


# -- blows ----------------------------------------------------------------------------------------------------------


def allocate_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    """What attacks put on each target would take."""
    state = battle.state
    pool = state.pools.get(decision.about)
    if pool is None or state.round is None or not isinstance(answer, dict):
        return None
    unit = state.units[pool.unit]
    parts = range(len(pool.profile.parts))
    groups = [group for index in parts for group in who_fights.fighters(state, unit, pool, index)]
    lines = []
    for key, count in answer.items():
        group = next((group for group in groups if key in group.targets), None)
        if count and group is not None:
            walled = combat_odds.over_walls(state, unit, group) / group.models
            each = combat_odds.each_struck(state, unit, pool, group, state.pools[key])
            mean = sum(p * (walled * fortified.mean + (1 - walled) * plain.mean) for p, fortified, plain in each)
            lines.append(number("odds.t9a.expected-losses", count * mean))
    return told("odds.t9a.fight", *lines) if lines else None


def feign_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    """How far a feigned flight goes, and whether it is caught by those who fight nobody else; or what staying would
    bring to one that has lost."""
    state = battle.state
    now, unit = state.round, state.units.get(decision.about)
    if now is None or unit is None:
        return None
    foes = [state.units[key] for key in state.foes(unit.id)]
    lost = now.winner == 1 - unit.side
    if answer is True:
        far = combat_odds.flight(state, unit, any(some(state, foe, "t9a.rule.horror") for foe in foes))
        lines = [number("odds.t9a.flees", far.mean)]
        after = [foe for foe in foes if state.foes(foe.id) == [unit.id] and pursuit.may_pursue(state, foe)]
        if lost and after:
            chases = functools.reduce(Dist.max, (combat_odds.chase(state, foe) for foe in after))
            lines.append(chance("odds.t9a.own-caught", caught(chases, far)))
        return told("odds.t9a.leaving", *lines, distance=far)
    ranks = dict(now.ranks)
    if not lost:
        return None
    if every(state, unit, "t9a.rule.unstable"):
        points = breaking.unstable_losses(state, unit, now, ranks)[0]
        return told("odds.t9a.staying", number("odds.t9a.own-losses", points))
    return told("odds.t9a.staying", chance("odds.t9a.passes", combat_odds.stands(state, unit, now, ranks)))


def pursue_odds(battle: Battle[State], decision: Decision, answer: Json) -> Odds | None:
    """The chance to catch a quarry whose flight is known."""
    state = battle.state
    now = state.round
    if now is None:
        return None
    entry = next((b for b in now.broken if b[0] == answer), None)
    unit = state.units.get(decision.about)
    if entry is None or unit is None:
        return None
    far = combat_odds.chase(state, unit)
    return told("odds.t9a.pursuit", chance("odds.t9a.caught", far.at_least(entry[3])))


ASKED = {
    "ask.charge-target": charge_odds,
    "ask.reaction": react_odds,
    "ask.combat": round_odds,
    "ask.rally": command_odds,
    "ask.redirect-target": charge_odds,
    "ask.redirect": command_odds,
    "ask.cast-dice": cast_odds,
    "ask.dispel": dispel_odds,
    "ask.shoot-target": volley_odds,
    "ask.stand-and-shoot": standing_odds,
    "ask.allocate": allocate_odds,
    "ask.feign": feign_odds,
    "ask.pursue": pursue_odds,
}
