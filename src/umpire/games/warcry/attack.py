"""Attack actions: weapon and target, hit rolls against Toughness, damage, and the tests that follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm
from umpire.engine.effects import Effect
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.warcry import reactions
from umpire.games.warcry.damage import deal
from umpire.games.warcry.dice import orderer, passes
from umpire.games.warcry.falling import fall_test, on_open_edge, on_steps
from umpire.games.warcry.sight import cover_and_why_not, sees
from umpire.games.warcry.state import ENGAGED, Attack, Fighter, State, distance, horizontal, value, weapon_range
from umpire.rulebook.deciding import decides
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

Result = Literal["miss", "hit", "critical"]

COVER = 1
"""What cover adds to Toughness."""


def need_to_hit(strength: int, toughness: int) -> int:
    """warcry.attack.hit-table: the die from which on an attack hits; a 6 is always critical."""
    return 3 if strength > toughness else 4 if strength == toughness else 5


def read_hits(faces: Sequence[int], strength: int, toughness: int) -> list[Result]:
    need = need_to_hit(strength, toughness)
    return ["critical" if face == 6 else "hit" if face >= need else "miss" for face in faces]


def to_reroll(faces: Sequence[int], results: Sequence[Result], again: Effect) -> list[int]:
    """Which hit rolls an effect lets roll again: misses or ones, the lowest first, as many as it allows."""
    misses = [n for n, face in enumerate(faces) if face == 1 or (results[n] == "miss" and again.data["misses"])]
    return sorted(misses, key=lambda n: faces[n])[: int(again.value)]


def riposte_points(face: int, result: Result, riposte: tuple[int, int]) -> int:
    """What one hit roll costs the attacker when it is countered: so much for a miss, so much for a 1."""
    miss, one = riposte
    return 0 if result != "miss" else one if face == 1 else miss


# -- targets -----------------------------------------------------------------------------------------------------


def taunter(state: State, fighter: Fighter) -> str:
    """The fighter that this one has to attack, as long as it is on the battlefield (warcry.monster.hunter-taunt)."""
    for effect in state.effects:
        if effect.on == fighter.id and effect.what == "taunt" and state.fighter(effect.source).where == "field":
            return effect.source
    return ""


class Aim:
    """A fighter who looks for a target: what stands against each weapon and enemy, measured once."""

    def __init__(self, state: State, fighter: Fighter) -> None:
        self.state, self.fighter = state, fighter
        self._must = taunter(state, fighter) if state.effects else ""
        # A monster with a huge reach leaves heights out.
        self._flat = bool(state.effects) and bool(effects.on(state, fighter.id, "ignore-height"))
        self._ranges = [weapon_range(state, fighter, n) for n in range(len(fighter.profile.weapons))]
        self._near = self._within(max(ENGAGED, *self._ranges))
        self._close = [enemy.id for enemy in self._near if distance(fighter, enemy) <= ENGAGED + TOLERANCE]
        self._seen: dict[str, bool] = {}

    def _within(self, reach: float) -> list[Fighter]:
        """Those who need be looked at: nobody farther off along one axis than every weapon reaches."""
        state, fighter = self.state, self.fighter
        if self._flat or state.without:
            return state.enemies(fighter)
        side, x, y, reach = fighter.side, fighter.x, fighter.y, reach + TOLERANCE + fighter.profile.base / 50.8
        found = []
        for other in state.fighters:
            if other.side != side and other.where == "field":
                far = reach + other.profile.base / 50.8
                if -far <= other.x - x <= far and -far <= other.y - y <= far:
                    found.append(other)
        return found

    def targets(self, kind: str) -> Iterator[tuple[int, Fighter]]:
        """All legal choices of weapon and target; of one kind of attack action, if given."""
        for n, arm in enumerate(self.fighter.profile.weapons if self._near else ()):
            if not kind or arm.kind == kind:
                yield from ((n, enemy) for enemy in self._near if self.may_attack(n, enemy))

    def _sees(self, enemy: Fighter) -> bool:
        if enemy.id not in self._seen:
            self._seen[enemy.id] = sees(self.state, self.fighter, enemy)
        return self._seen[enemy.id]

    @decides("warcry.attack.target")
    def objections(self, weapon: int, target: Fighter) -> Iterator[Reason]:
        """Every reason why an enemy cannot be the target of an attack action with this weapon."""
        state, fighter = self.state, self.fighter
        if state.effects:
            yield from (Reason(e.rule, "reason.warcry.forbidden") for e in effects.forbids(state, fighter.id, "attack"))
        arm = fighter.profile.weapons[weapon]
        gap = (horizontal if self._flat else distance)(fighter, target)
        most = self._ranges[weapon]
        if gap > most + TOLERANCE:
            yield Reason("warcry.attack.range", facts={"distance": round(gap, 3), "range": most})
        if arm.least and gap <= arm.least + TOLERANCE:
            yield Reason("warcry.attack.min-range", facts={"distance": round(gap, 3), "least": arm.least})
        if self._close and target.id not in self._close:
            yield Reason("warcry.attack.target-adjacent", facts={"fighter": self._close})
        if not arm.melee:
            friends = [f.id for f in state.friends(fighter) if distance(f, target) <= 1.0 + TOLERANCE]
            if friends:
                yield Reason("warcry.attack.missile-into-combat", facts={"fighter": friends})
        if self._must and target.id != self._must:
            yield Reason("warcry.monster.hunter-taunt", facts={"fighter": self._must})
        if not self._sees(target):
            yield Reason("warcry.core.visibility", facts={"fighter": target.id})

    def may_attack(self, weapon: int, target: Fighter) -> bool:
        return next(standing(self.state, self.objections(weapon, target)), None) is None


def target_reasons(state: State, fighter: Fighter, weapon: int, target: Fighter) -> list[Reason]:
    """Every reason why an enemy cannot be the target of an attack action with this weapon."""
    return list(standing(state, Aim(state, fighter).objections(weapon, target)))


def attack_reasons(state: State, fighter: Fighter, wish: str) -> list[Reason]:
    """Why an attack (`attack-<weapon>-<target>`) is not on offer."""
    parts = wish.split("-", 2)
    if parts[0] != "attack" or len(parts) < 3 or not parts[1].isdigit():
        return []
    target = next((f for f in state.fighters if f.id == parts[2]), None)
    if target is None:
        return []
    if int(parts[1]) >= len(fighter.profile.weapons):
        facts = {"fighter": fighter.id, "weapons": len(fighter.profile.weapons)}
        return [Reason("warcry.attack.weapon", facts=facts)]
    if target.side == fighter.side:
        return [Reason("warcry.core.friendly-enemy", "reason.warcry.not-enemy", {"fighter": target.id})]
    if target.where != "field":
        return [Reason("warcry.attack.target", "reason.warcry.off-field", {"fighter": target.id})]
    return target_reasons(state, fighter, int(parts[1]), target)


def targets(state: State, fighter: Fighter, kind: str = "") -> list[tuple[int, Fighter]]:
    """All legal choices of weapon and target (of one kind of attack action, if given)."""
    return list(Aim(state, fighter).targets(kind))


# -- the action --------------------------------------------------------------------------------------------------


def begin(battle: Battle[State], key: str, weapon: int, target: str) -> None:
    """Weapon and target are fixed: cover and the danger of falling are judged now; reactions and hit rolls follow."""
    state = battle.state
    fighter, enemy = state.fighter(key), state.fighter(target)
    arm = fighter.profile.weapons[weapon]
    rules = ["warcry.attack.sequence"]
    gap = distance(fighter, enemy)
    if fighter.climbing:
        rules.append("warcry.move.climb-attack")
    if state.effects:
        if taunter(state, fighter):
            rules.append("warcry.monster.hunter-taunt")
        if effects.on(state, key, "ignore-height"):
            rules.append("warcry.monster.huge-reach")
    covered, ignored = cover_and_why_not(state, fighter, enemy)
    rules += ignored
    state.attack = Attack(
        key, target, weapon, cover=covered, edge=on_open_edge(state, enemy), steps=on_steps(state, enemy)
    )
    if state.active is not None and state.active.fighter == key:
        state.active.attacked = True
    battle.emit(
        "attack",
        *rules,
        fighter=key,
        target=target,
        weapon=Text(f"weapon.{arm.runemark}"),
        distance=round(gap, 3),
        cover=bool(covered),
    )
    battle.plan(reactions.targeted, strike, aftermath)


def toughness(state: State, target: Fighter, covered: str) -> effects.Number:
    extra = (Effect(target.id, "toughness", "add", COVER, "warcry.terrain.cover", "cover"),) if covered else ()
    return value(state, target, "toughness", 0, extra)


@step
def strike(battle: Battle[State]) -> Steps[None]:
    """Hit rolls, re-rolls, the total of damage, and the riposte of a counter."""
    state = battle.state
    attack = state.attack
    assert attack is not None
    fighter, target = state.fighter(attack.attacker), state.fighter(attack.target)
    if fighter.where != "field" or target.where != "field":
        return
    attacks = value(state, fighter, "attacks", attack.weapon)
    strength = value(state, fighter, "strength", attack.weapon)
    tough = toughness(state, target, attack.cover)
    need = need_to_hit(int(strength), int(tough))
    roll = battle.roll(
        int(attacks),
        "hit",
        "warcry.attack.hit-rolls",
        side=fighter.side,
        who=fighter.id,
        need=need,
        strength=int(strength),
        toughness=int(tough),
    )
    results = read_hits(roll.faces, int(strength), int(tough))
    again = effects.on(state, fighter.id, "reroll") if state.effects else []
    if again:
        misses = to_reroll(roll.faces, results, again[0])
        if misses and (yield Confirm(fighter.side, "ask.reroll", "warcry.core.reroll", fighter.id)):
            roll = battle.reroll(roll, misses, "warcry.core.reroll")
            results = read_hits(roll.faces, int(strength), int(tough))
    rules = [*attacks.rules, *strength.rules, *tough.rules, "warcry.attack.hit-table", "warcry.attack.damage-total"]
    if attack.cover:
        rules.append(attack.cover)
    if attack.soften and "critical" in results:
        saves = battle.roll(
            results.count("critical"),
            "soften",
            "warcry.reaction.take-cover",
            side=target.side,
            who=target.id,
            need=attack.soften,
        )
        softened = sum(passes(face, attack.soften) for face in saves.faces)
        for _ in range(softened):
            results[results.index("critical")] = "hit"
        rules += ["warcry.core.target-number"]
    hits, criticals = results.count("hit"), results.count("critical")
    hurt, worse = value(state, fighter, "damage", attack.weapon), value(state, fighter, "critical", attack.weapon)
    total = hits * int(hurt) + criticals * int(worse)
    if criticals and target.monster and effects.on(state, fighter.id, "vitals"):
        rule = "warcry.monster.hunter-vitals"
        effects.add(state, Effect(target.id, "attacks", "add", -1, rule, f"vitals-{len(battle.events)}", stacks=True))
        rules.append(rule)
    state.effects = [e for e in state.effects if not (e.on == fighter.id and e.what == "vitals")]
    battle.emit(
        "hits",
        *rules,
        *hurt.rules,
        *worse.rules,
        fighter=fighter.id,
        target=target.id,
        hits=hits,
        criticals=criticals,
        damage=total,
    )
    back = 0
    if attack.riposte != (0, 0):
        back = sum(riposte_points(face, read, attack.riposte) for face, read in zip(roll.faces, results, strict=True))
    deals = [(target.id, total, fighter.side, ()), (fighter.id, back, target.side, ("warcry.reaction.counter",))]
    if total and back:
        first = yield Choose(
            orderer(battle, "order"), "ask.order", ["attack", "riposte"], "warcry.core.sequencing", fighter.id
        )
        battle.emit("ordered", "warcry.core.sequencing", first=first)
        if first == "riposte":
            deals.reverse()
    for key, points, by, cited in deals:
        yield from deal(battle, key, points, by, *cited)


@step
def aftermath(battle: Battle[State]) -> Steps[None]:
    """Fall tests after the attack is resolved, whether or not it hit."""
    state = battle.state
    attack = state.attack
    assert attack is not None
    state.attack = None
    effects.end(state, "attack")
    by = state.fighter(attack.attacker).side
    if attack.steps:
        yield from fall_test(battle, attack.target, by, "warcry.terrain.stairs-fall-test")
    elif attack.edge:
        yield from fall_test(battle, attack.target, by, "warcry.terrain.edge-fall-test")
