"""Preparation for battle: the board, attacker and defender, zones, and what is chosen before deployment."""

from __future__ import annotations

from typing import Literal

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.decisions.asking import Propose
from umpire.engine.steps import Steps, step
from umpire.engine.throwing import rolled_off
from umpire.miniatures import lists
from umpire.miniatures.lists import Limit
from umpire.text import Text

from . import content, deployment, muster
from .state import Pool, State

Class = Literal["warband", "field-army", "legion"]

BOARDS: tuple[tuple[int, float, Class], ...] = (
    (3500, 48.0, "warband"),
    (4000, 60.0, "warband"),
    (5000, 72.0, "field-army"),
    (7000, 90.0, "field-army"),
)


WIZARDS = {
    "apprentice": "t9a.rule.wizard.apprentice",
    "adept": "t9a.rule.wizard.adept",
    "master": "t9a.rule.wizard.master",
    "conclave": "t9a.rule.wizard.conclave",
    "protean": "t9a.rule.protean-magic",
}
"""By which rule a wizard knows its spells."""


def board(size: int) -> tuple[float, Class]:
    """The long edge and the size class (t9a.prep.board.size); the short edge is 48" (t9a.prep.board.axes)."""
    for below, length, klass in BOARDS:
        if size < below:
            return length, klass
    return 120.0, "legion"


def categories(roster: muster.Roster, book: content.Book) -> tuple[list[tuple[dict[str, str], int]], str]:
    """The points of an army in each category of its book; a unit in two of them counts in both, an option may bring
    another category, or count there alone (t9a.prep.category.definition, t9a.prep.category.multiple,
    t9a.prep.category.added-by-option, t9a.prep.category.split)."""
    army = muster.army_of(roster, book)
    counted = [
        (dict(category.name), sum(n for _, n in lists.counted(Limit(rule="", what="points", of=(category.id,)), army)))
        for category in book.categories
    ]
    items = [item for line in army.lines for item in line.items]
    if any(item.adds for item in items):
        return counted, "t9a.prep.category.added-by-option"
    if any(item.alone for item in items):
        return counted, "t9a.prep.category.split"
    several = any(len([tag for tag in line.tags if ":" not in tag]) > 1 for line in army.lines)
    return counted, "t9a.prep.category.multiple" if several else "t9a.prep.category.definition"


@step
def share_lists(battle: Battle[State]) -> None:
    """Both lists are open, the board and the victory conditions are known (t9a.prep.share-lists)."""
    state = battle.state
    for side in (0, 1):
        points = sum(pool.points for pool in state.pools.values() if pool.side == side)
        battle.emit(
            "army",
            "t9a.prep.share-lists",
            "t9a.prep.army-size.agree",
            player=Text(f"side.{side}"),
            points=points,
            size=state.size,
        )
        with content.LIBRARY.opened(battle.setup):
            book = content.books().get(state.books[side])
        if book is not None:
            roster = msgspec.convert(battle.setup.sides[side], muster.Roster)
            counted, cite = categories(roster, book)
            battle.emit(
                "categories", "t9a.prep.points", cite, player=Text(f"side.{side}"),
                shares=[Text("army.share", {"category": name, "points": amount}) for name, amount in counted],
            )  # fmt: skip
    for pool in state.pools.values():
        if pool.mounted:
            battle.emit("mounted", "t9a.char.mount.base-height", "t9a.char.mount.c-values", who=pool.id)
            if pool.profile.rules:
                battle.emit("shares-rules", "t9a.char.mount.rules", who=pool.id)
        if pool.wizard and pool.spells:
            known = [dict(spell.names) for spell in pool.spells]
            battle.emit("wizard", WIZARDS[pool.wizard], "t9a.prep.share-lists", who=pool.id, spells=known)
        if pool.skill:
            battle.emit("leader", muster.SKILLS[pool.skill], "t9a.leader.choice", who=pool.id)
    battle.emit(
        "battlefield",
        "t9a.prep.board.size",
        "t9a.prep.board.terrain",
        "t9a.prep.board.axes",
        width=state.field.width,
        depth=state.field.depth,
        pieces=len(state.field.terrain),
    )
    cite = "t9a.prep.deployment.default-type"
    if state.field.deployment == "frontline-clash":
        cite = "t9a.prep.deployment.frontline-clash"
    battle.emit("conditions", "t9a.prep.victory.conditions", cite, deployment=dict(state.field.names))
    state.decks = [state.field.deck, state.field.deck]
    battle.plan(roll_off, choose_zone, *[(selections, side) for side in ("defender", "attacker")], deployment.begin)


@step
def roll_off(battle: Battle[State]) -> Steps[None]:
    """The higher die says who defends; equal ones are rolled again (t9a.prep.setup.roll-off)."""
    winner = rolled_off(battle, "t9a.prep.setup.roll-off")
    answer = yield Choose(winner, "ask.defender", ["side.0", "side.1"], "t9a.prep.setup.roll-off")
    battle.state.defender = int(answer[-1])
    battle.emit(
        "defender",
        "t9a.prep.setup.roll-off",
        "t9a.prep.setup.order-table",
        player=Text(f"side.{battle.state.defender}"),
    )


@step
def choose_zone(battle: Battle[State]) -> Steps[None]:
    """t9a.prep.setup.zone-choice."""
    state = battle.state
    answer = yield Choose(state.defender, "ask.zone", ["zone.0", "zone.1"], "t9a.prep.setup.zone-choice")
    mine = int(answer[-1])
    state.zone_of = (mine, 1 - mine) if state.defender == 0 else (1 - mine, mine)
    battle.emit("zones", "t9a.prep.setup.zone-choice", player=Text(f"side.{state.defender}"), zone=answer)


@step
def selections(battle: Battle[State], who: str) -> Steps[None]:
    """Secondary objective and spell swaps, all of the defender's before the attacker's
    (t9a.prep.setup.selection-order)."""
    state = battle.state
    side = state.defender if who == "defender" else 1 - state.defender
    battle.emit("selections", "t9a.prep.setup.selection-order", player=Text(f"side.{side}"))
    if state.field.secondaries:
        options = [Option(key, Text(f"secondary.{key}")) for key in state.field.secondaries]
        answer = yield Choose(side, "ask.secondary", options, "t9a.prep.victory.conditions")
        state.secondaries[side] = answer
        battle.emit(
            "secondary", "t9a.prep.victory.conditions", player=Text(f"side.{side}"), objective=f"secondary.{answer}"
        )
    wizards = state.applies("t9a.prep.spells.casters")
    casters = [p for p in state.pools.values() if p.side == side and p.spells and (p.wizard or not wizards)]
    for pool in casters:
        yield from hereditary_swap(battle, pool)
    yield from general_swap(battle, side, [p for p in state.pools.values() if p.side == side and p.spells])


def hereditary_swap(battle: Battle[State], pool: Pool) -> Steps[None]:
    """Every wizard may take hereditary spells for its own, each once (t9a.prep.spells.swap-hereditary)."""
    state = battle.state
    rule = "t9a.prep.spells.swap-hereditary"
    if not state.applies(rule):
        return
    taken: list[str] = []
    while True:
        known = {spell.id for spell in pool.spells}
        open_ones = [s for s in state.hereditary[pool.side] if s.id not in known and s.id not in taken]
        if pool.wizard == "conclave":
            open_ones = [s for s in open_ones if s.id in {c.id for c in pool.choices}]
        given = [spell for spell in pool.spells if spell.id not in taken]
        if not open_ones or not given:
            return
        options = [Option("keep", Text("option.keep"))] + [
            Option(f"{old.id}>{new.id}", Text("option.swap", {"old": old.names, "new": new.names}))
            for new in open_ones
            for old in given
        ]
        answer = yield Choose(
            pool.side, "ask.hereditary", options, rule, pool.id,
            propose=_now_and_then([option.id for option in options]),
        )  # fmt: skip
        if answer == "keep":
            return
        old, new = answer.split(">")
        taken.append(new)
        swap(pool, old, next(s for s in open_ones if s.id == new))
        battle.emit("swapped", rule, pool=pool.id, spell=new)


def _now_and_then(keys: list[str]) -> Propose:
    """The first as often as all others together."""
    return lambda rng: keys[0] if rng.below(2) else keys[1 + rng.below(len(keys) - 1)]


def general_swap(battle: Battle[State], side: int, casters: list[Pool]) -> Steps[None]:
    """One caster of the army may take another spell that it could have chosen (t9a.prep.spells.swap-general)."""
    state = battle.state
    options = [Option("keep", Text("option.keep"))]
    found: dict[str, tuple[Pool, str, str]] = {}
    for pool in casters:
        known = {spell.id for spell in pool.spells}
        for new in pool.choices:
            if new.id in known:
                continue
            for old in pool.spells:
                if old.path == "hereditary":
                    continue
                key = f"{pool.id}:{old.id}>{new.id}"
                found[key] = (pool, old.id, new.id)
                args = {"who": pool.id, "old": old.names, "new": new.names}
                options.append(Option(key, Text("option.swap-of", args), (pool.id,)))
    if len(options) == 1 or not state.applies("t9a.prep.spells.swap-general"):
        return
    answer = yield Choose(
        side, "ask.general-swap", options, "t9a.prep.spells.swap-general",
        propose=lambda rng: "keep" if rng.below(2) else options[1 + rng.below(len(options) - 1)].id,
    )  # fmt: skip
    if answer != "keep":
        caster, given, taken = found[answer]
        swap(caster, given, next(s for s in caster.choices if s.id == taken))
        battle.emit("swapped", "t9a.prep.spells.swap-general", pool=caster.id, spell=taken)


def swap(pool: Pool, old: str, new: object) -> None:
    from .profiles import Spell

    assert isinstance(new, Spell)
    pool.spells = tuple(new if spell.id == old else spell for spell in pool.spells)
