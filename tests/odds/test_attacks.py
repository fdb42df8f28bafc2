"""Attack sequences and multi-wound targets: properties, an independent model in exact fractions, icepool."""

from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import product
from math import comb

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from umpire.odds import D3, D6, Dist, Outcomes, Target, dice, faces

quick = settings(max_examples=50, deadline=None)
SURE_D3 = {1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}

needed = st.integers(2, 6)
saves = st.integers(2, 7)
damages = st.sampled_from([Dist.certain(1), Dist.certain(2), D3, D6, D3 + 1])


def attack(hit: int, wound: int, save: int, damage: Dist, ward: int = 7) -> Dist:
    """One attack; natural 1 fails, a natural 6 to hit always hits."""
    saved = faces(6, lambda face: face != 1 and face >= save)
    wounded = faces(6, lambda face: face != 1 and face >= wound)
    hits = faces(6, lambda face: face == 6 or (face != 1 and face >= hit))
    one = hits.mix({True: wounded.mix({True: saved.mix({True: 0, False: damage}), False: 0}), False: 0})
    return one.thin((ward - 1) / 6)


def one_by_one(one: dict[int, Fraction], attacks: int, wounds: int, models: int, before: int) -> Dist:
    """The wounds lost in exact fractions, model by model; shares nothing with the code under test."""
    units = {(wounds - before, *[wounds] * (models - 1)): Fraction(1)}
    for _ in range(attacks):
        after: dict[tuple[int, ...], Fraction] = {}
        for unit, p in units.items():
            for damage, q in one.items():
                left = (unit[0] - damage, *unit[1:]) if unit else ()
                left = left[1:] if left and left[0] <= 0 else left
                after[left] = after.get(left, Fraction(0)) + p * q
        units = after
    full = wounds * models - before
    chances: Counter[int] = Counter()
    for unit, p in units.items():
        chances[full - sum(unit)] += p  # type: ignore[assignment]
    return Dist.of({lost: float(p) for lost, p in chances.items()})


@quick
@given(st.integers(0, 9), st.integers(1, 5), st.integers(1, 4), st.data())
def test_attacks_hurt_one_model_each(attacks: int, wounds: int, models: int, data: st.DataObject) -> None:
    before = data.draw(st.integers(0, wounds - 1))
    fails = Fraction(data.draw(st.integers(0, 6)), 6)
    one = {0: fails} | {value: (1 - fails) * p for value, p in SURE_D3.items()}
    unit = Target(wounds, models, before).suffer_each(Dist.of({v: float(p) for v, p in one.items()}), attacks)
    expected = one_by_one(one, attacks, wounds, models, before)
    assert unit.damage.close(expected)
    assert unit.slain.close(expected.map(lambda lost: (lost + before) // wounds))
    assert unit.destroyed == pytest.approx(expected[wounds * models - before])


@quick
@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 12), st.data())
def test_a_pool_of_points_wastes_none(wounds: int, models: int, points: int, data: st.DataObject) -> None:
    before = data.draw(st.integers(0, wounds - 1))
    unit = Target(wounds, models, before).suffer(points)
    left = max(0, wounds * models - before - points)
    assert unit.slain == Dist.certain(models - -(-left // wounds))
    assert unit.destroyed == float(left == 0)


@quick
@given(needed, needed, saves, damages, st.integers(4, 7), st.integers(0, 12), st.integers(1, 4))
def test_single_points_are_allocated_alike_in_both_ways(
    hit: int, wound: int, save: int, damage: Dist, ward: int, attacks: int, wounds: int
) -> None:
    one = attack(hit, wound, save, Dist.certain(1), ward)
    unit = Target(wounds, models=5)
    assert unit.suffer_each(one, attacks).damage.close(unit.suffer(one.times(attacks)).damage)
    heavy = attack(hit, wound, save, damage, ward)
    single = Target(wounds=1, models=5)
    # With one wound a model, an attack slays one model whatever it deals.
    assert single.suffer_each(heavy, attacks).slain.close(single.suffer(heavy.min(1).times(attacks)).slain)


@quick
@given(needed, needed, saves, damages, st.integers(0, 10), st.integers(0, 10), st.integers(1, 4))
def test_weapons_follow_each_other(hit: int, wound: int, save: int, damage: Dist, a: int, b: int, wounds: int) -> None:
    one = attack(hit, wound, save, damage)
    unit = Target(wounds, models=6, before=wounds - 1)
    assert unit.suffer_each(one, a).suffer_each(one, b).damage.close(unit.suffer_each(one, a + b).damage)
    rolled = Dist.of({a: 1, b: 2}) if a != b else Dist.certain(a)
    mixed = Dist.mixture((p, unit.suffer_each(one, n).damage) for n, p in rolled.items())
    assert unit.suffer_each(one, rolled).damage.close(mixed)


@quick
@given(needed, needed, saves, damages, st.integers(2, 7), st.integers(1, 15), st.integers(1, 5))
def test_monotone_in_every_characteristic(
    hit: int, wound: int, save: int, damage: Dist, ward: int, attacks: int, wounds: int
) -> None:
    def losses(hit: int, wound: int, save: int, damage: Dist, ward: int, attacks: int) -> list[Dist]:
        one = attack(hit, wound, save, damage, ward)
        unit = Target(wounds, models=4)
        pooled, each = unit.suffer(one.times(attacks)), unit.suffer_each(one, attacks)
        return [pooled.slain, each.slain, pooled.damage, each.damage]

    base = losses(hit, wound, save, damage, ward, attacks)
    better = [
        losses(max(2, hit - 1), wound, save, damage, ward, attacks),
        losses(hit, max(2, wound - 1), save, damage, ward, attacks),
        losses(hit, wound, min(7, save + 1), damage, ward, attacks),
        losses(hit, wound, save, damage + 1, ward, attacks),
        losses(hit, wound, save, damage, min(7, ward + 1), attacks),
        losses(hit, wound, save, damage, ward, attacks + 1),
    ]
    for more in better:
        for weak, strong in zip(base, more, strict=True):
            assert all(strong.at_least(n) >= weak.at_least(n) - 1e-12 for n in range(weak.high + 1))
    one = attack(hit, wound, save, damage, ward)
    tough = Target(wounds + 1, models=4).suffer_each(one, attacks).slain
    assert all(base[1].at_least(n) >= tough.at_least(n) - 1e-12 for n in range(5))


@quick
@given(st.integers(0, 8), st.integers(0, 6), st.integers(0, 6))
def test_pools_are_multinomial(count: int, misses: int, hits: int) -> None:
    crits = max(0, 6 - misses - hits)
    total = misses + hits + crits or 1
    if not misses + hits + crits:
        misses = 1
    one = Outcomes({"miss": misses / total, "hit": hits / total, "crit": crits / total})
    pool = one.pool(count, "hit", "crit")
    for h, c in product(range(count + 1), repeat=2):
        m = count - h - c
        p = comb(count, h) * comb(count - h, c) * (hits**h * crits**c * misses**m) / total**count if m >= 0 else 0
        assert pool[h, c] == pytest.approx(p, abs=1e-13)
    assert pool.dist(lambda c: 2 * c[0] + 5 * c[1]).close(one.mix({"miss": 0, "hit": 2, "crit": 5}).times(count))
    assert one.pool(count, "hit").dist(lambda c: c[0]).close(pool.dist(lambda c: c[0]))


def test_a_pool_of_a_rolled_number_of_dice() -> None:
    one = faces(6, lambda face: face >= 5)
    pool = one.pool(D3, True)
    assert pool[(2,)] == pytest.approx((one.pool(2, True)[(2,)] + one.pool(3, True)[(2,)]) / 3)


def hit(face: int) -> str:
    return "crit" if face == 6 else "hit" if face >= 4 else "miss"


def test_crits_by_every_face() -> None:
    """Two attacks, hit 4+, wound 3+, save 5+, damage 2: every throw of the dice by hand."""
    wound, save = faces(6, lambda face: face >= 3), faces(6, lambda face: face >= 5)
    after_wound = save.mix({True: 0, False: 2})
    struck = wound.mix({True: after_wound, False: 0})
    cases = {
        "two hits": faces(6, hit).mix({"miss": 0, "hit": struck, "crit": struck.times(2)}),
        "auto-wound": faces(6, hit).mix({"miss": 0, "hit": struck, "crit": after_wound}),
        "mortal": faces(6, hit).mix({"miss": 0, "hit": struck, "crit": 2}),
    }
    seen: dict[str, Counter[int]] = {name: Counter() for name in cases}
    for h, w, s, w2, s2 in product(range(1, 7), repeat=5):
        first, second = (2 if w >= 3 and s < 5 else 0), (2 if w2 >= 3 and s2 < 5 else 0)
        crit = h == 6
        seen["two hits"][first + second if crit else first if h >= 4 else 0] += 1
        seen["auto-wound"][(2 if s < 5 else 0) if crit else first if h >= 4 else 0] += 1
        seen["mortal"][2 if crit else first if h >= 4 else 0] += 1
    for name, one in cases.items():
        assert one.close(Dist.of(seen[name])), name


def test_two_hits_of_one_crit_are_two_attacks_on_models() -> None:
    hits = faces(6, hit).mix({"miss": 0, "hit": 1, "crit": 2}).times(1)
    unit = Target(wounds=2, models=3).suffer_each(Dist.certain(3), attacks=hits)
    assert unit.slain.close(Dist.of({0: 3, 1: 2, 2: 1}))


@pytest.mark.parametrize(("wounds", "before"), [(2, 0), (3, 2), (1, 0)])
def test_icepool_agrees_on_thirty_attacks(wounds: int, before: int) -> None:
    die = icepool.Die([0] * 7 + [1, 1]).if_else((icepool.d6 + 1) // 2, 0)

    def lose(lost: int, damage: int) -> int:
        return lost + min(damage, wounds - lost % wounds)

    lost = reduce(lambda lost, _: icepool.map(lose, lost, die), range(30), icepool.Die([before]))
    unit = Target(wounds, before=before).suffer_each(attack(3, 4, 5, D3), attacks=30)
    assert (unit.damage + before).close(Dist.of({int(v): int(ways) for v, ways in lost.items()}))
    assert unit.destroyed == 0.0


def test_icepool_agrees_on_a_warded_pool() -> None:
    d6 = icepool.d6
    one = icepool.map(lambda h, w, s, damage: damage if h >= 3 and w >= 4 and s < 5 else 0, d6, d6, d6, (d6 + 1) // 2)
    warded = one.map(lambda points: points @ (d6 < 5) if points else 0)
    theirs = (2 @ d6) @ warded
    ours = attack(3, 4, 5, D3, ward=5).times(dice(2))
    assert ours.close(Dist.of({int(v): int(ways) for v, ways in theirs.items()}))


def test_sequences_of_outcomes() -> None:
    test = faces(6, lambda face: face <= 2)
    twice = test.then(lambda passed: test if passed else Outcomes({False: 1.0}))
    assert twice[True] == pytest.approx(1 / 9)
    assert test.given(bool)[True] == 1.0
    assert faces(6, hit).map(lambda outcome: outcome != "miss")[True] == pytest.approx(1 / 2)


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="at least one model"):
        Target(wounds=0)
    with pytest.raises(ValueError, match="cannot have lost 2"):
        Target(wounds=2, before=2)
    with pytest.raises(ValueError, match="cannot be negative"):
        Target(wounds=2).suffer_each(D3 - 2, 3)
    with pytest.raises(ValueError, match="cannot be made"):
        Target(wounds=2).suffer_each(D3, D3 - 2)
    with pytest.raises(ValueError, match="'crit'"):
        faces(6, hit).mix({"miss": 0, "hit": 1})
    with pytest.raises(ValueError, match="sum to one"):
        Outcomes({"hit": 0.5})
    with pytest.raises(ValueError, match="once"):
        faces(6, hit).pool(2, "hit", "hit")
    with pytest.raises(ValueError, match="cannot be thrown"):
        faces(6, hit).pool(-1, "hit")
    with pytest.raises(ValueError, match="cannot happen"):
        faces(6, hit).given(lambda outcome: outcome == "none")
