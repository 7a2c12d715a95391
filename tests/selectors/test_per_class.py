"""A minimum a class: every class has features of its own, however rare it is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import entropick as ep

TYPES = ("B", "NK", "T", "plasma")


def cells() -> tuple[pd.DataFrame, np.ndarray]:
    """Two genes mark each type, the second less; one type is rare."""
    random = np.random.default_rng(0)
    y = random.choice(TYPES, 800, p=[0.5, 0.25, 0.22, 0.03])
    X = random.poisson(0.3, (800, 30))
    for at, name in enumerate(TYPES):
        for second in (0, 1):
            X[y == name, 2 * at + second] += random.poisson(3 - second, (y == name).sum())
    return pd.DataFrame(X, columns=[f"g{j}" for j in range(30)]), y


@pytest.mark.parametrize("method", ["jmi", "joint"])
def test_every_class_has_its_own(method: str) -> None:
    X, y = cells()
    found = ep.select(X, y, method=method, k=9, per_class=2)
    assert len(found.names) == 9
    for at, name in enumerate(TYPES):
        own = ep.select(X, (y == name).astype(int), method=method, k=2).names
        assert set(own) <= set(found.names)
        note = next(note for note in found.notes if note.startswith(f"{name}: "))
        assert note == f"{name}: {', '.join(own)} tell it from the rest (per_class)"
        assert own[0] in (f"g{2 * at}", f"g{2 * at + 1}")
    assert {"g6", "g7"} & set(found.names[:4])  # the rare one in the first turn


def test_with_what_else_may_be_asked() -> None:
    X, y = cells()
    found = ep.select(
        X.assign(type=y), "type", method="jmi", k=8, per_class=1, include="g20", exclude=["g0", "g6"],
        class_weight="balanced",
    )  # fmt: skip
    assert found.names[0] == "g20"
    assert {"g1", "g7"} <= set(found.names)
    assert not {"g0", "g6"} & set(found.names)
    selector = ep.Selector("jmi", 8, per_class=1).fit(X, y)
    assert selector.selection_.names == ep.select(X, y, method="jmi", k=8, per_class=1).names


@pytest.mark.parametrize(
    ("how", "word"),
    [
        ({"k": 3, "per_class": 2}, "for each of 4 classes are . features, more than k = 3"),
        ({"k": 3, "per_class": -1}, "must be an integer of at least 0, got -1"),
        ({"k": 3, "per_class": "all"}, "must be an integer of at least 0, got 'all'"),
    ],
)
def test_refused(how: dict, word: str) -> None:
    X, y = cells()
    with pytest.raises(ep.InvalidParameter, match=word):
        ep.select(X, y, method="jmi", **how)


def test_refused_where_there_are_no_classes_or_no_rows(tmp_path) -> None:
    X, y = cells()
    with pytest.raises(ep.InvalidParameter, match="is for classes, got a regression target"):
        ep.select(X, X["g0"] + np.random.default_rng(0).normal(size=800), per_class=1)
    X = pd.concat([X] * 60, ignore_index=True)
    y = np.tile(y, 60)
    X.assign(type=y).to_parquet(tmp_path / "cells.parquet")
    with pytest.raises(ep.InvalidParameter, match="needs the rows in memory"):
        ep.select(tmp_path / "cells.parquet", "type", k=5, per_class=1, memory="1MB")
    with pytest.raises(ep.InvalidParameter, match="needs all rows at once"):
        ep.Selector(k=5, per_class=1).partial_fit(X, y)
