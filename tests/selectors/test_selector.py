"""Selector where scikit-learn uses it: pipelines, searches, output, routing."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline

import entropick as ep
from entropick.methods import REGISTRY


@pytest.fixture
def wine():
    return load_wine(return_X_y=True, as_frame=True)


def test_pipeline_and_grid_search(wine):
    X, y = wine
    model = Pipeline([("pick", ep.Selector(k=3)), ("fit", LogisticRegression(max_iter=5000))])
    grid = {"pick__method": ["jmi", "mrmr"], "pick__k": [2, 5]}
    found = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert found.best_score_ > 0.85
    assert found.best_estimator_["pick"].get_support().sum() == found.best_params_["pick__k"]


def test_support_names_and_order(wine):
    X, y = wine
    selector = ep.Selector(method="mrmr", k=4).fit(X, y)
    selection = ep.select(X, y, method="mrmr", k=4)
    assert selector.selection_ == selection
    assert sorted(selection.indices) == np.flatnonzero(selector.get_support()).tolist()
    assert selector.get_feature_names_out().tolist() == [X.columns[j] for j in sorted(selection.indices)]
    assert selector.transform(X).shape == (len(X), 4)


def test_set_output(wine):
    X, y = wine
    frame = ep.Selector(k=2).set_output(transform="pandas").fit_transform(X, y)
    assert isinstance(frame, pd.DataFrame)
    assert frame.equals(X[list(frame.columns)])
    assert isinstance(ep.Selector(k=2).set_output(transform="polars").fit_transform(X, y), pl.DataFrame)


def test_clone_and_pickle(wine):
    X, y = wine
    selector = ep.Selector(method="linear", k=3, options={"beta": 0.5, "gamma": 0.2}).fit(X, y)
    again = pickle.loads(pickle.dumps(selector))
    assert again.selection_ == selector.selection_
    assert (again.transform(X) == selector.transform(X)).all()
    assert clone(selector).get_params() == selector.get_params()


def test_options_by_name_are_those_of_options(wine):
    X, y = wine
    named = ep.Selector("linear", 3, beta=0.5, gamma=0.2)
    assert named.get_params() == ep.Selector("linear", 3, options={"beta": 0.5, "gamma": 0.2}).get_params()
    assert clone(named).fit(X, y).selection_ == ep.select(X, y, method="linear", k=3, beta=0.5, gamma=0.2)
    assert "options={'beta': 0.5, 'gamma': 0.2}" in repr(named)
    assert named.set_params(beta=0.1, k=2).options == {"beta": 0.1, "gamma": 0.2}
    assert named.set_params(method="mifs", options=None).set_params(beta=2.0).options == {"beta": 2.0}
    with pytest.raises(ep.InvalidParameter, match="betta: 'mifs' has no such option; its options: beta, estimator"):
        named.set_params(betta=1)
    with pytest.raises(ep.InvalidParameter, match="betta: 'jmi' has no such option"):
        ep.Selector("jmi", 3, betta=1).fit(X, y)


def test_an_option_in_a_grid(wine):
    X, y = wine
    model = Pipeline([("pick", ep.Selector("mifs", 4)), ("fit", GaussianNB())])
    found = GridSearchCV(model, {"pick__beta": [0.0, 5.0]}, cv=3).fit(X, y)
    chosen = found.best_estimator_["pick"].selection_
    assert chosen == ep.select(X, y, method="mifs", k=4, **{"beta": found.best_params_["pick__beta"]})


def test_scores_and_ranking(wine):
    X, y = wine
    selector = ep.Selector(k=3).fit(X, y)
    first, second, third = selector.selection_.indices
    assert [selector.ranking_[j] for j in (first, second, third)] == [1, 2, 3]
    assert sorted(selector.ranking_) == [1, 2, 3] + [4] * (X.shape[1] - 3)
    np.testing.assert_array_equal(selector.scores_, ep.select(X, y, k=3).scores)


def test_memory_and_coding(wine, tmp_path):
    X, y = wine
    frame = X.assign(kind=y)
    long = pd.concat([frame] * 40, ignore_index=True)
    long.to_parquet(tmp_path / "long.parquet")
    blocks = ep.Selector(k=3, memory="1MB", coding="sketch").fit(tmp_path / "long.parquet", "kind")
    assert blocks.selection_.notes == ("group edges are approximate (coding='sketch')",)
    assert blocks.selection_.names == ep.Selector(k=3).fit(long, "kind").selection_.names
    first = ep.Statistics.collect(frame, "kind")
    alike = ep.Selector(k=3, coding=first).fit(frame, "kind")
    without_rows = ep.Selector(k=3).fit(first, "kind").selection_.steps
    rows_only = {"beside", "unique", "redundant", "synergistic"}  # what only rows can say of two columns
    for one, other in zip(alike.selection_.steps, without_rows, strict=True):
        assert one.extra.keys() - other.extra.keys() == rows_only
        assert replace(one, extra={key: one.extra[key] for key in other.extra}) == other
    assert list(alike.feature_names_in_) == list(X.columns)


def test_a_column_of_weights(wine):
    X, y = wine
    times = np.arange(len(X)) % 3
    by_name = ep.Selector(k=3).fit(X.assign(times=times), y, sample_weight="times")
    assert by_name.selection_.steps == ep.select(X, y, k=3, sample_weight=times).steps
    assert by_name.transform(X).shape == (len(X), 3)


def test_tables_of_every_kind_choose_alike(wine):
    X, y = wine
    expected = ep.select(X.to_numpy(), y.to_numpy(), k=4).indices.tolist()
    for table in (X, pl.from_pandas(X), pa.Table.from_pandas(X), sparse.csr_array(X.to_numpy()), np.asfortranarray(X)):
        assert ep.select(table, y, k=4).indices.tolist() == expected
    whole = X.assign(label=y)
    assert ep.select(whole, "label", k=4).indices.tolist() == expected
    assert ep.select(pl.from_pandas(whole), "label", k=4).indices.tolist() == expected


def test_sample_weight_is_routed(wine):
    X, y = wine
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        selector = ep.Selector(k=3).set_fit_request(sample_weight=True)
        model = make_pipeline(selector, LogisticRegression(max_iter=5000).set_fit_request(sample_weight=True))
        model.fit(X, y, sample_weight=weights)
    assert model[0].selection_ == ep.select(X, y, k=3, sample_weight=weights)


def test_cross_validation_of_noise_is_chance():
    """Selection inside the folds: nothing of the test rows leaks into the choice."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((120, 400)), rng.integers(0, 2, 120)
    for method in ("jmi", "gc.auto", "fisher"):
        model = make_pipeline(ep.Selector(method=method, k=10), LogisticRegression())
        assert abs(cross_val_score(model, X, y, cv=10).mean() - 0.5) < 0.16


@pytest.mark.parametrize("method", sorted(REGISTRY))
def test_every_method_through_the_front_door(method):
    """Each runs on plain data, gives k different features, the same twice, and survives JSON."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.assign(constant=1.0)
    found = ep.select(X, y, method=method, k=3, random_state=0)
    assert len(set(found.indices.tolist())) == 3
    assert np.isfinite(found.scores).all()
    assert 4 not in found.indices
    assert ep.select(X, y, method=method, k=3, random_state=0) == found
    assert ep.Selection.from_json(found.to_json()) == found
    assert found.explain()
    with pytest.raises(ep.InvalidParameter, match="no such option"):
        ep.select(X, y, method=method, k=2, no_such_option=1)


@pytest.mark.parametrize("method", sorted(name for name, m in REGISTRY.items() if "regression" in m.tasks))
def test_every_method_for_a_quantity(method):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 4))
    y = 2 * X[:, 1] + 0.1 * rng.standard_normal(150)
    found = ep.select(X, y, method=method, k=1, random_state=0)
    assert found.task == "regression"
    assert method in ("random", "laplacian") or found.indices.tolist() == [1]
