"""Dice: amounts, re-rolls by rules and by Command Re-roll, roll-offs (dice.*, stratagem.command-reroll)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine import usage
from umpire.engine.decisions import Choose, Option
from umpire.engine.dice import Roll
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.engine.throwing import rolled_off, throw
from umpire.games.wh40k.state import State, Unit, WhBattle
from umpire.miniatures.amounts import Amount
from umpire.miniatures.special import Reroll
from umpire.text import Text

CAP = 1
COMMAND_REROLL = "command-reroll"
SINGLE = ("hit", "wound", "save", "advance", "damage", "attacks")
WHOLE = ("charge", "psychic", "deny")
REROLLABLE = (*SINGLE, *WHOLE)
"""What Command Re-roll may be used on; nothing else is ever offered (wh40k.stratagem.command-reroll)."""
Fails = Sequence[bool] | Callable[[Roll], Sequence[bool]]
"""Which dice of a roll fail."""
WISHES = ("failed", "always")
DEFAULT_WISHES = ("charge:failed", "psychic:failed", "deny:failed", "damage:failed")


def d3(face: int) -> int:
    """wh40k.dice.d3."""
    return (face + 1) // 2


def d66(faces: Sequence[int]) -> int:
    """wh40k.dice.d66: the first die is the tens, the second the units."""
    return 10 * faces[0] + faces[1]


def read(faces: Sequence[int], text: Amount) -> int:
    """The number that dice give for an amount such as 2D3 or D6+2."""
    total = text.plus
    for face in faces:
        total += d3(face) if text.sides == 3 else face
    return total


def capped(state: State, modifier: int, *rules: str) -> int:
    """wh40k.dice.hit-wound-cap: the sum of all modifiers of a hit or wound roll, at most 1 either way."""
    if all(state.applies(rule) for rule in ("wh40k.dice.hit-wound-cap", *rules)):
        return max(-CAP, min(CAP, modifier))
    return modifier


def rolled(battle: WhBattle, text: Amount, purpose: str, cite: str, side: int, who: str) -> Steps[int]:
    """Roll an amount once; players may act on it where the purpose is one of those they may re-roll."""
    if not text.dice:
        return text.plus
    if purpose in REROLLABLE:
        roll = yield from throw(battle, text.dice, purpose, cite, side=side, who=who)
    else:
        roll = battle.roll(text.dice, purpose, cite, side=side, who=who)
    total = read(roll.faces, text)
    rule = "wh40k.dice.d3" if text.sides == 3 else "wh40k.dice.d6"
    if text.sides == 3 or text.dice > 1:
        battle.emit("amount", rule, who=who, total=total)
    return total


def reroll_by_rule(
    battle: WhBattle,
    roll: Roll,
    rerolls: Sequence[Reroll],
    fails: Fails,
    halved: bool = False,
    modifier: int = 0,
) -> Roll:
    """Re-rolls that abilities give, on dice as they fell (wh40k.dice.reroll-before-modifiers): what helps is used.

    `halved`: the dice are read as D3, of which a 1 is a face of 1 or 2 (wh40k.dice.reroll-d3). A test may stop failing
    when one of its dice has been re-rolled: `fails` is then a function of the roll.
    """
    state = battle.state
    both = halved and state.applies("wh40k.dice.reroll-d3")
    shown = 0 if state.applies("wh40k.dice.reroll-before-modifiers") else modifier
    several = len(rerolls) > 1

    def low(face: int) -> bool:
        return face + shown <= 2 if both else face + shown <= 1

    for reroll in rerolls:
        roll = open_again(state, roll)
        specific = reroll.which == "ones" and state.applies("wh40k.dice.reroll-specific")
        failed = fails(roll) if callable(fails) else fails
        which = [
            n
            for n, face in enumerate(roll.faces)
            if not roll.rerolled(n) and (low(face) if specific else failed[n] or (low(face) and reroll.which == "ones"))
        ]
        if not which:
            continue
        if reroll.which == "one":
            which = [min(which, key=roll.faces.__getitem__)]
        rule = "wh40k.dice.reroll-specific" if specific else reroll.rule
        if both and any(roll.faces[n] == 2 for n in which):
            rule = "wh40k.dice.reroll-d3"
        elif specific and modifier and not shown:
            rule = "wh40k.dice.reroll-before-modifiers"  # as modified it would show something else
        if roll.purpose in WHOLE and reroll.which == "failures" and state.applies("wh40k.dice.reroll-whole-test"):
            which, rule = [n for n in range(len(roll.faces)) if not roll.rerolled(n)], "wh40k.dice.reroll-whole-test"
        elif several and any(roll.first):
            rule = "wh40k.dice.reroll-different-dice"
        roll = battle.reroll(roll, which, rule)
        if several:
            battle.emit("rerolled-by", "wh40k.dice.reroll-declare-source", who=roll.who, dice=len(which))
    return roll


def standing_roll(
    battle: WhBattle,
    roll: Roll,
    given: Sequence[Reroll],
    fails: Fails,
    halved: bool = False,
    modifier: int = 0,
    failing: Callable[[Roll], bool] | None = None,
    each: int = 1,
) -> Steps[Roll]:
    """The roll that stands: abilities re-roll first, then perhaps Command Re-roll, which finds closed what an ability
    has re-rolled (wh40k.dice.reroll-once). All this comes before any modifier. `each`: of how many dice a number is."""
    if given:
        roll = reroll_by_rule(battle, roll, given, fails, halved, modifier)
    return (yield from on_roll(battle, roll, failing, each))


def test_of_two(
    battle: WhBattle,
    unit: Unit,
    what: str,
    rule: str,
    need: int,
    given: Sequence[Reroll],
    failing: Callable[[Roll], bool],
) -> Steps[Roll]:
    """A test of two dice, which is re-rolled by abilities only where it would fail."""
    roll = battle.roll(2, what, rule, side=unit.side, who=unit.id, need=need)
    return (yield from standing_roll(battle, roll, given, lambda r: [failing(r)] * 2, failing=failing))


def open_again(state: State, roll: Roll) -> Roll:
    """wh40k.dice.reroll-once: a die that has been rolled again stands; without that rule it never does."""
    return roll if state.applies("wh40k.dice.reroll-once") else msgspec.structs.replace(roll, first=[])


def roll_off(battle: WhBattle) -> int:
    """wh40k.dice.roll-off: the higher die wins, ties are rolled again; nobody may change these dice."""
    return rolled_off(battle, "wh40k.dice.roll-off")


# -- Command Re-roll ---------------------------------------------------------------------------------------------


def may_reroll(state: State, side: int) -> bool:
    """Has this side a Command Re-roll left in this phase?"""
    return (
        state.sides[side].cp >= 1
        and state.applies("wh40k.stratagem.command-reroll")
        and not (usage.count(state, COMMAND_REROLL, "phase", side) and state.applies("wh40k.stratagem.once-per-phase"))
    )


def rerollable(state: State, roll: Roll) -> bool:
    """Is this a roll that Command Re-roll names? The dice of a roll-off nobody may change."""
    if roll.purpose == "roll-off":
        return not state.applies("wh40k.dice.roll-off-no-change")
    return roll.purpose in REROLLABLE


def failed(roll: Roll, face: int) -> bool:
    if roll.need < 0:
        return face > -roll.need
    return face < roll.need if roll.need else face <= 2


def wished(state: State, side: int, roll: Roll, fails: bool | None = None) -> bool:
    """Does the player want to be asked about this roll? `fails` tells it of tests whose dice alone do not."""
    wishes = state.sides[side].wishes
    if roll.purpose == "roll-off":
        return True
    if f"{roll.purpose}:always" in wishes:
        return True
    if f"{roll.purpose}:failed" not in wishes:
        return False
    if fails is not None:
        return fails
    if roll.purpose in WHOLE:
        return roll.natural < roll.need if roll.need else True
    return any(failed(roll, face) for face in roll.faces)


def on_roll(battle: WhBattle, roll: Roll, failing: Callable[[Roll], bool] | None = None, each: int = 1) -> Steps[Roll]:
    """Let the roller re-roll one die, or all dice of a test, for a Command point; whoever cannot is not asked."""
    state = battle.state
    side = roll.side
    if side is None or not rerollable(state, roll) or not may_reroll(state, side):
        return roll
    if not wished(state, side, roll, failing(roll) if failing is not None else None):
        return roll
    roll = open_again(state, roll)
    free = [n for n in range(len(roll.faces)) if not roll.rerolled(n)]
    whole = roll.purpose in WHOLE and state.applies("wh40k.stratagem.command-reroll.whole-roll")
    if not free or (whole and len(free) < len(roll.faces)):
        battle.emit("closed", "wh40k.dice.reroll-once", who=roll.who, purpose=Text(f"purpose.{roll.purpose}"))
        return roll
    if whole:
        options = [Option("all", Text("option.reroll-all"))]
    elif each > 1 and state.options.random_numbers == "whole-roll":
        options = list(_numbers(state, roll, each))
    else:
        faces = sorted({roll.faces[n] for n in free})
        if f"{roll.purpose}:always" not in state.sides[side].wishes:
            faces = [face for face in faces if failed(roll, face)]
        options = [Option(f"die-{face}", Text("option.reroll-die", {"face": face})) for face in faces]
    if not options:
        return roll
    options.append(Option("pass", Text("option.pass"), passes=True))
    prompt = Text("ask.command-reroll", {"purpose": Text(f"purpose.{roll.purpose}"), "faces": roll.faces})

    def refuse(wish: str) -> list[Reason]:
        return list(reroll_objections(roll, wish, whole))

    choice = yield Choose(side, prompt, options, "wh40k.stratagem.command-reroll", roll.who, refuse)
    if choice == "pass":
        return roll
    pay(battle, side, 1, COMMAND_REROLL, "wh40k.stratagem.command-reroll")
    if choice == "all":
        return battle.reroll(roll, None, "wh40k.stratagem.command-reroll.whole-roll")
    if choice.startswith(NUMBER):
        first = int(choice[len(NUMBER) :]) * each
        return battle.reroll(roll, list(range(first, first + each)), "wh40k.stratagem.command-reroll")
    face = int(choice[4:])
    return battle.reroll(roll, [next(n for n in free if roll.faces[n] == face)], "wh40k.stratagem.command-reroll")


def reroll_objections(roll: Roll, wish: str, whole: bool) -> Iterator[Reason]:
    """Why these dice are not what a Command Re-roll would roll again."""
    facts: dict[str, Any] = {"purpose": Text(f"purpose.{roll.purpose}"), "faces": roll.faces}
    head, _, face = wish.partition("-")
    if whole and head in ("die", "number"):
        yield Reason("wh40k.stratagem.command-reroll.whole-roll", "reason.wh40k.reroll-all", facts)
    elif wish == "all":
        yield Reason("wh40k.stratagem.command-reroll", "reason.wh40k.reroll-one", facts)
    elif head == "die" and face.isdigit():
        shown = [n for n, die in enumerate(roll.faces) if die == int(face)]
        if not shown:
            yield Reason("wh40k.stratagem.command-reroll", "reason.wh40k.no-such-die", {**facts, "face": int(face)})
        elif all(map(roll.rerolled, shown)):
            yield Reason("wh40k.dice.reroll-once", "", facts)
        else:
            yield Reason("wh40k.stratagem.command-reroll", "reason.wh40k.not-wished", {**facts, "face": int(face)})


NUMBER = "number-"


def _numbers(state: State, roll: Roll, each: int) -> Iterator[Option]:
    """The numbers of several dice, one for each weapon or attack, of which by one reading all dice are re-rolled."""
    always = f"{roll.purpose}:always" in state.sides[roll.side or 0].wishes
    for n in range(len(roll.faces) // each):
        dice = range(n * each, (n + 1) * each)
        faces = [roll.faces[k] for k in dice]
        if not any(map(roll.rerolled, dice)) and (always or any(failed(roll, face) for face in faces)):
            yield Option(f"{NUMBER}{n}", Text("option.reroll-number", {"faces": faces}))


def pay(battle: WhBattle, side: int, cost: int, name: str, *rules: str, **facts: Any) -> None:
    """wh40k.stratagem.use: the points are spent first, even for nothing."""
    state = battle.state
    state.sides[side].cp -= cost
    state.sides[side].spent += cost
    usage.spend(state, name, "phase", side)
    called = facts.pop("named", None) or Text(f"stratagem.{name}")
    battle.emit("stratagem", *rules, side=Text(f"side.{side}"), name=called, cost=cost, **facts)
