"""The Shooting Phase: who may shoot at whom with what, engineers, the order of volleys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.decisions.asking import Propose
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import sight
from .charge_moves import ask_facing
from .formation import Cell, arcs_of, box, front_models, layout, still
from .model_rules import attributes, every, found, has, words_of
from .offers import Offers
from .profiles import Part, Weapon
from .spacing import between, from_model, separation, within
from .state import FACINGS, Facing, Pool, State, Unit
from .terrain import cell_ring
from .volleys import fire
from .weapons import weapon_of


class Gun(NamedTuple):
    """A shooting weapon in the hands of one pool's models."""

    pool: str
    part: int
    weapon: Weapon
    aim: int


def guns(state: State, unit: Unit) -> list[Gun]:
    """Every shooting weapon in a unit that can be fired in this phase (t9a.rule.weapon.shooting)."""
    found_guns: list[Gun] = []
    for pool in state.members(unit):
        for index, part in enumerate(pool.profile.parts):
            for key in part.weapons:
                weapon = weapon_of(part, key)
                if not weapon.shooting or weapon.rule in state.without:
                    continue
                if next(standing(state, model_objections(state, pool, part, weapon)), None) is None:
                    aim = dict(part.aim).get(key, 4)
                    found_guns.append(Gun(pool.id, index, weapon, aim))
    return found_guns


def model_objections(state: State, pool: Pool, part: Part, weapon: Weapon) -> Iterator[Reason]:
    """Why a model may not shoot this weapon now."""
    facts = {"who": pool.id}
    if pool.moved == "march" and not attributes(
        state, pool, part, "t9a.rule.march-and-shoot", "shooting", weapon.rules
    ):
        yield Reason("t9a.shoot.mod.march-and-shoot", facts=facts)
        if state.applies("t9a.shoot.mod.march-and-shoot"):
            told = {**facts, "action": "option.march"}
            yield Reason("t9a.shoot.unit-eligible", "reason.t9a.has-moved", told)
    if weapon.one_use and weapon.id in pool.spent:
        spent = Reason("t9a.def.duration.one-use", "reason.t9a.weapon-spent", {**facts, "weapon": dict(weapon.names)})
        yield spent
        if weapon.rule and state.applies("t9a.def.duration.one-use"):
            yield Reason(weapon.rule, spent.key, spent.facts)
    if pool.moved and has(state, pool, "t9a.rule.emplaced"):
        yield Reason("t9a.rule.emplaced.shooting", facts=facts)


def unit_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not shoot (t9a.shoot.unit-eligible)."""
    facts = {"unit": unit.id}
    if unit.shaken:
        yield Reason("t9a.psych.shaken.restrictions", facts=facts)
        if state.applies("t9a.psych.shaken.restrictions"):
            yield Reason("t9a.shoot.unit-eligible", "reason.t9a.is-shaken", facts)
    if state.engaged(unit.id):
        yield Reason("t9a.shoot.unit-eligible", "reason.t9a.is-engaged", {**facts, "others": state.foes(unit.id)})
    if unit.shot:
        yield Reason("t9a.shoot.unit-eligible", "reason.t9a.has-shot", facts)
    if unit.failed:
        yield Reason("t9a.charge.failed.restrictions", facts=facts)
        if state.applies("t9a.charge.failed.restrictions"):
            yield Reason("t9a.shoot.unit-eligible", "reason.t9a.charge.failed.restrictions", facts)


def target_objections(state: State, unit: Unit, target: Unit) -> Iterator[Reason]:
    """Why a unit may not shoot at this one (t9a.shoot.target-eligible)."""
    facts = {"target": target.id}
    if state.engaged(target.id):
        yield Reason("t9a.shoot.target-eligible", facts=facts)
    arms = guns(state, unit)
    if can_hit(state, unit, target, arms):
        return
    if not arms:
        if not any(
            weapon_of(p, key).shooting for m in state.members(unit) for p in m.profile.parts for key in p.weapons
        ):
            yield Reason("t9a.shoot.unit-eligible", "reason.t9a.no-missiles", {"unit": unit.id})
        return
    gap, most = between(box(state, unit), box(state, target)), max(gun.weapon.range for gun in arms)
    far = not within(gap, most)
    if far:
        yield Reason("t9a.shoot.range", facts={"gap": round(gap, 2), "most": most})
    if not far or sight.sight_point(state, unit, target, layout(state, unit).cells) is None:
        yield Reason("t9a.shoot.los", facts=facts)
        yield from sight.unseen(state, unit, target)


class Shooter(NamedTuple):
    cell: Cell
    gun: Gun
    gap: float
    cover: str


def target_facing(state: State, unit: Unit, target: Unit) -> Facing:
    """The facing that is shot at (t9a.shoot.facing); from an Emplaced model's centre (t9a.rule.emplaced.los)."""
    if every(state, unit, "t9a.rule.emplaced") and state.applies("t9a.rule.emplaced.los"):
        faces = arcs_of(box(state, target), *box(state, unit).centre)
    elif not state.applies("t9a.shoot.facing"):
        return "front"
    else:
        faces = arcs_of(box(state, target), unit.x, unit.y)
    return next((face for face in faces if face == unit.face), faces[0])


def choose_facing(battle: Battle[State], unit: Unit, target: Unit) -> Steps[None]:
    """On a ray between two arcs whoever shoots says which facing is shot at (t9a.def.arcs)."""
    found_faces: list[Facing] = []
    for face in FACINGS:
        unit.face = face
        if target_facing(battle.state, unit, target) == face:
            found_faces.append(face)
    unit.face = ""
    if len(found_faces) > 1:
        unit.face = yield from ask_facing(battle, unit, found_faces, "t9a.def.arcs")


def can_hit(state: State, unit: Unit, target: Unit, arms: list[Gun]) -> bool:
    """Can one of its models shoot at a target?"""
    return next(each_shooter(state, unit, target, arms), None) is not None


def shooters(state: State, unit: Unit, target: Unit, arms: list[Gun], cover: bool = False) -> list[Shooter]:
    """The models that can shoot at a target: in the first ranks, within range, with a line of sight."""
    return list(each_shooter(state, unit, target, arms, cover))


def shooting_ranks(state: State, gun: Gun) -> int:
    """From how many ranks this weapon can be shot: two, and those of Shoot in Extra Rank (t9a.shoot.ranks,
    t9a.rule.shoot-in-extra-rank)."""
    if not state.applies("t9a.shoot.ranks"):
        return 999
    pool = state.pools[gun.pool]
    rule = "t9a.rule.shoot-in-extra-rank"
    return 2 + len(attributes(state, pool, pool.profile.parts[gun.part], rule, "shooting", gun.weapon.rules))


def each_shooter(state: State, unit: Unit, target: Unit, arms: list[Gun], cover: bool = False) -> Iterator[Shooter]:
    if not arms:
        return
    here, there = box(state, unit), box(state, target)
    longest = max(gun.weapon.range for gun in arms)
    if not within(between(here, there), longest):
        return
    face = target_facing(state, unit, target)
    ring = there.corners()
    by_file: dict[tuple[float, float, int, bool, sight.Within], tuple[tuple[float, float] | None, str]] = {}
    for cell in layout(state, unit).cells:
        for gun in arms:
            if gun.pool != cell.pool:
                continue
            if cell.rank >= shooting_ranks(state, gun):
                continue
            base = cell_ring(state, unit, cell.x0, cell.x1, cell.y0, cell.y1)
            gap = max(0.0, separation(base, ring))
            if not within(gap, gun.weapon.range) and state.applies("t9a.shoot.range"):
                continue
            # Those of a file look from the same stretch of the front, each from its own Height and ground.
            key = (cell.x0, cell.x1, *sight.lookout(state, unit, cell))
            if key not in by_file:
                point = sight.sight_point(state, unit, target, [cell])
                shade = (sight.best_cover(state, unit, target, face, cell) or "") if point is not None and cover else ""
                by_file[key] = (point, shade)
            point, shade = by_file[key]
            if point is None and state.applies("t9a.shoot.los"):
                continue
            yield Shooter(cell, gun, gap, shade)


@step
def phase(battle: Battle[State]) -> Steps[None]:
    """One unit after the other, each resolved with its panic tests (t9a.shoot.sequence)."""
    state = battle.state
    able = Offers(battle, lambda: armed(state), lambda key: can_shoot(state, state.units[key]))
    helpers = {f"engineer:{p.id}": p for p in engineers(state)}
    if not able and not helpers:
        return

    def options() -> list[Option]:
        found = [Option(key, None, (key,)) for key in able.ids]
        found += [Option(key, Text("option.engineer", {"who": p.id}), (p.unit,)) for key, p in helpers.items()]
        return [*found, Option("end", Text("option.end-shooting"), ends=True)]

    def refuse(answer: str) -> list[Reason]:
        if answer.startswith("engineer:") and answer[9:] in state.pools:
            return list(engineer_objections(state, state.pools[answer[9:]]))
        unit = state.units.get(answer)
        if unit is None or unit.where != "table":
            return []
        if unit.side != state.active:
            return [Reason("t9a.intro.active-reactive", facts={"unit": answer})]
        return list(unit_objections(state, unit)) or [Reason("t9a.shoot.sequence", facts={"unit": answer})]

    answer = yield Choose(
        state.active, "ask.shoot", options, "t9a.shoot.sequence", refuse=refuse,
        offered=lambda key: key == "end" or key in helpers or key in able,
        propose=lambda rng: "end" if rng.below(10) == 0 else able.one(rng, *helpers, "end"),
    )  # fmt: skip
    if answer == "end":
        return
    if answer.startswith("engineer:"):
        battle.plan((engineer, answer[9:]), phase)
        return
    battle.plan((volley, answer), phase)


def armed(state: State) -> Iterator[str]:
    """Units that might shoot, if there is anybody to shoot at."""
    for unit in state.table(state.active):
        if next(standing(state, unit_objections(state, unit)), None) is None and guns(state, unit):
            yield unit.id


def can_shoot(state: State, unit: Unit) -> bool:
    """Is there anybody to shoot at?"""
    arms = guns(state, unit)
    return any(not state.engaged(foe.id) and can_hit(state, unit, foe, arms) for foe in state.table(1 - unit.side))


def engineers(state: State) -> list[Pool]:
    """Engineers who can still help somebody (t9a.rule.engineer)."""
    return [
        pool
        for pool in state.pools.values()
        if pool.side == state.active
        and pool.count
        and "t9a.rule.engineer" in pool.profile.names
        and next(standing(state, engineer_objections(state, pool)), None) is None
    ]


def engineer_objections(state: State, pool: Pool) -> Iterator[Reason]:
    """Why a model may not help shooters now (t9a.rule.engineer)."""
    rule, unit, facts = "t9a.rule.engineer", state.units[pool.unit], {"who": pool.id}
    if pool.side != state.active:
        yield Reason("t9a.intro.active-reactive", facts={"unit": pool.unit})
    if not has(state, pool, rule) or unit.where != "table":
        yield Reason(rule, "reason.t9a.engineer.none", facts)
        return
    if pool.id in state.engineers:
        yield Reason(rule, "reason.t9a.engineer.once", facts)
    if unit.shaken:
        yield Reason(rule, "reason.t9a.is-shaken", {"unit": unit.id})
    if state.engaged(unit.id):
        yield Reason(rule, "reason.t9a.is-engaged", {"unit": unit.id, "others": state.foes(unit.id)})
    if not helped_by(state, pool):
        told = [list(help_objections(state, pool, other)) for other in state.table(pool.side)]
        yield from min(told, key=len, default=[])


def helped_by(state: State, pool: Pool) -> list[Unit]:
    """Whom an engineer may help."""
    units = state.table(pool.side)
    return [unit for unit in units if next(standing(state, help_objections(state, pool, unit)), None) is None]


def help_objections(state: State, pool: Pool, unit: Unit) -> Iterator[Reason]:
    """Why an engineer may not help a unit: it has been helped, has shot, has nothing of what he knows, or is further
    than 6" away (t9a.rule.engineer)."""
    rule, facts = "t9a.rule.engineer", {"who": pool.id, "unit": unit.id}
    if unit.engineer:
        yield Reason(rule, "reason.t9a.engineer.helped", facts)
    if unit.shot:
        yield Reason(rule, "reason.t9a.has-shot", {"unit": unit.id})
    words = {word for held in found(state, pool, rule) for word in held.words}
    known: set[str] = set()
    for member in state.members(unit):
        for part in member.profile.parts:
            for key in part.weapons:
                weapon = weapon_of(part, key)
                if weapon.shooting:
                    known |= {member.entry, key, *words_of(member.profile), *(r.short for r in weapon.rules)}
    if not known or (words and not words & {*known, *(word.partition(".")[0] for word in known)}):
        yield Reason(rule, "reason.t9a.engineer.unknown", facts)
    gap = from_model(state, pool, unit)
    if not within(gap, 6.0):
        yield Reason(rule, "reason.t9a.engineer.far", {**facts, "gap": round(gap, 2), "most": 6})


@step
def engineer(battle: Battle[State], key: str) -> Steps[None]:
    state = battle.state
    pool = state.pools[key]
    options = [Option(u.id, None, (u.id,)) for u in helped_by(state, pool)]

    def refuse(answer: str) -> list[Reason]:
        unit = state.units.get(answer)
        if unit is None or unit.where != "table" or unit.side != pool.side:
            return []
        return list(help_objections(state, pool, unit))

    answer = yield Choose(pool.side, "ask.engineer", options, "t9a.rule.engineer", key, refuse=refuse)
    state.unit(answer).engineer = True
    state.engineers = (*state.engineers, key)
    battle.emit("engineer", "t9a.rule.engineer", "t9a.def.measure.within", who=key, unit=answer)


@step
def volley(battle: Battle[State], key: str) -> Steps[None]:
    """Target, weapons, then every shot of the unit together (t9a.shoot.same-target, t9a.shoot.resolve)."""
    state = battle.state
    unit = state.unit(key)
    arms = guns(state, unit)
    foes = [foe.id for foe in state.table(1 - unit.side) if not state.engaged(foe.id)]
    targets = Offers(battle, lambda: foes, lambda foe: can_hit(state, unit, state.units[foe], arms), sure=True)

    def refuse(answer: str) -> list[Reason]:
        foe = state.units.get(answer)
        return [] if foe is None or foe.where != "table" else list(target_objections(state, unit, foe))

    answer = yield Choose(
        unit.side, "ask.shoot-target", lambda: [Option(foe, None, (foe,)) for foe in targets.ids],
        ("t9a.shoot.target-eligible", "t9a.shoot.same-target"), key, refuse=refuse, offered=targets.__contains__,
        propose=targets.one,
    )  # fmt: skip
    target = state.unit(answer)
    unit.shot = True
    yield from choose_facing(battle, unit, target)
    firing = battle.know(lambda: still(state, lambda: shooters(state, unit, target, arms, cover=True)))
    firing = yield from choose_weapons(battle, unit, firing)
    firing_front = {s.cell for s in firing if s.cell.rank == 0}
    front = [c for c in front_models(state, unit) if any(gun.pool == c.pool for gun in arms)]
    blind = sum(c not in firing_front and sight.sight_point(state, unit, target, [c]) is None for c in front)
    face = target_facing(state, unit, target)
    unit.face = ""
    yield from fire(battle, unit, target, firing, face, blind=blind)


def choose_weapons(battle: Battle[State], unit: Unit, firing: list[Shooter]) -> Steps[list[Shooter]]:
    """One weapon for each part, or model by model; models may hold their fire (t9a.shoot.weapon-choice,
    t9a.shoot.optional)."""
    kinds: dict[tuple[str, int], dict[str, list[Shooter]]] = {}
    for shooter in firing:
        able = kinds.setdefault((shooter.gun.pool, shooter.gun.part), {})
        able.setdefault(shooter.gun.weapon.id, []).append(shooter)
    chosen: dict[tuple[str, int], str] = {}
    divided: dict[tuple[str, int, Cell], str] = {}
    several = len(kinds) > 1
    asks = battle.state.options.optional_attacks == "asked"
    for (pool, part), able in kinds.items():
        names = list(able)
        one_use = any(shooters[0].gun.weapon.one_use for shooters in able.values())
        many = len(dict.fromkeys(s.cell for shooters in able.values() for s in shooters)) > 1
        if len(names) == 1 and not several and not one_use and not (asks and many):
            chosen[pool, part] = names[0]
            continue
        options = [Option(name, _weapon_text(battle.state, pool, part, name)) for name in names]
        if many and (asks or len(names) > 1):
            options.append(Option("divide", Text("option.divide-weapons")))
        options.append(Option("hold-fire", Text("option.hold-fire")))
        answer = yield Choose(
            unit.side, "ask.weapon", options, ("t9a.shoot.weapon-choice", "t9a.shoot.optional"), pool,
            propose=_mostly(names),
        )  # fmt: skip
        chosen[pool, part] = answer
        if answer == "divide":
            mine = yield from model_by_model(battle, unit, pool, part, able)
            divided |= {(pool, part, cell): name for cell, name in mine.items()}
            continue
        cite = ["t9a.shoot.optional" if answer == "hold-fire" else "t9a.shoot.weapon-choice"]
        if len(names) > 1:
            cite.append("t9a.rule.weapon.shooting")
        battle.emit("weapon-chosen", *cite, who=pool, weapon=next(o.label for o in options if o.id == answer))
    if not battle.state.applies("t9a.rule.weapon.shooting"):
        return firing
    whose = [(s.gun.pool, s.gun.part) for s in firing]
    return [
        s for s, (pool, part) in zip(firing, whose, strict=True)
        if divided.get((pool, part, s.cell), chosen.get((pool, part))) == s.gun.weapon.id
    ]  # fmt: skip


def model_by_model(
    battle: Battle[State], unit: Unit, pool: str, part: int, able: Mapping[str, Sequence[Shooter]]
) -> Steps[dict[Cell, str]]:
    """How many models use each weapon, first the one that the fewest can use: those who can use the fewest others, then
    the nearest. Who is left over holds its fire (t9a.shoot.weapon-choice, t9a.shoot.optional)."""
    found: dict[Cell, str] = {}
    choices: dict[Cell, int] = {}
    for shooters in able.values():
        for shooter in shooters:
            choices[shooter.cell] = choices.get(shooter.cell, 0) + 1
    for name in sorted(able, key=lambda name: len(able[name])):
        free = sorted((s for s in able[name] if s.cell not in found), key=lambda s: (choices[s.cell], s.gap))
        if not free:
            continue
        label = _weapon_text(battle.state, pool, part, name)
        options = [Option(str(n), Text("option.models", {"models": n})) for n in range(len(free), -1, -1)]
        rules = ("t9a.shoot.weapon-choice", "t9a.shoot.optional")
        answer = yield Choose(unit.side, Text("ask.weapon-models", {"weapon": label}), options, rules, pool)
        found |= {s.cell: name for s in free[: int(answer)]}
        battle.emit("weapon-models", *rules, who=pool, weapon=label, models=int(answer))
    return found


def _mostly(names: list[str]) -> Propose:
    """Shoot as a rule, hold fire now and then."""
    return lambda rng: names[rng.below(len(names))] if rng.below(8) else "hold-fire"


def _weapon_text(state: State, pool: str, part: int, name: str) -> Text | dict[str, str]:
    weapon = weapon_of(state.pools[pool].profile.parts[part], name)
    return dict(weapon.names) if weapon.names else Text(f"weapon.{name}")
