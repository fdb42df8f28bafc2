"""What the planner thinks of magic: which spell brings most for its dice, on whom, with how many dice."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Decision
from umpire.engine.rng import Rng
from umpire.odds import Dist, throws

from . import aiming, combat_odds, magic
from .attacks import Strike
from .combat_worth import kept, per_point, points_of
from .formation import box
from .judgement import nearest_foe
from .magic_effects import WITCHFIRE, move_objections
from .profiles import Spell
from .questions import casting
from .spacing import distance
from .state import Pool, State, Unit
from .strike_odds import dice_dist, each_attack

LIKELY = 0.8
"""A spell is cast with the fewest dice that succeed so often."""
TRIED = 0.45
"""One that succeeds less often with all of them is left."""
LEAST = 4.0
"""A spell that brings fewer points is left."""
FIGHTING, NEAR = 0.12, 0.04
"""What a blessing or curse means to a unit in combat, and to one that may soon be, as a part of its points."""
SOON = 12.0
SUMMONED = 40.0


def gain(state: State, pool: Pool, spell: Spell, unit: Unit) -> float:
    """The points that a spell brings if it works on a unit."""
    whom = combat_odds.target_of(state, unit)
    foe = unit.side != pool.side
    value = 0.0
    if spell.hits:
        strike = Strike(
            source=pool.id,
            target=whom.id,
            how="spell",
            strength=spell.strength,
            ap=spell.ap,
            dice=1,
            bound=spell.attributes,
        )
        each = each_attack(state, strike, automatic=True).mean
        taken = min(float(whom.hp), dice_dist(spell.hits).mean * each) * per_point(whom)
        value += taken if foe else -taken
    if spell.lose:
        taken = min(float(whom.hp), dice_dist(spell.lose).mean) * per_point(whom)
        value += taken if foe else -taken
    if spell.raises or spell.recover:
        missing = whom.start_hp - whom.hp if spell.raises else whom.lost
        most = float(whom.profile.rsr or dice_dist(spell.raises or spell.recover).mean)
        value += min(float(missing), most) * per_point(whom)
    if spell.mods or spell.gives or spell.halves:
        gap = nearest_foe(state, unit)
        near = NEAR if gap is not None and gap[0] <= SOON else 0.0
        value += (FIGHTING if state.engaged(unit.id) else near) * points_of(state, unit)
    if spell.move and not foe and next(move_objections(state, unit), None) is None:
        value += NEAR * points_of(state, unit)
    return value + (SUMMONED if spell.summon else 0.0)


def within(state: State, pool: Pool, spell: Spell) -> list[Unit]:
    """The enemies about whom a spell may be cast on the ground."""
    own = state.units[pool.unit]
    return [foe for foe in state.table(1 - pool.side) if distance(state, own, foe) <= spell.range]


def best(state: State, pool: Pool, spell: Spell) -> float:
    """What a spell brings on the best of its targets."""
    if spell.type in ("caster", "aura") or spell.summon:
        return gain(state, pool, spell, state.units[pool.unit])
    if spell.type == "ground":
        return max((gain(state, pool, spell, foe) for foe in within(state, pool, spell)), default=0.0)
    return max((gain(state, pool, spell, unit) for unit in aiming.spell_targets(state, pool, spell)), default=0.0)


def chance(state: State, spell: Spell, bound: bool, dice: int) -> float:
    return casting(dice, bound).at_least(magic.casting_value(state, spell, bound))


@functools.cache
def mishaps(dice: int, need: int) -> tuple[float, float]:
    """How often so many dice cast a spell by a miscast that burns the caster's unit, and by one that takes him too."""
    burns = breach = 0.0
    for faces, p in throws(dice).items():
        if sum(faces) >= need and magic.equal_dice(list(faces)):
            burns += p * (9 < sum(faces) < 20 or sum(faces) > 24)
            breach += p * (sum(faces) > 24)
    return burns, breach


def backfires(state: State, pool: Pool, spell: Spell, bound: bool, dice: int) -> float:
    """The points that a miscast may cost."""
    if bound:
        return 0.0
    burns, breach = mishaps(dice, int(magic.casting_value(state, spell, bound)))
    unit = state.units[pool.unit]
    whom = combat_odds.target_of(state, unit)
    strike = Strike(source=pool.id, target=whom.id, how="spell", strength=3, ap=2, dice=1, bound=WITCHFIRE)
    each = each_attack(state, strike, automatic=True).mean
    burnt = min(float(whom.hp), 2 * dice * each) * per_point(whom)
    return burns * burnt + breach * kept(state, pool, pool.hp)


def spell_choice(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """What brings most for each of the dice that it takes, miscasts taken off; nothing where nothing is worth them."""
    most = min(magic.MOST, state.dice_pool[decision.side])
    offered = getattr(decision, "options", {})
    found: list[tuple[float, str]] = []
    for pool in aiming.casters(state, decision.side):
        for spell, bound in magic.versions(pool):
            key = magic.key_of(pool, spell, bound)
            if key not in offered or chance(state, spell, bound, most) < TRIED:
                continue
            value = best(state, pool, spell)
            if value >= LEAST:
                dice = next((n for n in range(magic.LEAST, most) if chance(state, spell, bound, n) >= LIKELY), most)
                value = value * chance(state, spell, bound, dice) - backfires(state, pool, spell, bound, dice)
                found.append((value / dice, key))
    found = [(value, key) for value, key in found if value > 0]
    yield from [key for _, key in sorted(found, key=lambda f: (-f[0], f[1]))]
    yield "end"


def chosen(battle: Battle[State], caster: str) -> tuple[Pool, Spell] | None:
    """The spell whose target is asked for: the last answers tell, the state does not yet."""
    pool = battle.state.pools[caster]
    keys = {magic.key_of(pool, spell, bound): spell for spell, bound in magic.versions(pool)}
    for entry in battle.answers_of_step:
        if isinstance(entry.answer, str) and entry.answer in keys:
            return pool, keys[entry.answer]
    return None


def targets(battle: Battle[State], decision: Decision) -> Iterator[Any]:
    """Those on whom it brings most; of a spell on the ground the middle of an enemy."""
    state = battle.state
    found = chosen(battle, decision.about)
    if found is None:
        return
    pool, spell = found
    if spell.type == "ground":
        units = [] if spell.summon else within(state, pool, spell)
    else:
        units = [state.units[key] for key in getattr(decision, "options", {}) if key in state.units]
    for unit in sorted(units, key=lambda unit: (-gain(state, pool, spell, unit), unit.id)):
        x, y = box(state, unit).centre
        yield {"x": round(x, 2), "y": round(y, 2)} if spell.type == "ground" else unit.id


def cast_dice(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """The fewest dice that succeed four times in five."""
    options = list(getattr(decision, "options", {}))
    if state.cast is None:
        return
    pool, spell, cast = magic.spell_in_hand(state)
    need = magic.casting_value(state, spell, cast.bound)
    change = sum(amount for amount, _ in magic.modifiers(state, pool, spell, cast))
    for key in options:
        if (casting(int(key), cast.bound) + change).at_least(need) >= LIKELY:
            yield key
            break
    yield options[-1]


def dispel_dice(state: State, decision: Decision, rng: Rng) -> Iterator[Any]:
    """The fewest dice that dispel as often as not; none if there are not so many."""
    if state.cast is None:
        return
    for key in getattr(decision, "options", {}):
        if key != "0" and Dist.uniform(1, 6).times(int(key)).at_least(state.cast.result) >= 0.5:
            yield key
            break
    yield "0"
