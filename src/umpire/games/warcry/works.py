"""How each primitive of abilities and reactions works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.effects import Effect
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.warcry.damage import deal, heal
from umpire.games.warcry.dice import amount, give_wild, passes
from umpire.games.warcry.falling import on_open_edge, on_steps
from umpire.games.warcry.primitives import (
    ActivateNext,
    Bind,
    BonusAction,
    Change,
    Damage,
    DamageRolls,
    Drain,
    DropTreasure,
    Forbid,
    Heal,
    IgnoreHeight,
    Intercept,
    Primitive,
    Reroll,
    Riposte,
    RollDice,
    SetUp,
    Shove,
    Soften,
    Spoil,
    TakeTreasure,
    Taunt,
    Vitals,
    Ward,
    Warp,
    Who,
    Wreck,
)
from umpire.games.warcry.profiles import Ability, Reaction
from umpire.games.warcry.shifting import set_up, shove, shoved_to, warp
from umpire.games.warcry.sight import cover, sees
from umpire.games.warcry.state import Fighter, Player, State, distance, seat, to_spot, within
from umpire.games.warcry.treasure import drop, take, token_reasons, why_not_carry
from umpire.space.measure import true_distance
from umpire.space.shapes import TOLERANCE, Prism
from umpire.text import Text

Rule = Ability | Reaction


# -- whom --------------------------------------------------------------------------------------------------------


def unfit(
    state: State, fighter: Fighter, who: Who, other: Fighter, inches: float | None, rule: str
) -> Iterator[Reason]:
    """Every reason why somebody is none of those that a primitive may be done to."""
    if other.where != "field":
        yield Reason(rule, "reason.warcry.off-field", {"fighter": other.id})
        return
    if not other.profile.has_all(who.runemarks):
        yield Reason(rule, "reason.warcry.pick-runemarks", {"fighter": other.id, "runemarks": list(who.runemarks)})
    if who.hurt and not other.damage:
        yield Reason(rule, "reason.warcry.pick-hurt", {"fighter": other.id})
    if who.carrying and not other.carrying:
        yield Reason(rule, "reason.warcry.pick-carrying", {"fighter": other.id})
    if who.fresh and (other.activations or other.reactions >= 2):
        yield Reason(rule, "reason.warcry.activated", {"fighter": other.id})
    if inches is not None and not within(gap := distance(fighter, other), inches):
        yield Reason(rule, "reason.warcry.too-far", {"distance": round(gap, 3), "allowed": inches})
    if who.visible and other is not fighter and not sees(state, fighter, other):
        yield Reason("warcry.core.visibility", facts={"fighter": other.id})


def fits(state: State, fighter: Fighter, who: Who, other: Fighter, inches: float | None) -> bool:
    """Is somebody one of those that a primitive may be done to?"""
    return next(unfit(state, fighter, who, other, inches, ""), None) is None


def pick_reasons(state: State, fighter: Fighter, spec: Rule, who: Who, value: int, wish: str) -> list[Reason]:
    """Why a primitive is not done to whom a player wishes."""
    other = next((f for f in state.fighters if f.id == wish), None)
    if other is None:
        return []
    if who.pick in ("friend", "enemy") and (other is fighter or (other.side == fighter.side) == (who.pick == "enemy")):
        kind = "reason.warcry.not-enemy" if who.pick == "enemy" else "reason.warcry.not-friend"
        return [Reason("warcry.core.friendly-enemy", kind, {"fighter": wish})]
    return list(unfit(state, fighter, who, other, _reach(who, value), spec.rule))


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
        return [f for f in state.on_field() if f.id == foe]
    if who.pick == "self":
        return [fighter]
    inches = _reach(who, value)
    return [other for other in _about(state, fighter, who, inches) if fits(state, fighter, who, other, inches)]


def _about(state: State, fighter: Fighter, who: Who, inches: float | None) -> list[Fighter]:
    """Those of the right side, without those who are too far off along one axis already."""
    found = group(state, fighter, who)
    if inches is None:
        return found
    x, reach = fighter.x, inches + fighter.profile.base / 50.8 + TOLERANCE
    return [other for other in found if abs(other.x - x) <= reach + other.profile.base / 50.8]


def _reach(who: Who, value: int) -> int | None:
    """Within how many inches, where dice tell it by their value."""
    if isinstance(who.within, int) or who.within is None:
        return who.within
    return (value + 1) // 2 if who.within == "half" else value


def possible(state: State, fighter: Fighter, primitive: Primitive) -> bool:
    """Could the primitive do anything now? Dice are taken at their best."""
    if isinstance(primitive, Wreck):
        return bool(wreckable(state, fighter, primitive.within))
    if isinstance(primitive, TakeTreasure):
        return bool(_tokens(state, fighter, 6 if isinstance(primitive.within, str) else primitive.within))
    if isinstance(primitive, Spoil):
        return bool(spoilable(state.players[1 - fighter.side], primitive.dice))
    who = getattr(primitive, "who", None)
    if who is None or who.pick in ("self", "foe"):
        return True
    inches = 6 if isinstance(who.within, str) else who.within
    shoved = isinstance(primitive, Shove)
    for other in _about(state, fighter, who, inches):
        if not fits(state, fighter, who, other, inches):
            continue
        if not shoved or shoved_to(state, fighter, other, 1.0) is not None:
            return True
    return False


def choose(battle: Battle[State], fighter: Fighter, spec: Rule, who: Who, value: int, foe: str) -> Steps[list[Fighter]]:
    """Those that the primitive is done to: all, or the one the player picks."""
    found = candidates(battle.state, fighter, who, value, foe)
    if who.every or len(found) < 2:
        return found
    options = [Option(f.id, refs=(f.id,)) for f in found]
    key = yield Choose(
        fighter.side,
        "ask.pick",
        options,
        (spec.rule, "warcry.core.friendly-enemy"),
        fighter.id,
        lambda wish: pick_reasons(battle.state, fighter, spec, who, value, wish),
    )
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
                yield from set_up(battle, fighter, spec, other, number(primitive.within, "amount"))
        case Warp():
            yield from warp(battle, fighter, spec, number(primitive.within, "amount"), primitive.apart)
        case Shove():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                yield from shove(battle, fighter, spec, other, number(primitive.by, "amount"))
        case Drain():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                before = other.damage
                yield from deal(battle, other.id, number(primitive.by, "damage"), side, rule)
                heal(battle, fighter, other.damage - before, rule)
        case Ward():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                effects.add(state, Effect(other.id, "ward", "add", primitive.need, rule, spec.id, primitive.until))
                until = Text(f"until.{primitive.until}")
                battle.emit("ward", rule, fighter=other.id, need=primitive.need, until=until)
        case Intercept():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                intercept(battle, spec, other)
        case DropTreasure():
            others = yield from choose(battle, fighter, spec, primitive.who, value, foe)
            for other in others:
                yield from drop(battle, other.id, rule)
        case Spoil():
            yield from _spoil(battle, fighter, spec, primitive.dice)
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
            give_wild(battle, side, primitive.by, rule)


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
        choice = yield Choose(
            side, "ask.bonus-attack", options, rule, key, lambda wish: attack.attack_reasons(state, fighter, wish)
        )
        if choice == "pass":
            return
        battle.emit("bonus", rule, spec.rule, fighter=key, action=Text("action.attack"))
        _, weapon, target = choice.split("-", 2)
        attack.begin(battle, key, int(weapon), target)
    else:
        moving = primitive.action == "move"
        barred = not (move.may_move(state, fighter) if moving else move.may_disengage(state, fighter))
        if barred or (not moving and move.way_out(state, fighter) is None):
            return
        choice = yield Choose(
            side,
            f"ask.bonus-{primitive.action}",
            [primitive.action, "pass"],
            rule,
            key,
            lambda wish: _other_bonus(spec, primitive),
        )
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
    if active is not None and active.fighter == key:
        active.bonus = True


def _other_bonus(spec: Rule, primitive: BonusAction) -> list[Reason]:
    """Why another action is not what the ability grants."""
    facts = {"ability": spec.id, "kind": Text(f"action.{primitive.action}")}
    return [Reason("warcry.combat.bonus-actions", "reason.warcry.other-bonus", facts)]


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


def intercept(battle: Battle[State], spec: Rule, other: Fighter) -> None:
    """The attack action in progress is at somebody else now: cover and the danger of falling are judged anew."""
    state = battle.state
    attack = state.attack
    assert attack is not None
    attack.target = other.id
    attack.cover = cover(state, state.fighter(attack.attacker), other)
    attack.edge, attack.steps = on_open_edge(state, other), on_steps(state, other)
    battle.emit("intercepted", spec.rule, fighter=other.id, attacker=attack.attacker, cover=bool(attack.cover))


def spoilable(player: Player, dice: int) -> list[tuple[int, int]]:
    return [entry for entry in player.sets if entry[1] <= dice]


def _spoil(battle: Battle[State], fighter: Fighter, spec: Rule, dice: int) -> Steps[None]:
    opponent = battle.state.players[1 - fighter.side]
    found = spoilable(opponent, dice)
    if not found:
        return
    chosen = found[0]
    if len(found) > 1:
        options = [Option(f"{score}x{n}", Text("option.dice-set", {"score": score, "dice": n})) for score, n in found]
        answer = yield Choose(
            fighter.side,
            "ask.spoil",
            options,
            spec.rule,
            fighter.id,
            lambda wish: [Reason(spec.rule, "reason.warcry.spoil", {"wish": wish[:20], "most": dice})],
        )
        chosen = next(entry for entry in found if f"{entry[0]}x{entry[1]}" == answer)
    opponent.sets = tuple(entry for entry in opponent.sets if entry != chosen)
    side = 1 - fighter.side
    battle.emit("spoiled", spec.rule, side=side, player=seat(side), score=chosen[0], dice=chosen[1])


def wreckable(state: State, fighter: Fighter, inches: float) -> list[str]:
    """The terrain features within reach."""
    ground = state.ground
    base = fighter.base
    reach = fighter.profile.base / 50.8 + inches + TOLERANCE
    found: list[str] = []
    near = ground.near(base.x - reach, base.y - reach, base.x + reach, base.y + reach)
    low = [(n, Prism(p.points, p.floor, p.top)) for n, p in enumerate(ground.parts) if p.kind == "low"]
    for part, prism in (*near, *low):
        key = ground.feature_of[ground.parts[part].id].id
        if key not in found and true_distance(base, prism) <= inches + TOLERANCE:
            found.append(key)
    return found


def _tokens(state: State, fighter: Fighter, inches: float) -> list[str]:
    if why_not_carry(state, fighter):
        return []
    return [t.id for t in state.treasures if not t.carrier and within(to_spot(fighter, t.x, t.y, t.z), inches)]


def _take_treasure(battle: Battle[State], fighter: Fighter, inches: int, rule: str) -> Steps[None]:
    found = _tokens(battle.state, fighter, inches)
    if not found:
        return
    key = found[0]
    if len(found) > 1:
        key = yield Choose(
            fighter.side,
            "ask.pick-up",
            [Option(t, refs=(t,)) for t in found],
            rule,
            fighter.id,
            lambda wish: token_reasons(battle.state, fighter, wish, inches, rule),
        )
    take(battle, fighter, key, rule)
