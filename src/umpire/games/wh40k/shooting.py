"""The Shooting phase: who may shoot, instead of what, the order of things (shoot.eligible-*)."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine.decisions import Choose, Declare, Json, Option
from umpire.engine.decisions.declaring import read_parts
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.games.wh40k import actions, aiming
from umpire.games.wh40k.abilities import HOOKS, give, held, twins
from umpire.games.wh40k.attacks import resolve
from umpire.games.wh40k.declaration import Declaration
from umpire.games.wh40k.profiles import Does
from umpire.games.wh40k.state import State, Unit, Volley, WhBattle
from umpire.games.wh40k.weapons import BLAST, large, ranged
from umpire.text import Text

DONE = "done"


def objections(state: State, unit: Unit, again: bool = False) -> Iterator[Reason]:
    """Why a unit may not be selected to shoot, its targets apart."""
    facts = {"unit": unit.id}
    arms = [(m, w) for m in unit.models for w in ranged(unit, m)]
    if not any(unit.row(m).bs for m in unit.models):
        yield Reason("wh40k.unit.zero-skill", "", facts)
    if not arms:
        yield Reason("wh40k.shoot.eligible-weapon", "", facts)
    if not again and "shot" in unit.acts:
        yield Reason("wh40k.shoot.unit-once", "", facts)
    if "instead" in unit.acts:
        yield Reason("wh40k.shoot.instead-of-shooting", "", facts)
    if "broke-out" in unit.marks:
        yield Reason("wh40k.stratagem.desperate-breakout.no-action", "", facts)
    if "oversized" in unit.marks:
        yield Reason("wh40k.reserves.oversized.limits", "", facts)
    if arms and unit.move == "advance" and not any(p.type == "assault" for _, w in arms for p in w.profiles):
        yield from twins(state, facts, "wh40k.shoot.eligible-not-advanced", "wh40k.move.advance-no-shoot-charge")
    if unit.move == "fall-back" and not unit.has("titanic") and not HOOKS.granted(state, unit, "fall-back-shoot"):
        yield from twins(state, facts, "wh40k.shoot.eligible-not-fell-back", "wh40k.move.fall-back-no-shoot-cast")
    if arms and unit.engaged:
        pistol = any(p.type == "pistol" and not p.has(BLAST) for _, w in arms for p in w.profiles)
        if not pistol and not any(large(unit, m) for m, _ in arms):
            bans = ("wh40k.shoot.eligible-not-engaged", "wh40k.shoot.locked-in-combat")
            yield from twins(state, {**facts, "enemies": list(unit.engaged)}, *bans)


def barred(state: State, unit: Unit, again: bool = False) -> bool:
    return next(standing(state, objections(state, unit, again)), None) is not None


# -- the phase -----------------------------------------------------------------------------------------------------


@step
def shooting_phase(battle: WhBattle) -> Steps[None]:
    """wh40k.shoot.sequence: one unit after the other, as many as the player wishes."""
    state = battle.state
    side = state.active
    options = battle.know(lambda: offers(state, side))
    if not options:
        return
    key = yield Choose(side, "ask.shoot", options, "wh40k.shoot.sequence", "", lambda wish: refusal(state, side, wish))
    if key == DONE:
        return
    if key.startswith("instead:"):
        battle.plan((instead, key[8:]), shooting_phase)
        return
    battle.plan((shoot, key), shooting_phase)


def offers(state: State, side: int) -> list[Option]:
    """Who may shoot, or do what it may instead, and being done; nothing where there is nobody."""
    options = [Option(unit.id, None, (unit.id,)) for unit in state.army(side) if may_shoot(state, unit)]
    options += [
        Option(f"instead:{unit.id}", Text("option.instead", {"unit": unit.id}), (unit.id,))
        for unit in state.army(side)
        if next(standing(state, instead_objections(state, unit)), None) is None
    ]
    return [*options, Option(DONE, Text("option.done"), ends=True)] if options else []


def may_shoot(state: State, unit: Unit) -> bool:
    """wh40k.shoot.eligible-target: at least one weapon has a unit in range and in sight of its bearer."""
    if barred(state, unit):
        return False
    return Declaration(state, unit).possible or not state.applies("wh40k.shoot.eligible-target")


def instead_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """wh40k.shoot.instead-of-shooting: who has such an ability may use it even where it could not shoot at all."""
    facts = {"unit": unit.id}
    if not held(state, unit, "instead") or not state.applies("wh40k.shoot.instead-of-shooting"):
        yield Reason("wh40k.shoot.instead-of-shooting", "reason.wh40k.no-such-ability", facts)
    if "shot" in unit.acts or "instead" in unit.acts:
        yield Reason("wh40k.shoot.instead-of-shooting", "", facts)
    if "broke-out" in unit.marks:
        yield Reason("wh40k.stratagem.desperate-breakout.no-action", "", facts)


@step
def instead(battle: WhBattle, key: str) -> None:
    """Smoke and the like: until its next Command phase it is harder to hit."""
    state = battle.state
    unit = state.unit(key)
    rules = held(state, unit, "instead")
    unit.act("instead")
    burden = Does("burden", what="hit", value=rules[0].value or -1, attacks="ranged")
    give(state, unit, [burden], "instead", "next-command", unit.side)
    battle.emit("instead", "wh40k.shoot.instead-of-shooting", unit=key)


def refusal(state: State, side: int, wish: str) -> list[Reason]:
    head, _, key = wish.rpartition(":")
    unit = state.units.get(key)
    if unit is None:
        return []
    if unit.side != side:
        return [Reason("wh40k.unit.friend-enemy", "", {"unit": key})]
    if unit.where != "table":
        return [Reason("wh40k.core.on-the-battlefield", "", {"unit": key})]
    if head == "instead":
        return list(instead_objections(state, unit))
    return [*objections(state, unit)] or [*aiming.no_target(Declaration(state, unit))]


@step
def shoot(battle: WhBattle, key: str) -> Steps[None]:
    unit = battle.state.unit(key)
    unit.act("shot")
    yield from declare(battle, unit, Declaration(battle.state, unit))


def declared_by(state: State, unit: Unit, declaration: Declaration, answer: Json) -> list[str]:
    """What let these weapons be declared this way, the rarest first."""
    shots = [shot for part in read_parts(answer) or [] if (shot := declaration.shot(part)) is not None]
    found: list[str] = []
    if unit.move == "fall-back" and not unit.has("titanic"):
        found.append(HOOKS.granted(state, unit, "fall-back-shoot") or "wh40k.core.precedence-specific")
    if unit.engaged:
        big = any(large(unit, m) for m in unit.models)
        found.append("wh40k.shoot.big-guns" if big else "wh40k.shoot.pistol-engaged")
    if any(len(shot.weapon.profiles) > 1 for shot in shots):
        found.append("wh40k.shoot.declare-profile")
    places = dict.fromkeys(shot.place for shot in declaration.shots.values())
    if len(dict.fromkeys(shot.target.id for shot in shots)) > 1 or len(shots) < len(places):
        found.append("wh40k.shoot.choose-weapons")
    return found


def declare(battle: WhBattle, unit: Unit, declaration: Declaration) -> Steps[None]:
    """wh40k.shoot.declare-all-first: all weapons and targets before any die is rolled."""
    state = battle.state
    rows, default = battle.know(lambda: (declaration.rows(), declaration.default()))
    if not rows:
        return
    answer = yield Declare(
        unit.side,
        Text("ask.declare", {"unit": unit.id}),
        rows,
        "wh40k.shoot.declare-all-first",
        unit.id,
        default,
        declaration.judge_part,
        declaration.judge,
        declaration.refuse,
        declaration.propose,
        absent=declaration.absent,
    )
    if not answer:
        return
    actions.fails(battle, unit, "shoots")
    unit.fired = tuple(dict.fromkeys([*unit.fired, *(part["row"] for part in answer)]))
    groups = declaration.groups(answer)
    battle.emit(
        "shoots",
        "wh40k.shoot.sequence",
        "wh40k.shoot.declare-all-first",
        *declared_by(state, unit, declaration, answer)[:1],
        unit=unit.id,
        targets=list(dict.fromkeys(group.target for group in groups)),
    )
    state.volley = Volley(unit.id, declaration.kind, groups)
    battle.push(resolve)
