"""Informations and stability indices under random calls, the slow reference beside them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import entropick as ep
from reference import discrete, stability

from ..exotic import anything, frame, label, spoilt
from .surface import surface


@surface
def informations(rng: np.random.Generator, folder: Path) -> None:
    """Never negative, symmetric, and the reference's where the table is coded."""
    n, d = int(rng.choice([1, 2, 9, 40])), int(rng.choice([1, 2, 5]))
    plain = rng.random() < 0.4
    X: Any = rng.integers(0, 3, (n, d)) if plain else frame(rng, n, d)
    d = X.shape[1]  # polars holds columns of the same name once
    y: Any = rng.integers(0, 3, n) if plain else label(rng, n)
    weights = rng.integers(1, 3, n) if rng.random() < 0.3 else None
    given = {"discretizer": None if plain else "auto", "missing": "level", "estimator": "plugin", "n_jobs": 1}
    given = {**spoilt(rng, given, 0.0 if plain else 0.3), "sample_weight": weights}
    single = ep.mutual_information(X, y, **given)
    pairs = ep.mutual_information_matrix(X, **given)
    within = ep.conditional_mutual_information_matrix(X, y, **given)
    assert single.shape == (d,)
    for matrix in (pairs, within):
        assert matrix.shape == (d, d)
        assert (matrix == matrix.T).all()
    for values in (single, pairs, within):
        assert (values >= 0).all()
        assert np.isfinite(values).all()
    if plain:
        columns, labels = discrete.columns_of(X.tolist()), y.tolist()
        for i in range(d):
            assert np.isclose(single[i], discrete.information(columns[i], labels, None, weights), atol=1e-9)
            for j in range(i):
                assert np.isclose(pairs[i, j], discrete.information(columns[i], columns[j], None, weights), atol=1e-9)
                shared = discrete.information(columns[i], columns[j], labels, weights)
                assert np.isclose(within[i, j], shared, atol=1e-9)


@surface
def stabilities(rng: np.random.Generator, folder: Path) -> None:
    """Within their bounds, and the reference's."""
    D, m = int(rng.integers(1, 8)), int(rng.integers(1, 6))
    equal = rng.random() < 0.5
    k = int(rng.integers(0, D + 1))
    sets: list[Any] = [rng.permutation(D)[: k if equal else int(rng.integers(0, D + 1))].tolist() for _ in range(m)]
    alike = rng.random((D, D))
    alike = (alike + alike.T) / 2
    if rng.random() < 0.3:
        sets[int(rng.integers(m))] = anything(rng)
    given = spoilt(rng, {"sets": sets, "n_features": D}, 0.2)
    index = int(rng.integers(4))
    if index == 0:
        found = ep.stability.kuncheva(**given)
        sets, D = given["sets"], given["n_features"]
        expected = partial(stability.kuncheva, sets, D)
    elif index == 1:
        alike = anything(rng) if rng.random() < 0.2 else alike
        found = ep.stability.information_consistency(sets, alike)
        expected = partial(stability.information_consistency, sets, alike)
    elif index == 2:
        found = ep.stability.nogueira(**given, **spoilt(rng, {"confidence": 0.9, "against": 0.0}))
        sets, D = given["sets"], given["n_features"]
        expected = partial(stability.nogueira, sets, D)
    else:
        ep.stability.nogueira_difference(sets, sets, D)
        ep.stability.symmetric_uncertainty(frame(rng, 9, 2), **spoilt(rng, {"discretizer": "auto", "missing": "level"}))
        return
    if all(0 < len(one) < D for one in sets):  # elsewhere the reference has no value
        assert np.isclose(found.value, np.ravel(expected())[0])  # of nogueira, without its variance
