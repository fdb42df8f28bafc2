"""The games' attacks, computed once more by icepool from the words of the books alone."""

from __future__ import annotations

import random
from typing import Any

import icepool
import pytest

from umpire.engine.game import find_game
from umpire.odds import Dist

D6 = icepool.d6
DAMAGE = {"1": icepool.Die([1]), "2": icepool.Die([2]), "D3": (D6 + 1) // 2, "D6": D6}


def asked(game: str, **values: Any) -> list[Any]:
    return [line.odds for line in find_game(game).questions["attack"].answer(**values)]


def dist(die: Any) -> Dist:
    return Dist.of({int(value): float(p) for value, p in zip(die.outcomes(), die.probabilities(), strict=True)})


@pytest.mark.parametrize("seed", range(10))
def test_age_of_sigmar(seed: int) -> None:
    rng = random.Random(seed)
    hit, wound, save = rng.randint(2, 6), rng.randint(2, 6), rng.randint(2, 6)
    rend, attacks, ward = rng.randint(0, 3), rng.randint(1, 8), rng.choice([0, 5, 6])
    damage, crit = rng.choice(list(DAMAGE)), rng.choice(["", "mortal", "auto-wound", "2-hits"])

    def struck(w: int, s: int, points: int, sure: bool = False) -> int:
        wounded = sure or (w != 1 and w >= wound)
        saved = s != 1 and s - rend >= save
        return points if wounded and not saved else 0

    def attack(h: int, w: int, s: int, points: int, w2: int, s2: int, points2: int) -> int:
        if h == 6 and crit == "mortal":
            return points
        if h == 6 and crit == "auto-wound":
            return struck(w, s, points, True)
        if h == 6 and crit == "2-hits":
            return struck(w, s, points) + struck(w2, s2, points2)
        return struck(w, s, points) if h == 6 or (h != 1 and h >= hit) else 0

    one = icepool.map(attack, D6, D6, D6, DAMAGE[damage], D6, D6, DAMAGE[damage])
    dealt = attacks @ one
    if ward:
        dealt = dealt.map(lambda points: points @ (ward > D6) if points else 0)
    numbers = {"hit": hit, "wound": wound, "rend": rend, "save": save, "ward": ward}
    found = asked("aos", attacks=str(attacks), damage=damage, crit=crit, health=2, models=5, **numbers)
    assert found[0].close(dist(dealt))
    assert found[1].close(dist(dealt.map(lambda points: min(5, points // 2))))
    assert found[2] == pytest.approx(float((dealt >= 10).probability(True)))


@pytest.mark.parametrize("seed", range(8))
def test_warcry(seed: int) -> None:
    rng = random.Random(seed)
    strength, tough, cover = rng.randint(2, 6), rng.randint(2, 6), rng.random() < 0.5
    hit, critical, attacks = rng.randint(1, 4), rng.randint(3, 8), rng.randint(1, 8)
    against = tough + cover
    need = 3 if strength > against else 4 if strength == against else 5
    dealt = attacks @ D6.map(lambda face: critical if face == 6 else hit if face >= need else 0)
    numbers = {"attacks": attacks, "strength": strength, "toughness": tough, "wounds": 10}
    found = asked("warcry", damage=hit, critical=critical, cover=cover, **numbers)
    assert found[0].close(dist(dealt))
    assert found[1] == pytest.approx(float((dealt >= 10).probability(True)))


@pytest.mark.parametrize("seed", range(8))
def test_conquest(seed: int) -> None:
    rng = random.Random(seed)
    dice, value, defense = rng.randint(1, 12), rng.randint(1, 5), rng.randint(0, 5)
    evasion, resolve, again = rng.randint(0, 3), rng.randint(1, 5), rng.random() < 0.5

    def under(face: int, most: int) -> bool:
        return face == 1 or (face <= most and face != 6)

    best = max(defense, evasion)
    hits = D6.map(lambda face: under(face, value))
    if again:
        hits = icepool.map(lambda first, second: first or second, hits, hits)
    hurt = dice @ icepool.map(lambda hit, face: int(hit and not (best > 0 and under(face, best))), hits, D6)
    morale = D6.map(lambda face: 1 if under(face, resolve) else 2)
    lost = hurt.map(lambda wounds: wounds @ morale if wounds else 0)
    numbers = {"dice": dice, "value": value, "defense": defense, "resolve": resolve, "evasion": evasion}
    found = asked("conquest", wounds=4, stands=3, reroll="failures" if again else "", **numbers)
    assert found[0].close(dist(hurt))
    assert found[1].close(dist(lost))
    assert found[3] == pytest.approx(float((lost >= 12).probability(True)))
