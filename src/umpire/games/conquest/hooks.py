"""Where the chapters ask the special rules.

Chapter code knows no special rule by name. It asks here; special rules, draw events, command models, terrain, spells
and Characters register what they do with the decorators below.

NUMBERS. `number(query)` asks `@changes(what, rule, holder=...)` functions for the effects of one special rule:
  march volley clash attacks wounds resolve defense evasion   (base: the profile's value)
  "barrage"   shots of one stand (base X), with facts obscured and distance      "range"    of a Barrage
  "support"   support attacks of one unengaged stand (base 1)                    "impact"   attacks of one stand
  "charge"    inches added to the charge distance (base 0)
  holder "own": the rule is on the one whose number it is; "foe": on query.foe (Cleave lowers the target's Defense).
  A function without a rule name is asked always. Effects in force (`effects.add(state, Effect(id, what, ...))`) need
  no hook: on a regiment's id they count for all its stands, on a Character's for him alone; an effect on "rule:<name>"
  gives a special rule.
CONTEXTS (query.context): "clash" "impact" "volley" "duel" "spell" "hits" (without a hit roll: Aura of Death,
  Counter-Attack, Lethal Demise) "morale" "march" "free-march" "occupy" "leave" "charge" "combat-reform" "withdraw"
  "reform" "escort" "bloodlust" "fearsome" "" (a card).
RE-ROLLS. `rerolls(query, roll)`, roll "hit" "defense" "morale", asks `@rerolls_of(roll, rule, holder=...)` functions
  for Reroll("failures" | "successes" | "ones" | "sixes", may=True if the roller may decline) or None; opposed ones
  cancel in `dice.py`.
COUNTS. `extra(query, what, faces)` asks `@counts(what, rule, holder=...)` functions how many more, or fewer:
  "hits"           of the hit dice that hit (Relentless Blows, Rapid Volley, Torrential Fire)
  "spared"         failed defence dice that count as saved (Tenacious)
  "wounds"         of defence dice that failed (Deadly Blades)
  "morale-spared"  failed morale dice that count as passed (Indomitable)
  "morale-wounds"  of the failed morale dice left, as a negative number (Oblivious)
GRANTS. `granted(state, regiment, what, **facts)` answers the id of the rule that gives it: `@grants(what, rule)`;
  the fact `shots` are rules in the brackets of the Barrage in use.
  "bypass"            hits rolled with 1 meet Defense 0 (fact query)     "no-defense"     Defense counts as 0 (Smite)
  "inspired"          always Inspired                                    "not-inspired"   never (Phalanx, Dread)
  "inspired-despite"  Inspired prevails (Dauntless)                      "never-broken"   Dauntless
  "fly"               all stands fly                                     "see-all-round"  Fluid Formation
  "aimed"             always (Deadshot)                                  "no-aim-bonus"   Arcing Fire at the unseen
  "arcing"            may shoot unseen (fact target)                     "volley-morale"  Murderous Volley
  "obscured"          the target always is (Loose Formation)             "clear-aim"      Sureshot
  "reroll-charge"     Unstoppable                                        "plain-charge"   March + 3, no die (Phalanx)
  "twice"             an action that may be taken twice (fact action)    "no-impact"      garrison, hindered, loose
  "no-flank-morale"   Iron Discipline                                    "no-garrison"    may not occupy (Phalanx)
  "no-line"           Irregular                                          "no-die"         Flank
  "half-spell-hits"   Loose Formation
PERMITS. `forbidden(battle, regiment, deed, **facts)` answers every Reason against an action: `@forbids(deed, rule)`.
ACTIONS. `@action(name, kind, rules, may)` registers an action, a step f(battle, regiment_id): kind "out" (not in
  contact), "in" or "any"; `may(battle, regiment) -> Iterable[Reason]` are its own conditions.
MOMENTS. `yield from moment(battle, name, regiment, **facts)` runs `@moment_of(name, rule)` functions f(battle,
  regiment, rule, **facts) of the rules the regiment has, then those without a rule, f(battle, regiment, **facts).
  "set-up"         once, before round 1 (regiment None): Characters are assigned, secondary cards drawn
  "round-start"    (None) before the Reinforcement Phase
  "reserves"       (None; side) before the reinforcement dice of a side (Flank)
  "named"          the regiment was named for activation, before anything else (Aura of Death)
  "draw"           draw events, by card and on the table only; character: id when it is a Character's card
  "ready"          after draw events, before the first action (Bravery, Fluid Formation)
  "character"      a Character's own action (character): the whole of it
  "arrived"        it has come on wholly (Vanguard)
  "marched"        after a March: start, legs             "charge-moved"   before Impact: target, start, legs
  "charged"        Impact is done, Inspired given: target (Shock, Overrun)     "charge-failed"   target, start, legs
  "before-hits", "after-hits"   around all the hit rolls of a Clash or Volley: context (Blessed)
  "before-defence"              before the defence rolls of a batch: context, character
  "defended"       a group of defence dice has fallen: foe, context, faces
  "suffered"       wounds from failed defence dice were allocated: foe, context, wounds (Lethal Demise)
  "attacked"       a batch of attacks or hits is done, morale included: foe, context (Counter-Attack)
  "after-action"   action (Fire and Advance, Flawless Drill)
  "spent"          all actions are taken (Double Time, Fluid Formation)        "deactivate"   (Decay)
  "broken", "stand-lost" (stand)
  "destroyed"      about to be removed: foe (a Character's last Clash)         "removed"      it is gone: foe
DECIDERS. `yield from decide(battle, name, regiment, **facts)`: the first answer of `@decides(name, rule)` functions.
  "forced-action"  the action declared (action) becomes {"action": "charge", "target": id} or {"action": "march",
                   "toward": id} (Bloodlust)
  "rally"          may a Rally, Combat Rally or Combat Reform (action) go on? False: it fails and is spent (Fearsome)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from umpire.engine.battle import Battle
from umpire.engine.effects import Effect, Number
from umpire.engine.rulings import Reason
from umpire.miniatures.special import Reroll as Reroll
from umpire.miniatures.special import SpecialRules, Words
from umpire.rulebook.deciding import decides as carries_out

from .profiles import CHARACTERISTICS, Model, Rule
from .state import Character, Regiment, Stand, State


class Query(NamedTuple):
    """Whose number, and when it is asked.

    `character` is the Character whose own number it is (then his rules count, not the regiment's); `foe` the other
    regiment, `foe_character` the enemy Character who attacks or is attacked; `side` the side of the DEFENDING regiment
    the attack comes from; `stand` the one stand asked about; `distance` a Volley's distance in inches. In a
    Morale Test `source` is the context in which the wounds were suffered.
    """

    state: State
    regiment: Regiment
    what: str = ""
    base: float = 0.0
    context: str = ""
    foe: Regiment | None = None
    character: Character | None = None
    foe_character: Character | None = None
    side: str = "front"
    stand: Stand | None = None
    obscured: bool = False
    distance: float = 0.0
    barrage: Rule | None = None
    source: str = ""

    @property
    def whom(self) -> tuple[str, ...]:
        """On whom effects in force count."""
        if not self.character:
            return (self.regiment.id,)
        reach = self.state.applies("conquest.regiment.effects-reach-all-stands")
        return (self.regiment.id, self.character.id) if reach else (self.character.id,)

    def holders(self) -> Iterator[tuple[str, Sequence[Rule]]]:
        """Whose rules bear on it: the asker's own, and the foe's."""
        state, shots = self.state, self.barrage.shots if self.barrage is not None else ()
        yield (
            "own",
            (rules_of_character(state, self.character) if self.character else rules_of(state, self.regiment)) + shots,
        )
        if self.foe is not None:
            foe = rules_of_character(state, self.foe_character) if self.foe_character else rules_of(state, self.foe)
            yield "foe", foe + shots if self.what in ("defense", "evasion") else foe


class Deed(NamedTuple):
    """An action somebody may take."""

    name: str
    kind: Literal["out", "in", "any"]
    rules: tuple[str, ...]
    do: Callable[..., Any]
    may: Callable[[Battle[State], Regiment], Iterable[Reason]] | None
    open: Callable[[Battle[State], Regiment], bool] | None = None
    """Whether nothing stands against it, where that is sooner told than what does."""


ACTIONS: dict[str, Deed] = {}


def action(
    name: str,
    kind: Literal["out", "in", "any"],
    rules: tuple[str, ...] | str,
    may: Callable[[Battle[State], Regiment], Iterable[Reason]] | None = None,
    open_to: Callable[[Battle[State], Regiment], bool] | None = None,
) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        ACTIONS[name] = Deed(name, kind, (rules,) if isinstance(rules, str) else rules, function, may, open_to)
        return function

    return register


# -- which rules somebody has --------------------------------------------------------------------------------------


def rules_of(state: State, regiment: Regiment) -> tuple[Rule, ...]:
    """The special rules of a regiment's ordinary stands now: printed, from command models on the table, and given."""
    kept = regiment.__dict__  # until it moves or loses a stand: what is printed does not change
    last: tuple[list[Effect], tuple[Rule, ...]] | None = kept.get("rules")
    if last is None or last[0] != state.effects:
        last = kept["rules"] = (state.effects[:], _printed(state, regiment) + _given(state, regiment.id))
    return _in_force(state, last[1]) if state.without else last[1]


def _printed(state: State, regiment: Regiment) -> tuple[Rule, ...]:
    """Its own rules, and those of its command models and of the Character in it."""
    rules = regiment.profile.rules
    for model in regiment.models:
        if model.rules and model_counts(state, regiment, model):
            rules += model.rules
    if not regiment.own:
        for stand in regiment.stands:
            if stand.character:
                rules += state.characters[stand.character].gives
    return rules


def model_counts(state: State, regiment: Regiment, model: Model) -> bool:
    """Does a command model give its rules now? They go with the stand that carries it."""
    if not state.without:
        return any(model.id in stand.models for stand in regiment.stands)
    if not state.applies("conquest.command-model.grants"):
        return False
    if model.id == "standard-bearer" and not state.applies("conquest.command-model.standard-bearer.unstoppable"):
        return False
    mounted = regiment.profile.type != "infantry"
    lost = "conquest.command-model.mounted.lost" if mounted else "conquest.command-model.lost"
    return not state.applies(lost) or any(model.id in stand.models for stand in regiment.stands)


REGIMENT_WIDE = ("hardened", "sureshot", "tenacious", "untouchable")
"""Printed rules that speak of the regiment, not of its stands, and so are its Character's too
(conquest.character.affected-by-regiment); others of that kind are asked of the regiment alone."""


@carries_out("conquest.regiment.character-rules-not-shared", "conquest.character.rules-not-shared")
def own_rules(state: State, character: Character) -> tuple[Rule, ...]:
    """What a Character himself has: profile, mastery, upgrades, retinue, what is given to him alone."""
    rules = character.profile.rules + character.mastery + character.upgrades
    for retinue in character.retinue:
        rules += retinue.rules
    if state.effects:
        rules += _given(state, character.id)
    return _in_force(state, rules)


def rules_of_character(state: State, character: Character) -> tuple[Rule, ...]:
    """A Character's rules: his own, and those of his regiment that reach all its stands."""
    rules = own_rules(state, character)
    if state.effects and character.regiment:
        rules += _given(state, character.regiment)
    if character.regiment and not character.own:
        rules += character.gives
        regiment = state.regiments[character.regiment]
        for rule in regiment.profile.rules:
            if rule.name in REGIMENT_WIDE:
                rules += (rule,)
        for model in regiment.models:
            if model.rules and model_counts(state, regiment, model):
                rules += model.rules
    return _in_force(state, rules)


def _in_force(state: State, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(HOOKS.in_force(state, rules)) if state.without else rules


def _given(state: State, who: str) -> tuple[Rule, ...]:
    """Rules in force on somebody by an effect `Effect(who, "rule:<name>", "add", X)`."""
    found: tuple[Rule, ...] = ()
    for e in state.effects:
        if e.on == who and e.what.startswith("rule:"):
            found += (Rule(e.what[5:], int(e.value), bool(e.data.get("plus"))),)
    return found


def _rules_of_either(state: State, who: Regiment | Character) -> tuple[Rule, ...]:
    return rules_of(state, who) if isinstance(who, Regiment) else rules_of_character(state, who)


@carries_out("conquest.rule.stacking")
def stacked(found: Sequence[Rule]) -> Rule | None:
    if len(found) <= 1:
        return found[0] if found else None
    best: Rule | None = None
    plus = 0
    for rule in found:
        if rule.plus:
            plus += rule.value
        elif best is None or rule.value > best.value:
            best = rule
    if best is None:
        return Rule(found[0].name, plus, True)
    return Rule(best.name, best.value + plus, False, best.range, best.shots) if plus else best


NUMBERS = (*CHARACTERISTICS, "barrage", "range", "support", "impact", "charge")
"""What rules and effects change."""

HOOKS: SpecialRules[State, Regiment | Character, Rule] = SpecialRules(
    "conquest.rule.",
    _rules_of_either,
    stacked,
    Words(
        numbers=NUMBERS,
        rolls=("hit", "defense", "morale"),
        counts=("hits", "spared", "wounds", "morale-spared", "morale-wounds"),
        decisions=("forced-action", "rally"),
    ),
)
KNOWN_RULES = HOOKS.known
"""Names of special rules that some code carries out, and their ledger ids; content with others is refused."""
KNOWN_EVENTS: dict[str, str] = {}

special, changes, rerolls_of, counts = HOOKS.special, HOOKS.changes, HOOKS.rerolls_of, HOOKS.counts
grants, forbids, moment_of, decides = HOOKS.grants, HOOKS.forbids, HOOKS.moment_of, HOOKS.decides
has_rule, find, distinct = HOOKS.has, HOOKS.find, HOOKS.distinct
rerolls, extra, moment, heeded, decide = HOOKS.rerolls, HOOKS.extra, HOOKS.moment, HOOKS.heeded, HOOKS.decide


# -- asking --------------------------------------------------------------------------------------------------------


def number(query: Query) -> Number:
    """A number now: base, then every effect, summed, never below 0 (conquest.profile.range-and-floor)."""
    result = HOOKS.number(query)
    if result.total < 0 and query.state.applies("conquest.profile.range-and-floor"):
        return Number(result.base, 0.0, result.changes)
    return result


def characteristic(
    battle: Battle[State], regiment: Regiment, what: str, base: float | None = None, context: str = "", **facts: Any
) -> Number:
    """A characteristic of a regiment's ordinary stands (or, with the fact `character`, of its Character)."""
    character = facts.get("character")
    if base is None:
        base = (character.profile if character else regiment.profile).value(what)
    return number(Query(battle.state, regiment, what, base, context, **facts))


def nothing(state: State, regiment: Regiment, what: str, character: Character | None = None) -> bool:
    """Is a characteristic 0: as printed, or, by the table's reading, also when effects have driven it there?"""
    printed = (character or regiment).profile.value(what)
    if printed == 0 or state.options.zero == "printed":
        return printed == 0
    return number(Query(state, regiment, what, printed, character=character)).total <= 0


def granted(state: State, regiment: Regiment, what: str, **facts: Any) -> str:
    """The id of the rule that gives this, or "": of the regiment or, with the fact `character`, of its Character."""
    character = facts.get("character")
    rules = rules_of_character(state, character) if character else rules_of(state, regiment)
    shots = facts.get("shots")
    return HOOKS.granted(state, regiment, what, rules + shots if shots else rules, **facts)


def forbidden(battle: Battle[State], regiment: Regiment, deed: str, **facts: Any) -> list[Reason]:
    """Every reason of a special rule, terrain or effect against a deed."""
    return list(HOOKS.objections(battle.state, regiment, deed, ids=(regiment.id,), **facts))
