"""Numbers of features are added until the lowest error is inside; where that never happens the answer says so."""

from __future__ import annotations

import numpy as np

from entropick.evaluation.compare import compare
from entropick.evaluation.grid import FIRST, FURTHER, first_sizes, next_size

FAST = {"estimators": "nearest mean", "cv": 3, "repeats": 1}


def additive(n_informative, n_features, n=240, seed=0):
    """Every informative column says a little of its own, so that the error falls with each of them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, n_features))
    X[:, :n_informative] += 0.5 * (2 * y[:, None] - 1)
    return X, y


def test_a_grid_starts_small_and_ends_with_all_features():
    assert first_sizes(1) == (1,)
    assert first_sizes(20) == FIRST
    assert first_sizes(21) == FIRST
    assert next_size(FIRST, 21) == 21
    assert next_size((21,), 21) is None
    assert next_size(FURTHER, 10**6) is None


def test_the_grid_grows_while_the_lowest_error_is_at_its_end():
    found = compare(*additive(40, 60), ["mim"], **FAST)
    assert found.ks[: len(FIRST)] == FIRST
    assert len(found.ks) > len(FIRST)
    assert found.best().lowest[1] < found.ks[-1] or found.ks[-1] == 60
    assert not found.best().at_edge
    assert found.curves()["k"].nunique() == len(found.ks)


def test_numbers_that_are_given_are_kept_and_the_edge_is_told():
    found = compare(*additive(40, 60), ["mim"], k=[1, 4], **FAST)
    assert found.ks == (1, 4)
    assert found.best().at_edge
    assert "at least 4 of 60" in found.best().words
