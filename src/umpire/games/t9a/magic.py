"""The Magic Phase: flux cards, siphoning, storing, overload, casting and dispelling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine import usage
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Option
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import magic_effects
from .aiming import (
    casters,
    conclave_cells,
    each_target,
    ground_point,
    may_target,
    meant,
    spell_targets,
    target_objections,
)
from .formation import Cell
from .model_rules import found
from .offers import Offers
from .profiles import Spell
from .state import Cast, Pool, State

LEAST, MOST = 2, 5


@step
def phase(battle: Battle[State]) -> None:
    """t9a.magic.sequence."""
    battle.state.attempts = {}
    battle.plan(draw, siphon, store, overload, spells, discard)


@step
def draw(battle: Battle[State]) -> None:
    """A card of the active player's deck sets both pools and is out of the deck (t9a.magic.cards.draw)."""
    state = battle.state
    side = state.active
    deck = state.decks[side]
    if not deck:
        state.card = 0
        return
    n = battle.random(len(deck))
    state.card = deck[n]
    if state.applies("t9a.magic.cards.draw"):
        state.decks[side] = (*deck[:n], *deck[n + 1 :])
    state.dice_pool = [state.card, state.card]
    battle.reveal()
    battle.emit(
        "card",
        "t9a.magic.cards.draw",
        "t9a.magic.cards.deck",
        "t9a.magic.cards.open",
        player=Text(f"side.{side}"),
        dice=state.card,
    )


def channelers(state: State, side: int) -> list[tuple[Pool, int]]:
    """Models on the table that are not Shaken, with what they channel (t9a.magic.channel, t9a.rule.channel)."""
    result = []
    for pool in state.pools.values():
        if pool.side != side or pool.count <= 0:
            continue
        unit = state.units[pool.unit]
        if unit.where != "table" or (unit.shaken and state.applies("t9a.psych.shaken.restrictions")):
            continue
        if state.applies("t9a.magic.channel"):
            each = sum(rule.number for rule in found(state, pool, "t9a.rule.channel"))
            result.append((pool, each if pool.wizard == "conclave" else each * pool.count))
    return [(pool, dice) for pool, dice in result if dice]


@step
def siphon(battle: Battle[State]) -> None:
    """The active player adds channel dice, dice of items and the stored die (t9a.magic.siphon)."""
    state = battle.state
    side = state.active
    for pool, dice in channelers(state, side):
        state.dice_pool[side] += dice
        battle.emit("channel", "t9a.magic.channel", "t9a.rule.channel", who=pool.id, dice=dice)
    extra = magic_effects.item_dice(state, side)
    if extra:
        state.dice_pool[side] += extra
        battle.emit("item-dice", "t9a.magic.siphon", player=Text(f"side.{side}"), dice=extra)
    if state.stored[side]:
        state.dice_pool[side] += state.stored[side]
        battle.emit(
            "stored-die", "t9a.magic.siphon", "t9a.magic.store", player=Text(f"side.{side}"), dice=state.stored[side]
        )
        state.stored[side] = 0


@step
def store(battle: Battle[State]) -> Steps[None]:
    """One die may be put by for the next own Magic Phase (t9a.magic.store)."""
    state = battle.state
    side = state.active
    if state.dice_pool[side] < 1 or not state.applies("t9a.magic.store"):
        return
    if not any(pool.side == side and pool.count and (pool.spells or pool.bound) for pool in state.pools.values()):
        # Nobody could ever use it, not even one who is still to come.
        return
    answer = yield Confirm(side, "ask.store", "t9a.magic.store")
    if answer:
        state.dice_pool[side] -= 1
        state.stored[side] = 1
        battle.emit("stored", "t9a.magic.store", player=Text(f"side.{side}"))


@step
def overload(battle: Battle[State]) -> None:
    """Nobody holds more than twice the card's dice (t9a.magic.overload)."""
    state = battle.state
    for side in (0, 1):
        most = 2 * state.card
        if state.dice_pool[side] > most and state.applies("t9a.magic.overload"):
            battle.emit(
                "overload",
                "t9a.magic.overload",
                player=Text(f"side.{side}"),
                dice=state.dice_pool[side] - most,
                most=most,
            )
            state.dice_pool[side] = most


def versions(pool: Pool) -> list[tuple[Spell, bool]]:
    return [(spell, False) for spell in pool.spells] + [(spell, True) for spell in pool.bound]


def key_of(pool: Pool, spell: Spell, bound: bool) -> str:
    return f"{pool.id}:{spell.id}{':bound' if bound else ''}"


def cast_objections(state: State, pool: Pool, spell: Spell, bound: bool) -> Iterator[Reason]:
    """Why a model may not attempt a spell now (t9a.magic.cast.who)."""
    facts: dict[str, Any] = {"who": pool.id, "spell": dict(spell.names)}
    unit = state.units[pool.unit]
    if unit.shaken:
        yield Reason("t9a.magic.cast.who", facts=facts)
        yield Reason("t9a.psych.shaken.restrictions", facts={**facts, "unit": unit.id})
    if f"{spell.id}{':bound' if bound else ''}" in pool.cast:
        yield Reason("t9a.magic.repeat.once", facts=facts)
    if not bound and f"forgotten:{spell.id}" in pool.spent:
        yield Reason("t9a.magic.miscast.amnesia", facts=facts)
    if state.dice_pool[pool.side] < LEAST:
        left = {**facts, "dice": state.dice_pool[pool.side]}
        yield Reason("t9a.magic.cast.dice", "reason.t9a.magic.too-few-dice", left)


def _reaches(state: State, pool: Pool, spell: Spell, bound: bool) -> bool:
    """Can anybody be its target, whoever of a conclave casts it?"""
    if spell.type in ("ground", "caster") or next(each_target(state, pool, spell), None) is not None:
        return True
    if pool.wizard != "conclave" or bound or not state.applies("t9a.rule.wizard.conclave.caster"):
        return False
    cells = conclave_cells(state, pool)
    return any(next(each_target(state, pool, spell, cell), None) is not None for cell in cells)


def castable(state: State) -> dict[str, tuple[str, Spell, bool]]:
    """Spells that could be cast if anybody were in reach: the model, the spell, whether it is bound."""
    return {
        key_of(pool, spell, bound): (pool.id, spell, bound)
        for pool in casters(state, state.active)
        for spell, bound in versions(pool)
        if next(standing(state, cast_objections(state, pool, spell, bound)), None) is None
    }


def one_casts(battle: Battle[State], pool: Pool, spell: Spell) -> Steps[Cell | None]:
    """A model of a conclave is named before the targets: range and sight are its own. Asked where it matters who it is
    (t9a.rule.wizard.conclave.caster)."""
    state = battle.state
    rule = "t9a.rule.wizard.conclave.caster"
    if pool.wizard != "conclave" or spell.type not in ("unit", "aura") or not state.applies(rule):
        return None
    sets: dict[tuple[str, ...], int] = {}
    cells = conclave_cells(state, pool)
    for k, cell in enumerate(cells):
        reached = tuple(unit.id for unit in spell_targets(state, pool, spell, cell))
        if reached:
            sets.setdefault(reached, k)
    chosen = next(iter(sets.values()), 0)
    if len(sets) > 1:

        def label(k: int) -> Text:
            return Text("option.model", {"file": cells[k].file + 1, "rank": cells[k].rank + 1})

        options = [Option(str(k), label(k), reached) for reached, k in sets.items()]
        answer = yield Choose(pool.side, "ask.conclave-caster", options, rule, pool.id)
        chosen = int(answer)
    battle.emit("conclave-casts", rule, who=pool.id)
    return cells[chosen]


@step
def spells(battle: Battle[State]) -> Steps[None]:
    """While two dice are left: a model, a spell, its targets, then dice (t9a.magic.cast.declare)."""
    state = battle.state
    side = state.active
    if state.dice_pool[side] < LEAST:
        return
    known = castable(state)
    can = Offers(battle, lambda: known, lambda key: _reaches(state, state.pools[known[key][0]], *known[key][1:]))
    if not can:
        return

    def options() -> list[Option]:
        found = []
        for key in can.ids:
            who, spell, bound = known[key]
            name = "option.spell-bound" if bound else "option.spell"
            found.append(Option(key, Text(name, {"who": who, "spell": spell.names}), (state.pools[who].unit,)))
        return [*found, Option("end", Text("option.end-magic"), ends=True)]

    def refuse(answer: str) -> list[Reason]:
        for pool in casters(state, side):
            for spell, bound in versions(pool):
                if key_of(pool, spell, bound) == answer:
                    return list(cast_objections(state, pool, spell, bound)) or [
                        Reason("t9a.magic.cast.declare", "reason.t9a.spell.nobody", {"spell": dict(spell.names)})
                    ]
        return []

    answer = yield Choose(
        side, "ask.spell", options, "t9a.magic.cast.who", refuse=refuse,
        offered=lambda key: key == "end" or key in can, propose=lambda rng: can.one(rng, "end"),
    )  # fmt: skip
    if answer == "end":
        return
    who, spell, bound = known[answer]
    pool = state.pools[who]
    caster: Cell | None = None
    if not bound:
        caster = yield from one_casts(battle, pool, spell)
    targets: tuple[str, ...] = ()
    at = (0.0, 0.0)
    if spell.type == "unit":
        choices = Offers(
            battle, lambda: [unit.id for unit in meant(state, pool, spell)],
            lambda key: may_target(state, pool, spell, state.units[key], caster), sure=True,
        )  # fmt: skip

        def forbid(wish: str) -> list[Reason]:
            unit = state.units.get(wish)
            return (
                []
                if unit is None or unit.where != "table"
                else list(target_objections(state, pool, spell, unit, caster))
            )

        target = yield Choose(
            side, "ask.spell-target", lambda: [Option(key, None, (key,)) for key in choices.ids],
            "t9a.magic.cast.declare", pool.id, refuse=forbid, offered=choices.__contains__, propose=choices.one,
        )  # fmt: skip
        targets = (target,)
    elif spell.type == "aura":
        targets = tuple(u.id for u in spell_targets(state, pool, spell, caster))
    elif spell.type == "caster":
        targets = (pool.unit,)
    else:
        spot = yield ground_point(state, pool, spell)
        at = (float(spot["x"]), float(spot["y"]))
    state.cast = Cast(pool.id, spell.id, bound, targets, at)
    battle.plan(cast_dice, spells)


def spell_in_hand(state: State) -> tuple[Pool, Spell, Cast]:
    cast = state.cast
    assert cast is not None
    pool = state.pools[cast.pool]
    known = pool.bound if cast.bound else pool.spells
    return pool, next(s for s in known if s.id == cast.spell), cast


def dice_option(dice: int, chance: float) -> Option:
    """So many dice, and how often they are enough."""
    return Option(str(dice), Text("option.dice", {"dice": dice, "percent": round(100 * chance)}))


@step
def cast_dice(battle: Battle[State]) -> Steps[None]:
    """2 to 5 dice are announced and rolled (t9a.magic.cast.dice, t9a.magic.cast.roll)."""
    import msgspec

    from .questions import casting

    state = battle.state
    pool, spell, cast = spell_in_hand(state)
    side = pool.side
    most = min(MOST, state.dice_pool[side])
    least = LEAST if state.applies("t9a.magic.cast.dice") else 1
    change = sum(amount for amount, _ in modifiers(state, pool, spell, cast))
    need = casting_value(state, spell, cast.bound) - change
    options = [dice_option(n, casting(n, cast.bound).at_least(need)) for n in range(least, most + 1)]

    def refuse(answer: str) -> list[Reason]:
        if answer.isdigit():
            return [
                Reason(
                    "t9a.magic.cast.dice",
                    facts={"dice": int(answer[:6]), "most": most, "who": pool.id, "spell": dict(spell.names)},
                )
            ]
        return []

    answer = yield Choose(
        side, "ask.cast-dice", options, "t9a.magic.cast.dice", pool.id, refuse=refuse,
        data={"value": casting_value(state, spell, cast.bound)},
    )  # fmt: skip
    dice = int(answer)
    state.dice_pool[side] -= dice
    faces = roll_casting(battle, pool, spell, cast.bound, dice)
    total = sum(faces)
    rules: list[str] = []
    for amount, rule in modifiers(state, pool, spell, cast):
        total += amount
        rules.append(rule)
    value = casting_value(state, spell, cast.bound)
    note_attempt(state, pool, spell, cast.bound)
    success = total >= value
    cites = (["t9a.magic.bound.casting-value"] if cast.bound else []) + rules
    if cast.bound and not pool.wizard:
        cites.append("t9a.magic.spells.types")
    elif spell.path:
        cites.append("t9a.magic.spells.source")
    battle.emit(
        "cast" if success else "cast-failed", "t9a.magic.cast.roll", *cites[:2], who=pool.id, spell=dict(spell.names),
        result=total, value=value, targets=list(cast.targets),
    )  # fmt: skip
    if not success:
        back = recovered(battle, faces, cast.bound, "t9a.magic.cast.recover")
        state.dice_pool[side] += back
        state.cast = None
        return
    miscast = miscasts(state, faces, cast.bound)
    if cast.bound and equal_dice(faces) and not miscast:
        battle.emit("no-miscast", "t9a.magic.bound.no-miscast", who=pool.id)
    state.cast = msgspec.structs.replace(cast, dice=dice, result=total, miscast=miscast)
    battle.push(dispel)


def casting_value(state: State, spell: Spell, bound: bool) -> int:
    """A bound spell has its own casting value (t9a.magic.bound.casting-value)."""
    return spell.bound if bound and state.applies("t9a.magic.bound.casting-value") else spell.value


def roll_casting(battle: Battle[State], pool: Pool, spell: Spell, bound: bool, dice: int) -> list[int]:
    """All D6; of a bound spell one is a D6, the others are D3 (t9a.magic.bound.dice)."""
    roll = battle.roll(dice, "cast", "t9a.magic.cast.roll", side=pool.side, who=pool.id, spell=dict(spell.names))
    faces = list(roll.faces)
    if bound and battle.state.applies("t9a.magic.bound.dice"):
        faces = [faces[0], *((face + 1) // 2 for face in faces[1:])]
        battle.emit("bound-dice", "t9a.magic.bound.dice", faces=faces)
    return faces


def modifiers(state: State, pool: Pool, spell: Spell, cast: Cast) -> list[tuple[int, str]]:
    """Repeated attempts and Magic Resistance (t9a.magic.repeat.penalty, t9a.rule.magic-resistance)."""
    result: list[tuple[int, str]] = []
    earlier = state.attempts.get(spell.id, 0)
    if earlier and not (spell.replicable and state.applies("t9a.magic.repeat.replicable")):
        if cast.bound and state.applies("t9a.magic.repeat.bound"):
            result.append((-earlier, "t9a.magic.repeat.bound"))
        elif state.applies("t9a.magic.repeat.penalty"):
            result.append((-3 * earlier, "t9a.magic.repeat.penalty"))
    elif earlier and spell.replicable:
        result.append((0, "t9a.magic.repeat.replicable"))
    worst = 0
    for key in cast.targets:
        unit = state.units[key]
        if unit.side == pool.side:
            continue
        for member in unit.members:
            for rule in found(state, state.pools[member], "t9a.rule.magic-resistance"):
                worst = max(worst, rule.number)
    if worst:
        result.append((-worst, "t9a.rule.magic-resistance"))
    return result


def note_attempt(state: State, pool: Pool, spell: Spell, bound: bool) -> None:
    state.attempts[spell.id] = state.attempts.get(spell.id, 0) + 1
    pool.cast = (*pool.cast, f"{spell.id}{':bound' if bound else ''}")


def recovered(battle: Battle[State], faces: list[int], bound: bool, rule: str) -> int:
    """Natural ones of a failed roll come back, D3 never (t9a.magic.cast.recover, t9a.magic.bound.no-recover)."""
    state = battle.state
    if not state.applies(rule):
        return 0
    counted = faces[:1] if bound and state.applies("t9a.magic.bound.no-recover") else faces
    back = sum(face == 1 for face in counted)
    if bound and len(faces) > 1 and any(face == 1 for face in faces[1:]):
        battle.emit("no-recovery", "t9a.magic.bound.no-recover")
    if back:
        battle.emit("recovered-dice", rule, dice=back)
    return back


def miscasts(state: State, faces: list[int], bound: bool) -> bool:
    """Three equal dice, or two of two (t9a.magic.miscast.conditions); never a bound spell
    (t9a.magic.bound.no-miscast)."""
    if not state.applies("t9a.magic.miscast.conditions"):
        return False
    return equal_dice(faces) and not (bound and state.applies("t9a.magic.bound.no-miscast"))


def equal_dice(faces: list[int]) -> bool:
    """Two of two, or three of more (t9a.magic.miscast.conditions)."""
    if len(faces) == 2:
        return faces[0] == faces[1]
    return any(faces.count(face) >= 3 for face in faces)


@step
def dispel(battle: Battle[State]) -> Steps[None]:
    """The reactive player may try once, with any number of dice, against the casting result
    (t9a.magic.dispel.option)."""
    state = battle.state
    pool, spell, cast = spell_in_hand(state)
    side = 1 - pool.side
    have = state.dice_pool[side]
    if have and state.applies("t9a.magic.dispel.option"):
        from .questions import casting

        options = [dice_option(n, casting(n).at_least(cast.result) if n else 0.0) for n in range(have + 1)]

        def refuse(answer: str) -> list[Reason]:
            return [Reason("t9a.magic.dispel.option", facts={"dice": have})] if answer.isdigit() else []

        answer = yield Choose(
            side, "ask.dispel", options, "t9a.magic.dispel.option", refuse=refuse, data={"result": cast.result},
            propose=lambda rng: str(min(have, rng.below(2) * rng.between(1, 4))),
        )  # fmt: skip
        dice = int(answer)
        if dice:
            state.dice_pool[side] -= dice
            roll = battle.roll(dice, "dispel", "t9a.magic.dispel.roll", side=side, result=cast.result)
            if roll.natural >= cast.result:
                battle.emit("dispelled", "t9a.magic.dispel.roll", spell=dict(spell.names), total=roll.natural)
                state.cast = None
                return
            battle.emit("dispel-failed", "t9a.magic.dispel.roll", spell=dict(spell.names), total=roll.natural)
            state.dice_pool[side] += recovered(battle, list(roll.faces), False, "t9a.magic.dispel.recover")
    steps: list[Any] = [magic_effects.take_effect]
    if cast.miscast:
        steps.insert(0, magic_effects.miscast)
    battle.plan(*steps)


@step
def discard(battle: Battle[State]) -> None:
    """Unused dice are gone (t9a.magic.dice-pool)."""
    state = battle.state
    if any(state.dice_pool):
        battle.emit("dice-gone", "t9a.magic.dice-pool", dice=list(state.dice_pool))
    state.dice_pool = [0, 0]
    state.cast = None
    usage.clear(state, "phase")
