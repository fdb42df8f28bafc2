import numpy as np
import pytest
from scipy import stats

from umpire.odds import D6, Outcomes, agree, dice, faces
from umpire.odds.agree import _gamma_above


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 20, 90])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 1.0, 1.1, 2.0, 5.0])
def test_the_tail_of_chi_square(freedom: int, share: float) -> None:
    x = freedom * share
    assert _gamma_above(freedom / 2, x / 2) == pytest.approx(float(stats.chi2.sf(x, freedom)), rel=1e-9)


def test_true_dice_agree_and_false_dice_do_not() -> None:
    rng = np.random.default_rng(5)
    rolls = rng.integers(1, 7, size=(20_000, 2))
    assert agree(dice(2), rolls.sum(axis=1).tolist()).p > 0.01
    assert agree(dice(2), rolls.max(axis=1).tolist()).p == 0.0
    assert agree(D6, (rolls[:, 0] % 6 + 1).tolist()).p > 0.01
    loaded = rng.choice(np.arange(1, 7), size=20_000, p=[0.15, 0.17, 0.17, 0.17, 0.17, 0.17])
    assert agree(D6, loaded.tolist()).p < 1e-4


def test_p_is_spread_evenly_over_true_dice() -> None:
    rng = np.random.default_rng(11)
    ps = [agree(dice(3), rng.integers(1, 7, size=(2_000, 3)).sum(axis=1).tolist()).p for _ in range(300)]
    assert stats.kstest(ps, "uniform").pvalue > 0.01


def test_matches_scipy_where_nothing_is_rare() -> None:
    seen = {1: 30, 2: 41, 3: 29, 4: 35, 5: 22, 6: 43}
    ours = agree(D6, seen)
    theirs = stats.chisquare(list(seen.values()))
    assert ours.chi_square == pytest.approx(float(theirs.statistic))
    assert ours.p == pytest.approx(float(theirs.pvalue))
    assert ours.freedom == 5


def test_rare_results_are_counted_together() -> None:
    odds = Outcomes({"common": 0.997, "rare": 0.001, "rarer": 0.002})
    assert agree(odds, {"common": 997, "rare": 3}).freedom == 0
    assert agree(odds, {"common": 3990, "rare": 10}).freedom == 2 - 1


def test_outcomes_may_be_compared_too() -> None:
    assert agree(faces(6, lambda face: face >= 5), [True] * 100 + [False] * 200).p == 1.0
    assert agree(faces(6, lambda face: face >= 5), ["hit"]).p == 0.0


def test_nothing_seen_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing was seen"):
        agree(D6, [])
