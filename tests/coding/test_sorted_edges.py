"""Columns cut by one sort of a tile against the definition of equal-frequency edges, column by column."""

import numpy as np
import pytest

from entropick.coding.learn import Cutter, _cut_block
from entropick.coding.rules import Bins
from reference.binning import quantile_edges


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("sorted_below", [0, 10_000])  # found by tallies, and in sorted columns
@pytest.mark.parametrize(("n", "d", "bins", "digits", "missing"), [
    (1, 3, 5, 2, 0.0), (57, 40, 5, 3, 0.0), (300, 33, 4, 0, 0.0), (300, 5, 7, 0, 0.3), (600, 3, 5, 1, 0.99),
    (3000, 35, 5, 6, 0.0), (3000, 4, 200, 6, 0.1),
])  # fmt: skip
def test_edges_are_those_of_each_column_alone(monkeypatch, dtype, order, n, d, bins, digits, missing, sorted_below):
    monkeypatch.setattr("entropick.coding.learn.SORTED", sorted_below)
    rng = np.random.default_rng(n + d)
    X = np.round(rng.normal(size=(n, d)), digits)
    if dtype == np.int64:
        X = X * 10
    elif missing:
        X[rng.random(X.shape) < missing] = np.nan
    X = np.asarray(X, dtype=dtype, order=order)
    for column, found in zip(X.T, _cut_block(X, Cutter("quantile", bins, None, None)), strict=True):
        held = column[~np.isnan(column)].astype(float)
        assert found.missing == n - held.size
        expected = np.asarray(quantile_edges(held.tolist(), bins)) if held.size else np.empty(0)
        edges = found.rule.edges if isinstance(found.rule, Bins) else np.empty(0)
        np.testing.assert_array_equal(edges, expected)


@pytest.mark.parametrize("make", [
    lambda rng, n: np.exp(4 * rng.normal(size=n)),  # nearly all in the first buckets
    lambda rng, n: np.where(rng.random(n) < 0.97, 1.5, rng.normal(size=n)),  # the sample knows one value
    lambda rng, n: np.sort(rng.normal(size=n)),
    lambda rng, n: rng.choice([-1.7e308, 1.7e308, 0.0], n) * rng.random(n),  # differences overflow
    lambda rng, n: np.full(n, 3.0),
    lambda rng, n: rng.normal(size=n) * 5e-324 + 1e-310,
])  # fmt: skip
def test_awkward_columns_are_cut_where_their_definition_says(make):
    rng = np.random.default_rng(5)
    X = np.column_stack([make(rng, 5000) for _ in range(3)])
    for column, found in zip(X.T, _cut_block(X, Cutter("quantile", 5, None, None)), strict=True):
        edges = found.rule.edges if isinstance(found.rule, Bins) else np.empty(0)
        np.testing.assert_array_equal(edges, np.asarray(quantile_edges(column.tolist(), 5)))
