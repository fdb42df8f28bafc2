"""One fight: pile in, attacks, consolidate (fight.pile-in.*, fight.models.*, fight.attacks.*)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from umpire.engine.decisions import Declare, Json, Move, Option
from umpire.engine.decisions.declaring import Part, Row, read_parts
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.attacks import resolve
from umpire.games.wh40k.characteristics import printed, value
from umpire.games.wh40k.cover import covered
from umpire.games.wh40k.dice import rolled
from umpire.games.wh40k.measuring import enemies, engages, gap, settle
from umpire.games.wh40k.moving import STAY, Ends, Limits, Mover
from umpire.games.wh40k.profiles import CLOSE_COMBAT, Profile, Weapon, amount
from umpire.games.wh40k.state import Group, Model, State, Unit, Volley, WhBattle
from umpire.games.wh40k.units import coherent, put
from umpire.space.shapes import TOLERANCE, snap
from umpire.text import Text

REACH = 3.0
SECOND_RANK = 0.5


# -- piling in and consolidating -----------------------------------------------------------------------------------


def nearest_enemy(state: State, unit: Unit, model: Model) -> Model | None:
    best: tuple[float, Model] | None = None
    for foe in enemies(state, unit):
        if best is not None and math.hypot(foe.cx - model.x, foe.cy - model.y) - foe.cr - model.r > best[0]:
            continue
        for other in foe.models:
            far = gap(model, other)
            if best is None or far < best[0]:
                best = (far, other)
    return best[1] if best else None


class Closer:
    """A move of up to 3 inches in which every model that moves ends nearer to the enemy that was nearest to it."""

    def __init__(self, state: State, unit: Unit, kind: str) -> None:
        self.state = state
        self.unit = unit
        self.kind = kind
        self.near = {m.id: nearest_enemy(state, unit, m) for m in unit.models}
        limits = Limits(
            f"wh40k.fight.{kind}.distance", {m.id: REACH for m in unit.models}, "wh40k.core.engagement-entry", end=True
        )
        self.mover = Mover(state, unit, limits, self.final)

    def final(self, ends: Ends) -> list[Reason]:
        for m in self.unit.models:
            end, foe = ends[m.id], self.near[m.id]
            if end is m or foe is None:
                continue
            if gap(m, foe) <= TOLERANCE:
                return [Reason(f"wh40k.fight.{self.kind}.base-contact", "reason.wh40k.in-contact", {"model": m.id})]
            if gap(end, foe) >= gap(m, foe) - TOLERANCE:
                return [Reason(f"wh40k.fight.{self.kind}.closer", "reason.wh40k.not-closer", {"model": m.id})]
        return []

    def propose(self, rng: Rng) -> Any:
        """Each model straight at its nearest enemy, those in front first, where there is room."""
        placed: list[Model] = []
        order = sorted(
            self.unit.models, key=lambda m: gap(m, foe) if (foe := self.near[m.id]) is not None else math.inf
        )
        for m in order:
            placed.append(self._towards(m, placed, [o for o in order if o.id not in {p.id for p in placed}]))
        if not coherent(placed):
            return dict(STAY)
        known = {m.id: m for m in self.unit.models}
        moved = {p.id: {"x": p.x, "y": p.y} for p in placed if p != known[p.id]}
        return {"models": moved} if moved else dict(STAY)

    def _towards(self, m: Model, placed: Sequence[Model], waiting: Sequence[Model]) -> Model:
        foe = self.near[m.id]
        if foe is None:
            return m
        far = gap(m, foe)
        whole = math.hypot(foe.x - m.x, foe.y - m.y)
        if far <= 0.05 or whole == 0.0:
            return m
        others = [*placed, *(o for o in waiting if o.id != m.id)]
        for part in (1.0, 0.6, 0.3):
            go = min(REACH, far - 0.002) * part
            end = self.mover.place(
                m, snap(m.x + (foe.x - m.x) / whole * go), snap(m.y + (foe.y - m.y) / whole * go), None
            )
            if self.mover.fits(m, end, others) and gap(end, foe) < far - TOLERANCE:
                return end
        return m


def close_in(battle: WhBattle, unit: Unit, kind: str) -> Steps[None]:
    state = battle.state
    closer = Closer(state, unit, kind)
    if all(foe is None or gap(m, foe) <= TOLERANCE for m in unit.models if (foe := closer.near[m.id]) or True):
        return
    rule = f"wh40k.fight.{kind}.distance"
    answer = yield Move(
        unit.side,
        Text(f"ask.{kind}", {"unit": unit.id}),
        closer.mover.judge,
        closer.propose,
        rule,
        unit.id,
        dict(STAY),
        None,
        closer.mover.regions,
        {"allowance": REACH},
        closer.mover.route,
    )
    put(unit, closer.mover.plan(answer)[1])
    settle(state)
    battle.emit(kind, rule, unit=unit.id)


# -- who attacks whom ----------------------------------------------------------------------------------------------


class Strike(NamedTuple):
    """A model's attacks with a profile of a weapon at a unit."""

    model: Model
    weapon: Weapon
    profile: Profile
    target: Unit

    @property
    def arms(self) -> str:
        return f"{self.weapon.id}/{self.profile.id}"

    @property
    def id(self) -> str:
        return f"{self.model.id}/{self.arms}>{self.target.id}"


class Strikes:
    """What may be declared: each model's attacks over its weapons, profiles and the units that it reaches."""

    def __init__(self, strikes: dict[str, Strike], counts: dict[str, int]) -> None:
        self.strikes = strikes
        self.counts = counts
        self.of: dict[str, list[Strike]] = {}
        for entry in strikes.values():
            self.of.setdefault(entry.model.id, []).append(entry)

    def rows(self) -> list[Row]:
        """wh40k.fight.attacks.must-use-all: every attack of every model that can attack."""
        rows = []
        for who, count in self.counts.items():
            mine = self.of[who]
            arms = {s.arms: s for s in mine}
            rows.append(
                Row(
                    id=who,
                    choices={
                        "weapon": tuple(Option(k, s.profile.name or s.weapon.name) for k, s in arms.items()),
                        "target": tuple(Option(k, None, (k,)) for k in dict.fromkeys(s.target.id for s in mine)),
                    },
                    count=count,
                    least=count,
                    refs=(who,),
                    rules=("wh40k.fight.attacks.must-use-all",),
                )
            )
        return rows

    def key(self, part: Part) -> str:
        return f"{part.row}/{part.choose['weapon']}>{part.choose['target']}"

    def judge_part(self, part: Part) -> list[Reason]:
        return [] if self.key(part) in self.strikes else [Reason("wh40k.fight.models.front", "", {"model": part.row})]

    def _part(self, entry: Strike, count: int) -> Json:
        return {
            "row": entry.model.id,
            "choose": {"weapon": entry.arms, "target": entry.target.id},
            "count": count,
        }

    def default(self) -> list[Json]:
        return [self._part(self.of[who][0], count) for who, count in self.counts.items()]

    def propose(self, rng: Rng) -> list[Json]:
        answer = []
        for who, count in self.counts.items():
            mine = self.of[who]
            first = mine[rng.below(len(mine))]
            share = rng.below(count) if count > 1 and len(mine) > 1 and rng.below(5) == 0 else 0
            other = mine[rng.below(len(mine))]
            if share and other is not first:
                answer += [self._part(first, count - share), self._part(other, share)]
            else:
                answer.append(self._part(first, count))
        return answer


def melee_weapons(unit: Unit, model: Model) -> list[Weapon]:
    """wh40k.fight.default-weapon: who carries none fights with a close combat weapon."""
    found = [weapon for key in dict.fromkeys(model.weapons) if (weapon := unit.sheet.weapon(key)).melee]
    return found or [CLOSE_COMBAT]


def may_target(state: State, unit: Unit, foe: Unit) -> bool:
    """wh40k.fight.target.charged: who charged attacks its targets, and whoever intervened."""
    if "charged" not in unit.marks or "free-targets" in unit.marks:
        return True
    if foe.id in unit.targets or not state.applies("wh40k.fight.target.charged"):
        return True
    return "intervened" in foe.marks


def reach_of(state: State, unit: Unit) -> dict[str, list[Unit]]:
    """For each model that can attack the enemy units that it can: in Engagement Range, or behind one that is."""
    foes = [foe for foe in enemies(state, unit) if foe.id in unit.engaged and may_target(state, unit, foe)]
    front = {m.id: [f for f in foes if any(engages(m, o) for o in f.models)] for m in unit.models}
    found: dict[str, list[Unit]] = {}
    for m in unit.models:
        mine = list(front[m.id])
        if not mine and state.applies("wh40k.fight.models.second-rank"):
            for mate in unit.models:
                if front[mate.id] and mate is not m and gap(m, mate) <= SECOND_RANK + TOLERANCE:
                    mine += [f for f in front[mate.id] if f not in mine]
        if mine:
            found[m.id] = mine
    return found


@step
def fight(battle: WhBattle, key: str) -> None:
    """wh40k.fight.sequence: pile in, attack, consolidate."""
    battle.plan((pile_in, key), (strike, key), (consolidate, key))


@step
def pile_in(battle: WhBattle, key: str) -> Steps[None]:
    unit = battle.state.unit(key)
    if unit.where == "table":
        yield from close_in(battle, unit, "pile-in")


@step
def consolidate(battle: WhBattle, key: str) -> Steps[None]:
    unit = battle.state.unit(key)
    if unit.where == "table":
        yield from close_in(battle, unit, "consolidate")


@step
def strike(battle: WhBattle, key: str) -> Steps[None]:
    """wh40k.fight.attack.steps: weapons and targets of all attacks before any die."""
    state = battle.state
    unit = state.unit(key)
    if unit.where != "table":
        return
    reach = reach_of(state, unit)
    strikes: dict[str, Strike] = {}
    counts: dict[str, int] = {}
    for m in unit.models:
        foes = reach.get(m.id, ())
        if not foes or not value(state, unit, m, "ws"):
            continue
        text = amount(printed(state, unit, m, "a"))
        count = yield from rolled(battle, text, "random-attacks", "wh40k.fight.attacks.number", unit.side, key)
        counts[m.id] = value(state, unit, m, "a", base=count)
        for foe in foes:
            for weapon in melee_weapons(unit, m):
                for profile in weapon.profiles:
                    entry = Strike(m, weapon, profile, foe)
                    strikes[entry.id] = entry
    counts = {who: count for who, count in counts.items() if count}
    if not counts:
        return
    table = Strikes(strikes, counts)
    answer = yield Declare(
        unit.side,
        Text("ask.strike", {"unit": key}),
        table.rows(),
        "wh40k.fight.attack.steps",
        key,
        table.default(),
        table.judge_part,
        None,
        None,
        table.propose,
    )
    groups: dict[tuple[Any, ...], list[tuple[Strike, int]]] = {}
    for part in read_parts(answer) or []:
        s = strikes[table.key(part)]
        shelter = covered(state, s.model, s.target, "heavy-cover") if "charged" not in s.target.marks else ()
        skill = value(state, unit, s.model, "ws"), value(state, unit, s.model, "s")
        groups.setdefault((s.target.id, s.weapon.id, s.profile.id, skill, shelter), []).append((s, part.count))
    firsts = list(dict.fromkeys(k[0] for k in groups))
    order = sorted(groups, key=lambda k: firsts.index(k[0]))
    state.volley = Volley(
        key,
        "melee",
        tuple(
            Group(
                weapon=k[1],
                profile=k[2],
                target=k[0],
                models=tuple(dict.fromkeys(s.model.id for s, _ in groups[k])),
                number=sum(count for _, count in groups[k]),
                size=len(state.unit(k[0]).models),
                covered=k[4],
            )
            for k in order
        ),
    )
    battle.emit("strikes", "wh40k.fight.attack.steps", unit=key, targets=list(dict.fromkeys(k[0] for k in order)))
    battle.push(resolve)
