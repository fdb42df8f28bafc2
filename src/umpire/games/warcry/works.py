"""How each primitive of abilities and reactions works."""

from __future__ import annotations

from typing import Any

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, Place
from umpire.engine.effects import Effect
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.warcry.damage import deal, heal
from umpire.games.warcry.dice import amount, passes
from umpire.games.warcry.placing import can_stand, nearest_room, put, settle, spot_of, stand_reasons
from umpire.games.warcry.primitives import (
    ActivateNext,
    Bind,
    BonusAction,
    Change,
    Damage,
    DamageRolls,
    Forbid,
    Heal,
    IgnoreHeight,
    Primitive,
    Reroll,
    Riposte,
    RollDice,
    SetUp,
    Soften,
    TakeTreasure,
    Taunt,
    Vitals,
    Who,
    Wreck,
)
from umpire.games.warcry.profiles import Ability, Reaction
from umpire.games.warcry.sight import sees
from umpire.games.warcry.state import Fighter, State, distance, to_spot, within
from umpire.space.measure import true_distance
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

Rule = Ability | Reaction


# -- whom --------------------------------------------------------------------------------------------------------


def fits(state: State, fighter: Fighter, who: Who, other: Fighter, inches: float | None) -> bool:
    """Is somebody one of those that a primitive may be done to?"""
    if other.where != "field" or not all(other.profile.has(mark) for mark in who.runemarks):
        return False
    if who.hurt and not other.damage:
        return False
    if who.fresh and (other.activations or other.reactions >= 2):
        return False
    if inches is not None and not within(distance(fighter, other), inches):
        return False
    return not who.visible or other is fighter or sees(state, fighter, other)


def group(state: State, fighter: Fighter, who: Who) -> list[Fighter]:
    match who.pick:
        case "self":
            return [fighter]
        case "friend":
            return state.friends(fighter)
        case "enemy":
            return state.enemies(fighter)
        case "any":
            return [f for f in state.on_field() if f is not fighter]
    return []


def candidates(state: State, fighter: Fighter, who: Who, value: int, foe: str) -> list[Fighter]:
    """Everybody that fits. Distances given by dice are measured by the dice's value."""
    if who.pick == "foe":
        found = state.fighter(foe)
        return [found] if found.where == "field" else []
    if who.pick == "self":
        return [fighter]
    inches = who.within if isinstance(who.within, int) or who.within is None else _inches(who.within, value)
    return [other for other in group(state, fighter, who) if fits(state, fighter, who, other, inches)]


def _inches(spec: str, value: int) -> int:
    return (value + 1) // 2 if spec == "half" else value


def possible(state: State, fighter: Fighter, primitive: Primitive) -> bool:
    """Could the primitive do anything now? Dice are taken at their best."""
    if isinstance(primitive, Wreck):
        return bool(wreckable(state, fighter, primitive.within))
    if isinstance(primitive, TakeTreasure):
        return bool(_tokens(state, fighter, 6 if isinstance(primitive.within, str) else primitive.within))
    who = getattr(primitive, "who", None)
    if isinstance(primitive, Heal) and who is not None and who.pick == "self":
        return fighter.damage > 0
    if who is None or who.pick in ("self", "foe"):
        return True
    inches = 6 if isinstance(who.within, str) else who.within
    return any(fits(state, fighter, who, other, inches) for other in group(state, fighter, who))


def choose(battle: Battle[State], fighter: Fighter, spec: Rule, who: Who, value: int, foe: str) -> Steps[list[Fighter]]:
    """Those that the primitive is done to: all, or the one the player picks."""
    found = candidates(battle.state, fighter, who, value, foe)
    if who.every or len(found) < 2:
        return found
    options = [Option(f.id, refs=(f.id,)) for f in found]
    key = yield Choose(fighter.side, "ask.pick", options, (spec.rule, "warcry.core.friendly-enemy"), fighter.id)
    return [battle.state.fighter(key)]


# -- what --------------------------------------------------------------------------------------------------------


def carry_out(
    battle: Battle[State], fighter: Fighter, spec: Rule, primitive: Primitive, value: int, foe: str
) -> Steps[None]:
    """Do one primitive."""
    state = battle.state
    rule, side = spec.rule, fighter.side

    def number(amount_spec: Any, purpose: str) -> int:
        return amount(battle, amount_spec, value, purpose, side, fighter.id)

    match primitive:
        case Change():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            what = f"{primitive.what}.{primitive.attack}" if primitive.attack else primitive.what
            by = number(primitive.by, "amount")
            for other in others:
                effects.add(state, Effect(other.id, what, "add", by, rule, spec.id, primitive.until))
                if primitive.least is not None:
                    effects.add(
                        state, Effect(other.id, what, "minimum", primitive.least, rule, spec.id, primitive.until)
                    )
                battle.emit(
                    "changed",
                    rule,
                    fighter=other.id,
                    what=Text(f"characteristic.{primitive.what}"),
                    by=by,
                    until=Text(f"until.{primitive.until}"),
                )
        case Heal():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                heal(battle, other, number(primitive.by, "heal"), rule, "warcry.ability.value")
        case Damage():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                yield from deal(battle, other.id, number(primitive.by, "damage"), side, rule)
        case DamageRolls():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                yield from _damage_rolls(battle, fighter, spec, primitive, value, other)
        case BonusAction():
            yield from _bonus_action(battle, fighter, spec, primitive, value)
        case Forbid():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                effects.add(state, Effect(other.id, primitive.what, "forbid", 0, rule, spec.id, primitive.until))
                battle.emit(
                    "forbidden",
                    rule,
                    fighter=other.id,
                    what=Text(f"action.{primitive.what}"),
                    until=Text(f"until.{primitive.until}"),
                )
        case Reroll():
            data = {"misses": primitive.what == "misses"}
            dice = number(primitive.dice, "amount")
            effects.add(state, Effect(fighter.id, "reroll", "add", dice, rule, spec.id, primitive.until, data=data))
        case SetUp():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                yield from _set_up(battle, fighter, spec, other, number(primitive.within, "amount"))
        case ActivateNext():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                state.players[side].inspired = other.id
                battle.emit("inspired", rule, "warcry.core.friendly-enemy", fighter=other.id)
        case Riposte():
            assert state.attack is not None
            state.attack.riposte = (primitive.miss, primitive.one)
        case Soften():
            assert state.attack is not None
            state.attack.soften = primitive.need
        case Bind():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                _bind(battle, fighter, spec, primitive, value, other)
        case Vitals():
            effects.add(state, Effect(fighter.id, "vitals", "add", 0, rule, spec.id, "activation"))
        case Taunt():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                roll = battle.roll(value, "taunt", rule, side=side, who=fighter.id, need=primitive.need)
                if any(passes(face, primitive.need) for face in roll.faces):
                    state.effects = [e for e in state.effects if not (e.on == other.id and e.what == "taunt")]
                    effects.add(state, Effect(other.id, "taunt", "set", 1, rule, fighter.id, "round"))
                    battle.emit("taunted", rule, fighter=other.id, by=fighter.id)
        case IgnoreHeight():
            effects.add(state, Effect(fighter.id, "ignore-height", "set", 1, rule, spec.id, "activation"))
        case Wreck():
            from umpire.games.warcry.monsters import wreck

            yield from wreck(battle, fighter, primitive.within)
        case TakeTreasure():
            yield from _take_treasure(battle, fighter, number(primitive.within, "amount"), rule)
        case RollDice():
            state.players[side].wild += primitive.by
            battle.emit("wild-gain", rule, gained=primitive.by, wild=[p.wild for p in state.players])


def _damage_rolls(
    battle: Battle[State], fighter: Fighter, spec: Rule, primitive: DamageRolls, value: int, other: Fighter
) -> Steps[None]:
    dice = amount(battle, primitive.dice, value, "amount", fighter.side, fighter.id)
    if dice <= 0:
        return
    roll = battle.roll(dice, "ability", spec.rule, side=fighter.side, who=fighter.id, need=primitive.need)
    successes = sum(passes(face, primitive.need) for face in roll.faces)
    battle.emit("successes", spec.rule, "warcry.core.target-number", fighter=other.id, successes=successes)
    total = sum(amount(battle, primitive.each, value, "damage", fighter.side, fighter.id) for _ in range(successes))
    yield from deal(battle, other.id, total, fighter.side, spec.rule)


def _bonus_action(
    battle: Battle[State], fighter: Fighter, spec: Rule, primitive: BonusAction, value: int
) -> Steps[None]:
    """A bonus action may be left out; it obeys every rule of its kind."""
    from umpire.games.warcry import attack, move, reactions

    state = battle.state
    side, key, rule = fighter.side, fighter.id, "warcry.combat.bonus-actions"
    active = state.active
    if primitive.action == "attack":
        found = attack.targets(state, fighter, primitive.attack)
        if not found:
            return
        options = [Option(f"attack-{n}-{enemy.id}", refs=(enemy.id,)) for n, enemy in found] + [Option("pass")]
        choice = yield Choose(side, "ask.bonus-attack", options, rule, key)
        if choice == "pass":
            return
        battle.emit("bonus", rule, spec.rule, fighter=key, action=Text("action.attack"))
        _, weapon, target = choice.split("-", 2)
        attack.begin(battle, key, int(weapon), target)
    else:
        moving = primitive.action == "move"
        barred = move.move_reasons(state, fighter) if moving else move.disengage_reasons(state, fighter)
        if barred or (not moving and move.way_out(state, fighter) is None):
            return
        choice = yield Choose(side, f"ask.bonus-{primitive.action}", [primitive.action, "pass"], rule, key)
        if choice == "pass":
            return
        inches = (
            float(amount(battle, primitive.inches, value, "amount", side, key))
            if primitive.inches is not None
            else -1.0
        )
        battle.emit("bonus", rule, spec.rule, fighter=key, action=Text(f"action.{primitive.action}"))
        if moving:
            battle.push(move.move_action, key, inches)
        else:
            limit = inches if inches >= 0 else move.DISENGAGE
            battle.plan((reactions.disengaging, key), (move.disengage_action, key, limit))
    if active is not None:
        active.bonus = True


def _bind(battle: Battle[State], fighter: Fighter, spec: Rule, primitive: Bind, value: int, other: Fighter) -> None:
    state = battle.state
    roll = battle.roll(value, "bind", spec.rule, side=fighter.side, who=fighter.id, need=primitive.need)
    lost = sum(passes(face, primitive.need) for face in roll.faces)
    if lost:
        source = f"{spec.id}-{len(battle.events)}"
        effects.add(state, Effect(other.id, "move", "add", -lost, spec.rule, source, stacks=True))
        effects.add(state, Effect(other.id, "move", "minimum", primitive.least, spec.rule, spec.id))
    battle.emit(
        "changed", spec.rule, fighter=other.id, what=Text("characteristic.move"), by=-lost, until=Text("until.battle")
    )


def _set_up(battle: Battle[State], fighter: Fighter, spec: Rule, other: Fighter, inches: int) -> Steps[None]:
    """Somebody is taken off the battlefield and set up near the fighter, by the player who uses the ability."""
    state = battle.state
    best = nearest_room(state, other, lambda x, y: _gap(fighter, other, x, y), (fighter.x, fighter.y), limit=12.0)
    if best is None or _gap(fighter, other, best.x, best.y) > inches:
        return

    def judge(answer: Any) -> list[Reason]:
        if "models" in answer:
            return [Reason(spec.rule, "reason.warcry.all-fighters", {"fighters": [other.id]})]
        base = settle(state, other, answer, (other.id,))
        reasons = stand_reasons(state, base, (other.id,))
        ghost = Fighter(other.id, other.side, other.profile, base.x, base.y, base.z)
        gap = distance(ghost, fighter)
        if not within(gap, inches):
            reasons.append(Reason(spec.rule, "reason.warcry.too-far", {"distance": round(gap, 3), "allowed": inches}))
        return reasons

    def propose(rng: Rng) -> Any:
        import math

        reach = (fighter.profile.base + other.profile.base) / 50.8
        angle, far = rng.uniform(0, 2 * math.pi), reach + rng.uniform(0.002, inches)
        x, y = fighter.x + far * math.cos(angle), fighter.y + far * math.sin(angle)
        base = settle(state, other, {"x": x, "y": y}, (other.id,))
        return spot_of(base) if can_stand(state, base, (other.id,)) else None

    default = spot_of(best)
    if judge(default):
        others = [spot for spot in (propose(Rng(n)) for n in range(200)) if spot and not judge(spot)]
        if not others:
            return
        default = others[0]
    answer = yield Place(fighter.side, "ask.set-up", judge, propose, spec.rule, other.id, default)
    put(other, settle(state, other, answer, (other.id,)))
    battle.emit("set-up", spec.rule, fighter=other.id, x=other.x, y=other.y, z=other.z)
    if isinstance(spec, Ability) and len(spec.effect) > 1:
        # What follows in the same ability is done to the one that was moved.
        agenda = state.agenda
        last = agenda[-1]
        agenda[-1] = type(last)(last.step, (*last.args[:-1], other.id))


def _gap(fighter: Fighter, other: Fighter, x: float, y: float) -> float:
    import math

    return max(0.0, math.hypot(fighter.x - x, fighter.y - y) - (fighter.profile.base + other.profile.base) / 50.8)


def wreckable(state: State, fighter: Fighter, inches: float) -> list[str]:
    """The terrain features within reach."""
    ground = state.ground
    base = fighter.base
    reach = fighter.profile.base / 50.8 + inches + TOLERANCE
    found: list[str] = []
    for part, prism in ground.near(base.x - reach, base.y - reach, base.x + reach, base.y + reach):
        key = ground.feature_of[ground.parts[part].id].id
        if key not in found and true_distance(base, prism) <= inches + TOLERANCE:
            found.append(key)
    return found


def _tokens(state: State, fighter: Fighter, inches: float) -> list[str]:
    from umpire.games.warcry.treasure import may_carry

    if may_carry(fighter):
        return []
    return [t.id for t in state.treasures if not t.carrier and within(to_spot(fighter, t.x, t.y, t.z), inches)]


def _take_treasure(battle: Battle[State], fighter: Fighter, inches: int, rule: str) -> Steps[None]:
    from umpire.games.warcry.treasure import take

    found = _tokens(battle.state, fighter, inches)
    if not found:
        return
    key = found[0]
    if len(found) > 1:
        key = yield Choose(fighter.side, "ask.pick-up", [Option(t, refs=(t,)) for t in found], rule, fighter.id)
    take(battle, fighter, key, rule)
