"""Chapters 3 and 4: Rally, Reform, Combat Rally, Combat Reform, Inspire."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.decisions import Place
from umpire.engine.rng import Rng
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps, step
from umpire.space.angles import heading, normal
from umpire.space.ranks import fronts
from umpire.space.ranks.fronts import Pose, pose_about, world
from umpire.space.shapes import TOLERANCE

from . import dressing, formation, hooks, march, morale, overlapping, pressing, ranked, wounds
from .dressing import Spots
from .mover import formed_ends, formed_form
from .state import Regiment, Stand, State

Limits = Callable[[Stand], float]
"""How far a stand may move."""


def why_not_rally(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    return [] if regiment.broken else [Reason("conquest.action.rally", facts={"regiment": regiment.id})]


@hooks.action("rally", "out", ("conquest.action.rally", "conquest.action.list.out-of-combat"), why_not_rally)
@step
def rally(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """It stops being Broken; no roll."""
    regiment = battle.state.regiment(regiment_id)
    if (yield from hooks.decide(battle, "rally", regiment, action="rally")) is not False:
        morale.rally(battle, regiment, "conquest.action.rally")


def why_not_combat_rally(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    return [] if regiment.broken else [Reason("conquest.action.combat-rally", facts={"regiment": regiment.id})]


@hooks.action(
    "combat-rally", "in", ("conquest.action.combat-rally", "conquest.action.list.in-combat"), why_not_combat_rally
)
@step
def combat_rally(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """It stops being Broken in the midst of the fight, unless an enemy's rule interferes."""
    regiment = battle.state.regiment(regiment_id)
    if (yield from hooks.decide(battle, "rally", regiment, action="combat-rally")) is not False:
        morale.rally(battle, regiment, "conquest.action.combat-rally")


@hooks.action("inspire", "in", ("conquest.action.inspire", "conquest.action.list.in-combat"))
@step
def inspire(battle: Battle[State], regiment_id: str) -> None:
    """Inspired until the end of the activation; twice Inspired is no more than once."""
    regiment = battle.state.regiment(regiment_id)
    regiment.inspired = max(1, regiment.inspired)
    battle.emit("inspired", "conquest.action.inspire", regiment=regiment.id)


# -- new formations ------------------------------------------------------------------------------------------------


def may_hold(regiment: Regiment, stand: Stand, files: int, rank: int, file: int, last: int) -> bool:
    """May this stand have that place (conquest.regiment.legal-formation)?"""
    if stand.command:
        return rank == 0 and file in formation.centre_files(files)
    if stand.character and not regiment.own:
        return rank == 0
    return not stand.wounds or rank == last


def assigned(
    regiment: Regiment, files: int, where: Pose, limits: Limits, start: int | None = None, settled: Spots | None = None
) -> tuple[Stand, ...] | None:
    """Stands given to new places so that none moves further than it may; None if that cannot be done.

    `start` is the first file of the last rank, `settled` are places given beforehand.
    """
    stands = regiment.stands
    pose = ranked.pose(regiment)
    here = [(s, *ranked.place(regiment, pose, regiment.files, s.rank, s.file)) for s in stands]
    goals = ranked.slots(len(stands), files, start)
    last = max(rank for rank, _ in goals)
    fixed = settled or {}
    at = [ranked.place(regiment, where, files, rank, file) for rank, file in goals]
    allowed: list[list[int]] = []
    for s, x, y in here:
        most, settled_at = limits(s) + TOLERANCE, fixed.get(s.id)
        anywhere = not (s.command or s.character or s.wounds) and settled_at is None
        most *= most
        near = [
            (far, k)
            for k, (gx, gy) in enumerate(at)
            if (far := (gx - x) * (gx - x) + (gy - y) * (gy - y)) <= most
            and (
                anywhere
                or ((settled_at is None or goals[k] == settled_at) and may_hold(regiment, s, files, *goals[k], last))
            )
        ]
        allowed.append([k for _, k in sorted(near)])
    held = ranked.matched(allowed)
    if held is None:
        return None
    placed = [
        msgspec.structs.replace(here[stand][0], rank=goals[goal][0], file=goals[goal][1])
        for goal, stand in held.items()
    ]
    return tuple(sorted(placed, key=lambda s: (s.rank, s.file)))


def narrowest(state: State, regiment: Regiment) -> int:
    """The fewest files: two in front, or by the table's other reading one, once stands are lost."""
    if state.options.narrow_front == "after-losses" and len(regiment.ordinary()) < regiment.start:
        return 1
    return formation.least_files(len(regiment.stands))


def wished(state: State, regiment: Regiment, answer: Any) -> tuple[Pose, int] | Reason:
    """The front edge and the files that an answer asks for; its x and y are the regiment's centre."""
    files, facing = answer.get("files"), answer.get("facing")
    count = len(regiment.stands)
    if files is None or facing is None or not 1 <= files <= count:
        return Reason("conquest.regiment.formation", facts={"files": files})
    if files < narrowest(state, regiment):
        return Reason("conquest.regiment.front-rank-minimum", facts={"front": files, "stands": count})
    deep = -(-count // files) * regiment.profile.stand[1]
    return pose_about(deep, answer["x"], answer["y"], normal(facing)), files


def standing_there(regiment: Regiment, where: Pose, files: int, stands: tuple[Stand, ...]) -> Regiment:
    """The regiment as it would stand there; it stays where it is itself."""
    x, y, facing = where
    return msgspec.structs.replace(regiment, x=x, y=y, facing=facing, files=files, stands=stands)


def position_reasons(
    state: State, regiment: Regiment, where: Pose, files: int, stands: tuple[Stand, ...]
) -> list[Reason]:
    """Off the table, overlapping, or nearer to an enemy than it may be."""
    there = standing_there(regiment, where, files, stands)
    if march.off_table(state, there, where, None):
        past = fronts.beyond(ranked.blocks(there), None, state.scenario.width, state.scenario.depth)
        return [Reason("conquest.regiment.legal-position.on-table", facts=past)]
    if not wounds.fits(state, there):
        among = {"regiments": list(overlapping.overlapped(state, there, where))}
        return [Reason("conquest.regiment.legal-position.overlap", facts=among)]
    around = ranked.disc(there)
    for foe, circle in formation.foes_of(state, regiment.side):
        if there.where == "table" and fronts.discs_apart(around, circle, 1.0):
            continue
        far = formation.distance(state, there, foe)
        if far < 1.0 - TOLERANCE and far < formation.distance(state, regiment, foe) - TOLERANCE:
            facts = {"enemy": foe.id, "distance": round(far, 3)}
            return [Reason("conquest.action.reform.limits", "reason.reform.near", facts)]
    return []


class Wish(NamedTuple):
    """A new formation that somebody wishes for: the front edge, the files, and how far its stands and centre may go."""

    where: Pose
    files: int
    limits: Limits
    rule: str


More = Callable[[Pose, int, tuple[Stand, ...]], list[Reason]]


def reform_reasons(
    state: State,
    regiment: Regiment,
    wish: Wish,
    more: More | None,
    start: int | None = None,
) -> tuple[list[Reason], tuple[Stand, ...]]:
    """Why these places are illegal, and which stand would have which."""
    stands = assigned(regiment, wish.files, wish.where, wish.limits, start)
    if stands is None:
        allowed = min(wish.limits(stand) for stand in regiment.stands)
        facts = {"allowed": allowed, "moved": round(furthest_moved(regiment, wish, start), 3)}
        return [Reason(wish.rule, "reason.reform.stand", facts)], regiment.stands
    reasons = position_reasons(state, regiment, wish.where, wish.files, stands)
    if not reasons and more is not None:
        reasons = more(wish.where, wish.files, stands)
    return reasons, stands


def furthest_moved(regiment: Regiment, wish: Wish, start: int | None) -> float:
    """How far the stand goes that has furthest to go, if all went to the nearest places that they may have."""
    stands = assigned(regiment, wish.files, wish.where, lambda stand: math.inf, start) or ()
    before = {s.id: formation.stand_base(regiment, s) for s in regiment.stands}
    ends = ((before[s.id], ranked.place(regiment, wish.where, wish.files, s.rank, s.file)) for s in stands)
    return max((math.hypot(x - base.x, y - base.y) for base, (x, y) in ends), default=0.0)


def unchanged(regiment: Regiment) -> dict[str, Any]:
    """The answer that leaves everything as it is."""
    x, y = ranked.centre(regiment)
    return {"x": round(x, 3), "y": round(y, 3), "facing": regiment.facing, "files": regiment.files}


def propose_reform(state: State, regiment: Regiment, rng: Rng) -> dict[str, Any]:
    answer = unchanged(regiment)
    allowed = formation.files_allowed(regiment)
    if rng.random() < 0.6:
        answer["files"] = rng.choice(allowed)
    kind = rng.random()
    foe = formation.nearest_enemy(state, regiment, ranked.pose(regiment))
    if foe is not None and kind < 0.6:
        answer["facing"] = round(heading(foe.x - answer["x"], foe.y - answer["y"]), 1)
    elif kind < 0.8:
        answer["facing"] = round(rng.uniform(0, 360), 1)
    return answer


def ask_reform(
    battle: Battle[State],
    regiment: Regiment,
    limits: Limits,
    prompt: str,
    rule: str,
    slack: float = 0.0,
    more: More | None = None,
    propose: Callable[[Rng], Any] | None = None,
    declines: bool = True,
) -> Steps[tuple[Pose, int, tuple[Stand, ...]]]:
    """Ask for a new formation: {"x", "y" (its centre), "facing", "files"}; then who stands where in it.

    To leave the formation as it is declines; where it does not, stands may still change places.
    """
    state = battle.state
    stay = unchanged(regiment)

    def asked(answer: Any) -> Wish | Reason:
        wish = wished(state, regiment, answer)
        if isinstance(wish, Reason):
            return wish
        cx, cy = ranked.centre(regiment)
        moved = math.hypot(answer["x"] - cx, answer["y"] - cy)
        limited = "conquest.action.combat-reform.clean" if more is not None else "conquest.action.reform.limits"
        if moved > slack + 0.002:
            return Reason(limited, "reason.reform.centre", {"moved": round(moved, 3), "allowed": slack})
        return Wish(*wish, limits, limited)

    @functools.cache
    def tried(wish: Wish, start: int) -> tuple[list[Reason], tuple[Stand, ...]]:
        return reform_reasons(state, regiment, wish, more, start)

    def judge(answer: Any) -> list[Reason]:
        """Some place of the last rank must do."""
        if answer == stay:
            return []
        wish = asked(answer)
        if isinstance(wish, Reason):
            return [wish]
        reasons: list[Reason] = []
        for start in ranked.rear_starts(len(regiment.stands), wish.files):
            found = tried(wish, start)[0]
            if not found:
                return []
            reasons = reasons or found
        return reasons

    def nearest(answer: Any) -> Any:
        """The same formation with its centre moved no further than it may be."""
        cx, cy = ranked.centre(regiment)
        moved = math.hypot(answer["x"] - cx, answer["y"] - cy)
        most = min(1.0, slack / moved) if moved else 1.0
        for part in (most, most / 2, 0.0):
            x, y = round(cx + (answer["x"] - cx) * part, 3), round(cy + (answer["y"] - cy) * part, 3)
            if not judge({**answer, "x": x, "y": y}):
                return {**answer, "x": x, "y": y}
        return stay

    answer = yield Place(
        regiment.side,
        prompt,
        judge,
        propose or (lambda rng: propose_reform(state, regiment, rng)),
        rule,
        regiment.id,
        stay,
        nearest,
        ends=lambda wish: formed_ends(regiment, wish),
        form=formed_form(regiment),
    )
    wish = asked(answer)
    if answer == stay and (declines or isinstance(wish, Reason)):
        # What casualties have left may be no formation that could be taken; it may still be kept.
        return ranked.pose(regiment), regiment.files, regiment.stands
    assert isinstance(wish, Wish)

    def make(start: int, settled: Spots) -> tuple[Stand, ...] | None:
        if not settled:
            reasons, made = tried(wish, start)
            return None if reasons else made
        # The places are legal by now; who stands where in them makes no difference to that.
        stands = assigned(regiment, wish.files, wish.where, wish.limits, start, settled)
        against = [] if stands is None or more is None else more(wish.where, wish.files, stands)
        return None if against else stands

    stands = yield from dressing.dress(battle, regiment, wish.files, make)
    return wish.where, wish.files, stands


def all_alike(limit: float) -> Limits:
    """No stand may move further than the lowest March in the regiment."""
    return lambda stand: limit


def take_formation(
    battle: Battle[State], regiment: Regiment, where: Pose, files: int, stands: tuple[Stand, ...], *rules: str
) -> None:
    regiment.files, regiment.stands = files, stands
    ranked.put(regiment, where)
    battle.emit(
        "reformed",
        *rules,
        regiment=regiment.id,
        files=files,
        x=regiment.x,
        y=regiment.y,
        facing=regiment.facing,
    )


@hooks.action("reform", "out", ("conquest.action.reform", "conquest.action.list.out-of-combat"))
@step
def reform(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """A new legal formation and facing about the same centre."""
    regiment = battle.state.regiment(regiment_id)
    limit, _ = battle.know(lambda: march.march_value(battle, regiment, "reform"))
    where, files, stands = yield from ask_reform(
        battle, regiment, all_alike(limit), "ask.reform", "conquest.action.reform", declines=False
    )
    take_formation(battle, regiment, where, files, stands, "conquest.action.reform", "conquest.action.reform.limits")


# -- Combat Reform -------------------------------------------------------------------------------------------------


def contact_counts(state: State, regiment: Regiment, enemies: Sequence[Regiment]) -> tuple[int, dict[str, int]]:
    """Own stands in contact, and those of each enemy (conquest.action.combat-reform.keep-contact)."""
    own = sum(any(formation.stand_touches(state, regiment, s, e) for e in enemies) for s in regiment.stands)
    theirs = {e.id: sum(formation.stand_touches(state, e, s, regiment) for s in e.stands) for e in enemies}
    return own, theirs


def keep_contact_reasons(
    state: State,
    regiment: Regiment,
    before: tuple[int, dict[str, int]],
    where: Pose,
    files: int,
    stands: tuple[Stand, ...],
) -> list[Reason]:
    enemies = [state.regiment(key) for key in before[1] if state.regiment(key).on_table]
    there = standing_there(regiment, where, files, stands)
    own, theirs = contact_counts(state, there, enemies)
    new = formation.enemies_in_contact(state, there)
    fewer = any(theirs[e.id] < before[1][e.id] for e in enemies)
    if state.options.reform_contact == "all-enemies":
        fewer = sum(theirs.values()) < sum(before[1][e.id] for e in enemies)
    if own < before[0] or fewer or any(e.id not in before[1] for e in new):
        facts = {"own": own, "before": before[0]}
        return [Reason("conquest.action.combat-reform.keep-contact", facts=facts)]
    return []


@hooks.action("combat-reform", "in", ("conquest.action.combat-reform", "conquest.action.list.in-combat"))
@step
def combat_reform(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """A die against Resolve: a Clean Reform, or one that costs a wound for each stand in contact."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    if (yield from hooks.decide(battle, "rally", regiment, action="combat-reform")) is False:
        return
    battle.emit("combat-reform", "conquest.action.combat-reform", regiment=regiment.id)
    if not morale.resolve_roll(battle, regiment, "combat-reform", "conquest.action.combat-reform.test"):
        count = len(formation.stands_in_contact(state, regiment))
        foes = formation.enemies_in_contact(state, regiment)
        rule = "conquest.action.combat-reform.fighting"
        battle.emit("fighting-reform", rule, regiment=regiment.id, wounds=count)
        before = pressing.fights(state, regiment.side)
        taken = yield from wounds.suffer(battle, regiment, count, foes[0].id if foes else "", rule)
        yield from morale.check(battle, regiment, taken, foes[0] if foes else None, "combat-reform")
        yield from pressing.press_the_attack(battle, regiment.side, before)
    if regiment.where == "table":
        battle.push(combat_reform_move, regiment_id)


@step
def combat_reform_move(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """The new formation of a Combat Reform."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    enemies = formation.enemies_in_contact(state, regiment)
    before = contact_counts(state, regiment, enemies)
    limit, _ = march.march_value(battle, regiment, "reform")
    slack = float(math.floor(limit / 2))
    own, his = march.marches(battle, regiment, "reform")

    def more(where: Pose, files: int, stands: tuple[Stand, ...]) -> list[Reason]:
        return keep_contact_reasons(state, regiment, before, where, files, stands)

    def propose(rng: Rng) -> Any:
        """The same front line with another number of files, moved along it a little."""
        files = rng.choice(formation.files_allowed(regiment))
        wide, deep = regiment.profile.stand
        shift = (files - regiment.files) / 2 * wide * rng.choice((-1, 0, 1))
        ranks = -(-len(regiment.stands) // files)
        x, y = world(ranked.pose(regiment), shift, -ranks * deep / 2)
        return {"x": round(x, 3), "y": round(y, 3), "facing": regiment.facing, "files": files}

    where, files, stands = yield from ask_reform(
        battle,
        regiment,
        lambda stand: his.total if stand.character and not regiment.own else own.total,
        "ask.combat-reform",
        "conquest.action.combat-reform.clean",
        slack,
        more,
        propose,
    )
    take_formation(
        battle,
        regiment,
        where,
        files,
        stands,
        "conquest.action.combat-reform.clean",
        "conquest.action.combat-reform.keep-contact",
    )
