"""Command and Courage Tests, panic, the states Shaken and Decimated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from umpire.engine.battle import Battle
from umpire.engine.rulings import Reason

from . import command
from .model_rules import every, some
from .state import Pool, State, Unit
from .values import kept, net_of

RECKONED = ("t9a.def.modifier.agi-dis-cap", "t9a.def.modifier.min-zero", "t9a.def.modifier.set")
"""What made a Discipline what it is, beside what was added to it."""


def take_test(
    battle: Battle[State], unit: Unit, kind: str, rule: str, penalty: int = 0, cites: tuple[str, ...] = ()
) -> bool:
    """2D6 against the highest Discipline in the unit; equal or lower passes (t9a.psych.test). Command Tests:
    "redirect",
    "reform", "rally". Courage Tests: "panic", "break"."""
    state = battle.state
    courage = kind in ("panic", "break")
    value = command.discipline(state, unit)
    need = max(0, int(value.total) - penalty)
    changes: list[tuple[int, str]] = []
    if not courage:
        changes = command_dice(state, unit)
    net, rules = net_of(state, changes)
    roll = battle.roll(
        2 + abs(net), kind, rule, side=unit.side, who=unit.id, need=0, target=need, net=net, penalty=penalty
    )
    total = sum(kept(roll.faces, 2, net))
    passed = total <= need
    chapter = "t9a.psych.courage" if courage else "t9a.psych.command"
    battle.emit(
        "test",
        rule,
        *(test_rules(state, unit, kind, cites, rules, value.rules) or (chapter,)),
        next((rule for rule in RECKONED if rule in value.rules), "t9a.psych.test"),
        unit=unit.id,
        test=f"test.{kind}",
        total=total,
        need=need,
        passed=passed,
    )
    if not passed and courage:
        again = command.rallied(state, unit)
        if again:
            second = battle.reroll(roll, None, again)
            total = sum(kept(second.faces, 2, net))
            passed = total <= need
            battle.emit("test", again, rule, unit=unit.id, test=f"test.{kind}", total=total, need=need, passed=passed)
    return passed


def test_rules(
    state: State, unit: Unit, kind: str, cites: Sequence[str], rules: Sequence[str], value: Sequence[str]
) -> Sequence[str]:
    """The rule that mattered most for a test: whoever commands from afar, what changed the dice or the number."""
    if cites:
        return cites[:1]
    if len(rules) > 1:
        return ("t9a.def.dice.max-min-stacking",)
    if kind not in ("panic", "break") and "t9a.rule.disciplined" in rules:
        passed_on = not some(state, unit, "t9a.rule.disciplined")
        return ("t9a.rule.commanding-presence.disciplined" if passed_on else "t9a.rule.disciplined",)
    if "t9a.rule.commanding-presence" in value and command.from_afar(state, unit):
        return ("t9a.rule.captain.musician",)
    limits = command.unheard(state, unit)
    if not rules and not value and limits:
        return (limits,)
    return rules[:1] or value[:1]


def command_dice(state: State, unit: Unit) -> list[tuple[int, str]]:
    """Disciplined minimises Command Tests, Unruly maximises them (t9a.rule.disciplined, t9a.rule.unruly)."""
    found: list[tuple[int, str]] = []
    if some(state, unit, "t9a.rule.disciplined") or command.disciplined_by_presence(state, unit):
        found.append((-1, "t9a.rule.disciplined"))
    if some(state, unit, "t9a.rule.unruly"):
        found.append((1, "t9a.rule.unruly"))
    return found


def spared(state: State, unit: Unit) -> Iterator[Reason]:
    """Why a unit takes no Panic Test (t9a.psych.panic.exempt)."""
    if state.engaged(unit.id) or unit.shaken or unit.calm:
        yield Reason("t9a.psych.panic.exempt", facts={"unit": unit.id})


def panic(battle: Battle[State], unit: Unit, rule: str) -> bool:
    """A Panic Test; failed, the unit is Shaken at once (t9a.psych.panic.failed). True if it is not shaken by it."""
    state = battle.state
    if unit.where != "table":
        return True
    if state.applies("t9a.psych.panic.exempt") and next(spared(state, unit), None) is not None:
        battle.emit("no-panic", "t9a.psych.panic.exempt", unit=unit.id)
        return True
    if some(state, unit, "t9a.rule.fearless"):
        few = () if every(state, unit, "t9a.rule.fearless") else ("t9a.rule.unit-containing",)
        battle.emit("no-panic", "t9a.rule.fearless", *few, unit=unit.id)
        unit.calm = True
        return True
    if take_test(battle, unit, "panic", rule):
        unit.calm = True
        return True
    shake(battle, unit, "t9a.psych.panic.failed")
    return False


def shake(battle: Battle[State], unit: Unit, rule: str, chosen: bool = False) -> None:
    """The unit becomes Shaken (t9a.psych.shaken.gain) and loses its spoils (t9a.prep.primary.bounty.lose)."""
    state = battle.state
    if not state.applies(rule) or not state.applies("t9a.psych.shaken.gain"):
        return
    from . import victory

    scored = victory.scoring(state, unit)
    # Who was Shaken before did not become so by its own choice now, and flees once more.
    unit.by_choice = chosen and not unit.shaken
    unit.shaken = True
    battle.emit("shaken", rule, "t9a.psych.shaken.gain", unit=unit.id)
    if scored and state.applies("t9a.psych.shaken.scoring"):
        battle.emit("scores-no-more", "t9a.psych.shaken.scoring", unit=unit.id)
    if unit.spoils and state.applies("t9a.prep.primary.bounty.lose"):
        battle.emit("spoils-lost", "t9a.prep.primary.bounty.lose", unit=unit.id, count=unit.spoils)
        unit.spoils = 0


def ranged_losses(battle: Battle[State], unit: Unit, lost: int) -> None:
    """Health points lost to enemy ranged attacks: at least 3 and a quarter of those at the phase's start make a unit
    test (t9a.psych.panic.ranged-losses); what it loses while engaged never does (t9a.psych.panic.engaged-losses)."""
    state = battle.state
    if not lost or unit.where != "table":
        return
    if state.engaged(unit.id) and state.applies("t9a.psych.panic.engaged-losses"):
        battle.emit("no-panic", "t9a.psych.panic.engaged-losses", unit=unit.id)
        return
    unit.ranged += lost
    if unit.ranged >= 3 and 4 * unit.ranged >= unit.hp_start and state.applies("t9a.psych.panic.ranged-losses"):
        panic(battle, unit, "t9a.psych.panic.ranged-losses")


def decimated(state: State, pool: Pool) -> bool:
    """Fewer than a quarter of the entry's starting health points are left (t9a.psych.decimated)."""
    return state.applies("t9a.psych.decimated") and 4 * pool.hp < pool.start_hp


def passes_by_rule(state: State, unit: Unit, kind: str) -> bool | None:
    """Mindless units pass tests for Combat Reforms and fail those to redirect (t9a.rule.mindless)."""
    if kind in ("reform", "redirect") and every(state, unit, "t9a.rule.mindless"):
        return kind == "reform"
    return None
