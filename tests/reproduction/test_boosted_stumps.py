"""AdaBoost of stumps beside one that tries every cut by hand, and scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.tree import DecisionTreeClassifier

from reproduction.boosted_stumps import BoostedStumps


def few_levels(n, classes, seed):
    """Whole numbers of fewer levels than bins, so that every cut between them is seen."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 40, (n, 6)).astype(float)
    strength = X[:, 0] + 0.8 * X[:, 1] + rng.normal(0, 6, n)
    return X, np.digitize(strength, np.quantile(strength, np.arange(1, classes) / classes))


def votes_by_hand(X, positive, rounds):
    """Every cut of every column in both directions, errors counted one by one."""
    signs = np.where(positive, 1, -1)
    weights, votes = np.full(len(X), 1 / len(X)), np.zeros(len(X))
    for _ in range(rounds):
        told = [
            np.where(column > cut, way, -way) for column in X.T for cut in np.unique(column) for way in (1, -1)
        ]  # fmt: skip
        errors = [weights[one != signs].sum() for one in told]
        at = int(np.argmin(np.round(errors, 12)))
        vote = 0.5 * np.log((1 - errors[at]) / errors[at])
        votes += vote * told[at]
        weights = weights * np.exp(-vote * signs * told[at])
        weights /= weights.sum()
    return votes


@pytest.mark.parametrize("rounds", [1, 5, 12])
def test_two_classes(rounds):
    X, y = few_levels(200, 2, 0)
    votes = BoostedStumps(rounds).fit(X, y).decision(X)
    np.testing.assert_allclose(votes[:, 0], votes_by_hand(X, y == 1, rounds), atol=1e-9)


def test_several_classes_are_taken_one_against_the_rest():
    X, y = few_levels(200, 4, 1)
    model = BoostedStumps(6).fit(X, y)
    expected = np.column_stack([votes_by_hand(X, y == c, 6) for c in range(4)])
    np.testing.assert_allclose(model.decision(X), expected, atol=1e-9)
    assert model.score(X, y) == np.mean(expected.argmax(axis=1) == y)


def test_as_good_as_scikit_learn():
    """Whose stumps minimise an impurity: other trees, the same accuracy on rows that neither has seen."""
    X, y = few_levels(2000, 3, 2)
    theirs = OneVsRestClassifier(AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=40))
    expected = theirs.fit(X[:1000], y[:1000]).score(X[1000:], y[1000:])
    assert BoostedStumps(40).fit(X[:1000], y[:1000]).score(X[1000:], y[1000:]) > expected - 0.03


def test_classes_that_a_single_cut_tells_and_a_column_that_tells_nothing():
    X = np.column_stack([np.zeros(20), np.arange(20.0)])
    y = np.where(np.arange(20) < 8, "low", "high")
    model = BoostedStumps().fit(X, y)
    assert [stump.feature for stump in model.stumps_[0]] == [1]
    assert model.score(X, y) == 1.0
    useless = BoostedStumps().fit(X[:, :1], y)
    assert set(useless.predict(X[:, :1])) == {"high"}


def test_more_values_than_bins_are_cut_at_quantiles():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(5000, 3))
    y = (X[:, 0] > 0.3).astype(int)
    model = BoostedStumps(5).fit(X, y)
    assert max(edges.size for edges in model.edges_) == 255
    assert model.score(X, y) > 0.99
