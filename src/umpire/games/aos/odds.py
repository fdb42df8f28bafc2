"""Exact odds of attacks, charges, spells, prayers and other rolls, read by the very functions that play uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Decision, Json, Move, Order
from umpire.games.aos import attacks
from umpire.games.aos.abilities import reactions
from umpire.games.aos.charging import Charger
from umpire.games.aos.damage import health, saved_by_ward
from umpire.games.aos.hero import rallies, rally_rolls
from umpire.games.aos.known_abilities import used
from umpire.games.aos.magic import can_unbind, unbind_modifier, unbinds
from umpire.games.aos.movement import STAY
from umpire.games.aos.numbers import capped, value, wards
from umpire.games.aos.profiles import Weapon, amount
from umpire.games.aos.state import State, Unit, Use
from umpire.games.aos.units import enemies
from umpire.miniatures.loose.groups import unit_gap
from umpire.odds import Dist, Number, Outcomes, Target, dice, faces
from umpire.odds import amount as dice_amount
from umpire.odds.ahead import every_throw, to_dice, wanted
from umpire.odds.charges import charge_told
from umpire.odds.telling import Label, Odds, chance, fact, number, told
from umpire.text import words

AosBattle = Battle[State]


def dist_of(text: str) -> Dist:
    """A fixed or random number."""
    n = amount(text)
    return dice_amount(n.dice, n.sides, n.plus)


# -- attacks -----------------------------------------------------------------------------------------------------


def rolls(
    state: State, use: Use, unit: Unit, target: Unit, weapon: Weapon, shooting: bool
) -> tuple[int, int, int, int]:
    """What changes the hit and the wound roll of an attack, the Save, and what changes its roll."""
    return (
        capped(attacks.hit_modifiers(state, use, unit, target, weapon, shooting), without=state.without),
        capped(attacks.wound_modifiers(state, unit, target, weapon), without=state.without),
        int(attacks.save_of(state, unit, target, weapon)),
        attacks.save_modifier(
            state, target, attacks.rend_of(state, unit, weapon, target), attacks.helpers(state, unit, weapon)
        ),
    )


def attack_dist(state: State, use: Use, unit: Unit, target: Unit, weapon: Weapon, shooting: bool) -> Dist:
    """The damage points of one attack with a weapon, before wards."""
    damage = dist_of(weapon.damage).map(lambda base: attacks.damage_value(state, unit, weapon, base))
    return attack_sequence(weapon, *rolls(state, use, unit, target, weapon, shooting), damage, state.without)


def attack_sequence(
    weapon: Weapon, hit_mod: int, wound_mod: int, save: int, save_mod: int, damage: Dist, without: Sequence[str] = ()
) -> Dist:
    """Hit, wound and save rolls of one attack, and its damage."""
    saved = faces(6, lambda face: attacks.read_save(face, save, save_mod)).mix({True: 0, False: damage})
    wounded = faces(6, lambda face: attacks.read_wound(face, weapon.wound, wound_mod)).mix({True: saved, False: 0})
    critical = {"mortal": damage, "auto-wound": saved, "2-hits": wounded.times(2), "hit": wounded}
    return faces(6, lambda face: attacks.read_hit(face, weapon.hit, hit_mod)).mix(
        {"miss": 0, "hit": wounded, "crit": critical[attacks.read_critical(weapon, without)]}
    )


def each_attack(state: State, use: Use, unit: Unit, target: Unit, weapon: Weapon, shooting: bool) -> Odds:
    """The chances of one attack: to hit, then to wound, then to get past the save."""
    hit_mod, wound_mod, save, save_mod = rolls(state, use, unit, target, weapon, shooting)
    hits = 1 - faces(6, lambda face: attacks.read_hit(face, weapon.hit, hit_mod))["miss"]
    wounds = faces(6, lambda face: attacks.read_wound(face, weapon.wound, wound_mod))[True]
    unsaved = faces(6, lambda face: attacks.read_save(face, save, save_mod))[False]
    return fact(
        words("odds.aos.to-hit-to-wound-unsaved", name=weapon.name),
        " · ".join(f"{100 * p:.0f} %" for p in (hits, wounds, unsaved)),
    )


def attacks_dist(state: State, unit: Unit, weapon: Weapon, target: Unit) -> Dist:
    """How many attacks the models that reach the target make with a weapon."""
    reach = attacks.reach_of(state, unit, weapon, [target])
    each = dist_of(weapon.attacks)
    total = Dist.certain(0)
    for m in unit.models:
        if reach[m.id]:
            total = total + each.map(lambda base, m=m: attacks.attacks_value(state, unit, weapon, m, base))  # type: ignore[misc]
    return total


def aimed(state: State, unit: Unit, target: Unit, shooting: bool) -> list[tuple[Weapon, Number]]:
    """The attacks of each weapon, if as many as can are aimed at one target."""
    return [(w, attacks_dist(state, unit, w, target)) for w in attacks.weapons_of(state, unit, shooting)]


def declared(unit: Unit, use: Use, target: str) -> list[tuple[Weapon, Number]]:
    """The attacks of each weapon that have been aimed at a target."""
    weapons = {w.id: w for w in unit.profile.weapons}
    return [(weapons[key], count) for key, aim, count in use.attacks if aim == target]


def warded(dealt: Dist, ward: int) -> Dist:
    """What a ward save leaves of a pool of damage points."""
    return dealt.thin(sum(not saved_by_ward(face, ward) for face in range(1, 7)) / 6)


def damage_dist(
    state: State, use: Use, unit: Unit, target: Unit, shooting: bool, attacks: list[tuple[Weapon, Number]]
) -> Dist:
    """The points that an Attack ability against one target leaves after wards."""
    total = Dist.certain(0)
    for weapon, count in attacks:
        total = total + attack_dist(state, use, unit, target, weapon, shooting).times(count)
    found = wards(state, target)
    return warded(total, min(found)) if found else total


def suffered(state: State, target: Unit, damage: Dist) -> Target:
    """The target after damage points that no ward has saved."""
    each = health(state, target)
    return Target(each, len(target.models), min(target.damage, each - 1)).suffer(damage)


def harm(state: State, title: Label, target: Unit, damage: Dist) -> Odds:
    """What damage points do to a unit."""
    after = suffered(state, target, damage)
    return told(
        title,
        number("odds.aos.mean-damage", damage.mean),
        number("odds.aos.models-slain", after.slain.mean),
        chance("odds.aos.unit-destroyed", after.destroyed),
        chance("odds.aos.no-damage", damage.at_most(0)),
        damage=damage,
        slain=after.slain,
    )


def attack_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds | None:
    """An Attack ability whose targets are declared, or whose random Attacks are about to be rolled."""
    state = ahead.state
    use = state.use
    unit = state.unit(use.unit)
    shooting = not used(state, use).has("fight")
    if use.attacks:
        target = state.unit(use.targets[0])
        attacks = declared(unit, use, target.id)
    else:
        last = ahead.answers[-1].answer
        picked = isinstance(last, str) and last in state.units and state.unit(last).side != unit.side
        foes = [state.unit(key) for key in ([last] if picked else unit.fights)] or enemies(state, unit)
        found = [(foe, aimed(state, unit, foe, shooting)) for foe in foes]
        reached = [(foe, counts) for foe, counts in found if any(Dist.certain(0) != n for _, n in counts)]
        if len(reached) != 1:
            return None
        target, attacks = reached[0]
    harmed = harm(state, "odds.aos.attack", target, damage_dist(state, use, unit, target, shooting, attacks))
    for weapon, count in attacks:
        if Dist.certain(0) != count:
            harmed["lines"].append(each_attack(state, use, unit, target, weapon, shooting))
    return harmed


# -- charges -----------------------------------------------------------------------------------------------------


def charge_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds:
    """The chance that the charge roll lets the unit end its move near an enemy."""
    state = ahead.state
    unit = state.unit(state.use.unit)
    inches = {n: int(value(state, unit, "charge", n).total) for n in range(2, 13)}
    arrives = {n: charge_arrives(state, unit, far) for n, far in inches.items()}
    gap = number("odds.aos.nearest-enemy", min((unit_gap(unit, foe) for foe in enemies(state, unit)), default=0))
    again = any(ability.id == "forward-to-victory" for ability, _ in reactions(state, state.use, unit.side))
    return charge_told("aos", gap, inches, arrives, dice(2), again)


def charge_arrives(state: State, unit: Unit, inches: int) -> bool:
    """Is there a legal end for a charge of so many inches?"""
    charger = Charger(state, unit, float(inches))
    return bool(charger.in_reach() or charger.held_features()) and charger.proposed != STAY


# -- few dice: every throw is played -----------------------------------------------------------------------------


def came(ahead: AosBattle, *kinds: str) -> Outcomes[str]:
    """Which of these events each throw brings."""
    told_before = len(ahead.events)

    def read(thrown: AosBattle) -> str:
        return next((event.kind for event in thrown.events[told_before:] if event.kind in kinds), "")

    return every_throw(ahead, read)


def cast_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds:
    """A casting roll; and how often the spell stands where an enemy that may try to unbind it does."""
    side, told_before = ahead.state.use.side, len(ahead.events)

    def read(thrown: AosBattle) -> tuple[str, int, str]:
        kinds = [event.kind for event in thrown.events[told_before:]]
        if "cast" not in kinds:
            return "miscast" if "miscast" in kinds else "fails", 0, ""
        state = thrown.state
        able = [u.id for u in state.army(1 - side) if state.uses and can_unbind(state, state.use, u)]
        best = max(able, key=lambda key: unbind_modifier(state, state.unit(key)), default="")
        return "cast", state.use.roll if best else 0, best

    thrown = every_throw(ahead, read)
    lines = [
        chance("odds.aos.cast", thrown.chance(lambda found: found[0] == "cast")),
        chance("odds.aos.miscast", thrown.chance(lambda found: found[0] == "miscast")),
    ]
    if thrown.chance(lambda found: bool(found[2])):

        def stands(found: tuple[str, int, str]) -> Dist:
            kind, roll, who = found
            if not who:
                return Dist.certain(kind == "cast")
            against = dice(2) + unbind_modifier(ahead.state, ahead.state.unit(who))
            return against.map(lambda total: not unbinds(total, roll))

        lines.append(chance("odds.aos.cast-though-they-try-to", thrown.mix(stands).at_least(1)))
    return told("odds.aos.spell", *lines)


def unbind_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds:
    return told(
        "odds.aos.unbind",
        chance("odds.aos.spell-unbound", came(ahead, "unbound", "not-unbound")["unbound"]),
    )


def chant_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds:
    """A chanting roll; an answer is asked for wherever it can be."""
    told_before = len(ahead.events)

    def read(thrown: AosBattle) -> str:
        if thrown.decision is not None and thrown.decision.prompt.key == "ask.chant":
            thrown.answer("answer")
        kinds = [event.kind for event in thrown.events[told_before:]]
        return next((k for k in kinds if k in ("answered", "unanswered", "chant-nothing")), "fails")

    thrown = every_throw(ahead, read)
    return told(
        "odds.aos.prayer",
        chance("odds.aos.can-be-answered", thrown["answered"]),
        chance("odds.aos.fails", thrown["fails"]),
    )


def banish_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds:
    return told(
        "odds.aos.banish",
        chance("odds.aos.banished", came(ahead, "banished", "not-banished")["banished"]),
    )


def power_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds:
    return told("odds.aos.place-of-power", chance("odds.aos.empowered", came(ahead, "empowered")["empowered"]))


def ability_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds:
    works = 1.0 - came(ahead, "no-effect")["no-effect"]
    return told("odds.aos.ability", chance("odds.aos.takes-effect", works))


def priority_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds:
    """The priority roll that ends this round: both dice, each on its own."""

    def chooser(thrown: AosBattle) -> int:
        assert thrown.decision is not None
        return thrown.decision.side

    mine = sum(p * every_throw(first, chooser)[decision.side] for first, p in each(ahead))
    return told("odds.aos.priority", chance("odds.aos.you-decide-who-goes-first", mine))


def each(ahead: AosBattle) -> list[tuple[AosBattle, float]]:
    """The battle after each face of the one die that is wanted."""
    found: list[AosBattle] = []
    every_throw(ahead, found.append)
    return [(thrown, 1.0 / len(found)) for thrown in found]


def move_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds | None:
    """A run or a redeployment: how far the unit may move."""

    def inches(thrown: AosBattle) -> int:
        ask = thrown.decision
        return int(ask.form.limit) if isinstance(ask, Move) and ask.form.limit is not None else -1

    far = every_throw(ahead, inches)
    if far[-1]:
        return None
    dist = far.dist(lambda n: n)
    return told("odds.aos.move", number("odds.aos.mean-inches", dist.mean), inches=dist)


def mortal_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds | None:
    """Mortal damage that an ability deals to one unit: to its own in a retreat, to an enemy by power."""

    def pools(thrown: AosBattle) -> tuple[tuple[str, int], ...]:
        return tuple(thrown.state.pools.items())

    thrown = every_throw(ahead, pools)
    hurt = {key for pool in thrown for key, _ in pool}
    if len(hurt) != 1 or not all(thrown):
        return None
    state, target = ahead.state, ahead.state.unit(hurt.pop())
    damage = thrown.dist(lambda pool: pool[0][1])
    found = wards(state, target)
    return harm(state, "odds.aos.mortal-damage", target, warded(damage, min(found)) if found else damage)


def rally_odds(ahead: AosBattle, decision: Decision, answer: Json) -> Odds:
    state = ahead.state
    unit = state.unit(state.use.unit)
    rolls, _ = rally_rolls(state, unit)
    points = faces(6, rallies).count(rolls)
    back = (points // health(state, unit)).min(len(unit.slain))
    return told(
        "odds.aos.rally",
        number("odds.aos.mean-rally-points", points.mean),
        number("odds.aos.mean-models-that-may-return", back.mean),
        points=points,
    )


READ: dict[str, Callable[[AosBattle, Decision, Json], Odds | None]] = {
    "hit": attack_odds,
    "attacks": attack_odds,
    "charge": charge_odds,
    "cast": cast_odds,
    "unbind": unbind_odds,
    "chant": chant_odds,
    "banish": banish_odds,
    "place-of-power": power_odds,
    "ability": ability_odds,
    "priority": priority_odds,
    "run": move_odds,
    "redeploy": move_odds,
    "mortal": mortal_odds,
    "rally": rally_odds,
}
"""What is told of the dice that an answer leads to, by their purpose."""


def reply(ask: Decision) -> Json:
    """On the way to the dice nobody reacts, nobody moves, and the first of several targets is taken."""
    if isinstance(ask, Move):
        return ask.default if ask.prompt.key == "ask.pile-in" else None
    match ask.prompt.key:
        case "ask.react":
            return "pass"
        case "ask.target" | "ask.pile-in-target" if isinstance(ask, Choose):
            return next(iter(ask.options))
        case "ask.pick" if isinstance(ask, ChooseSeveral):
            return list(ask.options)[: ask.least]
        case "ask.target-order" if isinstance(ask, Order):
            return list(ask.options)
    return None


def odds(battle: AosBattle, decision: Decision, answer: Any) -> Odds | None:
    """What an answer would probably bring; None where nothing is left to chance."""
    weighed = isinstance(decision, (Choose, ChooseSeveral, Order)) or decision.prompt.key == "ask.pile-in"
    if not weighed or not decision.check(answer):
        return None
    ahead = to_dice(battle, answer, decision.side, reply)
    read = READ.get(wanted(ahead)[0]) if ahead is not None else None
    return read(ahead, decision, answer) if read is not None and ahead is not None else None
