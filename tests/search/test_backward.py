"""Backward elimination against the reference, and the lazy search against the plain one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import entropick as ep
from entropick.methods import REGISTRY
from reference import discrete as reference

BACKWARD = [name for name in reference.METHODS if "backward" in REGISTRY[name].searches]
OPTIONS = {
    "mifs": {"beta": lambda size: 1 / (1 + size)},
    "linear": {"beta": 0.7, "gamma": lambda size: 1 / (1 + size)},
}


@st.composite
def tables(draw):
    """Coded columns of mixed sizes with some copies, labels and weights."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(8, 150))
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 5, 9, 17, 40]), min_size=2, max_size=6))
    y = rng.integers(0, draw(st.sampled_from([2, 3, 10])), n)
    y[:3] = 0, 1, 0
    columns = [np.where(rng.random(n) < 0.5, y % size, rng.integers(0, size, n)) for size in sizes]
    if draw(st.booleans()):
        columns.insert(rng.integers(len(columns) + 1), 50 - columns[rng.integers(len(columns))])
    weights = draw(st.sampled_from([None, "integer", "real"]))
    if weights is not None:
        weights = rng.integers(1, 4, n) if weights == "integer" else rng.uniform(0.1, 2, n)
    return np.column_stack(columns), y, weights


def check(X, y, method, k, weights=None, **options):
    picks, scores = reference.backward(X.tolist(), y.tolist(), method, k, weights, **options)
    found = ep.select(
        X, y, method=method, k=k, search="backward", discretizer=None, task="classification",
        sample_weight=weights, **{"estimator": "plugin", **options},
    )  # fmt: skip
    varied = [X[:, j].min() < X[:, j].max() for j in picks]  # constant columns fill up no number
    if any(varied):
        picks, scores = (
            [value for value, keep in zip(values, varied, strict=True) if keep] for values in (picks, scores)
        )
    assert found.indices.tolist() == picks
    np.testing.assert_allclose(found.scores, scores, rtol=1e-9, atol=1e-9)


def test_every_pairwise_method_can_go_backward():
    assert {"mifs", "mrmr", "miq", "jmi", "jmim", "cmim", "icap", "cife", "condred", "disr", "linear"} <= set(BACKWARD)


@pytest.mark.parametrize("method", BACKWARD)
@settings(max_examples=12)
@given(table=tables(), k=st.integers(1, 7))
def test_backward(method, table, k):
    X, y, weights = table
    check(X, y, method, min(k, X.shape[1]), weights, **OPTIONS.get(method, {}))


@pytest.mark.parametrize("method", BACKWARD)
def test_backward_ranks_everything(method):
    rng = np.random.default_rng(4)
    X = rng.integers(0, 4, (120, 7))
    y = (X[:, 2] + X[:, 5] // 2) % 3
    found = ep.select(X, y, method=method, k=None, search="backward", discretizer=None)
    assert found.indices.tolist() == reference.backward(X.tolist(), y.tolist(), method, 7)[0]


def test_backward_keeps_the_pair_that_forward_cannot_see():
    """XOR beside weak single features: with all features there, each half of the pair carries log 2."""
    rng = np.random.default_rng(0)
    n = 800
    a, b = rng.integers(0, 2, (2, n))
    y = a ^ b
    weak = [np.where(rng.random(n) < 0.15, y, rng.integers(0, 2, n)) for _ in range(3)]
    X = np.column_stack([*weak, a, b])
    found = ep.select(X, y, method="jmi", k=2, search="backward", discretizer=None)
    assert set(found.indices.tolist()) == {3, 4}


def test_copies_survive_by_the_lowest_index():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    x = np.where(rng.random(100) < 0.2, 1 - y, y)
    X = np.column_stack([x, 1 - x, 5 * x])
    for method in BACKWARD:
        found = ep.select(X, y, method=method, k=1, search="backward", discretizer=None)
        assert found.indices.tolist() == [0], method


def test_backward_with_include_and_exclude():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 3, (100, 6))
    y = (X[:, 0] + X[:, 1]) % 2
    found = ep.select(X, y, method="jmi", k=3, search="backward", discretizer=None, include=["x4"], exclude=["x0"])
    assert 4 in found.indices
    assert 0 not in found.indices
    assert len(found) == 3


@settings(max_examples=40)
@given(table=tables(), estimator=st.sampled_from(["plugin", "miller-madow"]))
def test_lazy_is_forward_for_cmim(table, estimator):
    X, y, weights = table
    keywords = {"method": "cmim", "k": None, "discretizer": None, "task": "classification"}
    keywords |= {"sample_weight": weights, "estimator": estimator}
    lazy = ep.select(X, y, search="lazy", **keywords)
    plain = ep.select(X, y, search="forward", **keywords)
    picks, scores = reference.forward(X.tolist(), y.tolist(), "cmim", X.shape[1], weights, estimator=estimator)
    assert lazy.indices.tolist() == plain.indices.tolist() == picks
    assert lazy.scores.tolist() == plain.scores.tolist()
    assert runners_up(lazy) == runners_up(plain)
    np.testing.assert_allclose(lazy.scores, scores, rtol=1e-9, atol=1e-9)


def test_lazy_is_forward_on_a_wide_table():
    rng = np.random.default_rng(9)
    y = rng.integers(0, 3, 400)
    noise = rng.random((400, 150))
    X = np.where(noise < np.linspace(0, 0.5, 150), y[:, None], rng.integers(0, 3, (400, 150)))
    lazy, plain = (
        ep.select(X, y, method="cmim", k=40, search=search, discretizer=None) for search in ("lazy", "forward")
    )
    assert lazy.indices.tolist() == plain.indices.tolist()
    assert lazy.scores.tolist() == plain.scores.tolist()
    assert runners_up(lazy) == runners_up(plain)


def runners_up(selection):
    return [(step.runner_up, step.runner_up_score) for step in selection]


def test_a_step_gives_up_a_share_at_once():
    """Against rounds written out: the worst of what is left go together, and only then is anything asked again."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = rng.normal(size=(60, 13)) + np.outer(y, rng.normal(size=13))
    found = ep.select(X, y, method="hsic.backward", k=13, step=0.3)
    left, gone = list(range(13)), []
    while left:
        whole = ep.information(X, y, left, measure="hsic")
        rest = [ep.information(X, y, [i for i in left if i != j], measure="hsic") if len(left) > 1 else 0 for j in left]
        worst = sorted(left, key=lambda j: (whole - rest[left.index(j)], -j))[: max(1, int(0.3 * len(left)))]
        gone += worst
        left = [j for j in left if j not in worst]
    assert found.indices.tolist() == gone[::-1]
