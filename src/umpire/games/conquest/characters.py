"""Characters (chapter 8): joining regiments, their own action, seeking a new escort, dying with their regiment."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, pick
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps
from umpire.errors import fault
from umpire.rulebook.deciding import decides
from umpire.space.measure import within
from umpire.space.ranks.fronts import world

from . import attacks, dressing, formation, hooks, morale, ranked, supremacy, wounds
from .hooks import has_rule, moment_of
from .objectives import tally
from .state import Character, Regiment, Stand, State

PASS = "pass"


def stand_of(regiment: Regiment, character: Character) -> Stand:
    return next(s for s in regiment.stands if s.character == character.id)


# -- joining a regiment --------------------------------------------------------------------------------------------


def join_reasons(state: State, character: Character, regiment: Regiment) -> list[Reason]:
    """Why a Character may not be in a regiment at all."""
    facts = {"character": character.id, "regiment": regiment.id}
    reasons: list[Reason] = []
    if regiment.profile.type != character.profile.type:
        reasons.append(Reason("conquest.character.join.type", facts=facts))
    if regiment.own:
        reasons.append(Reason("conquest.character.own-regiment", facts=facts))
    elif regiment.character:
        reasons.append(Reason("conquest.character.one-per-regiment", facts=facts))
    if has_rule(state, regiment, "irregular") and not has_rule(state, character, "irregular"):
        reasons.append(Reason("conquest.rule.irregular.join", facts=facts))
    return reasons


@decides("conquest.character.may-change-regiment", "conquest.character.stand", "conquest.character.counts-as-stand")
def with_him(character: Character, regiment: Regiment) -> tuple[Stand, ...]:
    """A regiment's stands with the Character's in its front rank; the files stay as they are
    (conquest.character.position)."""
    stand = Stand(f"{character.id}s", character=character.id)
    return formation.arranged((*regiment.stands, stand), max(regiment.files, formation.least_files(2)))


def attach(character: Character, regiment: Regiment) -> None:
    stands = with_him(character, regiment)
    regiment.files = sum(s.rank == 0 for s in stands)
    regiment.stands = stands
    character.regiment = regiment.id


def changed_places(stands: tuple[Stand, ...], key: str, file: int) -> tuple[Stand, ...]:
    """The same stands with one of the front rank in another place of it."""
    here = next(s for s in stands if s.id == key)
    there = next(s for s in stands if s.rank == 0 and s.file == file)
    moved = {
        here.id: msgspec.structs.replace(here, file=file),
        there.id: msgspec.structs.replace(there, file=here.file),
    }
    return tuple(sorted((moved.get(s.id, s) for s in stands), key=lambda s: (s.rank, s.file)))


def may_escort(state: State, character: Character, regiment: Regiment) -> bool:
    """Is it of his warband; or, by the table's other reading, does it leave every other Character one of his own?"""
    if state.options.joining == "own-warband" or regiment.warband == character.warband:
        return regiment.warband == character.warband
    waiting = [c for c in state.characters.values() if c.side == character.side and not c.regiment]
    return all(
        any(
            r is not regiment and r.warband == other.warband and not join_reasons(state, other, r)
            for r in state.of(other.side)
        )
        for other in waiting
        if other is not character
    )


@moment_of("set-up")
@decides("conquest.reinforce.assign-characters")
def assign(battle: Battle[State], regiment: Regiment | None, **facts: Any) -> Steps[None]:
    """Before the first Reinforcement Phase each Character joins a regiment of his warband and type."""
    state = battle.state
    for character in list(state.characters.values()):
        if character.regiment:
            if character.own:
                battle.emit("alone", "conquest.character.own-regiment", character=character.id)
            continue
        refused: dict[str, list[Reason]] = {}
        open_to: list[str] = []
        for other in state.of(character.side):
            reasons = join_reasons(state, character, other)
            if not may_escort(state, character, other):
                reasons.append(
                    Reason("conquest.character.join.mandatory", facts={"character": character.id, "regiment": other.id})
                )
            if reasons:
                refused[other.id] = reasons
            else:
                open_to.append(other.id)
        if not open_to:
            raise fault("error.conquest.can-join-no-regiment-of", character.id, both=character.title.names)
        rules = ["conquest.battle.assign-characters", "conquest.character.join.mandatory"]
        choice = yield from pick(character.side, "ask.assign", open_to, tuple(rules), character.id, refused)
        chosen = state.regiment(choice)
        attach(character, chosen)
        if chosen.profile.klass != character.profile.klass:
            rules.append("conquest.character.join.class")
        battle.emit("assigned", *rules, character=character.id, regiment=chosen.id)


# -- a Character's own action --------------------------------------------------------------------------------------


@moment_of("character")
def own_action(battle: Battle[State], regiment: Regiment, character: str, **facts: Any) -> Steps[None]:
    """One action from the list of Character actions (conquest.character.actions.one)."""
    from . import duels, magic

    state = battle.state
    who = state.characters[character]
    deeds: dict[str, list[Reason]] = battle.know(
        lambda: {
            "duel": duels.reasons(battle, regiment, who),
            "seek-escort": escort_reasons(battle, regiment, who),
            "spellcasting": magic.reasons(battle, regiment, who),
            "character-rally": rally_reasons(state, regiment),
        }
    )
    open_to = [name for name, reasons in deeds.items() if not reasons]
    who.acted = True
    if not open_to:
        battle.emit("no-action", "conquest.action.pass", character=character)
        return
    rules = ("conquest.character.actions.one", "conquest.character.action.procedure")
    options = [Option(name, rules=rules) for name in (*open_to, PASS)]
    refused = {name: reasons for name, reasons in deeds.items() if reasons}
    for name in hooks.ACTIONS:
        refused.setdefault(name, [Reason("conquest.character.actions.one", facts={"action": name})])
    choice = yield Choose(
        who.side,
        "ask.character-action",
        options,
        rules,
        character,
        refused,
        propose=lambda rng: rng.choice([*open_to, *open_to, *(d for d in open_to if d != "seek-escort"), PASS]),
    )
    battle.emit("character-action", *rules, character=character, action=choice)
    match choice:
        case "duel":
            yield from duels.duel(battle, regiment, who)
        case "seek-escort":
            yield from seek_escort(battle, regiment, who)
        case "spellcasting":
            yield from magic.cast(battle, regiment, who)
        case "character-rally":
            yield from rally(battle, regiment, who)


def rally_reasons(state: State, regiment: Regiment) -> list[Reason]:
    if regiment.on_table and regiment.broken and state.applies("conquest.morale.broken.character-rally"):
        return []
    return [Reason("conquest.morale.broken.character-rally", facts={"regiment": regiment.id})]


def rally(battle: Battle[State], regiment: Regiment, character: Character) -> Steps[None]:
    """He removes the Broken marker of his regiment, as by Rally or Combat Rally."""
    rule = "conquest.morale.broken.character-rally"
    if formation.in_contact(battle.state, regiment):
        allowed = yield from hooks.decide(battle, "rally", regiment, action="combat-rally")
        if allowed is False:
            battle.emit("rally-failed", rule, regiment=regiment.id, character=character.id)
            return
    morale.rally(battle, regiment, rule)


# -- Seek New Escort -----------------------------------------------------------------------------------------------


def escort_reasons(battle: Battle[State], regiment: Regiment, character: Character) -> list[Reason]:
    """Why he cannot leave, or has nowhere to go."""
    state = battle.state
    facts = {"regiment": regiment.id}
    reasons: list[Reason] = []
    if character.own:
        reasons.append(Reason("conquest.character.own-regiment", facts=facts))
    if not regiment.on_table:
        reasons.append(Reason("conquest.character.seek-escort.reinforcements", facts=facts))
    if regiment.where == "garrison":
        reasons.append(Reason("conquest.character.seek-escort.garrison", facts=facts))
    if regiment.activated:
        reasons.append(Reason("conquest.character.seek-escort.not-activated", facts=facts))
    if not reasons and formation.in_contact(state, regiment):
        reasons.append(Reason("conquest.character.seek-escort.contact", facts=facts))
    if not reasons and not any(
        not new_escort_reasons(battle, regiment, character, r) for r in state.of(character.side) if r is not regiment
    ):
        reasons.append(Reason("conquest.character.seek-escort.conditions", facts=facts))
    return reasons


def new_escort_reasons(
    battle: Battle[State], regiment: Regiment, character: Character, other: Regiment
) -> list[Reason]:
    """Why he may not join that regiment."""
    state = battle.state
    facts: dict[str, object] = {"regiment": other.id}
    reasons = join_reasons(state, character, other)
    if other.character:
        reasons.append(Reason("conquest.character.seek-escort.occupied", facts=facts))
    if other.where == "garrison":
        reasons.append(Reason("conquest.character.seek-escort.garrison", facts=facts))
    elif other.where != "table":
        reasons.append(Reason("conquest.character.seek-escort.reinforcements", facts=facts))
    if reasons:
        return reasons
    if formation.in_contact(state, other):
        reasons.append(Reason("conquest.character.seek-escort.contact", facts=facts))
    march = hooks.characteristic(battle, regiment, "march", None, "escort", character=character)
    # From the reserve there is nothing to measure: that he cannot leave it is told by `escort_reasons`.
    far = formation.stand_distance(state, regiment, stand_of(regiment, character), other) if regiment.on_table else 0.0
    if not within(far, 2 * march.total):
        facts = {**facts, "distance": round(far, 3), "allowed": 2 * march.total}
        reasons.append(Reason("conquest.character.seek-escort.range", facts=facts))
    if not reasons and not _room(state, character, other):
        reasons.append(Reason("conquest.character.seek-escort.join", facts=facts))
    return reasons


def _room(state: State, character: Character, other: Regiment) -> bool:
    """Would the new regiment still stand in a legal position with him in it?"""
    stands = with_him(character, other)
    return wounds.fits(state, ranked.formed(other, stands, sum(s.rank == 0 for s in stands)))


def seek_escort(battle: Battle[State], regiment: Regiment, character: Character) -> Steps[None]:
    """He leaves his regiment, which closes up, and joins another, which takes him into its front rank."""
    state = battle.state
    others = [other for other in state.of(character.side) if other is not regiment]
    told: dict[str, list[Reason]] = battle.know(
        lambda: {other.id: new_escort_reasons(battle, regiment, character, other) for other in others}
    )
    refused = {key: reasons for key, reasons in told.items() if reasons}
    options = [Option(key, refs=(key,)) for key in told if key not in refused]
    rule = "conquest.character.seek-escort.conditions"
    choice = yield Choose(character.side, "ask.escort", options, rule, character.id, refused)
    new = state.regiment(choice)
    yield from close_up(battle, regiment, stand_of(regiment, character), "conquest.character.seek-escort.leave")
    battle.emit(
        "escort-left",
        "conquest.character.seek-escort.leave",
        character=character.id,
        regiment=regiment.id,
    )
    attach(character, new)
    new.stands = yield from dressing.dress(battle, new, new.files, lambda start, at: _dressed(state, new, start, at))
    battle.emit(
        "escort-joined",
        "conquest.character.seek-escort.join",
        character=character.id,
        regiment=new.id,
    )


def _dressed(state: State, regiment: Regiment, start: int, settled: dressing.Spots) -> tuple[Stand, ...] | None:
    """The regiment he has joined with these places settled, if it can stand so."""
    stands = formation.arranged(regiment.stands, regiment.files, start, settled)
    there = ranked.formed(regiment, stands, regiment.files)
    fine = not formation.formation_reasons(there, stands, regiment.files, state.without) and wounds.fits(state, there)
    return stands if fine else None


class Closing(NamedTuple):
    """One way to fill an empty place in front: the stands, their files, and how far the front's middle goes right."""

    end: str
    stands: tuple[Stand, ...]
    files: int
    right: float


def close_up(battle: Battle[State], regiment: Regiment, gone: Stand, rule: str) -> Steps[None]:
    """A Character's place in the front rank is filled with the smallest change of ranks and files.

    An end of the last rank moves up, or a single rank closes from one end; the owner says from which, but keeps touch
    with as many enemies as he can.
    """
    state = battle.state
    ways = closings(regiment, gone)
    touching = [len(_touched(state, regiment, way)) for way in ways]
    ways = [way for way, count in zip(ways, touching, strict=True) if count == max(touching)]
    way = ways[0]
    if len(ways) > 1 and regiment.where == "table":
        options = [Option(one.end) for one in ways]
        answer = yield Choose(regiment.side, "ask.close-up", options, rule, regiment.id, default=way.end)
        way = next((one for one in ways if one.end == answer), way)
    _close(regiment, way)


def closings(regiment: Regiment, gone: Stand) -> list[Closing]:
    rest = tuple(s for s in regiment.stands if s.id != gone.id)
    last = max(s.rank for s in rest)
    found: list[Closing] = []
    if last:
        rear = [s for s in rest if s.rank == last]
        ends = [("left", rear[0]), ("right", rear[-1])][: len(rear)]
        for end, stand in [(end, s) for end, s in ends if not s.wounds] or ends[:1]:
            moved = msgspec.structs.replace(stand, rank=0, file=gone.file)
            stands = tuple(sorted((moved if s is stand else s for s in rest), key=lambda s: (s.rank, s.file)))
            found.append(Closing(end, stands, regiment.files, 0.0))
        return found
    half = regiment.profile.stand[0] / 2
    row = [msgspec.structs.replace(s, file=file) for file, s in enumerate(sorted(rest, key=lambda s: s.file))]
    command = next((s for s in row if s.command), None)
    stands = tuple(row)
    if command is not None and command.file not in formation.centre_files(len(row)):
        middle = min(formation.centre_files(len(row)), key=lambda file: abs(file - command.file))
        stands = changed_places(stands, command.id, middle)
    if gone.file > 0:
        found.append(Closing("right", stands, len(row), -half))
    if gone.file < regiment.files - 1:
        found.append(Closing("left", stands, len(row), half))
    return found


def _close(regiment: Regiment, way: Closing) -> None:
    regiment.stands, regiment.files = way.stands, way.files
    regiment.x, regiment.y = world(ranked.pose(regiment), way.right, 0.0)


def _touched(state: State, regiment: Regiment, way: Closing) -> list[Regiment]:
    """The enemies it would touch."""
    x, y = world(ranked.pose(regiment), way.right, 0.0)
    there = msgspec.structs.replace(regiment, x=x, y=y, stands=way.stands, files=way.files)
    return formation.enemies_in_contact(state, there)


# -- dying ---------------------------------------------------------------------------------------------------------


def slay(battle: Battle[State], regiment: Regiment, character: Character, *rules: str) -> Steps[None]:
    """An attached Character dies while his regiment lives: a lost stand like any other for Broken and Shattered."""
    state = battle.state
    stand = stand_of(regiment, character)
    character.alive = False
    effects.drop(state, character.id)
    regiment.round_lost += 1
    regiment.broken_lost += regiment.broken
    yield from close_up(battle, regiment, stand, "conquest.character.duel.reform")
    retinue = ("conquest.character.retinue.lost",) if character.retinue else ()
    battle.emit("character-slain", "conquest.character.killing", *rules, *retinue, character=character.id)
    if character.warlord:
        tally(state, 1 - character.side, "warlord")
    supremacy.refresh_passive(battle)
    yield from morale.after_loss(battle, regiment)
    if morale.is_shattered(regiment):
        yield from morale.shatter(battle, regiment, "")


@moment_of("destroyed")
def fight_to_the_death(battle: Battle[State], regiment: Regiment, foe: str = "", **facts: Any) -> Steps[None]:
    """A Character who has not played his own card this round makes a last Clash with the enemy that touches him."""
    state = battle.state
    character = state.characters.get(regiment.character)
    if character is None or not character.alive:
        return
    rules = ["conquest.character.killing", "conquest.character.last-stand"]
    if character.retinue:
        rules.append("conquest.character.retinue.lost")
    stand = stand_of(regiment, character)
    touching = [
        e for e in formation.enemies_in_contact(state, regiment) if formation.stand_touches(state, regiment, stand, e)
    ]
    if character.activated or not touching:
        battle.emit("character-removed", *rules, character=character.id)
        return
    character.activated = character.acted = True
    keys = [e.id for e in touching]
    enemy = state.regiment((yield from pick(character.side, "ask.last-clash", keys, rules[1], character.id)))
    battle.emit("last-clash", *rules, character=character.id, target=enemy.id)
    number = hooks.characteristic(battle, regiment, "attacks", None, "clash", character=character, foe=enemy)
    side = formation.facing_of(formation.side_hit(enemy, regiment))
    yield from hooks.moment(battle, "before-hits", regiment, context="clash")
    yield from attacks.attack(
        battle, regiment, enemy, [attacks.Group(int(number), character)], "clash", side, True, rules[1]
    )


@moment_of("removed")
def warlord_lost(battle: Battle[State], regiment: Regiment, **facts: Any) -> None:
    for character in battle.state.characters.values():
        if character.regiment == regiment.id and character.warlord and not character.alive:
            tally(battle.state, 1 - character.side, "warlord")
