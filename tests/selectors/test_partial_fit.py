"""partial_fit: blocks one after the other, and what `fit` gives on all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.coding import Coder
from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources import as_table


@pytest.fixture
def rows():
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 8))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)


def fed(selector, X, y, step=150, **first):
    for start in range(0, len(X), step):
        some = slice(start, start + step)
        selector.partial_fit(X[some], y[some], **(first if start == 0 else {}))
    return selector


@pytest.mark.parametrize("method", ["gc.mi", "gkl.mi", "wilks", "fisher", "pearson", "ttest"])
def test_sums_equal_fit(rows, method):
    X, y = rows
    found = fed(ep.Selector(method, 4), X, y, classes=[0, 1]).selection_
    expected = ep.Selector(method, 4).fit(X, y).selection_
    assert found.names == expected.names
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("method", ["jmi", "cmim", "spec.cmi", "chi2"])
def test_coded_columns_equal_fit(rows, method):
    X, y = rows
    coded = np.digitize(X, [-1, 0, 1])
    found = fed(ep.Selector(method, 4, discretizer=None), coded, y).selection_
    expected = ep.Selector(method, 4, discretizer=None).fit(coded, y).selection_
    assert found.names == expected.names
    np.testing.assert_array_equal(found.scores, expected.scores)


def test_a_given_coder_equals_fit(rows):
    X, y = rows
    coder = Coder().fit(as_table(X), None, 1)
    found = fed(ep.Selector("jmi", 4), X, y, classes=[0, 1], coder=coder).selection_
    np.testing.assert_array_equal(found.scores, ep.select(X, y, method="jmi", k=4).scores)


def test_without_one_the_first_block_codes(rows):
    X, y = rows
    selector = fed(ep.Selector("jmi", 4), X, y)
    first = Coder().fit(as_table(X[:150]), None, 1)
    np.testing.assert_array_equal(selector.coder_._rules[0].edges, first._rules[0].edges)


def test_the_answer_follows_the_blocks(rows):
    X, _ = rows
    selector = ep.Selector("pearson", 1).partial_fit(X[:300], X[:300, 3] > 0)
    assert selector.selection_.indices.tolist() == [3]
    selector.partial_fit(X, X[:, 5] > 0)
    assert selector.selection_.indices.tolist() == [5]
    assert selector.selection_.n_samples == 900
    assert selector.transform(X).shape == (600, 1)
    selector.fit(X[:300], X[:300, 3] > 0)  # forgets
    assert selector.selection_.indices.tolist() == [3]


def test_a_continuous_target(rows):
    X, _ = rows
    y = X[:, 1] + 0.1 * X[:, 2] ** 2
    found = fed(ep.Selector("gc.mi", 3), X, y).selection_
    assert found.names == ep.Selector("gc.mi", 3).fit(X, y).selection_.names


def test_weights_are_frequencies(rows):
    X, y = rows
    w = np.random.default_rng(1).integers(0, 3, 600)
    selector = ep.Selector("fisher", 3)
    selector.partial_fit(X[:300], y[:300], sample_weight=w[:300]).partial_fit(X[300:], y[300:], sample_weight=w[300:])
    expected = ep.Selector("fisher", 3).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(selector.selection_.scores, expected.selection_.scores)


def as_it_is(frame):
    return frame


def as_polars(frame):
    return pytest.importorskip("polars", reason="polars is not installed").from_pandas(frame)


def as_arrow(frame):
    return pytest.importorskip("pyarrow", reason="pyarrow is not installed").Table.from_pandas(frame)


@pytest.mark.parametrize("kind", [as_it_is, as_polars, as_arrow])
def test_a_target_that_is_a_column(rows, kind):
    X, y = rows
    names = [f"v{j}" for j in range(8)]
    frame = pd.DataFrame(X, columns=names)
    frame.insert(3, "label", y)
    selector = ep.Selector("fisher", 3)
    for start in (0, 200, 400):
        selector.partial_fit(kind(frame[start : start + 200]), "label")
    assert selector.n_features_in_ == 8
    assert selector.feature_names_in_.tolist() == names
    features = frame.drop(columns="label")
    expected = ep.Selector("fisher", 3).fit(features, y)
    assert selector.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()
    np.testing.assert_allclose(selector.selection_.scores, expected.selection_.scores)
    selector.partial_fit(features, y)  # the same columns, the target apart
    assert selector.transform(features).shape == (600, 3)
    with pytest.raises(ValueError, match="names should match"):
        selector.partial_fit(kind(frame.rename(columns={"v7": "other"})), "label")


def test_numbered_columns_have_no_names(rows):
    X, y = rows
    numbered = pd.DataFrame(np.column_stack([X, y]))
    for selector in (ep.Selector("fisher", 3).partial_fit(numbered, 8), ep.Selector("fisher", 3).fit(numbered, 8)):
        assert selector.n_features_in_ == 8
        assert not hasattr(selector, "feature_names_in_")


def test_errors(rows):
    X, y = rows
    with pytest.raises(InvalidParameter, match="'relieff' needs all rows at once"):
        ep.Selector("relieff", 2).partial_fit(X, y)
    with pytest.raises(InvalidParameter, match=r"'gc\.auto' needs all rows at once"):
        ep.Selector("gc.auto", 2).partial_fit(X, y)
    with pytest.raises(InvalidInput, match="has class '2', which was not seen before"):
        ep.Selector("jmi", 2).partial_fit(X, y).partial_fit(X, y + 1)
    with pytest.raises(ValueError, match="7 features"):
        ep.Selector("jmi", 2).partial_fit(X, y).partial_fit(X[:, :7], y)
