"""Phase III: the Supremacy roll, and the abilities of Warlords (conquest.round.supremacy.*)."""

from __future__ import annotations

from umpire.engine import effects, usage
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Option
from umpire.engine.effects import Effect
from umpire.engine.rulings import Reason, standing
from umpire.engine.steps import Steps, step
from umpire.rulebook.deciding import decides
from umpire.space.shapes import TOLERANCE
from umpire.text import Text

from . import formation, hooks
from .profiles import Ability, Change
from .state import Character, Regiment, State

NONE = "none"


@step
def supremacy_phase(battle: Battle[State]) -> None:
    state = battle.state
    state.phase = "supremacy"
    battle.emit("phase", "conquest.round.structure", phase="supremacy", round=state.round)
    battle.push(supremacy_roll)


@step
def supremacy_roll(battle: Battle[State]) -> Steps[None]:
    """A die each; the lower is First Player. Who has fewer cards may change his die by 1."""
    from .action_phase import action_phase

    state = battle.state
    dice = [battle.roll(1, "supremacy", "conquest.round.supremacy.roll", side=side).faces[0] for side in (0, 1)]
    counts = [len(stack) for stack in state.stacks]
    if counts[0] != counts[1] and state.applies("conquest.round.supremacy.fewer-cards"):
        fewer = 0 if counts[0] < counts[1] else 1
        rule = "conquest.round.supremacy.fewer-cards"
        answer = yield Choose(
            fewer,
            "ask.supremacy-die",
            [
                Option("-1", Text("option.die", {"change": "-1"})),
                Option("0", Text("option.die-stays")),
                Option("+1", Text("option.die", {"change": "+1"})),
            ],
            rule,
            data={"dice": dice},
        )
        dice[fewer] += int(answer)
        battle.emit("supremacy-modified", rule, side=fewer, amount=int(answer))
    first = first_player(*dice)
    if first is None:
        battle.emit("supremacy-tied", "conquest.round.supremacy.tie", dice=dice)
        battle.push(supremacy_roll)
        return
    state.first = first
    battle.emit(
        "first-player", "conquest.round.supremacy.roll", side=state.first, player=f"side.{state.first}", dice=dice
    )
    battle.plan((declare, state.first), (declare, 1 - state.first), (action_phase,))


def first_player(a: int, b: int) -> int | None:
    """The side with the lower die; None where both roll again."""
    return None if a == b else int(b < a)


def abilities(state: State, side: int) -> list[tuple[Character, Ability]]:
    """The Warlord's ability, and those that other rules grant (conquest.round.supremacy.ability.warlord)."""
    found: list[tuple[Character, Ability]] = []
    for character in state.characters.values():
        if character.side == side and character.alive:
            if character.warlord and character.supremacy is not None:
                found.append((character, character.supremacy))
            found += [(character, ability) for ability in character.abilities]
    return found


def on_battlefield(state: State, character: Character) -> bool:
    return character.alive and bool(character.regiment) and state.regiment(character.regiment).on_table


def ability_reasons(state: State, side: int, key: str) -> list[Reason]:
    """Why a Supremacy Ability cannot be declared now."""
    for character, ability in abilities(state, side):
        if ability.id != key:
            continue
        reasons: list[Reason] = []
        if ability.passive:
            reasons.append(Reason("conquest.round.supremacy.ability.passive", facts={"ability": ability.names}))
        if not ability.off_table and not on_battlefield(state, character):
            facts = {"character": character.id}
            reasons.append(Reason("conquest.round.supremacy.ability.on-battlefield", facts=facts))
        if ability.per == "game" and usage.count(state, f"supremacy:{key}", "battle", side):
            reasons.append(Reason("conquest.round.supremacy.ability.once-per-game", facts={"ability": ability.names}))
        if usage.count(state, "supremacy", "round", side):
            reasons.append(Reason("conquest.round.supremacy.ability.one-per-round", facts={"round": state.round}))
        return list(standing(state, reasons))
    return [Reason("conquest.round.supremacy.ability.warlord", facts={"ability": key})]


@step
def declare(battle: Battle[State], side: int) -> Steps[None]:
    """One player says whether he uses an ability, the First Player first."""
    state = battle.state
    every = abilities(state, side)
    usable = [ability for _, ability in every if not ability_reasons(state, side, ability.id)]
    barred = [
        reason.rule
        for _, ability in every
        if not ability.passive
        for reason in ability_reasons(state, side, ability.id)
    ]
    if barred:
        battle.emit("supremacy-barred", *dict.fromkeys(barred), side=side)
    if usable:
        options = [Option(ability.id, ability.names) for ability in usable] + [Option(NONE)]
        rules = ("conquest.round.supremacy.ability.order", "conquest.round.supremacy.ability.one-per-round")
        answer = yield Choose(side, "ask.supremacy", options, rules, "", lambda key: ability_reasons(state, side, key))
        if answer != NONE:
            character, ability = next((c, a) for c, a in every if a.id == answer)
            use(battle, side, character, ability)


def use(battle: Battle[State], side: int, character: Character, ability: Ability) -> None:
    state = battle.state
    usage.spend(state, f"supremacy:{ability.id}", "battle", side)
    usage.spend(state, "supremacy", "round", side)
    touched = affected(state, character, ability)
    apply(state, touched, ability, "round")
    battle.emit(
        "supremacy",
        "conquest.round.supremacy.ability.warlord",
        "conquest.round.supremacy.ability.order",
        side=side,
        character=character.id,
        ability=ability.names,
        regiments=[r.id for r in touched],
    )


@decides("conquest.core.army")
def affected(state: State, character: Character, ability: Ability) -> list[Regiment]:
    """Whom an ability reaches; measured from the Character's own stand."""
    own = state.of(character.side)
    if ability.on == "army":
        return own
    home = state.regiment(character.regiment)
    if ability.on == "own-regiment" or not home.on_table:
        return [home]
    stand = next((s for s in home.stands if s.character == character.id), home.stands[0])
    return [r for r in own if r.on_table and formation.stand_distance(state, home, stand, r) <= 12.0 + TOLERANCE]


def apply(state: State, regiments: list[Regiment], ability: Ability, until: str) -> None:
    rule = (
        "conquest.round.supremacy.ability.passive"
        if ability.passive
        else "conquest.round.supremacy.ability.once-per-game"
    )
    for regiment in regiments:
        for change in ability.effects:
            effects.add(state, effect_of(regiment.id, change, rule, ability.id, until))


def effect_of(who: str, change: Change, rule: str, source: str, until: str) -> Effect:
    """A change of a characteristic or a rule given, as an effect in force."""
    if change.rule is not None:
        data = {"plus": True} if change.rule.plus else {}
        return Effect(who, f"rule:{change.rule.name}", "add", change.rule.value, rule, source, until, data=data)
    return Effect(who, change.what, "add", change.value, rule, source, until)


def refresh_passive(battle: Battle[State]) -> None:
    """Passive abilities work while their Character is on the battlefield (conquest.round.supremacy.ability.passive)."""
    state = battle.state
    if not any(a.passive for side in (0, 1) for _, a in abilities(state, side)) and not any(
        e.until.startswith("passive") for e in state.effects
    ):
        return
    before = [e for e in state.effects if e.until == "passive"]
    effects.end(state, "passive")
    for side in (0, 1):
        for character, ability in abilities(state, side):
            if ability.passive and on_battlefield(state, character):
                apply(state, [r for r in affected(state, character, ability) if r.on_table], ability, "passive")
    after = [e for e in state.effects if e.until == "passive"]
    if bool(before) != bool(after):
        battle.emit("passive-ability", "conquest.round.supremacy.ability.passive", on=bool(after))


@hooks.moment_of("arrived")
def _arrived(battle: Battle[State], regiment: Regiment, **facts: object) -> None:
    refresh_passive(battle)


@hooks.moment_of("removed")
def _removed(battle: Battle[State], regiment: Regiment, **facts: object) -> None:
    refresh_passive(battle)
