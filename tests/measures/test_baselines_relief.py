"""ReliefF and RReliefF against the formula written out, with categories, holes, weights and threads."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.measures.baselines.relief import ReliefF
from entropick.statistics.rows import RowStatistics
from reference import baselines as reference


def mixed(n=40, seed=0, holes=0.0, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = np.column_stack([rng.normal(size=(n, 3)) * [1, 50, 0.1], rng.integers(0, 4, (n, 2)), np.full(n, 3.0)])
    X[:, 0] += y
    X[:, 3] = (X[:, 3] + y) % 4
    X[rng.random(X.shape) < holes] = np.nan
    return X, y, np.array([False, False, False, True, True, False])


def scores(X, y, category=None, **keywords):
    target, weights = keywords.pop("target", None), keywords.pop("weights", None)
    own = RowStatistics(X, y, int(y.max()) + 1, target=target, weights=weights, categorical=category)
    measure = ReliefF(own, **keywords)
    ordering = measure.order(X.shape[1], np.ones(X.shape[1], bool))
    out = np.empty(X.shape[1])
    out[ordering.candidates] = ordering.scores
    return out


@pytest.mark.parametrize("holes", [0.0, 0.15])
@pytest.mark.parametrize(("k", "sigma"), [(5, None), (30, None), (10, 4.0)])
def test_classes(holes, k, sigma):
    X, y, category = mixed(holes=holes)
    expected = reference.relieff(X, y, k, category, sigma=sigma)
    np.testing.assert_allclose(scores(X, y, category, n_neighbors=k, sigma=sigma), expected, atol=2e-7)


@pytest.mark.parametrize("holes", [0.0, 0.15])
@pytest.mark.parametrize("sigma", [None, 20.0])
def test_regression(holes, sigma):
    X, y, category = mixed(holes=holes, seed=1)
    target = np.where(np.isnan(X[:, 0]), 0, X[:, 0]) + np.random.default_rng(0).normal(size=len(X))
    expected = reference.relieff(X, y, 8, category, target=target, sigma=sigma)
    found = scores(X, y, category, target=target, n_neighbors=8, sigma=sigma)
    np.testing.assert_allclose(found, expected, atol=2e-7)


def test_a_column_missing_altogether():
    X, y, category = mixed()
    X[:, 1] = np.nan
    found = scores(X, y, category, n_neighbors=5)
    assert found[1] == pytest.approx(0, abs=1e-12)  # as unlike in every pair
    rest = np.delete(np.arange(6), 1)
    np.testing.assert_allclose(found[rest], scores(X[:, rest], y, category[rest], n_neighbors=5), atol=1e-7)


@pytest.mark.parametrize("regression", [False, True])
def test_weights_are_frequencies(regression):
    X, y, category = mixed(n=50)
    rng = np.random.default_rng(0)
    w = rng.integers(1, 4, 50)
    target = rng.normal(size=50) if regression else None
    a = scores(X, y, category, weights=w, target=target, n_neighbors=6)
    again = None if target is None else np.repeat(target, w)
    b = scores(np.repeat(X, w, axis=0), np.repeat(y, w), category, target=again, n_neighbors=6)
    np.testing.assert_allclose(a, b, atol=1e-7)


def test_any_number_of_threads():
    X, y, category = mixed(n=150, holes=0.1)
    one, two = (scores(X, y, category, n_jobs=jobs) for jobs in (1, 2))
    assert one.tolist() == two.tolist()


def test_sampled_rows():
    p = ep.datasets.xor(n=600, random_state=0)
    found = ep.select(p.X, p.y, method="relieff", k=2, samples=200, random_state=0)
    assert set(found.indices) == {0, 1}
    assert found.details["rows_asked"] == 200


def test_interaction_is_seen_and_scale_is_not():
    p = ep.datasets.xor(random_state=0)
    X = p.X * np.array([1e6, 1e-3, *[1.0] * 8])
    assert set(ep.select(X, p.y, method="relieff", k=2).indices) == {0, 1}


def test_excluded_columns_do_not_move_the_neighbours():
    X, y, _ = mixed()
    without = ep.select(X[:, 1:], y, method="relieff", k=None)
    excluded = ep.select(X, y, method="relieff", k=None, exclude=[0])
    assert (without.indices + 1).tolist() == excluded.indices.tolist()
    np.testing.assert_allclose(without.scores, excluded.scores)


def test_a_frame_with_texts_and_holes():
    X, y, _ = mixed(n=80)
    frame = pd.DataFrame(X[:, :4], columns=list("abcd"))
    frame["d"] = frame["d"].map({0: "n", 1: "e", 2: "s", 3: "w"})
    frame.loc[3, "d"] = None
    frame.loc[5, "a"] = np.nan
    assert set(ep.select(frame, y, method="relieff", k=2).names) == {"a", "d"}
