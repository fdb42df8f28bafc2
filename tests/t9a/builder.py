"""Small scenes of The Ninth Age for rule tests: bases of one inch, an open field, scripted dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from asking import allowed, fired, last, needs, options, refused, rolled, told  # noqa: F401
from umpire.engine.battle import Battle
from umpire.engine.beginning import begin
from umpire.engine.game import Setup
from umpire.games.t9a.content import SpellEntry, WeaponEntry
from umpire.games.t9a.scenes import Scene, ScenePart, SceneProfile, SceneUnit
from umpire.games.t9a.state import Field, Options, Pool, State, Terrain, Unit

offered = options
events = told

AFTERWARDS = [3, 4, 2, 5] * 80
"""Dice for what comes after the scripted ones, up to the next question."""


def part(*rules: str, agi: Any = 3, att: Any = 1, off: Any = 3, s: Any = 3, ap: Any = 0, **more: Any) -> ScenePart:
    own = tuple(more.pop("own", ()))
    return ScenePart(agi=agi, att=att, off=off, str_=s, ap=ap, rules=rules, own=own, **more)


def profile(*rules: str, parts: Sequence[ScenePart] | None = None, **more: Any) -> SceneProfile:
    """A model on a base of one inch; `rules` in the words of an army book."""
    return SceneProfile(rules=rules, parts=tuple(parts) if parts is not None else (part(),), **more)


def quiet(*rules: str, **more: Any) -> SceneProfile:
    """Of whom nothing comes: without attacks, unless parts are given."""
    return profile(*rules, **{"parts": [QUIET], **more})


def unit(
    key: str,
    side: int = 0,
    at: tuple[float, float] = (36.0, 20.0),
    facing: float | None = None,
    models: int = 10,
    files: int = 5,
    of: SceneProfile | None = None,
    **more: Any,
) -> SceneUnit:
    """A unit whose front has its middle at a point; side 0 faces +y, side 1 faces -y."""
    where = facing if facing is not None else (0.0 if side == 0 else 180.0)
    return SceneUnit(
        id=key, side=side, profile=of or profile(), models=models, files=files, x=at[0], y=at[1], facing=where, **more
    )


def hero(key: str, side: int = 0, in_unit: str = "", of: SceneProfile | None = None, **more: Any) -> SceneUnit:
    """A character, alone or in a unit."""
    place = more.pop("at", (36.0, 10.0))
    facing = more.pop("facing", 0.0 if side == 0 else 180.0)
    return SceneUnit(
        id=key,
        side=side,
        profile=of or profile(hp=3, dis=8),
        models=1,
        files=1,
        character=True,
        in_unit=in_unit,
        x=place[0],
        y=place[1],
        facing=facing,
        **more,
    )


def piece(key: str, kind: str, x0: float, y0: float, x1: float, y1: float) -> Terrain:
    return Terrain(key, kind, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))  # type: ignore[arg-type]


def gun(key: str = "gun", *rules: str, **more: Any) -> WeaponEntry:
    strength = more.pop("s", 4)
    return WeaponEntry(
        id=key,
        name={"zh": key, "en": key},
        shooting=True,
        rules=rules,
        range=more.pop("range", 24),
        str_=strength,
        ap=more.pop("ap", 0),
        **more,
    )


def blade(key: str = "blade", *rules: str, **more: Any) -> WeaponEntry:
    return WeaponEntry(id=key, name={"zh": key, "en": key}, rules=rules, **more)


def spell(key: str = "zap", **more: Any) -> SpellEntry:
    if "s" in more:
        more["str_"] = more.pop("s")
    return SpellEntry(id=key, name={"zh": key, "en": key}, **more)


def scene(
    *units: SceneUnit,
    moment: str = "charge",
    dice: Sequence[int] | str = "seed",
    terrain: Sequence[Terrain] = (),
    options: dict[str, str] | None = None,
    seed: int = 1,
    without: Sequence[str] = (),
    then: Sequence[int] | None = None,
    until: str = "phase",
    **more: Any,
) -> Battle[State]:
    """A battle at the start of that phase; it ends with it unless `until` is "battle"."""
    body = Scene(
        units=units,
        terrain=tuple(terrain),
        options=Options(**(options or {})),  # type: ignore[arg-type]
        moment=moment,  # type: ignore[arg-type]
        until=until,  # type: ignore[arg-type]
        **more,
    )
    script = [] if isinstance(dice, str) else [*dice, *(AFTERWARDS if then is None else then)]
    source = "seed" if isinstance(dice, str) else "script"
    return begin(
        Setup(game="t9a", seed=seed, scene=msgspec.to_builtins(body), dice=source, script=script, without=list(without))
    )


def u(battle: Battle[State], key: str) -> Unit:
    return battle.state.unit(key)


def p(battle: Battle[State], key: str) -> Pool:
    return battle.state.pool(key)


def do(battle: Battle[State], *answers: Any) -> Battle[State]:
    """Give these answers; of charges that end equally well the first is taken."""
    for answer in answers:
        battle.answer(answer)
        while battle.decision is not None and asked(battle) == "ask.align":
            battle.answer(battle.decision.suggest())
    return battle


def asked(battle: Battle[State]) -> str:
    """The key of the open question."""
    assert battle.decision is not None
    return battle.decision.prompt.key


def until(battle: Battle[State], key: str, most: int = 200) -> Battle[State]:
    """Answer the plainest way (end, stay, none) until that question is put."""
    for _ in range(most):
        if battle.decision is None or asked(battle) == key:
            return battle
        battle.answer(plain(battle))
    raise AssertionError(f"{key} is not asked; now {asked(battle)}")


def plain(battle: Battle[State]) -> Any:
    ask: Any = battle.decision
    for wish in ("end", "stay", "none", "keep", "alone", "wait", "hold", "pass", "hold-fire"):
        if wish in getattr(ask, "options", {}):
            return wish
    if ask.kind == "confirm":
        return False
    if ask.kind in ("move", "face", "place") and ask.default is not None:
        return ask.default
    if ask.kind == "order":
        return list(ask.options)
    return ask.suggest()


def finish(battle: Battle[State], most: int = 400) -> Battle[State]:
    """To the end of the battle by plain answers."""
    return until(battle, "", most)


def faces(battle: Battle[State], kind: str = "roll") -> Iterable[list[int]]:
    return [e.roll.faces for e in battle.events if e.kind == kind and e.roll]


OPEN = Field()

QUIET = part(att=None)
"""A part that makes no attacks."""


def duel(
    mine: SceneProfile,
    theirs: SceneProfile | None = None,
    dice: Sequence[int] = (),
    models: int = 1,
    foes: int = 1,
    **more: Any,
) -> Battle[State]:
    """A round of combat between `a` (side 0, active) and `b`, front to front; `b` does not strike unless it is
    given."""
    a_more = more.pop("a", {})
    b_more = more.pop("b", {})
    terrain = more.pop("terrain", ())
    others = more.pop("others", ())
    foe = theirs or profile(hp=9, parts=[QUIET])
    battle = scene(
        unit("a", of=mine, models=models, files=min(models, a_more.pop("files", 5)), **a_more),
        unit(
            "b",
            1,
            at=b_more.pop("at", (36.0, 20.0)),
            of=foe,
            models=foes,
            files=min(foes, b_more.pop("files", 5)),
            **b_more,
        ),
        *others,
        moment="melee",
        dice=list(dice),
        terrain=terrain,
        **more,
    )
    while battle.decision is not None and asked(battle) == "ask.combat-reforms":
        battle.answer([], battle.decision.side)
    return battle


def lost(battle: Battle[State], key: str) -> int:
    """Health points a pool has lost."""
    pool = p(battle, key)
    return pool.start_hp - pool.hp
