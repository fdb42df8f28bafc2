"""What the planner is told of Warcry: ideas for actions and moves, and the exact worth of an attack."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Decision, Move
from umpire.engine.game import Hints
from umpire.engine.rng import Rng
from umpire.games.warcry import prospects
from umpire.games.warcry.attack import need_to_hit, toughness
from umpire.games.warcry.cards import ScoreHeights
from umpire.games.warcry.combat import ChooseDeed
from umpire.games.warcry.legs import Tracer, why_not_fly
from umpire.games.warcry.objectives import CONTROL
from umpire.games.warcry.paths import leg
from umpire.games.warcry.placing import body
from umpire.games.warcry.prospects import blow
from umpire.games.warcry.sight import cover
from umpire.games.warcry.state import Fighter, State, distance, value
from umpire.games.warcry.treasure import REACH, why_not_carry
from umpire.games.warcry.worth import (
    actions_left,
    best_threat,
    bounties,
    bounty,
    lead_at,
    near_enough,
    point_of,
    stake,
    swing,
    terms,
    wanted_half,
    wanted_quarters,
)
from umpire.space import nets
from umpire.space.shapes import TOLERANCE

LEGS = 3
RAYS = 16
NEAR = 1.5
"""How near to its goal a flight ends."""
DEEP = 2.0
"""A jump down no deeper than this hurts nobody."""
TURNS = frozenset({"ask.activate", "ask.act", "ask.first-turn"})
"""Asked of the other side, these end a plan: its turn has come."""
ROTE = frozenset(
    {
        "ask.role",
        "ask.colour",
        "ask.orientation",
        "ask.monster-group",
        "ask.battlegroup",
        "ask.wild",
        "ask.first-turn",
        "ask.pay",
        "ask.order",
        "ask.order-shaken",
        "ask.order-fallen",
        "ask.order-hurt",
        "ask.react-disengage",
        "ask.fall",
        "ask.drop",
        "ask.squeeze",
        "ask.to-floor",
    }
)
"""Questions whose first idea is good enough."""


def gain(battle: Battle[State], decision: Decision, answer: Any) -> float | None:
    """What an attack takes from the enemy in expectation, together with those that the actions left allow."""
    if decision.prompt.key != "ask.act" or not answer.startswith("attack-"):
        return None
    fighter, enemy = battle.state.fighter(decision.about), battle.state.fighter(answer.split("-", 2)[2])
    return _taken(battle.state, fighter, answer, cover(battle.state, fighter, enemy))


def _taken(state: State, fighter: Fighter, attack: str, behind: str) -> float:
    """What an attack takes from an enemy behind such cover."""
    _, weapon, target = attack.split("-", 2)
    enemy, n = state.fighter(target), int(weapon)
    need = need_to_hit(int(value(state, fighter, "strength", n)), int(toughness(state, enemy, behind)))
    assert state.active is not None
    felled, hurt = blow(
        int(value(state, fighter, "attacks", n)) * state.active.left,
        need,
        int(value(state, fighter, "damage", n)),
        int(value(state, fighter, "critical", n)),
        enemy.profile.wounds - enemy.damage,
    )
    return stake(enemy, felled, hurt) + felled * bounty(state, enemy)


def candidates(battle: Battle[State], decision: Decision, rng: Rng) -> Iterator[Any]:
    """Attacks and moves before anything else; moves towards enemies, objectives and treasure."""
    state = battle.state
    if isinstance(decision, ChooseDeed):
        yield from _deeds(battle, decision)
    elif not isinstance(decision, Choose):
        if isinstance(decision, Move) and decision.form.limit is not None and decision.prompt.key == "ask.move":
            yield from moves(state, state.fighter(decision.about), decision.form.limit)
        elif decision.prompt.key == "ask.order":
            mine = state.fighter(decision.about).side == decision.side
            yield ["attack", "riposte"] if mine else ["riposte", "attack"]
    else:
        yield from _choices(state, decision)


def _choices(state: State, decision: Choose) -> Iterator[str]:
    match decision.prompt.key:
        case "ask.activate":
            yield from sorted(decision.options, key=lambda key: _promise(state, state.fighter(key)))
        case "ask.first-turn":
            yield "first"
        case "ask.pick-up" | "ask.react-disengage":
            yield from decision.options
        case "ask.pay":
            # As few dice as possible; many abilities do more with a higher value.
            yield min(decision.options, key=lambda option: (int(option.split("x")[1]), -int(option.split("x")[0])))
        case "ask.wild":
            # A wild die makes the largest set larger.
            sets = sorted(state.players[decision.side].sets, key=lambda entry: (-entry[1], -entry[0]))
            yield from (f"join-{score}" for score, _ in sets)


def _deeds(battle: Battle[State], decision: ChooseDeed) -> Iterator[str]:
    """The best attack, then with an ability, other attacks, moves; an end, when there is no action left."""
    state = battle.state
    assert state.active is not None
    attacks = decision.attacks()
    if len(attacks) > 1:
        # In this order cover is left out: whoever is tried first is weighed exactly.
        fighter = state.fighter(decision.about)
        attacks = sorted(attacks, key=lambda deed: -_taken(state, fighter, deed, ""))
    if state.active.left == 0:
        yield "done"
        return
    able = bool(attacks) and bool(state.players[decision.side].sets) and not state.active.ability
    if able and state.fighter(decision.about).profile.weapons[int(attacks[0].split("-")[1])].kind == "melee":
        yield "ability-onslaught"
    yield from attacks[:1]
    if decision.free:
        yield "move"
    if able:
        yield from (option for option in decision.options if option.startswith("ability-"))
    yield from attacks[1:]
    yield "wait"
    if not decision.free and not attacks:
        yield "disengage"


def _promise(state: State, fighter: Fighter) -> tuple[float, float]:
    """Those who can strike hardest act first, then those with an enemy near."""
    enemies = state.enemies(fighter)
    threat = best_threat(fighter, bounties(state, enemies), actions_left(fighter) or 1)
    return -threat, min((distance(fighter, enemy) for enemy in enemies), default=99.0)


# -- moves -------------------------------------------------------------------------------------------------------


class Goal(NamedTuple):
    """A place to go to, how near one's middle must come, and what being there promises."""

    x: float
    y: float
    z: float
    near: float
    promise: float


def goals_of(state: State, fighter: Fighter, limit: float) -> list[Goal]:
    """Where a fighter might want to go, the most promising first: enemies by what it would do to them, markers by what
    they score, both by how far they are."""
    found: list[Goal] = []
    for enemy in state.enemies(fighter):
        ghost = bounties(state, [enemy])
        far = distance(fighter, enemy)
        reach = max(weapon.range for weapon in fighter.profile.weapons)
        # As if it stood beside the enemy: the way there is counted apart.
        blow_ = _beside(fighter, ghost)
        late = max(0.0, far - reach) / max(1.0, limit)
        near = (fighter.profile.base + enemy.profile.base) / 50.8 + 0.9
        found.append(Goal(enemy.x, enemy.y, enemy.z, near, blow_ / (1.0 + late * late)))
    point = point_of(state.victory)
    for objective in state.objectives:
        if objective.awake:
            lead = lead_at(state, fighter.side, objective)
            promise = point * (0.2 if lead > 1 else 1.0)
            near = near_enough(fighter, CONTROL)
            found.append(_mark(fighter, objective.x, objective.y, objective.z, near, promise, limit))
    if state.treasures and not why_not_carry(state, fighter):
        near = near_enough(fighter, REACH)
        found += [_mark(fighter, t.x, t.y, t.z, near, 2.0 * point, limit) for t in state.treasures if not t.carrier]
    heights = state.victory is not None and any(isinstance(entry, ScoreHeights) for entry in state.victory.score)
    if heights and fighter.z <= TOLERANCE:
        climbs = prospects.climbs(state.layout, fighter)
        found += [_mark(fighter, *climb.head, climb.z, 0.0, point, limit) for climb in climbs]
    quarters = wanted_quarters(state, fighter.side)
    if quarters is not None:
        found += [_mark(fighter, x, y, 0.0, 0.0, point, limit) for x, y in quarters.wanted(fighter)]
    half = wanted_half(state, fighter)
    if half is not None and half != (fighter.x, fighter.y):
        found.append(_mark(fighter, *half, 0.0, 0.0, point, limit))
    found.sort(key=lambda goal: -goal.promise)
    mine, other = state.players[fighter.side], state.players[1 - fighter.side]
    blood = not (state.objectives or state.treasures or quarters or half)
    # Who leads where only blood scores thinks of getting away.
    at = 1 if blood and (mine.points, mine.tally) > (other.points, other.tally) else len(found)
    found[at:at] = _refuge(state, fighter, limit)
    return found


def _refuge(state: State, fighter: Fighter, limit: float) -> Iterator[Goal]:
    """The place within a move that is farthest from every enemy."""
    enemies = state.enemies(fighter)
    turns = [k * math.pi / 4 for k in range(8)] if enemies else []
    spots = [(fighter.x + limit * math.cos(turn), fighter.y + limit * math.sin(turn)) for turn in turns]
    inside = [(x, y) for x, y in spots if 1.0 < x < state.layout.width - 1.0 and 1.0 < y < state.layout.depth - 1.0]
    if inside:
        x, y = max(inside, key=lambda spot: min(math.dist(spot, (enemy.x, enemy.y)) for enemy in enemies))
        yield Goal(x, y, fighter.z, 0.0, 0.0)


def _beside(fighter: Fighter, ghost: list[tuple[Fighter, float]]) -> float:
    """What one attack action would do to an enemy from beside it."""
    enemy = ghost[0][0]
    here = fighter.x, fighter.y, fighter.z
    fighter.x, fighter.y, fighter.z = enemy.x, enemy.y, enemy.z
    found = best_threat(fighter, ghost, 1)
    fighter.x, fighter.y, fighter.z = here
    return found


def _mark(fighter: Fighter, x: float, y: float, z: float, near: float, promise: float, limit: float) -> Goal:
    late = max(0.0, math.hypot(fighter.x - x, fighter.y - y) - near) / max(1.0, limit)
    return Goal(x, y, z, near, promise / (1.0 + late * late))


def moves(state: State, fighter: Fighter, limit: float) -> Iterator[Any]:
    """On foot, up and down walls or through the air, as far as possible towards each goal of the fighter."""
    tracer = Tracer(state, fighter, limit)
    flies = fighter.flies and not why_not_fly(state, fighter)
    for goal in goals_of(state, fighter, limit):
        path = _flight(tracer, goal) if flies else _way(tracer, goal)
        if path:
            yield {"path": path}


def _flight(tracer: Tracer, goal: Goal) -> list[dict[str, Any]]:
    """Straight towards the goal; onto its platform, if that is within reach."""
    fighter = tracer.fighter
    dx, dy = goal.x - fighter.x, goal.y - fighter.y
    far = math.hypot(dx, dy) or 1.0
    share = min(tracer.limit, max(0.0, far - min(goal.near, NEAR))) / far
    x, y = fighter.x + dx * share, fighter.y + dy * share
    heights = tracer.ground.surfaces(x, y)
    return [leg("fly", x, y, min(heights, key=lambda z: abs(z - goal.z)))]


def _way(tracer: Tracer, goal: Goal) -> list[dict[str, Any]]:
    """On foot; where the goal lies on another level, up or down the wall that is nearest by."""
    fighter = tracer.fighter
    if fighter.climbing:
        return _off_the_wall(tracer)
    high = goal.z > prospects.IN_REACH or (goal.z > TOLERANCE and fighter.z > TOLERANCE)
    if fighter.z > TOLERANCE:
        if high and tracer.ground.stays_on(fighter.x, fighter.y, goal.x, goal.y, fighter.z):
            return _along(tracer, goal.x, goal.y)
        return _down(tracer, goal)
    if high:
        return _up(tracer, goal)
    return _walk(tracer, (goal.x, goal.y), (fighter.x, fighter.y), tracer.limit, goal.near)


def _along(tracer: Tracer, x: float, y: float) -> list[dict[str, Any]]:
    """Straight on over a platform."""
    fighter = tracer.fighter
    dx, dy = x - fighter.x, y - fighter.y
    far = math.hypot(dx, dy) or 1.0
    share = min(1.0, (tracer.limit - 0.01) / far)
    share *= tracer.ray(body(fighter, fighter.x, fighter.y, fighter.z), dx * share, dy * share)
    return [leg("walk", fighter.x + dx * share, fighter.y + dy * share)] if share * far > 0.1 else []


def _up(tracer: Tracer, goal: Goal) -> list[dict[str, Any]]:
    """To the foot of the wall by which the goal's platform is reached soonest, and up if the move suffices."""
    fighter, ground = tracer.fighter, tracer.ground
    here = (fighter.x, fighter.y)
    ways = prospects.ways(ground.layout, fighter, goal.x, goal.y, goal.z)
    if not ways:
        return _walk(tracer, (goal.x, goal.y), here, tracer.limit)
    net = prospects.net_of(ground.layout, fighter.profile)

    def inches(climb: prospects.Climb) -> float:
        afoot = nets.distance(net, nets.field_of(net, [climb.foot]), *here)
        return afoot + climb.inches + math.dist(climb.head, (goal.x, goal.y))

    climb = min(ways, key=inches)
    legs = _walk(tracer, climb.foot, here, tracer.limit)
    stops = [here, *((walk["x"], walk["y"]) for walk in legs)]
    gone = sum(math.dist(a, b) for a, b in pairwise(stops))
    if math.dist(stops[-1], climb.foot) < 0.02 and gone + climb.inches + 0.01 <= tracer.limit:
        legs += climb.up()
    return legs


def _down(tracer: Tracer, goal: Goal) -> list[dict[str, Any]]:
    """Over the edge of a platform by which the goal is reached soonest: a jump where it is not deep, else a climb."""
    fighter, ground = tracer.fighter, tracer.ground
    here = (fighter.x, fighter.y)
    ways = prospects.ways(ground.layout, fighter, *here, fighter.z)
    if not ways:
        return []
    climb = min(ways, key=lambda c: math.dist(here, c.foot) + math.dist(c.foot, (goal.x, goal.y)))
    if fighter.z <= DEEP + TOLERANCE:
        legs = [leg("jump", *climb.foot, 0.0)]
        left = tracer.limit - math.dist(here, climb.foot)
    else:
        first = [] if math.dist(here, climb.head) < 0.02 else [leg("walk", *climb.head)]
        legs = [*first, *climb.down()]
        left = tracer.limit - math.dist(here, climb.head) - climb.inches
    if left < 0.0:
        return _along(tracer, *climb.head)
    return legs + _walk(tracer, (goal.x, goal.y), climb.foot, left)


def _off_the_wall(tracer: Tracer) -> list[dict[str, Any]]:
    """Who hangs on a wall goes on to its top, or down to the floor."""
    fighter = tracer.fighter
    part = fighter.climbing
    own = [c for c in prospects.climbs(tracer.ground.layout, fighter) if c.part == part]
    climb = min(own, key=lambda c: math.dist(c.foot, (fighter.x, fighter.y)), default=None)
    if climb is not None:
        rise = climb.z - fighter.z + math.dist(climb.head, (fighter.x, fighter.y))
        if rise <= tracer.limit - 0.01:
            top = leg("climb", fighter.x, fighter.y, climb.z, on=part)
            return [top, leg("climb", *climb.head, climb.z, on=part)]
    return [leg("climb", fighter.x, fighter.y, max(0.0, fighter.z - tracer.limit), on=part)]


def _walk(
    tracer: Tracer, goal: tuple[float, float], start: tuple[float, float], inches: float, near: float = 0.0
) -> list[dict[str, Any]]:
    """Along the shortest way on foot, in as few straight legs as walls allow."""
    fighter = tracer.fighter
    net = prospects.net_of(tracer.state.layout, fighter.profile)
    x, y = start
    field = nets.field_around(net, [goal], near) if near else nets.field_of(net, [goal])
    if nets.distance(net, field, x, y) >= nets.FAR:
        return _squeeze(tracer, goal, start, inches)
    spots = nets.way(net, field, x, y, inches)
    spots.append(goal)
    left = inches - 0.01
    legs: list[dict[str, Any]] = []
    while spots and left > 0.2 and len(legs) < LEGS:
        # The farthest spot that can be seen: straight to the end if possible, else about half as far each time.
        n = len(spots) - 1
        while True:
            dx, dy = spots[n][0] - x, spots[n][1] - y
            far = math.hypot(dx, dy) or 1.0
            share = min(1.0, left / far)
            free = min(share, tracer.ray(body(fighter, x, y, 0.0), dx * share, dy * share) * share)
            if free >= share * 0.98 or n == 0:
                break
            n = n * 2 // 3
        if free * far < 0.1:
            break
        x, y = x + dx * free, y + dy * free
        left -= far * free
        legs.append(leg("walk", x, y))
        spots = spots[n + 1 :]
    return legs


def _squeeze(
    tracer: Tracer, goal: tuple[float, float], start: tuple[float, float], inches: float
) -> list[dict[str, Any]]:
    """Who is too big for every way goes straight in that direction which brings it nearest."""
    fighter = tracer.fighter
    x, y = start
    left = inches - 0.01
    legs: list[dict[str, Any]] = []
    while left > 0.2 and len(legs) < LEGS:
        here = body(fighter, x, y, 0.0)
        found = []
        for k in range(RAYS):
            dx, dy = left * math.cos(k * 2 * math.pi / RAYS), left * math.sin(k * 2 * math.pi / RAYS)
            free = tracer.ray(here, dx, dy)
            found.append((x + dx * free, y + dy * free))
        end = min(found, key=lambda spot: math.dist(spot, goal))
        gone = math.dist(end, (x, y))
        if gone < 0.3 or math.dist(end, goal) > math.dist((x, y), goal) - 0.2:
            break
        x, y = end
        left -= gone
        legs.append(leg("walk", x, y))
    return legs


def first_turn(battle: Battle[State]) -> int | None:
    """The side that had the first turn of the battle."""
    return next((event.facts["side"] for event in battle.events if event.kind == "first-turn"), None)


HINTS = Hints(candidates=candidates, gain=gain, terms=terms, swing=swing, rote=ROTE, turns=TURNS)
