"""Several continuous targets at once, through `select` and `Selector`, against naive references."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.errors import InvalidInput
from entropick.methods import REGISTRY
from reference import gaussian, kernel_measures

SEVERAL = [name for name, method in REGISTRY.items() if method.several]


def data(n=60, d=6, seed=0):
    """Y1 is X3 and noise, Y2 the square of X5 and noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    Y = np.column_stack([X[:, 2], X[:, 4] ** 2 - X[:, 0]]) + 0.3 * rng.standard_normal((n, 2))
    return X, Y


def test_gaussian_information_of_both_targets():
    X, Y = data()
    found = ep.select(X, Y, method="gc.mi", k=3)
    chosen, scores = gaussian.forward(gaussian.regression_information, X, Y, 3)
    assert found.indices.tolist() == chosen
    np.testing.assert_allclose(found.scores, scores, rtol=1e-8)


def test_hsic_with_both_targets():
    X, Y = data()
    x, y = ((a - a.mean(axis=0)) / a.std(axis=0) for a in (X, Y))
    alone = [kernel_measures.hsic(x[:, [j]], None, numbers=y) for j in range(X.shape[1])]
    found = ep.select(X, Y, method="hsic.rank", k=None)
    np.testing.assert_allclose(found.scores, sorted(alone, reverse=True), rtol=1e-9)
    assert found.indices.tolist() == np.argsort(alone)[::-1].tolist()


def test_one_target_twice_is_that_target():
    """A copy adds nothing to a Gaussian information, and scales the distances of the kernels in y alike."""
    X, Y = data()
    for method in ("gc.mi", "hsic.forward", "lsmi.forward"):
        once, twice = (ep.select(X, y, method=method, k=3, random_state=0) for y in (Y[:, 1], Y[:, [1, 1]]))
        assert once.indices.tolist() == twice.indices.tolist()
        np.testing.assert_allclose(once.scores, twice.scores, rtol=1e-8)


@pytest.mark.parametrize("method", SEVERAL)
def test_each_target_has_its_feature(method):
    X, Y = data(200, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector = ep.Selector(method, k=3, random_state=0).fit(X, pd.DataFrame(Y, columns=["a", "b"]))
    linear_only = REGISTRY[method].family == "gaussian"
    assert set(selector.selection_.indices[:3]) >= ({0, 2} if linear_only else {2, 4})
    assert selector.__sklearn_tags__().target_tags.multi_output


@pytest.mark.parametrize("method", ["jmi", "gkl.mi", "pearson", "lasso"])
def test_others_say_who_can(method):
    X, Y = data()
    with pytest.raises(InvalidInput, match=r"got 60×2; pass one column, or use a method that supports several targets"):
        ep.select(X, Y, method=method, k=2)
    assert not ep.Selector(method).__sklearn_tags__().target_tags.multi_output


def test_the_error_names_all_that_can():
    assert set(SEVERAL) == {"joint", "gc.mi", "wilks", "gc.auto", "mlmi.rank", "mlmi.forward", "mlmi.backward"} | {
        f"{measure}.{search}" for measure in ("hsic", "lsmi") for search in ("rank", "forward", "backward", "l1")
    }
