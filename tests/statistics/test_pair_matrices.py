"""The matrices of all pairs against cells counted one by one."""

import numpy as np
import pytest

from entropick.errors import InvalidInput, InvalidParameter
from entropick.statistics.levels.levels import LevelStatistics
from entropick.statistics.levels.pair_matrices import LevelPairs
from entropick.statistics.pair_correlations import CorrelationPairs
from entropick.statistics.rows import RowStatistics
from reference import global_selection as slow


def coded(d=9, n=150, seed=0, weights=None, n_jobs=None, estimator="plugin"):
    random = np.random.default_rng(seed)
    levels = np.array([2, 5, 3, 9, 2, 40, 1, 4, 17])[:d]
    codes = np.array([random.integers(0, level, n) for level in levels])
    y = random.integers(0, 3, n)
    codes[1] = (y + random.integers(0, 2, n)) % 5
    codes[4] = codes[0]
    statistics = LevelStatistics(levels, 3, n_jobs=n_jobs, estimator=estimator).update(codes, y, weights)
    return codes, y, LevelPairs(statistics)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_matrices_are_those_counted_cell_by_cell(n_jobs):
    codes, y, pairs = coded(n_jobs=n_jobs)
    f, H1, H2, Q = slow.matrices(codes, y)
    np.testing.assert_allclose(pairs.relevance, f, atol=1e-9)
    np.testing.assert_allclose(pairs.matrix("redundancy"), H1, atol=1e-9)
    np.testing.assert_allclose(pairs.matrix("conditional"), H2, atol=1e-9)
    np.testing.assert_allclose(pairs.matrix("complement"), Q, atol=1e-9)
    total = H1 - 0.7 * H2
    np.fill_diagonal(total, 0.0)
    np.testing.assert_allclose(pairs.matrix("total", beta=0.7), total, atol=1e-9)


@pytest.mark.parametrize("kind", LevelPairs.kinds)
def test_rows_are_those_of_the_matrix_to_the_bit(kind):
    _, _, pairs = coded()
    whole = pairs.matrix(kind)
    assert np.array_equal(whole, whole.T)
    index = np.array([7, 0, 5])
    assert np.array_equal(pairs.rows(kind, index), whole[index])


def test_a_matrix_beyond_the_memory_limit_is_on_disk_and_the_same():
    _, _, pairs = coded()
    stored = pairs.matrix("complement", memory=1e-9)
    assert isinstance(stored, np.memmap)
    assert np.array_equal(stored, pairs.matrix("complement"))


def test_more_features_than_a_tile():
    random = np.random.default_rng(3)
    levels = random.integers(2, 6, 300)
    codes = np.array([random.integers(0, level, 40) for level in levels])
    y = random.integers(0, 2, 40)
    one, two = (LevelPairs(LevelStatistics(levels, 2, n_jobs=j).update(codes, y)) for j in (1, 2))
    whole = one.matrix("complement")
    assert np.array_equal(whole, two.matrix("complement"))
    some = random.choice(300, (40, 2))
    for i, j in some:
        if i != j:
            a, b = codes[i], codes[j]
            expected = slow.conditional_information(a, y, b) + slow.conditional_information(b, y, a)
            assert whole[i, j] == pytest.approx(expected / 2, abs=1e-9)


def test_weights_are_repetitions():
    random = np.random.default_rng(1)
    weights = random.integers(1, 4, 150).astype(float)
    codes, y, pairs = coded(weights=weights)
    again = np.repeat(np.arange(150), weights.astype(int))
    _, _, _, Q = slow.matrices(codes[:, again], y[again])
    np.testing.assert_allclose(pairs.matrix("complement"), Q, atol=1e-9)


def test_an_unknown_kind_is_named():
    _, _, pairs = coded()
    with pytest.raises(InvalidParameter, match="redundancy, conditional"):
        pairs.matrix("magic")


def rows(n=60, seed=0, target=None, weights=None):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, 6))
    X[:, 1] = random.integers(0, 3, n)
    X[:, 2] = random.integers(0, 4, n)
    X[:, 3] = 2.0
    X[:, 4] += X[:, 0]
    category = np.array([False, True, True, False, False, False])
    y = random.integers(0, 3, n)
    return RowStatistics(X, y, 3, target=target, weights=weights, categorical=category), X, y, category


def test_correlations_are_halls():
    statistics, X, y, category = rows()
    pairs = CorrelationPairs(statistics)
    expected = [[slow.hall(X[:, i], X[:, j], category[i], category[j]) for j in range(6)] for i in range(6)]
    np.testing.assert_allclose(pairs.matrix("redundancy"), expected, atol=1e-12)
    np.testing.assert_allclose(pairs.diagonal("redundancy"), np.diag(expected), atol=1e-12)
    np.testing.assert_allclose(pairs.rows("redundancy", np.array([4, 1])), np.array(expected)[[4, 1]], atol=1e-12)
    np.testing.assert_allclose(
        pairs.relevance, [slow.hall(X[:, j], y, category[j], True) for j in range(6)], atol=1e-12
    )


def test_correlations_with_a_number_as_target():
    value = np.random.default_rng(5).standard_normal(60)
    statistics, X, _, category = rows(target=value)
    expected = [slow.hall(X[:, j], value, category[j], False) for j in range(6)]
    np.testing.assert_allclose(CorrelationPairs(statistics).relevance, expected, atol=1e-12)


def test_correlations_take_weights_as_repetitions():
    weights = np.random.default_rng(2).integers(1, 4, 60).astype(float)
    statistics, X, y, category = rows(weights=weights)
    again = np.repeat(np.arange(60), weights.astype(int))
    twin = CorrelationPairs(RowStatistics(X[again], y[again], 3, categorical=category))
    pairs = CorrelationPairs(statistics)
    np.testing.assert_allclose(pairs.matrix("redundancy"), twin.matrix("redundancy"), atol=1e-12)
    np.testing.assert_allclose(pairs.relevance, twin.relevance, atol=1e-12)


def test_correlations_refuse_what_they_cannot_tell():
    statistics, X, y, _ = rows()
    with pytest.raises(InvalidParameter, match="redundancy only"):
        CorrelationPairs(statistics).matrix("complement")
    X = X.copy()
    X[3, 0] = np.nan
    with pytest.raises(InvalidInput, match="NaN"):
        CorrelationPairs(RowStatistics(X, y, 3))
