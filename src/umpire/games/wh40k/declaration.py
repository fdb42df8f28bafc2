"""A shooting declaration: which weapon shoots at whom, and why not (shoot.declare-*)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from umpire.engine.decisions import Json, Option
from umpire.engine.decisions.declaring import Part, Row, read_parts
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason, standing
from umpire.games.wh40k import aiming
from umpire.games.wh40k import targets as seeing
from umpire.games.wh40k.abilities import HOOKS, Asking, changed, held, twins
from umpire.games.wh40k.characteristics import value
from umpire.games.wh40k.cover import any_cover, covered, dense, exposed
from umpire.games.wh40k.measuring import enemies, true_gap, unit_gap
from umpire.games.wh40k.profiles import Profile, Weapon
from umpire.games.wh40k.state import Group, Model, State, Unit
from umpire.games.wh40k.targets import Sights
from umpire.games.wh40k.weapons import BLAST, large, ranged, type_modifiers
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

IGNORED = (
    ("no-cover", "wh40k.terrain.cover.ignore-all"),
    ("no-cover-save", "wh40k.terrain.cover.ignore-save-bonus"),
    ("no-cover-hit", "wh40k.terrain.cover.ignore-hit-penalty"),
)
"""What attacks may leave the target without."""


class Shot(NamedTuple):
    """One weapon of one model aimed at a unit."""

    id: str
    model: Model
    slot: int
    weapon: Weapon
    profile: Profile
    target: Unit
    far: bool = False

    @property
    def place(self) -> str:
        return f"{self.model.id}/{self.slot}"


class Declaration:
    """Everything a unit may declare when it shoots: which weapon of which model at which unit."""

    def __init__(
        self, state: State, unit: Unit, kind: str = "shooting", only: Unit | None = None, fired: Sequence[str] = ()
    ) -> None:
        self.state = state
        self.unit = unit
        self.kind = kind
        self.ignores_closest = kind == "overwatch" and state.applies("wh40k.charge.overwatch.ignore-closest-rules")
        self.sights = Sights(state, unit)
        self.foes = [only] if only is not None else enemies(state, unit)
        self.fired = fired
        """When it shoots again, only what was fired may be fired (wh40k.shoot.again-unit)."""
        self._shots: dict[str, Shot] | None = None
        self._ranges: dict[tuple[int, str], float] = {}
        self.why: dict[str, list[str]] = {}
        """The rules of terrain and sight that had a say in each shot."""

    @property
    def shots(self) -> dict[str, Shot]:
        if self._shots is None:
            self._shots = {shot.id: shot for shot in self._all()}
        return self._shots

    @property
    def possible(self) -> bool:
        """Is there anything to shoot at? The first shot that is found settles it."""
        return bool(self._shots) if self._shots is not None else next(self._all(), None) is not None

    def _all(self) -> Iterator[Shot]:
        state, unit = self.state, self.unit
        arms = {w.id: w for m in unit.models for w in ranged(unit, m)}
        near = []
        for foe in self.foes:
            longest = max((self.range_of(p, foe) for w in arms.values() for p in w.profiles), default=0.0)
            if math.sqrt((foe.cx - unit.cx) ** 2 + (foe.cy - unit.cy) ** 2) - foe.cr - unit.cr <= longest + TOLERANCE:
                near.append(foe)
        if not near:
            return
        ranged_ = state.applies("wh40k.shoot.target-range-visible")
        skilled: dict[tuple[str, int], bool] = {}
        for model in unit.models:
            alike = model.row, model.wounds
            if alike not in skilled:
                unskilled = not value(state, unit, model, "bs") and state.applies("wh40k.unit.zero-skill")
                skilled[alike] = not unskilled
            if not skilled[alike]:
                continue
            open_to: dict[str, bool] = {}
            for slot, key in enumerate(model.weapons):
                weapon = unit.sheet.weapon(key)
                if weapon.melee or (self.fired and f"{model.id}/{slot}" not in self.fired):
                    continue
                for profile in weapon.profiles:
                    if not aiming.usable(state, unit, model, profile):
                        continue
                    for foe in near:
                        most = self.range_of(profile, foe) + TOLERANCE
                        far = self.far(model, profile, foe)
                        if far is None or (ranged_ and self.sights.reach(model, foe, most) == math.inf):
                            continue
                        if foe.id not in open_to:
                            open_to[foe.id] = self.free(model, foe)
                        if open_to[foe.id]:
                            yield Shot(
                                f"{model.id}/{slot}/{profile.id}>{foe.id}", model, slot, weapon, profile, foe, far
                            )

    def range_of(self, profile: Profile, foe: Unit) -> float:
        """How far a weapon shoots at an enemy unit, with what abilities add or take."""
        key = id(profile), foe.id
        if key not in self._ranges:
            change = changed(Asking(self.state, "range", profile.range, self.unit, None, foe, profile))
            self._ranges[key] = max(0.0, change.total)
        return self._ranges[key]

    def free(self, model: Model, foe: Unit) -> bool:
        reasons = seeing.objections(self.sights, model, foe, self.ignores_closest)
        return next(standing(self.state, reasons), None) is None

    def far(self, model: Model, profile: Profile, foe: Unit) -> bool | None:
        """Whether it is aimed beyond the Engagement Range that the unit is in; None where it must not be."""
        unit, state = self.unit, self.state
        if not unit.engaged:
            return False
        close = unit.id in foe.engaged
        if close:
            return None if profile.has(BLAST) and state.applies("wh40k.shoot.blast-engaged") else False
        if profile.type == "pistol" and not large(unit, model):
            return None if state.applies("wh40k.shoot.pistol-target") else False
        return True

    # -- judging -------------------------------------------------------------------------------------------------

    def rows(self) -> list[Row]:
        """A row for each weapon of each model that has something to shoot at."""
        found: dict[str, list[Shot]] = {}
        for shot in self.shots.values():
            found.setdefault(shot.place, []).append(shot)
        rows = []
        for place, shots in found.items():
            first = shots[0]
            profiles = {s.profile.id: s.profile for s in shots}
            foes = dict.fromkeys(s.target.id for s in shots)
            rows.append(
                Row(
                    id=place,
                    choices={
                        "profile": tuple(
                            Option(
                                k, p.name or Text(f"type.{p.type}"), rules=("wh40k.shoot.types",), data={"type": p.type}
                            )
                            for k, p in profiles.items()
                        ),
                        "target": tuple(Option(k, None, (k,)) for k in foes),
                    },
                    label=Text("option.arms", {"model": first.model.id, "weapon": first.weapon.name}),
                    group=first.weapon.name,
                    count=1 if self.state.applies("wh40k.shoot.weapon-once") else 2,
                    refs=(first.model.id,),
                    rules=("wh40k.shoot.choose-weapons", "wh40k.shoot.declare-profile"),
                    bound="wh40k.shoot.weapon-once" if self.state.applies("wh40k.shoot.weapon-once") else "",
                )
            )
        return rows

    def shot(self, part: Part) -> Shot | None:
        return self.shots.get(f"{part.row}/{part.choose['profile']}>{part.choose['target']}")

    def arms_of(self, row: str) -> tuple[Model, Weapon] | None:
        """The model and the weapon that a row is about, whether it is offered or not."""
        who, _, slot = row.partition("/")
        model = next((m for m in self.unit.models if m.id == who), None)
        if model is None or not slot.isdigit() or int(slot) >= len(model.weapons):
            return None
        return model, self.unit.sheet.weapon(model.weapons[int(slot)])

    def judge_part(self, part: Part) -> list[Reason]:
        """Why this weapon cannot be fired so at this unit (wh40k.shoot.target-range-visible and others)."""
        arms = self.arms_of(part.row)
        if self.shot(part) is not None or arms is None:
            return []
        model, weapon = arms
        profile = next((p for p in weapon.profiles if p.id == part.choose["profile"]), weapon.profiles[0])
        return list(aiming.against(self, model, profile, self.state.unit(part.choose["target"])))

    def absent(self, row: str) -> list[Reason]:
        """Why a weapon has nothing to fire at."""
        arms = self.arms_of(row)
        if arms is None:
            return []
        model, weapon = arms
        if weapon.melee:
            return [Reason("wh40k.shoot.eligible-weapon", "", {"unit": self.unit.id, "weapon": weapon.name})]
        found = [reason for p in weapon.profiles for reason in aiming.type_reasons(self.state, self.unit, model, p)]
        if found or not self.foes:
            return found[:2]
        nearest = min(self.foes, key=lambda foe: min(true_gap(model, o) for o in foe.models))
        return list(aiming.against(self, model, weapon.profiles[0], nearest))

    def refuse(self, row: Row, name: str, wish: str) -> list[Reason]:
        """Why a target is not offered to a weapon."""
        foe = self.state.units.get(wish)
        if name == "target" and any(feature.id == wish for feature in self.state.terrain):
            rules = ("wh40k.terrain.category.no-profile", "wh40k.terrain.term.terrain-feature")
            return list(twins(self.state, {"feature": wish}, *rules))
        arms = self.arms_of(row.id)
        if name != "target" or foe is None or arms is None:
            return []
        model, weapon = arms
        found = [list(aiming.against(self, model, profile, foe)) for profile in weapon.profiles]
        return min(found, key=len)

    def judge(self, parts: list[Part]) -> list[Reason]:
        """One target and profile a weapon, one grenade a unit and nothing beside it, Pistols or other weapons."""
        reasons: list[Reason] = []
        kinds: dict[str, list[str]] = {}
        throwers: list[str] = []
        for part in parts:
            shot = self.shot(part)
            assert shot is not None
            kinds.setdefault(shot.model.id, []).append(shot.profile.type)
            if shot.profile.type == "grenade" and shot.model.id not in throwers:
                throwers.append(shot.model.id)
        if len(throwers) > 1:
            reasons.append(Reason("wh40k.shoot.grenade-one-model", "", {"unit": self.unit.id}))
        for model, types in kinds.items():
            if "grenade" in types and len(types) > 1:
                reasons.append(Reason("wh40k.shoot.grenade-exclusive", "", {"model": model}))
            elif "pistol" in types and any(kind != "pistol" for kind in types):
                reasons.append(Reason("wh40k.shoot.pistol-exclusive", "", {"model": model}))
        return reasons

    def aimed(self, rank: dict[str, int], throw: bool, choose: Callable[[Sequence[Shot]], Shot]) -> list[Json]:
        """Every weapon that may fire, at the first of the ranked units that it can; `throw`: somebody throws a grenade
        even though the model has better arms."""
        answer: list[Json] = []
        thrown = False
        by_model: dict[str, list[Shot]] = {}
        for shot in self.shots.values():
            by_model.setdefault(shot.model.id, []).append(shot)
        for shots in by_model.values():
            pistols = [s for s in shots if s.profile.type == "pistol"]
            grenades = [s for s in shots if s.profile.type == "grenade"]
            others = [s for s in shots if s.profile.type not in ("pistol", "grenade")]
            use = others or pistols
            if grenades and not thrown and (throw or not use):
                thrown = True
                use = grenades[:1] if len(grenades) == 1 else [choose(grenades)]
            for place in dict.fromkeys(s.place for s in use):
                mine = [s for s in use if s.place == place]
                best = min(rank[s.target.id] for s in mine)
                mine = [s for s in mine if rank[s.target.id] == best]
                shot = mine[0] if len(mine) == 1 else choose(mine)
                answer.append({"row": place, "choose": {"profile": shot.profile.id, "target": shot.target.id}})
        return answer

    def default(self) -> list[Json]:
        """What somebody would usually declare: everything at the nearest unit."""
        foes = dict.fromkeys(shot.target.id for shot in self.shots.values())
        order = sorted(foes, key=lambda key: unit_gap(self.unit, self.state.unit(key)))
        return self.aimed({key: n for n, key in enumerate(order)}, False, lambda shots: shots[0])

    def propose(self, rng: Rng) -> Json:
        foes = rng.shuffled(list(dict.fromkeys(shot.target.id for shot in self.shots.values())))
        if self.unit.engaged and rng.below(2):
            foes.sort(key=lambda key: key not in self.unit.engaged)
        rank = {key: n for n, key in enumerate(foes)}
        return self.aimed(rank, rng.below(4) == 0, lambda shots: shots[rng.below(len(shots))])

    # -- what comes of it ----------------------------------------------------------------------------------------

    def groups(self, answer: Json) -> tuple[Group, ...]:
        """Attacks that are alike together, in the order in which targets and weapons were named."""
        shots = [shot for part in read_parts(answer) or [] if (shot := self.shot(part)) is not None]
        order = list(dict.fromkeys(shot.target.id for shot in shots))
        arms = list(dict.fromkeys((shot.weapon.id, shot.profile.id) for shot in shots))
        if self.state.applies("wh40k.shoot.resolve-by-weapon"):
            shots.sort(key=lambda s: arms.index((s.weapon.id, s.profile.id)))
        if self.state.applies("wh40k.shoot.resolve-by-target"):
            shots.sort(key=lambda s: order.index(s.target.id))
        found: dict[tuple[Any, ...], list[Shot]] = {}
        for shot in shots:
            found.setdefault(self._key(shot), []).append(shot)
        return tuple(
            Group(
                weapon=first.weapon.id,
                profile=first.profile.id,
                target=first.target.id,
                models=tuple(dict.fromkeys(s.model.id for s in same)),
                number=len(same),
                double=key[4],
                size=len(first.target.models),
                far=first.far,
                covered=key[5],
                bare=key[8],
                hit=key[6],
                why=tuple(self.why.get(first.id, ())),
            )
            for key, same in found.items()
            for first in same[:1]
        )

    def _key(self, shot: Shot) -> tuple[Any, ...]:
        state, unit, model, target, profile = self.state, self.unit, shot.model, shot.target, shot.profile
        double = (
            profile.type == "rapid-fire"
            and state.applies("wh40k.shoot.rapid-fire")
            and min(true_gap(model, o) for o in target.models) <= self.range_of(profile, target) / 2 + TOLERANCE
        )
        hit = type_modifiers(state, unit, model, profile)
        told: list[str] = []
        all_of_it, saves, hits = (rule if profile.has(w) and state.applies(rule) else "" for w, rule in IGNORED)
        sheltered, bare = self._sheltered(model, target, told)
        if sheltered and (all_of_it or saves):
            sheltered, bare, told = (), (), [all_of_it or saves]
        if dense(state, unit, model, target, told) is not None:
            if all_of_it or hits:
                told.insert(0, all_of_it or hits)
            else:
                hit.append((-1, "wh40k.terrain.trait.dense-cover.penalty"))
        told += seeing.seen_by(self.sights, model, target)
        if told:
            self.why[shot.id] = told
        bs = value(state, unit, model, "bs")
        return target.id, shot.weapon.id, profile.id, bs, double, sheltered, tuple(hit), shot.far, bare

    def _sheltered(self, model: Model, target: Unit, told: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The models whose saves cover betters, and those of them whose terrain would not do so by itself."""
        state = self.state
        outside = HOOKS.granted(state, target, "cover")
        if outside:
            told.append(outside)
            return tuple(m.id for m in target.models if not exposed(state, m)), ()
        plain = "wh40k.terrain.cover.no-effect-by-itself"
        if not state.applies(plain):
            return any_cover(state, model, target), ()
        found = covered(state, model, target, "light-cover", told)
        rule = "wh40k.terrain.cover.improved.other-traits"
        if state.applies(rule) and held(state, target, "cover-more"):
            bare = tuple(key for key in any_cover(state, model, target) if key not in found)
            told += [rule] if bare else []
            return found + bare, bare
        if not found and not told and any_cover(state, model, target):
            told.append(plain)
        return found, ()
