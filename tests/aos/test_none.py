""" "There is no place" against brute force: models that return, units that are deployed, come or are summoned, faction
terrain, and a stand by an enemy on a rock. Crowded tables; a net of places is laid over all that could do."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from aos.builder import block, scene, unit
from umpire.engine.battle import Battle
from umpire.errors import UmpireError
from umpire.games.aos import deployment
from umpire.games.aos.charging import TOUCH, Charger
from umpire.games.aos.damage import returner
from umpire.games.aos.placing import Placer, away_from_enemies, beyond
from umpire.games.aos.state import Model
from umpire.miniatures.loose.bodies import within
from umpire.miniatures.loose.room import near_bodies


def strewn(
    rng: random.Random, count: int, x: float, y: float, far: float, apart: float, kept: list[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Places about a point, none nearer to another, or to those given, than so much."""
    found: list[tuple[float, float]] = []
    for _ in range(count * 6):
        spot = (round(x + rng.uniform(-far, far), 3), round(y + rng.uniform(-far, far), 3))
        if all(math.dist(spot, other) >= apart for other in (*kept, *found)):
            found.append(spot)
        if len(found) == count:
            break
    return found


def net(x: float, y: float, far: float, step: float) -> Iterator[tuple[float, float]]:
    count = int(far / step)
    for i in range(-count, count + 1):
        for j in range(-count, count + 1):
            yield round(x + i * step, 3), round(y + j * step, 3)


def told(placer: Placer, found: Any, net_of: Iterator[tuple[float, float]], seed: int) -> str:
    """Was a place found? If not, no place of the net may do, and it is proved that there is none."""
    if found is not None:
        assert not placer.judge(found)
        return "found"
    m = placer.models[0]
    for x, y in net_of:
        answer = {"models": {m.id: {"x": x, "y": y}}}
        assert placer.judge(answer), (seed, x, y)
    return "none" if placer.hopeless else "open"


def crowd(seed: int, count: int, far: float = 2.6) -> tuple[list[dict[str, Any]], random.Random]:
    rng = random.Random(seed)
    own = [(20.0, 15.0), (21.3, 15.0)]
    spots = strewn(rng, count, 20.6, 15.0, far, 1.0, own)
    friends = [unit(f"a{n + 2}", spot, base=[25.4]) for n, spot in enumerate(spots)]
    return [unit("a1", *own, slain=1, base=[25.4]), *friends], rng


def check_return(seed: int, step: float = 0.05) -> str:
    units, rng = crowd(seed, 17 + seed % 10, 2.2)
    rocks = (
        [block(20.6 + rng.uniform(-2, 2), 15 + rng.uniform(1.2, 2), 0.8, 0.8, 2, type="area")] if seed % 3 == 0 else []
    )
    foe = unit("b1", (20.6 + rng.uniform(-5, 5), 15 - rng.uniform(2.5, 6)), base=[25.4])
    with suppress(UmpireError):
        battle = scene(*units, foe, phase="hero", terrain=rocks)
        mine = battle.state.unit("a1")
        placer = returner(battle.state, mine, mine.slain[:1])
        found = placer.beside_unit() or placer.filled()
        ring = net(20.6, 15.0, 3.0, step)
        return told(placer, found, ((x, y) for x, y in ring if math.hypot(x - 20.6, y - 15.0) < 3.0), seed)
    return "unfit"


def check_deploy(seed: int, step: float = 0.05) -> str:
    """A corner of the table is the territory, with others in it."""
    rng = random.Random(seed)
    wide, deep = rng.uniform(3, 5), rng.uniform(3, 5)
    others = strewn(rng, 16, wide / 2, deep / 2, max(wide, deep) / 2, 1.0, [])
    others = [(x, y) for x, y in others if x > 0.55 and y > 0.55]
    rocks = [block(wide * rng.random() + 0.5, deep * rng.random() + 0.5, 1, 1, 2)] if seed % 2 else []
    home = [[0, 0], [wide, 0], [wide, deep], [0, deep]]
    plan = {"territories": [home, [[0, 25], [44, 25], [44, 30], [0, 30]]]}
    friends = [unit(f"a{n + 2}", spot, base=[25.4]) for n, spot in enumerate(others)]
    size = rng.uniform(25.4, 50.0)
    with suppress(UmpireError):
        battle = scene(
            unit("a1", where="roster", base=[size]), *friends, unit("b1", (30, 28)),
            phase="movement", terrain=rocks, plan=plan,
        )  # fmt: skip
        placer = deployment.deployable(battle.state, battle.state.unit("a1"))
        ring = ((i * step, j * step) for i in range(int(wide / step)) for j in range(int(deep / step)))
        return told(placer, placer.filled(), ring, seed)
    return "unfit"


def check_summon(seed: int, step: float = 0.05) -> str:
    """Within reach of one, away from the enemy, among others."""
    rng = random.Random(seed)
    reach, off = rng.uniform(0.2, 1.0), rng.uniform(3.0, 5.0)
    own = [(20.0, 15.0)]
    others = strewn(rng, 14, 20.0, 15.0, reach + 1.2, 1.0, own)
    friends = [unit(f"a{n + 3}", spot, base=[25.4]) for n, spot in enumerate(others)]
    foes = [unit(f"b{n}", (20 + rng.uniform(-6, 6), 15 + rng.choice((-1, 1)) * rng.uniform(2, 6))) for n in (1, 2)]
    with suppress(UmpireError):
        battle = scene(unit("a1", *own, base=[25.4]), unit("a2", where="reserve", base=[25.4]), *friends, *foes)
        state, mage = battle.state, battle.state.unit("a1")
        far = away_from_enemies(state, state.unit("a2"), off, "aos.core.manifestations")

        def allowed(end: Model) -> Any:
            near = any(within(end, m, reach) for m in mage.models)
            return far(end) if near else True

        placer = Placer(state, state.unit("a2"), state.unit("a2").models, allowed)
        placer.bounded(lambda m: beyond(placer, off, m) + near_bodies(m, mage.models, reach, placer.rises))
        found = next(placer.places(placer.models[0]), None)
        if found is not None:
            assert placer.spot(found, ()) is None
            return "found"
        m = placer.models[0]
        for x, y in net(20.0, 15.0, reach + 1.2, step):
            assert placer.spot(m.__class__(m.id, x, y, r=m.r, q=m.q), ()) is not None, (seed, x, y)
        return "none"
    return "unfit"


def check_land(seed: int, step: float = 0.1) -> str:
    """Faction terrain in a small territory with features and objectives about."""
    rng = random.Random(seed)
    wide, deep = rng.uniform(7, 16), rng.uniform(7, 12)
    home = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
    rocks = [
        block(x, y, rng.uniform(0.5, 2), rng.uniform(0.5, 2), 2)
        for x, y in strewn(rng, 2 + seed % 3, wide / 2, deep / 2, wide / 2 + 2, 3.0, [])
        if x > 0 and y > 0
    ]
    marks = [{"x": rng.uniform(0, wide), "y": rng.uniform(0, deep)} for _ in range(seed % 3)]
    with suppress(UmpireError):
        battle = scene(
            unit("a1", where="roster", kind="terrain", base=[60]), unit("a2", (40, 2)), unit("b1", (40, 28)),
            terrain=rocks, objectives=marks,
        )  # fmt: skip
        state, land = battle.state, battle.state.unit("a1")
        judge = deployment.land_judge(state, land, home)
        found = deployment.land_for(state, land, home)
        if found is not None:
            assert not judge(found), seed
            return "found"
        for x, y in ((i * step, j * step) for i in range(int(wide / step)) for j in range(int(deep / step))):
            assert judge({"x": x, "y": y}), (seed, x, y)
        return "none"
    return "unfit"


def check_rock(seed: int, step: float = 0.03) -> str:
    """An enemy on a rock with friends of its own beside it: is there a place within half an inch of it?"""
    rng = random.Random(seed)
    w, d = rng.uniform(1.1, 3.0), rng.uniform(1.1, 3.0)
    foe = (20 + rng.uniform(-0.4, 0.4), 20 + rng.uniform(-0.4, 0.4))
    guards = [
        unit(f"b{n + 2}", spot, base=[25.4]) for n, spot in enumerate(strewn(rng, 6, 20, 20, max(w, d) / 2, 1.0, [foe]))
    ]
    top = rng.choice((0.5, 2.0, 3.0))
    with suppress(UmpireError):
        battle = scene(
            unit("a1", (20, 12), base=[25.4 if seed % 2 else 32.0]), unit("b1", foe, base=[25.4]), *guards,
            phase="charge", terrain=[block(20, 20, w, d, top, type="area")],
        )  # fmt: skip
        state = battle.state
        charger = Charger(state, state.unit("a1"), 12.0)
        none = charger.no_place(state.unit("b1"))
        if not none:
            return "found"
        m, o = state.unit("a1").models[0], state.unit("b1").models[0]
        reach = m.r + o.r + TOUCH + 0.1
        assert not any(charger._stands(m, o, x, y) for x, y in net(o.x, o.y, reach, step)), seed
        return "none"
    return "unfit"


CHECKS = {
    "return": check_return,
    "deploy": check_deploy,
    "summon": check_summon,
    "land": check_land,
    "rock": check_rock,
}


@pytest.mark.parametrize("what", CHECKS)
def test_there_is_none_only_where_a_net_finds_none(what: str) -> None:
    came = [CHECKS[what](seed, 0.25) for seed in range(40)]
    assert came.count("found") >= 2, came
    assert came.count("none") + came.count("open") >= 2, came


@pytest.mark.rule("aos.core.return-models")
def test_a_model_returns_into_the_only_gap() -> None:
    """Six about it leave a gap that a ring of tries does not hit."""
    ring = [(20 + 1.05 * math.cos(a), 15 + 1.05 * math.sin(a)) for a in (0.5, 1.55, 2.6, 3.65, 4.7)]
    friends = [unit(f"a{n + 2}", (round(x, 3), round(y, 3)), base=[25.4]) for n, (x, y) in enumerate(ring)]
    battle: Battle[Any] = scene(unit("a1", (20, 15), slain=1, base=[25.4]), *friends, unit("b1", (40, 28)))
    mine = battle.state.unit("a1")
    placer = returner(battle.state, mine, mine.slain[:1])
    assert placer.filled() is not None


@pytest.mark.rule("aos.core.return-models", "aos.core.coherency")
def test_a_seventh_model_returns_only_where_all_then_have_two_comrades() -> None:
    """Six in a line need one neighbour each, seven need two: the ends have one, and nobody is beside both."""
    line = [(20 + 1.2 * n, 15) for n in range(6)]
    battle: Battle[Any] = scene(unit("a1", *line, slain=3, base=[25.4]), unit("b1", (40, 28)))
    mine = battle.state.unit("a1")
    assert returner(battle.state, mine, mine.slain[:1]).scattered
    for count in (2, 3):
        placer = returner(battle.state, mine, mine.slain[:count])
        assert not placer.scattered
        assert not placer.judge(placer.filled())
    ring = [(20 + 1.2 * math.cos(k), 15 + 1.2 * math.sin(k)) for k in (0.0, 1.05, 2.1, 3.15, 4.2, 5.25)]
    curled: Battle[Any] = scene(unit("a1", *ring, slain=1, base=[25.4]), unit("b1", (40, 28)))
    mine = curled.state.unit("a1")
    assert not returner(curled.state, mine, mine.slain).scattered
