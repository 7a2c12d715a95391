"""Rankings by one column at a time against SciPy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.feature_selection import f_classif

import entropick as ep
from entropick.errors import InvalidInput
from entropick.measures.baselines.chi2 import ChiSquared
from entropick.measures.baselines.correlation import Pearson
from entropick.measures.baselines.ttest import TTest
from entropick.measures.baselines.variance import Anova, Fisher
from entropick.statistics.levels.levels import LevelStatistics
from entropick.statistics.marginals import Marginals

RANKINGS = ("fisher", "anova", "ttest", "pearson", "chi2", "infogain")


def rows(n=200, d=6, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, d)) * rng.uniform(0.01, 100, d) + rng.uniform(-1e4, 1e4, d)
    X[:, 0] += 0.01 * y * X[:, 0].std()
    X[:, 1] += np.where(y == 1, 2, 0) * X[:, 1].std()
    return X, y


def marginals(X, y, weights=None):
    return Marginals(X.shape[1], int(y.max()) + 1).update(X, y, weights)


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_anova_and_fisher(classes):
    X, y = rows(classes=classes)
    F, p = stats.f_oneway(*(X[y == c] for c in range(classes)))
    centred, _ = f_classif(X - X.mean(axis=0), y)
    np.testing.assert_allclose(Anova(marginals(X, y)).gains(), centred, rtol=1e-8)
    own = Anova(marginals(X, y))
    np.testing.assert_allclose(own.gains(), F, rtol=1e-8)
    np.testing.assert_allclose(own.p_values(), p, rtol=1e-6, atol=1e-300)
    means = np.array([X[y == c].mean(axis=0) for c in range(classes)])
    sizes = np.bincount(y)
    naive = (sizes @ (means - X.mean(axis=0)) ** 2) / sum(sizes[c] * X[y == c].var(axis=0) for c in range(classes))
    np.testing.assert_allclose(Fisher(marginals(X, y)).gains(), naive, rtol=1e-8)


@pytest.mark.parametrize("classes", [2, 4])
def test_welch(classes):
    X, y = rows(classes=classes)
    own = TTest(marginals(X, y))
    for j in range(X.shape[1]):
        tests = [stats.ttest_ind(X[y == c, j], X[y != c, j], equal_var=False) for c in range(classes)]
        assert own.gains()[j] == pytest.approx(max(abs(t.statistic) for t in tests), rel=1e-7)
        factor = 1 if classes == 2 else classes
        assert own.p_values()[j] == pytest.approx(min(1.0, factor * min(t.pvalue for t in tests)), rel=1e-6)


def test_correlation_with_a_number():
    X, _ = rows()
    target = X[:, 2] / X[:, 2].std() + np.random.default_rng(1).normal(size=len(X))
    own = Pearson(Marginals(X.shape[1]).update(X, np.zeros(len(X), int), None, target))
    for j in range(X.shape[1]):
        r, p = stats.pearsonr(X[:, j], target)
        assert own.gains()[j] == pytest.approx(abs(r), rel=1e-8)
        assert own.p_values()[j] == pytest.approx(p, rel=1e-5)


@pytest.mark.parametrize("classes", [2, 3])
def test_correlation_with_classes_is_halls(classes):
    X, y = rows(classes=classes)
    own = Pearson(marginals(X, y))
    for j in range(X.shape[1]):
        found = [stats.pearsonr(X[:, j], (y == c).astype(float)) for c in range(classes)]
        expected = sum(np.mean(y == c) * abs(found[c].statistic) for c in range(classes))
        assert own.gains()[j] == pytest.approx(expected, rel=1e-8)
        factor = 1 if classes == 2 else classes
        assert own.p_values()[j] == pytest.approx(min(1, factor * min(f.pvalue for f in found)), rel=1e-5)


def test_chi_squared():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    X = np.column_stack([rng.integers(0, k, 300) for k in (2, 3, 9, 40)] + [np.zeros(300, int), (y + (y == 2)) % 4])
    own = ChiSquared(LevelStatistics([2, 3, 9, 5000, 3, 4], 3).update(X.T, y))
    for j in (0, 1, 2, 3, 5):
        table = np.array([[np.sum((X[:, j] == a) & (y == c)) for c in range(3)] for a in np.unique(X[:, j])])
        found = stats.chi2_contingency(table, correction=False)
        assert own.gains()[j] == pytest.approx(found.statistic, rel=1e-9)
        assert own.p_values()[j] == pytest.approx(found.pvalue, rel=1e-7)
    assert own.gains()[4] == 0
    assert own.p_values()[4] == 1


def test_marginals_by_blocks_merged_and_weighted():
    X, y = rows(n=230)
    target = np.random.default_rng(2).normal(1e5, 1, 230)
    weights = np.random.default_rng(1).integers(0, 4, 230).astype(float)
    whole = Marginals(6, 3).update(X, y, weights, target)
    repeated = np.repeat(np.arange(230), weights.astype(int))
    plain = Marginals(6, 3).update(X[repeated], y[repeated], None, target[repeated])
    parts = [Marginals(6, 3).update(X[s], y[s], weights[s], target[s]) for s in (slice(0, 7), slice(7, 150))]
    merged = parts[1].merge(parts[0]).update(X[150:], y[150:], weights[150:], target[150:])
    for other in (plain, merged):
        np.testing.assert_allclose(other.counts, whole.counts)
        np.testing.assert_allclose(other.origin + other.shifts, whole.origin + whole.shifts, rtol=1e-12)
        for name in ("squares", "cross", "target_squares"):
            np.testing.assert_allclose(getattr(other, name), getattr(whole, name), rtol=1e-7, atol=1e-9)
    with pytest.raises(InvalidInput, match="other"):
        whole.merge(Marginals(5, 3))
    with pytest.raises(InvalidInput, match="block"):
        whole.update(X[:, :3], y)


@pytest.mark.parametrize("method", RANKINGS)
def test_weights_are_frequencies(method):
    X, y = rows(n=90)
    w = np.random.default_rng(0).integers(0, 4, 90)
    # coded columns: bins of repeated rows are those of weighted ones
    X = np.round((X - X.mean(axis=0)) / X.std(axis=0))
    a = ep.select(X, y, method=method, k=None, sample_weight=w)
    b = ep.select(np.repeat(X, w, axis=0), np.repeat(y, w), method=method, k=None)
    assert a.indices.tolist() == b.indices.tolist()
    np.testing.assert_allclose(a.scores, b.scores, rtol=1e-8)


@pytest.mark.parametrize("method", RANKINGS)
def test_separated_and_constant_columns(method):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = np.column_stack([np.full(60, 1e6), rng.normal(size=60), y * 1.0, rng.normal(size=60)])
    found = ep.select(X, y, method=method, k=None)
    assert found.indices[0] == 2
    assert np.isfinite(found.scores).all()
    assert found.scores[found.indices.tolist().index(0)] == 0
    assert ep.select(X, y, method=method, k="auto").indices.tolist() == [2]


@pytest.mark.parametrize("method", ["fisher", "anova", "ttest", "pearson"])
def test_missing_and_text_are_refused(method):
    X, y = rows()
    X[3, 1] = np.nan
    with pytest.raises(InvalidInput, match="x1"):
        ep.select(X, y, method=method, k=2)
    with pytest.raises(InvalidInput, match="category"):
        ep.select({"a": list("abcd") * 5, "b": list(range(20))}, np.arange(20) % 2, method=method, k=1)


def test_infogain_is_mim():
    X, y = rows()
    a, b = (ep.select(X, y, method=m, k=None) for m in ("infogain", "mim"))
    assert a.indices.tolist() == b.indices.tolist()


def test_random_is_a_draw():
    X, y = rows(d=30)
    a, b, c = (ep.select(X, y, method="random", k=None, random_state=s).indices.tolist() for s in (0, 0, 1))
    assert a == b != c


@pytest.mark.parametrize("method", ["anova", "fisher"])
def test_tiny_columns_score_as_large_ones(method):
    column, y = np.array([[0.0], [0.0], [1.0], [1.0]]), [0, 0, 1, 1]
    scores = [ep.select(column * scale, y, method=method, k=1).steps[0].score for scale in (1.0, 1e-155, 1e-158)]
    assert scores[0] == scores[1] == scores[2]
