"""One fight: who attacks whom with what, and the blows (fight.models.*, fight.attacks.*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from umpire.engine.decisions import Declare, Json, Option
from umpire.engine.decisions.declaring import Part, Row, read_parts
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.wh40k.attacks import resolve
from umpire.games.wh40k.characteristics import number, printed, value
from umpire.games.wh40k.closing import LONE, close_in, lone
from umpire.games.wh40k.cover import heavy_cover
from umpire.games.wh40k.dice import rolled
from umpire.games.wh40k.measuring import (
    apart,
    crosses,
    enemies,
    engages,
    gap,
    to_polygon,
    within,
)
from umpire.games.wh40k.profiles import CLOSE_COMBAT, Profile, Weapon, amount
from umpire.games.wh40k.state import Group, Model, State, Unit, Volley, WhBattle
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

SECOND_RANK = 0.5
ACROSS = 2.0
"""Across a Defence Line melee attacks reach so far."""


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

    def __init__(
        self, state: State, unit: Unit, strikes: dict[str, Strike], counts: dict[str, int], all_used: bool = True
    ) -> None:
        self.state = state
        self.unit = unit
        self.all_used = all_used
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
                    group=mine[0].weapon.name,
                    count=count,
                    least=count if self.all_used else 0,
                    refs=(who,),
                    rules=("wh40k.fight.attacks.must-use-all",),
                    bound="wh40k.fight.attacks.must-use-all" if self.all_used else "",
                    excess="wh40k.fight.attacks.split-weapons" if len(arms) > 1 else "wh40k.fight.attacks.number",
                )
            )
        return rows

    def key(self, part: Part) -> str:
        return f"{part.row}/{part.choose['weapon']}>{part.choose['target']}"

    def judge_part(self, part: Part) -> list[Reason]:
        return [] if self.key(part) in self.strikes else [Reason("wh40k.fight.models.front", "", {"model": part.row})]

    def refuse(self, row: Row, name: str, wish: str) -> list[Reason]:
        """Why a target is not offered to a model."""
        foe = self.state.units.get(wish)
        model = next((m for m in self.unit.models if m.id == row.id), None)
        if name != "target" or foe is None or model is None:
            return []
        return list(target_objections(self.state, self.unit, model, foe))

    def absent(self, row: str) -> list[Reason]:
        """Why a model cannot attack at all."""
        state, unit = self.state, self.unit
        model = next((m for m in unit.models if m.id == row), None)
        foes = faced(state, unit)
        if model is None or not foes:
            return []
        allowed = [foe for foe in foes if may_target(state, unit, foe)] or foes
        nearest = min(allowed, key=lambda foe: min(gap(model, o) for o in foe.models))
        return list(target_objections(state, unit, model, nearest))

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
    """wh40k.fight.target.charged: who charged attacks its targets, and whoever intervened
    (wh40k.fight.target.heroic-intervention); everybody else whomever it reaches (wh40k.fight.target.not-charged)."""
    if "charged" not in unit.marks or "free-targets" in unit.marks:
        return True
    bans = ["wh40k.fight.target.charged"]
    if unit.fights > 1:
        bans.append("wh40k.fight.again.charge-restriction")
    if foe.id in unit.targets or not all(state.applies(rule) for rule in bans):
        return True
    twin = ("wh40k.fight.target.heroic-intervention", "wh40k.charge.heroic.consequences")
    return "intervened" in foe.marks and all(state.applies(rule) for rule in twin)


def target_objections(state: State, unit: Unit, model: Model, foe: Unit) -> Iterator[Reason]:
    """Why a model cannot attack a unit in melee."""
    facts: dict[str, Any] = {"model": model.id, "target": foe.id}
    if foe.side == unit.side or foe.where != "table":
        yield Reason("wh40k.unit.friend-enemy", "", {"unit": foe.id})
        return
    if not may_target(state, unit, foe):
        rule = "wh40k.fight.again.charge-restriction" if unit.fights > 1 else "wh40k.fight.target.charged"
        yield Reason(rule, "reason.wh40k.not-charged", {**facts, "targets": list(unit.targets)})
    if not foe.models or foe in reach_of(state, unit, free=True).get(model.id, ()):
        return
    near = round(max(0.0, min(gap(model, o) for o in foe.models)), 3)
    front = [m for m in unit.models if m is not model and any(engages(m, o) for o in foe.models)]
    if front:
        mate = round(max(0.0, min(gap(model, m) for m in front)), 3)
        told = {**facts, "gap": near, "mate": mate}
        yield Reason("wh40k.fight.models.second-rank", "reason.wh40k.no-second-rank", told)
    else:
        yield Reason("wh40k.fight.models.front", "reason.wh40k.not-in-front", {**facts, "gap": near})


def across_line(state: State, model: Model, foe: Unit) -> bool:
    """wh40k.terrain.trait.defence-line.fight: within 2 inches of an enemy on the other side of a Defence Line."""
    if not state.applies("wh40k.terrain.trait.defence-line.fight"):
        return False
    for line in state.terrain:
        if not line.has("defence-line") or to_polygon(model, line.points) > ACROSS + TOLERANCE:
            continue
        if any(within(model, o, ACROSS) and crosses(line.points, model, o) for o in foe.models):
            return True
    return False


def faced(state: State, unit: Unit) -> list[Unit]:
    """The enemy units that a unit can fight: within Engagement Range, or across a Defence Line."""
    found = [state.unit(key) for key in unit.engaged]
    if any(f.has("defence-line") for f in state.terrain):
        for foe in enemies(state, unit):
            close = foe.id not in unit.engaged and not apart(unit, foe, ACROSS)
            if close and any(across_line(state, m, foe) for m in unit.models):
                found.append(foe)
    return found


def reach_of(state: State, unit: Unit, free: bool = False) -> dict[str, list[Unit]]:
    """For each model that can attack the enemy units that it can: in Engagement Range (wh40k.fight.models.front),
    across a Defence Line, or behind a comrade who is in Engagement Range (wh40k.fight.models.second-rank). `free`:
    whomever it charged."""
    foes = [foe for foe in faced(state, unit) if free or may_target(state, unit, foe)]
    front = {m.id: [f for f in foes if any(engages(m, o) for o in f.models)] for m in unit.models}
    found: dict[str, list[Unit]] = {}
    for m in unit.models:
        mine = list(front[m.id])
        mine += [f for f in foes if f not in mine and across_line(state, m, f)]
        if not front[m.id] and state.applies("wh40k.fight.models.second-rank"):
            for mate in unit.models:
                if front[mate.id] and mate is not m and within(m, mate, SECOND_RANK) and leads(state, mate, foes):
                    mine += [f for f in front[mate.id] if f not in mine]
        if mine:
            found[m.id] = mine
    return found


def leads(state: State, model: Model, foes: Sequence[Unit]) -> bool:
    """May others strike past this model? By another reading it must be within half an inch of the enemy itself."""
    if state.options.second_rank == "engagement-range":
        return True
    return any(within(model, o, SECOND_RANK) for foe in foes for o in foe.models)


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
    unit.acts = tuple(act for act in unit.acts if not act.startswith(LONE))


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
    unskilled: list[str] = []
    changes: list[str] = []
    only = lone(unit)
    for m in unit.models:
        foes = reach.get(m.id, ()) if not only or m.id == only else ()
        if not foes:
            continue
        if not value(state, unit, m, "ws"):
            unskilled.append(m.id)
            continue
        text = amount(printed(state, unit, m, "a"))
        count = yield from rolled(battle, text, "random-attacks", "wh40k.unit.random-characteristic", unit.side, key)
        attacks = number(state, unit, m, "a", base=count)
        counts[m.id] = int(attacks.total)
        changes += [rule for rule in attacks.rules if rule not in changes]
        for foe in foes:
            for weapon in melee_weapons(unit, m):
                for profile in weapon.profiles:
                    entry = Strike(m, weapon, profile, foe)
                    strikes[entry.id] = entry
    if unskilled and state.applies("wh40k.unit.zero-skill"):
        battle.emit("unskilled", "wh40k.unit.zero-skill", unit=key, models=unskilled)
    counts = {who: count for who, count in counts.items() if count}
    if not counts:
        return
    table = Strikes(state, unit, strikes, counts, state.applies("wh40k.fight.attacks.must-use-all"))
    answer = yield Declare(
        unit.side,
        Text("ask.strike", {"unit": key}),
        table.rows(),
        "wh40k.fight.attack.steps",
        key,
        table.default(),
        table.judge_part,
        None,
        table.refuse,
        table.propose,
        absent=table.absent,
    )
    groups: dict[tuple[Any, ...], list[tuple[Strike, int]]] = {}
    reasons: dict[str, tuple[str, ...]] = {}
    for part in read_parts(answer) or []:
        s = strikes[table.key(part)]
        why: list[str] = []
        shelter = heavy_cover(state, s.model, s.target, why)
        reasons.setdefault(s.target.id, tuple(why))
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
                why=reasons[k[0]],
            )
            for k in order
        ),
    )
    aim = "wh40k.fight.target.charged" if "charged" in unit.marks else "wh40k.fight.target.not-charged"
    if "charged" in unit.marks and any(state.unit(k[0]).id not in unit.targets for k in order):
        aim = "wh40k.fight.target.heroic-intervention"
    behind = any(not any(engages(m, o) for f in reach[m.id] for o in f.models) for m in unit.models if m.id in counts)
    rank = "wh40k.fight.models.second-rank" if behind else "wh40k.fight.models.front"
    if behind and any(f.id not in unit.engaged for foes in reach.values() for f in foes):
        rank = "wh40k.terrain.trait.defence-line.fight"
    targets = list(dict.fromkeys(k[0] for k in order))
    battle.emit("strikes", "wh40k.fight.attack.steps", aim, rank, unit=key, targets=targets)
    blows = sum(counts.values())
    told = ("wh40k.fight.attacks.number", *(changes[:2] or ["wh40k.fight.resolve.like-shooting"]))
    battle.emit("blows", *told, unit=key, attacks=blows)
    _tell_arms(battle, unit, [strikes[table.key(part)] for part in read_parts(answer) or []])
    foes = [state.unit(t) for t in targets]
    away = tuple(o.id for f in foes for o in f.models if not any(engages(m, o) for m in unit.models))
    battle.plan((resolve,), (tell_losses, key, tuple(targets), away))


@step
def tell_losses(battle: WhBattle, key: str, targets: Sequence[str], away: Sequence[str]) -> None:
    """wh40k.fight.resolve.allocate-anywhere: models that nobody could reach may be lost too; and all attacks count as
    made at one moment, so that they go on when nobody is left within reach (wh40k.fight.resolve.simultaneous)."""
    left = [m.id for t in targets for m in battle.state.unit(t).models]
    lost = [model for model in away if model not in left]
    if lost:
        rules = ("wh40k.fight.resolve.allocate-anywhere", "wh40k.fight.resolve.simultaneous")
        battle.emit("lost-behind", *rules, unit=key, models=lost)


def _tell_arms(battle: WhBattle, unit: Unit, blows: Sequence[Strike]) -> None:
    """Who fights without a weapon of its own, and who divides its attacks."""
    bare = list(dict.fromkeys(s.model.id for s in blows if s.weapon is CLOSE_COMBAT))
    if bare:
        battle.emit(
            "unarmed", "wh40k.fight.default-weapon", "wh40k.fight.default-weapon.profile", unit=unit.id, models=bare
        )
    arms: dict[str, list[Strike]] = {}
    for blow in blows:
        arms.setdefault(blow.model.id, []).append(blow)
    for who, mine in arms.items():
        weapons = dict.fromkeys(s.weapon.id for s in mine)
        if len(weapons) > 1:
            battle.emit("divides", "wh40k.fight.attacks.split-weapons", model=who)
        elif len(dict.fromkeys(s.profile.id for s in mine)) > 1:
            battle.emit("divides", "wh40k.fight.attacks.split-profiles", model=who)
