"""What a player reads on a card: special rules, draw events, spells and abilities, each with the rules it links to."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

from umpire import rulebook
from umpire.text import LANGUAGES, joined, words

from . import hooks
from .profiles import Ability, Change, Names, Rule, Spell
from .state import Character, Regiment, State

Line = dict[str, Any]


@functools.cache
def ids_of(name: str) -> tuple[str, ...]:
    """The ledger's entries on a special rule or draw event: one, or one for each of its parts."""
    known = [rule.id for rule in rulebook.rules("conquest")]
    for key in (f"conquest.rule.{name}", f"conquest.draw-event.{name}"):
        found = tuple(i for i in known if i == key or i.startswith(f"{key}."))
        if found:
            return found
    return ()


@functools.cache
def rule_names(name: str) -> Names:
    """What the rulebook calls a special rule or draw event, without X and without its parts."""
    return {lang: PLAIN.split(said)[0] for lang, said in rulebook.rule(ids_of(name)[0]).names.items()}


PLAIN = re.compile(r"（| \(| - |(?<=[^\x00-\x7f]) ")
"""Where the plain name of a rule ends: before brackets, a dash, or a space in writing that has none between words."""


@functools.cache
def source_of(rule_id: str) -> Names:
    """What the rulebook calls the rule that changed a value."""
    return rulebook.rule(rule_id).names


def rule_text(rule: Rule) -> Names:
    """A rule with its X, range and what else is in its brackets."""
    names = rule_names(rule.name)
    if not rule.value:
        return names
    value = f"+{rule.value}" if rule.plus else str(rule.value)
    inside: list[Names] = [dict.fromkeys(LANGUAGES, value)]
    if rule.range:
        inside.append(words("card.conquest.inches", inches=rule.range))
    inside += map(rule_text, rule.shots)
    return words("card.conquest.rule", rule=names, inside=joined(inside))


def rule_line(rule: Rule) -> Line:
    shots = [key for shot in rule.shots for key in ids_of(shot.name)]
    return {"name": rule_text(rule), "rules": [*ids_of(rule.name), *shots]}


def rule_lines(rules: Sequence[Rule], events: Sequence[Rule]) -> list[Line]:
    """Each rule once with the value that counts; Decay adds up, and every Barrage is a choice of its own."""
    decay = sum(rule.value for rule in rules if rule.name == "decay")
    shown = [
        Rule("decay", decay) if rule.name == "decay" else rule
        for rule in hooks.distinct([rule for rule in rules if rule.name != "barrage"])
    ]
    shown += dict.fromkeys(rule for rule in rules if rule.name == "barrage")
    return [rule_line(rule) for rule in (*shown, *hooks.distinct(events))]


def spell_line(spell: Spell) -> Line:
    """A spell: how far, how hard, on whom, and what it does."""
    reach = words("card.conquest.range", inches=spell.range) if spell.range else words("card.conquest.range-self")
    parts: list[Names] = [reach, words("card.conquest.attunement", value=spell.attunement)]
    ids = ["conquest.magic.profile.range", "conquest.magic.profile.attunement"]
    if spell.scaling:
        parts.append(words("card.conquest.scaling"))
        ids.append("conquest.magic.scaling")
    if spell.hits:
        parts.append(words("card.conquest.hits", hits=spell.hits))
        parts += map(rule_text, spell.shots)
    if spell.heal:
        parts.append(words("card.conquest.heals", heal=spell.heal))
    parts += map(change_text, spell.effects)
    given = [spell.shots, tuple(change.rule for change in spell.effects if change.rule is not None)]
    ids += [key for rules in given for rule in rules for key in ids_of(rule.name)]
    return {"name": dict(spell.names), "text": joined(parts), "rules": ids}


def change_text(change: Change) -> Names:
    if change.rule is not None:
        return rule_text(change.rule)
    return words("card.conquest.change", what=f"characteristic.{change.what}", value=change.value)


def abilities_of(state: State, character: Character) -> list[Line]:
    """The Supremacy Abilities that he can use: the Warlord's own, and those of his upgrades."""
    own = [character.supremacy] if character.warlord and character.supremacy is not None else []
    return [ability_line(ability) for ability in (*own, *character.abilities)]


def ability_line(ability: Ability) -> Line:
    active, passive = "conquest.round.supremacy.ability.once-per-game", "conquest.round.supremacy.ability.passive"
    line: Line = {"name": dict(ability.names), "rules": [passive if ability.passive else active]}
    return {**line, "text": dict(ability.text)} if ability.text else line


def of_regiment(state: State, regiment: Regiment) -> tuple[Line, ...]:
    from .draw_events import events_of

    spells = [spell_line(spell) for spell in regiment.spells] if not regiment.own else []
    return (*rule_lines(hooks.rules_of(state, regiment), events_of(state, regiment, None)), *spells)


def of_character(state: State, character: Character) -> tuple[Line, ...]:
    from .draw_events import events_of

    regiment = state.regiments.get(character.regiment)
    events = events_of(state, regiment, character) if regiment is not None else character.profile.events
    spells = [spell_line(spell) for spell in character.spells]
    rules = rule_lines(hooks.rules_of_character(state, character), events)
    return (*rules, *spells, *abilities_of(state, character))
