"""FCBF and CFS against lists and queues written out; what they count."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from entropick.measures.baselines.merit import CFS
from entropick.measures.baselines.predominant import FCBF
from entropick.search.best_first import best_first
from entropick.search.task import Task
from entropick.statistics.levels.levels import LevelStatistics
from reference import baselines as reference


def coded(n=150, d=9, seed=0):
    """Noisy copies of the class, copies of those, and noise."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    X = rng.integers(0, 3, (n, d))
    for j in range(0, d, 2):
        X[:, j] = np.where(rng.random(n) < rng.uniform(0.2, 0.7), y, X[:, j])
    for j in range(1, d, 4):
        X[:, j] = np.where(rng.random(n) < 0.8, X[:, j - 1], X[:, j])
    return X, y


def statistics(X, y):
    return LevelStatistics(X.max(axis=0) + 1, int(y.max()) + 1).update(X.T, y)


@pytest.mark.parametrize("seed", range(6))
def test_fcbf_is_the_list_of_yu_and_liu(seed):
    X, y = coded(seed=seed)
    expected = reference.fcbf(X.T.tolist(), y.tolist())
    found = ep.select(X, y, method="fcbf", k=None, discretizer=None)
    assert found.indices[: len(expected)].tolist() == expected
    assert (found.scores[: len(expected)] > 0).all()
    assert (found.scores[len(expected) :] <= 0).all()
    su = [reference.uncertainty(X[:, j].tolist(), y.tolist()) for j in expected]
    np.testing.assert_allclose(found.scores[: len(expected)], su, atol=1e-12)
    assert found.details["pairs_computed"] <= found.details["pairs_possible"] == 36


def test_fcbf_stops_by_itself():
    X, y = coded(n=400)
    X = np.column_stack([X, np.random.default_rng(9).integers(0, 3, (400, 30))])
    found = ep.select(X, y, method="fcbf", k="auto", discretizer=None, test="chi2")
    assert set(found.indices) <= set(range(9))
    assert len(found) >= 2
    assert "predominant" in found.stopped


def test_fcbf_threshold():
    X, y = coded()
    high = FCBF(statistics(X, y), delta=0.2)
    assert ((high.gains() > 0) == (high.relevance > 0.2)).all()


@pytest.mark.parametrize("seed", range(6))
def test_merit_and_best_first(seed):
    X, y = coded(seed=seed, d=8)
    columns, labels = X.T.tolist(), y.tolist()
    own = CFS(statistics(X, y))
    for members in ([], [3], [0, 2, 5], list(range(8))):
        assert own.merit(members) == pytest.approx(reference.merit(columns, labels, members), abs=1e-12)
    merits = own.merits([1, 4])
    assert merits[6] == pytest.approx(reference.merit(columns, labels, [1, 4, 6]), abs=1e-12)
    best, worth = reference.cfs_best_first(columns, labels)
    outcome = best_first(own, Task(8, np.ones(8, bool)))
    size = outcome.details["best_set_size"]
    chosen = [choice.candidate for choice in outcome.choices]
    assert sorted(chosen[:size]) == sorted(best)
    assert own.merit(chosen[:size]) == pytest.approx(worth, abs=1e-12)
    assert sorted(chosen) == list(range(8))


def test_cfs_by_itself_by_number_and_forward():
    X, y = coded(n=400)
    X = np.column_stack([X, np.random.default_rng(9).integers(0, 3, (400, 60))])
    auto = ep.select(X, y, method="cfs", k="auto", discretizer=None)
    assert set(auto.indices) <= set(range(9))
    assert auto.details["pairs_computed"] < 0.5 * auto.details["pairs_possible"]
    more = ep.select(X, y, method="cfs", k=20, discretizer=None)
    assert len(more) == 20
    forward = ep.select(X, y, method="cfs", k=3, search="forward", discretizer=None)
    assert forward.steps[2].extra["merit"] == pytest.approx(forward.scores.sum())
    held = ep.select(X, y, method="cfs", k=4, include=[40], exclude=[0], discretizer=None)
    assert held.indices[0] == 40
    assert 0 not in held.indices


def test_nothing_but_constant_columns():
    X, y = np.ones((20, 3), int), np.arange(20) % 2
    for method in ("fcbf", "cfs"):
        assert ep.select(X, y, method=method, k=2).indices.tolist() == [0, 1]
        assert len(ep.select(X, y, method=method, k="auto")) == 0
