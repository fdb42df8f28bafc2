"""Small scenes of Conquest for rule tests: a few regiments on an open field, scripted dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from asking import allowed, fired, last, options, refused, rolled, told  # noqa: F401
from umpire.engine.battle import Battle
from umpire.engine.beginning import begin
from umpire.engine.game import Setup
from umpire.games.conquest.profiles import Profile, Rule, Scenario, Terrain, Zone
from umpire.games.conquest.scenes import Scene, SceneCharacter, SceneRegiment
from umpire.games.conquest.state import Options, Regiment, State

offered = options
events = told

FIELD = Scenario(
    "field",
    {"zh": "空地", "en": "Field"},
    width=72.0,
    depth=48.0,
    rounds=10,
    zones=(Zone("z", x=70.0, y=24.0, radius=1.0),),
)

AFTERWARDS = [2, 5] * 60
"""Dice for what comes after the scripted ones, up to the next question: Supremacy rolls and the like."""


def rule(text: str) -> Rule:
    """ "cleave 2", "barrage 3 24", "terrifying +1", "fly"."""
    name, *numbers = text.split()
    plus = bool(numbers) and numbers[0].startswith("+")
    value = int(numbers[0]) if numbers else 0
    return Rule(name, value, plus, float(numbers[1]) if len(numbers) > 1 else 0.0)


def profile(
    kind: str = "infantry",
    klass: str = "medium",
    *,
    m: int = 5,
    v: int = 1,
    c: int = 3,
    a: int = 4,
    w: int = 4,
    r: int = 3,
    d: int = 2,
    e: int = 1,
    rules: Iterable[str] = (),
    events: Iterable[str] = (),
    size: tuple[float, float] = (0.0, 0.0),
) -> Profile:
    return Profile(
        type=kind,  # type: ignore[arg-type]
        klass=klass,  # type: ignore[arg-type]
        march=m,
        volley=v,
        clash=c,
        attacks=a,
        wounds=w,
        resolve=r,
        defense=d,
        evasion=e,
        rules=tuple(rule(x) for x in rules),
        events=tuple(rule(x) for x in events),
        width=size[0],
        depth=size[1],
    )


def regiment(
    key: str,
    side: int = 0,
    at: tuple[float, float] = (36.0, 10.0),
    facing: float | None = None,
    stands: int = 3,
    files: int = 0,
    of: Profile | None = None,
    **more: Any,
) -> SceneRegiment:
    """A regiment whose front edge has its middle at a point; side 0 faces +y, side 1 faces -y."""
    where = facing if facing is not None else (0.0 if side == 0 else 180.0)
    return SceneRegiment(
        id=key, side=side, profile=of or profile(), stands=stands, files=files, x=at[0], y=at[1], facing=where, **more
    )


def hero(key: str, side: int = 0, regiment: str = "", of: Profile | None = None, **more: Any) -> SceneCharacter:
    return SceneCharacter(id=key, side=side, regiment=regiment, profile=of or profile(), **more)


def wood(key: str, x0: float, y0: float, x1: float, y1: float, *rules: str, **more: Any) -> Terrain:
    """A rectangular piece of terrain."""
    return Terrain(key, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), rules=rules, **more)


def scene(
    *regiments: SceneRegiment,
    who: str = "",
    moment: str = "actions",
    dice: Sequence[int] | str = "seed",
    characters: Sequence[SceneCharacter] = (),
    terrain: Sequence[Terrain] = (),
    scenario: Scenario = FIELD,
    options: dict[str, str] | None = None,
    seed: int = 1,
    **more: Any,
) -> Battle[State]:
    """A battle at that moment. "actions": `who` is to choose an action."""
    body = Scene(
        regiments=regiments,
        characters=tuple(characters),
        terrain=tuple(terrain),
        scenario=scenario,
        options=Options(**(options or {})),  # type: ignore[arg-type]
        moment=moment,  # type: ignore[arg-type]
        who=who or (regiments[0].id if regiments else ""),
        **more,
    )
    script = [] if isinstance(dice, str) else [*dice, *AFTERWARDS]
    source = "seed" if isinstance(dice, str) else "script"
    return begin(Setup(game="conquest", seed=seed, scene=msgspec.to_builtins(body), dice=source, script=script))


def r(battle: Battle[State], key: str) -> Regiment:
    return battle.state.regiment(key)


def do(battle: Battle[State], *answers: Any) -> Battle[State]:
    """Give these answers; of charges that bring equally many stands into contact the first is taken."""
    for answer in answers:
        battle.answer(answer)
        while battle.decision is not None and battle.decision.prompt.key == "ask.contact":
            battle.answer("0")
    return battle


def forward(inches: float) -> dict[str, Any]:
    return {"path": [{"how": "forward", "inches": inches}]}


def path(*legs: tuple[str, float]) -> dict[str, Any]:
    """Manoeuvres: ("wheel", 30), ("forward", 2), ("left", 1)."""
    return {"path": [{"how": how, "degrees" if how == "wheel" else "inches": amount} for how, amount in legs]}
