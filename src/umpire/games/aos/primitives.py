"""What abilities written as data can do: named primitives, each a function, and the loader that puts them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args

from umpire.engine import effects
from umpire.engine.decisions import ChooseSeveral, pick, pieces
from umpire.engine.effects import Effect
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Outcome, Steps, outcome
from umpire.errors import unknown
from umpire.games.aos.abilities import side_name
from umpire.games.aos.combat import declares_attack, is_attacked
from umpire.games.aos.damage import heal, mortal, return_models, roll_amount
from umpire.games.aos.known_abilities import Ability, AosBattle
from umpire.games.aos.magic import cast, chant, dormant, spell_objections
from umpire.games.aos.movement import Ends, Limits, put
from umpire.games.aos.moves import move_unit
from umpire.games.aos.numbers import CONDITIONS
from umpire.games.aos.picking import candidates, target_objections
from umpire.games.aos.placing import Placer, away_from_enemies, beyond, too_near
from umpire.games.aos.profiles import AbilityData, Deed, Do
from umpire.games.aos.state import Model, State, Unit, Use
from umpire.games.aos.units import settle
from umpire.miniatures.loose.bodies import within
from umpire.miniatures.loose.groups import enclose
from umpire.miniatures.loose.placing import ask_place
from umpire.miniatures.loose.room import from_edges, inland, near_bodies
from umpire.space.angles import sin_cos
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

Primitive = Callable[[AosBattle, Use, Unit, Do, AbilityData], Outcome[None]]
NUMBERS = (
    "move",
    "health",
    "control",
    "control-score",
    "save",
    "save-characteristic",
    "hit",
    "wound",
    "hit-against",
    "wound-against",
    "rend",
    "damage",
    "attacks",
    "run",
    "charge",
    "cast",
    "chant",
    "unbind",
)
DEEDS: tuple[str, ...] = get_args(Deed)
TRIGGERS = {"declares-attack": declares_attack, "is-attacked": is_attacked}
PHASES = ("deployment", "deploy", "round", "start", "hero", "movement", "shooting", "charge", "combat", "end")
PASSIVES = ("modify", "ward", "strike-first", "strike-last")


def source(use: Use, data: AbilityData) -> str:
    return f"{use.side}:{data.id}"


def modify(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> None:
    """aos.core.persisting: a lasting effect counts as a passive; the same one does not stack on one unit."""
    rule = "aos.core.persisting"
    effects.add(battle.state, Effect(unit.id, do.what, do.op, do.value, rule, source(use, data), do.until))
    battle.emit("effect", rule, unit=unit.id, ability=data.name, what=do.what, value=do.value)


def forbid(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> None:
    rule = "aos.core.cannot-wins"
    effects.add(battle.state, Effect(unit.id, do.what, "forbid", 0.0, rule, source(use, data), do.until))
    battle.emit("forbidden", rule, "aos.core.persisting", unit=unit.id, ability=data.name, what=do.what)


def lend(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> None:
    """Strike-first, Strike-last or a ward for a while."""
    rule = {"strike-first": "aos.core.strike-first", "strike-last": "aos.core.strike-last"}.get(
        do.do, "aos.defence.ward-save"
    )
    effects.add(battle.state, Effect(unit.id, do.do, "add", do.value, rule, source(use, data), do.until))
    battle.emit("effect", rule, "aos.core.persisting", unit=unit.id, ability=data.name, what=do.do, value=do.value)


def hurt(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> None:
    mortal(battle, unit, do.amount)


def mend(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> None:
    heal(battle, unit, roll_amount(battle, do.amount, "heal", "aos.core.dice", unit))


def bring_back(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> Steps[None]:
    yield from return_models(battle, unit, roll_amount(battle, do.amount, "return", "aos.core.dice", unit))


def march(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> Steps[None]:
    """A move of so many inches that may not enter combat."""
    if unit.fights:
        battle.emit("no-effect", "aos.core.ability-general", unit=unit.id, ability=data.name)
        return
    inches = roll_amount(battle, do.amount, "march", "aos.core.dice", unit)
    yield from move_unit(battle, unit, Limits(float(inches), "aos.core.movement"))


def command_point(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> None:
    battle.state.sides[use.side].command += int(do.value)
    battle.emit(
        "command-points", "aos.command.points", side=side_name(use.side), points=battle.state.sides[use.side].command
    )


def ritual(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> None:
    unit.ritual += int(do.value)
    battle.emit("ritual", "aos.core.prayer-chanting", unit=unit.id, points=int(do.value), ritual=unit.ritual)


def token(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> None:
    """aos.core.tokens: tokens mark effects and move with their unit; they are no models."""
    if do.what not in unit.tokens:
        unit.tokens = (*unit.tokens, do.what)
    battle.emit("token", "aos.core.tokens", unit=unit.id, token=data.name)


# -- setting up --------------------------------------------------------------------------------------------------


def spots_round(x: float, y: float, reach: float, rng: Rng) -> Iterator[tuple[float, float]]:
    for _ in range(60):
        s, c = sin_cos(rng.uniform(0, 360))
        far = reach * rng.random()
        yield x + s * far, y + c * far


def edge_spots(state: State, rng: Rng) -> Iterator[tuple[float, float]]:
    for _ in range(80):
        x, y = rng.uniform(1, state.width - 1), rng.uniform(1, state.depth - 1)
        side = rng.below(4)
        yield (
            (3.0, y)
            if side == 0
            else (state.width - 3.0, y)
            if side == 1
            else (x, 3.0)
            if side == 2
            else (x, state.depth - 3.0)
        )


def arrive_at(
    battle: AosBattle,
    use: Use,
    unit: Unit,
    placer: Placer,
    spots: Callable[[Rng], Iterator[tuple[float, float]]],
    *rules: str,
) -> Steps[bool]:
    """Ask where a unit comes onto the battlefield; False if there is no room (aos.core.set-up)."""

    def propose(rng: Rng) -> Any:
        return placer.search(rng, spots(rng), 0.0, 80)

    placer.default = battle.know(lambda: propose(Rng(len(battle.answers))) or placer.filled())
    ends: Ends = {}
    if placer.default is not None or not placer.hopeless:
        prompt = Text("ask.set-up", {"unit": unit.id})
        ends = yield from ask_place(unit.side, placer, prompt, rules or "aos.core.set-up", propose)
    if not ends:
        battle.emit("no-room", "aos.core.set-up", "aos.core.ability-general", what=unit.id)
        return False
    put(unit, ends)
    unit.where = "table"
    unit.arrived = True
    enclose(unit)
    settle(battle.state)
    battle.emit(
        "set-up",
        "aos.core.set-up",
        "aos.core.coherency",
        *rules,
        unit=unit.id,
        x=round(unit.cx, 3),
        y=round(unit.cy, 3),
    )
    return True


def one_of(battle: AosBattle, use: Use, units: list[Unit], data: AbilityData) -> Steps[Unit]:
    """The player picks one of several units that are not on the battlefield."""
    prompt = Text("ask.pick-one", {"ability": data.name})
    rule = "aos.core.ability-general"

    def refuse(wish: str) -> list[Reason]:
        other = battle.state.units.get(wish)
        if other is None:
            return []
        if other.side != use.side:
            return [Reason("aos.core.friendly-enemy", "reason.aos.wrong-side", {"unit": wish})]
        key = "reason.aos.on-table" if other.where == "table" else "reason.aos.not-meant"
        return [Reason(rule, key, {"unit": wish, "ability": data.name})]

    keys = [unit.id for unit in units]
    return battle.state.unit((yield from pick(use.side, prompt, keys, rule, use.unit, refuse)))


def reserve(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> None:
    """A special Deploy ability: the unit waits in reserve."""
    unit.where = "reserve"
    unit.reserve_by_deploy = True
    battle.emit("reserve", "aos.core.reserve", "aos.deploy.special", unit=unit.id)


def arrive(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> Steps[None]:
    """A friendly unit in reserve comes on near an edge, more than 9 inches from all enemy units."""
    state = battle.state
    waiting = [u for u in state.units.values() if u.side == use.side and u.where == "reserve" and u.reserve_by_deploy]
    if not waiting:
        battle.emit("no-effect", "aos.core.ability-general", unit=unit.id, ability=data.name)
        return
    coming = yield from one_of(battle, use, waiting, data)
    far = away_from_enemies(state, coming, 9.0, "aos.core.reserve")

    def allowed(end: Model) -> Reason | None:
        edge = min(end.x, end.y, state.width - end.x, state.depth - end.y)
        if edge + end.r > 7.0 + TOLERANCE:
            return Reason("aos.core.reserve", "reason.aos.near-edge", {"model": end.id, "edge": round(edge, 3)})
        return far(end)

    placer = Placer(state, coming, coming.models, allowed)
    placer.bounded(lambda m: beyond(placer, 9.0, m) + from_edges(state.width, state.depth, 7.0 - m.r))
    placer.shut = lambda m: too_near(placer, 9.0, m) + inland(state.width, state.depth, 7.0 - m.r)
    came = yield from arrive_at(battle, use, coming, placer, lambda rng: edge_spots(state, rng), "aos.core.reserve")
    if came:
        coming.reserve_by_deploy = False


def teleport(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> Steps[None]:
    """Remove a unit and set it up again more than 9 inches from all enemy units."""
    state = battle.state
    if unit.profile.kind != "unit":
        return
    placer = Placer(state, unit, unit.models, away_from_enemies(state, unit, 9.0, "aos.core.set-up"))
    placer.bounded(lambda m: beyond(placer, 9.0, m))
    placer.shut = lambda m: too_near(placer, 9.0, m)

    def anywhere(rng: Rng) -> Iterator[tuple[float, float]]:
        return ((rng.uniform(2, state.width - 2), rng.uniform(2, state.depth - 2)) for _ in range(80))

    yield from arrive_at(battle, use, unit, placer, anywhere)


def summon(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> Steps[None]:
    """Set a manifestation up within reach of its summoner and not in combat."""
    state = battle.state
    conjured = dormant(state, use.side, do.unit)
    if conjured is None:
        return
    reach = do.range or 12.0
    far = away_from_enemies(state, conjured, 3.0, "aos.core.manifestations")

    def allowed(end: Model) -> Reason | None:
        if not any(within(end, m, reach) for m in unit.models):
            return Reason("aos.core.manifestations", "reason.aos.summon-range", {"model": end.id, "range": reach})
        return far(end)

    placer = Placer(state, conjured, conjured.models, allowed)
    placer.bounded(lambda m: beyond(placer, 3.0, m) + near_bodies(m, unit.models, reach, placer.rises))
    placer.shut = lambda m: too_near(placer, 3.0, m)
    placer.confined = lambda m: [(o.x, o.y, reach + o.r + m.r) for o in unit.models]
    rule = "aos.core.manifestations"
    came = yield from arrive_at(
        battle, use, conjured, placer, lambda rng: spots_round(unit.cx, unit.cy, reach, rng), rule
    )
    if came:
        conjured.summoner = unit.id


def replace(battle: AosBattle, use: Use, unit: Unit, do: Do, data: AbilityData) -> Steps[None]:
    """aos.core.replacement: a new unit like one that was destroyed; each can be replaced once, replacements never."""
    state = battle.state
    lost = [
        u
        for u in state.units.values()
        if u.side == use.side
        and u.where == "gone"
        and not u.replaced
        and not u.replaces
        and u.profile.kind == "unit"
        and u.profile.has(do.what)
    ]
    if not lost:
        battle.emit("no-effect", "aos.core.ability-general", unit=unit.id, ability=data.name)
        return
    old = yield from one_of(battle, use, lost, data)
    from umpire.games.aos.composition import make_unit

    key = f"{'ab'[use.side]}{sum(u.side == use.side for u in state.units.values()) + 1}"
    new = make_unit(key, use.side, old.profile, old.size, where="reserve", regiment=old.regiment, replaces=old.id)
    state.units[key] = new
    placer = Placer(state, new, new.models, away_from_enemies(state, new, 9.0, "aos.core.replacement"))
    placer.bounded(lambda m: beyond(placer, 9.0, m))
    placer.shut = lambda m: too_near(placer, 9.0, m)
    came = yield from arrive_at(battle, use, new, placer, lambda rng: edge_spots(state, rng), "aos.core.replacement")
    if came:
        old.replaced = True
    else:
        del state.units[key]


PRIMITIVES: dict[str, Primitive] = {
    "modify": modify,
    "forbid": forbid,
    "mortal": hurt,
    "heal": mend,
    "return": bring_back,
    "march": march,
    "command-point": command_point,
    "ritual": ritual,
    "token": token,
    "reserve": reserve,
    "arrive": arrive,
    "teleport": teleport,
    "summon": summon,
    "replace": replace,
    "strike-first": lend,
    "strike-last": lend,
    "ward": lend,
}
BY_PLAYER_OF_UNIT = ("reserve", "arrive", "command-point", "summon", "replace")


# -- abilities from data -----------------------------------------------------------------------------------------


def check_ability(data: AbilityData, where: str) -> None:
    """Names that nothing answers to are errors that say where they stand."""

    def fail(field: str, name: str, known: Iterable[str] = ()) -> None:
        raise unknown(field, name, f"{where}.{field}", known)

    timing = data.timing.split()
    if data.timing != "passive":
        if timing[0] == "reaction":
            if len(timing) != 2 or timing[1] not in TRIGGERS:
                fail("timing", data.timing)
        elif len(timing) != 2 or timing[0] not in ("your", "enemy", "any") or timing[1] not in PHASES:
            fail("timing", data.timing)
    for do in data.does:
        if do.do not in PRIMITIVES or (data.passive and do.do not in PASSIVES):
            fail("does.do", do.do, PASSIVES if data.passive else PRIMITIVES)
        if do.when not in CONDITIONS:
            fail("does.when", do.when, CONDITIONS)
        if do.do == "modify" and do.what not in NUMBERS:
            fail("does.what", do.what, NUMBERS)
        if do.do == "forbid" and do.what not in DEEDS:
            fail("does.what", do.what, DEEDS)
    for need in data.needs:
        if not need or (need not in CONDITIONS and not need.startswith("keyword ")):
            fail("needs", need, CONDITIONS)


def rule_of(data: AbilityData) -> str:
    if data.spell:
        return "aos.core.spell-casting"
    if data.prayer:
        return "aos.core.prayer-chanting"
    if "deploy" in data.keywords:
        return "aos.deploy.special"
    if data.timing.endswith("round"):
        return "aos.round.start-abilities"
    return "aos.core.ability-general"


def make_ability(key: str, data: AbilityData) -> Ability:
    """An ability that runs what its data say."""
    summons = next((do.unit for do in data.does if do.do == "summon"), "")
    magic = spell_objections(data, summons) if data.spell or data.prayer else None

    def eligible(state: State, unit: Unit) -> Iterator[Reason]:
        if magic is not None:
            yield from magic(state, unit)
        if data.target and next(candidates(state, unit, data), None) is None:
            yield Reason("aos.core.ability-general", "reason.aos.nobody", {"unit": unit.id, "range": data.range})
        if not data.target and any(n in CONDITIONS and not CONDITIONS[n](state, unit) for n in data.needs):
            yield Reason("aos.core.ability-general", "reason.aos.condition", {"unit": unit.id})
        for do in data.does:
            if do.do == "arrive" and not any(
                u.side == unit.side and u.where == "reserve" and u.reserve_by_deploy for u in state.units.values()
            ):
                yield Reason("aos.core.reserve", "reason.aos.no-reserve")

    def declare(battle: AosBattle, use: Use) -> Steps[bool]:
        unit = battle.state.unit(use.unit)
        if data.target:
            there = list(candidates(battle.state, unit, data))
            if len(there) <= 1:
                use.targets = tuple(u.id for u in there)
            else:
                most = min(data.picks, len(there))
                prompt = Text("ask.pick", {"ability": data.name, "unit": unit.id, "most": most})

                def refuse(wish: str) -> list[Reason]:
                    other = battle.state.units.get(wish)
                    if other is None:
                        return []
                    if other.where != "table":
                        return [Reason("aos.core.ability-general", "reason.aos.not-on-table", {"unit": wish})]
                    return list(target_objections(battle.state, unit, data, other))

                rule = "aos.core.ability-general"
                options = pieces(u.id for u in there)
                chosen = yield ChooseSeveral(unit.side, prompt, options, 1, most, rule, unit.id, refuse=refuse)
                use.targets = tuple(chosen)
        if data.spell:
            return cast(battle, use, data)
        if data.prayer:
            return (yield from chant(battle, use, data))
        return True

    def effect(battle: AosBattle, use: Use) -> Steps[None]:
        if "unbound" in use.notes:
            return
        state = battle.state
        user = state.unit(use.unit)
        if use.targets and data.picks > 1:
            battle.emit(
                "picked", "aos.core.ability-general", unit=user.id, ability=data.name, targets=list(use.targets)
            )
        whom = [state.unit(k) for k in use.targets] if data.target else [user]
        for unit in whom:
            if data.roll:
                face = battle.roll(1, "ability", "aos.core.dice", side=use.side, who=unit.id, need=data.roll).faces[0]
                if face < data.roll:
                    battle.emit("no-effect", "aos.core.dice", unit=unit.id, ability=data.name)
                    continue
            for do in data.does:
                on = user if do.who == "self" and data.target and do.do not in BY_PLAYER_OF_UNIT else unit
                if on.where == "table" or do.do in BY_PLAYER_OF_UNIT:
                    yield from outcome(PRIMITIVES[do.do](battle, use, on, do, data))

    timing = data.timing.split()
    shared: dict[str, Any] = {
        "id": key,
        "rule": rule_of(data),
        "keywords": data.keywords,
        "cost": data.cost,
        "per": data.per,
        "army": data.army,
        "name": data.name,
        "data": data,
    }
    if timing[0] == "reaction":
        return Ability(**shared, trigger=TRIGGERS[timing[1]], eligible=eligible, effect=react_effect(data))
    return Ability(**shared, phase=timing[1], whose=timing[0], eligible=eligible, declare=declare, effect=effect)


def react_effect(data: AbilityData) -> Callable[[AosBattle, Use], Steps[None]]:
    def effect(battle: AosBattle, use: Use) -> Steps[None]:
        unit = battle.state.unit(use.unit)
        for do in data.does:
            yield from outcome(PRIMITIVES[do.do](battle, use, unit, do, data))

    return effect
