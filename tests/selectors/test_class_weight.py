"""class_weight: who counts how much."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.coding.class_weights import weights_of_classes
from entropick.methods import get_method
from entropick.sources import TableSource, as_table
from entropick.sources.blocks import LocalBlocks
from entropick.sources.origin import InBlocks


def rare(n: int = 900) -> tuple[pd.DataFrame, np.ndarray]:
    """A frequent class that x0 tells, a rare one that x1 tells."""
    random = np.random.default_rng(0)
    y = random.choice(["a", "b", "c"], n, p=[0.6, 0.36, 0.04])
    X = random.normal(size=(n, 5))
    X[:, 0] += 1.2 * (y == "b")
    X[:, 1] += 2.0 * (y == "c")
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(5)]), y


@pytest.mark.parametrize("method", ["joint", "jmi", "mim", "gc.mi"])
def test_balanced_cares_for_the_rare_class(method: str) -> None:
    X, y = rare()
    assert ep.select(X, y, method=method, k=1).names == ["x0"]
    assert ep.select(X, y, method=method, k=1, class_weight="balanced").names == ["x1"]


def test_balanced_is_what_scikit_learn_says_but_for_a_factor() -> None:
    from sklearn.utils.class_weight import compute_class_weight

    _, y = rare()
    classes, counts = np.unique(y, return_counts=True)
    ours = weights_of_classes("balanced", classes, counts.astype(float))
    theirs = compute_class_weight("balanced", classes=classes, y=y)
    assert np.allclose(ours / ours[0], theirs / theirs[0], rtol=1e-4)
    by_name = weights_of_classes(dict(zip(classes, theirs, strict=True)), classes, counts.astype(float))
    assert np.allclose(ours, by_name)
    rows = theirs[np.searchsorted(classes, y)]
    assert (ours * counts).sum() == pytest.approx(rows.sum() ** 2 / (rows**2).sum(), rel=1e-4)  # Kish's number of rows


def test_equal_weights_change_nothing() -> None:
    X, y = rare()
    plain = ep.select(X, y, method="jmi", k=3)
    equal = ep.select(X, y, method="jmi", k=3, class_weight={"a": 7, "b": 7, "c": 7})
    assert equal.names == plain.names
    assert np.allclose(equal.scores, plain.scores, rtol=1e-9)


def test_dict_of_one_class() -> None:
    X, y = rare()
    assert ep.select(X, y, k=1, class_weight={"c": 40}).names == ["x1"]


@pytest.mark.parametrize("method", ["joint", "jmi", "wilks"])
@pytest.mark.parametrize("weights", ["balanced", {"c": 9.5}])
def test_blocks_give_the_same(method: str, weights: object) -> None:
    X, y = rare(400)
    table = X.assign(y=y, w=np.arange(len(y)) % 3)
    memory = ep.select(table, "y", method=method, k=3, class_weight=weights, sample_weight="w")
    blocks = InBlocks(LocalBlocks(TableSource(as_table(table)), rows=77), "y")
    found = ep.select(blocks, "y", method=method, k=3, class_weight=weights, sample_weight="w")
    assert found.names == memory.names
    assert np.allclose(found.scores, memory.scores, rtol=1e-9)


def test_tests_count_every_row_once() -> None:
    X, y = rare()
    plain, balanced = ep.select(X, y, k=2), ep.select(X, y, k=2, class_weight="balanced")
    assert sorted(plain.names) == sorted(balanced.names) == ["x0", "x1"]
    own = dict(zip(plain.names, plain.p_values, strict=True))
    assert np.allclose([own[name] for name in balanced.names], balanced.p_values, rtol=1e-9)


def test_selector_and_its_settings() -> None:
    X, y = rare()
    found = ep.Selector(k=1, class_weight="balanced").fit(X, y).selection_
    assert found.names == ["x1"]
    assert found.options["class_weight"] == "balanced"


@pytest.mark.parametrize(
    ("weights", "word"), [("even", "must be None, 'balanced'"), ({}, "must be"), ({"a": 0}, "positive"), (3, "must be")]
)
def test_unfit(weights: object, word: str) -> None:
    X, y = rare(60)
    with pytest.raises(ep.InvalidParameter, match=word):
        ep.select(X, y, k=1, class_weight=weights)


def test_refusals() -> None:
    X, y = rare(60)
    with pytest.raises(ep.InvalidParameter, match="no class 'd'"):
        ep.select(X, y, k=1, class_weight={"d": 2})
    with pytest.raises(ep.InvalidParameter, match="is for classes, got a regression"):
        ep.select(X, X["x0"] * 2, k=1, class_weight="balanced")
    with pytest.raises(ep.InvalidParameter, match="class_weight: 'mim' does not support weights"):
        replace(get_method("mim"), weights="none").check_weights(False, True)
    with pytest.raises(ep.InvalidParameter, match="needs all rows at once"):
        ep.Selector("jmi", 1, class_weight="balanced").partial_fit(X, y)


def test_patterns_of_names() -> None:
    X, y = rare()
    X = X.rename(columns={"x0": "MT-CO1", "x3": "MT-ND1"})
    assert ep.select(X, y, k=1, exclude="MT-*").names == ["x1"]
    assert set(ep.select(X, y, k=3, include=["MT-*"]).names[:2]) == {"MT-CO1", "MT-ND1"}
    with pytest.raises(ep.InvalidParameter, match="exclude: no feature 'RP\\*'"):
        ep.select(X, y, k=1, exclude=["RP*"])
