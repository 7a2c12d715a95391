"""The search that may begin with a pair: against all pairs counted one by one, and where it must change nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import entropick as ep
from entropick.errors import InvalidParameter
from entropick.measures.pairwise.linear import JMI
from entropick.methods import REGISTRY
from entropick.statistics.levels.levels import LevelStatistics

METHODS = [name for name, method in REGISTRY.items() if "pairs" in method.searches]


def interacting(n=600, D=25, seed=0):
    """Columns 3 and 17 say something only together, column 8 a little alone."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, (n, D))
    y = ((X[:, 3] > 0) ^ (X[:, 17] > 0) ^ (random.random(n) < 0.1)).astype(int)
    X[:, 8] = np.where(random.random(n) < 0.35, y, X[:, 8])
    return X, y


def information(X, y, i, j):
    """I(X_iX_j;Y) of a table counted by hand, nats."""
    _, cell = np.unique(X[:, [i, j]], axis=0, return_inverse=True)
    table = np.zeros((cell.max() + 1, y.max() + 1))
    np.add.at(table, (cell.ravel(), y), 1 / len(y))
    seen = table > 0
    return float((table[seen] * np.log((table / table.sum(1, keepdims=True) / table.sum(0))[seen])).sum())


@pytest.mark.parametrize("method", METHODS)
def test_what_speaks_only_together_comes_first(method):
    X, y = interacting()
    found = ep.select(X, y, method=method, k=3, search="pairs")
    assert set(found.indices[:2].tolist()) == {3, 17}
    assert found.steps[0].extra["pair_with"] == found.names[1]
    assert "selected as a pair with" in found.explain()
    assert set(ep.select(X, y, method=method, k=2, search="forward").indices.tolist()) != {3, 17}


def test_the_methods_that_have_it():
    assert {"jmi", "cmim", "jmim", "disr", "cife", "icap", "condred", "linear"} <= set(METHODS)


def test_the_best_pair_is_that_of_all_pairs():
    for seed in range(4):
        random = np.random.default_rng(seed)
        X, y = random.integers(0, [2, 3, 4, 2, 5, 3, 9], (80, 7)), random.integers(0, 3, 80)
        statistics = LevelStatistics(X.max(axis=0) + 1, 3).update(X.T.astype(np.int32), y.astype(np.int32))
        allowed = np.ones(7, bool)
        allowed[seed] = False
        measure = JMI(statistics)
        every = {(i, j): information(X, y, i, j) for i, j in combinations(range(7), 2) if allowed[i] and allowed[j]}
        assert measure.best_pair(allowed) == max(every, key=every.__getitem__)
        assert measure.information(1, 5) == pytest.approx(information(X, y, 1, 5), abs=1e-9)


def test_without_an_interaction_it_is_forward():
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 500)
    X = np.where(random.random((500, 12)) < np.linspace(0.6, 0, 12), y[:, None], random.integers(0, 2, (500, 12)))
    ways = [ep.select(X, y, method="jmi", k=5, search=search) for search in ("forward", "pairs")]
    assert ways[0].indices.tolist() == ways[1].indices.tolist()
    assert ways[0].scores == pytest.approx(ways[1].scores)


def test_where_no_pair_can_begin():
    X, y = interacting()
    one = ep.select(X, y, method="jmi", k=1, search="pairs")
    assert one.indices.tolist() == ep.select(X, y, method="jmi", k=1).indices.tolist()
    assert ep.select(X, y, method="jmi", k=3, search="pairs", include=[5]).indices[0] == 5
    with pytest.raises(InvalidParameter, match="search='pairs' starts from two features"):
        ep.select(X, y, method="jmi", k="auto", search="pairs")
