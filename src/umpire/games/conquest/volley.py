"""Chapter 3: the Volley, and Take Aim (conquest.volley.*)."""

from __future__ import annotations

from collections.abc import Iterator

from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option, pieces
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.space.ranks.fronts import discs_apart
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

from . import attacks, formation, hooks, pressing, ranked, sight
from .attacks import Group
from .profiles import Rule
from .state import Character, Regiment, Stand, State


def barrages(state: State, who: Regiment | Character) -> list[Rule]:
    """Every Barrage somebody has."""
    rules = hooks.rules_of(state, who) if isinstance(who, Regiment) else hooks.rules_of_character(state, who)
    return [rule for rule in rules if rule.name == "barrage"]


def range_of(state: State, regiment: Regiment, rule: Rule, character: Character | None = None) -> float:
    query = hooks.Query(state, regiment, "range", rule.range, "volley", character=character)
    return hooks.number(query._replace(barrage=rule)).total


def reach(state: State, regiment: Regiment) -> float:
    """The greatest range of any stand."""
    ranges = [range_of(state, regiment, rule) for rule in barrages(state, regiment)]
    if regiment.character:
        character = state.characters[regiment.character]
        ranges += [range_of(state, regiment, rule, character) for rule in barrages(state, character)]
    return max(ranges, default=0.0)


def target_reasons(
    battle: Battle[State], regiment: Regiment, target: Regiment, limit: float, whole: bool = False
) -> list[Reason]:
    """Why this enemy cannot be the target of a Volley that reaches so far (conquest.volley.target); `whole`: every
    reason, with its measures, not just that there is one."""
    state = battle.state
    if target.side == regiment.side or not target.on_table:
        return [Reason("conquest.volley.target", "reason.volley.enemy", {"target": target.id})]
    if not whole and formation.far_apart(regiment, target, limit + 0.5):
        return [Reason("conquest.volley.target", "reason.volley.range", {"range": limit})]
    far = formation.distance(state, regiment, target)
    reasons: list[Reason] = []
    if far > limit + TOLERANCE:
        facts = {"distance": round(far, 3), "range": limit}
        reasons.append(Reason("conquest.volley.target", "reason.volley.range", facts))
        if not whole and state.applies("conquest.volley.target"):
            return reasons
    unseen = sight.reasons_unseen(state, regiment, target, volley=True)
    if unseen and not hooks.granted(state, regiment, "arcing", target=target):
        reasons += unseen
    return reasons


def targets(battle: Battle[State], regiment: Regiment) -> Iterator[Regiment]:
    """Enemies it may shoot at, looked for one by one."""
    state, limit = battle.state, reach(battle.state, regiment)
    ranged, around = state.applies("conquest.volley.target"), formation.circle(state, regiment)
    for other, at in formation.foes_of(state, regiment.side):
        if ranged and discs_apart(around, at, limit + 0.5):
            continue
        if next(standing(state, target_reasons(battle, regiment, other, limit)), None) is None:
            yield other


def able(state: State, regiment: Regiment, character: Character | None = None) -> bool:
    """Can these stands shoot at all: is their Volley not 0 (conquest.profile.zero)?"""
    return not hooks.nothing(state, regiment, "volley", character)


def why_not_volley(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    state = battle.state
    shooters = bool(barrages(state, regiment)) and able(state, regiment)
    if regiment.character:
        character = state.characters[regiment.character]
        shooters = shooters or (bool(barrages(state, character)) and able(state, regiment, character))
    if not barrages(state, regiment) and not shooters:
        return [Reason("conquest.volley.eligibility", facts={"regiment": regiment.id})]
    if not shooters:
        return [Reason("conquest.profile.zero", facts={"characteristic": "volley"})]
    if next(targets(battle, regiment), None) is None:
        told = {"range": reach(state, regiment), **formation.nearest_foe(state, regiment)}
        return [Reason("conquest.volley.target", facts=told)]
    return []


def attached_reasons(state: State, key: str) -> list[Reason]:
    """A Character is shot at only where he is a regiment by himself."""
    who = state.characters.get(key)
    if who is None or who.own:
        return []
    facts = {"character": key, "regiment": who.regiment}
    return [Reason("conquest.character.wounds.untargetable", "reason.wish.attached", facts)]


@hooks.action("volley", "out", ("conquest.volley.eligibility", "conquest.action.list.out-of-combat"), why_not_volley)
@step
def volley(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """A Volley action: one target for the whole regiment."""
    state = battle.state
    regiment = state.regiment(regiment_id)
    found = battle.know(lambda: [r.id for r in targets(battle, regiment)])

    def refuse(answer: str) -> list[Reason]:
        other = state.regiments.get(answer)
        if other is None:
            return attached_reasons(state, answer)
        return target_reasons(battle, regiment, other, reach(state, regiment), whole=True)

    options = pieces(found)
    rules = ("conquest.volley.target", "conquest.volley.single-target")
    chosen = yield Choose(regiment.side, "ask.volley", options, rules, regiment.id, refuse)
    which = yield from choose_barrage(regiment, barrages(state, regiment), regiment.id)
    his = 0
    if regiment.character:
        entries = barrages(state, state.characters[regiment.character])
        his = yield from choose_barrage(regiment, entries, regiment.character)
    battle.push(shoot, regiment_id, chosen, which, his)


def choose_barrage(regiment: Regiment, rules: list[Rule], about: str) -> Steps[int]:
    """A stand with several Barrage entries chooses one (conquest.rule.barrage); -1 where there is none."""
    if len(rules) < 2:
        return len(rules) - 1
    options = [
        Option(str(k), Text("option.barrage", {"shots": r.value, "range": r.range})) for k, r in enumerate(rules)
    ]
    choice = yield Choose(regiment.side, "ask.barrage", options, "conquest.rule.barrage", about)
    return int(choice)


@step
def shoot(battle: Battle[State], regiment_id: str, target_id: str, which: int, his: int = 0) -> Steps[None]:
    """The shots of a Volley: count, hit, defence, casualties, no morale test."""
    state = battle.state
    regiment, target = state.regiment(regiment_id), state.regiment(target_id)
    own = barrages(state, regiment)
    rule = own[which] if 0 <= which < len(own) else None
    rules: dict[str, None] = {}
    arced = hooks.granted(state, regiment, "arcing", target=target)
    unseen = bool(sight.reasons_unseen(state, regiment, target, volley=True))
    if arced and unseen:
        rules[arced] = None
        rules["conquest.rule.arcing-fire.no-aim-bonus"] = None
        regiment.flags = (*regiment.flags, "arcing")
    groups = shots(battle, regiment, target, rule, rules, his)
    if formation.in_contact(state, target):
        rules["conquest.volley.target-in-contact"] = None
    turned = formation.arc_of(regiment, *ranked.centre(target)) if regiment.where == "table" else "front"
    all_round = hooks.granted(state, regiment, "see-all-round")
    if all_round and turned != "front":
        rules[all_round] = None
    battle.emit(
        "volley",
        "conquest.volley.shots.total",
        *rules,
        regiment=regiment.id,
        target=target.id,
        shots=sum(group.dice for group in groups),
    )
    side = (
        formation.facing_of(formation.arc_of(target, *ranked.centre(regiment))) if target.where == "table" else "front"
    )
    tested = hooks.granted(state, regiment, "volley-morale", target=target)
    cite = (tested,) if tested else ("conquest.volley.no-morale",)
    before = pressing.fights(state, regiment.side) if formation.in_contact(state, target) else []
    yield from hooks.moment(battle, "before-hits", regiment, context="volley")
    yield from attacks.attack(battle, regiment, target, groups, "volley", side, bool(tested), *cite)
    yield from hooks.moment(battle, "after-hits", regiment, context="volley")
    yield from pressing.press_the_attack(battle, regiment.side, before)
    regiment.aimed = False
    regiment.flags = tuple(flag for flag in regiment.flags if flag != "arcing")


def shooting_stands(state: State, regiment: Regiment, target: Regiment) -> list[Stand]:
    """The stands of the front rank, or of the rank or file nearest the target where a rule says so."""
    front = sight.front_stands(regiment)
    if not state.applies("conquest.volley.shots.front-rank"):
        return list(regiment.stands)
    if regiment.where == "garrison" or not hooks.granted(state, regiment, "see-all-round"):
        return front
    arc = formation.arc_of(regiment, *ranked.centre(target))
    if arc == "rear":
        last = regiment.ranks - 1
        return [s for s in regiment.stands if s.rank == last]
    if arc == "left":
        return [s for s in regiment.stands if s.file == 0]
    if arc == "right":
        return [s for s in regiment.stands if s.file == regiment.files - 1]
    return front


def effective(state: State, far: float, limit: float) -> bool:
    """Nearer than half the range (conquest.volley.effective-range)."""
    if state.options.effective_range == "half-or-less":
        return far <= limit / 2 + TOLERANCE
    return far < limit / 2 - TOLERANCE


@decides(
    "conquest.volley.effective-range.per-stand",
    "conquest.character.actions.with-regiment",
    "conquest.character.volley-with-regiment",
)
def shots(
    battle: Battle[State], regiment: Regiment, target: Regiment, rule: Rule | None, rules: dict[str, None], his: int = 0
) -> list[Group]:
    """The dice of every stand that can shoot, a Character's apart; `rules` notes what mattered.

    `rule` is the Barrage of the regiment's stands, `his` which of his own the Character uses.
    """
    state = battle.state
    groups: list[Group] = []
    totals: dict[bool, list[float]] = {}
    unseen = bool(sight.reasons_unseen(state, regiment, target, volley=True))
    for stand in shooting_stands(state, regiment, target):
        character = state.characters[stand.character] if stand.character and not regiment.own else None
        mine = rule
        if character is not None:
            entries = barrages(state, character)
            mine = entries[his] if entries else None
        if mine is None or not able(state, regiment, character):
            continue
        far = formation.stand_distance(state, regiment, stand, target)
        limit = range_of(state, regiment, mine, character)
        if far > limit + TOLERANCE:
            rules["conquest.volley.shots.front-rank"] = None
            continue
        kind = "clear" if unseen else sight.shot(state, regiment, stand, target)
        if kind == "obstructed" and state.applies("conquest.volley.obstruction.blocked"):
            rules["conquest.volley.obstruction.blocked"] = None
            continue
        if kind == "obscured":
            rules["conquest.volley.obscured-shot"] = None
        near = state.applies("conquest.volley.effective-range") and effective(state, far, limit)
        more = int(near and state.options.obscured_range == "add-first")
        base = mine.value + more
        query = hooks.Query(
            state, regiment, "barrage", base, "volley", target, character, stand=stand, barrage=mine, distance=far
        )
        veiled = kind == "obscured" and state.applies("conquest.volley.obscured-shot")
        number = hooks.number(query._replace(obscured=veiled))
        rules.update(dict.fromkeys(number.rules))
        dice = int(number)
        if near:
            dice += 1 - more
            rules["conquest.volley.effective-range"] = None
        if character is not None:
            groups.append(Group(dice, character, mine, far))
        else:
            sums = totals.setdefault(far * 2 <= limit + TOLERANCE, [0, far])
            sums[0] += dice
            sums[1] = max(sums[1], far)
    for total, farthest in totals.values():
        groups.insert(0, Group(int(total), None, rule, farthest))
    return groups


@hooks.action("take-aim", "out", ("conquest.action.take-aim", "conquest.action.list.out-of-combat"))
@step
def take_aim(battle: Battle[State], regiment_id: str) -> None:
    """+1 Volley for its next Volley in this activation."""
    battle.state.regiment(regiment_id).aimed = True
    battle.emit("take-aim", "conquest.action.take-aim", regiment=regiment_id)
