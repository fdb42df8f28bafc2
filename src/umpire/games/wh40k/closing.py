"""Piling in and consolidating: each model ends nearer to its nearest enemy (fight.pile-in.*, fight.consolidate.*)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from umpire.engine.decisions import Move
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.games.wh40k.ground import flies
from umpire.games.wh40k.measuring import enemies, settle, true_gap
from umpire.games.wh40k.moving import KINDS, STAY, Ends, Limits, Mover
from umpire.games.wh40k.state import Model, State, Unit, WhBattle
from umpire.games.wh40k.units import put
from umpire.miniatures.loose import nearing
from umpire.miniatures.loose.bodies import overlap
from umpire.miniatures.loose.room import Bounds, by_polygon, off_bodies, spots
from umpire.miniatures.loose.ways import placed
from umpire.space.havens import HAIR, Disc
from umpire.space.shapes import TOLERANCE, snap
from umpire.text import Text

LONE = "lone:"
"""How an act is named by which one model fights alone."""
REACH = 3.0
CLOSER = {
    "pile-in": ("wh40k.fight.pile-in.closer", "wh40k.fight.pile-in.base-contact"),
    "consolidate": ("wh40k.fight.consolidate.closer", "wh40k.fight.consolidate.base-contact"),
    "heroic": ("wh40k.charge.heroic.closer", ""),
}
FREE = {
    "pile-in": ("wh40k.fight.pile-in.optional", "wh40k.fight.pile-in.direction"),
    "consolidate": ("wh40k.fight.consolidate.optional", "wh40k.fight.consolidate.direction"),
}


def nearest_enemies(state: State, unit: Unit, model: Model) -> list[Model]:
    """The enemy models that are nearest to a model, all that are equally near; Aircraft are left out unless the unit
    has Fly (wh40k.move.aircraft-closest-ignored)."""
    skip = state.applies("wh40k.move.aircraft-closest-ignored") and not flies(state, unit)
    best, found = math.inf, []
    for foe in enemies(state, unit):
        if skip and foe.has("aircraft"):
            continue
        if math.hypot(foe.cx - model.x, foe.cy - model.y) - foe.cr - model.r > best + TOLERANCE:
            continue
        for other in foe.models:
            far = true_gap(model, other)
            if far < best - TOLERANCE:
                best, found = far, [other]
            elif far <= best + TOLERANCE:
                found.append(other)
    return found


def touched(state: State, unit: Unit, model: Model) -> str:
    """An enemy model that this one touches, an Aircraft too (wh40k.fight.pile-in.base-contact); "" where there is
    none."""
    foes = (o for key in unit.engaged for o in state.unit(key).models)
    return next((o.id for o in foes if true_gap(model, o) <= TOLERANCE), "")


class Closer(Mover):
    """A move of up to 3 inches in which every model that moves ends nearer to the enemy that was nearest to it; of
    several equally near the player means one."""

    def __init__(self, state: State, unit: Unit, kind: str, only: str = "") -> None:
        self.closest = {m.id: nearest_enemies(state, unit, m) for m in unit.models}
        self.touched = {m.id: touched(state, unit, m) for m in unit.models}
        self.only = only
        anybody = "charged" not in unit.marks or kind == "heroic" or state.applies(FREE[kind][1])
        limits = Limits(
            REACH, KINDS[kind].rule, cross=True, end=anybody, spared=unit.targets, ending="wh40k.core.engagement-entry"
        )
        super().__init__(state, unit, limits, kind, self._ends)

    def _ends(self, ends: Ends) -> list[Reason]:
        nearer, contact = CLOSER[self.kind]
        for m in self.unit.models:
            end, foes = ends[m.id], self.closest[m.id]
            if end is m or not foes:
                continue
            if self.only and m.id != self.only:
                return [Reason("wh40k.fight.single-model", "", {"model": m.id})]
            before = true_gap(m, foes[0])
            if contact and self.touched[m.id]:
                return [Reason(contact, "", {"model": m.id, "enemy": self.touched[m.id]})]
            if all(true_gap(end, foe) >= before - TOLERANCE for foe in foes):
                after = min(true_gap(end, foe) for foe in foes)
                facts = {"model": m.id, "enemy": foes[0].id, "before": round(before, 3), "after": round(after, 3)}
                return [Reason(nearer, "", facts)]
        return []

    def rims(self, m: Model) -> list[Disc]:
        """Who closes up ends nearer to his nearest enemy than before."""
        return [(o.x, o.y, math.hypot(o.x - m.x, o.y - m.y) - nearing.HAIR) for o in self.closest[m.id]]

    def may_close(self) -> bool:
        """Is there anybody who could move at all?"""
        contact = CLOSER[self.kind][1]
        return any(
            not (contact and self.touched[m.id] and self.state.applies(contact))
            for m in self.unit.models
            if self.closest[m.id] and (not self.only or m.id == self.only)
        )

    def propose(self, rng: Rng) -> Any:
        """Each model straight at its nearest enemy, those in front first, where there is room."""
        gaps = {m.id: true_gap(m, foes[0]) if (foes := self.closest[m.id]) else math.inf for m in self.unit.models}
        now = {m.id: m for m in self.unit.models}
        for m in sorted(self.unit.models, key=lambda m: gaps[m.id]):
            stays = CLOSER[self.kind][1] and self.touched[m.id]
            if self.closest[m.id] and gaps[m.id] > 0.05 and not stays and (not self.only or m.id == self.only):
                now[m.id] = self._towards(m, [o for key, o in now.items() if key != m.id], gaps[m.id])
        moved = {
            key: {"x": end.x, "y": end.y, **({"z": end.z} if end.z else {})}
            for key, end in now.items()
            if end is not self.unit.model(key)
        }
        answer = {"models": moved}
        if moved and self.fits(answer):
            return answer
        return self._round_about() if len(self.unit.models) == 1 else dict(STAY)

    def _round_about(self) -> Any:
        """One model alone that cannot go straight at its nearest enemy, as near to it as it comes past others: at the
        corners of the ground that is left, the nearest of them first."""
        (m,) = self.unit.models
        for foe in self.closest[m.id][:1]:
            far = math.hypot(foe.x - m.x, foe.y - m.y)
            if not self.has_haven(m, [(foe.x, foe.y, far - TOLERANCE)]):
                break
            nearer = [s for s in self._corners(m, foe, far) if math.dist(s, (foe.x, foe.y)) < far - TOLERANCE]
            for x, y in sorted(nearer, key=lambda s: math.dist(s, (foe.x, foe.y))):
                if not self._may_end(m, x, y):
                    continue
                for walls in ((), self.walls()) if self.walls() else ((),):
                    way = self.way_to(m, x, y, walls)
                    wish = {"x": x, "y": y, **({"path": [list(p) for p in way]} if way else {})}
                    if way is not None and self.fits({"models": {m.id: wish}}):
                        return {"models": {m.id: wish}}
        return dict(STAY)

    def _may_end(self, m: Model, x: float, y: float) -> bool:
        """Might a model end here, whatever its way?"""
        end = placed(m, x, y, 0.0, m.facing)
        if self._ends({m.id: end}):
            return False
        z, unfit = self.stand(end)
        if unfit is not None:
            return False
        end = placed(m, x, y, z, m.facing)
        taken = any(overlap(end, body) and self.meets(end, body) for body, _ in self.near_by.bodies)
        return not taken and not (z and self._ends({m.id: end}))

    def _corners(self, m: Model, foe: Model, far: float) -> Iterator[tuple[float, float]]:
        bodies = [body for body, _ in self.near_by.bodies]
        bounds = off_bodies(m, bodies) + Bounds(((foe.x, foe.y, far - 2 * TOLERANCE), (m.x, m.y, REACH - HAIR)))
        for feature in self.terrain:
            for part in feature.parts:
                bounds += by_polygon(part.points, m.r)
        return spots(bounds, [(m.x, m.y, REACH)], [(b.x, b.y, b.q + m.q) for b in bodies])

    def _towards(self, m: Model, others: Sequence[Model], far: float) -> Model:
        foe = self.closest[m.id][0]
        whole = math.hypot(foe.x - m.x, foe.y - m.y)
        if whole == 0.0:
            return m
        for part in (1.0, 0.999, 0.6, 0.3):
            go = min(REACH, far if part == 1.0 else far - 0.002) * part
            spot = (snap(m.x + (foe.x - m.x) / whole * go), snap(m.y + (foe.y - m.y) / whole * go), m.facing, None)
            end = self.try_spot(m, spot, others, self.near_by)
            if end is not None and true_gap(end, foe) < far - TOLERANCE:
                return end
        return m

    def nearest(self, answer: Any) -> Any:
        """The wish as far as is legal, or else closing up."""
        found = super().nearest(answer)
        return self.proposed if found == STAY else found


def lone(unit: Unit) -> str:
    """wh40k.fight.single-model: the only model of a unit that fights now, if a rule says so."""
    return next((act[len(LONE) :] for act in unit.acts if act.startswith(LONE)), "")


def close_in(battle: WhBattle, unit: Unit, kind: str) -> Steps[None]:
    """wh40k.fight.pile-in.optional, consolidate.optional: each model may stay."""
    state = battle.state
    closer = Closer(state, unit, kind, lone(unit))
    if not closer.may_close():
        return
    rule = KINDS[kind].rule
    answer = yield Move(unit.side, Text(f"ask.{kind}", {"unit": unit.id}), closer, None, rule, unit.id, dict(STAY))
    plan = closer.plan(answer)
    before, before_models = unit.engaged, {m.id: m for m in unit.models}
    moved = sum(plan.ends[m.id] is not m for m in unit.models) if plan.ends else 0
    put(unit, plan.ends)
    settle(state)
    if moved:
        unit.mark("closed-in")
    rules = [rule, CLOSER[kind][0]] if moved else [FREE[kind][0]]
    if moved and any(len(closer.closest[m.id]) > 1 for m in unit.models if before_models[m.id] is not m):
        rules[1] = "wh40k.core.closest-tie-user"
    if any(key not in before for key in unit.engaged):
        rules.append(FREE[kind][1])
    elif moved and any(foe.has("aircraft") for foe in enemies(state, unit)) and not flies(state, unit):
        rules.append("wh40k.move.aircraft-closest-ignored")
    battle.emit(kind, *rules, unit=unit.id, models=moved)
