"""Battle rounds and the initiative phase: singles, ability dice, wild dice, seizing."""

from __future__ import annotations

from collections.abc import Sequence

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.warcry.dice import roll_off
from umpire.games.warcry.state import Player, Sets, State, seat
from umpire.text import Text

DICE = 6
QUAD = 4


def read_dice(faces: Sequence[int]) -> tuple[tuple[int, ...], Sets]:
    """Singles and sets of a roll (warcry.initiative.singles, warcry.initiative.ability-dice)."""
    counts = [(score, list(faces).count(score)) for score in range(1, 7)]
    singles = tuple(score for score, n in counts if n == 1)
    # Five or six dice of one score are one quad.
    return singles, tuple((score, min(n, QUAD)) for score, n in counts if n > 1)


@step
def start_round(battle: Battle[State]) -> None:
    """A new round: what is left of the last one's dice is gone, every fighter is fresh."""
    from umpire.games.warcry import battleplan, combat, reserves

    state = battle.state
    state.round += 1
    state.phase = "initiative"
    expired = any(player.sets or player.singles for player in state.players)
    for player in state.players:
        player.singles, player.sets = (), ()
        player.wild_singles, player.wild_on = 0, ()
        player.tally = 0
        player.inspired = ""
    for fighter in state.fighters:
        fighter.activations = fighter.reactions = 0
        fighter.waiting = False
    rules = ("warcry.initiative.discard", "warcry.initiative.wild-discard") if expired else ()
    battle.emit("round", "warcry.combat.round", *rules, round=state.round)
    battle.plan(initiative, wild_gain, seize, reserves.phase, battleplan.awaken, battleplan.twist_strikes, combat.phase)


@step
def initiative(battle: Battle[State]) -> None:
    """Each player rolls six dice; more singles have the initiative."""
    state = battle.state
    for side, player in enumerate(state.players):
        roll = battle.roll(DICE, "initiative", "warcry.initiative.roll", side=side)
        player.singles, player.sets = read_dice(roll.faces)
    a, b = (player.single_count for player in state.players)
    state.first_count = (a, b)
    state.initiative = roll_off(battle, "initiative-tie") if a == b else int(b > a)
    battle.emit(
        "initiative",
        "warcry.initiative.winner",
        "warcry.initiative.singles",
        "warcry.initiative.ability-dice",
        side=state.initiative,
        player=seat(state.initiative),
        singles=[a, b],
        sets=[[list(s) for s in p.sets] for p in state.players],
    )


@step
def wild_gain(battle: Battle[State]) -> None:
    """Each player gains a wild die; the one with the initiative declares all of his first."""
    from umpire.games.warcry.battleplan import wild_bonus

    state = battle.state
    gained = 1 + wild_bonus(state)
    for player in state.players:
        player.wild += gained
    battle.emit("wild-gain", "warcry.initiative.wild-gain", gained=gained, wild=[p.wild for p in state.players])
    battle.plan((declare, state.initiative), (declare, 1 - state.initiative))


def upgrades(player: Player) -> list[int]:
    """The scores that a wild die may join: singles, doubles and triples that no wild die has joined yet."""
    scores = [*player.singles, *(score for score, n in player.sets if n < QUAD)]
    return sorted(score for score in scores if score not in player.wild_on)


def upgrade(player: Player, score: int) -> None:
    """A wild die takes the score of the single or set that it joins."""
    if score in player.singles:
        player.singles = tuple(s for s in player.singles if s != score)
        player.sets = tuple(sorted((*player.sets, (score, 2))))
    else:
        player.sets = tuple((s, n + 1 if s == score else n) for s, n in player.sets)
    player.wild_on = (*player.wild_on, score)


@step
def declare(battle: Battle[State], side: int) -> Steps[None]:
    """One wild die: a single more, a die for a single or set, or kept with all the rest."""
    state = battle.state
    player = state.players[side]
    if player.wild == 0:
        return
    sizes = {**dict.fromkeys(player.singles, 1), **dict(player.sets)}
    options = [
        Option("save", Text("option.wild-save", {"dice": player.wild})),
        Option("single", Text("option.wild-single")),
        *(
            Option(f"join-{score}", Text("option.wild-join", {"score": score, "dice": sizes[score]}))
            for score in upgrades(player)
        ),
    ]

    ask = Choose(side, "ask.wild", options, "warcry.initiative.wild-order", refuse=lambda a: wild_reasons(player, a))
    choice = yield ask
    if choice == "save":
        battle.emit(
            "wild-saved",
            "warcry.initiative.wild-save",
            "warcry.initiative.wild-order",
            side=side,
            player=seat(side),
            dice=player.wild,
        )
        return
    player.wild -= 1
    if choice == "single":
        player.wild_singles += 1
        battle.emit(
            "wild-single", "warcry.initiative.wild-single", side=side, player=seat(side), singles=player.single_count
        )
    else:
        score = int(choice.removeprefix("join-"))
        upgrade(player, score)
        battle.emit(
            "wild-join",
            "warcry.initiative.wild-upgrade",
            "warcry.initiative.wild-one-per-set",
            side=side,
            player=seat(side),
            score=score,
            dice=dict(player.sets)[score],
        )
    battle.push(declare, side)


def wild_reasons(player: Player, answer: str) -> list[Reason]:
    """Why a wild die cannot join that score."""
    word = answer.removeprefix("join-")
    if not answer.startswith("join-") or not word.isdigit():
        return []
    score = int(word)
    if score in player.wild_on:
        return [Reason("warcry.initiative.wild-one-per-set", facts={"score": score})]
    size = dict(player.sets).get(score, 0)
    return [Reason("warcry.initiative.wild-upgrade", facts={"score": score, "dice": size})]


@step
def seize(battle: Battle[State]) -> None:
    """Singles are counted again; more take the initiative, a new tie is rolled off, an old one is not."""
    state = battle.state
    counts = [player.single_count for player in state.players]
    holder, other = state.initiative, 1 - state.initiative
    if counts[other] > counts[holder]:
        state.initiative = other
    elif counts[0] == counts[1] and state.first_count[0] != state.first_count[1]:
        state.initiative = roll_off(battle, "seize")
    battle.emit(
        "seize",
        "warcry.initiative.seize",
        side=state.initiative,
        player=seat(state.initiative),
        singles=counts,
        kept=state.initiative == holder,
    )
