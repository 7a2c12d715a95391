"""The loops over conditional variances against NumPy, term by term."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.kernels.variances import half_log_ratios, half_logs, less, project_out, squared_lengths, sweep, take_away


def test_half_logs_to_the_last_digit():
    rng = np.random.default_rng(0)
    near_one = 1 + rng.uniform(-1, 1, 20_000) * 10.0 ** rng.uniform(-16, -1, 20_000)
    values = np.concatenate([10.0 ** rng.uniform(-290, 290, 20_000), near_one, [1.0, 0.5, 2.0]])
    out = np.empty_like(values)
    half_logs(values, 1e-300, out)
    exact = 0.5 * np.log(values.astype(np.longdouble))
    np.testing.assert_allclose(out, exact.astype(float), rtol=4e-16, atol=0)
    assert out[-3] == 0.0


@pytest.mark.parametrize("value", [0.0, -1.0, 1e-12])
def test_what_is_below_the_floor_is_the_floor(value):
    out = np.empty(1)
    half_logs(np.array([value]), 1e-10, out)
    assert out[0] == pytest.approx(0.5 * np.log(1e-10), rel=1e-15)
    half_log_ratios(np.array([value]), np.array([0.0]), 1e-10, out)
    assert out[0] == 0.0


def test_ratios_and_updates():
    rng = np.random.default_rng(1)
    low, extra, rows = rng.random(1_001), rng.random(1_001), 0.5 * rng.standard_normal(1_001)
    out = np.empty(1_001)
    half_log_ratios(low, extra, 1e-10, out)
    np.testing.assert_allclose(out, 0.5 * np.log((low + extra) / low), rtol=1e-14)
    variances = low.copy()
    take_away(variances, rows)
    np.testing.assert_allclose(variances, np.maximum(low - rows**2, 0.0), rtol=1e-13, atol=1e-16)
    less(extra, 0.25, rows)
    np.testing.assert_allclose(extra, np.random.default_rng(1).random(2_002)[1_001:] - 0.25 * rows, atol=1e-15)


def test_what_a_basis_leaves_of_a_column():
    rng = np.random.default_rng(2)
    basis, column = rng.standard_normal((3, 4, 9)), rng.standard_normal((3, 9))
    out = np.empty((3, 9))
    left = project_out(basis, column, out)
    for m in range(3):
        inner = basis[m] @ column[m]
        np.testing.assert_allclose(out[m], column[m] - inner @ basis[m], rtol=1e-12, atol=1e-13)
        assert left[m] == pytest.approx(column[m] @ column[m] - inner @ inner, rel=1e-12)


@pytest.mark.parametrize("g", [1, 3])
def test_squared_lengths(g):
    rng = np.random.default_rng(3)
    lower, z = np.tril(rng.standard_normal((g, g))), rng.standard_normal((g, 1_001))
    out = np.empty(1_001)
    squared_lengths(lower, z, out)
    np.testing.assert_allclose(out, ((lower @ z) ** 2).sum(axis=0), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("k", [0, 1, 7])
def test_sweep(k):
    random = np.random.default_rng(k)
    rows, factors, row = random.normal(size=(k, 300)), random.normal(size=k), random.normal(size=300)
    expected = rows - np.outer(factors, row)
    lengths = np.full(300, np.nan)
    sweep(rows, factors, row, lengths)
    np.testing.assert_allclose(rows, expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(lengths, (expected**2).sum(axis=0), rtol=1e-12, atol=1e-14)
