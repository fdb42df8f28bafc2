"""Exact odds of volleys, fights, Overwatch, charges, psychic powers, denials and morale.

An answer is followed to the very dice that it leads to (`odds.ahead`), and what they may come to is read by the
functions that play uses. Nobody is taken to use a Command Re-roll or another stratagem on the way; where one is to be
had, what it would make of a charge is told beside.
"""

from __future__ import annotations

from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, ChooseSeveral, Decision, Declare, Json, Move
from umpire.engine.dice import Roll
from umpire.engine.rng import Rng
from umpire.engine.rulings import standing
from umpire.games.wh40k.abilities import HOOKS, Asking, changed, rerolls
from umpire.games.wh40k.charging import Reach, charger, found_charge, inches
from umpire.games.wh40k.dice import may_reroll
from umpire.games.wh40k.measuring import unit_gap
from umpire.games.wh40k.morale import leadership, losses
from umpire.games.wh40k.profiles import amount
from umpire.games.wh40k.psychic import SMITE_STRONG, closest_targets, power_targets, warp_charge
from umpire.games.wh40k.psychic_tests import SMITE, deny_objections, modified, undeniable
from umpire.games.wh40k.state import Model, State, Unit
from umpire.games.wh40k.units import fewer_than_half
from umpire.games.wh40k.volleys import Faces, Fallen, Queue, amount_dist, mortal, thrown, volley_odds
from umpire.odds import Dist
from umpire.odds.ahead import to_dice, wanted
from umpire.odds.charges import charge_told
from umpire.odds.telling import Odds, chance, number, told
from umpire.text import words

WhBattle = Battle[State]
TITLES = {"shooting": "odds.wh40k.shooting", "melee": "odds.wh40k.fighting", "overwatch": "odds.wh40k.overwatch"}
ASKED = (
    "ask.shoot", "ask.declare", "ask.fight", "ask.pile-in", "ask.strike", "ask.overwatch", "ask.charge",
    "ask.charge-targets", "ask.power", "ask.casting-model", "ask.deny", "ask.morale", "ask.insane-bravery",
    "ask.command-reroll",
)  # fmt: skip
"""Questions whose answers lead to dice."""
PASS, DONE = "pass", "done"
"""Who is done commits nobody to the dice that come next."""


def odds(battle: WhBattle, decision: Decision, answer: Json) -> Odds | None:
    """What an answer would probably bring; None where nothing is left to chance or nothing is known of it."""
    key = decision.prompt.key
    if key not in ASKED or answer == DONE or not decision.check(answer).legal:
        return None
    ahead = to_dice(battle, answer, decision.side, reply)
    if ahead is None:
        return None
    if ahead.state.volley is not None:
        return None if key == "ask.command-reroll" else attack_odds(ahead)
    match wanted(ahead)[0]:
        case "charge":
            return charge_odds(ahead, fresh=key == "ask.command-reroll")
        case "psychic" if key in ("ask.power", "ask.casting-model"):
            return psychic_odds(battle, decision.about, answer)
        case "deny" if key == "ask.deny":
            return denial_odds(ahead, str(answer), int(decision.prompt.args["result"]))
        case "morale" if key in ("ask.morale", "ask.insane-bravery"):
            return morale_odds(ahead, str(answer) if key == "ask.morale" else decision.about)
    return None


def reply(ask: Decision) -> Json:
    """How questions on the way are taken to be answered: the usual declaration, everybody closes in, nobody reacts."""
    key = ask.prompt.key
    if isinstance(ask, Declare):
        return ask.default
    if isinstance(ask, Move):
        return ask.suggest(Rng(0)) if key == "ask.pile-in" else None
    if isinstance(ask, ChooseSeveral):
        return ask.suggest(Rng(0))[:1] if key == "ask.charge-targets" else None  # the nearest
    if isinstance(ask, Choose):
        if PASS in ask.options:
            return PASS
        if key in ("ask.defensible", "ask.casting-model", "ask.power-target"):
            return next(iter(ask.options))
    return None


def allocated(state: State, ask: Choose | ChooseSeveral) -> Json:
    """Whom attacks are taken to go to, and who is lost, where the choice is free (`volleys.Queue`)."""
    found = [model.id for model in Queue(state, state.unit(ask.about)).models if model.id in ask.options]
    return found[0] if isinstance(ask, Choose) else found[: ask.least]


# -- attacks ---------------------------------------------------------------------------------------------------------


def attack_odds(ahead: WhBattle) -> Odds | None:
    """A volley that is declared, end to end."""
    state = ahead.state
    volley = state.volley
    assert volley is not None
    found = volley_odds(state, volley)
    return None if found is None else harm(TITLES[volley.kind], found)


def harm(title: str, found: list[Fallen]) -> Odds:
    """What attacks or mortal wounds do to one unit, or to each of several."""
    if len(found) == 1:
        (one,) = found
        return told(
            title,
            number("odds.wh40k.mean-wounds", one.lost.mean),
            number("odds.wh40k.mean-slain", one.slain.mean),
            chance("odds.wh40k.destroyed", one.destroyed),
            chance("odds.wh40k.unharmed", one.lost[0]),
            wounds=one.lost,
            slain=one.slain,
        )
    lines = []
    for one in found:
        name = one.unit.sheet.name
        lines.append(number(words("odds.wh40k.mean-slain-of", name=name), one.slain.mean))
        lines.append(chance(words("odds.wh40k.destroyed-of", name=name), one.destroyed))
    dists = {f"slain {one.unit.id}": one.slain for one in found}
    return told(title, *lines, **dists)


# -- charges ---------------------------------------------------------------------------------------------------------


def charge_odds(ahead: WhBattle, fresh: bool = False) -> Odds | None:
    """The chance that the charge roll lets the unit end its move by every target; `fresh`: dice that are rolled again
    already, which nothing re-rolls any more."""
    state = ahead.state
    said = next((event for event in reversed(ahead.events) if event.kind == "declares-charge"), None)
    if said is None:
        return None
    unit = state.unit(said.facts["unit"])
    keys = [key for key in said.facts["targets"] if state.unit(key).where == "table"]
    if not keys:
        return None
    far = {n: inches(state, unit, n) for n in range(2, 13)}
    arrives = {n: charge_arrives(state, unit, keys, far[n]) for n in far}
    given = [] if fresh else rerolls(Asking(state, "charge", 0, unit), "charge")
    vain = {n: not arrives[n] for n in far}
    if given:  # what is re-rolled is a roll that is proved to be in vain, as in play
        reach = Reach(ahead, unit, keys)
        vain = {n: not arrives[n] and reach.fails(n) for n in far}
    faces = thrown(state, "charge", 2, given, lambda f: [vain[sum(f)]] * 2)
    rolled = Dist.mixture((p, sum(f)) for f, p in faces.items())
    gap = number("odds.wh40k.distance", max(unit_gap(unit, state.unit(key)) for key in keys))
    again = not fresh and not given and may_reroll(state, unit.side)
    return charge_told("wh40k", gap, far, arrives, rolled, again)


def charge_arrives(state: State, unit: Unit, targets: list[str], far: int) -> bool:
    """Does the umpire find a way for this roll? Where it neither finds one nor can refuse, it is not counted."""
    return found_charge(charger(state, unit, targets, float(far)), [state.unit(key) for key in targets]) is not None


# -- psychic powers --------------------------------------------------------------------------------------------------


def test_faces(state: State, unit: Unit, what: str, need: int) -> dict[Faces, float]:
    """The dice of a Psychic or Deny the Witch test as they lie when abilities have re-rolled a failed one."""
    given = rerolls(Asking(state, what, 0, unit), what)
    return thrown(state, what, 2, given, lambda f: [result_of(state, unit, what, f) < need] * 2)


def result_of(state: State, unit: Unit, what: str, faces: Faces) -> int:
    return modified(state, Asking(state, what, 0, unit), Roll(what, "", 6, list(faces)))


def denial(state: State, unit: Unit, against: int) -> float:
    """The chance that a unit denies a power whose test came to so much: it needs more."""
    faces = test_faces(state, unit, "deny", against + 1)
    return min(1.0, sum(p for f, p in faces.items() if result_of(state, unit, "deny", f) > against))


def denial_odds(ahead: WhBattle, key: str, against: int) -> Odds:
    state = ahead.state
    unit = state.unit(key)
    faces = test_faces(state, unit, "deny", against + 1)
    total = Dist.mixture((p, result_of(state, unit, "deny", f)) for f, p in faces.items())
    return told("odds.wh40k.denying", chance("odds.wh40k.denied", denial(state, unit, against)), result=total)


def psychic_odds(battle: WhBattle, key: str, answer: Json) -> Odds | None:
    """A psychic test with its Perils, those who may deny it, and what Smite or a power's mortal wounds would do."""
    state = battle.state
    unit = state.unit(key)
    model = next((m for m in unit.models if m.id == answer), unit.models[0])
    known = (SMITE, *state.lore.powers, *state.lore.tasks)
    power = answer if answer in known else next((a.answer for a in reversed(battle.answers) if a.answer in known), None)
    if power is None:
        return None
    charge = warp_charge(state, unit, power)
    burns = mortal(state, unit, amount_dist(amount("D3"))).destroyed
    cast: dict[int, float] = {}
    perils = dies = 0.0
    total: dict[int, float] = {}
    for faces, p in test_faces(state, unit, "psychic", charge).items():
        came = result_of(state, unit, "psychic", faces)
        total[came] = total.get(came, 0.0) + p
        lives = 1.0
        if faces[0] == faces[1] and faces[0] in (1, 6) and state.applies("wh40k.psychic.perils"):
            perils += p
            dies += p * burns
            lives = 1.0 - burns
        if came >= charge and lives:
            cast[came] = cast.get(came, 0.0) + p * lives
    made = min(1.0, sum(cast.values()))
    lines = [number("odds.wh40k.warp-charge", charge), chance("odds.wh40k.cast", made)]
    foes = deniers(state, unit, model, power)
    if foes:
        best = {came: max(denial(state, foe, came) for foe in foes) for came in cast}
        lines.append(chance("odds.wh40k.undenied", sum(p * (1.0 - best[came]) for came, p in cast.items())))
    lines += [chance("odds.wh40k.perils", min(1.0, perils)), chance("odds.wh40k.psyker-dies", min(1.0, dies))]
    dists = {"result": Dist.of(total)}
    fallen = struck(state, unit, model, power, cast)
    if fallen is not None:
        lines.append(number("odds.wh40k.mean-wounds", fallen.lost.mean))
        lines.append(chance("odds.wh40k.destroyed", fallen.destroyed))
        dists |= {"wounds": fallen.lost, "slain": fallen.slain}
    return told("odds.wh40k.psychic", *lines, **dists)


def deniers(state: State, unit: Unit, model: Model, power: str) -> list[Unit]:
    """Who may deny the power."""
    if undeniable(state, unit, power) or not state.applies("wh40k.psychic.deny"):
        return []
    return [
        foe
        for foe in state.army(1 - unit.side)
        if next(standing(state, deny_objections(state, foe, model)), None) is None
    ]


def struck(state: State, unit: Unit, model: Model, power: str, cast: dict[int, float]) -> Fallen | None:
    """Whom Smite, or the mortal wounds of a power that has one target only, would hurt, if nobody denies it."""
    if power == SMITE:
        found = closest_targets(state, unit, model)
        if not found:
            return None
        texts = {came: "D6" if came >= SMITE_STRONG else "D3" for came in cast}
    elif power in state.lore.powers:
        entry = state.lore.powers[power]
        found = power_targets(state, unit, model, entry)
        deeds = [does for does in entry.does if does.name == "mortal"]
        if entry.target != "enemy" or len(found) != 1 or len(deeds) != 1 or deeds[0].value:
            return None
        texts = dict.fromkeys(cast, str(deeds[0].amount))
    else:
        return None
    missed = max(0.0, 1.0 - sum(cast.values()))
    cases: list[tuple[float, Any]] = [(p, amount_dist(amount(texts[came]))) for came, p in cast.items()]
    return mortal(state, found[0], Dist.mixture([*cases, (missed, 0)]))


# -- morale ----------------------------------------------------------------------------------------------------------


def morale_odds(ahead: WhBattle, key: str) -> Odds:
    state = ahead.state
    unit = state.unit(key)
    passed, fled = morale_of(state, unit)
    return told(
        "odds.wh40k.morale",
        chance("odds.wh40k.passes", passed),
        number("odds.wh40k.mean-fled", fled.mean),
        chance("odds.wh40k.destroyed", fled.at_least(len(unit.models))),
        fled=fled,
    )


def morale_of(state: State, unit: Unit) -> tuple[float, Dist]:
    """The chance to pass, and how many models flee, those that Combat Attrition takes included."""
    ld, lost = leadership(state, unit).total, losses(unit)
    lucky = state.applies("wh40k.morale.test.natural-1")
    passed = sum(face + lost <= ld or (face == 1 and lucky) for face in range(1, 7)) / 6
    more = int(changed(Asking(state, "flee", 0, unit)).total)
    calm = HOOKS.granted(state, unit, "no-flee") and (not more or state.applies("wh40k.morale.priority.no-flee"))
    count = 0 if calm else min(1 + more, len(unit.models))
    rest = 0 if calm or not state.applies("wh40k.morale.attrition.when") else len(unit.models) - count
    low = fewer_than_half(state, rest, unit.starting) and state.applies("wh40k.morale.attrition.below-half")
    return passed, fleeing(passed, count, rest, low)


def fleeing(passed: float, count: int, rest: int, low: bool) -> Dist:
    """How many models flee where a test may be passed: so many, and of the rest whom Combat Attrition takes."""
    gone = Dist.chance(2 / 6 if low else 1 / 6).times(rest) + count
    return Dist.mixture(((passed, 0), (1.0 - passed, gone)))
