"""Special rules (chapter 11) that change numbers, re-roll dice, add or spare results, and give permissions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpire.engine.effects import Effect
from umpire.space.shapes import TOLERANCE

from . import sight
from .formation import enemies_in_contact, facing_of, side_hit, stand_touches
from .hooks import (
    Query,
    Reroll,
    changes,
    counts,
    find,
    granted,
    grants,
    own_rules,
    rerolls_of,
    rules_of,
    rules_of_character,
    special,
)
from .hooks import (
    has_rule as has,
)
from .profiles import Rule
from .state import Character, Regiment, State

FIGHT = ("clash", "duel")
MELEE = ("clash", "duel", "impact")

for _plain in (
    "barrage",
    "bodyguard",
    "devout",
    "fanatical-devotion",
    "flank",
    "priest",
    "quicksilver-strike",
    "shock",
    "sureshot",
    "unyielding",
    "wizard",
    "you-and-what-army",
):
    special(_plain)
special("impact")
special("irregular", "conquest.rule.irregular.line")
special("vanguard")


def _change(query: Query, value: float, rule: str) -> Effect:
    return Effect(query.regiment.id, query.what, "add", value, rule, source=rule)


def _own_has(query: Query, name: str) -> bool:
    return has(query.state, query.character or query.regiment, name)


def has_himself(state: State, character: Character, name: str) -> bool:
    """Has a Character this rule himself, not only through his regiment?"""
    return any(rule.name == name for rule in own_rules(state, character))


def _foe_has(query: Query, name: str) -> bool:
    foe = query.foe_character or query.foe
    return foe is not None and has(query.state, foe, name)


# -- Defense: what raises it ---------------------------------------------------------------------------------------


@changes("defense", "shield")
def shield(query: Query, rule: Rule) -> Effect | None:
    """+1 against hits from the front; in a Duel whatever the facing; never in garrison terrain."""
    if query.context == "duel":
        return None if _broken_through(query) else _change(query, 1, "conquest.rule.shield.duel")
    if query.regiment.where == "garrison" and query.state.applies("conquest.rule.shield.garrison"):
        return None
    if query.side != "front" or not query.context or _broken_through(query):
        return None
    return _change(query, 1, "conquest.rule.shield")


def _broken_through(query: Query) -> bool:
    """conquest.rule.linebreaker: in Clashes, Duels and Impact attacks."""
    return query.context in MELEE and _foe_has(query, "linebreaker")


@changes("defense", "linebreaker", "foe")
def linebreaker(query: Query, rule: Rule) -> Effect | None:
    """Shield and Bastion are ignored: said where they would have helped."""
    if query.context not in MELEE:
        return None
    frontal = query.side == "front" or query.context == "duel"
    shielded = frontal and query.regiment.where != "garrison" and _own_has(query, "shield")
    return _change(query, 0, "conquest.rule.linebreaker") if shielded or _own_has(query, "bastion") else None


@changes("defense", "bastion")
def bastion(query: Query, rule: Rule) -> Effect | None:
    """The draw event Bastion (X), which Linebreaker ignores."""
    return None if _broken_through(query) else _change(query, rule.value, "conquest.draw-event.bastion")


@changes("defense", "phalanx")
def phalanx_defence(query: Query, rule: Rule) -> Effect | None:
    if query.side == "front" and query.context and query.context != "duel":
        return _change(query, 1, "conquest.rule.phalanx.defence")
    return None


# -- Defense: what lowers it ---------------------------------------------------------------------------------------


def _lowered(query: Query, value: int, rule: str) -> Effect | None:
    """conquest.rule.hardened: the target lessens Cleave, Brutal Impact and Armor Piercing, not below 0."""
    hardened = find(query.state, query.character or query.regiment, "hardened")
    left = max(0, value - (hardened.value if hardened else 0))
    return _change(query, -left, rule)


@changes("defense", "hardened")
def hardened(query: Query, rule: Rule) -> Effect | None:
    """Said where it lessened something."""
    lessened = {"clash": "cleave", "duel": "cleave", "impact": "brutal-impact", "volley": "armor-piercing"}
    name = lessened.get(query.context)
    if name is None:
        return None
    shots = query.barrage.shots if query.barrage is not None else ()
    if any(r.name == name for r in shots) or _foe_has(query, name):
        return _change(query, 0, "conquest.rule.hardened")
    return None


@changes("defense", "cleave", "foe")
def cleave(query: Query, rule: Rule) -> Effect | None:
    """In a Clash and a Duel only, not on Impact attacks or Volleys."""
    return _lowered(query, rule.value, "conquest.rule.cleave") if query.context in FIGHT else None


@changes("defense", "brutal-impact", "foe")
def brutal_impact(query: Query, rule: Rule) -> Effect | None:
    return _lowered(query, rule.value, "conquest.rule.brutal-impact") if query.context == "impact" else None


@changes("defense", "armor-piercing", "foe")
def armor_piercing(query: Query, rule: Rule) -> Effect | None:
    shot = query.context == "volley" or (query.context == "spell" and query.barrage is not None)
    return _lowered(query, rule.value, "conquest.rule.armor-piercing") if shot else None


@grants("no-defense", "smite")
def smite(state: State, regiment: Regiment, rule: Rule, query: Query, **facts: Any) -> str:
    """The target's Defense counts as 0, after all bonuses; Evasion stays."""
    return "conquest.rule.smite" if query.context in FIGHT else ""


@grants("bypass", "flawless-strikes")
def flawless_strikes(state: State, regiment: Regiment, rule: Rule, query: Query, **facts: Any) -> str:
    """Hits rolled with a 1 meet Defense 0; extra hits do not."""
    return "conquest.rule.flawless-strikes" if query.context in FIGHT else ""


@grants("bypass", "precise-shot")
def precise_shot(state: State, regiment: Regiment, rule: Rule, query: Query, **facts: Any) -> str:
    return "conquest.rule.precise-shot" if query.context == "volley" else ""


# -- Clash, Resolve, attacks ---------------------------------------------------------------------------------------


@changes("clash", "glorious-charge")
def glorious_charge(query: Query, rule: Rule) -> Effect | None:
    """+1 Clash for Impact attacks only, and there are none without a successful Charge."""
    if query.context == "impact":
        return _change(query, 1, "conquest.rule.glorious-charge")
    return None


@changes("support", "support")
def support(query: Query, rule: Rule) -> Effect | None:
    """X instead of 1; lost while engaged in flank or rear unless Iron Discipline keeps it.

    A Character gives 1, whatever his regiment has, unless the rule is his own (conquest.character.clash-with-regiment).
    """
    if query.character is not None and not has_himself(query.state, query.character, "support"):
        return None
    kept = query.state.applies("conquest.rule.iron-discipline.support")
    kept = kept and has(query.state, query.regiment, "iron-discipline")
    if beset(query.state, query.regiment) and not kept:
        return None
    return Effect(query.regiment.id, "support", "set", rule.value, "conquest.rule.support")


def beset(state: State, regiment: Regiment) -> bool:
    """Is it engaged with an enemy in its flank or rear?"""
    return any(facing_of(side_hit(regiment, e)) != "front" for e in enemies_in_contact(state, regiment))


def fearless_by(state: State, regiment: Regiment) -> str:
    """The rule by which a regiment ignores Fearsome and Terrifying, or ""."""
    rules = rules_of(state, regiment)
    if any(r.name == "bravery" for r in rules):
        return "conquest.rule.bravery"
    return "conquest.rule.fearless" if any(r.name == "fearless" for r in rules) else ""


special("bravery", "conquest.rule.bravery")
special("fearless")
special("terrifying")


@changes("resolve")
def terrifying(query: Query) -> Effect | None:
    """conquest.rule.terrifying: enemies in contact lower Resolve in Morale Tests; the highest X counts, (+X) added."""
    if query.context != "morale":
        return None
    state, regiment = query.state, query.regiment
    worst = 0
    rule = "conquest.rule.terrifying"
    for enemy in enemies_in_contact(state, regiment):
        held = [r for r in rules_of(state, enemy) if r.name == "terrifying"]
        character = state.characters.get(enemy.character)
        if character is not None and _touches_character(state, regiment, enemy, character):
            held += [r for r in rules_of_character(state, character) if r.name == "terrifying"]
        best = max((r.value for r in held if not r.plus), default=0) + sum(r.value for r in held if r.plus)
        if query.source == "impact" and query.foe is enemy and _glorious(state, enemy):
            best, rule = best + 1, "conquest.rule.glorious-charge"
        worst = max(worst, best)
    if not worst:
        return None
    ignores = fearless_by(state, regiment)
    own = state.characters.get(regiment.character)
    his = "conquest.rule.fearless.character"
    if not ignores and query.source == "duel" and own is not None and state.applies(his):
        ignores = his if has(state, own, "fearless") else ""
    if ignores:
        return _change(query, 0, ignores)
    return _change(query, -worst, rule)


def _glorious(state: State, regiment: Regiment) -> bool:
    """Did stands with Glorious Charge make Impact attacks: the regiment's, or its Character's?"""
    character = state.characters.get(regiment.character)
    his = character is not None and has(state, character, "glorious-charge") and has(state, character, "impact")
    return his or has(state, regiment, "glorious-charge")


def _touches_character(state: State, regiment: Regiment, enemy: Regiment, character: Character) -> bool:
    """Terrifying on a Character alone works only on a regiment that touches his stand."""
    return any(s.character == character.id and stand_touches(state, enemy, s, regiment) for s in enemy.stands)


# -- re-rolls ------------------------------------------------------------------------------------------------------


@rerolls_of("hit", "flurry")
def flurry(query: Query, rule: Rule) -> Reroll | None:
    return Reroll("failures", "conquest.rule.flurry", True) if query.context in FIGHT else None


@rerolls_of("hit", "fiend-hunter")
def fiend_hunter(query: Query, rule: Rule) -> Reroll | None:
    """Tied to the target, not to an action."""
    if query.foe is None or query.foe.profile.type not in ("brute", "monster"):
        return None
    return Reroll("failures", "conquest.rule.fiend-hunter", True)


@rerolls_of("hit", "opportunists")
def opportunists(query: Query, rule: Rule) -> Reroll | None:
    """Clash with, or Volley at, a flank or rear; a garrison has none."""
    if query.context not in ("clash", "volley") or query.side == "front":
        return None
    return Reroll("failures", "conquest.rule.opportunists", True)


@rerolls_of("hit", "parry", "foe")
def parry(query: Query, rule: Rule) -> Reroll | None:
    return Reroll("ones", "conquest.rule.parry") if query.context in FIGHT else None


@rerolls_of("defense", "untouchable")
def untouchable(query: Query, rule: Rule) -> Reroll | None:
    return Reroll("sixes", "conquest.rule.untouchable", True)


special("blessed")


@rerolls_of("hit")
def blessed_hits(query: Query) -> Reroll | None:
    return _blessed(query, "hit") if query.context in ("clash", "volley") else None


@rerolls_of("defense")
def blessed_defence(query: Query) -> Reroll | None:
    return _blessed(query, "defense")


def _blessed(query: Query, roll: str) -> Reroll | None:
    """Announced before the dice: by the regiment for all its stands at the same time, or by a Character for himself."""
    flags = query.regiment.flags
    his = query.character is not None and f"blessed:{roll}:{query.character.id}" in flags
    return Reroll("failures", "conquest.rule.blessed", True) if his or f"blessed:{roll}:" in flags else None


# -- more or fewer -------------------------------------------------------------------------------------------------


def _said(amount: int, rule: str) -> tuple[int, str]:
    """So many, by this rule; nothing is said where it changed nothing."""
    return amount, rule if amount else ""


@counts("hits", "relentless-blows")
def relentless_blows(query: Query, rule: Rule, faces: Sequence[int]) -> tuple[int, str]:
    """Each hit rolled with a 1 causes one more; not on Impact attacks."""
    return _said(faces.count(1) if query.context in FIGHT else 0, "conquest.rule.relentless-blows")


@counts("hits", "rapid-volley")
def rapid_volley(query: Query, rule: Rule, faces: Sequence[int]) -> tuple[int, str]:
    """Each hit rolled with a 1 causes one more, but not for a Character stand."""
    ones = faces.count(1) if query.context == "volley" else 0
    if ones and query.character is not None:
        return 0, "conquest.rule.rapid-volley.character"
    return _said(ones, "conquest.rule.rapid-volley")


@counts("hits", "torrential-fire")
def torrential_fire(query: Query, rule: Rule, faces: Sequence[int]) -> tuple[int, str]:
    """Within half of the range, exactly half included, every hit causes one more; extra hits do not."""
    far = query.distance * 2
    near = query.context == "volley" and query.barrage is not None and far <= query.barrage.range + TOLERANCE
    return _said(len(faces) if near else 0, "conquest.rule.torrential-fire")


@counts("spared", "tenacious")
def tenacious(query: Query, rule: Rule, faces: Sequence[int]) -> tuple[int, str]:
    """One failed defence die of each batch counts as a success."""
    return _said(min(1, len(faces)), "conquest.rule.tenacious")


@counts("wounds", "deadly-blades", "foe")
def deadly_blades(query: Query, rule: Rule, faces: Sequence[int]) -> tuple[int, str]:
    return _said(faces.count(6) if query.context in FIGHT else 0, "conquest.rule.deadly-blades")


@counts("wounds", "deadly-shot", "foe")
def deadly_shot(query: Query, rule: Rule, faces: Sequence[int]) -> tuple[int, str]:
    return _said(faces.count(6) if query.context == "volley" else 0, "conquest.rule.deadly-shot")


@counts("morale-spared", "indomitable")
def indomitable(query: Query, rule: Rule, faces: Sequence[int]) -> tuple[int, str]:
    return _said(min(1, len(faces)), "conquest.rule.indomitable")


@counts("morale-wounds", "oblivious")
def oblivious(query: Query, rule: Rule, faces: Sequence[int]) -> tuple[int, str]:
    """One wound for every two failures, rounding up."""
    return _said(-(len(faces) // 2), "conquest.rule.oblivious")


# -- permissions ---------------------------------------------------------------------------------------------------


def _gives(what: str, name: str, rule: str) -> None:
    """A permission that simply comes with the rule."""

    @grants(what, name)
    def always(state: State, regiment: Regiment, held: Rule, **facts: Any) -> str:
        return rule


_gives("inspired-despite", "dauntless", "conquest.rule.dauntless.priority")
_gives("never-broken", "dauntless", "conquest.rule.dauntless")
_gives("plain-charge", "phalanx", "conquest.rule.phalanx.charge")
_gives("see-all-round", "fluid-formation", "conquest.rule.fluid-formation.view")
_gives("reroll-charge", "unstoppable", "conquest.rule.unstoppable")
_gives("no-line", "irregular", "conquest.rule.irregular.line")
_gives("no-die", "flank", "conquest.rule.flank")
_gives("no-flank-morale", "iron-discipline", "conquest.rule.iron-discipline.morale")
_gives("obscured", "loose-formation", "conquest.rule.loose-formation.volley")
_gives("no-impact", "loose-formation", "conquest.rule.loose-formation.no-impact")
_gives("half-spell-hits", "loose-formation", "conquest.rule.loose-formation.spells")
_gives("clear-aim", "sureshot", "conquest.rule.sureshot")
_gives("aimed", "deadshot", "conquest.rule.deadshot")
_gives("no-garrison", "phalanx", "conquest.rule.phalanx.no-garrison")


@grants("inspired", "dauntless")
def dauntless_inspired(
    state: State, regiment: Regiment, rule: Rule, character: Character | None = None, **facts: Any
) -> str:
    """The regiment is always Inspired, a Character in it only if the rule is his own."""
    if character is not None and not has_himself(state, character, "dauntless"):
        return ""
    return "conquest.rule.dauntless.inspired"


@grants("not-inspired")
def phalanx_inspired(state: State, regiment: Regiment, **facts: Any) -> str:
    """The regiment cannot be Inspired, its Character with it."""
    return "conquest.rule.phalanx.no-inspired" if has(state, regiment, "phalanx") else ""


@grants("not-inspired")
def dread(state: State, regiment: Regiment, **facts: Any) -> str:
    """Enemy regiments in contact with a regiment with Dread are not Inspired."""
    feared = any(has(state, e, "dread") for e in enemies_in_contact(state, regiment))
    return "conquest.rule.dread" if feared else ""


special("dread")


@grants("fly", "fly")
def fly(state: State, regiment: Regiment, rule: Rule, **facts: Any) -> str:
    """Only if all stands have it, an attached Character's too."""
    character = state.characters.get(regiment.character)
    if character is not None and not has(state, character, "fly"):
        return ""
    return "conquest.rule.fly"


@grants("arcing", "arcing-fire")
def arcing_fire(state: State, regiment: Regiment, rule: Rule, target: Regiment, **facts: Any) -> str:
    """After the Take Aim action itself: a target in its front arc that a friend sees; not from garrison terrain.

    conquest.rule.arcing-fire.garrison, conquest.terrain.garrison.volley.special-rules
    """
    walls = regiment.where == "garrison" and state.applies("conquest.rule.arcing-fire.garrison")
    walls = walls and state.applies("conquest.terrain.garrison.volley.special-rules")
    if not regiment.aimed or walls or not sight.visible_parts(state, regiment, target):
        return ""
    spotted = any(
        not sight.reasons_unseen(state, friend, target)
        for friend in state.on_table(regiment.side)
        if friend is not regiment
    )
    return "conquest.rule.arcing-fire" if spotted else ""


@grants("no-aim-bonus")
def no_aim_bonus(state: State, regiment: Regiment, **facts: Any) -> str:
    """Arcing Fire on a target it cannot see gives up the +1 Volley of Take Aim."""
    return "conquest.rule.arcing-fire.no-aim-bonus" if "arcing" in regiment.flags else ""


def _covered(state: State, shooter: Regiment, target: Regiment) -> bool:
    """Is the shooter wholly in an obscuring piece, which then does not halve its own shots?"""
    halving = sight.obscuring(state, shooter, target)
    return any("obscuring" in piece.rules and piece not in halving for piece in state.terrain)


@changes("barrage")
def obscured(query: Query) -> Effect | None:
    """Half of X, rounded up, the Leader's +1 included; once, however many things obscure."""
    state = query.state
    rule = granted(state, query.foe, "obscured") if query.foe is not None else ""
    if not rule and query.obscured:
        shots = query.barrage.shots if query.barrage is not None else ()
        clear = granted(state, query.regiment, "clear-aim", character=query.character, shots=shots)
        if clear:
            return _change(query, 0, clear)
        rule = "conquest.terrain.zonal.obscuring"
        if query.foe is not None and _covered(state, query.regiment, query.foe):
            rule = "conquest.terrain.zonal.obscuring.second"
    if not rule:
        return None
    leads = query.stand is not None and "leader" in query.stand.models and query.character is None
    return Effect(query.regiment.id, "barrage", "cap", -(-int(query.base + leads) // 2), rule)


@grants("twice", "overrun")
def overrun_charges(state: State, regiment: Regiment, rule: Rule, action: str = "", **facts: Any) -> str:
    return "conquest.rule.overrun.two-charges" if action == "charge" else ""
