"""The combat phase: turns, activations, two actions, waiting, passing."""

from __future__ import annotations

from collections.abc import Sequence

from umpire.engine import effects
from umpire.engine.battle import Battle
from umpire.engine.decisions import Choose, Confirm, Json, Option
from umpire.engine.rng import Rng
from umpire.engine.rulings import LEGAL, Reason, Ruling, standing
from umpire.engine.steps import Steps, step
from umpire.games.warcry import abilities, attack, move, reactions, treasure
from umpire.games.warcry.falling import fall, on_steps
from umpire.games.warcry.state import Activation, Fighter, State, seat
from umpire.rulebook.deciding import decides
from umpire.text import Text

MONSTER_ACTIVATIONS = 3


@step
def phase(battle: Battle[State]) -> Steps[None]:
    """The player with the initiative says who takes the first turn."""
    state = battle.state
    state.phase = "combat"
    state.passed = False
    holder = state.initiative
    choice = yield Choose(holder, "ask.first-turn", ["first", "second"], "warcry.combat.first-turn")
    first = holder if choice == "first" else 1 - holder
    battle.emit("first-turn", "warcry.combat.first-turn", side=first, player=seat(first))
    battle.push(turn, first)


def may_activate(fighter: Fighter) -> bool:
    """Can a fighter be activated now?"""
    if fighter.where != "field":
        return False
    if not fighter.activations and fighter.reactions < 2:
        return True
    return fighter.activations < MONSTER_ACTIVATIONS if fighter.monster else fighter.waiting


def activation_reasons(fighter: Fighter) -> list[Reason]:
    """Why a fighter cannot be activated now."""
    if may_activate(fighter):
        return []
    facts = {"fighter": fighter.id}
    if fighter.where != "field":
        rule = "warcry.setup.reserve-groups" if fighter.where == "reserve" else "warcry.damage.taken-down"
        return [Reason(rule, facts=facts)]
    if fighter.monster:
        return [Reason("warcry.monster.activations", facts={"activations": fighter.activations})]
    if fighter.reactions >= 2:
        return [Reason("warcry.reaction.waiting" if fighter.activations else "warcry.reaction.twice", facts=facts)]
    return [Reason("warcry.combat.must-activate", "reason.warcry.activated", facts)]


@step
def turn(battle: Battle[State], side: int) -> Steps[None]:
    """One fighter is activated; who has none to activate passes; two passes in a row end the phase."""
    state = battle.state
    state.turn = side
    ready = [f.id for f in state.fighters if f.side == side and may_activate(f)]
    if not ready:
        if state.passed:
            battle.emit("phase-end", "warcry.combat.phase-end", "warcry.combat.pass", side=side, player=seat(side))
            battle.push(end_phase)
        else:
            state.passed = True
            battle.emit("passed", "warcry.combat.pass", side=side, player=seat(side))
            battle.push(turn, 1 - side)
        return
    state.passed = False
    key = ready[0]
    if len(ready) > 1:
        key = yield Choose(
            side,
            "ask.activate",
            lambda: [Option(one, refs=(one,), unit=one, drag=True) for one in ready],
            "warcry.combat.activation",
            refuse=lambda wish: _not_ready(state, side, wish),
            propose=lambda rng: rng.choice(ready),
            offered=ready.__contains__,
        )
    battle.push(activation, key)


def _not_ready(state: State, side: int, wish: str) -> list[Reason]:
    if wish == "pass":
        return [Reason("warcry.combat.must-activate")]
    mine = [f for f in state.fighters if f.side == side and f.id == wish]
    return activation_reasons(mine[0]) if mine else []


@step
@decides("warcry.wait.ability", "warcry.monster.ability-per-activation")
def activation(battle: Battle[State], key: str) -> None:
    """A fighter is activated: two actions; one for monsters, second activations and those that have reacted."""
    state = battle.state
    fighter = state.fighter(key)
    rules = ["warcry.combat.activation", "warcry.combat.actions"]
    left = 2
    second = fighter.waiting
    if fighter.monster:
        left = 1
        rules.append("warcry.monster.activations")
    elif second:
        left = 1
        rules.append("warcry.wait.second-activation")
    elif fighter.reactions:
        left = 1
        rules = ["warcry.combat.activation", "warcry.reaction.cost"]
    fighter.waiting = False
    fighter.activations += 1
    state.active = Activation(key, left, second=second)
    battle.emit("activated", *rules, fighter=key, actions=left)
    battle.push(act, key)


def can_wait(state: State, fighter: Fighter, active: Activation) -> bool:
    """Would a wait now make the fighter waiting? Only as the first action of a first activation, without a reaction."""
    monster = fighter.monster and state.applies("warcry.monster.wait")
    return not (monster or active.second or active.taken or active.bonus or fighter.reactions)


def may_use_ability(state: State, fighter: Fighter, active: Activation) -> bool:
    """Are there dice for an ability, and was none used yet in this activation?"""
    if not state.players[fighter.side].sets:
        return False
    return not active.ability or not state.applies("warcry.combat.ability-use")


def deeds(state: State, fighter: Fighter, active: Activation, free: bool, attacks: Sequence[str]) -> list[str]:
    """Everything the active fighter may do now, its attacks and whether it may move being known."""
    out: list[str] = []
    if active.left > 0:
        if free:
            out.append("move")
        # Who may move is not engaged, unless a rule is switched off.
        if (not free or state.without) and move.may_disengage(state, fighter):
            out += ["disengage"] if move.way_out(state, fighter) is not None else []
        out += attacks
        if fighter.carrying:
            out.append("drop")
        out.append("wait")
    if may_use_ability(state, fighter, active):
        out += [f"ability-{ability.id}" for ability in abilities.usable_by(state, fighter)]
    if active.left == 0 and out:
        out.append("done")
    return out


def deed_option(state: State, fighter: Fighter, deed: str) -> Option:
    """A deed as it is shown."""
    if deed.startswith("ability-"):
        ability = abilities.find(state, deed.removeprefix("ability-"))
        return Option(deed, ability.name, rules=(ability.rule,))
    if deed.startswith("attack-"):
        return Option(deed, refs=(deed.split("-", 2)[2],))
    return Option(deed, unit=fighter.id, drag=True) if deed == "move" else Option(deed)


def no_action_left(fighter: Fighter, active: Activation) -> Reason:
    rule = "warcry.monster.activations" if fighter.monster else "warcry.combat.actions"
    if active.second:
        rule = "warcry.wait.second-activation"
    return Reason(rule, facts={"actions": active.taken})


def refusal(state: State, fighter: Fighter, wish: str) -> list[Reason]:
    """Why the active fighter may not do what a player wishes."""
    active = state.active
    assert active is not None
    if wish.startswith("ability-"):
        return abilities.use_reasons(state, fighter, wish.removeprefix("ability-"))
    if active.left == 0:
        return [no_action_left(fighter, active)]
    if wish == "move":
        return list(standing(state, move.move_objections(state, fighter)))
    if wish == "disengage":
        found = move.disengage_refusal(state, fighter)
        return found or [move.shut_in(fighter)]
    if wish == "drop":
        return [Reason("warcry.treasure.drop-action", "reason.warcry.not-carrying", {"fighter": fighter.id})]
    if wish in ("done", "pass"):
        return [Reason("warcry.wait.last", "reason.warcry.wait-to-end", {"actions": active.left})]
    return attack.attack_reasons(state, fighter, wish)


class ChooseDeed(Choose):
    """What the active fighter does next. Its options are listed when somebody looks at them: a player who goes through
    many positions looks at few."""

    __slots__ = ("_active", "_attacks", "_deeds", "_fighter", "_state", "free")

    def __init__(self, state: State, fighter: Fighter, active: Activation) -> None:
        super().__init__(
            fighter.side,
            Text("ask.act", {"fighter": fighter.id, "left": active.left}),
            list,
            "warcry.combat.actions",
            fighter.id,
            lambda wish: refusal(state, fighter, wish),
            tell=lambda deed: deed_option(state, fighter, deed),
        )
        self._state, self._fighter, self._active = state, fighter, active
        self._attacks: list[str] | None = None
        self._deeds: list[str] | None = None
        self.free = active.left > 0 and move.may_move(state, fighter)

    def attacks(self) -> list[str]:
        """The attacks among the options."""
        if self._attacks is None:
            found = attack.targets(self._state, self._fighter) if self._active.left else []
            self._attacks = [f"attack-{n}-{enemy.id}" for n, enemy in found]
        return self._attacks

    def _listed(self) -> list[str]:
        return self.deeds()

    def deeds(self) -> list[str]:
        """The options by their ids."""
        if self._deeds is None:
            self._deeds = deeds(self._state, self._fighter, self._active, self.free, self.attacks())
        return self._deeds

    @property
    def open(self) -> bool:
        """Is there anything to do? Whoever has an action left can wait."""
        return self._active.left > 0 or bool(self.deeds())

    @property
    def choice(self) -> bool:
        """Is there more than one thing to do? Whoever can attack can also wait."""
        return self.free or bool(self.attacks()) or len(self.deeds()) > 1

    def check(self, answer: Json) -> Ruling:
        if self.free and answer in ("move", "wait"):
            return LEGAL
        if self._found is None and type(answer) is str:
            if answer.startswith("attack-") and answer in self.attacks():
                return LEGAL
            key = answer.removeprefix("ability-")
            if key != answer and any(ability.id == key for ability in abilities.of_fighter(self._state, self._fighter)):
                return self.ruled(abilities.use_reasons(self._state, self._fighter, key))
        return super().check(answer)

    def suggest(self, rng: Rng | None = None) -> Json:
        """Who can fight mostly does; who cannot mostly moves."""
        rng = rng or Rng(self.salt)
        dice = rng.below(10)
        if self.free and dice < 4:
            return "move"
        attacks = self.attacks()
        if attacks and dice < 9:
            return rng.choice(attacks)
        return rng.choice(self.deeds())


@step
def act(battle: Battle[State], key: str) -> Steps[None]:
    """The next deed of the activation, chosen when the last is done (warcry.combat.sequential-actions)."""
    state = battle.state
    active = state.active
    assert active is not None
    fighter = state.fighter(key)
    if fighter.where != "field":
        battle.push(end_activation, key)
        return
    if active.left == 0 and not may_use_ability(state, fighter, active):
        battle.push(end_activation, key)
        return
    question = ChooseDeed(state, fighter, active)
    if not question.open:
        battle.push(end_activation, key)
        return
    choice = question.deeds()[0] if not question.choice else (yield question)
    if choice.startswith("ability-"):
        battle.plan((abilities.use, key, choice.removeprefix("ability-")), (act, key))
        return
    if choice == "done":
        battle.push(end_activation, key)
        return
    active.left -= 1
    active.taken += 1
    if choice == "wait":
        _wait(battle, fighter, active)
        return
    rules = ("warcry.combat.sequential-actions",) if active.taken == 2 else ()
    battle.emit("action", "warcry.combat.actions", *rules, fighter=key, action=Text(f"action.{choice.split('-')[0]}"))
    battle.push(act, key)
    if choice == "move":
        active.moved = True
        battle.push(move.move_action, key)
    elif choice == "disengage":
        battle.plan((reactions.disengaging, key), (move.disengage_action, key))
    elif choice == "drop":
        battle.push(treasure.drop_action, key)
    else:
        _, weapon, target = choice.split("-", 2)
        attack.begin(battle, key, int(weapon), target)


def _wait(battle: Battle[State], fighter: Fighter, active: Activation) -> None:
    """As the first action it makes the fighter waiting; otherwise it ends the activation."""
    active.taken -= 1
    if can_wait(battle.state, fighter, active):
        fighter.waiting = True
        battle.emit("waiting", "warcry.wait.first", fighter=fighter.id)
    else:
        rule = "warcry.monster.wait" if fighter.monster else "warcry.wait.last"
        battle.emit("wait", rule, fighter=fighter.id)
    active.left = 0
    active.ability = True
    battle.push(end_activation, fighter.id)


@step
def end_activation(battle: Battle[State], key: str) -> Steps[None]:
    """Who still hangs on a wall falls; then a fighter inspired by this one may follow, or the turn passes."""
    state = battle.state
    fighter = state.fighter(key)
    if fighter.where == "field" and fighter.climbing:
        if on_steps(state, fighter) and state.applies("warcry.terrain.stairs-stay"):
            battle.emit("on-steps", "warcry.terrain.stairs-stay", fighter=key)
        else:
            yield from fall(battle, key, -1, "warcry.move.fall-triggers", "warcry.move.climb-end")
    effects.end(state, "activation")
    state.active = None
    player = state.players[fighter.side]
    inspired, player.inspired = player.inspired, ""
    if inspired and may_activate(state.fighter(inspired)):
        battle.push(follow, inspired)
    else:
        battle.push(turn, 1 - fighter.side)


@step
def follow(battle: Battle[State], key: str) -> Steps[None]:
    """The inspired fighter may be activated at once, before the opponent's turn."""
    state = battle.state
    fighter = state.fighter(key)
    yes = yield Confirm(fighter.side, Text("ask.follow", {"fighter": key}), "warcry.ability.inspiring-presence", key)
    if not yes:
        battle.push(turn, 1 - fighter.side)
        return
    battle.emit("follows", "warcry.ability.inspiring-presence", fighter=key)
    battle.push(activation, key)


@step
def end_phase(battle: Battle[State]) -> None:
    """Waiting ends with the phase; then the end of the round."""
    from umpire.games.warcry.battleplan import end_round

    for fighter in battle.state.fighters:
        fighter.waiting = False
    battle.push(end_round)
