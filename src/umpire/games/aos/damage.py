"""Damage: the pool, wards, allocation, slain models; healing and returning models (aos.core.damage-sequence and on)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from umpire.engine import effects
from umpire.engine.decisions import ChooseSeveral, Option, Order, pieces
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.aos.abilities import side_name
from umpire.games.aos.known_abilities import AosBattle
from umpire.games.aos.numbers import value, wards
from umpire.games.aos.placing import Placer, joins_combat
from umpire.games.aos.profiles import amount
from umpire.games.aos.state import Model, State, Unit
from umpire.games.aos.units import COMBAT_RANGE, beside_each, book, enemies, settle
from umpire.miniatures.loose.bodies import near, overlap
from umpire.miniatures.loose.coherency import is_coherent, leaving, some_can_go
from umpire.miniatures.loose.groups import enclose, rearmost
from umpire.miniatures.loose.placing import ask_place
from umpire.miniatures.loose.room import Bounds, near_bodies, off_bodies
from umpire.space.havens import Disc
from umpire.text import Text


def roll_amount(battle: AosBattle, text: str, purpose: str, rule: str, unit: Unit) -> int:
    """A fixed number, or dice as aos.core.dice reads them."""
    n = amount(text)
    if not n.random:
        return n.plus
    faces = battle.roll(n.dice, purpose, rule, side=unit.side, who=unit.id).faces
    if n.sides == 3:
        faces = [halved(face) for face in faces]
    return sum(faces) + n.plus


def halved(face: int) -> int:
    """aos.core.dice: a D3 is half a D6, rounded up."""
    return (face + 1) // 2


def inflict(battle: AosBattle, unit: Unit, points: int, *rules: str) -> None:
    """Damage points go into the unit's pool; they are warded and allocated when the effect is over."""
    if points > 0 and unit.where == "table":
        pools = battle.state.pools
        pools[unit.id] = pools.get(unit.id, 0) + points
        battle.emit("damage", *rules, unit=unit.id, points=points)


def mortal(battle: AosBattle, unit: Unit, text: str, *rules: str) -> None:
    if not battle.state.applies("aos.core.mortal-damage"):
        return
    points = roll_amount(battle, text, "mortal", "aos.core.dice", unit)
    inflict(battle, unit, points, "aos.core.mortal-damage", *rules)


@step
def damage_sequence(battle: AosBattle) -> Steps[None]:
    """Each commander in turn, the active player first, ward and allocate for their own units one at a time."""
    state = battle.state
    order: list[str] = []
    for side in (state.active, 1 - state.active):
        mine = [key for key in state.pools if state.unit(key).side == side]
        if len(mine) > 1:
            mine = yield Order(side, "ask.damage-order", pieces(mine), "aos.core.damage-sequence")
        order += mine
    battle.plan(*((suffer, key) for key in order))


@step
def suffer(battle: AosBattle, key: str) -> Steps[None]:
    """Step 1: ward saves for all points in the pool. Step 2: allocate what is left and remove the slain."""
    state = battle.state
    unit = state.unit(key)
    points = state.pools.pop(key, 0)
    if unit.where != "table" or not points:
        return
    found = wards(state, unit)
    lowest = len(found) > 1 and state.applies("aos.core.ward-lowest")
    for best in (min(found),) if lowest else found:
        faces = battle.roll(points, "ward", "aos.defence.ward-save", side=unit.side, who=key, need=best).faces
        points -= sum(saved_by_ward(face, best) for face in faces)
        rules = ("aos.core.ward-lowest",) if lowest else ()
        battle.emit("ward", "aos.defence.ward-save", *rules, unit=key, ward=best, left=points)
    if points:
        yield from allocate(battle, unit, points)


def saved_by_ward(face: int, ward: int) -> bool:
    return face >= ward


def health(state: State, unit: Unit) -> int:
    return int(value(state, unit, "health", unit.profile.health))


def allocate(battle: AosBattle, unit: Unit, points: int) -> Steps[None]:
    """Points one at a time; each time they equal the Health a model is slain and the count starts anew."""
    state = battle.state
    each = health(state, unit)
    total = unit.damage + points
    slain = min(len(unit.models), total // each)
    unit.damage = total - slain * each
    gone = slain == len(unit.models)
    battle.emit("allocate", "aos.core.damage-sequence", "aos.core.allocate", unit=unit.id, points=points, slain=slain)
    if gone:
        destroy(battle, unit)
        return
    if slain:
        yield from remove_slain(battle, unit, slain)
        settle(state)


def remove_slain(battle: AosBattle, unit: Unit, count: int) -> Steps[None]:
    """The commander picks the slain models one by one; where none keeps the unit coherent, further ones go until it is.

    They are picked in one answer as long as every removal leaves a coherent unit (aos.core.slain-choice).
    """
    whole = True
    while unit.models and (count or not whole):
        chosen = yield from pick_slain(battle.state, unit, min(count, len(unit.models)) if whole else 1, whole)
        gone: list[str] = []
        broken = not whole
        left, at = (1 << len(unit.models)) - 1, {m.id: n for n, m in enumerate(unit.models)}
        for key in chosen:
            gone.append(key)
            count -= whole
            left &= ~(1 << at[key])
            whole = is_coherent(beside_each(unit), left, book(unit))
            if not whole:
                break
        _take(unit, gone)
        battle.emit("slain", "aos.core.slain-choice", unit=unit.id, models=gone, left=len(unit.models))
        if broken:
            battle.emit("broken", "aos.core.slain-choice", "aos.core.coherency", unit=unit.id, models=gone)
    if not unit.models:
        destroy(battle, unit)


def model_option(model: Model) -> Option:
    """A model to pick, with its role if it has one."""
    label = Text("option.model", {"model": model.id, "role": Text(f"role.{model.role}")}) if model.role else None
    return Option(model.id, label, (model.id,))


def pick_slain(state: State, unit: Unit, count: int, whole: bool) -> Steps[list[str]]:
    """Ask which models are removed: slain ones, or further ones of a unit that is no longer whole. Plain ones go before
    those with a role, and usually those behind first."""
    together = book(unit)
    masks = beside_each(unit)
    index = {m.id: n for n, m in enumerate(unit.models)}
    alive = (1 << len(unit.models)) - 1

    def judge(answer: Any) -> list[Reason]:
        left = alive
        for key in answer:
            after = left & ~(1 << index[key])
            if not is_coherent(masks, after, together):
                avoidable = some_can_go(masks, left, together)
                return [Reason("aos.core.slain-choice", "", {"model": key})] if avoidable else []
            left = after
        return []

    def first(order: list[int]) -> list[str]:
        order.sort(key=lambda n: unit.models[n].role != "")
        return [unit.models[n].id for n in leaving(masks, alive, order, count, together)]

    def propose(rng: Rng) -> Any:
        return first(rng.shuffled(range(len(unit.models))))

    chosen: list[str] = yield ChooseSeveral(
        unit.side,
        Text("ask.slain" if whole else "ask.further-slain", {"unit": unit.id, "count": count}),
        [model_option(m) for m in unit.models],
        count,
        count,
        "aos.core.slain-choice",
        unit.id,
        judge,
        propose,
        default=lambda: first(rearmost(unit.models, enemies(state, unit))),
        refuse=lambda wish: not_its_model(state, unit, unit.models, wish, "aos.core.slain-choice"),
    )
    return chosen


def _take(unit: Unit, keys: Sequence[str]) -> None:
    unit.slain += tuple(m for m in unit.models if m.id in keys)
    unit.models = tuple(m for m in unit.models if m.id not in keys)
    enclose(unit)


def destroy(battle: AosBattle, unit: Unit, *rules: str) -> None:
    """All its models are slain; what is left of the damage has no effect (aos.core.destroyed)."""
    state = battle.state
    _take(unit, [m.id for m in unit.models])
    unit.where = "gone"
    unit.damage = 0
    state.pools.pop(unit.id, None)
    effects.drop(state, unit.id)
    if unit.profile.kind == "unit":
        state.sides[unit.side].lost += 1
    battle.emit("destroyed", "aos.core.destroyed", *rules, unit=unit.id, side=side_name(unit.side))
    if unit.profile.kind == "terrain":
        state.terrain = [feature for feature in state.terrain if feature.unit != unit.id]
    for other in list(state.units.values()):
        if other.summoner == unit.id and other.where == "table" and state.applies("aos.core.severed-connection"):
            leave(battle, other, "aos.core.severed-connection")
    settle(state)


def leave(battle: AosBattle, unit: Unit, *rules: str) -> None:
    """A manifestation is removed from play; it may be summoned again."""
    unit.where = "reserve"
    unit.summoner = ""
    unit.damage = 0
    unit.models += unit.slain
    unit.slain = ()
    effects.drop(battle.state, unit.id)
    battle.state.pools.pop(unit.id, None)
    battle.emit("leaves", *rules, unit=unit.id)
    settle(battle.state)


# -- healing and returning ---------------------------------------------------------------------------------------


def heal(battle: AosBattle, unit: Unit, points: int, *rules: str) -> int:
    """aos.core.heal: removes damage points; never brings models back, never goes below 0."""
    healed = min(points, unit.damage) if battle.state.applies("aos.core.heal") else 0
    unit.damage -= healed
    if healed:
        battle.emit("heal", "aos.core.heal", *rules, unit=unit.id, points=healed)
    return healed


def return_models(battle: AosBattle, unit: Unit, count: int, *rules: str) -> Steps[int]:
    """Set slain models up again, one at a time, in coherency with models that were not returned this turn."""
    state = battle.state
    count = min(count, len(unit.slain))
    slain = yield from order_of_return(state, unit, count)
    while count > 0:
        back = slain[:count]
        placer = returner(state, unit, back)
        rule = "aos.core.return-models"
        if placer.scattered and state.applies("aos.core.coherency"):
            count -= 1
            continue
        placer.default, full = battle.know(partial(_room_for, placer))
        if full:
            break  # whoever has no place alone has none among others
        prompt = Text("ask.return", {"unit": unit.id, "count": count})
        ends = yield from ask_place(unit.side, placer, prompt, rule)
        if not ends:
            count -= 1
            continue
        unit.slain = tuple(m for m in unit.slain if m not in back)
        unit.models += tuple(msgspec.structs.replace(ends[m.id], back=True) for m in back)
        enclose(unit)
        settle(state)
        battle.emit("returned", "aos.core.return-models", *rules, unit=unit.id, models=[m.id for m in back])
        return count
    return 0


def _room_for(placer: Placer) -> tuple[Any, bool]:
    """Where models may be returned to, if anywhere, or that it is proved that there is no place."""
    found = placer.beside_unit() or placer.filled()
    return found, found is None and placer.proved_full


def not_its_model(state: State, unit: Unit, models: Sequence[Model], wish: str, rule: str) -> list[Reason]:
    """Why a model that is somewhere in the battle is not among these of a unit."""
    known = any(m.id == wish for u in state.units.values() for m in (*u.models, *u.slain))
    if not known or any(m.id == wish for m in models):
        return []
    own = any(m.id == wish for m in (*unit.models, *unit.slain))
    key = "reason.loose.not-in-unit" if not own else "reason.aos.slain" if models is unit.models else "reason.aos.alive"
    return [Reason(rule, key, {"model": wish, "unit": unit.id})]


def order_of_return(state: State, unit: Unit, count: int) -> Steps[tuple[Model, ...]]:
    """The slain models, those first whom the commander wants back; asked only where they are not all alike."""
    roles = {m.role: m for m in reversed(unit.slain)}
    if count == 0 or count == len(unit.slain) or len(roles) == 1:
        return unit.slain

    def propose(rng: Rng) -> list[str]:
        return [m.id for m in sorted(unit.slain, key=lambda m: m.role == "")[:count]]

    rule = "aos.core.return-models"
    prompt = Text("ask.return-which", {"unit": unit.id, "count": count})
    options = [model_option(m) for m in unit.slain]
    wanted: list[str] = yield ChooseSeveral(
        unit.side, prompt, options, count, count, rule, unit.id, propose=propose,
        refuse=lambda wish: not_its_model(state, unit, unit.slain, wish, rule),
    )  # fmt: skip
    return tuple(sorted(unit.slain, key=lambda m: wanted.index(m.id) if m.id in wanted else count))


def returner(state: State, unit: Unit, back: Sequence[Model]) -> Placer:
    """Judges where models may be returned to."""
    link = unit.profile.coherency

    def chained(end: Model) -> Reason | None:
        if not any(near(end, m, link) for m in unit.models if not m.back):
            return Reason("aos.core.return-models", "reason.aos.return-chain", {"model": end.id})
        return None

    def allowed(end: Model) -> Reason | None:
        why = chained(end)
        if why is not None:
            return why
        foe = joins_combat(state, unit, end)
        if foe is not None:
            return Reason("aos.core.return-models", "reason.aos.return-combat", {"model": end.id, "enemy": foe.id})
        return None

    def clear(ends: dict[str, Model]) -> list[Reason]:
        for end in ends.values():
            for m in unit.models:
                if overlap(end, m):
                    return [Reason("aos.core.set-up", "reason.loose.on-model", {"model": end.id, "other": m.id})]
        return []

    placer = Placer(state, unit, back, allowed, clear)
    foes = [m for foe in enemies(state, unit) for m in foe.models]
    whole = [m for m in unit.models if not m.back]

    def bounds(m: Model) -> Bounds:
        return near_bodies(m, whole, link) + off_bodies(m, foes, COMBAT_RANGE, placer.rises)

    def around(m: Model) -> list[Disc]:
        return [(w.x, w.y, link + w.r + m.r) for w in whole]

    placer.bounded(bounds)
    placer.confined = around
    # Who is near and unseen is not in combat: behind what hides it there may be a place that no circle bounds.
    placer.anywhere = chained if any(foe.where == "table" for foe in enemies(state, unit)) else allowed
    return placer
