"""The Charge Phase: declaring charges, charge reactions, redirecting; then the charges are moved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Ends, Option, Order, pieces
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import aligning, charge_moves, combined_charges, fleeing, joining, psychology, sight, spacing
from .formation import EPS, box, front_models, still
from .model_rules import every, has, some
from .offers import Offers
from .picture import standing_at
from .spacing import distance, within
from .state import Pool, State, Unit


def charger_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not declare a charge (t9a.charge.declare.eligible-charger)."""
    facts = {"unit": unit.id}
    if unit.declared:
        yield Reason("t9a.charge.declare.eligible-charger", "reason.t9a.has-declared", facts)
    if state.engaged(unit.id):
        foes = {**facts, "others": state.foes(unit.id)}
        yield Reason("t9a.charge.declare.eligible-charger", "reason.t9a.is-engaged", foes)
    if unit.shaken:
        yield Reason("t9a.charge.declare.eligible-charger", "reason.t9a.is-shaken", facts)
        yield Reason("t9a.psych.shaken.restrictions", facts=facts)
    if unit.no_charge == state.player_turn:
        yield Reason("t9a.melee.post.pivot-no-charge", facts=facts)
    if state.player_turn == 1 and any(state.pools[key].outside for key in unit.members):
        yield Reason("t9a.rule.scout.no-charge", facts=facts)
    if every(state, unit, "t9a.rule.emplaced"):
        yield Reason("t9a.rule.emplaced", facts=facts)
    if every(state, unit, "t9a.rule.random-movement.distance"):
        yield Reason("t9a.rule.random-movement.charge", facts=facts)
    if unit.charged_out:
        yield Reason("t9a.char.charge-out.unit", facts=facts)


def out_objections(state: State, pool: Pool) -> Iterator[Reason]:
    """Why an attached model may not charge out of its unit (t9a.char.charge-out)."""
    unit = state.units[pool.unit]
    facts = {"unit": pool.id}
    if has(state, pool, "t9a.rule.attached"):
        yield Reason("t9a.rule.attached", facts=facts)
    # He charges as a unit of his own (t9a.char.charge-out.separate).
    if has(state, pool, "t9a.rule.emplaced"):
        yield Reason("t9a.rule.emplaced", facts=facts)
    if has(state, pool, "t9a.rule.random-movement.distance"):
        yield Reason("t9a.rule.random-movement.charge", facts=facts)
    if pool.profile.cha <= 0:
        yield Reason("t9a.rule.war-platform.leave", facts=facts)
    yield from charger_objections(state, unit)


def may_declare(state: State, unit: Unit) -> bool:
    return next(standing(state, charger_objections(state, unit)), None) is None


def target_objections(state: State, unit: Unit, target: Unit, pool: Pool | None = None) -> Iterator[Reason]:
    """Why a charge on this target may not be declared; `pool`: the model that would charge out of the unit."""
    mover = charge_moves.as_charger(state, unit, pool)
    reach = charge_moves.greatest(state, mover, pool)
    gap = charge_moves.gap_to(state, mover, target)
    if not within(gap, reach):
        yield Reason("t9a.charge.declare.possible", facts={"gap": round(gap, 2), "most": reach})
    if not charge_moves.sees(state, unit, target, pool):
        rule = "t9a.char.charge-out.los" if pool is not None else "t9a.charge.declare.los"
        yield Reason(rule, facts={"target": target.id})
        if pool is None:
            yield from sight.unseen(state, unit, target)
        return
    if not room(state, mover, target):
        facts = {"target": target.id}
        if pool is not None:
            yield Reason("t9a.char.charge-out.success", facts=facts)
        elif any(u.target == target.id for u in state.table(unit.side) if u.id != unit.id):
            yield Reason("t9a.charge.declare.space-check", facts=facts)
        else:
            yield Reason("t9a.charge.declare.possible", "reason.t9a.charge.room", facts)
        yield from room_reasons(state, mover, target)


def room_reasons(state: State, mover: Unit, target: Unit) -> Iterator[Reason]:
    """What leaves no room: others that may not be touched (t9a.charge.move.spacing), and why no facing beside the
    target facing may be charged instead (t9a.charge.blocked-path.conditions)."""
    face = charge_moves.target_facing(state, mover, target)
    for other in aligning.in_the_way(state, mover, target, face):
        yield Reason("t9a.charge.move.spacing", facts={"other": other})
    if charge_moves.blocked_face(state, mover, target) is None:
        yield Reason("t9a.charge.blocked-path.conditions", facts={"target": target.id})


def room(state: State, mover: Unit, target: Unit) -> bool:
    """Is there a way into contact: with the target facing, or by Blocked Path with one beside it?"""
    lone = not any(u.target == target.id for u in state.table(mover.side) if u.id != mover.id)
    if any(aligning.possible(state, mover, target, f, lone) for f in charge_moves.target_facings(state, mover, target)):
        return True
    if not lone:
        return False
    return any(
        aligning.possible(state, mover, target, f, lone) for f in charge_moves.blocked_faces(state, mover, target)
    )


def targets(state: State, unit: Unit) -> Iterator[Unit]:
    return (foe for foe in about(state, unit, None) if may_charge(state, unit, foe, None))


def about(state: State, unit: Unit, pool: Pool | None) -> list[Unit]:
    """Enemies that may be within the greatest charge range: a quick look before the exact one."""
    foes = state.table(1 - unit.side)
    if not foes or not state.applies("t9a.charge.declare.possible"):
        return foes
    mover = charge_moves.as_charger(state, unit, pool)
    here, reach = box(state, mover), charge_moves.greatest(state, mover, pool) + EPS
    return [stand.unit for stand in spacing.about(state, here, reach) if stand.unit.side != unit.side]


def out_of(answer: str, state: State) -> tuple[Unit, Pool | None]:
    """Who would charge by an answer: a unit, or a model out of its unit ("out:ID")."""
    if answer.startswith("out:"):
        pool = state.pools[answer[4:]]
        return state.units[pool.unit], pool
    return state.units[answer], None


def likely(state: State) -> Iterator[str]:
    """Units, and models that may charge out of one ("out:ID"), who might find a target: a quick look."""
    for unit in state.table(state.active):
        if not may_declare(state, unit):
            continue
        if about(state, unit, None):
            yield unit.id
        if state.rnf(unit) is not None or len(unit.members) > 1:
            for pool in state.attached(unit):
                if pool.id == unit.id and len(unit.members) == 1:
                    continue
                if next(standing(state, out_objections(state, pool)), None) is None and about(state, unit, pool):
                    yield f"out:{pool.id}"


def has_target(state: State, key: str) -> bool:
    """Is there anybody whom it may charge? The nearest are the likeliest."""
    unit, pool = out_of(key, state)
    near = sorted(about(state, unit, pool), key=lambda foe: (foe.x - unit.x) ** 2 + (foe.y - unit.y) ** 2)
    return any(may_charge(state, unit, foe, pool) for foe in near)


def may_charge(state: State, unit: Unit, foe: Unit, pool: Pool | None) -> bool:
    return next(standing(state, target_objections(state, unit, foe, pool)), None) is None


@step
def declare(battle: Battle[State]) -> Steps[None]:
    """The active player declares charges one at a time, each answered at once (t9a.charge.sequence)."""
    state = battle.state
    can = Offers(battle, lambda: likely(state), lambda key: has_target(state, key))
    if not can:
        return

    def options() -> list[Option]:
        found = [
            Option(key, Text("option.charge-out", {"who": key[4:]}) if key.startswith("out:") else None, (unit.id,))
            for key, unit in [(key, out_of(key, state)[0]) for key in can.ids]
        ]
        return [*found, Option("end", Text("option.end-charges"), ends=True)]

    def refuse(answer: str) -> list[Reason]:
        if answer in state.units and state.units[answer].where == "table":
            unit = state.units[answer]
            if unit.side != state.active:
                return [Reason("t9a.intro.active-reactive", facts={"unit": answer})]
            found = list(charger_objections(state, unit))
            return found or [Reason("t9a.charge.declare.possible", "reason.t9a.charge.nobody", {"unit": answer})]
        if answer.startswith("out:") and answer[4:] in state.pools:
            return list(out_objections(state, state.pools[answer[4:]]))
        return []

    answer = yield Choose(
        state.active, "ask.charge", options, "t9a.charge.sequence", refuse=refuse,
        offered=lambda key: key == "end" or key in can,
        propose=lambda rng: "end" if rng.below(6) == 0 else can.one(rng, "end"),
    )  # fmt: skip
    if answer == "end":
        return
    unit, pool = out_of(answer, state)
    foe = yield ask_target(battle, unit, pool)
    declared(battle, unit, pool, foe)
    battle.push(declare)
    battle.push(reaction, pool.id if pool else unit.id, foe)


def ask_target(battle: Battle[State], unit: Unit, pool: Pool | None) -> Choose:
    """On whom?"""
    state = battle.state
    foes = Offers(
        battle, lambda: [foe.id for foe in about(state, unit, pool)],
        lambda key: may_charge(state, unit, state.units[key], pool), sure=True,
    )  # fmt: skip

    def refuse(answer: str) -> list[Reason]:
        foe = state.units.get(answer)
        if foe is None or foe.where != "table":
            return []
        if foe.side == unit.side:
            return [Reason("t9a.intro.friend-enemy", facts={"unit": answer})]
        return list(target_objections(state, unit, foe, pool))

    mover = charge_moves.as_charger(state, unit, pool)
    return Choose(
        unit.side, "ask.charge-target", lambda: [Option(foe, None, (foe,)) for foe in foes.ids],
        "t9a.charge.declare.possible", pool.id if pool else unit.id, refuse=refuse,
        offered=foes.__contains__, propose=foes.one, shows=lambda foe: in_contact(state, mover, state.unit(foe)),
    )  # fmt: skip


def in_contact(state: State, unit: Unit, target: Unit) -> Ends:
    """Where the models of a charger would stand that reaches its target."""
    found = aligning.contact(state, unit, target, declared=True, choices=True)
    if found is None and (face := charge_moves.blocked_face(state, unit, target)) is not None:
        found = aligning.contact(state, unit, target, face=face, choices=True)
    if found is None:
        return {}
    return standing_at(state, unit, found.at.x, found.at.y, found.at.facing)


def declared(battle: Battle[State], unit: Unit, pool: Pool | None, foe: str) -> None:
    """From its declaration on the unit counts as charging (t9a.charge.charging-status); a model that charges out is a
    unit of its own (t9a.char.charge-out.separate)."""
    state = battle.state
    if pool is not None:
        other = next(key for key in unit.members if key != pool.id)
        unit = joining.leave(battle, pool, "t9a.char.charge-out.separate")
        host = state.units[state.pools[other].unit]
        unit.came = host.id
        host.charged_out = True
        battle.emit("charges-out", "t9a.char.charge-out", "t9a.char.charge-out.separate", who=pool.id, unit=host.id)
    unit.declared = unit.charging = True
    unit.target = foe
    unit.moved = True
    unit.start = (unit.x, unit.y, unit.facing)
    unit.gap = distance(state, unit, state.unit(foe))
    charge_moves.note_spot(state, unit, state.unit(foe))
    if pool is None and state.units[foe].where == "table":
        front = front_models(state, unit)
        seeing = [cell for cell in front if sight.sees(state, unit, state.units[foe], [cell])]
        if 0 < len(seeing) < len(front):
            rules = ["t9a.charge.declare.los", "t9a.def.los.unit"]
            if sight.sight_point(state, unit, state.units[foe], seeing) is None:
                rules.append("t9a.def.los.boundary-target")
            battle.emit("seen", *rules, unit=unit.id, target=foe, models=len(seeing))
    faster = ("t9a.charge.declare.range-effects",) if charge_moves.hastened(state, unit) else ()
    battle.emit("charge", "t9a.charge.charging-status", *faster, unit=unit.id, target=foe, gap=round(unit.gap, 2))


def flee_objections(state: State, target: Unit) -> Iterator[Reason]:
    """Why a charged unit may not choose Flee! (t9a.charge.reaction.flee.eligibility)."""
    facts = {"unit": target.id}
    if state.engaged(target.id):
        foes = {**facts, "others": state.foes(target.id)}
        yield Reason("t9a.charge.reaction.flee.eligibility", "reason.t9a.is-engaged", foes)
    if target.fled:
        yield Reason("t9a.charge.reaction.flee.eligibility", "reason.t9a.has-fled", facts)
    if every(state, target, "t9a.rule.emplaced"):
        yield Reason("t9a.rule.emplaced", facts=facts)
    if some(state, target, "t9a.rule.fearless") and not target.shaken:
        feigning = every(state, target, "t9a.rule.feigned-flight") and state.applies("t9a.rule.feigned-flight.fearless")
        if not feigning:
            yield Reason("t9a.rule.fearless", facts=facts)


@step
def reaction(battle: Battle[State], key: str, foe: str) -> Steps[None]:
    """Terror first, then Hold! or Flee!, carried out at once (t9a.charge.reaction.mandatory)."""
    state = battle.state
    unit, target = state.unit(key), state.unit(foe)
    if unit.where != "table" or target.where != "table":
        return
    forced = terrified(battle, unit, target)
    may = next(standing(state, flee_objections(state, target)), None) is None
    flees = False
    if may and forced:
        flees = True
        battle.emit("must-flee", "t9a.rule.terror", unit=foe)
    elif may:
        answer = yield Choose(
            target.side,
            "ask.reaction",
            [Option("hold", Text("option.hold")), Option("flee", Text("option.flee"))],
            "t9a.charge.reaction.mandatory",
            foe,
            data={"charger": key},
            propose=lambda rng: "flee" if rng.below(5) == 0 or target.shaken else "hold",
        )
        flees = answer == "flee"
    if not flees:
        rule = (
            "t9a.charge.reaction.hold"
            if may
            else next((r.rule for r in standing(state, flee_objections(state, target))), "t9a.charge.reaction.hold")
        )
        battle.emit(
            "holds", "t9a.charge.reaction.hold", *((rule,) if rule != "t9a.charge.reaction.hold" else ()), unit=foe
        )
        return
    target.fled = True
    if some(state, target, "t9a.rule.fearless") and not target.shaken:
        battle.emit("fearless-flees", "t9a.rule.feigned-flight.fearless", unit=foe)
    psychology.shake(battle, target, "t9a.charge.reaction.flee.move", chosen=not forced)
    came = state.units[unit.came] if unit.came else unit
    # The flight is over, with all that is asked of it, before anybody redirects.
    battle.push(redirects, foe)
    fleeing.from_charge(battle, target, came, forced, horrified=some(state, unit, "t9a.rule.horror"))


def terrified(battle: Battle[State], unit: Unit, target: Unit) -> bool:
    """A charge of a unit containing Terror makes its target take a Panic Test (t9a.rule.terror); True if it fails."""
    state = battle.state
    if not some(state, unit, "t9a.rule.terror") or not state.applies("t9a.psych.panic.terror"):
        return False
    if some(state, target, "t9a.rule.terror") and state.applies("t9a.rule.terror.immune"):
        battle.emit("no-panic", "t9a.rule.terror.immune", unit=target.id)
        return False
    battle.emit("terror", "t9a.rule.terror", "t9a.psych.panic.terror", unit=unit.id, target=target.id)
    return not psychology.panic(battle, target, "t9a.psych.panic.terror")


def redirect_objections(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit may not try to redirect its charge (t9a.charge.redirect.test)."""
    facts = {"unit": unit.id}
    target = state.units.get(unit.target)
    if target is None or not unit.declared or not target.fled:
        yield Reason("t9a.charge.redirect.test", "reason.wish.nobody-fled", facts)
    if unit.redirected:
        yield Reason("t9a.charge.redirect.once", facts=facts)
        yield Reason("t9a.psych.command.redirect-once", facts=facts)
    if psychology.passes_by_rule(state, unit, "redirect") is False:
        yield Reason("t9a.rule.mindless", facts=facts)


def _others(state: State, unit: Unit, foe: str) -> Iterator[str]:
    return (t.id for t in targets(state, unit) if t.id != foe)


def _any_other(state: State, unit: Unit, foe: str) -> bool:
    return next(_others(state, unit, foe), None) is not None


@step
def redirects(battle: Battle[State], foe: str) -> Steps[None]:
    """Whoever declared on a unit that fled may test to declare on another (t9a.charge.redirect.test)."""
    state = battle.state
    for unit in [u for u in state.table(state.active) if u.target == foe and u.declared]:
        if unit.redirected and state.applies("t9a.charge.redirect.once"):
            battle.emit("no-redirect", "t9a.charge.redirect.once", "t9a.psych.command.redirect-once", unit=unit.id)
            continue
        unit.target = ""
        elsewhere = battle.know(partial(still, state, partial(_any_other, state, unit, foe)))
        unit.target = foe
        if not elsewhere:
            continue
        wish = yield Confirm(unit.side, "ask.redirect", "t9a.charge.redirect.test", unit.id)
        if not wish:
            continue
        unit.redirected = True
        sure = psychology.passes_by_rule(state, unit, "redirect")
        if sure is False:
            battle.emit("no-redirect", "t9a.rule.mindless", unit=unit.id)
            continue
        if not psychology.take_test(battle, unit, "redirect", "t9a.charge.redirect.test"):
            continue
        unit.target = ""
        others: list[str] = still(state, partial(list, _others(state, unit, foe)))
        options = [Option(key, None, (key,)) for key in others]
        options.append(Option("stay", Text("option.stay-on-target")))

        def refuse(answer: str, unit: Unit = unit) -> list[Reason]:
            other = state.units.get(answer)
            return [] if other is None or other.where != "table" else list(target_objections(state, unit, other))

        answer = yield Choose(
            unit.side, "ask.redirect-target", options, "t9a.charge.redirect.test", unit.id, refuse=refuse
        )
        unit.target = foe if answer == "stay" else answer
        if answer != "stay":
            unit.gap = distance(state, unit, state.unit(answer))
            charge_moves.note_spot(state, unit, state.unit(answer))
            battle.emit("redirected", "t9a.charge.redirect.test", unit=unit.id, target=answer)
            battle.push(redirects, foe)
            battle.push(reaction, unit.id, answer)
            return


@step
def moves(battle: Battle[State]) -> Steps[None]:
    """All reactions are known: the charges on one target after the other are rolled and moved
    (t9a.charge.move.order)."""
    state = battle.state
    groups = list(dict.fromkeys(u.target for u in state.table(state.active) if u.target))
    if not groups:
        return
    if len(groups) == 1:
        group = groups[0]
    else:
        options = [Option(key, None, (key,)) for key in groups]
        group = yield Choose(state.active, "ask.charge-order", options, "t9a.charge.move.order")
        battle.emit("charges-next", "t9a.charge.move.order", target=group)
    battle.plan((rolls, group), moves)


@step
def rolls(battle: Battle[State], group: str) -> Steps[None]:
    """The ranges of everybody who charges this target, before any of them moves (t9a.charge.combined.rolls)."""
    state = battle.state
    units = [u for u in state.table(state.active) if u.target == group]
    target = state.unit(group)
    for unit in units:
        unit.range = charge_moves.roll_range(battle, unit, combined=len(units) > 1)
        where = target if target.where == "table" else None
        unit.face = ""
        if where is not None:
            faces = charge_moves.target_facings(state, unit, where)
            open_ones = [
                f for f in faces if len(faces) > 1 and aligning.contact(state, unit, where, face=f) is not None
            ]
            unit.face = (open_ones or list(faces))[0]
            if len(open_ones) > 1:
                unit.face = yield from charge_moves.ask_facing(battle, unit, open_ones, "t9a.def.arcs")
        if unit.face:
            battle.emit(
                "charge-facing", "t9a.char.charge-out.arc" if unit.came else "t9a.charge.facing", "t9a.def.arcs",
                "t9a.def.facings", unit=unit.id, target=group,
                face=f"face.{unit.face}",
            )  # fmt: skip
    order = [u.id for u in units]
    if len(units) > 1:
        group_of = combined_charges.Together(state, units, target, told=battle.know(dict))

        def judge(answer: list[str]) -> list[Reason]:
            # Of more than are thought through in every order another than the usual one may bring more.
            if still(state, lambda: group_of.arriving(tuple(answer))) >= group_of.most:
                return []
            return [Reason("t9a.charge.combined.order", facts={"most": group_of.most})]

        order = yield Order(
            state.active,
            "ask.combined-order",
            pieces(still(state, group_of.usual)),
            "t9a.charge.combined.order",
            group,
            judge,
        )
        battle.emit(
            "combined", "t9a.charge.combined.order", "t9a.charge.combined.max-contact", units=list(order), target=group
        )
    battle.plan(
        *[(charge_moves.charge_move, key, len(units) > 1, tuple(order[n + 1 :])) for n, key in enumerate(order)]
    )
