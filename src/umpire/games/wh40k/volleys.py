"""Exact odds of attacks: a whole volley from its dice to the models that fall, read by the functions that play uses.

A target is a queue of models in the order in which they take attacks: who must take the next one first, then as the
umpire proposes losses, plain models before champions. How far along the queue the wounds have come says everything of
the target; an attack moves it by chance, and mortal wounds that wait are counted beside it.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, cast

import msgspec
import numpy as np
import numpy.typing as npt

from umpire import odds
from umpire.engine import usage
from umpire.engine.dice import Roll
from umpire.games.wh40k.abilities import Asking, least, rerolls
from umpire.games.wh40k.allocation import forced
from umpire.games.wh40k.attacks import (
    Need,
    armour_penetration,
    glances,
    hit_need,
    hits_on,
    misses,
    triggers,
    wound_need,
    wounds_on,
)
from umpire.games.wh40k.damage import changed_damage
from umpire.games.wh40k.dice import read, reroll_by_rule
from umpire.games.wh40k.profiles import Profile, amount
from umpire.games.wh40k.saves import Blow, ignores, limits, save_need, saved, unsafe
from umpire.games.wh40k.state import Group, Model, State, Unit, Volley
from umpire.games.wh40k.weapons import blast_number, changed_attacks, is_blast, size_of
from umpire.miniatures.amounts import Amount
from umpire.miniatures.special import Reroll
from umpire.odds import Dist

Array = npt.NDArray[np.float64]
Faces = tuple[int, ...]
Caused = tuple[int, int]
"""Wounds that must be saved, and mortal wounds that wait."""

UNKNOWN = (
    "wh40k.attack.excess-damage-lost",
    "wh40k.attack.ignore-wounds-once",
    "wh40k.attack.mortal-held-back",
    "wh40k.attack.mortal-one-by-one",
    "wh40k.dice.fast-random-damage",
)
"""Without one of these attacks are no longer alike and apart, and nothing is told of them."""


# -- dice and what abilities re-roll ---------------------------------------------------------------------------------


class _WantedError(Exception):
    """So many dice more have to be known."""


class _Again:
    """Stands for a battle where re-rolls are read: it gives the faces that it was told."""

    def __init__(self, state: State, faces: Faces) -> None:
        self.state = state
        self.faces = list(faces)

    def reroll(self, roll: Roll, which: Sequence[int] | None, rule: str) -> Roll:
        places = list(range(len(roll.faces))) if which is None else list(which)
        if len(self.faces) < len(places):
            raise _WantedError(len(places) - len(self.faces))
        faces, first = list(roll.faces), list(roll.first) or [0] * len(roll.faces)
        for n in places:
            first[n], faces[n] = faces[n], self.faces.pop(0)
        return msgspec.structs.replace(roll, faces=faces, first=first)

    def emit(self, *said: Any, **facts: Any) -> None:
        """Nobody listens."""


def thrown(
    state: State,
    purpose: str,
    count: int,
    given: Sequence[Reroll],
    fails: Callable[[Faces], Sequence[bool]],
    halved: bool = False,
    modifier: int = 0,
) -> dict[Faces, float]:
    """The chances of the faces that stand when abilities have re-rolled what they re-roll, where they are asked."""
    found: dict[Faces, float] = {}

    def follow(first: Faces, more: Faces, p: float) -> None:
        roll = Roll(purpose, "", 6, list(first))
        battle = cast(Any, _Again(state, more))
        try:
            roll = reroll_by_rule(battle, roll, given, lambda r: fails(tuple(r.faces)), halved, modifier)
        except _WantedError as wanted:
            number = wanted.args[0]
            for faces in itertools.product(range(1, 7), repeat=number):
                follow(first, more + faces, p / 6**number)
            return
        stands = tuple(roll.faces)
        found[stands] = found.get(stands, 0.0) + p

    for faces in itertools.product(range(1, 7), repeat=count):
        if given:
            follow(faces, (), 1 / 6**count)
        else:
            found[faces] = found.get(faces, 0.0) + 1 / 6**count
    return found


def die(
    state: State,
    purpose: str,
    given: Sequence[Reroll],
    fails: Callable[[int], bool],
    halved: bool = False,
    modifier: int = 0,
) -> list[tuple[int, float]]:
    """One die of many that are thrown together: each face with its chance."""
    faces = thrown(state, purpose, 1, given, lambda f: [fails(f[0])], halved, modifier)
    return [(face[0], p) for face, p in faces.items()]


def amount_dist(text: Amount, faces: Iterable[tuple[int, float]] | None = None) -> Dist:
    """An amount such as 2D3 or D6+2, of dice that show these faces."""
    if faces is None or not text.random:
        return odds.amount(text.dice, text.sides, text.plus)
    one = Dist.mixture((p, read([face], msgspec.structs.replace(text, plus=0))) for face, p in faces)
    return one.times(text.dice) + text.plus


# -- the queue of models ---------------------------------------------------------------------------------------------


class Queue:
    """The models of a unit in the order in which they take attacks."""

    def __init__(self, state: State, unit: Unit) -> None:
        must = forced(state, unit)
        plain = unit.sheet.rows[0].weapons
        rest = [m for m in unit.models if m not in must]
        rest.sort(key=lambda m: (unit.sheet.row(m.row).champion, m.weapons != plain))
        self.state, self.unit = state, unit
        self.models: list[Model] = [*must, *rest]
        self.ends = list(itertools.accumulate(m.wounds for m in self.models))
        self.length = self.ends[-1]

    def slain(self, lost: int) -> int:
        """How many models have fallen when so many wounds are lost."""
        return bisect_right(self.ends, lost)

    def kernel(self, blow: Blow | None, damage: Dist, fails: Callable[[Model], float]) -> Array:
        """The chances to come from one place of the queue to another by one wound: one that must be saved, or (without
        a blow) a mortal one."""
        state, unit = self.state, self.unit
        most, period = limits(state, unit, blow)
        if not state.applies("wh40k.attack.wound-limit-abilities"):
            most = 0
        step = np.zeros((self.length + 1, self.length + 1))
        step[self.length, self.length] = 1.0
        known: dict[tuple[int, int, int], Dist] = {}
        for n, model in enumerate(self.models):
            begin = self.ends[n] - model.wounds
            ignore = ignores(state, unit, model, blow)
            unsaved = fails(model)  # the chance that it comes through
            spent = usage.count(state, "lost", period, model.id) if most else 0
            for at in range(begin, self.ends[n]):
                room = max(0, most - spent - (at - begin)) if most else self.length
                left = self.ends[n] - at
                key = (left, ignore, room)
                if key not in known:
                    dealt = damage.min(room)
                    if ignore:
                        dealt = dealt.thin((ignore - 1) / 6)
                    known[key] = dealt.min(left)
                step[at, at] += 1.0 - unsaved
                for wounds, p in known[key].items():
                    step[at, at + wounds] += unsaved * p
        return step


class Fallen(NamedTuple):
    """What attacks do to a unit."""

    unit: Unit
    lost: Dist
    """Wounds lost."""
    slain: Dist

    @property
    def destroyed(self) -> float:
        return self.slain[len(self.unit.models)]


def told_of(queue: Queue, places: Array) -> Fallen:
    lost = Dist(places / places.sum())
    return Fallen(queue.unit, lost, lost.map(queue.slain))


def mortal(state: State, unit: Unit, count: Dist) -> Fallen:
    """Mortal wounds, one after the other."""
    queue = Queue(state, unit)
    waiting = np.zeros((queue.length + 1, count.high + 1))
    waiting[0, :] = count.over(0, count.high)
    return told_of(queue, _suffered(queue, waiting))


def _suffered(queue: Queue, waiting: Array) -> Array:
    """All mortal wounds that wait are suffered."""
    if waiting.shape[1] == 1:
        return waiting[:, 0]
    step = queue.kernel(None, Dist.certain(1), lambda model: 1.0).T
    places = waiting[:, -1]
    for column in range(waiting.shape[1] - 2, -1, -1):
        places = step @ places + waiting[:, column]
    return places


# -- one attack ------------------------------------------------------------------------------------------------------


def overwatch_need(state: State, unit: Unit) -> Need | None:
    """What hit rolls need in Overwatch; None where they are ordinary."""
    if not state.applies("wh40k.charge.overwatch.hit-on-6"):
        return None
    steady = "hold-steady" in unit.acts and state.applies("wh40k.terrain.trait.defensible.hold-steady")
    return Need(5 if steady else 6, 0)


def wounding(state: State, unit: Unit, model: Model, target: Unit, profile: Profile) -> dict[Caused, float]:
    """What one hit comes to."""
    need = wound_need(state, unit, model, target, profile)
    hard = least(state, target, "only-wounded") if state.applies("wh40k.attack.no-real-conflict") else 0
    given = rerolls(Asking(state, "wound", 0, unit, model, target, profile), "wound")
    instead = profile.has("instead-6") and state.applies("wh40k.attack.mortal-instead")
    besides = not instead and profile.has("mortal-6") and state.applies("wh40k.attack.mortal-in-addition")
    lots = dict(rolled_damage(state, unit, model, target, profile).items()) if instead else {}
    each = 1
    if besides and not state.applies("wh40k.attack.mortal-damage-modifiers"):
        each = changed_damage(state, 1, unit, model, target, profile, 0)
    found: dict[Caused, float] = {}
    for face, p in die(state, "wound", given, lambda f: glances(state, f, need, hard), modifier=need.modifier):
        wound = int(wounds_on(state, face, need, hard))
        more = {0: 1.0}
        if face == 6 and instead:
            wound, more = 0, lots
        elif face == 6 and besides:
            more = {each: 1.0}
        for count, q in more.items():
            found[wound, count] = found.get((wound, count), 0.0) + p * q
    return found


def attack(
    state: State, unit: Unit, model: Model, target: Unit, profile: Profile, kind: str, group: Group
) -> dict[Caused, float]:
    """What one attack comes to, from the hit roll on."""
    hit = wounding(state, unit, model, target, profile)
    watching = kind == "overwatch" and not state.applies("wh40k.charge.overwatch.auto-hit")
    if profile.has("auto-hit") and state.applies("wh40k.attack.auto-hit") and not watching:
        return hit
    need = overwatch_need(state, unit) if kind == "overwatch" else None
    if need is None:
        need = hit_need(state, unit, model, target, profile, group.hit)
    given = rerolls(Asking(state, "hit", 0, unit, model, target, profile), "hit")
    sure_6 = profile.has("auto-wound-6") and state.applies("wh40k.attack.auto-wound")
    extra_6 = profile.has("extra-hits-6") and state.applies("wh40k.attack.extra-hits")
    twice = _both(hit, hit) if extra_6 else {}
    found: dict[Caused, float] = {}
    for face, p in die(state, "hit", given, lambda f: misses(state, f, need), modifier=need.modifier):
        six = bool(triggers(state, Roll("hit", "", 6, [face]), need.modifier))
        hits, sure = int(hits_on(state, face, need)), 0
        if six and sure_6:
            hits, sure = hits - 1, 1
        if six and extra_6:
            hits += 1
        caused = {(0, 0): 1.0} if hits <= 0 else hit if hits == 1 else twice
        for (wounds, mortals), q in caused.items():
            key = (wounds + sure, mortals)
            found[key] = found.get(key, 0.0) + p * q
    return found


def _both(one: dict[Caused, float], other: dict[Caused, float]) -> dict[Caused, float]:
    found: dict[Caused, float] = {}
    for (a, b), p in one.items():
        for (c, d), q in other.items():
            found[a + c, b + d] = found.get((a + c, b + d), 0.0) + p * q
    return found


def attacks_dist(state: State, unit: Unit, group: Group, profile: Profile) -> Dist:
    """How many attacks a group makes (wh40k.shoot.number-of-attacks)."""
    if profile.melee:
        return Dist.certain(group.number)
    text = amount(profile.attacks)
    target = state.unit(group.target)
    factor = 2 if group.double else 1
    if not text.random:
        return Dist.certain(changed_attacks(state, text.plus * factor, unit, target, profile) * group.number)
    given = rerolls(Asking(state, "attacks", 0, unit, None, target, profile), "attacks")
    each = amount_dist(text, die(state, "attacks", given, lambda face: face <= 2))
    if is_blast(state, profile):
        size = size_of(state, group)
        each = each.map(lambda n: blast_number(state, n, text.most, size)[0])
    return (each * factor).map(lambda n: changed_attacks(state, n, unit, target, profile)).times(group.number)


def damage_dist(state: State, unit: Unit, model: Model, target: Unit, profile: Profile) -> Dist:
    """The damage of an attack that was not saved, after modifiers."""
    dealt = rolled_damage(state, unit, model, target, profile)
    return dealt.map(lambda n: max(0, changed_damage(state, n, unit, model, target, profile)))


def rolled_damage(state: State, unit: Unit, model: Model, target: Unit, profile: Profile) -> Dist:
    """The damage as it is rolled, which mortal wounds may take the place of."""
    text = amount(profile.d)
    faces = None
    if text.random:
        given = rerolls(Asking(state, "d", 0, unit, model, target, profile), "damage")
        faces = die(state, "damage", given, lambda face: face <= 2, text.sides == 3)
    return amount_dist(text, faces)


def unsaved(state: State, target: Unit, model: Model, blow: Blow) -> float:
    """The chance that a saving throw fails."""
    need, _ = save_need(state, target, model, blow)
    if need >= 7:
        return 1.0
    given = rerolls(Asking(state, "save", 0, target, model, None, blow.profile), "save")
    faces = die(state, "save", given, lambda f: unsafe(state, target, model, blow, f, need))
    return min(1.0, sum(p for face, p in faces if not saved(state, face, need)))


# -- a volley --------------------------------------------------------------------------------------------------------


def volley_odds(state: State, volley: Volley) -> list[Fallen] | None:
    """What a declared volley does to each of its targets; None where rules that are switched off make it unknowable."""
    if not all(state.applies(rule) for rule in UNKNOWN):
        return None
    unit = state.unit(volley.unit)
    found: list[Fallen] = []
    gone: dict[str, float] = {}
    for key in dict.fromkeys(group.target for group in volley.groups):
        queue = Queue(state, state.unit(key))
        groups = [group for group in volley.groups if group.target == key]
        near = [group for group in groups if not group.far]
        places = _volley_at(state, unit, volley.kind, near, queue)
        if len(near) < len(groups):
            free = 1.0
            if unit.engaged and state.applies("wh40k.shoot.big-guns-far-target"):
                for foe in unit.engaged:  # what it is aimed beyond may fall first
                    free *= gone.get(foe, 0.0)
            places = _mixed(free, _volley_at(state, unit, volley.kind, groups, queue), places) if free else places
        gone[key] = float(places[-1].sum())
        found.append(told_of(queue, _suffered(queue, places)))
    return found


def _mixed(p: float, one: Array, other: Array) -> Array:
    whole = p * one
    whole[:, : other.shape[1]] += (1.0 - p) * other
    return whole


def _volley_at(state: State, unit: Unit, kind: str, groups: Sequence[Group], queue: Queue) -> Array:
    """The chances of each place of the queue (rows) with so many mortal wounds waiting (columns)."""
    places = np.zeros((queue.length + 1, 1))
    places[0, 0] = 1.0
    for group in groups:
        places = _group_at(state, unit, kind, group, queue, places)
    return places


def _group_at(state: State, unit: Unit, kind: str, group: Group, queue: Queue, places: Array) -> Array:
    target = queue.unit
    profile = unit.sheet.weapon(group.weapon).profile(group.profile)
    model = next(m for m in (*unit.models, *unit.dead) if m.id in group.models)
    caused = attack(state, unit, model, target, profile, kind, group)
    ap = armour_penetration(state, unit, model, target, profile)
    blow = Blow(unit.id, profile, ap, kind, group.covered, group.bare)
    damage = damage_dist(state, unit, model, target, profile)
    step = queue.kernel(blow, damage, _known(lambda m: unsaved(state, target, m, blow), blow))
    powers = [np.eye(queue.length + 1), step, step @ step]
    most = max(mortals for _, mortals in caused)
    moves: dict[int, Array] = {}
    for (wounds, mortals), p in caused.items():
        moves[mortals] = moves.get(mortals, np.zeros_like(step)) + p * powers[wounds]
    counts = attacks_dist(state, unit, group, profile)
    now = np.zeros((queue.length + 1, places.shape[1] + most * counts.high))
    now[:, : places.shape[1]] = places
    after = counts[0] * now
    for made in range(1, counts.high + 1):
        moved = np.zeros_like(now)
        for mortals, move in moves.items():
            moved[:, mortals:] += move.T @ (now[:, : now.shape[1] - mortals] if mortals else now)
        now = moved
        if p := counts[made]:
            after += p * now
    return after


def _known(find: Callable[[Model], float], blow: Blow) -> Callable[[Model], float]:
    """Models of one kind, with and without cover, save alike."""
    seen: dict[tuple[str, bool, bool], float] = {}

    def look(model: Model) -> float:
        key = (model.row, model.id in blow.covered, model.id in blow.bare)
        if key not in seen:
            seen[key] = find(model)
        return seen[key]

    return look
