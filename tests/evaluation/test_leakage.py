"""No leakage: on pure noise nothing can be learned, so the cross-validated error of every method is chance."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import NearestCentroid

from entropick import select
from entropick.evaluation.compare import compare
from entropick.methods import REGISTRY

ROWS, COLUMNS, TABLES, K = 40, 60, 6, 4
# 240 tested rows: a mean of 240 fair coins has standard deviation 0.032; rows of one table share a model, which makes
# it wider, so five of them are allowed
NEAR = 5 * np.sqrt(0.25 / (ROWS * TABLES))
SMALL = {"centres": 10, "folds": 2, "sigmas": [1.0], "lambdas": [0.1]}
LEAST = {"centres": 6, "folds": 2, "sigmas": [1.0]}
QUICK = {
    "lsmi.rank": SMALL,
    "lsmi.forward": SMALL,
    "lsmi.backward": SMALL,
    "lsmi.l1": {**SMALL, "restarts": 2, "improve": False},
    "mlmi.rank": LEAST,
    "mlmi.forward": LEAST,
    "mlmi.backward": LEAST,
    "stumps": {"rounds": 10},
}
FOLDS = {"estimators": "nearest mean", "cv": 3, "repeats": 1}
NARROW = {"lsmi.backward", "lsmi.l1", "mlmi.rank", "mlmi.forward", "mlmi.backward"}  # too slow for 60 columns


def noise(seed, columns=COLUMNS):
    random = np.random.default_rng(seed)
    return random.normal(size=(ROWS, columns)), random.permutation(np.repeat([0, 1], ROWS // 2))


def entries(names):
    return {name: {"method": name, **QUICK.get(name, {})} for name in names}


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        ([name for name in REGISTRY if name not in NARROW], COLUMNS),
        (sorted(NARROW), 8),
    ],
    ids=["wide", "narrow"],
)
def test_every_method_is_at_chance_on_noise(names, columns):
    errors = []
    for seed in range(TABLES):
        found = compare(*noise(seed, columns), entries(names), k=K, **FOLDS)
        assert found.methods == tuple(names)  # none failed
        errors.append(found.curves()["mean"].to_numpy())
    off = np.abs(np.mean(errors, axis=0) - 0.5)
    assert dict(zip(names, off, strict=True)) == pytest.approx(dict.fromkeys(names, 0.0), abs=NEAR)


def test_the_bound_would_see_a_leak():
    """The same, but features are chosen once from all the rows: the error is far below chance."""
    errors = []
    for seed in range(TABLES):
        X, y = noise(seed)
        chosen = X[:, select(X, y, method="fisher", k=K).indices]
        for fold in np.array_split(np.random.default_rng(seed).permutation(ROWS), 3):
            rest = np.setdiff1d(np.arange(ROWS), fold)
            errors.append(np.mean(NearestCentroid().fit(chosen[rest], y[rest]).predict(chosen[fold]) != y[fold]))
    assert np.mean(errors) < 0.5 - NEAR


def test_coding_is_learned_from_the_training_rows():
    """MDL cuts see the target: learned from all rows they would tell the test rows' classes."""
    errors = []
    for seed in range(TABLES):
        found = compare(*noise(seed), ["mim"], k=K, discretizer="mdl", **FOLDS)
        errors.append(found.curves()["mean"])
    assert np.mean(errors) == pytest.approx(0.5, abs=NEAR)
