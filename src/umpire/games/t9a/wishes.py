"""Why not? Charges, flights, moves, shots, spells, joining and leaving, by any unit at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from typing import cast as typed

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Decision, Json
from umpire.engine.rulings import Reason, standing
from umpire.engine.wishes import Asked, Deed, Wish, doer, named, targets, way
from umpire.errors import unknown
from umpire.text import Text

from . import (
    aiming,
    attacks,
    breaking,
    charging,
    combat_reforms,
    fighting,
    joining,
    magic,
    moving,
    rallying,
    ranged_attacks,
    reforming,
    shooting,
    weapons,
)
from .characteristics import mobility
from .courses import RULES, Budget
from .formation import layout
from .move_paths import Manoeuvre
from .state import Moved, Pool, State, Unit
from .weapons import weapon_of

MOVING = ("ask.charge-order", "ask.combined-order")
"""Asked when all charges are declared."""


def unit_of(state: State, key: str, part: str) -> Unit:
    """A unit by its id; a model that has joined one stands for it."""
    key = key.partition("/")[0]
    if key not in state.pools:
        raise unknown("unit", key, f"wish.{part}", state.units)
    return state.units[state.pools[key].unit]


def moment_of(state: State) -> object:
    """The phase of a player's turn."""
    return state.turn, state.active, state.phase


def moment(state: State, side: int, unit: Unit, phase: str) -> Iterator[Reason]:
    """Whose it is, whose turn it is, which phase it is, and whether it is on the table."""
    if unit.side != side:
        yield Reason("t9a.intro.friend-enemy", "reason.wish.not-yours", {"who": unit.id})
    elif side != state.active:
        yield Reason("t9a.intro.active-reactive", facts={"unit": unit.id})
    if state.phase != phase:
        yield Reason("t9a.intro.phase-order", "reason.wish.phase", {"phase": Text(f"phase.{state.phase}")})
    if unit.where != "table":
        yield Reason("t9a.prep.deploy.inactive-before", "reason.wish.off-table", {"who": unit.id})


def in_melee(state: State, side: int, unit: Unit) -> Iterator[Reason]:
    """What both players' units do, each with its own, in the Melee Phase."""
    if unit.side != side:
        yield Reason("t9a.intro.friend-enemy", "reason.wish.not-yours", {"who": unit.id})
    if state.phase != "melee":
        yield Reason("t9a.intro.phase-order", "reason.wish.phase", {"phase": Text(f"phase.{state.phase}")})


def fallen(pool: Pool) -> Iterator[Reason]:
    """A model that has been removed from its unit does nothing any more."""
    yield Reason("t9a.attack.last-hp", "reason.wish.off-table", {"who": pool.id})


def absent(state: State, key: str, unit: Unit) -> Iterator[Reason]:
    """Nothing is done to whoever is not on the table: not there yet, or there no more."""
    pool = state.pools[key.partition("/")[0]]
    if pool.destroyed or pool.id not in unit.members:
        yield from fallen(pool)
    elif unit.where != "table":
        yield Reason("t9a.prep.deploy.inactive-before", "reason.wish.off-table", {"who": pool.id})


def charge(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from moment(state, side, unit, "charge")
    if unit.where != "table":
        return
    pool = state.pools[wish.who.partition("/")[0]]
    if pool.id not in unit.members:
        yield from fallen(pool)
        return
    if any(ask.prompt.key in MOVING for ask in battle.decisions):
        yield Reason("t9a.charge.sequence", "reason.t9a.all-declared", {"unit": unit.id})
    out = pool if pool.attachable and len(unit.members) > 1 else None
    yield from charging.out_objections(state, out) if out else charging.charger_objections(state, unit)
    if not wish.whom:
        yield from nobody(state, unit, lambda foe: charging.target_objections(state, unit, foe, out))
    if len(wish.whom) > 1:
        yield Reason("t9a.charge.sequence", "reason.wish.one-target", {"who": pool.id})
    for key in wish.whom:
        foe = unit_of(state, key, "whom")
        yield from absent(state, key, foe)
        if foe.side == unit.side:
            yield Reason("t9a.intro.friend-enemy", facts={"unit": foe.id})
        elif foe.where == "table":
            yield from charging.target_objections(state, unit, foe, out)


def nobody(state: State, unit: Unit, against: Callable[[Unit], Iterable[Reason]]) -> Iterator[Reason]:
    """Where it is not said whom: what stands against the nearest enemy, if something does against every one."""
    foes = sorted(state.table(1 - unit.side), key=lambda foe: (foe.x - unit.x) ** 2 + (foe.y - unit.y) ** 2)
    found = [list(standing(state, against(foe))) for foe in foes]
    if all(found):
        none = Reason("t9a.charge.declare.possible", "reason.t9a.charge.nobody", {"unit": unit.id})
        yield from found[0] if found else [none]


def flee(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    ask = battle.decision_for(side)
    if ask is None or ask.prompt.key != "ask.reaction" or ask.about != unit.id:
        yield Reason("t9a.charge.reaction.mandatory", "reason.wish.not-charged", {"who": unit.id})
    if unit.where == "table":
        yield from charging.flee_objections(state, unit)


def move(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    kind = wish.using or "normal"
    if kind not in RULES:
        raise unknown("move", kind, "wish.using", RULES)
    extra = out_of_turn(battle, unit)
    if extra is not None and unit.side == side:
        if kind == "march":
            yield from moving.march_objections(state, unit)
        yield from way(Manoeuvre(state, unit, extra._replace(action=typed(Moved, kind))), wish, RULES[kind])
        return
    yield from moment(state, side, unit, "movement")
    if unit.where == "table":
        yield from moving.move_objections(state, unit)
        yield from moving.order_objections(state, unit)
        if kind == "march":
            yield from moving.march_objections(state, unit)
        budget = Budget(typed(Moved, kind), mobility(state, unit))
        yield from way(Manoeuvre(state, unit, budget), wish, RULES[kind])


EXTRA = {"deployment": "vanguard", "magic": "magic", "melee": "pursuit"}
"""The moves out of sequence of each phase: the last is the reform of a pursuer at the table's edge."""


def out_of_turn(battle: Battle[State], unit: Unit) -> Budget | None:
    """The move out of sequence that a unit is asked for now."""
    special = EXTRA.get(battle.state.phase)
    for ask in battle.decisions if special is not None else ():
        if ask.about == unit.id and ask.prompt.key in ("ask.move-action", *(f"ask.{kind}" for kind in RULES)):
            mob = (ask.data or {})["mobility"]
            return Budget("normal", mob, special or "", 12.0 if special == "vanguard" else 0.0)
    return None


def shoot(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from moment(state, side, unit, "shooting")
    if unit.where != "table":
        return
    yield from shooting.unit_objections(state, unit)
    if not shooting.guns(state, unit):
        for pool in state.members(unit):
            for part in pool.profile.parts:
                for weapon in (weapon_of(part, key) for key in part.weapons):
                    if weapon.shooting:
                        yield from shooting.model_objections(state, pool, part, weapon)
    if not wish.whom:
        yield from nobody(state, unit, lambda foe: shooting.target_objections(state, unit, foe))
    if len({unit_of(state, key, "whom").id for key in wish.whom}) > 1:
        yield Reason("t9a.shoot.same-target", "reason.wish.one-target", {"who": unit.id})
    for key in wish.whom:
        foe = unit_of(state, key, "whom")
        yield from absent(state, key, foe)
        if foe.side == unit.side:
            yield Reason("t9a.intro.friend-enemy", facts={"unit": foe.id})
        elif foe.where == "table":
            yield from shooting.target_objections(state, unit, foe)
            yield from sheltered(state, state.pools[key.partition("/")[0]], foe)


def sheltered(state: State, pool: Pool, unit: Unit) -> Iterator[Reason]:
    """An attached model that cannot be singled out (t9a.shoot.attached-target)."""
    rnf = state.rnf(unit)
    if rnf is None or pool is rnf or pool.id not in unit.members:
        return
    for reason in attacks.shelter(state, pool, rnf):
        yield reason
        yield Reason("t9a.shoot.attached-target", facts={"who": pool.id})


def cast(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from moment(state, side, unit, "magic")
    pool = state.pools[wish.who.partition("/")[0]]
    versions = magic.versions(pool)
    known = {spell.id: (spell, bound) for spell, bound in reversed(versions)}
    known |= {f"{spell.id}:bound": (spell, bound) for spell, bound in versions if bound}
    if not known:
        yield Reason("t9a.prep.spells.casters", facts={"who": pool.id})
    if wish.using not in known:
        yield Reason("t9a.magic.spells.types", "reason.wish.no-spell", {"who": pool.id, "spell": wish.using[:40]})
        return
    spell, bound = known[wish.using]
    if unit.where != "table":
        return
    yield from magic.cast_objections(state, pool, spell, bound)
    for key in wish.whom:
        foe = unit_of(state, key, "whom")
        yield from absent(state, key, foe)
        if foe.where == "table":
            yield from aiming.target_objections(state, pool, spell, foe)


def join(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    # A magical move is made as in the Movement Phase (t9a.magic.move.actions), and so is that of a Vanguard.
    extra = out_of_turn(battle, unit)
    extra = None if extra is not None and extra.special == "pursuit" else extra
    if extra is None:
        yield from moment(state, side, unit, "movement")
    elif unit.side != side:
        yield Reason("t9a.intro.friend-enemy", "reason.wish.not-yours", {"who": unit.id})
    pool = state.pools[wish.who.partition("/")[0]]
    if pool.id not in unit.members:
        yield from fallen(pool)
        return
    if unit.where == "list":
        yield Reason("t9a.prep.deploy.attached", facts={"who": pool.id})
    if unit.where == "table" and extra is None:
        yield from moving.move_objections(state, unit)
        yield from moving.order_objections(state, unit)
    for key in wish.whom:
        host = unit_of(state, key, "whom")
        yield from absent(state, key, host)
        if host.id == unit.id:
            yield Reason("t9a.char.join.how", facts={"who": pool.id, "unit": host.id})
        elif host.where == "table":
            yield from joining.join_objections(state, pool, host)
            if unit.where == "table" and len(unit.members) == 1 and pool.attachable:
                yield from too_far(state, unit, host, extra)


TOO_FAR = ("t9a.char.join.distance", "t9a.move.march.advance")


def too_far(state: State, unit: Unit, host: Unit, extra: Budget | None) -> Iterator[Reason]:
    """A place in a unit that a model does not reach by any move action (t9a.char.join.distance)."""
    kinds: list[Moved] = ["normal", "march"]
    if list(standing(state, moving.march_objections(state, unit))):
        kinds.remove("march")
    budget = extra or Budget("normal", mobility(state, unit))
    by_each = [reforming.join_reasons(state, unit, budget._replace(action=kind), host.id) for kind in kinds]
    far = [[reason for reason in reasons if reason.rule in TOO_FAR] for reasons in by_each]
    if all(list(standing(state, reasons)) for reasons in far):
        yield from far[-1]


def leave(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    extra = out_of_turn(battle, unit)
    # A magical move is made as in the Movement Phase (t9a.magic.move.actions).
    yield from moment(state, side, unit, "magic" if extra is not None and extra.special == "magic" else "movement")
    pool = state.pools[wish.who.partition("/")[0]]
    if pool.id not in unit.members:
        yield from fallen(pool)
    elif unit.where == "table":
        yield from moving.leave_objections(state, pool)
        yield from moving.order_objections(state, unit)


def redirect(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from moment(state, side, unit, "charge")
    if unit.where != "table":
        return
    yield from charging.redirect_objections(state, unit)
    for key in wish.whom:
        foe = unit_of(state, key, "whom")
        yield from absent(state, key, foe)
        if foe.side == unit.side:
            yield Reason("t9a.intro.friend-enemy", facts={"unit": foe.id})
        elif foe.where == "table":
            yield from charging.target_objections(state, unit, foe)


def weapon(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    """Fighting with a weapon: whoever of its parts has it."""
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from in_melee(state, side, unit)
    pool = state.pools[wish.who.partition("/")[0]]
    found = [list(weapons.use_objections(state, pool, index, wish.using)) for index in range(len(pool.profile.parts))]
    yield from min(found, key=len, default=[])


def swap(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    """Changing places inside its unit: only in the course of some moves (t9a.char.combined.no-swap)."""
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    ask = battle.decision_for(side)
    if ask is None or ask.prompt.key != "ask.rearrange" or ask.about != unit.id:
        yield Reason("t9a.char.combined.no-swap", facts={"who": wish.who})


def make_way(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    pool = state.pools[wish.who.partition("/")[0]]
    yield from in_melee(state, side, unit)
    if pool.id not in unit.members:
        yield from fallen(pool)
        return
    if unit.where != "table" or not state.engaged(unit.id):
        yield Reason("t9a.char.make-way", "reason.wish.not-engaged", {"who": pool.id})
        return
    touching = frozenset(j for p in state.pairs_of(unit.id) for j, _ in fighting.touch(state, unit, p.other(unit.id)))
    yield from fighting.way_objections(state, unit, pool, touching, layout(state, unit).cells)


def pursue(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from in_melee(state, side, unit)
    yield from breaking.pursue_objections(state, unit, [unit_of(state, key, "whom").id for key in wish.whom])


def rally(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from moment(state, side, unit, "rally")
    if unit.where == "table":
        yield from rallying.rally_objections(state, unit)


def combat_reform(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    """Both players' units reform after a round of combat."""
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    yield from in_melee(state, side, unit)
    if unit.where == "table" and not state.engaged(unit.id):
        yield Reason("t9a.melee.post.reform.eligible", "reason.wish.not-engaged", {"who": unit.id})
    else:
        yield from combat_reforms.reform_objections(state, unit.id)


def stand(battle: Battle[State], side: int, wish: Wish) -> Iterator[Reason]:
    """Shooting at who charged home: at those that are named, or at whoever did."""
    state = battle.state
    unit = unit_of(state, wish.who, "who")
    if unit.side != side:
        yield Reason("t9a.intro.friend-enemy", "reason.wish.not-yours", {"who": unit.id})
    foes = [unit_of(state, key, "whom") for key in wish.whom or state.foes(unit.id)]
    if not foes:
        yield Reason("t9a.rule.stand-and-shoot", "reason.wish.not-charged", {"who": unit.id})
    for foe in foes:
        yield from ranged_attacks.stand_objections(state, foe, unit)


def spell_names(battle: Battle[State]) -> list[str]:
    told = [(s.id, bound) for pool in battle.state.pools.values() for s, bound in magic.versions(pool)]
    return list(dict.fromkeys((*(key for key, _ in told), *(f"{key}:bound" for key, bound in told if bound))))


def called_spells(battle: Battle[State], who: str) -> dict[str, Any]:
    unit_of(battle.state, who, "who")
    own = magic.versions(battle.state.pools[who.partition("/")[0]])
    return {f"{spell.id}{':bound' * bound}": spell.names for spell, bound in own}


def called_weapons(battle: Battle[State], who: str) -> dict[str, Any]:
    unit_of(battle.state, who, "who")
    parts = battle.state.pools[who.partition("/")[0]].profile.parts
    return {key: fighting.weapon_label(part, key) for part in parts for key in part.weapons}


def called_moves(battle: Battle[State], who: str) -> dict[str, Any]:
    return {kind: Text(f"option.{kind}") for kind in RULES}


def weapon_names(battle: Battle[State]) -> list[str]:
    named = [key for pool in battle.state.pools.values() for part in pool.profile.parts for key in part.weapons]
    return list(dict.fromkeys(("hand", "natural", *named)))


def most_dice(state: State, ask: Decision, wish: Wish) -> Json:
    """Whoever does not say how many dice a spell is cast with takes as many as may be taken."""
    return max(ask.options, key=int, default=None) if isinstance(ask, Choose) else None


DEEDS = {
    "charge": Deed(
        needs=("who",),
        may=("whom",),
        objections=charge,
        follow={"ask.charge": doer, "ask.charge-target": targets},
        doing="ask.charge-target",
        order="t9a.charge.sequence",
    ),
    "flee": Deed(
        needs=("who",),
        objections=flee,
        follow={"ask.reaction": lambda state, ask, wish: named(ask, "flee") if ask.about == wish.who else None},
    ),
    "move": Deed(
        needs=("who",),
        may=("using", "answer"),
        objections=move,
        known=lambda battle: RULES,
        uses=called_moves,
        order="t9a.move.sequence",
    ),
    "shoot": Deed(
        needs=("who",),
        may=("whom",),
        objections=shoot,
        follow={"ask.shoot": doer, "ask.shoot-target": targets},
        doing="ask.shoot-target",
        order="t9a.shoot.sequence",
    ),
    "cast": Deed(
        needs=("who", "using"),
        may=("whom",),
        objections=cast,
        known=spell_names,
        uses=called_spells,
        follow={
            "ask.spell": lambda state, ask, wish: named(ask, key := f"{wish.who}:{wish.using}", f"{key}:bound"),
            "ask.spell-target": targets,
            "ask.cast-dice": most_dice,
        },
        order="t9a.magic.sequence",
    ),
    "join": Deed(needs=("who", "whom"), objections=join, order="t9a.move.sequence"),
    "leave": Deed(needs=("who",), objections=leave, order="t9a.move.sequence"),
    "redirect": Deed(needs=("who",), may=("whom",), objections=redirect),
    "weapon": Deed(needs=("who", "using"), objections=weapon, known=weapon_names, uses=called_weapons),
    "swap": Deed(needs=("who",), objections=swap),
    "make-way": Deed(needs=("who",), objections=make_way),
    "stand-and-shoot": Deed(
        needs=("who",), may=("whom",), objections=stand, follow={"ask.stand-and-shoot": lambda state, ask, wish: True}
    ),
    "pursue": Deed(needs=("who",), may=("whom",), objections=pursue, follow={"ask.pursue": targets}),
    "rally": Deed(needs=("who",), objections=rally, follow={"ask.rally": doer}),
    "combat-reform": Deed(needs=("who",), objections=combat_reform),
}

ASKED = {
    "ask.charge": Asked("charge"),
    "ask.charge-target": Asked("charge", ("whom",), about=True),
    "ask.shoot": Asked("shoot"),
    "ask.move-unit": Asked("move"),
    "ask.move-action": Asked("move", ("using",), about=True),
    "ask.shoot-target": Asked("shoot", ("whom",), about=True),
    "ask.spell": Asked("cast", ("who", "using")),
}
"""The deeds that questions ask for."""
