"""The pass over the weights of a logistic regression against one that knows no series and keeps nothing."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.kernels.float_bits import exponential
from entropick.kernels.softmax import _curve, _move, _nudge, sweep
from reference import baselines as reference


def data(n=61, d=4, classes=3, seed=0):
    """Rows with a first column of ones, classes, and weights of rows of sum 1."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = rng.normal(size=(n, d)) + 0.8 * y[:, None]
    X[:, 1] = rng.random(n) < 0.05  # rare: its steps are large
    v = rng.random(n) + 0.1
    return np.column_stack([np.ones(n), (X - X.mean(axis=0)) / X.std(axis=0)]), y, v / v.sum()


def state(X, W):
    margin = X @ W
    e = np.ascontiguousarray(np.exp(margin - margin.max(axis=1, keepdims=True)).T)
    return e, 1.0 / e.sum(axis=0)


@pytest.mark.parametrize(("l1", "l2"), [(0.02, 0.0), (0.02, 0.1), (0.3, 0.0)])
@pytest.mark.parametrize("n", [1, 7, 61])
def test_sweeps_are_the_plain_ones_and_never_raise_the_objective(l1, l2, n):
    X, y, v = (part[:n] for part in data())
    W, plain = np.zeros((5, 3)), np.zeros((5, 3))
    trust, plain_trust = np.ones((5, 3)), np.ones((5, 3))
    e, inverse = state(X, W)
    columns = np.ascontiguousarray(X.T)
    goals = columns @ (v[:, None] * np.eye(3)[y])
    before = np.inf
    for _ in range(12):
        worst = sweep(columns, np.abs(columns).max(axis=1), v, goals, W, trust, e, inverse, l1, l2,
                      np.ones((5, 3), bool), 0.0)  # fmt: skip
        expected = reference.softmax_sweep(X, y, v, plain, plain_trust, l1, l2)
        assert worst == pytest.approx(expected, rel=1e-7, abs=1e-12)
        np.testing.assert_allclose(W, plain, atol=1e-10)
        np.testing.assert_allclose(trust, plain_trust, atol=1e-10)
        np.testing.assert_allclose((e * inverse).T, reference.softmax(X @ W), atol=1e-12)
        after = reference.softmax_objective(X, y, v, W, l1, l2)
        assert after <= before + 1e-12
        before = after


def test_only_what_is_live_and_off_moves():
    X, y, v = data()
    columns = np.ascontiguousarray(X.T)
    goals = columns @ (v[:, None] * np.eye(3)[y])
    live = np.zeros((5, 3), bool)
    live[3, 2] = True
    for least, moved in ((0.0, [[3, 2]]), (10.0, [])):
        W = np.zeros((5, 3))
        e, inverse = state(X, W)
        sweep(columns, np.abs(columns).max(axis=1), v, goals, W, np.ones((5, 3)), e, inverse, 0.01, 0.0, live, least)
        assert np.argwhere(W != 0).tolist() == moved


def test_the_curvature_is_bounded_within_the_radius():
    rng = np.random.default_rng(0)
    x, one = rng.normal(size=1), np.ones(1)
    for margin in (-6.0, -1.0, 0.0, 0.4, 3.0):
        for radius in (1e-6, 0.01, 0.3, 1.0, 3.0):
            p = 1 / (1 + np.exp(-margin - np.linspace(-radius, radius, 101) * x[0]))
            bound = _curve(x, one, p[50:51], one, radius)
            assert x[0] ** 2 * (p * (1 - p)).max() <= bound * (1 + 1e-9)
            assert bound <= x[0] ** 2 * 0.25
    assert _curve(x, one, p[50:51], one, 1e-9) == pytest.approx(x[0] ** 2 * p[50] * (1 - p[50]))


def test_the_series_is_the_exponential():
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, 1000)
    own, inverse = rng.random(1000), 1.0 / (1.0 + rng.random(1000))
    a, b = (own.copy(), inverse.copy()), (own.copy(), inverse.copy())
    _move(x, 0.03, *a)
    _nudge(x, 0.03, *b)
    after = own * np.exp(0.03 * x)
    for moved, kept in (a, b):
        np.testing.assert_allclose(moved, after, rtol=1e-14)
        np.testing.assert_allclose(kept, 1.0 / (1.0 / inverse + after - own), rtol=1e-14)
    for value in (-800.0, -700.0, -1.5, 0.0, 1e-9, 3.0, 42.0, 700.0):
        assert exponential(value) == pytest.approx(np.exp(value), rel=1e-14, abs=1e-300)
