"""Columns cut by one sort of a tile against the definition of equal-frequency edges, column by column."""

import numpy as np
import pytest

from entropick.coding.learn import Cutter, _cut_block
from entropick.coding.rules import Bins
from reference.binning import quantile_edges


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("n", "d", "bins", "digits", "missing"), [
    (1, 3, 5, 2, 0.0), (57, 40, 5, 3, 0.0), (300, 33, 4, 0, 0.0), (300, 5, 7, 0, 0.3), (600, 3, 5, 1, 0.99),
])  # fmt: skip
def test_edges_are_those_of_each_column_alone(dtype, order, n, d, bins, digits, missing):
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
