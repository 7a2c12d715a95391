"""Nearest rows of ReliefF: each distance once or twice, in any tiles, on any threads, they are the same rows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from entropick.kernels import relief as kernel
from entropick.measures.baselines import relief
from entropick.statistics.rows import RowStatistics


def table(kind, n=611, classes=5, seed=0):
    """Numbers of few values, twenty rows many times over: ties everywhere. Classes of 1 row, of few and of many."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 40))
    if kind != "numbers":
        X = rng.integers(0, 4, (n, 7)).astype(float)
        X[rng.integers(0, n, n // 2)] = X[rng.integers(0, 20, n // 2)]
    if kind == "holes":
        X[rng.random(X.shape) < 0.1] = np.nan
    y = np.minimum(rng.geometric(0.4, n) - 1, classes - 1)
    y[y == classes - 1] = 0
    y[rng.integers(n)] = classes - 1
    category = np.arange(X.shape[1]) % 2 == 1 if kind in ("labels", "holes") else None
    return X, y, category


def weights_of(X, y, category, target=None, weights=None, **keywords):
    own = RowStatistics(X, y, int(y.max()) + 1, target=target, weights=weights, categorical=category)
    return relief.ReliefF(own, **keywords).weigh(np.arange(X.shape[1])).tolist()


@pytest.mark.parametrize("kind", ["numbers", "ties", "labels", "holes"])
@pytest.mark.parametrize("case", ["classes", "regression", "weights"])
def test_once_is_twice(monkeypatch, kind, case):
    X, y, category = table(kind)
    rng = np.random.default_rng(1)
    given = {"target": rng.integers(0, 9, len(y))} if case == "regression" else {}
    given = {"weights": rng.choice([0.5, 1.0, 2.5], len(y))} if case == "weights" else given
    with monkeypatch.context() as patch:
        patch.setattr(relief, "nearest", None)  # is not asked
        once = [weights_of(X, y, category, n_jobs=jobs, **given) for jobs in (1, 2, 5)]
    monkeypatch.setattr(relief, "nearest_of_all", None)
    monkeypatch.setattr(relief, "ROOM", -X.shape[1])
    twice = weights_of(X, y, category, n_jobs=2, **given)
    assert once == [twice] * 3


@pytest.mark.parametrize("kind", ["numbers", "ties", "labels", "holes"])
def test_lists_are_the_same(kind):
    X, y, category = table(kind)
    y = np.sort(y)
    own = RowStatistics(X, y, 5, categorical=category)
    data = relief._Columns(own, np.arange(X.shape[1]), np.arange(len(y)), y, 5)
    starts = np.searchsorted(y, np.arange(6))
    places = np.concatenate([[0], np.cumsum(np.minimum(np.diff(starts), 18))])
    twice = relief.nearest(data, starts, places, np.arange(len(y)))
    once = relief.nearest_of_all(data, starts, places, 2)
    for low, high in pairwise(places):
        np.testing.assert_array_equal(np.sort(once[:, low:high]), np.sort(twice[:, low:high]))


def test_too_many_classes_for_lists(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), rng.integers(0, 150, 400)
    expected = weights_of(X, y, None)
    monkeypatch.setattr(relief, "nearest_of_all", None)  # is not asked
    assert weights_of(X, y, None) == expected


def nearest_rows(distance, i, classes, c, room):
    """The rows of class c nearest to row i, by distance, then by number."""
    rows = [j for j in range(len(classes)) if j != i and classes[j] == c]
    return sorted(rows, key=lambda j: (distance[i, j], j))[:room]


@pytest.mark.parametrize("seed", range(5))
def test_offers_in_any_order(seed):
    rng = np.random.default_rng(seed)
    n, room = 60, 7
    classes = np.sort(rng.choice([0, 0, 0, 2, 3, 3], n))  # nobody is of class 1
    distance = rng.integers(0, 6, (n, n)).astype(np.float32) / 4
    starts = np.searchsorted(classes, np.arange(5))
    places = np.concatenate([[0], np.cumsum(np.minimum(np.diff(starts), room))])
    lists = relief._no_rows(n, places[-1])
    cuts = [0, *np.sort(rng.choice(np.arange(1, n), 6, replace=False)), n]
    pieces = list(pairwise(cuts))
    pairs = [(a, b) for a in pieces for b in pieces]
    for t in rng.permutation(len(pairs)):
        (a, b), (c, d) = pairs[t]
        kernel.offer(distance[a:b, c:d].view(np.int32), np.arange(a, b), c, starts, places, lists[a:b])
    for i in range(n):
        for c in range(4):
            expected = nearest_rows(distance, i, classes, c, room)
            found = np.sort(lists[i, places[c] : places[c] + len(expected)]) & 0xFFFFFFFF
            assert found.tolist() == expected


@pytest.mark.parametrize(("numbers", "labels"), [(32, 0), (0, 32), (64, 32)])
@pytest.mark.parametrize("queries", [1, 4, 7])
def test_distances(numbers, labels, queries):
    rng = np.random.default_rng(0)
    a, b = rng.random((23, numbers), dtype=np.float32), rng.integers(0, 3, (23, labels)).astype(np.int32)
    rows = rng.choice(23, queries, replace=False)
    out = np.empty((queries, 15), np.float32)
    kernel.distances(a, b, rows, 6, out)
    expected = np.abs(a[rows, None].astype(float) - a[6:21]).sum(2) + (b[rows, None] != b[6:21]).sum(2)
    np.testing.assert_allclose(out, expected, rtol=1e-6)
