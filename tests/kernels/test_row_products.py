"""Several products with the rows of a wide table, in one pass, against NumPy's one by one."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.kernels.row_products import STRIP, TALL, row_products


@pytest.mark.parametrize("n", [1, 7, 2 * TALL + 3])
@pytest.mark.parametrize("d", [1, STRIP, 2 * STRIP + 5])
def test_each_vector_takes_its_rows(n, d):
    rng = np.random.default_rng(n)
    rows, unit = rng.standard_normal((n, d + 2)), rng.random(d)
    starts, stops = np.array([0, n // 3, n // 2]), np.array([n, n, n // 2])
    left = rng.standard_normal((3, n))
    out = np.full((3, d), 9.0)
    row_products(rows, left, starts, stops, unit, 0, d, out)
    for m in (0, 1):
        expected = left[m, starts[m] :] @ rows[starts[m] :, :d] * unit
        np.testing.assert_allclose(out[m], expected, rtol=1e-12, atol=1e-13)
    assert (out[2] == 9.0).all()  # no rows: left alone


def test_a_share_that_begins_with_a_strip_changes_no_bit():
    rng = np.random.default_rng(0)
    rows, left, unit = rng.standard_normal((21, 3 * STRIP + 7)), rng.standard_normal((1, 21)), np.ones(3 * STRIP + 7)
    ends = np.array([0]), np.array([21])
    whole, shared = np.empty((2, 1, 3 * STRIP + 7))
    row_products(rows, left, *ends, unit, 0, 3 * STRIP + 7, whole)
    row_products(rows, left, *ends, unit, 2 * STRIP, 3 * STRIP + 7, shared)
    row_products(rows, left, *ends, unit, 0, 2 * STRIP, shared)
    np.testing.assert_array_equal(whole, shared)
