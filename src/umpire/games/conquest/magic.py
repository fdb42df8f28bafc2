"""Magic (chapter 9): spells, casting rolls, interference, Scaling and what spells do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.effects import Effect
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.space.measure import within
from umpire.space.ranks import fronts
from umpire.text import Text

from . import attacks, formation, pressing, ranked, sight, wounds
from .hooks import action, find, granted, has_rule
from .objectives import tally
from .profiles import Spell
from .state import Character, Regiment, Stand, State

NEAR = 8.0
SUCCESSES = 2
DEVOTION = 3


def level(state: State, who: Regiment | Character) -> tuple[int, str]:
    """The Magic Level of a caster and the name of the rule that gives it; 0 for others."""
    for name in ("priest", "wizard"):
        rule = find(state, who, name)
        if rule is not None:
            return rule.value, name
    return 0, ""


@decides("conquest.magic.profile.scaling")
def needed(state: State, regiment: Regiment, spell: Spell) -> tuple[int, tuple[str, ...]]:
    """Successes that a spell needs on a target (conquest.magic.scaling)."""
    if not spell.scaling:
        return SUCCESSES, ()
    stands = len(regiment.stands)
    count = 2 if stands <= 4 else 3 if stands <= 7 else 4 if stands <= 9 else 5
    if regiment.profile.type == "monster" and state.applies("conquest.magic.scaling.monster"):
        return count + 1, ("conquest.magic.scaling.monster",)
    return count, ("conquest.magic.scaling",)


# -- who may cast what on whom -------------------------------------------------------------------------------------


def spells_of(regiment: Regiment, character: Character | None) -> tuple[Spell, ...]:
    return character.spells if character is not None else regiment.spells


def measure(state: State, regiment: Regiment, character: Character | None, target: Regiment) -> float:
    """From the Character's own stand, or from the casting regiment (conquest.character.measure)."""
    stand = stand_of(regiment, character)
    if stand is None:
        return formation.distance(state, regiment, target)
    return formation.stand_distance(state, regiment, stand, target)


def stand_of(regiment: Regiment, character: Character | None) -> Stand | None:
    """The stand of a Character who casts, from which he measures and sees; None for a casting regiment."""
    if character is None or character.own:
        return None
    return next(s for s in regiment.stands if s.character == character.id)


def target_reasons(
    battle: Battle[State], regiment: Regiment, character: Character | None, spell: Spell, target: Regiment
) -> list[Reason]:
    """Why a spell may not be cast on a regiment."""
    state = battle.state
    facts: dict[str, object] = {"target": target.id, "spell": spell.id}
    if spell.at == "self" or spell.range == 0:
        return [] if target is regiment else [Reason("conquest.magic.profile.range", facts=facts)]
    if not target.on_table or (target.side == regiment.side) != (spell.at == "friend"):
        return [Reason("conquest.magic.action.kind", facts=facts)]
    reasons: list[Reason] = []
    far = 0.0 if target is regiment else measure(state, regiment, character, target)
    if not within(far, spell.range):
        facts = {**facts, "distance": round(far, 3), "range": spell.range}
        reasons.append(Reason("conquest.magic.profile.range", facts=facts))
        near = formation.distance(state, regiment, target)
        if stand_of(regiment, character) is not None and within(near, spell.range):
            reasons.append(Reason("conquest.character.measure", facts={**facts, "regiment": regiment.id}))
    if spell.hits:
        touching = [e.id for e in formation.enemies_in_contact(state, regiment)]
        if touching and target.id not in touching:
            reasons.append(Reason("conquest.magic.target.engaged", facts={**facts, "touching": touching}))
        elif not touching and not reasons:
            unseen = sight.reasons_unseen(state, regiment, target, stand=stand_of(regiment, character))
            if unseen:
                facts = {**facts, "why": Text(f"reason.{unseen[0].rule}", unseen[0].facts)}
                reasons.append(Reason("conquest.magic.target.line-of-sight", facts=facts))
    return list(standing(state, reasons))


def targets(battle: Battle[State], regiment: Regiment, character: Character | None, spell: Spell) -> list[Regiment]:
    return [r for r in battle.state.on_table() if may_target(battle, regiment, character, spell, r)]


def may_target(
    battle: Battle[State], regiment: Regiment, character: Character | None, spell: Spell, target: Regiment
) -> bool:
    """May a spell be cast on a regiment? Sooner told than why not."""
    if not may_reach(battle.state, regiment, target, spell.range):
        return False
    return not target_reasons(battle, regiment, character, spell, target)


def may_reach(state: State, regiment: Regiment, target: Regiment, inches: float) -> bool:
    """May a spell of this range be cast so far? Circles about both are asked."""
    if not state.applies("conquest.magic.profile.range"):
        return True
    around, there = formation.circle(state, regiment), formation.circle(state, target)
    return not fronts.discs_apart(around, there, inches + 0.01)


def reasons(battle: Battle[State], regiment: Regiment, character: Character | None) -> list[Reason]:
    """Why there is no Spellcasting action."""
    state = battle.state
    rule = "conquest.character.spellcasting-action" if character is not None else "conquest.magic.action.who"
    if not level(state, character or regiment)[0]:
        return [Reason(rule, facts={"who": (character or regiment).id})]
    if not spells_of(regiment, character):
        return [Reason("conquest.magic.action.kind", "reason.no-spell", {"who": (character or regiment).id})]
    if not regiment.on_table:
        return [Reason("conquest.magic.action.kind", "reason.off-table", {"who": regiment.id})]
    known = spells_of(regiment, character)
    most = max(spell.range for spell in known)
    near = [r for r in state.on_table() if may_reach(state, regiment, r, most)]
    if not any(may_target(battle, regiment, character, spell, r) for spell in known for r in near):
        far = {"range": most, **formation.nearest_foe(state, regiment)}
        return [Reason("conquest.magic.profile.range", "reason.no-spell-target", far)]
    return []


def why_not_cast(battle: Battle[State], regiment: Regiment) -> list[Reason]:
    own = battle.state.characters.get(regiment.own)
    return reasons(battle, regiment, own)


@action("spellcasting", "any", ("conquest.magic.action.who", "conquest.magic.action.kind"), why_not_cast)
@step
def cast_action(battle: Battle[State], regiment_id: str) -> Steps[None]:
    """Spellcasting as an action of a regiment, or of a Character that is one by himself."""
    regiment = battle.state.regiment(regiment_id)
    yield from cast(battle, regiment, battle.state.characters.get(regiment.own))


# -- casting -------------------------------------------------------------------------------------------------------


def interfered(state: State, regiment: Regiment, character: Character | None, target: Regiment) -> str:
    """The enemy caster within 8" of the caster or the target, or "" (conquest.magic.interference)."""
    for enemy in state.on_table(1 - regiment.side):
        other = state.characters.get(enemy.character)
        casters: list[Character | None] = []
        if level(state, enemy)[0]:
            casters.append(None)
        if other is not None and level(state, other)[0]:
            casters.append(other)
        for caster in casters:
            near_target = within(measure(state, enemy, caster, target), NEAR) if enemy is not target else True
            if near_target or within(_between(state, regiment, character, enemy, caster), NEAR):
                return caster.id if caster is not None else enemy.id
    return ""


def _between(
    state: State, regiment: Regiment, character: Character | None, enemy: Regiment, other: Character | None
) -> float:
    """The distance of two casters, Characters measured from their own stands."""
    if character is None or character.own:
        return measure(state, enemy, other, regiment)
    if other is None or other.own:
        return measure(state, regiment, character, enemy)
    own = next(s for s in regiment.stands if s.character == character.id)
    his = next(s for s in enemy.stands if s.character == other.id)
    a = formation.body(state, regiment) if regiment.where == "garrison" else (formation.stand_base(regiment, own),)
    b = formation.body(state, enemy) if enemy.where == "garrison" else (formation.stand_base(enemy, his),)
    return max(0.0, fronts.gap(a, b))


def cast(battle: Battle[State], regiment: Regiment, character: Character | None) -> Steps[None]:
    """Choose spell and target, roll for success, resolve."""
    state = battle.state
    who = character.id if character is not None else regiment.id
    known = {s.id: s for s in spells_of(regiment, character)}
    open_to = battle.know(
        lambda: {
            key: [r.id for r in found] for key, s in known.items() if (found := targets(battle, regiment, character, s))
        }
    )

    def unknown(answer: str) -> list[Reason]:
        rule = "conquest.magic.profile.range" if answer in known else "conquest.magic.spells.list"
        return [Reason(rule, facts={"spell": answer[:40]})]

    key = yield Choose(
        regiment.side,
        "ask.spell",
        [Option(k, dict(known[k].names), data={"attunement": known[k].attunement}) for k in open_to],
        ("conquest.magic.action.kind", "conquest.magic.spells.list"),
        who,
        unknown,
    )
    spell = known[key]

    def refuse(answer: str) -> list[Reason]:
        other = state.regiments.get(answer)
        return target_reasons(battle, regiment, character, spell, other) if other is not None else []

    choice = open_to[key][0]
    if len(open_to[key]) > 1:
        options = [Option(name, refs=(name,)) for name in open_to[key]]
        rules = ("conquest.magic.profile.range", "conquest.magic.target.line-of-sight")
        choice = yield Choose(regiment.side, "ask.spell-target", options, rules, who, refuse)
    target = state.regiment(choice)
    if roll_for_success(battle, regiment, character, spell, target):
        yield from resolve(battle, regiment, character, spell, target)


class Casting(NamedTuple):
    """What a casting roll is made and read with: its dice, on what they succeed, how many must."""

    dice: int
    kind: str
    attunement: int
    needed: int
    rules: tuple[str, ...]


def casting(state: State, regiment: Regiment, character: Character | None, spell: Spell, target: Regiment) -> Casting:
    dice, kind = level(state, character or regiment)
    near = state.applies("conquest.magic.interference") and interfered(state, regiment, character, target)
    count, why = needed(state, target, spell)
    rules = ("conquest.magic.interference", *why) if near else why
    return Casting(dice, kind, spell.attunement - bool(near), count, rules)


def attuned(face: int, attunement: int) -> bool:
    return face <= attunement


def successes_of(state: State, at: Casting, target: Regiment, faces: Sequence[int]) -> tuple[int, str]:
    """Dice at or under the Attunement (1 and 6 are nothing special), one more for the Devout, and the rule for it."""
    count = sum(attuned(face, at.attunement) for face in faces)
    if at.kind == "priest" and count < at.dice and (devout := devout_by(state, target)):
        return count + 1, devout
    return count, ""


def roll_for_success(
    battle: Battle[State], regiment: Regiment, character: Character | None, spell: Spell, target: Regiment
) -> bool:
    """The casting roll."""
    state = battle.state
    at = casting(state, regiment, character, spell, target)
    rules = ["conquest.rule.priest" if at.kind == "priest" else "conquest.rule.wizard", *at.rules]
    roll = battle.roll(
        at.dice,
        "cast",
        "conquest.magic.roll",
        side=regiment.side,
        who=character.id if character is not None else regiment.id,
        need=-at.attunement,
    )
    successes, devout = successes_of(state, at, target, roll.faces)
    if devout:
        rules.append(devout)
    cast_it = successes >= at.needed
    rules.append("conquest.magic.profile.effect" if cast_it else "conquest.magic.failure")
    battle.emit(
        "cast" if cast_it else "cast-failed",
        *rules,
        caster=character.id if character is not None else regiment.id,
        spell=dict(spell.names),
        target=target.id,
        attunement=at.attunement,
        successes=successes,
        needed=at.needed,
    )
    return cast_it


def devout_by(state: State, target: Regiment) -> str:
    """The rule by which a target is Devout: its own, or that of the Character in it."""
    if has_rule(state, target, "devout"):
        return "conquest.rule.devout"
    character = state.characters.get(target.character)
    his = "conquest.rule.devout.character"
    if character is not None and state.applies(his) and has_rule(state, character, "devout"):
        return his
    return ""


def resolve(
    battle: Battle[State], regiment: Regiment, character: Character | None, spell: Spell, target: Regiment
) -> Steps[None]:
    """Carry the effect out: hits with defence, casualties and morale; healing; changes until the end of the round."""
    state = battle.state
    tally(state, regiment.side, "cast")
    kind = level(state, character or regiment)[1]
    rule = "conquest.magic.resolve"
    if spell.hits:
        yield from _hits(battle, regiment, character, spell, target)
    if spell.heal and target.on_table:
        yield from wounds.heal(battle, target, spell.heal, rule)
    if spell.effects and target.on_table:
        for change in spell.effects:
            what, value, data = change.what, change.value, {}
            if change.rule is not None:
                what, value = f"rule:{change.rule.name}", change.rule.value
                data = {"plus": True} if change.rule.plus else {}
            duration = "conquest.magic.duration"
            effects.add(state, Effect(target.id, what, "add", value, duration, f"spell:{spell.id}", "round", data=data))
        battle.emit("spell-effect", rule, "conquest.magic.duration", spell=dict(spell.names), target=target.id)
    devotion = kind == "priest" and spell.range > 0 and target.on_table
    if devotion and has_rule(state, target, "fanatical-devotion"):
        yield from wounds.heal(battle, target, DEVOTION, "conquest.rule.fanatical-devotion")


def spell_hits(
    state: State, regiment: Regiment, character: Character | None, spell: Spell, target: Regiment
) -> tuple[int, str, str]:
    """The hits of a spell, the side of the target that they come from, and the rule that halves them."""
    halved = granted(state, target, "half-spell-hits")
    side = "front"
    if target.where == "table":
        side = formation.facing_of(formation.arc_of(target, *_from(state, regiment, character)))
    return -(-spell.hits // 2) if halved else spell.hits, side, halved


def _hits(
    battle: Battle[State], regiment: Regiment, character: Character | None, spell: Spell, target: Regiment
) -> Steps[None]:
    state = battle.state
    rules = ["conquest.magic.resolve"]
    hits, side, halved = spell_hits(state, regiment, character, spell, target)
    if halved:
        rules.append(halved)
    if side != "front":
        rules.append("conquest.magic.no-flank-bonus")
    battle.emit("spell-hits", *rules, spell=dict(spell.names), target=target.id, hits=hits)
    before = pressing.fights(state, regiment.side) if formation.in_contact(state, target) else []
    yield from attacks.inflict(battle, target, hits, regiment, "spell", *rules, side=side, shots=spell.shots)
    yield from pressing.press_the_attack(battle, regiment.side, before)


def _from(state: State, regiment: Regiment, character: Character | None) -> tuple[float, float]:
    """Where a spell comes from, for the side of the target it hits: the caster's own stand (conquest.character.measure)
    or the middle of a regiment that casts."""
    if regiment.where == "garrison":
        x, y, _ = state.piece(regiment.garrison).circle
        return x, y
    stand = stand_of(regiment, character)
    if stand is not None:
        base = formation.stand_base(regiment, stand)
        return base.x, base.y
    return ranked.centre(regiment)
