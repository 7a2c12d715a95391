"""Moments, rows on demand, normal scores: against NumPy on the rows themselves."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from scipy.stats import norm, rankdata

from entropick.coding.sketch import RankSketch
from entropick.errors import InvalidInput
from entropick.statistics.moments.centred_rows import CentredRows
from entropick.statistics.moments.collect import collect_moments
from entropick.statistics.moments.form import wants_rows
from entropick.statistics.moments.moments import Moments
from entropick.statistics.moments.normal_scores import NormalScores, exact_scores
from entropick.statistics.moments.rivals import halves
from entropick.statistics.moments.views import view_of

MEMORIES = [Moments, CentredRows]


class Target:
    def __init__(self, y, task="classification"):
        self.task, self.codes, self.values = task, y, y
        self.n_classes = int(np.max(y)) + 1 if task == "classification" else 1


def rows(n=400, d=7, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.standard_normal((n, d)) @ rng.standard_normal((d, d)) + rng.standard_normal((classes, d))[y]
    return X * np.logspace(-3, 3, d) + 100, y


def class_covariance(X, y, c):
    return np.cov(X[y == c], rowvar=False, bias=True)


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_class_covariances_are_those_of_the_rows(memory, dtype):
    X, y = rows()
    X = (X * 10 if dtype is np.int64 else X).astype(dtype)[:, 1:]
    view = view_of(memory(6, 3).update(X, y))
    exact = X.astype(np.float64)
    scale = np.where(exact.std(axis=0) > 0, exact.std(axis=0), np.inf)
    for c in range(3):
        expected = class_covariance(exact, y, c) / np.outer(scale, scale)
        got = np.array([view.class_rows(i)[c] for i in range(6)])
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-11)
        np.testing.assert_allclose(view.class_block(c, np.arange(6)), expected, rtol=0, atol=1e-11)
        np.testing.assert_allclose(view.variances[c], expected.diagonal(), rtol=0, atol=1e-11)
    total = np.cov(exact, rowvar=False, bias=True) / np.outer(scale, scale)
    within = sum(view.priors[c] * np.array([view.class_rows(i)[c] for i in range(6)]) for c in range(3))
    np.testing.assert_allclose(within + view.between.T @ view.between, total, rtol=0, atol=1e-11)


@pytest.mark.parametrize("memory", MEMORIES)
def test_blocks_row_order_and_merge_order_change_rounding_only(memory):
    X, y = rows(n=900)
    X[:, 0] += 1e6  # far from zero: unstable sums would show
    order = np.random.default_rng(1).permutation(len(X))
    whole = view_of(memory(7, 3).update(X, y))
    parts = [memory(7, 3).update(X[order[a : a + 130]], y[order[a : a + 130]]) for a in range(0, 900, 130)]
    forth, back = memory(7, 3), memory(7, 3)
    for part in parts:
        forth.merge(part)
    for part in parts[::-1]:
        back.merge(part)
    in_blocks = memory(7, 3)
    for a in range(0, 900, 37):
        in_blocks.update(X[a : a + 37], y[a : a + 37])
    for other in (forth, back, in_blocks):
        view = view_of(other)
        np.testing.assert_allclose(view.counts, whole.counts)
        for i in range(7):
            np.testing.assert_allclose(view.class_rows(i), whole.class_rows(i), rtol=0, atol=1e-12)
            np.testing.assert_allclose(view.means, whole.means, rtol=0, atol=1e-12)


def test_chunks_of_the_buffer_are_merged(monkeypatch):
    X, y = rows()
    whole = Moments(7, 3).update(X, y)
    monkeypatch.setattr(Moments, "_buffer_rows", lambda self: 5)
    chunked = Moments(7, 3).update(X, y)
    for a, b in zip(whole.scatter, chunked.scatter, strict=True):
        np.testing.assert_allclose(np.tril(b), np.tril(a), rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("memory", MEMORIES)
def test_weights_are_repetitions(memory):
    X, y = rows(n=120)
    w = np.random.default_rng(0).integers(1, 4, 120)
    weighted = view_of(memory(7, 3).update(X, y, w))
    repeated = view_of(memory(7, 3).update(np.repeat(X, w, axis=0), np.repeat(y, w)))
    for i in range(7):
        np.testing.assert_allclose(weighted.class_rows(i), repeated.class_rows(i), atol=1e-12)
    np.testing.assert_allclose(weighted.between, repeated.between, atol=1e-12)


@pytest.mark.parametrize("memory", MEMORIES)
def test_rows_chosen_by_number_are_those_rows(memory):
    X, y = rows(n=100)
    some = np.arange(0, 100, 3)
    a = view_of(memory(7, 3).update(X, y, None, some))
    b = view_of(memory(7, 3).update(X[some], y[some]))
    np.testing.assert_allclose(a.class_rows(2), b.class_rows(2), atol=1e-14)


def test_arrays_and_back():
    X, y = rows()
    memory = Moments(7, 3).update(X, y)
    again = Moments.from_arrays(memory.arrays())
    np.testing.assert_array_equal(again.means, memory.means)
    np.testing.assert_array_equal(again.scatter[1], memory.scatter[1])
    again.merge(memory)
    assert again.n_samples == 2 * len(X)
    odd = {"format": 1, "n_targets": 0, "counts": np.ones(2), "origin": np.ones(2), "shifts": np.ones((3, 2))}
    with pytest.raises(ValueError, match="do not fit together"):
        Moments.from_arrays(odd)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(InvalidInput, match=r"block: must be \(n, 3\)"):
        Moments(3, 2).update(np.ones((4, 2)), np.zeros(4, int))
    with pytest.raises(InvalidInput, match="other: must remember"):
        Moments(3, 2).merge(Moments(4, 2))
    with pytest.raises(InvalidInput, match="other: must remember"):
        CentredRows(3, 2).merge(CentredRows(4, 2))


def test_missing_values_are_named():
    X, y = rows(n=60)
    X[3, 4] = np.nan
    for options in ({}, {"marginals": "copula"}, {"pooling": "auto"}, {"form": "rows"}):
        with pytest.raises(InvalidInput, match=r"X: .* column 4"):
            collect_moments(X, Target(y), **options)


def test_empty_class_is_left_out():
    X, y = rows(classes=2)
    view = view_of(Moments(7, 5).update(X, y * 3))
    assert view.n_classes == 2
    np.testing.assert_array_equal(view.present, [0, 3])


def test_rows_are_kept_where_that_is_cheaper():
    assert wants_rows(72, 50_000, 2, 100)
    assert wants_rows(72, 50_000, 2, None)  # the matrices alone would take 40 GB
    assert not wants_rows(50_000, 2_048, 10, 100)
    assert not wants_rows(500, 30, 2, 5)


def test_halves_alternate_within_classes():
    y = np.array([0, 1, 0, 0, 1, 1, 2])
    np.testing.assert_array_equal(halves(y), [0, 0, 1, 0, 1, 0, 0])


# -- normal scores -----------------------------------------------------------------------------------------


def test_exact_scores_are_quantiles_of_middle_ranks():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.standard_normal(200), rng.integers(0, 4, 200)])
    expected = np.column_stack([norm.ppf((rankdata(c) - 0.5) / 200) for c in X.T])
    np.testing.assert_allclose(exact_scores(X), expected, atol=1e-6)
    w = rng.integers(1, 4, 200)
    weighted, repeated = exact_scores(X, w), exact_scores(np.repeat(X, w, axis=0))
    np.testing.assert_allclose(np.repeat(weighted, w, axis=0), repeated, atol=1e-6)


def sketch_of(blocks, width):
    """The sketch of blocks of rows."""
    parts = []
    for block in blocks:
        parts.append(RankSketch(block.shape[1], width))
        parts[-1].add(np.sort(block.T, axis=1))
    return reduce(RankSketch.merged, parts)


def test_scores_by_a_sketch_are_exact_while_small_and_within_its_bounds_when_large():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.exponential(size=20_000), rng.integers(0, 3, 20_000)])
    small = NormalScores(sketch_of([X[:300], X[300:500]], 1024))
    np.testing.assert_allclose(small.transform(X[:500]), exact_scores(X[:500]), atol=1e-6)
    sketch = sketch_of([X[start : start + 1_300] for start in range(0, 20_000, 1_300)], 256)
    ranks = norm.cdf(NormalScores(sketch).transform(X)) - norm.cdf(exact_scores(X))
    assert 0 < max(sketch.low, sketch.high) / 20_000 < 0.02
    assert np.abs(ranks).max() <= max(sketch.low, sketch.high) / 20_000 + 1e-6


def test_scores_ignore_increasing_maps():
    X, _ = rows(n=100)
    np.testing.assert_array_equal(exact_scores(X), exact_scores(np.exp(X / np.abs(X).max())))
