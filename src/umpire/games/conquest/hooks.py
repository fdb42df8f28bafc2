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
  contact), "in" or "any"; `may(battle, regiment) -> list[Reason]` are its own conditions.
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

from collections.abc import Callable, Container, Generator, Sequence
from typing import Any, Literal, NamedTuple

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.effects import Effect, Number
from umpire.engine.rulings import Reason
from umpire.engine.steps import Steps

from .profiles import Rule
from .state import Character, Regiment, Stand, State

Holder = Literal["own", "foe"]


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


class Reroll(NamedTuple):
    which: Literal["failures", "successes", "ones", "sixes"]
    rule: str
    may: bool = False


class Deed(NamedTuple):
    """An action somebody may take."""

    name: str
    kind: Literal["out", "in", "any"]
    rules: tuple[str, ...]
    do: Callable[..., Any]
    may: Callable[[Battle[State], Regiment], list[Reason]] | None


_CHANGES: dict[str, dict[tuple[str, str], list[Callable[..., Effect | None]]]] = {}
_CHANGES_ALWAYS: dict[str, list[Callable[[Query], Effect | None]]] = {}
_REROLLS: dict[str, dict[tuple[str, str], Callable[[Query, Rule], Reroll | None]]] = {}
_REROLLS_ALWAYS: dict[str, list[Callable[[Query], Reroll | None]]] = {}
_COUNTS: dict[str, dict[tuple[str, str], Callable[[Query, Rule, Sequence[int]], tuple[int, str]]]] = {}
_GRANTS: dict[str, dict[str, Callable[..., str]]] = {}
_GRANTS_ALWAYS: dict[str, list[Callable[..., str]]] = {}
_FORBIDS: dict[str, dict[str, Callable[..., list[Reason]]]] = {}
_FORBIDS_ALWAYS: dict[str, list[Callable[..., list[Reason]]]] = {}
_MOMENTS: dict[str, dict[str, Callable[..., Any]]] = {}
_MOMENTS_ALWAYS: dict[str, list[Callable[..., Any]]] = {}
_DECIDES: dict[str, dict[str, Callable[..., Any]]] = {}
ACTIONS: dict[str, Deed] = {}

KNOWN_RULES: dict[str, str] = {}
"""Names of special rules that some code carries out, and their ledger ids; content with others is refused."""
KNOWN_EVENTS: dict[str, str] = {}


# -- registering ---------------------------------------------------------------------------------------------------


def special(name: str, rule: str = "") -> None:
    """Declare that the special rule of this name is carried out, by the id `conquest.rule.<name>` unless given."""
    KNOWN_RULES[name] = rule or f"conquest.rule.{name}"


def changes(what: str, name: str = "", holder: Holder = "own") -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        if name:
            _CHANGES.setdefault(what, {}).setdefault((holder, name), []).append(function)
            special(name)
        else:
            _CHANGES_ALWAYS.setdefault(what, []).append(function)
        return function

    return register


def rerolls_of(roll: str, name: str = "", holder: Holder = "own") -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        if name:
            _REROLLS.setdefault(roll, {})[holder, name] = function
            special(name)
        else:
            _REROLLS_ALWAYS.setdefault(roll, []).append(function)
        return function

    return register


def counts(what: str, name: str, holder: Holder = "own") -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        _COUNTS.setdefault(what, {})[holder, name] = function
        special(name)
        return function

    return register


def grants(what: str, name: str = "") -> Callable[[Any], Any]:
    """f(state, regiment, rule, **facts) -> rule id or "" (with a name); f(state, regiment, **facts) without."""

    def register(function: Any) -> Any:
        if name:
            _GRANTS.setdefault(what, {})[name] = function
            special(name)
        else:
            _GRANTS_ALWAYS.setdefault(what, []).append(function)
        return function

    return register


def forbids(deed: str, name: str = "") -> Callable[[Any], Any]:
    """f(battle, regiment, rule, **facts) -> list[Reason] (with a name); f(battle, regiment, **facts) without."""

    def register(function: Any) -> Any:
        if name:
            _FORBIDS.setdefault(deed, {})[name] = function
            special(name)
        else:
            _FORBIDS_ALWAYS.setdefault(deed, []).append(function)
        return function

    return register


def moment_of(when: str, name: str = "") -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        if name:
            _MOMENTS.setdefault(when, {})[name] = function
            special(name)
        else:
            _MOMENTS_ALWAYS.setdefault(when, []).append(function)
        return function

    return register


def decides(what: str, name: str = "") -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        _DECIDES.setdefault(what, {})[name] = function
        if name:
            special(name)
        return function

    return register


def action(
    name: str,
    kind: Literal["out", "in", "any"],
    rules: tuple[str, ...] | str,
    may: Callable[[Battle[State], Regiment], list[Reason]] | None = None,
) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        ACTIONS[name] = Deed(name, kind, (rules,) if isinstance(rules, str) else rules, function, may)
        return function

    return register


# -- which rules somebody has --------------------------------------------------------------------------------------


def rules_of(state: State, regiment: Regiment) -> tuple[Rule, ...]:
    """The special rules of a regiment's ordinary stands now: printed, from command models on the table, and given."""
    rules = regiment.profile.rules
    for model in regiment.models:
        if model.rules and any(model.id in stand.models for stand in regiment.stands):
            rules += model.rules
    if not regiment.own:
        for stand in regiment.stands:
            if stand.character:
                rules += state.characters[stand.character].gives
    if state.effects:
        rules += _given(state, regiment.id)
    return rules


REGIMENT_WIDE = ("hardened", "sureshot", "tenacious", "untouchable")
"""Printed rules that speak of the regiment, not of its stands, and so are its Character's too
(conquest.character.affected-by-regiment); others of that kind are asked of the regiment alone."""


def own_rules(state: State, character: Character) -> tuple[Rule, ...]:
    """What a Character himself has: profile, mastery, upgrades, retinue, what is given to him alone."""
    rules = character.profile.rules + character.mastery + character.upgrades
    for retinue in character.retinue:
        rules += retinue.rules
    return rules + _given(state, character.id) if state.effects else rules


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
        if regiment.models:
            present = [m for stand in regiment.stands for m in stand.models]
            for model in regiment.models:
                if model.rules and model.id in present:
                    rules += model.rules
    return rules


def _given(state: State, who: str) -> tuple[Rule, ...]:
    """Rules in force on somebody by an effect `Effect(who, "rule:<name>", "add", X)`."""
    found: tuple[Rule, ...] = ()
    for e in state.effects:
        if e.on == who and e.what.startswith("rule:"):
            found += (Rule(e.what[5:], int(e.value), bool(e.data.get("plus"))),)
    return found


def has_rule(state: State, who: Regiment | Character, name: str) -> bool:
    rules = rules_of(state, who) if isinstance(who, Regiment) else rules_of_character(state, who)
    return any(rule.name == name for rule in rules)


def find(state: State, who: Regiment | Character, name: str) -> Rule | None:
    """The rule of that name somebody has: the best value of several, (+X) added (conquest.rule.stacking)."""
    rules = rules_of(state, who) if isinstance(who, Regiment) else rules_of_character(state, who)
    return stacked([r for r in rules if r.name == name])


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


def distinct(rules: Sequence[Rule]) -> list[Rule]:
    """Each rule once, by the stacking rule."""
    names: dict[str, list[Rule]] = {}
    for rule in rules:
        names.setdefault(rule.name, []).append(rule)
    return [r for found in names.values() if (r := stacked(found)) is not None]


def _holders(query: Query, table: Container[tuple[str, str]]) -> list[tuple[str, list[Rule]]]:
    """The rules of a table that bear on a query: the asker's own, and the foe's."""
    state = query.state
    own = rules_of_character(state, query.character) if query.character else rules_of(state, query.regiment)
    holders: list[tuple[str, list[Rule]]] = []
    if query.barrage is not None and query.barrage.shots:
        own += query.barrage.shots
    mine = [rule for rule in own if ("own", rule.name) in table]
    if mine:
        holders.append(("own", distinct(mine)))
    if query.foe is not None:
        foe = rules_of_character(state, query.foe_character) if query.foe_character else rules_of(state, query.foe)
        if query.barrage is not None and query.what in ("defense", "evasion"):
            foe += query.barrage.shots
        theirs = [rule for rule in foe if ("foe", rule.name) in table]
        if theirs:
            holders.append(("foe", distinct(theirs)))
    return holders


# -- asking --------------------------------------------------------------------------------------------------------


def number(query: Query) -> Number:
    """A number now: base, then every effect, summed, never below 0 (conquest.profile.range-and-floor)."""
    state, what = query.state, query.what
    extra: list[Effect] = []
    table = _CHANGES.get(what)
    if table:
        for holder, rules in _holders(query, table):
            for rule in rules:
                for function in table.get((holder, rule.name), ()):
                    effect = function(query, rule)
                    if effect is not None:
                        extra.append(effect)
    for function in _CHANGES_ALWAYS.get(what, ()):
        effect = function(query)
        if effect is not None:
            extra.append(effect)
    whom = (query.regiment.id, query.character.id) if query.character else (query.regiment.id,)
    if not extra and not state.effects:
        return Number(query.base, query.base)
    result = effects.number(state, whom, what, query.base, extra)
    if result.total < 0:
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


def rerolls(query: Query, roll: str) -> list[Reroll]:
    found: list[Reroll] = []
    table = _REROLLS.get(roll)
    if table:
        for holder, rules in _holders(query, table):
            for rule in rules:
                function = table.get((holder, rule.name))
                if function is not None and (reroll := function(query, rule)) is not None:
                    found.append(reroll)
    for always in _REROLLS_ALWAYS.get(roll, ()):
        if (reroll := always(query)) is not None:
            found.append(reroll)
    return found


def extra(query: Query, what: str, faces: Sequence[int]) -> tuple[int, tuple[str, ...]]:
    """How many more (or fewer) the special rules make of these dice, and which did."""
    table = _COUNTS.get(what)
    total = 0
    rules: list[str] = []
    if table:
        for holder, held in _holders(query, table):
            for rule in held:
                function = table.get((holder, rule.name))
                if function is not None:
                    more, cite = function(query, rule, faces)
                    if cite:
                        total += more
                        rules.append(cite)
    return total, tuple(rules)


def granted(state: State, regiment: Regiment, what: str, **facts: Any) -> str:
    """The id of the rule that gives this, or ""."""
    table = _GRANTS.get(what)
    if table:
        character = facts.get("character")
        rules = rules_of_character(state, character) if character else rules_of(state, regiment)
        rules += facts.get("shots", ())
        for rule in rules:
            function = table.get(rule.name)
            if function is not None and (cite := function(state, regiment, rule, **facts)):
                return str(cite)
    for always in _GRANTS_ALWAYS.get(what, ()):
        if cite := always(state, regiment, **facts):
            return str(cite)
    return ""


def forbidden(battle: Battle[State], regiment: Regiment, deed: str, **facts: Any) -> list[Reason]:
    """Every reason of a special rule, terrain or effect against a deed."""
    reasons: list[Reason] = []
    table = _FORBIDS.get(deed)
    if table:
        for rule in rules_of(battle.state, regiment):
            function = table.get(rule.name)
            if function is not None:
                reasons += function(battle, regiment, rule, **facts)
    for always in _FORBIDS_ALWAYS.get(deed, ()):
        reasons += always(battle, regiment, **facts)
    if battle.state.effects:
        reasons += [Reason(e.rule, "reason.effect") for e in effects.forbids(battle.state, regiment.id, deed)]
    return reasons


def moment(battle: Battle[State], when: str, regiment: Regiment | None, **facts: Any) -> Steps[None]:
    """A moment of the game: every special rule that has something to do now does it."""
    table = _MOMENTS.get(when)
    if table and regiment is not None:
        for rule in distinct([rule for rule in rules_of(battle.state, regiment) if rule.name in table]):
            yield from _run(table[rule.name](battle, regiment, rule, **facts))
    for always in _MOMENTS_ALWAYS.get(when, ()):
        yield from _run(always(battle, regiment, **facts))


def heeded(state: State, regiment: Regiment, when: str) -> bool:
    """Has a rule of the regiment something to do at a moment?"""
    table = _MOMENTS.get(when, {})
    return any(rule.name in table for rule in rules_of(state, regiment))


def _run(result: Any) -> Steps[None]:
    if isinstance(result, Generator):
        yield from result


def decide(battle: Battle[State], what: str, regiment: Regiment | None, **facts: Any) -> Steps[Any]:
    """The first answer that a special rule gives, or None."""
    table = _DECIDES.get(what)
    if not table:
        return None
    held = distinct(rules_of(battle.state, regiment)) if regiment is not None else []
    names = ["", *(rule.name for rule in held)]
    for name in names:
        function = table.get(name)
        if function is not None:
            answer = function(battle, regiment, **facts)
            if isinstance(answer, Generator):
                answer = yield from answer
            if answer is not None:
                return answer
    return None
