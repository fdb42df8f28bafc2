"""Charge phase abilities: Charge, Forward to Victory, Counter-charge (aos.charge.charge)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import msgspec

from umpire.engine.decisions import Move
from umpire.engine.dice import Roll
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.aos.abilities import objections, use_ability
from umpire.games.aos.known_abilities import Ability, AosBattle, core, effect_of
from umpire.games.aos.movement import STAY, Ends, Limits, Mover, Spots, put
from umpire.games.aos.moves import not_in_combat, why_not_move
from umpire.games.aos.numbers import value
from umpire.games.aos.state import Feature, Model, State, Unit, Use
from umpire.games.aos.terrain import by_feature, gap_to, stand, unit_wholly_on
from umpire.games.aos.units import COMBAT_RANGE, enemies, near_and_seen, settle, some_see
from umpire.miniatures.loose.bodies import half_width, near, on_board, overlap, within
from umpire.miniatures.loose.groups import closest, distance_to, units_near
from umpire.miniatures.loose.nearing import HAIR
from umpire.miniatures.loose.room import by_polygon, from_edges, near_bodies, off_bodies, spots
from umpire.space.angles import rotate, sin_cos
from umpire.space.havens import Disc
from umpire.space.shapes import TOLERANCE, snap
from umpire.text import Text

TOUCH = 0.5
"""A charge ends no more than half an inch from a visible enemy unit."""
AROUND = tuple(sin_cos(15.0 * k) for k in range(24))
FITTED = 3
"""At so many places beside an enemy a unit that charges tries to close up."""


def not_run(state: State, unit: Unit) -> Iterator[Reason]:
    if "run" in unit.keywords_turn or "retreat" in unit.keywords_turn:
        yield Reason("aos.charge.charge", "reason.aos.ran", {"unit": unit.id})


def why_not_charge(state: State, unit: Unit) -> Iterator[Reason]:
    yield from not_in_combat(state, unit)
    yield from not_run(state, unit)
    yield from why_not_move(state, unit)


def out_of_reach(state: State, unit: Unit) -> bool:
    """Is every enemy further than the best roll leads, were it to one on terrain (aos.core.charge-on-terrain)?"""
    far = value(state, unit, "charge", 12).total + COMBAT_RANGE + TOLERANCE
    return all(
        math.hypot(foe.cx - unit.cx, foe.cy - unit.cy) > foe.cr + unit.cr + far or closest(unit, foe)[0] > far
        for foe in enemies(state, unit)
    )


def charge_roll(battle: AosBattle, use: Use) -> bool:
    """The charge roll stands in the declare instructions, so reactions see it."""
    unit = battle.state.unit(use.unit)
    use.dice = tuple(battle.roll(2, "charge", "aos.charge.charge", side=unit.side, who=unit.id).faces)
    return True


def reached(state: State, unit: Unit, ends: Ends) -> list[tuple[Model, Unit]]:
    """Models that would stand within half an inch of a visible enemy unit."""
    found = []
    models = list(ends.values())
    for foe in enemies(state, unit):
        far = foe.cr + TOUCH + TOLERANCE
        for end in models:
            dx, dy = end.x - foe.cx, end.y - foe.cy
            if dx * dx + dy * dy > (far + end.r) ** 2:
                continue
            if some_see(state, unit, foe, ((end, o) for o in foe.models if within(end, o, TOUCH))):
                found.append((end, foe))
                break
    return found


class Charger(Mover):
    """Judges and proposes charge moves."""

    def __init__(self, state: State, unit: Unit, inches: float) -> None:
        super().__init__(state, unit, Limits(inches, "aos.charge.charge", cross=True, end=True))
        self._no_place: dict[str, bool] = {}

    def final(self, ends: Ends) -> list[Reason]:
        if reached(self.state, self.unit, ends):
            return []
        if self._onto_terrain(ends):
            return []
        foes = [o for foe in enemies(self.state, self.unit) for o in foe.models]
        gap = min([distance_to(end, foes) for end in ends.values()], default=0.0)
        facts = {"unit": self.unit.id, "gap": round(max(0.0, gap), 3)}
        return [Reason("aos.charge.charge", "reason.aos.charge-short", facts)]

    def _onto_terrain(self, ends: Ends) -> bool:
        """aos.core.charge-on-terrain: beside the feature instead, if there is no place to end by the enemy on it."""
        for feature in self.state.terrain:
            if feature.unit or not any(by_feature(feature, end, TOUCH) for end in ends.values()):
                continue
            for foe in enemies(self.state, self.unit):
                if not unit_wholly_on(feature, foe):
                    continue
                if near_and_seen(self.state, self.unit, ends.values(), foe, COMBAT_RANGE) and self.no_place(foe):
                    self.used.append("aos.core.charge-on-terrain")
                    return True
        return False

    def no_place(self, foe: Unit) -> bool:
        """Is there nowhere within half an inch of an enemy unit where a model of this one could stand?"""
        if foe.id not in self._no_place:
            self._no_place[foe.id] = not any(self._place_by(m, o) for m in self._shapes() for o in foe.models)
        return self._no_place[foe.id]

    def _shapes(self) -> list[Model]:
        """A model of the unit, as it faces and turned: all of its bases are alike."""
        m = self.unit.models[0]
        if m.r == m.q:
            return [m]
        return [msgspec.structs.replace(m, facing=(m.facing + turn) % 360.0) for turn in (0.0, 45.0, 90.0, 135.0)]

    def _place_by(self, m: Model, o: Model) -> bool:
        """Tried all about the enemy, and at the corners of whatever room there is by it."""
        for s, c in AROUND:
            touch = half_width(m, s, c) + half_width(o, s, c)
            for far in (touch, touch + TOUCH / 2, touch + TOUCH):
                if self._stands(m, o, snap(o.x + s * far), snap(o.y + c * far)):
                    return True
        reach = 2 * m.r + o.r + TOUCH
        others = [b for b, _ in self.near_by.bodies if math.hypot(b.x - o.x, b.y - o.y) <= reach + b.r]
        rises = sorted({0.0, *(abs(part.top - o.z) for f in self.state.terrain for part in f.parts)})
        bounds = off_bodies(m, [o, *others]) + near_bodies(m, [o], TOUCH, [rise for rise in rises if rise <= TOUCH])
        bounds += from_edges(self.width, self.depth, m.r)
        for feature in self.state.terrain:
            if math.hypot(feature.x - o.x, feature.y - o.y) <= reach + feature.r:
                for part in feature.parts:
                    bounds += by_polygon(part.points, m.r) + by_polygon(part.points, 0.0)
        taken = [(b.x, b.y, b.q + m.q) for b in (o, *others)]
        by = [(o.x, o.y, o.r + m.r + TOUCH)]
        return any(self._stands(m, o, x, y) for x, y in spots(bounds, by, taken))

    def _stands(self, m: Model, o: Model, x: float, y: float) -> bool:
        """May a model stand here, within half an inch of that one?"""
        end = msgspec.structs.replace(m, x=x, y=y)
        if not (near(end, o, TOUCH) and on_board(end, self.width, self.depth)):
            return False
        if any(overlap(end, b) for b, _ in self.near_by.bodies):
            return False
        z, unfit = stand(self.state, end)
        return unfit is None and within(msgspec.structs.replace(end, z=z), o, TOUCH)

    def in_reach(self) -> list[tuple[float, Unit, Model, Model]]:
        found = []
        for foe in enemies(self.state, self.unit):
            dx, dy = foe.cx - self.unit.cx, foe.cy - self.unit.cy
            far = foe.cr + self.unit.cr + self.limits.allowance + TOUCH
            if dx * dx + dy * dy <= far * far:
                d, m, o = closest(self.unit, foe)
                if d <= self.limits.allowance + TOUCH + TOLERANCE:
                    found.append((d, foe, m, o))
        return found

    def held_features(self) -> list[Feature]:
        """Features within reach that an enemy unit stands wholly on."""
        far = self.limits.allowance + TOUCH
        foes = enemies(self.state, self.unit)
        return [
            feature
            for feature in self.state.terrain
            if not feature.unit
            and any(unit_wholly_on(feature, foe) for foe in foes)
            and any(by_feature(feature, m, far) for m in self.unit.models)
        ]

    def up_there(self) -> bool:
        """May an enemy be charged from the foot of the feature that it stands on (aos.core.charge-on-terrain)?"""
        far = self.limits.allowance + COMBAT_RANGE
        return any(
            unit_wholly_on(feature, foe) and units_near(self.unit, foe, far) and self.no_place(foe)
            for feature in self.held_features()
            for foe in enemies(self.state, self.unit)
        )

    def wishes(self, rng: Rng, targets: list[tuple[float, Unit, Model, Model]], count: int) -> Iterator[dict[str, Any]]:
        """Formation moves that bring the closest models together, straight or a little aside."""
        for n in range(count if targets else 0):
            d, _, m, o = targets[rng.below(len(targets))] if n else min(targets, key=lambda t: t[0])
            dx, dy = o.x - m.x, o.y - m.y
            whole = math.sqrt(dx * dx + dy * dy)
            ux, uy = (dx / whole, dy / whole) if whole else (0.0, 1.0)
            if n:
                ux, uy = rotate(ux, uy, rng.uniform(-35, 35))
            far = min(self.limits.allowance, max(0.0, d - (0.1 if n % 2 else 0.4)))
            yield {"to": {"x": round(self.unit.cx + ux * far, 3), "y": round(self.unit.cy + uy * far, 3)}}

    def propose(self, rng: Rng) -> Any:
        """The formation straight ahead; or one model to a free side of an enemy, and the others close up round it; or
        the formation past what is in its way."""
        targets = self.in_reach()
        ahead = []
        for wish in self.wishes(rng, targets, 2):
            if self._carries(wish):
                return wish
            ahead.append(wish)
        for _, foe, m, _ in rng.sample(targets, min(2, len(targets))):
            wish = self.contact(m, foe)
            if wish is not None and self.fits(wish):
                return wish
        for wish in ahead:
            if self.fits(wish):
                return wish
        for feature in self.held_features():
            near_by = min(gap_to(feature, m) for m in self.unit.models)
            wish = self.towards(feature.x, feature.y, min(self.limits.allowance, max(0.0, near_by - 0.2)))
            if self.fits(wish):
                return wish
        return dict(STAY)

    def rims(self, m: Model) -> list[Disc]:
        """A charge ends within half an inch of an enemy."""
        return [(o.x, o.y, m.r + o.r + TOUCH - HAIR) for _, foe, _, _ in self.in_reach() for o in foe.models]

    def nearest(self, answer: Any) -> Any:
        """A charge that succeeds, as near to the wish as it can; or any."""
        found = super().nearest(answer)
        return self.proposed if found == STAY else found

    def contact(self, m: Model, foe: Unit) -> Any:
        """Bring a model to within half an inch of an enemy unit, and the rest of its unit after it."""
        for end in itertools.islice(self._contacts(m, foe), FITTED):
            dx, dy = end.x - m.x, end.y - m.y
            spots: Spots = {n.id: (snap(n.x + dx), snap(n.y + dy), n.facing, None) for n in self.unit.models}
            fitted = self.fit(spots, [end])
            if fitted is not None:
                return {"models": {key: {"x": x, "y": y} for key, (x, y, _, _) in fitted.items()}}
        return None

    def _contacts(self, m: Model, foe: Unit) -> Iterator[Model]:
        """Free places by an enemy unit that a model can go straight to: ahead, or a little round the enemy's models."""
        for o in sorted(foe.models, key=lambda o: (o.x - m.x) ** 2 + (o.y - m.y) ** 2)[:3]:
            dx, dy = m.x - o.x, m.y - o.y
            whole = math.sqrt(dx * dx + dy * dy) or 1.0
            for turn in (0.0, 30.0, -30.0, 65.0, -65.0):
                ux, uy = rotate(dx / whole, dy / whole, turn)
                for far in dict.fromkeys((m.q + o.q + 0.25, (m.q + m.r + o.q + o.r) / 2 + 0.2, m.r + o.r + 0.2)):
                    spot = (snap(o.x + ux * far), snap(o.y + uy * far), m.facing, None)
                    end = self.try_spot(m, spot, [], self.near_by)
                    if end is not None and within(end, o, TOUCH):
                        yield end


@effect_of(
    Ability(
        "charge",
        "aos.charge.charge",
        "charge",
        "your",
        ("core", "move", "charge"),
        eligible=why_not_charge,
        vain=out_of_reach,
        declare=charge_roll,
    )
)
def charge(battle: AosBattle, use: Use) -> Steps[None]:
    """Up to the charge roll, to within half an inch of a visible enemy; only then has the unit charged."""
    state = battle.state
    unit = state.unit(use.unit)
    total = value(state, unit, "charge", sum(use.dice))
    charger = Charger(state, unit, float(total.total))
    if not charger.in_reach() and not charger.held_features():
        battle.emit("charge-fails", "aos.charge.charge", unit=unit.id, inches=total.total)
        return
    prompt = Text("ask.charge", {"unit": unit.id, "inches": charger.limits.allowance})
    rules = ("aos.charge.charge", "aos.core.movement")
    answer = yield Move(unit.side, prompt, charger, None, rules, unit.id, dict(STAY))
    plan = charger.plan(answer)
    ends = plan.ends
    if not ends:
        battle.emit("charge-fails", "aos.charge.charge", unit=unit.id, inches=total.total)
        return
    put(unit, ends)
    settle(state)
    unit.charged = True
    met = sorted({foe.id for _, foe in reached(state, unit, ends)})
    kinds = [state.unit(key).profile.kind for key in met]
    cited = ["aos.core.combat-range", *(rule for rule in dict.fromkeys(plan.used) if rule != "aos.core.movement")]
    if "manifestation" in kinds:
        cited.append("aos.core.manifestations")
    if "terrain" in kinds:
        cited.append("aos.core.faction-terrain")
    battle.emit("charged", "aos.charge.charge", *cited, unit=unit.id, inches=total.total, targets=met)


def charges(state: State, use: Use, unit: Unit) -> bool:
    return use.ability == "charge" and use.unit == unit.id


@effect_of(Ability("forward-to-victory", "aos.command.forward-to-victory", cost=1, trigger=charges))
def forward_to_victory(battle: AosBattle, use: Use) -> None:
    """Both dice again; the new result stands even if it is worse (aos.core.rerolls)."""
    charging = battle.state.use
    unit = battle.state.unit(charging.unit)
    first = Roll("charge", "aos.charge.charge", 6, list(charging.dice), unit.side, unit.id)
    charging.dice = tuple(battle.reroll(first, None, "aos.core.rerolls").faces)


def why_not_counter(state: State, unit: Unit) -> Iterator[Reason]:
    yield from not_in_combat(state, unit)
    best = float(value(state, unit, "charge", 12).total)
    most = best + TOUCH
    near_by = any(units_near(unit, foe, most) for foe in enemies(state, unit))
    if unit.models and not near_by and not Charger(state, unit, best).up_there():
        yield Reason("aos.command.counter-charge", "reason.aos.none-in-range", {"unit": unit.id, "range": most})
    for reason in objections(state, unit.side, core("charge"), unit, ("as-own",)):
        if reason.key != "reason.aos.in-combat":
            yield reason


@effect_of(Ability("counter-charge", "aos.command.counter-charge", "charge", "enemy", cost=2, eligible=why_not_counter))
def counter_charge(battle: AosBattle, use: Use) -> None:
    """One Charge ability as if it were one's own charge phase."""
    battle.push(use_ability, use.side, "charge", use.unit, ("as-own",))
