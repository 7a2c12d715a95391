"""CMTF against its conditions of optimality, a conic solver, the authors' alternation and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import entropick as ep
from entropick.kernels.multitask import settle
from entropick.measures.baselines import multitask
from entropick.measures.baselines.multitask import CMTF
from entropick.statistics.rows import RowStatistics
from reference import baselines as reference


def data(n, d=12, seed=0):
    """Columns of mean 0 and variance 1, class codes and a number."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = rng.normal(size=(n, d)) + 0.5 * rng.normal(size=(n, 1))
    X[:, 2] += 1.5 * y
    X[:, 5] += np.where(y == 1, 1.5, 0)
    X[:, 6] = X[:, 5] + 0.2 * rng.normal(size=n)
    target = 2 * X[:, 0] - X[:, 3] + 0.5 * X[:, 7] + 0.5 * rng.normal(size=n)
    return (X - X.mean(axis=0)) / X.std(axis=0), y, target


def tasks(y):
    Y = np.where(np.arange(y.max() + 1) == y[:, None], 1.0, -1.0)
    return Y - Y.mean(axis=0)


def solved(X, y, gamma, target=None, weights=None):
    """(D,) scores and the details."""
    own = CMTF(RowStatistics(X, y, int(y.max()) + 1, target=target, weights=weights), gamma=gamma)
    ordering = own.order(1, np.ones(X.shape[1], bool))
    scores = np.empty(X.shape[1])
    scores[ordering.candidates] = ordering.scores
    assert ordering.decided == np.count_nonzero(scores > 0)
    return scores, own.details()


def conic(X, Y, gamma):
    """The same problem for clarabel: min ½ zᵀPz + qᵀz over z = (W, lengths), ‖w_j‖ ≤ length_j."""
    clarabel = pytest.importorskip("clarabel")
    (n, d), t = X.shape, Y.shape[1]
    P = sparse.block_diag([sparse.kron(X.T @ X / n, np.eye(t)), sparse.coo_matrix(np.full((d, d), gamma))])
    q = np.concatenate([-2.0 * (X.T @ Y / n).ravel(), np.zeros(d)])
    A = sparse.lil_matrix((d * (t + 1), d * (t + 1)))
    for j in range(d):
        A[j * (t + 1), d * t + j] = -1.0
        for c in range(t):
            A[j * (t + 1) + 1 + c, j * t + c] = -1.0
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    cones = [clarabel.SecondOrderConeT(t + 1) for _ in range(d)]
    P = sparse.triu(2.0 * P, format="csc")
    found = clarabel.DefaultSolver(P, q, A.tocsc(), np.zeros(A.shape[0]), cones, settings).solve()
    return np.array(found.x[: d * t]).reshape(d, t)


@pytest.mark.parametrize("n", [60, 9])
@pytest.mark.parametrize("gamma", [0.01, 0.2, 3.0])
@pytest.mark.parametrize("regression", [False, True])
def test_the_minimum_of_other_solvers(n, gamma, regression):
    X, y, target = data(n)
    Y = ((target - target.mean()) / target.std())[:, None] if regression else tasks(y)
    scores, told = solved(X, y, gamma, target=target if regression else None)
    assert told["optimality_violation"] <= multitask.TOL
    W = conic(X, Y, gamma)
    assert told["objective"] == pytest.approx(reference.multitask_objective(X, Y, W, gamma), rel=1e-7)
    np.testing.assert_allclose(np.maximum(scores, 0.0), np.linalg.norm(W, axis=1), atol=2e-4)
    alternated = reference.multitask_objective(X, Y, reference.multitask_alternation(X, Y, gamma), gamma)
    assert told["objective"] <= alternated + 1e-12
    assert told["objective"] == pytest.approx(alternated, rel=1e-4)


@pytest.mark.parametrize("fresh", [1, 3, 64])
def test_conditions_and_nearness(monkeypatch, fresh):
    """However few are let in at a time; r_j of the conditions from weights that plain descent finds."""
    monkeypatch.setattr(multitask, "FRESH", fresh)
    X, y, _ = data(90)
    Y, gamma = tasks(y), 0.2
    W = reference.multitask_descent(X, Y, gamma, sweeps=60)
    norms = np.linalg.norm(W, axis=1)
    r, bound = X.T @ (Y - X @ W) / 90, gamma * norms.sum()
    present = norms > 0
    np.testing.assert_allclose(r[present], bound * W[present] / norms[present, None], atol=1e-9)
    assert 0 < np.count_nonzero(norms) < 12
    assert (np.linalg.norm(r[norms == 0], axis=1) < bound).all()
    scores, _ = solved(X, y, gamma)
    np.testing.assert_allclose(scores, np.where(norms > 0, norms, np.linalg.norm(r, axis=1) / bound - 1), atol=1e-7)


def test_the_kernel_is_plain_descent():
    X, y, _ = data(30)
    Y = tasks(y)
    gram, pull, weights = X.T @ X / 30, np.ascontiguousarray(Y.T @ X / 30), np.zeros((3, 12))
    for sweeps in (1, 2, 3):
        settle(gram, pull, weights, 0.1, 0.0, 1)
        np.testing.assert_allclose(weights.T, reference.multitask_descent(X, Y, 0.1, sweeps), atol=1e-12)
        np.testing.assert_allclose(pull.T, X.T @ (Y - X @ weights.T) / 30, atol=1e-12)
    assert settle(gram, pull, weights, 0.1, 1e-10, 1000) <= 1e-10
    kept = weights.copy()
    assert settle(gram, pull, weights, 0.1, 1e-9, 1) <= 1e-9
    np.testing.assert_allclose(weights, kept, atol=1e-9)


def test_by_hand():
    """Two uncorrelated columns of correlation a > b with one task: a − w₁ = b − w₂ = γ (w₁ + w₂), or w₂ = 0."""
    x = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    noise = np.array([1.0, -1.0, -1.0, 1.0])
    target = 2.0 * x[:, 0] + x[:, 1] + 2.0 * noise  # of variance 9
    a, b = 2 / 3, 1 / 3
    scores, told = solved(x, np.zeros(4, int), 0.1, target=target)
    total = (a + b) / 1.2
    np.testing.assert_allclose(scores, [a - 0.1 * total, b - 0.1 * total], rtol=1e-7)
    objective = 1 - a**2 - b**2 + 2 * (0.1 * total) ** 2 + 0.1 * total**2
    assert told["objective"] == pytest.approx(objective, rel=1e-9)
    scores, told = solved(x, np.zeros(4, int), 2.0, target=target)
    np.testing.assert_allclose(scores, [a / 3, b / (2 * a / 3) - 1], rtol=1e-7)
    assert told["objective"] == pytest.approx(1 - a**2 + a**2 * 2 / 3, rel=1e-9)
    single, _ = solved(x[:, :1], np.zeros(4, int), 0.5, target=target)
    assert single[0] == pytest.approx(a / 1.5)


@pytest.mark.parametrize("fresh", [2, 64])
def test_of_copies_the_first_has_the_weight(monkeypatch, fresh):
    monkeypatch.setattr(multitask, "FRESH", fresh)
    X, y, _ = data(120)
    alone, told = solved(X, y, 0.05)
    copied = np.column_stack([X, X[:, 5], 3.0 - 7.0 * X[:, 2], X[:, 0] / 3.0])
    scores, same = solved(copied, y, 0.05)
    np.testing.assert_allclose(scores[:12], alone, atol=1e-7)
    assert (scores[12:] <= 0).all()
    np.testing.assert_allclose(scores[[12, 13]], 0.0, atol=1e-7)
    assert same["objective"] == pytest.approx(told["objective"], rel=1e-9)
    assert same["optimality_violation"] <= 2 * multitask.TOL


def test_nothing_to_explain():
    X, y, _ = data(60)
    for kind in ({"y": np.zeros(60, int)}, {"y": y, "target": np.full(60, 4.0)}):
        scores, told = solved(X, gamma=0.1, **kind)
        assert (scores == -1).all()
        assert told["optimality_violation"] == 0.0
    scores, _ = solved(np.column_stack([np.full(60, 7.0), X[:, 2], np.zeros(60)]), y, 0.1)
    assert scores.tolist()[::2] == [-1.0, -1.0]
    assert scores[1] > 0


def test_weights_are_frequencies():
    X, y, target = data(60)
    w = np.random.default_rng(3).integers(1, 4, 60).astype(float)
    for number in (None, target):
        a, _ = solved(X, y, 0.1, target=number, weights=w)
        rows = np.repeat(np.arange(60), w.astype(int))
        b, _ = solved(X[rows], y[rows], 0.1, target=None if number is None else number[rows])
        np.testing.assert_allclose(a, b, atol=1e-7)


def test_auto_takes_what_has_a_weight():
    X, y, _ = data(120)
    scores, _ = solved(X, y, 0.3)
    found = ep.select(X, y, method="cmtf", k="auto", gamma=0.3, test="chi2")
    assert sorted(found.indices) == np.flatnonzero(scores > 0).tolist()
    assert len(ep.select(X, y, method="cmtf", k=None)) == 12
    one, two = (ep.select(X, y, method="cmtf", k=5, n_jobs=n) for n in (1, 2))
    assert one.indices.tolist() == two.indices.tolist()
    assert one.scores.tolist() == two.scores.tolist()
