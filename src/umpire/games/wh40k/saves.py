"""What saves a model: armour, invulnerable saves, cover, wounds that are ignored (attack.save-*, attack.armour-*)."""

from __future__ import annotations

import msgspec

from umpire.games.wh40k.abilities import Asking, changed, held
from umpire.games.wh40k.characteristics import value
from umpire.games.wh40k.profiles import Profile
from umpire.games.wh40k.state import Model, State, Unit

SEVEN = 7
NONE = 99
"""A save that cannot be made."""


class Blow(msgspec.Struct, frozen=True):
    """What the defender must know of attacks that have wounded."""

    unit: str
    profile: Profile
    ap: int
    kind: str
    covered: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()

    @property
    def melee(self) -> bool:
        return self.profile.melee


def save_need(state: State, unit: Unit, model: Model, blow: Blow) -> tuple[int, tuple[str, ...]]:
    """The lowest face that saves, by the better of armour and invulnerable save, and the rules that made it so."""
    query = Asking(state, "save", 0, unit, model, state.units.get(blow.unit), blow.profile)
    both = int(changed(query).total)
    scope = "wh40k.attack.save-modifier-scope"
    armour, rules = armour_save(state, unit, model, blow, query, both)
    best = invulnerable_save(state, unit, model)
    if not best:
        return armour, rules
    query.what = "invulnerable"
    covered = model.id in blow.covered
    if not state.applies(scope):
        both = 0
    if covered and not state.applies("wh40k.terrain.trait.light-cover.no-invulnerable"):
        both += 1
    own = int(changed(query).total)
    invulnerable = max(1, best - both - own)
    if invulnerable >= armour:
        return armour, rules
    kept = "wh40k.attack.save-one-only"
    if both or own:
        kept = scope
    elif covered:
        kept = "wh40k.terrain.trait.light-cover.no-invulnerable"
    return invulnerable, ("wh40k.attack.invulnerable", kept)


def armour_save(
    state: State, unit: Unit, model: Model, blow: Blow, query: Asking, both: int
) -> tuple[int, tuple[str, ...]]:
    """The lowest face by which armour saves. AP and cover change it without limit (wh40k.attack.armour-unbounded)."""
    if not unit.sheet.row(model.row).sv and state.applies("wh40k.unit.zero-skill"):
        return NONE, ("wh40k.unit.zero-skill",)
    rules: list[str] = ["wh40k.attack.armour-ap"] if blow.ap else []
    query.what = "armour"
    own = int(changed(query).total)
    if both or own:
        rules.append("wh40k.attack.save-modifier-scope")
    bonus = both + own
    if model.id in blow.covered:
        better = cover_bonus(state, unit, model, blow)
        bonus += better
        rules.append("wh40k.terrain.trait.heavy-cover" if blow.melee else "wh40k.terrain.trait.light-cover")
        if better > 1:
            rules[-1] = "wh40k.terrain.cover.improved.with-save-trait"
    sv = value(state, unit, model, "sv")
    ap = blow.ap if state.applies("wh40k.attack.armour-ap") else 0
    need = sv - ap - bonus
    if sv <= 1 and not state.applies("wh40k.attack.armour-unbounded"):
        need = 1
    if sv >= SEVEN:
        if not (state.applies("wh40k.unit.save-seven-plus") and state.applies("wh40k.dice.above-six")):
            return NONE, tuple(rules)
        if need < SEVEN:
            rules += ["wh40k.unit.save-seven-plus", "wh40k.dice.above-six"]
    elif need >= SEVEN:
        rules.append("wh40k.attack.armour-unbounded")
    elif need <= 1:
        rules.append("wh40k.attack.save-natural-one")
    return max(1, need), tuple(rules)


def cover_bonus(state: State, unit: Unit, model: Model, blow: Blow) -> int:
    """wh40k.terrain.cover.improved.with-save-trait: more than 1 only where what gives this cover betters
    the save itself, as a rule does that gives cover without terrain (wh40k.terrain.cover.outside-terrain)."""
    more = held(state, unit, "cover-more")
    if not more or not state.applies("wh40k.terrain.cover.improved.with-save-trait"):
        return 1
    return 1 if model.id in blow.bare else int(max(rule.value for rule in more))


def invulnerable_save(state: State, unit: Unit, model: Model) -> int:
    if not state.applies("wh40k.attack.invulnerable"):
        return 0
    found = [int(rule.value) for rule in held(state, unit, "invulnerable")]
    printed = unit.sheet.row(model.row).invulnerable
    return min([*found, *([printed] if printed else [])], default=0)


def saved(state: State, face: int, need: int) -> bool:
    """wh40k.attack.save-natural-one: a 1 always fails; a 6 alone never helps."""
    if face == 1 and state.applies("wh40k.attack.save-natural-one"):
        return False
    return face >= need


def unsafe(state: State, unit: Unit, model: Model, blow: Blow, face: int, need: int) -> bool:
    """Does this saving throw fail as it fell? A save that only AP or another modifier spoils is no failure yet when
    dice are re-rolled (wh40k.dice.reroll-before-modifiers)."""
    if saved(state, face, need) or not state.applies("wh40k.dice.reroll-before-modifiers"):
        return not saved(state, face, need)
    _, rules = save_need(state, unit, model, blow)
    inside = rules[:1] == ("wh40k.attack.invulnerable",)
    bare = invulnerable_save(state, unit, model) if inside else value(state, unit, model, "sv")
    return not saved(state, face, bare)


def ignores(state: State, unit: Unit, model: Model, blow: Blow | None) -> int:
    """The face on which a wound is ignored, by the best such rule (wh40k.attack.ignore-wounds-once); 0: none."""
    if not state.applies("wh40k.attack.ignore-wounds"):
        return 0
    if blow is not None and blow.profile.has("no-ignore") and state.applies("wh40k.attack.cannot-ignore-wounds"):
        return 0
    printed = unit.sheet.row(model.row).ignore
    found = [int(rule.value) for rule in held(state, unit, "ignore-wounds")]
    return min([*found, *([printed] if printed else [])], default=0)


def limits(state: State, unit: Unit, blow: Blow | None) -> tuple[int, str]:
    """wh40k.attack.wound-limit-abilities: the most wounds a model may lose in a period; (0, "") without such a rule."""
    if blow is not None and blow.profile.has("no-ignore") and state.applies("wh40k.attack.cannot-ignore-wounds"):
        return 0, ""
    found = held(state, unit, "wound-limit")
    return (int(found[0].value), found[0].what or "phase") if found else (0, "")


def kind_of(state: State, unit: Unit, model: Model, blow: Blow) -> tuple[int, int, int]:
    """What makes models alike for the attacker's dice: save, wounds and ignored wounds."""
    return save_need(state, unit, model, blow)[0], unit.sheet.row(model.row).w, ignores(state, unit, model, blow)
