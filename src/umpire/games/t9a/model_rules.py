"""Model rules: who has which, and what "with", "containing" and "without" mean for a unit.

A rule is asked for by its ledger id, so that where it decides it is cited, and switched off it is had by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec

from umpire import files

from .profiles import Part, Profile, Rule
from .state import Pool, State, Unit

How = Literal["melee", "shooting", "other"]

SHOOTING = frozenset(
    f"t9a.rule.{name}"
    for name in (
        "accurate", "artillery", "direct-hit", "march-and-shoot", "quick-to-fire", "shoot-in-extra-rank",
        "stand-and-shoot", "unwieldy", "area-attack",
    )
)  # fmt: skip
"""Attributes that by their own words concern shooting alone (t9a.rule.keyword.shooting)."""


def granted(state: State, pool: Pool, rule: str) -> list[Rule]:
    """What effects in force give the models of a pool."""
    if not state.effects:
        return []
    who = pool.id
    return [
        msgspec.convert(e.data["rule"], Rule)
        for e in state.effects
        if e.what == rule and e.on == who and e.rule not in state.without
    ]


def has(state: State, pool: Pool, rule: str) -> bool:
    """Has every model of this pool that model rule? (t9a.rule.general)"""
    if rule in state.without:
        return False
    if pool.kinds:
        if all(rule in kind.profile.names for kind in pool.kinds if kind.count):
            return True
    elif rule in pool.profile.names:
        return True
    pools = state.pools
    for key in state.units[pool.unit].members:
        for held in pools[key].banner:
            if held.id == rule:
                return True
    for effect in state.effects:
        if effect.what == rule and effect.on == pool.id and effect.rule not in state.without:
            return True
    return bool(pool.profile.lent) and any(held.id == rule for held in lent(state, pool))


def lent(state: State, pool: Pool) -> list[Rule]:
    """Model rules that the melee weapons in use give (t9a.rule.weapon.melee-other)."""
    from .weapons import in_use

    if not state.applies("t9a.rule.weapon.melee-other"):
        return []
    return [rule for index, key, rule in pool.profile.lent if in_use(state, pool, index).id == key]


def found(state: State, pool: Pool, rule: str) -> list[Rule]:
    """Every instance of a model rule that a pool has; of those that do not stack, the one its owner would choose."""
    if rule in state.without:
        return []
    instances = [r for r in pool.profile.rules if r.id == rule] if rule in pool.profile.names else []
    for key in state.units[pool.unit].members:
        if state.pools[key].banner:
            instances += [r for r in state.pools[key].banner if r.id == rule]
    instances += granted(state, pool, rule)
    if pool.profile.lent:
        instances += [r for r in lent(state, pool) if r.id == rule]
    return instances


def some(state: State, unit: Unit, rule: str) -> bool:
    """A unit containing X: one model is enough (t9a.rule.unit-containing)."""
    if not state.applies("t9a.rule.unit-containing"):
        return bool(unit.members) and all(has(state, state.pools[key], rule) for key in unit.members)
    for key in unit.members:
        pool = state.pools[key]
        if has(state, pool, rule):
            return True
        if pool.kinds and any(rule in kind.profile.names for kind in pool.kinds if kind.count):
            return rule not in state.without
    return False


def every(state: State, unit: Unit, rule: str) -> bool:
    """A unit with X: every single model (t9a.rule.unit-with)."""
    if not state.applies("t9a.rule.unit-with"):
        return any(has(state, state.pools[key], rule) for key in unit.members)
    for key in unit.members:
        if not has(state, state.pools[key], rule):
            return False
    return bool(unit.members)


def none(state: State, unit: Unit, rule: str) -> bool:
    """A unit not containing X (t9a.rule.unit-without)."""
    if not state.applies("t9a.rule.unit-without"):
        return not all(has(state, state.pools[key], rule) for key in unit.members)
    return not any(has(state, state.pools[key], rule) for key in unit.members)


def attributes(
    state: State, pool: Pool, part: Part | None, rule: str, how: How, bound: Sequence[Rule] = ()
) -> list[Rule]:
    """The instances of an Attack Attribute on an attack: the part's own, those granted to its models, those that are
    bound to the weapon, spell or attack itself (t9a.rule.attack-attribute.**)."""
    if rule in state.without:
        return []
    instances = [r for r in bound if r.id == rule]
    own = list(part.rules) if part is not None and state.applies("t9a.rule.attack-attribute.profile") else []
    if state.applies("t9a.rule.attack-attribute.granted"):
        own += granted(state, pool, rule)
        for key in state.units[pool.unit].members:
            own += state.pools[key].banner
    for r in own:
        if r.id == rule and _concerns(state, r, how):
            instances.append(r)
    return instances


def _concerns(state: State, rule: Rule, how: How) -> bool:
    if how == "other":
        return False
    if rule.keyword == "both":
        return True
    if rule.keyword == "shooting" or rule.id in SHOOTING:
        return how == "shooting" or not state.applies("t9a.rule.keyword.shooting")
    return how == "melee" or not state.applies("t9a.rule.attack-attribute")


def meets(profile: Profile, alternatives: tuple[tuple[str, ...], ...], names: Iterable[str] = ()) -> bool:
    """Does a model meet "against X" or "versus X"? Alternatives, of which one must be met in every part."""
    if not alternatives:
        return True
    held = words_of(profile) | set(names)
    return any(all(word in held for word in words) for words in alternatives)


def words_of(profile: Profile) -> set[str]:
    """What brackets may call a model by: its traits, its model rules by their plain names, its Height."""
    names = {name.removeprefix("t9a.rule.") for name in profile.names}
    return {*profile.traits, *names, *(name.partition(".")[0] for name in names), f"H{profile.height}"}


def opposed(state: State, rules: Sequence[Rule], attacker: Profile, names: Iterable[str]) -> list[Rule]:
    """Those of a target's rules that work against such an attacker and the attributes of its attack
    (t9a.rule.keyword.versus)."""
    if not state.applies("t9a.rule.keyword.versus"):
        return list(rules)
    short = [name.removeprefix("t9a.rule.") for name in names]
    return [rule for rule in rules if meets(attacker, rule.versus, short)]


def strongest(state: State, rule: str, instances: list[Rule]) -> Rule | None:
    """Of a rule that does not stack the owner chooses one instance: the greatest X (t9a.rule.duplicates)."""
    if not instances:
        return None
    if not state.applies("t9a.rule.duplicates"):
        return instances[0]
    return max(instances, key=lambda r: _size(r.x))


def stacked(state: State, instances: list[Rule]) -> list[Rule]:
    """Instances of a rule with the keyword Stacking add up (t9a.rule.keyword.stacking)."""
    return instances if state.applies("t9a.rule.keyword.stacking") else instances[:1]


def _size(x: str) -> float:
    from .profiles import most_of

    return float(most_of(x)) if x and not x.endswith("+") else -float(x.rstrip("+") or 0)


@lru_cache(maxsize=1)
def known() -> frozenset[str]:
    """The ids of the ledger's model rules."""
    file = resources.files("umpire.rulebook").joinpath("t9a", "t9a-2-models.yaml")
    return frozenset(rule["id"] for rule in files.read(file, "rulebook/t9a/t9a-2-models.yaml").data)
