"""Before the battle: attacker and defender, battlegroups, cards, terrain, colours, deployment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from umpire.engine.battle import Battle
from umpire.engine.decisions import SPOT, ByRule, Choose, ChooseSeveral, Form, Held, Option, Place
from umpire.engine.decisions.movers import Judgement
from umpire.engine.picture import Shape
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.errors import fault, unknown
from umpire.games.warcry import battleplan
from umpire.games.warcry.cards import Feature, Piece
from umpire.games.warcry.content import Library, library
from umpire.games.warcry.dice import roll_off
from umpire.games.warcry.placing import (
    CLOSE,
    Zone,
    any_places,
    find_places,
    points_of,
    put,
    room_by,
    settle,
    spot_of,
    spots,
    stand_reasons,
)
from umpire.games.warcry.profiles import DECKS, GROUPS
from umpire.games.warcry.state import Fighter, State, seat
from umpire.games.warcry.terrain import Layout, layout
from umpire.games.warcry.warband import Roster
from umpire.rulebook.deciding import decides
from umpire.space.measure import bounds, separation
from umpire.space.plain import overhang
from umpire.space.shapes import TOLERANCE, Base, Prism, convex_hull
from umpire.text import Text

PREPARING = frozenset(
    f"ask.{what}"
    for what in ("role", "monster-group", "battlegroup", "terrain", "orientation", "colour", "deploy", "squeeze")
)
"""The questions of this chapter that a newcomer may leave to the umpire."""


@step
def mustered(battle: Battle[State], rosters: list[Any]) -> None:
    """Both warbands are shown."""
    import msgspec

    for side, raw in enumerate(rosters):
        roster = msgspec.convert(raw, Roster)
        points = sum(fighter.profile.points for fighter in battle.state.fighters if fighter.side == side)
        battle.emit(
            "mustered",
            "warcry.warband.muster",
            side=side,
            player=seat(side),
            faction=roster.faction,
            fighters=len(roster.fighters),
            points=points,
        )


@step
def roles(battle: Battle[State]) -> Steps[None]:
    """The winner of a roll-off says who attacks."""
    state = battle.state
    winner = roll_off(battle, "roles")
    role = yield Choose(winner, "ask.role", ["attacker", "defender"], "warcry.setup.attacker-defender")
    attacker = winner if role == "attacker" else 1 - winner
    for side, player in enumerate(state.players):
        player.attacker = side == attacker
    battle.emit("roles", "warcry.setup.attacker-defender", attacker=attacker, player=seat(attacker))
    first = 1 - attacker if state.applies("warcry.setup.battlegroup-order") else attacker
    battle.plan((divide, first), (divide, 1 - first))


def sizes(count: int, groups: int) -> tuple[int, int]:
    """The least and the most fighters of a group when they are spread evenly."""
    return count // groups, -(-count // groups)


def _not_of_the_group(state: State, side: int, wish: str) -> list[Reason]:
    """Why a fighter cannot be put into this battlegroup: an enemy, a monster, or one that has its group already."""
    fighter = next((f for f in state.fighters if f.id == wish), None)
    if fighter is None:
        return []
    if fighter.side != side:
        return [Reason("warcry.core.friendly-enemy", "reason.warcry.not-yours", {"fighter": wish})]
    rule = "warcry.monster.battlegroup" if fighter.monster else "warcry.setup.battlegroups"
    return [Reason(rule, facts={"fighter": wish})]


@decides("warcry.runemark.deployment")
@step
def divide(battle: Battle[State], side: int) -> Steps[None]:
    """Three battlegroups as even as possible; a monster alone in one of them."""
    state = battle.state
    mine = [f for f in state.fighters if f.side == side]
    groups = list(GROUPS)
    rules = ["warcry.setup.battlegroups", "warcry.setup.battlegroup-even"]
    monsters = [f for f in mine if f.monster]
    if monsters and state.applies("warcry.monster.battlegroup"):
        group = yield Choose(side, "ask.monster-group", groups, "warcry.monster.battlegroup", monsters[0].id)
        monsters[0].group = group
        groups.remove(group)
        mine = [f for f in mine if not f.monster]
        rules.append("warcry.monster.battlegroup")
    left = list(mine)
    while len(groups) > 1:
        least, most = sizes(len(left), len(groups))

        def judge(answer: list[str], rest: int = len(left), number: int = len(groups) - 1) -> list[Reason]:
            low, high = sizes(rest - len(answer), number)
            if high - len(answer) > 1 or len(answer) - low > 1:
                return [Reason("warcry.setup.battlegroup-even", facts={"chosen": len(answer)})]
            return []

        chosen = yield ChooseSeveral(
            side,
            Text("ask.battlegroup", {"group": Text(f"group.{groups[0]}")}),
            [Option(f.id, refs=(f.id,)) for f in left],
            least,
            most,
            "warcry.setup.battlegroup-even",
            judge=judge,
            refuse=lambda wish: _not_of_the_group(state, side, wish),
        )
        for fighter in left:
            if fighter.id in chosen:
                fighter.group = groups[0]
        left = [f for f in left if f.id not in chosen]
        groups.pop(0)
    for fighter in left:
        fighter.group = groups[0]
    counts = [sum(f.group == group for f in state.fighters if f.side == side) for group in GROUPS]
    battle.emit("divided", *rules, side=side, player=seat(side), dagger=counts[0], shield=counts[1], hammer=counts[2])


# -- the battleplan ----------------------------------------------------------------------------------------------


@decides("warcry.setup.battleplan", "warcry.runemark.battleplan-cards")
@step
def draw(battle: Battle[State], scenario: dict[str, Any], deck: str) -> None:
    """One card of a deck, at random if none is named, for both to see."""
    state = battle.state
    cards = library().deck(deck)
    key = scenario.get(deck)
    if key is None:
        names = sorted(cards)
        key = names[battle.random(len(names))]
        battle.reveal()
    if key not in cards:
        raise unknown("card", key, f"scenario.{deck}", sorted(cards))
    rules = ["warcry.setup.battleplan-cards"]
    if deck == "terrain":
        state.terrain_card = key
    else:
        setattr(state, deck, cards[key])
    if deck == "twist":
        rules.append("warcry.runemark.twists")
    if deck == "victory" and cards[key].treasure:
        rules.append("warcry.runemark.treasure")
    battle.emit("drawn", *rules, deck=Text(f"deck.{deck}"), card=key)


@step
def battleplan_step(battle: Battle[State], scenario: dict[str, Any], alternative: bool) -> None:
    """All four parts are fixed, then set up in order: terrain, deployment, victory condition, twist."""
    after = ((deployment_step,), (battleplan.victory_step,), (battleplan.twist_step,), (battleplan.begin,))
    if alternative:
        # warcry.setup.terrain-alternative: terrain stands before any other card is drawn.
        battle.plan((place_terrain, 0), *((draw, scenario, deck) for deck in DECKS[1:]), (orient, 1), *after)
    else:
        battle.plan(*((draw, scenario, deck) for deck in DECKS), terrain_step, *after)


@cache
def card_layout(card: str) -> Layout:
    """The terrain of a card; it never changes, so it is put together once."""
    lib = library()
    return layout(lib.terrain[card].features, lib.pieces)


@step
def terrain_step(battle: Battle[State]) -> None:
    """Terrain as the card shows it; the maps lie in the same orientation."""
    state = battle.state
    state.layout = card_layout(state.terrain_card)
    terrain_event(battle, "warcry.setup.terrain-card", "warcry.setup.orientation")


def terrain_event(battle: Battle[State], *rules: str) -> None:
    """Every part of every feature has its kind from now on (warcry.terrain.custom)."""
    battle.emit("terrain", *rules, features=len(battle.state.layout.features))


ALTERNATIVE = ("keep", "stair-terrace", "walkway", "statue", "wall", "spiked-fence", "shrine", "wall")


def quarters(lay: Layout) -> list[int]:
    """How many features stand in each quarter; one that straddles counts where its middle is."""
    counts = [0, 0, 0, 0]
    for feature in lay.features:
        counts[(feature.x >= lay.width / 2) + 2 * (feature.y >= lay.depth / 2)] += 1
    return counts


def against_layout(lay: Layout) -> Iterator[Reason]:
    """What the rules for terrain that a player places have against it: two features in every quarter, all of them on
    the battlefield, none in another."""
    fine = True
    for quarter, count in enumerate(quarters(lay)):
        if count < 2:
            fine = False
            facts = {"quarter": quarter + 1, "features": count, "least": 2}
            yield Reason("warcry.setup.terrain-alternative", "reason.warcry.quarter", facts)
    for n, feature in enumerate(lay.features):
        beyond = max([overhang(part.points, lay.width, lay.depth) for part in feature.parts], default=0.0)
        if beyond > 0.0:
            fine = False
            over = {"feature": feature.id, "beyond": round(beyond, 3)}
            yield Reason("warcry.core.battlefield-size", "reason.terrain.beyond", over, f"terrain[{n}]")
    if fine and crowded(lay):
        yield Reason("warcry.setup.terrain-alternative", "reason.warcry.pieces-overlap")


@step
def place_terrain(battle: Battle[State], side: int) -> Steps[None]:
    """Without a terrain card one player places the features, at least two in every quarter."""
    state = battle.state
    lib = library()
    ids = [f"t{n}" for n in range(len(ALTERNATIVE))]

    def build(models: dict[str, Any]) -> Layout:
        features = [
            Feature(piece, float(models[key]["x"]), float(models[key]["y"]), float(models[key].get("facing", 0.0)))
            for key, piece in zip(ids, ALTERNATIVE, strict=True)
        ]
        return layout(features, lib.pieces)

    def judge(answer: Any) -> list[Reason]:
        models = spots(answer, ids)
        if models is None:
            return [Reason("warcry.setup.terrain-alternative", "reason.warcry.all-pieces", {"pieces": ids})]
        return list(against_layout(build(models)))

    def propose(rng: Rng) -> Any:
        order = rng.shuffled(range(8))
        models = {}
        for n, slot in enumerate(order):
            quarter, second = divmod(slot, 2)
            x = (quarter % 2) * 15 + (4.0 if second else 11.0) + rng.uniform(-0.5, 0.5)
            y = (quarter // 2) * 11 + 5.5 + rng.uniform(-1.5, 1.5)
            models[ids[n]] = {"x": round(x, 2), "y": round(y, 2), "facing": float(90 * rng.below(4))}
        return {"models": models}

    default = propose(Rng(1))
    plans = {key: outline(lib.pieces[piece]) for key, piece in zip(ids, ALTERNATIVE, strict=True)}
    form = Form(ways=("models",), pieces=tuple(ids), facing=True, shapes=plans)
    answer = yield Place(
        side, "ask.terrain", judge, propose, "warcry.setup.terrain-alternative", "", default, form=form
    )
    state.layout = build(answer["models"])
    terrain_event(battle, "warcry.setup.terrain-alternative")


def outline(piece: Piece) -> Held:
    """A terrain feature as a hand holds it: its ground plan about its own middle, and its height."""
    parts = layout([Feature(piece.id, 0.0, 0.0)], {piece.id: piece}).features[0].parts
    points = convex_hull([point for part in parts for point in part.points])
    return Held(Shape("polygon", points=points), max(part.top for part in parts))


def crowded(lay: Layout) -> bool:
    """Do two features share ground?"""
    shapes = [[(bounds(prism), prism) for prism in (Prism(part.points) for part in f.parts)] for f in lay.features]
    return any(
        x0 < u1 and u0 < x1 and y0 < v1 and v0 < y1 and separation(a, b) < -TOLERANCE
        for n, first in enumerate(shapes)
        for second in shapes[n + 1 :]
        for (x0, y0, x1, y1), a in first
        for (u0, v0, u1, v1), b in second
    )


@step
def orient(battle: Battle[State], side: int) -> Steps[None]:
    """The player who did not place the terrain says how the deployment map lies."""
    way = yield Choose(side, "ask.orientation", ["as-drawn", "turned"], "warcry.setup.orientation")
    battle.state.turned = way == "turned"
    battle.emit("oriented", "warcry.setup.orientation", side=side, player=seat(side), turned=battle.state.turned)


# -- deployment --------------------------------------------------------------------------------------------------


@step
def deployment_step(battle: Battle[State]) -> Steps[None]:
    """The winner of a roll-off says who is red; then the groups are set up in turn."""
    state = battle.state
    winner = roll_off(battle, "colours")
    colour = yield Choose(winner, "ask.colour", ["red", "blue"], "warcry.setup.colours")
    red = winner if colour == "red" else 1 - winner
    for side, player in enumerate(state.players):
        player.red = side == red
    battle.emit("colours", "warcry.setup.colours", red=red, player=seat(red))
    attacker = 0 if state.players[0].attacker else 1
    order = [(deploy, side, group) for group in GROUPS for side in (attacker, 1 - attacker)]
    battle.plan(*order)


@decides("warcry.setup.deployment-points")
def zone_of(state: State, side: int, group: str) -> Zone:
    return Zone(points_of(state, side).of(group), state.turned, state.layout.width, state.layout.depth)


def arrival_round(state: State, side: int, group: str) -> int:
    return points_of(state, side).of(group).round


@step
def deploy(battle: Battle[State], side: int, group: str) -> Steps[None]:
    """One battlegroup is set up, or put aside if its point is marked for a later round."""
    state = battle.state
    fighters = [f for f in state.fighters if f.side == side and f.group == group]
    if not fighters:
        return
    later = arrival_round(state, side, group)
    if later > 1:
        for fighter in fighters:
            fighter.where = "reserve"
        battle.emit(
            "reserved",
            "warcry.setup.reserve-groups",
            "warcry.setup.deploy-order",
            side=side,
            player=seat(side),
            group=Text(f"group.{group}"),
            round=later,
        )
        return
    rules = ("warcry.setup.deploy-order", "warcry.setup.deploy-zone")
    yield from set_up(battle, side, group, fighters, "warcry.setup.deploy-zone", rules)


def set_up(
    battle: Battle[State], side: int, group: str, fighters: Sequence[Fighter], rule: str, rules: tuple[str, ...]
) -> Steps[None]:
    """The fighters of a group are put into its zone; if they do not all fit, one at a time as near as can be."""
    state = battle.state
    zone = zone_of(state, side, group)
    ids = [f.id for f in fighters]
    seed = Rng(len(battle.answers))
    default = any_places(state, fighters, zone, seed)

    def judge(answer: Any) -> list[Reason]:
        models = spots(answer, ids)
        if models is None:
            return [Reason(rule, "reason.warcry.all-fighters", {"fighters": ids})]
        reasons: list[Reason] = []
        taken: list[Base] = []
        for fighter in fighters:
            base = settle(state, fighter, models[fighter.id])
            reasons += zone.reasons(fighter, base, rule)
            reasons += stand_reasons(state, base, (), taken)
            taken.append(base)
        return reasons

    def propose(rng: Rng) -> Any:
        found = find_places(state, fighters, zone, rng)
        if found is None:
            return None
        answer = {"models": {key: spot_of(found[key]) for key in ids}}
        mover.remember(answer, Judgement(()))  # each place was looked at when it was found
        return answer

    mover = ByRule(
        judge,
        propose,
        regions=lambda: [zone.region()],
        form=Form(ways=("models", "spot") if len(ids) == 1 else ("models",), pieces=tuple(ids)),
    )
    if default is None:
        answer = yield from _squeeze(battle, side, fighters, zone, judge)
        if answer is None:
            return
    else:
        answer = yield Place(
            side,
            Text("ask.deploy", {"group": Text(f"group.{group}")}),
            mover,
            None,
            rule,
            ids[0],
            {"models": {key: spot_of(default[key]) for key in ids}},
        )
    models = spots(answer, ids)
    assert models is not None
    for fighter in fighters:
        put(fighter, settle(state, fighter, models[fighter.id]))
    more = ("warcry.monster.deploy",) if any(f.monster for f in fighters) else ()
    battle.emit("deployed", *rules, *more, side=side, player=seat(side), group=Text(f"group.{group}"), fighters=ids)


def _squeeze(
    battle: Battle[State], side: int, fighters: Sequence[Fighter], zone: Zone, fit: Callable[[Any], list[Reason]]
) -> Steps[Any]:
    """warcry.reserve.no-room: one at a time, each as close to the point or line as possible. Who knows how all of them
    fit in after all may put them there instead (`models`): then that answer is handed back."""
    state = battle.state
    for n, fighter in enumerate(fighters):
        best = room_by(state, fighter, zone)
        assert best is not None, "a battlefield of 30 by 22 inches has room for 30 fighters"
        limit = zone.gap(best.x, best.y) + CLOSE

        def judge(answer: Any, fighter: Fighter = fighter, limit: float = limit) -> list[Reason]:
            if "models" in answer:
                return fit(answer)
            base = settle(state, fighter, answer)
            reasons = stand_reasons(state, base)
            gap = zone.gap(base.x, base.y)
            if gap > limit:
                reasons.append(
                    Reason("warcry.reserve.no-room", facts={"distance": round(gap, 3), "allowed": round(limit, 3)})
                )
            return reasons

        spot = spot_of(best)

        def propose(rng: Rng, spot: dict[str, float] = spot) -> Any:
            return spot

        form = SPOT if n or len(fighters) < 2 else Form(ways=("spot", "models"), pieces=tuple(f.id for f in fighters))
        answer = yield Place(side, "ask.squeeze", judge, propose, "warcry.reserve.no-room", fighter.id, spot, form=form)
        if "models" in answer:
            return answer
        put(fighter, settle(state, fighter, answer))
        battle.emit("squeezed", "warcry.reserve.no-room", side=side, player=seat(side), fighter=fighter.id)
    return None


def scenario_of(raw: Any, lib: Library) -> dict[str, Any]:
    """The named cards of a scenario: a victory condition's id, or a mapping of decks to card ids."""
    if raw is None:
        return {}
    if isinstance(raw, str):
        raw = {"victory": raw}
    if not isinstance(raw, dict):
        raise fault("error.warcry.scenario", "scenario")
    for deck, key in raw.items():
        if deck not in DECKS:
            raise unknown("deck", deck, "scenario", DECKS)
        if key is not None and key not in lib.deck(deck):
            raise unknown("card", key, f"scenario.{deck}", sorted(lib.deck(deck)))
    return dict(raw)
