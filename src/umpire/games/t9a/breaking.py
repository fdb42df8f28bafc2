"""The end of a round of combat: the score, the winner, Break Tests, who flees, who pursues, who is caught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Option, Order, Split
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.text import Text

from . import after_combat, casualties, combat_reforms, command, fleeing, joining, melee_round, psychology, pursuit
from .formation import box, facing_of, files_in, full_ranks, layout, normal
from .model_rules import every, some
from .state import Pool, Round, State, Unit


def now_of(state: State) -> Round:
    assert state.round is not None
    return state.round


@step
def result(battle: Battle[State]) -> Steps[None]:
    """Health points lost and units destroyed are added to the static score (t9a.melee.result.health-lost)."""
    state = battle.state
    now = now_of(state)
    gone = [0, 0]
    for key in now.units:
        unit = state.unit(key)
        if unit.where == "gone" and unit.id not in _removed_shaken(battle, now):
            gone[unit.side] += 1
    total_gone = (now.gone[0] + gone[0], now.gone[1] + gone[1])
    scores = []
    for side in (0, 1):
        score = now.so_far(state.applies("t9a.melee.result.health-lost"))[side]
        if state.applies("t9a.melee.result.destroyed-unit"):
            score += total_gone[1 - side]
        scores.append(score)
    rules = ["t9a.melee.result.winner"]
    if any(now.lost):
        rules.append("t9a.melee.result.health-lost")
    if any(total_gone):
        rules.append("t9a.melee.result.destroyed-unit")
    now.winner = -1 if scores[0] == scores[1] else int(scores[1] > scores[0])
    now.difference = abs(scores[0] - scores[1])
    battle.emit("combat-result", *rules, score=scores, winner=now.winner, units=list(now.units))
    for key in now.units:
        unit = state.unit(key)
        if unit.where == "table" and unit.holes and full_ranks(state, unit):
            battle.emit("closed-up", "t9a.melee.prep.virtual-ranks", unit=key, ranks=full_ranks(state, unit))
    now.ranks = yield from melee_round.ranks_of(battle, now.units)
    battle.plan((feign, state.active), (feign, 1 - state.active), tests, directions)


def _removed_shaken(battle: Battle[State], now: Round) -> list[str]:
    """Units that were removed as shaken when this round began are counted already."""
    found: list[str] = []
    for event in reversed(battle.events):
        if event.kind == "shaken-removed":
            found.append(str(event.facts["unit"]))
        if event.kind == "combat":
            break
    return found


@step
def feign(battle: Battle[State], side: int) -> Steps[None]:
    """A unit with Feigned Flight that is still engaged may leave before Break Tests (t9a.rule.feigned-flight)."""
    state = battle.state
    now = now_of(state)
    for key in now.units:
        unit = state.unit(key)
        if unit.side != side or unit.where != "table" or not state.engaged(key):
            continue
        if not every(state, unit, "t9a.rule.feigned-flight"):
            continue
        wish = yield Confirm(side, "ask.feign", "t9a.rule.feigned-flight", key)
        if wish:
            now.feigned = (*now.feigned, key)
            battle.emit("feigns", "t9a.rule.feigned-flight", unit=key)
            psychology.shake(battle, unit, "t9a.rule.feigned-flight", chosen=True)


@step
def tests(battle: Battle[State]) -> Steps[None]:
    """Each unit of the losing side that still touches an enemy tests, in an order its player likes
    (t9a.melee.break.test, t9a.melee.result.no-contact-wins)."""
    state = battle.state
    now = now_of(state)
    if now.winner < 0:
        return
    loser = 1 - now.winner
    units = []
    for key in now.units:
        unit = state.unit(key)
        if unit.side != loser or unit.where != "table" or key in now.feigned:
            continue
        if not state.engaged(key) and state.applies("t9a.melee.result.no-contact-wins"):
            battle.emit("won-alone", "t9a.melee.result.no-contact-wins", unit=key)
            continue
        units.append(key)
    if len(units) > 1:
        units = yield Order(
            loser, "ask.break-order", [Option(key, None, (key,)) for key in units], "t9a.melee.break.test"
        )
    battle.plan(*[(break_test, key) for key in units])


@step
def break_test(battle: Battle[State], key: str) -> Steps[None]:
    state = battle.state
    now = now_of(state)
    unit = state.unit(key)
    if unit.where != "table":
        return
    ranks = dict(now.ranks)
    if every(state, unit, "t9a.rule.unstable"):
        yield from crumble(battle, unit, unstable_losses(state, unit, now, ranks), "t9a.rule.unstable")
        return
    less, rules = melee_round.penalty(state, unit, now, ranks)
    if len(rules) > 1 or less != now.difference:
        battle.emit("penalty", *rules, unit=key, difference=now.difference, penalty=less)
    if psychology.take_test(battle, unit, "break", "t9a.melee.break.test", less, rules):
        battle.emit("stands", "t9a.melee.break.pass", unit=key)
        return
    if every(state, unit, "t9a.rule.supernal"):
        yield from crumble(battle, unit, (now.difference, ("t9a.rule.supernal",)), "t9a.rule.supernal")
        return
    psychology.shake(battle, unit, "t9a.melee.break.fail")
    now.broken = (*now.broken, (key, "", 0.0, 0))


def unstable_losses(state: State, unit: Unit, now: Round, ranks: dict[str, int]) -> tuple[int, tuple[str, ...]]:
    """Stubborn halves, then the flag, Steady and Solid take one each (t9a.rule.unstable.reduction)."""
    lost = now.difference
    rules: list[str] = []
    if command.stubborn(state, unit) and state.applies("t9a.rule.stubborn.unstable"):
        lost = -(-lost // 2)
        rules.append("t9a.rule.stubborn.unstable")
    if command.rallied(state, unit) and state.applies("t9a.rule.unstable.reduction"):
        lost -= 1
        rules.append("t9a.rule.unstable.reduction")
        if melee_round.steady_at(state, unit, ranks, now.units):
            lost -= 1
        if melee_round.solid_at(state, unit, ranks.get(unit.id, 0)):
            lost -= 1
    return max(0, lost), tuple(rules)


ALLOCATION = {"t9a.rule.unstable": "t9a.rule.unstable.allocation", "t9a.rule.supernal": "t9a.rule.supernal.allocation"}


def crumble(battle: Battle[State], unit: Unit, losses: tuple[int, tuple[str, ...]], rule: str) -> Steps[None]:
    """The loss falls on rank-and-file models first, the rest evenly on attached ones (t9a.rule.unstable.allocation)."""
    state = battle.state
    points, rules = losses
    battle.emit("crumbles", rule, *rules[:2], unit=unit.id, lost=points)
    allocation = ALLOCATION[rule]
    rnf = state.rnf(unit)
    if rnf is not None and points:
        points -= casualties.lose(battle, rnf, min(points, rnf.hp), melee=False, rule="t9a.attack.lose-hp")
    heroes = state.attached(unit) if unit.where == "table" else []
    if points <= 0 or not heroes:
        return
    battle.emit("crumbles-on", allocation, "t9a.attack.lose-hp.own-rules", unit=unit.id, lost=points)
    shares = even(heroes, points)
    if len(heroes) > 1 and points % len(heroes):
        low, _more = divmod(points, len(heroes))
        answer = yield Split(
            unit.side, "ask.crumble", points, {p.id: (low, low + 1) for p in heroes}, allocation, unit.id,
            default=shares,
        )  # fmt: skip
        shares = dict(answer)
    for pool in heroes:
        casualties.lose(battle, pool, shares.get(pool.id, 0), melee=False, rule="t9a.attack.lose-hp")


def even(heroes: list[Pool], points: int) -> dict[str, int]:
    low, more = divmod(points, len(heroes))
    return {pool.id: low + (1 if n < more else 0) for n, pool in enumerate(heroes)}


# -- flight and pursuit ---------------------------------------------------------------------------------------------


@step
def directions(battle: Battle[State]) -> Steps[None]:
    """From whom each broken unit flees (its enemy chooses), how far, who pursues, who is caught
    (t9a.melee.break.sequence)."""
    state = battle.state
    now = now_of(state)
    fleeing_units = [*(b[0] for b in now.broken), *now.feigned]
    found: list[tuple[str, str, float, int]] = []
    for key in fleeing_units:
        unit = state.unit(key)
        if unit.where != "table":
            continue
        foes = state.foes(key)
        foe = foes[0] if foes else ""
        if len(foes) > 1:
            options = [Option(f, None, (f,)) for f in foes]
            foe = yield Choose(1 - unit.side, "ask.flee-direction", options, "t9a.melee.break.flee-direction", key)
        heading = unit.facing
        if foe:
            pair = next(p for p in state.pairs_of(key) if p.other(key) == foe)
            nx, ny = normal(box(state, state.unit(foe)), pair.face(foe))
            heading = facing_of(nx, ny)
        horrified = any(some(state, state.unit(f), "t9a.rule.horror") for f in foes)
        distance = fleeing.roll_distance(battle, unit, horrified, "flee")
        battle.emit(
            "breaks",
            "t9a.melee.break.flee-direction",
            "t9a.melee.break.flee-roll",
            "t9a.melee.break.sequence",
            unit=key,
            foe=foe,
            inches=distance,
        )
        found.append((key, foe, heading, distance))
    now.broken = tuple(found)
    battle.plan((pursuers, state.active), (pursuers, 1 - state.active), catch)


def quarries_of(state: State, now: Round, unit: Unit) -> list[str]:
    """The broken units that it may pursue: engaged with them and with nobody who stands (t9a.melee.break.pursuers)."""
    broken = {entry[0] for entry in now.broken}
    foes = state.foes(unit.id)
    if not foes or any(f not in broken for f in foes) or unit.shaken:
        return []
    if not pursuit.may_pursue(state, unit):
        return []
    result = []
    for foe in foes:
        won = not _lost(state, now, foe)
        if foe in now.feigned and won and state.applies("t9a.rule.feigned-flight.winner"):
            continue
        result.append(foe)
    return result


def _lost(state: State, now: Round, key: str) -> bool:
    """Is it of the side that has lost this round?"""
    return now.winner >= 0 and state.unit(key).side != now.winner


def pursue_objections(state: State, unit: Unit, quarries: Sequence[str] = ()) -> Iterator[Reason]:
    """Why a unit may not pursue (t9a.melee.break.pursuers)."""
    now = state.round
    facts = {"unit": unit.id}
    if every(state, unit, "t9a.rule.emplaced"):
        yield Reason("t9a.rule.emplaced", facts=facts)
    broken = {entry[0] for entry in now.broken} if now is not None else set()
    if not state.foes(unit.id) and not (now is not None and unit.charging):
        yield Reason("t9a.melee.break.pursuers", "reason.wish.not-engaged", {"who": unit.id})
    for foe in state.foes(unit.id):
        if foe not in broken:
            yield Reason("t9a.melee.break.pursuers", "reason.wish.stands", {"unit": unit.id, "other": foe})
    for key in quarries:
        if key not in broken or key not in state.foes(unit.id):
            yield Reason("t9a.melee.break.pursuers", "reason.wish.not-broken", {"unit": unit.id, "other": key})
        elif now is not None and key not in quarries_of(state, now, unit) and key in now.feigned:
            yield Reason("t9a.rule.feigned-flight.winner", facts={"unit": key})


@step
def pursuers(battle: Battle[State], side: int) -> Steps[None]:
    state = battle.state
    now = now_of(state)
    for key in now.units:
        unit = state.unit(key)
        if unit.side != side or unit.where != "table" or unit.shaken:
            continue
        quarries = quarries_of(state, now, unit)
        wild = some(state, unit, "t9a.rule.frenzy")
        if quarries:
            options = [Option(q, Text("option.pursue", {"unit": q}), (q,)) for q in quarries]
            refuse = {"stay": [Reason("t9a.rule.frenzy", facts={"unit": key})]} if wild else {}
            if not wild:
                options.append(Option("stay", Text("option.no-pursuit")))
            answer = options[0].id
            if len(options) > 1:
                answer = yield Choose(side, "ask.pursue", options, "t9a.melee.break.pursuers", key, refuse=refuse)
            if answer == "stay":
                continue
            entry = next(b for b in now.broken if b[0] == answer)
            distance = pursuit.roll_distance(battle, unit)
            rules = ("t9a.rule.frenzy",) if wild else ()
            battle.emit("pursues", "t9a.melee.break.pursuers", *rules, unit=key, target=answer, inches=distance)
            now.pursuits = (*now.pursuits, (key, answer, entry[2], distance))
        elif unit.charging and not state.engaged(key):
            yield from overrun(battle, key)
        elif state.engaged(key) and any(f in now.feigned and not _lost(state, now, f) for f in state.foes(key)):
            broken = {entry[0] for entry in now.broken}
            if all(foe in broken for foe in state.foes(key)) and state.applies("t9a.rule.feigned-flight.winner"):
                battle.emit("not-pursued", "t9a.rule.feigned-flight.winner", unit=key)


def overrun(battle: Battle[State], key: str) -> Steps[None]:
    """A charger that has no foe left may overrun, a frenzied one must (t9a.melee.break.overrun, t9a.rule.frenzy)."""
    state = battle.state
    now = now_of(state)
    unit = state.unit(key)
    if not pursuit.may_pursue(state, unit):
        return
    wild = some(state, unit, "t9a.rule.frenzy")
    if not wild:
        options = [Option("overrun", Text("option.overrun")), Option("stay", Text("option.no-pursuit"))]
        answer = yield Choose(unit.side, "ask.overrun", options, "t9a.melee.break.overrun", key)
        if answer == "stay":
            return
    distance = pursuit.roll_distance(battle, unit)
    rules = ("t9a.rule.frenzy",) if wild else ()
    battle.emit("overruns", "t9a.melee.break.overrun", *rules, unit=key, inches=distance)
    now.pursuits = (*now.pursuits, (key, "", unit.facing, distance))


@step
def catch(battle: Battle[State]) -> None:
    """A broken unit escapes only if it runs further than every pursuer (t9a.melee.break.caught)."""
    state = battle.state
    now = now_of(state)
    # Who holds the spoils of those that are caught is settled before anybody moves (t9a.prep.primary.bounty.gain).
    battle.plan(unlock, follow_up, flights, pursuit.all_moves, finish)
    for key, _, _, distance in now.broken:
        chasing = [p[3] for p in now.pursuits if p[1] == key]
        unit = state.unit(key)
        if chasing and unit.where == "table" and distance <= max(chasing) and state.applies("t9a.melee.break.caught"):
            battle.emit("caught", "t9a.melee.break.caught", unit=key, inches=distance, most=max(chasing))
            casualties.remove_unit(battle, unit, "t9a.melee.break.caught", in_melee=True)


@step
def unlock(battle: Battle[State]) -> None:
    """Boundaries are unlocked and models rearranged (t9a.melee.unlock)."""
    state = battle.state
    now = now_of(state)
    for key in now.units:
        unit = state.unit(key)
        if unit.where != "table":
            continue
        if unit.holes:
            battle.emit("reordered", "t9a.def.viable-formation", "t9a.def.viable-formation.melee-lock", unit=key)
        before = layout(state, unit)
        unit.locked = (0.0, 0.0)
        unit.holes = ()
        unit.locked_count = 0
        rnf = state.rnf(unit)
        if rnf is not None:
            casualties.close_rank(state, unit, before)
        if rnf is None and unit.members and unit.base not in unit.members:
            joining.close_up(battle, unit)
        if rnf is not None and files_in(state, unit) < unit.files:
            unit.files = files_in(state, unit)
            battle.emit("fewer-files", "t9a.def.viable-formation.keep-files", unit=key, files=unit.files)
    battle.emit("unlocked", "t9a.melee.unlock", units=[k for k in now.units if state.unit(k).where == "table"])


@step
def follow_up(battle: Battle[State]) -> Steps[None]:
    """Units that lost contact are nudged (t9a.melee.nudge.who); a charger that cannot be may overrun
    (t9a.melee.no-more-foes)."""
    state = battle.state
    now = now_of(state)
    moving = {b[0] for b in now.broken} | {p[0] for p in now.pursuits}
    loose = yield from after_combat.nudge_all(battle, now.units, moving)
    for key in sorted(loose, key=lambda key: state.unit(key).side != state.active):
        if state.unit(key).charging and not state.unit(key).shaken and state.applies("t9a.melee.no-more-foes"):
            yield from overrun(battle, key)


@step
def flights(battle: Battle[State]) -> Steps[None]:
    """Broken units that were not caught flee one by one (t9a.melee.flee.move)."""
    state = battle.state
    now = now_of(state)
    broken = {b[0]: b for b in now.broken if state.unit(b[0]).where == "table"}
    order: list[str] = []
    for side in (state.active, 1 - state.active):
        mine = [key for key in broken if state.unit(key).side == side]
        if len(mine) > 1 and state.applies("t9a.melee.flee.move"):
            options = [Option(key, None, (key,)) for key in mine]
            mine = yield Order(side, "ask.flight-order", options, "t9a.melee.flee.move")
        order += mine
    for key, _foe, heading, distance in [broken[key] for key in order]:
        unit = state.unit(key)
        if unit.where != "table":
            continue
        foes = state.foes(key)
        casualties.part(battle, unit)
        unit.free = unit.charging = False
        if not fleeing.ready(battle, unit, in_melee=True):
            continue
        battle.emit("flee-direction", "t9a.psych.flee.direction-break", unit=key, degrees=round(heading, 1))
        fleeing.flee(
            battle,
            unit,
            heading,
            distance,
            "t9a.melee.flee.move",
            voluntary=key in now.feigned,
            left=foes,
            in_melee=True,
        )


@step
def finish(battle: Battle[State]) -> None:
    battle.plan(after_combat.pivots, combat_reforms.reforms, end_round)


@step
def end_round(battle: Battle[State]) -> None:
    """The round is over: charging and first rounds end, effects of one round of combat too."""
    state = battle.state
    now = now_of(state)
    chasing = {p[0] for p in now.pursuits}
    for key in now.units:
        unit = state.unit(key)
        unit.solid = False
        if key not in chasing or not state.engaged(key):
            # Whoever was left without a foe and has been charged by a pursuer since has its first round before it.
            unit.first = unit.first and after_combat.charged_anew(state, now, key)
            unit.charging = False
        unit.free = False
        if not state.engaged(key):
            for member in unit.members:
                state.pools[member].weapon = ()
    casualties.over(battle, "combat", [member for key in now.units for member in state.unit(key).members])
    state.round = None
