"""gc.auto: pooling and marginals chosen from the data."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.errors import InvalidParameter
from entropick.measures.gaussian.auto import GCAuto, first, leaders
from entropick.measures.gaussian.compromise import GCMI
from entropick.statistics.moments.collect import collect_moments
from entropick.statistics.moments.moments import Moments
from entropick.statistics.moments.rivals import Rivals


class Target:
    def __init__(self, y, task="classification"):
        self.task, self.codes, self.values = task, y, y
        self.n_classes = int(np.max(y)) + 1 if task == "classification" else 1


def auto(X, y, task="classification", k=None, **options):
    chosen = {"pooling": "auto", "marginals": "auto", **options}
    statistics = collect_moments(X, Target(y, task), k=k, marginals=chosen["marginals"], pooling=chosen["pooling"])
    return GCAuto(statistics, **chosen)


def covariance_only(n=2000, d=30, seed=0):
    """Two classes with equal means: two columns spread differently, each correlated by class with a third."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.standard_normal((n, d))
    sign = np.where(y == 0, 1.0, -1.0)
    for a, b in ((0, d - 1), (1, d // 2)):
        X[:, b] = 0.8 * sign * X[:, a] + 0.6 * X[:, b]
        X[:, a] *= np.where(y == 0, 1.0, 1.5)
    return X, y, {0, 1, d // 2, d - 1}


def test_classes_that_live_in_their_covariances_are_found():
    X, y, informative = covariance_only()
    m = auto(X, y, k=4)
    assert m.pooling < 1
    assert set(first(m, 4)) == informative
    assert m.details()["contest"]["quadratic judge"] == 1
    assert set(first(GCMI(Moments(30, 2).update(X, y), pooling=1.0), 4)) != informative


def test_heavy_tails_are_pooled():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 3000)
    X = rng.standard_normal((3000, 40))
    X[:, :8] += 0.8 * rng.standard_normal((4, 8))[y]
    X[:, 8:] = np.sign(X[:, 8:]) * np.abs(rng.standard_t(1.2, (3000, 32)))  # wild, and of no class
    m = auto(X, y, k=8)
    assert len(set(first(m, 8)) & set(range(8))) >= 7
    plain = GCMI(Moments(40, 4).update(X, y))
    assert len(set(first(m, 8)) & set(range(8))) >= len(set(first(plain, 8)) & set(range(8)))


def test_contest_is_reported_and_deterministic():
    X, y, _ = covariance_only(n=400, d=8)
    a, b = auto(X, y), auto(X, y)
    assert a.details()["contest"] == b.details()["contest"]
    assert list(first(a, 8)) == list(first(b, 8))
    rivals = {k for k in a.contest if k != "quadratic judge"}
    assert rivals == {f"{m}, pooling {p}" for m in ("raw", "copula") for p in ("0", "0.5", "1")}


def test_the_winner_selects_on_all_rows():
    X, y, _ = covariance_only(n=600, d=10)
    m = auto(X, y, marginals="raw")
    again = GCMI(Moments(10, 2).update(X, y), pooling=m.pooling)
    assert m.view.n_samples == 600
    np.testing.assert_allclose(m.gains(), again.gains(), atol=1e-10)


@pytest.mark.parametrize("n", [14, 60])
def test_few_rows(n):
    rng = np.random.default_rng(1)
    y = np.arange(n) % 2
    X = rng.standard_normal((n, 300))
    X[:, 5] += 3 * y
    m = auto(X, y, k=3)
    assert int(np.argmax(m.gains())) == 5


def test_regression_chooses_marginals():
    rng = np.random.default_rng(2)
    z = rng.standard_normal((500, 6))
    value = z[:, 0] + z[:, 1] + 0.3 * rng.standard_normal(500)
    m = auto(np.column_stack([z]), value, "regression", k=2)
    assert set(first(m, 2)) == {0, 1}
    assert m.pooling == 1.0


def test_pooling_auto_needs_rows():
    X, y, _ = covariance_only(n=100, d=4)
    with pytest.raises(InvalidParameter, match="pooling: must be a number"):
        GCAuto(Moments(4, 2).update(X, y), pooling="auto", marginals="raw")
    with pytest.raises(InvalidParameter, match="marginals: must be one of"):
        collect_moments(X, Target(y), marginals="normal")
    assert isinstance(collect_moments(X, Target(y), pooling="auto"), Rivals)


def test_weights_are_repetitions():
    X, y, _ = covariance_only(n=200, d=6)
    w = np.full(200, 2.0)
    statistics = collect_moments(X, Target(y), w, marginals="auto", pooling="auto")
    m = GCAuto(statistics)
    assert m.view.n_samples == 400


def test_leaders_are_within_one_standard_error():
    marks = np.array([[1.0] * 50 + [0.0] * 50, [0.0] * 3 + [1.0] * 49 + [0.0] * 48, [0.0] * 100])
    np.testing.assert_array_equal(leaders(marks, np.ones(100)), [True, True, False])
