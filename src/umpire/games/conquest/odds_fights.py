"""Exact odds of what Clashes and Duels come to, for both sides of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from umpire.odds import Dist, Outcomes, faces
from umpire.odds.telling import Odds, chance, number, told
from umpire.text import words

from . import clash, dice, duels, hooks
from .attacks import Group
from .fortunes import Course, Fate, Fortunes, Harm, Position, Suffered, TooMany, fate, seen, side, spread, suffered
from .odds_blows import Blows, ConquestBattle, Struck, struck, struck_by_hits, wounds_of
from .picture import regiment_names
from .state import Character, Regiment, State


def harm_lines(after: Suffered, broken: bool, who: Mapping[str, str] | None = None) -> list[Odds]:
    """What a regiment suffers; named where there are several."""

    def label(key: str) -> Mapping[str, str]:
        said = words(f"odds.conquest.{key}")
        return words("odds.conquest.of", who=who, what=said) if who else said

    lines = [
        number(label("harm.wounds"), after.wounds.mean),
        number(label("harm.stands"), after.stands.mean),
    ]
    if not broken:
        lines.append(chance(label("harm.broken"), after.broken))
    return [*lines, chance(label("harm.gone"), after.gone)]


# -- a Clash -----------------------------------------------------------------------------------------------------

Fates = Outcomes[tuple[Fate, ...]]
"""What becomes of each enemy in turn, and last of the regiment that strikes."""


def aims_of(ahead: ConquestBattle, regiment: Regiment) -> clash.Aims:
    """Who attacks whom, by the answers that were given in this Clash."""
    given = iter(ahead.answers_of_step)
    steps = clash.aimed_attacks(ahead.fork(), regiment)
    try:
        next(steps)
        while True:
            steps.send(next(given).answer)
    except StopIteration as end:
        found: clash.Aims = end.value
        return found


def clash_odds(ahead: ConquestBattle, regiment: Regiment, order: list[str]) -> Odds:
    """A Clash: each enemy in the order of the blows, and what strikes back."""
    state = ahead.state
    aims = aims_of(ahead, regiment)
    course = Course(ahead)
    try:
        fates = clash_fates(course, regiment.id, order, aims)
    except TooMany:
        return first_blows(ahead, regiment.id, order, aims)
    enemies = {key: suffered(fates.map(lambda each, n=n: each[n])) for n, key in enumerate(order)}  # type: ignore[misc]
    own = suffered(fates.map(lambda each: each[-1]))
    count = sum(group.dice for key in order for group in groups_of(course, course.start, regiment.id, key, aims))
    lines = [number("odds.conquest.dice", count)]
    back = own_lines(own) if own.wounds.high else []
    if len(order) == 1:
        (key,) = order
        pool = wounds_of(opening(course, regiment.id, key, aims))
        lines.append(number("odds.conquest.wounds-from-failed-defence", pool.mean))
        lines += harm_lines(enemies[key], state.regiment(key).broken)
        dists = {"wounds": enemies[key].wounds, "stands": enemies[key].stands}
    else:
        dists = {
            "wounds": fates.dist(lambda each: sum(fate.wounds for fate in each[:-1])),
            "stands": fates.dist(lambda each: sum(fate.stands for fate in each[:-1])),
        }
        lines += [
            number("odds.conquest.wounds-in-all", dists["wounds"].mean),
            number("odds.conquest.stands-lost-in-all", dists["stands"].mean),
            chance("odds.conquest.some-enemy-destroyed", fates.chance(lambda each: any(f.gone for f in each[:-1]))),
            chance("odds.conquest.every-enemy-destroyed", fates.chance(lambda each: all(f.gone for f in each[:-1]))),
        ]
        for key, after in enemies.items():
            target = state.regiment(key)
            lines += harm_lines(after, target.broken, regiment_names(state, target))
            dists[f"wounds {key}"] = after.wounds
    if back:
        dists["back"] = own.wounds
    return told("odds.conquest.clash", *lines, *back, **dists)


def first_blows(ahead: ConquestBattle, regiment: str, order: list[str], aims: clash.Aims) -> Odds:
    """Where blows answer blows in too many ways: the dice, and the wounds that they put into the first pool."""
    course = Course(ahead)
    count = sum(group.dice for key in order for group in groups_of(course, course.start, regiment, key, aims))
    pool = wounds_of(opening(course, regiment, order[0], aims))
    lines = [
        number("odds.conquest.dice", count),
        number("odds.conquest.wounds-from-failed-defence", pool.mean),
        chance("odds.conquest.at-least-one-wound", pool.at_least(1)),
    ]
    return told("odds.conquest.first-blows-of-a-clash", *lines, pool=pool)


def own_lines(own: Suffered) -> list[Odds]:
    """What the attacker suffers by blows that are struck back."""
    return [
        number("odds.conquest.own-wounds-2", own.wounds.mean),
        chance("odds.conquest.own-regiment-destroyed", own.gone),
    ]


def groups_of(course: Course, position: Position, regiment: str, target: str, aims: clash.Aims) -> list[Group]:
    state = position.state
    found, _, _ = clash.attack_groups(
        course.at(position), state.regiment(regiment), state.regiment(target), aims[target]
    )
    return found


def opening(course: Course, regiment: str, target: str, aims: clash.Aims) -> Struck:
    """What the first blows put into the pool."""
    start = course.start
    harm = Harm(regiment, target, "clash", side(start.state, regiment, target))
    return struck(course.blows(start, harm), groups_of(course, start, regiment, target, aims))


def clash_fates(course: Course, regiment: str, order: list[str], aims: clash.Aims) -> Fates:
    """One enemy after the other. To the blows at the next it does not matter how badly the last stand of one before is
    wounded: such positions are gone on from together."""
    before = course.start.state
    ways: dict[tuple[tuple[Fate, ...], Position], float] = {((), course.start): 1.0}
    for turn, key in enumerate(order):
        strike_again = turn > 0 and strikes_out_of_turn(before, regiment)
        alike: dict[object, Position] = {}
        found: dict[tuple[tuple[Fate, ...], Position], float] = {}
        for (fates, position), p in ways.items():
            like = alike.setdefault(viewed(position, order[:turn], strike_again), position)
            for after, q in struck_in_turn(course, like, regiment, key, aims).items():
                told = tuple(
                    fate(before, after, done) if after.taken.get(done) != like.taken.get(done) else known
                    for done, known in zip(order, fates, strict=False)
                )
                way = ((*told, fate(before, after, key)), after)
                found[way] = found.get(way, 0.0) + p * q
        ways = found
    return Outcomes.merge(((*fates, fate(before, after, regiment)), p) for (fates, after), p in ways.items())


def viewed(position: Position, done: list[str], exactly: bool) -> object:
    """What tells a position from others for the blows to come."""
    wounds = sorted(item for item in position.taken.items() if exactly or item[0] not in done)
    regiments = (seen(r, exactly or r.id not in done) for r in position.state.regiments.values())
    characters = ((c.id, c.wounds, c.alive, c.activated) for c in position.state.characters.values())
    return (*wounds, *regiments, *characters, *position.state.tallies.items())


def strikes_out_of_turn(state: State, regiment: str) -> bool:
    """May the regiment, when it is struck back, hurt an enemy whom its blows are done with?"""
    one = state.regiment(regiment)
    return bool(one.character) or hooks.heeded(state, one, "suffered")


def struck_in_turn(course: Course, position: Position, regiment: str, target: str, aims: clash.Aims) -> Fortunes:
    state = position.state
    if not state.regiment(target).on_table or not state.regiment(regiment).on_table:
        return {position: 1.0}
    key = ("clash", regiment, target)
    if key not in position.next:
        harm = Harm(regiment, target, "clash", side(state, regiment, target))
        position.next[key] = course.attack(position, harm, groups_of(course, position, regiment, target, aims))
    return position.next[key]


# -- a Duel ------------------------------------------------------------------------------------------------------


class Fighter(NamedTuple):
    """One of the two, by his regiment and himself."""

    regiment: str
    character: str

    def at(self, state: State) -> tuple[Regiment, Character]:
        return state.regiment(self.regiment), state.characters[self.character]


class Duel(NamedTuple):
    """A Duel that has been accepted."""

    course: Course
    own: Fighter
    foe: Fighter

    def fortunes(self) -> Fortunes:
        """Blow and blow at the same time, or one after the other where one alone is quicker."""
        start = self.course.start
        quick = duels.quickest(start.state, *(fighter.at(start.state)[1] for fighter in (self.own, self.foe)))
        pairs = [(self.own, self.foe), (self.foe, self.own)]
        fortunes: Fortunes = {start: 1.0}
        if len(quick) == 1:
            for own, other in pairs if quick[0].id == self.own.character else pairs[::-1]:
                fortunes = spread(fortunes, lambda at, own=own, other=other: self.in_turn(at, own, other))  # type: ignore[misc]
            return fortunes
        for own, other in pairs:
            pools = self.struck(start, own, other)
            fortunes = spread(
                fortunes,
                lambda at, own=own, other=other, pools=pools: self.exchanged(at, own, other, pools),  # type: ignore[misc]
            )
        return fortunes

    def in_turn(self, position: Position, own: Fighter, other: Fighter) -> Fortunes:
        if not duels.may_strike(own.at(position.state)[1]):
            return {position: 1.0}
        return self.exchanged(position, own, other, self.struck(position, own, other))

    def struck(self, position: Position, own: Fighter, other: Fighter) -> Struck:
        """All attacks of one Character on the other."""
        battle = self.course.at(position)
        (regiment, character), (enemy, foe) = own.at(position.state), other.at(position.state)
        group = Group(int(duels.swings(battle, regiment, character, enemy, foe)), character)
        turned = duels.turns_blows(position.state, foe)
        return struck(Blows(battle, regiment, enemy, "duel", "front", foe, turned), [group])

    def exchanged(self, position: Position, own: Fighter, other: Fighter, pools: Struck) -> Fortunes:
        """The other suffers them, and his Counter-Attack is suffered in turn."""
        found: Fortunes = {}
        for (pool, turned), p in pools.items():
            fortunes = self.suffered(position, other, pool, own.regiment)
            if turned:
                fortunes = spread(
                    fortunes,
                    lambda at, turned=turned: self.countered(at, own, other.regiment, turned),  # type: ignore[misc]
                )
            for after, q in fortunes.items():
                found[after] = found.get(after, 0.0) + p * q
        return found

    def countered(self, position: Position, own: Fighter, foe: str, hits: int) -> Fortunes:
        regiment, character = own.at(position.state)
        if not duels.may_strike(character):
            return {position: 1.0}
        at = Blows(self.course.at(position), None, regiment, "hits", "front", character)
        found: Fortunes = {}
        for pool, p in wounds_of(struck_by_hits(at, hits)).items():
            for after, q in self.suffered(position, own, pool, foe).items():
                found[after] = found.get(after, 0.0) + p * q
        return found

    def suffered(self, position: Position, fighter: Fighter, pool: int, foe: str) -> Fortunes:
        """A pool of wounds on one of them; of his morale dice only the number that fail matters."""
        key = ("duel", fighter, pool, foe)
        if key not in position.next:

            def suffer(battle: ConquestBattle) -> object:
                return duels.suffer(battle, *fighter.at(battle.state), pool, battle.state.regiment(foe))

            after, wanted = self.course.carried_out(position, suffer)
            position.next[key] = {after: 1.0}
            if wanted is not None:
                passes = faces(6, lambda face: dice.succeeds(face, -wanted.roll.need))
                found: Fortunes = {}
                for failed, p in passes.mix({True: 0, False: 1}).times(wanted.count).items():
                    thrown = [6] * failed + [1] * (wanted.count - failed)
                    after, _ = self.course.carried_out(position, suffer, thrown)
                    found[after] = found.get(after, 0.0) + p
                position.next[key] = found
        return position.next[key]


def duel_odds(ahead: ConquestBattle, declared: str, answers: str, asked: int) -> Odds:
    """A Duel: the wounds of both, and who falls; first of him whom the asked side fights."""
    state = ahead.state
    fighters = [Fighter(state.characters[key].regiment, key) for key in (declared, answers)]
    fortunes = Duel(Course(ahead), *fighters).fortunes()
    both = Outcomes.merge((tuple(lost(state, after, each) for each in fighters), p) for after, p in fortunes.items())
    lines: list[Odds] = []
    dists: dict[str, Dist] = {}
    for n in sorted((0, 1), key=lambda n: state.characters[fighters[n].character].side == asked):
        character = state.characters[fighters[n].character]
        whose = "odds.conquest.own" if character.side == asked else "odds.conquest.opponent"
        who = words(whose, name=character.title.names)
        taken = both.dist(lambda each, n=n: each[n][0])  # type: ignore[misc]
        falls = both.chance(lambda each, n=n: each[n][1])  # type: ignore[misc]
        lines.append(number(words("odds.conquest.duel-wounds", who=who), taken.mean))
        lines.append(chance(words("odds.conquest.duel-slain", who=who), falls))
        dists[f"wounds {fighters[n].character}"] = taken
    lines.append(chance("odds.conquest.both-slain", both.chance(lambda each: all(falls for _, falls in each))))
    return told("odds.conquest.duel", *lines, **dists)


def lost(before: State, after: Position, fighter: Fighter) -> tuple[int, bool]:
    """The wounds he has suffered, and whether he falls."""
    _, character = fighter.at(after.state)
    taken = character.wounds - before.characters[fighter.character].wounds + after.taken.get(fighter.regiment, 0)
    return taken, not duels.may_strike(character)
