"""What spells and miscasts do: lasting effects, hits, magical moves, recovering, raising, summoning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.effects import Effect
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import aiming, attacks, casualties, majority, psychology, summoning
from .attacks import Strike
from .formation import EPS, FULL_RANK, Box, box, height, layout
from .model_rules import every
from .profiles import Rule, Spell
from .spacing import crowding, from_model, on_table, separation, within
from .state import Cast, Pool, State, Unit
from .values import random_value

WITCHFIRE = (Rule("t9a.rule.magical-attacks"),)


def item_dice(state: State, side: int) -> int:
    """Free magic dice that items give their side (t9a.magic.siphon)."""
    return sum(
        pool.siphons
        for pool in state.pools.values()
        if pool.siphons
        and pool.side == side
        and pool.count
        and state.units[pool.unit].where == "table"
        and not state.units[pool.unit].shaken
    )


@step
def miscast(battle: Battle[State]) -> Steps[None]:
    """Read by the final casting result, before the spell's effect (t9a.magic.miscast.timing)."""
    state = battle.state
    cast = state.cast
    assert cast is not None
    pool = state.pools[cast.pool]
    result = cast.result
    # A conclave suffers it as a whole.
    whole = ("t9a.rule.wizard.conclave.miscast",) if pool.wizard == "conclave" else ()
    battle.emit(
        "miscast", "t9a.magic.miscast.conditions", "t9a.magic.miscast.timing", *whole, who=pool.id, result=result
    )
    if result <= 9:
        battle.emit("mana-drain", "t9a.magic.miscast.mana-drain", "t9a.intro.struck-text", who=pool.id)
        if state.options.mana_drain == "on":
            state.dice_pool[pool.side] = max(0, state.dice_pool[pool.side] - 1)
            state.dice_pool[1 - pool.side] += 2
    elif result <= 19:
        if state.applies("t9a.magic.miscast.witchfire"):
            yield from witchfire(battle, state.units[pool.unit], cast, "t9a.magic.miscast.witchfire")
    elif result <= 24:
        if state.applies("t9a.magic.miscast.amnesia"):
            pool.spent = (*pool.spent, f"forgotten:{cast.spell}")
            battle.emit("amnesia", "t9a.magic.miscast.amnesia", who=pool.id)
    elif state.applies("t9a.magic.miscast.breach"):
        own = state.units[pool.unit]
        near = [u for u in state.table() if u.id != own.id and within(from_model(state, pool, u), 3.0)]
        for unit in (own, *near):
            if unit.where == "table":
                yield from witchfire(battle, unit, cast, "t9a.magic.miscast.breach")
        if pool.count:
            rule = "t9a.magic.miscast.breach"
            if pool.wizard == "conclave":
                rule = "t9a.rule.wizard.conclave.miscast"
            battle.emit("breach", rule, "t9a.magic.miscast.breach", who=pool.id)
            # It loses no health point, so it is not destroyed in melee, engaged or not (t9a.prep.destroyed-in-melee).
            casualties.drop_pool(battle, pool, state.units[pool.unit], in_melee=False)


def witchfire(battle: Battle[State], unit: Unit, cast: Cast, rule: str) -> Steps[None]:
    """2 x X hits with Strength 3 and AP 2, distributed by the side that is not hit (t9a.magic.miscast.hits-control)."""
    from .volleys import split_hits

    state = battle.state
    hits = 2 * cast.dice
    pools = attacks.ranged_pools(state, unit.id)
    battle.emit("witchfire", rule, "t9a.magic.miscast.hits-control", unit=unit.id, hits=hits)
    shares = yield from split_hits(battle, 1 - unit.side, unit, pools, hits, pools[0], "t9a.magic.miscast.hits-control")
    strikes = [
        Strike(source="", target=key, how="spell", strength=3, ap=2, auto=n, bound=WITCHFIRE, cites=(rule,))
        for key, n in shares.items()
    ]
    yield from settled(battle, 1 - unit.side, strikes)
    lost = sum(attacks.resolve(battle, strikes).values())
    if unit.where == "table" and unit.side != state.pools[cast.pool].side:
        psychology.ranged_losses(battle, unit, lost)


def settled(battle: Battle[State], side: int, strikes: list[Strike]) -> Steps[None]:
    """Whose values count in pools whose models differ (t9a.attack.allocate.majority)."""
    for strike in strikes:
        strike.tie = yield from majority.choose(battle, side, battle.state.pools[strike.target])


@step
def take_effect(battle: Battle[State]) -> Steps[None]:
    """The spell takes effect (t9a.magic.resolve); panic follows at once."""
    from .magic import spell_in_hand

    state = battle.state
    pool, spell, cast = spell_in_hand(state)
    state.cast = None
    more = LASTS.get(spell.duration, "t9a.def.duration.instant")
    battle.emit("resolves", "t9a.magic.resolve", more, who=pool.id, spell=dict(spell.names))
    units = [state.units[key] for key in cast.targets if state.units[key].where == "table"]
    if spell.type == "ground" and not spell.summon:
        units = [u for u in state.table() if _at(box(state, u), cast.at) <= spell.radius + EPS]
        units = [u for u in units if next(aiming.not_meant(state, pool, spell, u), None) is None]
        if len(units) > 1:
            battle.emit("several", "t9a.attack.hit.random-per-unit", count=len(units))
    for unit in units:
        lasting(battle, unit, pool, spell)
        if spell.hits:
            yield from struck(battle, unit, pool, spell)
        if spell.lose and unit.where == "table":
            yield from loses(battle, unit, pool, spell)
        if spell.recover and unit.where == "table":
            recover(battle, unit, spell)
        if spell.raises and unit.where == "table":
            yield from raise_models(battle, unit, spell)
        if spell.move and unit.where == "table":
            magical_move(battle, unit, spell)
    if spell.summon:
        yield from summoning.summon(battle, pool, spell, cast.at)


def _at(there: Box, point: tuple[float, float]) -> float:
    x, y = there.local(*point)
    dx = max(0.0, abs(x) - there.w / 2)
    dy = max(0.0, y, -there.d - y)
    return float((dx * dx + dy * dy) ** 0.5)


LASTS = {
    "instant": "t9a.def.duration.instant",
    "combat": "t9a.def.duration.round-of-combat",
    "phase": "t9a.def.duration.one-phase",
    "engaged": "t9a.def.duration.end-of-combat",
    "turn": "t9a.def.duration.one-turn",
    "permanent": "t9a.def.duration.permanent",
}
UNTIL = {"combat": "combat", "phase": "phase", "engaged": "engaged", "turn": "next-magic", "permanent": "battle"}


def lasting(battle: Battle[State], unit: Unit, pool: Pool, spell: Spell) -> None:
    """Effects on every model of the unit now; who joins later does not get them, who leaves keeps them
    (t9a.def.unit, t9a.def.duration.join, t9a.def.duration.split)."""
    state = battle.state
    if spell.duration == "instant" or not (spell.mods or spell.gives or spell.halves):
        return
    if pool.count <= 0 and state.applies("t9a.attack.last-hp.effects-end"):
        # A breach has taken the caster before its spell takes effect.
        battle.emit("effects-end", "t9a.attack.last-hp.effects-end", count=1)
        return
    until = UNTIL[spell.duration]
    own = {"side": pool.side, "model": pool.id}
    for key in unit.members:
        for what, value in spell.mods:
            effects.add(
                state,
                Effect(key, what, "add", value, "t9a.magic.resolve", spell.id, until, pool.side, data=dict(own)),
            )
        for what in spell.halves:
            effects.add(
                state,
                Effect(key, what, "multiply", 0.5, "t9a.magic.resolve", spell.id, until, pool.side, data=dict(own)),
            )
        for rule in spell.gives:
            effects.add(
                state,
                Effect(
                    key, rule.id, "add", 0, "t9a.magic.resolve", spell.id, until, pool.side,
                    data={"rule": msgspec.to_builtins(rule), **own},
                ),
            )  # fmt: skip
    battle.emit(
        "blessed" if unit.side == pool.side else "cursed",
        LASTS[spell.duration],
        "t9a.def.unit",
        unit=unit.id,
        spell=dict(spell.names),
    )


def struck(battle: Battle[State], unit: Unit, pool: Pool, spell: Spell) -> Steps[None]:
    from .volleys import split_hits

    state = battle.state
    hits = random_value(battle, spell.hits, "spell-hits", "t9a.attack.hit", side=pool.side, who=pool.id)
    pools = attacks.ranged_pools(state, unit.id)
    battle.emit("spell-hits", "t9a.attack.types", unit=unit.id, hits=hits, spell=dict(spell.names))
    if hits <= 0:
        return
    shares = yield from split_hits(battle, pool.side, unit, pools, hits, pools[0], "t9a.attack.allocate.multi-hit")
    strikes = [
        Strike(
            source=pool.id, target=key, how="spell", strength=spell.strength, ap=spell.ap, auto=n,
            bound=spell.attributes, cites=("t9a.attack.hit",),
        )
        for key, n in shares.items()
    ]  # fmt: skip
    yield from settled(battle, pool.side, strikes)
    lost = sum(attacks.resolve(battle, strikes).values())
    if unit.where == "table" and unit.side != pool.side:
        psychology.ranged_losses(battle, unit, lost)


def loses(battle: Battle[State], unit: Unit, pool: Pool, spell: Spell) -> Steps[None]:
    """Loses X health points: hits that wound automatically, no saves (t9a.attack.lose-hp)."""
    from .volleys import split_hits

    state = battle.state
    points = random_value(battle, spell.lose, "lose-hp", "t9a.attack.lose-hp", side=pool.side, who=pool.id)
    pools = attacks.ranged_pools(state, unit.id)
    shares = yield from split_hits(battle, pool.side, unit, pools, points, pools[0], "t9a.attack.lose-hp")
    lost = 0
    for key, n in shares.items():
        lost += casualties.lose(battle, state.pools[key], n, melee=False, rule="t9a.attack.lose-hp")
    if unit.where == "table" and unit.side != pool.side:
        psychology.ranged_losses(battle, unit, lost)


def amount_for(battle: Battle[State], pool: Pool, text: str, purpose: str, rule: str) -> int:
    """The stated number, or the Rsr of a pool that has one (t9a.rule.undead.rsr)."""
    state = battle.state
    if pool.profile.rsr and state.applies("t9a.rule.undead.rsr"):
        battle.emit("rsr", "t9a.rule.undead.rsr", pool=pool.id, amount=pool.profile.rsr)
        return pool.profile.rsr
    return random_value(battle, text, purpose, rule, side=pool.side, who=pool.id)


def recover(battle: Battle[State], unit: Unit, spell: Spell) -> None:
    """Lost health points come back, never removed models, never attached ones (t9a.magic.recover.limit)."""
    state = battle.state
    rnf = state.rnf(unit)
    whom = rnf
    if rnf is None and len(unit.members) > 1 and state.applies("t9a.magic.recover.attached"):
        battle.emit("not-attached", "t9a.magic.recover.attached", unit=unit.id)
        return
    if rnf is None:
        whom = state.pools[unit.members[0]]
    elif len(unit.members) > 1:
        if state.applies("t9a.magic.recover.attached"):
            battle.emit("not-attached", "t9a.magic.recover.attached", unit=unit.id)
        else:
            for pool in state.attached(unit):
                pool.lost = 0
    assert whom is not None
    amount = amount_for(battle, whom, spell.recover, "recover", "t9a.magic.recover.limit")
    healed = min(amount, whom.lost) if state.applies("t9a.magic.recover.limit") else amount
    whom.lost -= healed
    battle.emit("recovered", "t9a.magic.recover.limit", pool=whom.id, amount=healed, wasted=amount - healed)


def raise_models(battle: Battle[State], unit: Unit, spell: Spell) -> Steps[None]:
    """First the wounded are healed, then models come back one at a time, up to the starting number
    (t9a.magic.raise.order, t9a.magic.raise.cap, t9a.magic.raise.placement)."""
    state = battle.state
    rnf = state.rnf(unit)
    if rnf is None:
        return
    amount = amount_for(battle, rnf, spell.raises, "raise", "t9a.magic.raise.order")
    most = rnf.start_hp if state.applies("t9a.magic.raise.cap") else 10**6
    wished = min(rnf.hp + amount, most)
    hp = rnf.profile.hp
    if not state.applies("t9a.magic.raise.order"):
        wished = min(rnf.hp + amount - amount % hp, most)
    models = -(-wished // hp)
    if models > rnf.count and layout(state, unit).ranks == 1 and state.applies("t9a.magic.raise.placement"):
        yield from widened(battle, unit, rnf, models)
    place = room_for(state, unit, rnf, models)
    while models > rnf.count and place is None:
        models -= 1
        wished = models * hp
        battle.emit("no-room-to-raise", "t9a.magic.raise.placement", unit=unit.id)
        place = room_for(state, unit, rnf, models)
    before = rnf.hp
    if place is not None:
        unit.x, unit.y = place.x, place.y
        for pool in state.attached(unit):
            pool.file += place.left if pool.file >= 0 else 0
    rnf.count = max(rnf.count, models)
    if len(unit.members) == 1:
        unit.files = min(unit.files, rnf.count)
    majority.settle(rnf)
    rnf.lost = rnf.count * hp - wished if wished < rnf.count * hp else 0
    raised = rnf.hp - before
    rule = "t9a.magic.raise.cap" if raised < amount else "t9a.magic.raise.state"
    battle.emit("raised", "t9a.magic.raise.order", rule, pool=rnf.id, amount=raised)


def widened(battle: Battle[State], unit: Unit, rnf: Pool, models: int) -> Steps[None]:
    """A single rank: raised models go into it until it is a Full Rank; beyond that they may start a second one, as
    their owner likes (t9a.magic.raise.placement)."""
    state = battle.state
    row, new = layout(state, unit).rows[0], models - rnf.count
    forced = max(0, min(new, FULL_RANK[height(state, unit)] - row))
    files = max(unit.files, row + forced) if forced else unit.files
    rest = new - (files - row)
    if rest > 0 and row + forced >= FULL_RANK[height(state, unit)]:
        was, unit.files = unit.files, files + rest
        wide = room_for(state, unit, rnf, models) is not None
        unit.files = was
        if wide:
            options = [Option("second", Text("option.second-rank")), Option("first", Text("option.first-rank"))]
            answer = yield Choose(unit.side, "ask.raise-where", options, "t9a.magic.raise.placement", unit.id)
            files += rest if answer == "first" else 0
    if files != unit.files:
        unit.files = files
        battle.emit("wider", "t9a.magic.raise.placement", unit=unit.id, files=files)


class Place(NamedTuple):
    """The middle of a front that has grown, and how many files are new to the left of those that stood there."""

    x: float
    y: float
    left: int = 0


def room_for(state: State, unit: Unit, pool: Pool, count: int) -> Place | None:
    """Where the unit would stand legally with so many models: new ranks grow to the rear, new files as evenly as can be
    to both sides, or where somebody is in the way to one. Of an engaged unit nobody who stands there moves."""
    now, files = box(state, unit), layout(state, unit).rows[0]
    engaged = state.engaged(unit.id)
    if (engaged and unit.locked[0]) or count <= pool.count:
        return Place(unit.x, unit.y)
    before, pool.count = pool.count, count
    at, new = box(state, unit), layout(state, unit).rows[0] - files
    pool.count = before
    if abs(at.d - now.d) < EPS and abs(at.w - now.w) < EPS:
        return Place(unit.x, unit.y)
    splits = sorted(range(new + 1), key=lambda left: abs(2 * left - new))
    shifts = [(left, (new - 2 * left) / 2 * (at.w - now.w) / max(1, new)) for left in splits]
    for left, right in shifts if engaged else [(new // 2, 0.0), *shifts]:
        there = at._replace(x=at.x + right * at.uy, y=at.y - right * at.ux)
        if stands(state, unit, there):
            return Place(there.x, there.y, left)
    return None


def stands(state: State, unit: Unit, there: Box) -> bool:
    """May a unit stand there? It touches whom it fights, but stands in nobody."""
    foes = state.foes(unit.id)
    near = crowding(state, unit, there, 1.0, but=foes)
    ring = there.corners()
    return (
        on_table(state, there)
        and next(standing(state, near), None) is None
        and all(separation(ring, box(state, state.units[key]).corners()) >= -EPS for key in foes)
    )


def move_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """What could not move in the Movement Phase makes no magical move (t9a.magic.move.actions)."""
    facts = {"unit": unit.id}
    if state.engaged(unit.id) or unit.shaken or unit.declared or unit.failed:
        yield Reason("t9a.magic.move.actions", facts=facts)
    if unit.magic_moved:
        yield Reason("t9a.magic.move.once", facts=facts)
    arrived = any(state.pools[key].arrived == state.turn for key in unit.members)
    if arrived and state.options.ambush_magic_move == "no":
        yield Reason("t9a.magic.move.actions", facts=facts)
    if every(state, unit, "t9a.rule.random-movement.distance"):
        yield Reason("t9a.rule.random-movement.counts", facts=facts)


def magical_move(battle: Battle[State], unit: Unit, spell: Spell) -> None:
    from . import moving

    state = battle.state
    reason = next(standing(state, move_objections(state, unit)), None)
    if reason is not None:
        battle.emit("no-magic-move", reason.rule, unit=unit.id)
        return
    unit.magic_moved = True
    battle.emit("magic-move", "t9a.magic.move.distance", "t9a.magic.move.actions", unit=unit.id, inches=spell.move)
    battle.push(moving.special_move, unit.id, spell.move, "magic")
