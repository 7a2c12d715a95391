"""Options that do as the papers do where the default does otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import lars_path

import entropick as ep
from entropick.coding.binning import sigma_edges
from entropick.errors import InvalidParameter

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 300)
X = np.column_stack(
    [np.where(RNG.random(300) < 0.25 + 0.03 * j, Y, RNG.integers(0, 3 + j % 3, 300)) for j in range(10)]
)
H = ep.mutual_information_matrix(X, discretizer=None)
F = ep.mutual_information(X, Y, discretizer=None)


def select(method, k=None, **how):
    return ep.select(X, Y, method=method, k=k, discretizer=None, random_state=0, **how)


def program(M, alpha):
    """Weights on the simplex by a general solver."""
    n = len(M)
    found = minimize(
        lambda w: 0.5 * (1 - alpha) * w @ M @ w - alpha * F @ w, np.full(n, 1 / n),
        jac=lambda w: (1 - alpha) * M @ w - alpha * F, bounds=[(0, 1)] * n,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1}, options={"ftol": 1e-15, "maxiter": 2000},
    )  # fmt: skip
    return found.x


@pytest.mark.parametrize("rank", [1, 3, 6])
def test_qpfs_by_its_largest_eigenvalues(rank):
    values, vectors = np.linalg.eigh(H)
    part = (vectors[:, -rank:] * values[-rank:]) @ vectors[:, -rank:].T
    found = select("qpfs", balance=0.4, rank=rank)
    w = np.array(found.details["weights"])
    expected = program(part, 0.4)

    def objective(w):
        return 0.3 * w @ part @ w - 0.4 * F @ w

    assert objective(w) <= objective(expected) + 1e-9
    assert found.details["rank"] == rank
    assert found.details["convex_shift"] == 0


def test_qpfs_of_full_rank_is_qpfs():
    """Where no eigenvalue is below zero, all of them are the matrix."""
    assert np.linalg.eigvalsh(H)[0] > 0
    np.testing.assert_allclose(select("qpfs", rank=10).details["weights"], select("qpfs").details["weights"])
    np.testing.assert_allclose(select("qpfs", rank=9, nystrom=0.99).details["weights"][0],
                               select("qpfs", rank=9).details["weights"][0], atol=1e-6)  # fmt: skip


@pytest.mark.parametrize("method", ["spec.cmi", "qpfs", "eqpfs"])
def test_nystrom_with_the_diagonal_as_it_is(method):
    """The value of a single feature is its entry of the diagonal: known exactly, or what sampling makes of it."""
    sampled = {"nystrom": 0.4, "measure": method, "discretizer": None}
    singles = [[j] for j in range(10)]
    restored = ep.information(X, Y, singles, **sampled)
    letter = ep.information(X, Y, singles, restore_diagonal=False, **sampled)
    if method == "spec.cmi":
        np.testing.assert_allclose(restored, F)
        Q = ep.conditional_information_matrix(X, Y, discretizer=None)
        sample = np.sort(np.random.default_rng(0).choice(10, 4, replace=False))
        A, rows = Q[np.ix_(sample, sample)], Q[sample]
        values = np.linalg.eigvalsh(A)
        lift = 0 if values[0] > 1e-8 * values[-1] else 2 * max(0, -values[0]) + 1e-8 * values[-1]
        rows = rows.copy()
        rows[np.arange(4), sample] += lift
        approximated = rows.T @ np.linalg.inv(A + lift * np.eye(4)) @ rows
        np.testing.assert_allclose(letter, np.diag(approximated), atol=1e-10)
    assert not np.allclose(restored, letter)
    assert select(method, 4, nystrom=0.4, restore_diagonal=False).indices.size == 4


def test_mrmr_of_the_set():
    """Φ by its formula with terms of a feature with itself; greedy picks add what leaves it highest."""

    def phi(some):
        return F[some].mean() - H[np.ix_(some, some)].mean()

    found = select("mrmr.set", 4)
    picks = []
    for score, pick in zip(found.scores, found.indices, strict=True):
        able = [j for j in range(10) if j not in picks]
        values = np.array([phi([*picks, j]) for j in able])
        assert pick == able[int(values.argmax())]
        assert score == pytest.approx(values.max() - (phi(picks) if picks else 0))
        picks.append(int(pick))
    assert ep.information(X, Y, picks, measure="mrmr.set", discretizer=None) == pytest.approx(phi(picks))
    best = select("mrmr.set", 4, search="exhaustive")
    assert best.details["value"] >= phi(picks)
    # what mrmr calls redundancy has no own terms: a feature of many levels is dear here only
    assert found.indices.tolist() != select("mrmr", 4).indices.tolist()


def test_lasso_by_squares_on_two_classes():
    rng = np.random.default_rng(1)
    table = rng.normal(size=(80, 12))
    y = (table[:, 3] - table[:, 7] + rng.normal(size=80) > 0).astype(int)
    scaled = (table - table.mean(0)) / table.std(0)
    signs = 2.0 * y - 1
    target = (signs - signs.mean()) / signs.std()
    _, _, path = lars_path(scaled, target, method="lasso")
    at = int(np.argmax((path != 0).sum(axis=0) >= 4))
    found = ep.select(table, y, method="lasso", k=4, loss="squares")
    assert sorted(found.indices) == np.flatnonzero(path[:, at]).tolist()
    numbers = ep.select(table, signs, method="lasso", k=4, task="regression")
    assert found.indices.tolist() == numbers.indices.tolist()
    with pytest.raises(InvalidParameter, match="'squares' is for numbers and two classes, got 3"):
        ep.select(table, np.arange(80) % 3, method="lasso", k=4, loss="squares")


def test_cuts_at_multiples_of_the_deviation():
    x = RNG.normal(3, 2, 500)
    np.testing.assert_allclose(sigma_edges(x, 5), x.mean() + x.std() * np.array([-1.5, -0.5, 0.5, 1.5]))
    weights = RNG.integers(0, 4, 500)
    np.testing.assert_allclose(sigma_edges(x, 5, weights.astype(float)), sigma_edges(np.repeat(x, weights), 5))
    skewed = np.r_[np.zeros(90), np.full(10, 100.0)]  # σ = 30: cuts below 0 cut nothing off
    np.testing.assert_allclose(sigma_edges(skewed, 5), [25, 55])
    assert sigma_edges(np.full(9, 3.0), 5).size == 0
    assert np.isfinite(sigma_edges(np.array([1e300, -1e300, 3e299]), 5)).all()
    y = (x > 4).astype(int)
    level = np.digitize(x, x.mean() + x.std() * np.array([-1.5, -0.5, 0.5, 1.5]), right=True)
    assert ep.mutual_information(x[:, None], y, discretizer="sigma")[0] == pytest.approx(
        ep.mutual_information(level[:, None], y, discretizer=None)[0]
    )
