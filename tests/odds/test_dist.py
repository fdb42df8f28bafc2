"""The algebra of distributions: properties, exact fractions, icepool."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from umpire.odds import D3, D6, D66, Dist, d, dice, highest, lowest, opposed, roll_off, throws

weights = st.dictionaries(st.integers(-4, 9), st.integers(1, 20), min_size=1, max_size=6)
dists = weights.map(Dist.of)
quick = settings(max_examples=60, deadline=None)


def enumerated(*numbers: dict[int, int], read: Callable[..., int]) -> Dist:
    """What `read` gives on independent numbers, from every combination in whole weights."""
    seen: Counter[int] = Counter()
    for values in product(*numbers):
        ways = 1
        for number, value in zip(numbers, values, strict=True):
            ways *= number[value]
        seen[read(*values)] += ways
    total = seen.total()
    return Dist.of({value: float(Fraction(ways, total)) for value, ways in seen.items()})


def same(ours: Dist, theirs: "icepool.Die[int]") -> bool:
    return ours.close(Dist.of({int(value): int(ways) for value, ways in theirs.items()}))


@quick
@given(weights, weights)
def test_two_independent_numbers(a: dict[int, int], b: dict[int, int]) -> None:
    x, y = Dist.of(a), Dist.of(b)
    assert (x + y).close(enumerated(a, b, read=lambda p, q: p + q))
    assert (x - y).close(enumerated(a, b, read=lambda p, q: p - q))
    assert x.max(y).close(enumerated(a, b, read=max))
    assert x.min(y).close(enumerated(a, b, read=min))
    assert opposed(x, y, lambda p, q: p * q).dist(int).close(enumerated(a, b, read=lambda p, q: p * q))


@quick
@given(weights, st.integers(-3, 3), st.integers(1, 4))
def test_one_number_changed(a: dict[int, int], k: int, divisor: int) -> None:
    x = Dist.of(a)
    assert (x + k).close(enumerated(a, read=lambda p: p + k))
    assert (k - x).close(enumerated(a, read=lambda p: k - p))
    assert (x * k).close(enumerated(a, read=lambda p: p * k))
    assert (x // divisor).close(enumerated(a, read=lambda p: p // divisor))
    assert x.min(k).close(enumerated(a, read=lambda p: min(p, k)))
    assert x.max(k).close(x.map(lambda p: max(p, k)))


@quick
@given(dists, st.integers(-6, 12))
def test_chances_sum_to_one_and_tails_meet(x: Dist, n: int) -> None:
    assert sum(p for _, p in x.items()) == pytest.approx(1)
    assert x.at_least(n) + x.at_most(n - 1) == pytest.approx(1)
    assert x.at_least(n) - x.at_least(n + 1) == pytest.approx(x[n])
    assert x.low <= x.quantile(0.5) <= x.high
    assert x[x.mode] == pytest.approx(max(p for _, p in x.items()))


@quick
@given(dists, dists)
def test_means_and_variances_add(x: Dist, y: Dist) -> None:
    assert (x + y).mean == pytest.approx(x.mean + y.mean)
    assert (x - y).variance == pytest.approx(x.variance + y.variance)


@quick
@given(dists, st.integers(0, 7))
def test_times_is_repeated_addition(x: Dist, n: int) -> None:
    total = Dist.certain(0)
    for _ in range(n):
        total = total + x
    assert x.times(n).close(total)
    assert x.times(Dist.certain(n)).close(total)


@quick
@given(dists, st.dictionaries(st.integers(0, 5), st.integers(1, 9), min_size=1, max_size=4))
def test_a_rolled_count_mixes_the_counts(x: Dist, counts: dict[int, int]) -> None:
    rolled = Dist.of(counts)
    assert x.times(rolled).close(Dist.mixture((p, x.times(n)) for n, p in rolled.items()))


@quick
@given(dists, st.integers(-4, 9))
def test_a_reroll_happens_once_and_the_second_result_stands(x: Dist, least: int) -> None:
    again = x.reroll(lambda value: value < least)
    failed = x.at_most(least - 1)
    assert again.at_least(least) == pytest.approx(1 - failed**2)
    assert again.close(x.mix(lambda value: x if value < least else value))
    with pytest.raises(ValueError, match="never re-rolled twice"):
        again.reroll(lambda value: value < least)


def test_a_reroll_of_everything_changes_nothing() -> None:
    assert D6.reroll(lambda _: True).close(D6)


@quick
@given(dists.map(lambda x: x.max(0)), st.floats(0, 1))
def test_thinning_keeps_each_point_on_its_own(x: Dist, keep: float) -> None:
    assert x.thin(keep).mean == pytest.approx(x.mean * keep, abs=1e-9)
    assert x.thin(1).close(x)
    assert x.thin(0).close(Dist.certain(0))


def test_given_is_throwing_until_it_holds() -> None:
    assert D6.given(lambda face: face % 2 == 0) == Dist.of({2: 1, 4: 1, 6: 1})
    with pytest.raises(ValueError, match="cannot happen"):
        D6.given(lambda face: face > 6)


@pytest.mark.parametrize(("keep", "of"), [(1, 2), (2, 3), (3, 4), (2, 5), (3, 3), (0, 2)])
def test_kept_dice(keep: int, of: int) -> None:
    faces = dict.fromkeys(range(1, 7), 1)
    assert highest(keep, of).close(enumerated(*[faces] * of, read=lambda *f: sum(sorted(f)[of - keep :])))
    assert lowest(keep, of).close(enumerated(*[faces] * of, read=lambda *f: sum(sorted(f)[:keep])))


def test_named_dice() -> None:
    assert D3.close(Dist.of({1: 1, 2: 1, 3: 1}))
    assert len(list(D66.items())) == 36
    assert D66[17] == 0
    assert (D66.low, D66.high) == (11, 66)
    assert D66[34] == pytest.approx(1 / 36)
    assert dice(2).at_least(7) == pytest.approx(21 / 36)


def test_icepool_agrees() -> None:
    d6 = icepool.d6
    assert same(dice(2), 2 @ d6)
    assert same(highest(2, of=3), d6.highest(3, 2))
    assert same(lowest(1, of=4), d6.lowest(4, 1))
    assert same(D6.times(D6), d6 @ d6)
    assert same(D6.reroll(lambda face: face == 1), d6.reroll([1], depth=1))
    assert same(dice(2).reroll(lambda total: total < 8), (2 @ d6).reroll(lambda total: total < 8, depth=1))
    assert same(D6.max(dice(2) - 3), icepool.highest(d6, 2 @ d6 - 3))
    won, tied = (d6 + 1 > d6).probability(True), (d6 + 1 == d6).probability(True)
    assert roll_off(D6 + 1) == pytest.approx(float(won / (1 - tied)))


def test_throws_are_every_throw() -> None:
    assert throws(3).dist(sum).close(dice(3))
    assert throws(2)[3, 5] == pytest.approx(2 / 36)
    by_hand = Counter(tuple(sorted(Counter(f).values(), reverse=True)) for f in product(range(1, 7), repeat=6))
    shapes = throws(6).map(lambda f: tuple(sorted(Counter(f).values(), reverse=True)))
    assert {shape: pytest.approx(ways / 6**6) for shape, ways in by_hand.items()} == dict(shapes.items())


def test_roll_offs() -> None:
    assert roll_off(d(6), d(6)) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="always tie"):
        roll_off(Dist.certain(3), Dist.certain(3))


def test_quantiles_of_a_die() -> None:
    assert [D6.quantile(share) for share in (0, 1 / 6, 0.17, 0.5, 1)] == [1, 1, 2, 3, 6]
    with pytest.raises(ValueError, match="from 0 to 1"):
        D6.quantile(1.5)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lambda: Dist([]), "non-empty"),
        (lambda: Dist([0.5, 0.4]), "sum to one"),
        (lambda: Dist([1.5, -0.5]), "from 0 to 1"),
        (lambda: Dist([float("nan")]), "from 0 to 1"),
        (lambda: Dist.chance(1.2), "from 0 to 1"),
        (lambda: Dist.of({}), "one at least"),
        (lambda: Dist.of({1: 0}), "above zero"),
        (lambda: Dist.mixture([(0.5, 1)]), "sum to one"),
        (lambda: D6.times(-1), "added up"),
        (lambda: D6.times(D6 - 2), "added up"),
        (lambda: D6 // 0, "divide"),
        (lambda: d(0), "no number"),
        (lambda: highest(3, of=2), "cannot be kept"),
    ],
)
def test_bad_input_is_named(wrong: Callable[[], object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        wrong()


def test_fractions_of_a_point_are_refused() -> None:
    with pytest.raises(TypeError):
        D6 + 0.5  # type: ignore[operator]


def test_chances_that_rounding_lifts_above_one_are_certain() -> None:
    assert Dist.chance(1 + 1e-15) == Dist.certain(1)


def test_the_possible_values_in_order() -> None:
    assert list(Dist.of({4: 1, 1: 1})) == [1, 4]
    assert 2 not in Dist.of({4: 1, 1: 1})


def test_a_distribution_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        D6.pmf[0] = 1.0
