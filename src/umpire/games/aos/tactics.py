"""Battle tactics and the Tactical Gambit that picks them (aos.tactic.tactical-gambit, aos.core.tactic-*)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from umpire.engine.decisions import Choose, Option, pick
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.games.aos.abilities import side_name
from umpire.games.aos.known_abilities import Ability, AosBattle, Owned, effect_of
from umpire.games.aos.state import Feature, Part, Point, State, Unit, Use
from umpire.miniatures.loose.bodies import base, to_point, wholly_in
from umpire.space.measure import bounds, separation
from umpire.space.shapes import TOLERANCE, Prism
from umpire.text import Text

POINTS = 4
GAMBIT = "tactical-gambit"


def do_not_waver(state: State, side: int, about: str) -> bool:
    """At least two units fought this turn and none was destroyed in it."""
    player = state.sides[side]
    return player.fought >= 2 and player.lost == 0


def slay_the_entourage(state: State, side: int, about: str) -> bool:
    return state.unit(about).where == "gone"


def attack_on_two_fronts(state: State, side: int, about: str) -> bool:
    """Two objectives that were not ours when the turn began, one of them the opponent's then."""
    won = [o for o in state.objectives if o.holder == side and o.held_before != side]
    return len(won) >= 2 and any(o.held_before == 1 - side for o in won)


def take_their_land(state: State, side: int, about: str) -> bool:
    return any(f.id == about and f.holder == side for f in state.terrain)


def seize_the_centre(state: State, side: int, about: str) -> bool:
    """Two units that are not in combat within 3 inches of the centre of the battlefield."""
    x, y = state.width / 2, state.depth / 2

    def there(unit: Unit) -> bool:
        return any(to_point(m, x, y) <= 3.0 + TOLERANCE for m in unit.models)

    return sum(there(u) and not u.fights for u in state.army(side) if u.profile.kind == "unit") >= 2


def take_the_flanks(state: State, side: int, about: str) -> bool:
    """A unit within 6 inches of each short edge, not wholly within our territory and not set up this turn."""
    territory = state.plan.territories[state.sides[side].territory]

    def counts(unit: Unit) -> bool:
        home = all(wholly_in(m, territory) for m in unit.models)
        return unit.profile.kind == "unit" and not home and not unit.arrived

    army = [u for u in state.army(side) if counts(u)]
    spans = [bounds(base(m)) for u in army for m in u.models]
    across = state.width < state.depth  # the short edges lie at the ends of the longer side
    low = any(span[across] <= 6.0 + TOLERANCE for span in spans)
    high = any(span[2 + across] >= max(state.width, state.depth) - 6.0 - TOLERANCE for span in spans)
    return low and high


Condition = Callable[[State, int, str], bool]
TACTICS: dict[str, tuple[str, Condition]] = {
    "do-not-waver": ("aos.core.tactic-do-not-waver", do_not_waver),
    "slay-the-entourage": ("aos.core.tactic-slay-the-entourage", slay_the_entourage),
    "attack-on-two-fronts": ("aos.core.tactic-attack-on-two-fronts", attack_on_two_fronts),
    "take-their-land": ("aos.core.tactic-take-their-land", take_their_land),
    "seize-the-centre": ("aos.core.tactic-seize-the-centre", seize_the_centre),
    "take-the-flanks": ("aos.core.tactic-take-the-flanks", take_the_flanks),
}


def entourage(state: State, side: int) -> list[Unit]:
    """The units of the enemy general's regiment that are still there."""
    general = state.sides[1 - side].general
    if general not in state.units:
        return []
    regiment = state.unit(general).regiment
    return [
        u
        for u in state.units.values()
        if u.side == 1 - side
        and u.regiment == regiment
        and u.where in ("table", "reserve")
        and u.profile.kind == "unit"
    ]


def their_land(state: State, side: int) -> list[Feature]:
    """Features that lie at least partly in enemy territory and neither in ours nor at its edge."""
    home = state.plan.territories[state.sides[side].territory]
    away = state.plan.territories[state.sides[1 - side].territory]

    def from_territory(feature: Feature, territory: tuple[Point, ...]) -> float:
        known = APART.of(feature.parts)
        far = known.get(territory)
        if far is None:
            far = known[territory] = min(separation(Prism(p.points), Prism(territory)) for p in feature.parts)
        return far

    return [f for f in state.terrain if from_territory(f, away) < -TOLERANCE < TOLERANCE < from_territory(f, home)]


APART: Owned[tuple[Part, ...], dict[tuple[Point, ...], float]] = Owned(lambda parts: {})
"""How far features are from territories."""


def lands(state: State) -> list[str]:
    """Features whose control may still decide a battle tactic: nothing else asks who controls one."""
    open_to = [side for side in (0, 1) if "take-their-land" not in state.sides[side].tactics]
    named = [player.tactic_about for player in state.sides if player.tactic == "take-their-land"]
    return [*named, *(feature.id for side in open_to for feature in their_land(state, side))]


def subjects(state: State, side: int, tactic: str) -> list[str] | None:
    """What a tactic must name when it is picked; None if nothing."""
    if tactic == "slay-the-entourage":
        return [u.id for u in entourage(state, side)]
    if tactic == "take-their-land":
        return [f.id for f in their_land(state, side)]
    return None


def why_not_gamble(state: State, side: int) -> Iterator[Reason]:
    """Not if you went second in the round before and chose to go first in this one."""
    player = state.sides[side]
    if player.chose_first:
        yield Reason("aos.tactic.tactical-gambit", "reason.aos.double-turn", {"round": state.round})
    if not open_tactics(state, side):
        yield Reason("aos.tactic.tactical-gambit", "reason.aos.no-tactic", {"round": state.round})


def open_tactics(state: State, side: int) -> list[str]:
    tried = state.sides[side].tactics
    return [t for t in TACTICS if t not in tried and subjects(state, side, t) != []]


@effect_of(
    Ability(
        GAMBIT, "aos.tactic.tactical-gambit", "start", by_player=True, per="round", army=True, player=why_not_gamble
    )
)
def gambit(battle: AosBattle, use: Use) -> Steps[None]:
    state = battle.state
    player = state.sides[use.side]
    names = open_tactics(state, use.side)
    tried = {t: [Reason("aos.tactic.tactical-gambit", "reason.aos.tactic-tried")] for t in player.tactics}
    options = [Option(t, Text(f"tactic.{t}"), rules=(TACTICS[t][0],)) for t in names]
    tactic = yield Choose(use.side, "ask.tactic", options, "aos.tactic.tactical-gambit", "", tried)
    about = subjects(state, use.side, tactic)
    subject = ""
    if about:
        rule, features = TACTICS[tactic][0], [f.id for f in state.terrain]
        things = [*features, *state.units, *(o.id for o in state.objectives)]
        named = {key: "feature" if key in features else "unit" for key in things if key not in about}
        reasons = {key: [Reason(rule, "", {what: key})] for key, what in named.items()}
        prompt = Text("ask.tactic-about", {"tactic": Text(f"tactic.{tactic}")})
        subject = yield from pick(use.side, prompt, about, rule, "", reasons)
    player.tactic, player.tactic_about = tactic, subject
    player.tactics = (*player.tactics, tactic)
    battle.emit(
        "tactic",
        "aos.tactic.tactical-gambit",
        TACTICS[tactic][0],
        side=side_name(use.side),
        tactic=Text(f"tactic.{tactic}"),
        about=subject,
    )


@step
def check_tactic(battle: AosBattle) -> None:
    """aos.core.battle-tactics: completed at the end of the turn it scores 4 points; failed or not, it stays used."""
    state = battle.state
    player = state.sides[state.active]
    if not player.tactic:
        return
    rule, condition = TACTICS[player.tactic]
    done = condition(state, state.active, player.tactic_about)
    if done:
        player.vp += POINTS
        player.completed += 1
    battle.emit(
        "tactic-done" if done else "tactic-failed",
        "aos.core.battle-tactics",
        rule,
        side=side_name(state.active),
        tactic=Text(f"tactic.{player.tactic}"),
        total=player.vp,
    )
