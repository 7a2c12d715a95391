"""include, exclude and groups: what enters first, what never enters, what enters as a whole."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from reference import discrete as reference

METHODS = [name for name in reference.METHODS if name != "cmi"]


def table(n=300, seed=0):
    """Five coded columns of 2, 5, 3, 12 and 40 levels; y a noisy function of the second and fourth."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, size, n) for size in (2, 5, 3, 12, 40)])
    return X, (X[:, 1] // 2 + X[:, 3] // 4 + (rng.random(n) < 0.2)) % 3


def select(X, y, **keywords):
    plain = {"estimator": "plugin"} if keywords.get("method") in METHODS else {}
    return ep.select(X, y, **{"discretizer": None, "k": None, **plain, **keywords})


def one_hot(X):
    """(indicator columns, groups: column number as text -> its indicator columns)."""
    blocks, groups, start = [], {}, 0
    for j, column in enumerate(X.T):
        labels = np.unique(column)
        blocks.append(column[:, None] == labels)
        groups[f"c{j}"] = list(range(start, start + len(labels)))
        start += len(labels)
    return np.hstack(blocks).astype(int), groups


# -- include and exclude -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_include_enters_first_and_is_given_to_the_rest(method):
    X, y = table()
    found = select(X, y, method=method, include=["x2", "x0"], k=4)
    picks, scores = reference.forward(X.tolist(), y.tolist(), method, 4, include=[2, 0])
    assert found.indices.tolist() == picks
    np.testing.assert_allclose(found.scores, scores, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_exclude_never_enters(method):
    X, y = table()
    best = select(X, y, method=method, k=1).indices[0]
    found = select(X, y, method=method, exclude=[f"x{best}"])
    picks, scores = reference.forward(X.tolist(), y.tolist(), method, 4, exclude=[best])
    assert found.indices.tolist() == picks
    np.testing.assert_allclose(found.scores, scores, rtol=1e-9, atol=1e-9)
    assert len(found.feature_names) == 5
    assert all(step.runner_up != f"x{best}" for step in found)


def test_numbers_and_names_mean_the_same():
    X, y = table()
    by_name = select(X, y, include=["x2"], exclude=["x3"])
    by_number = select(X, y, include=[2], exclude=np.array([3]))
    assert by_name.indices.tolist() == by_number.indices.tolist()
    frame = pd.DataFrame(X, columns=list("abcde"))
    assert select(frame, y, include=["c"], exclude=["d"]).indices.tolist() == by_name.indices.tolist()


@pytest.mark.parametrize("search", ["lazy", "forward"])
def test_include_under_both_searches_of_cmim(search):
    X, y = table()
    found = select(X, y, method="cmim", search=search, include=["x4"], exclude=["x1"])
    picks, scores = reference.forward(X.tolist(), y.tolist(), "cmim", 4, include=[4], exclude=[1])
    assert found.indices.tolist() == picks
    np.testing.assert_allclose(found.scores, scores, rtol=1e-9, atol=1e-9)


def test_all_included():
    X, y = table()
    assert select(X, y, include=[3, 1], k=2).indices.tolist() == [3, 1]


# -- groups -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_one_hot_is_the_variable_again(method):
    """Not nearly: the levels of the group are the levels of the variable, so the scores are equal."""
    X, y = table()
    whole = select(X, y, method=method)
    hot, groups = one_hot(X)
    found = select(hot, y, method=method, groups=groups)
    assert [step.name for step in found] == [f"c{i}" for i in whole.indices]
    assert [list(step.members) for step in found] == [groups[f"c{i}"] for i in whole.indices]
    assert found.scores.tolist() == whole.scores.tolist()
    assert [step.relevance for step in found] == [step.relevance for step in whole]


@pytest.mark.parametrize("method", ["jmi", "cmim", "mrmr", "disr"])
@pytest.mark.parametrize("weights", ["integer", "real"])
def test_one_hot_with_weights(method, weights):
    X, y = table()
    rng = np.random.default_rng(1)
    w = rng.integers(0, 4, 300) if weights == "integer" else rng.uniform(0.1, 2, 300)
    whole = select(X, y, method=method, sample_weight=w)
    hot, groups = one_hot(X)
    found = select(hot, y, method=method, groups=groups, sample_weight=w)
    assert [step.name for step in found] == [f"c{i}" for i in whole.indices]
    assert found.scores.tolist() == whole.scores.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_groups_beside_single_columns(method):
    """A group of two columns is their joint variable; candidates are tied by the lowest first column."""
    X, y = table()
    pair = X[:, 0] * 40 + X[:, 2]
    merged = np.column_stack([pair, X[:, 1], X[:, 3], X[:, 4]])
    picks, scores = reference.forward(merged.tolist(), y.tolist(), method, 4)
    found = select(X, y, method=method, groups={"pair": ["x0", "x2"]})
    back = {0: ("pair", (0, 2)), 1: ("x1", (1,)), 2: ("x3", (3,)), 3: ("x4", (4,))}
    assert [(step.name, step.members) for step in found] == [back[i] for i in picks]
    np.testing.assert_allclose(found.scores, scores, rtol=1e-9, atol=1e-9)


def test_group_answer():
    """All columns of a group share a rank; the names are those of the columns."""
    X, y = table()
    hot, groups = one_hot(X)
    found = select(hot, y, groups=groups, k=2)
    assert len(found) == 2
    assert found.indices.tolist() == [i for step in found for i in groups[step.name]]
    for step in found:
        assert set(found.ranking[groups[step.name]]) == {step.rank}
    assert found.names == [f"x{i}" for i in found.indices]
    assert all(step.name in found.explain() for step in found)
    assert ep.Selection.from_json(found.to_json()) == found


def test_include_and_exclude_name_groups():
    X, y = table()
    hot, groups = one_hot(X)
    found = select(hot, y, method="jmi", groups=groups, include=["c2"], exclude=["c3"])
    assert found.steps[0].name == "c2"
    assert "c3" not in [step.name for step in found]
    picks, _ = reference.forward(X.tolist(), y.tolist(), "jmi", 4, include=[2], exclude=[3])
    assert [step.name for step in found] == [f"c{i}" for i in picks]


def test_a_very_fine_group():
    """Joint levels are those seen, not the product: 20 columns of 40 levels are no 40²⁰ table."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 40, (200, 21))
    y = rng.integers(0, 2, 200)
    found = select(X, y, method="mim", groups={"many": list(range(20))}, k=1)
    assert found.steps[0].name == "many"
    assert found.scores[0] == pytest.approx(reference.entropy(y.tolist()), abs=1e-9)  # every row a level of its own


def test_groups_in_the_estimator():
    X, y = table()
    hot, groups = one_hot(X)
    fitted = ep.Selector(method="jmi", k=2, groups=groups, discretizer=None).fit(hot, y)
    expected = sorted(
        i for step in ep.select(hot, y, method="jmi", groups=groups, k=2, discretizer=None) for i in step.members
    )
    assert fitted.get_support(indices=True).tolist() == expected
    assert fitted.transform(hot).shape == (300, len(expected))


def test_include_in_the_estimator():
    X, y = table()
    fitted = ep.Selector(method="jmi", k=2, include=["x0"], exclude=["x3"], discretizer=None).fit(X, y)
    chosen = fitted.get_support(indices=True).tolist()
    assert 0 in chosen
    assert 3 not in chosen
